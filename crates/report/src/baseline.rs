//! What was known before: a file of fingerprints, so that an old code base reports only what is new.
//!
//! `{ "version": 1, "findings": [ { "fingerprint", "code", "file", "line", "message" } ] }`. Only the fingerprint is
//! compared; the rest is for the people who read the file.

use crate::document::{Entry, Silenced};
use crate::place::Place;
use heapwise_ir::{Severity, SourceMap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

const VERSION: u32 = 1;

/// A baseline.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    known: BTreeSet<String>,
}

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    findings: Vec<Known>,
}

#[derive(Serialize, Deserialize)]
struct Known {
    fingerprint: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    message: String,
}

/// What is wrong with the text of a baseline, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadBaseline {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// One sentence.
    pub message: String,
}

impl Baseline {
    /// Reads the text of a baseline file.
    pub fn parse(text: &str) -> Result<Baseline, BadBaseline> {
        let file: File = serde_json::from_str(text).map_err(|e| BadBaseline {
            line: e.line().max(1),
            column: e.column().max(1),
            message: format!("not a baseline: {e}"),
        })?;
        if file.version != VERSION {
            let message = format!("a baseline of version {}; this program reads {VERSION}", file.version);
            return Err(BadBaseline { line: 1, column: 1, message });
        }
        Ok(Baseline { known: file.findings.into_iter().map(|f| f.fingerprint).collect() })
    }

    /// Whether a finding was known before.
    pub fn knows(&self, fingerprint: &str) -> bool {
        self.known.contains(fingerprint)
    }
}

/// The text of a baseline with everything that counts in a report, but for what comments silence.
pub fn text(entries: &[Entry], sources: &SourceMap) -> String {
    let counts = |e: &&Entry| {
        e.finding.severity >= Severity::Warning && !matches!(e.silenced, Some(Silenced::Comment(_)))
    };
    let known = |e: &Entry| {
        let place = Place::of(sources, e.finding.span);
        Known {
            fingerprint: e.fingerprint.clone(),
            code: e.finding.code.clone(),
            line: place.as_ref().map_or(0, |p| p.line),
            file: place.map(|p| p.file).unwrap_or_default(),
            message: e.finding.message.clone(),
        }
    };
    let file = File { version: VERSION, findings: entries.iter().filter(counts).map(known).collect() };
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::entries;
    use crate::finding::Finding;
    use heapwise_ir::Span;

    fn found(text: &str) -> (SourceMap, Vec<Finding>) {
        let mut sources = SourceMap::default();
        sources.add("a.c", text.into()).unwrap();
        let at = |(i, _): (usize, &str)| Span::new(i as u32, i as u32 + 2);
        let findings =
            text.match_indices("*p").map(|m| Finding::new(Severity::Warning, "leak", "m", at(m))).collect();
        (sources, findings)
    }

    #[test]
    fn only_what_is_new_counts_also_when_lines_move() {
        let (sources, findings) = found("a = *p;\nb = *p;\n");
        let known = text(&entries(findings, &sources, None), &sources);
        let baseline = Baseline::parse(&known).unwrap();
        let (sources, findings) = found("int n;\na = *p;\nc = *p;\n  b = *p;\n");
        let shown: Vec<bool> =
            entries(findings, &sources, Some(&baseline)).iter().map(Entry::is_shown).collect();
        assert_eq!(shown, [false, true, false]);
    }

    #[test]
    fn other_texts_are_refused_with_their_place() {
        assert_eq!(Baseline::parse("{\n  \"version\": 1,\n  oops").unwrap_err().line, 3);
        assert!(Baseline::parse(r#"{"version":7,"findings":[]}"#).unwrap_err().message.contains("version 7"));
    }
}
