//! Commands that help to use the others: explanations of codes, completions, manual pages.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// `heapwise explain`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXPLAIN_HELP)]
pub struct Explain {
    /// The code in brackets after `error`, `warning` or `note`; without one, all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

const EXPLAIN_HELP: &str = "\
Exit codes:
  0  printed
  3  there is no such code

Examples:
  heapwise explain use-after-free
  heapwise explain | less";

/// `heapwise completions`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = COMPLETIONS_HELP)]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  heapwise completions bash > ~/.local/share/bash-completion/completions/heapwise
  heapwise completions zsh > ~/.zfunc/_heapwise
  heapwise completions fish > ~/.config/fish/completions/heapwise.fish";

/// `heapwise man`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = MAN_HELP)]
pub struct Man {
    /// Write a page for each command into this directory, instead of printing the one of `heapwise`
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

const MAN_HELP: &str = "\
Examples:
  heapwise man | man -l -
  heapwise man -o ~/.local/share/man/man1";
