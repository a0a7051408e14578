//! Linear expressions and constraints over numeric variables.
//!
//! A [`Dim`] names a variable of a numeric state; users of the domains give them out. An expression is a
//! constant plus terms, sorted by dimension, without zero coefficients, so that equal expressions are equal
//! values. Arithmetic is checked: an expression that would leave `i128` is `None`, and the caller then knows
//! nothing about it.

/// A variable of a numeric state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dim(pub u32);

impl std::fmt::Debug for Dim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "x{}", self.0)
    }
}

/// `constant + Σ coefficient · variable`.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct LinearExpr {
    constant: i128,
    terms: Vec<(Dim, i128)>,
}

impl LinearExpr {
    /// A number.
    pub fn constant(value: i128) -> LinearExpr {
        LinearExpr { constant: value, terms: Vec::new() }
    }
    /// A variable.
    pub fn var(dim: Dim) -> LinearExpr {
        LinearExpr { constant: 0, terms: vec![(dim, 1)] }
    }
    /// `a - b` for two variables.
    pub fn difference(a: Dim, b: Dim) -> LinearExpr {
        let mut expr = LinearExpr::var(a);
        // Cannot overflow: coefficients are 1, -1 or cancel.
        let _ = expr.add_term(b, -1);
        expr
    }
    /// The terms, sorted by variable, with non-zero coefficients.
    pub fn terms(&self) -> &[(Dim, i128)] {
        &self.terms
    }
    /// The constant part.
    pub fn constant_part(&self) -> i128 {
        self.constant
    }
    /// The coefficient of a variable, 0 if it does not occur.
    pub fn coefficient(&self, dim: Dim) -> i128 {
        self.terms.binary_search_by_key(&dim, |t| t.0).ok().and_then(|i| self.terms.get(i)).map_or(0, |t| t.1)
    }
    /// Adds `coefficient · dim`; `None`, without a change, if a number gets too large.
    #[must_use]
    pub fn add_term(&mut self, dim: Dim, coefficient: i128) -> Option<()> {
        match self.terms.binary_search_by_key(&dim, |t| t.0) {
            Ok(i) => {
                let sum = self.terms.get(i)?.1.checked_add(coefficient)?;
                if sum == 0 {
                    self.terms.remove(i);
                } else if let Some(term) = self.terms.get_mut(i) {
                    term.1 = sum;
                }
            }
            Err(i) if coefficient != 0 => self.terms.insert(i, (dim, coefficient)),
            Err(_) => {}
        }
        Some(())
    }
    /// The sum of two expressions.
    pub fn plus(&self, other: &LinearExpr) -> Option<LinearExpr> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant)?;
        for &(dim, c) in &other.terms {
            sum.add_term(dim, c)?;
        }
        Some(sum)
    }
    /// The expression plus a number.
    pub fn plus_constant(&self, value: i128) -> Option<LinearExpr> {
        Some(LinearExpr { constant: self.constant.checked_add(value)?, terms: self.terms.clone() })
    }
    /// The expression times a number.
    pub fn times(&self, factor: i128) -> Option<LinearExpr> {
        if factor == 0 {
            return Some(LinearExpr::constant(0));
        }
        let terms: Option<Vec<_>> =
            self.terms.iter().map(|&(d, c)| Some((d, c.checked_mul(factor)?))).collect();
        Some(LinearExpr { constant: self.constant.checked_mul(factor)?, terms: terms? })
    }
    /// The difference of two expressions.
    pub fn minus(&self, other: &LinearExpr) -> Option<LinearExpr> {
        self.plus(&other.times(-1)?)
    }
    /// The value at a point; `None` if it leaves `i128`.
    pub fn eval(&self, point: &dyn Fn(Dim) -> i128) -> Option<i128> {
        self.terms.iter().try_fold(self.constant, |sum, &(d, c)| sum.checked_add(c.checked_mul(point(d))?))
    }
}

impl std::fmt::Debug for LinearExpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, &(dim, c)) in self.terms.iter().enumerate() {
            match (i, c) {
                (0, 1) => write!(f, "{dim:?}")?,
                (0, -1) => write!(f, "-{dim:?}")?,
                (0, _) => write!(f, "{c}{dim:?}")?,
                (_, 1) => write!(f, " + {dim:?}")?,
                (_, -1) => write!(f, " - {dim:?}")?,
                (_, c) if c < 0 => write!(f, " - {}{dim:?}", c.unsigned_abs())?,
                _ => write!(f, " + {c}{dim:?}")?,
            }
        }
        match (self.terms.is_empty(), self.constant) {
            (true, c) => write!(f, "{c}"),
            (false, 0) => Ok(()),
            (false, c) if c < 0 => write!(f, " - {}", c.unsigned_abs()),
            (false, c) => write!(f, " + {c}"),
        }
    }
}

/// How an expression compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `≤ 0`
    AtMostZero,
    /// `= 0`
    Zero,
    /// `≠ 0`
    NonZero,
}

/// A linear constraint.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The expression.
    pub expr: LinearExpr,
    /// How it compares with zero.
    pub relation: Relation,
}

impl Constraint {
    /// `a ≤ b`; `None` if the difference is too large to represent.
    pub fn le(a: &LinearExpr, b: &LinearExpr) -> Option<Constraint> {
        Some(Constraint { expr: a.minus(b)?, relation: Relation::AtMostZero })
    }
    /// `a = b`
    pub fn eq(a: &LinearExpr, b: &LinearExpr) -> Option<Constraint> {
        Some(Constraint { expr: a.minus(b)?, relation: Relation::Zero })
    }
    /// Whether it holds at a point (also if the value is too large to tell).
    pub fn holds_at(&self, point: &dyn Fn(Dim) -> i128) -> bool {
        self.expr.eval(point).is_none_or(|v| match self.relation {
            Relation::AtMostZero => v <= 0,
            Relation::Zero => v == 0,
            Relation::NonZero => v != 0,
        })
    }
}

impl std::fmt::Debug for Constraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let relation = match self.relation {
            Relation::AtMostZero => "≤",
            Relation::Zero => "=",
            Relation::NonZero => "≠",
        };
        write!(f, "{:?} {relation} 0", self.expr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_normal() {
        let (x, y) = (Dim(1), Dim(2));
        let e = LinearExpr::difference(y, x).plus(&LinearExpr::var(x)).unwrap();
        assert_eq!(e, LinearExpr::var(y));
        assert_eq!(LinearExpr::difference(x, x), LinearExpr::constant(0));
        let e = LinearExpr::difference(y, x).times(3).unwrap().plus_constant(-4).unwrap();
        assert_eq!(format!("{e:?}"), "-3x1 + 3x2 - 4");
        assert_eq!(e.coefficient(x), -3);
        assert!(LinearExpr::constant(i128::MAX).plus_constant(1).is_none());
    }

    #[test]
    fn constraints_at_points() {
        let (x, y) = (LinearExpr::var(Dim(0)), LinearExpr::var(Dim(1)));
        let at = |a: i128, b: i128| move |d: Dim| if d == Dim(0) { a } else { b };
        assert!(Constraint::le(&x, &y).unwrap().holds_at(&at(2, 2)));
        assert!(!Constraint::le(&x, &y).unwrap().holds_at(&at(3, 2)));
        assert!(Constraint::eq(&x, &y).unwrap().holds_at(&at(7, 7)));
        assert_eq!(format!("{:?}", Constraint::le(&x, &y).unwrap()), "x0 - x1 ≤ 0");
    }
}
