//! Segments read from the other end, or as parts of what follows them, so that they can be found by walking from names.

use crate::pred::PredTable;
use crate::state::{State, Summary};
use crate::value::Sym;

/// A segment read from its other end.
fn turned(s: &Summary, preds: &mut PredTable) -> Option<Summary> {
    let (end, end_args) = s.end.as_ref()?;
    let r = preds.reversed(s.pred)?;
    let k = r.param - 1;
    let (first, last) = (s.args.get(k).copied()?, end_args.get(k).copied()?);
    let (mut args, mut far) = (s.args.clone(), end_args.clone());
    args[k] = end.plus(r.inner);
    far[k] = s.root.plus(r.inner);
    let end = Some((first.plus(-r.back), far));
    Some(Summary { pred: r.pred, root: last.plus(-r.back), args, end, region: s.region })
}

/// Turns segments round whose first element nothing names but whose last element something does, so that everything
/// can be found by walking from names; and makes one of two segments that were walked from both ends and meet.
pub(super) fn reoriented(mut state: State, preds: &mut PredTable) -> State {
    for i in 0..state.summaries.len() {
        let s = state.summaries[i].clone();
        let Some(root) = s.root.as_sym().filter(|_| s.end.is_some()) else { continue };
        let mentions = |x: Sym| {
            let mut n = 0;
            state.for_each_val(|v| n += usize::from(v.as_sym() == Some(x)));
            n - s.values().filter(|v| v.as_sym() == Some(x)).count()
        };
        if mentions(root) > 0 {
            continue;
        }
        let Some(t) = turned(&s, preds) else { continue };
        if t.root.as_sym().is_some_and(|l| mentions(l) > 0) {
            state.summaries[i] = t;
        }
    }
    let mut i = 0;
    // Each is turned once, and none without need.
    let mut others: Vec<Option<Option<Summary>>> = vec![None; state.summaries.len()];
    while i < state.summaries.len() {
        let s = state.summaries[i].clone();
        let meeting = s.end.as_ref().and_then(|(end, args)| {
            (0..state.summaries.len()).filter(|j| *j != i).find_map(|j| {
                let known = others.get_mut(j)?;
                let t = known.get_or_insert_with(|| turned(&state.summaries[j], preds)).as_ref()?;
                let fits = t.pred == s.pred && t.root == *end && t.args == *args;
                if !fits {
                    return None;
                }
                // Where they meet must not be named by anything else.
                let named = |x: Sym| {
                    let mut n = 0;
                    state.for_each_val(|v| n += usize::from(v.as_sym() == Some(x)));
                    let own = s.values().chain(state.summaries[j].values());
                    n > own.filter(|v| v.as_sym() == Some(x)).count()
                };
                let meets = std::iter::once(end).chain(args).filter_map(|v| v.as_sym());
                let whole = Summary { end: t.end.clone(), ..s.clone() };
                let stays = |x: Sym| whole.values().any(|v| v.as_sym() == Some(x));
                meets.into_iter().all(|x| stays(x) || !named(x)).then(|| (j, t.clone()))
            })
        });
        let Some((j, t)) = meeting else {
            i += 1;
            continue;
        };
        state.summaries[i].end = t.end;
        if s.region.is_some() || t.region.is_some() {
            let both = state.fresh();
            s.region.into_iter().chain(t.region).for_each(|r| state.replace_place(r, &[both]));
            state.summaries[i].region = Some(both);
        }
        state.summaries.swap_remove(j);
        others = vec![None; state.summaries.len()];
        i = 0;
    }
    state
}

/// Reads a whole structure that ends where another one of its kind begins as the segment up to there, so that the two can
/// become one.
pub(super) fn continued(mut state: State, preds: &PredTable) -> State {
    for i in 0..state.summaries.len() {
        let Some(part) = state.as_segment(&state.summaries[i], preds) else { continue };
        let goes_on =
            |t: &Summary| t.pred == part.pred && part.end.as_ref().is_some_and(|(e, _)| *e == t.root);
        if state.summaries.iter().any(goes_on) {
            state.summaries[i] = part;
        }
    }
    state
}
