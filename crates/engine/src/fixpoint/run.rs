//! One run over the program: the context of its transfer functions, the table of calls, and the states that were met.

use crate::budget::Patience;
use crate::context::Context;
use crate::disjuncts::merge::{Disjunct, Merger};
use crate::report::Point;
use heapwise_fixpoint::table::Table;
use heapwise_heap::State;
use heapwise_heap::silhouette::KnownSilhouettes;
use heapwise_ir::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};

/// One run over the program.
pub(crate) struct Run<'p> {
    /// What transfer functions know.
    pub(crate) cx: Context<'p>,
    /// Entries and exits of functions.
    pub(crate) table: Table<State, Disjunct>,
    /// The silhouettes of disjuncts.
    pub(crate) silhouettes: KnownSilhouettes,
    /// Functions that get all memory that their arguments reach, also by pointers back ([`crate::calls::cut`]).
    pub(crate) wide: FxHashSet<FuncId>,
    /// The states at all points, if they are asked for.
    pub(crate) states: FxHashMap<Point, Vec<State>>,
    /// The states at all points once every solve was finished, if they are asked for and checked again.
    pub(crate) final_states: FxHashMap<Point, Vec<State>>,
}

impl<'p> Run<'p> {
    pub(crate) fn new(cx: Context<'p>, silhouettes: KnownSilhouettes, wide: FxHashSet<FuncId>) -> Run<'p> {
        Run {
            cx,
            table: Table::default(),
            silhouettes,
            wide,
            states: FxHashMap::default(),
            final_states: FxHashMap::default(),
        }
    }

    /// What puts disjuncts together.
    pub(crate) fn merger(&mut self) -> Merger<'_> {
        Merger {
            strategy: self.cx.precision.strategy,
            preds: &self.cx.preds,
            statistics: &mut self.cx.statistics,
            silhouettes: &mut self.silhouettes,
            count_losses: self.cx.options.count_losses,
            patience: match self.cx.rechecking {
                true => Patience::uncounted(&self.cx.budget),
                false => Patience::new(&self.cx.budget),
            },
            refusal: None,
        }
    }
}
