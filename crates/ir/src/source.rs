//! Positions in the program text, and the diagnostics that point at them.
//!
//! All preprocessed translation units share one offset space: a [`Span`] is a pair of 32-bit offsets into it.
//! Line markers (`# 12 "list.c"`) are kept as a sorted table, so that an offset maps back to the user's file,
//! line and column in O(log n).
//!
//! Columns are those of the preprocessed text unless the [original](SourceMap::add_original) of the file is known.

mod original;

use original::Original;
use std::borrow::Cow;
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

/// A line of the user's text with the place of a span in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt<'a> {
    /// Where the span starts.
    pub location: Location,
    /// The line, without its end.
    pub line: &'a str,
    /// How many bytes of the line, from the column on, the span covers; at least 1.
    pub width: u32,
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
    /// Files as the user wrote them, with their names.
    originals: Vec<(Arc<str>, Original)>,
}

/// Where each line of a text starts; the first at 0.
fn line_starts(text: &str) -> Vec<u32> {
    let after_newline = |(i, &b): (usize, &u8)| (b == b'\n').then_some(i as u32 + 1);
    std::iter::once(0).chain(text.as_bytes().iter().enumerate().filter_map(after_newline)).collect()
}

/// Most lines of preprocessed text that are taken together as one line of the user's.
const MAX_PIECES: usize = 64;

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
        let line_starts = line_starts(&text);
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

    /// Makes the text of a file known, by the name that line markers give it, as it was before preprocessing.
    pub fn add_original(&mut self, file: &str, text: Arc<str>) {
        self.originals.push((file.into(), Original::new(text)));
    }

    /// The files as the user wrote them, by the names that line markers give them.
    pub fn originals(&self) -> impl Iterator<Item = (&str, &str)> {
        self.originals.iter().map(|(name, original)| (&**name, original.text()))
    }

    /// The names of the files that line markers mention, each once.
    pub fn files(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> =
            self.units.iter().flat_map(|u| &u.markers).map(|m| m.file.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The user's position for an offset; `None` for an offset outside every unit.
    pub fn location(&self, offset: u32) -> Option<Location> {
        let mut location = self.processed_location(offset)?;
        if let Some((lo, _)) = self.original_extent(&location, offset) {
            location.column = lo + 1;
        }
        Some(location)
    }

    /// The position by line markers, with the column of the preprocessed text.
    fn processed_location(&self, offset: u32) -> Option<Location> {
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

    fn original_line(&self, location: &Location) -> Option<&str> {
        let (_, original) = self.originals.iter().find(|(file, _)| *file == location.file)?;
        original.line(location.line)
    }

    /// Where on the original line the token at `offset` stands, or the macro that it comes from.
    fn original_extent(&self, location: &Location, offset: u32) -> Option<(u32, u32)> {
        let written = self.original_line(location)?;
        let unit = self.unit(offset)?;
        // All pieces of text that the line became: markers inside it cut it up.
        let here = unit.line_index((offset - unit.base).min(unit.text.len() as u32));
        let belongs = |line: usize| {
            let start = unit.line_starts.get(line)?;
            let at = self.processed_location(unit.base + start)?;
            ((at.line, &at.file) == (location.line, &location.file) || self.is_marker(unit, line))
                .then_some(())
        };
        let first =
            (here.saturating_sub(MAX_PIECES)..here).rev().take_while(|&l| belongs(l).is_some()).last();
        let last = (here + 1..here + MAX_PIECES).take_while(|&l| belongs(l).is_some()).last();
        let (mut spans, mut words) = (Vec::new(), Vec::new());
        for line in first.unwrap_or(here)..=last.unwrap_or(here) {
            let (Some(&start), text) = (unit.line_starts.get(line), self.processed_line(unit, line)) else {
                break;
            };
            if line != here && self.is_marker(unit, line) {
                continue;
            }
            for (lo, hi) in original::tokens(text) {
                spans.push((unit.base + start + lo as u32, unit.base + start + hi as u32));
                words.push(text.get(lo..hi).unwrap_or(""));
            }
        }
        let found = original::tokens(written);
        let written_words: Vec<&str> =
            found.iter().map(|&(lo, hi)| written.get(lo..hi).unwrap_or("")).collect();
        let index = spans.iter().position(|&(_, hi)| offset < hi)?;
        let (partner, same) = original::align(&words, &written_words).get(index).copied()?;
        let &(lo, hi) = found.get(partner?)?;
        let inside = if same { offset.saturating_sub(spans.get(index)?.0) } else { 0 };
        Some((lo as u32 + inside, hi as u32))
    }

    /// Whether a line of a unit is a line marker or another directive.
    fn is_marker(&self, unit: &Unit, line: usize) -> bool {
        self.processed_line(unit, line).trim_start().starts_with('#')
    }

    /// The preprocessed text under `span`, byte for byte, or the empty string.
    pub fn processed(&self, span: Span) -> &str {
        let Some(unit) = self.unit(span.lo) else { return "" };
        let lo = (span.lo - unit.base) as usize;
        let hi = span.hi.saturating_sub(unit.base) as usize;
        unit.text.get(lo..hi).unwrap_or("")
    }

    /// The program text under `span`, without line markers, or the empty string.
    pub fn snippet(&self, span: Span) -> Cow<'_, str> {
        let text = self.processed(span);
        let is_marker = |line: &str| line.trim_start().starts_with('#');
        if !text.lines().skip(1).any(is_marker) {
            return text.into();
        }
        let kept: Vec<&str> =
            text.lines().enumerate().filter(|(i, l)| *i == 0 || !is_marker(l)).map(|(_, l)| l).collect();
        kept.join("\n").into()
    }

    /// What the user wrote where the text under `span` comes from: a call of a macro rather than what became of it.
    pub fn quote(&self, span: Span) -> Cow<'_, str> {
        let text = self.snippet(span);
        let Some(Excerpt { location, line, width }) = self.excerpt(span) else { return text };
        if self.original_line(&location).is_none() {
            return text;
        }
        let start = location.column as usize - 1;
        let words = |text: &str| -> Vec<String> {
            let word = |(lo, hi): (usize, usize)| text.get(lo..hi).unwrap_or("").to_owned();
            original::tokens(text).into_iter().map(word).collect()
        };
        let Some(written) = line.get(start..start + width as usize) else { return text };
        // The same, or more lines of it.
        if words(&text).starts_with(&words(written)) {
            return text;
        }
        let end = start + written.trim_end().len();
        let rest = line.get(end..).unwrap_or("");
        let is_name = written.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if !is_name || !rest.trim_start().starts_with('(') {
            return written.to_owned().into();
        }
        let mut depth = 0u32;
        for (lo, hi) in original::tokens(rest) {
            match rest.get(lo..hi) {
                Some("(") => depth += 1,
                Some(")") if depth <= 1 => {
                    return line.get(start..end + hi).unwrap_or(written).to_owned().into();
                }
                Some(")") => depth -= 1,
                _ => {}
            }
        }
        written.to_owned().into()
    }

    /// The line around an offset, without its line end, or the empty string: the user's own if it is known, else
    /// the preprocessed one.
    pub fn line(&self, offset: u32) -> &str {
        let original = self.processed_location(offset).and_then(|at| self.original_line(&at));
        original.unwrap_or_else(|| {
            let Some(unit) = self.unit(offset) else { return "" };
            self.processed_line(unit, unit.line_index((offset - unit.base).min(unit.text.len() as u32)))
        })
    }

    fn processed_line<'a>(&self, unit: &'a Unit, line: usize) -> &'a str {
        let lo = unit.line_starts.get(line).map_or(0, |&start| start as usize);
        let hi = unit.line_starts.get(line + 1).map_or(unit.text.len(), |&next| next as usize - 1);
        unit.text.get(lo..hi).unwrap_or("").trim_end_matches('\r')
    }

    /// The line that a span starts on, and how much of it the span covers.
    pub fn excerpt(&self, span: Span) -> Option<Excerpt<'_>> {
        let location = self.location(span.lo)?;
        let line = self.line(span.lo);
        let start = location.column - 1;
        let length = line.len() as u32;
        let last = span.hi.saturating_sub(1).max(span.lo);
        let width = match self.processed_location(last) {
            // The last byte on the same line of the user's: up to it, or to the end of the macro it comes from.
            Some(end) if self.original_line(&location).is_some() => {
                let same_line = (end.line, &end.file) == (location.line, &location.file);
                let end = if same_line { self.original_extent(&end, last) } else { Some((length, length)) };
                end.map_or(1, |(_, hi)| hi.saturating_sub(start))
            }
            _ => span.hi.saturating_sub(span.lo),
        };
        let width = width.clamp(1, length.saturating_sub(start).max(1));
        Some(Excerpt { location, line, width })
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

    #[test]
    fn columns_are_those_of_the_file_if_it_is_known() {
        let file =
            "#define GET(q) ((q)->next)\n\nint f(void) { /* why */ return  p == NULL || GET(p) == x; }\n";
        let text = "# 1 \"a.c\"\n\n\nint f(void) { return p == \n# 3 \"a.c\" 3 4\n((void *)0)\n# 3 \"a.c\"\n\
                    || ((p)->next) == x; }\n";
        let mut map = SourceMap::default();
        map.add("a.i", text.into()).unwrap();
        for (at, line) in [(10, 1), (text.find("((void").unwrap(), 3), (text.find("||").unwrap(), 3)] {
            map.add_marker(at as u32, &"a.c".into(), line);
        }
        let span = |part: &str| {
            let lo = text.find(part).unwrap() as u32;
            Span::new(lo, lo + part.len() as u32)
        };
        let column = |map: &SourceMap, part| map.location(span(part).lo).unwrap().column as usize;
        assert_eq!(column(&map, "x; }"), 19);
        map.add_original("a.c", file.into());
        let written = file.lines().nth(2).unwrap();
        for (part, expected) in
            [("p ==", "p =="), ("0)", "NULL"), ("x; }", "x; }"), ("->next", "GET"), ("return", "return")]
        {
            assert_eq!(column(&map, part), written.find(expected).unwrap() + 1, "{part}");
        }
        assert_eq!(map.line(span("x; }").lo), written);
        let whole = Span::new(span("p ==").lo, span("->next").hi);
        assert_eq!(map.snippet(whole), "p == \n((void *)0)\n|| ((p)->next");
        let excerpt = map.excerpt(Span::new(span("->next").lo, span("x; }").lo + 1)).unwrap();
        let (lo, width) = (excerpt.location.column as usize - 1, excerpt.width as usize);
        assert_eq!(&excerpt.line[lo..lo + width], "GET(p) == x");
        assert_eq!(map.quote(span("->next")), "GET(p)");
        assert_eq!(map.quote(span("((p)->next) == x")), "GET(p) == x");
        assert_eq!(map.quote(span("((void *)0)")), "NULL");
        assert_eq!(map.quote(span("p ==")), "p ==");
    }
}
