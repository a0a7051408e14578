//! From a program to an answer: which attempts at a proof are made and what they may cost, and what they and concrete runs
//! come to.

pub(crate) mod attempt;
pub(crate) mod schedule;
pub mod verdict;

use crate::facts::Facts;
use crate::options::Options;
use crate::report::Report;
use attempt::Outcome;
use heapwise_ir::Program;
use schedule::{Progress, Schedule};
use std::time::Instant;

/// Analyses a whole program from its entry function.
pub fn analyse(program: &Program, options: &Options) -> Report {
    analyse_known(&Facts::new(program, options))
}

/// The same, where it is known already what there is to know beforehand.
pub(crate) fn analyse_known(facts: &Facts<'_>) -> Report {
    let start = Instant::now();
    let options = facts.options;
    let mut schedule = Schedule::new(facts, options.timeout.and_then(|time| start.checked_add(time)));
    loop {
        match schedule.round(options.jobs) {
            Progress::Proved(outcome) => return report(*outcome, start),
            Progress::Open => {}
            Progress::Ended => return report(schedule.report(), start),
        }
    }
}

fn report(outcome: Outcome, start: Instant) -> Report {
    let mut statistics = outcome.statistics;
    statistics.time = start.elapsed().saturating_sub(statistics.loss_time);
    Report {
        alarms: outcome.alarms.into_values().collect(),
        preds: outcome.preds,
        states: outcome.states,
        final_states: outcome.final_states,
        assumptions: outcome.assumptions.into_iter().collect(),
        entries: outcome.entries.into_iter().collect(),
        refusals: outcome.refusals.into_iter().collect(),
        loops: outcome.loops,
        statistics,
    }
}
