//! `tvl`: the two engines of three-valued logic on five list programs, with strict and loose embedding; where C programs or folders
//! are given, the three-valued domain on these, beside the default one.

mod side_by_side;

use crate::options::Options;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::output;
use heapwise_cli::task::worker::peak_memory;
use heapwise_tvl::bench::{Engine, Row, reported, rows};
use heapwise_tvl::domain::Embedding;
use std::fmt::Write as _;

/// Measures and prints a table.
pub fn run(options: &Options) -> Exit {
    if !options.files.is_empty() {
        return side_by_side::run(options);
    }
    let rows = match rows(options.runs) {
        Ok(rows) => rows,
        Err(error) => {
            output::error(&error.to_string());
            return Exit::Internal;
        }
    };
    output::print(&match options.format {
        Format::Text => text(&rows),
        Format::Json => json(&rows),
    });
    if rows.iter().all(|r| r.proved) { Exit::Proved } else { Exit::Unknown }
}

fn names(row: &Row) -> (&'static str, &'static str) {
    let engine = match row.engine {
        Engine::Specialised => "specialised",
        Engine::General => "general",
    };
    let embedding = match row.embedding {
        Embedding::Strict => "strict",
        Embedding::Loose => "loose",
    };
    (engine, embedding)
}

fn text(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<12} {:<12} {:<10} {:>9} {:>6} {:>8} {:>4} {:>9} {:>9} {:>6}  {:<10}  {}\n",
        "program",
        "engine",
        "embedding",
        "locations",
        "total",
        "average",
        "max",
        "ms",
        "refining",
        "KB",
        "verdict",
        "report: locations, total/average/max, ms, refining"
    );
    for row in rows {
        let (engine, embedding) = names(row);
        let report = reported(row.program, row.embedding).map_or_else(String::new, |r| {
            format!(
                "{}, {}/{:.1}/{}, {}, {}",
                r.locations, r.total, r.average, r.max, r.milliseconds, r.refinement
            )
        });
        let _ = writeln!(
            out,
            "{:<12} {engine:<12} {embedding:<10} {:>9} {:>6} {:>8.1} {:>4} {:>9.3} {:>9.3} {:>6.1}  {:<10}  {report}",
            row.program,
            row.counts.locations,
            row.counts.total,
            row.counts.average,
            row.counts.max,
            row.time.as_secs_f64() * 1e3,
            row.refinement.as_secs_f64() * 1e3,
            row.counts.bytes as f64 / 1024.0,
            if row.proved { "proved" } else { "not proved" }
        );
    }
    if let Some(megabytes) = peak_memory(std::process::id()) {
        let _ = writeln!(out, "peak memory of the process: {megabytes:.1} MB");
    }
    out
}

fn json(rows: &[Row]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let (engine, embedding) = names(row);
            serde_json::json!({
                "program": row.program, "engine": engine, "embedding": embedding,
                "locations": row.counts.locations, "total": row.counts.total, "average": row.counts.average,
                "max": row.counts.max, "milliseconds": row.time.as_secs_f64() * 1e3,
                "refinement_milliseconds": row.refinement.as_secs_f64() * 1e3,
                "report": reported(row.program, row.embedding).map(|r| serde_json::json!({
                    "total": r.total, "average": r.average, "max": r.max, "milliseconds": r.milliseconds,
                    "refinement_milliseconds": r.refinement, "locations": r.locations,
                })),
                "bytes": row.counts.bytes, "steps": row.steps, "proved": row.proved,
            })
        })
        .collect();
    format!("{}\n", serde_json::json!({ "rows": rows, "peak_megabytes": peak_memory(std::process::id()) }))
}
