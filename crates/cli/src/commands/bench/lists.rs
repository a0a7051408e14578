//! `heapwise bench lists`: the annotated programs of the test suite and the examples, one after the other in this
//! process and thread; then the same operation several times in sequence ([`scaling`]).
//!
//! What is measured is the analysis alone, without reading and translating the program and without concrete runs, so
//! that programs with a planted bug count as well: for them `unknown` is the right answer here. Of several runs the
//! fastest counts; what takes long runs once.

mod scaling;

use super::page;
use crate::commands::check::{Measured, measure};
use crate::exit::Exit;
use crate::options::{Bench, Cli, Command, Format};
use crate::output;
use crate::task::worker::peak_memory;
use heapwise_engine::Verdict;
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

const HEADING: &str = "## Small programs";
/// The programs, if nothing else is said.
const PROGRAMS: [&str; 3] = ["tests/check/safe", "tests/check/error", "examples"];
/// What is slower than this is not measured again.
const LONG: Duration = Duration::from_millis(500);
/// Seconds for each program, if nothing else is said.
const TIMEOUT: u64 = 10;
/// How many of the slowest programs the page lists.
const SLOWEST: usize = 12;
/// What is aimed at: milliseconds of the median program and of the one that 95 of 100 are faster than, megabytes.
const TARGETS: [(&str, f64, &str); 3] =
    [("median", 10.0, "ms"), ("95 %", 100.0, "ms"), ("memory", 200.0, "MB")];

/// One program.
struct Row {
    program: String,
    /// Whether the program says that it is safe, or that it has a bug.
    safe: Option<bool>,
    verdict: &'static str,
    reason: Option<&'static str>,
    milliseconds: f64,
    disjuncts: usize,
    steps: u64,
    /// Most memory of the process while the program was analysed, where the system tells.
    megabytes: Option<f64>,
}

/// The figures over all programs.
struct Summary {
    median: f64,
    most_of_them: f64,
    max: f64,
    megabytes: Option<f64>,
}

/// Measures, prints and writes the section.
pub fn run(options: &Bench) -> Exit {
    let rows = match rows(options) {
        Ok(rows) => rows,
        Err(exit) => return exit,
    };
    let all = options.files.is_empty() && options.only.is_none();
    let sequences = if all { scaling::rows(options) } else { Vec::new() };
    let summary = Summary::of(&rows);
    if options.format == Format::Json {
        let rows: Vec<_> = rows.iter().map(Row::json).collect();
        let object = json!({
            "rows": rows, "sequences": scaling::json(&sequences), "median_milliseconds": summary.median,
            "p95_milliseconds": summary.most_of_them, "max_milliseconds": summary.max,
            "peak_megabytes": summary.megabytes,
        });
        output::print(&format!("{object}\n"));
    } else {
        output::print(&format!(
            "{}\n{}",
            table(&rows),
            section(&rows, &summary, &sequences, options.timeout.unwrap_or(TIMEOUT))
        ));
        if all
            && let Err(exit) = page::publish(
                options,
                HEADING,
                &section(&rows, &summary, &sequences, options.timeout.unwrap_or(TIMEOUT)),
            )
        {
            return exit;
        }
    }
    if rows.iter().any(|r| r.safe == Some(false) && r.verdict == "proved") {
        output::error("a program with a planted bug is proved");
        return Exit::Error;
    }
    Exit::Proved
}

/// The programs in the order of their directories and names.
fn programs(options: &Bench) -> Result<Vec<PathBuf>, Exit> {
    let given = options.files.clone();
    let places = if given.is_empty() { PROGRAMS.iter().map(PathBuf::from).collect() } else { given };
    let mut all = Vec::new();
    for place in places {
        if place.is_file() {
            all.push(place);
            continue;
        }
        let entries = std::fs::read_dir(&place).map_err(|error| {
            output::error(&format!("{}: {error}", place.display()));
            Exit::BadInput
        })?;
        let mut here: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        // Definitions for native runs are no programs.
        here.retain(|p| p.extension().is_some_and(|e| e == "c") && !p.ends_with("nondet.c"));
        here.sort();
        all.extend(here);
    }
    let chosen = |p: &PathBuf| {
        let name = p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        options.only.as_ref().is_none_or(|prefix| name.starts_with(prefix.as_str()))
    };
    all.retain(chosen);
    Ok(all)
}

fn rows(options: &Bench) -> Result<Vec<Row>, Exit> {
    programs(options)?.iter().map(|path| row(options, path)).collect()
}

fn row(options: &Bench, path: &Path) -> Result<Row, Exit> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let safe = match (text.starts_with("//~ SAFE"), text.contains("//~ ERROR ")) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let mut line: Vec<OsString> = vec!["heapwise".into(), "check".into(), "--timeout".into()];
    line.push(options.timeout.unwrap_or(TIMEOUT).to_string().into());
    if text.contains("//~ ERROR overflow") {
        line.extend([
            "--property".into(),
            "deref,free,leak,uninitialised,assertion,overflow,division".into(),
        ]);
    }
    line.push(path.as_os_str().to_owned());
    let Ok(Cli { command: Command::Check(check) }) = Cli::parse_line(line) else {
        output::error("the command line of a benchmark is not understood, a defect of heapwise");
        return Err(Exit::Internal);
    };
    let mut best: Option<Measured> = None;
    forget_peak();
    for _ in 0..options.runs.max(1) {
        let measured = measure(&check)?;
        let long = measured.time > LONG;
        if best.as_ref().is_none_or(|b| measured.time < b.time) {
            best = Some(measured);
        }
        if long {
            break;
        }
    }
    let Some(best) = best else { return Err(Exit::Internal) };
    let (verdict, reason) = judged(&best.verdict);
    Ok(Row {
        program: path.display().to_string(),
        safe,
        verdict,
        reason,
        milliseconds: best.time.as_secs_f64() * 1e3,
        disjuncts: best.report.statistics.max_disjuncts,
        steps: best.report.statistics.steps,
        megabytes: peak_memory(std::process::id()),
    })
}

/// Name of a verdict, and of the first alarm behind it.
pub fn judged(verdict: &Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Proved => ("proved", None),
        Verdict::Error(_) => ("error", None),
        Verdict::Unknown(alarms) => ("unknown", alarms.first().map(|a| a.kind.name())),
    }
}

/// Lets the system forget the most memory that this process ever had; where it does not, the figure only grows.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

impl Summary {
    fn of(rows: &[Row]) -> Summary {
        let mut times: Vec<f64> = rows.iter().map(|r| r.milliseconds).collect();
        times.sort_by(f64::total_cmp);
        let at = |share: usize| {
            let last = times.len().saturating_sub(1);
            times.get((times.len() * share / 100).min(last)).copied().unwrap_or(0.0)
        };
        let megabytes = rows.iter().filter_map(|r| r.megabytes).reduce(f64::max);
        Summary { median: at(50), most_of_them: at(95), max: at(100), megabytes }
    }

    fn figures(&self) -> [f64; 3] {
        [self.median, self.most_of_them, self.megabytes.unwrap_or(f64::NAN)]
    }
}

impl Row {
    fn json(&self) -> serde_json::Value {
        json!({
            "program": self.program, "safe": self.safe, "verdict": self.verdict, "reason": self.reason,
            "milliseconds": self.milliseconds, "max_disjuncts": self.disjuncts, "steps": self.steps,
            "megabytes": self.megabytes,
        })
    }
}

fn table(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<56} {:<8} {:>10} {:>6} {:>8} {:>6}  reason\n",
        "program", "verdict", "ms", "max", "steps", "MB"
    );
    for r in rows {
        let _ = writeln!(
            out,
            "{:<56} {:<8} {:>10.3} {:>6} {:>8} {:>6}  {}",
            r.program,
            r.verdict,
            r.milliseconds,
            r.disjuncts,
            r.steps,
            r.megabytes.map_or("-".into(), |m| format!("{m:.0}")),
            r.reason.unwrap_or("")
        );
    }
    out
}

fn section(
    rows: &[Row],
    summary: &Summary,
    sequences: &[scaling::Row],
    timeout: impl std::fmt::Display,
) -> String {
    let mut out = format!("{HEADING}\n\n");
    let of = |safe: bool| rows.iter().filter(move |r| r.safe == Some(safe));
    let proved = |safe: bool| of(safe).filter(|r| r.verdict == "proved").count();
    let _ = writeln!(
        out,
        "Made by `heapwise bench lists`: {} annotated programs and examples, one after the other in one process on one \
         core; the analysis alone, at most {timeout} s for each. Proved: {} of {} safe programs, {} of {} with a planted \
         bug (none is right).\n",
        rows.len(),
        proved(true),
        of(true).count(),
        proved(false),
        of(false).count()
    );
    out.push_str("| | measured | aim |\n|---|---|---|\n");
    for ((name, aim, unit), figure) in TARGETS.iter().zip(summary.figures()) {
        let verdict = if figure <= *aim { "met" } else { "missed" };
        let _ = writeln!(out, "| {name} | {figure:.1} {unit} | {aim:.0} {unit}: {verdict} |");
    }
    let _ = writeln!(out, "| slowest | {:.1} ms | |\n", summary.max);
    let mut slow: Vec<&Row> = rows.iter().collect();
    slow.sort_by(|a, b| b.milliseconds.total_cmp(&a.milliseconds));
    out.push_str(
        "| the slowest programs | verdict | ms | most disjuncts | reason |\n|---|---|---|---|---|\n",
    );
    for r in slow.iter().take(SLOWEST) {
        let _ = writeln!(
            out,
            "| {} | {} | {:.1} | {} | {} |",
            r.program,
            r.verdict,
            r.milliseconds,
            r.disjuncts,
            r.reason.unwrap_or("")
        );
    }
    if !sequences.is_empty() {
        out.push_str(&scaling::text(sequences));
    }
    out
}
