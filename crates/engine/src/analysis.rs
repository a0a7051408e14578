//! The analysis of one program: what is shared by all functions.

use crate::calls::call::Table;
use crate::check::attempts::Interlude;
use crate::check::deadline::Deadline;
use crate::disjuncts::merge::{Merger, Strategy};
use crate::facts::FunctionInfo;
use crate::facts::footprint::Footprints;
use crate::facts::must_return::MustReturn;
use crate::facts::relevance::Relevance;
use crate::facts::unaccessed_params::UnaccessedParams;
use crate::options::Options;
use crate::report::alarm::{Alarm, Kind};
use crate::report::{Point, Report, Statistics};
use heapwise_heap::silhouette::KnownSilhouettes;
use heapwise_heap::{PredTable, State};
use heapwise_ir::{Body, CallGraph, FuncId, LocalSet, Program, Span, Ty};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

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
    /// Functions that get all memory that their arguments reach, also by pointers back ([`crate::calls::cut`]).
    pub(crate) wide: FxHashSet<FuncId>,
    /// Functions that got a lean entry.
    pub(crate) leaned: FxHashSet<FuncId>,
    /// Which memory functions access.
    pub(crate) footprints: Footprints,
    /// Which functions always come back.
    pub(crate) must_return: MustReturn,
    /// Which parameters functions only compare and hand on.
    pub(crate) unaccessed: UnaccessedParams,
    /// Whether functions get no more than their footprint, and where there are many disjuncts they are folded.
    pub(crate) narrow: bool,
    /// Whether anything was given up for that, or because entries or exits were many.
    pub(crate) clumped: bool,
    /// Whether that was so in an attempt that is thrifty.
    pub(crate) thrifty: bool,
    /// Whether a node was seen that may stand for all missing children of a tree.
    pub(crate) leaf_seen: bool,
    /// The predicates that the last attempt has found which was not eager.
    pub(crate) learned: Option<PredTable>,
    /// The silhouettes of disjuncts.
    pub(crate) silhouettes: KnownSilhouettes,
    /// Functions with lean entries in which something was missed: the analysis starts again.
    pub(crate) suspects: FxHashSet<FuncId>,
    /// Whether this is an attempt that another one follows if it fails.
    pub(crate) hasty: bool,
    /// Whether loops forget what only callers name inside of structures.
    pub(crate) forgetful: bool,
    /// Iterations of a loop before disjuncts are abstracted.
    pub(crate) unroll: usize,
    /// Whether objects that variables lead to stay objects where disjuncts are joined.
    pub(crate) firm: bool,
    /// Whether disjuncts are put together as early as their silhouettes allow.
    pub(crate) eager: bool,
    /// How they are grouped.
    pub(crate) strategy: Strategy,
    /// Who calls whom.
    pub(crate) calls: CallGraph,
    /// What need not be looked at, if that is anything.
    pub(crate) relevance: Option<Relevance>,
    infos: FxHashMap<FuncId, Rc<FunctionInfo>>,
    pub(crate) deadline: Deadline,
    /// The most that an attempt may do.
    pub(crate) most_work: Option<u64>,
    pub(crate) thresholds: Vec<i128>,
    pub(crate) type_limits: Vec<i128>,
}

/// Analyses a whole program from its entry function.
pub fn analyse(program: &Program, options: &Options) -> Report {
    analyse_with(program, options, None)
}

/// Analyses a whole program; what is given is done once the first attempt at a proof has failed.
pub(crate) fn analyse_with(program: &Program, options: &Options, interlude: Interlude<'_>) -> Report {
    let start = Instant::now();
    let calls = CallGraph::new(program);
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
        must_return: MustReturn::default(),
        unaccessed: UnaccessedParams::default(),
        narrow: true,
        clumped: false,
        thrifty: false,
        leaf_seen: false,
        learned: None,
        silhouettes: KnownSilhouettes::default(),
        suspects: FxHashSet::default(),
        hasty: true,
        forgetful: true,
        unroll: crate::check::attempts::UNROLL,
        firm: false,
        eager: false,
        strategy: options.strategy,
        relevance: Relevance::new(program, &calls, options),
        calls,
        infos: FxHashMap::default(),
        deadline: Deadline::default(),
        most_work: None,
        thresholds: crate::transfer::initial::thresholds(program),
        type_limits: crate::transfer::initial::type_limits(),
    };
    analysis.attempts(interlude);
    analysis.statistics.time = start.elapsed().saturating_sub(analysis.statistics.loss_time);
    Report {
        alarms: analysis.alarms.into_values().collect(),
        preds: analysis.preds,
        states: analysis.states,
        final_states: analysis.final_states,
        assumptions: analysis.assumptions.into_iter().collect(),
        statistics: analysis.statistics,
    }
}

impl<'p> Analysis<'p> {
    /// Forgets all but the predicates, and which functions need full entries.
    pub(crate) fn forget(&mut self) {
        self.leaned.clear();
        self.alarms.clear();
        self.table = Table::default();
        self.states.clear();
        self.final_states.clear();
        self.assumptions.clear();
        self.exhausted = false;
        self.clumped = false;
        self.rechecking = false;
        // Counters are those of the last attempt, times those of all.
        self.statistics = Statistics::default().with_times_of(&self.statistics);
    }

    /// The name of the function that the analysis begins with.
    pub(crate) fn entry_name(&self) -> &str {
        self.options.function.as_ref().unwrap_or(&self.options.entry)
    }

    pub(crate) fn run(&mut self) {
        let name = self.entry_name();
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
            for local in crate::contracts::declare::named_in_shapes(program, func, body) {
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
            | Kind::Precondition
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
        if !self.exhausted && self.most_work.is_some_and(|m| self.statistics.work() > m) {
            self.give_up(function, span, "the attempt takes too much");
        }
        if !self.exhausted && self.deadline.is_over() {
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
            strategy: self.strategy,
            preds: &self.preds,
            statistics: &mut self.statistics,
            silhouettes: &mut self.silhouettes,
            count_losses: self.options.count_losses,
            patience: crate::disjuncts::merge::Patience::new(self.deadline),
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
