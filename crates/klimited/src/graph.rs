//! Storage shape graphs: nodes with byte-precise cells, and what variables hold (survey §4.2.1).
//!
//! A node stands for one object, or, if it is a *summary*, for any number of them. The sextuple (N, SM, S, C, ρ, E) of the
//! survey is here: `nodes`, [`Node::summary`], [`Node::sharing`], [`Node::cyclic`], `roots`, and the addresses in cells.
//! What is more: cells hold sets of values of all kinds, so that null is said and not ignored; sharing is a bound on
//! references from anywhere in memory, in three steps, so that a node can be taken out of a summary (*materialised*) with
//! few edges: if no object of a summary has two references, the one that is followed is the only one.
//!
//! **Meaning:** objects are mapped to nodes; two objects to one node only if it is a summary; a node that is no summary has an
//! object; every cell holds one of its values; references to an object from memory are bounded by its node's sharing;
//! the objects of a summary that is not cyclic form no cycle. Variables are no memory: they are not counted.
//!
//! **Nothing is lost:** a block is lost only if a reference to it goes away. So every step that removes a reference asks
//! whether its target is still reachable; then everything behind it is too. It is if a way of cells with one value leads
//! there; or if an object is left that refers to it ([`Node::held`]) and blocks form no cycle ([`Graph::cyclic`]): that
//! object was reachable, and not by way of the target.

use crate::relations::{Cell, Relations};
use crate::value::{NodeId, Value};
use heapwise_ir::{GlobalId, LocalId, Span, Ty};
use heapwise_numeric::Interval;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many references an object may have from memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sharing {
    /// At most one.
    Unshared,
    /// At most one from cells with the same offset: lists with links back.
    ByField,
    /// Any number.
    Shared,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A block, allocated there.
    Heap(Span),
    /// A variable of the function under analysis.
    Local(LocalId),
    /// A variable of one of its callers.
    Outer,
    /// A global.
    Global(GlobalId),
    /// An aggregate that is being returned.
    Result,
}

/// One object, or all objects of a group.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its size in bytes.
    pub size: Interval,
    /// The type that its address was converted to first.
    pub ty: Option<Ty>,
    /// Offset to width and contents; no two overlap.
    pub cells: BTreeMap<u64, (u64, Value)>,
    /// What bytes outside of cells hold.
    pub fill: Value,
    /// Whether it stands for any number of objects.
    pub summary: bool,
    /// References to each object.
    pub sharing: Sharing,
    /// Whether memory certainly refers to each object.
    pub held: bool,
    /// Whether the objects may form a cycle among themselves.
    pub cyclic: bool,
    /// Whether it must not be written.
    pub constant: bool,
}

impl Node {
    /// A new object.
    pub fn new(kind: Kind, size: Interval, fill: Value) -> Node {
        let (cells, ty) = Default::default();
        let (summary, sharing, held, cyclic, constant) = (false, Sharing::Unshared, false, false, false);
        Node { kind, size, ty, cells, fill, summary, sharing, held, cyclic, constant }
    }
    /// Whether it is a block.
    pub fn is_heap(&self) -> bool {
        matches!(self.kind, Kind::Heap(_))
    }
    pub(crate) fn overlapping(&self, off: u64, width: u64) -> Vec<u64> {
        let hits = self.cells.range(..off.saturating_add(width)).filter(|(o, (w, _))| **o + w > off);
        hits.map(|(o, _)| *o).collect()
    }
    /// Whether all of `width` bytes lie in cells.
    pub fn is_covered(&self, off: u64, width: u64) -> bool {
        let ends = |o: &u64| self.cells.get(o).map(|(w, _)| (*o.max(&off), (o + w).min(off + width)));
        let held: u64 =
            self.overlapping(off, width).iter().filter_map(ends).map(|(from, to)| to - from).sum();
        held == width
    }
    /// What `width` bytes hold.
    pub fn read(&self, off: u64, width: u64) -> Value {
        if let Some((w, v)) = self.cells.get(&off)
            && *w == width
        {
            return v.clone();
        }
        let hits = self.overlapping(off, width);
        let mut parts: Vec<Value> =
            hits.iter().filter_map(|o| self.cells.get(o)).map(|(_, v)| v.part()).collect();
        if !self.is_covered(off, width) {
            parts.push(self.fill.clone());
        }
        let zeros = parts.iter().all(|v| v.as_int() == Some(0));
        let whole = parts.iter().fold(Value::default(), |a, b| a.join(b));
        match whole {
            _ if zeros => Value::int(0),
            v if parts.len() == 1 && hits.is_empty() => v,
            v if v == Value::undef() => v,
            v => Value { undef: v.undef, ..Value::opaque() },
        }
    }
    /// Replaces `width` bytes.
    pub fn write(&mut self, off: u64, width: u64, value: Value) {
        for o in self.overlapping(off, width) {
            let Some((w, v)) = self.cells.remove(&o) else { continue };
            if o < off {
                self.cells.insert(o, (off - o, v.part()));
            }
            if o + w > off + width {
                self.cells.insert(off + width, (o + w - off - width, v.part()));
            }
        }
        if width > 0 {
            self.cells.insert(off, (width, value));
        }
    }
    /// All values in it.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.cells.values().map(|(_, v)| v).chain([&self.fill])
    }
    fn change(&mut self, f: &impl Fn(&Value) -> Value) {
        self.cells.values_mut().for_each(|(_, v)| *v = f(v));
    }
}

/// What names a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Root {
    /// A scalar variable whose address is never taken. One that is missing may hold anything.
    Local(LocalId),
    /// What the callers hold of the memory that a function sees: only in their memory, or also in variables.
    Cut(u32, bool),
    /// The result of a function.
    Result,
    /// A value that a statement works with.
    Temp(u32),
}

/// Where an address was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// In a cell of an object.
    Cell(NodeId, u64),
    /// In a variable.
    Root(Root),
}

/// A storage shape graph: one disjunct.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Graph {
    /// What variables hold.
    pub roots: BTreeMap<Root, Value>,
    /// The objects.
    pub nodes: BTreeMap<NodeId, Rc<Node>>,
    /// Whether blocks may form a cycle anywhere.
    pub cyclic: bool,
    /// How numbers are related, if that is kept.
    pub relations: Option<Rc<Relations>>,
}

impl Graph {
    /// Adds an object.
    pub fn add(&mut self, node: Node) -> NodeId {
        let id = self.nodes.last_key_value().map_or(0, |(n, _)| n + 1);
        self.nodes.insert(id, Rc::new(node));
        self.relate(|r| r.retain(|c| c != Cell::Node(id)));
        id
    }
    /// The node for writing.
    pub fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(&id).map(Rc::make_mut)
    }
    /// The object of that kind.
    pub fn find(&self, kind: Kind) -> Option<NodeId> {
        self.nodes.iter().find(|(_, n)| n.kind == kind).map(|(id, _)| *id)
    }
    /// Whether the node is a summary.
    pub fn is_summary(&self, id: NodeId) -> bool {
        self.nodes.get(&id).is_some_and(|n| n.summary)
    }
    /// Changes every value.
    pub fn change(&mut self, f: impl Fn(&Value) -> Value) {
        self.roots.values_mut().for_each(|v| *v = f(v));
        self.nodes.values_mut().for_each(|n| Rc::make_mut(n).change(&f));
    }
    /// The offset of a cell, together with whether it lies in a block.
    fn label(&self, cell: (NodeId, u64)) -> (bool, u64) {
        (self.nodes.get(&cell.0).is_some_and(|n| n.is_heap()), cell.1)
    }
    /// The cells that may refer to a node.
    fn referring(&self, to: NodeId) -> Vec<(NodeId, u64)> {
        let all = self.nodes.iter().flat_map(|(id, n)| n.cells.iter().map(|(off, (_, v))| ((*id, *off), v)));
        all.filter(|(_, v)| v.ptrs.contains_key(&to)).map(|(cell, _)| cell).collect()
    }
    /// Whether callers hold it in memory of theirs.
    fn is_cut(&self, node: NodeId) -> bool {
        self.roots.iter().any(|(r, v)| matches!(r, Root::Cut(..)) && v.ptrs.contains_key(&node))
    }

    /// Writes a value, strongly into an object and weakly into a summary, and notes the references that it adds.
    pub fn store(&mut self, cell: (NodeId, u64), width: u64, value: Value, weak: bool) {
        let Some(node) = self.nodes.get(&cell.0) else { return };
        let (old, summary) = (node.read(cell.1, width), node.summary);
        let levels: Vec<(NodeId, Sharing)> =
            value.ptrs.keys().map(|t| (*t, self.level_with(*t, cell, &old))).collect();
        let cyclic = summary && value.ptrs.contains_key(&cell.0);
        self.cyclic |= node.is_heap() && self.reach(value.ptrs.keys()).contains(&cell.0);
        let cut_off: Vec<NodeId> = self.held_in(cell.0, cell.1, width);
        let (overlapped, targets) =
            (node.overlapping(cell.1, width), value.ptrs.keys().copied().collect::<Vec<NodeId>>());
        if let Some(node) = self.node_mut(cell.0) {
            let value = if summary || weak { old.join(&value) } else { value };
            node.write(cell.1, width, value);
            node.cyclic |= cyclic;
        }
        self.relate_store(cell, width, &overlapped, &targets, !weak);
        for (target, level) in levels {
            if let Some(node) = self.node_mut(target) {
                node.sharing = level;
            }
        }
        self.let_go(cut_off);
    }
    /// What some bytes of a node may refer to.
    pub fn held_in(&self, id: NodeId, off: u64, width: u64) -> Vec<NodeId> {
        let Some(node) = self.nodes.get(&id) else { return Vec::new() };
        let cells = node.overlapping(off, width).into_iter().filter_map(|o| node.cells.get(&o));
        cells.flat_map(|(_, v)| v.ptrs.keys().copied()).collect()
    }
    /// Notes that references to these nodes may be gone.
    fn let_go(&mut self, nodes: Vec<NodeId>) {
        for n in nodes {
            let held = self.is_referred(n);
            if let Some(node) = self.node_mut(n) {
                node.held = held;
            }
        }
    }
    /// Whether a cell certainly refers to an object.
    pub fn is_referred(&self, to: NodeId) -> bool {
        let objects = || self.nodes.values().filter(|n| !n.summary);
        !self.is_summary(to)
            && objects().any(|n| n.cells.values().any(|(_, v)| v.as_ptr().is_some_and(|p| p.0 == to)))
    }
    /// The blocks that can be reached from some along blocks.
    fn reach<'a>(&self, from: impl IntoIterator<Item = &'a NodeId>) -> BTreeSet<NodeId> {
        let mut found = BTreeSet::new();
        let mut todo: Vec<NodeId> = from.into_iter().copied().collect();
        while let Some(n) = todo.pop() {
            if let Some(node) = self.nodes.get(&n).filter(|node| node.is_heap() && found.insert(n)) {
                todo.extend(node.values().flat_map(|v| v.ptrs.keys()));
            }
        }
        found
    }
    /// A bound on the references to a node once a cell refers to it as well.
    fn level_with(&self, to: NodeId, cell: (NodeId, u64), old: &Value) -> Sharing {
        let known = self.nodes.get(&to).map_or(Sharing::Shared, |n| n.sharing);
        let again = self.is_summary(cell.0) && old.ptrs.contains_key(&to);
        let others: Vec<(NodeId, u64)> =
            self.referring(to).into_iter().filter(|c| *c != cell || again).collect();
        if others.is_empty() && !self.is_cut(to) {
            return Sharing::Unshared;
        }
        let alike = |c: &(NodeId, u64)| self.label(*c) == self.label(cell);
        if known == Sharing::Shared && others.iter().any(|c| self.is_summary(c.0)) {
            return Sharing::Shared;
        }
        if self.is_cut(to) || others.iter().any(alike) {
            return Sharing::Shared;
        }
        let mut labels: Vec<(bool, u64)> = others.iter().map(|c| self.label(*c)).collect();
        labels.sort_unstable();
        let distinct = labels.windows(2).all(|w| w.first() != w.last());
        if distinct || known <= Sharing::ByField { Sharing::ByField } else { Sharing::Shared }
    }
    /// Lowers the bounds of objects to what can be counted.
    pub fn recount(&mut self) {
        let ids: Vec<NodeId> = self.nodes.keys().copied().collect();
        for id in ids {
            if self.nodes.get(&id).is_some_and(|n| !n.held) && self.is_referred(id) {
                self.node_mut(id).into_iter().for_each(|n| n.held = true);
            }
            let cells = self.referring(id);
            if self.is_cut(id) || cells.iter().any(|c| self.is_summary(c.0)) {
                continue;
            }
            let mut labels: Vec<(bool, u64)> = cells.iter().map(|c| self.label(*c)).collect();
            labels.sort_unstable();
            let level = match labels.len() {
                0 | 1 => Sharing::Unshared,
                _ if labels.windows(2).all(|w| w.first() != w.last()) => Sharing::ByField,
                _ => Sharing::Shared,
            };
            if self.nodes.get(&id).is_some_and(|n| n.sharing > level)
                && let Some(node) = self.node_mut(id)
            {
                node.sharing = level;
            }
        }
    }

    /// Takes the object of a summary that an address leads to out of it; the address certainly leads there.
    pub fn materialise(&mut self, summary: NodeId, via: Via) -> NodeId {
        let Some(node) = self.nodes.get(&summary) else { return summary };
        let sharing = node.sharing;
        let one = self.add(Node { summary: false, cyclic: false, ..Node::clone(node) });
        self.relate(|r| r.expand(Cell::Node(summary), Cell::Node(one)));
        let label = match via {
            Via::Cell(n, off) => Some(self.label((n, off))),
            Via::Root(_) => None,
        };
        // Another reference to this object: not if there is only one, or only one from such cells.
        let other = |l: Option<(bool, u64)>| match sharing {
            Sharing::Unshared => label.is_none(),
            Sharing::ByField => label.is_none() || l != label,
            Sharing::Shared => true,
        };
        let also = |v: &mut Value| {
            if let Some(off) = v.ptrs.get(&summary).copied() {
                v.ptrs.insert(one, off);
            }
        };
        let ids: Vec<(NodeId, bool)> = self.nodes.iter().map(|(id, n)| (*id, n.is_heap())).collect();
        for (id, heap) in ids {
            let Some(node) = self.node_mut(id) else { continue };
            for (off, (_, v)) in &mut node.cells {
                if via == Via::Cell(id, *off) {
                    *v = v.renamed(|n| if n == summary { one } else { n });
                } else if other(Some((heap, *off))) {
                    also(v);
                }
            }
        }
        for (root, v) in &mut self.roots {
            if via == Via::Root(*root) {
                *v = v.renamed(|n| if n == summary { one } else { n });
            } else if !matches!(root, Root::Cut(_, true)) || other(None) {
                also(v);
            }
        }
        self.settle();
        one
    }

    /// Ends the life of an object; of a summary, of one of its objects.
    pub fn remove(&mut self, id: NodeId, freed: bool) {
        let cut_off = self.held_in(id, 0, u64::MAX);
        if self.is_summary(id) {
            let also =
                |v: &Value| if v.ptrs.contains_key(&id) { v.join(&Value::gone(freed)) } else { v.clone() };
            self.change(also);
        } else {
            self.nodes.remove(&id);
            self.relate(|r| r.retain(|c| c != Cell::Node(id)));
            self.change(|v| v.without(id, freed));
        }
        self.let_go(cut_off);
    }

    /// The objects that are certainly reachable.
    pub fn certain(&self) -> BTreeSet<NodeId> {
        let mut found: BTreeSet<NodeId> = BTreeSet::new();
        let mut todo: Vec<NodeId> =
            self.nodes.iter().filter(|(_, n)| !n.is_heap()).map(|(id, _)| *id).collect();
        todo.extend(self.roots.values().filter_map(|v| v.as_ptr()).map(|(n, _)| n));
        while let Some(n) = todo.pop() {
            let Some(node) = self.nodes.get(&n).filter(|node| !node.summary) else { continue };
            if found.insert(n) {
                todo.extend(node.cells.values().filter_map(|(_, v)| v.as_ptr()).map(|(n, _)| n));
            }
        }
        found
    }
    /// A block among those that lost a reference, of memory or of a variable, of which it is not certain that it can still
    /// be reached.
    pub fn lost<'a>(&self, targets: impl IntoIterator<Item = &'a NodeId>, memory: bool) -> Option<NodeId> {
        let held = |t: &NodeId| !memory && self.nodes.get(t).is_some_and(|n| n.held) || self.is_referred(*t);
        let is_block = |t: &&NodeId| self.nodes.get(t).is_some_and(|n| n.is_heap());
        let mut open = targets.into_iter().filter(is_block).filter(|t| self.cyclic || !held(t)).peekable();
        open.peek()?;
        let certain = self.certain();
        open.find(|t| !certain.contains(t)).copied()
    }
    /// Drops the nodes that nothing leads to; callers have asked whether that loses blocks.
    pub fn sweep(&mut self) {
        let mut found: BTreeSet<NodeId> = BTreeSet::new();
        let named = |n: &Node| !n.is_heap() && !matches!(n.kind, Kind::Global(_) if n.constant);
        let mut todo: Vec<NodeId> = self.nodes.iter().filter(|(_, n)| named(n)).map(|(id, _)| *id).collect();
        todo.extend(self.roots.values().flat_map(|v| v.ptrs.keys()));
        while let Some(n) = todo.pop() {
            if let Some(node) = self.nodes.get(&n).filter(|_| found.insert(n)) {
                todo.extend(node.values().flat_map(|v| v.ptrs.keys()));
            }
        }
        self.nodes.retain(|n, _| found.contains(n));
        self.sweep_relations();
    }
}
