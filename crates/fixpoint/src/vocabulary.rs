//! What can go wrong, and which of it counts.

use heapwise_ir::{FuncId, Span};

macro_rules! kinds {
    ($($variant:ident $name:literal $doc:literal;)+) => {
        /// What an alarm is about.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Kind { $(#[doc = $doc] $variant,)+ }
        impl Kind {
            /// All kinds.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant,)+];
            /// The stable name.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$variant => $name,)+ }
            }
        }
    };
}

kinds! {
    NullDeref "null-deref" "Access through null.";
    UseAfterFree "use-after-free" "Access to a freed block.";
    UseAfterScope "use-after-scope" "Access to a variable that is gone.";
    OutOfBounds "out-of-bounds" "Access outside of an object.";
    UnknownPointer "unknown-pointer" "Access through a pointer of which nothing is known.";
    Uninitialised "uninitialised" "Use of an uninitialised value.";
    DoubleFree "double-free" "Free of a freed block.";
    InvalidFree "invalid-free" "Free of something that is no heap block.";
    Leak "leak" "No pointer to a block is left, or it is still there at the end.";
    Assertion "assertion" "A failing assertion.";
    ReachError "reach-error" "A call of an error function.";
    DivisionByZero "division-by-zero" "Division by zero.";
    Overflow "overflow" "Signed overflow.";
    Shift "shift" "Shift count out of range.";
    Unreachable "unreachable" "Control comes to a point declared unreachable, or to a trap.";
    UnknownCall "unknown-call" "A call of a function of which nothing is known.";
    Unsupported "unsupported" "A construct that the analysis does not model.";
    Recheck "internal-check" "The result of a solve did not pass the check that follows: a defect of the analyser.";
    Budget "budget" "A limit was reached.";
}

/// What counts as an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Properties {
    /// Accesses through null, dangling, or unknown pointers, and outside of objects.
    pub deref: bool,
    /// Double and invalid frees.
    pub free: bool,
    /// Blocks to which no pointer is left.
    pub leak: bool,
    /// Blocks that are still allocated when the program ends.
    pub cleanup: bool,
    /// Uses of uninitialised values.
    pub uninitialised: bool,
    /// Failing assertions.
    pub assertion: bool,
    /// Calls of an error function.
    pub reach_error: bool,
    /// Signed overflow, shifts out of range.
    pub overflow: bool,
    /// Division by zero.
    pub division: bool,
}

impl Default for Properties {
    fn default() -> Self {
        Properties {
            deref: true,
            free: true,
            leak: true,
            cleanup: false,
            uninitialised: true,
            assertion: true,
            reach_error: true,
            overflow: false,
            division: true,
        }
    }
}

impl Properties {
    /// Whether alarms of a kind matter. Those after which the analysis knows nothing more on the path always do.
    pub fn counts(&self, kind: Kind) -> bool {
        match kind {
            Kind::NullDeref | Kind::UseAfterFree | Kind::UseAfterScope | Kind::OutOfBounds => self.deref,
            Kind::DoubleFree | Kind::InvalidFree => self.free,
            Kind::Leak => self.leak || self.cleanup,
            Kind::Uninitialised => self.uninitialised,
            Kind::Assertion => self.assertion,
            Kind::ReachError => self.reach_error,
            Kind::DivisionByZero => self.division,
            Kind::Overflow | Kind::Shift => self.overflow,
            _ => true,
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
