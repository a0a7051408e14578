//! Folding of chains and trees of unnamed objects into summaries.
//!
//! Applied before widening: objects that no variable names give way to instances of discovered or known predicates,
//! as far as the matching engine can fold them and as long as no pointer into the folded part is lost (the
//! canonicalisation of survey §4.4.4, restricted to what no live variable names). Everything here only weakens the
//! state: each fold replaces memory by a predicate that it satisfies.

use super::orientation::{continued, reoriented};
use super::texts::forget_read_texts;
use super::{MAX_PIECES, pinned};
use crate::discover;
use crate::granularity::{Discovery, Granularity, Segments};
use crate::matching::{End, View};
use crate::object::ObjectKind;
use crate::pred::{Origin, PredId, PredTable};
use crate::state::{Args, State, Summary};
use crate::value::{Sym, Val};
use heapwise_ir::{RecordId, TypeTable};
use std::collections::BTreeSet;

/// The least number of pieces (objects or summaries) that are worth a new summary.
const WORTH: usize = 2;

/// A state with what no variable names folded, and what was seen on the way.
#[derive(Clone, Debug)]
pub struct Abstracted {
    /// The state.
    pub state: State,
    /// Whether there was a node that may stand for all missing children of a tree ([`discover::Proposals::common_leaf`]).
    pub common_leaf: bool,
}

/// Folds what no variable names. With `keep_numbers`, structures whose elements hold different numbers are kept
/// apart where they meet.
pub fn abstracted(
    state: &State,
    preds: &mut PredTable,
    types: &TypeTable,
    how: &Granularity<'_>,
    keep_numbers: bool,
) -> Abstracted {
    let mut common_leaf = false;
    let mut state = continued(reoriented(state.clone(), preds), preds);
    forget_read_texts(&mut state);
    for _ in 0..8 {
        let mut candidates = Vec::new();
        if how.discovery != Discovery::Closed {
            let pinned = pinned(&state, preds, how.numbers);
            let found = discover::propose(&state, &pinned, preds, types, how);
            candidates = found.preds;
            common_leaf |= found.common_leaf;
        }
        for id in with_pieces_in(&state, preds) {
            let p = preds.get(id);
            // Predicates that call each other have no links of their own.
            let recursive = !p.links.is_empty()
                || p.origin != Origin::Discovered && p.def.cases.iter().any(|c| !c.calls.is_empty());
            // Bounds that came of different numbers are no reason to mix those while each comes once.
            let bounds = p.variant_of.as_ref().is_some_and(|(_, n)| n.values().any(|i| i.lo != i.hi));
            let mixes = keep_numbers
                && bounds
                && state.summaries.iter().all(|s| s.pred != id)
                && !come_again(&state, preds, id);
            if recursive && !mixes && !candidates.contains(&id) {
                candidates.push(id);
            }
        }
        for s in &mut state.summaries {
            s.pred = preds.instead(s.pred, how.trees).unwrap_or(s.pred);
        }
        candidates.retain(|p| preds.instead(*p, how.trees).is_none() && !preds.is_skip_list(*p));
        // What the user declared comes first, then what says most of the elements.
        candidates.sort_by_key(|p| {
            let skeleton = preds.get(preds.skeleton(*p));
            (
                !skeleton.origin.is_about_numbers(),
                std::cmp::Reverse(preds.get(*p).weaker.len() + preds.get(*p).larger.len()),
                std::cmp::Reverse(preds.get(*p).strictness()),
            )
        });
        let folded = candidates.iter().find_map(|p| fold_once(&state, *p, preds, how, keep_numbers));
        let chained = |preds: &mut PredTable| {
            let asked = how.discovery == Discovery::Chains;
            asked.then(|| fold_chain(&state, preds, types, how, keep_numbers)).flatten()
        };
        match folded.or_else(|| chained(preds)).or_else(|| fold_mixed(&state, preds, how)) {
            Some(next) => state = next,
            None => break,
        }
    }
    let mut state = reoriented(state, preds);
    state.close_segments(preds);
    Abstracted { state, common_leaf }
}

/// The predicates whose elements are of a size that blocks of the heap have, and of a record of which there is a block or an
/// instance: no others find anything to fold.
fn with_pieces_in(state: &State, preds: &PredTable) -> Vec<PredId> {
    let blocks = state.objects.values().filter(|o| o.kind == ObjectKind::Heap);
    let mut kinds: BTreeSet<(u64, Option<RecordId>)> =
        blocks.filter_map(|o| Some((o.const_size()?, o.record))).collect();
    let sizes: BTreeSet<u64> = kinds.iter().map(|(size, _)| *size).collect();
    for id in state.summaries.iter().map(|s| s.pred).collect::<BTreeSet<PredId>>() {
        let blocks = preds.get(id).def.cases.iter().filter_map(|c| c.block.as_ref());
        kinds.extend(blocks.filter(|b| sizes.contains(&b.size)).map(|b| (b.size, b.record)));
    }
    let found = kinds.into_iter().flat_map(|(size, record)| preds.with_elements(size, record));
    found.collect::<BTreeSet<PredId>>().into_iter().collect()
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

/// Folds a chain of segments that hold different numbers, if segments of one kind come again after others: then the order is
/// arbitrary, and all of them are elements with any of these numbers. Chains in which every kind comes once stay as
/// they are; there are finitely many of those.
fn fold_mixed(state: &State, preds: &mut PredTable, how: &Granularity<'_>) -> Option<State> {
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
    let general = preds.generalisation(&mixed, how.numbers)?;
    fold_once(state, general, preds, how, false)
}

/// One fold of a chain that none of the known predicates describes. What is proposed for it stays only if it folds.
fn fold_chain(
    state: &State,
    preds: &mut PredTable,
    types: &TypeTable,
    how: &Granularity<'_>,
    keep_numbers: bool,
) -> Option<State> {
    let pinned = pinned(state, preds, how.numbers);
    let (candidates, more) = discover::propose_for_chains(state, &pinned, preds, types, how)?;
    let folded = candidates.iter().find_map(|p| fold_once(state, *p, &more, how, keep_numbers))?;
    *preds = more;
    Some(folded)
}

/// One fold by `pred` that loses no pointer, if there is one.
fn fold_once(
    state: &State,
    pred: PredId,
    preds: &PredTable,
    how: &Granularity<'_>,
    keep_numbers: bool,
) -> Option<State> {
    let pinned = pinned(state, preds, how.numbers);
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
            && consider(&mut best, &view, how.discovery, Folded { pred, root: start, args: &args, end: None })
                != Fold::Lossy
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
        if how.segments == Segments::ToCursors && preds.get(pred).links.len() > 1 {
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
            let folded = Folded { pred, root: start, args: &args, end: Some(&end) };
            match consider(&mut best, &view, how.discovery, folded) {
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
    let last = ends.filter(|(k, _)| back.arg(*k).is_some()).filter_map(|(_, v)| v.as_sym());
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

/// An instance of a predicate that memory was folded to, as far as its arguments are known.
#[derive(Clone, Copy)]
struct Folded<'a> {
    pred: PredId,
    root: Val,
    args: &'a [Option<Val>],
    end: Option<&'a End>,
}

/// Keeps the fold if it is worth it, loses no pointer, and is larger than the best so far.
fn consider(
    best: &mut Option<(usize, State)>,
    view: &View<'_>,
    discovery: Discovery,
    found: Folded<'_>,
) -> Fold {
    let Folded { pred, root, args, end } = found;
    let (state, preds) = (view.state, view.preds);
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
    // An element that leads to itself, forward or back, bounds a structure and is no part of it. But the last element of a
    // segment has a name: the first one may lead to it.
    let (twin, back) = (&preds.get(pred).twin, &preds.get(pred).back);
    let outer = args.iter().enumerate().filter(|(k, _)| twin.arg(*k).is_none());
    let outer = outer.filter_map(|(_, v)| v.as_ref()).chain(end.map(|e| &e.root));
    let far = end.iter().flat_map(|e| e.args.iter().enumerate());
    let last: Vec<Sym> =
        far.filter(|(k, _)| back.arg(*k).is_some()).filter_map(|(_, v)| v.and_then(Val::as_sym)).collect();
    if outer.filter_map(|v| v.as_sym()).any(|s| consumed.contains(&s) && !last.contains(&s)) {
        return Fold::Lossy;
    }
    let mut next = state.clone();
    let gone: Vec<Sym> = (state.summaries.iter().enumerate())
        .filter(|(i, _)| !kept.contains(i))
        .filter_map(|(_, s)| s.region)
        .chain(consumed.iter().copied())
        .filter(|place| state.is_place(*place))
        .collect();
    let region = (!gone.is_empty()).then(|| next.fresh());
    gone.into_iter().for_each(|place| next.replace_place(place, region.as_slice()));
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
    let shared = |k: usize| preds.get(pred).shared.arg(k);
    let end = end.map(|e| {
        let far = e.args.iter().enumerate().map(|(k, v)| match (v, args.get(k)) {
            (None, Some(here)) if shared(k) => *here,
            _ => take(v),
        });
        (e.root, far.collect())
    });
    next.summaries.push(Summary { pred, root, args, end, region });
    next.forget_ghosts(preds);
    if !next.draw_lengths(preds) {
        return Fold::Lossy;
    }
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
    let asked = discovery == Discovery::Chains;
    if asked && !next.clone().collect(preds).is_empty() && state.clone().collect(preds).is_empty() {
        return Fold::Lossy;
    }
    *best = Some((pieces, next));
    Fold::Best
}
