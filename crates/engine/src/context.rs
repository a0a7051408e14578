//! What transfer functions know: the program, how much is told apart, the predicates in use, and where alarms go.
//!
//! A [`Context`] belongs to one attempt. It knows nothing of loops, tables of calls or other attempts; these are above it.

use crate::budget::Budget;
use crate::facts::Facts;
use crate::options::Options;
use crate::precision::{JoinPolicy, Precision};
use crate::report::Statistics;
use heapwise_heap::PredTable;
use heapwise_ir::{FuncId, Program, Span, Ty};
use heapwise_property::{Alarm, Kind, Reason};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Alarms, one for each kind and place.
pub(crate) type Alarms = IndexMap<(Kind, Span), Alarm, FxBuildHasher>;

/// The context of the transfer functions.
pub(crate) struct Context<'p> {
    pub(crate) facts: &'p Facts<'p>,
    pub(crate) program: &'p Program,
    pub(crate) options: &'p Options,
    pub(crate) precision: Precision,
    /// All predicates.
    pub(crate) preds: PredTable,
    pub(crate) alarms: Alarms,
    /// Where shapes were assumed.
    pub(crate) assumptions: BTreeSet<Span>,
    pub(crate) statistics: Statistics,
    pub(crate) budget: Budget,
    /// Whether nothing more is to be done.
    pub(crate) exhausted: bool,
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
    /// Whether anything was given up because entries, exits or disjuncts were many.
    pub(crate) clumped: bool,
}

impl<'p> Context<'p> {
    pub(crate) fn new(
        facts: &'p Facts<'p>,
        precision: Precision,
        preds: PredTable,
        budget: Budget,
        hasty: bool,
    ) -> Context<'p> {
        Context {
            facts,
            program: facts.program,
            options: facts.options,
            precision,
            preds,
            alarms: Alarms::default(),
            assumptions: BTreeSet::new(),
            statistics: Statistics::default(),
            budget,
            exhausted: false,
            hasty,
            rechecking: false,
            stack: Vec::new(),
            leaned: FxHashSet::default(),
            suspects: FxHashSet::default(),
            clumped: false,
        }
    }

    /// What joins may give up.
    pub(crate) fn policy(&self) -> JoinPolicy<'p> {
        JoinPolicy::new(self.precision, self.facts)
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
    pub(crate) fn counts(&self, kind: impl Into<Kind>) -> bool {
        self.options.properties.concern(kind.into())
    }

    /// Whether the budget is used up; says so once.
    pub(crate) fn out_of_budget(&mut self, function: FuncId, span: Span) -> bool {
        if !self.exhausted
            && !self.rechecking
            && self.options.max_steps.is_some_and(|m| self.statistics.steps > m)
        {
            self.give_up(function, span, "the limit of steps is reached");
        }
        if !self.exhausted && self.budget.most_work.is_some_and(|m| self.statistics.work() > m) {
            self.give_up(function, span, "the attempt takes too much");
        }
        if !self.exhausted && self.budget.deadline.is_over() {
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
        self.alarm(function, Reason::Budget, span, false, why.to_owned(), Vec::new());
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
