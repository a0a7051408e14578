//! Questions about C types: kinds, sizes, their IR counterpart, compatibility and composite types.

use super::Sema;
use crate::ast::Quals;
use crate::ctype::{ArraySize, CTy, CType, FloatKind, FunctionType, IntKind, QualTy};
use heapwise_ir::{DataModel, FloatTy, IntTy, RecordId, Ty, Type};

impl Sema {
    pub(super) fn is_lp64(&self) -> bool {
        self.program.model == DataModel::Lp64
    }
    pub(super) fn size_t(&self) -> CTy {
        if self.is_lp64() { CTy::ULONG } else { CTy::UINT }
    }
    pub(super) fn ptrdiff_t(&self) -> CTy {
        if self.is_lp64() { CTy::LONG } else { CTy::INT }
    }
    pub(super) fn wchar_t(&self) -> CTy {
        if self.is_lp64() { CTy::INT } else { CTy::LONG }
    }
    pub(super) fn pointer_to(&mut self, to: impl Into<QualTy>) -> CTy {
        self.types.intern(CType::Pointer(to.into()))
    }

    /// The IR type that stands for `ty`.
    pub(super) fn ir(&mut self, ty: CTy) -> Ty {
        if let Some(Some(known)) = self.ir_types.get(ty.0 as usize) {
            return *known;
        }
        let structure = match self.types.get(ty).clone() {
            CType::Void | CType::Error => Type::Void,
            CType::Int(IntKind::Bool) => Type::Bool,
            CType::Int(kind) => {
                Type::Int(IntTy { bits: kind.bits(self.program.model), signed: kind.signed() })
            }
            CType::Float(kind) => Type::Float(float_ty(kind)),
            CType::Complex(kind) => {
                let part = self.program.types.intern(Type::Float(float_ty(kind)));
                let size = self.program.types.size(part) * 2;
                Type::Opaque { size, align: self.program.types.align(part) }
            }
            CType::Enum(id) => {
                let info = self.enums.get(id);
                let kind = info.map_or(IntKind::UInt, |e| e.kind);
                let complete = info.is_some_and(|e| e.complete);
                let result = self.ir(CTy::int(kind));
                if complete {
                    self.remember_ir(ty, result);
                }
                return result;
            }
            CType::Pointer(to) => {
                let to = self.ir(to.ty);
                Type::Pointer(to)
            }
            CType::Array(elem, size) => {
                let len = match size {
                    ArraySize::Const(n) => Some(n),
                    _ => None,
                };
                let elem = self.ir(elem.ty);
                Type::Array { elem, len }
            }
            CType::Function(f) => {
                let ret = self.ir(f.ret.ty);
                let params = f.params.iter().map(|p| self.ir(p.ty)).collect();
                Type::Function { ret, params, variadic: f.variadic || !f.prototyped }
            }
            CType::Record(id) => Type::Record(id),
            CType::Vector(_, size) => Type::Opaque { size, align: size.max(1) },
            CType::VaList if self.is_lp64() => Type::Opaque { size: 24, align: 8 },
            CType::VaList => Type::Opaque { size: 4, align: 4 },
            CType::Nullptr => {
                let void = self.ir(CTy::VOID);
                Type::Pointer(void)
            }
        };
        let result = self.program.types.intern(structure);
        self.remember_ir(ty, result);
        result
    }

    fn remember_ir(&mut self, ty: CTy, result: Ty) {
        let i = ty.0 as usize;
        if self.ir_types.len() <= i {
            self.ir_types.resize(i + 1, None);
        }
        if let Some(slot) = self.ir_types.get_mut(i) {
            *slot = Some(result);
        }
    }

    /// Size in bytes; `None` for incomplete types and those whose size is known at run time only.
    pub(super) fn size_of(&mut self, ty: CTy) -> Option<u64> {
        match self.types.get(ty) {
            CType::Void | CType::Function(_) => Some(1),
            CType::Error => None,
            CType::Array(elem, ArraySize::Const(n)) => {
                let (elem, n) = (elem.ty, *n);
                Some(self.size_of(elem)?.saturating_mul(n))
            }
            CType::Array(..) => None,
            CType::Record(id) => {
                let id = *id;
                if self.records.get(id).is_some_and(|r| r.complete) {
                    self.program.types.records.get(id).map(|r| r.size)
                } else {
                    None
                }
            }
            _ => {
                let ir = self.ir(ty);
                Some(self.program.types.size(ir))
            }
        }
    }

    /// Alignment in bytes as members of records have it.
    pub(super) fn align_of(&mut self, ty: CTy) -> u64 {
        let ir = self.ir(ty);
        self.program.types.align(ir).max(1)
    }

    /// The alignment that the compiler prefers for an object of its own: on 32-bit x86 eight-byte numbers are
    /// aligned more strictly there than inside records.
    pub(super) fn preferred_align(&mut self, ty: CTy) -> u64 {
        let natural = self.align_of(ty);
        let element = match *self.types.get(ty) {
            CType::Array(elem, _) => return natural.max(self.preferred_align(elem.ty)),
            CType::Int(_) | CType::Enum(_) | CType::Float(_) => self.size_of(ty),
            _ => None,
        };
        if element == Some(8) { 8 } else { natural }
    }

    /// Whether the size depends on a value of the run.
    pub(super) fn has_variable_size(&self, ty: CTy) -> bool {
        match self.types.get(ty) {
            CType::Array(_, ArraySize::Vla(_)) => true,
            CType::Array(elem, _) => self.has_variable_size(elem.ty),
            _ => false,
        }
    }

    /// The integer type behind an integer or enumerated type.
    pub(super) fn int_kind(&self, ty: CTy) -> Option<IntKind> {
        match self.types.get(ty) {
            CType::Int(kind) => Some(*kind),
            CType::Enum(id) => Some(self.enums.get(*id).map_or(IntKind::UInt, |e| e.kind)),
            _ => None,
        }
    }
    pub(super) fn int_ty(&self, ty: CTy) -> Option<IntTy> {
        let kind = self.int_kind(ty)?;
        Some(IntTy { bits: kind.bits(self.program.model), signed: kind.signed() })
    }
    pub(super) fn is_integer(&self, ty: CTy) -> bool {
        self.int_kind(ty).is_some()
    }
    pub(super) fn is_float(&self, ty: CTy) -> bool {
        matches!(self.types.get(ty), CType::Float(_))
    }
    pub(super) fn is_arithmetic(&self, ty: CTy) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }
    pub(super) fn is_pointer(&self, ty: CTy) -> bool {
        matches!(self.types.get(ty), CType::Pointer(_) | CType::Nullptr)
    }
    pub(super) fn is_scalar(&self, ty: CTy) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }
    pub(super) fn is_function(&self, ty: CTy) -> bool {
        matches!(self.types.get(ty), CType::Function(_))
    }
    pub(super) fn is_array(&self, ty: CTy) -> bool {
        matches!(self.types.get(ty), CType::Array(..))
    }
    /// Types whose bytes can only be copied.
    pub(super) fn is_opaque(&self, ty: CTy) -> bool {
        matches!(self.types.get(ty), CType::Complex(_) | CType::Vector(..))
    }
    pub(super) fn pointee(&self, ty: CTy) -> Option<QualTy> {
        match self.types.get(ty) {
            CType::Pointer(to) => Some(*to),
            CType::Nullptr => Some(CTy::VOID.into()),
            _ => None,
        }
    }
    pub(super) fn record_of(&self, ty: CTy) -> Option<RecordId> {
        match self.types.get(ty) {
            CType::Record(id) => Some(*id),
            _ => None,
        }
    }
    pub(super) fn element(&self, ty: CTy) -> Option<(QualTy, ArraySize)> {
        match self.types.get(ty) {
            CType::Array(elem, size) => Some((*elem, *size)),
            _ => None,
        }
    }
    pub(super) fn function_type(&self, ty: CTy) -> Option<&FunctionType> {
        match self.types.get(ty) {
            CType::Function(f) => Some(f),
            _ => None,
        }
    }

    /// Adds qualifiers; those of an array go to its elements.
    pub(super) fn qualify(&mut self, ty: QualTy, quals: Quals) -> QualTy {
        if let CType::Array(elem, size) = *self.types.get(ty.ty) {
            let elem = self.qualify(elem, quals);
            return QualTy { ty: self.types.intern(CType::Array(elem, size)), quals: ty.quals };
        }
        QualTy { ty: ty.ty, quals: merge_quals(ty.quals, quals) }
    }

    /// Whether two types are compatible, ignoring their outermost qualifiers. Records of different units are
    /// compared member by member.
    pub(super) fn compatible(&self, a: CTy, b: CTy) -> bool {
        self.compatible_within(a, b, 24)
    }

    fn compatible_within(&self, a: CTy, b: CTy, fuel: u32) -> bool {
        if a == b || fuel == 0 {
            return true;
        }
        let again = |a: QualTy, b: QualTy| a.quals == b.quals && self.compatible_within(a.ty, b.ty, fuel - 1);
        match (self.types.get(a), self.types.get(b)) {
            (CType::Error, _) | (_, CType::Error) => true,
            (CType::Enum(e), other) | (other, CType::Enum(e)) => {
                let kind = self.enums.get(*e).map_or(IntKind::UInt, |e| e.kind);
                match other {
                    CType::Int(k) => *k == kind,
                    CType::Enum(f) => self.enums.get(*f).is_some_and(|f| f.kind == kind),
                    _ => false,
                }
            }
            (CType::Pointer(a), CType::Pointer(b)) => again(*a, *b),
            (CType::Array(a, n), CType::Array(b, m)) => {
                again(*a, *b)
                    && match (n, m) {
                        (ArraySize::Const(n), ArraySize::Const(m)) => n == m,
                        _ => true,
                    }
            }
            (CType::Function(f), CType::Function(g)) => {
                if !self.compatible_within(f.ret.ty, g.ret.ty, fuel - 1) {
                    return false;
                }
                if !f.prototyped || !g.prototyped {
                    return true;
                }
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params
                        .iter()
                        .zip(g.params.iter())
                        .all(|(p, q)| self.compatible_within(p.ty, q.ty, fuel - 1))
            }
            (CType::Record(r), CType::Record(q)) => self.same_record(*r, *q, fuel - 1),
            (CType::Vector(a, n), CType::Vector(b, m)) => n == m && a == b,
            _ => false,
        }
    }

    /// Structural comparison of records that come from different units.
    fn same_record(&self, a: RecordId, b: RecordId, fuel: u32) -> bool {
        if a == b || fuel == 0 {
            return true;
        }
        let table = &self.program.types.records;
        let (Some(x), Some(y)) = (table.get(a), table.get(b)) else { return false };
        if x.kind != y.kind || x.name != y.name {
            return false;
        }
        let (Some(c), Some(d)) = (self.records.get(a), self.records.get(b)) else { return false };
        if !c.complete || !d.complete {
            return x.name.is_some();
        }
        // Two complete records of one unit are different types; units are told apart by the linker's mark.
        if self.linker.unit_of_record(a) == self.linker.unit_of_record(b) {
            return false;
        }
        x.size == y.size
            && x.fields.len() == y.fields.len()
            && x.fields
                .iter()
                .zip(&y.fields)
                .all(|(f, g)| f.name == g.name && f.offset == g.offset && f.bits == g.bits)
            && c.members.len() == d.members.len()
            && c.members
                .iter()
                .zip(&d.members)
                .all(|(f, g)| self.compatible_within(f.ty.ty, g.ty.ty, fuel / 2))
    }

    /// The composite of two compatible types: knows what either knows.
    pub(super) fn composite(&mut self, a: CTy, b: CTy) -> CTy {
        if a == b {
            return a;
        }
        match (self.types.get(a).clone(), self.types.get(b).clone()) {
            (CType::Error, _) => b,
            (CType::Array(x, n), CType::Array(y, m)) => {
                let elem = QualTy { ty: self.composite(x.ty, y.ty), quals: x.quals };
                let size = match (n, m) {
                    (ArraySize::Const(_), _) => n,
                    (_, ArraySize::Const(_)) => m,
                    (ArraySize::Vla(_), _) => n,
                    (_, ArraySize::Vla(_)) => m,
                    _ => n,
                };
                self.types.intern(CType::Array(elem, size))
            }
            (CType::Pointer(x), CType::Pointer(y)) => {
                let to = QualTy { ty: self.composite(x.ty, y.ty), quals: x.quals };
                self.types.intern(CType::Pointer(to))
            }
            (CType::Function(f), CType::Function(g)) => {
                let ret = QualTy { ty: self.composite(f.ret.ty, g.ret.ty), quals: f.ret.quals };
                let (params, variadic, prototyped) = match (f.prototyped, g.prototyped) {
                    (true, true) => {
                        let params = f.params.iter().zip(g.params.iter());
                        let params = params
                            .map(|(p, q)| QualTy { ty: self.composite(p.ty, q.ty), quals: p.quals })
                            .collect();
                        (params, f.variadic, true)
                    }
                    (true, false) => (f.params, f.variadic, true),
                    (false, true) => (g.params, g.variadic, true),
                    // A definition in the old style knows its parameters without being a prototype.
                    (false, false) if f.params.is_empty() => (g.params, g.variadic, false),
                    (false, false) => (f.params, f.variadic, false),
                };
                self.types.intern(CType::Function(FunctionType { ret, params, variadic, prototyped }))
            }
            (CType::Int(_), CType::Enum(_)) => b,
            _ => a,
        }
    }

    /// The type as a user would write it, for messages.
    pub(super) fn describe(&self, ty: CTy) -> String {
        self.describe_within(ty, 8)
    }

    fn describe_within(&self, ty: CTy, fuel: u32) -> String {
        if fuel == 0 {
            return "…".into();
        }
        let inner = |q: &QualTy| {
            let c = if q.quals.is_const { "const " } else { "" };
            format!("{c}{}", self.describe_within(q.ty, fuel - 1))
        };
        match self.types.get(ty) {
            CType::Void => "void".into(),
            CType::Int(kind) => int_name(*kind).into(),
            CType::Float(kind) => float_name(*kind).into(),
            CType::Complex(kind) => format!("_Complex {}", float_name(*kind)),
            CType::Enum(_) => "enum".into(),
            CType::Pointer(to) => format!("{} *", inner(to)),
            CType::Array(elem, ArraySize::Const(n)) => format!("{}[{n}]", inner(elem)),
            CType::Array(elem, _) => format!("{}[]", inner(elem)),
            CType::Function(f) => {
                let params: Vec<String> = f.params.iter().map(inner).collect();
                format!("{}({})", inner(&f.ret), params.join(", "))
            }
            CType::Record(id) => {
                let record = self.program.types.records.get(*id);
                let kind = match record.map(|r| r.kind) {
                    Some(heapwise_ir::RecordKind::Union) => "union",
                    _ => "struct",
                };
                match record.and_then(|r| r.name.as_deref()) {
                    Some(name) => format!("{kind} {name}"),
                    None => kind.into(),
                }
            }
            CType::Vector(..) => "vector".into(),
            CType::VaList => "va_list".into(),
            CType::Nullptr => "nullptr_t".into(),
            CType::Error => "unknown type".into(),
        }
    }
}

pub(super) fn merge_quals(a: Quals, b: Quals) -> Quals {
    Quals {
        is_const: a.is_const || b.is_const,
        is_volatile: a.is_volatile || b.is_volatile,
        is_restrict: a.is_restrict || b.is_restrict,
        is_atomic: a.is_atomic || b.is_atomic,
    }
}

fn float_ty(kind: FloatKind) -> FloatTy {
    match kind {
        FloatKind::Float => FloatTy::F32,
        FloatKind::Double => FloatTy::F64,
        FloatKind::LongDouble => FloatTy::F80,
        FloatKind::Float128 => FloatTy::F128,
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "__float128",
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}
