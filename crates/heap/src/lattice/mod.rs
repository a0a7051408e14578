//! States as a lattice: inclusion, and joins with widening.

pub mod explain;
pub mod inclusion;
pub mod join;
#[cfg(test)]
mod tests;

pub use explain::Words;
