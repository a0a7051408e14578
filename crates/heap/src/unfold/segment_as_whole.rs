//! Segments of trees that end in the node that stands for missing children are whole trees.
//!
//! A segment is a structure with a hole. If what would fill the hole is nothing, because the hole is where the predicate says
//! that there is no element, then the segment is the structure itself. Said so it is not followed to its end where a
//! state is cut, and two of them have a join. Where the far end also says which element is the last, and anything else in
//! the state speaks of that one, the segment stays.
//!
//! Cost: one pass over the values of the state if there is such a segment.

use crate::pred::{Case, Pred, PredTable};
use crate::state::{State, Summary};
use crate::value::Val;

impl State {
    /// Makes whole structures of segments that end where their predicate ends.
    pub fn close_segments(&mut self, preds: &PredTable) {
        let closed: Vec<usize> = (0..self.summaries.len()).filter(|i| self.is_closed(*i, preds)).collect();
        for i in closed {
            if let Some(summary) = self.summaries.get_mut(i) {
                summary.end = None;
            }
        }
    }

    fn is_closed(&self, index: usize, preds: &PredTable) -> bool {
        let Some(summary) = self.summaries.get(index) else { return false };
        let Some((end, args)) = &summary.end else { return false };
        let pred = preds.get(summary.pred);
        let leaf = |k: usize| pred.ends_at(k) && args.get(k) == Some(end) && summary.args.get(k) == Some(end);
        let Some(leaf) = (0..args.len()).find(|k| leaf(*k)).filter(|_| is_tree_with_leaf(pred)) else {
            return false;
        };
        args.iter()
            .zip(&summary.args)
            .enumerate()
            .all(|(k, (far, near))| k == leaf || far == near || self.is_mentioned_only_by(*far, summary))
    }

    /// Whether nothing but the far end of the segment speaks of a value.
    fn is_mentioned_only_by(&self, v: Val, summary: &Summary) -> bool {
        let Some(s) = v.as_sym() else { return false };
        let mut count = 0;
        self.for_each_val(|w| count += usize::from(w.as_sym() == Some(s)));
        let own = summary.values().filter(|w| w.as_sym() == Some(s)).count();
        count == own && own == 1 && !self.objects.contains_key(&s)
    }
}

/// Whether there is no element exactly where the root is what a parameter says.
fn is_tree_with_leaf(pred: &Pred) -> bool {
    let mut empty = pred.def.cases.iter().filter(|c| c.block.is_none());
    let plain = |c: &Case| c.facts.len() == 1 && c.calls.is_empty() && c.exists == 0;
    pred.links.len() > 1 && empty.next().is_some_and(plain) && empty.next().is_none()
}
