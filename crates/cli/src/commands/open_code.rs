//! `heapwise check` of files without `main`: each function by itself, for every caller.
//!
//! A function with a contract is verified against it. For the others contracts are looked for, and errors that happen whoever
//! calls.

use super::check::{Outcome, declared, engine_options, finding};
use super::contracts::{self, Judged};
use super::open_errors::Library;
use crate::exit::Exit;
use crate::options::Check;
use crate::progress::Stage;
use heapwise_engine::abduction::{Limits, infer_function};
use heapwise_engine::shapes::declare::Declarations;
use heapwise_engine::{Options, Report, analyse};
use heapwise_ir::{FuncId, Program, Severity, Span};
use heapwise_report::Finding;
use std::time::Instant;

/// The verdict on a library, and what was found out about its functions as text.
pub fn check(library: &Library<'_>, options: &Check) -> Result<(Outcome, String), Exit> {
    let declarations = declared(library.program, &options.analysis, &options.output)?;
    let is_declared = |f: FuncId| declarations.contracts.contains_key(&f);
    let end = options.analysis.timeout.and_then(|time| Instant::now().checked_add(time));
    let stage = Stage::new("infer contracts", &options.output);
    let wanted = |f: FuncId| !is_declared(f) && contracts::is_wanted(library.program, &[], f);
    let all = contracts::judge(library, &wanted, end);
    drop(stage);
    let stage = Stage::new("verify contracts", &options.output);
    let settings = engine_options(&options.analysis);
    let (mut findings, mut text) = (Vec::new(), String::new());
    for function in declarations.contracts.keys() {
        let Some(f) = library.program.functions.get(*function) else { continue };
        let found = verified(library.program, &declarations, *function, &settings).1;
        let held = if found.is_empty() { "holds" } else { "is not shown to hold" };
        let place = library.program.sources.describe(f.span);
        text.push_str(&format!("{place}: {}\n  the contract that it has {held}\n", f.name));
        findings.extend(found);
    }
    drop(stage);
    let mut exit = contracts::exit(&all);
    if exit == Exit::Proved && !findings.is_empty() {
        exit = Exit::Unknown;
    }
    let name = match exit {
        Exit::Proved => "proved",
        Exit::Error => "error",
        _ => "unknown",
    };
    if !all.is_empty() {
        text.push_str(&contracts::as_text(library.program, &all));
    }
    findings.extend(all.into_iter().flat_map(said));
    let (inputs, report) = (Vec::new(), Report::default());
    Ok((Outcome { name, exit, findings, inputs, subproperty: None, report, verdict: None }, text))
}

/// Verifies a function against the contract that it has.
pub fn verified(
    program: &Program,
    declarations: &Declarations,
    function: FuncId,
    settings: &Options,
) -> (Report, Vec<Finding>) {
    let name = program.functions.get(function).map(|f| f.name.to_string());
    let settings = Options { function: name, declarations: declarations.clone(), ..settings.clone() };
    let report = analyse(program, &settings);
    let findings = report.alarms.iter().map(finding).collect();
    (report, findings)
}

/// What was found out about a function that has no contract yet.
pub fn judged(library: &Library<'_>, function: FuncId, end: Option<Instant>) -> Option<Judged> {
    let limits = Limits { end, ..Limits::default() };
    let inferred = infer_function(library.program, library.settings, limits, function)?;
    Some(Judged { findings: library.errors(&inferred), inferred })
}

/// What there is to say of a function for which a contract was looked for.
pub fn said(f: Judged) -> Vec<Finding> {
    let open = f.inferred.why_not.filter(|_| f.findings.is_empty());
    let open = open.map(|why| no_contract(&f.inferred.name, &why, f.inferred.span));
    open.into_iter().chain(f.findings).collect()
}

/// What there is to say of a function for which no contract was found.
pub fn no_contract(name: &str, why: &str, span: Span) -> Finding {
    let message = format!("no contract was found for `{name}`: {why}");
    Finding::new(Severity::Warning, "open-function", message, span)
}
