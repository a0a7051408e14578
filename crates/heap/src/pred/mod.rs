//! Inductive predicates as data: definitions, what follows from them, and the table they are interned in.

mod definition;
pub mod from_types;
pub(crate) mod length;
mod monotone;
pub mod path;
mod per_param;
mod properties;
mod related;
mod table;
mod tagged;
mod variants;

pub use definition::{
    BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, PredId, Tail, Term, TermBase,
};
pub use per_param::PerParam;
pub(crate) use properties::Ranges;
pub use properties::{Link, Origin, Pred};
pub use related::{By, Relations, Seen, Way};
pub(crate) use related::{Number, numbers_of};
pub use table::{PredTable, Reversal};
pub(crate) use tagged::{MAX_KINDS, MAX_STEPS};
