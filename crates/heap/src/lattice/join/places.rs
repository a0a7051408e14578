//! Where symbols of the result may lead ([`crate::state::PointsTo`]).
//!
//! A symbol of the result stands for a value of each side, and may lead to what either of them may lead to. Which piece of the
//! result that is follows from how the pieces came about: what is consumed on a side while a pair is looked at is described
//! by what is added to the result meanwhile. So each object and each summary of a side has an image, a set of pieces of the
//! result that have its blocks among theirs.
//!
//! Cost: nothing if neither side has such symbols.

use super::Joiner;
use crate::matching::{Piece, View};
use crate::state::{PointsTo, State};
use crate::value::{Sym, Val};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Segments that are followed to where a cursor stands if they are empty.
const MOST_STEPS: u32 = 8;

/// What became of objects and regions of the two sides; none if there are no symbols to which that matters.
pub(super) struct Images(Option<[FxHashMap<Piece, Vec<Sym>>; 2]>);

impl Images {
    pub(super) fn of(left: &State, right: &State) -> Images {
        let any = !left.points_to.is_empty() || !right.points_to.is_empty();
        Images(any.then(Default::default))
    }
}

impl Joiner<'_> {
    /// Remembers what is consumed by a step, and what is added by it.
    pub(super) fn with_images<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> R {
        if self.places.0.is_none() {
            return step(self);
        }
        let before = [self.left.consumed().len(), self.right.consumed().len()];
        let summaries = self.out.summaries.len();
        let objects: BTreeSet<Sym> = self.out.objects.keys().copied().collect();
        let result = step(self);
        let mut added: Vec<Sym> = self.out.objects.keys().filter(|s| !objects.contains(s)).copied().collect();
        for k in summaries..self.out.summaries.len() {
            let own = self.out.fresh();
            if let Some(s) = self.out.summaries.get_mut(k) {
                s.region = Some(own);
                added.push(own);
            }
        }
        let images = self.places.0.iter_mut().flatten();
        for ((view, before), images) in [&self.left, &self.right].into_iter().zip(before).zip(images) {
            for piece in view.consumed().iter().skip(before) {
                images.insert(*piece, added.clone());
            }
        }
        result
    }

    /// Where the symbols of the result may lead, as far as that is known on both sides.
    pub(super) fn join_places(&mut self) {
        let Some([left, right]) = &self.places.0 else { return };
        let mut found = Vec::new();
        for p in &self.list {
            let told =
                self.left.state.points_to(p.left).is_some() || self.right.state.points_to(p.right).is_some();
            let Some(out) = p.out.as_sym().filter(|s| told && p.out.off == 0 && !self.out.owns_memory(*s))
            else {
                continue;
            };
            let both = image(&self.left, left, p.left, MOST_STEPS).zip(image(
                &self.right,
                right,
                p.right,
                MOST_STEPS,
            ));
            found.extend(both.map(|(a, b)| (out, a.union(b))));
        }
        self.out.points_to.extend(found);
    }
}

/// Where a value of one side may lead, as places of the result.
fn image(view: &View<'_>, images: &FxHashMap<Piece, Vec<Sym>>, v: Val, steps: u32) -> Option<PointsTo> {
    let state = view.state;
    // A piece that nothing was made of is no place.
    let of = |piece: Piece| images.get(&piece).filter(|new| !new.is_empty());
    if v == Val::ZERO {
        return Some(PointsTo { null: true, places: BTreeSet::new() });
    }
    let s = v.as_sym().filter(|_| v.off == 0 && steps > 0)?;
    let mut found = PointsTo::default();
    if state.objects.contains_key(&s) {
        found.places.extend(of(Piece::Object(s))?);
    } else if let Some(known) = state.points_to(v) {
        found.null = known.null;
        for place in &known.places {
            let summary = state.summaries.iter().position(|t| t.region == Some(*place));
            found.places.extend(of(summary.map_or(Piece::Object(*place), Piece::Summary))?);
        }
    } else {
        let index = state.summaries.iter().position(|t| t.root == v)?;
        let summary = state.summaries.get(index)?;
        found.places.extend(of(Piece::Summary(index))?);
        if !state.is_nonempty(summary, view.preds) {
            let ends = summary.ends(view.preds);
            let [end] = ends.as_slice() else { return None };
            if state.compare(v, *end, Some(view.preds)) != Some(false) {
                found = found.union(image(view, images, *end, steps - 1)?);
            }
        }
    }
    Some(found)
}
