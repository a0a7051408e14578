//! The programs of `benchmarks/relations`: what `list.txt` says is proved is, and no mutant is.
//!
//! Without `HEAPWISE_ALL_MUTANTS`, one mutant of each program that is proved is tried.

mod common;

use common::programs::complaints;
use common::{heapwise, root};

/// A line of `list.txt`.
struct Row {
    name: String,
    /// Whether something stands in the way of a proof.
    is_open: bool,
}

fn rows() -> Vec<Row> {
    let list = std::fs::read_to_string(root().join("benchmarks/relations/list.txt")).unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.split('|').map(str::trim).collect();
            Row { name: parts[0].to_owned(), is_open: parts.len() > 2 }
        })
        .collect()
}

/// The exit code for a program, or a mutant of it.
fn check(name: &str, mutant: usize, seconds: &str) -> (Option<i32>, String) {
    let output = heapwise()
        .args(["check", "--runs", "0", "--timeout", seconds])
        .args(["--property", "deref,free,uninitialised,assertion"])
        .args([format!("-DMUTANT={mutant}"), format!("{name}.c")])
        .current_dir(root().join("benchmarks/relations"))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    (output.status.code(), text.concat())
}

#[test]
fn programs_are_proved_or_say_what_stands_in_the_way() {
    let bad = complaints(&rows(), |_, row| {
        let limit = if row.is_open { "2" } else { "60" };
        match check(&row.name, 0, limit) {
            (Some(0), _) if row.is_open => {
                Some(format!("{} is proved: list.txt need not say any more what stands in the way", row.name))
            }
            (Some(0), _) => None,
            (Some(2), _) if row.is_open => None,
            (code, text) => Some(format!("{}: {code:?} {text}", row.name)),
        }
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn mutants_are_not_proved() {
    let all = std::env::var_os("HEAPWISE_ALL_MUTANTS").is_some();
    let asked = rows().into_iter().filter(|row| all || !row.is_open).collect::<Vec<_>>();
    let bad = complaints(&asked, |at, row| {
        let mutants = if all { vec![1, 2] } else { vec![1 + at % 2] };
        let proved = mutants.into_iter().find(|mutant| check(&row.name, *mutant, "2").0 != Some(2));
        proved.map(|mutant| format!("{}, mutant {mutant}", row.name))
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
