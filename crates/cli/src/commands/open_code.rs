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
use heapwise_engine::shapes::declare::{Declarations, ShapeFile, declare};
use heapwise_engine::{Options, Report, analyse};
use heapwise_ir::{FuncId, Program, Severity, Span};
use heapwise_report::Finding;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The verdict on a library, and what was found out about its functions as text.
pub fn check(library: &Library<'_>, options: &Check) -> Result<(Outcome, String), Exit> {
    let declarations = declared(library.program, &options.analysis, &options.output)?;
    let is_declared = |f: FuncId| declarations.contracts.contains_key(&f);
    let end = options.analysis.timeout.and_then(|time| Instant::now().checked_add(time));
    let stage = Stage::new("infer contracts", &options.output);
    let wanted = |f: FuncId| !is_declared(f) && contracts::is_wanted(library.program, &[], f);
    let all = contracts::judge(library, &wanted, end, None);
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
    let findings = library.errors(std::slice::from_ref(&inferred)).into_iter().flatten().collect();
    Some(Judged { findings, inferred })
}

/// What is known of the functions of a library.
#[derive(Default)]
pub struct Studied {
    /// Analyses with states, each of a function by itself.
    pub reports: Vec<Report>,
    /// Contracts that were found.
    pub found: BTreeMap<FuncId, String>,
    /// What there is to say.
    pub findings: Vec<Finding>,
}

/// Looks at each function of a library from the memories that its contract allows.
pub fn study(library: &Library<'_>, declarations: &Declarations, timeout: Option<Duration>) -> Studied {
    let program = library.program;
    let settings = Options { record_states: true, recheck: true, ..library.settings.clone() };
    let end = timeout.and_then(|time| Instant::now().checked_add(time));
    let mut all = Studied::default();
    for function in program.functions.indices().filter(|f| contracts::is_wanted(program, &[], *f)) {
        if declarations.contracts.contains_key(&function) {
            let (report, findings) = verified(program, declarations, function, &settings);
            all.reports.push(report);
            all.findings.extend(findings);
            continue;
        }
        let Some(sought) = judged(library, function, end) else { continue };
        if let Some(first) = sought.inferred.contracts.first() {
            let text = sought.inferred.shape_text(first);
            let clauses = first.predicates.iter().map(|p| format!("{p}\n")).collect::<String>();
            all.found.insert(function, clauses + &first.clauses());
            let file = ShapeFile { name: String::new(), text, at_calls: false };
            if let Ok(declarations) = declare(program, &[file]) {
                all.reports.push(verified(program, &declarations, function, &settings).0);
            }
        }
        all.findings.extend(said(sought));
    }
    all
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
