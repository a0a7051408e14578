//! `heapwise task`: answers to verification tasks, and their score.

use super::report_plain;
use crate::exit::Exit;
use crate::options::{Task, TaskLimits};
use crate::output;
use crate::task::definition::{self, Definition};
use crate::task::score::Judgement;
use crate::task::table::{self, Row};
use crate::task::worker::{Limits, Outcome, ask};
use heapwise_engine::Spec;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Answers all tasks.
pub fn run(options: &Task) -> Exit {
    let tasks = match load(&options.tasks) {
        Ok(tasks) => tasks,
        Err(exit) => return exit,
    };
    if let Some(dir) = &options.witnesses
        && let Err(error) = std::fs::create_dir_all(dir)
    {
        output::error(&format!("{}: {error}", dir.display()));
        return Exit::BadInput;
    }
    let specs: Vec<Spec> = options.property.iter().map(|p| p.spec()).collect();
    let wanted = |spec: Spec| specs.is_empty() || specs.contains(&spec);
    let start = Instant::now();
    let mut each = |row: &Row<'_>| {
        if !(options.csv || options.json)
            && (!options.only_wrong || row.outcome.judgement == Judgement::Wrong)
        {
            output::print(&format!("{}\n", row.line()));
        }
    };
    let answers = ask_all(&tasks, &wanted, &options.limits, options.witnesses.clone(), &mut each);
    let rows: Vec<Row<'_>> = answers
        .iter()
        .map(|(t, q, outcome)| Row { task: &tasks[*t], question: &tasks[*t].questions[*q], outcome })
        .filter(|row| {
            !(options.csv || options.json) || !options.only_wrong || row.outcome.judgement == Judgement::Wrong
        })
        .collect();
    if options.csv {
        output::print(&table::csv(&rows));
    } else if options.json {
        let sums = table::tally(&rows);
        let sums: serde_json::Map<String, serde_json::Value> = sums
            .iter()
            .map(|(spec, t)| {
                let sum = serde_json::json!({
                    "questions": t.questions, "correct_true": t.correct_true,
                    "correct_false": t.correct_false, "wrong": t.wrong, "score": t.score, "most": t.most,
                });
                (spec.name().to_owned(), sum)
            })
            .collect();
        let records: Vec<serde_json::Value> = rows.iter().map(Row::json).collect();
        output::print(&format!("{}\n", serde_json::json!({ "answers": records, "summary": sums })));
    } else {
        output::print(&table::summary(&rows, start.elapsed().as_secs_f64()));
    }
    if rows.iter().any(|r| r.outcome.judgement == Judgement::Wrong) { Exit::Error } else { Exit::Proved }
}

/// Reads all task definitions; files that are none are refused if they were named, and skipped below directories.
pub fn load(paths: &[PathBuf]) -> Result<Vec<Definition>, Exit> {
    let files = definition::find(paths).map_err(|e| report_plain(&e))?;
    let mut tasks = Vec::new();
    for file in files {
        match definition::read(&file) {
            Ok(task) => tasks.push(task),
            Err(error) if paths.contains(&file) => return Err(report_plain(&error)),
            Err(error) => output::eprint(&format!("skipped: {error}\n")),
        }
    }
    if tasks.is_empty() {
        output::error("there are no task definition files");
        return Err(Exit::BadInput);
    }
    Ok(tasks)
}

/// An answer, with the indices of its task and question.
pub type Numbered = (usize, usize, Outcome);

/// Asks all questions about properties that are wanted, some at a time; `each` sees the answers as they come. The
/// result is in the order of the tasks.
pub fn ask_all(
    tasks: &[Definition],
    wanted: &dyn Fn(Spec) -> bool,
    limits: &TaskLimits,
    witnesses: Option<PathBuf>,
    each: &mut dyn FnMut(&Row<'_>),
) -> Vec<Numbered> {
    let mut todo: Vec<(usize, usize)> = Vec::new();
    for (t, task) in tasks.iter().enumerate() {
        todo.extend(task.questions.iter().enumerate().filter(|(_, q)| wanted(q.spec)).map(|(q, _)| (t, q)));
    }
    let settings = Limits { timeout: limits.timeout, memory: limits.max_memory, witnesses };
    let bar = ProgressBar::new(todo.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = std::sync::mpsc::channel::<Numbered>();
    let sender = Mutex::new(sender);
    let mut answers = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..limits.jobs.clamp(1, 64).min(todo.len().max(1)) {
            let Ok(sender) = sender.lock().map(|s| s.clone()) else { continue };
            let (next, todo, settings) = (&next, &todo, &settings);
            scope.spawn(move || {
                while let Some(&(t, q)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = ask(&tasks[t], &tasks[t].questions[q], settings);
                    if sender.send((t, q, outcome)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (t, q, outcome) in receiver {
            let row = Row { task: &tasks[t], question: &tasks[t].questions[q], outcome: &outcome };
            bar.set_message(row.name());
            bar.suspend(|| each(&row));
            bar.inc(1);
            answers.push((t, q, outcome));
        }
    });
    bar.finish_and_clear();
    answers.sort_by_key(|(t, q, _)| (*t, *q));
    answers
}
