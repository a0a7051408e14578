//! Signal handlers: proofs and runs are those without signals, which the report must not hide.

use heapwise_ir::{Callee, Const, Operand, Program, Severity, StatementKind};
use heapwise_report::Finding;

/// A note for each call that installs a handler of the program.
pub fn handlers(program: &Program) -> Vec<Finding> {
    let mut found = Vec::new();
    for function in program.functions.indices() {
        let blocks = program.body(function).into_iter().flat_map(|b| b.blocks.iter());
        for statement in blocks.flat_map(|b| &b.statements) {
            let StatementKind::Call(call) = &statement.kind else { continue };
            let Callee::Direct(callee) = call.callee else { continue };
            let name = program.functions.get(callee).map_or("", |f| &f.name);
            let installs = match (name, call.args.get(1)) {
                // Other values are the default, or that the signal is ignored.
                ("signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" | "sigset", Some(handler)) => {
                    matches!(handler, Operand::Const(Const::Function { .. }))
                }
                ("sigaction", Some(action)) => !matches!(action, Operand::Const(Const::Null(_))),
                _ => false,
            };
            if installs {
                let message = "a signal handler is installed here; that signals arrive is not considered";
                found.push(Finding::new(Severity::Note, "signal-handler", message, statement.span));
            }
        }
    }
    found
}
