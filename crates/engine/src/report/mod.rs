//! What an analysis has to say: alarms, states at points, counters.

use heapwise_heap::{PredTable, State};
use heapwise_ir::{BlockId, FuncId, Span};
use heapwise_property::Alarm;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A program point: before the statement with that index, or before the terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// Statements before it.
    pub index: usize,
}

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
}

impl Statistics {
    /// How much was done, in steps: unlike time it does not depend on the machine.
    pub(crate) fn work(&self) -> u64 {
        let joins = (self.joins + self.refused_joins) as u64;
        self.steps + 20 * joins
    }

    /// The same counters with the times of others.
    pub(crate) fn with_times_of(self, other: &Statistics) -> Statistics {
        let Statistics { clump_time, join_time, loss_time, .. } = *other;
        Statistics { clump_time, join_time, loss_time, ..self }
    }

    /// Counters are those of the last attempt, times those of all.
    pub(crate) fn add_times_of(&mut self, other: &Statistics) {
        self.clump_time += other.clump_time;
        self.join_time += other.join_time;
        self.loss_time += other.loss_time;
    }
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
    /// Counters.
    pub statistics: Statistics,
}
