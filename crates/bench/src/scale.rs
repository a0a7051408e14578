//! `scale`: programs in which something comes 1, 4, 16, … times, and what the answer costs for each number.
//!
//! Every program is checked as users check it, on one core, in a process of its own: so neither the time nor the
//! memory of one has to do with those before it. Of a pattern larger numbers are tried as long as the answer is the
//! right one. The exponent compares the last two numbers that were answered: 1 is linear.

mod patterns;

use crate::measure::{Measured, judged};
use crate::options::Options;
use crate::page;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::task::worker::peak_memory;
use heapwise_cli::{clock, output};
use heapwise_engine::{Hunt, check};
use heapwise_frontend::SourceUnit;
use heapwise_ir::{DataModel, Severity};
use patterns::{PATTERNS, Pattern};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

const HEADING: &str = "## Growth";
/// Seconds for each program, if nothing else is said.
const TIMEOUT: u64 = 10;

/// What one program took.
struct Point {
    size: usize,
    verdict: String,
    /// Why there is no answer.
    reason: Option<String>,
    /// On the processor.
    seconds: f64,
    megabytes: Option<f64>,
}

/// A pattern and what was measured of it.
struct Row {
    pattern: &'static Pattern,
    points: Vec<Point>,
}

/// Measures, prints and writes the section.
pub fn run(options: &Options) -> Exit {
    let chosen =
        |p: &&Pattern| options.only.as_ref().is_none_or(|prefix| p.name.starts_with(prefix.as_str()));
    if options.alone {
        return alone(options, PATTERNS.iter().find(chosen));
    }
    let mut rows = Vec::new();
    for pattern in PATTERNS.iter().filter(chosen) {
        let row = Row { pattern, points: points(options, pattern) };
        if options.format == Format::Text {
            output::print(&row.text());
        }
        rows.push(row);
    }
    if options.format == Format::Json {
        let all: Vec<Value> = rows.iter().map(Row::json).collect();
        output::print(&format!("{}\n", Value::Array(all)));
    }
    let timeout = options.timeout.unwrap_or(TIMEOUT);
    if let Err(exit) = page::publish(options, HEADING, || section(&rows, timeout)) {
        return exit;
    }
    if rows.iter().any(Row::is_wrong) {
        output::error("a program is answered wrongly");
        return Exit::Error;
    }
    Exit::Proved
}

/// The sizes of a pattern, up to the first without the right answer.
fn points(options: &Options, pattern: &Pattern) -> Vec<Point> {
    let sizes = if options.sizes.is_empty() { pattern.sizes } else { &options.sizes };
    let mut points = Vec::new();
    for size in sizes {
        let point = in_process(options, pattern, *size);
        let right = point.is_right(pattern);
        points.push(point);
        if !right {
            break;
        }
    }
    points
}

/// Measures one program in a process of its own.
fn in_process(options: &Options, pattern: &Pattern, size: usize) -> Point {
    let timeout = options.timeout.unwrap_or(TIMEOUT);
    let failed = |reason: String| Point {
        size,
        verdict: "unknown".into(),
        reason: Some(reason),
        seconds: timeout as f64,
        megabytes: None,
    };
    let Ok(own) = std::env::current_exe() else { return failed("no program".into()) };
    let mut command = Command::new(own);
    command.args(["scale", "--alone", "--format", "json", "--only", pattern.name]);
    command.args(["--sizes", &size.to_string(), "--timeout", &timeout.to_string()]);
    if options.without_runs {
        command.arg("--without-runs");
    }
    let output = match command.stdin(Stdio::null()).stderr(Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => return failed(error.to_string()),
    };
    let Ok(said) = serde_json::from_slice::<Value>(&output.stdout) else {
        return failed("ended without an answer".into());
    };
    Point {
        size,
        verdict: said["verdict"].as_str().unwrap_or("unknown").to_owned(),
        reason: said["reason"].as_str().map(str::to_owned),
        seconds: said["seconds"].as_f64().unwrap_or(f64::NAN),
        megabytes: said["megabytes"].as_f64(),
    }
}

/// Measures one program here and says what came out.
fn alone(options: &Options, pattern: Option<&Pattern>) -> Exit {
    let (Some(pattern), Some(size)) = (pattern, options.sizes.first()) else {
        output::error("there is no such pattern, or no size is given");
        return Exit::BadInput;
    };
    let text = (pattern.program)(*size);
    if options.show {
        output::print(&text);
        return Exit::Proved;
    }
    let unit = SourceUnit { name: "scale.c".into(), text: text.into() };
    let (program, diagnostics) = heapwise_frontend::compile_here(&[unit], DataModel::Lp64);
    if let Some(bad) = diagnostics.iter().find(|d| d.severity >= Severity::Error) {
        output::error(&format!("the program is not C: {}", bad.message));
        return Exit::Internal;
    }
    let timeout = Duration::from_secs(options.timeout.unwrap_or(TIMEOUT));
    let settings = heapwise_engine::Options { timeout: Some(timeout), ..heapwise_engine::Options::default() };
    let hunt = if options.without_runs { Hunt { runs: 0, ..Hunt::default() } } else { Hunt::default() };
    let ((verdict, report), time) = clock::timed(|| check(&program, &settings, &hunt));
    let measured = Measured { verdict, report, time };
    let (verdict, reason) = judged(&measured.verdict);
    let said = json!({
        "verdict": verdict, "reason": reason, "seconds": measured.time.as_secs_f64(),
        "megabytes": peak_memory(std::process::id()), "disjuncts": measured.report.statistics.max_disjuncts,
    });
    output::print(&format!("{said}\n"));
    Exit::Proved
}

impl Point {
    fn is_right(&self, pattern: &Pattern) -> bool {
        self.verdict == if pattern.safe { "proved" } else { "error" }
    }
}

impl Row {
    /// Whether an answer was given that is not the right one.
    fn is_wrong(&self) -> bool {
        self.points.iter().any(|p| p.verdict != "unknown" && !p.is_right(self.pattern))
    }

    fn answered(&self) -> impl DoubleEndedIterator<Item = &Point> {
        self.points.iter().filter(|p| p.is_right(self.pattern))
    }

    /// How the time grows between the last two sizes.
    fn exponent(&self) -> Option<f64> {
        let mut last = self.answered().rev();
        let (b, a) = (last.next()?, last.next()?);
        let sizes = (b.size as f64 / a.size as f64).ln();
        Some((b.seconds / a.seconds).ln() / sizes)
    }

    fn cells(&self) -> Vec<String> {
        let cell = |p: &Point| {
            let memory = p.megabytes.map_or(String::new(), |m| format!(" ({m:.0} MB)"));
            let mark = if p.is_right(self.pattern) {
                String::new()
            } else {
                format!(" {}: {}", p.verdict, p.reason.as_deref().unwrap_or("wrong"))
            };
            format!("{}: {:.3} s{memory}{mark}", p.size, p.seconds)
        };
        self.points.iter().map(cell).collect()
    }

    fn exponent_text(&self) -> String {
        self.exponent().map_or("–".into(), |e| format!("{e:.2}"))
    }

    fn text(&self) -> String {
        format!("{:<26} ^{:<5} {}\n", self.pattern.name, self.exponent_text(), self.cells().join(", "))
    }

    fn json(&self) -> Value {
        let point = |p: &Point| {
            json!({
                "size": p.size, "verdict": p.verdict, "reason": p.reason, "seconds": p.seconds,
                "megabytes": p.megabytes,
            })
        };
        json!({
            "pattern": self.pattern.name, "exponent": self.exponent(),
            "points": self.points.iter().map(point).collect::<Vec<_>>(),
        })
    }
}

fn section(rows: &[Row], timeout: u64) -> String {
    let mut out = format!(
        "{HEADING}\n\nMade by `cargo xtask bench scale`: programs in which something comes N times, at most {timeout} s for each, \
         on one core; reading and translating not counted. Of each N: seconds on the processor and the most memory. The exponent \
         compares the last two that were answered; 1 is linear.\n\n| pattern | exponent | N: seconds (memory) |\n|---|---|---|\n"
    );
    for row in rows {
        let _ =
            writeln!(out, "| {} | {} | {} |", row.pattern.name, row.exponent_text(), row.cells().join("; "));
    }
    out
}
