//! The matching engine on small states: what it consumes, what it finds out, and why it fails.

use super::{End, Mismatch, View};
use crate::object::ObjectKind;
use crate::pred::{PredId, PredTable};
use crate::state::{Root, State};
use crate::testing::{VARIABLES, World};
use crate::value::Val;

fn named(preds: &PredTable, name: &str) -> PredId {
    preds.iter().find(|(_, p)| p.name == name).map(|(id, _)| id).expect("a predicate")
}

fn variables(state: &State) -> [Val; 2] {
    VARIABLES.map(|(_, l)| state.root(Root::Local(l)).expect("a variable"))
}

#[test]
fn a_chain_is_consumed_as_a_whole_or_up_to_its_end() {
    let world = World::new().expect("well formed");
    let text =
        "x -> [16] { @0:8: n, @8:8: 1 } * n -> [16] { @0:8: y, @8:8: 1 } * y -> [16] { @0:8: 0, @8:8: 2 }";
    let state = world.state(text).expect("well formed").expect("possible");
    let [x, y] = variables(&state);
    let (list, ones) = (named(&world.preds, "list"), named(&world.preds, "ones"));
    let mut view = View::new(&state, &world.preds);
    assert_eq!(view.fold(list, x, &mut Vec::new(), None), Ok(()));
    assert_eq!(view.first_leftover(), None);
    let mut view = View::new(&state, &world.preds);
    let mut end = End { root: y, args: Vec::new() };
    assert_eq!(view.fold(ones, x, &mut Vec::new(), Some(&mut end)), Ok(()));
    assert_eq!(view.first_leftover(), Some(y));
    // The last number is two: on failure nothing is consumed.
    let mut view = View::new(&state, &world.preds);
    assert_eq!(view.fold(ones, x, &mut Vec::new(), None), Err(Mismatch::Value(Val::int(2))));
    assert_eq!(view.leftover().0.len(), state.object_count());
}

#[test]
fn arguments_are_found_and_checked() {
    let world = World::new().expect("well formed");
    let text = "x -> [16] { @0:8: y, @8:8: 7 } * y -> [16] { @0:8: 0, @8:8: x }";
    let state = world.state(text).expect("well formed").expect("possible");
    let [x, y] = variables(&state);
    let dll = named(&world.preds, "dll");
    let mut args = vec![None];
    assert_eq!(View::new(&state, &world.preds).fold(dll, x, &mut args, None), Ok(()));
    assert_eq!(args, [Some(Val::int(7))]);
    // Given another one it does not match; the end says which element is the last.
    assert!(View::new(&state, &world.preds).fold(dll, x, &mut vec![Some(Val::ZERO)], None).is_err());
    let mut end = End { root: Val::ZERO, args: vec![None] };
    assert_eq!(View::new(&state, &world.preds).fold(dll, x, &mut vec![None], Some(&mut end)), Ok(()));
    assert_eq!(end.args, [Some(y)]);
}

#[test]
fn what_must_stay_is_not_consumed() {
    let world = World::new().expect("well formed");
    let text = "x -> [16] { @0:8: y, @8:8: 1 } * list(y)";
    let mut state = world.state(text).expect("well formed").expect("possible");
    let [x, y] = variables(&state);
    let list = named(&world.preds, "list");
    let mut view = View::new(&state, &world.preds);
    view.pinned.extend(y.as_sym());
    assert_eq!(
        view.fold(list, x, &mut Vec::new(), None),
        Err(Mismatch::Pinned(y.as_sym().expect("a symbol")))
    );
    // Nor is what is not from the heap.
    let first = x.as_sym().expect("an object");
    state.object_mut(first).expect("an object").kind = ObjectKind::Outer;
    let mut view = View::new(&state, &world.preds);
    assert_eq!(view.fold(list, x, &mut Vec::new(), None), Err(Mismatch::Pinned(first)));
}
