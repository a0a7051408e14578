//! Private sub-heaps of elements: what hangs on a cell of each, as a call of a predicate.
//!
//! A sub-heap is an instance that is there already, whole or as a segment, or a single block. Its arguments are seen from
//! the element: a number, the element's own address, or what another cell of the element holds.

use super::{Nested, Part, read};
use crate::object::{Content, Object, ObjectKind};
use crate::pred::{BlockSpec, Case, CellSpec, Definition, Fact, PredId, PredTable, Tail, Term, TermBase};
use crate::state::{State, Summary};
use crate::value::{Sym, Val};
use std::collections::{BTreeMap, BTreeSet};

/// A structure with arguments, or a segment, that hangs on the cell with these values in every member; a member whose
/// cell leads to itself has an empty one.
pub(super) fn nested_segment(
    state: &State,
    members: &[(Sym, &Object)],
    values: &[Val],
    slots: &BTreeMap<u64, u64>,
    preds: &PredTable,
) -> Option<Nested> {
    let mut seen: Vec<((Sym, &Object), &Summary, i128)> = Vec::new();
    for ((s, o), v) in members.iter().zip(values) {
        let x = v.as_sym();
        if x == Some(*s) || *v == Val::ZERO {
            continue;
        }
        let summary = state.summaries.iter().find(|t| t.root.as_sym() == x)?;
        seen.push(((*s, o), summary, v.off - summary.root.off));
    }
    let (_, first, shift) = *seen.first()?;
    let alike = |t: &Summary| {
        preds.implies(t.pred, preds.skeleton(first.pred)) && t.end.is_some() == first.end.is_some()
    };
    if !seen.iter().all(|(_, t, sh)| alike(t) && *sh == shift) {
        return None;
    }
    // Numbers may differ from member to member.
    let pred = if seen.iter().all(|(_, t, _)| t.pred == first.pred) {
        first.pred
    } else {
        preds.skeleton(first.pred)
    };
    let part = |of: &dyn Fn(&Summary) -> Option<Val>| -> Option<Part> {
        let vals: Vec<((Sym, &Object), Val)> =
            seen.iter().map(|(m, t, _)| of(t).map(|v| (*m, v))).collect::<Option<_>>()?;
        part_of(&vals, slots)
    };
    // That inner lists are equally long so far is a coincidence.
    let is_length = |i: usize| first.end.is_none() && preds.get(pred).length.arg(i);
    let argument = |i: usize| if is_length(i) { Some(Part::Any) } else { part(&|t| t.args.get(i).copied()) };
    let args = (0..first.args.len()).map(argument).collect::<Option<_>>()?;
    let end = match &first.end {
        None => None,
        Some((_, end_args)) => {
            let root = part(&|t| t.end.as_ref().map(|e| e.0))?;
            // A segment must end at a place that the element knows.
            if root == Part::Any {
                return None;
            }
            let rest = (0..end_args.len())
                .map(|i| part(&|t| t.end.as_ref().and_then(|e| e.1.get(i).copied())))
                .collect::<Option<_>>()?;
            Some((root, rest))
        }
    };
    // Plain structures are found with single blocks as well.
    if end.is_none() && shift == 0 && first.args.is_empty() {
        return None;
    }
    Some(Nested { pred, shift, args, end })
}

/// What values are, seen from the elements that they belong to.
fn part_of(vals: &[((Sym, &Object), Val)], slots: &BTreeMap<u64, u64>) -> Option<Part> {
    let (first_member, first_value) = *vals.first()?;
    if let Some(n) = first_value.as_int().filter(|_| vals.iter().all(|(_, v)| *v == first_value)) {
        return Some(Part::Number(n));
    }
    if first_value.as_sym() == Some(first_member.0)
        && vals.iter().all(|((s, _), v)| v.as_sym() == Some(*s) && v.off == first_value.off)
    {
        return Some(Part::Own(first_value.off));
    }
    for (off, width) in slots {
        let distance = |(m, v): &((Sym, &Object), Val)| {
            read(m.1, *off, *width)
                .filter(|w| w.base == v.base && v.as_sym().is_some())
                .map(|w| v.off - w.off)
        };
        if let Some(d) = distance(&vals[0]).filter(|d| vals.iter().all(|x| distance(x) == Some(*d))) {
            return Some(Part::Cell(*off, d));
        }
    }
    Some(Part::Any)
}

/// A predicate that describes what each of `values` leads to: a summary that is already there, or a single block, whose
/// cells may lead back to the element.
pub(super) fn nested(
    state: &State,
    members: &[(Sym, &Object)],
    values: &[Val],
    slots: &BTreeMap<u64, u64>,
    preds: &mut PredTable,
) -> Option<Nested> {
    let plain = |pred: PredId| Nested { pred, shift: 0, args: Vec::new(), end: None };
    let targets: Vec<Sym> =
        values.iter().filter(|v| **v != Val::ZERO).map(|v| v.as_sym()).collect::<Option<_>>()?;
    if values.iter().any(|v| v.as_sym().is_some() && v.off != 0) {
        return None;
    }
    let summaries: BTreeSet<PredId> = state
        .summaries
        .iter()
        .filter(|s| s.end.is_none() && s.root.as_sym().is_some_and(|r| targets.contains(&r)))
        .map(|s| s.pred)
        .collect();
    if let Some(p) = summaries.first() {
        return (summaries.len() == 1 && preds.get(*p).def.params == 1).then(|| plain(*p));
    }
    let objects: Vec<&Object> = targets
        .iter()
        .map(|t| state.objects.get(t).map(|o| &**o).filter(|o| o.kind == ObjectKind::Heap))
        .collect::<Option<_>>()?;
    let owners: Vec<(Sym, &Object)> =
        members.iter().zip(values).filter(|(_, v)| **v != Val::ZERO).map(|(m, _)| *m).collect();
    let first = objects.first()?;
    let alike = |size: &u64| objects.iter().all(|o| o.const_size() == Some(*size));
    let texts = objects.iter().all(|o| is_snug_text(state, o));
    let Some(size) = first.const_size().filter(|size| alike(size) && !texts) else {
        let leads = |v: Val| v.as_sym().is_some_and(|t| state.objects.contains_key(&t));
        if objects.iter().any(|o| o.values().any(leads)) {
            return None;
        }
        let pred = preds.intern(of_any_size(state, &objects), |n| format!("bytes_{n}"));
        return Some(plain(pred));
    };
    // Existing recursive predicates for such blocks come first: a single element is one of their instances, unless it
    // leads to itself.
    let itself = |off: u64, width: u64| {
        targets.iter().zip(&objects).all(|(t, o)| read(o, off, width) == Some(Val::sym(*t)))
    };
    let looped = first.cells().any(|(off, c)| itself(off, c.width));
    let recursive = preds.iter().filter(|_| !looped).find(|(_, p)| {
        p.def.params == 1
            && !p.links.is_empty()
            && p.def
                .cases
                .iter()
                .any(|c| c.block.as_ref().is_some_and(|b| b.size == size && b.record == first.record))
    });
    if let Some((id, _)) = recursive {
        return Some(plain(id));
    }
    let mut cells = Vec::new();
    let mut exists = 0u16;
    let mut args: Vec<Part> = Vec::new();
    for (off, c) in first.cells() {
        if objects.iter().all(|o| o.read(off, c.width) != Content::Uninit) {
            let null = objects.iter().all(|o| o.read(off, c.width) == Content::Val(Val::ZERO));
            let leads = objects.iter().any(|o| {
                read(o, off, c.width).and_then(Val::as_sym).is_some_and(|t| state.objects.contains_key(&t))
            });
            let val = if itself(off, c.width) {
                Term::ROOT
            } else if leads {
                let held = owners.iter().zip(&objects).map(|(m, o)| Some((*m, read(o, off, c.width)?)));
                match part_of(&held.collect::<Option<Vec<_>>>()?, slots)? {
                    Part::Any => return None,
                    part => {
                        args.push(part);
                        Term::param(u16::try_from(args.len()).ok()?)
                    }
                }
            } else if null && c.width >= 4 {
                Term::int(0)
            } else {
                Term::exist(exists)
            };
            exists = exists.checked_add(u16::from(matches!(val.base, TermBase::Exist(_))))?;
            cells.push(CellSpec { off, width: c.width, val });
        }
    }
    let block = Case {
        exists,
        block: Some(BlockSpec::of_size(size, first.record)),
        cells,
        calls: Vec::new(),
        facts: Vec::new(),
    };
    let null = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
    let params = u16::try_from(args.len()).ok()?.checked_add(1)?;
    let pred = preds.intern(Definition { params, cases: vec![null, block] }, |n| format!("box_{n}"));
    Some(Nested { args, ..plain(pred) })
}

/// Whether an object holds a text that fills it: others like it will have other sizes.
fn is_snug_text(state: &State, object: &Object) -> bool {
    let last = object.size.plus(-1);
    let fixed = last.as_int().and_then(|n| u64::try_from(n).ok());
    let ends = fixed.is_some_and(|at| object.read(at, 1) == Content::Val(Val::ZERO))
        || object.floating().iter().any(|f| f.off == last && f.val == Val::ZERO);
    ends && object.record.is_none() && state.holds_text(object)
}

/// Null or a block of any size, with a text in it if these objects have one.
fn of_any_size(state: &State, objects: &[&Object]) -> Definition {
    let texts = objects.iter().all(|o| state.holds_text(o));
    let filled = texts || objects.iter().all(|o| state.pure.knows_le(Val::int(1), o.size, false));
    let tail = if texts { Tail::Text } else { Tail::Open };
    let block = BlockSpec { size: u64::from(filled), tail, record: None };
    let null = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
    Definition { params: 1, cases: vec![null, Case { block: Some(block), ..Case::default() }] }
}
