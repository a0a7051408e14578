//! Numeric abstract domains, independent of C and of heaps.

pub mod dbm;
pub mod domain;
pub mod interval;
#[cfg(test)]
mod laws;
pub mod linear;
pub mod machine;
pub mod octagon;

pub use dbm::Dbm;
pub use domain::NumericDomain;
pub use interval::Interval;
pub use linear::{Constraint, Dim, LinearExpr, Relation};
pub use octagon::Octagon;
