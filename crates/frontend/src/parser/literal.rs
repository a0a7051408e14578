//! Values of literals.
//!
//! Integer literals keep their value and suffix; the type they get depends on the data model and is chosen
//! later. Floating literals are rounded once, to the precision of their type if that is `float`, else to
//! `double`; a `long double` literal says if it lost anything by that. Character constants have the value that gcc
//! gives them; strings are sequences of code units of the width that their prefixes ask for.

use super::{Failed, Parse, Parser};
use crate::ast::{BasicType, Encoding, Expr, ExprKind};
use crate::lexer::{Tok, Token};
use rustc_apfloat::ieee::{Double, Quad, X87DoubleExtended};
use rustc_apfloat::{FloatConvert, Round};

/// Encoding and inner text of a literal token's text.
fn split_prefix(text: &str, quote: char) -> (Encoding, &str) {
    let (encoding, rest) = if let Some(rest) = text.strip_prefix("u8") {
        (Encoding::Utf8, rest)
    } else if let Some(rest) = text.strip_prefix('u') {
        (Encoding::Utf16, rest)
    } else if let Some(rest) = text.strip_prefix('U') {
        (Encoding::Utf32, rest)
    } else if let Some(rest) = text.strip_prefix('L') {
        (Encoding::Wide, rest)
    } else {
        (Encoding::Plain, text)
    };
    let rest = rest.strip_prefix(quote).unwrap_or(rest);
    (encoding, rest.strip_suffix(quote).unwrap_or(rest))
}

/// Largest code unit.
fn unit_mask(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Utf32 | Encoding::Wide => u32::MAX,
    }
}

fn push_char(c: char, encoding: Encoding, units: &mut Vec<u32>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            let mut buffer = [0; 4];
            units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Utf16 => {
            let mut buffer = [0; 2];
            units.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
        }
        Encoding::Utf32 | Encoding::Wide => units.push(c as u32),
    }
}

/// Decodes the inside of a literal; what is wrong with it otherwise.
fn decode(inner: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), &'static str> {
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(c, encoding, units);
            continue;
        }
        let Some(escape) = chars.next() else { return Err("incomplete escape sequence") };
        let simple = match escape {
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'e' | 'E' => 27,
            '\n' => continue,
            '\r' if chars.peek() == Some(&'\n') => {
                chars.next();
                continue;
            }
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                value
            }
            'x' => {
                let mut value = 0u32;
                let mut digits = 0u32;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    digits = digits.saturating_add(1);
                    chars.next();
                }
                if digits == 0 {
                    return Err("'\\x' without hexadecimal digits");
                }
                value
            }
            'u' | 'U' => {
                let mut value = 0u32;
                for _ in 0..if escape == 'u' { 4 } else { 8 } {
                    let Some(digit) = chars.next().and_then(|c| c.to_digit(16)) else {
                        return Err("incomplete universal character name");
                    };
                    value = value.wrapping_mul(16).wrapping_add(digit);
                }
                let Some(c) = char::from_u32(value) else {
                    return Err("this is no universal character name");
                };
                push_char(c, encoding, units);
                continue;
            }
            // Quotes, the backslash, the question mark; gcc takes unknown ones for the character itself.
            other => {
                push_char(other, encoding, units);
                continue;
            }
        };
        units.push(simple & unit_mask(encoding));
    }
    Ok(())
}

impl Parser<'_> {
    fn bad_literal(&mut self, what: &str, token: Token) -> Failed {
        self.fail("invalid-literal", what.into(), token.span())
    }

    /// One or more adjacent string literals.
    pub(super) fn string_literal(&mut self) -> Parse<Expr> {
        let first = self.cur;
        let mut encoding = Encoding::Plain;
        let mut n = 0;
        loop {
            let token = self.peek(n);
            if token.kind != Tok::Str {
                break;
            }
            match split_prefix(self.slice(token), '"').0 {
                Encoding::Plain => {}
                prefix if encoding == Encoding::Plain || encoding == prefix => encoding = prefix,
                _ => return Err(self.bad_literal("string literals with different prefixes", token)),
            }
            n += 1;
        }
        let mut units = Vec::new();
        while self.at(Tok::Str) {
            let token = self.bump();
            let (_, inner) = split_prefix(self.slice(token), '"');
            units.reserve(inner.len());
            if let Err(what) = decode(inner, encoding, &mut units) {
                return Err(self.bad_literal(what, token));
            }
        }
        self.node(ExprKind::Str { units, encoding }, self.span_from(first.lo), 0)
    }

    pub(super) fn char_constant(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let (encoding, inner) = split_prefix(self.slice(token), '\'');
        let mut units = Vec::new();
        if let Err(what) = decode(inner, encoding, &mut units) {
            return Err(self.bad_literal(what, token));
        }
        let value = match (encoding, units.as_slice()) {
            (_, []) => return Err(self.bad_literal("empty character constant", token)),
            (Encoding::Plain, &[one]) => i64::from(one as u8 as i8),
            // Several characters: an `int` built from the last four.
            (Encoding::Plain, many) => {
                i64::from(many.iter().fold(0u32, |all, &c| (all << 8) | (c & 0xff)) as i32)
            }
            // gcc takes the last one of several.
            (Encoding::Wide, &[.., last]) => i64::from(last as i32),
            (_, &[.., last]) => i64::from(last),
        };
        self.node(ExprKind::Char { value, encoding }, token.span(), 0)
    }

    pub(super) fn number(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let text = self.slice(token);
        let kind = match number(text) {
            Ok(kind) => kind,
            Err(Problem::Invalid) => {
                let message = format!("'{}' is no number", text.chars().take(40).collect::<String>());
                return Err(self.bad_literal(&message, token));
            }
            Err(Problem::TooLarge) => return Err(self.bad_literal("integer literal too large", token)),
            Err(Problem::Unsupported(what)) => {
                return Err(self.unsupported(
                    "unsupported-type",
                    format!("{what} are not supported"),
                    token.span(),
                ));
            }
        };
        self.node(kind, token.span(), 0)
    }
}

/// Why a number has no value here.
#[derive(Debug, PartialEq, Eq)]
enum Problem {
    Invalid,
    TooLarge,
    Unsupported(&'static str),
}

fn number(text: &str) -> Result<ExprKind, Problem> {
    // By far the most frequent: a short decimal.
    if text.len() < 10
        && let Ok(value) = text.parse::<u32>()
        && (value == 0 || !text.starts_with('0'))
        && text.len() == text.trim_start_matches('0').len().max(1)
    {
        return Ok(ExprKind::Int { value: value.into(), decimal: value != 0, unsigned: false, longs: 0 });
    }
    let cleaned;
    let text = if text.contains('\'') {
        cleaned = text.replace('\'', "");
        &cleaned
    } else {
        text
    };
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        if digits.contains(['p', '.']) { hex_float(digits) } else { integer(digits, 16) }
    } else if let Some(digits) = lower.strip_prefix("0b") {
        integer(digits, 2)
    } else if is_decimal_float(&lower) {
        decimal_float(&lower)
    } else if lower.starts_with('0') {
        integer(&lower, 8)
    } else {
        integer(&lower, 10)
    }
}

/// Whether decimal digits are followed by a point or an exponent.
fn is_decimal_float(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.starts_with('.') || rest.starts_with('e')
}

/// `text` is lower case, without radix prefix.
fn integer(text: &str, radix: u32) -> Result<ExprKind, Problem> {
    let end = text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len());
    let (digits, mut suffix) = text.split_at_checked(end).ok_or(Problem::Invalid)?;
    if digits.is_empty() {
        return Err(Problem::Invalid);
    }
    let (mut unsigned, mut longs, mut imaginary, mut bit_precise) = (false, 0, false, false);
    while !suffix.is_empty() {
        let (taken, duplicate) = if suffix.starts_with("ll") {
            (2, std::mem::replace(&mut longs, 2) != 0)
        } else if suffix.starts_with('l') {
            (1, std::mem::replace(&mut longs, 1) != 0)
        } else if suffix.starts_with('u') {
            (1, std::mem::replace(&mut unsigned, true))
        } else if suffix.starts_with("wb") {
            (2, std::mem::replace(&mut bit_precise, true))
        } else if suffix.starts_with(['i', 'j']) {
            (1, std::mem::replace(&mut imaginary, true))
        } else {
            return Err(Problem::Invalid);
        };
        if duplicate {
            return Err(Problem::Invalid);
        }
        suffix = suffix.get(taken..).unwrap_or("");
    }
    if bit_precise {
        return Err(Problem::Unsupported("bit-precise integers"));
    }
    let value = u128::from_str_radix(digits, radix).map_err(|_| Problem::TooLarge)?;
    if imaginary {
        // GNU complex integers: complex values are opaque later on, so the kind does not matter.
        return Ok(ExprKind::Float { value: value as f64, ty: BasicType::ComplexDouble, exact: true });
    }
    Ok(ExprKind::Int { value, decimal: radix == 10, unsigned, longs })
}

/// The type that the suffix of a floating literal gives it.
fn float_type(suffix: &str) -> Result<BasicType, Problem> {
    let mut plain = suffix;
    let mut imaginary = false;
    if let Some(rest) = suffix.strip_prefix(['i', 'j']).or_else(|| suffix.strip_suffix(['i', 'j'])) {
        plain = rest;
        imaginary = true;
    }
    let ty = match plain {
        "" | "f64" | "f32x" | "d" => BasicType::Double,
        "f" | "f32" => BasicType::Float,
        "l" | "w" | "f64x" => BasicType::LongDouble,
        "q" | "f128" => BasicType::Float128,
        "df" | "dd" | "dl" => return Err(Problem::Unsupported("decimal floating types")),
        "f16" | "bf16" | "f128x" => return Err(Problem::Unsupported("floating literals of this type")),
        _ => return Err(Problem::Invalid),
    };
    Ok(match (imaginary, ty) {
        (false, ty) => ty,
        (true, BasicType::Float) => BasicType::ComplexFloat,
        (true, BasicType::Double) => BasicType::ComplexDouble,
        (true, _) => BasicType::ComplexLongDouble,
    })
}

fn decimal_float(text: &str) -> Result<ExprKind, Problem> {
    let bytes = text.as_bytes();
    let digits = |mut i: usize| {
        while bytes.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        i
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if bytes.get(end) == Some(&b'e') {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent == end + 1 + sign {
            return Err(Problem::Invalid);
        }
        end = exponent;
    }
    let (value, suffix) = text.split_at_checked(end).ok_or(Problem::Invalid)?;
    let ty = float_type(suffix)?;
    let digits_of_value = value;
    let value = match ty {
        BasicType::Float | BasicType::ComplexFloat => {
            f64::from(value.parse::<f32>().map_err(|_| Problem::Invalid)?)
        }
        _ => value.parse::<f64>().map_err(|_| Problem::Invalid)?,
    };
    Ok(ExprKind::Float { value, ty, exact: is_exact(digits_of_value, ty) })
}

/// Whether a constant of a type that is wider than double is a double nevertheless.
fn is_exact(text: &str, ty: BasicType) -> bool {
    fn fits<F: FloatConvert<Double>>(text: &str) -> bool {
        let mut loses = false;
        F::from_str_r(text, Round::NearestTiesToEven).is_ok_and(|found| {
            let _: Double = found.value.convert(&mut loses).value;
            !loses
        })
    }
    match ty {
        BasicType::LongDouble => fits::<X87DoubleExtended>(text),
        BasicType::Float128 => fits::<Quad>(text),
        _ => true,
    }
}

/// `text` is lower case, without `0x`.
fn hex_float(text: &str) -> Result<ExprKind, Problem> {
    let (mantissa, rest) = text.split_once('p').ok_or(Problem::Invalid)?;
    let sign = usize::from(rest.starts_with(['+', '-']));
    let digits = rest.get(sign..).unwrap_or("");
    let end = sign + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (exponent, suffix) = rest.split_at_checked(end).ok_or(Problem::Invalid)?;
    if end == sign {
        return Err(Problem::Invalid);
    }
    let ty = float_type(suffix)?;
    // Far outside the range, the value is zero or infinite anyway.
    let limit = if exponent.starts_with('-') { -100_000 } else { 100_000 };
    let mut exponent = exponent.parse::<i64>().unwrap_or(limit).clamp(-100_000, 100_000);
    let mut bits = 0u64;
    let mut seen = 0u32;
    let mut after_point = false;
    for c in mantissa.chars() {
        if c == '.' && !after_point {
            after_point = true;
            continue;
        }
        let digit = c.to_digit(16).ok_or(Problem::Invalid)?;
        seen += 1;
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
            exponent -= if after_point { 4 } else { 0 };
        } else {
            // No room: keep that something is there, for the rounding.
            bits |= u64::from(digit != 0);
            exponent += if after_point { 0 } else { 4 };
        }
    }
    if seen == 0 {
        return Err(Problem::Invalid);
    }
    let mut value = bits as f64;
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    if ty == BasicType::Float || ty == BasicType::ComplexFloat {
        value = f64::from(value as f32);
    }
    let digits = text.strip_suffix(suffix).unwrap_or(text);
    Ok(ExprKind::Float { value, ty, exact: is_exact(&format!("0x{digits}"), ty) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (u128, bool, bool, u8) {
        match number(text) {
            Ok(ExprKind::Int { value, decimal, unsigned, longs }) => (value, decimal, unsigned, longs),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn float(text: &str) -> (f64, BasicType) {
        match number(text) {
            Ok(ExprKind::Float { value, ty, .. }) => (value, ty),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(int("0"), (0, false, false, 0));
        assert_eq!(int("7"), (7, true, false, 0));
        assert_eq!(int("017"), (15, false, false, 0));
        assert_eq!(int("00"), (0, false, false, 0));
        assert_eq!(int("0XfFu"), (255, false, true, 0));
        assert_eq!(int("0b1011LLu"), (11, false, true, 2));
        assert_eq!(int("1'000'000ul"), (1_000_000, true, true, 1));
        assert_eq!(int("18446744073709551615uLL"), (u64::MAX.into(), true, true, 2));
        assert_eq!(int("4294967296"), (1 << 32, true, false, 0));
        assert_eq!(number("08").unwrap_err(), Problem::Invalid);
        assert_eq!(number("1lul").unwrap_err(), Problem::Invalid);
        assert_eq!(number("0x").unwrap_err(), Problem::Invalid);
        assert_eq!(number("3wb").unwrap_err(), Problem::Unsupported("bit-precise integers"));
        assert_eq!(number(&"9".repeat(40)).unwrap_err(), Problem::TooLarge);
    }

    #[test]
    fn floats() {
        assert_eq!(float("1.5"), (1.5, BasicType::Double));
        assert_eq!(float(".5e1f"), (5.0, BasicType::Float));
        assert_eq!(float("0.1f"), (f64::from(0.1f32), BasicType::Float));
        assert_eq!(float("1.L"), (1.0, BasicType::LongDouble));
        assert_eq!(float("09.5"), (9.5, BasicType::Double));
        assert_eq!(float("1e-3Q").1, BasicType::Float128);
        assert_eq!(float("0x1.8p3"), (12.0, BasicType::Double));
        assert_eq!(float("0x.8p1f"), (1.0, BasicType::Float));
        assert_eq!(float("0x1p-1074"), (f64::from_bits(1), BasicType::Double));
        assert_eq!(float("0x1.fffffffffffffp+1023"), (f64::MAX, BasicType::Double));
        assert_eq!(float("1.0if"), (1.0, BasicType::ComplexFloat));
        assert_eq!(float("2i"), (2.0, BasicType::ComplexDouble));
        assert_eq!(float("1.0f64x").1, BasicType::LongDouble);
        assert_eq!(number("1e").unwrap_err(), Problem::Invalid);
        assert_eq!(number("1.5z").unwrap_err(), Problem::Invalid);
        assert_eq!(number("0x1.8").unwrap_err(), Problem::Invalid);
    }
}
