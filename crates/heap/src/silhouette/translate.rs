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
use std::cmp::Ordering;
use std::collections::BTreeSet;

impl Silhouette {
    /// `Π(state, X)`: how the roots that `wanted` accepts reach each other. Null is no node: that two cursors are null
    /// says nothing of their places.
    pub fn of(state: &State, preds: &PredTable, wanted: impl Fn(Root) -> bool) -> Silhouette {
        Silhouette::translated(state, preds, wanted, None)
    }

    /// The same with null as a node, so that what a structure says of a cursor still follows when both are null: what
    /// [`Silhouette::entails`] needs on its left.
    pub fn with_null(state: &State, preds: &PredTable, wanted: impl Fn(Root) -> bool) -> Silhouette {
        Silhouette::translated(state, preds, wanted, Some(Sym(state.symbol_count())))
    }

    fn translated(
        state: &State,
        preds: &PredTable,
        wanted: impl Fn(Root) -> bool,
        null: Option<Sym>,
    ) -> Silhouette {
        let mut silhouette = Silhouette::default();
        let mut at: Vec<(Sym, Root)> = Vec::new();
        let graph = Graph::new(state, preds, null);
        for (root, v) in state.roots.iter().filter(|(r, v)| wanted(**r) && !v.is_undef()) {
            silhouette.nodes.insert(*root);
            if *v == Val::ZERO {
                silhouette.nulls.insert(*root);
            }
            at.extend(graph.place(*v).map(|s| (s, *root)));
        }
        at.sort_unstable();
        let empty = PathId::of(Path::empty());
        let mut walk = Walk { graph: &graph, at: &at, found: Vec::new(), visited: Vec::new(), left: 0 };
        for here in at.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((start, _)) = here.first() else { continue };
            walk.found.clear();
            walk.visited.push(*start);
            walk.left = MAX_WALK;
            walk.from(*start, empty, 0);
            walk.visited.pop();
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

/// The graph of a state.
struct Graph {
    /// From, along which path, to; in order.
    edges: Vec<(Sym, PathId, Sym)>,
    /// Symbols that are addresses, in order: others are numbers as far as paths are concerned.
    addresses: Vec<Sym>,
    /// The node that stands for null, if there is one.
    null: Option<Sym>,
}

impl Graph {
    fn new(state: &State, preds: &PredTable, null: Option<Sym>) -> Graph {
        let ends = state.summaries.iter().flat_map(|t| [Some(t.root), t.end.as_ref().map(|(e, _)| *e)]);
        let ends = ends.flatten().filter_map(Val::as_sym);
        let mut addresses: Vec<Sym> = state.objects.keys().copied().chain(ends).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let mut graph = Graph { edges: Vec::new(), addresses, null };
        for (s, o) in &state.objects {
            for (off, cell) in o.cells() {
                if let Some(t) = graph.place(cell.val) {
                    graph.edges.push((*s, PathId::of(Path::step(Field(off))), t));
                }
            }
        }
        for t in &state.summaries {
            if let (Some(root), Some((end, _))) = (t.root.as_sym(), &t.end)
                && let Some(end) = graph.place(*end)
            {
                graph.edges.push((root, PathId::of(preds.segment_paths(t.pred).clone()), end));
            }
        }
        graph.edges.sort_by_key(|(from, ..)| *from);
        graph
    }

    /// The node of a value.
    fn place(&self, v: Val) -> Option<Sym> {
        match v.as_sym() {
            Some(s) => self.addresses.binary_search(&s).is_ok().then_some(s),
            None => self.null.filter(|_| v == Val::ZERO),
        }
    }

    /// The edges out of a node.
    fn steps(&self, s: Sym) -> &[(Sym, PathId, Sym)] {
        part(&self.edges, |(from, ..)| from.cmp(&s))
    }
}

/// The elements of a list in order that the comparison finds equal.
fn part<T>(list: &[T], order: impl Fn(&T) -> Ordering) -> &[T] {
    let start = list.partition_point(|x| order(x) == Ordering::Less);
    let rest = list.get(start..).unwrap_or_default();
    rest.get(..rest.partition_point(|x| order(x) == Ordering::Equal)).unwrap_or_default()
}

struct Walk<'a> {
    graph: &'a Graph,
    at: &'a [(Sym, Root)],
    found: Vec<(PathId, Root)>,
    visited: Vec<Sym>,
    left: usize,
}

impl Walk<'_> {
    /// Collects the roots at and behind a symbol; depth is bounded by the number of steps that are left.
    fn from(&mut self, s: Sym, path: PathId, depth: usize) {
        self.found.extend(part(self.at, |(place, _)| place.cmp(&s)).iter().map(|(_, root)| (path, *root)));
        for (_, step, next) in self.graph.steps(s) {
            if self.left == 0 {
                return;
            }
            if !self.visited.contains(next) && depth < MAX_DEPTH {
                self.left -= 1;
                self.visited.push(*next);
                self.from(*next, path.then(*step), depth + 1);
                self.visited.pop();
            }
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
