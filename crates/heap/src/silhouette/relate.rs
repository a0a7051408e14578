//! Relations between silhouettes: weak entailment (Def. 2), association (Def. 4), join (Def. 5), pairing (Def. 8), and
//! the groups that association makes (Fig. 9).

use super::edge::Edge;
use super::{Path, PathId, Silhouette};
use std::collections::BTreeSet;

/// The bound on expressions for pairing; the paper's choice.
pub const BOUND: usize = 1;

impl Silhouette {
    /// `Φ` (Def. 3).
    pub fn generalised(&self) -> Silhouette {
        self.map_paths(PathId::generalised)
    }

    /// Whether weak entailment fails at first sight: a root of the other silhouette leads to one that it does not lead to
    /// here.
    pub(super) fn lacks_ways_of(&self, other: &Silhouette) -> bool {
        other.ways & !self.ways != 0
    }

    /// Weak entailment (Def. 2): each statement of the other silhouette follows from a path here. Since edges are closed
    /// under composition, a sequence of edges is an edge. If it fails, no disjunct with this silhouette is included in one
    /// with the other (Th. 3).
    pub fn entails(&self, other: &Silhouette) -> bool {
        let empty = |e: &Edge| {
            let (from, to) = e.pair();
            from == to && e.path().value().contains(&[])
        };
        !self.lacks_ways_of(other)
            && in_pairs(&other.edges, &self.edges).all(|(theirs, mine)| {
                follow(theirs, mine) || theirs.iter().all(|e| empty(e) || follows(e, mine))
            })
    }

    /// Association (Def. 4) of generalised silhouettes: for each two nodes, what one side says of them follows from
    /// what the other says.
    pub fn associated(&self, other: &Silhouette) -> bool {
        self.null_alike(other)
            && in_pairs(&self.edges, &other.edges)
                .all(|(mine, theirs)| follow(theirs, mine) || follow(mine, theirs))
    }

    /// Whether what is null on one side only is a structure of its own on the other: null has no place among cursors,
    /// and one that has would lose it.
    fn null_alike(&self, other: &Silhouette) -> bool {
        if self.nulls == other.nulls {
            return true;
        }
        let apart = |null: &Silhouette, linked: &Silhouette| {
            let here_only = null.nulls.iter().filter(|r| linked.has(**r) && !linked.is_null(**r));
            here_only
                .into_iter()
                .any(|r| linked.edges().any(|(a, _, b)| (a == *r || b == *r) && null.has(a) && null.has(b)))
        };
        !apart(self, other) && !apart(other, self)
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

/// What some edges say of each two nodes, with what others say of the same ones.
fn in_pairs<'e>(some: &'e [Edge], others: &'e [Edge]) -> impl Iterator<Item = (&'e [Edge], &'e [Edge])> {
    let mut rest = others;
    some.chunk_by(|a, b| a.between() == b.between()).map(move |here| {
        let pair = here.first().map_or(0, |e| e.between());
        let before = rest.iter().take_while(|e| e.between() < pair).count();
        rest = rest.get(before..).unwrap_or_default();
        let same = rest.iter().take_while(|e| e.between() == pair).count();
        (here, rest.get(..same).unwrap_or_default())
    })
}

/// Whether what some edges say of two nodes follows from what others say of them.
fn follow(these: &[Edge], from: &[Edge]) -> bool {
    these == from || these.iter().all(|e| follows(e, from))
}

fn follows(edge: &Edge, from: &[Edge]) -> bool {
    from.iter().any(|e| e.way() == edge.way() && e.path().included_in(edge.path()))
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
