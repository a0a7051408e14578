//! `cargo xtask test-long`: all tests in their long form, which takes more programs, seeds and mutants.
//!
//! `cargo test` is the short form: a deterministic sample of the same, evenly spread. The long form holds the short one.

use crate::TaskResult;
use clap::Args;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Options of `cargo xtask test-long`.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// What `cargo test` is to be told besides, such as `-p heapwise-engine`
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Runs the tests; whether all passed.
pub fn run(root: &Path, options: &Options) -> TaskResult {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).arg("test").env("HEAPWISE_LONG", "1").args(&options.args);
    command.status().map(|s| s.success()).map_err(|e| format!("cargo: {e}"))
}
