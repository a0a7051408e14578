//! A domain that is chosen when the analysis starts.
//!
//! [`Numeric`] names the domains, an [`Element`] is an element of one of them. Elements of different domains do not meet in
//! one analysis; where they would, the answer is the one that is sound whatever they say.
//!
//! Domains whose costs grow fast take a limited number of variables: a constraint that would add one more is not added,
//! which is sound.

use crate::boxes::Boxes;
use crate::dbm::Dbm;
use crate::domain::NumericDomain;
use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr};
use crate::octagon::Octagon;
use crate::polyhedron::Polyhedron;

/// A numeric domain by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numeric {
    /// Intervals with a residue class.
    Congruences,
    /// Differences of two variables.
    Zones,
    /// Sums and differences of two variables.
    Octagons,
    /// All linear constraints.
    Polyhedra,
}

impl Numeric {
    /// All of them.
    pub const ALL: [Numeric; 4] =
        [Numeric::Congruences, Numeric::Zones, Numeric::Octagons, Numeric::Polyhedra];

    /// All points.
    pub fn top(self) -> Element {
        match self {
            Numeric::Congruences => Element::Congruences(Boxes::top()),
            Numeric::Zones => Element::Zones(Dbm::top()),
            Numeric::Octagons => Element::Octagons(Octagon::top()),
            Numeric::Polyhedra => Element::Polyhedra(Polyhedron::top()),
        }
    }

    /// Most variables that an element constrains.
    pub fn most_variables(self) -> usize {
        match self {
            Numeric::Congruences | Numeric::Zones => 1_000,
            Numeric::Octagons => 48,
            Numeric::Polyhedra => 10,
        }
    }
}

/// An element of the chosen domain.
#[derive(Clone, PartialEq, Debug)]
pub enum Element {
    /// Intervals with a residue class.
    Congruences(Boxes),
    /// Differences of two variables.
    Zones(Dbm),
    /// Sums and differences of two variables.
    Octagons(Octagon),
    /// All linear constraints.
    Polyhedra(Polyhedron),
}

/// The same expression for an element of any domain.
macro_rules! each {
    ($element:expr, $e:ident => $result:expr) => {
        match $element {
            Element::Congruences($e) => $result,
            Element::Zones($e) => $result,
            Element::Octagons($e) => $result,
            Element::Polyhedra($e) => $result,
        }
    };
}

/// An element from two of the same domain; `top` for two of different ones.
macro_rules! both {
    ($a:expr, $b:expr, ($x:ident, $y:ident) => $result:expr) => {
        match ($a, $b) {
            (Element::Congruences($x), Element::Congruences($y)) => Element::Congruences($result),
            (Element::Zones($x), Element::Zones($y)) => Element::Zones($result),
            (Element::Octagons($x), Element::Octagons($y)) => Element::Octagons($result),
            (Element::Polyhedra($x), Element::Polyhedra($y)) => Element::Polyhedra($result),
            (a, _) => a.domain().top(),
        }
    };
}

impl Element {
    /// Which domain it is from.
    pub fn domain(&self) -> Numeric {
        match self {
            Element::Congruences(_) => Numeric::Congruences,
            Element::Zones(_) => Numeric::Zones,
            Element::Octagons(_) => Numeric::Octagons,
            Element::Polyhedra(_) => Numeric::Polyhedra,
        }
    }

    /// Whether it is known to hold no point.
    pub fn is_bottom(&self) -> bool {
        each!(self, e => e.is_bottom())
    }

    /// The variables that are constrained, in ascending order.
    pub fn dims(&self) -> Vec<Dim> {
        each!(self, e => e.dims())
    }

    /// Makes several variables unconstrained.
    pub fn forget_all(&mut self, dims: &[Dim]) {
        each!(self, e => e.forget_all(dims));
    }

    /// Keeps only the points that satisfy a constraint, as far as there is room for its variables.
    pub fn assume(&mut self, constraint: &Constraint) {
        let known = self.dims();
        let new = constraint.expr.terms().iter().filter(|(d, _)| known.binary_search(d).is_err()).count();
        if new == 0 || known.len() + new <= self.domain().most_variables() {
            each!(self, e => e.assume(constraint));
        }
    }

    /// Sets a variable to the value of an expression, as far as there is room for it and the others.
    pub fn assign(&mut self, dim: Dim, expr: &LinearExpr) {
        let known = self.dims();
        let all = expr.terms().iter().map(|(d, _)| d).chain([&dim]);
        let new = all.filter(|d| known.binary_search(d).is_err()).count();
        if known.len() + new <= self.domain().most_variables() {
            each!(self, e => e.assign(dim, expr));
        } else {
            self.forget_all(&[dim]);
        }
    }

    /// Bounds of an expression; all numbers if there is no point.
    pub fn bounds(&self, expr: &LinearExpr) -> Interval {
        each!(self, e => e.bounds(expr)).unwrap_or(Interval::FULL)
    }

    /// Whether every point satisfies a constraint.
    pub fn entails(&self, constraint: &Constraint) -> bool {
        each!(self, e => e.entails(constraint))
    }

    /// Union, or more.
    pub fn join(&self, other: &Element) -> Element {
        both!(self, other, (a, b) => a.join(b))
    }

    /// The points of both, or more.
    pub fn meet(&self, other: &Element) -> Element {
        both!(self, other, (a, b) => a.meet(b))
    }

    /// A join after which increasing chains become stable ([`NumericDomain::widen`]).
    pub fn widen(&self, newer: &Element, thresholds: &[i128]) -> Element {
        both!(self, newer, (a, b) => a.widen(b, thresholds))
    }

    /// Whether every point of it is known to be one of `other`.
    pub fn leq(&self, other: &Element) -> bool {
        match (self, other) {
            (Element::Congruences(a), Element::Congruences(b)) => a.leq(b),
            (Element::Zones(a), Element::Zones(b)) => a.leq(b),
            (Element::Octagons(a), Element::Octagons(b)) => a.leq(b),
            (Element::Polyhedra(a), Element::Polyhedra(b)) => a.leq(b),
            _ => false,
        }
    }

    /// Renames variables, all at once ([`NumericDomain::rename`]).
    pub fn rename(&mut self, map: &[(Dim, Dim)]) {
        each!(self, e => e.rename(map));
    }

    /// Keeps only the points that satisfy a constraint, however many variables there are.
    pub fn assume_in_any_case(&mut self, constraint: &Constraint) {
        each!(self, e => e.assume(constraint));
    }

    /// Sets a variable to the value of an expression, however many variables there are.
    pub fn assign_in_any_case(&mut self, dim: Dim, expr: &LinearExpr) {
        each!(self, e => e.assign(dim, expr));
    }

    /// Gives unconstrained variables the values of a group ([`NumericDomain::copy`]).
    pub fn copy(&mut self, group: &[Dim], copies: &[Dim]) {
        each!(self, e => e.copy(group, copies));
    }

    /// Keeps the points at which two groups are equal ([`NumericDomain::equate`]).
    pub fn equate(&mut self, group: &[Dim], other: &[Dim]) {
        each!(self, e => e.equate(group, other));
    }

    /// Merges a group of variables into another one ([`NumericDomain::fold`]).
    pub fn fold(&mut self, kept: &[Dim], merged: &[Dim]) {
        each!(self, e => e.fold(kept, merged));
    }

    /// Gives unconstrained variables what is known of a group ([`NumericDomain::expand`]).
    pub fn expand(&mut self, group: &[Dim], copies: &[Dim]) {
        each!(self, e => e.expand(group, copies));
    }

    /// Whether it holds the point.
    pub fn contains(&self, point: &dyn Fn(Dim) -> i128) -> bool {
        each!(self, e => e.contains(point))
    }
}

impl std::fmt::Display for Numeric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Numeric::Congruences => "congruences",
            Numeric::Zones => "zones",
            Numeric::Octagons => "octagons",
            Numeric::Polyhedra => "polyhedra",
        })
    }
}
