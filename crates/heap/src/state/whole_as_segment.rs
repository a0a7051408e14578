//! Whole instances that are segments under another name.
//!
//! A declared list may say in its empty case where it ends: `part(x, before, tail, last)` is empty if `x == tail` and
//! `before == last`. Such an instance is the segment from `x` to `tail` whose last element is `last`, so that it can be
//! unfolded from its far end as well. The converse, a segment that folds to the whole, is what the matching engine does
//! anyway.

use super::{Args, State, Summary};
use crate::pred::{Callee, Case, Fact, PredTable, TermBase};
use crate::value::Val;

impl State {
    /// The segment that a whole instance is, if its definition ends at a place that its arguments name. The segment
    /// followed by an empty instance describes the same memory as the whole.
    pub fn as_segment(&self, s: &Summary, preds: &PredTable) -> Option<Summary> {
        let pred = preds.get(s.pred);
        if s.end.is_some() {
            return None;
        }
        let mut empties = pred.def.cases.iter().filter(|c| c.block.is_none());
        let (Some(empty), None) = (empties.next(), empties.next()) else { return None };
        let one_way = |calls: usize| calls == 1;
        let linear = pred
            .def
            .cases
            .iter()
            .filter(|c| c.block.is_some())
            .all(|c| one_way(c.calls.iter().filter(|k| k.callee == Callee::This).count()));
        if !linear || !empty.calls.is_empty() || empty.exists != 0 {
            return None;
        }
        // Parameters that do not change on the way are known at the end as well; equalities there tell the others.
        let is_shared = |i: usize| pred.shared.get(i) == Some(&true);
        let mut known: Vec<Option<Val>> = (0..=s.args.len())
            .map(|i| s.args.get(i.wrapping_sub(1)).copied().filter(|_| is_shared(i)))
            .collect();
        for fact in &empty.facts {
            let Fact::Eq(a, b) = fact else { return None };
            // A list ends with length 0.
            if let (TermBase::Param(i @ 1..), TermBase::Zero) = (a.base, b.base)
                && pred.length.get(usize::from(i)) == Some(&true)
            {
                *known.get_mut(usize::from(i))? = Some(Val::int(b.off.checked_sub(a.off)?));
                continue;
            }
            let (a, b) = match (a.base, b.base) {
                (TermBase::Param(i), TermBase::Param(j)) => {
                    match (is_shared(usize::from(i)), is_shared(usize::from(j))) {
                        (false, true) => (a, b),
                        (true, false) => (b, a),
                        _ => return None,
                    }
                }
                _ => return None,
            };
            let (TermBase::Param(i), TermBase::Param(j)) = (a.base, b.base) else { return None };
            let value = known.get(usize::from(j)).copied().flatten()?;
            let slot = known.get_mut(usize::from(i)).filter(|k| k.is_none())?;
            *slot = Some(value.plus(b.off - a.off));
        }
        let end: Args = known.iter().skip(1).copied().collect::<Option<_>>()?;
        Some(Summary { end: Some((known.first().copied().flatten()?, end)), ..s.clone() })
    }
}

impl Summary {
    /// The segment up to a number, such as null, that a whole list without parameters is; where there are skip lists, since
    /// the elements of a low level are such a segment unless a higher element follows.
    pub(crate) fn up_to_number(&self, preds: &PredTable) -> Option<Summary> {
        let def = &preds.get(self.pred).def;
        let (mut empties, mut blocks) =
            (def.cases.iter().filter(|c| c.block.is_none()), def.cases.iter().filter(|c| c.block.is_some()));
        let (Some(empty), None) = (empties.next(), empties.next()) else { return None };
        let one_way =
            |c: &Case| c.calls.iter().filter(|k| k.callee == Callee::This && k.end.is_none()).count() == 1;
        let [Fact::Eq(root, end)] = empty.facts.as_slice() else { return None };
        let ends = root.base == TermBase::Param(0) && end.base == TermBase::Zero;
        if !preds.has_levels()
            || self.end.is_some()
            || def.params != 1
            || !ends
            || !empty.calls.is_empty()
            || !blocks.all(one_way)
        {
            return None;
        }
        Some(Summary { end: Some((Val::int(end.off - root.off), Args::new())), ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Fill, Object, ObjectKind};
    use crate::pred::{BlockSpec, CallSpec, CellSpec, Definition, Term};
    use heapwise_ir::Span;
    use std::sync::Arc;

    /// `part(x, before, tail, last)`: nodes with a link at 0 and one back at 8.
    fn part(preds: &mut PredTable) -> crate::PredId {
        let empty = Case {
            facts: vec![Fact::Eq(Term::ROOT, Term::param(2)), Fact::Eq(Term::param(1), Term::param(3))],
            ..Case::default()
        };
        let block = Case {
            exists: 1,
            block: Some(BlockSpec::of_size(16, None)),
            cells: vec![
                CellSpec { off: 0, width: 8, val: Term::exist(0) },
                CellSpec { off: 8, width: 8, val: Term::param(1) },
            ],
            calls: vec![CallSpec::whole(
                Callee::This,
                vec![Term::exist(0), Term::ROOT, Term::param(2), Term::param(3)],
            )],
            ..Case::default()
        };
        preds.intern(Definition { params: 4, cases: vec![empty, block] }, |_| "part".into())
    }

    #[test]
    fn a_list_up_to_a_sentinel_is_known_from_its_last_element() {
        let mut preds = PredTable::default();
        let pred = part(&mut preds);
        let mut state = State::default();
        let [x, before, tail, last] = [(); 4].map(|()| state.fresh()).map(Val::sym);
        let head = Object::new(ObjectKind::Heap, Val::int(16), Fill::Unknown, Span::default());
        state.objects.insert(before.as_sym().expect("a symbol"), Arc::new(head));
        let args = [before, tail, last].into_iter().collect();
        state.summaries.push(Summary { pred, root: x, args, end: None, region: None });
        let segment = state.as_segment(&state.summaries[0], &preds).expect("it ends where its arguments say");
        assert_eq!(segment.end, Some((tail, [last, tail, last].into_iter().collect())));
        assert_eq!(state.compare(last, Val::ZERO, Some(&preds)), Some(false));
        // It may be any other number: an address is one.
        assert_eq!(state.compare(last, Val::int(0x1234_5678), Some(&preds)), None);
        let site = state.summary_at(last, &preds).expect("the last element");
        // Empty, or with a last element that is now an object.
        let cases = state.unfold(site, &preds);
        assert_eq!(cases.len(), 2);
    }
}
