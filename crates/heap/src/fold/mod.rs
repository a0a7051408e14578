//! Before states are joined: what may be folded, where variables must name objects, and folding itself.

mod abstraction;
mod focus;
mod orientation;
mod pinned;
#[cfg(test)]
mod tests;
mod texts;

pub use abstraction::{Abstracted, abstracted};
pub use focus::{enters_ring, focused};
pub use pinned::named;
pub(crate) use pinned::pinned;

/// Pieces of a chain that are looked at.
const MAX_PIECES: usize = 64;
