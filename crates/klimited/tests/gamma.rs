//! Concrete runs against the graphs of the analysis: at every statement of every run, some graph that was computed for that
//! point must contain the memory. The laws of order, join, widening and generalisation are checked with the same memories.
//!
//! `HEAPWISE_SEEDS` sets the number of runs per program and takes all programs for all variants, `HEAPWISE_ONLY` chooses programs by a part of their path.

#![allow(clippy::print_stderr)]

mod common;

use common::watch::{Tally, judged};
use heapwise_fixpoint::laws::{domain_laws, meaning_laws};
use heapwise_fixpoint::{Report, Settings};
use heapwise_ir::Program;
use heapwise_klimited::gamma::{Claim, Membership, member};
use heapwise_klimited::{Connectors, Graph, KLimited, Limit, Value, Variant, analyse};
use heapwise_numeric::Numeric;
use heapwise_property::Reason;
use std::path::PathBuf;

/// Memories that the laws are checked with, and states.
const SAMPLES: usize = 24;

fn analysed(program: &Program, variant: Variant) -> Report<Graph> {
    let settings =
        Settings { max_steps: 4_000, max_disjuncts: 60, record_states: true, ..Settings::default() };
    analyse(program, &settings, variant)
}

fn variants() -> Vec<Variant> {
    let with = |limit, k| Variant { limit, k, ..Variant::default() };
    vec![
        Variant::default(),
        with(Limit::Paths, 0),
        with(Limit::Paths, 2),
        with(Limit::Sites, 1),
        with(Limit::Types, 2),
        Variant { materialise: false, ..Variant::default() },
        Variant {
            limit: Limit::OnePerSite,
            k: 0,
            one_graph: true,
            relations: Some((Connectors::OneStep, Numeric::Zones)),
            ..Variant::default()
        },
        Variant { relations: Some((Connectors::OneStep, Numeric::Octagons)), ..Variant::default() },
        Variant { relations: Some((Connectors::Transitive, Numeric::Zones)), ..with(Limit::Types, 1) },
    ]
}

#[test]
fn concrete_memories_lie_inside_the_graphs() {
    let seeds = std::env::var("HEAPWISE_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let (mut total, mut violations) = (Tally::default(), Vec::new());
    for variant in variants() {
        let mut of_variant = Tally::default();
        // All programs for the default, or if all is asked for, and a sample of them for the others.
        let whole = variant == Variant::default() || std::env::var("HEAPWISE_SEEDS").is_ok();
        for directory in ["examples", "tests/check/safe", "tests/check/error"] {
            let paths: Vec<PathBuf> =
                common::programs(directory).into_iter().step_by(if whole { 1 } else { 8 }).collect();
            let tallies = common::parallel::each(&paths, |path| {
                let program = common::load(path);
                let report = analysed(&program, variant);
                let ended = report.alarms.iter().all(|a| a.kind != Reason::Budget);
                ended.then(|| judged(&program, &report, seeds))
            });
            for (path, tally) in paths.iter().zip(tallies) {
                let Some(tally) = tally else { continue };
                of_variant.checked += tally.checked;
                of_variant.undecided += tally.undecided;
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                violations.extend(tally.violation.map(|v| format!("{file}, {variant:?}: {v}")));
            }
        }
        eprintln!("{variant:?}: {} memories, {} undecided", of_variant.checked, of_variant.undecided);
        total.checked += of_variant.checked;
    }
    let shown: Vec<&str> = violations.iter().take(5).map(String::as_str).collect();
    assert!(
        violations.is_empty(),
        "{} memories outside of the graphs:\n{}",
        violations.len(),
        shown.join("\n")
    );
    assert!(total.checked > 1000 || std::env::var("HEAPWISE_ONLY").is_ok(), "hardly anything was checked");
}

/// The judge itself: graphs that say too much must be refused.
#[test]
fn wrong_graphs_are_noticed() {
    let path = common::programs("tests/check/safe").into_iter().find(|p| p.ends_with("sll_build_destroy.c"));
    let Some(path) = path else { return };
    let program = common::load(&path);
    let sabotaged = |change: fn(&mut Graph)| {
        let mut report = analysed(&program, Variant::default());
        report.states.values_mut().flatten().for_each(change);
        judged(&program, &report, 6).violation.is_some()
    };
    assert!(!sabotaged(|_| {}));
    assert!(sabotaged(|g| g.nodes.clear()), "objects forgotten");
    assert!(sabotaged(|g| g.roots.values_mut().for_each(|v| *v = Value::int(0))), "every variable null");
    let no_summaries = |g: &mut Graph| {
        for n in g.nodes.values_mut() {
            std::rc::Rc::make_mut(n).summary = false;
        }
    };
    assert!(sabotaged(no_summaries), "groups that are one object");
}

#[test]
fn the_laws_hold() {
    let (mut ordered, mut joined, mut memories) = (0, 0, 0);
    for directory in ["examples", "tests/check/safe"] {
        for path in common::programs(directory).into_iter().step_by(16) {
            let program = common::load(&path);
            for variant in variants() {
                let report = analysed(&program, variant);
                let main = program.function_named("main");
                let mut points: Vec<_> =
                    report.states.iter().filter(|(p, _)| Some(p.function) == main).collect();
                points.sort_by_key(|(p, _)| **p);
                let all: Vec<Graph> =
                    points.into_iter().flat_map(|(_, s)| s.iter().take(3).cloned()).collect();
                let step = all.len() / SAMPLES + 1;
                let samples: Vec<Graph> = all.into_iter().step_by(step).collect();
                let mut domain = KLimited::new(&program, variant);
                let place = path.display();
                let tally = domain_laws(&mut domain, &samples)
                    .unwrap_or_else(|e| panic!("{place}, {variant:?}: {e}"));
                let seen = common::watch::memories(&program, SAMPLES);
                let inside = |g: &Graph, m: &common::watch::Snapshot| match member(g, m, Claim::Part, 20_000)
                {
                    Membership::Inside => Some(true),
                    Membership::Outside(_) => Some(false),
                    Membership::Undecided => None,
                };
                let meaning = meaning_laws(&mut domain, &samples, &seen, inside);
                let meaning = meaning.unwrap_or_else(|e| panic!("{place}, {variant:?}: {e}"));
                ordered += tally.ordered;
                joined += tally.joined + meaning.joined;
                memories += meaning.memories;
            }
        }
    }
    eprintln!("{ordered} pairs in order, {joined} put together, {memories} memories looked up");
    assert!(joined > 0 && memories > 0);
}
