//! Where something is, as machines want to hear it: file, line, and columns in characters.

use heapwise_ir::{SourceMap, Span};

/// A span in the user's own file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file as the command line or a line marker names it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// First column in bytes, from 1.
    pub column: u32,
    /// First column in characters (Unicode code points), from 1.
    pub char_column: u32,
    /// The column after the last, in characters; on the same line.
    pub char_end: u32,
    /// The part of the line that the span covers.
    pub text: String,
}

impl Place {
    /// The place of a span; `None` for spans outside of the program text.
    pub fn of(sources: &SourceMap, span: Span) -> Option<Place> {
        if span == Span::default() {
            return None;
        }
        let excerpt = sources.excerpt(span)?;
        let at = excerpt.location;
        let start = (at.column as usize).saturating_sub(1).min(excerpt.line.len());
        let end = (start + excerpt.width as usize).min(excerpt.line.len());
        let chars = |to: usize| excerpt.line.char_indices().take_while(|(i, _)| *i < to).count() as u32;
        let char_column = chars(start) + 1;
        Some(Place {
            file: at.file.to_string(),
            line: at.line,
            column: at.column,
            char_column,
            char_end: (chars(end) + 1).max(char_column + 1),
            text: excerpt.line.get(start..end).unwrap_or_default().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let mut sources = SourceMap::default();
        let text = "int x;\n/* é */ y = 1;\n";
        sources.add("a.c", text.into()).unwrap();
        let lo = text.find("y =").unwrap() as u32;
        let place = Place::of(&sources, Span::new(lo, lo + 1)).unwrap();
        assert_eq!((place.line, place.column, place.char_column, place.char_end), (2, 10, 9, 10));
        assert_eq!(place.text, "y");
        assert_eq!(Place::of(&sources, Span::default()), None);
    }
}
