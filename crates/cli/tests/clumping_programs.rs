//! The programs of `benchmarks/clumping` do what they should, natively under the sanitizers and in the interpreter, and
//! their mutants do not.
//!
//! With `HEAPWISE_ALL_MUTANTS` set, all mutants are compiled and analysed, not just a sample.

// Tests say on standard error why they skip something.
#![allow(clippy::print_stderr)]

mod common;

use common::programs::{
    self, Ending, compile_with_sanitizers, complaints, native, sanitizers_work, subdirectory,
};
use common::{Scratch, heapwise, is_long, root};
use std::path::{Path, PathBuf};

/// Without `HEAPWISE_ALL_MUTANTS`, one mutant in so many is compiled; in the short form half of these.
const SAMPLE: usize = 6;

/// What a mutant breaks; see the `README.md` there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Breaks {
    Memory,
    Shape,
    Numbers,
}

#[derive(Clone, Debug)]
struct Mutant {
    /// The closed program that it is tried in.
    row: String,
    file: String,
    name: String,
    breaks: Breaks,
    /// The file with the line replaced.
    text: String,
}

fn programs() -> PathBuf {
    root().join("benchmarks/clumping")
}

/// The names of the operations.
fn rows() -> Vec<String> {
    let list = std::fs::read_to_string(programs().join("list.txt")).unwrap();
    let names = list.lines().filter(|line| !line.starts_with('#'));
    names.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

/// The mutants that the comments of a file describe.
fn mutants(file: &str, row: &str) -> Vec<Mutant> {
    let described = programs::mutants(&programs().join(file)).into_iter();
    described
        .map(|m| Mutant {
            row: row.to_owned(),
            file: file.to_owned(),
            breaks: match m.marks.first().map(String::as_str) {
                None => Breaks::Memory,
                Some("shape") => Breaks::Shape,
                Some("numbers") => Breaks::Numbers,
                Some(mark) => panic!("{file}: unknown mark `{mark}`"),
            },
            name: m.name,
            text: m.text,
        })
        .collect()
}

/// Those of the operations, then those of the headers, which are tried with the insertion.
fn all_mutants() -> Vec<Mutant> {
    let own = rows().into_iter().flat_map(|row| mutants(&format!("{row}.c"), &row));
    let shared = ["bsplay", "brbtree"].into_iter().zip(["bsplay-insert", "brbtree-insert"]);
    own.chain(shared.flat_map(|(header, row)| mutants(&format!("{header}.h"), row))).collect()
}

/// All mutants if that is asked for, else one in `step`.
fn sample(step: usize) -> Vec<Mutant> {
    let step = match std::env::var_os("HEAPWISE_ALL_MUTANTS") {
        Some(_) => 1,
        None if is_long() => step,
        None => 2 * step,
    };
    all_mutants().into_iter().step_by(step).collect()
}

/// Writes all programs into a directory, one of them mutated: quoted includes look next to the including file first.
fn write_mutant(dir: &Path, mutant: &Mutant) {
    for entry in std::fs::read_dir(programs()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, dir.join(path.file_name().unwrap())).unwrap();
    }
    std::fs::write(dir.join(&mutant.file), &mutant.text).unwrap();
}

fn structure(row: &str) -> &str {
    row.split('-').next().unwrap_or(row)
}

/// Compiles a closed program of the directory `sources` and the driver of its structure into one executable in `dir`.
fn compile(sources: &Path, dir: &Path, row: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let text = format!(
        "#define main closed_main\n#include \"{row}-closed.c\"\n#undef main\n#define main driver_main\n\
         #include \"{}-driver.c\"\n#undef main\n#include \"harness.h\"\n",
        structure(row)
    );
    let executable = dir.join("program");
    std::fs::write(dir.join("program.c"), text).unwrap();
    let include = format!("-iquote{}", sources.display());
    let flags: Vec<&str> = flags.iter().copied().chain([include.as_str()]).collect();
    compile_with_sanitizers(&dir.join("program.c"), &executable, &flags)?;
    Ok(executable)
}

#[test]
fn closed_programs_and_drivers_run_clean_under_the_sanitizers() {
    let scratch = Scratch::new("clumping_native");
    if !sanitizers_work(&scratch) {
        return;
    }
    // Balanced trees also the way the libraries have them, without tests of pointers that numbers promise.
    let trusting = ["brbtree-delete", "javl-insert"].map(|row| (row.to_owned(), "-DTRUST_NUMBERS"));
    let builds: Vec<_> = rows().into_iter().map(|row| (row, "-UTRUST_NUMBERS")).chain(trusting).collect();
    let bad = complaints(&builds, |at, (row, flag)| {
        let executable = match compile(&programs(), &subdirectory(&scratch, at), row, &[flag]) {
            Ok(executable) => executable,
            Err(message) => return Some(format!("{row}: {message}")),
        };
        [("closed", 500), ("driver", 10)].into_iter().find_map(|(mode, seeds)| {
            let ending = native(&executable, &[mode, &seeds.to_string()]);
            (ending != Ending::Clean).then(|| format!("{row}, {mode}: {ending:?}"))
        })
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn closed_programs_run_clean_in_the_interpreter() {
    let bad = complaints(&rows(), |_, row| {
        (0..3).find_map(|seed| {
            let output = heapwise()
                .args(["run", "--leaks", "none", "--seed", &seed.to_string()])
                .arg(programs().join(format!("{row}-closed.c")))
                .output()
                .unwrap();
            (output.status.code() != Some(0))
                .then(|| format!("{row}, seed {seed}: {}", String::from_utf8_lossy(&output.stderr)))
        })
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn every_operation_has_five_mutants_with_names_of_their_own() {
    let all = all_mutants();
    assert_eq!(rows().len(), 26);
    for row in rows() {
        let file = format!("{row}.c");
        let own: Vec<_> = all.iter().filter(|m| m.file == file).collect();
        let broken = own.iter().filter(|m| m.breaks != Breaks::Numbers).count();
        assert!(broken >= 5, "{row}: only {broken} mutants break memory safety or shape");
        for (at, mutant) in own.iter().enumerate() {
            assert!(own[..at].iter().all(|m| m.name != mutant.name), "{row}: two mutants `{}`", mutant.name);
        }
    }
}

#[test]
fn mutants_misbehave_as_they_say() {
    let scratch = Scratch::new("clumping_mutants");
    if !sanitizers_work(&scratch) {
        return;
    }
    let sample = sample(SAMPLE);
    let bad = complaints(&sample, |at, mutant| {
        let Mutant { row, file, name, breaks, .. } = mutant;
        let dir = subdirectory(&scratch, at);
        write_mutant(&dir, mutant);
        let executable = match compile(&dir, &dir, row, &[]) {
            Ok(executable) => executable,
            Err(message) => return Some(format!("{file}, {name}: {message}")),
        };
        let wrong = match (breaks, native(&executable, &["closed", "500"])) {
            (Breaks::Memory, Ending::Reported(_)) => None,
            (Breaks::Memory, ending) => Some(format!("the closed program shows no memory error: {ending:?}")),
            (Breaks::Shape, Ending::Clean | Ending::Endless) | (Breaks::Numbers, Ending::Clean) => {
                let ending = native(&executable, &["driver", "10"]);
                (!matches!(ending, Ending::Reported(_)))
                    .then(|| format!("the driver notices nothing: {ending:?}"))
            }
            (_, ending) => Some(format!("the closed program misbehaves: {ending:?}")),
        };
        wrong.map(|wrong| format!("{file}, {name}: {wrong}"))
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn mutants_are_not_proved() {
    let scratch = Scratch::new("clumping_rejected");
    let bad = complaints(&sample(4 * SAMPLE), |at, mutant| {
        let Mutant { row, file, name, breaks, .. } = mutant;
        if *breaks == Breaks::Numbers {
            return None;
        }
        let dir = subdirectory(&scratch, at);
        write_mutant(&dir, mutant);
        let closed = format!("{row}-closed.c");
        let (function, shapes) = (row.replace('-', "_"), format!("{}.shape", structure(row)));
        let operation = format!("{row}.c");
        let mut lines = vec![vec!["--function", &function, "--shapes", &shapes, &operation]];
        if *breaks == Breaks::Memory {
            lines.push(vec!["--runs", "0", &closed]);
        }
        lines.into_iter().find_map(|line| {
            let output =
                heapwise().args(["check", "--timeout", "2"]).args(line).current_dir(&dir).output().unwrap();
            // Unknown is the usual answer; an error needs concrete runs. Anything else is no answer at all.
            (!matches!(output.status.code(), Some(1 | 2))).then(|| format!("{file}, {name}: {output:?}"))
        })
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Most disjuncts at any point that the paper prints (Li, Berenger, Chang, Rival 2017, Fig. 12a, ClumpG).
const PRINTED: [(&str, usize); 20] = [
    ("psll-reverse", 1),
    ("psll-isort", 2),
    ("psll-bsort", 5),
    ("gdll-findmin", 3),
    ("gdll-index", 7),
    ("gdll-findmax", 3),
    ("gdll-find", 6),
    ("gdll-delete", 6),
    ("gbstree-find", 3),
    ("gbstree-insert", 4),
    ("gbstree-delete", 69),
    ("bsplay-find", 42),
    ("bsplay-delete", 42),
    ("bsplay-insert", 42),
    ("brbtree-find", 13),
    ("brbtree-insert", 51),
    ("brbtree-delete", 108),
    ("javl-find", 3),
    ("javl-free", 2),
    ("javl-insert", 120),
];

#[test]
fn operations_are_proved_with_few_disjuncts() {
    let bad = complaints(&rows(), |_, row| {
        let (function, shapes) = (row.replace('-', "_"), format!("{}.shape", structure(row)));
        let output = heapwise()
            .args(["check", "--strategy", "clumpg", "--runs", "0", "--timeout", "60", "--stats"])
            .args(["--property", "deref,free,uninitialised,assertion,division"])
            .args(["--function", &function, "--shapes", &shapes, &format!("{row}.c")])
            .current_dir(programs())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|l| l.strip_prefix("disjuncts: ")).unwrap_or_default();
        let mut numbers = line.split(", ").filter_map(|part| part.split(' ').next()?.parse::<usize>().ok());
        let mut next = || numbers.next().unwrap_or_else(|| panic!("{row}: {text}"));
        let (head, point, exit) = (next(), next(), next());
        let printed = PRINTED.iter().find(|(name, _)| name == row).map_or(usize::MAX, |(_, max)| *max);
        let fine = output.status.code() == Some(0) && head <= 3 && point <= printed && exit == 1;
        (!fine).then(|| format!("{row}: {text}"))
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Operations whose closed programs take seconds or are not proved: the page of benchmarks says which.
const LONG: [&str; 3] = ["gbstree-delete", "bsplay-delete", "brbtree-delete"];

#[test]
fn closed_programs_are_proved() {
    let rows: Vec<String> = rows().into_iter().filter(|r| !LONG.contains(&r.as_str())).collect();
    assert_eq!(rows.len(), 23);
    let bad = complaints(&rows, |_, row| {
        let output = heapwise()
            .args(["check", "--runs", "0", "--timeout", "60", &format!("{row}-closed.c")])
            .current_dir(programs())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code() != Some(0)).then(|| format!("{row}: {text}"))
    });
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
