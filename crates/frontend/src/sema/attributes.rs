//! Attributes that change types or mean something to the analysis; all others are ignored.

use super::{Checker, R, invalid};
use crate::ast::{AlignAs, Attribute, ExprKind};
use crate::ctype::{CTy, CType, FloatKind, IntKind, QualTy};
use heapwise_ir::{DataModel, Span};

/// What a list of attributes says.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    /// The largest `aligned`.
    pub(super) aligned: Option<u64>,
    pub(super) packed: bool,
    pub(super) noreturn: bool,
    pub(super) transparent_union: bool,
    pub(super) weak: bool,
    /// It stands for another name, which may not be there.
    pub(super) weakref: bool,
    /// Priority of a `constructor`.
    pub(super) constructor: Option<i128>,
    /// Priority of a `destructor`.
    pub(super) destructor: Option<i128>,
    /// The name that an `alias` stands for.
    pub(super) alias: Option<(Box<str>, Span)>,
    /// Position of a `cleanup`.
    pub(super) cleanup: Option<Span>,
    /// `mode(…)`.
    mode: Option<(Box<str>, Span)>,
    /// `vector_size(n)`.
    vector_size: Option<(u64, Span)>,
}

impl Attributes {
    pub(super) fn merge(&mut self, other: Attributes) {
        self.aligned = self.aligned.max(other.aligned);
        self.packed |= other.packed;
        self.noreturn |= other.noreturn;
        self.weak |= other.weak;
        self.weakref |= other.weakref;
        self.transparent_union |= other.transparent_union;
        self.constructor = self.constructor.or(other.constructor);
        self.destructor = self.destructor.or(other.destructor);
        self.alias = self.alias.take().or(other.alias);
        self.cleanup = self.cleanup.or(other.cleanup);
        self.mode = self.mode.take().or(other.mode);
        self.vector_size = self.vector_size.or(other.vector_size);
    }
}

/// Alignment that `aligned` without a number asks for on x86.
const BIGGEST_ALIGNMENT: u64 = 16;

/// Constructors without a priority run after those with one.
const LAST_PRIORITY: i128 = 65536;

impl Checker<'_> {
    pub(super) fn attributes(&mut self, list: &[Attribute]) -> R<Attributes> {
        let mut result = Attributes::default();
        for attribute in list {
            match &*attribute.name {
                "aligned" => {
                    let align = match attribute.args.first() {
                        Some(arg) => self.alignment_value(arg)?,
                        None => Some(BIGGEST_ALIGNMENT),
                    };
                    result.aligned = result.aligned.max(align);
                }
                "packed" => result.packed = true,
                "noreturn" => result.noreturn = true,
                "weak" => result.weak = true,
                "weakref" => result.weakref = true,
                "transparent_union" => result.transparent_union = true,
                name @ ("constructor" | "destructor") => {
                    let priority = match attribute.args.first() {
                        Some(arg) => self.integer_constant(arg)?,
                        None => LAST_PRIORITY,
                    };
                    let which =
                        if name == "constructor" { &mut result.constructor } else { &mut result.destructor };
                    *which = Some(priority);
                }
                "alias" => {
                    if let Some(ExprKind::Str { units, .. }) = attribute.args.first().map(|a| &a.kind) {
                        let name: String = units.iter().filter_map(|&u| char::from_u32(u)).collect();
                        result.alias = Some((name.into(), attribute.span));
                    }
                }
                "cleanup" => result.cleanup = Some(attribute.span),
                "mode" => {
                    if let Some(ExprKind::Ident(name)) = attribute.args.first().map(|a| &a.kind) {
                        result.mode = Some((self.name(*name).into(), attribute.span));
                    }
                }
                "vector_size" => {
                    if let Some(arg) = attribute.args.first() {
                        let size = self.integer_constant(arg)?;
                        let size = u64::try_from(size).unwrap_or(0);
                        if size == 0 || !size.is_power_of_two() {
                            return invalid(arg.span, "bad-vector-size", "vector size is not a power of two");
                        }
                        result.vector_size = Some((size, attribute.span));
                    }
                }
                _ => {}
            }
        }
        Ok(result)
    }

    /// `None` for 0, which has no effect.
    fn alignment_value(&mut self, arg: &crate::ast::Expr) -> R<Option<u64>> {
        let value = self.integer_constant(arg)?;
        match u64::try_from(value) {
            Ok(0) => Ok(None),
            Ok(n) if n.is_power_of_two() && n <= 1 << 28 => Ok(Some(n)),
            _ => invalid(arg.span, "bad-alignment", format!("alignment {value} is not a power of two")),
        }
    }

    /// `_Alignas` specifiers: the strictest.
    pub(super) fn alignas(&mut self, list: &[AlignAs]) -> R<Option<u64>> {
        let mut result = None;
        for one in list {
            let align = match one {
                AlignAs::Type(name) => {
                    let (ty, align) = self.type_name_aligned(name)?;
                    Some(align.unwrap_or(self.s.align_of(ty.ty)))
                }
                AlignAs::Expr(expr) => self.alignment_value(expr)?,
            };
            result = result.max(align);
        }
        Ok(result)
    }

    /// Applies `mode` and `vector_size` to the type that a declarator's specifiers give.
    pub(super) fn apply_type_attributes(&mut self, ty: QualTy, attributes: &Attributes) -> R<QualTy> {
        let mut ty = ty;
        if let Some((mode, span)) = &attributes.mode {
            ty.ty = self.with_mode(ty.ty, mode, *span)?;
        }
        if let Some((size, _)) = attributes.vector_size {
            // On a pointer or array declarator the attribute means the innermost type; those are written with
            // a typedef in practice, so only the direct case is needed.
            ty.ty = self.s.types.intern(CType::Vector(ty.ty, size));
        }
        Ok(ty)
    }

    fn with_mode(&mut self, ty: CTy, mode: &str, span: Span) -> R<CTy> {
        let lp64 = self.s.program.model == DataModel::Lp64;
        let mode = mode.trim_matches('_');
        let float = match mode {
            "SF" => Some(FloatKind::Float),
            "DF" => Some(FloatKind::Double),
            "XF" => Some(FloatKind::LongDouble),
            "TF" => Some(FloatKind::Float128),
            _ => None,
        };
        if let Some(kind) = float {
            return Ok(CTy::float(kind));
        }
        if let Some(kind) = match mode {
            "SC" => Some(FloatKind::Float),
            "DC" => Some(FloatKind::Double),
            "XC" => Some(FloatKind::LongDouble),
            "TC" => Some(FloatKind::Float128),
            _ => None,
        } {
            return Ok(CTy::complex(kind));
        }
        let unsigned = self.s.int_kind(ty).is_some_and(|k| !k.signed());
        let signed = match mode {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if lp64 => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" if lp64 => IntKind::Long,
            "word" | "pointer" | "unwind_word" => IntKind::Int,
            _ => return invalid(span, "unknown-mode", format!("unknown machine mode '{mode}'")),
        };
        Ok(CTy::int(if unsigned { signed.to_unsigned() } else { signed }))
    }
}
