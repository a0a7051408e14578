//! Definitions in the pure part: symbols that are linear forms of others.
//!
//! A moving pointer is `p = o + 4·i`, the size of an array `z = 4·n`, a counter that runs against another `k = n - i`.
//! Such a symbol keeps its own interval and bounds, and in addition a *definition*: a linear form over symbols
//! that have no definition themselves (the basis), exact over the mathematical integers. Dropping a definition is
//! always sound.
//!
//! A question about two values is first asked of intervals and difference bounds; if that does not settle it, both sides
//! are expanded, subtracted and divided by their common factor, so that `4·i + 4 ≤ 4·n` follows from `i < n`. The
//! rest is a small search: each negative term is covered by its interval or by a bound against a positive one, and bounds
//! between defined symbols serve as inequalities with several terms. Sound and incomplete. Cost: exponential in the
//! number of terms of one form, which is limited by [`MAX_TERMS`], times the number of bounds squared at worst.

use crate::numbers::linear::Linear;
use crate::numbers::pure::Pure;
use crate::value::{Sym, Val};
use heapwise_numeric::Interval;
use smallvec::SmallVec;

/// Most terms of a definition.
pub const MAX_TERMS: usize = 6;
/// Most inequalities over defined symbols that are tried in a proof.
const MAX_FACTS: usize = 48;

/// Most symbols that are kept only for the bounds they carry.
const MAX_CARRIERS: usize = 12;

/// What an equation between linear forms comes down to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solved {
    /// It has no solution.
    Contradiction,
    /// It holds, is recorded as a definition, or cannot be expressed.
    Done,
    /// This symbol is that value.
    Equal(Sym, Val),
}

type Terms = SmallVec<[(Sym, i128); 6]>;

impl Pure {
    /// A value as a linear form over the basis.
    pub fn linear(&self, v: Val) -> Option<Linear> {
        match v.as_sym().and_then(|s| self.defs.get(&s)) {
            Some(def) => def.clone().shifted(v.off),
            None => Linear::of(v),
        }
    }

    /// The definition of a symbol.
    pub fn definition(&self, s: Sym) -> Option<&Linear> {
        self.defs.get(&s)
    }

    /// All definitions.
    pub fn definitions(&self) -> impl Iterator<Item = (Sym, &Linear)> {
        self.defs.iter().map(|(s, d)| (*s, d))
    }

    /// Whether a value has a definition.
    pub fn is_defined(&self, v: Val) -> bool {
        v.as_sym().is_some_and(|s| self.defs.contains_key(&s))
    }

    /// A form with all defined symbols expanded.
    pub fn expanded(&self, form: &Linear) -> Option<Linear> {
        let mut out = Linear::constant(form.constant);
        for (s, k) in form.terms() {
            out = out.plus(*k, &self.linear(Val::sym(*s))?)?;
        }
        Some(out)
    }

    /// The symbol whose definition differs from `form` by a constant only.
    pub fn defined_as(&self, form: &Linear) -> Option<Val> {
        let (s, def) = self.defs.iter().find(|(_, d)| d.terms() == form.terms())?;
        Some(Val::sym(*s).plus(form.constant.checked_sub(def.constant)?))
    }

    /// Records `s = form` for a symbol without definition; `false` if that is contradictory.
    #[must_use]
    pub fn define(&mut self, s: Sym, form: &Linear) -> bool {
        let Some(form) = self.define_only(s, form) else { return true };
        // What was known of the symbol by itself becomes known of the form.
        let mut known: Vec<Linear> = Vec::new();
        if let Some(r) = self.ranges.get(&s) {
            known.extend(r.lo.and_then(|lo| form.clone().shifted(lo.checked_neg()?)));
            known.extend(r.hi.and_then(|hi| Linear::constant(hi).minus(&form)));
        }
        for ((a, b), c) in self.bounds.iter().filter(|((a, b), _)| *a == s || *b == s) {
            let difference = self.linear(Val::sym(*b)).zip(self.linear(Val::sym(*a)));
            known.extend(difference.and_then(|(b, a)| b.minus(&a)?.shifted(*c)));
        }
        known.iter().all(|f| self.assume_not_negative(f)) && self.is_refinement_possible()
    }

    /// Records a definition without drawing consequences from what was known of the symbol; returns it expanded.
    fn define_only(&mut self, s: Sym, form: &Linear) -> Option<Linear> {
        let form = self.expanded(form)?;
        if form.mentions(s) || form.terms().len() > MAX_TERMS || self.defs.contains_key(&s) {
            return None;
        }
        self.defs = std::mem::take(&mut self.defs)
            .into_iter()
            .filter_map(|(t, d)| Some((t, d.substitute(s, &form)?)))
            .filter(|(_, d)| d.terms().len() <= MAX_TERMS)
            .collect();
        self.defs.insert(s, form.clone());
        self.tell_definition(s, &form);
        Some(form)
    }

    /// Records a definition that a join found. The intervals of a join are widened one by one: those of the symbol must
    /// not pull back those of its form, and if the form has a single term they say nothing new.
    pub(crate) fn define_after_join(&mut self, s: Sym, form: &Linear) {
        if let Some(form) = self.define_only(s, form)
            && form.terms().len() < 2
        {
            self.ranges.remove(&s);
        }
    }

    /// Removes and returns the definition of a symbol.
    pub fn take_definition(&mut self, s: Sym) -> Option<Linear> {
        self.defs.remove(&s)
    }

    /// Draws the consequence of `form = 0`, a form over the basis. Symbols that `fixed` accepts are not eliminated.
    pub fn solve(&mut self, form: &Linear, fixed: impl Fn(Sym) -> bool) -> Solved {
        let g = form.divisor();
        if g == 0 {
            return if form.constant == 0 { Solved::Done } else { Solved::Contradiction };
        }
        let Some(form) = form.divided(g) else { return Solved::Contradiction };
        if self.is_nonzero(&form) {
            return Solved::Contradiction;
        }
        // In `address + offset - other address = 0` it is the other address that goes, not the offset.
        let anchor = form.terms().iter().find(|(s, _)| fixed(*s)).map(|(_, k)| k.signum());
        let unit = form.terms().iter().filter(|(s, k)| k.abs() == 1 && !fixed(*s));
        let Some((s, k)) = unit.max_by_key(|(s, k)| (anchor.is_some_and(|a| a != k.signum()), *s)).copied()
        else {
            return Solved::Done;
        };
        let Some(rest) = form.substitute(s, &Linear::default()).and_then(|f| f.times(-k)) else {
            return Solved::Done;
        };
        match rest.as_val() {
            Some(v) => Solved::Equal(s, v),
            None if self.define(s, &rest) => Solved::Done,
            None => Solved::Contradiction,
        }
    }

    /// A symbol whose definition makes it equal to a plain value or to another defined symbol.
    pub fn redundant(&self) -> Option<(Sym, Val)> {
        for (s, d) in &self.defs {
            if let Some(v) = d.as_val() {
                return Some((*s, v));
            }
            let twin = self.defs.range(..*s).find(|(_, e)| e.terms() == d.terms());
            if let Some((t, e)) = twin {
                return Some((*s, Val::sym(*t).plus(d.constant.checked_sub(e.constant)?)));
            }
        }
        None
    }

    fn interval_of(&self, s: Sym) -> Interval {
        self.ranges.get(&s).copied().unwrap_or(Interval::FULL)
    }

    /// A number that the form is never below.
    pub fn lower(&self, form: &Linear) -> Option<i128> {
        let positive: Terms = form.terms().iter().filter(|(_, k)| *k > 0).copied().collect();
        let negative: Terms = form.terms().iter().filter(|(_, k)| *k < 0).map(|(s, k)| (*s, -*k)).collect();
        let mut best = None;
        self.cover(&positive, negative, form.constant, &mut best);
        if self.refinement.is_there() { best.max(self.refinement.range(form).lo) } else { best }
    }

    /// A number that the form is never above.
    pub fn upper(&self, form: &Linear) -> Option<i128> {
        self.lower(&form.times(-1)?)?.checked_neg()
    }

    /// Like [`upper`](Self::upper), with the help of bounds and intervals of defined symbols.
    pub fn best_upper(&self, form: &Linear) -> Option<i128> {
        let mut best = self.upper(form);
        if self.defs.is_empty() {
            return best;
        }
        for fact in self.inequalities() {
            // The form is at most itself plus something that is not negative.
            let Some(sum) = form.plus(1, &fact) else { continue };
            if sum.terms().len() > form.terms().len() + 1 {
                continue;
            }
            if let Some(u) = self.upper(&sum) {
                best = Some(best.map_or(u, |b| b.min(u)));
            }
        }
        best
    }

    /// Defined symbols that bounds speak about although no value mentions them, if all that defines them is `used`:
    /// they carry inequalities with several terms or factors. Only the newest are kept.
    pub(crate) fn carriers(&self, used: impl Fn(Sym) -> bool) -> Vec<Sym> {
        let mut found: Vec<Sym> = self
            .defs
            .iter()
            .filter(|(s, d)| d.is_compound() && !used(**s) && d.terms().iter().all(|(t, _)| used(*t)))
            .map(|(s, _)| *s)
            .filter(|s| self.bounds.keys().any(|(a, b)| a == s && used(*b) || b == s && used(*a)))
            .collect();
        if found.len() > MAX_CARRIERS {
            found.drain(..found.len() - MAX_CARRIERS);
        }
        found
    }

    fn cover(&self, positive: &Terms, mut negative: Terms, sum: i128, best: &mut Option<i128>) {
        let Some((y, m)) = negative.pop() else {
            let total = positive
                .iter()
                .try_fold(sum, |sum, (x, k)| sum.checked_add(self.interval_of(*x).lo?.checked_mul(*k)?));
            *best = (*best).max(total);
            return;
        };
        let by_interval = self.interval_of(y).hi.and_then(|h| sum.checked_sub(h.checked_mul(m)?));
        if let Some(sum) = by_interval {
            self.cover(positive, negative.clone(), sum, best);
        }
        for (i, (x, k)) in positive.iter().enumerate() {
            let Some(c) = self.bounds.get(&(y, *x)) else { continue };
            let t = m.min(*k);
            let Some(sum) = c.checked_mul(t).and_then(|c| sum.checked_sub(c)) else { continue };
            let mut rest = positive.clone();
            if t == *k {
                rest.remove(i);
            } else if let Some(term) = rest.get_mut(i) {
                term.1 -= t;
            }
            let mut open = negative.clone();
            if t < m {
                open.push((y, m - t));
            }
            self.cover(&rest, open, sum, best);
        }
    }

    /// The interval of a form over the basis.
    pub fn range_of(&self, form: &Linear) -> Interval {
        let (lo, hi) = (self.lower(form), self.upper(form));
        // Facts that contradict each other without being seen to do so say nothing.
        if lo.zip(hi).is_some_and(|(l, h)| l > h) { Interval::FULL } else { Interval { lo, hi } }
    }

    /// The interval of a form over the basis, with what is known of a symbol defined like it.
    pub fn interval(&self, form: &Linear) -> Interval {
        let plain = self.range_of(form);
        match self.defined_as(form) {
            Some(v) => plain.meet(self.range(v)).unwrap_or(plain),
            None => plain,
        }
    }

    /// Inequalities `form ≥ 0` that bounds and intervals of defined symbols amount to.
    fn inequalities(&self) -> Vec<Linear> {
        let mut found = Vec::new();
        for ((a, b), c) in &self.bounds {
            if !self.defs.contains_key(a) && !self.defs.contains_key(b) {
                continue;
            }
            let difference = self.linear(Val::sym(*b)).zip(self.linear(Val::sym(*a)));
            found.extend(difference.and_then(|(b, a)| b.minus(&a)?.shifted(*c)));
        }
        for (s, d) in &self.defs {
            let r = self.interval_of(*s);
            found.extend(r.lo.and_then(|lo| d.clone().shifted(lo.checked_neg()?)));
            found.extend(r.hi.and_then(|hi| Linear::constant(hi).minus(d)));
        }
        found.retain(|f| f.terms().len() > 1);
        found.truncate(MAX_FACTS);
        found.into_iter().map(|f| f.reduced_at_least_zero()).collect()
    }

    /// Whether a form over the basis is certainly not negative.
    pub fn is_not_negative(&self, form: &Linear) -> bool {
        let form = form.reduced_at_least_zero();
        if form.terms().is_empty() {
            return form.constant >= 0;
        }
        if self.lower(&form).is_some_and(|l| l >= 0) {
            return true;
        }
        if self.defs.is_empty() {
            return false;
        }
        let facts = self.inequalities();
        let helps = |f: &Linear, form: &Linear| {
            f.terms().iter().any(|(s, k)| form.coefficient(*s).signum() == k.signum())
        };
        let proves =
            |form: &Linear| form.terms().len() <= MAX_TERMS && self.lower(form).is_some_and(|l| l >= 0);
        for f in facts.iter().filter(|f| helps(f, &form)) {
            let Some(rest) = form.minus(f).map(|r| r.reduced_at_least_zero()) else { continue };
            if proves(&rest) {
                return true;
            }
            for f in facts.iter().filter(|f| helps(f, &rest)) {
                if rest.minus(f).is_some_and(|r| proves(&r.reduced_at_least_zero())) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a form over the basis is certainly not zero.
    pub fn is_nonzero(&self, form: &Linear) -> bool {
        let g = form.divisor();
        if g == 0 {
            return form.constant != 0;
        }
        // No integers solve it if the constant is not a multiple of the divisor.
        let Some(form) = form.divided(g) else { return true };
        let Some(opposite) = form.times(-1) else { return false };
        let above = |f: &Linear| f.clone().shifted(-1).is_some_and(|f| self.is_not_negative(&f));
        if above(&form) || above(&opposite) {
            return true;
        }
        self.distinct.iter().any(|(a, b, c)| {
            let a = self.linear(Val::sym(*a));
            let b = self.linear(b.map_or(Val::ZERO, Val::sym).plus(*c));
            a.zip(b).and_then(|(a, b)| a.minus(&b)).is_some_and(|f| {
                let g = f.divisor();
                f.divided(g).is_some_and(|f| f == form || f == opposite)
            })
        })
    }

    /// Learns that a form over the basis is not negative, as far as intervals and bounds can say it.
    #[must_use]
    pub fn assume_not_negative(&mut self, form: &Linear) -> bool {
        let form = form.reduced_at_least_zero();
        match form.terms() {
            [] => form.constant >= 0,
            [(x, k)] if *k > 0 => {
                self.assume_basis_in(*x, Interval { lo: form.constant.checked_neg(), hi: None })
            }
            [(x, _)] => self.assume_basis_in(*x, Interval { lo: None, hi: Some(form.constant) }),
            [(x, 1), (y, -1)] => self.assume_diff(*y, *x, form.constant),
            [(x, -1), (y, 1)] => self.assume_diff(*x, *y, form.constant),
            terms => {
                if self.upper(&form).is_some_and(|u| u < 0) || !self.tell_not_negative(&form) {
                    return false;
                }
                // Each term is at least what the others leave for it.
                for (x, k) in SmallVec::<[(Sym, i128); 6]>::from_slice(terms) {
                    let Some(others) = form.substitute(x, &Linear::default()) else { continue };
                    let Some(rest) = self.upper(&others) else { continue };
                    // k·x ≥ -rest
                    let limit = if k > 0 {
                        Interval { lo: Some(div_ceil(rest.saturating_neg(), k)), hi: None }
                    } else {
                        Interval { lo: None, hi: Some(rest.div_euclid(-k)) }
                    };
                    if !self.assume_basis_in(x, limit) {
                        return false;
                    }
                }
                true
            }
        }
    }
}

fn div_ceil(a: i128, b: i128) -> i128 {
    a.saturating_neg().div_euclid(b).saturating_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    const I: Sym = Sym(0);
    const N: Sym = Sym(1);
    const P: Sym = Sym(2);
    const Z: Sym = Sym(3);
    const O: Sym = Sym(4);

    fn lin(s: Sym) -> Linear {
        Linear::of(Val::sym(s)).expect("a symbol")
    }

    /// `i < n`, `z = 4·n`, `p = o + 4·i`.
    fn array() -> Pure {
        let mut pure = Pure::default();
        assert!(pure.assume_le(Val::sym(I), Val::sym(N), true));
        assert!(pure.define(Z, &lin(N).times(4).expect("small")));
        assert!(pure.define(P, &lin(O).plus(4, &lin(I)).expect("small")));
        pure
    }

    #[test]
    fn an_element_lies_inside_its_array() {
        let pure = array();
        let offset = pure.linear(Val::sym(P)).and_then(|p| p.minus(&lin(O))).expect("small");
        let room = pure.linear(Val::sym(Z)).and_then(|z| z.minus(&offset)).expect("small");
        assert!(pure.is_not_negative(&room.clone().shifted(-4).expect("small")));
        assert!(!pure.is_not_negative(&room.shifted(-5).expect("small")));
    }

    #[test]
    fn equations_are_solved_for_offsets() {
        let mut pure = array();
        // p = o + z would need i = n.
        let end = lin(O).plus(1, &pure.linear(Val::sym(Z)).expect("small")).expect("small");
        let equation = pure.linear(Val::sym(P)).and_then(|p| p.minus(&end)).expect("small");
        assert_eq!(pure.solve(&equation, |s| s == O), Solved::Contradiction);
        let mut pure = Pure::default();
        assert!(pure.define(P, &lin(O).plus(4, &lin(I)).expect("small")));
        let equation = pure.linear(Val::sym(P)).and_then(|p| p.minus(&lin(O).shifted(8)?)).expect("small");
        assert_eq!(pure.solve(&equation, |s| s == O), Solved::Equal(I, Val::int(2)));
        let equation = pure.linear(Val::sym(P)).and_then(|p| p.minus(&lin(O).shifted(6)?)).expect("small");
        assert_eq!(pure.solve(&equation, |s| s == O), Solved::Contradiction);
    }

    #[test]
    fn a_disequality_with_the_limit_tightens_a_bound_of_a_defined_symbol() {
        let mut pure = Pure::default();
        // t = n - i, o ≤ t - 1 and o ≠ t - 1
        assert!(pure.define(Z, &lin(N).minus(&lin(I)).expect("small")));
        assert!(pure.assume_le(Val::sym(O), Val::sym(Z).plus(-1), false));
        assert!(pure.assume_ne(Val::sym(O), Val::sym(Z).plus(-1)));
        assert!(pure.knows_le(Val::sym(O).plus(2), Val::sym(Z), false));
        // Expanded: n - i - o - 2 ≥ 0.
        let form = lin(N).minus(&lin(I)).and_then(|f| f.minus(&lin(O))).expect("small");
        assert!(pure.is_not_negative(&form.clone().shifted(-2).expect("small")));
        assert!(!pure.is_not_negative(&form.shifted(-3).expect("small")));
    }
}
