//! Decimal digits of floating numbers as `printf` shows them.
//!
//! Digits are those of the exact value, rounded to nearest with ties to even. For doubles Rust's formatting
//! provides them; numbers that need the 64 bits of a `long double` are expanded with long arithmetic, which costs
//! time quadratic in the exponent.

use crate::extended;

/// No double has more digits after the point; further ones are zeros.
const MOST_DIGITS: usize = 1100;

/// A number to be shown.
pub(super) enum Number {
    /// A double.
    Double(f64),
    /// A finite number that is not a double.
    Exact(Decimal),
}

/// A finite number `digits * 10^-scale`, negative or not.
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    scale: usize,
}

impl Decimal {
    /// `mantissa * 2^exponent`.
    fn new(negative: bool, mantissa: u64, exponent: i32) -> Decimal {
        // Little-endian limbs of nine decimal digits each.
        const LIMB: u64 = 1_000_000_000;
        let mut limbs = vec![mantissa % LIMB, mantissa / LIMB % LIMB, mantissa / LIMB / LIMB];
        let scale = if exponent < 0 { exponent.unsigned_abs() } else { 0 };
        // Dividing by 2^n is multiplying by 5^n and moving the point n places.
        let (factor, chunk, mut left) =
            if exponent < 0 { (5u64, 12, scale) } else { (2, 29, exponent as u32) };
        while left > 0 {
            let step = left.min(chunk);
            left -= step;
            let mut carry = 0;
            for limb in &mut limbs {
                let product = *limb * factor.pow(step) + carry;
                *limb = product % LIMB;
                carry = product / LIMB;
            }
            if carry > 0 {
                limbs.push(carry);
            }
        }
        let text: String = limbs.iter().rev().map(|l| format!("{l:09}")).collect();
        let digits = text.trim_start_matches('0').bytes().map(|b| b - b'0').collect();
        Decimal { negative, digits, scale: scale as usize }
    }

    /// The digits without the last `count`, rounded.
    fn without_last(&self, count: usize) -> Vec<u8> {
        let kept = self.digits.len().saturating_sub(count);
        let (head, tail) = self.digits.split_at(kept);
        let mut head = head.to_vec();
        let zeros = count.saturating_sub(self.digits.len());
        let first = if zeros > 0 { 0 } else { tail.first().copied().unwrap_or(0) };
        let rest = tail.iter().skip(1).any(|d| *d != 0);
        let odd = head.last().is_some_and(|d| d % 2 == 1);
        if first > 5 || (first == 5 && (rest || odd)) {
            for digit in head.iter_mut().rev() {
                *digit = (*digit + 1) % 10;
                if *digit != 0 {
                    return head;
                }
            }
            head.insert(0, 1);
        }
        head
    }

    fn fixed(&self, precision: usize) -> String {
        let mut digits = if self.scale > precision {
            self.without_last(self.scale - precision)
        } else {
            let mut digits = self.digits.clone();
            digits.resize(digits.len() + precision - self.scale, 0);
            digits
        };
        while digits.len() <= precision {
            digits.insert(0, 0);
        }
        let text: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
        let (whole, fraction) = text.split_at(text.len() - precision);
        if precision == 0 { whole.to_owned() } else { format!("{whole}.{fraction}") }
    }

    fn fixed_digits(&self) -> String {
        self.digits.iter().map(|d| char::from(b'0' + d)).collect()
    }

    fn scientific(&self, precision: usize) -> (String, i32) {
        let length = self.digits.len();
        let mut exponent = length as i32 - 1 - self.scale as i32;
        let mut digits = self.without_last(length.saturating_sub(precision + 1));
        if digits.len() > (precision + 1).min(length) {
            digits.pop();
            exponent += 1;
        }
        digits.resize(precision + 1, 0);
        let text: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
        let (whole, fraction) = text.split_at(1);
        (if precision == 0 { whole.to_owned() } else { format!("{whole}.{fraction}") }, exponent)
    }
}

impl Number {
    /// A `long double`.
    pub fn extended(bits: u128) -> Number {
        let double = extended::to_f64(bits);
        match extended::parts(bits) {
            Some((negative, mantissa, exponent)) if mantissa != 0 && !same(double, bits) => {
                Number::Exact(Decimal::new(negative, mantissa, exponent))
            }
            _ => Number::Double(double),
        }
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Number::Double(v) => v.is_sign_negative(),
            Number::Exact(d) => d.negative,
        }
    }

    /// How a number without digits is called.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Number::Double(v) if v.is_nan() => Some("nan"),
            Number::Double(v) if v.is_infinite() => Some("inf"),
            _ => None,
        }
    }

    /// The magnitude with `precision` digits after the point; `point` keeps the point without digits after it.
    pub fn fixed(&self, precision: usize, point: bool) -> String {
        let mut text = match self {
            Number::Double(v) => {
                let shown = precision.min(MOST_DIGITS);
                let mut text = format!("{:.shown$}", v.abs());
                text.push_str(&"0".repeat(precision - shown));
                text
            }
            Number::Exact(d) => d.fixed(precision),
        };
        if precision == 0 && point {
            text.push('.');
        }
        text
    }

    /// Mantissa and exponent of the decimal with `precision` digits after the point.
    fn scientific(&self, precision: usize) -> (String, i32) {
        match self {
            Number::Double(v) => {
                let shown = precision.min(MOST_DIGITS);
                let text = format!("{:.shown$e}", v.abs());
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                (format!("{mantissa}{}", "0".repeat(precision - shown)), exponent.parse().unwrap_or(0))
            }
            Number::Exact(d) => d.scientific(precision),
        }
    }

    /// The magnitude with an exponent of at least two digits.
    pub fn exponential(&self, precision: usize, point: bool) -> String {
        let (mut mantissa, exponent) = self.scientific(precision);
        if precision == 0 && point {
            mantissa.push('.');
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}e{sign}{:02}", exponent.abs())
    }

    /// The magnitude in hexadecimal; without a precision as many digits as it needs. A `long double` is shown by
    /// the nearest double.
    pub fn hexadecimal(&self, precision: Option<usize>, point: bool) -> String {
        let v = match self {
            Number::Double(v) => v.abs(),
            Number::Exact(d) => format!("{}e-{}", d.fixed_digits(), d.scale).parse().unwrap_or(0.0),
        };
        let bits = v.to_bits();
        let (mut mantissa, biased) = (bits & ((1 << 52) - 1), bits >> 52);
        let mut exponent = if v == 0.0 { 0 } else { biased.max(1) as i64 - 1023 };
        if biased > 0 {
            mantissa |= 1 << 52;
        }
        let mut digits = 13;
        if let Some(p) = precision.filter(|p| *p < 13) {
            let dropped = 4 * (13 - p);
            let half = 1u64 << (dropped - 1);
            let tail = mantissa & ((1 << dropped) - 1);
            mantissa >>= dropped;
            if tail > half || (tail == half && mantissa & 1 == 1) {
                mantissa += 1;
            }
            digits = p;
        }
        let lead = mantissa >> (4 * digits);
        let fraction = mantissa & ((1u64 << (4 * digits)) - 1);
        let mut text = if digits == 0 { String::new() } else { format!("{fraction:0digits$x}") };
        match precision {
            None => text.truncate(text.trim_end_matches('0').len()),
            Some(p) => text.push_str(&"0".repeat(p - digits)),
        }
        if v == 0.0 {
            exponent = 0;
        }
        let dot = if text.is_empty() && !point { "" } else { "." };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("0x{lead:x}{dot}{text}p{sign}{}", exponent.abs())
    }

    /// The shorter of both forms with `precision` significant digits, at least 1, without trailing zeros unless
    /// they are to be kept.
    pub fn general(&self, precision: usize, keep_zeros: bool) -> String {
        let (_, exponent) = self.scientific(precision - 1);
        let use_fixed = exponent >= -4 && i64::from(exponent) < precision as i64;
        let text = if use_fixed {
            self.fixed((precision as i64 - 1 - i64::from(exponent)) as usize, keep_zeros)
        } else {
            self.exponential(precision - 1, keep_zeros)
        };
        if keep_zeros {
            return text;
        }
        let (mantissa, tail) = match text.split_once('e') {
            Some((m, e)) => (m.to_owned(), format!("e{e}")),
            None => (text, String::new()),
        };
        if !mantissa.contains('.') {
            return mantissa + &tail;
        }
        format!("{}{tail}", mantissa.trim_end_matches('0').trim_end_matches('.'))
    }
}

fn same(double: f64, bits: u128) -> bool {
    use crate::value::Value;
    extended::convert(&Value::Float(double), heapwise_ir::FloatTy::F80) == Value::Extended(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A double through the long arithmetic.
    fn exact(v: f64) -> Number {
        let bits = v.abs().to_bits();
        let (mantissa, exponent) = ((bits & ((1 << 52) - 1)) | 1 << 52, (bits >> 52) as i32 - 1075);
        Number::Exact(Decimal::new(v < 0.0, mantissa, exponent))
    }

    #[test]
    fn long_arithmetic_agrees_with_the_standard_library() {
        for v in
            [1.0, 2.5, 0.1, 1e22, 9.995, 0.5, 1.5, 12345.678, 1e-7, 3e100, 2.2250738585072014e-308, 999999.5]
        {
            for precision in [0, 1, 2, 5, 17, 30] {
                assert_eq!(
                    exact(v).fixed(precision, false),
                    Number::Double(v).fixed(precision, false),
                    "{v}"
                );
                let (a, b) =
                    (exact(v).exponential(precision, true), Number::Double(v).exponential(precision, true));
                assert_eq!(a, b, "{v}");
                let p = precision.max(1);
                assert_eq!(exact(v).general(p, false), Number::Double(v).general(p, false), "{v}");
            }
        }
    }
}
