//! Cutting a state in two at a call, and putting the halves together again (survey §5.3).
//!
//! The callee gets what its arguments and the globals reach; the rest is the frame. Symbols that both parts mention are
//! cutpoints and stay roots inside, so that the caller finds them again.
//!
//! *Lean cuts.* The nodes of many structures point back: to the node before, to a parent. Followed, such a pointer takes
//! everything above a node into the entry of a function that works on what is below, and the entries of a recursive
//! walk grow with every level. So a pointer to the element before is not followed at first; nor is what stands for missing
//! children in a tree, or a parameter or global whose memory the function leaves alone ([`crate::facts::unaccessed_params`]). Memory that is missing can
//! never be accessed by mistake: an access without memory is an alarm, and an alarm inside of a function that got a
//! lean entry makes the analysis start again with full entries for it ([`crate::fixpoint`]). The frame keeps
//! what was left out. What is held by the callee's part alone is found lost after the call, if it is; if the callee may
//! never come back ([`crate::facts::must_return`]), nothing that only its part holds is left out.

use crate::context::Context;
use crate::facts::footprint::{Footprint, Source};
use heapwise_heap::state::Walk;
use heapwise_heap::{ObjectKind, PredTable, Root, State, Sym, Val};
use heapwise_ir::{Body, FuncId, LocalId, LocalSet};
use heapwise_property::Property;
use std::collections::{BTreeMap, BTreeSet};

/// A state cut at a call.
pub(crate) struct Cut {
    /// What the callee gets.
    pub(crate) callee: State,
    frame: State,
    /// Cutpoints: symbols of the frame by number.
    points: Vec<Sym>,
    /// The caller's own stack objects, with their kinds.
    own: Vec<(Sym, ObjectKind)>,
    /// Whether a pointer back was not followed.
    pub(crate) lean: bool,
    /// Whether memory that the callee could reach stayed in the frame because it is not in its footprint.
    pub(crate) narrow: bool,
}

impl Cut {
    /// Whether the caller holds all that was left in the frame without the help of the callee's part.
    pub(crate) fn frame_holds_itself(&self, preds: &PredTable) -> bool {
        self.frame.clone().collect(preds).is_empty()
    }

    /// Names of cutpoints that no variable of the caller holds, only its memory.
    pub(crate) fn loose_names(&self) -> Vec<Root> {
        let held = |s: &Sym| self.frame.roots().map(|(_, v)| v).any(|v| v.as_sym() == Some(*s));
        let points = self.points.iter().enumerate();
        points.filter(|(_, s)| !held(s)).map(|(i, _)| Root::Cut(i as u32)).collect()
    }
}

/// What a callee gets.
#[derive(Clone, Copy)]
pub(crate) enum Reach<'a> {
    /// All that its arguments and the globals lead to.
    All,
    /// What it can access.
    Footprint(&'a Footprint, &'a Body),
}

impl Context<'_> {
    /// The caller's names without those that it does not read any more after the call, or that the result of the
    /// call replaces: names that do not matter would
    /// be cutpoints all the same. If memory is held by such a name only, all stay, and the leak is found
    /// where it happens.
    pub(crate) fn still_needed(
        &self,
        state: &State,
        caller_roots: BTreeMap<Root, Val>,
        live_after: Option<&LocalSet>,
        written: Option<LocalId>,
    ) -> BTreeMap<Root, Val> {
        let Some(live) = live_after else { return caller_roots };
        let mut needed = caller_roots.clone();
        needed.retain(|r, _| !matches!(r, Root::Local(l) if !live.contains(*l) || written == Some(*l)));
        if needed.len() == caller_roots.len() {
            return caller_roots;
        }
        // The callee's parameters have numbers of their own: they stand beside the caller's names.
        let mut all = state.clone();
        let params: Vec<Val> = state.roots().map(|(_, v)| v).collect();
        all.set_roots(needed.clone());
        for (i, v) in params.into_iter().enumerate() {
            all.set_root(Root::Cut(u32::MAX - i as u32), v);
        }
        if all.collect(&self.preds).is_empty() { needed } else { caller_roots }
    }

    /// Splits a state for a call of `target`: what the roots (arguments and globals) reach, and the frame with the caller's
    /// names. A lean cut follows neither pointers back nor these parameters and globals, whose memory the callee leaves
    /// alone.
    pub(crate) fn cut(
        &self,
        mut state: State,
        caller_roots: BTreeMap<Root, Val>,
        own: Vec<(Sym, ObjectKind)>,
        target: FuncId,
        wanted: Reach<'_>,
        lean: Option<&BTreeSet<Root>>,
    ) -> Cut {
        state.close_segments(&self.preds);
        let mut inside = vec![false; state.summaries().len()];
        let stands_by = |r: &Root| lean.is_some_and(|all| all.contains(r));
        let mut reach: BTreeSet<Sym> = match wanted {
            Reach::All => {
                let followed = state.roots().filter(|(r, _)| !stands_by(r));
                followed.filter_map(|(_, v)| v.as_sym()).collect()
            }
            Reach::Footprint(footprint, body) => self.within(&state, footprint, body, &mut inside),
        };
        if self.options.properties.has(Property::Cleanup) {
            // A callee that ends the program must see all that is still allocated.
            reach.extend(state.objects().map(|(s, _)| s));
            inside.fill(true);
            reach.extend(
                state.summaries().flat_map(|s| s.values().filter_map(Val::as_sym).collect::<Vec<_>>()),
            );
        }
        let narrow =
            matches!(wanted, Reach::Footprint(..)) && !self.options.properties.has(Property::Cleanup);
        let lean = !narrow && {
            let skipped = self.follow(&state, &mut reach, &mut inside, lean.is_some());
            // What no name of the callee leads to cannot be missed by it.
            let params = state.roots().filter(|(r, _)| matches!(r, Root::Local(_)) && stands_by(r));
            let mut left_out = params.filter_map(|(_, v)| v.as_sym());
            skipped || left_out.any(|s| !reach.contains(&s))
        };
        let mut callee = state.clone();
        let mut frame = state;
        callee.retain_objects(|s, _| reach.contains(&s));
        frame.retain_objects(|s, _| !reach.contains(&s));
        let mut k = 0;
        callee.retain_summaries(|_| {
            k += 1;
            inside[k - 1]
        });
        k = 0;
        frame.retain_summaries(|_| {
            k += 1;
            !inside[k - 1]
        });
        frame.set_roots(caller_roots);
        // Cutpoints in the order of the callee's walk, so that equal entries number them equally.
        let mut mentioned: BTreeSet<Sym> = BTreeSet::new();
        frame.for_each_val(|v| mentioned.extend(v.as_sym()));
        let defined: Vec<Sym> = frame
            .numbers()
            .definitions()
            .filter(|(s, _)| mentioned.contains(s))
            .flat_map(|(_, d)| d.terms().iter().map(|(t, _)| *t))
            .collect();
        mentioned.extend(defined);
        mentioned.extend(own.iter().map(|(s, _)| *s));
        mentioned.extend(frame.objects().map(|(s, _)| s));
        // The entries of a recursive function shall not differ in such names.
        let compared = if self.facts.calls.is_recursive(target) {
            BTreeSet::new()
        } else {
            compared(&callee, &frame, &mentioned)
        };
        let (_, order) = callee.canonical();
        let in_order = |which: &BTreeSet<Sym>| {
            let mut found: Vec<(Sym, Sym)> =
                order.iter().filter(|(s, _)| which.contains(s)).map(|(s, n)| (*n, *s)).collect();
            found.sort();
            found.into_iter().map(|(_, s)| s).collect::<Vec<_>>()
        };
        // Numbers come last: entries that differ in them only still number their addresses alike.
        let mut points = in_order(&mentioned);
        points.extend(in_order(&compared));
        for (i, s) in points.iter().enumerate() {
            callee.set_root(Root::Cut(i as u32), Val::sym(*s));
        }
        state_apart(&mut callee, &frame, &points, &self.preds);
        callee.forget_unused();
        callee.drop_implied(&self.preds);
        let left_out =
            |s: &Sym| frame.has_object(*s) || frame.summaries().any(|t| t.root.as_sym() == Some(*s));
        let narrow = narrow && points.iter().any(left_out);
        Cut { callee, frame, points, own, lean, narrow }
    }

    /// The blocks that a footprint leads to; marks the summaries on the way.
    fn within(
        &self,
        state: &State,
        footprint: &Footprint,
        body: &Body,
        inside: &mut [bool],
    ) -> BTreeSet<Sym> {
        // The callee's own variables and bytes are its own.
        let slots = state.roots().filter(|(r, _)| matches!(r, Root::Slot(_)));
        let mut reach: BTreeSet<Sym> = slots.filter_map(|(_, v)| v.as_sym()).collect();
        for (source, steps) in &footprint.accessed {
            let start = match source {
                Source::Param(i) => body.params.get(*i).and_then(|p| {
                    let held = || state.object(state.root(Root::Slot(*p))?.as_sym()?)?.cells().next();
                    state.root(Root::Local(*p)).or_else(|| held().map(|(_, c)| c.val))
                }),
                Source::Global(g) => state.root(Root::Global(*g)),
                Source::Own => None,
            };
            let mut at = start;
            let mut left = steps.len();
            let mut steps = steps.iter();
            while let Some((v, s)) = at.take().and_then(|v| Some((v, v.as_sym()?))) {
                match state.object(s) {
                    Some(o) if o.floating().is_empty() && state.numbers().definition(s).is_none() => {
                        reach.insert(s);
                        left = left.saturating_sub(1);
                        let cell = steps.next().and_then(|step| {
                            let off = u64::try_from(v.off.checked_add(i128::from(*step))?).ok()?;
                            o.cells().find(|(o, _)| *o == off)
                        });
                        at = cell.map(|(_, c)| c.val);
                    }
                    _ => self.around(state, s, left, &mut reach, inside),
                }
            }
        }
        reach
    }

    /// What can be reached from an address in so many steps.
    fn around(&self, state: &State, from: Sym, steps: usize, reach: &mut BTreeSet<Sym>, inside: &mut [bool]) {
        let mut now = vec![from];
        for step in (0..=steps).rev() {
            let mut next: Vec<Sym> = Vec::new();
            while let Some(s) = now.pop() {
                let mut fresh = reach.insert(s);
                for (t, inside) in state.summaries().zip(inside.iter_mut()) {
                    let whole = state.as_segment(t, &self.preds);
                    let end = whole.as_ref().map_or(&t.end, |w| &w.end);
                    let back = &self.preds.get(t.pred).back;
                    let entered = end.as_ref().is_some_and(|(_, args)| {
                        let mut args = args.iter().enumerate();
                        args.any(|(k, a)| back.arg(k).is_some() && a.as_sym() == Some(s))
                    });
                    if !*inside && (t.root.as_sym() == Some(s) || entered) {
                        *inside = true;
                        fresh = true;
                        next.extend(t.values().filter_map(Val::as_sym));
                        // A segment may be empty: then it is entered where it ends.
                        let far_end = t.end.iter().map(|(r, _)| r).chain(t.args.iter().filter(|_| entered));
                        now.extend(far_end.filter_map(|v| v.as_sym()));
                    }
                }
                if fresh {
                    let def = state.numbers().definition(s);
                    now.extend(def.iter().flat_map(|d| d.terms().iter().map(|(t, _)| *t)));
                    next.extend(state.object(s).iter().flat_map(|o| o.values()).filter_map(Val::as_sym));
                }
            }
            if step == 0 {
                break;
            }
            now = next;
        }
    }

    /// Extends a set of addresses by all that memory leads to from there, and marks the summaries on the way. A lean
    /// walk does not follow pointers to the element before. Returns whether anything was left out for that.
    pub(crate) fn follow(
        &self,
        state: &State,
        reach: &mut BTreeSet<Sym>,
        inside: &mut [bool],
        lean: bool,
    ) -> bool {
        let found = state.reach(reach.iter().copied(), Walk::Memory { preds: &self.preds, lean });
        for (inside, entered) in inside.iter_mut().zip(&found.summaries) {
            *inside |= entered;
        }
        reach.extend(found.distance.keys());
        found.left_out()
    }
}

/// Numbers in the callee's part of which the frame knows that they are less or greater than numbers of its own.
fn compared(callee: &State, frame: &State, mentioned: &BTreeSet<Sym>) -> BTreeSet<Sym> {
    let is_number = |s: Sym| {
        !callee.has_object(s) && !callee.summaries().any(|t| t.values().any(|v| v.as_sym() == Some(s)))
    };
    let mut found = BTreeSet::new();
    for (a, b) in frame.numbers().orderings() {
        if let (Some(a), Some(b)) = (a.as_sym(), b.as_sym()) {
            let from = |x: Sym, y: Sym| mentioned.contains(&x) && !mentioned.contains(&y) && is_number(y);
            found.extend([(a, b), (b, a)].into_iter().filter(|(x, y)| from(*x, *y)).map(|(_, y)| y));
        }
    }
    found
}

/// States in the callee's part that memory of the frame whose addresses it knows is apart from its own, and from other
/// such memory, which only its presence said.
fn state_apart(callee: &mut State, frame: &State, points: &[Sym], preds: &PredTable) {
    let mut others: Vec<Val> =
        std::iter::once(Val::ZERO).chain(callee.objects().map(|(s, _)| Val::sym(s))).collect();
    for s in points {
        let at = Val::sym(*s);
        if frame.object(*s).is_some_and(|o| o.kind == ObjectKind::Heap) {
            for other in &others {
                // Both are blocks: the facts cannot say otherwise in a state that describes any memory.
                let _ = callee.note_ne(at, *other);
            }
            others.push(at);
        }
    }
    let roots: Vec<Val> =
        points.iter().map(|s| Val::sym(*s)).filter(|at| frame.summaries().any(|t| t.root == *at)).collect();
    if roots.is_empty() {
        return;
    }
    others.extend(callee.summaries().map(|t| t.root));
    // Separation says it where all memory is at hand.
    let mut all = frame.clone();
    all.add_memory_of(callee);
    for at in roots {
        for other in &others {
            if all.compare(at, *other, Some(preds)) == Some(false) {
                let _ = callee.note_ne(at, *other);
            }
        }
        others.push(at);
    }
}

/// Puts the frame and an exit of the callee together again.
pub(crate) fn rejoin(cut: &Cut, exit: &State, preds: &PredTable) -> Option<State> {
    let base = cut.frame.symbol_count();
    let exit = exit.renamed(&|s| Sym(s.0 + base), exit.symbol_count() + base);
    let mut state = cut.frame.clone();
    state.reserve_symbols(exit.symbol_count());
    if !state.conjoin(&exit) {
        return None;
    }
    if let Some(v) = exit.root(Root::Result) {
        state.set_root(Root::Result, v);
    }
    // What was registered inside counts from now on.
    for (root, w) in exit.roots().filter(|(r, _)| matches!(r, Root::AtExit(_))) {
        state.set_root(root, w);
    }
    let mut pairs = Vec::new();
    // Globals are the same objects inside and outside, whatever became of the numbering of cutpoints.
    for (root, w) in exit.roots().filter(|(r, _)| matches!(r, Root::Global(_))) {
        match cut.frame.root(root) {
            Some(v) => pairs.push((v, w)),
            // A string literal that the callee named first.
            None => {
                state.set_root(root, w);
            }
        }
    }
    let mut kinds: BTreeMap<Sym, ObjectKind> = BTreeMap::new();
    for (i, s) in cut.points.iter().enumerate() {
        let Some(v) = exit.root(Root::Cut(i as u32)) else { continue };
        pairs.push((Val::sym(*s), v));
        if let (Some((_, kind)), Some(at)) = (cut.own.iter().find(|(o, _)| o == s), v.as_sym()) {
            kinds.insert(at, *kind);
        }
    }
    for (s, kind) in cut.own.iter().map(|(s, k)| (*s, *k)).chain(kinds) {
        if let Some(o) = state.object_mut(s) {
            o.kind = kind;
        }
    }
    if !state.assume_all_eq(pairs, preds) {
        return None;
    }
    state.drop_implied(preds);
    Some(state)
}
