//! What an attempt may cost.
//!
//! Attempts are limited by work, which is counted and does not depend on the machine or on what else it is doing; so neither
//! does what they come to. The clock only ends what goes on for longer than the user allows.

use crate::report::Work;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Units of work for a millisecond of the user's time.
const PER_MILLISECOND: u64 = 2_000;

/// The work that some of the user's time allows.
pub(crate) fn units(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(PER_MILLISECOND)
}

/// What an attempt may cost.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// The most work, in [`Work::units`].
    pub(crate) work: u64,
    /// The most statements that are executed on a disjunct, if the user says so.
    pub(crate) steps: Option<u64>,
    /// Most disjuncts at any point.
    pub(crate) disjuncts: usize,
    /// Most iterations of a loop.
    pub(crate) iterations: usize,
    /// When the user's time is over.
    pub(crate) end: Option<Instant>,
    /// Set from outside when everything has to end, e.g. for lack of memory.
    pub(crate) cancel: Option<Arc<AtomicBool>>,
    /// Set when somebody else has the answer.
    pub(crate) answered: Option<Arc<AtomicBool>>,
}

/// Why an attempt came to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Nothing was left to do.
    Finished,
    /// An alarm, after which a hasty attempt does not go on.
    Alarm,
    /// Its share of work is used up.
    Work,
    /// The limit of steps that the user gave.
    Steps,
    /// Too many disjuncts, iterations, rounds or open calls somewhere.
    Crowd,
    /// The user's time is over.
    Time,
    /// It was stopped from outside.
    Cancelled,
    /// Runs have the answer.
    Answered,
}

impl StopReason {
    /// What is said of it, if it is a limit of its own.
    pub(crate) fn message(self) -> &'static str {
        match self {
            StopReason::Work => "the analysis takes too much work",
            StopReason::Steps => "the limit of steps is reached",
            StopReason::Time => "the time limit is reached",
            StopReason::Cancelled => "the limit of memory is reached",
            StopReason::Finished | StopReason::Alarm | StopReason::Crowd | StopReason::Answered => {
                "the analysis gives up"
            }
        }
    }
}

impl Budget {
    /// Why nothing more may be done, if that is so.
    pub(crate) fn over(&self, work: &Work, steps: u64) -> Option<StopReason> {
        if self.steps.is_some_and(|most| steps > most) {
            return Some(StopReason::Steps);
        }
        if work.units() > self.work {
            return Some(StopReason::Work);
        }
        self.interrupted()
    }

    /// Whether the clock or somebody outside ends it.
    pub(crate) fn interrupted(&self) -> Option<StopReason> {
        if self.end.is_some_and(|end| Instant::now() >= end) {
            return Some(StopReason::Time);
        }
        let is_set =
            |flag: &Option<Arc<AtomicBool>>| flag.as_ref().is_some_and(|f| f.load(Ordering::Relaxed));
        match () {
            () if is_set(&self.cancel) => Some(StopReason::Cancelled),
            () if is_set(&self.answered) => Some(StopReason::Answered),
            () => None,
        }
    }
}

/// A budget that is looked at while disjuncts are compared: the work at each comparison, the clock now and then.
pub(crate) struct Patience<'a> {
    budget: &'a Budget,
    work: u64,
    asked: u32,
    over: bool,
}

/// Comparisons between two looks at the clock.
const LOOK_EVERY: u32 = 16;

impl<'a> Patience<'a> {
    pub(crate) fn new(budget: &'a Budget) -> Patience<'a> {
        Patience { budget, work: budget.work, asked: 0, over: false }
    }

    /// The same where work is not counted: for the check of what was found.
    pub(crate) fn uncounted(budget: &'a Budget) -> Patience<'a> {
        Patience { work: u64::MAX, ..Patience::new(budget) }
    }

    /// Whether comparing has to end after so much work.
    pub(crate) fn is_over(&mut self, work: &Work) -> bool {
        self.asked = self.asked.wrapping_add(1);
        let look = self.asked.is_multiple_of(LOOK_EVERY);
        self.over = self.over || work.units() > self.work || look && self.budget.interrupted().is_some();
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget() -> Budget {
        Budget { work: 10, steps: None, disjuncts: 1, iterations: 1, end: None, cancel: None, answered: None }
    }

    #[test]
    fn work_is_used_up_by_work_and_not_by_waiting() {
        let mut work = Work::default();
        assert_eq!(budget().over(&work, 0), None);
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(budget().over(&work, 0), None);
        work.statements = u64::MAX / 1_000;
        assert_eq!(budget().over(&work, 0), Some(StopReason::Work));
        assert!(Patience::new(&budget()).is_over(&work));
    }

    #[test]
    fn the_clock_and_others_end_what_has_work_left() {
        let work = Work::default();
        let late = Budget { end: Some(Instant::now()), ..budget() };
        assert_eq!(late.over(&work, 0), Some(StopReason::Time));
        let cancelled = Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..budget() };
        assert_eq!(cancelled.over(&work, 0), Some(StopReason::Cancelled));
        let few = Budget { steps: Some(3), ..budget() };
        assert_eq!((few.over(&work, 3), few.over(&work, 4)), (None, Some(StopReason::Steps)));
    }
}
