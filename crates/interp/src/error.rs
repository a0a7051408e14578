//! Why a run stopped, and what an error tells its reader.
//!
//! Inside the interpreter every fallible operation returns a boxed [`Stop`], so that results stay one word wide
//! on the good path. A fault is raised where it is noticed, without context; the main loop turns it into a
//! [`RunError`] with the statement, the object's history and the call stack.

use crate::value::ObjectId;
use heapwise_ir::{FuncId, Span};
pub use heapwise_property::ErrorKind;

/// What is known of the object that an error concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectHistory {
    /// What it is, for people: ``local `x` of `main` ``, `heap block of 16 bytes`.
    pub description: String,
    /// Its size in bytes.
    pub size: u64,
    /// Where it was allocated or declared.
    pub allocated: Span,
    /// Where it was freed or its scope ended.
    pub freed: Option<Span>,
}

/// A function that was active when the error happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackEntry {
    /// Which function.
    pub function: FuncId,
    /// Its name.
    pub name: Box<str>,
    /// The statement it was executing.
    pub span: Span,
}

/// An error of the program that was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The statement that did it.
    pub span: Span,
    /// One sentence without a final full stop, naming the expression as written.
    pub message: String,
    /// The object concerned, if there is one.
    pub object: Option<ObjectHistory>,
    /// Active functions, innermost first; at most 64 of them.
    pub stack: Vec<StackEntry>,
}

/// The limit that ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BudgetKind {
    /// Statements executed.
    Steps,
    /// Bytes allocated at one time, or the address space.
    Memory,
    /// Nested calls.
    Depth,
    /// Bytes written.
    Output,
    /// The given inputs are used up.
    Inputs,
    /// Time on the clock.
    Time,
}

/// Why execution cannot go on.
#[derive(Debug)]
pub(crate) enum Stop {
    Fault { kind: ErrorKind, object: Option<ObjectId>, detail: String },
    Exit(i32),
    Abort,
    Budget(BudgetKind),
    AssumeFailed,
    Observer,
}

pub(crate) type Res<T> = Result<T, Box<Stop>>;

/// A fault that concerns no particular object.
#[cold]
pub(crate) fn fault<T>(kind: ErrorKind, detail: impl Into<String>) -> Res<T> {
    Err(Box::new(Stop::Fault { kind, object: None, detail: detail.into() }))
}

/// A fault about an object.
#[cold]
pub(crate) fn object_fault<T>(kind: ErrorKind, object: ObjectId, detail: impl Into<String>) -> Res<T> {
    Err(Box::new(Stop::Fault { kind, object: Some(object), detail: detail.into() }))
}

/// An ending that is no fault.
#[cold]
pub(crate) fn stop<T>(stop: Stop) -> Res<T> {
    Err(Box::new(stop))
}
