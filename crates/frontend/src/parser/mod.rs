//! Tokens to the syntax tree: recursive descent over a token vector.
//!
//! The only meaning the parser needs is which identifiers name types; [`scope`] tracks that. A syntax error
//! costs as little as possible: inside a function body it makes that function `broken` and parsing resumes after
//! its closing brace; at file scope parsing resumes at the next declaration.
//!
//! **Invariant:** every recursion over the input passes [`Parser::enter`], which bounds the parser's own stack
//! by [`MAX_NESTING`]. Chains that are parsed in a loop (`a + b + c`, `f()()()`, `else if`) still make deep trees;
//! [`Parser::node`] and the statement parser bound the height of the tree by [`MAX_HEIGHT`].
//!
//! A failing function returns [`Failed`] and leaves the reason in the parser, where the first reason wins.
//!
//! Cost: linear in the number of tokens; the only backtracking is over the arguments of an attribute.

mod asm;
mod attr;
mod decl;
mod declarator;
mod expr;
mod init;
mod literal;
mod primary;
mod record;
mod scope;
mod specs;
mod stmt;
#[cfg(test)]
mod tests;

use crate::MAX_NESTING;
use crate::ast;
use crate::lexer::{self, Lexed, Tok, Token};
use crate::lexer_keywords::Keywords;
use crate::symbol::{Interner, Symbol};
use heapwise_ir::{Diagnostic, Severity, SourceMap, Span};
use scope::{Binding, Scopes};

/// Greatest height of an expression, and longest `else if` chain: later stages recurse over the tree.
pub const MAX_HEIGHT: u32 = 4_000;

const NESTING_TOO_DEEP: &str = "nesting-too-deep";

/// Most diagnostics of one severity that one unit gives.
const MAX_DIAGNOSTICS: usize = 20;

/// What the parser makes of one translation unit.
#[derive(Clone, Debug, Default)]
pub struct ParsedUnit {
    /// The syntax tree; what could not be parsed is left out, or is a function marked `broken`.
    pub unit: ast::Unit,
    /// The inner text of `/*@ … */` comments, with the span of the whole comment, in order.
    pub annotations: Vec<(Box<str>, Span)>,
    /// What is wrong with the text: at most a few, the first ones.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses one preprocessed translation unit. The caller has added `text` to `sources` as its newest unit, and
/// `base` is the offset it got there; line markers in the text are added to `sources`.
pub fn parse_unit(text: &str, base: u32, sources: &mut SourceMap, interner: &mut Interner) -> ParsedUnit {
    let mut scanned = ScannedUnit::new(text, base, sources, interner);
    let annotations = scanned.take_annotations();
    let mut items = scanned.items(interner);
    let unit = ast::Unit { items: items.by_ref().collect() };
    ParsedUnit { unit, annotations, diagnostics: items.into_diagnostics() }
}

/// The tokens of a translation unit: the first half of [`parse_unit`], for callers that take one item at a time
/// and so need not hold the whole tree.
pub struct ScannedUnit<'t> {
    text: &'t str,
    base: u32,
    keywords: Keywords,
    lexed: Lexed,
}

impl<'t> ScannedUnit<'t> {
    /// Scans `text`; the parameters are those of [`parse_unit`].
    pub fn new(text: &'t str, base: u32, sources: &mut SourceMap, interner: &mut Interner) -> Self {
        let keywords = Keywords::new(interner);
        let lexed = lexer::lex(text, base, sources, interner, &keywords);
        ScannedUnit { text, base, keywords, lexed }
    }

    /// The inner text of `/*@ … */` comments, with the span of the whole comment, in order.
    pub fn take_annotations(&mut self) -> Vec<(Box<str>, Span)> {
        std::mem::take(&mut self.lexed.annotations)
    }

    /// The items of the unit in order; `interner` is the one that the unit was scanned with.
    pub fn items<'a>(&'a self, interner: &'a Interner) -> Items<'a> {
        let mut parser = Parser::new(self.text, self.base, interner, &self.lexed, &self.keywords);
        if self.lexed.not_text {
            parser.seek(self.lexed.tokens.len());
        }
        Items { parser, scanned: &self.lexed.diagnostics }
    }
}

/// The items of a unit, parsed as they are asked for.
pub struct Items<'a> {
    parser: Parser<'a>,
    scanned: &'a [Diagnostic],
}

impl Items<'_> {
    /// What is wrong with the text, as far as it was parsed: at most a few, the first ones.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.scanned.to_vec();
        diagnostics.extend(self.parser.diagnostics);
        diagnostics
    }
}

impl Iterator for Items<'_> {
    type Item = ast::Item;

    fn next(&mut self) -> Option<ast::Item> {
        self.parser.next_item()
    }
}

/// Parsing failed; the reason is in the parser.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// The state at which parsing can resume after an error.
#[derive(Clone, Copy)]
struct Checkpoint {
    pos: usize,
    depth: u32,
    chain: u32,
    scopes: usize,
    operands: usize,
}

struct Parser<'a> {
    text: &'a str,
    base: u32,
    tokens: &'a [Token],
    pos: usize,
    /// The token at `pos`.
    cur: Token,
    /// End of the token before it.
    prev_hi: u32,
    eof: Token,
    packs: &'a [(u32, Option<u32>)],
    truncated: bool,
    interner: &'a Interner,
    scopes: Scopes,
    /// Recursion depth.
    depth: u32,
    /// Number of `else if` links around the current statement.
    chain: u32,
    /// Height of the expression that was parsed last.
    height: u32,
    /// Greatest height since it was last reset.
    peak: u32,
    /// Left operands that wait for their right ones, of all binary expressions being parsed.
    operands: Vec<expr::Operand>,
    failure: Option<Diagnostic>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, base: u32, interner: &'a Interner, lexed: &'a Lexed, keywords: &Keywords) -> Self {
        let end = base + text.len() as u32;
        let eof = Token { kind: Tok::Eof, symbol: Symbol(0), lo: end, hi: end };
        Parser {
            text,
            base,
            tokens: &lexed.tokens,
            pos: 0,
            cur: lexed.tokens.first().copied().unwrap_or(eof),
            prev_hi: base,
            eof,
            packs: &lexed.packs,
            truncated: lexed.truncated,
            interner,
            scopes: Scopes::new(keywords),
            depth: 0,
            chain: 0,
            height: 0,
            peak: 0,
            operands: Vec::new(),
            failure: None,
            diagnostics: Vec::new(),
        }
    }

    // ---- cursor ----

    fn peek(&self, n: usize) -> Token {
        self.tokens.get(self.pos + n).copied().unwrap_or(self.eof)
    }

    fn seek(&mut self, pos: usize) {
        self.pos = pos.min(self.tokens.len());
        self.cur = self.peek(0);
        self.prev_hi = match self.pos.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            Some(token) => token.hi,
            None => self.base,
        };
    }

    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.cur;
        if token.kind != Tok::Eof {
            self.pos += 1;
            self.prev_hi = token.hi;
            self.cur = self.tokens.get(self.pos).copied().unwrap_or(self.eof);
        }
        token
    }

    #[inline]
    fn at(&self, kind: Tok) -> bool {
        self.cur.kind == kind
    }

    #[inline]
    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    #[inline]
    fn expect(&mut self, kind: Tok, what: &str) -> Parse<Token> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.expected(what)) }
    }

    /// The text of a token.
    fn slice(&self, token: Token) -> &'a str {
        let lo = token.lo.saturating_sub(self.base) as usize;
        let hi = token.hi.saturating_sub(self.base) as usize;
        self.text.get(lo..hi).unwrap_or("")
    }

    fn span_from(&self, lo: u32) -> Span {
        Span::new(lo, self.prev_hi.max(lo))
    }

    /// The kind of the `n`th token from here, as declarations in scope make it: an identifier may turn out to
    /// be a `TypedefName` or a soft keyword.
    fn kind_at(&self, n: usize) -> Tok {
        self.kind_of(self.peek(n))
    }

    #[inline]
    fn kind(&self) -> Tok {
        self.kind_of(self.cur)
    }

    #[inline]
    fn kind_of(&self, token: Token) -> Tok {
        if token.kind != Tok::Ident {
            return token.kind;
        }
        match self.scopes.get(token.symbol) {
            Binding::Typedef => Tok::TypedefName,
            Binding::Soft(kind) => kind,
            Binding::Object | Binding::Unbound => Tok::Ident,
        }
    }

    // ---- errors ----

    fn fail(&mut self, code: &'static str, message: String, span: Span) -> Failed {
        if self.failure.is_none() {
            self.failure = Some(Diagnostic { severity: Severity::Error, code, message, span });
        }
        Failed
    }

    /// Fails because something C allows is not supported: a warning, since only one function or one declaration
    /// is lost.
    fn unsupported(&mut self, code: &'static str, message: String, span: Span) -> Failed {
        if self.failure.is_none() {
            self.failure = Some(Diagnostic { severity: Severity::Warning, code, message, span });
        }
        Failed
    }

    /// Fails because the current token is not `what`.
    fn expected(&mut self, what: &str) -> Failed {
        let token = self.cur;
        let (code, message) = match token.kind {
            Tok::BadString => ("unterminated-string", "unterminated string literal".to_owned()),
            Tok::BadChar => ("unterminated-char", "unterminated character constant".to_owned()),
            Tok::BadByte => ("stray-character", format!("stray '{}' in the program", self.slice(token))),
            Tok::Eof => ("syntax", format!("expected {what} before the end of the file")),
            _ => {
                let text = self.slice(token);
                let shown: String = text.chars().take(40).collect();
                let dots = if shown.len() < text.len() { "…" } else { "" };
                ("syntax", format!("expected {what} before '{shown}{dots}'"))
            }
        };
        let span = match token.kind {
            Tok::BadString | Tok::BadChar => Span::new(token.lo, token.lo + 1),
            _ => token.span(),
        };
        self.fail(code, message, span)
    }

    fn too_deep(&mut self, span: Span) -> Failed {
        self.fail(NESTING_TOO_DEEP, "nesting too deep".into(), span)
    }

    /// Counts one level of recursion; each success is matched by [`Self::leave`] unless parsing fails.
    #[inline]
    fn enter(&mut self) -> Parse<()> {
        self.depth += 1;
        if self.depth > MAX_NESTING { Err(self.too_deep(self.cur.span())) } else { Ok(()) }
    }

    /// Counts two levels: for what needs much stack.
    fn enter_twice(&mut self) -> Parse<()> {
        self.depth += 1;
        self.enter()
    }

    fn leave_twice(&mut self) {
        self.depth = self.depth.saturating_sub(2);
    }

    #[inline]
    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            pos: self.pos,
            depth: self.depth,
            chain: self.chain,
            scopes: self.scopes.depth(),
            operands: self.operands.len(),
        }
    }

    /// Restores everything but the position.
    fn unwind(&mut self, to: Checkpoint) {
        self.depth = to.depth;
        self.chain = to.chain;
        self.scopes.pop_to(to.scopes);
        self.operands.truncate(to.operands);
    }

    /// Takes the reason of the failure and puts it among the diagnostics.
    fn report(&mut self) -> (String, Span) {
        let failure = self.failure.take().unwrap_or_else(|| Diagnostic {
            severity: Severity::Error,
            code: "syntax",
            message: "syntax error".into(),
            span: self.cur.span(),
        });
        let reason = (failure.message.clone(), failure.span);
        // After a comment without end, that the file ends is no news.
        let noise = self.truncated && failure.span.lo >= self.eof.lo;
        let similar = self.diagnostics.iter().filter(|d| d.severity == failure.severity).count();
        if !noise && similar < MAX_DIAGNOSTICS {
            self.diagnostics.push(failure);
        }
        reason
    }

    // ---- skipping ----

    /// Moves past the bracket that matches the opening one here. Brackets of all three kinds count alike.
    fn skip_balanced(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.cur.kind {
                Tok::LParen | Tok::LBracket | Tok::LBrace => depth += 1,
                Tok::RParen | Tok::RBracket | Tok::RBrace => depth = depth.saturating_sub(1),
                Tok::Eof => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Moves past the brace that matches the opening one here; only braces count.
    fn skip_braces(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.cur.kind {
                Tok::LBrace => depth += 1,
                Tok::RBrace => depth = depth.saturating_sub(1),
                Tok::Eof => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// The declaration between two positions cannot be supported. If it defines type names, they are not
    /// supported either: what uses them is lost with a warning, and not for a syntax error.
    fn poison_typedef(&mut self, start: usize, end: usize) {
        let tokens = self.tokens.get(start..end).unwrap_or(&[]);
        if !tokens.iter().take(3).any(|t| t.kind == Tok::Typedef) {
            return;
        }
        let mut depth = 0u32;
        for (token, next) in tokens.iter().zip(tokens.iter().skip(1)) {
            match token.kind {
                Tok::LParen | Tok::LBracket | Tok::LBrace => depth += 1,
                Tok::RParen | Tok::RBracket | Tok::RBrace => depth = depth.saturating_sub(1),
                Tok::Ident if depth == 0 => {
                    if matches!(next.kind, Tok::Semi | Tok::Comma | Tok::Attribute | Tok::LBracket) {
                        self.scopes.bind(token.symbol, Binding::Soft(Tok::UnsupportedType));
                    }
                }
                _ => {}
            }
        }
    }

    /// After an error at file scope: moves past the end of the declaration that starts at `start`.
    fn skip_declaration(&mut self, start: usize) {
        let error_at = self.pos;
        self.seek(start);
        loop {
            match self.cur.kind {
                Tok::Eof => return,
                Tok::LBrace => {
                    let body =
                        self.pos.checked_sub(1).and_then(|i| self.tokens.get(i)).is_none_or(|before| {
                            matches!(before.kind, Tok::RParen | Tok::Semi | Tok::RBrace)
                        });
                    self.skip_braces();
                    if (body || self.at(Tok::Semi)) && self.pos > error_at {
                        self.eat(Tok::Semi);
                        return;
                    }
                }
                Tok::RBrace => {
                    self.bump();
                    if self.pos > error_at {
                        return;
                    }
                }
                Tok::Semi => {
                    self.bump();
                    // A body may follow the declarations of K&R parameters.
                    if self.pos > error_at && !self.at(Tok::LBrace) {
                        return;
                    }
                }
                _ => {
                    self.bump();
                }
            }
        }
    }
}
