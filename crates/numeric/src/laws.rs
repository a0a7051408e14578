//! The laws that every numeric domain must satisfy, checked on random elements and small grids of points.
//!
//! Elements arise from random operations on variables confined to a small box, so that the points of an element
//! can be enumerated and each abstract operation compared with the concrete one.

use crate::domain::NumericDomain;
use crate::interval::Interval;
use crate::linear::{Constraint, Dim, LinearExpr, Relation};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// Variables of the random elements.
const DIMS: u32 = 3;
/// Points have coordinates from `-SIDE` to `SIDE`.
const SIDE: i128 = 3;

type Point = [i128; DIMS as usize];

#[derive(Clone, Debug)]
enum Op {
    Assume(Constraint),
    Assign(Dim, LinearExpr),
    Forget(Dim),
}

fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    if let Err(failure) = TestRunner::new(config).run(&strategy, test) {
        panic!("{failure}");
    }
}

fn dim() -> impl Strategy<Value = Dim> {
    (0..DIMS).prop_map(Dim)
}

fn expr(coefficients: &'static [i128]) -> impl Strategy<Value = LinearExpr> {
    let terms = proptest::collection::vec((dim(), proptest::sample::select(coefficients)), 0..3);
    (-SIDE..=SIDE, terms).prop_map(|(constant, terms)| {
        let mut expr = LinearExpr::constant(constant);
        for (d, c) in terms {
            expr.add_term(d, c).expect("small numbers");
        }
        expr
    })
}

fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![4 => Just(Relation::AtMostZero), 1 => Just(Relation::Zero), 1 => Just(Relation::NonZero)]
}

fn constraint() -> impl Strategy<Value = Constraint> {
    (expr(&[-2, -1, -1, -1, 1, 1, 1, 2]), relation())
        .prop_map(|(expr, relation)| Constraint { expr, relation })
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => constraint().prop_map(Op::Assume),
        2 => (dim(), expr(&[-1, 1, 1, 2])).prop_map(|(d, e)| Op::Assign(d, e)),
        1 => dim().prop_map(Op::Forget),
    ]
}

fn apply<D: NumericDomain>(element: &mut D, op: &Op) {
    match op {
        Op::Assume(c) => element.assume(c),
        Op::Assign(d, e) => element.assign(*d, e),
        Op::Forget(d) => element.forget(*d),
    }
}

/// Confines all variables to the grid.
fn confine<D: NumericDomain>(element: &mut D) {
    for d in 0..DIMS {
        let x = LinearExpr::var(Dim(d));
        for c in [
            Constraint::le(&x, &LinearExpr::constant(SIDE)),
            Constraint::le(&LinearExpr::constant(-SIDE), &x),
        ] {
            element.assume(&c.expect("small numbers"));
        }
    }
}

fn element<D: NumericDomain>() -> impl Strategy<Value = D> {
    let start = prop_oneof![Just(true), Just(false)];
    (start, proptest::collection::vec(op(), 0..7)).prop_map(|(confined, ops)| {
        let mut element = D::top();
        if confined {
            confine(&mut element);
        }
        ops.iter().for_each(|op| apply(&mut element, op));
        element
    })
}

fn grid() -> impl Iterator<Item = Point> {
    let side = -SIDE..=SIDE;
    let inner = side.clone();
    side.clone().flat_map(move |x| {
        let innermost = inner.clone();
        inner.clone().flat_map(move |y| innermost.clone().map(move |z| [x, y, z]))
    })
}

fn holds<D: NumericDomain>(element: &D, point: Point) -> bool {
    element.contains(&|d| at(point, d))
}

fn at(point: Point, d: Dim) -> i128 {
    point.get(d.0 as usize).copied().unwrap_or(0)
}

fn points<D: NumericDomain>(element: &D) -> Vec<Point> {
    grid().filter(|p| holds(element, *p)).collect()
}

/// Order, bounds, join, meet and widening.
pub(crate) fn lattice_laws<D: NumericDomain>() {
    assert!(D::bottom().is_bottom() && !D::top().is_bottom());
    run(300, (element::<D>(), element::<D>(), element::<D>()), |(a, b, c)| {
        prop_assert!(a.leq(&a) && D::bottom().leq(&a) && a.leq(&D::top()));
        prop_assert_eq!(a.is_bottom(), a.leq(&D::bottom()));
        let (join, meet, widened) = (a.join(&b), a.meet(&b), a.widen(&b, &[-1, 2]));
        prop_assert!(a.leq(&join) && b.leq(&join), "join {:?}", join);
        prop_assert!(meet.leq(&a) && meet.leq(&b), "meet {:?}", meet);
        prop_assert!(a.leq(&widened) && b.leq(&widened), "widening {:?}", widened);
        prop_assert_eq!(&join, &b.join(&a));
        prop_assert_eq!(&a.join(&a), &a);
        prop_assert_eq!(&a.meet(&a), &a);
        prop_assert_eq!(a.leq(&b) && b.leq(&a), a == b);
        if a.leq(&b) && b.leq(&c) {
            prop_assert!(a.leq(&c));
        }
        if a.leq(&b) {
            prop_assert_eq!(&join, &b);
            prop_assert_eq!(&meet, &a);
        }
        for p in grid() {
            let (in_a, in_b) = (holds(&a, p), holds(&b, p));
            prop_assert!(!(in_a || in_b) || holds(&join, p) && holds(&widened, p), "union loses {:?}", p);
            prop_assert_eq!(in_a && in_b, holds(&meet, p), "meet at {:?}", p);
            prop_assert!(!in_a || in_b || !a.leq(&b), "inclusion is wrong at {:?}", p);
            prop_assert!(!in_a || !a.is_bottom());
        }
        Ok(())
    });
    run(100, proptest::collection::vec(element::<D>(), 60), |elements| {
        let mut limit = D::bottom();
        let mut changes = 0;
        for e in elements {
            if !e.leq(&limit) {
                limit = limit.widen(&limit.join(&e), &[-1, 2]);
                changes += 1;
            }
            prop_assert!(e.leq(&limit));
        }
        prop_assert!(changes < 45, "{} steps of widening", changes);
        Ok(())
    });
}

/// Assignment, constraints, projection, renaming, bounds, fold and expand against points.
pub(crate) fn transfer_laws<D: NumericDomain>() {
    run(400, (element::<D>(), op(), constraint()), |(a, op, c)| {
        let before = points(&a);
        let mut after = a.clone();
        apply(&mut after, &op);
        for &p in &before {
            match &op {
                Op::Assume(c) => {
                    prop_assert!(!c.holds_at(&|d| at(p, d)) || holds(&after, p), "loses {:?}", p)
                }
                Op::Assign(x, e) => {
                    let value = e.eval(&|d| at(p, d)).expect("small numbers");
                    let updated = |d: Dim| if d == *x { value } else { at(p, d) };
                    prop_assert!(after.contains(&updated), "loses {:?}: {:?}", p, after);
                }
                Op::Forget(x) => {
                    for value in -9..9 {
                        let updated = |d: Dim| if d == *x { value } else { at(p, d) };
                        prop_assert!(after.contains(&updated), "loses {:?}", p);
                    }
                }
            }
            let value = c.expr.eval(&|d| at(p, d)).expect("small numbers");
            prop_assert!(a.bounds(&c.expr).is_some_and(|i| i.contains(value)), "bounds at {:?}", p);
            prop_assert!(!a.entails(&c) || c.holds_at(&|d| at(p, d)), "entailment at {:?}", p);
        }
        if let Op::Assume(c) = &op {
            prop_assert!(after.leq(&a));
            // Rational points may go where all integers satisfy the constraint.
            let kept = || before.iter().all(|p| holds(&after, *p));
            prop_assert!(!a.entails(c) || kept(), "an entailed constraint changes {:?}", a);
        }
        let mut back = a.clone();
        let rotation = [(Dim(0), Dim(1)), (Dim(1), Dim(7)), (Dim(7), Dim(0))];
        back.rename(&rotation);
        for &p in &before {
            let renamed = |d: Dim| match d {
                Dim(1) => p[0],
                Dim(7) => p[1],
                Dim(2) => p[2],
                _ => 0,
            };
            prop_assert!(back.contains(&renamed), "renaming loses {:?}", p);
        }
        back.rename(&rotation.map(|(x, y)| (y, x)));
        prop_assert_eq!(&back, &a);
        Ok(())
    });
    run(150, element::<D>(), |a| {
        let before = points(&a);
        // Groups (x0, x1) and (x3, x4); x2 is outside.
        let (group, copies) = ([Dim(0), Dim(1)], [Dim(3), Dim(4)]);
        let mut expanded = a.clone();
        expanded.expand(&group, &copies);
        for p in &before {
            for q in before.iter().filter(|q| q[2] == p[2]) {
                let both = [p[0], p[1], p[2], q[0], q[1]];
                let point = |d: Dim| both.get(d.0 as usize).copied().unwrap_or(0);
                prop_assert!(expanded.contains(&point), "expand loses {:?}: {:?}", both, expanded);
            }
        }
        let mut folded = expanded.clone();
        folded.fold(&group, &copies);
        prop_assert_eq!(&folded, &a, "expanding and folding is not the identity");
        // Folding x1 into x0.
        let mut folded = a.clone();
        folded.fold(&[Dim(0)], &[Dim(1)]);
        for p in before {
            for kept in [p[0], p[1]] {
                for other in -SIDE..=SIDE {
                    prop_assert!(holds(&folded, [kept, other, p[2]]), "fold loses {:?}", p);
                }
            }
        }
        Ok(())
    });
}

/// For domains that are exact on constraints whose variables have these coefficients: emptiness, bounds and
/// projection are the best possible.
pub(crate) fn precision_laws<D: NumericDomain>(coefficients: &'static [(i128, i128)]) {
    let pair = (dim(), dim(), proptest::sample::select(coefficients), -4..=4i128);
    let constraint = pair.prop_filter_map("one variable", |(x, y, (a, b), c)| {
        let mut expr = LinearExpr::constant(c);
        expr.add_term(x, a)?;
        expr.add_term(y, b)?;
        (x != y).then_some(Constraint { expr, relation: Relation::AtMostZero })
    });
    run(400, proptest::collection::vec(constraint, 1..7), |constraints| {
        let mut a = D::top();
        confine(&mut a);
        constraints.iter().for_each(|c| a.assume(c));
        let inside: Vec<Point> =
            grid().filter(|p| constraints.iter().all(|c| c.holds_at(&|d| at(*p, d)))).collect();
        prop_assert_eq!(a.is_bottom(), inside.is_empty(), "{:?}", a);
        prop_assert_eq!(&points(&a), &inside);
        for c in &constraints {
            let values = inside.iter().filter_map(|p| c.expr.eval(&|d| at(*p, d)));
            let hull = values.map(Interval::point).reduce(Interval::join);
            prop_assert_eq!(a.bounds(&c.expr), hull, "bounds of {:?} in {:?}", c.expr, a);
        }
        let mut projected = a.clone();
        projected.forget(Dim(0));
        for p in grid() {
            let extends = inside.iter().any(|q| (q[1], q[2]) == (p[1], p[2]));
            prop_assert_eq!(holds(&projected, p), extends, "projection at {:?}", p);
        }
        Ok(())
    });
}

/// Variables of a vector: two groups `(x0, x1)` and `(x2, x3)`, and `x4` outside of them.
const WIDTH: usize = 5;
type Vector = [i128; WIDTH];

fn component(v: &Vector, d: Dim) -> i128 {
    v.get(d.0 as usize).copied().unwrap_or(0)
}

/// The least element that holds some vectors, as far as joins are best.
fn hull<D: NumericDomain>(vectors: &[Vector]) -> D {
    let point = |v: &Vector| {
        let mut element = D::top();
        (0..WIDTH as u32).for_each(|d| element.assign(Dim(d), &LinearExpr::constant(component(v, Dim(d)))));
        element
    };
    vectors.iter().fold(D::bottom(), |all, v| all.join(&point(v)))
}

/// The operations on groups against sets of vectors. Where joins are `best`, folding the hull is the hull of what is folded.
pub(crate) fn group_laws<D: NumericDomain>(best: bool) {
    let (group, other) = ([Dim(0), Dim(1)], [Dim(2), Dim(3)]);
    let vectors = proptest::collection::vec(proptest::array::uniform5(-3..=3i128), 1..6);
    run(200, vectors, |vectors| {
        let element: D = hull(&vectors);
        let holds = |e: &D, v: &Vector| e.contains(&|d| component(v, d));
        for v in &vectors {
            prop_assert!(holds(&element, v));
        }
        // Either group may be the one that is kept; what is in the other place afterwards is anything.
        let mut folded = element.clone();
        folded.fold(&group, &other);
        let kept = |v: &Vector| [[v[0], v[1], 0, 0, v[4]], [v[2], v[3], 0, 0, v[4]]];
        let concrete: Vec<Vector> = vectors.iter().flat_map(kept).collect();
        for v in &concrete {
            for (x, y) in [(0, 0), (-9, 4)] {
                prop_assert!(
                    holds(&folded, &[v[0], v[1], x, y, v[4]]),
                    "folding loses {:?}: {:?}",
                    v,
                    folded
                );
            }
        }
        if best {
            let mut expected: D = hull(&concrete);
            expected.forget_all(&other);
            prop_assert_eq!(&folded, &expected, "folding is not best");
        }
        // Another object of the same kind: every pair that agrees on what is outside.
        let one: Vec<Vector> = vectors.iter().map(|v| [v[0], v[1], 0, 0, v[4]]).collect();
        let mut element: D = hull(&one);
        element.forget_all(&other);
        let mut expanded = element.clone();
        expanded.expand(&group, &other);
        for v in &one {
            for w in one.iter().filter(|w| w[4] == v[4]) {
                let pair = [v[0], v[1], w[0], w[1], v[4]];
                prop_assert!(holds(&expanded, &pair), "expanding loses {:?}: {:?}", pair, expanded);
            }
        }
        // Nothing but pairs of points.
        for p in [-4..=4, -1..=1].into_iter().flatten() {
            for v in &vectors {
                let pair = [v[0], v[1], v[2] + p, v[3], v[4]];
                let both = [[v[0], v[1], 0, 0, v[4]], [v[2] + p, v[3], 0, 0, v[4]]];
                let are_points = both.iter().all(|v| holds(&element, v));
                prop_assert_eq!(holds(&expanded, &pair), are_points, "expanding at {:?}", pair);
            }
        }
        let mut copied = element.clone();
        copied.copy(&group, &other);
        let mut equated = expanded.clone();
        equated.equate(&group, &other);
        for v in &one {
            let twice = [v[0], v[1], v[0], v[1], v[4]];
            prop_assert!(holds(&copied, &twice), "copying loses {:?}: {:?}", twice, copied);
            prop_assert!(holds(&equated, &twice), "equating loses {:?}: {:?}", twice, equated);
        }
        let mut swapped = expanded.clone();
        swapped.swap(&group, &other);
        prop_assert_eq!(&swapped, &expanded, "an object and its copy are told apart");
        for e in [&mut copied, &mut equated] {
            e.forget_all(&other);
            prop_assert_eq!(&*e, &element, "a copy that goes leaves a trace");
        }
        Ok(())
    });
}
