//! `heapwise contracts`.

use super::{Output, Source, seconds};
use clap::{Args, ValueEnum};
use heapwise_engine::Strategy;
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "\
Find what functions need and what they leave, without a program around them.

For every function with a body a precondition is looked for from which it runs without an error, and a postcondition. Both are \
in the language of docs/predicates.md, and both are proved before they are printed. A function without a contract says why. \
Errors that happen whoever calls are reported.";

const HELP: &str = "\
Exit codes:
  0 every function has a contract, nothing is wrong   1 an error was found   2 some function has no contract   3 bad input or usage

Examples:
  heapwise contracts list.c
  heapwise contracts list.c --emit list.shape
  heapwise check list.c --shapes list.shape --function push
                                            proves one of them again
  heapwise check main.c --contracts list.shape
                                            relies on them where the library's source is missing";

/// Whether descriptions are joined.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Joining {
    /// Those that have a common description
    #[default]
    On,
    /// None: a description only gives way to one that says the same or less
    Off,
}

impl Joining {
    /// What the engine calls it.
    pub fn strategy(self) -> Strategy {
        match self {
            Joining::On => Strategy::default(),
            Joining::Off => Strategy::Included,
        }
    }
}

/// `heapwise contracts`.
#[derive(Args, Clone, Debug)]
#[command(long_about = ABOUT, after_long_help = HELP)]
pub struct Contracts {
    /// C files (.c) or preprocessed files (.i), linked as far as they go; `-` is C text from standard input
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    /// Only this function; may be given several times
    #[arg(long, value_name = "NAME", help_heading = "Analysis")]
    pub function: Vec<String>,
    /// Write the contracts into this file, as declarations that `check --shapes` and `check --contracts` read
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub emit: Option<PathBuf>,
    /// Keep what is found in this folder, and look there first: only what changed, and what calls it, is looked at again
    #[arg(long, value_name = "DIR", help_heading = "Analysis")]
    pub store: Option<PathBuf>,
    /// Let every allocation return null as well
    #[arg(long, help_heading = "Analysis")]
    pub malloc_may_fail: bool,
    /// Take calls of unknown external functions to change nothing
    #[arg(long, help_heading = "Analysis")]
    pub trust_unknown_calls: bool,
    /// Whether descriptions are joined where paths meet; for comparison
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, help_heading = "Analysis")]
    pub join: Joining,
    /// Stop after this many seconds (0.5 is half of one)
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<Duration>,
    /// Functions that are looked at side by side; the answer is the same [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub jobs: Option<usize>,
    /// Where the program comes from.
    #[command(flatten)]
    pub source: Source,
    /// How to report.
    #[command(flatten)]
    pub output: Output,
}
