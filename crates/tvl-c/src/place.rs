//! Where values live: which locals are variables, cells or plain data, and which field a place is.

use crate::blocks::is_allocation;
use crate::body::{Frame, Object, Translator};
use crate::interior::key;
use crate::kind::Moved;
use heapwise_ir::{
    Body, Callee, CastKind, Const, FuncId, GlobalId, GlobalInit, GlobalKind, InitValue, LocalId, Operand,
    Place, PlaceBase, Program, Projection, RecordId, RecordKind, Rvalue, Span, StatementKind, Ty, Type,
};
use heapwise_tvl::program::{DataId, FieldId, FlagId, LocationId, Statement, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a pointer variable of the pointer program comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Home {
    /// A local of a function: that of the call under analysis.
    Local(FuncId, LocalId),
    /// The address of a local that is a cell.
    Address(FuncId, LocalId),
    /// A global.
    Global(GlobalId),
    /// The address of a global that is a cell.
    GlobalAddress(GlobalId),
    /// What the last call returned.
    Result,
    /// What a call hands over, by position.
    Argument(u32),
    /// The address of a function.
    Function(FuncId),
    /// What a call through a pointer leads to.
    Callee,
    /// A cell that both a caller and the function that it called know.
    Cutpoint(u32),
    /// A value on its way through one statement.
    Scratch(u32),
}

/// What a local or global is in the pointer program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// A pointer variable.
    Var,
    /// A cell of its own.
    Cell,
    /// A number, or a pointer that is never followed: only uses count.
    Data,
    /// A number that is only ever 0 or 1.
    Flag(FlagId),
    /// Not expressible.
    Outside,
}

/// A field of a cell: a member of a structure, or all of an object that is no structure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FieldKey {
    /// At this offset of the structure.
    Member(RecordId, u64),
    /// At this offset of an array that is an object by itself, of this type.
    Element(Ty, u64),
    /// The object itself.
    Whole,
    /// What pointers to pointers of this type lead to: an object by itself, or a member.
    Pointed(Ty),
}

/// What fields are counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    /// The start of a structure.
    Record(RecordId),
    /// The start of an array that is an object by itself.
    Array(Ty),
}

impl Root {
    /// The field at an offset.
    pub(crate) fn at(self, offset: u64) -> FieldKey {
        match self {
            Root::Record(record) => FieldKey::Member(record, offset),
            Root::Array(ty) => FieldKey::Element(ty, offset),
        }
    }
}

/// A pointer value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ptr {
    Null,
    Var(VarId),
}

/// What a pass over a body finds out about its locals.
#[derive(Debug, Default)]
pub(crate) struct BodyFacts {
    /// How often each local is assigned as a whole.
    assigned: FxHashMap<LocalId, usize>,
    /// What locals that are assigned once point to: the type of the pointer that they are converted from.
    behind: FxHashMap<LocalId, Ty>,
    /// Temporaries that hold pointers to bytes of structures: where these come from.
    moved: FxHashMap<LocalId, Moved>,
    /// The types that values of a local are converted to.
    casts: FxHashMap<LocalId, FxHashSet<Ty>>,
    /// Locals that are only assigned the address of a string literal.
    literals: FxHashMap<LocalId, GlobalId>,
    /// Locals that are assigned something other than 0 and 1.
    numbers: FxHashSet<LocalId>,
    /// How often locals are assigned blocks, of any size.
    allocated: FxHashMap<LocalId, usize>,
    /// Sizes of the blocks that locals are assigned, from calls of allocators.
    pub(crate) sizes: FxHashMap<LocalId, u64>,
}

impl BodyFacts {
    pub(crate) fn of(source: &Program, body: &Body) -> BodyFacts {
        let mut facts = BodyFacts::default();
        // What a parameter begins with is a value too.
        for param in &body.params {
            *facts.assigned.entry(*param).or_default() += 1;
        }
        for statement in body.blocks.iter().flat_map(|b| &b.statements) {
            let (dest, value) = match &statement.kind {
                StatementKind::Assign { dest, value } => (Some(dest), Some(value)),
                StatementKind::Call(call) => (call.dest.as_ref(), None),
                StatementKind::Intrinsic { dest, .. } => (dest.as_ref(), None),
                StatementKind::Zero(place) => (Some(place), None),
                StatementKind::ScopeAlloc { dest, .. } => {
                    *facts.assigned.entry(*dest).or_default() += 1;
                    continue;
                }
                _ => continue,
            };
            if let Some(Rvalue::Cast { kind: CastKind::PtrToPtr, arg: Operand::Local(from) }) = value
                && let Some(dest) = dest
            {
                facts.casts.entry(*from).or_default().insert(dest.ty);
                let behind = body.locals.get(*from).and_then(|l| source.types.pointee(l.ty));
                if let (Some(local), Some(ty)) = (dest.as_local(), behind) {
                    facts.behind.insert(local, ty);
                }
            }
            if let Some(Rvalue::Cast {
                kind: CastKind::PtrToPtr,
                arg: Operand::Const(Const::Global { ty, .. }),
            }) = value
                && let (Some(local), Some(ty)) = (dest.and_then(Place::as_local), source.types.pointee(*ty))
            {
                facts.behind.insert(local, ty);
            }
            let Some(local) = dest.and_then(|d| match d.base {
                PlaceBase::Local(l) => Some(l),
                _ => None,
            }) else {
                continue;
            };
            *facts.assigned.entry(local).or_default() += 1;
            if let (Some(d), Some(value)) = (dest, value) {
                facts.bytes(source, body, (d, local), value);
            }
            match value {
                Some(Rvalue::Use(Operand::Const(Const::Int { value: 0 | 1, .. }))) => {}
                _ => {
                    facts.numbers.insert(local);
                }
            }
            let address = match value {
                Some(Rvalue::Use(Operand::Const(Const::Global { global, offset: 0, .. }))) => Some(*global),
                Some(Rvalue::AddrOf(Place { base: PlaceBase::Global(global), path, .. }))
                    if path.is_empty() =>
                {
                    Some(*global)
                }
                _ => None,
            };
            if let Some(global) = address
                && source.globals.get(global).is_some_and(|g| g.kind == GlobalKind::Literal)
            {
                facts.literals.insert(local, global);
            }
            if let StatementKind::Call(call) = &statement.kind
                && let Callee::Direct(f) = call.callee
                && let Some(f) = source.functions.get(f)
                && matches!(f.body, heapwise_ir::FunctionBody::Declared)
                && is_allocation(f.library)
            {
                *facts.allocated.entry(local).or_default() += 1;
                if let Some(size) = allocated_size(f.library, &call.args) {
                    facts.sizes.insert(local, size);
                }
            }
        }
        facts
    }

    /// Notes pointers to bytes of structures.
    fn bytes(&mut self, source: &Program, body: &Body, (dest, local): (&Place, LocalId), value: &Rvalue) {
        let types = &source.types;
        let byte = |ty: Ty| {
            let to = types.pointee(ty).map(|to| types.get(to));
            matches!(to, Some(Type::Int(int)) if int.bits == 8)
        };
        let temporary = body.locals.get(local).is_some_and(|l| l.name.is_none() && !l.address_taken);
        if !temporary || dest.as_local().is_none() || !byte(dest.ty) {
            return;
        }
        let known = |o: &Operand| match o {
            Operand::Local(l) => self.moved.get(l).copied(),
            Operand::Const(_) => None,
        };
        let moved = match value {
            Rvalue::Cast { kind: CastKind::PtrToPtr, arg } => known(arg).or_else(|| {
                let origin = types.pointee(source.operand_ty(body, arg)?)?;
                matches!(types.get(origin), Type::Record(_)).then_some(Moved { origin, by: 0 })
            }),
            Rvalue::PtrAdd { ptr, index: Operand::Const(Const::Int { value, .. }), stride } => known(ptr)
                .and_then(|m| {
                    let by = i64::try_from(*value).ok()?.checked_mul(*stride)?.checked_add(m.by)?;
                    Some(Moved { by, ..m })
                }),
            _ => None,
        };
        if let Some(moved) = moved {
            self.moved.insert(local, moved);
        }
    }

    fn assigned_once(&self, local: LocalId) -> bool {
        self.assigned.get(&local) == Some(&1)
    }

    /// A temporary that holds a pointer to bytes: what it was before, and by how much it was moved.
    pub(crate) fn moved(&self, local: LocalId) -> Option<Moved> {
        self.moved.get(&local).copied().filter(|_| self.assigned_once(local))
    }

    /// The one type of pointer that the block which a local holds is used as.
    pub(crate) fn type_of_block(&self, local: LocalId) -> Option<Ty> {
        self.block_of_one_type(local)?;
        self.casts.get(&local)?.iter().next().copied()
    }

    /// The one type of pointer that the blocks which a local holds are used as, whatever their size.
    pub(crate) fn type_of_allocated(&self, local: LocalId) -> Option<Ty> {
        let casts = self.casts.get(&local)?;
        let allocations = self.allocated.get(&local)?;
        let one = self.assigned.get(&local) == Some(allocations) && casts.len() == 1;
        casts.iter().next().copied().filter(|_| one)
    }

    /// The type of what a local points to that only ever holds one converted pointer.
    pub(crate) fn object_behind(&self, local: LocalId) -> Option<Ty> {
        self.behind.get(&local).copied().filter(|_| self.assigned_once(local))
    }

    /// The string literal that a local always points to.
    pub(crate) fn literal(&self, local: LocalId) -> Option<GlobalId> {
        self.literals.get(&local).copied().filter(|_| self.assigned_once(local))
    }

    /// The size of the one block that a local ever holds, if its values become pointers of one type only.
    fn block_of_one_type(&self, local: LocalId) -> Option<u64> {
        let types = self.casts.get(&local).map_or(0, FxHashSet::len);
        self.sizes.get(&local).copied().filter(|_| self.assigned_once(local) && types == 1)
    }
}

/// The size in bytes that a call of an allocator asks for, if it is a constant.
pub(crate) fn allocated_size(library: Option<heapwise_ir::library::LibFn>, args: &[Operand]) -> Option<u64> {
    use heapwise_ir::library::LibFn;
    let number = |i: usize| match args.get(i) {
        Some(Operand::Const(Const::Int { value, .. })) => u64::try_from(*value).ok(),
        _ => None,
    };
    match library? {
        LibFn::Malloc => number(0),
        LibFn::Calloc => number(0).zip(number(1)).and_then(|(n, s)| n.checked_mul(s)),
        _ => None,
    }
}

impl<'p> Translator<'p> {
    /// Whether values of the type are pointers that the model follows. Pointers to bytes are not.
    pub(crate) fn tracked(&self, ty: Ty) -> bool {
        self.source.types.pointee(ty).is_some_and(|to| match self.source.types.get(to) {
            Type::Record(_) | Type::Void | Type::Pointer(_) | Type::Bool | Type::Float(_) => true,
            Type::Function { .. } => true,
            Type::Int(int) => int.bits > 8 || self.follows_blocks(),
            Type::Array { .. } => self.element(to).is_some(),
            Type::Opaque { .. } => false,
        })
    }

    /// Whether values of the type are pointers that the model does not follow.
    pub(crate) fn opaque(&self, ty: Ty) -> bool {
        matches!(self.source.types.get(ty), Type::Pointer(_)) && !self.tracked(ty)
    }

    /// What an object of the type is; scalars are cells only if their address is taken.
    pub(crate) fn storage_of(&self, ty: Ty, address_taken: bool) -> Storage {
        match self.source.types.get(ty) {
            Type::Record(r) => match self.source.types.records.get(*r) {
                Some(r) if r.kind == RecordKind::Struct && r.complete => Storage::Cell,
                _ => Storage::Outside,
            },
            Type::Pointer(_) | Type::Int(_) | Type::Bool | Type::Float(_) if address_taken => Storage::Cell,
            Type::Array { .. } if self.is_small(ty) || self.is_block(ty) => Storage::Cell,
            Type::Pointer(_) if self.tracked(ty) => Storage::Var,
            Type::Pointer(_) | Type::Int(_) | Type::Bool | Type::Float(_) => Storage::Data,
            _ => Storage::Outside,
        }
    }

    /// Storage of all locals of a body.
    pub(crate) fn storages(
        &mut self,
        func: FuncId,
        body: &Body,
        facts: &BodyFacts,
        unset: &FxHashSet<LocalId>,
    ) -> Vec<Storage> {
        let mut result = Vec::with_capacity(body.locals.len());
        for (id, local) in body.locals.iter_enumerated() {
            let mut storage = match facts.moved(id) {
                Some(_) => Storage::Var,
                None => self.storage_of(local.ty, local.address_taken || unset.contains(&id)),
            };
            let binary = facts.assigned.contains_key(&id)
                && !facts.numbers.contains(&id)
                && local.name.is_some()
                && !body.params.contains(&id);
            if storage == Storage::Data && binary && self.source.types.as_int(local.ty).is_some() {
                let flag = match self.flags.get(&(func, id)) {
                    Some(&flag) => flag,
                    None => {
                        let flag = self.out.program.flag(local.name.as_deref().unwrap_or("flag"));
                        self.flags.insert((func, id), flag);
                        flag
                    }
                };
                storage = Storage::Flag(flag);
            }
            result.push(storage);
        }
        result
    }

    pub(crate) fn var(&mut self, home: Home, name: String) -> VarId {
        if let Some(&v) = self.vars.get(&home) {
            return v;
        }
        let v = self.out.program.variable(name);
        self.vars.insert(home, v);
        v
    }

    fn local_name(&self, frame: &Frame<'p>, local: LocalId) -> String {
        let name = frame.body.locals.get(local).and_then(|l| l.name.as_deref());
        let name = name.map_or_else(|| format!("_{}", local.0), str::to_string);
        if frame.is_main { name } else { format!("{name}@{}", frame.name) }
    }

    /// The variable that a local is, if it is one.
    pub(crate) fn local_var(&mut self, frame: &Frame<'p>, local: LocalId) -> Option<VarId> {
        if frame.storage(local) != Storage::Var {
            return None;
        }
        let v = self.var(Home::Local(frame.func, local), self.local_name(frame, local));
        let ty = frame.body.locals.get(local).map(|l| l.ty);
        if let Some(width) = ty.and_then(|ty| self.points_to_elements(ty)) {
            self.out.widths.insert(v, width);
        }
        Some(v)
    }

    /// The variable that holds the address of a local that is a cell.
    pub(crate) fn address_var(&mut self, frame: &Frame<'p>, local: LocalId) -> Option<VarId> {
        (frame.storage(local) == Storage::Cell).then(|| {
            self.var(Home::Address(frame.func, local), format!("&{}", self.local_name(frame, local)))
        })
    }

    /// The variable that hands over an argument.
    pub(crate) fn argument_var(&mut self, index: usize) -> VarId {
        self.var(Home::Argument(index as u32), format!("argument{index}"))
    }

    pub(crate) fn result_var(&mut self) -> VarId {
        self.var(Home::Result, "result".to_string())
    }

    /// A variable for a value on its way; it is null again after the statement.
    pub(crate) fn scratch(&mut self) -> VarId {
        let index = self.scratch.len() as u32;
        let v = self.var(Home::Scratch(index), format!("scratch{index}"));
        self.scratch.push(v);
        v
    }

    fn global_storage(&self, global: GlobalId) -> Storage {
        self.source
            .globals
            .get(global)
            .map_or(Storage::Outside, |g| self.storage_of(g.ty, self.addressed.contains(&global)))
    }

    /// The variable that holds the address of a global that is a cell.
    pub(crate) fn global_address(&mut self, global: GlobalId) -> Option<VarId> {
        let g = self.source.globals.get(global)?;
        let literal = g.kind == GlobalKind::Literal && !self.follows_blocks();
        if self.global_storage(global) != Storage::Cell || literal {
            return None;
        }
        if !self.globals.contains(&global) {
            self.globals.push(global);
        }
        Some(self.var(Home::GlobalAddress(global), format!("&{}", g.name)))
    }

    /// The variable that holds the address of a function, which is a cell of its own.
    pub(crate) fn function_var(&mut self, func: FuncId, span: Span) -> Option<VarId> {
        let f = self.source.functions.get(func)?;
        let weak = self.source.yielding.functions.contains(&func);
        if weak && !matches!(f.body, heapwise_ir::FunctionBody::Defined(_)) {
            self.refuse(format!("`{}` may not be there", f.name), span);
        }
        if !self.functions.contains(&func) {
            self.functions.push(func);
        }
        Some(self.var(Home::Function(func), format!("&{}", f.name)))
    }

    fn global_var(&mut self, global: GlobalId) -> Option<VarId> {
        let g = self.source.globals.get(global)?;
        if self.global_storage(global) != Storage::Var {
            return None;
        }
        if !self.globals.contains(&global) {
            self.globals.push(global);
        }
        Some(self.var(Home::Global(global), g.name.to_string()))
    }

    /// Whether a place that begins with a global begins as the type of the global says, and lies in it.
    pub(crate) fn is_as_defined(&self, place: &Place) -> bool {
        let PlaceBase::Global(global) = place.base else { return true };
        let Some(global) = self.source.globals.get(global) else { return false };
        let types = &self.source.types;
        match place.path.first() {
            Some(Projection::Field { record, .. }) => *types.get(global.ty) == Type::Record(*record),
            Some(Projection::Index { .. }) => matches!(types.get(global.ty), Type::Array { .. }),
            None => types.size(place.ty) <= global.size,
        }
    }

    /// The variable that a place is, if it is one.
    pub(crate) fn place_var(&mut self, frame: &Frame<'p>, place: &Place) -> Option<VarId> {
        match place.base {
            _ if !place.path.is_empty() => None,
            PlaceBase::Local(local) => self.local_var(frame, local),
            PlaceBase::Global(global) => self.global_var(global),
            PlaceBase::Deref(_) => None,
        }
    }

    /// The field that a path of members is.
    fn field_key(&mut self, frame: &Frame<'p>, place: &Place, span: Span) -> Option<FieldKey> {
        let key = key(self.source, frame.body, place);
        if key.is_none() {
            let index = |p: &Projection| matches!(p, Projection::Index { .. });
            let what = if place.path.iter().any(index) { "arrays with indices that vary" } else { "unions" };
            self.refuse(format!("{what} are outside the three-valued memory model"), span);
        }
        key
    }

    fn member_name(&self, key: FieldKey) -> String {
        let (record, offset) = match key {
            FieldKey::Member(record, offset) => (record, offset),
            FieldKey::Element(_, offset) => return format!("at{offset}"),
            FieldKey::Whole | FieldKey::Pointed(_) => return "*".to_string(),
        };
        self.source
            .types
            .records
            .get(record)
            .and_then(|r| r.fields.iter().find(|f| f.offset == offset))
            .and_then(|f| f.name.as_deref())
            .map_or_else(|| format!("at{offset}"), str::to_string)
    }

    /// The pointer field with this key and type.
    pub(crate) fn field(&mut self, key: FieldKey, ty: Ty) -> FieldId {
        let key = self.interior.field(key, ty);
        if let Some(&f) = self.fields.get(&key) {
            return f;
        }
        let f = self.out.program.field(self.member_name(key));
        // Cells are told apart by their structure; all objects that are no structures count as one kind.
        let mixed = |r: RecordId| self.interior.is_whole(r) || self.interior.around(r).next().is_some();
        let from = match key {
            FieldKey::Member(record, _) => record.0,
            FieldKey::Element(..) | FieldKey::Whole | FieldKey::Pointed(_) => u32::MAX,
        };
        let to = self.source.types.pointee(ty).and_then(|to| match self.source.types.get(to) {
            Type::Record(record) if mixed(*record) => None,
            Type::Record(record) => Some(record.0),
            Type::Void => None,
            _ => Some(u32::MAX),
        });
        // The object itself has no type of its own, so what it leads to differs.
        let kinds = match key {
            FieldKey::Member(record, _) if !mixed(record) => to.map(|to| (from, to)),
            _ => None,
        };
        self.out.program.field_kinds.push(kinds);
        self.fields.insert(key, f);
        f
    }

    pub(crate) fn data_field(&mut self, key: FieldKey, shift: u8, ty: Ty) -> DataId {
        let key = self.interior.field(key, ty);
        if let Some(&d) = self.data.get(&(key, shift)) {
            return d;
        }
        let d = self.out.program.data_field(self.member_name(key));
        self.data.insert((key, shift), d);
        self.declare_values(key, shift, (d, ty));
        d
    }

    /// The address of a field, if the model has it: that of its cell, which must be there.
    pub(crate) fn field_address(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (place, dest): (&Place, Ty),
        span: Span,
    ) -> Option<Ptr> {
        if self.source.types.pointee(dest) != Some(place.ty) {
            self.refuse("pointer arithmetic, or the address of a field", span);
            return None;
        }
        if let (Some(FieldKey::Member(outer, offset)), Some(inner)) =
            (key(self.source, frame.body, place), self.record(place.ty))
            && self.interior.embeds(outer, offset, inner)
        {
            // What leads to a part by itself may be taken for the whole as long as only the part is used.
            let cell = self.base_pointer(frame, at, place, span)?;
            self.step(at, Statement::Touch(cell), span);
            return Some(Ptr::Var(cell));
        }
        if !self.interior.models(place.ty) {
            self.refuse("pointer arithmetic, or the address of a field", span);
            return None;
        }
        let Some(cell) = self.cell_pointer(frame, at, place, span) else {
            self.refuse("the address of a variable outside the model", span);
            return None;
        };
        self.step(at, Statement::Touch(cell), span);
        Some(Ptr::Var(cell))
    }

    /// A pointer to the cell that a place is part of, which must be of its kind. `None` if it is no part of a cell, or was
    /// refused.
    pub(crate) fn cell_pointer(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        place: &Place,
        span: Span,
    ) -> Option<VarId> {
        let cell = self.base_pointer(frame, at, place, span)?;
        if let PlaceBase::Deref(p) = &place.base
            && let Some(ty) = self.source.operand_ty(frame.body, p).and_then(|t| self.source.types.pointee(t))
        {
            self.expect_whole(at, cell, ty, span);
        }
        Some(cell)
    }

    /// As [`Self::cell_pointer`], whatever the kind of the cell.
    fn base_pointer(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        place: &Place,
        span: Span,
    ) -> Option<VarId> {
        match &place.base {
            PlaceBase::Deref(Operand::Local(l)) if frame.facts.moved(*l).is_some() => {
                self.refuse("an access to single bytes of a structure", span);
                None
            }
            PlaceBase::Deref(p) => {
                let pointed =
                    self.source.operand_ty(frame.body, p).and_then(|t| self.source.types.pointee(t));
                let typed = pointed.is_some_and(|t| match place.path.first() {
                    Some(Projection::Field { record, .. }) => {
                        *self.source.types.get(t) == Type::Record(*record)
                    }
                    _ => t == place.ty,
                });
                if !typed {
                    self.refuse("an access through a pointer of another type", span);
                    return None;
                }
                match self.pointer_operand(frame, at, p, span)? {
                    Ptr::Var(v) => Some(v),
                    // A variable that is null: the access reports it.
                    Ptr::Null => Some(self.scratch()),
                }
            }
            PlaceBase::Local(local) => self.address_var(frame, *local),
            PlaceBase::Global(global) => self.global_address(*global),
        }
    }

    /// The cell and pointer field that a place is.
    pub(crate) fn pointer_place(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        place: &Place,
        span: Span,
    ) -> Option<(VarId, FieldId)> {
        let key = self.field_key(frame, place, span)?;
        let Some(x) = self.cell_pointer(frame, at, place, span) else {
            self.refuse("a pointer outside the three-valued memory model is used", span);
            return None;
        };
        Some((x, self.field(key, place.ty)))
    }

    /// The cell and data field that a place is, if it is part of a cell.
    pub(crate) fn data_place(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        place: &Place,
        span: Span,
    ) -> Option<(VarId, DataId)> {
        let storage = match place.base {
            PlaceBase::Deref(_) => Storage::Cell,
            PlaceBase::Local(local) => frame.storage(local),
            PlaceBase::Global(global) => self.global_storage(global),
        };
        if storage == Storage::Data || matches!(storage, Storage::Flag(_)) {
            return None;
        }
        let key = self.field_key(frame, place, span)?;
        if storage != Storage::Cell || !self.source.types.is_scalar(place.ty) {
            self.refuse("data that is no number in a variable or structure", span);
            return None;
        }
        let x = self.cell_pointer(frame, at, place, span)?;
        let shift = place.bits().map_or(0, |b| b.shift);
        Some((x, self.data_field(key, shift, place.ty)))
    }

    /// The value of an operand that is a pointer.
    pub(crate) fn pointer_operand(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        operand: &Operand,
        span: Span,
    ) -> Option<Ptr> {
        match operand {
            Operand::Const(Const::Null(_) | Const::Int { value: 0, .. }) => return Some(Ptr::Null),
            Operand::Const(Const::Global { global, offset: 0, .. }) => {
                if let Some(v) = self.global_address(*global) {
                    return Some(Ptr::Var(v));
                }
            }
            Operand::Const(Const::Function { func, .. }) => {
                return self.function_var(*func, span).map(Ptr::Var);
            }
            Operand::Const(_) => {}
            Operand::Local(local) => {
                if let Some(v) = self.local_var(frame, *local) {
                    return Some(Ptr::Var(v));
                }
                if frame.body.locals.get(*local).is_some_and(|l| self.tracked(l.ty))
                    && let Some(x) = self.address_var(frame, *local)
                {
                    let value = self.scratch();
                    let field = self.field(FieldKey::Whole, frame.body.locals[*local].ty);
                    self.step(at, Statement::Load(value, x, field), span);
                    return Some(Ptr::Var(value));
                }
            }
        }
        self.refuse("a pointer that the model does not follow is used", span);
        None
    }

    /// Whether a pointer conversion keeps to cells of one type.
    pub(crate) fn cast_fits(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (arg, dest): (&Operand, Ty),
        span: Span,
    ) -> bool {
        let types = &self.source.types;
        let to = types.pointee(dest);
        let from = self.source.operand_ty(frame.body, arg).and_then(|t| types.pointee(t));
        let null = matches!(arg, Operand::Const(Const::Null(_) | Const::Int { value: 0, .. }));
        let (Some(to), Some(from)) = (to, from) else {
            if !null {
                self.refuse("a number is used as a pointer", span);
            }
            return null;
        };
        let bytes = matches!(arg, Operand::Local(l) if frame.facts.moved(*l).is_some());
        if to == from && !bytes || null {
            return true;
        }
        if let Some(moved) = self.moved(frame, arg)
            && (self.record(moved.origin).is_some() || moved.by != 0)
        {
            let Some(Ptr::Var(x)) = self.pointer_operand(frame, at, arg, span) else { return false };
            let fits = self.moved_fits(at, x, (moved, to), span);
            if !fits {
                self.refuse("a pointer is converted to another type", span);
            }
            return fits;
        }
        if !bytes && self.keeps_elements((from, to)) {
            return true;
        }
        if self.interior.concerns(from) {
            self.refuse("the address of a field is converted to another type", span);
            return false;
        }
        if *types.get(to) == Type::Void {
            return true;
        }
        if let (Type::Void, Operand::Local(l)) = (types.get(from), arg)
            && self.element(to).is_some()
            && frame.facts.type_of_allocated(*l).is_some()
        {
            // Accesses are checked by the size.
            return true;
        }
        let types = &self.source.types;
        if let (Type::Void, Operand::Local(l)) = (types.get(from), arg)
            && let Some(size) = frame.facts.block_of_one_type(*l)
        {
            if size >= types.size(to) {
                return true;
            }
            let reason = format!("a block of {size} bytes is used as an object of {}", types.size(to));
            self.refuse(reason, span);
            return false;
        }
        if *self.source.types.get(from) == Type::Void && self.typed_again(frame, at, (arg, to), span) {
            return true;
        }
        self.refuse("a pointer is converted to another type", span);
        false
    }

    /// Statements that bring the globals into their initial state; they run before the entry.
    pub(crate) fn initialise_globals(&mut self, at: &mut LocationId) {
        let mut done = 0;
        let mut stores = Vec::new();
        while let Some(&global) = self.globals.get(done) {
            done += 1;
            let Some(g) = self.source.globals.get(global) else { continue };
            let pieces = match &g.init {
                GlobalInit::Data(pieces) => pieces.as_slice(),
                GlobalInit::Unknown => {
                    self.refuse(format!("the value of global `{}` is not known", g.name), g.span);
                    continue;
                }
            };
            let cell = self.global_storage(global) == Storage::Cell;
            let target = if cell { self.global_address(global) } else { self.global_var(global) };
            let Some(target) = target else { continue };
            if cell {
                let constant = g.constant || g.kind == GlobalKind::Literal;
                let object = Object { ty: Some(g.ty), zeroed: true, constant };
                self.variable_cell(at, target, object, g.span);
            }
            let root = self.root(g.ty);
            if self.is_block(g.ty) {
                continue;
            }
            let scalars = self.source.types.scalars(g.ty, 1000);
            if scalars.len() > 1000 {
                self.refuse(format!("global `{}` is too large", g.name), g.span);
            }
            if cell {
                self.initial_numbers(at, (target, root), &scalars, (pieces, g.span));
            }
            for (offset, ty) in scalars.into_iter().filter(|&(_, ty)| self.tracked(ty)).collect::<Vec<_>>() {
                let width = self.source.types.pointer_size;
                let over = pieces.iter().filter(|p| {
                    let size = match &p.value {
                        InitValue::Bytes(bytes) => bytes.len() as u64,
                        _ => width,
                    };
                    p.offset < offset + width && offset < p.offset.saturating_add(size)
                });
                for piece in over {
                    match &piece.value {
                        InitValue::Bytes(bytes) => {
                            let from = offset.saturating_sub(piece.offset) as usize;
                            if bytes.iter().skip(from).take(width as usize).any(|&b| b != 0) {
                                self.refuse(
                                    format!("global `{}` starts with a made-up pointer", g.name),
                                    g.span,
                                );
                            }
                        }
                        InitValue::GlobalAddr { global: to, offset: 0 } if piece.offset == offset => {
                            let Some(value) = self.global_address(*to) else {
                                self.refuse(
                                    format!("global `{}` holds an address outside the model", g.name),
                                    g.span,
                                );
                                continue;
                            };
                            let key = root.map_or(FieldKey::Whole, |root| root.at(offset));
                            let statement = match cell {
                                false => Statement::Copy(target, value),
                                true => Statement::Store(target, self.field(key, ty), value),
                            };
                            stores.push((statement, g.span));
                        }
                        InitValue::FunctionAddr(func) if piece.offset == offset => {
                            let Some(value) = self.function_var(*func, g.span) else { continue };
                            let key = root.map_or(FieldKey::Whole, |root| root.at(offset));
                            let statement = match cell {
                                false => Statement::Copy(target, value),
                                true => Statement::Store(target, self.field(key, ty), value),
                            };
                            stores.push((statement, g.span));
                        }
                        _ => self.refuse(
                            format!("global `{}` holds an address outside the model", g.name),
                            g.span,
                        ),
                    }
                }
            }
        }
        for func in self.functions.clone() {
            if let Some(target) = self.function_var(func, Span::default()) {
                let code = Object { ty: None, zeroed: true, constant: true };
                self.variable_cell(at, target, code, Span::default());
            }
        }
        for (statement, span) in stores {
            self.step(at, statement, span);
        }
    }
}
