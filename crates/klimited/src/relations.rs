//! Numbers in objects and variables and how they are related, with connectors: graphs as a host of
//! [`heapwise_numeric::connectors`] (Siegel and Simon, *Shape analysis with connectors*, §2.1).
//!
//! Cells are nodes and variables; fields are offsets. What happens to a graph is what happens to cells: putting nodes together folds,
//! taking an object out of a summary expands, a cell with one address in an object is a certain edge. The numbers are those that
//! operations of the machine did not wrap; where they may have, nothing is related. A graph without relations pays one test of
//! a pointer at each of these places.
//!
//! While a statement is executed the number that it computes is a cell of its own, [`RESULT`]: between the reading of the operands
//! and the writing of the result objects may be taken out of summaries.
//!
//! **Invariant:** a field that is named holds a number, written by an assignment of an integer type to just these bytes.

use crate::graph::{Graph, Root};
use crate::transfer::{Access, Step};
use crate::value::{NodeId, Value};
use heapwise_ir::{BinaryOp, CastKind, CompareOp, Const, Operand, Rvalue, Ty, UnaryOp};
use heapwise_numeric::connectors::{Connected, Edge};
use heapwise_numeric::{Constraint, Interval, LinearExpr, Relation};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What numbers are in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// An object, or one of a summary.
    Node(NodeId),
    /// A variable.
    Root(Root),
}

/// What is known.
pub type Relations = Connected<Cell>;

/// The number that a statement computes.
pub(crate) const RESULT: Cell = Cell::Root(Root::Temp(1));

/// Pointers in bytes that are in no cell.
const FILL: u64 = u64::MAX;

/// Whether a value is a number and nothing else.
fn is_number(v: &Value) -> bool {
    v.num.is_some_and(|n| *v == Value::range(n))
}

impl Graph {
    /// All possible edges between objects.
    pub fn edges(&self) -> BTreeSet<Edge<Cell>> {
        let mut out = BTreeSet::new();
        for (id, node) in &self.nodes {
            let cells = node.cells.iter().map(|(off, (_, v))| (*off, v)).chain([(FILL, &node.fill)]);
            for (field, v) in cells {
                out.extend(v.ptrs.keys().map(|t| Edge { from: Cell::Node(*id), field, to: Cell::Node(*t) }));
            }
        }
        out
    }
    /// The edges between single objects that certainly exist.
    fn certain_edges(&self) -> BTreeMap<(Cell, u64), Cell> {
        let objects = self.nodes.iter().filter(|(_, n)| !n.summary);
        let cells = objects.flat_map(|(id, n)| n.cells.iter().map(|(off, (_, v))| (*id, *off, v)));
        let leads = |(id, off, v): (NodeId, u64, &Value)| {
            let (to, _) = v.as_ptr().filter(|(t, _)| !self.is_summary(*t))?;
            Some(((Cell::Node(id), off), Cell::Node(to)))
        };
        cells.filter_map(leads).collect()
    }
    /// Changes what is known of numbers, if that is kept.
    pub(crate) fn relate(&mut self, change: impl FnOnce(&mut Relations)) {
        if let Some(relations) = &mut self.relations {
            change(Rc::make_mut(relations));
        }
    }
    /// Applies connectors of certain edges, and drops those of edges that do not exist.
    pub(crate) fn settle(&mut self) {
        if self.relations.is_some() {
            let (certain, edges) = (self.certain_edges(), self.edges());
            self.relate(|r| r.settle(&certain, &edges));
        }
    }
    /// Whether no memory has such numbers.
    pub(crate) fn is_impossible(&self) -> bool {
        self.relations.as_ref().is_some_and(|r| r.is_bottom())
    }
    /// Bytes of a node were written; `overlapped` are the cells that were there, `exact` says that the number that the statement
    /// computes is now the contents of just these bytes of a single object.
    pub(crate) fn relate_store(
        &mut self,
        (node, off): (NodeId, u64),
        width: u64,
        overlapped: &[u64],
        to: &[NodeId],
        exact: bool,
    ) {
        if self.relations.is_none() {
            return;
        }
        let edges = self.edges();
        let weak = self.is_summary(node);
        self.relate(|r| {
            let cell = Cell::Node(node);
            let first = overlapped.first().copied().unwrap_or(off).min(off);
            let value = r.has(RESULT, 0).then(|| r.value(RESULT, 0));
            match value {
                Some(value) if exact && !weak && overlapped.iter().all(|o| *o == off) => {
                    r.write(cell, off, Some(&value));
                }
                _ => r.blur(cell, first..off.saturating_add(width)),
            }
            let to: Vec<Cell> = to.iter().map(|n| Cell::Node(*n)).collect();
            let mut fields: BTreeSet<u64> = overlapped.iter().copied().collect();
            fields.insert(off);
            fields.into_iter().for_each(|field| r.link(cell, field, &to, weak || !exact, &edges));
        });
    }
    /// Numbers and relations of nodes and variables that are gone go as well.
    pub(crate) fn sweep_relations(&mut self) {
        let Some(relations) = &self.relations else { return };
        let kept = |c: Cell| match c {
            Cell::Node(n) => self.nodes.contains_key(&n),
            Cell::Root(r) => self.roots.contains_key(&r),
        };
        let mut swept = Relations::clone(relations);
        swept.retain(kept);
        self.relations = Some(Rc::new(swept));
    }
    /// Puts a node into another one, as far as numbers go; `edges` are renamed alike.
    pub(crate) fn fold_relations(&mut self, keep: NodeId, node: NodeId, edges: &mut BTreeSet<Edge<Cell>>) {
        if self.relations.is_none() {
            return;
        }
        self.relate(|r| fold(r, keep, node, edges));
    }
}

/// Folds one node into another one and renames it in the edges.
pub(crate) fn fold(r: &mut Relations, keep: NodeId, node: NodeId, edges: &mut BTreeSet<Edge<Cell>>) {
    let (keep, node) = (Cell::Node(keep), Cell::Node(node));
    r.fold(keep, node, edges);
    let moved = |c: Cell| if c == node { keep } else { c };
    *edges = edges.iter().map(|e| Edge { from: moved(e.from), to: moved(e.to), ..*e }).collect();
}

impl Step<'_, '_> {
    /// An expression for an operand of an integer type, if it certainly holds a number.
    fn number_expr(&mut self, g: &mut Graph, op: &Operand) -> Option<LinearExpr> {
        let ty = self.operand_ty(op);
        if let Operand::Const(c) = op {
            return match c {
                Const::Int { value, .. } => Some(LinearExpr::constant(*value)),
                _ => None,
            };
        }
        let Operand::Local(l) = op else { return None };
        let v = self.operand(g, op);
        let range = self.integers(ty)?;
        if !is_number(&v) || !v.num.is_some_and(|n| n.is_subset(range)) {
            return None;
        }
        let slot = self.is_slot(*l).then(|| self.slot(g, *l));
        let cell = slot.map_or(Cell::Root(Root::Local(*l)), Cell::Node);
        let mut expr = None;
        g.relate(|r| {
            let x = r.value(cell, 0);
            within(r, &x, v.num.unwrap_or(Interval::FULL));
            expr = Some(x);
        });
        expr
    }
    /// Says that a comparison holds, or does not; whether that is possible.
    pub(crate) fn relate_case(
        &mut self,
        g: &mut Graph,
        op: CompareOp,
        lhs: &Operand,
        rhs: &Operand,
        holds: bool,
    ) -> bool {
        if g.relations.is_none() || self.integers(self.operand_ty(lhs)).is_none() {
            return true;
        }
        let (Some(l), Some(r)) = (self.number_expr(g, lhs), self.number_expr(g, rhs)) else { return true };
        let op = match (op, holds) {
            (op, true) => op,
            (CompareOp::Eq, false) => CompareOp::Ne,
            (CompareOp::Ne, false) => CompareOp::Eq,
            (CompareOp::Lt, false) => CompareOp::Ge,
            (CompareOp::Le, false) => CompareOp::Gt,
            (CompareOp::Gt, false) => CompareOp::Le,
            (CompareOp::Ge, false) => CompareOp::Lt,
        };
        let (l, r) = if matches!(op, CompareOp::Gt | CompareOp::Ge) { (r, l) } else { (l, r) };
        let strict = i128::from(matches!(op, CompareOp::Lt | CompareOp::Gt));
        let relation = match op {
            CompareOp::Eq => Relation::Zero,
            CompareOp::Ne => Relation::NonZero,
            _ => Relation::AtMostZero,
        };
        if let Some(expr) = l.minus(&r).and_then(|e| e.plus_constant(strict)) {
            g.relate(|known| known.assume(&Constraint { expr, relation }));
        }
        !g.is_impossible()
    }
    /// Notes what the number is that a statement computes, if it is one.
    pub(crate) fn note_result(&mut self, g: &mut Graph, value: &Rvalue, ty: Ty, v: &Value) {
        if g.relations.is_none() {
            return;
        }
        g.relate(|r| r.write(RESULT, 0, None));
        let Some(range) = self.integers(ty).filter(|_| is_number(v)) else { return };
        let expr = self.rvalue_expr(g, value, range);
        let expr = expr.or_else(|| v.as_int().map(LinearExpr::constant));
        self.note(g, expr, v);
    }
    /// Notes that the number which a statement computes was read there.
    pub(crate) fn note_load(&mut self, g: &mut Graph, access: &Access, ty: Ty, v: &Value) {
        if g.relations.is_none() {
            return;
        }
        g.relate(|r| r.write(RESULT, 0, None));
        let Some(range) = self.integers(ty).filter(|_| is_number(v)) else { return };
        let width = self.size(ty);
        let Some(&[off]) = access.offsets().as_deref() else { return self.note(g, None, v) };
        let exact = g.nodes.get(&access.node).and_then(|n| n.cells.get(&off)).is_some_and(|(w, held)| {
            *w == width && is_number(held) && held.num.is_some_and(|n| n.is_subset(range))
        });
        let mut expr = None;
        if exact && !g.is_summary(access.node) {
            g.relate(|r| expr = Some(r.value(Cell::Node(access.node), off)));
        }
        self.note(g, expr, v);
    }
    fn note(&mut self, g: &mut Graph, expr: Option<LinearExpr>, v: &Value) {
        g.relate(|r| {
            match expr {
                Some(expr) => r.write(RESULT, 0, Some(&expr)),
                // Some number: the name says that there is one.
                None => _ = r.value(RESULT, 0),
            }
            let result = r.value(RESULT, 0);
            within(r, &result, v.num.unwrap_or(Interval::FULL));
        });
    }
    /// What an operation computes where it does not wrap.
    fn rvalue_expr(&mut self, g: &mut Graph, value: &Rvalue, range: Interval) -> Option<LinearExpr> {
        match value {
            Rvalue::Use(op) => self.number_expr(g, op),
            Rvalue::Cast { kind: CastKind::IntToInt, arg } => {
                let exact = self.known_number(g, arg)?;
                let expr = self.number_expr(g, arg);
                expr.filter(|_| exact.is_subset(range))
            }
            Rvalue::Unary { op: UnaryOp::Neg, arg } => {
                let exact = Interval::point(0).minus(self.known_number(g, arg)?);
                let expr = self.number_expr(g, arg).and_then(|e| e.times(-1));
                expr.filter(|_| exact.is_subset(range))
            }
            Rvalue::Binary { op, lhs, rhs } => {
                let (a, b) = (self.known_number(g, lhs)?, self.known_number(g, rhs)?);
                let (l, r) = (self.number_expr(g, lhs)?, self.number_expr(g, rhs)?);
                let (exact, expr) = match op {
                    BinaryOp::Add => (a.plus(b), l.plus(&r)),
                    BinaryOp::Sub => (a.minus(b), l.minus(&r)),
                    BinaryOp::Mul => (
                        a.times(b),
                        match (a.as_point(), b.as_point()) {
                            (Some(k), _) => r.times(k),
                            (_, Some(k)) => l.times(k),
                            _ => None,
                        },
                    ),
                    _ => return None,
                };
                expr.filter(|_| exact.is_subset(range))
            }
            _ => None,
        }
    }
    /// Where an operand of an integer type lies, if it certainly holds a number.
    fn known_number(&mut self, g: &mut Graph, op: &Operand) -> Option<Interval> {
        let ty = self.operand_ty(op);
        let range = self.integers(ty)?;
        let v = self.operand(g, op);
        v.num.filter(|n| is_number(&v) && n.is_subset(range))
    }
}

/// Says where an expression lies.
fn within(r: &mut Relations, x: &LinearExpr, range: Interval) {
    let number = |n: i128| LinearExpr::constant(n);
    let above = range.lo.and_then(|lo| Constraint::le(&number(lo), x));
    let below = range.hi.and_then(|hi| Constraint::le(x, &number(hi)));
    above.iter().chain(&below).for_each(|c| r.assume(c));
}
