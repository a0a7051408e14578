//! Places: bases and paths.
//!
//! Evaluating a place evaluates the pointer it starts from and its indices, left to right, and reads nothing
//! else.

use super::Lowering;
use super::order::Part;
use crate::hir::{Expr, ExprKind, Init, Place, PlaceKind};
use heapwise_ir::{
    Const, LocalId, Operand, Place as IrPlace, PlaceBase, Projection, RecordId, RecordKind, Span,
    StatementKind, Ty, TypeTable,
};

impl Lowering<'_> {
    /// Evaluates where a place is.
    pub(super) fn place(&mut self, place: &Place) -> IrPlace {
        let mut result = match &place.kind {
            PlaceKind::Local(local) => self.local_place(*local),
            PlaceKind::Global(global) => IrPlace::global(*global, place.ty),
            PlaceKind::Deref(pointer) => match &pointer.kind {
                ExprKind::AddrOf(inner) if inner.ty == place.ty && !inner.in_constant(&self.locals) => {
                    self.place(inner)
                }
                _ => IrPlace::deref(self.operand(pointer), place.ty),
            },
            PlaceKind::Field { base, record, field } => {
                let mut result = self.place(base);
                let step = self.field(*record, *field);
                push_step(&mut result.path, step);
                result
            }
            PlaceKind::Index { base, index, stride } => {
                let mut marks = self.begin_unsequenced(&[Part::Place(base), Part::Value(index)], place.span);
                let result = self.place(base);
                let mut result = self.keep_place(result, index, base.span);
                self.next_operand(&mut marks);
                let mut position = self.operand(index);
                if marks.wanted() {
                    position = self.keep_from_place(position, base, index.span);
                }
                self.next_operand(&mut marks);
                self.end_unsequenced(marks);
                let index = position;
                push_step(&mut result.path, Projection::Index { index, stride: *stride });
                result
            }
            PlaceKind::Literal { local, init } => {
                self.init(init, place.span);
                self.local_place(*local)
            }
            PlaceKind::Temporary(value) => self.value_place(value),
        };
        result.ty = place.ty;
        result
    }

    fn local_place(&self, local: LocalId) -> IrPlace {
        match self.aliases.get(&local) {
            Some(Operand::Local(other)) => IrPlace::local(*other, self.local_ty(*other)),
            _ => IrPlace::local(local, self.local_ty(local)),
        }
    }

    fn field(&self, record: RecordId, field: u32) -> Projection {
        let layout = self.program.types.records.get(record).and_then(|r| r.fields.get(field as usize));
        let (offset, bits) = layout.map_or((0, None), |f| (f.offset, f.bits));
        Projection::Field { record, field, offset, bits }
    }

    /// A place that holds the value of an aggregate expression.
    fn value_place(&mut self, value: &Expr) -> IrPlace {
        if let ExprKind::Load(place) = &value.kind {
            return self.place(place);
        }
        match self.operand(value) {
            Operand::Local(local) => IrPlace::local(local, value.ty),
            constant => {
                let temporary = self.temporary(value.ty, value.span);
                let place = IrPlace::local(temporary, value.ty);
                self.emit_assign(place.clone(), heapwise_ir::Rvalue::Use(constant), value.span);
                place
            }
        }
    }

    /// The operand that reads a place without a memory access, if it is all of a local.
    pub(super) fn plain_local(&self, place: &Place) -> Option<Operand> {
        match place.kind {
            PlaceKind::Local(local) => {
                Some(self.aliases.get(&local).cloned().unwrap_or(Operand::Local(local)))
            }
            _ => None,
        }
    }

    /// Runs an initialiser.
    pub(super) fn init(&mut self, init: &Init, span: Span) {
        if let Some(place) = &init.zero {
            let place = self.place(place);
            self.emit(StatementKind::Zero(place), span);
        }
        // Compilers store in the order of the members, which designators may leave; C says nothing.
        if designated_out_of_order(&self.program.types, &init.stores) {
            let parts: Vec<Part<'_>> = init.stores.iter().map(|(_, value)| Part::Value(value)).collect();
            let mut marks = self.begin_unsequenced(&parts, span);
            for (place, value) in &init.stores {
                self.store(place, value, value.span);
                self.next_operand(&mut marks);
            }
            self.end_unsequenced(marks);
            return;
        }
        for (place, value) in &init.stores {
            self.store(place, value, value.span);
        }
    }

    /// Evaluates a place, then a value, and stores it there.
    pub(super) fn store(&mut self, place: &Place, value: &Expr, span: Span) {
        let mut marks = self.begin_unsequenced(&[Part::Place(place), Part::Value(value)], span);
        let dest = self.place(place);
        let dest = self.keep_place(dest, value, place.span);
        self.next_operand(&mut marks);
        if marks.wanted() {
            let stored = self.operand(value);
            let stored = self.keep_from_place(stored, place, value.span);
            self.next_operand(&mut marks);
            self.end_unsequenced(marks);
            self.emit_assign(dest, heapwise_ir::Rvalue::Use(stored), span);
            return;
        }
        let span = if access_can_fail(&dest) { span } else { value.span };
        self.assign(dest, value, span);
    }

    /// Reads a place into a new temporary, unless it is a local as a whole.
    pub(super) fn load(&mut self, place: IrPlace, ty: Ty, span: Span) -> Operand {
        match place.as_local() {
            Some(local) => Operand::Local(local),
            None => self.store_temporary(heapwise_ir::Rvalue::Load(place), ty, span),
        }
    }
}

/// Whether reading the place can go wrong or takes a computed address.
pub(super) fn access_can_fail(place: &IrPlace) -> bool {
    matches!(place.base, PlaceBase::Deref(_)) || has_computed_index(&place.path)
}

/// Appends a step. Paths are many, short and kept: none gets more room than it needs.
fn push_step(path: &mut Vec<Projection>, step: Projection) {
    path.reserve_exact(1);
    path.push(step);
}

fn has_computed_index(path: &[Projection]) -> bool {
    path.iter().any(|step| matches!(step, Projection::Index { .. }))
}

/// Whether stores of an initialiser go to different parts of an object and not in the order of these. A part that is written twice
/// keeps what was written last, so there the order counts.
fn designated_out_of_order(types: &TypeTable, stores: &[(Place, Expr)]) -> bool {
    let keys: Option<Vec<Vec<i128>>> = stores.iter().map(|(place, _)| way_to(types, place)).collect();
    let Some(keys) = keys.filter(|keys| keys.len() > 1) else { return false };
    let mut sorted = keys.clone();
    sorted.sort();
    let apart = sorted.windows(2).all(|w| match w {
        [a, b] => !b.starts_with(a),
        _ => true,
    });
    apart && sorted != keys
}

/// The members and indices that lead to a part of an object, from the outside in.
fn way_to(types: &TypeTable, place: &Place) -> Option<Vec<i128>> {
    let (base, step) = match &place.kind {
        // All members of a union are the same part.
        PlaceKind::Field { base, record, field } => {
            let union = types.records.get(*record).is_none_or(|r| r.kind == RecordKind::Union);
            (base, if union { 0 } else { i128::from(*field) })
        }
        PlaceKind::Index { base, index, .. } => match &index.kind {
            ExprKind::Const(Const::Int { value, .. }) => (base, *value),
            _ => return None,
        },
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Literal { .. } => return Some(Vec::new()),
        PlaceKind::Deref(_) | PlaceKind::Temporary(_) => return None,
    };
    let mut way = way_to(types, base)?;
    way.push(step);
    Some(way)
}
