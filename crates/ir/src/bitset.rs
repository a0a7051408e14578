//! Dense sets of indices.
//!
//! One bit per element of the indexed arena; set operations cost one word operation per 64 elements. An index
//! beyond the capacity is never a member and inserting it has no effect, so a set can be asked about anything.

use crate::index::Idx;
use std::marker::PhantomData;

/// A set of indices below a fixed capacity.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitSet<I> {
    words: Vec<u64>,
    capacity: usize,
    marker: PhantomData<fn(I)>,
}

impl<I: Idx> BitSet<I> {
    /// The empty set, for indices below `capacity`.
    pub fn new(capacity: usize) -> Self {
        BitSet { words: vec![0; capacity.div_ceil(64)], capacity, marker: PhantomData }
    }
    /// Indices must be below this to be members.
    pub fn capacity(&self) -> usize {
        self.capacity
    }
    /// Adds `i`; returns whether the set changed.
    pub fn insert(&mut self, i: I) -> bool {
        let (word, bit) = (i.index() / 64, 1 << (i.index() % 64));
        if i.index() >= self.capacity {
            return false;
        }
        let word = &mut self.words[word];
        let changed = *word & bit == 0;
        *word |= bit;
        changed
    }
    /// Removes `i`; returns whether the set changed.
    pub fn remove(&mut self, i: I) -> bool {
        let bit = 1 << (i.index() % 64);
        let Some(word) = self.words.get_mut(i.index() / 64) else { return false };
        let changed = *word & bit != 0;
        *word &= !bit;
        changed
    }
    /// Whether `i` is a member.
    pub fn contains(&self, i: I) -> bool {
        self.words.get(i.index() / 64).is_some_and(|w| w & (1 << (i.index() % 64)) != 0)
    }
    /// Adds all members of `other`; returns whether the set changed.
    pub fn union_with(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }
    /// Keeps only the members that `other` has too.
    pub fn intersect_with(&mut self, other: &Self) {
        for (i, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(i).copied().unwrap_or(0);
        }
    }
    /// Removes all members of `other`.
    pub fn subtract(&mut self, other: &Self) {
        for (word, &less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }
    /// Number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }
    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }
    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| Some(w & (w - 1)).filter(|&w| w != 0))
                .map(move |w| I::new(i * 64 + w.trailing_zeros() as usize))
        })
    }
}

impl<I: Idx> std::fmt::Debug for BitSet<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::LocalId;

    #[test]
    fn behaves_like_a_set() {
        let mut set = BitSet::new(130);
        for i in [0, 63, 64, 129] {
            assert!(set.insert(LocalId(i)));
            assert!(!set.insert(LocalId(i)));
        }
        assert_eq!(set.iter().map(|l| l.0).collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert!(set.remove(LocalId(64)) && !set.remove(LocalId(64)));
        assert_eq!(set.len(), 3);
        let mut other = BitSet::new(130);
        other.insert(LocalId(63));
        other.insert(LocalId(1));
        let mut both = set.clone();
        both.intersect_with(&other);
        assert_eq!(both.iter().collect::<Vec<_>>(), [LocalId(63)]);
        set.subtract(&other);
        assert_eq!(format!("{set:?}"), "{_0, _129}");
        assert!(set.union_with(&other) && !set.union_with(&other));
    }

    #[test]
    fn ignores_indices_beyond_the_capacity() {
        let mut set: BitSet<LocalId> = BitSet::new(3);
        assert!(!set.insert(LocalId(3)) && !set.contains(LocalId(3)) && !set.remove(LocalId(900)));
        assert!(set.is_empty());
    }
}
