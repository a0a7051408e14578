//! Whether two values are equal, as far as facts and separation tell.
//!
//! Live objects are apart from each other, from null and from functions; so are the first and last elements of structures that
//! have elements. The search along segments is bounded.

use super::{Args, NULL_PAGE, State, Summary};
use crate::numbers::Linear;
use crate::object::Object;
use crate::pred::{Case, Fact, Pred, PredTable, Term, TermBase};
use crate::value::{Base, Sym, Val};

/// A piece of memory that owns a block.
#[derive(PartialEq, Eq)]
enum Owner {
    Object(Sym),
    Summary(usize),
}

impl State {
    /// Whether an offset is that of a byte inside the object.
    pub(super) fn inside(&self, object: &Object, off: i128) -> bool {
        off >= 0 && self.pure.knows_le(Val::int(off), object.size, true)
    }

    /// Whether two symbols are addresses of objects that have no byte in common.
    fn disjoint(&self, x: Sym, y: Sym) -> bool {
        let (Some(a), Some(b)) = (self.objects.get(&x), self.objects.get(&y)) else { return false };
        x != y && !(a.kind.may_coincide() && b.kind.may_coincide())
    }

    /// Whether two values are equal: certainly, certainly not, or unknown.
    pub fn compare(&self, a: Val, b: Val, preds: Option<&PredTable>) -> Option<bool> {
        if a.is_undef() || b.is_undef() {
            return None;
        }
        if a == b {
            return Some(true);
        }
        if self.pure.knows_ne(a, b) {
            return Some(false);
        }
        let leads = |v: Val, other: Val| other == Val::ZERO && self.points_to(v).is_some_and(|at| !at.null);
        if leads(a, b) || leads(b, a) {
            return Some(false);
        }
        // Both may be moved by the same amount: an offset outside of its object says nothing by itself.
        let shifts = [0, -a.off, -b.off];
        let distinct = shifts.iter().enumerate().filter(|(i, s)| !shifts[..*i].contains(s));
        for (_, by) in distinct {
            let (x, y) = (a.plus(*by), b.plus(*by));
            if self.apart(x, y, preds, 3) || self.apart(y, x, preds, 3) {
                return Some(false);
            }
        }
        if self.pure.is_defined(a) || self.pure.is_defined(b) {
            let difference = self.pure.linear(a).zip(self.pure.linear(b)).and_then(|(a, b)| a.minus(&b));
            if difference.is_some_and(|d| d == Linear::default()) {
                return Some(true);
            }
            if self.pointers_apart(a, b) {
                return Some(false);
            }
        }
        let preds = preds?;
        let null = |v: Val| v.base == Base::Zero && v.off.abs() < NULL_PAGE;
        match (self.owner(a, preds), self.owner(b, preds)) {
            (Some(Owner::Object(x)), Some(Owner::Object(y))) => self.disjoint(x, y).then_some(false),
            (Some(x), Some(y)) if x != y => Some(false),
            (Some(_), None) if null(b) => Some(false),
            (None, Some(_)) if null(a) => Some(false),
            _ => None,
        }
    }

    /// Whether two values are certainly equal: as [`State::compare`], without a search for what tells them apart.
    pub fn knows_eq(&self, a: Val, b: Val) -> bool {
        if a.is_undef() || b.is_undef() {
            return false;
        }
        let defined = || self.pure.is_defined(a) || self.pure.is_defined(b);
        a == b || defined() && self.pure.linear(a).is_some_and(|l| self.pure.linear(b) == Some(l))
    }

    /// Whether a block of the summary at that offset from an object would lie in the object, at least in part. One past
    /// the end of an object may well be the start of another block.
    fn overlaps(&self, object: Sym, off: i128, s: &Summary, preds: &PredTable) -> bool {
        let Some(o) = self.objects.get(&object) else { return false };
        let blocks = preds.get(s.pred).def.cases.iter().filter_map(|c| c.block.as_ref());
        self.inside(o, off)
            || off < 0
                && self.pure.knows_le(Val::int(1), o.size, false)
                && blocks.map(|b| i128::from(b.size)).min().is_some_and(|least| -off < least)
    }

    /// What certainly owns the byte at an address.
    fn owner(&self, v: Val, preds: &PredTable) -> Option<Owner> {
        let x = v.as_sym()?;
        if let Some(o) = self.objects.get(&x) {
            return self.inside(o, v.off).then_some(Owner::Object(x));
        }
        let owns = |s: &Summary| {
            let Pred { back, def, .. } = preds.get(s.pred);
            let blocks = def.cases.iter().filter_map(|c| c.block.as_ref());
            let Some(least) = blocks.map(|b| i128::from(b.size)).min() else { return false };
            let begins = |start: Val| start.base == v.base && (0..least).contains(&(v.off - start.off));
            let last = |(_, args): &(Val, Args)| {
                let named = |(k, arg): (usize, &Val)| back.arg(k).is_some_and(|c| begins(arg.plus(-c)));
                args.iter().enumerate().any(named)
            };
            (begins(s.root) || s.end.as_ref().is_some_and(last)) && self.is_nonempty(s, preds)
        };
        self.summaries.iter().position(owns).map(Owner::Summary)
    }

    /// Whether two values, at least one of them a moving pointer, are certainly different because one points into
    /// an object and the other is null, a function, or inside of another object.
    fn pointers_apart(&self, a: Val, b: Val) -> bool {
        let within = |v: Val| {
            let (s, offset) = self.pointer(v)?;
            let object = self.objects.get(&s)?;
            let room = self.pure.linear(object.size)?.minus(&offset)?;
            if !self.pure.is_not_negative(&offset) || !self.pure.is_not_negative(&room) {
                return None;
            }
            Some((s, self.pure.is_not_negative(&room.shifted(-1)?)))
        };
        match (within(a), within(b)) {
            // The end of one object may be the start of another.
            (Some((s, inside)), Some((t, also))) => self.disjoint(s, t) && inside && also,
            (Some((_, inside)), None) => distinct_from_memory(b, inside),
            (None, Some((_, inside))) => distinct_from_memory(a, inside),
            (None, None) => false,
        }
    }

    /// Whether an address is that of the last element of a segment, or if that is empty, something else that is not null.
    fn is_last_and_not_null(&self, v: Val, preds: &PredTable, depth: u32) -> bool {
        self.summaries.iter().any(|s| {
            let whole = self.as_segment(s, preds);
            let Some((_, args)) = whole.as_ref().map_or(&s.end, |w| &w.end) else { return false };
            let back = &preds.get(s.pred).back;
            args.iter().zip(&s.args).enumerate().any(|(k, (arg, first))| {
                let last = back.arg(k).is_some_and(|c| arg.plus(-c) == v);
                let before = first.plus(v.off - arg.off);
                last && before != v && self.compare_bounded(before, Val::ZERO, preds, depth - 1)
            })
        })
    }

    /// Whether two values are known to differ, searching along so many segments.
    fn compare_bounded(&self, a: Val, b: Val, preds: &PredTable, depth: u32) -> bool {
        self.pure.knows_ne(a, b) || self.apart(a, b, Some(preds), depth)
    }

    /// Whether separation tells `a` and `b` apart; `depth` bounds the search along segments.
    fn apart(&self, a: Val, b: Val, preds: Option<&PredTable>, depth: u32) -> bool {
        let Some(x) = a.as_sym() else { return false };
        if let Some(ox) = self.objects.get(&x) {
            let near = a.off.abs() < NULL_PAGE && b.base == Base::Zero;
            if !near && !self.inside(ox, a.off) {
                return false;
            }
            return match b.base {
                Base::Zero => b.off.abs() < NULL_PAGE,
                Base::Func(_) => true,
                Base::Undef => false,
                Base::Sym(y) if y == x => a.off != b.off,
                Base::Sym(y) => {
                    self.disjoint(x, y) && self.objects.get(&y).is_some_and(|oy| self.inside(oy, b.off))
                }
            };
        }
        let Some(preds) = preds else { return false };
        if depth == 0 {
            return false;
        }
        if b == Val::ZERO && self.is_last_and_not_null(a, preds, depth) {
            return true;
        }
        // `x` is the root of a summary: it equals `b` only if `b` is not the address of other live memory,
        // or if the summary is empty and its base case allows it.
        for s in &self.summaries {
            if s.root.as_sym() != Some(x) {
                continue;
            }
            let shift = a.off - s.root.off;
            let b_root = b.plus(-shift);
            let b_is_block = b_root.base == Base::Zero && b_root.off.abs() < NULL_PAGE
                || b_root.as_sym().is_some_and(|y| self.overlaps(y, b_root.off, s, preds))
                || b_root.as_sym().is_some_and(|y| self.owned_elsewhere(y, s, preds, depth - 1));
            if !b_is_block {
                continue;
            }
            match &s.end {
                Some((end, _)) => {
                    if self.pure.knows_ne(*end, b_root)
                        || *end != b_root
                            && (self.apart(*end, b_root, Some(preds), depth - 1)
                                || self.apart(b_root, *end, Some(preds), depth - 1))
                    {
                        return true;
                    }
                    // Root and end differ, so the segment is not empty and its first block is apart from `b`.
                    if self.pure.knows_ne(s.root, *end) {
                        return true;
                    }
                }
                None => {
                    let empties = preds.get(s.pred).def.cases.iter().filter(|c| c.block.is_none());
                    let excluded = |case: &Case| {
                        case.facts.iter().any(|f| match f {
                            Fact::Eq(Term { base: TermBase::Param(0), off }, t)
                            | Fact::Eq(t, Term { base: TermBase::Param(0), off }) => {
                                let Some(v) = s.term(t) else { return false };
                                let v = v.plus(-*off);
                                v != b_root
                                    && (self.pure.knows_ne(v, b_root)
                                        || self.apart(v, b_root, Some(preds), depth - 1)
                                        || self.apart(b_root, v, Some(preds), depth - 1)
                                        || self.pure.knows_ne(s.root, v))
                            }
                            _ => false,
                        })
                    };
                    if empties.into_iter().all(excluded) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether `y`, if it were the root of `except`, would certainly be the address of a block of another summary.
    fn owned_elsewhere(&self, y: Sym, except: &Summary, preds: &PredTable, depth: u32) -> bool {
        // An empty whole structure at `y` says what `y` is; the root of `except` may be known to be something else.
        let excluded = |t: &Summary, case: &Case| {
            case.facts.iter().any(|f| match f {
                Fact::Eq(Term { base: TermBase::Param(0), off }, v)
                | Fact::Eq(v, Term { base: TermBase::Param(0), off }) => {
                    t.term(v).is_some_and(|v| self.pure.knows_ne(except.root, v.plus(-*off)))
                }
                _ => false,
            })
        };
        depth > 0
            && self.summaries.iter().any(|t| {
                t != except
                    && t.root == Val::sym(y)
                    && (self.is_nonempty(t, preds)
                        || t.end.is_none()
                            && preds
                                .get(t.pred)
                                .def
                                .cases
                                .iter()
                                .filter(|c| c.block.is_none())
                                .all(|c| excluded(t, c)))
            })
    }

    /// Whether a summary certainly owns at least one block.
    pub fn is_nonempty(&self, s: &Summary, preds: &PredTable) -> bool {
        match &s.end {
            Some((end, args)) => {
                self.pure.knows_ne(s.root, *end)
                    || s.args.iter().zip(args).any(|(a, b)| self.pure.knows_ne(*a, *b))
                    || self.compare_plain(s.root, *end) == Some(false)
            }
            None => preds.get(s.pred).def.cases.iter().filter(|c| c.block.is_none()).all(|case| {
                case.facts.iter().any(|f| match f {
                    Fact::Eq(a, b) => match (s.term(a), s.term(b)) {
                        (Some(a), Some(b)) => {
                            self.pure.knows_ne(a, b) || self.compare_plain(a, b) == Some(false)
                        }
                        _ => false,
                    },
                    _ => false,
                })
            }),
        }
    }

    fn compare_plain(&self, a: Val, b: Val) -> Option<bool> {
        self.compare(a, b, None)
    }
}

/// Whether a value is never an address in an object; with `inside` not at its end either.
fn distinct_from_memory(v: Val, inside: bool) -> bool {
    match v.base {
        Base::Zero => v.off.abs() < NULL_PAGE,
        Base::Func(_) => inside,
        Base::Sym(_) | Base::Undef => false,
    }
}
