//! Mutants: proved programs with one statement or condition changed. A mutant that goes wrong in some run must not be
//! proved.
//!
//! The changes: a statement dropped (stores and calls of `free` among them), a condition of an `if` negated or fixed either
//! way, two neighbouring statements swapped. Mutants that do not compile, or that no run sees misbehave, do not count. The suite
//! takes a sample of the mutants of each program; `HEAPWISE_MUTANTS=all` takes all, and `HEAPWISE_ONLY` chooses
//! programs by a part of their path.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::verdict::find_error;
use heapwise_engine::{Hunt, Options, analyse};
use std::time::{Duration, Instant};

/// Mutants of one program that the suite looks at.
const SAMPLE: usize = 4;
/// Time after which the suite stops looking at further programs.
const ENOUGH: Duration = Duration::from_secs(60);

#[test]
fn misbehaving_mutants_are_not_proved() {
    let all = std::env::var("HEAPWISE_MUTANTS").is_ok_and(|m| m == "all");
    let begun = Instant::now();
    let options = Options { timeout: Some(Duration::from_millis(700)), ..Options::default() };
    let hunt = Hunt { runs: 30, steps: 20_000, time: Duration::from_secs(1), ..Hunt::default() };
    let (mut programs, mut compiled, mut misbehaving, mut proved) = (0, 0, 0, Vec::new());
    for path in common::programs("tests/check/safe").into_iter().chain(common::programs("examples")) {
        if !all && begun.elapsed() > ENOUGH {
            break;
        }
        let name = path.to_string_lossy();
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
        for (what, text) in mutants.iter().step_by(step) {
            let Some(program) = common::from_preprocessed(&name, text) else { continue };
            compiled += 1;
            let Some(error) = find_error(&program, &options, &hunt) else { continue };
            misbehaving += 1;
            let by_runs = heapwise_engine::hunt::Hunter::new(&program, &options).runs_prove(&hunt);
            if by_runs || analyse(&program, &options).alarms.is_empty() {
                proved.push(format!("{name}: {what}: {}", error.error.message));
            }
        }
    }
    eprintln!(
        "{programs} proved programs, {compiled} mutants, {misbehaving} of them misbehave, {} of these are proved",
        proved.len()
    );
    assert!(proved.is_empty(), "wrong proofs:\n{}", proved.join("\n"));
    assert!(misbehaving > 0 || std::env::var("HEAPWISE_ONLY").is_ok(), "no mutant misbehaves");
}
