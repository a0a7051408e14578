//! Findings as JSON objects.
//!
//! The shape is stable: fields are added, not renamed. A place is `{"file", "line", "column", "text"}`, where
//! `text` is the expression as written, or `null` where there is none.

use crate::finding::Finding;
use crate::render::severity_name;
use heapwise_ir::{SourceMap, Span};
use serde_json::{Value, json};

/// Longest expression text that is included.
const MAX_TEXT: usize = 200;

/// One finding.
pub fn finding(finding: &Finding, sources: &SourceMap) -> Value {
    json!({
        "severity": severity_name(finding.severity),
        "code": finding.code,
        "message": finding.message,
        "place": if finding.has_place() { place(sources, finding.span) } else { Value::Null },
        "notes": finding.notes.iter().map(|n| json!({
            "message": n.message,
            "place": n.span.map_or(Value::Null, |s| place(sources, s)),
        })).collect::<Vec<_>>(),
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
                "stack": [],
            })
        );
    }
}
