//! Declared shapes on the command line: files, comments, contracts, assumptions, states and drawings.

mod common;
use common::Scratch;
use serde_json::Value;

const LIST: &str = "\
#include <stdlib.h>
#include \"list.h\"
/*@ requires list(l);
    ensures list(\\result) && \\result != null; */
struct node *push(struct node *l, int d) {
  struct node *n = malloc(sizeof *n);
  n->next = l;
  n->data = d;
  return n;
}
/*@ requires list(l); ensures emp; */
void destroy(struct node *l) {
  while (l) { struct node *n = l->next; free(l); l = n; }
}
/*@ requires list(l); ensures emp; */
void forgets(struct node *l) { if (l) free(l); }
int main(void) {
  struct node *l = push(push(0, 1), 2);
  destroy(l);
  return 0;
}
";

fn scratch(name: &str) -> Scratch {
    let s = Scratch::new(name);
    s.write("list.c", LIST)
        .write(
            "list.h",
            "struct node { struct node *next; int data; };\nvoid __heapwise_check_shape(const char *);\n",
        )
        .write(
            "list.shape",
            "predicate list(x) = x == null\n  | x -> struct node { next: n, .. } * list(n);\n",
        );
    s
}

#[test]
fn functions_are_verified_against_their_contracts() {
    let s = scratch("contracts");
    let push = s.heapwise("check --shapes list.shape --function push list.c");
    assert_eq!((push.code, push.stdout.as_str()), (Some(0), "proved\n"), "{push:?}");
    let destroy = s.heapwise("check --shapes list.shape --function destroy list.c");
    assert_eq!(destroy.code, Some(0), "{destroy:?}");
    let forgets = s.heapwise("check --shapes list.shape --function forgets list.c");
    assert_eq!(forgets.code, Some(2), "{forgets:?}");
    assert!(forgets.stderr.contains("list.c:16"), "{}", forgets.stderr);
    let whole = s.heapwise("check --shapes list.shape list.c");
    assert_eq!(whole.code, Some(0), "{whole:?}");
}

#[test]
fn mistakes_have_a_place_and_exit_code_3() {
    let s = scratch("shape_mistakes");
    let no_contract = s.heapwise("check --shapes list.shape --function main list.c");
    assert_eq!(no_contract.code, Some(3));
    assert!(no_contract.stderr.contains("has no contract"), "{}", no_contract.stderr);
    let no_function = s.heapwise("check --shapes list.shape --function destory list.c");
    assert_eq!(no_function.code, Some(3));
    assert!(
        no_function.stderr.contains("[no-function]") && no_function.stderr.contains("there is `destroy`"),
        "{}",
        no_function.stderr
    );
    let missing = s.heapwise("check --function push list.c");
    assert_eq!(missing.code, Some(3));
    assert!(
        missing.stderr.contains("list.c:3:14") && missing.stderr.contains("no predicate `list`"),
        "{}",
        missing.stderr
    );
    s.write("bad.shape", "predicate list(x) =\n  x -> struct node { nxt: n };\n");
    let bad = s.heapwise("check --shapes bad.shape list.c");
    assert_eq!(bad.code, Some(3));
    assert!(
        bad.stderr.starts_with("bad.shape:2:22: error[shape-syntax]: the path has no field `nxt`"),
        "{bad:?}"
    );
    s.write("worse.shape", "predicate list(x) = x == null | list(x y);\n");
    let worse = s.heapwise("check --shapes worse.shape list.c");
    assert_eq!(worse.code, Some(3));
    assert_eq!(worse.stderr.matches("error[").count(), 1, "{worse:?}");
    assert!(worse.stderr.starts_with("worse.shape:1:40: error[shape-syntax]"), "{worse:?}");
    let absent = s.heapwise("check --shapes none.shape list.c");
    assert_eq!((absent.code, absent.stderr.contains("no-such-file")), (Some(3), true), "{absent:?}");
    assert_eq!(s.heapwise("check --function nowhere --shapes list.shape list.c").code, Some(3));
}

#[test]
fn assumptions_are_said_in_the_verdict() {
    let s = scratch("assumptions");
    s.write(
        "walk.c",
        "void __heapwise_assume_shape(const char *);\n\
         void __heapwise_check_shape(const char *);\n\
         struct node { struct node *next; int data; };\n\
         int main(void) {\n\
         \x20 struct node *x;\n\
         \x20 __heapwise_assume_shape(\"list(x)\");\n\
         \x20 for (struct node *p = x; p; p = p->next) p->data = 0;\n\
         \x20 __heapwise_check_shape(\"list(x)\");\n\
         \x20 return 0;\n\
         }\n",
    );
    let walk = s.heapwise("check --property deref --shapes list.shape walk.c");
    assert_eq!((walk.code, walk.stdout.as_str()), (Some(0), "proved under assumptions\n"), "{walk:?}");
    assert!(walk.stderr.contains("walk.c:6") && walk.stderr.contains("note[assumption]"), "{}", walk.stderr);
    s.write("typo.c", LIST.replace("destroy(l);\n  return", "__heapwise_check_shape(\"lst(l)\");\n  return"));
    let typo = s.heapwise("check --shapes list.shape typo.c");
    assert_eq!(typo.code, Some(3));
    assert!(
        typo.stderr.contains("typo.c:19") && typo.stderr.contains("no predicate `lst`"),
        "{}",
        typo.stderr
    );
}

#[test]
fn states_are_written_as_json_and_drawn() {
    let s = scratch("states");
    let answer =
        s.heapwise("check --shapes list.shape --function destroy --states out.json --dot drawings list.c");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let text = std::fs::read_to_string(s.dir.join("out.json")).unwrap();
    let states: Value = serde_json::from_str(&text).unwrap();
    let points = states["functions"][0]["points"].as_array().unwrap();
    assert_eq!(states["functions"][0]["name"], "destroy");
    assert_eq!(states["predicates"][0]["origin"], "declared");
    let head = points.iter().find(|p| p["kind"] == "loop").expect("a loop head");
    assert_eq!(head["line"], 13);
    let summaries: Vec<&Value> =
        head["states"].as_array().unwrap().iter().flat_map(|s| s["summaries"].as_array().unwrap()).collect();
    assert!(summaries.iter().any(|s| s["predicate"] == "list"), "{head}");
    let fields = text.contains("\"field\": \"next\"") && text.contains("\"record\": \"node\"");
    assert!(fields, "field names");
    let drawings: Vec<String> = std::fs::read_dir(s.dir.join("drawings"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(drawings.iter().any(|n| n.starts_with("destroy-13-loop")), "{drawings:?}");
    let some = std::fs::read_to_string(s.dir.join("drawings").join(&drawings[0])).unwrap();
    assert!(some.starts_with("digraph") && some.trim_end().ends_with('}'), "{some}");
}

#[test]
fn types_give_predicates_when_asked() {
    let s = scratch("derived");
    let answer = s.heapwise("check --shapes list.shape --derive-predicates --states out.json list.c");
    assert_eq!(answer.code, Some(0), "{answer:?}");
}
