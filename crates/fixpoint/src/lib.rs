//! The interface of abstract domains, and the solver that they share (survey §3, *Generic Shape Analysis*).
//!
//! A domain says how memories are described and what statements do to descriptions ([`domain`]). Everything else is
//! here, once, in two layers.
//!
//! The layer below knows functions, blocks and loops, and of states no more than that they can be copied: iteration in weak
//! topological order ([`iterate`]) over what is known at points and edges ([`flow`]), the table of entries ([`table`]) and recursion by
//! a fixpoint over it ([`recursion`]), and the check that a result is a post-fixpoint ([`recheck`]). What a rich analysis does
//! beyond that (iterations executed one by one, a first iteration apart, a frame around loops) are capabilities: traits with a law
//! and a default, which is not to.
//!
//! The layer above is an analysis by a domain: how states are compared and put together at heads, exits and calls ([`solver`]),
//! limits counted in steps, alarms and what counts as an error ([`context`]). [`laws`] tests what a domain promises.
//!
//! | module | what it is for |
//! |---|---|
//! | [`domain`] | the three traits, with their laws |
//! | [`iterate`], [`flow`], [`recursion`], [`table`], [`recheck`] | the fixpoint |
//! | [`solver`], `blocks`, `calls` | an analysis by a domain of states |
//! | [`context`] | the program, the settings, alarms, the budget |
//! | [`laws`] | a test suite for every domain |
//! | [`report`] | the result |
//!
//! **Invariant (no alarm, no error):** if a report has no alarm then every concrete memory at every point of an execution is
//! in the meaning of a state that was computed there, and no execution does what the properties forbid; given that the
//! domain keeps its laws.
//!
//! # A domain of separation logic
//!
//! How a domain of disjuncts with inductive predicates fits: a state is one disjunct; `generalise` is focus and
//! folding into predicates; `join` is the strict join that keeps constants, null and numbers apart and `widen` the one
//! that gives them up, with thresholds; the refusal of a join is its `Why`. Which disjuncts are tried, in which order and
//! how hard depends on how many there are and on the precision of the attempt, so its loop heads, block starts and exits are its own:
//! it stands on the layer below, and its states keep the laws of [`domain`].
//!
//! # A domain of three-valued logic
//!
//! `State` is one structure; `statement` is focus, update and coerce; `generalise` is canonical abstraction; `join` is
//! union of structures that are alike up to canonical names, and is refused otherwise.

mod blocks;
mod calls;
pub mod context;
pub mod domain;
pub mod flow;
pub mod iterate;
pub mod laws;
pub mod recheck;
pub mod recursion;
pub mod report;
pub mod solver;
pub mod table;

pub use context::{Context, Settings, Site};
pub use domain::{Calls, Domain, Transfer};
pub use report::{Point, Refused, Report, Statistics};
pub use solver::analyse;
