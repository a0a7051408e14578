//! Optional blocks: a pointer that is null or leads to a block of its own.
//!
//! A program that allocates under conditions has one disjunct for each combination of them, `2ⁿ` for `n` pointers, although
//! each alternative concerns one pointer alone. A predicate without recursion, `box(p) = p == null | p -> block { numbers }`, makes
//! the alternative one of the pointer: the join of two states, in one of which the pointer is null, has a
//! description in common, and `n` pointers are `n` small instances in one state. In elements of structures the same predicates
//! are called for cells (`nested`), so that optional members are alternatives of the element.
//!
//! The same happens to elements of structures while they are built: a tree with `n` children has `2ⁿ` disjuncts before a second
//! generation shows what it is. Records with more than two pointers to their own kind are proposed as trees of them.
//!
//! What is proposed is a guess like all others; joins use it only if they may forget whether the pointer is null, and the
//! matching engine checks. Cost: one pass over the cells of the blocks.

use super::{Class, build, record_scalars};
use crate::object::{Content, Object, ObjectKind};
use crate::pred::{BlockSpec, Case, CellSpec, Definition, Fact, PredTable, Term};
use crate::state::State;
use crate::value::{Base, Val};
use heapwise_ir::TypeTable;
use std::collections::BTreeMap;

/// Pointers of a record to its own kind from which on it is an element of a tree: of fewer, lists are made as well.
const MANY_LINKS: usize = 3;

/// Interns a predicate for every block of a state that leads nowhere. Elements whose records lead to each other belong to
/// structures: of these, only those with many links are proposed, where nothing is known of them.
pub fn propose_optional(state: &State, preds: &mut PredTable, types: &TypeTable) {
    for object in state.objects.values().filter(|o| o.kind == ObjectKind::Heap) {
        if let Some(def) = definition(state, object, types) {
            preds.intern(def, |n| format!("box_{n}"));
        } else if let Some(def) = element(object, types)
            && !preds.fitting(object).iter().any(|(_, p)| !p.links.is_empty())
        {
            preds.intern(def, |n| format!("tree_{n}"));
        }
    }
}

/// An element with links that are all null, as one of a tree.
fn element(object: &Object, types: &TypeTable) -> Option<Definition> {
    let scalars = record_scalars(types, object.record?);
    let links = || scalars.iter().filter(|(.., own)| *own);
    let is_null = |(off, width, _): &(u64, u64, bool)| object.read(*off, *width) == Content::Val(Val::ZERO);
    if links().count() < MANY_LINKS || !links().all(is_null) {
        return None;
    }
    let known = |(off, width, _): &&(u64, u64, bool)| object.read(*off, *width) != Content::Uninit;
    let slots: BTreeMap<u64, u64> =
        scalars.iter().filter(known).map(|(off, width, _)| (*off, *width)).collect();
    let class = links().map(|(off, ..)| (*off, Class::Link(0))).collect();
    let block = BlockSpec::of_size(object.const_size()?, object.record);
    Some(build(block, &slots, &class, 0, false))
}

fn definition(state: &State, object: &Object, types: &TypeTable) -> Option<Definition> {
    let size = object.const_size()?;
    let links = |(.., own): &(u64, u64, bool)| *own;
    if object.record.is_some_and(|r| record_scalars(types, r).iter().any(links)) {
        return None;
    }
    let mut block = Case { block: Some(BlockSpec::of_size(size, object.record)), ..Case::default() };
    for (off, cell) in object.cells() {
        let leads = cell.val.as_sym().is_some_and(|s| state.owns_memory(s));
        if leads || matches!(cell.val.base, Base::Func(_)) {
            return None;
        }
        // Where a pointer may be that is null, that is worth knowing.
        let val = match cell.val == Val::ZERO && cell.width == types.pointer_size {
            true => Term::int(0),
            false => {
                block.exists = block.exists.checked_add(1)?;
                Term::exist(block.exists - 1)
            }
        };
        block.cells.push(CellSpec { off, width: cell.width, val });
    }
    let null = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
    Some(Definition { params: 1, cases: vec![null, block] })
}
