//! The analysis of one program: what is shared by all functions.

use crate::alarm::{Alarm, Kind};
use crate::call::Table;
use crate::footprint::Footprints;
use crate::merge::Merger;
use crate::options::Options;
use heapwise_heap::{PredTable, State};
use heapwise_ir::{
    BlockId, Body, CallGraph, Cfg, FuncId, Liveness, LocalId, LocalSet, Program, Span, Ty, TypeTable, Wto,
};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What is computed once per function.
#[derive(Debug)]
pub struct FunctionInfo {
    /// Its graph.
    pub cfg: Cfg,
    /// Its blocks in weak topological order.
    pub wto: Wto,
    /// Locals live before each statement, per block, and before its terminator.
    pub live: FxHashMap<BlockId, Vec<LocalSet>>,
    /// Whether a local is a memory object rather than a value.
    pub slot: Vec<bool>,
}

impl FunctionInfo {
    fn new(body: &Body, types: &TypeTable) -> FunctionInfo {
        let cfg = Cfg::new(body);
        let wto = Wto::new(&cfg);
        let liveness = Liveness::new(body, &cfg);
        let live = body.blocks.indices().map(|b| (b, liveness.in_block(body, b))).collect();
        let slot = body.locals.iter().map(|l| l.address_taken || !types.is_scalar(l.ty)).collect();
        FunctionInfo { cfg, wto, live, slot }
    }
    /// Whether a local is a memory object rather than a value.
    pub fn is_slot(&self, local: LocalId) -> bool {
        self.slot.get(local.0 as usize).copied().unwrap_or(true)
    }
}

/// A program point: before the statement with that index, or before the terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// Statements before it.
    pub index: usize,
}

/// Counters of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Statements executed on a disjunct.
    pub steps: u64,
    /// Most disjuncts at a loop head that is stable.
    pub head_disjuncts: usize,
    /// Most disjuncts at a point.
    pub max_disjuncts: usize,
    /// Disjuncts at the exit of the function that the analysis starts from, as a caller would get them.
    pub exit_disjuncts: usize,
    /// Pairs of disjuncts that were joined.
    pub joins: usize,
    /// Pairs that have no common description.
    pub refused_joins: usize,
    /// Joins that forgot how cursors reach each other, if they were counted.
    pub lossy_joins: usize,
    /// Time to compute and compare silhouettes.
    pub clump_time: Duration,
    /// Time to join.
    pub join_time: Duration,
    /// Time of the whole analysis.
    pub time: Duration,
    /// Function entries tabulated.
    pub entries: usize,
    /// Loop iterations.
    pub iterations: u64,
}

/// The result of an analysis.
#[derive(Debug, Default)]
pub struct Report {
    /// What may go wrong; empty if the program is proved.
    pub alarms: Vec<Alarm>,
    /// The predicates in use.
    pub preds: PredTable,
    /// The states at all points, if they were asked for.
    pub states: FxHashMap<Point, Vec<State>>,
    /// The states at all points once every solve was finished, if they were asked for and checked again.
    pub final_states: FxHashMap<Point, Vec<State>>,
    /// Where shapes were assumed; a proof rests on them.
    pub assumptions: Vec<Span>,
    /// Counters.
    pub statistics: Statistics,
}

/// The state of an analysis.
pub struct Analysis<'p> {
    /// The program.
    pub program: &'p Program,
    /// The options.
    pub options: &'p Options,
    /// All predicates.
    pub preds: PredTable,
    pub(crate) alarms: IndexMap<(Kind, Span), Alarm, FxBuildHasher>,
    pub(crate) table: Table,
    pub(crate) states: FxHashMap<Point, Vec<State>>,
    pub(crate) final_states: FxHashMap<Point, Vec<State>>,
    pub(crate) assumptions: BTreeSet<Span>,
    pub(crate) statistics: Statistics,
    pub(crate) exhausted: bool,
    /// Whether a finished solve is being checked.
    pub(crate) rechecking: bool,
    /// The locals that are still read after the call that is being executed.
    pub(crate) live_after: Option<LocalSet>,
    /// Functions that get all memory that their arguments reach, also by pointers back ([`crate::cut`]).
    pub(crate) wide: FxHashSet<FuncId>,
    /// Functions that got a lean entry.
    pub(crate) leaned: FxHashSet<FuncId>,
    /// Which memory functions access.
    pub(crate) footprints: Footprints,
    /// Whether functions get no more than their footprint, and where there are many disjuncts they are folded.
    pub(crate) narrow: bool,
    /// Whether anything was given up for that, or because entries or exits were many.
    pub(crate) clumped: bool,
    /// Functions with lean entries in which something was missed: the analysis starts again.
    suspects: FxHashSet<FuncId>,
    /// Whether this is an attempt that another one follows if it fails.
    hasty: bool,
    /// Whether loops forget what only callers name inside of structures.
    pub(crate) forgetful: bool,
    /// Iterations of a loop before disjuncts are abstracted.
    pub(crate) unroll: usize,
    /// Who calls whom.
    pub(crate) calls: CallGraph,
    infos: FxHashMap<FuncId, Rc<FunctionInfo>>,
    deadline: Option<Instant>,
    pub(crate) thresholds: Vec<i128>,
    pub(crate) type_limits: Vec<i128>,
}

/// Analyses a whole program from its entry function.
pub fn analyse(program: &Program, options: &Options) -> Report {
    let start = Instant::now();
    let mut analysis = Analysis {
        program,
        options,
        preds: options.declarations.preds.clone(),
        alarms: IndexMap::default(),
        table: Table::default(),
        states: FxHashMap::default(),
        final_states: FxHashMap::default(),
        assumptions: BTreeSet::new(),
        statistics: Statistics::default(),
        exhausted: false,
        rechecking: false,
        live_after: None,
        wide: FxHashSet::default(),
        leaned: FxHashSet::default(),
        footprints: Footprints::default(),
        narrow: true,
        clumped: false,
        suspects: FxHashSet::default(),
        hasty: true,
        forgetful: true,
        unroll: UNROLL,
        calls: CallGraph::new(program),
        infos: FxHashMap::default(),
        deadline: None,
        thresholds: crate::initial::thresholds(program),
        type_limits: crate::initial::type_limits(),
    };
    analysis.attempts();
    analysis.statistics.time = start.elapsed();
    Report {
        alarms: analysis.alarms.into_values().collect(),
        preds: analysis.preds,
        states: analysis.states,
        final_states: analysis.final_states,
        assumptions: analysis.assumptions.into_iter().collect(),
        statistics: analysis.statistics,
    }
}

/// What an attempt may use of the time, as a share.
const HASTY_SHARE: u32 = 3;
/// With less time left than this no further attempt is made.
const LATE: Duration = Duration::from_millis(200);

/// How a proof is tried.
struct Attempt {
    /// Whether functions get no more than their footprint, and many disjuncts are folded.
    narrow: bool,
    /// Whether loops forget what only callers name inside of structures.
    forgetful: bool,
    /// Whether the numbers count that elements hold.
    numbers: bool,
    /// Whether structures are described by which numbers follow which along them.
    orders: bool,
    /// Iterations of a loop before disjuncts are abstracted.
    unroll: usize,
    /// Whether it is made only if the usual ones failed and time is left.
    extra: bool,
}

/// Iterations of a loop that are usually kept apart.
const UNROLL: usize = 2;

const fn attempt(forgetful: bool, numbers: bool) -> Attempt {
    Attempt { narrow: false, forgetful, numbers, orders: false, unroll: UNROLL, extra: false }
}

/// The attempts, in order: most of the programs need only the first.
const ATTEMPTS: &[Attempt] = &[
    Attempt { narrow: true, ..attempt(true, false) },
    attempt(true, false),
    attempt(false, false),
    attempt(false, true),
    Attempt { orders: true, unroll: UNROLL + 2, extra: true, ..attempt(false, true) },
    Attempt { unroll: 24, extra: true, ..attempt(false, true) },
];

/// What an attempt ended with.
struct Outcome {
    alarms: IndexMap<(Kind, Span), Alarm, FxBuildHasher>,
    preds: PredTable,
    assumptions: BTreeSet<Span>,
    statistics: Statistics,
}

impl<'p> Analysis<'p> {
    /// Tries with shapes alone, which is quick and settles most programs, at first without what callers name in the
    /// middle of a structure that a loop changes; then with the numbers that elements hold, if that was not enough.
    /// The very first attempt is the thriftiest: functions get no more than their footprint, and many disjuncts are
    /// folded. An attempt that another one follows ends with its first alarm.
    fn attempts(&mut self) {
        let start = Instant::now();
        for attempt in ATTEMPTS {
            let numbers = attempt.numbers;
            // The second attempt takes back the thrift of the first.
            if attempt.forgetful && !attempt.narrow && !self.clumped {
                continue;
            }
            self.narrow = attempt.narrow;
            // What is not worth more than the usual attempts: no time given, or all of it used; and states are asked for.
            let limited = self.alarms.values().any(|a| a.kind == Kind::Budget);
            let late = self.options.timeout.is_none_or(|t| start.elapsed() + LATE > t);
            if attempt.extra && (limited || late || self.options.record_states) {
                continue;
            }
            let before = attempt.extra.then(|| self.outcome());
            self.hasty = !numbers || attempt.extra;
            self.forgetful = attempt.forgetful;
            self.unroll = attempt.unroll;
            let share = if attempt.narrow { 2 * HASTY_SHARE } else { HASTY_SHARE };
            let time = self.options.timeout.map(|t| if !numbers { t / share } else { t });
            self.deadline = time.and_then(|t| start.checked_add(t));
            self.preds = self.options.declarations.preds.clone();
            self.preds.shapes_only = !numbers;
            self.preds.chains = !attempt.forgetful;
            self.preds.orders = attempt.orders;
            self.preds.folds_to_cursors = attempt.narrow;
            if self.options.derive_predicates {
                heapwise_heap::derive::derive_from_types(&self.program.types, &mut self.preds);
            }
            self.forget();
            self.run();
            while !self.suspects.is_empty() {
                let suspects = std::mem::take(&mut self.suspects);
                self.wide.extend(suspects);
                self.forget();
                self.run();
            }
            if self.alarms.is_empty() {
                break;
            }
            // An attempt beyond the usual ones that fails has nothing to say.
            if let Some(outcome) = before {
                self.restore(outcome);
            }
        }
    }

    fn outcome(&mut self) -> Outcome {
        Outcome {
            alarms: self.alarms.clone(),
            preds: self.preds.clone(),
            assumptions: self.assumptions.clone(),
            statistics: self.statistics,
        }
    }

    fn restore(&mut self, outcome: Outcome) {
        self.alarms = outcome.alarms;
        self.preds = outcome.preds;
        self.assumptions = outcome.assumptions;
        self.statistics = outcome.statistics;
    }

    /// Forgets all but the predicates, and which functions need full entries.
    fn forget(&mut self) {
        self.leaned.clear();
        self.clumped = false;
        self.alarms.clear();
        self.table = Table::default();
        self.states.clear();
        self.final_states.clear();
        self.assumptions.clear();
        self.exhausted = false;
        self.rechecking = false;
        // Counters are those of the last attempt, times those of all.
        let Statistics { clump_time, join_time, .. } = self.statistics;
        self.statistics = Statistics { clump_time, join_time, ..Statistics::default() };
    }

    fn run(&mut self) {
        let name = self.options.function.as_ref().unwrap_or(&self.options.entry);
        let Some(entry) = self.program.function_named(name) else {
            let message = format!("there is no function `{name}`");
            self.alarm(FuncId(0), Kind::Unsupported, Span::default(), true, message, Vec::new());
            return;
        };
        if self.options.function.is_some() {
            self.run_contract(entry);
        } else {
            self.run_entry(entry);
        }
    }

    /// The information about a function with a body.
    pub(crate) fn info(&mut self, func: FuncId, body: &Body) -> Rc<FunctionInfo> {
        let program = self.program;
        let make = || {
            let mut info = FunctionInfo::new(body, &program.types);
            // Texts of shapes read the variables that they name.
            for local in crate::declare::named_in_shapes(program, func, body) {
                info.live.values_mut().flatten().for_each(|live| {
                    live.insert(local);
                });
            }
            Rc::new(info)
        };
        self.infos.entry(func).or_insert_with(make).clone()
    }

    /// Records an alarm; the first message for a kind and place stays, a definite one replaces a possible one.
    pub(crate) fn alarm(
        &mut self,
        function: FuncId,
        kind: Kind,
        span: Span,
        definite: bool,
        message: String,
        notes: Vec<(String, Span)>,
    ) {
        if !self.counts(kind) {
            return;
        }
        if kind != Kind::Budget && !self.leaned.is_empty() {
            self.suspects.extend(self.table.functions().filter(|f| self.leaned.contains(f)));
        }
        self.exhausted |= self.hasty || !self.suspects.is_empty();
        let alarm = Alarm { kind, span, function, definite, message, notes };
        match self.alarms.entry((kind, span)) {
            indexmap::map::Entry::Occupied(mut e) if definite && !e.get().definite => {
                e.insert(alarm);
            }
            indexmap::map::Entry::Occupied(_) => {}
            indexmap::map::Entry::Vacant(e) => {
                e.insert(alarm);
            }
        }
    }

    /// Whether alarms of a kind matter under the chosen properties.
    pub(crate) fn counts(&self, kind: Kind) -> bool {
        let p = &self.options.properties;
        match kind {
            Kind::NullDeref | Kind::UseAfterFree | Kind::UseAfterScope | Kind::OutOfBounds => p.deref,
            Kind::DoubleFree | Kind::InvalidFree => p.free,
            Kind::Leak => p.leak || p.cleanup,
            Kind::Uninitialised => p.uninitialised,
            Kind::Assertion => p.assertion,
            Kind::ReachError => p.reach_error,
            Kind::DivisionByZero => p.division,
            Kind::Overflow | Kind::Shift => p.overflow,
            // After these the analysis knows nothing more on the path, whatever is asked.
            Kind::UnknownPointer
            | Kind::Unreachable
            | Kind::UnknownCall
            | Kind::Unsupported
            | Kind::Postcondition
            | Kind::Shape
            | Kind::Recheck
            | Kind::Budget
            | Kind::OtherError => true,
        }
    }

    /// Whether the budget is used up; says so once.
    pub(crate) fn out_of_budget(&mut self, function: FuncId, span: Span) -> bool {
        if !self.exhausted
            && !self.rechecking
            && self.options.max_steps.is_some_and(|m| self.statistics.steps > m)
        {
            self.give_up(function, span, "the limit of steps is reached");
        }
        if !self.exhausted && self.deadline.is_some_and(|d| Instant::now() > d) {
            self.give_up(function, span, "the time limit is reached");
        }
        let cancelled = self.options.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
        if !self.exhausted && cancelled {
            self.give_up(function, span, "the limit of memory is reached");
        }
        self.exhausted
    }

    pub(crate) fn give_up(&mut self, function: FuncId, span: Span, why: &str) {
        self.exhausted = true;
        self.alarm(function, Kind::Budget, span, false, why.to_owned(), Vec::new());
    }

    /// What puts disjuncts together.
    pub(crate) fn merger(&mut self) -> Merger<'_> {
        Merger {
            strategy: self.options.strategy,
            preds: &self.preds,
            statistics: &mut self.statistics,
            count_losses: self.options.count_losses,
        }
    }

    /// Number of bits of an address.
    pub(crate) fn pointer_bits(&self) -> u16 {
        (self.program.types.pointer_size * 8) as u16
    }

    /// Size of a type in bytes.
    pub(crate) fn size(&self, ty: Ty) -> u64 {
        self.program.types.size(ty)
    }
}
