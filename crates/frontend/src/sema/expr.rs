//! Expressions: names, literals, access paths, and what asks about types.

use super::alias::Item;
use super::convert::{Kind, Typed};
use super::scope::Decl;
use super::{Checker, R, invalid, unsupported};
use crate::ast::{self, Encoding, OffsetofStep, TypeName, UnaryOp};
use crate::ctype::{ArraySize, CTy, CType, FloatKind, IntKind, QualTy};
use crate::hir::{Expr, ExprKind, Place, PlaceKind};
use crate::symbol::Symbol;
use heapwise_ir::{
    CastKind, Const, Global, GlobalId, GlobalInit, GlobalKind, InitPiece, InitValue, LocalId, RecordId, Span,
};

impl Checker<'_> {
    /// Checks an expression.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> R<Typed> {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Ident(name) => self.identifier(*name, span),
            ast::ExprKind::Int { value, decimal, unsigned, longs } => {
                let ty = self.literal_type(*value, *decimal, *unsigned, *longs);
                Ok(Typed::value(self.int_const(*value as i128, ty, span), ty))
            }
            ast::ExprKind::Float { value, ty, exact } => {
                if !exact {
                    let message = "a floating constant that needs more than the precision of double";
                    return unsupported(span, "unsupported-constant", message);
                }
                self.float_literal(*value, *ty, span)
            }
            ast::ExprKind::Char { value, encoding } => {
                let ty = match encoding {
                    Encoding::Plain => CTy::INT,
                    other => self.unit_type(*other),
                };
                Ok(Typed::value(self.int_const(i128::from(*value), ty, span), ty))
            }
            ast::ExprKind::Str { units, encoding } => self.string_literal(units, *encoding, span),
            ast::ExprKind::Nullptr => {
                let ty = self.s.ir(CTy::NULLPTR);
                Ok(Typed::value(Expr { kind: ExprKind::Const(Const::Null(ty)), ty, span }, CTy::NULLPTR))
            }
            ast::ExprKind::Bool(b) => {
                Ok(Typed::value(self.int_const(i128::from(*b), CTy::BOOL, span), CTy::BOOL))
            }
            ast::ExprKind::FuncName => self.function_name(span),
            ast::ExprKind::Index(a, b) => self.index(a, b, span),
            ast::ExprKind::Call(callee, args) => self.call(callee, args, span),
            ast::ExprKind::Member { base, field, arrow } => self.member_access(base, *field, *arrow, span),
            ast::ExprKind::IncDec { arg, increment, prefix } => {
                self.increment(arg, *increment, *prefix, span)
            }
            ast::ExprKind::Unary(UnaryOp::AddrOf, arg) => self.address_of(arg, span),
            ast::ExprKind::Unary(UnaryOp::Deref, arg) => self.dereference(arg, span),
            ast::ExprKind::Unary(op, arg) => self.unary(*op, arg, span),
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ast::ExprKind::Assign(None, a, b) => self.assignment(a, b, span),
            ast::ExprKind::Assign(Some(op), a, b) => self.compound_assignment(*op, a, b, span),
            ast::ExprKind::Conditional(c, a, b) => self.conditional(c, a.as_deref(), b, span),
            ast::ExprKind::Comma(a, b) => {
                let first = self.expr(a)?;
                let first = self.discard(first);
                let second = self.expr(b)?;
                let second = self.rvalue(second)?;
                let (ty, width) = (second.ty.ty, second.width);
                let second = second.into_expr();
                let ir = second.ty;
                let kind = ExprKind::Comma(Box::new(first), Box::new(second));
                let mut result = Typed::value(Expr { kind, ty: ir, span }, ty);
                result.width = width;
                Ok(result)
            }
            ast::ExprKind::Cast(name, arg) => self.cast(name, arg, span),
            ast::ExprKind::CompoundLiteral(name, list) => self.compound_literal(name, list, span),
            ast::ExprKind::SizeofExpr(arg) => self.sizeof_expr(arg, span),
            ast::ExprKind::SizeofType(name) => {
                let mark = self.fun.pending.len();
                let ty = self.type_name(name)?;
                let size = self.size_expr(ty.ty, span)?;
                let size_t = self.s.size_t();
                Ok(self.after_pending(mark, Typed::value(size, size_t)))
            }
            ast::ExprKind::AlignofType(name, preferred) => {
                let (ty, align) = self.type_name_aligned(name)?;
                let align = align.or_else(|| preferred.then(|| self.s.preferred_align(ty.ty)));
                self.alignof(ty.ty, align, span)
            }
            ast::ExprKind::AlignofExpr(arg) => {
                let t = self.unevaluated(|c| c.expr(arg))?;
                let declared = match &t.kind {
                    Kind::Place(Place { kind: PlaceKind::Local(l), .. }) => {
                        self.fun.locals.get(*l).and_then(|l| l.align)
                    }
                    Kind::Place(Place { kind: PlaceKind::Global(g), .. }) => {
                        self.s.program.globals.get(*g).map(|g| g.align)
                    }
                    _ => None,
                };
                // A member is aligned as its record lays it out, any other object as the compiler likes best.
                let member = matches!(&t.kind, Kind::Place(Place { kind: PlaceKind::Field { .. }, .. }));
                let preferred = (!member).then(|| self.s.preferred_align(t.ty.ty));
                self.alignof(t.ty.ty, declared.max(preferred), span)
            }
            ast::ExprKind::Generic(control, choices) => self.generic(control, choices, span),
            ast::ExprKind::StmtExpr(block) => self.statement_expression(block, span),
            ast::ExprKind::LabelAddr(name) => {
                let label = self.label(*name);
                if let Some(l) = self.fun.labels.get_mut(label) {
                    l.address_taken = true;
                }
                let ty = self.s.ir(CTy::VOID_PTR);
                Ok(Typed::value(Expr { kind: ExprKind::LabelAddr(label), ty, span }, CTy::VOID_PTR))
            }
            ast::ExprKind::VaArg(list, name) => {
                let ty = self.type_name(name)?;
                if self.s.size_of(ty.ty).is_none() || self.s.is_array(ty.ty) {
                    return invalid(name.span, "bad-va-arg", "type of a variable argument is incomplete");
                }
                self.va_arg(list, ty, span)
            }
            ast::ExprKind::Offsetof(name, path) => self.offsetof(name, path, span),
            ast::ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                let same = self.builtin_compatible(a.ty, b.ty);
                Ok(Typed::value(self.int_const(i128::from(same), CTy::INT, span), CTy::INT))
            }
            ast::ExprKind::ChooseExpr(c, a, b) => {
                if self.integer_constant(c)? != 0 {
                    self.expr(a)
                } else {
                    self.expr(b)
                }
            }
            ast::ExprKind::RealImag { imag, arg } => {
                let t = self.expr(arg)?;
                let t = self.scalar(t)?;
                if !*imag {
                    return Ok(t);
                }
                let ty = t.ty.ty;
                let zero = self.int_const(0, CTy::INT, span);
                Ok(Typed::value(self.cast_expr(zero, CTy::INT, ty), ty))
            }
        }
    }

    /// `__builtin_types_compatible_p`: enumerations are all distinct, qualifiers do not matter.
    fn builtin_compatible(&self, a: CTy, b: CTy) -> bool {
        match (self.s.types.get(a), self.s.types.get(b)) {
            (CType::Enum(x), CType::Enum(y)) => x == y,
            _ => self.s.compatible(a, b),
        }
    }

    fn literal_type(&self, value: u128, decimal: bool, unsigned: bool, longs: u8) -> CTy {
        use IntKind::*;
        let model = self.s.program.model;
        let candidates: &[IntKind] = match longs {
            0 => &[Int, UInt, Long, ULong, LongLong, ULongLong, Int128, UInt128],
            1 => &[Long, ULong, LongLong, ULongLong, Int128, UInt128],
            _ => &[LongLong, ULongLong, Int128, UInt128],
        };
        for &kind in candidates {
            let allowed = if unsigned { !kind.signed() } else { kind.signed() || !decimal };
            let bits = u32::from(kind.bits(model)) - u32::from(kind.signed());
            if allowed && (bits >= 128 || value >> bits == 0) {
                return CTy::int(kind);
            }
        }
        CTy::int(UInt128)
    }

    fn float_literal(&mut self, value: f64, ty: ast::BasicType, span: Span) -> R<Typed> {
        let kind = match ty {
            ast::BasicType::Float => FloatKind::Float,
            ast::BasicType::Double => FloatKind::Double,
            ast::BasicType::LongDouble => FloatKind::LongDouble,
            ast::BasicType::Float128 => FloatKind::Float128,
            _ => return unsupported(span, "unsupported-complex", "an imaginary constant"),
        };
        let ty = CTy::float(kind);
        let ir = self.s.ir(ty);
        let value = super::constant::round_float(self.s.program.types.get(ir), value);
        Ok(Typed::value(Expr { kind: ExprKind::Const(Const::Float { value, ty: ir }), ty: ir, span }, ty))
    }

    /// The type of a code unit of a literal.
    pub(super) fn unit_type(&self, encoding: Encoding) -> CTy {
        match encoding {
            Encoding::Plain => CTy::CHAR,
            Encoding::Utf8 => CTy::int(IntKind::UChar),
            Encoding::Utf16 => CTy::int(IntKind::UShort),
            Encoding::Utf32 => CTy::UINT,
            Encoding::Wide => self.s.wchar_t(),
        }
    }

    /// The type of the elements of a string literal, and its bytes without the final zero.
    pub(super) fn string_bytes(&mut self, units: &[u32], encoding: Encoding) -> (CTy, Vec<u8>) {
        let elem = match encoding {
            Encoding::Plain | Encoding::Utf8 => CTy::CHAR,
            other => self.unit_type(other),
        };
        let bytes = match self.s.size_of(elem) {
            Some(2) => units.iter().flat_map(|u| (*u as u16).to_le_bytes()).collect(),
            Some(4) => units.iter().flat_map(|u| u.to_le_bytes()).collect(),
            _ => units.iter().map(|u| *u as u8).collect(),
        };
        (elem, bytes)
    }

    fn string_literal(&mut self, units: &[u32], encoding: Encoding, span: Span) -> R<Typed> {
        let (elem, bytes) = self.string_bytes(units, encoding);
        let length = units.len() as u64 + 1;
        Ok(self.literal_object(elem, length, bytes, span))
    }

    pub(super) fn literal_object(&mut self, elem: CTy, length: u64, bytes: Vec<u8>, span: Span) -> Typed {
        let ty = self.s.types.intern(CType::Array(elem.into(), ArraySize::Const(length)));
        let ir = self.s.ir(ty);
        let name = format!(".str.{}", self.s.program.globals.len()).into();
        let global = self.s.program.globals.push(Global {
            name,
            ty: ir,
            size: self.s.program.types.size(ir),
            align: self.s.program.types.align(ir),
            init: GlobalInit::Data(if bytes.is_empty() {
                Vec::new()
            } else {
                vec![InitPiece { offset: 0, value: InitValue::Bytes(bytes) }]
            }),
            kind: GlobalKind::Literal,
            constant: true,
            span,
        });
        Typed::place(Place { kind: PlaceKind::Global(global), ty: ir, span }, ty.into())
    }

    fn function_name(&mut self, span: Span) -> R<Typed> {
        if let Some((global, ty)) = self.fun.name_object {
            let ir = self.s.ir(ty);
            return Ok(Typed::place(Place { kind: PlaceKind::Global(global), ty: ir, span }, ty.into()));
        }
        let bytes: Vec<u8> = self.fun.name.bytes().collect();
        let t = self.literal_object(CTy::CHAR, bytes.len() as u64 + 1, bytes, span);
        if let Kind::Place(Place { kind: PlaceKind::Global(g), .. }) = &t.kind {
            self.fun.name_object = Some((*g, t.ty.ty));
        }
        Ok(t)
    }

    fn identifier(&mut self, name: Symbol, span: Span) -> R<Typed> {
        let Some(decl) = self.scopes.lookup(name) else {
            if let Some(t) = self.library_builtin_value(name, span) {
                return Ok(t);
            }
            let message = format!("'{}' is not declared", self.name(name));
            return invalid(span, "undeclared", message);
        };
        match decl {
            Decl::EnumConst { value, ty } => {
                let (value, ty) = (*value, *ty);
                Ok(Typed::value(self.int_const(value, ty, span), ty))
            }
            Decl::Local { id, ty, constant } => {
                let (id, ty, constant) = (*id, *ty, constant.clone());
                let mut t = self.local_object(id, ty, span);
                t.constant = constant.map(Box::new);
                self.usable(t)
            }
            Decl::Global { id, ty, constant } => {
                let (id, ty, constant) = (*id, *ty, constant.clone());
                let mut t = self.global_object(id, ty, span);
                t.constant = constant.map(Box::new);
                if let Kind::Place(place) = &t.kind
                    && self.may_be_absent(Item::Object(id))
                {
                    t.kind = Kind::Place(self.weak_object(id, ty, place.clone()));
                }
                self.usable(t)
            }
            Decl::Function { id, ty } => {
                let (id, ty) = (*id, *ty);
                self.function_value(id, ty, span)
            }
            Decl::Prototype { ty } => {
                let ty = *ty;
                Ok(self.local_object(LocalId(u32::MAX), ty, span))
            }
            Decl::Typedef { .. } => invalid(span, "not-a-value", format!("'{}' is a type", self.name(name))),
            Decl::Broken => {
                let message = format!("'{}' was not declared correctly", self.name(name));
                unsupported(span, "broken-declaration", message)
            }
        }
    }

    fn usable(&self, t: Typed) -> R<Typed> {
        if t.ty.ty == CTy::ERROR {
            return unsupported(t.span(), "broken-declaration", "the type of this object is not known");
        }
        Ok(t)
    }

    /// The object that a local variable names.
    pub(super) fn local_object(&mut self, id: LocalId, ty: QualTy, span: Span) -> Typed {
        if self.s.has_variable_size(ty.ty) {
            let pointer = self.vla_pointer_type(ty.ty);
            let storage = self.local_value(id, pointer, span);
            let place = Place { kind: PlaceKind::Deref(Box::new(storage)), ty: self.s.ir(ty.ty), span };
            return Typed::place(place, ty);
        }
        let place = self.local_place(id, ty.ty, span);
        Typed::place(place, ty)
    }

    /// The type of the hidden pointer to the storage of a variable-length array.
    pub(super) fn vla_pointer_type(&mut self, array: CTy) -> CTy {
        let elem = self.s.element(array).map_or(CTy::CHAR.into(), |(e, _)| e);
        self.s.pointer_to(elem)
    }

    pub(super) fn global_object(&mut self, id: GlobalId, ty: QualTy, span: Span) -> Typed {
        let ir = self.s.ir(ty.ty);
        Typed::place(Place { kind: PlaceKind::Global(id), ty: ir, span }, ty)
    }

    /// The object that a pointer value points to.
    pub(super) fn deref_value(&mut self, pointer: Expr, to: QualTy, span: Span) -> Typed {
        let ir = self.s.ir(to.ty);
        let place = match pointer.kind {
            // The pointer was made one to what may be written.
            ExprKind::AddrOf(ref place) if !to.quals.is_const && place.in_constant(&self.fun.locals) => {
                Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: ir, span }
            }
            ExprKind::AddrOf(place) if place.ty == ir => Place { span, ..place },
            ExprKind::AddrOf(place) if self.is_array_of(place.ty, ir) => {
                let stride = self.s.program.types.size(ir);
                let index = Box::new(self.int_const(0, CTy::INT, span));
                Place { kind: PlaceKind::Index { base: Box::new(place), index, stride }, ty: ir, span }
            }
            _ => Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: ir, span },
        };
        Typed::place(place, to)
    }

    fn is_array_of(&self, array: heapwise_ir::Ty, elem: heapwise_ir::Ty) -> bool {
        matches!(self.s.program.types.get(array),
            heapwise_ir::Type::Array { elem: e, len: Some(_) } if *e == elem)
    }

    fn dereference(&mut self, arg: &ast::Expr, span: Span) -> R<Typed> {
        let t = self.expr(arg)?;
        if let Kind::Function(_) = t.kind {
            return Ok(t);
        }
        let t = self.rvalue(t)?;
        let Some(to) = self.s.pointee(t.ty.ty) else {
            let message = format!("cannot dereference a value of type {}", self.s.describe(t.ty.ty));
            return invalid(span, "not-a-pointer", message);
        };
        if self.s.is_function(to.ty) {
            return Ok(Typed { ty: to, kind: Kind::Function(t.into_expr()), width: None, constant: None });
        }
        Ok(self.deref_value(t.into_expr(), to, span))
    }

    fn address_of(&mut self, arg: &ast::Expr, span: Span) -> R<Typed> {
        let t = self.expr(arg)?;
        if t.width.is_some() {
            return invalid(span, "address-of-bit-field", "address of a bit-field");
        }
        let ty = self.s.pointer_to(t.ty);
        let ir = self.s.ir(ty);
        match t.kind {
            Kind::Function(mut e) => {
                e.ty = ir;
                e.span = span;
                Ok(Typed::value(e, ty))
            }
            Kind::Place(Place { kind: PlaceKind::Deref(pointer), .. }) => {
                let mut pointer = *pointer;
                if pointer.ty != ir {
                    pointer = self.s.make_cast(CastKind::PtrToPtr, pointer, ir);
                }
                pointer.span = span;
                Ok(Typed::value(pointer, ty))
            }
            Kind::Place(place) => Ok(Typed::value(Expr { kind: ExprKind::AddrOf(place), ty: ir, span }, ty)),
            Kind::Value(_) => invalid(span, "not-an-lvalue", "address of something that is not an object"),
        }
    }

    fn index(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> R<Typed> {
        let base = self.expr(a)?;
        let index = self.expr(b)?;
        if self.s.is_opaque(base.ty.ty) {
            return unsupported(span, "unsupported-vector", "element of a vector");
        }
        // `2[a]` is as good as `a[2]`.
        let (base, index) = if self.s.is_integer(base.ty.ty) { (index, base) } else { (base, index) };
        let index = self.rvalue(index)?;
        if !self.s.is_integer(index.ty.ty) {
            return invalid(span, "bad-index", "index is not an integer");
        }
        let index = self.promote(index).into_expr();
        if let (CType::Array(elem, _), Kind::Place(_)) = (self.s.types.get(base.ty.ty).clone(), &base.kind)
            && let Some(stride) = self.s.size_of(elem.ty)
        {
            let Kind::Place(place) = base.kind else { return invalid(span, "bad-index", "not an array") };
            let ty = self.s.ir(elem.ty);
            let kind = PlaceKind::Index { base: Box::new(place), index: Box::new(index), stride };
            return Ok(Typed::place(Place { kind, ty, span }, elem));
        }
        let base = self.rvalue(base)?;
        let Some(to) = self.s.pointee(base.ty.ty) else {
            let message = format!("cannot index a value of type {}", self.s.describe(base.ty.ty));
            return invalid(span, "not-a-pointer", message);
        };
        let pointer = self.pointer_add(base, index, false, span)?;
        Ok(self.deref_value(pointer.into_expr(), to, span))
    }

    fn member_access(&mut self, base: &ast::Expr, field: Symbol, arrow: bool, span: Span) -> R<Typed> {
        let t = self.expr(base)?;
        let t = if arrow {
            let t = self.rvalue(t)?;
            let Some(to) = self.s.pointee(t.ty.ty) else {
                let message = format!("'->' on a value of type {}", self.s.describe(t.ty.ty));
                return invalid(span, "not-a-pointer", message);
            };
            let at = t.span();
            self.deref_value(t.into_expr(), to, at)
        } else {
            t
        };
        let Some(record) = self.s.record_of(t.ty.ty) else {
            let message = format!("a value of type {} has no members", self.s.describe(t.ty.ty));
            return invalid(span, "no-such-member", message);
        };
        let Some(path) = self.find_member(record, field) else {
            let message = if self.s.records.get(record).is_some_and(|r| r.complete) {
                format!("{} has no member '{}'", self.s.describe(t.ty.ty), self.name(field))
            } else {
                format!("{} is incomplete", self.s.describe(t.ty.ty))
            };
            return invalid(span, "no-such-member", message);
        };
        let quals = t.ty.quals;
        let mut place = match t.kind {
            Kind::Place(p) => p,
            Kind::Value(e) | Kind::Function(e) => {
                Place { ty: e.ty, span: e.span, kind: PlaceKind::Temporary(Box::new(e)) }
            }
        };
        let mut here = record;
        let mut result = (t.ty, None);
        for index in path {
            let Some((ty, width)) = self.step_into(&mut place, here, index, span) else {
                return invalid(span, "no-such-member", "no such member");
            };
            result = (ty, width);
            if let Some(inner) = self.s.record_of(ty.ty) {
                here = inner;
            }
        }
        let ty = self.s.qualify(result.0, quals);
        self.usable(Typed { ty, kind: Kind::Place(place), width: result.1, constant: None })
    }

    /// Replaces a place by one of its members.
    pub(super) fn step_into(
        &mut self,
        place: &mut Place,
        record: RecordId,
        index: u32,
        span: Span,
    ) -> Option<(QualTy, Option<u8>)> {
        let (ty, field, width) = self.member_at(record, index)?;
        let ir = self.s.ir(ty.ty);
        let hole = Place { kind: PlaceKind::Local(LocalId(0)), ty: ir, span };
        let base = Box::new(std::mem::replace(place, hole));
        place.kind = PlaceKind::Field { base, record, field };
        Some((ty, width))
    }

    fn cast(&mut self, name: &TypeName, arg: &ast::Expr, span: Span) -> R<Typed> {
        let mark = self.fun.pending.len();
        let ty = self.type_name(name)?;
        let t = self.expr(arg)?;
        if ty.ty == CTy::VOID {
            let inner = Box::new(self.discard(t));
            let void = self.s.ir(CTy::VOID);
            let value = Typed::value(Expr { kind: ExprKind::Discard(inner), ty: void, span }, CTy::VOID);
            return Ok(self.after_pending(mark, value));
        }
        if self.s.is_array(ty.ty) || self.s.is_function(ty.ty) {
            return invalid(span, "bad-cast", "cast to an array or function type");
        }
        let value = self.explicit_cast(t, ty, span)?;
        Ok(self.after_pending(mark, value))
    }

    /// An expression evaluated for effect only.
    pub(super) fn discard(&mut self, t: Typed) -> Expr {
        match t.kind {
            Kind::Value(e) | Kind::Function(e) => e,
            Kind::Place(place) => {
                let span = place.span;
                if self.s.is_scalar(t.ty.ty) {
                    return Expr { ty: place.ty, kind: ExprKind::Load(place), span };
                }
                // An aggregate is not read; what leads to it is evaluated.
                match place.kind {
                    PlaceKind::Local(_) | PlaceKind::Global(_) => self.int_const(0, CTy::INT, span),
                    _ => {
                        let ty = self.s.program.types.pointer(place.ty);
                        Expr { kind: ExprKind::AddrOf(place), ty, span }
                    }
                }
            }
        }
    }

    /// Checks something that is not evaluated: objects it needs are forgotten.
    pub(super) fn unevaluated<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let literals = self.fun.literals.last().map_or(0, Vec::len);
        let pending = self.fun.pending.len();
        let result = f(self);
        if let Some(block) = self.fun.literals.last_mut() {
            block.truncate(literals);
        }
        self.fun.pending.truncate(pending);
        result
    }

    pub(super) fn typeof_expr(&mut self, arg: &ast::Expr) -> R<QualTy> {
        Ok(self.unevaluated(|c| c.expr(arg))?.ty)
    }

    fn sizeof_expr(&mut self, arg: &ast::Expr, span: Span) -> R<Typed> {
        let size_t = self.s.size_t();
        if let ast::ExprKind::Str { units, encoding } = &arg.kind {
            let (elem, _) = self.string_bytes(&[], *encoding);
            let unit = self.s.size_of(elem).unwrap_or(1);
            let size = (units.len() as u64 + 1).saturating_mul(unit);
            return Ok(Typed::value(self.int_const(i128::from(size), size_t, span), size_t));
        }
        let t = self.unevaluated(|c| c.expr(arg))?;
        if t.width.is_some() && matches!(t.kind, Kind::Place(_)) {
            return invalid(span, "sizeof-bit-field", "sizeof of a bit-field");
        }
        let size = self.size_expr(t.ty.ty, span)?;
        Ok(Typed::value(size, size_t))
    }

    fn alignof(&mut self, ty: CTy, declared: Option<u64>, span: Span) -> R<Typed> {
        let size_t = self.s.size_t();
        let align = declared.unwrap_or_else(|| self.s.align_of(ty));
        Ok(Typed::value(self.int_const(i128::from(align), size_t, span), size_t))
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        choices: &[(Option<TypeName>, ast::Expr)],
        span: Span,
    ) -> R<Typed> {
        let t = self.unevaluated(|c| {
            let t = c.expr(control)?;
            c.rvalue(t)
        })?;
        let mut fallback = None;
        for (name, choice) in choices {
            let Some(name) = name else {
                fallback = Some(choice);
                continue;
            };
            let ty = self.unevaluated(|c| c.type_name(name))?;
            if ty.quals == ast::Quals::default() && self.generic_match(t.ty.ty, ty.ty) {
                return self.expr(choice);
            }
        }
        match fallback {
            Some(choice) => self.expr(choice),
            None => {
                let message = format!("no choice of _Generic fits {}", self.s.describe(t.ty.ty));
                invalid(span, "no-generic-choice", message)
            }
        }
    }

    /// `char`, `signed char` and so on are different here although their IR types agree.
    fn generic_match(&self, a: CTy, b: CTy) -> bool {
        a == b || self.s.compatible(a, b)
    }

    fn offsetof(&mut self, name: &TypeName, path: &[OffsetofStep], span: Span) -> R<Typed> {
        let size_t = self.s.size_t();
        let ty = self.type_name(name)?;
        let mut here = ty.ty;
        let mut offset = 0u64;
        let mut dynamic: Option<Expr> = None;
        for step in path {
            match step {
                OffsetofStep::Field(field, at) => {
                    let found = self
                        .s
                        .record_of(here)
                        .and_then(|record| Some((record, self.find_member(record, *field)?)));
                    let Some((mut record, indices)) = found else {
                        let message =
                            format!("{} has no member '{}'", self.s.describe(here), self.name(*field));
                        return invalid(*at, "no-such-member", message);
                    };
                    for index in indices {
                        let Some((ty, field, _)) = self.member_at(record, index) else { continue };
                        let (at, _) = self.field_position(record, field);
                        offset = offset.saturating_add(at);
                        here = ty.ty;
                        if let Some(inner) = self.s.record_of(here) {
                            record = inner;
                        }
                    }
                }
                OffsetofStep::Index(index) => {
                    let Some((elem, _)) = self.s.element(here) else {
                        return invalid(index.span, "bad-index", "index into something that is no array");
                    };
                    let size = self.s.size_of(elem.ty).unwrap_or(0);
                    here = elem.ty;
                    let t = self.expr(index)?;
                    let t = self.scalar(t)?;
                    let from = t.ty.ty;
                    let value = self.cast_expr(t.into_expr(), from, size_t);
                    if let Some(i) = self.int_value(&value) {
                        offset = offset.wrapping_add((i as u64).wrapping_mul(size));
                    } else {
                        let size = self.int_const(i128::from(size), size_t, span);
                        let part = self.s.make_binary(heapwise_ir::BinaryOp::Mul, value, size);
                        dynamic = Some(match dynamic {
                            None => part,
                            Some(d) => self.s.make_binary(heapwise_ir::BinaryOp::Add, d, part),
                        });
                    }
                }
            }
        }
        let constant = self.int_const(i128::from(offset), size_t, span);
        let value = match dynamic {
            None => constant,
            Some(d) => self.s.make_binary(heapwise_ir::BinaryOp::Add, d, constant),
        };
        Ok(Typed::value(value, size_t))
    }
}
