//! A start of a function: what is assumed of its arguments and of globals, as a tree that grows by what runs ask for.
//!
//! A start says for each pointer that the function is given whether nothing is known of it, whether it leads to a block (and what
//! is known of the pointers in that block), or to a structure ([`super::family`]). It is written in the language of predicates
//! ([`Start::written`], [`Start::predicates`]), so that what is verified and what is printed are the same text.

use super::express::conjunction;
use super::family::{self, Families, Kind};
use super::fields;
use heapwise_ir::{GlobalId, Ty, TypeTable};
use std::collections::{BTreeMap, BTreeSet};

/// What is assumed of a pointer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shape {
    /// What it holds is not followed; it satisfies these conditions.
    Open(BTreeSet<Condition>),
    /// It leads to a block, or is null if that is allowed.
    Block {
        /// Whether it may be null.
        nullable: bool,
        /// The type of the block, and where in it the pointer leads, if that is not what the pointer's type says.
        around: Option<(Ty, u64)>,
        /// What is assumed of the pointers in the block, by offset.
        fields: BTreeMap<u64, Shape>,
    },
    /// It leads to a structure over blocks of its type.
    Structure {
        /// Whether it may be empty.
        nullable: bool,
    },
    /// It leads to an array with at least as many elements as a number says that the function is given.
    Array {
        /// Whether it may be null.
        nullable: bool,
        /// The slot of that number.
        length: usize,
    },
}

/// Nothing, of pointers that nothing is said about.
static NOTHING: Shape = Shape::ANY;

impl Shape {
    /// Nothing is assumed.
    pub(super) const ANY: Shape = Shape::Open(BTreeSet::new());

    /// Whether a pointer like this may be null.
    pub(super) fn may_be_null(&self) -> bool {
        match self {
            Shape::Open(conditions) => !conditions.contains(&Condition::Differs(0)),
            Shape::Block { nullable, .. } | Shape::Structure { nullable } | Shape::Array { nullable, .. } => {
                *nullable
            }
        }
    }

    /// The type of the block that a pointer like this leads to, or into, if its own type says `to`.
    fn block_type(&self, to: Ty) -> Ty {
        match self {
            Shape::Block { around: Some((ty, _)), .. } => *ty,
            _ => to,
        }
    }
}

/// A condition on a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Condition {
    Equals(i128),
    Differs(i128),
    AtLeast(i128),
    AtMost(i128),
}

impl Condition {
    fn written(self, name: &str) -> String {
        match self {
            Condition::Equals(n) => format!("{name} == {n}"),
            Condition::Differs(n) => format!("{name} != {n}"),
            Condition::AtLeast(n) => format!("{name} >= {n}"),
            Condition::AtMost(n) => format!("{name} <= {n}"),
        }
    }

    /// Whether no value satisfies both.
    pub(super) fn contradicts(self, other: Condition) -> bool {
        use Condition::{AtLeast, AtMost, Differs, Equals};
        let one_way = |a, b| match (a, b) {
            (Equals(n), Equals(m)) => n != m,
            (Equals(n), Differs(m)) => n == m,
            (Equals(n) | AtMost(n), AtLeast(m)) => n < m,
            (Equals(n), AtMost(m)) => n > m,
            _ => false,
        };
        one_way(self, other) || one_way(other, self)
    }
}

/// A pointer or number that the function is given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Slot {
    pub(super) name: String,
    pub(super) of: Given,
    pub(super) ty: Ty,
    pub(super) shape: Shape,
}

/// How the function is given it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Given {
    /// As the argument with that number.
    Param(usize),
    /// As the value of a variable.
    Global(GlobalId),
}

/// A start.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Start {
    pub(super) slots: Vec<Slot>,
    pub(super) families: Families,
    /// Whether blocks are initialised.
    pub(super) initialised: bool,
    /// What the names of values begin with that have none in the program: those of pointers, and of numbers.
    pub(super) prefixes: (&'static str, &'static str),
}

/// A precondition as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Written {
    /// Its clauses.
    pub(super) clauses: Vec<String>,
    /// The names of values that it introduces, and where they are in the start.
    pub(super) names: Vec<(String, Way)>,
}

/// Where in a start a pointer is: its slot, and the offsets of the pointers on the way.
pub(super) type Way = (usize, Vec<u64>);

/// Most cases of one clause.
const MAX_CASES: usize = 8;

struct Writing<'a> {
    types: &'a TypeTable,
    mentioned: Option<&'a [String]>,
    fresh: (usize, usize),
    names: Vec<(String, Way)>,
}

impl Writing<'_> {
    fn new_name(&mut self, prefixes: (&str, &str), is_pointer: bool) -> String {
        let (prefix, count) = match is_pointer {
            true => (prefixes.0, &mut self.fresh.0),
            false => (prefixes.1, &mut self.fresh.1),
        };
        *count += 1;
        format!("{prefix}{count}")
    }
}

impl Start {
    /// The definitions of predicates.
    pub(super) fn predicates(&self, types: &TypeTable) -> Vec<String> {
        // A text that no element owns is written as a block.
        let is_owned = |ty: &Ty| self.families.values().any(|f| f.owned.values().any(|t| t == ty));
        let mut families = self.families.clone();
        families.retain(|ty, family| family.kind != Kind::Text || is_owned(ty));
        family::definitions(types, &families)
    }

    /// Whether what pointers to a type lead to is taken for texts.
    pub(super) fn is_text(&self, to: Ty) -> bool {
        self.families.get(&to).is_some_and(|f| f.kind == Kind::Text)
    }

    /// The clauses of the precondition: one for each slot of which anything is known; nothing if there would be too many cases.
    ///
    /// For a run all values are named. Once the postcondition is known, only those that it mentions are (`mentioned`).
    pub(super) fn written(&self, types: &TypeTable, mentioned: Option<&[String]>) -> Option<Written> {
        let mut clauses = Vec::new();
        let mut writing = Writing { types, mentioned, fresh: (0, 0), names: Vec::new() };
        for (i, slot) in self.slots.iter().enumerate() {
            let cases = self.cases(&mut writing, (i, Vec::new()), slot.ty, &slot.name, &slot.shape);
            if cases.len() > MAX_CASES {
                return None;
            }
            if cases.iter().any(|c| !c.is_empty()) {
                let cases: Vec<String> = cases.iter().map(|c| conjunction(c)).collect();
                clauses.push(cases.join(" | "));
            }
        }
        Some(Written { clauses, names: writing.names })
    }

    fn cases(
        &self,
        writing: &mut Writing<'_>,
        way: Way,
        ty: Ty,
        name: &str,
        shape: &Shape,
    ) -> Vec<Vec<String>> {
        let types = writing.types;
        match (shape, types.pointee(ty)) {
            (Shape::Open(conditions), _) => vec![conditions.iter().map(|c| c.written(name)).collect()],
            (_, None) => vec![Vec::new()],
            (Shape::Structure { nullable }, Some(to)) if self.is_text(to) => {
                let mut all = vec![vec![format!("{name} -> [text] {{ }}")]];
                if *nullable {
                    all.insert(0, vec![format!("{name} == null")]);
                }
                all
            }
            (Shape::Array { nullable, length }, Some(to)) => {
                let count = self.slots.get(*length).map_or("0", |s| s.name.as_str());
                let rest = if self.initialised { ".. " } else { "" };
                let size = match types.size(to) {
                    1 => format!("{count} .."),
                    size => format!("{size} * {count} .."),
                };
                let mut all = vec![vec![format!("{name} -> [{size}] {{ {rest}}}")]];
                if *nullable {
                    all.insert(0, vec![format!("{name} == null")]);
                }
                all
            }
            (Shape::Structure { nullable }, Some(to)) => {
                let mut all = family::at(types, &self.families, to, name, &mut || {
                    writing.new_name(self.prefixes, true)
                });
                if !nullable && self.families.get(&to).is_some_and(|f| !f.kind.is_never_null()) {
                    all.push(format!("{name} != null"));
                }
                vec![all]
            }
            (Shape::Block { nullable, around, fields }, Some(to)) => {
                let inside = around.map_or(0, |(_, at)| at);
                let root = match inside {
                    0 => name.to_owned(),
                    _ => writing.new_name(self.prefixes, true),
                };
                let (block, mut rest) = self.block(writing, &way, shape.block_type(to), &root, fields);
                if inside > 0 {
                    rest.iter_mut().for_each(|r| r.push(format!("{name} == {root} + {inside}")));
                }
                let mut all = Vec::new();
                if *nullable {
                    all.push(vec![format!("{name} == null")]);
                }
                all.extend(rest.into_iter().map(|r| std::iter::once(block.clone()).chain(r).collect()));
                all
            }
        }
    }

    /// A block with its cells, and the cases of what they lead to.
    fn block(
        &self,
        writing: &mut Writing<'_>,
        way: &Way,
        to: Ty,
        name: &str,
        fields: &BTreeMap<u64, Shape>,
    ) -> (String, Vec<Vec<String>>) {
        let types = writing.types;
        let record = fields::record_of(types, to);
        let is_named = record.and_then(|r| types.records.get(r)).is_some_and(|r| r.name.is_some());
        let mut cells = Vec::new();
        let mut rest: Vec<Vec<String>> = vec![Vec::new()];
        // Values that are there have names, so that a postcondition can speak of them.
        for (off, ty) in fields::cells(types, to) {
            let inner = fields.get(&off).unwrap_or(&NOTHING);
            if *inner == Shape::ANY && !self.initialised {
                continue;
            }
            let n = writing.new_name(self.prefixes, types.pointee(ty).is_some());
            let mut deeper = way.clone();
            deeper.1.push(off);
            writing.names.push((n.clone(), deeper.clone()));
            if *inner == Shape::ANY {
                match writing.mentioned {
                    None => rest.iter_mut().for_each(|r| r.push(format!("{n} == {n}"))),
                    Some(all) if all.contains(&n) => {}
                    // Its cell is one of those that are initialised.
                    Some(_) if is_named => continue,
                    Some(_) => {
                        cells.push(format!("{}: _", fields::cell(types, record, off, types.size(ty))));
                        continue;
                    }
                }
            }
            cells.push(format!("{}: {n}", fields::cell(types, record, off, types.size(ty))));
            let inner = self.cases(writing, deeper, ty, &n, inner);
            rest = rest
                .iter()
                .flat_map(|r| inner.iter().map(|i| r.iter().chain(i).cloned().collect()))
                .take(MAX_CASES + 1)
                .collect();
        }
        match (is_named, self.initialised) {
            (_, false) => {}
            (true, true) => cells.push("..".into()),
            // A type without a name has no word for the rest of its cells.
            (false, true) => cells.extend(fields::other_cells(types, to)),
        }
        let layout = fields::layout(types, to);
        let block = match cells.join(", ").as_str() {
            "" => format!("{name} -> {layout} {{ }}"),
            cells => format!("{name} -> {layout} {{ {cells} }}"),
        };
        (block, rest)
    }

    /// The same start without structures that nothing leads to.
    pub(super) fn without_unused_families(mut self, types: &TypeTable) -> Start {
        let is_structure = |way: &Way| matches!(self.shape(way), Some(Shape::Structure { .. }));
        let mut todo: Vec<Ty> =
            self.ways(types).into_iter().filter(|(way, _)| is_structure(way)).map(|(_, ty)| ty).collect();
        let mut used = BTreeSet::new();
        while let Some(ty) = todo.pop() {
            if used.insert(ty) {
                todo.extend(self.families.get(&ty).into_iter().flat_map(|f| f.owned.values().copied()));
            }
        }
        self.families.retain(|ty, _| used.contains(ty));
        self
    }

    /// The shape at a place; pointers of which nothing is said are there too.
    pub(super) fn shape(&self, way: &Way) -> Option<&Shape> {
        let mut at = &self.slots.get(way.0)?.shape;
        for off in &way.1 {
            match at {
                Shape::Block { fields, .. } => at = fields.get(off).unwrap_or(&NOTHING),
                _ => return None,
            }
        }
        Some(at)
    }

    /// The same start with another shape at a place.
    pub(super) fn with(&self, way: &Way, shape: Shape) -> Start {
        let mut start = self.clone();
        let Some(slot) = start.slots.get_mut(way.0) else { return start };
        let mut at = &mut slot.shape;
        for off in &way.1 {
            let Shape::Block { fields, .. } = at else { return self.clone() };
            at = fields.entry(*off).or_insert(Shape::ANY);
        }
        *at = shape;
        start
    }

    /// All pointers of the start, slots first, with what they lead to by their type.
    pub(super) fn ways(&self, types: &TypeTable) -> Vec<(Way, Ty)> {
        let slots = self.slots.iter().enumerate();
        let mut found: Vec<(Way, Ty)> =
            slots.filter_map(|(i, s)| Some(((i, Vec::new()), types.pointee(s.ty)?))).collect();
        let mut next = 0;
        while let Some((way, ty)) = found.get(next).cloned() {
            next += 1;
            if !matches!(self.shape(&way), Some(Shape::Block { .. })) || way.1.len() > 6 {
                continue;
            }
            let ty = self.shape(&way).map_or(ty, |shape| shape.block_type(ty));
            for (off, to) in fields::pointers(types, ty) {
                let mut deeper = way.clone();
                deeper.1.push(off);
                found.push((deeper, to));
            }
        }
        found
    }

    /// What the block that holds the pointer at a place is, by its type.
    pub(super) fn holder(&self, types: &TypeTable, way: &Way) -> Option<Ty> {
        let slot = self.slots.get(way.0)?;
        let (_, before) = way.1.split_last()?;
        let mut shape = &slot.shape;
        let mut ty = shape.block_type(types.pointee(slot.ty)?);
        for off in before {
            let Shape::Block { fields, .. } = shape else { return None };
            shape = fields.get(off)?;
            ty = shape.block_type(fields::target(types, ty, *off)?);
        }
        Some(ty)
    }

    /// The places of which anything is assumed, those that hold others first.
    pub(super) fn assumed(&self) -> Vec<Way> {
        let mut found = Vec::new();
        let slots = self.slots.iter().enumerate();
        let mut todo: Vec<(Way, &Shape)> = slots.map(|(i, s)| ((i, Vec::new()), &s.shape)).collect();
        while let Some((way, shape)) = todo.pop() {
            if let Shape::Block { fields, .. } = shape {
                todo.extend(fields.iter().map(|(off, inner)| {
                    let mut deeper = way.clone();
                    deeper.1.push(*off);
                    (deeper, inner)
                }));
            }
            if *shape != Shape::ANY {
                found.push(way);
            }
        }
        found.sort_by_key(|(slot, offsets)| (offsets.len(), *slot));
        found
    }

    /// The type of the value at a place.
    pub(super) fn type_at(&self, types: &TypeTable, way: &Way) -> Option<Ty> {
        let Some(last) = way.1.last() else { return Some(self.slots.get(way.0)?.ty) };
        let holder = self.holder(types, way)?;
        fields::cells(types, holder).into_iter().find(|(off, _)| off == last).map(|(_, ty)| ty)
    }

    /// How many blocks of a type there are on the way to a place.
    pub(super) fn depth(&self, types: &TypeTable, way: &Way, of: Ty) -> usize {
        (0..way.1.len())
            .filter(|n| {
                let Some(before) = way.1.get(..*n + 1) else { return false };
                self.holder(types, &(way.0, before.to_vec())) == Some(of)
            })
            .count()
    }
}
