//! The fixpoint of one function on one entry state: iteration, loop heads, and the check of what came out.

mod compaction;
mod first_iteration;
mod recheck;
pub mod solver;
