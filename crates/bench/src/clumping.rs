//! `clumping`: operations on linked structures (`benchmarks/clumping`), each as a function with a contract
//! over declared predicates, under all strategies; as a closed program without annotations; and sequences of calls.
//!
//! The operations are those of Li, Berenger, Chang and Rival, POPL 2017, table 1. An analysis is asked for by a command
//! line of `heapwise check`, so that what is measured is what a user gets. Times are of the analysis alone, without
//! reading and translating the program; the fastest of several runs counts, and what is not proved runs once.

mod text;

use crate::measure::{fastest, judged};
use crate::options::Options;
use crate::page;
use heapwise_cli::commands::check::statistics_json;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::{Format, StrategyName};
use heapwise_cli::{input, output};
use heapwise_engine::Statistics;
use serde_json::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How many calls a sequence has.
const CALLS: [u32; 4] = [1, 8, 32, 128];

/// How an operation is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// Memory safety and the postcondition, as in the paper: blocks that are lost do not count.
    Declared,
    /// The same with blocks that are lost.
    Leaks,
    Closed,
    Sequence,
}

/// What counts for [`Variant::Declared`].
const SAFETY: &str = "deref,free,uninitialised,assertion,division";

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Variant::Declared => "declared",
            Variant::Leaks => "leaks",
            Variant::Closed => "closed",
            Variant::Sequence => "sequence",
        }
    }
}

/// One analysis of one program.
struct Cell {
    benchmark: String,
    variant: Variant,
    strategy: StrategyName,
    calls: u32,
    verdict: &'static str,
    /// Why it is not proved: the name of the first alarm.
    reason: Option<&'static str>,
    seconds: f64,
    /// Of the fastest run, with the imprecise joins of the first, in which they were counted.
    statistics: Statistics,
}

impl Cell {
    fn proved(&self) -> bool {
        self.verdict == "proved"
    }
}

/// A line of `list.txt`.
struct Row {
    name: String,
    sequence: bool,
}

/// Where the programs are.
fn programs(options: &Options) -> PathBuf {
    options.programs.clone().unwrap_or_else(|| PathBuf::from("benchmarks/clumping"))
}

/// The lines of a list of benchmarks that are no comments.
pub fn listed(directory: &Path) -> Result<Vec<String>, Exit> {
    let list = input::read_text(&directory.join("list.txt")).map_err(|error| {
        output::error(&format!("{}: {}", error.place, error.message));
        Exit::BadInput
    })?;
    Ok(list.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect())
}

fn rows(options: &Options) -> Result<Vec<Row>, Exit> {
    let lines = listed(&programs(options))?;
    let parts = lines.iter().map(|line| line.split_once(' ').unwrap_or((line, "")));
    let chosen = |name: &str| options.only.as_ref().is_none_or(|prefix| name.starts_with(prefix.as_str()));
    Ok(parts
        .filter(|(name, _)| chosen(name))
        .map(|(name, mark)| Row { name: name.to_owned(), sequence: mark == "sequence" })
        .collect())
}

/// Measures, prints, writes the section, and says whether all contracts were proved under the first strategy.
pub fn run(options: &Options) -> Exit {
    let all = StrategyName::ALL.to_vec();
    let strategies = if options.strategy.is_empty() { all } else { options.strategy.clone() };
    let cells = match cells(options, &strategies) {
        Ok(cells) => cells,
        Err(exit) => return exit,
    };
    match options.format {
        Format::Json => {
            output::print(&format!("{}\n", json!({ "rows": cells.iter().map(json_row).collect::<Vec<_>>() })))
        }
        Format::Text => output::print(&text::tables(&cells)),
    }
    if let Err(exit) = page::publish(options, text::HEADING, || text::section(&cells, &strategies)) {
        return exit;
    }
    let first = strategies.first();
    let open = |c: &Cell| c.variant == Variant::Declared && first == Some(&c.strategy) && !c.proved();
    if cells.iter().any(open) { Exit::Unknown } else { Exit::Proved }
}

fn cells(options: &Options, strategies: &[StrategyName]) -> Result<Vec<Cell>, Exit> {
    let rows = rows(options)?;
    let Some(first) = strategies.first().copied() else { return Ok(Vec::new()) };
    let mut cells = Vec::new();
    for row in &rows {
        cells.push(cell(options, &row.name, Variant::Closed, first, 1)?);
        cells.push(cell(options, &row.name, Variant::Leaks, first, 1)?);
    }
    for strategy in strategies {
        for row in &rows {
            cells.push(cell(options, &row.name, Variant::Declared, *strategy, 1)?);
        }
    }
    for row in rows.iter().filter(|row| options.sequences && row.sequence) {
        for calls in CALLS {
            cells.push(cell(options, &row.name, Variant::Sequence, first, calls)?);
        }
    }
    Ok(cells)
}

/// The command line that asks for an analysis.
fn line(options: &Options, row: &str, variant: Variant, strategy: StrategyName, calls: u32) -> Vec<OsString> {
    let directory = programs(options);
    let structure = row.split('-').next().unwrap_or(row);
    let mut line: Vec<OsString> = vec!["heapwise".into(), "check".into(), "--timeout".into()];
    line.push(options.timeout.unwrap_or(20).to_string().into());
    line.extend(["--strategy".into(), strategy.strategy().name().into()]);
    let (suffix, tail) = match variant {
        Variant::Closed => ("-closed.c", ""),
        Variant::Sequence => ("-sequence.c", "_sequence"),
        Variant::Declared | Variant::Leaks => (".c", ""),
    };
    if variant == Variant::Declared {
        line.extend(["--property".into(), SAFETY.into()]);
    }
    if variant != Variant::Closed {
        line.extend(["--function".into(), format!("{}{tail}", row.replace('-', "_")).into()]);
        line.extend(["--shapes".into(), directory.join(format!("{structure}.shape")).into_os_string()]);
    }
    line.push(directory.join(format!("{row}{suffix}")).into_os_string());
    line.extend(["--".into(), format!("-DCALLS={calls}").into()]);
    line
}

fn cell(
    options: &Options,
    row: &str,
    variant: Variant,
    strategy: StrategyName,
    calls: u32,
) -> Result<Cell, Exit> {
    let (best, statistics) = fastest(options, line(options, row, variant, strategy, calls))?;
    let (verdict, reason) = judged(&best.verdict);
    let seconds = best.time.as_secs_f64();
    Ok(Cell { benchmark: row.to_owned(), variant, strategy, calls, verdict, reason, seconds, statistics })
}

fn json_row(c: &Cell) -> serde_json::Value {
    json!({
        "benchmark": c.benchmark, "variant": c.variant.name(), "strategy": c.strategy.strategy().name(),
        "calls": c.calls, "verdict": c.verdict, "reason": c.reason, "seconds": c.seconds,
        "statistics": statistics_json(&c.statistics, true),
    })
}
