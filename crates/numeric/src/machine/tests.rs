//! Every operation on all intervals of small types.

use super::*;

fn intervals(ty: MachineInt) -> Vec<Interval> {
    let (lo, hi) = (ty.range().lo.unwrap(), ty.range().hi.unwrap());
    (lo..=hi).flat_map(|l| (l..=hi).filter_map(move |h| Interval::new(l, h))).collect()
}

fn points(v: Interval) -> impl Iterator<Item = i128> + Clone {
    v.lo.unwrap()..=v.hi.unwrap()
}

/// Checks an operation on all intervals of a 4-bit type against all pairs of values. `concrete` gives the
/// mathematical result, or `None` where there is none. Returns how often the interval was not the hull.
fn check(
    ty: MachineInt,
    abstract_op: impl Fn(Interval, Interval) -> Outcome,
    concrete: impl Fn(i128, i128) -> Option<i128>,
) -> usize {
    let range = ty.range();
    let all = intervals(ty);
    let mut loose = 0;
    for &a in &all {
        for &b in &all {
            let outcome = abstract_op(a, b);
            let (mut trouble, mut good) = (false, false);
            let mut hull: Option<Interval> = None;
            for x in points(a) {
                for y in points(b) {
                    let exact = concrete(x, y);
                    let fits = exact.is_some_and(|r| range.contains(r));
                    trouble |= !fits;
                    good |= fits;
                    if let Some(r) = exact.filter(|_| fits || !ty.signed) {
                        let r = ty.wrap(Interval::point(r));
                        assert!(
                            outcome.value.is_some_and(|v| r.is_subset(v)),
                            "{ty:?} {a:?} {b:?}: {x}, {y} give {r:?}, not in {outcome:?}"
                        );
                        hull = Some(hull.map_or(r, |h| h.join(r)));
                    }
                }
            }
            let right = match outcome.trouble {
                Happens::Never => !trouble,
                Happens::Always => !good,
                Happens::Maybe => true,
            };
            assert!(right, "{ty:?} {a:?} {b:?}: {outcome:?}");
            assert!(outcome.value.is_none_or(|v| v.is_subset(range)), "{ty:?} {a:?} {b:?}: {outcome:?}");
            loose += usize::from(outcome.value != hull);
        }
    }
    loose
}

#[test]
fn four_bit_types_exhaustively() {
    for signed in [false, true] {
        let ty = MachineInt { bits: 4, signed };
        let mask = |x: i128| ty.wrap(Interval::point(x)).lo;
        check(ty, |a, b| ty.add(a, b), |x, y| Some(x + y));
        check(ty, |a, b| ty.sub(a, b), |x, y| Some(x - y));
        check(ty, |a, b| ty.mul(a, b), |x, y| Some(x * y));
        check(ty, |a, _| ty.neg(a), |x, _| Some(-x));
        check(ty, |a, b| ty.div(a, b), |x, y| x.checked_div(y));
        check(
            ty,
            |a, b| ty.rem(a, b),
            |x, y| {
                let quotient = x.checked_div(y)?;
                ty.range().contains(quotient).then(|| x % y)
            },
        );
        let valid = |y: i128| (0..4).contains(&y);
        check(ty, |a, b| ty.shl(a, b), |x, y| valid(y).then(|| x << y));
        check(ty, |a, b| ty.shr(a, b), |x, y| valid(y).then(|| x >> y));
        assert_eq!(check(ty, |a, _| ty.not(a), |x, _| mask(!x)), 0);
    }
}

#[test]
fn bit_operations_are_exact_within_signs() {
    let ty = MachineInt { bits: 4, signed: false };
    assert_eq!(check(ty, |a, b| ty.and(a, b), |x, y| Some(x & y)), 0);
    assert_eq!(check(ty, |a, b| ty.or(a, b), |x, y| Some(x | y)), 0);
    assert_eq!(check(ty, |a, b| ty.xor(a, b), |x, y| Some(x ^ y)), 0);
    let ty = MachineInt { bits: 4, signed: true };
    assert_eq!(check(ty, |a, b| ty.and(a, b), |x, y| Some(x & y)), 0);
    assert_eq!(check(ty, |a, b| ty.or(a, b), |x, y| Some(x | y)), 0);
    assert_eq!(check(ty, |a, b| ty.xor(a, b), |x, y| Some(x ^ y)), 0);
}

#[test]
fn conversions_between_widths() {
    let byte = MachineInt { bits: 8, signed: true };
    assert_eq!(byte.wrap(Interval::new(250, 260).unwrap()), Interval::new(-6, 4).unwrap());
    assert_eq!(byte.wrap(Interval::new(120, 130).unwrap()), byte.range());
    assert_eq!(byte.wrap(Interval::FULL), byte.range());
    let word = MachineInt { bits: 64, signed: false };
    assert_eq!(word.wrap(Interval::point(-1)), Interval::point(u64::MAX.into()));
    assert_eq!(word.range().hi, Some(u64::MAX.into()));
}

#[test]
fn wide_types_stay_sound() {
    for signed in [false, true] {
        let ty = MachineInt { bits: 128, signed };
        let big = Interval { lo: Some(0), hi: Some(i128::MAX) };
        assert!(ty.add(big, big).value.is_some());
        assert!(ty.xor(big, big).value.is_some_and(|v| v.contains(5)));
        assert!(ty.shl(big, Interval::point(100)).value.is_some());
        assert!(ty.mul(big, big).value.is_some_and(|v| v.contains(1)));
    }
}
