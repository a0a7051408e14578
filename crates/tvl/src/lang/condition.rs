//! The expressions of `#if`: integers, `!`, unary and binary arithmetic, comparisons, `&&`, `||` and `?:`, with C's
//! precedences. Names that are left after macro expansion are 0. What a `&&`, `||` or `?:` does not need is read, not
//! computed, so it may divide by zero.

use super::LangError;
use super::lex::{Kind, Token};

/// The value of an expression; `hash` is where mistakes are reported if the line is empty.
pub(super) fn value(hash: &Token, tokens: &[Token]) -> Result<i64, LangError> {
    let mut e = Expression { hash, tokens, at: 0, depth: 0 };
    let value = e.choice(true)?;
    match e.tokens.get(e.at) {
        None => Ok(value),
        Some(t) => Err(t.error(format!("expected an operator in this condition, found {}", t.describe()))),
    }
}

struct Expression<'t> {
    hash: &'t Token,
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

/// Operators by precedence, loosest first. Longer ones first, since they are read symbol by symbol.
const BINARY: [&[&str]; 6] =
    [&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "/"]];
/// Nesting beyond which a condition is refused.
const MAX_NESTING: usize = 100;

impl Expression<'_> {
    /// Consumes an operator that may consist of several symbols.
    fn accept(&mut self, operator: &str) -> bool {
        let (mut rest, mut at) = (operator, self.at);
        while !rest.is_empty() {
            let Some(Kind::Symbol(s)) = self.tokens.get(at).map(|t| &t.kind) else { return false };
            let Some(left) = rest.strip_prefix(s) else { return false };
            (rest, at) = (left, at + 1);
        }
        self.at = at;
        true
    }

    fn here(&self, message: &str) -> LangError {
        let at = self.tokens.get(self.at).or_else(|| self.tokens.last()).unwrap_or(self.hash);
        at.error(message)
    }

    fn choice(&mut self, needed: bool) -> Result<i64, LangError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(self.here("this condition is nested too deeply"));
        }
        let condition = self.binary(0, needed)?;
        let result = if self.accept("?") {
            let yes = self.choice(needed && condition != 0)?;
            if !self.accept(":") {
                return Err(self.here("expected `:` in this condition"));
            }
            let no = self.choice(needed && condition == 0)?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }

    fn binary(&mut self, level: usize, needed: bool) -> Result<i64, LangError> {
        let Some(operators) = BINARY.get(level) else { return self.unary(needed) };
        let mut left = self.binary(level + 1, needed)?;
        while let Some(operator) = operators.iter().find(|o| self.accept(o)) {
            let needed = needed
                && match *operator {
                    "&&" => left != 0,
                    "||" => left == 0,
                    _ => true,
                };
            let right = self.binary(level + 1, needed)?;
            left = match *operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                _ if !needed => 0,
                _ => {
                    left.checked_div(right).ok_or_else(|| self.here("division by zero in this condition"))?
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self, needed: bool) -> Result<i64, LangError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(self.here("this condition is nested too deeply"));
        }
        let value = if self.accept("!") {
            i64::from(self.unary(needed)? == 0)
        } else if self.accept("-") {
            self.unary(needed)?.wrapping_neg()
        } else if self.accept("+") {
            self.unary(needed)?
        } else if self.accept("(") {
            let inner = self.choice(needed)?;
            if !self.accept(")") {
                return Err(self.here("expected `)` in this condition"));
            }
            inner
        } else {
            let value = match self.tokens.get(self.at).map(|t| &t.kind) {
                Some(Kind::Number(n)) => number(n),
                Some(Kind::Ident(_)) => Some(0),
                _ => None,
            };
            let Some(value) = value else { return Err(self.here("expected a number in this condition")) };
            self.at += 1;
            value
        };
        self.depth -= 1;
        Ok(value)
    }
}

/// A decimal, hexadecimal or octal number with C's suffixes.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}
