//! Checked expressions and the implicit conversions between them.

use super::alias::Item;
use super::{Checker, R, invalid, unsupported};
use crate::ast::Quals;
use crate::ctype::{CTy, CType, FloatKind, IntKind, QualTy};
use crate::hir::{Expr, ExprKind, Place};
use heapwise_ir::{BinaryOp, CastKind, Const, Span};
use std::cmp::Ordering;

/// What a checked expression denotes.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// An object or part of one.
    Place(Place),
    /// A value.
    Value(Expr),
    /// A function, by its address.
    Function(Expr),
}

/// A checked expression.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) ty: QualTy,
    pub(super) kind: Kind,
    /// Width, if it is a bit-field.
    pub(super) width: Option<u8>,
    /// Its value, if it names a `constexpr` object.
    pub(super) constant: Option<Box<Const>>,
}

/// Two values after the usual arithmetic conversions.
pub(super) struct Balanced {
    pub(super) a: Expr,
    pub(super) b: Expr,
    /// Their type.
    pub(super) ty: CTy,
    /// Its width, if it is that of a wide bit-field.
    pub(super) width: Option<u8>,
}

impl Typed {
    pub(super) fn value(expr: Expr, ty: CTy) -> Typed {
        Typed { ty: ty.into(), kind: Kind::Value(expr), width: None, constant: None }
    }
    pub(super) fn place(place: Place, ty: QualTy) -> Typed {
        Typed { ty, kind: Kind::Place(place), width: None, constant: None }
    }
    pub(super) fn span(&self) -> Span {
        match &self.kind {
            Kind::Place(p) => p.span,
            Kind::Value(e) | Kind::Function(e) => e.span,
        }
    }
    /// The expression of a value; places and functions must have been converted by `rvalue`, else what comes
    /// back is the load or the address without decay.
    pub(super) fn into_expr(self) -> Expr {
        match self.kind {
            Kind::Value(e) | Kind::Function(e) => e,
            Kind::Place(p) => Expr { ty: p.ty, span: p.span, kind: ExprKind::Load(p) },
        }
    }
    fn folded_zero(&self) -> bool {
        matches!(&self.kind, Kind::Value(Expr { kind: ExprKind::Const(Const::Int { value: 0, .. }), .. }))
    }
}

/// How an assignment's right side is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    Assign,
    Argument,
    Return,
    Init,
}

impl Checker<'_> {
    pub(super) fn int_const(&mut self, value: i128, ty: CTy, span: Span) -> Expr {
        let ir = self.s.ir(ty);
        Expr { kind: ExprKind::Const(Const::Int { value, ty: ir }), ty: ir, span }
    }

    /// Lvalue conversion and decay.
    pub(super) fn rvalue(&mut self, t: Typed) -> R<Typed> {
        match t.kind {
            Kind::Value(_) if t.ty.quals == Quals::default() => Ok(t),
            Kind::Value(e) => Ok(Typed::value(e, t.ty.ty)),
            Kind::Function(mut e) => {
                let ty = self.s.pointer_to(t.ty);
                e.ty = self.s.ir(ty);
                if let ExprKind::Const(Const::Function { func, .. }) = e.kind
                    && self.may_be_absent(Item::Function(func))
                {
                    let name = self.s.program.functions.get(func).map_or(Box::from(""), |f| f.name.clone());
                    e = self.weak_address(Item::Function(func), &name, e);
                }
                Ok(Typed::value(e, ty))
            }
            Kind::Place(place) => {
                let span = place.span;
                match *self.s.types.get(t.ty.ty) {
                    CType::Array(elem, _) => {
                        let ty = self.s.pointer_to(elem);
                        let ir = self.s.ir(ty);
                        Ok(Typed::value(Expr { kind: ExprKind::AddrOf(place), ty: ir, span }, ty))
                    }
                    CType::VaList if self.s.is_lp64() => {
                        let ty = self.s.pointer_to(CTy::VA_LIST);
                        let ir = self.s.ir(ty);
                        Ok(Typed::value(Expr { kind: ExprKind::AddrOf(place), ty: ir, span }, ty))
                    }
                    CType::Record(id) if !self.s.records.get(id).is_some_and(|r| r.complete) => {
                        invalid(span, "incomplete-type", "use of an object of incomplete type")
                    }
                    _ => {
                        let ir = place.ty;
                        let kind = match t.constant {
                            Some(c) => ExprKind::Const(*c),
                            None => ExprKind::Load(place),
                        };
                        let volatile = match &kind {
                            ExprKind::Load(place) => t.ty.quals.is_volatile && !Self::is_automatic(place),
                            _ => false,
                        };
                        let mut value = Expr { kind, ty: ir, span };
                        if volatile && t.width.is_none() && self.s.is_integer(t.ty.ty) {
                            value = self.volatile_read(value);
                        }
                        let mut result = Typed::value(value, t.ty.ty);
                        result.width = t.width;
                        Ok(result)
                    }
                }
            }
        }
    }

    /// The value of an expression, with lvalue conversion; fails for `void`.
    pub(super) fn scalar(&mut self, t: Typed) -> R<Typed> {
        let t = self.rvalue(t)?;
        if self.s.is_scalar(t.ty.ty) {
            return Ok(t);
        }
        if self.s.is_opaque(t.ty.ty) {
            return unsupported(t.span(), "unsupported-vector", "arithmetic on complex numbers or vectors");
        }
        let message =
            format!("a value of type {} is used where a scalar is needed", self.s.describe(t.ty.ty));
        invalid(t.span(), "not-scalar", message)
    }

    /// The type that a value of integer type `ty` promotes to.
    pub(super) fn promoted(&self, ty: CTy, width: Option<u8>) -> CTy {
        let Some(kind) = self.s.int_kind(ty) else { return ty };
        if let Some(width) = width {
            let bits = u32::from(width);
            // A bit-field promotes by its width; a wider one keeps its declared type.
            if kind == IntKind::Bool || bits < 32 || (bits == 32 && kind.signed()) {
                return CTy::INT;
            }
            if bits == 32 {
                return CTy::UINT;
            }
            return CTy::int(kind);
        }
        if kind.rank() < IntKind::Int.rank() { CTy::INT } else { CTy::int(kind) }
    }

    /// Integer promotion of a scalar value. A bit-field that is wider than `int` keeps its width: as gcc has it, its type is an
    /// integer type of so many bits, and so is that of what is computed with it (C23 6.7.3.2 leaves this open).
    pub(super) fn promote(&mut self, t: Typed) -> Typed {
        if !self.s.is_integer(t.ty.ty) {
            return t;
        }
        let to = self.promoted(t.ty.ty, t.width);
        let from = t.ty.ty;
        let width = t.width.filter(|w| u32::from(*w) > 32 && u32::from(*w) < self.bits(to));
        let expr = self.cast_expr(t.into_expr(), from, to);
        Typed { width, ..Typed::value(expr, to) }
    }

    fn bits(&self, ty: CTy) -> u32 {
        self.s.int_kind(ty).map_or(0, |kind| kind.bits(self.s.program.model).into())
    }

    /// A value of a type that has fewer bits than those of its kind: the others are copies of the sign, or zeros.
    pub(super) fn narrowed(&mut self, e: Expr, ty: CTy, width: Option<u8>) -> Expr {
        let (Some(width), Some(kind)) = (width, self.s.int_kind(ty)) else { return e };
        let unused = self.bits(ty).saturating_sub(u32::from(width));
        let (span, ir, int) = (e.span, self.s.ir(ty), self.s.ir(CTy::INT));
        let constant = |value: i128, ty| Expr { kind: ExprKind::Const(Const::Int { value, ty }), ty, span };
        if !kind.signed() {
            return self.s.make_binary(BinaryOp::And, e, constant((1i128 << width) - 1, ir));
        }
        // Shifted as an unsigned number, of which none overflows.
        let unsigned = CTy::int(kind.to_unsigned());
        let e = self.cast_expr(e, ty, unsigned);
        let e = self.s.make_binary(BinaryOp::Shl, e, constant(unused.into(), int));
        let e = self.cast_expr(e, unsigned, ty);
        self.s.make_binary(BinaryOp::Shr, e, constant(unused.into(), int))
    }

    /// Default argument promotion.
    pub(super) fn promote_argument(&mut self, t: Typed) -> Typed {
        if t.ty.ty == CTy::float(FloatKind::Float) {
            let expr = self.cast_expr(t.into_expr(), CTy::float(FloatKind::Float), CTy::DOUBLE);
            return Typed::value(expr, CTy::DOUBLE);
        }
        self.promote(t)
    }

    /// The common type of the usual arithmetic conversions.
    pub(super) fn common_type(&self, a: CTy, b: CTy) -> CTy {
        let float = |ty| match self.s.types.get(ty) {
            CType::Float(kind) => Some(*kind),
            _ => None,
        };
        match (float(a), float(b)) {
            (Some(x), Some(y)) => return CTy::float(x.max(y)),
            (Some(x), None) | (None, Some(x)) => return CTy::float(x),
            (None, None) => {}
        }
        let (Some(x), Some(y)) = (self.s.int_kind(a), self.s.int_kind(b)) else { return a };
        if x == y {
            return CTy::int(x);
        }
        if x.signed() == y.signed() {
            return CTy::int(if x.rank() >= y.rank() { x } else { y });
        }
        let (signed, unsigned) = if x.signed() { (x, y) } else { (y, x) };
        if unsigned.rank() >= signed.rank() {
            return CTy::int(unsigned);
        }
        let model = self.s.program.model;
        if signed.bits(model) > unsigned.bits(model) {
            CTy::int(signed)
        } else {
            CTy::int(signed.to_unsigned())
        }
    }

    /// The common type of two promoted values, and its width if that is not the width of its kind: the type of more bits wins.
    fn common_bits(&self, a: &Typed, b: &Typed) -> (CTy, Option<u8>) {
        let (x, y) = (a.ty.ty, b.ty.ty);
        let (Some(first), Some(second)) = (self.s.int_kind(x), self.s.int_kind(y)) else {
            return (self.common_type(x, y), None);
        };
        if a.width.is_none() && b.width.is_none() {
            return (self.common_type(x, y), None);
        }
        let bits = |t: &Typed| t.width.map_or(self.bits(t.ty.ty), u32::from);
        let second_wins = match bits(a).cmp(&bits(b)) {
            Ordering::Less => true,
            Ordering::Equal => first.signed() && !second.signed(),
            Ordering::Greater => false,
        };
        if second_wins { (y, b.width) } else { (x, a.width) }
    }

    /// Usual arithmetic conversions of two arithmetic values.
    pub(super) fn balance(&mut self, a: Typed, b: Typed) -> Balanced {
        let a = self.promote(a);
        let b = self.promote(b);
        let (ty, width) = self.common_bits(&a, &b);
        let mut one = |t: Typed| {
            let (from, has) = (t.ty.ty, t.width);
            let e = self.cast_expr(t.into_expr(), from, ty);
            if (from, has) == (ty, width) { e } else { self.narrowed(e, ty, width) }
        };
        let (a, b) = (one(a), one(b));
        Balanced { a, b, ty, width }
    }

    /// Converts a scalar value between scalar types (or an equal type); the caller has checked that it is
    /// allowed.
    pub(super) fn cast_expr(&mut self, expr: Expr, from: CTy, to: CTy) -> Expr {
        if from == to {
            return expr;
        }
        let ty = self.s.ir(to);
        let s = &self.s;
        let kind = if to == CTy::BOOL {
            if s.int_kind(from) == Some(IntKind::Bool) {
                return expr;
            }
            CastKind::ToBool
        } else if s.is_integer(from) {
            if s.is_integer(to) {
                if expr.ty == ty {
                    return expr;
                }
                CastKind::IntToInt
            } else if s.is_float(to) {
                CastKind::IntToFloat
            } else {
                CastKind::IntToPtr
            }
        } else if s.is_float(from) {
            if s.is_float(to) { CastKind::FloatToFloat } else { CastKind::FloatToInt }
        } else if s.is_pointer(from) {
            if s.is_pointer(to) {
                if expr.ty == ty {
                    return expr;
                }
                CastKind::PtrToPtr
            } else {
                CastKind::PtrToInt
            }
        } else {
            if expr.ty == ty {
                return expr;
            }
            CastKind::Reinterpret
        };
        self.s.make_cast(kind, expr, ty)
    }

    /// Whether a value is a null pointer constant.
    pub(super) fn is_null_constant(&self, t: &Typed) -> bool {
        if self.s.is_integer(t.ty.ty) {
            return t.folded_zero();
        }
        t.ty.ty == CTy::NULLPTR
            || (t.ty.ty == CTy::VOID_PTR
                && matches!(&t.kind, Kind::Value(Expr { kind: ExprKind::Const(Const::Null(_)), .. })))
    }

    /// Conversion as by assignment to an object of type `to`. What gcc merely warns about is converted, with a
    /// note where pointers differ.
    pub(super) fn assign_convert(&mut self, t: Typed, to: CTy, context: Context) -> R<Expr> {
        let t = self.rvalue(t)?;
        let from = t.ty.ty;
        let span = t.span();
        if from == to {
            return Ok(t.into_expr());
        }
        if self.s.is_scalar(from) && self.s.is_scalar(to) {
            let float_and_pointer = (self.s.is_float(from) && self.s.is_pointer(to))
                || (self.s.is_pointer(from) && self.s.is_float(to));
            if float_and_pointer {
                return self.bad_conversion(from, to, span);
            }
            if let (Some(p), Some(q)) = (self.s.pointee(from), self.s.pointee(to)) {
                let harmless = p.ty == q.ty
                    || p.ty == CTy::VOID
                    || q.ty == CTy::VOID
                    || self.is_null_constant(&t)
                    || self.same_but_for_sign(p.ty, q.ty)
                    || self.s.compatible(p.ty, q.ty);
                if !harmless {
                    let message =
                        format!("{} is converted to {}", self.s.describe(from), self.s.describe(to));
                    self.s.note(span, "incompatible-pointers", message);
                }
            }
            return Ok(self.cast_expr(t.into_expr(), from, to));
        }
        if let Some(record) = self.s.record_of(to) {
            if self.s.compatible(from, to) {
                let mut expr = t.into_expr();
                expr.ty = self.s.ir(to);
                return Ok(expr);
            }
            if context == Context::Argument && self.s.records.get(record).is_some_and(|r| r.transparent) {
                return self.transparent_argument(t, to, record);
            }
        }
        if self.s.is_opaque(to) || self.s.is_opaque(from) {
            if self.s.compatible(from, to) {
                return Ok(t.into_expr());
            }
            if let CType::Complex(kind) = *self.s.types.get(to)
                && self.s.is_arithmetic(from)
            {
                return self.complex_from_constant(t, kind, to);
            }
            let vectors = self.s.is_opaque(to) && self.s.is_opaque(from);
            if vectors && self.s.size_of(from) == self.s.size_of(to) {
                return Ok(self.cast_expr(t.into_expr(), from, to));
            }
            return unsupported(span, "unsupported-vector", "conversion of a complex number or vector");
        }
        if from == CTy::VA_LIST && to == CTy::VA_LIST {
            return Ok(t.into_expr());
        }
        self.bad_conversion(from, to, span)
    }

    fn bad_conversion<T>(&self, from: CTy, to: CTy, span: Span) -> R<T> {
        let message =
            format!("a value of type {} cannot become {}", self.s.describe(from), self.s.describe(to));
        invalid(span, "incompatible-types", message)
    }

    /// `char` against `unsigned char`, `int` against `unsigned` and the like behind a pointer.
    fn same_but_for_sign(&self, a: CTy, b: CTy) -> bool {
        match (self.s.int_kind(a), self.s.int_kind(b)) {
            (Some(a), Some(b)) => a.bits(self.s.program.model) == b.bits(self.s.program.model),
            _ => false,
        }
    }

    /// A condition: any scalar; the IR tests against zero itself.
    pub(super) fn condition(&mut self, expr: &crate::ast::Expr) -> R<Expr> {
        let t = self.expr(expr)?;
        Ok(self.scalar(t)?.into_expr())
    }

    /// An explicit cast of a value to a type that is not `void`.
    pub(super) fn explicit_cast(&mut self, t: Typed, to: QualTy, span: Span) -> R<Typed> {
        let t = self.rvalue(t)?;
        let from = t.ty.ty;
        if let Some(record) = self.s.record_of(to.ty) {
            if self.s.compatible(from, to.ty) {
                return Ok(t);
            }
            return self.cast_to_union(t, to.ty, record, span);
        }
        if from == to.ty {
            // Even a cast that changes nothing yields a value of the unpromoted type, not a bit-field.
            return Ok(Typed::value(t.into_expr(), to.ty));
        }
        let scalars = self.s.is_scalar(from) && self.s.is_scalar(to.ty);
        let mixed = (self.s.is_float(from) && self.s.is_pointer(to.ty))
            || (self.s.is_pointer(from) && self.s.is_float(to.ty));
        if scalars && !mixed {
            let mut expr = self.cast_expr(t.into_expr(), from, to.ty);
            expr.span = span;
            return Ok(Typed::value(expr, to.ty));
        }
        if self.s.is_opaque(from) || self.s.is_opaque(to.ty) {
            if self.s.is_opaque(from)
                && self.s.is_opaque(to.ty)
                && self.s.size_of(from) == self.s.size_of(to.ty)
            {
                let expr = self.cast_expr(t.into_expr(), from, to.ty);
                return Ok(Typed::value(expr, to.ty));
            }
            if let CType::Complex(kind) = *self.s.types.get(to.ty)
                && self.s.is_arithmetic(from)
            {
                return Ok(Typed::value(self.complex_from_constant(t, kind, to.ty)?, to.ty));
            }
            return unsupported(span, "unsupported-vector", "conversion of a complex number or vector");
        }
        self.bad_conversion(from, to.ty, span)
    }
}
