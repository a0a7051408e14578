//! Calls (survey §5.3): the cut between what the callee reaches and the frame, and calls by contract.
//!
//! How entries are solved, and recursion, is a matter of the fixpoint above.

pub(crate) mod contract;
pub(crate) mod cut;
pub(crate) mod result;
