//! Calls that install signal handlers.
//!
//! No analysis follows handlers that run at any time. What rests on their absence asks here: the report notes where one is
//! installed, and an unknown function may run one.
//!
//! One pass over all statements.

use crate::{Callee, Const, Operand, Program, Rvalue, Span, Statement, StatementKind};

/// The calls that install a function of the program as a handler; a value that is not known may be one.
pub fn handlers(program: &Program) -> Vec<Span> {
    let bodies = program.functions.indices().filter_map(|f| program.body(f));
    let blocks = bodies.flat_map(|b| b.blocks.iter());
    let installed = blocks.flat_map(|b| {
        let statements = b.statements.iter().enumerate();
        statements.filter(|(i, s)| installs(program, b.statements.get(..*i).unwrap_or_default(), s))
    });
    installed.map(|(_, s)| s.span).collect()
}

/// Whether a statement, after others of its block, installs a handler.
fn installs(program: &Program, before: &[Statement], statement: &Statement) -> bool {
    let StatementKind::Call(call) = &statement.kind else { return false };
    let Callee::Direct(callee) = call.callee else { return false };
    let name = program.functions.get(callee).map_or("", |f| &f.name);
    match (name, call.args.get(1)) {
        ("signal" | "ssignal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" | "sigset", Some(handler)) => {
            !is_number(before, handler)
        }
        ("sigaction", Some(action)) => !matches!(action, Operand::Const(Const::Null(_))),
        _ => false,
    }
}

/// Whether an operand is a number, as the default (0) and the word that a signal is ignored (1) are.
fn is_number(before: &[Statement], operand: &Operand) -> bool {
    match operand {
        Operand::Const(c) => matches!(c, Const::Null(_) | Const::Int { .. }),
        Operand::Local(local) => before.iter().rev().any(|s| match &s.kind {
            StatementKind::Assign { dest, value } if dest.as_local() == Some(*local) => {
                matches!(value, Rvalue::Cast { arg: Operand::Const(Const::Int { .. }), .. })
            }
            _ => false,
        }),
    }
}
