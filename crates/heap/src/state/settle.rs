//! Consequences of what is known for summaries: those that can only be empty go.

use super::{Args, NULL_PAGE, State, Summary};
use crate::pred::{Case, Fact, PerParam, Pred, PredTable};
use crate::value::{Base, Sym, Val};
use heapwise_numeric::Interval;

impl State {
    /// Forgets disequalities of addresses that separation implies: they tell apart states that describe the same memory.
    pub fn drop_implied(&mut self, preds: &PredTable) {
        self.drop_ghost_facts(preds);
        let owns =
            |s: &Sym| self.objects.contains_key(s) || self.summaries.iter().any(|t| t.root == Val::sym(*s));
        let stated: Vec<(Sym, Option<Sym>, i128)> = self
            .pure
            .distinct
            .iter()
            .filter(|(a, b, c)| match b {
                Some(b) => *c == 0 && owns(a) && owns(b),
                None => *c == 0 && owns(a),
            })
            .copied()
            .collect();
        for fact in &stated {
            self.pure.distinct.remove(fact);
        }
        for fact in stated {
            let (a, b) = (Val::sym(fact.0), fact.1.map_or(Val::ZERO, Val::sym));
            if self.compare(a, b, Some(preds)) != Some(false) {
                self.pure.distinct.insert(fact);
            }
        }
    }

    /// Forgets that segments are not empty, where nothing but a disequality says so.
    pub fn forget_nonempty(&mut self) {
        for (root, end) in self.summaries.iter().filter_map(|s| Some((s.root, s.end.as_ref()?.0))) {
            if let (Some(a), Some(b)) = (root.as_sym(), end.as_sym())
                && root.off == end.off
            {
                self.pure.distinct.remove(&(a.min(b), Some(a.max(b)), 0));
            }
        }
    }

    /// Removes summaries that can only be empty, drawing the consequences, until nothing changes.
    #[must_use]
    pub fn settle(&mut self, preds: &PredTable) -> bool {
        if !self.share_arguments(preds) || !self.draw_ranges(preds) || !self.draw_lengths(preds) {
            return false;
        }
        self.forget_ghosts(preds);
        let mut i = 0;
        while i < self.summaries.len() {
            let s = self.summaries[i].clone();
            if !self.must_be_empty(i, preds) {
                i += 1;
                continue;
            }
            self.summaries.swap_remove(i);
            if let Some(region) = s.region {
                self.replace_place(region, &[]);
            }
            match &s.end {
                Some((end, args)) => {
                    let mut pairs: Vec<_> = s.args.iter().copied().zip(args.iter().copied()).collect();
                    pairs.push((s.root, *end));
                    if !self.unify_all(pairs) {
                        return false;
                    }
                }
                None => {
                    let cases = &preds.get(s.pred).def.cases;
                    let feasible: Vec<&Case> =
                        cases.iter().filter(|c| c.block.is_none() && !self.contradicts(&s, c)).collect();
                    let [case] = feasible.as_slice() else {
                        if feasible.is_empty() {
                            return false;
                        }
                        // Several empty cases: nothing common is drawn from them.
                        i = 0;
                        continue;
                    };
                    if !self.draw_facts(&s, case, &[], Vec::new()) {
                        return false;
                    }
                }
            }
            i = 0;
        }
        true
    }

    /// What every element passes on unchanged is the same at both ends of a segment.
    #[must_use]
    fn share_arguments(&mut self, preds: &PredTable) -> bool {
        let mut equal = Vec::new();
        for s in &mut self.summaries {
            let Some((_, end)) = &mut s.end else { continue };
            let shared = preds.get(s.pred).shared.args();
            for ((here, there), _) in s.args.iter_mut().zip(end).zip(shared).filter(|(_, shared)| **shared) {
                match (here.is_undef(), there.is_undef()) {
                    (false, true) => *there = *here,
                    (true, false) => *here = *there,
                    (false, false) if here != there => equal.push((*here, *there)),
                    _ => {}
                }
            }
        }
        equal.is_empty() || self.unify_all(equal)
    }

    /// Draws the facts of a case of `s`, with its existentials given, and the further equalities.
    #[must_use]
    pub(crate) fn draw_facts(
        &mut self,
        s: &Summary,
        case: &Case,
        exists: &[Val],
        mut equal: Vec<(Val, Val)>,
    ) -> bool {
        for fact in &case.facts {
            let ok = match fact {
                Fact::Eq(a, b) => {
                    equal.extend(s.term_with(a, exists).zip(s.term_with(b, exists)));
                    true
                }
                Fact::Ne(a, b) => match (s.term_with(a, exists), s.term_with(b, exists)) {
                    (Some(a), Some(b)) => self.compare(a, b, None) != Some(true) && self.pure.assume_ne(a, b),
                    _ => true,
                },
                Fact::In(a, r) => s.term_with(a, exists).is_none_or(|a| self.pure.assume_in(a, *r)),
                Fact::Le(a, b) => match (s.term_with(a, exists), s.term_with(b, exists)) {
                    (Some(a), Some(b)) => self.pure.assume_le(a, b, false),
                    _ => true,
                },
            };
            if !ok {
                return false;
            }
        }
        self.unify_all(equal)
    }

    /// Whether the facts of a case, as far as they speak of parameters, are certainly false for `s`.
    pub(crate) fn contradicts(&self, s: &Summary, case: &Case) -> bool {
        case.facts.iter().any(|f| match f {
            Fact::Eq(a, b) => match (s.term(a), s.term(b)) {
                (Some(a), Some(b)) => self.compare(a, b, None) == Some(false),
                _ => false,
            },
            Fact::Ne(a, b) => match (s.term(a), s.term(b)) {
                (Some(a), Some(b)) => self.knows_eq(a, b),
                _ => false,
            },
            Fact::In(a, r) => s.term(a).is_some_and(|a| self.pure.range(a).meet(*r).is_none()),
            Fact::Le(a, b) => match (s.term(a), s.term(b)) {
                (Some(a), Some(b)) => self.pure.knows_le(b, a, true),
                _ => false,
            },
        })
    }

    fn must_be_empty(&self, i: usize, preds: &PredTable) -> bool {
        let s = &self.summaries[i];
        let taken = match s.root.base {
            Base::Zero | Base::Func(_) => true,
            Base::Undef => false,
            Base::Sym(x) => self.objects.get(&x).is_some_and(|o| {
                self.inside(o, s.root.off)
                    || s.root.off < 0 && -s.root.off < NULL_PAGE && {
                        // The block would have to overlap the object from below.
                        let size = preds.get(s.pred).def.cases.iter().filter_map(|c| c.block.as_ref());
                        size.map(|b| b.size).min().is_some_and(|m| i128::from(m) > -s.root.off)
                    }
            }),
        };
        if taken {
            return true;
        }
        // Elements that arguments name, at a distance, cannot be blocks that are elsewhere.
        let Pred { back, twin, def, .. } = preds.get(s.pred);
        let least = def.cases.iter().filter_map(|c| c.block.as_ref()).map(|b| i128::from(b.size)).min();
        let elsewhere = |args: &Args, distances: &PerParam<Option<i128>>| {
            args.iter().enumerate().any(|(k, arg)| {
                let Some(c) = distances.arg(k) else { return false };
                // The start of the element, and the address itself if that is within the element.
                let within = least.is_some_and(|size| (0..size).contains(&c));
                [Some(arg.plus(-c)), within.then_some(*arg)].into_iter().flatten().any(|v| match v.base {
                    Base::Zero => v.off.abs() < NULL_PAGE,
                    Base::Func(_) => true,
                    Base::Undef => false,
                    Base::Sym(x) => self.objects.get(&x).is_some_and(|o| self.inside(o, v.off)),
                })
            })
        };
        if s.end.as_ref().is_some_and(|(_, args)| elsewhere(args, back)) || elsewhere(&s.args, twin) {
            return true;
        }
        if self.begins_a_block(s.root, &mut vec![i], preds) {
            return true;
        }
        self.has_no_length(s, preds)
            || preds.get(s.pred).def.cases.iter().all(|c| c.block.is_none() || self.contradicts(s, c))
    }

    /// Whether a block certainly begins at an address that belongs to none of the summaries in `others`: an object, or the
    /// first element of a summary, or, if that is empty, what follows it.
    fn begins_a_block(&self, v: Val, others: &mut Vec<usize>, preds: &PredTable) -> bool {
        if v.off == 0 && v.as_sym().is_some_and(|x| self.objects.contains_key(&x)) {
            return true;
        }
        self.summaries.iter().enumerate().any(|(j, t)| {
            if t.root != v || others.contains(&j) {
                return false;
            }
            others.push(j);
            self.is_nonempty(t, preds)
                || t.end.as_ref().is_some_and(|(end, _)| self.begins_a_block(*end, others, preds))
        })
    }

    /// Draws from whole instances of declared predicates where their arguments lie; whether that is possible.
    #[must_use]
    pub(crate) fn draw_ranges(&mut self, preds: &PredTable) -> bool {
        let mut told: Vec<(Val, Interval)> = Vec::new();
        for s in self.summaries.iter().filter(|s| s.end.is_none()) {
            let pred = preds.get(s.pred);
            if pred.origin.is_about_numbers() {
                let ranges = s.args.iter().copied().zip(pred.ranges.args().copied());
                told.extend(ranges.filter(|(v, r)| *r != Interval::FULL && !v.is_undef()));
            }
        }
        told.into_iter().all(|(v, r)| self.pure.assume_in(v, r))
    }
}
