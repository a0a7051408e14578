//! Three-valued logical structures, stored bit-parallel.
//!
//! A structure has at most [`MAX_INDIVIDUALS`] individuals. A nullary predicate is one lane of a word
//! pair, a unary predicate is one [`Lanes`] over the individuals, a binary predicate is one [`Lanes`]
//! per source individual over the targets; see [`crate::wide`] for more arguments. Equality is not stored as a matrix: `eq(u,v)` is 0 for
//! distinct individuals, 1/2 on *summary* individuals and 1 otherwise (Arnold Def. 2).
//!
//! Some summaries may be marked *optional*: they may stand for no concrete individual at all. Strict
//! structures have none; in a loose structure (Arnold Def. 5) all summaries are. Between the two lie the
//! states that a transformer works on after it has decided which optional summaries exist (see
//! [`Structure::without`]). **Invariants:** optional is a subset of summary; lanes above the number of
//! individuals are 0.

use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::vocabulary::{PredId, Vocabulary};
use crate::wide::Wide;

/// Rows are single machine words, so this many individuals fit.
pub const MAX_INDIVIDUALS: usize = 64;

/// A three-valued structure over some [`Vocabulary`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Structure {
    pub(crate) size: usize,
    pub(crate) summary: u64,
    pub(crate) optional: u64,
    pub(crate) nullary: Vec<Lanes>,
    pub(crate) unary: Vec<Lanes>,
    /// Row-major by predicate: `slot * size + source`.
    pub(crate) binary: Vec<Lanes>,
    /// Predicates of three and more arguments.
    pub(crate) wide: Vec<Wide>,
}

impl Structure {
    /// The structure without individuals in which every predicate is 0.
    pub fn empty(voc: &Vocabulary) -> Structure {
        Structure {
            size: 0,
            summary: 0,
            optional: 0,
            nullary: vec![Lanes::FALSE; voc.of_arity(0).len().div_ceil(64)],
            unary: vec![Lanes::FALSE; voc.of_arity(1).len()],
            binary: Vec::new(),
            wide: voc.wide().iter().map(|&p| Wide::new(voc.get(p).arity, 0)).collect(),
        }
    }

    /// A structure of `size` individuals with every predicate 0, or nothing if that many do not fit.
    pub fn with_size(voc: &Vocabulary, size: usize) -> Option<Structure> {
        let mut s = Structure::empty(voc);
        if size > MAX_INDIVIDUALS {
            return None;
        }
        s.size = size;
        s.binary = vec![Lanes::FALSE; voc.of_arity(2).len() * size];
        s.wide = voc.wide().iter().map(|&p| Wide::new(voc.get(p).arity, size)).collect();
        Some(s)
    }

    /// Number of individuals.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The set of individuals as a word.
    pub fn universe(&self) -> u64 {
        if self.size >= 64 { u64::MAX } else { (1 << self.size) - 1 }
    }

    /// Individuals that may stand for more than one concrete individual.
    pub fn summaries(&self) -> u64 {
        self.summary
    }

    /// Summaries that may stand for none.
    pub fn optional(&self) -> u64 {
        self.optional
    }

    /// Makes an individual a summary or not; one that is no summary always exists.
    pub fn set_summary(&mut self, node: usize, summary: bool) {
        let bit = 1u64 << node & self.universe();
        if summary {
            self.summary |= bit;
        } else {
            self.summary &= !bit;
            self.optional &= !bit;
        }
    }

    /// Declares which summaries may be empty.
    pub fn set_optional(&mut self, nodes: u64) {
        self.optional = nodes & self.summary;
    }

    /// Whether every value, equality included, is definite and all individuals exist.
    pub fn is_concrete(&self) -> bool {
        self.summary == 0
            && self.nullary.iter().chain(&self.unary).chain(&self.binary).all(|l| l.unknown() == 0)
            && self.wide.iter().flat_map(|w| &w.rows).all(|l| l.unknown() == 0)
    }

    /// Value of a nullary slot.
    pub fn nullary(&self, slot: usize) -> Kleene {
        self.nullary.get(slot / 64).map_or(Kleene::False, |l| l.get(slot % 64))
    }

    /// Sets a nullary slot.
    pub fn set_nullary(&mut self, slot: usize, value: Kleene) {
        if let Some(l) = self.nullary.get_mut(slot / 64) {
            l.set(slot % 64, value);
        }
    }

    /// Values of a unary slot for all individuals.
    pub fn unary(&self, slot: usize) -> Lanes {
        self.unary.get(slot).copied().unwrap_or_default()
    }

    /// Replaces the values of a unary slot.
    pub fn set_unary(&mut self, slot: usize, lanes: Lanes) {
        let universe = self.universe();
        if let Some(l) = self.unary.get_mut(slot) {
            *l = Lanes { must: lanes.must & universe, may: lanes.may & universe };
        }
    }

    /// Values of a binary slot from one source to all targets.
    pub fn row(&self, slot: usize, source: usize) -> Lanes {
        self.binary.get(slot * self.size + source).copied().unwrap_or_default()
    }

    /// Replaces a row of a binary slot.
    pub fn set_row(&mut self, slot: usize, source: usize, lanes: Lanes) {
        let universe = self.universe();
        if let Some(l) = self.binary.get_mut(slot * self.size + source) {
            *l = Lanes { must: lanes.must & universe, may: lanes.may & universe };
        }
    }

    /// Values of a binary slot from all sources to one target.
    pub fn column(&self, slot: usize, target: usize) -> Lanes {
        let mut lanes = Lanes::FALSE;
        for source in 0..self.size {
            let row = self.row(slot, source);
            lanes.must |= (row.must >> target & 1) << source;
            lanes.may |= (row.may >> target & 1) << source;
        }
        lanes
    }

    /// Value of a predicate for a tuple of individuals; 0 for a tuple of the wrong length.
    pub fn value(&self, voc: &Vocabulary, pred: PredId, args: &[usize]) -> Kleene {
        let p = voc.get(pred);
        match (p.arity, args) {
            (0, []) => self.nullary(p.slot),
            (1, &[u]) if u < self.size => self.unary(p.slot).get(u),
            (2, &[u, v]) if u < self.size && v < self.size => self.row(p.slot, u).get(v),
            (3.., [first @ .., last]) if args.len() == p.arity && *last < self.size => {
                self.wide_row(p.slot, first).map_or(Kleene::False, |l| l.get(*last))
            }
            _ => Kleene::False,
        }
    }

    /// Sets the value of a predicate for a tuple; a tuple of the wrong length is ignored.
    pub fn set_value(&mut self, voc: &Vocabulary, pred: PredId, args: &[usize], value: Kleene) {
        let p = voc.get(pred);
        match (p.arity, args) {
            (0, []) => self.set_nullary(p.slot, value),
            (1, &[u]) if u < self.size => self.unary[p.slot].set(u, value),
            (2, &[u, v]) if u < self.size && v < self.size => {
                self.binary[p.slot * self.size + u].set(v, value);
            }
            (3.., _) if args.len() == p.arity => self.set_wide(p.slot, args, value),
            _ => {}
        }
    }

    /// Value of equality.
    pub fn equal(&self, u: usize, v: usize) -> Kleene {
        match u == v {
            false => Kleene::False,
            true if self.summary >> u & 1 == 1 => Kleene::Unknown,
            true => Kleene::True,
        }
    }

    fn relayout(&mut self, new_size: usize, source_of: impl Fn(usize) -> Option<usize>) {
        // The caller has already brought the words themselves into the new numbering.
        let preds = self.binary.len().checked_div(self.size).unwrap_or(0);
        let mut binary = Vec::with_capacity(preds * new_size);
        for slot in 0..preds {
            for node in 0..new_size {
                binary.push(source_of(node).map_or(Lanes::FALSE, |old| self.binary[slot * self.size + old]));
            }
        }
        self.binary = binary;
        for wide in &mut self.wide {
            *wide = wide.relayout(self.size, new_size, &source_of, &|l| l);
        }
        self.size = new_size;
    }

    /// Adds an individual whose predicates are all 0; nothing if the structure is full.
    pub fn add_individual(&mut self, voc: &Vocabulary) -> Option<usize> {
        let node = self.size;
        if node >= MAX_INDIVIDUALS {
            return None;
        }
        if node == 0 {
            self.size = 1;
            self.binary = vec![Lanes::FALSE; voc.of_arity(2).len()];
            self.wide = voc.wide().iter().map(|&p| Wide::new(voc.get(p).arity, 1)).collect();
        } else {
            self.relayout(node + 1, |new| (new < node).then_some(new));
        }
        Some(node)
    }

    /// Adds a copy of `node`: equal predicate values towards every individual, itself included.
    pub fn duplicate(&mut self, voc: &Vocabulary, node: usize) -> Option<usize> {
        let copy = self.add_individual(voc)?;
        let spread = |l: &mut Lanes| {
            l.must |= (l.must >> node & 1) << copy;
            l.may |= (l.may >> node & 1) << copy;
        };
        self.unary.iter_mut().for_each(spread);
        self.binary.iter_mut().for_each(spread);
        let size = self.size;
        for wide in &mut self.wide {
            let original = |new: usize| Some(if new == copy { node } else { new });
            *wide = wide.relayout(size, size, &original, &|mut l| {
                spread(&mut l);
                l
            });
        }
        for slot in 0..voc.of_arity(2).len() {
            let row = self.row(slot, node);
            self.set_row(slot, copy, row);
        }
        self.summary |= (self.summary >> node & 1) << copy;
        self.optional |= (self.optional >> node & 1) << copy;
        Some(copy)
    }

    /// Keeps only the individuals in `kept`, in order, and forgets all edges of the others.
    pub fn restrict(&self, kept: u64) -> Structure {
        let kept = kept & self.universe();
        let old: Vec<usize> = lanes_of(kept).collect();
        let squeeze = |word: u64| {
            if kept == self.universe() {
                return word;
            }
            old.iter().enumerate().fold(0u64, |acc, (new, &o)| acc | (word >> o & 1) << new)
        };
        let squeeze_lanes = |l: &Lanes| Lanes { must: squeeze(l.must), may: squeeze(l.may) };
        let mut s = Structure {
            size: self.size,
            summary: squeeze(self.summary),
            optional: squeeze(self.optional),
            nullary: self.nullary.clone(),
            unary: self.unary.iter().map(squeeze_lanes).collect(),
            binary: self.binary.iter().map(squeeze_lanes).collect(),
            wide: self
                .wide
                .iter()
                .map(|w| Wide { arity: w.arity, rows: w.rows.iter().map(squeeze_lanes).collect() })
                .collect(),
        };
        s.relayout(old.len(), |new| Some(old[new]));
        s
    }

    /// Adds to every binary predicate the connections that run through `absent` individuals only.
    pub(crate) fn bridge(&mut self, absent: u64) {
        if self.size == 0 {
            return;
        }
        for rows in self.binary.chunks_mut(self.size) {
            for via in lanes_of(absent) {
                let through = rows[via];
                for row in rows.iter_mut() {
                    if row.must >> via & 1 == 1 {
                        row.must |= through.must;
                    }
                    if row.may >> via & 1 == 1 {
                        row.may |= through.may;
                    }
                }
            }
        }
    }

    /// Like `bridge` for individuals that may or may not be there: connections become possible edges.
    pub(crate) fn bridge_possible(&mut self, vanishing: u64) {
        if self.size == 0 {
            return;
        }
        for rows in self.binary.chunks_mut(self.size) {
            for via in lanes_of(vanishing) {
                let through = rows[via].may;
                for row in rows.iter_mut().filter(|row| row.may >> via & 1 == 1) {
                    row.may |= through;
                }
            }
        }
    }

    /// The structure for the case that the optional summaries in `absent` stand for nothing: their
    /// connections are kept as direct edges with the conjunction of the values along the way. This is the
    /// right-hand side of Arnold Def. 5 read as a structure, so a loose structure describes exactly the
    /// union of these over all sets of optional summaries.
    pub fn without(&self, absent: u64) -> Structure {
        let absent = absent & self.optional;
        let mut s = self.clone();
        s.bridge(absent);
        s.restrict(self.universe() & !absent)
    }

    /// All cases of which optional summaries among `which` exist; in the results none of them is optional.
    pub fn cases(&self, which: u64) -> Vec<Structure> {
        let which = which & self.optional;
        let mut result = Vec::with_capacity(1 << which.count_ones().min(16));
        // Enumerate subsets of `which`.
        let mut absent = 0u64;
        loop {
            let mut s = self.clone();
            s.optional &= !(which & !absent);
            result.push(s.without(absent));
            absent = absent.wrapping_sub(which) & which;
            if absent == 0 {
                return result;
            }
        }
    }

    /// A binary predicate as §5.4 of Arnold reads it: the stored value, or 1/2 if connections through
    /// optional summaries may stand in for it.
    pub fn adjusted_rows(&self, slot: usize) -> Vec<Lanes> {
        let stored: Vec<Lanes> = (0..self.size).map(|u| self.row(slot, u)).collect();
        let mut reach: Vec<u64> = stored.iter().map(|l| l.may).collect();
        for via in lanes_of(self.optional) {
            let through = reach[via];
            for row in &mut reach {
                if *row >> via & 1 == 1 {
                    *row |= through;
                }
            }
        }
        stored.iter().zip(reach).map(|(l, may)| Lanes { must: l.must, may }).collect()
    }

    /// Bytes held by the structure, for memory figures.
    pub fn bytes(&self) -> usize {
        size_of::<Structure>()
            + (self.nullary.len() + self.unary.len() + self.binary.len()) * size_of::<Lanes>()
            + self.wide.iter().map(|w| w.rows.len() * size_of::<Lanes>()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Meaning;

    fn vocabulary() -> (Vocabulary, PredId, PredId) {
        let mut voc = Vocabulary::new();
        let x = voc.declare("x", 1, Meaning::Core).unwrap();
        let n = voc.declare("n", 2, Meaning::Core).unwrap();
        (voc, x, n)
    }

    #[test]
    fn removing_an_optional_summary_keeps_connectivity() {
        let (voc, x, n) = vocabulary();
        let mut s = Structure::with_size(&voc, 3).unwrap();
        s.set_value(&voc, x, &[0], Kleene::True);
        s.set_summary(1, true);
        s.set_optional(0b10);
        s.set_value(&voc, n, &[0, 1], Kleene::Unknown);
        s.set_value(&voc, n, &[1, 2], Kleene::True);
        let t = s.without(0b10);
        assert_eq!((t.size(), t.summaries()), (2, 0));
        assert_eq!(t.value(&voc, n, &[0, 1]), Kleene::Unknown);
        assert_eq!(t.value(&voc, x, &[0]), Kleene::True);
        assert_eq!(s.adjusted_rows(0)[0].get(2), Kleene::Unknown);
        let cases = s.cases(0b10);
        assert_eq!(cases.len(), 2);
        assert!(cases.iter().all(|c| c.optional() == 0));
    }

    #[test]
    fn duplicate_and_restrict_are_inverse() {
        let (voc, _, n) = vocabulary();
        let mut s = Structure::with_size(&voc, 2).unwrap();
        s.set_value(&voc, n, &[0, 1], Kleene::True);
        s.set_value(&voc, n, &[1, 1], Kleene::Unknown);
        let mut d = s.clone();
        let copy = d.duplicate(&voc, 1).unwrap();
        assert_eq!(d.value(&voc, n, &[0, copy]), Kleene::True);
        assert_eq!(d.value(&voc, n, &[copy, 1]), Kleene::Unknown);
        assert_eq!(d.value(&voc, n, &[copy, copy]), Kleene::Unknown);
        assert_eq!(d.restrict(0b011), s);
    }
}
