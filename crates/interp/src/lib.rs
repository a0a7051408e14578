//! Concrete, byte-precise interpreter of the intermediate representation.
//!
//! [`run`] executes a program from `main` with a memory that knows every object's bounds, life, initialised bits
//! and pointers. It serves as an oracle: it must agree with a native compiler on programs without errors, it
//! decides whether an alarm is real by replaying it on given inputs, and an [`Observer`] can compare each state
//! that it reaches with what an analysis claims.
//!
//! **Invariant:** no program makes it panic, print or exit; every limit comes back as a value. Calls of the
//! interpreted program do not use the Rust stack. Cost: a step takes some tens of nanoseconds.
//!
//! What is not modelled: threads, signals, `setjmp`, files. Reading a
//! member of a freed or ended object is always noticed; overlap of two accesses to one object never is.

mod arith;
mod call;
mod error;
mod extended;
mod frame;
mod inputs;
mod intrinsic;
mod laps;
mod layout;
mod leak;
mod library;
mod machine;
mod memory;
mod object;
mod observe;
mod options;
mod place;
mod statement;
mod value;
mod varargs;

pub use error::{BudgetKind, ErrorKind, ObjectHistory, RunError, StackEntry};
pub use inputs::{Draw, InputKind, InputValue, Inputs, ListInputs, Placed, PlacedAt, RandomInputs};
pub use memory::Memory;
pub use object::{Life, Object, Origin, RawScalar};
pub use observe::{FrameView, LocalView, Observer, View};
pub use options::{LeakPolicy, Limits, Options, Policy, Surroundings};
pub use value::{Chunk, ChunkPointer, ObjectId, PartialValue, Value};

use heapwise_ir::Program;

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The program returned from `main` or called `exit`; the status as a parent process sees it.
    Exit(i32),
    /// The program called `abort`.
    Abort,
    /// The program did something wrong.
    Error(Box<RunError>),
    /// A limit was reached.
    Budget(BudgetKind),
    /// `__VERIFIER_assume` of something false: this run does not count.
    AssumeFailed,
    /// The observer ended it.
    Observer,
    /// The function to start with is missing or was not understood.
    NoMain,
}

/// Figures of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Statements and terminators executed.
    pub steps: u64,
    /// Heap blocks allocated.
    pub heap_allocations: u64,
    /// Most bytes of objects alive at one time.
    pub peak_memory: u64,
    /// Bytes of all objects together, and of all copies between them.
    pub bytes: u64,
    /// Reads of indeterminate bits that [`Options::uninitialised_fill`] gave a value.
    pub undefined_reads: u64,
}

/// What a run did.
#[derive(Clone, PartialEq, Debug)]
pub struct RunResult {
    /// How it ended.
    pub outcome: Outcome,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// The inputs it drew, in order.
    pub draws: Vec<Draw>,
    /// Heap blocks left after a normal end, lost ones first, whatever [`Options::leaks`] says.
    pub leaks: Vec<ObjectHistory>,
    /// Figures.
    pub stats: Stats,
    /// What the run took from the library, or computed, that no real run need find like that: neither its error nor its good
    /// end shows anything about real runs. `None` if everything it did is possible.
    pub guess: Option<String>,
}

/// Runs a program.
pub fn run(
    program: &Program,
    options: &Options,
    inputs: &mut dyn Inputs,
    observer: Option<&mut dyn Observer>,
) -> RunResult {
    machine::Machine::new(program, options, inputs).run(observer)
}
