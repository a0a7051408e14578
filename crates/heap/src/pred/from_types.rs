//! Predicates read off recursive types: guesses for structures of which no two elements were seen together yet.
//!
//! A record with one pointer to its own kind is an element of a list, one with two an element of a doubly-linked list or
//! of a binary tree, one with three an element of a tree with parent pointers if one of them is called so, and of a
//! tree otherwise. All other scalars are data. Like every predicate these describe only memory that the matching
//! engine has shown to satisfy them; a wrong guess costs time and nothing else.

use crate::pred::{
    BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, Origin, PredId, PredTable, Term,
};
use heapwise_ir::{RecordId, Type, TypeTable};

/// Most scalars of a record that is looked at.
const MAX_SCALARS: usize = 32;
/// Most records of a program that are looked at.
const MAX_RECORDS: usize = 64;

/// A scalar of a record.
struct Slot {
    off: u64,
    width: u64,
    /// The name of the field, if it is a pointer to the same record.
    link: Option<String>,
}

/// Adds the predicates of all recursive records to the table.
pub fn derive_from_types(types: &TypeTable, preds: &mut PredTable) {
    let mut group: Vec<(String, Definition)> = Vec::new();
    for (id, record) in types.records.iter_enumerated().filter(|(_, r)| r.complete) {
        let slots = slots(types, id);
        let links: Vec<usize> = (0..slots.len()).filter(|i| slots[*i].link.is_some()).collect();
        if slots.len() > MAX_SCALARS || group.len() >= MAX_RECORDS {
            continue;
        }
        let block = BlockSpec::of_size(record.size, Some(id));
        let stem = record.name.as_deref().unwrap_or("block");
        let mut add = |suffix: &str, next: &[usize], back: Option<usize>| {
            let def = definition(&block, &slots, next, back);
            if preds.known_like(&def).is_none() {
                group.push((format!("{stem}_{suffix}"), def));
            }
        };
        let parent = links.iter().copied().find(|i| {
            let name = slots[*i].link.as_deref().unwrap_or("").to_lowercase();
            name.contains("parent") || name == "up" || name == "father"
        });
        match (links.as_slice(), parent) {
            ([], _) => {}
            ([next], _) => add("list", &[*next], None),
            ([a, b], _) => {
                add("dll", &[*a], Some(*b));
                add("tree", &[*a, *b], None);
            }
            (all, Some(up)) if all.len() == 3 => {
                let children: Vec<usize> = all.iter().copied().filter(|i| *i != up).collect();
                add("tree", &children, Some(up));
            }
            (all, _) if all.len() <= 4 => add("tree", all, None),
            _ => {}
        }
    }
    preds.declare(group, Origin::Derived);
}

/// Adds the predicates of records that are recursive only through each other: lists whose elements take turns. Records
/// that also have pointers to their own kind are left alone; of those, pointers to other kinds are rarely a structure.
pub fn derive_mutual(types: &TypeTable, preds: &mut PredTable) {
    let records = || types.records.iter_enumerated().filter(|(_, r)| r.complete).map(|(id, _)| id);
    let pointers = |id: RecordId| -> Vec<(u64, RecordId)> {
        let fields = types.records.get(id).into_iter().flat_map(|r| &r.fields).filter(|f| f.bits.is_none());
        let scalars = fields
            .flat_map(|f| types.scalars(f.ty, MAX_SCALARS).into_iter().map(|(off, ty)| (f.offset + off, ty)));
        let to = |ty| match types.get(types.pointee(ty)?) {
            Type::Record(r) => Some(*r),
            _ => None,
        };
        scalars.filter_map(|(off, ty)| Some((off, to(ty)?))).collect()
    };
    let all: Vec<(RecordId, Vec<(u64, RecordId)>)> = records().map(|id| (id, pointers(id))).collect();
    let reached = |from: RecordId| {
        let mut seen: Vec<RecordId> = Vec::new();
        let mut todo = vec![from];
        while let Some(id) = todo.pop() {
            let next =
                all.iter().find(|(r, _)| *r == id).into_iter().flat_map(|(_, p)| p.iter().map(|(_, t)| *t));
            let new: Vec<RecordId> = next.filter(|t| !seen.contains(t)).collect();
            seen.extend(&new);
            todo.extend(new);
        }
        seen
    };
    let mut done: Vec<RecordId> = Vec::new();
    for (id, _) in all.iter().take(MAX_RECORDS) {
        let group: Vec<RecordId> =
            reached(*id).into_iter().filter(|r| r == id || reached(*r).contains(id)).collect();
        let plain = |r: &RecordId| all.iter().any(|(q, p)| q == r && p.iter().all(|(_, t)| t != r));
        if group.len() < 2 || !group.contains(id) || done.contains(id) || !group.iter().all(plain) {
            continue;
        }
        done.extend(&group);
        let first = preds.len();
        let definitions = group.iter().filter_map(|r| {
            let record = types.records.get(*r)?;
            let slots = slots(types, *r);
            let block = BlockSpec::of_size(record.size, Some(*r));
            let mut def = definition(&block, &slots, &[], None);
            let case = def.cases.iter_mut().find(|c| c.block.is_some())?;
            for (off, to) in pointers(*r) {
                let Some(at) = group.iter().position(|g| *g == to) else { continue };
                let cell = case.cells.iter().find(|c| c.off == off)?;
                let callee = Callee::Other(PredId((first + at) as u32));
                case.calls.push(CallSpec::whole(callee, vec![cell.val]));
            }
            Some((format!("{}_turn", record.name.as_deref().unwrap_or("block")), def))
        });
        let definitions: Vec<(String, Definition)> = definitions.collect();
        if definitions.len() == group.len() {
            preds.declare(definitions, Origin::Derived);
        }
    }
}

fn slots(types: &TypeTable, id: RecordId) -> Vec<Slot> {
    let mut found = Vec::new();
    let fields = types.records.get(id).into_iter().flat_map(|r| &r.fields);
    for f in fields.filter(|f| f.bits.is_none()) {
        for (off, ty) in types.scalars(f.ty, MAX_SCALARS) {
            let own = types.pointee(ty).is_some_and(|to| *types.get(to) == Type::Record(id));
            let link = own.then(|| f.name.as_deref().unwrap_or("").to_owned());
            found.push(Slot { off: f.offset + off, width: types.size(ty), link });
        }
    }
    found.sort_by_key(|s| s.off);
    found.dedup_by_key(|s| s.off);
    found
}

fn definition(block: &BlockSpec, slots: &[Slot], next: &[usize], back: Option<usize>) -> Definition {
    let mut case = Case { block: Some(block.clone()), ..Case::default() };
    for (i, slot) in slots.iter().enumerate() {
        let val = if back == Some(i) {
            Term::param(1)
        } else {
            let t = Term::exist(case.exists);
            case.exists += 1;
            if next.contains(&i) {
                let args = std::iter::once(t).chain(back.map(|_| Term::ROOT)).collect();
                case.calls.push(CallSpec { callee: Callee::This, args, end: None });
            }
            t
        };
        case.cells.push(CellSpec { off: slot.off, width: slot.width, val });
    }
    let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
    Definition { params: 1 + u16::from(back.is_some()), cases: vec![empty, case] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_ir::{Field, Record, RecordKind};

    fn record(types: &mut TypeTable, name: &str, links: &[&str]) {
        let id = RecordId(types.records.len() as u32);
        let own = types.intern(Type::Record(id));
        let (pointer, int) = (types.pointer(own), types.int(32, true));
        let field = |name: &str, ty, offset| Field { name: Some(name.into()), ty, offset, bits: None };
        let mut fields: Vec<Field> =
            links.iter().enumerate().map(|(i, n)| field(n, pointer, 8 * i as u64)).collect();
        let size = 8 * links.len() as u64 + 8;
        fields.push(field("data", int, size - 8));
        let kind = RecordKind::Struct;
        let name = Some(name.into());
        types.records.push(Record { kind, name, fields, size, align: 8, complete: true });
    }

    #[test]
    fn links_decide_what_a_record_is() {
        let mut types = TypeTable::new(8);
        record(&mut types, "plain", &[]);
        record(&mut types, "one", &["next"]);
        record(&mut types, "two", &["next", "prev"]);
        record(&mut types, "three", &["left", "right", "parent"]);
        let mut preds = PredTable::default();
        derive_from_types(&types, &mut preds);
        let found: Vec<(&str, u16, usize)> =
            preds.iter().map(|(_, p)| (p.name.as_str(), p.def.params, p.links.len())).collect();
        assert_eq!(found, [("one_list", 1, 1), ("two_dll", 2, 1), ("two_tree", 1, 2), ("three_tree", 2, 2)]);
        assert!(preds.iter().all(|(_, p)| p.origin == Origin::Derived));
    }
}
