//! The shape of a function's control flow: edges, orders, dominators.
//!
//! Everything here is iterative, so that the depth of the graph is no limit. [`Cfg::new`] costs O(edges);
//! dominators follow Cooper, Harvey and Kennedy (*A simple, fast dominance algorithm*), close to linear on the
//! graphs of real programs. The weak topological order that fixpoints iterate over is in [`crate::wto`].
//!
//! **Invariant:** an edge to a block that does not exist is dropped, so every index handed out is valid for the
//! body the graph was built from.

use crate::body::{BlockId, Body, TerminatorKind};
use crate::index::{Idx, IndexVec};
use smallvec::SmallVec;

/// Calls `f` for each block that a terminator may go on to, with repetitions.
pub fn for_each_target(kind: &TerminatorKind, mut f: impl FnMut(BlockId)) {
    match kind {
        TerminatorKind::Goto(target) => f(*target),
        TerminatorKind::Branch { then, otherwise, .. } => {
            f(*then);
            f(*otherwise);
        }
        TerminatorKind::Switch { cases, default, .. } => {
            cases.iter().for_each(|case| f(case.target));
            f(*default);
        }
        TerminatorKind::GotoAddress { targets, .. } => targets.iter().copied().for_each(f),
        TerminatorKind::Return(_) | TerminatorKind::Unreachable => {}
    }
}

/// A list of neighbours; most blocks have at most two.
type Neighbours = SmallVec<[BlockId; 2]>;

/// Edges and orders of a function body.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: IndexVec<BlockId, Neighbours>,
    predecessors: IndexVec<BlockId, Neighbours>,
    reverse_postorder: Vec<BlockId>,
    position: IndexVec<BlockId, Option<u32>>,
}

impl Cfg {
    /// The graph of `body`.
    pub fn new(body: &Body) -> Cfg {
        let n = body.blocks.len();
        let mut successors = IndexVec::from_elem(Neighbours::new(), n);
        let mut predecessors = IndexVec::from_elem(Neighbours::new(), n);
        // `last_source[t]` is the newest block found to have an edge to `t`; it keeps edges unique.
        let mut last_source: IndexVec<BlockId, Option<BlockId>> = IndexVec::from_elem(None, n);
        for (id, block) in body.blocks.iter_enumerated() {
            for_each_target(&block.terminator.kind, |target| {
                if let Some(source) = last_source.get_mut(target)
                    && *source != Some(id)
                {
                    *source = Some(id);
                    successors[id].push(target);
                    predecessors[target].push(id);
                }
            });
        }
        let reverse_postorder = reverse_postorder(&successors);
        let mut position = IndexVec::from_elem(None, n);
        for (i, &b) in reverse_postorder.iter().enumerate() {
            position[b] = Some(i as u32);
        }
        Cfg { successors, predecessors, reverse_postorder, position }
    }

    /// Number of blocks, unreachable ones included.
    pub fn len(&self) -> usize {
        self.successors.len()
    }
    /// Whether the body has no block at all.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }
    /// The blocks that may follow `block`, each once.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.get(block).map_or(&[], |s| s)
    }
    /// The blocks that may come before `block`, each once.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.get(block).map_or(&[], |s| s)
    }
    /// The blocks reachable from the entry, each before its successors except along back edges.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }
    /// Where `block` stands in the reverse postorder; `None` if it is unreachable.
    pub fn position(&self, block: BlockId) -> Option<u32> {
        self.position.get(block).copied().flatten()
    }
    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position(block).is_some()
    }

    /// Whether some block can be reached from itself.
    pub fn has_cycle(&self) -> bool {
        // In reverse postorder every cycle has an edge that does not lead forward.
        let back = |b: &BlockId| self.successors(*b).iter().any(|s| self.position(*s) <= self.position(*b));
        self.reverse_postorder.iter().any(back)
    }

    /// The immediate dominators.
    pub fn dominators(&self) -> Dominators {
        let mut idom: IndexVec<BlockId, Option<BlockId>> = IndexVec::from_elem(None, self.len());
        let Some(&entry) = self.reverse_postorder.first() else { return Dominators { idom } };
        idom[entry] = Some(entry);
        let mut changed = true;
        while changed {
            changed = false;
            for &b in &self.reverse_postorder[1..] {
                let mut new = None;
                for &p in &self.predecessors[b] {
                    if idom[p].is_some() {
                        new = Some(new.map_or(p, |q| self.common_dominator(&idom, p, q)));
                    }
                }
                if idom[b] != new {
                    idom[b] = new;
                    changed = true;
                }
            }
        }
        Dominators { idom }
    }

    fn common_dominator(&self, idom: &IndexVec<BlockId, Option<BlockId>>, a: BlockId, b: BlockId) -> BlockId {
        let (mut a, mut b) = (a, b);
        while a != b {
            if self.position[a] > self.position[b] {
                a = idom[a].unwrap_or(Body::ENTRY);
            } else {
                b = idom[b].unwrap_or(Body::ENTRY);
            }
        }
        a
    }
}

fn reverse_postorder(successors: &IndexVec<BlockId, Neighbours>) -> Vec<BlockId> {
    let mut order = Vec::new();
    if successors.is_empty() {
        return order;
    }
    let mut seen = vec![false; successors.len()];
    seen[Body::ENTRY.index()] = true;
    let mut stack = vec![(Body::ENTRY, 0)];
    while let Some((block, next)) = stack.last_mut() {
        // Later successors first, so that the order follows the text: `then` before `else`, body before exit.
        let edges = &successors[*block];
        if let Some(&target) = edges.len().checked_sub(*next + 1).and_then(|i| edges.get(i)) {
            *next += 1;
            if !std::mem::replace(&mut seen[target.index()], true) {
                stack.push((target, 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

/// The dominator tree of a function body.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: IndexVec<BlockId, Option<BlockId>>,
}

impl Dominators {
    /// The closest block other than `block` that every path from the entry to it passes; `None` for the entry
    /// and for unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.idom.get(block).copied().flatten().filter(|&d| d != block)
    }
    /// Whether every path from the entry to `block` passes `dominator`. Every block dominates itself; nothing
    /// else dominates an unreachable block.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        std::iter::successors(Some(block), |&b| self.immediate(b)).any(|b| b == dominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph;

    #[test]
    fn edges_are_unique_and_mirrored() {
        let cfg = Cfg::new(&graph(&[&[1, 1, 2], &[3], &[3, 1], &[]]));
        assert_eq!(cfg.successors(BlockId(0)), [BlockId(1), BlockId(2)]);
        assert_eq!(cfg.predecessors(BlockId(1)), [BlockId(0), BlockId(2)]);
        assert_eq!(cfg.predecessors(BlockId(3)), [BlockId(1), BlockId(2)]);
        assert_eq!(cfg.successors(BlockId(77)), []);
    }

    #[test]
    fn reverse_postorder_follows_the_text() {
        // while (c) { if (d) x; else y; }
        let cfg = Cfg::new(&graph(&[&[1], &[2, 5], &[3, 4], &[1], &[1], &[], &[5]]));
        assert_eq!(cfg.reverse_postorder(), [0, 1, 2, 3, 4, 5].map(BlockId));
        assert!(!cfg.is_reachable(BlockId(6)));
    }

    #[test]
    fn dominators_of_a_diamond_in_a_loop() {
        let cfg = Cfg::new(&graph(&[&[1], &[2, 3], &[4], &[4], &[1, 5], &[]]));
        let dom = cfg.dominators();
        assert_eq!(dom.immediate(BlockId(0)), None);
        assert_eq!(dom.immediate(BlockId(4)), Some(BlockId(1)));
        assert_eq!(dom.immediate(BlockId(5)), Some(BlockId(4)));
        assert!(dom.dominates(BlockId(1), BlockId(5)) && !dom.dominates(BlockId(2), BlockId(4)));
    }

    #[test]
    fn a_diamond_has_no_cycle() {
        let cyclic = |edges: &[&[u32]]| Cfg::new(&graph(edges)).has_cycle();
        assert!(!cyclic(&[&[1, 2], &[3], &[3], &[]]));
        assert!(cyclic(&[&[1], &[1, 2], &[]]), "a block that follows itself");
        assert!(cyclic(&[&[1], &[2], &[1, 3], &[]]));
        assert!(!cyclic(&[&[], &[1]]), "what is not reached does not count");
    }

    #[test]
    fn survives_bad_edges_and_great_depth() {
        assert_eq!(Cfg::new(&graph(&[&[9]])).successors(BlockId(0)), []);
        assert!(Cfg::new(&Body::default()).reverse_postorder().is_empty());
        let chain: Vec<Vec<u32>> = (1..=200_000).map(|i| vec![i]).collect();
        let edges: Vec<&[u32]> = chain.iter().map(|e| &e[..]).chain([&[][..]]).collect();
        let cfg = Cfg::new(&graph(&edges));
        assert_eq!(cfg.reverse_postorder().len(), 200_001);
        assert_eq!(cfg.dominators().immediate(BlockId(200_000)), Some(BlockId(199_999)));
    }
}
