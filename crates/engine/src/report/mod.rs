//! What an analysis has to say: alarms, states at points, counters.

use crate::precision::Entry;
pub use heapwise_fixpoint::Point;
use heapwise_heap::{PredTable, State};
use heapwise_ir::{FuncId, Span};
use heapwise_property::Alarm;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Duration;

/// Counters of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Statements executed on a disjunct.
    pub steps: u64,
    /// Most disjuncts at a loop head that is stable.
    pub head_disjuncts: usize,
    /// Most disjuncts at a point.
    pub max_disjuncts: usize,
    /// Disjuncts at the exit of the function that the analysis starts from, as a caller would get them.
    pub exit_disjuncts: usize,
    /// Pairs of disjuncts that were joined.
    pub joins: usize,
    /// Pairs that have no common description.
    pub refused_joins: usize,
    /// Joins that forgot how cursors reach each other, if they were counted.
    pub lossy_joins: usize,
    /// Time to compute and compare silhouettes.
    pub clump_time: Duration,
    /// Time to join.
    pub join_time: Duration,
    /// Time of the whole analysis, without that to count joins that forgot something.
    pub time: Duration,
    /// Time to count joins that forgot something, if they were counted.
    pub loss_time: Duration,
    /// Function entries tabulated.
    pub entries: usize,
    /// Loop iterations.
    pub iterations: u64,
    /// What was done, in all attempts.
    pub work: Work,
}

/// How much was done: unlike time it does not depend on the machine. Operations are counted with the size of the states that
/// they look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Statements on disjuncts.
    pub statements: u64,
    /// Foldings of disjuncts.
    pub foldings: u64,
    /// Comparisons of two disjuncts.
    pub inclusions: u64,
    /// Joins of two disjuncts.
    pub joins: u64,
    /// Silhouettes of disjuncts.
    pub silhouettes: u64,
}

/// Pieces that a piece is compared with at the most, about.
const COMPARED: u64 = 64;

impl Work {
    /// What an operation costs that compares the pieces of a state with each other: of many, each is compared with some.
    pub(crate) fn of(least: u64, pieces: usize) -> u64 {
        let pieces = pieces as u64;
        least + pieces + pieces * pieces.min(COMPARED) / 16
    }

    /// All of it in one number. A unit is about half a microsecond of a machine of today; the weights were fitted to the time that
    /// the annotated programs take.
    pub fn units(&self) -> u64 {
        self.statements / 2 + 4 * self.foldings + self.inclusions / 32 + 3 * self.joins + self.silhouettes
    }

    /// The work of both.
    pub(crate) fn plus(self, other: Work) -> Work {
        Work {
            statements: self.statements + other.statements,
            foldings: self.foldings + other.foldings,
            inclusions: self.inclusions + other.inclusions,
            joins: self.joins + other.joins,
            silhouettes: self.silhouettes + other.silhouettes,
        }
    }
}

impl Statistics {
    /// The same counters with the times of others.
    pub(crate) fn with_times_of(self, other: &Statistics) -> Statistics {
        let Statistics { clump_time, join_time, loss_time, .. } = *other;
        Statistics { clump_time, join_time, loss_time, ..self }
    }

    /// Counters are those of the last attempt, times and work those of all.
    pub(crate) fn add_times_of(&mut self, other: &Statistics) {
        self.work = self.work.plus(other.work);
        self.clump_time += other.clump_time;
        self.join_time += other.join_time;
        self.loss_time += other.loss_time;
    }
}

/// What happened at loop heads, for people who want to follow it.
#[derive(Clone, Debug, Default)]
pub struct LoopLog {
    /// The disjuncts at each head after each iteration, the last [`MAX_ITERATIONS`] of them.
    pub iterations: BTreeMap<Point, Vec<Vec<State>>>,
    /// Two disjuncts that stayed apart at a head, the last ones.
    pub apart: BTreeMap<Span, Apart>,
}

/// Most iterations of a loop that are kept.
pub const MAX_ITERATIONS: usize = 12;

/// Two disjuncts without a common description.
#[derive(Clone, Debug)]
pub struct Apart {
    /// The function.
    pub function: FuncId,
    /// The two.
    pub states: [State; 2],
    /// The first difference between them, in words.
    pub why: String,
}

/// The result of an analysis.
#[derive(Debug, Default)]
pub struct Report {
    /// What may go wrong; empty if the program is proved.
    pub alarms: Vec<Alarm>,
    /// The predicates in use.
    pub preds: PredTable,
    /// The states at all points, if they were asked for.
    pub states: FxHashMap<Point, Vec<State>>,
    /// The states at all points once every solve was finished, if they were asked for and checked again.
    pub final_states: FxHashMap<Point, Vec<State>>,
    /// Where shapes were assumed; a proof rests on them.
    pub assumptions: Vec<Span>,
    /// What was told apart at single loops, because alarms asked for it.
    pub entries: Vec<Entry>,
    /// Why disjuncts stayed apart at loop heads, if it was asked for: the loop, and the last reason.
    pub refusals: Vec<(Span, String)>,
    /// What happened at loop heads, if states were asked for.
    pub loops: LoopLog,
    /// Counters.
    pub statistics: Statistics,
}
