//! Fixpoints, calls and budgets: from abstract operations to verdicts.
//!
//! [`analyse`] runs the separation-logic analysis of a whole program: forward abstract interpretation over weak
//! topological orders (survey ch. 3), calls by tabulated summaries over the part of the heap that the callee can reach
//! (survey §5.3). It returns the alarms: an empty list means that no execution can go wrong.
//!
//! **Invariant:** nothing here panics, prints or exits; limits come back as alarms of kind `budget`.

pub mod access;
pub mod alarm;
pub mod analysis;
pub mod arith;
mod attempts;
mod bounded;
pub mod call;
pub mod claim;
pub mod contract;
pub mod cut;
mod deadline;
pub mod declare;
pub mod exec;
mod facts;
mod formats;
pub mod gamma;
pub mod hunt;
pub mod initial;
pub mod invariant;
mod memory;
pub mod merge;
pub mod models;
pub mod options;
pub mod solve;
pub mod spec;
mod streams;
mod strings;
pub mod tvl_host;
mod varargs;
pub mod verdict;

pub use alarm::{Alarm, Kind};
pub use analysis::{Analysis, Report, analyse};
pub use merge::Strategy;
pub use options::{Options, Properties, UnknownCalls};
pub use spec::Spec;
pub use verdict::{Confirmed, Hunt, Verdict, check};
