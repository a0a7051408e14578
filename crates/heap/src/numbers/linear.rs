//! Linear forms `k₁·x₁ + … + c` over symbols, with exact integer arithmetic.
//!
//! Forms are kept sorted by symbol and without zero coefficients, so equal forms are identical. Every operation that
//! could overflow `i128` returns `None` instead; callers then know nothing, which is always sound. Forms are short (a
//! handful of terms), so all operations are linear scans.

use crate::value::{Base, Sym, Val};
use smallvec::SmallVec;

/// A linear form over symbols.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Linear {
    terms: SmallVec<[(Sym, i128); 4]>,
    /// The constant part.
    pub constant: i128,
}

impl Linear {
    /// A number.
    pub fn constant(value: i128) -> Linear {
        Linear { terms: SmallVec::new(), constant: value }
    }

    /// A value by itself, without looking at definitions; `None` for functions and undefined values.
    pub fn of(v: Val) -> Option<Linear> {
        match v.base {
            Base::Zero => Some(Linear::constant(v.off)),
            Base::Sym(s) => Some(Linear { terms: SmallVec::from_slice(&[(s, 1)]), constant: v.off }),
            Base::Func(_) | Base::Undef => None,
        }
    }

    /// The terms, by increasing symbol; no coefficient is zero.
    pub fn terms(&self) -> &[(Sym, i128)] {
        &self.terms
    }

    /// The coefficient of a symbol.
    pub fn coefficient(&self, s: Sym) -> i128 {
        self.terms.iter().find(|(t, _)| *t == s).map_or(0, |(_, k)| *k)
    }

    /// Whether a symbol occurs.
    pub fn mentions(&self, s: Sym) -> bool {
        self.terms.iter().any(|(t, _)| *t == s)
    }

    /// The value, if the form is a constant or a symbol plus a constant.
    pub fn as_val(&self) -> Option<Val> {
        match self.terms.as_slice() {
            [] => Some(Val::int(self.constant)),
            [(s, 1)] => Some(Val::sym(*s).plus(self.constant)),
            _ => None,
        }
    }

    /// `self + k · other`.
    pub fn plus(&self, k: i128, other: &Linear) -> Option<Linear> {
        let mut out = SmallVec::new();
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (s, c) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some((s, x)), None) => {
                    a.next();
                    (*s, *x)
                }
                (None, Some((t, y))) => {
                    b.next();
                    (*t, y.checked_mul(k)?)
                }
                (Some((s, x)), Some((t, y))) => {
                    if s < t {
                        a.next();
                        (*s, *x)
                    } else if t < s {
                        b.next();
                        (*t, y.checked_mul(k)?)
                    } else {
                        a.next();
                        b.next();
                        (*s, x.checked_add(y.checked_mul(k)?)?)
                    }
                }
            };
            if c != 0 {
                out.push((s, c));
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(k)?)?;
        Some(Linear { terms: out, constant })
    }

    /// Whether it is more than a symbol and a number: a sum of several, or a multiple.
    pub(crate) fn is_compound(&self) -> bool {
        match self.terms() {
            [] => false,
            [(_, k)] => k.abs() != 1,
            _ => true,
        }
    }

    /// `self - other`.
    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus(-1, other)
    }

    /// `k · self`.
    pub fn times(&self, k: i128) -> Option<Linear> {
        Linear::default().plus(k, self)
    }

    /// `self + c`.
    pub fn shifted(mut self, c: i128) -> Option<Linear> {
        self.constant = self.constant.checked_add(c)?;
        Some(self)
    }

    /// The form after `s := by`.
    pub fn substitute(&self, s: Sym, by: &Linear) -> Option<Linear> {
        let k = self.coefficient(s);
        if k == 0 {
            return Some(self.clone());
        }
        let mut rest = self.clone();
        rest.terms.retain(|(t, _)| *t != s);
        rest.plus(k, by)
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub fn divisor(&self) -> i128 {
        self.terms.iter().fold(0, |g, (_, k)| gcd(g, *k))
    }

    /// The form divided by the common divisor of its coefficients, its constant rounded down: it is at least zero
    /// exactly if the form is.
    pub fn reduced_at_least_zero(&self) -> Linear {
        let g = self.divisor();
        if g <= 1 {
            return self.clone();
        }
        Linear {
            terms: self.terms.iter().map(|(s, k)| (*s, k / g)).collect(),
            constant: self.constant.div_euclid(g),
        }
    }

    /// The form divided by `g`, if that leaves no remainder.
    pub fn divided(&self, g: i128) -> Option<Linear> {
        if g == 0 || self.constant % g != 0 || self.terms.iter().any(|(_, k)| k % g != 0) {
            return None;
        }
        Some(Linear {
            terms: self.terms.iter().map(|(s, k)| (*s, k / g)).collect(),
            constant: self.constant / g,
        })
    }

    /// The form over other symbols; `rename` must be injective on its symbols.
    pub fn renamed(&self, rename: &impl Fn(Sym) -> Sym) -> Linear {
        let mut terms: SmallVec<[(Sym, i128); 4]> =
            self.terms.iter().map(|(s, k)| (rename(*s), *k)).collect();
        terms.sort_unstable();
        Linear { terms, constant: self.constant }
    }
}

/// The greatest common divisor, not negative.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(terms: &[(u32, i128)], c: i128) -> Linear {
        let zero = Linear::constant(c);
        terms.iter().fold(zero, |f, (s, k)| {
            f.plus(*k, &Linear::of(Val::sym(Sym(*s))).expect("a symbol")).expect("small numbers")
        })
    }

    #[test]
    fn sums_cancel_and_stay_sorted() {
        let a = form(&[(3, 4), (1, 1)], 5);
        let b = form(&[(3, 1), (2, -1)], 1);
        assert_eq!(a.plus(-4, &b), Some(form(&[(1, 1), (2, 4)], 1)));
        assert_eq!(a.minus(&a), Some(Linear::constant(0)));
        assert_eq!(form(&[(1, 1)], i128::MAX).plus(1, &Linear::constant(1)), None);
    }

    #[test]
    fn division_rounds_towards_what_integers_allow() {
        // 4x - 4y - 3 >= 0 over the integers is x - y - 1 >= 0.
        assert_eq!(form(&[(1, 4), (2, -4)], -3).reduced_at_least_zero(), form(&[(1, 1), (2, -1)], -1));
        assert_eq!(form(&[(1, 4)], 2).divided(4), None);
        assert_eq!(form(&[(1, 4)], 8).divided(4), Some(form(&[(1, 1)], 2)));
    }
}
