//! Types as the language of predicates names them: blocks, cells, links of a type to itself.

use heapwise_heap::pred::{BlockSpec, Tail};
use heapwise_ir::{RecordId, RecordKind, Ty, Type, TypeTable};

/// Most scalars of a block that are looked at.
const MAX_SCALARS: usize = 64;
/// Deepest nesting of members.
const MAX_NESTING: u32 = 8;

/// The record that a type is.
pub(super) fn record_of(types: &TypeTable, ty: Ty) -> Option<RecordId> {
    match types.get(ty) {
        Type::Record(r) => Some(*r),
        _ => None,
    }
}

/// Whether memory of this type can be described: scalars, and records of a known size.
pub(super) fn is_describable(types: &TypeTable, ty: Ty) -> bool {
    match types.get(ty) {
        Type::Record(r) => types.records.get(*r).is_some_and(|r| r.complete && r.size > 0),
        _ => types.is_scalar(ty),
    }
}

/// The pointers in a type: their offsets and what they lead to.
pub(super) fn pointers(types: &TypeTable, ty: Ty) -> Vec<(u64, Ty)> {
    let scalars = types.scalars(ty, MAX_SCALARS).into_iter();
    scalars.filter_map(|(off, t)| types.pointee(t).map(|to| (off, to))).collect()
}

/// The cells of a block that hold pointers or whole numbers: their offsets and types. Numbers in arrays, and those that share
/// bytes with other members, are left out.
pub(super) fn cells(types: &TypeTable, ty: Ty) -> Vec<(u64, Ty)> {
    let all = types.scalars(ty, MAX_SCALARS);
    let is_apart = |(off, ty): (u64, Ty)| {
        let apart = |(o, t): &(u64, Ty)| off + types.size(ty) <= *o || o + types.size(*t) <= off;
        all.iter().filter(|other| !apart(other)).count() == 1
    };
    let counts = |cell: &(u64, Ty)| {
        let is_number = || types.as_int(cell.1).is_some() && !is_in_array(types, ty, cell.0);
        types.pointee(cell.1).is_some() || is_number() && is_apart(*cell)
    };
    let mut found: Vec<(u64, Ty)> = all.iter().copied().filter(counts).collect();
    // A pointer that is there twice is one cell.
    found.dedup_by_key(|(off, _)| *off);
    found
}

/// The scalars of a block that are none of its [`cells`] and share no bytes with one of them, with any values.
pub(super) fn other_cells(types: &TypeTable, ty: Ty) -> Vec<String> {
    let mut told: Vec<(u64, u64)> =
        cells(types, ty).into_iter().map(|(off, t)| (off, types.size(t))).collect();
    let mut found = Vec::new();
    for (off, t) in types.scalars(ty, MAX_SCALARS) {
        let width = types.size(t);
        if told.iter().all(|(o, w)| off + width <= *o || o + w <= off) {
            found.push(format!("@{off}:{width}: _"));
            told.push((off, width));
        }
    }
    found
}

fn is_in_array(types: &TypeTable, ty: Ty, off: u64) -> bool {
    match types.get(ty) {
        Type::Array { .. } => true,
        Type::Record(r) => types.records.get(*r).is_some_and(|r| {
            let holds = |f: &&heapwise_ir::Field| f.offset <= off && off < f.offset + types.size(f.ty);
            r.fields.iter().filter(holds).any(|f| is_in_array(types, f.ty, off - f.offset))
        }),
        _ => false,
    }
}

/// Offsets of the pointers in a type that lead to the same type.
pub(super) fn links(types: &TypeTable, ty: Ty) -> Vec<u64> {
    pointers(types, ty).into_iter().filter(|(_, to)| *to == ty).map(|(off, _)| off).collect()
}

/// What a pointer at an offset of a type leads to.
pub(super) fn target(types: &TypeTable, ty: Ty, off: u64) -> Option<Ty> {
    pointers(types, ty).into_iter().find(|(at, _)| *at == off).map(|(_, to)| to)
}

/// The block that memory of a type is in: `struct node`, or its size in bytes. Characters rarely come alone: what leads to one
/// leads to one or more.
pub(super) fn layout(types: &TypeTable, ty: Ty) -> String {
    let tail = if is_character(types, ty) { Tail::Open } else { Tail::None };
    block(types, &BlockSpec { size: types.size(ty), tail, record: record_of(types, ty) })
}

/// What a block is: its type, how many bytes it has at least, or that it holds a text.
pub(super) fn block(types: &TypeTable, spec: &BlockSpec) -> String {
    match spec.tail {
        Tail::None => {}
        Tail::Open => return format!("[{} ..]", spec.size),
        Tail::Text => return "[text]".into(),
    }
    let record = spec.record;
    let named = record.and_then(|r| types.records.get(r)).and_then(|r| Some((r.kind, r.name.as_deref()?)));
    match named {
        Some((RecordKind::Struct, name)) => format!("struct {name}"),
        Some((RecordKind::Union, name)) => format!("union {name}"),
        None => format!("[{}]", spec.size),
    }
}

/// Whether memory of this type is a character, many of which may be a text.
pub(super) fn is_character(types: &TypeTable, ty: Ty) -> bool {
    matches!(types.get(ty), Type::Int(_)) && types.size(ty) == 1
}

/// A cell of a block: the path to a field, or its bytes.
pub(super) fn cell(types: &TypeTable, record: Option<RecordId>, off: u64, width: u64) -> String {
    let is_named = record.and_then(|r| types.records.get(r)).is_some_and(|r| r.name.is_some());
    let path = record.filter(|_| is_named).and_then(|r| path(types, r, off, width, MAX_NESTING));
    path.unwrap_or_else(|| format!("@{off}:{width}"))
}

fn path(types: &TypeTable, record: RecordId, off: u64, width: u64, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let r = types.records.get(record)?;
    r.fields.iter().filter(|f| f.bits.is_none()).find_map(|f| {
        let at = off.checked_sub(f.offset).filter(|at| *at < types.size(f.ty).max(1))?;
        let rest = inside(types, f.ty, at, width, depth)?;
        match &f.name {
            Some(name) => Some(format!("{name}{rest}")),
            // Members of anonymous records are named as if they were the outer one's.
            None => rest.strip_prefix('.').map(str::to_owned),
        }
    })
}

fn inside(types: &TypeTable, ty: Ty, off: u64, width: u64, depth: u32) -> Option<String> {
    match types.get(ty) {
        Type::Record(r) => path(types, *r, off, width, depth).map(|p| format!(".{p}")),
        Type::Array { elem, .. } => {
            let size = types.size(*elem).max(1);
            let rest = inside(types, *elem, off % size, width, depth.checked_sub(1)?)?;
            Some(format!("[{}]{rest}", off / size))
        }
        _ => (off == 0 && types.size(ty) == width && types.is_scalar(ty)).then(String::new),
    }
}

/// Offset and width of the scalars of a block of a record.
pub(super) fn scalars(types: &TypeTable, record: RecordId) -> Vec<(u64, u64)> {
    let fields = types.records.get(record).into_iter().flat_map(|r| &r.fields);
    let all = fields.filter(|f| f.bits.is_none()).flat_map(|f| {
        let inner = types.scalars(f.ty, MAX_SCALARS);
        inner.into_iter().map(move |(off, ty)| (f.offset + off, types.size(ty)))
    });
    let mut all: Vec<(u64, u64)> = all.collect();
    all.sort_unstable();
    all.truncate(MAX_SCALARS);
    all
}

/// A word for a type, to name predicates with.
pub(super) fn word(types: &TypeTable, ty: Ty) -> String {
    let name = record_of(types, ty).and_then(|r| types.records.get(r)).and_then(|r| r.name.as_deref());
    match name {
        Some(name) => name.to_owned(),
        None => format!("block{}", types.size(ty)),
    }
}
