//! Boxes: every variable in a strided interval of its own, no relations.
//!
//! The cheapest domain: all operations are pointwise, O(n log n). Linear constraints narrow each of their
//! variables by the bounds of the others, once.

use crate::congruence::{Congruence, Strided};
use crate::domain::{NumericDomain, falsehood, limit_of_term};
use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr, Relation};
use std::collections::BTreeMap;

/// See the module's page.
#[derive(Clone, PartialEq, Debug)]
pub struct Boxes {
    /// `None` is the empty element; a variable that is not in the map can be anything.
    values: Option<BTreeMap<Dim, Strided>>,
}

impl Boxes {
    /// The values of one variable; `None` if there is no point.
    pub fn get(&self, dim: Dim) -> Option<Strided> {
        self.values.as_ref().map(|v| v.get(&dim).copied().unwrap_or(Strided::FULL))
    }

    /// Restricts one variable.
    pub fn restrict(&mut self, dim: Dim, to: Strided) {
        let Some(values) = &mut self.values else { return };
        let old = values.get(&dim).copied().unwrap_or(Strided::FULL);
        match old.meet(to) {
            Some(new) if new == Strided::FULL => {}
            Some(new) => {
                values.insert(dim, new);
            }
            None => self.values = None,
        }
    }

    /// The values of an expression.
    pub fn eval(&self, expr: &LinearExpr) -> Option<Strided> {
        let mut sum = Strided::point(expr.constant_part());
        for &(d, c) in expr.terms() {
            sum = sum.plus(self.get(d)?.times(c));
        }
        Some(sum)
    }

    fn without(&self, expr: &LinearExpr, dim: Dim, coefficient: i128) -> Option<Strided> {
        let mut rest = expr.clone();
        rest.add_term(dim, coefficient.checked_neg()?)?;
        self.eval(&rest)
    }

    fn assume_at_most_zero(&mut self, expr: &LinearExpr) {
        if self.eval(expr).and_then(|v| v.range().lo).is_some_and(|l| l > 0) {
            self.values = None;
        }
        for &(x, c) in expr.terms() {
            let rest = self.without(expr, x, c).and_then(|r| r.range().lo);
            if let Some(limit) = rest.and_then(|rest| limit_of_term(c, rest)) {
                let range = if c > 0 {
                    Interval { lo: None, hi: Some(limit) }
                } else {
                    Interval { lo: Some(limit), hi: None }
                };
                self.restrict_range(x, range);
            }
        }
    }

    fn restrict_range(&mut self, dim: Dim, range: Interval) {
        match Strided::new(range, Congruence::ANY) {
            Some(to) => self.restrict(dim, to),
            None => self.values = None,
        }
    }

    fn pointwise(&self, other: &Boxes, f: impl Fn(Strided, Strided) -> Strided) -> Boxes {
        let (Some(a), Some(b)) = (&self.values, &other.values) else {
            return if self.values.is_none() { other.clone() } else { self.clone() };
        };
        let both = a.iter().filter_map(|(d, x)| Some((*d, f(*x, *b.get(d)?))));
        Boxes { values: Some(both.filter(|(_, x)| *x != Strided::FULL).collect()) }
    }
}

impl NumericDomain for Boxes {
    fn top() -> Boxes {
        Boxes { values: Some(BTreeMap::new()) }
    }

    fn bottom() -> Boxes {
        Boxes { values: None }
    }

    fn is_bottom(&self) -> bool {
        self.values.is_none()
    }

    fn dims(&self) -> Vec<Dim> {
        self.values.iter().flat_map(|v| v.keys().copied()).collect()
    }

    fn forget(&mut self, dim: Dim) {
        if let Some(values) = &mut self.values {
            values.remove(&dim);
        }
    }

    fn assign(&mut self, dim: Dim, expr: &LinearExpr) {
        if let Some(value) = self.eval(expr) {
            self.forget(dim);
            self.restrict(dim, value);
        }
    }

    fn assume(&mut self, constraint: &Constraint) {
        let expr = &constraint.expr;
        match constraint.relation {
            Relation::AtMostZero => self.assume_at_most_zero(expr),
            Relation::Zero => {
                if self.eval(expr).is_some_and(|v| !v.contains(0)) {
                    self.values = None;
                }
                self.assume_at_most_zero(expr);
                if let Some(negated) = expr.times(-1) {
                    self.assume_at_most_zero(&negated);
                }
                for &(x, c) in expr.terms().iter().filter(|t| t.1.unsigned_abs() == 1) {
                    // x = -c · rest
                    if let Some(rest) = self.without(expr, x, c) {
                        self.restrict(x, rest.times(-c));
                    }
                }
            }
            Relation::NonZero => {
                if self.eval(expr) == Some(Strided::point(0)) {
                    self.values = None;
                }
                let [(x, c)] = *expr.terms() else { return };
                let Some((value, excluded)) = self.get(x).zip(expr.constant_part().checked_neg()) else {
                    return;
                };
                if excluded % c != 0 {
                    return;
                }
                let (mut range, step) = (value.range(), value.class().modulus());
                if range.lo == Some(excluded / c) {
                    range.lo = range.lo.and_then(|l| l.checked_add(step));
                } else if range.hi == Some(excluded / c) {
                    range.hi = range.hi.and_then(|h| h.checked_sub(step));
                } else {
                    return;
                }
                self.restrict_range(x, range);
            }
        }
    }

    fn bounds(&self, expr: &LinearExpr) -> Option<Interval> {
        self.eval(expr).map(Strided::range).filter(|_| !self.is_bottom())
    }

    fn join(&self, other: &Boxes) -> Boxes {
        self.pointwise(other, Strided::join)
    }

    fn meet(&self, other: &Boxes) -> Boxes {
        let mut result = if other.values.is_none() { Boxes::bottom() } else { self.clone() };
        for (d, x) in other.values.iter().flatten() {
            result.restrict(*d, *x);
        }
        result
    }

    fn widen(&self, newer: &Boxes, thresholds: &[i128]) -> Boxes {
        self.pointwise(newer, |a, b| a.widen(b, thresholds))
    }

    fn leq(&self, other: &Boxes) -> bool {
        let Some(a) = &self.values else { return true };
        let Some(b) = &other.values else { return false };
        b.iter().all(|(d, y)| a.get(d).is_some_and(|x| x.is_subset(*y)))
    }

    fn rename(&mut self, map: &[(Dim, Dim)]) {
        let map: BTreeMap<Dim, Dim> = map.iter().copied().collect();
        if let Some(values) = &mut self.values {
            let renamed = std::mem::take(values).into_iter();
            *values = renamed.map(|(d, x)| (map.get(&d).copied().unwrap_or(d), x)).collect();
        }
    }

    /// The ends of the intervals; congruences are not linear constraints and are left out.
    fn constraints(&self) -> Vec<Constraint> {
        let Some(values) = &self.values else { return vec![falsehood()] };
        let mut result = Vec::new();
        for (&d, x) in values {
            let x = (LinearExpr::var(d), x.range());
            result.extend(x.1.hi.and_then(|h| Constraint::le(&x.0, &LinearExpr::constant(h))));
            result.extend(x.1.lo.and_then(|l| Constraint::le(&LinearExpr::constant(l), &x.0)));
        }
        result
    }

    fn entails(&self, constraint: &Constraint) -> bool {
        let Some(value) = self.eval(&constraint.expr) else { return true };
        match constraint.relation {
            Relation::AtMostZero => value.range().hi.is_some_and(|h| h <= 0),
            Relation::Zero => value == Strided::point(0),
            Relation::NonZero => !value.contains(0),
        }
    }

    fn contains(&self, point: &dyn Fn(Dim) -> i128) -> bool {
        self.values.as_ref().is_some_and(|v| v.iter().all(|(d, x)| x.contains(point(*d))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    #[test]
    fn laws() {
        laws::lattice_laws::<Boxes>();
        laws::transfer_laws::<Boxes>();
        laws::group_laws::<Boxes>(true);
    }

    #[test]
    fn strides_survive_loops() {
        // i = 0, i += 4, ...: multiples of 4.
        let i = LinearExpr::var(Dim(0));
        let mut entry = Boxes::top();
        entry.assign(Dim(0), &LinearExpr::constant(0));
        let mut head = entry.clone();
        for _ in 0..4 {
            let mut next = head.clone();
            next.assign(Dim(0), &i.plus_constant(4).unwrap());
            head = head.widen(&entry.join(&next), &[]);
        }
        assert_eq!(head.get(Dim(0)), Strided::new(Interval { lo: Some(0), hi: None }, Congruence::new(4, 0)));
        // i ≠ 0 leaves 4 and more; 2i = 6 is impossible.
        head.assume(&Constraint { expr: i.clone(), relation: Relation::NonZero });
        assert_eq!(head.bounds(&i), Some(Interval { lo: Some(4), hi: None }));
        head.assume(&Constraint::eq(&i.times(2).unwrap(), &LinearExpr::constant(12)).unwrap());
        assert!(head.is_bottom());
    }
}
