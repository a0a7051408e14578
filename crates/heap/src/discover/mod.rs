//! Discovery of predicates from similar objects of a state.
//!
//! Objects of one size and record that point to each other form a family. Each cell of the family is classified by
//! looking at all members at once (the per-element formula and shared arguments of bi-abductive tools, made
//! one definition): a cell that leads from member to member is a link; one that leads back to the member before is a
//! parameter that names it; one that holds the same address in all is a shared parameter; one that leads to a private
//! sub-heap is a nested predicate; numbers are arbitrary. Two or more links make trees. Links to inner
//! offsets make intrusive lists.
//!
//! A discovered definition is a guess: nothing depends on it being right, because only the matching engine puts it to
//! use, and it checks. Cost: one pass over the cells of each family per abstraction.

mod levels;
mod nested;
mod optional;
mod relations;
mod several;

pub use self::optional::propose_optional;
pub use self::relations::note_relations;

use self::levels::propose_levels;
use self::nested::{nested, nested_segment};
use self::several::{propose_kinds, propose_steps};
use crate::granularity::{Discovery, Granularity, Numbers, Trees};
use crate::object::{Content, Object, ObjectKind};
use crate::pred::{
    BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, Origin, PredId, PredTable, Ranges, Term,
    TermBase,
};
use crate::state::{State, Summary, Walk};
use crate::value::{Base, Sym, Val};
use heapwise_ir::{FuncId, RecordId, Type, TypeTable};
use heapwise_numeric::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// Most scalars of a record that are looked at.
const MAX_SCALARS: usize = 64;

/// Offsets and widths of the scalars of a record, and whether each is a pointer to the same record.
fn record_scalars(types: &TypeTable, record: RecordId) -> Vec<(u64, u64, bool)> {
    let Some(r) = types.records.get(record) else { return Vec::new() };
    let mut found = Vec::new();
    for f in r.fields.iter().filter(|f| f.bits.is_none()) {
        for (off, ty) in types.scalars(f.ty, MAX_SCALARS) {
            let own =
                types.pointee(ty).is_some_and(|to| matches!(types.get(to), Type::Record(q) if *q == record));
            found.push((f.offset + off, types.size(ty), own));
        }
    }
    found
}

/// Offsets of the pointers in a record that lead to other records.
fn pointers_to_records(types: &TypeTable, record: RecordId) -> BTreeMap<u64, RecordId> {
    let fields = types.records.get(record).into_iter().flat_map(|r| &r.fields);
    let scalars = fields
        .filter(|f| f.bits.is_none())
        .flat_map(|f| types.scalars(f.ty, MAX_SCALARS).into_iter().map(|(off, ty)| (f.offset + off, ty)));
    let to = |ty| match types.get(types.pointee(ty)?) {
        Type::Record(r) if *r != record => Some(*r),
        _ => None,
    };
    scalars.filter_map(|(off, ty)| Some((off, to(ty)?))).collect()
}

/// Objects that may be elements of one structure.
struct Family {
    size: u64,
    record: Option<RecordId>,
    members: Vec<Sym>,
}

impl Family {
    /// How predicates for it are called, up to a number.
    fn stem(&self, types: &TypeTable) -> String {
        let record = self.record.and_then(|r| types.records.get(r));
        record.and_then(|r| r.name.as_deref()).unwrap_or("block").to_owned()
    }
}

fn families(state: &State) -> Vec<Family> {
    let mut by_key: BTreeMap<(u64, Option<u32>), Vec<Sym>> = BTreeMap::new();
    for (s, o) in &state.objects {
        if let (ObjectKind::Heap, Some(size)) = (o.kind, o.const_size()) {
            by_key.entry((size, o.record.map(|r| r.0))).or_default().push(*s);
        }
    }
    by_key
        .into_iter()
        .map(|((size, record), members)| Family { size, record: record.map(RecordId), members })
        .collect()
}

/// The records that a record starts with, itself first.
fn prefixes(types: &TypeTable, record: RecordId) -> Vec<RecordId> {
    let mut found = vec![record];
    while let Some(fields) = found.last().and_then(|r| types.records.get(*r)).map(|r| &r.fields)
        && let Some(Type::Record(inner)) = fields.first().filter(|f| f.offset == 0).map(|f| types.get(f.ty))
        && !found.contains(inner)
    {
        found.push(*inner);
    }
    found
}

/// Families of elements that are different records but start with the same one, by which they hang together.
fn related(families: &[Family], types: &TypeTable) -> Vec<Family> {
    let mut groups: BTreeMap<RecordId, Vec<&Family>> = BTreeMap::new();
    for family in families {
        let prefix = family.record.and_then(|r| prefixes(types, r).pop());
        if let Some(prefix) = prefix {
            groups.entry(prefix).or_default().push(family);
        }
    }
    let joined = groups.into_iter().filter(|(_, all)| all.len() > 1).map(|(record, all)| {
        let mut members: Vec<Sym> = all.iter().flat_map(|f| &f.members).copied().collect();
        members.sort_unstable();
        Family { size: types.records.get(record).map_or(0, |r| r.size), record: Some(record), members }
    });
    joined.collect()
}

/// How the cell at one offset behaves over a family.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Class {
    /// Leads to the next element, at this inner offset.
    Link(i128),
    /// Holds the address of the element before, plus this.
    Back(i128),
    /// Leads to where the first link leads, at this other inner offset.
    Twin(i128),
    /// Holds the same address in all elements.
    Shared(Val),
    /// Leads to a private sub-heap.
    Nested(Nested),
    /// Holds the address of the element itself, plus this.
    Own(i128),
    /// Any value.
    Data,
}

/// A private sub-heap of an element, as a call of a predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Nested {
    pred: PredId,
    /// The cell holds the root plus this.
    shift: i128,
    args: Vec<Part>,
    end: Option<(Part, Vec<Part>)>,
}

/// An argument of a nested call, seen from the element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The same number in all.
    Number(i128),
    /// The address of the element plus this.
    Own(i128),
    /// What the cell at that offset holds, plus this.
    Cell(u64, i128),
    /// Something else.
    Any,
}

/// What a look at a state has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposals {
    /// The proposals, inner ones first.
    pub preds: Vec<PredId>,
    /// Whether there was a node that may stand for all missing children of a tree, whether or not such trees are looked for.
    pub common_leaf: bool,
}

/// Proposes predicates for the families of a state and interns them.
pub fn propose(
    state: &State,
    pinned: &BTreeSet<Sym>,
    preds: &mut PredTable,
    types: &TypeTable,
    how: &Granularity<'_>,
) -> Proposals {
    let mut found = Vec::new();
    let mut leaf_seen = false;
    let mut families = families(state);
    // Families that do not point to other families first: they are the inner ones.
    let foreign = |f: &Family| {
        f.members
            .iter()
            .filter_map(|s| state.objects.get(s))
            .flat_map(|o| o.cells().collect::<Vec<_>>())
            .filter(|(_, c)| {
                c.val.as_sym().is_some_and(|t| {
                    state.objects.get(&t).is_some_and(|o| o.kind == ObjectKind::Heap)
                        && !f.members.contains(&t)
                })
            })
            .count()
    };
    families.sort_by_key(foreign);
    for family in &families {
        leaf_seen |= common_leaf(state, family, types).is_some();
        propose_levels(state, family, preds, types);
        if let Some(levels) = preds.levels_of(family.size, family.record) {
            found.extend(levels);
            continue;
        }
        // A family whose members lead to instances of its own predicate has one already.
        let described = family.members.iter().filter_map(|s| state.objects.get(s)).find_map(|o| {
            o.cells().find_map(|(_, c)| {
                let led = state.summaries.iter().find(|s| {
                    s.root.as_sym().is_some_and(|r| c.val.as_sym() == Some(r))
                        && preds.get(s.pred).def.cases.iter().any(|case| {
                            let block = case.block.as_ref();
                            block.is_some_and(|b| b.size == family.size && b.record == family.record)
                        })
                });
                led.map(|s| if preds.tags_of(s.pred).is_some() { s.pred } else { preds.skeleton(s.pred) })
            })
        });
        match described.filter(|p| preds.get(*p).step.is_none()) {
            Some(skeleton) => {
                if let Some(tags) = preds.tags_of(skeleton).filter(|_| preds.get(skeleton).step.is_none())
                    && let Some(frame) = frame(state, family, preds, types, how.trees)
                {
                    let stem = family.stem(types);
                    let kinds = propose_kinds(state, family, &frame, Some(&tags), preds, &stem);
                    found.extend(kinds.unwrap_or_default());
                }
                note_branches(state, family, skeleton, preds);
                for base in emptied(state, family, skeleton, preds, how).into_iter().chain([skeleton]) {
                    found.extend(variants(state, family, base, preds, how));
                    found.push(base);
                }
            }
            None => found.extend(propose_for(state, family, preds, types, how)),
        }
        if let Some(inner) =
            complete_members(state, family, pinned, types).filter(|_| how.numbers.make_variants())
        {
            found.extend(propose_for(state, &inner, preds, types, how));
        }
    }
    for family in related(&families, types) {
        if let Some(frame) = frame(state, &family, preds, types, how.trees) {
            let kinds = propose_kinds(state, &family, &frame, None, preds, &family.stem(types));
            found.extend(kinds.unwrap_or_default());
        }
    }
    Proposals { preds: found, common_leaf: leaf_seen }
}

/// Looks for skip lists alone. One that is recognised late is taken for a list of its lowest level until then, so that
/// all states that are about to be joined should be looked at before the first two are.
pub fn foresee_levels(state: &State, preds: &mut PredTable, types: &TypeTable, discovery: Discovery) {
    if discovery == Discovery::Closed {
        return;
    }
    for family in families(state).iter().filter(|f| f.members.len() > 2) {
        propose_levels(state, family, preds, types);
    }
}

/// The members of a family that nothing pins, if they have more initialised cells in common than all members have, or lead
/// somewhere where others are null: one that is being filled is not like those that are complete, nor is a sentinel without data.
fn complete_members(
    state: &State,
    family: &Family,
    pinned: &BTreeSet<Sym>,
    types: &TypeTable,
) -> Option<Family> {
    let objects = |members: &[Sym]| -> Vec<(Sym, &Object)> {
        members.iter().filter_map(|s| state.objects.get(s).map(|o| (*s, &**o))).collect()
    };
    let scalars = record_scalars(types, family.record?);
    let members: Vec<Sym> = family.members.iter().filter(|s| !pinned.contains(s)).copied().collect();
    if members.len() < 2 || members.len() == family.members.len() {
        return None;
    }
    let more = common_slots(&objects(&members), &scalars).len()
        > common_slots(&objects(&family.members), &scalars).len();
    let null = |s: &Sym, off: u64, width: u64| {
        state.objects.get(s).and_then(|o| read(o, off, width)).is_some_and(|v| v == Val::ZERO)
    };
    let fuller = || {
        let mut cells = scalars.iter().filter(|(.., own)| !own);
        cells.any(|(off, width, _)| {
            let none = |all: &[Sym]| !all.iter().any(|s| null(s, *off, *width));
            *width == types.pointer_size && none(&members) && !none(&family.members)
        })
    };
    (more || fuller()).then_some(Family { size: family.size, record: family.record, members })
}

/// The predicate that the members of a family suggest, with its variants; those that say most come first.
fn propose_for(
    state: &State,
    family: &Family,
    preds: &mut PredTable,
    types: &TypeTable,
    how: &Granularity<'_>,
) -> Vec<PredId> {
    let mut found = Vec::new();
    let Some(frame) = frame(state, family, preds, types, how.trees) else { return found };
    let stem = family.stem(types);
    if how.numbers == Numbers::Orders {
        let ordered = propose_steps(state, family, &frame, preds, &stem);
        if !ordered.is_empty() {
            return ordered;
        }
    }
    if let Some(kinds) = propose_kinds(state, family, &frame, None, preds, &stem) {
        return kinds;
    }
    let common = define(state, family, &frame, &frame.members, preds);
    let Some(Common { def, not_null, null_links, functions, .. }) = common else {
        return found;
    };
    let def = if how.numbers == Numbers::Lengths { def.with_length() } else { def };
    let known = preds.known_like(&def);
    let skeleton = known.unwrap_or_else(|| preds.intern(def, |n| format!("{stem}_{n}")));
    note_branches(state, family, skeleton, preds);
    let bases: Vec<PredId> =
        preds.with_null_links(skeleton, &null_links, how.trees).into_iter().chain([skeleton]).collect();
    let calling: Vec<PredId> = bases.iter().map(|b| preds.with_functions(*b, &functions)).collect();
    for base in calling.into_iter().filter(|c| !bases.contains(c)).chain(bases.clone()) {
        let strong = preds.with_not_null(base, &not_null);
        if strong != base {
            found.extend(variants(state, family, strong, preds, how));
            found.push(strong);
        }
        found.extend(variants(state, family, base, preds, how));
        found.push(base);
    }
    found
}

/// Notes whether a member uses more than one link of its predicate, other than to lead back to where it is led to from.
fn note_branches(state: &State, family: &Family, skeleton: PredId, preds: &mut PredTable) {
    let links: BTreeSet<u64> = preds.get(skeleton).links.iter().map(|l| l.off).collect();
    let object = |s: Sym| state.objects.get(&s);
    let ways = |s: Sym| {
        let cells = object(s).into_iter().flat_map(|o| o.cells().filter(|(off, _)| links.contains(off)));
        let back = |t: Sym| object(t).is_some_and(|o| o.cells().any(|(_, c)| c.val.as_sym() == Some(s)));
        // A summary leads back if its first element holds the address where there is a link.
        let holds = |u: &Summary| {
            let cells = preds.get(u.pred).def.cases.iter().flat_map(|c| &c.cells);
            cells.into_iter().filter(|c| links.contains(&c.off)).any(|c| match c.val.base {
                TermBase::Param(i) if i > 0 => {
                    u.args.get(usize::from(i) - 1).and_then(|v| v.as_sym()) == Some(s)
                }
                _ => false,
            })
        };
        let led = |t: &Sym| {
            let summary = |u: &Summary| u.root.as_sym() == Some(*t) && !holds(u);
            (object(*t).is_some() || state.summaries.iter().any(summary)) && !back(*t)
        };
        cells.filter_map(|(_, c)| c.val.as_sym()).filter(led).collect::<BTreeSet<Sym>>().len()
    };
    if links.len() > 1 && family.members.iter().any(|s| ways(*s) > 1) {
        preds.set_branches(skeleton);
    }
}

/// Chains of objects of one family, none of them pinned, that hang together by the cells at one offset. Where no
/// predicate describes the family as a whole, or the one that does describes other members than these, such a chain is
/// looked at by itself: a structure that is being changed element by element is of two kinds.
fn chains(state: &State, pinned: &BTreeSet<Sym>, types: &TypeTable) -> Vec<Family> {
    let mut found: Vec<Family> = Vec::new();
    for family in families(state) {
        let free: Vec<Sym> = family.members.iter().filter(|s| !pinned.contains(s)).copied().collect();
        let mut edges: BTreeMap<u64, Vec<(Sym, Sym)>> = BTreeMap::new();
        for (s, o) in free.iter().filter_map(|s| state.objects.get(s).map(|o| (*s, o))) {
            for (off, cell) in o.cells().filter(|(_, c)| c.width == types.pointer_size) {
                if let Some(t) = cell.val.as_sym().filter(|t| *t != s && free.binary_search(t).is_ok()) {
                    edges.entry(off).or_default().push((s, t));
                }
            }
        }
        for edges in edges.values() {
            let mut groups: Vec<BTreeSet<Sym>> = Vec::new();
            for (s, t) in edges {
                let (touching, mut apart): (Vec<_>, Vec<_>) =
                    groups.into_iter().partition(|g| g.contains(s) || g.contains(t));
                let mut group: BTreeSet<Sym> = touching.into_iter().flatten().collect();
                group.extend([*s, *t]);
                apart.push(group);
                groups = apart;
            }
            for group in groups {
                let members: Vec<Sym> = group.into_iter().collect();
                if found.iter().all(|f| f.members != members) {
                    found.push(Family { size: family.size, record: family.record, members });
                }
            }
        }
    }
    found
}

/// Proposes predicates for chains of objects that nothing pins, if there are any.
pub fn propose_for_chains(
    state: &State,
    pinned: &BTreeSet<Sym>,
    preds: &PredTable,
    types: &TypeTable,
    how: &Granularity<'_>,
) -> Option<(Vec<PredId>, PredTable)> {
    let mut chains = chains(state, pinned, types);
    // Of what the user described there is no need to think of another description.
    let declared = |o: &Object| preds.iter().any(|(_, p)| p.origin == Origin::Declared && p.fits(o));
    chains.retain(|c| !c.members.iter().any(|s| state.objects.get(s).is_some_and(|o| declared(o))));
    if chains.is_empty() {
        return None;
    }
    let mut more = preds.clone();
    let found = chains.iter().flat_map(|c| propose_for(state, c, &mut more, types, how)).collect();
    Some((found, more))
}

/// Most numbers that a variant of a structure fixes.
const MAX_NUMBERS: usize = 6;

/// Variants of a structure for neighbours that hold the same numbers.
fn variants(
    state: &State,
    family: &Family,
    skeleton: PredId,
    preds: &mut PredTable,
    how: &Granularity<'_>,
) -> Vec<PredId> {
    let mut found: Vec<PredId> = Vec::new();
    let pred = preds.get(skeleton);
    let mut blocks = pred.def.cases.iter().filter(|c| c.block.is_some());
    let (Some(case), None) = (blocks.next().cloned(), blocks.next()) else { return found };
    let links: Vec<u64> = pred.links.iter().map(|l| l.off).collect();
    let free: Vec<(u64, u64)> =
        case.cells.iter().filter(|c| case.is_free(&c.val)).map(|c| (c.off, c.width)).collect();
    for (s, o) in family.members.iter().filter_map(|s| state.objects.get(s).map(|o| (*s, o))) {
        let next = o.cells().filter(|(off, _)| links.contains(off)).filter_map(|(_, c)| c.val.as_sym());
        for t in next.filter(|t| *t != s && family.members.contains(t)) {
            let Some(p) = state.objects.get(&t) else { continue };
            let numbers: Ranges = free
                .iter()
                .filter_map(|(off, width)| {
                    let (a, b) = (read(o, *off, *width)?, read(p, *off, *width)?);
                    Some((*off, common_number(state, a, b, *width, how.thresholds)?))
                })
                .take(MAX_NUMBERS)
                .collect();
            if !numbers.is_empty()
                && let Some(v) = preds.with_numbers(skeleton, &numbers, how.numbers)
                && !found.contains(&v)
            {
                found.push(v);
            }
        }
    }
    found
}

/// Variants of a structure for neighbours that have no sub-heaps where other elements have some, as after a pass that frees them.
fn emptied(
    state: &State,
    family: &Family,
    skeleton: PredId,
    preds: &mut PredTable,
    how: &Granularity<'_>,
) -> Vec<PredId> {
    let mut found: Vec<PredId> = Vec::new();
    let pred = preds.get(skeleton);
    let mut blocks = pred.def.cases.iter().filter(|c| c.block.is_some());
    let (Some(case), None) = (blocks.next(), blocks.next()) else { return found };
    let cells: Vec<(u64, u64)> = case.sub_heaps().filter(|_| how.numbers.make_variants()).collect();
    let links: Vec<u64> = pred.links.iter().map(|l| l.off).collect();
    let object = |s: &Sym| state.objects.get(s).filter(|_| family.members.contains(s));
    for o in family.members.iter().filter_map(object).filter(|_| !cells.is_empty()) {
        let next = o.cells().filter(|(off, _)| links.contains(off)).filter_map(|(_, c)| c.val.as_sym());
        for p in next.filter_map(|t| object(&t)) {
            let none = |o: &Object, (off, width): (u64, u64)| read(o, off, width) == Some(Val::ZERO);
            let empty: Vec<u64> =
                cells.iter().filter(|c| none(o, **c) && none(p, **c)).map(|(off, _)| *off).collect();
            if !empty.is_empty()
                && let Some(v) = preds.with_empty(skeleton, &empty)
                && !found.contains(&v)
            {
                found.push(v);
            }
        }
    }
    found
}

/// What two neighbours have in common that hold these numbers in cells of that width: the number itself, or bounds that the
/// program compares with.
fn common_number(state: &State, a: Val, b: Val, width: u64, thresholds: &[i128]) -> Option<Interval> {
    if let (Some(m), Some(n)) = (a.as_int(), b.as_int()) {
        return (m == n).then(|| Interval::point(m));
    }
    let is_number = |v: Val| match v.base {
        Base::Zero => true,
        Base::Sym(s) => {
            !state.objects.contains_key(&s) && !state.summaries.iter().any(|t| t.root.as_sym() == Some(s))
        }
        Base::Func(_) | Base::Undef => false,
    };
    let all = state.pure.range(a).join(state.pure.range(b));
    let (least, most) = (all.lo?, all.hi?);
    let bits = u32::try_from(width.checked_mul(8)?).ok().filter(|b| *b < 127)?;
    // The numbers of such a cell if they have a sign, and if they have none: no number is outside of both.
    let signed = Interval { lo: Some(-(1i128 << (bits - 1))), hi: Some((1i128 << (bits - 1)) - 1) };
    let unsigned = Interval { lo: Some(0), hi: Some((1i128 << bits) - 1) };
    let limits = if all.is_subset(signed) { signed } else { unsigned };
    if !is_number(a) || !is_number(b) || !all.is_subset(limits) || unsigned.is_subset(all) {
        return None;
    }
    let bounds = || thresholds.iter().copied().filter(|t| limits.contains(*t));
    let told = Interval {
        lo: bounds().rev().find(|t| *t <= least).or(limits.lo),
        hi: bounds().find(|t| *t >= most).or(limits.hi),
    };
    (told != limits).then_some(told)
}

fn read(object: &Object, off: u64, width: u64) -> Option<Val> {
    match object.read(off, width) {
        Content::Val(v) => Some(v),
        _ => None,
    }
}

/// The function whose address an object holds at an offset.
fn function_at(object: &Object, off: u64, pointer: u64) -> Option<FuncId> {
    match read(object, off, pointer)? {
        Val { base: Base::Func(f), off: 0 } => Some(f),
        _ => None,
    }
}

/// What the members of a family have in common.
struct Common {
    def: Definition,
    /// Cells for sub-heaps that are there in every member.
    not_null: Vec<u64>,
    /// Links that are null in every member.
    null_links: Vec<u64>,
    /// Cells that hold the address of the same function in every member.
    functions: Vec<(u64, FuncId)>,
    /// How the cells behave that are no plain numbers.
    class: BTreeMap<u64, Class>,
}

/// The members of a family that are elements, and the cells by which they hang together.
struct Frame<'a> {
    members: Vec<(Sym, &'a Object)>,
    links: BTreeMap<u64, Class>,
    /// Where links lead to, from the start of an element.
    inner: i128,
    /// Where they lead to if there is no next element, if that is not null.
    leaf: Option<Sym>,
    /// Offsets and widths of the scalars of the record, and whether each is a pointer to it.
    scalars: Vec<(u64, u64, bool)>,
    /// Offsets of the pointers to other records, and which these are.
    others: BTreeMap<u64, RecordId>,
    pointer: u64,
}

/// The cells that every member has, at least as initialised bytes.
fn common_slots(members: &[(Sym, &Object)], scalars: &[(u64, u64, bool)]) -> BTreeMap<u64, u64> {
    let mut slots: BTreeMap<u64, u64> = BTreeMap::new();
    for (_, o) in members {
        for (off, c) in o.cells() {
            slots.entry(off).or_insert(c.width);
        }
    }
    if scalars.len() <= MAX_SCALARS {
        for (off, width, _) in scalars {
            let overlaps = slots.iter().any(|(o, w)| *o < off + width && off < &(o + w));
            if !overlaps {
                slots.insert(*off, *width);
            }
        }
    }
    slots.retain(|off, width| members.iter().all(|(_, o)| o.read(*off, *width) != Content::Uninit));
    slots
}

/// Offsets by which elements like these are known to lead on, where it matters in which direction a structure is read.
fn known_links(family: &Family, preds: &PredTable) -> BTreeSet<u64> {
    let alike = |b: &BlockSpec| b.size == family.size && b.record == family.record;
    let ordered = preds.iter().map(|(_, p)| p).filter(|p| p.step.is_some());
    ordered
        .filter(|p| p.def.cases.iter().any(|c| c.block.as_ref().is_some_and(alike)))
        .flat_map(|p| p.links.iter().map(|l| l.off))
        .collect()
}

fn frame<'a>(
    state: &'a State,
    family: &Family,
    preds: &PredTable,
    types: &TypeTable,
    trees: Trees,
) -> Option<Frame<'a>> {
    let mut members: Vec<(Sym, &Object)> =
        family.members.iter().filter_map(|s| state.objects.get(s).map(|o| (*s, &**o))).collect();
    let pointer = types.pointer_size;
    let leaf = if trees == Trees::CommonLeaf { common_leaf(state, family, types) } else { None };
    members.retain(|(s, _)| Some(*s) != leaf);
    let scalars = family.record.map(|r| record_scalars(types, r)).unwrap_or_default();
    // One that is being filled, link by link, is not like those that are complete: it would make elements with some of the links.
    let is_complete = |o: &Object| {
        let mut links = scalars.iter().filter(|(.., own)| *own);
        links.all(|(off, width, _)| o.read(*off, *width) != Content::Uninit)
    };
    if members.iter().filter(|(_, o)| is_complete(o)).count() > 1 {
        members.retain(|(_, o)| is_complete(o));
    }
    // Edges between members, by offset.
    let is_member = |s: Sym| members.binary_search_by_key(&s, |(m, _)| *m).is_ok();
    let mut edges: BTreeMap<u64, Vec<(Sym, Sym, i128)>> = BTreeMap::new();
    for (s, o) in &members {
        for (off, cell) in o.cells().filter(|(_, c)| c.width == pointer) {
            if let Some(t) = cell.val.as_sym().filter(|t| is_member(*t) && t != s) {
                edges.entry(off).or_default().push((*s, t, cell.val.off));
            }
        }
    }
    // An object whose links are not set yet is not an element yet.
    members.retain(|(_, o)| edges.keys().all(|off| o.read(*off, pointer) != Content::Uninit));
    let is_left = |x: &Sym| members.iter().any(|(m, _)| m == x);
    edges.values_mut().for_each(|e| e.retain(|(s, t, _)| is_left(s) && is_left(t)));
    edges.retain(|_, e| !e.is_empty());
    let slots = common_slots(&members, &scalars);
    edges.retain(|off, _| slots.get(off) == Some(&pointer));
    // A link needs one inner offset; and links that lead to a summary of the same structure count as well.
    edges.retain(|_, e| e.iter().all(|(_, _, inner)| *inner == e[0].2));
    if edges.is_empty() {
        return None;
    }
    let known = known_links(family, preds);
    let links = classify_links(state, &members, &edges, &known, pointer)?;
    let links: BTreeMap<u64, Class> = links.into_iter().collect();
    let inner = links.values().find_map(|c| if let Class::Link(i) = c { Some(*i) } else { None })?;
    if links.values().any(|c| matches!(c, Class::Link(i) if *i != inner)) {
        return None;
    }
    let others = family.record.map(|r| pointers_to_records(types, r)).unwrap_or_default();
    let leaf = leaf.filter(|_| inner == 0);
    Some(Frame { members, links, inner, leaf, scalars, others, pointer })
}

/// The node that stands for all missing children in a tree that has such a one instead of null: a member that is not it has
/// at least two pointers to it where elements are expected, and there are others.
fn common_leaf(state: &State, family: &Family, types: &TypeTable) -> Option<Sym> {
    let scalars = record_scalars(types, family.record?);
    let own: Vec<(u64, u64)> = scalars.iter().filter(|(.., own)| *own).map(|(o, w, _)| (*o, *w)).collect();
    let object = |s: &Sym| state.objects.get(s);
    let targets = |s: &Sym| -> Vec<Sym> {
        let cells = own.iter().filter_map(|(off, width)| read(object(s)?, *off, *width));
        cells.filter(|v| v.off == 0).filter_map(|v| v.as_sym()).filter(|t| t != s).collect()
    };
    let mut found = family.members.iter().filter_map(|s| {
        let mut all = targets(s);
        all.sort_unstable();
        all.windows(2).find_map(|two| (two[0] == two[1]).then_some(two[0]))
    });
    let leaf = found.next()?;
    let others = family.members.iter().filter(|s| **s != leaf).count();
    (others > 1 && found.all(|other| other == leaf)).then_some(leaf)
}

/// A definition for some of the members of a family.
fn define(
    state: &State,
    family: &Family,
    frame: &Frame<'_>,
    members: &[(Sym, &Object)],
    preds: &mut PredTable,
) -> Option<Common> {
    let Frame { inner, pointer, .. } = *frame;
    let slots = common_slots(members, &frame.scalars);
    let mut class = frame.links.clone();
    let mut null_links = Vec::new();
    let own: BTreeSet<u64> = frame.scalars.iter().filter(|(.., own)| *own).map(|(off, ..)| *off).collect();
    for (off, width) in &slots {
        if class.contains_key(off) {
            continue;
        }
        let read_all = |all: &[(Sym, &Object)]| -> Option<Vec<Val>> {
            all.iter().map(|(_, o)| read(o, *off, *width)).collect()
        };
        let Some(values) = read_all(members) else {
            class.insert(*off, Class::Data);
            continue;
        };
        let all_null = values.iter().all(|v| *v == Val::ZERO);
        // What all have in common is not what some have in common.
        let shared = read_all(&frame.members).and_then(|all| {
            let first = all.first().copied()?;
            (all.len() > 1 && first.as_sym().is_some() && all.iter().all(|v| *v == first)).then_some(first)
        });
        let is_leaf = |v: &Val| frame.leaf.is_some_and(|leaf| *v == Val::sym(leaf));
        let c = if *width != pointer {
            Class::Data
        } else if own.contains(off) && values.iter().all(is_leaf) {
            Class::Link(inner)
        } else if all_null && own.contains(off) {
            null_links.push(*off);
            Class::Link(inner)
        } else if all_null {
            // Where there is nothing yet there may be a structure of the kind that such pointers lead to elsewhere.
            let to = frame.others.get(off).and_then(|r| preds.structure_of(*r));
            let empty = |pred| Class::Nested(Nested { pred, shift: 0, args: Vec::new(), end: None });
            to.map_or(Class::Data, empty)
        } else if let Some(first) = shared {
            Class::Shared(first)
        } else {
            let own = |(m, v): (&(Sym, &Object), &Val)| (v.as_sym() == Some(m.0)).then_some(v.off);
            let owns: Vec<Option<i128>> = members.iter().zip(&values).map(own).collect();
            if let Some(c) = owns[0].filter(|_| owns.iter().all(|o| *o == owns[0])) {
                Class::Own(c)
            } else {
                nested_segment(state, members, &values, &slots, preds)
                    .or_else(|| nested(state, members, &values, &slots, preds))
                    .map_or(Class::Data, Class::Nested)
            }
        };
        class.insert(*off, c);
    }
    let not_null = |off: &u64| {
        members.iter().all(|(_, o)| {
            read(o, *off, pointer).is_some_and(|v| state.compare(v, Val::ZERO, Some(preds)) == Some(false))
        })
    };
    let whole = |c: &Class| matches!(c, Class::Nested(n) if n.end.is_none() && n.shift == 0);
    let nested = class.iter().filter(|(_, c)| whole(c)).map(|(off, _)| *off);
    let not_null = nested.filter(not_null).collect();
    let function = |off: &u64| -> Option<FuncId> {
        let all: Option<BTreeSet<FuncId>> =
            members.iter().map(|(_, o)| function_at(o, *off, pointer)).collect();
        let all = all?;
        all.first().copied().filter(|_| all.len() == 1)
    };
    let functions = slots.keys().filter_map(|off| Some((*off, function(off)?))).collect();
    let (size, record) = members
        .first()
        .map_or((family.size, family.record), |(_, o)| (o.const_size().unwrap_or(family.size), o.record));
    let def = build(BlockSpec::of_size(size, record), &slots, &class, inner, frame.leaf.is_some());
    class.retain(|_, c| *c != Class::Data);
    Some(Common { def, not_null, null_links, functions, class })
}

/// Which of the offsets that lead from member to member lead forward, and which back.
fn classify_links(
    state: &State,
    members: &[(Sym, &Object)],
    edges: &BTreeMap<u64, Vec<(Sym, Sym, i128)>>,
    known: &BTreeSet<u64>,
    pointer: u64,
) -> Option<Vec<(u64, Class)>> {
    let object = |s: Sym| members.iter().find(|(t, _)| *t == s).map(|(_, o)| *o);
    // `g` is a back link of `f` if every element that `f` leads to points back by `g`.
    let back_of = |f: u64, g: u64| -> Option<i128> {
        let mut offset = None;
        for (a, b, _) in edges.get(&f)? {
            let Some(target) = object(*b) else { continue };
            let v = read(target, g, pointer)?;
            if v.base != Base::Sym(*a) || offset.is_some_and(|o| o != v.off) {
                return None;
            }
            offset = Some(v.off);
        }
        offset
    };
    let roots = state.roots.values().filter_map(|v| v.as_sym());
    let dist = state.reach(roots, Walk::Pointers).distance;
    let forwardness = |f: u64| -> i64 {
        edges.get(&f).map_or(0, |e| {
            e.iter()
                .map(|(a, b, _)| match (dist.get(a), dist.get(b)) {
                    (Some(x), Some(y)) => (i64::from(*y) - i64::from(*x)).signum(),
                    _ => 0,
                })
                .sum()
        })
    };
    let mut order: Vec<u64> = edges.keys().copied().collect();
    order.sort_by_key(|f| (!known.contains(f), -forwardness(*f), *f));
    let mut classes: BTreeMap<u64, Class> = BTreeMap::new();
    for f in order.iter().copied() {
        if classes.contains_key(&f) {
            continue;
        }
        let inner = edges.get(&f)?.first()?.2;
        classes.insert(f, Class::Link(inner));
        for g in edges.keys().filter(|g| **g != f) {
            if let Some(c) = back_of(f, *g)
                && !matches!(classes.get(g), Some(Class::Link(_)))
            {
                classes.insert(*g, Class::Back(c));
            }
        }
    }
    // A link that leads from where to where another one does, but to another place in the element, is one of a second chain
    // through the same elements.
    let ways = |f: &u64| -> BTreeSet<(Sym, Sym)> {
        edges.get(f).into_iter().flatten().map(|(a, b, _)| (*a, *b)).collect()
    };
    let mut all = order.iter().filter(|f| matches!(classes.get(f), Some(Class::Link(_)))).copied();
    let first = all.next();
    let twins: Vec<u64> = all.filter(|f| first.is_some_and(|first| ways(&first) == ways(f))).collect();
    let inner = first.and_then(|f| classes.get(&f).cloned());
    for f in twins {
        if let Some(Class::Link(i)) = classes.get(&f).filter(|c| Some(*c) != inner.as_ref()) {
            let twin = Class::Twin(*i);
            classes.insert(f, twin);
        }
    }
    // A back link must be one for every link, else it is not a parameter.
    let links: Vec<u64> =
        classes.iter().filter(|(_, c)| matches!(c, Class::Link(_))).map(|(f, _)| *f).collect();
    let backs: Vec<u64> =
        classes.iter().filter(|(_, c)| matches!(c, Class::Back(_))).map(|(f, _)| *f).collect();
    for g in backs {
        if links.iter().any(|f| back_of(*f, g).is_none()) {
            classes.insert(g, Class::Data);
        }
    }
    Some(classes.into_iter().collect())
}

fn build(
    block: BlockSpec,
    slots: &BTreeMap<u64, u64>,
    class: &BTreeMap<u64, Class>,
    inner: i128,
    common_leaf: bool,
) -> Definition {
    let mut params = 1u16;
    let mut param_of: BTreeMap<u64, u16> = BTreeMap::new();
    let mut shared: Vec<(Val, u16)> = Vec::new();
    for (off, c) in class {
        match c {
            Class::Back(_) | Class::Twin(_) => {
                param_of.insert(*off, params);
                params = params.saturating_add(1);
            }
            Class::Shared(v) => {
                let known = shared.iter().find(|(w, _)| w == v).map(|(_, p)| *p);
                let p = known.unwrap_or(params);
                if known.is_none() {
                    shared.push((*v, p));
                    params = params.saturating_add(1);
                }
                param_of.insert(*off, p);
            }
            _ => {}
        }
    }
    let leaf = common_leaf.then_some(params);
    params = params.saturating_add(u16::from(common_leaf));
    let mut case = Case { block: Some(block), ..Case::default() };
    // What a recursive call passes for each parameter but the root.
    let mut passed: Vec<Term> = (1..params).map(Term::param).collect();
    for (off, c) in class {
        if let (Class::Back(back), Some(p)) = (c, param_of.get(off))
            && let Some(slot) = passed.get_mut(usize::from(*p) - 1)
        {
            *slot = Term::ROOT.plus(*back);
        }
    }
    let end = leaf.map_or(Term::int(-inner), Term::param);
    let mut null = Case { facts: vec![Fact::Eq(Term::ROOT, end)], ..Case::default() };
    case.facts.extend(leaf.map(|_| Fact::Ne(Term::ROOT, end)));
    // What a second chain leads to is the next element for it, and this element is what it has led to.
    let mut twins: BTreeMap<u64, Term> = BTreeMap::new();
    for (off, c) in class {
        if let (Class::Twin(at), Some(p)) = (c, param_of.get(off))
            && let Some(slot) = passed.get_mut(usize::from(*p) - 1)
        {
            *slot = Term::exist(case.exists);
            case.exists = case.exists.saturating_add(1);
            twins.insert(*off, *slot);
            case.facts.push(Fact::Eq(Term::param(*p), Term::ROOT.plus(*at)));
            null.facts.push(Fact::Eq(Term::param(*p), Term::int(0)));
        }
    }
    let mut nested_calls: Vec<(Term, &Nested)> = Vec::new();
    for (off, width) in slots {
        let fresh = |case: &mut Case| {
            let t = Term::exist(case.exists);
            case.exists = case.exists.saturating_add(1);
            t
        };
        let val = match class.get(off) {
            Some(Class::Link(i)) => {
                let next = fresh(&mut case);
                let mut args = vec![next];
                args.extend(passed.iter().copied());
                case.calls.push(CallSpec::whole(Callee::This, args));
                next.plus(*i)
            }
            Some(Class::Back(_) | Class::Shared(_)) => {
                param_of.get(off).map_or(Term::int(0), |p| Term::param(*p))
            }
            Some(Class::Twin(_)) => twins.get(off).copied().unwrap_or(Term::int(0)),
            Some(Class::Nested(n)) => {
                let sub = fresh(&mut case);
                nested_calls.push((sub, n));
                sub.plus(n.shift)
            }
            Some(Class::Own(c)) => Term::ROOT.plus(*c),
            Some(Class::Data) | None => fresh(&mut case),
        };
        case.cells.push(CellSpec { off: *off, width: *width, val });
    }
    // Arguments may be what any cell holds: all cells have their terms by now.
    for (root, n) in nested_calls {
        let term = |part: &Part, case: &mut Case| match part {
            Part::Number(k) => Term::int(*k),
            Part::Own(c) => Term::ROOT.plus(*c),
            Part::Cell(off, d) => {
                let cell = case.cells.iter().find(|c| c.off == *off);
                cell.map_or(Term::int(0), |c| c.val.plus(*d))
            }
            Part::Any => {
                let t = Term::exist(case.exists);
                case.exists = case.exists.saturating_add(1);
                t
            }
        };
        let mut args = vec![root];
        args.extend(n.args.iter().map(|p| term(p, &mut case)));
        let end = n.end.as_ref().map(|(r, rest)| {
            let mut all = vec![term(r, &mut case)];
            all.extend(rest.iter().map(|p| term(p, &mut case)));
            all
        });
        case.calls.push(CallSpec { callee: Callee::Other(n.pred), args, end });
    }
    Definition { params, cases: vec![null, case] }
}
