//! `heapwise bench clumping`: operations on linked structures (`benchmarks/clumping`), each as a closed program without
//! annotations and as a function with a contract over declared predicates; and sequences of calls.
//!
//! The operations are those of Li, Berenger, Chang and Rival, POPL 2017, table 1. An analysis is asked for by a command
//! line of `heapwise check`, so that what is measured is what a user gets. Times are of the analysis alone, without
//! reading and translating the program; the fastest of several runs counts, and what is not proved runs once.

use crate::commands::check::{Measured, measure};
use crate::exit::Exit;
use crate::input;
use crate::options::{Bench, Cli, Command, Format};
use crate::output;
use heapwise_engine::Verdict;
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;

/// How many calls a sequence has.
const CALLS: [u32; 4] = [1, 8, 32, 128];

/// One analysis of one program.
struct Cell {
    benchmark: String,
    variant: &'static str,
    calls: u32,
    verdict: &'static str,
    /// Why it is not proved: the name of the first alarm.
    reason: Option<&'static str>,
    seconds: f64,
    max_disjuncts: usize,
}

/// A line of `list.txt`.
struct Row {
    name: String,
    sequence: bool,
}

fn rows(options: &Bench) -> Result<Vec<Row>, Exit> {
    let list = input::read_text(&options.programs.join("list.txt")).map_err(|error| {
        output::error(&format!("{}: {}", error.place, error.message));
        Exit::BadInput
    })?;
    let names = list.lines().filter(|line| !line.starts_with('#'));
    let parts = names.map(|line| line.split_once(' ').unwrap_or((line, "")));
    let chosen = |name: &str| options.only.as_ref().is_none_or(|prefix| name.starts_with(prefix.as_str()));
    Ok(parts
        .filter(|(name, _)| chosen(name))
        .map(|(name, mark)| Row { name: name.to_owned(), sequence: mark == "sequence" })
        .collect())
}

/// Measures, prints, and says whether all contracts were proved.
pub fn run(options: &Bench) -> Exit {
    let cells = match cells(options) {
        Ok(cells) => cells,
        Err(exit) => return exit,
    };
    output::print(&match options.format {
        Format::Text => text(&cells),
        Format::Json => format!("{}\n", json!({ "rows": cells.iter().map(json_row).collect::<Vec<_>>() })),
    });
    if cells.iter().any(|c| c.variant == "declared" && c.verdict != "proved") {
        Exit::Unknown
    } else {
        Exit::Proved
    }
}

fn cells(options: &Bench) -> Result<Vec<Cell>, Exit> {
    let rows = rows(options)?;
    let mut cells = Vec::new();
    for row in &rows {
        cells.push(cell(options, &row.name, "closed", 1)?);
        cells.push(cell(options, &row.name, "declared", 1)?);
    }
    for row in rows.iter().filter(|row| options.sequences && row.sequence) {
        for calls in CALLS {
            cells.push(cell(options, &row.name, "sequence", calls)?);
        }
    }
    Ok(cells)
}

/// The command line that asks for an analysis.
fn line(options: &Bench, row: &str, variant: &str, calls: u32) -> Vec<OsString> {
    let directory = &options.programs;
    let structure = row.split('-').next().unwrap_or(row);
    let mut line: Vec<OsString> = vec!["heapwise".into(), "check".into(), "--timeout".into()];
    line.push(options.timeout.unwrap_or(20).to_string().into());
    let suffix = match variant {
        "closed" => "-closed.c",
        "sequence" => "-sequence.c",
        _ => ".c",
    };
    if variant != "closed" {
        let tail = if variant == "sequence" { "_sequence" } else { "" };
        line.extend(["--function".into(), format!("{}{tail}", row.replace('-', "_")).into()]);
        line.extend(["--shapes".into(), directory.join(format!("{structure}.shape")).into_os_string()]);
    }
    line.push(directory.join(format!("{row}{suffix}")).into_os_string());
    line.extend(["--".into(), format!("-DCALLS={calls}").into()]);
    line
}

fn cell(options: &Bench, row: &str, variant: &'static str, calls: u32) -> Result<Cell, Exit> {
    let Ok(Cli { command: Command::Check(check) }) = Cli::parse_line(line(options, row, variant, calls))
    else {
        output::error("the command line of a benchmark is not understood, a defect of heapwise");
        return Err(Exit::Internal);
    };
    let mut best: Option<Measured> = None;
    for _ in 0..options.runs.max(1) {
        let measured = measure(&check)?;
        let proved = matches!(measured.verdict, Verdict::Proved);
        if best.as_ref().is_none_or(|b| measured.time < b.time) {
            best = Some(measured);
        }
        if !proved {
            break;
        }
    }
    let Some(best) = best else { return Err(Exit::Internal) };
    let (verdict, reason) = match &best.verdict {
        Verdict::Proved => ("proved", None),
        Verdict::Error(_) => ("error", None),
        Verdict::Unknown(alarms) => ("unknown", alarms.first().map(|a| a.kind.name())),
    };
    Ok(Cell {
        benchmark: row.to_owned(),
        variant,
        calls,
        verdict,
        reason,
        seconds: best.time.as_secs_f64(),
        max_disjuncts: best.report.statistics.max_disjuncts,
    })
}

fn text(cells: &[Cell]) -> String {
    let mut out = String::new();
    let heading = |out: &mut String, variant: &str| {
        let _ = writeln!(
            out,
            "{:<20} {variant:<10} {:>5} {:>9} {:>4}  reason",
            "benchmark", "calls", "seconds", "max"
        );
    };
    for variant in ["closed", "declared", "sequence"] {
        let own: Vec<&Cell> = cells.iter().filter(|c| c.variant == variant).collect();
        if own.is_empty() {
            continue;
        }
        heading(&mut out, variant);
        for c in &own {
            let _ = writeln!(
                out,
                "{:<20} {:<10} {:>5} {:>9.4} {:>4}  {}",
                c.benchmark,
                c.verdict,
                c.calls,
                c.seconds,
                c.max_disjuncts,
                c.reason.unwrap_or("")
            );
        }
        let proved = own.iter().filter(|c| c.verdict == "proved");
        let (count, seconds) = proved.fold((0, 0.0), |(n, s), c| (n + 1, s + c.seconds));
        let _ = writeln!(out, "proved {count} of {}, {seconds:.3} s together\n", own.len());
    }
    out
}

fn json_row(c: &Cell) -> serde_json::Value {
    json!({
        "benchmark": c.benchmark, "variant": c.variant, "calls": c.calls, "verdict": c.verdict,
        "reason": c.reason, "seconds": c.seconds, "max_disjuncts": c.max_disjuncts,
    })
}
