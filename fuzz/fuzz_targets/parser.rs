//! Text made of C tokens: the parser returns whatever their order.
#![no_main]

use heapwise_frontend::{parser::parse_unit, symbol::Interner};
use heapwise_ir::SourceMap;
use libfuzzer_sys::fuzz_target;

const TOKENS: &[&str] = &[
    "int", "char", "unsigned", "long", "struct", "union", "enum", "typedef", "static", "extern", "const", "void",
    "if", "else", "while", "do", "for", "switch", "case", "default", "break", "continue", "return", "goto", "sizeof",
    "typeof", "_Generic", "_Static_assert", "_Alignas", "__attribute__", "__extension__", "asm", "inline", "a", "b",
    "T", "main", "0", "1", "2.5", "'c'", "\"s\"", "(", ")", "{", "}", "[", "]", "((", "))", ";", ",", ":", "::", "?",
    ".", "...", "->", "++", "--", "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|",
    "^", "&&", "||", "!", "~", "=", "+=", "-=", "*=", "\n", "# 1 \"f.c\"\n", "/*@ x */",
];

fuzz_target!(|bytes: &[u8]| {
    let text: String = bytes.iter().flat_map(|&b| [TOKENS[b as usize % TOKENS.len()], " "]).collect();
    let mut sources = SourceMap::default();
    let Ok(base) = sources.add("fuzz.i", text.as_str().into()) else { return };
    parse_unit(&text, base, &mut sources, &mut Interner::default());
});
