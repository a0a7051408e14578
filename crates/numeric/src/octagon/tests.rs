//! Laws and examples.

use super::*;
use crate::laws;

#[test]
fn laws() {
    laws::lattice_laws::<Octagon>();
    laws::transfer_laws::<Octagon>();
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
