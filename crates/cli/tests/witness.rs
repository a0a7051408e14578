//! Every violation witness that is written can be replayed, and proofs have witnesses with invariants.

mod common;
use common::{Scratch, heapwise, root};
use std::path::PathBuf;

fn programs() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for dir in ["tests/check/error", "examples"] {
        let entries = std::fs::read_dir(root().join(dir)).unwrap().flatten().map(|e| e.path());
        found.extend(entries.filter(|p| p.extension().is_some_and(|e| e == "c")));
    }
    found.sort();
    found
}

#[test]
fn every_violation_is_replayed() {
    let s = Scratch::new("witnesses");
    let mut replayed = 0;
    for (i, program) in programs().iter().enumerate() {
        let name = program.display();
        let file = format!("{i}.yml");
        let mut check = heapwise();
        check.args(["check", "--timeout", "2", "--witness", &file]).arg(program);
        let answer = s.run(&mut check);
        // Overflow counts only where it is asked for.
        let overflow = program.file_name().is_some_and(|n| n.to_string_lossy().starts_with("overflow_"));
        let planted = program.parent().is_some_and(|d| d.ends_with("error")) && !overflow;
        assert!(!planted || answer.stdout != "proved\n", "{name} is proved");
        if answer.stdout != "error\n" {
            continue;
        }
        let mut run = heapwise();
        run.args(["run", "--witness", &file]).arg(program);
        let again = s.run(&mut run);
        assert_eq!(again.code, Some(125), "{name}: {again:?}\n{}", answer.stderr);
        let code =
            |text: &str| text.split("error[").nth(1).and_then(|t| t.split(']').next()).map(str::to_owned);
        assert_eq!(code(&again.stderr), code(&answer.stderr), "{name}");
        replayed += 1;
    }
    assert!(replayed >= 10, "only {replayed} witnesses");
}

const LOOP: &str = "extern int __VERIFIER_nondet_int(void);\n\
                    int main(void) {\n  int i = 0;\n  while (i < 10) {\n    i++;\n  }\n  return 0;\n}\n";

#[test]
fn a_proof_has_invariants_of_its_loops() {
    let s = Scratch::new("correctness_witness");
    s.write("loop.c", LOOP);
    let answer = s.heapwise("check --witness w.yml --spec unreach-call loop.c");
    assert_eq!(answer.stdout, "proved\n", "{answer:?}");
    let witness = std::fs::read_to_string(s.dir.join("w.yml")).unwrap();
    for part in [
        "entry_type: \"invariant_set\"",
        "type: \"loop_invariant\"",
        "line: 4",
        "column: 3",
        "function: \"main\"",
        "value: \"i >= 0 && i <= 10\"",
    ] {
        assert!(witness.contains(part), "no `{part}` in\n{witness}");
    }
    let replay = s.heapwise("run --witness w.yml loop.c");
    assert_eq!(replay.code, Some(3), "{replay:?}");
}

#[test]
fn a_witness_of_another_program_is_refused() {
    let s = Scratch::new("foreign_witness");
    s.write(
        "a.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x[2] = {0};\n  \
                    return x[__VERIFIER_nondet_int() == 77 ? 2 : 0];\n}\n",
    );
    s.write("b.c", LOOP);
    let answer = s.heapwise("check --spec valid-memsafety --witness w.yml a.c");
    assert_eq!(answer.stdout, "error\n", "{answer:?}");
    let witness = std::fs::read_to_string(s.dir.join("w.yml")).unwrap();
    assert!(witness.contains("\\\\result == 77"), "{witness}");
    assert_eq!(s.heapwise("run --witness w.yml a.c").code, Some(125));
    let other = s.heapwise("run --witness w.yml b.c");
    assert_eq!(other.code, Some(3));
    assert!(other.stderr.contains("error[bad-witness]"), "{}", other.stderr);
}

/// Which allocation fails is an input like others: the path and the witness are of the same run as the error.
#[test]
fn a_failing_allocation_is_told_and_replayed() {
    let scratch = Scratch::new("witness_allocation");
    scratch.write(
        "a.c",
        "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(1);\n    if (!p) return 0;\n    char *q = malloc(1);\n\
         \x20   if (!q) { p = NULL; return 0; }\n    free(q);\n    free(p);\n    return 0;\n}\n",
    );
    let answer = scratch.heapwise("check --malloc-may-fail --witness w.yml a.c");
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stderr.contains("`p` holds") && answer.stderr.contains("`q` does not hold"), "{answer:?}");
    let again = scratch.heapwise("run --witness w.yml a.c");
    assert!(again.code == Some(125) && again.stderr.contains("lost-block"), "{again:?}");
}
