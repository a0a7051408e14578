//! `tasks`: the score on a collection of verification tasks, by family, and why the rest is open.
//!
//! The table is printed and becomes a section of the page of measurements.

use crate::options::Options;
use crate::page;
use heapwise_cli::commands::task::{ask_all, load};
use heapwise_cli::exit::Exit;
use heapwise_cli::output;
use heapwise_cli::task::score::{Judgement, Tally};
use heapwise_cli::task::table::{self, Row};
use heapwise_cli::task::worker::Limits;
use heapwise_property::Spec;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// The heading of the section.
const HEADING: &str = "## Verification tasks";
/// Seconds for each question, if nothing else is said.
const TIMEOUT: u64 = 60;

/// Answers all tasks, prints the tables and writes them.
pub fn run(options: &Options) -> Exit {
    let tasks = match load(&options.files) {
        Ok(tasks) => tasks,
        Err(exit) => return exit,
    };
    let limits = match limits(options) {
        Ok(limits) => limits,
        Err(error) => {
            output::error(&error);
            return Exit::BadInput;
        }
    };
    let start = Instant::now();
    let rows = ask_all(&tasks, &|_| true, &limits, options.jobs, &mut |_| {});
    let section = section(&rows, options, &limits, start.elapsed().as_secs_f64());
    output::print(&section);
    let wrong = rows.iter().any(|r| r.outcome.judgement == Judgement::Wrong);
    if let Err(exit) = page::publish(options, HEADING, || section) {
        return exit;
    }
    if wrong { Exit::Error } else { Exit::Proved }
}

/// The `heapwise` that is to answer, and what it may use.
fn limits(options: &Options) -> Result<Limits, String> {
    let beside = || {
        let own =
            std::env::current_exe().map_err(|e| format!("where this program is cannot be found out: {e}"))?;
        Ok::<_, String>(own.with_file_name(format!("heapwise{}", std::env::consts::EXE_SUFFIX)))
    };
    let heapwise = options.heapwise.clone().map_or_else(beside, Ok)?;
    if !heapwise.is_file() {
        return Err(format!("{}: there is no heapwise (--heapwise says where it is)", heapwise.display()));
    }
    let timeout = options.timeout.unwrap_or(TIMEOUT);
    Ok(Limits { heapwise, timeout, memory: options.max_memory, witnesses: None })
}

fn section(rows: &[Row<'_>], options: &Options, limits: &Limits, seconds: f64) -> String {
    let mut out = format!("{HEADING}\n\n");
    let mut times: Vec<f64> = rows.iter().map(|r| r.outcome.seconds).collect();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let most = rows.iter().filter_map(|r| r.outcome.memory).fold(0.0, f64::max);
    let _ = writeln!(
        out,
        "Made by `cargo xtask bench tasks`: {} s and {} MB for each property of a task, {} at a time. The whole run took \
         {seconds:.0} s; median {median:.2} s, most memory {most:.0} MB. A correct `true` counts 2 points, a correct \
         `false` 1, a false alarm −16, a missed bug −32.\n",
        limits.timeout, limits.memory, options.jobs
    );
    let sums = table::tally(rows);
    out.push_str(
        "| property | tasks | true | false | unknown | wrong | score |\n|---|---|---|---|---|---|---|\n",
    );
    for (spec, tally) in &sums {
        line(&mut out, spec.name(), tally);
    }
    line(&mut out, "all", &table::total(&sums));
    let mut families: BTreeMap<(String, Spec), Tally> = BTreeMap::new();
    for row in rows {
        families.entry((row.family(), row.question.spec)).or_default().add(
            row.outcome.answer,
            row.outcome.judgement,
            row.question.expected,
        );
    }
    out.push_str("\n| family | property | tasks | solved | wrong | score |\n|---|---|---|---|---|---|\n");
    for ((family, spec), t) in &families {
        let _ = writeln!(
            out,
            "| {family} | {} | {} | {} | {} | {} of {} |",
            spec.name(),
            t.questions,
            t.solved(),
            t.wrong,
            t.score,
            t.most
        );
    }
    out.push_str(&unsolved(rows, &options.files));
    out
}

fn line(out: &mut String, name: &str, t: &Tally) {
    let unknown = t.questions - t.solved() - t.wrong;
    let _ = writeln!(
        out,
        "| {name} | {} | {} | {} | {unknown} | {} | {} of {} |",
        t.questions, t.correct_true, t.correct_false, t.wrong, t.score, t.most
    );
}

/// What was not solved, grouped by cause.
fn unsolved(rows: &[Row<'_>], places: &[PathBuf]) -> String {
    let mut causes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.outcome.judgement != Judgement::Correct) {
        let wrong = row.outcome.judgement == Judgement::Wrong;
        let cause = if wrong { "differs" } else { row.outcome.cause.as_deref().unwrap_or("unknown") };
        let below = places.iter().find_map(|place| row.task.path.strip_prefix(place).ok());
        let name = below.unwrap_or(&row.task.path).with_extension("");
        let expected = match row.question.expected {
            Some(true) => "true",
            Some(false) => "false",
            None => "?",
        };
        let reason = if wrong {
            format!("answered {}", row.outcome.answer.name())
        } else {
            row.outcome.reason.clone().unwrap_or_default()
        };
        causes.entry(cause).or_default().push(format!(
            "- {} ({}, expected {expected}): {}",
            name.display(),
            row.question.spec.name(),
            reason.replace('\n', " ")
        ));
    }
    let mut out = String::new();
    for (cause, lines) in causes {
        let _ = writeln!(out, "\n### Not solved: {cause} ({})\n", lines.len());
        for line in lines {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}
