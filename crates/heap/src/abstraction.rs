//! Folding of chains and trees of unnamed objects into summaries.
//!
//! Applied before widening: objects that no variable names give way to instances of discovered or known predicates,
//! as far as the matching engine can fold them and as long as no pointer into the folded part is lost (the
//! canonicalisation of survey §4.4.4, restricted to what no live variable names). Everything here only weakens the
//! state: each fold replaces memory by a predicate that it satisfies.

use crate::discover;
use crate::matching::{End, View};
use crate::object::ObjectKind;
use crate::pred::{Origin, PredId, PredTable};
use crate::state::{Args, Root, State, Summary};
use crate::unfold::Site;
use crate::value::{Sym, Val};
use heapwise_ir::TypeTable;
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
pub(crate) fn pinned(state: &State, preds: &PredTable) -> BTreeSet<Sym> {
    let mut pinned = named(state);
    if preds.keeps_some_bounds() {
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
        let is_kept = |s: &Sym| state.objects.get(s).is_some_and(|o| preds.keeps_bounds_of(o));
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
    let mut seen = BTreeSet::from([from]);
    let mut at = from;
    loop {
        let segment = state.summaries.iter().find(|s| s.root == Val::sym(at));
        let next = match (state.objects.get(&at), segment) {
            (Some(o), _) => o.cells().find(|(o, _)| *o == off).map(|(_, c)| c.val),
            (None, s) => s.and_then(|s| s.end.as_ref()).map(|(end, _)| *end),
        };
        let Some(next) = next.and_then(|v| v.as_sym()).filter(|s| seen.insert(*s)) else { return false };
        if to.contains(&next) {
            return true;
        }
        at = next;
    }
}

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
    Some(Summary { pred: r.pred, root: last.plus(-r.back), args, end })
}

/// Turns segments round whose first element nothing names but whose last element something does, so that everything
/// can be found by walking from names; and makes one of two segments that were walked from both ends and meet.
fn reoriented(mut state: State, preds: &mut PredTable) -> State {
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
        state.summaries.swap_remove(j);
        others = vec![None; state.summaries.len()];
        i = 0;
    }
    state
}

/// Reads a whole structure that ends where another one of its kind begins as the segment up to there, so that the two can
/// become one.
fn continued(mut state: State, preds: &PredTable) -> State {
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

/// The least number of pieces (objects or summaries) that are worth a new summary.
const WORTH: usize = 2;

/// Folds what no variable names. With `keep_numbers`, structures whose elements hold different numbers are kept
/// apart where they meet.
pub fn abstracted(state: &State, preds: &mut PredTable, types: &TypeTable, keep_numbers: bool) -> State {
    let mut state = continued(reoriented(state.clone(), preds), preds);
    for _ in 0..8 {
        let mut candidates = if preds.closed {
            Vec::new()
        } else {
            discover::propose(&state, &pinned(&state, preds), preds, types)
        };
        let sizes: BTreeSet<u64> = state
            .objects
            .values()
            .filter(|o| o.kind == ObjectKind::Heap)
            .filter_map(|o| o.const_size())
            .collect();
        for (id, p) in preds.iter() {
            let fits = p.def.cases.iter().any(|c| c.block.as_ref().is_some_and(|b| sizes.contains(&b.size)));
            // Predicates that call each other have no links of their own.
            let recursive = !p.links.is_empty()
                || p.origin != Origin::Discovered && p.def.cases.iter().any(|c| !c.calls.is_empty());
            // Bounds that came of different numbers are no reason to mix those while each comes once.
            let bounds = p.variant_of.as_ref().is_some_and(|(_, n)| n.values().any(|i| i.lo != i.hi));
            let mixes = keep_numbers
                && bounds
                && state.summaries.iter().all(|s| s.pred != id)
                && !come_again(&state, preds, id);
            if fits && recursive && !mixes && !candidates.contains(&id) {
                candidates.push(id);
            }
        }
        for s in &mut state.summaries {
            s.pred = preds.instead(s.pred).unwrap_or(s.pred);
        }
        candidates.retain(|p| preds.instead(*p).is_none() && !preds.is_skip_list(*p));
        // What the user declared comes first, then what says most of the elements.
        candidates.sort_by_key(|p| {
            let skeleton = preds.get(preds.skeleton(*p));
            (
                skeleton.origin != Origin::Declared,
                std::cmp::Reverse(preds.get(*p).weaker.len() + preds.get(*p).larger.len()),
                std::cmp::Reverse(preds.get(*p).strictness()),
            )
        });
        let folded = candidates.iter().find_map(|p| fold_once(&state, *p, preds, keep_numbers));
        let chained = |preds: &mut PredTable| {
            preds.chains.then(|| fold_chain(&state, preds, types, keep_numbers)).flatten()
        };
        match folded.or_else(|| chained(preds)).or_else(|| fold_mixed(&state, preds)) {
            Some(next) => state = next,
            None => break,
        }
    }
    let mut state = reoriented(state, preds);
    state.close_segments(preds);
    state
}

/// Whether numbers that a variant only bounds come in an arbitrary order: on some way along its links one of them comes again
/// after others, or is not known.
fn come_again(state: &State, preds: &PredTable, variant: PredId) -> bool {
    let pred = preds.get(variant);
    let Some((_, numbers)) = &pred.variant_of else { return true };
    let bounded = |off: u64| numbers.get(&off).is_some_and(|i| i.lo != i.hi);
    let cells: Vec<(u64, u64)> = (pred.def.cases.iter().flat_map(|c| &c.cells))
        .filter(|c| bounded(c.off))
        .map(|c| (c.off, c.width))
        .collect();
    let view = View::new(state, preds);
    // The numbers of the element or segment at an address, and what comes after it.
    let piece = |at: Val| -> Option<(Vec<Option<i128>>, Option<Val>)> {
        if let Some(o) = at.as_sym().and_then(|s| state.objects.get(&s)).filter(|o| pred.fits(o)) {
            let found = cells.iter().map(|(off, width)| o.cell(*off, *width).and_then(Val::as_int));
            let next = match view.step(variant, at).as_slice() {
                [only] => Some(*only),
                _ => None,
            };
            return Some((found.collect(), next));
        }
        let s = state.summaries.iter().find(|s| s.root == at)?;
        let (_, told) = preds.get(s.pred).variant_of.as_ref()?;
        let number = |off: &u64| told.get(off).and_then(|i| i.lo.filter(|l| i.hi == Some(*l)));
        Some((cells.iter().map(|(off, _)| number(off)).collect(), s.end.as_ref().map(|(end, _)| *end)))
    };
    let objects = state.objects.keys().map(|s| Val::sym(*s));
    objects.chain(state.summaries.iter().map(|s| s.root)).any(|start| {
        let mut seen: Vec<Vec<Option<i128>>> = Vec::new();
        let mut at = Some(start);
        for _ in 0..MAX_PIECES {
            let Some((found, next)) = at.and_then(piece) else { break };
            if found.contains(&None) {
                return true;
            }
            if seen.last() != Some(&found) {
                if seen.contains(&found) {
                    return true;
                }
                seen.push(found);
            }
            at = next;
        }
        false
    })
}

/// Pieces of a chain that are looked at.
const MAX_PIECES: usize = 64;

/// Folds a chain of segments that hold different numbers, if segments of one kind come again after others: then the order is
/// arbitrary, and all of them are elements with any of these numbers. Chains in which every kind comes once stay as
/// they are; there are finitely many of those.
fn fold_mixed(state: &State, preds: &mut PredTable) -> Option<State> {
    let is_variant = |s: &&Summary| preds.get(s.pred).variant_of.is_some();
    let at = |v: Val| state.summaries.iter().find(|s| s.root == v);
    let mixed = state.summaries.iter().filter(is_variant).find_map(|start| {
        let view = View::new(state, preds);
        let mut row: Vec<PredId> = vec![start.pred];
        let mut here = start.end.as_ref()?.0;
        for _ in 0..MAX_PIECES {
            let next = at(here);
            match next {
                Some(s) if is_variant(&s) => row.push(s.pred),
                Some(_) => break,
                // Single elements in between.
                None => {}
            }
            if row.len() > 2 && row.last() == Some(&start.pred) {
                return Some(row);
            }
            here = match next {
                Some(s) => s.end.as_ref()?.0,
                None => match view.step(start.pred, here).as_slice() {
                    [only] => *only,
                    _ => break,
                },
            };
        }
        None
    })?;
    let general = preds.generalisation(&mixed)?;
    fold_once(state, general, preds, false)
}

/// One fold of a chain that none of the known predicates describes. What is proposed for it stays only if it folds.
fn fold_chain(state: &State, preds: &mut PredTable, types: &TypeTable, keep_numbers: bool) -> Option<State> {
    let (candidates, more) = discover::propose_for_chains(state, &pinned(state, preds), preds, types)?;
    let folded = candidates.iter().find_map(|p| fold_once(state, *p, &more, keep_numbers))?;
    *preds = more;
    Some(folded)
}

/// One fold by `pred` that loses no pointer, if there is one.
fn fold_once(state: &State, pred: PredId, preds: &PredTable, keep_numbers: bool) -> Option<State> {
    let pinned = pinned(state, preds);
    let starts: Vec<Val> = state
        .objects
        .iter()
        .filter(|(s, o)| o.kind == ObjectKind::Heap && !pinned.contains(s) && preds.get(pred).fits(o))
        .map(|(s, _)| Val::sym(*s))
        .chain(
            state
                .summaries
                .iter()
                .filter(|s| s.end.is_some() && preds.counts_as(s.pred, pred, keep_numbers))
                .map(|s| s.root),
        )
        .collect();
    let n = usize::from(preds.get(pred).def.params).saturating_sub(1);
    let mut best: Option<(usize, State)> = None;
    for start in starts {
        let mut view = View::new(state, preds);
        view.pinned = pinned.clone();
        view.keep_numbers = keep_numbers;
        // A name for the first element stays the name of the summary.
        let first = start.as_sym().filter(|s| !state.objects.contains_key(s));
        view.pinned.retain(|s| Some(*s) != first);
        let mut args = vec![None; n];
        if view.fold(pred, start, &mut args, None).is_ok()
            && consider(&mut best, state, &view, preds, pred, start, &args, None) != Fold::Lossy
        {
            // A part of what is too small is smaller.
            continue;
        }
        let mut view = View::new(state, preds);
        view.keep_numbers = keep_numbers;
        // Not to the end: as far as it goes, for structures with one way on.
        let mut ends = vec![];
        let mut at = start;
        while let [next] = view.step(pred, at).as_slice() {
            if ends.contains(next) || *next == start || ends.len() > 200 {
                if *next == start {
                    ends.push(*next);
                }
                break;
            }
            at = *next;
            ends.push(at);
            // Nothing that goes on beyond what must stay, or is no element, can be folded.
            let stays = at.as_sym().is_some_and(|s| {
                let object = state.objects.get(&s);
                Some(s) != first && pinned.contains(&s)
                    || object.is_some_and(|o| o.kind != ObjectKind::Heap || !preds.get(pred).fits(o))
            });
            if stays {
                break;
            }
        }
        let one_way = ends.len();
        // Where the ways part, to an element that a variable names.
        if preds.folds_to_cursors && preds.get(pred).links.len() > 1 {
            let root = |s: &Sym| state.summaries.iter().any(|t| t.root == Val::sym(*s));
            let named = pinned.iter().filter(|s| state.objects.contains_key(s) || root(s));
            ends.splice(0..0, named.map(|s| Val::sym(*s)));
        }
        let cursors = ends.len() - one_way;
        for target in ends.into_iter().rev() {
            let mut view = View::new(state, preds);
            view.keep_numbers = keep_numbers;
            view.pinned = pinned.iter().copied().filter(|s| Some(*s) != first).collect();
            let mut args = vec![None; n];
            let mut end = End { root: target, args: vec![None; n] };
            if target == start || view.fold(pred, start, &mut args, Some(&mut end)).is_err() {
                continue;
            }
            match consider(&mut best, state, &view, preds, pred, start, &args, Some(&end)) {
                Fold::Best => break,
                // Targets that are nearer are left only with less before them.
                Fold::Small if cursors == 0 => break,
                Fold::Small | Fold::Lossy => {}
            }
        }
    }
    best.map(|(_, s)| s)
}

/// Symbols that stand for elements of a summary: the first, and the last if a parameter names it.
fn inner_symbols(s: &Summary, preds: &PredTable) -> Vec<Sym> {
    let back = &preds.get(s.pred).back;
    let ends = s.end.iter().flat_map(|(_, args)| args.iter().enumerate());
    let last =
        ends.filter(|(k, _)| back.get(k + 1).is_some_and(Option::is_some)).filter_map(|(_, v)| v.as_sym());
    s.root.as_sym().into_iter().chain(last).collect()
}

/// What becomes of a fold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    /// It is the best so far.
    Best,
    /// It is not worth it, or not larger than the best so far.
    Small,
    /// It would lose a pointer, or say too little.
    Lossy,
}

/// Keeps the fold if it is worth it, loses no pointer, and is larger than the best so far.
#[allow(clippy::too_many_arguments)]
fn consider(
    best: &mut Option<(usize, State)>,
    state: &State,
    view: &View<'_>,
    preds: &PredTable,
    pred: PredId,
    root: Val,
    args: &[Option<Val>],
    end: Option<&End>,
) -> Fold {
    let (left, kept) = view.leftover();
    let consumed: BTreeSet<Sym> = state
        .objects
        .iter()
        .filter(|(s, o)| o.kind == ObjectKind::Heap && !left.contains(s))
        .map(|(s, _)| *s)
        .collect();
    let pieces = consumed.len() + state.summaries.len() - kept.len();
    // An element can also be taken for the end of a structure, if nothing says where that is; a part of it is more then.
    if pieces == 0 {
        return Fold::Lossy;
    }
    let swallowed = state.summaries.iter().enumerate().filter(|(i, _)| !kept.contains(i));
    let inner: BTreeSet<Sym> =
        consumed.iter().copied().chain(swallowed.flat_map(|(_, s)| inner_symbols(s, preds))).collect();
    if consumed.is_empty() && pieces < 2 || pieces < WORTH || best.as_ref().is_some_and(|(n, _)| *n >= pieces)
    {
        return Fold::Small;
    }
    // An element that leads to itself, forward or back, bounds a structure and is no part of it.
    let twin = &preds.get(pred).twin;
    let outer = args.iter().enumerate().filter(|(k, _)| twin.get(k + 1).is_none_or(Option::is_none));
    let outer = outer.filter_map(|(_, v)| v.as_ref()).chain(end.map(|e| &e.root));
    if outer.filter_map(|v| v.as_sym()).any(|s| consumed.contains(&s)) {
        return Fold::Lossy;
    }
    let mut next = state.clone();
    next.objects.retain(|s, _| !consumed.contains(s));
    let mut index = 0;
    next.summaries.retain(|_| {
        index += 1;
        kept.contains(&(index - 1))
    });
    let mut take = |v: &Option<Val>| v.unwrap_or_else(|| Val::sym(next.fresh()));
    let ghost = |k: usize| preds.get(pred).is_ghost(k);
    let args: Args = (args.iter().enumerate())
        .map(|(k, v)| if ghost(k) { v.unwrap_or(Val::UNDEF) } else { take(v) })
        .collect();
    let shared = |k: usize| preds.get(pred).shared.get(k + 1).copied().unwrap_or(false);
    let end = end.map(|e| {
        let far = e.args.iter().enumerate().map(|(k, v)| match (v, args.get(k)) {
            (None, Some(here)) if shared(k) => *here,
            _ => take(v),
        });
        (e.root, far.collect())
    });
    next.summaries.push(Summary { pred, root, args, end });
    next.forget_ghosts(preds);
    // Inner elements must not be mentioned any more, except through the summary's own arguments.
    let mut mentioned = false;
    let allowed: BTreeSet<Sym> = next
        .summaries
        .last()
        .into_iter()
        .flat_map(|s| s.values().filter_map(Val::as_sym).collect::<Vec<_>>())
        .collect();
    // What a segment hands on may be no element of it: an object that is named otherwise is one.
    let ghosts = next.ghosts(preds);
    let hidden = |s: &Sym| consumed.contains(s) && ghosts.contains(s) && root.as_sym() != Some(*s);
    let allowed: BTreeSet<Sym> = allowed.into_iter().filter(|s| !hidden(s)).collect();
    next.for_each_val(|v| {
        mentioned |= v.as_sym().is_some_and(|s| inner.contains(&s) && !allowed.contains(&s));
    });
    if mentioned {
        return Fold::Lossy;
    }
    // What was known because the first element was an object must now be said.
    let ends = next.summaries.last().map_or_else(Vec::new, |s| s.ends(preds));
    let targets = ends.into_iter().chain([Val::ZERO]);
    for other in targets {
        if state.compare(root, other, Some(preds)) == Some(false) && !next.pure.assume_ne(root, other) {
            return Fold::Lossy;
        }
    }
    next.forget_unused();
    // Nor may a pointer from the folded part be lost that other memory is held by.
    if preds.chains && !next.clone().collect(preds).is_empty() && state.clone().collect(preds).is_empty() {
        return Fold::Lossy;
    }
    *best = Some((pieces, next));
    Fold::Best
}
