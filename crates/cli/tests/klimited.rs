//! k-limited graphs on the command line: verdicts of all variants, and what they do not answer.

use std::path::{Path, PathBuf};
use std::process::Command;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/check").join(name)
}

fn verdict(file: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise"));
    let output = command.args(["check", "--domain", "klimited"]).args(args).arg(file).output();
    let output = output.expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout).trim().to_owned(), text(output.stderr))
}

#[test]
fn lists_are_proved_by_the_variants_that_can() {
    let (list, turned) = (program("safe/sll_build_destroy.c"), program("safe/sll_reverse.c"));
    // Lists of one allocation site are told apart only by where they are reached from.
    for (file, args) in [
        (&turned, &[][..]),
        (&turned, &["--k", "2"]),
        (&list, &["--klimited-variant", "sites"]),
        (&list, &["--klimited-variant", "types"]),
    ] {
        let (code, out, err) = verdict(file, args);
        assert_eq!((code, out.as_str()), (Some(0), "proved"), "{args:?}: {err}");
    }
    // Without taking blocks out of groups nothing certain is known of them.
    let (_, out, _) = verdict(&list, &["--klimited-plain"]);
    assert_eq!(out, "unknown");
}

#[test]
fn errors_are_confirmed_by_runs() {
    let (code, out, err) = verdict(&program("error/uaf_list_step_after_free.c"), &[]);
    assert_eq!((code, out.as_str()), (Some(1), "error"), "{err}");
    assert!(err.contains("use-after-free"), "{err}");
}

#[test]
fn properties_are_asked_one_by_one() {
    let leak = program("error/leak_lost_head.c");
    assert_eq!(verdict(&leak, &["--property", "free"]).1, "proved");
    assert_eq!(verdict(&leak, &["--property", "leak"]).1, "error");
}

#[test]
fn what_is_not_modelled_is_unknown() {
    let (code, out, err) = verdict(&program("safe/varargs_list.c"), &[]);
    assert_eq!((code, out.as_str()), (Some(2), "unknown"), "{err}");
    assert!(err.contains("do not model variadic functions"), "{err}");
    let (_, out, err) = verdict(&program("safe/sll_reverse.c"), &["--states", "/dev/null"]);
    assert_eq!(out, "unknown", "{err}");
}
