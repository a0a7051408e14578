//! Folding and discovery on chains of nodes: what becomes a structure, and what variables keep.

use super::abstracted;
use crate::granularity::Granularity;
use crate::lattice::inclusion::included;
use crate::pred::PredTable;
use crate::testing::World;

const CHAIN: &str = "x -> [16] { @0:8: a, @8:8: 1 } * a -> [16] { @0:8: b, @8:8: 2 } \
                     * b -> [16] { @0:8: c, @8:8: 3 } * c -> [16] { @0:8: 0, @8:8: 4 } && y == 0";

#[test]
fn what_no_variable_names_becomes_a_structure() {
    let world = World::new().expect("well formed");
    let state = world.state(CHAIN).expect("well formed").expect("possible");
    let mut preds = world.preds.clone();
    let folded = abstracted(&state, &mut preds, &world.types, &Granularity::default(), false).state;
    // The first node has a name.
    assert_eq!((folded.object_count(), folded.summaries().len()), (1, 1), "{folded:?}");
    assert_eq!(included(&state, &folded, &preds), Ok(()));
    let list = world.state("list(x) && y == 0").expect("well formed").expect("possible");
    assert_eq!(included(&folded, &list, &preds), Ok(()));
}

#[test]
fn a_node_in_the_middle_that_a_variable_names_stays() {
    let world = World::new().expect("well formed");
    let text = CHAIN.replace("&& y == 0", "&& y == c");
    let state = world.state(&text).expect("well formed").expect("possible");
    let mut preds = world.preds.clone();
    let folded = abstracted(&state, &mut preds, &world.types, &Granularity::default(), false).state;
    assert_eq!(folded.object_count(), 2, "{folded:?}");
    assert_eq!(included(&state, &folded, &preds), Ok(()));
}

#[test]
fn an_element_between_segments_becomes_part_of_one() {
    let world = World::new().expect("well formed");
    let text = "list(x; m) * m -> [16] { @0:8: n, @8:8: 1 } * list(n; 0) && y == 0 && x != 0";
    let state = world.state(text).expect("well formed").expect("possible");
    let mut preds = world.preds.clone();
    let how = Granularity { numbers: crate::granularity::Numbers::Shapes, ..Granularity::default() };
    let folded = abstracted(&state, &mut preds, &world.types, &how, true).state;
    assert_eq!((folded.object_count(), folded.summaries().len()), (0, 1), "{folded:?}");
    let text = "list(x; m) * m -> [16] { @0:8: n, @8:8: 1 } * list(n; 0) && y == 0";
    let state = world.state(text).expect("well formed").expect("possible");
    let folded = abstracted(&state, &mut preds, &world.types, &how, true).state;
    assert_eq!((folded.object_count(), folded.summaries().len()), (0, 1), "{folded:?}");
}

#[test]
fn a_predicate_is_found_where_none_is_known() {
    let world = World::new().expect("well formed");
    let state = world.state(CHAIN).expect("well formed").expect("possible");
    let mut preds = PredTable::default();
    let folded = abstracted(&state, &mut preds, &world.types, &Granularity::default(), false).state;
    assert_eq!((folded.object_count(), folded.summaries().len()), (1, 1), "{folded:?}");
    assert_eq!(included(&state, &folded, &preds), Ok(()));
    let found = folded.summary(0).expect("a structure").pred;
    let links: Vec<u64> = preds.get(found).links.iter().map(|l| l.off).collect();
    assert_eq!(links, [0], "the link is at the start of a node");
}
