//! How much an attempt at a proof tells apart.
//!
//! A [`Precision`] is a choice for each of a few questions; everything in the engine that depends on precision asks it, and
//! nothing else. Beyond what holds everywhere it may have entries for single loops, which grow from alarms ([`places`]). [`JoinPolicy`] turns it into what single joins may give up, which also depends on how long a loop has
//! been iterated and on how many disjuncts there are: all thresholds of that kind are there.

mod joins;
mod places;
mod strategy;

pub(crate) use joins::{Crowd, JoinPolicy};
pub(crate) use places::Loop;
pub use places::{Entry, Grows};
pub use strategy::Strategy;

pub(crate) use heapwise_heap::granularity::Numbers;

use crate::thresholds::Thresholds;
use heapwise_heap::granularity::{self, Granularity, Segments, Trees};

/// What an attempt tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Precision {
    /// When disjuncts are put together.
    pub(crate) merging: Merging,
    /// Which of them.
    pub(crate) strategy: Strategy,
    /// What functions get.
    pub(crate) entries: Entries,
    /// What loops know of the callers' names.
    pub(crate) callers_names: CallersNames,
    /// Which numbers in elements of structures count.
    pub(crate) numbers: Numbers,
    /// Which structures are looked for.
    pub(crate) discovery: Discovery,
    /// What is told apart at single loops, beyond all that: there are such entries only where alarms asked for them.
    pub(crate) grows: Option<Grows>,
}

/// When disjuncts are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merging {
    /// As early as their silhouettes allow; loops are not unrolled, and nothing but its place among the cursors keeps a
    /// disjunct apart.
    Eager,
    /// After some iterations of a loop; what tells disjuncts apart is given up the sooner the more of them there are.
    Patient {
        /// Iterations of a loop before disjuncts are abstracted.
        unroll: usize,
    },
}

/// What functions get at calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entries {
    /// No more than their footprint; and where there are many disjuncts or pieces of memory, they are folded.
    Footprint,
    /// All that arguments and globals lead to.
    Reachable,
}

/// What a loop keeps of names that only callers have for places inside of structures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallersNames {
    /// Nothing.
    Forgotten,
    /// All.
    Kept,
}

/// Which structures are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Discovery {
    /// Those that similar objects have in common.
    Usual,
    /// Also trees in which one node stands for all missing children.
    CommonLeaves,
    /// Lists are told from trees of the same elements.
    BareLists,
    /// No others than those that an attempt before has found.
    Learned,
    /// Those, and beside them such ones whose elements are related to each other in one way: the ways are counted, the likely first.
    Related(u8),
}

/// Iterations of a loop that are usually kept apart.
pub(crate) const UNROLL: usize = 2;

impl Precision {
    /// The same with another strategy.
    pub(crate) fn with(self, strategy: Strategy) -> Precision {
        Precision { strategy, ..self }
    }

    /// Whether disjuncts are put together as early as their silhouettes allow.
    pub(crate) fn is_eager(&self) -> bool {
        self.merging == Merging::Eager
    }

    /// Whether functions get no more than their footprint.
    pub(crate) fn is_narrow(&self) -> bool {
        self.entries == Entries::Footprint
    }

    /// Whether states are kept small at the price of what is known of single elements.
    pub(crate) fn is_thrifty(&self) -> bool {
        self.is_narrow() && !self.is_eager()
    }

    /// Iterations of a loop before disjuncts are abstracted.
    pub(crate) fn unroll(&self) -> usize {
        match self.merging {
            Merging::Eager => 0,
            Merging::Patient { unroll } => unroll,
        }
    }

    /// What discovery and folding may do in an attempt; `known` if there are predicates to begin with.
    pub(crate) fn granularity<'p>(&self, thresholds: &'p Thresholds, known: bool) -> Granularity<'p> {
        let discovery = match (self.is_eager() && known, self.callers_names) {
            (true, _) => granularity::Discovery::Closed,
            (false, CallersNames::Forgotten) => granularity::Discovery::Families,
            (false, CallersNames::Kept) => granularity::Discovery::Chains,
        };
        let trees = match self.discovery {
            Discovery::Usual | Discovery::Learned | Discovery::Related(_) => Trees::NullLeaves,
            Discovery::CommonLeaves => Trees::CommonLeaf,
            Discovery::BareLists => Trees::BesideLists,
        };
        let segments = match self.entries {
            Entries::Footprint => Segments::ToCursors,
            Entries::Reachable => Segments::OneWay,
        };
        Granularity { discovery, trees, numbers: self.numbers, segments, thresholds: &thresholds.bounds }
    }
}
