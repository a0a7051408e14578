//! What evaluating an expression may change.
//!
//! Lowering reads variables late, in the statement that needs them; this module says when that would be too
//! late because an operand to the right changes the variable first. The answer is safe, not exact: a call or a
//! store through a pointer may change every local whose address is taken.

use super::Lowering;
use crate::hir::{Block, CalleeExpr, Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind};
use heapwise_ir::{LocalId, Operand, Place as IrPlace, PlaceBase, Projection, Span};
use smallvec::SmallVec;

/// Locals that may change, with repetitions, and whether memory may change.
#[derive(Default)]
pub(super) struct Effects {
    memory: bool,
    locals: Vec<LocalId>,
}

/// The effects of the last operands of a list, as a mark into an [`Effects`] that was collected from right to
/// left.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    memory: bool,
    locals: usize,
}

impl Effects {
    /// Of evaluating `expr`.
    pub(super) fn of(expr: &Expr) -> Effects {
        let mut effects = Effects::default();
        effects.expr(expr);
        effects
    }

    /// Of finding out where `place` is.
    pub(super) fn of_place(place: &Place) -> Effects {
        let mut effects = Effects::default();
        effects.place(place);
        effects
    }

    /// Of a list of operands: element `i` of the marks stands for everything after operand `i`.
    pub(super) fn of_rest<'e>(
        exprs: impl DoubleEndedIterator<Item = &'e Expr>,
    ) -> (Effects, SmallVec<[Mark; 8]>) {
        let mut effects = Effects::default();
        let mut marks = SmallVec::new();
        for expr in exprs.rev() {
            marks.push(effects.mark());
            effects.expr(expr);
        }
        marks.reverse();
        (effects, marks)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { memory: self.memory, locals: self.locals.len() }
    }

    fn store(&mut self, place: &Place) {
        let mut root = place;
        loop {
            match &root.kind {
                PlaceKind::Local(local) | PlaceKind::Literal { local, .. } => self.locals.push(*local),
                PlaceKind::Field { base, .. } | PlaceKind::Index { base, .. } => {
                    root = base;
                    continue;
                }
                PlaceKind::Deref(pointer) => match &pointer.kind {
                    ExprKind::AddrOf(inner) if inner.ty == root.ty => {
                        root = inner;
                        continue;
                    }
                    _ => self.memory = true,
                },
                // Memory that no local occupies, and a copy.
                PlaceKind::Global(_) | PlaceKind::Temporary(_) => {}
            }
            break;
        }
        self.place(place);
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(e) | PlaceKind::Temporary(e) => self.expr(e),
            PlaceKind::Field { base, .. } => self.place(base),
            PlaceKind::Index { base, index, .. } => {
                self.place(base);
                self.expr(index);
            }
            PlaceKind::Literal { init, .. } => self.init(init),
        }
    }

    fn init(&mut self, init: &Init) {
        if let Some(place) = &init.zero {
            self.store(place);
        }
        for (place, value) in &init.stores {
            self.store(place);
            self.expr(value);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::LabelAddr(_) => {}
            ExprKind::Load(place) | ExprKind::AddrOf(place) => self.place(place),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Discard(a) | ExprKind::Not(a) => {
                self.expr(a)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PtrAdd { ptr: a, index: b, .. }
            | ExprKind::PtrAddBytes { ptr: a, bytes: b }
            | ExprKind::PtrDiff { lhs: a, rhs: b, .. }
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::Comma(a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Let { temp, value, body } => {
                self.locals.push(*temp);
                self.expr(value);
                self.expr(body);
            }
            ExprKind::Assign { place, value } => {
                self.store(place);
                self.expr(value);
            }
            ExprKind::Update { place, rhs, old, new, .. } => {
                self.locals.push(*old);
                self.store(place);
                if let Some((temp, rhs)) = rhs {
                    self.locals.push(*temp);
                    self.expr(rhs);
                }
                self.expr(new);
            }
            ExprKind::Call { callee, args } => {
                self.memory = true;
                if let CalleeExpr::Indirect(callee) = callee {
                    self.expr(callee);
                }
                args.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Intrinsic { op, args } => {
                self.memory |= !op.only_computes();
                args.iter().for_each(|e| self.expr(e));
            }
            ExprKind::StmtExpr { block, value } => {
                self.block(block);
                value.iter().for_each(|e| self.expr(e));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::GotoAddress(e) | StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Block(b) => self.block(b),
            StmtKind::Declare { local, vla_size, init } => {
                self.locals.push(*local);
                vla_size.iter().for_each(|e| self.expr(e));
                init.iter().for_each(|i| self.init(i));
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(cond);
                self.stmt(then);
                otherwise.iter().for_each(|s| self.stmt(s));
            }
            StmtKind::While { cond: e, body }
            | StmtKind::DoWhile { body, cond: e }
            | StmtKind::Switch { value: e, body } => {
                self.expr(e);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body } => {
                self.block(init);
                cond.iter().chain(step).for_each(|e| self.expr(e));
                self.stmt(body);
            }
            StmtKind::Return(None)
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue => {}
        }
    }
}

impl Lowering<'_> {
    /// An operand with the same value that evaluating `later` does not change.
    pub(super) fn keep(&mut self, operand: Operand, later: &Expr, span: Span) -> Operand {
        if !self.can_change(&operand) {
            return operand;
        }
        let effects = Effects::of(later);
        self.keep_after(operand, &effects, effects.mark(), span)
    }

    /// An operand with the same value that evaluating a place does not change.
    pub(super) fn keep_from_place(&mut self, operand: Operand, place: &Place, span: Span) -> Operand {
        if !self.can_change(&operand) {
            return operand;
        }
        let effects = Effects::of_place(place);
        self.keep_after(operand, &effects, effects.mark(), span)
    }

    /// An operand with the same value that the marked effects do not change.
    pub(super) fn keep_after(
        &mut self,
        operand: Operand,
        effects: &Effects,
        mark: Mark,
        span: Span,
    ) -> Operand {
        match operand {
            Operand::Local(local) if self.can_change(&operand) && self.changes(effects, mark, local) => {
                self.copy_local(local, span)
            }
            operand => operand,
        }
    }

    /// The place, found through operands that evaluating `later` does not change.
    pub(super) fn keep_place(&mut self, mut place: IrPlace, later: &Expr, span: Span) -> IrPlace {
        let volatile = |op: &Operand| self.can_change(op);
        let base = matches!(&place.base, PlaceBase::Deref(op) if volatile(op));
        let path = place.path.iter().any(|p| matches!(p, Projection::Index { index, .. } if volatile(index)));
        if !base && !path {
            return place;
        }
        let effects = Effects::of(later);
        let mark = effects.mark();
        if let PlaceBase::Deref(op) = place.base {
            place.base = PlaceBase::Deref(self.keep_after(op, &effects, mark, span));
        }
        for step in &mut place.path {
            if let Projection::Index { index, .. } = step {
                *index = self.keep_after(index.clone(), &effects, mark, span);
            }
        }
        place
    }

    /// Whether an operand is a variable rather than a constant or a temporary of lowering.
    fn can_change(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Local(local) if *local < self.first_temporary)
    }

    fn changes(&self, effects: &Effects, mark: Mark, local: LocalId) -> bool {
        mark.memory && self.locals.get(local).is_some_and(|l| l.address_taken)
            || effects.locals.get(..mark.locals).is_some_and(|l| l.contains(&local))
    }

    /// A temporary that holds the present value of a local.
    pub(super) fn copy_local(&mut self, local: LocalId, span: Span) -> Operand {
        let ty = self.local_ty(local);
        self.store_temporary(heapwise_ir::Rvalue::Use(Operand::Local(local)), ty, span)
    }
}
