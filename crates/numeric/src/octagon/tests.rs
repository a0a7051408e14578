//! Laws and examples.

use super::*;
use crate::laws;

#[test]
fn laws() {
    laws::lattice_laws::<Octagon>();
    laws::transfer_laws::<Octagon>();
    laws::group_laws::<Octagon>(true);
    laws::precision_laws::<Octagon>(&[(1, -1), (-1, 1), (1, 1), (-1, -1)]);
}

fn var(i: u32) -> LinearExpr {
    LinearExpr::var(Dim(i))
}

#[test]
fn integers_are_tight() {
    // x + y = 1 and x = y have a rational solution only.
    let mut o = Octagon::top();
    let sum = var(0).plus(&var(1)).unwrap();
    o.assume(&Constraint::eq(&sum, &LinearExpr::constant(1)).unwrap());
    o.assume(&Constraint::eq(&var(0), &var(1)).unwrap());
    assert!(o.is_bottom());
}

#[test]
fn negation_and_sums_are_exact() {
    let mut o = Octagon::top();
    o.assume(&Constraint::le(&var(0), &var(1)).unwrap());
    o.assign(Dim(0), &var(0).times(-1).unwrap().plus_constant(3).unwrap());
    assert_eq!(format!("{o:?}"), "{-x0 - x1 + 3 ≤ 0}");
    o.assign(Dim(2), &var(1).times(-1).unwrap());
    assert_eq!(o.bounds(&var(2).plus(&var(1)).unwrap()), Some(Interval::point(0)));
    assert_eq!(o.bounds(&LinearExpr::difference(Dim(0), Dim(2))), Some(Interval { lo: Some(3), hi: None }));
}

#[test]
fn large_bounds_are_lost_and_points_are_not() {
    let big = |c: i128| LinearExpr::constant(c);
    for exponent in [49, 50, 51, 52, 53, 62, 63, 64, 100, 122] {
        let c = (1i128 << exponent) + 1;
        let mut o = Octagon::top();
        // -c ≤ x ≤ c, x - y ≤ -c, x + z = c: a way of long edges between any two.
        o.assume(&Constraint::le(&var(0), &big(c)).unwrap());
        o.assume(&Constraint::le(&big(-c), &var(0)).unwrap());
        o.assume(&Constraint::le(&var(0).minus(&var(1)).unwrap(), &big(-c)).unwrap());
        o.assume(&Constraint::eq(&var(0).plus(&var(2)).unwrap(), &big(c)).unwrap());
        let other = o.widen(&o.meet(&o), &[]);
        for (x, y) in [(-c, 0), (-c, 7), (0, c), (c, 2 * c), (1 - c, 1), (c, 9 * (c / 4))] {
            let point = |d: Dim| [x, y, c - x].get(d.0 as usize).copied().unwrap_or(0);
            assert!(o.contains(&point) && other.contains(&point), "{exponent}: {x} {y} {o:?}");
        }
    }
}

#[test]
fn closing_at_once_is_closing_step_by_step() {
    let mut seed = 7u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    for _ in 0..300 {
        let (mut stepwise, mut at_once) = (Octagon::top(), Octagon::top());
        for _ in 0..9 {
            let (x, y, c) = (below(5) as u32, below(5) as u32, below(12) as i128 - 3);
            let (a, b) = (1 - 2 * below(2) as i128, 1 - 2 * below(2) as i128);
            let mut expr = LinearExpr::constant(-c);
            expr.add_term(Dim(x), a).unwrap();
            expr.add_term(Dim(y), b).unwrap();
            let constraint = Constraint { expr, relation: Relation::AtMostZero };
            stepwise.assume(&constraint);
            let mut alone = Octagon::top();
            alone.assume(&constraint);
            at_once = at_once.meet(&alone);
        }
        assert_eq!(stepwise, at_once);
        assert_eq!(stepwise.is_bottom(), at_once.is_bottom());
    }
}
