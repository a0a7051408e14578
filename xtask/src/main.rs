//! Development tasks, run as `cargo xtask TASK`.
//!
//! Each task returns whether all went well, and prints what a developer wants to know.
#![allow(clippy::print_stdout, reason = "a command line tool for developers")]

mod bench;
mod csmith;
mod cycles;
mod debian;
mod library_calls;
mod process;
mod projects;
mod real_code;
mod record;
mod test_long;
mod tidy;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Development tasks of the project.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check the tree: module headers, file sizes, forbidden words, documented codes, crate dependencies
    Tidy,
    /// Measure with the optimised program and print a table (tvl, clumping, connectors, numbers, octagons, lists, tasks, frontend, seeing)
    Bench(bench::Options),
    /// Run random programs by Csmith natively and in the interpreter; checksums must be equal
    Csmith(csmith::Options),
    /// Run all tests in their long form: more programs, seeds and mutants than `cargo test` takes
    TestLong(test_long::Options),
    /// Compile the C code inside well-known crates; nearly all functions must lower, and fast
    RealCode(real_code::Options),
    /// Count the calls of the C library in Debian packages; at least 98 % of them must be of functions that are modelled
    LibraryCalls(library_calls::Options),
    /// Fetch Debian source packages, build them under bear, and check all their programs
    Projects(projects::Options),
}

/// What a task returns: `Err` says why it could not be done.
type TaskResult = Result<bool, String>;

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Tidy => tidy::run(&root()),
        Task::Bench(options) => bench::run(&root(), &options),
        Task::Csmith(options) => csmith::run(&root(), &options),
        Task::TestLong(options) => test_long::run(&root(), &options),
        Task::RealCode(options) => real_code::run(&root(), &options),
        Task::LibraryCalls(options) => library_calls::run(&root(), &options),
        Task::Projects(options) => projects::run(&root(), &options),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(reason) => {
            println!("cannot be done: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}
