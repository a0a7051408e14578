//! States as a lattice: inclusion, and joins with widening.

mod explain;
pub mod inclusion;
pub mod join;
#[cfg(test)]
mod tests;

pub use explain::Words;
