//! Focus: states are split until variables name objects, where a join could not tell otherwise that there is memory at all.

use super::MAX_PIECES;
use crate::matching::View;
use crate::pred::PredTable;
use crate::state::{Root, State};
use crate::unfold::Site;
use crate::value::Val;

/// Splits a state until every variable that names the last element of a structure names an object and, with `fronts`,
/// every variable that leads to a segment leads to its first element, or to what follows an empty one: otherwise a
/// join cannot tell that there is memory at all.
pub fn focused(state: &State, preds: &PredTable, fronts: bool) -> Vec<State> {
    let mut done = Vec::new();
    let mut todo = vec![(state.clone(), 0)];
    while let Some((state, depth)) = todo.pop() {
        let variables = state.roots.iter().filter(|(r, _)| matches!(r, Root::Local(_)));
        let open = variables.filter_map(|(_, v)| v.as_sym()).find_map(|v| {
            if state.objects.contains_key(&v) {
                return None;
            }
            match state.summary_at(Val::sym(v), preds) {
                Some(Site::Front(_)) if !fronts => None,
                Some(Site::Front(_)) => state
                    .summaries
                    .iter()
                    .position(|s| {
                        s.end.is_some() && s.root.as_sym() == Some(v) && !state.is_nonempty(s, preds)
                    })
                    .map(Site::Front),
                site => site,
            }
        });
        match open {
            Some(site) if depth < 3 => {
                let cases = state.unfold(site, preds);
                todo.extend(cases.into_iter().map(|s| (s, depth + 1)));
            }
            _ => done.push(state),
        }
    }
    done
}

/// Whether a variable leads to a segment of a ring: where it stands in the ring is then told by where the segment ends,
/// and two states that tell it differently have little in common.
pub fn enters_ring(state: &State, preds: &PredTable) -> bool {
    let variables = state.roots.iter().filter(|(r, _)| matches!(r, Root::Local(_)));
    let segment = |v: Val| state.summaries.iter().find(|s| s.root == v && s.end.is_some());
    let mut entered = variables.filter(|(_, v)| v.as_sym().is_some_and(|s| !state.objects.contains_key(&s)));
    entered.any(|(_, start)| {
        let Some(first) = segment(*start) else { return false };
        let view = View::new(state, preds);
        let mut at = *start;
        (0..MAX_PIECES).any(|_| {
            let next = match segment(at) {
                Some(s) => s.end.as_ref().map(|(end, _)| *end),
                None => match view.step(first.pred, at).as_slice() {
                    [only] => Some(*only),
                    _ => None,
                },
            };
            at = next.unwrap_or(Val::ZERO);
            at == *start
        })
    })
}
