//! The programs of `benchmarks/numbers` keep the numbers that their contracts speak of, and Heapwise proves as much of
//! that as `list.txt` says; their mutants break only numbers, and none of them is proved.
//!
//! With `HEAPWISE_ALL_MUTANTS` set, all mutants are compiled and analysed, not just a sample.

mod common;

use common::programs::{
    self, Ending, compile_with_sanitizers, complaints, native, sanitizers_work, subdirectory,
};
use common::{Scratch, heapwise, is_long, root};
use std::path::{Path, PathBuf};

/// Without `HEAPWISE_ALL_MUTANTS`, one mutant in so many is tried.
const SAMPLE: usize = 5;

/// A line of `list.txt`.
struct Row {
    name: String,
    property: String,
    /// What stands in the way of a proof.
    obstacle: Option<String>,
}

struct Mutant {
    row: String,
    /// The file, below `benchmarks`.
    file: String,
    name: String,
    text: String,
}

fn benchmarks() -> PathBuf {
    root().join("benchmarks")
}

fn rows() -> Vec<Row> {
    let list = std::fs::read_to_string(benchmarks().join("numbers/list.txt")).unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut parts = line.split('|').map(|part| part.trim().to_owned());
            let mut next = || parts.next();
            Row { name: next().unwrap(), property: next().unwrap(), obstacle: next() }
        })
        .collect()
}

/// The files that a file includes by name, below `benchmarks`.
fn included(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(benchmarks().join(file)).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
    let directory = Path::new(file).parent().unwrap();
    names
        .map(|name| match name.strip_prefix("../") {
            Some(elsewhere) => elsewhere.to_owned(),
            None => directory.join(name).display().to_string(),
        })
        .collect()
}

/// The mutants of an operation: those of its own file, and those of an operation of `benchmarks/clumping` that it calls
/// which break the same property.
fn mutants(row: &Row) -> Vec<Mutant> {
    let own = format!("numbers/{}.c", row.name);
    let mut files = vec![own.clone()];
    for file in included(&own).into_iter().filter(|file| file.ends_with(".c")) {
        files.extend(included(&file));
        files.push(file);
    }
    let mut found = Vec::new();
    for file in files {
        for m in programs::mutants(&benchmarks().join(&file)) {
            if file == own || m.marks.contains(&row.property) {
                found.push(Mutant { row: row.name.clone(), file: file.clone(), name: m.name, text: m.text });
            }
        }
    }
    found
}

/// All mutants if that is asked for, else some.
fn sample(all: Vec<Mutant>) -> Vec<Mutant> {
    let step = match std::env::var_os("HEAPWISE_ALL_MUTANTS") {
        Some(_) => 1,
        None if is_long() => SAMPLE,
        None => 2 * SAMPLE,
    };
    all.into_iter().step_by(step).collect()
}

/// Writes all programs into a directory, one of them mutated.
fn write_mutant(dir: &Path, mutant: &Mutant) {
    for part in ["clumping", "numbers"] {
        std::fs::create_dir_all(dir.join(part)).unwrap();
        for entry in std::fs::read_dir(benchmarks().join(part)).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, dir.join(part).join(path.file_name().unwrap())).unwrap();
        }
    }
    std::fs::write(dir.join(&mutant.file), &mutant.text).unwrap();
}

/// Verifies an operation in a directory like `benchmarks`; the exit code.
fn check(benchmarks: &Path, name: &str, seconds: &str) -> (Option<i32>, String) {
    let structure = name.split('-').next().unwrap_or(name);
    let output = heapwise()
        .args(["check", "--runs", "0", "--timeout", seconds, "--function", &name.replace('-', "_")])
        .args(["--shapes", &format!("{structure}.shape"), &format!("{name}.c")])
        .current_dir(benchmarks.join("numbers"))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    (output.status.code(), text.concat())
}

#[test]
fn operations_are_proved_or_say_what_stands_in_the_way() {
    let bad = complaints(&rows(), |_, row| {
        let limit = if row.obstacle.is_some() { "3" } else { "60" };
        match (check(&benchmarks(), &row.name, limit), &row.obstacle) {
            ((Some(0), _), None) | ((Some(2), _), Some(_)) => None,
            ((Some(0), _), Some(_)) => {
                Some(format!("{} is proved: list.txt need not say any more what stands in the way", row.name))
            }
            ((code, text), _) => Some(format!("{}: {code:?} {text}", row.name)),
        }
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn every_operation_has_two_mutants_with_names_of_their_own() {
    for row in rows() {
        let mutants = mutants(&row);
        assert!(mutants.len() >= 2, "{}: only {} mutants", row.name, mutants.len());
        for (at, mutant) in mutants.iter().enumerate() {
            let same = mutants[..at].iter().any(|m| m.name == mutant.name && m.file == mutant.file);
            assert!(!same, "{}: two mutants `{}`", row.name, mutant.name);
        }
    }
}

#[test]
fn mutants_are_not_proved() {
    let scratch = Scratch::new("numbers_rejected");
    // What is not proved in its right form is not asked about in wrong ones, unless all are.
    let all = std::env::var_os("HEAPWISE_ALL_MUTANTS").is_some();
    let asked = rows().into_iter().filter(|row| all || row.obstacle.is_none());
    let bad = complaints(&sample(asked.flat_map(|row| mutants(&row)).collect()), |at, mutant| {
        let dir = subdirectory(&scratch, at);
        write_mutant(&dir, mutant);
        let (code, text) = check(&dir, &mutant.row, "2");
        (code != Some(2)).then(|| format!("{}, {}, {}: {text}", mutant.row, mutant.file, mutant.name))
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Compiles the driver of a directory like `benchmarks`.
fn driver(benchmarks: &Path, dir: &Path) -> Result<PathBuf, String> {
    let executable = dir.join("driver");
    compile_with_sanitizers(&benchmarks.join("numbers/driver.c"), &executable, &[])?;
    Ok(executable)
}

#[test]
fn the_driver_runs_clean_under_the_sanitizers() {
    let scratch = Scratch::new("numbers_native");
    if !sanitizers_work(&scratch) {
        return;
    }
    let executable = driver(&benchmarks(), &scratch.dir).unwrap();
    for seed in 0..5 {
        assert_eq!(native(&executable, &[&seed.to_string()]), Ending::Clean, "seed {seed}");
    }
}

#[test]
fn mutants_break_numbers_alone() {
    let scratch = Scratch::new("numbers_mutants");
    if !sanitizers_work(&scratch) {
        return;
    }
    // Those of `benchmarks/clumping` are tried with the programs there.
    let own = rows().into_iter().flat_map(|row| mutants(&row)).filter(|m| m.file.starts_with("numbers/"));
    let bad = complaints(&sample(own.collect()), |at, mutant| {
        let dir = subdirectory(&scratch, at);
        write_mutant(&dir, mutant);
        let endings =
            driver(&dir, &dir).map(|executable| ["0", "1", "2"].map(|seed| native(&executable, &[seed])));
        let noticed = |ending: &Ending| matches!(ending, Ending::Reported(why) if why.contains("Assertion"));
        match endings {
            Ok(endings) if endings.iter().all(|e| *e == Ending::Clean || noticed(e)) => {
                let some = endings.iter().any(noticed);
                (!some).then(|| format!("{}, {}: the driver notices nothing", mutant.row, mutant.name))
            }
            other => Some(format!("{}, {}: {other:?}", mutant.row, mutant.name)),
        }
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
