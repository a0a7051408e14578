//! `connectors`: the six programs of Siegel and Simon, *Shape analysis with connectors*, Figure 8, as C programs of our own
//! (`benchmarks/connectors`), without connectors and with both kinds.
//!
//! Blocks of one type are put together unless variables point to them; numbers are in octagons, as in the paper. A line of
//! `list.txt` is `NAME | k | pattern`, where the pattern says for which kinds the paper reports a proof.

use crate::clumping::listed;
use crate::measure::parse;
use crate::options::Options;
use heapwise_cli::commands::check::Prepared;
use heapwise_cli::commands::klimited::variant;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::{clock, output};
use heapwise_fixpoint::Settings;
use heapwise_klimited::analyse;
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The kinds, as the command line calls them.
const KINDS: [&str; 3] = ["none", "one-step", "transitive"];

struct Cell {
    proved: bool,
    seconds: f64,
}

struct Row {
    name: String,
    cells: Vec<Cell>,
    /// For which kinds the paper has a proof.
    pattern: Vec<bool>,
}

impl Row {
    fn is_as_published(&self) -> bool {
        self.cells.iter().map(|c| c.proved).eq(self.pattern.iter().copied())
    }
}

/// Measures, prints, and says whether the pattern is that of the paper.
pub fn run(options: &Options) -> Exit {
    let rows = match rows(options) {
        Ok(rows) => rows,
        Err(exit) => return exit,
    };
    output::print(&match options.format {
        Format::Text => table(&rows),
        Format::Json => format!("{}\n", json!({ "rows": rows.iter().map(json_row).collect::<Vec<_>>() })),
    });
    if rows.iter().all(Row::is_as_published) { Exit::Proved } else { Exit::Unknown }
}

fn rows(options: &Options) -> Result<Vec<Row>, Exit> {
    let directory = options.programs.clone().unwrap_or_else(|| PathBuf::from("benchmarks/connectors"));
    let mut rows = Vec::new();
    for line in listed(&directory)? {
        let mut parts = line.split('|').map(str::trim);
        let (Some(name), Some(k), Some(pattern)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        if options.only.as_ref().is_some_and(|prefix| !name.starts_with(prefix.as_str())) {
            continue;
        }
        let cells =
            KINDS.iter().map(|kind| cell(options, &directory, name, k, kind)).collect::<Result<_, Exit>>()?;
        let pattern = pattern.split_whitespace().map(|word| word == "yes").collect();
        rows.push(Row { name: name.to_owned(), cells, pattern });
    }
    Ok(rows)
}

fn cell(options: &Options, directory: &Path, name: &str, k: &str, kind: &str) -> Result<Cell, Exit> {
    let mut line: Vec<OsString> =
        ["heapwise", "check", "--domain", "klimited", "--klimited-variant", "types", "--numeric", "octagons"]
            .map(Into::into)
            .to_vec();
    line.extend(["--k", k, "--connectors", kind].map(Into::into));
    line.push(directory.join(format!("{name}.c")).into_os_string());
    let check = parse(line)?;
    let prepared = Prepared::new(&check)?;
    let settings = Settings {
        properties: [heapwise_property::Property::Assertion].into_iter().collect(),
        ..Settings::default()
    };
    let mut best: Option<Cell> = None;
    for _ in 0..options.runs {
        let (report, time) = clock::timed(|| analyse(&prepared.program, &settings, variant(&check)));
        let seconds = time.as_secs_f64();
        if best.as_ref().is_none_or(|b| seconds < b.seconds) {
            best = Some(Cell { proved: report.is_proved(), seconds });
        }
    }
    best.ok_or(Exit::Internal)
}

fn verified(proved: bool) -> &'static str {
    if proved { "verified" } else { "-" }
}

fn table(rows: &[Row]) -> String {
    let mut out = format!("{:<26}", "program");
    KINDS.iter().for_each(|kind| {
        let _ = write!(out, "{kind:>10} ms {:<10}", "");
    });
    out.push('\n');
    for row in rows {
        let _ = write!(out, "{:<26}", row.name);
        for cell in &row.cells {
            let _ = write!(out, "{:>13.2} {:<10}", cell.seconds * 1e3, verified(cell.proved));
        }
        let _ = writeln!(
            out,
            "{}",
            if row.is_as_published() { "as in the paper" } else { "NOT AS IN THE PAPER" }
        );
    }
    out
}

fn json_row(row: &Row) -> serde_json::Value {
    let cells = KINDS.iter().zip(&row.cells);
    let cells: Vec<_> = cells
        .map(|(kind, c)| json!({ "connectors": kind, "verified": c.proved, "seconds": c.seconds }))
        .collect();
    json!({ "program": row.name, "cells": cells, "as_published": row.is_as_published() })
}
