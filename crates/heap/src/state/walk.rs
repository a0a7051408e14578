//! What one may come to from some symbols: one walk, with rules that say what is followed.
//!
//! This is what *may* be reached: nothing is left out that a rule follows, whether or not a structure has elements. What is
//! *certainly* reached, so that it is not lost, is told by [`State::collect`]. The links of one predicate are followed by the
//! matching engine, those between the members of a family by discovery, and paths of a footprint where a state is cut.
//!
//! Cost: each symbol and each summary is left once; for each symbol the entries of all summaries are looked at.

use super::{State, Summary};
use crate::object::{Object, ObjectKind};
use crate::pred::{PredTable, TermBase};
use crate::value::{Sym, Val};
use std::collections::{BTreeMap, BTreeSet};

/// What a walk follows.
#[derive(Clone, Copy, Debug)]
pub enum Walk<'a> {
    /// Pointers in cells, and segments from their root to their end.
    Pointers,
    /// The same, for the cells at one offset of objects.
    Links(u64),
    /// Pointers in cells, at whichever offset they are, and symbols that a symbol is a sum of; structures are entered by their
    /// root and by all that is known at their end, and lead to all they mention.
    Symbols,
    /// All values that objects mention, and symbols that a symbol is a sum of; structures are entered at their first and at
    /// their last element, and lead to all they mention.
    Memory {
        /// All predicates.
        preds: &'a PredTable,
        /// Whether pointers to the element before, and to what stands for missing children, are not followed.
        lean: bool,
    },
}

/// What a walk has come to.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Symbols, with the least number of steps to them.
    pub distance: BTreeMap<Sym, u32>,
    /// Which summaries were entered.
    pub summaries: Vec<bool>,
    /// Symbols that the walk was led to and did not follow.
    skipped: BTreeSet<Sym>,
}

impl Reached {
    /// Whether the walk came to a symbol.
    pub fn contains(&self, s: Sym) -> bool {
        self.distance.contains_key(&s)
    }

    /// Whether there is something that the walk was led to, did not follow, and did not come to otherwise.
    pub fn left_out(&self) -> bool {
        self.skipped.iter().any(|s| !self.contains(*s))
    }
}

impl State {
    /// What a walk comes to from some symbols.
    pub fn reach(&self, from: impl IntoIterator<Item = Sym>, walk: Walk<'_>) -> Reached {
        let entries = self.entries(walk);
        let mut reached = Reached { summaries: vec![false; self.summaries.len()], ..Reached::default() };
        let mut layer: Vec<Sym> = from.into_iter().collect();
        let mut steps = 0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            for s in layer {
                if reached.contains(s) {
                    continue;
                }
                reached.distance.insert(s, steps);
                self.leave(s, walk, &mut next, &mut reached.skipped);
                for (_, i) in entries.iter().filter(|(entry, _)| *entry == s) {
                    if let (Some(inside @ false), Some(t)) =
                        (reached.summaries.get_mut(*i), self.summaries.get(*i))
                    {
                        *inside = true;
                        cross(t, walk, &mut next, &mut reached.skipped);
                    }
                }
            }
            layer = next;
            steps += 1;
        }
        reached
    }

    /// Symbols at which summaries are entered.
    fn entries(&self, walk: Walk<'_>) -> Vec<(Sym, usize)> {
        let mut found = Vec::new();
        for (i, t) in self.summaries.iter().enumerate() {
            let mut enter = |v: &Val| found.extend(v.as_sym().map(|s| (s, i)));
            enter(&t.root);
            match walk {
                Walk::Pointers | Walk::Links(_) => {}
                Walk::Symbols => t.end.iter().flat_map(|(_, args)| args).for_each(enter),
                Walk::Memory { preds, .. } => {
                    let whole = self.as_segment(t, preds);
                    let end = whole.as_ref().map_or(&t.end, |w| &w.end);
                    let last = end.iter().flat_map(|(_, args)| args.iter().enumerate());
                    let back = &preds.get(t.pred).back;
                    last.filter(|(k, _)| back.arg(*k).is_some()).for_each(|(_, v)| enter(v));
                }
            }
        }
        found
    }

    /// What a symbol by itself, and the object there, lead to.
    fn leave(&self, s: Sym, walk: Walk<'_>, next: &mut Vec<Sym>, skipped: &mut BTreeSet<Sym>) {
        if let Some(def) =
            self.pure.definition(s).filter(|_| !matches!(walk, Walk::Pointers | Walk::Links(_)))
        {
            next.extend(def.terms().iter().map(|(t, _)| *t));
        }
        let Some(o) = self.objects.get(&s) else { return };
        match walk {
            Walk::Pointers | Walk::Links(_) => {}
            Walk::Symbols => next.extend(o.floating().iter().filter_map(|f| f.val.as_sym())),
            Walk::Memory { .. } => {
                next.extend(o.size.as_sym().into_iter().chain(o.prefix().and_then(Val::as_sym)));
                next.extend(o.floating().iter().flat_map(|f| [f.off, f.val]).filter_map(Val::as_sym));
            }
        }
        let back = match walk {
            Walk::Memory { preds, lean: true } => back_cells(o, preds),
            _ => BTreeSet::new(),
        };
        let followed = |off: u64| !matches!(walk, Walk::Links(only) if only != off);
        for (off, cell) in o.cells().filter(|(off, _)| followed(*off)) {
            match cell.val.as_sym() {
                Some(t) if back.contains(&off) => {
                    skipped.insert(t);
                }
                to => next.extend(to),
            }
        }
    }
}

/// What a summary that was entered leads to.
fn cross(t: &Summary, walk: Walk<'_>, next: &mut Vec<Sym>, skipped: &mut BTreeSet<Sym>) {
    let far_end = t.end.iter().filter_map(|(end, _)| end.as_sym());
    match walk {
        Walk::Pointers | Walk::Links(_) => next.extend(far_end),
        Walk::Symbols | Walk::Memory { lean: false, .. } => next.extend(t.values().filter_map(Val::as_sym)),
        Walk::Memory { preds, lean: true } => {
            let pred = preds.get(t.pred);
            // What stands for missing children is the end of the structure, as null is elsewhere.
            let ends = |k: usize| pred.links.len() > 1 && pred.ends_at(k);
            let near = t.args.iter().enumerate().map(|(k, v)| (v, pred.back.arg(k).is_some() || ends(k)));
            let far = t.end.iter().flat_map(|(_, args)| args.iter().enumerate()).map(|(k, v)| (v, ends(k)));
            for (v, skip) in near.chain(far) {
                if skip { skipped.extend(v.as_sym()) } else { next.extend(v.as_sym()) }
            }
            next.extend(t.root.as_sym().into_iter().chain(far_end));
        }
    }
}

/// Offsets at which objects like this one hold the address of the element before, and no structure goes on.
fn back_cells(object: &Object, preds: &PredTable) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    if object.kind != ObjectKind::Heap {
        return found;
    }
    for (_, pred) in preds.fitting(object) {
        let is_back = |k: u16| pred.back.get(usize::from(k)).is_some_and(Option::is_some);
        let cells = pred.def.cases.iter().filter(|c| c.block.is_some()).flat_map(|c| &c.cells);
        found.extend(cells.filter(|c| matches!(c.val.base, TermBase::Param(k) if is_back(k))).map(|c| c.off));
    }
    for (_, pred) in preds.fitting(object) {
        found.retain(|off| pred.links.iter().all(|l| l.off != *off));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Root;
    use crate::testing::{VARIABLES, World};

    fn variables(state: &State) -> [Sym; 2] {
        VARIABLES.map(|(_, l)| state.root(Root::Local(l)).and_then(Val::as_sym).expect("a symbol"))
    }

    #[test]
    fn steps_are_counted_over_objects_and_segments() {
        let world = World::new().expect("well formed");
        let text = "x -> [16] { @0:8: n, @8:8: 1 } * list(n; y) * list(y)";
        let state = world.state(text).expect("well formed").expect("possible");
        let [x, y] = variables(&state);
        let reached = state.reach([x], Walk::Pointers);
        assert_eq!((reached.distance.get(&x), reached.distance.get(&y)), (Some(&0), Some(&2)));
        assert_eq!(reached.summaries, [true, true]);
        // The cell at 8 leads nowhere.
        assert!(
            state.reach([x], Walk::Links(0)).contains(y) && !state.reach([x], Walk::Links(8)).contains(y)
        );
        // Nothing leads back.
        let reached = state.reach([y], Walk::Pointers);
        assert_eq!((reached.contains(x), reached.summaries), (false, vec![false, true]));
    }

    #[test]
    fn a_lean_walk_does_not_go_back_and_says_so() {
        let world = World::new().expect("well formed");
        let text = "x -> [16] { @0:8: y, @8:8: 0 } * dll(y, x)";
        let state = world.state(text).expect("well formed").expect("possible");
        let [x, y] = variables(&state);
        let walk = |from: Sym, lean: bool| state.reach([from], Walk::Memory { preds: &world.preds, lean });
        assert!(walk(y, false).contains(x) && !walk(y, false).left_out());
        assert!(!walk(y, true).contains(x) && walk(y, true).left_out());
        // From the first element everything is reached forward.
        assert!(walk(x, true).contains(y) && !walk(x, true).left_out());
    }

    #[test]
    fn a_segment_is_entered_at_its_last_element() {
        let world = World::new().expect("well formed");
        let state = world.state("dll(x, 0; n, y) * dll(n, y)").expect("well formed").expect("possible");
        let [x, y] = variables(&state);
        let reached = state.reach([y], Walk::Memory { preds: &world.preds, lean: false });
        assert!(reached.contains(x) && reached.summaries == [true, true]);
        assert!(!state.reach([y], Walk::Pointers).contains(x));
    }
}
