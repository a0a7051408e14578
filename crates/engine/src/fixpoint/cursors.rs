//! Cursors that a loop does not name are let go of where many disjuncts enter it.
//!
//! Cursors in one structure have as many orders as there are, and each is a disjunct; a loop that walks with one more goes through
//! all of them. What such a loop does not name it does not follow: of those cursors is kept in which structures, or at which blocks, they
//! may stand ([`heapwise_heap::state::PointsTo`]), independently of each other, and what they stood at may be folded. When one of them is
//! followed later, its structure is cut there.
//!
//! A cursor is let go of only if what it leads to is reached from another name in every disjunct that enters the loop; of two names that
//! lead to each other the one that is declared first stays. It is done in thrifty attempts, and only where disjuncts are more than a
//! few: attempts after them keep the orders.
//!
//! Soundness: a points-to set says less than a name ([`State::let_go`]), and may be put in its place anywhere.
//!
//! Cost: one walk from each variable in each disjunct.

use super::compaction::{joined, without_dead};
use super::run::Run;
use super::solver::Solver;
use crate::precision::JoinPolicy;
use heapwise_heap::state::Walk;
use heapwise_heap::{PredTable, Root, State, Sym};
use heapwise_ir::visit::{statement_locals, terminator_locals};
use heapwise_ir::{BlockId, LocalId, LocalSet};
use rustc_hash::FxHashSet;

impl Solver<'_> {
    /// States that enter a loop, without the places of cursors that it does not name, if they are more than a few.
    pub(super) fn with_loose_cursors(
        &self,
        run: &mut Run<'_>,
        live: Option<&LocalSet>,
        members: &FxHashSet<BlockId>,
        states: Vec<State>,
    ) -> Vec<State> {
        if JoinPolicy::are_few(states.len()) {
            return states;
        }
        let slim = |state: State| match live {
            Some(live) => without_dead(run, live, state),
            None => state,
        };
        let states: Vec<State> = states.into_iter().map(slim).collect();
        let loose = loose(&states, &self.named_locals(members), &run.cx.preds);
        if loose.is_empty() {
            return states;
        }
        run.cx.clumped = true;
        let mut folded = Vec::with_capacity(states.len());
        for mut state in states {
            for root in &loose {
                state.let_go(*root, &run.cx.preds);
            }
            folded.push(run.cx.folded(&state, true));
        }
        joined(run, folded)
    }

    fn named_locals(&self, members: &FxHashSet<BlockId>) -> FxHashSet<LocalId> {
        let mut named: FxHashSet<LocalId> = FxHashSet::default();
        let mut note = |l: LocalId| {
            named.insert(l);
        };
        for block in members.iter().filter_map(|b| self.scope.body.blocks.get(*b)) {
            block.statements.iter().for_each(|s| statement_locals(s, &mut |l, _| note(l)));
            terminator_locals(&block.terminator, &mut note);
        }
        named
    }
}

/// Variables that are not named and lead to memory that is reached without them in all states.
fn loose(states: &[State], named: &FxHashSet<LocalId>, preds: &PredTable) -> Vec<Root> {
    let leads = |state: &State, root: Root| state.root(root)?.as_sym().filter(|s| state.owns_memory(*s));
    let idle = |root: &Root| matches!(root, Root::Local(l) if !named.contains(l));
    let mut steady: Vec<Root> = Vec::new();
    for state in states {
        let found = state.roots().map(|(r, _)| r).filter(|r| idle(r) && leads(state, *r).is_some());
        steady.extend(found);
    }
    steady.sort_unstable();
    steady.dedup();
    // By state: what is reached from names that are no variables, and from each variable.
    let walk = |state: &State, from: Vec<Sym>| state.reach(from, Walk::Memory { preds, lean: true });
    let ways = |state: &State| {
        let fixed = state.roots().filter(|(r, _)| !matches!(r, Root::Local(_) | Root::Cut(_)));
        let fixed = walk(state, fixed.filter_map(|(_, v)| v.as_sym()).collect());
        let each = steady.iter().map(|r| walk(state, leads(state, *r).into_iter().collect()));
        (fixed, each.collect::<Vec<_>>())
    };
    let ways: Vec<_> = states.iter().map(ways).collect();
    let mut kept = vec![true; steady.len()];
    for (k, root) in steady.iter().enumerate().rev() {
        let is_reached = states.iter().zip(&ways).all(|(state, (fixed, each))| {
            let Some(to) = leads(state, *root) else { return true };
            let mut others = each.iter().zip(&kept).enumerate().filter(|(i, (_, kept))| *i != k && **kept);
            fixed.contains(to) || others.any(|(_, (reached, _))| reached.contains(to))
        });
        if is_reached && let Some(slot) = kept.get_mut(k) {
            *slot = false;
        }
    }
    steady.into_iter().zip(kept).filter(|(_, kept)| !kept).map(|(root, _)| root).collect()
}
