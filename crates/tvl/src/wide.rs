//! Values of predicates with three and more arguments, and rows as the common form of all predicates.
//!
//! Any predicate is a list of *rows*: one [`Lanes`] over the last argument for each choice of the others. Nullary and
//! unary predicates have one row, binary ones a row for each source, a predicate of `k` arguments `size^(k-1)` rows,
//! where the row's number has the first arguments as its digits, the first one most significant. Nullary values stand in
//! every lane.
//!
//! TVLA allows any number of arguments, and its programs use three in a few places. Loose embedding adjusts binary
//! predicates only (Arnold Def. 5): where an optional individual is absent, so are the tuples of wider ones that name it.
//! Cost: memory and every pass over a structure grow with `size^(k-1)`; [`MAX_ARITY`] keeps that in check.

use crate::formula::{MAX_VARS, Var};
use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::structure::Structure;
use crate::vocabulary::Predicate;

/// Arguments that a predicate may have at most.
pub const MAX_ARITY: usize = 4;

/// The rows of one predicate with three or more arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Wide {
    pub(crate) arity: usize,
    pub(crate) rows: Vec<Lanes>,
}

impl Wide {
    pub(crate) fn new(arity: usize, size: usize) -> Wide {
        Wide { arity, rows: vec![Lanes::FALSE; row_count(size, arity)] }
    }

    /// The rows for another universe, in which individual `new` was `source_of(new)`.
    pub(crate) fn relayout(
        &self,
        size: usize,
        new_size: usize,
        source_of: &dyn Fn(usize) -> Option<usize>,
        lanes: &dyn Fn(Lanes) -> Lanes,
    ) -> Wide {
        let rows = (0..row_count(new_size, self.arity)).map(|row| {
            let old = digits(row, new_size, self.arity)
                .into_iter()
                .try_fold(0, |acc, digit| source_of(digit).map(|old| acc * size + old));
            old.and_then(|old| self.rows.get(old)).map_or(Lanes::FALSE, |l| lanes(*l))
        });
        Wide { arity: self.arity, rows: rows.collect() }
    }
}

/// Number of rows of a predicate.
pub(crate) fn row_count(size: usize, arity: usize) -> usize {
    size.pow(arity.saturating_sub(1) as u32)
}

/// The arguments but the last that a row stands for.
pub(crate) fn digits(mut row: usize, size: usize, arity: usize) -> Vec<usize> {
    let mut out = vec![0; arity.saturating_sub(1)];
    for digit in out.iter_mut().rev() {
        *digit = row.checked_rem(size).unwrap_or(0);
        row = row.checked_div(size).unwrap_or(0);
    }
    out
}

/// Gives the variables but the last the values that a row stands for.
pub(crate) fn bind(params: &[Var], row: usize, size: usize, env: &mut [u8; MAX_VARS]) {
    for (v, node) in params.iter().zip(digits(row, size, params.len())) {
        env[usize::from(v.0) % MAX_VARS] = node as u8;
    }
}

impl Structure {
    /// Number of rows of a predicate.
    pub(crate) fn rows(&self, p: &Predicate) -> usize {
        row_count(self.size, p.arity)
    }

    /// A row of a predicate.
    pub(crate) fn predicate_row(&self, p: &Predicate, row: usize) -> Lanes {
        match p.arity {
            0 => Lanes::splat(self.nullary(p.slot), u64::MAX),
            1 => self.unary(p.slot),
            2 => self.row(p.slot, row),
            _ => self.wide.get(p.slot).and_then(|w| w.rows.get(row)).copied().unwrap_or_default(),
        }
    }

    /// Replaces a row of a predicate.
    pub(crate) fn set_predicate_row(&mut self, p: &Predicate, row: usize, lanes: Lanes) {
        match p.arity {
            0 => self.set_nullary(p.slot, lanes.get(0)),
            1 => self.set_unary(p.slot, lanes),
            2 => self.set_row(p.slot, row, lanes),
            _ => {
                let universe = self.universe();
                if let Some(l) = self.wide.get_mut(p.slot).and_then(|w| w.rows.get_mut(row)) {
                    *l = Lanes { must: lanes.must & universe, may: lanes.may & universe };
                }
            }
        }
    }

    /// The tuples for which a predicate is not 0.
    pub(crate) fn tuples(&self, p: &Predicate) -> Vec<(Vec<usize>, Kleene)> {
        let mut found = Vec::new();
        for row in 0..self.rows(p) {
            let lanes = self.predicate_row(p, row);
            for last in lanes_of(lanes.may & self.universe()) {
                let mut tuple = digits(row, self.size, p.arity);
                tuple.push(last);
                found.push((tuple, lanes.get(last)));
            }
        }
        found
    }

    /// The row of a wide predicate that holds the values for these first arguments.
    pub(crate) fn wide_row(&self, slot: usize, first: &[usize]) -> Option<Lanes> {
        let row = first.iter().try_fold(0, |acc, &u| (u < self.size).then_some(acc * self.size + u))?;
        self.wide.get(slot)?.rows.get(row).copied()
    }

    /// Sets one value of a wide predicate.
    pub(crate) fn set_wide(&mut self, slot: usize, args: &[usize], value: Kleene) {
        let Some((&last, first)) = args.split_last() else { return };
        if args.iter().any(|&u| u >= self.size) {
            return;
        }
        let row = first.iter().fold(0, |acc, &u| acc * self.size + u);
        if let Some(l) = self.wide.get_mut(slot).and_then(|w| w.rows.get_mut(row)) {
            l.set(last, value);
        }
    }

    /// Whether a row is about one of these individuals by its first arguments.
    pub(crate) fn row_touches(&self, p: &Predicate, row: usize, individuals: u64) -> bool {
        p.arity >= 2 && digits(row, self.size, p.arity).iter().any(|&u| individuals >> u & 1 == 1)
    }
}

/// The rows of a predicate under a map of individuals onto classes: values are joined over the members.
pub(crate) fn merged(wide: &Wide, size: usize, members: &[u64], fold: &dyn Fn(Lanes) -> Lanes) -> Wide {
    let rows = (0..row_count(members.len(), wide.arity)).map(|row| {
        let mut sources = vec![0usize];
        for class in digits(row, members.len(), wide.arity) {
            sources = sources
                .iter()
                .flat_map(|acc| lanes_of(members[class]).map(move |node| acc * size + node))
                .collect();
        }
        let joined = sources.iter().map(|&i| wide.rows[i]).reduce(|a, b| a.join(b));
        fold(joined.unwrap_or_default())
    });
    Wide { arity: wide.arity, rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::merge;
    use crate::vocabulary::{Meaning, Vocabulary};

    #[test]
    fn values_survive_copies_and_merging() {
        let mut voc = Vocabulary::new();
        let between = voc.declare("between", 3, Meaning::Core).unwrap();
        let mut s = Structure::with_size(&voc, 3).unwrap();
        s.set_value(&voc, between, &[0, 1, 2], Kleene::True);
        assert_eq!(s.value(&voc, between, &[0, 1, 2]), Kleene::True);
        assert_eq!(s.value(&voc, between, &[1, 0, 2]), Kleene::False);
        let mut d = s.clone();
        let copy = d.duplicate(&voc, 1).unwrap();
        assert_eq!(d.value(&voc, between, &[0, copy, 2]), Kleene::True);
        assert_eq!(d.restrict(0b0111), s);
        assert_eq!(d.restrict(0b1101).value(&voc, between, &[0, 2, 1]), Kleene::True);
        let m = merge(&s, &[0, 1, 1], 2);
        assert_eq!(m.value(&voc, between, &[0, 1, 1]), Kleene::Unknown);
        assert_eq!(m.value(&voc, between, &[1, 1, 1]), Kleene::False);
    }
}
