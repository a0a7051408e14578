//! What an analysis fears, where, and why.

use crate::{ErrorKind, named};
use heapwise_ir::{FuncId, Span};

named! {
/// Why an analysis has no answer although nothing may be wrong.
Reason {
    UnknownPointer "unknown-pointer" "Access through a pointer of which nothing is known";
    UnknownCall "unknown-call" "A call of a function of which nothing is known";
    Unsupported "unsupported" "A construct that the analysis does not model";
    Precondition "precondition" "No memory satisfies the precondition of a function, or a call may not satisfy that of the contract it relies on";
    Postcondition "postcondition" "A function returns in a state that its postcondition does not describe";
    Shape "shape" "Memory does not have the shape that a statement claims";
    Recheck "internal-check" "The result of a solve did not pass the check that follows: a defect of the analyser";
    Budget "budget" "A limit was reached";
    OtherError "other-error" "A run does something undefined that was not asked for, so that a proof would mean nothing";
}
}

/// What an alarm is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// An execution may do this.
    Error(ErrorKind),
    /// Nothing is known for this reason.
    Unknown(Reason),
}

impl Kind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Error(error) => error.name(),
            Kind::Unknown(reason) => reason.name(),
        }
    }

    /// Whether less is known of memory after it than before, so that others may follow from it.
    pub fn loses_knowledge(self) -> bool {
        use Reason as R;
        matches!(self, Kind::Unknown(R::UnknownPointer | R::UnknownCall | R::Unsupported))
    }

    /// Whether it may come from what was lost before.
    pub fn may_follow(self) -> bool {
        matches!(self, Kind::Error(_) | Kind::Unknown(Reason::UnknownPointer))
    }
}

impl From<ErrorKind> for Kind {
    fn from(error: ErrorKind) -> Kind {
        Kind::Error(error)
    }
}

impl From<Reason> for Kind {
    fn from(reason: Reason) -> Kind {
        Kind::Unknown(reason)
    }
}

/// Either may be compared with what an alarm is about.
impl PartialEq<ErrorKind> for Kind {
    fn eq(&self, error: &ErrorKind) -> bool {
        *self == Kind::Error(*error)
    }
}

impl PartialEq<Reason> for Kind {
    fn eq(&self, reason: &Reason) -> bool {
        *self == Kind::Unknown(*reason)
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
