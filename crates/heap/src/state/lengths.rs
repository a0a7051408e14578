//! What is known of lists and segments because their lengths are ([`crate::pred::length`]): where lengths lie, and which lists have no
//! element.

use super::{State, Summary};
use crate::pred::PredTable;
use crate::pred::length::MOST_ELEMENTS;
use crate::value::Val;
use heapwise_numeric::Interval;

impl State {
    /// Draws from lists and segments where their lengths lie; whether that is possible.
    #[must_use]
    pub(crate) fn draw_lengths(&mut self, preds: &PredTable) -> bool {
        let mut told: Vec<(Val, Val)> = Vec::new();
        for s in &self.summaries {
            for (k, near) in lengths(s, preds) {
                let far = s.end.as_ref().map_or(Some(Val::ZERO), |(_, far)| far.get(k).copied());
                told.extend(far.filter(|far| !far.is_undef() && !near.is_undef()).map(|far| (far, near)));
            }
        }
        let mut equal = Vec::new();
        for (far, near) in told {
            let possible = match far.as_int() {
                Some(n) => {
                    let range = Interval { lo: Some(n), hi: n.checked_add(MOST_ELEMENTS - 1) };
                    self.pure.assume_in(near, range)
                }
                None => self.pure.assume_le(far, near, false),
            };
            if !possible {
                return false;
            }
            // A length that can only be one number is that number.
            let point = self.pure.range(near).as_point().filter(|_| near.as_int().is_none());
            equal.extend(point.map(|n| (near, Val::int(n))));
        }
        equal.is_empty() || self.unify_all(equal)
    }

    /// Whether the length of a list or segment says that it has no element.
    pub(crate) fn has_no_length(&self, s: &Summary, preds: &PredTable) -> bool {
        lengths(s, preds).any(|(k, near)| {
            let far = s.end.as_ref().map_or(Some(Val::ZERO), |(_, far)| far.get(k).copied());
            far.is_some_and(|far| !far.is_undef() && !near.is_undef() && self.pure.knows_le(near, far, false))
        })
    }
}

/// The lengths among the arguments of a summary, with their positions.
fn lengths<'a>(s: &'a Summary, preds: &'a PredTable) -> impl Iterator<Item = (usize, Val)> + 'a {
    let length = preds.get(s.pred).length.args();
    s.args.iter().zip(length).enumerate().filter(|(_, (_, is))| **is).map(|(k, (v, _))| (k, *v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pred::{BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, Term};
    use crate::state::Root;
    use heapwise_ir::LocalId;

    fn list() -> Definition {
        let block = Case {
            exists: 1,
            block: Some(BlockSpec::of_size(8, None)),
            cells: vec![CellSpec { off: 0, width: 8, val: Term::exist(0) }],
            calls: vec![CallSpec::whole(Callee::This, vec![Term::exist(0)])],
            facts: Vec::new(),
        };
        let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
        Definition { params: 1, cases: vec![empty, block] }
    }

    #[test]
    fn lengths_bound_segments_and_tell_when_they_are_empty() {
        let mut preds = PredTable::default();
        let pred = preds.intern(list().with_length(), |_| "list".into());
        let mut state = State::default();
        let [x, y, n] = [(); 3].map(|()| state.fresh()).map(Val::sym);
        let [first, last] = [0, 1].map(|i| Root::Local(LocalId(i)));
        state.set_roots([(first, x), (last, y)].into_iter().collect());
        let end = Some((y, [Val::ZERO].into_iter().collect()));
        let segment = Summary { pred, root: x, args: [n].into_iter().collect(), end, region: None };
        state.add_summary(segment.clone());
        assert!(state.settle(&preds));
        assert!(state.knows_le(Val::ZERO, n, false));
        assert!(!state.has_no_length(&segment, &preds) && !state.is_nonempty(&segment, &preds));
        let mut some = state.clone();
        assert!(some.assume_ne(n, Val::ZERO, &preds));
        assert!(some.is_nonempty(&segment, &preds));
        assert!(state.assume_eq(n, Val::ZERO, &preds));
        assert_eq!(state.summaries().len(), 0, "it has no element");
        assert_eq!(state.root(first), state.root(last));
    }
}
