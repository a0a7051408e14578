//! Difference bounds: conjunctions of `x ≤ c`, `x ≥ c` and `x - y ≤ c`.
//!
//! Weighted directed graphs as in A. Miné, *A new numerical abstract domain based on difference-bound matrices*
//! (PADO 2001), kept sparse by the *split normal form* of G. Gange, J. Navas, P. Schachte, H. Søndergaard and
//! P. Stuckey, *Exploiting sparsity in difference-bound matrices* (SAS 2016): bounds of single variables stand
//! apart from relations, and a relation is stored only if it says more than the bounds of its two ends.
//!
//! **Invariant (normal form).** Unless `relaxed`, bounds and relations are closed: each is the tightest that
//! follows from all. Over the integers closure by shortest paths is exact, so inclusion, equality, emptiness,
//! projection and meet are exact, and join is the best in the domain.
//!
//! The result of a widening must not be closed before it is widened again, or chains may grow for ever. It is
//! kept as it is and marked `relaxed`; every other operation closes first.
//!
//! Cost: adding a constraint O(p · s · log n) for p relations into its left and s relations out of its right
//! variable; join and inclusion linear in the relations, plus the pairs of variables whose bounds moved the same
//! way; closing a relaxed element adds its constraints one by one.

mod graph;
#[cfg(test)]
mod tests;

use crate::domain::{NumericDomain, falsehood, floor_div, limit_of_term, next_threshold};
use crate::half_spaces::HalfSpaces;
use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// See the module's page.
#[derive(Clone)]
pub struct Dbm {
    empty: bool,
    relaxed: bool,
    /// Bounds of single variables; a variable without any is absent.
    bounds: BTreeMap<Dim, Interval>,
    /// `(x, y) ↦ c` for `x - y ≤ c`.
    relations: BTreeMap<(Dim, Dim), i128>,
    /// The keys of `relations`, turned round.
    reversed: BTreeSet<(Dim, Dim)>,
}

impl Dbm {
    /// An upper bound of an expression: differences of variables with opposite signs are bounded together.
    fn upper_bound(&self, expr: &LinearExpr) -> Option<i128> {
        let mut total = expr.constant_part();
        let mut negative: Vec<(Dim, i128)> = expr.terms().iter().copied().filter(|t| t.1 < 0).collect();
        for &(x, mut c) in expr.terms().iter().filter(|t| t.1 > 0) {
            for (y, d) in &mut negative {
                let times = c.min(d.checked_neg()?);
                if times > 0
                    && let Some(w) = self.weight(x, *y)
                {
                    total = total.checked_add(w.checked_mul(times)?)?;
                    c -= times;
                    *d += times;
                }
            }
            if c > 0 {
                total = total.checked_add(self.interval(x).hi?.checked_mul(c)?)?;
            }
        }
        for (y, d) in negative {
            if d < 0 {
                total = total.checked_add(self.interval(y).lo?.checked_mul(d)?)?;
            }
        }
        Some(total)
    }

    fn bounds_of(&self, expr: &LinearExpr) -> Interval {
        let lo = expr.times(-1).and_then(|e| self.upper_bound(&e)).and_then(i128::checked_neg);
        Interval { lo, hi: self.upper_bound(expr) }
    }

    /// The smallest value of an expression without some of its terms.
    fn least_without(&self, expr: &LinearExpr, terms: &[(Dim, i128)]) -> Option<i128> {
        let mut rest = expr.clone();
        for &(d, c) in terms {
            rest.add_term(d, c.checked_neg()?)?;
        }
        self.bounds_of(&rest).lo
    }

    fn assume_at_most_zero(&mut self, expr: &LinearExpr) {
        if self.bounds_of(expr).lo.is_some_and(|l| l > 0) {
            return self.set_empty();
        }
        for &(x, c) in expr.terms() {
            for &(y, d) in expr.terms().iter().filter(|t| c > 0 && c.checked_neg() == Some(t.1)) {
                if let Some(room) = self.least_without(expr, &[(x, c), (y, d)]).and_then(i128::checked_neg) {
                    self.add_difference(x, y, floor_div(room, c));
                }
                if self.empty {
                    return;
                }
            }
        }
        for &(x, c) in expr.terms() {
            let limit = self.least_without(expr, &[(x, c)]).and_then(|rest| limit_of_term(c, rest));
            if let Some(limit) = limit {
                if c > 0 { self.add_upper(x, limit) } else { self.add_lower(x, limit) }
            }
            if self.empty {
                return;
            }
        }
    }

    /// Moves a variable by a constant.
    fn translate(&mut self, x: Dim, by: i128) {
        let (sources, targets) = (self.sources(x), self.targets(x));
        if let Some(i) = self.bounds.get_mut(&x) {
            *i = i.shift(by);
        }
        for (s, c) in sources.into_iter().skip(1) {
            match c.checked_sub(by) {
                Some(c) => self.set_relation(s, x, c),
                None => self.remove_relation(s, x),
            }
        }
        for (t, c) in targets.into_iter().skip(1) {
            match c.checked_add(by) {
                Some(c) => self.set_relation(x, t, c),
                None => self.remove_relation(x, t),
            }
        }
        if self.bounds.get(&x) == Some(&Interval::FULL) {
            self.bounds.remove(&x);
        }
    }
}

/// Variables whose upper bounds differ, and those whose lower bounds differ, in one direction: there, two
/// relations that each follow from bounds may join to one that does not.
fn moved(a: &Dbm, b: &Dbm) -> (Vec<Dim>, Vec<Dim>) {
    let mut result = (Vec::new(), Vec::new());
    for (&x, i) in &a.bounds {
        let j = b.interval(x);
        if i.hi.zip(j.hi).is_some_and(|(p, q)| p < q) {
            result.0.push(x);
        }
        if i.lo.zip(j.lo).is_some_and(|(p, q)| p < q) {
            result.1.push(x);
        }
    }
    result
}

impl HalfSpaces for Dbm {
    fn has_no_point(&self) -> bool {
        self.empty
    }
    fn range_of(&self, expr: &LinearExpr) -> Interval {
        self.bounds_of(expr)
    }
    fn cut(&mut self, expr: &LinearExpr) {
        self.assume_at_most_zero(expr);
    }
}

impl NumericDomain for Dbm {
    fn top() -> Dbm {
        Dbm {
            empty: false,
            relaxed: false,
            bounds: BTreeMap::new(),
            relations: BTreeMap::new(),
            reversed: BTreeSet::new(),
        }
    }

    fn bottom() -> Dbm {
        Dbm { empty: true, ..Dbm::top() }
    }

    fn is_bottom(&self) -> bool {
        self.closed().empty
    }

    fn dims(&self) -> Vec<Dim> {
        let related = self.relations.keys().flat_map(|&(x, y)| [x, y]);
        self.bounds.keys().copied().chain(related).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn forget(&mut self, dim: Dim) {
        self.close();
        for (s, _) in self.sources(dim).into_iter().skip(1) {
            self.remove_relation(s, dim);
        }
        for (t, _) in self.targets(dim).into_iter().skip(1) {
            self.remove_relation(dim, t);
        }
        self.bounds.remove(&dim);
    }

    fn assign(&mut self, dim: Dim, expr: &LinearExpr) {
        self.close();
        if self.empty {
            return;
        }
        if let [(x, 1)] = *expr.terms()
            && x == dim
        {
            return self.translate(dim, expr.constant_part());
        }
        let range = self.bounds_of(expr);
        let mut differences = Vec::new();
        for &(y, _) in expr.terms().iter().filter(|t| t.0 != dim && t.1 == 1) {
            let mut rest = expr.clone();
            if rest.add_term(y, -1).is_some() {
                differences.push((y, self.bounds_of(&rest)));
            }
        }
        self.forget(dim);
        for (y, d) in differences {
            d.hi.iter().for_each(|&c| self.add_difference(dim, y, c));
            d.lo.iter().filter_map(|c| c.checked_neg()).for_each(|c| self.add_difference(y, dim, c));
        }
        range.hi.iter().for_each(|&c| self.add_upper(dim, c));
        range.lo.iter().for_each(|&c| self.add_lower(dim, c));
    }

    fn assume(&mut self, constraint: &Constraint) {
        self.close();
        self.cut_by(constraint);
    }

    fn bounds(&self, expr: &LinearExpr) -> Option<Interval> {
        let closed = self.closed();
        (!closed.empty).then(|| closed.bounds_of(expr))
    }

    fn join(&self, other: &Dbm) -> Dbm {
        let (a, b) = (self.closed(), other.closed());
        if a.empty || b.empty {
            return if a.empty { b.into_owned() } else { a.into_owned() };
        }
        let mut result = Dbm::top();
        for (&x, i) in &a.bounds {
            let joined = i.join(b.interval(x));
            if joined != Interval::FULL {
                result.bounds.insert(x, joined);
            }
        }
        let mut pairs: BTreeSet<(Dim, Dim)> = a.relations.keys().chain(b.relations.keys()).copied().collect();
        for (uppers, lowers) in [moved(&a, &b), moved(&b, &a)] {
            for &x in &uppers {
                pairs.extend(lowers.iter().filter(|y| **y != x).map(|&y| (x, y)));
            }
        }
        for (x, y) in pairs {
            if let Some((v, w)) = a.weight(x, y).zip(b.weight(x, y))
                && result.implied_by_bounds(x, y).is_none_or(|implied| v.max(w) < implied)
            {
                result.set_relation(x, y, v.max(w));
            }
        }
        result
    }

    fn meet(&self, other: &Dbm) -> Dbm {
        let mut result = self.closed().into_owned();
        for constraint in other.constraints() {
            if result.empty {
                break;
            }
            result.assume_at_most_zero(&constraint.expr);
        }
        result
    }

    fn widen(&self, newer: &Dbm, thresholds: &[i128]) -> Dbm {
        let newer = newer.closed();
        if self.empty || newer.empty {
            return if self.empty { newer.into_owned() } else { self.clone() };
        }
        let mut result = Dbm { relaxed: true, ..Dbm::top() };
        for (&x, i) in &self.bounds {
            let widened = i.widen(newer.interval(x), thresholds);
            if widened != Interval::FULL {
                result.bounds.insert(x, widened);
            }
        }
        let pairs: BTreeSet<(Dim, Dim)> =
            self.relations.keys().chain(newer.relations.keys()).copied().collect();
        for (x, y) in pairs {
            if let Some((old, new)) = self.weight(x, y).zip(newer.weight(x, y)) {
                let kept = if new <= old { Some(old) } else { next_threshold(new, thresholds) };
                if let Some(c) = kept
                    && result.implied_by_bounds(x, y).is_none_or(|implied| c < implied)
                {
                    result.set_relation(x, y, c);
                }
            }
        }
        result
    }

    fn leq(&self, other: &Dbm) -> bool {
        let a = self.closed();
        if a.empty {
            return true;
        }
        !other.empty
            && other.bounds.iter().all(|(&x, i)| a.interval(x).is_subset(*i))
            && other.relations.iter().all(|(&(x, y), &c)| a.weight(x, y).is_some_and(|w| w <= c))
    }

    fn rename(&mut self, map: &[(Dim, Dim)]) {
        let map: BTreeMap<Dim, Dim> = map.iter().copied().collect();
        let name = |d: Dim| map.get(&d).copied().unwrap_or(d);
        self.bounds = std::mem::take(&mut self.bounds).into_iter().map(|(d, i)| (name(d), i)).collect();
        self.reversed.clear();
        for ((x, y), c) in std::mem::take(&mut self.relations) {
            self.set_relation(name(x), name(y), c);
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.empty {
            return vec![falsehood()];
        }
        let at_most =
            |expr: Option<LinearExpr>| expr.map(|expr| Constraint { expr, relation: Relation::AtMostZero });
        let mut result = Vec::new();
        for (&x, i) in &self.bounds {
            let x = LinearExpr::var(x);
            result.extend(i.hi.and_then(|h| at_most(x.plus_constant(h.checked_neg()?))));
            result.extend(i.lo.and_then(|l| at_most(x.times(-1)?.plus_constant(l))));
        }
        for (&(x, y), &c) in &self.relations {
            result
                .extend(c.checked_neg().and_then(|c| at_most(LinearExpr::difference(x, y).plus_constant(c))));
        }
        result
    }
}

impl PartialEq for Dbm {
    /// The same set of points.
    fn eq(&self, other: &Dbm) -> bool {
        let (a, b) = (self.closed(), other.closed());
        a.empty == b.empty && a.bounds == b.bounds && a.relations == b.relations
    }
}

impl std::fmt::Debug for Dbm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.constraints()).finish()
    }
}
