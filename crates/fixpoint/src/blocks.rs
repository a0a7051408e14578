//! How blocks are executed on states of a domain, and how a loop head takes in what comes to it.
//!
//! At a loop head a new state that is included in an old one is dropped; after a little unrolling it is generalised and put into
//! an old one that takes it, at first by `join`, later by `widen`, and kept beside them otherwise.
//!
//! Termination: widening makes every state at a head change finitely often, and the number of states and iterations is
//! limited; a limit that is reached is an alarm. Cost: states × statements × iterations; states at one point are compared
//! pairwise.

use crate::context::Site;
use crate::domain::Calls;
use crate::flow::Flow;
use crate::iterate::{Apart, Beside, Frame, Iterate, Peel};
use crate::recheck::{Checked, Unstable};
use crate::solver::{Solver, Work};
use heapwise_ir::{BlockId, Span, StatementKind, TerminatorKind};
use heapwise_property::{ErrorKind, Reason};

/// Iterations after those that are unrolled in which states are joined before they are widened.
const JOINED: usize = 4;

/// So many times more states than there may be at a point are not told apart any more.
const CROWD: usize = 8;

impl<'b, D: Calls> Iterate<'b, Solver<'_, D>> for Work<'b, D::State> {
    type State = D::State;
    type Kept = D::State;

    fn flow(&self) -> &Flow<'b, D::State> {
        &self.flow
    }
    fn flow_mut(&mut self) -> &mut Flow<'b, D::State> {
        &mut self.flow
    }
    /// Distinct states, and if they are many, put together where that is possible.
    fn at_start(&mut self, run: &mut Solver<'_, D>, _: BlockId, states: Vec<D::State>) -> Vec<D::State> {
        let kept = run.distinct(states);
        if kept.len() <= run.cx.settings.apart {
            return kept;
        }
        let mut fewer = Vec::new();
        for state in kept {
            run.put_in(&mut fewer, state, false, Span::default());
        }
        fewer
    }
    fn block(&mut self, run: &mut Solver<'_, D>, block: BlockId, states: Vec<D::State>) {
        run.block(self, block, states);
    }
    fn update_head(
        &mut self,
        run: &mut Solver<'_, D>,
        head: BlockId,
        incoming: Vec<D::State>,
        iteration: usize,
    ) -> bool {
        let site = self.head_site(head);
        let mut invariant = self.flow.take_head(head);
        let mut changed = false;
        for state in incoming {
            if run.covered(&state, &invariant) {
                continue;
            }
            if iteration < run.cx.settings.unroll {
                changed = true;
                invariant.push(state);
                continue;
            }
            let widen = iteration >= run.cx.settings.unroll + JOINED;
            for part in run.domain.generalise(state) {
                changed |= run.put_in(&mut invariant, part, widen, site.span);
            }
        }
        if invariant.len() > run.cx.settings.max_disjuncts {
            let why = run.refused.get(&site.span).map(|w| format!(" ({w})")).unwrap_or_default();
            run.cx.give_up(&site, format!("too many states at a loop head{why}"));
        }
        self.flow.set_head(head, invariant);
        changed
    }
    fn next_iteration(&mut self, run: &mut Solver<'_, D>, _: BlockId) -> bool {
        run.statistics.iterations += 1;
        !run.cx.is_exhausted()
    }
    fn goes_on(&mut self, run: &mut Solver<'_, D>, head: BlockId, iteration: usize) -> bool {
        if iteration > run.cx.settings.max_iterations {
            run.cx.give_up(&self.head_site(head), "the loop does not stabilise within the iteration limit");
        }
        !run.cx.is_exhausted()
    }
    fn stable(&mut self, run: &mut Solver<'_, D>, head: BlockId) {
        let stable = self.flow.at_head(head).len();
        run.statistics.head_disjuncts = run.statistics.head_disjuncts.max(stable);
    }
}

impl<'b, D: Calls> Peel<'b, Solver<'_, D>> for Work<'b, D::State> {}
impl<'b, D: Calls> Apart<'b, Solver<'_, D>> for Work<'b, D::State> {}
impl<'b, D: Calls> Frame<'b, Solver<'_, D>> for Work<'b, D::State> {}
impl<'b, D: Calls> Beside<'b, Solver<'_, D>> for Work<'b, D::State> {}

impl<'b, D: Calls> Checked<'b, Solver<'_, D>> for Work<'b, D::State> {
    fn again(&self) -> Self {
        Work { flow: self.flow.again(), ..*self }
    }
    fn covered(&self, run: &mut Solver<'_, D>, state: &D::State, by: &[D::State]) -> bool {
        run.cx.is_exhausted()
            || run.covered(state, by)
            || run.domain.generalise(state.clone()).iter().all(|part| run.covered(part, by))
    }
    fn unstable(&self, run: &mut Solver<'_, D>, what: Unstable) {
        let at = match what {
            Unstable::Exits => self.site(self.flow.graph.body.end),
            Unstable::Loop(head) => self.head_site(head),
        };
        run.cx.alarm(&at, Reason::Recheck, false, what.message());
    }
}

impl<D: Calls> Solver<'_, D> {
    /// Executes a block.
    fn block(&mut self, work: &mut Work<'_, D::State>, block: BlockId, states: Vec<D::State>) {
        let graph = work.flow.graph;
        work.flow.begin_block(block);
        let (Some(code), Some(live)) = (graph.body.blocks.get(block), work.live.get(block.0 as usize)) else {
            return;
        };
        let mut states = states;
        for (i, statement) in code.statements.iter().enumerate() {
            let at = Site { point: (block, i), live_after: live.get(i + 1), ..work.site(statement.span) };
            self.record(graph.func, block, i, &states);
            let mut next = Vec::new();
            for state in states {
                if !self.cx.step(&at) {
                    return;
                }
                let out = match &statement.kind {
                    StatementKind::Call(call) => self.call(&at, call, state),
                    _ => self.domain.statement(&mut self.cx, &at, statement, state),
                };
                for state in out {
                    next.push(match live.get(i + 1) {
                        Some(live) => self.domain.forget(&mut self.cx, &at, live, state),
                        None => state,
                    });
                }
            }
            // Telling them apart is quadratic.
            let crowded = next.len() > self.cx.settings.max_disjuncts.saturating_mul(CROWD);
            states = if crowded { next } else { self.distinct(next) };
            if states.len() > self.cx.settings.max_disjuncts {
                self.cx.give_up(&at, "too many states at a point");
                return;
            }
        }
        self.record(graph.func, block, code.statements.len(), &states);
        self.terminate(work, block, states);
    }

    fn terminate(&mut self, work: &mut Work<'_, D::State>, block: BlockId, states: Vec<D::State>) {
        let Some(code) = work.flow.graph.body.blocks.get(block) else { return };
        let at = work.head_site(block);
        for state in states {
            if !self.cx.step(&at) {
                return;
            }
            match &code.terminator.kind {
                TerminatorKind::Return(value) => {
                    let states = self.domain.exit(&mut self.cx, &at, value.as_ref(), state);
                    work.flow.give_back(block, states);
                }
                TerminatorKind::Unreachable => {
                    let message = "control may come to a point that is declared never to be reached";
                    self.cx.alarm(&at, ErrorKind::Unreachable, false, message);
                }
                TerminatorKind::Goto(target) => {
                    for state in self.domain.jump(&mut self.cx, &at, state) {
                        self.go(work, block, *target, state);
                    }
                }
                _ => {
                    for (target, state) in self.domain.branch(&mut self.cx, &at, &code.terminator, state) {
                        self.go(work, block, target, state);
                    }
                }
            }
        }
    }

    fn go(&mut self, work: &mut Work<'_, D::State>, from: BlockId, to: BlockId, state: D::State) {
        let at = work.head_site(from);
        let state = match work.live.get(to.0 as usize).and_then(|l| l.first()) {
            Some(live) => self.domain.forget(&mut self.cx, &at, live, state),
            None => state,
        };
        work.flow.send((from, to), [state]);
    }
}
