//! Octagons: conjunctions of `±x ± y ≤ c` and `±x ≤ c` over the integers.
//!
//! A. Miné, *The octagon abstract domain* (HOSC 2006). Each variable `x` has two vertices, `+x` and `-x`; an entry
//! `w(i, j)` bounds `vᵢ - vⱼ`, so `w(+x, -x)` bounds `2x`. Every constraint occurs twice (coherence):
//! `w(i, j) = w(j̄, ī)`.
//!
//! **Invariant (normal form).** Unless `relaxed`, the matrix is *tightly closed*: shortest paths, then unary
//! entries rounded down to even numbers, then `w(i, j) ≤ (w(i, ī) + w(j̄, j)) / 2`; R. Bagnara, P. Hill, E.
//! Zaffanella, *Weakly-relational shapes for numeric abstractions* (FMSD 2009) prove that this order gives the
//! tightest integer octagon. Constraints are added to a closed matrix by the quadratic update of A. Chawdhary, E.
//! Robbins and A. King, *Incrementally closing octagons* (FMSD 2019). Emptiness, inclusion, projection and
//! meet are then exact, and join is the best in the domain. Results of widening stay unclosed, as in
//! [`dbm`](crate::dbm).
//!
//! Cost for `n` variables: adding a constraint, join, inclusion, projection O(n²); closing after a widening or a meet
//! O(n³). `cargo xtask bench octagons` prints both for 100 variables. Entries are doubles ([`matrix`]): bounds beyond 2⁵⁰ are dropped.

mod matrix;
#[cfg(test)]
mod tests;

use crate::domain::{NumericDomain, falsehood, floor_div, limit_of_term, next_threshold};
use crate::half_spaces::HalfSpaces;
use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr, Relation};
use matrix::{FREE, INF, entry, finite, plus};
use std::collections::BTreeMap;

/// See the module's page.
#[derive(Clone)]
pub struct Octagon {
    empty: bool,
    relaxed: bool,
    /// The variables, in ascending order; variable `k` has the vertices `2k` and `2k + 1`.
    dims: Vec<Dim>,
    /// `w(i, j)` at `i * 2n + j`.
    matrix: Vec<f64>,
}

impl Octagon {
    /// An upper bound of an expression; terms are bounded in pairs where that is better.
    fn upper_bound(&self, expr: &LinearExpr) -> Option<i128> {
        let mut total = expr.constant_part();
        let mut terms: Vec<(usize, i128)> = Vec::new();
        for &(d, c) in expr.terms() {
            terms.push((self.known_vertex(d, c < 0)?, c.checked_abs()?));
        }
        for k in 0..terms.len() {
            let Some((&mut (i, ref mut c), rest)) = terms.get_mut(k..).and_then(<[_]>::split_first_mut)
            else {
                break;
            };
            let alone = |i: usize| self.w(i, i ^ 1);
            for (j, d) in rest {
                let times = (*c).min(*d);
                let pair = self.w(i, *j ^ 1);
                let sum = plus(alone(i), alone(*j));
                if times > 0 && pair != INF && (sum == INF || pair < floor_div(sum, 2)) {
                    total = total.checked_add(pair.checked_mul(times)?)?;
                    *c -= times;
                    *d -= times;
                }
            }
            if *c > 0 {
                total = total.checked_add(floor_div(finite(alone(i))?, 2).checked_mul(*c)?)?;
            }
        }
        Some(total)
    }

    fn bounds_of(&self, expr: &LinearExpr) -> Interval {
        let lo = expr.times(-1).and_then(|e| self.upper_bound(&e)).and_then(i128::checked_neg);
        Interval { lo, hi: self.upper_bound(expr) }
    }

    /// `±x ± y ≤ c`, or `±2x ≤ 2c` if both are the same.
    fn add_pair(&mut self, (x, minus_x): (Dim, bool), (y, minus_y): (Dim, bool), c: i128) {
        // Both variables first: adding one moves the vertices of the other.
        self.vertex(x, false);
        let j = self.vertex(y, minus_y);
        let i = self.vertex(x, minus_x);
        self.add(i, j ^ 1, c);
    }

    fn add_bound(&mut self, x: Dim, negative: bool, c: i128) {
        if let Some(c) = c.checked_mul(2) {
            self.add_pair((x, negative), (x, negative), c);
        }
    }

    fn assume_at_most_zero(&mut self, expr: &LinearExpr) {
        if self.bounds_of(expr).lo.is_some_and(|l| l > 0) {
            return self.set_empty();
        }
        let least_without = |this: &Octagon, terms: &[(Dim, i128)]| {
            let mut rest = expr.clone();
            for &(d, c) in terms {
                rest.add_term(d, c.checked_neg()?)?;
            }
            this.bounds_of(&rest).lo
        };
        for (k, &(x, c)) in expr.terms().iter().enumerate() {
            for &(y, d) in expr.terms().iter().skip(k + 1).filter(|t| t.1.unsigned_abs() == c.unsigned_abs())
            {
                let room = least_without(self, &[(x, c), (y, d)]).and_then(i128::checked_neg);
                if let (Some(room), Some(size)) = (room, c.checked_abs()) {
                    self.add_pair((x, c < 0), (y, d < 0), floor_div(room, size));
                }
            }
        }
        for &(x, c) in expr.terms() {
            if self.empty {
                return;
            }
            if let Some(limit) = least_without(self, &[(x, c)]).and_then(|rest| limit_of_term(c, rest)) {
                if c > 0 {
                    self.add_bound(x, false, limit);
                } else if let Some(limit) = limit.checked_neg() {
                    self.add_bound(x, true, limit);
                }
            }
        }
    }

    /// `x := ±x + by`
    fn transform(&mut self, x: Dim, negate: bool, by: i128) {
        let Some(p) = self.known_vertex(x, false) else { return };
        let n = self.vertices();
        let source = |i: usize| if negate && i / 2 == p / 2 { i ^ 1 } else { i };
        // How much the value of a vertex grows.
        let growth = |i: usize| match i {
            i if i == p => Some(by),
            i if i == p ^ 1 => by.checked_neg(),
            _ => Some(0),
        };
        let mut matrix = Vec::with_capacity(n * n);
        for i in 0..n {
            for j in 0..n {
                let change = growth(i).zip(growth(j)).and_then(|(a, b)| a.checked_sub(b));
                let old = self.w(source(i), source(j));
                matrix.push(if i == j { 0.0 } else { change.map_or(FREE, |by| entry(plus(old, by))) });
            }
        }
        self.matrix = matrix;
    }
}

impl HalfSpaces for Octagon {
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

impl NumericDomain for Octagon {
    fn top() -> Octagon {
        Octagon { empty: false, relaxed: false, dims: Vec::new(), matrix: Vec::new() }
    }

    fn bottom() -> Octagon {
        Octagon { empty: true, ..Octagon::top() }
    }

    fn is_bottom(&self) -> bool {
        self.closed().empty
    }

    fn dims(&self) -> Vec<Dim> {
        self.dims.clone()
    }

    fn forget(&mut self, dim: Dim) {
        self.close();
        let kept: Vec<Dim> = self.dims.iter().copied().filter(|d| *d != dim).collect();
        if kept.len() < self.dims.len() {
            *self = self.over(kept);
            self.trim();
        }
    }

    fn assign(&mut self, dim: Dim, expr: &LinearExpr) {
        self.close();
        if self.empty {
            return;
        }
        if let [(x, c @ (1 | -1))] = *expr.terms()
            && x == dim
        {
            return self.transform(dim, c < 0, expr.constant_part());
        }
        let range = self.bounds_of(expr);
        let mut pairs = Vec::new();
        for &(y, c) in expr.terms().iter().filter(|t| t.0 != dim && t.1.unsigned_abs() == 1) {
            let mut rest = expr.clone();
            if rest.add_term(y, -c).is_some() {
                // x - c·y lies where the rest of the expression does.
                pairs.push((y, c > 0, self.bounds_of(&rest)));
            }
        }
        self.forget(dim);
        for (y, minus, d) in pairs {
            if let Some(c) = d.hi {
                self.add_pair((dim, false), (y, minus), c);
            }
            if let Some(c) = d.lo.and_then(i128::checked_neg) {
                self.add_pair((dim, true), (y, !minus), c);
            }
        }
        if let Some(c) = range.hi {
            self.add_bound(dim, false, c);
        }
        if let Some(c) = range.lo.and_then(i128::checked_neg) {
            self.add_bound(dim, true, c);
        }
        self.trim();
    }

    fn assume(&mut self, constraint: &Constraint) {
        self.close();
        let known = self.dims.len();
        self.cut_by(constraint);
        if self.dims.len() > known {
            self.trim();
        }
    }

    fn bounds(&self, expr: &LinearExpr) -> Option<Interval> {
        let closed = self.closed();
        (!closed.empty).then(|| closed.bounds_of(expr))
    }

    fn join(&self, other: &Octagon) -> Octagon {
        let (a, b) = (self.closed(), other.closed());
        if a.empty || b.empty {
            return if a.empty { b.into_owned() } else { a.into_owned() };
        }
        // A variable that one side does not constrain is free in the result.
        let common: Vec<Dim> = a.dims.iter().copied().filter(|d| b.dims.binary_search(d).is_ok()).collect();
        let (mut result, b) = (a.over(common.clone()), b.over(common));
        for (x, y) in result.matrix.iter_mut().zip(&b.matrix) {
            *x = x.max(*y);
        }
        result.trim();
        result
    }

    fn meet(&self, other: &Octagon) -> Octagon {
        let (a, b) = (self.closed(), other.closed());
        if a.empty || b.empty {
            return Octagon::bottom();
        }
        let mut dims = a.dims.clone();
        dims.extend(&b.dims);
        dims.sort_unstable();
        dims.dedup();
        let (mut result, b) = (a.over(dims.clone()), b.over(dims));
        for (x, y) in result.matrix.iter_mut().zip(&b.matrix) {
            *x = x.min(*y);
        }
        result.relaxed = true;
        result.close();
        result
    }

    fn widen(&self, newer: &Octagon, thresholds: &[i128]) -> Octagon {
        let newer = newer.closed();
        if self.empty || newer.empty {
            return if self.empty { newer.into_owned() } else { self.clone() };
        }
        let common: Vec<Dim> =
            self.dims.iter().copied().filter(|d| newer.dims.binary_search(d).is_ok()).collect();
        let (mut result, newer) = (self.over(common.clone()), newer.over(common));
        let n = result.vertices();
        for i in 0..n {
            for j in 0..n {
                let (old, new) = (result.w(i, j), newer.w(i, j));
                if new > old {
                    let next = if j == i ^ 1 {
                        // Unary entries hold twice the bound.
                        finite(new).and_then(|c| next_threshold(c.div_euclid(2), thresholds)?.checked_mul(2))
                    } else {
                        finite(new).and_then(|c| next_threshold(c, thresholds))
                    };
                    if let Some(e) = result.matrix.get_mut(i * n + j) {
                        *e = next.map_or(FREE, entry);
                    }
                }
            }
        }
        result.relaxed = true;
        result.trim();
        result
    }

    fn leq(&self, other: &Octagon) -> bool {
        let a = self.closed();
        if a.empty {
            return true;
        }
        if other.empty {
            return false;
        }
        let a = a.over(other.dims.clone());
        a.matrix.iter().zip(&other.matrix).all(|(x, y)| x <= y)
    }

    fn rename(&mut self, map: &[(Dim, Dim)]) {
        let map: BTreeMap<Dim, Dim> = map.iter().copied().collect();
        let mut renamed: Vec<(Dim, Dim)> =
            self.dims.iter().map(|d| (map.get(d).copied().unwrap_or(*d), *d)).collect();
        renamed.sort_unstable();
        let permuted = self.over_unsorted(renamed.iter().map(|(_, old)| *old).collect());
        self.matrix = permuted;
        self.dims = renamed.into_iter().map(|(new, _)| new).collect();
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.empty {
            return vec![falsehood()];
        }
        let mut result = Vec::new();
        let n = self.vertices();
        let term = |i: usize| self.dims.get(i / 2).map(|d| (*d, if i.is_multiple_of(2) { 1 } else { -1 }));
        for i in 0..n {
            for j in 0..n {
                // Of twins the first; nothing that two unary constraints imply.
                let half = plus(self.w(i, i ^ 1), self.w(j ^ 1, j));
                let implied = i ^ 1 != j && half != INF && half.div_euclid(2) <= self.w(i, j);
                if i == j || (j ^ 1, i ^ 1) < (i, j) || implied {
                    continue;
                }
                let (Some(c), Some((x, a)), Some((y, b))) = (finite(self.w(i, j)), term(i), term(j ^ 1))
                else {
                    continue;
                };
                let mut expr = LinearExpr::constant(0);
                let (a, c) = if x == y { (a, floor_div(c, 2)) } else { (a, c) };
                let added =
                    expr.add_term(x, a).and_then(|()| if x == y { Some(()) } else { expr.add_term(y, b) });
                if let (Some(()), Some(expr)) = (added, c.checked_neg().and_then(|c| expr.plus_constant(c))) {
                    result.push(Constraint { expr, relation: Relation::AtMostZero });
                }
            }
        }
        result
    }
}

impl PartialEq for Octagon {
    /// The same set of points.
    fn eq(&self, other: &Octagon) -> bool {
        self.leq(other) && other.leq(self)
    }
}

impl std::fmt::Debug for Octagon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.constraints()).finish()
    }
}
