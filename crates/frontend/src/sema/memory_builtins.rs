//! The `__sync_*` and `__atomic_*` families, as plain operations on memory: the program is analysed as a single
//! thread.

use super::convert::{Context, Typed};
use super::operators::{Target, Yields};
use super::{Checker, R, invalid, unsupported};
use crate::ast::{BinaryOp as Op, Expr as AstExpr};
use crate::ctype::{CTy, IntKind, QualTy};
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use heapwise_ir::{CompareOp, Span, UnaryOp};

/// A read-modify-write operation by name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rmw {
    Op(Op),
    Nand,
    Exchange,
}

fn rmw(name: &str) -> Option<Rmw> {
    Some(match name {
        "add" => Rmw::Op(Op::Add),
        "sub" => Rmw::Op(Op::Sub),
        "or" => Rmw::Op(Op::Or),
        "and" => Rmw::Op(Op::And),
        "xor" => Rmw::Op(Op::Xor),
        "nand" => Rmw::Nand,
        _ => return None,
    })
}

impl Checker<'_> {
    pub(super) fn sync_builtin(&mut self, name: &str, args: &[AstExpr], span: Span) -> R<Typed> {
        // The compiler also knows names with the size of the operand at the end.
        let name = name.trim_end_matches("_1").trim_end_matches("_2").trim_end_matches("_4");
        let name = name.trim_end_matches("_8").trim_end_matches("_16");
        if let Some(op) = name.strip_prefix("fetch_and_").and_then(rmw) {
            return self.read_modify_write(op, true, args, span);
        }
        if let Some(op) = name.strip_suffix("_and_fetch").and_then(rmw) {
            return self.read_modify_write(op, false, args, span);
        }
        match name {
            "lock_test_and_set" => self.read_modify_write(Rmw::Exchange, true, args, span),
            "lock_release" => {
                let (place, ty) = self.target(args, 0, span)?;
                let zero = self.int_const(0, CTy::INT, span);
                let zero = self.cast_expr(zero, CTy::INT, ty);
                Ok(self.store(place, zero, span))
            }
            "synchronize" => Ok(self.nothing(span)),
            "bool_compare_and_swap" | "val_compare_and_swap" => {
                self.sync_compare(name.starts_with("bool"), args, span)
            }
            _ => unsupported(span, "unsupported-builtin", format!("'__sync_{name}' is not supported")),
        }
    }

    pub(super) fn atomic_builtin(&mut self, name: &str, args: &[AstExpr], span: Span) -> R<Typed> {
        if let Some(op) = name.strip_prefix("fetch_").and_then(rmw) {
            return self.read_modify_write(op, true, args, span);
        }
        if let Some(op) = name.strip_suffix("_fetch").and_then(rmw) {
            return self.read_modify_write(op, false, args, span);
        }
        match name {
            "load_n" => {
                let (place, ty) = self.target(args, 0, span)?;
                Ok(Typed::value(self.load(place, span), ty))
            }
            "load" => {
                let (from, _) = self.target(args, 0, span)?;
                let (to, _) = self.target(args, 1, span)?;
                let value = self.load(from, span);
                Ok(self.store(to, value, span))
            }
            "store_n" => {
                let (place, ty) = self.target(args, 0, span)?;
                let arg = self.builtin_arg(args, 1, span)?;
                let value = self.expr(arg)?;
                let value = self.assign_convert(value, ty, Context::Argument)?;
                Ok(self.store(place, value, span))
            }
            "store" => {
                let (to, _) = self.target(args, 0, span)?;
                let (from, _) = self.target(args, 1, span)?;
                let value = self.load(from, span);
                Ok(self.store(to, value, span))
            }
            "exchange_n" => self.read_modify_write(Rmw::Exchange, true, args, span),
            "exchange" => self.atomic_exchange(args, span),
            "compare_exchange_n" => self.atomic_compare(false, args, span),
            "compare_exchange" => self.atomic_compare(true, args, span),
            "test_and_set" => {
                let place = self.byte_target(args, span)?;
                let ty = CTy::int(IntKind::UChar);
                let old = self.temporary(ty, span);
                let new = Box::new(self.int_const(1, ty, span));
                let ir = place.ty;
                let kind = ExprKind::Update { place: Box::new(place), rhs: None, old, new, postfix: true };
                let value = Expr { kind, ty: ir, span };
                Ok(Typed::value(self.cast_expr(value, ty, CTy::BOOL), CTy::BOOL))
            }
            "clear" => {
                let place = self.byte_target(args, span)?;
                let zero = self.int_const(0, CTy::int(IntKind::UChar), span);
                Ok(self.store(place, zero, span))
            }
            "thread_fence" | "signal_fence" => Ok(self.nothing(span)),
            "always_lock_free" | "is_lock_free" => {
                Ok(Typed::value(self.int_const(1, CTy::BOOL, span), CTy::BOOL))
            }
            _ => unsupported(span, "unsupported-builtin", format!("'__atomic_{name}' is not supported")),
        }
    }

    /// The object that the pointer argument at `i` points to.
    fn target(&mut self, args: &[AstExpr], i: usize, span: Span) -> R<(Place, CTy)> {
        let pointer = self.scalar_arg(args, i, span)?;
        match self.s.pointee(pointer.ty.ty) {
            Some(to) if self.s.size_of(to.ty).is_some() && to.ty != CTy::VOID => {
                let ty = self.s.ir(to.ty);
                let kind = PlaceKind::Deref(Box::new(pointer.into_expr()));
                Ok((Place { kind, ty, span }, to.ty))
            }
            _ => invalid(span, "not-a-pointer", "expected a pointer to an object"),
        }
    }

    /// The byte that a flag pointer points to.
    fn byte_target(&mut self, args: &[AstExpr], span: Span) -> R<Place> {
        let pointer = self.scalar_arg(args, 0, span)?;
        let from = pointer.ty.ty;
        let byte = CTy::int(IntKind::UChar);
        let to = self.s.pointer_to(byte);
        let pointer = Box::new(self.cast_expr(pointer.into_expr(), from, to));
        Ok(Place { kind: PlaceKind::Deref(pointer), ty: self.s.ir(byte), span })
    }

    pub(super) fn load(&mut self, place: Place, span: Span) -> Expr {
        Expr { ty: place.ty, kind: ExprKind::Load(place), span }
    }

    /// An assignment without a value.
    pub(super) fn store(&mut self, place: Place, value: Expr, span: Span) -> Typed {
        let inner = self.assign(place, value, span);
        let ty = self.s.ir(CTy::VOID);
        Typed::value(Expr { kind: ExprKind::Discard(Box::new(inner)), ty, span }, CTy::VOID)
    }

    pub(super) fn assign(&mut self, place: Place, value: Expr, span: Span) -> Expr {
        let ty = place.ty;
        Expr { kind: ExprKind::Assign { place: Box::new(place), value: Box::new(value) }, ty, span }
    }

    /// `old = *p; *p = f(old, v)`, with the old or the new value as result.
    fn read_modify_write(&mut self, op: Rmw, old_value: bool, args: &[AstExpr], span: Span) -> R<Typed> {
        let (place, ty) = self.target(args, 0, span)?;
        let arg = self.builtin_arg(args, 1, span)?;
        let operand = self.expr(arg)?;
        let operand = self.scalar(operand)?;
        if let Rmw::Op(op) = op
            && self.s.is_integer(ty)
        {
            let target = Target { place, ty: QualTy::from(ty), width: None };
            let yields = if old_value { Yields::Old } else { Yields::New };
            return self.update(op, target, operand, yields, span);
        }
        if !self.s.is_scalar(ty) {
            return invalid(span, "bad-operand", "atomic operation on something that is not a scalar");
        }
        let old = self.temporary(ty, span);
        let (operand_ty, is_pointer) = (operand.ty.ty, self.s.is_pointer(ty));
        let stored_ty = match op {
            Rmw::Op(_) if is_pointer => self.s.ptrdiff_t(),
            _ => ty,
        };
        let rhs = self.cast_expr(operand.into_expr(), operand_ty, stored_ty);
        let temp = self.temporary(stored_ty, span);
        let right = self.local_value(temp, stored_ty, span);
        let left = self.local_value(old, ty, span);
        let new = match op {
            Rmw::Exchange => right,
            Rmw::Nand => {
                let both =
                    self.binary_values(Op::And, Typed::value(left, ty), Typed::value(right, ty), span)?;
                let from = both.ty.ty;
                let inverted = self.s.make_unary(UnaryOp::BitNot, both.into_expr());
                self.cast_expr(inverted, from, ty)
            }
            // On pointers these count bytes.
            Rmw::Op(op @ (Op::Add | Op::Sub)) if is_pointer => {
                let stride = if op == Op::Add { 1 } else { -1 };
                let ir = left.ty;
                let kind = ExprKind::PtrAdd { ptr: Box::new(left), index: Box::new(right), stride };
                Expr { kind, ty: ir, span }
            }
            Rmw::Op(_) => return invalid(span, "bad-operand", "atomic arithmetic on this type"),
        };
        let ir = place.ty;
        let kind = ExprKind::Update {
            place: Box::new(place),
            rhs: Some((temp, Box::new(rhs))),
            old,
            new: Box::new(new),
            postfix: old_value,
        };
        Ok(Typed::value(Expr { kind, ty: ir, span }, ty))
    }

    fn atomic_exchange(&mut self, args: &[AstExpr], span: Span) -> R<Typed> {
        let (place, ty) = self.target(args, 0, span)?;
        let (from, _) = self.target(args, 1, span)?;
        let (to, _) = self.target(args, 2, span)?;
        let value = self.load(from, span);
        let (old, temp) = (self.temporary(ty, span), self.temporary(ty, span));
        let new = Box::new(self.local_value(temp, ty, span));
        let ir = place.ty;
        let rhs = Some((temp, Box::new(value)));
        let kind = ExprKind::Update { place: Box::new(place), rhs, old, new, postfix: true };
        let before = Expr { kind, ty: ir, span };
        Ok(self.store(to, before, span))
    }

    pub(super) fn binding(
        &mut self,
        temp: heapwise_ir::LocalId,
        value: Expr,
        body: Expr,
        span: Span,
    ) -> Expr {
        let ty = body.ty;
        Expr { kind: ExprKind::Let { temp, value: Box::new(value), body: Box::new(body) }, ty, span }
    }

    pub(super) fn in_order(&mut self, first: Expr, second: Expr, span: Span) -> Expr {
        let ty = second.ty;
        Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }
    }

    /// `__sync_bool_compare_and_swap(p, expected, desired)` and the variant with the old value.
    fn sync_compare(&mut self, boolean: bool, args: &[AstExpr], span: Span) -> R<Typed> {
        let pointer = self.scalar_arg(args, 0, span)?;
        let pointer_ty = pointer.ty.ty;
        let Some(to) = self.s.pointee(pointer_ty) else {
            return invalid(span, "not-a-pointer", "expected a pointer");
        };
        let ty = to.ty;
        if !self.s.is_scalar(ty) {
            return invalid(span, "bad-operand", "atomic operation on something that is not a scalar");
        }
        let expected = self.builtin_arg(args, 1, span)?;
        let expected = self.expr(expected)?;
        let expected = self.assign_convert(expected, ty, Context::Argument)?;
        let desired = self.builtin_arg(args, 2, span)?;
        let desired = self.expr(desired)?;
        let desired = self.assign_convert(desired, ty, Context::Argument)?;
        let (tp, te) = (self.temporary(pointer_ty, span), self.temporary(ty, span));
        let (td, tc) = (self.temporary(ty, span), self.temporary(ty, span));
        let current = self.local_value(tc, ty, span);
        let wanted = self.local_value(te, ty, span);
        let equal = self.s.make_compare(CompareOp::Eq, current, wanted);
        let new = self.local_value(td, ty, span);
        let place = self.through(tp, pointer_ty, ty, span);
        let swap = self.assign(place, new, span);
        let (ret, yes, no) = if boolean {
            (CTy::BOOL, self.int_const(1, CTy::BOOL, span), self.int_const(0, CTy::BOOL, span))
        } else {
            (ty, self.local_value(tc, ty, span), self.local_value(tc, ty, span))
        };
        let swapped = self.in_order(swap, yes, span);
        let ir = self.s.ir(ret);
        let kind = ExprKind::Conditional(Box::new(equal), Box::new(swapped), Box::new(no));
        let body = Expr { kind, ty: ir, span };
        let place = self.through(tp, pointer_ty, ty, span);
        let read = self.load(place, span);
        let body = self.binding(tc, read, body, span);
        let body = self.binding(td, desired, body, span);
        let body = self.binding(te, expected, body, span);
        let body = self.binding(tp, pointer.into_expr(), body, span);
        Ok(Typed::value(body, ret))
    }

    /// What the pointer in a temporary points to.
    fn through(&mut self, temp: heapwise_ir::LocalId, pointer: CTy, to: CTy, span: Span) -> Place {
        let value = Box::new(self.local_value(temp, pointer, span));
        Place { kind: PlaceKind::Deref(value), ty: self.s.ir(to), span }
    }

    /// `__atomic_compare_exchange(p, expected, desired, …)`: `expected` is a pointer, `desired` too if
    /// `by_pointer`.
    fn atomic_compare(&mut self, by_pointer: bool, args: &[AstExpr], span: Span) -> R<Typed> {
        let pointer = self.scalar_arg(args, 0, span)?;
        let pointer_ty = pointer.ty.ty;
        let Some(to) = self.s.pointee(pointer_ty) else {
            return invalid(span, "not-a-pointer", "expected a pointer");
        };
        let ty = to.ty;
        if !self.s.is_scalar(ty) {
            return unsupported(span, "unsupported-builtin", "atomic comparison of an aggregate");
        }
        let plain_pointer = self.s.pointer_to(ty);
        let expected = self.scalar_arg(args, 1, span)?;
        let expected_ty = expected.ty.ty;
        let expected = self.cast_expr(expected.into_expr(), expected_ty, plain_pointer);
        let desired = if by_pointer {
            let (place, _) = self.target(args, 2, span)?;
            self.load(place, span)
        } else {
            let desired = self.builtin_arg(args, 2, span)?;
            let desired = self.expr(desired)?;
            self.assign_convert(desired, ty, Context::Argument)?
        };
        let (tp, te) = (self.temporary(pointer_ty, span), self.temporary(plain_pointer, span));
        let (td, tc) = (self.temporary(ty, span), self.temporary(ty, span));
        let current = self.local_value(tc, ty, span);
        let wanted = self.through(te, plain_pointer, ty, span);
        let wanted = self.load(wanted, span);
        let equal = self.s.make_compare(CompareOp::Eq, current, wanted);
        let place = self.through(tp, pointer_ty, ty, span);
        let new = self.local_value(td, ty, span);
        let swap = self.assign(place, new, span);
        let yes = self.int_const(1, CTy::BOOL, span);
        let swapped = self.in_order(swap, yes, span);
        let place = self.through(te, plain_pointer, ty, span);
        let seen = self.local_value(tc, ty, span);
        let tell = self.assign(place, seen, span);
        let no = self.int_const(0, CTy::BOOL, span);
        let failed = self.in_order(tell, no, span);
        let ir = self.s.ir(CTy::BOOL);
        let kind = ExprKind::Conditional(Box::new(equal), Box::new(swapped), Box::new(failed));
        let body = Expr { kind, ty: ir, span };
        let place = self.through(tp, pointer_ty, ty, span);
        let read = self.load(place, span);
        let body = self.binding(tc, read, body, span);
        let body = self.binding(td, desired, body, span);
        let body = self.binding(te, expected, body, span);
        let body = self.binding(tp, pointer.into_expr(), body, span);
        Ok(Typed::value(body, CTy::BOOL))
    }
}
