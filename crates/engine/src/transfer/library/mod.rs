//! Library functions.

mod bounded;
mod formats;
pub mod models;
mod shapes;
pub(crate) mod streams;
mod strings;
mod varargs;
