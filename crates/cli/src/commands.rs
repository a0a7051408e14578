//! One module per command, and what they share: loading a program and reporting on it.

pub mod check;
mod ir;
mod klimited;
mod run;
mod states;
pub mod task;
mod tvla;

use crate::clock;
use crate::exit::Exit;
use crate::input::{self, InputError};
use crate::options::{Cli, Command, Format, Output, Source};
use crate::output;
use heapwise_ir::{Program, Severity};
use heapwise_report::Finding;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Does what the command line asks for.
pub fn dispatch(cli: &Cli) -> Exit {
    match &cli.command {
        Command::Check(options) => check::run(options),
        Command::Run(options) => run::run(options),
        Command::Ir(options) => ir::run(options),
        Command::Tvla(options) => tvla::run(options),
        Command::Task(options) => task::run(options),
    }
}

/// A compiled program with what the front end had to say about it, errors excluded.
struct Compiled {
    program: Program,
    /// Notes and warnings: functions that are not analysed, constructs that are approximated.
    findings: Vec<Finding>,
    /// Bytes of preprocessed text.
    bytes: usize,
    /// Time to read and preprocess the files.
    load_time: Duration,
    /// Time from preprocessed text to IR, on the processor if the system tells, else on the clock.
    compile_time: Duration,
}

/// Loads, preprocesses and compiles; on failure everything is reported already.
fn compile(files: &[PathBuf], source: &Source, output: &Output) -> Result<Compiled, Exit> {
    let start = Instant::now();
    let loaded = input::load(files, source).map_err(|error| {
        report_input_error(&error, output);
        Exit::BadInput
    })?;
    output::eprint(&loaded.warnings);
    let load_time = start.elapsed();
    // The thread of `main` has the stack for it, and its time can be told.
    let ((mut program, diagnostics), compile_time) =
        clock::timed(|| heapwise_frontend::compile_here(&loaded.units, loaded.model));
    input::add_originals(&mut program.sources, loaded.originals);
    let bytes = loaded.units.iter().map(|u| u.text.len()).sum();
    let findings: Vec<Finding> = diagnostics.iter().map(Finding::from).collect();
    let (errors, rest): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|f| f.severity == Severity::Error);
    if !errors.is_empty() {
        output::report_bad_input(&errors, &program.sources, output);
        return Err(Exit::BadInput);
    }
    if cfg!(debug_assertions) {
        let violations = heapwise_ir::verify::program(&program);
        if let Some(first) = violations.first() {
            output::error(&format!("ill-formed IR, a defect of heapwise: {}", first.describe(&program)));
            return Err(Exit::Internal);
        }
    }
    Ok(Compiled { program, findings: rest, bytes, load_time, compile_time })
}

/// Reports an error about an input as text.
pub fn report_plain(error: &InputError) -> Exit {
    output::eprint(&format!("{error}\n"));
    Exit::BadInput
}

fn report_input_error(error: &InputError, output: &Output) {
    match output.format {
        Format::Text => output::eprint(&format!("{error}\n")),
        Format::Json => {
            let finding = serde_json::json!({
                "severity": "error", "code": error.code, "message": error.message,
                "place": { "file": error.place },
            });
            output::eprint(&format!(
                "{}\n",
                serde_json::json!({ "verdict": output::INPUT_ERROR, "findings": [finding] })
            ));
        }
    }
}
