//! Findings as JSON objects.
//!
//! The shape is stable: fields are added, not renamed; `docs/json.md` and its schema describe it, [`VERSION`] says which one
//! it is. A place is `{"file", "line", "column", "text"}`, where `text` is the expression as written, or `null` where there is
//! none.

use crate::document::{Entry, Silenced};
use crate::finding::{Finding, Note};
use crate::render::severity_name;
use heapwise_ir::{SourceMap, Span};
use serde_json::{Value, json};

/// Longest expression text that is included.
const MAX_TEXT: usize = 200;

/// The version of the form; a new one means that something was renamed or removed.
pub const VERSION: u32 = 1;

/// The findings of a report, silenced ones included.
pub fn entries(entries: &[Entry], sources: &SourceMap) -> Value {
    let one = |e: &Entry| {
        let mut object = finding(&e.finding, sources);
        object["fingerprint"] = e.fingerprint.clone().into();
        object["silenced"] = match &e.silenced {
            None => Value::Null,
            Some(Silenced::Baseline) => json!({ "by": "baseline", "reason": null }),
            Some(Silenced::Comment(reason)) => json!({ "by": "comment", "reason": reason }),
        };
        object
    };
    entries.iter().map(one).collect()
}

fn notes(notes: &[Note], sources: &SourceMap) -> Value {
    let one = |n: &Note| {
        json!({
            "message": n.message,
            "place": n.span.map_or(Value::Null, |s| place(sources, s)),
        })
    };
    notes.iter().map(one).collect()
}

/// One finding.
pub fn finding(finding: &Finding, sources: &SourceMap) -> Value {
    json!({
        "severity": severity_name(finding.severity),
        "code": finding.code,
        "message": finding.message,
        "place": if finding.has_place() { place(sources, finding.span) } else { Value::Null },
        "notes": notes(&finding.notes, sources),
        "path": notes(&finding.path, sources),
        "certainty": finding.certainty,
        "hint": finding.hint,
        "stack": finding.stack.iter().map(|f| json!({
            "function": f.function,
            "place": place(sources, f.span),
        })).collect::<Vec<_>>(),
    })
}

/// A list of findings.
pub fn findings(findings: &[Finding], sources: &SourceMap) -> Value {
    findings.iter().map(|f| finding(f, sources)).collect()
}

fn place(sources: &SourceMap, span: Span) -> Value {
    let Some(at) = sources.location(span.lo) else { return Value::Null };
    let text: String = sources.snippet(span).chars().take(MAX_TEXT).collect();
    json!({ "file": &*at.file, "line": at.line, "column": at.column, "text": text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_ir::Severity;

    #[test]
    fn places_have_file_line_column_and_text() {
        let mut sources = SourceMap::default();
        sources.add("a.c", "int x;\nint y;\n".into()).unwrap();
        let f = Finding::new(Severity::Warning, "c", "m", Span::new(11, 12)).note("n", None);
        assert_eq!(
            finding(&f, &sources),
            json!({
                "severity": "warning", "code": "c", "message": "m",
                "place": {"file": "a.c", "line": 2, "column": 5, "text": "y"},
                "notes": [{"message": "n", "place": null}],
                "path": [], "certainty": null, "hint": null, "stack": [],
            })
        );
    }
}
