//! The `heapwise` command: everything that touches files, processes and the terminal.
//!
//! `options` says what can be asked, `input` turns files into translation units, each module of `commands`
//! answers one command, `output` is the only place that writes.
//!
//! **Invariant:** all work is done by the library crates and comes back as values; this crate decides what to
//! print and which of the exit codes of `exit` to end with.

mod commands;
mod exit;
mod input;
mod limits;
mod options;
mod output;
mod task;
mod witness;

use exit::Exit;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

/// A quarter of the time of an analysis went into the allocator of the system: states are many small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The front end bounds its recursion, but deeply nested programs still need more stack than a main thread may
/// have (the default of some systems is 1 MB).
const STACK_BYTES: usize = 2 * heapwise_frontend::STACK_SIZE;

fn main() -> ExitCode {
    let cli = match options::Cli::parse_line(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            let usage_error = error.use_stderr();
            let _ = error.print();
            return if usage_error { Exit::BadInput } else { Exit::Proved }.into();
        }
    };
    // A larger stack, but not another thread: there the allocator of glibc gets its memory page by page, which
    // costs a third of the time of the front end.
    let work = || stacker::grow(STACK_BYTES, || commands::dispatch(&cli));
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Internal).into()
}
