//! `heapwise contracts`, and `heapwise check` on files without `main`.

mod common;

use common::{Scratch, heapwise, root};
use std::path::PathBuf;

fn run(arguments: &[&str], file: &PathBuf) -> common::Answer {
    common::Answer::from(heapwise().args(arguments).arg(file).output().unwrap())
}

/// Functions are marked `//~ FINDING code` or `//~ FINE` on the line of their definition.
#[test]
fn errors_that_happen_whoever_calls() {
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("tests/open/bad")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let answer = run(&["contracts", "--malloc-may-fail", "--format", "json"], &path);
        let object: serde_json::Value = serde_json::from_str(&answer.stdout).expect("a JSON object");
        for f in object["functions"].as_array().unwrap() {
            let place = f["place"].as_str().unwrap();
            let line: usize = place.rsplit(':').nth(1).unwrap().parse().unwrap();
            let mark = text.lines().nth(line - 1).and_then(|l| l.split_once("//~ ")).expect("a mark").1;
            let codes: Vec<&str> =
                f["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
            let expected: Vec<&str> = mark.strip_prefix("FINDING ").into_iter().collect();
            assert_eq!(codes, expected, "{place}: {f}");
            seen += 1;
        }
        assert_eq!(answer.code, Some(1));
    }
    assert!(seen >= 12);
}

/// No function of the good ones has an error, allocations that fail included.
#[test]
fn good_functions_have_no_errors() {
    for name in ["sll.c", "nested.c"] {
        let answer = run(&["contracts", "--format", "json"], &root().join("tests/open").join(name));
        let object: serde_json::Value = serde_json::from_str(&answer.stdout).expect("a JSON object");
        for f in object["functions"].as_array().unwrap() {
            assert!(f["findings"].as_array().unwrap().is_empty(), "{f}");
            assert!(!f["contracts"].as_array().unwrap().is_empty(), "{f}");
        }
        assert_eq!(answer.code, Some(0));
    }
}

/// What is emitted is proved again.
#[test]
fn emitted_contracts_are_proved() {
    let scratch = Scratch::new("contracts-emit");
    let file = root().join("tests/open/dll.c");
    let emitted = scratch.dir.join("dll.shape");
    let answer = run(&["contracts", "--emit", emitted.to_str().unwrap()], &file);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    for function in ["create", "remove", "unlink_node", "reverse"] {
        let proof = run(&["check", "--shapes", emitted.to_str().unwrap(), "--function", function], &file);
        assert!(proof.code == Some(0) && proof.stdout.starts_with("proved"), "{function}: {proof:?}");
    }
}

#[test]
fn a_check_without_main_gives_contracts() {
    let scratch = Scratch::new("contracts-check");
    scratch.write(
        "lib.c",
        "struct n { struct n *next; };\nvoid *malloc(unsigned long);\nstatic struct n *g;\n\
         void push(void) { struct n *p = malloc(sizeof *p); p->next = g; g = p; }\n\
         int apply(int (*f)(int)) { return f(1); }\n",
    );
    let answer = scratch.heapwise("check lib.c");
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.stdout.starts_with("unknown"), "{answer:?}");
    assert!(answer.stdout.contains("ensures g -> struct n { next: \\old(g) };"), "{answer:?}");
    assert!(answer.stderr.contains("no contract was found for `apply`"), "{answer:?}");
    let named = scratch.heapwise("contracts --function push lib.c");
    assert!(
        named.code == Some(0) && named.stdout.ends_with("1 of 1 functions have a contract\n"),
        "{named:?}"
    );
}

/// A program is checked without the source of its library.
#[test]
fn calls_rely_on_contracts() {
    let scratch = Scratch::new("contracts-at-calls");
    let emitted = scratch.dir.join("sll.shape");
    run(&["contracts", "--emit", emitted.to_str().unwrap()], &root().join("tests/open/sll.c"));
    let types = "struct node { int v; struct node *next; };\n\
                 struct node *push_front(struct node *l, int v);\n\
                 struct node *reverse(struct node *l);\nvoid destroy(struct node *l);\n\
                 int __VERIFIER_nondet_int(void);\n";
    let good = "int main(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) l = push_front(l, 1);\n\
                l = reverse(l); destroy(l); return 0; }\n";
    let bad = "int main(void) { struct node *l = push_front(0, 1); destroy(l); l = reverse(l); return 0; }\n";
    let leaks = "int main(void) { struct node *l = push_front(0, 1); l = 0; return 0; }\n";
    scratch
        .write("good.c", format!("{types}{good}"))
        .write("bad.c", format!("{types}{bad}"))
        .write("leaks.c", format!("{types}{leaks}"));
    let answer = scratch.heapwise("check --contracts sll.shape good.c");
    assert!(answer.code == Some(0) && answer.stdout.starts_with("proved under assumptions"), "{answer:?}");
    let answer = scratch.heapwise("check --contracts sll.shape --timeout 10 bad.c");
    assert!(
        answer.code == Some(2) && answer.stderr.contains("the contract of `reverse` requires"),
        "{answer:?}"
    );
    let answer = scratch.heapwise("check --contracts sll.shape --timeout 10 leaks.c");
    assert!(answer.code == Some(2) && answer.stderr.contains("leak"), "{answer:?}");
    assert_eq!(scratch.heapwise("check --timeout 10 good.c").code, Some(2));
}
