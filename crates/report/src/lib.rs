//! What the tool tells its user: findings as text for people and as JSON for programs.
//!
//! A [`Finding`] is anything worth reporting about the input: a diagnostic of the front end, an error that the
//! interpreter met, a verdict of an analysis. It points at a main place, may carry notes that point at others
//! (where the block was allocated, where it was freed), the path to it and the call stack. A [`Document`] is a whole report:
//! findings with fingerprints, some of them silenced by comments ([`suppress`]) or by what was known before ([`baseline`]).
//! [`render`] turns findings into text with source lines and carets, [`json`], [`sarif`], [`junit`] and [`github`] into what
//! other programs read. [`states`] shows what an analysis knows at each point.
//!
//! **Invariant:** this crate returns strings; it neither prints nor reads files. Source lines are those of the
//! preprocessed text that the program was made from.

pub mod baseline;
mod chains;
pub mod document;
pub mod draw;
pub mod explorer;
pub mod finding;
pub mod fingerprint;
pub mod github;
pub mod json;
pub mod junit;
pub mod names;
pub mod path;
pub mod place;
pub mod render;
pub mod sarif;
pub mod states;
pub mod suppress;
pub mod witness;
pub mod words;

pub use document::{Document, Entry, Silenced};
pub use finding::{Finding, Frame, Note};
pub use place::Place;
pub use render::Style;
