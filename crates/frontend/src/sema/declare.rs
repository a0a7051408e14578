//! Specifiers and declarators to types.
//!
//! A declared type is a [`Declared`]: the type and the alignment that `aligned` attributes on typedefs gave it,
//! which C types do not carry. Pointers and functions drop it, arrays keep it.

use super::attributes::Attributes;
use super::scope::Decl;
use super::{Checker, R, invalid, unsupported};
use crate::ast::{self, ArrayLen, BasicType, DeclSpecs, Declarator, Derived, ParamList, TypeName, TypeSpec};
use crate::ctype::{ArraySize, CTy, CType, FloatKind, FunctionType, IntKind, QualTy};
use heapwise_ir::Span;

/// A type with the alignment that attributes gave it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) ty: QualTy,
    pub(super) align: Option<u64>,
}

/// What specifiers say.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) declared: Declared,
    pub(super) attributes: Attributes,
    /// `_Alignas`.
    pub(super) alignas: Option<u64>,
    /// `__auto_type`: the initialiser decides.
    pub(super) auto: bool,
}

fn basic(ty: BasicType) -> CTy {
    use IntKind as I;
    match ty {
        BasicType::Void => CTy::VOID,
        BasicType::Bool => CTy::BOOL,
        BasicType::Char => CTy::CHAR,
        BasicType::SChar => CTy::int(I::SChar),
        BasicType::UChar => CTy::int(I::UChar),
        BasicType::Short => CTy::int(I::Short),
        BasicType::UShort => CTy::int(I::UShort),
        BasicType::Int => CTy::INT,
        BasicType::UInt => CTy::UINT,
        BasicType::Long => CTy::LONG,
        BasicType::ULong => CTy::ULONG,
        BasicType::LongLong => CTy::int(I::LongLong),
        BasicType::ULongLong => CTy::int(I::ULongLong),
        BasicType::Int128 => CTy::int(I::Int128),
        BasicType::UInt128 => CTy::int(I::UInt128),
        BasicType::Float => CTy::float(FloatKind::Float),
        BasicType::Double => CTy::DOUBLE,
        BasicType::LongDouble => CTy::float(FloatKind::LongDouble),
        BasicType::Float128 => CTy::float(FloatKind::Float128),
        BasicType::ComplexFloat => CTy::complex(FloatKind::Float),
        BasicType::ComplexDouble => CTy::complex(FloatKind::Double),
        BasicType::ComplexLongDouble => CTy::complex(FloatKind::LongDouble),
        BasicType::VaList => CTy::VA_LIST,
    }
}

impl Checker<'_> {
    /// The type that specifiers name. `standalone` is true for a declaration without declarators, where a bare
    /// `struct s;` declares a new tag in this scope.
    pub(super) fn specs(&mut self, specs: &DeclSpecs, standalone: bool) -> R<Base> {
        let attributes =
            if specs.attrs.is_empty() { Attributes::default() } else { self.attributes(&specs.attrs)? };
        let alignas = if specs.alignas.is_empty() { None } else { self.alignas(&specs.alignas)? };
        let mut auto = false;
        let mut align = None;
        let ty = self.type_spec(&specs.ty, specs.span, standalone, &mut align, &mut auto)?;
        let ty = self.s.qualify(ty, specs.quals);
        let ty = self.apply_type_attributes(ty, &attributes)?;
        Ok(Base { declared: Declared { ty, align }, attributes, alignas, auto })
    }

    fn type_spec(
        &mut self,
        spec: &TypeSpec,
        span: Span,
        standalone: bool,
        align: &mut Option<u64>,
        auto: &mut bool,
    ) -> R<QualTy> {
        Ok(match spec {
            TypeSpec::Basic(b) => basic(*b).into(),
            TypeSpec::Record(record) => self.record(record, standalone)?.into(),
            TypeSpec::Enum(spec) => self.enumeration(spec)?.into(),
            TypeSpec::Typedef(name) => match self.scopes.lookup(*name) {
                Some(Decl::Typedef { ty, align: a }) => {
                    *align = *a;
                    *ty
                }
                Some(Decl::Broken) => CTy::ERROR.into(),
                _ => {
                    let message = format!("'{}' is not a type", self.name(*name));
                    return invalid(span, "unknown-type", message);
                }
            },
            TypeSpec::TypeofExpr(expr) => self.typeof_expr(expr)?,
            TypeSpec::TypeofType(name) => {
                let (ty, a) = self.type_name_aligned(name)?;
                *align = a;
                ty
            }
            TypeSpec::Atomic(name) => {
                let mut ty = self.type_name(name)?;
                ty.quals.is_atomic = true;
                ty
            }
            TypeSpec::Auto => {
                *auto = true;
                CTy::ERROR.into()
            }
            TypeSpec::Implicit => CTy::INT.into(),
            TypeSpec::Unqualified(inner) => {
                let ty = self.type_spec(inner, span, standalone, align, auto)?;
                self.unqualified(ty)
            }
        })
    }

    /// The type without its qualifiers; those of an array are its elements'.
    fn unqualified(&mut self, ty: QualTy) -> QualTy {
        match *self.s.types.get(ty.ty) {
            CType::Array(elem, size) => {
                let elem = self.unqualified(elem);
                self.s.types.intern(CType::Array(elem, size)).into()
            }
            _ => ty.ty.into(),
        }
    }

    /// The type that a declarator makes of `base`.
    pub(super) fn derive(&mut self, base: Declared, declarator: &Declarator) -> R<Declared> {
        self.derive_steps(base, &declarator.derived, declarator.span)
    }

    pub(super) fn derive_steps(&mut self, base: Declared, steps: &[Derived], span: Span) -> R<Declared> {
        let mut result = base;
        for step in steps.iter().rev() {
            result = match step {
                Derived::Pointer(quals) => {
                    let ty = self.s.types.intern(CType::Pointer(result.ty));
                    Declared { ty: QualTy { ty, quals: *quals }, align: None }
                }
                Derived::Array { len, .. } => self.array_of(result, len, span)?,
                Derived::Function(params) => {
                    if self.s.is_array(result.ty.ty) || self.s.is_function(result.ty.ty) {
                        return invalid(
                            span,
                            "bad-declarator",
                            "a function cannot return an array or function",
                        );
                    }
                    self.scopes.enter();
                    let params = self.parameters(params);
                    self.scopes.leave();
                    let ty = self.function_of(result.ty, params?);
                    Declared { ty: ty.into(), align: None }
                }
            };
        }
        Ok(result)
    }

    fn array_of(&mut self, elem: Declared, len: &ArrayLen, span: Span) -> R<Declared> {
        if self.s.is_function(elem.ty.ty) || elem.ty.ty == CTy::VOID {
            return invalid(span, "bad-declarator", "array of functions or of void");
        }
        let size = match len {
            ArrayLen::None => ArraySize::Incomplete,
            ArrayLen::Star => ArraySize::Star,
            ArrayLen::Expr(expr) => self.array_size(expr)?,
        };
        if let (ArraySize::Const(n), Some(bytes)) = (size, self.s.size_of(elem.ty.ty))
            && n.checked_mul(bytes).is_none_or(|total| total > i64::MAX as u64)
        {
            return invalid(span, "array-too-large", "array is too large");
        }
        let ty = self.s.types.intern(CType::Array(elem.ty, size));
        Ok(Declared { ty: ty.into(), align: elem.align })
    }

    pub(super) fn function_of(&mut self, ret: QualTy, params: Parameters) -> CTy {
        let Parameters { types, variadic, prototyped } = params;
        // Qualifiers of a returned value mean nothing.
        let ret = QualTy::from(ret.ty);
        self.s.types.intern(CType::Function(FunctionType { ret, params: types.into(), variadic, prototyped }))
    }

    /// The types of a parameter list; names are declared in the innermost scope so that later parameters may
    /// use them.
    pub(super) fn parameters(&mut self, list: &ParamList) -> R<Parameters> {
        if list.empty || !list.identifiers.is_empty() {
            return Ok(Parameters { types: Vec::new(), variadic: false, prototyped: false });
        }
        let outer = std::mem::replace(&mut self.fun.in_prototype, true);
        let types = list.params.iter().map(|p| self.parameter(p)).collect::<R<Vec<_>>>();
        self.fun.in_prototype = outer;
        let mut types = types?;
        if types.len() == 1 && types[0].ty == CTy::VOID && list.params[0].declarator.name.is_none() {
            types.clear();
        }
        Ok(Parameters { types, variadic: list.variadic, prototyped: true })
    }

    fn parameter(&mut self, param: &ast::Param) -> R<QualTy> {
        let ty = self.parameter_type(&param.specs, &param.declarator)?;
        if let Some(name) = param.declarator.name {
            self.scopes.declare(name, Decl::Prototype { ty }, param.declarator.span);
        }
        Ok(ty)
    }

    /// The adjusted type of a parameter.
    pub(super) fn parameter_type(&mut self, specs: &DeclSpecs, declarator: &Declarator) -> R<QualTy> {
        let base = self.specs(specs, false)?;
        let mut declared = self.derive(base.declared, declarator)?;
        if !declarator.attrs.is_empty() {
            let attributes = self.attributes(&declarator.attrs)?;
            declared.ty = self.apply_type_attributes(declared.ty, &attributes)?;
        }
        let array_quals = match declarator.derived.first() {
            Some(Derived::Array { quals, .. }) => *quals,
            _ => ast::Quals::default(),
        };
        Ok(self.adjust_parameter(declared.ty, array_quals))
    }

    /// Arrays and functions become pointers.
    pub(super) fn adjust_parameter(&mut self, ty: QualTy, array_quals: ast::Quals) -> QualTy {
        match *self.s.types.get(ty.ty) {
            CType::Array(elem, _) => QualTy { ty: self.s.pointer_to(elem), quals: array_quals },
            CType::Function(_) => self.s.pointer_to(ty).into(),
            CType::VaList if self.s.is_lp64() => self.s.pointer_to(CTy::VA_LIST).into(),
            _ => ty,
        }
    }

    pub(super) fn type_name(&mut self, name: &TypeName) -> R<QualTy> {
        Ok(self.type_name_aligned(name)?.0)
    }

    /// The type with the alignment that attributes on typedefs gave it.
    pub(super) fn type_name_aligned(&mut self, name: &TypeName) -> R<(QualTy, Option<u64>)> {
        let base = self.specs(&name.specs, false)?;
        if base.auto {
            return invalid(name.span, "bad-type", "'auto' needs an initialiser");
        }
        let mut declared = base.declared;
        declared.align = declared.align.max(base.attributes.aligned);
        if name.declarator.derived.is_empty() && name.declarator.attrs.is_empty() {
            return Ok((declared.ty, declared.align));
        }
        let mut declared = self.derive(declared, &name.declarator)?;
        if !name.declarator.attrs.is_empty() {
            let attributes = self.attributes(&name.declarator.attrs)?;
            declared.ty = self.apply_type_attributes(declared.ty, &attributes)?;
        }
        Ok((declared.ty, declared.align))
    }

    /// The length between brackets.
    fn array_size(&mut self, expr: &ast::Expr) -> R<ArraySize> {
        let length = self.expr(expr)?;
        let length = self.rvalue(length)?;
        if length.ty.ty == CTy::ERROR {
            return Ok(ArraySize::Incomplete);
        }
        if !self.s.is_integer(length.ty.ty) {
            return invalid(expr.span, "bad-array-size", "size of an array is not an integer");
        }
        let value = length.into_expr();
        if let Some(n) = self.int_value(&value) {
            return match u64::try_from(n) {
                Ok(n) => Ok(ArraySize::Const(n)),
                Err(_) => invalid(expr.span, "bad-array-size", "size of an array is negative"),
            };
        }
        if self.fun.in_prototype {
            self.fun.saw_variable_size = true;
            return Ok(ArraySize::Star);
        }
        if !self.fun.active {
            return unsupported(expr.span, "variable-size", "size of an array at file scope is not constant");
        }
        self.new_vla(value)
    }
}

/// The parameters of a function type.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    pub(super) types: Vec<QualTy>,
    pub(super) variadic: bool,
    pub(super) prototyped: bool,
}
