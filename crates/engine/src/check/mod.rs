//! From a program to an answer: which attempts at a proof are made and what they may cost, and what they and concrete runs
//! come to.

pub(crate) mod attempts;
pub(crate) mod deadline;
pub mod verdict;
