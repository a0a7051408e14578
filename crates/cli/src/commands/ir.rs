//! `heapwise ir`: the listing of a program.

use super::compile;
use crate::exit::Exit;
use crate::options::Ir;
use crate::output;
use heapwise_ir::{print, verify};

/// Prints the whole program or the functions that were named.
pub fn run(options: &Ir) -> Exit {
    let compiled = match compile(&options.files, &options.source, &options.output) {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let program = &compiled.program;
    output::report_if_any(&compiled.findings, &program.sources, &options.output);
    if options.function.is_empty() {
        output::print(&print::program(program));
    }
    for name in &options.function {
        let Some(id) = program.function_named(name) else {
            output::error(&format!("there is no function `{name}`"));
            return Exit::BadInput;
        };
        output::print(&print::function(program, id));
    }
    if options.verify {
        let violations = verify::program(program);
        for violation in &violations {
            output::error(&format!("ill-formed IR: {}", violation.describe(program)));
        }
        if !violations.is_empty() {
            return Exit::Internal;
        }
    }
    Exit::Proved
}
