//! What was read from arrays of texts, such as `argv`, and is not at hand any more.
//!
//! Each element that is read becomes a text of its own, and where the index was not a number, a floating cell of the array says
//! which text lies there. That matters as long as a variable leads to the element: `argv[i]` is read again and again. A loop
//! that goes through the array would remember every element that it has seen; those that no variable leads to are
//! forgotten. This only weakens a state: the texts of the environment are nobody's to free.

use crate::numbers::Linear;
use crate::object::{Floating, ObjectKind};
use crate::state::State;
use crate::value::{Sym, Val};
use std::collections::BTreeSet;

/// Forgets elements of arrays of texts that no variable leads to, by its value as index or as pointer.
pub(super) fn forget_read_texts(state: &mut State) {
    let read = |kind: ObjectKind| kind == ObjectKind::TextArray;
    let arrays: Vec<Sym> = state
        .objects
        .iter()
        .filter(|(_, o)| read(o.kind) && !o.floating().is_empty())
        .map(|(s, _)| *s)
        .collect();
    if arrays.is_empty() {
        return;
    }
    let variables = variables(state);
    for array in arrays {
        let Some(floating) = state.objects.get(&array).map(|o| o.floating().to_vec()) else { continue };
        let kept: Vec<bool> = floating.iter().map(|f| at_hand(state, array, f, &variables)).collect();
        if let Some(o) = state.object_mut(array).filter(|_| kept.contains(&false)) {
            let mut kept = kept.into_iter();
            o.retain_floating(|_| kept.next().unwrap_or(true));
        }
    }
    let mut mentioned: BTreeSet<Sym> = BTreeSet::new();
    state.for_each_val(|v| mentioned.extend(v.as_sym()));
    let moving: Vec<Sym> =
        mentioned.iter().filter_map(|s| state.pointer(Val::sym(*s)).map(|p| p.0)).collect();
    mentioned.extend(moving);
    state.retain_objects(|s, o| !matches!(o.kind, ObjectKind::Text { .. }) || mentioned.contains(&s));
    state.forget_unused();
}

/// The values that variables hold, also those in memory.
fn variables(state: &State) -> Vec<Val> {
    let mut values: Vec<Val> = state.roots.values().copied().collect();
    for o in state.objects.values().filter(|o| matches!(o.kind, ObjectKind::Local(_) | ObjectKind::Global(_)))
    {
        values.extend(o.cells().map(|(_, c)| c.val));
    }
    values
}

/// Whether a variable leads to an element of an array.
fn at_hand(state: &State, array: Sym, element: &Floating, variables: &[Val]) -> bool {
    let Some(off) = state.linear(element.off) else { return false };
    let width = i128::from(element.width);
    variables.iter().any(|v| {
        let index = || state.linear(*v).and_then(|l| l.times(width)) == Some(off.clone());
        let pointer = || state.pointer(*v).is_some_and(|(s, at): (Sym, Linear)| s == array && at == off);
        index() || pointer()
    })
}
