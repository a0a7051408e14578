//! C programs for the three-valued engine: translation of the IR into pointer programs, and verdicts.
//!
//! The memory model of [`heapwise_tvl::program`] has cells with pointer fields and nothing below: no
//! addresses of fields, no arrays, no pointer arithmetic, no unions, no recursion. Structures in variables and
//! variables whose address is taken are cells too, which live as long as the variable and cannot be freed. Calls
//! of defined functions are inlined. Numbers are not modelled: a branch on one goes both ways, except that
//! variables which are only ever set to 0 and 1 are Boolean variables. Whatever does not fit becomes a
//! [`Refusal`]; a program with refusals is never called proved.
//!
//! Types keep the cells apart: a pointer is converted only to and from `void *`, and from it only where the block
//! was allocated, so that the fields of a cell are always those of one type.

mod assign;
mod body;
mod call;
mod place;

pub use body::{Translated, translate};

use heapwise_ir::{Program, Span};
use heapwise_property::{ErrorKind, Properties, Property};
use heapwise_tvl::domain::Embedding;
use heapwise_tvl::schema::Tracking;
use heapwise_tvl::solver::{self, Counts, Stop};
use heapwise_tvl::specialised;
use heapwise_tvl::transfer::FindingKind;
use std::time::{Duration, Instant};

/// Something the memory model cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// One sentence.
    pub reason: String,
    /// Where.
    pub span: Span,
}

/// Something that may go wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alarm {
    /// What it is.
    pub kind: ErrorKind,
    /// One sentence.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// What does not fit the model.
    pub refusals: Vec<Refusal>,
    /// What may go wrong.
    pub alarms: Vec<Alarm>,
    /// Structures, if the analysis ran.
    pub counts: Option<Counts>,
}

impl Report {
    /// Whether the program is proved: translated completely and without alarms.
    pub fn is_proved(&self) -> bool {
        self.refusals.is_empty() && self.alarms.is_empty() && self.counts.is_some()
    }
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Strict or loose.
    pub embedding: Embedding,
    /// What counts as an error.
    pub properties: Properties,
    /// Whether allocations may fail.
    pub malloc_may_fail: bool,
    /// Wall-clock limit.
    pub timeout: Option<Duration>,
    /// Limit of statements applied to structures, for results that do not depend on the clock.
    pub max_steps: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            embedding: Embedding::Strict,
            properties: Properties::default(),
            malloc_may_fail: false,
            timeout: Some(Duration::from_secs(5)),
            max_steps: None,
        }
    }
}

/// Attempts in order: what is kept of cells, and the part of the time that is left which it may take. Each is sound,
/// so one proof is enough; short attempts come first because the right choice of predicates mostly is a fast one.
const ATTEMPTS: [(Tracking, u32); 6] = [
    (Tracking::Fields, 16),
    (Tracking::Heap, 16),
    (Tracking::Both, 16),
    (Tracking::Fields, 4),
    (Tracking::Heap, 3),
    (Tracking::Both, 1),
];

/// Translates and analyses a program from `main` on.
///
/// What is not proved with the predicates of single fields is tried with those over all fields together, which decide
/// leaks in trees and shared structures; what is not proved with loose embedding is tried with strict embedding, because
/// a summary that may be empty forgets that it was seen to exist. So both embeddings give the same verdicts, unless one
/// runs out of time.
pub fn analyse(program: &Program, options: &Options) -> Report {
    let translated = translate(program, options);
    let mut best = Report { refusals: translated.refusals.clone(), alarms: Vec::new(), counts: None };
    if !best.refusals.is_empty() {
        return best;
    }
    let started = Instant::now();
    let both = [options.embedding, Embedding::Strict];
    let embeddings = if options.embedding == Embedding::Strict { &both[..1] } else { &both[..] };
    for (i, &embedding) in embeddings.iter().enumerate() {
        let mut finished: Vec<Tracking> = Vec::new();
        for (tracking, part) in ATTEMPTS {
            if finished.contains(&tracking) {
                continue;
            }
            let left = options.timeout.map(|t| t.saturating_sub(started.elapsed()));
            let share = part * (embeddings.len() - i) as u32;
            let timeout = left.map(|t| t / share);
            let attempt =
                analyse_translated(&translated, &Options { embedding, timeout, ..*options }, tracking);
            if attempt.is_proved() {
                return attempt;
            }
            // An attempt that came to its end says more than one that did not; the first such one is shown.
            let ended = attempt.refusals.is_empty();
            if best.counts.is_none() || ended && !best.refusals.is_empty() {
                best = attempt;
            }
            if ended {
                finished.push(tracking);
            }
        }
    }
    best
}

fn analyse_translated(translated: &Translated, options: &Options, tracking: Tracking) -> Report {
    let mut report = Report { refusals: translated.refusals.clone(), alarms: Vec::new(), counts: None };
    if !report.refusals.is_empty() {
        return report;
    }
    let settings = specialised::Options {
        embedding: options.embedding,
        max_time: options.timeout,
        max_steps: options.max_steps,
        tracking,
        ..specialised::Options::default()
    };
    let analysis = match specialised::analyse(&translated.program, &settings) {
        Ok(analysis) => analysis,
        Err(undeclared) => {
            let reason = format!("the translation is incomplete: {undeclared} is not declared");
            report.refusals.push(Refusal { reason, span: Span::default() });
            return report;
        }
    };
    for finding in &analysis.findings {
        let span = translated.spans.get(finding.edge).copied().unwrap_or_default();
        let (kind, what) = describe(finding.kind);
        if !counts(options.properties, kind) {
            continue;
        }
        let message = if finding.certain { what.to_string() } else { format!("possible {what}") };
        let alarm = Alarm { kind, message, span };
        if !report.alarms.contains(&alarm) {
            report.alarms.push(alarm);
        }
    }
    for &(location, kind, span) in &translated.errors {
        if counts(options.properties, kind)
            && analysis.sets.get(location.0 as usize).is_some_and(|set| !set.is_empty())
        {
            let message = match kind {
                ErrorKind::Assertion => "the assertion may fail",
                ErrorKind::ReachError => "a call that marks an error may be reached",
                ErrorKind::WriteToConstant => "the pointer may lead to a constant, which must not be written",
                _ => "a point that must not be reached may be reached",
            };
            report.alarms.push(Alarm { kind, message: message.to_string(), span });
        }
    }
    let incomplete = match analysis.stop {
        Stop::Fixpoint => None,
        Stop::Structures => Some("too many structures"),
        Stop::Time => Some("out of time"),
        Stop::Individuals => Some("a structure has too many cells"),
    };
    if let Some(reason) = incomplete {
        report
            .refusals
            .push(Refusal { reason: format!("the analysis stopped: {reason}"), span: Span::default() });
    }
    report.counts = Some(solver::counts(&analysis.sets));
    report
}

/// Whether an error counts under the properties. Where one does not count, the analysis goes on with the executions in
/// which it does not happen; an uninitialised pointer may hold anything, so that there is no way to go on, and a
/// write to a constant is an access as well.
fn counts(properties: Properties, kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::Uninitialised => true,
        ErrorKind::WriteToConstant if properties.has(Property::Deref) => true,
        _ => properties.concern(kind.into()),
    }
}

/// What a finding is, in a few words.
fn describe(kind: FindingKind) -> (ErrorKind, &'static str) {
    match kind {
        FindingKind::Error(error) => {
            let what = match error {
                ErrorKind::NullDeref => "null dereference",
                ErrorKind::UseAfterFree => "use after free",
                ErrorKind::DoubleFree => "double free",
                ErrorKind::InvalidFree => "free of something that is no heap block",
                ErrorKind::Uninitialised => "read of a field that was never written",
                ErrorKind::Leak => "leak: no pointer is left to a cell, or it is still there at the end",
                other => other.about(),
            };
            (error, what)
        }
        FindingKind::Cyclic => (ErrorKind::Assertion, "cycle in a structure that should have none"),
        FindingKind::Shared => (ErrorKind::Assertion, "sharing in a structure that should have none"),
        FindingKind::NotBack => (ErrorKind::Assertion, "missing back reference"),
    }
}
