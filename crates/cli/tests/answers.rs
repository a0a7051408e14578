//! What answers say: the least of errors last, vacuous proofs, causes before consequences, and what a user interrupts.

mod common;

use common::{Answer, Scratch, heapwise};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn checked(name: &str, program: &str, options: &str) -> Answer {
    let scratch = Scratch::new(&format!("answer_{name}"));
    scratch.write("a.c", program);
    scratch.heapwise(&format!("check --timeout 20 {options} a.c"))
}

fn verdict(answer: &Answer) -> &str {
    answer.stdout.lines().next().unwrap_or_default()
}

#[test]
fn what_main_still_holds_is_the_least_of_errors() {
    let list = |rest: &str| {
        format!(
            "#include <stdlib.h>\nstruct n {{ struct n *next; }};\nint main(int argc, char **argv) {{ struct n *l = 0; (void)argv; for (int i = 0; i < argc; i++) {{ struct n *n = malloc(sizeof *n); if (!n) exit(1); n->next = l; l = n; }} {rest} return l != 0; }}\n"
        )
    };
    let held = checked("held", &list(""), "");
    assert_eq!(verdict(&held), "error", "{held:?}");
    assert!(held.stderr.contains("error[held-at-return]"), "{}", held.stderr);
    assert_eq!(verdict(&checked("held_allowed", &list(""), "--allow-held")), "proved");
    assert_eq!(verdict(&checked("held_no_runs", &list(""), "--allow-held --runs 0")), "proved");
    // Other errors come first, though runs meet them later.
    let null = checked("held_null", &list("if (argc == 7) return *(int *)0;"), "");
    assert!(null.stderr.contains("error[null-deref]"), "{}", null.stderr);
    for (name, lost) in [("lost", "l = 0;"), ("inner", "{ char *k = malloc(3); (void)k; } l = l;")] {
        for options in ["", "--allow-held"] {
            let answer = checked(name, &list(lost), options);
            assert!(answer.stderr.contains("error[lost-block]"), "{name} {options}: {}", answer.stderr);
        }
    }
    // The competition asks for all of it.
    let answer = checked("held_spec", &list(""), "--spec valid-memsafety --format json");
    assert!(answer.stdout.contains("\"valid-memtrack\""), "{}", answer.stdout);
}

#[test]
fn a_proof_of_runs_that_never_end_says_so() {
    for (program, says) in [
        ("#include <stdio.h>\nint main(void) { for (;;) getchar(); return 0; }\n", true),
        ("int main(int argc, char **argv) { (void)argv; while (argc > 1) argc ^= 0; return 0; }\n", false),
        ("int main(int argc, char **argv) { (void)argv; return argc > 2; }\n", false),
    ] {
        let answer = checked("end", program, "");
        assert_eq!(verdict(&answer), "proved", "{program}: {answer:?}");
        assert_eq!(answer.stderr.contains("note[end-not-reached]"), says, "{program}: {}", answer.stderr);
    }
    let entry = "int f(int x) { while (x != 3 || x == 3) x ^= 1; return x; }\n";
    let answer = checked("end_entry", entry, "--entry f");
    assert!(answer.stderr.contains("no run comes to the end of `f`"), "{answer:?}");
    // A contract without a postcondition says nothing of the end.
    let contract = "/*@ requires p -> [4] { @0:4: _ }; */ int f(int *p) { return *p; }\n";
    let answer = checked("end_contract", contract, "--function f");
    assert_eq!(verdict(&answer), "proved", "{answer:?}");
    assert!(!answer.stderr.contains("end-not-reached"), "{}", answer.stderr);
}

#[test]
fn errors_behind_long_loops_are_found() {
    for (name, program) in [
        (
            "counter",
            "int main(void) { int a[4] = { 0 }; unsigned i = 0; while (i != 0xfffffff0u) i++; return a[i]; }\n",
        ),
        (
            "sum",
            "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) { int *p = 0; unsigned n = __VERIFIER_nondet_uint(), s = 0; for (unsigned i = 0; i < 4000000000u; i++) s += 2; if (s == n) return *p; return 0; }\n",
        ),
        (
            "block",
            "#include <stdlib.h>\nint main(void) { char *p = malloc(10); for (unsigned long i = 0; i < 5000000000ul; i++) { } p[10] = 1; free(p); return 0; }\n",
        ),
    ] {
        let answer = checked(name, program, "");
        assert_eq!(verdict(&answer), "error", "{name}: {answer:?}");
    }
    let fine = "int main(void) { int a[4] = { 0 }; unsigned i = 0; while (i != 0xfffffff0u) i++; return a[i - 0xfffffff0u]; }\n";
    assert_eq!(verdict(&checked("counter_fine", fine, "")), "proved");
}

#[test]
fn the_first_cause_comes_before_what_the_front_end_says() {
    let program = "int main(void) { int x = 1; int y = nowhere(&x); return y / x; }\n";
    let answer = checked("cause", program, "");
    let at = |code: &str| answer.stderr.find(code).unwrap_or_else(|| panic!("{code}: {}", answer.stderr));
    assert!(at("[unknown-call]") < at("[implicit-declaration]"), "{}", answer.stderr);
}

#[test]
fn an_interrupt_leaves_a_table_that_says_so() {
    let scratch = Scratch::new("answer_interrupt");
    let slow = "extern int __VERIFIER_nondet_int(void);\nint main(void) { unsigned long n = (unsigned)__VERIFIER_nondet_int(), laps = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; laps++; } return laps == 1000000 ? *(int *)0 : 0; }\n";
    for file in ["a.c", "b.c", "c.c"] {
        scratch.write(file, slow);
    }
    let entry = |f: &str| format!("{{\"directory\": \".\", \"file\": \"{f}\", \"command\": \"cc -c {f}\"}}");
    let entries: Vec<String> = ["a.c", "b.c", "c.c"].map(entry).into();
    scratch.write("compile_commands.json", format!("[{}]", entries.join(",")));
    let start = Instant::now();
    let mut check = heapwise();
    check.args(["check", "--timeout", "60", "--jobs", "2", "-p", "compile_commands.json"]);
    let child =
        check.current_dir(&scratch.dir).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(start.elapsed() < Duration::from_secs(50), "it goes on for long");
    assert!(text.contains("interrupted: this report is not complete"), "{text}");
    assert!(text.contains("not begun") && text.contains("executables:"), "{text}");
    assert_eq!(output.status.code(), Some(2), "{text}");
}
