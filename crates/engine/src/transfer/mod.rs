//! The transfer functions: what statements, expressions and library functions do to a state.

mod end;
pub mod initial;
pub mod library;
pub(crate) mod memory;
pub mod place;
pub mod statement;
pub mod value;
mod words;
