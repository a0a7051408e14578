//! From alarms to verdicts: *proved*, *error* confirmed by a concrete run, *unknown* with what was lost.
//!
//! Concrete runs look for an execution that really goes wrong ([`heapwise_hunt`]); only such a run makes the answer *error*.
//! Only the analysis makes it *proved*, or the runs of a program that has no others. Both share the time that the options
//! give.

use super::report;
use super::schedule::{Progress, Schedule};
use crate::facts::Facts;
use crate::options::Options;
use crate::report::Report;
use heapwise_hunt::{Confirmed, Hunter, Limits};
use heapwise_ir::library::LibFn;
use heapwise_ir::{CallGraph, FuncId, Program};
use heapwise_property::{ASSUMED, Alarm, Reason};
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

/// How long concrete runs may look for an error.
#[derive(Clone, Copy, Debug)]
pub struct Hunt {
    /// Most runs.
    pub runs: u64,
    /// Most statements per run.
    pub steps: u64,
    /// Wall-clock limit for all runs together.
    pub time: Duration,
    /// Wall-clock limit for runs before the proof.
    pub first: Duration,
}

impl Default for Hunt {
    fn default() -> Self {
        Hunt {
            runs: 100_000,
            steps: 2_000_000,
            time: Duration::from_secs(2),
            first: Duration::from_millis(300),
        }
    }
}

impl Hunt {
    /// The limits of runs that share so much time.
    pub fn limits(&self, time: Duration) -> Limits {
        Limits { runs: self.runs, steps: self.steps, time }
    }
}

/// Share of the time for a proof by finitely many runs, and its most.
const FINITE: (u32, Duration) = (10, Duration::from_secs(5));
/// Share of the time for a first hunt.
const FIRST_SHARE: u32 = 10;
/// Share of the time that is kept for the last hunt, and its most: what has not been found by then hardly ever is.
const LAST_HUNT: (u32, Duration) = (4, Duration::from_secs(8));

/// Share of the time for runs before anything else is tried, and its least: most errors are found in less.
const GLANCE: (u32, Duration) = (500, Duration::from_millis(10));
/// How much longer all runs may take that are a proof.
const GLANCE_AT_ALL: u32 = 3;

/// The round of attempts at a proof before which runs are looked at for longer.
const HUNT_BEFORE: u32 = 2;

/// Checks a program: a glance at its runs, which finds most errors at once; a first attempt at a proof, which most
/// programs without errors need no more than; a short hunt, and a proof by all runs; then all attempts at a proof; and if that fails a longer hunt. `options.timeout` is for all
/// of it.
pub fn check(program: &Program, options: &Options, hunt: &Hunt) -> (Verdict, Report) {
    let start = Instant::now();
    let left = |reserve: Duration| {
        options.timeout.map(|t| t.saturating_sub(start.elapsed()).saturating_sub(reserve))
    };
    let mut hunter = Hunter::new(program, &options.entry, options.properties);
    let entry = program.function_named(&options.entry);
    let reached = entry.map(|f| CallGraph::new(program).reachable_from(f));
    let has = |lib: LibFn| {
        let mut functions = program.functions.iter_enumerated().filter(|(_, f)| f.library == Some(lib));
        functions.any(|(id, _)| reached.as_ref().is_none_or(|all| all.contains(id)))
    };
    let runs_mean_something = options.function.is_none() && !has(LibFn::AssumeShape);
    // Runs do not look at shapes that are to be shown, and leave no states.
    let runs_may_prove = runs_mean_something
        && !has(LibFn::CheckShape)
        && !options.record_states
        && hunt.first > Duration::ZERO
        && !options.malloc_may_fail;
    let first = options.timeout.map_or(hunt.first, |t| (t / FIRST_SHARE).min(hunt.first)).min(hunt.time);
    let finite = options.timeout.map_or(FINITE.1, |t| (t / FINITE.0).min(FINITE.1)).min(hunt.time);
    let mut by_runs = |most: Duration| -> Option<Verdict> {
        if !runs_mean_something {
            return None;
        }
        if let Some(confirmed) = hunter.hunt(&hunt.limits(first.min(most))) {
            return Some(Verdict::Error(Box::new(confirmed)));
        }
        let proved =
            runs_may_prove && hunter.runs_prove(&hunt.limits(finite.min(most.saturating_mul(GLANCE_AT_ALL))));
        proved.then_some(Verdict::Proved)
    };
    // A proof of less than everything rests on what the hunt knows of the rest ([`Hunter::other_error`]), and what leaves
    // states is done once. Where runs say nothing there is nothing to wait for.
    let watches_memory = ASSUMED.iter().all(|p| options.properties.has(*p));
    let patient = options.record_states || !watches_memory || !runs_mean_something;
    let glance = options.timeout.map_or(GLANCE.1, |t| (t / GLANCE.0).max(GLANCE.1));
    if let Some(verdict) = by_runs(if patient { Duration::MAX } else { glance }) {
        return (verdict, Report::default());
    }
    let reserve = options.timeout.map_or(Duration::ZERO, |t| (t / LAST_HUNT.0).min(LAST_HUNT.1));
    let facts = Facts::new(program, options);
    let end = left(reserve).and_then(|time| Instant::now().checked_add(time));
    let mut schedule = Schedule::new(&facts, end);
    let mut report = loop {
        match schedule.round() {
            Progress::Proved(outcome) => break report(*outcome, start),
            Progress::Ended => break report(schedule.report(), start),
            // Most programs that are right need no more, and most that are wrong are shown to be so by runs.
            Progress::Open if schedule.next_round() == HUNT_BEFORE && !patient => {
                if let Some(verdict) = by_runs(Duration::MAX) {
                    return (verdict, Report::default());
                }
            }
            Progress::Open => {}
        }
    };
    if report.alarms.is_empty() {
        // The proof of one property assumes that nothing else is undefined; here something is.
        let Some(error) = hunter.other_error.as_ref() else { return (Verdict::Proved, report) };
        report.alarms.push(Alarm {
            kind: Reason::OtherError.into(),
            span: error.span,
            function: error.stack.first().map_or(FuncId(0), |f| f.function),
            definite: true,
            message: format!(
                "the program does something undefined that was not asked for: {}",
                error.message
            ),
            notes: Vec::new(),
        });
    }
    // Runs know nothing of shapes that are assumed, nor how to call a function by its contract.
    let abstract_reasons = [Reason::Precondition, Reason::Postcondition, Reason::Shape, Reason::Recheck];
    let concrete = |a: &Alarm| !abstract_reasons.iter().any(|reason| a.kind == *reason);
    if !runs_mean_something || !report.assumptions.is_empty() || !report.alarms.iter().any(concrete) {
        return (Verdict::Unknown(report.alarms.clone()), report);
    }
    let time = left(Duration::ZERO).map_or(hunt.time, |t| t.min(LAST_HUNT.1));
    match hunter.hunt(&hunt.limits(time)) {
        Some(confirmed) => (Verdict::Error(Box::new(confirmed)), report),
        None => (Verdict::Unknown(report.alarms.clone()), report),
    }
}

/// Looks for a concrete run that violates one of the properties.
pub fn find_error(program: &Program, options: &Options, hunt: &Hunt) -> Option<Confirmed> {
    Hunter::new(program, &options.entry, options.properties).hunt(&hunt.limits(hunt.time))
}
