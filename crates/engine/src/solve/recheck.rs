//! Is the result of a solve really a post-fixpoint?
//!
//! After the iteration of a function the loop heads are frozen and every block is executed once more, in order, from
//! the frozen heads and what flows from them. What then arrives at a head must be included in its states, and what
//! is returned in the exits. The check shares the transfer functions and inclusion with the solver, but none of its
//! bookkeeping: iteration, widening, edges kept from earlier rounds. A failure is a defect of the analyser; it is
//! reported as an alarm, so that nothing is claimed. The states met on the way are the final ones of each point.
//!
//! Cost: one more pass per solve. Calls are answered by the table; functions that have to be solved again for it are
//! not checked a second time.

use super::Solver;
use crate::alarm::Kind;
use crate::analysis::Analysis;
use heapwise_heap::State;
use heapwise_heap::abstraction::{abstracted, focused};
use heapwise_heap::inclusion::included;

impl Solver<'_> {
    /// Checks the result of [`Solver::run`], if that is asked for.
    pub(crate) fn recheck(&self, analysis: &mut Analysis<'_>) {
        if !analysis.options.recheck || analysis.exhausted || analysis.rechecking {
            return;
        }
        analysis.rechecking = true;
        let counters = analysis.statistics;
        let scope = self.scope;
        let mut pass = Solver::new(scope.func, scope.body, scope.info, self.entry.clone());
        pass.heads = self.heads.clone();
        for entry in scope.info.wto.entries() {
            let states = match entry.end {
                Some(_) => self.heads.get(&entry.block).cloned().unwrap_or_default(),
                None => {
                    let incoming = pass.incoming(entry.block);
                    pass.reduced(analysis, entry.block, incoming)
                }
            };
            pass.block(analysis, entry.block, states);
        }
        for entry in scope.info.wto.entries().iter().filter(|e| e.end.is_some()) {
            let frozen = self.heads.get(&entry.block).map_or(&[][..], Vec::as_slice);
            for state in pass.incoming(entry.block) {
                let state = pass.forget_dead(analysis, entry.block, state);
                if !covered(analysis, &state, frozen) {
                    let message = "internal check: the states of this loop are not stable".into();
                    let span = self.head_span(entry.block);
                    analysis.alarm(scope.func, Kind::Recheck, span, false, message, Vec::new());
                }
            }
        }
        let exits: Vec<State> = self.exits.values().flatten().cloned().collect();
        for state in pass.exits.values().flatten() {
            if !covered(analysis, state, &exits) {
                let message =
                    "internal check: the states in which this function returns are not stable".into();
                analysis.alarm(scope.func, Kind::Recheck, scope.body.end, false, message, Vec::new());
            }
        }
        analysis.statistics = counters;
        analysis.rechecking = false;
    }
}

/// Whether a state is included in one of the others, after the steps that the solver takes too.
fn covered(analysis: &mut Analysis<'_>, state: &State, by: &[State]) -> bool {
    let direct = |state: &State, analysis: &Analysis<'_>| {
        let canonical = state.canonical().0;
        by.iter().any(|b| included(state, b, &analysis.preds).is_ok() || b.canonical().0 == canonical)
    };
    if direct(state, analysis) {
        return true;
    }
    focused(state, &analysis.preds).iter().all(|part| {
        direct(part, analysis) || {
            let types = &analysis.program.types;
            let folded = abstracted(part, &mut analysis.preds, types, 2);
            direct(&folded, analysis)
        }
    })
}
