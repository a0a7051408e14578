//! Independent parts of a description have alternatives of their own: `(A1 ∨ A2) * (B1 ∨ B2)` instead of four disjuncts (heap
//! decomposition, survey §5.3; partially disjunctive analyses).
//!
//! Outside of loops the description on an edge is a product: the disjuncts of what is being worked on, and beside them [`Part`]s, each a few
//! roots with all that they lead to, in one of its alternatives. A block multiplies in the parts that its text names and leaves the others
//! as they are; what leaves a part out of its work costs nothing for it, however large it is. A loop is solved with only those parts that
//! it names.
//!
//! Parts come about in two ways. Where paths meet and disjuncts are more than a few, groups of roots are looked for whose alternatives occur in
//! all combinations; they leave the disjuncts, which become as many as there are for the rest. And before a loop whatever it
//! does not name is left out if it is large ([`WORTH`]).
//!
//! **Invariant:** the meaning of a product is the set of separating conjunctions of a disjunct and one alternative of each part. Splitting changes
//! nothing in it: a group becomes a part only if the disjuncts are all combinations of its alternatives and of what is left of
//! them. So no precision is lost by it, and none of the rules of joins is asked.
//!
//! Soundness of leaving parts out is that of frames ([`super::frame`]): the text names neither their roots nor, by separation, their memory.
//! Where paths meet that do not have the same parts, those that differ are multiplied in.
//!
//! Cost: a product is split in one pass over its disjuncts and `groups² × disjuncts` comparisons of numbers, for groups that have alternatives;
//! a part on an edge is one pointer.

use super::compaction;
use super::frame::WORTH;
use super::run::Run;
use super::solver::Solver;
use crate::precision::JoinPolicy;
use heapwise_fixpoint::flow::Members;
use heapwise_heap::{Groups, Root, State};
use heapwise_ir::{BlockId, Body};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most groups with alternatives that are compared with each other.
const COMPARED: usize = 64;
/// So many names cost as much as a piece.
const NAMES: usize = 4;
/// Most states that are written out for a point where states are recorded.
const WRITTEN: usize = 512;

/// Part of a description, with alternatives of its own.
#[derive(Debug)]
pub(super) struct Part {
    roots: Vec<Root>,
    alternatives: Vec<State>,
}

/// Parts beside the disjuncts on an edge.
pub(super) type Parts = Vec<Rc<Part>>;

impl Solver<'_> {
    /// What a block, or a loop, that is in no other loop is executed on; the rest stands beside it.
    pub(super) fn without_parts(
        &mut self,
        run: &mut Run<'_>,
        first: BlockId,
        members: &Members,
    ) -> Vec<State> {
        let (states, parts) = self.meeting(run, first, members);
        let (mut states, mut parts) = self.with_named(run, members, states, parts);
        let (large, much) = WORTH;
        let is_loop = self.scope.info.cfg.predecessors(first).iter().any(|p| members.contains(p));
        if is_loop
            && states.iter().any(|s| weight(s) >= large)
            && let Some(named) = self.named_in(run, members)
        {
            let found = split(&states, |root| named.touches(root), true);
            if let Some((rest, more)) = found.filter(|(_, more)| weights(more) >= much) {
                states = rest;
                parts.extend(more);
            }
        }
        self.beside = parts;
        states
    }

    /// After blocks were executed, what stood beside them stands beside what leaves them.
    pub(super) fn spread(&mut self, members: &Members) {
        let parts = Rc::new(std::mem::take(&mut self.beside));
        if !parts.is_empty() {
            let leaving = self.flow.leaving(members);
            self.parts.extend(leaving.into_iter().map(|edge| (edge, parts.clone())));
        }
    }

    /// What comes to a block from outside of `members`. Nobody else will ask for it.
    fn meeting(&mut self, run: &mut Run<'_>, block: BlockId, members: &Members) -> (Vec<State>, Parts) {
        let mut coming: Vec<(Vec<State>, Rc<Parts>)> = Vec::new();
        if block == Body::ENTRY {
            coming.push((self.flow.entry().to_vec(), Rc::default()));
        }
        let info = self.scope.info;
        for p in info.cfg.predecessors(block).iter().filter(|p| !members.contains(p)) {
            let Some(states) = self.flow.take_edge((*p, block)) else { continue };
            let parts = self.parts.remove(&(*p, block)).unwrap_or_default();
            if !states.is_empty() {
                coming.push((states, parts));
            }
        }
        let common = common(&coming);
        let shared: FxHashSet<*const Part> = common.iter().map(Rc::as_ptr).collect();
        let mut states = Vec::new();
        for (own, parts) in coming {
            let others = parts.iter().filter(|p| !shared.contains(&Rc::as_ptr(p)));
            let others: Vec<&Part> = others.map(|p| &**p).collect();
            states.extend(self.multiplied(run, block, own, others));
        }
        let common = self.without_dead_parts(run, block, common);
        let (states, parts) = self.split_crowd(run, block, states, common);
        let states = self.reduced(run, block, states);
        self.split_crowd(run, block, states, parts)
    }

    /// Splits disjuncts that are more than a few; their parts join those that there are.
    fn split_crowd(
        &self,
        run: &Run<'_>,
        block: BlockId,
        states: Vec<State>,
        mut parts: Parts,
    ) -> (Vec<State>, Parts) {
        if JoinPolicy::are_few(states.len()) {
            return (states, parts);
        }
        let states: Vec<State> = states.into_iter().map(|s| self.forget_dead(run, block, s)).collect();
        let fits = |more: &Parts| {
            let written = combinations(&parts).saturating_mul(combinations(more));
            !run.cx.options.record_states || written <= WRITTEN
        };
        // A single part beside nothing is the same disjuncts once more, which nobody would put together.
        let divides = |rest: &[State], more: &Parts| rest.len() > 1 || more.len() > 1;
        match split(&states, |_| false, false).filter(|(rest, more)| fits(more) && divides(rest, more)) {
            Some((rest, more)) => {
                parts.extend(more);
                (rest, parts)
            }
            None => (states, parts),
        }
    }

    /// Multiplies in the parts that some blocks name.
    fn with_named(
        &self,
        run: &mut Run<'_>,
        members: &Members,
        states: Vec<State>,
        parts: Parts,
    ) -> (Vec<State>, Parts) {
        if parts.is_empty() {
            return (states, parts);
        }
        let named = self.named_in(run, members);
        let is_named = |p: &Rc<Part>| named.as_ref().is_none_or(|n| p.roots.iter().any(|r| n.touches(*r)));
        let (inside, beside): (Parts, Parts) = parts.into_iter().partition(is_named);
        let block = members.iter().next().copied().unwrap_or(Body::ENTRY);
        (self.multiplied(run, block, states, inside.iter().map(|p| &**p).collect()), beside)
    }

    /// All combinations of disjuncts with alternatives of parts. Where these are many, alternatives that differ by whether structures are empty are
    /// put together, as they would have been where paths met.
    fn multiplied(
        &self,
        run: &mut Run<'_>,
        block: BlockId,
        states: Vec<State>,
        parts: Vec<&Part>,
    ) -> Vec<State> {
        let mut states = states;
        for part in parts {
            let crowd = states.len() * part.alternatives.len();
            if crowd > JoinPolicy::CROWD_KEPT && run.cx.precision.is_thrifty() {
                states = compaction::joined(run, states);
            }
            if states.len() * part.alternatives.len() > 2 * run.cx.budget.disjuncts {
                run.cx.give_up(self.scope.func, self.head_span(block), "too many disjuncts");
                return Vec::new();
            }
            let with = |s: &State, a: &State| {
                let mut whole = s.clone();
                whole.put_back(a);
                whole
            };
            states = states.iter().flat_map(|s| part.alternatives.iter().map(|a| with(s, a))).collect();
        }
        states
    }

    /// Drops parts that nobody reads any more, unless that would hide a leak until later.
    fn without_dead_parts(&self, run: &Run<'_>, block: BlockId, parts: Parts) -> Parts {
        let Some(live) = self.scope.info.live.get(&block).and_then(|l| l.first()) else { return parts };
        let is_dead = |r: &Root| matches!(r, Root::Local(l) if !live.contains(*l));
        let holds_nothing = |state: &State| {
            let mut rest = state.clone();
            rest.retain_roots(|_, _| false);
            rest.collect(&run.cx.preds).is_empty()
        };
        let keeps = |p: &Rc<Part>| !p.roots.iter().all(is_dead) || !p.alternatives.iter().all(holds_nothing);
        parts.into_iter().filter(keeps).collect()
    }

    /// A state with everything that stands beside it and was set aside, in all combinations.
    pub(super) fn wholes(&self, state: &State) -> Vec<State> {
        let mut all = vec![self.whole(state)];
        for part in &self.beside {
            let with = |s: &State, a: &State| {
                let mut whole = s.clone();
                whole.put_back(a);
                whole
            };
            all = all.iter().flat_map(|s| part.alternatives.iter().map(|a| with(s, a))).collect();
        }
        all
    }
}

/// The parts that are the same ones for all.
fn common(coming: &[(Vec<State>, Rc<Parts>)]) -> Parts {
    let Some(((_, first), others)) = coming.split_first() else { return Vec::new() };
    if others.iter().all(|(_, parts)| Rc::ptr_eq(parts, first)) {
        return first.to_vec();
    }
    let known: Vec<FxHashSet<*const Part>> =
        others.iter().map(|(_, parts)| parts.iter().map(Rc::as_ptr).collect()).collect();
    first.iter().filter(|p| known.iter().all(|k| k.contains(&Rc::as_ptr(p)))).cloned().collect()
}

/// What it costs to look at a state: its pieces, and names as well where they are many.
fn weight(state: &State) -> usize {
    state.pieces() + state.roots().len() / NAMES
}

/// The weight of some parts together.
fn weights(parts: &Parts) -> usize {
    let pieces = |p: &Rc<Part>| p.alternatives.iter().map(State::pieces).max().unwrap_or(0);
    let names = parts.iter().map(|p| p.roots.len()).sum::<usize>();
    parts.iter().map(pieces).sum::<usize>() + names / NAMES
}

fn combinations(parts: &Parts) -> usize {
    parts.iter().fold(1, |product, p| product.saturating_mul(p.alternatives.len()))
}

/// Splits disjuncts into what stays and parts, if any group of roots is independent of all others; `constant` if those are parts as well of
/// which there is one alternative. Roots that are `bound` stay.
fn split(states: &[State], bound: impl Fn(Root) -> bool, constant: bool) -> Option<(Vec<State>, Parts)> {
    let must_stay = |root: Root| {
        bound(root) || matches!(root, Root::Result | Root::AtExit(_) | Root::Model(_) | Root::Kept(_))
    };
    let groups = Groups::of(states, must_stay)?;
    let mut pieces: Vec<IndexSet<State, FxBuildHasher>> = vec![IndexSet::default(); groups.count()];
    // What a disjunct is, as numbers of alternatives.
    let mut rows: IndexSet<Vec<u32>, FxBuildHasher> = IndexSet::default();
    for state in states {
        let row = state.split(&groups).into_iter().zip(&mut pieces).map(|(piece, known)| {
            let (at, _) = known.insert_full(piece);
            at as u32
        });
        rows.insert(row.collect());
    }
    let varying: Vec<usize> = (1..groups.count()).filter(|g| pieces[*g].len() > 1).collect();
    let steady: Vec<usize> = (1..groups.count()).filter(|g| constant && pieces[*g].len() == 1).collect();
    let clusters = match varying.len() <= COMPARED {
        true => independent(&varying, &mut rows),
        false => Vec::new(),
    };
    if clusters.is_empty() && steady.is_empty() {
        return None;
    }
    let gone: FxHashSet<usize> = clusters.iter().flat_map(|(c, _)| c).chain(&steady).copied().collect();
    let whole = |of: &mut dyn Iterator<Item = (usize, u32)>| {
        let mut state = State::default();
        of.filter_map(|(g, k)| pieces.get(g)?.get_index(k as usize)).for_each(|piece| state.put_back(piece));
        state
    };
    let stays: Vec<usize> = (0..groups.count()).filter(|g| !gone.contains(g)).collect();
    let rest: IndexSet<Vec<u32>, FxBuildHasher> = rows.iter().map(|row| chosen(row, &stays)).collect();
    let rest = rest.iter().map(|row| whole(&mut stays.iter().copied().zip(row.iter().copied()))).collect();
    let mut roots: FxHashMap<usize, Vec<Root>> = FxHashMap::default();
    groups.roots().for_each(|(root, g)| roots.entry(g).or_default().push(root));
    let part = |cluster: &[usize], alternatives: Vec<State>| {
        Rc::new(Part {
            roots: cluster.iter().filter_map(|g| roots.get(g)).flatten().copied().collect(),
            alternatives,
        })
    };
    let mut parts: Parts = Vec::new();
    for (cluster, alternatives) in &clusters {
        let alternatives = alternatives.iter();
        let written = alternatives.map(|row| whole(&mut cluster.iter().copied().zip(row.iter().copied())));
        parts.push(part(cluster, written.collect()));
    }
    parts.extend(steady.iter().map(|g| part(&[*g], pieces[*g].iter().cloned().collect())));
    Some((rest, parts))
}

/// Some groups together, and how their alternatives occur.
type Cluster = (Vec<usize>, Vec<Vec<u32>>);

/// Sets of groups whose alternatives occur in all combinations with everything else. They are taken out of the rows one after the other, which
/// are then what is left.
fn independent(varying: &[usize], rows: &mut IndexSet<Vec<u32>, FxBuildHasher>) -> Vec<Cluster> {
    let occurring = |groups: &[usize], rows: &IndexSet<Vec<u32>, FxBuildHasher>| {
        let all: IndexSet<Vec<u32>, FxBuildHasher> = rows.iter().map(|row| chosen(row, groups)).collect();
        all.into_iter().collect::<Vec<_>>()
    };
    // Two groups that do not occur in all combinations belong together.
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for g in varying {
        let alone = occurring(&[*g], rows).len();
        let depends = |c: &Vec<usize>| {
            c.iter().any(|h| occurring(&[*g, *h], rows).len() < alone * occurring(&[*h], rows).len())
        };
        let (with, without): (Vec<_>, Vec<_>) = std::mem::take(&mut clusters).into_iter().partition(depends);
        clusters = without;
        clusters.push(with.into_iter().flatten().chain([*g]).collect());
    }
    // What is pairwise independent need not be so of all others together.
    let mut found = Vec::new();
    for cluster in clusters {
        let alternatives = occurring(&cluster, rows);
        let others: IndexSet<Vec<u32>, FxBuildHasher> =
            rows.iter().map(|row| without(row, &cluster)).collect();
        if others.len() * alternatives.len() == rows.len() {
            *rows = others;
            found.push((cluster, alternatives));
        }
    }
    found
}

fn chosen(row: &[u32], groups: &[usize]) -> Vec<u32> {
    groups.iter().map(|g| row.get(*g).copied().unwrap_or(0)).collect()
}

/// A row in which some groups say nothing.
fn without(row: &[u32], groups: &[usize]) -> Vec<u32> {
    let mut row = row.to_vec();
    for g in groups {
        if let Some(slot) = row.get_mut(*g) {
            *slot = 0;
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_independent_if_they_occur_in_all_combinations() {
        let independent_of = |rows: &[&[u32]], width: usize| {
            let mut rows: IndexSet<Vec<u32>, FxBuildHasher> = rows.iter().map(|r| r.to_vec()).collect();
            let varying: Vec<usize> = (1..width).collect();
            let found = independent(&varying, &mut rows);
            (found.into_iter().map(|(c, a)| (c, a.len())).collect::<Vec<_>>(), rows.len())
        };
        // The first two always go together, the third is free.
        let rows: &[&[u32]] = &[&[0, 0, 0, 0], &[0, 1, 1, 0], &[0, 0, 0, 1], &[0, 1, 1, 1]];
        assert_eq!(independent_of(rows, 4), (vec![(vec![1, 2], 2), (vec![3], 2)], 1));
        // Each two of them are independent, all three are not: the last is the sum of the others.
        let rows: &[&[u32]] = &[&[0, 0, 0, 0], &[0, 0, 1, 1], &[0, 1, 0, 1], &[0, 1, 1, 0]];
        assert_eq!(independent_of(rows, 4), (vec![], 4));
        // What stays has a say as well.
        let rows: &[&[u32]] = &[&[0, 0], &[0, 1], &[1, 0]];
        assert_eq!(independent_of(rows, 2), (vec![], 3));
    }
}
