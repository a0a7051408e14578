//! Fixpoints, calls and budgets: from abstract operations to verdicts.
//!
//! [`analyse`] runs the separation-logic analysis of a whole program: forward abstract interpretation over weak
//! topological orders (survey ch. 3), calls by tabulated summaries over the part of the heap that the callee can reach
//! (survey §5.3). It returns the alarms: an empty list means that no execution can go wrong.
//!
//! **Invariant:** nothing here panics, prints or exits; limits come back as alarms of kind `budget`.

pub mod abduction;
mod budget;
mod calls;
pub mod check;
mod context;
mod contracts;
mod demand;
mod disjuncts;
mod facts;
mod fixpoint;
pub mod invariant;
pub mod options;
pub mod precision;
pub mod report;
pub mod shapes;
mod thresholds;
mod transfer;

pub use check::analyse;
pub use check::verdict::{Hunt, Verdict, check};
pub use options::{Numeric, Options, UnknownCalls};
pub use precision::{Entry, Grows, Strategy};
pub use report::{Apart, LoopLog, Point, Report, Statistics};
pub use shapes::assumption::Assumption;
