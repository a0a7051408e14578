//! The matrix: entries with their twins, and tight closure after each new constraint.

use super::Octagon;
use crate::domain::{NumericDomain, floor_div};
use crate::linear::Dim;
use std::borrow::Cow;

/// No bound.
pub(super) const INF: i128 = i128::MAX;

pub(super) fn plus(a: i128, b: i128) -> i128 {
    if a == INF || b == INF { INF } else { a.checked_add(b).unwrap_or(INF) }
}

pub(super) fn finite(a: i128) -> Option<i128> {
    (a != INF).then_some(a)
}

impl Octagon {
    pub(super) fn vertices(&self) -> usize {
        2 * self.dims.len()
    }

    pub(super) fn w(&self, i: usize, j: usize) -> i128 {
        self.matrix.get(i * self.vertices() + j).copied().unwrap_or(INF)
    }

    /// Sets an entry and its twin.
    pub(super) fn set(&mut self, i: usize, j: usize, c: i128) {
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
                    _ if i == j => 0,
                    (Some(a), Some(b)) => self.w(*a, *b),
                    _ => INF,
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
                .all(|&i| (0..n).all(|j| i == j || self.w(i, j) == INF && self.w(j, i) == INF))
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
        if self.empty || self.w(a, b) <= c {
            return;
        }
        let n = self.vertices();
        let (na, nb) = (a ^ 1, b ^ 1);
        // The four ways for a path to use the new edge and its twin.
        let once = c;
        let through_b = plus(plus(c, self.w(b, nb)), c);
        let through_a = plus(plus(c, self.w(na, a)), c);
        let row: Vec<[i128; 2]> = (0..n).map(|i| [self.w(i, a), self.w(i, nb)]).collect();
        let column: Vec<[i128; 2]> = (0..n).map(|j| [self.w(b, j), self.w(na, j)]).collect();
        for (i, [to_a, to_nb]) in row.iter().enumerate() {
            for (j, [from_b, from_na]) in column.iter().enumerate() {
                let path = plus(plus(*to_a, once), *from_b)
                    .min(plus(plus(*to_nb, once), *from_na))
                    .min(plus(plus(*to_a, through_b), *from_na))
                    .min(plus(plus(*to_nb, through_a), *from_b));
                if let Some(entry) = self.matrix.get_mut(i * n + j)
                    && path < *entry
                {
                    *entry = path;
                }
            }
        }
        self.tighten();
    }

    /// Rounds unary entries, strengthens the others, and detects emptiness.
    pub(super) fn tighten(&mut self) {
        let n = self.vertices();
        for i in 0..n {
            if self.w(i, i) < 0 {
                return self.set_empty();
            }
            if let Some(c) = finite(self.w(i, i ^ 1)) {
                self.set(i, i ^ 1, 2 * floor_div(c, 2));
            }
        }
        let unary: Vec<i128> = (0..n).map(|i| self.w(i, i ^ 1)).collect();
        for (i, &before) in unary.iter().enumerate() {
            for j in 0..n {
                // Half of the paths from i to ī and from j̄ to j.
                let after = unary.get(j ^ 1).copied().unwrap_or(INF);
                let Some(sum) = finite(plus(before, after)) else { continue };
                if i == j && sum < 0 {
                    return self.set_empty();
                }
                if i != j && sum / 2 < self.w(i, j) {
                    self.set(i, j, sum / 2);
                }
            }
        }
    }

    pub(super) fn closed(&self) -> Cow<'_, Octagon> {
        if !self.relaxed {
            return Cow::Borrowed(self);
        }
        let mut result = Octagon { relaxed: false, ..self.clone() };
        let n = result.vertices();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let path = plus(result.w(i, k), result.w(k, j));
                    if path < result.w(i, j)
                        && let Some(entry) = result.matrix.get_mut(i * n + j)
                    {
                        *entry = path;
                    }
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
    pub(super) fn over_unsorted(&self, order: Vec<Dim>) -> Vec<i128> {
        let old: Vec<Option<usize>> =
            order.iter().flat_map(|&d| [self.known_vertex(d, false), self.known_vertex(d, true)]).collect();
        let entry = |a: &Option<usize>, b: &Option<usize>| a.zip(*b).map_or(INF, |(a, b)| self.w(a, b));
        old.iter().flat_map(|a| old.iter().map(move |b| entry(a, b))).collect()
    }
}
