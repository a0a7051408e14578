//! The translation `Π` from states to silhouettes, restricted to roots (Li et al. 2017, §3.3).
//!
//! The graph of a state has its symbols as nodes: a cell that holds a pointer is an edge along its offset, a segment an
//! edge along the links of its predicate, any number of times. From each root the graph is walked along paths without
//! repetition; each root that is met gives an edge of the result, and the walk goes on behind it, so that the edges
//! are closed under composition.

use super::{Field, MAX_WALK, Path, PathId, Silhouette};
use crate::pred::{Callee, PredId, PredTable, TermBase};
use crate::state::{Root, State};
use crate::value::{Sym, Val};
use std::collections::BTreeSet;

impl Silhouette {
    /// `Π(state, X)`: how the roots that `wanted` accepts reach each other. Null is no node: that two cursors are null
    /// says nothing of their places.
    pub fn of(state: &State, preds: &PredTable, wanted: impl Fn(Root) -> bool) -> Silhouette {
        Silhouette::translated(state, preds, wanted, false)
    }

    /// The same with null as a node, so that what a structure says of a cursor still follows when both are null: what
    /// [`Silhouette::entails`] needs on its left.
    pub fn with_null(state: &State, preds: &PredTable, wanted: impl Fn(Root) -> bool) -> Silhouette {
        Silhouette::translated(state, preds, wanted, true)
    }

    fn translated(state: &State, preds: &PredTable, wanted: impl Fn(Root) -> bool, null: bool) -> Silhouette {
        let mut silhouette = Silhouette::default();
        let mut at: Vec<(usize, Root)> = Vec::new();
        let graph = Graph::new(state, preds, null);
        // Roots come in order.
        for (root, v) in state.roots.iter().filter(|(r, v)| wanted(**r) && !v.is_undef()) {
            silhouette.nodes.push(*root);
            // What segments hand on may be null before the first element: then null has its place among cursors.
            if *v == Val::ZERO && !preds.has_ghosts() {
                silhouette.nulls.push(*root);
            }
            at.extend(graph.place(*v).map(|s| (s, *root)));
        }
        at.sort_unstable();
        let empty = PathId::of(Path::empty());
        let mut walk = Walk {
            graph: &graph,
            at: &at,
            found: Vec::new(),
            visited: vec![false; graph.first_edge.len()],
            left: 0,
        };
        for here in at.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((start, _)) = here.first() else { continue };
            walk.found.clear();
            walk.left = MAX_WALK;
            walk.from(*start, empty, 0);
            silhouette.cut_short |= walk.left == 0;
            for (path, end) in &walk.found {
                let others = here.iter().filter(|(_, root)| root != end);
                silhouette.edges.extend(others.map(|(_, from)| (*from, *end, *path)));
            }
        }
        silhouette.edges.sort_unstable();
        silhouette.edges.dedup();
        silhouette
    }
}

/// The graph of a state. Its nodes are the addresses by their position, and one more for null if there is one.
struct Graph {
    /// From, along which path, to; in order.
    edges: Vec<(usize, PathId, usize)>,
    /// For each node, the position of the first edge out of it or a later one.
    first_edge: Vec<usize>,
    /// Symbols that are addresses, in order: others are numbers as far as paths are concerned.
    addresses: Vec<Sym>,
    has_null: bool,
}

impl Graph {
    fn new(state: &State, preds: &PredTable, has_null: bool) -> Graph {
        let ends = state.summaries.iter().flat_map(|t| [Some(t.root), t.end.as_ref().map(|(e, _)| *e)]);
        let ends = ends.flatten().filter_map(Val::as_sym);
        let mut addresses: Vec<Sym> = state.objects.keys().copied().chain(ends).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let count = addresses.len() + 1;
        let mut graph = Graph { edges: Vec::new(), first_edge: Vec::new(), addresses, has_null };
        for (s, o) in &state.objects {
            let Some(from) = graph.place(Val::sym(*s)) else { continue };
            for (off, cell) in o.cells() {
                if let Some(to) = graph.place(cell.val) {
                    graph.edges.push((from, PathId::of(Path::step(Field(off))), to));
                }
            }
        }
        for t in &state.summaries {
            if let Some((end, _)) = &t.end
                && t.root.as_sym().is_some()
                && let (Some(from), Some(to)) = (graph.place(t.root), graph.place(*end))
            {
                graph.edges.push((from, PathId::of(preds.segment_paths(t.pred).clone()), to));
            }
        }
        graph.edges.sort_by_key(|(from, ..)| *from);
        let mut next = 0;
        for node in 0..count {
            graph.first_edge.push(next);
            next += graph.edges.get(next..).unwrap_or_default().iter().take_while(|e| e.0 == node).count();
        }
        graph
    }

    /// The node of a value.
    fn place(&self, v: Val) -> Option<usize> {
        match v.as_sym() {
            Some(s) => self.addresses.binary_search(&s).ok(),
            None => (self.has_null && v == Val::ZERO).then_some(self.addresses.len()),
        }
    }

    /// The edges out of a node.
    fn steps(&self, node: usize) -> impl Iterator<Item = (PathId, usize)> {
        let start = self.first_edge.get(node).copied().unwrap_or(self.edges.len());
        let rest = self.edges.get(start..).unwrap_or_default().iter();
        rest.take_while(move |(from, ..)| *from == node).map(|(_, path, to)| (*path, *to))
    }
}

struct Walk<'a> {
    graph: &'a Graph,
    /// The roots at the nodes, in order.
    at: &'a [(usize, Root)],
    found: Vec<(PathId, Root)>,
    /// Whether a node is on the path.
    visited: Vec<bool>,
    left: usize,
}

impl Walk<'_> {
    /// Collects the roots at and behind a node; depth is bounded.
    fn from(&mut self, node: usize, path: PathId, depth: usize) {
        let first = self.at.partition_point(|(at, _)| *at < node);
        let here = self.at.get(first..).unwrap_or_default().iter().take_while(|(at, _)| *at == node);
        self.found.extend(here.map(|(_, root)| (path, *root)));
        self.mark(node, true);
        for (step, next) in self.graph.steps(node) {
            if self.left == 0 {
                break;
            }
            if !self.visited.get(next).copied().unwrap_or(true) && depth < MAX_DEPTH {
                self.left -= 1;
                self.from(next, path.then(step), depth + 1);
            }
        }
        self.mark(node, false);
    }

    fn mark(&mut self, node: usize, on_path: bool) {
        if let Some(slot) = self.visited.get_mut(node) {
            *slot = on_path;
        }
    }
}

/// Longest path that is followed, so that recursion is bounded.
const MAX_DEPTH: usize = 60;

impl PredTable {
    /// `ℰ(ind)`: the paths that a segment of a predicate can take, any number of steps along the cells that lead from
    /// an element to the next.
    pub fn segment_paths(&self, id: PredId) -> &Path {
        self.get(id).segment.get_or_init(|| self.find_segment_paths(id))
    }

    fn find_segment_paths(&self, id: PredId) -> Path {
        let group = self.group(id);
        let mut fields = BTreeSet::new();
        for member in &group {
            for case in &self.get(*member).def.cases {
                let inside = |c: &Callee| match c {
                    Callee::This => true,
                    Callee::Other(other) => group.contains(other),
                };
                for call in case.calls.iter().filter(|c| inside(&c.callee)) {
                    let Some(next) = call.args.first().filter(|t| matches!(t.base, TermBase::Exist(_)))
                    else {
                        continue;
                    };
                    let cells = case.cells.iter().filter(|c| c.val.base == next.base);
                    fields.extend(cells.map(|c| Field(c.off)));
                }
            }
        }
        Path::star(fields)
    }

    /// The predicates that a segment of this one can pass through: those that it calls and that call it.
    fn group(&self, id: PredId) -> BTreeSet<PredId> {
        let callees = |p: PredId| -> Vec<PredId> {
            let calls = self.get(p).def.cases.iter().flat_map(|c| &c.calls);
            calls
                .filter_map(|c| match c.callee {
                    Callee::Other(other) => Some(other),
                    Callee::This => None,
                })
                .collect()
        };
        let reached = |from: PredId| {
            let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
            while let Some(p) = todo.pop() {
                todo.extend(callees(p).into_iter().filter(|q| seen.insert(*q)));
            }
            seen
        };
        let mut group = reached(id);
        group.retain(|p| *p == id || reached(*p).contains(&id));
        group
    }
}
