//! Large programs end with a verdict; limits end as `budget`, never as anything else.

mod common;

use heapwise_engine::{Options, analyse};
use heapwise_ir::Program;
use heapwise_property::{ErrorKind, Reason};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const COMMON: &str = "
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };
";

fn program(text: &str) -> Program {
    common::from_preprocessed("generated.c", &format!("{COMMON}{text}")).expect("the generated text is C")
}

/// One pass is enough to see that a program is too much: that the result is a post-fixpoint is checked elsewhere.
fn options() -> Options {
    Options { recheck: false, ..Options::default() }
}

#[test]
fn ten_thousand_statements_in_a_row_are_proved() {
    let mut text =
        "int main(void) { int a = 0, b = 1; struct node n; n.next = 0; n.data = 0; struct node *p = &n;\n"
            .to_owned();
    for i in 0..2_500 {
        let _ = writeln!(text, "a = a + b; b = {i}; p->data = a; p->next = p;");
    }
    text.push_str("return p->next == p ? 0 : *(int *)0; }\n");
    let report = analyse(&program(&text), &options());
    assert!(report.alarms.is_empty(), "{:?}", report.alarms);
    assert!(report.statistics.steps > 10_000);
}

#[test]
fn the_last_of_ten_thousand_statements_counts() {
    let mut text = "int main(void) { int a = 0; int *p = &a;\n".to_owned();
    for i in 0..10_000 {
        let _ = writeln!(text, "*p = {i};");
    }
    text.push_str("p = 0; return *p; }\n");
    let report = analyse(&program(&text), &options());
    assert_eq!(report.alarms.iter().map(|a| a.kind).collect::<Vec<_>>(), [ErrorKind::NullDeref]);
}

#[test]
fn a_thousand_functions_are_proved() {
    let mut text = String::new();
    for i in 0..1_000 {
        let _ = writeln!(
            text,
            "static struct node *push{i}(struct node *l) {{ struct node *n = malloc(sizeof *n); n->next = l; \
             n->data = {i}; return n; }}"
        );
    }
    text.push_str("int main(void) { struct node *l = 0;\n");
    for i in 0..1_000 {
        let _ = writeln!(text, "l = push{i}(l); free(l); l = 0;");
    }
    text.push_str("return 0; }\n");
    let report = analyse(&program(&text), &options());
    assert!(report.alarms.is_empty(), "{:?}", report.alarms);
    assert_eq!(report.statistics.entries, 1_000);
}

#[test]
fn crowds_of_disjuncts_that_differ_by_numbers_are_put_together() {
    let build = "struct node *l = 0, *p; while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->next = l; \
                 p->data = 0; l = p; }";
    let end = "while (l) { p = l->next; free(l); l = p; } return x < 0;";
    let (mut cases, mut pushes) = (String::new(), String::new());
    for i in 0..300 {
        let _ = writeln!(cases, "case {i}: if (l) l->data = {i}; x = {i}; break;");
        let _ = writeln!(
            pushes,
            "if (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p); p->next = l; p->data = {i}; l = p; }}"
        );
    }
    let cases = format!("switch (__VERIFIER_nondet_int()) {{ {cases} default: ; }}");
    for (name, text) in [("a switch", cases), ("insertions", pushes)] {
        let program = program(&format!("int main(void) {{ int x = 0; {build} {text} {end} }}"));
        let report = analyse(&program, &options());
        assert!(report.alarms.is_empty(), "{name}: {:?}", report.alarms);
        let statistics = report.statistics;
        assert!(statistics.steps < 30_000, "{name}: {} steps", statistics.steps);
        assert!(statistics.max_disjuncts <= 60, "{name}: {} disjuncts", statistics.max_disjuncts);
    }
}

/// What a list may go through, on the variable `l`.
const OPERATIONS: [(&str, &str); 4] = [
    ("insert in front", "p = malloc(sizeof *p); p->data = 1; p->next = l; l = p;"),
    (
        "insert in front or not",
        "if (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->data = 1; p->next = l; l = p; }",
    ),
    (
        "insert sorted",
        "r = malloc(sizeof *r); r->data = __VERIFIER_nondet_int(); q = 0; p = l;
         while (p && p->data < r->data) { q = p; p = p->next; } r->next = p; if (q) q->next = r; else l = r;",
    ),
    (
        "append",
        "r = malloc(sizeof *r); r->data = 3; r->next = 0;
         if (l) { p = l; while (p->next) p = p->next; p->next = r; } else l = r;",
    ),
];

/// Steps of the analysis, most disjuncts at a point and most objects in a state for an operation so many times.
fn cost(text: &str, times: usize) -> (u64, usize, usize) {
    let body = format!("{text}\n").repeat(times);
    let program = program(&format!(
        "int main(void) {{ struct node *l = 0, *p = 0, *q = 0, *r = 0;
         while (__VERIFIER_nondet_int()) {{ p = malloc(sizeof *p); p->data = 0; p->next = l; l = p; }}
         {body} while (l) {{ p = l->next; free(l); l = p; }} return 0; }}"
    ));
    let report = analyse(&program, &Options { timeout: None, record_states: true, ..options() });
    assert!(report.alarms.is_empty(), "{times} times `{text}`: {:?}", report.alarms);
    let objects = report.states.values().flatten().map(|s| s.object_count()).max();
    (report.statistics.steps, report.statistics.max_disjuncts, objects.unwrap_or(0))
}

#[test]
fn the_next_operation_of_a_long_sequence_costs_no_more_than_the_first_ones() {
    for (name, text) in OPERATIONS {
        let (few, _, _) = cost(text, 12);
        let (many, disjuncts, objects) = cost(text, 48);
        assert!(many <= 5 * few, "{name}: {few} steps for 12, {many} for 48");
        assert!(disjuncts <= 20, "{name}: {disjuncts} disjuncts");
        assert!(objects <= 25, "{name}: {objects} objects in a state");
    }
}

#[test]
fn what_is_known_of_many_blocks_in_a_row_is_not_lost() {
    // Folding forgets how many elements there are; then the program is looked at once more without it.
    let mut text = "int main(void) { struct node *l = 0, *p; int n = 0;\n".to_owned();
    for i in 0..30 {
        let _ = writeln!(text, "p = malloc(sizeof *p); p->data = {i}; p->next = l; l = p;");
    }
    for i in (0..30).rev() {
        let _ = writeln!(text, "if (l->data != {i}) *(int *)0 = 0; p = l->next; free(l); l = p;");
    }
    text.push_str("return l == 0 ? 0 : *(int *)0; }\n");
    let report = analyse(&program(&text), &Options { timeout: None, ..options() });
    assert!(report.alarms.is_empty(), "{:?}", report.alarms);
}

/// A program with a loop whose analysis needs several iterations and disjuncts.
fn with_a_loop() -> Program {
    program(
        "int main(void) { struct node *l = 0, *p, *q = 0;
         while (__VERIFIER_nondet_int()) { p = malloc(sizeof *p); p->next = l; p->data = 0; l = p;
             if (__VERIFIER_nondet_int()) q = p; }
         while (l) { p = l->next; free(l); l = p; } return q != 0; }",
    )
}

fn ends_as_budget(options: &Options) {
    let report = analyse(&with_a_loop(), options);
    assert!(report.alarms.iter().any(|a| a.kind == Reason::Budget), "{:?}", report.alarms);
}

#[test]
fn without_limits_there_is_no_budget_alarm() {
    let report = analyse(&with_a_loop(), &options());
    assert!(report.alarms.iter().all(|a| a.kind != Reason::Budget), "{:?}", report.alarms);
}

#[test]
fn no_time_ends_as_budget() {
    ends_as_budget(&Options { timeout: Some(Duration::ZERO), ..options() });
}

#[test]
fn too_few_disjuncts_end_as_budget() {
    ends_as_budget(&Options { max_disjuncts: 1, ..options() });
}

#[test]
fn too_few_steps_end_as_budget() {
    ends_as_budget(&Options { max_steps: Some(10), ..options() });
}

#[test]
fn a_raised_flag_ends_as_budget() {
    ends_as_budget(&Options { cancel: Some(Arc::new(AtomicBool::new(true))), ..options() });
}

/// Cells each of which exists if its own flag says so; the last is used if flag `asked` says so.
fn flagged_cells(n: usize, asked: usize) -> String {
    let mut text = String::from("int main(void) {\n");
    for i in 0..n {
        let _ = writeln!(
            text,
            "int *c{i} = 0; int f{i} = __VERIFIER_nondet_int(); if (f{i}) c{i} = malloc(sizeof(int));"
        );
    }
    let _ = writeln!(text, "if (f{asked}) *c{} = 1;", n - 1);
    for i in 0..n {
        let _ = writeln!(text, "if (f{i}) free(c{i});");
    }
    text.push_str("return 0; }\n");
    text
}

#[test]
fn alternatives_of_independent_cells_do_not_multiply() {
    let report = analyse(&program(&flagged_cells(40, 39)), &options());
    assert!(report.alarms.is_empty(), "{:?}", report.alarms);
    assert!(report.statistics.max_disjuncts < 40, "{}", report.statistics.max_disjuncts);
    let report = analyse(&program(&flagged_cells(40, 20)), &options());
    assert!(report.alarms.iter().any(|a| a.kind == ErrorKind::NullDeref), "{:?}", report.alarms);
}
