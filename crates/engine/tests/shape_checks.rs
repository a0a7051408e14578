//! Shapes that the analysis proved, judged by concrete memories: at each `__heapwise_check_shape` of a run the same
//! formula must hold of the memory, which membership in γ decides without any of the analysis' own operations.

#![allow(clippy::print_stderr)]

mod common;

use common::judge::{Tally, judged, options};
use heapwise_engine::shapes::declare::declare;
use heapwise_engine::{Options, Report, analyse};
use heapwise_ir::Program;
use heapwise_property::Reason;

fn analysed(program: &Program) -> (Report, Options) {
    let declarations = declare(program, &[]).expect("the declarations are right");
    let options = Options { declarations, ..options() };
    (analyse(program, &options), options)
}

#[test]
fn proved_shapes_hold_in_concrete_memories() {
    let mut shapes = 0;
    for path in common::programs("tests/shapes") {
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let name = path.display();
        let program = common::with_declarations(&name.to_string(), &text);
        let (report, options) = analysed(&program);
        assert!(report.alarms.is_empty(), "{name} is proved: {:?}", report.alarms);
        let tally = judged(&program, &report, &options, 12);
        assert!(tally.violations.is_empty(), "{name}:\n{}", tally.violations.join("\n"));
        assert_eq!(tally.undecided, 0, "{name}");
        assert!(tally.shapes >= 12, "{name}: only {} shapes were looked at", tally.shapes);
        shapes += tally.shapes;
    }
    eprintln!("{shapes} shapes held in memory");
    assert!(shapes > 300, "only {shapes} shapes were looked at");
}

const PRELUDE: &str = "
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void __heapwise_check_shape(const char *);
struct node { struct node *next; int data; };
/*@ predicate list(x) = x == null | x -> struct node { next: n, data: _ } * list(n); */
static struct node *cell(struct node *next, int data) {
    struct node *x = malloc(sizeof *x);
    x->next = next;
    x->data = data;
    return x;
}
";

/// Runs over a program that checks one shape, whether the analysis thinks that it is proved or not.
fn claimed(body: &str, shape: &str) -> (bool, Tally) {
    let text =
        format!("{PRELUDE}\nint main(void) {{ {body} __heapwise_check_shape(\"{shape}\"); return 0; }}\n");
    let program = common::with_declarations("shape.c", &text);
    let (mut report, options) = analysed(&program);
    let proved = report.alarms.iter().all(|a| a.kind != Reason::Shape);
    report.alarms.retain(|a| a.kind != Reason::Shape);
    (proved, judged(&program, &report, &options, 40))
}

#[test]
fn false_shapes_are_found_to_be_false() {
    let two = "struct node *a = cell(NULL, 1), *b = cell(a, 2); int n = 2;";
    let ring = "struct node *a = cell(NULL, 1), *b = cell(a, 2); a->next = b;";
    let shared = "struct node *t = cell(NULL, 0), *a = cell(t, 1), *b = cell(t, 2);";
    let some = "struct node *a = NULL; while (__VERIFIER_nondet_int() > 0) a = cell(a, 3);";
    let cases = [
        (two, "list(b)", true),
        (two, "list(b; a) * list(a)", true),
        (two, "b -> struct node { next: a, data: n } * list(a)", true),
        (two, "list(a) * list(b)", false),
        (two, "list(b; null) * a -> struct node { next: null, data: _ }", false),
        (two, "b -> struct node { next: null, data: _ }", false),
        (two, "b -> struct node { next: a, data: n } * list(a) && n > 2", false),
        (ring, "list(b)", false),
        (ring, "list(b; a) * a -> struct node { next: b, data: 1 }", true),
        (ring, "list(b; a) * a -> struct node { next: b, data: 2 }", false),
        (shared, "list(a) * b -> struct node { next: t, data: _ }", true),
        (shared, "list(a) * list(b)", false),
        (some, "list(a)", true),
        (some, "a -> struct node { next: n, data: _ } * list(n)", false),
        (some, "list(a) && a == null", false),
    ];
    for (body, shape, holds) in cases {
        let (proved, tally) = claimed(body, shape);
        assert!(tally.shapes > 0, "`{shape}` was looked at");
        assert_eq!(tally.violations.is_empty(), holds, "`{shape}` after `{body}`: {:?}", tally.violations);
        assert_eq!(proved, holds, "the analysis agrees about `{shape}` after `{body}`");
        if !holds {
            let wrong = |v: &String| v.contains("the memory does not have it");
            assert!(tally.violations.iter().all(wrong), "{:?}", tally.violations);
        }
    }
}
