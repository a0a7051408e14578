//! Unfolding: a summary gives way to its cases (survey §4.4.3; Li et al. 2017, §3.1).
//!
//! Forward, at the root of a summary, and backward, at the far end of a segment whose predicate has a parameter
//! that always names the previous element: there the argument at the hole *is* the address of the last element.
//! Each unfolding returns all cases that are not contradictory; their union describes exactly the same memories.

use crate::object::{Fill, Object, ObjectKind};
use crate::pred::{Callee, PredTable};
use crate::state::{Args, State, Summary};
use crate::value::Val;
use heapwise_ir::Span;
use std::sync::Arc;

/// What becomes of one recursive call of a case.
#[derive(Clone)]
struct Hole {
    /// Which call.
    call: usize,
    /// Root and arguments where the segment ends.
    end: Val,
    args: Args,
    /// Whether the call's root is that end itself, rather than the start of a segment to it.
    closed: bool,
}

/// Which summary describes the memory at an address, and from which side it is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// At the root of the summary with this index.
    Front(usize),
    /// At the last element of the segment with this index, named by its `usize`-th argument at the far end; the summary
    /// may be a whole instance that is a segment (see the module `ending`).
    Back(usize, usize),
}

impl State {
    /// The summaries that may own the memory at `address`.
    pub fn summary_at(&self, address: Val, preds: &PredTable) -> Option<Site> {
        let base = address.as_sym()?;
        if let Some(i) = self.summaries.iter().position(|s| s.root.as_sym() == Some(base)) {
            return Some(Site::Front(i));
        }
        if let Some(i) = self.summary_with_twin(address, preds) {
            return Some(Site::Front(i));
        }
        for (i, s) in self.summaries.iter().enumerate() {
            let whole = self.as_segment(s, preds);
            let Some((_, args)) = whole.as_ref().map_or(&s.end, |w| &w.end) else { continue };
            for (k, arg) in args.iter().enumerate() {
                let is_back = preds.get(s.pred).back.get(k + 1).is_some_and(Option::is_some);
                if is_back && arg.as_sym() == Some(base) {
                    return Some(Site::Back(i, k));
                }
            }
        }
        None
    }

    /// The summary whose first element, if it has one, another chain of links leads to at this address.
    pub(crate) fn summary_with_twin(&self, address: Val, preds: &PredTable) -> Option<usize> {
        let base = address.as_sym()?;
        self.summaries.iter().position(|s| {
            let twin = preds.get(s.pred).twin.iter().skip(1);
            s.args.iter().zip(twin).any(|(v, twin)| twin.is_some() && v.as_sym() == Some(base))
        })
    }

    /// All cases of the summary at `site`.
    pub fn unfold(&self, site: Site, preds: &PredTable) -> Vec<State> {
        match site {
            Site::Front(i) => self.unfold_front(i, preds),
            Site::Back(i, k) => self.unfold_back(i, k, preds),
        }
    }

    fn unfold_front(&self, index: usize, preds: &PredTable) -> Vec<State> {
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

    fn with_empty_segment(mut self, s: &Summary, preds: &PredTable) -> Option<State> {
        let (end, args) = s.end.as_ref()?;
        let mut pairs: Vec<_> = s.args.iter().copied().zip(args.iter().copied()).collect();
        pairs.push((s.root, *end));
        (self.unify_all(pairs) && self.settle(preds)).then_some(self)
    }

    /// Adds the memory and facts of one case of `s`; `hole` says which call is a segment, and to where.
    fn with_case(
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
            let mut object = Object::new(
                ObjectKind::Heap,
                Val::int(i128::from(block.size)),
                Fill::Uninit,
                Span::default(),
            );
            object.record = block.record;
            for cell in &case.cells {
                object.write(cell.off, cell.width, s.term_with(&cell.val, &exists)?);
            }
            let address = s.root.as_sym()?;
            self.dead.remove(&address);
            self.objects.insert(address, Arc::new(object));
        }
        let mut equal = Vec::new();
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
                pred: s.callee(call.callee),
                root: *root,
                args: args.iter().copied().collect(),
                end,
            });
        }
        (self.draw_facts(&s, case, &exists, equal) && self.settle(preds)).then_some(self)
    }

    fn unfold_back(&self, index: usize, k: usize, preds: &PredTable) -> Vec<State> {
        let mut rest = self.clone();
        let s = rest.summaries.swap_remove(index);
        let s = self.as_segment(&s, preds).unwrap_or(s);
        let mut cases = Vec::new();
        cases.extend(rest.clone().with_empty_segment(&s, preds));
        let pred = preds.get(s.pred);
        let (Some((end, end_args)), Some(Some(c))) = (s.end.as_ref(), pred.back.get(k + 1)) else {
            return vec![self.clone()];
        };
        let last = end_args.get(k).filter(|v| !v.is_undef()).map(|v| v.plus(-c));
        let Some(last) = last else { return vec![self.clone()] };
        for (case_index, case) in pred.def.cases.iter().enumerate().filter(|(_, c)| c.block.is_some()) {
            for j in (0..case.calls.len()).filter(|j| case.calls[*j].callee == Callee::This) {
                let mut state = rest.clone();
                // The segment now ends at the last element; its arguments there are new, except shared ones.
                let args: Args = end_args
                    .iter()
                    .enumerate()
                    .map(|(i, v)| {
                        let shared = pred.shared.get(i + 1).copied().unwrap_or(false);
                        if shared { *v } else { Val::sym(state.fresh()) }
                    })
                    .collect();
                state.summaries.push(Summary { end: Some((last, args.clone())), ..s.clone() });
                let element = Summary { pred: s.pred, root: last, args, end: None };
                let hole = Hole { call: j, end: *end, args: end_args.clone(), closed: true };
                cases.extend(state.with_case(&element, case_index, Some(hole), preds));
            }
        }
        cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pred::{BlockSpec, CallSpec, Case, CellSpec, Definition, Fact, Term};
    use crate::state::Root;
    use heapwise_ir::LocalId;

    /// Elements with a link at 0 to the next element, and one at 8 to the link at 8 of the next element.
    fn two_chains(preds: &mut PredTable) -> crate::PredId {
        let block = Case {
            exists: 2,
            block: Some(BlockSpec { size: 16, record: None }),
            cells: vec![
                CellSpec { off: 0, width: 8, val: Term::exist(0) },
                CellSpec { off: 8, width: 8, val: Term::exist(1) },
            ],
            calls: vec![CallSpec::whole(Callee::This, vec![Term::exist(0), Term::exist(1)])],
            facts: vec![Fact::Eq(Term::param(1), Term::ROOT.plus(8))],
        };
        let zero = |t: Term| Fact::Eq(t, Term::int(0));
        let empty = Case { facts: vec![zero(Term::ROOT), zero(Term::param(1))], ..Case::default() };
        preds.intern(Definition { params: 2, cases: vec![empty, block] }, |_| "two".into())
    }

    #[test]
    fn the_second_of_two_chains_leads_to_the_same_elements() {
        let mut preds = PredTable::default();
        let pred = two_chains(&mut preds);
        assert_eq!(preds.get(pred).twin, [None, Some(8)]);
        let mut state = State::default();
        let [x, q, e, f] = [(); 4].map(|()| state.fresh()).map(Val::sym);
        let end = Some((e, [f].into_iter().collect()));
        state.summaries.push(Summary { pred, root: x, args: [q].into_iter().collect(), end });
        let [first, second, last, other] = [0, 1, 2, 3].map(|i| Root::Local(LocalId(i)));
        state.roots.extend([(first, x), (second, q), (last, e), (other, f)]);
        let site = state.summary_at(q, &preds);
        assert_eq!(site, Some(Site::Front(0)));
        let cases = state.unfold(Site::Front(0), &preds);
        let [empty, element] = cases.as_slice() else { panic!("empty, or with a first element") };
        assert_eq!(empty.roots[&first], empty.roots[&last]);
        assert_eq!(empty.roots[&second], empty.roots[&other]);
        assert_eq!(element.roots[&second], element.roots[&first].plus(8));
        assert_eq!(element.objects.len(), 1);
        // What the second chain leads to is elsewhere: there are no elements.
        let mut elsewhere = state.clone();
        let head = Object::new(ObjectKind::Heap, Val::int(16), Fill::Unknown, Span::default());
        elsewhere.objects.insert(q.as_sym().expect("a symbol"), Arc::new(head));
        assert!(elsewhere.settle(&preds));
        assert!(elsewhere.summaries.is_empty());
        assert_eq!(elsewhere.roots[&first], elsewhere.roots[&last]);
    }
}
