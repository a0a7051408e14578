//! The matrix: entries with their twins, and tight closure, after each new constraint and of a whole matrix.
//!
//! Entries are whole numbers held as `f64`, so that sums and minima of whole rows are vector operations: closing 100 variables takes
//! about a millisecond, one more constraint tens of microseconds. Numbers below 2⁵³ and their sums are exact in `f64`. What
//! enters a sum is therefore [`tame`]d first: a bound beyond 2⁵⁰ is dropped, one below -2⁵⁰ becomes -2⁵⁰. Both lose a bound, never a
//! point.

use super::Octagon;
use crate::domain::NumericDomain;
use crate::linear::Dim;
use std::borrow::Cow;

/// No bound, as a number.
pub(super) const INF: i128 = i128::MAX;

/// No bound, as an entry.
pub(super) const FREE: f64 = f64::INFINITY;

/// Sums of up to five numbers of this size are exact.
const LARGEST: f64 = (1u64 << 50) as f64;

pub(super) fn plus(a: i128, b: i128) -> i128 {
    if a == INF || b == INF { INF } else { a.checked_add(b).unwrap_or(INF) }
}

pub(super) fn finite(a: i128) -> Option<i128> {
    (a != INF).then_some(a)
}

/// The smaller one; there are no numbers that are none.
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// A bound that can be added up.
fn tame(a: f64) -> f64 {
    if a > LARGEST {
        FREE
    } else if a < -LARGEST {
        -LARGEST
    } else {
        a
    }
}

/// The entry for a bound.
pub(super) fn entry(bound: i128) -> f64 {
    let largest = LARGEST as i128;
    if bound > largest { FREE } else { bound.max(-largest) as f64 }
}

/// The bound of an entry.
pub(super) fn bound(entry: f64) -> i128 {
    if entry == FREE { INF } else { entry as i128 }
}

impl Octagon {
    pub(super) fn vertices(&self) -> usize {
        2 * self.dims.len()
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.matrix.get(i * self.vertices() + j).copied().unwrap_or(FREE)
    }

    pub(super) fn w(&self, i: usize, j: usize) -> i128 {
        bound(self.at(i, j))
    }

    /// Sets an entry and its twin.
    fn set(&mut self, i: usize, j: usize, c: f64) {
        let n = self.vertices();
        for (i, j) in [(i, j), (j ^ 1, i ^ 1)] {
            if let Some(entry) = self.matrix.get_mut(i * n + j) {
                *entry = c;
            }
        }
    }

    /// The vertex of a variable with a sign, adding the variable if it is new.
    pub(super) fn vertex(&mut self, dim: Dim, negative: bool) -> usize {
        let k = match self.dims.binary_search(&dim) {
            Ok(k) => k,
            Err(k) => {
                let mut dims = self.dims.clone();
                dims.insert(k, dim);
                *self = self.over(dims);
                k
            }
        };
        2 * k + usize::from(negative)
    }

    pub(super) fn known_vertex(&self, dim: Dim, negative: bool) -> Option<usize> {
        self.dims.binary_search(&dim).ok().map(|k| 2 * k + usize::from(negative))
    }

    /// The same element over other variables: what is not in `dims` is dropped, what is new is unconstrained.
    pub(super) fn over(&self, dims: Vec<Dim>) -> Octagon {
        let old: Vec<Option<usize>> =
            dims.iter().flat_map(|&d| [self.known_vertex(d, false), self.known_vertex(d, true)]).collect();
        let mut matrix = Vec::with_capacity(old.len() * old.len());
        for (i, a) in old.iter().enumerate() {
            for (j, b) in old.iter().enumerate() {
                matrix.push(match (a, b) {
                    _ if i == j => 0.0,
                    (Some(a), Some(b)) => self.at(*a, *b),
                    _ => FREE,
                });
            }
        }
        Octagon { empty: self.empty, relaxed: self.relaxed, dims, matrix }
    }

    /// Drops variables without constraints.
    pub(super) fn trim(&mut self) {
        let n = self.vertices();
        let free = |k: usize| {
            [2 * k, 2 * k + 1]
                .iter()
                .all(|&i| (0..n).all(|j| i == j || self.at(i, j) == FREE && self.at(j, i) == FREE))
        };
        let kept: Vec<Dim> =
            self.dims.iter().enumerate().filter(|(k, _)| !free(*k)).map(|(_, d)| *d).collect();
        if kept.len() < self.dims.len() {
            *self = self.over(kept);
        }
    }

    pub(super) fn set_empty(&mut self) {
        *self = Octagon::bottom();
    }

    /// Adds `vₐ - v_b ≤ c` to a closed matrix.
    pub(super) fn add(&mut self, a: usize, b: usize, c: i128) {
        let c = entry(c);
        if self.empty || self.at(a, b) <= c {
            return;
        }
        let n = self.vertices();
        let (na, nb) = (a ^ 1, b ^ 1);
        let known = |i: usize, j: usize| tame(self.at(i, j));
        // The four ways for a path to use the new edge and its twin.
        let through_b = c + known(b, nb) + c;
        let through_a = c + known(na, a) + c;
        let [to_b, to_na] = [b, na].map(|i| (0..n).map(|j| known(i, j)).collect::<Vec<f64>>());
        let ways = |i: usize| {
            let (to_a, to_nb) = (known(i, a), known(i, nb));
            [least(to_a + c, to_nb + through_a), least(to_nb + c, to_a + through_b)]
        };
        let by: Vec<[f64; 2]> = (0..n).map(ways).collect();
        let shortest = |i: usize, j: usize| {
            let way = |[x, y]: &[f64; 2]| Some(least(x + to_b.get(j)?, y + to_na.get(j)?));
            by.get(i).and_then(way).unwrap_or(FREE)
        };
        // Unary entries first, so that the others are visited once.
        let unary = |i: usize| tame(2.0 * (least(shortest(i, i ^ 1), self.at(i, i ^ 1)) / 2.0).floor());
        let halves: Vec<f64> = (0..n).map(|i| unary(i) / 2.0).collect();
        let rest: Vec<f64> = (0..n).map(|j| halves.get(j ^ 1).copied().unwrap_or(FREE)).collect();
        if (0..n).any(|i| shortest(i, i) < 0.0) || halves.iter().zip(&rest).any(|(a, b)| a + b < 0.0) {
            return self.set_empty();
        }
        for ((row, [x, y]), half) in self.matrix.chunks_mut(n.max(1)).zip(by).zip(halves) {
            if x == FREE && y == FREE && half == FREE {
                continue;
            }
            shorten(row, (x, &to_b), (y, &to_na));
            strengthen(row, half, &rest);
        }
    }

    /// Rounds unary entries, strengthens the others, and detects emptiness.
    pub(super) fn tighten(&mut self) {
        let n = self.vertices();
        for i in 0..n {
            if self.at(i, i) < 0.0 {
                return self.set_empty();
            }
            let c = self.at(i, i ^ 1);
            if c != FREE {
                self.set(i, i ^ 1, 2.0 * (c / 2.0).floor());
            }
        }
        let before: Vec<f64> = (0..n).map(|i| tame(self.at(i, i ^ 1))).collect();
        let after: Vec<f64> = (0..n).map(|j| before.get(j ^ 1).copied().unwrap_or(FREE)).collect();
        if before.iter().zip(&after).any(|(a, b)| a + b < 0.0) {
            return self.set_empty();
        }
        let after: Vec<f64> = after.into_iter().map(|c| c / 2.0).collect();
        for (row, half) in self.matrix.chunks_mut(n.max(1)).zip(before) {
            strengthen(row, half / 2.0, &after);
        }
    }

    /// Shortest paths by way of each variable in turn (Floyd and Warshall), both of its vertices at once; of twins only
    /// the one in the lower half is worked on.
    pub(super) fn closed(&self) -> Cow<'_, Octagon> {
        if !self.relaxed {
            return Cow::Borrowed(self);
        }
        let mut result = Octagon { relaxed: false, ..self.clone() };
        let n = result.vertices();
        for k in (0..n).step_by(2) {
            // Vertex to vertex, read where it is up to date.
            let known =
                |i: usize, j: usize| tame(if j <= i | 1 { result.at(i, j) } else { result.at(j ^ 1, i ^ 1) });
            let [plus, minus] = [k, k + 1].map(|v| (0..n).map(|j| known(v, j)).collect::<Vec<f64>>());
            let (forth, back) = (known(k, k + 1), known(k + 1, k));
            let from: Vec<[f64; 2]> = (0..n)
                .map(|i| {
                    let (a, b) = (known(i, k), known(i, k + 1));
                    [least(a, b + back), least(b, a + forth)]
                })
                .collect();
            for (i, (row, [a, b])) in result.matrix.chunks_mut(n.max(1)).zip(from).enumerate() {
                shorten(row.get_mut(..=i | 1).unwrap_or_default(), (a, &plus), (b, &minus));
            }
            if (0..n).any(|i| result.at(i, i) < 0.0) {
                result.set_empty();
                return Cow::Owned(result);
            }
        }
        for i in 0..n {
            for j in (i | 1) + 1..n {
                let twin = result.at(j ^ 1, i ^ 1);
                if let Some(e) = result.matrix.get_mut(i * n + j) {
                    *e = twin;
                }
            }
        }
        result.tighten();
        Cow::Owned(result)
    }

    pub(super) fn close(&mut self) {
        if self.relaxed {
            *self = self.closed().into_owned();
        }
    }

    /// The matrix with its variables in the given order.
    pub(super) fn over_unsorted(&self, order: Vec<Dim>) -> Vec<f64> {
        let old: Vec<Option<usize>> =
            order.iter().flat_map(|&d| [self.known_vertex(d, false), self.known_vertex(d, true)]).collect();
        let entry = |a: &Option<usize>, b: &Option<usize>| a.zip(*b).map_or(FREE, |(a, b)| self.at(a, b));
        old.iter().flat_map(|a| old.iter().map(move |b| entry(a, b))).collect()
    }
}

/// A row of distances, where there are two ways by which they might be shorter.
fn shorten(row: &mut [f64], (x, by_x): (f64, &[f64]), (y, by_y): (f64, &[f64])) {
    if x == FREE && y == FREE {
        return;
    }
    for ((e, a), b) in row.iter_mut().zip(by_x).zip(by_y) {
        *e = least(least(x + a, y + b), *e);
    }
}

/// A row of distances, where half of the paths from i to ī and from j̄ to j might be shorter.
fn strengthen(row: &mut [f64], half: f64, rest: &[f64]) {
    if half != FREE {
        for (e, rest) in row.iter_mut().zip(rest) {
            *e = least(half + rest, *e);
        }
    }
}
