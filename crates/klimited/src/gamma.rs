//! Does a concrete memory satisfy a graph? (γ-membership, survey §4.2.1, conditions 1 to 5)
//!
//! [`member`] looks for the map from objects to nodes, beginning with variables: an address in a cell fixes the node of the
//! object it leads to, and where several are possible they are tried in turn. Nothing here uses the operations of
//! the analysis, so that it can serve as their judge. What callers hold ([`crate::Root::Cut`]) is not looked at. The cost is
//! exponential in the number of choices in the worst case; a budget bounds it, and its end is an answer of its own.

use crate::graph::{Graph, Kind, Node, Root, Sharing};
use crate::relations::Cell;
use crate::value::{NodeId, Value};
use heapwise_ir::{FuncId, GlobalId, LocalId};
use heapwise_numeric::connectors::{Edge, Kind as Connectors};
use std::collections::{BTreeMap, BTreeSet};

/// What a block of the concrete memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// From `malloc` and its kin.
    Heap,
    /// A local of the innermost call.
    Own(LocalId),
    /// A local of another call.
    Outer,
    /// A global.
    Global(GlobalId),
    /// Something that no graph describes.
    Other,
}

/// A live block of the concrete memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is.
    pub class: Class,
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
}

/// What a local or some bytes hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Nothing: the local is not alive.
    Dead,
    /// Not all of it is initialised.
    Undefined,
    /// So many bytes of a number or an address.
    Bits(u128, u64),
    /// Something that graphs do not speak about, e.g. a floating number.
    Other,
}

/// A concrete memory between two statements.
pub trait Memory {
    /// All live blocks.
    fn blocks(&self) -> &[Block];
    /// Bytes of the block with that index.
    fn read(&self, block: usize, off: u64, width: u64) -> Held;
    /// What a scalar local of the innermost call holds.
    fn local(&self, local: LocalId) -> Held;
    /// The address of a function.
    fn function(&self, function: FuncId) -> Option<u64>;
    /// The places in live blocks that hold an address in the block with that index: block and offset.
    fn references(&self, block: usize) -> Vec<(usize, u64)>;
}

/// How much of the memory a graph must account for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Every heap block must be described.
    Everything,
    /// What is described must be there; the rest belongs to callers.
    Part,
    /// As a part, and blocks that are lost may refer to others, which are then not counted.
    Littered,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Membership {
    /// The memory satisfies the graph.
    Inside,
    /// It does not; what failed last.
    Outside(String),
    /// The budget was used up.
    Undecided,
}

/// Choices of objects for summaries that are looked at.
const CHOICES: usize = 9;

/// The number that is held, if it is certain how the bits are to be read.
fn number(v: &Value, held: Held) -> Option<i128> {
    let (Held::Bits(bits, width), Some(range)) = (held, v.num) else { return None };
    let unused = 128 - 8 * width.clamp(1, 16) as u32;
    let (unsigned, signed) = (bits as i128, (bits << unused) as i128 >> unused);
    match (range.contains(unsigned), range.contains(signed)) {
        _ if *v != Value::range(range) => None,
        (true, true) => (unsigned == signed).then_some(unsigned),
        (true, false) => Some(unsigned),
        (false, true) => Some(signed),
        (false, false) => None,
    }
}

struct Search<'a> {
    graph: &'a Graph,
    memory: &'a dyn Memory,
    claim: Claim,
    budget: usize,
    failed: String,
}

type Map = BTreeMap<usize, NodeId>;

/// Whether a memory satisfies a graph.
pub fn member(graph: &Graph, memory: &dyn Memory, claim: Claim, budget: usize) -> Membership {
    let mut search = Search { graph, memory, claim, budget, failed: String::new() };
    let mut todo: Vec<(Value, Held)> = Vec::new();
    for (root, v) in &graph.roots {
        if let Root::Local(l) = root {
            todo.push((v.clone(), memory.local(*l)));
        }
    }
    let mut named = Vec::new();
    for (id, node) in &graph.nodes {
        let class = match node.kind {
            Kind::Local(l) => Class::Own(l),
            Kind::Global(g) => Class::Global(g),
            _ => continue,
        };
        match memory.blocks().iter().position(|b| b.class == class) {
            Some(b) => named.push((b, *id)),
            None if node.constant => {}
            None => return Membership::Outside(format!("{:?} is not alive", node.kind)),
        }
    }
    let mut map = Map::new();
    for (b, n) in named {
        if !search.map(&mut map, &mut todo, b, n) {
            return Membership::Outside(search.failed);
        }
    }
    match search.solve(map, todo) {
        Some(true) => Membership::Inside,
        Some(false) => Membership::Outside(search.failed),
        None => Membership::Undecided,
    }
}

impl Search<'_> {
    fn fail(&mut self, why: impl Into<String>) -> bool {
        self.failed = why.into();
        false
    }
    /// Maps an object to a node; what its bytes must then hold is left to do.
    fn map(&mut self, map: &mut Map, todo: &mut Vec<(Value, Held)>, block: usize, id: NodeId) -> bool {
        if let Some(known) = map.get(&block) {
            return *known == id || self.fail("one object would be two nodes");
        }
        let (Some(node), Some(b)) = (self.graph.nodes.get(&id), self.memory.blocks().get(block)) else {
            return self.fail("no such node");
        };
        let same = match (node.kind, b.class) {
            (Kind::Heap(_), Class::Heap) | (Kind::Outer, Class::Outer) => true,
            (Kind::Local(l), Class::Own(m)) => l == m,
            (Kind::Global(g), Class::Global(h)) => g == h,
            _ => false,
        };
        if !same || !node.size.contains(i128::from(b.size)) {
            return self.fail(format!("{b:?} is no {:?} of size {:?}", node.kind, node.size));
        }
        if !node.summary && map.values().any(|n| *n == id) {
            return self.fail(format!("two objects are node {id}, which is no summary"));
        }
        map.insert(block, id);
        for (off, (width, v)) in &node.cells {
            if off + width <= b.size {
                todo.push((v.clone(), self.memory.read(block, *off, *width)));
            }
        }
        let bytes = (0..b.size.min(256)).filter(|at| !node.is_covered(*at, 1));
        todo.extend(bytes.map(|at| (node.fill.clone(), self.memory.read(block, at, 1))));
        true
    }
    /// Ways in which a value is what is held: with nothing to be mapped, or with an object and its node.
    fn ways(&self, v: &Value, held: Held) -> Vec<Option<(usize, NodeId)>> {
        let (bits, width) = match held {
            Held::Dead => return vec![None],
            Held::Undefined => return if v.undef { vec![None] } else { Vec::new() },
            Held::Other => return if v.opaque { vec![None] } else { Vec::new() },
            Held::Bits(bits, width) => (bits, width),
        };
        let unused = 128 - 8 * width.clamp(1, 16) as u32;
        let signed = (bits << unused) as i128 >> unused;
        let number = v.num.is_some_and(|n| n.contains(bits as i128) || n.contains(signed));
        let function = v.funcs.iter().any(|f| self.memory.function(*f).map(u128::from) == Some(bits));
        if number || function {
            return vec![None];
        }
        let blocks = || self.memory.blocks().iter().enumerate().filter(|(_, b)| b.class != Class::Other);
        let leads = |b: u64, off: heapwise_numeric::Interval| off.contains(bits as i128 - i128::from(b));
        let to = |(n, off): (&NodeId, &heapwise_numeric::Interval)| -> Vec<Option<(usize, NodeId)>> {
            blocks().filter(|(_, b)| leads(b.base, *off)).map(|(i, _)| Some((i, *n))).collect()
        };
        let anything = (v.opaque || v.freed || v.ended).then_some(None);
        v.ptrs.iter().flat_map(to).chain(anything).collect()
    }
    fn solve(&mut self, mut map: Map, mut todo: Vec<(Value, Held)>) -> Option<bool> {
        while let Some((v, held)) = todo.pop() {
            self.budget = self.budget.checked_sub(1)?;
            let ways = self.ways(&v, held);
            match ways.as_slice() {
                [] => return Some(self.fail(format!("{held:x?} is none of {v:?}"))),
                [None] => {}
                [Some((b, n))] => {
                    if !self.map(&mut map, &mut todo, *b, *n) {
                        return Some(false);
                    }
                }
                _ => {
                    for way in ways {
                        let (mut map, mut todo) = (map.clone(), todo.clone());
                        let fits = way.is_none_or(|(b, n)| self.map(&mut map, &mut todo, b, n));
                        if fits && self.solve(map, todo)? {
                            return Some(true);
                        }
                    }
                    return Some(false);
                }
            }
        }
        Some(self.complete(&map))
    }
    /// What can only be asked once all is mapped.
    fn complete(&mut self, map: &Map) -> bool {
        let blocks = self.memory.blocks();
        let is_heap = |b: &usize| blocks.get(*b).is_some_and(|b| b.class == Class::Heap);
        if self.claim == Claim::Everything && (0..blocks.len()).any(|b| is_heap(&b) && !map.contains_key(&b))
        {
            return self.fail("a block is not described");
        }
        let used: BTreeSet<NodeId> = map.values().copied().collect();
        let needed = self.named();
        if let Some(n) = needed.iter().find(|n| !used.contains(n)) {
            return self.fail(format!("no object is node {n}"));
        }
        if (0..CHOICES).any(|turn| !self.is_related(map, turn)) {
            return self.fail("numbers are not related as described");
        }
        if self.claim == Claim::Littered {
            return true;
        }
        for (b, id) in map {
            let Some(node) = self.graph.nodes.get(id).filter(|n| n.is_heap()) else { continue };
            let from = self.memory.references(*b);
            let mut labels: Vec<(bool, u64)> = from.iter().map(|(b, off)| (is_heap(b), *off)).collect();
            labels.sort_unstable();
            let distinct = labels.windows(2).all(|w| w.first() != w.last());
            let fits = match node.sharing {
                Sharing::Unshared => from.len() <= 1,
                Sharing::ByField => distinct,
                Sharing::Shared => true,
            };
            if !fits || node.held && from.is_empty() {
                return self.fail(format!("node {id} has {} references", from.len()));
            }
        }
        let among = |nodes: &dyn Fn(&Node) -> bool| -> BTreeSet<usize> {
            let fits = |n: &NodeId| self.graph.nodes.get(n).is_some_and(|n| n.is_heap() && nodes(n));
            map.iter().filter(|(_, n)| fits(n)).map(|(b, _)| *b).collect()
        };
        if !self.graph.cyclic && self.has_cycle(among(&|_| true)) {
            return self.fail("blocks form a cycle");
        }
        for (id, node) in self.graph.nodes.iter().filter(|(_, n)| n.summary && !n.cyclic) {
            let group = map.iter().filter(|(_, n)| *n == id).map(|(b, _)| *b).collect();
            if self.has_cycle(group) {
                return self.fail(format!("blocks of {node:?} form a cycle"));
            }
        }
        true
    }
    /// Whether numbers are related as described, for one choice of objects for each node.
    fn is_related(&self, map: &Map, turn: usize) -> bool {
        let Some(relations) = &self.graph.relations else { return true };
        let chosen = |cell: Cell, second: bool| -> Option<usize> {
            let Cell::Node(n) = cell else { return None };
            let all: Vec<usize> = map.iter().filter(|(_, m)| **m == n).map(|(b, _)| *b).collect();
            let place = if second { turn / 3 + turn % 3 } else { turn + n as usize };
            all.get(place % all.len().max(1)).copied()
        };
        let value = |cell: Cell, off: u64, second: bool| match cell {
            Cell::Node(n) => {
                let (width, v) = self.graph.nodes.get(&n)?.cells.get(&off)?;
                number(v, self.memory.read(chosen(cell, second)?, off, *width))
            }
            Cell::Root(root @ Root::Local(l)) => number(self.graph.roots.get(&root)?, self.memory.local(l)),
            Cell::Root(_) => None,
        };
        let leads = |e: Edge<Cell>| {
            let ends = chosen(e.from, false).zip(chosen(e.to, e.from == e.to));
            ends.is_some_and(|(from, to)| {
                self.leads(from, e.field, to, relations.kind() == Connectors::Transitive)
            })
        };
        relations.admits(value, leads)
    }
    /// Whether a place in an object holds the address of another one, or of one from which that can be reached.
    fn leads(&self, from: usize, field: u64, to: usize, any_way: bool) -> bool {
        // Backwards from the end.
        let (mut found, mut todo) = (BTreeSet::new(), vec![to]);
        while let Some(b) = todo.pop() {
            let places = self.memory.references(b);
            if places.contains(&(from, field)) {
                return true;
            }
            todo.extend(places.into_iter().map(|p| p.0).filter(|p| any_way && found.insert(*p)));
        }
        false
    }
    /// The objects that variables lead to in the graph, along cells with one value.
    fn named(&self) -> BTreeSet<NodeId> {
        let own = |n: &Node| matches!(n.kind, Kind::Local(_) | Kind::Global(_)) && !n.constant;
        let mut todo: Vec<NodeId> =
            self.graph.nodes.iter().filter(|(_, n)| own(n)).map(|(id, _)| *id).collect();
        let locals = self.graph.roots.iter().filter(|(r, _)| match r {
            Root::Local(l) => self.memory.local(*l) != Held::Dead,
            _ => false,
        });
        todo.extend(locals.filter_map(|(_, v)| v.as_ptr()).map(|(n, _)| n));
        let mut found = BTreeSet::new();
        while let Some(n) = todo.pop() {
            let Some(node) = self.graph.nodes.get(&n).filter(|n| !n.summary && !n.constant) else { continue };
            if found.insert(n) {
                todo.extend(node.cells.values().filter_map(|(_, v)| v.as_ptr()).map(|(n, _)| n));
            }
        }
        found
    }
    fn has_cycle(&self, mut group: BTreeSet<usize>) -> bool {
        // What nothing of the group leads to is on no cycle.
        loop {
            let referred =
                |b: &usize| self.memory.references(*b).iter().any(|(from, _)| group.contains(from));
            let kept: BTreeSet<usize> = group.iter().copied().filter(referred).collect();
            if kept.len() == group.len() {
                return !group.is_empty();
            }
            group = kept;
        }
    }
}
