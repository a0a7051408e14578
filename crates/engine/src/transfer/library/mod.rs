//! Library functions.

mod bounded;
mod contract;
mod formats;
pub mod models;
mod options;
mod reading;
mod shapes;
pub(crate) mod streams;
pub(crate) mod strings;
pub(crate) mod varargs;
