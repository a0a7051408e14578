//! Calls of compiler builtins.
//!
//! A builtin becomes an intrinsic of the IR, a constant, a tree of ordinary operators, or a call of the library
//! function behind it. What is not listed is reported and costs the function.

use super::convert::{Balanced, Context, Typed};
use super::{Checker, R, invalid, unsupported};
use crate::ast::{self, Expr as AstExpr};
use crate::ctype::{CTy, CType, FloatKind, IntKind};
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use crate::symbol::Symbol;
use heapwise_ir::{BinaryOp, CompareOp, Const, FloatTy, IntTy, Intrinsic, Span, Type, UnaryOp};

/// Positions of the arguments that fortified functions have beyond the plain ones.
const FORTIFIED: &[(&str, &[usize])] = &[
    ("memcpy", &[3]),
    ("memmove", &[3]),
    ("memset", &[3]),
    ("mempcpy", &[3]),
    ("strcpy", &[2]),
    ("stpcpy", &[2]),
    ("strcat", &[2]),
    ("strncpy", &[3]),
    ("stpncpy", &[3]),
    ("strncat", &[3]),
    ("sprintf", &[1, 2]),
    ("vsprintf", &[1, 2]),
    ("snprintf", &[2, 3]),
    ("vsnprintf", &[2, 3]),
    ("printf", &[0]),
    ("vprintf", &[0]),
    ("fprintf", &[1]),
    ("vfprintf", &[1]),
];

impl Checker<'_> {
    /// Checks a call of `name` if it is a builtin.
    pub(super) fn builtin_call(&mut self, name: Symbol, args: &[AstExpr], span: Span) -> Option<R<Typed>> {
        let names = self.names;
        let text = names.name(name);
        if let Some(plain) = text.strip_prefix("__builtin_") {
            return Some(self.builtin(plain, args, span));
        }
        if let Some(rest) = text.strip_prefix("__sync_") {
            return Some(self.sync_builtin(rest, args, span));
        }
        if let Some(rest) = text.strip_prefix("__atomic_") {
            return Some(self.atomic_builtin(rest, args, span));
        }
        None
    }

    pub(super) fn builtin_arg<'e>(&self, args: &'e [AstExpr], i: usize, span: Span) -> R<&'e AstExpr> {
        match args.get(i) {
            Some(arg) => Ok(arg),
            None => invalid(span, "argument-count", "too few arguments for a builtin"),
        }
    }

    /// The argument at `i` as a scalar value.
    pub(super) fn scalar_arg(&mut self, args: &[AstExpr], i: usize, span: Span) -> R<Typed> {
        let arg = self.builtin_arg(args, i, span)?;
        let t = self.expr(arg)?;
        self.scalar(t)
    }

    fn converted_arg(&mut self, args: &[AstExpr], i: usize, to: CTy, span: Span) -> R<Expr> {
        let arg = self.builtin_arg(args, i, span)?;
        let t = self.expr(arg)?;
        self.assign_convert(t, to, Context::Argument)
    }

    pub(super) fn intrinsic(&mut self, op: Intrinsic, args: Vec<Expr>, ty: CTy, span: Span) -> Typed {
        let ir = self.s.ir(ty);
        Typed::value(Expr { kind: ExprKind::Intrinsic { op, args }, ty: ir, span }, ty)
    }

    /// No value and no effect.
    pub(super) fn nothing(&mut self, span: Span) -> Typed {
        let inner = Box::new(self.int_const(0, CTy::INT, span));
        let ty = self.s.ir(CTy::VOID);
        Typed::value(Expr { kind: ExprKind::Discard(inner), ty, span }, CTy::VOID)
    }

    fn constant_int(&mut self, value: i128, ty: CTy, span: Span) -> R<Typed> {
        Ok(Typed::value(self.int_const(value, ty, span), ty))
    }

    fn float_const(&mut self, value: f64, kind: FloatKind, span: Span) -> R<Typed> {
        let ty = CTy::float(kind);
        let ir = self.s.ir(ty);
        let kind = ExprKind::Const(Const::Float { value, ty: ir });
        Ok(Typed::value(Expr { kind, ty: ir, span }, ty))
    }

    fn builtin(&mut self, name: &str, args: &[AstExpr], span: Span) -> R<Typed> {
        match name {
            "expect" | "expect_with_probability" => {
                let value = self.converted_arg(args, 0, CTy::LONG, span)?;
                Ok(Typed::value(value, CTy::LONG))
            }
            "constant_p" => {
                let arg = self.builtin_arg(args, 0, span)?;
                if matches!(arg.kind, ast::ExprKind::Str { .. }) {
                    return self.constant_int(1, CTy::INT, span);
                }
                let value = self.unevaluated(|c| {
                    let t = c.expr(arg)?;
                    c.rvalue(t)
                })?;
                let is_number = self.s.is_arithmetic(value.ty.ty);
                let value = value.into_expr();
                match value.kind {
                    ExprKind::Const(Const::Int { .. } | Const::Float { .. } | Const::Null(_)) => {
                        self.constant_int(1, CTy::INT, span)
                    }
                    // Of numbers without side effects an optimising compiler may find out more.
                    _ if is_number && !may_do_something(&value) => {
                        Ok(self.intrinsic(Intrinsic::ConstantP, Vec::new(), CTy::INT, span))
                    }
                    _ => self.constant_int(0, CTy::INT, span),
                }
            }
            "va_start" | "stdarg_start" | "c23_va_start" => self.va_start(args, span),
            "va_end" => {
                let list = self.va_list_pointer(self.builtin_arg(args, 0, span)?)?;
                Ok(self.intrinsic(Intrinsic::VaEnd, vec![list], CTy::VOID, span))
            }
            "va_copy" => self.va_copy(args, span),
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let size_t = self.s.size_t();
                let size = self.converted_arg(args, 0, size_t, span)?;
                Ok(self.intrinsic(Intrinsic::Alloca, vec![size], CTy::VOID_PTR, span))
            }
            "object_size" | "dynamic_object_size" => {
                self.integer_constant(self.builtin_arg(args, 1, span)?)?;
                let size_t = self.s.size_t();
                Ok(self.intrinsic(Intrinsic::ObjectSize, Vec::new(), size_t, span))
            }
            "unreachable" => Ok(self.intrinsic(Intrinsic::Unreachable, Vec::new(), CTy::VOID, span)),
            "trap" | "debugtrap" => Ok(self.intrinsic(Intrinsic::Trap, Vec::new(), CTy::VOID, span)),
            "prefetch" | "__clear_cache" | "ia32_pause" | "cpu_init" => self.for_effect(args, span),
            "assume" => {
                let cond = self.condition(self.builtin_arg(args, 0, span)?)?;
                let bad = self.intrinsic(Intrinsic::Unreachable, Vec::new(), CTy::VOID, span).into_expr();
                let fine = self.nothing(span).into_expr();
                let ty = fine.ty;
                let kind = ExprKind::Conditional(Box::new(cond), Box::new(fine), Box::new(bad));
                Ok(Typed::value(Expr { kind, ty, span }, CTy::VOID))
            }
            "assume_aligned" => {
                let p = self.converted_arg(args, 0, CTy::CONST_VOID_PTR, span)?;
                Ok(Typed::value(self.cast_expr(p, CTy::CONST_VOID_PTR, CTy::VOID_PTR), CTy::VOID_PTR))
            }
            "frame_address" | "return_address" | "thread_pointer" => {
                Ok(self.intrinsic(Intrinsic::FrameAddress, Vec::new(), CTy::VOID_PTR, span))
            }
            "extract_return_addr" | "frob_return_addr" => {
                let p = self.converted_arg(args, 0, CTy::VOID_PTR, span)?;
                Ok(Typed::value(p, CTy::VOID_PTR))
            }
            "speculation_safe_value" => self.scalar_arg(args, 0, span),
            "huge_val" | "inf" => self.float_const(f64::INFINITY, FloatKind::Double, span),
            "huge_valf" | "inff" => self.float_const(f64::INFINITY, FloatKind::Float, span),
            "huge_vall" | "infl" => self.float_const(f64::INFINITY, FloatKind::LongDouble, span),
            "huge_valf128" | "inff128" | "infq" | "huge_valq" => {
                self.float_const(f64::INFINITY, FloatKind::Float128, span)
            }
            "nan" | "nans" => self.float_const(f64::NAN, FloatKind::Double, span),
            "nanf" | "nansf" => self.float_const(f64::NAN, FloatKind::Float, span),
            "nanl" | "nansl" => self.float_const(f64::NAN, FloatKind::LongDouble, span),
            "nanf128" | "nanq" => self.float_const(f64::NAN, FloatKind::Float128, span),
            "isnan" | "isnanf" | "isnanl" | "isinf" | "isinff" | "isinfl" | "isinf_sign" | "isfinite"
            | "finite" | "finitef" | "finitel" | "isnormal" | "fpclassify" => {
                self.classification(name, args, span)
            }
            "signbit" | "signbitf" | "signbitl" => {
                let t = self.scalar_arg(args, 0, span)?;
                let function = match self.s.types.get(t.ty.ty) {
                    CType::Float(FloatKind::Float) => "__signbitf",
                    CType::Float(FloatKind::LongDouble | FloatKind::Float128) => "__signbitl",
                    _ => "__signbit",
                };
                self.library_call_or_fail(function, vec![t], span)
            }
            "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered" => {
                self.quiet_comparison(name, args, span)
            }
            "classify_type" => {
                let arg = self.builtin_arg(args, 0, span)?;
                let t = self.unevaluated(|c| {
                    let t = c.expr(arg)?;
                    c.rvalue(t)
                })?;
                let class = match self.s.types.get(t.ty.ty) {
                    CType::Void => 0,
                    CType::Int(_) | CType::Enum(_) => 1,
                    CType::Pointer(_) | CType::Nullptr => 5,
                    CType::Float(_) => 8,
                    CType::Complex(_) => 9,
                    CType::Record(id) if self.s.records.get(*id).is_some_and(|r| r.is_union) => 13,
                    CType::Record(_) => 12,
                    _ => -1,
                };
                self.constant_int(class, CTy::INT, span)
            }
            "LINE" => {
                let line = self.sources.location(span.lo).map_or(0, |l| l.line);
                self.constant_int(i128::from(line), CTy::INT, span)
            }
            "FILE" | "FUNCTION" => {
                let text: Box<str> = if name == "FILE" {
                    self.sources.location(span.lo).map_or("".into(), |l| (&*l.file).into())
                } else {
                    self.fun.name.clone()
                };
                let bytes: Vec<u8> = text.bytes().collect();
                let t = self.literal_object(CTy::CHAR, bytes.len() as u64 + 1, bytes, span);
                let t = self.rvalue(t)?;
                let value = self.cast_expr(t.into_expr(), CTy::CHAR_PTR, CTy::CONST_CHAR_PTR);
                Ok(Typed::value(value, CTy::CONST_CHAR_PTR))
            }
            "tgmath" => self.type_generic_math(args, span),
            "clrsb" | "clrsbl" | "clrsbll" => self.redundant_sign_bits(name, args, span),
            "cpu_supports" | "cpu_is" => self.constant_int(0, CTy::INT, span),
            "strlen" if matches!(args, [AstExpr { kind: ast::ExprKind::Str { .. }, .. }]) => {
                let size_t = self.s.size_t();
                let Some(AstExpr { kind: ast::ExprKind::Str { units, .. }, .. }) = args.first() else {
                    return self.constant_int(0, size_t, span);
                };
                let length = units.iter().position(|u| *u == 0).unwrap_or(units.len());
                self.constant_int(length as i128, size_t, span)
            }
            _ => self.other_builtin(name, args, span),
        }
    }

    /// Families of builtins, and library functions.
    fn other_builtin(&mut self, name: &str, args: &[AstExpr], span: Span) -> R<Typed> {
        if let Some(result) = self.overflow_builtin(name, args, span) {
            return result;
        }
        if let Some(result) = self.bit_builtin(name, args, span) {
            return result;
        }
        if let Some(plain) = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk"))
            && let Some((plain, extra)) = FORTIFIED.iter().find(|(n, _)| *n == plain)
        {
            let mut values = Vec::with_capacity(args.len());
            for (i, arg) in args.iter().enumerate() {
                if !extra.contains(&i) {
                    values.push(self.expr(arg)?);
                }
            }
            return self.library_call_or_fail(plain, values, span);
        }
        if self.known_external(name).is_none() && self.library_type(name).is_none() {
            let message = format!("the builtin '__builtin_{name}' is not supported");
            return unsupported(span, "unsupported-builtin", message);
        }
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.expr(arg)?);
        }
        self.library_call_or_fail(name, values, span)
    }

    fn library_call_or_fail(&mut self, name: &str, args: Vec<Typed>, span: Span) -> R<Typed> {
        match self.call_library(name, args, span) {
            Some(result) => result,
            None => unsupported(span, "unsupported-builtin", format!("'{name}' is not known")),
        }
    }

    /// Evaluates the first argument only.
    fn for_effect(&mut self, args: &[AstExpr], span: Span) -> R<Typed> {
        let Some(first) = args.first() else { return Ok(self.nothing(span)) };
        let t = self.expr(first)?;
        let t = self.rvalue(t)?;
        let inner = Box::new(self.discard(t));
        let ty = self.s.ir(CTy::VOID);
        Ok(Typed::value(Expr { kind: ExprKind::Discard(inner), ty, span }, CTy::VOID))
    }

    /// `__builtin_add_overflow` and its relatives.
    fn overflow_builtin(&mut self, name: &str, args: &[AstExpr], span: Span) -> Option<R<Typed>> {
        let (name, predicate) = match name.strip_suffix("_overflow_p") {
            Some(name) => (name, true),
            None => (name.strip_suffix("_overflow")?, false),
        };
        let operation = |name: &str| match name {
            "add" => Some(BinaryOp::Add),
            "sub" => Some(BinaryOp::Sub),
            "mul" => Some(BinaryOp::Mul),
            _ => None,
        };
        if let Some(op) = operation(name) {
            return Some(self.generic_overflow(op, predicate, args, span));
        }
        let signed = match name.get(..1)? {
            "s" => true,
            "u" => false,
            _ => return None,
        };
        let rest = name.get(1..)?;
        let (op, kind) = match rest.get(3..)? {
            "" => (operation(rest)?, IntKind::Int),
            "l" => (operation(rest.get(..3)?)?, IntKind::Long),
            "ll" => (operation(rest.get(..3)?)?, IntKind::LongLong),
            _ => return None,
        };
        let ty = CTy::int(if signed { kind } else { kind.to_unsigned() });
        Some(self.typed_overflow(op, ty, args, span))
    }

    fn generic_overflow(&mut self, op: BinaryOp, predicate: bool, args: &[AstExpr], span: Span) -> R<Typed> {
        let a = self.scalar_arg(args, 0, span)?;
        let b = self.scalar_arg(args, 1, span)?;
        let out = self.scalar_arg(args, 2, span)?;
        let target = match self.s.pointee(out.ty.ty) {
            _ if predicate => out.ty.ty,
            Some(to) => to.ty,
            None => return invalid(span, "not-a-pointer", "the result argument is not a pointer"),
        };
        let integers = [a.ty.ty, b.ty.ty, target].iter().all(|t| self.s.is_integer(*t));
        if !integers {
            return invalid(span, "bad-operand", "overflow checks need integers");
        }
        let (a, b) = (self.promote(a).into_expr(), self.promote(b).into_expr());
        let ir = self.s.ir(target);
        let out = if predicate {
            let temp = self.temporary(target, span);
            if let Some(block) = self.fun.literals.last_mut() {
                block.push(temp);
            }
            let place = self.local_place(temp, target, span);
            let pointer = self.s.pointer_to(target);
            Expr { kind: ExprKind::AddrOf(place), ty: self.s.ir(pointer), span }
        } else {
            out.into_expr()
        };
        Ok(self.intrinsic(Intrinsic::Overflow(op, ir), vec![a, b, out], CTy::BOOL, span))
    }

    fn typed_overflow(&mut self, op: BinaryOp, ty: CTy, args: &[AstExpr], span: Span) -> R<Typed> {
        let a = self.converted_arg(args, 0, ty, span)?;
        let b = self.converted_arg(args, 1, ty, span)?;
        let pointer = self.s.pointer_to(ty);
        let out = self.converted_arg(args, 2, pointer, span)?;
        let ir = self.s.ir(ty);
        Ok(self.intrinsic(Intrinsic::Overflow(op, ir), vec![a, b, out], CTy::BOOL, span))
    }

    /// `__builtin_clz` and its relatives.
    fn bit_builtin(&mut self, name: &str, args: &[AstExpr], span: Span) -> Option<R<Typed>> {
        let swap = match name {
            "bswap16" => Some(IntKind::UShort),
            "bswap32" => Some(IntKind::UInt),
            "bswap64" => Some(if self.s.is_lp64() { IntKind::ULong } else { IntKind::ULongLong }),
            "bswap128" => Some(IntKind::UInt128),
            _ => None,
        };
        if let Some(kind) = swap {
            return Some(self.bit_operation(Intrinsic::Bswap, CTy::int(kind), CTy::int(kind), args, span));
        }
        const BASES: [(&str, Intrinsic); 5] = [
            ("clz", Intrinsic::Clz),
            ("ctz", Intrinsic::Ctz),
            ("ffs", Intrinsic::Ffs),
            ("popcount", Intrinsic::Popcount),
            ("parity", Intrinsic::Parity),
        ];
        let (base, op) = BASES.into_iter().find(|(base, _)| name.starts_with(base))?;
        let kind = match name.get(base.len()..)? {
            "" => IntKind::UInt,
            "l" => IntKind::ULong,
            "ll" | "imax" => IntKind::ULongLong,
            _ => return None,
        };
        Some(self.bit_operation(op, CTy::int(kind), CTy::INT, args, span))
    }

    fn bit_operation(&mut self, op: Intrinsic, arg: CTy, ret: CTy, args: &[AstExpr], span: Span) -> R<Typed> {
        let value = self.converted_arg(args, 0, arg, span)?;
        if let (Some(v), Some(int)) = (super::Sema::folded_int(&value), self.s.int_ty(arg))
            && let Some(result) = fold_bits(op, int, v)
        {
            return self.constant_int(result, ret, span);
        }
        Ok(self.intrinsic(op, vec![value], ret, span))
    }

    /// `__builtin_tgmath(functions…, arguments…)`: calls the function for the widest type among the arguments,
    /// where integers count as `double`.
    fn type_generic_math(&mut self, args: &[AstExpr], span: Span) -> R<Typed> {
        let first = self.expr(self.builtin_arg(args, 0, span)?)?;
        let arity = self.s.function_type(first.ty.ty).map_or(1, |f| f.params.len());
        let (functions, values) = args.split_at(args.len().saturating_sub(arity));
        let mut kind = FloatKind::Float;
        let mut checked = Vec::with_capacity(values.len());
        for value in values {
            let t = self.expr(value)?;
            let t = self.rvalue(t)?;
            match self.s.types.get(t.ty.ty) {
                CType::Float(k) => kind = kind.max(*k),
                CType::Int(_) | CType::Enum(_) => kind = kind.max(FloatKind::Double),
                CType::Complex(_) => {
                    return unsupported(span, "unsupported-complex", "arithmetic on complex numbers");
                }
                _ => {}
            }
            checked.push(t);
        }
        for function in functions {
            let t = self.expr(function)?;
            let Some(signature) = self.s.function_type(t.ty.ty).cloned() else { continue };
            if signature.params.iter().any(|p| p.ty == CTy::float(kind)) {
                return self.call_with(t.into_expr(), &signature, checked, span);
            }
        }
        unsupported(span, "unsupported-builtin", "no function for the types of the arguments")
    }

    /// `clrsb`: leading bits equal to the sign bit. With `x ^ (x >> width-1)` as `y`, that is `clz(y) - 1`, and
    /// the whole width less one if `y` is 0.
    fn redundant_sign_bits(&mut self, name: &str, args: &[AstExpr], span: Span) -> R<Typed> {
        let kind = match name {
            "clrsb" => IntKind::Int,
            "clrsbl" => IntKind::Long,
            _ => IntKind::LongLong,
        };
        let (ty, unsigned) = (CTy::int(kind), CTy::int(kind.to_unsigned()));
        let bits = i128::from(kind.bits(self.s.program.model));
        let value = self.converted_arg(args, 0, ty, span)?;
        let (tx, ty_local) = (self.temporary(ty, span), self.temporary(unsigned, span));
        let x = self.local_value(tx, ty, span);
        let count = self.int_const(bits - 1, CTy::INT, span);
        let sign = self.s.make_binary(BinaryOp::Shr, x, count.clone());
        let x = self.local_value(tx, ty, span);
        let folded = self.s.make_binary(BinaryOp::Xor, x, sign);
        let folded = self.cast_expr(folded, ty, unsigned);
        let y = self.local_value(ty_local, unsigned, span);
        let zeros = self.intrinsic(Intrinsic::Clz, vec![y], CTy::INT, span).into_expr();
        let one = self.int_const(1, CTy::INT, span);
        let fewer = self.s.make_binary(BinaryOp::Sub, zeros, one);
        let y = self.local_value(ty_local, unsigned, span);
        let result = self.choose(y, fewer, count);
        let ir = result.ty;
        let kind = ExprKind::Let { temp: ty_local, value: Box::new(folded), body: Box::new(result) };
        let body = Expr { kind, ty: ir, span };
        let kind = ExprKind::Let { temp: tx, value: Box::new(value), body: Box::new(body) };
        Ok(Typed::value(Expr { kind, ty: ir, span }, CTy::INT))
    }

    /// Binds the argument to a temporary and builds a value from it.
    fn with_float(
        &mut self,
        t: Typed,
        build: impl FnOnce(&mut Self, &dyn Fn(&mut Self) -> Expr, CTy) -> Expr,
    ) -> R<Typed> {
        let span = t.span();
        let ty = t.ty.ty;
        if !self.s.is_float(ty) {
            return invalid(span, "bad-operand", "expected a floating number");
        }
        let temp = self.temporary(ty, span);
        let get = move |c: &mut Self| c.local_value(temp, ty, span);
        let body = Box::new(build(self, &get, ty));
        let ir = body.ty;
        let kind = ExprKind::Let { temp, value: Box::new(t.into_expr()), body };
        Ok(Typed::value(Expr { kind, ty: ir, span }, CTy::INT))
    }

    fn float_of(&mut self, value: f64, ty: CTy, span: Span) -> Expr {
        let ir = self.s.ir(ty);
        Expr { kind: ExprKind::Const(Const::Float { value, ty: ir }), ty: ir, span }
    }

    fn choose(&mut self, cond: Expr, a: Expr, b: Expr) -> Expr {
        let (ty, span) = (a.ty, cond.span);
        Expr { kind: ExprKind::Conditional(Box::new(cond), Box::new(a), Box::new(b)), ty, span }
    }

    /// `isnan`, `isinf`, `fpclassify` and so on, by comparisons.
    fn classification(&mut self, name: &str, args: &[AstExpr], span: Span) -> R<Typed> {
        let is_classify = name == "fpclassify";
        let mut classes = Vec::new();
        if is_classify {
            for i in 0..5 {
                classes.push(self.converted_arg(args, i, CTy::INT, span)?);
            }
        }
        let t = self.scalar_arg(args, if is_classify { 5 } else { 0 }, span)?;
        self.with_float(t, |c, x, ty| {
            let infinity = c.float_of(f64::INFINITY, ty, span);
            let minus_infinity = c.float_of(f64::NEG_INFINITY, ty, span);
            let compare = |c: &mut Self, op, b: Expr| {
                let a = x(c);
                c.s.make_compare(op, a, b)
            };
            let zero = c.float_of(0.0, ty, span);
            match name {
                "isnan" | "isnanf" | "isnanl" => {
                    let again = x(c);
                    compare(c, CompareOp::Ne, again)
                }
                "isfinite" | "finite" | "finitef" | "finitel" => c.finite(x, zero),
                "isnormal" => {
                    let min = c.smallest_normal(ty, span);
                    let big = c.at_least(x, min, zero.clone());
                    let finite = c.finite(x, zero);
                    let no = c.int_const(0, CTy::INT, span);
                    c.choose(big, finite, no)
                }
                "fpclassify" => {
                    let mut classes = classes.into_iter();
                    let mut next =
                        |c: &mut Self| classes.next().unwrap_or_else(|| c.int_const(0, CTy::INT, span));
                    let (nan, infinite, normal) = (next(c), next(c), next(c));
                    let (subnormal, null) = (next(c), next(c));
                    let again = x(c);
                    let is_nan = compare(c, CompareOp::Ne, again);
                    let is_zero = compare(c, CompareOp::Eq, zero.clone());
                    let is_finite = c.finite(x, zero.clone());
                    let min = c.smallest_normal(ty, span);
                    let is_normal = c.at_least(x, min, zero);
                    let rest = c.choose(is_normal, normal, subnormal);
                    let rest = c.choose(is_zero, null, rest);
                    let rest = c.choose(is_finite, rest, infinite);
                    c.choose(is_nan, nan, rest)
                }
                _ => {
                    let up = compare(c, CompareOp::Eq, infinity);
                    let down = compare(c, CompareOp::Eq, minus_infinity);
                    let one = c.int_const(1, CTy::INT, span);
                    let other = c.int_const(if name == "isinf_sign" { -1 } else { 1 }, CTy::INT, span);
                    let no = c.int_const(0, CTy::INT, span);
                    let rest = c.choose(down, other, no);
                    c.choose(up, one, rest)
                }
            }
        })
    }

    /// `x - x == 0`
    fn finite(&mut self, x: &dyn Fn(&mut Self) -> Expr, zero: Expr) -> Expr {
        let (a, b) = (x(self), x(self));
        let difference = self.s.make_binary(BinaryOp::Sub, a, b);
        self.s.make_compare(CompareOp::Eq, difference, zero)
    }

    /// `(x < 0 ? -x : x) >= min`
    fn at_least(&mut self, x: &dyn Fn(&mut Self) -> Expr, min: Expr, zero: Expr) -> Expr {
        let value = x(self);
        let negative = self.s.make_compare(CompareOp::Lt, value, zero);
        let value = x(self);
        let minus = self.s.make_unary(UnaryOp::Neg, value);
        let value = x(self);
        let magnitude = self.choose(negative, minus, value);
        self.s.make_compare(CompareOp::Ge, magnitude, min)
    }

    fn smallest_normal(&mut self, ty: CTy, span: Span) -> Expr {
        let ir = self.s.ir(ty);
        let min = match self.s.program.types.get(ir) {
            Type::Float(FloatTy::F32) => f64::from(f32::MIN_POSITIVE),
            // For wider types the bound is below what a double holds; the smallest double is near enough.
            Type::Float(FloatTy::F80 | FloatTy::F128) => 5e-324,
            _ => f64::MIN_POSITIVE,
        };
        self.float_of(min, ty, span)
    }

    /// `isless` and so on: comparisons that are false for NaN.
    fn quiet_comparison(&mut self, name: &str, args: &[AstExpr], span: Span) -> R<Typed> {
        let a = self.scalar_arg(args, 0, span)?;
        let b = self.scalar_arg(args, 1, span)?;
        let Balanced { a, b, ty, .. } = self.balance(a, b);
        let simple = match name {
            "isgreater" => Some(CompareOp::Gt),
            "isgreaterequal" => Some(CompareOp::Ge),
            "isless" => Some(CompareOp::Lt),
            "islessequal" => Some(CompareOp::Le),
            _ => None,
        };
        if let Some(op) = simple {
            return Ok(Typed::value(self.s.make_compare(op, a, b), CTy::INT));
        }
        let (ta, tb) = (self.temporary(ty, span), self.temporary(ty, span));
        let left = |c: &mut Self| c.local_value(ta, ty, span);
        let right = |c: &mut Self| c.local_value(tb, ty, span);
        let (first, second) = if name == "isunordered" {
            let (x, y) = (left(self), left(self));
            let first = self.s.make_compare(CompareOp::Ne, x, y);
            let (x, y) = (right(self), right(self));
            (first, self.s.make_compare(CompareOp::Ne, x, y))
        } else {
            let (x, y) = (left(self), right(self));
            let first = self.s.make_compare(CompareOp::Lt, x, y);
            let (x, y) = (left(self), right(self));
            (first, self.s.make_compare(CompareOp::Gt, x, y))
        };
        let ir = self.s.ir(CTy::INT);
        let either = Expr { kind: ExprKind::LogOr(Box::new(first), Box::new(second)), ty: ir, span };
        let inner = Expr {
            kind: ExprKind::Let { temp: tb, value: Box::new(b), body: Box::new(either) },
            ty: ir,
            span,
        };
        let kind = ExprKind::Let { temp: ta, value: Box::new(a), body: Box::new(inner) };
        Ok(Typed::value(Expr { kind, ty: ir, span }, CTy::INT))
    }
}

/// The result of a bit operation on a constant; `None` where it is undefined.
fn fold_bits(op: Intrinsic, ty: IntTy, value: i128) -> Option<i128> {
    let bits = u32::from(ty.bits);
    let raw = (value as u128) & (u128::MAX >> (128 - bits));
    Some(match op {
        Intrinsic::Clz if raw == 0 => return None,
        Intrinsic::Clz => i128::from(raw.leading_zeros() - (128 - bits)),
        Intrinsic::Ctz if raw == 0 => return None,
        Intrinsic::Ctz => i128::from(raw.trailing_zeros()),
        Intrinsic::Ffs if raw == 0 => 0,
        Intrinsic::Ffs => i128::from(raw.trailing_zeros() + 1),
        Intrinsic::Popcount => i128::from(raw.count_ones()),
        Intrinsic::Parity => i128::from(raw.count_ones() % 2),
        Intrinsic::Bswap => (raw.swap_bytes() >> (128 - bits)) as i128,
        _ => return None,
    })
}

/// Whether evaluating an expression may do more than compute a value from what memory holds.
fn may_do_something(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::LabelAddr(_) => false,
        ExprKind::Load(at) | ExprKind::AddrOf(at) => finding_may_do_something(at),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Discard(a) | ExprKind::Not(a) => {
            may_do_something(a)
        }
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PtrAdd { ptr: a, index: b, .. }
        | ExprKind::PtrAddBytes { ptr: a, bytes: b }
        | ExprKind::PtrDiff { lhs: a, rhs: b, .. } => may_do_something(a) || may_do_something(b),
        ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().any(|e| may_do_something(e)),
        ExprKind::Intrinsic { op, args } => !op.only_computes() || args.iter().any(may_do_something),
        ExprKind::Let { .. }
        | ExprKind::Assign { .. }
        | ExprKind::Update { .. }
        | ExprKind::Call { .. }
        | ExprKind::StmtExpr { .. } => true,
    }
}

/// The same of finding out where a place is, and of reading it.
fn finding_may_do_something(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Deref(base) => may_do_something(base),
        PlaceKind::Field { base, .. } => finding_may_do_something(base),
        PlaceKind::Index { base, index, .. } => finding_may_do_something(base) || may_do_something(index),
        PlaceKind::Literal { .. } => true,
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Temporary(_) => false,
    }
}
