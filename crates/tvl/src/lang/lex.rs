//! Tokens with positions.
//!
//! A string that is never closed is kept as [`Kind::Bad`]: it may stand in a part that a conditional leaves out. Characters
//! that start no token are read over, as TVLA does. A directive is the longest known word after its `%`.
//! **Invariant:** the token list ends with one [`Kind::End`], so a parser can always look at a token.

use super::LangError;
use std::rc::Rc;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name.
    Ident(String),
    /// A number as written; `1/2` is one token.
    Number(String),
    /// A string without its quotes.
    Str(String),
    /// `%word`.
    Directive(String),
    /// `%%`.
    Separator,
    /// An operator or bracket.
    Symbol(&'static str),
    /// A string without an end; a mistake only where it is used.
    Bad(String),
    /// End of input.
    End,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// File.
    pub file: Rc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Whether nothing but blanks precedes it on its line.
    pub first: bool,
    /// Whether a blank precedes it.
    pub spaced: bool,
}

impl Token {
    /// An error at this token.
    pub fn error(&self, message: impl Into<String>) -> LangError {
        LangError {
            file: self.file.to_string(),
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }

    /// How the token reads in a message.
    pub fn describe(&self) -> String {
        match &self.kind {
            Kind::Ident(s) => format!("`{s}`"),
            Kind::Number(s) => format!("`{s}`"),
            Kind::Str(s) => format!("\"{s}\""),
            Kind::Directive(s) => format!("`%{s}`"),
            Kind::Separator => "`%%`".to_string(),
            Kind::Symbol(s) => format!("`{s}`"),
            Kind::Bad(s) => s.clone(),
            Kind::End => "end of input".to_string(),
        }
    }
}

/// The words of directives.
const DIRECTIVES: [&str; 24] = [
    "a",
    "action",
    "clone",
    "closecycle",
    "compose",
    "d",
    "decompose",
    "dname",
    "f",
    "frame",
    "frame_pre",
    "i",
    "location",
    "message",
    "n",
    "new",
    "p",
    "param",
    "pset",
    "r",
    "retain",
    "s",
    "t",
    "%",
];

/// Longest first, so that a prefix never hides a longer symbol.
const SYMBOLS: [&str; 29] = [
    "-->", "==>", "<->", "->", "==", "!=", "##", "(", ")", "{", "}", "[", "]", ",", ":", ";", "=", "&", "|",
    "!", "+", "-", "*", "/", "?", "#", "<", ">", ".",
];

/// The tokens of one file, ended by [`Kind::End`].
pub(super) fn lex(file: &Rc<str>, text: &str) -> Result<Vec<Token>, LangError> {
    let chars: Vec<char> = text.chars().collect();
    let (mut i, mut line, mut column) = (0usize, 1u32, 1u32);
    let (mut first, mut spaced) = (true, true);
    let mut tokens = Vec::new();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    while i < chars.len() {
        let c = at(i);
        let start = i;
        if c == '\n' {
            i += 1;
            line += 1;
            column = 1;
            (first, spaced) = (true, true);
            continue;
        }
        let blanks = chars[i + 1..].iter().take_while(|c| **c != '\n' && c.is_whitespace()).count();
        if c == '\\' && at(i + 1 + blanks) == '\n' {
            // A continued line: the next one does not start a directive. Blanks at the end of the line do no harm.
            i += blanks + 2;
            line += 1;
            column = 1;
            spaced = true;
            continue;
        }
        if c.is_whitespace() {
            i += 1;
            column += 1;
            spaced = true;
            continue;
        }
        let here = |message: String| LangError { file: file.to_string(), line, column, message };
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && at(i) != '\n' {
                i += 1;
            }
            continue;
        }
        if c == '/' && at(i + 1) == '*' {
            let open = here("this comment is never closed".to_string());
            i += 2;
            column += 2;
            loop {
                if i >= chars.len() {
                    return Err(open);
                }
                if at(i) == '*' && at(i + 1) == '/' {
                    i += 2;
                    column += 2;
                    break;
                }
                if at(i) == '\n' {
                    line += 1;
                    column = 0;
                    first = true;
                }
                i += 1;
                column += 1;
            }
            spaced = true;
            continue;
        }
        let kind = if c.is_alphabetic() || c == '_' || c == '$' {
            while at(i).is_alphanumeric() || matches!(at(i), '_' | '$' | '.') {
                i += 1;
            }
            Kind::Ident(chars[start..i].iter().collect())
        } else if c.is_ascii_digit() {
            while at(i).is_alphanumeric() || at(i) == '_' {
                i += 1;
            }
            if i == start + 1 && c == '1' && at(i) == '/' && at(i + 1) == '2' {
                i += 2;
            }
            Kind::Number(chars[start..i].iter().collect())
        } else if c == '"' {
            // There are no escapes: a backslash stands for itself, as in the name of a file.
            i = string_end(&chars, start + 1);
            let text = chars[start + 1..i].iter().collect();
            if at(i) == '"' {
                i += 1;
                Kind::Str(text)
            } else {
                Kind::Bad("this string is never closed".to_string())
            }
        } else if c == '%' {
            i += 1;
            let blanks = chars[i..].iter().take_while(|c| c.is_whitespace()).count();
            if at(i + blanks) == '%' {
                i += blanks + 1;
                Kind::Separator
            } else {
                while at(i).is_alphanumeric() || at(i) == '_' {
                    i += 1;
                }
                let word: String = chars[start + 1..i].iter().collect();
                let known = DIRECTIVES.iter().filter(|d| word.starts_with(**d)).max_by_key(|d| d.len());
                i -= known.map_or(0, |d| word.chars().count() - d.len());
                Kind::Directive(known.map_or(word, |d| d.to_string()))
            }
        } else {
            let found = SYMBOLS.iter().find(|s| s.chars().enumerate().all(|(k, ch)| at(i + k) == ch));
            i += found.map_or(1, |s| s.len());
            match found {
                Some(&";") | None => {
                    column += 1;
                    spaced = true;
                    continue;
                }
                Some(symbol) => Kind::Symbol(symbol),
            }
        };
        tokens.push(Token { kind, file: Rc::clone(file), line, column, first, spaced });
        // Strings, and the two signs of a separator, may stand on several lines.
        let lines = chars[start..i].iter().filter(|c| **c == '\n').count();
        if lines > 0 {
            line += lines as u32;
            column = chars[..i].iter().rev().take_while(|c| **c != '\n').count() as u32 + 1;
        } else {
            column += (i - start) as u32;
        }
        (first, spaced) = (false, false);
    }
    tokens.push(Token { kind: Kind::End, file: Rc::clone(file), line, column, first: true, spaced: true });
    Ok(tokens)
}

/// Where a string ends that starts here: at its quote, which may be on a later line unless a line of the preprocessor
/// comes before it, or at the end of the line.
fn string_end(chars: &[char], start: usize) -> usize {
    let rest = &chars[start..];
    let line = rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
    let Some(quote) = rest.iter().position(|c| *c == '"') else { return start + line };
    let text: String = rest[..quote].iter().collect();
    if text.lines().skip(1).any(|l| l.trim_start().starts_with('#')) { start + line } else { start + quote }
}
