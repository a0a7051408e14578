//! Findings as text: `file:line:column`, the source line with a caret, notes, call stack.
//!
//! ```text
//! error[use-after-free]: read of 4 bytes from a freed block: `p->value`
//!   --> list.c:14:10
//!    |
//! 14 |   return p->value;
//!    |          ^^^^^^^^
//!   note: allocated here: list.c:10:12
//! ```
//!
//! Lines longer than [`MAX_WIDTH`] are cut around the caret, so that the cost of a finding does not depend on
//! the input's line length. Control characters are shown as spaces, colours are the caller's choice.

use crate::finding::{Finding, Note};
use heapwise_ir::source::Excerpt;
use heapwise_ir::{Severity, SourceMap, Span};
use std::fmt::Write;

/// Longest piece of a source line that is shown, in bytes.
pub const MAX_WIDTH: usize = 160;

/// Most frames of a call stack that are shown.
const MAX_FRAMES: usize = 16;

/// Most steps of a path that are shown: the last ones lead to the error.
const MAX_STEPS: usize = 24;

/// Whether to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Characters only.
    #[default]
    Plain,
    /// With ANSI colours.
    Coloured,
}

impl Style {
    fn paint(self, codes: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\x1b[{codes}m{text}\x1b[0m"),
        }
    }
    fn severity(self, severity: Severity, text: &str) -> String {
        let codes = match severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Note => "1;36",
        };
        self.paint(codes, text)
    }
    fn margin(self, text: &str) -> String {
        self.paint("1;34", text)
    }
}

/// The word for a severity.
pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// All findings, one after the other, each followed by an empty line.
pub fn findings(findings: &[Finding], sources: &SourceMap, style: Style) -> String {
    findings.iter().map(|f| finding(f, sources, style) + "\n").collect()
}

/// One finding; ends with a line end.
pub fn finding(finding: &Finding, sources: &SourceMap, style: Style) -> String {
    let head = format!("{}[{}]", severity_name(finding.severity), finding.code);
    let mut out = format!(
        "{}: {}\n",
        style.severity(finding.severity, &head),
        style.paint("1", &printable(&finding.message))
    );
    if finding.has_place() {
        excerpt(&mut out, sources, finding.span, finding.severity, style);
    }
    for note in &finding.notes {
        render_note(&mut out, sources, note, style);
    }
    if !finding.path.is_empty() {
        let _ = writeln!(out, "  {}", style.margin("path:"));
        let left = finding.path.len().saturating_sub(MAX_STEPS);
        if left > 0 {
            let _ = writeln!(out, "    … {left} earlier steps");
        }
        for step in finding.path.iter().skip(left) {
            let at = step.span.map_or(String::new(), |s| sources.describe(s) + ": ");
            let _ = writeln!(out, "    {at}{}", printable(&step.message));
        }
    }
    for (word, text) in [("why", &finding.certainty), ("hint", &finding.hint)] {
        if let Some(text) = text {
            let _ = writeln!(out, "  {}: {}", style.severity(Severity::Note, word), printable(text));
        }
    }
    if !finding.stack.is_empty() {
        let _ = writeln!(out, "  {}", style.margin("call stack:"));
        for frame in finding.stack.iter().take(MAX_FRAMES) {
            let _ = writeln!(out, "    {} at {}", frame.function, sources.describe(frame.span));
        }
        if finding.stack.len() > MAX_FRAMES {
            let _ = writeln!(out, "    … and {} more", finding.stack.len() - MAX_FRAMES);
        }
    }
    out
}

fn render_note(out: &mut String, sources: &SourceMap, note: &Note, style: Style) {
    let _ = writeln!(out, "  {}: {}", style.severity(Severity::Note, "note"), printable(&note.message));
    if let Some(span) = note.span {
        excerpt(out, sources, span, Severity::Note, style);
    }
}

/// Position, source line and caret.
fn excerpt(out: &mut String, sources: &SourceMap, span: Span, severity: Severity, style: Style) {
    let Some(Excerpt { location: at, line, width }) = sources.excerpt(span) else { return };
    let number = at.line.to_string();
    let pad = " ".repeat(number.len());
    let _ = writeln!(out, "{pad}{} {at}", style.margin("-->"));
    if line.trim().is_empty() {
        return;
    }
    let start = (at.column as usize - 1).min(line.len());
    let shown = window(line, start, width as usize);
    let bar = style.margin("|");
    let _ = writeln!(out, "{pad} {bar}");
    let _ = writeln!(out, "{} {bar} {}", style.margin(&number), shown.text);
    let caret = style.severity(severity, &"^".repeat(shown.caret_width));
    let _ = writeln!(out, "{pad} {bar} {}{caret}", " ".repeat(shown.caret_column));
}

struct Window {
    text: String,
    /// In characters, as is the width.
    caret_column: usize,
    caret_width: usize,
}

/// The part of a line around bytes `start..start + width` that fits [`MAX_WIDTH`].
fn window(line: &str, start: usize, width: usize) -> Window {
    let mut lo = if start + width.min(MAX_WIDTH / 2) > MAX_WIDTH { start - MAX_WIDTH / 4 } else { 0 };
    let mut hi = (lo + MAX_WIDTH).min(line.len());
    while !line.is_char_boundary(lo) {
        lo -= 1;
    }
    while !line.is_char_boundary(hi) {
        hi += 1;
    }
    let chars_in = |from: usize, to: usize| {
        line.char_indices().skip_while(|(i, _)| *i < from).take_while(|(i, _)| *i < to).count()
    };
    let before = if lo > 0 { "…" } else { "" };
    let after = if hi < line.len() { "…" } else { "" };
    Window {
        text: format!("{before}{}{after}", printable(&line[lo..hi])),
        caret_column: before.chars().count() + chars_in(lo, start),
        caret_width: chars_in(start, (start + width).min(hi)).max(1),
    }
}

/// Without characters that move the cursor or change the terminal's state.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Frame;
    use expect_test::expect;

    const TEXT: &str = "# 1 \"list.c\"\nint *p = malloc(4);\nfree(p);\n\treturn *p;\n";

    fn sources() -> SourceMap {
        let mut map = SourceMap::default();
        map.add("list.i", TEXT.into()).unwrap();
        map.add_marker(13, &"list.c".into(), 1);
        map
    }

    fn span(fragment: &str) -> Span {
        let lo = TEXT.find(fragment).unwrap() as u32;
        Span::new(lo, lo + fragment.len() as u32)
    }

    #[test]
    fn text_with_history_and_stack() {
        let mut f =
            Finding::new(Severity::Error, "use-after-free", "read of a freed block: `*p`", span("*p;"))
                .note("heap block of 4 bytes, allocated here", Some(span("malloc(4)")))
                .note("freed here", Some(span("free(p)")))
                .note("no other pointer to it is left", None);
        f.stack = vec![Frame { function: "main".into(), span: span("*p;") }];
        expect![[r#"
            error[use-after-free]: read of a freed block: `*p`
             --> list.c:3:9
              |
            3 |  return *p;
              |         ^^^
              note: heap block of 4 bytes, allocated here
             --> list.c:1:10
              |
            1 | int *p = malloc(4);
              |          ^^^^^^^^^
              note: freed here
             --> list.c:2:1
              |
            2 | free(p);
              | ^^^^^^^
              note: no other pointer to it is left
              call stack:
                main at list.c:3:9
        "#]]
        .assert_eq(&finding(&f, &sources(), Style::Plain));
    }

    #[test]
    fn colours_only_when_asked() {
        let f = Finding::new(Severity::Warning, "x", "y\x1b[2J", Span::default());
        assert_eq!(finding(&f, &sources(), Style::Plain), "warning[x]: y [2J\n");
        assert!(finding(&f, &sources(), Style::Coloured).starts_with("\x1b[1;33mwarning[x]\x1b[0m"));
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let mut map = SourceMap::default();
        let text = format!("{}é!{}", "é".repeat(100_000), "x".repeat(1_000_000));
        map.add("long.c", text.clone().into()).unwrap();
        let at = text.find('!').unwrap() as u32;
        let f = Finding::new(Severity::Error, "x", "y", Span::new(at, at + 900_000));
        let shown = finding(&f, &map, Style::Plain);
        assert!(shown.len() < 1000, "{} bytes", shown.len());
        let lines: Vec<&str> = shown.lines().collect();
        let column = lines[4].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[3].chars().nth(column), Some('!'));
    }

    #[test]
    fn a_place_outside_the_text_shows_nothing() {
        let f = Finding::new(Severity::Error, "x", "y", Span::new(4_000_000, 4_000_001));
        assert!(finding(&f, &SourceMap::default(), Style::Plain).ends_with("y\n"));
    }
}
