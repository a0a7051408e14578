//! k-limiting (survey §4.2.1, *K-Bounding*): which nodes are put together so that graphs stay small.
//!
//! | limit | keeps apart | put together |
//! |---|---|---|
//! | [`Limit::Paths`] (Jones and Muchnick 1979) | what is less than k fields away from a variable | the rest, by weakly connected components |
//! | [`Limit::Sites`] (Chase et al. 1990) | what a variable points to, and k blocks of an allocation site | more blocks of one site |
//! | [`Limit::Types`] | what a variable points to, and k blocks of a type | more blocks of one type |
//! | [`Limit::OnePerSite`] (Jones and Muchnick 1982) | nothing | the blocks of one site |
//!
//! Only blocks of one size are put together, since offsets in them must mean the same. A graph that is limited has at most as
//! many nodes as there are variables, fields to the power of k, sites and sizes allow: finitely many. The cost is
//! linear in the edges, but for the search for cycles, which is quadratic in the nodes of a group.

use crate::graph::{Graph, Kind, Node, Sharing};
use crate::value::{NodeId, Value};
use heapwise_ir::{Span, Ty};
use heapwise_numeric::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// Which blocks are put together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Limit {
    /// Those that are far from variables.
    #[default]
    Paths,
    /// Those of one allocation site.
    Sites,
    /// Those of one type.
    Types,
    /// Those of one allocation site, whoever points to them.
    OnePerSite,
}

/// What tells groups of nodes apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Group {
    Component(NodeId),
    Site(Span),
    Type(Option<Ty>),
}

/// The limited graph.
pub fn limited(mut graph: Graph, limit: Limit, k: usize) -> Graph {
    graph.sweep();
    graph.recount();
    let near = distances(&graph);
    let near_enough = |n: &NodeId| match limit {
        Limit::Paths => near.get(n).is_some_and(|d| *d < k),
        Limit::Sites | Limit::Types => near.get(n) == Some(&0) && k > 0,
        Limit::OnePerSite => false,
    };
    let far: BTreeSet<NodeId> =
        graph.nodes.iter().filter(|(id, n)| n.is_heap() && !near_enough(id)).map(|(id, _)| *id).collect();
    let components = components(&graph, &far);
    let mut groups: BTreeMap<(Group, Interval), Vec<NodeId>> = BTreeMap::new();
    for id in &far {
        let Some(node) = graph.nodes.get(id) else { continue };
        let Kind::Heap(site) = node.kind else { continue };
        let group = match limit {
            Limit::Paths => Group::Component(components.get(id).copied().unwrap_or(*id)),
            Limit::Sites | Limit::OnePerSite => Group::Site(site),
            Limit::Types => Group::Type(node.ty),
        };
        groups.entry((group, node.size)).or_default().push(*id);
    }
    let most = if matches!(limit, Limit::Sites | Limit::Types) { k.max(1) } else { 1 };
    for group in groups.into_values().filter(|g| g.len() > most) {
        // A pointer must not be taken to pieces.
        let mut parts: Vec<Vec<NodeId>> = Vec::new();
        for n in group {
            let fits = |p: &Vec<NodeId>| {
                p.iter().all(|m| match (graph.nodes.get(&n), graph.nodes.get(m)) {
                    (Some(a), Some(b)) => fits_together(a, b),
                    _ => false,
                })
            };
            match parts.iter_mut().find(|p| fits(p)) {
                Some(part) => part.push(n),
                None => parts.push(vec![n]),
            }
        }
        parts.iter().filter(|p| p.len() > 1).for_each(|p| merge(&mut graph, p));
    }
    graph
}

/// How many fields of blocks lie between a variable and a block.
fn distances(graph: &Graph) -> BTreeMap<NodeId, usize> {
    let is_heap = |n: &NodeId| graph.nodes.get(n).is_some_and(|n| n.is_heap());
    let mut front: BTreeSet<NodeId> = graph.roots.values().flat_map(|v| v.ptrs.keys().copied()).collect();
    for node in graph.nodes.values().filter(|n| !n.is_heap()) {
        front.extend(node.values().flat_map(|v| v.ptrs.keys()));
    }
    let mut found = BTreeMap::new();
    for distance in 0.. {
        front.retain(|n| is_heap(n) && !found.contains_key(n));
        if front.is_empty() {
            break;
        }
        found.extend(front.iter().map(|n| (*n, distance)));
        let nodes = front.iter().filter_map(|n| graph.nodes.get(n));
        front = nodes.flat_map(|n| n.values().flat_map(|v| v.ptrs.keys().copied())).collect();
    }
    found
}

/// For each node the least one that it is weakly connected with among them.
fn components(graph: &Graph, among: &BTreeSet<NodeId>) -> BTreeMap<NodeId, NodeId> {
    let mut least: BTreeMap<NodeId, NodeId> = among.iter().map(|n| (*n, *n)).collect();
    loop {
        let mut changed = false;
        for (a, b) in edges(graph, among) {
            let (Some(x), Some(y)) = (least.get(&a).copied(), least.get(&b).copied()) else { continue };
            if x != y {
                changed = true;
                least.insert(a, x.min(y));
                least.insert(b, x.min(y));
            }
        }
        if !changed {
            return least;
        }
    }
}

/// The edges among some nodes.
fn edges(graph: &Graph, among: &BTreeSet<NodeId>) -> Vec<(NodeId, NodeId)> {
    let nodes = among.iter().filter_map(|n| graph.nodes.get(n).map(|node| (*n, node)));
    let all =
        nodes.flat_map(|(n, node)| node.values().flat_map(move |v| v.ptrs.keys().map(move |t| (n, *t))));
    all.filter(|(_, t)| among.contains(t)).collect()
}

/// Whether objects of these nodes may form a cycle: along edges between them, or inside of one.
pub fn has_cycle(graph: &Graph, among: &BTreeSet<NodeId>) -> bool {
    let inside = |n: &NodeId| graph.nodes.get(n).is_some_and(|n| n.summary && n.cyclic);
    if among.iter().any(inside) {
        return true;
    }
    // The edges of a summary to itself form no cycle, by what is known of it.
    let mut edges = edges(graph, among);
    edges.retain(|(a, b)| a != b || !graph.is_summary(*a));
    loop {
        // What nothing leads to is on no cycle.
        let before = edges.len();
        let reached: BTreeSet<NodeId> = edges.iter().map(|(_, b)| *b).collect();
        edges.retain(|(a, _)| reached.contains(a));
        if edges.is_empty() || edges.len() == before {
            return !edges.is_empty();
        }
    }
}

/// Puts nodes together into one summary.
fn merge(graph: &mut Graph, group: &[NodeId]) {
    let members: BTreeSet<NodeId> = group.iter().copied().collect();
    let Some(keep) = members.first().copied() else { return };
    let cyclic = has_cycle(graph, &members);
    let nodes: Vec<&Node> = members.iter().filter_map(|n| graph.nodes.get(n).map(|n| &**n)).collect();
    let Some(together) = nodes
        .iter()
        .skip(1)
        .fold(nodes.first().map(|n| Node::clone(n)), |all, n| all.map(|all| union(&all, n, Interval::join)))
    else {
        return;
    };
    let node = Node { summary: true, cyclic, ..together };
    let mut edges = if graph.relations.is_some() { graph.edges() } else { BTreeSet::new() };
    for n in members.iter().filter(|n| **n != keep) {
        graph.fold_relations(keep, *n, &mut edges);
    }
    graph.nodes.retain(|n, _| !members.contains(n));
    graph.nodes.insert(keep, std::rc::Rc::new(node));
    graph.change(|v| v.renamed(|n| if members.contains(&n) { keep } else { n }));
}

/// Whether cells with pointers of one node are cells, or no cells, of the other.
pub fn fits_together(a: &Node, b: &Node) -> bool {
    let fits = |a: &Node, b: &Node| {
        let pointers = a.cells.iter().filter(|(_, (_, v))| !v.ptrs.is_empty());
        pointers.into_iter().all(|(off, (width, _))| match b.overlapping(*off, *width).as_slice() {
            [] => true,
            [at] => at == off && b.cells.get(at).is_some_and(|(w, _)| w == width),
            _ => false,
        })
    };
    fits(a, b) && fits(b, a)
}

/// A node whose objects may be those of either.
pub fn union(a: &Node, b: &Node, numbers: impl Fn(Interval, Interval) -> Interval + Copy) -> Node {
    let mut cells: BTreeMap<u64, (u64, Value)> = BTreeMap::new();
    let mut end = 0;
    let mut keys: Vec<(u64, u64)> = a.cells.iter().chain(&b.cells).map(|(off, (w, _))| (*off, *w)).collect();
    keys.sort_unstable();
    keys.dedup();
    for (off, width) in keys {
        // Cells that overlap in other ways are cut to pieces of which little is known.
        if off >= end {
            cells.insert(off, (width, a.read(off, width).union(&b.read(off, width), numbers)));
            end = off + width;
        } else if off + width > end {
            let (off, width) = (end, off + width - end);
            cells.insert(off, (width, a.read(off, width).union(&b.read(off, width), numbers)));
            end = off + width;
        }
    }
    let site = match (a.kind, b.kind) {
        (Kind::Heap(a), Kind::Heap(b)) => Kind::Heap(if (a.lo, a.hi) <= (b.lo, b.hi) { a } else { b }),
        (kind, _) => kind,
    };
    Node {
        kind: site,
        size: a.size.join(b.size),
        ty: a.ty.filter(|t| b.ty == Some(*t)),
        cells,
        fill: a.fill.join(&b.fill),
        summary: a.summary || b.summary,
        sharing: a.sharing.max(b.sharing),
        held: a.held && b.held,
        cyclic: a.cyclic || b.cyclic,
        constant: a.constant || b.constant,
    }
}

/// Whether walks from a node along edges of blocks come to an end, and whether they meet no node twice.
pub fn tree_like(graph: &Graph, from: NodeId) -> (bool, bool) {
    let mut found: BTreeSet<NodeId> = BTreeSet::new();
    let mut todo = vec![from];
    while let Some(n) = todo.pop() {
        if let Some(node) = graph.nodes.get(&n).filter(|_| found.insert(n)) {
            todo.extend(node.values().flat_map(|v| v.ptrs.keys()));
        }
    }
    // What is not known to lead nowhere may lead back.
    let values = || found.iter().filter_map(|n| graph.nodes.get(n)).flat_map(|n| n.cells.values());
    if values().any(|(_, v)| v.opaque || v.freed || v.ended || v.undef) {
        return (false, false);
    }
    let shared = |n: &NodeId| graph.nodes.get(n).is_none_or(|n| n.sharing > Sharing::Unshared);
    (!has_cycle(graph, &found), !found.iter().any(shared))
}
