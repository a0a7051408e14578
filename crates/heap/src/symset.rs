//! Sets of symbols as bits: states are walked after every statement, and their symbols are small numbers.
//!
//! Cost: constant time per operation, one bit of memory per symbol up to the largest that was marked.

use crate::value::Sym;

/// A set of symbols.
#[derive(Clone, Default, Debug)]
pub(crate) struct SymSet {
    words: Vec<u64>,
}

impl SymSet {
    fn place(s: Sym) -> (usize, u64) {
        ((s.0 / 64) as usize, 1 << (s.0 % 64))
    }

    /// SymSet a symbol; whether it was not marked before.
    pub(crate) fn insert(&mut self, s: Sym) -> bool {
        let (word, bit) = Self::place(s);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        match self.words.get_mut(word) {
            Some(w) => {
                let new = *w & bit == 0;
                *w |= bit;
                new
            }
            None => false,
        }
    }

    /// Whether a symbol is marked.
    pub(crate) fn contains(&self, s: Sym) -> bool {
        let (word, bit) = Self::place(s);
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_marked_once_and_by_themselves() {
        let mut marks = SymSet::default();
        for s in [0, 63, 64, 1000].map(Sym) {
            assert!(!marks.contains(s));
            assert!(marks.insert(s) && !marks.insert(s) && marks.contains(s));
        }
        assert!([1, 62, 65, 999, 100_000].into_iter().all(|s| !marks.contains(Sym(s))));
    }
}
