//! What statements do to pointers into blocks ([`crate::blocks`]): where these point, and whether an access is within its block.
//!
//! Statements of the pointer program know cells only. Here those are handled for which it counts where in its cell a pointer points:
//! copies take that along, `free` and stores to cells want it to be the start, and pointers are equal if their cells are and they point
//! to the same place there.

use crate::blocks::Access;
use crate::body::Effect;
use crate::domain::{Pair, Shapes, report};
use crate::numbers::{Number, Numbers};
use heapwise_fixpoint::{Context, Site};
use heapwise_ir::CompareOp;
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Reason};
use heapwise_tvl::program::{Condition, Statement as Primitive, VarId};
use heapwise_tvl::refine::cell_of;
use heapwise_tvl::structure::Structure;

impl Shapes<'_> {
    /// Whether a variable hands over an argument.
    pub(crate) fn is_handed(&self, x: VarId) -> bool {
        self.translated.roles.handed.binary_search(&x).is_ok()
    }

    /// Whether a variable is that of a global or of a result.
    pub(crate) fn is_shared(&self, x: VarId) -> bool {
        self.translated.roles.shared.binary_search(&x).is_ok()
    }

    /// Executes a statement of the pointer program.
    pub(crate) fn primitive(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        statement: Primitive,
        (s, n): (&Structure, &Numbers),
    ) -> Vec<Pair> {
        let mut n = n.clone();
        match statement {
            Primitive::Assume(condition) => {
                if let Some(possible) = self.assume_inside(condition, (s, &mut n)) {
                    return if possible { vec![(s.clone(), n)] } else { Vec::new() };
                }
            }
            Primitive::Free(x) if !n.at_start(x) => {
                report(
                    cx,
                    at,
                    ErrorKind::InvalidFree,
                    false,
                    "the pointer may lead into the middle of a block",
                );
                n.set_offset(x, Interval::point(0));
            }
            Primitive::Store(_, _, y) if !n.at_start(y) => {
                cx.alarm(
                    at,
                    Reason::Unsupported,
                    false,
                    "a pointer into the middle of a block is kept in memory",
                );
            }
            Primitive::Copy(x, y) => n.set_offset(x, n.offset(y)),
            Primitive::Move(x, y) => {
                n.set_offset(x, n.offset(y));
                n.set_offset(y, Interval::point(0));
            }
            Primitive::SetNull(x)
            | Primitive::Load(x, _, _)
            | Primitive::New { target: x, .. }
            | Primitive::Local { target: x, .. } => n.set_offset(x, Interval::point(0)),
            _ => {}
        }
        let after = self.plain(cx, at, statement, s);
        after.into_iter().map(|s| (s, n.clone())).collect()
    }

    /// Executes a statement on cells alone.
    fn plain(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        statement: Primitive,
        s: &Structure,
    ) -> Vec<Structure> {
        let outcome = self.transfer.apply(statement, s);
        if outcome.incomplete {
            cx.give_up(at, "a structure has too many cells");
        }
        for (kind, certain) in outcome.findings {
            let (kind, what) = crate::describe(kind);
            let message = if certain { what.to_string() } else { format!("possible {what}") };
            report(cx, at, kind, certain, &message);
        }
        outcome.structures
    }

    fn cells_may(&mut self, condition: Condition, s: &Structure) -> bool {
        !self.transfer.apply(Primitive::Assume(condition), s).structures.is_empty()
    }

    /// Whether a condition may hold.
    pub(crate) fn may_hold(&mut self, condition: Condition, (s, n): (&Structure, &Numbers)) -> bool {
        match self.assume_inside(condition, (s, &mut n.clone())) {
            Some(possible) => possible,
            None => self.cells_may(condition, s),
        }
    }

    /// Goes on only if pointers compare so, of which one may not lead to the start of its cell; nothing if both do.
    fn assume_inside(&mut self, condition: Condition, (s, n): (&Structure, &mut Numbers)) -> Option<bool> {
        let (x, y, op) = match condition {
            Condition::Equal(x, y) => (x, y, CompareOp::Eq),
            Condition::NotEqual(x, y) => (x, y, CompareOp::Ne),
            _ => return None,
        };
        if n.at_start(x) && n.at_start(y) {
            return None;
        }
        if self.cells_may(Condition::NotEqual(x, y), s) {
            // The end of a block may be the start of another one.
            return Some(true);
        }
        let width = self.translated.widths.get(&x).copied().unwrap_or(1);
        Some(n.order(op, (x, y), width))
    }

    /// What an edge does that is about blocks, if it is.
    pub(crate) fn block_effect(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        effect: &Effect,
        (s, n): (&Structure, &Numbers),
    ) -> Option<Vec<Pair>> {
        let (s, mut n) = (s.clone(), n.clone());
        let translated = self.translated;
        match effect {
            Effect::Size(x, factors) => {
                let size = n.product(&self.facts(cx, at.body), factors);
                let mut s = s;
                if let (Some(sizes), Some(cell)) = (&translated.sizes, cell_of(self.schema, &s, *x)) {
                    sizes.store(self.schema, &mut s, cell, size);
                }
                Some(vec![(s, n)])
            }
            Effect::Fits(factors, fits) => {
                let size = n.product(&self.facts(cx, at.body), factors);
                let pointer = cx.program.types.pointer_size.clamp(1, 8);
                let most = i128::from((u64::MAX >> 1) >> (64 - 8 * pointer));
                let possible = match fits {
                    true => size.lo.is_none_or(|lo| lo <= most),
                    false => size.hi.is_none_or(|hi| hi > most),
                };
                Some(if possible { vec![(s, n)] } else { Vec::new() })
            }
            Effect::Shift(x, index, stride) => {
                let by = n.product(&self.facts(cx, at.body), std::slice::from_ref(index));
                let offset = n.offset(*x).plus(by.times(Interval::point(i128::from(*stride))));
                // What is far away may wrap.
                let offset = if crate::blocks::is_near(offset) { offset } else { Interval::FULL };
                n.set_offset(*x, offset);
                Some(vec![(s, n)])
            }
            Effect::ToStart(x) => {
                n.set_offset(*x, Interval::point(0));
                Some(vec![(s, n)])
            }
            Effect::Element(x, width, access) => {
                let offsets = n.offset(*x);
                let width = *width;
                if !self.is_within(&s, *x, (offsets, Interval::point(i128::from(width)))) {
                    report(cx, at, ErrorKind::OutOfBounds, false, OUTSIDE);
                }
                let elements = translated.elements.iter().find(|e| e.width == width)?;
                let fields = elements.within(offsets);
                let mut s = s;
                match access {
                    Access::Read => {
                        for d in fields {
                            s = self.read(cx, at, (*x, d), s);
                        }
                    }
                    Access::Write => {
                        // What may be another element than this one is not written for certain.
                        if let [d] = fields[..]
                            && d != elements.rest
                            && offsets.as_point().is_some_and(|o| o.rem_euclid(i128::from(width)) == 0)
                        {
                            s = self.transfer.apply(Primitive::WriteData(*x, d), &s).structures.pop()?;
                        }
                    }
                }
                Some(vec![(s, n)])
            }
            Effect::Stretch(x, width, size, access) => {
                let length = n.product(&self.facts(cx, at.body), std::slice::from_ref(size));
                let offsets = n.offset(*x);
                if length.hi == Some(0) {
                    return Some(vec![(s, n)]);
                }
                if !self.is_within(&s, *x, (offsets, length)) {
                    report(cx, at, ErrorKind::OutOfBounds, false, OUTSIDE);
                }
                let elements = translated.elements.iter().find(|e| e.width == *width)?;
                let mut s = s;
                match access {
                    Access::Read => {
                        let last = offsets.plus(length).shift(-1);
                        for d in elements.within(Interval { lo: offsets.lo, hi: last.hi }) {
                            s = self.read(cx, at, (*x, d), s);
                        }
                    }
                    Access::Write => {
                        let (Some(from), Some(lo), Some(least)) = (offsets.hi, offsets.lo, length.lo) else {
                            return Some(vec![(s, n)]);
                        };
                        let width = i128::from(*width);
                        let to = lo.saturating_add(least);
                        let mut written = Vec::new();
                        for (i, &d) in elements.first.iter().enumerate() {
                            let start = i as i128 * width;
                            if from <= start && start + width <= to {
                                written.push(d);
                            }
                        }
                        let size = self.size_of(&s, *x);
                        if from <= elements.first.len() as i128 * width && size.hi.is_some_and(|hi| hi <= to)
                        {
                            written.push(elements.rest);
                        }
                        for d in written {
                            s = self.transfer.apply(Primitive::WriteData(*x, d), &s).structures.pop()?;
                        }
                    }
                }
                Some(vec![(s, n)])
            }
            Effect::Order { op, x, y, width, holds } => {
                let op = if *holds { *op } else { crate::numbers::negated(*op) };
                if !n.order(op, (*x, *y), *width) {
                    return Some(Vec::new());
                }
                n.set(&self.facts(cx, at.body), Number::Loaded, Interval::point(i128::from(*holds)));
                Some(vec![(s, n)])
            }
            Effect::Distance(x, y, unit) => {
                let (a, b) = (n.offset(*x), n.offset(*y));
                let bytes = a.minus(b);
                let distance = match crate::blocks::is_near(a) && crate::blocks::is_near(b) {
                    true => Interval {
                        lo: bytes.lo.map(|lo| lo.div_euclid(*unit)),
                        hi: bytes.hi.map(|hi| hi.div_euclid(*unit) + 1),
                    },
                    false => Interval::FULL,
                };
                let exact = bytes.as_point().filter(|d| d.rem_euclid(*unit) == 0);
                let distance = exact.map_or(distance, |d| Interval::point(d / *unit));
                n.set(&self.facts(cx, at.body), Number::Loaded, distance);
                Some(vec![(s, n)])
            }
            _ => None,
        }
    }

    /// The size of the cell of a variable.
    fn size_of(&self, s: &Structure, x: VarId) -> Interval {
        match (&self.translated.sizes, cell_of(self.schema, s, x)) {
            (Some(sizes), Some(cell)) => sizes.range(self.schema, s, cell),
            _ => Interval { lo: Some(0), hi: None },
        }
    }

    /// Whether some bytes behind the start of a cell are within it.
    fn is_within(&self, s: &Structure, x: VarId, (offsets, length): (Interval, Interval)) -> bool {
        let size = self.size_of(s, x).lo.unwrap_or(0);
        let end = offsets.plus(length).hi;
        offsets.lo.is_some_and(|lo| lo >= 0) && end.is_some_and(|end| end <= size)
    }

    /// A number is read; where it does not count that it was never written, it may have any value.
    fn read(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        (x, d): (VarId, heapwise_tvl::program::DataId),
        s: Structure,
    ) -> Structure {
        if !cx.counts(ErrorKind::Uninitialised) {
            return s;
        }
        self.plain(cx, at, Primitive::ReadData(x, d), &s).pop().unwrap_or(s)
    }
}

const OUTSIDE: &str = "the access may be outside of its block";
