//! Is the result of a solve really a post-fixpoint?
//!
//! After the iteration of a function the loop heads are frozen and every block is executed once more, in order, from
//! the frozen heads and what flows from them. What then arrives at a head must be included in its states, and what
//! is returned in the exits. The check shares the transfer functions, inclusion and the execution of single blocks with the
//! solver, but neither iteration and widening nor the edges kept from earlier rounds. A failure is a defect of the analyser; it is
//! reported as an alarm, so that nothing is claimed. The states met on the way are the final ones of each point.
//!
//! Cost: one more pass per solve. Calls are answered by the table; functions that have to be solved again for it are
//! not checked a second time.

use super::frame::Worth;
use super::run::Run;
use super::solver::Solver;
use heapwise_heap::State;
use heapwise_heap::fold::focused;
use heapwise_heap::lattice::inclusion::is_included;
use heapwise_ir::BlockId;
use heapwise_property::Reason;
use rustc_hash::FxHashSet;

impl Solver<'_> {
    /// Checks the result of [`Solver::run`], if that is asked for.
    pub(crate) fn recheck(&self, run: &mut Run<'_>) {
        if !run.cx.options.recheck || run.cx.stop.is_some() || run.cx.rechecking {
            return;
        }
        run.cx.rechecking = true;
        let counters = run.cx.statistics;
        let scope = self.scope;
        let mut pass = Solver::new(scope.func, scope.body, scope.info, self.entry.clone());
        pass.unfoldable = self.unfoldable;
        self.check_range(&mut pass, run, 0, scope.info.wto.entries().len());
        let mut exits: Vec<State> = self.returned().cloned().collect();
        // What callers get is what counts.
        if let [entry] = self.entry.as_slice() {
            exits.extend(run.table.exits_so_far(scope.func, entry));
        }
        for state in pass.returned() {
            if !covered(run, state, &exits) {
                let message =
                    "internal check: the states in which this function returns are not stable".into();
                run.cx.alarm(scope.func, Reason::Recheck, scope.body.end, false, message, Vec::new());
            }
        }
        // What it did does not count, how long it took does.
        run.cx.statistics = counters.with_times_of(&run.cx.statistics);
        run.cx.rechecking = false;
    }
}

impl Solver<'_> {
    /// Executes blocks once, loops from their frozen heads.
    fn check_range(&self, pass: &mut Solver<'_>, run: &mut Run<'_>, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let Some(entry) = self.scope.info.wto.entries().get(at).copied() else { return };
            match entry.end {
                None => {
                    let states = pass.incoming(entry.block);
                    let states = pass.reduced(run, entry.block, states);
                    pass.block(run, entry.block, states);
                    at += 1;
                }
                Some(end) => {
                    self.check_component(pass, run, entry.block, at, end);
                    at = end;
                }
            }
        }
    }

    fn check_component(
        &self,
        pass: &mut Solver<'_>,
        run: &mut Run<'_>,
        head: BlockId,
        at: usize,
        end: usize,
    ) {
        let entries = self.scope.info.wto.entries();
        let members: FxHashSet<BlockId> = entries.iter().take(end).skip(at).map(|e| e.block).collect();
        pass.heads.remove(&head);
        pass.peeled.remove(&head);
        pass.aside.remove(&head);
        pass.edges.retain(|(f, _), _| !members.contains(f));
        pass.trim_entering(run, head, &members);
        let framed = self.framed.contains(&head);
        if framed && !pass.set_frame_aside(run, head, &members, Worth::ALWAYS) {
            self.unstable(run, head);
            return;
        }
        self.check_iterations(pass, run, (head, at, end), &members);
        if framed {
            pass.put_frame_back(&members);
        }
    }

    fn unstable(&self, run: &mut Run<'_>, head: BlockId) {
        let message = "internal check: the states of this loop are not stable".into();
        let span = self.head_span(head);
        run.cx.alarm(self.scope.func, Reason::Recheck, span, false, message, Vec::new());
    }

    fn check_iterations(
        &self,
        pass: &mut Solver<'_>,
        run: &mut Run<'_>,
        (head, at, end): (BlockId, usize, usize),
        members: &FxHashSet<BlockId>,
    ) {
        let done = match self.is_apart(head) {
            true => pass.first_iteration(run, head, at, end, members),
            false => pass.peel(run, head, at, end, members),
        };
        if done {
            return;
        }
        let frozen = self.at_head(head);
        pass.block(run, head, frozen.clone());
        self.check_range(pass, run, at + 1, end);
        let moving = pass.moving(head);
        for state in pass.incoming(head) {
            let state = pass.slimmed(run, head, state, &moving);
            if !covered(run, &state, &frozen) {
                self.unstable(run, head);
            }
        }
    }
}

/// Whether a state is included in one of the others, after the steps that the solver takes too.
fn covered(run: &mut Run<'_>, state: &State, by: &[State]) -> bool {
    let direct = |state: &State, run: &Run<'_>| {
        let canonical = state.canonical().0;
        by.iter().any(|b| is_included(state, b, &run.cx.preds) || b.canonical().0 == canonical)
    };
    if direct(state, run) {
        return true;
    }
    focused(state, &run.cx.preds, true).iter().all(|part| {
        direct(part, run) || {
            let folded = run.cx.folded(part, true);
            direct(&folded, run) || {
                let folded = run.cx.folded(part, false);
                direct(&folded, run)
            }
        }
    })
}
