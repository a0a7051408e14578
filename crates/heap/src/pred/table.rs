//! The table of all predicates of an analysis.
//!
//! Definitions are interned up to their names: the same structure found twice is the same [`PredId`]. The table is data: what
//! is looked for and what is told apart is said by a [`crate::Granularity`], which is not part of it.

use super::definition::{Callee, Case, CellSpec, Definition, Fact, PredId, Term, TermBase};
use super::per_param::PerParam;
use super::properties::{Origin, Pred, derive};
use super::tagged::Kinds;
use crate::granularity::Numbers;
use crate::object::Object;
use heapwise_ir::{IndexVec, RecordId};
use rustc_hash::FxHashMap;

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
    /// Whether a predicate has parameters that no case speaks of.
    ghosts: bool,
    interned: FxHashMap<Definition, PredId>,
    pub(crate) kinds: Vec<Kinds>,
    /// Skip lists: size and record of the elements, and the predicates for their heights.
    levels: Vec<(u64, Option<RecordId>, Vec<PredId>)>,
    /// The predicates by the sizes of their elements and the records that these are used as, in the order of their numbers.
    by_block: FxHashMap<u64, FxHashMap<Option<RecordId>, Vec<PredId>>>,
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
        self.find_monotone(id);
        id
    }

    /// Adds definitions that may call each other: within the group, the predicate at position `i` will have the
    /// number [`PredTable::len`] plus `i`. Each gets an identity of its own, whatever its structure.
    pub fn declare(&mut self, group: Vec<(String, Definition)>, origin: Origin) -> Vec<PredId> {
        self.declare_groups(vec![(group, origin)])
    }

    /// The same for several groups, whose definitions may call those of each other.
    pub(crate) fn declare_groups(&mut self, groups: Vec<(Vec<(String, Definition)>, Origin)>) -> Vec<PredId> {
        let mut ids = Vec::new();
        let first = PredId(self.preds.len() as u32);
        for (group, origin) in groups {
            for (name, def) in group {
                let id = self.add(derive(name, def.clone(), origin));
                self.interned.entry(def).or_insert(id);
                ids.push(id);
            }
        }
        self.find_reached(first);
        self.find_monotone(first);
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
    /// is one on a higher level that no element has reached, if the links above are null; `includes` says for a general
    /// and a special predicate whether it is.
    pub(crate) fn set_levels(
        &mut self,
        size: u64,
        record: Option<RecordId>,
        found: &[PredId],
        includes: impl Fn(&PredTable, PredId, PredId) -> bool,
    ) {
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
                if !self.get(*low).higher.contains(high) && includes(self, *high, *low) {
                    self.preds[*low].higher.push(*high);
                }
            }
        }
    }

    fn add(&mut self, pred: Pred) -> PredId {
        self.ghosts |= pred.ghost.contains(&true);
        let id = PredId(self.preds.len() as u32);
        for block in pred.def.cases.iter().filter_map(|c| c.block.as_ref()) {
            let known = self.by_block.entry(block.size).or_default().entry(block.record).or_default();
            if known.last() != Some(&id) {
                known.push(id);
            }
        }
        self.preds.push(pred)
    }

    /// The predicates with elements of this size that may be used as this record, in the order of their numbers.
    pub(crate) fn with_elements(&self, size: u64, record: Option<RecordId>) -> Vec<PredId> {
        let Some(known) = self.by_block.get(&size) else { return Vec::new() };
        let mut found: Vec<PredId> = match record {
            None => known.values().flatten().copied().collect(),
            Some(_) => [record, None].iter().filter_map(|r| known.get(r)).flatten().copied().collect(),
        };
        found.sort_unstable();
        found.dedup();
        found
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
    pub(crate) fn keeps_some_bounds(&self, numbers: Numbers) -> bool {
        numbers == Numbers::Bounds || self.has_levels()
    }

    /// Whether such an object stays one if its number is bounded by that of a variable. In skip lists they do in any case: the
    /// walks on the lower levels depend on where those on the higher ones have ended.
    pub(crate) fn keeps_bounds_of(&self, object: &Object, numbers: Numbers) -> bool {
        let levels = || object.const_size().and_then(|size| self.levels_of(size, object.record));
        numbers == Numbers::Bounds || levels().is_some()
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
        let mut orders: Vec<Vec<u16>> = vec![vec![0]];
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
            self.preds[*id].reaches = (0..self.preds[*id].def.params).map(|_| true).collect();
        }
        loop {
            let mut changed = false;
            for id in ids.iter().copied() {
                let pred = self.get(id);
                let reaches: PerParam<bool> =
                    (0..pred.def.params).map(|i| self.always_reached(id, pred, i)).collect();
                changed |= reaches != pred.reaches;
                self.preds[id].reaches = reaches;
            }
            if !changed {
                return;
            }
        }
    }

    fn always_reached(&self, id: PredId, pred: &Pred, param: u16) -> bool {
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
        let slot = Term::param(param as u16);
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
            } else if i > 0 && *arg != Term::param(i as u16) {
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
        let declared = self.iter().filter(|(_, p)| p.origin.is_about_numbers() && p.fits(a) && p.fits(b));
        let cells = declared.flat_map(|(_, p)| p.def.cases.iter().flat_map(|c| &c.cells));
        cells.filter(|c| c.val.base == TermBase::Zero).any(differ)
    }

    /// The predicates whose elements may be like this object, those that say most of them first. One without recursion
    /// gains nothing where it is silent about cells.
    pub fn fitting(&self, object: &Object) -> Vec<(PredId, &Pred)> {
        let silent = |p: &Pred| p.is_plain() && object.cells().any(|(off, _)| !p.describes(off));
        let Some(size) = object.const_size() else { return Vec::new() };
        let alike = self.with_elements(size, object.record).into_iter().map(|id| (id, self.get(id)));
        let mut found: Vec<_> = alike.filter(|(_, p)| p.fits(object) && !silent(p)).collect();
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
    let pair = (TermBase::Param(0), TermBase::Param(param as u16));
    case.facts.iter().any(|f| match f {
        Fact::Eq(a, b) => (a.base, b.base) == pair || (b.base, a.base) == pair,
        _ => false,
    })
}

/// The definition with its parameters in another order: the new parameter `i` is the old `order[i]`.
fn permuted(def: &Definition, order: &[u16]) -> Definition {
    let old_to_new = |p: u16| order.iter().position(|o| *o == p).map_or(p, |i| i as u16);
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

#[cfg(test)]
mod tests {
    use super::super::definition::{BlockSpec, CallSpec};
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
            block: Some(BlockSpec::of_size(24, None)),
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
