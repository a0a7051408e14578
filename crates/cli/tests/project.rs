//! `heapwise check -p` on a project: one answer for each program, and a table.

mod common;

use common::{Scratch, heapwise};

fn entry(dir: &str, file: &str) -> String {
    let object = file.replace(".c", ".o");
    format!(
        r#"{{"directory": "{dir}", "file": "{file}", "arguments": ["cc", "-c", "-D_FORTIFY_SOURCE=2", "-O2", "-o", "{object}", "{file}"]}}"#
    )
}

fn project(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch
        .write("good.c", "int half(int); int main(void) { return half(4); }\n")
        .write("bad.c", "int half(int); int main(void) { int *p = 0; return half(*p); }\n")
        .write("half.c", "int half(int x) { return x / 2; }\n")
        .write("other.c", "int half(int x) { return 1 / (x - x); }\n")
        .write("library.c", "int first(int *p) { return *p; }\n")
        .write("broken.c", "int main(void) { return missing_declaration; }\n");
    scratch
}

fn database(scratch: &Scratch, more: &[String]) {
    let dir = scratch.dir.display().to_string();
    let files = ["good.c", "bad.c", "half.c", "library.c", "broken.c", "other.c"];
    let mut entries: Vec<String> = files.iter().map(|f| entry(&dir, f)).collect();
    entries.extend(more.iter().cloned());
    scratch.write("compile_commands.json", format!("[{}]", entries.join(",\n")));
}

#[test]
fn a_table_of_answers() {
    let scratch = project("project-table");
    database(&scratch, &[]);
    let answer = scratch.run(heapwise().args(["check", "-p", ".", "--timeout", "10"]));
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let row = |name: &str, word: &str| {
        answer.stdout.lines().any(|l| l.trim_start().starts_with(name) && l.trim_end().ends_with(word))
    };
    assert!(row("good.c", "proved"), "{}", answer.stdout);
    assert!(row("bad.c", "error"), "{}", answer.stdout);
    assert!(answer.stdout.contains("[null-deref]"), "{}", answer.stdout);
    // One file that fails costs that file; files without a program get contracts.
    assert!(
        answer.stdout.contains("broken.c: ") && answer.stdout.contains("undeclared"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains("library.c (1 functions): every function has a contract"),
        "{}",
        answer.stdout
    );
    assert!(answer.stdout.contains("executables: 1 error, 1 proved"), "{}", answer.stdout);
}

#[test]
fn link_steps_choose_the_files() {
    let scratch = project("project-links");
    let dir = scratch.dir.display().to_string();
    let step = format!(
        r#"{{"directory": "{dir}", "file": "good.o", "arguments": ["cc", "-o", "prog", "good.o", "other.o"]}}"#
    );
    database(&scratch, &[step]);
    let answer = scratch.run(heapwise().args(["check", "-p", ".", "--main", "good.c", "--timeout", "10"]));
    assert_eq!(answer.code, Some(1), "{answer:?}");
    // The report on a program that was chosen is shown in full.
    assert!(answer.stderr.contains("error[division-by-zero]"), "{answer:?}");
    let link = ["check", "-p", ".", "--link", "mine=good.c,half.c", "--timeout", "10"];
    let answer = scratch.run(heapwise().args(link));
    assert!(answer.stdout.contains("executables: 1 proved"), "{}", answer.stdout);
    assert_eq!(answer.code, Some(2), "files are left that nothing answers: {answer:?}");
    let answer = scratch.run(heapwise().args(["check", "-p", ".", "--link", "mine=nowhere.c"]));
    assert_eq!(answer.code, Some(3), "{answer:?}");
}

/// Inline functions of headers, and objects without initialiser, are in many files of one program.
#[test]
fn files_share_headers_and_common_objects() {
    let scratch = Scratch::new("project-headers");
    scratch
        .write("a.c", "#include <stdlib.h>\n#include <ctype.h>\nint level; int f(int); int main(void) { return f(atoi(\"1\")); }\n")
        .write("b.c", "#include <stdlib.h>\n#include <ctype.h>\nint level; int f(int x) { return abs(x) - x + level; }\n");
    let dir = scratch.dir.display().to_string();
    let shared = |file: &str| entry(&dir, file).replace("\"-O2\"", "\"-O2\", \"-fcommon\"");
    scratch.write("compile_commands.json", format!("[{},{}]", shared("a.c"), shared("b.c")));
    let answer = scratch.run(heapwise().args(["check", "-p", ".", "--timeout", "10"]));
    let row = answer.stdout.lines().find(|l| l.starts_with("a.c")).unwrap_or_default();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words.get(1..3), Some(&["2", "2"][..]), "two files, two functions: {}", answer.stdout);
    assert_eq!(answer.code, Some(0), "{}", answer.stdout);
}

/// Machines get the answers for all programs in one report.
#[test]
fn a_project_in_every_form() {
    let scratch = project("project-forms");
    database(&scratch, &[]);
    let asked = |form: &str| {
        let arguments = ["check", "-p", ".", "--timeout", "10", "--format", form];
        let answer = scratch.run(heapwise().args(arguments));
        assert_eq!(answer.code, Some(1), "{answer:?}");
        answer.stdout
    };
    let parsed = |text: String| serde_json::from_str::<serde_json::Value>(&text).expect("one JSON object");
    let object = parsed(asked("json"));
    let verdicts: Vec<(&str, &str)> = object["programs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["name"].as_str().unwrap(), p["report"]["verdict"].as_str().unwrap()))
        .collect();
    assert!(
        verdicts.contains(&("good.c", "proved")) && verdicts.contains(&("bad.c", "error")),
        "{verdicts:?}"
    );
    assert_eq!(object["libraries"][0]["name"], "library.c");
    assert!(object["unread"][0]["message"].as_str().unwrap().contains("undeclared"));
    let log = parsed(asked("sarif"));
    let runs = log["runs"].as_array().unwrap();
    let run = |id: &str| runs.iter().find(|r| r["automationDetails"]["id"] == id).expect("a run");
    assert_eq!(run("heapwise/bad.c/")["results"][0]["ruleId"], "null-deref");
    assert!(run("heapwise/good.c/")["results"].as_array().unwrap().is_empty());
    assert_eq!(run("heapwise/project/")["results"][0]["ruleId"], "not-read");
    let suites = asked("junit");
    assert!(suites.contains("null-deref at line 1") && suites.contains("value=\"good.c\""), "{suites}");
    let lines = asked("github");
    assert!(lines.contains("bad.c,line=1") && lines.contains("title=not-read"), "{lines}");
    assert!(!lines.contains("no-answer"), "{lines}");
}

#[test]
fn what_is_wrong_with_the_question_is_said() {
    let scratch = project("project-wrong");
    database(&scratch, &[]);
    let said = |words: &[&str]| {
        let answer = scratch.run(heapwise().arg("check").args(words));
        assert_eq!(answer.code, Some(3), "{answer:?}");
        answer.stderr
    };
    assert!(said(&["-p", ".", "--main", "nowhere.c"]).contains("has no such file"));
    assert!(said(&["-p", ".", "--main", "half.c"]).contains("no `main`"));
    assert!(said(&[]).contains("no files are named"));
    assert!(said(&["--main", "good.c", "good.c"]).contains("compilation database"));
}

/// The settings of a project name its database; its flags are used, and what a preprocessor says of a file is told.
#[test]
fn settings_name_the_database() {
    let scratch = Scratch::new("project-settings");
    scratch
        .write("a.c", "#ifndef DEPTH\n#error no depth\n#endif\nint main(void) { return 0; }\n")
        .write("b.c", "#include \"nowhere.h\"\n")
        .write("heapwise.toml", "[input]\ncompile-commands = \"db.json\"\n");
    let dir = scratch.dir.display().to_string();
    let one = entry(&dir, "a.c").replace("-O2", "-DDEPTH=1");
    scratch.write("db.json", format!("[{one},{}]", entry(&dir, "b.c")));
    let answer = scratch.heapwise("check");
    assert!(answer.stdout.contains("executables: 1 proved"), "{answer:?}");
    assert!(answer.stdout.contains("nowhere.h: No such file"), "{answer:?}");
}
