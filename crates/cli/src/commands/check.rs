//! `heapwise check`: the verdict on a program.

use super::run::describe;
use super::{Compiled, compile, klimited, states};
use crate::exit::Exit;
use crate::input::{self, InputError};
use crate::limits;
use crate::options::{AnalysisOptions, Check, Domain, Format};
use crate::output;
use crate::task::worker::peak_memory;
use crate::witness;
use heapwise_engine::Statistics;
use heapwise_engine::shapes::declare::{Declarations, ErrorPlace, ShapeFile, declare};
use heapwise_engine::{Hunt, Options, Report, UnknownCalls, Verdict, check};
use heapwise_hunt::Confirmed;
use heapwise_interp::InputValue;
use heapwise_ir::{FunctionBody, Program, Severity, Span};
use heapwise_property::{Alarm, Properties, Spec};
use heapwise_report::{Finding, json};
use std::time::Duration;

/// Analyses the program and prints the verdict on standard output, the findings on standard error.
pub fn run(options: &Check) -> Exit {
    let Compiled { program, mut findings, .. } =
        match compile(&options.files, &options.source, &options.output) {
            Ok(compiled) => compiled,
            Err(exit) => return exit,
        };
    if options.analysis.function.is_none()
        && let Some(finding) = no_entry(&program, &options.analysis.entry)
    {
        findings.push(finding);
        output::report_bad_input(&findings, &program.sources, &options.output);
        return Exit::BadInput;
    }
    if options.domain == Domain::Tvl {
        return three_valued(&program, options, findings);
    }
    let declarations = match declared(&program, options) {
        Ok(declarations) => declarations,
        Err(exit) => return exit,
    };
    let mut hunt = Hunt { runs: options.analysis.runs, ..Hunt::default() };
    let mut settings = Options { declarations, ..engine_options(&options.analysis) };
    if let Some(megabytes) = options.analysis.max_memory {
        settings.cancel = Some(limits::watch_memory(megabytes));
    }
    settings.count_losses = options.stats;
    settings.record_states = options.witness.is_some();
    settings.explain = options.explain;
    if options.states.is_some() || options.dot.is_some() {
        (settings.record_states, settings.recheck) = (true, true);
        // The states are wanted whatever the answer is.
        hunt.first = Duration::ZERO;
    }
    let (verdict, report) = match options.domain {
        Domain::Klimited => klimited::check(&program, options, &settings, &hunt),
        _ => check(&program, &settings, &hunt),
    };
    if let Err(exit) = states::write(&program, &report, options) {
        return exit;
    }
    if let Some(path) = &options.witness
        && let Some(text) = witness_of(&program, options, &verdict, &report)
        && let Err(error) = std::fs::write(path, text)
    {
        output::error(&format!("{}: {error}", path.display()));
        return Exit::BadInput;
    }
    findings.extend(
        report.assumptions.iter().map(|span| {
            Finding::new(Severity::Note, "assumption", "this shape is assumed, not proved", *span)
        }),
    );
    let (name, exit) = match &verdict {
        Verdict::Proved if !report.assumptions.is_empty() => ("proved under assumptions", Exit::Proved),
        Verdict::Proved => ("proved", Exit::Proved),
        Verdict::Error(_) => ("error", Exit::Error),
        Verdict::Unknown(_) => ("unknown", Exit::Unknown),
    };
    let mut inputs = Vec::new();
    let mut subproperty = None;
    match &verdict {
        Verdict::Proved => {}
        Verdict::Error(confirmed) => {
            inputs = drawn(confirmed);
            subproperty = options.analysis.spec.and_then(|s| s.subproperty(confirmed.error.kind));
            findings.push(explain(confirmed, &inputs));
        }
        Verdict::Unknown(alarms) => {
            findings.extend(alarms.iter().map(finding));
            findings.extend(report.refusals.iter().map(|(span, why)| {
                let what = "two descriptions at this loop have none in common";
                Finding::new(Severity::Note, "not-joined", what, *span).note(why.clone(), None)
            }));
        }
    }
    match options.output.format {
        Format::Text => {
            output::report_if_any(&findings, &program.sources, &options.output);
            output::print(&format!("{name}\n"));
            if options.stats {
                output::print(&statistics_text(&report.statistics));
            }
        }
        Format::Json => {
            let object = serde_json::json!({
                "verdict": name,
                "statistics": statistics_json(&report.statistics, options.stats),
                "subproperty": subproperty,
                "peak_memory": peak_memory(std::process::id()),
                "findings": json::findings(&findings, &program.sources),
                "inputs": inputs,
                "assumptions": report.assumptions.len(),
            });
            output::print(&format!("{object}\n"));
        }
    }
    exit
}

/// The figures of an analysis for people. They are zero if concrete runs gave the answer.
fn statistics_text(s: &Statistics) -> String {
    let share = |part: Duration| 100.0 * part.as_secs_f64() / s.time.as_secs_f64().max(1e-9);
    let (clump, join) = (share(s.clump_time), share(s.join_time));
    format!(
        "disjuncts: {} at a loop head, {} at a point, {} at the exit\n\
         joins: {}, refused {}, imprecise {}\n\
         time: {:.1} ms, clumping {clump:.1} %, join {join:.1} %, other {:.1} %\n\
         steps: {}, loop iterations {}, function entries {}\n\
         work: {} units in all attempts (statements {}, foldings {}, comparisons {}, joins {}, silhouettes {})\n",
        s.head_disjuncts,
        s.max_disjuncts,
        s.exit_disjuncts,
        s.joins,
        s.refused_joins,
        s.lossy_joins,
        s.time.as_secs_f64() * 1e3,
        (100.0 - clump - join).max(0.0),
        s.steps,
        s.iterations,
        s.entries,
        s.work.units(),
        s.work.statements,
        s.work.foldings,
        s.work.inclusions,
        s.work.joins,
        s.work.silhouettes,
    )
}

/// The figures of an analysis for programs; imprecise joins only if they were counted.
pub fn statistics_json(s: &Statistics, losses: bool) -> serde_json::Value {
    serde_json::json!({
        "head_disjuncts": s.head_disjuncts, "max_disjuncts": s.max_disjuncts, "exit_disjuncts": s.exit_disjuncts,
        "joins": s.joins, "refused_joins": s.refused_joins, "imprecise_joins": losses.then_some(s.lossy_joins),
        "seconds": s.time.as_secs_f64(), "clumping_seconds": s.clump_time.as_secs_f64(),
        "join_seconds": s.join_time.as_secs_f64(), "steps": s.steps, "iterations": s.iterations,
        "entries": s.entries, "work": s.work.units(),
    })
}

/// A program and how it is to be checked.
#[derive(Debug)]
pub struct Prepared {
    /// The program.
    pub program: Program,
    /// What the options ask of it.
    pub settings: Options,
}

impl Prepared {
    /// Reads and translates what the options name.
    pub fn new(options: &Check) -> Result<Prepared, Exit> {
        let Compiled { program, .. } = compile(&options.files, &options.source, &options.output)?;
        let declarations = declared(&program, options)?;
        // Counting what joins lose takes time of its own.
        let count_losses = options.stats;
        let settings = Options { declarations, count_losses, ..engine_options(&options.analysis) };
        Ok(Prepared { program, settings })
    }
}

/// What is declared in shape files and comments; mistakes are reported.
fn declared(program: &Program, options: &Check) -> Result<Declarations, Exit> {
    let mut files = Vec::new();
    for path in &options.analysis.shapes {
        match input::read_text(path) {
            Ok(text) => files.push(ShapeFile { name: path.display().to_string(), text }),
            Err(error) => {
                super::report_input_error(&error, &options.output);
                return Err(Exit::BadInput);
            }
        }
    }
    let declarations = declare(program, &files).map_err(|errors| {
        let mut findings = Vec::new();
        for e in errors {
            match e.place {
                ErrorPlace::File(name, line, column) => {
                    let place = format!("{name}:{line}:{column}");
                    let error = InputError { place, code: "shape-syntax", message: e.message };
                    super::report_input_error(&error, &options.output);
                }
                ErrorPlace::Program(span) => {
                    findings.push(Finding::new(Severity::Error, "shape-syntax", e.message, span));
                }
            }
        }
        output::report_if_any(&findings, &program.sources, &options.output);
        Exit::BadInput
    })?;
    if let Some(name) = &options.analysis.function {
        let (code, message) = match program.function_named(name) {
            None => ("no-function", format!("there is no function `{name}`{}", near_names(program, name))),
            Some(f) if !declarations.contracts.contains_key(&f) => (
                "no-contract",
                format!(
                    "function `{name}` has no contract; write `/*@ requires …; ensures …; */` before its definition, \
                     or check a whole program with `--entry {name}`"
                ),
            ),
            Some(_) => return Ok(declarations),
        };
        let span = program.function_named(name).and_then(|f| program.functions.get(f)).map(|f| f.span);
        let finding = Finding::new(Severity::Error, code, message, span.unwrap_or_default());
        output::report_bad_input(&[finding], &program.sources, &options.output);
        return Err(Exit::BadInput);
    }
    Ok(declarations)
}

/// The witness of a verdict, if it is one.
fn witness_of(program: &Program, options: &Check, verdict: &Verdict, report: &Report) -> Option<String> {
    let spec = options.analysis.spec;
    match verdict {
        // What rests on assumptions is no proof for others.
        Verdict::Proved if !report.assumptions.is_empty() => None,
        Verdict::Proved => Some(witness::correctness(program, &options.files, spec, report)),
        Verdict::Error(confirmed) => Some(witness::violation(program, &options.files, spec, confirmed)),
        Verdict::Unknown(_) => None,
    }
}

/// Functions with code whose names are close to one that does not exist, as the rest of a sentence.
fn near_names(program: &Program, name: &str) -> String {
    let defined = program.functions.iter().filter(|f| !matches!(f.body, FunctionBody::Declared));
    let mut near: Vec<(usize, &str)> = defined
        .map(|f| (edits(name, &f.name), &*f.name))
        .filter(|(n, known)| *n <= name.len().max(known.len()) / 3 || known.contains(name))
        .collect();
    near.sort_unstable();
    near.dedup();
    let names: Vec<String> = near.iter().take(3).map(|(_, n)| format!("`{n}`")).collect();
    if names.is_empty() { String::new() } else { format!("; there is {}", names.join(", ")) }
}

/// How many bytes must be inserted, removed or replaced to make one text of the other.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let best = (diagonal + usize::from(x != y)).min(left + 1).min(*cell + 1);
            diagonal = *cell;
            *cell = best;
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// What is wrong with the function to start from, if there is nothing to start from.
fn no_entry(program: &Program, entry: &str) -> Option<Finding> {
    let found = program.function_named(entry).and_then(|f| program.functions.get(f));
    let (message, span) = match found {
        None if entry == "main" => {
            ("there is no function `main` (--entry names another one to start from)".into(), Span::default())
        }
        None => {
            let near = near_names(program, entry);
            (format!("there is no function `{entry}` to start from (--entry){near}"), Span::default())
        }
        Some(f) if matches!(f.body, FunctionBody::Declared) => {
            (format!("`{entry}` is declared but not defined"), f.span)
        }
        Some(_) => return None,
    };
    Some(Finding::new(Severity::Error, "no-entry", message, span))
}

fn engine_options(options: &AnalysisOptions) -> Options {
    let properties = match options.property.as_slice() {
        [] => options.spec.map(Spec::properties).unwrap_or_default(),
        names => Properties::asked(names),
    };
    Options {
        properties,
        entry: options.entry.clone(),
        function: options.function.clone(),
        derive_predicates: options.derive_predicates,
        malloc_may_fail: options.malloc_may_fail,
        unknown_calls: if options.trust_unknown_calls {
            UnknownCalls::Optimistic
        } else {
            UnknownCalls::Pessimistic
        },
        strategy: options.strategy.strategy(),
        max_disjuncts: options.max_disjuncts,
        timeout: options.timeout,
        jobs: options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        ..Options::default()
    }
}

/// The values that the program drew, as `heapwise run --inputs` takes them.
fn drawn(confirmed: &Confirmed) -> Vec<String> {
    let text = |v: &InputValue| match v {
        InputValue::Int(n) => n.to_string(),
        InputValue::Float(x) => x.to_string(),
    };
    confirmed.run.draws.iter().map(|d| text(&d.value)).collect()
}

fn explain(confirmed: &Confirmed, inputs: &[String]) -> Finding {
    let finding = describe(&confirmed.error, &confirmed.run.leaks);
    if inputs.is_empty() { finding } else { finding.note(format!("on inputs {}", inputs.join(",")), None) }
}

fn finding(alarm: &Alarm) -> Finding {
    let mut finding = Finding::new(Severity::Warning, alarm.kind.name(), alarm.message.clone(), alarm.span);
    for (message, span) in &alarm.notes {
        finding = finding.note(message.clone(), (*span != Span::default()).then_some(*span));
    }
    finding
}

/// The verdict of the three-valued analysis. Alarms are not confirmed by a run, so they leave it open.
fn three_valued(program: &Program, options: &Check, mut findings: Vec<Finding>) -> Exit {
    let defaults = heapwise_tvl_c::Options::default();
    let settings = heapwise_tvl_c::Options {
        embedding: options.embedding.into(),
        properties: engine_options(&options.analysis).properties,
        malloc_may_fail: options.analysis.malloc_may_fail,
        timeout: options.analysis.timeout.or(defaults.timeout),
        ..defaults
    };
    let report = heapwise_tvl_c::analyse(program, &settings);
    let mut warn = |code: &str, message: &str, span: Span| {
        findings.push(Finding::new(Severity::Warning, code, message, span));
    };
    report.refusals.iter().for_each(|r| warn("outside-model", &r.reason, r.span));
    report.alarms.iter().for_each(|a| warn(a.kind.name(), &a.message, a.span));
    let mut supported = true;
    let shapes = options.analysis.function.is_some() || !options.analysis.shapes.is_empty();
    let drawn = options.states.is_some() || options.dot.is_some();
    if shapes || drawn {
        supported = false;
        warn("outside-model", "contracts, shapes and drawings need `--domain sep`", Span::default());
    }
    if options.analysis.entry != "main" {
        supported = false;
        warn("outside-model", "only `main` is analysed by three-valued logic", Span::default());
    }
    let proved = supported && report.is_proved();
    let name = if proved { "proved" } else { "unknown" };
    match options.output.format {
        Format::Text => {
            output::report_if_any(&findings, &program.sources, &options.output);
            output::print(&format!("{name}\n"));
        }
        Format::Json => {
            let findings = json::findings(&findings, &program.sources);
            output::print(&format!("{}\n", serde_json::json!({ "verdict": name, "findings": findings })));
        }
    }
    if proved { Exit::Proved } else { Exit::Unknown }
}
