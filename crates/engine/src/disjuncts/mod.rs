//! Sets of disjuncts: which of them are put together.

pub mod merge;
