//! Is the result of a solve really a post-fixpoint?
//!
//! After the iteration of a function its loop heads are frozen and every block is executed once more, in order, from the
//! frozen heads and what flows from them. What then arrives at a head must be included in its states, and what is
//! returned in the exits. The check shares the domain's operations and the execution of blocks with the solver, but not its
//! iteration, joins and widening. A failure is a defect of the analyser or of a domain that breaks its laws; it is reported
//! as an alarm, so that nothing is claimed.
//!
//! Cost: one more pass per solve. Calls are answered by the table; functions that have to be solved again for it are
//! not checked a second time.

use crate::domain::Calls;
use crate::solver::{Solver, Work};
use heapwise_property::Reason;

impl<D: Calls> Solver<'_, D> {
    /// Checks the result of a solve, if that is asked for; with its entry if callers get what the table holds.
    pub(crate) fn recheck(&mut self, work: &Work<'_, D::State>, key: Option<&D::State>) {
        if !self.cx.settings.recheck || self.cx.is_exhausted() || self.rechecking {
            return;
        }
        self.rechecking = true;
        let counters = self.statistics;
        let mut pass = Work::new(work.func, work.body, work.info.clone(), work.entry.clone());
        self.check_range(work, &mut pass, 0, work.info.wto.entries().len());
        let exits = match key {
            Some(key) => self.table.exits_so_far(work.func, key),
            None => work.returned(),
        };
        for state in pass.returned() {
            if !self.covered_in_the_end(state, &exits) {
                let message = "internal check: the states in which this function returns are not stable";
                self.cx.alarm(&work.site(work.body.end), Reason::Recheck, false, message);
            }
        }
        self.statistics = counters;
        self.rechecking = false;
    }

    /// Executes blocks once, loops from their frozen heads.
    fn check_range(
        &mut self,
        done: &Work<'_, D::State>,
        pass: &mut Work<'_, D::State>,
        from: usize,
        to: usize,
    ) {
        let mut at = from;
        while at < to {
            let Some(entry) = done.info.wto.entries().get(at).copied() else { return };
            let Some(end) = entry.end else {
                let states = self.at_start(pass.incoming(entry.block));
                self.block(pass, entry.block, states);
                at += 1;
                continue;
            };
            pass.begin_component(at, end);
            let frozen = done.heads.get(&entry.block).cloned().unwrap_or_default();
            self.block(pass, entry.block, frozen.clone());
            self.check_range(done, pass, at + 1, end);
            for state in pass.incoming(entry.block) {
                if !self.covered_in_the_end(state, &frozen) {
                    let message = "internal check: the states of this loop are not stable";
                    self.cx.alarm(&done.head_site(entry.block), Reason::Recheck, false, message);
                }
            }
            at = end;
        }
    }

    /// Whether a state is included in others, directly or after the step that the solver takes too.
    fn covered_in_the_end(&mut self, state: D::State, by: &[D::State]) -> bool {
        self.cx.is_exhausted()
            || self.covered(&state, by)
            || self.domain.generalise(state).iter().all(|part| self.covered(part, by))
    }
}
