//! The translation `Π` from states to silhouettes, restricted to roots (Li et al. 2017, §3.3).
//!
//! What a silhouette depends on is a small part of a state, its [`Graph`]: a cell that holds a pointer is an edge along
//! its offset, a segment an edge along the links of its predicate, any number of times. From each root the graph is walked
//! along paths without repetition; each root that is met gives an edge of the result, and the walk goes on behind it, so
//! that the edges are closed under composition.
//!
//! Many states have the same graph, since an analysis comes to the same point again and again with states that differ
//! elsewhere, or not at all: whoever remembers what a graph was translated to need only read it off the next state
//! ([`super::KnownSilhouettes::of`]).

use super::edge::{Edge, packed};
use super::{Field, MAX_WALK, Path, PathId, Silhouette, ways};
use crate::pred::{Callee, PredId, PredTable, TermBase};
use crate::state::{Root, State, Summary};
use crate::value::{Sym, Val};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

impl Silhouette {
    /// `Π(state, X)`: how the roots that `wanted` accepts reach each other. Null is no node: that two cursors are null
    /// says nothing of their places.
    pub fn of(state: &State, preds: &PredTable, wanted: impl Fn(Root) -> bool) -> Silhouette {
        let mut translator = Translator::default();
        translator.read(state, preds, wanted, false);
        translator.translate();
        translator.silhouette
    }

    /// The same with null as a node, so that what a structure says of a cursor still follows when both are null: what
    /// [`Silhouette::entails`] needs on its left.
    pub fn with_null(state: &State, preds: &PredTable, wanted: impl Fn(Root) -> bool) -> Silhouette {
        let mut translator = Translator::default();
        translator.read(state, preds, wanted, true);
        translator.translate();
        translator.silhouette
    }
}

/// A node of a graph: [`NULL`], or an address by when it was met.
type Node = u32;

/// The node for null. Addresses follow it.
const NULL: Node = 0;

/// Where a root leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Null,
    At(Node),
    /// To a number, or to an address without memory.
    Nowhere,
}

/// What an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    Cell(Field),
    Segment(PathId),
}

/// What a silhouette depends on: what can be reached from roots. Nodes are numbered as they are met on the way from
/// the roots, so that the names of symbols make no difference.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Graph {
    /// In order, without those that hold no value.
    roots: Vec<(Root, Place)>,
    /// In the order of where they begin.
    edges: Vec<(Node, Label, Node)>,
    /// Whether null is a node.
    has_null: bool,
    /// Whether null has its place among cursors: what segments hand on may be null before the first element.
    places_null: bool,
}

impl Hash for Graph {
    /// A word or two for each part.
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (root, place) in &self.roots {
            let place = match place {
                Place::Null => NULL,
                Place::At(node) => *node,
                Place::Nowhere => Node::MAX,
            };
            state.write_u64(packed(*root) << 20 ^ u64::from(place));
        }
        for (from, label, to) in &self.edges {
            state.write_u64(u64::from(*from) << 32 | u64::from(*to));
            state.write_u64(match label {
                Label::Cell(Field(offset)) => *offset,
                Label::Segment(path) => !u64::from(path.number()),
            });
        }
    }
}

/// Translates states, one after the other, in the same memory.
#[derive(Default)]
pub(super) struct Translator {
    /// How many states were read.
    round: u64,
    /// For each symbol, in which round it was met last, and the node that it was then, if it is an address: others are
    /// numbers as far as paths are concerned.
    met: Vec<(u64, Option<Node>)>,
    /// The addresses that were met, in the order of their nodes.
    addresses: Vec<Sym>,
    /// What was read.
    pub(super) graph: Graph,
    /// Whether a node lies on a way to a root.
    leads: Vec<bool>,
    walk: Walk,
    /// What it was translated to.
    pub(super) silhouette: Silhouette,
}

impl Translator {
    /// Reads the graph of a state.
    pub(super) fn read(
        &mut self,
        state: &State,
        preds: &PredTable,
        wanted: impl Fn(Root) -> bool,
        null_is_node: bool,
    ) {
        self.round += 1;
        self.met.resize(self.met.len().max(state.symbol_count() as usize), (0, None));
        self.addresses.clear();
        self.graph.edges.clear();
        self.graph.roots.clear();
        let mut has_null = false;
        // Roots come in order.
        for (root, v) in state.roots.iter().filter(|(r, v)| wanted(**r) && !v.is_undef()) {
            let place = match v.as_sym().and_then(|s| self.address(state, s)) {
                Some(node) => Place::At(node),
                None if *v == Val::ZERO => Place::Null,
                None => Place::Nowhere,
            };
            has_null |= place == Place::Null;
            self.graph.roots.push((*root, place));
        }
        // What leads to null matters where a root is null.
        self.graph.has_null = null_is_node && has_null;
        self.graph.places_null = preds.has_ghosts();
        let mut at = 0;
        while let Some(s) = self.addresses.get(at).copied() {
            at += 1;
            let from = at as Node;
            for (off, cell) in state.objects.get(&s).iter().flat_map(|o| o.cells()) {
                if let Some(to) = self.node(state, cell.val) {
                    self.graph.edges.push((from, Label::Cell(Field(off)), to));
                }
            }
            for t in state.summaries.iter().filter(|t| t.root.as_sym() == Some(s)) {
                if let Some((end, _)) = &t.end
                    && let Some(to) = self.node(state, *end)
                {
                    let label = Label::Segment(PathId::of_known(preds.segment_paths(t.pred)));
                    self.graph.edges.push((from, label, to));
                }
            }
        }
    }

    fn node(&mut self, state: &State, v: Val) -> Option<Node> {
        match v.as_sym() {
            Some(s) => self.address(state, s),
            None => (self.graph.has_null && v == Val::ZERO).then_some(NULL),
        }
    }

    /// The node of a symbol that is an address.
    fn address(&mut self, state: &State, s: Sym) -> Option<Node> {
        let met = self.met.get_mut(s.0 as usize)?;
        if met.0 == self.round {
            return met.1;
        }
        let ends = |t: &Summary| {
            t.root.as_sym() == Some(s) || t.end.as_ref().is_some_and(|(e, _)| e.as_sym() == Some(s))
        };
        let is_address = state.objects.contains_key(&s) || state.summaries.iter().any(ends);
        if is_address {
            self.addresses.push(s);
        }
        *met = (self.round, is_address.then_some(self.addresses.len() as Node));
        met.1
    }

    /// Translates the graph that was read last.
    pub(super) fn translate(&mut self) {
        self.find_walks();
        let Translator { graph, walk, silhouette, .. } = self;
        silhouette.nodes.clear();
        silhouette.nodes.extend(graph.roots.iter().map(|(root, _)| *root));
        silhouette.nulls.clear();
        let nulls = graph.roots.iter().filter(|(_, place)| *place == Place::Null && !graph.places_null);
        silhouette.nulls.extend(nulls.map(|(root, _)| *root));
        silhouette.edges.clear();
        silhouette.cut_short = false;
        let empty = PathId::of(Path::empty());
        let mut next = 0;
        while let Some((start, _)) = walk.at.get(next).copied() {
            walk.found.clear();
            walk.left = MAX_WALK;
            walk.from(start, empty);
            silhouette.cut_short |= walk.left == 0;
            let rest = walk.at.get(next..).unwrap_or_default();
            let here = rest.iter().take_while(|(at, _)| *at == start);
            next += here.clone().count();
            for (path, end) in &walk.found {
                let others = here.clone().filter(|(_, root)| root != end);
                silhouette.edges.extend(others.map(|(_, from)| Edge::new(*from, *path, *end)));
            }
        }
        silhouette.edges.sort_unstable();
        silhouette.edges.dedup();
        silhouette.ways = ways(&silhouette.edges);
    }

    /// Where the walks begin, and the edges on ways that come to a root; others as well if it takes long to tell.
    fn find_walks(&mut self) {
        let Translator { addresses, graph, leads, walk, .. } = self;
        let node = |place: Place| match place {
            Place::At(node) => Some(node),
            Place::Null => graph.has_null.then_some(NULL),
            Place::Nowhere => None,
        };
        walk.at.clear();
        walk.at.extend(graph.roots.iter().filter_map(|(root, place)| Some((node(*place)?, *root))));
        walk.at.sort_unstable();
        leads.clear();
        leads.resize(addresses.len() + 1, false);
        walk.at.iter().for_each(|(node, _)| set(leads, *node));
        // Most ways lead to newer addresses all along, or to older ones.
        let mut grown = true;
        for pass in 0..MOST_PASSES {
            grown = false;
            let mut step = |(from, _, to): &(Node, Label, Node)| {
                if is_set(leads, *to) && !is_set(leads, *from) {
                    set(leads, *from);
                    grown = true;
                }
            };
            match pass % 2 {
                0 => graph.edges.iter().rev().for_each(&mut step),
                _ => graph.edges.iter().for_each(&mut step),
            }
            if !grown {
                break;
            }
        }
        let path = |label: Label| match label {
            Label::Cell(field) => PathId::of_step(field),
            Label::Segment(path) => path,
        };
        let useful = graph.edges.iter().filter(|(_, _, to)| grown || is_set(leads, *to));
        walk.edges.clear();
        walk.edges.extend(useful.map(|(from, label, to)| (*from, path(*label), *to)));
    }
}

fn is_set(nodes: &[bool], node: Node) -> bool {
    nodes.get(node as usize).copied().unwrap_or(false)
}

fn set(nodes: &mut [bool], node: Node) {
    if let Some(slot) = nodes.get_mut(node as usize) {
        *slot = true;
    }
}

#[derive(Default)]
struct Walk {
    /// From, along which path, to; ordered by where they begin.
    edges: Vec<(Node, PathId, Node)>,
    /// The roots at the nodes, in order.
    at: Vec<(Node, Root)>,
    found: Vec<(PathId, Root)>,
    on_path: Vec<Node>,
    left: usize,
}

impl Walk {
    /// Collects the roots at and behind a node; depth is bounded.
    fn from(&mut self, node: Node, path: PathId) {
        let first = self.at.partition_point(|(at, _)| *at < node);
        let here = self.at.get(first..).unwrap_or_default().iter().take_while(|(at, _)| *at == node);
        self.found.extend(here.map(|(_, root)| (path, *root)));
        self.on_path.push(node);
        let mut next = self.edges.partition_point(|(from, ..)| *from < node);
        while let Some((_, step, to)) = self.edges.get(next).copied().filter(|(from, ..)| *from == node) {
            if self.left == 0 {
                break;
            }
            if !self.on_path.contains(&to) && self.on_path.len() <= MAX_DEPTH {
                self.left -= 1;
                self.from(to, path.then(step));
            }
            next += 1;
        }
        self.on_path.pop();
    }
}

/// Longest path that is followed, so that recursion is bounded.
const MAX_DEPTH: usize = 60;

/// How often the edges are gone through to find those that matter.
const MOST_PASSES: usize = 6;

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
