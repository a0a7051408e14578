//! Unfolding at the far end of a segment whose predicate has a parameter that names the previous element.

use super::Hole;
use crate::pred::{Callee, PredTable};
use crate::state::{Args, State, Summary};
use crate::value::Val;

impl State {
    pub(super) fn unfold_back(&self, index: usize, k: usize, preds: &PredTable) -> Vec<State> {
        let mut rest = self.clone();
        let s = rest.summaries.swap_remove(index);
        let s = self.as_segment(&s, preds).unwrap_or(s);
        let mut cases = Vec::new();
        cases.extend(rest.clone().with_empty_segment(&s, preds));
        let pred = preds.get(s.pred);
        let (Some((end, end_args)), Some(c)) = (s.end.as_ref(), pred.back.arg(k)) else {
            return vec![self.clone()];
        };
        let last = end_args.get(k).filter(|v| !v.is_undef()).map(|v| v.plus(-c));
        let Some(last) = last else { return vec![self.clone()] };
        for (case_index, case) in pred.def.cases.iter().enumerate().filter(|(_, c)| c.block.is_some()) {
            for j in (0..case.calls.len()).filter(|j| case.calls[*j].callee == Callee::This) {
                let mut state = rest.clone();
                // The segment now ends at the last element; its arguments there are new, except shared ones and lengths.
                let args: Args = end_args
                    .iter()
                    .enumerate()
                    .map(|(i, v)| match v {
                        _ if pred.shared.arg(i) => *v,
                        _ if pred.length.arg(i) && !v.is_undef() => v.plus(1),
                        _ => Val::sym(state.fresh()),
                    })
                    .collect();
                let regions = s.region.map(|_| [state.fresh(), state.fresh()]);
                if let (Some(old), Some(new)) = (s.region, &regions) {
                    state.replace_place(old, new);
                }
                let [region, rest_region] = regions.map_or([None, None], |r| r.map(Some));
                let mut before = Summary { end: Some((last, args.clone())), region, ..s.clone() };
                before.shift_lengths(pred, -1);
                state.summaries.push(before);
                let element = Summary { pred: s.pred, root: last, args, end: None, region: rest_region };
                let hole = Hole { call: j, end: *end, args: end_args.clone(), closed: true };
                cases.extend(state.with_case(&element, case_index, Some(hole), preds));
            }
        }
        cases
    }
}
