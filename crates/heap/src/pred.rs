//! Inductive predicates as data (survey §4.4.2; Li, Berenger, Chang, Rival 2017, §3.1).
//!
//! A predicate `P(root, args)` is a list of cases. A case without a block describes the empty heap under its
//! facts; a case with a block describes one object at the root, with its cells, and calls of predicates on its
//! existentials. The segment `P(root, args) ⇒ (end, args')` is derived: either empty, with both ends equal, or a
//! block case in which one recursive call is replaced by the hole. Nothing about segments is ever written down.
//!
//! Definitions are interned up to their names: the same structure found twice is the same [`PredId`].

use crate::kinds::Kinds;
use crate::leeway::Leeway;
use crate::object::Object;
use crate::silhouette::Path;
use heapwise_ir::{FuncId, IndexVec, RecordId, define_index};
use heapwise_numeric::Interval;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::OnceLock;

define_index!(
    /// An interned predicate.
    PredId,
    "pred"
);

/// What a term of a definition counts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TermBase {
    /// Zero.
    Zero,
    /// The address of a function.
    Func(FuncId),
    /// A parameter; 0 is the root.
    Param(u8),
    /// An existential of the case.
    Exist(u8),
}

/// A value in a definition: base plus offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term {
    /// What it counts from.
    pub base: TermBase,
    /// How far.
    pub off: i128,
}

impl Term {
    /// The root.
    pub const ROOT: Term = Term { base: TermBase::Param(0), off: 0 };
    /// A parameter.
    pub fn param(i: u8) -> Term {
        Term { base: TermBase::Param(i), off: 0 }
    }
    /// An existential.
    pub fn exist(i: u8) -> Term {
        Term { base: TermBase::Exist(i), off: 0 }
    }
    /// A number.
    pub fn int(value: i128) -> Term {
        Term { base: TermBase::Zero, off: value }
    }
    /// The term `by` further.
    pub fn plus(self, by: i128) -> Term {
        Term { base: self.base, off: self.off.saturating_add(by) }
    }
}

/// A pure fact of a case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The two are equal.
    Eq(Term, Term),
    /// The two differ.
    Ne(Term, Term),
    /// The term lies in the interval.
    In(Term, Interval),
    /// The first is at most the second.
    Le(Term, Term),
}

impl Fact {
    /// The terms it speaks about.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        let (a, b) = match *self {
            Fact::Eq(a, b) | Fact::Ne(a, b) | Fact::Le(a, b) => (a, Some(b)),
            Fact::In(a, _) => (a, None),
        };
        std::iter::once(a).chain(b)
    }
}

/// A cell of a case's block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CellSpec {
    /// Byte offset from the root.
    pub off: u64,
    /// Width in bytes.
    pub width: u64,
    /// What it holds.
    pub val: Term,
}

/// The block of a case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockSpec {
    /// Its size in bytes.
    pub size: u64,
    /// The record it is used as.
    pub record: Option<RecordId>,
}

/// Which predicate a call names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// The one being defined.
    This,
    /// Another one.
    Other(PredId),
}

/// A call in a case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallSpec {
    /// Of which predicate.
    pub callee: Callee,
    /// Root and arguments.
    pub args: Vec<Term>,
    /// For a call of a segment of another predicate, root and arguments where it ends: how a list that goes round
    /// through a head inside of an element is written.
    pub end: Option<Vec<Term>>,
}

impl CallSpec {
    /// A call of a whole structure.
    pub fn whole(callee: Callee, args: Vec<Term>) -> CallSpec {
        CallSpec { callee, args, end: None }
    }
    /// All terms.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.args.iter().chain(self.end.iter().flatten())
    }
    /// All terms, to be changed.
    pub fn terms_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        self.args.iter_mut().chain(self.end.iter_mut().flatten())
    }
}

/// One case of a definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Case {
    /// Number of existentials.
    pub exists: u8,
    /// The object at the root; without it the case describes no memory of its own.
    pub block: Option<BlockSpec>,
    /// Its cells, by offset.
    pub cells: Vec<CellSpec>,
    /// Calls, separated from the block and from each other.
    pub calls: Vec<CallSpec>,
    /// Pure facts.
    pub facts: Vec<Fact>,
}

/// The structure of a definition, without names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Definition {
    /// Number of parameters, root included.
    pub params: u8,
    /// The cases.
    pub cases: Vec<Case>,
}

/// Where a definition comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Written by the user.
    Declared,
    /// Read off a recursive type.
    Derived,
    /// Found in the states.
    Discovered,
}

/// A definition with what is derived from it.
#[derive(Clone, Debug)]
pub struct Pred {
    /// Where it comes from.
    pub origin: Origin,
    /// Its name.
    pub name: String,
    /// Its structure.
    pub def: Definition,
    /// For each parameter, `Some(c)` if every recursive call passes `root + c` for it: then at the far end of a
    /// non-empty segment the argument minus `c` is the address of the last element.
    pub back: Vec<Option<i128>>,
    /// For each parameter, `Some(c)` if it is `root + c` wherever there is an element: the address by which another chain of
    /// links leads to the same element.
    pub twin: Vec<Option<i128>>,
    /// For each parameter, whether every recursive call passes it on unchanged.
    pub shared: Vec<bool>,
    /// Recursive links: offsets of the cells whose value is the root of a recursive call, and what must be
    /// subtracted from the cell's value to get the root.
    pub links: Vec<Link>,
    /// Predicates with the same parameters that every instance of this one satisfies too, because they say
    /// nothing of some numbers that this one fixes. The ones that say most come first, the last is the skeleton.
    pub weaker: Vec<PredId>,
    /// For each parameter, which other values of it a whole instance has as well.
    pub(crate) leeway: Vec<Leeway>,
    /// For each parameter, where it lies in any whole instance.
    pub(crate) ranges: Vec<Interval>,
    /// For each parameter, whether elements only pass it on: then a segment is one for any value of it.
    pub phantom: Vec<bool>,
    /// For each parameter, whether no case speaks of it: then a structure with an element is one for any value of it.
    pub ghost: Vec<bool>,
    /// For each parameter, whether every element holds it in a cell: then it can be reached from any element.
    pub holds: Vec<bool>,
    /// For each parameter, whether what an element passes on for it can be reached from that element.
    pub passes: Vec<bool>,
    /// For each parameter, whether it can be reached from the root of an instance that has an element.
    pub reaches: Vec<bool>,
    /// The parameter that is a number in the first element, if cases say which number may follow it.
    pub(crate) step: Option<usize>,
    /// For a structure whose elements are of several kinds, the predicates for more of these kinds.
    pub(crate) larger: Vec<PredId>,
    /// For a predicate with several links, whether elements were seen that use more than one of them.
    pub(crate) branches: bool,
    /// For elements of a skip list, offsets and widths of the links that only higher elements have.
    pub(crate) above: Vec<(u64, u64)>,
    /// For elements of a skip list, the predicates for higher elements that every whole instance satisfies as well.
    pub(crate) higher: Vec<PredId>,
    /// For a variant some of whose links are always null, the predicate that it is a variant of.
    pub(crate) bare_of: Option<PredId>,
    /// For a variant, the predicate it is a variant of, and what it says of the numbers at some offsets.
    pub(crate) variant_of: Option<(PredId, Numbers)>,
    /// The paths that a segment can take, once they are asked for ([`PredTable::segment_paths`]).
    pub(crate) segment: OnceLock<Path>,
}

impl Pred {
    /// Whether no case speaks of argument `k`, counted without the root.
    pub(crate) fn is_ghost(&self, k: usize) -> bool {
        self.ghost.get(k + 1) == Some(&true)
    }

    /// Whether what is passed for this parameter stands for missing elements, as null does elsewhere: no element holds it
    /// but where there is no next one.
    pub fn ends_at(&self, param: usize) -> bool {
        let Ok(param) = u8::try_from(param) else { return false };
        let end = Fact::Eq(Term::ROOT, Term::param(param));
        let stored = |c: &Case| c.cells.iter().any(|cell| cell.val.base == TermBase::Param(param));
        self.def.cases.iter().any(|c| c.block.is_none() && c.facts.contains(&end))
            && !self.def.cases.iter().any(stored)
    }

    /// Whether an object has the size of an element, and is not known to be used as another record.
    pub fn fits(&self, object: &Object) -> bool {
        let same_record = |r: Option<RecordId>| r.is_none() || object.record.is_none() || r == object.record;
        let fits = |b: &BlockSpec| Some(b.size) == object.const_size() && same_record(b.record);
        self.def.cases.iter().any(|c| c.block.as_ref().is_some_and(fits))
    }

    /// How much a declared predicate says of the numbers in its elements.
    pub(crate) fn strictness(&self) -> usize {
        let blocks = self.def.cases.iter().filter(|c| c.block.is_some() && self.origin == Origin::Declared);
        let fixed = |c: &Case| c.cells.iter().filter(|cell| cell.val.base == TermBase::Zero).count();
        blocks.map(|c| c.facts.len() + fixed(c)).sum()
    }

    /// Whether a parameter is a number of which the cases of a declared predicate say something.
    pub(crate) fn counts(&self, param: usize) -> bool {
        let bounded = self.ranges.get(param).is_some_and(|r| *r != Interval::FULL);
        self.origin == Origin::Declared && (bounded || self.leeway.get(param).is_some_and(|l| l.is_some()))
    }

    /// Whether no case has calls.
    pub fn is_plain(&self) -> bool {
        self.def.cases.iter().all(|c| c.calls.is_empty())
    }

    /// Whether a case says something of the cell at this offset.
    fn describes(&self, off: u64) -> bool {
        self.def.cases.iter().any(|c| c.cells.iter().any(|c| c.off == off))
    }
}

impl Pred {
    /// Whether an object holds numbers of which no case for such blocks says even that they are there.
    pub(crate) fn leaves_out(&self, object: &Object) -> bool {
        let alike = |c: &&Case| c.block.as_ref().is_some_and(|b| Some(b.size) == object.const_size());
        let mentions = |c: &Case, off: u64| c.cells.iter().any(|s| s.off <= off && off < s.off + s.width);
        let numbers = object.cells().filter(|(_, c)| c.val.as_int().is_some());
        let mut cases = self.def.cases.iter().filter(alike);
        numbers.into_iter().any(|(off, _)| cases.clone().all(|c| !mentions(c, off))) && cases.next().is_some()
    }
}

/// What a variant says of the numbers at some offsets of its elements.
pub(crate) type Numbers = BTreeMap<u64, Interval>;

/// A cell that leads to the next element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// Case and call.
    pub case: usize,
    /// Index of the call within the case.
    pub call: usize,
    /// Offset of the cell.
    pub off: u64,
    /// The cell holds the next root plus this.
    pub inner: i128,
}

/// How to read a segment from its other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reversal {
    /// The predicate of the other direction.
    pub pred: PredId,
    /// The parameter that names the element before.
    pub param: usize,
    /// The link cell holds the next root plus this.
    pub inner: i128,
    /// The parameter is the root of the element before plus this.
    pub back: i128,
}

/// All predicates of an analysis.
#[derive(Clone, Debug, Default)]
pub struct PredTable {
    pub(crate) preds: IndexVec<PredId, Pred>,
    /// Whether no variants come into being that speak of the numbers in elements.
    pub shapes_only: bool,
    /// Whether no others are looked for in the states.
    pub closed: bool,
    /// Whether chains of objects that no predicate describes are looked at by themselves.
    pub chains: bool,
    /// Whether abstraction folds what lies between an unnamed element of a tree and a named one.
    pub folds_to_cursors: bool,
    /// Whether an object whose number is known to be less or greater than that of a variable stays an object.
    pub keeps_bounds: bool,
    /// Whether lists of elements that have room for more links stay lists even if there are trees of such elements.
    pub keeps_bare: bool,
    /// Whether a node that several pointers of an element lead to may stand for missing children.
    pub common_leaves: bool,
    /// Whether there was such a node.
    pub leaf_seen: bool,
    /// Numbers that bounds of variants stop at, sorted.
    pub thresholds: Vec<i128>,
    /// Whether a predicate has parameters that no case speaks of.
    ghosts: bool,
    interned: FxHashMap<Definition, PredId>,
    pub(crate) kinds: Vec<Kinds>,
    /// Skip lists: size and record of the elements, and the predicates for their heights.
    levels: Vec<(u64, Option<RecordId>, Vec<PredId>)>,
    /// Whether discovery looks at which numbers follow which along a structure.
    pub orders: bool,
}

impl PredTable {
    /// The predicate with this structure; a new one gets the name that `name` makes.
    pub fn intern(&mut self, def: Definition, name: impl FnOnce(usize) -> String) -> PredId {
        if let Some(id) = self.interned.get(&def) {
            return *id;
        }
        let name = name(self.preds.len());
        let id = self.add(derive(name, def.clone(), Origin::Discovered));
        self.interned.insert(def, id);
        self.find_reached(id);
        self.find_leeways(id);
        id
    }

    /// Adds definitions that may call each other: within the group, the predicate at position `i` will have the
    /// number [`PredTable::len`] plus `i`. Each gets an identity of its own, whatever its structure.
    pub fn declare(&mut self, group: Vec<(String, Definition)>, origin: Origin) -> Vec<PredId> {
        let mut ids = Vec::with_capacity(group.len());
        let first = PredId(self.preds.len() as u32);
        for (name, def) in group {
            let id = self.add(derive(name, def.clone(), origin));
            self.interned.entry(def).or_insert(id);
            ids.push(id);
        }
        self.find_reached(first);
        self.find_leeways(first);
        ids
    }

    /// The first structure without parameters whose elements are such records and may hold any numbers.
    pub(crate) fn structure_of(&self, record: RecordId) -> Option<PredId> {
        let like = |p: &Pred| {
            let mut blocks = p.def.cases.iter().filter_map(|c| c.block.as_ref());
            p.def.params == 1
                && !p.links.is_empty()
                && p.weaker.is_empty()
                && blocks.any(|b| b.record == Some(record))
        };
        self.iter().find(|(_, p)| like(p)).map(|(id, _)| id)
    }

    /// Remembers which links the elements of `id` do not have that higher elements of the same skip list have.
    pub(crate) fn set_above(&mut self, id: PredId, above: Vec<(u64, u64)>) {
        if let Some(p) = self.preds.get_mut(id) {
            p.above = above;
        }
    }

    /// Remembers that blocks of this size and record are elements of skip lists, lowest level first. A list on a low level
    /// is one on a higher level that no element has reached, if the links above are null; the matching engine says
    /// whether it is.
    pub(crate) fn set_levels(&mut self, size: u64, record: Option<RecordId>, found: &[PredId]) {
        let at = self.levels.iter().position(|(s, r, _)| *s == size && *r == record).unwrap_or_else(|| {
            self.levels.push((size, record, Vec::new()));
            self.levels.len() - 1
        });
        if let Some((.., known)) = self.levels.get_mut(at) {
            let new: Vec<PredId> = found.iter().filter(|p| !known.contains(p)).copied().collect();
            known.extend(new);
        }
        for (k, low) in found.iter().enumerate() {
            for high in found.iter().skip(k + 1) {
                if !self.get(*low).higher.contains(high) && crate::matching::includes(self, *high, *low) {
                    self.preds[*low].higher.push(*high);
                }
            }
        }
    }

    fn add(&mut self, pred: Pred) -> PredId {
        self.ghosts |= pred.ghost.contains(&true);
        self.preds.push(pred)
    }

    /// Whether there are parameters that no case speaks of.
    pub(crate) fn has_ghosts(&self) -> bool {
        self.ghosts
    }

    /// Whether there are skip lists.
    pub(crate) fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Whether objects may stay objects because of a bound on their number.
    pub(crate) fn keeps_some_bounds(&self) -> bool {
        self.keeps_bounds || self.has_levels()
    }

    /// Whether such an object stays one if its number is bounded by that of a variable. In skip lists they do in any case: the
    /// walks on the lower levels depend on where those on the higher ones have ended.
    pub(crate) fn keeps_bounds_of(&self, object: &Object) -> bool {
        let levels = || object.const_size().and_then(|size| self.levels_of(size, object.record));
        self.keeps_bounds || levels().is_some()
    }

    /// The predicates for the heights of skip lists with such elements.
    pub(crate) fn levels_of(&self, size: u64, record: Option<RecordId>) -> Option<&[PredId]> {
        self.levels.iter().find(|(s, r, _)| *s == size && *r == record).map(|(.., found)| &**found)
    }

    /// Whether elements of `id` branch, but such blocks are known to be elements of skip lists.
    pub(crate) fn is_skip_list(&self, id: PredId) -> bool {
        let p = self.get(id);
        let mut blocks = p.def.cases.iter().filter_map(|c| c.block.as_ref());
        p.links.len() > 1 && blocks.any(|b| self.levels_of(b.size, b.record).is_some())
    }

    /// Whether there are both lists and trees of the same elements.
    pub fn has_lists_and_trees(&self) -> bool {
        self.preds.iter().filter_map(|p| p.bare_of).any(|full| self.get(full).branches)
    }

    /// A declared or derived predicate with this structure, up to the order of its parameters.
    pub fn known_like(&self, def: &Definition) -> Option<PredId> {
        let n = usize::from(def.params);
        if !(1..=5).contains(&n) {
            return self.interned.get(def).copied();
        }
        let mut orders: Vec<Vec<u8>> = vec![vec![0]];
        for i in 1..def.params {
            orders = orders
                .into_iter()
                .flat_map(|o| {
                    (1..=o.len()).map(move |at| {
                        let mut o = o.clone();
                        o.insert(at, i);
                        o
                    })
                })
                .collect();
        }
        orders.iter().find_map(|order| {
            let id = *self.interned.get(&permuted(def, order))?;
            (self.get(id).origin != Origin::Discovered).then_some(id)
        })
    }

    /// Which parameters of the predicates from `first` on can be reached from the root. Structures are finite, so what
    /// holds of an instance if it holds of its parts holds: the greatest solution is the right one.
    fn find_reached(&mut self, first: PredId) {
        let ids: Vec<PredId> = self.preds.indices().filter(|id| *id >= first).collect();
        for id in &ids {
            self.preds[*id].reaches = vec![true; usize::from(self.preds[*id].def.params)];
        }
        loop {
            let mut changed = false;
            for id in ids.iter().copied() {
                let pred = self.get(id);
                let reaches: Vec<bool> =
                    (0..pred.def.params).map(|i| self.always_reached(id, pred, i)).collect();
                changed |= reaches != pred.reaches;
                self.preds[id].reaches = reaches;
            }
            if !changed {
                return;
            }
        }
    }

    fn always_reached(&self, id: PredId, pred: &Pred, param: u8) -> bool {
        let blocks = pred.def.cases.iter().filter(|c| c.block.is_some());
        let wanted = TermBase::Param(param);
        blocks.into_iter().all(|case| {
            param == 0
                || case.cells.iter().any(|c| c.val.base == wanted)
                || case.calls.iter().filter(|c| c.end.is_none()).any(|call| {
                    let callee = self.get(match call.callee {
                        Callee::This => id,
                        Callee::Other(other) => other,
                    });
                    call.args.iter().enumerate().skip(1).any(|(j, arg)| {
                        arg.base == wanted
                            && callee.reaches.get(j) == Some(&true)
                            && callee.def.cases.iter().filter(|c| c.block.is_none()).all(|c| leads(c, j))
                    })
                })
        })
    }

    /// The predicate that describes the same elements walked from the last to the first, for predicates with one
    /// link and one parameter that names the element before. If `P` passes `root + back` and its link cell holds the
    /// next root plus `inner`, then `P(a, p) ⇒ (e, l)` is `R(l - back, e + inner) ⇒ (p - back, a + inner)`.
    pub fn reversed(&mut self, id: PredId) -> Option<Reversal> {
        let pred = self.get(id);
        let [link] = pred.links.as_slice() else { return None };
        let mut backs = pred.back.iter().enumerate().filter_map(|(i, b)| b.map(|c| (i, c)));
        let ((param, back), None) = (backs.next()?, backs.next()) else { return None };
        let inner = link.inner;
        let mut case = pred.def.cases.get(link.case)?.clone();
        if case.calls.iter().filter(|c| c.callee == Callee::This).count() != 1 {
            return None;
        }
        let call = case.calls.get_mut(link.call)?;
        let next = call.args.first()?.base;
        let slot = Term::param(param as u8);
        // Only plain cells may mention what changes its role.
        let plain = |c: &CellSpec| c.off == link.off || c.val.base != next;
        let unrelated = |f: &Fact| f.terms().all(|t| t.base != next && t.base != slot.base);
        let named = case.cells.iter().filter(|c| c.val.base == slot.base).count();
        if !case.cells.iter().all(plain) || named != 1 || !case.facts.iter().all(unrelated) {
            return None;
        }
        for (i, arg) in call.args.iter_mut().enumerate() {
            if i == param {
                *arg = Term::ROOT.plus(inner);
            } else if i > 0 && *arg != Term::param(i as u8) {
                // What changes along the way would change the other way round.
                return None;
            }
        }
        let roles = |t: &Term| t.base == next || t.base == slot.base;
        if case.calls.iter().enumerate().any(|(j, c)| j != link.call && c.terms().any(roles)) {
            return None;
        }
        for cell in &mut case.cells {
            if cell.val.base == next {
                cell.val = slot;
            } else if cell.val == slot {
                cell.val = Term { base: next, off: back };
            } else if cell.val.base == slot.base {
                return None;
            }
        }
        let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(-back))], ..Case::default() };
        let name = format!("{}_back", pred.name);
        let def = Definition { params: pred.def.params, cases: vec![empty, case] };
        let weaker = pred.weaker.clone();
        let pred = self.intern(def, |_| name);
        // The variants of the original may have grown in number since the last time.
        if self.get(pred).weaker.len() < weaker.len() {
            let mut reversed = Vec::new();
            for w in weaker {
                // What says less may have more links than one.
                reversed.extend(self.reversed(w).map(|r| r.pred));
            }
            if let Some(p) = self.preds.get_mut(pred) {
                p.weaker = reversed;
            }
        }
        Some(Reversal { pred, param, inner, back })
    }

    /// The predicate.
    pub fn get(&self, id: PredId) -> &Pred {
        &self.preds[id]
    }

    /// Whether two objects are elements of a declared predicate by different cases, because they hold different numbers where
    /// its cases fix them.
    pub(crate) fn tells_apart(&self, a: &Object, b: &Object) -> bool {
        let number = |o: &Object, c: &CellSpec| o.cell(c.off, c.width).and_then(|v| v.as_int());
        let differ = |c: &CellSpec| number(a, c).zip(number(b, c)).is_some_and(|(m, n)| m != n);
        let declared = self.iter().filter(|(_, p)| p.origin == Origin::Declared && p.fits(a) && p.fits(b));
        let cells = declared.flat_map(|(_, p)| p.def.cases.iter().flat_map(|c| &c.cells));
        cells.filter(|c| c.val.base == TermBase::Zero).any(differ)
    }

    /// The predicates whose elements may be like this object, those that say most of them first. One without recursion
    /// gains nothing where it is silent about cells.
    pub fn fitting(&self, object: &Object) -> Vec<(PredId, &Pred)> {
        let silent = |p: &Pred| p.is_plain() && object.cells().any(|(off, _)| !p.describes(off));
        let mut found: Vec<_> = self.iter().filter(|(_, p)| p.fits(object) && !silent(p)).collect();
        found.sort_by_key(|(_, p)| std::cmp::Reverse((p.weaker.len(), p.strictness())));
        found
    }

    /// All predicates.
    pub fn iter(&self) -> impl Iterator<Item = (PredId, &Pred)> {
        self.preds.iter_enumerated()
    }

    /// Number of predicates.
    pub fn len(&self) -> usize {
        self.preds.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.preds.is_empty()
    }
}

/// Whether a case without memory makes the root and a parameter the same place.
fn leads(case: &Case, param: usize) -> bool {
    let pair = (TermBase::Param(0), TermBase::Param(param as u8));
    case.facts.iter().any(|f| match f {
        Fact::Eq(a, b) => (a.base, b.base) == pair || (b.base, a.base) == pair,
        _ => false,
    })
}

/// The definition with its parameters in another order: the new parameter `i` is the old `order[i]`.
fn permuted(def: &Definition, order: &[u8]) -> Definition {
    let old_to_new = |p: u8| order.iter().position(|o| *o == p).map_or(p, |i| i as u8);
    let term = |t: Term| match t.base {
        TermBase::Param(p) => Term { base: TermBase::Param(old_to_new(p)), off: t.off },
        _ => t,
    };
    let mut def = def.clone();
    for case in &mut def.cases {
        case.cells.iter_mut().for_each(|c| c.val = term(c.val));
        for call in &mut case.calls {
            let args: Vec<Term> = call.args.iter().map(|t| term(*t)).collect();
            call.args = match call.callee {
                Callee::This => order.iter().filter_map(|o| args.get(usize::from(*o)).copied()).collect(),
                Callee::Other(_) => args,
            };
            call.end.iter_mut().flatten().for_each(|t| *t = term(*t));
        }
        for f in &mut case.facts {
            *f = match *f {
                Fact::Eq(a, b) => Fact::Eq(term(a), term(b)),
                Fact::Ne(a, b) => Fact::Ne(term(a), term(b)),
                Fact::Le(a, b) => Fact::Le(term(a), term(b)),
                Fact::In(a, r) => Fact::In(term(a), r),
            };
        }
    }
    def
}

fn derive(name: String, def: Definition, origin: Origin) -> Pred {
    let n = usize::from(def.params);
    let mut back: Vec<Option<Option<i128>>> = vec![None; n];
    let mut shared = vec![true; n];
    let mut links = Vec::new();
    for (case_index, case) in def.cases.iter().enumerate() {
        for (call_index, call) in case.calls.iter().enumerate().filter(|(_, c)| c.callee == Callee::This) {
            for (i, arg) in call.args.iter().enumerate().take(n) {
                let here = (arg.base == TermBase::Param(0)).then_some(arg.off);
                if let Some(slot) = back.get_mut(i) {
                    *slot = match *slot {
                        None => Some(here),
                        Some(old) if old == here => Some(here),
                        Some(_) => Some(None),
                    };
                }
                if let Some(s) = shared.get_mut(i) {
                    *s &= i > 0 && *arg == Term::param(i as u8);
                }
            }
            if let Some(root) = call.args.first() {
                for cell in case.cells.iter().filter(|c| c.val.base == root.base) {
                    let inner = cell.val.off - root.off;
                    links.push(Link { case: case_index, call: call_index, off: cell.off, inner });
                }
            }
        }
    }
    let stored = |case: &Case, base: TermBase| case.cells.iter().any(|c| c.val.base == base);
    let blocks = || def.cases.iter().filter(|c| c.block.is_some());
    let holds: Vec<bool> =
        (0..def.params).map(|i| i == 0 || blocks().all(|c| stored(c, TermBase::Param(i)))).collect();
    let passes = (0..n)
        .map(|i| {
            blocks().all(|case| {
                let own = case.calls.iter().filter(|c| c.callee == Callee::This);
                own.into_iter().filter_map(|c| c.args.get(i)).all(|arg| match arg.base {
                    TermBase::Zero | TermBase::Func(_) | TermBase::Param(0) => true,
                    TermBase::Param(p) => holds.get(usize::from(p)) == Some(&true),
                    TermBase::Exist(_) => stored(case, arg.base),
                })
            })
        })
        .collect();
    let phantom = (0..n)
        .map(|i| {
            let param = TermBase::Param(i as u8);
            i > 0
                && blocks().all(|case| {
                    let passed = |c: &CallSpec| {
                        let other = c.args.iter().enumerate().any(|(j, t)| {
                            t.base == param && (j != i || c.callee != Callee::This || t.off != 0)
                        }) || c.end.iter().flatten().any(|t| t.base == param);
                        !other && (c.callee != Callee::This || c.args.get(i).map(|t| t.base) == Some(param))
                    };
                    !stored(case, param)
                        && case.calls.iter().all(passed)
                        && !case.facts.iter().any(|f| f.terms().any(|t| t.base == param))
                })
        })
        .collect();
    let ghost =
        (0..def.params).map(|i| i > 0 && !def.cases.iter().any(|c| c.mentions(TermBase::Param(i)))).collect();
    let back = back.into_iter().map(Option::flatten).collect();
    let twin = (0..def.params)
        .map(|i| {
            let mut distances = blocks().map(|case| case.distance_from_root(i));
            let first = distances.next().flatten().filter(|_| i > 0);
            first.filter(|_| distances.all(|d| d == first))
        })
        .collect();
    Pred {
        leeway: Vec::new(),
        ranges: crate::leeway::ranges(&def),
        phantom,
        ghost,
        origin,
        name,
        def,
        back,
        twin,
        shared,
        links,
        weaker: Vec::new(),
        step: None,
        larger: Vec::new(),
        branches: false,
        above: Vec::new(),
        higher: Vec::new(),
        bare_of: None,
        variant_of: None,
        segment: OnceLock::new(),
        holds,
        passes,
        reaches: Vec::new(),
    }
}

impl Case {
    /// Whether a cell, call or fact speaks of it.
    fn mentions(&self, base: TermBase) -> bool {
        let called = self.calls.iter().flat_map(CallSpec::terms);
        let told = self.facts.iter().flat_map(Fact::terms);
        let mut terms = self.cells.iter().map(|c| c.val).chain(called.copied()).chain(told);
        terms.any(|t| t.base == base)
    }

    /// Whether a term is an existential that occurs in no call, no fact and only one cell: any value will do.
    pub fn is_free(&self, t: &Term) -> bool {
        matches!(t.base, TermBase::Exist(_))
            && self.cells.iter().filter(|c| c.val.base == t.base).count() == 1
            && !self.calls.iter().any(|c| c.terms().any(|a| a.base == t.base))
            && !self.facts.iter().any(|f| f.terms().any(|u| u.base == t.base))
    }

    /// How far from the root a parameter is, if a fact says so.
    fn distance_from_root(&self, param: u8) -> Option<i128> {
        let at = |a: &Term, b: &Term| {
            let pair = (a.base, b.base) == (TermBase::Param(param), TermBase::Param(0));
            if pair { b.off.checked_sub(a.off) } else { None }
        };
        self.facts.iter().find_map(|f| match f {
            Fact::Eq(a, b) => at(a, b).or_else(|| at(b, a)),
            _ => None,
        })
    }

    /// Replaces every term.
    pub(crate) fn map_terms(&mut self, f: impl Fn(Term) -> Term) {
        self.cells.iter_mut().for_each(|c| c.val = f(c.val));
        self.calls.iter_mut().flat_map(|c| c.terms_mut()).for_each(|t| *t = f(*t));
        for fact in &mut self.facts {
            match fact {
                Fact::Eq(a, b) | Fact::Ne(a, b) | Fact::Le(a, b) => (*a, *b) = (f(*a), f(*b)),
                Fact::In(a, _) => *a = f(*a),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A doubly-linked list: next at 8, prev at 16.
    fn dll(next: u64, prev: u64) -> Definition {
        let mut cells = vec![
            CellSpec { off: next, width: 8, val: Term::exist(0) },
            CellSpec { off: prev, width: 8, val: Term::param(1) },
        ];
        cells.sort_by_key(|c| c.off);
        let case = Case {
            exists: 1,
            block: Some(BlockSpec { size: 24, record: None }),
            cells,
            calls: vec![CallSpec::whole(Callee::This, vec![Term::exist(0), Term::ROOT])],
            facts: Vec::new(),
        };
        let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
        Definition { params: 2, cases: vec![empty, case] }
    }

    #[test]
    fn a_doubly_linked_list_backwards_exchanges_its_links() {
        let mut preds = PredTable::default();
        let forward = preds.intern(dll(8, 16), |_| "dll".into());
        let r = preds.reversed(forward).expect("one link, one back parameter");
        assert_eq!(preds.get(r.pred).def, dll(16, 8));
        assert_eq!(preds.reversed(r.pred).map(|r| r.pred), Some(forward));
    }
}
