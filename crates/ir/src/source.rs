//! Positions in the program text, and the diagnostics that point at them.
//!
//! All preprocessed translation units share one offset space: a [`Span`] is a pair of 32-bit offsets into it.
//! Line markers (`# 12 "list.c"`) are kept as a sorted table, so that an offset maps back to the user's file,
//! line and column in O(log n).

use std::sync::Arc;

/// A half-open range of offsets into the [`SourceMap`]'s offset space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub lo: u32,
    /// Offset one past the last byte.
    pub hi: u32,
}

impl Span {
    /// A span from `lo` to `hi`.
    pub fn new(lo: u32, hi: u32) -> Self {
        Span { lo, hi }
    }
    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.lo, self.hi)
    }
}

/// A position as the user knows it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    /// File name as the line marker (or the command line) gives it.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One line marker: from `offset` on, lines count from `line` in `file`.
#[derive(Clone, Debug)]
struct Marker {
    offset: u32,
    file: Arc<str>,
    line: u32,
}

#[derive(Clone, Debug)]
struct Unit {
    base: u32,
    text: Arc<str>,
    markers: Vec<Marker>,
    /// Where each line of the text starts, from the start of the unit; the first is 0.
    line_starts: Vec<u32>,
}

impl Unit {
    /// The line, from 0, that holds the byte at `at` (counted from the start of the unit).
    fn line_index(&self, at: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= at).saturating_sub(1)
    }
}

/// The text of all translation units, and the way back from offsets to files and lines.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    units: Vec<Unit>,
}

/// The 4 GiB offset space is exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuchText;

impl SourceMap {
    /// Adds a unit of preprocessed text named `file`; returns the offset of its first byte.
    pub fn add(&mut self, file: &str, text: Arc<str>) -> Result<u32, TooMuchText> {
        let base = self.units.last().map_or(0, |u| u64::from(u.base) + u.text.len() as u64 + 1);
        if base + text.len() as u64 + 1 > u64::from(u32::MAX) {
            return Err(TooMuchText);
        }
        let base = base as u32;
        let first = Marker { offset: base, file: file.into(), line: 1 };
        let after_newline = |(i, &b): (usize, &u8)| (b == b'\n').then_some(i as u32 + 1);
        let line_starts =
            std::iter::once(0).chain(text.as_bytes().iter().enumerate().filter_map(after_newline)).collect();
        self.units.push(Unit { base, text, markers: vec![first], line_starts });
        Ok(base)
    }

    /// Records that the text from `offset` on is line `line` of `file`. Offsets must not decrease; a marker
    /// outside the newest unit is ignored.
    pub fn add_marker(&mut self, offset: u32, file: &Arc<str>, line: u32) {
        if let Some(unit) = self.units.last_mut()
            && unit.markers.last().is_none_or(|m| m.offset <= offset)
        {
            unit.markers.push(Marker { offset, file: file.clone(), line });
        }
    }

    fn unit(&self, offset: u32) -> Option<&Unit> {
        let i = self.units.partition_point(|u| u.base <= offset);
        self.units.get(i.checked_sub(1)?)
    }

    /// The user's position for an offset; `None` for an offset outside every unit.
    pub fn location(&self, offset: u32) -> Option<Location> {
        let unit = self.unit(offset)?;
        let i = unit.markers.partition_point(|m| m.offset <= offset);
        let marker = unit.markers.get(i.checked_sub(1)?)?;
        let start = marker.offset - unit.base;
        let here = (offset - unit.base).min(unit.text.len() as u32);
        let line = unit.line_index(here);
        let lines = (line - unit.line_index(start)) as u32;
        let line_start = unit.line_starts.get(line).copied().unwrap_or(0).max(start);
        Some(Location {
            file: marker.file.clone(),
            line: marker.line.saturating_add(lines),
            column: here - line_start + 1,
        })
    }

    /// The program text under `span`, or the empty string.
    pub fn snippet(&self, span: Span) -> &str {
        let Some(unit) = self.unit(span.lo) else { return "" };
        let lo = (span.lo - unit.base) as usize;
        let hi = span.hi.saturating_sub(unit.base) as usize;
        unit.text.get(lo..hi).unwrap_or("")
    }

    /// The line of (preprocessed) text around an offset, without its line end, or the empty string.
    pub fn line(&self, offset: u32) -> &str {
        let Some(unit) = self.unit(offset) else { return "" };
        let line = unit.line_index((offset - unit.base).min(unit.text.len() as u32));
        let lo = unit.line_starts.get(line).map_or(0, |&start| start as usize);
        let hi = unit.line_starts.get(line + 1).map_or(unit.text.len(), |&next| next as usize - 1);
        unit.text.get(lo..hi).unwrap_or("").trim_end_matches('\r')
    }

    /// `file:line:column` for the start of `span`, or `<unknown>`.
    pub fn describe(&self, span: Span) -> String {
        self.location(span.lo).map_or_else(|| "<unknown>".into(), |l| l.to_string())
    }
}

/// How grave a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// One function cannot be analysed, or a construct is approximated.
    Warning,
    /// The input is not a program that can be analysed.
    Error,
}

/// A message about the input, with the place it concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// A stable short name such as `unknown-type` or `unsupported-asm`.
    pub code: &'static str,
    /// One sentence without a final full stop.
    pub message: String,
    /// Where.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lead_back_to_files_and_lines() {
        let mut map = SourceMap::default();
        let text = "int a;\n# 40 \"b.h\"\nint b;\n\n  int c;";
        let base = map.add("a.i", text.into()).unwrap();
        let marker = text.find("int b").unwrap() as u32;
        map.add_marker(base + marker, &"b.h".into(), 40);
        let second = map.add("z.i", "x\r\n".into()).unwrap();
        let at = |offset: u32| map.describe(Span::new(offset, offset));
        assert_eq!(at(4), "a.i:1:5");
        assert_eq!(at(marker), "b.h:40:1");
        assert_eq!(at(text.find("c;").unwrap() as u32), "b.h:42:7");
        assert_eq!(at(text.len() as u32), "b.h:42:9");
        assert_eq!(at(second), "z.i:1:1");
        assert_eq!((map.line(marker + 2), map.line(second)), ("int b;", "x"));
        assert_eq!(map.line(text.len() as u32), "  int c;");
        assert_eq!(map.snippet(Span::new(4, 5)), "a");
        assert_eq!(SourceMap::default().location(0), None);
    }
}
