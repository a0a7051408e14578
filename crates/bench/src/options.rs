//! The command line of the measurements.

use clap::{Parser, ValueEnum};
use heapwise_cli::options::{Format, Source, StrategyName, at_least_one};
use std::path::PathBuf;

/// Measure and print a table.
#[derive(Parser, Clone, Debug)]
#[command(name = "heapwise-bench", about)]
pub struct Options {
    /// What to measure
    #[arg(value_enum, value_name = "TOPIC")]
    pub topic: Topic,
    /// Where the task definition files are (tasks), or the C files (.c, .i), each by itself (frontend, lists), or their
    /// directories (lists)
    #[arg(value_name = "DIR|FILE", required_if_eq_any([("topic", "frontend"), ("topic", "tasks")]))]
    pub files: Vec<PathBuf>,
    /// Also write the tables into this page, as its section on the topic (tasks, lists, clumping, numbers, scale)
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    pub write: Option<PathBuf>,
    /// The program that is asked; without it the `heapwise` beside this one (tasks, seeing)
    #[arg(long, value_name = "FILE")]
    pub heapwise: Option<PathBuf>,
    /// Megabytes for each property of a task (tasks)
    #[arg(long, default_value_t = 4096, value_name = "MB")]
    pub max_memory: u64,
    /// How many run at a time (tasks)
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub jobs: usize,
    /// Runs of each measurement: the fastest counts, for `frontend` the median
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = at_least_one)]
    pub runs: usize,
    /// Form of the table
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub format: Format,
    /// Where the programs are; without it in benchmarks/TOPIC (clumping, connectors, numbers, relations)
    #[arg(long, value_name = "DIR")]
    pub programs: Option<PathBuf>,
    /// Only benchmarks whose names start like this (clumping, connectors, numbers, relations, lists, scale)
    #[arg(long, value_name = "PREFIX")]
    pub only: Option<String>,
    /// Which disjuncts are put together, separated by commas; without it all strategies (clumping)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME")]
    pub strategy: Vec<StrategyName>,
    /// Also measure sequences of 1, 8, 32 and 128 calls (clumping)
    #[arg(long)]
    pub sequences: bool,
    /// Stop each program after this many seconds (lists: 3, scale: 10, clumping, numbers and relations: 20, tasks: 60)
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// How often something comes in a program, separated by commas; without it what each pattern is measured at (scale); how many variables
    /// (octagons: 25, 50, 100)
    #[arg(long, value_delimiter = ',', value_name = "N")]
    pub sizes: Vec<usize>,
    /// The proof alone, without concrete runs (scale)
    #[arg(long)]
    pub without_runs: bool,
    /// Measure one pattern (--only) at one size (--sizes) in this process (scale)
    #[arg(long, requires = "only", requires = "sizes")]
    pub alone: bool,
    /// Print that program instead (scale)
    #[arg(long, requires = "alone")]
    pub show: bool,
    /// Where the programs come from.
    #[command(flatten)]
    pub source: Source,
}

/// What to measure.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// Three-valued logic: strict and loose embedding on five list programs
    Tvl,
    /// Separation logic: 26 operations on linked structures, as closed programs and with declared predicates
    Clumping,
    /// Separation logic: operations whose declared predicates speak of numbers: order, lengths, colours, heights
    Numbers,
    /// k-limited graphs: six programs about order in lists and trees, without connectors and with both kinds
    Connectors,
    /// Separation logic: closed programs whose assertions speak of what is in lists and trees, and their mutants
    Relations,
    /// Octagons: what closing a matrix and one more constraint cost
    Octagons,
    /// Separation logic: the annotated small programs and examples, and operations in sequence
    Lists,
    /// Programs in which something comes N times, such as lists, functions or optional fields
    Scale,
    /// Contracts of open code: functions that get one, what it costs, and what is in the way
    Contracts,
    /// Verification tasks: the score by family, and what is not solved
    Tasks,
    /// From preprocessed text to the intermediate representation, on one core
    Frontend,
    /// How long people wait: findings in an editor, and the explorer's page of a large program
    Seeing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Options::command().debug_assert();
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let parse = |line: &str| Options::try_parse_from(line.split(' '));
        assert!(parse("bench tvl --runs 1").is_ok());
        for line in ["tvl --runs 0", "frontend", "tasks", "numbers --only a --write page.md"] {
            assert!(parse(&format!("bench {line}")).is_err(), "{line}");
        }
        assert!(parse("bench frontend a.c -- -DX -I b").is_ok_and(|o| o.source.cpp_flags.len() == 3));
    }
}
