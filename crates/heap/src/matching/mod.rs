//! The matching engine: does part of a state satisfy a predicate?
//!
//! [`View::fold`] consumes memory of a state against `P(root, args)` or `P(root, args) ⇒ (end, args')`, following
//! the definition: an instance already there, a segment followed by the rest, an empty case whose facts hold, a block
//! case matched cell by cell and then its calls. Unknown arguments are given as `None` and are found on the way.
//! The same engine serves folding, inclusion, join and framing: what it did not consume is the frame, and a
//! failure says why (Li et al. 2017, §3.4; survey §4.4.4).
//!
//! Search is deterministic: only the choice of the case, and of the call that leads to the end of a segment, is
//! backtracked. Cost is linear in the memory consumed for lists, and for trees at most (children)^depth in the
//! rare case that the end is not found where it is looked for first; `FUEL` bounds it.

mod fold;
mod names;
#[cfg(test)]
mod tests;
mod view;

pub use view::View;
pub(crate) use view::{Piece, Pins};

use crate::pred::{PredId, PredTable};
use crate::state::{Args, State, Summary};
use crate::unfold::Site;
use crate::value::{Sym, Val};

/// The far end of a segment; arguments that are not known yet are `None`.
#[derive(Clone, Debug)]
pub struct End {
    /// Root of the hole.
    pub root: Val,
    /// Arguments of the hole.
    pub args: Vec<Option<Val>>,
}

/// Why a match failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// There is nothing at that address.
    NoMemory(Val),
    /// A value is not the one that the definition asks for.
    Value(Val),
    /// The object does not have the size or the cells of any case.
    Layout(Sym),
    /// The object must stay as it is.
    Pinned(Sym),
    /// The search was cut.
    Fuel,
}

type Matched = Result<(), Mismatch>;

/// Whether every whole instance of `special`, none of which has arguments, is one of `general`: whether what its first element
/// and the rest are made of satisfies the other predicate.
pub(crate) fn includes(preds: &PredTable, general: PredId, special: PredId) -> bool {
    let mut state = State::default();
    let root = Val::sym(state.fresh());
    let end = |pred: PredId| {
        Summary { pred, root, args: Args::new(), end: None, region: None }.up_to_number(preds)?.end
    };
    let (Some((last, _)), true) = (end(special), end(special) == end(general)) else { return false };
    state.summaries.push(Summary { pred: special, root, args: Args::new(), end: None, region: None });
    let cases = state.unfold(Site::Front(0), preds);
    cases.iter().all(|case| {
        // Where there is no first element the root is where the list ends.
        let at = case.objects.keys().next().map_or(last, |s| Val::sym(*s));
        let mut view = View::new(case, preds);
        let whole = view.fold(general, at, &mut Vec::new(), None).is_ok();
        whole && view.leftover() == (Vec::new(), Vec::new())
    })
}
