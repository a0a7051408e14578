//! Definitions of structs, unions and enumerations.

use super::attributes::Attributes;
use super::scope::{Decl, Tag};
use super::{CMember, Checker, EnumInfo, R, RecordInfo, invalid, unsupported};
use crate::ast::{self, EnumSpec, RecordSpec};
use crate::ctype::{ArraySize, CTy, CType, IntKind, QualTy};
use crate::symbol::Symbol;
use heapwise_ir::layout::{Member, RecordOptions, lay_out};
use heapwise_ir::{Field, IntTy, Record, RecordId, RecordKind, Span};
use smallvec::SmallVec;

/// The way to a member: indices into records that lie in each other, nearly always one.
pub(super) type MemberPath = SmallVec<[u32; 2]>;

/// A member as it is declared: its name if it has one, its type, and what its attributes say.
struct Declarator {
    name: Option<Symbol>,
    declared: super::declare::Declared,
    /// The alignment that is asked for.
    aligned: Option<u64>,
    packed: bool,
    span: Span,
}

/// Members collected so far, in C's view and in the layout's.
#[derive(Default)]
struct Members {
    c: Vec<CMember>,
    layout: Vec<Member>,
    /// For each member of `layout`, its IR field without position; `None` for unnamed bit-fields.
    fields: Vec<Option<Field>>,
    has_const: bool,
}

impl Checker<'_> {
    /// The type that a record specifier names, defining it if it has members.
    pub(super) fn record(&mut self, spec: &RecordSpec, standalone: bool) -> R<CTy> {
        let id = self.record_tag(spec, standalone)?;
        let ty = self.s.types.intern(CType::Record(id));
        if let Some(members) = &spec.members {
            if self.s.records.get(id).is_some_and(|r| r.complete) {
                let message = format!("redefinition of {}", self.s.describe(ty));
                return invalid(spec.span, "redefinition", message);
            }
            self.define_record(id, spec, members)?;
        }
        Ok(ty)
    }

    fn new_record(&mut self, is_union: bool, tag: Option<Symbol>) -> RecordId {
        let kind = if is_union { RecordKind::Union } else { RecordKind::Struct };
        let name = tag.map(|t| self.name(t).into());
        let record = Record { kind, name, fields: Vec::new(), size: 0, align: 1, complete: false };
        let id = self.s.program.types.records.push(record);
        self.s.records.push(RecordInfo { is_union, ..RecordInfo::default() });
        self.s.linker.new_record();
        id
    }

    fn record_tag(&mut self, spec: &RecordSpec, standalone: bool) -> R<RecordId> {
        let Some(tag) = spec.tag else { return Ok(self.new_record(spec.is_union, None)) };
        let known = if spec.members.is_some() || standalone {
            self.scopes.lookup_tag_here(tag)
        } else {
            self.scopes.lookup_tag(tag)
        };
        match known {
            Some(Tag::Record(id)) if self.s.records.get(id).is_some_and(|r| r.is_union == spec.is_union) => {
                Ok(id)
            }
            Some(_) => {
                invalid(spec.span, "tag-mismatch", format!("'{}' is another kind of tag", self.name(tag)))
            }
            None => {
                let id = self.new_record(spec.is_union, Some(tag));
                self.scopes.declare_tag(tag, Tag::Record(id), spec.span);
                Ok(id)
            }
        }
    }

    fn define_record(&mut self, id: RecordId, spec: &RecordSpec, members: &[ast::Member]) -> R<()> {
        let attributes = self.attributes(&spec.attrs)?;
        let mut out = Members::default();
        for member in members {
            match member {
                ast::Member::StaticAssert(assert) => self.static_assert(assert)?,
                ast::Member::Field { specs, declarators, span } => {
                    self.member(specs, declarators, *span, &attributes, &mut out)?;
                }
            }
        }
        let kind = if spec.is_union { RecordKind::Union } else { RecordKind::Struct };
        let options = RecordOptions {
            aligned: attributes.aligned,
            pragma_pack: spec.pragma_pack.map(u64::from),
            i386: !self.s.is_lp64(),
        };
        let layout = lay_out(kind, &out.layout, options);
        let mut fields = Vec::with_capacity(out.fields.len());
        for (field, position) in out.fields.into_iter().zip(layout.positions) {
            if let Some(mut field) = field {
                field.offset = position.offset;
                field.bits = position.bits;
                fields.push(field);
            }
        }
        if let Some(record) = self.s.program.types.records.get_mut(id) {
            record.fields = fields;
            record.size = layout.size;
            record.align = layout.align;
            record.complete = true;
        }
        if let Some(info) = self.s.records.get_mut(id) {
            info.members = out.c;
            info.complete = true;
            info.has_const = out.has_const;
            info.transparent |= attributes.transparent_union;
        }
        Ok(())
    }

    fn member(
        &mut self,
        specs: &ast::DeclSpecs,
        declarators: &[ast::MemberDeclarator],
        span: Span,
        record: &Attributes,
        out: &mut Members,
    ) -> R<()> {
        let base = self.specs(specs, declarators.is_empty())?;
        if base.auto {
            return invalid(span, "bad-member", "a member cannot have its type from an initialiser");
        }
        let own_align = base.attributes.aligned.max(base.alignas);
        if declarators.is_empty() {
            let is_record = self.s.record_of(base.declared.ty.ty).is_some();
            let anonymous = match &specs.ty {
                ast::TypeSpec::Record(r) => r.tag.is_none() || r.members.is_some(),
                _ => true,
            };
            if is_record && anonymous {
                let packed = record.packed || base.attributes.packed;
                let member =
                    Declarator { name: None, declared: base.declared, aligned: own_align, packed, span };
                self.push_member(member, out)?;
            }
            return Ok(());
        }
        for d in declarators {
            let mut attributes = base.attributes.clone();
            attributes.merge(self.attributes(&d.attrs)?);
            let mut declared = base.declared;
            let (mut name, mut place) = (None, span);
            if let Some(declarator) = &d.declarator {
                attributes.merge(self.attributes(&declarator.attrs)?);
                declared = self.derive(declared, declarator)?;
                name = declarator.name;
                place = declarator.span;
            }
            declared.ty = self.apply_type_attributes(declared.ty, &attributes)?;
            let aligned = attributes.aligned.max(base.alignas);
            let packed = record.packed || attributes.packed;
            let member = Declarator { name, declared, aligned, packed, span: place };
            match &d.width {
                None => self.push_member(member, out)?,
                Some(width) => self.push_bit_field(member, width, out)?,
            }
        }
        Ok(())
    }

    fn push_member(&mut self, member: Declarator, out: &mut Members) -> R<()> {
        let Declarator { name, declared, aligned, packed, span } = member;
        let ty = declared.ty;
        if self.s.has_variable_size(ty.ty) {
            return unsupported(span, "variable-size", "a member of variable size");
        }
        if self.s.is_function(ty.ty) || ty.ty == CTy::VOID {
            return invalid(span, "bad-member", "a member cannot be a function or void");
        }
        let size = match self.s.size_of(ty.ty) {
            Some(size) => size,
            None if matches!(self.s.element(ty.ty), Some((_, ArraySize::Incomplete))) => 0,
            None if ty.ty == CTy::ERROR => 0,
            None => {
                let message = format!("member has incomplete type {}", self.s.describe(ty.ty));
                return invalid(span, "incomplete-type", message);
            }
        };
        let mut align = declared.align.unwrap_or_else(|| self.s.align_of(ty.ty));
        if ty.quals.is_atomic && size == 8 {
            align = align.max(8);
        }
        let field =
            Field { name: name.map(|n| self.name(n).into()), ty: self.s.ir(ty.ty), offset: 0, bits: None };
        out.has_const |= ty.quals.is_const
            || self.s.record_of(ty.ty).and_then(|r| self.s.records.get(r)).is_some_and(|r| r.has_const);
        let index = out.c.len() as u32;
        out.c.push(CMember { name, ty, field: index, width: None });
        out.layout.push(Member { size, align, aligned, packed, width: None, named: name.is_some() });
        out.fields.push(Some(field));
        Ok(())
    }

    fn push_bit_field(&mut self, member: Declarator, width: &ast::Expr, out: &mut Members) -> R<()> {
        let Declarator { name, declared, aligned, packed, span } = member;
        let ty = declared.ty;
        let Some(int) = self.s.int_ty(ty.ty) else {
            return invalid(span, "bad-bit-field", "a bit-field must have integer type");
        };
        let max = if ty.ty == CTy::BOOL { 1 } else { i128::from(int.bits) };
        let bits = self.integer_constant(width)?;
        if !(0..=max).contains(&bits) || (bits == 0 && name.is_some()) {
            return invalid(
                width.span,
                "bad-bit-field",
                format!("width {bits} of a bit-field is out of range"),
            );
        }
        let size = u64::from(int.bits / 8);
        let align = declared.align.unwrap_or_else(|| self.s.align_of(ty.ty));
        out.layout.push(Member {
            size,
            align,
            aligned,
            packed,
            width: Some(bits as u32),
            named: name.is_some(),
        });
        if let Some(name) = name {
            let index = out.c.len() as u32;
            out.c.push(CMember { name: Some(name), ty, field: index, width: Some(bits as u8) });
            out.has_const |= ty.quals.is_const;
            let field =
                Field { name: Some(self.name(name).into()), ty: self.s.ir(ty.ty), offset: 0, bits: None };
            out.fields.push(Some(field));
        } else {
            out.fields.push(None);
        }
        Ok(())
    }

    /// The type that an enum specifier names, defining it if it has constants.
    pub(super) fn enumeration(&mut self, spec: &EnumSpec) -> R<CTy> {
        let underlying = match &spec.underlying {
            Some(name) => {
                let ty = self.type_name(name)?;
                match self.s.int_kind(ty.ty) {
                    Some(kind) => Some(kind),
                    None => return invalid(name.span, "bad-enum", "underlying type is not an integer"),
                }
            }
            None => None,
        };
        let defines = spec.constants.is_some();
        let known = spec.tag.and_then(|tag| {
            if defines { self.scopes.lookup_tag_here(tag) } else { self.scopes.lookup_tag(tag) }
        });
        let id = match known {
            Some(Tag::Enum(id)) => id,
            Some(Tag::Record(_)) => {
                return invalid(spec.span, "tag-mismatch", "the tag names a struct or union");
            }
            None => {
                let kind = underlying.unwrap_or(IntKind::UInt);
                let id = self.s.enums.push(EnumInfo { kind, complete: underlying.is_some() });
                if let Some(tag) = spec.tag {
                    self.scopes.declare_tag(tag, Tag::Enum(id), spec.span);
                }
                id
            }
        };
        let ty = self.s.types.intern(CType::Enum(id));
        let Some(constants) = &spec.constants else { return Ok(ty) };
        let attributes = self.attributes(&spec.attrs)?;
        let int = IntTy { bits: 32, signed: true };
        let (mut min, mut max) = (0i128, 0i128);
        let mut next = 0i128;
        let mut declared = Vec::with_capacity(constants.len());
        for c in constants {
            if let Some(value) = &c.value {
                next = self.integer_constant(value)?;
            }
            (min, max) = (min.min(next), max.max(next));
            // While the enumeration is being defined its constants have a type that holds their value.
            let own = match underlying {
                Some(kind) => CTy::int(kind),
                None if int.min() <= next && next <= int.max() => CTy::INT,
                None => CTy::int(self.fitting_kind(next.min(0), next)),
            };
            self.scopes.declare(c.name, Decl::EnumConst { value: next, ty: own }, c.span);
            declared.push((c.name, next, c.span));
            next = next.wrapping_add(1);
        }
        let kind = underlying.unwrap_or_else(|| {
            if attributes.packed { packed_kind(min, max) } else { self.fitting_kind(min, max) }
        });
        let fits_int = int.min() <= min && max <= int.max();
        if underlying.is_some() || !fits_int {
            let constant_ty = if underlying.is_some() { ty } else { CTy::int(kind) };
            for (name, value, span) in declared {
                self.scopes.declare(name, Decl::EnumConst { value, ty: constant_ty }, span);
            }
        }
        if let Some(info) = self.s.enums.get_mut(id) {
            *info = EnumInfo { kind, complete: true };
        }
        Ok(ty)
    }

    /// gcc's choice: `unsigned int` unless a value is negative, wider where needed.
    fn fitting_kind(&self, min: i128, max: i128) -> IntKind {
        let signed = [IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128];
        let unsigned = [IntKind::UInt, IntKind::ULong, IntKind::ULongLong, IntKind::UInt128];
        let candidates = if min < 0 { signed } else { unsigned };
        let fits = |kind: &IntKind| {
            let ty = IntTy { bits: kind.bits(self.s.program.model), signed: kind.signed() };
            ty.min() <= min && max <= ty.max()
        };
        candidates.into_iter().find(fits).unwrap_or(candidates[3])
    }

    /// The member `name` of a record, through anonymous members: the indices to follow.
    pub(super) fn find_member(&self, record: RecordId, name: Symbol) -> Option<MemberPath> {
        let info = self.s.records.get(record)?;
        for (i, m) in info.members.iter().enumerate() {
            if m.name == Some(name) {
                return Some(smallvec::smallvec![i as u32]);
            }
        }
        for (i, m) in info.members.iter().enumerate() {
            if m.name.is_none()
                && let Some(inner) = self.s.record_of(m.ty.ty)
                && let Some(mut path) = self.find_member(inner, name)
            {
                path.insert(0, i as u32);
                return Some(path);
            }
        }
        None
    }

    /// A copy of what is needed to step into member `index`.
    pub(super) fn member_at(&self, record: RecordId, index: u32) -> Option<(QualTy, u32, Option<u8>)> {
        let m = self.s.records.get(record)?.members.get(index as usize)?;
        Some((m.ty, m.field, m.width))
    }

    /// Byte offset and bits of an IR field.
    pub(super) fn field_position(
        &self,
        record: RecordId,
        field: u32,
    ) -> (u64, Option<heapwise_ir::BitRange>) {
        let field = self.s.program.types.records.get(record).and_then(|r| r.fields.get(field as usize));
        field.map_or((0, None), |f| (f.offset, f.bits))
    }
}

/// The smallest type, for `packed` enumerations.
fn packed_kind(min: i128, max: i128) -> IntKind {
    let signed = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::LongLong];
    let unsigned = [IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULongLong];
    let candidates = if min < 0 { signed } else { unsigned };
    let fits = |kind: &IntKind| {
        let ty = IntTy { bits: kind.bits(heapwise_ir::DataModel::Lp64), signed: kind.signed() };
        ty.min() <= min && max <= ty.max()
    };
    candidates.into_iter().find(fits).unwrap_or(candidates[3])
}
