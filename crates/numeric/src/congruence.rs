//! Congruences and strided intervals: `x ≡ r (mod m)`, and `l ≤ x ≤ h` with it.
//!
//! P. Granger, *Static analysis of arithmetical congruences* (1989). Modulus 0 means the one value `r`, modulus 1
//! means any value. A [`Strided`] set is in normal form: its ends belong to it, and a single value has
//! modulus 0; hence equal sets are equal values. Numbers beyond `i128` lose the congruence, never a value.

use crate::interval::Interval;

/// A residue class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Congruence {
    modulus: i128,
    residue: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Only the absolute value of the smallest number does not fit; any divisor is sound.
    i128::try_from(a).unwrap_or(1)
}

impl Congruence {
    /// Any value.
    pub const ANY: Congruence = Congruence { modulus: 1, residue: 0 };

    /// The class of `residue` modulo `modulus`; modulus 0 is the one value.
    pub fn new(modulus: i128, residue: i128) -> Congruence {
        match modulus.checked_abs() {
            Some(0) => Congruence { modulus: 0, residue },
            Some(modulus) => Congruence { modulus, residue: residue.rem_euclid(modulus) },
            None => Congruence::ANY,
        }
    }
    /// One value.
    pub fn point(value: i128) -> Congruence {
        Congruence { modulus: 0, residue: value }
    }
    /// The modulus; 0 if there is one value only.
    pub fn modulus(self) -> i128 {
        self.modulus
    }
    /// The smallest non-negative member, or the only member.
    pub fn residue(self) -> i128 {
        self.residue
    }
    /// Whether `value` belongs to the class.
    pub fn contains(self, value: i128) -> bool {
        match self.modulus {
            0 => value == self.residue,
            m => value.rem_euclid(m) == self.residue,
        }
    }
    /// Whether all members belong to `other`.
    pub fn is_subset(self, other: Congruence) -> bool {
        other.contains(self.residue)
            && (other.modulus != 0 && self.modulus % other.modulus == 0 || self == other)
    }
    /// The smallest class that holds both.
    pub fn join(self, other: Congruence) -> Congruence {
        match self.residue.checked_sub(other.residue) {
            Some(apart) => Congruence::new(gcd(gcd(self.modulus, other.modulus), apart), self.residue),
            None => Congruence::ANY,
        }
    }
    /// The common members, by the Chinese remainder theorem; `None` if there is none. Where the common modulus
    /// is too large, one of the two.
    pub fn meet(self, other: Congruence) -> Option<Congruence> {
        if self.modulus == 0 || other.modulus == 0 {
            let (point, class) = if self.modulus == 0 { (self, other) } else { (other, self) };
            return class.contains(point.residue).then_some(point);
        }
        let g = gcd(self.modulus, other.modulus);
        let apart = match other.residue.checked_sub(self.residue) {
            Some(apart) if apart % g == 0 => apart / g,
            _ => return None,
        };
        let step = || {
            let m = other.modulus / g;
            // self.residue + self.modulus * k, where k solves k * (self.modulus / g) ≡ apart (mod m).
            let k = inverse(self.modulus / g, m)?.checked_mul(apart.rem_euclid(m))?.rem_euclid(m);
            let modulus = self.modulus.checked_mul(m)?;
            Some(Congruence::new(modulus, self.modulus.checked_mul(k)?.checked_add(self.residue)?))
        };
        Some(step().unwrap_or(self))
    }
    /// Sums.
    pub fn plus(self, other: Congruence) -> Congruence {
        match self.residue.checked_add(other.residue) {
            Some(residue) => Congruence::new(gcd(self.modulus, other.modulus), residue),
            None => Congruence::ANY,
        }
    }
    /// Products with a number.
    pub fn times(self, factor: i128) -> Congruence {
        match self.modulus.checked_mul(factor).zip(self.residue.checked_mul(factor)) {
            Some((modulus, residue)) => Congruence::new(modulus, residue),
            None => Congruence::ANY,
        }
    }
}

/// The inverse of `a` modulo `m`, for coprime numbers.
fn inverse(a: i128, m: i128) -> Option<i128> {
    let (mut r, mut next_r) = (m, a.rem_euclid(m));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r != 0 {
        let q = r / next_r;
        (r, next_r) = (next_r, r - q * next_r);
        (t, next_t) = (next_t, t.checked_sub(q.checked_mul(next_t)?)?);
    }
    Some(t.rem_euclid(m))
}

/// The members of a residue class inside an interval; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Strided {
    range: Interval,
    class: Congruence,
}

impl Strided {
    /// All integers.
    pub const FULL: Strided = Strided { range: Interval::FULL, class: Congruence::ANY };

    /// The members of `class` in `range`, if there are any.
    pub fn new(range: Interval, class: Congruence) -> Option<Strided> {
        if class.modulus == 0 {
            return range.contains(class.residue).then(|| Strided::point(class.residue));
        }
        let to_member =
            |from: i128| (class.residue - from.rem_euclid(class.modulus)).rem_euclid(class.modulus);
        let lo = match range.lo {
            Some(l) => Some(l.checked_add(to_member(l))?),
            None => None,
        };
        let hi = match range.hi {
            Some(h) => {
                let down = (h.rem_euclid(class.modulus) - class.residue).rem_euclid(class.modulus);
                Some(h.checked_sub(down)?)
            }
            None => None,
        };
        match (lo, hi) {
            (Some(l), Some(h)) if l > h => None,
            (Some(l), Some(h)) if l == h => Some(Strided::point(l)),
            _ => Some(Strided { range: Interval { lo, hi }, class }),
        }
    }
    /// One value.
    pub fn point(value: i128) -> Strided {
        Strided { range: Interval::point(value), class: Congruence::point(value) }
    }
    /// Its smallest and largest members.
    pub fn range(self) -> Interval {
        self.range
    }
    /// The class that all members belong to.
    pub fn class(self) -> Congruence {
        self.class
    }
    /// Whether `value` is a member.
    pub fn contains(self, value: i128) -> bool {
        self.range.contains(value) && self.class.contains(value)
    }
    /// Whether all members belong to `other`.
    pub fn is_subset(self, other: Strided) -> bool {
        self.range.is_subset(other.range) && self.class.is_subset(other.class)
    }
    /// The common members.
    pub fn meet(self, other: Strided) -> Option<Strided> {
        Strided::new(self.range.meet(other.range)?, self.class.meet(other.class)?)
    }
    fn normal(range: Interval, class: Congruence) -> Strided {
        Strided::new(range, class).unwrap_or(Strided { range, class: Congruence::ANY })
    }
    /// The smallest strided interval that holds both.
    pub fn join(self, other: Strided) -> Strided {
        Strided::normal(self.range.join(other.range), self.class.join(other.class))
    }
    /// Widening of the ends; classes only grow finitely often by themselves.
    pub fn widen(self, newer: Strided, thresholds: &[i128]) -> Strided {
        Strided::normal(self.range.widen(newer.range, thresholds), self.class.join(newer.class))
    }
    /// Sums.
    pub fn plus(self, other: Strided) -> Strided {
        Strided::normal(self.range.plus(other.range), self.class.plus(other.class))
    }
    /// Products with a number.
    pub fn times(self, factor: i128) -> Strided {
        Strided::normal(self.range.times(Interval::point(factor)), self.class.times(factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes() -> Vec<Congruence> {
        (0..7).flat_map(|m| (0..7).map(move |r| Congruence::new(m, r))).collect()
    }

    #[test]
    fn classes_on_points() {
        let side = -40..40i128;
        for a in classes() {
            for b in classes() {
                let meet = a.meet(b);
                let mut included = true;
                for x in side.clone() {
                    let (in_a, in_b) = (a.contains(x), b.contains(x));
                    included &= !in_a || in_b;
                    assert_eq!(meet.is_some_and(|m| m.contains(x)), in_a && in_b, "{a:?} ⊓ {b:?} at {x}");
                    assert!(!(in_a || in_b) || a.join(b).contains(x));
                    for y in side.clone().step_by(3).filter(|y| in_a && b.contains(*y)) {
                        assert!(a.plus(b).contains(x + y) && a.times(-3).contains(-3 * x));
                    }
                }
                assert_eq!(a.is_subset(b), included, "{a:?} ⊑ {b:?}");
                assert_eq!(a.join(b), b.join(a));
            }
        }
    }

    #[test]
    fn ends_are_members() {
        let four = Congruence::new(4, 3);
        let set = Strided::new(Interval::new(0, 12).unwrap(), four).unwrap();
        assert_eq!(set.range(), Interval::new(3, 11).unwrap());
        assert_eq!(Strided::new(Interval::new(4, 6).unwrap(), four), None);
        assert_eq!(Strided::new(Interval::new(4, 7).unwrap(), four), Some(Strided::point(7)));
        assert_eq!(Strided::point(3).join(Strided::point(11)).class(), Congruence::new(8, 3));
    }

    #[test]
    fn large_numbers_lose_precision_only() {
        let a = Congruence::new(i128::MAX, 5);
        let b = Congruence::new(i128::MAX - 1, 5);
        assert!(a.meet(b).is_some_and(|m| m.contains(5)));
        assert!(a.times(7).contains(35));
        assert_eq!(Congruence::point(i128::MIN).join(Congruence::point(i128::MAX)), Congruence::ANY);
    }
}
