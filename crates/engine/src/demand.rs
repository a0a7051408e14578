//! What an access lacks: the question that a run from an unknown start leaves behind where it cannot go on.
//!
//! A run that looks for preconditions ([`crate::options::Options::abduce`]) notes at each pointer of which nothing is known where
//! that pointer comes from, as far as the state still says so, and at each null pointer which arguments are null there. A demand
//! is a hint and no more: whoever adds memory to the start because of it runs again from there.

use heapwise_ir::{GlobalId, RecordId, Ty};

/// Where a value of the start is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Origin {
    /// The cutpoint with that number: parameters, then what else the precondition names.
    Held(usize),
    /// A variable of static storage.
    Global(GlobalId),
    /// A field of a record, or a cell of a block without a type, by its offset.
    Field(Option<RecordId>, u64),
}

/// What a path has found out about a value of the start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Observed {
    /// It is not null.
    NotZero,
    /// It lies between these, as far as there are such ends.
    Within(Option<i128>, Option<i128>),
}

/// What is asked of the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Demand {
    /// Memory behind a pointer.
    Memory {
        /// Who holds the pointer, the nearest to the start first.
        origins: Vec<Origin>,
        /// The type that the access takes the memory for.
        wanted: Option<Ty>,
        /// How far from the unknown pointer that memory begins.
        start: i128,
    },
    /// A pointer that is not null; these are null here.
    NotNull(Vec<Origin>),
    /// That an assertion or an operation on numbers does not fail; where it does, the values are these.
    Unless(Vec<(Origin, Observed)>),
}
