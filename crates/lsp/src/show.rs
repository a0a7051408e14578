//! What is known of a program in the protocol's terms: diagnostics, hovers, lenses, actions.
//!
//! Lines of the protocol count from 0 and columns in UTF-16 units; ours from 1 and in bytes.

use crate::Known;
use heapwise_engine::{Point, Report};
use heapwise_heap::State;
use heapwise_ir::{Body, FuncId, Program, Severity, Span, TerminatorKind};
use heapwise_report::names::Naming;
use heapwise_report::words;
use heapwise_report::{Finding, draw};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeLens, Command, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, Hover, HoverContents, Location, MarkupContent,
    MarkupKind, NumberOrString, Range, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::{BTreeMap, HashMap};

/// A place in a text: line from 1, column from 0 in UTF-16 units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 0.
    pub column: u32,
}

/// Largest drawing that is put into a hover, in bytes.
const MAX_DRAWING: usize = 60_000;
/// Longest sentence of a lens.
const MAX_LENS: usize = 160;

/// The start of a file.
const FIRST: Range = Range { start: at(0, 0), end: at(0, 1) };

const fn at(line: u32, column: u32) -> lsp_types::Position {
    lsp_types::Position { line, character: column }
}

/// File and range of a span.
fn range(program: &Program, span: Span) -> Option<(String, Range)> {
    let e = program.sources.excerpt(span)?;
    let start = (e.location.column as usize).saturating_sub(1).min(e.line.len());
    let end = (start + e.width as usize).min(e.line.len());
    let units = |to: usize| e.line.get(..to).map_or(0, |t| t.encode_utf16().count()) as u32;
    let line = e.location.line.saturating_sub(1);
    Some((e.location.file.to_string(), Range { start: at(line, units(start)), end: at(line, units(end)) }))
}

/// What was found, by file.
pub fn diagnostics(
    program: &Program,
    findings: &[Finding],
    about: &str,
) -> BTreeMap<String, Vec<Diagnostic>> {
    let mut all: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    for f in findings {
        let place = range(program, f.span).filter(|_| f.has_place());
        // What has no place is about the whole file.
        let (file, place) = place.unwrap_or_else(|| (about.to_owned(), FIRST));
        let related = f.notes.iter().chain(&f.path).filter_map(|n| {
            let (file, range) = range(program, n.span?)?;
            let location = Location { uri: crate::uri_of(&file)?, range };
            Some(DiagnosticRelatedInformation { location, message: n.message.clone() })
        });
        let related: Vec<_> = related.take(40).collect();
        let mut message = f.message.clone();
        for more in f.certainty.iter().chain(&f.hint) {
            message.push('\n');
            message.push_str(more);
        }
        all.entry(file).or_default().push(Diagnostic {
            range: place,
            severity: Some(match f.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Note => DiagnosticSeverity::INFORMATION,
            }),
            code: Some(NumberOrString::String(f.code.clone())),
            source: Some("heapwise".into()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        });
    }
    all
}

/// Something about a file as a whole.
pub fn about_file(message: &str) -> Diagnostic {
    Diagnostic {
        range: FIRST,
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("heapwise".into()),
        message: message.to_owned(),
        ..Diagnostic::default()
    }
}

/// The name at a position.
fn word(text: &str, position: Position) -> Option<String> {
    let line = text.lines().nth(position.line.checked_sub(1)? as usize)?;
    let mut units = 0;
    let mut at = line.len();
    for (i, c) in line.char_indices() {
        if units >= position.column {
            at = i;
            break;
        }
        units += c.len_utf16() as u32;
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let before = line.get(..at)?.rfind(|c| !is_name(c)).map_or(0, |i| i + 1);
    let after = line.get(at..)?.find(|c| !is_name(c)).map_or(line.len(), |i| at + i);
    let name = line.get(before..after)?;
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then(|| name.to_owned())
}

/// A point with its states and the analysis that they are from.
type Here<'a> = (&'a Report, Point, &'a Vec<State>);

/// All points with states.
fn points(known: &Known) -> impl Iterator<Item = Here<'_>> {
    known.study.reports.iter().flat_map(|r| words::points(r).into_iter().map(move |(p, s)| (&**r, p, s)))
}

/// The function around a line, from its declarator on.
fn function_around(known: &Known, file: &str, line: u32) -> Option<(FuncId, Range)> {
    functions(known, file).filter(|(_, r)| r.start.line < line).max_by_key(|(_, r)| r.start.line)
}

/// The first point at a line or after it, in the function around it; the last one where there is none after it.
fn point_at<'a>(known: &'a Known, file: &str, line: u32) -> Option<Here<'a>> {
    let around = function_around(known, file, line).map(|(f, _)| f);
    let mut best: Option<((bool, u32), Here<'a>)> = None;
    for here in points(known) {
        let (_, point, states) = here;
        if states.is_empty() || around.is_some_and(|f| f != point.function) {
            continue;
        }
        let Some(l) = known.program.sources.location(words::span_of(&known.program, point).lo) else {
            continue;
        };
        if *l.file != *file {
            continue;
        }
        let rank = (l.line < line, l.line.abs_diff(line));
        if best.as_ref().is_none_or(|(b, ..)| rank < *b) {
            best = Some((rank, here));
        }
    }
    best.map(|(_, here)| here)
}

/// What a variable leads to at a point, in words and as a picture.
pub fn hover(known: &Known, file: &str, text: &str, position: Position) -> Option<Hover> {
    let name = word(text, position)?;
    let (report, point, states) = point_at(known, file, position.line)?;
    let naming = Naming::at(&known.program, report, point.function)?;
    let mut cases: Vec<String> = Vec::new();
    for s in states {
        let told = words::about(s, &name, naming);
        if !told.is_empty() && !cases.contains(&told) {
            cases.push(told);
        }
    }
    if cases.is_empty() {
        return None;
    }
    let mut value = match cases.as_slice() {
        [one] => one.clone(),
        all => all.iter().map(|c| format!("- {c}")).collect::<Vec<_>>().join("\n"),
    };
    let telling = states.iter().max_by_key(|s| words::about(s, &name, naming).len());
    if let Some(state) = telling {
        let drawing = draw::svg(&draw::state::picture(state, naming));
        if drawing.len() <= MAX_DRAWING {
            value.push_str(&format!("\n\n![memory](data:image/svg+xml,{})", encoded(&drawing)));
        }
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: None })
}

/// Text in a URI.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for b in text.bytes() {
        match b {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'='
            | b':'
            | b';'
            | b','
            | b'/' => out.push(char::from(b)),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

/// What holds where a function is called, and where it returns.
fn called_and_returns(known: &Known, function: FuncId) -> Option<(String, String)> {
    let start = Point { function, block: Body::ENTRY, index: 0 };
    let (report, _, entry) = points(known).find(|(_, point, _)| *point == start)?;
    let naming = Naming::at(&known.program, report, function)?;
    let returns = |p: &Point| {
        p.function == function
            && naming.body.blocks.get(p.block).is_some_and(|b| {
                p.index == b.statements.len() && matches!(b.terminator.kind, TerminatorKind::Return(_))
            })
    };
    let all = words::points(report);
    let exits: Vec<State> =
        all.iter().filter(|(p, _)| returns(p)).flat_map(|(_, s)| s.iter().cloned()).collect();
    Some((words::sentence(entry, naming), words::sentence(&exits, naming)))
}

/// The functions of a file that have a body, with the places of their names.
fn functions<'a>(known: &'a Known, file: &'a str) -> impl Iterator<Item = (FuncId, Range)> + 'a {
    known.program.functions.iter_enumerated().filter_map(move |(id, f)| {
        let (at, range) = range(&known.program, f.span)?;
        (at == file && known.program.body(id).is_some()).then_some((id, range))
    })
}

/// A lens above each function of which something is known: its contract, or what it is called with and returns.
pub fn lenses(known: &Known, file: &str) -> Vec<CodeLens> {
    let one = |(id, range): (FuncId, Range)| {
        let mut title = match known.study.contracts.get(&id) {
            Some(contract) => {
                let text = contract.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let whose = if contract.declared { "contract" } else { "contract found" };
                format!("{whose}: {text}")
            }
            None => {
                let (entry, exit) = called_and_returns(known, id)?;
                format!("called when {}; returns when {}", entry.replace('`', ""), exit.replace('`', ""))
            }
        };
        if title.chars().count() > MAX_LENS {
            title = title.chars().take(MAX_LENS).chain(['…']).collect();
        }
        let command = Command { title, command: String::new(), arguments: None };
        Some(CodeLens { range, command: Some(command), data: None })
    };
    functions(known, file).filter_map(one).collect()
}

/// Writing above a function what was found out about it: the contract that was verified, or else a comment that says what it is
/// called with and returns. There is nothing to write above one that has a contract.
pub fn actions(
    known: &Known,
    file: &str,
    uri: &Uri,
    text: &str,
    position: Position,
) -> Vec<CodeActionOrCommand> {
    let Some((id, range)) = function_around(known, file, position.line) else { return Vec::new() };
    let name = known.program.functions.get(id).map_or("function", |f| &f.name);
    // The text may be newer than what is known of it.
    let lines: Vec<&str> = text.lines().collect();
    let declarator = range.start.line as usize;
    if !lines.get(declarator).is_some_and(|line| line.contains(name)) {
        return Vec::new();
    }
    let plain = |text: String| text.replace("*/", "* /");
    let (title, comment) = match known.study.contracts.get(&id) {
        Some(contract) if contract.declared => return Vec::new(),
        Some(contract) => {
            let clauses = contract.text.trim_end().replace('\n', "\n    ");
            (format!("Insert the contract of `{name}`"), format!("/*@ {clauses} */\n"))
        }
        None => {
            let Some((entry, exit)) = called_and_returns(known, id) else { return Vec::new() };
            let (entry, exit) = (plain(entry), plain(exit));
            let title = format!("Insert what `{name}` is called with and returns");
            (title, format!("/* Called when: {entry}.\n * Returns when: {exit}. */\n"))
        }
    };
    let line = at(definition_start(&lines, declarator) as u32, 0);
    let edit = TextEdit { range: Range { start: line, end: line }, new_text: comment };
    #[allow(clippy::mutable_key_type, reason = "the protocol's own type is keyed by URIs")]
    let changes = HashMap::from([(uri.clone(), vec![edit])]);
    vec![CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::REFACTOR),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        ..CodeAction::default()
    })]
}

/// The line on which a definition starts whose declarator stands on this line: the type may stand on lines before it.
fn definition_start(lines: &[&str], declarator: usize) -> usize {
    let continues = |line: &&str| {
        let line = line.trim();
        let ends = line.is_empty() || [";", "}", "{", "*/"].iter().any(|end| line.ends_with(end));
        !ends && !line.starts_with('#') && !line.starts_with("//")
    };
    let before = lines.iter().take(declarator).rev().take_while(|line| continues(line)).count();
    declarator - before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_before_the_whole_definition() {
        let lines = |text: &'static str| text.lines().collect::<Vec<_>>();
        assert_eq!(definition_start(&lines("int f(void)"), 0), 0);
        assert_eq!(definition_start(&lines("int x;\nstatic struct node *\nf(void)"), 2), 1);
        assert_eq!(definition_start(&lines("/* f */\nint\nf(void)"), 2), 1);
        assert_eq!(definition_start(&lines("#define A 1\nint f(void)"), 1), 1);
        assert_eq!(definition_start(&lines("}\n\nint f(void)"), 2), 2);
    }

    #[test]
    fn names_are_found_under_the_cursor() {
        let text = "int x;\n  é = list->next;\n";
        let at = |line, column| word(text, Position { line, column });
        assert_eq!(at(2, 7).as_deref(), Some("list"));
        assert_eq!(at(2, 12).as_deref(), Some("next"));
        assert_eq!(at(2, 4), None);
        assert_eq!(at(9, 0), None);
    }
}
