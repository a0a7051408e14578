//! What a caller can choose about a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Whether a condition that C leaves undefined ends the run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// It is an error and ends the run.
    #[default]
    Stop,
    /// The run goes on with what common hardware does.
    Ignore,
}

/// Which heap blocks may be left when the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LeakPolicy {
    /// Any.
    #[default]
    Ignore,
    /// Those to which a pointer is left in a global, a living local or another such block (memtrack).
    Reachable,
    /// None (memcleanup).
    None,
}

/// Limits; reaching one ends the run with [`Outcome::Budget`](crate::Outcome::Budget).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Statements and terminators executed; the bytes that are allocated and copied meanwhile count as well, 64 like one.
    pub steps: u64,
    /// Bytes of objects alive at one time.
    pub memory: u64,
    /// Nested calls.
    pub depth: usize,
    /// Bytes written to standard output and standard error.
    pub output: usize,
    /// When the run has to be over.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1_000_000_000, memory: 1 << 30, depth: 200_000, output: 64 << 20, deadline: None }
    }
}

/// What a run finds around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Surroundings {
    /// The arguments and the standard input that the options give, an empty environment, empty files, and the numbers of a
    /// generator that is always the same.
    #[default]
    Given,
    /// Whatever inputs say: the number of arguments, the bytes of texts, what is read, random numbers.
    Drawn,
}

/// All choices.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function to start with.
    pub entry: String,
    /// The arguments of the program, its name first.
    pub args: Vec<Vec<u8>>,
    /// What it reads from standard input.
    pub stdin: Vec<u8>,
    /// Where arguments of the program, its environment, standard input, files and random numbers come from.
    pub surroundings: Surroundings,
    /// Whether each allocation may fail, as an input says.
    pub allocations_may_fail: bool,
    /// Limits.
    pub limits: Limits,
    /// Set from outside when the run is of no use any more; it then ends as if its time were over.
    pub stop: Option<Arc<AtomicBool>>,
    /// Signed results and floating-to-integer conversions outside the type.
    pub overflow: Policy,
    /// Shift counts outside the width.
    pub shift: Policy,
    /// Indeterminate values that decide something; ignored they have the value of `uninitialised_fill`.
    pub uninitialised: Policy,
    /// What each uninitialised byte holds, if reading it is ignored.
    pub uninitialised_fill: u8,
    /// A failed `assert`; ignored it ends the program like `abort`.
    pub assertion: Policy,
    /// A call of an error function; ignored it ends the program like `exit`.
    pub reach_error: Policy,
    /// Blocks left at the end.
    pub leaks: LeakPolicy,
    /// Whether a run that stops between two statements (`abort`, a limit) is also asked for lost blocks: a block
    /// that is lost stays lost.
    pub lost_when_stopped: bool,
    /// Whether blocks count that variables of `main` hold until it returns, as a kind of their own; without a word they are
    /// lost as others are.
    pub held_at_return: Option<bool>,
    /// Looks for blocks without any pointer to them after every so many statements; `None` for never.
    pub lost_block_interval: Option<u64>,
    /// Whether bytes that are left of a pointer, and numbers that were computed from one, lead to its object when lost blocks are looked
    /// for. The program may make the pointer again later, but nobody can follow it meanwhile.
    pub hidden_pointers_lead: bool,
    /// Functions whose call is an error, defined by the program or not.
    pub error_functions: Vec<String>,
}

impl Options {
    /// Whether the clock or somebody outside ends the run.
    pub fn is_over(&self) -> bool {
        self.limits.deadline.is_some_and(|d| Instant::now() > d)
            || self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            entry: "main".into(),
            args: vec![b"program".to_vec()],
            stdin: Vec::new(),
            surroundings: Surroundings::Given,
            allocations_may_fail: false,
            limits: Limits::default(),
            stop: None,
            overflow: Policy::Stop,
            shift: Policy::Stop,
            uninitialised: Policy::Stop,
            uninitialised_fill: 0,
            assertion: Policy::Stop,
            reach_error: Policy::Stop,
            lost_when_stopped: false,
            held_at_return: None,
            leaks: LeakPolicy::Ignore,
            lost_block_interval: None,
            hidden_pointers_lead: true,
            error_functions: vec!["reach_error".into(), "__VERIFIER_error".into()],
        }
    }
}
