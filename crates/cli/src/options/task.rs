//! The options of `heapwise task`.

use super::spec;
use clap::Args;
use heapwise_property::Spec;
use std::path::PathBuf;

/// `heapwise task`.
#[derive(Args, Clone, Debug)]
#[command(long_about = TASK_ABOUT, after_long_help = TASK_HELP)]
pub struct Task {
    /// Task definition files (.yml), or directories to look for them
    #[arg(value_name = "TASK.yml|DIR", required = true)]
    pub tasks: Vec<PathBuf>,
    /// Ask only for these properties, separated by commas
    #[arg(long, value_parser = spec(), value_delimiter = ',', value_name = "PROPERTY")]
    pub property: Vec<Spec>,
    /// Limits of each question.
    #[command(flatten)]
    pub limits: TaskLimits,
    /// Print only wrong answers, and the summary
    #[arg(long)]
    pub only_wrong: bool,
    /// Print comma-separated values instead
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print one JSON object instead
    #[arg(long)]
    pub json: bool,
    /// Write a witness for every answer into this directory
    #[arg(long, value_name = "DIR")]
    pub witnesses: Option<PathBuf>,
}

/// Limits of each question.
#[derive(Args, Clone, Debug)]
pub struct TaskLimits {
    /// Seconds for each property of a task
    #[arg(long, default_value_t = 60, value_name = "SECONDS", help_heading = "Limits")]
    pub timeout: u64,
    /// Megabytes for each property of a task
    #[arg(long, default_value_t = 4096, value_name = "MB", help_heading = "Limits")]
    pub max_memory: u64,
    /// How many run at a time
    #[arg(long, default_value_t = 2, value_name = "N", help_heading = "Limits")]
    pub jobs: usize,
}

const TASK_ABOUT: &str = "\
Answer verification tasks, and compare the answers with the expected ones.

A task definition file (format 1.0 or 2.x of the software-verification competition) names a program and the \
properties to check. Each property is checked by a process of its own, under limits of time and memory. The \
summary counts points: 2 for a correct `true`, 1 for a correct `false`, -16 for a false alarm, -32 for a missed \
bug.";

const TASK_HELP: &str = "\
Exit codes:
  0  no answer is wrong
  1  some answer is wrong
  3  bad input or usage

Examples:
  heapwise task list.yml
  heapwise task --timeout 10 --property valid-memsafety,valid-memcleanup tasks/
  heapwise task --csv tasks/ > results.csv";
