//! Something to report about the input, with all the places that explain it.

use heapwise_ir::{Diagnostic, Severity, Span};

/// A message, the place it concerns, and what explains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How grave it is.
    pub severity: Severity,
    /// A stable short name such as `use-after-free`; see `docs/diagnostics.md`.
    pub code: String,
    /// One sentence without a final full stop.
    pub message: String,
    /// Where; the empty span at 0 if it concerns no place in the program text.
    pub span: Span,
    /// Other places that explain it, in the order of what happened.
    pub notes: Vec<Note>,
    /// How the program comes there: branches, iterations and calls, in order; empty if no run is known.
    pub path: Vec<Note>,
    /// Why it is certain, or only possible: one sentence without a final full stop.
    pub certainty: Option<String>,
    /// What to do about it: one sentence without a final full stop.
    pub hint: Option<String>,
    /// The functions that were active, innermost first.
    pub stack: Vec<Frame>,
    /// Whether it may be no more than a consequence of one before it.
    pub follows: bool,
}

/// A place that explains a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// One phrase.
    pub message: String,
    /// Where, if anywhere.
    pub span: Option<Span>,
}

/// An active function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// What it was executing.
    pub span: Span,
}

impl Finding {
    /// A finding without notes and stack.
    pub fn new(severity: Severity, code: impl Into<String>, message: impl Into<String>, span: Span) -> Self {
        Finding {
            severity,
            code: code.into(),
            message: message.into(),
            span,
            notes: Vec::new(),
            path: Vec::new(),
            certainty: None,
            hint: None,
            stack: Vec::new(),
            follows: false,
        }
    }
    /// Adds a note.
    pub fn note(mut self, message: impl Into<String>, span: Option<Span>) -> Self {
        self.notes.push(Note { message: message.into(), span });
        self
    }
    /// Whether it points at program text.
    pub fn has_place(&self) -> bool {
        self.span != Span::default()
    }
}

impl From<&Diagnostic> for Finding {
    fn from(d: &Diagnostic) -> Self {
        Finding::new(d.severity, d.code, d.message.clone(), d.span)
    }
}
