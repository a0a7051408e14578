//! Keeping states small while a program goes on and on.
//!
//! What a long sequence of operations leaves behind must not make each further one dearer. Two things grow: the number
//! of pieces (blocks and summaries) in a state, when nothing but loop heads folds them, and the number of disjuncts where branches meet,
//! when the structures in them differ by a few elements or by numbers. In a thrifty attempt ([`crate::precision::Entries::Footprint`]) states with many pieces are
//! folded before calls and at the ends of blocks, and disjuncts that are many are folded before they are compared. Both
//! give up how many elements there are and what they hold one by one, so an attempt that fails after it is followed by one that
//! folds at loop heads alone.
//!
//! Soundness: folding replaces a state by one with more models (`heapwise_heap::fold`), and may be done anywhere.
//!
//! Cost: a state that was folded is folded again only when it has twice as many pieces as folding left the last time, so
//! blocks that each have a variable of their own are looked at rarely.

use super::run::Run;
use super::solver::Solver;
use crate::disjuncts::merge::Disjunct;
use crate::precision::Crowd;
use heapwise_heap::discover::propose_optional;
use heapwise_heap::granularity::Discovery;
use heapwise_heap::{PredId, Root, State, Val};
use heapwise_ir::{BlockId, LocalSet};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Pieces of the heap that a state may have without being folded.
const MANY_PIECES: usize = 20;
/// Those that it may have when it enters a loop, or is one of many.
const SEVERAL_PIECES: usize = 6;
/// Disjuncts of the same outline that another one is compared with.
const COMPARED: usize = 2;

impl Solver<'_> {
    /// Folds states that have grown too many pieces. `live` are the variables that are still read.
    pub(super) fn trimmed(
        &mut self,
        run: &mut Run<'_>,
        live: Option<&LocalSet>,
        states: Vec<State>,
    ) -> Vec<State> {
        if run.cx.precision.is_thrifty() { self.below(MANY_PIECES, run, live, states) } else { states }
    }

    /// Folds states that enter a loop with more pieces than it would leave: its head folds them as soon as it can, and
    /// until then each iteration would have to go past them.
    pub(super) fn trim_entering(&mut self, run: &mut Run<'_>, head: BlockId, members: &FxHashSet<BlockId>) {
        if !run.cx.precision.is_thrifty() {
            return;
        }
        let info = self.scope.info;
        let live = info.live.get(&head).and_then(|l| l.first());
        for p in info.cfg.predecessors(head).iter().filter(|p| !members.contains(p)) {
            let Some(states) = self.flow.take_edge((*p, head)) else { continue };
            let states = self.with_loose_cursors(run, live, members, states);
            let states = self.below(SEVERAL_PIECES, run, live, states);
            self.flow.set_edge((*p, head), states);
        }
    }

    /// Folds states of a crowd earlier than others, so that they can be compared.
    pub(super) fn trimmed_crowd(
        &mut self,
        run: &mut Run<'_>,
        live: Option<&LocalSet>,
        states: Vec<State>,
    ) -> Vec<State> {
        if run.cx.precision.is_thrifty() { self.below(SEVERAL_PIECES, run, live, states) } else { states }
    }

    fn below(
        &mut self,
        limit: usize,
        run: &mut Run<'_>,
        live: Option<&LocalSet>,
        states: Vec<State>,
    ) -> Vec<State> {
        let limit = limit.max(2 * self.unfoldable);
        let grown = |s: &State| s.object_count() + s.summaries().len() > limit && pieces(s) > limit;
        let fold = |s: State| if grown(&s) { self.folded(run, live, s) } else { s };
        states.into_iter().map(fold).collect()
    }

    fn folded(&mut self, run: &mut Run<'_>, live: Option<&LocalSet>, state: State) -> State {
        let slim = match live {
            Some(live) => without_dead(run, live, state),
            None => state,
        };
        let folded = run.cx.folded(&slim, true);
        run.cx.clumped = true;
        self.unfoldable = self.unfoldable.max(pieces(&folded));
        folded
    }
}

/// Puts states of a crowd together that differ by whether structures are empty: calls on several structures, one after the other,
/// would make as many of them as there are ways to combine that.
pub(super) fn joined(run: &mut Run<'_>, states: Vec<State>) -> Vec<State> {
    joined_optional(run, states.into_iter().map(Disjunct::new).collect())
        .into_iter()
        .map(|d| d.state)
        .collect()
}

/// The same where pointers may be null or lead to blocks of their own: whether they do becomes an alternative of the pointer.
pub(super) fn joined_optional(run: &mut Run<'_>, crowd: Vec<Disjunct>) -> Vec<Disjunct> {
    run.cx.clumped = true;
    if run.cx.granularity.discovery != Discovery::Closed {
        crowd.iter().for_each(|d| propose_optional(&d.state, &mut run.cx.preds, &run.cx.program.types));
    }
    let options = run.cx.policy().in_crowd(Crowd::Emptiness);
    let mut merger = run.merger();
    let mut known: Vec<Disjunct> = Vec::new();
    for mut new in crowd {
        let mut k = 0;
        while k < known.len() {
            match merger.join(&known[k], &new, options) {
                Some(joined) => {
                    new = joined;
                    known.remove(k);
                }
                None => k += 1,
            }
        }
        known.push(new);
    }
    known
}

/// What disjuncts have in common that differ by numbers alone: which variables are null, how many objects there are, and
/// which structures.
type Outline = (Vec<(Root, bool)>, usize, Vec<PredId>);

fn outline(state: &State) -> Outline {
    let roots = state.roots().map(|(r, v)| (r, v == Val::ZERO)).collect();
    let mut preds: Vec<PredId> = state.summaries().map(|s| s.pred).collect();
    preds.sort_unstable();
    (roots, state.object_count(), preds)
}

/// Puts disjuncts of a crowd together that differ by numbers, as after a long `switch`. Each is compared with few
/// others, so that a crowd that differs in other ways costs little.
pub(super) fn joined_numbers(run: &mut Run<'_>, crowd: Vec<Disjunct>) -> Vec<Disjunct> {
    let options = run.cx.policy().in_crowd(Crowd::Numbers);
    let before = crowd.len();
    let mut groups: IndexMap<Outline, Vec<Disjunct>, FxBuildHasher> = IndexMap::default();
    let mut merger = run.merger();
    for new in crowd {
        let group = groups.entry(outline(&new.state)).or_default();
        let found = group
            .iter_mut()
            .take(COMPARED)
            .find_map(|old| merger.join(old, &new, options).map(|joined| *old = joined));
        if found.is_none() {
            group.push(new);
        }
    }
    let kept: Vec<Disjunct> = groups.into_values().flatten().collect();
    run.cx.clumped |= kept.len() < before;
    kept
}

/// The most summaries that one of the states has.
pub(super) fn most_summaries(states: &[State]) -> usize {
    states.iter().map(|s| s.summaries().len()).max().unwrap_or(0)
}

/// Drops variables that are not read any more, unless that would hide a leak until later.
pub(super) fn without_dead(run: &Run<'_>, live: &LocalSet, state: State) -> State {
    let is_dead = |r: &Root| matches!(r, Root::Local(l) if !live.contains(*l));
    if !state.roots().map(|(r, _)| r).any(|r| is_dead(&r)) {
        return state;
    }
    let mut slim = state.clone();
    slim.retain_roots(|r, _| !is_dead(&r));
    if slim.collect(&run.cx.preds).is_empty() { slim } else { state }
}

/// The blocks and summaries of the heap.
fn pieces(state: &State) -> usize {
    state.heap_blocks() + state.summaries().len()
}
