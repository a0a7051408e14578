//! The first iteration of a loop, executed by itself.
//!
//! What enters a loop may be the odd one out: cursors are at the start, and afterwards at least one of them never is
//! again. Where disjuncts are put together eagerly and more than a few are left at a head, the loop is solved once more with its
//! first iteration apart, so that the invariant describes what comes back from it and from all later ones; this is
//! kept if it needs fewer disjuncts. It is not the rule, because what enters a loop is often its most general state, in which
//! segments are empty. What left the loop in its first iteration is kept aside, since blocks remember the states
//! of their last execution alone.
//!
//! Soundness: a loop and its first iteration followed by the loop are the same program. A loop inside another one is
//! solved anew in each iteration of the outer one; so is what it sets aside, but for what left the outer loop with it.

use super::run::Run;
use super::solver::Solver;
use heapwise_heap::State;
use heapwise_ir::BlockId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Disjuncts at a head that need no other try.
const FEW: usize = 3;

/// What left a loop in its first iteration.
#[derive(Clone, Default)]
pub(super) struct Left {
    /// By the edge on which it did.
    edges: FxHashMap<(BlockId, BlockId), Vec<State>>,
    /// What was returned from inside.
    exits: Vec<State>,
}

impl Left {
    /// What left, by the edge on which it did, to be changed.
    pub(super) fn edges_mut(&mut self) -> impl Iterator<Item = (&(BlockId, BlockId), &mut Vec<State>)> {
        self.edges.iter_mut()
    }
}

impl Solver<'_> {
    /// Solves a loop again with its first iteration apart, if there are more than a few disjuncts at its head, and takes
    /// that back if they do not become fewer.
    pub(super) fn begin_apart(
        &mut self,
        run: &mut Run<'_>,
        head: BlockId,
        at: usize,
        end: usize,
        members: &FxHashSet<BlockId>,
    ) {
        let known = self.heads.get(&head).map_or(0, Vec::len);
        if known <= FEW || run.cx.stop.is_some() || !run.cx.alarms.is_empty() {
            return;
        }
        let before = (self.heads.clone(), self.peeled.clone(), self.edges.clone(), self.exits.clone());
        let aside = self.aside.clone();
        self.heads.remove(&head);
        self.edges.retain(|(f, _), _| !members.contains(f));
        self.exits.retain(|b, _| !members.contains(b));
        self.aside.retain(|h, _| !members.contains(h));
        let ended = self.first_iteration(run, head, at, end, members);
        if !ended {
            self.iterate(run, head, at, end);
        }
        let fewer = self.heads.get(&head).is_some_and(|h| h.len() < known);
        if ended || !fewer {
            (self.heads, self.peeled, self.edges, self.exits) = before;
            self.aside = aside;
        }
    }

    /// Whether a loop was solved with its first iteration apart.
    pub(super) fn is_apart(&self, head: BlockId) -> bool {
        self.aside.contains_key(&head)
    }

    /// Executes the first iteration and sets aside what leaves the loop. Whether nothing comes back to its head.
    pub(super) fn first_iteration(
        &mut self,
        run: &mut Run<'_>,
        head: BlockId,
        at: usize,
        end: usize,
        members: &FxHashSet<BlockId>,
    ) -> bool {
        run.cx.statistics.iterations += 1;
        let states = self.incoming(head);
        if states.is_empty() {
            return true;
        }
        let states = self.reduced(run, head, states);
        self.block(run, head, states);
        self.range(run, at + 1, end);
        let mut back = Vec::new();
        for p in self.scope.info.cfg.predecessors(head).iter().filter(|p| members.contains(p)) {
            back.extend(self.edges.get(&(*p, head)).into_iter().flatten().cloned());
            back.extend(self.left_aside(*p, head).cloned());
        }
        if back.is_empty() {
            return true;
        }
        self.set_aside(head, members);
        self.peeled.insert(head, (back, members.clone()));
        false
    }

    fn set_aside(&mut self, head: BlockId, members: &FxHashSet<BlockId>) {
        let mut left = Left::default();
        let inner = self.aside.iter().filter(|(h, _)| members.contains(h));
        let edges = inner.flat_map(|(_, l)| &l.edges).chain(&self.edges);
        for ((from, to), states) in edges.filter(|((f, t), _)| members.contains(f) && !members.contains(t)) {
            left.edges.entry((*from, *to)).or_default().extend(states.iter().cloned());
        }
        let inner = self.aside.iter().filter(|(h, _)| members.contains(h));
        left.exits.extend(inner.flat_map(|(_, l)| &l.exits).cloned());
        for block in members {
            left.exits.extend(self.exits.remove(block).into_iter().flatten());
        }
        self.edges.retain(|(f, _), _| !members.contains(f));
        self.aside.retain(|h, _| !members.contains(h));
        self.aside.insert(head, left);
    }

    /// What was set aside on an edge.
    pub(super) fn left_aside(&self, from: BlockId, to: BlockId) -> impl Iterator<Item = &State> {
        self.aside.values().filter_map(move |l| l.edges.get(&(from, to))).flatten()
    }

    /// All states in which the function returns.
    pub(crate) fn returned(&self) -> impl Iterator<Item = &State> {
        self.exits.values().flatten().chain(self.aside.values().flat_map(|l| &l.exits))
    }
}
