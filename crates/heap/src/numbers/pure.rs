//! The pure part of a state: what is known of symbols as numbers.
//!
//! A conjunction of intervals, disequalities `a - b ≠ c` and difference bounds `a - b ≤ c` (closed under
//! transitivity as they are added). Equalities never occur: they are substituted away at once, so that equal
//! values are identical. Some symbols have a definition as a linear form of others, see `define.rs`; an element of a chosen
//! domain may say more, see `refinement.rs`. All operations that add knowledge return whether the conjunction is still satisfiable
//! as far as can be seen; `false` means the state is empty. Cost: lookups O(log n), adding a bound O(k²) in the
//! number of symbols related to its two ends.

use crate::numbers::linear::Linear;
use crate::numbers::refinement::Refinement;
use crate::value::{Base, Sym, Val};
use heapwise_numeric::Interval;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// Numeric knowledge about symbols.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pure {
    pub(crate) ranges: BTreeMap<Sym, Interval>,
    /// `(a, b, c)` with `a < b` (or `b` absent): `a - b ≠ c`.
    pub(crate) distinct: BTreeSet<(Sym, Option<Sym>, i128)>,
    /// `(a, b) ↦ c`: `a - b ≤ c`.
    pub(crate) bounds: BTreeMap<(Sym, Sym), i128>,
    /// Symbols that are linear forms over symbols without a definition.
    pub(crate) defs: BTreeMap<Sym, Linear>,
    /// What a chosen domain adds.
    pub(super) refinement: Refinement,
}

/// `a ≠ b` as a difference of symbols, or the answer if there is no symbol in it.
enum Difference {
    Decided(bool),
    Open(Sym, Option<Sym>, i128),
}

fn difference(a: Val, b: Val) -> Difference {
    match (a.base, b.base) {
        (Base::Sym(x), Base::Sym(y)) if x == y => Difference::Decided(a.off != b.off),
        (Base::Sym(x), Base::Sym(y)) if x < y => Difference::Open(x, Some(y), b.off.saturating_sub(a.off)),
        (Base::Sym(x), Base::Sym(y)) => Difference::Open(y, Some(x), a.off.saturating_sub(b.off)),
        (Base::Sym(x), Base::Zero) => Difference::Open(x, None, b.off.saturating_sub(a.off)),
        (Base::Zero, Base::Sym(y)) => Difference::Open(y, None, a.off.saturating_sub(b.off)),
        (Base::Zero, Base::Zero) => Difference::Decided(a.off != b.off),
        (Base::Func(f), Base::Func(g)) => Difference::Decided(f != g),
        (Base::Func(_), Base::Zero) if b.off == 0 => Difference::Decided(true),
        (Base::Zero, Base::Func(_)) if a.off == 0 => Difference::Decided(true),
        _ => Difference::Decided(false),
    }
}

impl Pure {
    /// The interval of a value.
    pub fn range(&self, v: Val) -> Interval {
        match v.base {
            Base::Zero => Interval::point(v.off),
            Base::Sym(s) => {
                let own = self.ranges.get(&s).copied().unwrap_or(Interval::FULL);
                let own = match self.defs.get(&s) {
                    Some(def) => own.meet(self.range_of(def)).unwrap_or(own),
                    None => own,
                };
                match self.refinement.is_there() {
                    true => own.meet(self.told_range(Val::sym(s))).unwrap_or(own),
                    false => own,
                }
                .shift(v.off)
            }
            Base::Func(_) => Interval { lo: Some(1), hi: None },
            Base::Undef => Interval::FULL,
        }
    }

    /// Learns that `v` lies in `range`.
    #[must_use]
    pub fn assume_in(&mut self, v: Val, range: Interval) -> bool {
        let Some(s) = v.as_sym() else { return self.range(v).meet(range).is_some() };
        if let Some(def) = self.defs.get(&s) {
            let def = def.clone();
            let (lo, hi) =
                (range.lo.map(|l| l.saturating_sub(v.off)), range.hi.map(|h| h.saturating_sub(v.off)));
            let above = lo.and_then(|lo| def.clone().shifted(lo.checked_neg()?));
            let below = hi.and_then(|hi| Linear::constant(hi).minus(&def));
            if !above.into_iter().chain(below).all(|f| self.assume_not_negative(&f)) {
                return false;
            }
        }
        self.assume_basis_in(s, range.shift(-v.off))
    }

    /// Learns that a symbol lies in `range`, without looking at its definition.
    pub(crate) fn assume_basis_in(&mut self, s: Sym, range: Interval) -> bool {
        let old = self.ranges.get(&s).copied().unwrap_or(Interval::FULL);
        let Some(new) = old.meet(range) else { return false };
        if new == old {
            return true;
        }
        self.ranges.insert(s, new);
        self.tighten_by_distinct(s) && self.propagate_bounds(s) && self.tell_range(s, new)
    }

    /// An end of the interval of `s` that is excluded by a disequality moves inwards.
    fn tighten_by_distinct(&mut self, s: Sym) -> bool {
        loop {
            let Some(r) = self.ranges.get(&s).copied() else { return true };
            let mut new = r;
            if let Some(lo) = r.lo
                && self.distinct.contains(&(s, None, lo))
            {
                new.lo = lo.checked_add(1);
            }
            if let Some(hi) = r.hi
                && self.distinct.contains(&(s, None, hi))
            {
                new.hi = hi.checked_sub(1);
            }
            if new == r {
                return true;
            }
            if new.lo.zip(new.hi).is_some_and(|(l, h)| l > h) {
                return false;
            }
            self.ranges.insert(s, new);
        }
    }

    /// Moves the intervals of symbols related to `s` after its own interval changed. One step suffices
    /// because the bounds are closed under transitivity.
    fn propagate_bounds(&mut self, s: Sym) -> bool {
        if self.bounds.is_empty() {
            return true;
        }
        let r = self.ranges.get(&s).copied().unwrap_or(Interval::FULL);
        let related: Vec<((Sym, Sym), i128)> =
            self.bounds.iter().filter(|((a, b), _)| *a == s || *b == s).map(|(k, c)| (*k, *c)).collect();
        for ((a, b), c) in related {
            // a - b <= c: a <= hi(b) + c, b >= lo(a) - c.
            let (other, limit) = if b == s {
                (a, Interval { lo: None, hi: r.hi.and_then(|h| h.checked_add(c)) })
            } else {
                (b, Interval { lo: r.lo.and_then(|l| l.checked_sub(c)), hi: None })
            };
            let old = self.ranges.get(&other).copied().unwrap_or(Interval::FULL);
            match old.meet(limit) {
                None => return false,
                Some(new) if new != old => {
                    self.ranges.insert(other, new);
                    if !self.tighten_by_distinct(other) {
                        return false;
                    }
                }
                Some(_) => {}
            }
        }
        true
    }

    /// Learns `a ≠ b`.
    #[must_use]
    pub fn assume_ne(&mut self, a: Val, b: Val) -> bool {
        if a.is_undef() || b.is_undef() {
            return true;
        }
        match difference(a, b) {
            Difference::Decided(differ) => {
                differ || matches!((a.base, b.base), (Base::Func(_), _) | (_, Base::Func(_))) && a != b
            }
            Difference::Open(x, y, c) => {
                self.distinct.insert((x, y, c));
                if self.refinement.is_there() && !self.tell_differ(a, b) {
                    return false;
                }
                if (self.is_defined(a) || self.is_defined(b)) && !self.assume_forms_differ(a, b) {
                    return false;
                }
                match y {
                    None => self.tighten_by_distinct(x) && self.propagate_bounds(x),
                    Some(y) => {
                        // x - y <= c becomes x - y <= c - 1 at the boundary, and likewise below.
                        if self.bounds.get(&(x, y)) == Some(&c) {
                            return self.assume_diff(x, y, c - 1);
                        }
                        if self.bounds.get(&(y, x)) == c.checked_neg().as_ref() {
                            return self.assume_diff(y, x, -c - 1);
                        }
                        true
                    }
                }
            }
        }
    }

    /// The consequences of `a ≠ b` for the symbols that define them.
    fn assume_forms_differ(&mut self, a: Val, b: Val) -> bool {
        let Some(form) = self.linear(a).zip(self.linear(b)).and_then(|(a, b)| a.minus(&b)) else {
            return true;
        };
        let g = form.divisor();
        if g == 0 {
            return form.constant != 0;
        }
        let Some(form) = form.divided(g) else { return true };
        let basis = match form.terms() {
            [(x, 1 | -1)] => {
                Some((Val::sym(*x), Val::int(form.constant.saturating_mul(-form.coefficient(*x)))))
            }
            [(x, 1), (y, -1)] => Some((Val::sym(*x).plus(form.constant), Val::sym(*y))),
            [(x, -1), (y, 1)] => Some((Val::sym(*x).plus(form.constant.saturating_neg()), Val::sym(*y))),
            _ => None,
        };
        if let Some((x, y)) = basis
            && !self.assume_ne(x, y)
        {
            return false;
        }
        if self.knows_le(a, b, false) {
            return self.assume_le(a, b, true);
        }
        if self.knows_le(b, a, false) {
            return self.assume_le(b, a, true);
        }
        true
    }

    /// Whether `a ≠ b` follows.
    pub fn knows_ne(&self, a: Val, b: Val) -> bool {
        match difference(a, b) {
            Difference::Decided(differ) => differ,
            Difference::Open(x, y, c) => {
                if self.distinct.contains(&(x, y, c)) || self.range(a).meet(self.range(b)).is_none() {
                    return true;
                }
                y.is_some_and(|y| {
                    self.bounds.get(&(x, y)).is_some_and(|d| *d < c)
                        || self.bounds.get(&(y, x)).is_some_and(|d| c.checked_neg().is_some_and(|n| *d < n))
                }) || !self.defs.is_empty()
                    && self
                        .linear(a)
                        .zip(self.linear(b))
                        .and_then(|(a, b)| a.minus(&b))
                        .is_some_and(|f| self.is_nonzero(&f))
                    || self.refinement.is_there() && self.told_differ(a, b)
            }
        }
    }

    pub(crate) fn assume_diff(&mut self, a: Sym, b: Sym, mut c: i128) -> bool {
        if a == b {
            return c >= 0;
        }
        // A bound that is known not to be reached is one less.
        let excluded = |c: i128| match a < b {
            true => self.distinct.contains(&(a, Some(b), c)),
            false => c.checked_neg().is_some_and(|n| self.distinct.contains(&(b, Some(a), n))),
        };
        while excluded(c) {
            c -= 1;
        }
        if self.bounds.get(&(a, b)).is_some_and(|d| *d <= c) {
            return true;
        }
        let into_a: Vec<(Sym, i128)> = std::iter::once((a, 0))
            .chain(self.bounds.iter().filter(|((_, t), _)| *t == a).map(|((s, _), d)| (*s, *d)))
            .collect();
        let from_b: Vec<(Sym, i128)> = std::iter::once((b, 0))
            .chain(self.bounds.range((b, Sym(0))..=(b, Sym(u32::MAX))).map(|((_, t), d)| (*t, *d)))
            .collect();
        for (x, dx) in &into_a {
            for (y, dy) in &from_b {
                let Some(sum) = dx.checked_add(c).and_then(|s| s.checked_add(*dy)) else { continue };
                if x == y {
                    if sum < 0 {
                        return false;
                    }
                    continue;
                }
                let entry = self.bounds.entry((*x, *y)).or_insert(sum);
                *entry = (*entry).min(sum);
            }
        }
        self.propagate_bounds(a) && self.propagate_bounds(b) && self.tell_difference(a, b, c)
    }

    /// Learns `a ≤ b` (or `a < b`), both numbers.
    #[must_use]
    pub fn assume_le(&mut self, a: Val, b: Val, strict: bool) -> bool {
        let slack = i128::from(!strict) - 1; // 0 for ≤, -1 for <
        match (a.base, b.base) {
            (Base::Zero, Base::Zero) => a.off <= b.off.saturating_add(slack),
            (Base::Sym(_), Base::Zero) => {
                self.assume_in(a, Interval { lo: None, hi: Some(b.off.saturating_add(slack)) })
            }
            (Base::Zero, Base::Sym(_)) => {
                self.assume_in(b, Interval { lo: Some(a.off.saturating_sub(slack)), hi: None })
            }
            (Base::Sym(x), Base::Sym(y)) => {
                // x + a.off <= y + b.off + slack
                if (self.is_defined(a) || self.is_defined(b))
                    && let Some(form) = self.linear(b).zip(self.linear(a)).and_then(|(b, a)| b.minus(&a))
                    && let Some(form) = form.shifted(slack)
                    && !self.assume_not_negative(&form)
                {
                    return false;
                }
                self.assume_diff(x, y, b.off.saturating_sub(a.off).saturating_add(slack))
            }
            _ => true,
        }
    }

    /// Whether `a ≤ b` (or `a < b`) follows.
    pub fn knows_le(&self, a: Val, b: Val, strict: bool) -> bool {
        if a.is_undef() || b.is_undef() {
            return false;
        }
        let slack = i128::from(!strict) - 1;
        if let (Base::Sym(x), Base::Sym(y)) = (a.base, b.base) {
            let limit = b.off.saturating_sub(a.off).saturating_add(slack);
            if x == y {
                return limit >= 0;
            }
            if self.bounds.get(&(x, y)).is_some_and(|d| *d <= limit) {
                return true;
            }
        }
        if let (Some(h), Some(l)) = (self.range(a).hi, self.range(b).lo)
            && h <= l.saturating_add(slack)
        {
            return true;
        }
        let through_definitions = !self.defs.is_empty()
            && self
                .linear(b)
                .zip(self.linear(a))
                .and_then(|(b, a)| b.minus(&a)?.shifted(slack))
                .is_some_and(|f| self.is_not_negative(&f));
        through_definitions || self.refinement.is_there() && self.told_le(a, b, slack)
    }

    /// Replaces `sym` by `by` everywhere.
    #[must_use]
    pub fn substitute(&mut self, sym: Sym, by: Val) -> bool {
        let range = self.ranges.remove(&sym);
        let distinct: Vec<_> =
            self.distinct.iter().filter(|(a, b, _)| *a == sym || *b == Some(sym)).copied().collect();
        for d in &distinct {
            self.distinct.remove(d);
        }
        let bounds: Vec<_> =
            self.bounds.iter().filter(|((a, b), _)| *a == sym || *b == sym).map(|(k, c)| (*k, *c)).collect();
        for (k, _) in &bounds {
            self.bounds.remove(k);
        }
        self.substitute_in_definitions(sym, by);
        self.refinement.substitute(sym, by);
        if !self.refinement.is_possible() {
            return false;
        }
        if let Some(r) = range
            && !self.assume_in(by, r)
        {
            return false;
        }
        let replaced = |s: Sym| if s == sym { by } else { Val::sym(s) };
        for (a, b, c) in distinct {
            if !self.assume_ne(replaced(a), b.map_or(Val::ZERO, replaced).plus(c)) {
                return false;
            }
        }
        for ((a, b), c) in bounds {
            if !self.assume_le(replaced(a), replaced(b).plus(c), false) {
                return false;
            }
        }
        true
    }

    fn substitute_in_definitions(&mut self, sym: Sym, by: Val) {
        if self.defs.is_empty() {
            return;
        }
        let own = self.defs.remove(&sym);
        let form = self.linear(by).filter(|f| !f.mentions(sym));
        self.defs = take(&mut self.defs)
            .into_iter()
            .filter_map(|(s, d)| {
                if !d.mentions(sym) {
                    return Some((s, d));
                }
                Some((s, d.substitute(sym, form.as_ref()?)?))
            })
            .filter(|(s, d)| !d.mentions(*s) && d.terms().len() <= crate::numbers::define::MAX_TERMS)
            .collect();
        // A definition that nobody took over stays with the symbol's new name.
        if let (Some(def), Some(s)) = (own, by.as_sym())
            && !self.defs.contains_key(&s)
            && !def.mentions(s)
            && let Some(def) = def.shifted(by.off.saturating_neg())
            && self.defs.values().all(|d| !d.mentions(s))
        {
            self.defs.insert(s, def);
        }
    }

    /// The same facts about other symbols; `rename` must be injective.
    pub fn renamed(&self, rename: &impl Fn(Sym) -> Sym) -> Pure {
        Pure {
            ranges: self.ranges.iter().map(|(s, r)| (rename(*s), *r)).collect(),
            distinct: self
                .distinct
                .iter()
                .map(|(a, b, c)| match (rename(*a), b.map(rename)) {
                    (x, Some(y)) if y < x => (y, Some(x), -*c),
                    (x, y) => (x, y, *c),
                })
                .collect(),
            bounds: self.bounds.iter().map(|((a, b), c)| ((rename(*a), rename(*b)), *c)).collect(),
            defs: self.defs.iter().map(|(s, d)| (rename(*s), d.renamed(rename))).collect(),
            refinement: self.refinement.renamed(rename),
        }
    }

    /// Adds all facts of `other`.
    #[must_use]
    pub fn conjoin(&mut self, other: &Pure) -> bool {
        other.ranges.iter().all(|(s, r)| self.assume_in(Val::sym(*s), *r))
            && other.disequalities().all(|(a, b)| self.assume_ne(a, b))
            && other.orderings().all(|(a, b)| self.assume_le(a, b, false))
            && other.defs.iter().all(|(s, d)| self.define(*s, d))
            && self.refinement.conjoin(&other.refinement)
    }

    /// Whether a chosen domain says more than is kept here.
    pub(crate) fn is_refined(&self) -> bool {
        self.refinement.is_there()
    }

    /// Takes out everything about symbols for which `goes` holds; none of them is related to others.
    pub(crate) fn extract(&mut self, goes: impl Fn(Sym) -> bool) -> Pure {
        let mut gone = Pure::default();
        (gone.ranges, self.ranges) = take(&mut self.ranges).into_iter().partition(|(s, _)| goes(*s));
        (gone.distinct, self.distinct) = take(&mut self.distinct).into_iter().partition(|(a, ..)| goes(*a));
        (gone.bounds, self.bounds) = take(&mut self.bounds).into_iter().partition(|((a, _), _)| goes(*a));
        (gone.defs, self.defs) = take(&mut self.defs).into_iter().partition(|(s, _)| goes(*s));
        gone
    }

    /// Adds everything about symbols that nothing is said of here.
    pub(crate) fn extend(&mut self, other: Pure) {
        self.ranges.extend(other.ranges);
        self.distinct.extend(other.distinct);
        self.bounds.extend(other.bounds);
        self.defs.extend(other.defs);
        if other.refinement.is_there() {
            self.refinement = other.refinement;
        }
    }

    /// Drops everything about symbols that `keep` refuses.
    pub fn retain(&mut self, keep: impl Fn(Sym) -> bool) {
        // A definition that goes leaves behind the interval that it implied.
        let going: Vec<(Sym, Interval)> = self
            .defs
            .iter()
            .filter(|(s, d)| keep(**s) && !d.terms().iter().all(|(t, _)| keep(*t)))
            .map(|(s, _)| (*s, self.range(Val::sym(*s))))
            .filter(|(_, r)| *r != Interval::FULL)
            .collect();
        self.ranges.extend(going);
        self.refinement.retain(&keep);
        self.ranges.retain(|s, _| keep(*s));
        self.distinct.retain(|(a, b, _)| keep(*a) && b.is_none_or(&keep));
        self.bounds.retain(|(a, b), _| keep(*a) && keep(*b));
        self.defs.retain(|s, d| keep(*s) && d.terms().iter().all(|(t, _)| keep(*t)));
    }

    /// All disequalities, as pairs of values that differ.
    pub fn disequalities(&self) -> impl Iterator<Item = (Val, Val)> + '_ {
        self.distinct.iter().map(|(a, b, c)| (Val::sym(*a), b.map_or(Val::ZERO, Val::sym).plus(*c)))
    }

    /// All difference bounds, as pairs `(a, b)` with `a ≤ b`.
    pub fn orderings(&self) -> impl Iterator<Item = (Val, Val)> + '_ {
        self.bounds.iter().map(|((a, b), c)| (Val::sym(*a), Val::sym(*b).plus(*c)))
    }

    /// All intervals.
    pub fn intervals(&self) -> impl Iterator<Item = (Sym, Interval)> + '_ {
        self.ranges.iter().map(|(s, r)| (*s, *r))
    }
}
