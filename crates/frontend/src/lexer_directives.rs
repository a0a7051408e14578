//! Lines that start with `#` in preprocessed text, and the `_Pragma` operator.
//!
//! Line markers go to the source map. `#pragma pack` is tracked as a table from token positions to the packing
//! in force, which the parser consults at the end of each record. `#pragma weak` is refused. Other pragmas mean nothing here. Directives
//! that only a preprocessor understands say that the input was not preprocessed: one error for all of them.

use crate::lexer::{Lexed, Tok, error};
use heapwise_ir::{SourceMap, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Deepest stack of `#pragma pack(push)` that is kept.
const MAX_PACK_STACK: usize = 10_000;

/// What directives before the current line have set.
pub(crate) struct Directives {
    base: u32,
    files: FxHashMap<Box<str>, Arc<str>>,
    file: Option<Arc<str>>,
    pack: Option<u32>,
    pack_stack: Vec<(Box<str>, Option<u32>)>,
    reported: bool,
}

impl Directives {
    pub fn new(base: u32) -> Self {
        Directives {
            base,
            files: FxHashMap::default(),
            file: None,
            pack: None,
            pack_stack: Vec::new(),
            reported: false,
        }
    }

    /// Treats the directive whose `#` stands at `lo` and whose `line` (without `#`) ends at `end`.
    pub fn directive(
        &mut self,
        line: &str,
        lo: usize,
        end: usize,
        text: &str,
        sources: &mut SourceMap,
        out: &mut Lexed,
    ) {
        let line = line.trim();
        let word_end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
        let (word, rest) = line.split_at_checked(word_end).unwrap_or((line, ""));
        match word {
            "line" => self.marker(rest.trim_start(), end, text, sources),
            "pragma" => {
                let span = Span::new(self.base + lo as u32, self.base + end as u32);
                self.pragma(rest, span, out);
            }
            "" | "ident" | "sccs" | "warning" => {}
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.marker(line, end, text, sources),
            _ => {
                if !self.reported {
                    self.reported = true;
                    let span = Span::new(self.base + lo as u32, self.base + end as u32);
                    let message = format!("'#{word}' in the input: it has to be preprocessed first");
                    out.diagnostics.push(error("not-preprocessed", message, span));
                }
            }
        }
    }

    /// `12 "file.c" flags…`
    fn marker(&mut self, line: &str, end: usize, text: &str, sources: &mut SourceMap) {
        let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
        let (number, rest) = line.split_at_checked(digits).unwrap_or((line, ""));
        let Ok(number) = number.parse::<u32>() else { return };
        if let Some(quoted) = rest.trim_start().strip_prefix('"') {
            self.file = Some(self.file_name(quoted));
        }
        let next_line = self.base + (end as u32) + 1;
        if end < text.len() {
            let file = match &self.file {
                Some(file) => file.clone(),
                // `#line 12` before any file name: the name under which the unit was added.
                None => match sources.location(self.base) {
                    Some(location) => location.file,
                    None => return,
                },
            };
            sources.add_marker(next_line, &file, number);
        }
    }

    fn file_name(&mut self, quoted: &str) -> Arc<str> {
        let mut length = 0;
        let mut escaped = false;
        for b in quoted.bytes() {
            match b {
                b'"' if !escaped => break,
                b'\\' => escaped = !escaped,
                _ => escaped = false,
            }
            length += 1;
        }
        let raw = quoted.get(..length).unwrap_or("");
        if let Some(known) = self.files.get(raw) {
            return known.clone();
        }
        let mut name = String::with_capacity(raw.len());
        let mut chars = raw.chars();
        while let Some(c) = chars.next() {
            name.extend(if c == '\\' { chars.next() } else { Some(c) });
        }
        let name: Arc<str> = name.into();
        self.files.insert(raw.into(), name.clone());
        name
    }

    /// Treats the text after `#pragma`.
    fn pragma(&mut self, text: &str, at: Span, out: &mut Lexed) {
        if text.trim_start().strip_prefix("weak").is_some_and(|rest| rest.starts_with(char::is_whitespace)) {
            let message = "'#pragma weak' is not supported; the attribute 'weak' is";
            out.diagnostics.push(error("unsupported-pragma", message.into(), at));
            return;
        }
        let Some(arguments) = text.trim_start().strip_prefix("pack") else { return };
        let Some(arguments) = arguments.trim_start().strip_prefix('(') else { return };
        let Some(close) = arguments.find(')') else { return };
        let mut value = None;
        let mut name = "";
        let mut action = "";
        for argument in arguments.get(..close).unwrap_or("").split(',').map(str::trim) {
            match argument {
                "push" | "pop" if action.is_empty() => action = argument,
                _ => match argument.parse::<u32>() {
                    Ok(n) => value = Some(n),
                    Err(_) => name = argument,
                },
            }
        }
        // Zero means the default, as no number does.
        let value = value.filter(|&n| n != 0);
        match action {
            "push" => {
                if self.pack_stack.len() < MAX_PACK_STACK {
                    self.pack_stack.push((name.into(), self.pack));
                }
                if value.is_some() {
                    self.pack = value;
                }
            }
            "pop" => {
                let to = if name.is_empty() {
                    self.pack_stack.len().checked_sub(1)
                } else {
                    self.pack_stack.iter().rposition(|(n, _)| &**n == name)
                };
                if let Some(to) = to
                    && let Some((_, before)) = self.pack_stack.drain(to..).next()
                {
                    self.pack = before;
                }
                if value.is_some() {
                    self.pack = value;
                }
            }
            _ => self.pack = value,
        }
        out.packs.push((out.tokens.len() as u32, self.pack));
    }

    /// If the newest tokens are `_Pragma ( "…" )`, removes them and treats the pragma.
    pub fn drop_pragma_operator(&mut self, text: &str, out: &mut Lexed) {
        if let [.., operator, open, string, _close] = out.tokens.as_slice()
            && operator.kind == Tok::Pragma
            && open.kind == Tok::LParen
            && string.kind == Tok::Str
        {
            let span = Span::new(string.lo, string.hi);
            let from = (string.lo - self.base) as usize;
            let to = (string.hi - self.base) as usize;
            let quoted = text.get(from..to).unwrap_or("");
            let inner = quoted.trim_start_matches(['L', 'u', '8', 'U']).trim_matches('"').replace('\\', "");
            out.tokens.truncate(out.tokens.len() - 4);
            self.pragma(&inner, span, out);
        }
    }
}
