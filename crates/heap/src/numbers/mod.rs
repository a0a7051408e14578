//! What a state knows of numbers: ranges, differences and linear definitions of symbols.

pub mod define;
pub mod linear;
pub mod pure;

pub use linear::Linear;
pub use pure::Pure;
