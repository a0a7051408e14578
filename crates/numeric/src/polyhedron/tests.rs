//! Laws and examples.

use super::*;
use crate::laws;

#[test]
fn laws() {
    laws::lattice_laws::<Polyhedron>();
    laws::transfer_laws::<Polyhedron>();
    laws::group_laws::<Polyhedron>(true);
    laws::precision_laws::<Polyhedron>(&[(1, -1), (-1, 1)]);
}

fn var(i: u32) -> LinearExpr {
    LinearExpr::var(Dim(i))
}

#[test]
fn the_vertices_of_the_connectors_paper() {
    // a = b in {0, 1}: expanding to a', b' gives a' = b' and no equality between a and a'.
    let (a, b, c, d) = (Dim(0), Dim(1), Dim(2), Dim(3));
    let point = |n| {
        let mut p = Polyhedron::top();
        p.assign(a, &LinearExpr::constant(n));
        p.assign(b, &LinearExpr::constant(n));
        p
    };
    let mut n = point(0).join(&point(1));
    assert_eq!(n.bounds(&LinearExpr::difference(a, b)), Some(Interval::point(0)));
    n.expand(&[a, b], &[c, d]);
    assert_eq!(n.generators.rays.len(), 4);
    assert_eq!(n.bounds(&LinearExpr::difference(c, d)), Some(Interval::point(0)));
    assert_eq!(n.bounds(&LinearExpr::difference(a, c)), Interval::new(-1, 1));
}

#[test]
fn a_loop_with_two_counters() {
    // i = 0, j = 0; while (...) { i += 2; j += 1 or 2 }: j ≤ i ≤ 2j.
    let mut entry = Polyhedron::top();
    entry.assign(Dim(0), &LinearExpr::constant(0));
    entry.assign(Dim(1), &LinearExpr::constant(0));
    let mut head = entry.clone();
    for round in 0.. {
        assert!(round < 6, "no fixpoint: {head:?}");
        let step = |by| {
            let mut body = head.clone();
            body.assign(Dim(0), &var(0).plus_constant(2).unwrap());
            body.assign(Dim(1), &var(1).plus_constant(by).unwrap());
            body
        };
        let next = entry.join(&step(1)).join(&step(2));
        if next.leq(&head) {
            break;
        }
        head = head.widen(&next, &[]);
    }
    assert_eq!(format!("{head:?}"), "{x0 - 2x1 ≤ 0, -x0 + x1 ≤ 0}");
}
