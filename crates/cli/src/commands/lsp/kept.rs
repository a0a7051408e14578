//! What stays true of functions when a program changes elsewhere.
//!
//! What the analysis says of a function by itself depends on its text, on that of the functions that it calls, on everything that
//! stands outside of functions, and on the settings. A [`Fingerprint`] is a digest of these; where it is the same, so is the answer.
//! The texts are those after preprocessing, without line markers, blank lines and white space around lines, so that comments
//! and places make no difference. Within a line nothing is left out: there may be white space in a literal.

use heapwise_ir::{CallGraph, FuncId, Program, Span};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// A digest of all that the answer about a function depends on.
pub type Fingerprint = [u8; 32];

/// Most answers that are kept.
const MAX_KEPT: usize = 20_000;

/// Digests of the texts of a program.
pub struct Texts {
    calls: CallGraph,
    functions: HashMap<FuncId, Fingerprint>,
    outside: Fingerprint,
}

fn add(hash: &mut Sha256, text: &str) {
    let is_marker = |line: &str| {
        let rest = line.strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()) || r.starts_with("line "))
    };
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !is_marker(l)) {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
}

impl Texts {
    /// The texts of a program that is analysed under some settings.
    pub fn new(program: &Program, units: &[heapwise_frontend::SourceUnit], settings: &str) -> Texts {
        let mut extents: Vec<(Span, FuncId)> = program
            .functions
            .iter_enumerated()
            .filter_map(|(id, f)| Some((Span::new(f.span.lo, program.body(id)?.end.hi), id)))
            .collect();
        extents.sort_by_key(|(span, _)| span.lo);
        let mut functions = HashMap::new();
        let mut outside = Sha256::new();
        outside.update(settings.as_bytes());
        // Units follow each other with one byte between them.
        let mut base = 0u32;
        for unit in units {
            let end = base + unit.text.len() as u32;
            let mut at = base;
            outside.update(format!("\0{}\0", unit.name).as_bytes());
            for (span, id) in extents.iter().filter(|(s, _)| s.lo >= base && s.hi <= end) {
                if span.lo < at {
                    continue;
                }
                add(&mut outside, program.sources.processed(Span::new(at, span.lo)));
                outside.update(b"\0");
                let mut hash = Sha256::new();
                add(&mut hash, program.sources.processed(*span));
                functions.insert(*id, hash.finalize().into());
                at = span.hi;
            }
            add(&mut outside, program.sources.processed(Span::new(at, end)));
            base = end + 1;
        }
        Texts { calls: CallGraph::new(program), functions, outside: outside.finalize().into() }
    }

    /// The digest for a function; none if its text, or that of one that it may call, is not known as a piece of its own.
    pub fn of(&self, program: &Program, function: FuncId) -> Option<Fingerprint> {
        let mut hash = Sha256::new();
        hash.update(self.outside);
        hash.update(program.functions.get(function)?.name.as_bytes());
        let mut reached: Vec<(&str, &Fingerprint)> = Vec::new();
        for f in self.calls.reachable_from(function).iter().filter(|f| program.body(*f).is_some()) {
            reached.push((&program.functions.get(f)?.name, self.functions.get(&f)?));
        }
        reached.sort_unstable();
        for (name, text) in reached {
            hash.update(b"\0");
            hash.update(name.as_bytes());
            hash.update(text);
        }
        Some(hash.finalize().into())
    }

    /// The digest for all of a program.
    pub fn all(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(self.outside);
        let mut all: Vec<(&FuncId, &Fingerprint)> = self.functions.iter().collect();
        all.sort_unstable();
        all.into_iter().for_each(|(_, text)| hash.update(text));
        hash.finalize().into()
    }
}

/// Answers by fingerprint.
pub struct Kept<T>(HashMap<Fingerprint, T>);

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(HashMap::new())
    }
}

impl<T: Clone> Kept<T> {
    /// The answer that is known.
    pub fn get(&self, print: Option<Fingerprint>) -> Option<T> {
        self.0.get(&print?).cloned()
    }

    /// Keeps an answer.
    pub fn put(&mut self, print: Option<Fingerprint>, answer: T) {
        let Some(print) = print else { return };
        if self.0.len() >= MAX_KEPT {
            self.0.clear();
        }
        self.0.insert(print, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_frontend::SourceUnit;
    use heapwise_ir::DataModel;

    const PROGRAM: &str = "# 1 \"a.c\"\nint g;\nint leaf(int x)\n{\n  return x;\n}\nint user(void)\n{\n  return leaf(1);\n}\nint other(void)\n{\n  return \"a  b\"[1];\n}\n";

    /// Fingerprints of `leaf`, `user`, `other`, and of everything.
    fn prints(text: &str) -> Vec<Option<Fingerprint>> {
        let units = [SourceUnit { name: "a.c".into(), text: text.into() }];
        let (program, diagnostics) = heapwise_frontend::compile(&units, DataModel::Lp64);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let texts = Texts::new(&program, &units, "");
        let of = |name: &str| texts.of(&program, program.function_named(name).unwrap());
        let all: Vec<_> = vec![of("leaf"), of("user"), of("other"), Some(texts.all())];
        assert!(all.iter().all(Option::is_some));
        all
    }

    /// Whether each of them is as in the program above.
    fn same(text: &str) -> Vec<bool> {
        prints(PROGRAM).into_iter().zip(prints(text)).map(|(a, b)| a == b).collect()
    }

    #[test]
    fn a_change_concerns_the_function_and_those_that_call_it() {
        let with = |from: &str, to: &str| {
            assert!(PROGRAM.contains(from), "{from}");
            same(&PROGRAM.replace(from, to))
        };
        assert_eq!(with("  return x;", "\n# 9 \"a.c\"\n      return x;"), [true; 4]);
        assert_eq!(with("return x;", "return x + 1;"), [false, false, true, false]);
        assert_eq!(with("leaf(1)", "leaf(2)"), [true, false, true, false]);
        assert_eq!(with("int g;", "long g;"), [false; 4]);
        // White space in a literal counts, and so does a pragma.
        assert_eq!(with("a  b", "a b"), [true, true, false, false]);
        assert_eq!(with("int g;", "#pragma pack(1)\nint g;"), [false; 4]);
    }
}
