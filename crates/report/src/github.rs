//! Findings as annotations of GitHub's workflow commands: one line each, shown beside the code of a pull request.

use crate::document::{Document, Entry};
use crate::place::Place;
use heapwise_ir::Severity;

/// The lines for all findings that are shown.
pub fn text(document: &Document<'_>) -> String {
    document.entries.iter().filter(|e| e.is_shown()).map(|e| line(document, e)).collect()
}

fn line(document: &Document<'_>, entry: &Entry) -> String {
    let f = &entry.finding;
    let command = match f.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = Place::of(document.sources, f.span);
    let at = place.map_or(String::new(), |p| {
        format!("file={},line={},col={},endColumn={},", property(&p.file), p.line, p.char_column, p.char_end)
    });
    let mut message = f.message.clone();
    for note in &f.notes {
        message.push_str("\nnote: ");
        message.push_str(&note.message);
        if let Some(p) = note.span.and_then(|s| Place::of(document.sources, s)) {
            message.push_str(&format!(" ({}:{})", p.file, p.line));
        }
    }
    if let Some(hint) = &f.hint {
        message.push_str("\nhint: ");
        message.push_str(hint);
    }
    format!("::{command} {at}title={}::{}\n", property(&f.code), data(&message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_end_the_command() {
        assert_eq!(data("100 %\nnext"), "100 %25%0Anext");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
