//! Constants: folding while the typed tree is built, and evaluation where C demands a constant.
//!
//! Folding never hides undefined behaviour: a signed overflow or a division by zero stays in the tree, to be
//! found at run time. Evaluation (for array sizes, case labels, enumerators and static initialisers) wraps
//! signed overflow as gcc does, and also knows addresses.

use super::{Checker, R, Sema, invalid};
use crate::ast;
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use heapwise_ir::{
    BinaryOp, CastKind, CompareOp, Const, FloatTy, FuncId, GlobalId, GlobalInit, InitValue, IntTy, Intrinsic,
    Type, UnaryOp,
};

/// A value known before the program runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Known {
    Int(i128),
    Float(f64),
    /// An address in a global.
    Global(GlobalId, i64),
    Function(FuncId),
    /// An address that is not in any object, such as null.
    Absolute(i128),
}

/// The result of an operation on two integers of type `ty`; `None` if it is undefined (overflow only if
/// `strict`).
pub(super) fn fold_binary(op: BinaryOp, ty: IntTy, a: i128, b: i128, strict: bool) -> Option<i128> {
    let wide = ty.bits >= 128;
    let in_range = |exact: Option<i128>, wrapped: i128| {
        if !ty.signed {
            return Some(ty.wrap(wrapped));
        }
        match exact {
            Some(v) if ty.wrap(v) == v => Some(v),
            _ if strict => None,
            _ => Some(ty.wrap(wrapped)),
        }
    };
    match op {
        BinaryOp::Add => in_range(a.checked_add(b), a.wrapping_add(b)),
        BinaryOp::Sub => in_range(a.checked_sub(b), a.wrapping_sub(b)),
        BinaryOp::Mul => in_range(a.checked_mul(b), a.wrapping_mul(b)),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => None,
        BinaryOp::Div if wide && !ty.signed => Some(((a as u128) / (b as u128)) as i128),
        BinaryOp::Rem if wide && !ty.signed => Some(((a as u128) % (b as u128)) as i128),
        BinaryOp::Div => in_range(a.checked_div(b), a.wrapping_div(b)),
        BinaryOp::Rem if ty.signed && b == -1 && a == ty.min() => (!strict).then_some(0),
        BinaryOp::Rem => Some(a.wrapping_rem(b)),
        BinaryOp::Shl | BinaryOp::Shr if b < 0 || b >= i128::from(ty.bits) => None,
        BinaryOp::Shl => {
            let wrapped = ty.wrap(a.wrapping_shl(b as u32));
            let lossless = a >= 0 && (wrapped >> b) == a;
            if ty.signed && strict && !lossless { None } else { Some(wrapped) }
        }
        BinaryOp::Shr if wide && !ty.signed => Some(((a as u128) >> b) as i128),
        BinaryOp::Shr => Some(a >> b),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
    }
}

pub(super) fn fold_compare(op: CompareOp, ty: IntTy, a: i128, b: i128) -> bool {
    let order = if ty.bits >= 128 && !ty.signed { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) };
    match op {
        CompareOp::Eq => order.is_eq(),
        CompareOp::Ne => order.is_ne(),
        CompareOp::Lt => order.is_lt(),
        CompareOp::Le => order.is_le(),
        CompareOp::Gt => order.is_gt(),
        CompareOp::Ge => order.is_ge(),
    }
}

fn compare_floats(op: CompareOp, a: f64, b: f64) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

/// Rounds to the precision that is stored.
pub(super) fn round_float(ty: &Type, value: f64) -> f64 {
    if matches!(ty, Type::Float(FloatTy::F32)) { f64::from(value as f32) } else { value }
}

fn float_binary(op: BinaryOp, a: f64, b: f64) -> Option<f64> {
    match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Sub => Some(a - b),
        BinaryOp::Mul => Some(a * b),
        BinaryOp::Div => Some(a / b),
        _ => None,
    }
}

/// A sum, difference, product or quotient in a type that is wider than what constants hold; nothing if it would have to be rounded.
fn exact_binary(op: BinaryOp, a: f64, b: f64) -> Option<f64> {
    let value = float_binary(op, a, b).filter(|v| v.is_finite())?;
    // What is lost is computed exactly (Knuth for sums, by fused multiplication for the others).
    let lost = match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let b = if op == BinaryOp::Sub { -b } else { b };
            let of_b = value - a;
            (a - (value - of_b)) + (b - of_b)
        }
        BinaryOp::Mul => a.mul_add(b, -value),
        BinaryOp::Div => value.mul_add(b, -a),
        _ => return None,
    };
    // Products of small numbers lose what is too small to be seen.
    let small = value != 0.0 && value.abs() < 1e-250;
    (lost == 0.0 && !small).then_some(value)
}

/// Integer to floating; unsigned 128-bit integers are kept by their bits. Nothing if the type is wider than what constants hold and
/// the number would have to be rounded.
fn int_to_float(from: Option<IntTy>, value: i128, to: &Type) -> Option<f64> {
    let by_bits = matches!(from, Some(IntTy { bits: 128, signed: false }));
    match to {
        // Once, not first to double.
        Type::Float(FloatTy::F32) if by_bits => Some(f64::from(value as u128 as f32)),
        Type::Float(FloatTy::F32) => Some(f64::from(value as f32)),
        Type::Float(FloatTy::F80 | FloatTy::F128) => {
            let float = value as f64;
            (!by_bits && value.unsigned_abs() < 1 << 100 && float as i128 == value).then_some(float)
        }
        _ if by_bits => Some(value as u128 as f64),
        _ => Some(value as f64),
    }
}

/// Floating to integer if the value fits.
fn float_to_int(to: IntTy, value: f64) -> Option<i128> {
    let whole = value.trunc();
    if !(-1.7e38..=1.7e38).contains(&whole) {
        return None;
    }
    let int = whole as i128;
    (to.wrap(int) == int).then_some(int)
}

impl Sema {
    /// The value of an expression that was folded to an integer.
    pub(super) fn folded_int(expr: &Expr) -> Option<i128> {
        match &expr.kind {
            ExprKind::Const(Const::Int { value, .. }) => Some(*value),
            _ => None,
        }
    }

    /// Builds a conversion to `ty`, folded if its operand is constant.
    pub(super) fn make_cast(&mut self, kind: CastKind, arg: Expr, ty: heapwise_ir::Ty) -> Expr {
        let span = arg.span;
        let table = &self.program.types;
        let folded = match (&arg.kind, kind) {
            (ExprKind::Const(Const::Int { value, .. }), CastKind::IntToInt) => {
                table.as_int(ty).map(|int| Const::Int { value: int.wrap(*value), ty })
            }
            (ExprKind::Const(Const::Int { value, .. }), CastKind::ToBool) => {
                Some(Const::Int { value: i128::from(*value != 0), ty })
            }
            (ExprKind::Const(Const::Float { value, .. }), CastKind::ToBool) => {
                Some(Const::Int { value: i128::from(*value != 0.0), ty })
            }
            (ExprKind::Const(Const::Null(_)), CastKind::ToBool | CastKind::PtrToInt) => {
                Some(Const::Int { value: 0, ty })
            }
            (ExprKind::Const(Const::Int { value, .. }), CastKind::IntToFloat) => {
                int_to_float(table.as_int(arg.ty), *value, table.get(ty))
                    .map(|value| Const::Float { value, ty })
            }
            (ExprKind::Const(Const::Float { value, .. }), CastKind::FloatToFloat) => {
                Some(Const::Float { value: round_float(table.get(ty), *value), ty })
            }
            (ExprKind::Const(Const::Float { value, .. }), CastKind::FloatToInt) => table
                .as_int(ty)
                .and_then(|int| float_to_int(int, *value))
                .map(|value| Const::Int { value, ty }),
            (ExprKind::Const(Const::Int { value: 0, .. }), CastKind::IntToPtr) => Some(Const::Null(ty)),
            (ExprKind::Const(Const::Null(_)), CastKind::PtrToPtr) => Some(Const::Null(ty)),
            (ExprKind::Const(Const::Function { func, .. }), CastKind::PtrToPtr) => {
                Some(Const::Function { func: *func, ty })
            }
            _ => None,
        };
        let kind = match folded {
            Some(constant) => ExprKind::Const(constant),
            None => ExprKind::Cast(kind, Box::new(arg)),
        };
        Expr { kind, ty, span }
    }

    pub(super) fn make_unary(&mut self, op: UnaryOp, arg: Expr) -> Expr {
        let (ty, span) = (arg.ty, arg.span);
        let table = &self.program.types;
        let folded = match (&arg.kind, op) {
            (ExprKind::Const(Const::Int { value, .. }), UnaryOp::Neg) => table
                .as_int(ty)
                .and_then(|int| fold_binary(BinaryOp::Sub, int, 0, *value, true))
                .map(|value| Const::Int { value, ty }),
            (ExprKind::Const(Const::Int { value, .. }), UnaryOp::BitNot) => {
                table.as_int(ty).map(|int| Const::Int { value: int.wrap(!*value), ty })
            }
            (ExprKind::Const(Const::Float { value, .. }), UnaryOp::Neg) => {
                Some(Const::Float { value: -*value, ty })
            }
            _ => None,
        };
        let kind = match folded {
            Some(constant) => ExprKind::Const(constant),
            None => ExprKind::Unary(op, Box::new(arg)),
        };
        Expr { kind, ty, span }
    }

    pub(super) fn make_binary(&mut self, op: BinaryOp, lhs: Expr, rhs: Expr) -> Expr {
        let (ty, span) = (lhs.ty, lhs.span.to(rhs.span));
        let folded = match (&lhs.kind, &rhs.kind) {
            (ExprKind::Const(Const::Int { value: a, .. }), ExprKind::Const(Const::Int { value: b, .. })) => {
                self.program
                    .types
                    .as_int(ty)
                    .and_then(|int| fold_binary(op, int, *a, *b, true))
                    .map(|value| Const::Int { value, ty })
            }
            (
                ExprKind::Const(Const::Float { value: a, .. }),
                ExprKind::Const(Const::Float { value: b, .. }),
            ) => match self.program.types.get(ty) {
                // `long double` is wider than what constants hold, so it is left to the run.
                t @ Type::Float(FloatTy::F32 | FloatTy::F64) => {
                    float_binary(op, *a, *b).map(|v| Const::Float { value: round_float(t, v), ty })
                }
                _ => None,
            },
            _ => None,
        };
        let kind = match folded {
            Some(constant) => ExprKind::Const(constant),
            None => ExprKind::Binary(op, Box::new(lhs), Box::new(rhs)),
        };
        Expr { kind, ty, span }
    }

    pub(super) fn make_compare(&mut self, op: CompareOp, lhs: Expr, rhs: Expr) -> Expr {
        let span = lhs.span.to(rhs.span);
        let ty = self.ir(crate::ctype::CTy::INT);
        let folded = match (&lhs.kind, &rhs.kind) {
            (ExprKind::Const(Const::Int { value: a, .. }), ExprKind::Const(Const::Int { value: b, .. })) => {
                self.program.types.as_int(lhs.ty).map(|int| fold_compare(op, int, *a, *b))
            }
            (
                ExprKind::Const(Const::Float { value: a, .. }),
                ExprKind::Const(Const::Float { value: b, .. }),
            ) => Some(compare_floats(op, *a, *b)),
            (ExprKind::Const(Const::Null(_)), ExprKind::Const(Const::Null(_))) => {
                Some(matches!(op, CompareOp::Eq | CompareOp::Le | CompareOp::Ge))
            }
            _ => None,
        };
        let kind = match folded {
            Some(value) => ExprKind::Const(Const::Int { value: i128::from(value), ty }),
            None => ExprKind::Compare(op, Box::new(lhs), Box::new(rhs)),
        };
        Expr { kind, ty, span }
    }

    /// Whether a folded constant counts as true.
    pub(super) fn folded_truth(&self, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Const(Const::Int { value, .. }) => Some(*value != 0),
            ExprKind::Const(Const::Float { value, .. }) => Some(*value != 0.0),
            ExprKind::Const(Const::Null(_)) => Some(false),
            _ => None,
        }
    }

    /// The value of `expr`, if it can be known before the program runs.
    pub(super) fn evaluate(&self, expr: &Expr) -> Option<Known> {
        let table = &self.program.types;
        let int = |ty| table.as_int(ty);
        match &expr.kind {
            ExprKind::Const(c) => Some(match c {
                Const::Int { value, .. } => Known::Int(*value),
                Const::Float { value, .. } => Known::Float(*value),
                Const::Null(_) => Known::Absolute(0),
                Const::Global { global, offset, .. } => Known::Global(*global, *offset),
                Const::Function { func, .. } => Known::Function(*func),
                Const::Label { .. } | Const::Undefined(_) => return None,
            }),
            ExprKind::AddrOf(place) => self.evaluate_address(place),
            ExprKind::Load(place) => self.evaluate_load(place, expr.ty),
            ExprKind::Unary(op, arg) => match (self.evaluate(arg)?, op) {
                (Known::Int(v), UnaryOp::Neg) => Some(Known::Int(int(expr.ty)?.wrap(v.wrapping_neg()))),
                (Known::Int(v), UnaryOp::BitNot) => Some(Known::Int(int(expr.ty)?.wrap(!v))),
                (Known::Float(v), UnaryOp::Neg) => Some(Known::Float(-v)),
                _ => None,
            },
            ExprKind::Binary(op, a, b) => match (self.evaluate(a)?, self.evaluate(b)?) {
                (Known::Int(a), Known::Int(b)) => {
                    fold_binary(*op, int(expr.ty)?, a, b, false).map(Known::Int)
                }
                (Known::Float(a), Known::Float(b)) => match table.get(expr.ty) {
                    Type::Float(FloatTy::F80 | FloatTy::F128) => exact_binary(*op, a, b).map(Known::Float),
                    ty => float_binary(*op, a, b).map(|v| Known::Float(round_float(ty, v))),
                },
                // Addresses that were converted to integers keep their object under addition.
                (Known::Global(g, a), Known::Int(b)) if *op == BinaryOp::Add => {
                    Some(Known::Global(g, a.wrapping_add(b as i64)))
                }
                (Known::Int(b), Known::Global(g, a)) if *op == BinaryOp::Add => {
                    Some(Known::Global(g, a.wrapping_add(b as i64)))
                }
                (Known::Global(g, a), Known::Int(b)) if *op == BinaryOp::Sub => {
                    Some(Known::Global(g, a.wrapping_sub(b as i64)))
                }
                (Known::Global(g, a), Known::Global(h, b)) if g == h && *op == BinaryOp::Sub => {
                    Some(Known::Int(i128::from(a.wrapping_sub(b))))
                }
                _ => None,
            },
            ExprKind::Compare(op, a, b) => {
                let (x, y) = (self.evaluate(a)?, self.evaluate(b)?);
                let value = match (x, y) {
                    (Known::Int(x), Known::Int(y)) => fold_compare(*op, int(a.ty)?, x, y),
                    (Known::Float(x), Known::Float(y)) => compare_floats(*op, x, y),
                    (Known::Absolute(x), Known::Absolute(y)) => {
                        fold_compare(*op, IntTy { bits: 64, signed: false }, x, y)
                    }
                    (Known::Global(g, x), Known::Global(h, y)) if g == h => {
                        fold_compare(*op, IntTy { bits: 64, signed: true }, x.into(), y.into())
                    }
                    (Known::Function(f), Known::Function(g)) if *op == CompareOp::Eq => f == g,
                    (Known::Function(f), Known::Function(g)) if *op == CompareOp::Ne => f != g,
                    (Known::Global(..) | Known::Function(_), Known::Absolute(0))
                    | (Known::Absolute(0), Known::Global(..) | Known::Function(_)) => match op {
                        CompareOp::Eq => false,
                        CompareOp::Ne => true,
                        _ => return None,
                    },
                    _ => return None,
                };
                Some(Known::Int(i128::from(value)))
            }
            ExprKind::Cast(kind, arg) => {
                let value = self.evaluate(arg)?;
                self.evaluate_cast(*kind, value, arg.ty, expr.ty)
            }
            ExprKind::PtrAdd { ptr, index, stride } => {
                let Known::Int(i) = self.evaluate(index)? else { return None };
                let delta = i.wrapping_mul(i128::from(*stride));
                self.shift(self.evaluate(ptr)?, delta)
            }
            ExprKind::PtrDiff { lhs, rhs, stride } => {
                let delta = match (self.evaluate(lhs)?, self.evaluate(rhs)?) {
                    (Known::Global(g, a), Known::Global(h, b)) if g == h => i128::from(a) - i128::from(b),
                    (Known::Absolute(a), Known::Absolute(b)) => a.wrapping_sub(b),
                    (Known::Function(f), Known::Function(g)) if f == g => 0,
                    _ => return None,
                };
                Some(Known::Int(delta / i128::from(*stride).max(1)))
            }
            ExprKind::LogAnd(a, b) => match truth(self.evaluate(a)?) {
                false => Some(Known::Int(0)),
                true => Some(Known::Int(truth(self.evaluate(b)?).into())),
            },
            ExprKind::LogOr(a, b) => match truth(self.evaluate(a)?) {
                true => Some(Known::Int(1)),
                false => Some(Known::Int(truth(self.evaluate(b)?).into())),
            },
            ExprKind::Not(a) => Some(Known::Int((!truth(self.evaluate(a)?)).into())),
            ExprKind::Conditional(c, a, b) => {
                if truth(self.evaluate(c)?) {
                    self.evaluate(a)
                } else {
                    self.evaluate(b)
                }
            }
            // Where C demands a constant, gcc decides at once.
            ExprKind::Intrinsic { op: Intrinsic::ConstantP, .. } => Some(Known::Int(0)),
            _ => None,
        }
    }

    fn shift(&self, value: Known, delta: i128) -> Option<Known> {
        match value {
            Known::Global(g, offset) => Some(Known::Global(g, offset.wrapping_add(delta as i64))),
            Known::Absolute(a) => {
                let bits = (self.program.model.pointer_size() * 8) as u16;
                Some(Known::Absolute(IntTy { bits, signed: false }.wrap(a.wrapping_add(delta))))
            }
            Known::Function(f) if delta == 0 => Some(Known::Function(f)),
            _ => None,
        }
    }

    fn evaluate_cast(
        &self,
        kind: CastKind,
        value: Known,
        from: heapwise_ir::Ty,
        to: heapwise_ir::Ty,
    ) -> Option<Known> {
        let table = &self.program.types;
        match (kind, value) {
            (CastKind::IntToInt, Known::Int(v)) => Some(Known::Int(table.as_int(to)?.wrap(v))),
            // An address kept in an integer survives only if no bit is lost.
            (CastKind::IntToInt | CastKind::PtrToInt, Known::Global(..) | Known::Function(_)) => {
                (table.size(to) >= table.pointer_size).then_some(value)
            }
            (CastKind::PtrToInt, Known::Absolute(v)) => Some(Known::Int(table.as_int(to)?.wrap(v))),
            (CastKind::IntToPtr, Known::Int(v)) => {
                let bits = (table.pointer_size * 8) as u16;
                Some(Known::Absolute(IntTy { bits, signed: false }.wrap(v)))
            }
            (CastKind::IntToPtr | CastKind::PtrToPtr, _) => Some(value),
            (CastKind::ToBool, _) => Some(Known::Int(truth(value).into())),
            (CastKind::IntToFloat, Known::Int(v)) => {
                int_to_float(table.as_int(from), v, table.get(to)).map(Known::Float)
            }
            (CastKind::FloatToFloat, Known::Float(v)) => Some(Known::Float(round_float(table.get(to), v))),
            (CastKind::FloatToInt, Known::Float(v)) => {
                let int = table.as_int(to)?;
                Some(Known::Int(float_to_int(int, v).unwrap_or_else(|| int.wrap(v as i128))))
            }
            _ => None,
        }
    }

    /// The address of a place, if it is known before the program runs.
    pub(super) fn evaluate_address(&self, place: &Place) -> Option<Known> {
        match &place.kind {
            PlaceKind::Global(g) => Some(Known::Global(*g, 0)),
            PlaceKind::Deref(pointer) => self.evaluate(pointer),
            PlaceKind::Field { base, record, field } => {
                let offset = self.program.types.records.get(*record)?.fields.get(*field as usize)?.offset;
                self.shift(self.evaluate_address(base)?, i128::from(offset))
            }
            PlaceKind::Index { base, index, stride } => {
                let Known::Int(i) = self.evaluate(index)? else { return None };
                self.shift(self.evaluate_address(base)?, i.wrapping_mul(i128::from(*stride)))
            }
            PlaceKind::Local(_) | PlaceKind::Literal { .. } | PlaceKind::Temporary(_) => None,
        }
    }

    /// A scalar read from a constant object with a known initialiser.
    fn evaluate_load(&self, place: &Place, ty: heapwise_ir::Ty) -> Option<Known> {
        let Known::Global(g, offset) = self.evaluate_address(place)? else { return None };
        if let PlaceKind::Field { record, field, .. } = &place.kind
            && self.program.types.records.get(*record)?.fields.get(*field as usize)?.bits.is_some()
        {
            return None;
        }
        let global = self.program.globals.get(g)?;
        if !global.constant {
            return None;
        }
        let GlobalInit::Data(pieces) = &global.init else { return None };
        let (start, size) = (u64::try_from(offset).ok()?, self.program.types.size(ty));
        if size == 0 || size > 16 || start.checked_add(size)? > global.size {
            return None;
        }
        let mut bytes = [0u8; 16];
        for piece in pieces {
            match &piece.value {
                InitValue::Bytes(data) => {
                    for (i, b) in data.iter().enumerate() {
                        let at = piece.offset + i as u64;
                        if at >= start && at < start + size {
                            *bytes.get_mut((at - start) as usize)? = *b;
                        }
                    }
                }
                InitValue::GlobalAddr { global, offset } if piece.offset == start => {
                    return Some(Known::Global(*global, *offset));
                }
                InitValue::FunctionAddr(f) if piece.offset == start => return Some(Known::Function(*f)),
                _ if piece.offset < start + size && piece.offset + 8 > start => return None,
                _ => {}
            }
        }
        let raw = i128::from_le_bytes(bytes);
        match self.program.types.get(ty) {
            Type::Int(int) => Some(Known::Int(int.wrap(raw))),
            Type::Bool => Some(Known::Int(raw)),
            Type::Float(FloatTy::F32) => Some(Known::Float(f64::from(f32::from_bits(raw as u32)))),
            Type::Float(FloatTy::F64) => Some(Known::Float(f64::from_bits(raw as u64))),
            Type::Pointer(_) => Some(Known::Absolute(raw)),
            _ => None,
        }
    }
}

fn truth(value: Known) -> bool {
    match value {
        Known::Int(v) | Known::Absolute(v) => v != 0,
        Known::Float(v) => v != 0.0,
        Known::Global(..) | Known::Function(_) => true,
    }
}

impl Checker<'_> {
    /// The value of a checked expression that was folded, or can be evaluated, to an integer.
    pub(super) fn int_value(&self, expr: &Expr) -> Option<i128> {
        if let Some(v) = Sema::folded_int(expr) {
            return Some(v);
        }
        match self.s.evaluate(expr)? {
            Known::Int(v) => Some(v),
            _ => None,
        }
    }

    /// An integer constant expression.
    pub(super) fn integer_constant(&mut self, expr: &ast::Expr) -> R<i128> {
        let checked = self.expr(expr)?;
        let checked = self.rvalue(checked)?;
        if !self.s.is_integer(checked.ty.ty) {
            return invalid(expr.span, "not-constant", "expected an integer constant");
        }
        match self.int_value(&checked.into_expr()) {
            Some(value) => Ok(value),
            None => invalid(expr.span, "not-constant", "expression is not constant"),
        }
    }

    pub(super) fn static_assert(&mut self, assert: &ast::StaticAssert) -> R<()> {
        if self.integer_constant(&assert.cond)? == 0 {
            let message = match &assert.message {
                Some(text) => format!("static assertion failed: {text}"),
                None => "static assertion failed".into(),
            };
            return invalid(assert.span, "static-assertion", message);
        }
        Ok(())
    }
}
