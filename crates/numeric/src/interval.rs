//! Intervals of mathematical integers with optional ends.
//!
//! The domain of Cousot and Cousot (1977). Ends are `i128`, wide enough for every machine integer of 64 bits;
//! `None` is infinity. Arithmetic that would leave `i128` gives an infinite end, so every operation is sound.
//! The empty interval is not a value of the type: operations that may be empty return an `Option`.

/// A non-empty interval.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Interval {
    /// Smallest value; `None` if unbounded.
    pub lo: Option<i128>,
    /// Largest value; `None` if unbounded.
    pub hi: Option<i128>,
}

impl Interval {
    /// All integers.
    pub const FULL: Interval = Interval { lo: None, hi: None };

    /// The interval from `lo` to `hi`, if it is not empty.
    pub fn new(lo: i128, hi: i128) -> Option<Interval> {
        (lo <= hi).then_some(Interval { lo: Some(lo), hi: Some(hi) })
    }
    /// One value.
    pub fn point(value: i128) -> Interval {
        Interval { lo: Some(value), hi: Some(value) }
    }
    /// The value, if there is just one.
    pub fn as_point(self) -> Option<i128> {
        match (self.lo, self.hi) {
            (Some(a), Some(b)) if a == b => Some(a),
            _ => None,
        }
    }
    /// Whether `value` lies inside.
    pub fn contains(self, value: i128) -> bool {
        self.lo.is_none_or(|l| l <= value) && self.hi.is_none_or(|h| value <= h)
    }
    /// Whether every value of `self` is one of `other`.
    pub fn is_subset(self, other: Interval) -> bool {
        let low = match (self.lo, other.lo) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => b <= a,
        };
        let high = match (self.hi, other.hi) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => a <= b,
        };
        low && high
    }
    /// The common values.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let lo = match (self.lo, other.lo) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        match (lo, hi) {
            (Some(l), Some(h)) if l > h => None,
            _ => Some(Interval { lo, hi }),
        }
    }
    /// The smallest interval that holds both.
    pub fn join(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)),
            hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)),
        }
    }
    /// Widening towards the given thresholds (sorted): an end that moved goes to the next threshold, or to
    /// infinity. Every chain is at most as long as there are thresholds.
    pub fn widen(self, newer: Interval, thresholds: &[i128]) -> Interval {
        let lo = match (self.lo, newer.lo) {
            (Some(a), Some(b)) if b >= a => Some(a),
            (Some(_), Some(b)) => thresholds.iter().rev().copied().find(|t| *t <= b),
            _ => None,
        };
        let hi = match (self.hi, newer.hi) {
            (Some(a), Some(b)) if b <= a => Some(a),
            (Some(_), Some(b)) => thresholds.iter().copied().find(|t| *t >= b),
            _ => None,
        };
        Interval { lo, hi }
    }
    /// All values moved by `by`.
    pub fn shift(self, by: i128) -> Interval {
        Interval { lo: self.lo.and_then(|a| a.checked_add(by)), hi: self.hi.and_then(|a| a.checked_add(by)) }
    }
    /// Sums.
    pub fn plus(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.zip(other.lo).and_then(|(a, b)| a.checked_add(b)),
            hi: self.hi.zip(other.hi).and_then(|(a, b)| a.checked_add(b)),
        }
    }
    /// Negated values.
    pub fn negated(self) -> Interval {
        Interval { lo: self.hi.and_then(i128::checked_neg), hi: self.lo.and_then(i128::checked_neg) }
    }
    /// Differences.
    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.negated())
    }
    /// Products.
    pub fn times(self, other: Interval) -> Interval {
        let zero = Interval::point(0);
        if self == zero || other == zero {
            return zero;
        }
        let (Some(a), Some(b), Some(c), Some(d)) = (self.lo, self.hi, other.lo, other.hi) else {
            // One side may be unbounded: only signs can be kept.
            let nonneg = |i: Interval| i.lo.is_some_and(|l| l >= 0);
            if nonneg(self) && nonneg(other) {
                let lo = self.lo.zip(other.lo).and_then(|(x, y)| x.checked_mul(y));
                return Interval { lo: lo.or(Some(0)), hi: None };
            }
            return Interval::FULL;
        };
        let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        let mut lo = i128::MAX;
        let mut hi = i128::MIN;
        for p in products {
            let Some(p) = p else { return Interval::FULL };
            lo = lo.min(p);
            hi = hi.max(p);
        }
        Interval { lo: Some(lo), hi: Some(hi) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All intervals with ends in a small range, and the infinite ones.
    fn samples() -> Vec<Interval> {
        let ends = [None, Some(-3), Some(-1), Some(0), Some(2), Some(3)];
        let mut all = Vec::new();
        for lo in ends {
            for hi in ends {
                if lo.zip(hi).is_none_or(|(l, h)| l <= h) {
                    all.push(Interval { lo, hi });
                }
            }
        }
        all
    }

    #[test]
    fn operations_contain_the_concrete_results() {
        for a in samples() {
            for b in samples() {
                for x in (-6..=6).filter(|x| a.contains(*x)) {
                    assert!(a.join(b).contains(x));
                    assert!(b.widen(a, &[-5, 0, 5]).contains(x), "{b:?} widen {a:?} loses {x}");
                    for y in (-6..=6).filter(|y| b.contains(*y)) {
                        assert!(a.plus(b).contains(x + y));
                        assert!(a.minus(b).contains(x - y));
                        assert!(a.times(b).contains(x * y), "{a:?} * {b:?} loses {x} * {y}");
                        if x == y {
                            assert!(a.meet(b).is_some_and(|m| m.contains(x)));
                        }
                    }
                }
                assert_eq!(a.is_subset(b), a.join(b) == b);
            }
        }
    }
}
