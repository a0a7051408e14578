//! The `heapwise` command: see the library of this crate.

use heapwise_cli::exit::Exit;
use heapwise_cli::{commands, guarded, options};
use std::process::ExitCode;

/// A quarter of the time of an analysis went into the allocator of the system: states are many small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match options::Cli::parse_line(std::env::args_os()) {
        Ok(cli) => guarded(|| commands::dispatch(&cli)).into(),
        Err(error) => {
            let usage_error = error.use_stderr();
            let _ = error.print();
            if usage_error { Exit::BadInput } else { Exit::Proved }.into()
        }
    }
}
