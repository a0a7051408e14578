//! The result of an analysis.

use heapwise_ir::{BlockId, FuncId, Span};
use heapwise_property::Alarm;
use rustc_hash::FxHashMap;

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

/// Counters of an analysis; none of them depends on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Statements executed on a state.
    pub steps: u64,
    /// Most states at a loop head.
    pub head_disjuncts: usize,
    /// Most states at a point.
    pub max_disjuncts: usize,
    /// Pairs of states that were put together.
    pub joins: usize,
    /// Pairs that have no common description.
    pub refused_joins: usize,
    /// Function entries analysed.
    pub entries: usize,
    /// Loop iterations.
    pub iterations: u64,
}

/// Two states that could not be put together at a loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The loop.
    pub span: Span,
    /// Why.
    pub why: String,
}

/// What an analysis says.
#[derive(Clone, Debug)]
pub struct Report<S> {
    /// What may go wrong; empty if the program is proved.
    pub alarms: Vec<Alarm>,
    /// The states at all points, if they were asked for.
    pub states: FxHashMap<Point, Vec<S>>,
    /// The last refusal at each loop head.
    pub refused: Vec<Refused>,
    /// Counters.
    pub statistics: Statistics,
}

impl<S> Report<S> {
    /// Whether nothing can go wrong.
    pub fn is_proved(&self) -> bool {
        self.alarms.is_empty()
    }
}
