//! Calls (survey §5.3): a function sees what its arguments and the globals lead to; the rest is the caller's frame.
//!
//! What the frame refers to in the part that is handed over is a *cutpoint*: it gets a name ([`Root::Cut`]), so that
//! the frame finds it again in the exit. The variables of callers that are handed over are cutpoints too. Entries are in
//! normal form, so that equal calls are looked up.

use crate::KLimited;
use crate::graph::{Graph, Kind as NodeKind, Node, Root};
use crate::order::{canonical, canonical_names};
use crate::relations::Relations;
use crate::transfer::{Access, Step};
use crate::value::{NodeId, Value};
use heapwise_fixpoint::{Calls, Context, Site};
use heapwise_ir::library::LibFn;
use heapwise_ir::{Body, Call, Callee, FuncId, LocalId, Operand, PlaceBase};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Reason};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More names than this for the memory of callers are too many.
const MAX_CUTS: usize = 12;

/// What a caller keeps during a call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its graph without what was handed over; addresses there keep their old names.
    graph: Graph,
    /// What was handed over and the frame refers to: old name and cutpoint.
    cuts: BTreeMap<NodeId, Root>,
    /// Variables that were handed over.
    variables: Vec<(Root, NodeKind)>,
}

impl KLimited {
    /// What a call hands over: the callee's memory without names for the caller's references.
    fn handed_over(step: &mut Step<'_, '_>, g: &mut Graph, body: &Body, call: &Call) -> Option<Graph> {
        let mut entry = Graph::default();
        for (p, a) in body.params.iter().zip(&call.args) {
            let local = body.locals.get(*p)?;
            let scalar = step.cx.program.types.is_scalar(local.ty);
            if scalar && !local.address_taken {
                let v = step.operand(g, a);
                entry.roots.insert(Root::Local(*p), v);
                continue;
            }
            let size = step.size(local.ty);
            let mut node = Node::new(NodeKind::Local(*p), Interval::point(i128::from(size)), Value::undef());
            if scalar {
                node.write(0, size, step.operand(g, a));
            } else if let Operand::Local(l) = a {
                let from = step.slot(g, *l);
                let from = g.nodes.get(&from)?;
                (node.cells, node.fill) = (from.cells.clone(), from.fill.clone());
            }
            // It has no name in the caller's graph, so that it gets one that is free in both.
            let id = g
                .nodes
                .last_key_value()
                .map_or(0, |(n, _)| n + 1)
                .max(entry.nodes.last_key_value().map_or(0, |(n, _)| n + 1));
            let shared: Vec<NodeId> = node.values().flat_map(|v| v.ptrs.keys().copied()).collect();
            entry.nodes.insert(id, Rc::new(node));
            // A copy of a reference is another one.
            for n in shared {
                g.node_mut(n).into_iter().for_each(|n| n.sharing = crate::graph::Sharing::Shared);
            }
        }
        Some(entry)
    }
}

/// The nodes that are reachable from some values.
fn reachable<'v>(g: &Graph, values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut todo: Vec<NodeId> = values.into_iter().flat_map(|v| v.ptrs.keys().copied()).collect();
    todo.extend(g.nodes.iter().filter(|(_, n)| matches!(n.kind, NodeKind::Global(_))).map(|(id, _)| *id));
    while let Some(n) = todo.pop() {
        if let Some(node) = g.nodes.get(&n).filter(|_| found.insert(n)) {
            todo.extend(node.values().flat_map(|v| v.ptrs.keys()));
        }
    }
    found
}

impl Calls for KLimited {
    type Frame = Frame;

    fn start(&mut self, cx: &mut Context<'_>, at: &Site<'_>) -> Vec<Graph> {
        let relations = self.variant.relations;
        let mut step = self.step(cx, at);
        let relations = relations.map(|(kind, domain)| Rc::new(Relations::new(kind, domain)));
        let mut g = Graph { relations, ..Graph::default() };
        let program = step.cx.program;
        for (id, global) in program.globals.iter_enumerated().filter(|(_, g)| !g.constant) {
            if global.kind != heapwise_ir::GlobalKind::Literal {
                step.global(&mut g, id);
            }
        }
        for p in &at.body.params {
            let ty = at.body.locals.get(*p).map_or(heapwise_ir::Ty(0), |l| l.ty);
            let v = step.any_of(ty);
            step.set_local(&mut g, *p, v);
        }
        vec![g]
    }
    fn end(&mut self, cx: &mut Context<'_>, at: &Site<'_>, g: &Graph) {
        let mut step = self.step(cx, at);
        if g.roots.get(&Root::Result).is_some_and(|v| v.undef) {
            step.alarm(ErrorKind::Uninitialised, false, "the exit status is not initialised");
        }
        step.ended(g, false);
    }
    fn callees(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        callee: &Callee,
        mut g: Graph,
    ) -> Vec<(FuncId, Graph)> {
        let op = match callee {
            Callee::Direct(f) => return vec![(*f, g)],
            Callee::Indirect(op) => op,
        };
        let mut step = self.step(cx, at);
        let all = step.operand(&mut g, op);
        let definite = all.alternatives().len() == 1;
        if all.num.is_some() {
            step.alarm(ErrorKind::NullDeref, definite, "the function pointer is null");
        }
        if all.num.is_some_and(|n| n != Interval::point(0))
            || !all.ptrs.is_empty()
            || all.opaque
            || all.freed
            || all.ended
            || all.undef && !step.cx.counts(ErrorKind::Uninitialised)
        {
            step.alarm(Reason::UnknownCall, false, "it is not known which function the pointer leads to");
        }
        if all.undef {
            step.alarm(ErrorKind::Uninitialised, definite, "the function pointer is not initialised");
        }
        all.funcs.iter().map(|f| (*f, g.clone())).collect()
    }
    fn library(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        f: LibFn,
        call: &Call,
        g: Graph,
    ) -> Vec<Graph> {
        self.step(cx, at).library(f, call, g)
    }
    fn any_result(&mut self, cx: &mut Context<'_>, at: &Site<'_>, call: &Call, g: Graph) -> Vec<Graph> {
        let mut step = self.step(cx, at);
        let Some(dest) = &call.dest else { return vec![g] };
        let v = step.any_of(dest.ty);
        step.assign(g, dest, v)
    }
    fn enter(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        callee: (FuncId, &Body),
        call: &Call,
        mut g: Graph,
    ) -> Option<(Graph, Frame)> {
        let mut step = self.step(cx, at);
        if callee.1.varargs.is_some() {
            step.unsupported("variadic functions");
            return None;
        }
        g.recount();
        let mut entry = Self::handed_over(&mut step, &mut g, callee.1, call)?;
        // Temporaries that only the call reads hold nothing while it is made.
        let needed = |l: LocalId| {
            let base = call.dest.as_ref().map(|d| &d.base);
            at.body.locals.get(l).is_none_or(|l| l.name.is_some())
                || at.live_after.is_none_or(|live| live.contains(l))
                || matches!(base, Some(PlaceBase::Deref(Operand::Local(b))) if *b == l)
        };
        g.roots.retain(|r, _| !matches!(r, Root::Local(l) if !needed(*l)));
        let own: Vec<Rc<Node>> = entry.nodes.values().cloned().collect();
        let values = entry.roots.values().chain(own.iter().flat_map(|n| n.values()));
        let part = reachable(&g, values);
        let mut variables: Vec<(NodeId, NodeKind)> = Vec::new();
        entry.cyclic = g.cyclic;
        // A call forgets how numbers are related.
        let forgotten = g.relations.as_ref().map(|r| Rc::new(r.forgotten()));
        (entry.relations, g.relations) = (forgotten.clone(), forgotten);
        for n in &part {
            let Some(node) = g.nodes.get(n) else { continue };
            let mut node = node.clone();
            if matches!(node.kind, NodeKind::Local(_) | NodeKind::Outer) {
                variables.push((*n, node.kind));
                Rc::make_mut(&mut node).kind = NodeKind::Outer;
            }
            entry.nodes.insert(*n, node);
        }
        g.nodes.retain(|n, _| !part.contains(n));
        // What the frame refers to, in memory or in variables, certainly or not.
        let mut cuts: BTreeMap<NodeId, (bool, bool)> =
            variables.iter().map(|(n, _)| (*n, (true, true))).collect();
        let held = g.nodes.values().flat_map(|n| n.values().map(|v| (v, true, !n.summary)));
        let named = g.roots.iter().map(|(r, v)| (v, matches!(r, Root::Cut(_, true)), true));
        for (v, memory, one) in held.chain(named) {
            for n in v.ptrs.keys().filter(|n| part.contains(n)) {
                let cut = cuts.entry(*n).or_insert((true, false));
                cut.0 &= memory;
                cut.1 |= one && v.as_ptr().is_some();
            }
        }
        if cuts.len() > MAX_CUTS {
            step.unsupported("calls whose callers hold so much of the memory that is handed over");
            return None;
        }
        let names = canonical_names(&entry);
        let mut order: Vec<(NodeId, (bool, bool))> = cuts.into_iter().collect();
        order.sort_by_key(|(n, _)| names.get(n).copied());
        let mut found = BTreeMap::new();
        for (i, (n, (memory, certain))) in order.into_iter().enumerate() {
            let root = Root::Cut(i as u32, memory);
            found.insert(n, root);
            // A reference that is not certain is one that may be something else.
            let v = Value { opaque: !certain, ..Value::ptr(n, Interval::point(0)) };
            entry.roots.insert(root, v);
        }
        let variables = variables.into_iter().filter_map(|(n, k)| found.get(&n).map(|r| (*r, k))).collect();
        Some((canonical(&entry), Frame { graph: g, cuts: found, variables }))
    }
    fn exit(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        value: Option<&Operand>,
        mut g: Graph,
    ) -> Vec<Graph> {
        let mut step = self.step(cx, at);
        if let Some(op) = value {
            let aggregate = !step.cx.program.types.is_scalar(step.operand_ty(op));
            match op {
                Operand::Local(l) if aggregate => {
                    let n = step.slot(&mut g, *l);
                    g.node_mut(n).into_iter().for_each(|n| n.kind = NodeKind::Result);
                }
                _ => {
                    let v = step.operand(&mut g, op);
                    g.roots.insert(Root::Result, v);
                }
            }
        }
        let (mut gone, mut named): (BTreeSet<NodeId>, BTreeSet<NodeId>) = Default::default();
        let locals: Vec<NodeId> =
            g.nodes.iter().filter(|(_, n)| matches!(n.kind, NodeKind::Local(_))).map(|(id, _)| *id).collect();
        for n in locals {
            gone.extend(g.nodes.get(&n).into_iter().flat_map(|n| n.values()).flat_map(|v| v.ptrs.keys()));
            g.remove(n, false);
        }
        g.roots.retain(|r, v| {
            let keep = !matches!(r, Root::Local(_) | Root::Temp(_));
            named.extend(v.ptrs.keys().filter(|_| !keep));
            keep
        });
        step.dropped(&g, &gone, true);
        step.dropped(&g, &named, false);
        g.sweep();
        vec![canonical(&g)]
    }
    fn leave(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        call: &Call,
        frame: &Frame,
        exit: &Graph,
    ) -> Vec<Graph> {
        let mut step = self.step(cx, at);
        let mut g = frame.graph.clone();
        g.cyclic |= exit.cyclic;
        let first = 1 + g
            .nodes
            .last_key_value()
            .map_or(0, |(n, _)| *n)
            .max(frame.cuts.last_key_value().map_or(0, |(n, _)| *n));
        let name = |n: NodeId| n + first;
        let cut = |n: &NodeId| frame.cuts.get(n).and_then(|r| exit.roots.get(r));
        g.change(|v| {
            let mut new = Value { ptrs: BTreeMap::new(), ..v.clone() };
            for (n, off) in &v.ptrs {
                match cut(n) {
                    Some(at) => {
                        // Opaque says here that the reference is not certain.
                        let at = Value { opaque: false, ..at.renamed(name) };
                        new = new.join(&at.shifted(*off));
                    }
                    None => new = new.join(&Value::ptr(*n, *off)),
                }
            }
            new
        });
        for (n, node) in &exit.nodes {
            let mut node = node.clone();
            if node.values().any(|v| !v.ptrs.is_empty()) {
                let node = Rc::make_mut(&mut node);
                node.cells.values_mut().for_each(|(_, v)| *v = v.renamed(name));
            }
            g.nodes.insert(name(*n), node);
        }
        for (root, kind) in &frame.variables {
            let at = exit.roots.get(root).and_then(|v| v.ptrs.first_key_value()).map(|(n, _)| name(*n));
            at.and_then(|n| g.node_mut(n)).into_iter().for_each(|n| n.kind = *kind);
        }
        if let (Some(node), Some(dest)) = (g.find(NodeKind::Result), &call.dest) {
            let width = step.size(dest.ty);
            let mut out = Vec::new();
            for (mut g, to) in step.place(g, dest, width, true) {
                step.copy(&mut g, Access::at(node), to, width);
                g.remove(node, false);
                out.push(g);
            }
            return out;
        }
        if let Some(node) = g.find(NodeKind::Result) {
            g.remove(node, false);
        }
        let v = exit.roots.get(&Root::Result).map(|v| v.renamed(name));
        step.result(g, call, v.unwrap_or(Value::any()))
    }
}
