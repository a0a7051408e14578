//! From alarms to verdicts: *proved*, *error* confirmed by a concrete run, *unknown* with what was lost.
//!
//! Concrete runs look for an execution that really goes wrong ([`heapwise_hunt`]); only such a run makes the answer *error*.
//! Only the analysis makes it *proved*, or the runs of a program that has no others.
//!
//! Runs and proof know nothing of each other, so they go side by side where there are cores for both, and whoever has the answer
//! stops the other; on one core they take turns. Each has limits of its own that are counted, so the answer is the same
//! either way. The clock ends both when the user's time is over.

use super::report;
use super::schedule::{Progress, STACK, Schedule};
use crate::budget::units;
use crate::facts::Facts;
use crate::options::Options;
use crate::report::Report;
use heapwise_hunt::{Confirmed, Hunter, Limits};
use heapwise_ir::library::LibFn;
use heapwise_ir::{CallGraph, FuncId, Program};
use heapwise_property::{ASSUMED, Alarm, Reason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// How far concrete runs go that look for an error.
#[derive(Clone, Copy, Debug)]
pub struct Hunt {
    /// Most runs.
    pub runs: u64,
    /// Most statements per run.
    pub steps: u64,
    /// The effort of all runs together, in [`heapwise_hunt::Effort::units`].
    pub effort: u64,
    /// The effort of runs before a proof is tried for long; none also means that runs prove nothing.
    pub first: u64,
}

impl Default for Hunt {
    fn default() -> Self {
        Hunt { runs: 100_000, steps: 2_000_000, effort: 4_000_000, first: 600_000 }
    }
}

impl Hunt {
    /// The limits of runs with so much effort, which end with the user's time.
    pub fn limits(&self, effort: u64, end: Option<Instant>) -> Limits {
        Limits { runs: self.runs, steps: self.steps, effort, end, stop: None }
    }
}

/// Share of all the work for a proof by finitely many runs, and its most.
const FINITE: (u64, u64) = (10, 10_000_000);
/// Share of all the work for a first hunt.
const FIRST_SHARE: u64 = 10;
/// Share of all the work for the last hunt, and its most: what has not been found by then hardly ever is.
const LAST_HUNT: (u32, u64) = (4, 16_000_000);
/// The effort of runs before anything else is tried: most errors are found with less, and most proofs take no longer.
const GLANCE: u64 = 20_000;
/// How much more all runs may take that are a proof.
const GLANCE_AT_ALL: u64 = 3;
/// Runs are looked at for longer before each of so many rounds of attempts at a proof, and then with all the effort of
/// [`Hunt::first`].
const HUNTED_ROUNDS: u32 = 2;
/// How much more effort than before the round before.
const GROWTH: u64 = 5;

/// When runs are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// Before a round of attempts at a proof, with an effort that grows as the work of rounds does: neither an error nor a
    /// proof waits for more than a few times its own cost.
    Before(u32),
    /// After all attempts.
    Last,
}

/// The runs of a program.
struct Runs<'p> {
    hunter: Hunter<'p>,
    hunt: &'p Hunt,
    /// Whether they may be a proof.
    may_prove: bool,
    /// All the work that the user's time allows.
    most: Option<u64>,
    end: Option<Instant>,
    /// Set when somebody else has the answer.
    stop: Option<Arc<AtomicBool>>,
}

impl Runs<'_> {
    fn limits(&self, effort: u64) -> Limits {
        Limits { stop: self.stop.clone(), ..self.hunt.limits(effort, self.end) }
    }

    /// Makes some runs; what they come to, if it is an answer.
    fn turn(&mut self, turn: Turn) -> Option<Verdict> {
        let share = |of: u64| self.most.map(|most| most / of);
        let first = share(FIRST_SHARE).unwrap_or(u64::MAX).min(self.hunt.first);
        let finite = share(FINITE.0).unwrap_or(u64::MAX).min(FINITE.1);
        let (hunted, all) = match turn {
            Turn::Before(HUNTED_ROUNDS..) => (first, finite),
            Turn::Before(round) => {
                let glance = GLANCE.saturating_mul(GROWTH.saturating_pow(round));
                (first.min(glance), finite.min(glance.saturating_mul(GLANCE_AT_ALL)))
            }
            Turn::Last => (share(LAST_HUNT.0.into()).map_or(self.hunt.effort, |s| s.min(LAST_HUNT.1)), 0),
        };
        if let Some(confirmed) = self.hunter.hunt(&self.limits(hunted)) {
            return Some(Verdict::Error(Box::new(confirmed)));
        }
        let proved =
            self.may_prove && all > 0 && self.hunter.runs_prove(&self.limits(all.min(self.hunt.effort)));
        proved.then_some(Verdict::Proved)
    }
}

/// What is known of a check before it begins.
struct Question<'p> {
    program: &'p Program,
    options: &'p Options,
    hunt: &'p Hunt,
    start: Instant,
    /// Whether a run that goes wrong is an answer.
    runs_mean_something: bool,
    /// Whether runs that go right may be one.
    runs_may_prove: bool,
}

impl<'p> Question<'p> {
    fn new(program: &'p Program, options: &'p Options, hunt: &'p Hunt) -> Question<'p> {
        let entry = program.function_named(&options.entry);
        let reached = entry.map(|f| CallGraph::new(program).reachable_from(f));
        let has = |lib: LibFn| {
            let mut functions = program.functions.iter_enumerated().filter(|(_, f)| f.library == Some(lib));
            functions.any(|(id, _)| reached.as_ref().is_none_or(|all| all.contains(id)))
        };
        // Runs know nothing of shapes that are assumed, nor how to call a function by its contract.
        let runs_mean_something = options.function.is_none() && !has(LibFn::AssumeShape);
        // Runs do not look at shapes that are to be shown, and leave no states.
        let runs_may_prove = runs_mean_something
            && !has(LibFn::CheckShape)
            && !options.record_states
            && hunt.first > 0
            && !options.malloc_may_fail;
        Question { program, options, hunt, start: Instant::now(), runs_mean_something, runs_may_prove }
    }

    /// When the user's time is over, less a reserve.
    fn end(&self, reserve: Duration) -> Option<Instant> {
        self.options.timeout.and_then(|t| self.start.checked_add(t.saturating_sub(reserve)))
    }

    fn runs(&self, stop: Option<Arc<AtomicBool>>) -> Option<Runs<'p>> {
        self.runs_mean_something.then(|| Runs {
            hunter: Hunter::new(self.program, &self.options.entry, self.options.properties)
                .with_failing_allocations(self.options.malloc_may_fail),
            hunt: self.hunt,
            may_prove: self.runs_may_prove,
            most: self.options.timeout.map(units),
            end: self.end(Duration::ZERO),
            stop,
        })
    }

    /// Whether a proof waits for what runs say. A proof of less than everything rests on what they know of the rest
    /// ([`Hunter::other_error`]), and what leaves states is done once.
    fn runs_come_first(&self) -> bool {
        let watches_memory = ASSUMED.iter().all(|p| self.options.properties.has(*p));
        self.options.record_states || !watches_memory
    }

    /// Runs and proof in turn: a glance at runs, first attempts at a proof, more runs, more attempts; at last a longer hunt.
    fn in_turn(&self) -> (Verdict, Report) {
        let mut runs = self.runs(self.options.abandoned.clone());
        let mut turn = |turn: Turn| runs.as_mut().and_then(|runs| runs.turn(turn));
        let first = if self.runs_come_first() { HUNTED_ROUNDS } else { 0 };
        if let Some(verdict) = turn(Turn::Before(first)) {
            return (verdict, Report::default());
        }
        let reserve = self.options.timeout.map_or(Duration::ZERO, |t| t / LAST_HUNT.0);
        let facts = Facts::new(self.program, self.options);
        let mut schedule = Schedule::new(&facts, self.end(reserve));
        let report = loop {
            match schedule.round(self.options.jobs) {
                Progress::Proved(outcome) => break report(*outcome, self.start),
                Progress::Ended => break report(schedule.report(), self.start),
                Progress::Open if (first + 1..=HUNTED_ROUNDS).contains(&schedule.next_round()) => {
                    if let Some(verdict) = turn(Turn::Before(schedule.next_round())) {
                        return (verdict, Report::default());
                    }
                }
                Progress::Open => {}
            }
        };
        let Some(mut runs) = runs else { return unconfirmed(report) };
        let report = with_other_error(report, &runs.hunter);
        if report.alarms.is_empty() {
            return (Verdict::Proved, report);
        }
        match runs.turn(Turn::Last) {
            Some(verdict) => (verdict, report),
            None => unconfirmed(report),
        }
    }

    /// Runs and proof side by side.
    fn race(&self) -> (Verdict, Report) {
        let (runs_stop, proof_stop) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        std::thread::scope(|scope| {
            let (stop, answered) = (runs_stop.clone(), proof_stop.clone());
            let builder = std::thread::Builder::new().stack_size(STACK);
            let thread = builder.spawn_scoped(scope, move || {
                let mut runs = self.runs(Some(stop))?;
                let turns = (0..=HUNTED_ROUNDS).map(Turn::Before).chain([Turn::Last]);
                let verdict = turns.into_iter().find_map(|turn| runs.turn(turn))?;
                answered.store(true, Ordering::Relaxed);
                Some(verdict)
            });
            let Ok(thread) = thread else { return self.in_turn() };
            let facts = Facts::new(self.program, self.options);
            let mut schedule = Schedule::new(&facts, self.end(Duration::ZERO));
            schedule.stop_when(proof_stop);
            let report = loop {
                let jobs = if thread.is_finished() { self.options.jobs } else { self.options.jobs - 1 };
                match schedule.round(jobs) {
                    Progress::Proved(outcome) => {
                        runs_stop.store(true, Ordering::Relaxed);
                        break report(*outcome, self.start);
                    }
                    Progress::Ended => break report(schedule.report(), self.start),
                    Progress::Open => {}
                }
            };
            if self.options.abandoned.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                runs_stop.store(true, Ordering::Relaxed);
            }
            // An error that was executed is one, whatever the analysis says; and a thread that cannot be joined has none.
            match thread.join().ok().flatten() {
                Some(verdict) if report.alarms.is_empty() && matches!(verdict, Verdict::Proved) => {
                    (verdict, report)
                }
                Some(verdict) => (verdict, Report::default()),
                None if report.alarms.is_empty() => (Verdict::Proved, report),
                None => unconfirmed(report),
            }
        })
    }
}

/// Checks a program. `options.timeout` is for all of it.
pub fn check(program: &Program, options: &Options, hunt: &Hunt) -> (Verdict, Report) {
    let question = Question::new(program, options, hunt);
    if options.jobs > 1 && question.runs_mean_something && !question.runs_come_first() {
        question.race()
    } else {
        question.in_turn()
    }
}

fn unconfirmed(report: Report) -> (Verdict, Report) {
    let verdict = match report.alarms.is_empty() {
        true => Verdict::Proved,
        false => Verdict::Unknown(report.alarms.clone()),
    };
    (verdict, report)
}

/// The proof of one property assumes that nothing else is undefined; where a run shows that something is, there is none.
fn with_other_error(mut report: Report, hunter: &Hunter<'_>) -> Report {
    if report.alarms.is_empty()
        && let Some(error) = hunter.other_error.as_ref()
    {
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
    report
}

/// Looks for a concrete run that violates one of the properties.
pub fn find_error(program: &Program, options: &Options, hunt: &Hunt) -> Option<Confirmed> {
    Hunter::new(program, &options.entry, options.properties)
        .with_failing_allocations(options.malloc_may_fail)
        .hunt(&hunt.limits(hunt.effort, None))
}
