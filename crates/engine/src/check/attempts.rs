//! How a proof is tried: several attempts of increasing precision.
//!
//! The first attempts know shapes alone, which is quick and settles most programs: the first of all is the thriftiest,
//! in which functions get no more than their footprint and many disjuncts are folded; the second takes that back; both
//! forget what callers name in the middle of a structure that a loop changes, the third does not. Where a node was seen that
//! may stand for all missing children of a tree, the first and the third are tried with that as well. The fourth counts the
//! numbers that elements hold as well. Each gets a short while at first, and more only in a second round, so one that does
//! not come to an end does not keep the others waiting; before that each gets a moment, in which the fourth often proves what
//! the others never would. If the fourth came to its end and failed, further ones tell
//! lists from trees of the same elements, or keep the elements apart at which a walk ended because of their numbers, or let
//! no join take an object that a variable leads to, or describe structures by which numbers follow which, or unroll more;
//! what they may do is limited by how much the fourth did, in steps, which do not depend on the machine.
//!
//! Where the user declared predicates, two attempts come before these that put disjuncts together eagerly, by their
//! silhouettes (Li, Berenger, Chang, Rival 2017): the operation keeps a structure, and few descriptions are enough.
//!
//! Where nothing is declared, the structures that the thrifty attempt has found before it failed serve as well: the last attempt
//! before the fourth is eager with these, and does not look for others.
//!
//! An attempt that another one follows ends with its first alarm: only the alarms of the fourth are reported.
//!
//! Whoever asks for the analysis may look for an answer of another kind after a first round in which each attempt had
//! little time ([`Interlude`]): most programs that are right need no more, and most that are wrong are shown to be so by
//! runs.

use super::attempt::{self, Learned, Outcome};
use crate::budget::{Budget, Deadline};
use crate::facts::Facts;
use crate::precision::{
    CallersNames, Cursors, Discovery, Entries, Merging, Numbers, Precision, Strategy, UNROLL,
};
use heapwise_ir::{Function, FunctionBody, Statement, StatementKind};
use heapwise_property::Reason;
use std::time::{Duration, Instant};

/// What an attempt may use of the time in the first round: a share, and its bounds.
const SHARE_AT_FIRST: u32 = 100;
const LEAST_AT_FIRST: Duration = Duration::from_millis(50);
const MOST_AT_FIRST: Duration = Duration::from_millis(200);
/// What the first attempt of all may use, as a multiple of that: it is the one that most often succeeds.
const FIRST_OF_ALL: u32 = 8;
/// What that one and the further ones may use in a first round that an interlude follows.
const NARROW_IN_BRIEF: u32 = 2;
const FURTHER_IN_BRIEF: u32 = 3;
/// What the usual attempts may use before that round, as a share of what they may use in it.
const MOMENT: u32 = 5;
/// What the first of them may use in addition for every statement of the program.
const PER_STATEMENT: Duration = Duration::from_micros(40);
/// How many statements a call counts as.
const CALL: usize = 8;
/// What an attempt that another one follows may use of the time in the second round, as a share.
const HASTY_SHARE: u32 = 3;
/// What a further attempt may use of the time, as a share.
const SHARE_OF_FURTHER: u32 = 2;
/// With less time left than this no further attempt is made.
const LATE: Duration = Duration::from_millis(100);
/// What a further attempt may do, as a multiple of what the fourth one did.
const FURTHER: u64 = 10;

/// With no more seconds than this a further attempt does not do more than that.
const IMPATIENT: u64 = 3;

/// What each attempt may take before the interlude where there is no limit of time.
const TRIAL: Duration = Duration::from_millis(50);

/// What is done after the first round; says whether no other one is needed.
pub(crate) type Interlude<'i> = Option<&'i mut dyn FnMut() -> bool>;

/// How a proof is tried.
struct Attempt {
    precision: Precision,
    /// What it may do in any case, if it is a further one.
    work: u64,
}

impl Attempt {
    /// What a further attempt may do where the fourth one did so much. Who gives much time wants much tried.
    fn most_work(&self, fourth: u64, time: Option<Duration>) -> u64 {
        let patience = time.map_or(1, |t| (t.as_secs() / IMPATIENT).saturating_pow(2).max(1));
        (self.work + FURTHER.saturating_mul(fourth)).saturating_mul(patience)
    }

    /// Whether the numbers count that elements hold.
    fn numbers(&self) -> bool {
        self.precision.counts_numbers()
    }

    fn leaves(&self) -> bool {
        self.precision.discovery == Discovery::CommonLeaves
    }

    fn learned(&self) -> bool {
        self.precision.discovery == Discovery::Learned
    }
}

const PATIENT: Merging = Merging::Patient { unroll: UNROLL, cursors: Cursors::Fold };

const fn unrolled(unroll: usize) -> Merging {
    Merging::Patient { unroll, cursors: Cursors::Fold }
}

/// Shapes alone, and what callers name is kept.
const SHAPES: Precision = Precision {
    merging: PATIENT,
    strategy: Strategy::Any,
    entries: Entries::Reachable,
    callers_names: CallersNames::Kept,
    numbers: Numbers::Shapes,
    discovery: Discovery::Usual,
};
/// The same, but what callers name is forgotten.
const FORGETFUL: Precision = Precision { callers_names: CallersNames::Forgotten, ..SHAPES };
/// The thriftiest.
const THRIFTY: Precision = Precision { entries: Entries::Footprint, ..FORGETFUL };
/// Numbers in elements count.
const NUMBERS: Precision = Precision { numbers: Numbers::Elements, ..SHAPES };

const fn usual(precision: Precision) -> Attempt {
    Attempt { precision, work: 0 }
}

/// The usual attempts, in order: most of the programs need only the first of those that are not eager.
const USUAL: [Attempt; 9] = [
    usual(Precision { merging: Merging::Eager, ..THRIFTY }),
    usual(Precision { merging: Merging::Eager, ..SHAPES }),
    usual(THRIFTY),
    usual(Precision { discovery: Discovery::CommonLeaves, ..THRIFTY }),
    usual(Precision { discovery: Discovery::CommonLeaves, ..SHAPES }),
    usual(FORGETFUL),
    usual(SHAPES),
    usual(Precision { discovery: Discovery::Learned, merging: Merging::Eager, ..THRIFTY }),
    usual(NUMBERS),
];

/// What is tried where these fail.
const UNUSUAL: [Attempt; 5] = [
    Attempt { precision: Precision { discovery: Discovery::BareLists, ..SHAPES }, work: 2_000 },
    Attempt { precision: Precision { numbers: Numbers::Bounds, ..SHAPES }, work: 2_000 },
    Attempt {
        precision: Precision {
            merging: Merging::Patient { unroll: UNROLL, cursors: Cursors::StayObjects },
            ..NUMBERS
        },
        work: 2_000,
    },
    Attempt {
        precision: Precision { numbers: Numbers::Orders, merging: unrolled(UNROLL + 2), ..NUMBERS },
        work: 2_000,
    },
    Attempt { precision: Precision { merging: unrolled(24), ..NUMBERS }, work: 12_000 },
];

/// Of the usual attempts and then of the others, which have come to an end without success.
type Hopeless = [bool; USUAL.len() + UNUSUAL.len()];

/// What a first round found out.
#[derive(Default)]
struct Found {
    hopeless: Hopeless,
    /// What the fourth attempt ended with, if it came to its end.
    fourth: Option<Outcome>,
}

/// The statements of a function; a call counts as several.
fn statements(function: &Function) -> usize {
    let weight = |s: &Statement| if matches!(s.kind, StatementKind::Call(_)) { CALL } else { 1 };
    match &function.body {
        FunctionBody::Defined(body) => body.blocks.iter().flat_map(|b| &b.statements).map(weight).sum(),
        _ => 0,
    }
}

/// The attempts at one program.
pub(crate) struct Attempts<'p> {
    facts: &'p Facts<'p>,
    /// What the last one to be reported ended with.
    outcome: Outcome,
    learned: Learned,
    deadline: Deadline,
    most_work: Option<u64>,
}

impl<'p> Attempts<'p> {
    pub(crate) fn new(facts: &'p Facts<'p>) -> Attempts<'p> {
        Attempts {
            facts,
            outcome: Outcome::default(),
            learned: Learned::default(),
            deadline: Deadline::default(),
            most_work: None,
        }
    }

    /// Tries until a proof is found, or nothing is left to try.
    pub(crate) fn run(mut self, interlude: Interlude<'_>) -> Outcome {
        self.attempts(interlude);
        self.outcome
    }

    fn attempts(&mut self, interlude: Interlude<'_>) {
        let start = Instant::now();
        let Some(time) = self.facts.options.timeout.filter(|_| !self.facts.options.record_states) else {
            return self.once(start, interlude);
        };
        let end = start.checked_add(time);
        let until = |given: Duration| Deadline::share(given, end);
        let at_first = (time / SHARE_AT_FIRST).clamp(LEAST_AT_FIRST, MOST_AT_FIRST);
        let trial = interlude.is_some();
        let mut found = Found::default();
        if let Some(settles) = interlude
            && (self.first_round(at_first, end, &mut found) || settles())
        {
            return;
        }
        let Found { hopeless, fourth } = found;
        let fourth_ended = fourth.is_some();
        if let Some(outcome) = fourth {
            self.outcome = outcome;
        }
        let mut open: Vec<&Attempt> = Vec::new();
        for (k, attempt) in USUAL.iter().enumerate() {
            if trial && !attempt.numbers() {
                open.extend((!hopeless[k]).then_some(attempt));
                continue;
            }
            if fourth_ended {
                continue;
            }
            if self.is_superfluous(attempt) {
                continue;
            }
            let given = if attempt.precision.is_narrow() { at_first * FIRST_OF_ALL } else { at_first };
            if self.succeeds(attempt, !attempt.numbers(), until(given)) {
                return;
            }
            if self.is_over() {
                open.push(attempt);
            }
        }
        // Where a node was seen that may stand for missing children, it most often does.
        open.sort_by_key(|a| !a.leaves());
        let ended = !open.iter().any(|a| a.numbers());
        // Where the most precise one has come to its end the others need no more time.
        if ended {
            // Where it gave up instead, the eager ones that were cut off may still come to theirs.
            if self.outcome.alarms.keys().any(|(kind, _)| *kind == Reason::Budget) {
                let before = self.outcome.clone();
                for attempt in open.iter().filter(|a| a.precision.is_eager()) {
                    if self.succeeds(attempt, true, until(time / HASTY_SHARE)) {
                        return;
                    }
                }
                self.outcome = before;
            }
            return self.further(start, Some(time), &hopeless);
        }
        // Others that were cut off come before it, since it tells what to report.
        let others =
            UNUSUAL.iter().zip(&hopeless[USUAL.len()..]).filter(|(_, hopeless)| trial && !**hopeless);
        let last = open.len().saturating_sub(1);
        open.splice(last..last, others.map(|(attempt, _)| attempt));
        for (k, attempt) in open.iter().enumerate() {
            if self.is_superfluous(attempt) {
                continue;
            }
            let given = match attempt {
                _ if k + 1 == open.len() => time,
                a if a.precision.is_narrow() => time / HASTY_SHARE / 2,
                a if a.work > 0 => time / HASTY_SHARE / 4,
                _ => time / HASTY_SHARE,
            };
            if self.succeeds(attempt, k + 1 < open.len(), until(given)) {
                return;
            }
        }
        if !self.is_over() {
            self.further(start, Some(time), &hopeless);
        }
    }

    /// Every attempt for a short time, until one succeeds; notes which of them came to an end without success. All end
    /// with their first alarm; what the fourth has to report is found out where that takes but a moment.
    fn first_round(&mut self, each: Duration, end: Option<Instant>, found: &mut Found) -> bool {
        // Eager attempts are few and seldom in vain.
        let eager = USUAL.iter().any(|a| a.precision.is_eager() && !self.is_superfluous(a));
        if !eager && self.glance(each / MOMENT, end, found) {
            return true;
        }
        let mut cut_off = false;
        for (k, attempt) in USUAL.iter().chain(&UNUSUAL).enumerate() {
            if k == USUAL.len() && !cut_off {
                self.report_fourth(Deadline::share(each / MOMENT, end), found);
            }
            if found.hopeless[k] {
                continue;
            }
            if self.is_superfluous(attempt) {
                // One that is cut off may still turn out to be thrifty.
                found.hopeless[k] = !cut_off;
                continue;
            }
            // Where the usual ones do not come to an end in so short a time, the further ones do not either.
            if cut_off && attempt.work > 0 {
                break;
            }
            let given = match attempt {
                a if a.precision.is_narrow() => each * NARROW_IN_BRIEF,
                a if a.work > 0 => each * FURTHER_IN_BRIEF,
                _ => each,
            };
            if self.succeeds_briefly(k, attempt, Deadline::share(given, end), found) {
                return true;
            }
            cut_off |= !found.hopeless[k];
        }
        false
    }

    /// The usual attempts for a moment each; the first gets more where there is more to read.
    fn glance(&mut self, each: Duration, end: Option<Instant>, found: &mut Found) -> bool {
        let entry = self.facts.program.function_named(self.facts.entry_name());
        let reached = entry.map(|f| self.facts.calls.reachable_from(f));
        let functions = reached.iter().flat_map(|all| all.iter());
        let length: usize =
            functions.filter_map(|f| self.facts.program.functions.get(f)).map(statements).sum();
        let reading = PER_STATEMENT.saturating_mul(u32::try_from(length).unwrap_or(u32::MAX));
        USUAL.iter().enumerate().any(|(k, attempt)| {
            let first = attempt.precision.is_narrow() && !attempt.leaves();
            let given = if first { each + reading.min(each * MOMENT) } else { each };
            !self.is_superfluous(attempt)
                && self.succeeds_briefly(k, attempt, Deadline::share(given, end), found)
        })
    }

    /// Makes the attempt with that number in the first round.
    fn succeeds_briefly(&mut self, k: usize, attempt: &Attempt, until: Deadline, found: &mut Found) -> bool {
        let work = found.fourth.as_ref().filter(|_| attempt.work > 0).map(|o| o.statistics.work());
        self.most_work = work.map(|work| attempt.most_work(work, self.facts.options.timeout));
        let succeeds = self.succeeds(attempt, true, until);
        self.most_work = None;
        found.hopeless[k] = !self.is_over();
        succeeds
    }

    /// Makes the fourth attempt, which has failed, go on after its first alarm: what the further ones may do depends on
    /// how much it does.
    fn report_fourth(&mut self, until: Deadline, found: &mut Found) {
        let Some(fourth) = USUAL.last() else { return };
        if !self.succeeds(fourth, false, until) && !self.is_over() {
            found.fourth = Some(self.outcome.clone());
        }
    }

    /// Eager attempts need predicates, or that silhouettes are asked for. The second of the others takes back the thrift
    /// of the first, if there was any. Lists are told from trees where the attempt before has seen both.
    fn is_superfluous(&self, attempt: &Attempt) -> bool {
        let strategy = self.facts.options.strategy;
        let declared = strategy == Strategy::Any && !self.facts.options.declarations.preds.is_empty();
        if attempt.learned() {
            return declared || strategy != Strategy::Any || self.learned.preds.is_none();
        }
        if attempt.precision.is_eager() {
            return !declared && !strategy.by_silhouette();
        }
        if attempt.leaves() {
            return !self.learned.leaf_seen;
        }
        if attempt.precision.discovery == Discovery::BareLists {
            return !self.outcome.preds.has_lists_and_trees();
        }
        attempt.precision.callers_names == CallersNames::Forgotten
            && !attempt.precision.is_narrow()
            && !self.learned.thrifty
    }

    fn is_over(&self) -> bool {
        self.deadline.is_over()
    }

    /// What is tried beyond the usual, but for what is hopeless. Attempts that fail have nothing to say.
    fn further(&mut self, start: Instant, time: Option<Duration>, hopeless: &Hopeless) {
        let work = self.outcome.statistics.work();
        for (attempt, hopeless) in UNUSUAL.iter().zip(&hopeless[USUAL.len()..]) {
            if time.is_some_and(|t| start.elapsed() + LATE > t) {
                return;
            }
            if *hopeless || self.is_superfluous(attempt) {
                continue;
            }
            let until = time
                .map_or(Deadline::default(), |t| Deadline::share(t / SHARE_OF_FURTHER, start.checked_add(t)));
            let before = self.outcome.clone();
            self.most_work = Some(attempt.most_work(work, time));
            let succeeds = self.succeeds(attempt, true, until);
            self.most_work = None;
            if succeeds {
                return;
            }
            self.outcome = before;
        }
    }

    /// The usual attempts, each once; for an analysis without a limit of time, and where the states of the last one are
    /// wanted.
    fn once(&mut self, start: Instant, interlude: Interlude<'_>) {
        let trial = interlude.is_some();
        let mut found = Found::default();
        if let Some(settles) = interlude
            && (self.first_round(TRIAL, None, &mut found) || settles())
        {
            return;
        }
        let hopeless = found.hopeless;
        for (k, attempt) in USUAL.iter().enumerate() {
            let superfluous =
                if trial { hopeless[k] && !attempt.numbers() } else { self.is_superfluous(attempt) };
            if superfluous {
                continue;
            }
            let hasty = !attempt.numbers();
            let time = self.facts.options.timeout.map(|t| if hasty { t / HASTY_SHARE } else { t });
            if self.succeeds(attempt, hasty, Deadline::at(time.and_then(|t| start.checked_add(t)))) {
                return;
            }
        }
        if self.facts.options.max_steps.is_some() && !self.facts.options.record_states {
            self.further(start, self.facts.options.timeout, &hopeless);
        }
    }

    /// Makes an attempt. A hasty one ends with its first alarm.
    fn succeeds(&mut self, attempt: &Attempt, hasty: bool, deadline: Deadline) -> bool {
        let budget = Budget { deadline, most_work: self.most_work };
        let strategy = match self.facts.options.strategy {
            Strategy::Any if attempt.precision.is_eager() => Strategy::ClumpGuided,
            chosen => chosen,
        };
        let precision = Precision { strategy, ..attempt.precision };
        let times = self.outcome.statistics;
        self.outcome = attempt::attempt(self.facts, precision, budget, hasty, &mut self.learned);
        self.outcome.statistics.add_times_of(&times);
        self.deadline = deadline;
        self.outcome.is_proof()
    }
}
