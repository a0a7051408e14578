//! The edges of silhouettes, each in one number: there are many, and nearly all that happens to them is that they are
//! sorted and compared.
//!
//! What is said of the same two roots stands together, in either direction, since that is what is compared.

use super::PathId;
use crate::state::Root;
use heapwise_ir::{GlobalId, LocalId};
use std::marker::PhantomData;

/// That some path from one root to another follows an expression: from high to low, the two roots in the order of their
/// numbers, whether it leads from the second to the first, and the number of the expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Edge(u128, PhantomData<PathId>);

/// Bits of a root.
const ROOT: u32 = 35;
/// Bits of an expression.
const PATH: u32 = u32::BITS;

impl Edge {
    pub(super) fn new(from: Root, path: PathId, to: Root) -> Edge {
        Edge(key(from, to) << PATH | u128::from(path.number()), PhantomData)
    }

    /// The two roots.
    pub(super) fn pair(self) -> (Root, Root) {
        let root = |shift: u32| unpacked((self.0 >> shift) as u64 & ((1 << ROOT) - 1));
        (root(PATH + 1 + ROOT), root(PATH + 1))
    }

    /// From where to where.
    pub(super) fn ends(self) -> (Root, Root) {
        let (first, second) = self.pair();
        if self.way() & 1 == 1 { (second, first) } else { (first, second) }
    }

    pub(super) fn path(self) -> PathId {
        PathId::numbered(self.0 as u32)
    }

    /// The same with another expression.
    pub(super) fn with_path(self, path: PathId) -> Edge {
        Edge(self.way() << PATH | u128::from(path.number()), PhantomData)
    }

    /// What edges from the same root to the same root share.
    pub(super) fn way(self) -> u128 {
        self.0 >> PATH
    }

    /// What edges between the same roots share, in either direction.
    pub(super) fn between(self) -> u128 {
        self.0 >> (PATH + 1)
    }
}

/// What the edges from a root to another have in common ([`Edge::way`]).
pub(super) fn key(from: Root, to: Root) -> u128 {
    let (from, to) = (packed(from), packed(to));
    let back = to < from;
    let (first, second) = if back { (to, from) } else { (from, to) };
    u128::from(first) << (ROOT + 1) | u128::from(second) << 1 | u128::from(back)
}

/// A root as a number: which kind, and which of them.
pub(super) fn packed(root: Root) -> u64 {
    let (kind, which) = match root {
        Root::Local(LocalId(n)) => (0, n),
        Root::Slot(LocalId(n)) => (1, n),
        Root::Global(GlobalId(n)) => (2, n),
        Root::Result => (3, 0),
        Root::Cut(n) => (4, n),
        Root::Model(n) => (5, u32::from(n)),
        Root::Kept(n) => (6, n),
        Root::AtExit(n) => (7, u32::from(n)),
    };
    kind << u32::BITS | u64::from(which)
}

fn unpacked(number: u64) -> Root {
    let which = number as u32;
    match number >> u32::BITS {
        0 => Root::Local(LocalId(which)),
        1 => Root::Slot(LocalId(which)),
        2 => Root::Global(GlobalId(which)),
        3 => Root::Result,
        4 => Root::Cut(which),
        5 => Root::Model(which as u8),
        7 => Root::AtExit(which as u8),
        _ => Root::Kept(which),
    }
}

impl std::fmt::Debug for Edge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (from, to) = self.ends();
        write!(f, "({from:?}, {}, {to:?})", self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::silhouette::{Field, Path};

    #[test]
    fn an_edge_knows_its_ends_and_its_path() {
        let numbers = [0, 1, 7, u32::MAX];
        let kinds = |n: u32| {
            [
                Root::Local(LocalId(n)),
                Root::Slot(LocalId(n)),
                Root::Global(GlobalId(n)),
                Root::Cut(n),
                Root::Model(n as u8),
                Root::Kept(n),
                Root::AtExit(n as u8),
            ]
        };
        let roots: Vec<Root> = numbers.into_iter().flat_map(kinds).chain([Root::Result]).collect();
        let paths = [Path::empty(), Path::step(Field(8)), Path::star([Field(0), Field(8)])].map(PathId::of);
        for (from, to, path) in roots
            .iter()
            .flat_map(|a| roots.iter().map(move |b| (*a, *b)))
            .flat_map(|(a, b)| paths.map(|p| (a, b, p)))
        {
            let edge = Edge::new(from, path, to);
            assert_eq!((edge.ends(), edge.path()), ((from, to), path));
            assert_eq!(edge.way(), key(from, to));
            assert_eq!(edge.between(), Edge::new(to, path, from).between());
            assert_eq!(edge.way() == Edge::new(to, path, from).way(), from == to);
            assert_eq!(edge.with_path(paths[0]), Edge::new(from, paths[0], to));
        }
    }
}
