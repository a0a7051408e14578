//! Rows for the comparison of strict and loose embedding (Arnold Table 2).
//!
//! Times are of the analysis alone, after the specification was read, best of a few runs.

use crate::domain::{Embedding, Join};
use crate::lang::tvs::Unmentioned;
use crate::lang::{LangError, read_program, read_structures};
use crate::samples;
use crate::solver::{self, Counts, counts};
use crate::specialised;
use std::time::{Duration, Instant};

/// Which engine a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Meets with prepared structures.
    Specialised,
    /// Focus, coerce and finite differencing on a TVP specification.
    General,
}

/// One program with one engine and one embedding.
#[derive(Clone, Debug)]
pub struct Row {
    /// The program.
    pub program: &'static str,
    /// The engine.
    pub engine: Engine,
    /// Strict or loose.
    pub embedding: Embedding,
    /// Structures.
    pub counts: Counts,
    /// Statements or actions applied to structures.
    pub steps: usize,
    /// Time of the fastest run.
    pub time: Duration,
    /// The part of it that refining structures took.
    pub refinement: Duration,
    /// Whether everything was proved.
    pub proved: bool,
}

/// What the report's Table 2 says of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reported {
    /// Structures over all locations.
    pub total: usize,
    /// Average per location.
    pub average: f64,
    /// Largest set.
    pub max: usize,
    /// Milliseconds, on a machine of 2006.
    pub milliseconds: u32,
    /// The part of them that refining structures took.
    pub refinement: u32,
    /// Locations of the control-flow graph.
    pub locations: usize,
}

/// The figures of Arnold's Table 2, where the graphs of the programs were cut in a way that is not printed.
pub fn reported(program: &str, embedding: Embedding) -> Option<Reported> {
    let (locations, strict, loose) = match program {
        "sll-loop" => (33, (109, 3.3, 9, 20, 6), (59, 1.8, 4, 11, 5)),
        "sll-reverse" => (52, (226, 4.4, 9, 34, 12), (104, 2.0, 4, 28, 14)),
        "sll-delete" => (49, (485, 9.9, 48, 202, 59), (215, 4.4, 20, 100, 44)),
        "dll-loop" => (35, (113, 3.2, 9, 27, 18), (61, 1.7, 4, 19, 11)),
        "dll-pairs" => (42, (191, 4.6, 15, 69, 50), (105, 2.5, 8, 43, 31)),
        _ => return None,
    };
    let (total, average, max, milliseconds, refinement) =
        if embedding == Embedding::Strict { strict } else { loose };
    Some(Reported { total, average, max, milliseconds, refinement, locations })
}

const SPECS: [(&str, &str); 5] = [
    ("sll-loop", include_str!("../specs/sll-loop.tvp")),
    ("sll-reverse", include_str!("../specs/sll-reverse.tvp")),
    ("sll-delete", include_str!("../specs/sll-delete.tvp")),
    ("dll-loop", include_str!("../specs/dll-loop.tvp")),
    ("dll-pairs", include_str!("../specs/dll-pairs.tvp")),
];

/// The text of a library file that the built-in specifications include.
pub fn library(name: &str) -> Option<&'static str> {
    Some(match name {
        "lib/heap.tvp" => include_str!("../specs/lib/heap.tvp"),
        "lib/heap_actions.tvp" => include_str!("../specs/lib/heap_actions.tvp"),
        "lib/dll_actions.tvp" => include_str!("../specs/lib/dll_actions.tvp"),
        "lib/tree.tvp" => include_str!("../specs/lib/tree.tvp"),
        "lib/tree_actions.tvp" => include_str!("../specs/lib/tree_actions.tvp"),
        "lib/order.tvp" => include_str!("../specs/lib/order.tvp"),
        "lib/order_actions.tvp" => include_str!("../specs/lib/order_actions.tvp"),
        _ => return None,
    })
}

/// Runs all programs with both engines and both embeddings, `runs` times each.
pub fn rows(runs: usize) -> Result<Vec<Row>, LangError> {
    let mut rows = Vec::new();
    let both = [Embedding::Strict, Embedding::Loose];
    for sample in samples::all() {
        for embedding in both {
            let options = specialised::Options { embedding, ..specialised::Options::default() };
            let mut best: Option<Row> = None;
            for _ in 0..runs.max(1) {
                let started = Instant::now();
                let Ok(analysis) = specialised::analyse(&sample.program, &options) else { break };
                let time = started.elapsed();
                if best.as_ref().is_none_or(|b| time < b.time) {
                    best = Some(Row {
                        program: sample.name,
                        engine: Engine::Specialised,
                        embedding,
                        counts: counts(&analysis.sets),
                        steps: analysis.steps,
                        time,
                        refinement: analysis.refinement,
                        proved: analysis.is_proved(),
                    });
                }
            }
            rows.extend(best);
        }
    }
    let mut include = |name: &str, _: &str| match library(name) {
        Some(text) => Ok((name.to_string(), text.to_string())),
        None => Err("no such built-in file".to_string()),
    };
    for (name, text) in SPECS {
        let spec = read_program(name, text, &mut include)?;
        let initial = read_structures(&spec, "empty", "%n = {}", Unmentioned::Evaluate, &mut include)?;
        for embedding in both {
            let options = solver::Options { embedding, join: Join::Maximal, ..solver::Options::default() };
            let mut best: Option<Row> = None;
            for _ in 0..runs.max(1) {
                let started = Instant::now();
                let solution = spec.run(&initial, &options);
                let time = started.elapsed();
                if best.as_ref().is_none_or(|b| time < b.time) {
                    best = Some(Row {
                        program: name,
                        engine: Engine::General,
                        embedding,
                        counts: counts(&solution.sets),
                        steps: solution.steps,
                        time,
                        refinement: solution.refinement,
                        proved: solution.outcome == solver::Outcome::Fixpoint && solution.messages.is_empty(),
                    });
                }
            }
            rows.extend(best);
        }
    }
    Ok(rows)
}
