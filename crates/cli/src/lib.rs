//! The command line as a library: everything that touches files, processes and the terminal.
//!
//! `options` says what can be asked, `input` turns files into translation units, each module of `commands`
//! answers one command, `output` is the only place that writes. The program `heapwise` and the measurements for
//! developers are thin layers over it.
//!
//! **Invariant:** all work is done by the library crates and comes back as values; this crate decides what to
//! print and which of the exit codes of `exit` to end with.

pub mod clock;
pub mod commands;
pub mod config;
pub mod exit;
pub mod input;
mod limits;
pub mod options;
pub mod output;
mod present;
mod progress;
mod project;
pub mod store;
pub mod task;
mod witness;

use exit::Exit;
use std::panic::AssertUnwindSafe;

/// The front end bounds its recursion, but deeply nested programs still need more stack than a main thread may
/// have (the default of some systems is 1 MB).
const STACK_BYTES: usize = 2 * heapwise_frontend::STACK_SIZE;

/// Does the work of a program on a stack that is large enough; a panic ends it as a defect of the tool.
pub fn guarded(work: impl FnOnce() -> Exit) -> Exit {
    // A larger stack, but not another thread: there the allocator of glibc gets its memory page by page, which
    // costs a third of the time of the front end.
    let work = || stacker::grow(STACK_BYTES, work);
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Internal)
}
