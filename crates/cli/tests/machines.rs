//! Reports for other programs: SARIF against its schema, JSON against ours, JUnit, annotations; what silences findings.

mod common;

use common::{Scratch, heapwise, root};
use serde_json::Value;
use std::process::Command;

/// Null is read if the input is not 1; otherwise a block is used after it was freed.
const PROGRAM: &str = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nstruct node { struct node *next; };\n\
    int main(void) {\n    struct node *n = malloc(sizeof *n);\n    if (__VERIFIER_nondet_int() != 1) {\n        \
    n->next = 0;\n        free(n);\n    }\n    int bad = n->next != 0;\n    return bad;\n}\n";

/// A program about which nothing is known: accesses through what unknown functions return.
const UNKNOWN: &str = "int *first(void);\nint *second(void);\nint main(void) {\n    int a = *first();\n    int b = *second();\n    return a + b;\n}\n";

/// The schema that the crate with SARIF's types is made from.
fn sarif_schema() -> Value {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|l| l.strip_prefix("host: ")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", host])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let package =
        metadata["packages"].as_array().unwrap().iter().find(|p| p["name"] == "serde-sarif").unwrap();
    let manifest = std::path::Path::new(package["manifest_path"].as_str().unwrap()).to_path_buf();
    let text = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).unwrap();
    // As published, one pattern of the schema has a bracket that most readers of patterns refuse.
    serde_json::from_str(&text.replace("{2}]?$", "{2}\\\\]?$")).unwrap()
}

fn problems(schema: &Value, instance: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    validator.iter_errors(instance).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

#[test]
fn sarif_is_valid_and_says_all() {
    let scratch = Scratch::new("machines_sarif");
    scratch.write("a b.c", PROGRAM).write("u.c", UNKNOWN).write("p.c", "int main(void) { return 0; }\n");
    scratch.write(
        "s.c",
        UNKNOWN.replace("first();\n    ", "first(); // heapwise: ignore the library is fine\n    "),
    );
    let schema = sarif_schema();
    let log = |file: &str, code: i32| -> Value {
        let answer = scratch.run(heapwise().args(["check", "--format", "sarif", file]));
        assert_eq!(answer.code, Some(code), "{}", answer.stderr);
        let log = serde_json::from_str(&answer.stdout).unwrap();
        assert_eq!(problems(&schema, &log), Vec::<String>::new(), "{file}");
        log
    };
    let run = &log("a b.c", 1)["runs"][0];
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"use-after-free".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.c");
    assert_eq!(place["region"]["startLine"], 10);
    assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 2);
    assert!(result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len() >= 2);
    assert_eq!(run["properties"]["verdict"], "error");
    let unknown = log("u.c", 2);
    let results = unknown["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().all(|r| r["partialFingerprints"]["heapwise/v1"].is_string()));
    assert!(log("p.c", 0)["runs"][0]["results"].as_array().unwrap().is_empty());
    let silenced = log("s.c", 0);
    let results = silenced["runs"][0]["results"].as_array().unwrap();
    let one = results.iter().find(|r| r["suppressions"].is_array()).unwrap();
    assert_eq!(one["suppressions"][0]["justification"], "the library is fine");
    // The check of the check: what is no SARIF is refused.
    assert!(!problems(&schema, &serde_json::json!({ "version": "2.1.0" })).is_empty());
}

#[test]
fn json_follows_its_schema() {
    let scratch = Scratch::new("machines_json");
    scratch.write("e.c", PROGRAM).write("u.c", UNKNOWN).write("p.c", "int main(void) { return 0; }\n");
    let text = std::fs::read_to_string(root().join("docs/report.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    for file in ["e.c", "u.c", "p.c"] {
        let answer = scratch.heapwise(&format!("check --format json {file}"));
        let object: Value = serde_json::from_str(&answer.stdout).unwrap();
        assert_eq!(problems(&schema, &object), Vec::<String>::new(), "{file}");
        assert_eq!(object["exit_code"].as_i64(), answer.code.map(i64::from));
    }
    let bad = scratch.heapwise("check --format json missing.c");
    let object: Value = serde_json::from_str(&bad.stderr).unwrap();
    assert_eq!(problems(&schema, &object), Vec::<String>::new());
    assert_eq!(object["verdict"], "input-error");
}

#[test]
fn junit_and_annotations() {
    let scratch = Scratch::new("machines_junit");
    scratch.write("e.c", PROGRAM).write("p.c", "int main(void) { return 0; }\n");
    let failed = scratch.heapwise("check --format junit e.c");
    assert_eq!(failed.code, Some(1));
    for part in
        ["failures=\"1\"", "type=\"use-after-free\"", "name=\"use-after-free at line 10\"", "n-&gt;next"]
    {
        assert!(failed.stdout.contains(part), "{part} in {}", failed.stdout);
    }
    let passed = scratch.heapwise("check --format junit p.c");
    assert!(passed.stdout.contains("failures=\"0\"") && passed.stdout.contains("name=\"proved\""));
    let annotated = scratch.heapwise("check --format github e.c");
    let line = annotated.stdout.lines().next().unwrap();
    assert!(line.starts_with("::error file=e.c,line=10,col="), "{line}");
    assert!(line.contains("%0Anote: freed here (e.c:8)"), "{line}");
    assert_eq!(scratch.heapwise("check --format github p.c").stdout, "");
}

#[test]
fn bad_input_has_a_clear_message_in_every_form() {
    let scratch = Scratch::new("machines_bad");
    scratch.write("bad.c", "int main(void) { return x; }\n");
    for form in ["text", "json", "sarif", "junit", "github"] {
        for (file, code) in [("missing.c", "no-such-file"), ("bad.c", "undeclared")] {
            let answer = scratch.heapwise(&format!("check --format {form} {file}"));
            assert_eq!(answer.code, Some(3), "{form} {file}");
            let all = format!("{}{}", answer.stdout, answer.stderr);
            assert!(all.contains(code) && all.contains(file), "{form} {file}: {all}");
        }
    }
    let none = scratch.heapwise("check --format yaml bad.c");
    assert!(
        none.code == Some(3) && none.stderr.contains("possible values: text, json, sarif, junit, github")
    );
    let ir = scratch.heapwise("ir --format sarif bad.c");
    assert!(ir.code == Some(3) && ir.stderr.contains("for `check` and `run`"));
}

#[test]
fn a_baseline_knows_findings_also_when_lines_move() {
    let scratch = Scratch::new("machines_baseline");
    scratch.write("u.c", UNKNOWN);
    let first = scratch.heapwise("check --write-baseline known.json u.c");
    assert_eq!(first.code, Some(2));
    let again = scratch.heapwise("check --baseline known.json u.c");
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""));
    assert!(again.stdout.starts_with("unknown, all of it known:"), "{}", again.stdout);
    scratch.write(
        "u.c",
        format!("/* a new line */\n\n{}", UNKNOWN.replace("int main", "void third(void);\nint main")),
    );
    assert_eq!(scratch.heapwise("check --baseline known.json u.c").code, Some(0));
    scratch.write("u.c", UNKNOWN.replace("int a = *first();", "int c = *second(); int a = c + *first();"));
    let new = scratch.heapwise("check --baseline known.json u.c");
    assert_eq!(new.code, Some(2), "{}", new.stdout);
    scratch.write("known.json", "{ \"version\": 1, ");
    let bad = scratch.heapwise("check --baseline known.json u.c");
    assert!(
        bad.code == Some(3) && bad.stderr.contains("known.json:1:16: error[bad-baseline]"),
        "{}",
        bad.stderr
    );
}

#[test]
fn comments_silence_with_a_reason_and_only_what_they_name() {
    let scratch = Scratch::new("machines_comments");
    let one = "int main(void) {\n    int *p = 0;\n    return *p;\n}\n";
    let with = |comment: &str| {
        scratch.write("e.c", one.replace("*p;\n}", &format!("*p; // heapwise: ignore{comment}\n}}")));
        scratch.heapwise("check e.c")
    };
    let silenced = with("[null-deref, uninitialised] known");
    assert_eq!(silenced.code, Some(0), "{}", silenced.stderr);
    assert!(silenced.stdout.starts_with("error, all of it known"), "{}", silenced.stdout);
    assert_eq!(with("[leak] known").code, Some(1));
    let bare = with("[null-deref]");
    assert!(bare.code == Some(1) && bare.stderr.contains("suppression-without-reason"), "{}", bare.stderr);
    // Another error stays visible when the first one is silenced.
    let two = PROGRAM.replace("return bad;", "int *q = 0;\n    return *q;");
    scratch.write("e.c", two.replace("n->next != 0;", "n->next != 0; // heapwise: ignore known"));
    let other = scratch.heapwise("check e.c");
    assert!(other.code == Some(1) && other.stderr.contains("null-deref"), "{}{}", other.stdout, other.stderr);
}

#[test]
fn a_path_that_cannot_be_written_loses_no_result() {
    let scratch = Scratch::new("machines_unwritable");
    scratch.write("e.c", PROGRAM);
    for option in ["--output", "--write-baseline", "--states", "--witness"] {
        let answer = scratch.heapwise(&format!("check {option} missing/dir/file e.c"));
        assert_eq!(answer.code, Some(3), "{option}");
        assert!(answer.stdout.ends_with("error\n"), "{option}: {}", answer.stdout);
        let all = format!("{}{}", answer.stdout, answer.stderr);
        assert!(
            all.contains("use-after-free") && all.contains("missing/dir/file cannot be written"),
            "{option}: {all}"
        );
    }
    let sarif = scratch.heapwise("check --format sarif --output missing/x.sarif e.c");
    assert!(sarif.stdout.contains("\"2.1.0\"") && sarif.stdout.contains("use-after-free"));
}

#[test]
fn ten_thousand_findings_stay_usable() {
    let scratch = Scratch::new("machines_many");
    // Every call is a finding of the front end: a function that is not declared.
    let calls: String = (0..10_000).map(|i| format!("    f{i}();\n")).collect();
    scratch.write("many.c", format!("int main(void) {{\n    return 0;\n{calls}}}\n"));
    let text = scratch.heapwise("check many.c");
    assert!(text.stderr.lines().count() < 1_000, "{} lines", text.stderr.lines().count());
    assert!(text.stderr.contains("more: "), "{}", text.stderr);
    let sarif = scratch.heapwise("check --format sarif many.c");
    let log: Value = serde_json::from_str(&sarif.stdout).unwrap();
    assert!(log["runs"][0]["results"].as_array().unwrap().len() >= 10_000);
    let all = scratch.heapwise("check --max-findings 0 many.c");
    assert!(all.stderr.lines().count() > 10_000);
}

#[test]
fn settings_of_a_project() {
    let scratch = Scratch::new("machines_config");
    std::fs::create_dir_all(scratch.dir.join("src/inc")).unwrap();
    scratch
        .write("heapwise.toml", "[check]\nentries = [\"start\"]\n[input]\nflags = [\"-Isrc/inc\"]\n")
        .write("src/inc/h.h", "#define NULL_POINTER 0\n")
        .write("src/a.c", "#include <h.h>\nint start(void) { int *p = NULL_POINTER; return *p; }\n");
    let found = scratch.heapwise("check src/a.c");
    assert!(found.code == Some(1) && found.stderr.contains("null-deref"), "{}", found.stderr);
    let without = scratch.heapwise("check --no-config -Isrc/inc src/a.c");
    assert!(without.stdout.contains("0 of 1 functions have a contract"), "{}", without.stdout);
    scratch.write("heapwise.toml", "[check]\ntime = 3\n");
    let wrong = scratch.heapwise("check src/a.c");
    assert!(
        wrong.code == Some(3) && wrong.stderr.contains("heapwise.toml:2:1: error[bad-config]"),
        "{}",
        wrong.stderr
    );
    let missing = scratch.heapwise("check --config other.toml src/a.c");
    assert!(missing.code == Some(3) && missing.stderr.contains("other.toml"), "{}", missing.stderr);
}

#[test]
fn flags_before_the_dashes_standard_input_quiet_and_verbose() {
    let scratch = Scratch::new("machines_everyday");
    scratch.write("d.c", "int main(void) { int *p = P; return *p; }\n");
    assert_eq!(scratch.heapwise("check -D P=0 d.c").code, Some(1));
    let quiet = scratch.heapwise("check -q -DP=0 d.c");
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("error\n", ""));
    let verbose = scratch.heapwise("check -v -DP=0 d.c");
    assert!(verbose.stderr.contains("compile: ") && verbose.stderr.contains("check from `main`: "));
    let mut child = heapwise()
        .args(["check", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(
        &mut child.stdin.take().unwrap(),
        b"int main(void) {\n  int *p = 0;\n  return *p;\n}\n",
    )
    .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("<stdin>:3:10"));
    let empty = scratch.heapwise("check -");
    assert!(empty.code == Some(3) && empty.stderr.contains("standard input is empty"), "{}", empty.stderr);
    let version = scratch.heapwise("--version").stdout;
    assert!(version.contains("LP64, ILP32") && version.starts_with("heapwise 0."), "{version}");
    assert!(scratch.heapwise("completions zsh").stdout.contains("heapwise"));
    assert_eq!(scratch.heapwise("man -o pages").code, Some(0));
    assert!(
        std::fs::read_to_string(scratch.dir.join("pages/heapwise-check.1")).unwrap().contains("baseline")
    );
    let nowhere = scratch.heapwise("man -o d.c/x");
    assert!(nowhere.code == Some(3) && nowhere.stderr.contains("cannot be written"));
}
