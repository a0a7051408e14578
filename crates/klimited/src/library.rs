//! Library functions: allocation, ends of the program, inputs, copies of bytes, and what only computes.

use crate::graph::{Graph, Kind as NodeKind, Node, Root};
use crate::limit::tree_like;
use crate::transfer::Step;
use crate::value::{NodeId, Value};
use heapwise_ir::library::{LibFn, ResultSource};
use heapwise_ir::{Call, Operand, Ty};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Property, Reason};
use std::collections::BTreeSet;

/// The largest size of an object.
const PTRDIFF_MAX: i128 = i64::MAX as i128;

impl Step<'_, '_> {
    /// A call of a library function.
    pub(crate) fn library(&mut self, f: LibFn, call: &Call, mut g: Graph) -> Vec<Graph> {
        let arg = |i: usize| call.args.get(i);
        match f {
            LibFn::Malloc | LibFn::Calloc => {
                let size = self.number_of(&mut g, arg(0));
                match f {
                    LibFn::Malloc => self.allocate(g, call, size, Value::undef()),
                    _ => {
                        let size = size.times(self.number_of(&mut g, arg(1)));
                        self.allocate(g, call, size, Value::int(0))
                    }
                }
            }
            LibFn::Free => arg(0).map_or(Vec::new(), |op| self.free(g, op)),
            LibFn::Realloc => self.realloc(g, call),
            LibFn::Memset | LibFn::Bzero | LibFn::Memcpy | LibFn::Memmove => self.bytes(f, call, g),
            LibFn::Abort | LibFn::ImmediateExit => Vec::new(),
            LibFn::Exit => {
                let main = self.cx.program.function_named(&self.cx.settings.entry) == Some(self.at.func);
                self.ended(&g, !main);
                Vec::new()
            }
            LibFn::AssertFail => {
                self.alarm(ErrorKind::Assertion, false, "the assertion may fail");
                Vec::new()
            }
            LibFn::VerifierAssume => arg(0).map_or(Vec::new(), |op| {
                let [_, yes] = self.truth(g, op);
                yes
            }),
            LibFn::AssertAcyclic | LibFn::AssertUnshared => {
                let Some(op) = arg(0) else { return Vec::new() };
                for v in self.operand(&mut g, op).alternatives() {
                    let holds = match v.as_ptr() {
                        Some((n, _)) if f == LibFn::AssertAcyclic => tree_like(&g, n).0,
                        Some((n, _)) => tree_like(&g, n).1,
                        None => v.as_int() == Some(0),
                    };
                    if !holds {
                        self.alarm(
                            ErrorKind::Assertion,
                            false,
                            "the graph may have a cycle or a shared block here",
                        );
                    }
                }
                vec![g]
            }
            LibFn::NondetBool => self.result(g, call, Value::range(Interval { lo: Some(0), hi: Some(1) })),
            LibFn::Rand | LibFn::Clock | LibFn::Getpid => {
                self.result(g, call, Value::range(Interval { lo: Some(0), hi: Some(i128::from(i32::MAX)) }))
            }
            LibFn::Nondet => {
                let ty = call.dest.as_ref().map_or(Ty(0), |d| d.ty);
                let v = self.any_of(ty).join(&Value::int(0));
                self.result(g, call, v)
            }
            _ => self.harmless(f, call, g),
        }
    }
    fn number_of(&mut self, g: &mut Graph, op: Option<&Operand>) -> Interval {
        let Some(op) = op else { return Interval::FULL };
        let ty = self.operand_ty(op);
        let v = self.operand(g, op);
        let v = self.defined(v, ty);
        self.number(&v, ty)
    }
    /// Stores the result of a call.
    pub(crate) fn result(&mut self, g: Graph, call: &Call, v: Value) -> Vec<Graph> {
        match &call.dest {
            Some(dest) => self.assign(g, dest, v),
            None => {
                self.dropped(&g, v.ptrs.keys(), false);
                vec![g]
            }
        }
    }
    fn allocate(&mut self, g: Graph, call: &Call, size: Interval, fill: Value) -> Vec<Graph> {
        let fits = size.meet(Interval { lo: Some(0), hi: Some(PTRDIFF_MAX) });
        let mut out = Vec::new();
        if self.cx.settings.malloc_may_fail || fits != Some(size) {
            out.extend(self.result(g.clone(), call, Value::int(0)));
        }
        if let Some(size) = fits {
            let mut g = g;
            let n = g.add(Node::new(NodeKind::Heap(self.at.span), size, fill));
            out.extend(self.result(g, call, Value::ptr(n, Interval::point(0))));
        }
        out
    }
    /// The start of a block that may be freed; null is left to the caller, alarms for everything else.
    fn block(&mut self, mut g: Graph, op: &Operand) -> Vec<(Graph, Option<NodeId>)> {
        let all = self.operand(&mut g, op);
        let (null, rest): (Vec<Value>, Vec<Value>) =
            all.alternatives().into_iter().partition(|v| v.as_int() == Some(0));
        let mut out: Vec<(Graph, Option<NodeId>)> = Vec::new();
        if !null.is_empty() {
            out.push((g.clone(), None));
        }
        let definite = rest.len() == 1 && null.is_empty();
        for v in &rest {
            match v {
                Value { freed: true, .. } => {
                    self.alarm(ErrorKind::DoubleFree, definite, "the block was freed before")
                }
                Value { undef: true, .. } if self.cx.counts(ErrorKind::Uninitialised) => {
                    self.alarm(ErrorKind::Uninitialised, definite, "the pointer is not initialised");
                }
                v if !v.ptrs.is_empty() => {}
                _ if self.cx.counts(ErrorKind::InvalidFree) => {
                    self.alarm(ErrorKind::InvalidFree, definite, "what is freed is no block");
                }
                _ => self.alarm(Reason::UnknownPointer, false, "it is not known what is freed"),
            }
        }
        let only_pointers = Value { ptrs: all.ptrs.clone(), ..Value::default() };
        if only_pointers == Value::default() {
            return out;
        }
        let g = match op {
            Operand::Local(l) if !self.is_slot(*l) => {
                g.roots.insert(Root::Local(*l), only_pointers);
                g
            }
            _ => g,
        };
        for (g, n, off) in self.follow(g, op) {
            let heap = g.nodes.get(&n).is_some_and(|n| n.is_heap());
            if !heap || off != Interval::point(0) {
                self.alarm(ErrorKind::InvalidFree, definite, "what is freed is not the start of a block");
            }
            // Where that does not count, executions end in which it goes wrong.
            if heap && off.contains(0) {
                out.push((g, Some(n)));
            }
        }
        out
    }
    fn free(&mut self, g: Graph, op: &Operand) -> Vec<Graph> {
        let mut out = Vec::new();
        for (mut g, n) in self.block(g, op) {
            if let Some(n) = n {
                let held = held(&g, n);
                g.remove(n, true);
                self.dropped(&g, &held, true);
            }
            out.push(g);
        }
        out
    }
    fn realloc(&mut self, mut g: Graph, call: &Call) -> Vec<Graph> {
        let Some(op) = call.args.first() else { return Vec::new() };
        let size = self.number_of(&mut g, call.args.get(1));
        let (Some(new), true) = (size.as_point(), size.lo > Some(0) && size.hi <= Some(PTRDIFF_MAX)) else {
            return self.unsupported("`realloc` to a size that is not known");
        };
        let mut out = Vec::new();
        for (mut g, n) in self.block(g, op) {
            let Some(n) = n else {
                out.extend(self.allocate(g, call, size, Value::undef()));
                continue;
            };
            let Some(old) = g.nodes.get(&n).map(|n| Node::clone(n)) else { continue };
            let (Some(old_size), false, false) =
                (old.size.as_point(), old.summary, self.cx.settings.malloc_may_fail)
            else {
                out.extend(self.unsupported("this use of `realloc`"));
                continue;
            };
            let mut block = Node::new(NodeKind::Heap(self.at.span), size, Value::undef());
            let kept = new.min(old_size).max(0) as u64;
            block.write(0, kept, old.fill.clone());
            let mut gone = BTreeSet::new();
            for (off, (w, v)) in &old.cells {
                match off + w <= kept {
                    true => block.write(*off, *w, v.without(n, true)),
                    false => gone.extend(v.ptrs.keys().copied()),
                }
                if *off < kept && off + w > kept {
                    block.write(*off, kept - off, v.part());
                }
            }
            g.remove(n, true);
            // Its references take the place of those of the old block.
            let id = g.add(block);
            g.recount();
            g.relations = g.relations.map(|r| std::rc::Rc::new(r.forgotten()));
            g.roots.insert(Root::Temp(2), Value::ptr(id, Interval::point(0)));
            self.dropped(&g, &gone, true);
            for mut g in self.result(g, call, Value::ptr(id, Interval::point(0))) {
                g.roots.remove(&Root::Temp(2));
                self.dropped(&g, [&id], false);
                out.push(g);
            }
        }
        out
    }
    /// `memset`, `memcpy` and their kin with a known size.
    fn bytes(&mut self, f: LibFn, call: &Call, mut g: Graph) -> Vec<Graph> {
        let (Some(to), Some(from)) = (call.args.first(), call.args.get(1)) else { return Vec::new() };
        let count = if f == LibFn::Bzero { Some(from) } else { call.args.get(2) };
        let Some(width) = self.number_of(&mut g, count).as_point().and_then(|n| u64::try_from(n).ok()) else {
            return self.unsupported("copies whose size is not known");
        };
        let fill = match f {
            LibFn::Bzero => Some(Value::int(0)),
            LibFn::Memset => {
                let v = self.number_of(&mut g, Some(from));
                Some(if v == Interval::point(0) { Value::int(0) } else { Value::opaque() })
            }
            _ => None,
        };
        let place = |op: &Operand| heapwise_ir::Place::deref(op.clone(), Ty(0));
        let mut out = Vec::new();
        for (g, target) in self.place(g, &place(to), width, true) {
            let sources = match &fill {
                Some(_) => vec![(g, None)],
                None => {
                    let found = self.place(g, &place(from), width, false);
                    found.into_iter().map(|(g, a)| (g, Some(a))).collect()
                }
            };
            for (mut g, source) in sources {
                match (&fill, source) {
                    (_, Some(source)) if source.node == target.node => {
                        out.extend(self.unsupported("copies inside of an object"));
                        continue;
                    }
                    (_, Some(source)) => self.copy(&mut g, source, target, width),
                    (Some(v), None) => self.store(&mut g, target, width, v.clone()),
                    (None, None) => {}
                }
                let v = self.operand(&mut g, to);
                out.extend(self.result(g, call, v));
            }
        }
        out
    }
    /// Functions that only compute, or write what they are given: any result. What they read must be constant.
    fn harmless(&mut self, f: LibFn, call: &Call, mut g: Graph) -> Vec<Graph> {
        let e = f.effects();
        let touches =
            !e.frees.is_empty() || !e.writes.is_empty() || !e.retains.is_empty() || !e.calls.is_empty();
        let mut known = !touches && !e.unsupported && !e.noreturn && e.result == ResultSource::Plain;
        // What a format makes of further arguments is not looked at.
        let plain = call.args.len() <= 1 || e.reads.is_empty();
        known &= plain && f.stream().is_none() && !matches!(f, LibFn::AssumeShape | LibFn::CheckShape);
        for op in &call.args {
            if !self.cx.program.types.is_scalar(self.operand_ty(op)) {
                return self.unsupported("aggregates handed to the library");
            }
            let v = self.operand(&mut g, op);
            let v = self.defined(v, self.operand_ty(op));
            let pointer = self.cx.program.types.pointee(self.operand_ty(op)).is_some();
            let proper = v.ptrs.iter().all(|(n, off)| *off == Interval::point(0) && is_text(&g, *n));
            known &= proper && !(pointer && (v.freed || v.ended || v.opaque || v.num.is_some()));
        }
        if !known {
            return self.unsupported(&format!("this call of `{}`", f.names().first().unwrap_or(&"")));
        }
        let v = call.dest.as_ref().map_or(Value::default(), |d| self.any_of(d.ty));
        self.result(g, call, v)
    }
    /// What must hold when the program ends; memory that is not seen here may hold blocks.
    pub(crate) fn ended(&mut self, g: &Graph, more: bool) {
        let blocks = g.nodes.values().any(|n| n.is_heap());
        if self.cx.settings.properties.has(Property::Cleanup) && (more || blocks) {
            self.alarm(ErrorKind::Leak, false, "blocks may still be allocated when the program ends");
        }
    }
}

/// Whether a node is a constant text that ends with a zero, without any place for an argument.
fn is_text(g: &Graph, n: NodeId) -> bool {
    let Some(node) = g.nodes.get(&n).filter(|n| n.constant) else { return false };
    let end = node.size.as_point().and_then(|s| u64::try_from(s).ok()).filter(|s| (1..=4096).contains(s));
    let byte = |at: u64| node.read(at, 1).as_int();
    let plain = |at: u64| byte(at).is_some_and(|b| b != i128::from(b'%'));
    end.is_some_and(|end| byte(end - 1) == Some(0) && (0..end).all(plain))
}

/// What the cells of a node refer to.
fn held(g: &Graph, n: NodeId) -> BTreeSet<NodeId> {
    let values = g.nodes.get(&n).into_iter().flat_map(|n| n.values());
    values.flat_map(|v| v.ptrs.keys().copied()).filter(|t| *t != n).collect()
}
