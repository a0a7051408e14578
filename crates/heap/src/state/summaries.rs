//! Instances of inductive predicates in a state: whole structures and segments of them.
//!
//! The last part is about parameters that no case speaks of, *ghosts* ([`Pred::ghost`](crate::pred::Pred::ghost)), such as `before` in
//! `list(l, before) = l == null | l -> struct node { next: n } * list(n, l)`. They say nothing of a structure, but at the end of a
//! segment they say what its last element hands on: here which element that is, or what came before if there is none. So one
//! segment describes a cursor with the element before it, whether or not there is one.
//!
//! The price is that the same memory has many descriptions: a whole structure, and a segment that has an element, satisfy the
//! predicate for any value of a ghost at their start. Three rules keep that in hand. A ghost of a whole structure, and one at the
//! end of a segment that nothing else names, is [`Val::UNDEF`]: some value. Two parts of memory that follow each other make one
//! segment even if what the first hands on is not what the second starts with; what comes out at the end is some value then, as the
//! second may be empty. And joins give a segment with an element the value at its start that the other side asks for.

use crate::pred::{Callee, Fact, Pred, PredId, PredTable, Term, TermBase};
use crate::state::State;
use crate::value::{Sym, Val};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Arguments of a summary, root excluded.
pub type Args = SmallVec<[Val; 2]>;

/// An instance of an inductive predicate, whole or as a segment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Summary {
    /// Which predicate.
    pub pred: PredId,
    /// Its root.
    pub root: Val,
    /// Its arguments.
    pub args: Args,
    /// For a segment, root and arguments of the hole.
    pub end: Option<(Val, Args)>,
    /// The set of its blocks, if anything is known to lead to one of them ([`PointsTo`](super::PointsTo)).
    pub region: Option<Sym>,
}

impl Summary {
    /// The value of a definition's term that mentions no existential.
    pub fn term(&self, t: &Term) -> Option<Val> {
        self.term_with(t, &[])
    }

    /// Where it ends: the far end of a segment, or the values that its root has if it is an empty structure.
    pub(crate) fn ends(&self, preds: &PredTable) -> Vec<Val> {
        if let Some((end, _)) = &self.end {
            return vec![*end];
        }
        let empty = preds.get(self.pred).def.cases.iter().filter(|c| c.block.is_none());
        let facts = empty.flat_map(|c| &c.facts);
        let other = facts.filter_map(|f| match f {
            Fact::Eq(Term::ROOT, t) | Fact::Eq(t, Term::ROOT) => self.term(t),
            _ => None,
        });
        other.collect()
    }

    /// The value of a definition's term under an assignment of the existentials.
    pub fn term_with(&self, t: &Term, exists: &[Val]) -> Option<Val> {
        match t.base {
            TermBase::Zero => Some(Val::int(t.off)),
            TermBase::Func(f) => Some(Val::func(f).plus(t.off)),
            TermBase::Param(0) => Some(self.root.plus(t.off)),
            TermBase::Param(i) => self.args.get(usize::from(i) - 1).map(|v| v.plus(t.off)),
            TermBase::Exist(i) => exists.get(usize::from(i)).map(|v| v.plus(t.off)),
        }
    }

    /// The same segment with its lengths at both ends moved by the same amount.
    pub(crate) fn shift_lengths(&mut self, pred: &Pred, by: i128) {
        let Some((_, far)) = &mut self.end else { return };
        for (k, (near, far)) in self.args.iter_mut().zip(far).enumerate() {
            if pred.length.arg(k) && !near.is_undef() && !far.is_undef() {
                (*near, *far) = (near.plus(by), far.plus(by));
            }
        }
    }

    /// The predicate that a call of this summary's definition names.
    pub fn callee(&self, callee: Callee) -> PredId {
        match callee {
            Callee::This => self.pred,
            Callee::Other(p) => p,
        }
    }

    /// All values in it.
    pub fn values(&self) -> impl Iterator<Item = Val> + '_ {
        std::iter::once(self.root)
            .chain(self.args.iter().copied())
            .chain(self.end.iter().flat_map(|(r, a)| std::iter::once(*r).chain(a.iter().copied())))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Val> {
        std::iter::once(&mut self.root)
            .chain(self.args.iter_mut())
            .chain(self.end.iter_mut().flat_map(|(r, a)| std::iter::once(r).chain(a.iter_mut())))
    }
}

impl State {
    /// All summaries. A position in this order stays that of the summary until one is taken out.
    pub fn summaries(&self) -> impl DoubleEndedIterator<Item = &Summary> + ExactSizeIterator + Clone + '_ {
        self.summaries.iter()
    }

    /// Whether there are any.
    pub fn has_summaries(&self) -> bool {
        !self.summaries.is_empty()
    }

    /// The summary at a position.
    pub fn summary(&self, index: usize) -> Option<&Summary> {
        self.summaries.get(index)
    }

    /// Adds a summary; returns its position.
    pub fn add_summary(&mut self, summary: Summary) -> usize {
        self.summaries.push(summary);
        self.summaries.len() - 1
    }

    /// Takes out the summaries for which `keep` says no.
    pub fn retain_summaries(&mut self, keep: impl FnMut(&Summary) -> bool) {
        self.summaries.retain(keep);
    }

    /// Whether a summary satisfies its predicate for any value of its argument `k`, counted without the root.
    pub(crate) fn any_argument(&self, s: &Summary, k: usize, preds: &PredTable) -> bool {
        preds.get(s.pred).is_ghost(k) && (s.end.is_none() || self.is_nonempty(s, preds))
    }

    /// The values that segments start with or hand on for parameters that no case speaks of.
    pub(crate) fn ghosts(&self, preds: &PredTable) -> BTreeSet<Sym> {
        let segments = self.summaries.iter().filter(|_| preds.has_ghosts());
        let args = segments.filter_map(|s| Some((preds.get(s.pred), &s.args, &s.end.as_ref()?.1)));
        args.flat_map(|(pred, near, far)| {
            let ghosts = near.iter().zip(far).enumerate().filter(|(k, _)| pred.is_ghost(*k));
            ghosts.flat_map(|(_, (a, b))| [a.as_sym(), b.as_sym()])
        })
        .flatten()
        .collect()
    }

    /// Forgets which cursors ghosts are not: nobody asked, and states that differ by that alone are many. That a segment has an
    /// element is kept.
    pub(crate) fn drop_ghost_facts(&mut self, preds: &PredTable) {
        let ghosts = self.ghosts(preds);
        if ghosts.is_empty() {
            return;
        }
        let summaries = &self.summaries;
        let nonempty = |a: Sym, b: Sym| {
            let pair = [Some(a), Some(b)];
            let ends = summaries.iter().filter_map(|s| Some([s.root.as_sym(), s.end.as_ref()?.0.as_sym()]));
            ends.into_iter().any(|[root, end]| pair == [root, end] || pair == [end, root])
        };
        self.pure.distinct.retain(|(a, b, _)| {
            b.is_none_or(|b| !ghosts.contains(a) && !ghosts.contains(&b) || nonempty(*a, b))
        });
    }

    /// Leaves ghosts open that say nothing: those of whole structures, and what segments hand on where nothing names it.
    pub(crate) fn forget_ghosts(&mut self, preds: &PredTable) {
        if !preds.has_ghosts() {
            return;
        }
        while self.forget_some_ghosts(preds) {}
    }

    /// One round of [`State::forget_ghosts`]; whether anything changed, so that less is named now.
    fn forget_some_ghosts(&mut self, preds: &PredTable) -> bool {
        let mut mentions: FxHashMap<Sym, u32> = FxHashMap::default();
        self.for_each_val(|v| {
            if let Some(s) = v.as_sym() {
                *mentions.entry(s).or_default() += 1;
            }
        });
        let named = |v: &Val| match v.as_sym() {
            Some(s) => mentions.get(&s).is_some_and(|n| *n > 1) || self.objects.contains_key(&s),
            None => !v.is_undef(),
        };
        let mut changed = false;
        for Summary { pred, args, end, .. } in &mut self.summaries {
            let pred = preds.get(*pred);
            for (k, near) in args.iter_mut().enumerate().filter(|(k, _)| pred.is_ghost(*k)) {
                let far = end.as_mut().and_then(|(_, far)| far.get_mut(k));
                if far.as_deref().is_some_and(named) {
                    continue;
                }
                for v in std::iter::once(near).chain(far).filter(|v| !v.is_undef()) {
                    *v = Val::UNDEF;
                    changed = true;
                }
            }
        }
        changed
    }
}
