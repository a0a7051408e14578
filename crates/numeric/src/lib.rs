//! Numeric abstract domains, independent of C and of heaps.
//!
//! | module | elements | cost of a constraint |
//! |---|---|---|
//! | [`interval`], [`congruence`] | values of one variable: ranges, residue classes, both | constant |
//! | [`boxes`] | every variable in a strided interval | O(log n) |
//! | [`dbm`] | `±x ≤ c`, `x - y ≤ c`, sparse | related variables only |
//! | [`octagon`] | `±x ≤ c`, `±x ± y ≤ c`, dense | O(n²) |
//! | [`polyhedron`] | all linear constraints, few variables | exponential in the worst case |
//!
//! The last four implement [`NumericDomain`] over variables that come and go, with `fold` and `expand` of groups
//! of variables; one of them is chosen with [`choice`]. [`connectors`] keeps relations between cells of a heap in one of them. [`machine`] translates between mathematical and machine integers: the domains may only be told
//! what was checked there.
//!
//! **Invariant:** every operation over-approximates; numbers too large for `i128` lose a bound, never a point. One
//! generic suite checks each domain against enumerated points.

pub mod boxes;
pub mod choice;
pub mod congruence;
pub mod connectors;
pub mod dbm;
pub mod domain;
mod half_spaces;
pub mod interval;
#[cfg(test)]
mod laws;
pub mod linear;
pub mod machine;
pub mod octagon;
pub mod polyhedron;

pub use boxes::Boxes;
pub use choice::{Element, Numeric};
pub use congruence::{Congruence, Strided};
pub use dbm::Dbm;
pub use domain::NumericDomain;
pub use interval::Interval;
pub use linear::{Constraint, Dim, LinearExpr, Relation};
pub use octagon::Octagon;
pub use polyhedron::Polyhedron;
