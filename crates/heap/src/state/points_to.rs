//! Cursors of which only the set of blocks is known that they may lead to (points-to sets, here over the blocks of
//! structures).
//!
//! A variable that leads into a structure cuts it in two: what comes before the element and what follows it. That is what an
//! access through it needs, but several such variables have as many orders as there are, and each order is a disjunct of its own. A
//! [`PointsTo`] says less: the symbol is null, or the address of one of these objects, or of one of the blocks that one of these
//! summaries describes. A summary that is spoken of so has a symbol for the set of its blocks ([`Summary::region`]). The places
//! of two such symbols are independent of each other, and memory is described once, whatever leads into it.
//!
//! Where memory is accessed through the symbol, the structure is cut ([`State::located`]), one case for each place: a summary
//! gives way to the segment up to the element, the element, and what follows. What was known of other such symbols is
//! known of the pieces then.
//!
//! **Invariant (names of regions):** a region is the set of blocks of one summary of one state. Whoever makes a summary of other memory gives it no
//! region, or a new one. So a set that names a region which no summary has says nothing ([`State::forget_stale_places`]), and an
//! operation that does not know of points-to sets loses what they say, but never makes them wrong. What becomes of an object
//! does not matter for them: they speak of addresses.
//!
//! Cost: nothing where there are none; else linear in the sets and the summaries.

use super::{Root, State};
use crate::object::ObjectKind;
use crate::pred::PredTable;
use crate::value::{Base, Sym, Val};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Segments that are followed to where one ends that is empty.
const MOST_STEPS: u32 = 8;

/// Where a symbol may lead.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PointsTo {
    /// Whether it may be null.
    pub null: bool,
    /// Addresses of objects, and regions of summaries.
    pub places: BTreeSet<Sym>,
}

impl PointsTo {
    /// What is one or the other.
    pub(crate) fn union(mut self, other: PointsTo) -> PointsTo {
        self.null |= other.null;
        self.places.extend(other.places);
        self
    }
}

impl State {
    /// Where a value may lead, if it is a symbol of which that is known.
    pub fn points_to(&self, v: Val) -> Option<&PointsTo> {
        v.as_sym().filter(|_| v.off == 0 && !self.points_to.is_empty()).and_then(|s| self.points_to.get(&s))
    }

    /// All symbols of which only a set of places is known.
    pub fn cursors(&self) -> impl Iterator<Item = (Sym, &PointsTo)> {
        self.points_to.iter().map(|(s, at)| (*s, at))
    }

    /// Where a value leads as a set of places: null, an object of the heap, or the first element of a structure, or what comes
    /// after that if it has none.
    fn places_of(&mut self, v: Val, preds: &PredTable, depth: u32) -> Option<PointsTo> {
        if v == Val::ZERO {
            return Some(PointsTo { null: true, places: BTreeSet::new() });
        }
        let s = v.as_sym().filter(|_| v.off == 0 && depth < MOST_STEPS)?;
        let one = |s: Sym| PointsTo { null: false, places: [s].into_iter().collect() };
        if let Some(object) = self.objects.get(&s) {
            return (object.kind == ObjectKind::Heap).then(|| one(s));
        }
        if let Some(known) = self.points_to.get(&s) {
            return Some(known.clone());
        }
        let index = self.summaries.iter().position(|t| t.root == v)?;
        let summary = self.summaries.get(index)?.clone();
        let mut found = match summary.ends(preds).as_slice() {
            _ if self.is_nonempty(&summary, preds) => PointsTo::default(),
            [end] if self.compare(v, *end, Some(preds)) == Some(false) => PointsTo::default(),
            [end] => self.places_of(*end, preds, depth + 1)?,
            _ => return None,
        };
        let region = summary.region.unwrap_or_else(|| self.fresh());
        self.summaries.get_mut(index)?.region = Some(region);
        found.places.insert(region);
        Some(found)
    }

    /// Gives a name that leads into structures another symbol, of which only is known where it may lead: the element may become
    /// part of its structure then. Whether it was such a name.
    pub fn let_go(&mut self, root: Root, preds: &PredTable) -> bool {
        let Some(v) = self.roots.get(&root).copied() else { return false };
        // What a chosen domain says of numbers is kept by other rules.
        if !v.as_sym().is_some_and(|s| self.owns_memory(s)) || self.pure.is_refined() {
            return false;
        }
        let Some(places) = self.places_of(v, preds, 0) else { return false };
        let own = self.fresh();
        self.points_to.insert(own, places);
        self.roots.insert(root, Val::sym(own));
        true
    }

    /// A place was divided into others, or became part of one.
    pub(crate) fn replace_place(&mut self, old: Sym, new: &[Sym]) {
        for at in self.points_to.values_mut() {
            if at.places.remove(&old) {
                at.places.extend(new);
            }
        }
    }

    /// Whether a points-to set names a place.
    pub(crate) fn is_place(&self, s: Sym) -> bool {
        self.points_to.values().any(|at| at.places.contains(&s))
    }

    /// The summaries from the one with that index on, and this object, are what a region was.
    pub(crate) fn divide_region(&mut self, region: Option<Sym>, from: usize, block: Option<Sym>) {
        let Some(region) = region.filter(|r| self.is_place(*r)) else { return };
        let mut new: SmallVec<[Sym; 4]> = block.into_iter().collect();
        for i in from..self.summaries.len() {
            let own = self.fresh();
            if let Some(s) = self.summaries.get_mut(i) {
                s.region = Some(own);
                new.push(own);
            }
        }
        self.replace_place(region, &new);
    }

    /// Forgets sets that say nothing: of symbols that nothing mentions, or with places that are none any more. `used` are the symbols
    /// that are mentioned.
    pub(crate) fn forget_stale_places(&mut self, used: impl Fn(Sym) -> bool) {
        if self.points_to.is_empty() {
            self.summaries.iter_mut().for_each(|s| s.region = None);
            return;
        }
        let regions: BTreeSet<Sym> = self.summaries.iter().filter_map(|s| s.region).collect();
        let (objects, dead) = (&self.objects, &self.dead);
        let is_place = |s: &Sym| objects.contains_key(s) || dead.contains_key(s) || regions.contains(s);
        self.points_to.retain(|s, at| used(*s) && !objects.contains_key(s) && at.places.iter().all(is_place));
        let named: BTreeSet<Sym> = self.points_to.values().flat_map(|at| at.places.iter().copied()).collect();
        for s in &mut self.summaries {
            s.region = s.region.filter(|r| named.contains(r));
        }
    }

    /// The same where nothing is known of what is mentioned.
    pub(crate) fn forget_unmentioned_places(&mut self) {
        let mut used = BTreeSet::new();
        if !self.points_to.is_empty() {
            self.for_each_val(|v| used.extend(v.as_sym()));
        }
        self.forget_stale_places(|s| used.contains(&s));
    }

    /// What becomes of the sets if a symbol turns out to be another value; whether it can be.
    pub(super) fn substitute_places(&mut self, sym: Sym, by: Val) -> bool {
        if self.points_to.is_empty() {
            return true;
        }
        let own = self.points_to.remove(&sym);
        match (by.base, by.off) {
            (Base::Zero, 0) => {
                // The address of an object is not null; what names it so names nothing.
                self.points_to.retain(|_, at| !at.places.contains(&sym));
                own.is_none_or(|at| at.null)
            }
            (Base::Sym(other), 0) => {
                self.replace_place(sym, &[other]);
                if let Some(at) = own
                    && !self.objects.contains_key(&other)
                {
                    self.points_to.entry(other).or_insert(at);
                }
                true
            }
            _ => {
                self.points_to.retain(|_, at| !at.places.contains(&sym));
                true
            }
        }
    }

    /// The sets under other names.
    pub(super) fn renamed_places(&self, rename: &impl Fn(Sym) -> Sym) -> BTreeMap<Sym, PointsTo> {
        let set = |at: &PointsTo| PointsTo {
            null: at.null,
            places: at.places.iter().map(|s| rename(*s)).collect(),
        };
        self.points_to.iter().map(|(s, at)| (rename(*s), set(at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::abstracted;
    use crate::granularity::{Discovery, Granularity, Numbers};
    use crate::lattice::inclusion::included;
    use crate::testing::{VARIABLES, World};

    const MIDDLE: &str = "list(x; y) * y -> [16] { @0:8: n, @8:8: 1 } * list(n)";

    fn folded(world: &World, text: &str) -> State {
        let mut state = world.state(text).expect("well formed").expect("possible");
        assert!(state.let_go(Root::Local(VARIABLES[1].1), &world.preds));
        let how =
            Granularity { discovery: Discovery::Closed, numbers: Numbers::Shapes, ..Granularity::default() };
        abstracted(&state, &mut world.preds.clone(), &world.types, &how, false).state
    }

    #[test]
    fn an_element_that_is_let_go_of_is_found_again() {
        let world = World::new().expect("well formed");
        let state = folded(&world, MIDDLE);
        assert_eq!((state.object_count(), state.summaries().len()), (0, 1), "{state:?}");
        let y = state.root(Root::Local(VARIABLES[1].1)).expect("a variable");
        assert_eq!(state.compare(y, Val::ZERO, Some(&world.preds)), Some(false));
        let cases = state.located(y, &world.preds);
        assert_eq!(cases.len(), 1, "the list is cut in one way");
        for case in cases {
            let y = case.root(Root::Local(VARIABLES[1].1)).and_then(Val::as_sym).expect("a symbol");
            assert!(case.has_object(y) && case.points_to.is_empty(), "{case:?}");
        }
    }

    #[test]
    fn what_is_elsewhere_is_not_among_the_places() {
        let world = World::new().expect("well formed");
        let state = folded(&world, MIDDLE);
        let of = |text: &str| world.state(text).expect("well formed").expect("possible");
        assert_eq!(included(&of(MIDDLE), &state, &world.preds), Ok(()));
        assert_eq!(included(&of("list(x) && y == x && x != 0"), &state, &world.preds), Ok(()));
        for other in
            ["list(x) && y == 0", "list(x)", "list(x) && y == x", "list(x; m) * list(y; 0) && m == 0"]
        {
            assert!(included(&of(other), &state, &world.preds).is_err(), "{other}");
        }
    }

    #[test]
    fn sets_of_pieces_that_are_gone_say_nothing() {
        let world = World::new().expect("well formed");
        let mut state = folded(&world, MIDDLE);
        let y = state.root(Root::Local(VARIABLES[1].1)).expect("a variable");
        assert!(state.can_locate(y, &world.preds));
        state.retain_summaries(|_| false);
        assert!(!state.can_locate(y, &world.preds));
        state.forget_unused();
        assert_eq!(state.points_to(y), None);
    }
}
