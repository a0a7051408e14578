//! Initialisers: braces, designators and elided braces flattened to a list of stores.
//!
//! The walk keeps a stack of [`Level`]s, one per aggregate that is open; an entry without designator goes to the
//! next part of the innermost level that has one left, one with designators starts again from the outermost.
//! The path to each part is kept in an arena of steps, so slots are copied freely. A store that covers an
//! earlier one replaces it; stores to another member of the same union drop what was stored there.

use super::convert::{Context, Kind, Typed};
use super::{Checker, R, invalid, unsupported};
use crate::ast::{self, Designator, InitEntry, InitList, Initializer, TypeName};
use crate::ctype::{ArraySize, CTy, CType, FloatKind, QualTy};
use crate::hir::{Expr, ExprKind, Init, Place, PlaceKind};
use heapwise_ir::{BitRange, LocalId, RecordId, Span};

/// One step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// To a member, by its index among C's members.
    Field(RecordId, u32),
    Index(u64),
}

/// The path of the whole object.
const WHOLE: u32 = 0;
/// Most stores of one initialiser: GNU ranges can ask for any number.
const MAX_STORES: usize = 1 << 22;
const MAX_LOCAL_STORES: usize = 1 << 16;

/// A part of the object that is initialised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) ty: CTy,
    path: u32,
    pub(super) offset: u64,
    pub(super) bits: Option<BitRange>,
}

/// What is stored.
#[derive(Clone, Debug)]
pub(super) enum StoreValue {
    Expr(Expr),
    /// A string that fills an array; the rest of the array is zero.
    Bytes(Vec<u8>),
}

#[derive(Clone, Debug)]
pub(super) struct Store {
    pub(super) slot: Slot,
    pub(super) value: StoreValue,
    pub(super) span: Span,
    /// Range of bits.
    start: u64,
    end: u64,
    /// Position in the order of all stores, those replaced since included.
    serial: u64,
}

/// A flattened initialiser.
#[derive(Debug, Default)]
pub(super) struct Stores {
    pub(super) list: Vec<Store>,
    /// Parent and step of each path; path 0 is the whole object.
    steps: Vec<(u32, Step)>,
    /// One past the last bit stored so far.
    end: u64,
    /// Number of stores ever made.
    made: u64,
    /// Number of elements that the initialiser gives the outermost array.
    pub(super) length: u64,
}

/// An aggregate whose parts are being initialised.
#[derive(Clone, Copy, Debug)]
struct Level {
    slot: Slot,
    next: u64,
}

impl Stores {
    fn extend(&mut self, parent: u32, step: Step) -> u32 {
        self.steps.push((parent, step));
        self.steps.len() as u32
    }
    fn step(&self, path: u32) -> Option<(u32, Step)> {
        self.steps.get(path.checked_sub(1)? as usize).copied()
    }
}

impl Checker<'_> {
    /// Checks an initialiser for an object of type `ty`; returns the type with its length completed.
    pub(super) fn initialiser(&mut self, ty: QualTy, init: &Initializer, span: Span) -> R<(CTy, Stores)> {
        match init {
            Initializer::Expr(expr) => {
                self.initialised(ty, span, |c, out, whole| c.init_from_expr(out, whole, expr))
            }
            Initializer::List(list) => self.list_initialiser(ty, list, span),
        }
    }

    fn list_initialiser(&mut self, ty: QualTy, list: &InitList, span: Span) -> R<(CTy, Stores)> {
        self.initialised(ty, span, |c, out, whole| c.init_from_list(out, whole, list))
    }

    fn initialised(
        &mut self,
        ty: QualTy,
        span: Span,
        fill: impl FnOnce(&mut Self, &mut Stores, Slot) -> R<()>,
    ) -> R<(CTy, Stores)> {
        let mut out = Stores::default();
        let whole = Slot { ty: ty.ty, path: WHOLE, offset: 0, bits: None };
        if self.s.has_variable_size(ty.ty) {
            return invalid(span, "bad-initialiser", "initialiser for an object of variable size");
        }
        fill(self, &mut out, whole)?;
        let completed = match *self.s.types.get(ty.ty) {
            CType::Array(elem, ArraySize::Incomplete) => {
                self.s.types.intern(CType::Array(elem, ArraySize::Const(out.length)))
            }
            _ => ty.ty,
        };
        // Slots of the whole object must know its completed type.
        for store in &mut out.list {
            if store.slot.path == WHOLE {
                store.slot.ty = completed;
            }
        }
        Ok((completed, out))
    }

    fn push_store(&mut self, out: &mut Stores, slot: Slot, value: StoreValue, span: Span) -> R<()> {
        if out.list.len() >= MAX_STORES {
            return unsupported(span, "initialiser-too-large", "initialiser is too large");
        }
        let (start, end) = match (slot.bits, &value) {
            (Some(b), _) => {
                let start = slot.offset.saturating_mul(8).saturating_add(u64::from(b.shift));
                (start, start.saturating_add(u64::from(b.width)))
            }
            (None, _) => {
                let size = match (self.s.size_of(slot.ty), &value) {
                    (Some(size), _) => size,
                    (None, StoreValue::Bytes(bytes)) => bytes.len() as u64,
                    (None, _) => 0,
                };
                let start = slot.offset.saturating_mul(8);
                (start, start.saturating_add(size.saturating_mul(8)))
            }
        };
        if start < out.end {
            out.list.retain(|s| s.start < start || s.end > end || s.start == s.end);
        }
        out.end = out.end.max(end);
        out.list.push(Store { slot, value, span, start, end, serial: out.made });
        out.made += 1;
        Ok(())
    }

    /// Whether the expression is a string that can fill an array with elements of this type.
    fn string_for(&mut self, elem: CTy, expr: &ast::Expr) -> Option<(CTy, Vec<u8>)> {
        let ast::ExprKind::Str { units, encoding } = &expr.kind else { return None };
        let size = match self.s.types.get(elem) {
            CType::Int(_) | CType::Enum(_) => self.s.size_of(elem)?,
            _ => return None,
        };
        let (unit, bytes) = self.string_bytes(units, *encoding);
        (self.s.size_of(unit) == Some(size)).then_some((elem, bytes))
    }

    fn init_from_string(
        &mut self,
        out: &mut Stores,
        slot: Slot,
        elem: CTy,
        size: ArraySize,
        mut bytes: Vec<u8>,
        span: Span,
    ) -> R<()> {
        let unit = self.s.size_of(elem).unwrap_or(1).max(1);
        match size {
            ArraySize::Const(n) => {
                bytes.truncate(usize::try_from(n.saturating_mul(unit)).unwrap_or(usize::MAX));
            }
            _ => {
                bytes.extend(std::iter::repeat_n(0, unit as usize));
                if slot.path == WHOLE {
                    out.length = bytes.len() as u64 / unit;
                }
            }
        }
        self.push_store(out, slot, StoreValue::Bytes(bytes), span)
    }

    /// `= expr` for the whole of a slot.
    fn init_from_expr(&mut self, out: &mut Stores, slot: Slot, expr: &ast::Expr) -> R<()> {
        if let CType::Array(elem, size) = *self.s.types.get(slot.ty) {
            if let Some((elem, bytes)) = self.string_for(elem.ty, expr) {
                return self.init_from_string(out, slot, elem, size, bytes, expr.span);
            }
            // `__func__` and compound literals may initialise arrays in GNU C.
            let t = self.expr(expr)?;
            if let (CType::Array(other, ArraySize::Const(n)), Kind::Place(_)) =
                (self.s.types.get(t.ty.ty).clone(), &t.kind)
                && self.s.compatible(other.ty, elem.ty)
                && (size == ArraySize::Const(n) || size == ArraySize::Incomplete)
            {
                if slot.path == WHOLE {
                    out.length = n;
                }
                let slot = Slot { ty: t.ty.ty, ..slot };
                let value = StoreValue::Expr(t.into_expr());
                return self.push_store(out, slot, value, expr.span);
            }
            return invalid(expr.span, "bad-initialiser", "an array is initialised by something else");
        }
        let t = self.expr(expr)?;
        self.store_converted(out, slot, t, expr.span)
    }

    fn store_converted(&mut self, out: &mut Stores, slot: Slot, t: Typed, span: Span) -> R<()> {
        let value = self.assign_convert(t, slot.ty, Context::Init)?;
        self.push_store(out, slot, StoreValue::Expr(value), span)
    }

    /// `= { … }` for a slot.
    fn init_from_list(&mut self, out: &mut Stores, slot: Slot, list: &InitList) -> R<()> {
        let aggregate = self.s.is_array(slot.ty) || self.s.record_of(slot.ty).is_some();
        if !aggregate {
            if self.s.is_opaque(slot.ty) {
                return unsupported(
                    list.span,
                    "unsupported-vector",
                    "initialiser of a complex or vector object",
                );
            }
            return match list.entries.as_slice() {
                [] => {
                    let zero = self.zero_of(slot.ty, list.span);
                    self.push_store(out, slot, StoreValue::Expr(zero), list.span)
                }
                [first, ..] => match &first.value {
                    Initializer::Expr(e) => self.init_from_expr(out, slot, e),
                    Initializer::List(inner) => self.init_from_list(out, slot, inner),
                },
            };
        }
        if let Some(record) = self.s.record_of(slot.ty)
            && !self.s.records.get(record).is_some_and(|r| r.complete)
        {
            return invalid(list.span, "incomplete-type", "initialiser for an object of incomplete type");
        }
        if let CType::Array(elem, size) = *self.s.types.get(slot.ty)
            && let [InitEntry { designators, value: Initializer::Expr(e) }] = list.entries.as_slice()
            && designators.is_empty()
            && let Some((elem, bytes)) = self.string_for(elem.ty, e)
        {
            return self.init_from_string(out, slot, elem, size, bytes, e.span);
        }
        let mut levels = vec![Level { slot, next: 0 }];
        for entry in &list.entries {
            self.init_entry(out, &mut levels, entry, list.span)?;
        }
        Ok(())
    }

    fn zero_of(&mut self, ty: CTy, span: Span) -> Expr {
        let zero = self.int_const(0, CTy::INT, span);
        self.cast_expr(zero, CTy::INT, ty)
    }

    fn init_entry(
        &mut self,
        out: &mut Stores,
        levels: &mut Vec<Level>,
        entry: &InitEntry,
        span: Span,
    ) -> R<()> {
        if entry.designators.is_empty() {
            while levels.len() > 1 && levels.last().is_some_and(|l| l.next >= self.parts(l.slot.ty)) {
                levels.pop();
            }
            if levels.last().is_some_and(|l| l.next >= self.parts(l.slot.ty)) {
                // gcc warns about excess elements and drops them.
                self.s.note(span, "excess-initialiser", "excess elements in an initialiser are ignored");
                return Ok(());
            }
            let Some(slot) = self.next_part(out, levels) else { return Ok(()) };
            return self.init_part(out, levels, slot, &entry.value);
        }
        levels.truncate(1);
        let first_store = out.made;
        let mut ranges = Vec::new();
        let mut slot = None;
        for designator in &entry.designators {
            if let Some(slot) = slot.take() {
                levels.push(Level { slot, next: 0 });
            }
            slot = Some(self.designate(out, levels, designator, &mut ranges, span)?);
        }
        let Some(slot) = slot else { return Ok(()) };
        self.init_part(out, levels, slot, &entry.value)?;
        for (level, low, high, stride) in ranges.into_iter().rev() {
            self.replicate(out, first_store, level, low, high, stride)?;
        }
        Ok(())
    }

    /// Moves the innermost level to the part that a designator names and returns it.
    fn designate(
        &mut self,
        out: &mut Stores,
        levels: &mut Vec<Level>,
        designator: &Designator,
        ranges: &mut Vec<(u32, u64, u64, u64)>,
        span: Span,
    ) -> R<Slot> {
        let bad = |span| invalid(span, "bad-designator", "designator does not fit the type");
        let Some(level) = levels.last_mut() else { return bad(span) };
        match designator {
            Designator::Field(name, at) => {
                let Some(record) = self.s.record_of(level.slot.ty) else { return bad(*at) };
                let Some(path) = self.find_member(record, *name) else {
                    let message = format!("no member '{}'", self.name(*name));
                    return invalid(*at, "no-such-member", message);
                };
                let mut result = None;
                for index in path {
                    if let Some(slot) = result.take() {
                        levels.push(Level { slot, next: 0 });
                    }
                    let Some(level) = levels.last_mut() else { return bad(*at) };
                    level.next = u64::from(index);
                    self.clear_other_members(out, level.slot, index);
                    result = self.next_part_of(out, levels, true);
                }
                result.map_or_else(|| bad(*at), Ok)
            }
            Designator::Index(index) => {
                let low = self.designated_index(level.slot.ty, index)?;
                let Some(level) = levels.last_mut() else { return bad(span) };
                level.next = low;
                self.next_part_of(out, levels, true).map_or_else(|| bad(index.span), Ok)
            }
            Designator::Range(low, high) => {
                let ty = level.slot.ty;
                let (a, b) = (self.designated_index(ty, low)?, self.designated_index(ty, high)?);
                if a > b {
                    return bad(low.span);
                }
                let Some(level) = levels.last_mut() else { return bad(span) };
                level.next = a;
                let top = level.slot.path == WHOLE;
                let Some(slot) = self.next_part_of(out, levels, true) else { return bad(low.span) };
                if let Some(level) = levels.last_mut() {
                    level.next = b + 1;
                }
                if top {
                    out.length = out.length.max(b + 1);
                }
                let stride = self.s.size_of(slot.ty).unwrap_or(0);
                ranges.push((slot.path, a, b, stride));
                Ok(slot)
            }
        }
    }

    fn designated_index(&mut self, array: CTy, index: &ast::Expr) -> R<u64> {
        let value = self.integer_constant(index)?;
        let limit = match self.s.element(array) {
            Some((_, ArraySize::Const(n))) => n,
            Some(_) => u64::from(u32::MAX),
            None => 0,
        };
        match u64::try_from(value) {
            Ok(i) if i < limit => Ok(i),
            _ => invalid(index.span, "bad-designator", "array index in an initialiser is out of range"),
        }
    }

    /// Forgets what was stored to members of a union other than `index`.
    fn clear_other_members(&mut self, out: &mut Stores, union: Slot, index: u32) {
        let Some(record) = self.s.record_of(union.ty) else { return };
        if !self.s.records.get(record).is_some_and(|r| r.is_union) || out.end <= union.offset * 8 {
            return;
        }
        let steps = std::mem::take(&mut out.steps);
        out.list.retain(|store| {
            let mut path = store.slot.path;
            while let Some((parent, step)) = path.checked_sub(1).and_then(|i| steps.get(i as usize).copied())
            {
                if parent == union.path && matches!(step, Step::Field(r, i) if r == record && i != index) {
                    return false;
                }
                path = parent;
            }
            true
        });
        out.steps = steps;
    }

    /// Number of parts that entries without designators fill.
    fn parts(&self, ty: CTy) -> u64 {
        match self.s.types.get(ty) {
            CType::Array(_, ArraySize::Const(n)) => *n,
            CType::Array(..) => u64::MAX,
            CType::Record(id) => match self.s.records.get(*id) {
                Some(info) if info.is_union => u64::from(!info.members.is_empty()),
                Some(info) => info.members.len() as u64,
                None => 0,
            },
            _ => 0,
        }
    }

    fn next_part(&mut self, out: &mut Stores, levels: &mut [Level]) -> Option<Slot> {
        self.next_part_of(out, levels, false)
    }

    /// The next part of the innermost level, which moves on.
    fn next_part_of(&mut self, out: &mut Stores, levels: &mut [Level], designated: bool) -> Option<Slot> {
        let level = levels.last_mut()?;
        let index = level.next;
        let slot = level.slot;
        level.next += 1;
        match *self.s.types.get(slot.ty) {
            CType::Array(elem, _) => {
                let size = self.s.size_of(elem.ty)?;
                if slot.path == WHOLE {
                    out.length = out.length.max(index + 1);
                }
                let path = out.extend(slot.path, Step::Index(index));
                let offset = slot.offset.saturating_add(index.saturating_mul(size));
                Some(Slot { ty: elem.ty, path, offset, bits: None })
            }
            CType::Record(record) => {
                let info = self.s.records.get(record)?;
                if info.is_union && !designated && index > 0 {
                    return None;
                }
                if info.is_union {
                    level.next = u64::MAX;
                }
                let (ty, field, _) = self.member_at(record, u32::try_from(index).ok()?)?;
                let (at, bits) = self.field_position(record, field);
                let path = out.extend(slot.path, Step::Field(record, index as u32));
                Some(Slot { ty: ty.ty, path, offset: slot.offset.saturating_add(at), bits })
            }
            _ => None,
        }
    }

    /// Initialises a part; an expression that does not fit an aggregate starts on its first part instead.
    fn init_part(
        &mut self,
        out: &mut Stores,
        levels: &mut Vec<Level>,
        slot: Slot,
        value: &Initializer,
    ) -> R<()> {
        let expr = match value {
            Initializer::List(list) => return self.init_from_list(out, slot, list),
            Initializer::Expr(expr) => expr,
        };
        let mut slot = slot;
        let is_string = matches!(expr.kind, ast::ExprKind::Str { .. });
        let mut checked: Option<Typed> = None;
        loop {
            if let CType::Array(elem, size) = *self.s.types.get(slot.ty) {
                if is_string && let Some((elem, bytes)) = self.string_for(elem.ty, expr) {
                    return self.init_from_string(out, slot, elem, size, bytes, expr.span);
                }
            } else {
                let t = match checked.take() {
                    Some(t) => t,
                    None => self.expr(expr)?,
                };
                let fits = match self.s.record_of(slot.ty) {
                    Some(_) => self.s.compatible(t.ty.ty, slot.ty),
                    None => true,
                };
                if fits {
                    return self.store_converted(out, slot, t, expr.span);
                }
                checked = Some(t);
            }
            levels.push(Level { slot, next: 0 });
            match self.next_part(out, levels) {
                Some(part) if self.parts(slot.ty) > 0 => slot = part,
                _ => {
                    levels.pop();
                    // An empty aggregate takes nothing: the value goes to the part after it.
                    while levels.len() > 1 && levels.last().is_some_and(|l| l.next >= self.parts(l.slot.ty)) {
                        levels.pop();
                    }
                    match self.next_part(out, levels) {
                        Some(part) => slot = part,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Copies the stores since `first` that go through the element at `path` to the elements up to `high`.
    fn replicate(
        &mut self,
        out: &mut Stores,
        first: u64,
        path: u32,
        low: u64,
        high: u64,
        stride: u64,
    ) -> R<()> {
        let Some((parent, _)) = out.step(path) else { return Ok(()) };
        let template: Vec<Store> = out.list.iter().filter(|s| s.serial >= first).cloned().collect();
        for index in low + 1..=high {
            let element = out.extend(parent, Step::Index(index));
            let shift = (index - low).saturating_mul(stride);
            for store in &template {
                let slot_path = self.transplant(out, store.slot.path, path, element);
                let offset = store.slot.offset.saturating_add(shift);
                let slot = Slot { path: slot_path, offset, ..store.slot };
                self.push_store(out, slot, store.value.clone(), store.span)?;
            }
        }
        Ok(())
    }

    /// The path that leads from `to` where `path` leads from `from`.
    fn transplant(&self, out: &mut Stores, path: u32, from: u32, to: u32) -> u32 {
        if path == from {
            return to;
        }
        match out.step(path) {
            Some((parent, step)) => {
                let parent = self.transplant(out, parent, from, to);
                out.extend(parent, step)
            }
            None => path,
        }
    }

    /// The place of a slot inside the object `root`.
    fn slot_place(&mut self, out: &Stores, root: &Place, path: u32, span: Span) -> Place {
        let Some((parent, step)) = out.step(path) else { return root.clone() };
        let mut place = self.slot_place(out, root, parent, span);
        match step {
            Step::Field(record, index) => {
                self.step_into(&mut place, record, index, span);
                place
            }
            Step::Index(i) => {
                let elem = match self.s.program.types.get(place.ty) {
                    heapwise_ir::Type::Array { elem, .. } => *elem,
                    _ => place.ty,
                };
                let stride = self.s.program.types.size(elem);
                let size_t = self.s.size_t();
                let index = Box::new(self.int_const(i128::from(i), size_t, span));
                Place { kind: PlaceKind::Index { base: Box::new(place), index, stride }, ty: elem, span }
            }
        }
    }

    /// Turns stores into the initialiser of an automatic object.
    pub(super) fn automatic_init(&mut self, root: Place, ty: CTy, mut out: Stores, span: Span) -> R<Init> {
        if out.list.len() > MAX_LOCAL_STORES {
            return unsupported(span, "initialiser-too-large", "initialiser of a local object is too large");
        }
        let list = std::mem::take(&mut out.list);
        let covered: u64 = list.iter().map(|s| self.leaves(s)).fold(0, u64::saturating_add);
        let aggregate = self.s.is_array(ty) || self.s.record_of(ty).is_some();
        let complete = !aggregate || covered >= self.leaf_count(ty);
        let zero = (!complete).then(|| root.clone());
        let mut stores = Vec::with_capacity(list.len());
        for store in list {
            let place = self.slot_place(&out, &root, store.slot.path, store.span);
            let value = match store.value {
                StoreValue::Expr(e) => e,
                StoreValue::Bytes(bytes) if bytes.iter().all(|&b| b == 0) && !complete => continue,
                StoreValue::Bytes(bytes) => self.string_object(place.ty, bytes, store.span),
            };
            stores.push((place, value));
        }
        Ok(Init { zero, stores })
    }

    /// How many scalars a store sets.
    fn leaves(&mut self, store: &Store) -> u64 {
        match &store.value {
            StoreValue::Bytes(bytes) if bytes.iter().all(|&b| b == 0) => 0,
            _ => self.leaf_count(store.slot.ty),
        }
    }

    /// Number of scalars in a type; unions count as never filled.
    fn leaf_count(&self, ty: CTy) -> u64 {
        match self.s.types.get(ty) {
            CType::Array(elem, ArraySize::Const(n)) => n.saturating_mul(self.leaf_count(elem.ty)),
            CType::Record(id) => match self.s.records.get(*id) {
                Some(info) if !info.is_union => {
                    info.members.iter().map(|m| self.leaf_count(m.ty.ty)).fold(0, u64::saturating_add)
                }
                _ => u64::from(u32::MAX),
            },
            _ => 1,
        }
    }

    /// The contents of a literal object that has the type of an array.
    fn string_object(&mut self, ty: heapwise_ir::Ty, bytes: Vec<u8>, span: Span) -> Expr {
        let global = self.hidden_global(ty, super::init_static::pieces_of(bytes), span);
        let place = Place { kind: PlaceKind::Global(global), ty, span };
        Expr { kind: ExprKind::Load(place), ty, span }
    }

    /// `(type){ … }`
    pub(super) fn compound_literal(&mut self, name: &TypeName, list: &InitList, span: Span) -> R<Typed> {
        let ty = self.type_name(name)?;
        if self.s.is_opaque(ty.ty) {
            return unsupported(span, "unsupported-vector", "literal of a complex or vector type");
        }
        let (completed, stores) = self.list_initialiser(ty, list, span)?;
        if self.s.size_of(completed).is_none() {
            return invalid(span, "incomplete-type", "compound literal of incomplete type");
        }
        let ty = QualTy { ty: completed, quals: ty.quals };
        let place = self.materialise(ty, stores, span)?;
        Ok(Typed::place(place, ty))
    }

    /// An unnamed object with this contents: a static one at file scope and in static initialisers, else a
    /// local of the enclosing block.
    fn materialise(&mut self, ty: QualTy, stores: Stores, span: Span) -> R<Place> {
        let constant = self.s.is_const_object(ty);
        let ty = ty.ty;
        let ir = self.s.ir(ty);
        if !self.fun.active || self.fun.static_context {
            let pieces = self.static_pieces(stores)?;
            let global = self.hidden_global(ir, pieces.pieces, span);
            if let Some(g) = self.s.program.globals.get_mut(global) {
                g.constant = constant;
            }
            return Ok(Place { kind: PlaceKind::Global(global), ty: ir, span });
        }
        let local = self.block_local(ty, span);
        if let Some(l) = self.fun.locals.get_mut(local) {
            l.constant = constant;
        }
        let root = self.local_place(local, ty, span);
        let init = Box::new(self.automatic_init(root, ty, stores, span)?);
        Ok(Place { kind: PlaceKind::Literal { local, init }, ty: ir, span })
    }

    /// A hidden local that lives as long as the enclosing block.
    fn block_local(&mut self, ty: CTy, span: Span) -> LocalId {
        let local = self.temporary(ty, span);
        if let Some(block) = self.fun.literals.last_mut() {
            block.push(local);
        }
        local
    }

    /// A complex constant from a real one: an object that holds both parts.
    pub(super) fn complex_from_constant(&mut self, t: Typed, kind: FloatKind, to: CTy) -> R<Expr> {
        use super::constant::Known;
        let span = t.span();
        let part = self.s.ir(CTy::float(kind));
        let value = match self.s.evaluate(&t.into_expr()) {
            Some(Known::Int(v)) => v as f64,
            Some(Known::Float(v)) => v,
            _ => return unsupported(span, "unsupported-complex", "conversion to a complex number"),
        };
        let table = &self.s.program.types;
        let bytes = super::init_static::float_bytes(table.get(part), value, table.size(part));
        let ty = self.s.ir(to);
        let global = self.hidden_global(ty, super::init_static::pieces_of(bytes), span);
        let place = Place { kind: PlaceKind::Global(global), ty, span };
        Ok(Expr { kind: ExprKind::Load(place), ty, span })
    }

    /// GNU cast to a union that has a member of the value's type.
    pub(super) fn cast_to_union(&mut self, t: Typed, to: CTy, record: RecordId, span: Span) -> R<Typed> {
        let members = match self.s.records.get(record) {
            Some(info) if info.is_union => info.members.clone(),
            _ => return invalid(span, "bad-cast", "cast to a struct type"),
        };
        let Some(index) = members.iter().position(|m| self.s.compatible(m.ty.ty, t.ty.ty)) else {
            return invalid(span, "bad-cast", "cast to a union without a member of that type");
        };
        self.union_of(t, to, record, index as u32, span)
    }

    /// An argument for a parameter of transparent union type.
    pub(super) fn transparent_argument(&mut self, t: Typed, to: CTy, record: RecordId) -> R<Expr> {
        let span = t.span();
        let members = self.s.records.get(record).map(|r| r.members.clone()).unwrap_or_default();
        let exact = members.iter().position(|m| self.s.compatible(m.ty.ty, t.ty.ty));
        let both_pointers = |m: &super::CMember| self.s.is_pointer(m.ty.ty) && self.s.is_pointer(t.ty.ty);
        let null = self.is_null_constant(&t);
        let Some(index) = exact
            .or_else(|| members.iter().position(both_pointers))
            .or_else(|| members.iter().position(|m| null && self.s.is_pointer(m.ty.ty)))
        else {
            return invalid(span, "incompatible-types", "argument does not fit the transparent union");
        };
        Ok(self.union_of(t, to, record, index as u32, span)?.into_expr())
    }

    fn union_of(&mut self, t: Typed, to: CTy, record: RecordId, index: u32, span: Span) -> R<Typed> {
        let Some((member, field, _)) = self.member_at(record, index) else {
            return invalid(span, "bad-cast", "no such member");
        };
        let mut stores = Stores::default();
        let path = stores.extend(WHOLE, Step::Field(record, index));
        let (offset, bits) = self.field_position(record, field);
        let slot = Slot { ty: member.ty, path, offset, bits };
        self.store_converted(&mut stores, slot, t, span)?;
        let place = self.materialise(to.into(), stores, span)?;
        let ty = place.ty;
        Ok(Typed::value(Expr { kind: ExprKind::Load(place), ty, span }, to))
    }
}
