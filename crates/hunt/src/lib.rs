//! The hunt for errors: concrete runs whose inputs are solved for, so that each one goes where none went before
//! (concolic execution), and proofs by all runs where these are few.
//!
//! A run is executed by the interpreter on given inputs, zeros after those, while [`shadow`] records the conditions that
//! its path puts on the inputs as [`term`]s. Negating one of them and solving ([`solve`]) gives inputs for another path;
//! [`hunter`] says which is tried next, [`minimise`] shortens what was found. [`finite`] proves programs whose runs are
//! finitely many up to inputs that make no difference ([`marks`]).
//!
//! **Invariant:** what is returned was executed by the interpreter on exactly the inputs that are returned, and ended in
//! an error that counts. Everything is deterministic but for the deadline.

mod finite;
mod hunter;
mod marks;
mod minimise;
mod number;
mod shadow;
mod solve;
mod term;

pub use hunter::{Hunter, run_options};

use heapwise_interp::{RunError, RunResult};
use std::time::Duration;

/// A concrete run that went wrong.
#[derive(Debug)]
pub struct Confirmed {
    /// What went wrong, where, with the history of the object.
    pub error: RunError,
    /// The whole run, with the inputs that were drawn.
    pub run: RunResult,
    /// What uninitialised bytes held, where reading them does not count.
    pub fill: u8,
}

/// How far a hunt goes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most runs.
    pub runs: u64,
    /// Most statements per run.
    pub steps: u64,
    /// Time on the clock for all runs together.
    pub time: Duration,
}
