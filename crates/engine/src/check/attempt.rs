//! One attempt at a proof: a run over the whole program with one precision, as a function.

use crate::budget::{Budget, StopReason};
use crate::context::{Alarms, Context};
use crate::contracts::verify::run_contract;
use crate::demand::Demand;
use crate::facts::Facts;
use crate::fixpoint::run::Run;
use crate::precision::{Discovery, Entry, Loop, Precision};
use crate::report::{LoopLog, Point, Statistics};
use heapwise_heap::pred::{Relations, from_types};
use heapwise_heap::silhouette::KnownSilhouettes;
use heapwise_heap::{PredTable, State};
use heapwise_ir::{FuncId, Span, TypeTable};
use heapwise_property::{ErrorKind, Kind, Reason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// What attempts find out that later ones use.
#[derive(Default)]
pub(crate) struct Learned {
    /// Functions that need all memory that their arguments reach.
    pub(crate) wide: FxHashSet<FuncId>,
    /// Whether a node was seen that may stand for all missing children of a tree.
    pub(crate) leaf_seen: bool,
    /// Whether lists were seen and trees of the same elements.
    pub(crate) lists_and_trees: bool,
    /// Whether lists were seen.
    pub(crate) lists: bool,
    /// Whether a thrifty attempt gave anything up for thrift.
    pub(crate) thrifty: bool,
    /// The structures that the last thrifty attempt has found.
    pub(crate) preds: Option<PredTable>,
    /// Whether an assertion could not be shown.
    pub(crate) asserted: bool,
    /// How numbers of neighbouring elements are related, as far as attempts have seen it.
    relations: Relations,
    /// The structures with such relations, one table for each way to relate elements; none while nothing asks for them.
    pub(crate) related: Vec<PredTable>,
    /// The losses on the way back from the alarm of the attempt whose alarms are reported, the nearest first.
    pub(crate) blamed: Vec<Loop>,
    /// What was told apart at single loops.
    pub(crate) entries: BTreeSet<Entry>,
    /// What all attempts have cost together.
    pub(crate) statistics: Statistics,
}

impl Learned {
    /// Takes in what an attempt has found out; whether other structures are known now than before.
    pub(crate) fn add(&mut self, outcome: &Outcome, types: &TypeTable) -> bool {
        let known = |preds: &Option<PredTable>| preds.as_ref().map_or(0, PredTable::len);
        let before = known(&self.preds);
        self.wide.extend(&outcome.wide);
        self.leaf_seen |= outcome.leaf_seen;
        self.lists_and_trees |= outcome.preds.has_lists_and_trees();
        self.lists |= outcome.preds.iter().any(|(_, p)| p.links.len() == 1);
        if let Some(thrift) = &outcome.thrift {
            self.preds.clone_from(&thrift.structures);
            self.thrifty |= thrift.gave_up;
        }
        self.entries.extend(&outcome.entries);
        self.statistics = outcome.statistics;
        self.relations.add(&outcome.relations);
        self.asserted |= outcome.alarms.keys().any(|(kind, _)| is_assertion(*kind));
        if self.asserted {
            self.related = self.preds.as_ref().map_or(Vec::new(), |p| p.related(&self.relations, types));
        }
        known(&self.preds) != before
    }
}

/// Whether an alarm is about what the program itself asserts: it may speak of the contents of structures.
fn is_assertion(kind: Kind) -> bool {
    matches!(kind, Kind::Error(ErrorKind::Assertion | ErrorKind::ReachError))
}

/// What an attempt ended with.
#[derive(Clone)]
pub(crate) struct Outcome {
    pub(crate) alarms: Alarms,
    pub(crate) stop: StopReason,
    pub(crate) preds: PredTable,
    pub(crate) assumptions: BTreeSet<Span>,
    pub(crate) statistics: Statistics,
    /// What was told apart at single loops.
    pub(crate) entries: BTreeSet<Entry>,
    /// The losses on the way back from the alarm that ended it, the nearest first.
    pub(crate) blamed: Vec<Loop>,
    /// Why disjuncts stayed apart at loop heads.
    pub(crate) refusals: BTreeMap<Span, String>,
    pub(crate) loops: LoopLog,
    pub(crate) states: FxHashMap<Point, Vec<State>>,
    pub(crate) final_states: FxHashMap<Point, Vec<State>>,
    /// Functions that turned out to need all memory that their arguments reach.
    wide: FxHashSet<FuncId>,
    /// Whether a node was seen that may stand for all missing children of a tree.
    leaf_seen: bool,
    /// How numbers of neighbouring elements are related, if numbers counted.
    relations: Relations,
    thrift: Option<Thrift>,
    /// What the first access lacked that could not be made, if that was asked for.
    pub(crate) demand: Option<Demand>,
    /// Whether heap memory was read that is not initialised, if that was asked for.
    pub(crate) read_uninit: bool,
    /// The states in which the function returns that was run from its precondition without a postcondition.
    pub(crate) exits: Vec<State>,
    /// Whether the program may end inside of the function that is run from its precondition.
    pub(crate) ends_program: bool,
}

/// What a thrifty attempt leaves to others.
#[derive(Clone)]
struct Thrift {
    structures: Option<PredTable>,
    gave_up: bool,
}

impl Outcome {
    /// Whether nothing can go wrong.
    pub(crate) fn is_proof(&self) -> bool {
        self.alarms.is_empty()
    }
}

/// Makes an attempt. A hasty one ends with its first alarm; if the precision grows, it starts again as long as it finds on the way
/// back from the alarm that something was lost.
pub(crate) fn attempt(
    facts: &Facts<'_>,
    precision: Precision,
    budget: Budget,
    hasty: bool,
    learned: &Learned,
) -> Outcome {
    let known = match precision.discovery {
        Discovery::Learned => learned.preds.as_ref(),
        Discovery::Related(k) => learned.related.get(usize::from(k)),
        _ => None,
    };
    let mut preds = known.unwrap_or(&facts.options.declarations.preds).clone();
    let granularity = precision.granularity(&facts.thresholds, !preds.is_empty());
    from_types::derive_mutual(&facts.program.types, &mut preds);
    if facts.options.derive_predicates {
        from_types::derive_from_types(&facts.program.types, &mut preds);
    }
    let at_first = preds.clone();
    let mut kept: BTreeSet<Loop> = match precision.grows {
        Some(_) => learned.blamed.first().copied().into_iter().collect(),
        None => BTreeSet::new(),
    };
    let mut last_alarm = None;
    let mut before = Statistics::default();
    let mut wide = learned.wide.clone();
    let mut leaf_seen = false;
    let mut relations = Relations::default();
    let mut silhouettes = KnownSilhouettes::default();
    loop {
        let context = Context::new(facts, precision, granularity, preds, budget.clone(), hasty);
        let mut run = Run::new(context, silhouettes, wide);
        run.cx.kept.clone_from(&kept);
        // What was done in vain is work as well.
        run.cx.statistics.add_times_of(&before);
        start(&mut run);
        let Run { cx, table: _, silhouettes: known, wide: known_wide, states, final_states } = run;
        (silhouettes, wide) = (known, known_wide);
        preds = cx.preds;
        leaf_seen |= cx.leaf_seen;
        relations.add(&cx.relations);
        if !cx.suspects.is_empty() {
            // Something was missed in functions that got too little: once more, with all for these.
            wide.extend(cx.suspects);
            before = cx.statistics;
            continue;
        }
        if precision.grows.is_some() && cx.stop == Some(StopReason::Alarm) {
            let alarm = cx.alarms.keys().next().copied();
            // The nearest loss alone, unless that was not enough.
            let more = if alarm == last_alarm { cx.blamed.len() } else { 1 };
            let known = kept.len();
            kept.extend(cx.blamed.iter().take(more));
            if kept.len() > known {
                (preds, before, last_alarm) = (at_first.clone(), cx.statistics, alarm);
                silhouettes = KnownSilhouettes::default();
                continue;
            }
        }
        let entry = |(function, head): &Loop| {
            precision.grows.map(|kind| Entry { kind, function: *function, head: *head })
        };
        let entries = kept.iter().filter_map(entry).collect();
        let finds = precision.is_thrifty() && !matches!(precision.discovery, Discovery::Related(_));
        let thrift = finds.then(|| Thrift { structures: preds.skeletons(), gave_up: cx.clumped });
        let stop = cx.stop.unwrap_or(StopReason::Finished);
        let Context {
            alarms,
            assumptions,
            statistics,
            blamed,
            refusals,
            loops,
            demand,
            read_uninit,
            exits,
            ends_program,
            ..
        } = cx;
        return Outcome {
            alarms,
            stop,
            preds,
            assumptions,
            statistics,
            entries,
            blamed,
            refusals,
            loops,
            states,
            final_states,
            wide,
            leaf_seen,
            relations,
            thrift,
            demand,
            read_uninit,
            exits,
            ends_program,
        };
    }
}

/// Runs from the entry of the program, or verifies one function.
fn start(run: &mut Run<'_>) {
    let name = run.cx.facts.entry_name();
    let Some(entry) = run.cx.program.function_named(name) else {
        let message = format!("there is no function `{name}`");
        run.cx.alarm(FuncId(0), Reason::Unsupported, Span::default(), true, message, Vec::new());
        return;
    };
    if run.cx.options.function.is_some() {
        run_contract(run, entry);
    } else {
        run.run_entry(entry);
    }
}
