//! Witnesses of verdicts, in the YAML format 2.0 of the software-verification competition.
//!
//! A violation witness follows the inputs: each call of an input function returns a given value, then the target is
//! reached. A correctness witness gives invariants of loops over program variables.

use heapwise_ir::{Program, SourceMap, Span};
use std::fmt::Write as _;

/// What every witness says about its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metadata {
    /// A name of this witness that no other has.
    pub uuid: String,
    /// When it was made, as in RFC 3339.
    pub creation_time: String,
    /// The version of the tool.
    pub version: String,
    /// Settings needed to replay it, if any.
    pub configuration: Option<String>,
    /// The files of the program with the SHA-256 of their contents.
    pub input_files: Vec<(String, String)>,
    /// The property, in the competition's notation.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: &'static str,
}

/// A value that an input function returned.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The statement with the call.
    pub span: Span,
    /// The function that was called.
    pub source: String,
    /// The value as a C constant.
    pub value: String,
}

/// A fact about a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The first thing that the loop head evaluates.
    pub span: Span,
    /// The function.
    pub function: String,
    /// A C expression.
    pub value: String,
}

/// A witness of a violation: the inputs, then the place.
pub fn violation(metadata: &Metadata, program: &Program, inputs: &[Input], target: Span) -> String {
    let mut out = head("violation_sequence", metadata);
    let sources = &program.sources;
    for input in inputs {
        // The call returns at its closing parenthesis.
        let at = closing(sources, input.span, &input.source);
        out.push_str("  - segment:\n    - waypoint:\n        type: \"function_return\"\n");
        out.push_str("        action: \"follow\"\n        constraint:\n");
        let _ = writeln!(out, "          value: {}", quoted(&format!("\\result == {}", input.value)));
        out.push_str("          format: \"c_expression\"\n");
        out.push_str(&location(sources, at, function_at(program, input.span).as_deref(), 8));
    }
    out.push_str("  - segment:\n    - waypoint:\n        type: \"target\"\n        action: \"follow\"\n");
    out.push_str(&location(sources, target.lo, function_at(program, target).as_deref(), 8));
    out
}

/// A witness of correctness: invariants of loops.
pub fn correctness(metadata: &Metadata, program: &Program, invariants: &[Invariant]) -> String {
    let mut out = head("invariant_set", metadata);
    let mut any = false;
    for invariant in invariants {
        let Some(at) = loop_keyword(&program.sources, invariant.span) else { continue };
        any = true;
        out.push_str("  - invariant:\n      type: \"loop_invariant\"\n");
        out.push_str(&location(&program.sources, at, Some(&invariant.function), 6));
        let _ = writeln!(out, "      value: {}", quoted(&invariant.value));
        out.push_str("      format: \"c_expression\"\n");
    }
    if !any {
        // An empty list is written so.
        out.truncate(out.trim_end().len());
        out.push_str(" []\n");
    }
    out
}

fn head(entry_type: &str, metadata: &Metadata) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "- entry_type: {}", quoted(entry_type));
    let _ = writeln!(out, "  metadata:\n    format_version: \"2.0\"\n    uuid: {}", quoted(&metadata.uuid));
    let _ = writeln!(out, "    creation_time: {}", quoted(&metadata.creation_time));
    let _ = writeln!(
        out,
        "    producer:\n      name: \"Heapwise\"\n      version: {}",
        quoted(&metadata.version)
    );
    if let Some(configuration) = &metadata.configuration {
        let _ = writeln!(out, "      configuration: {}", quoted(configuration));
    }
    out.push_str("    task:\n      input_files:\n");
    for (file, _) in &metadata.input_files {
        let _ = writeln!(out, "      - {}", quoted(file));
    }
    out.push_str("      input_file_hashes:\n");
    for (file, hash) in &metadata.input_files {
        let _ = writeln!(out, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&metadata.specification));
    let _ = writeln!(out, "      data_model: {}\n      language: \"C\"", quoted(metadata.data_model));
    out.push_str("  content:\n");
    out
}

/// A YAML string in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn location(sources: &SourceMap, offset: u32, function: Option<&str>, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let mut out = format!("{pad}location:\n");
    let (file, line, column) = sources
        .location(offset)
        .map_or_else(|| (String::new(), 1, 1), |l| (l.file.to_string(), l.line, l.column));
    let _ = writeln!(out, "{pad}  file_name: {}", quoted(&file));
    let _ = writeln!(out, "{pad}  line: {line}\n{pad}  column: {column}");
    if let Some(function) = function {
        let _ = writeln!(out, "{pad}  function: {}", quoted(function));
    }
    out
}

/// The function with a statement at exactly this span.
fn function_at(program: &Program, span: Span) -> Option<String> {
    let holds = |body: &heapwise_ir::Body| {
        body.blocks.iter().any(|b| b.terminator.span == span || b.statements.iter().any(|s| s.span == span))
    };
    let mut functions = program.functions.iter_enumerated();
    functions.find(|(id, _)| program.body(*id).is_some_and(holds)).map(|(_, f)| f.name.to_string())
}

/// The closing parenthesis of the call of a function inside a span, or the end of the span.
fn closing(sources: &SourceMap, span: Span, function: &str) -> u32 {
    let text = sources.processed(span);
    let Some(name) = text.find(function) else { return span.hi.saturating_sub(1).max(span.lo) };
    let mut depth = 0u32;
    for (i, c) in text.char_indices().skip_while(|(i, _)| *i < name) {
        match c {
            '(' => depth += 1,
            ')' if depth <= 1 => return span.lo + i as u32,
            ')' => depth -= 1,
            _ => {}
        }
    }
    span.hi.saturating_sub(1).max(span.lo)
}

/// The keyword of the loop around a condition, if the text shows it: the word before the parenthesis that is open.
fn loop_keyword(sources: &SourceMap, condition: Span) -> Option<u32> {
    /// Farthest that a keyword is looked for.
    const MAX_BYTES: u32 = 2_000;
    let from = condition.lo.saturating_sub(MAX_BYTES);
    let text = (from..=condition.lo).find_map(|lo| {
        let text = sources.processed(Span::new(lo, condition.lo));
        (!text.is_empty()).then_some((lo, text))
    });
    let (start, text) = text?;
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0i32, bytes.len());
    while at > 0 {
        at -= 1;
        match bytes[at] {
            b')' => depth += 1,
            b'(' if depth == 0 => {
                let before = text.get(..at)?.trim_end();
                let keyword = ["while", "for"].into_iter().find(|k| {
                    before
                        .strip_suffix(k)
                        .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
                });
                if let Some(keyword) = keyword {
                    return Some(start + (before.len() - keyword.len()) as u32);
                }
                // Inside a parenthesis of the condition itself.
            }
            b'(' => depth -= 1,
            b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_for_yaml() {
        assert_eq!(quoted("\\result == 1"), "\"\\\\result == 1\"");
        assert_eq!(quoted("a \"b\"\n"), "\"a \\\"b\\\"\\u000a\"");
    }

    #[test]
    fn the_keyword_before_a_condition_is_found() {
        let mut sources = SourceMap::default();
        let text = "x = 1; while ((a && b)) { for (i = 0; i < 3; i++) f(i); } g(z);";
        sources.add("a.c", text.into()).unwrap();
        let at = |what: &str| {
            let lo = text.find(what).unwrap() as u32;
            loop_keyword(&sources, Span::new(lo, lo + what.len() as u32))
        };
        assert_eq!(at("a && b"), Some(7));
        assert_eq!(at("i < 3"), text.find("for").map(|i| i as u32));
        assert_eq!(at("z"), None);
        let call = Span::new(text.find("f(i)").unwrap() as u32, text.find("f(i);").unwrap() as u32 + 4);
        assert_eq!(closing(&sources, call, "f"), call.lo + 3);
    }
}
