//! `heapwise check --domain klimited`: runs and k-limited graphs under one verdict.
//!
//! A short hunt comes first, since most errors show themselves at once; then the analysis; then a longer hunt if that did
//! not succeed. The answer has the form of the other domains, so that it is shown in the same way.

use crate::options::{Check, ConnectorsName, KlimitedVariant};
use heapwise_engine::{Hunt, Options, Report, Statistics, UnknownCalls, Verdict};
use heapwise_fixpoint::Settings;
use heapwise_hunt::Hunter;
use heapwise_ir::{FuncId, Program, Span};
use heapwise_klimited::{Connectors, Limit, Numeric, Variant, analyse};
use heapwise_property::{Alarm, Reason};
use std::time::Instant;

/// Share of the time for the first hunt, and for the last one.
const HUNTS: u32 = 4;

/// The verdict on a program, and what the analysis says.
pub fn check(program: &Program, options: &Check, asked: &Options, hunt: &Hunt) -> (Verdict, Report) {
    let start = Instant::now();
    let mut hunter = Hunter::new(program, &asked.entry, asked.properties);
    let end = |part: u32| asked.timeout.and_then(|t| start.checked_add(t / HUNTS * part));
    if let Some(confirmed) = hunter.hunt(&hunt.limits(hunt.first, end(1))) {
        return (Verdict::Error(Box::new(confirmed)), Report::default());
    }
    let mut report = analysed(program, options, asked, start);
    if report.alarms.is_empty() {
        // The proof of one property assumes that nothing else is undefined; here something is.
        let Some(error) = hunter.other_error.as_ref() else { return (Verdict::Proved, report) };
        let message =
            format!("the program does something undefined that was not asked for: {}", error.message);
        report.alarms.push(because(Reason::OtherError, error.span, message));
    }
    match hunter.hunt(&hunt.limits(hunt.effort, end(HUNTS))) {
        Some(confirmed) => (Verdict::Error(Box::new(confirmed)), report),
        None => (Verdict::Unknown(report.alarms.clone()), report),
    }
}

fn analysed(program: &Program, options: &Check, asked: &Options, start: Instant) -> Report {
    let settings = Settings {
        properties: asked.properties,
        entry: asked.entry.clone(),
        malloc_may_fail: asked.malloc_may_fail,
        trust_unknown_calls: asked.unknown_calls == UnknownCalls::Optimistic,
        max_disjuncts: asked.max_disjuncts,
        deadline: asked.timeout.map(|t| start + t - t / HUNTS),
        cancel: asked.cancel.clone(),
        ..Settings::default()
    };
    let found = analyse(program, &settings, variant(options));
    let s = found.statistics;
    let statistics = Statistics {
        steps: s.steps,
        head_disjuncts: s.head_disjuncts,
        max_disjuncts: s.max_disjuncts,
        joins: s.joins,
        refused_joins: s.refused_joins,
        entries: s.entries,
        iterations: s.iterations,
        time: start.elapsed(),
        ..Statistics::default()
    };
    let mut alarms = found.alarms;
    let shapes = options.analysis.function.is_some() || !options.analysis.shapes.is_empty();
    if shapes || options.states.is_some() || options.dot.is_some() || options.witness.is_some() {
        let message = "contracts, shapes, drawings and witnesses need `--domain sep`".into();
        alarms.push(because(Reason::Unsupported, Span::default(), message));
    }
    Report { alarms, statistics, ..Report::default() }
}

fn because(reason: Reason, span: Span, message: String) -> Alarm {
    Alarm { kind: reason.into(), span, function: FuncId(0), definite: false, message, notes: Vec::new() }
}

/// Which analysis the options ask for.
pub fn variant(options: &Check) -> Variant {
    let limit = match options.klimited_variant {
        KlimitedVariant::Paths => Limit::Paths,
        KlimitedVariant::Sites => Limit::Sites,
        KlimitedVariant::Types => Limit::Types,
        KlimitedVariant::OneGraph => Limit::OnePerSite,
    };
    let one_graph = limit == Limit::OnePerSite;
    let connectors = match options.connectors {
        ConnectorsName::None => Connectors::None,
        ConnectorsName::OneStep => Connectors::OneStep,
        ConnectorsName::Transitive => Connectors::Transitive,
    };
    let domain = options.analysis.numeric.domain();
    let related = connectors != Connectors::None || domain.is_some();
    let relations = related.then(|| (connectors, domain.unwrap_or(Numeric::Octagons)));
    Variant { limit, k: options.k, materialise: !options.klimited_plain, one_graph, relations }
}
