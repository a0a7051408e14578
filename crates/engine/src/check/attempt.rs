//! One attempt at a proof: a run over the whole program with one precision, as a function.

use crate::budget::Budget;
use crate::context::{Alarms, Context};
use crate::contracts::verify::run_contract;
use crate::facts::Facts;
use crate::facts::thresholds::bounds;
use crate::fixpoint::run::Run;
use crate::precision::{Discovery, Precision};
use crate::report::{Point, Statistics};
use heapwise_heap::silhouette::KnownSilhouettes;
use heapwise_heap::{PredTable, State};
use heapwise_ir::{FuncId, Span};
use heapwise_property::Reason;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What attempts find out that later ones use.
#[derive(Default)]
pub(crate) struct Learned {
    /// Functions that need all memory that their arguments reach.
    pub(crate) wide: FxHashSet<FuncId>,
    /// Whether a node was seen that may stand for all missing children of a tree.
    pub(crate) leaf_seen: bool,
    /// Whether a thrifty attempt gave anything up for thrift.
    pub(crate) thrifty: bool,
    /// The structures that the last thrifty attempt has found.
    pub(crate) preds: Option<PredTable>,
    /// The silhouettes of disjuncts, which say the same in all attempts.
    silhouettes: KnownSilhouettes,
}

/// What an attempt ended with.
#[derive(Clone, Default)]
pub(crate) struct Outcome {
    pub(crate) alarms: Alarms,
    pub(crate) preds: PredTable,
    pub(crate) assumptions: BTreeSet<Span>,
    pub(crate) statistics: Statistics,
    pub(crate) states: FxHashMap<Point, Vec<State>>,
    pub(crate) final_states: FxHashMap<Point, Vec<State>>,
}

impl Outcome {
    /// Whether nothing can go wrong.
    pub(crate) fn is_proof(&self) -> bool {
        self.alarms.is_empty()
    }
}

/// Makes an attempt. A hasty one ends with its first alarm.
pub(crate) fn attempt(
    facts: &Facts<'_>,
    precision: Precision,
    budget: Budget,
    hasty: bool,
    learned: &mut Learned,
) -> Outcome {
    let mut preds = match &learned.preds {
        Some(preds) if precision.discovery == Discovery::Learned => preds.clone(),
        _ => facts.options.declarations.preds.clone(),
    };
    precision.set_up(&mut preds, &bounds(&facts.thresholds));
    heapwise_heap::pred::from_types::derive_mutual(&facts.program.types, &mut preds);
    if facts.options.derive_predicates {
        heapwise_heap::pred::from_types::derive_from_types(&facts.program.types, &mut preds);
    }
    let mut times = Statistics::default();
    loop {
        let context = Context::new(facts, precision, preds, budget, hasty);
        let mut run = Run::new(context, std::mem::take(&mut learned.silhouettes), learned.wide.clone());
        start(&mut run);
        let Run { cx, silhouettes, states, final_states, .. } = run;
        learned.silhouettes = silhouettes;
        preds = cx.preds;
        let mut statistics = cx.statistics;
        statistics.add_times_of(&times);
        if !cx.suspects.is_empty() {
            // Something was missed in functions that got too little: once more, with all for these.
            learned.wide.extend(cx.suspects);
            times = statistics;
            continue;
        }
        learned.leaf_seen |= preds.leaf_seen;
        if precision.is_thrifty() {
            learned.preds = preds.skeletons();
            learned.thrifty |= cx.clumped;
        }
        let Context { alarms, assumptions, .. } = cx;
        return Outcome { alarms, preds, assumptions, statistics, states, final_states };
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
