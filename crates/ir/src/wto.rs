//! Weak topological orders (F. Bourdoncle, *Efficient chaotic iteration strategies with widenings*, 1993).
//!
//! A weak topological order lists the reachable blocks so that every edge goes forward, except edges into the
//! head of a component that encloses their source. Iterating each component until its head is stable, and
//! widening at heads only, reaches a fixpoint. Components nest; a component is a contiguous range that starts
//! with its head, so the order is kept flat and nothing here or in its users needs recursion.
//!
//! Computed by repeated decomposition into strongly connected components: O(edges × nesting depth).

use crate::body::{BlockId, Body};
use crate::cfg::Cfg;
use crate::index::IndexVec;

/// A place in the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WtoEntry {
    /// The block.
    pub block: BlockId,
    /// If the block is the head of a component: the position after the component's last block.
    pub end: Option<usize>,
    /// Number of components around the block, its own included if it is a head.
    pub depth: usize,
}

/// The reachable blocks of a function in weak topological order.
#[derive(Clone, Debug)]
pub struct Wto {
    entries: Vec<WtoEntry>,
    position: IndexVec<BlockId, Option<u32>>,
}

enum Work {
    /// Order the blocks of a region that are reachable, inside the region, from these.
    Region { region: u32, roots: Vec<BlockId> },
    /// Place a block that is in no further component.
    Vertex(BlockId),
    /// Place a head, then the rest of its component.
    Component { head: BlockId, rest: Vec<BlockId> },
    /// The component whose head stands at this position is complete.
    Close(usize),
}

impl Wto {
    /// A weak topological order of the blocks reachable in `cfg`.
    pub fn new(cfg: &Cfg) -> Wto {
        let mut region = IndexVec::from_elem(0u32, cfg.len());
        let mut regions = 1;
        let mut entries: Vec<WtoEntry> = Vec::with_capacity(cfg.len());
        let mut depth = 0;
        let mut scc = Components::new(cfg);
        let mut work = Vec::new();
        if !cfg.is_empty() {
            work.push(Work::Region { region: 0, roots: vec![Body::ENTRY] });
        }
        while let Some(item) = work.pop() {
            match item {
                // Components arrive last first, which is how a stack wants them.
                Work::Region { region: id, roots } => scc.find(cfg, &region, id, &roots, &mut work),
                Work::Vertex(block) => entries.push(WtoEntry { block, end: None, depth }),
                Work::Component { head, rest } => {
                    depth += 1;
                    work.push(Work::Close(entries.len()));
                    entries.push(WtoEntry { block: head, end: Some(0), depth });
                    for &b in &rest {
                        region[b] = regions;
                    }
                    // Marks the head as ordered, in a region that is never searched.
                    region[head] = u32::MAX;
                    let inside = |b: &BlockId| region[*b] == regions;
                    let roots = cfg.successors(head).iter().copied().filter(inside).collect();
                    work.push(Work::Region { region: regions, roots });
                    regions += 1;
                }
                Work::Close(at) => {
                    entries[at].end = Some(entries.len());
                    depth -= 1;
                }
            }
        }
        let mut position = IndexVec::from_elem(None, cfg.len());
        for (i, entry) in entries.iter().enumerate() {
            position[entry.block] = Some(i as u32);
        }
        Wto { entries, position }
    }

    /// The order.
    pub fn entries(&self) -> &[WtoEntry] {
        &self.entries
    }
    /// Where `block` stands; `None` if it is unreachable.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position.get(block).copied().flatten().map(|p| p as usize)
    }
    /// Whether `block` is the head of a component: the places to widen.
    pub fn is_head(&self, block: BlockId) -> bool {
        self.position(block).is_some_and(|p| self.entries[p].end.is_some())
    }
    /// The heads of the components around `block`, innermost first; a head belongs to its own component.
    pub fn enclosing_heads(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let at = self.position(block);
        let before = at.map_or(&[][..], |at| &self.entries[..=at]);
        before.iter().rev().filter(move |e| e.end.is_some_and(|end| Some(end) > at)).map(|e| e.block)
    }
    /// Whether an edge goes against the order; its target is then the head of a component around its source.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        matches!((self.position(from), self.position(to)), (Some(f), Some(t)) if t <= f)
    }
}

impl std::fmt::Display for Wto {
    /// In Bourdoncle's notation: `b0 (b1 b2) b3`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut open: Vec<usize> = Vec::new();
        for (i, entry) in self.entries.iter().enumerate() {
            while open.last() == Some(&i) {
                open.pop();
                f.write_str(")")?;
            }
            if i > 0 {
                f.write_str(" ")?;
            }
            if let Some(end) = entry.end {
                open.push(end);
                f.write_str("(")?;
            }
            write!(f, "{:?}", entry.block)?;
        }
        open.iter().try_for_each(|_| f.write_str(")"))
    }
}

/// Tarjan's algorithm with an explicit stack; its tables are reused from region to region.
struct Components {
    /// Visit number, from 1; 0 is unvisited. Numbers grow from search to search.
    number: IndexVec<BlockId, u32>,
    low: IndexVec<BlockId, u32>,
    on_stack: IndexVec<BlockId, bool>,
    /// Number of visits so far.
    visits: u32,
}

impl Components {
    fn new(cfg: &Cfg) -> Self {
        let n = cfg.len();
        Components {
            number: IndexVec::from_elem(0, n),
            low: IndexVec::from_elem(0, n),
            on_stack: IndexVec::from_elem(false, n),
            visits: 0,
        }
    }

    /// Pushes the components of the region, each after those it leads to.
    fn find(
        &mut self,
        cfg: &Cfg,
        region: &IndexVec<BlockId, u32>,
        id: u32,
        roots: &[BlockId],
        out: &mut Vec<Work>,
    ) {
        let before = self.visits;
        let mut stack: Vec<BlockId> = Vec::new();
        // Later roots first, as later successors below, so that the order follows the text.
        for &root in roots.iter().rev() {
            if self.number[root] > before {
                continue;
            }
            let mut calls = vec![(root, 0)];
            self.enter(root, &mut stack);
            while let Some((block, next)) = calls.last_mut() {
                let block = *block;
                let edges = cfg.successors(block);
                if let Some(&target) = edges.len().checked_sub(*next + 1).and_then(|i| edges.get(i)) {
                    *next += 1;
                    if region[target] != id {
                        continue;
                    }
                    if self.number[target] <= before {
                        self.enter(target, &mut stack);
                        calls.push((target, 0));
                    } else if self.on_stack[target] {
                        self.low[block] = self.low[block].min(self.number[target]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(caller, _)) = calls.last() {
                    self.low[caller] = self.low[caller].min(self.low[block]);
                }
                if self.low[block] == self.number[block] {
                    let start = stack.iter().rposition(|&b| b == block).unwrap_or(0);
                    let rest = stack.split_off(start + 1);
                    stack.pop();
                    self.on_stack[block] = false;
                    for &b in &rest {
                        self.on_stack[b] = false;
                    }
                    out.push(if rest.is_empty() && !edges.contains(&block) {
                        Work::Vertex(block)
                    } else {
                        Work::Component { head: block, rest }
                    });
                }
            }
        }
    }

    fn enter(&mut self, block: BlockId, stack: &mut Vec<BlockId>) {
        self.visits += 1;
        self.number[block] = self.visits;
        self.low[block] = self.visits;
        self.on_stack[block] = true;
        stack.push(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph;

    fn order(edges: &[&[u32]]) -> (Cfg, Wto) {
        let cfg = Cfg::new(&graph(edges));
        let wto = Wto::new(&cfg);
        check(&cfg, &wto);
        (cfg, wto)
    }

    /// The defining property, and that exactly the reachable blocks are there.
    fn check(cfg: &Cfg, wto: &Wto) {
        assert_eq!(wto.entries().len(), cfg.reverse_postorder().len());
        for &b in cfg.reverse_postorder() {
            for &s in cfg.successors(b) {
                assert_eq!(
                    wto.is_back_edge(b, s),
                    wto.enclosing_heads(b).any(|h| h == s) && wto.position(s) <= wto.position(b),
                    "{b:?} -> {s:?} in {wto}"
                );
            }
        }
    }

    #[test]
    fn nested_loops() {
        let (_, wto) = order(&[&[1], &[2, 5], &[3, 4], &[2], &[1], &[]]);
        assert_eq!(wto.to_string(), "b0 (b1 (b2 b3) b4) b5");
        assert_eq!(wto.enclosing_heads(BlockId(3)).collect::<Vec<_>>(), [BlockId(2), BlockId(1)]);
        assert_eq!(wto.entries()[3].depth, 2);
    }

    #[test]
    fn self_loop_and_irreducible_graph() {
        assert_eq!(order(&[&[0, 1], &[]]).1.to_string(), "(b0) b1");
        // Two entries into the cycle of 1 and 2.
        assert_eq!(order(&[&[1, 2], &[2, 3], &[1], &[]]).1.to_string(), "b0 (b2 b1) b3");
    }

    #[test]
    fn the_example_of_the_paper() {
        // Bourdoncle, figure 2, with vertices counted from 0.
        let (_, wto) = order(&[&[1], &[2, 7], &[3], &[4, 6], &[5], &[4, 6], &[2, 7], &[]]);
        assert_eq!(wto.to_string(), "b0 b1 (b2 b3 (b4 b5) b6) b7");
    }

    #[test]
    fn every_small_random_graph_has_the_property() {
        let mut seed = 7u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..2000 {
            let n = 1 + random(9);
            let edges: Vec<Vec<u32>> =
                (0..n).map(|_| (0..random(4)).map(|_| random(n) as u32).collect()).collect();
            order(&edges.iter().map(|e| &e[..]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn great_depth_is_no_limit() {
        // A ladder of 3,000 loops, each inside the one before.
        let n = 3000u32;
        let edges: Vec<Vec<u32>> =
            (0..=n).map(|i| if i == n { (0..n).collect() } else { vec![i + 1] }).collect();
        let cfg = Cfg::new(&graph(&edges.iter().map(|e| &e[..]).collect::<Vec<_>>()));
        assert_eq!(Wto::new(&cfg).entries().iter().map(|e| e.depth).max(), Some(n as usize));
    }
}
