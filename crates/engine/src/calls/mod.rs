//! Calls (survey §5.3): the table of entries and exits, and the cut between what the callee reaches and the frame.
//!
//! How entries are solved, and recursion, is a matter of the fixpoint above.

pub(crate) mod contract;
pub(crate) mod cut;
pub(crate) mod result;
pub(crate) mod table;
