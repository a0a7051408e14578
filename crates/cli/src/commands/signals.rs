//! Signal handlers: proofs and runs are those without signals, which the report must not hide.

use heapwise_ir::{Program, Severity};
use heapwise_report::Finding;

/// A note for each call that installs a handler of the program.
pub fn handlers(program: &Program) -> Vec<Finding> {
    let message = "a signal handler is installed here; that signals arrive is not considered";
    let note = |span| Finding::new(Severity::Note, "signal-handler", message, span);
    heapwise_ir::signals::handlers(program).into_iter().map(note).collect()
}
