//! What the annotations say is what native runs with sanitizers show: programs marked safe run clean, and the planted bug of
//! the others is reported, except where sanitizers do not look.
//!
//! The suite takes some programs; `HEAPWISE_NATIVE=all` takes all, and `HEAPWISE_ONLY` chooses programs by a
//! part of their path.

#![allow(clippy::print_stderr)]

mod common;

use common::native::{Ending, Workshop, run};
use std::collections::BTreeMap;

/// One program in so many, in the short form and in the long one.
const SAMPLE: (usize, usize) = (20, 10);
/// Native runs of a safe program.
const RUNS: u64 = 24;
/// Native runs in which a planted bug may show.
const PATIENCE: u64 = 200;

fn step() -> usize {
    match std::env::var("HEAPWISE_NATIVE").is_ok_and(|m| m == "all") {
        true => 1,
        false if common::is_long() => SAMPLE.1,
        false => SAMPLE.0,
    }
}

fn text_of(path: &std::path::Path) -> String {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    common::preprocess(&path.to_string_lossy(), &text).expect("the program is preprocessed")
}

#[test]
fn safe_programs_run_clean() {
    let Some(workshop) = Workshop::new("safe") else { return };
    let (mut programs, mut runs, mut endless, mut wrong) = (0, 0, 0, Vec::new());
    for path in common::programs("tests/check/safe").into_iter().step_by(step()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(executable) = workshop.build("program", &text_of(&path)) else {
            wrong.push(format!("{name} does not compile"));
            continue;
        };
        programs += 1;
        for seed in 0..RUNS {
            runs += 1;
            match run(&executable, seed) {
                Ending::Clean => {}
                // Trees may grow for ever on some inputs; more runs would say nothing new.
                Ending::Endless => {
                    endless += 1;
                    break;
                }
                Ending::Reported(line) => {
                    wrong.push(format!("{name}, seed {seed}: {line}"));
                    break;
                }
            }
        }
    }
    eprintln!("{programs} safe programs, {runs} native runs, {endless} do not end");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn planted_bugs_are_reported() {
    let Some(workshop) = Workshop::new("error") else { return };
    // Kind of bug: programs, those in which it was reported.
    let mut kinds: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let (mut silent, mut seen) = (Vec::new(), Vec::new());
    for path in common::programs("tests/check/error").into_iter().step_by(step()) {
        let source = std::fs::read_to_string(&path).expect("the program can be read");
        let kind = source.lines().find_map(|l| l.split_once("//~ ERROR ")).map(|(_, k)| k.trim().to_owned());
        let kind = kind.unwrap_or_else(|| panic!("{} is annotated", path.display()));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(executable) = workshop.build("program", &text_of(&path)) else {
            silent.push(format!("{kind}: {name} does not compile"));
            continue;
        };
        let reported = (0..PATIENCE).any(|seed| matches!(run(&executable, seed), Ending::Reported(_)));
        // The program says why not; one that is seen after all says what is not so.
        if let Some((_, why)) = source.split_once("// not seen by sanitizers: ") {
            if reported {
                seen.push(format!(
                    "{name} is seen by the sanitizers, although: {}",
                    why.lines().next().unwrap_or("")
                ));
            }
            continue;
        }
        // What the compiler leaves on the stack decides.
        if source.contains("// seen by sanitizers by chance: ") {
            continue;
        }
        let count = kinds.entry(kind.clone()).or_default();
        count.0 += 1;
        count.1 += u32::from(reported);
        if !reported {
            silent.push(format!("{kind}: {name}"));
        }
    }
    for (kind, (programs, reported)) in &kinds {
        eprintln!("{kind}: {programs} programs, reported in {reported}");
    }
    silent.iter().for_each(|s| eprintln!("not reported: {s}"));
    assert!(seen.is_empty(), "{}", seen.join("\n"));
    // Indeterminate values and arithmetic are not what these sanitizers look at.
    let expected = ["null-deref", "use-after-free", "double-free"];
    for (kind, (programs, reported)) in kinds.iter().filter(|(k, _)| expected.contains(&k.as_str())) {
        assert!(reported * 10 >= programs * 9, "{kind}: reported in {reported} of {programs}");
    }
}
