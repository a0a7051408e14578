//! Silhouettes: which cursors reach which others along which fields (Li, Berenger, Chang, Rival 2017, §3.2–4.3).
//!
//! A [`Silhouette`] is a graph whose edges carry path expressions ([`Path`]): a conjunction of statements "following such
//! fields from here leads there". [`Silhouette::of`] is the translation `Π` of a state, restricted to the roots that
//! matter: cells that hold pointers and segments give edges, whole structures, null and numbers give none. An abstraction
//! of an abstraction: it forgets nearly everything and is cheap, and two disjuncts whose silhouettes contradict each
//! other have no precise common description. Here it only guides: what may be joined is decided by the join,
//! what is included by inclusion, so nothing about soundness rests on this module.
//!
//! Two deviations from the paper. A root that holds an address inside an object counts as one that holds the object, and
//! fields are offsets from the object's start. And the split of nodes in Def. 4 is decided for each pair of nodes by
//! itself, which is what the split comes down to when edges run between the nodes of a part.
//!
//! Cost: for a state with `n` cells and `r` roots, `n` steps to read what matters of it, and where that was not met before
//! `r` walks of at most [`MAX_WALK`] steps; relations compare at most all pairs of edges between the same nodes.

mod edge;
mod interned;
mod known;
mod relate;
#[cfg(test)]
mod tests;
mod translate;

pub use crate::pred::path::{Atom, Field, Path};
pub use interned::PathId;
pub use known::{KnownSilhouettes, Relation, SilhouetteId};
pub use relate::{BOUND, groups};

use crate::state::Root;
use edge::Edge;

/// Most steps of the walk from one root that collects its paths to other roots.
pub const MAX_WALK: usize = 400;

/// A conjunction of reachability statements between roots (Def. 1), restricted to them (§3.3).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Silhouette {
    /// The roots that hold a value, in order.
    nodes: Vec<Root>,
    /// Those that hold null, in order.
    nulls: Vec<Root>,
    /// In order, without repetition.
    edges: Vec<Edge>,
    /// A bit for each two roots of which one leads to the other, shared by several: what tells most silhouettes apart.
    ways: u64,
    /// Whether some paths were left out because there were too many.
    pub cut_short: bool,
}

impl Silhouette {
    /// A silhouette with these edges; their ends are its nodes.
    #[cfg(test)]
    pub(crate) fn from_edges(edges: impl IntoIterator<Item = (Root, Path, Root)>) -> Silhouette {
        let mut s = Silhouette::default();
        for (a, path, b) in edges {
            s.add(a, PathId::of(path), b);
        }
        s
    }

    fn add(&mut self, from: Root, path: PathId, to: Root) {
        for root in [from, to] {
            if let Err(at) = self.nodes.binary_search(&root) {
                self.nodes.insert(at, root);
            }
        }
        let edge = Edge::new(from, path, to);
        self.ways |= bit(edge);
        if let Err(at) = self.edges.binary_search(&edge) {
            self.edges.insert(at, edge);
        }
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = (Root, PathId, Root)> {
        self.edges.iter().map(|edge| {
            let (from, to) = edge.ends();
            (from, edge.path(), to)
        })
    }

    /// The expressions from one node to another.
    pub fn between(&self, from: Root, to: Root) -> impl Iterator<Item = PathId> {
        let way = edge::key(from, to);
        let start = self.edges.partition_point(|e| e.way() < way);
        let here = self.edges.get(start..).unwrap_or_default();
        here.iter().take_while(move |e| e.way() == way).map(|e| e.path())
    }

    fn has(&self, root: Root) -> bool {
        self.nodes.binary_search(&root).is_ok()
    }

    fn is_null(&self, root: Root) -> bool {
        self.nulls.binary_search(&root).is_ok()
    }

    /// The same silhouette without statements about what is null ([`Silhouette::with_null`]).
    pub fn without_null(&self) -> Silhouette {
        if self.nulls.is_empty() {
            return self.clone();
        }
        let has_place = |e: &&Edge| {
            let (first, second) = e.pair();
            !self.is_null(first) && !self.is_null(second)
        };
        let edges: Vec<Edge> = self.edges.iter().filter(has_place).copied().collect();
        Silhouette {
            ways: ways(&edges),
            edges,
            nodes: self.nodes.clone(),
            nulls: self.nulls.clone(),
            cut_short: self.cut_short,
        }
    }

    fn map_paths(&self, f: impl Fn(PathId) -> PathId) -> Silhouette {
        let mut edges: Vec<_> = self.edges.iter().map(|e| e.with_path(f(e.path()))).collect();
        edges.sort_unstable();
        edges.dedup();
        Silhouette { nodes: self.nodes.clone(), nulls: self.nulls.clone(), edges, ..*self }
    }
}

/// The bits of all edges.
fn ways(edges: &[Edge]) -> u64 {
    edges.iter().fold(0, |bits, edge| bits | bit(*edge))
}

/// The bit for the ends of an edge. None where they are the same: that a root leads to itself may go without saying.
fn bit(edge: Edge) -> u64 {
    /// An odd number without a pattern, as multiplicative hashing needs it.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (from, to) = edge.ends();
    let way = edge.way();
    if from == to {
        0
    } else {
        1 << (((way >> 36) as u64 ^ (way as u64).rotate_left(17)).wrapping_mul(SPREAD) >> 58)
    }
}

impl std::fmt::Display for Silhouette {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut edges: Vec<String> = self.edges().map(|(a, p, b)| format!("({a:?}, {p}, {b:?})")).collect();
        edges.sort();
        write!(f, "{{{}}}", edges.join(", "))
    }
}
