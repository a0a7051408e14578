//! `frontend`: how fast preprocessed text becomes the intermediate representation.

use crate::measure::median;
use crate::options::Options;
use heapwise_cli::commands::report_plain;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::{clock, input, output};
use std::fmt::Write as _;
use std::time::Instant;

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

/// Measures and prints a table.
pub fn run(options: &Options) -> Exit {
    let mut rows = Vec::new();
    for file in &options.files {
        let loaded = match input::load(std::slice::from_ref(file), &options.source) {
            Ok(loaded) => loaded,
            Err(error) => return report_plain(&error),
        };
        let (mut clock, mut processor) = (Vec::new(), Vec::new());
        let mut functions = 0;
        for _ in 0..options.runs {
            let (start, before) = (Instant::now(), clock::processor_time());
            let (program, _) = heapwise_frontend::compile_here(&loaded.units, loaded.model);
            clock.push(start.elapsed().as_secs_f64());
            if let (Some(before), Some(after)) = (before, clock::processor_time()) {
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
        Format::Text => text(&rows),
        Format::Json => json(&rows),
    });
    Exit::Proved
}

fn text(rows: &[Compilation]) -> String {
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

fn json(rows: &[Compilation]) -> String {
    let row = |row: &Compilation| {
        serde_json::json!({
            "file": row.file, "megabytes": row.megabytes, "functions": row.functions, "seconds": row.seconds,
            "processor_seconds": row.processor, "megabytes_per_second": row.speed(),
        })
    };
    format!("{}\n", serde_json::json!({ "rows": rows.iter().map(row).collect::<Vec<_>>() }))
}
