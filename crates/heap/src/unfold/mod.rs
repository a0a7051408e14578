//! Unfolding: a summary gives way to its cases (survey §4.4.3; Li et al. 2017, §3.1).
//!
//! Forward, at the root of a summary, and backward, at the far end of a segment whose predicate has a parameter
//! that always names the previous element: there the argument at the hole *is* the address of the last element.
//! Each unfolding returns all cases that are not contradictory; their union describes exactly the same memories.

mod back;
mod front;
mod segment_as_whole;
mod within;

use crate::pred::PredTable;
use crate::state::{Args, State, Summary};
use crate::value::Val;

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
    /// may be a whole instance that is a segment (see [`State::as_segment`]).
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
                let is_back = preds.get(s.pred).back.arg(k).is_some();
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
            let twin = preds.get(s.pred).twin.args();
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

    fn with_empty_segment(mut self, s: &Summary, preds: &PredTable) -> Option<State> {
        let (end, args) = s.end.as_ref()?;
        let mut pairs: Vec<_> = s.args.iter().copied().zip(args.iter().copied()).collect();
        pairs.push((s.root, *end));
        if let Some(region) = s.region {
            self.replace_place(region, &[]);
        }
        (self.unify_all(pairs) && self.settle(preds)).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Fill, Object, ObjectKind};
    use crate::pred::{BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, Term};
    use crate::state::Root;
    use heapwise_ir::{LocalId, Span};
    use std::sync::Arc;

    /// Elements with a link at 0 to the next element, and one at 8 to the link at 8 of the next element.
    fn two_chains(preds: &mut PredTable) -> crate::PredId {
        let block = Case {
            exists: 2,
            block: Some(BlockSpec::of_size(16, None)),
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
        assert_eq!(*preds.get(pred).twin, [None, Some(8)]);
        let mut state = State::default();
        let [x, q, e, f] = [(); 4].map(|()| state.fresh()).map(Val::sym);
        let end = Some((e, [f].into_iter().collect()));
        state.summaries.push(Summary { pred, root: x, args: [q].into_iter().collect(), end, region: None });
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
