//! One module per command, and what they share: loading a program and reporting on it.

mod aids;
pub mod check;
pub mod contracts;
pub mod draw;
pub mod explain;
mod explore;
mod ir;
pub mod klimited;
mod lsp;
mod open_code;
mod open_errors;
mod run;
pub mod scene;
mod signals;
pub mod states;
pub mod task;
mod tvla;

use crate::exit::Exit;
use crate::input::{self, InputError};
use crate::options::{Cli, Command, Form, Output, Source};
use crate::progress::Stage;
use crate::{clock, config, output};
use heapwise_frontend::SourceUnit;
use heapwise_ir::{DataModel, Program, Severity};
use heapwise_report::Finding;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Does what the command line asks for.
pub fn dispatch(cli: &Cli) -> Exit {
    match &cli.command {
        Command::Check(options) => match config::configured(options, &cli.given) {
            Ok(options) => check::run(&options),
            Err(error) => {
                report_input_error(&error, &options.output);
                Exit::BadInput
            }
        },
        Command::Run(options) => run::run(options),
        Command::Ir(options) => ir::run(options),
        Command::Contracts(options) => contracts::run(options),
        Command::Tvla(options) => tvla::run(options),
        Command::Task(options) => task::run(options),
        Command::Draw(options) => draw::run(options, &cli.given),
        Command::Explore(options) => explore::run(options, &cli.given),
        Command::Lsp => lsp::run(),
        Command::Explain(options) => explain::run(options),
        Command::Completions(options) => aids::completions(options),
        Command::Man(options) => aids::man(options),
    }
}

/// A compiled program with what the front end had to say about it, errors excluded.
struct Compiled {
    program: Program,
    /// The preprocessed text, and the data model.
    units: Vec<SourceUnit>,
    model: DataModel,
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
    let stage = Stage::new("read and preprocess", output);
    let loaded = input::load(files, source);
    drop(stage);
    let loaded = loaded.map_err(|error| {
        report_input_error(&error, output);
        Exit::BadInput
    })?;
    if !output.quiet {
        output::eprint(&loaded.warnings);
    }
    let load_time = start.elapsed();
    let stage = Stage::new("compile", output);
    // The thread of `main` has the stack for it, and its time can be told.
    let ((mut program, diagnostics), compile_time) =
        clock::timed(|| heapwise_frontend::compile_here(&loaded.units, loaded.model));
    drop(stage);
    program.member_bounds = !source.loose_members;
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
    let (units, model) = (loaded.units, loaded.model);
    Ok(Compiled { program, units, model, findings: rest, bytes, load_time, compile_time })
}

/// Reports an error about an input as text.
pub fn report_plain(error: &InputError) -> Exit {
    output::eprint(&format!("{error}\n"));
    Exit::BadInput
}

fn report_input_error(error: &InputError, output: &Output) {
    match output.format {
        Form::Text | Form::Sarif | Form::Junit => output::eprint(&format!("{error}\n")),
        Form::Github => {
            let message = format!("{error}").replace('%', "%25").replace('\n', "%0A");
            output::print(&format!("::error title={}::{message}\n", error.code));
        }
        Form::Json => {
            let finding = serde_json::json!({
                "severity": "error", "code": error.code, "message": error.message,
                "place": { "file": error.place },
            });
            output::eprint(&format!(
                "{}\n",
                serde_json::json!({
                    "version": heapwise_report::json::VERSION,
                    "verdict": output::INPUT_ERROR, "findings": [finding],
                })
            ));
        }
    }
}
