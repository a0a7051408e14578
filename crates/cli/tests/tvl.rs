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
    let (code, out, _) =
        heapwise(&["tvla", "--evaluate", &arg("bugs/sll-swap.tvp"), &arg("lists.tvs")], None);
    assert_eq!(code, 2);
    assert!(out.contains("x may be cyclic"), "{out}");
    let dir = std::env::temp_dir().join(format!("heapwise-tvla-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    // What the input does not mention is 0, which contradicts the definition of reachability.
    let short = dir.join("short.tvs");
    std::fs::write(&short, "%n = {h} %p = { x = {h} }").unwrap();
    let short = short.display().to_string();
    let (code, out, _) = heapwise(&["tvla", &arg("sll-swap"), &short], None);
    assert_eq!(code, 2);
    assert!(out.contains("violates the rule") && out.contains("incomplete: "), "{out}");
    let (code, _, _) = heapwise(&["tvla", "--evaluate", &arg("sll-swap"), &short], None);
    assert_eq!(code, 0);
    let threads = dir.join("threads.tvm");
    std::fs::write(&threads, "%%").unwrap();
    let (code, _, err) = heapwise(&["tvla", &threads.display().to_string(), &arg("lists.tvs")], None);
    assert_eq!(code, 3);
    assert!(err.contains("threads.tvm:1:1: programs with threads"), "{err}");
    std::fs::write(
        dir.join("wrong.tvp"),
        "%p x(v) unique\n%%\n%action All() { %t \"all\" { x(v) = 1 } }\n%%\na All() b\n",
    )
    .unwrap();
    std::fs::write(dir.join("wrong.tvs"), "%n = {u, v} %p = { x = {u} }").unwrap();
    let wrong = |name: &str| dir.join(name).display().to_string();
    let (code, out, _) = heapwise(&["tvla", &wrong("wrong.tvp"), &wrong("wrong.tvs")], None);
    assert_eq!(code, 2);
    assert!(out.contains("a: stopped: after the update of [all]") && out.contains("==>"), "{out}");
    let (code, _, _) = heapwise(&["tvla", "--drop-refuted", &wrong("wrong.tvp"), &wrong("wrong.tvs")], None);
    assert_eq!(code, 0);
    std::fs::remove_dir_all(&dir).unwrap();
    let (code, _, err) = heapwise(&["tvla", &arg("lists.tvs"), &arg("lists.tvs")], None);
    assert_eq!(code, 3);
    assert!(err.contains("lists.tvs:2:1: unknown declaration `%n`"), "{err}");
}
