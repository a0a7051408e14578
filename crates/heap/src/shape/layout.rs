//! Where structs and fields lie: what the predicate language asks about types.

use super::ast::{Path, Step};
use heapwise_ir::{RecordId, Ty, Type, TypeTable};

/// A scalar inside a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Byte offset.
    pub off: u64,
    /// Width in bytes.
    pub width: u64,
    /// For an integer, its smallest and largest value.
    pub range: Option<(i128, i128)>,
}

/// Types as the predicate language sees them.
pub trait Layouts {
    /// The complete record with that tag or typedef name.
    fn record(&self, name: &str) -> Option<RecordId>;
    /// Its size in bytes.
    fn size(&self, record: RecordId) -> u64;
    /// Offset of what a path leads to, scalar or not; the error says what is wrong.
    fn offset(&self, record: RecordId, path: &Path) -> Result<u64, String>;
    /// The scalar that a path leads to; the error says what is wrong.
    fn scalar(&self, record: RecordId, path: &Path) -> Result<Scalar, String>;
    /// The scalars of the record, by offset; of large records the first ones.
    fn scalars(&self, record: RecordId) -> Vec<Scalar>;
    /// The bytes of all its scalars, as ranges by offset.
    fn scalar_bytes(&self, record: RecordId) -> Vec<(u64, u64)>;
}

/// Most scalars of a record that are told one by one.
const MAX_SCALARS: usize = 64;
/// Most ranges of bytes of a record, and elements of an array that are told one by one.
const MAX_RANGES: usize = 1024;

impl Layouts for TypeTable {
    fn record(&self, name: &str) -> Option<RecordId> {
        let mut all = self.records.iter_enumerated();
        all.find(|(_, r)| r.complete && r.name.as_deref() == Some(name)).map(|(id, _)| id)
    }

    fn size(&self, record: RecordId) -> u64 {
        self.records.get(record).map_or(0, |r| r.size)
    }

    fn offset(&self, record: RecordId, path: &Path) -> Result<u64, String> {
        walk(self, record, path).map(|(off, _)| off)
    }

    fn scalar(&self, record: RecordId, path: &Path) -> Result<Scalar, String> {
        let (off, ty) = walk(self, record, path)?;
        if !self.is_scalar(ty) {
            return Err("is no scalar; name one of its parts".into());
        }
        Ok(scalar(self, off, ty))
    }

    fn scalars(&self, record: RecordId) -> Vec<Scalar> {
        let Some(r) = self.records.get(record) else { return Vec::new() };
        let mut found = Vec::new();
        for f in r.fields.iter().filter(|f| f.bits.is_none()) {
            let inner = TypeTable::scalars(self, f.ty, MAX_SCALARS);
            found.extend(inner.into_iter().map(|(off, ty)| scalar(self, f.offset + off, ty)));
        }
        found.sort_by_key(|s| s.off);
        found.truncate(MAX_SCALARS);
        found
    }

    fn scalar_bytes(&self, record: RecordId) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        bytes_of_record(self, record, 0, &mut found);
        found.sort_unstable();
        found.dedup_by(|next, before| {
            let touches = next.0 <= before.1;
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
        found
    }
}

fn bytes_of_record(types: &TypeTable, record: RecordId, at: u64, found: &mut Vec<(u64, u64)>) {
    let fields = types.records.get(record).into_iter().flat_map(|r| &r.fields);
    for f in fields.filter(|f| f.bits.is_none()) {
        bytes_of(types, f.ty, at + f.offset, found);
    }
}

/// Adds the bytes of the scalars of a type at an offset; those of bit-fields are left out, and what would be too many ranges.
fn bytes_of(types: &TypeTable, ty: Ty, at: u64, found: &mut Vec<(u64, u64)>) {
    if found.len() >= MAX_RANGES {
        return;
    }
    match types.get(ty) {
        Type::Record(r) => bytes_of_record(types, *r, at, found),
        Type::Array { elem, len: Some(len) } => {
            let size = types.size(*elem);
            let mut one = Vec::new();
            bytes_of(types, *elem, 0, &mut one);
            if one.as_slice() == [(0, size)] {
                found.push((at, at.saturating_add(size.saturating_mul(*len))));
                return;
            }
            for i in 0..(*len).min(MAX_RANGES as u64) {
                found.extend(one.iter().map(|(lo, hi)| (at + i * size + lo, at + i * size + hi)));
            }
        }
        _ if types.is_scalar(ty) => found.push((at, at + types.size(ty))),
        _ => {}
    }
}

fn scalar(types: &TypeTable, off: u64, ty: Ty) -> Scalar {
    let range = types.as_int(ty).map(|i| (i.min(), i.max()));
    Scalar { off, width: types.size(ty), range }
}

fn walk(types: &TypeTable, record: RecordId, path: &Path) -> Result<(u64, Ty), String> {
    let mut at = 0u64;
    let mut here: Option<Ty> = None;
    let mut inside = Some(record);
    for step in &path.steps {
        match step {
            Step::Field(name) => {
                let Some(r) = inside.and_then(|r| types.records.get(r)) else {
                    return Err(format!("has no field `{name}`, it is no struct"));
                };
                let Some((off, ty, bits)) = find(types, r, name, 8) else {
                    return Err(format!(
                        "has no field `{name}`; `{}` has {}",
                        r.name.as_deref().unwrap_or("the struct"),
                        r.fields.iter().filter_map(|f| f.name.as_deref()).collect::<Vec<_>>().join(", ")
                    ));
                };
                if bits {
                    return Err(format!("`{name}` is a bit-field, which predicates cannot describe"));
                }
                at += off;
                here = Some(ty);
            }
            Step::Index(i) => match here.map(|t| types.get(t)) {
                Some(Type::Array { elem, len }) if len.is_some_and(|n| *i < n) => {
                    at += i.saturating_mul(types.size(*elem));
                    here = Some(*elem);
                }
                Some(Type::Array { .. }) => return Err(format!("has no element {i}")),
                _ => return Err("is no array".into()),
            },
        }
        inside = here.and_then(|t| match types.get(t) {
            Type::Record(r) => Some(*r),
            _ => None,
        });
    }
    here.map(|ty| (at, ty)).ok_or_else(|| "is empty".into())
}

/// A field by name, also inside anonymous members; offset, type, and whether it is a bit-field.
fn find(types: &TypeTable, record: &heapwise_ir::Record, name: &str, depth: u32) -> Option<(u64, Ty, bool)> {
    for f in &record.fields {
        if f.name.as_deref() == Some(name) {
            return Some((f.offset, f.ty, f.bits.is_some()));
        }
        if f.name.is_none()
            && depth > 0
            && let Type::Record(r) = types.get(f.ty)
            && let Some(inner) = types.records.get(*r)
            && let Some((off, ty, bits)) = find(types, inner, name, depth - 1)
        {
            return Some((f.offset + off, ty, bits));
        }
    }
    None
}
