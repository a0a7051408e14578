//! What every numeric domain can do.
//!
//! An element describes a set of *points*: maps from all variables to integers. A variable that an element does
//! not mention is unconstrained, so variables come into being by being constrained and go by being forgotten,
//! and elements with different variables can be compared and joined as they are. Every operation is sound: its
//! result holds all points of the concrete result. Beyond that each domain says how precise it is.
//!
//! [`copy`](NumericDomain::copy), [`forget_all`](NumericDomain::forget_all) (there: *drop*), [`equate`](NumericDomain::equate),
//! [`fold`](NumericDomain::fold) and [`expand`](NumericDomain::expand) of several variables at once follow H. Siegel
//! and A. Simon, *Summarized dimensions revisited* (NSAD 2011), as recalled in their paper on connectors, §2.4:
//! `fold = drop ∘ (n ⊔ swap n)`, `expand = n ⊓ swap n`. Relations inside the group are kept; none is invented
//! between the group and its copy.

use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr, Relation};

/// A numeric abstract domain over dynamically named variables.
pub trait NumericDomain: Clone + PartialEq + std::fmt::Debug {
    /// All points.
    fn top() -> Self;
    /// No point.
    fn bottom() -> Self;
    /// Whether the element is known to hold no point.
    fn is_bottom(&self) -> bool;
    /// The variables that are constrained, in ascending order.
    fn dims(&self) -> Vec<Dim>;

    /// Makes a variable unconstrained, keeping what is implied about the others.
    fn forget(&mut self, dim: Dim);
    /// Sets a variable to the value of an expression, in which it may occur.
    fn assign(&mut self, dim: Dim, expr: &LinearExpr);
    /// Keeps only the points that satisfy a constraint.
    fn assume(&mut self, constraint: &Constraint);
    /// Bounds of an expression; `None` if there is no point.
    fn bounds(&self, expr: &LinearExpr) -> Option<Interval>;

    /// Union, or more.
    fn join(&self, other: &Self) -> Self;
    /// Intersection, or more.
    fn meet(&self, other: &Self) -> Self;
    /// A join after which every increasing chain `x, x ∇ y₁, (x ∇ y₁) ∇ y₂, …` becomes stable. Bounds that moved
    /// go to the next of the sorted `thresholds` that holds them, or away.
    fn widen(&self, newer: &Self, thresholds: &[i128]) -> Self;
    /// Whether every point of `self` is known to be one of `other`.
    fn leq(&self, other: &Self) -> bool;
    /// Renames variables, all at once. `map` must not send two variables to one, nor one to a variable that is
    /// constrained and not itself renamed.
    fn rename(&mut self, map: &[(Dim, Dim)]);
    /// Constraints that together describe the element (a false one for the empty element).
    fn constraints(&self) -> Vec<Constraint>;

    /// Makes several variables unconstrained.
    fn forget_all(&mut self, dims: &[Dim]) {
        dims.iter().for_each(|&d| self.forget(d));
    }
    /// Whether the element holds a point.
    fn contains(&self, point: &dyn Fn(Dim) -> i128) -> bool {
        !self.is_bottom() && self.constraints().iter().all(|c| c.holds_at(point))
    }
    /// Whether every point satisfies a constraint, as far as bounds of its expression tell.
    fn entails(&self, constraint: &Constraint) -> bool {
        let Some(bounds) = self.bounds(&constraint.expr) else { return true };
        match constraint.relation {
            Relation::AtMostZero => bounds.hi.is_some_and(|h| h <= 0),
            Relation::Zero => bounds == Interval::point(0),
            Relation::NonZero => !bounds.contains(0),
        }
    }
    /// Gives the unconstrained variables `copies` the values of `group`, position by position.
    fn copy(&mut self, group: &[Dim], copies: &[Dim]) {
        for (from, to) in group.iter().zip(copies) {
            self.assign(*to, &LinearExpr::var(*from));
        }
    }
    /// Keeps only the points at which two groups have the same values, position by position.
    fn equate(&mut self, group: &[Dim], other: &[Dim]) {
        for (a, b) in group.iter().zip(other) {
            self.assume(&Constraint { expr: LinearExpr::difference(*a, *b), relation: Relation::Zero });
        }
    }
    /// Exchanges the variables of two groups of the same length, position by position.
    fn swap(&mut self, group: &[Dim], other: &[Dim]) {
        let pairs = group.iter().copied().zip(other.iter().copied());
        let map: Vec<(Dim, Dim)> = pairs.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        self.rename(&map);
    }
    /// Merges the variables of `merged` into those of `kept`, position by position: `kept` afterwards stands for
    /// either group, `merged` is forgotten.
    fn fold(&mut self, kept: &[Dim], merged: &[Dim]) {
        let mut swapped = self.clone();
        swapped.swap(kept, merged);
        *self = self.join(&swapped);
        self.forget_all(merged);
    }
    /// Gives the unconstrained variables `copies` what is known of `group`, position by position, without making
    /// the two equal: the group stood for many, the copy is another of them.
    fn expand(&mut self, group: &[Dim], copies: &[Dim]) {
        let mut swapped = self.clone();
        swapped.swap(group, copies);
        *self = self.meet(&swapped);
    }
}

/// The constraint that no point satisfies.
pub(crate) fn falsehood() -> Constraint {
    Constraint { expr: LinearExpr::constant(1), relation: Relation::AtMostZero }
}

/// Division rounding down, for a positive divisor.
pub(crate) fn floor_div(a: i128, b: i128) -> i128 {
    a.div_euclid(b)
}

/// What a constraint `expr ≤ 0` implies for one term `c · x` whose other terms are at least `rest`: the limit for
/// `x`, an upper one for positive `c`, else a lower one.
pub(crate) fn limit_of_term(coefficient: i128, rest: i128) -> Option<i128> {
    // c·x ≤ -rest
    let room = rest.checked_neg()?;
    if coefficient > 0 {
        Some(floor_div(room, coefficient))
    } else {
        // x ≥ -room / |c|, rounded up.
        let magnitude = coefficient.checked_neg()?;
        floor_div(room, magnitude).checked_neg()
    }
}

/// The value a bound is widened to: `Some` threshold that still holds it, or `None`, infinity.
pub(crate) fn next_threshold(value: i128, thresholds: &[i128]) -> Option<i128> {
    let at = thresholds.partition_point(|t| *t < value);
    thresholds.get(at).copied()
}
