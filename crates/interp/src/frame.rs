//! Active calls. Calls of C functions never recurse in Rust: every one is an [`Activation`] on a vector, and so
//! is a library function that calls back into the program.

use crate::layout::FrameLayout;
use crate::library::Native;
use crate::value::{ObjectId, Value};
use heapwise_ir::{BlockId, Body, FuncId, LocalId, Ty};
use std::rc::Rc;

/// The state of a local.
#[derive(Clone, PartialEq, Debug)]
pub enum Slot {
    /// Its life has not begun, or is over.
    Dead,
    /// A scalar without an address.
    Value(Value),
    /// It lives in memory.
    Object(ObjectId),
}

/// A value with its type, as arguments are passed.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub value: Value,
    pub ty: Ty,
}

/// An active call of a function with code.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'p> {
    pub func: FuncId,
    pub body: &'p Body,
    pub layout: Rc<FrameLayout>,
    /// The block being executed.
    pub block: BlockId,
    /// The statement being executed; the number of statements stands for the terminator.
    pub statement: usize,
    /// Its first slot.
    pub base: usize,
    /// Stack address above the frame.
    pub top: u64,
    /// Lowest stack address in use.
    pub low: u64,
    /// Lowest stack address in use without the dynamic blocks.
    pub fixed_low: u64,
    /// Blocks of `alloca` (no local) and of variable-length arrays, oldest first.
    pub dynamic: Vec<(Option<LocalId>, ObjectId)>,
}

/// An entry of the call stack.
#[derive(Debug)]
pub(crate) enum Activation<'p> {
    Code(Frame<'p>),
    Native(Box<Native>),
}
