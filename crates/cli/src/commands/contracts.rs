//! `heapwise contracts`: what functions need and what they leave.

use super::open_errors::Library;
use super::{Compiled, compile};
use crate::exit::Exit;
use crate::options::{Contracts, Form};
use crate::output;
use crate::progress::Stage;
use crate::store::{Names, Store};
use heapwise_engine::abduction::{Inferred, Limits, infer_unknown};
use heapwise_engine::shapes::interface;
use heapwise_engine::{Assumption, Options, UnknownCalls};
use heapwise_ir::{FuncId, FunctionBody, Program};
use heapwise_report::{Finding, json};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// Infers the contracts and prints them.
pub fn run(options: &Contracts) -> Exit {
    if !matches!(options.output.format, Form::Text | Form::Json) {
        output::error("`contracts` prints text or JSON; the other forms are for `check` and `run`");
        return Exit::BadInput;
    }
    let Compiled { program, findings, units, model, .. } =
        match compile(&options.files, &options.source, &options.output) {
            Ok(compiled) => compiled,
            Err(exit) => return exit,
        };
    let wanted: Vec<&str> = options.function.iter().map(String::as_str).collect();
    if let Some(name) = wanted.iter().find(|n| program.function_named(n).is_none()) {
        output::error(&format!("there is no function `{name}`"));
        return Exit::BadInput;
    }
    let settings = Options {
        malloc_may_fail: options.malloc_may_fail,
        unknown_calls: match options.trust_unknown_calls {
            true => UnknownCalls::Optimistic,
            false => UnknownCalls::Pessimistic,
        },
        strategy: options.join.strategy(),
        jobs: options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        ..Options::default()
    };
    let end = options.timeout.and_then(|time| Instant::now().checked_add(time));
    let store = match options.store.as_deref().map(Store::open).transpose() {
        Ok(store) => store,
        Err(e) => {
            output::error(&format!("the folder of `--store` cannot be made: {e}"));
            return Exit::BadInput;
        }
    };
    let stage = Stage::new("infer contracts", &options.output);
    let library = Library { units: &units, model, program: &program, settings: &settings };
    let all = judge(&library, &|f| is_wanted(&program, &wanted, f), end, store.as_ref());
    drop(stage);
    match options.output.format {
        Form::Json => output::print(&format!("{}\n", as_json(&program, &all))),
        _ => {
            output::report_if_any(&findings, &program.sources, &options.output);
            output::print(&as_text(&program, &all));
            let errors: Vec<Finding> = all.iter().flat_map(|f| f.findings.clone()).collect();
            output::report_if_any(&errors, &program.sources, &options.output);
        }
    }
    if let Some(path) = &options.emit
        && let Err(e) = std::fs::write(path, as_shapes(&program, &all, &settings.assumptions(&program)))
    {
        output::error(&format!("cannot write {}: {e}", path.display()));
        return Exit::BadInput;
    }
    exit(&all)
}

/// The contracts of a library's functions and the errors that happen whoever calls them, in the order of the text.
pub fn judge(
    library: &Library<'_>,
    wanted: &(dyn Fn(FuncId) -> bool + Sync),
    end: Option<Instant>,
    store: Option<&Store>,
) -> Vec<Judged> {
    let limits = Limits { end, ..Limits::default() };
    let kept = store.map(|s| (s, Names::new(library.program, library.model, library.settings)));
    let known = |f: FuncId| kept.as_ref().and_then(|(store, names)| store.get(names, f));
    let mut all = infer_unknown(library.program, library.settings, limits, wanted, &known);
    all.sort_by_key(|f| f.span.lo);
    let errors = library.errors(&all);
    let judged = |(inferred, findings): (Inferred, Vec<Finding>)| {
        // What ran out of time is tried again; findings are shown with their runs, which are made again.
        let in_time = end.is_none_or(|end| Instant::now() < end);
        if let Some((store, names)) = &kept
            && inferred.runs > 0
            && findings.is_empty()
            && in_time
        {
            store.put(names, &inferred);
        }
        Judged { findings, inferred }
    };
    all.into_iter().zip(errors).map(judged).collect()
}

/// Whether there is anything to say about a program without a function to start from.
pub fn has_functions(program: &Program) -> bool {
    let has_body = |f: FuncId| {
        let body = program.functions.get(f).map(|f| &f.body);
        body.is_some_and(|b| !matches!(b, FunctionBody::Declared)) && is_wanted(program, &[], f)
    };
    program.functions.indices().any(has_body)
}

/// Whether a function is looked at: those that were named, or all that are no part of a header of the system.
pub fn is_wanted(program: &Program, names: &[&str], function: FuncId) -> bool {
    let Some(f) = program.functions.get(function) else { return false };
    if !names.is_empty() {
        return names.contains(&&*f.name);
    }
    let file = program.sources.location(f.span.lo).map_or_else(String::new, |l| l.file.to_string());
    !SYSTEM_FOLDERS.iter().any(|folder| file.starts_with(folder))
}

/// Where headers of the system are.
const SYSTEM_FOLDERS: [&str; 3] = ["/usr/include/", "/usr/lib/", "/usr/local/include/"];

/// A function with what was found.
pub struct Judged {
    /// Its contracts.
    pub inferred: Inferred,
    /// Errors that happen whoever calls it.
    pub findings: Vec<Finding>,
}

/// How the process is to end.
pub fn exit(all: &[Judged]) -> Exit {
    if all.iter().any(|f| !f.findings.is_empty()) {
        Exit::Error
    } else if all.iter().any(|f| f.inferred.contracts.is_empty()) {
        Exit::Unknown
    } else {
        Exit::Proved
    }
}

/// The contracts for people.
pub fn as_text(program: &Program, all: &[Judged]) -> String {
    let mut text = String::new();
    let mut shown: BTreeMap<&str, ()> = BTreeMap::new();
    for Judged { inferred: f, findings } in all {
        let place = program.sources.describe(f.span);
        text.push_str(&format!("{place}: {}({})\n", f.name, f.params.join(", ")));
        for (k, c) in f.contracts.iter().enumerate() {
            if k > 0 {
                text.push_str("  or\n");
            }
            for p in &c.predicates {
                if shown.insert(p, ()).is_none() {
                    text.push_str(&format!("  {p}\n"));
                }
            }
            for line in c.clauses().lines() {
                text.push_str(&format!("  {line}\n"));
            }
        }
        if !findings.is_empty() {
            text.push_str("  no contract: an error happens whoever calls it\n");
        } else if let Some(why) = &f.why_not {
            text.push_str(&format!("  no contract: {why}\n"));
        }
    }
    let found = all.iter().filter(|f| !f.inferred.contracts.is_empty()).count();
    text.push_str(&format!("{found} of {} functions have a contract\n", all.len()));
    text
}

/// The contracts for programs.
pub fn as_json(program: &Program, all: &[Judged]) -> Value {
    let functions: Vec<Value> = all
        .iter()
        .map(|Judged { inferred: f, findings }| {
            let contracts: Vec<Value> = f
                .contracts
                .iter()
                .map(|c| json!({ "requires": c.requires, "ensures": c.ensures, "may_exit": c.may_exit, "predicates": c.predicates }))
                .collect();
            json!({
                "name": f.name, "parameters": f.params, "place": program.sources.describe(f.span),
                "contracts": contracts, "why_not": f.why_not,
                "findings": json::findings(findings, &program.sources),
            })
        })
        .collect();
    json!({ "version": json::VERSION, "functions": functions })
}

/// The contracts as declarations.
pub fn as_shapes(program: &Program, all: &[Judged], assuming: &[Assumption]) -> String {
    let assuming: Vec<&str> = assuming.iter().map(|a| a.name()).collect();
    let mut text = String::new();
    let mut declared: BTreeMap<&str, ()> = BTreeMap::new();
    for Judged { inferred: f, .. } in all {
        for c in f.contracts.iter().take(1) {
            for p in &c.predicates {
                if declared.insert(p, ()).is_none() {
                    text.push_str(&format!("{p}\n"));
                }
            }
            text.push_str(&format!("{}\n", interface::head(program, f.function, &f.params)));
            for line in c.clauses().lines() {
                text.push_str(&format!("  {line}\n"));
            }
        }
    }
    format!("assuming {};\n{}{text}", assuming.join(", "), interface::told(program, &text))
}
