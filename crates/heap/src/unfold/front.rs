//! Unfolding at the root of a summary.

use super::Hole;
use crate::pred::{Callee, PredTable};
use crate::state::{State, Summary};
use crate::value::Val;
use std::sync::Arc;

impl State {
    pub(super) fn unfold_front(&self, index: usize, preds: &PredTable) -> Vec<State> {
        let mut rest = self.clone();
        let s = rest.summaries.swap_remove(index);
        let mut cases = Vec::new();
        let def = &preds.get(s.pred).def;
        match &s.end {
            None => {
                for c in 0..def.cases.len() {
                    cases.extend(rest.clone().with_case(&s, c, None, preds));
                }
            }
            Some((end, args)) => {
                cases.extend(rest.clone().with_empty_segment(&s, preds));
                for (c, case) in def.cases.iter().enumerate().filter(|(_, c)| c.block.is_some()) {
                    for j in (0..case.calls.len()).filter(|j| case.calls[*j].callee == Callee::This) {
                        let hole = Hole { call: j, end: *end, args: args.clone(), closed: false };
                        cases.extend(rest.clone().with_case(&s, c, Some(hole), preds));
                    }
                }
            }
        }
        cases
    }

    /// Adds the memory and facts of one case of `s`; `hole` says which call is a segment, and to where.
    pub(super) fn with_case(
        mut self,
        s: &Summary,
        case_index: usize,
        mut hole: Option<Hole>,
        preds: &PredTable,
    ) -> Option<State> {
        let case = preds.get(s.pred).def.cases.get(case_index)?;
        let mut s = s.clone();
        if case.block.is_some() {
            // The block needs a symbol of its own as address.
            let root = s.root.as_sym()?;
            if s.root.off != 0 {
                let own = self.fresh();
                let by = Val::sym(own).plus(-s.root.off);
                if !self.substitute(root, by) {
                    return None;
                }
                s.values_mut().for_each(|v| *v = v.substitute(root, by));
                if let Some(hole) = &mut hole {
                    hole.end = hole.end.substitute(root, by);
                    hole.args.iter_mut().for_each(|v| *v = v.substitute(root, by));
                }
            }
            if self.objects.contains_key(&s.root.as_sym()?) {
                return None;
            }
        }
        let exists: Vec<Val> = (0..case.exists).map(|_| Val::sym(self.fresh())).collect();
        if let Some(block) = &case.block {
            let mut object = self.block(block)?;
            for cell in &case.cells {
                object.write(cell.off, cell.width, s.term_with(&cell.val, &exists)?);
            }
            let address = s.root.as_sym()?;
            self.dead.remove(&address);
            self.objects.insert(address, Arc::new(object));
        }
        let mut equal = Vec::new();
        let first = self.summaries.len();
        for (j, call) in case.calls.iter().enumerate() {
            let mut values = Vec::with_capacity(call.args.len());
            for t in &call.args {
                values.push(s.term_with(t, &exists)?);
            }
            let (root, args) = values.split_first()?;
            let here = hole.as_ref().filter(|h| h.call == j);
            if let Some(hole) = here
                && hole.closed
            {
                equal.push((*root, hole.end));
                equal.extend(args.iter().copied().zip(hole.args.iter().copied()));
                continue;
            }
            let own_end = match &call.end {
                Some(terms) => {
                    let mut values = Vec::with_capacity(terms.len());
                    for t in terms {
                        values.push(s.term_with(t, &exists)?);
                    }
                    let (root, args) = values.split_first()?;
                    Some((*root, args.iter().copied().collect()))
                }
                None => None,
            };
            let end = here.map(|h| (h.end, h.args.clone())).or(own_end);
            self.summaries.push(Summary {
                region: None,
                pred: s.callee(call.callee),
                root: *root,
                args: args.iter().copied().collect(),
                end,
            });
        }
        let block = s.root.as_sym().filter(|_| case.block.is_some());
        self.divide_region(s.region, first, block);
        (self.draw_facts(&s, case, &exists, equal) && self.settle(preds)).then_some(self)
    }
}
