//! What the tests of the benchmark programs have in common: mutants, native runs, work on several threads.

// Tests say on standard error why they skip something.
#![allow(clippy::print_stderr)]

use super::Scratch;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A defective program that a comment of a source describes; see the `README.md` of the benchmarks.
pub struct Described {
    pub name: String,
    /// What stands in brackets behind the name.
    pub marks: Vec<String>,
    /// The file with the line replaced.
    pub text: String,
}

/// The mutants that the comments of a file describe.
pub fn mutants(file: &Path) -> Vec<Described> {
    let source = std::fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = source.lines().collect();
    let describes = |line: &str| line.trim_start().strip_prefix("// mutant ").map(str::to_owned);
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(description) = describes(line) else { continue };
        let (name, text) = description.split_once(": ").unwrap_or_else(|| panic!("{file:?}: `{line}`"));
        let (name, marks) = name.split_once(' ').unwrap_or((name, ""));
        let marks = marks.trim_matches(['(', ')']).split(", ").filter(|m| !m.is_empty());
        let target = (0..at).rev().find(|&i| describes(lines[i]).is_none()).unwrap();
        let mut mutated = lines.clone();
        mutated[target] = text;
        found.push(Described {
            name: name.to_owned(),
            marks: marks.map(str::to_owned).collect(),
            text: mutated.join("\n") + "\n",
        });
    }
    found
}

/// Compiles a file into an executable that notices memory errors, leaks and undefined behaviour.
pub fn compile_with_sanitizers(source: &Path, executable: &Path, flags: &[&str]) -> Result<(), String> {
    let output = Command::new("cc")
        .args(["-std=gnu11", "-w", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"])
        .arg("-fno-sanitize-recover=undefined")
        .args(flags)
        .arg("-o")
        .args([executable, source])
        .output()
        .map_err(|e| e.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// How a native run ended.
#[derive(PartialEq, Eq, Debug)]
pub enum Ending {
    Clean,
    /// It did not end by itself: out of processor time or of stack.
    Endless,
    Reported(String),
}

pub fn native(executable: &Path, arguments: &[&str]) -> Ending {
    let output = Command::new(executable)
        .args(arguments)
        .env("ASAN_OPTIONS", "symbolize=0:detect_leaks=1:detect_stack_use_after_return=1")
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ending::Clean
    } else if report.is_empty() || report.contains("stack-overflow") {
        Ending::Endless
    } else {
        Ending::Reported(report)
    }
}

/// Whether programs can be compiled with the sanitizers and leaks be found here; says why not.
pub fn sanitizers_work(scratch: &Scratch) -> bool {
    scratch.write("probe.c", "#include <stdlib.h>\nint main(void) { return malloc(8) == 0; }\n");
    let probe = scratch.dir.join("probe");
    let compiled = Command::new("cc")
        .args(["-fsanitize=address,undefined", "-o"])
        .arg(&probe)
        .arg(scratch.dir.join("probe.c"))
        .output();
    if !compiled.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: the C compiler cannot compile with the address sanitizer");
        return false;
    }
    if Command::new(&probe).output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: the leak sanitizer finds nothing here");
        return false;
    }
    true
}

/// Does `work` for every item and its number, several at a time, and gathers the complaints.
pub fn complaints<T: Sync>(items: &[T], work: impl Fn(usize, &T) -> Option<String> + Sync) -> Vec<String> {
    let numbered: Vec<(usize, &T)> = items.iter().enumerate().collect();
    super::parallel::each(&numbered, |(at, item)| work(*at, item)).into_iter().flatten().collect()
}

/// A directory of its own for each of several parts of a test.
pub fn subdirectory(scratch: &Scratch, at: usize) -> PathBuf {
    let dir = scratch.dir.join(at.to_string());
    std::fs::create_dir_all(&dir).unwrap();
    dir
}
