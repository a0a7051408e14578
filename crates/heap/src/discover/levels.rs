//! Skip lists: families in which one link takes short cuts over others.
//!
//! The links are ordered from the lowest level, which leads through all elements, to the highest. An element of height `k`
//! has the links of the levels up to `k`; what is between it and the element that its link at level `i + 1` leads to is a
//! segment of elements of height `i`, which begins where its link at level `i` leads to. So there is one predicate for each
//! height, and each calls segments of the lower ones:
//!
//! ```text
//! s1(x) := x = 0  |  x ↦ {n1: a}                 * s1(a)
//! s2(x) := x = 0  |  x ↦ {n1: a, n2: b}          * s1(a → b) * s2(b)
//! s3(x) := x = 0  |  x ↦ {n1: a, n2: b, n3: c}   * s1(a → b) * s2(b → c) * s3(c)
//! ```
//!
//! Links above its height are null in an element, or not set at all; links that are null in all elements are levels that none
//! has reached yet, so that what is found early is what is found later.
//!
//! Where states are joined, the links of an element may lead to the same place in one of them and to one behind the other
//! in the other: the segments in between are empty there (`Joiner::settle_claims`). An element that a link of a high level
//! leads to is not one of a lower level, even if it is the last (`View::fold`); but a whole list of low elements is one of
//! higher ones none of which is there, if the links above are null, which `matching::includes` finds out. Elements at which
//! a walk has stopped because of their number stay objects: the walks below depend on it. Cost: for each pair of links one walk from each member.

use super::{Family, common_slots, read, record_scalars};
use crate::matching::includes;
use crate::object::{Content, Object, ObjectKind};
use crate::pred::{BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, PredId, PredTable, Term};
use crate::state::State;
use crate::value::{Sym, Val};
use heapwise_ir::TypeTable;
use std::collections::{BTreeMap, BTreeSet};

/// Most levels that are looked for.
const MAX_LEVELS: usize = 6;

/// The members of a family, and where their links lead.
struct Links<'a> {
    state: &'a State,
    members: BTreeMap<Sym, &'a Object>,
    pointer: u64,
}

impl Links<'_> {
    fn next(&self, member: Sym, off: u64) -> Option<Sym> {
        let v = read(self.members.get(&member)?, off, self.pointer)?;
        v.as_sym().filter(|_| v.off == 0)
    }

    fn is_memory(&self, s: Sym) -> bool {
        self.members.contains_key(&s) || self.state.summaries.iter().any(|t| t.root.as_sym() == Some(s))
    }

    /// From and to, for all links at that offset between elements.
    fn edges(&self, off: u64) -> Vec<(Sym, Sym)> {
        let to = |s: &Sym| self.next(*s, off).filter(|t| t != s && self.is_memory(*t)).map(|t| (*s, t));
        self.members.keys().filter_map(to).collect()
    }

    /// The places that the links at `off` lead to, one after the other.
    fn way(&self, from: Sym, off: u64) -> BTreeSet<Sym> {
        let mut seen = BTreeSet::new();
        let mut next = self.next(from, off);
        while let Some(s) = next.filter(|s| seen.insert(*s)) {
            let segment = self.state.summaries.iter().find(|t| t.root.as_sym() == Some(s));
            next = match segment {
                Some(t) => t.end.as_ref().and_then(|(end, _)| end.as_sym()),
                None => self.next(s, off),
            };
        }
        seen
    }

    /// Whether the links at `high` lead only to where those at `low` lead as well.
    fn shortens(&self, high: u64, low: u64) -> bool {
        self.edges(high).iter().all(|(s, t)| self.way(*s, low).contains(t))
    }

    /// Whether a link at `high` passes over an element that has no such link.
    fn skips(&self, high: u64, low: u64) -> bool {
        self.edges(high).iter().any(|(s, t)| {
            let passed = self.next(*s, low).filter(|x| x != t);
            passed.is_some_and(|x| self.is_memory(x) && self.next(x, high).is_none())
        })
    }

    /// The offsets of the links, lowest level first, if they are levels.
    fn levels(&self) -> Option<Vec<u64>> {
        let cells = self.members.values().flat_map(|o| o.cells());
        let offs: BTreeSet<u64> =
            cells.filter(|(_, c)| c.width == self.pointer).map(|(off, _)| off).collect();
        let edges: BTreeMap<u64, usize> =
            offs.into_iter().map(|off| (off, self.edges(off).len())).filter(|(_, n)| *n > 0).collect();
        let lowest =
            edges.iter().max_by_key(|(off, n)| (**n, std::cmp::Reverse(**off))).map(|(off, _)| *off)?;
        let mut levels: Vec<u64> = edges.keys().copied().collect();
        // More links on the lower levels; where there are as many, what is laid out further away is higher.
        levels.sort_by_key(|off| (std::cmp::Reverse(edges[off]), off.abs_diff(lowest)));
        let pairs = || levels.iter().zip(levels.iter().skip(1));
        let good = levels.len() <= MAX_LEVELS
            && pairs().all(|(low, high)| self.shortens(*high, *low))
            && pairs().any(|(low, high)| self.skips(*high, *low));
        good.then_some(levels)
    }

    /// How many levels a member is on, as far as can be seen.
    fn height(&self, member: Sym, levels: &[u64]) -> usize {
        let on = |off: &u64| {
            self.next(member, *off).is_some_and(|t| self.is_memory(t))
                || self.members.keys().any(|s| self.next(*s, *off) == Some(member))
        };
        levels.iter().rposition(on).map_or(0, |k| k + 1)
    }
}

/// Predicates for the heights of a skip list, lowest first, if the family is one.
pub(super) fn propose_levels(
    state: &State,
    family: &Family,
    preds: &mut PredTable,
    types: &TypeTable,
) -> Vec<PredId> {
    let objects = family.members.iter().filter_map(|s| state.objects.get(s).map(|o| (*s, &**o)));
    let members = objects.filter(|(_, o)| o.kind == ObjectKind::Heap).collect();
    let links = Links { state, members, pointer: types.pointer_size };
    let Some(mut levels) = links.levels() else { return Vec::new() };
    let scalars = family.record.map(|r| record_scalars(types, r)).unwrap_or_default();
    // Links that are null everywhere are of levels that no element has reached yet.
    let mut unused: Vec<u64> = scalars.iter().filter(|(.., own)| *own).map(|(off, ..)| *off).collect();
    unused.retain(|off| {
        let null = |o: &&Object| o.read(*off, links.pointer) == Content::Val(Val::ZERO);
        !levels.contains(off) && links.members.values().all(null)
    });
    unused.sort_by_key(|off| levels.first().map(|lowest| off.abs_diff(*lowest)));
    unused.truncate(MAX_LEVELS.saturating_sub(levels.len()));
    levels.extend(unused);
    let heights: BTreeMap<Sym, usize> =
        links.members.keys().map(|s| (*s, links.height(*s, &levels))).filter(|(_, h)| *h > 0).collect();
    let elements: Vec<(Sym, &Object)> = heights.keys().map(|s| (*s, links.members[s])).collect();
    let mut data = common_slots(&elements, &scalars);
    data.retain(|off, _| !levels.contains(off));
    // Whether the links that an element does not have are null; else nothing is said of them.
    let null: Vec<bool> = levels
        .iter()
        .enumerate()
        .map(|(k, off)| {
            let mut lower = elements.iter().filter(|(s, _)| heights[s] <= k);
            lower.all(|(_, o)| o.read(*off, links.pointer) == Content::Val(Val::ZERO))
        })
        .collect();
    let stem = family.stem(types);
    let mut found: Vec<PredId> = Vec::new();
    for height in 1..=levels.len() {
        let mut case =
            Case { block: Some(BlockSpec::of_size(family.size, family.record)), ..Case::default() };
        let mut fresh = || {
            let t = Term::exist(case.exists);
            case.exists = case.exists.saturating_add(1);
            t
        };
        // Unknowns are numbered in the order of cells, as in other definitions: what is the same is found to be the same.
        let mut slots = data.clone();
        slots.extend(levels.iter().take(height).map(|off| (*off, links.pointer)));
        let mut cells: BTreeMap<u64, (u64, Term)> =
            slots.iter().map(|(off, width)| (*off, (*width, fresh()))).collect();
        let nexts: Vec<Term> = levels.iter().take(height).map(|off| cells[off].1).collect();
        for (k, off) in levels.iter().enumerate().skip(height) {
            if null[k] {
                cells.insert(*off, (links.pointer, Term::int(0)));
            }
        }
        case.cells = cells.into_iter().map(|(off, (width, val))| CellSpec { off, width, val }).collect();
        for (k, lower) in found.iter().enumerate() {
            let end = Some(vec![nexts[k + 1]]);
            case.calls.push(CallSpec { callee: Callee::Other(*lower), args: vec![nexts[k]], end });
        }
        case.calls.extend(nexts.last().map(|last| CallSpec::whole(Callee::This, vec![*last])));
        let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
        let id = preds.intern(Definition { params: 1, cases: vec![empty, case] }, |n| format!("{stem}_{n}"));
        preds.set_above(id, levels.iter().skip(height).map(|off| (*off, links.pointer)).collect());
        found.push(id);
    }
    preds.set_levels(family.size, family.record, &found, includes);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element with links at 0 and 8, of height one or two; `above` is what the first has at 8.
    fn heights(preds: &mut PredTable, above: Option<Term>) -> (PredId, PredId) {
        let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
        let block = Case { block: Some(BlockSpec::of_size(16, None)), ..Case::default() };
        let cell = |off: u64, val: Term| CellSpec { off, width: 8, val };
        let next = |k: u16| CallSpec::whole(Callee::This, vec![Term::exist(k)]);
        let cells = std::iter::once(cell(0, Term::exist(0))).chain(above.map(|v| cell(8, v))).collect();
        let low = Case { exists: 2, cells, calls: vec![next(0)], ..block.clone() };
        let low = preds.intern(Definition { params: 1, cases: vec![empty.clone(), low] }, |_| "low".into());
        let between = CallSpec {
            callee: Callee::Other(low),
            args: vec![Term::exist(0)],
            end: Some(vec![Term::exist(1)]),
        };
        let cells = vec![cell(0, Term::exist(0)), cell(8, Term::exist(1))];
        let high = Case { exists: 2, cells, calls: vec![between, next(1)], ..block };
        let high = preds.intern(Definition { params: 1, cases: vec![empty, high] }, |_| "high".into());
        preds.set_levels(16, None, &[low, high], includes);
        (low, high)
    }

    #[test]
    fn low_elements_alone_are_a_skip_list_whose_upper_level_is_empty() {
        let mut preds = PredTable::default();
        let (low, high) = heights(&mut preds, Some(Term::int(0)));
        assert_eq!(preds.get(low).higher, [high]);
        assert!(preds.get(high).higher.is_empty());
    }

    #[test]
    fn low_elements_whose_upper_links_may_be_anything_are_not() {
        for above in [None, Some(Term::exist(1))] {
            let mut preds = PredTable::default();
            let (low, _) = heights(&mut preds, above);
            assert!(preds.get(low).higher.is_empty());
        }
    }
}
