//! Small programs of the shared collection, with what is expected of them in their first line.
#![allow(clippy::print_stdout, reason = "says why it skips something")]

mod common;

use common::heapwise;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases").join(name);
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
        return None;
    }
    Some(folder)
}

fn verdict(options: &[&str], files: &[PathBuf]) -> String {
    let output = heapwise().args(["check", "--timeout", "20"]).args(options).args(files).output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

/// Files of one program are checked in both orders.
#[test]
fn linking() {
    let Some(folder) = folder("linking") else { return };
    for (name, expected) in [("const", "proved"), ("gnu_source", "proved"), ("order", "proved")] {
        let mut files = vec![folder.join(name).join("a.c"), folder.join(name).join("b.c")];
        assert_eq!(verdict(&[], &files), expected, "{name}");
        files.reverse();
        assert_eq!(verdict(&[], &files), expected, "{name}, in the other order");
    }
}

/// What the environment gives and takes: each program says in its first line what is expected of it.
#[test]
fn environment() {
    let Some(folder) = folder("environment") else { return };
    let mut seen = 0;
    for file in std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.lines().next().and_then(|l| l.strip_prefix("// expected: "));
        let Some(expected) = first else { panic!("{}: its first line says nothing", file.display()) };
        let answers = expected.split(',').next().unwrap_or_default();
        let (answers, options) = match (answers.split_once(" for "), answers.split_once(" with ")) {
            (Some((answers, spec)), _) => (answers, vec!["--spec", spec]),
            (_, Some((answers, option))) => (answers, vec![option]),
            _ => (answers, Vec::new()),
        };
        let found = verdict(&options, std::slice::from_ref(&file));
        assert!(answers.split(" or ").any(|a| a == found), "{}: {found}", file.display());
        seen += 1;
    }
    assert!(seen >= 14, "{seen} programs");
}
