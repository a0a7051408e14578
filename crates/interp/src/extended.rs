//! `long double`: the 80-bit format of the x87, computed by `rustc_apfloat`.

use crate::value::Value;
use heapwise_ir::{BinaryOp, FloatTy};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended as X87};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

fn from_f64(v: f64) -> u128 {
    let wide: X87 = Double::from_bits(v.to_bits().into()).convert(&mut false).value;
    wide.to_bits()
}

/// The nearest double.
pub(crate) fn to_f64(bits: u128) -> f64 {
    let narrow: Double = X87::from_bits(bits).convert(&mut false).value;
    f64::from_bits(narrow.to_bits() as u64)
}

/// The nearest float.
fn to_f32(bits: u128) -> f32 {
    let narrow: Single = X87::from_bits(bits).convert(&mut false).value;
    f32::from_bits(narrow.to_bits() as u32)
}

/// A floating value as one of another floating type; other values stay as they are.
pub(crate) fn convert(value: &Value, to: FloatTy) -> Value {
    match (value, to) {
        (Value::Float(v), FloatTy::F32) => Value::Float(f64::from(*v as f32)),
        (Value::Float(v), FloatTy::F80 | FloatTy::F128) => Value::Extended(from_f64(*v)),
        (Value::Extended(bits), FloatTy::F32) => Value::Float(f64::from(to_f32(*bits))),
        (Value::Extended(bits), FloatTy::F64) => Value::Float(to_f64(*bits)),
        _ => value.clone(),
    }
}

/// Arithmetic; `None` for operators that floating numbers do not have.
pub(crate) fn binary(op: BinaryOp, a: u128, b: u128) -> Option<u128> {
    let (a, b) = (X87::from_bits(a), X87::from_bits(b));
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => return None,
    };
    Some(result.value.to_bits())
}

pub(crate) fn negate(bits: u128) -> u128 {
    bits ^ (1 << 79)
}

pub(crate) fn compare(a: u128, b: u128) -> Option<Ordering> {
    X87::from_bits(a).partial_cmp(&X87::from_bits(b))
}

pub(crate) fn is_zero(bits: u128) -> bool {
    X87::from_bits(bits).is_zero()
}

/// A decimal number without a sign.
pub(crate) fn from_decimal(digits: &str) -> Option<u128> {
    let parsed = X87::from_str_r(digits, Round::NearestTiesToEven).ok()?;
    Some(parsed.value.to_bits())
}

/// Whether the exact result of an operator on doubles, or the integer, has more digits than the x87 keeps of it in a register, or than
/// a double or float holds: then the result depends on where it is kept.
pub(crate) fn is_kept_wider(op: BinaryOp, a: f64, b: f64, result: f64) -> bool {
    match binary(op, from_f64(a), from_f64(b)) {
        Some(bits) => {
            X87::from_bits(bits).partial_cmp(&X87::from_bits(from_f64(result))) != Some(Ordering::Equal)
        }
        None => false,
    }
}

/// Whether a number is a `double` as well.
pub(crate) fn is_double(bits: u128) -> bool {
    let same = compare(from_f64(to_f64(bits)), bits) == Some(Ordering::Equal);
    same && (is_zero(bits) || to_f64(bits).is_normal())
}

/// An integer, unsigned by its bits or signed.
pub(crate) fn from_int(v: i128, unsigned: bool) -> u128 {
    let wide = if unsigned { X87::from_u128(v as u128) } else { X87::from_i128(v) };
    wide.value.to_bits()
}

/// The integer part, if it fits.
pub(crate) fn to_int(bits: u128) -> Option<i128> {
    let result = X87::from_bits(bits).to_i128_r(128, Round::TowardZero, &mut false);
    (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
}

/// Sign, 64-bit mantissa and binary exponent of a finite number: `mantissa * 2^exponent`.
pub(crate) fn parts(bits: u128) -> Option<(bool, u64, i32)> {
    let exponent = (bits >> 64 & 0x7fff) as i32;
    if exponent == 0x7fff {
        return None;
    }
    Some((bits >> 79 & 1 == 1, bits as u64, exponent.max(1) - 16383 - 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_64_bits() {
        let max = from_int(i64::MAX.into(), false);
        assert_eq!(to_int(max), Some(i64::MAX.into()));
        assert_eq!(to_f64(max), 2f64.powi(63));
        assert_eq!(parts(from_f64(-2.5)), Some((true, 0xa000_0000_0000_0000, -62)));
        let third = binary(BinaryOp::Div, from_f64(1.0), from_f64(3.0)).expect("an operator");
        assert_ne!(third, from_f64(1.0 / 3.0));
        assert_eq!(to_f64(third), 1.0 / 3.0);
        assert!(parts(from_f64(f64::INFINITY)).is_none() && is_zero(from_f64(-0.0)));
    }
}
