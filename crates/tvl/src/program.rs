//! Pointer programs: the input of the specialised engine, as plain data.
//!
//! The statements are those of Arnold §3.1 ("hard-coded transformers"): assignments of null, variables and
//! fields, allocation and deallocation, conditions on pointers and Booleans. Cells have pointer fields and
//! Boolean fields; variables hold null or point to cells; there is no pointer arithmetic and no address of
//! a variable or field. A translator from a richer language must refuse what does not fit, not drop it.

/// A pointer variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A pointer field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub u32);

/// A Boolean variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlagId(pub u32);

/// A Boolean field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MarkId(pub u32);

/// A field with data that is not modelled beyond whether it was ever written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DataId(pub u32);

/// A location of the control-flow graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u32);

/// A Boolean right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlagValue {
    /// A constant.
    Constant(bool),
    /// Either value.
    Unknown,
    /// The value of a Boolean variable.
    Flag(FlagId),
    /// The negated value of a Boolean variable.
    NotFlag(FlagId),
}

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `x == NULL`.
    Null(VarId),
    /// `x != NULL`.
    NotNull(VarId),
    /// `x == y`.
    Equal(VarId, VarId),
    /// `x != y`.
    NotEqual(VarId, VarId),
    /// A Boolean variable has this value.
    Flag(FlagId, bool),
}

/// A property of the heap to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// No cell reached from the variable along the field lies on a cycle of it.
    Acyclic(VarId, FieldId),
    /// No cell reached from the variable along the field is the target of two of them.
    Unshared(VarId, FieldId),
    /// Wherever the first field leads, the second one leads back.
    LeadsBack(FieldId, FieldId),
    /// Every cell that is not freed is reachable from a variable.
    NoLeak,
    /// Every cell is freed, but for those of variables.
    NothingAllocated,
}

/// A statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// Nothing.
    Skip,
    /// `x = NULL`.
    SetNull(VarId),
    /// `x = y`.
    Copy(VarId, VarId),
    /// `x = y; y = NULL`, where `x` is null before: the value only gets another name, so that nothing can be lost.
    Move(VarId, VarId),
    /// `x = new cell`: fields are null if `zeroed`, else reading one before writing it is reported.
    New {
        /// The variable.
        target: VarId,
        /// Whether all fields start as null and false.
        zeroed: bool,
    },
    /// `x` = the address of a variable that starts its life here: a cell that cannot be freed.
    Local {
        /// The variable that holds the address.
        target: VarId,
        /// Whether all fields start as null and false.
        zeroed: bool,
    },
    /// The life of the cell that `x` points to ends, if there is one: that of a variable whose address was taken.
    End(VarId),
    /// `x = y->f`.
    Load(VarId, VarId, FieldId),
    /// `x->f = y`.
    Store(VarId, FieldId, VarId),
    /// `x->f = NULL`.
    StoreNull(VarId, FieldId),
    /// `free(x)`; freeing null does nothing.
    Free(VarId),
    /// Uses the cell of `x` without looking at a field that is modelled: reports if there is none.
    Touch(VarId),
    /// `x->d = …`.
    WriteData(VarId, DataId),
    /// `… = x->d`: reports if it was never written.
    ReadData(VarId, DataId),
    /// The value of `x` is not used any more: it is dropped unless it may be the last way to a cell, so that
    /// a leak is reported where the variable ends, not where it was last used.
    Forget(VarId),
    /// Goes on only if the condition holds.
    Assume(Condition),
    /// `b = value`.
    SetFlag(FlagId, FlagValue),
    /// `b = x->m`.
    LoadMark(FlagId, VarId, MarkId),
    /// `x->m = value`.
    StoreMark(VarId, MarkId, FlagValue),
    /// Reports if the property may not hold.
    Assert(Property),
}

/// An edge of the control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramEdge {
    /// Source.
    pub from: LocationId,
    /// Target.
    pub to: LocationId,
    /// What happens on the way.
    pub statement: Statement,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Names of pointer variables; all start as null.
    pub variables: Vec<String>,
    /// Names of pointer fields.
    pub fields: Vec<String>,
    /// For each field, if known, the kinds of cells it leads from and to; kinds are numbers of the caller's choice.
    /// Fields can lead back to each other only if their kinds fit. A missing entry fits everything.
    pub field_kinds: Vec<Option<(u32, u32)>>,
    /// Names of Boolean variables; all start as false.
    pub flags: Vec<String>,
    /// Names of Boolean fields.
    pub marks: Vec<String>,
    /// Names of data fields.
    pub data: Vec<String>,
    /// Names of locations.
    pub locations: Vec<String>,
    /// Edges.
    pub edges: Vec<ProgramEdge>,
    /// The entry is this location.
    pub entry: u32,
}

impl Program {
    /// Adds a pointer variable.
    pub fn variable(&mut self, name: impl Into<String>) -> VarId {
        self.variables.push(name.into());
        VarId(self.variables.len() as u32 - 1)
    }

    /// Adds a pointer field.
    pub fn field(&mut self, name: impl Into<String>) -> FieldId {
        self.fields.push(name.into());
        FieldId(self.fields.len() as u32 - 1)
    }

    /// Whether one field can lead back where the other came from.
    pub fn can_lead_back(&self, f: FieldId, g: FieldId) -> bool {
        let kinds = |f: FieldId| self.field_kinds.get(f.0 as usize).copied().flatten();
        match (kinds(f), kinds(g)) {
            (Some((from, to)), Some((back_from, back_to))) => from == back_to && to == back_from,
            _ => true,
        }
    }

    /// Adds a Boolean variable.
    pub fn flag(&mut self, name: impl Into<String>) -> FlagId {
        self.flags.push(name.into());
        FlagId(self.flags.len() as u32 - 1)
    }

    /// Adds a Boolean field.
    pub fn mark(&mut self, name: impl Into<String>) -> MarkId {
        self.marks.push(name.into());
        MarkId(self.marks.len() as u32 - 1)
    }

    /// Adds a data field.
    pub fn data_field(&mut self, name: impl Into<String>) -> DataId {
        self.data.push(name.into());
        DataId(self.data.len() as u32 - 1)
    }

    /// Adds a location.
    pub fn location(&mut self, name: impl Into<String>) -> LocationId {
        self.locations.push(name.into());
        LocationId(self.locations.len() as u32 - 1)
    }

    /// Adds an edge.
    pub fn edge(&mut self, from: LocationId, statement: Statement, to: LocationId) {
        self.edges.push(ProgramEdge { from, to, statement });
    }

    /// Adds a path of statements through fresh locations, from `from` to `to`.
    pub fn path(&mut self, from: LocationId, statements: &[Statement], to: LocationId) {
        let mut at = from;
        for (i, &statement) in statements.iter().enumerate() {
            let next = if i + 1 == statements.len() {
                to
            } else {
                self.location(format!("{}.{}", self.locations[from.0 as usize], i + 1))
            };
            self.edge(at, statement, next);
            at = next;
        }
    }

    /// The first index, if any, that some part of the program uses without declaring it.
    pub fn undeclared(&self) -> Option<String> {
        let var = |v: VarId| (v.0 as usize >= self.variables.len()).then(|| format!("variable {}", v.0));
        let field = |f: FieldId| (f.0 as usize >= self.fields.len()).then(|| format!("field {}", f.0));
        let flag = |b: FlagId| (b.0 as usize >= self.flags.len()).then(|| format!("flag {}", b.0));
        let mark = |m: MarkId| (m.0 as usize >= self.marks.len()).then(|| format!("mark {}", m.0));
        let value = |v: FlagValue| match v {
            FlagValue::Flag(b) | FlagValue::NotFlag(b) => flag(b),
            _ => None,
        };
        let place = |l: u32| (l as usize >= self.locations.len()).then(|| format!("location {l}"));
        if let Some(bad) = place(self.entry) {
            return Some(bad);
        }
        self.edges.iter().find_map(|e| {
            let statement = match e.statement {
                Statement::Skip => None,
                Statement::SetNull(x)
                | Statement::Free(x)
                | Statement::Touch(x)
                | Statement::Forget(x)
                | Statement::End(x)
                | Statement::Local { target: x, .. }
                | Statement::New { target: x, .. } => var(x),
                Statement::WriteData(x, d) | Statement::ReadData(x, d) => var(x)
                    .or_else(|| (d.0 as usize >= self.data.len()).then(|| format!("data field {}", d.0))),
                Statement::Copy(x, y) | Statement::Move(x, y) => var(x).or_else(|| var(y)),
                Statement::Load(x, y, f) | Statement::Store(x, f, y) => {
                    var(x).or_else(|| var(y)).or_else(|| field(f))
                }
                Statement::StoreNull(x, f) => var(x).or_else(|| field(f)),
                Statement::Assume(c) => match c {
                    Condition::Null(x) | Condition::NotNull(x) => var(x),
                    Condition::Equal(x, y) | Condition::NotEqual(x, y) => var(x).or_else(|| var(y)),
                    Condition::Flag(b, _) => flag(b),
                },
                Statement::SetFlag(b, v) => flag(b).or_else(|| value(v)),
                Statement::LoadMark(b, x, m) => flag(b).or_else(|| var(x)).or_else(|| mark(m)),
                Statement::StoreMark(x, m, v) => var(x).or_else(|| mark(m)).or_else(|| value(v)),
                Statement::Assert(p) => match p {
                    Property::Acyclic(x, f) | Property::Unshared(x, f) => var(x).or_else(|| field(f)),
                    Property::LeadsBack(f, g) => field(f).or_else(|| field(g)),
                    Property::NoLeak | Property::NothingAllocated => None,
                },
            };
            statement.or_else(|| place(e.from.0)).or_else(|| place(e.to.0))
        })
    }
}
