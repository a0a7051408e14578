//! States as a lattice: inclusion, and joins with widening.

pub mod inclusion;
pub mod join;
