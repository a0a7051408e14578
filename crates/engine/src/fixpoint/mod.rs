//! The fixpoint: functions are solved on their entries, and entries on those of the functions they call.
//!
//! Iteration, the table of entries, recursion and the check of what came out are those that all domains share
//! ([`heapwise_fixpoint`]). Here is what separation logic brings to them: [`run::Run`] is one run over the program with one precision;
//! [`hooks`] answers what the iteration asks; [`solver`] executes blocks and takes states in at loop heads; [`call`] executes calls;
//! [`entries`] says by which entry a call is answered, and puts exits together; [`compaction`] keeps states small; [`cursors`]
//! lets cursors go where their orders are many; [`frame`] sets
//! aside what a loop cannot touch; [`product`] gives independent parts of a description alternatives of their own.

mod call;
mod call_back;
mod compaction;
mod cursors;
mod entries;
mod frame;
mod hooks;
mod product;
pub(crate) mod run;
pub(crate) mod solver;
