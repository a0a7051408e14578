//! Verification tasks: what a task definition file asks, how each question is put to a process of its own, and what
//! the answers are worth.

pub mod definition;
pub mod score;
pub mod table;
pub mod worker;
