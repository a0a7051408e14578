//! Joins where predicates have parameters that no case speaks of (see [`crate::summary`]).
//!
//! A name on both sides may be, on each of them, an object, the last element of a segment, or null before the first element: what
//! these have in common is what a segment of the result hands on. So such a name owns no memory that another name has a better
//! claim on, does not keep an object from becoming part of a segment, and may wait until a segment is found for it; if there is
//! none in the end, the join is refused. It is also refused where both sides know what a segment starts with and the
//! result does not.

use super::{Joiner, Pair, Refusal, Side};
use crate::matching::View;
use crate::state::{State, Summary};
use crate::unfold::Site;
use crate::value::Val;

impl Joiner<'_> {
    /// Whether names may turn out to be what segments hand on for parameters that no case speaks of.
    pub(super) fn ghosts(&self) -> bool {
        self.options.bold && self.preds.has_ghosts()
    }

    /// Two segments, one of which ends at an address that has a counterpart further on on the other side: it takes in what
    /// leads there, which may have to wait for another pair.
    pub(super) fn longer_segment(
        &mut self,
        index: usize,
        summaries: [usize; 2],
    ) -> Option<Result<(), Refusal>> {
        if !self.ghosts() {
            return None;
        }
        let end = |view: &View<'_>, i: usize| Some(view.state.summaries.get(i)?.end.as_ref()?.0);
        let (l, r) = (end(&self.left, summaries[0])?, end(&self.right, summaries[1])?);
        let begins = |state: &State, v: Val| {
            let object = v.as_sym().is_some_and(|s| state.objects.contains_key(&s));
            object || state.summaries.iter().any(|s| s.root == v)
        };
        let further = |side: Side, v: Val, other: Val| {
            let there = if side == Side::Left { self.right.state } else { self.left.state };
            self.partner(side, v).is_some_and(|p| p != other && begins(there, p))
        };
        let side = match (further(Side::Left, l, r), further(Side::Right, r, l)) {
            (true, false) => Side::Left,
            (false, true) => Side::Right,
            _ => return None,
        };
        let taken = self.absorb(side, summaries[side as usize], index, None);
        (taken.is_ok() || !self.waited.contains(&index)).then_some(taken)
    }

    /// A segment on `side` that ends at an element which is the last one of another segment on the other side: more than the
    /// segment leads to what follows, which a name leads to, or another pair has on the other side.
    pub(super) fn beyond_segment(
        &mut self,
        side: Side,
        summary: usize,
        index: usize,
        owner: Option<usize>,
    ) -> Option<()> {
        let s = self.view(side).state.summaries.get(summary).filter(|s| s.end.is_some())?;
        if !self.ghosts() {
            return None;
        }
        let reached = match owner {
            Some(owner) => self.lead_to(side, index, s.pred, owner),
            None => (0..self.named).any(|to| to != index && self.segment_between(index, s.pred, to)),
        };
        reached.then_some(())
    }

    /// An object on `side` and, on the other, null or the last element of a segment: what they have in common must turn out to
    /// be what a segment hands on, which may be empty where it is null.
    pub(super) fn expect_last(&mut self, side: Side, index: usize) -> Option<()> {
        let Pair { left, right, .. } = self.list[index];
        let (state, other) = match side {
            Side::Left => (self.right.state, right),
            Side::Right => (self.left.state, left),
        };
        let last = || matches!(state.summary_at(other, self.preds), Some(Site::Back(..)));
        if !self.ghosts() || other != Val::ZERO && !last() {
            return None;
        }
        self.open.push(index);
        Some(())
    }

    /// The value for a ghost: a pair that is known by other names. One that is not says nothing.
    pub(super) fn ghost(&self, side: Side, v: Val, other: Val) -> Val {
        if v == other && v.as_sym().is_none() {
            return v;
        }
        let (l, r) = if side == Side::Left { (v, other) } else { (other, v) };
        let (l, r, shift) = self.normalised(l, r);
        self.pairs.get(&(l, r)).map_or(Val::UNDEF, |i| self.list[*i].out.plus(shift))
    }

    /// The pairs that a value of `side` is part of: its counterpart, and the value of the result.
    pub(super) fn pairs_of(&self, side: Side, v: Val) -> impl Iterator<Item = (Val, Val)> {
        self.list.iter().filter_map(move |p| {
            let (mine, theirs) = if side == Side::Left { (p.left, p.right) } else { (p.right, p.left) };
            let shift = v.off - mine.off;
            let same = mine.base == v.base && (shift == 0 || v.as_sym().is_some());
            same.then(|| (theirs.plus(shift), p.out.plus(shift)))
        })
    }

    /// The value for a ghost that is `v` on `side` and may be any at the start of what is at `root` on the other side: what
    /// comes before it there, if that is a counterpart.
    pub(super) fn before(&self, side: Side, v: Val, root: Val) -> Val {
        let view = if side == Side::Left { &self.right } else { &self.left };
        let hands_on =
            |s: &Summary, v: Val| s.end.as_ref().is_some_and(|(end, args)| *end == root && args.contains(&v));
        let comes_before =
            |v: Val| view.is_next(v, root) || view.state.summaries.iter().any(|s| hands_on(s, v));
        let found = self.pairs_of(side, v).find(|(theirs, _)| comes_before(*theirs));
        match found {
            Some((_, out)) => out,
            None if v.as_sym().is_none() => v,
            None => Val::UNDEF,
        }
    }

    /// What an empty segment at `root` on the other side hands on, if one on `side` hands on `v`: a counterpart by a name other than
    /// that of what follows.
    pub(super) fn handed_on(&self, side: Side, v: Val, root: Val) -> Option<Val> {
        if v.as_sym().is_none() {
            return Some(v);
        }
        self.pairs_of(side, v).map(|(theirs, _)| theirs).find(|theirs| *theirs != root)
    }

    /// Whether something is part of a segment now that starts at `start`, was not `before`, and is held by other memory of that
    /// side, but not as what a segment hands on.
    pub(super) fn hides(&self, side: Side, before: &View<'_>, start: Val) -> bool {
        let view = if side == Side::Left { &self.left } else { &self.right };
        let handed_on = |v: Val| {
            self.open.iter().any(|i| {
                let Pair { left, right, .. } = self.list[*i];
                v == if side == Side::Left { left } else { right }
            })
        };
        let state = view.state;
        let objects = state.objects.keys().filter(|s| view.is_used(**s) && !before.is_used(**s));
        let used = |i: &usize| view.is_summary_used(*i) && !before.is_summary_used(*i);
        let segments = (0..state.summaries.len()).filter(used).filter_map(|i| state.summaries.get(i));
        let mut inner = objects.map(|s| Val::sym(*s)).chain(segments.map(|s| s.root));
        inner.any(|v| {
            let mut others = state.objects.iter().filter(|(s, _)| !view.is_used(**s) || before.is_used(**s));
            v != start && !handed_on(v) && others.any(|(_, o)| o.cells().any(|(_, c)| c.val == v))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::granularity::Numbers;
    use crate::lattice::inclusion::included;
    use crate::lattice::join::{JoinOptions, join};
    use crate::shape::{Env, Instance, parse_file, parse_formula, resolve};
    use crate::state::{Root, State};
    use crate::{PredTable, Val};
    use heapwise_ir::{LocalId, TypeTable};

    const BOLD: JoinOptions<'static> = JoinOptions {
        widen: None,
        keep_constants: false,
        keep_flags: false,
        keep_null: false,
        keep_ways: true,
        keep_numbers: false,
        numbers: Numbers::Elements,
        keep_objects: false,
        guided: true,
        bold: true,
    };

    /// The states of formulas over the list `l`, the cursor `x` and what comes before it, `p`.
    fn states<const N: usize>(formulas: [&str; N]) -> (PredTable, [State; N]) {
        let text = "predicate list(l, before) = l == null | l -> [8] { @0:8: n } * list(n, l);";
        let (types, mut preds) = (TypeTable::new(8), PredTable::default());
        let unit = parse_file(text).expect("a predicate");
        let declared = resolve::declare(&[&unit], &types, &mut preds).expect("well formed");
        let all = formulas.map(|text| {
            let (mut state, mut env) = (State::default(), Env::default());
            for (i, name) in ["l", "x", "p"].into_iter().enumerate() {
                let v = Val::sym(state.fresh());
                state.roots.insert(Root::Local(LocalId(i as u32)), v);
                env.names.insert(name.into(), v);
            }
            let formula = parse_formula(text).expect("a formula");
            let context = Instance { declared: &declared, preds: &preds, layouts: &types };
            context.add(&formula[0], &env, state).expect("well formed").expect("possible")
        });
        (preds, all)
    }

    #[test]
    fn a_cursor_and_what_comes_before_it_are_one_description() {
        let (preds, [first, second, third, all]) = states([
            "list(l, null) && l != null && x == l && p == null",
            "l -> [8] { @0:8: x } * list(x, null) && x != null && p == l",
            "l -> [8] { @0:8: p } * p -> [8] { @0:8: x } * list(x, null) && x != null",
            "list(l, null; x, p) * list(x, p) && x != null",
        ]);
        for state in [&first, &second, &third] {
            assert_eq!(included(state, &all, &preds), Ok(()));
        }
        let two = join(&first, &second, &preds, BOLD).expect("a common description");
        let three = join(&two, &third, &preds, BOLD).expect("a common description");
        assert_eq!(included(&three, &all, &preds), Ok(()), "{three:?}");
        assert_eq!(included(&all, &three, &preds), Ok(()), "{three:?}");
    }

    #[test]
    fn what_an_empty_segment_hands_on_is_what_it_gets() {
        let (preds, [unknown, null]) = states([
            "list(l, q; x, p) * list(x, p) && x != null && q != p",
            "list(l, null; x, p) * list(x, p) && x != null",
        ]);
        // Known to have an element: then it does not matter what comes before.
        assert_eq!(included(&unknown, &null, &preds), Ok(()));
        let (preds, [unknown, null]) = states([
            "list(l, q; x, p) * list(x, p) * list(q, null) && x != null",
            "list(l, null; x, p) * list(x, p) * list(q, null) && x != null",
        ]);
        assert!(included(&unknown, &null, &preds).is_err());
    }
}
