//! `heapwise bench`: tables of measurements.

mod clumping;
mod lists;
mod numbers;
mod page;
mod tasks;

use super::{processor_time, report_plain};
use crate::exit::Exit;
use crate::input;
use crate::options::{Bench, BenchTopic, Format};
use crate::output;
use heapwise_tvl::bench::{Engine, Row, reported, rows};
use heapwise_tvl::domain::Embedding;
use std::fmt::Write as _;
use std::time::Instant;

/// Measures and prints a table.
pub fn run(options: &Bench) -> Exit {
    match options.topic {
        BenchTopic::Clumping => clumping::run(options),
        BenchTopic::Numbers => numbers::run(options),
        BenchTopic::Lists => lists::run(options),
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
        BenchTopic::Frontend => frontend(options),
    }
}

/// How long a file takes from preprocessed text to the intermediate representation: medians over the runs.
struct Compilation {
    file: String,
    megabytes: f64,
    functions: usize,
    /// On the clock.
    seconds: f64,
    /// On the processor, where the system tells.
    processor: Option<f64>,
}

impl Compilation {
    /// Megabytes a second: of processor time if that is known, since the clock also counts what others do.
    fn speed(&self) -> f64 {
        self.megabytes / self.processor.unwrap_or(self.seconds).max(1e-9)
    }
}

fn frontend(options: &Bench) -> Exit {
    let mut rows = Vec::new();
    for file in &options.files {
        let loaded = match input::load(std::slice::from_ref(file), &options.source) {
            Ok(loaded) => loaded,
            Err(error) => return report_plain(&error),
        };
        let (mut clock, mut processor) = (Vec::new(), Vec::new());
        let mut functions = 0;
        for _ in 0..options.runs {
            let (start, before) = (Instant::now(), processor_time());
            let (program, _) = heapwise_frontend::compile_here(&loaded.units, loaded.model);
            clock.push(start.elapsed().as_secs_f64());
            if let (Some(before), Some(after)) = (before, processor_time()) {
                processor.push(after.saturating_sub(before).as_secs_f64());
            }
            functions = program.functions.indices().filter(|f| program.body(*f).is_some()).count();
        }
        rows.push(Compilation {
            file: file.display().to_string(),
            megabytes: loaded.units.iter().map(|u| u.text.len()).sum::<usize>() as f64 / 1e6,
            functions,
            seconds: median(clock).unwrap_or(0.0),
            processor: median(processor),
        });
    }
    output::print(&match options.format {
        Format::Text => frontend_text(&rows),
        Format::Json => frontend_json(&rows),
    });
    Exit::Proved
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

fn frontend_text(rows: &[Compilation]) -> String {
    let mut out =
        format!("{:>8} {:>9} {:>9} {:>9} {:>7}  file\n", "MB", "functions", "seconds", "CPU s", "MB/s");
    for row in rows {
        let processor = row.processor.map_or("-".into(), |p| format!("{p:.3}"));
        let _ = writeln!(
            out,
            "{:>8.2} {:>9} {:>9.3} {processor:>9} {:>7.1}  {}",
            row.megabytes,
            row.functions,
            row.seconds,
            row.speed(),
            row.file
        );
    }
    out
}

fn frontend_json(rows: &[Compilation]) -> String {
    let row = |row: &Compilation| {
        serde_json::json!({
            "file": row.file, "megabytes": row.megabytes, "functions": row.functions, "seconds": row.seconds,
            "processor_seconds": row.processor, "megabytes_per_second": row.speed(),
        })
    };
    format!("{}\n", serde_json::json!({ "rows": rows.iter().map(row).collect::<Vec<_>>() }))
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
        "{:<12} {:<12} {:<10} {:>9} {:>6} {:>8} {:>4} {:>9} {:>6}  {:<10}  {}\n",
        "program",
        "engine",
        "embedding",
        "locations",
        "total",
        "average",
        "max",
        "ms",
        "KB",
        "verdict",
        "report: total/average/max, ms"
    );
    for row in rows {
        let (engine, embedding) = names(row);
        let report = reported(row.program, row.embedding).map_or_else(String::new, |r| {
            format!("{}/{:.1}/{}, {}", r.total, r.average, r.max, r.milliseconds)
        });
        let _ = writeln!(
            out,
            "{:<12} {engine:<12} {embedding:<10} {:>9} {:>6} {:>8.1} {:>4} {:>9.3} {:>6.1}  {:<10}  {report}",
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
    if let Some(kilobytes) = peak_memory() {
        let _ = writeln!(out, "peak memory of the process: {:.1} MB", kilobytes as f64 / 1024.0);
    }
    out
}

/// The most memory that the process ever used, in KB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
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
                "report": reported(row.program, row.embedding).map(|r| serde_json::json!({
                    "total": r.total, "average": r.average, "max": r.max, "milliseconds": r.milliseconds,
                })),
                "bytes": row.counts.bytes, "steps": row.steps, "proved": row.proved,
            })
        })
        .collect();
    format!("{}\n", serde_json::json!({ "rows": rows, "peak_kilobytes": peak_memory() }))
}
