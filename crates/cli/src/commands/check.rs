//! `heapwise check`: the verdict on a program.

use super::contracts;
use super::explain::advice;
use super::open_code;
use super::open_errors::Library;
use super::run::describe;
use super::{Compiled, compile, klimited, signals};
use crate::exit::Exit;
use crate::input::{self, InputError};
use crate::options::{AnalysisOptions, Check, Domain, Form, Output};
use crate::progress::Stage;
use crate::{config, limits, output, present, witness};
use heapwise_engine::Statistics;
use heapwise_engine::shapes::declare::{DeclarationError, Declarations, ErrorPlace, ShapeFile, declare};
use heapwise_engine::{Hunt, Options, Report, UnknownCalls, Verdict, check};
use heapwise_hunt::Confirmed;
use heapwise_interp::InputValue;
use heapwise_ir::{FunctionBody, Program, Severity, Span};
use heapwise_property::{Alarm, ErrorKind, Kind, Properties, Property, Spec};
use heapwise_report::Finding;
use heapwise_report::path::Replay;
use std::time::{Duration, Instant};

/// What a check of a program from one function came to.
pub struct Outcome {
    /// The verdict in words.
    pub name: &'static str,
    /// How the process is to end.
    pub exit: Exit,
    /// What there is to say.
    pub findings: Vec<Finding>,
    /// Inputs of the run that shows the error.
    pub inputs: Vec<String>,
    /// The part of a property of the competition that is violated.
    pub subproperty: Option<&'static str>,
    /// What the analysis knows.
    pub report: Report,
    /// What the verdict rests on.
    pub verdict: Option<Verdict>,
}

/// Analyses the program and prints the verdict on standard output, the findings on standard error.
pub fn run(options: &Check) -> Exit {
    if let (Some(database), true, None) =
        (&options.source.compile_commands, options.files.is_empty(), &options.analysis.function)
        && options.analysis.entry == "main"
    {
        return crate::project::run(options, database);
    }
    let source = &options.source;
    let wrong = if options.files.is_empty() && source.compile_commands.is_none() {
        Some(
            "no files are named: name C files, or a compilation database with `-p` or in `heapwise.toml` (see `heapwise check --help`)",
        )
    } else if source.main.is_some() || !source.link.is_empty() {
        Some(
            "`--main` and `--link` choose programs of a compilation database: name it with `-p`, and no files",
        )
    } else {
        None
    };
    if let Some(message) = wrong {
        super::report_input_error(&InputError::new("heapwise check", "no-files", message), &options.output);
        return Exit::BadInput;
    }
    let baseline = match options.baseline.as_deref().map(config::read_baseline).transpose() {
        Ok(baseline) => baseline,
        Err(error) => {
            super::report_input_error(&error, &options.output);
            return Exit::BadInput;
        }
    };
    let Compiled { mut program, mut findings, units, model, .. } =
        match compile(&options.files, &options.source, &options.output) {
            Ok(compiled) => compiled,
            Err(exit) => return exit,
        };
    // The rules of the competition speak of objects alone.
    program.member_bounds &= options.analysis.spec.is_none();
    findings.extend(signals::handlers(&program));
    let mut entries = vec![&options.analysis.entry];
    entries.extend(&options.analysis.more_entries);
    let is_open = program.function_named("main").is_none() && contracts::has_functions(&program);
    if options.analysis.function.is_none()
        && options.analysis.entry == "main"
        && options.analysis.spec.is_none()
        && options.domain == Domain::Sep
        && is_open
    {
        let settings = engine_options(&options.analysis);
        let library = Library { units: &units, model, program: &program, settings: &settings };
        let (mut outcome, text) = match open_code::check(&library, options) {
            Ok(answer) => answer,
            Err(exit) => return exit,
        };
        findings.append(&mut outcome.findings);
        outcome.findings = findings;
        let exit = present::present(&program, options, &outcome, baseline.as_ref());
        if options.output.format == Form::Text && options.report.is_none() && !options.output.quiet {
            output::print(&text);
        }
        return exit;
    }
    if options.analysis.function.is_none()
        && let Some(finding) = entries.iter().find_map(|entry| no_entry(&program, entry))
    {
        findings.push(finding);
        output::report_bad_input(&findings, &program.sources, &options.output);
        return Exit::BadInput;
    }
    let mut outcome: Option<Outcome> = None;
    for entry in entries {
        let mut options = options.clone();
        options.analysis.entry = entry.clone();
        let stage = Stage::new(format!("check from `{entry}`"), &options.output);
        let next = match options.domain {
            Domain::Tvl => Ok(three_valued(&program, &options)),
            _ => judge(&program, &options),
        };
        drop(stage);
        let next = match next {
            Ok(next) => next,
            Err(exit) => return exit,
        };
        outcome = Some(match outcome {
            None => next,
            Some(first) => worse(first, next),
        });
    }
    let Some(mut outcome) = outcome else { return Exit::BadInput };
    // What the verdict rests on comes first, what was said of the text on the way last.
    outcome.findings.append(&mut findings);
    present::present(&program, options, &outcome, baseline.as_ref())
}

/// Two outcomes as one: the verdict of the worse one, the findings of both.
fn worse(mut first: Outcome, mut second: Outcome) -> Outcome {
    let rank = |o: &Outcome| match o.exit {
        Exit::Error => 2,
        Exit::Unknown => 1,
        _ => 0,
    };
    if rank(&second) > rank(&first) {
        std::mem::swap(&mut first, &mut second);
    }
    second.findings.retain(|f| !first.findings.contains(f));
    first.findings.append(&mut second.findings);
    first
}

/// The verdict of proofs and runs.
fn judge(program: &Program, options: &Check) -> Result<Outcome, Exit> {
    let declarations = declared(program, &options.analysis, &options.output)?;
    let mut hunt = Hunt { runs: options.analysis.runs, ..Hunt::default() };
    let mut settings = Options { declarations, ..engine_options(&options.analysis) };
    if let Some(megabytes) = options.analysis.max_memory {
        settings.cancel = Some(limits::watch_memory(megabytes));
    }
    settings.count_losses = options.stats;
    settings.record_states = options.witness.is_some() || options.invariants;
    settings.explain = options.explain;
    if options.states.is_some() || options.dot.is_some() || options.invariants {
        (settings.record_states, settings.recheck) = (true, true);
        // The states are wanted whatever the answer is.
        hunt.first = 0;
    }
    let start = Instant::now();
    let (mut verdict, mut report) = match options.domain {
        Domain::Klimited => klimited::check(program, options, &settings, &hunt),
        _ => check(program, &settings, &hunt),
    };
    let mut beside = Vec::new();
    if let Verdict::Error(held) = &verdict
        && held.error.kind == ErrorKind::HeldAtReturn
        && options.analysis.spec.is_none()
        && options.domain == Domain::Sep
    {
        // The least of all errors: what else there is comes first.
        let mut others = settings.clone();
        others.properties.set(Property::Held, false);
        others.timeout = settings.timeout.map(|t| t.saturating_sub(start.elapsed()));
        let (other, other_report) = check(program, &others, &hunt);
        match other {
            Verdict::Error(_) => (verdict, report) = (other, other_report),
            Verdict::Unknown(alarms) => beside = alarms,
            Verdict::Proved => {}
        }
    }
    let mut findings: Vec<Finding> = report
        .assumptions
        .iter()
        .map(|span| {
            let called = program.sources.snippet(*span);
            let message = match called.contains("__heapwise_assume_shape") {
                true => "this shape is assumed, not proved".to_owned(),
                false => "this call rests on a contract that is not proved here".to_owned(),
            };
            Finding::new(Severity::Note, "assumption", message, *span)
        })
        .collect();
    if options.explain {
        findings.extend(report.entries.iter().filter_map(|entry| {
            let span = program.body(entry.function)?.blocks.get(entry.head)?.terminator.span;
            Some(Finding::new(Severity::Note, "told-apart", entry.text(), span))
        }));
    }
    let (name, exit) = match &verdict {
        Verdict::Proved if !report.assumptions.is_empty() => ("proved under assumptions", Exit::Proved),
        Verdict::Proved => ("proved", Exit::Proved),
        Verdict::Error(_) => ("error", Exit::Error),
        Verdict::Unknown(_) => ("unknown", Exit::Unknown),
    };
    let mut inputs = Vec::new();
    let mut subproperty = None;
    match &verdict {
        Verdict::Proved => findings.extend(never_ends(program, options, &report)),
        Verdict::Error(confirmed) => {
            findings.extend(causes(&beside));
            inputs = drawn(confirmed);
            subproperty = options.analysis.spec.and_then(|s| s.subproperty(confirmed.error.kind));
            let mut found = explain(confirmed, &inputs);
            let replay = Replay { program, confirmed };
            found.path = replay.notes();
            if present::is_silenced(&found, program, None) {
                // One error ends the search, but silencing it must not silence others.
                let others = heapwise_engine::analyse(program, &settings).alarms;
                findings.extend(others.iter().filter(|a| a.span != found.span).map(finding));
            }
            findings.push(found);
        }
        Verdict::Unknown(alarms) => {
            findings.extend(causes(alarms));
            findings.extend(report.refusals.iter().map(|(span, why)| {
                let what = "two descriptions at this loop have none in common";
                Finding::new(Severity::Note, "not-joined", what, *span).note(why.clone(), None)
            }));
        }
    }
    Ok(Outcome { name, exit, findings, inputs, subproperty, report, verdict: Some(verdict) })
}

/// Says so where a proof is about runs that never come to the end.
fn never_ends(program: &Program, options: &Check, report: &Report) -> Option<Finding> {
    let name = options.analysis.function.as_ref().unwrap_or(&options.analysis.entry);
    let figures = &report.statistics;
    // Where runs gave the answer there are no figures, and each of them came to its end.
    let by_runs = figures.steps == 0 && figures.head_disjuncts == 0;
    let comes = by_runs || figures.exit_disjuncts > 0;
    if comes || options.domain != Domain::Sep {
        return None;
    }
    let span = program.function_named(name).and_then(|f| program.functions.get(f)).map(|f| f.span);
    let message = format!("no run comes to the end of `{name}`: each ends before it, or goes on forever");
    let mut note = Finding::new(Severity::Note, "end-not-reached", message, span.unwrap_or_default());
    note.hint = advice("end-not-reached").map(str::to_owned);
    Some(note)
}

/// Alarms as findings, the first cause first: in the order in which the analysis met them, but what is held at the end last.
/// Once knowledge was lost, what is only possible may follow from it.
fn causes(alarms: &[Alarm]) -> Vec<Finding> {
    let is_last = |a: &&Alarm| a.kind == ErrorKind::HeldAtReturn;
    let ordered = alarms.iter().filter(|a| !is_last(a)).chain(alarms.iter().filter(is_last));
    let mut lost = false;
    let mut findings = Vec::new();
    for alarm in ordered {
        let mut finding = finding(alarm);
        finding.follows = lost && !alarm.definite && alarm.kind.may_follow();
        lost |= alarm.kind.loses_knowledge();
        findings.push(finding);
    }
    findings
}

/// The figures of an analysis for people. They are zero if concrete runs gave the answer.
pub fn statistics_text(s: &Statistics) -> String {
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
        let declarations = declared(&program, &options.analysis, &options.output)?;
        // Counting what joins lose takes time of its own.
        let count_losses = options.stats;
        let settings = Options { declarations, count_losses, ..engine_options(&options.analysis) };
        Ok(Prepared { program, settings })
    }
}

/// What is declared in shape files and comments; mistakes are reported.
pub fn declared(
    program: &Program,
    analysis: &AnalysisOptions,
    output: &Output,
) -> Result<Declarations, Exit> {
    let mut files = Vec::new();
    let shapes = analysis.shapes.iter().map(|path| (path, false));
    for (path, at_calls) in shapes.chain(analysis.contracts.iter().map(|path| (path, true))) {
        match input::read_text(path) {
            Ok(text) => files.push(ShapeFile { name: path.display().to_string(), text, at_calls }),
            Err(error) => {
                super::report_input_error(&error, output);
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
                    super::report_input_error(&error, output);
                }
                ErrorPlace::Program(span) => {
                    findings.push(Finding::new(Severity::Error, "shape-syntax", e.message, span));
                }
            }
        }
        output::report_if_any(&findings, &program.sources, output);
        Exit::BadInput
    })?;
    let left_out = |e: &DeclarationError| {
        let place = match &e.place {
            ErrorPlace::File(name, line, column) => format!("{name}:{line}:{column}"),
            ErrorPlace::Program(span) => program.sources.describe(*span),
        };
        let message = format!("what {place} says is not used: {}", e.message);
        Finding::new(Severity::Warning, "contract-left-out", message, Span::default())
    };
    let findings: Vec<Finding> = declarations.left_out.iter().map(left_out).collect();
    output::report_if_any(&findings, &program.sources, output);
    if let Some(name) = &analysis.function {
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
        output::report_bad_input(&[finding], &program.sources, output);
        return Err(Exit::BadInput);
    }
    Ok(declarations)
}

/// The witness of a verdict, if it is one.
pub fn witness_of(program: &Program, options: &Check, verdict: &Verdict, report: &Report) -> Option<String> {
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
pub fn edits(a: &str, b: &str) -> usize {
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
pub fn no_entry(program: &Program, entry: &str) -> Option<Finding> {
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

/// What the engine is asked for.
pub fn engine_options(options: &AnalysisOptions) -> Options {
    let mut properties = match options.property.as_slice() {
        [] => options.spec.map(Spec::properties).unwrap_or_default(),
        names => Properties::asked(names),
    };
    if options.allow_held {
        properties.set(Property::Held, false);
    }
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
        numeric: options.numeric.domain(),
        max_disjuncts: options.max_disjuncts,
        timeout: options.timeout,
        jobs: options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        ..Options::default()
    }
}

/// The values that the program drew, as `heapwise run --inputs` takes them.
pub fn drawn(confirmed: &Confirmed) -> Vec<String> {
    let text = |v: &InputValue| match v {
        InputValue::Int(n) => n.to_string(),
        InputValue::Float(x) => x.to_string(),
    };
    confirmed.run.draws.iter().map(|d| text(&d.value)).collect()
}

/// The finding of an error that a run has shown.
pub fn explain(confirmed: &Confirmed, inputs: &[String]) -> Finding {
    let mut finding = describe(&confirmed.error, &confirmed.run.leaks);
    finding.certainty = Some("certain: a run that does this was executed".into());
    finding.hint = advice(&finding.code).map(str::to_owned);
    if inputs.is_empty() { finding } else { finding.note(format!("on inputs {}", inputs.join(",")), None) }
}

/// The finding of something that could not be excluded.
pub fn finding(alarm: &Alarm) -> Finding {
    let mut finding = Finding::new(Severity::Warning, alarm.kind.name(), alarm.message.clone(), alarm.span);
    for (message, span) in &alarm.notes {
        finding = finding.note(message.clone(), (*span != Span::default()).then_some(*span));
    }
    finding.certainty = Some(match (alarm.kind, alarm.definite) {
        (Kind::Error(_), true) => {
            "likely: it happens whenever control comes here as described, but no run was found that does"
                .into()
        }
        (Kind::Error(_), false) => {
            "only possible: the proof cannot exclude it, and no run was found that does it".into()
        }
        (Kind::Unknown(_), _) => "nothing is known to be wrong: the proof could not go on here".into(),
    });
    finding.hint = advice(&finding.code).map(str::to_owned);
    finding
}

/// The verdict of the three-valued analysis. Alarms are not confirmed by a run, so they leave it open.
fn three_valued(program: &Program, options: &Check) -> Outcome {
    let defaults = heapwise_tvl_c::Options::default();
    let settings = heapwise_tvl_c::Options {
        embedding: options.embedding.into(),
        properties: engine_options(&options.analysis).properties,
        malloc_may_fail: options.analysis.malloc_may_fail,
        timeout: options.analysis.timeout.or(defaults.timeout),
        ..defaults
    };
    let report = heapwise_tvl_c::analyse(program, &settings);
    let mut findings = Vec::new();
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
    Outcome {
        name: if proved { "proved" } else { "unknown" },
        exit: if proved { Exit::Proved } else { Exit::Unknown },
        findings,
        inputs: Vec::new(),
        subproperty: None,
        report: Report::default(),
        verdict: None,
    }
}
