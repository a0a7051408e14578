//! Comments that silence findings: `// heapwise: ignore[leak] the pool is freed by the library`.
//!
//! A comment after code is about its own line, one on a line of its own about the next line with code. It names the codes
//! that it silences (none: all), and must say why: without a reason it has no effect and is reported itself
//! (`suppression-without-reason`). One that silences nothing is reported as a note (`unused-suppression`), so that they do
//! not outlive what they were for.
//!
//! Comments are looked for in files as the user wrote them; preprocessed input has none.

use crate::finding::Finding;
use heapwise_ir::{Severity, SourceMap};

/// What starts such a comment, after `//` or `/*`.
const WORD: &str = "heapwise: ignore";

/// A comment that silences findings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// The file.
    pub file: String,
    /// The line it stands on.
    pub line: u32,
    /// The line it is about.
    pub about: u32,
    /// The codes it silences; none means all.
    pub codes: Vec<String>,
    /// Why.
    pub reason: String,
}

/// All comments in the files of a program.
pub fn comments(sources: &SourceMap) -> Vec<Comment> {
    sources.originals().flat_map(|(file, text)| in_text(file, text)).collect()
}

/// The comments of a text.
pub fn in_text(file: &str, text: &str) -> Vec<Comment> {
    if !text.contains(WORD) {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (i, at) in comment_starts(text) {
        let Some((code, comment)) = lines.get(i).and_then(|l| l.split_at_checked(at)) else { continue };
        let (mark, comment) = comment.split_at_checked(2).unwrap_or_default();
        let Some(rest) = comment.trim_start().strip_prefix(WORD) else { continue };
        let (codes, reason) = match rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            Some((codes, reason)) => (codes, reason),
            None => ("", rest),
        };
        let is_code = |l: &str| {
            let l = l.trim();
            let comment = l.starts_with("//") || (l.starts_with("/*") && l.ends_with("*/"));
            !l.is_empty() && !comment
        };
        let about = match code.trim().is_empty() {
            true => lines.iter().skip(i + 1).position(|l| is_code(l)).map_or(i, |k| i + 1 + k),
            false => i,
        };
        let codes = codes.split(',').map(|c| c.trim().to_owned()).filter(|c| !c.is_empty()).collect();
        // What follows a comment on its line is no part of it.
        let reason = if mark == "/*" { reason.split("*/").next().unwrap_or_default() } else { reason };
        let reason = reason.trim().trim_start_matches([':', '-']).trim();
        found.push(Comment {
            file: file.to_owned(),
            line: i as u32 + 1,
            about: about as u32 + 1,
            codes,
            reason: reason.to_owned(),
        });
    }
    found
}

/// Where comments start, by line and byte, both from 0: not within literals, nor within other comments.
fn comment_starts(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    // What ends the literal that is open, if one is.
    let mut quote: Option<char> = None;
    let mut in_block = false;
    for (i, line) in text.lines().enumerate() {
        let mut chars = line.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, n)| *n);
            match (quote, c, next) {
                _ if in_block => {
                    if c == '*' && next == Some('/') {
                        chars.next();
                        in_block = false;
                    }
                }
                (Some(_), '\\', _) => {
                    chars.next();
                }
                (Some(q), _, _) => quote = quote.filter(|_| c != q),
                (None, '/', Some('/')) => {
                    found.push((i, at));
                    break;
                }
                (None, '/', Some('*')) => {
                    found.push((i, at));
                    chars.next();
                    in_block = true;
                }
                (None, '"' | '\'', _) => quote = Some(c),
                (None, ..) => {}
            }
        }
        // Literals end with their line, unless it is continued.
        quote = quote.filter(|_| line.ends_with('\\'));
    }
    found
}

/// For each finding, the comment that silences it and the reason.
pub fn apply(
    comments: &[Comment],
    findings: &[Finding],
    sources: &SourceMap,
) -> Vec<Option<(usize, String)>> {
    let one = |f: &Finding| {
        if comments.is_empty() || !f.has_place() {
            return None;
        }
        let at = sources.location(f.span.lo)?;
        let fits = |c: &&(usize, &Comment)| {
            let c = c.1;
            c.about == at.line
                && c.file == *at.file
                && (c.codes.is_empty() || c.codes.contains(&f.code))
                && !c.reason.is_empty()
        };
        comments.iter().enumerate().find(|c| fits(&c)).map(|(i, c)| (i, c.reason.clone()))
    };
    findings.iter().map(one).collect()
}

/// What is wrong with the comments themselves.
pub fn complaints(comments: &[Comment], used: &[Option<(usize, String)>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (i, c) in comments.iter().enumerate() {
        let place = format!("{}:{}", c.file, c.line);
        let (severity, code, message) = if c.reason.is_empty() {
            let message = format!("{place}: this suppression gives no reason, so it has no effect");
            (Severity::Warning, "suppression-without-reason", message)
        } else if !used.iter().flatten().any(|(k, _)| *k == i) {
            (Severity::Note, "unused-suppression", format!("{place}: this suppression silences nothing"))
        } else {
            continue;
        };
        found.push(Finding::new(severity, code, message, heapwise_ir::Span::default()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_ir::Span;

    const TEXT: &str = "int a; // heapwise: ignore[leak, null-deref] freed by the library\n\
                        // heapwise: ignore: all of it is known\n\
                        \n\
                        /* other */\n\
                        int b;\n\
                        int c; /* heapwise: ignore[leak] */ int d; /* for nothing */\n\
                        char *s = \"heapwise: ignore no\";\n\
                        char *t = \"\\\"// heapwise: ignore no\", c = '\"'; /* not\n\
                        // heapwise: ignore no */\n";

    #[test]
    fn comments_are_about_their_line_or_the_next() {
        let found = in_text("a.c", TEXT);
        let seen: Vec<_> = found.iter().map(|c| (c.line, c.about, c.codes.len(), &*c.reason)).collect();
        assert_eq!(
            seen,
            [(1, 1, 2, "freed by the library"), (2, 5, 0, "all of it is known"), (6, 6, 1, "")],
            "a comment ends where it ends"
        );
    }

    #[test]
    fn only_what_fits_is_silenced() {
        let mut sources = SourceMap::default();
        sources.add("a.c", TEXT.into()).unwrap();
        sources.add_original("a.c", TEXT.into());
        let at = |what: &str, code: &str| {
            let lo = TEXT.find(what).unwrap() as u32;
            Finding::new(Severity::Warning, code, "m", Span::new(lo, lo + 5))
        };
        let findings = [at("int a", "leak"), at("int a", "shift"), at("int b", "shift"), at("int c", "leak")];
        let entries = crate::document::entries(findings.to_vec(), &sources, None);
        let silenced: Vec<bool> = entries.iter().map(|e| e.silenced.is_some()).collect();
        assert_eq!(silenced, [true, false, true, false, false]);
        assert_eq!(entries[4].finding.code, "suppression-without-reason");
    }
}
