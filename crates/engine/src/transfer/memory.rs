//! The bytes of objects where offsets are symbolic: what a read may find, what a write leaves untouched.
//!
//! Objects keep cells at fixed offsets, floating cells at symbolic ones, and how far they are initialised
//! (`heapwise_heap::object`). Here the pure part is asked which of these facts an access concerns. A write that
//! may touch a cell kills it; if the cell held the last pointer to a block, the sweep after the statement reports the
//! leak.

use crate::transfer::place::Target;
use crate::transfer::value;
use heapwise_heap::{Content, Fill, Floating, Linear, Object, PredTable, State, Sym, Val};
use heapwise_numeric::Interval;

/// What a read somewhere in `[lo, hi)` may find: zero if all is zero, else something initialised or not.
pub(crate) fn content_between(object: &Object, lo: u64, hi: u64) -> Content {
    let cells: Vec<_> =
        object.cells().filter(|(off, c)| *off < hi && off.saturating_add(c.width) > lo).collect();
    let covered = |from: u64, to: u64| {
        let mut at = from;
        for (off, c) in &cells {
            if *off <= at && at < off.saturating_add(c.width) {
                at = off.saturating_add(c.width);
            }
        }
        at >= to
    };
    let mut zero = cells.iter().all(|(_, c)| c.val == Val::ZERO);
    for (from, to, fill) in object.fills(lo, hi) {
        match fill {
            Fill::Zero => {}
            _ if covered(from, to) => {}
            Fill::Unknown => zero = false,
            Fill::Uninit => return Content::Uninit,
        }
    }
    if zero { Content::Val(Val::ZERO) } else { Content::Unknown }
}

/// Whether the bytes at an offset lie in the part of an object that is initialised.
pub(crate) fn below_prefix(state: &State, object: &Object, at: Val, width: u64) -> bool {
    object.prefix().is_some_and(|p| state.knows_le(at.plus(i128::from(width)), p, false))
}

/// Numbers that an object holds at offsets which the target may be but is not known to be: floating constants, and
/// for a symbolic offset of a byte the first zero at or after its least value.
pub(crate) fn known_numbers(state: &State, s: Sym, target: Target, width: u64) -> Vec<Floating> {
    let Some(object) = state.object(s) else { return Vec::new() };
    let at = match target {
        Target::Bytes(_, off) => match object.read(off, width) {
            Content::Val(_) => return Vec::new(),
            _ => Val::int(i128::from(off)),
        },
        Target::Range(_, at, ..) => at,
    };
    let mut found: Vec<Floating> = object
        .floating()
        .iter()
        .filter(|f| f.width == width && f.val.as_int().is_some() && state.compare(f.off, at, None).is_none())
        .copied()
        .collect();
    if let Target::Range(_, _, lo, hi) = target
        && width == 1
        && content_between(object, lo, hi) != Content::Val(Val::ZERO)
        && let Some(zero) = first_zero(object, lo, hi, width)
    {
        let off = Val::int(i128::from(zero));
        if state.compare(off, at, None).is_none() {
            found.push(Floating { off, width, val: Val::ZERO });
        }
    }
    found
}

/// The first offset in `[lo, hi)` at which `width` bytes are known to be zero.
pub(crate) fn first_zero(object: &Object, lo: u64, hi: u64, width: u64) -> Option<u64> {
    let starts = object.cells().map(|(off, _)| off).chain(object.fills(lo, hi).map(|(from, ..)| from));
    // After a cell the background may go on.
    let ends = object.cells().map(|(off, c)| off.saturating_add(c.width));
    let candidates = starts.chain(ends).filter(|at| *at >= lo && at.saturating_add(width) <= hi);
    candidates.filter(|at| object.read(*at, width) == Content::Val(Val::ZERO)).min()
}

/// Whether two byte ranges of one object certainly do not overlap.
fn disjoint(state: &State, a: Val, wide_a: u64, b: Val, wide_b: u64) -> bool {
    let pure = state.numbers();
    if pure.knows_le(a.plus(i128::from(wide_a)), b, false)
        || pure.knows_le(b.plus(i128::from(wide_b)), a, false)
    {
        return true;
    }
    // Different elements of one array: they differ by a multiple of the element's size.
    let Some(difference) = pure.linear(a).zip(pure.linear(b)).and_then(|(a, b)| a.minus(&b)) else {
        return false;
    };
    let step = difference.divisor();
    step >= i128::from(wide_a.max(wide_b))
        && difference.divided(step).is_some()
        && pure.is_nonzero(&difference)
}

/// How far an object is initialised from its start.
fn filled(object: &Object) -> Val {
    object.prefix().unwrap_or_else(|| Val::int(i128::from(object.initialised_from_start())))
}

/// Changes the `width` bytes at an offset by `by`, keeping the floating cells that are elsewhere; `initialises` says
/// that all these bytes are initialised afterwards.
pub(crate) fn change(
    state: &mut State,
    s: Sym,
    at: Val,
    width: u64,
    initialises: bool,
    by: impl FnOnce(&mut Object),
) {
    let Some(object) = state.object(s) else { return };
    let kept: Vec<Floating> =
        object.floating().iter().filter(|f| disjoint(state, f.off, f.width, at, width)).copied().collect();
    let end = at.plus(i128::from(width));
    let prefix = object.prefix().filter(|_| initialises).map(|p| {
        let extends = state.knows_le(at, p, false) && state.knows_le(p, end, false);
        if extends { end } else { p }
    });
    let Some(object) = state.object_mut(s) else { return };
    by(object);
    kept.into_iter().for_each(|f| object.add_floating(f));
    if prefix.is_some() {
        object.set_prefix(prefix);
    }
}

/// Stores a value at a symbolic offset between `lo` and `hi`.
pub(crate) fn overwrite(state: &mut State, s: Sym, at: Val, width: u64, lo: u64, hi: u64, v: Val) {
    let Some(object) = state.object(s).cloned() else { return };
    if v == Val::ZERO && content_between(&object, lo, hi) == Content::Val(Val::ZERO) {
        change(state, s, at, width, true, |_| {});
        return;
    }
    let reach = hi.saturating_sub(lo);
    let kept: Vec<_> = object
        .cells()
        .filter(|(off, c)| {
            *off < hi
                && off.saturating_add(c.width) > lo
                && disjoint(state, Val::int(i128::from(*off)), c.width, at, width)
        })
        .collect();
    // The first store at a symbolic offset turns what is filled so far into a prefix.
    let (before, end) = (filled(&object), at.plus(i128::from(width)));
    let extended = !v.is_undef()
        && state.knows_le(at, before, false)
        && state.knows_le(before, end, false)
        && content_between(&object, lo, hi) == Content::Uninit;
    let number = !v.is_undef() && !value::is_address(state, v);
    change(state, s, at, width, !v.is_undef(), |o| {
        o.smear(lo, lo.saturating_add(reach));
        if v.is_undef() {
            o.fill(lo, hi, Fill::Uninit);
        }
        for (off, c) in kept {
            o.refine(off, c.width, c.val);
        }
        if number {
            o.add_floating(Floating { off: at, width, val: v });
        }
    });
    if extended && let Some(o) = state.object_mut(s) {
        o.set_prefix(Some(end));
    }
}

/// Whether all of `len` bytes at an offset are initialised.
pub(crate) fn run_is_initialised(state: &State, object: &Object, at: Val, len: Val) -> bool {
    let (lo, hi) = reach(state, object, at, len);
    if content_between(object, lo, hi) != Content::Uninit {
        return true;
    }
    let end = state.linear(at).zip(state.linear(len)).and_then(|(a, n)| a.plus(1, &n));
    let room = object.prefix().and_then(|p| state.linear(p)).zip(end).and_then(|(p, e)| p.minus(&e));
    room.is_some_and(|r| state.is_not_negative(&r))
}

/// The bytes that a run may touch.
fn reach(state: &State, object: &Object, at: Val, len: Val) -> (u64, u64) {
    let most = object.const_size().unwrap_or(u64::MAX >> 1);
    let clip = |n: i128| u64::try_from(n.max(0)).unwrap_or(most).min(most);
    let (at, len) = (state.range(at), state.range(len));
    let hi = at.hi.zip(len.hi).and_then(|(a, n)| a.checked_add(n));
    (at.lo.map_or(0, clip), hi.map_or(most, clip))
}

/// Overwrites `len` bytes at an offset, all inside of the object, by bytes of which only the state of
/// initialisation is known.
pub(crate) fn overwrite_run(state: &mut State, s: Sym, at: Val, len: Val, fill: Fill) {
    let Some(object) = state.object(s).cloned() else { return };
    let (lo, hi) = reach(state, &object, at, len);
    let end = state.linear(at).zip(state.linear(len)).and_then(|(a, n)| a.plus(1, &n));
    let end = end.and_then(|e| state.value_of(&e));
    let untouched = |state: &State, off: Val, width: u64| {
        state.knows_le(off.plus(i128::from(width)), at, false)
            || end.is_some_and(|e| state.knows_le(e, off, false))
    };
    let cells: Vec<_> = object
        .cells()
        .filter(|(off, c)| {
            *off < hi
                && off.saturating_add(c.width) > lo
                && untouched(state, Val::int(i128::from(*off)), c.width)
        })
        .collect();
    let floating: Vec<Floating> =
        object.floating().iter().filter(|f| untouched(state, f.off, f.width)).copied().collect();
    let before = filled(&object);
    let extends = fill != Fill::Uninit
        && end.is_some_and(|e| state.knows_le(at, before, false) && state.knows_le(before, e, false));
    let partly = content_between(&object, lo, hi) == Content::Uninit;
    let Some(o) = state.object_mut(s) else { return };
    o.smear(lo, hi);
    if fill == Fill::Uninit {
        o.fill(lo, hi, Fill::Uninit);
    }
    for (off, c) in cells {
        o.refine(off, c.width, c.val);
    }
    floating.into_iter().for_each(|f| o.add_floating(f));
    if extends && partly {
        o.set_prefix(end);
    }
}

/// Like [`overwrite_run`], for a number of bytes that is known.
pub(crate) fn overwrite_target(state: &mut State, target: Target, len: u64, fill: Fill) {
    let at = target.offset();
    match target {
        Target::Bytes(s, off) => {
            change(state, s, at, len, fill != Fill::Uninit, |o| o.fill(off, off.saturating_add(len), fill));
        }
        Target::Range(s, ..) => overwrite_run(state, s, at, Val::int(i128::from(len)), fill),
    }
}

/// Whether all of `len` bytes are initialised.
pub(crate) fn target_is_initialised(state: &State, target: Target, len: u64) -> bool {
    let object = state.object(target.object());
    object.is_some_and(|o| run_is_initialised(state, o, target.offset(), Val::int(i128::from(len))))
}

/// The pointer to the first byte.
pub(crate) fn start(state: &mut State, target: Target) -> Val {
    let form = state.linear(target.offset()).and_then(|f| f.plus(1, &Linear::of(Val::sym(target.object()))?));
    form.and_then(|f| state.value_of(&f)).unwrap_or_else(|| Val::sym(state.fresh()))
}

/// Learns that places of one object whose contents differ are different places; whether the state can still have a
/// model. A text whose first byte is not zero does not end there.
pub(crate) fn tell_places_apart(state: &mut State, preds: &PredTable) -> bool {
    let mut apart = Vec::new();
    for object in state.objects().map(|(_, o)| o).filter(|o| !o.floating().is_empty()) {
        let cells = object.cells().map(|(off, c)| Floating {
            off: Val::int(i128::from(off)),
            width: c.width,
            val: c.val,
        });
        let places: Vec<Floating> = object.floating().iter().copied().chain(cells).collect();
        for (i, f) in object.floating().iter().enumerate() {
            for g in places.iter().skip(i + 1).filter(|g| g.width == f.width && differ(state, f, g)) {
                match state.compare(f.off, g.off, None) {
                    Some(true) => return false,
                    Some(false) => {}
                    None => apart.push((f.off, g.off)),
                }
            }
        }
    }
    apart.into_iter().all(|(a, b)| state.assume_ne(a, b, preds))
}

/// Whether the bytes of two contents certainly differ. Numbers that do may have the same bytes in types of different
/// sign: they are as far apart as there are values.
fn differ(state: &State, f: &Floating, g: &Floating) -> bool {
    let (a, b) = (state.range(f.val), state.range(g.val));
    let values = 1i128 << (8 * f.width.min(8));
    let distance = Interval { lo: Some(1 - values), hi: Some(values - 1) };
    f.width <= 8 && a.minus(b).is_subset(distance) && state.compare(f.val, g.val, None) == Some(false)
}

/// Whether an offset is certainly one of a byte of the object or its end.
pub(crate) fn is_within(state: &State, s: Sym, offset: &Linear) -> bool {
    let size = state.object(s).and_then(|o| state.linear(o.size));
    let room = size.and_then(|size| size.minus(offset));
    state.is_not_negative(offset) && room.is_some_and(|r| state.is_not_negative(&r))
}

/// Whether two pointers certainly lie in one object, or at its end.
pub(crate) fn in_one_object(state: &State, a: Val, b: Val) -> bool {
    match (state.pointer(a), state.pointer(b)) {
        (Some((x, p)), Some((y, q))) => x == y && is_within(state, x, &p) && is_within(state, x, &q),
        _ => false,
    }
}
