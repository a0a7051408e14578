//! Symbols whose objects are not folded, because something names them.

use crate::granularity::Numbers;
use crate::object::ObjectKind;
use crate::pred::PredTable;
use crate::state::{Root, State, Walk};
use crate::value::Sym;
use std::collections::BTreeSet;

/// Symbols whose objects a variable names directly.
pub fn named(state: &State) -> BTreeSet<Sym> {
    let locals = state.roots.iter().filter(|(r, _)| !matches!(r, Root::Slot(_) | Root::Global(_)));
    let mut named: BTreeSet<Sym> = locals.filter_map(|(_, v)| v.as_sym()).collect();
    // Pointer variables that live in memory name their targets as well, unless they are parts of a structure.
    for o in state.objects.values() {
        if matches!(
            o.kind,
            ObjectKind::Local(_) | ObjectKind::Scope(_) | ObjectKind::Outer | ObjectKind::OuterConstant
        ) && o.record.is_none()
        {
            named.extend(o.cells().filter_map(|(_, c)| c.val.as_sym()));
        }
    }
    named
}

/// Symbols whose objects are not folded: those that a variable names and, if they are to be kept, those next to them that
/// hold a number which is bounded by that of a variable. A walk that ended before such an element is remembered by it.
pub(crate) fn pinned(state: &State, preds: &PredTable, numbers: Numbers) -> BTreeSet<Sym> {
    let mut pinned = named(state);
    if preds.keeps_some_bounds(numbers) {
        let locals = state.roots.iter().filter(|(r, _)| matches!(r, Root::Local(_)));
        let held: BTreeSet<Sym> = locals.filter_map(|(_, v)| v.as_sym()).collect();
        let bounded: BTreeSet<Sym> = (state.pure.bounds.keys())
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .filter(|(_, b)| held.contains(b))
            .map(|(a, _)| *a)
            .collect();
        let cells = |s: &Sym| state.objects.get(s).into_iter().flat_map(|o| o.cells());
        let is_bounded =
            |s: &Sym| cells(s).any(|(_, c)| c.val.as_sym().is_some_and(|v| bounded.contains(&v)));
        let is_kept = |s: &Sym| state.objects.get(s).is_some_and(|o| preds.keeps_bounds_of(o, numbers));
        // Variables that are records name what they hold only here.
        let records = state.roots.iter().filter(|(r, _)| matches!(r, Root::Slot(_) | Root::Global(_)));
        let records = records.filter_map(|(_, v)| v.as_sym());
        let next: Vec<Sym> = pinned
            .iter()
            .copied()
            .chain(records)
            .collect::<BTreeSet<Sym>>()
            .iter()
            .flat_map(|s| cells(s).filter_map(|(off, c)| c.val.as_sym().map(|to| (off, to))))
            .filter(|(_, to)| is_kept(to))
            .filter(|(off, to)| is_bounded(to) && !leads_on(state, *to, *off, &held))
            .map(|(_, to)| to)
            .collect();
        pinned.extend(next);
    }
    pinned
}

/// Whether the cells at that offset lead from an object to one of these: a walk that has come there has passed the object.
fn leads_on(state: &State, from: Sym, off: u64, to: &BTreeSet<Sym>) -> bool {
    let passed = state.reach([from], Walk::Links(off));
    to.iter().any(|s| *s != from && passed.contains(*s))
}
