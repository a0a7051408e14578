//! Bad input: one clear message with the place, and exit code 3.

// Tests say on standard error why they skip something.
#![allow(clippy::print_stderr, clippy::print_stdout)]

mod common;
use common::{Answer, Scratch, heapwise};
use std::time::{Duration, Instant};

/// The answer is exit code 3, nothing on standard output, and one error that starts (after its code) at `place`.
#[track_caller]
fn refused(answer: &Answer, place: &str, code: &str) {
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert_eq!(answer.stdout, "", "{answer:?}");
    assert_eq!(answer.stderr.matches("error[").count(), 1, "one message\n{}", answer.stderr);
    assert!(answer.stderr.contains(&format!("error[{code}]")), "{}", answer.stderr);
    assert!(answer.stderr.contains(place), "no `{place}` in:\n{}", answer.stderr);
    assert!(answer.stderr.len() < 4000, "{} bytes of message", answer.stderr.len());
}

#[test]
fn missing_file() {
    let s = Scratch::new("missing_file");
    for command in ["check", "run", "ir"] {
        refused(&s.heapwise(&format!("{command} nowhere.c")), "nowhere.c: ", "no-such-file");
    }
    refused(&s.heapwise("check nowhere.i"), "nowhere.i: ", "no-such-file");
}

#[test]
fn unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let s = Scratch::new("unreadable_file");
    s.write("locked.c", "int main(void) { return 0; }\n");
    let path = s.dir.join("locked.c");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        eprintln!("skipped: this user may read every file (the unit tests of `input` play one that may not)");
        return;
    }
    refused(&s.heapwise("check locked.c"), "locked.c: ", "unreadable");
}

#[test]
fn directory_and_pipe() {
    let s = Scratch::new("directory_and_pipe");
    std::fs::create_dir(s.dir.join("d.c")).unwrap();
    refused(&s.heapwise("check d.c"), "d.c: ", "is-directory");
    refused(&s.heapwise("ir ."), ".: ", "is-directory");
    let made = std::process::Command::new("mkfifo").arg(s.dir.join("pipe.c")).status();
    if made.is_ok_and(|status| status.success()) {
        refused(&s.heapwise("check pipe.c"), "pipe.c: ", "not-a-file");
    } else {
        eprintln!("skipped: no mkfifo");
    }
}

#[test]
fn binary_garbage() {
    let s = Scratch::new("binary_garbage");
    s.write("a.c", b"\x7fELF\x02\x01\x01\0\0\0\0");
    refused(&s.heapwise("check a.c"), "a.c:1:8: ", "binary-file");
    // Without a NUL byte it is up to the lexer.
    let noise: Vec<u8> = (0..4000u32).map(|i| (i.wrapping_mul(2654435761) >> 24) as u8 | 0x80).collect();
    s.write("b.i", noise);
    let answer = s.heapwise("check b.i");
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(answer.stderr.contains("b.i:1:1"), "{}", answer.stderr);
    assert!(answer.stderr.len() < 20_000, "{} bytes of messages", answer.stderr.len());
}

#[test]
fn empty_file() {
    let s = Scratch::new("empty_file");
    s.write("a.c", "").write("b.c", "\n \n");
    refused(&s.heapwise("check a.c"), "a.c: ", "empty-file");
    refused(&s.heapwise("check b.c"), "b.c: ", "empty-file");
}

#[test]
fn a_line_of_ten_megabytes() {
    let s = Scratch::new("a_line_of_ten_megabytes");
    s.write("name.i", format!("int {} = ;", "x".repeat(10 << 20)));
    s.write("sum.i", format!("int x = {}1;", "1+".repeat(5 << 20)));
    s.write("string.i", format!("char s[] = \"{};", "s".repeat(10 << 20)));
    let start = Instant::now();
    refused(&s.heapwise("check name.i"), "name.i:1:", "syntax");
    refused(&s.heapwise("check string.i"), "string.i:1:12", "unterminated-string");
    // A long chain of operators is either understood or refused, but never a crash.
    let answer = s.heapwise("check sum.i");
    assert!(matches!(answer.code, Some(2 | 3)), "{answer:?}");
    assert!(answer.stderr.len() < 4000, "{} bytes of message", answer.stderr.len());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn nesting_too_deep() {
    let s = Scratch::new("nesting_too_deep");
    let n = 100_000;
    let deep =
        |open: &str, inside: &str, close: &str| format!("{}{inside}{}", open.repeat(n), close.repeat(n));
    s.write("parens.i", format!("int x = {};\n", deep("(", "1", ")")));
    s.write("unary.i", format!("int x = {};\n", deep("- ", "1", "")));
    s.write("blocks.i", format!("void f(void) {}\n", deep("{", "", "}")));
    s.write("arrays.i", format!("int x = {};\n", deep("a[", "1", "]")));
    s.write("braces.i", format!("int x[] = {};\n", deep("{", "1", "}")));
    s.write("pointers.i", format!("int {};\n", deep("(*", "p", ")")));
    s.write("ifs.i", format!("void f(void) {{ {} ; }}\n", deep("if (1) ", "", "")));
    s.write("calls.i", format!("int f(int); int x = {};\n", deep("f(", "1", ")")));
    s.write("ternary.i", format!("int x = {};\n", deep("1 ? ", "1", ": 0")));
    s.write("structs.i", deep("struct {", "int x;", "} y;"));
    s.write("casts.i", format!("int x = {};\n", deep("(int) ", "1", "")));
    s.write("stars.i", format!("int {}p;\n", deep("*", "", "")));
    for name in [
        "parens", "unary", "blocks", "arrays", "braces", "pointers", "ifs", "calls", "ternary", "structs",
        "casts", "stars",
    ] {
        refused(&s.heapwise(&format!("check {name}.i")), &format!("{name}.i:1:"), "nesting-too-deep");
    }
}

#[test]
fn unterminated() {
    let s = Scratch::new("unterminated");
    s.write("comment.i", "int x;\n  /* and so on\nint y;\n");
    s.write("string.i", "int x;\nchar *s = \"and so on;\nint y;\n");
    s.write("char.i", "int x = 'a;\n");
    refused(&s.heapwise("check comment.i"), "comment.i:2:3", "unterminated-comment");
    refused(&s.heapwise("check string.i"), "string.i:2:11", "unterminated-string");
    refused(&s.heapwise("check char.i"), "char.i:1:9", "unterminated-char");
    // In a `.c` file the preprocessor notices first.
    s.write("comment.c", "int x;\n  /* and so on\n");
    let answer = s.heapwise("check comment.c");
    refused(&answer, "comment.c: ", "preprocessor-failed");
    assert!(answer.stderr.contains("comment.c:2:3: error: unterminated comment"), "{}", answer.stderr);
}

#[test]
fn unknown_type_name() {
    let s = Scratch::new("unknown_type_name");
    s.write("a.c", "#define T size\n\nint ok(void) { return 1; }\n  nosuch_t *f(void) { return 0; }\n");
    let answer = s.heapwise("check a.c");
    refused(&answer, "a.c:4:3", "unknown-type");
    assert!(answer.stderr.contains("'nosuch_t'"), "{}", answer.stderr);
    assert!(answer.stderr.contains("4 |   nosuch_t *f(void) { return 0; }"), "{}", answer.stderr);
}

#[test]
fn preprocessor_missing_or_failing() {
    let s = Scratch::new("preprocessor_missing_or_failing");
    s.write("a.c", "int main(void) { return 0; }\n").write("b.c", "#include \"nowhere.h\"\n");
    let answer = s.run(heapwise().env("CC", "no-such-cc").args(["check", "a.c"]));
    refused(&answer, "a.c: ", "no-preprocessor");
    let answer = s.heapwise("check b.c");
    refused(&answer, "b.c: ", "preprocessor-failed");
    assert!(answer.stderr.contains("nowhere.h: No such file"), "{}", answer.stderr);
    let answer = s.heapwise("check a.c -- --no-such-flag");
    refused(&answer, "a.c: ", "preprocessor-failed");
}

#[test]
fn usage_errors() {
    let s = Scratch::new("usage_errors");
    for line in ["", "chekc a.c", "check", "check --m32 --m64 a.c", "run --seed x a.c", "ir --no-such a.c"] {
        let answer = s.heapwise(line);
        assert_eq!(answer.code, Some(3), "`{line}`: {answer:?}");
        assert!(answer.stderr.contains("--help"), "`{line}`: {answer:?}");
    }
    for line in ["--help", "--version", "help run", "check --help"] {
        let answer = s.heapwise(line);
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "`{line}`");
    }
}

#[test]
fn bad_compilation_databases() {
    let s = Scratch::new("bad_compilation_databases");
    s.write("list.json", "[]").write("broken.json", "[\n{ \"file\" }]").write("a.c", "int x;");
    refused(&s.heapwise("check -p nowhere.json"), "nowhere.json: ", "no-such-file");
    refused(&s.heapwise("check -p list.json"), "list.json: ", "bad-database");
    refused(&s.heapwise("check -p broken.json"), "broken.json:2:10: ", "bad-database");
}

#[test]
fn messages_as_json() {
    let s = Scratch::new("messages_as_json");
    s.write("a.i", "int x = ;\n");
    let answer = s.heapwise("check --format json a.i");
    assert_eq!(answer.code, Some(3));
    let object: serde_json::Value = serde_json::from_str(&answer.stderr).unwrap();
    let finding = &object["findings"][0];
    assert_eq!(finding["severity"], "error");
    assert_eq!((&finding["place"]["line"], &finding["place"]["file"]), (&1.into(), &"a.i".into()));
    let answer = s.heapwise("check --format json b.i");
    let object: serde_json::Value = serde_json::from_str(&answer.stderr).unwrap();
    assert_eq!(object["findings"][0]["code"], "no-such-file");
}

#[test]
fn nothing_to_start_from() {
    let s = Scratch::new("nothing_to_start_from");
    s.write("a.i", "int helper(int x);\nint f(void) { return helper(1); }\n");
    s.write("b.i", "int helper(int x);\nint global;\n");
    refused(&s.heapwise("check b.i"), "there is no function `main`", "no-entry");
    // Functions without a program around them get contracts.
    assert_ne!(s.heapwise("check a.i").code, Some(3));
    refused(&s.heapwise("check --entry g a.i"), "there is no function `g`", "no-entry");
    refused(&s.heapwise("check --entry helper a.i"), "a.i:1:5", "no-entry");
    refused(&s.heapwise("check --domain tvl a.i"), "there is no function `main`", "no-entry");
    assert_ne!(s.heapwise("check --entry f a.i").code, Some(3));
}

#[test]
fn bad_input_has_a_verdict_in_json() {
    let s = Scratch::new("bad_input_has_a_verdict_in_json");
    s.write("a.i", "int x = ;\n").write("b.i", "int f(void);\n");
    for line in ["check --format json nowhere.c", "check --format json a.i", "check --format json b.i"] {
        let answer = s.heapwise(line);
        assert_eq!(answer.code, Some(3), "{answer:?}");
        assert!(answer.stderr.contains(r#""verdict":"input-error""#), "{}", answer.stderr);
        assert!(answer.stderr.contains(r#""severity":"error""#), "{}", answer.stderr);
    }
}

#[test]
fn limits_of_zero() {
    let s = Scratch::new("limits_of_zero");
    s.write("a.i", "int main(void) { return 0; }\n");
    let answer = s.heapwise("check --max-disjuncts 0 a.i");
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(answer.stderr.contains("must be at least 1"), "{}", answer.stderr);
}
