//! The transfer functions: what statements, expressions and library functions do to a state.

mod end;
pub(crate) mod environment;
pub mod initial;
mod lacking;
pub mod library;
pub(crate) mod memory;
pub mod place;
pub mod statement;
pub mod value;
mod words;
