//! Addresses of parts of structures: `link = &node->next`, `&item->list`.
//!
//! A pointer to a part is modelled as a pointer to its cell. That is enough if its type says which part is meant: for each
//! type of pointer, the program takes the address of at most one such member in each structure. A scalar of which that is so, and
//! objects of its type by themselves, are one field of the model, so that `*link` reads the same whether `link` leads into a
//! structure or to a variable. A structure within a structure has the fields that it has by itself, so that a list runs through
//! heads and elements alike. Two such pointers are equal exactly if their cells are.
//!
//! Back from the part to the whole (`container_of`) is the same cell again. Whether there is a whole around is not known by type
//! then: a mark says of each cell which kind it is, and every use of a pointer to such a whole, and every conversion that would tell the
//! cell from the part, asks for it ([`crate::kind`]).

use crate::blocks::Blocks;
use crate::place::{FieldKey, Root};
use heapwise_ir::{
    Body, CastKind, Const, FunctionBody, Operand, Place, PlaceBase, Program, Projection, RecordId,
    RecordKind, Rvalue, StatementKind, Ty, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The parts whose addresses are taken.
#[derive(Debug, Default)]
pub(crate) struct Interior {
    /// Scalars, by their types.
    fields: FxHashMap<Ty, FxHashSet<FieldKey>>,
    /// Types of which a structure has several such scalars.
    ambiguous: FxHashSet<Ty>,
    /// Structures within structures: in which, at which offset, of which type and record.
    embedded: Vec<Embedded>,
}

/// A structure within another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Embedded {
    /// The whole.
    pub(crate) outer: RecordId,
    /// Where the part is.
    pub(crate) offset: u64,
    /// The part.
    pub(crate) inner: RecordId,
    size: u64,
}

impl Interior {
    /// Looks through a program.
    pub(crate) fn of(source: &Program, blocks: Blocks) -> Interior {
        let mut found = Interior::default();
        let (mut scalars, mut bad) = (Vec::new(), Vec::new());
        let bodies = source.functions.iter().filter_map(|f| match &f.body {
            FunctionBody::Defined(body) => Some(body),
            _ => None,
        });
        for body in bodies {
            for statement in body.blocks.iter().flat_map(|b| &b.statements) {
                let StatementKind::Assign { dest, value } = &statement.kind else { continue };
                match value {
                    Rvalue::AddrOf(place) if !place.path.is_empty() => match source.types.get(place.ty) {
                        Type::Record(inner) => match key(source, body, place) {
                            Some(FieldKey::Member(outer, offset)) => {
                                found.embed(source, outer, offset, *inner, &mut bad);
                            }
                            _ => bad.push(*inner),
                        },
                        _ if blocks == Blocks::Followed && is_element(source, place) => {}
                        _ if source.types.is_scalar(place.ty) => scalars.push((body, place)),
                        _ => {}
                    },
                    Rvalue::Cast { kind: CastKind::PtrToPtr, arg } => {
                        found.first_member(source, body, (arg, dest), &mut bad);
                    }
                    _ => {}
                }
            }
        }
        found.embedded.retain(|e| !bad.contains(&e.inner) && !bad.contains(&e.outer));
        for (body, place) in scalars {
            found.add(source, body, place);
        }
        found
    }

    /// A pointer to a structure is converted to one to its first member.
    fn first_member(
        &mut self,
        source: &Program,
        body: &Body,
        (arg, dest): (&Operand, &Place),
        bad: &mut Vec<RecordId>,
    ) {
        let record = |ty: Option<Ty>| match source.types.get(source.types.pointee(ty?)?) {
            Type::Record(id) => Some(*id),
            _ => None,
        };
        let from = record(source.operand_ty(body, arg));
        let (Some(outer), Some(inner)) = (from, record(Some(dest.ty))) else { return };
        let first = source.types.records.get(outer).and_then(|r| r.fields.first());
        if first.is_some_and(|f| f.offset == 0 && *source.types.get(f.ty) == Type::Record(inner)) {
            self.embed(source, outer, 0, inner, bad);
        }
    }

    /// Notes a structure within a structure. Where several are, or they overlap, types do not say which one is meant.
    fn embed(
        &mut self,
        source: &Program,
        outer: RecordId,
        offset: u64,
        inner: RecordId,
        bad: &mut Vec<RecordId>,
    ) {
        let size = source.types.records.get(inner).map_or(0, |r| r.size);
        let new = Embedded { outer, offset, inner, size };
        if self.embedded.contains(&new) {
            return;
        }
        let apart = |e: &Embedded| e.offset + e.size <= offset || offset + size <= e.offset;
        if self.embedded.iter().any(|e| e.outer == outer && (e.inner == inner || !apart(e))) {
            bad.push(outer);
        }
        // A chain of three is not followed.
        if outer == inner || self.embedded.iter().any(|e| e.outer == inner || e.inner == outer) {
            bad.push(inner);
        }
        self.embedded.push(new);
    }

    fn add(&mut self, source: &Program, body: &Body, place: &Place) {
        let Some(key) = key(source, body, place).map(|k| self.by_itself(k)) else {
            self.ambiguous.insert(place.ty);
            return;
        };
        let record = |k: &FieldKey| match k {
            FieldKey::Member(record, _) => Some(*record),
            _ => None,
        };
        let keys = self.fields.get(&place.ty).cloned().unwrap_or_default();
        // A cell has the members of a whole and of its parts.
        let in_parts = |k: &FieldKey| {
            record(k).is_some_and(|r| self.embedded.iter().any(|e| e.outer == r || e.inner == r))
        };
        let clash = |k: &FieldKey| *k != key && (record(k) == record(&key) || in_parts(k) || in_parts(&key));
        if keys.iter().any(clash) {
            self.ambiguous.insert(place.ty);
        }
        self.fields.entry(place.ty).or_default().insert(key);
    }

    /// A member of a structure within a structure, as a member of that one by itself.
    fn by_itself(&self, key: FieldKey) -> FieldKey {
        let FieldKey::Member(outer, offset) = key else { return key };
        let part = |e: &&Embedded| e.outer == outer && e.offset <= offset && offset < e.offset + e.size;
        match self.embedded.iter().find(part) {
            Some(e) => FieldKey::Member(e.inner, offset - e.offset),
            None => key,
        }
    }

    /// Whether pointers to objects of this type may lead to parts.
    pub(crate) fn concerns(&self, ty: Ty) -> bool {
        self.fields.contains_key(&ty)
    }

    /// Whether the address of a scalar of this type says which member it is.
    pub(crate) fn models(&self, ty: Ty) -> bool {
        self.concerns(ty) && !self.ambiguous.contains(&ty)
    }

    /// The field of the model that a member of this type is.
    pub(crate) fn field(&self, key: FieldKey, ty: Ty) -> FieldKey {
        let key = self.by_itself(key);
        let taken = key == FieldKey::Whole || self.fields.get(&ty).is_some_and(|keys| keys.contains(&key));
        if self.models(ty) && taken { FieldKey::Pointed(ty) } else { key }
    }

    /// The structures that a structure is part of.
    pub(crate) fn around(&self, inner: RecordId) -> impl Iterator<Item = Embedded> + '_ {
        self.embedded.iter().copied().filter(move |e| e.inner == inner)
    }

    /// Whether a structure has parts that pointers lead to.
    pub(crate) fn is_whole(&self, outer: RecordId) -> bool {
        self.embedded.iter().any(|e| e.outer == outer)
    }

    /// The structures that have parts to which pointers lead.
    pub(crate) fn wholes(&self) -> Vec<RecordId> {
        let mut found: Vec<RecordId> = self.embedded.iter().map(|e| e.outer).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Whether a part at an offset is followed.
    pub(crate) fn embeds(&self, outer: RecordId, offset: u64, inner: RecordId) -> bool {
        self.around(inner).any(|e| e.outer == outer && e.offset == offset)
    }
}

/// Whether a place is a number in an array of its own: a pointer to it leads into a block.
fn is_element(source: &Program, place: &Place) -> bool {
    let number = matches!(source.types.get(place.ty), Type::Int(_) | Type::Bool | Type::Float(_));
    number && place.path.iter().all(|step| matches!(step, Projection::Index { .. }))
}

/// The type of the object that a place is all or part of.
pub(crate) fn base_type(source: &Program, body: &Body, place: &Place) -> Option<Ty> {
    match &place.base {
        PlaceBase::Local(l) => body.locals.get(*l).map(|l| l.ty),
        PlaceBase::Global(g) => source.globals.get(*g).map(|g| g.ty),
        PlaceBase::Deref(p) => source.operand_ty(body, p).and_then(|ty| source.types.pointee(ty)),
    }
}

/// The field that a path of members and constant indices is; nothing if it leads through a union or out of an array.
pub(crate) fn key(source: &Program, body: &Body, place: &Place) -> Option<FieldKey> {
    let types = &source.types;
    let base = base_type(source, body, place)?;
    let (mut total, mut first, mut ty) = (0u64, None, Some(base));
    for step in &place.path {
        match step {
            Projection::Field { record, field, offset, .. } => {
                let members = types.records.get(*record).filter(|r| r.kind != RecordKind::Union)?;
                first.get_or_insert(Root::Record(*record));
                total = total.saturating_add(*offset);
                ty = members.fields.get(*field as usize).map(|f| f.ty);
            }
            Projection::Index { index, stride } => {
                let Operand::Const(Const::Int { value, .. }) = index else { return None };
                let array = ty?;
                let Type::Array { elem, len } = types.get(array) else { return None };
                first.get_or_insert(Root::Array(array));
                let index = u64::try_from(*value).ok().filter(|i| len.is_some_and(|len| *i < len))?;
                total = total.saturating_add(index.checked_mul(*stride)?);
                ty = Some(*elem);
            }
        }
    }
    match first {
        Some(root) => Some(root.at(total)),
        None => place.path.is_empty().then_some(FieldKey::Whole),
    }
}
