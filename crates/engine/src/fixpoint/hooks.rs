//! What the shared iteration ([`heapwise_fixpoint::iterate`]) asks of separation logic, and what it takes of its capabilities.
//!
//! Iterations are executed one by one as long as no state leaves the loop (in patient attempts); the first iteration is
//! kept apart where disjuncts are put together eagerly and more than a few are left at a head, because cursors that start at the same
//! place are often the odd ones out; a frame is set aside around loops ([`super::frame`]), and outside of
//! loops descriptions are products ([`super::product`]).

use super::compaction;
use super::run::Run;
use super::solver::Solver;
use crate::disjuncts::merge::Disjunct;
use crate::precision::JoinPolicy;
use heapwise_fixpoint::flow::{Flow, Kept, Members};
use heapwise_fixpoint::iterate::{Apart, Beside, Frame, Iterate, Peel, Peeling, Worth};
use heapwise_fixpoint::recheck::{Checked, Unstable};
use heapwise_heap::State;
use heapwise_heap::fold::focused;
use heapwise_heap::lattice::inclusion::is_included;
use heapwise_ir::BlockId;
use heapwise_property::Reason;

/// Most iterations of a loop that are executed one by one while none of them may be the last.
const PEEL: usize = 16;
/// Disjuncts at a head that need no other try with the first iteration apart.
const FEW: usize = 3;

impl Kept<State> for Disjunct {
    fn of(state: State) -> Disjunct {
        Disjunct::new(state)
    }
    fn state(&self) -> &State {
        &self.state
    }
}

impl<'b> Iterate<'b, Run<'_>> for Solver<'b> {
    type State = State;
    type Kept = Disjunct;

    fn flow(&self) -> &Flow<'b, State, Disjunct> {
        &self.flow
    }
    fn flow_mut(&mut self) -> &mut Flow<'b, State, Disjunct> {
        &mut self.flow
    }
    fn at_start(&mut self, run: &mut Run<'_>, block: BlockId, states: Vec<State>) -> Vec<State> {
        self.reduced(run, block, states)
    }
    fn block(&mut self, run: &mut Run<'_>, block: BlockId, states: Vec<State>) {
        run.cx.at.push((self.scope.func, block));
        self.execute(run, block, states);
        run.cx.at.pop();
    }
    fn update_head(
        &mut self,
        run: &mut Run<'_>,
        head: BlockId,
        incoming: Vec<State>,
        iteration: usize,
    ) -> bool {
        self.take_in(run, head, incoming, iteration)
    }
    fn next_iteration(&mut self, run: &mut Run<'_>, head: BlockId) -> bool {
        run.cx.statistics.iterations += 1;
        !run.cx.out_of_budget(self.scope.func, self.head_span(head))
    }
    fn goes_on(&mut self, run: &mut Run<'_>, head: BlockId, iteration: usize) -> bool {
        let ends = iteration > run.cx.budget.iterations;
        if ends {
            let why = "the loop does not stabilise within the iteration limit";
            run.cx.give_up(self.scope.func, self.head_span(head), why);
        }
        !ends
    }
    fn stable(&mut self, run: &mut Run<'_>, head: BlockId) {
        let stable = self.flow.at_head(head).len();
        run.cx.statistics.head_disjuncts = run.cx.statistics.head_disjuncts.max(stable);
    }
}

impl<'b> Peel<'b, Run<'_>> for Solver<'b> {
    fn most_peeled(&self, run: &Run<'_>) -> usize {
        if run.cx.precision.is_eager() { 0 } else { PEEL }
    }
    fn peels_another(
        &mut self,
        run: &mut Run<'_>,
        first: &[State],
        entered: usize,
        back: &[State],
    ) -> Peeling {
        if back.len() > entered && !JoinPolicy::are_few(back.len()) {
            return Peeling::Together;
        }
        // Iterations that leave more and more structures behind are better described together.
        let structures = compaction::most_summaries;
        if run.cx.precision.is_thrifty() && structures(back) > structures(first) {
            run.cx.clumped = true;
            return Peeling::Afresh;
        }
        Peeling::Another
    }
}

impl<'b> Apart<'b, Run<'_>> for Solver<'b> {
    fn begins_apart(&self, run: &Run<'_>, states: usize) -> bool {
        run.cx.precision.is_eager() && states > FEW && run.cx.stop.is_none() && run.cx.alarms.is_empty()
    }
}

impl<'b> Frame<'b, Run<'_>> for Solver<'b> {
    fn split(
        &self,
        run: &Run<'_>,
        head: BlockId,
        members: &Members,
        worth: Worth,
    ) -> Option<(State, Vec<State>)> {
        self.split_entering(run, head, members, worth)
    }
    fn put_back(state: &mut State, frame: &State) {
        state.put_back(frame);
    }
    fn before_loop(&mut self, run: &mut Run<'_>, head: BlockId, members: &Members) {
        self.trim_entering(run, head, members);
    }
}

impl<'b> Beside<'b, Run<'_>> for Solver<'b> {
    fn begin_outer(&mut self, run: &mut Run<'_>, first: BlockId, members: &Members) -> Option<Vec<State>> {
        (!run.cx.precision.is_eager()).then(|| self.without_parts(run, first, members))
    }
    fn end_outer(&mut self, members: &Members) {
        self.spread(members);
    }
}

impl<'b> Checked<'b, Run<'_>> for Solver<'b> {
    fn again(&self) -> Solver<'b> {
        let scope = self.scope;
        let again = Solver::new(scope.func, scope.body, scope.info, self.flow.entry().to_vec());
        Solver { unfoldable: self.unfoldable, ..again }
    }
    fn at_head(&self, run: &mut Run<'_>, head: BlockId, states: Vec<State>) -> Vec<State> {
        let moving = self.moving(head);
        states.into_iter().map(|state| self.slimmed(run, head, state, &moving)).collect()
    }
    fn covered(&self, run: &mut Run<'_>, state: &State, by: &[State]) -> bool {
        let direct = |state: &State, run: &Run<'_>| {
            let canonical = state.canonical().0;
            by.iter().any(|b| is_included(state, b, &run.cx.preds) || b.canonical().0 == canonical)
        };
        if direct(state, run) {
            return true;
        }
        focused(state, &run.cx.preds, true).iter().all(|part| {
            direct(part, run)
                || [true, false].into_iter().any(|keep_numbers| {
                    let folded = run.cx.folded(part, keep_numbers);
                    direct(&folded, run)
                })
        })
    }
    fn unstable(&self, run: &mut Run<'_>, what: Unstable) {
        let span = match what {
            Unstable::Exits => self.scope.body.end,
            Unstable::Loop(head) => self.head_span(head),
        };
        let message = what.message().to_owned();
        run.cx.alarm(self.scope.func, Reason::Recheck, span, false, message, Vec::new());
    }
}
