//! Silhouettes: which cursors reach which others along which fields (Li, Berenger, Chang, Rival 2017, §3.2–4.3).
//!
//! A [`Silhouette`] is a graph whose edges carry path expressions ([`path`]): a conjunction of statements "following such
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
//! Cost: for a state with `n` cells and `r` roots, `r` walks of at most [`MAX_WALK`] steps; relations compare at most all
//! pairs of edges between the same nodes.

mod interned;
mod known;
pub mod path;
mod relate;
#[cfg(test)]
mod tests;
mod translate;

pub use interned::PathId;
pub use known::{KnownSilhouettes, Relation, SilhouetteId};
pub use path::{Atom, Field, Path};
pub use relate::{BOUND, groups};

use crate::state::Root;

/// Most steps of the walk from one root that collects its paths to other roots.
pub const MAX_WALK: usize = 400;

/// A conjunction of reachability statements between roots (Def. 1), restricted to them (§3.3).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Silhouette {
    /// The roots that hold a value, in order.
    nodes: Vec<Root>,
    /// Those that hold null, in order.
    nulls: Vec<Root>,
    /// From, to, and an expression that some path between them follows; in order, without repetition.
    edges: Vec<(Root, Root, PathId)>,
    /// Whether some paths were left out because there were too many.
    pub cut_short: bool,
}

impl Silhouette {
    /// A silhouette with these edges; their ends are its nodes.
    pub fn from_edges(edges: impl IntoIterator<Item = (Root, Path, Root)>) -> Silhouette {
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
        let edge = (from, to, path);
        if let Err(at) = self.edges.binary_search(&edge) {
            self.edges.insert(at, edge);
        }
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = (Root, PathId, Root)> {
        self.edges.iter().map(|(a, b, p)| (*a, *p, *b))
    }

    /// The expressions from one node to another.
    pub fn between(&self, from: Root, to: Root) -> impl Iterator<Item = PathId> {
        let start = self.edges.partition_point(|(a, b, _)| (*a, *b) < (from, to));
        let here = self.edges.get(start..).unwrap_or_default();
        here.iter().take_while(move |(a, b, _)| (*a, *b) == (from, to)).map(|(_, _, p)| *p)
    }

    fn has(&self, root: Root) -> bool {
        self.nodes.binary_search(&root).is_ok()
    }

    fn is_null(&self, root: Root) -> bool {
        self.nulls.binary_search(&root).is_ok()
    }

    /// The same silhouette without statements about what is null ([`Silhouette::with_null`]).
    pub fn without_null(&self) -> Silhouette {
        let has_place = |(a, b, _): &&(Root, Root, PathId)| !self.is_null(*a) && !self.is_null(*b);
        Silhouette {
            edges: self.edges.iter().filter(has_place).copied().collect(),
            nodes: self.nodes.clone(),
            nulls: self.nulls.clone(),
            cut_short: self.cut_short,
        }
    }

    fn map_paths(&self, f: impl Fn(PathId) -> PathId) -> Silhouette {
        let mut edges: Vec<_> = self.edges.iter().map(|(a, b, path)| (*a, *b, f(*path))).collect();
        edges.sort_unstable();
        edges.dedup();
        Silhouette { nodes: self.nodes.clone(), nulls: self.nulls.clone(), edges, cut_short: self.cut_short }
    }
}

impl std::fmt::Display for Silhouette {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut edges: Vec<String> = self.edges().map(|(a, p, b)| format!("({a:?}, {p}, {b:?})")).collect();
        edges.sort();
        write!(f, "{{{}}}", edges.join(", "))
    }
}
