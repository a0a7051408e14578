//! Text to tokens.
//!
//! A [`Token`] is a kind, two offsets and, for names, an interned symbol: sixteen bytes and no owned text.
//! Literals are decoded by the parser from their text, because most are looked at once. Comments, directives
//! and `_Pragma` never reach the parser. The last token is always [`Tok::Eof`].
//!
//! What cannot be a token becomes a `Bad…` token; the parser turns the first one it meets into a diagnostic, so
//! that a stray character costs one function and not the unit. Two things end the scan at once: a comment
//! without end, and a control character, which says that the input is not program text at all.
//!
//! Cost: linear, one pass.

use crate::lexer_directives::Directives;
use crate::lexer_keywords::Keywords;
use crate::symbol::{Interner, Symbol};
use heapwise_ir::{Diagnostic, Severity, SourceMap, Span};
use logos::Logos;

/// Kinds of tokens. The variants without a pattern are keywords (see [`Keywords`]) or made by the scan.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\n\r\x0b\x0c]+")]
#[logos(skip r"\\\r?\n")]
pub(crate) enum Tok {
    #[regex(
        r"([a-zA-Z_$]|[^\x00-\x7f]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})([a-zA-Z0-9_$]|[^\x00-\x7f]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*"
    )]
    Ident,
    #[regex(r"\.?[0-9]([0-9a-zA-Z_.]|[eEpP][+-]|'[0-9a-zA-Z_])*")]
    Number,
    #[regex(r#"(u8|u|U|L)?""#)]
    Str,
    #[regex(r"(u8|u|U|L)?'")]
    Char,
    #[token("/*")]
    BlockComment,
    #[token("//")]
    LineComment,
    #[token("#")]
    #[token("%:")]
    Hash,

    #[token("{")]
    #[token("<%")]
    LBrace,
    #[token("}")]
    #[token("%>")]
    RBrace,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    #[token("<:")]
    LBracket,
    #[token("]")]
    #[token(":>")]
    RBracket,
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token(".")]
    Dot,
    #[token("...")]
    Ellipsis,
    #[token("->")]
    Arrow,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("<")]
    Lt,
    #[token(">")]
    Gt,
    #[token("<=")]
    Le,
    #[token(">=")]
    Ge,
    #[token("==")]
    EqEq,
    #[token("!=")]
    Ne,
    #[token("&")]
    Amp,
    #[token("^")]
    Caret,
    #[token("|")]
    Pipe,
    #[token("&&")]
    AmpAmp,
    #[token("||")]
    PipePipe,
    #[token("=")]
    Assign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("%=")]
    PercentAssign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("<<=")]
    ShlAssign,
    #[token(">>=")]
    ShrAssign,
    #[token("&=")]
    AmpAssign,
    #[token("^=")]
    CaretAssign,
    #[token("|=")]
    PipeAssign,

    // Type words.
    Void,
    Bool,
    CharKw,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Complex,
    Int128,
    Int128Name,
    UInt128Name,
    Float32,
    Float64,
    Float32x,
    Float64x,
    Float128,
    VaList,
    UnsupportedType,
    Struct,
    Union,
    Enum,
    Typeof,
    AutoType,
    Atomic,
    // Qualifiers, storage classes and other specifiers.
    Const,
    Volatile,
    Restrict,
    IgnoredQualifier,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
    Inline,
    Noreturn,
    Constexpr,
    Alignas,
    Attribute,
    Extension,
    // Statements and declarations.
    Asm,
    StaticAssert,
    If,
    Else,
    While,
    Do,
    For,
    Switch,
    Case,
    Default,
    Break,
    Continue,
    Return,
    Goto,
    LocalLabel,
    // Expressions.
    Sizeof,
    Alignof,
    Generic,
    Real,
    Imag,
    BuiltinVaArg,
    BuiltinOffsetof,
    BuiltinTypesCompatible,
    BuiltinChooseExpr,
    FuncName,
    Nullptr,
    True,
    False,
    Pragma,
    /// Not made by the scan: how the parser sees an identifier that names a type in its scope.
    TypedefName,
    /// A string literal without its closing quote.
    BadString,
    /// A character constant without its closing quote.
    BadChar,
    /// A character that starts no token.
    BadByte,
    Eof,
}

/// A token; offsets are those of the source map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Tok,
    /// The name, if `kind` is `Ident` (meaningless otherwise).
    pub symbol: Symbol,
    pub lo: u32,
    pub hi: u32,
}

impl Token {
    pub fn span(self) -> Span {
        Span::new(self.lo, self.hi)
    }
}

/// What the scan of one unit gives.
#[derive(Default)]
pub(crate) struct Lexed {
    /// Never empty; ends with `Eof`.
    pub tokens: Vec<Token>,
    /// `#pragma pack` in force from the token with this index on; sorted.
    pub packs: Vec<(u32, Option<u32>)>,
    /// `/*@ … */` comments, without the marks.
    pub annotations: Vec<(Box<str>, Span)>,
    pub diagnostics: Vec<Diagnostic>,
    /// The scan ended early: what the parser says about the end of the file would be noise.
    pub truncated: bool,
    /// The input is not program text.
    pub not_text: bool,
}

/// Scans `text`, which stands at `base` in the source map.
pub(crate) fn lex(
    text: &str,
    base: u32,
    sources: &mut SourceMap,
    interner: &mut Interner,
    keywords: &Keywords,
) -> Lexed {
    let mut out = Lexed { tokens: Vec::with_capacity(text.len() / 5 + 1), ..Lexed::default() };
    let mut directives = Directives::new(base);
    let mut lexer = Tok::lexer(text);
    if text.starts_with('\u{feff}') {
        lexer.bump('\u{feff}'.len_utf8());
    }
    while let Some(result) = lexer.next() {
        let lo = lexer.span().start;
        let mut symbol = Symbol(0);
        let kind = match result {
            Ok(Tok::Ident) => {
                let name = lexer.slice();
                symbol = if name.bytes().all(|b| b.is_ascii() && b != b'\\') {
                    interner.intern(name)
                } else if name.contains('\u{fffd}') {
                    not_text(&mut out, base, lo, "a byte that is not UTF-8");
                    break;
                } else {
                    interner.intern(&spell_out(name))
                };
                keywords.of(symbol).unwrap_or(Tok::Ident)
            }
            Ok(Tok::Str) => scan_quoted(&mut lexer, b'"', Tok::Str, Tok::BadString),
            Ok(Tok::Char) => scan_quoted(&mut lexer, b'\'', Tok::Char, Tok::BadChar),
            Ok(Tok::LineComment) => {
                let rest = line_length(lexer.remainder());
                lexer.bump(rest);
                continue;
            }
            Ok(Tok::BlockComment) => {
                let rest = lexer.remainder();
                let Some(end) = find_comment_end(rest.as_bytes()) else {
                    out.truncated = true;
                    let span = Span::new(base + lo as u32, base + lo as u32 + 2);
                    out.diagnostics.push(error("unterminated-comment", "unterminated comment".into(), span));
                    break;
                };
                lexer.bump(end + 2);
                if let Some(annotation) = rest.get(..end).and_then(|c| c.strip_prefix('@')) {
                    let span = Span::new(base + lo as u32, base + (lo + end + 4) as u32);
                    out.annotations.push((annotation.into(), span));
                }
                continue;
            }
            Ok(Tok::Hash) => {
                if starts_line(text.as_bytes(), lo) {
                    let length = line_length(lexer.remainder());
                    let line = lexer.remainder().get(..length).unwrap_or("");
                    directives.directive(line, lo, lexer.span().end + length, text, sources, &mut out);
                    lexer.bump(length);
                    continue;
                }
                Tok::BadByte
            }
            Ok(kind) => kind,
            Err(()) => {
                if lexer.slice().chars().any(|c| c.is_control()) {
                    not_text(&mut out, base, lo, "a control character");
                    break;
                }
                Tok::BadByte
            }
        };
        let hi = lexer.span().end;
        out.tokens.push(Token { kind, symbol, lo: base + lo as u32, hi: base + hi as u32 });
        if kind == Tok::RParen {
            directives.drop_pragma_operator(text, &mut out);
        }
    }
    let end = base + text.len() as u32;
    out.tokens.push(Token { kind: Tok::Eof, symbol: Symbol(0), lo: end, hi: end });
    out
}

pub(crate) fn error(code: &'static str, message: String, span: Span) -> Diagnostic {
    Diagnostic { severity: Severity::Error, code, message, span }
}

fn not_text(out: &mut Lexed, base: u32, at: usize, what: &str) {
    let lo = base + at as u32;
    out.truncated = true;
    out.not_text = true;
    out.diagnostics.push(error(
        "not-c-text",
        format!("this is not C program text: it holds {what}"),
        Span::new(lo, lo + 1),
    ));
}

/// Replaces universal character names by the characters they name.
fn spell_out(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at).unwrap_or(""));
        let digits = if rest.as_bytes().get(at + 1) == Some(&b'U') { 8 } else { 4 };
        let code = rest.get(at + 2..at + 2 + digits).and_then(|d| u32::from_str_radix(d, 16).ok());
        out.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
        rest = rest.get(at + 2 + digits..).unwrap_or("");
    }
    out.push_str(rest);
    out
}

/// Consumes the rest of a string or character literal; a literal ends at the latest at the end of its line.
fn scan_quoted<'s>(lexer: &mut logos::Lexer<'s, Tok>, quote: u8, good: Tok, bad: Tok) -> Tok {
    let bytes = lexer.remainder().as_bytes();
    let mut i = 0;
    let kind = loop {
        match bytes.get(i) {
            None | Some(b'\n') => break bad,
            Some(&b) if b == quote => {
                i += 1;
                break good;
            }
            Some(b'\\') => {
                let splice = bytes.get(i + 1) == Some(&b'\r') && bytes.get(i + 2) == Some(&b'\n');
                i += if splice { 3 } else { 2 };
            }
            Some(_) => i += 1,
        }
    };
    // An escape may have stepped past the end or into a multi-byte character of a broken literal.
    let mut length = i.min(bytes.len());
    while !lexer.remainder().is_char_boundary(length) {
        length += 1;
    }
    lexer.bump(length);
    kind
}

fn find_comment_end(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let star = from + bytes.get(from..)?.iter().position(|&b| b == b'*')?;
        if bytes.get(star + 1) == Some(&b'/') {
            return Some(star);
        }
        from = star + 1;
    }
}

/// Length of the rest of a line, continued by backslashes, without its newline.
fn line_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut from = 0;
    loop {
        let Some(at) = bytes.get(from..).and_then(|b| b.iter().position(|&b| b == b'\n')) else {
            return bytes.len();
        };
        let newline = from + at;
        let line = bytes.get(..newline).unwrap_or(&[]);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.last() != Some(&b'\\') {
            return newline;
        }
        from = newline + 1;
    }
}

/// Whether only white space and comments stand before offset `at` on its line.
fn starts_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or(&[]);
    let line =
        before.iter().rposition(|&b| b == b'\n').map_or(before, |i| before.get(i + 1..).unwrap_or(&[]));
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let line = line.trim_ascii_end();
    line.iter().all(|b| b.is_ascii_whitespace()) || line.ends_with(b"*/")
}
