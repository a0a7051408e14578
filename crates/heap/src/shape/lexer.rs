//! Tokens of the predicate language. One pass, linear; comments are those of C.

use super::{ShapeError, ShapeResult};
use std::ops::Range;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A name or word; `\result` and `\old` with their backslash.
    Word(String),
    /// A number, decimal or hexadecimal.
    Number(i128),
    /// Punctuation.
    Punct(&'static str),
    /// The end of the text.
    End,
}

impl Token {
    /// The token as it is named in messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Word(w) => format!("`{w}`"),
            Token::Number(n) => format!("`{n}`"),
            Token::Punct(p) => format!("`{p}`"),
            Token::End => "the end".into(),
        }
    }
}

/// Longer ones first.
const PUNCTUATION: [&str; 25] = [
    "->", "==", "!=", "<=", ">=", "&&", "||", "..", "(", ")", "{", "}", "[", "]", ",", ";", ":", ".", "*",
    "&", "|", "<", ">", "=", "@",
];

/// All tokens with their places, `End` last.
pub fn tokens(text: &str) -> ShapeResult<Vec<(Token, Range<usize>)>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        let rest = text.get(at..).unwrap_or("");
        if b.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.get(2..).and_then(|r| r.find("*/")) {
                Some(end) => at += end + 4,
                None => return Err(ShapeError::new(at..at + 2, "the comment does not end")),
            }
        } else if b.is_ascii_digit() {
            let len = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            let word = rest.get(..len).unwrap_or("");
            let value = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
                Some(hex) => i128::from_str_radix(hex, 16).ok(),
                None => word.parse().ok(),
            };
            // Larger numbers fit no machine word, and sums of those that do cannot overflow.
            let value = value.filter(|v| *v < 1 << 64);
            let Some(value) = value else {
                return Err(ShapeError::new(
                    at..at + len,
                    format!("`{word}` is no number of at most 64 bits"),
                ));
            };
            found.push((Token::Number(value), at..at + len));
            at += len;
        } else if b.is_ascii_alphabetic() || b == b'_' || b == b'\\' {
            let len =
                1 + rest.bytes().skip(1).take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            found.push((Token::Word(rest.get(..len).unwrap_or("").to_owned()), at..at + len));
            at += len;
        } else if let Some(p) = PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
            found.push((Token::Punct(p), at..at + p.len()));
            at += p.len();
        } else if b == b'+' || b == b'-' {
            found.push((Token::Punct(if b == b'+' { "+" } else { "-" }), at..at + 1));
            at += 1;
        } else {
            let c = rest.chars().next().unwrap_or('?');
            return Err(ShapeError::new(at..at + c.len_utf8(), format!("`{c}` has no meaning here")));
        }
    }
    found.push((Token::End, text.len()..text.len()));
    Ok(found)
}
