//! Joining a pair of objects: sizes, background, cells, floating cells, initialised prefix.
//!
//! What the result says of a byte holds on both sides. Where one object may be shorter than the other there is nothing
//! to read on that side, so only cells that lie inside of both are kept.

use crate::lattice::join::{Joiner, Refusal, Side};
use crate::numbers::linear::Linear;
use crate::object::{Cell, Content, Fill, Floating, Object, ObjectKind};
use crate::pred::PredId;
use crate::state::State;
use crate::value::{Base, Sym, Val};
use std::sync::Arc;

/// Whether two values are the addresses of different functions.
fn two_functions(a: Val, b: Val) -> bool {
    matches!((a.base, b.base), (Base::Func(f), Base::Func(g)) if f != g)
}

/// Whether one of two blocks has a cell where the other is not initialised, and different numbers elsewhere: these may say
/// how much of the block is in use, or which member of a union.
fn counts_initialised(a: &Object, b: &Object) -> bool {
    let missing = |o: &Object, p: &Object| o.cells().any(|(off, c)| p.read(off, c.width) == Content::Uninit);
    let told = |(off, c): (u64, Cell)| {
        let other = b.cell(off, c.width).and_then(Val::as_int);
        c.val.as_int().zip(other).is_some_and(|(m, n)| m != n)
    };
    a.kind == ObjectKind::Heap
        && a.record.is_some()
        && a.cells().any(told)
        && (missing(a, b) || missing(b, a))
}

impl Joiner<'_> {
    pub(crate) fn objects(&mut self, x: Sym, y: Sym, out: Val) -> Result<(), Refusal> {
        let (Some(a), Some(b)) = (self.left.state.objects.get(&x), self.right.state.objects.get(&y)) else {
            return Err(Refusal::Objects(x, y));
        };
        let (a, b) = (a.clone(), b.clone());
        if a.kind != b.kind || !sizes_join(&a, &b) {
            return Err(Refusal::Objects(x, y));
        }
        if self.options.keep_numbers && self.options.numbers.make_variants() && counts_initialised(&a, &b) {
            return Err(Refusal::Objects(x, y));
        }
        if self.preds.tells_apart(&a, &b) {
            return Err(Refusal::Shapes(Val::sym(x), Val::sym(y)));
        }
        self.left.use_object(x);
        self.right.use_object(y);
        let size = self.value(a.size, b.size);
        let mut object = Object::new(a.kind, size, Fill::Zero, a.site);
        object.record = a.record.or(b.record);
        let limit = if a.size == b.size { a.const_size().unwrap_or(u64::MAX) } else { u64::MAX };
        for (lo, hi, f) in background(&a, limit) {
            for (lo, hi, g) in
                background(&b, hi).filter(|(_, h, _)| *h > lo).map(move |(l, h, g)| (l.max(lo), h, g))
            {
                object.fill(lo, hi, f.max(g));
            }
        }
        // Where the background goes on past the end of an object there is nothing to read.
        let (left, right) = (self.left.state, self.right.state);
        let within = |state: &State, o: &Object, end: u64| {
            o.const_size().is_some_and(|n| end <= n)
                || state.pure.knows_le(Val::int(i128::from(end)), o.size, false)
        };
        // The bytes of texts are many: which of them is the first zero is not what tells states apart.
        let text = |o: &Object, c: &Cell| c.width == 1 && o.size != Val::int(1) && o.record.is_none();
        for (off, cell) in a.cells() {
            if !within(right, &b, off.saturating_add(cell.width)) {
                continue;
            }
            match b.read(off, cell.width) {
                Content::Val(w) => {
                    let apart = match a.kind {
                        ObjectKind::Heap => {
                            let ranges = (left.pure.range(cell.val), right.pure.range(w));
                            self.options.keep_numbers
                                && (ranges.0.meet(ranges.1).is_none() && self.preds.fixes(&a, off)
                                    || two_functions(cell.val, w))
                        }
                        _ => self.options.keep_null && !text(&a, &cell) && self.null_on_one_side(cell.val, w),
                    };
                    if apart {
                        return Err(Refusal::Constants(cell.val, w));
                    }
                    let v = self.value(cell.val, w);
                    object.write(off, cell.width, v);
                }
                Content::Unknown => object.fill(off, off + cell.width, Fill::Unknown),
                Content::Uninit => object.fill(off, off + cell.width, Fill::Uninit),
            }
        }
        for (off, cell) in b.cells().filter(|(off, c)| a.cell(*off, c.width).is_none()) {
            if let Content::Val(v) = a.read(off, cell.width)
                && within(left, &a, off.saturating_add(cell.width))
                && a.cells().all(|(o, c)| o + c.width <= off || off + cell.width <= o)
            {
                if a.kind != ObjectKind::Heap
                    && self.options.keep_null
                    && !text(&b, &cell)
                    && self.null_on_one_side(v, cell.val)
                {
                    return Err(Refusal::Constants(v, cell.val));
                }
                let v = self.value(v, cell.val);
                object.write(off, cell.width, v);
            }
        }
        if let Some(s) = out.as_sym() {
            self.out.objects.insert(s, Arc::new(object));
            let (p, q) = (filled(&a), filled(&b));
            if p != q || p.as_int().is_none() || !a.floating().is_empty() || !b.floating().is_empty() {
                self.symbolic.push((x, y, s));
            }
        }
        Ok(())
    }

    /// Floating cells and initialised prefixes of pairs of objects: after sizes and contents, so that what offsets
    /// correspond to is known.
    pub(crate) fn symbolic_places(&mut self) {
        for (x, y, out) in std::mem::take(&mut self.symbolic) {
            let (left, right) = (self.left.state, self.right.state);
            if let (Some(a), Some(b)) = (left.objects.get(&x), right.objects.get(&y))
                && let Some(object) = self.out.objects.get(&out)
            {
                let mut object = Object::clone(object);
                self.floating_and_prefix(a, b, &mut object);
                self.out.objects.insert(out, Arc::new(object));
            }
        }
    }

    fn floating_and_prefix(&mut self, a: &Object, b: &Object, object: &mut Object) {
        for f in a.floating() {
            if let Some((off, val)) = self.floating_there(Side::Left, f, b) {
                let (off, val) = (self.value(f.off, off), self.value(f.val, val));
                if !val.is_undef() {
                    object.add_floating(Floating { off, width: f.width, val });
                }
            }
        }
        // Those of the right side that are cells on the left.
        for g in b.floating() {
            let cell = self.floating_there(Side::Right, g, a);
            if let Some((off, val)) = cell.filter(|(off, _)| off.as_int().is_some()) {
                let (off, val) = (self.value(off, g.off), self.value(val, g.val));
                if !val.is_undef() {
                    object.add_floating(Floating { off, width: g.width, val });
                }
            }
        }
        if a.record.is_none() && b.record.is_none() {
            let (p, q) = (filled(a), filled(b));
            if p != q || p.as_int().is_none() {
                let prefix = self.value(p, q);
                object.set_prefix(Some(prefix));
            }
        }
    }

    /// Whether the numbers with which two instances of a structure begin are known and differ, and matter.
    pub(crate) fn steps_differ(&self, pred: PredId, mine: &[Val], theirs: &[Option<Val>]) -> bool {
        let Some(k) = self.preds.get(pred).step.filter(|_| self.options.keep_numbers) else { return false };
        let at = k.saturating_sub(1);
        let mine = mine.get(at).and_then(|v| v.as_int());
        let theirs = theirs.get(at).copied().flatten().and_then(Val::as_int);
        mine.zip(theirs).is_some_and(|(m, t)| m != t)
    }

    /// Where the other side's object holds what a floating cell of `side` corresponds to, and what it holds there.
    fn floating_there(&self, side: Side, cell: &Floating, other: &Object) -> Option<(Val, Val)> {
        let fits = |g: &&Floating| g.width == cell.width;
        let at =
            |off: Val| other.floating().iter().filter(fits).find(|g| g.off == off).map(|g| (g.off, g.val));
        let paired: Vec<Val> = self.partners(side, cell.off).collect();
        if let Some(found) = paired.iter().find_map(|off| at(*off)) {
            return Some(found);
        }
        let theirs = match side {
            Side::Left => &self.right.state.pure,
            Side::Right => &self.left.state.pure,
        };
        // Where the background goes on past the end of an object there is nothing to read.
        let inside =
            |off: u64| theirs.knows_le(Val::int(i128::from(off) + i128::from(cell.width)), other.size, false);
        let mut numbers = paired.iter().filter_map(|off| u64::try_from(off.as_int()?).ok());
        if let Some(off) = numbers.find(|off| inside(*off))
            && let Content::Val(v) = other.read(off, cell.width)
        {
            return Some((Val::int(i128::from(off)), v));
        }
        // The same sum of what corresponds to its terms.
        if let Some(form) = self.translated(side, cell.off) {
            let same = |g: &&Floating| theirs.linear(g.off).as_ref() == Some(&form);
            if let Some(g) = other.floating().iter().filter(fits).find(same) {
                return Some((g.off, g.val));
            }
        }
        // Places that nothing else speaks of, if they hold the same number.
        let open = |g: &&Floating| g.val == cell.val && self.partners(side.other(), g.off).next().is_none();
        let same = other.floating().iter().filter(fits).find(open).map(|g| (g.off, g.val));
        // So do cells with a fixed offset; of several zeros the first ends a text.
        let fixed = || {
            let alike = |c: &Cell| c.width == cell.width && c.val == cell.val;
            let (off, _) = other.cells().find(|(_, c)| alike(c))?;
            Some((Val::int(i128::from(off)), cell.val))
        };
        same.or_else(fixed).filter(|_| paired.is_empty() && cell.val.as_int().is_some())
    }

    /// All values on the other side that `v` is paired with.
    fn partners(&self, side: Side, v: Val) -> impl Iterator<Item = Val> + '_ {
        let number = v.as_int().map(|_| v);
        let pairs = self.list.iter().filter_map(move |p| {
            let (mine, theirs) = if side == Side::Left { (p.left, p.right) } else { (p.right, p.left) };
            let same = v.as_sym().is_some() && mine.as_sym() == v.as_sym();
            same.then(|| theirs.plus(v.off.saturating_sub(mine.off)))
        });
        number.into_iter().chain(pairs)
    }

    /// A value of `side` as a form over the symbols of the other side.
    fn translated(&self, side: Side, v: Val) -> Option<Linear> {
        let (mine, theirs) = match side {
            Side::Left => (&self.left.state.pure, &self.right.state.pure),
            Side::Right => (&self.right.state.pure, &self.left.state.pure),
        };
        let form = mine.linear(v)?;
        let mut sum = Linear::constant(form.constant);
        for (t, k) in form.terms() {
            sum = sum.plus(*k, &theirs.linear(self.partner(side, Val::sym(*t))?)?)?;
        }
        Some(sum)
    }
}

/// How far an object is initialised from its start.
fn filled(o: &Object) -> Val {
    o.prefix().unwrap_or_else(|| Val::int(i128::from(o.initialised_from_start())))
}

/// Whether objects of these sizes may be one object of the result: equal numbers, or arrays of which one has
/// a symbolic size, or whose sizes may differ from execution to execution.
pub(crate) fn sizes_join(a: &Object, b: &Object) -> bool {
    let symbolic = a.size.as_int().is_none() || b.size.as_int().is_none();
    let varies = |o: &Object| matches!(o.kind, ObjectKind::Scope(_) | ObjectKind::Outer);
    a.size == b.size || a.record.is_none() && b.record.is_none() && (symbolic || varies(a))
}

/// The background of an object where a byte under a cell counts as initialised.
fn background(o: &Object, limit: u64) -> impl Iterator<Item = (u64, u64, Fill)> + use<> {
    let mut flat = o.clone();
    let cells: Vec<_> = o.cells().collect();
    for (off, cell) in cells {
        flat.fill(off, off + cell.width, Fill::Unknown);
    }
    flat.fills(0, limit).collect::<Vec<_>>().into_iter()
}
