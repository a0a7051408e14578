//! How the numbers of neighbouring elements are related, where they are still objects: a guess at the connectors that are of use
//! when they are put together ([`crate::pred::Relations`]). Cost: the numbers of each pair of objects that a link connects.

use super::{read, record_scalars};
use crate::object::{Object, ObjectKind};
use crate::pred::{By, Number, Relations, Seen, Way, numbers_of};
use crate::state::State;
use crate::value::Val;
use heapwise_ir::TypeTable;

/// Notes what a state says about numbers of its objects.
pub fn note_relations(state: &State, types: &TypeTable, relations: &mut Relations) {
    let compared = |a: Val, b: Val| {
        let le = |x: Val, y: Val, strict: bool| usize::from(state.pure.knows_le(x, y, strict));
        let (rises, falls) = (le(a, b, false), le(b, a, false));
        let by = if a.base == b.base { By::Always(b.off.saturating_sub(a.off)) } else { By::Nothing };
        Seen { rises, above: le(a, b, true), falls, below: le(b, a, true), by }
    };
    for object in state.objects.values().filter(|o| o.kind == ObjectKind::Heap) {
        let Some(record) = object.record else { continue };
        let numbers = numbers_of(types, record);
        if numbers.is_empty() {
            continue;
        }
        let held = |o: &Object, n: &Number| read(o, n.off, n.width).filter(|v| !v.is_undef());
        let mut compare = |link: Option<u64>, next: &Object| {
            for from in &numbers {
                for to in numbers.iter().filter(|to| link.is_some() || from.off < to.off) {
                    if let Some((a, b)) = held(object, from).zip(held(next, to)) {
                        let way = Way { record, link, from: from.off, to: to.off };
                        relations.note(way, compared(a, b));
                    }
                }
            }
        };
        compare(None, object);
        for (link, width, _) in record_scalars(types, record).into_iter().filter(|(.., own)| *own) {
            let to = read(object, link, width).filter(|v| v.off == 0).and_then(Val::as_sym);
            let next = to.and_then(|s| state.objects.get(&s)).filter(|o| o.record == Some(record));
            if let Some(next) = next {
                compare(Some(link), next);
            }
        }
    }
}
