//! `heapwise bench`: tables of measurements.

mod clumping;
mod tasks;

use crate::exit::Exit;
use crate::options::{Bench, BenchTopic, Format};
use crate::output;
use heapwise_tvl::bench::{Engine, Row, rows};
use heapwise_tvl::domain::Embedding;
use std::fmt::Write as _;

/// Measures and prints a table.
pub fn run(options: &Bench) -> Exit {
    match options.topic {
        BenchTopic::Clumping => clumping::run(options),
        BenchTopic::Tasks => tasks::run(options),
        BenchTopic::Tvl => match rows(options.runs) {
            Ok(rows) => {
                output::print(&match options.format {
                    Format::Text => tvl_text(&rows),
                    Format::Json => tvl_json(&rows),
                });
                if rows.iter().all(|r| r.proved) { Exit::Proved } else { Exit::Unknown }
            }
            Err(error) => {
                output::error(&error.to_string());
                Exit::Internal
            }
        },
    }
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

fn tvl_text(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<12} {:<12} {:<10} {:>9} {:>6} {:>8} {:>4} {:>10} {:>8}  verdict\n",
        "program", "engine", "embedding", "locations", "total", "average", "max", "ms", "KB"
    );
    for row in rows {
        let (engine, embedding) = names(row);
        let _ = writeln!(
            out,
            "{:<12} {engine:<12} {embedding:<10} {:>9} {:>6} {:>8.1} {:>4} {:>10.3} {:>8.1}  {}",
            row.program,
            row.counts.locations,
            row.counts.total,
            row.counts.average,
            row.counts.max,
            row.time.as_secs_f64() * 1e3,
            row.counts.bytes as f64 / 1024.0,
            if row.proved { "proved" } else { "not proved" }
        );
    }
    out
}

fn tvl_json(rows: &[Row]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let (engine, embedding) = names(row);
            serde_json::json!({
                "program": row.program, "engine": engine, "embedding": embedding,
                "locations": row.counts.locations, "total": row.counts.total, "average": row.counts.average,
                "max": row.counts.max, "milliseconds": row.time.as_secs_f64() * 1e3,
                "bytes": row.counts.bytes, "steps": row.steps, "proved": row.proved,
            })
        })
        .collect();
    format!("{}\n", serde_json::json!({ "rows": rows }))
}
