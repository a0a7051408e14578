//! What a hunt tries next.
//!
//! Jobs are inputs to be tried. Those that lead to an edge of the program that no run has taken come first; in turn after them
//! those that are novel otherwise, those with the fewest inputs (which enumerates short sequences of inputs) and the newest (which goes
//! deep). Novel is what takes an edge a number of times, in powers of two, that no run took it before: so
//! each loop is entered twice and more whatever the others do, and parts of a program that have nothing to do with each other cost
//! the sum of what each costs, not the product. An edge is known with the calls that lead to it.
//!
//! Long runs, those that go round a loop many times and those that were cut off and are repeated with more steps, are made as soon
//! as as much effort was spent on others; which of them comes next depends on how long it is and on how long it has waited.

use crate::inputs::Shared;
use crate::term::Condition;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// Most jobs that wait, of each kind.
const MAX_JOBS: usize = 50_000;
/// Most long runs that wait.
const MAX_LONG: usize = 5_000;
/// How many times longer a run may be when it is repeated.
const LONGER: u64 = 8;

/// Inputs to be tried.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) inputs: Shared,
    /// Conditions before this one were negated by others.
    pub(crate) from: usize,
    /// What uninitialised bytes hold.
    pub(crate) fill: u8,
    /// Most steps of the run.
    pub(crate) steps: u64,
}

/// Steps of one round of a loop, when nothing is known of it.
const ROUND: u64 = 32;

impl Job {
    /// The same, with steps for so many rounds of a loop.
    pub(crate) fn for_rounds(self, rounds: i128) -> Job {
        let rounds = u64::try_from(rounds).unwrap_or(0);
        Job { steps: self.steps.saturating_add(rounds.saturating_mul(ROUND)), ..self }
    }
}

/// What is hoped of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hope {
    /// It takes an edge that no run has taken.
    Fresh,
    /// It takes one more often than any run before.
    Novel,
    /// It is another path.
    Other,
}

/// Jobs by what is hoped of them.
#[derive(Default)]
pub(crate) struct Queue {
    fresh: VecDeque<Job>,
    novel: VecDeque<Job>,
    /// By the number of inputs, then in order.
    short: BTreeMap<(usize, u64), Job>,
    counter: u64,
    /// Long runs, by the steps of the hunt at which they would end if they began when they were found.
    long: BTreeMap<(u64, u64), Job>,
    /// Edges that were taken, or will be, with how often.
    seen: FxHashSet<u64>,
    turn: u64,
    /// The steps of the hunt so far.
    now: u64,
}

impl Queue {
    pub(crate) fn push(&mut self, job: Job, hope: Hope) {
        match hope {
            Hope::Fresh => self.fresh.push_back(job),
            Hope::Novel if self.novel.len() < MAX_JOBS => self.novel.push_back(job),
            _ if self.short.len() < MAX_JOBS => {
                self.counter += 1;
                self.short.insert((job.inputs.len(), self.counter), job);
            }
            _ => {}
        }
    }

    /// A run that goes round a loop many times.
    pub(crate) fn push_long(&mut self, job: Job) {
        if self.long.len() < MAX_LONG {
            self.counter += 1;
            self.long.insert((self.now.saturating_add(job.steps), self.counter), job);
        }
    }

    /// A run that was cut off is to be repeated with more steps, if that is allowed.
    pub(crate) fn repeat(&mut self, mut job: Job, most: u64) {
        if job.steps < most {
            job.steps = job.steps.saturating_mul(LONGER).min(most);
            self.push_long(job);
        }
    }

    /// The next job, and whether it is a long one; `now` is the number of steps of the whole hunt, `spent` that since the last such
    /// run.
    pub(crate) fn pop(&mut self, now: u64, spent: u64) -> Option<(Job, bool)> {
        self.now = now;
        let long = |queue: &mut Queue| queue.long.pop_first().map(|(_, job)| (job, true));
        if self.long.first_key_value().is_some_and(|(_, job)| job.steps <= spent) {
            return long(self);
        }
        if let Some(job) = self.fresh.pop_front() {
            return Some((job, false));
        }
        self.turn += 1;
        let chosen = match self.turn % 8 {
            0 => self.short.pop_last(),
            3 | 6 => self.short.pop_first(),
            _ => None,
        };
        let chosen = chosen.map(|(_, job)| job).or_else(|| self.novel.pop_front());
        match chosen.or_else(|| self.short.pop_first().map(|(_, job)| job)) {
            Some(job) => Some((job, false)),
            None => long(self),
        }
    }

    /// Whether an edge that may lead somewhere new waits to be taken.
    pub(crate) fn has_fresh(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// Whether something is seen for the first time.
    pub(crate) fn is_first(&mut self, what: u64) -> bool {
        self.seen.insert(what)
    }
}

/// How often the edges of a path were taken, up to a condition.
#[derive(Default)]
pub(crate) struct Edges {
    /// With the number of inputs that were drawn when it was taken last.
    times: FxHashMap<u64, (u32, usize)>,
}

impl Edges {
    /// Goes on along the path: the edge that a condition took.
    pub(crate) fn take(&mut self, queue: &mut Queue, condition: &Condition) {
        let edge = edge(condition, &condition.now);
        let times = self.times.entry(edge).or_default();
        *times = (times.0 + 1, condition.draws);
        queue.is_first(mix(edge, bucket(times.0)));
    }

    /// What is hoped of a path that goes another way at a condition.
    pub(crate) fn hope(&self, queue: &mut Queue, condition: &Condition, way: &[(i128, i128)]) -> Hope {
        let edge = edge(condition, way);
        let times = 1 + self.times.get(&edge).map_or(0, |(times, _)| *times);
        match queue.is_first(mix(edge, bucket(times))) {
            true if times == 1 => Hope::Fresh,
            true => Hope::Novel,
            false => Hope::Other,
        }
    }

    /// How many inputs a loop draws each time: those since an edge was taken last, if it is to be taken again.
    pub(crate) fn period(&self, condition: &Condition, way: &[(i128, i128)]) -> Option<usize> {
        let (_, draws) = self.times.get(&edge(condition, way))?;
        condition.draws.checked_sub(*draws).filter(|period| *period > 0)
    }
}

/// Small numbers are told apart, large ones by their size.
fn bucket(times: u32) -> u64 {
    if times <= 3 { times.into() } else { 2 + u64::from(times.ilog2()) }
}

fn edge(condition: &Condition, way: &[(i128, i128)]) -> u64 {
    mix(mix(condition.site, condition.calls), way_of(way))
}

/// A number for the way that a condition goes: its values, all of them, since two ways may begin with the same.
pub(crate) fn way_of(ranges: &[(i128, i128)]) -> u64 {
    let halves = |v: i128| [v as u64, (v >> 64) as u64];
    ranges.iter().flat_map(|&(lo, hi)| [halves(lo), halves(hi)]).flatten().fold(0, mix)
}

/// A number for two.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x517c_c1b7_2722_0a95)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Node, Terms, nonzero};
    use heapwise_interp::InputValue;

    #[test]
    fn the_ways_of_a_condition_are_told_apart() {
        // Zero, anything else, and what is below or above: each begins or ends like another.
        let ways =
            [vec![(0, 0)], nonzero(), vec![(i128::MIN, 0)], vec![(0, i128::MAX)], vec![(i128::MIN, -1)]];
        let numbers: FxHashSet<u64> = ways.iter().map(|way| way_of(way)).collect();
        assert_eq!(numbers.len(), ways.len());
    }

    #[test]
    fn a_loop_is_entered_a_second_time_whatever_other_loops_do() {
        let mut terms = Terms::default();
        let term = terms.add(Node::Input(0)).expect("room");
        let at = |site, now: &[(i128, i128)]| Condition {
            term,
            now: now.to_vec(),
            others: Vec::new(),
            site,
            calls: 0,
            draws: 1,
        };
        let mut queue = Queue::default();
        // The first path leaves both loops at once.
        let mut path = Edges::default();
        let leave = [(0, 0)];
        assert_eq!(path.hope(&mut queue, &at(1, &leave), &nonzero()), Hope::Fresh);
        path.take(&mut queue, &at(1, &leave));
        assert_eq!(path.hope(&mut queue, &at(2, &leave), &nonzero()), Hope::Fresh);
        // The second goes round the second loop once.
        let mut path = Edges::default();
        path.take(&mut queue, &at(1, &leave));
        assert_eq!(path.hope(&mut queue, &at(2, &leave), &nonzero()), Hope::Other);
        path.take(&mut queue, &at(2, &nonzero()));
        assert_eq!(path.hope(&mut queue, &at(2, &leave), &nonzero()), Hope::Novel);
        assert_eq!(path.hope(&mut queue, &at(2, &leave), &nonzero()), Hope::Other);
    }

    #[test]
    fn what_was_cut_off_is_repeated_when_others_had_as_much() {
        let job = |n| Job { inputs: vec![InputValue::Int(n)].into(), from: 0, fill: 0, steps: 10 };
        let mut queue = Queue::default();
        queue.repeat(job(1), 1_000);
        queue.push(job(2), Hope::Other);
        queue.push(job(3), Hope::Fresh);
        let next = |queue: &mut Queue, now, spent| {
            queue.pop(now, spent).map(|(job, is_long)| (job.inputs.values(), job.steps, is_long))
        };
        assert_eq!(next(&mut queue, 79, 79), Some((vec![InputValue::Int(3)], 10, false)));
        // One that is shorter but came later.
        queue.push_long(job(4));
        assert_eq!(next(&mut queue, 80, 80), Some((vec![InputValue::Int(1)], 80, true)));
        assert_eq!(next(&mut queue, 160, 0), Some((vec![InputValue::Int(2)], 10, false)));
        assert_eq!(next(&mut queue, 170, 10), Some((vec![InputValue::Int(4)], 10, true)));
        assert_eq!(next(&mut queue, 180, 0), None);
    }
}
