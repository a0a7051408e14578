//! Library functions.

mod bounded;
mod formats;
pub mod models;
pub(crate) mod streams;
mod strings;
mod varargs;
