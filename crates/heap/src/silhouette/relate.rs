//! Relations between silhouettes: weak entailment (Def. 2), association (Def. 4), join (Def. 5), pairing (Def. 8), and
//! the groups that association makes (Fig. 9).

use super::{Path, PathId, Silhouette};
use crate::state::Root;
use std::collections::BTreeSet;

/// The bound on expressions for pairing; the paper's choice.
pub const BOUND: usize = 1;

impl Silhouette {
    /// `Φ` (Def. 3).
    pub fn generalised(&self) -> Silhouette {
        self.map_paths(PathId::generalised)
    }

    /// Weak entailment (Def. 2): each statement of the other silhouette follows from a path here. Since edges are closed
    /// under composition, a sequence of edges is an edge. If it fails, no disjunct with this silhouette is included in one
    /// with the other (Th. 3).
    pub fn entails(&self, other: &Silhouette) -> bool {
        other.edges().all(|(from, path, to)| {
            from == to && path.value().contains(&[]) || self.between(from, to).any(|p| p.included_in(path))
        })
    }

    /// Association (Def. 4) of generalised silhouettes: for each two nodes, what one side says of them follows from
    /// what the other says.
    pub fn associated(&self, other: &Silhouette) -> bool {
        let shared = |r: Root| self.has(r) && other.has(r);
        if self.edges == other.edges && self.nulls == other.nulls {
            return true;
        }
        let mut last = None;
        let pairs = self.edges().chain(other.edges()).map(|(a, _, b)| (a.min(b), a.max(b)));
        // Several expressions between the same nodes are neighbours.
        let mut pairs = pairs.filter(|pair| last.replace(*pair) != Some(*pair));
        self.null_alike(other)
            && pairs.all(|(a, b)| {
                !(shared(a) && shared(b))
                    || self.entails_between(other, a, b)
                    || other.entails_between(self, a, b)
            })
    }

    /// Whether what is null on one side only is a structure of its own on the other: null has no place among cursors,
    /// and one that has would lose it.
    fn null_alike(&self, other: &Silhouette) -> bool {
        let apart = |null: &Silhouette, linked: &Silhouette| {
            let here_only = null.nulls.iter().filter(|r| linked.has(**r) && !linked.is_null(**r));
            here_only
                .into_iter()
                .any(|r| linked.edges().any(|(a, _, b)| (a == *r || b == *r) && null.has(a) && null.has(b)))
        };
        !apart(self, other) && !apart(other, self)
    }

    /// Entailment of what is said of two nodes.
    fn entails_between(&self, other: &Silhouette, a: Root, b: Root) -> bool {
        [(a, b), (b, a)].into_iter().all(|(from, to)| {
            other.between(from, to).all(|path| self.between(from, to).any(|p| p.included_in(path)))
        })
    }

    /// The join of Def. 5: what holds on both sides, with more general expressions.
    pub fn joined(&self, other: &Silhouette) -> Silhouette {
        let mut joined = Silhouette {
            nodes: self.nodes.iter().copied().filter(|r| other.has(*r)).collect(),
            nulls: self.nulls.iter().copied().filter(|r| other.is_null(*r)).collect(),
            cut_short: self.cut_short || other.cut_short,
            ..Silhouette::default()
        };
        for (from, path, to) in self.edges() {
            for theirs in other.between(from, to) {
                joined.add(from, PathId::of(path.value().joined(&theirs.value())), to);
            }
        }
        joined
    }

    /// Pairing for widening (Def. 8): the new silhouette fits the old one when expressions are cut at the bound.
    pub fn takes_in(&self, new: &Silhouette) -> bool {
        let empty = PathId::of(Path::empty());
        self.null_alike(new)
            && self.edges().filter(|(from, _, to)| new.has(*from) && new.has(*to)).all(|(from, path, to)| {
                // What is at one place has no order: either may have moved away from the other.
                let together = path == empty && new.between(to, from).next().is_some();
                let bound = path.bounded();
                together || new.between(from, to).any(|p| p.bounded().included_in(bound))
            })
    }
}

/// The connected components of association, by index; within each, every member but the first is associated with one
/// before it (Fig. 9, lines 2–5).
pub fn groups(count: usize, mut associated: impl FnMut(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut rest: BTreeSet<usize> = (0..count).collect();
    let mut groups = Vec::new();
    while let Some(first) = rest.pop_first() {
        let mut group = vec![first];
        let mut at = 0;
        while let Some(i) = group.get(at).copied() {
            let near: Vec<usize> = rest.iter().copied().filter(|j| associated(i, *j)).collect();
            for j in near {
                rest.remove(&j);
                group.push(j);
            }
            at += 1;
        }
        groups.push(group);
    }
    groups
}
