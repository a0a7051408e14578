//! Any text at all: the lexer (through the parser that drives it) returns, and every diagnostic points into the text.
#![no_main]

use heapwise_frontend::{parser::parse_unit, symbol::Interner};
use heapwise_ir::SourceMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let Ok(base) = sources.add("fuzz.i", text.into()) else { return };
    let unit = parse_unit(text, base, &mut sources, &mut Interner::default());
    for d in &unit.diagnostics {
        assert!(d.span.lo <= d.span.hi && d.span.hi as usize <= base as usize + text.len());
    }
});
