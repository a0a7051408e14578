//! Convex polyhedra: conjunctions of arbitrary linear constraints.
//!
//! P. Cousot and N. Halbwachs, *Automatic discovery of linear restraints among variables of a program* (POPL
//! 1978), by double description: an element keeps its minimal constraints and its generators (points, rays,
//! lines), both as rows over a first, homogenising coordinate. Constraints answer membership and meet, generators
//! answer bounds, join, assignment and projection; [`cone`] converts.
//!
//! The points are rational; the integer points inside are what the element stands for. Constraints are rounded to
//! integers when they are assumed. Emptiness and inclusion are therefore exact for rationals and safe for
//! integers. Where a conversion gives up (numbers or sizes out of bounds), the operation loses precision: a
//! constraint is not added, a variable is forgotten, a join becomes `top`.
//!
//! **Invariant:** `constraints` and `generators` describe the same set, without redundancy; every variable is
//! constrained; there is a point unless `empty`.
//!
//! Cost: exponential in the number of variables in the worst case; meant for few variables.

mod cone;
#[cfg(test)]
mod tests;

use crate::domain::{NumericDomain, falsehood, floor_div};
use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr, Relation};
use cone::{Cone, Row, content, dual, product};
use std::collections::BTreeMap;

/// See the module's page.
#[derive(Clone)]
pub struct Polyhedron {
    empty: bool,
    /// The variables in ascending order; variable `k` is coordinate `k + 1`.
    dims: Vec<Dim>,
    /// Equalities and inequalities `row · (1, x) ≥ 0`.
    constraints: Cone,
    /// Lines, and rays of which those with a positive first coordinate are points.
    generators: Cone,
}

/// The values of an expression at the generators.
struct Extent {
    /// Smallest and largest value as fractions; `None` is infinite.
    least: Option<(i128, i128)>,
    greatest: Option<(i128, i128)>,
}

fn at_least_one(width: usize) -> Row {
    (0..width).map(|i| i128::from(i == 0)).collect()
}

impl Polyhedron {
    /// The polyhedron with these generators; `None` if the conversion gives up.
    fn from_generators(dims: Vec<Dim>, generators: &Cone) -> Option<Polyhedron> {
        let constraints = dual(dims.len() + 1, &generators.lines, &generators.rays)?;
        let generators = Polyhedron::generators_of(dims.len() + 1, &constraints)?;
        Polyhedron::from_both(dims, constraints, generators)
    }

    /// The polyhedron with these constraints; `None` if the conversion gives up.
    fn from_constraints(dims: Vec<Dim>, constraints: &Cone) -> Option<Polyhedron> {
        let generators = Polyhedron::generators_of(dims.len() + 1, constraints)?;
        let constraints = dual(dims.len() + 1, &generators.lines, &generators.rays)?;
        Polyhedron::from_both(dims, constraints, generators)
    }

    fn generators_of(width: usize, constraints: &Cone) -> Option<Cone> {
        let mut rays = vec![at_least_one(width)];
        rays.extend(constraints.rays.iter().cloned());
        dual(width, &constraints.lines, &rays)
    }

    /// The polyhedron with these minimal descriptions, without variables that are free.
    fn from_both(dims: Vec<Dim>, mut constraints: Cone, generators: Cone) -> Option<Polyhedron> {
        if !generators.rays.iter().any(|r| r.first().is_some_and(|x| *x > 0)) {
            return Some(Polyhedron::bottom());
        }
        // That the homogenising coordinate is not negative goes without saying.
        constraints.rays.retain(|r| r.iter().skip(1).any(|c| *c != 0));
        let free = |k: usize| {
            constraints.lines.iter().chain(&constraints.rays).all(|r| r.get(k + 1).is_none_or(|c| *c == 0))
        };
        let kept: Vec<usize> = (0..dims.len()).filter(|k| !free(*k)).collect();
        if kept.len() == dims.len() {
            return Some(Polyhedron { empty: false, dims, constraints, generators });
        }
        let cut = |rows: &[Row]| rows.iter().map(|r| columns(r, &kept)).collect();
        let constraints = Cone { lines: cut(&constraints.lines), rays: cut(&constraints.rays) };
        let generators = Polyhedron::generators_of(kept.len() + 1, &constraints)?;
        let dims = kept.iter().filter_map(|k| dims.get(*k).copied()).collect();
        Some(Polyhedron { empty: false, dims, constraints, generators })
    }

    /// The same element over more variables, which are free.
    fn extended(&self, more: &[Dim]) -> (Vec<Dim>, Cone, Cone) {
        let mut dims = self.dims.clone();
        dims.extend(more);
        dims.sort_unstable();
        dims.dedup();
        let place = |d: &Dim| self.dims.binary_search(d).ok();
        let spread = |rows: &[Row]| -> Vec<Row> {
            let coordinate = |r: &Row, d: &Dim| place(d).and_then(|k| r.get(k + 1).copied()).unwrap_or(0);
            let row = |r: &Row| {
                std::iter::once(r.first().copied().unwrap_or(0))
                    .chain(dims.iter().map(|d| coordinate(r, d)))
                    .collect()
            };
            rows.iter().map(row).collect()
        };
        let spread_cone = |c: &Cone| Cone { lines: spread(&c.lines), rays: spread(&c.rays) };
        let (constraints, mut generators) = (spread_cone(&self.constraints), spread_cone(&self.generators));
        for (k, _) in dims.iter().enumerate().filter(|(_, d)| place(d).is_none()) {
            generators.lines.push((0..=dims.len()).map(|j| i128::from(j == k + 1)).collect());
        }
        (dims, constraints, generators)
    }

    /// The shadow on some of the variables.
    fn projected(&self, keep: impl Fn(Dim) -> bool) -> Polyhedron {
        let kept: Vec<usize> =
            (0..self.dims.len()).filter(|k| self.dims.get(*k).is_some_and(|d| keep(*d))).collect();
        if self.empty || kept.len() == self.dims.len() {
            return self.clone();
        }
        let cut = |rows: &[Row]| -> Vec<Row> {
            let nonzero = |r: &Row| r.iter().any(|c| *c != 0);
            rows.iter().map(|r| columns(r, &kept)).filter(nonzero).collect()
        };
        let generators = Cone { lines: cut(&self.generators.lines), rays: cut(&self.generators.rays) };
        let dims = kept.iter().filter_map(|k| self.dims.get(*k).copied()).collect();
        Polyhedron::from_generators(dims, &generators).unwrap_or_else(Polyhedron::top)
    }

    fn row(dims: &[Dim], expr: &LinearExpr) -> Row {
        std::iter::once(expr.constant_part()).chain(dims.iter().map(|d| expr.coefficient(*d))).collect()
    }

    fn extent(&self, expr: &LinearExpr) -> Option<Extent> {
        let known = expr.terms().iter().all(|(d, _)| self.dims.binary_search(d).is_ok());
        let unbounded = Extent { least: None, greatest: None };
        if !known {
            return Some(unbounded);
        }
        let row = Polyhedron::row(&self.dims, expr);
        for line in &self.generators.lines {
            if product(&row, line)? != 0 {
                return Some(unbounded);
            }
        }
        let (mut down, mut up) = (false, false);
        let mut extent: Option<Extent> = None;
        for ray in &self.generators.rays {
            let value = product(&row, ray)?;
            match ray.first().copied().unwrap_or(0) {
                0 => {
                    down |= value < 0;
                    up |= value > 0;
                }
                scale => {
                    let value = Some((value, scale));
                    let old = extent.unwrap_or(Extent { least: value, greatest: value });
                    extent = Some(Extent {
                        least: if less(value, old.least)? { value } else { old.least },
                        greatest: if less(old.greatest, value)? { value } else { old.greatest },
                    });
                }
            }
        }
        let Extent { least, greatest } = extent?;
        Some(Extent { least: least.filter(|_| !down), greatest: greatest.filter(|_| !up) })
    }

    /// Adds `expr ≤ 0` or `expr = 0`.
    fn restrict(&mut self, expr: &LinearExpr, equality: bool) {
        if self.empty {
            return;
        }
        let more: Vec<Dim> = expr.terms().iter().map(|t| t.0).collect();
        let (dims, mut constraints, _) = self.extended(&more);
        let Some(negated) = expr.times(-1) else { return };
        let mut row = Polyhedron::row(&dims, &negated);
        let Some(divisor) = row.get(1..).and_then(content) else { return };
        let constant = row.first().copied().unwrap_or(0);
        if divisor == 0 {
            if constant < 0 || equality && constant != 0 {
                *self = Polyhedron::bottom();
            }
            return;
        }
        if equality && constant % divisor != 0 {
            *self = Polyhedron::bottom();
            return;
        }
        row.iter_mut().for_each(|c| *c = floor_div(*c, divisor));
        if equality {
            constraints.lines.push(row)
        } else {
            constraints.rays.push(row)
        }
        if let Some(result) = Polyhedron::from_constraints(dims, &constraints) {
            *self = result;
        }
    }

    /// Whether every point satisfies `row · (1, x) ≥ 0`, or `= 0`; `None` if numbers are too large.
    fn satisfies(&self, row: &[i128], equality: bool) -> Option<bool> {
        for line in &self.generators.lines {
            if product(row, line)? != 0 {
                return Some(false);
            }
        }
        for ray in &self.generators.rays {
            let height = product(row, ray)?;
            if height < 0 || equality && height != 0 {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// The homogenising coordinate and those of some variables.
fn columns(row: &Row, kept: &[usize]) -> Row {
    let rest = kept.iter().map(|k| row.get(k + 1).copied().unwrap_or(0));
    std::iter::once(row.first().copied().unwrap_or(0)).chain(rest).collect()
}

/// Whether one fraction with a positive denominator is less than another.
fn less(a: Option<(i128, i128)>, b: Option<(i128, i128)>) -> Option<bool> {
    let ((p, q), (r, s)) = (a?, b?);
    Some(p.checked_mul(s)? < r.checked_mul(q)?)
}

impl NumericDomain for Polyhedron {
    fn top() -> Polyhedron {
        let generators = Cone { lines: Vec::new(), rays: vec![vec![1]] };
        Polyhedron { empty: false, dims: Vec::new(), constraints: Cone::default(), generators }
    }

    fn bottom() -> Polyhedron {
        Polyhedron { empty: true, generators: Cone::default(), ..Polyhedron::top() }
    }

    fn is_bottom(&self) -> bool {
        self.empty
    }

    fn dims(&self) -> Vec<Dim> {
        self.dims.clone()
    }

    fn forget(&mut self, dim: Dim) {
        *self = self.projected(|d| d != dim);
    }

    fn assign(&mut self, dim: Dim, expr: &LinearExpr) {
        if self.empty {
            return;
        }
        let more: Vec<Dim> = expr.terms().iter().map(|t| t.0).chain([dim]).collect();
        let (dims, _, mut generators) = self.extended(&more);
        let image = || {
            let row = Polyhedron::row(&dims, expr);
            let at = dims.binary_search(&dim).ok()? + 1;
            for r in generators.lines.iter_mut().chain(&mut generators.rays) {
                let value = product(&row, r)?;
                *r.get_mut(at)? = value;
            }
            generators.lines.retain(|r| r.iter().any(|c| *c != 0));
            generators.rays.retain(|r| r.iter().any(|c| *c != 0));
            Polyhedron::from_generators(dims.clone(), &generators)
        };
        match { image }() {
            Some(result) => *self = result,
            None => self.forget(dim),
        }
    }

    fn assume(&mut self, constraint: &Constraint) {
        let expr = &constraint.expr;
        match constraint.relation {
            Relation::AtMostZero => self.restrict(expr, false),
            Relation::Zero => self.restrict(expr, true),
            Relation::NonZero => match self.bounds(expr) {
                Some(b) if b == Interval::point(0) => {
                    // No integer point is left.
                    *self = Polyhedron::bottom();
                }
                Some(Interval { hi: Some(0), .. }) => {
                    expr.plus_constant(1).iter().for_each(|e| self.restrict(e, false));
                }
                Some(Interval { lo: Some(0), .. }) => {
                    let above = expr.times(-1).and_then(|e| e.plus_constant(1));
                    above.iter().for_each(|e| self.restrict(e, false));
                }
                _ => {}
            },
        }
    }

    /// Rounded inwards to integers; `None` also if no integer lies between.
    fn bounds(&self, expr: &LinearExpr) -> Option<Interval> {
        if self.empty {
            return None;
        }
        let Some(Extent { least, greatest }) = self.extent(expr) else { return Some(Interval::FULL) };
        let lo = least.and_then(|(p, q)| floor_div(p.checked_neg()?, q).checked_neg());
        let hi = greatest.map(|(p, q)| floor_div(p, q));
        lo.zip(hi).is_none_or(|(l, h)| l <= h).then_some(Interval { lo, hi })
    }

    fn join(&self, other: &Polyhedron) -> Polyhedron {
        if self.empty || other.empty {
            return if self.empty { other.clone() } else { self.clone() };
        }
        let a = self.projected(|d| other.dims.binary_search(&d).is_ok());
        let b = other.projected(|d| self.dims.binary_search(&d).is_ok());
        let (dims, _, mut generators) = a.extended(&b.dims);
        let (_, _, more) = b.extended(&a.dims);
        generators.lines.extend(more.lines);
        generators.rays.extend(more.rays);
        Polyhedron::from_generators(dims, &generators).unwrap_or_else(Polyhedron::top)
    }

    fn meet(&self, other: &Polyhedron) -> Polyhedron {
        if self.empty || other.empty {
            return Polyhedron::bottom();
        }
        let (dims, mut constraints, _) = self.extended(&other.dims);
        let (_, more, _) = other.extended(&self.dims);
        constraints.lines.extend(more.lines);
        constraints.rays.extend(more.rays);
        Polyhedron::from_constraints(dims, &constraints).unwrap_or_else(|| self.clone())
    }

    /// The standard widening of N. Halbwachs' thesis: constraints of the older element that the newer satisfies,
    /// and those of the newer that can take the place of one of the older; limited by the thresholds.
    fn widen(&self, newer: &Polyhedron, thresholds: &[i128]) -> Polyhedron {
        if self.empty || newer.empty {
            return if self.empty { newer.clone() } else { self.clone() };
        }
        let newer = self.join(newer);
        let (dims, constraints, old_generators) = self.extended(&newer.dims);
        let (_, new_constraints, generators) = newer.extended(&self.dims);
        let old = Polyhedron { empty: false, dims: dims.clone(), constraints, generators: old_generators };
        let new = Polyhedron { empty: false, dims: dims.clone(), constraints: new_constraints, generators };
        let mut kept = Cone::default();
        // Each equality counts as two inequalities.
        let both_ways = |cone: &Cone| {
            let negated =
                cone.lines.iter().filter_map(|r| r.iter().map(|c| c.checked_neg()).collect::<Option<Row>>());
            let mut rows: Vec<Row> = negated.collect();
            rows.extend(cone.lines.iter().chain(&cone.rays).cloned());
            rows
        };
        let saturated = |row: &Row| -> Vec<bool> {
            let generators = old.generators.lines.iter().chain(&old.generators.rays);
            generators.map(|g| product(row, g) == Some(0)).collect()
        };
        let old_rows = both_ways(&old.constraints);
        kept.rays.extend(old_rows.iter().filter(|r| new.satisfies(r, false) == Some(true)).cloned());
        let patterns: Vec<Vec<bool>> = old_rows.iter().map(saturated).collect();
        kept.rays
            .extend(both_ways(&new.constraints).into_iter().filter(|r| patterns.contains(&saturated(r))));
        for (k, _) in dims.iter().enumerate() {
            for (&t, sign) in thresholds.iter().flat_map(|t| [(t, 1), (t, -1)]) {
                // sign · (t - x) ≥ 0
                let Some(constant) = t.checked_mul(sign) else { continue };
                let row: Row = std::iter::once(constant)
                    .chain((0..dims.len()).map(|j| if j == k { -sign } else { 0 }))
                    .collect();
                if old.satisfies(&row, false) == Some(true) && new.satisfies(&row, false) == Some(true) {
                    kept.rays.push(row);
                }
            }
        }
        Polyhedron::from_constraints(dims, &kept).unwrap_or_else(Polyhedron::top)
    }

    fn leq(&self, other: &Polyhedron) -> bool {
        if self.empty || other.empty {
            return self.empty;
        }
        if other.dims.iter().any(|d| self.dims.binary_search(d).is_err()) {
            return false;
        }
        let (_, constraints, _) = other.extended(&self.dims);
        constraints.lines.iter().all(|r| self.satisfies(r, true) == Some(true))
            && constraints.rays.iter().all(|r| self.satisfies(r, false) == Some(true))
    }

    fn rename(&mut self, map: &[(Dim, Dim)]) {
        let map: BTreeMap<Dim, Dim> = map.iter().copied().collect();
        let named = self.dims.iter().enumerate();
        let mut order: Vec<(Dim, usize)> =
            named.map(|(k, d)| (map.get(d).copied().unwrap_or(*d), k)).collect();
        order.sort_unstable();
        let places: Vec<usize> = order.iter().map(|(_, k)| *k).collect();
        for cone in [&mut self.constraints, &mut self.generators] {
            for row in cone.lines.iter_mut().chain(&mut cone.rays) {
                *row = columns(row, &places);
            }
        }
        self.dims = order.into_iter().map(|(d, _)| d).collect();
    }

    fn constraints(&self) -> Vec<Constraint> {
        if self.empty {
            return vec![falsehood()];
        }
        let to_constraint = |row: &Row, relation| {
            let mut expr = LinearExpr::constant(row.first()?.checked_neg()?);
            for (d, c) in self.dims.iter().zip(row.iter().skip(1)) {
                expr.add_term(*d, c.checked_neg()?)?;
            }
            Some(Constraint { expr, relation })
        };
        let equalities = self.constraints.lines.iter().filter_map(|r| to_constraint(r, Relation::Zero));
        let inequalities =
            self.constraints.rays.iter().filter_map(|r| to_constraint(r, Relation::AtMostZero));
        equalities.chain(inequalities).collect()
    }

    fn entails(&self, constraint: &Constraint) -> bool {
        if self.empty {
            return true;
        }
        let Some(Extent { least, greatest }) = self.extent(&constraint.expr) else { return false };
        match constraint.relation {
            Relation::AtMostZero => greatest.is_some_and(|(p, _)| p <= 0),
            Relation::Zero => [least, greatest].iter().all(|v| v.is_some_and(|(p, _)| p == 0)),
            Relation::NonZero => least.is_some_and(|(p, _)| p > 0) || greatest.is_some_and(|(p, _)| p < 0),
        }
    }
}

impl PartialEq for Polyhedron {
    /// The same set of rational points.
    fn eq(&self, other: &Polyhedron) -> bool {
        self.leq(other) && other.leq(self)
    }
}

impl std::fmt::Debug for Polyhedron {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(NumericDomain::constraints(self)).finish()
    }
}
