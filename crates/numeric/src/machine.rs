//! Machine integers on intervals.
//!
//! The domains of this crate speak of mathematical integers. This module is the gate between them and C: each
//! operation takes intervals of operands that already lie in a [`MachineInt`] type and returns the interval of
//! results in that type together with what is known about overflow ([`Outcome`]). For signed types the returned
//! interval holds the results of the executions that did *not* overflow, since the others have no behaviour;
//! for unsigned types and conversions values wrap, and the interval is the hull of the wrapped results: exact if
//! the wrapped set is one stretch, else the whole type.
//!
//! Bounds for `&`, `|`, `^` are the best possible for each combination of operand signs (H. Warren, *Hacker's
//! Delight*, §4-3); the hull over the combinations is taken. All operations take time O(bits).
//!
//! Types wider than 127 bits are represented with an infinite upper end: sound, not precise.

mod bits;
#[cfg(test)]
mod tests;

use crate::interval::Interval;
use bits::{BitBound, max_and, max_or, max_xor, min_and, min_or, min_xor};

/// A two's complement integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MachineInt {
    /// Width in bits, at least 1.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

/// Whether something happens in executions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Happens {
    /// In none.
    Never,
    /// In some, as far as is known.
    Maybe,
    /// In all.
    Always,
}

/// The result of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The results of the executions that have one; `None` if no execution has.
    pub value: Option<Interval>,
    /// Whether the mathematical result leaves the type (undefined for signed types, wraps for unsigned ones), a
    /// divisor is zero, or a shift count is out of range.
    pub trouble: Happens,
}

impl Outcome {
    fn fine(value: Interval) -> Outcome {
        Outcome { value: Some(value), trouble: Happens::Never }
    }
    const NONE: Outcome = Outcome { value: None, trouble: Happens::Always };

    /// Adds trouble that some executions meet before this outcome.
    fn after(self, earlier: Happens) -> Outcome {
        let trouble = match (earlier, self.trouble) {
            (Happens::Never, t) => t,
            (Happens::Always, _) => return Outcome::NONE,
            (Happens::Maybe, Happens::Always) => Happens::Always,
            (Happens::Maybe, _) => Happens::Maybe,
        };
        Outcome { trouble, ..self }
    }
}

fn pow2(exponent: u32) -> Option<i128> {
    (exponent < 127).then(|| 1i128 << exponent)
}

impl MachineInt {
    /// The values of the type.
    pub fn range(self) -> Interval {
        if self.signed {
            let half = pow2(self.bits.saturating_sub(1));
            Interval {
                lo: half.map_or(Some(i128::MIN), |h| Some(-h)),
                hi: half.map_or(Some(i128::MAX), |h| Some(h - 1)),
            }
        } else {
            Interval { lo: Some(0), hi: pow2(self.bits).map(|p| p - 1) }
        }
    }

    /// The values of `v` brought into the type by wrapping, as an interval: conversion to the type.
    pub fn wrap(self, v: Interval) -> Interval {
        let range = self.range();
        if v.is_subset(range) {
            return v;
        }
        let (Some(lo), Some(hi), Some(modulus), Some(first)) = (v.lo, v.hi, pow2(self.bits), range.lo) else {
            return range;
        };
        // How often the modulus has to be subtracted; one stretch if both ends need the same.
        let (Some(a), Some(b)) = (lo.checked_sub(first), hi.checked_sub(first)) else { return range };
        let turns = a.div_euclid(modulus);
        if turns != b.div_euclid(modulus) {
            return range;
        }
        v.shift(-(turns * modulus))
    }

    /// The outcome of an operation whose mathematical result is `exact`.
    pub fn settle(self, exact: Interval) -> Outcome {
        let range = self.range();
        if exact.is_subset(range) {
            return Outcome::fine(exact);
        }
        let inside = exact.meet(range);
        let trouble = if inside.is_some() { Happens::Maybe } else { Happens::Always };
        let value = if self.signed { inside } else { Some(self.wrap(exact)) };
        Outcome { value, trouble }
    }

    /// `a + b`
    pub fn add(self, a: Interval, b: Interval) -> Outcome {
        self.settle(a.plus(b))
    }
    /// `a - b`
    pub fn sub(self, a: Interval, b: Interval) -> Outcome {
        self.settle(a.minus(b))
    }
    /// `a * b`
    pub fn mul(self, a: Interval, b: Interval) -> Outcome {
        self.settle(a.times(b))
    }
    /// `-a`
    pub fn neg(self, a: Interval) -> Outcome {
        self.settle(a.negated())
    }
    /// `~a`; never overflows.
    pub fn not(self, a: Interval) -> Outcome {
        // All bits inverted: -1 - a, which for unsigned types is max - a.
        Outcome::fine(self.wrap(Interval::point(-1).minus(a)))
    }

    /// `a / b`, towards zero; a zero divisor is trouble, and so is the smallest value divided by -1.
    pub fn div(self, a: Interval, b: Interval) -> Outcome {
        let (trouble, parts) = nonzero_parts(b);
        let quotients = parts.into_iter().flatten().map(|b| quotient(a, b)).reduce(Interval::join);
        match quotients {
            Some(exact) => self.settle(exact).after(trouble),
            None => Outcome::NONE,
        }
    }

    /// `a % b`, with the sign of the dividend. The smallest value modulo -1 is trouble, as in C.
    pub fn rem(self, a: Interval, b: Interval) -> Outcome {
        let (trouble, parts) = nonzero_parts(b);
        // |b| at most, over the non-zero divisors.
        let limits = parts
            .into_iter()
            .flatten()
            .map(|b| b.lo.zip(b.hi).map(|(l, h)| l.unsigned_abs().max(h.unsigned_abs())));
        let Some(limit) = limits.reduce(|x, y| x.zip(y).map(|(x, y)| x.max(y))) else { return Outcome::NONE };
        let limit = limit.and_then(|l| i128::try_from(l).ok()).map(|l| l - 1);
        let smallest = b.as_point().and_then(i128::checked_abs);
        if let (Some(l), Some(h)) = (a.lo, a.hi)
            && let Some(s) = smallest
            && (0 <= l || h <= 0)
            && s != 0
            && l / s == h / s
        {
            // One stretch of the saw.
            let value = Interval { lo: Some(l % s), hi: Some(h % s) };
            return self.rem_trouble(a, b, Outcome::fine(value).after(trouble));
        }
        let hi = if a.hi.is_some_and(|h| h <= 0) { Some(0) } else { min_known(a.hi, limit) };
        let lo = if a.lo.is_some_and(|l| l >= 0) {
            Some(0)
        } else {
            min_known(a.lo.and_then(i128::checked_neg), limit).map(|m| -m)
        };
        self.rem_trouble(a, b, Outcome { value: Some(Interval { lo, hi }), trouble })
    }

    /// Adds the trouble that the quotient does not fit.
    fn rem_trouble(self, a: Interval, b: Interval, outcome: Outcome) -> Outcome {
        let smallest = self.range().lo.filter(|_| self.signed);
        match smallest {
            Some(m) if a.contains(m) && b.contains(-1) => {
                if a.as_point() == Some(m) && b.as_point() == Some(-1) {
                    Outcome::NONE
                } else {
                    outcome.after(Happens::Maybe)
                }
            }
            _ => outcome,
        }
    }

    /// `a << count`: trouble if the count is negative or not below the width, or, for signed types, if the result
    /// does not fit.
    pub fn shl(self, a: Interval, count: Interval) -> Outcome {
        let (trouble, Some(count)) = self.valid_count(count) else { return Outcome::NONE };
        let (Some(low), Some(high)) = (count.lo, count.hi) else {
            return Outcome::fine(self.range()).after(trouble);
        };
        let factor = |c: i128| u32::try_from(c).ok().and_then(pow2);
        let product = match (factor(low), factor(high)) {
            (Some(f), Some(g)) => a.times(Interval::point(f)).join(a.times(Interval::point(g))),
            _ => Interval::FULL,
        };
        self.settle(product).after(trouble)
    }

    /// `a >> count`, arithmetic: trouble if the count is negative or not below the width.
    pub fn shr(self, a: Interval, count: Interval) -> Outcome {
        let (trouble, Some(count)) = self.valid_count(count) else { return Outcome::NONE };
        let shift = |v: Option<i128>, c: Option<i128>| {
            v.map(|v| v >> c.and_then(|c| u32::try_from(c).ok()).unwrap_or(127).min(127))
        };
        let at = |c| Interval { lo: shift(a.lo, c), hi: shift(a.hi, c) };
        Outcome::fine(at(count.lo).join(at(count.hi))).after(trouble)
    }

    fn valid_count(self, count: Interval) -> (Happens, Option<Interval>) {
        let valid = Interval { lo: Some(0), hi: Some(i128::from(self.bits) - 1) };
        match count.meet(valid) {
            None => (Happens::Always, None),
            Some(c) if c == count => (Happens::Never, Some(c)),
            Some(c) => (Happens::Maybe, Some(c)),
        }
    }

    /// `a & b`
    pub fn and(self, a: Interval, b: Interval) -> Outcome {
        self.bitwise(a, b, min_and, max_and)
    }
    /// `a | b`
    pub fn or(self, a: Interval, b: Interval) -> Outcome {
        self.bitwise(a, b, min_or, max_or)
    }
    /// `a ^ b`
    pub fn xor(self, a: Interval, b: Interval) -> Outcome {
        self.bitwise(a, b, min_xor, max_xor)
    }

    /// Splits the operands by sign; within a combination the sign of the result is fixed, so that comparing bit
    /// patterns as unsigned numbers compares the values.
    fn bitwise(self, a: Interval, b: Interval, min: BitBound, max: BitBound) -> Outcome {
        let fallback = Outcome::fine(self.range());
        if self.bits > 126 {
            return fallback;
        }
        let mut hull: Option<Interval> = None;
        let halves = [Interval { lo: None, hi: Some(-1) }, Interval { lo: Some(0), hi: None }];
        for x in halves.iter().filter_map(|h| a.meet(*h)) {
            for y in halves.iter().filter_map(|h| b.meet(*h)) {
                let (Some(x), Some(y)) = (self.patterns(x), self.patterns(y)) else { return fallback };
                let top = self.bits.saturating_sub(1);
                let ends = [min(x.0, x.1, y.0, y.1, top), max(x.0, x.1, y.0, y.1, top)];
                let [lo, hi] = ends.map(|p| self.value_of(p));
                let part = Interval { lo: Some(lo), hi: Some(hi) };
                hull = Some(hull.map_or(part, |h| h.join(part)));
            }
        }
        hull.map_or(Outcome::NONE, Outcome::fine)
    }

    fn patterns(self, v: Interval) -> Option<(u128, u128)> {
        let mask = (1u128 << self.bits) - 1;
        Some((v.lo? as u128 & mask, v.hi? as u128 & mask))
    }

    fn value_of(self, pattern: u128) -> i128 {
        let value = pattern as i128;
        if self.signed && pattern >> self.bits.saturating_sub(1) & 1 == 1 {
            value - (1i128 << self.bits)
        } else {
            value
        }
    }
}

fn min_known(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Whether the divisor is zero, and its negative and positive parts.
fn nonzero_parts(b: Interval) -> (Happens, [Option<Interval>; 2]) {
    let parts = [b.meet(Interval { lo: None, hi: Some(-1) }), b.meet(Interval { lo: Some(1), hi: None })];
    let zero = match (b.contains(0), b.as_point()) {
        (false, _) => Happens::Never,
        (true, Some(_)) => Happens::Always,
        (true, None) => Happens::Maybe,
    };
    (zero, parts)
}

/// All `x / y` for a divisor of one sign; monotone in each operand once the sign of the dividend is fixed.
fn quotient(a: Interval, b: Interval) -> Interval {
    let halves = [Interval { lo: None, hi: Some(0) }, Interval { lo: Some(0), hi: None }];
    let part = |a: Interval| {
        let negative = b.hi.is_some_and(|h| h < 0);
        // The divisor of smallest and of largest absolute value; `None` is infinite.
        let (small, large) = if negative { (b.hi, b.lo) } else { (b.lo, b.hi) };
        let by = |x: Option<i128>, y: Option<i128>| match (x, y) {
            (Some(x), Some(y)) => x.checked_div(y).map(Some).unwrap_or(None),
            (_, None) => Some(0),
            (None, Some(_)) => None,
        };
        // Closest to zero and farthest from it.
        let (near, far) = if a.lo.is_some_and(|l| l >= 0) { (a.lo, a.hi) } else { (a.hi, a.lo) };
        let (inner, outer) = (by(near, large), if far.is_none() { None } else { by(far, small) });
        let positive = (a.lo.is_some_and(|l| l >= 0)) != negative;
        if positive { Interval { lo: inner, hi: outer } } else { Interval { lo: outer, hi: inner } }
    };
    halves.iter().filter_map(|h| a.meet(*h)).map(part).reduce(Interval::join).unwrap_or(Interval::FULL)
}
