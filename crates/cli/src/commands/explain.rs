//! `heapwise explain`: what a code means, with an example, from the page `docs/diagnostics.md`.
//!
//! The page is part of the program. Its tables have the columns `code`, `meaning` and, where there is one, `example` and
//! `what to do`; a code is described in one row and nowhere else.

use crate::exit::Exit;
use crate::options::Explain;
use crate::output;

/// What stands for the end of a line in an example.
const BREAK: char = '↵';
/// The page on diagnostics.
const PAGE: &str = include_str!("../../../../docs/diagnostics.md");

/// A row of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The heading above its table.
    pub section: &'static str,
    /// The code.
    pub code: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// C text that is reported with it, or a command line.
    pub example: Option<&'static str>,
    /// What to do about it.
    pub advice: Option<&'static str>,
}

/// All rows of the page.
pub fn entries() -> Vec<Entry> {
    let mut section = "";
    let mut found = Vec::new();
    for line in PAGE.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        }
        let Some(row) = line.strip_prefix("| `").and_then(|r| r.strip_suffix('|')) else { continue };
        let mut columns = row.split(" | ").map(str::trim);
        let Some(code) = columns.next().and_then(|c| c.strip_suffix('`')) else { continue };
        let meaning = columns.next().unwrap_or_default();
        let filled = |text: Option<&'static str>| text.filter(|t| !t.is_empty());
        let example = filled(columns.next());
        found.push(Entry { section, code, meaning, example, advice: filled(columns.next()) });
    }
    found
}

/// What a code means, in one phrase.
pub fn about(code: &str) -> Option<&'static str> {
    entries().into_iter().find(|e| e.code == code).map(|e| e.meaning)
}

/// What to do about a code.
pub fn advice(code: &str) -> Option<&'static str> {
    entries().into_iter().find(|e| e.code == code).and_then(|e| e.advice)
}

/// Prints the page of a code, or the list of all.
pub fn run(options: &Explain) -> Exit {
    let all = entries();
    let Some(code) = &options.code else {
        let width = all.iter().map(|e| e.code.len()).max().unwrap_or(0);
        let mut text = String::new();
        let mut section = "";
        for e in &all {
            if e.section != section {
                section = e.section;
                text.push_str(&format!("\n{section}\n"));
            }
            text.push_str(&format!("  {:width$}  {}\n", e.code, e.meaning));
        }
        output::print(text.trim_start());
        return Exit::Proved;
    };
    // People copy what they see: `error[leak]`, `[leak]`.
    let plain = code.rsplit_once('[').map_or(code.as_str(), |(_, c)| c).trim_end_matches(']');
    let found: Vec<&Entry> = all.iter().filter(|e| e.code == plain).collect();
    if found.is_empty() {
        let mut near: Vec<(usize, &str)> =
            all.iter().map(|e| (super::check::edits(plain, e.code), e.code)).collect();
        near.sort_unstable();
        near.dedup();
        let close: Vec<String> = near
            .iter()
            .filter(|(n, c)| *n <= plain.len().max(c.len()) / 3 || c.contains(plain))
            .take(3)
            .map(|(_, c)| format!("`{c}`"))
            .collect();
        let more = if close.is_empty() { String::new() } else { format!("; there is {}", close.join(", ")) };
        output::error(&format!("there is no code `{plain}`{more}; `heapwise explain` lists all"));
        return Exit::BadInput;
    }
    let pages: Vec<String> = found.iter().map(|e| page(e)).collect();
    output::print(&pages.join("\n"));
    Exit::Proved
}

fn page(e: &Entry) -> String {
    let mut text = format!("{}  ({})\n\n  {}\n", e.code, e.section.to_lowercase(), e.meaning);
    if let Some(example) = e.example {
        let plain = example.trim_matches('`');
        let (what, shown) = match plain.strip_prefix("$ ") {
            Some(command) => ("Example", format!("$ {command}")),
            None => ("Example program", laid_out(plain)),
        };
        text.push_str(&format!("\n{what}:\n\n"));
        for line in shown.lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    if let Some(advice) = e.advice {
        text.push_str(&format!("\nWhat to do: {advice}\n"));
    }
    text
}

/// C text of one line as several: a line for each statement and each brace.
pub fn laid_out(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    let mut parentheses = 0i32;
    let mut in_text = None;
    let mut initialiser = 0usize;
    let mut fresh = true;
    let mut previous = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if fresh && c == ' ' {
            continue;
        }
        // Where the page has to break a line, it says so.
        if c == BREAK {
            out.push('\n');
            (fresh, in_text) = (true, None);
            continue;
        }
        if fresh {
            let indent = if c == '}' { depth.saturating_sub(1) } else { depth };
            out.push_str(&"    ".repeat(indent));
            fresh = false;
        }
        out.push(c);
        if let Some(quote) = in_text {
            if c == quote && previous != '\\' {
                in_text = None;
            }
            previous = c;
            continue;
        }
        match c {
            '"' | '\'' => in_text = Some(c),
            '(' | '[' => parentheses += 1,
            ')' | ']' => parentheses -= 1,
            '{' if previous == '=' || previous == ',' || initialiser > 0 => initialiser += 1,
            '}' if initialiser > 0 => initialiser -= 1,
            '{' if parentheses == 0 => depth += 1,
            '}' if parentheses == 0 => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = parentheses == 0 && initialiser == 0 && (c == '{' || c == ';' || c == '}');
        // What closes a declaration stays on its line.
        let mut rest = chars.clone();
        let next = rest.find(|n| *n != ' ');
        let declarator = c == '}' && next.is_some_and(|n| n == ';' || n == '*' || n == ',');
        if ends && !declarator && (c != '}' || previous != '{') {
            out.push('\n');
            fresh = true;
        }
        if c != ' ' {
            previous = c;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_with_their_columns() {
        let all = entries();
        assert!(all.len() > 100, "{} codes", all.len());
        let leak = all.iter().find(|e| e.code == "leak").unwrap();
        assert!(leak.meaning.contains("still allocated"));
        assert_eq!(about("no such"), None);
        let bare: Vec<&str> = all.iter().filter(|e| e.example.is_none()).map(|e| e.code).collect();
        assert_eq!(bare, Vec::<&str>::new(), "every code has an example");
    }

    #[test]
    fn programs_of_one_line_are_laid_out() {
        let text = "struct s { int a; }; int main(void) { int x[2] = { 1, 2 }; for (int i = 0; i < 2; i++) { x[i]++; } return x[0]; }";
        let expected = "struct s {\n    int a;\n};\nint main(void) {\n    int x[2] = { 1, 2 };\n    for (int i = 0; i < 2; i++) {\n        x[i]++;\n    }\n    return x[0];\n}\n";
        assert_eq!(laid_out(text), expected);
    }
}
