//! From a program to an answer: which attempts at a proof are made and what they may cost, and what they and concrete runs
//! come to.

mod attempt;
mod attempts;
pub mod verdict;

use crate::facts::Facts;
use crate::options::Options;
use crate::report::Report;
use attempts::{Attempts, Interlude};
use heapwise_ir::Program;
use std::time::Instant;

/// Analyses a whole program from its entry function.
pub fn analyse(program: &Program, options: &Options) -> Report {
    analyse_with(program, options, None)
}

/// Analyses a whole program; what is given is done once the first attempts at a proof have failed.
fn analyse_with(program: &Program, options: &Options, interlude: Interlude<'_>) -> Report {
    let start = Instant::now();
    let facts = Facts::new(program, options);
    let outcome = Attempts::new(&facts).run(interlude);
    let mut statistics = outcome.statistics;
    statistics.time = start.elapsed().saturating_sub(statistics.loss_time);
    Report {
        alarms: outcome.alarms.into_values().collect(),
        preds: outcome.preds,
        states: outcome.states,
        final_states: outcome.final_states,
        assumptions: outcome.assumptions.into_iter().collect(),
        statistics,
    }
}
