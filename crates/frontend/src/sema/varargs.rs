//! Variadic arguments: `va_start`, `va_copy` and `va_arg` as stores and loads of the pointer that a `va_list` holds
//! ([`heapwise_ir::varargs`]).

use super::convert::{Kind, Typed};
use super::{Checker, R, invalid};
use crate::ast::Expr as AstExpr;
use crate::ctype::{CTy, QualTy};
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use heapwise_ir::{Intrinsic, Local, LocalId, Span, Type, varargs};

impl Checker<'_> {
    /// The hidden local of a variadic function for the arguments without a name.
    pub(super) fn varargs_local(&mut self, span: Span) -> LocalId {
        let ty = self.s.program.types.intern(Type::Opaque { size: 0, align: varargs::TAG_SIZE });
        self.fun.locals.push(Local {
            name: None,
            ty,
            align: None,
            address_taken: true,
            constant: false,
            span,
        })
    }

    /// The pointer inside of the `va_list` to which a pointer leads.
    fn va_position(&mut self, list: Expr, span: Span) -> Place {
        let list_pointer = self.s.pointer_to(CTy::VA_LIST);
        let to_position = self.s.pointer_to(CTy::VOID_PTR);
        let pointer = self.cast_expr(list, list_pointer, to_position);
        Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: self.s.ir(CTy::VOID_PTR), span }
    }

    /// `va_start`: the list begins at the first of the arguments.
    pub(super) fn va_start(&mut self, args: &[AstExpr], span: Span) -> R<Typed> {
        let list = self.va_list_pointer(self.builtin_arg(args, 0, span)?)?;
        let Some(local) = self.fun.varargs else {
            return invalid(span, "bad-va-start", "va_start in a function without variadic arguments");
        };
        let ty = self.fun.locals.get(local).map_or_else(|| self.s.ir(CTy::VOID), |l| l.ty);
        let place = Place { kind: PlaceKind::Local(local), ty, span };
        let pointer = self.s.program.types.pointer(ty);
        let first = Expr { kind: ExprKind::AddrOf(place), ty: pointer, span };
        let kind = ExprKind::Cast(heapwise_ir::CastKind::PtrToPtr, Box::new(first));
        let first = Expr { kind, ty: self.s.ir(CTy::VOID_PTR), span };
        let position = self.va_position(list, span);
        Ok(self.store(position, first, span))
    }

    /// `va_copy`: the copy goes on where the original is.
    pub(super) fn va_copy(&mut self, args: &[AstExpr], span: Span) -> R<Typed> {
        let to = self.va_list_pointer(self.builtin_arg(args, 0, span)?)?;
        let from = self.va_list_pointer(self.builtin_arg(args, 1, span)?)?;
        let from = self.va_position(from, span);
        let value = self.load(from, span);
        let to = self.va_position(to, span);
        Ok(self.store(to, value, span))
    }

    /// `va_arg`: the argument is checked, the list advances, and the argument is loaded.
    pub(super) fn va_arg(&mut self, list: &AstExpr, ty: QualTy, span: Span) -> R<Typed> {
        let list = self.va_list_pointer(list)?;
        let list_ty = self.s.pointer_to(CTy::VA_LIST);
        let (at, found) = (self.temporary(list_ty, span), self.temporary(CTy::VOID_PTR, span));
        let ir = self.s.ir(ty.ty);
        let here = self.local_value(at, list_ty, span);
        let position = self.va_position(here, span);
        let tag = self.load(position, span);
        let kind = ExprKind::Intrinsic { op: Intrinsic::VaArg(ir), args: vec![tag] };
        let argument = Expr { kind, ty: self.s.ir(CTy::VOID_PTR), span };
        let size = varargs::padded_size(&self.s.program.types, ir);
        let ptr = Box::new(self.local_value(found, CTy::VOID_PTR, span));
        let bytes = Box::new(self.int_const(i128::from(size), self.s.ptrdiff_t(), span));
        let kind = ExprKind::PtrAddBytes { ptr, bytes };
        let next = Expr { kind, ty: self.s.ir(CTy::VOID_PTR), span };
        let here = self.local_value(at, list_ty, span);
        let position = self.va_position(here, span);
        let advance = self.assign(position, next, span);
        let pointer = self.s.pointer_to(ty.ty);
        let value = self.local_value(found, CTy::VOID_PTR, span);
        let value = self.cast_expr(value, CTy::VOID_PTR, pointer);
        let place = Place { kind: PlaceKind::Deref(Box::new(value)), ty: ir, span };
        let value = self.load(place, span);
        let body = self.in_order(advance, value, span);
        let body = self.binding(found, argument, body, span);
        Ok(Typed::value(self.binding(at, list, body, span), ty.ty))
    }

    /// A pointer to a `va_list`, from an expression that names one or is one that decayed.
    pub(super) fn va_list_pointer(&mut self, arg: &AstExpr) -> R<Expr> {
        let t = self.expr(arg)?;
        let pointer = self.s.pointer_to(CTy::VA_LIST);
        if t.ty.ty == CTy::VA_LIST {
            return match t.kind {
                Kind::Place(Place { kind: PlaceKind::Deref(p), .. }) => Ok(*p),
                Kind::Place(place) => {
                    let ty = self.s.ir(pointer);
                    let span = place.span;
                    Ok(Expr { kind: ExprKind::AddrOf(place), ty, span })
                }
                Kind::Value(e) | Kind::Function(e) => {
                    let (ty, span, inner) = (self.s.ir(pointer), e.span, e.ty);
                    let place = Place { kind: PlaceKind::Temporary(Box::new(e)), ty: inner, span };
                    Ok(Expr { kind: ExprKind::AddrOf(place), ty, span })
                }
            };
        }
        let t = self.rvalue(t)?;
        if t.ty.ty == pointer {
            return Ok(t.into_expr());
        }
        invalid(arg.span, "not-a-va-list", "expected a va_list")
    }
}
