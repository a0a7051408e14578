//! The three-valued engines on the command line: C programs, TVLA specifications, the table of measurements.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn heapwise(args: &[&str], file: Option<&Path>) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise"));
    command.args(args).args(file);
    let output = command.output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn verdict(file: &Path, embedding: &str) -> String {
    let (_, out, err) = heapwise(&["check", "--domain", "tvl", "--embedding", embedding], Some(file));
    assert!(matches!(out.trim(), "proved" | "unknown"), "{}: {out}{err}", file.display());
    out.trim().to_string()
}

fn c_files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .map(|entries| {
            entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect()
        })
        .unwrap_or_default();
    files.sort();
    files
}

#[test]
fn list_programs_are_proved() {
    let files = c_files(&root().join("crates/tvl/specs/c"));
    assert!(files.len() >= 5);
    for file in files {
        for embedding in ["strict", "loose"] {
            assert_eq!(verdict(&file, embedding), "proved", "{} {embedding}", file.display());
        }
    }
}

#[test]
fn specifications_run() {
    let specs = root().join("crates/tvl/specs");
    let arg = |name: &str| specs.join(name).display().to_string();
    let (code, out, _) = heapwise(&["tvla", &arg("sll-reverse.tvp"), &arg("empty.tvs")], None);
    assert_eq!(code, 0, "{out}");
    assert!(out.ends_with("no messages\n"), "{out}");
    let (code, out, _) = heapwise(&["tvla", &arg("bugs/sll-swap.tvp"), &arg("lists.tvs")], None);
    assert_eq!(code, 2);
    assert!(out.contains("x may be cyclic"), "{out}");
    let (code, _, err) = heapwise(&["tvla", &arg("lists.tvs"), &arg("lists.tvs")], None);
    assert_eq!(code, 3);
    assert!(err.contains("lists.tvs:2:1: unknown declaration `%n`"), "{err}");
}
