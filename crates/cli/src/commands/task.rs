//! `heapwise task`: answers to verification tasks, and their score.

use super::report_plain;
use crate::exit::Exit;
use crate::options::Task;
use crate::output;
use crate::task::definition::{self, Definition};
use crate::task::score::Judgement;
use crate::task::table::{self, Row};
use crate::task::worker::{Limits, ask};
use heapwise_property::Spec;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
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
    let wanted = |spec: Spec| options.property.is_empty() || options.property.contains(&spec);
    let start = Instant::now();
    let mut each = |row: &Row<'_>| {
        if !(options.csv || options.json)
            && (!options.only_wrong || row.outcome.judgement == Judgement::Wrong)
        {
            output::print(&format!("{}\n", row.line()));
        }
    };
    let heapwise = match std::env::current_exe() {
        Ok(path) => path,
        Err(error) => {
            output::error(&format!("where this program is cannot be found out: {error}"));
            return Exit::Internal;
        }
    };
    let limits = Limits {
        heapwise,
        timeout: options.limits.timeout,
        memory: options.limits.max_memory,
        witnesses: options.witnesses.clone(),
    };
    let mut rows = ask_all(&tasks, &wanted, &limits, options.limits.jobs, &mut each);
    if (options.csv || options.json) && options.only_wrong {
        rows.retain(|row| row.outcome.judgement == Judgement::Wrong);
    }
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

/// Asks all questions about properties that are wanted, `jobs` at a time; `each` sees the answers as they come. The
/// result is in the order of the tasks.
pub fn ask_all<'a>(
    tasks: &'a [Definition],
    wanted: &dyn Fn(Spec) -> bool,
    limits: &Limits,
    jobs: usize,
    each: &mut dyn FnMut(&Row<'_>),
) -> Vec<Row<'a>> {
    let asked = |task: &'a Definition| task.questions.iter().map(move |question| (task, question));
    let todo: Vec<_> = tasks.iter().flat_map(asked).filter(|(_, question)| wanted(question.spec)).collect();
    let bar = ProgressBar::new(todo.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = std::sync::mpsc::channel::<(usize, Row<'a>)>();
    let mut answers = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, 64).min(todo.len().max(1)) {
            let (sender, next, todo) = (sender.clone(), &next, &todo);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(task, question)) = todo.get(number) else { break };
                    let outcome = ask(task, question, limits);
                    if sender.send((number, Row { task, question, outcome })).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (number, row) in receiver {
            bar.set_message(row.name());
            bar.suspend(|| each(&row));
            bar.inc(1);
            answers.push((number, row));
        }
    });
    bar.finish_and_clear();
    answers.sort_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, row)| row).collect()
}
