//! `relations`: closed programs whose assertions speak of what is in lists and trees, without annotations
//! (`benchmarks/relations`): order, search trees, lengths, equal numbers, bounds, columns that agree.
//!
//! A program has mutants, which `-DMUTANT=1` and so on make of it, and which violate an assertion on some input; none of them may
//! be proved. A line of `list.txt` is `NAME | property`, and for what is not proved `| what stands in the way`.

use crate::clumping::listed;
use crate::measure::{fastest, judged};
use crate::options::Options;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::output;
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Mutants of each program.
const MUTANTS: usize = 2;

/// A program, and the answers for it and its mutants.
struct Row {
    name: String,
    property: String,
    obstacle: Option<String>,
    proved: bool,
    milliseconds: f64,
    mutants_proved: usize,
}

/// Measures, prints, and says whether all is proved and no mutant is.
pub fn run(options: &Options) -> Exit {
    let rows = match rows(options) {
        Ok(rows) => rows,
        Err(exit) => return exit,
    };
    output::print(&match options.format {
        Format::Text => table(&rows),
        Format::Json => format!("{}\n", json!({ "rows": rows.iter().map(json_row).collect::<Vec<_>>() })),
    });
    let as_should_be = rows.iter().all(|row| row.proved && row.mutants_proved == 0);
    if as_should_be { Exit::Proved } else { Exit::Unknown }
}

fn rows(options: &Options) -> Result<Vec<Row>, Exit> {
    let directory = options.programs.clone().unwrap_or_else(|| PathBuf::from("benchmarks/relations"));
    let mut rows = Vec::new();
    for listed in listed(&directory)? {
        let mut parts = listed.split('|').map(str::trim);
        let (Some(name), property, obstacle) = (parts.next(), parts.next(), parts.next()) else { continue };
        if options.only.as_ref().is_some_and(|prefix| !name.starts_with(prefix.as_str())) {
            continue;
        }
        let (best, _) = fastest(options, line(options, &directory, name, 0))?;
        let proved = judged(&best.verdict).0 == "proved";
        // What is not proved in its right form is not asked about in wrong ones.
        let mutants = if proved { MUTANTS } else { 0 };
        let mut mutants_proved = 0;
        for mutant in 1..=mutants {
            let once = Options { runs: 1, ..options.clone() };
            let (answer, _) = fastest(&once, line(options, &directory, name, mutant))?;
            mutants_proved += usize::from(judged(&answer.verdict).0 == "proved");
        }
        rows.push(Row {
            name: name.to_owned(),
            property: property.unwrap_or_default().to_owned(),
            obstacle: obstacle.filter(|_| !proved).map(str::to_owned),
            proved,
            milliseconds: best.time.as_secs_f64() * 1e3,
            mutants_proved,
        });
    }
    Ok(rows)
}

/// The command line that asks for an analysis, without runs. Lost blocks are no error here: most programs leave theirs behind.
fn line(options: &Options, directory: &Path, name: &str, mutant: usize) -> Vec<OsString> {
    let mut line: Vec<OsString> = ["heapwise", "check", "--runs", "0", "--timeout"].map(Into::into).to_vec();
    line.push(options.timeout.unwrap_or(20).to_string().into());
    line.extend(["--property", "deref,free,uninitialised,assertion"].map(Into::into));
    line.push(format!("-DMUTANT={mutant}").into());
    line.push(directory.join(format!("{name}.c")).into_os_string());
    line
}

fn table(rows: &[Row]) -> String {
    let mut out =
        format!("{:<26} {:<14} {:<8} {:>9}  mutants proved\n", "program", "property", "verdict", "ms");
    for row in rows {
        let verdict = if row.proved { "proved" } else { "unknown" };
        let note = match (&row.obstacle, row.proved) {
            (Some(why), _) => why.clone(),
            (None, true) => row.mutants_proved.to_string(),
            (None, false) => String::new(),
        };
        let _ = writeln!(
            out,
            "{:<26} {:<14} {:<8} {:>9.2}  {note}",
            row.name, row.property, verdict, row.milliseconds
        );
    }
    let proved = rows.iter().filter(|row| row.proved).count();
    let wrong: usize = rows.iter().map(|row| row.mutants_proved).sum();
    let _ = writeln!(out, "proved {proved} of {}, {wrong} mutants proved", rows.len());
    out
}

fn json_row(row: &Row) -> serde_json::Value {
    json!({
        "program": row.name, "property": row.property, "proved": row.proved, "obstacle": row.obstacle,
        "milliseconds": row.milliseconds, "mutants_proved": row.mutants_proved,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_proofs_and_mutants() {
        let row = |name: &str, proved: bool| Row {
            name: name.into(),
            property: "order".into(),
            obstacle: (!proved).then(|| "two orders".into()),
            proved,
            milliseconds: 1.0,
            mutants_proved: 0,
        };
        let text = table(&[row("a", true), row("b", false)]);
        assert!(text.ends_with("proved 1 of 2, 0 mutants proved\n") && text.contains("two orders"), "{text}");
    }
}
