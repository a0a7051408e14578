//! The hunt for errors: concrete runs whose inputs are solved for, so that each one goes where none went before
//! (concolic execution), and proofs by all runs where these are few.
//!
//! A run is executed by the interpreter on given inputs, zeros after those, while [`shadow`] records the conditions that
//! its path puts on the inputs as [`term`]s. Negating one of them and solving ([`solve`]) gives inputs for another path;
//! [`queue`] says which is tried next ([`inputs`] of jobs share what runs drew), [`minimise`] shortens what was found. [`finite`] proves programs whose runs are
//! finitely many up to inputs that make no difference ([`marks`]).
//!
//! **Invariant:** what is returned was executed by the interpreter on exactly the inputs that are returned, and ended in
//! an error that counts. What is found depends on the limits that are counted, and on the clock only where the user's time is over.

mod effort;
mod finite;
mod hunter;
mod inputs;
mod marks;
mod minimise;
mod number;
mod queue;
mod shadow;
mod solve;
mod term;

pub use effort::Effort;
pub use hunter::{Hunter, PRECISE_STEPS, run_options};

use heapwise_interp::{RunError, RunResult};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A concrete run that went wrong.
#[derive(Debug)]
pub struct Confirmed {
    /// What went wrong, where, with the history of the object.
    pub error: RunError,
    /// The whole run, with the inputs that were drawn.
    pub run: RunResult,
    /// How it was made: what counted as an error, whether allocations could fail, what uninitialised bytes held.
    pub settings: heapwise_interp::Options,
}

/// How far a hunt goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most runs.
    pub runs: u64,
    /// Most statements per run.
    pub steps: u64,
    /// The effort of all runs together, in [`Effort::units`].
    pub effort: u64,
    /// When the user's time is over.
    pub end: Option<Instant>,
    /// Set when somebody else has the answer.
    pub stop: Option<Arc<AtomicBool>>,
}
