//! Variable-length arrays: lengths evaluated once into hidden locals, sizes computed from them.
//!
//! A length is evaluated where its declarator stands. In declarations the evaluations that are pending become
//! statements before the declaration; inside expressions they are put in front by commas.

use super::convert::Typed;
use super::{Checker, R, invalid};
use crate::ctype::{ArraySize, CTy, CType};
use crate::hir::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use heapwise_ir::{BinaryOp, Local, LocalId, Span};

impl Checker<'_> {
    /// A new hidden local.
    pub(super) fn temporary(&mut self, ty: CTy, span: Span) -> LocalId {
        let ty = self.s.ir(ty);
        self.fun.locals.push(Local {
            name: None,
            ty,
            align: None,
            address_taken: false,
            constant: false,
            span,
        })
    }

    pub(super) fn local_place(&mut self, local: LocalId, ty: CTy, span: Span) -> Place {
        Place { kind: PlaceKind::Local(local), ty: self.s.ir(ty), span }
    }

    /// The value of a local.
    pub(super) fn local_value(&mut self, local: LocalId, ty: CTy, span: Span) -> Expr {
        let place = self.local_place(local, ty, span);
        Expr { ty: place.ty, kind: ExprKind::Load(place), span }
    }

    /// A length that is not constant: schedules its evaluation.
    pub(super) fn new_vla(&mut self, length: Expr) -> R<ArraySize> {
        let span = length.span;
        let size_t = self.s.size_t();
        let local = self.temporary(size_t, span);
        if let Some(block) = self.fun.literals.last_mut() {
            block.push(local);
        }
        // The length is an integer, whose C type is not at hand; its IR type tells the conversion.
        let ty = self.s.ir(size_t);
        let length = if length.ty == ty {
            length
        } else {
            self.s.make_cast(heapwise_ir::CastKind::IntToInt, length, ty)
        };
        let place = Box::new(self.local_place(local, size_t, span));
        let kind = ExprKind::Assign { place, value: Box::new(length) };
        self.fun.pending.push(Expr { kind, ty, span });
        Ok(ArraySize::Vla(self.s.vlas.push(local)))
    }

    /// Pending evaluations from `mark` on, as statements.
    pub(super) fn pending_stmts(&mut self, mark: usize, out: &mut Vec<Stmt>) {
        let mark = mark.min(self.fun.pending.len());
        for expr in self.fun.pending.drain(mark..) {
            out.push(Stmt { span: expr.span, kind: StmtKind::Expr(expr) });
        }
    }

    /// Puts pending evaluations from `mark` on in front of a value.
    pub(super) fn after_pending(&mut self, mark: usize, t: Typed) -> Typed {
        if self.fun.pending.len() <= mark {
            return t;
        }
        let ty = t.ty.ty;
        let mut expr = t.into_expr();
        let pending: Vec<Expr> = self.fun.pending.drain(mark..).collect();
        for first in pending.into_iter().rev() {
            let (ty, span) = (expr.ty, expr.span);
            expr = Expr { kind: ExprKind::Comma(Box::new(first), Box::new(expr)), ty, span };
        }
        Typed::value(expr, ty)
    }

    /// The size of a type as a `size_t` value, computed at run time if need be.
    pub(super) fn size_expr(&mut self, ty: CTy, span: Span) -> R<Expr> {
        let size_t = self.s.size_t();
        if let Some(size) = self.s.size_of(ty) {
            return Ok(self.int_const(i128::from(size), size_t, span));
        }
        if let CType::Array(elem, size) = *self.s.types.get(ty) {
            let length = match size {
                ArraySize::Vla(id) => {
                    let local = self.s.vlas.get(id).copied().unwrap_or(LocalId(0));
                    Some(self.local_value(local, size_t, span))
                }
                ArraySize::Const(n) => Some(self.int_const(i128::from(n), size_t, span)),
                ArraySize::Incomplete | ArraySize::Star => None,
            };
            if let Some(length) = length {
                let elem = self.size_expr(elem.ty, span)?;
                return Ok(self.s.make_binary(BinaryOp::Mul, length, elem));
            }
        }
        invalid(span, "incomplete-type", format!("size of {} is not known", self.s.describe(ty)))
    }
}
