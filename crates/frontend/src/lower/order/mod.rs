//! Operands that C does not sequence.
//!
//! The operands of an operator, the arguments of a call with what is called, and both sides of an assignment are evaluated in
//! any order (C23 §6.5.1p3). Lowering writes them from left to right. Where that could make a difference it notes a
//! [`Group`]: marks between the operands, which are empty statements. When the whole program is known, [`settle`] finds out
//! which operands change what others read ([`accesses`]), and gives the function the other orders too, behind a choice
//! that is an input of the program. All marks are gone then.
//!
//! Designated initialisers that are not written in the order of the members are such operands too; others are evaluated as they
//! stand, as compilers do.
//!
//! Not covered: orders in which parts of one operand come between parts of another. Of more than three operands that depend on each other, the orders are those from left to
//! right, from right to left, and those with one operand moved to the front.
//!
//! Cost of a group: one mark for each operand; its other orders are copies of the code of its operands.

mod accesses;
mod settle;

pub(super) use settle::settle;

use super::Lowering;
use super::build::DEAD;
use super::effects::Effects;
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use heapwise_ir::{BlockId, Operand, Span, StatementKind};

/// Operands in a row: operand `i` is between mark `i` and the next. Marks are numbers of statements.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) marks: Vec<u32>,
    pub(super) span: Span,
}

/// A group in finished code: where each mark is.
#[derive(Clone, Debug)]
pub(super) struct PlacedGroup {
    pub(super) marks: Vec<(BlockId, u32)>,
    pub(super) span: Span,
}

/// An operand before it is lowered.
#[derive(Clone, Copy)]
pub(super) enum Part<'e> {
    Value(&'e Expr),
    Place(&'e Place),
    /// A place whose contents are read as well.
    Contents(&'e Place),
}

/// Whether the order of evaluating these could make a difference, as far as one expression tells.
pub(super) fn may_depend(parts: &[Part<'_>]) -> bool {
    parts.len() > 1
        && parts.iter().enumerate().any(|(i, a)| {
            a.acts() && parts.iter().enumerate().any(|(j, b)| i != j && (b.acts() || b.depends()))
        })
}

impl Part<'_> {
    /// Whether evaluating it may change anything.
    fn acts(&self) -> bool {
        let mut look = Look { for_reads: false, fuel: LOOK };
        match self {
            Part::Value(e) => look.expr(e),
            Part::Place(p) | Part::Contents(p) => look.place(p),
        }
    }

    /// Whether its value may depend on what others change.
    fn depends(&self) -> bool {
        let mut look = Look { for_reads: true, fuel: LOOK };
        match self {
            Part::Value(e) => look.expr(e),
            Part::Place(p) => look.place(p),
            Part::Contents(_) => true,
        }
    }
}

/// How many nodes of an operand are looked at; larger ones count as operands that act and depend.
const LOOK: u32 = 256;

/// A search for what acts in an operand, or for what reads.
struct Look {
    for_reads: bool,
    fuel: u32,
}

impl Look {
    fn expr(&mut self, e: &Expr) -> bool {
        if self.fuel == 0 {
            return true;
        }
        self.fuel -= 1;
        match &e.kind {
            ExprKind::Const(_) | ExprKind::LabelAddr(_) => false,
            ExprKind::Load(place) => self.for_reads || self.place(place),
            ExprKind::AddrOf(place) => self.place(place),
            ExprKind::Cast(_, a) | ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Discard(a) => {
                self.expr(a)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PtrAdd { ptr: a, index: b, .. }
            | ExprKind::PtrAddBytes { ptr: a, bytes: b }
            | ExprKind::PtrDiff { lhs: a, rhs: b, .. }
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::Comma(a, b) => self.expr(a) || self.expr(b),
            ExprKind::Conditional(a, b, c) => self.expr(a) || self.expr(b) || self.expr(c),
            ExprKind::Intrinsic { op, args } if op.only_computes() => args.iter().any(|e| self.expr(e)),
            ExprKind::Let { value, body, .. } => self.expr(value) || self.expr(body),
            ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::Call { .. }
            | ExprKind::Intrinsic { .. }
            | ExprKind::StmtExpr { .. } => true,
        }
    }

    fn place(&mut self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => false,
            PlaceKind::Deref(e) | PlaceKind::Temporary(e) => self.expr(e),
            PlaceKind::Field { base, .. } => self.place(base),
            PlaceKind::Index { base, index, .. } => self.place(base) || self.expr(index),
            PlaceKind::Literal { init, .. } => init.stores.iter().any(|(_, value)| self.expr(value)),
        }
    }
}

/// The marks of a group that is being lowered; nothing for operands whose order makes no difference.
pub(super) struct Marks {
    marks: Option<Vec<u32>>,
    span: Span,
}

impl Marks {
    /// Whether the operands are marked.
    pub(super) fn wanted(&self) -> bool {
        self.marks.is_some()
    }
}

impl Lowering<'_> {
    /// Begins to lower operands that are not sequenced.
    pub(super) fn begin_unsequenced(&mut self, parts: &[Part<'_>], span: Span) -> Marks {
        let mut marks = Marks { marks: may_depend(parts).then(Vec::new), span };
        self.next_operand(&mut marks);
        marks
    }

    /// The next operand begins, or the last one has ended.
    pub(super) fn next_operand(&mut self, marks: &mut Marks) {
        let Some(list) = &mut marks.marks else { return };
        if self.current == DEAD {
            marks.marks = None;
            return;
        }
        list.push(self.statements.len() as u32);
        self.emit(StatementKind::Nop, marks.span);
    }

    /// All operands were lowered, each with a mark after it.
    pub(super) fn end_unsequenced(&mut self, marks: Marks) {
        if let Marks { marks: Some(marks), span } = marks {
            self.groups.push(Group { marks, span });
        }
    }

    /// Two operands in no order.
    pub(super) fn two_operands(&mut self, lhs: &Expr, rhs: &Expr, span: Span) -> (Operand, Operand) {
        let mut marks = self.begin_unsequenced(&[Part::Value(lhs), Part::Value(rhs)], span);
        let left = self.operand(lhs);
        let left = self.keep(left, rhs, lhs.span);
        self.next_operand(&mut marks);
        let mut right = self.operand(rhs);
        if marks.wanted() {
            right = self.keep(right, lhs, rhs.span);
        }
        self.next_operand(&mut marks);
        self.end_unsequenced(marks);
        (left, right)
    }

    /// A callee and the arguments of a call, or the arguments of an operation, in no order.
    pub(super) fn operands(
        &mut self,
        callee: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> (Option<Operand>, Vec<Operand>) {
        let parts: Vec<Part<'_>> = callee.into_iter().chain(args).map(Part::Value).collect();
        let mut marks = self.begin_unsequenced(&parts, span);
        let (effects, rest) = Effects::of_rest(callee.into_iter().chain(args));
        let mut operands = Vec::with_capacity(parts.len());
        for (expr, rest) in callee.into_iter().chain(args).zip(rest) {
            let operand = self.operand(expr);
            // In other orders all the others may come first.
            let mark = if marks.wanted() { effects.mark() } else { rest };
            operands.push(self.keep_after(operand, &effects, mark, expr.span));
            self.next_operand(&mut marks);
        }
        self.end_unsequenced(marks);
        let callee = callee.map(|_| operands.remove(0));
        (callee, operands)
    }
}
