//! What is told apart at single loops grows from alarms, at the loops on the way back from them and at no others.

mod common;

use heapwise_engine::{Entry, Grows, Options, Report, analyse};
use heapwise_ir::Program;

const COMMON: &str = "
extern void *malloc(unsigned long);
extern void free(void *);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
struct task { int state; struct task *next; };
";

fn report(text: &str) -> (Program, Report) {
    let program = common::from_preprocessed("t.c", &format!("{COMMON}{text}")).expect("the text is C");
    let report = analyse(&program, &Options::default());
    (program, report)
}

/// The lines of the loops that have an entry, counted in the text.
fn loops(program: &Program, report: &Report) -> Vec<u32> {
    let line = |entry: &Entry| {
        let body = program.body(entry.function).expect("it was analysed");
        let span = body.blocks.get(entry.head).expect("it is a block").terminator.span;
        let line = program.sources.location(span.lo).expect("it is in the text").line;
        line - COMMON.lines().count() as u32
    };
    let mut lines: Vec<u32> = report.entries.iter().map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

const STATES: &str = "int main(void) {
    struct task *all = 0;
    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t); t->state = 0; t->next = all; all = t;
    }
    for (struct task *t = all; t; t = t->next)
        if (__VERIFIER_nondet_int()) t->state = 1;
    for (struct task *t = all; t; t = t->next) {
        if (t->state != 0 && t->state != 1) *(int *)0 = 0;
        t->state = 2;
    }
    while (all) {
        if (all->state != 2) *(int *)0 = 0;
        struct task *next = all->next; free(all); all = next;
    }
    return 0;
}";

#[test]
fn loops_that_an_alarm_asks_for_get_entries_and_others_do_not() {
    let (program, report) = report(STATES);
    assert!(report.alarms.is_empty(), "{:?}", report.alarms);
    assert!(report.entries.iter().all(|e| e.kind == Grows::Objects), "{:?}", report.entries);
    // The loops that change elements, not the ones that build and free the list.
    assert_eq!(loops(&program, &report), [6, 8]);
}

#[test]
fn an_alarm_with_no_loop_before_it_asks_for_nothing() {
    let text = "int main(void) {
    int *p = 0;
    if (__VERIFIER_nondet_int()) *p = 1;
    struct task *all = 0;
    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t); t->next = all; all = t;
    }
    while (all) { struct task *next = all->next; free(all); all = next; }
    return 0;
}";
    let (_, report) = report(text);
    assert!(!report.alarms.is_empty());
    assert!(report.entries.is_empty(), "{:?}", report.entries);
}

#[test]
fn a_loop_in_a_function_that_was_called_before_the_alarm_may_be_asked_for() {
    let text = "static struct task *build(void) {
    struct task *all = 0;
    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t); t->state = __VERIFIER_nondet_int(); t->next = all; all = t;
    }
    return all;
}
int main(void) {
    struct task *all = build();
    if (all && all->state == 7) *(int *)0 = 0;
    while (all) { struct task *next = all->next; free(all); all = next; }
    return 0;
}";
    let (program, report) = report(text);
    assert!(!report.alarms.is_empty(), "the alarm is real, whatever is told apart");
    assert_eq!(loops(&program, &report), [3]);
}
