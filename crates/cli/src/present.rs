//! What a check came to, in the form that was asked for.
//!
//! The report is printed first; files come after it, so that a path that cannot be written loses nothing that is known. A
//! report that cannot be written into its file is printed.

use crate::commands::check::{Outcome, statistics_json, statistics_text, witness_of};
use crate::commands::states;
use crate::exit::Exit;
use crate::options::{Check, Form};
use crate::output;
use crate::task::worker::peak_memory;
use heapwise_ir::{Program, Severity};
use heapwise_report::baseline::{self, Baseline};
use heapwise_report::{Entry, Finding, Style, document, json, render, words};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;

/// Most cases of an invariant that are told one by one.
const MAX_CASES: usize = 4;

/// Most consequences that are listed.
const MAX_CONSEQUENCES: usize = 10;

/// Whether a comment in the program, or the baseline, silences a finding.
pub fn is_silenced(finding: &Finding, program: &Program, baseline: Option<&Baseline>) -> bool {
    let entries = document::entries(vec![finding.clone()], &program.sources, baseline);
    entries.first().is_some_and(|e| !e.is_shown())
}

/// Prints the report and writes the files; returns how the process is to end.
pub fn present(program: &Program, options: &Check, outcome: &Outcome, baseline: Option<&Baseline>) -> Exit {
    let entries = document::entries(outcome.findings.clone(), &program.sources, baseline);
    let silenced = entries.iter().filter(|e| !e.is_shown()).count();
    // What was found is all known or silenced: nothing to complain about, though nothing is proved either.
    let known = matches!(outcome.exit, Exit::Error | Exit::Unknown) && !entries.iter().any(Entry::counts);
    let exit = if known { Exit::Proved } else { outcome.exit };
    let verdict = match silenced {
        0 => outcome.name.to_owned(),
        n if known => format!("{}, all of it known: {n} silenced", outcome.name),
        n => format!("{}, {n} silenced", outcome.name),
    };
    let form = options.output.format;
    let text = match form {
        Form::Text => {
            let terminal = options.report.is_none() && std::io::stderr().is_terminal();
            people(&entries, program, options, outcome, output::style(options.output.color, terminal))
        }
        Form::Json => format!("{}\n", object(&entries, program, options, outcome, exit)),
        form => {
            let document = output::a_document(outcome.name, exit.code(), &entries, &program.sources);
            output::in_form(&document, form)
        }
    };
    let mut failed = false;
    match &options.report {
        Some(path) => {
            if !write(path, &text) {
                failed = true;
                output::print(&text);
            }
            output::print(&format!("{verdict}\n"));
        }
        None if form == Form::Text => {
            output::eprint(&text);
            output::print(&format!("{verdict}\n"));
        }
        None => output::print(&text),
    }
    if options.stats && form == Form::Text {
        output::print(&statistics_text(&outcome.report.statistics));
    }
    failed |= states::write(program, &outcome.report, options).is_err();
    if let Some(path) = &options.write_baseline {
        failed |= !write(path, &baseline::text(&entries, &program.sources));
    }
    if let Some(path) = &options.witness
        && let Some(verdict) = &outcome.verdict
        && let Some(text) = witness_of(program, options, verdict, &outcome.report)
    {
        failed |= !write(path, &text);
    }
    if failed { Exit::BadInput } else { exit }
}

/// Writes a file; a failure is reported.
fn write(path: &Path, text: &str) -> bool {
    let written = std::fs::write(path, text);
    if let Err(error) = &written {
        output::error(&format!("{} cannot be written: {error}", path.display()));
    }
    written.is_ok()
}

/// The report for people: so many findings one by one, the others counted.
fn people(entries: &[Entry], program: &Program, options: &Check, outcome: &Outcome, style: Style) -> String {
    if options.output.quiet {
        return String::new();
    }
    let shown: Vec<&Entry> = entries.iter().filter(|e| e.is_shown()).collect();
    let most = if options.max_findings == 0 { usize::MAX } else { options.max_findings };
    let mut text = String::new();
    // Consequences stand under the last cause, unless all are asked for.
    let folds = |e: &&Entry| e.finding.follows && options.max_findings != 0;
    let consequences: Vec<&Entry> = shown.iter().copied().filter(folds).collect();
    let shown: Vec<&Entry> = shown.into_iter().filter(|e| !folds(e)).collect();
    let causes = shown.iter().filter(|e| !matches!(e.finding.severity, Severity::Note)).count();
    for (i, e) in shown.iter().take(most).enumerate() {
        text.push_str(&render::finding(&e.finding, &program.sources, style));
        text.push('\n');
        if i + 1 == causes.clamp(1, most) {
            text.push_str(&folded(&consequences, program));
        }
    }
    let rest = shown.get(most.min(shown.len())..).unwrap_or_default();
    if !rest.is_empty() {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for e in rest {
            *counts.entry(&e.finding.code).or_default() += 1;
        }
        let mut counts: Vec<(usize, &str)> = counts.into_iter().map(|(code, n)| (n, code)).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let list: Vec<String> = counts.iter().map(|(n, code)| format!("{n} {code}")).collect();
        text.push_str(&format!(
            "… and {} more: {} (--max-findings 0 shows all)\n\n",
            rest.len(),
            list.join(", ")
        ));
    }
    if options.invariants {
        for i in words::invariants(program, &outcome.report) {
            let name = program.functions.get(i.point.function).map_or("function", |f| &f.name);
            let place = program.sources.describe(i.span);
            let start = format!("{place}: at each iteration of this loop in `{name}`");
            match i.cases.as_slice() {
                [] => text.push_str(&format!("{start}: never reached\n")),
                [one] => text.push_str(&format!("{start}: {one}\n")),
                all => {
                    text.push_str(&format!("{start} one of {} cases holds:\n", all.len()));
                    all.iter().take(MAX_CASES).for_each(|case| text.push_str(&format!("  - {case}\n")));
                    if all.len() > MAX_CASES {
                        text.push_str(&format!("  … and {} more\n", all.len() - MAX_CASES));
                    }
                }
            }
        }
    }
    text
}

/// What may follow from the causes above, a line each.
fn folded(consequences: &[&Entry], program: &Program) -> String {
    if consequences.is_empty() {
        return String::new();
    }
    let mut text =
        format!("{} more may follow from this (--max-findings 0 explains them):\n", consequences.len());
    for e in consequences.iter().take(MAX_CONSEQUENCES) {
        let place = program.sources.describe(e.finding.span);
        text.push_str(&format!("  {place}: {} [{}]\n", e.finding.message, e.finding.code));
    }
    if consequences.len() > MAX_CONSEQUENCES {
        text.push_str(&format!("  … and {} more\n", consequences.len() - MAX_CONSEQUENCES));
    }
    text.push('\n');
    text
}

/// The report for programs.
fn object(
    entries: &[Entry],
    program: &Program,
    options: &Check,
    outcome: &Outcome,
    exit: Exit,
) -> serde_json::Value {
    serde_json::json!({
        "version": json::VERSION,
        "verdict": outcome.name,
        "exit_code": exit.code(),
        "statistics": statistics_json(&outcome.report.statistics, options.stats),
        "subproperty": outcome.subproperty,
        "peak_memory": peak_memory(std::process::id()),
        "findings": json::entries(entries, &program.sources),
        "inputs": outcome.inputs,
        "invariants": invariants(program, options, outcome),
        "assumptions": outcome.report.assumptions.len(),
    })
}

/// What holds at loops, if it was asked for.
fn invariants(program: &Program, options: &Check, outcome: &Outcome) -> Vec<serde_json::Value> {
    if !options.invariants {
        return Vec::new();
    }
    let one = |i: words::Invariant| {
        let at = program.sources.location(i.span.lo);
        serde_json::json!({
            "function": program.functions.get(i.point.function).map(|f| f.name.to_string()),
            "file": at.as_ref().map(|l| l.file.to_string()),
            "line": at.map(|l| l.line),
            "sentence": i.sentence,
            "cases": i.cases,
        })
    };
    words::invariants(program, &outcome.report).into_iter().map(one).collect()
}
