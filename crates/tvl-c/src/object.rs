//! Whole objects: structures that are assigned, passed, returned, cleared or copied by `memcpy` and its relatives.
//!
//! An object is copied scalar by scalar. Members that were never written may be copied in C; here that is reported.

use crate::blocks::Access;
use crate::body::{Effect, Frame, Translator};
use crate::interior::key;
use crate::numbers::Number;
use crate::place::{FieldKey, Ptr, Root};
use crate::values::Stored;
use heapwise_ir::library::LibFn;
use heapwise_ir::{Call, Const, Operand, Place, RecordKind, Rvalue, Span, Ty, Type};
use heapwise_tvl::program::{LocationId, Statement, VarId};

/// More scalars than this are not copied one by one.
const MAX_SCALARS: usize = 64;
/// Elements of an array that is told apart by its elements, and ways that an index may go.
pub(crate) const MAX_ELEMENTS: usize = 16;

/// Part of a cell.
#[derive(Clone, Copy)]
struct Region {
    cell: VarId,
    root: Root,
    offset: u64,
}

impl Region {
    fn at(self, offset: u64) -> FieldKey {
        self.root.at(self.offset + offset)
    }
}

impl<'p> Translator<'p> {
    /// The scalars of an object, if it is made of structures and arrays without unions and bit-fields.
    fn members(&self, ty: Ty) -> Option<Vec<(u64, Ty)>> {
        let scalars = self.source.types.scalars(ty, MAX_SCALARS);
        (scalars.len() <= MAX_SCALARS && self.is_plain(ty)).then_some(scalars)
    }

    fn is_plain(&self, ty: Ty) -> bool {
        let types = &self.source.types;
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            match types.get(ty) {
                Type::Record(id) => match types.records.get(*id) {
                    Some(r)
                        if r.kind == RecordKind::Struct
                            && r.complete
                            && r.fields.iter().all(|f| f.bits.is_none()) =>
                    {
                        open.extend(r.fields.iter().map(|f| f.ty));
                    }
                    _ => return false,
                },
                Type::Array { elem, len: Some(_) } => open.push(*elem),
                Type::Array { .. } => return false,
                _ if types.is_scalar(ty) => {}
                _ => return false,
            }
        }
        true
    }

    fn region(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        place: &Place,
        span: Span,
    ) -> Option<Region> {
        let (root, offset) = match key(self.source, frame.body, place)? {
            FieldKey::Member(record, offset) => (Root::Record(record), offset),
            FieldKey::Element(array, offset) => (Root::Array(array), offset),
            FieldKey::Whole | FieldKey::Pointed(_) => (self.root(place.ty)?, 0),
        };
        let cell = self.cell_pointer(frame, at, place, span)?;
        Some(Region { cell, root, offset })
    }

    fn whole(&self, cell: VarId, ty: Ty) -> Option<Region> {
        match self.source.types.get(ty) {
            Type::Record(record) => Some(Region { cell, root: Root::Record(*record), offset: 0 }),
            _ => None,
        }
    }

    /// What the fields of an object of a type are counted from, if it has several.
    pub(crate) fn root(&self, ty: Ty) -> Option<Root> {
        match self.source.types.get(ty) {
            Type::Record(record) => Some(Root::Record(*record)),
            Type::Array { .. } => Some(Root::Array(ty)),
            _ => None,
        }
    }

    /// Whether an array has so few scalars that each is a field.
    pub(crate) fn is_small(&self, ty: Ty) -> bool {
        self.is_plain(ty) && self.source.types.scalars(ty, MAX_ELEMENTS).len() <= MAX_ELEMENTS
    }

    /// Copies an object of a type from a cell to another; both are structures of that type.
    pub(crate) fn copy_object(
        &mut self,
        at: &mut LocationId,
        (to, from, ty): (VarId, VarId, Ty),
        span: Span,
    ) {
        match (self.whole(to, ty), self.whole(from, ty)) {
            (Some(to), Some(from)) => self.copy_region(at, (to, from, ty), span),
            _ => self.refuse("an object that is no structure is copied as a whole", span),
        }
    }

    fn copy_region(&mut self, at: &mut LocationId, (to, from, ty): (Region, Region, Ty), span: Span) {
        let Some(members) = self.members(ty) else {
            return self.refuse("a structure with unions, bit-fields or many members is copied", span);
        };
        self.step(at, Statement::Touch(from.cell), span);
        self.step(at, Statement::Touch(to.cell), span);
        for (offset, ty) in members {
            let target = to.at(offset);
            let source = from.at(offset);
            if self.tracked(ty) {
                let value = self.scratch();
                let (source, target) = (self.field(source, ty), self.field(target, ty));
                self.step(at, Statement::Load(value, from.cell, source), span);
                self.step(at, Statement::Store(to.cell, target, value), span);
                self.step(at, Statement::SetNull(value), span);
            } else {
                let (source, target) = (self.data_field(source, 0, ty), self.data_field(target, 0, ty));
                self.read_data(at, (from.cell, source), Number::Loaded, span);
                self.step(at, Statement::WriteData(to.cell, target), span);
                let known = self.out.values.contains_key(&source);
                let value = if known { Stored::Loaded } else { Stored::Any };
                self.store_number(at, (to.cell, target), value, span);
            }
        }
    }

    fn clear_region(&mut self, at: &mut LocationId, region: Region, ty: Ty, span: Span) {
        let Some(members) = self.members(ty) else {
            return self.refuse("a structure with unions, bit-fields or many members is cleared", span);
        };
        self.step(at, Statement::Touch(region.cell), span);
        for (offset, ty) in members {
            let key = region.at(offset);
            if self.tracked(ty) {
                let field = self.field(key, ty);
                self.step(at, Statement::StoreNull(region.cell, field), span);
            } else {
                let field = self.data_field(key, 0, ty);
                self.step(at, Statement::WriteData(region.cell, field), span);
                self.store_number(at, (region.cell, field), Stored::Zero, span);
            }
        }
    }

    /// Assigns a structure.
    pub(crate) fn assign_object(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        dest: &Place,
        value: &Rvalue,
        span: Span,
    ) {
        let source = match value {
            Rvalue::Use(Operand::Local(l)) => Some(Place::local(*l, dest.ty)),
            Rvalue::Load(place) if place.ty == dest.ty => Some(place.clone()),
            _ => None,
        };
        let from = source.and_then(|source| self.region(frame, at, &source, span));
        let to = self.region(frame, at, dest, span);
        let (Some(to), Some(from)) = (to, from) else {
            return self.refuse("a structure, union or array is assigned as a whole", span);
        };
        self.check_global(*at, dest, span);
        self.check_writable(at, to.cell, dest, span);
        self.copy_region(at, (to, from, dest.ty), span);
    }

    /// Stores the object that the result of a call points to.
    pub(crate) fn take_object(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (dest, result): (&Place, VarId),
        span: Span,
    ) {
        match (self.region(frame, at, dest, span), self.whole(result, dest.ty)) {
            (Some(to), Some(from)) => {
                self.check_global(*at, dest, span);
                self.check_writable(at, to.cell, dest, span);
                self.copy_region(at, (to, from, dest.ty), span);
            }
            _ => self.refuse("a function returns a structure", span),
        }
    }

    /// Fills a structure with zeros.
    pub(crate) fn clear_object(&mut self, frame: &Frame<'p>, at: &mut LocationId, dest: &Place, span: Span) {
        if self.is_block(dest.ty)
            && let Some((x, width)) = self.element_pointer(frame, at, dest, span)
        {
            self.check_global(*at, dest, span);
            self.check_writable(at, x, dest, span);
            let size = i128::from(self.source.types.size(dest.ty));
            let size = Operand::Const(Const::Int { value: size, ty: dest.ty });
            self.step(at, Statement::Touch(x), span);
            self.elements(width);
            return self.with_effect(at, Effect::Stretch(x, width, size, Access::Write), span);
        }
        match self.region(frame, at, dest, span) {
            Some(region) => {
                self.check_global(*at, dest, span);
                self.check_writable(at, region.cell, dest, span);
                self.clear_region(at, region, dest.ty, span);
            }
            None => self.refuse("a union or array is cleared as a whole", span),
        }
    }

    /// `memset` to zero, `memcpy` and `memmove` of one structure; whether the call is that.
    pub(crate) fn whole_copy(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (call, library): (&'p Call, LibFn),
        span: Span,
    ) -> bool {
        if !matches!(library, LibFn::Memset | LibFn::Memcpy | LibFn::Memmove) {
            return false;
        }
        let [to, second, Operand::Const(Const::Int { value: size, .. })] = &call.args[..] else {
            return false;
        };
        let object = |o: &Operand| match o {
            Operand::Local(l) => frame.facts.object_behind(*l),
            Operand::Const(_) => None,
        };
        let Some(ty) = object(to).filter(|ty| i128::from(self.source.types.size(*ty)) == *size) else {
            return false;
        };
        let clears = library == LibFn::Memset;
        let fits = match clears {
            true => matches!(second, Operand::Const(Const::Int { value: 0, .. })),
            false => object(second) == Some(ty),
        };
        if !fits || self.whole(VarId(0), ty).is_none() {
            return false;
        }
        let Some(Ptr::Var(cell)) = self.pointer_operand(frame, at, to, span) else { return false };
        let Some(target) = self.whole(cell, ty) else { return false };
        let Operand::Local(_) = to else { return false };
        let place = Place { base: heapwise_ir::PlaceBase::Deref(to.clone()), path: Vec::new(), ty };
        self.step(at, Statement::Touch(cell), span);
        self.check_writable(at, cell, &place, span);
        if clears {
            self.clear_region(at, target, ty, span);
        } else {
            let Some(Ptr::Var(from)) = self.pointer_operand(frame, at, second, span) else { return false };
            let Some(source) = self.whole(from, ty) else { return false };
            self.copy_region(at, (target, source, ty), span);
            if library == LibFn::Memcpy {
                // The ranges must not overlap.
                let error = self.location();
                let same = heapwise_tvl::program::Condition::Equal(cell, from);
                self.edge(*at, Statement::Assume(same), error, span);
                self.out.errors.push((error, heapwise_property::Reason::Unsupported.into(), span));
                let apart = heapwise_tvl::program::Condition::NotEqual(cell, from);
                self.step(at, Statement::Assume(apart), span);
            }
        }
        if let Some(dest) = &call.dest {
            self.store_pointer(frame, at, dest, Ptr::Var(cell), span);
        }
        true
    }
}
