//! What may go wrong, where, and why the analysis thinks so.

use heapwise_ir::{FuncId, Span};

/// What an alarm is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Access through null.
    NullDeref,
    /// Access to a freed block.
    UseAfterFree,
    /// Access to a variable that is gone.
    UseAfterScope,
    /// Access outside of an object.
    OutOfBounds,
    /// Access through a pointer of which nothing is known.
    UnknownPointer,
    /// Use of an uninitialised value.
    Uninitialised,
    /// Free of a freed block.
    DoubleFree,
    /// Free of something that is no heap block.
    InvalidFree,
    /// No pointer to a block is left, or it is still there at the end.
    Leak,
    /// A failing assertion.
    Assertion,
    /// A call of an error function.
    ReachError,
    /// Division by zero.
    DivisionByZero,
    /// Signed overflow.
    Overflow,
    /// Shift count out of range.
    Shift,
    /// Control comes to a point declared unreachable, or to a trap.
    Unreachable,
    /// A call of a function of which nothing is known.
    UnknownCall,
    /// A construct that the analysis does not model.
    Unsupported,
    /// No memory satisfies the precondition of a function, so nothing can be said of it.
    Precondition,
    /// A function returns in a state that its postcondition does not describe.
    Postcondition,
    /// Memory does not have the shape that a statement claims.
    Shape,
    /// The result of a solve did not pass the check that follows: a defect of the analyser.
    Recheck,
    /// A limit was reached.
    Budget,
    /// A run does something undefined that was not asked for, so that a proof would mean nothing.
    OtherError,
}

impl Kind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NullDeref => "null-deref",
            Kind::UseAfterFree => "use-after-free",
            Kind::UseAfterScope => "use-after-scope",
            Kind::OutOfBounds => "out-of-bounds",
            Kind::UnknownPointer => "unknown-pointer",
            Kind::Uninitialised => "uninitialised",
            Kind::DoubleFree => "double-free",
            Kind::InvalidFree => "invalid-free",
            Kind::Leak => "leak",
            Kind::Assertion => "assertion",
            Kind::ReachError => "reach-error",
            Kind::DivisionByZero => "division-by-zero",
            Kind::Overflow => "overflow",
            Kind::Shift => "shift",
            Kind::Unreachable => "unreachable",
            Kind::UnknownCall => "unknown-call",
            Kind::Unsupported => "unsupported",
            Kind::Precondition => "precondition",
            Kind::Postcondition => "postcondition",
            Kind::Shape => "shape",
            Kind::Recheck => "internal-check",
            Kind::Budget => "budget",
            Kind::OtherError => "other-error",
        }
    }
}

/// Something that may go wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alarm {
    /// What.
    pub kind: Kind,
    /// Where.
    pub span: Span,
    /// In which function.
    pub function: FuncId,
    /// Whether it goes wrong on every execution that the state describes, as far as the analysis sees.
    pub definite: bool,
    /// Why.
    pub message: String,
    /// Places that explain it: where the block was allocated, where it was freed.
    pub notes: Vec<(String, Span)>,
}
