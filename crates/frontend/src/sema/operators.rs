//! Operators: arithmetic, comparison, pointer arithmetic, assignment, conditional.

use super::convert::{Balanced, Context, Kind, Typed};
use super::{Checker, R, invalid, unsupported};
use crate::ast::{self, BinaryOp as Op};
use crate::ctype::{CTy, CType, QualTy};
use crate::hir::{Expr, ExprKind, Place};
use heapwise_ir::{BinaryOp, CastKind, CompareOp, Const, Span, UnaryOp};

fn arithmetic_op(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::Mul => BinaryOp::Mul,
        Op::Div => BinaryOp::Div,
        Op::Rem => BinaryOp::Rem,
        Op::Add => BinaryOp::Add,
        Op::Sub => BinaryOp::Sub,
        Op::Shl => BinaryOp::Shl,
        Op::Shr => BinaryOp::Shr,
        Op::And => BinaryOp::And,
        Op::Xor => BinaryOp::Xor,
        Op::Or => BinaryOp::Or,
        _ => return None,
    })
}

fn compare_op(op: Op) -> Option<CompareOp> {
    Some(match op {
        Op::Lt => CompareOp::Lt,
        Op::Gt => CompareOp::Gt,
        Op::Le => CompareOp::Le,
        Op::Ge => CompareOp::Ge,
        Op::Eq => CompareOp::Eq,
        Op::Ne => CompareOp::Ne,
        _ => return None,
    })
}

/// An object that is assigned to.
pub(super) struct Target {
    pub(super) place: Place,
    pub(super) ty: QualTy,
    /// Of a bit-field, its bits.
    pub(super) width: Option<u8>,
}

/// Which value an update has as an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Yields {
    /// The one before, as `i++` has.
    Old,
    /// The one after.
    New,
}

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: ast::UnaryOp, arg: &ast::Expr, span: Span) -> R<Typed> {
        let t = self.expr(arg)?;
        let t = self.scalar(t)?;
        if op == ast::UnaryOp::Not {
            let ty = self.s.ir(CTy::INT);
            let e = t.into_expr();
            let kind = match self.s.folded_truth(&e) {
                Some(b) => ExprKind::Const(Const::Int { value: i128::from(!b), ty }),
                None => ExprKind::Not(Box::new(e)),
            };
            return Ok(Typed::value(Expr { kind, ty, span }, CTy::INT));
        }
        let fits = if op == ast::UnaryOp::BitNot {
            self.s.is_integer(t.ty.ty)
        } else {
            self.s.is_arithmetic(t.ty.ty)
        };
        if !fits {
            return invalid(span, "bad-operand", format!("bad operand of type {}", self.s.describe(t.ty.ty)));
        }
        let t = self.promote(t);
        let ty = t.ty.ty;
        let op = match op {
            ast::UnaryOp::Neg => UnaryOp::Neg,
            ast::UnaryOp::BitNot => UnaryOp::BitNot,
            _ => return Ok(t),
        };
        let width = t.width;
        let e = self.s.make_unary(op, t.into_expr());
        Ok(self.computed(e, ty, width, span))
    }

    pub(super) fn binary(&mut self, op: Op, a: &ast::Expr, b: &ast::Expr, span: Span) -> R<Typed> {
        if matches!(op, Op::LogAnd | Op::LogOr) {
            return self.logical(op == Op::LogAnd, a, b, span);
        }
        let a = self.expr(a)?;
        let a = self.scalar(a)?;
        let b = self.expr(b)?;
        let b = self.scalar(b)?;
        self.binary_values(op, a, b, span)
    }

    /// `&&` and `||`; folded if the left side decides, or both sides are constant.
    fn logical(&mut self, and: bool, a: &ast::Expr, b: &ast::Expr, span: Span) -> R<Typed> {
        let a = self.condition(a)?;
        let b = self.condition(b)?;
        let ty = self.s.ir(CTy::INT);
        let folded = match (self.s.folded_truth(&a), self.s.folded_truth(&b)) {
            (Some(x), _) if x != and => Some(x),
            (Some(_), Some(y)) => Some(y),
            _ => None,
        };
        let kind = match folded {
            Some(value) => ExprKind::Const(Const::Int { value: i128::from(value), ty }),
            None if and => ExprKind::LogAnd(Box::new(a), Box::new(b)),
            None => ExprKind::LogOr(Box::new(a), Box::new(b)),
        };
        Ok(Typed::value(Expr { kind, ty, span }, CTy::INT))
    }

    /// An infix operator on two scalar values.
    pub(super) fn binary_values(&mut self, op: Op, a: Typed, b: Typed, span: Span) -> R<Typed> {
        let (pointer_a, pointer_b) = (self.s.is_pointer(a.ty.ty), self.s.is_pointer(b.ty.ty));
        if let Some(compare) = compare_op(op) {
            return self.comparison(compare, a, b, span);
        }
        match op {
            Op::Add if pointer_a && self.s.is_integer(b.ty.ty) => {
                let index = self.promote(b).into_expr();
                return self.pointer_add(a, index, false, span);
            }
            Op::Add if pointer_b && self.s.is_integer(a.ty.ty) => {
                let index = self.promote(a).into_expr();
                return self.pointer_add(b, index, false, span);
            }
            Op::Sub if pointer_a && pointer_b => return self.pointer_difference(a, b, span),
            Op::Sub if pointer_a && self.s.is_integer(b.ty.ty) => {
                let index = self.promote(b).into_expr();
                return self.pointer_add(a, index, true, span);
            }
            _ => {}
        }
        let Some(ir_op) = arithmetic_op(op) else {
            return unsupported(span, "bad-operand", "unknown operator");
        };
        let integers = self.s.is_integer(a.ty.ty) && self.s.is_integer(b.ty.ty);
        let arithmetic = self.s.is_arithmetic(a.ty.ty) && self.s.is_arithmetic(b.ty.ty);
        let allows_floats = matches!(op, Op::Mul | Op::Div | Op::Add | Op::Sub);
        if !(integers || (arithmetic && allows_floats)) {
            let message = format!(
                "bad operands of types {} and {}",
                self.s.describe(a.ty.ty),
                self.s.describe(b.ty.ty)
            );
            return invalid(span, "bad-operand", message);
        }
        if matches!(op, Op::Shl | Op::Shr) {
            let a = self.promote(a);
            let b = self.promote(b);
            let (ty, width) = (a.ty.ty, a.width);
            let e = self.s.make_binary(ir_op, a.into_expr(), b.into_expr());
            return Ok(self.computed(e, ty, width, span));
        }
        let Balanced { a, b, ty, width } = self.balance(a, b);
        let e = self.s.make_binary(ir_op, a, b);
        Ok(self.computed(e, ty, width, span))
    }

    /// The result of an operator, in a type of so many bits.
    fn computed(&mut self, mut e: Expr, ty: CTy, width: Option<u8>, span: Span) -> Typed {
        e.span = span;
        let mut e = self.narrowed(e, ty, width);
        e.span = span;
        Typed { width, ..Typed::value(e, ty) }
    }

    fn comparison(&mut self, op: CompareOp, a: Typed, b: Typed, span: Span) -> R<Typed> {
        let (x, y) = (a.ty.ty, b.ty.ty);
        let (a, b) = if self.s.is_arithmetic(x) && self.s.is_arithmetic(y) {
            let Balanced { a, b, .. } = self.balance(a, b);
            (a, b)
        } else if self.s.is_float(x) || self.s.is_float(y) {
            return invalid(span, "bad-operand", "comparison of a pointer with a floating number");
        } else {
            // Pointers meet in one type: the other's for a null constant, void * if they differ. An integer
            // is converted to the pointer's type.
            let ty = match (self.s.is_pointer(x), self.s.is_pointer(y)) {
                (true, false) => x,
                (false, true) => y,
                _ if x == y => x,
                _ if self.is_null_constant(&a) => y,
                _ if self.is_null_constant(&b) => x,
                _ => {
                    let (p, q) = (self.s.pointee(x), self.s.pointee(y));
                    match (p, q) {
                        (Some(p), Some(q)) if self.s.ir(p.ty) == self.s.ir(q.ty) => x,
                        _ => CTy::VOID_PTR,
                    }
                }
            };
            (self.cast_expr(a.into_expr(), x, ty), self.cast_expr(b.into_expr(), y, ty))
        };
        let mut e = self.s.make_compare(op, a, b);
        e.span = span;
        Ok(Typed::value(e, CTy::INT))
    }

    /// `pointer ± index`.
    pub(super) fn pointer_add(
        &mut self,
        pointer: Typed,
        index: Expr,
        subtract: bool,
        span: Span,
    ) -> R<Typed> {
        let ty = pointer.ty.ty;
        let Some(to) = self.s.pointee(ty) else {
            return invalid(span, "not-a-pointer", "arithmetic on something that is not a pointer");
        };
        let ptr = Box::new(pointer.into_expr());
        let ir = ptr.ty;
        if let Some(size) = self.s.size_of(to.ty) {
            let stride = i64::try_from(size).unwrap_or(i64::MAX);
            let stride = if subtract { -stride } else { stride };
            let kind = ExprKind::PtrAdd { ptr, index: Box::new(index), stride };
            return Ok(Typed::value(Expr { kind, ty: ir, span }, ty));
        }
        let offset_ty = self.s.ptrdiff_t();
        let offset_ir = self.s.ir(offset_ty);
        let index = if index.ty == offset_ir {
            index
        } else {
            self.s.make_cast(CastKind::IntToInt, index, offset_ir)
        };
        let size = self.size_expr(to.ty, span)?;
        let size = self.s.make_cast(CastKind::IntToInt, size, offset_ir);
        let mut bytes = self.s.make_binary(BinaryOp::Mul, index, size);
        if subtract {
            bytes = self.s.make_unary(UnaryOp::Neg, bytes);
        }
        let kind = ExprKind::PtrAddBytes { ptr, bytes: Box::new(bytes) };
        Ok(Typed::value(Expr { kind, ty: ir, span }, ty))
    }

    fn pointer_difference(&mut self, a: Typed, b: Typed, span: Span) -> R<Typed> {
        let Some(to) = self.s.pointee(a.ty.ty) else {
            return invalid(span, "not-a-pointer", "difference of something that is not a pointer");
        };
        let ty = self.s.ptrdiff_t();
        let ir = self.s.ir(ty);
        let common = a.ty.ty;
        let other = b.ty.ty;
        let lhs = Box::new(a.into_expr());
        let rhs = Box::new(self.cast_expr(b.into_expr(), other, common));
        let fixed = self.s.size_of(to.ty);
        let stride = fixed.unwrap_or(1).max(1);
        let e = Expr { kind: ExprKind::PtrDiff { lhs, rhs, stride }, ty: ir, span };
        if fixed.is_some() {
            return Ok(Typed::value(e, ty));
        }
        let size = self.size_expr(to.ty, span)?;
        let size = self.s.make_cast(CastKind::IntToInt, size, ir);
        let mut e = self.s.make_binary(BinaryOp::Div, e, size);
        e.span = span;
        Ok(Typed::value(e, ty))
    }

    /// The place that an assignment changes.
    fn modifiable(&mut self, t: Typed, span: Span) -> R<Target> {
        let ty = t.ty;
        let width = t.width;
        match t.kind {
            Kind::Place(_) if ty.quals.is_const => {
                invalid(span, "assignment-to-const", "assignment to a constant object")
            }
            Kind::Place(_) if self.s.is_array(ty.ty) => {
                invalid(span, "assignment-to-array", "assignment to an array")
            }
            Kind::Place(place) => Ok(Target { place, ty, width }),
            _ => invalid(span, "not-an-lvalue", "assignment to something that is not an object"),
        }
    }

    pub(super) fn assignment(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> R<Typed> {
        let target = self.expr(a)?;
        let Target { place, ty, width } = self.modifiable(target, a.span)?;
        let value = self.expr(b)?;
        let value = Box::new(self.assign_convert(value, ty.ty, Context::Assign)?);
        let ir = place.ty;
        let kind = ExprKind::Assign { place: Box::new(place), value };
        let mut result = Typed::value(Expr { kind, ty: ir, span }, ty.ty);
        result.width = width;
        Ok(result)
    }

    pub(super) fn compound_assignment(
        &mut self,
        op: Op,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> R<Typed> {
        let target = self.expr(a)?;
        if self.s.is_opaque(target.ty.ty) {
            return unsupported(span, "unsupported-vector", "arithmetic on complex numbers or vectors");
        }
        let target = self.modifiable(target, a.span)?;
        let rhs = self.expr(b)?;
        let rhs = self.scalar(rhs)?;
        self.update(op, target, rhs, Yields::New, span)
    }

    pub(super) fn increment(
        &mut self,
        arg: &ast::Expr,
        increment: bool,
        prefix: bool,
        span: Span,
    ) -> R<Typed> {
        let target = self.expr(arg)?;
        let target = self.modifiable(target, arg.span)?;
        let one = Typed::value(self.int_const(1, CTy::INT, span), CTy::INT);
        let op = if increment { Op::Add } else { Op::Sub };
        self.update(op, target, one, if prefix { Yields::New } else { Yields::Old }, span)
    }

    /// `target = target op rhs`, with the target evaluated once.
    pub(super) fn update(
        &mut self,
        op: Op,
        target: Target,
        rhs: Typed,
        yields: Yields,
        span: Span,
    ) -> R<Typed> {
        let Target { place, ty, width } = target;
        if !self.s.is_scalar(ty.ty) {
            return invalid(span, "bad-operand", format!("bad operand of type {}", self.s.describe(ty.ty)));
        }
        let old = self.temporary(ty.ty, span);
        let mut old_value = Typed::value(self.local_value(old, ty.ty, span), ty.ty);
        old_value.width = width;
        let rhs = if self.s.is_integer(rhs.ty.ty) { self.promote(rhs) } else { rhs };
        let (rhs_ty, rhs_width) = (rhs.ty.ty, rhs.width);
        let rhs = rhs.into_expr();
        let (stored, rhs) = if matches!(rhs.kind, ExprKind::Const(_)) {
            (None, rhs)
        } else {
            let temp = self.temporary(rhs_ty, rhs.span);
            let value = self.local_value(temp, rhs_ty, rhs.span);
            (Some((temp, Box::new(rhs))), value)
        };
        let rhs = Typed { width: rhs_width, ..Typed::value(rhs, rhs_ty) };
        let new = self.binary_values(op, old_value, rhs, span)?;
        let new = Box::new(self.assign_convert(new, ty.ty, Context::Assign)?);
        let ir = place.ty;
        let kind = ExprKind::Update {
            place: Box::new(place),
            rhs: stored,
            old,
            new,
            postfix: yields == Yields::Old,
        };
        let mut result = Typed::value(Expr { kind, ty: ir, span }, ty.ty);
        result.width = width;
        Ok(result)
    }

    pub(super) fn conditional(
        &mut self,
        c: &ast::Expr,
        a: Option<&ast::Expr>,
        b: &ast::Expr,
        span: Span,
    ) -> R<Typed> {
        let Some(a) = a else { return self.elvis(c, b, span) };
        let cond = self.condition(c)?;
        let a = self.expr(a)?;
        let a = self.rvalue(a)?;
        let b = self.expr(b)?;
        let b = self.rvalue(b)?;
        let branches = self.unify_branches(a, b, span)?;
        Ok(self.select(cond, branches, span))
    }

    /// Builds `?:`, folded if the condition is constant.
    fn select(&mut self, cond: Expr, branches: Balanced, span: Span) -> Typed {
        let Balanced { a, b, ty, width } = branches;
        let ir = self.s.ir(ty);
        let e = match self.s.folded_truth(&cond) {
            Some(true) => a,
            Some(false) => b,
            None => {
                Expr { kind: ExprKind::Conditional(Box::new(cond), Box::new(a), Box::new(b)), ty: ir, span }
            }
        };
        Typed { width, ..Typed::value(e, ty) }
    }

    /// GNU `a ?: b`.
    fn elvis(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> R<Typed> {
        let a = self.expr(a)?;
        let a = self.scalar(a)?;
        let b = self.expr(b)?;
        let b = self.rvalue(b)?;
        let (from, width, at) = (a.ty.ty, a.width, a.span());
        let value = a.into_expr();
        if matches!(value.kind, ExprKind::Const(_)) {
            let cond = value.clone();
            let branches = self.unify_branches(Typed { width, ..Typed::value(value, from) }, b, span)?;
            return Ok(self.select(cond, branches, span));
        }
        let temp = self.temporary(from, at);
        let cond = self.local_value(temp, from, at);
        let mut again = Typed::value(self.local_value(temp, from, at), from);
        again.width = width;
        let branches = self.unify_branches(again, b, span)?;
        let (ty, width) = (branches.ty, branches.width);
        let body = Box::new(self.select(cond, branches, span).into_expr());
        let ir = body.ty;
        let kind = ExprKind::Let { temp, value: Box::new(value), body };
        Ok(Typed { width, ..Typed::value(Expr { kind, ty: ir, span }, ty) })
    }

    /// Brings the branches of `?:` to one type.
    fn unify_branches(&mut self, a: Typed, b: Typed, span: Span) -> R<Balanced> {
        let of_kind = |a, b, ty| Ok(Balanced { a, b, ty, width: None });
        let (x, y) = (a.ty.ty, b.ty.ty);
        if self.s.is_arithmetic(x) && self.s.is_arithmetic(y) {
            return Ok(self.balance(a, b));
        }
        if x == CTy::VOID || y == CTy::VOID {
            return of_kind(self.without_value(a), self.without_value(b), CTy::VOID);
        }
        if self.s.is_scalar(x) && self.s.is_scalar(y) && !self.s.is_float(x) && !self.s.is_float(y) {
            let ty = self.branch_pointer_type(&a, &b);
            return of_kind(self.cast_expr(a.into_expr(), x, ty), self.cast_expr(b.into_expr(), y, ty), ty);
        }
        if self.s.compatible(x, y) {
            let ir = self.s.ir(x);
            let mut b = b.into_expr();
            b.ty = ir;
            return of_kind(a.into_expr(), b, x);
        }
        if self.s.is_opaque(x) || self.s.is_opaque(y) {
            return unsupported(span, "unsupported-vector", "conversion of a complex number or vector");
        }
        let message =
            format!("branches of types {} and {} do not fit", self.s.describe(x), self.s.describe(y));
        invalid(span, "incompatible-types", message)
    }

    fn branch_pointer_type(&mut self, a: &Typed, b: &Typed) -> CTy {
        let (x, y) = (a.ty.ty, b.ty.ty);
        let (Some(p), Some(q)) = (self.s.pointee(x), self.s.pointee(y)) else {
            return if self.s.is_pointer(x) { x } else { y };
        };
        if self.is_null_constant(a) {
            return y;
        }
        if self.is_null_constant(b) {
            return x;
        }
        let quals = super::types::merge_quals(p.quals, q.quals);
        let to = if p.ty == CTy::VOID || q.ty == CTy::VOID {
            CTy::VOID
        } else if self.s.compatible(p.ty, q.ty) {
            self.s.composite(p.ty, q.ty)
        } else {
            CTy::VOID
        };
        self.s.types.intern(CType::Pointer(QualTy { ty: to, quals }))
    }

    fn without_value(&mut self, t: Typed) -> Expr {
        if t.ty.ty == CTy::VOID {
            return t.into_expr();
        }
        let inner = self.discard(t);
        let (ty, span) = (self.s.ir(CTy::VOID), inner.span);
        Expr { kind: ExprKind::Discard(Box::new(inner)), ty, span }
    }
}
