//! `contracts`: how many functions of open code get a contract, what that costs, and what is in the way for the others.

use crate::options::Options;
use crate::page;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::{Format, Joining};
use heapwise_cli::task::worker::peak_memory;
use heapwise_cli::{commands, input, output};
use heapwise_engine::abduction::{Limits, infer};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// The heading of the section.
const HEADING: &str = "## Contracts of open code";
/// Where the functions are, if no files are named.
const CORPUS: &str = "tests/open";

struct Row {
    file: String,
    joining: Joining,
    functions: usize,
    with: usize,
    contracts: usize,
    runs: usize,
    joins: usize,
    seconds: f64,
    /// Why functions have none.
    reasons: Vec<String>,
}

/// Measures, prints, and writes the section.
pub fn run(options: &Options) -> Exit {
    let mut rows = Vec::new();
    for joining in [Joining::On, Joining::Off] {
        for file in files(options) {
            match row(options, &file, joining) {
                Ok(row) => rows.push(row),
                Err(exit) => return exit,
            }
        }
    }
    match options.format {
        Format::Json => {
            let row = |r: &Row| {
                json!({
                    "file": r.file, "join": r.joining == Joining::On, "functions": r.functions, "with_contract": r.with, "contracts": r.contracts,
                    "runs": r.runs, "joins": r.joins, "seconds": r.seconds, "reasons": r.reasons,
                })
            };
            let rows: Vec<_> = rows.iter().map(row).collect();
            output::print(&format!(
                "{}\n",
                json!({ "rows": rows, "megabytes": peak_memory(std::process::id()) })
            ));
        }
        Format::Text => output::print(&table(&rows)),
    }
    if let Err(exit) = page::publish(options, HEADING, || format!("{HEADING}\n\n{}", table(&rows))) {
        return exit;
    }
    Exit::Proved
}

fn files(options: &Options) -> Vec<PathBuf> {
    let named = if options.files.is_empty() { vec![PathBuf::from(CORPUS)] } else { options.files.clone() };
    let mut found = Vec::new();
    for path in named {
        let Ok(entries) = std::fs::read_dir(&path) else {
            found.push(path);
            continue;
        };
        let mut inside: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        inside.retain(|p| p.extension().is_some_and(|e| e == "c"));
        inside.sort();
        found.append(&mut inside);
    }
    found
}

fn row(options: &Options, file: &PathBuf, joining: Joining) -> Result<Row, Exit> {
    let loaded = input::load(std::slice::from_ref(file), &options.source).map_err(|error| {
        output::eprint(&format!("{error}\n"));
        Exit::BadInput
    })?;
    let (program, _) = heapwise_frontend::compile_here(&loaded.units, loaded.model);
    let settings = heapwise_engine::Options {
        jobs: options.jobs,
        strategy: joining.strategy(),
        ..heapwise_engine::Options::default()
    };
    let start = Instant::now();
    let limits = Limits {
        end: options.timeout.and_then(|s| start.checked_add(std::time::Duration::from_secs(s))),
        ..Limits::default()
    };
    let found = infer(&program, &settings, limits, &|f| commands::contracts::is_wanted(&program, &[], f));
    Ok(Row {
        file: file.display().to_string(),
        joining,
        functions: found.len(),
        with: found.iter().filter(|f| !f.contracts.is_empty()).count(),
        contracts: found.iter().map(|f| f.contracts.len()).sum(),
        runs: found.iter().map(|f| f.runs).sum(),
        joins: found.iter().map(|f| f.joins).sum(),
        seconds: start.elapsed().as_secs_f64(),
        reasons: found.into_iter().filter_map(|f| f.why_not).collect(),
    })
}

/// A reason without what it names.
fn general(reason: &str) -> String {
    let parts = reason.split('`').enumerate();
    parts.map(|(i, part)| if i % 2 == 1 { "`…`" } else { part }).collect()
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| file | functions | with a contract | contracts | runs | joins | seconds | without joins: with a contract | contracts | seconds |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let of = |joining: Joining| rows.iter().filter(move |r| r.joining == joining);
    for (on, off) in of(Joining::On).zip(of(Joining::Off)) {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {:.2} | {} | {} | {:.2} |",
            on.file,
            on.functions,
            on.with,
            on.contracts,
            on.runs,
            on.joins,
            on.seconds,
            off.with,
            off.contracts,
            off.seconds
        );
    }
    let sum = |joining, what: fn(&Row) -> usize| of(joining).map(what).sum::<usize>();
    let seconds = |joining| of(joining).map(|r| r.seconds).sum::<f64>();
    let (on, off) = (Joining::On, Joining::Off);
    let _ = writeln!(
        text,
        "| all | {} | {} | {} | {} | {} | {:.2} | {} | {} | {:.2} |",
        sum(on, |r| r.functions),
        sum(on, |r| r.with),
        sum(on, |r| r.contracts),
        sum(on, |r| r.runs),
        sum(on, |r| r.joins),
        seconds(on),
        sum(off, |r| r.with),
        sum(off, |r| r.contracts),
        seconds(off),
    );
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for reason in of(Joining::On).flat_map(|r| &r.reasons) {
        *reasons.entry(general(reason)).or_default() += 1;
    }
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    if !reasons.is_empty() {
        text.push_str("\nWhat is in the way of the others:\n\n");
    }
    for (reason, n) in reasons {
        let _ = writeln!(text, "- {n}: {reason}");
    }
    if let Some(megabytes) = peak_memory(std::process::id()) {
        let _ = writeln!(text, "\nMost memory: {megabytes:.0} MB.");
    }
    text
}
