//! What transfer functions know: the program, how much is told apart, the predicates in use, and where alarms go.
//!
//! A [`Context`] belongs to one attempt. It knows nothing of loops, tables of calls or other attempts; these are above it.

use crate::budget::{Budget, StopReason};
use crate::demand::Demand;
use crate::facts::Facts;
use crate::facts::way_back::losses_on_the_way;
use crate::options::Options;
use crate::precision::{JoinPolicy, Loop, Precision};
use crate::report::{LoopLog, Statistics, Work};
use heapwise_heap::discover::note_relations;
use heapwise_heap::fold::abstracted;
use heapwise_heap::pred::Relations;
use heapwise_heap::{Granularity, PredTable, State, Val};
use heapwise_ir::{FuncId, Program, Span, Ty};
use heapwise_property::{Alarm, Kind, Reason};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Alarms, one for each kind and place.
pub(crate) type Alarms = IndexMap<(Kind, Span), Alarm, FxBuildHasher>;

/// The context of the transfer functions.
pub(crate) struct Context<'p> {
    pub(crate) facts: &'p Facts<'p>,
    pub(crate) program: &'p Program,
    pub(crate) options: &'p Options,
    pub(crate) precision: Precision,
    /// What discovery and folding may do.
    pub(crate) granularity: Granularity<'p>,
    /// All predicates.
    pub(crate) preds: PredTable,
    pub(crate) alarms: Alarms,
    /// Where shapes were assumed.
    pub(crate) assumptions: BTreeSet<Span>,
    pub(crate) statistics: Statistics,
    pub(crate) budget: Budget,
    /// Why nothing more is to be done, if that is so.
    pub(crate) stop: Option<StopReason>,
    /// Whether the first alarm is the end.
    pub(crate) hasty: bool,
    /// Whether a finished solve is being checked.
    pub(crate) rechecking: bool,
    /// The functions under analysis, outermost first.
    pub(crate) stack: Vec<FuncId>,
    /// Functions that got less memory than their arguments reach, because they seem not to need it.
    pub(crate) leaned: FxHashSet<FuncId>,
    /// Those of them in which something was missed: the attempt starts again.
    pub(crate) suspects: FxHashSet<FuncId>,
    /// The loops that have an entry.
    pub(crate) kept: BTreeSet<Loop>,
    /// Those without one at which disjuncts were put together.
    pub(crate) lost: BTreeSet<Loop>,
    /// The functions and blocks that are being executed, outermost first.
    pub(crate) at: Vec<Loop>,
    /// The losses on the way back from the alarm that ended the attempt, the nearest first.
    pub(crate) blamed: Vec<Loop>,
    /// Why disjuncts stayed apart at loop heads, the last reason at each, if that is asked for.
    pub(crate) refusals: BTreeMap<Span, String>,
    /// What happened at loop heads, if states are asked for.
    pub(crate) loops: LoopLog,
    /// Whether anything was given up because entries, exits or disjuncts were many.
    pub(crate) clumped: bool,
    /// Whether a node was seen that may stand for all missing children of a tree.
    pub(crate) leaf_seen: bool,
    /// How numbers of neighbouring elements are related, if numbers count.
    pub(crate) relations: Relations,
    /// Whether states may have facts about values that are gone.
    pub(crate) unswept: bool,
    /// What the first access lacked that could not be made, if that is asked for.
    pub(crate) demand: Option<Demand>,
    /// Whether heap memory was read that is not initialised, if that is asked for.
    pub(crate) read_uninit: bool,
    /// Whether the program may end other than by a return.
    pub(crate) ends_program: bool,
    /// What the pointer that is followed last leads to, by its type.
    pub(crate) accessed: Option<(Ty, Val)>,
    /// The states in which the function returns that is run from its precondition.
    pub(crate) exits: Vec<State>,
}

impl<'p> Context<'p> {
    pub(crate) fn new(
        facts: &'p Facts<'p>,
        precision: Precision,
        granularity: Granularity<'p>,
        preds: PredTable,
        budget: Budget,
        hasty: bool,
    ) -> Context<'p> {
        Context {
            facts,
            program: facts.program,
            options: facts.options,
            precision,
            granularity,
            preds,
            alarms: Alarms::default(),
            assumptions: BTreeSet::new(),
            statistics: Statistics::default(),
            budget,
            stop: None,
            hasty,
            rechecking: false,
            stack: Vec::new(),
            leaned: FxHashSet::default(),
            suspects: FxHashSet::default(),
            kept: BTreeSet::new(),
            lost: BTreeSet::new(),
            at: Vec::new(),
            blamed: Vec::new(),
            refusals: BTreeMap::new(),
            loops: LoopLog::default(),
            clumped: false,
            leaf_seen: false,
            relations: Relations::default(),
            unswept: false,
            demand: None,
            read_uninit: false,
            ends_program: false,
            accessed: None,
            exits: Vec::new(),
        }
    }

    /// What joins may give up.
    pub(crate) fn policy(&self) -> JoinPolicy<'p> {
        JoinPolicy::new(self.precision, &self.facts.thresholds)
    }

    /// What they may give up at a loop.
    pub(crate) fn policy_at(&self, place: Loop) -> JoinPolicy<'p> {
        self.policy().at_loop(self.kept.contains(&place))
    }

    /// Disjuncts were put together at a loop.
    pub(crate) fn loses(&mut self, place: Loop) {
        if !self.rechecking && !self.kept.contains(&place) {
            self.lost.insert(place);
        }
    }

    /// Records an alarm; the first message for a kind and place stays, a definite one replaces a possible one.
    pub(crate) fn alarm(
        &mut self,
        function: FuncId,
        kind: impl Into<Kind>,
        span: Span,
        definite: bool,
        message: String,
        notes: Vec<(String, Span)>,
    ) {
        let kind = kind.into();
        if !self.counts(kind) {
            return;
        }
        if kind != Reason::Budget && !self.leaned.is_empty() {
            self.suspects.extend(self.stack.iter().filter(|f| self.leaned.contains(f)));
        }
        if self.hasty || !self.suspects.is_empty() {
            if self.stop.is_none() && self.suspects.is_empty() {
                self.blamed = losses_on_the_way(self.facts, &self.at, &self.lost);
            }
            self.stop = self.stop.or(Some(StopReason::Alarm));
        }
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
    pub(crate) fn counts(&self, kind: impl Into<Kind>) -> bool {
        self.options.properties.concern(kind.into())
    }

    /// Whether nothing more is to be done; if the budget is used up, says so once.
    pub(crate) fn out_of_budget(&mut self, function: FuncId, span: Span) -> bool {
        // A check of what was found belongs to it, and is not counted.
        let over = match self.rechecking {
            true => self.budget.interrupted(),
            false => self.budget.over(&self.statistics.work, self.statistics.steps),
        };
        if let Some(reason) = over.filter(|_| self.stop.is_none()) {
            self.stop_for(reason, function, span, reason.message());
        }
        self.stop.is_some()
    }

    /// Gives up because there is too much of something.
    pub(crate) fn give_up(&mut self, function: FuncId, span: Span, why: &str) {
        self.stop_for(StopReason::Crowd, function, span, why);
    }

    fn stop_for(&mut self, reason: StopReason, function: FuncId, span: Span, why: &str) {
        self.stop = self.stop.or(Some(reason));
        self.alarm(function, Reason::Budget, span, false, why.to_owned(), Vec::new());
    }

    /// A state with what no variable names folded.
    pub(crate) fn folded(&mut self, state: &State, keep_numbers: bool) -> State {
        self.statistics.work.foldings += Work::of(4, state.pieces());
        let types = &self.program.types;
        if self.precision.numbers.make_variants() {
            note_relations(state, types, &mut self.relations);
        }
        let folded = abstracted(state, &mut self.preds, types, &self.granularity, keep_numbers);
        self.leaf_seen |= folded.common_leaf;
        folded.state
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
