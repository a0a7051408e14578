//! `heapwise run`: execution in the concrete interpreter.
//!
//! The program's output is passed on when the run is over, then the report if there is one. Standard input is read
//! before the run, and only if the program may call a function that reads it.

use super::{Compiled, compile, report_plain};
use crate::exit::Exit;
use crate::input::InputError;
use crate::options::{Leaks, Run};
use crate::output;
use crate::witness::{self, Replay};
use heapwise_interp::{
    BudgetKind, ErrorKind, Inputs, LeakPolicy, ListInputs, ObjectHistory, Options, Outcome, Policy,
    RandomInputs, RunError, Surroundings,
};
use heapwise_ir::{CallGraph, FunctionBody, Program, Severity, Span};
use heapwise_report::{Finding, Frame};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Library functions that read standard input.
const READERS: &[&str] = &[
    "getchar",
    "getc",
    "fgetc",
    "gets",
    "fgets",
    "scanf",
    "fscanf",
    "vscanf",
    "fread",
    "read",
    "getline",
    "getdelim",
    "ungetc",
    "_IO_getc",
    "__isoc99_scanf",
    "__isoc99_fscanf",
];

/// Most leaks that are reported one by one.
const MAX_LEAKS: usize = 10;

/// Runs the program.
pub fn run(options: &Run) -> Exit {
    let (files, mut args) = split_operands(&options.operands);
    args.extend(options.args.iter().cloned());
    let Compiled { program, findings, .. } = match compile(&files, &options.source, &options.output) {
        Ok(compiled) => compiled,
        Err(exit) => return exit,
    };
    let name = files.first().map_or_else(|| "program".into(), |f| f.with_extension("").into_os_string());
    let mut settings = Options {
        args: std::iter::once(name).chain(args).map(OsString::into_encoded_bytes).collect(),
        leaks: match options.leaks {
            Leaks::Ignore => LeakPolicy::Ignore,
            Leaks::Reachable => LeakPolicy::Reachable,
            Leaks::None => LeakPolicy::None,
        },
        ..Options::default()
    };
    let replay = match options.witness.as_deref().map(|path| read_witness(path, &files, &mut settings)) {
        None => None,
        Some(Ok(replay)) => Some(replay),
        Some(Err(error)) => return report_plain(&error),
    };
    if let Some(steps) = options.max_steps {
        settings.limits.steps = steps;
    }
    if options.wrap {
        settings.overflow = Policy::Ignore;
        settings.shift = Policy::Ignore;
    }
    // The inputs that a check shows are all that a run finds around it; arguments that are given are meant.
    if !options.inputs.is_empty() && settings.args.len() == 1 {
        settings.surroundings = Surroundings::Drawn;
    }
    if reads_input(&program) && settings.surroundings == Surroundings::Given {
        // A read error is the end of the input, as it is for a native program.
        let _ = std::io::stdin().lock().read_to_end(&mut settings.stdin);
    }
    let mut inputs: Box<dyn Inputs> = if let Some(replay) = replay {
        Box::new(ListInputs::values(replay.inputs))
    } else if options.inputs.is_empty() {
        Box::new(RandomInputs::new(options.seed))
    } else {
        Box::new(ListInputs::ints(options.inputs.iter().copied()))
    };
    let result = heapwise_interp::run(&program, &settings, &mut *inputs, None);
    output::print_bytes(&result.stdout);
    output::eprint_bytes(&result.stderr);
    let (exit, finding) = judge(&program, &result.outcome, &result.leaks);
    // What the front end left out matters once the run could not go on.
    let mut reported = if exit == Exit::RunStopped { findings } else { Vec::new() };
    reported.extend(finding);
    output::report_if_any(&reported, &program.sources, &options.output);
    exit
}

/// Reads a violation witness and sets what counts as an error under its property.
fn read_witness(path: &Path, files: &[PathBuf], settings: &mut Options) -> Result<Replay, InputError> {
    let replay = witness::read(path)?;
    witness::check_files(path, &replay, files)?;
    let properties = replay.spec.map(heapwise_property::Spec::properties).unwrap_or_default();
    *settings = heapwise_hunt::run_options(properties);
    settings.uninitialised_fill = replay.fill;
    settings.allocations_may_fail = replay.allocations_may_fail;
    settings.lost_block_interval = settings.lost_when_stopped.then_some(1);
    Ok(replay)
}

/// Splits the operands into C files and the program's arguments: the first operand is a file, and so are those
/// that follow it and look like C files.
fn split_operands(operands: &[OsString]) -> (Vec<PathBuf>, Vec<OsString>) {
    let looks_like_c = |word: &OsString| Path::new(word).extension().is_some_and(|e| e == "c" || e == "i");
    let files = 1 + operands.iter().skip(1).take_while(|w| looks_like_c(w)).count();
    let (files, args) = operands.split_at(files.min(operands.len()));
    (files.iter().map(PathBuf::from).collect(), args.to_vec())
}

/// Whether a function that reads standard input may be called.
fn reads_input(program: &Program) -> bool {
    let Some(main) = program.function_named("main") else { return false };
    CallGraph::new(program).reachable_from(main).iter().any(|f| {
        program
            .functions
            .get(f)
            .is_some_and(|f| matches!(f.body, FunctionBody::Declared) && READERS.contains(&&*f.name))
    })
}

/// The exit code for an outcome, and what to say about it.
fn judge(program: &Program, outcome: &Outcome, leaks: &[ObjectHistory]) -> (Exit, Option<Finding>) {
    let stopped = |code: &str, message: &str| {
        (Exit::RunStopped, Some(Finding::new(Severity::Warning, code, message, Span::default())))
    };
    match outcome {
        // A parent process sees the low eight bits.
        Outcome::Exit(status) => (Exit::Program(*status as u8), None),
        Outcome::Abort => (Exit::Program(128 + 6), None),
        Outcome::Error(error) => {
            let unsupported = error.kind == ErrorKind::Unsupported;
            let exit = if unsupported { Exit::RunStopped } else { Exit::RunError };
            (exit, Some(describe(error, leaks)))
        }
        Outcome::Budget(BudgetKind::Steps) => {
            stopped("budget-steps", "stopped: the limit of steps is reached (--max-steps)")
        }
        Outcome::Budget(BudgetKind::Memory) => {
            stopped("budget-memory", "stopped: the limit of memory is reached")
        }
        Outcome::Budget(BudgetKind::Depth) => stopped("budget-depth", "stopped: too many nested calls"),
        Outcome::Budget(BudgetKind::Output) => {
            stopped("budget-output", "stopped: the limit of output is reached")
        }
        Outcome::Budget(BudgetKind::Inputs) => {
            stopped("budget-inputs", "stopped: the given inputs are used up (--inputs)")
        }
        Outcome::Budget(BudgetKind::Time) => stopped("budget-time", "stopped: the time limit is reached"),
        Outcome::AssumeFailed => {
            stopped("assume-failed", "stopped: an assumption of the program does not hold")
        }
        Outcome::Observer => stopped("observer-stopped", "stopped by its observer"),
        Outcome::NoMain => {
            let (message, span) = match program.function_named("main").and_then(|f| program.functions.get(f))
            {
                Some(main) => match &main.body {
                    FunctionBody::NotAnalysed { reason, span } => {
                        (format!("`main` is not analysed: {reason}"), *span)
                    }
                    _ => ("`main` is declared but not defined".into(), main.span),
                },
                None => ("there is no function `main`".into(), Span::default()),
            };
            (Exit::BadInput, Some(Finding::new(Severity::Error, "no-main", message, span)))
        }
    }
}

/// An error of the program, with the history of the object and the call stack.
pub(crate) fn describe(error: &RunError, leaks: &[ObjectHistory]) -> Finding {
    let mut finding = Finding::new(Severity::Error, error.kind.name(), error.message.clone(), error.span);
    if let Some(object) = &error.object {
        finding = finding.note(format!("{}, allocated here", object.description), Some(object.allocated));
        if let Some(freed) = object.freed {
            finding = finding.note("freed here", Some(freed));
        }
    }
    if matches!(error.kind, ErrorKind::Leak | ErrorKind::LostBlock | ErrorKind::HeldAtReturn) {
        let others = leaks.iter().filter(|l| Some(*l) != error.object.as_ref());
        for leak in others.take(MAX_LEAKS) {
            finding = finding
                .note(format!("also left: {}, allocated here", leak.description), Some(leak.allocated));
        }
    }
    finding.stack =
        error.stack.iter().map(|f| Frame { function: f.name.to_string(), span: f.span }).collect();
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_files_first() {
        let split = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let (files, args) = split_operands(&words);
            (files.len(), args.len())
        };
        assert_eq!(split("a.c"), (1, 0));
        assert_eq!(split("a.c b.i x c.c"), (2, 2));
        assert_eq!(split("prog x"), (1, 1));
    }
}
