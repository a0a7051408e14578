//! A short, deterministic version of the fuzz targets in `fuzz/`: mutated programs must not make a stage panic,
//! diagnostics point into the text, and whatever is lowered is well-formed.

use heapwise_frontend::parser::parse_unit;
use heapwise_frontend::symbol::Interner;
use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, SourceMap, verify};
use std::path::Path;

/// Names that the programs take from headers; directives are cut out of their text.
const PRELUDE: &str = "typedef unsigned long size_t; typedef int bool; int printf(const char *, ...);\n\
    void *malloc(size_t), *calloc(size_t, size_t), free(void *), abort(void), *memcpy(void *, const void *, size_t);\n\
    size_t strlen(const char *); int strcmp(const char *, const char *), putchar(int), puts(const char *);\n\
    typedef unsigned char uint8_t; typedef unsigned uint32_t; typedef unsigned long uint64_t; typedef int int32_t;\n";

/// A small generator of numbers that depends on nothing but its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// The programs under `tests/run`, without directives.
fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut files = Vec::new();
    for family in std::fs::read_dir(root).unwrap().flatten() {
        for file in std::fs::read_dir(family.path()).into_iter().flatten().flatten() {
            if file.path().extension().is_some_and(|e| e == "c") {
                files.push(file.path());
            }
        }
    }
    files.sort();
    assert!(files.len() >= 100, "only {} programs", files.len());
    let keep = |line: &&str| !line.trim_start().starts_with('#');
    files
        .iter()
        .map(|f| {
            let text = std::fs::read_to_string(f).unwrap();
            PRELUDE.to_owned() + &text.lines().filter(keep).collect::<Vec<_>>().join("\n")
        })
        .collect()
}

const FRAGMENTS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "->",
    ".",
    "=",
    "?",
    ":",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\\",
    "0x",
    "1e",
    "struct",
    "union",
    "enum",
    "typedef",
    "sizeof",
    "goto",
    "case",
    "default:",
    "return",
    "...",
    "__attribute__((",
    "_Generic(",
    "({",
    "})",
    "typeof(",
    "0",
    "18446744073709551616",
    "-1",
    "\n# 1 \"x.c\"\n",
    "é",
    "\u{0}",
    "int",
    "x",
    "static",
    "void",
    "[1000000000]",
    ": 3",
    "<<",
    "/",
    "%",
    "while",
    "for(;;)",
    "switch",
    "break",
    "continue",
    "asm(",
];

/// One to four random edits of a program: cut, double, move, or insert a fragment, at token-like borders.
fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(4) {
        let place = |text: &str, random: &mut Random| {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let at = place(&text, random);
        let end = {
            let mut end = (at + 1 + random.below(40)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            end
        };
        match random.below(5) {
            0 => text.replace_range(at..end.max(at), ""),
            1 => {
                let copy = text[at..end.max(at)].to_owned();
                text.insert_str(at, &copy);
            }
            2 => {
                let from = place(other, random);
                let mut to = (from + 60).min(other.len());
                while !other.is_char_boundary(to) {
                    to += 1;
                }
                text.insert_str(at, &other[from..to]);
            }
            3 => text.truncate(at),
            _ => text.insert_str(at, FRAGMENTS[random.below(FRAGMENTS.len())]),
        }
    }
    text
}

fn parse(text: &str) {
    let mut sources = SourceMap::default();
    let base = sources.add("smoke.i", text.into()).unwrap();
    let unit = parse_unit(text, base, &mut sources, &mut Interner::default());
    for d in &unit.diagnostics {
        assert!(d.span.lo <= d.span.hi && d.span.hi as usize <= text.len(), "{d:?}");
        assert!(!d.message.is_empty() && !d.message.ends_with('.'), "{d:?}");
    }
}

#[test]
fn lexer_takes_any_text() {
    let mut random = Random(1);
    for _ in 0..2000 {
        let pieces = 1 + random.below(30);
        let text: String = (0..pieces)
            .map(|_| match random.below(3) {
                0 => FRAGMENTS[random.below(FRAGMENTS.len())].to_owned(),
                1 => char::from_u32(random.below(0x3000) as u32).unwrap_or('?').to_string(),
                _ => char::from(32 + random.below(95) as u8).to_string(),
            })
            .collect();
        parse(&text);
    }
}

#[test]
fn parser_takes_any_program() {
    let corpus = corpus();
    let mut random = Random(2);
    for _ in 0..2000 {
        let (a, b) = (random.below(corpus.len()), random.below(corpus.len()));
        parse(&mutate(&corpus[a], &corpus[b], &mut random));
    }
}

#[test]
fn lowering_gives_well_formed_code() {
    let corpus = corpus();
    let mut random = Random(3);
    for round in 0..1000 {
        let (a, b) = (random.below(corpus.len()), random.below(corpus.len()));
        let text = mutate(&corpus[a], &corpus[b], &mut random);
        let model = if round % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let unit = SourceUnit { name: "smoke.i".into(), text: text.as_str().into() };
        let (program, _) = compile(&[unit], model);
        let violations = verify::program(&program);
        assert!(violations.is_empty(), "{}\n{text}", violations[0].describe(&program));
    }
}
