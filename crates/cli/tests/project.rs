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
    assert!(answer.stdout.contains("[division-by-zero]"), "{}", answer.stdout);
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
