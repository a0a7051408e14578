//! Constraints by half-spaces: what domains share that can only be told `expr ≤ 0`.
//!
//! An equality is two half-spaces. A disequality cuts nothing off but the end of a range: an integer that is not its
//! largest possible value is at most one less. Costs up to two half-spaces and one query for bounds.

use crate::interval::Interval;
use crate::linear::{Constraint, LinearExpr, Relation};

/// A closed element of such a domain.
pub(crate) trait HalfSpaces {
    /// Whether it is known to have no point.
    fn has_no_point(&self) -> bool;
    /// The range of an expression.
    fn range_of(&self, expr: &LinearExpr) -> Interval;
    /// Keeps the points where `expr ≤ 0`.
    fn cut(&mut self, expr: &LinearExpr);

    /// Keeps the points that satisfy a constraint, or a few more.
    fn cut_by(&mut self, constraint: &Constraint) {
        if self.has_no_point() {
            return;
        }
        let expr = &constraint.expr;
        match constraint.relation {
            Relation::AtMostZero => self.cut(expr),
            Relation::Zero => {
                self.cut(expr);
                if let Some(negated) = expr.times(-1)
                    && !self.has_no_point()
                {
                    self.cut(&negated);
                }
            }
            Relation::NonZero => {
                let range = self.range_of(expr);
                if range.hi == Some(0)
                    && let Some(less) = expr.plus_constant(1)
                {
                    self.cut(&less);
                }
                if range.lo == Some(0)
                    && !self.has_no_point()
                    && let Some(less) = expr.times(-1).and_then(|e| e.plus_constant(1))
                {
                    self.cut(&less);
                }
            }
        }
    }
}
