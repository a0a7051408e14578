//! Order and union of graphs (survey §4.2.1, *Shape Graph Abstract Domain*).
//!
//! Graphs are compared up to the names of nodes: [`leq`] looks for an embedding from the roots on and goes back on a
//! choice only a few times, so that it may miss one but never finds a wrong one. [`merge`] puts two graphs together that have the same
//! objects at the same places, up to values and summaries; its result is checked to be above both. In the
//! survey join is set union and graphs are put together only if they are equal; that is what a refusal leads to.

use crate::graph::{Graph, Kind, Node, Root};
use crate::limit::{fits_together, has_cycle, union};
use crate::relations::{Cell, Relations, fold};
use crate::value::{NodeId, Value};
use heapwise_numeric::connectors::Edge;
use heapwise_numeric::{Element, Interval};
use std::collections::{BTreeMap, BTreeSet};

/// Why two graphs are not in order, or have no common description.
pub type Why = &'static str;

/// Choices between nodes that are tried in one comparison; after that the last one stands.
const CHOICES: usize = 32;

struct Embedding<'a> {
    a: &'a Graph,
    b: &'a Graph,
    choices: usize,
}

/// What is mapped so far, and what is left to compare.
#[derive(Clone, Default)]
struct Part {
    map: BTreeMap<NodeId, NodeId>,
    used: BTreeSet<NodeId>,
    todo: Vec<(Value, Value)>,
}

impl Embedding<'_> {
    fn compatible(&self, part: &Part, n: NodeId, m: NodeId) -> bool {
        let (Some(x), Some(y)) = (self.a.nodes.get(&n), self.b.nodes.get(&m)) else { return false };
        let same = x.is_heap() && y.is_heap() || x.kind == y.kind;
        let object = y.summary || !x.summary && !part.used.contains(&m);
        let held = x.held || !y.held || self.a.is_referred(n);
        let facts = held && x.sharing <= y.sharing && x.cyclic <= y.cyclic && x.constant == y.constant;
        same && object && facts && x.size.is_subset(y.size)
    }
    /// Maps a node; its contents are left to compare.
    fn assign(&self, part: &mut Part, n: NodeId, m: NodeId) -> Result<(), Why> {
        let (Some(x), Some(y)) = (self.a.nodes.get(&n), self.b.nodes.get(&m)) else { return Err("no node") };
        part.map.insert(n, m);
        part.used.insert(m);
        for (off, (width, v)) in &y.cells {
            part.todo.push((x.read(*off, *width), v.clone()));
        }
        for (off, (width, v)) in &x.cells {
            if y.cells.get(off).is_some_and(|(w, _)| w == width) {
                continue;
            }
            if !v.ptrs.is_empty() {
                return Err("a pointer is not kept as one");
            }
            // Bytes that are in no cell on the right.
            if !y.is_covered(*off, *width) {
                part.todo.push((v.part(), y.fill.clone()));
            }
        }
        part.todo.push((x.fill.clone(), y.fill.clone()));
        Ok(())
    }
    fn solve(&mut self, mut part: Part) -> Result<(), Why> {
        while let Some((x, y)) = part.todo.pop() {
            if !x.leq_apart_from_nodes(&y) {
                return Err("a value is not one of those described");
            }
            let mut ptrs = x.ptrs.iter();
            while let Some((n, off)) = ptrs.next() {
                let fits = |m: &NodeId| y.ptrs.get(m).is_some_and(|o| off.is_subset(*o));
                if let Some(m) = part.map.get(n) {
                    if !fits(m) {
                        return Err("a pointer leads elsewhere");
                    }
                    continue;
                }
                let to = y.ptrs.keys().filter(|m| fits(m) && self.compatible(&part, *n, **m));
                let mut to: Vec<NodeId> = to.copied().collect();
                // An object rather than a summary.
                to.sort_by_key(|m| self.b.is_summary(*m));
                let Some((last, others)) = to.split_last() else {
                    return Err("a pointer leads to a node that is not described");
                };
                for m in others {
                    if self.choices == 0 {
                        break;
                    }
                    self.choices -= 1;
                    let mut other = part.clone();
                    let rest =
                        Value { ptrs: ptrs.clone().map(|(n, o)| (*n, *o)).collect(), ..Value::default() };
                    other.todo.push((rest, y.clone()));
                    if self.assign(&mut other, *n, *m).and_then(|()| self.solve(other)).is_ok() {
                        return Ok(());
                    }
                }
                self.assign(&mut part, *n, *last)?;
            }
        }
        self.complete(&part)
    }
    /// What can only be asked once all is mapped.
    fn complete(&self, part: &Part) -> Result<(), Why> {
        let (a, b) = (self.a, self.b);
        let literal = |n: &Node| n.constant && matches!(n.kind, Kind::Global(_));
        if a.nodes.iter().any(|(n, node)| !literal(node) && !part.map.contains_key(n)) {
            return Err("a block is not described");
        }
        if b.nodes.iter().any(|(m, node)| !node.summary && !literal(node) && !part.used.contains(m)) {
            return Err("a block is missing");
        }
        for (m, _) in b.nodes.iter().filter(|(_, n)| n.summary && !n.cyclic) {
            let group = part.map.iter().filter(|(_, to)| *to == m).map(|(n, _)| *n).collect();
            if has_cycle(a, &group) {
                return Err("blocks form a cycle");
            }
        }
        self.relations(part)
    }
    /// Whether numbers are related as described, once blocks that are mapped to one node are put together.
    fn relations(&self, part: &Part) -> Result<(), Why> {
        let Some(described) = &self.b.relations else { return Ok(()) };
        let Some(known) = &self.a.relations else { return Err("nothing is known of numbers") };
        let mut known = Relations::clone(known);
        known.retain(|c| !matches!(c, Cell::Node(n) if !part.map.contains_key(&n)));
        let mut edges = self.a.edges();
        let mut kept: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for (n, m) in &part.map {
            match kept.get(m) {
                Some(keep) => fold(&mut known, *keep, *n, &mut edges),
                None => {
                    kept.insert(*m, *n);
                }
            }
        }
        let name = |n: NodeId| part.map.get(&n).copied();
        let edges = renamed(&edges, &name);
        let known = known.renamed(|c| match c {
            Cell::Node(n) => Cell::Node(name(n).unwrap_or(n)),
            root => root,
        });
        let missing = |c: Cell| matches!(c, Cell::Node(m) if !kept.contains_key(&m));
        match known.is_described_by(described, missing, &edges) {
            true => Ok(()),
            false => Err("numbers are not related as described"),
        }
    }
}

/// Edges with other names of nodes; those without a name are left out.
fn renamed(edges: &BTreeSet<Edge<Cell>>, name: &impl Fn(NodeId) -> Option<NodeId>) -> BTreeSet<Edge<Cell>> {
    let cell = |c: Cell| match c {
        Cell::Node(n) => name(n).map(Cell::Node),
        root => Some(root),
    };
    edges.iter().filter_map(|e| Some(Edge { from: cell(e.from)?, to: cell(e.to)?, ..*e })).collect()
}

/// Whether all memories of `a` are memories of `b`.
pub fn leq(a: &Graph, b: &Graph) -> Result<(), Why> {
    if a.cyclic && !b.cyclic {
        return Err("blocks form a cycle");
    }
    let objects = |g: &Graph| g.nodes.values().filter(|n| !n.summary && n.is_heap()).count();
    if objects(a) < objects(b) {
        return Err("a block is missing");
    }
    let cuts =
        |g: &Graph| -> Vec<Root> { g.roots.keys().filter(|r| matches!(r, Root::Cut(..))).copied().collect() };
    if cuts(a) != cuts(b) {
        return Err("callers hold other parts of memory");
    }
    let mut e = Embedding { a, b, choices: CHOICES };
    let mut part = Part::default();
    for (root, v) in &b.roots {
        part.todo.push((a.roots.get(root).cloned().unwrap_or(Value::any()), v.clone()));
    }
    for (n, node) in &a.nodes {
        if matches!(node.kind, Kind::Local(_) | Kind::Global(_) | Kind::Result) {
            match b.find(node.kind) {
                Some(m) if e.compatible(&part, *n, m) => e.assign(&mut part, *n, m)?,
                // Constants come and go.
                None if node.constant => {}
                _ => return Err("a variable is not described"),
            }
        }
    }
    e.solve(part)
}

/// How two graphs are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merging {
    /// Constants and what pointers in objects lead to keep graphs apart.
    Strict,
    /// Only what variables hold does.
    Lenient,
    /// Nothing does: nodes are the same if they are of one site.
    All,
}

/// A graph that describes the memories of both, with numbers put together by `numbers`.
pub fn merge(
    a: &Graph,
    b: &Graph,
    how: Merging,
    (numbers, elements): (
        impl Fn(Interval, Interval) -> Interval + Copy,
        impl Fn(&Element, &Element) -> Element,
    ),
) -> Result<Graph, Why> {
    if !a.roots.keys().eq(b.roots.keys()) {
        return Err("different variables are in use");
    }
    let (mut a, mut b) = (a.clone(), b.clone());
    a.recount();
    b.recount();
    let (a, b) = (&a, &b);
    let pairs = if how == Merging::All { by_site(a, b)? } else { Pairing::walk(a, b, how)? };
    // What one side does not have would be related with nothing that both have.
    let alone = |n: &Node| n.is_heap() && !n.constant;
    if a.relations.is_some()
        && how != Merging::All
        && (a.nodes.iter().any(|(n, x)| alone(x) && !pairs.contains_key(n))
            || b.nodes.iter().any(|(m, y)| alone(y) && !pairs.values().any(|p| p == m)))
    {
        return Err("one has blocks whose numbers the other knows nothing of");
    }
    let mut result = Graph { nodes: a.nodes.clone(), cyclic: a.cyclic || b.cyclic, ..Graph::default() };
    // What only one side has may be missing: summaries, and constants that are as they always are.
    let mut names = pairs.iter().map(|(n, m)| (*m, *n)).collect::<BTreeMap<NodeId, NodeId>>();
    for (m, node) in b.nodes.iter().filter(|(m, _)| !pairs.values().any(|p| p == *m)) {
        let id = result.add(Node { summary: node.summary || node.is_heap(), ..Node::clone(node) });
        names.insert(*m, id);
    }
    let name = |m: NodeId| names.get(&m).copied().unwrap_or(m);
    for (m, node) in &b.nodes {
        let mut node = Node::clone(node);
        node.cells.values_mut().for_each(|(_, v)| *v = v.renamed(name));
        let (id, new) = (name(*m), result.nodes.get(&name(*m)).cloned());
        let paired = pairs.values().any(|p| p == m);
        let node = match new {
            Some(old) if paired => union(&old, &node, numbers),
            _ => Node { summary: node.summary || node.is_heap(), ..node },
        };
        result.nodes.insert(id, std::rc::Rc::new(node));
    }
    for (n, node) in a.nodes.iter().filter(|(n, _)| !pairs.contains_key(n)) {
        let summary = node.summary || node.is_heap();
        result.nodes.insert(*n, std::rc::Rc::new(Node { summary, ..Node::clone(node) }));
    }
    for ((root, x), y) in a.roots.iter().zip(b.roots.values()) {
        result.roots.insert(*root, x.union(&y.renamed(name), numbers));
    }
    if let (Some(x), Some(y)) = (&a.relations, &b.relations) {
        let y = y.renamed(|c| match c {
            Cell::Node(m) => Cell::Node(name(m)),
            root => root,
        });
        let there: BTreeSet<NodeId> = b.nodes.keys().map(|m| name(*m)).collect();
        let no_node = |c: Cell| matches!(c, Cell::Node(n) if !a.nodes.contains_key(&n));
        let none_there = |c: Cell| matches!(c, Cell::Node(n) if !there.contains(&n));
        let (left, right) = (a.edges(), renamed(&b.edges(), &|m| Some(name(m))));
        let joined = x.join(&y, (no_node, &left), (none_there, &right), elements);
        result.relations = Some(std::rc::Rc::new(joined));
    }
    leq(a, &result).and(leq(b, &result)).map_err(|_| "no common description is found")?;
    Ok(result)
}

fn by_site(a: &Graph, b: &Graph) -> Result<BTreeMap<NodeId, NodeId>, Why> {
    let mut pairs = BTreeMap::new();
    for (n, node) in &a.nodes {
        if let Some(m) = b.nodes.iter().find(|(_, o)| o.kind == node.kind && o.size == node.size) {
            if !fits_together(node, m.1) {
                return Err("pointers lie at different places in blocks");
            }
            pairs.insert(*n, *m.0);
        } else if !node.is_heap() && !node.constant {
            return Err("different variables are in use");
        }
    }
    Ok(pairs)
}

struct Pairing<'a> {
    a: &'a Graph,
    b: &'a Graph,
    how: Merging,
    pairs: BTreeMap<NodeId, NodeId>,
    taken: BTreeSet<NodeId>,
    todo: Vec<(NodeId, NodeId)>,
}

impl Pairing<'_> {
    /// The nodes that correspond to each other along the same ways from variables.
    fn walk(a: &Graph, b: &Graph, how: Merging) -> Result<BTreeMap<NodeId, NodeId>, Why> {
        let mut p = Pairing { a, b, how, pairs: BTreeMap::new(), taken: BTreeSet::new(), todo: Vec::new() };
        for (n, node) in a.nodes.iter().filter(|(_, n)| !n.is_heap() && n.kind != Kind::Outer) {
            match b.find(node.kind) {
                Some(m) => p.pair(*n, m)?,
                None if node.constant => {}
                None => return Err("different variables are in use"),
            }
        }
        for (x, y) in a.roots.values().zip(b.roots.values()) {
            p.values(x, y, true)?;
        }
        while let Some((n, m)) = p.todo.pop() {
            let (Some(x), Some(y)) = (a.nodes.get(&n), b.nodes.get(&m)) else { continue };
            let firm = !x.summary && (how == Merging::Strict || !x.is_heap());
            for (off, (width, v)) in &x.cells {
                if let Some((w, other)) = y.cells.get(off)
                    && w == width
                {
                    p.values(v, other, firm)?;
                }
            }
        }
        let rest = |g: &Graph, known: &dyn Fn(&NodeId) -> bool| {
            g.nodes.iter().any(|(n, node)| !node.summary && !node.constant && !known(n))
        };
        if rest(a, &|n| p.pairs.contains_key(n)) || rest(b, &|m| p.taken.contains(m)) {
            return Err("one has a block that the other has not");
        }
        Ok(p.pairs)
    }
    fn pair(&mut self, n: NodeId, m: NodeId) -> Result<(), Why> {
        if self.pairs.get(&n) == Some(&m) {
            return Ok(());
        }
        let (Some(x), Some(y)) = (self.a.nodes.get(&n), self.b.nodes.get(&m)) else { return Err("no node") };
        let same = x.is_heap() && y.is_heap() || x.kind == y.kind;
        let free = !self.pairs.contains_key(&n) && !self.taken.contains(&m);
        if !fits_together(x, y) {
            return Err("pointers lie at different places in blocks");
        }
        if !same || !free || x.size != y.size || x.summary != y.summary || x.constant != y.constant {
            return Err("variables lead to different blocks");
        }
        self.pairs.insert(n, m);
        self.taken.insert(m);
        self.todo.push((n, m));
        Ok(())
    }
    fn values(&mut self, x: &Value, y: &Value, firm: bool) -> Result<(), Why> {
        if firm {
            let flags = |v: &Value| (v.num.is_some(), v.undef, v.freed, v.ended, v.opaque);
            if flags(x) != flags(y) || x.funcs != y.funcs || x.ptrs.len() != y.ptrs.len() {
                return Err("pointers lead to different places");
            }
            let null = |v: &Value| v.as_int() == Some(0) || v.num.is_none();
            let differ = self.how == Merging::Strict && x.as_int().is_some() && y.as_int().is_some();
            if differ && x.num != y.num || x.has_pointer() && null(x) != null(y) {
                return Err("constants differ");
            }
        }
        let open = |v: &Value, known: &dyn Fn(&NodeId) -> bool| -> Vec<NodeId> {
            v.ptrs.keys().filter(|n| !known(n)).copied().collect()
        };
        let left = open(x, &|n| self.pairs.contains_key(n));
        let right = open(y, &|m| self.taken.contains(m));
        if firm {
            let mapped: BTreeSet<NodeId> = x.ptrs.keys().filter_map(|n| self.pairs.get(n)).copied().collect();
            if left.len() != right.len() || !mapped.iter().all(|m| y.ptrs.contains_key(m)) {
                return Err("pointers lead to different places");
            }
        }
        // Objects with objects, summaries with summaries, while there is no choice.
        for summary in [false, true] {
            let l: Vec<NodeId> = left.iter().filter(|n| self.a.is_summary(**n) == summary).copied().collect();
            let r: Vec<NodeId> =
                right.iter().filter(|m| self.b.is_summary(**m) == summary).copied().collect();
            match (l.as_slice(), r.as_slice()) {
                ([n], [m]) => match self.pair(*n, *m) {
                    Err(why) if firm => return Err(why),
                    _ => {}
                },
                (l, r) if firm && l.len() != r.len() => return Err("pointers lead to different places"),
                (l, r) if firm => l.iter().zip(r).try_for_each(|(n, m)| self.pair(*n, *m))?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The place of each node in the order in which they are met from the roots.
pub fn canonical_names(graph: &Graph) -> BTreeMap<NodeId, NodeId> {
    let mut order: Vec<NodeId> = Vec::new();
    let mut seen: BTreeSet<NodeId> = BTreeSet::new();
    let mut named: Vec<(Kind, NodeId)> = graph
        .nodes
        .iter()
        .filter(|(_, n)| !n.is_heap() && n.kind != Kind::Outer)
        .map(|(id, n)| (n.kind, *id))
        .collect();
    named.sort_unstable();
    let first =
        named.into_iter().map(|(_, id)| id).chain(graph.roots.values().flat_map(|v| v.ptrs.keys().copied()));
    for n in first {
        if seen.insert(n) {
            order.push(n);
        }
    }
    let mut at = 0;
    while let Some(n) = order.get(at).copied() {
        at += 1;
        for t in graph.nodes.get(&n).into_iter().flat_map(|n| n.values()).flat_map(|v| v.ptrs.keys()) {
            if seen.insert(*t) {
                order.push(*t);
            }
        }
    }
    order.extend(graph.nodes.keys().filter(|n| !seen.contains(n)));
    order.iter().enumerate().map(|(i, n)| (*n, i as NodeId)).collect()
}

/// The same graph with nodes named in that order.
pub fn canonical(graph: &Graph) -> Graph {
    let names = canonical_names(graph);
    let name = |n: NodeId| names.get(&n).copied().unwrap_or(n);
    let mut result = graph.clone();
    result.recount();
    result.change(|v| v.renamed(name));
    result.nodes = result.nodes.into_iter().map(|(n, node)| (name(n), node)).collect();
    result.relations = result.relations.map(|r| {
        std::rc::Rc::new(r.renamed(|c| match c {
            Cell::Node(n) => Cell::Node(name(n)),
            root => root,
        }))
    });
    result
}
