//! Numbers from text, and the integer functions of `stdlib.h`.

use super::ctype::is_space;
use super::{Args, int_info};
use crate::error::{ErrorKind, Res, fault};
use crate::extended;
use crate::layout::Kind;
use crate::machine::Machine;
use crate::options::Policy;
use crate::value::{Chunk, Value};
use heapwise_ir::library::LibFn;
use heapwise_ir::{FloatTy, IntTy};

const ERANGE: i128 = 34;
const EINVAL: i128 = 22;

/// An integer at the start of a text.
pub(super) struct Parsed {
    /// Its value, saturated far outside every C type.
    pub value: i128,
    /// Bytes used; 0 if there is no number.
    pub used: usize,
    pub negative: bool,
}

/// Parses as `strtol` does: space, sign, prefix, digits. `base` 0 goes by the prefix.
pub(super) fn parse_int(text: &[u8], mut base: u32) -> Parsed {
    let at = |i: usize| text.get(i).copied().unwrap_or(0);
    let mut i = text.iter().take_while(|b| is_space(**b)).count();
    let negative = at(i) == b'-';
    if at(i) == b'-' || at(i) == b'+' {
        i += 1;
    }
    let hex =
        at(i) == b'0' && at(i + 1).eq_ignore_ascii_case(&b'x') && char::from(at(i + 2)).is_ascii_hexdigit();
    if (base == 0 || base == 16) && hex {
        i += 2;
        base = 16;
    } else if base == 0 {
        base = if at(i) == b'0' { 8 } else { 10 };
    }
    let start = i;
    let mut value: i128 = 0;
    while let Some(digit) = char::from(at(i)).to_digit(base.clamp(2, 36)) {
        value = value.saturating_mul(base.into()).saturating_add(digit.into());
        i += 1;
    }
    let used = if i == start { 0 } else { i };
    Parsed { value: if negative { -value } else { value }, used, negative }
}

/// A floating number at the start of a text.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ParsedFloat {
    /// As a `double`.
    pub value: f64,
    /// Bytes used; 0 if there is no number.
    pub used: usize,
    pub negative: bool,
    /// Its decimal digits with point and exponent; nothing for those that are written as words.
    pub digits: String,
    /// Whether there is more to it than is understood: hexadecimal digits, or what kind of NaN it is.
    pub more: bool,
}

impl ParsedFloat {
    /// The value in a floating type, rounded once.
    pub fn of_type(&self, ty: FloatTy) -> Value {
        match ty {
            _ if self.digits.is_empty() => extended::convert(&Value::Float(self.value), ty),
            FloatTy::F32 => {
                let v = self.digits.parse::<f32>().unwrap_or(0.0);
                Value::Float(f64::from(if self.negative { -v } else { v }))
            }
            FloatTy::F80 | FloatTy::F128 => {
                let bits =
                    extended::from_decimal(&self.digits).unwrap_or_else(|| extended::from_int(0, false));
                Value::Extended(if self.negative { extended::negate(bits) } else { bits })
            }
            FloatTy::F64 => Value::Float(self.value),
        }
    }

    /// Whether the result is as on every machine: no hexadecimal digits, and no range that the type does not have.
    pub fn is_exact(&self, ty: FloatTy) -> bool {
        let zero = !self
            .digits
            .bytes()
            .take_while(|b| !b.eq_ignore_ascii_case(&b'e'))
            .any(|b| (b'1'..=b'9').contains(&b));
        let usual = match ty {
            FloatTy::F32 => (self.value as f32).is_normal() && self.value.is_normal(),
            _ => self.value.is_normal(),
        };
        !self.more && (zero || usual)
    }
}

/// Parses a decimal floating number as `strtod` does.
pub(super) fn parse_float(text: &[u8]) -> ParsedFloat {
    let (value, used) = decimal(text);
    let blank = text.iter().take_while(|b| is_space(**b)).count();
    let number = text.get(blank..used).unwrap_or_default();
    let negative = number.first() == Some(&b'-');
    let unsigned = number.strip_prefix(b"-").or(number.strip_prefix(b"+")).unwrap_or(number);
    let digits = if unsigned.first().is_some_and(|b| b.is_ascii_digit() || *b == b'.') {
        String::from_utf8_lossy(unsigned).into_owned()
    } else {
        String::new()
    };
    let next = text.get(used).copied().unwrap_or(0);
    let more = value.is_nan() || digits == "0" && next.eq_ignore_ascii_case(&b'x');
    ParsedFloat { value, used, negative, digits, more }
}

/// Value of a decimal number and bytes used.
fn decimal(text: &[u8]) -> (f64, usize) {
    let at = |i: usize| text.get(i).copied().unwrap_or(0);
    let blank = text.iter().take_while(|b| is_space(**b)).count();
    let mut i = blank;
    let negative = at(i) == b'-';
    if at(i) == b'-' || at(i) == b'+' {
        i += 1;
    }
    let signed = |v: f64| if negative { -v } else { v };
    let word = |w: &[u8]| text.get(i..i + w.len()).is_some_and(|t| t.eq_ignore_ascii_case(w));
    if word(b"infinity") {
        return (signed(f64::INFINITY), i + 8);
    }
    if word(b"inf") {
        return (signed(f64::INFINITY), i + 3);
    }
    if word(b"nan") {
        return (signed(f64::NAN), i + 3);
    }
    let start = i;
    let digits =
        |from: usize| text.get(from..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(i);
    i += whole;
    let mut fraction = 0;
    if at(i) == b'.' {
        fraction = digits(i + 1);
        if whole + fraction > 0 {
            i += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return (0.0, 0);
    }
    if at(i).eq_ignore_ascii_case(&b'e') {
        let sign = usize::from(at(i + 1) == b'-' || at(i + 1) == b'+');
        let exponent = digits(i + 1 + sign);
        if exponent > 0 {
            i += 1 + sign + exponent;
        }
    }
    let number = text.get(start..i).and_then(|t| std::str::from_utf8(t).ok());
    let value = number.and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    (signed(value), i)
}

impl Machine<'_, '_> {
    pub(super) fn number_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Strtol | LibFn::Strtoul | LibFn::Strtoll | LibFn::Strtoull => {
                self.text_to_int(model, args)
            }
            LibFn::Atoi | LibFn::Atol | LibFn::Atoll => {
                let parsed = parse_int(&self.string_arg(args, 0)?, 10);
                let bits = if model == LibFn::Atoll { 64 } else { (self.memory.word() * 8) as u16 };
                let ty = IntTy { bits, signed: true };
                let value = parsed.value.clamp(ty.min(), ty.max());
                Ok(Value::int(if model == LibFn::Atoi { i128::from(value as i32) } else { value }))
            }
            LibFn::Strtod | LibFn::Atof => {
                let at = self.ptr_arg(args, 0)?;
                let parsed = parse_float(&self.string_at(at, u64::MAX)?);
                let ty = match self.info(args.ret).kind {
                    Kind::Float(ty) => ty,
                    _ => FloatTy::F64,
                };
                if !parsed.is_exact(ty) {
                    self.guess("a floating number from a text");
                }
                if model == LibFn::Strtod {
                    self.store_end(args, at.add(parsed.used as u64).value())?;
                    if parsed.value.is_infinite() && !parsed.digits.is_empty() {
                        self.set_errno(ERANGE)?;
                    }
                }
                Ok(parsed.of_type(ty))
            }
            LibFn::Abs => {
                let (v, _) = self.int_arg(args, 0)?;
                let Some(ty) = self.info(args.ret).int() else { return Ok(Value::int(v.saturating_abs())) };
                let result = v.saturating_abs();
                if ty.wrap(result) != result && self.options.overflow == Policy::Stop {
                    return fault(
                        ErrorKind::Overflow,
                        format!("the absolute value of {v} does not fit its type"),
                    );
                }
                Ok(Value::int(ty.wrap(result)))
            }
            _ => self.quotient_and_remainder(args),
        }
    }

    fn store_end(&mut self, args: &Args, end: Value) -> Res<()> {
        let to = self.ptr_arg(args, 1)?;
        if to.is_null() {
            return Ok(());
        }
        let pointer = int_info((self.memory.word() * 8) as u16, false);
        self.store(to.address, to.object, pointer, &end)
    }

    fn text_to_int(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        let at = self.ptr_arg(args, 0)?;
        let (base, _) = self.int_arg(args, 2)?;
        if base == 1 || !(0..=36).contains(&base) {
            self.set_errno(EINVAL)?;
            return Ok(Value::int(0));
        }
        let parsed = parse_int(&self.string_at(at, u64::MAX)?, base as u32);
        self.store_end(args, at.add(parsed.used as u64).value())?;
        let long = matches!(model, LibFn::Strtoll | LibFn::Strtoull);
        let signed = matches!(model, LibFn::Strtol | LibFn::Strtoll);
        let bits = if long { 64 } else { (self.memory.word() * 8) as u16 };
        let ty = IntTy { bits, signed };
        if signed {
            let value = parsed.value.clamp(ty.min(), ty.max());
            if value != parsed.value {
                self.set_errno(ERANGE)?;
            }
            return Ok(Value::int(value));
        }
        if parsed.value.unsigned_abs() > ty.max().unsigned_abs() {
            self.set_errno(ERANGE)?;
            return Ok(Value::int(ty.max()));
        }
        // A minus sign negates within the unsigned type.
        debug_assert!(parsed.negative || parsed.value >= 0);
        Ok(Value::int(ty.wrap(parsed.value)))
    }

    fn quotient_and_remainder(&mut self, args: &Args) -> Res<Value> {
        let ((a, _), (b, _)) = (self.int_arg(args, 0)?, self.int_arg(args, 1)?);
        if b == 0 {
            return fault(ErrorKind::DivisionByZero, format!("{a} / 0"));
        }
        let ret = self.info(args.ret);
        if ret.kind != Kind::Aggregate || !ret.size.is_multiple_of(2) || ret.size > 16 {
            return fault(
                ErrorKind::BadCall,
                "the function is not declared to return quotient and remainder",
            );
        }
        let n = (ret.size / 2) as usize;
        let mut bytes = a.wrapping_div(b).to_le_bytes().get(..n).unwrap_or_default().to_vec();
        bytes.extend(a.wrapping_rem(b).to_le_bytes().get(..n).unwrap_or_default());
        Ok(Value::Bytes(Box::new(Chunk { bytes, known: None, pointers: Vec::new() })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_from_text() {
        let parse = |t: &str, base| {
            let p = parse_int(t.as_bytes(), base);
            (p.value, p.used)
        };
        assert_eq!(parse("  -42x", 10), (-42, 5));
        assert_eq!(parse("0x1fz", 0), (31, 4));
        assert_eq!(parse("0x", 0), (0, 1));
        assert_eq!(parse("0xg", 16), (0, 1));
        assert_eq!(parse("017", 0), (15, 3));
        assert_eq!(parse("zz", 36), (35 * 36 + 35, 2));
        assert_eq!(parse("-", 10), (0, 0));
    }

    #[test]
    fn floating_numbers_from_text() {
        let parse = |t: &[u8]| {
            let parsed = parse_float(t);
            (parsed.value, parsed.used)
        };
        assert_eq!(parse(b" 3.5e2x"), (350.0, 6));
        assert_eq!(parse(b".5"), (0.5, 2));
        assert_eq!(parse(b"5."), (5.0, 2));
        assert_eq!(parse(b"1e"), (1.0, 1));
        assert_eq!(parse(b"-inf"), (f64::NEG_INFINITY, 4));
        assert_eq!(parse(b"."), (0.0, 0));
    }

    #[test]
    fn each_type_is_rounded_to_once() {
        let exact = |t: &[u8], ty| parse_float(t).is_exact(ty);
        assert!(exact(b"0.1", FloatTy::F64) && exact(b"-0e5", FloatTy::F64));
        assert!(!exact(b"0x1p4", FloatTy::F64) && !exact(b"nan(1)", FloatTy::F64));
        assert!(!exact(b"1e-320", FloatTy::F64) && !exact(b"1e-40", FloatTy::F32));
        // Just below the middle between two numbers of type float, and the middle as a double.
        let text = b"1.00000017881393432617187499";
        assert_eq!(parse_float(text).of_type(FloatTy::F32), Value::Float(f64::from(1.000_000_1_f32)));
        let third = parse_float(b"-0.1").of_type(FloatTy::F80);
        assert_ne!(third, extended::convert(&Value::Float(-0.1), FloatTy::F80));
        assert_eq!(extended::convert(&third, FloatTy::F64), Value::Float(-0.1));
    }
}
