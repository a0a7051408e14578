//! Values.
//!
//! Three ways to ask for an expression: [`operand`](Lowering::operand) for its value, [`assign`](Lowering::assign)
//! to put it somewhere without a detour, [`effect`](Lowering::effect) for what it does. A value that is a
//! variable comes back as that variable; whoever evaluates more before using it calls
//! [`keep`](Lowering::keep).

use super::Lowering;
use super::order::Part;
use super::place::access_can_fail;
use crate::hir::{Block, CalleeExpr, Expr, ExprKind, Place};
use heapwise_ir::{
    BlockId, Call, Callee, CastKind, CompareOp, Const, Intrinsic, LocalId, Operand, Place as IrPlace, Rvalue,
    Span, StatementKind, TerminatorKind, Ty, Type,
};
use smallvec::SmallVec;

/// The parts of [`ExprKind::Update`].
struct Update<'e> {
    place: &'e Place,
    rhs: Option<(LocalId, &'e Expr)>,
    old: LocalId,
    new: &'e Expr,
    postfix: bool,
    span: Span,
}

impl Lowering<'_> {
    /// The value of an expression.
    pub(super) fn operand(&mut self, expr: &Expr) -> Operand {
        if matches!(self.program.types.get(expr.ty), Type::Void) {
            self.effect(expr);
            return Operand::Const(Const::Undefined(expr.ty));
        }
        match &expr.kind {
            ExprKind::Const(c) => Operand::Const(c.clone()),
            ExprKind::LabelAddr(label) => {
                let block = match self.label_entries.get(label) {
                    Some(block) => *block,
                    None => {
                        let block = self.new_block();
                        self.label_entries.insert(*label, block);
                        block
                    }
                };
                Operand::Const(Const::Label { block, ty: expr.ty })
            }
            ExprKind::Load(place) => match self.plain_local(place) {
                Some(operand) => operand,
                None => {
                    let place = self.place(place);
                    self.load(place, expr.ty, expr.span)
                }
            },
            ExprKind::Cast(CastKind::PtrToPtr | CastKind::IntToInt, inner) if inner.ty == expr.ty => {
                self.operand(inner)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.operand(second)
            }
            ExprKind::Let { temp, value, body } => {
                self.bind(*temp, value);
                self.operand(body)
            }
            ExprKind::Assign { place, value } => self.assign_value(place, value, expr.span),
            ExprKind::Update { .. } => self.update(expr, true),
            ExprKind::StmtExpr { block, value: Some(value) } => self.statement_value(block, value),
            ExprKind::StmtExpr { value: None, .. } | ExprKind::Discard(_) => {
                self.effect(expr);
                Operand::Const(Const::Undefined(expr.ty))
            }
            ExprKind::Conditional(..)
            | ExprKind::LogAnd(..)
            | ExprKind::LogOr(..)
            | ExprKind::Not(_)
            | ExprKind::Call { .. }
            | ExprKind::Intrinsic { .. } => {
                let temporary = self.temporary(expr.ty, expr.span);
                self.assign(IrPlace::local(temporary, expr.ty), expr, expr.span);
                Operand::Local(temporary)
            }
            _ => {
                let value = self.rvalue(expr);
                self.store_temporary(value, expr.ty, expr.span)
            }
        }
    }

    /// Evaluates an expression and stores its value at `dest`, whose operands the evaluation must not change.
    pub(super) fn assign(&mut self, dest: IrPlace, expr: &Expr, span: Span) {
        match &expr.kind {
            ExprKind::Conditional(cond, yes, no) => {
                let (then, otherwise, join) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(cond, then, otherwise);
                for (block, value) in [(then, yes), (otherwise, no)] {
                    self.current = block;
                    let span = if access_can_fail(&dest) { span } else { value.span };
                    self.assign(dest.clone(), value, span);
                    self.terminate(TerminatorKind::Goto(join), value.span);
                }
                self.current = join;
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.assign_truth(dest, expr, span),
            ExprKind::Not(inner) => match inner.kind {
                ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.assign_truth(dest, expr, span),
                _ => {
                    let lhs = self.operand(inner);
                    let rhs = self.zero(inner.ty);
                    self.emit_assign(dest, Rvalue::Compare { op: CompareOp::Eq, lhs, rhs }, span);
                }
            },
            ExprKind::Cast(CastKind::PtrToPtr | CastKind::IntToInt, inner) if inner.ty == expr.ty => {
                self.assign(dest, inner, span);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.assign(dest, second, span);
            }
            ExprKind::Let { temp, value, body } => {
                self.bind(*temp, value);
                self.assign(dest, body, span);
            }
            ExprKind::StmtExpr { block, value: Some(value) } => {
                let outer = self.open_block(block);
                self.assign(dest, value, span);
                self.close_block(block, outer);
            }
            ExprKind::Call { callee, args } => self.call(callee, args, Some(dest), span),
            ExprKind::Intrinsic { op, args } => self.intrinsic(*op, args, Some(dest), span),
            _ => {
                let value = self.rvalue(expr);
                self.emit_assign(dest, value, span);
            }
        }
    }

    /// Stores 1 or 0 on the ways that a condition chooses.
    fn assign_truth(&mut self, dest: IrPlace, cond: &Expr, span: Span) {
        let (then, otherwise, join) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(cond, then, otherwise);
        for (block, value) in [(then, 1), (otherwise, 0)] {
            self.current = block;
            let value = Operand::Const(Const::Int { value, ty: cond.ty });
            self.emit_assign(dest.clone(), Rvalue::Use(value), span);
            self.terminate(TerminatorKind::Goto(join), span);
        }
        self.current = join;
    }

    /// The last step of an expression that one statement can do, after its operands were evaluated.
    fn rvalue(&mut self, expr: &Expr) -> Rvalue {
        match &expr.kind {
            ExprKind::Load(place) => match self.plain_local(place) {
                Some(operand) => Rvalue::Use(operand),
                None => {
                    let place = self.place(place);
                    match place.as_local() {
                        Some(local) => Rvalue::Use(Operand::Local(local)),
                        None => Rvalue::Load(place),
                    }
                }
            },
            ExprKind::AddrOf(place) => self.address(place, expr.ty),
            ExprKind::Unary(op, arg) => Rvalue::Unary { op: *op, arg: self.operand(arg) },
            ExprKind::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = self.two_operands(lhs, rhs, expr.span);
                Rvalue::Binary { op: *op, lhs, rhs }
            }
            ExprKind::Compare(op, lhs, rhs) => {
                let (lhs, rhs) = self.two_operands(lhs, rhs, expr.span);
                Rvalue::Compare { op: *op, lhs, rhs }
            }
            ExprKind::Cast(kind, arg) => Rvalue::Cast { kind: *kind, arg: self.operand(arg) },
            ExprKind::PtrAdd { ptr, index, stride } => {
                let (ptr, index) = self.two_operands(ptr, index, expr.span);
                Rvalue::PtrAdd { ptr, index, stride: *stride }
            }
            ExprKind::PtrAddBytes { ptr, bytes } => {
                let (ptr, index) = self.two_operands(ptr, bytes, expr.span);
                Rvalue::PtrAdd { ptr, index, stride: 1 }
            }
            ExprKind::PtrDiff { lhs, rhs, stride } => {
                let (lhs, rhs) = self.two_operands(lhs, rhs, expr.span);
                Rvalue::PtrDiff { lhs, rhs, stride: *stride }
            }
            _ => Rvalue::Use(self.operand(expr)),
        }
    }

    fn address(&mut self, place: &Place, ty: Ty) -> Rvalue {
        let place = self.place(place);
        match &place.base {
            // `&*p` is `p`.
            heapwise_ir::PlaceBase::Deref(pointer)
                if place.path.is_empty() && self.operand_ty(pointer) == ty =>
            {
                Rvalue::Use(pointer.clone())
            }
            _ => Rvalue::AddrOf(place),
        }
    }

    fn operand_ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Local(local) => self.local_ty(*local),
            Operand::Const(c) => c.ty(),
        }
    }

    /// Evaluates an expression for its effects and possible errors.
    pub(super) fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::LabelAddr(_) => {}
            ExprKind::Load(place) => {
                let ty = place.ty;
                let place = self.place(place);
                if access_can_fail(&place) && self.program.types.is_scalar(ty) {
                    self.load(place, ty, expr.span);
                }
            }
            ExprKind::AddrOf(place) => {
                self.place(place);
            }
            ExprKind::Cast(_, inner) | ExprKind::Discard(inner) | ExprKind::Not(inner) => self.effect(inner),
            ExprKind::Compare(_, lhs, rhs) | ExprKind::Comma(lhs, rhs) => {
                self.effect(lhs);
                self.effect(rhs);
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrAddBytes { .. }
            | ExprKind::PtrDiff { .. } => {
                let value = self.rvalue(expr);
                self.store_temporary(value, expr.ty, expr.span);
            }
            ExprKind::LogAnd(first, second) => {
                let (then, join) = (self.new_block(), self.new_block());
                self.branch(first, then, join);
                self.effect_between(then, second, join);
            }
            ExprKind::LogOr(first, second) => {
                let (otherwise, join) = (self.new_block(), self.new_block());
                self.branch(first, join, otherwise);
                self.effect_between(otherwise, second, join);
            }
            ExprKind::Conditional(cond, yes, no) => {
                let (then, otherwise, join) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(cond, then, otherwise);
                self.effect_between(then, yes, join);
                self.effect_between(otherwise, no, join);
            }
            ExprKind::Let { temp, value, body } => {
                self.bind(*temp, value);
                self.effect(body);
            }
            ExprKind::Assign { place, value } => self.store(place, value, expr.span),
            ExprKind::Update { .. } => {
                self.update(expr, false);
            }
            ExprKind::Call { callee, args } => self.call(callee, args, None, expr.span),
            ExprKind::Intrinsic { op, args } => self.intrinsic(*op, args, None, expr.span),
            ExprKind::StmtExpr { block, value } => {
                let outer = self.open_block(block);
                if let Some(value) = value {
                    self.effect(value);
                }
                self.close_block(block, outer);
            }
        }
    }

    /// Evaluates `expr` in `block`, goes to `join` and continues there.
    fn effect_between(&mut self, block: BlockId, expr: &Expr, join: BlockId) {
        self.current = block;
        self.effect(expr);
        self.enter(join, expr.span);
    }

    /// Evaluates the value of a `Let` into its temporary.
    pub(super) fn bind(&mut self, temp: LocalId, value: &Expr) {
        let ty = self.local_ty(temp);
        self.assign(IrPlace::local(temp, ty), value, value.span);
    }

    /// Stores a value; the result is what is then stored.
    fn assign_value(&mut self, place: &Place, value: &Expr, span: Span) -> Operand {
        let mut marks = self.begin_unsequenced(&[Part::Place(place), Part::Value(value)], span);
        let dest = self.place(place);
        let dest = self.keep_place(dest, value, place.span);
        self.next_operand(&mut marks);
        let result_span = if access_can_fail(&dest) { span } else { value.span };
        if let Some(local) = dest.as_local().filter(|_| !marks.wanted()) {
            self.assign(dest, value, result_span);
            return Operand::Local(local);
        }
        let stored = self.operand(value);
        let stored = if marks.wanted() { self.keep_from_place(stored, place, value.span) } else { stored };
        self.next_operand(&mut marks);
        self.end_unsequenced(marks);
        // The variable may be part of what the store changes, or change before the result is used.
        self.emit_assign(dest.clone(), Rvalue::Use(stored.clone()), result_span);
        if dest.bits().is_some() { self.load(dest, place.ty, span) } else { stored }
    }

    /// Compound assignment, `++` and `--`; returns the value if it is wanted.
    fn update(&mut self, expr: &Expr, wanted: bool) -> Operand {
        let ExprKind::Update { place, rhs, old, new, postfix } = &expr.kind else {
            return Operand::Const(Const::Undefined(expr.ty));
        };
        let rhs = rhs.as_ref().map(|(temp, rhs)| (*temp, &**rhs));
        let update = Update { place, rhs, old: *old, new, postfix: *postfix, span: expr.span };
        let result = self.update_parts(&update, wanted);
        self.aliases.remove(old);
        if let Some((temp, _)) = rhs {
            self.aliases.remove(&temp);
        }
        result
    }

    fn update_parts(&mut self, update: &Update<'_>, wanted: bool) -> Operand {
        let Update { place, rhs, old, postfix, span, .. } = *update;
        let old_ty = self.local_ty(old);
        let parts: SmallVec<[Part<'_>; 2]> =
            rhs.iter().map(|(_, rhs)| Part::Value(rhs)).chain([Part::Contents(place)]).collect();
        let mut marks = self.begin_unsequenced(&parts, span);
        let mut dest;
        if let Some((temp, rhs)) = rhs.filter(|_| marks.wanted()) {
            // The old contents are read before or after the right side is evaluated.
            let value = self.operand(rhs);
            let value = self.keep_from_place(value, place, rhs.span);
            self.aliases.insert(temp, value);
            self.next_operand(&mut marks);
            dest = self.place(place);
            dest = self.keep_place(dest, rhs, place.span);
            self.emit_assign(IrPlace::local(old, old_ty), self.contents(&dest), span);
            self.next_operand(&mut marks);
            self.end_unsequenced(marks);
            return self.store_update(update, dest, wanted);
        }
        dest = self.place(place);
        if let Some((temp, rhs)) = rhs {
            dest = self.keep_place(dest, rhs, place.span);
            let value = self.operand(rhs);
            self.aliases.insert(temp, value);
        }
        let plain = dest.as_local().filter(|l| self.local_ty(*l) == old_ty);
        match plain {
            // The variable itself can stand for its old contents while the new ones are computed.
            Some(local) if !(wanted && postfix) => {
                self.aliases.insert(old, Operand::Local(local));
            }
            _ => self.emit_assign(IrPlace::local(old, old_ty), self.contents(&dest), span),
        }
        self.store_update(update, dest, wanted)
    }

    fn contents(&self, place: &IrPlace) -> Rvalue {
        match place.as_local() {
            Some(local) => Rvalue::Use(Operand::Local(local)),
            None => Rvalue::Load(place.clone()),
        }
    }

    /// The second half of an update: computes the new contents and stores them.
    fn store_update(&mut self, update: &Update<'_>, dest: IrPlace, wanted: bool) -> Operand {
        let Update { place, old, new, postfix, span, .. } = *update;
        let plain = dest.as_local().filter(|l| self.local_ty(*l) == self.local_ty(old));
        if postfix || !wanted || plain.is_some() {
            self.assign(dest, new, span);
            return Operand::Local(if postfix { old } else { plain.unwrap_or(old) });
        }
        let value = self.operand(new);
        self.emit_assign(dest.clone(), Rvalue::Use(value.clone()), span);
        if dest.bits().is_some() { self.load(dest, place.ty, span) } else { value }
    }

    fn statement_value(&mut self, block: &Block, value: &Expr) -> Operand {
        let outer = self.open_block(block);
        let mut result = self.operand(value);
        if let Operand::Local(local) = result
            && self.scopes.declared_between(outer, self.scope, local)
        {
            result = self.copy_local(local, value.span);
        }
        self.close_block(block, outer);
        result
    }

    fn call(&mut self, callee: &CalleeExpr, args: &[Expr], dest: Option<IrPlace>, span: Span) {
        let dest = dest.filter(|d| !matches!(self.program.types.get(d.ty), Type::Void));
        let pointer = match callee {
            CalleeExpr::Direct(_) => None,
            CalleeExpr::Indirect(pointer) => Some(&**pointer),
        };
        let (pointer, operands) = self.operands(pointer, args, span);
        let callee = match (callee, pointer) {
            (CalleeExpr::Direct(function), _) => Callee::Direct(*function),
            (CalleeExpr::Indirect(_), Some(operand)) => Callee::Indirect(operand),
            (CalleeExpr::Indirect(e), None) => Callee::Indirect(self.zero(e.ty)),
        };
        let never_returns = match callee {
            Callee::Direct(function) => self
                .program
                .functions
                .get(function)
                .is_some_and(|f| f.noreturn || f.library.is_some_and(|library| library.is_noreturn())),
            Callee::Indirect(_) => false,
        };
        self.emit(StatementKind::Call(Call { dest, callee, args: operands }), span);
        if never_returns {
            self.terminate(TerminatorKind::Unreachable, span);
        }
    }

    fn intrinsic(&mut self, op: Intrinsic, args: &[Expr], dest: Option<IrPlace>, span: Span) {
        let (_, operands) = self.operands(None, args, span);
        if op != Intrinsic::Unreachable {
            let dest = dest.filter(|d| !matches!(self.program.types.get(d.ty), Type::Void));
            self.emit(StatementKind::Intrinsic { op, dest, args: operands }, span);
        }
        if matches!(op, Intrinsic::Unreachable | Intrinsic::Trap) {
            self.terminate(TerminatorKind::Unreachable, span);
        }
    }
}
