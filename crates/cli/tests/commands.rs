//! The commands on good input: outputs, exit codes, linking, data models, compilation databases.

// Tests say on standard error why they skip something.
#![allow(clippy::print_stderr, clippy::print_stdout)]

mod common;
use common::{Scratch, heapwise, root};
use expect_test::expect;
use serde_json::Value;

#[test]
fn ir_is_a_listing_with_source_lines() {
    let s = Scratch::new("ir_listing");
    s.write(
        "list.c",
        "struct node { struct node *next; int value; };\n\
         int sum(struct node *l) {\n\
         \x20   int total = 0;\n\
         \x20   while (l) {\n\
         \x20       total += l->value;\n\
         \x20       l = l->next;\n\
         \x20   }\n\
         \x20   return total;\n\
         }\n",
    );
    let answer = s.heapwise("ir --verify -f sum list.c");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        fn sum(struct node *l) -> int  ; list.c:2:5
          let int total
          let int _2
          let int _3
          let int _4
          let int _5
          b0:
            ; list.c:3:9  int total = 0;
            live total
            total = 0
            ; list.c:4:5  while (l) {
            goto b1
          b1:
            branch l ? b2 : b3
          b2:
            ; list.c:5:18  total += l->value;
            _4 = load4 l->value@8
            total = total + _4
            ; list.c:6:13  l = l->next;
            l = load8 l->next@0
            ; list.c:4:5  while (l) {
            goto b1
          b3:
            ; list.c:8:12  return total;
            _5 = total
            dead total
            return _5

    "#]]
    .assert_eq(&answer.stdout);
    let narrow = s.heapwise("ir --m32 -f sum list.c").stdout;
    assert!(narrow.contains("load4 l->value@4") && narrow.contains("load4 l->next@0"), "{narrow}");
    assert_eq!(s.heapwise("ir -f nothing list.c").code, Some(3));
}

#[test]
fn run_gives_output_and_status() {
    let s = Scratch::new("run_status");
    s.write(
        "a.c",
        "#include <stdio.h>\n#include <string.h>\n\
         int main(int argc, char **argv) {\n\
         for (int i = 1; i < argc; i++) printf(\"<%s>\", argv[i]);\n\
         return argc > 1 ? (int)strlen(argv[1]) : N; }\n",
    );
    let answer = s.heapwise("run a.c -- -DN=42");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(42), ""), "{answer:?}");
    let answer = s.heapwise("run a.c seven b.c -- -DN=42");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(5), "<seven><b.c>"), "{answer:?}");
    let answer = s.heapwise("run a.c --args -v x.c --m32 -- -DN=42");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), "<-v><x.c><--m32>"), "{answer:?}");
}

#[test]
fn run_knows_the_data_model() {
    let s = Scratch::new("run_model");
    s.write("a.i", "int main(void) { return 10 * sizeof(long) + sizeof(void *); }\n");
    assert_eq!(s.heapwise("run a.i").code, Some(88));
    assert_eq!(s.heapwise("run --m32 a.i").code, Some(44));
    assert_eq!(s.heapwise("run --m64 a.i").code, Some(88));
}

#[test]
fn files_are_linked_into_one_program() {
    let s = Scratch::new("linking");
    s.write("a.c", "extern int shared; int add(int); static int f(void) { return 1; }\n int main(void) { int sum = add(f()); return sum + shared; }\n");
    s.write(
        "b.c",
        "int shared = 7; static int f(void) { return 30; }\n int add(int x) { return x + f(); }\n",
    );
    assert_eq!(s.heapwise("run a.c b.c").code, Some(38));
    let alone = s.heapwise("run a.c");
    assert_eq!(alone.code, Some(125), "{alone:?}");
    assert!(alone.stderr.contains("error[undefined-function]"), "{}", alone.stderr);
    s.write("c.c", "int helper(void) { return 1; }\n");
    let no_main = s.heapwise("run c.c");
    assert_eq!(no_main.code, Some(3), "{no_main:?}");
    assert!(no_main.stderr.contains("`main`"), "{}", no_main.stderr);
}

#[test]
fn an_error_is_reported_with_its_history() {
    let answer =
        Scratch::new("history").run(heapwise().arg("run").arg(root().join("examples/bug_use_after_free.c")));
    assert_eq!(answer.code, Some(125), "{answer:?}");
    for part in [
        "error[use-after-free]",
        "bug_use_after_free.c:22:",
        "for (struct node *n = list; n; n = n->next) {",
        "allocated here",
        "bug_use_after_free.c:11:",
        "freed here",
        "bug_use_after_free.c:25:",
        "call stack:",
        "remove_all at ",
        "main at ",
    ] {
        assert!(answer.stderr.contains(part), "no `{part}` in\n{}", answer.stderr);
    }
}

#[test]
fn leaks_are_found_when_asked_for() {
    let s = Scratch::new("leaks");
    let leak = root().join("examples/bug_leak.c");
    assert_eq!(s.run(heapwise().arg("run").arg(&leak)).code, Some(0));
    for policy in ["reachable", "none"] {
        let answer = s.run(heapwise().args(["run", "--leaks", policy]).arg(&leak));
        assert_eq!(answer.code, Some(125), "{answer:?}");
        assert!(answer.stderr.contains("bug_leak.c:14:"), "{}", answer.stderr);
    }
}

#[test]
fn inputs_can_be_replayed() {
    let s = Scratch::new("inputs");
    s.write(
        "a.c",
        "extern int __VERIFIER_nondet_int(void);\n\
         int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); return x - y; }\n",
    );
    assert_eq!(s.heapwise("run --inputs 50,8 a.c").code, Some(42));
    assert_eq!(s.heapwise("run --inputs 1,-1 a.c").code, Some(2));
    let short = s.heapwise("run --inputs 50 a.c");
    assert_eq!(short.code, Some(124), "{short:?}");
    let seed = |n| s.heapwise(&format!("run --wrap --seed {n} a.c"));
    assert_eq!(seed(3), seed(3));
    assert_eq!(s.heapwise("run --seed 3 --inputs 1 a.c").code, Some(3));
}

#[test]
fn limits_end_a_run() {
    let s = Scratch::new("limits");
    s.write("a.i", "int main(void) { for (;;) ; }\n");
    let answer = s.heapwise("run --max-steps 1000 a.i");
    assert_eq!(answer.code, Some(124), "{answer:?}");
    assert!(answer.stderr.contains("step"), "{}", answer.stderr);
}

#[test]
fn abort_ends_like_a_signal() {
    let s = Scratch::new("abort");
    s.write("a.c", "#include <stdlib.h>\nint main(void) { abort(); }\n");
    assert_eq!(s.heapwise("run a.c").code, Some(134));
}

#[test]
fn undefined_behaviour_as_json() {
    let s = Scratch::new("json");
    s.write("a.i", "int main(void) { int a[2] = {1, 2}; int i = 2; return a[i]; }\n");
    let answer = s.heapwise("run --format json a.i");
    assert_eq!(answer.code, Some(125));
    let object: Value = serde_json::from_str(&answer.stderr).unwrap();
    let finding = &object["findings"][0];
    assert_eq!(finding["code"], "out-of-bounds");
    assert_eq!(finding["place"]["line"], 1);
    assert_eq!(finding["stack"][0]["function"], "main");
}

#[test]
fn check_says_unknown_with_a_reason_or_better() {
    let s = Scratch::new("check");
    s.write("a.c", "int main(void) { return 0; }\n");
    let answer = s.heapwise("check a.c");
    assert!(matches!(answer.code, Some(0 | 2)), "{answer:?}");
    assert!(matches!(answer.stdout.trim(), "proved" | "unknown"), "{answer:?}");
    let answer = s.heapwise("check --format json a.c");
    let object: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert!(object["verdict"].is_string() && object["findings"].is_array());
}

#[test]
fn a_compilation_database_gives_the_flags() {
    let s = Scratch::new("database");
    std::fs::create_dir_all(s.dir.join("src/include")).unwrap();
    s.write("src/include/n.h", "#define N 40\n");
    s.write("src/a.c", "#include \"n.h\"\nint two(void); int main(void) { return N + two() + EXTRA; }\n");
    s.write("src/b.c", "int two(void) { return TWO; }\n");
    s.write(
        "compile_commands.json",
        r#"[{"directory": "src", "file": "a.c", "command": "gcc -Iinclude '-DEXTRA=0' -c a.c -o a.o"},
            {"directory": "src", "file": "b.c", "arguments": ["cc", "-DTWO=2", "-MD", "-c", "b.c"]}]"#,
    );
    assert_eq!(s.heapwise("run -p .").code, Some(42));
    assert_eq!(s.heapwise("run -p compile_commands.json src/a.c src/b.c").code, Some(42));
    assert_eq!(s.heapwise("ir --summary -p . src/b.c").code, Some(0));
}

#[test]
fn the_examples_run() {
    let s = Scratch::new("examples");
    for (name, output) in [
        ("list", "0 1 4 9 16 \n"),
        ("queue", "5 3 1 0 2 4 \n"),
        ("tree", "10 20 25 30 50 60 65 70 80 \n"),
        ("intrusive", "ready 2\nready 0\n"),
    ] {
        for model in ["--m32", "--m64"] {
            let file = root().join("examples").join(format!("{name}.c"));
            let answer = s.run(heapwise().args(["run", "--leaks", "none", model]).arg(file));
            if model == "--m32" && answer.stderr.contains("error[preprocessor-failed]") {
                eprintln!("skipped: no 32-bit headers on this machine");
                continue;
            }
            assert_eq!(
                (answer.code, answer.stdout.as_str()),
                (Some(0), output),
                "{name} {model}: {}",
                answer.stderr
            );
        }
    }
    let nested = root().join("examples/nested.c");
    let answer = s.run(heapwise().arg("run").arg(nested).args(["it", "was", "cold.", "snow", "fell."]));
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (Some(0), "fell. snow \ncold. was it \n"),
        "{answer:?}"
    );
    let nondet = root().join("examples/nondet.c");
    let answer = s.run(heapwise().args(["run", "--leaks", "none", "--inputs", "3,1,2,0"]).arg(nondet));
    assert_eq!(answer.code, Some(0), "{answer:?}");
}

/// The examples are what newcomers try first: none is left open.
#[test]
fn every_example_is_proved_or_an_error_on_purpose() {
    let s = Scratch::new("examples_answered");
    for file in std::fs::read_dir(root().join("examples")).unwrap().map(|e| e.unwrap().path()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let answer = s.run(heapwise().args(["check", "-q", "--timeout", "60"]).arg(&file));
        let expected = if name.starts_with("bug_") { "error\n" } else { "proved\n" };
        assert_eq!(answer.stdout, expected, "{name}: {}", answer.stderr);
    }
}

#[test]
fn columns_are_those_of_the_file() {
    let s = Scratch::new("columns_are_those_of_the_file");
    s.write(
        "a.c",
        "#include <stddef.h>\n#define NEXT(p) ((p)->next)\nstruct n { struct n *next; };\nint main(void)\n{\n    \
         struct n *x = NULL;   /* none */ return x == NULL ? NEXT(x) != NULL : 0;\n}\n",
    );
    let answer = s.heapwise("run a.c");
    assert_eq!(answer.code, Some(125), "{answer:?}");
    let text = std::fs::read_to_string(s.dir.join("a.c")).unwrap();
    let line = text.lines().nth(5).unwrap();
    let column = line.find("NEXT(x)").unwrap() + 1;
    assert!(answer.stderr.contains(&format!("a.c:6:{column}")), "{}", answer.stderr);
    assert!(answer.stderr.contains(line.trim()), "{}", answer.stderr);
    assert!(!answer.stderr.contains("# 6"), "{}", answer.stderr);
}

#[test]
fn statistics_are_printed_and_part_of_the_json() {
    let s = Scratch::new("check_stats");
    s.write(
        "list.c",
        "extern void *malloc(unsigned long);\nextern void free(void *);\nextern int __VERIFIER_nondet_int(void);\n\
         struct node { struct node *next; int data; };\nint main(void) {\n  struct node *l = 0, *p;\n  \
         while (__VERIFIER_nondet_int()) {\n    p = malloc(sizeof *p);\n    p->data = 0;\n    p->next = l;\n    \
         l = p;\n  }\n  while (l) {\n    p = l->next;\n    free(l);\n    l = p;\n  }\n  return 0;\n}\n",
    );
    for strategy in ["any", "clumpg", "clump", "canong", "canon", "none"] {
        let answer = s.heapwise(&format!("check --runs 0 --stats --strategy {strategy} list.c"));
        assert!(answer.stdout.starts_with("proved\ndisjuncts: "), "{strategy}: {answer:?}");
        assert!(answer.stdout.contains("\njoins: ") && answer.stdout.contains("\ntime: "), "{answer:?}");
    }
    let answer = s.heapwise("check --runs 0 --format json list.c");
    let report: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(report["statistics"]["exit_disjuncts"], 1, "{answer:?}");
    assert!(report["statistics"]["head_disjuncts"].as_u64().is_some_and(|n| n >= 1), "{answer:?}");
    assert!(report["statistics"]["imprecise_joins"].is_null(), "{answer:?}");
}
