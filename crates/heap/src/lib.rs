//! Separation-logic heap states: byte-precise objects plus inductive predicates.
//!
//! A [`State`] is one disjunct: `object * … * summary * … ∧ pure`. The operations on it are those of the survey's
//! generic shape analysis (§3.2, §4.4): unfolding summaries where the program looks ([`unfold`]), folding objects
//! into predicates ([`matching`]), inclusion, join and widening, discovery of predicates from neighbouring objects.
//!
//! **Invariant:** this crate knows neither C syntax nor files.

pub mod abstraction;
mod affine;
pub mod canon;
mod closing;
pub mod define;
pub mod derive;
pub mod discover;
pub mod display;
mod ending;
pub mod inclusion;
pub mod join;
mod kinds;
mod leeway;
pub mod linear;
mod marks;
pub mod matching;
pub mod object;
mod pairing;
pub mod pred;
pub mod pure;
pub mod shape;
pub mod silhouette;
pub mod state;
mod summary;
pub mod unfold;
pub mod value;
mod variants;

pub use linear::Linear;
pub use object::{Content, Fill, Floating, Object, ObjectKind};
pub use pred::{PredId, PredTable};
pub use pure::Pure;
pub use state::{Args, Death, Lost, Root, State, Summary};
pub use value::{Base, Sym, Val};
