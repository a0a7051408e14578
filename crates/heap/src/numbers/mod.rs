//! What a state knows of numbers: ranges, differences and linear definitions of symbols, and what a chosen domain adds.

pub mod define;
pub mod linear;
pub mod pure;
mod refinement;

pub use linear::Linear;
pub use pure::Pure;
