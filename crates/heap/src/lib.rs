//! Separation-logic heap states: byte-precise objects plus inductive predicates.
//!
//! A [`State`] is one disjunct: `object * … * summary * … ∧ pure`. The operations on it are those of the survey's
//! generic shape analysis (§3.2, §4.4): unfolding summaries where the program looks ([`unfold`]), folding objects
//! into predicates ([`matching`]), inclusion, join and widening, discovery of predicates from neighbouring objects.
//!
//! **Invariant:** this crate knows neither C syntax nor files.

pub mod discover;
pub mod fold;
pub mod gamma;
pub mod granularity;
pub mod lattice;
pub mod matching;
pub mod numbers;
pub mod object;
pub mod pred;
pub mod shape;
pub mod silhouette;
pub mod state;
mod symset;
pub mod testing;
pub mod unfold;
pub mod value;

pub use granularity::Granularity;
pub use numbers::{Linear, Pure};
pub use object::{Content, Fill, Floating, Object, ObjectKind};
pub use pred::{PredId, PredTable};
pub use state::{Args, Death, Groups, Lost, Root, State, Summary};
pub use value::{Base, Sym, Val};
