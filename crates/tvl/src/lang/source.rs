//! Tokens with positions, and a preprocessor on tokens: `#include`, `#define` (with and without
//! parameters), `#undef`, `#ifdef`, `#ifndef`, `#if 0`, `#if 1`, `#if defined(X)`, `#else`, `#endif`.
//!
//! **Invariant:** the token list ends with one [`Kind::End`], so a parser can always look at a token.

use super::{Includer, LangError};
use rustc_hash::FxHashMap;
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
            Kind::End => "end of input".to_string(),
        }
    }
}

/// Longest first, so that a prefix never hides a longer symbol.
const SYMBOLS: [&str; 30] = [
    "-->", "==>", "<->", "->", "==", "!=", "|/", "&/", "(", ")", "{", "}", "[", "]", ",", ":", ";", "=", "&",
    "|", "!", "+", "-", "*", "/", "?", "#", "<", ">", ".",
];

fn lex(file: &Rc<str>, text: &str) -> Result<Vec<Token>, LangError> {
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
        if c == '\\' && (at(i + 1) == '\n' || (at(i + 1) == '\r' && at(i + 2) == '\n')) {
            // A continued line: the next one does not start a directive.
            i += if at(i + 1) == '\n' { 2 } else { 3 };
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
            i += 1;
            let mut s = String::new();
            loop {
                match at(i) {
                    '"' => break,
                    '\\' if matches!(at(i + 1), '"' | '\\') => {
                        s.push(at(i + 1));
                        i += 2;
                    }
                    '\n' | '\0' => return Err(here("this string is never closed".to_string())),
                    ch => {
                        s.push(ch);
                        i += 1;
                    }
                }
            }
            i += 1;
            Kind::Str(s)
        } else if c == '%' {
            i += 1;
            if at(i) == '%' {
                i += 1;
                Kind::Separator
            } else {
                while at(i).is_alphanumeric() {
                    i += 1;
                }
                Kind::Directive(chars[start + 1..i].iter().collect())
            }
        } else {
            let found = SYMBOLS.iter().find(|s| {
                s.chars().enumerate().all(|(k, ch)| at(i + k) == ch)
                    // `|//` is an operator before a comment.
                    && !(s.len() == 2 && s.ends_with('/') && matches!(at(i + 2), '/' | '*'))
            });
            let Some(symbol) = found else { return Err(here(format!("unexpected character `{c}`"))) };
            i += symbol.len();
            Kind::Symbol(symbol)
        };
        tokens.push(Token { kind, file: Rc::clone(file), line, column, first, spaced });
        column += (i - start) as u32;
        (first, spaced) = (false, false);
    }
    tokens.push(Token { kind: Kind::End, file: Rc::clone(file), line, column, first: true, spaced: true });
    Ok(tokens)
}

#[derive(Clone)]
struct Macro {
    params: Option<Vec<String>>,
    body: Vec<Token>,
}

/// Nesting of includes and of macro expansions beyond which the input is refused.
const MAX_DEPTH: usize = 64;
/// Tokens after preprocessing beyond which the input is refused.
const MAX_TOKENS: usize = 4_000_000;

struct Preprocessor<'a, 'b> {
    macros: FxHashMap<String, Macro>,
    include: &'a mut Includer<'b>,
    output: Vec<Token>,
}

/// The preprocessed tokens of a file.
pub fn tokens(file: &str, text: &str, include: &mut Includer<'_>) -> Result<Vec<Token>, LangError> {
    let mut p = Preprocessor { macros: FxHashMap::default(), include, output: Vec::new() };
    let end = p.file(&Rc::from(file), text, 0)?;
    p.output.push(end);
    Ok(p.output)
}

impl Preprocessor<'_, '_> {
    fn file(&mut self, name: &Rc<str>, text: &str, depth: usize) -> Result<Token, LangError> {
        let tokens = lex(name, text)?;
        let mut i = 0;
        // Open conditionals: whether this branch is taken, whether the outside is, and where it opened.
        let mut open: Vec<(bool, bool, Token)> = Vec::new();
        let mut run: Vec<Token> = Vec::new();
        loop {
            let Some(token) = tokens.get(i).cloned() else {
                return Err(LangError {
                    file: name.to_string(),
                    line: 1,
                    column: 1,
                    message: "empty token list".into(),
                });
            };
            let active = open.last().is_none_or(|(taken, outside, _)| *taken && *outside);
            if token.kind == Kind::End {
                self.expand(&std::mem::take(&mut run), 0)?;
                if let Some((_, _, opened)) = open.last() {
                    return Err(opened.error("this conditional has no `#endif`"));
                }
                return Ok(token);
            }
            if !(token.first && token.kind == Kind::Symbol("#")) {
                if active {
                    run.push(token);
                }
                i += 1;
                continue;
            }
            self.expand(&std::mem::take(&mut run), 0)?;
            let mut end = i + 1;
            while tokens.get(end).is_some_and(|t| !t.first && t.kind != Kind::End) {
                end += 1;
            }
            let line = &tokens[i + 1..end];
            i = end;
            self.directive(name, &token, line, active, &mut open, depth)?;
        }
    }

    fn directive(
        &mut self,
        file: &Rc<str>,
        hash: &Token,
        line: &[Token],
        active: bool,
        open: &mut Vec<(bool, bool, Token)>,
        depth: usize,
    ) -> Result<(), LangError> {
        let word = |k: usize| match line.get(k).map(|t| &t.kind) {
            Some(Kind::Ident(s)) => Some(s.as_str()),
            _ => None,
        };
        let name = |k: usize| word(k).map(str::to_string).ok_or_else(|| hash.error("expected a name here"));
        match word(0) {
            Some("ifdef") => open.push((self.macros.contains_key(&name(1)?), active, hash.clone())),
            Some("ifndef") => open.push((!self.macros.contains_key(&name(1)?), active, hash.clone())),
            Some("if") => {
                let negated = line.get(1).is_some_and(|t| t.kind == Kind::Symbol("!"));
                let rest = &line[usize::from(negated) + 1..];
                let holds = match rest.first().map(|t| &t.kind) {
                    Some(Kind::Number(n)) => n != "0",
                    Some(Kind::Ident(d)) if d == "defined" => rest
                        .iter()
                        .skip(1)
                        .find_map(|t| match &t.kind {
                            Kind::Ident(s) => Some(self.macros.contains_key(s)),
                            _ => None,
                        })
                        .ok_or_else(|| hash.error("expected a name after `defined`"))?,
                    _ => return Err(hash.error("`#if` takes a number or `defined(NAME)` here")),
                };
                open.push((holds != negated, active, hash.clone()));
            }
            Some("else") => match open.last_mut() {
                Some((taken, _, _)) => *taken = !*taken,
                None => return Err(hash.error("`#else` without `#if`")),
            },
            Some("endif") => {
                open.pop().ok_or_else(|| hash.error("`#endif` without `#if`"))?;
            }
            _ if !active => {}
            Some("define") => {
                let macro_name = name(1)?;
                let mut body = 2;
                let mut params = None;
                if line.get(2).is_some_and(|t| t.kind == Kind::Symbol("(") && !t.spaced) {
                    let mut names = Vec::new();
                    body = 3;
                    while let Some(t) = line.get(body) {
                        body += 1;
                        match &t.kind {
                            Kind::Ident(s) => names.push(s.clone()),
                            Kind::Symbol(",") => {}
                            Kind::Symbol(")") => break,
                            _ => return Err(t.error("expected a parameter name, `,` or `)`")),
                        }
                    }
                    params = Some(names);
                }
                self.macros.insert(macro_name, Macro { params, body: line[body.min(line.len())..].to_vec() });
            }
            Some("undef") => {
                self.macros.remove(&name(1)?);
            }
            Some("include") => {
                let wanted = match line.get(1).map(|t| &t.kind) {
                    Some(Kind::Str(s)) => s.clone(),
                    _ => return Err(hash.error("expected a file name in quotes after `#include`")),
                };
                if depth >= MAX_DEPTH {
                    return Err(hash.error("includes are nested too deeply"));
                }
                let (path, text) = (self.include)(&wanted, file)
                    .map_err(|e| hash.error(format!("cannot include \"{wanted}\": {e}")))?;
                self.file(&Rc::from(path.as_str()), &text, depth + 1)?;
            }
            Some("line" | "pragma") => {}
            Some(other) => return Err(hash.error(format!("unknown directive `#{other}`"))),
            // `# 12 "file"` as printed by a C preprocessor.
            None => {}
        }
        Ok(())
    }

    fn expand(&mut self, tokens: &[Token], depth: usize) -> Result<(), LangError> {
        let mut i = 0;
        while let Some(token) = tokens.get(i) {
            i += 1;
            let found = match &token.kind {
                Kind::Ident(s) => self.macros.get(s).cloned(),
                _ => None,
            };
            let Some(m) = found else {
                if self.output.len() >= MAX_TOKENS {
                    return Err(token.error("the input is too large after macro expansion"));
                }
                self.output.push(token.clone());
                continue;
            };
            if depth >= MAX_DEPTH {
                return Err(token.error(format!("macro {} expands without end", token.describe())));
            }
            let mut body = m.body.clone();
            if let Some(params) = &m.params {
                if tokens.get(i).map(|t| &t.kind) != Some(&Kind::Symbol("(")) {
                    self.output.push(token.clone());
                    continue;
                }
                let (args, next) = arguments(token, tokens, i + 1)?;
                i = next;
                if args.len() != params.len() && !(params.is_empty() && args.iter().all(Vec::is_empty)) {
                    return Err(token.error(format!(
                        "macro {} takes {} arguments, {} given",
                        token.describe(),
                        params.len(),
                        args.len()
                    )));
                }
                body = body
                    .into_iter()
                    .flat_map(|t| match &t.kind {
                        Kind::Ident(s) => match params.iter().position(|p| p == s) {
                            Some(k) => args[k].clone(),
                            None => vec![t],
                        },
                        _ => vec![t],
                    })
                    .collect();
            }
            // Positions of an expansion are those of its use: that is where a reader looks.
            for t in &mut body {
                (t.file, t.line, t.column) = (Rc::clone(&token.file), token.line, token.column);
            }
            self.expand(&body, depth + 1)?;
        }
        Ok(())
    }
}

fn arguments(name: &Token, tokens: &[Token], mut i: usize) -> Result<(Vec<Vec<Token>>, usize), LangError> {
    let mut args = vec![Vec::new()];
    let mut level = 0usize;
    while let Some(t) = tokens.get(i) {
        i += 1;
        match t.kind {
            Kind::Symbol(")") if level == 0 => return Ok((args, i)),
            Kind::Symbol(",") if level == 0 => {
                args.push(Vec::new());
                continue;
            }
            Kind::Symbol("(" | "{" | "[") => level += 1,
            Kind::Symbol(")" | "}" | "]") => level = level.saturating_sub(1),
            _ => {}
        }
        if let Some(last) = args.last_mut() {
            last.push(t.clone());
        }
    }
    Err(name.error(format!("the arguments of macro {} are never closed", name.describe())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<String>, String> {
        let mut include = |name: &str, _: &str| match name {
            "inc" => Ok(("inc".to_string(), "included".to_string())),
            _ => Err("no such file".to_string()),
        };
        match tokens("t", text, &mut include) {
            Ok(ts) => Ok(ts.iter().take(ts.len() - 1).map(|t| t.describe().replace('`', "")).collect()),
            Err(e) => Err(e.to_string()),
        }
    }

    #[test]
    fn macros_conditionals_and_includes() {
        let text = "#define F(a, b) b a\n#define N 1/2\n#ifdef X\nno\n#else\nF(x(y, z), N)\n#endif\n#include \"inc\"\n";
        assert_eq!(words(text).unwrap().join(" "), "1/2 x ( y , z ) included");
        assert_eq!(words("a ==> b |/{ 1/2 } // c\n%% %p").unwrap().join(" "), "a ==> b |/ { 1/2 } %% %p");
    }

    #[test]
    fn mistakes_have_positions() {
        assert_eq!(words("a\n  @").unwrap_err(), "t:2:3: unexpected character `@`");
        assert_eq!(words("#include \"zz\"").unwrap_err(), "t:1:1: cannot include \"zz\": no such file");
        assert_eq!(words("\n#ifdef A\nb").unwrap_err(), "t:2:1: this conditional has no `#endif`");
        assert!(words("#define A A\nA").unwrap_err().contains("without end"));
        assert!(words("/* x").unwrap_err().contains("never closed"));
    }
}
