//! Large programs end with a verdict; limits end as `budget`, never as anything else.

mod common;

use heapwise_engine::{Kind, Options, analyse};
use heapwise_ir::Program;
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
    assert_eq!(report.alarms.iter().map(|a| a.kind).collect::<Vec<_>>(), [Kind::NullDeref]);
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
    assert!(report.alarms.iter().any(|a| a.kind == Kind::Budget), "{:?}", report.alarms);
}

#[test]
fn without_limits_there_is_no_budget_alarm() {
    let report = analyse(&with_a_loop(), &options());
    assert!(report.alarms.iter().all(|a| a.kind != Kind::Budget), "{:?}", report.alarms);
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
