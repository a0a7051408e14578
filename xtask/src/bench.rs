//! `cargo xtask bench TOPIC …`: builds `heapwise` and `heapwise-bench` optimised, and runs the second from where the
//! developer stands.

use crate::{TaskResult, process};
use clap::Args;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Options of `cargo xtask bench`.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// The topic and its options; `--help` lists them
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Measures; whether all went well.
pub fn run(root: &Path, options: &Options) -> TaskResult {
    let program = process::built(root, &["heapwise-cli", "heapwise-bench"], "heapwise-bench")?;
    let mut command = Command::new(&program);
    let status = command.args(&options.args).status();
    status.map(|s| s.success()).map_err(|e| format!("{}: {e}", program.display()))
}
