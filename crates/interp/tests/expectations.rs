//! The annotations of the programs under `tests/check` are true: `//~ SAFE` programs run without error on many
//! inputs, and programs with `//~ ERROR kind` show that error, on that line, on some of them and never another
//! one.
#![allow(clippy::print_stdout, reason = "says why it skips something")]

use heapwise_frontend::SourceUnit;
use heapwise_interp::{LeakPolicy, Limits, Options, Outcome, RandomInputs, Surroundings, run};
use heapwise_ir::{DataModel, Program};
use std::path::{Path, PathBuf};
use std::process::Command;

const SAFE_SEEDS: u64 = 20;
const ERROR_SEEDS: u64 = 200;

fn programs(directory: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/check").join(directory);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root)
        .map(|entries| {
            entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect()
        })
        .unwrap_or_default();
    paths.sort();
    paths
}

fn compile(path: &Path) -> Result<Program, String> {
    let preprocessed =
        Command::new("gcc").args(["-E", "-w"]).arg(path).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&preprocessed.stdout).into_owned();
    let unit = SourceUnit { name: path.display().to_string(), text: text.into() };
    let (program, diagnostics) = heapwise_frontend::compile(&[unit], DataModel::Lp64);
    match diagnostics.iter().find(|d| d.severity != heapwise_ir::Severity::Note) {
        Some(d) => Err(format!("{}: {}", program.sources.describe(d.span), d.message)),
        None => Ok(program),
    }
}

/// Kind and line of the error that a run shows; leaks and lost blocks are one kind here.
fn error(program: &Program, seed: u64) -> Result<Option<(String, u32, String)>, String> {
    let limits = Limits { steps: 2_000_000, ..Limits::default() };
    let surroundings = Surroundings::Drawn;
    let options = Options { leaks: LeakPolicy::Reachable, limits, surroundings, ..Options::default() };
    match run(program, &options, &mut RandomInputs::new(seed), None).outcome {
        Outcome::Exit(_) | Outcome::Abort | Outcome::AssumeFailed | Outcome::Budget(_) => Ok(None),
        // What the interpreter does not know is not for a run to judge.
        Outcome::Error(e) if e.kind.name() == "unsupported" => Ok(None),
        Outcome::Error(e) => {
            let line = program.sources.location(e.span.lo).map_or(0, |l| l.line);
            let kind =
                if matches!(e.kind.name(), "lost-block" | "held-at-return") { "leak" } else { e.kind.name() };
            Ok(Some((kind.to_owned(), line, e.message)))
        }
        other => Err(format!("{other:?}")),
    }
}

fn check_safe(path: &Path) -> Result<(), String> {
    let program = compile(path)?;
    for seed in 0..SAFE_SEEDS {
        if let Some((kind, line, message)) = error(&program, seed)? {
            return Err(format!("seed {seed}: {kind} on line {line}: {message}"));
        }
    }
    Ok(())
}

fn check_error(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let marked = text.lines().zip(1u32..).find_map(|(l, n)| l.split_once("//~ ERROR ").map(|(_, k)| (k, n)));
    let Some((expected, expected_line)) = marked else { return Err("no `//~ ERROR` line".into()) };
    let program = compile(path)?;
    let mut seen = false;
    for seed in 0..ERROR_SEEDS {
        if let Some((kind, line, message)) = error(&program, seed)? {
            if kind != expected.trim() || (kind != "leak" && line != expected_line) {
                return Err(format!("seed {seed}: {kind} on line {line}, not {expected}: {message}"));
            }
            seen = true;
            if seed >= SAFE_SEEDS {
                break;
            }
        }
    }
    // Some errors need inputs that are found by solving for them.
    if seen || text.contains("// needs certain inputs") {
        Ok(())
    } else {
        Err(format!("{expected} was not seen in {ERROR_SEEDS} runs"))
    }
}

fn check_all(directory: &str, check: fn(&Path) -> Result<(), String>) {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc on this machine");
        return;
    }
    let paths = programs(directory);
    assert!(!paths.is_empty(), "no programs in tests/check/{directory}");
    let failures: Vec<String> = paths
        .iter()
        .filter_map(|p| {
            check(p).err().map(|why| format!("{}: {why}", p.file_name().unwrap_or_default().display()))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} programs:\n{}", failures.len(), paths.len(), failures.join("\n"));
}

#[test]
fn safe_programs_run_without_error() {
    check_all("safe", check_safe);
}

#[test]
fn erroneous_programs_show_their_error() {
    check_all("error", check_error);
}
