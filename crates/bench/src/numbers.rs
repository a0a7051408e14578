//! `numbers`: operations whose declared predicates speak of numbers (`benchmarks/numbers`): order, bounds,
//! lengths, colours, balances, heights. Each is a function with a contract which says that the numbers are as they should.
//!
//! This goes beyond Li, Berenger, Chang and Rival (POPL 2017), whose predicates for the same operations describe shapes
//! alone. A line of `list.txt` is `NAME | property`, and for what is not proved `| what stands in the way`.

use crate::clumping::listed;
use crate::measure::{fastest, judged};
use crate::options::Options;
use crate::page;
use heapwise_cli::commands::check::statistics_json;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::output;
use heapwise_engine::Statistics;
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The heading of the section.
const HEADING: &str = "## Numbers in declared predicates";

/// What an operation is asked, and the answer.
struct Row {
    name: String,
    /// What the numbers are.
    property: String,
    /// What stands in the way of a proof, where there is none.
    obstacle: Option<String>,
    verdict: &'static str,
    /// Why it is not proved: the name of the first alarm.
    reason: Option<&'static str>,
    seconds: f64,
    statistics: Statistics,
}

impl Row {
    fn proved(&self) -> bool {
        self.verdict == "proved"
    }
}

/// Measures, prints, writes the section, and says whether all contracts were proved.
pub fn run(options: &Options) -> Exit {
    let rows = match rows(options) {
        Ok(rows) => rows,
        Err(exit) => return exit,
    };
    match options.format {
        Format::Json => {
            output::print(&format!("{}\n", json!({ "rows": rows.iter().map(json_row).collect::<Vec<_>>() })))
        }
        Format::Text => output::print(&table(&rows)),
    }
    if let Err(exit) = page::publish(options, HEADING, || section(&rows)) {
        return exit;
    }
    if rows.iter().all(Row::proved) { Exit::Proved } else { Exit::Unknown }
}

fn rows(options: &Options) -> Result<Vec<Row>, Exit> {
    let directory = options.programs.clone().unwrap_or_else(|| PathBuf::from("benchmarks/numbers"));
    let mut rows = Vec::new();
    for listed in listed(&directory)? {
        let mut parts = listed.split('|').map(str::trim);
        let (Some(name), property, obstacle) = (parts.next(), parts.next(), parts.next()) else { continue };
        if options.only.as_ref().is_some_and(|prefix| !name.starts_with(prefix.as_str())) {
            continue;
        }
        let (best, statistics) = fastest(options, line(options, &directory, name))?;
        let (verdict, reason) = judged(&best.verdict);
        rows.push(Row {
            name: name.to_owned(),
            property: property.unwrap_or_default().to_owned(),
            obstacle: obstacle.filter(|_| verdict != "proved").map(str::to_owned),
            verdict,
            reason,
            seconds: best.time.as_secs_f64(),
            statistics,
        });
    }
    Ok(rows)
}

/// The command line that asks for an analysis. No runs look for errors: they know nothing of contracts.
fn line(options: &Options, directory: &Path, name: &str) -> Vec<OsString> {
    let structure = name.split('-').next().unwrap_or(name);
    let mut line: Vec<OsString> = ["heapwise", "check", "--runs", "0", "--timeout"].map(Into::into).to_vec();
    line.push(options.timeout.unwrap_or(20).to_string().into());
    line.extend(["--function".into(), name.replace('-', "_").into()]);
    line.extend(["--shapes".into(), directory.join(format!("{structure}.shape")).into_os_string()]);
    line.push(directory.join(format!("{name}.c")).into_os_string());
    line
}

/// How many are proved, of how many, and how long that took together.
fn sum<'a>(rows: impl Iterator<Item = &'a Row>) -> (usize, usize, f64) {
    rows.fold((0, 0, 0.0), |(proved, all, seconds), row| match row.proved() {
        true => (proved + 1, all + 1, seconds + row.seconds),
        false => (proved, all + 1, seconds),
    })
}

fn table(rows: &[Row]) -> String {
    let mut out =
        format!("{:<20} {:<14} {:<10} {:>9}  reason\n", "operation", "property", "verdict", "seconds");
    for row in rows {
        let reason = row.reason.map(|r| format!("{r}: {}", row.obstacle.as_deref().unwrap_or("?")));
        let _ = writeln!(
            out,
            "{:<20} {:<14} {:<10} {:>9.4}  {}",
            row.name,
            row.property,
            row.verdict,
            row.seconds,
            reason.unwrap_or_default()
        );
    }
    let (proved, all, seconds) = sum(rows.iter());
    let _ = writeln!(out, "proved {proved} of {all}, {seconds:.3} s together");
    out
}

fn section(rows: &[Row]) -> String {
    let mut out = format!(
        "{HEADING}\n\nMade by `cargo xtask bench numbers`; seconds of the analysis alone, on one core. The operations of \
         `benchmarks/numbers`, each with a contract whose predicates speak of order, bounds, lengths, colours, balances \
         or heights, beside memory safety and shape; blocks that are lost count as errors.\n\n\
         | property | proved | seconds |\n|---|---|---|\n"
    );
    let mut properties: Vec<&str> = rows.iter().map(|row| row.property.as_str()).collect();
    let mut seen = Vec::new();
    properties.retain(|p| {
        !seen.contains(p) && {
            seen.push(*p);
            true
        }
    });
    for property in properties {
        let (proved, all, seconds) = sum(rows.iter().filter(|row| row.property == property));
        let _ = writeln!(out, "| {property} | {proved} of {all} | {seconds:.3} |");
    }
    let (proved, all, seconds) = sum(rows.iter());
    let _ = writeln!(out, "| all | **{proved}** of {all} | {seconds:.3} |\n");
    let _ = writeln!(out, "| operation | property | seconds | fix / max / post |\n|---|---|---|---|");
    for row in rows.iter().filter(|row| row.proved()) {
        let s = &row.statistics;
        let disjuncts = format!("{} / {} / {}", s.head_disjuncts, s.max_disjuncts, s.exit_disjuncts);
        let _ = writeln!(out, "| {} | {} | {:.4} | {disjuncts} |", row.name, row.property, row.seconds);
    }
    if proved < all {
        let _ =
            writeln!(out, "\n| not proved | property | alarm | what stands in the way |\n|---|---|---|---|");
    }
    for row in rows.iter().filter(|row| !row.proved()) {
        let obstacle = row.obstacle.as_deref().unwrap_or("");
        let _ = writeln!(
            out,
            "| {} | {} | {} | {obstacle} |",
            row.name,
            row.property,
            row.reason.unwrap_or(row.verdict)
        );
    }
    out
}

fn json_row(row: &Row) -> serde_json::Value {
    json!({
        "benchmark": row.name, "property": row.property, "verdict": row.verdict, "reason": row.reason,
        "obstacle": row.obstacle, "seconds": row.seconds, "statistics": statistics_json(&row.statistics, true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, property: &str, proved: bool) -> Row {
        Row {
            name: name.into(),
            property: property.into(),
            obstacle: (!proved).then(|| "two trees".into()),
            verdict: if proved { "proved" } else { "unknown" },
            reason: (!proved).then_some("budget"),
            seconds: 0.5,
            statistics: Statistics::default(),
        }
    }

    #[test]
    fn the_section_counts_by_property_and_says_what_stands_in_the_way() {
        let rows =
            [row("a-find", "order", true), row("b-find", "colours", true), row("a-sort", "order", false)];
        let text = section(&rows);
        for part in [
            "| order | 1 of 2 | 0.500 |\n| colours | 1 of 1 | 0.500 |\n| all | **2** of 3 | 1.000 |",
            "| a-find | order | 0.5000 | 0 / 0 / 0 |",
            "| a-sort | order | budget | two trees |",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(table(&rows).ends_with("proved 2 of 3, 1.000 s together\n"));
    }
}
