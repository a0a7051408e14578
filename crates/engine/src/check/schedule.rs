//! Which attempts at a proof are made, in which order, and how much work each may do.
//!
//! There is a fixed list of precisions, from thrifty to thorough. They are tried in rounds: in each round every precision that is
//! still open gets the same share of work, and the share grows from round to round. A precision is closed when it comes to
//! its end without a proof, so that most are tried once; one that does not come to an end keeps the others waiting no longer than its share. The
//! shares are counted in work, so what is found does not depend on the machine.
//!
//! The first precisions know shapes alone, which is quick and settles most programs. Where the user declared predicates, two
//! attempts come before these that put disjuncts together eagerly, by their silhouettes (Li, Berenger, Chang, Rival 2017): the
//! operation keeps a structure, and few descriptions are enough. What an attempt has learned (structures, nodes that may stand
//! for missing children, functions that need more memory) decides which others are worth trying.
//!
//! Within a round precisions stand in stages. Those of one stage know what the stages before have learned and nothing of each other, so they can
//! be tried side by side, with the same result.
//!
//! Cost: a round costs five times the one before, so what is repeated is a quarter of the last round at most.

use super::attempt::{Learned, Outcome, attempt};
use crate::budget::{Budget, StopReason, units};
use crate::facts::Facts;
use crate::precision::{
    CallersNames, Discovery, Entries, Grows, Merging, Numbers, Precision, Strategy, UNROLL,
};
use heapwise_ir::{Function, FunctionBody, Statement, StatementKind};
use heapwise_property::{Alarm, Reason};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The share of work in the first round: what a small program needs, and what each statement of it adds.
const FIRST_SHARE: u64 = 30_000;
const PER_STATEMENT: u64 = 150;
/// How many statements a call counts as: its callee may be analysed for it.
const CALL: usize = 8;
/// How much larger a share is than in the round before.
const GROWTH: u64 = 5;
/// How much more eager attempts with declared predicates get: they are few and seldom in vain.
const EAGER_SHARE: u64 = 20;
/// How much more attempts with related elements get, of which there are several.
const RELATED_SHARE: u64 = 4;
/// How much more the thrifty attempt gets after the first round: it is the one that most often succeeds.
const THRIFTY_SHARE: u64 = 2;
/// No attempt gets more than this part of all the work.
const LARGEST_PART: u64 = 3;
/// The round from which on the unusual precisions are tried even if the usual ones have not come to an end.
const LATE_ROUND: u32 = 3;
/// Disjuncts at a point and iterations of a loop that are usually enough.
const DISJUNCTS: usize = 200;
const ITERATIONS: usize = 40;
/// How often the limits on disjuncts and iterations are raised for a precision that they ended, and by how much.
const RAISES: u32 = 2;
const RAISE: usize = 4;
/// Stack of a thread that makes an attempt: calls are followed to some depth.
pub(crate) const STACK: usize = 256 << 20;
/// The least work for the attempt whose alarms are reported.
const REPORT_SHARE: u64 = 200_000;

/// A precision that may lead to a proof.
struct Candidate {
    precision: Precision,
    stage: Stage,
    open: bool,
    /// How often its limits were raised.
    raised: u32,
}

/// What is tried at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    /// With declared predicates.
    Eager,
    /// The thriftiest.
    Thrifty,
    /// What most programs need beyond it.
    Usual,
    /// What programs need that assert something of the contents of structures.
    Related,
    /// What few programs need.
    Unusual,
}

const PATIENT: Merging = Merging::Patient { unroll: UNROLL };

/// Shapes alone, and what callers name is kept.
const SHAPES: Precision = Precision {
    merging: PATIENT,
    strategy: Strategy::Any,
    entries: Entries::Reachable,
    callers_names: CallersNames::Kept,
    numbers: Numbers::Shapes,
    discovery: Discovery::Usual,
    grows: None,
};
/// The same, but what callers name is forgotten.
const FORGETFUL: Precision = Precision { callers_names: CallersNames::Forgotten, ..SHAPES };
/// The thriftiest.
const THRIFTY: Precision = Precision { entries: Entries::Footprint, ..FORGETFUL };
/// Numbers in elements count. Its alarms are those that are reported.
const NUMBERS: Precision = Precision { numbers: Numbers::Elements, ..SHAPES };

/// Elements of the known structures are related, in the way with this number.
fn related(way: u8, merging: Merging) -> (Stage, Precision) {
    (Stage::Related, Precision { discovery: Discovery::Related(way), merging, ..THRIFTY })
}

/// The precisions of runs that look for what is missing at the start, in the order in which they are tried.
pub(crate) const EXPLORING: [Precision; 4] = [
    Precision { merging: Merging::Eager, strategy: Strategy::ClumpGuided, ..THRIFTY },
    THRIFTY,
    SHAPES,
    NUMBERS,
];

/// What a run that looks for what is missing may cost.
pub(crate) fn exploring_budget(work: u64, end: Option<Instant>) -> Budget {
    Budget {
        work,
        steps: None,
        disjuncts: DISJUNCTS,
        iterations: ITERATIONS,
        end,
        cancel: None,
        answered: None,
    }
}

/// Ways to relate elements that are tried, the likely ones.
const WAYS: u8 = 8;

/// All precisions, in the order in which they are tried.
fn precisions() -> Vec<(Stage, Precision)> {
    let mut all = vec![
        (Stage::Eager, Precision { merging: Merging::Eager, ..THRIFTY }),
        (Stage::Eager, Precision { merging: Merging::Eager, ..SHAPES }),
        (Stage::Thrifty, THRIFTY),
        (Stage::Usual, Precision { discovery: Discovery::CommonLeaves, ..THRIFTY }),
        (Stage::Usual, Precision { discovery: Discovery::CommonLeaves, ..SHAPES }),
        (Stage::Usual, FORGETFUL),
        (Stage::Usual, SHAPES),
        (Stage::Usual, Precision { discovery: Discovery::Learned, merging: Merging::Eager, ..THRIFTY }),
        (Stage::Usual, NUMBERS),
    ];
    all.extend((0..WAYS).flat_map(|way| [Merging::Eager, PATIENT].map(|merging| related(way, merging))));
    all.extend([
        (Stage::Unusual, Precision { numbers: Numbers::Lengths, ..SHAPES }),
        (Stage::Unusual, Precision { discovery: Discovery::BareLists, ..SHAPES }),
        (Stage::Unusual, Precision { numbers: Numbers::Bounds, ..SHAPES }),
        (Stage::Unusual, Precision { grows: Some(Grows::Objects), ..NUMBERS }),
        (
            Stage::Unusual,
            Precision {
                numbers: Numbers::Orders,
                merging: Merging::Patient { unroll: UNROLL + 2 },
                ..NUMBERS
            },
        ),
        (Stage::Unusual, Precision { grows: Some(Grows::Iterations), ..NUMBERS }),
    ]);
    all
}

/// How far a proof has come.
pub(crate) enum Progress {
    /// Here it is.
    Proved(Box<Outcome>),
    /// Another round may find one.
    Open,
    /// No other round is of use.
    Ended,
}

/// The search for a proof.
pub(crate) struct Schedule<'p> {
    facts: &'p Facts<'p>,
    candidates: Vec<Candidate>,
    learned: Learned,
    round: u32,
    /// What the first round gives to each.
    share: u64,
    /// All the work that may be done, and what was done so far.
    most: u64,
    spent: u64,
    end: Option<Instant>,
    /// Set when somebody else has the answer.
    answered: Option<Arc<AtomicBool>>,
    /// The last attempt with the precision that is reported.
    failed: Option<Outcome>,
}

impl<'p> Schedule<'p> {
    /// Nothing is tried yet. `end` is when the user's time is over.
    pub(crate) fn new(facts: &'p Facts<'p>, end: Option<Instant>) -> Schedule<'p> {
        let options = facts.options;
        let candidate = |(stage, precision): (Stage, Precision)| {
            let strategy = match options.strategy {
                Strategy::Any if precision.is_eager() => Strategy::ClumpGuided,
                chosen => chosen,
            };
            let precision = Precision { strategy, ..precision };
            Candidate { precision, stage, open: true, raised: 0 }
        };
        Schedule {
            facts,
            candidates: precisions().into_iter().map(candidate).collect(),
            learned: Learned::default(),
            round: 0,
            share: FIRST_SHARE + PER_STATEMENT.saturating_mul(length(facts) as u64),
            most: options.timeout.map_or(options.max_work, units),
            spent: 0,
            end,
            answered: None,
            failed: None,
        }
    }

    /// Ends everything as soon as this is set.
    pub(crate) fn stop_when(&mut self, answered: Arc<AtomicBool>) {
        self.answered = Some(answered);
    }

    /// The number of the next round.
    pub(crate) fn next_round(&self) -> u32 {
        self.round
    }

    /// Tries every open precision with the share of the next round, so many side by side, until one of them is a proof.
    pub(crate) fn round(&mut self, jobs: usize) -> Progress {
        for stage in [Stage::Eager, Stage::Thrifty, Stage::Usual, Stage::Related, Stage::Unusual] {
            let chosen: Vec<usize> =
                (0..self.candidates.len()).filter(|k| self.is_wanted(*k, stage)).collect();
            let budgets = chosen.iter().map(|k| self.budget(*k)).collect();
            for (k, outcome) in chosen.iter().zip(self.outcomes(&chosen, budgets, jobs)) {
                if let Some(proof) = self.take(*k, outcome) {
                    return Progress::Proved(Box::new(proof));
                }
            }
            if self.is_over() {
                return Progress::Ended;
            }
        }
        self.round += 1;
        // What is not worth trying yet may become so only if something else is still open.
        let open = (0..self.candidates.len()).any(|k| self.candidates[k].open && self.is_of_use(k));
        if open { Progress::Open } else { Progress::Ended }
    }

    /// Makes attempts of which none knows of the others, in order; those after a proof are left out.
    fn outcomes(&self, chosen: &[usize], budgets: Vec<Budget>, jobs: usize) -> Vec<Outcome> {
        let make = |k: usize, budget: Budget| {
            attempt(self.facts, self.candidates[k].precision, budget, true, &self.learned)
        };
        let mut outcomes = Vec::new();
        let mut todo = chosen.iter().copied().zip(budgets);
        while !outcomes.iter().any(Outcome::is_proof) {
            let Some((k, budget)) = todo.next() else { break };
            let others: Vec<(usize, Budget)> = todo.by_ref().take(jobs.saturating_sub(1)).collect();
            std::thread::scope(|scope| {
                let threads: Vec<_> = others
                    .into_iter()
                    .map(|(k, budget)| {
                        let again = budget.clone();
                        let builder = std::thread::Builder::new().stack_size(STACK);
                        (k, again, builder.spawn_scoped(scope, move || make(k, budget)))
                    })
                    .collect();
                outcomes.push(make(k, budget));
                for (k, budget, thread) in threads {
                    // Where no thread can be had, the attempt is made here.
                    let outcome = thread.ok().and_then(|t| t.join().ok());
                    outcomes.push(outcome.unwrap_or_else(|| make(k, budget)));
                }
            });
        }
        // What came after a proof is as if it had not been tried.
        if let Some(proof) = outcomes.iter().position(Outcome::is_proof) {
            outcomes.truncate(proof + 1);
        }
        outcomes
    }

    /// Draws the consequences of an attempt; returns it if it is a proof.
    fn take(&mut self, k: usize, mut outcome: Outcome) -> Option<Outcome> {
        self.spent += outcome.statistics.work.units();
        outcome.statistics.add_times_of(&self.learned.statistics);
        if self.learned.add(&outcome, &self.facts.program.types) {
            // What failed with fewer structures may succeed with more.
            let learns = |d| matches!(d, Discovery::Learned | Discovery::Related(_));
            let learners = self.candidates.iter_mut().filter(|c| learns(c.precision.discovery));
            learners.for_each(|c| c.open = true);
        }
        if outcome.is_proof() {
            return Some(outcome);
        }
        let candidate = &mut self.candidates[k];
        candidate.open = match outcome.stop {
            StopReason::Work | StopReason::Time | StopReason::Cancelled | StopReason::Answered => true,
            // An eager attempt that goes on and on has missed what its structures have in common.
            StopReason::Crowd => candidate.raised < RAISES && !candidate.precision.is_eager(),
            StopReason::Finished | StopReason::Alarm | StopReason::Steps => false,
        };
        candidate.raised += u32::from(outcome.stop == StopReason::Crowd);
        if candidate.precision == NUMBERS.with(candidate.precision.strategy) {
            self.learned.blamed.clone_from(&outcome.blamed);
            self.failed = Some(outcome);
        }
        None
    }

    /// Whether all work or time is used up.
    fn is_over(&self) -> bool {
        self.spent >= self.most || self.budget(0).interrupted().is_some()
    }

    fn budget(&self, k: usize) -> Budget {
        let options = self.facts.options;
        let candidate = &self.candidates[k];
        let more = match candidate.stage {
            Stage::Eager => EAGER_SHARE,
            Stage::Related => RELATED_SHARE,
            _ if self.round > 0 && candidate.precision.is_thrifty() => THRIFTY_SHARE,
            _ => 1,
        };
        let share = self.share.saturating_mul(more).saturating_mul(GROWTH.saturating_pow(self.round));
        let work = share.min(self.most / LARGEST_PART).min(self.most.saturating_sub(self.spent));
        self.limited(work, RAISE.saturating_pow(candidate.raised), options.max_steps)
    }

    fn limited(&self, work: u64, raise: usize, steps: Option<u64>) -> Budget {
        let options = self.facts.options;
        Budget {
            // What leaves states is done once.
            work: if options.record_states { self.most / LARGEST_PART } else { work },
            steps,
            disjuncts: DISJUNCTS.saturating_mul(raise).min(options.max_disjuncts),
            iterations: ITERATIONS.saturating_mul(raise).min(options.max_iterations),
            end: self.end,
            cancel: options.cancel.clone(),
            answered: self.answered.clone(),
        }
    }

    fn is_wanted(&self, k: usize, stage: Stage) -> bool {
        let candidate = &self.candidates[k];
        // Where the usual precisions do not come to an end in so short a time, the unusual ones do not either.
        let early = stage == Stage::Unusual
            && self.round < LATE_ROUND
            && self.candidates.iter().any(|c| c.open && c.precision == NUMBERS.with(c.precision.strategy));
        candidate.open && candidate.stage == stage && !early && self.is_of_use(k)
    }

    /// Eager attempts need predicates, or that silhouettes are asked for. Others take back the thrift of the first, if there
    /// was any, or need what it has seen.
    fn is_of_use(&self, k: usize) -> bool {
        let options = self.facts.options;
        let precision = &self.candidates[k].precision;
        let declared = options.strategy == Strategy::Any && !options.declarations.preds.is_empty();
        match precision.discovery {
            Discovery::Learned => {
                !declared && options.strategy == Strategy::Any && self.learned.preds.is_some()
            }
            Discovery::Related(k) => {
                !declared && options.strategy == Strategy::Any && usize::from(k) < self.learned.related.len()
            }
            _ if precision.is_eager() => declared || options.strategy.by_silhouette(),
            // Where nothing was lost on the way to the alarm, there is nothing to be told apart.
            _ if precision.grows.is_some() => !self.learned.blamed.is_empty(),
            Discovery::CommonLeaves => self.learned.leaf_seen,
            Discovery::BareLists => self.learned.lists_and_trees,
            Discovery::Usual if precision.numbers == Numbers::Lengths => self.learned.lists,
            Discovery::Usual => {
                precision.callers_names == CallersNames::Kept || precision.is_narrow() || self.learned.thrifty
            }
        }
    }

    /// What may go wrong, as far as the attempt that is reported can tell: it does not stop at its first alarm.
    pub(crate) fn report(self) -> Outcome {
        // Where no time is left, what stopped it is better than nothing; but there may be more.
        let late = self.budget(0).interrupted();
        if let (Some(reason), Some(failed)) = (late, &self.failed) {
            let mut outcome = failed.clone();
            outcome.entries.clone_from(&self.learned.entries);
            if let Some(first) = failed.alarms.values().next() {
                let kind = Reason::Budget.into();
                let message = reason.message().to_owned();
                let alarm = Alarm { kind, definite: false, message, notes: Vec::new(), ..first.clone() };
                outcome.alarms.insert((alarm.kind, alarm.span), alarm);
            }
            return outcome;
        }
        let Some(k) = self.candidates.iter().position(|c| c.precision == NUMBERS.with(c.precision.strategy))
        else {
            return attempt(self.facts, NUMBERS, self.budget(0), false, &self.learned);
        };
        let share = self.share.saturating_mul(GROWTH.saturating_pow(self.round)).max(REPORT_SHARE);
        let raise = RAISE.saturating_pow(self.candidates[k].raised.min(RAISES));
        let budget = self.limited(share.min(self.most), raise, self.facts.options.max_steps);
        let mut outcome = attempt(self.facts, self.candidates[k].precision, budget, false, &self.learned);
        outcome.statistics.add_times_of(&self.learned.statistics);
        outcome.entries = self.learned.entries;
        outcome
    }
}

/// How long the program is: the statements that can be reached; a call counts as several.
fn length(facts: &Facts<'_>) -> usize {
    let weight = |s: &Statement| if matches!(s.kind, StatementKind::Call(_)) { CALL } else { 1 };
    let statements = |function: &Function| -> usize {
        match &function.body {
            FunctionBody::Defined(body) => body.blocks.iter().flat_map(|b| &b.statements).map(weight).sum(),
            _ => 0,
        }
    };
    let entry = facts.program.function_named(facts.entry_name());
    let reached = entry.map(|f| facts.calls.reachable_from(f));
    let functions = reached.iter().flat_map(|all| all.iter());
    functions.filter_map(|f| facts.program.functions.get(f)).map(statements).sum()
}
