//! Blocks of numbers: arrays and texts, of any size, and pointers into them.
//!
//! A block is a cell. Beside its structure a state knows how far into its block a variable points, as a range of bytes
//! ([`crate::numbers::Numbers::offset`]), and each cell has a size, known as far as Boolean fields tell its bounds ([`crate::values`]: predicate
//! abstraction of a number of the cell). An access is within its block if both say so. Of the elements the first few have a field each, which says
//! whether they were written; all others share one, which only operations on whole blocks set (a summary of the elements, as for arrays in
//! the survey, §6: what is written at an index that is not definite changes nothing for certain). What the elements hold is not known.
//!
//! **Invariants:** pointers in cells lead to the starts of their blocks; only variables may lead elsewhere. Elements of one size have the same
//! fields, whatever their type, because a number may be read as one of the other sign. A variable without a range leads to the start.
//!
//! Blocks are followed where a program is outside the model without them, since each text and each pointer to one is told apart then.

use crate::body::{Effect, Frame, Translator};
use crate::place::{Ptr, Storage, allocated_size};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Callee, CompareOp, Const, FunctionBody, GlobalKind, Operand, Place, PlaceBase, Program, Projection,
    Rvalue, Span, StatementKind, Ty, Type,
};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Reason};
use heapwise_tvl::program::{Condition, DataId, LocationId, MarkId, Statement, VarId};
use std::collections::BTreeSet;

/// Elements at the start of a block that have a field each.
pub(crate) const ELEMENTS: u64 = 16;
/// More bounds than these do not tell sizes apart.
const MAX_BOUNDS: usize = 14;
/// Beyond this, distances may wrap.
const FAR: i128 = 1 << 40;

/// Whether blocks are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// Arrays are only small ones by themselves; texts are not looked at.
    Opaque,
    /// Arrays and texts of any size are.
    Followed,
}

/// What is done to an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

/// The fields of elements of a size: of each of the first ones, and of the rest.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    /// Bytes.
    pub(crate) width: u64,
    /// In order.
    pub(crate) first: Vec<DataId>,
    /// All others.
    pub(crate) rest: DataId,
}

impl Elements {
    /// The fields of the elements at some distances, which are within the block.
    pub(crate) fn within(&self, offsets: Interval) -> Vec<DataId> {
        let width = i128::from(self.width.max(1));
        let index = |bytes: i128| usize::try_from(bytes.max(0) / width).unwrap_or(usize::MAX);
        let from = offsets.lo.map_or(0, index);
        let to = offsets.hi.map_or(usize::MAX, index);
        let mut found: Vec<DataId> =
            self.first.iter().skip(from).take(to.saturating_sub(from).saturating_add(1)).copied().collect();
        if to >= self.first.len() {
            found.push(self.rest);
        }
        found
    }
}

/// Whether a distance is small enough that addresses are ordered as distances are.
pub(crate) fn is_near(offsets: Interval) -> bool {
    offsets.lo.is_some_and(|lo| lo >= -FAR) && offsets.hi.is_some_and(|hi| hi <= FAR)
}

/// The scalar that an array of arrays is made of.
pub(crate) fn scalar_of(source: &Program, mut ty: Ty) -> Ty {
    while let Type::Array { elem, .. } = source.types.get(ty) {
        ty = *elem;
    }
    ty
}

/// The sizes that blocks may have, and the ends of accesses at constant distances: where sizes are told apart.
pub(crate) fn size_bounds(source: &Program) -> Vec<i128> {
    let mut found: BTreeSet<i128> = BTreeSet::new();
    let mut note = |size: u64| {
        found.insert(i128::from(size));
        // Whether all is written that has no field of its own needs the exact size.
        if size > ELEMENTS {
            found.insert(i128::from(size).saturating_add(1));
        }
    };
    for g in source.globals.iter() {
        if matches!(source.types.get(g.ty), Type::Array { .. }) && g.kind != GlobalKind::Literal {
            note(g.size);
        }
    }
    let bodies = source.functions.iter().filter_map(|f| match &f.body {
        FunctionBody::Defined(body) => Some(body),
        _ => None,
    });
    for body in bodies {
        for local in body.locals.iter() {
            if matches!(source.types.get(local.ty), Type::Array { .. }) {
                note(source.types.size(local.ty));
            }
        }
        for s in body.blocks.iter().flat_map(|b| &b.statements) {
            match &s.kind {
                StatementKind::Call(call) => {
                    if let Callee::Direct(f) = call.callee
                        && let Some(f) = source.functions.get(f)
                        && let Some(size) = allocated_size(f.library, &call.args)
                    {
                        note(size);
                    }
                }
                StatementKind::Assign {
                    value: Rvalue::PtrAdd { index: Operand::Const(Const::Int { value, .. }), stride, .. },
                    ..
                } => {
                    if let (Ok(index), Ok(stride)) = (u64::try_from(*value), u64::try_from(*stride)) {
                        note(index.saturating_add(1).saturating_mul(stride));
                    }
                }
                _ => {}
            }
        }
    }
    found.retain(|size| *size > 0);
    // What small accesses need is asked for most often.
    let mut bounds: BTreeSet<i128> = BTreeSet::from([1, 4, 8]);
    for size in found {
        if bounds.len() < MAX_BOUNDS {
            bounds.insert(size);
        }
    }
    bounds.into_iter().collect()
}

impl<'p> Translator<'p> {
    /// Whether blocks are followed.
    pub(crate) fn follows_blocks(&self) -> bool {
        self.blocks == Blocks::Followed
    }

    /// The size of the elements of which blocks of this type are made, if they are followed.
    pub(crate) fn element(&self, ty: Ty) -> Option<u64> {
        let scalar = scalar_of(self.source, ty);
        let number = matches!(self.source.types.get(scalar), Type::Int(_) | Type::Bool | Type::Float(_));
        let followed = self.follows_blocks() && number && !self.interior.concerns(scalar);
        followed.then(|| self.source.types.size(scalar))
    }

    /// Whether a pointer leads to elements of a block.
    pub(crate) fn points_to_elements(&self, ty: Ty) -> Option<u64> {
        self.source.types.pointee(ty).and_then(|to| self.element(to))
    }

    /// Whether objects of the type are arrays of numbers, which are blocks.
    pub(crate) fn is_block(&self, ty: Ty) -> bool {
        matches!(self.source.types.get(ty), Type::Array { len: Some(_), .. }) && self.element(ty).is_some()
    }

    /// The fields of elements.
    pub(crate) fn elements(&mut self, width: u64) -> Elements {
        if let Some(found) = self.out.elements.iter().find(|e| e.width == width) {
            return found.clone();
        }
        let mut fields = Vec::new();
        for i in 0..=ELEMENTS {
            let name = if i < ELEMENTS { format!("at{}", i * width) } else { format!("rest{width}") };
            fields.push(self.out.program.data_field(name));
        }
        let rest = fields.pop().unwrap_or(DataId(0));
        let elements = Elements { width, first: fields, rest };
        self.out.elements.push(elements.clone());
        elements
    }

    /// Declares the size of cells.
    pub(crate) fn declare_sizes(&mut self) {
        if !self.follows_blocks() {
            return;
        }
        let mut bounds: Vec<(i128, MarkId)> = Vec::new();
        for bound in size_bounds(self.source) {
            bounds.push((bound, self.out.program.mark(format!("size>={bound}"))));
        }
        self.out.sizes = Some(crate::values::Values::of_sizes(bounds));
    }

    /// Says of a new cell how large it is: a product of numbers.
    pub(crate) fn mark_size(&mut self, at: &mut LocationId, x: VarId, factors: Vec<Operand>, span: Span) {
        if self.out.sizes.is_some() {
            self.with_effect(at, Effect::Size(x, factors), span);
        }
    }

    /// The same, of an object of a type.
    pub(crate) fn mark_size_of(&mut self, at: &mut LocationId, x: VarId, ty: Option<Ty>, span: Span) {
        let size = ty.map_or(0, |ty| self.source.types.size(ty));
        let long = ty.unwrap_or(Ty(0));
        self.mark_size(at, x, vec![Operand::Const(Const::Int { value: i128::from(size), ty: long })], span);
    }

    /// A pointer to an element that a place is, if it is one: computed from where its block begins.
    pub(crate) fn element_pointer(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        place: &Place,
        span: Span,
    ) -> Option<(VarId, u64)> {
        let width = self.element(place.ty)?;
        let mut ty = crate::interior::base_type(self.source, frame.body, place)?;
        let whole = ty;
        if self.element(whole) != Some(width) || self.is_bytes_of_structure(frame, place) {
            return None;
        }
        if place.path.iter().any(|step| !matches!(step, Projection::Index { .. })) {
            return None;
        }
        let base = match &place.base {
            PlaceBase::Deref(p) => {
                self.points_to_elements(self.source.operand_ty(frame.body, p)?)?;
                match self.pointer_operand(frame, at, p, span)? {
                    Ptr::Var(v) => v,
                    Ptr::Null => self.scratch(),
                }
            }
            PlaceBase::Local(l) => self.address_var(frame, *l)?,
            PlaceBase::Global(g) => self.global_address(*g)?,
        };
        if place.path.is_empty() {
            return Some((base, width));
        }
        let x = self.scratch();
        self.step(at, Statement::Copy(x, base), span);
        for step in &place.path {
            let Projection::Index { index, stride } = step else { return None };
            let Type::Array { elem, len } = *self.source.types.get(ty) else { return None };
            self.data_operand(frame, at, index, span);
            if let Some(len) = len {
                self.index_within(at, index, i128::from(len), span);
            }
            let stride = i64::try_from(*stride).ok()?;
            self.with_effect(at, Effect::Shift(x, index.clone(), stride), span);
            ty = elem;
        }
        Some((x, width))
    }

    /// An index of an array must be one.
    fn index_within(&mut self, at: &mut LocationId, index: &Operand, len: i128, span: Span) {
        let outside = self.location();
        match index {
            Operand::Local(l) => {
                self.only_within(*at, (*l, Interval { lo: None, hi: Some(-1) }), outside, span);
                self.only_within(*at, (*l, Interval { lo: Some(len), hi: None }), outside, span);
                let inside = self.location();
                self.only_within(*at, (*l, Interval { lo: Some(0), hi: Some(len - 1) }), inside, span);
                *at = inside;
            }
            Operand::Const(Const::Int { value, .. }) if (0..len).contains(value) => return,
            Operand::Const(_) => {
                let next = self.location();
                self.edge(*at, Statement::Skip, outside, span);
                self.edge(*at, Statement::Skip, next, span);
                *at = next;
            }
        }
        self.must_not_reach(outside, ErrorKind::OutOfBounds, span);
    }

    /// Reads or writes an element, if a place is one.
    pub(crate) fn element_access(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (place, access): (&Place, Access),
        span: Span,
    ) -> bool {
        if self.place_is_number(frame, place) {
            return false;
        }
        let Some((x, width)) = self.element_pointer(frame, at, place, span) else { return false };
        if access == Access::Write {
            self.check_writable(at, x, place, span);
        }
        self.element_at(at, (x, width, access), span);
        true
    }

    /// Whether a place is a variable that is no cell.
    fn place_is_number(&mut self, frame: &Frame<'p>, place: &Place) -> bool {
        match place.base {
            PlaceBase::Deref(_) => false,
            PlaceBase::Local(l) => frame.storage(l) != Storage::Cell,
            PlaceBase::Global(g) => self.global_address(g).is_none(),
        }
    }

    /// Reads or writes the element that a variable points to.
    pub(crate) fn element_at(
        &mut self,
        at: &mut LocationId,
        (x, width, access): (VarId, u64, Access),
        span: Span,
    ) {
        self.step(at, Statement::Touch(x), span);
        self.elements(width);
        self.with_effect(at, Effect::Element(x, width, access), span);
    }

    fn is_bytes_of_structure(&self, frame: &Frame<'p>, place: &Place) -> bool {
        matches!(&place.base, PlaceBase::Deref(Operand::Local(l)) if frame.facts.moved(*l).is_some())
    }

    /// The address of an element.
    pub(crate) fn element_address(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (place, dest): (&Place, Ty),
        span: Span,
    ) -> Option<Ptr> {
        let to = self.points_to_elements(dest)?;
        let (x, width) = self.element_pointer(frame, at, place, span)?;
        if to != width {
            return None;
        }
        Some(Ptr::Var(x))
    }

    /// A pointer into a block is moved.
    pub(crate) fn moved_pointer(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (ptr, index, stride): (&Operand, &Operand, i64),
        span: Span,
    ) -> Option<Ptr> {
        self.points_to_elements(self.source.operand_ty(frame.body, ptr)?)?;
        self.refuse_bytes(frame, ptr, span);
        let base = match self.pointer_operand(frame, at, ptr, span)? {
            Ptr::Var(v) => v,
            Ptr::Null => self.scratch(),
        };
        self.data_operand(frame, at, index, span);
        let x = self.scratch();
        self.step(at, Statement::Copy(x, base), span);
        if !matches!(index, Operand::Const(Const::Int { value: 0, .. })) {
            // Null is no place to start from.
            self.step(at, Statement::Touch(x), span);
            self.with_effect(at, Effect::Shift(x, index.clone(), stride), span);
        }
        Some(Ptr::Var(x))
    }

    /// The distance of two pointers, or their order: whether it is that.
    pub(crate) fn compared_pointers(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        value: &Rvalue,
        span: Span,
    ) -> bool {
        let (lhs, rhs, op) = match value {
            Rvalue::Compare { op, lhs, rhs } => (lhs, rhs, Some(*op)),
            Rvalue::PtrDiff { lhs, rhs, .. } => (lhs, rhs, None),
            _ => return false,
        };
        let ordered = !matches!(op, Some(CompareOp::Eq | CompareOp::Ne));
        let width = self.source.operand_ty(frame.body, lhs).and_then(|ty| self.points_to_elements(ty));
        let (Some(width), true) = (width, ordered) else { return false };
        self.refuse_bytes(frame, lhs, span);
        self.refuse_bytes(frame, rhs, span);
        let Some(Ptr::Var(x)) = self.pointer_operand(frame, at, lhs, span) else { return false };
        let Some(Ptr::Var(y)) = self.pointer_operand(frame, at, rhs, span) else { return false };
        // Pointers into different blocks have neither an order nor a distance.
        let (a, b) = self.cells_of(at, (x, y), span);
        let apart = self.location();
        self.edge(*at, Statement::Assume(Condition::NotEqual(a, b)), apart, span);
        self.out.errors.push((apart, Reason::Unsupported.into(), span));
        self.step(at, Statement::Assume(Condition::Equal(a, b)), span);
        match (op, value) {
            (Some(op), _) => {
                let end = self.location();
                for holds in [true, false] {
                    let effect = Effect::Order { op, x, y, width, holds };
                    self.out.effects.insert(self.out.program.edges.len(), effect);
                    self.edge(*at, Statement::Skip, end, span);
                }
                *at = end;
            }
            (None, Rvalue::PtrDiff { stride, .. }) => {
                self.with_effect(at, Effect::Distance(x, y, i128::from(*stride).max(1)), span);
            }
            _ => {}
        }
        true
    }

    /// Pointers to the cells of two others.
    fn cells_of(&mut self, at: &mut LocationId, (x, y): (VarId, VarId), span: Span) -> (VarId, VarId) {
        let (a, b) = (self.scratch(), self.scratch());
        for (to, from) in [(a, x), (b, y)] {
            self.step(at, Statement::Copy(to, from), span);
            self.with_effect(at, Effect::ToStart(to), span);
        }
        (a, b)
    }

    /// Whether a conversion of pointers is one between elements of the same size.
    pub(crate) fn keeps_elements(&self, (from, to): (Ty, Ty)) -> bool {
        let (Some(a), Some(b)) = (self.element(from), self.element(to)) else { return false };
        let float = |ty: Ty| matches!(self.source.types.get(scalar_of(self.source, ty)), Type::Float(_));
        a == b && float(from) == float(to)
    }

    /// `memset`, `memcpy` and `memmove` on blocks; whether the call is that.
    pub(crate) fn block_copy(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (call, library): (&'p heapwise_ir::Call, LibFn),
        span: Span,
    ) -> bool {
        let pointers = match library {
            LibFn::Memset => 1,
            // Ranges of one block may overlap, of two they do not.
            LibFn::Memcpy | LibFn::Memmove => 2,
            _ => return false,
        };
        let [_, second, size] = &call.args[..] else { return false };
        let width = |t: &Self, o: &Operand| {
            let ty = match o {
                Operand::Local(l) => frame.facts.object_behind(*l),
                Operand::Const(_) => None,
            };
            ty.and_then(|ty| t.element(ty))
        };
        let mut found = Vec::new();
        for arg in call.args.iter().take(pointers) {
            let Some(width) = width(self, arg) else { return false };
            found.push(width);
        }
        if found.iter().any(|w| Some(w) != found.first()) {
            return false;
        }
        if matches!(size, Operand::Const(Const::Int { value: 0, .. })) && call.dest.is_none() {
            return true;
        }
        self.data_operand(frame, at, size, span);
        if pointers == 1 {
            self.data_operand(frame, at, second, span);
        }
        let mut vars = Vec::new();
        for arg in call.args.iter().take(pointers) {
            self.refuse_bytes(frame, arg, span);
            let x = match self.pointer_operand(frame, at, arg, span) {
                Some(Ptr::Var(v)) => v,
                Some(Ptr::Null) => self.scratch(),
                None => return true,
            };
            vars.push(x);
        }
        let width = found.first().copied().unwrap_or(1);
        self.elements(width);
        for x in &vars {
            self.step(at, Statement::Touch(*x), span);
        }
        if let (LibFn::Memcpy, [to, from]) = (library, &vars[..]) {
            let same = self.location();
            let (a, b) = self.cells_of(at, (*to, *from), span);
            self.edge(*at, Statement::Assume(Condition::Equal(a, b)), same, span);
            self.out.errors.push((same, Reason::Unsupported.into(), span));
            self.step(at, Statement::Assume(Condition::NotEqual(a, b)), span);
        }
        if let [_, from] = vars[..] {
            self.with_effect(at, Effect::Stretch(from, width, size.clone(), Access::Read), span);
        }
        if let Some(&to) = vars.first() {
            self.cell_is_writable(at, to, span);
            self.with_effect(at, Effect::Stretch(to, width, size.clone(), Access::Write), span);
            if let Some(dest) = &call.dest {
                self.store_pointer(frame, at, dest, Ptr::Var(to), span);
            }
        }
        true
    }
}

/// Locals that hold the result of an allocator and nothing else, whatever the size.
pub(crate) fn is_allocation(library: Option<LibFn>) -> bool {
    matches!(library, Some(LibFn::Malloc | LibFn::Calloc))
}
