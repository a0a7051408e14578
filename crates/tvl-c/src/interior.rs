//! Addresses of fields that hold pointers: `link = &node->next`.
//!
//! A pointer to a field is modelled as a pointer to its cell. That is enough if its type says which field is meant: for each
//! type of pointer, the program takes the address of at most one field in each structure. Such a field, and objects of that
//! type by themselves, are one field of the model, so that `*link` reads the same whether `link` leads into a structure or to
//! a variable. Two such pointers are equal exactly if their cells are. What would tell the cell from the field, a
//! conversion or `free`, is refused where pointers of that type are converted.

use crate::place::FieldKey;
use heapwise_ir::{
    Const, FunctionBody, Operand, Place, Program, Projection, RecordKind, Rvalue, StatementKind, Ty, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The fields whose addresses are taken, by their types.
#[derive(Debug, Default)]
pub(crate) struct Interior {
    fields: FxHashMap<Ty, FxHashSet<FieldKey>>,
    /// Types of which a structure has several such fields.
    ambiguous: FxHashSet<Ty>,
}

impl Interior {
    /// Looks through a program.
    pub(crate) fn of(source: &Program) -> Interior {
        let mut found = Interior::default();
        for f in source.functions.iter() {
            let FunctionBody::Defined(body) = &f.body else { continue };
            for statement in body.blocks.iter().flat_map(|b| &b.statements) {
                if let StatementKind::Assign { value: Rvalue::AddrOf(place), .. } = &statement.kind
                    && !place.path.is_empty()
                    && matches!(source.types.get(place.ty), Type::Pointer(_))
                {
                    found.add(source, place);
                }
            }
        }
        found
    }

    fn add(&mut self, source: &Program, place: &Place) {
        let Some(key) = key(source, place) else {
            self.ambiguous.insert(place.ty);
            return;
        };
        let record = |k: &FieldKey| match k {
            FieldKey::Member(record, _) => Some(*record),
            _ => None,
        };
        let keys = self.fields.entry(place.ty).or_default();
        if keys.iter().any(|k| *k != key && record(k) == record(&key)) {
            self.ambiguous.insert(place.ty);
        }
        keys.insert(key);
    }

    /// Whether pointers to objects of this type may lead to fields.
    pub(crate) fn concerns(&self, ty: Ty) -> bool {
        self.fields.contains_key(&ty)
    }

    /// Whether the address of a field of this type says which field it is.
    pub(crate) fn models(&self, ty: Ty) -> bool {
        self.concerns(ty) && !self.ambiguous.contains(&ty)
    }

    /// The field of the model that a field of this type is.
    pub(crate) fn field(&self, key: FieldKey, ty: Ty) -> FieldKey {
        let taken = key == FieldKey::Whole || self.fields.get(&ty).is_some_and(|keys| keys.contains(&key));
        if self.models(ty) && taken { FieldKey::Pointed(ty) } else { key }
    }
}

/// The field that a path of members and constant indices is; nothing if it leads through a union or out of an array.
pub(crate) fn key(source: &Program, place: &Place) -> Option<FieldKey> {
    let types = &source.types;
    let (mut total, mut first, mut ty) = (0u64, None, None);
    for step in &place.path {
        match step {
            Projection::Field { record, field, offset, .. } => {
                let members = types.records.get(*record).filter(|r| r.kind != RecordKind::Union)?;
                first.get_or_insert(*record);
                total = total.saturating_add(*offset);
                ty = members.fields.get(*field as usize).map(|f| f.ty);
            }
            Projection::Index { index, stride } => {
                let Operand::Const(Const::Int { value, .. }) = index else { return None };
                let Type::Array { elem, len } = types.get(ty?) else { return None };
                let index = u64::try_from(*value).ok().filter(|i| len.is_some_and(|len| *i < len))?;
                total = total.saturating_add(index.checked_mul(*stride)?);
                ty = Some(*elem);
            }
        }
    }
    match first {
        Some(record) => Some(FieldKey::Member(record, total)),
        None => place.path.is_empty().then_some(FieldKey::Whole),
    }
}
