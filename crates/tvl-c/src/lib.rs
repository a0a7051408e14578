//! Three-valued logic as a domain for C: translation of the IR into pieces of a pointer program ([`body`], [`place`],
//! [`assign`], [`call`]), and their execution by the solver that all domains share ([`domain`]).
//!
//! The memory model of [`heapwise_tvl::program`] has cells with pointer fields and nothing below: no pointer arithmetic but within blocks of
//! numbers ([`blocks`], [`extent`]), and no unions. Elements of small arrays are fields, and an index that varies has a way for each; the address of
//! a field is that of its cell where types say which field is meant ([`interior`]). Structures in variables and
//! variables whose address is taken are cells too, which live as long as the variable and cannot be freed. Functions are
//! analysed on local heaps, recursion included. Numbers are ranges beside the structures ([`numbers`]), cells are told apart by theirs where
//! these are compared ([`values`]), and variables which are only ever set to 0 and 1 are Boolean variables. Whatever does not fit becomes a
//! [`Refusal`]; a program with refusals is never called proved.
//!
//! Types keep the cells apart: a pointer is converted only to and from `void *`, and from it only where the block
//! was allocated or a mark says what the cell is ([`kind`]), so that the fields of a cell are always those of one type.

mod assign;
mod blocks;
mod body;
mod call;
mod domain;
mod extent;
mod indexed;
mod interior;
mod kind;
mod numbers;
mod object;
mod place;
mod survey;
mod values;

pub use blocks::Blocks;
pub use body::{ByValue, Translated, translate};

use domain::{Merging, Shapes};
use heapwise_fixpoint::{Settings, Statistics};
use heapwise_ir::{Program, Span};
use heapwise_property::{ErrorKind, Kind, Properties, Reason};
use heapwise_tvl::domain::Embedding;
use heapwise_tvl::schema::{Schema, Tracking};
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
    /// Counters, if the analysis ran.
    pub counts: Option<Statistics>,
    /// Whether a limit ended the analysis, so that what it says is not all that there is to say.
    pub stopped: bool,
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

/// Most structures at a point.
const MAX_STRUCTURES: usize = 1_000;
/// Time for a list of alarms where the user's limit is over.
const LAST_WORD: Duration = Duration::from_millis(200);
/// Most iterations of a loop.
const MAX_ITERATIONS: usize = 1_000;

/// Attempts in order: what is kept of cells, whether their numbers tell them apart, and which structures are put together. Each is
/// sound, so one proof is enough, and each ends with its first alarm. If none is a proof, the first choice is run once more for all that it
/// has to say.
const ATTEMPTS: [Choice; 9] = [
    Choice(Tracking::Fields, ByValue::Never, Merging::Partial),
    Choice(Tracking::Both, ByValue::Never, Merging::Partial),
    Choice(Tracking::Heap, ByValue::Never, Merging::Partial),
    Choice(Tracking::Fields, ByValue::Never, Merging::Maximal),
    Choice(Tracking::Both, ByValue::Never, Merging::Maximal),
    Choice(Tracking::Heap, ByValue::Never, Merging::Maximal),
    Choice(Tracking::Fields, ByValue::Compared, Merging::Partial),
    Choice(Tracking::Both, ByValue::Compared, Merging::Partial),
    Choice(Tracking::Heap, ByValue::Compared, Merging::Partial),
];

/// The part of the time that is left which an attempt may take at first: short attempts come first because the right choice of predicates
/// mostly is a fast one. What only the clock ended is taken up again, and shares what is left.
const FIRST: u32 = 18;

/// What an attempt keeps of cells, whether their numbers tell them apart, and which structures it puts together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Choice(Tracking, ByValue, Merging);

/// Translates and analyses a program from `main` on.
///
/// What is not proved with the predicates of single fields is tried with those over all fields together, which decide
/// leaks in trees and shared structures; what is not proved with loose embedding is tried with strict embedding, because
/// a summary that may be empty forgets that it was seen to exist. So both embeddings give the same verdicts, unless one
/// runs out of time.
pub fn analyse(program: &Program, options: &Options) -> Report {
    let mut blocks = Blocks::Opaque;
    let mut translated = translate(program, options, ByValue::Never, blocks);
    if !translated.refusals.is_empty() {
        let followed = translate(program, options, ByValue::Never, Blocks::Followed);
        if followed.refusals.is_empty() {
            (blocks, translated) = (Blocks::Followed, followed);
        }
    }
    let mut refused =
        Report { refusals: translated.refusals.clone(), alarms: Vec::new(), counts: None, stopped: false };
    if !refused.refusals.is_empty() {
        return refused;
    }
    if let Some(undeclared) = translated.program.undeclared() {
        let reason = format!("the translation is incomplete: {undeclared} is not declared");
        refused.refusals.push(Refusal { reason, span: Span::default() });
        return refused;
    }
    let by_values = translate(program, options, ByValue::Compared, blocks);
    let started = Instant::now();
    let both = [options.embedding, Embedding::Strict];
    let embeddings = if options.embedding == Embedding::Strict { &both[..1] } else { &both[..] };
    let left = || options.timeout.map(|t| t.saturating_sub(started.elapsed()));
    for (i, &embedding) in embeddings.iter().enumerate() {
        let mut open = ATTEMPTS.to_vec();
        for again in [false, true] {
            let mut late = Vec::new();
            let waiting = open.len();
            for (done, choice) in open.into_iter().enumerate() {
                let part = if again { (waiting - done) as u32 } else { FIRST };
                let by_value = choice.1 == ByValue::Compared;
                if by_value && by_values.values.is_empty() {
                    continue;
                }
                let translated = if by_value { &by_values } else { &translated };
                let share = part * (embeddings.len() - i) as u32;
                let options = Options { embedding, timeout: left().map(|t| t / share), ..*options };
                let began = Instant::now();
                let attempt = attempt(program, translated, &options, choice, true);
                if attempt.is_proved() {
                    return attempt;
                }
                if options.timeout.is_some_and(|t| began.elapsed() >= t) {
                    late.push(choice);
                }
            }
            open = late;
        }
    }
    let options = Options { timeout: left().map(|t| t.max(LAST_WORD)), ..*options };
    let [choice, ..] = ATTEMPTS;
    attempt(program, &translated, &options, choice, false)
}

fn attempt(
    program: &Program,
    translated: &Translated,
    options: &Options,
    Choice(tracking, _, merging): Choice,
    proof_only: bool,
) -> Report {
    let settings = Settings {
        properties: options.properties,
        malloc_may_fail: options.malloc_may_fail,
        unroll: 0,
        apart: if merging == Merging::Maximal { usize::MAX } else { 0 },
        max_disjuncts: MAX_STRUCTURES,
        max_iterations: MAX_ITERATIONS,
        max_steps: options.max_steps.map_or(u64::MAX, |steps| steps as u64),
        deadline: options.timeout.map(|t| Instant::now() + t),
        proof_only,
        ..Settings::default()
    };
    let schema = Schema::of(&translated.program, tracking);
    let shapes = Shapes::new(translated, &schema, options.embedding, merging);
    let found = heapwise_fixpoint::analyse(program, &settings, shapes);
    let counts = Some(found.statistics);
    let mut report = Report { refusals: Vec::new(), alarms: Vec::new(), counts, stopped: false };
    for alarm in found.alarms {
        report.stopped |= alarm.kind == Kind::Unknown(Reason::Budget);
        match alarm.kind {
            Kind::Error(kind) => {
                report.alarms.push(Alarm { kind, message: alarm.message, span: alarm.span });
            }
            Kind::Unknown(_) => report.refusals.push(Refusal { reason: alarm.message, span: alarm.span }),
        }
    }
    report
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
