//! The verification tasks of the public benchmark collection, if they are there: all of them parse and lower, with
//! no function left out.

// Tests say on standard error why they skip something.
#![allow(clippy::print_stderr, clippy::print_stdout)]

mod common;
use common::{heapwise, root};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The input files that the task descriptions below `dir` name.
fn tasks(dir: &Path) -> Vec<PathBuf> {
    let mut tasks = Vec::new();
    for family in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        for entry in std::fs::read_dir(family.path()).into_iter().flatten().flatten() {
            if entry.path().extension().is_none_or(|e| e != "yml") {
                continue;
            }
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let name =
                text.lines().find_map(|l| l.strip_prefix("input_files:")).expect("a task has an input file");
            tasks.push(family.path().join(name.trim().trim_matches(['\'', '"'])));
        }
    }
    tasks.sort();
    tasks
}

#[test]
fn every_task_lowers_completely() {
    let dir = root().join("../shared/svbench/c");
    if !dir.is_dir() {
        eprintln!("skipped: no benchmark collection at ../shared/svbench");
        return;
    }
    let tasks = tasks(&dir);
    assert_eq!(tasks.len(), 187);
    let mut remaining = Vec::new();
    let mut functions = 0;
    for task in &tasks {
        let name = task.strip_prefix(&dir).unwrap().display();
        let mut command = heapwise();
        command
            .args(["ir", "--m32", "--summary", "--verify", "--format", "json"])
            .arg(task)
            .args(["--", "-w"]);
        let output = command.output().unwrap();
        let Ok(summary) = serde_json::from_slice::<Value>(&output.stdout) else {
            let text = String::from_utf8_lossy(&output.stderr).chars().take(300).collect::<String>();
            remaining.push(format!("{name}: {text}"));
            continue;
        };
        functions += summary["functions"].as_u64().unwrap();
        for refused in summary["not_analysed"].as_array().unwrap() {
            remaining.push(format!("{name}: {}: {}", refused["function"], refused["reason"]));
        }
        for violation in summary["violations"].as_array().unwrap() {
            remaining.push(format!("{name}: {violation}"));
        }
    }
    println!("{} tasks, {functions} functions", tasks.len());
    assert!(remaining.is_empty(), "{} remain:\n{}", remaining.len(), remaining.join("\n"));
    assert!(functions > 1000, "only {functions} functions");
}
