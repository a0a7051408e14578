//! Laws and examples.

use super::*;
use crate::laws;

#[test]
fn laws() {
    laws::lattice_laws::<Dbm>();
    laws::transfer_laws::<Dbm>();
    laws::group_laws::<Dbm>(true);
    laws::precision_laws::<Dbm>(&[(1, -1), (-1, 1)]);
}

fn var(i: u32) -> LinearExpr {
    LinearExpr::var(Dim(i))
}

fn less(a: &LinearExpr, b: &LinearExpr) -> Option<Constraint> {
    Constraint::le(&a.plus_constant(1)?, b)
}

fn with(constraints: &[Option<Constraint>]) -> Dbm {
    let mut d = Dbm::top();
    constraints.iter().flatten().for_each(|c| d.assume(c));
    d
}

#[test]
fn transitivity_and_emptiness() {
    let d = with(&[less(&var(0), &var(1)), less(&var(1), &var(2))]);
    assert_eq!(d.bounds(&LinearExpr::difference(Dim(0), Dim(2))), Some(Interval { lo: None, hi: Some(-2) }));
    let mut none = d.clone();
    none.assume(&Constraint::le(&var(2), &var(0)).unwrap());
    assert!(none.is_bottom());
    let mut fewer = d;
    fewer.forget(Dim(1));
    assert_eq!(format!("{fewer:?}"), "{x0 - x2 + 2 ≤ 0}");
}

#[test]
fn joins_find_relations_that_only_bounds_implied() {
    let point = |n| with(&[0, 1].map(|i| Constraint::eq(&var(i), &LinearExpr::constant(n))));
    let joined = point(0).join(&point(5));
    assert_eq!(joined.bounds(&LinearExpr::difference(Dim(0), Dim(1))), Some(Interval::point(0)));
}

#[test]
fn a_counting_loop_is_found() {
    // i = 0; n >= 0; while (i < n) i++;  afterwards i = n.
    let entry = with(&[
        Constraint::eq(&var(0), &LinearExpr::constant(0)),
        Constraint::le(&LinearExpr::constant(0), &var(1)),
    ]);
    let mut head = entry.clone();
    for round in 0.. {
        assert!(round < 10, "no fixpoint");
        let mut body = head.clone();
        body.assume(&less(&var(0), &var(1)).unwrap());
        body.assign(Dim(0), &var(0).plus_constant(1).unwrap());
        let next = entry.join(&body);
        if next.leq(&head) {
            break;
        }
        head = head.widen(&head.join(&next), &[]);
    }
    head.assume(&Constraint::le(&var(1), &var(0)).unwrap());
    assert_eq!(head.bounds(&LinearExpr::difference(Dim(0), Dim(1))), Some(Interval::point(0)));
    assert_eq!(head.bounds(&var(0)), Some(Interval { lo: Some(0), hi: None }));
}

#[test]
fn expand_and_fold_keep_relations_inside_the_group() {
    // a = b in 0..=1, expanded to a', b': a' = b' too, but a and a' are free of each other.
    let (a, b, c, d) = (Dim(0), Dim(1), Dim(2), Dim(3));
    let mut n = with(&[
        Constraint::eq(&var(0), &var(1)),
        Constraint::le(&LinearExpr::constant(0), &var(0)),
        Constraint::le(&var(0), &LinearExpr::constant(1)),
    ]);
    let before = n.clone();
    n.expand(&[a, b], &[c, d]);
    assert_eq!(n.bounds(&LinearExpr::difference(c, d)), Some(Interval::point(0)));
    assert_eq!(n.bounds(&LinearExpr::difference(a, c)), Interval::new(-1, 1));
    n.fold(&[a, b], &[c, d]);
    assert_eq!(n, before);
}

#[test]
fn numbers_too_large_are_given_up() {
    let mut d = with(&[
        Constraint::le(&var(0), &LinearExpr::constant(i128::MAX)),
        Constraint::le(&LinearExpr::constant(i128::MIN + 1), &var(1)),
        Constraint::le(&var(1), &var(0)),
    ]);
    d.assign(Dim(0), &var(0).plus_constant(i128::MAX).unwrap());
    d.assign(Dim(2), &var(0).times(i128::MAX / 2).unwrap());
    assert!(!d.is_bottom());
}
