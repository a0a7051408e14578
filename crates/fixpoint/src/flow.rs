//! What is known of one function on one entry while it is iterated: states on edges, at loop heads, and at returns.
//!
//! States on an edge are those of the last execution of its source. What takes part in a loop from outside may be given
//! in place of the edges that enter it ([`Flow::enter_with`]), when iterations were executed before or a part of the states
//! was set aside; what left a loop in iterations that are not repeated is kept beside the edges ([`Left`]).
//!
//! `S` is a state, `K` what is kept of one at a loop head ([`Kept`]). Cost: edges of a component are dropped in time linear
//! in the edges of the function.

use heapwise_ir::{BlockId, Body, Cfg, FuncId, Span, Wto};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The blocks of a loop.
pub type Members = FxHashSet<BlockId>;

/// An edge of the graph.
pub type Edge = (BlockId, BlockId);

/// A state that is kept and compared with others again and again, with what is remembered of it.
pub trait Kept<S>: Clone {
    /// A state of which nothing is remembered yet.
    fn of(state: S) -> Self;
    /// The state.
    fn state(&self) -> &S;
}

impl<S: Clone> Kept<S> for S {
    fn of(state: S) -> S {
        state
    }
    fn state(&self) -> &S {
        self
    }
}

/// What left a loop in iterations that are not repeated.
#[derive(Clone, Debug)]
pub(crate) struct Left<S> {
    /// By the edge on which it did.
    pub(crate) edges: BTreeMap<Edge, Vec<S>>,
    /// What was returned from inside.
    pub(crate) exits: Vec<S>,
}

/// The code of a function, and the order of iteration.
#[derive(Clone, Copy, Debug)]
pub struct Graph<'b> {
    /// The function.
    pub func: FuncId,
    /// Its code.
    pub body: &'b Body,
    /// Its graph.
    pub cfg: &'b Cfg,
    /// Its blocks in weak topological order.
    pub wto: &'b Wto,
}

impl Graph<'_> {
    /// The blocks of the component that is a range of the order.
    pub fn members(&self, at: usize, end: usize) -> Members {
        self.wto.entries().iter().take(end).skip(at).map(|e| e.block).collect()
    }
    /// Where a block ends: the place of a loop is that of its head.
    pub fn span(&self, block: BlockId) -> Span {
        self.body.blocks.get(block).map_or(Span::default(), |b| b.terminator.span)
    }
}

/// The states of a function.
#[derive(Clone, Debug)]
pub struct Flow<'b, S, K = S> {
    /// The function.
    pub graph: Graph<'b>,
    pub(crate) entry: Vec<S>,
    /// States on each edge, from its source's last execution.
    pub(crate) edges: FxHashMap<Edge, Vec<S>>,
    pub(crate) heads: FxHashMap<BlockId, Vec<K>>,
    /// What enters a loop, in place of the edges that lead into it.
    pub(crate) entering: FxHashMap<BlockId, (Vec<S>, Members)>,
    /// What left each loop in an iteration that was set aside.
    pub(crate) left: BTreeMap<BlockId, Left<S>>,
    /// What was set aside for the loops that are being solved, outermost first.
    pub(crate) frames: Vec<S>,
    /// The heads of loops for which something was set aside.
    pub(crate) framed: FxHashSet<BlockId>,
    /// What the function returns, from the last execution of each block.
    pub(crate) exits: BTreeMap<BlockId, Vec<S>>,
}

impl<'b, S: Clone, K: Kept<S>> Flow<'b, S, K> {
    /// Nothing was executed yet.
    pub fn new(graph: Graph<'b>, entry: Vec<S>) -> Flow<'b, S, K> {
        let (edges, heads, entering, framed) = Default::default();
        let (left, frames, exits) = Default::default();
        Flow { graph, entry, edges, heads, entering, left, frames, framed, exits }
    }

    /// Nothing was executed yet on the same entry.
    pub(crate) fn again(&self) -> Flow<'b, S, K> {
        Flow::new(self.graph, self.entry.clone())
    }

    /// The states in which the function begins.
    pub fn entry(&self) -> &[S] {
        &self.entry
    }

    /// What comes to a block.
    pub fn incoming(&self, block: BlockId) -> Vec<S> {
        let mut states = if block == Body::ENTRY { self.entry.clone() } else { Vec::new() };
        let mut inside = None;
        if let Some((entering, members)) = self.entering.get(&block) {
            states.clone_from(entering);
            inside = Some(members);
        }
        for p in self.graph.cfg.predecessors(block) {
            if inside.is_none_or(|m| m.contains(p)) {
                states.extend(self.on_edge((*p, block)).cloned());
            }
        }
        states
    }

    /// What comes back to the head of a loop.
    pub(crate) fn coming_back(&self, head: BlockId, members: &Members) -> Vec<S> {
        let sources = self.graph.cfg.predecessors(head).iter().filter(|p| members.contains(p));
        sources.flat_map(|p| self.on_edge((*p, head)).cloned()).collect()
    }

    fn on_edge(&self, edge: Edge) -> impl Iterator<Item = &S> {
        let left = self.left.values().filter_map(move |l| l.edges.get(&edge)).flatten();
        self.edges.get(&edge).into_iter().flatten().chain(left)
    }

    /// The states at a loop head.
    pub fn at_head(&self, head: BlockId) -> Vec<S> {
        self.heads.get(&head).into_iter().flatten().map(|k| k.state().clone()).collect()
    }

    /// Takes the states of a loop head, to be changed and put back.
    pub fn take_head(&mut self, head: BlockId) -> Vec<K> {
        self.heads.remove(&head).unwrap_or_default()
    }

    /// What holds at a loop head from now on.
    pub fn set_head(&mut self, head: BlockId, states: Vec<K>) {
        self.heads.insert(head, states);
    }

    /// What a block did before is forgotten: it is executed again.
    pub fn begin_block(&mut self, block: BlockId) {
        for target in self.graph.cfg.successors(block) {
            self.edges.insert((block, *target), Vec::new());
        }
        self.exits.remove(&block);
    }

    /// States go along an edge.
    pub fn send(&mut self, edge: Edge, states: impl IntoIterator<Item = S>) {
        self.edges.entry(edge).or_default().extend(states);
    }

    /// States in which a block returns.
    pub fn give_back(&mut self, block: BlockId, states: impl IntoIterator<Item = S>) {
        self.exits.entry(block).or_default().extend(states);
    }

    /// All states in which the function returns.
    pub fn returned(&self) -> impl Iterator<Item = &S> {
        self.exits.values().flatten().chain(self.left.values().flat_map(|l| &l.exits))
    }

    /// The edges on which something leaves some blocks.
    pub fn leaving(&self, members: &Members) -> Vec<Edge> {
        let out =
            members.iter().flat_map(|from| self.graph.cfg.successors(*from).iter().map(|to| (*from, *to)));
        let sent = |e: &Edge| self.edges.get(e).is_some_and(|states| !states.is_empty());
        out.filter(|(_, to)| !members.contains(to)).filter(sent).collect()
    }

    /// Takes the states on an edge, to be changed and put back.
    pub fn take_edge(&mut self, edge: Edge) -> Option<Vec<S>> {
        self.edges.get_mut(&edge).map(std::mem::take)
    }

    /// What is on an edge from now on.
    pub fn set_edge(&mut self, edge: Edge, states: Vec<S>) {
        self.edges.insert(edge, states);
    }

    /// What was set aside for the loops that are being solved, outermost first.
    pub fn frames(&self) -> &[S] {
        &self.frames
    }

    /// A loop is entered by these states, whatever comes along the edges that lead into it.
    pub(crate) fn enter_with(&mut self, head: BlockId, states: Vec<S>, members: &Members) {
        self.entering.insert(head, (states, members.clone()));
    }

    /// Forgets what a loop did before: one inside of another is solved anew for each iteration of the outer one.
    pub(crate) fn begin_component(&mut self, head: BlockId, members: &Members) {
        self.heads.remove(&head);
        self.entering.remove(&head);
        self.left.remove(&head);
        self.forget_edges(members);
    }

    pub(crate) fn forget_edges(&mut self, members: &Members) {
        self.edges.retain(|(from, _), _| !members.contains(from));
    }

    /// Whether the last execution of its blocks left a loop.
    pub(crate) fn leaves(&self, members: &Members) -> bool {
        let out = |((from, to), states): (&Edge, &Vec<S>)| {
            members.contains(from) && !members.contains(to) && !states.is_empty()
        };
        self.edges.iter().any(out) || members.iter().any(|b| self.exits.contains_key(b))
    }

    /// Sets aside what has left a loop, so that its blocks can be executed again without it being forgotten.
    pub(crate) fn set_left_aside(&mut self, head: BlockId, members: &Members) {
        let mut left = Left { edges: BTreeMap::new(), exits: Vec::new() };
        let inner = self.left.iter().filter(|(h, _)| members.contains(h));
        let edges = inner.flat_map(|(_, l)| &l.edges).chain(&self.edges);
        for ((from, to), states) in edges.filter(|((f, t), _)| members.contains(f) && !members.contains(t)) {
            left.edges.entry((*from, *to)).or_default().extend(states.iter().cloned());
        }
        let inner = self.left.iter().filter(|(h, _)| members.contains(h));
        left.exits.extend(inner.flat_map(|(_, l)| &l.exits).cloned());
        for block in members {
            left.exits.extend(self.exits.remove(block).into_iter().flatten());
        }
        self.forget_edges(members);
        self.left.retain(|h, _| !members.contains(h));
        self.left.insert(head, left);
    }

    /// What has left a loop, to be changed.
    pub(crate) fn leaving_mut(&mut self, members: &Members) -> impl Iterator<Item = &mut S> {
        let leaves = |(from, to): &Edge| members.contains(from) && !members.contains(to);
        let edges = self.edges.iter_mut().filter(move |(e, _)| leaves(e)).map(|(_, states)| states);
        let left = self.left.iter_mut().filter(|(h, _)| members.contains(h));
        let left = left.flat_map(|(_, l)| &mut l.edges).filter(move |(e, _)| leaves(e)).map(|(_, s)| s);
        edges.chain(left).flatten()
    }
}
