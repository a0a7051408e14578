//! What the tool tells its user: findings as text for people and as JSON for programs.
//!
//! A [`Finding`] is anything worth reporting about the input: a diagnostic of the front end, an error that the
//! interpreter met, a verdict of an analysis. It points at a main place, may carry notes that point at others
//! (where the block was allocated, where it was freed) and the call stack. [`render`] turns findings into text
//! with source lines and carets, [`json`] into objects. [`states`] shows what an analysis knows at each point.
//!
//! **Invariant:** this crate returns strings; it neither prints nor reads files. Source lines are those of the
//! preprocessed text that the program was made from.

pub mod finding;
pub mod json;
pub mod render;
pub mod states;
pub mod witness;

pub use finding::{Finding, Frame, Note};
pub use render::Style;
