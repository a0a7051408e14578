//! Finding and compiling the programs that the tests run on.

// Each test uses a part of it.
#![allow(dead_code)]

#[path = "../../../engine/tests/common/parallel.rs"]
pub mod parallel;
pub mod watch;

use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, Program, Severity};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The C programs of a directory of the repository, by name; `HEAPWISE_ONLY` chooses some by a part of their path.
pub fn programs(directory: &str) -> Vec<PathBuf> {
    let wanted = std::env::var("HEAPWISE_ONLY").ok();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(directory);
    let entries = std::fs::read_dir(directory).expect("the directory of programs is there");
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c") && !p.ends_with("nondet.c"))
        .filter(|p| wanted.as_ref().is_none_or(|w| p.to_string_lossy().contains(w.as_str())))
        .collect();
    found.sort();
    found
}

/// A program from its text, after the platform's preprocessor.
pub fn compiled(name: &str, text: &str) -> Program {
    let compiler = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or("cc".into());
    let mut child = Command::new(compiler)
        .args(["-E", "-m64", "-xc", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the preprocessor starts");
    let marked = format!("#line 1 \"{name}\"\n{text}");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(marked.as_bytes()));
    let output = child.wait_with_output().expect("the preprocessor ends");
    writer.join().expect("the writer ends").expect("the text is taken");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (program, diagnostics) =
        compile(&[SourceUnit { name: name.into(), text: text.into() }], DataModel::Lp64);
    assert!(diagnostics.iter().all(|d| d.severity < Severity::Error), "{name} compiles");
    program
}

/// A program of the repository.
pub fn load(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    compiled(&path.to_string_lossy(), &text)
}
