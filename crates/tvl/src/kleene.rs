//! Kleene's three truth values, alone and 64 at a time.
//!
//! A value is two bits, *must* (definitely true) and *may* (possibly true): 0 is `00`, 1 is `11` and
//! 1/2 is `01`. **Invariant:** must implies may. With this encoding conjunction and disjunction work on
//! both bits separately, negation swaps and complements them, and the information order, the join and
//! the agreement test of the embedding procedure are a few word operations for 64 values at once
//! (Arnold §2.2; survey §4.3.6 for the tables).

use std::fmt;

/// One truth value of Kleene's strong three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kleene {
    /// Definitely false, written `0`.
    False,
    /// Definitely true, written `1`.
    True,
    /// Either, written `1/2`.
    Unknown,
}

impl Kleene {
    /// All values, for exhaustive tests and enumerations.
    pub const ALL: [Kleene; 3] = [Kleene::False, Kleene::True, Kleene::Unknown];

    /// The value with these two bits; `must` without `may` cannot be expressed and reads as `Unknown`.
    pub fn from_bits(must: bool, may: bool) -> Kleene {
        match (must, may) {
            (false, false) => Kleene::False,
            (true, true) => Kleene::True,
            _ => Kleene::Unknown,
        }
    }

    /// Whether the value is definitely true.
    pub fn must(self) -> bool {
        self == Kleene::True
    }

    /// Whether the value is possibly true.
    pub fn may(self) -> bool {
        self != Kleene::False
    }

    /// Whether the value is 0 or 1.
    pub fn is_definite(self) -> bool {
        self != Kleene::Unknown
    }

    /// Conjunction.
    pub fn and(self, other: Kleene) -> Kleene {
        Kleene::from_bits(self.must() && other.must(), self.may() && other.may())
    }

    /// Disjunction.
    pub fn or(self, other: Kleene) -> Kleene {
        Kleene::from_bits(self.must() || other.must(), self.may() || other.may())
    }

    /// The least value above both in the information order.
    pub fn join(self, other: Kleene) -> Kleene {
        if self == other { self } else { Kleene::Unknown }
    }

    /// The greatest value below both, or nothing when they contradict each other.
    pub fn meet(self, other: Kleene) -> Option<Kleene> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Kleene::Unknown, b) => Some(b),
            (a, Kleene::Unknown) => Some(a),
            _ => None,
        }
    }

    /// The information order: 0 and 1 are below 1/2 and incomparable.
    pub fn below(self, other: Kleene) -> bool {
        self == other || other == Kleene::Unknown
    }
}

impl std::ops::Not for Kleene {
    type Output = Kleene;
    fn not(self) -> Kleene {
        Kleene::from_bits(!self.may(), !self.must())
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Kleene {
        if value { Kleene::True } else { Kleene::False }
    }
}

impl fmt::Display for Kleene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kleene::False => "0",
            Kleene::True => "1",
            Kleene::Unknown => "1/2",
        })
    }
}

/// Sixty-four Kleene values side by side; lane `i` is bit `i` of both words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Lanes {
    /// Lanes that are definitely true.
    pub must: u64,
    /// Lanes that are possibly true.
    pub may: u64,
}

impl Lanes {
    /// Every lane 0.
    pub const FALSE: Lanes = Lanes { must: 0, may: 0 };

    /// The same value in every lane of `universe`, 0 elsewhere.
    pub fn splat(value: Kleene, universe: u64) -> Lanes {
        Lanes { must: if value.must() { universe } else { 0 }, may: if value.may() { universe } else { 0 } }
    }

    /// Definite lanes: 1 where the bit is set, 0 elsewhere.
    pub fn definite(bits: u64) -> Lanes {
        Lanes { must: bits, may: bits }
    }

    /// The value in one lane.
    pub fn get(self, lane: usize) -> Kleene {
        Kleene::from_bits(self.must >> lane & 1 == 1, self.may >> lane & 1 == 1)
    }

    /// Sets one lane.
    pub fn set(&mut self, lane: usize, value: Kleene) {
        let bit = 1u64 << lane;
        self.must = if value.must() { self.must | bit } else { self.must & !bit };
        self.may = if value.may() { self.may | bit } else { self.may & !bit };
    }

    /// Lane-wise conjunction.
    pub fn and(self, o: Lanes) -> Lanes {
        Lanes { must: self.must & o.must, may: self.may & o.may }
    }

    /// Lane-wise disjunction.
    pub fn or(self, o: Lanes) -> Lanes {
        Lanes { must: self.must | o.must, may: self.may | o.may }
    }

    /// Lane-wise negation inside `universe`.
    pub fn not(self, universe: u64) -> Lanes {
        Lanes { must: !self.may & universe, may: !self.must & universe }
    }

    /// Lane-wise join.
    pub fn join(self, o: Lanes) -> Lanes {
        Lanes { must: self.must & o.must, may: self.may | o.may }
    }

    /// Lanes where the two values contradict each other (one is 0, the other 1).
    pub fn conflicts(self, o: Lanes) -> u64 {
        (self.must & !o.may) | (o.must & !self.may)
    }

    /// Lane-wise meet; meaningful where [`Lanes::conflicts`] is clear.
    pub fn meet(self, o: Lanes) -> Lanes {
        Lanes { must: self.must | o.must, may: self.may & o.may }
    }

    /// Lanes where `self` is below `o` in the information order.
    pub fn below(self, o: Lanes) -> u64 {
        (!o.must | self.must) & (!self.may | o.may)
    }

    /// Lanes that are 1/2.
    pub fn unknown(self) -> u64 {
        self.may & !self.must
    }

    /// The disjunction of all lanes.
    pub fn any(self) -> Kleene {
        Kleene::from_bits(self.must != 0, self.may != 0)
    }

    /// The conjunction of all lanes of `universe`.
    pub fn all(self, universe: u64) -> Kleene {
        Kleene::from_bits(self.must & universe == universe, self.may & universe == universe)
    }
}

/// The lanes set in a word, lowest first.
pub fn lanes_of(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let lane = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::Kleene::{False as F, True as T, Unknown as U};
    use super::*;

    #[test]
    fn connectives_follow_kleene_tables() {
        let and = [(F, [F, F, F]), (T, [F, T, U]), (U, [F, U, U])];
        let or = [(F, [F, T, U]), (T, [T, T, T]), (U, [U, T, U])];
        for (a, row) in and {
            assert_eq!(Kleene::ALL.map(|b| a.and(b)), row, "{a} and");
        }
        for (a, row) in or {
            assert_eq!(Kleene::ALL.map(|b| a.or(b)), row, "{a} or");
        }
        assert_eq!(Kleene::ALL.map(|a| !a), [T, F, U]);
    }

    #[test]
    fn order_join_and_meet_agree() {
        for a in Kleene::ALL {
            for b in Kleene::ALL {
                assert_eq!(a.below(b), a.join(b) == b, "{a} {b}");
                assert_eq!(a.below(b), a.meet(b) == Some(a), "{a} {b}");
                let bounds = Kleene::ALL.iter().any(|c| c.below(a) && c.below(b));
                assert_eq!(a.meet(b).is_some(), bounds, "{a} {b}");
            }
        }
    }

    #[test]
    fn lanes_agree_with_single_values() {
        let universe = 0b1_1111_1111;
        let (mut x, mut y) = (Lanes::FALSE, Lanes::FALSE);
        for (i, a) in Kleene::ALL.into_iter().enumerate() {
            for (j, b) in Kleene::ALL.into_iter().enumerate() {
                x.set(3 * i + j, a);
                y.set(3 * i + j, b);
            }
        }
        for lane in 0..9 {
            let (a, b) = (x.get(lane), y.get(lane));
            assert_eq!((a, b), (Kleene::ALL[lane / 3], Kleene::ALL[lane % 3]));
            assert_eq!(x.and(y).get(lane), a.and(b));
            assert_eq!(x.or(y).get(lane), a.or(b));
            assert_eq!(x.not(universe).get(lane), !a);
            assert_eq!(x.join(y).get(lane), a.join(b));
            assert_eq!(x.below(y) >> lane & 1 == 1, a.below(b));
            assert_eq!(x.conflicts(y) >> lane & 1 == 0, a.meet(b).is_some());
            if let Some(m) = a.meet(b) {
                assert_eq!(x.meet(y).get(lane), m);
            }
        }
        assert_eq!(lanes_of(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
    }

    #[test]
    fn quantifiers_over_lanes() {
        for a in Kleene::ALL {
            for b in Kleene::ALL {
                let mut l = Lanes::FALSE;
                l.set(0, a);
                l.set(1, b);
                assert_eq!(l.any(), a.or(b));
                assert_eq!(l.all(0b11), a.and(b));
            }
        }
        assert_eq!(Lanes::FALSE.all(0), T);
    }
}
