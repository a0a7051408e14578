//! Why a run stopped: the stable kinds of errors, and what an error tells its reader.
//!
//! Inside the interpreter every fallible operation returns a boxed [`Stop`], so that results stay one word wide
//! on the good path. A fault is raised where it is noticed, without context; the main loop turns it into a
//! [`RunError`] with the statement, the object's history and the call stack.

use crate::value::ObjectId;
use heapwise_ir::{FuncId, Span};

/// What went wrong. [`ErrorKind::name`] is stable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// Access through null, or through an address on the first page.
    NullDeref,
    /// Access to a heap block that was freed.
    UseAfterFree,
    /// Access to a local, VLA or `alloca` block whose life is over.
    UseAfterScope,
    /// Access outside the object that the pointer was made from.
    OutOfBounds,
    /// Access through a pointer that was not made from any object.
    InvalidDeref,
    /// Write to a string literal or to a static object declared `const`.
    WriteToConstant,
    /// An indeterminate value decides a branch, an address, an arithmetic operation or the output.
    Uninitialised,
    /// A block is freed a second time.
    DoubleFree,
    /// What is freed is not the start of a heap block.
    InvalidFree,
    /// A heap block is still allocated when the program ends.
    Leak,
    /// No pointer to a heap block is left.
    LostBlock,
    /// An assertion of the program is violated.
    Assertion,
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// A signed result does not fit its type.
    Overflow,
    /// A shift count is negative or not less than the width.
    Shift,
    /// A function that marks an error was called.
    ReachError,
    /// A call does not fit the function that is called.
    BadCall,
    /// A function without a definition was called, and the library table does not know it.
    UndefinedFunction,
    /// A library function was called with arguments outside its contract.
    BadArgument,
    /// The ranges of a copy overlap.
    OverlappingCopy,
    /// Control came to a point declared unreachable.
    Unreachable,
    /// A trap of the compiler was executed.
    Trap,
    /// Something that the interpreter does not model.
    Unsupported,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: &'static [ErrorKind] = &[
        ErrorKind::NullDeref,
        ErrorKind::UseAfterFree,
        ErrorKind::UseAfterScope,
        ErrorKind::OutOfBounds,
        ErrorKind::InvalidDeref,
        ErrorKind::WriteToConstant,
        ErrorKind::Uninitialised,
        ErrorKind::DoubleFree,
        ErrorKind::InvalidFree,
        ErrorKind::Leak,
        ErrorKind::LostBlock,
        ErrorKind::Assertion,
        ErrorKind::DivisionByZero,
        ErrorKind::Overflow,
        ErrorKind::Shift,
        ErrorKind::ReachError,
        ErrorKind::BadCall,
        ErrorKind::UndefinedFunction,
        ErrorKind::BadArgument,
        ErrorKind::OverlappingCopy,
        ErrorKind::Unreachable,
        ErrorKind::Trap,
        ErrorKind::Unsupported,
    ];

    /// The stable name, as printed.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::NullDeref => "null-deref",
            ErrorKind::UseAfterFree => "use-after-free",
            ErrorKind::UseAfterScope => "use-after-scope",
            ErrorKind::OutOfBounds => "out-of-bounds",
            ErrorKind::InvalidDeref => "invalid-deref",
            ErrorKind::WriteToConstant => "write-to-constant",
            ErrorKind::Uninitialised => "uninitialised",
            ErrorKind::DoubleFree => "double-free",
            ErrorKind::InvalidFree => "invalid-free",
            ErrorKind::Leak => "leak",
            ErrorKind::LostBlock => "lost-block",
            ErrorKind::Assertion => "assertion",
            ErrorKind::DivisionByZero => "division-by-zero",
            ErrorKind::Overflow => "overflow",
            ErrorKind::Shift => "shift",
            ErrorKind::ReachError => "reach-error",
            ErrorKind::BadCall => "bad-call",
            ErrorKind::UndefinedFunction => "undefined-function",
            ErrorKind::BadArgument => "bad-argument",
            ErrorKind::OverlappingCopy => "overlapping-copy",
            ErrorKind::Unreachable => "unreachable",
            ErrorKind::Trap => "trap",
            ErrorKind::Unsupported => "unsupported",
        }
    }
}

impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

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
