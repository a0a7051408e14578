//! Verification tasks: definitions, answers, scores, limits.

mod common;
use common::{Scratch, heapwise};
use serde_json::Value;

const LEAK: &str = "extern int __VERIFIER_nondet_int(void);\nextern void *malloc(unsigned int);\n\
                    int main(void) {\n  void *p = malloc(4);\n  if (__VERIFIER_nondet_int() == 1234) p = 0;\n  \
                    return p != 0;\n}\n";

fn task(version: &str, file: &str, expected: &str) -> String {
    format!(
        "format_version: '{version}'\ninput_files: '{file}'\nproperties:\n  - property_file: p/memory.prp\n    \
         expected_verdict: {expected}\n  - property_file: p/termination.prp\n    expected_verdict: true\n"
    )
}

fn scratch(name: &str) -> Scratch {
    let s = Scratch::new(name);
    std::fs::create_dir_all(s.dir.join("p")).unwrap();
    s.write(
        "p/memory.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
         CHECK( init(main()), LTL(G valid-memtrack) )\n",
    );
    s.write("p/termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    s.write("leak.c", LEAK);
    s.write("safe.c", "int main(void) { return 0; }\n");
    s
}

#[test]
fn answers_are_compared_and_counted() {
    let s = scratch("task_answers");
    s.write("leak.yml", task("1.0", "leak.c", "false\n    subproperty: valid-memtrack"));
    s.write("safe.yml", task("2.0", "safe.c", "true"));
    let answer = s.heapwise("task --json --timeout 5 leak.yml safe.yml");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let report: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(report["answers"].as_array().unwrap().len(), 2, "termination is not asked");
    assert_eq!(report["answers"][0]["subproperty"], "valid-memtrack");
    assert_eq!(report["summary"]["valid-memsafety"]["score"], 3);
    let csv = s.heapwise("task --csv --timeout 5 .");
    assert_eq!(csv.stdout.lines().count(), 3, "{csv:?}");
}

#[test]
fn wrong_answers_are_shown_and_cost_points() {
    let s = scratch("task_wrong");
    s.write("leak.yml", task("2.0", "leak.c", "true"));
    s.write("safe.yml", task("2.0", "safe.c", "true"));
    let answer = s.heapwise("task --only-wrong --timeout 5 .");
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let lines: Vec<&str> = answer.stdout.lines().collect();
    assert!(lines[0].starts_with("WRONG"), "{answer:?}");
    assert!(answer.stdout.contains("-14 of 4"), "{answer:?}");
}

#[test]
fn a_task_that_cannot_be_read_costs_itself_only() {
    let s = scratch("task_bad");
    s.write("bad.c", "int main(void) { return }\n");
    s.write("bad.yml", task("2.0", "bad.c", "true"));
    s.write("gone.yml", task("2.0", "gone.c", "true"));
    s.write("safe.yml", task("2.0", "safe.c", "true"));
    s.write("other.yml", "x: 1\n");
    let answer = s.heapwise("task --timeout 5 .");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.stdout.contains("2 of 6"), "{answer:?}");
    assert!(answer.stderr.contains("other.yml: error[bad-task]"), "{answer:?}");
    let named = s.heapwise("task other.yml");
    assert_eq!(named.code, Some(3));
}

#[test]
fn too_little_memory_is_an_unknown() {
    let s = scratch("task_memory");
    s.write(
        "grow.c",
        "extern void *malloc(unsigned int);\nextern int __VERIFIER_nondet_int(void);\n\
         struct s { struct s *a, *b; int x; };\nint main(void) {\n  struct s *p = 0;\n  \
         while (__VERIFIER_nondet_int()) {\n    struct s *q = malloc(sizeof *q);\n    q->a = p;\n    \
         q->b = __VERIFIER_nondet_int() ? p : q;\n    q->x = __VERIFIER_nondet_int();\n    p = q;\n  }\n  \
         while (p) p = p->a;\n  return 0;\n}\n",
    );
    let mut command = heapwise();
    command.args(["check", "--max-memory", "1", "--property", "deref", "--timeout", "10", "grow.c"]);
    let answer = s.run(&mut command);
    assert_eq!(answer.stdout, "unknown\n", "{answer:?}");
    assert!(answer.stderr.contains("[budget]"), "{answer:?}");
}

/// A program without inputs is proved by its run, unless that depends on the machine.
#[test]
fn the_only_run_is_a_proof() {
    let s = scratch("task_only_run");
    let program = |look: &str| {
        format!(
            "extern void *malloc(unsigned int);\nextern void free(void *);\nextern void reach_error(void);\n\
             int main(void) {{\n  int *a = malloc(40);\n  int *b = malloc(40);\n  int sum = 0;\n  \
             for (int i = 0; i < 10; i++) a[i] = (i * 7) % 10;\n  for (int i = 0; i < 10; i++) sum += a[a[i]];\n  \
             if (sum != 45) reach_error();\n  if ({look}) reach_error();\n  free(a);\n  free(b);\n  return 0;\n}}\n"
        )
    };
    s.write("plain.c", program("a == b"));
    s.write("order.c", program("b < a"));
    s.write("number.c", program("((unsigned int)a & 15) != 0"));
    let verdict =
        |file: &str| s.heapwise(&format!("check --m32 --spec unreach-call --timeout 5 {file}")).stdout;
    assert_eq!(verdict("plain.c"), "proved\n");
    assert_eq!(verdict("order.c"), "unknown\n");
    assert_eq!(verdict("number.c"), "unknown\n");
}

/// A program with finitely many runs up to inputs that make no difference is proved by them.
#[test]
fn finitely_many_runs_are_a_proof() {
    let s = scratch("task_finite");
    let program = |limit: i32, value: &str| {
        format!(
            "extern void *malloc(unsigned int);\nextern void free(void *);\n\
             extern int __VERIFIER_nondet_int(void);\nstruct n {{ struct n *next; int tag; }};\n\
             static int positive(int x) {{ return x > 0; }}\n\
             int main(void) {{\n  int sizes[4] = {{1, 2, 3, 4}};\n  struct n *list = 0;\n  int i = 0;\n  \
             while (i < 4 && __VERIFIER_nondet_int()) {{\n    struct n *x = malloc(sizeof *x);\n    \
             x->next = list;\n    x->tag = {value};\n    list = x;\n    i++;\n  }}\n  \
             int sum = 0;\n  for (struct n *x = list; x; x = x->next)\n    if (x->tag) sum = sum * 3 % 7 + sizes[i - 1];\n  \
             if (i == {limit} && list->tag) sizes[sum * 0 + 4] = 0;\n  \
             while (list) {{\n    struct n *next = list->next;\n    free(list);\n    list = next;\n  }}\n  return 0;\n}}\n"
        )
    };
    let verdict =
        |file: &str| s.heapwise(&format!("check --m32 --spec valid-memsafety --timeout 8 {file}")).stdout;
    s.write("good.c", program(5, "positive(__VERIFIER_nondet_int())"));
    assert_eq!(verdict("good.c"), "proved\n");
    // One path of many goes wrong.
    s.write("bad.c", program(4, "positive(__VERIFIER_nondet_int())"));
    assert_eq!(verdict("bad.c"), "error\n");
    s.write("rare.c", program(4, "__VERIFIER_nondet_int() == -77777"));
    assert_eq!(verdict("rare.c"), "error\n");
    // The input is not only compared with constants.
    s.write("masked.c", program(4, "(__VERIFIER_nondet_int() & 0x7f7f7f7f) == 0x12345678 + 1"));
    assert_ne!(verdict("masked.c"), "proved\n");
}
