//! From alarms to verdicts: *proved*, *error* confirmed by a concrete run, *unknown* with what was lost.
//!
//! The proof comes first. If it leaves alarms, concrete runs on random inputs look for an execution that really goes
//! wrong; only such a run makes the answer *error*. The search is bounded by runs, steps and time.

use crate::alarm::{Alarm, Kind};
use crate::analysis::{Report, analyse};
use crate::options::{Options, Properties};
use heapwise_interp::{ErrorKind, LeakPolicy, Outcome, Policy, RandomInputs, RunError, RunResult};
use heapwise_ir::Program;
use std::time::{Duration, Instant};

/// The answer to a check.
#[derive(Debug)]
pub enum Verdict {
    /// No execution goes wrong.
    Proved,
    /// An execution that goes wrong.
    Error(Box<Confirmed>),
    /// Neither was shown.
    Unknown(Vec<Alarm>),
}

/// A concrete run that went wrong.
#[derive(Debug)]
pub struct Confirmed {
    /// What went wrong, where, with the history of the object.
    pub error: RunError,
    /// The whole run, with the inputs that were drawn.
    pub run: RunResult,
    /// The seed of the inputs.
    pub seed: u64,
}

/// How long concrete runs may look for an error.
#[derive(Clone, Copy, Debug)]
pub struct Hunt {
    /// Most runs.
    pub runs: u64,
    /// Most statements per run.
    pub steps: u64,
    /// Wall-clock limit for all runs together.
    pub time: Duration,
}

impl Default for Hunt {
    fn default() -> Self {
        Hunt { runs: 300, steps: 200_000, time: Duration::from_secs(2) }
    }
}

/// Checks a program.
pub fn check(program: &Program, options: &Options, hunt: &Hunt) -> (Verdict, Report) {
    let report = analyse(program, options);
    if report.alarms.is_empty() {
        return (Verdict::Proved, report);
    }
    // Runs know nothing of shapes that are assumed, nor how to call a function by its contract.
    let concrete = |a: &Alarm| !matches!(a.kind, Kind::Postcondition | Kind::Shape | Kind::Recheck);
    if options.function.is_some() || !report.assumptions.is_empty() || !report.alarms.iter().any(concrete) {
        return (Verdict::Unknown(report.alarms.clone()), report);
    }
    match find_error(program, options, hunt) {
        Some(confirmed) => (Verdict::Error(Box::new(confirmed)), report),
        None => (Verdict::Unknown(report.alarms.clone()), report),
    }
}

/// Most statements of a run that looks for lost blocks after each of them.
const SHORT_RUN: u64 = 10_000;

/// Looks for a concrete run that violates one of the properties.
pub fn find_error(program: &Program, options: &Options, hunt: &Hunt) -> Option<Confirmed> {
    let deadline = Instant::now().checked_add(hunt.time);
    let properties = &options.properties;
    let mut settings = heapwise_interp::Options {
        entry: options.entry.clone(),
        leaks: match (properties.cleanup, properties.leak) {
            (true, _) => LeakPolicy::None,
            (false, true) => LeakPolicy::Reachable,
            _ => LeakPolicy::Ignore,
        },
        lost_block_interval: properties.leak.then_some(1),
        ..heapwise_interp::Options::default()
    };
    settings.limits.steps = hunt.steps;
    settings.limits.memory = 64 << 20;
    settings.limits.depth = 10_000;
    let stop = |counts: bool| if counts { Policy::Stop } else { Policy::Ignore };
    settings.overflow = stop(properties.overflow);
    settings.shift = stop(properties.overflow);
    settings.uninitialised = stop(properties.uninitialised);
    settings.assertion = stop(properties.assertion);
    for seed in 0..hunt.runs {
        if deadline.is_some_and(|d| Instant::now() > d) {
            return None;
        }
        // Looking for lost blocks after every statement costs a walk over the heap each time: only short runs
        // can afford it, the others look when the program ends.
        let short = seed % 4 != 3;
        settings.lost_block_interval = (properties.leak && short).then_some(1);
        settings.limits.steps = if short { hunt.steps.min(SHORT_RUN) } else { hunt.steps };
        let mut inputs = RandomInputs::new(seed);
        let run = heapwise_interp::run(program, &settings, &mut inputs, None);
        if let Outcome::Error(error) = &run.outcome {
            if violates(properties, error.kind) {
                return Some(Confirmed { error: (**error).clone(), run, seed });
            }
            if error.kind == ErrorKind::Unsupported {
                return None;
            }
        }
    }
    None
}

/// Whether an error of the interpreter is one of those that count.
pub fn violates(properties: &Properties, kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::NullDeref
        | ErrorKind::UseAfterFree
        | ErrorKind::UseAfterScope
        | ErrorKind::OutOfBounds
        | ErrorKind::InvalidDeref
        | ErrorKind::WriteToConstant
        | ErrorKind::BadArgument
        | ErrorKind::OverlappingCopy => properties.deref,
        ErrorKind::DoubleFree | ErrorKind::InvalidFree => properties.free,
        ErrorKind::Leak | ErrorKind::LostBlock => properties.leak || properties.cleanup,
        ErrorKind::Uninitialised => properties.uninitialised,
        ErrorKind::Assertion => properties.assertion,
        ErrorKind::ReachError => properties.reach_error,
        ErrorKind::DivisionByZero => properties.division,
        ErrorKind::Overflow | ErrorKind::Shift => properties.overflow,
        ErrorKind::BadCall
        | ErrorKind::UndefinedFunction
        | ErrorKind::Unreachable
        | ErrorKind::Trap
        | ErrorKind::Unsupported => false,
    }
}
