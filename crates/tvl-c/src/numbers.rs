//! Ranges of the integers that variables hold: what a state knows besides its structure.
//!
//! The reduced product of three-valued structures and intervals (survey §5.1). Structures say nothing of numbers; here each integer
//! variable whose address is not taken has an interval, and what a truth value was computed from is remembered until one of its operands
//! changes, so that a branch narrows them. What is not listed may have any value of its type. Signed overflow wraps, as everywhere
//! where it does not count as an error.
//!
//! **Invariant:** ends of intervals that are put together lie on thresholds, of which a program has finitely many, so that every sequence of
//! joins ends.

use heapwise_ir::{
    BinaryOp, Body, CastKind, CompareOp, Const, GlobalId, LocalId, LocalSet, Operand, Place, PlaceBase,
    Program, Rvalue, Ty, Type, UnaryOp,
};
use heapwise_numeric::Interval;
use heapwise_numeric::machine::{Happens, MachineInt, Outcome};
use heapwise_tvl::program::VarId;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Whose number it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Number {
    /// That of a local of the function under analysis.
    Local(LocalId),
    /// That of a global.
    Global(GlobalId),
    /// That which the present statement has read from a cell, or what it compares pointers to.
    Loaded,
    /// That which a function returns.
    Result,
}

/// A side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Side {
    Local(LocalId),
    Constant(i128),
}

/// What a local was computed from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    /// It says whether this holds.
    Comparison(CompareOp, Side, Side),
    /// It has the value of another local.
    Same(LocalId),
}

/// Ranges of numbers.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Numbers {
    ranges: BTreeMap<Number, Interval>,
    /// How many bytes behind the start of their cells variables point, if that may be more or less than none.
    offsets: BTreeMap<VarId, Interval>,
    origins: BTreeMap<LocalId, Origin>,
}

/// What has to be known of the code that numbers are about.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) program: &'a Program,
    pub(crate) body: &'a Body,
    /// Globals whose address is taken.
    pub(crate) addressed: &'a FxHashSet<GlobalId>,
}

impl Code<'_> {
    /// The values of an integer type; of what is no integer, all.
    fn all(&self, ty: Ty) -> Interval {
        match (self.program.types.get(ty), self.machine(ty)) {
            (Type::Bool, _) => Interval { lo: Some(0), hi: Some(1) },
            (_, Some(int)) => int.range(),
            _ => Interval::FULL,
        }
    }

    fn machine(&self, ty: Ty) -> Option<MachineInt> {
        // Wider constants are kept by their bits, not by their value.
        let int = self.program.types.as_int(ty).filter(|int| int.bits <= 64)?;
        Some(MachineInt { bits: u32::from(int.bits), signed: int.signed })
    }

    fn is_integer(&self, ty: Ty) -> bool {
        self.machine(ty).is_some()
    }

    /// Whether the number of a local is its own: nothing else writes it.
    fn owns(&self, local: LocalId) -> bool {
        self.body.locals.get(local).is_some_and(|l| !l.address_taken && self.is_integer(l.ty))
    }

    fn type_of(&self, operand: &Operand) -> Option<Ty> {
        self.program.operand_ty(self.body, operand)
    }

    fn number(&self, place: &Place) -> Option<Number> {
        if !place.path.is_empty() || !self.is_integer(place.ty) {
            return None;
        }
        match place.base {
            PlaceBase::Local(l) => self.owns(l).then_some(Number::Local(l)),
            PlaceBase::Global(g) => {
                let own = self.program.globals.get(g).is_some_and(|g| g.ty == place.ty);
                (own && !self.addressed.contains(&g)).then_some(Number::Global(g))
            }
            PlaceBase::Deref(_) => None,
        }
    }

    fn side(&self, operand: &Operand) -> Option<Side> {
        match operand {
            Operand::Const(Const::Int { value, ty }) if self.is_integer(*ty) => Some(Side::Constant(*value)),
            Operand::Local(l) if self.owns(*l) => Some(Side::Local(*l)),
            _ => None,
        }
    }
}

impl Numbers {
    /// The range of an operand.
    pub(crate) fn value(&self, code: &Code<'_>, operand: &Operand) -> Interval {
        match operand {
            Operand::Const(Const::Int { value, ty }) if code.is_integer(*ty) => Interval::point(*value),
            Operand::Local(l) => self.local(code, *l),
            Operand::Const(_) => code.type_of(operand).map_or(Interval::FULL, |ty| code.all(ty)),
        }
    }

    fn local(&self, code: &Code<'_>, local: LocalId) -> Interval {
        let all = code.body.locals.get(local).map_or(Interval::FULL, |l| code.all(l.ty));
        self.range(Number::Local(local)).and_then(|r| r.meet(all)).unwrap_or(all)
    }

    /// What is known of a number.
    pub(crate) fn range(&self, number: Number) -> Option<Interval> {
        self.ranges.get(&number).copied()
    }

    /// What is computed, of a type.
    pub(crate) fn evaluate(&self, code: &Code<'_>, ty: Ty, value: &Rvalue) -> Interval {
        let all = code.all(ty);
        let Some(int) = code.machine(ty) else { return all };
        let of = |o: &Operand| self.value(code, o);
        let result = match value {
            Rvalue::Use(o) => of(o),
            Rvalue::Load(place) => match code.number(place) {
                Some(Number::Local(l)) => self.local(code, l),
                Some(number) => self.range(number).unwrap_or(all),
                None => self.range(Number::Loaded).unwrap_or(all),
            },
            Rvalue::Unary { op: UnaryOp::Neg, arg } => settled(int, int.neg(of(arg)), false),
            Rvalue::Unary { op: UnaryOp::BitNot, arg } => settled(int, int.not(of(arg)), false),
            Rvalue::Binary { op, lhs, rhs } => {
                let (a, b) = (of(lhs), of(rhs));
                match op {
                    BinaryOp::Add => settled(int, int.add(a, b), false),
                    BinaryOp::Sub => settled(int, int.sub(a, b), false),
                    BinaryOp::Mul => settled(int, int.mul(a, b), false),
                    BinaryOp::Div => settled(int, int.div(a, b), true),
                    BinaryOp::Rem => settled(int, int.rem(a, b), true),
                    BinaryOp::Shl => settled(int, int.shl(a, b), true),
                    BinaryOp::Shr => settled(int, int.shr(a, b), true),
                    BinaryOp::And => settled(int, int.and(a, b), false),
                    BinaryOp::Or => settled(int, int.or(a, b), false),
                    BinaryOp::Xor => settled(int, int.xor(a, b), false),
                }
            }
            Rvalue::Compare { op, lhs, rhs } => {
                let integers = |o: &Operand| code.type_of(o).is_some_and(|ty| code.is_integer(ty));
                let both = integers(lhs) && integers(rhs);
                match decided(*op, of(lhs), of(rhs)).filter(|_| both) {
                    // What pointers say is read from the structure.
                    None => self.range(Number::Loaded).unwrap_or(truth(None)),
                    decided => truth(decided),
                }
            }
            Rvalue::Cast { kind: CastKind::IntToInt, arg } => int.wrap(of(arg)),
            Rvalue::Cast { kind: CastKind::ToBool, arg } => match code.type_of(arg) {
                Some(from) if code.is_integer(from) => {
                    truth(decided(CompareOp::Ne, of(arg), Interval::point(0)))
                }
                _ => truth(None),
            },
            Rvalue::PtrDiff { .. } => self.range(Number::Loaded).unwrap_or(all),
            _ => all,
        };
        result.meet(all).unwrap_or(all)
    }

    /// A number has a value in this range from now on; nothing is known of what was computed from its old one.
    pub(crate) fn set(&mut self, code: &Code<'_>, number: Number, range: Interval) {
        let all = match number {
            Number::Local(l) => {
                self.origins.retain(|of, origin| *of != l && !origin.speaks_of(l));
                code.body.locals.get(l).map_or(Interval::FULL, |l| code.all(l.ty))
            }
            Number::Global(g) => code.program.globals.get(g).map_or(Interval::FULL, |g| code.all(g.ty)),
            Number::Loaded | Number::Result => Interval::FULL,
        };
        if all.is_subset(range) {
            self.ranges.remove(&number);
        } else {
            self.ranges.insert(number, range);
        }
    }

    /// Nothing is known of a local any more.
    pub(crate) fn drop_local(&mut self, local: LocalId) {
        self.ranges.remove(&Number::Local(local));
        self.origins.retain(|of, origin| *of != local && !origin.speaks_of(local));
    }

    /// A place has any value.
    pub(crate) fn forget_place(&mut self, code: &Code<'_>, place: &Place) {
        match place.base {
            PlaceBase::Local(l) => self.drop_local(l),
            PlaceBase::Global(g) => {
                self.ranges.remove(&Number::Global(g));
            }
            PlaceBase::Deref(_) => {}
        }
        if let Some(number) = code.number(place) {
            self.set(code, number, Interval::FULL);
        }
    }

    /// `place = 0`.
    pub(crate) fn clear(&mut self, code: &Code<'_>, place: &Place) {
        self.forget_place(code, place);
        if let Some(number) = code.number(place) {
            self.set(code, number, Interval::point(0));
        }
    }

    /// A place gets a value in this range, if one is given.
    pub(crate) fn take(&mut self, code: &Code<'_>, place: &Place, range: Option<Interval>) {
        if let (Some(number), Some(range)) = (code.number(place), range)
            && let Some(range) = range.meet(code.all(place.ty))
        {
            self.set(code, number, range);
        }
    }

    /// A parameter begins with a value in this range.
    pub(crate) fn hand_over(&mut self, code: &Code<'_>, param: LocalId, range: Interval) {
        if let Some(local) = code.body.locals.get(param) {
            self.take(code, &Place::local(param, local.ty), Some(range));
        }
    }

    /// `place = value`.
    pub(crate) fn assign(&mut self, code: &Code<'_>, place: &Place, value: &Rvalue) {
        let range = self.evaluate(code, place.ty, value);
        self.forget_place(code, place);
        let Some(number) = code.number(place) else { return };
        let own = |l: LocalId| Number::Local(l) == number;
        let origin = match value {
            Rvalue::Compare { op, lhs, rhs } => match (code.side(lhs), code.side(rhs)) {
                (Some(a), Some(b)) => Some(Origin::Comparison(*op, a, b)),
                _ => None,
            },
            Rvalue::Use(Operand::Local(l)) => code.owns(*l).then_some(Origin::Same(*l)),
            Rvalue::Load(from) => match code.number(from) {
                Some(Number::Local(l)) => Some(Origin::Same(l)),
                _ => None,
            },
            // A conversion that keeps the value.
            Rvalue::Cast { kind: CastKind::IntToInt, arg: Operand::Local(l) } => {
                let kept = code.owns(*l) && self.local(code, *l).is_subset(code.all(place.ty));
                kept.then_some(Origin::Same(*l))
            }
            Rvalue::Cast { kind: CastKind::ToBool, arg: Operand::Local(l) } if code.owns(*l) => {
                Some(Origin::Comparison(CompareOp::Ne, Side::Local(*l), Side::Constant(0)))
            }
            _ => None,
        };
        self.set(code, number, range);
        if let (Number::Local(l), Some(origin)) = (number, origin)
            && !origin.locals().any(own)
        {
            self.origins.insert(l, origin);
        }
    }

    /// Goes on only if an operand is zero, or is not; whether that is possible.
    pub(crate) fn assume(&mut self, code: &Code<'_>, condition: &Operand, holds: bool) -> bool {
        if !code.type_of(condition).is_some_and(|ty| code.is_integer(ty)) {
            return true;
        }
        let zero = Interval::point(0);
        let op = if holds { CompareOp::Ne } else { CompareOp::Eq };
        if decided(op, self.value(code, condition), zero) == Some(false) {
            return false;
        }
        let Operand::Local(mut local) = *condition else { return true };
        if !code.owns(local) {
            return true;
        }
        if !self.constrain(code, op, Side::Local(local), Side::Constant(0)) {
            return false;
        }
        // A truth value may have been copied; what is the same is narrowed on the way.
        for _ in 0..=self.origins.len() {
            match self.origins.get(&local).copied() {
                Some(Origin::Same(other)) => local = other,
                Some(Origin::Comparison(op, a, b)) => {
                    return self.constrain(code, if holds { op } else { negated(op) }, a, b);
                }
                None => return true,
            }
        }
        true
    }

    /// Goes on only if a local is in a range; whether that is possible.
    pub(crate) fn narrow(&mut self, code: &Code<'_>, local: LocalId, range: Interval) -> bool {
        let mut next = Some(local);
        for _ in 0..=self.origins.len() {
            let Some(local) = next else { return true };
            let Some(narrowed) = self.local(code, local).meet(range) else { return false };
            if code.owns(local) {
                self.ranges.insert(Number::Local(local), narrowed);
            }
            next = match self.origins.get(&local) {
                Some(Origin::Same(other)) => Some(*other),
                _ => None,
            };
        }
        true
    }

    fn constrain(&mut self, code: &Code<'_>, op: CompareOp, a: Side, b: Side) -> bool {
        let of = |numbers: &Numbers, side: Side| match side {
            Side::Constant(c) => Interval::point(c),
            Side::Local(l) => numbers.local(code, l),
        };
        let (left, right) = (of(self, a), of(self, b));
        let (Some(new_left), Some(new_right)) =
            (bounded(op, left, right), bounded(mirrored(op), right, left))
        else {
            return false;
        };
        let mut keep = |side: Side, range: Interval| match side {
            Side::Constant(c) => range.contains(c),
            Side::Local(l) => self.narrow(code, l, range),
        };
        keep(a, new_left) && keep(b, new_right)
    }

    /// What was read by a statement that is done.
    pub(crate) fn end_statement(&mut self, code: &Code<'_>) {
        let of_statement = |n: &Number| match n {
            Number::Loaded => true,
            Number::Local(l) => !code.owns(*l),
            _ => false,
        };
        if self.ranges.keys().any(of_statement) {
            self.ranges.retain(|n, _| !of_statement(n));
        }
    }

    /// Keeps of locals only what is read later.
    pub(crate) fn keep_live(&mut self, live: &LocalSet) {
        self.ranges.retain(|n, _| !matches!(n, Number::Local(l) if !live.contains(*l)));
        self.origins.retain(|of, origin| live.contains(*of) && origin.locals().all(|l| live.contains(l)));
    }

    /// How far behind the start of its cell a variable points.
    pub(crate) fn offset(&self, x: VarId) -> Interval {
        self.offsets.get(&x).copied().unwrap_or(Interval::point(0))
    }

    /// A variable points this far behind the start of its cell from now on.
    pub(crate) fn set_offset(&mut self, x: VarId, offset: Interval) {
        if offset == Interval::point(0) {
            self.offsets.remove(&x);
        } else {
            self.offsets.insert(x, offset);
        }
    }

    /// Whether a variable surely points to the start of its cell.
    pub(crate) fn at_start(&self, x: VarId) -> bool {
        !self.offsets.contains_key(&x)
    }

    /// Keeps of variables only where some point to; in recursion all that is kept is whether that is the start.
    pub(crate) fn keep_offsets(&mut self, kept: impl Fn(VarId) -> bool, recursive: bool) {
        self.offsets.retain(|x, _| kept(*x));
        if recursive {
            self.offsets.values_mut().for_each(|offset| *offset = Interval::FULL);
        }
    }

    /// Keeps only where variables point to.
    pub(crate) fn only_offsets(&mut self) {
        self.ranges.clear();
        self.origins.clear();
    }

    /// Goes on only if variables that point into one cell compare so; whether that is possible.
    pub(crate) fn order(&mut self, op: CompareOp, (x, y): (VarId, VarId), width: u64) -> bool {
        let (a, b) = (self.offset(x), self.offset(y));
        if !crate::blocks::is_near(a) || !crate::blocks::is_near(b) {
            return true;
        }
        // Pointers to elements of one size lie whole elements behind the start.
        let width = i128::from(width.max(1));
        let units = |i: Interval| Interval {
            lo: i.lo.map(|b| b.saturating_add(width - 1).div_euclid(width)),
            hi: i.hi.map(|b| b.div_euclid(width)),
        };
        let (Some(left), Some(right)) =
            (bounded(op, units(a), units(b)), bounded(mirrored(op), units(b), units(a)))
        else {
            return false;
        };
        let bytes = |i: Interval| Interval { lo: i.lo.map(|n| n * width), hi: i.hi.map(|n| n * width) };
        self.set_offset(x, bytes(left));
        self.set_offset(y, bytes(right));
        true
    }

    /// The product of some operands.
    pub(crate) fn product(&self, code: &Code<'_>, factors: &[Operand]) -> Interval {
        factors.iter().fold(Interval::point(1), |all, o| match o {
            Operand::Const(Const::Int { value, .. }) => all.times(Interval::point(*value)),
            _ => all.times(self.value(code, o)),
        })
    }

    /// Keeps what is known of globals, and of results.
    pub(crate) fn keep_shared(&mut self) {
        self.ranges.retain(|n, _| matches!(n, Number::Global(_) | Number::Result));
        self.origins.clear();
    }

    /// After a call: what a caller knows of its own, and what the function leaves of globals.
    pub(crate) fn after_call(&self, exit: &Numbers, is_shared: impl Fn(VarId) -> bool) -> Numbers {
        let mut numbers = self.clone();
        numbers.offsets.retain(|x, _| !is_shared(*x));
        numbers.offsets.extend(exit.offsets.iter().filter(|(x, _)| is_shared(**x)).map(|(x, i)| (*x, *i)));
        numbers.ranges.retain(|n, _| matches!(n, Number::Local(_)));
        let shared = exit.ranges.iter().filter(|(n, _)| matches!(n, Number::Global(_) | Number::Result));
        numbers.ranges.extend(shared.map(|(n, r)| (*n, *r)));
        numbers
    }

    /// Takes what a function returned.
    pub(crate) fn take_result(&mut self) -> Option<Interval> {
        self.ranges.remove(&Number::Result)
    }

    /// Whether all numbers of `self` are numbers of `other`.
    pub(crate) fn is_within(&self, other: &Numbers) -> bool {
        let inside = |(n, r): (&Number, &Interval)| self.ranges.get(n).is_some_and(|own| own.is_subset(*r));
        let points = self.offsets.keys().chain(other.offsets.keys());
        points.into_iter().all(|x| self.offset(*x).is_subset(other.offset(*x)))
            && other.ranges.iter().all(inside)
            && other.origins.iter().all(|(l, origin)| self.origins.get(l) == Some(origin))
    }

    /// The numbers of both, with ends on thresholds (sorted) where they differ.
    pub(crate) fn join(&self, other: &Numbers, thresholds: &[i128]) -> Numbers {
        let mut ranges = BTreeMap::new();
        let together = |a: Interval, b: Interval| {
            let joined = a.join(b);
            let below = |lo: i128| thresholds.iter().rev().copied().find(|t| *t <= lo);
            let above = |hi: i128| thresholds.iter().copied().find(|t| *t >= hi);
            let lo = joined.lo.filter(|_| a.lo == b.lo).or_else(|| joined.lo.and_then(below));
            let hi = joined.hi.filter(|_| a.hi == b.hi).or_else(|| joined.hi.and_then(above));
            Interval { lo, hi }
        };
        for (n, a) in &self.ranges {
            let Some(b) = other.ranges.get(n) else { continue };
            let joined = together(*a, *b);
            if joined != Interval::FULL {
                ranges.insert(*n, joined);
            }
        }
        let mut offsets = BTreeMap::new();
        for x in self.offsets.keys().chain(other.offsets.keys()) {
            let joined = together(self.offset(*x), other.offset(*x));
            if joined != Interval::point(0) {
                offsets.insert(*x, joined);
            }
        }
        let common = |(l, origin): (&LocalId, &Origin)| other.origins.get(l) == Some(origin);
        let origins = self.origins.iter().filter(|(l, o)| common((l, o))).map(|(l, o)| (*l, *o)).collect();
        Numbers { ranges, offsets, origins }
    }
}

impl Origin {
    fn locals(self) -> impl Iterator<Item = LocalId> {
        let of = |side: Side| match side {
            Side::Local(l) => Some(l),
            Side::Constant(_) => None,
        };
        let both = match self {
            Origin::Comparison(_, a, b) => [of(a), of(b)],
            Origin::Same(l) => [Some(l), None],
        };
        both.into_iter().flatten()
    }

    fn speaks_of(self, local: LocalId) -> bool {
        self.locals().any(|l| l == local)
    }
}

/// The result of an operation; where there is trouble that the type does not settle, all values.
fn settled(int: MachineInt, outcome: Outcome, undefined: bool) -> Interval {
    let fine = outcome.trouble == Happens::Never || !int.signed && !undefined;
    outcome.value.filter(|_| fine).unwrap_or(int.range())
}

fn truth(known: Option<bool>) -> Interval {
    match known {
        Some(value) => Interval::point(i128::from(value)),
        None => Interval { lo: Some(0), hi: Some(1) },
    }
}

/// Whether a comparison holds, if ranges say so.
fn decided(op: CompareOp, a: Interval, b: Interval) -> Option<bool> {
    if bounded(op, a, b).is_none() {
        return Some(false);
    }
    bounded(negated(op), a, b).is_none().then_some(true)
}

/// The values of `a` that compare to some value of `b`; for `!=` those that compare to the only one.
fn bounded(op: CompareOp, a: Interval, b: Interval) -> Option<Interval> {
    let up_to = |hi: Option<i128>| a.meet(Interval { lo: None, hi });
    let from = |lo: Option<i128>| a.meet(Interval { lo, hi: None });
    match op {
        CompareOp::Eq => a.meet(b),
        CompareOp::Ne => match (b.as_point(), a) {
            (Some(p), a) if a.as_point() == Some(p) => None,
            (Some(p), Interval { lo: Some(lo), .. }) if lo == p => from(p.checked_add(1)),
            (Some(p), Interval { hi: Some(hi), .. }) if hi == p => up_to(p.checked_sub(1)),
            _ => Some(a),
        },
        CompareOp::Lt => up_to(b.hi.and_then(|h| h.checked_sub(1))),
        CompareOp::Le => up_to(b.hi),
        CompareOp::Gt => from(b.lo.and_then(|l| l.checked_add(1))),
        CompareOp::Ge => from(b.lo),
    }
}

pub(crate) fn negated(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Le => CompareOp::Gt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Ge => CompareOp::Lt,
    }
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        CompareOp::Eq | CompareOp::Ne => op,
    }
}
