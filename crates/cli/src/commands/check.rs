//! `heapwise check`: the verdict on a program.

use super::{Compiled, compile};
use crate::exit::Exit;
use crate::options::{Check, Format};
use crate::output;
use heapwise_ir::{FunctionBody, Program, Severity, Span};
use heapwise_report::{Finding, json};

/// What is known of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Neither could be shown.
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Unknown => "unknown",
        }
    }
    fn exit(self) -> Exit {
        match self {
            Verdict::Unknown => Exit::Unknown,
        }
    }
}

/// Analyses the program and prints the verdict on standard output, the findings on standard error.
pub fn run(options: &Check) -> Exit {
    let Compiled { program, mut findings, .. } =
        match compile(&options.files, &options.source, &options.output) {
            Ok(compiled) => compiled,
            Err(exit) => return exit,
        };
    let (verdict, reasons) = analyse(&program);
    findings.extend(reasons);
    match options.output.format {
        Format::Text => {
            output::report_if_any(&findings, &program.sources, &options.output);
            output::print(&format!("{}\n", verdict.name()));
        }
        Format::Json => {
            let object = serde_json::json!({
                "verdict": verdict.name(),
                "findings": json::findings(&findings, &program.sources),
            });
            output::print(&format!("{object}\n"));
        }
    }
    verdict.exit()
}

/// The verdict, with the reasons for it.
fn analyse(program: &Program) -> (Verdict, Vec<Finding>) {
    let mut reasons = Vec::new();
    for f in program.functions.iter() {
        if let FunctionBody::NotAnalysed { reason, span } = &f.body {
            let message = format!("function `{}` is not analysed: {reason}", f.name);
            reasons.push(Finding::new(Severity::Warning, "not-analysed", message, *span));
        }
    }
    let message = "no abstract domain is connected to this command";
    reasons.push(Finding::new(Severity::Note, "no-analysis", message, Span::default()));
    (Verdict::Unknown, reasons)
}
