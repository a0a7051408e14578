//! Mutants: proved programs with one statement or condition changed. A mutant that goes wrong in some run must not be
//! proved.
//!
//! The changes: a null check, a statement (stores and calls of `free` among them) dropped, a condition of an `if` negated or
//! fixed either way, two neighbouring statements swapped. The suite takes a sample of the mutants of each program
//! and looks at those that some run sees misbehave. `HEAPWISE_MUTANTS=all` takes all, also compiles those that are proved
//! with sanitizers, runs them on many inputs, and lists them; `HEAPWISE_ONLY` chooses programs by a part of their path.

#![allow(clippy::print_stderr)]

mod common;

use common::judge::limit;
use common::mutate::Change;
use common::native::{Ending, Workshop, run};
use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Hunt, Options, analyse};
use heapwise_property::Reason;
use std::collections::BTreeMap;
use std::time::Instant;

/// Programs that the suite looks at, in the short form and in the long one, and mutants of each.
const PROGRAMS: (usize, usize) = (16, 48);
const SAMPLE: usize = 4;
/// Native runs of a mutant that is proved.
const NATIVE_RUNS: u64 = 24;

/// What became of the mutants of one kind.
#[derive(Default)]
struct Counts {
    made: u32,
    compiled: u32,
    misbehaving: u32,
    rejected: u32,
    /// Of the rejected: for lack of time.
    budget: u32,
    proved: u32,
    native: u32,
    /// Native runs that did not come to an end.
    endless: u32,
}

#[test]
fn misbehaving_mutants_are_not_proved() {
    let all = std::env::var("HEAPWISE_MUTANTS").is_ok_and(|m| m == "all");
    let begun = Instant::now();
    let options = Options { timeout: Some(limit(0.7)), ..Options::default() };
    let hunt = Hunt { runs: 30, steps: 20_000, effort: 2_000_000, ..Hunt::default() };
    let workshop = all.then(|| Workshop::new("mutants")).flatten();
    let (mut programs, mut wrong) = (0, Vec::new());
    let mut counts: BTreeMap<Change, Counts> = BTreeMap::new();
    let mut paths = common::programs("tests/check/safe");
    paths.extend(common::programs("examples"));
    if !all && std::env::var_os("HEAPWISE_ONLY").is_none() {
        let most = if common::is_long() { PROGRAMS.1 } else { PROGRAMS.0 };
        paths = common::every(paths.len().div_ceil(most), paths);
    }
    for path in paths {
        let name = path.to_string_lossy();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        if text.lines().nth(1).is_some_and(|l| l.starts_with("//~ TODO")) {
            continue;
        }
        let text = common::preprocess(&name, &text).expect("the program is preprocessed");
        if !common::from_preprocessed(&name, &text).is_some_and(|p| analyse(&p, &options).alarms.is_empty()) {
            continue;
        }
        programs += 1;
        let mutants = common::mutate::mutants(&text, &name);
        // A step that is coprime to the kinds of change, so that the sample has all of them.
        let step = if all { 1 } else { (mutants.len() / SAMPLE).max(1) | 1 };
        for mutant in mutants.iter().step_by(step) {
            let count = counts.entry(mutant.change).or_default();
            count.made += 1;
            let Some(program) = common::from_preprocessed(&name, &mutant.text) else { continue };
            count.compiled += 1;
            let error = find_error(&program, &options, &hunt);
            count.misbehaving += u32::from(error.is_some());
            if error.is_none() && !all {
                continue;
            }
            let by_runs = heapwise_hunt::Hunter::new(&program, &options.entry, options.properties)
                .runs_prove(&hunt.limits(hunt.effort, None));
            let alarms = analyse(&program, &options).alarms;
            let place = format!("{file}:{}", mutant.line);
            if !by_runs && !alarms.is_empty() {
                count.rejected += 1;
                count.budget += u32::from(error.is_none() && alarms[0].kind == Reason::Budget);
                continue;
            }
            count.proved += 1;
            if let Some(error) = error {
                wrong.push(format!("{place}: {}: {}", mutant.what, error.error.message));
                continue;
            }
            let Some(executable) = workshop.as_ref().and_then(|w| w.build("mutant", &mutant.text)) else {
                eprintln!("proved, not run natively: {place}: {}", mutant.what);
                continue;
            };
            count.native += 1;
            let (mut ended, mut endless) = (0, 0);
            for seed in 0..NATIVE_RUNS {
                match run(&executable, seed) {
                    Ending::Clean => ended += 1,
                    Ending::Endless => endless += 1,
                    Ending::Reported(line) => {
                        eprintln!("WRONG {place}: {}: seed {seed}: {line}", mutant.what);
                        wrong.push(format!("{place}: {}: seed {seed}: {line}", mutant.what));
                        break;
                    }
                }
                // Each takes long, and more of them say nothing new.
                if endless > 2 {
                    break;
                }
            }
            count.endless += u32::from(endless > 0);
            let how = if by_runs { "by its runs" } else { "by the analysis" };
            eprintln!("proved {how}, {ended} native runs: {place}: {}", mutant.what);
        }
    }
    eprintln!("{programs} proved programs in {:.0} s", begun.elapsed().as_secs_f64());
    eprintln!(
        "change | made | compile | misbehave in a run | rejected (lack of time) | proved | run natively (endless)"
    );
    for change in Change::ALL {
        let Some(c) = counts.get(&change) else { continue };
        eprintln!(
            "{change:<23} | {} | {} | {} | {} ({}) | {} | {} ({})",
            c.made, c.compiled, c.misbehaving, c.rejected, c.budget, c.proved, c.native, c.endless
        );
    }
    let misbehaving: u32 = counts.values().map(|c| c.misbehaving).sum();
    assert!(wrong.is_empty(), "{} wrong proofs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(misbehaving > 0 || std::env::var("HEAPWISE_ONLY").is_ok(), "no mutant misbehaves");
}
