//! Bugs behind much other code are shown by runs: in the middle of many independent blocks, functions or list elements.
//!
//! The effort of a hunt is counted, so what it finds here it finds on every machine.

mod common;

use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Hunt, Options};
use std::fmt::Write;

const HEAD: &str = "void *malloc(unsigned long); void free(void *); int __VERIFIER_nondet_int(void);\n\
                    struct n { struct n *next; int v; };\n";

/// What is done with a list `l` of any length that must not be.
const BUGS: [(&str, &str); 3] = [
    ("a block is lost", "if (l && l->next) { struct n *s = l->next; l->next = s->next; }"),
    ("a freed block is used", "if (l && l->next) { free(l->next); l->next->v = 1; l->next = 0; }"),
    ("a block is freed twice", "if (l) free(l);"),
];

/// A list is made and given back; in between something may go wrong.
fn block(bug: &str) -> String {
    format!(
        "{{ struct n *l = 0;\n\
         while (__VERIFIER_nondet_int()) {{ struct n *x = malloc(sizeof *x); x->next = l; x->v = 0; l = x; }}\n\
         {bug}\n\
         while (l) {{ struct n *t = l->next; free(l); l = t; }} }}\n"
    )
}

/// So many blocks in a row, the one in the middle with a bug.
fn blocks(n: usize, bug: &str) -> String {
    let all = (0..n).map(|i| block(if i == n / 2 { bug } else { "" }));
    format!("{HEAD}int main(void) {{ {} return 0; }}\n", all.collect::<String>())
}

/// The same, each in a function.
fn functions(n: usize, bug: &str) -> String {
    let mut text = HEAD.to_owned();
    let mut calls = String::new();
    for i in 0..n {
        let _ = writeln!(text, "void f{i}(void) {}", block(if i == n / 2 { bug } else { "" }));
        let _ = write!(calls, "f{i}(); ");
    }
    format!("{text}int main(void) {{ {calls} return 0; }}\n")
}

/// One list, with a bug at an element that is far from both ends.
fn elements(n: usize, bug: &str) -> String {
    format!(
        "{HEAD}int main(void) {{ struct n *list = 0; int m = __VERIFIER_nondet_int();\n\
         for (int i = 0; i < m; i++) {{ struct n *x = malloc(sizeof *x); x->next = list; x->v = i; list = x; }}\n\
         int k = 0; for (struct n *l = list; l; l = l->next) {{ if (k == {}) {{ {bug} }} k++; }}\n\
         while (list) {{ struct n *t = list->next; free(list); list = t; }} return 0; }}\n",
        n / 2
    )
}

fn found(text: &str) -> bool {
    let program = common::from_preprocessed("hidden.c", text).expect("it is C");
    find_error(&program, &Options::default(), &Hunt::default()).is_some()
}

#[test]
fn bugs_in_the_middle_are_shown() {
    let n = if common::is_long() { 256 } else { 48 };
    let programs: Vec<(String, String)> = BUGS
        .into_iter()
        .flat_map(|(what, bug)| {
            [
                (format!("{what} in one of {n} blocks"), blocks(n, bug)),
                (format!("{what} in one of {n} functions"), functions(n, bug)),
                (format!("{what} at one of 5000 elements"), elements(5_000, bug)),
                (format!("{what} at one of 100000 elements"), elements(100_000, bug)),
            ]
        })
        .collect();
    common::parallel::each(&programs, |(what, text)| assert!(found(text), "{what}"));
    assert!(!found(&blocks(n, "")), "an error in blocks without any");
}
