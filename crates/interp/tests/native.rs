//! Every program under `tests/run` behaves in the interpreter as it does natively: same output, same exit status,
//! in both data models.
//!
//! Directives in the first lines of a program: `// args: a b c`, `// std: gnu2x`, `// model: lp64` (not to be run
//! as a 32-bit program). `RUN_ONLY=substring` restricts the test to some of them.
#![allow(clippy::print_stdout, reason = "says why it skips something")]

use heapwise_frontend::SourceUnit;
use heapwise_interp::{Limits, ListInputs, Options, Outcome, run};
use heapwise_ir::{DataModel, Severity};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Case {
    path: PathBuf,
    name: String,
    args: Vec<String>,
    standard: Option<String>,
    models: Vec<DataModel>,
}

fn collect(directory: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|e| e == "c") {
            into.push(path);
        }
    }
}

fn cases(root: &Path) -> Vec<Case> {
    let mut paths = Vec::new();
    collect(root, &mut paths);
    paths.sort();
    let only = std::env::var("RUN_ONLY").unwrap_or_default();
    let case = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let directive = |key: &str| {
            let prefix = format!("// {key}: ");
            text.lines().take(5).find_map(|l| l.strip_prefix(&prefix).map(str::to_owned))
        };
        let words = |line: String| line.split_whitespace().map(str::to_owned).collect();
        let lp64_only = directive("model").as_deref() == Some("lp64");
        let models = if lp64_only { vec![DataModel::Lp64] } else { vec![DataModel::Lp64, DataModel::Ilp32] };
        Case {
            args: directive("args").map(words).unwrap_or_default(),
            standard: directive("std"),
            models,
            path,
            name,
        }
    };
    paths.into_iter().map(case).filter(|c| c.name.contains(&only)).collect()
}

fn gcc(case: &Case, model: DataModel) -> Command {
    let mut command = Command::new("gcc");
    command.arg("-w").stdin(Stdio::null());
    match model {
        DataModel::Lp64 => command.arg("-m64"),
        // Without excess precision, so that floating results are those of the types.
        DataModel::Ilp32 => command.args(["-m32", "-msse2", "-mfpmath=sse"]),
    };
    command.args(case.standard.iter().map(|s| format!("-std={s}"))).arg(&case.path);
    command
}

/// Output and exit status of the native program.
fn native(case: &Case, model: DataModel, scratch: &Path) -> Result<(Vec<u8>, i32), String> {
    let binary = scratch.join(format!("{}-{model:?}", case.name.replace(['/', '.'], "_")));
    let compiled = gcc(case, model).arg("-o").arg(&binary).arg("-lm").output().map_err(|e| e.to_string())?;
    if !compiled.status.success() {
        return Err(format!("gcc: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let ran =
        Command::new(&binary).args(&case.args).stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    let _ = std::fs::remove_file(&binary);
    let status = ran.status.code().ok_or("the native program was killed")?;
    Ok((ran.stdout, status))
}

fn interpreted(case: &Case, model: DataModel) -> Result<(Vec<u8>, i32), String> {
    let preprocessed = gcc(case, model).arg("-E").output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&preprocessed.stdout).into_owned();
    let unit = SourceUnit { name: case.name.clone(), text: text.into() };
    let (program, diagnostics) = heapwise_frontend::compile(&[unit], model);
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|d| d.severity != Severity::Note)
        .map(|d| format!("{}: {} [{}]", program.sources.describe(d.span), d.message, d.code))
        .collect();
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(format!("front end: {}", errors.join("; ")));
    }
    let mut args = vec![b"program".to_vec()];
    args.extend(case.args.iter().map(|a| a.clone().into_bytes()));
    let limits = Limits { steps: 100_000_000, ..Limits::default() };
    let options = Options { args, limits, ..Options::default() };
    let result = run(&program, &options, &mut ListInputs::default(), None);
    match result.outcome {
        Outcome::Exit(status) => Ok((result.stdout, status)),
        Outcome::Error(e) => {
            let place = program.sources.describe(e.span);
            Err(format!("{place}: {} [{}] {}", e.message, e.kind, errors.join("; ")))
        }
        other => Err(format!("ended with {other:?}; {}", errors.join("; "))),
    }
}

/// The first line that differs.
fn difference(expected: &[u8], found: &[u8]) -> String {
    let (expected, found) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(found));
    let (mut a, mut b) = (expected.lines(), found.lines());
    let mut line = 0;
    loop {
        line += 1;
        match (a.next(), b.next()) {
            (None, None) => return "ends of lines differ".into(),
            (x, y) if x != y => {
                let show = |l: Option<&str>| l.map_or("nothing".into(), |l| format!("`{l}`"));
                return format!("line {line} of the output is {}, natively {}", show(y), show(x));
            }
            _ => {}
        }
    }
}

fn compare(case: &Case, model: DataModel, scratch: &Path) -> Result<(), String> {
    let expected = native(case, model, scratch)?;
    let found = interpreted(case, model)?;
    if expected.0 != found.0 {
        return Err(difference(&expected.0, &found.0));
    }
    if expected.1 != found.1 {
        return Err(format!("exit status {}, natively {}", found.1, expected.1));
    }
    Ok(())
}

/// Whether gcc can build a 32-bit program with all headers that the programs include: half an installation is none.
fn makes_32_bit_programs(cases: &[Case], scratch: &Path) -> bool {
    let mut headers = BTreeSet::new();
    for case in cases {
        let text = std::fs::read_to_string(&case.path).unwrap_or_default();
        headers.extend(text.lines().filter(|l| l.starts_with("#include <")).map(str::to_owned));
    }
    let probe = scratch.join("m32-probe.c");
    let includes: Vec<String> = headers.into_iter().collect();
    let text = format!("{}\nint main(void) {{ return 0; }}\n", includes.join("\n"));
    std::fs::write(&probe, text).expect("scratch directory");
    let built = Command::new("gcc").args(["-m32", "-o"]).arg(scratch.join("m32-probe")).arg(&probe).output();
    built.is_ok_and(|o| o.status.success())
}

#[test]
fn programs_behave_as_natively() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc on this machine");
        return;
    }
    let cases = cases(&root);
    let has_m32 = makes_32_bit_programs(&cases, scratch);
    if !has_m32 {
        println!("32-bit programs are skipped: gcc -m32 does not work on this machine");
    }
    let work: Vec<(&Case, DataModel)> = cases
        .iter()
        .flat_map(|c| c.models.iter().map(move |m| (c, *m)))
        .filter(|(_, m)| has_m32 || *m == DataModel::Lp64)
        .collect();
    assert!(!work.is_empty(), "no programs under {}", root.display());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(4) {
            scope.spawn(|| {
                while let Some((case, model)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = compare(case, *model, scratch) {
                        let line = format!("{} ({model:?}): {why}", case.name);
                        failures.lock().expect("no panic while it is locked").push(line);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no panic while it was locked");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} runs differ:\n{}",
        failures.len(),
        work.len(),
        failures.join("\n")
    );
}
