//! The interface of abstract domains, and the solver that they share (survey §3, *Generic Shape Analysis*).
//!
//! A domain says how memories are described and what statements do to descriptions ([`domain`]). Everything else is
//! here, once: iteration in weak topological order with widening at heads ([`solver`]), calls by a table of entries and
//! recursion by a fixpoint over it ([`calls`], [`table`]), limits counted in steps, alarms and what counts as an error
//! ([`context`]), and the check that a result is a post-fixpoint ([`recheck`]). [`laws`] tests what a domain promises.
//!
//! | module | what it is for |
//! |---|---|
//! | [`domain`] | the three traits, with their laws |
//! | [`context`] | the program, the settings, alarms, the budget |
//! | [`solver`], [`calls`], [`table`], [`recheck`] | the fixpoint |
//! | [`laws`] | a test suite for every domain |
//! | [`report`] | the result |
//!
//! **Invariant (no alarm, no error):** if a report has no alarm then every concrete memory at every point of an execution is
//! in the meaning of a state that was computed there, and no execution does what the properties forbid; given that the
//! domain keeps its laws.
//!
//! # A domain of separation logic
//!
//! How a domain of disjuncts with inductive predicates fits: `State` is one disjunct; `generalise` is focus and
//! folding into predicates; `join` is the strict join that keeps constants, null and numbers apart and `widen` the one
//! that gives them up, with thresholds; the refusal of a join is its `Why`; `enter` cuts the state at a call into what
//! the callee reaches and the frame, `leave` puts exit and frame together. Attempts with different precision are
//! different values of the domain, run one after the other by the caller of [`analyse`].
//!
//! # A domain of three-valued logic
//!
//! `State` is one structure; `statement` is focus, update and coerce; `generalise` is canonical abstraction; `join` is
//! union of structures that are alike up to canonical names, and is refused otherwise.

pub mod calls;
pub mod context;
pub mod domain;
pub mod laws;
pub mod recheck;
pub mod report;
pub mod solver;
pub mod table;

pub use context::{Context, Settings, Site};
pub use domain::{Calls, Domain, Transfer};
pub use report::{Point, Refused, Report, Statistics};
pub use solver::analyse;
