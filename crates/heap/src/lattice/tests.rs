//! Joins and inclusion on small states made by hand, judged by γ on all small memories, and what their reasons say.

use super::Words;
use super::inclusion::{NotIncluded, included};
use super::join::{JoinOptions, Refusal, join};
use crate::granularity::Numbers;
use crate::matching::Mismatch;
use crate::state::{Numbered, State};
use crate::testing::World;

const PLAIN: JoinOptions<'static> = JoinOptions {
    widen: None,
    keep_constants: false,
    keep_flags: false,
    keep_null: false,
    keep_ways: false,
    keep_numbers: false,
    numbers: Numbers::Elements,
    keep_objects: false,
    guided: true,
    bold: false,
};

const FORMULAS: [&str; 18] = [
    "x == 0 && y == 0",
    "x == 0 && y == 1",
    "list(x) && y == 0",
    "list(x) && x != 0 && y == 0",
    "list(x) && y == x",
    "list(x; y) * list(y)",
    "list(x) * list(y)",
    "ones(x) && y == 0",
    "tree(x) && y == 0",
    "dll(x, 0) && y == 0",
    "dll(x, 0; y, p) * dll(y, p)",
    "x -> [16] { @0:8: 0, @8:8: 1 } && y == 0",
    "x -> [16] { @0:8: y, @8:8: _ } * y -> [16] { @0:8: 0, @8:8: _ }",
    "x -> [16] { @0:8: x, @8:8: _ } && y == x",
    "x -> [text] { } && y == 0",
    "x -> [2] { @0:1: 65, @1:1: 0 } && y == 0",
    "x -> [8 ..] { @0:8: 1 } && y == 0",
    "x -> [1 ..] { } && y == 0",
];

fn world() -> (World, Vec<State>) {
    let world = World::new().expect("the predicates are well formed");
    let state = |text: &&str| world.state(text).expect("well formed").expect("possible");
    let states = FORMULAS.iter().map(state).collect();
    (world, states)
}

#[test]
fn all_pairs_keep_the_laws() {
    let (world, states) = world();
    for a in &states {
        world.judge_alone(a).unwrap_or_else(|broken| panic!("{broken}"));
        for b in &states {
            let bold = JoinOptions { bold: true, keep_ways: true, ..PLAIN };
            for options in [PLAIN, bold] {
                world.judge(a, b, options).unwrap_or_else(|broken| panic!("{broken}"));
            }
        }
        assert_eq!(included(a, a, &world.preds), Ok(()), "a state is included in itself");
        join(a, a, &world.preds, PLAIN).expect("a state has a join with itself");
    }
}

#[test]
fn what_is_less_general_is_included_and_not_the_other_way_round() {
    let (world, _) = world();
    let state = |text: &str| world.state(text).expect("well formed").expect("possible");
    for (special, general) in [
        ("x == 0 && y == 0", "list(x) && y == 0"),
        ("list(x) && x != 0 && y == 0", "list(x) && y == 0"),
        ("x -> [16] { @0:8: 0, @8:8: 1 } && y == 0", "ones(x) && y == 0"),
        ("x -> [16] { @0:8: y, @8:8: _ } * list(y)", "list(x; y) * list(y)"),
        ("ones(x; y) * ones(y)", "ones(x; y) * ones(y)"),
        ("x -> [2] { @0:1: 65, @1:1: 0 } && y == 0", "x -> [text] { } && y == 0"),
        ("x -> [4] { @0:2: 0, @2:1: 0 } && y == 0", "x -> [text] { } && y == 0"),
        ("x -> [text] { } && y == 0", "x -> [1 ..] { } && y == 0"),
        ("x -> [4 ..] { } && y == 0", "x -> [2 ..] { } && y == 0"),
        ("x -> [4] { } && y == 0", "x -> [4 ..] { } && y == 0"),
    ] {
        let (a, b) = (state(special), state(general));
        assert_eq!(included(&a, &b, &world.preds), Ok(()), "{special} in {general}");
        assert!(special == general || included(&b, &a, &world.preds).is_err(), "{general} in {special}");
        let joined = join(&a, &b, &world.preds, PLAIN).expect("the general one is a join");
        assert_eq!(included(&joined, &b, &world.preds), Ok(()), "{joined:?}");
    }
}

#[test]
fn what_does_not_end_is_no_text() {
    let (world, _) = world();
    let state = |text: &str| world.state(text).expect("well formed").expect("possible");
    let text = state("x -> [text] { } && y == 0");
    for other in ["x -> [2] { @0:1: 65, @1:1: 66 }", "x -> [2] { @1:1: 0 }", "x -> [2 ..] { @0:1: 65 }"] {
        let other = state(&format!("{other} && y == 0"));
        assert!(included(&other, &text, &world.preds).is_err(), "{other:?}");
    }
}

#[test]
fn a_list_and_one_element_more_become_a_list() {
    let (world, _) = world();
    let state = |text: &str| world.state(text).expect("well formed").expect("possible");
    let (none, one) =
        (state("x == 0 && y == 0"), state("x -> [16] { @0:8: n, @8:8: _ } * list(n) && y == 0"));
    let joined = join(&none, &one, &world.preds, PLAIN).expect("a list");
    assert_eq!((joined.object_count(), joined.summaries().len()), (0, 1));
    assert_eq!(included(&state("list(x) && y == 0"), &joined, &world.preds), Ok(()));
}

#[test]
fn reasons_say_where_and_what() {
    let (world, _) = world();
    let state = |text: &str| world.state(text).expect("well formed").expect("possible");
    let words = Words { preds: &world.preds, names: &Numbered };
    let (zero, one) = (state("x == 0 && y == 0"), state("x == 0 && y == 1"));
    let options = JoinOptions { keep_constants: true, ..PLAIN };
    let refusal = join(&zero, &one, &world.preds, options).expect_err("constants are kept");
    assert!(matches!(refusal, Refusal::Constants(..)));
    assert_eq!(
        refusal.explain(&zero, &one, words),
        "a variable holds different constants: `v0` and `v1`: 0 in one, 1 in the other"
    );
    // A node that leads to itself is no list.
    let (ring, list) = (state("x -> [16] { @0:8: x, @8:8: 5 } && y == 0"), state("list(x) && y == 0"));
    let why = included(&ring, &list, &world.preds).expect_err("no list");
    assert!(matches!(why, NotIncluded::Summary(0, Some(Mismatch::NoMemory(_)))), "{why:?}");
    assert_eq!(
        why.explain(&ring, &list, words),
        "there is no memory for a structure that is required: `v0`, a possibly empty structure `list`; there is no memory \
         where an element should be: `v0`, an object of 16 bytes { [0]: v0, [8]: 5 }"
    );
    let more = state("list(x) * list(y)");
    let why = included(&list, &state("list(x) && y == x"), &world.preds).expect_err("another variable");
    assert!(why.to_string().starts_with("less is known"), "{why}");
    let why = included(&more, &state("emp && y == y && x == x"), &world.preds).expect_err("memory is left");
    assert!(
        why.explain(&more, &more, words).starts_with("there is memory that is not described: `v0`"),
        "{why}"
    );
    let refusal = join(&ring, &state("dll(x, 0; y, p) * dll(y, p)"), &world.preds, PLAIN);
    let refusal = refusal.expect_err("nothing in common");
    assert!(refusal.explain(&ring, &more, words).contains("in the other"), "{refusal:?}");
}
