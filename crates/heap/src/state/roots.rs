//! The environment of a state: the names that programs and their callers have for values.

use heapwise_ir::{GlobalId, LocalId};

/// A name of the environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Root {
    /// The value of a local that is no memory object.
    Local(LocalId),
    /// The address of a local that is a memory object.
    Slot(LocalId),
    /// The address of a global.
    Global(GlobalId),
    /// The value that the function returns.
    Result,
    /// A value that the callers hold on to.
    Cut(u32),
    /// A value that a transfer function keeps hold of while the state changes under it.
    Scratch(u8),
}
