//! Contracts of functions.

pub mod verify;
