//! What a finding is recognised by when the program around it changes.
//!
//! A fingerprint is a hash of the code, the name of the file without its directory, the text of the line and of the
//! expression without white space, and the position among findings for which all that is the same. It holds no line number:
//! lines may be added or removed elsewhere, and files may be checked from another directory.

use crate::finding::Finding;
use heapwise_ir::SourceMap;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// The name under which SARIF keeps fingerprints of this making.
pub const NAME: &str = "heapwise/v1";

/// Bytes of the hash that are kept.
const BYTES: usize = 12;

/// The fingerprints of findings, in their order.
pub fn fingerprints(findings: &[Finding], sources: &SourceMap) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    findings
        .iter()
        .map(|f| {
            let key = key(f, sources);
            let count = seen.entry(key.clone()).or_insert(0);
            let text = format!("{key}\0{count}");
            *count += 1;
            let hash = Sha256::digest(text.as_bytes());
            hash.iter().take(BYTES).map(|b| format!("{b:02x}")).collect()
        })
        .collect()
}

fn key(finding: &Finding, sources: &SourceMap) -> String {
    if !finding.has_place() {
        return format!("{}\0\0{}", finding.code, finding.message);
    }
    let file = sources.location(finding.span.lo).map(|l| l.file.to_string()).unwrap_or_default();
    let name = Path::new(&file).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or(file);
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let line = plain(sources.line(finding.span.lo));
    format!("{}\0{name}\0{line}\0{}", finding.code, plain(&sources.snippet(finding.span)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_ir::{Severity, Span};

    fn of(text: &str, file: &str) -> Vec<String> {
        let mut sources = SourceMap::default();
        sources.add(file, text.into()).unwrap();
        let found = text.match_indices("*p").map(|(i, _)| {
            Finding::new(Severity::Error, "null-deref", "m", Span::new(i as u32, i as u32 + 2))
        });
        fingerprints(&found.collect::<Vec<_>>(), &sources)
    }

    #[test]
    fn they_stay_when_lines_move_and_differ_otherwise() {
        let first = of("int f;\n  x = *p;\n  y = *p;\n", "dir/a.c");
        let moved = of("int f;\n/* new */\n\n    x  = *p;\nint g;\n  y = *p;\n", "/other/a.c");
        assert_eq!(first, moved);
        assert_ne!(first[0], first[1]);
        assert_ne!(first[0], of("x = *p;", "b.c")[0]);
        let twice = of("x = *p;\nx = *p;\n", "a.c");
        assert_eq!((twice.len(), twice[0] == twice[1]), (2, false));
        assert_eq!(twice[0], first[0]);
    }
}
