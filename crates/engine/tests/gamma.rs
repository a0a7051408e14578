//! Concrete runs against the states of the analysis: at every statement of every run, some disjunct that was computed
//! for that point must contain the memory. A memory outside of all of them is a wrong step of the analysis.
//!
//! `HEAPWISE_SEEDS` sets the number of runs per program, `HEAPWISE_SECONDS` the time for its analysis, and `HEAPWISE_ONLY` chooses
//! programs by a part of their path. `docs/testing.md` has the figures of a long run.

#![allow(clippy::print_stderr)]

mod common;

use common::judge::{Tally, judged, options};
use heapwise_engine::analyse;
use heapwise_heap::{State, Summary, Val};

/// Programs of each directory in the short form.
const SHORT: usize = 30;

#[test]
fn concrete_memories_lie_inside_the_states() {
    let seeds = common::amount("HEAPWISE_SEEDS", 2, 3);
    let (mut total, mut programs, mut proved, mut exhausted) = (Tally::default(), 0, 0, 0);
    for name in ["examples", "tests/check/safe", "tests/check/error"] {
        let paths = common::spread(common::programs(name), SHORT);
        let tallies = common::parallel::each(&paths, |path| {
            let program = common::load(path);
            judged(&program, &analyse(&program, &options()), &options(), seeds)
        });
        for (path, tally) in paths.iter().zip(tallies) {
            programs += 1;
            proved += u32::from(tally.proved);
            exhausted += u32::from(tally.exhausted);
            total.checked += tally.checked;
            total.points += tally.points;
            total.shapes += tally.shapes;
            total.undecided += tally.undecided;
            let known = if tally.proved { "proved" } else { "with alarms" };
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            total
                .violations
                .extend(tally.violations.into_iter().take(1).map(|v| format!("{file} ({known}), {v}")));
        }
    }
    eprintln!(
        "{} memories checked at {} points of {programs} programs, {} undecided, {} programs outside; {} proved shapes looked for; \
         {proved} programs proved, {exhausted} without a result in time",
        total.checked,
        total.points,
        total.undecided,
        total.violations.len(),
        total.shapes
    );
    let shown: Vec<&str> = total.violations.iter().take(8).map(String::as_str).collect();
    assert!(total.violations.is_empty(), "memories outside of the states:\n{}", shown.join("\n"));
    assert!(total.checked > 1000 || std::env::var("HEAPWISE_ONLY").is_ok(), "hardly anything was checked");
}

/// The judge itself: states that say too much must be refused.
#[test]
fn wrong_states_are_noticed() {
    let path = common::directory("tests/check/safe/sll_build_destroy.c");
    let program = common::load(&path);
    let sound = analyse(&program, &options());
    assert!(sound.alarms.is_empty(), "the program is proved");
    let sabotaged = |change: fn(&mut State)| {
        let mut report = analyse(&program, &options());
        report.states.values_mut().flatten().for_each(change);
        judged(&program, &report, &options(), 6).violations.len()
    };
    assert_eq!(sabotaged(|_| {}), 0);
    assert!(sabotaged(|s| s.retain_summaries(|_| false)) > 0, "blocks that nothing describes");
    assert!(sabotaged(|s| s.retain_objects(|_, _| false)) > 0, "objects forgotten");
    let null = |s: &mut State| {
        s.set_roots(s.roots().map(|(root, _)| (root, Val::ZERO)).collect());
    };
    assert!(sabotaged(null) > 0, "every variable null");
    let empty = |s: &mut State| {
        let rings: Vec<Summary> =
            s.summaries().map(|t| Summary { end: Some((t.root, t.args.clone())), ..t.clone() }).collect();
        s.retain_summaries(|_| false);
        rings.into_iter().for_each(|t| {
            s.add_summary(t);
        });
    };
    assert!(sabotaged(empty) > 0, "lists that are rings");
}
