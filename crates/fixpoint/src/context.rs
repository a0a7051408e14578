//! What an analysis is asked, what it has said so far, and how much it may still do.
//!
//! The budget counts steps (a statement executed on one state), so that an answer does not depend on the machine; the
//! clock and the outside only end a run. When a limit is reached there is an alarm, so that nothing is claimed.

use heapwise_ir::{BlockId, Body, Cfg, FuncId, Liveness, LocalSet, Program, Span, Wto};
use heapwise_property::{Alarm, Kind, Properties, Reason};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What the user can choose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What counts.
    pub properties: Properties,
    /// Where to start.
    pub entry: String,
    /// Whether every allocation may fail.
    pub malloc_may_fail: bool,
    /// Whether unknown external functions do nothing but return any value.
    pub trust_unknown_calls: bool,
    /// Iterations of a loop before states are generalised.
    pub unroll: usize,
    /// States at the start of a block that need not be joined.
    pub apart: usize,
    /// Most states at a point.
    pub max_disjuncts: usize,
    /// Most iterations of a loop.
    pub max_iterations: usize,
    /// Most steps.
    pub max_steps: u64,
    /// When the user's patience ends.
    pub deadline: Option<Instant>,
    /// Set from outside when the analysis has to end, e.g. for lack of memory.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Whether the analysis ends with the first alarm, because only a proof is of use.
    pub proof_only: bool,
    /// Whether the states at all program points are kept.
    pub record_states: bool,
    /// Whether every result is checked to be a post-fixpoint.
    pub recheck: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            properties: Properties::default(),
            entry: "main".into(),
            malloc_may_fail: false,
            trust_unknown_calls: false,
            unroll: 2,
            apart: 24,
            max_disjuncts: 200,
            max_iterations: 60,
            max_steps: 200_000,
            deadline: None,
            cancel: None,
            proof_only: false,
            record_states: false,
            recheck: cfg!(debug_assertions),
        }
    }
}

/// What is known of a function beforehand.
#[derive(Debug)]
pub struct Info {
    /// Its graph.
    pub cfg: Cfg,
    /// The order of iteration.
    pub wto: Wto,
    /// For each block: the locals that are live before each statement and before the terminator.
    pub live: Vec<Vec<LocalSet>>,
}

impl Info {
    pub(crate) fn new(body: &Body) -> Info {
        let cfg = Cfg::new(body);
        let wto = Wto::new(&cfg);
        let liveness = Liveness::new(body, &cfg);
        let live = body.blocks.indices().map(|b| liveness.in_block(body, b)).collect();
        Info { cfg, wto, live }
    }
}

/// The place of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The function.
    pub func: FuncId,
    /// Its code.
    pub body: &'a Body,
    /// The statement.
    pub span: Span,
    /// Its block, and how many statements of the block come before it.
    pub point: (BlockId, usize),
    /// The locals that are read after it, where that is known.
    pub live_after: Option<&'a LocalSet>,
}

/// The state of an analysis that does not depend on the domain.
pub struct Context<'p> {
    /// The program.
    pub program: &'p Program,
    /// What was asked.
    pub settings: &'p Settings,
    alarms: IndexMap<(Kind, Span), Alarm, FxBuildHasher>,
    steps: u64,
    exhausted: bool,
}

impl<'p> Context<'p> {
    /// Nothing was done yet.
    pub fn new(program: &'p Program, settings: &'p Settings) -> Self {
        Context { program, settings, alarms: IndexMap::default(), steps: 0, exhausted: false }
    }

    /// Whether alarms of a kind matter.
    pub fn counts(&self, kind: impl Into<Kind>) -> bool {
        self.settings.properties.concern(kind.into())
    }

    /// Records an alarm if its kind matters; the first message for a kind and place stays, a definite one replaces a
    /// possible one.
    pub fn alarm(
        &mut self,
        at: &Site<'_>,
        kind: impl Into<Kind>,
        definite: bool,
        message: impl Into<String>,
    ) {
        self.alarm_with(at, kind, definite, message, Vec::new());
    }

    /// As [`Context::alarm`], with places that explain it.
    pub fn alarm_with(
        &mut self,
        at: &Site<'_>,
        kind: impl Into<Kind>,
        definite: bool,
        message: impl Into<String>,
        notes: Vec<(String, Span)>,
    ) {
        let kind = kind.into();
        let known = self.alarms.get(&(kind, at.span));
        if !self.counts(kind) || known.is_some_and(|a| a.definite || !definite) {
            return;
        }
        let alarm =
            Alarm { kind, span: at.span, function: at.func, definite, message: message.into(), notes };
        self.alarms.insert((kind, at.span), alarm);
        self.exhausted |= self.settings.proof_only;
    }

    /// Ends the analysis with an alarm.
    pub fn give_up(&mut self, at: &Site<'_>, why: impl Into<String>) {
        if !self.exhausted {
            self.exhausted = true;
            self.alarm(at, Reason::Budget, false, why);
        }
    }

    /// Whether the analysis has ended without a result.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Counts a step; whether it may still be made.
    pub(crate) fn step(&mut self, at: &Site<'_>) -> bool {
        self.steps += 1;
        if self.steps > self.settings.max_steps {
            self.give_up(at, "the limit of steps is reached");
        } else if self.steps.is_multiple_of(64) {
            self.may_go_on(at);
        }
        !self.exhausted
    }

    /// Asks the clock and the outside, for domains whose steps are long; whether the analysis may go on.
    pub fn may_go_on(&mut self, at: &Site<'_>) -> bool {
        if self.settings.deadline.is_some_and(|d| Instant::now() > d) {
            self.give_up(at, "the time limit is reached");
        }
        if self.settings.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            self.give_up(at, "the limit of memory is reached");
        }
        !self.exhausted
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    pub(crate) fn into_alarms(self) -> Vec<Alarm> {
        self.alarms.into_values().collect()
    }
}
