//! Findings as SARIF 2.1.0, the static analysis results interchange format.
//!
//! Each finding is a result with its rule, place, related places (the notes), a code flow (the path to the error, if it is
//! known, and what happened on it), the call stack, a fingerprint that does not depend on lines, and what silences it. The
//! verdict is a property of the run. Columns count Unicode code points.

use crate::document::{Document, Entry, Silenced};
use crate::finding::{Finding, Note};
use crate::fingerprint;
use crate::place::Place;
use heapwise_ir::{Severity, SourceMap, Span};
use serde_json::{Value, json};
use serde_sarif::sarif::{
    ArtifactContent, ArtifactLocation, CodeFlow, Invocation, Location, Message, MultiformatMessageString,
    PhysicalLocation, PropertyBag, Region, ReportingDescriptor, Result as SarifResult, ResultLevel, Run,
    RunAutomationDetails, Sarif, Stack, StackFrame, Suppression, ThreadFlow, ThreadFlowLocation, Tool,
    ToolComponent,
};
use std::collections::BTreeMap;

/// Where the schema is published.
pub const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The report as JSON text.
pub fn text(document: &Document<'_>) -> String {
    serde_json::to_string_pretty(&log(document)).unwrap_or_default() + "\n"
}

/// Several reports as one, each with its name: their runs side by side.
pub fn together(reports: &[(&str, &str)]) -> String {
    let mut log: Sarif = Sarif::builder().version(json!("2.1.0")).runs(Vec::new()).build();
    log.schema = Some(SCHEMA.to_owned());
    for (name, text) in reports {
        let Ok(report) = serde_json::from_str::<Sarif>(text) else { continue };
        log.runs.extend(report.runs.into_iter().map(|mut run| {
            run.automation_details =
                Some(RunAutomationDetails::builder().id(format!("heapwise/{name}/")).build());
            run
        }));
    }
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn log(document: &Document<'_>) -> Sarif {
    let mut codes: Vec<&str> = document.entries.iter().map(|e| &*e.finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut driver = ToolComponent::builder().name("heapwise").build();
    driver.version = Some(document.version.to_owned());
    driver.rules = Some(codes.iter().map(|code| rule(code, document.about)).collect());
    let results = document.entries.iter().map(|e| result(document, e, &codes)).collect();
    let mut invocation = Invocation::builder().execution_successful(true).build();
    invocation.exit_code = Some(i64::from(document.exit_code));
    let mut run = Run::builder().tool(Tool::builder().driver(driver).build()).build();
    run.results = Some(results);
    run.invocations = Some(vec![invocation]);
    run.column_kind = Some(json!("unicodeCodePoints"));
    run.properties = Some(bag([("verdict", json!(document.verdict))]));
    let mut log = Sarif::builder().version(json!("2.1.0")).runs(vec![run]).build();
    log.schema = Some(SCHEMA.to_owned());
    log
}

fn bag<const N: usize>(pairs: [(&str, Value); N]) -> PropertyBag {
    let additional: BTreeMap<String, Value> = pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
    PropertyBag::builder().additional_properties(additional).build()
}

fn rule(code: &str, about: fn(&str) -> Option<&'static str>) -> ReportingDescriptor {
    let mut rule = ReportingDescriptor::builder().id(code).build();
    let text = |t: String| MultiformatMessageString::builder().text(t).build();
    rule.short_description = about(code).map(|t| text(t.to_owned()));
    rule.help = Some(text(format!("heapwise explain {code}")));
    rule
}

fn message(text: &str) -> Message {
    // Braces would be placeholders, and a message must not be empty.
    let text = text.replace('{', "{{").replace('}', "}}");
    Message::builder().text(if text.is_empty() { "(no message)".to_owned() } else { text }).build()
}

fn result(document: &Document<'_>, entry: &Entry, codes: &[&str]) -> SarifResult {
    let f = &entry.finding;
    let sources = document.sources;
    let mut words = f.message.clone();
    for more in f.certainty.iter().chain(&f.hint) {
        words.push_str(". ");
        words.push_str(more);
    }
    let mut result = SarifResult::builder().message(message(&words)).build();
    result.rule_id = Some(f.code.clone());
    result.rule_index = codes.iter().position(|c| *c == f.code).map(|i| i as i64);
    result.level = Some(match f.severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
        Severity::Note => ResultLevel::Note,
    });
    result.locations = Some(location(sources, f.span).into_iter().collect());
    let related: Vec<Location> = f
        .notes
        .iter()
        .filter_map(|n| noted(sources, n))
        .enumerate()
        .map(|(i, mut l)| {
            l.id = Some(i as i64 + 1);
            l
        })
        .collect();
    if !related.is_empty() {
        result.related_locations = Some(related);
    }
    let flow = flow(f, sources);
    if flow.len() > 1 {
        let thread = ThreadFlow::builder().locations(flow).build();
        result.code_flows = Some(vec![CodeFlow::builder().thread_flows(vec![thread]).build()]);
    }
    if !f.stack.is_empty() {
        let frames = f.stack.iter().map(|frame| {
            let mut shown = StackFrame::builder().build();
            shown.location = location(sources, frame.span).map(|mut l| {
                l.message = Some(message(&frame.function));
                l
            });
            shown
        });
        result.stacks = Some(vec![Stack::builder().frames(frames.collect::<Vec<_>>()).build()]);
    }
    result.partial_fingerprints =
        Some(BTreeMap::from([(fingerprint::NAME.to_owned(), entry.fingerprint.clone())]));
    match &entry.silenced {
        Some(Silenced::Comment(reason)) => {
            let mut why = Suppression::builder().kind(json!("inSource")).build();
            why.justification = Some(reason.clone());
            result.suppressions = Some(vec![why]);
        }
        Some(Silenced::Baseline) => result.baseline_state = Some(json!("unchanged")),
        None => {}
    }
    result
}

/// What happened, in order, and the finding itself at the end.
fn flow(f: &Finding, sources: &SourceMap) -> Vec<ThreadFlowLocation> {
    let events = if f.path.is_empty() { &f.notes } else { &f.path };
    let last = location(sources, f.span).map(|mut l| {
        l.message = Some(message(&f.message));
        l
    });
    let all = events.iter().filter_map(|n| noted(sources, n)).chain(last);
    all.enumerate()
        .map(|(i, l)| {
            let mut step = ThreadFlowLocation::builder().build();
            step.location = Some(l);
            step.execution_order = Some(i as i64 + 1);
            step
        })
        .collect()
}

fn noted(sources: &SourceMap, note: &Note) -> Option<Location> {
    let mut found = location(sources, note.span?)?;
    found.message = Some(message(&note.message));
    Some(found)
}

fn location(sources: &SourceMap, span: Span) -> Option<Location> {
    let place = Place::of(sources, span)?;
    let mut region = Region::builder().build();
    region.start_line = Some(i64::from(place.line));
    region.start_column = Some(i64::from(place.char_column));
    region.end_column = Some(i64::from(place.char_end));
    let mut snippet = ArtifactContent::builder().build();
    snippet.text = Some(place.text);
    region.snippet = Some(snippet);
    let mut artifact = ArtifactLocation::builder().build();
    artifact.uri = Some(uri(&place.file));
    let mut physical = PhysicalLocation::builder().build();
    physical.artifact_location = Some(artifact);
    physical.region = Some(region);
    let mut found = Location::builder().build();
    found.physical_location = Some(physical);
    Some(found)
}

/// A file name as a reference: relative names stay relative, and characters that mean something are escaped.
pub fn uri(file: &str) -> String {
    let mut text = String::new();
    if file.starts_with('/') {
        text.push_str("file://");
    }
    for byte in file.trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' | b'=' => {
                text.push(char::from(byte));
            }
            b'\\' => text.push('/'),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_references() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("./x.c"), "x.c");
        assert_eq!(uri("/tmp/é.c"), "file:///tmp/%C3%A9.c");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
