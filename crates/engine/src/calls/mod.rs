//! Calls (survey §5.3): the table of entries and exits, recursion, and the cut between what the callee reaches and the frame.

pub mod call;
pub mod cut;
