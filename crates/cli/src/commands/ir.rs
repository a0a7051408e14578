//! `heapwise ir`: the listing of a program, or a summary of how much of it was understood.

use super::{Compiled, compile};
use crate::exit::Exit;
use crate::options::{Form, Ir};
use crate::output;
use heapwise_ir::{FunctionBody, Program, print, verify};
use serde_json::json;
use std::collections::BTreeMap;

/// Prints the whole program, the functions that were named, or the summary.
pub fn run(options: &Ir) -> Exit {
    if !matches!(options.output.format, Form::Text | Form::Json) {
        output::error(
            "`ir` prints text or, with `--summary`, JSON; the other forms are for `check` and `run`",
        );
        return Exit::BadInput;
    }
    let compiled = match compile(&options.files, &options.source, &options.output) {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let program = &compiled.program;
    let violations = if options.verify { violations(program) } else { Vec::new() };
    if options.summary {
        output::print(&summary(&compiled, &violations, options.output.format));
    } else {
        output::report_if_any(&compiled.findings, &program.sources, &options.output);
        if let Err(exit) = listing(program, &options.function) {
            return exit;
        }
    }
    for violation in &violations {
        output::error(&format!("ill-formed IR: {violation}"));
    }
    if violations.is_empty() { Exit::Proved } else { Exit::Internal }
}

fn violations(program: &Program) -> Vec<String> {
    verify::program(program).iter().map(|v| v.describe(program)).collect()
}

fn listing(program: &Program, functions: &[String]) -> Result<(), Exit> {
    if functions.is_empty() {
        output::print(&print::program(program));
    }
    for name in functions {
        let Some(id) = program.function_named(name) else {
            output::error(&format!("there is no function `{name}`"));
            return Err(Exit::BadInput);
        };
        output::print(&print::function(program, id));
    }
    Ok(())
}

fn summary(compiled: &Compiled, violations: &[String], format: Form) -> String {
    let program = &compiled.program;
    let mut lowered = 0;
    let mut statements = 0;
    let mut refused = Vec::new();
    // Defined and lowered functions of each file.
    let mut by_file: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for function in program.functions.iter() {
        if matches!(function.body, FunctionBody::Declared) {
            continue;
        }
        let file =
            program.sources.location(function.span.lo).map_or_else(String::new, |l| l.file.to_string());
        let counts = by_file.entry(file.clone()).or_default();
        counts.0 += 1;
        match &function.body {
            FunctionBody::Declared => {}
            FunctionBody::Defined(body) => {
                lowered += 1;
                counts.1 += 1;
                statements += body.blocks.iter().map(|b| b.statements.len() + 1).sum::<usize>();
            }
            FunctionBody::NotAnalysed { reason, span } => {
                refused.push((&*function.name, file, &**reason, program.sources.describe(*span)));
            }
        }
    }
    let functions = lowered + refused.len();
    let (load, compile) = (compiled.load_time.as_secs_f64(), compiled.compile_time.as_secs_f64());
    match format {
        Form::Json => {
            let object = json!({
                "functions": functions,
                "lowered": lowered,
                "statements": statements,
                "bytes": compiled.bytes,
                "preprocess_seconds": load,
                "compile_seconds": compile,
                "not_analysed": refused.iter().map(|(function, file, reason, place)| json!({
                    "function": function, "file": file, "reason": reason, "place": place,
                })).collect::<Vec<_>>(),
                "by_file": by_file.iter().map(|(file, (functions, lowered))| {
                    (file.clone(), json!({ "functions": functions, "lowered": lowered }))
                }).collect::<serde_json::Map<_, _>>(),
                "violations": violations,
            });
            format!("{object}\n")
        }
        _ => {
            let mut text = format!(
                "{lowered} of {functions} functions, {statements} statements, {:.2} MB of preprocessed text\n\
                 {load:.3} s to read and preprocess, {compile:.3} s to compile ({:.1} MB/s)\n",
                compiled.bytes as f64 / 1e6,
                compiled.bytes as f64 / 1e6 / compile.max(1e-9),
            );
            for (function, _, reason, place) in refused {
                text.push_str(&format!("{place}: `{function}` is not analysed: {reason}\n"));
            }
            text
        }
    }
}
