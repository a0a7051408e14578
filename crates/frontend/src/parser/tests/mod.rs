//! Tests of the parser on small texts. `UPDATE_EXPECT=1` rewrites the expectations.

mod bad_input;
mod declarations;
mod dump;
mod expressions;
mod statements;

use super::{ParsedUnit, parse_unit};
use crate::symbol::Interner;
use expect_test::Expect;
use heapwise_ir::SourceMap;
use std::sync::Arc;

fn parse(text: &str) -> (ParsedUnit, SourceMap, Interner) {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let base = sources.add("t.c", Arc::from(text)).expect("small");
    let parsed = parse_unit(text, base, &mut sources, &mut interner);
    (parsed, sources, interner)
}

/// `place: message [code]` for each diagnostic.
fn diagnostics(text: &str) -> Vec<String> {
    let (parsed, sources, _) = parse(text);
    let show =
        |d: &heapwise_ir::Diagnostic| format!("{}: {} [{}]", sources.describe(d.span), d.message, d.code);
    parsed.diagnostics.iter().map(show).collect()
}

/// Compares the tree and the diagnostics with the expectation.
fn check(text: &str, expect: Expect) {
    let (parsed, _, interner) = parse(text);
    let mut out = dump::Dump(&interner).unit(&parsed.unit);
    for d in diagnostics(text) {
        out += &d;
        out.push('\n');
    }
    expect.assert_eq(&out);
}

/// The dump of an expression that stands at the end of `int x = …;` after `context`.
fn check_expr(context: &str, expr: &str, expect: Expect) {
    let text = format!("{context} void f() {{ {expr}; }}");
    let (parsed, _, interner) = parse(&text);
    let shown = dump::Dump(&interner).unit(&parsed.unit);
    let last = shown.lines().last().unwrap_or("");
    let body = last.strip_prefix("(fn void f(?) (block ").and_then(|s| s.strip_suffix("))")).unwrap_or(last);
    expect.assert_eq(body);
    assert_eq!(diagnostics(&text), Vec::<String>::new());
}
