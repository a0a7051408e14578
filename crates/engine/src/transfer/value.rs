//! Arithmetic on symbolic values, exact about wrap-around.
//!
//! A result that certainly fits its type keeps its relation to the operands (`x + 1` stays `x + 1`); one that may
//! not becomes a new symbol in the wrapped interval. Signed overflow is reported if it counts as an error,
//! and otherwise wraps as the hardware does.

use crate::transfer::memory;
use heapwise_heap::pred::{Fact, Term};
use heapwise_heap::{Base, Linear, State, Val};
use heapwise_ir::{BinaryOp, IntTy};
use heapwise_numeric::Interval;
use heapwise_numeric::machine::{Happens, MachineInt, Outcome};

/// All values of a type. The ends of those of 128 bits are not said: not all of their values are numbers here.
pub fn type_range(ty: IntTy) -> Interval {
    if ty.bits >= 128 {
        return Interval { lo: (!ty.signed).then_some(0), hi: None };
    }
    Interval { lo: Some(ty.min()), hi: Some(ty.max()) }
}

/// The values of a type that are calculated with: all of them, but of 128 bits only those that are far from the ends of
/// the numbers that can be written here. Anything else of such a type is unknown.
pub fn tractable(ty: IntTy) -> Interval {
    const FAR: i128 = 1 << 100;
    if ty.bits >= 128 {
        return Interval { lo: Some(if ty.signed { -FAR } else { 0 }), hi: Some(FAR) };
    }
    type_range(ty)
}

/// The values of an interval after wrapping into a type.
pub fn wrap(range: Interval, ty: IntTy) -> Interval {
    let all = type_range(ty);
    if range.is_subset(tractable(ty)) {
        return range;
    }
    // If both ends wrap by the same number of rounds the result is still an interval.
    if let (Some(lo), Some(hi), Some(tl), Some(th)) = (range.lo, range.hi, all.lo, all.hi) {
        let size = th - tl + 1;
        let round = |x: i128| (x - tl).div_euclid(size);
        if lo.checked_sub(tl).is_some() && hi.checked_sub(tl).is_some() && round(lo) == round(hi) {
            return Interval { lo: Some(ty.wrap(lo)), hi: Some(ty.wrap(hi)) };
        }
    }
    all
}

/// Reads a value as one of the type: the same if it fits, else a new symbol.
///
/// An address keeps its identity in types of at least `pointer_bits`; a narrower one cuts it off.
pub fn as_type(state: &mut State, v: Val, ty: IntTy, pointer_bits: u16) -> Val {
    if v.is_undef() {
        return v;
    }
    if let Some(n) = v.as_int().filter(|n| ty.bits < 128 || tractable(ty).contains(*n)) {
        return Val::int(ty.wrap(n));
    }
    let range = state.range(v);
    if range.is_subset(tractable(ty)) {
        return v;
    }
    // The number of an address is kept as it is: its range is not tracked.
    if ty.bits >= pointer_bits
        && unbounded(range)
        && is_address(state, v)
        && let Some(same) = address_as(state, v, ty)
    {
        return same;
    }
    state.fresh_in(wrap(range, ty))
}

/// The numbers by which pointers are kept that are no addresses: those of their width, the last page before zero as
/// negative ones, because a pointer a little before null is written so.
fn pointer_range(pointer_bits: u16) -> Interval {
    let all = type_range(IntTy { bits: pointer_bits, signed: false });
    Interval { lo: Some(-PAGE), hi: all.hi.map(|hi| hi - PAGE) }
}

/// A number that becomes a pointer: one number for the same bits, whatever type they come from.
/// `from` is the type of the number where it is known.
pub fn as_pointer(state: &mut State, v: Val, from: Option<IntTy>, pointer_bits: u16) -> Val {
    let word = IntTy { bits: pointer_bits, signed: false };
    if let Some(n) = v.as_int() {
        let up = word.wrap(word.wrap(n).saturating_add(PAGE));
        return Val::int(up - PAGE);
    }
    if v.as_sym().is_none() {
        return v;
    }
    let range = state.range(v);
    let all = pointer_range(pointer_bits);
    let kept = match from {
        None => true,
        Some(int) if int.bits == pointer_bits && !int.signed => is_address(state, v),
        Some(_) => is_memory(state, v),
    };
    if range.is_subset(all) || kept && unbounded(range) {
        return v;
    }
    state.fresh_in(all)
}

/// The number of a pointer in an integer type: the pointer itself where the type holds all addresses.
pub fn number_of_pointer(
    state: &mut State,
    v: Val,
    ty: IntTy,
    pointer_bits: u16,
    preds: &heapwise_heap::PredTable,
) -> Val {
    if let Some(n) = v.as_int() {
        // A wider type repeats the highest bit, as gcc does.
        let repeated = IntTy { bits: pointer_bits, signed: true }.wrap(n);
        return as_type(state, Val::int(repeated), ty, pointer_bits);
    }
    let range = state.range(v);
    let lower_half = Interval { lo: Some(0), ..type_range(IntTy { bits: pointer_bits, signed: true }) };
    if range.is_subset(lower_half) {
        return as_type(state, v, ty, pointer_bits);
    }
    let unsigned = ty.bits == pointer_bits && !ty.signed;
    let known = if ty.bits < pointer_bits || ty.bits > pointer_bits && pointer_bits < 64 {
        None
    } else if unsigned && range.is_subset(type_range(ty)) {
        Some(v)
    } else if unbounded(range) && (is_memory(state, v) || unsigned && leads_to_memory(state, v, preds, 8)) {
        address_as(state, v, ty)
    } else {
        // Nothing is known of it: it may have any bits.
        None
    };
    known.unwrap_or_else(|| state.fresh_in(type_range(ty)))
}

/// Whether a value is certainly the address of memory that is or was there, or of a function: no number that a
/// program made up.
fn is_memory(state: &State, v: Val) -> bool {
    let there = |s| state.has_object(s) || state.death(s).is_some();
    matches!(v.base, Base::Func(_)) || state.pointer(v).is_some_and(|(s, _)| there(s))
}

/// Whether a value is null or certainly the address of memory: the root of summaries that are empty only if it is null
/// or such an address. The ends of structures may be numbers that a program made up, which are kept as negative ones if
/// they are at the end of the addresses.
fn leads_to_memory(state: &State, v: Val, preds: &heapwise_heap::PredTable, depth: u32) -> bool {
    if v == Val::ZERO || is_memory(state, v) {
        return true;
    }
    if depth == 0 || v.as_sym().is_none() {
        return false;
    }
    state.summaries().filter(|t| t.root == v).any(|t| {
        state.is_nonempty(t, preds)
            || match &t.end {
                Some((end, _)) => leads_to_memory(state, *end, preds, depth - 1),
                None => preds.get(t.pred).def.cases.iter().filter(|c| c.block.is_none()).all(|c| {
                    let (root, null) = (Term::ROOT, Term::int(0));
                    c.facts.iter().any(|f| *f == Fact::Eq(root, null) || *f == Fact::Eq(null, root))
                }),
            }
    })
}

/// Whether a value is a pointer that may be a number which a program made up: as an integer it may be another.
pub fn may_be_made_up(state: &State, v: Val, preds: &heapwise_heap::PredTable) -> bool {
    v.as_sym().is_some()
        && is_address(state, v)
        && unbounded(state.range(v))
        && !leads_to_memory(state, v, preds, 8)
}

/// How far from an object its address can be moved without wrapping around: the first page holds none.
const PAGE: i128 = 4096;

/// The value of an address in a type, reduced modulo its size; `None` if nothing is known of it, because it may have
/// wrapped around or the type shows half of the addresses as negative numbers.
fn address_as(state: &State, v: Val, ty: IntTy) -> Option<Val> {
    // Addresses of 64 bits are those of programs, which are in the lower half.
    if ty.signed && ty.bits < 64 {
        return None;
    }
    let near = |v: Val| {
        if matches!(v.base, Base::Func(_)) {
            return v.off == 0;
        }
        let Some((s, offset)) = state.pointer(v) else { return false };
        let page = Interval { lo: Some(1 - PAGE), hi: Some(PAGE - 1) };
        offset == Linear::default()
            || (state.has_object(s) || state.death(s).is_some())
                && (state.interval(&offset).is_subset(page) || memory::is_within(state, s, &offset))
    };
    if near(v) {
        return Some(v);
    }
    let reduced = IntTy { signed: true, ..ty }.wrap(v.off);
    Some(v.plus(reduced.checked_sub(v.off)?)).filter(|v| near(*v))
}

/// Whether an interval has an open end, as those of addresses have and those of numbers of a type do not. An argument
/// of a summary may be either.
fn unbounded(range: Interval) -> bool {
    range.lo.is_none() || range.hi.is_none()
}

/// Whether a value may lead to memory that the state describes.
pub fn leads_on(state: &State, v: Val) -> bool {
    v.as_sym().is_some_and(|s| {
        state.has_object(s)
            || state.numbers().is_defined(v)
            || state.summaries().any(|t| t.values().any(|w| w.as_sym() == Some(s)))
    })
}

/// Whether a value is the address of something. Arguments of summaries that have bounds are numbers, such as lengths.
pub fn is_address(state: &State, v: Val) -> bool {
    match v.base {
        Base::Func(_) => true,
        Base::Sym(s) => {
            state.has_object(s)
                || state.death(s).is_some()
                || state.numbers().is_defined(v) && state.pointer(v).is_some()
                || state.summaries().any(|t| {
                    let is = |w: &Val| w.as_sym() == Some(s);
                    is(&t.root)
                        || t.end.as_ref().is_some_and(|(end, _)| is(end))
                        || t.values().any(|w| is(&w)) && unbounded(state.range(Val::sym(s)))
                })
        }
        _ => false,
    }
}

/// The result of an arithmetic operation, and whether it may have overflowed a signed type.
pub fn binary(state: &mut State, op: BinaryOp, a: Val, b: Val, ty: IntTy) -> (Val, bool) {
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int())
        && let Some(exact) = constant(op, x, y, ty)
    {
        let wrapped = ty.wrap(exact);
        return (Val::int(wrapped), ty.signed && wrapped != exact);
    }
    let (ra, rb) = (state.range(a), state.range(b));
    let exact: Option<Val> = match op {
        BinaryOp::Add => match (a.as_int(), b.as_int()) {
            (_, Some(y)) => Some(a.plus(y)),
            (Some(x), _) => Some(b.plus(x)),
            _ => None,
        },
        BinaryOp::Sub => match b.as_int() {
            Some(y) => Some(a.plus(y.saturating_neg())),
            None if a.base == b.base => Some(Val::int(a.off.saturating_sub(b.off))),
            None => None,
        },
        BinaryOp::Mul if b.as_int() == Some(1) => Some(a),
        BinaryOp::Mul if a.as_int() == Some(1) => Some(b),
        BinaryOp::Div if b.as_int() == Some(1) => Some(a),
        BinaryOp::Shl | BinaryOp::Shr if b.as_int() == Some(0) => Some(a),
        _ => None,
    };
    if let Some(v) = exact {
        let range = state.range(v);
        if range.is_subset(tractable(ty)) {
            return (v, false);
        }
        if ty.bits >= 32
            && unbounded(range)
            && is_address(state, v)
            && let Some(v) = address_as(state, v, ty)
        {
            return (v, false);
        }
    }
    if ty.bits >= 128 && !(ra.is_subset(tractable(ty)) && rb.is_subset(tractable(ty))) {
        return (state.fresh_in(type_range(ty)), ty.signed);
    }
    let linear = linear(state, op, a, b, ty).or_else(|| division(state, op, a, b));
    if let Some(v) = linear.or_else(|| rounded_down(state, op, a, b, ty)) {
        return (v, false);
    }
    // Of 128 bits only operands come here whose results are the same in a narrower type.
    let machine = MachineInt { bits: u32::from(ty.bits).min(110), signed: ty.signed };
    // Executions in trouble have no result of their own; what the hardware does instead is added.
    let of = |outcome: Outcome, instead: Interval| match (outcome.value, outcome.trouble) {
        (Some(v), Happens::Never) => v,
        (Some(v), _) => v.join(instead),
        (None, _) => instead,
    };
    // A join may have let an interval grow past the type; the values are of the type nevertheless.
    let all = type_range(ty);
    let fitted = |r: Interval| r.meet(all).unwrap_or(all);
    let exact = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl);
    let ra = if exact { ra } else { fitted(ra) };
    let rb = if exact || op == BinaryOp::Shr { rb } else { fitted(rb) };
    let range = match op {
        BinaryOp::Add => ra.plus(rb),
        BinaryOp::Sub => ra.minus(rb),
        BinaryOp::Mul => ra.times(rb),
        BinaryOp::Div if ty.signed => of(machine.div(ra, rb), Interval::point(ty.min())),
        BinaryOp::Div => of(machine.div(ra, rb), Interval::point(0)),
        BinaryOp::Rem => of(machine.rem(ra, rb), Interval::point(0)),
        BinaryOp::And => of(machine.and(ra, rb), type_range(ty)),
        BinaryOp::Or => of(machine.or(ra, rb), type_range(ty)),
        BinaryOp::Xor => of(machine.xor(ra, rb), type_range(ty)),
        BinaryOp::Shr => of(machine.shr(ra, rb), type_range(ty)),
        BinaryOp::Shl => match (rb.lo, rb.hi) {
            (Some(lo), Some(hi)) if lo >= 0 && hi < i128::from(ty.bits).min(100) => {
                ra.times(Interval { lo: Some(1 << lo), hi: Some(1 << hi) })
            }
            _ => Interval::FULL,
        },
    };
    let most_negative_by_minus_one =
        matches!(op, BinaryOp::Div | BinaryOp::Rem) && ra.contains(ty.min()) && rb.contains(-1);
    let overflow = ty.signed && (most_negative_by_minus_one || !range.is_subset(tractable(ty)));
    let result = state.fresh_in(wrap(range, ty));
    quotient_bounds(state, op, a, b, result);
    if !overflow && range.is_subset(tractable(ty)) {
        // Keep how far the result is from an operand.
        let (from, by) = match op {
            BinaryOp::Add if a.as_sym().is_some() => (a, rb),
            BinaryOp::Sub if a.as_sym().is_some() => (a, rb.negated()),
            _ => return (result, overflow),
        };
        // A new symbol contradicts nothing, unless the state contradicts itself unseen.
        if let Some(hi) = by.hi {
            let _ = state.assume_le(result, from.plus(hi), false);
        }
        if let Some(lo) = by.lo {
            let _ = state.assume_le(from.plus(lo), result, false);
        }
    }
    (result, overflow)
}

/// The only value of an operand for which a difference wraps around.
pub struct Around {
    /// The operand.
    pub from: Val,
    /// What becomes of it.
    pub to: Val,
}

/// Whether a difference of unsigned type with a number wraps around for exactly one value of the other operand.
pub fn goes_round(state: &State, op: BinaryOp, a: Val, b: Val, ty: IntTy) -> Option<Around> {
    let by = b.as_int().filter(|_| op == BinaryOp::Sub && !ty.signed && ty.bits < 128)?;
    if is_address(state, a) {
        return None;
    }
    let (range, all) = (state.range(a), type_range(ty));
    let least = range.lo.filter(|l| by > 0 && l.checked_add(1) == Some(by))?;
    let alone = range.is_subset(all) && range.as_point().is_none();
    alone.then(|| Around { from: Val::int(least), to: Val::int(ty.wrap(least - by)) })
}

/// The result of a sum, difference or product with a number as a linear form of the operands, if it fits its type.
fn linear(state: &mut State, op: BinaryOp, a: Val, b: Val, ty: IntTy) -> Option<Val> {
    if is_address(state, a) || is_address(state, b) {
        return None;
    }
    let (x, y) = (state.linear(a)?, state.linear(b)?);
    let form = match (op, a.as_int(), b.as_int()) {
        (BinaryOp::Add, ..) => x.plus(1, &y)?,
        (BinaryOp::Sub, ..) => x.minus(&y)?,
        (BinaryOp::Mul, _, Some(k)) => x.times(k)?,
        (BinaryOp::Mul, Some(k), _) => y.times(k)?,
        (BinaryOp::Shl, _, Some(n)) if (0..i128::from(ty.bits).min(100)).contains(&n) => x.times(1 << n)?,
        _ => return None,
    };
    if !state.interval(&form).is_subset(tractable(ty)) {
        return None;
    }
    state.value_of(&form)
}

/// Least number of quotients for which a remainder is defined.
const MANY_ROUNDS: i128 = 16;
/// Largest number by which a remainder is taken exactly.
const MAX_MODULUS: i128 = 1 << 32;

/// Quotient and remainder of a number that is not negative by a constant, also as shift and mask. The remainder is the
/// number less a multiple of the constant and between zero and the constant: whatever is known to be so already is
/// the remainder, so the same number has the same remainder each time.
fn division(state: &mut State, op: BinaryOp, a: Val, b: Val) -> Option<Val> {
    let n = b.as_int()?;
    let (by, quotient) = match op {
        BinaryOp::Rem => (n, false),
        BinaryOp::Div => (n, true),
        BinaryOp::And if n > 0 && (n + 1) & n == 0 => (n + 1, false),
        BinaryOp::Shr if (1..32).contains(&n) => (1 << n, true),
        _ => return None,
    };
    let range = state.range(a);
    if !(2..=MAX_MODULUS).contains(&by) || range.lo.is_none_or(|l| l < 0) || is_address(state, a) {
        return None;
    }
    let most = range.hi?;
    let rests = Interval { lo: Some(0), hi: Some(by - 1) };
    let form = state.linear(a)?;
    let is_rest = |rest: &Linear| form.minus(rest).is_some_and(|f| f.divided(by).is_some());
    let numbers = [Linear::constant(form.constant.rem_euclid(by))];
    let symbols = form.terms().iter().filter_map(|(s, _)| Linear::of(Val::sym(*s)));
    let defined = state.numbers().definitions().map(|(s, d)| (Val::sym(s), d.clone()));
    let mut known = numbers.into_iter().chain(symbols).map(|f| (f.as_val(), f));
    let known = known.find(|(v, f)| v.is_some_and(|v| state.range(v).is_subset(rests)) && is_rest(f));
    let known = known.and_then(|(v, f)| Some((v?, f)));
    let known = known.or_else(|| {
        let mut defined = defined;
        defined.find(|(v, f)| state.range(*v).is_subset(rests) && is_rest(f))
    });
    match (known, quotient) {
        (Some((v, _)), false) => Some(v),
        (Some((_, rest)), true) => state.value_of(&form.minus(&rest)?.divided(by)?),
        // An index that goes round in a loop has few quotients: there a definition each time would have no end.
        (None, false) if form == Linear::of(a)? && form.constant == 0 && most / by >= MANY_ROUNDS => {
            let times = state.fresh_in(Interval { lo: Some(0), hi: Some(most / by) });
            let rest = state.value_of(&form.plus(by.checked_neg()?, &Linear::of(times)?)?)?;
            let possible = state.assume_in(rest, rests) && state.assume_le(rest, a, false);
            possible.then_some(rest)
        }
        (None, _) => None,
    }
}

/// A number that is not negative without its last bits, by a mask: a multiple of a power of two.
fn rounded_down(state: &mut State, op: BinaryOp, a: Val, b: Val, ty: IntTy) -> Option<Val> {
    let mask = b.as_int().filter(|_| op == BinaryOp::And)?;
    let by =
        IntTy { signed: true, ..ty }.wrap(mask).checked_neg().filter(|by| *by > 1 && by & (by - 1) == 0)?;
    if !state.range(a).is_subset(type_range(ty)) {
        return None;
    }
    let rest = division(state, BinaryOp::And, a, Val::int(by - 1))?;
    let form = state.linear(a)?.minus(&state.linear(rest)?)?;
    state.value_of(&form)
}

/// What division, remainder, shift and mask have to do with their operands where these are not negative.
fn quotient_bounds(state: &mut State, op: BinaryOp, a: Val, b: Val, result: Val) {
    let (ra, rb) = (state.range(a), state.range(b));
    let at_least = |r: Interval, n: i128| r.lo.is_some_and(|l| l >= n);
    // A new symbol contradicts nothing, unless the state contradicts itself unseen.
    let below = |state: &mut State, v: Val, strict: bool| {
        if v.as_sym().is_some() {
            let _ = state.assume_le(result, v, strict);
        }
    };
    // A remainder has the sign of the dividend and is nearer to zero than the divisor.
    if op == BinaryOp::Rem && at_least(rb, 1) {
        below(state, b, true);
    }
    if !at_least(ra, 0) || !at_least(rb, 0) {
        return;
    }
    match op {
        BinaryOp::Div if at_least(rb, 1) => below(state, a, at_least(rb, 2) && at_least(ra, 1)),
        BinaryOp::Shr => below(state, a, at_least(rb, 1) && at_least(ra, 1)),
        BinaryOp::Rem if at_least(rb, 1) => below(state, a, false),
        BinaryOp::And => {
            below(state, a, false);
            below(state, b, false);
        }
        _ => {}
    }
}

/// The mathematical result; `None` where it is undefined or not tractable.
fn constant(op: BinaryOp, x: i128, y: i128, ty: IntTy) -> Option<i128> {
    let ends = tractable(ty);
    let exact = exact(op, x, y, ty)?;
    (ty.bits < 128 || ends.contains(x) && ends.contains(y) && ends.contains(exact)).then_some(exact)
}

fn exact(op: BinaryOp, x: i128, y: i128, ty: IntTy) -> Option<i128> {
    match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => x.checked_div(y),
        BinaryOp::Rem => x.checked_rem(y),
        BinaryOp::Shl if (0..i128::from(ty.bits)).contains(&y) => {
            if ty.bits <= 64 {
                x.checked_mul(1i128 << y)
            } else {
                None
            }
        }
        BinaryOp::Shr if (0..i128::from(ty.bits)).contains(&y) => Some(x >> y),
        BinaryOp::Shl | BinaryOp::Shr => None,
        BinaryOp::And => Some(x & y),
        BinaryOp::Or => Some(x | y),
        BinaryOp::Xor => Some(x ^ y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [BinaryOp; 10] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ];

    /// Numbers without their last bits are multiples of a power of two, and what is left of them is nothing.
    #[test]
    fn masks_round_down() {
        for signed in [true, false] {
            let ty = IntTy { bits: 16, signed };
            for by in [2, 8, 64] {
                let mask = Val::int(ty.wrap(-by));
                for (lo, hi) in [(0, 5000), (7, 531), (100, 2000), (-3, 900)] {
                    let Some(range) = Interval::new(lo, hi).filter(|r| r.is_subset(type_range(ty))) else {
                        continue;
                    };
                    let mut state = State::default();
                    let a = state.fresh_in(range);
                    let (v, _) = binary(&mut state, BinaryOp::And, a, mask, ty);
                    for x in lo..=hi {
                        let mut one = state.clone();
                        let got = ty.wrap(x & -by);
                        let possible =
                            one.assume_in(a, Interval::point(x)) && one.assume_in(v, Interval::point(got));
                        assert!(possible, "{x} & {mask:?} is {got}");
                    }
                    let (rest, _) = binary(&mut state, BinaryOp::And, v, Val::int(by - 1), ty);
                    assert!(
                        lo < 0 || hi / by < MANY_ROUNDS || rest == Val::ZERO,
                        "{rest:?} is left of multiples of {by}"
                    );
                }
            }
        }
    }

    /// Every operation on every pair of small intervals contains every concrete result, wrapped as the hardware does.
    #[test]
    fn intervals_contain_the_machine_results() {
        for signed in [true, false] {
            let ty = IntTy { bits: 8, signed };
            let ends: Vec<i128> = if signed {
                vec![-128, -3, -1, 0, 1, 5, 100, 127]
            } else {
                vec![0, 1, 2, 5, 100, 128, 254, 255]
            };
            let mut intervals = Vec::new();
            for l in &ends {
                for h in &ends {
                    intervals.extend(Interval::new(*l, *h));
                }
            }
            for op in OPS {
                for ia in &intervals {
                    for ib in &intervals {
                        let mut state = State::default();
                        let (a, b) = (state.fresh_in(*ia), state.fresh_in(*ib));
                        let (v, overflow) = binary(&mut state, op, a, b, ty);
                        let range = state.range(v);
                        let points = |i: &Interval| [i.lo, i.hi].into_iter().flatten().collect::<Vec<_>>();
                        for x in points(ia) {
                            for y in points(ib) {
                                if let Some(exact) = constant(op, x, y, ty) {
                                    let got = ty.wrap(exact);
                                    assert!(range.contains(got), "{op:?} {x} {y} = {got} not in {range:?}");
                                    assert!(overflow || !signed || got == exact, "{op:?} {x} {y} overflows");
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
