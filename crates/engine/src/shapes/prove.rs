//! Does a state satisfy a claim? Inclusion in one of the states that the claim describes, after case distinctions at the
//! variables where that is needed.

use heapwise_heap::lattice::inclusion::{NotIncluded, included, included_part};
use heapwise_heap::{ObjectKind, PredTable, Root, State};
use std::collections::BTreeSet;

/// Unfoldings of the special state that an inclusion may need.
const MAX_UNFOLD: u32 = 3;

/// How much of the memory a claim speaks of.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// All of it: nothing may be left over.
    Whole,
    /// What it describes.
    Described,
}

/// Whether a state is included in one of the others; if not, why it is not included in the last one.
pub(crate) fn proves(
    state: &State,
    posts: &[State],
    part: Part,
    preds: &PredTable,
) -> Result<(), Option<NotIncluded>> {
    proves_within(state, posts, part, preds, MAX_UNFOLD)
}

fn proves_within(
    state: &State,
    posts: &[State],
    part: Part,
    preds: &PredTable,
    depth: u32,
) -> Result<(), Option<NotIncluded>> {
    let mut reason = None;
    for post in posts {
        let shown = match part {
            Part::Whole => included(state, post, preds),
            Part::Described => included_part(state, post, preds),
        };
        match shown {
            Ok(()) => return Ok(()),
            Err(why) => reason = Some(why),
        }
    }
    if depth == 0 {
        return Err(reason);
    }
    let roots: BTreeSet<Root> = posts.iter().flat_map(|p| p.roots().map(|(r, _)| r)).collect();
    for v in roots.iter().filter_map(|r| state.root(*r)) {
        // The variable itself, or what it holds if it lies in memory.
        let object = v.as_sym().and_then(|s| state.object(s));
        let inner = object.filter(|o| o.kind != ObjectKind::Heap);
        let held = inner.into_iter().flat_map(|o| o.cells().map(|(_, c)| c.val).collect::<Vec<_>>());
        for at in std::iter::once(v).chain(held) {
            let Some(site) = state.summary_at(at, preds) else { continue };
            let cases = state.unfold(site, preds);
            if cases.iter().all(|c| proves_within(c, posts, part, preds, depth - 1).is_ok()) {
                return Ok(());
            }
        }
    }
    Err(reason)
}
