//! What the user can choose about an analysis, as one typed value.

use crate::precision::Strategy;
use crate::shapes::assumption::Assumption;
use crate::shapes::declare::Declarations;
use heapwise_ir::Program;
pub use heapwise_numeric::Numeric;
use heapwise_property::Properties;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a call of an unknown external function may do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnknownCalls {
    /// Anything to what it can reach: the analysis gives up on that path with an alarm.
    #[default]
    Pessimistic,
    /// Nothing but return any value.
    Optimistic,
}

/// Options of an analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// What counts.
    pub properties: Properties,
    /// Where to start.
    pub entry: String,
    /// Whether every allocation may fail.
    pub malloc_may_fail: bool,
    /// Unknown external functions.
    pub unknown_calls: UnknownCalls,
    /// How disjuncts are grouped before they are joined.
    pub strategy: Strategy,
    /// A numeric domain that refines what is known of numbers.
    pub numeric: Option<Numeric>,
    /// Whether joins that forget how cursors reach each other are counted, which costs time.
    pub count_losses: bool,
    /// Most disjuncts at any point.
    pub max_disjuncts: usize,
    /// Most iterations of a loop.
    pub max_iterations: usize,
    /// Most statements executed on a disjunct: a limit that does not depend on the machine.
    pub max_steps: Option<u64>,
    /// Most work of all attempts together where there is no limit of time, in units of [`crate::report::Work`]; with a limit of
    /// time, more time means more work.
    pub max_work: u64,
    /// Wall-clock limit.
    pub timeout: Option<Duration>,
    /// Whether the states at all program points are kept.
    pub record_states: bool,
    /// Whether the result of every solve is checked to be a post-fixpoint.
    pub recheck: bool,
    /// Whether predicates are read off recursive types before the analysis starts.
    pub derive_predicates: bool,
    /// Whether it is kept why loop heads need several disjuncts.
    pub explain: bool,
    /// What the user declares about shapes.
    pub declarations: Declarations,
    /// Verify this function against its contract, instead of running the program from its entry.
    pub function: Option<String>,
    /// Whether it is noted what the first access lacks that cannot be made: the way to preconditions.
    pub abduce: bool,
    /// How many attempts are made side by side, on as many cores; what comes out is the same.
    pub jobs: usize,
    /// Set from outside when the analysis has to end, e.g. for lack of memory.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Set from outside when nobody waits for the answer any more: concrete runs end as well.
    pub abandoned: Option<Arc<AtomicBool>>,
}

impl Options {
    /// What an analysis with these options takes for granted, and with it the contracts that it finds.
    pub fn assumptions(&self, program: &Program) -> Vec<Assumption> {
        let mut all = vec![Assumption::Model(program.model)];
        if !self.malloc_may_fail {
            all.push(Assumption::Allocation);
        }
        if self.unknown_calls == UnknownCalls::Optimistic {
            all.push(Assumption::TrustedCalls);
        }
        if !program.member_bounds {
            all.push(Assumption::LooseMembers);
        }
        all
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            properties: Properties::default(),
            entry: "main".into(),
            malloc_may_fail: false,
            unknown_calls: UnknownCalls::default(),
            strategy: Strategy::default(),
            numeric: None,
            count_losses: false,
            max_disjuncts: 3_200,
            max_iterations: 640,
            max_steps: None,
            max_work: 60_000_000,
            timeout: None,
            record_states: false,
            recheck: cfg!(debug_assertions),
            derive_predicates: false,
            explain: false,
            declarations: Declarations::default(),
            function: None,
            abduce: false,
            jobs: 1,
            cancel: None,
            abandoned: None,
        }
    }
}
