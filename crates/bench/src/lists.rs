//! `lists`: the annotated programs of the test suite and the examples, one after the other in this
//! process and thread; then the same operation several times in sequence ([`scaling`]).
//!
//! Reading and translating the program is not measured. Each is checked as users check it, by the analysis and by
//! concrete runs, which find most planted bugs before the analysis begins; and then once more by the analysis alone, for
//! which `unknown` is the right answer where a bug was planted. Of several runs the fastest counts; what takes long runs
//! once.

mod scaling;

use crate::measure::{Measured, analysed, checked, judged, parse};
use crate::options::Options;
use crate::page;
use heapwise_cli::commands::check::Prepared;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::output;
use heapwise_cli::task::worker::peak_memory;
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
const TIMEOUT: u64 = 3;
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
    /// The whole check.
    milliseconds: f64,
    /// What the analysis alone says, and how long it takes.
    analysis: (&'static str, Option<&'static str>, f64),
    disjuncts: usize,
    steps: u64,
    /// Most memory of the process while the program was analysed, where the system tells.
    megabytes: Option<f64>,
}

/// The figures over all programs.
struct Summary {
    check: Times,
    analysis: Times,
    megabytes: Option<f64>,
}

/// Milliseconds over all programs.
struct Times {
    median: f64,
    most_of_them: f64,
    max: f64,
}

/// Measures, prints and writes the section.
pub fn run(options: &Options) -> Exit {
    let rows = match rows(options) {
        Ok(rows) => rows,
        Err(exit) => return exit,
    };
    let all = options.files.is_empty() && options.only.is_none();
    let sequences = if all { scaling::rows(options.runs) } else { Vec::new() };
    let summary = Summary::of(&rows);
    let section = || section(&rows, &summary, &sequences, options.timeout.unwrap_or(TIMEOUT));
    match options.format {
        Format::Json => {
            let object = json!({
                "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
                "sequences": scaling::json(&sequences), "check": summary.check.json(),
                "analysis": summary.analysis.json(), "peak_megabytes": summary.megabytes,
            });
            output::print(&format!("{object}\n"));
        }
        Format::Text => output::print(&format!("{}\n{}", table(&rows), section())),
    }
    if let Err(exit) = page::publish(options, HEADING, section) {
        return exit;
    }
    if rows.iter().any(|r| r.safe == Some(false) && (r.verdict == "proved" || r.analysis.0 == "proved")) {
        output::error("a program with a planted bug is proved");
        return Exit::Error;
    }
    Exit::Proved
}

/// The programs in the order of their directories and names.
/// The programs that are given, or those of the test suite.
pub(crate) fn programs(options: &Options) -> Result<Vec<PathBuf>, Exit> {
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

fn rows(options: &Options) -> Result<Vec<Row>, Exit> {
    programs(options)?.iter().map(|path| row(options, path)).collect()
}

fn row(options: &Options, path: &Path) -> Result<Row, Exit> {
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
    let prepared = Prepared::new(&parse(line)?)?;
    forget_peak();
    let whole = fastest(options.runs, || checked(&prepared));
    let analysis = fastest(options.runs, || analysed(&prepared.program, &prepared.settings));
    let (verdict, _) = judged(&whole.verdict);
    let (alone, reason) = judged(&analysis.verdict);
    Ok(Row {
        program: path.display().to_string(),
        safe,
        verdict,
        milliseconds: whole.time.as_secs_f64() * 1e3,
        analysis: (alone, reason, analysis.time.as_secs_f64() * 1e3),
        disjuncts: analysis.report.statistics.max_disjuncts,
        steps: analysis.report.statistics.steps,
        megabytes: peak_memory(std::process::id()),
    })
}

/// The fastest of several runs, of what takes long the only one.
fn fastest(runs: usize, mut run: impl FnMut() -> Measured) -> Measured {
    let mut best = run();
    for _ in 1..runs {
        if best.time > LONG {
            break;
        }
        let again = run();
        if again.time < best.time {
            best = again;
        }
    }
    best
}

/// Lets the system forget the most memory that this process ever had; where it does not, the figure only grows.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

impl Summary {
    fn of(rows: &[Row]) -> Summary {
        let megabytes = rows.iter().filter_map(|r| r.megabytes).reduce(f64::max);
        let check = Times::of(rows.iter().map(|r| r.milliseconds).collect());
        let analysis = Times::of(rows.iter().map(|r| r.analysis.2).collect());
        Summary { check, analysis, megabytes }
    }

    /// For each target the figures of the check and of the analysis alone.
    fn figures(&self) -> [[f64; 2]; 3] {
        let memory = self.megabytes.unwrap_or(f64::NAN);
        let Summary { check, analysis, .. } = self;
        [[check.median, analysis.median], [check.most_of_them, analysis.most_of_them], [memory, memory]]
    }
}

impl Times {
    fn of(mut times: Vec<f64>) -> Times {
        times.sort_by(f64::total_cmp);
        let at = |share: usize| {
            let last = times.len().saturating_sub(1);
            times.get((times.len() * share / 100).min(last)).copied().unwrap_or(0.0)
        };
        Times { median: at(50), most_of_them: at(95), max: at(100) }
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "median_milliseconds": self.median, "p95_milliseconds": self.most_of_them,
            "max_milliseconds": self.max,
        })
    }
}

impl Row {
    fn json(&self) -> serde_json::Value {
        let (verdict, reason, milliseconds) = self.analysis;
        json!({
            "program": self.program, "safe": self.safe, "verdict": self.verdict,
            "milliseconds": self.milliseconds, "analysis_verdict": verdict, "analysis_reason": reason,
            "analysis_milliseconds": milliseconds, "max_disjuncts": self.disjuncts, "steps": self.steps,
            "megabytes": self.megabytes,
        })
    }
}

fn table(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<56} {:<8} {:>10} {:<8} {:>10} {:>6} {:>8} {:>6}  reason\n",
        "program", "check", "ms", "analysis", "ms", "max", "steps", "MB"
    );
    for r in rows {
        let (alone, reason, milliseconds) = r.analysis;
        let _ = writeln!(
            out,
            "{:<56} {:<8} {:>10.3} {:<8} {:>10.3} {:>6} {:>8} {:>6}  {}",
            r.program,
            r.verdict,
            r.milliseconds,
            alone,
            milliseconds,
            r.disjuncts,
            r.steps,
            r.megabytes.map_or("-".into(), |m| format!("{m:.0}")),
            reason.unwrap_or("")
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
    let _ = writeln!(
        out,
        "Made by `cargo xtask bench lists`: {} annotated programs and examples, one after the other in one process on one \
         core, at most {timeout} s for each; reading and translating not counted. `check` is what users get: concrete \
         runs and the analysis; the analysis alone cannot confirm errors.\n",
        rows.len(),
    );
    out.push_str("| | check | analysis alone | aim |\n|---|---|---|---|\n");
    for ((name, aim, unit), [check, analysis]) in TARGETS.iter().zip(summary.figures()) {
        let said = |figure: f64| if figure <= *aim { "met" } else { "missed" };
        let _ = writeln!(
            out,
            "| {name} | {check:.1} {unit}: {} | {analysis:.1} {unit}: {} | {aim:.0} {unit} |",
            said(check),
            said(analysis)
        );
    }
    let _ = writeln!(out, "| slowest | {:.1} ms | {:.1} ms | |", summary.check.max, summary.analysis.max);
    let slow = |ms: &dyn Fn(&Row) -> f64| rows.iter().filter(|r| ms(r) > TARGETS[1].1).count();
    let _ = writeln!(
        out,
        "| slower than {:.0} ms | {} | {} | |",
        TARGETS[1].1,
        slow(&|r| r.milliseconds),
        slow(&|r| r.analysis.2)
    );
    let count = |safe: bool, says: &dyn Fn(&Row) -> bool| of(safe).filter(|r| says(r)).count();
    let _ = writeln!(
        out,
        "| safe programs proved, of {} | {} | {} | |",
        of(true).count(),
        count(true, &|r| r.verdict == "proved"),
        count(true, &|r| r.analysis.0 == "proved")
    );
    let _ = writeln!(
        out,
        "| planted bugs shown, of {} | {} | – | |",
        of(false).count(),
        count(false, &|r| r.verdict == "error")
    );
    let _ = writeln!(
        out,
        "| planted bugs overlooked | {} | {} | 0 |\n",
        count(false, &|r| r.verdict == "proved"),
        count(false, &|r| r.analysis.0 == "proved")
    );
    let mut slow: Vec<&Row> = rows.iter().collect();
    slow.sort_by(|a, b| b.milliseconds.total_cmp(&a.milliseconds));
    out.push_str(
        "| the slowest programs | check | ms | analysis | ms | most disjuncts | reason |\n|---|---|---|---|---|---|---|\n",
    );
    for r in slow.iter().take(SLOWEST) {
        let (alone, reason, milliseconds) = r.analysis;
        let _ = writeln!(
            out,
            "| {} | {} | {:.1} | {alone} | {milliseconds:.1} | {} | {} |",
            r.program,
            r.verdict,
            r.milliseconds,
            r.disjuncts,
            reason.unwrap_or("")
        );
    }
    if !sequences.is_empty() {
        out.push_str(&scaling::text(sequences));
    }
    out
}
