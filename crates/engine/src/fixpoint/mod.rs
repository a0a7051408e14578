//! The fixpoint: functions are solved on their entries, and entries on those of the functions they call.
//!
//! [`run::Run`] is one run over the program with one precision. [`solver`] iterates one function on one entry, [`call`] executes
//! calls, [`entries`] keeps the table of entries and solves recursion, [`compaction`] keeps states small,
//! [`first_iteration`] solves a loop with its first iteration apart, [`recheck`] checks what came out.

mod call;
mod call_back;
mod compaction;
mod entries;
mod first_iteration;
mod frame;
mod recheck;
pub(crate) mod run;
pub(crate) mod solver;
