//! What statements do to a graph (survey §4.2.2).
//!
//! Where a pointer is followed there is one graph for each alternative; an access to an object of a summary first takes it
//! out of the summary, so that the update is strong. A comparison splits the graph into the cases in which it holds and
//! does not, with what its operands are in each.

use crate::KLimited;
use crate::graph::{Graph, Kind as NodeKind, Node, Root, Via};
use crate::relations::{Cell, RESULT};
use crate::value::{NodeId, Value};
use heapwise_fixpoint::{Context, Site, Transfer};
use heapwise_ir::{
    BinaryOp, BlockId, CastKind, CompareOp, Const, GlobalId, GlobalInit, GlobalKind, InitValue, Intrinsic,
    LocalId, LocalSet, Operand, Place, PlaceBase, Projection, Rvalue, Statement, StatementKind, Terminator,
    TerminatorKind, Ty, Type, UnaryOp,
};
use heapwise_numeric::Interval;
use heapwise_numeric::machine::{Happens, MachineInt};
use heapwise_property::{ErrorKind, Kind, Reason};
use std::collections::BTreeSet;

/// More places than this that an access may mean are not looked at one by one.
const MANY: i128 = 64;
/// Globals with more scalars than this are not tracked cell by cell.
const MAX_SCALARS: usize = 512;

/// Bytes of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) node: NodeId,
    pub(crate) off: Interval,
    stride: u64,
}

impl Access {
    /// The start of an object.
    pub(crate) fn at(node: NodeId) -> Access {
        Access { node, off: Interval::point(0), stride: 0 }
    }
    /// The offsets that it may mean, if they are few.
    pub(crate) fn offsets(&self) -> Option<Vec<u64>> {
        let (lo, hi) = (self.off.lo?, self.off.hi?);
        let step = i128::from(self.stride.max(1));
        ((hi - lo) / step < MANY)
            .then(|| (0..=(hi - lo) / step).map(|i| (lo + i * step).max(0) as u64).collect())
    }
}

/// The work on one statement.
pub(crate) struct Step<'a, 'p> {
    pub(crate) cx: &'a mut Context<'p>,
    pub(crate) at: &'a Site<'a>,
    pub(crate) materialise: bool,
}

impl Step<'_, '_> {
    pub(crate) fn alarm(&mut self, kind: impl Into<Kind>, definite: bool, message: &str) {
        self.cx.alarm(self.at, kind, definite, message);
    }
    pub(crate) fn unsupported(&mut self, what: &str) -> Vec<Graph> {
        self.alarm(Reason::Unsupported, false, &format!("k-limited graphs do not model {what}"));
        Vec::new()
    }
    fn undefined(&mut self, definite: bool) {
        self.alarm(ErrorKind::Uninitialised, definite, "the value is not initialised");
    }
    pub(crate) fn size(&self, ty: Ty) -> u64 {
        self.cx.program.types.size(ty)
    }
    pub(crate) fn is_slot(&self, local: LocalId) -> bool {
        let scalar = |ty| self.cx.program.types.is_scalar(ty);
        self.at.body.locals.get(local).is_none_or(|l| l.address_taken || !scalar(l.ty))
    }
    fn local_ty(&self, local: LocalId) -> Ty {
        self.at.body.locals.get(local).map_or(Ty(0), |l| l.ty)
    }
    pub(crate) fn operand_ty(&self, op: &Operand) -> Ty {
        self.cx.program.operand_ty(self.at.body, op).unwrap_or(Ty(0))
    }
    fn machine(&self, ty: Ty) -> Option<MachineInt> {
        let int = self.cx.program.types.as_int(ty)?;
        (int.bits < 128).then_some(MachineInt { bits: u32::from(int.bits), signed: int.signed })
    }
    /// The numbers of an integer type.
    pub(crate) fn integers(&self, ty: Ty) -> Option<Interval> {
        self.machine(ty).map(MachineInt::range)
    }
    /// Any value of a type.
    pub(crate) fn any_of(&self, ty: Ty) -> Value {
        let bool = matches!(self.cx.program.types.get(ty), Type::Bool);
        match self.machine(ty) {
            Some(_) if bool => Value::range(Interval { lo: Some(0), hi: Some(1) }),
            Some(int) => Value::range(int.range()),
            None => Value::opaque(),
        }
    }
    /// The numbers among the values of an integer type.
    pub(crate) fn number(&self, v: &Value, ty: Ty) -> Interval {
        let Some(int) = self.machine(ty) else { return Interval::FULL };
        match v.num {
            Some(n) if !v.opaque && !v.undef && !v.has_pointer() => int.wrap(n),
            _ => int.range(),
        }
    }
    /// A value of memory as one of a type.
    fn typed(&self, v: Value, ty: Ty) -> Value {
        match self.machine(ty) {
            Some(int) if self.size(ty) == self.cx.program.types.pointer_size && v.has_pointer() => {
                Value { num: v.num.map(|n| int.wrap(n)), ..v }
            }
            Some(_) if v == Value::undef() => v,
            Some(_) => {
                Value { undef: v.undef, ..Value::range(self.number(&Value { undef: false, ..v }, ty)) }
            }
            None => v,
        }
    }

    /// The object of a global; constants are added when they are named.
    pub(crate) fn global(&mut self, g: &mut Graph, id: GlobalId) -> NodeId {
        if let Some(n) = g.find(NodeKind::Global(id)) {
            return n;
        }
        let program = self.cx.program;
        let Some(global) = program.globals.get(id) else {
            return g.add(Node::new(NodeKind::Global(id), Interval::point(0), Value::any()));
        };
        let size = Interval::point(i128::from(global.size));
        let mut node = Node::new(NodeKind::Global(id), size, Value::int(0));
        node.constant = global.constant || global.kind == GlobalKind::Literal;
        let n = g.add(node);
        let scalars = program.types.scalars(global.ty, MAX_SCALARS);
        let GlobalInit::Data(pieces) = &global.init else {
            g.node_mut(n).into_iter().for_each(|n| n.fill = Value::opaque());
            return n;
        };
        if scalars.len() > MAX_SCALARS {
            g.node_mut(n).into_iter().for_each(|n| n.fill = Value::opaque());
            return n;
        }
        for piece in pieces {
            let (width, value) = match &piece.value {
                InitValue::Bytes(bytes) => {
                    let end = piece.offset + bytes.len() as u64;
                    let Some(node) = g.node_mut(n) else { return n };
                    node.write(piece.offset, bytes.len() as u64, Value::opaque());
                    for (off, ty) in scalars.iter().filter(|(off, _)| (piece.offset..end).contains(off)) {
                        let (from, width) = ((off - piece.offset) as usize, program.types.size(*ty));
                        let taken = bytes.iter().skip(from).take(width.min(16) as usize);
                        let bits = taken.rev().fold(0u128, |all, b| all << 8 | u128::from(*b));
                        let int = program.types.as_int(*ty).filter(|_| off + width <= end && width < 16);
                        let value = int.map_or(Value::opaque(), |int| Value::int(int.wrap(bits as i128)));
                        node.write(*off, width, value);
                    }
                    continue;
                }
                InitValue::GlobalAddr { global, offset } => {
                    let to = self.global(g, *global);
                    (program.types.pointer_size, Value::ptr(to, Interval::point(i128::from(*offset))))
                }
                InitValue::FunctionAddr(f) => (program.types.pointer_size, Value::func(*f)),
            };
            g.store((n, piece.offset), width, value, false);
        }
        n
    }

    /// The object of a local that lives in memory.
    pub(crate) fn slot(&mut self, g: &mut Graph, local: LocalId) -> NodeId {
        let kind = NodeKind::Local(local);
        let size = Interval::point(i128::from(self.size(self.local_ty(local))));
        g.find(kind).unwrap_or_else(|| g.add(Node::new(kind, size, Value::any())))
    }

    /// The value of a scalar operand.
    pub(crate) fn operand(&mut self, g: &mut Graph, op: &Operand) -> Value {
        match op {
            Operand::Local(l) if self.is_slot(*l) => {
                let (n, width) = (self.slot(g, *l), self.size(self.local_ty(*l)));
                let v = g.nodes.get(&n).map_or(Value::any(), |n| n.read(0, width));
                self.typed(v, self.local_ty(*l))
            }
            Operand::Local(l) => g.roots.get(&Root::Local(*l)).cloned().unwrap_or(Value::any()),
            Operand::Const(c) => match c {
                Const::Int { value, .. } => Value::int(*value),
                Const::Null(_) => Value::int(0),
                Const::Global { global, offset, .. } => {
                    Value::ptr(self.global(g, *global), Interval::point(i128::from(*offset)))
                }
                Const::Function { func, .. } => Value::func(*func),
                Const::Float { .. } | Const::Label { .. } => Value::opaque(),
                Const::Undefined(_) => Value::undef(),
            },
        }
    }
    /// A value that must be initialised.
    pub(crate) fn defined(&mut self, v: Value, ty: Ty) -> Value {
        if !v.undef {
            return v;
        }
        self.undefined(v == Value::undef());
        let defined = Value { undef: false, ..v };
        // Where that does not count, the value is arbitrary.
        if self.cx.counts(ErrorKind::Uninitialised) && defined != Value::default() {
            defined
        } else {
            defined.join(&self.any_of(ty))
        }
    }
    /// Notes which of its alternatives an operand is.
    fn refine(&mut self, g: &mut Graph, op: &Operand, v: &Value) -> Option<Via> {
        let Operand::Local(l) = op else { return None };
        if !self.is_slot(*l) {
            g.roots.insert(Root::Local(*l), v.clone());
            return Some(Via::Root(Root::Local(*l)));
        }
        let (n, width) = (self.slot(g, *l), self.size(self.local_ty(*l)));
        g.node_mut(n)?.write(0, width, v.clone());
        Some(Via::Cell(n, 0))
    }

    /// The objects that a pointer leads to, one graph for each; alarms for what is no object.
    pub(crate) fn follow(&mut self, mut g: Graph, op: &Operand) -> Vec<(Graph, NodeId, Interval)> {
        let all = self.operand(&mut g, op).alternatives();
        let definite = all.len() == 1;
        let mut out = Vec::new();
        for v in all {
            if let Some((n, off)) = v.as_ptr() {
                let mut g = g.clone();
                let via = self.refine(&mut g, op, &v);
                let n = match via {
                    Some(via) if self.materialise && g.is_summary(n) => g.materialise(n, via),
                    _ => n,
                };
                out.push((g, n, off));
                continue;
            }
            let (kind, message): (Kind, &str) = match v {
                Value { num: Some(n), .. } if n == Interval::point(0) => {
                    (ErrorKind::NullDeref.into(), "the pointer is null")
                }
                Value { freed: true, .. } => (ErrorKind::UseAfterFree.into(), "the block was freed"),
                Value { ended: true, .. } => (ErrorKind::UseAfterScope.into(), "the variable is gone"),
                Value { undef: true, .. } if self.cx.counts(ErrorKind::Uninitialised) => {
                    (ErrorKind::Uninitialised.into(), "the pointer is not initialised")
                }
                _ => (Reason::UnknownPointer.into(), "it is not known where the pointer leads"),
            };
            self.alarm(kind, definite, message);
        }
        out
    }

    /// The bytes that a place means.
    pub(crate) fn place(
        &mut self,
        mut g: Graph,
        place: &Place,
        width: u64,
        write: bool,
    ) -> Vec<(Graph, Access)> {
        if place.bits().is_some() {
            self.unsupported("bit-fields");
            return Vec::new();
        }
        let bases = match &place.base {
            PlaceBase::Local(l) => {
                let n = self.slot(&mut g, *l);
                vec![(g, n, Interval::point(0))]
            }
            PlaceBase::Global(id) => {
                let n = self.global(&mut g, *id);
                vec![(g, n, Interval::point(0))]
            }
            PlaceBase::Deref(op) => self.follow(g, op),
        };
        let mut out = Vec::new();
        for (mut g, node, base) in bases {
            let (by, stride) = self.offset(&mut g, place);
            let stride = if base.as_point().is_some() { stride } else { 1 };
            if let Some(off) = self.inside(&g, node, base.plus(by), width, write) {
                out.push((g, Access { node, off, stride }));
            }
        }
        out
    }
    /// How far a path leads, and in which steps.
    fn offset(&mut self, g: &mut Graph, place: &Place) -> (Interval, u64) {
        let (mut by, mut steps) = (Interval::point(0), 0);
        for step in &place.path {
            match step {
                Projection::Field { offset, .. } => by = by.shift(i128::from(*offset)),
                Projection::Index { index, stride } => {
                    let ty = self.operand_ty(index);
                    let v = self.operand(g, index);
                    let v = self.defined(v, ty);
                    let n = self.number(&v, ty);
                    by = by.plus(n.times(Interval::point(i128::from(*stride))));
                    if n.as_point().is_none() {
                        steps = if steps == 0 || *stride % steps == 0 && steps > 0 {
                            (*stride).max(steps)
                        } else {
                            1
                        };
                    }
                }
            }
        }
        (by, steps)
    }
    /// The offsets of an access that lie inside of the object; an alarm if others are possible.
    pub(crate) fn inside(
        &mut self,
        g: &Graph,
        node: NodeId,
        off: Interval,
        width: u64,
        write: bool,
    ) -> Option<Interval> {
        let object = g.nodes.get(&node)?;
        if write && object.constant {
            self.alarm(Reason::UnknownPointer, true, "a constant is written");
            return None;
        }
        let room = |size: Option<i128>| Interval { lo: Some(0), hi: size.map(|s| s - i128::from(width)) };
        let possible = room(object.size.hi);
        let possible = if possible.hi.is_some_and(|h| h < 0) { None } else { off.meet(possible) };
        let certain = room(object.size.lo.or(Some(0)));
        if certain.hi.is_none_or(|h| h < 0) || !off.is_subset(certain) {
            let note = vec![("the object is made here".to_owned(), self.made(object))];
            self.cx.alarm_with(
                self.at,
                ErrorKind::OutOfBounds,
                possible.is_none(),
                "the access may be out of bounds",
                note,
            );
        }
        possible
    }
    fn made(&self, node: &Node) -> heapwise_ir::Span {
        match node.kind {
            NodeKind::Heap(site) => site,
            NodeKind::Local(l) => self.at.body.locals.get(l).map_or(self.at.span, |l| l.span),
            _ => self.at.span,
        }
    }

    /// What an access finds.
    pub(crate) fn load(&mut self, g: Graph, access: Access, ty: Ty) -> Vec<(Graph, Value)> {
        let width = self.size(ty);
        let Some(node) = g.nodes.get(&access.node) else { return Vec::new() };
        let read = |off: &u64| node.read(*off, width);
        match access.offsets().as_deref() {
            Some([off]) => {
                let v = node.read(*off, width);
                let summary = node.summary;
                let single = v.as_ptr().is_some_and(|(n, _)| !g.is_summary(n));
                if single || !v.has_pointer() {
                    return vec![(g, self.typed(v, ty))];
                }
                let mut out = Vec::new();
                for v in v.alternatives() {
                    let mut g = g.clone();
                    if !summary {
                        g.node_mut(access.node).into_iter().for_each(|n| n.write(*off, width, v.clone()));
                    }
                    let v = match v.as_ptr() {
                        Some((n, at)) if self.materialise && !summary && g.is_summary(n) => {
                            Value::ptr(g.materialise(n, Via::Cell(access.node, *off)), at)
                        }
                        _ => v,
                    };
                    g.settle();
                    if !g.is_impossible() {
                        out.push((g, self.typed(v, ty)));
                    }
                }
                out
            }
            Some(offsets) => {
                let v = offsets.iter().map(read).fold(Value::default(), |a, b| a.join(&b));
                vec![(g, self.typed(v, ty))]
            }
            None => {
                let undef = node.values().any(|v| v.undef);
                vec![(g, self.typed(Value { undef, ..Value::opaque() }, ty))]
            }
        }
    }
    /// Says that blocks may be lost that had a reference before.
    pub(crate) fn dropped<'v>(
        &mut self,
        g: &Graph,
        targets: impl IntoIterator<Item = &'v NodeId>,
        memory: bool,
    ) {
        let Some(node) = g.lost(targets, memory).and_then(|n| g.nodes.get(&n)) else { return };
        let notes = vec![("the block is allocated here".to_owned(), self.made(node))];
        self.cx.alarm_with(
            self.at,
            ErrorKind::Leak,
            false,
            "a block may be lost: no pointer to it is certain",
            notes,
        );
    }
    /// Writes a value.
    pub(crate) fn store(&mut self, g: &mut Graph, access: Access, width: u64, value: Value) {
        let Some(node) = g.nodes.get(&access.node) else { return };
        let targets = |n: &Node, from: u64, to: u64| -> BTreeSet<NodeId> {
            let hit = n.cells.iter().filter(|(o, (w, _))| **o < to && *o + w > from);
            hit.flat_map(|(_, (_, v))| v.ptrs.keys().copied()).collect()
        };
        match access.offsets().as_deref() {
            Some([off]) => {
                let old = targets(node, *off, off + width);
                g.store((access.node, *off), width, value, false);
                self.dropped(g, &old, true);
            }
            Some(offsets) => {
                let old: BTreeSet<NodeId> =
                    offsets.iter().flat_map(|o| targets(node, *o, o + width)).collect();
                for off in offsets {
                    g.store((access.node, *off), width, value.clone(), true);
                }
                self.dropped(g, &old, true);
            }
            None => {
                let old = targets(node, 0, u64::MAX);
                if let Some(node) = g.node_mut(access.node) {
                    node.cells.clear();
                    node.fill = Value::any();
                }
                g.relate(|r| r.retain(|c| c != Cell::Node(access.node)));
                self.dropped(g, &old, true);
            }
        }
    }
    /// Gives a local a value.
    pub(crate) fn set_local(&mut self, g: &mut Graph, local: LocalId, value: Value) {
        if self.is_slot(local) {
            let node = self.slot(g, local);
            let width = self.size(self.local_ty(local));
            self.store(g, Access::at(node), width, value);
        } else {
            g.relate(|r| {
                let number = r.has(RESULT, 0).then(|| r.value(RESULT, 0));
                r.write(Cell::Root(Root::Local(local)), 0, number.as_ref());
            });
            if let Some(old) = g.roots.insert(Root::Local(local), value) {
                self.dropped(g, old.ptrs.keys(), false);
            }
        }
    }
    /// Stores a value in a place.
    pub(crate) fn assign(&mut self, mut g: Graph, dest: &Place, value: Value) -> Vec<Graph> {
        if let Some(l) = dest.as_local()
            && !self.is_slot(l)
        {
            self.set_local(&mut g, l, value);
            return vec![g];
        }
        let width = self.size(dest.ty);
        // The object that is written may have to be taken out of what the value leads to.
        g.roots.insert(Root::Temp(0), value);
        let mut out = Vec::new();
        for (mut g, access) in self.place(g, dest, width, true) {
            let value = g.roots.get(&Root::Temp(0)).cloned().unwrap_or(Value::any());
            self.store(&mut g, access, width, value);
            let held = g.roots.remove(&Root::Temp(0)).unwrap_or_default();
            self.dropped(&g, held.ptrs.keys(), false);
            out.push(g);
        }
        out
    }
    /// Copies bytes of one object to another.
    pub(crate) fn copy(&mut self, g: &mut Graph, from: Access, to: Access, width: u64) {
        let (Some(&[off]), Some(&[dest])) = (from.offsets().as_deref(), to.offsets().as_deref()) else {
            return self.store(g, Access { off: Interval::FULL, ..to }, width, Value::any());
        };
        let Some(source) = g.nodes.get(&from.node).cloned() else { return };
        let cells = source.cells.iter().filter(|(o, (w, _))| **o < off + width && *o + w > off);
        let cells: Vec<(u64, u64, Value)> = cells
            .map(|(o, (w, _))| {
                let (start, end) = ((*o).max(off), (o + w).min(off + width));
                (start - off + dest, end - start, source.read(start, end - start))
            })
            .collect();
        let all = Access { off: Interval::point(i128::from(dest)), ..to };
        self.store(g, all, width, source.fill.clone());
        for (at, w, v) in cells {
            self.store(g, Access { off: Interval::point(i128::from(at)), ..to }, w, v);
        }
    }
}

/// Both operands of a comparison in the cases in which it is false and true, if these are possible.
type Outcomes = [Option<(Value, Value)>; 2];

/// `l <= r`, or `l < r`: what is left of both.
fn at_most(l: Interval, r: Interval, strict: bool) -> Option<(Interval, Interval)> {
    let by = i128::from(strict);
    let low = l.meet(Interval { lo: None, hi: r.hi.map(|h| h.saturating_sub(by)) })?;
    let high = r.meet(Interval { lo: l.lo.map(|l| l.saturating_add(by)), hi: None })?;
    Some((low, high))
}

/// An interval without a number at one of its ends.
fn without(i: Interval, n: i128) -> Option<Interval> {
    let lo = if i.lo == Some(n) { Some(n.saturating_add(1)) } else { i.lo };
    let hi = if i.hi == Some(n) { Some(n.saturating_sub(1)) } else { i.hi };
    Interval { lo, hi }.meet(Interval::FULL).filter(|_| i.as_point() != Some(n))
}

fn compared(op: CompareOp, l: Interval, r: Interval) -> [Option<(Interval, Interval)>; 2] {
    let swapped = |p: Option<(Interval, Interval)>| p.map(|(a, b)| (b, a));
    let equal = l.meet(r).map(|m| (m, m));
    let differ = match (l.as_point(), r.as_point()) {
        (Some(a), Some(b)) => (a != b).then_some((l, r)),
        (_, Some(b)) => without(l, b).map(|l| (l, r)),
        (Some(a), _) => without(r, a).map(|r| (l, r)),
        _ => Some((l, r)),
    };
    match op {
        CompareOp::Eq => [differ, equal],
        CompareOp::Ne => [equal, differ],
        CompareOp::Lt => [swapped(at_most(r, l, false)), at_most(l, r, true)],
        CompareOp::Le => [swapped(at_most(r, l, true)), at_most(l, r, false)],
        CompareOp::Gt => [at_most(l, r, false), swapped(at_most(r, l, true))],
        CompareOp::Ge => [at_most(l, r, true), swapped(at_most(r, l, false))],
    }
}

/// Whether an address certainly lies in its object, so that it is neither null nor an address in another one.
fn is_proper(g: &Graph, n: NodeId, off: Interval) -> bool {
    let size = g.nodes.get(&n).and_then(|n| n.size.lo).unwrap_or(0);
    size > 0 && off.is_subset(Interval { lo: Some(0), hi: Some(size - 1) })
}

fn compare(g: &Graph, op: CompareOp, l: &Value, r: &Value) -> Outcomes {
    let both = [Some((l.clone(), r.clone())), Some((l.clone(), r.clone()))];
    let decided = |equal: bool| match op {
        CompareOp::Eq | CompareOp::Ne => {
            let holds = equal == (op == CompareOp::Eq);
            let pair = Some((l.clone(), r.clone()));
            if holds { [None, pair] } else { [pair, None] }
        }
        _ => both.clone(),
    };
    let only_num = |v: &Value| v.num.filter(|n| *v == Value::range(*n));
    let only_func = |v: &Value| v.funcs.first().copied().filter(|f| *v == Value::func(*f));
    match (only_num(l), only_num(r), l.as_ptr(), r.as_ptr()) {
        (Some(a), Some(b), ..) => {
            compared(op, a, b).map(|c| c.map(|(a, b)| (Value::range(a), Value::range(b))))
        }
        (_, _, Some((n, a)), Some((m, b))) if n == m => {
            if g.is_summary(n) {
                return both;
            }
            compared(op, a, b).map(|c| c.map(|(a, b)| (Value::ptr(n, a), Value::ptr(m, b))))
        }
        (_, _, Some((n, a)), Some((m, b))) if is_proper(g, n, a) && is_proper(g, m, b) => decided(false),
        (Some(z), _, _, Some((n, off))) | (_, Some(z), Some((n, off)), _)
            if z == Interval::point(0) && is_proper(g, n, off) =>
        {
            decided(false)
        }
        _ => match (only_func(l), only_func(r)) {
            (Some(a), Some(b)) => decided(a == b),
            (Some(_), None) if r.as_int() == Some(0) => decided(false),
            (None, Some(_)) if l.as_int() == Some(0) => decided(false),
            _ => both,
        },
    }
}

impl Step<'_, '_> {
    /// The graphs in which a comparison does not hold, and in which it does.
    fn cases(&mut self, mut g: Graph, op: CompareOp, lhs: &Operand, rhs: &Operand) -> [Vec<Graph>; 2] {
        let (ty, l, r) = (self.operand_ty(lhs), self.operand(&mut g, lhs), self.operand(&mut g, rhs));
        let (l, r) = (self.defined(l, ty), self.defined(r, ty));
        let wide = self.cx.program.types.as_int(ty).is_some_and(|i| i.bits >= 128);
        let mut out = [Vec::new(), Vec::new()];
        for l in l.alternatives() {
            for r in r.alternatives() {
                let outcomes = if wide {
                    [Some((l.clone(), r.clone())), Some((l.clone(), r.clone()))]
                } else {
                    compare(&g, op, &l, &r)
                };
                for ((graphs, outcome), holds) in out.iter_mut().zip(outcomes).zip([false, true]) {
                    let Some((l, r)) = outcome else { continue };
                    let mut g = g.clone();
                    self.refine(&mut g, lhs, &l);
                    self.refine(&mut g, rhs, &r);
                    if self.relate_case(&mut g, op, lhs, rhs, holds) {
                        graphs.push(g);
                    }
                }
            }
        }
        out
    }
    /// The graphs in which an operand is zero, and in which it is not.
    pub(crate) fn truth(&mut self, g: Graph, op: &Operand) -> [Vec<Graph>; 2] {
        let zero = Operand::Const(Const::Int { value: 0, ty: self.operand_ty(op) });
        self.cases(g, CompareOp::Ne, op, &zero)
    }

    /// Zero in the first graphs, one in the others.
    fn truths(&mut self, cases: [Vec<Graph>; 2], ty: Ty) -> Vec<(Graph, Value)> {
        let mut out = Vec::new();
        for (graphs, value) in cases.into_iter().zip([0, 1]) {
            for mut g in graphs {
                let constant = Operand::Const(Const::Int { value, ty });
                self.note_result(&mut g, &Rvalue::Use(constant), ty, &Value::int(value));
                out.push((g, Value::int(value)));
            }
        }
        out
    }

    fn rvalue(&mut self, mut g: Graph, value: &Rvalue, ty: Ty) -> Vec<(Graph, Value)> {
        let v = match value {
            Rvalue::Use(op) => self.operand(&mut g, op),
            Rvalue::Load(place) => {
                if let Some(l) = place.as_local()
                    && !self.is_slot(l)
                {
                    let v = self.operand(&mut g, &Operand::Local(l));
                    self.note_result(&mut g, &Rvalue::Use(Operand::Local(l)), ty, &v);
                    return vec![(g, v)];
                }
                let found = self.place(g, place, self.size(place.ty), false);
                let mut out = Vec::new();
                for (g, access) in found {
                    for (mut g, v) in self.load(g, access, place.ty) {
                        self.note_load(&mut g, &access, place.ty, &v);
                        out.push((g, v));
                    }
                }
                return out;
            }
            Rvalue::AddrOf(place) => {
                let base = match &place.base {
                    PlaceBase::Local(l) => Value::ptr(self.slot(&mut g, *l), Interval::point(0)),
                    PlaceBase::Global(id) => Value::ptr(self.global(&mut g, *id), Interval::point(0)),
                    PlaceBase::Deref(op) => {
                        let v = self.operand(&mut g, op);
                        self.defined(v, ty)
                    }
                };
                base.shifted(self.offset(&mut g, place).0)
            }
            Rvalue::Unary { op, arg } => {
                let v = self.operand(&mut g, arg);
                let v = self.defined(v, ty);
                match (self.machine(ty), op) {
                    (Some(int), UnaryOp::Neg) => {
                        self.settled(int.neg(self.number(&v, ty)), ty, ErrorKind::Overflow)
                    }
                    (Some(int), UnaryOp::BitNot) => {
                        self.settled(int.not(self.number(&v, ty)), ty, ErrorKind::Overflow)
                    }
                    (None, _) => self.any_of(ty),
                }
            }
            Rvalue::Binary { op, lhs, rhs } => self.binary(&mut g, *op, lhs, rhs, ty),
            Rvalue::Compare { op, lhs, rhs } => {
                let cases = self.cases(g, *op, lhs, rhs);
                return self.truths(cases, ty);
            }
            Rvalue::Cast { kind: CastKind::ToBool, arg } => {
                let cases = self.truth(g, arg);
                return self.truths(cases, ty);
            }
            Rvalue::Cast { kind, arg } => self.cast(&mut g, *kind, arg, ty),
            Rvalue::PtrAdd { ptr, index, stride } => {
                let (v, i) = (self.operand(&mut g, ptr), self.operand(&mut g, index));
                let (v, i) = (self.defined(v, ty), self.defined(i, self.operand_ty(index)));
                let n = self.number(&i, self.operand_ty(index));
                v.shifted(n.times(Interval::point(i128::from(*stride))))
            }
            Rvalue::PtrDiff { lhs, rhs, stride } => {
                let (l, r) = (self.operand(&mut g, lhs), self.operand(&mut g, rhs));
                let (l, r) = (self.defined(l, ty), self.defined(r, ty));
                match (l.as_ptr(), r.as_ptr(), self.machine(ty)) {
                    (Some((n, a)), Some((m, b)), Some(int)) if n == m && !g.is_summary(n) && *stride > 0 => {
                        let by = Interval::point(i128::from(*stride));
                        int.div(a.minus(b), by).value.map_or(self.any_of(ty), Value::range)
                    }
                    _ => self.any_of(ty),
                }
            }
        };
        self.note_result(&mut g, value, ty, &v);
        vec![(g, v)]
    }
    /// The result of an operation; where trouble does not count results wrap.
    fn settled(&mut self, outcome: heapwise_numeric::machine::Outcome, ty: Ty, kind: ErrorKind) -> Value {
        let signed = self.machine(ty).is_some_and(|i| i.signed);
        let trouble = outcome.trouble != Happens::Never && (signed || kind != ErrorKind::Overflow);
        if trouble {
            self.alarm(
                kind,
                outcome.trouble == Happens::Always,
                "the operation may leave the range of its type",
            );
            return self.any_of(ty);
        }
        outcome.value.map_or(self.any_of(ty), Value::range)
    }
    fn binary(&mut self, g: &mut Graph, op: BinaryOp, lhs: &Operand, rhs: &Operand, ty: Ty) -> Value {
        let (l, r) = (self.operand(g, lhs), self.operand(g, rhs));
        let (l, r) = (self.defined(l, ty), self.defined(r, self.operand_ty(rhs)));
        let count = self.number(&r, self.operand_ty(rhs));
        let Some(int) = self.machine(ty) else {
            if matches!(op, BinaryOp::Div | BinaryOp::Rem) && self.cx.program.types.as_int(ty).is_some() {
                self.alarm(ErrorKind::DivisionByZero, false, "the divisor may be zero");
            }
            return self.any_of(ty);
        };
        let (a, b) = (self.number(&l, ty), self.number(&r, ty));
        let outcome = match op {
            BinaryOp::Add => int.add(a, b),
            BinaryOp::Sub => int.sub(a, b),
            BinaryOp::Mul => int.mul(a, b),
            BinaryOp::Div => int.div(a, b),
            BinaryOp::Rem => int.rem(a, b),
            BinaryOp::Shl => int.shl(a, count),
            BinaryOp::Shr => int.shr(a, count),
            BinaryOp::And => int.and(a, b),
            BinaryOp::Or => int.or(a, b),
            BinaryOp::Xor => int.xor(a, b),
        };
        let kind = match op {
            BinaryOp::Div | BinaryOp::Rem if b.contains(0) => {
                self.alarm(ErrorKind::DivisionByZero, b.as_point().is_some(), "the divisor may be zero");
                return self.any_of(ty);
            }
            BinaryOp::Shl | BinaryOp::Shr => ErrorKind::Shift,
            _ => ErrorKind::Overflow,
        };
        if op == BinaryOp::Shl && !int.signed {
            let valid = Interval { lo: Some(0), hi: Some(i128::from(int.bits) - 1) };
            let kind = if count.is_subset(valid) { ErrorKind::Overflow } else { ErrorKind::Shift };
            return self.settled(outcome, ty, kind);
        }
        self.settled(outcome, ty, kind)
    }
    fn cast(&mut self, g: &mut Graph, kind: CastKind, arg: &Operand, ty: Ty) -> Value {
        let from = self.operand_ty(arg);
        let v = self.operand(g, arg);
        // Pointers that come from `malloc` get a type.
        if kind == CastKind::PtrToPtr {
            let types = &self.cx.program.types;
            let to = types.pointee(ty).filter(|t| matches!(types.get(*t), Type::Record(_)));
            if let (Some((n, off)), Some(to)) = (v.as_ptr(), to)
                && off == Interval::point(0)
                && g.nodes.get(&n).is_some_and(|n| n.ty.is_none() && n.is_heap() && !n.summary)
            {
                g.node_mut(n).into_iter().for_each(|n| n.ty = Some(to));
            }
            return v;
        }
        let v = if kind == CastKind::Reinterpret { v } else { self.defined(v, from) };
        let whole = self.size(from) == self.size(ty);
        match kind {
            CastKind::PtrToInt | CastKind::IntToPtr | CastKind::IntToInt if whole && v.has_pointer() => v,
            CastKind::IntToInt | CastKind::PtrToInt => match self.machine(ty) {
                Some(int) if !v.has_pointer() && !v.opaque => {
                    Value::range(int.wrap(self.number_or_address(&v, from)))
                }
                _ => self.any_of(ty),
            },
            CastKind::IntToPtr => match v.num {
                Some(n) if !v.has_pointer() && !v.opaque => {
                    Value::range(MachineInt { bits: self.size(ty) as u32 * 8, signed: false }.wrap(n))
                }
                _ => Value::opaque(),
            },
            _ => self.any_of(ty),
        }
    }
    fn number_or_address(&self, v: &Value, ty: Ty) -> Interval {
        match (self.machine(ty), v.num) {
            (None, Some(n)) => n,
            _ => self.number(v, ty),
        }
    }

    /// An assignment of an aggregate.
    fn assign_bytes(&mut self, mut g: Graph, dest: &Place, value: &Rvalue) -> Vec<Graph> {
        let width = self.size(dest.ty);
        let sources = match value {
            Rvalue::Use(Operand::Local(l)) => {
                let node = self.slot(&mut g, *l);
                vec![(g, Some(Access::at(node)))]
            }
            Rvalue::Load(place) => {
                self.place(g, place, width, false).into_iter().map(|(g, a)| (g, Some(a))).collect()
            }
            _ => vec![(g, None)],
        };
        let mut out = Vec::new();
        for (g, from) in sources {
            for (mut g, to) in self.place(g, dest, width, true) {
                match (from, value) {
                    (Some(from), _) => self.copy(&mut g, from, to, width),
                    (None, Rvalue::Use(Operand::Const(Const::Undefined(_)))) => {
                        self.store(&mut g, to, width, Value::undef());
                    }
                    (None, _) => self.store(&mut g, to, width, Value::any()),
                }
                out.push(g);
            }
        }
        out
    }
    /// The life of a local ends.
    fn end_local(&mut self, g: &mut Graph, local: LocalId) {
        if let Some(n) = g.find(NodeKind::Local(local)) {
            let held: BTreeSet<NodeId> = g
                .nodes
                .get(&n)
                .into_iter()
                .flat_map(|n| n.values())
                .flat_map(|v| v.ptrs.keys().copied())
                .collect();
            g.remove(n, false);
            self.dropped(g, &held, true);
        }
        if let Some(old) = g.roots.remove(&Root::Local(local)) {
            self.dropped(g, old.ptrs.keys(), false);
        }
    }
}

impl KLimited {
    pub(crate) fn step<'a, 'p>(&self, cx: &'a mut Context<'p>, at: &'a Site<'a>) -> Step<'a, 'p> {
        Step { cx, at, materialise: self.variant.materialise }
    }
}

impl Transfer for KLimited {
    fn statement(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        statement: &Statement,
        mut g: Graph,
    ) -> Vec<Graph> {
        let mut step = self.step(cx, at);
        match &statement.kind {
            StatementKind::Nop | StatementKind::ScopeFree(_) | StatementKind::Call(_) => vec![g],
            StatementKind::Assign { dest, value } => {
                if !step.cx.program.types.is_scalar(dest.ty) {
                    return step.assign_bytes(g, dest, value);
                }
                let found = step.rvalue(g, value, dest.ty);
                let mut out: Vec<Graph> =
                    found.into_iter().flat_map(|(g, v)| step.assign(g, dest, v)).collect();
                out.iter_mut().for_each(|g| g.relate(|r| r.write(RESULT, 0, None)));
                out.retain(|g| !g.is_impossible());
                out
            }
            StatementKind::Zero(place) => step.assign(g, place, Value::int(0)),
            StatementKind::StorageLive(l) => {
                step.end_local(&mut g, *l);
                if step.is_slot(*l) {
                    let size = Interval::point(i128::from(step.size(step.local_ty(*l))));
                    g.add(Node::new(NodeKind::Local(*l), size, Value::undef()));
                } else {
                    g.roots.insert(Root::Local(*l), Value::undef());
                    g.relate(|r| r.write(Cell::Root(Root::Local(*l)), 0, None));
                }
                vec![g]
            }
            StatementKind::StorageDead(l) => {
                step.end_local(&mut g, *l);
                g.sweep();
                vec![g]
            }
            StatementKind::ScopeAlloc { .. } => step.unsupported("arrays of variable length"),
            StatementKind::Intrinsic { op: Intrinsic::Unreachable | Intrinsic::Trap, .. } => {
                step.alarm(ErrorKind::Unreachable, false, "control may come to a trap");
                Vec::new()
            }
            StatementKind::Intrinsic { op, dest, .. } if op.only_computes() => match dest {
                Some(dest) => {
                    let v = step.any_of(dest.ty);
                    step.assign(g, dest, v)
                }
                None => vec![g],
            },
            StatementKind::Intrinsic { .. } => step.unsupported("this operation of the compiler"),
        }
    }
    fn branch(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        terminator: &Terminator,
        mut g: Graph,
    ) -> Vec<(BlockId, Graph)> {
        let mut step = self.step(cx, at);
        match &terminator.kind {
            TerminatorKind::Branch { cond, then, otherwise } => {
                let [no, yes] = step.truth(g, cond);
                let to = |b: BlockId| move |g: Graph| (b, g);
                yes.into_iter().map(to(*then)).chain(no.into_iter().map(to(*otherwise))).collect()
            }
            TerminatorKind::Switch { value, cases, default } => {
                let ty = step.operand_ty(value);
                let v = step.operand(&mut g, value);
                let v = step.defined(v, ty);
                let Some(range) = step.machine(ty).map(|_| step.number(&v, ty)) else {
                    let all = cases.iter().map(|c| c.target).chain([*default]);
                    return all.map(|b| (b, g.clone())).collect();
                };
                let mut out = Vec::new();
                let mut rest = Some(range);
                for case in cases {
                    let Some(hit) = Interval::new(case.low, case.high).and_then(|c| c.meet(range)) else {
                        continue;
                    };
                    let mut g = g.clone();
                    step.refine(&mut g, value, &Value::range(hit));
                    out.push((case.target, g));
                    rest = rest.filter(|r| !r.is_subset(hit));
                    if hit.as_point().is_some() {
                        rest = rest.and_then(|r| without(r, case.low));
                    }
                }
                if let Some(rest) = rest {
                    step.refine(&mut g, value, &Value::range(rest));
                    out.push((*default, g));
                }
                out
            }
            TerminatorKind::GotoAddress { targets, .. } => targets.iter().map(|t| (*t, g.clone())).collect(),
            TerminatorKind::Goto(_) | TerminatorKind::Return(_) | TerminatorKind::Unreachable => Vec::new(),
        }
    }
    fn forget(&mut self, cx: &mut Context<'_>, at: &Site<'_>, live: &LocalSet, mut g: Graph) -> Graph {
        let dead = |r: &&Root| matches!(r, Root::Local(l) if !live.contains(*l));
        let dead: Vec<Root> = g.roots.keys().filter(dead).copied().collect();
        for root in dead {
            let Some(old) = g.roots.remove(&root) else { continue };
            let named =
                matches!(root, Root::Local(l) if at.body.locals.get(l).is_some_and(|l| l.name.is_some()));
            if named && g.lost(old.ptrs.keys(), false).is_some() {
                // A variable holds a block also if it is not read again; a temporary does not.
                g.roots.insert(root, old);
            } else {
                self.step(cx, at).dropped(&g, old.ptrs.keys(), false);
            }
        }
        g.sweep();
        g.recount();
        g
    }
}
