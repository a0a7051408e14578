//! `math.h`, computed in double precision; results of `float` functions are rounded when they are stored.
//!
//! Where the standard does not say what the result is to the last digit, or double precision is not enough for it, the run becomes
//! a guess.

use super::{Args, int_info};
use crate::error::Res;
use crate::extended;
use crate::layout::{Kind, TyInfo};
use crate::machine::Machine;
use crate::value::Value;
use heapwise_ir::library::LibFn;
use heapwise_ir::{FloatTy, Ty, Type};

/// Mantissa in [0.5, 1) and exponent.
fn frexp(v: f64) -> (f64, i32) {
    if v == 0.0 || !v.is_finite() {
        return (v, 0);
    }
    let scaled = if v.abs() < f64::MIN_POSITIVE { v * 2f64.powi(64) } else { v };
    let shift = if scaled == v { 0 } else { 64 };
    let exponent = ((scaled.to_bits() >> 52) & 0x7ff) as i32 - 1022;
    let mantissa = f64::from_bits((scaled.to_bits() & !(0x7ff << 52)) | (1022 << 52));
    (mantissa, exponent - shift)
}

/// `v * 2^exponent`, rounded once.
fn ldexp(v: f64, exponent: i32) -> f64 {
    let exponent = exponent.clamp(-2200, 2200);
    let (mantissa, e) = frexp(v);
    if v == 0.0 || !v.is_finite() {
        return v;
    }
    let total = e + exponent;
    if total > 1024 {
        return f64::INFINITY.copysign(v);
    }
    if total >= -1020 {
        return mantissa * 2f64.powi(total - 1) * 2.0;
    }
    // Subnormal: scale the 53-bit integer so that the last product rounds.
    mantissa * 2f64.powi((total + 1000).max(-1000)) * 2f64.powi(-1000)
}

impl Machine<'_, '_> {
    pub(super) fn math_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        use LibFn as L;
        if !self.is_exact(model, args)? {
            self.guess(&format!("the digits of what `{}` gives", self.function_name(args.func)));
        }
        let result = match model {
            L::HugeVal => f64::INFINITY,
            L::Nan => f64::NAN,
            L::Pow
            | L::Fmod
            | L::Remainder
            | L::Atan2
            | L::Hypot
            | L::Fmin
            | L::Fmax
            | L::Fdim
            | L::Copysign => {
                let (a, b) = (self.float_arg(args, 0)?, self.float_arg(args, 1)?);
                match model {
                    L::Pow => a.powf(b),
                    L::Fmod => a % b,
                    L::Remainder => a - b * (a / b).round_ties_even(),
                    L::Atan2 => a.atan2(b),
                    L::Hypot => a.hypot(b),
                    L::Fmin => a.min(b),
                    L::Fmax => a.max(b),
                    L::Fdim if a <= b => 0.0,
                    L::Fdim => a - b,
                    _ => a.copysign(b),
                }
            }
            L::Fma => {
                let (a, b, c) =
                    (self.float_arg(args, 0)?, self.float_arg(args, 1)?, self.float_arg(args, 2)?);
                a.mul_add(b, c)
            }
            L::Ldexp => {
                let (v, (e, _)) = (self.float_arg(args, 0)?, self.int_arg(args, 1)?);
                ldexp(v, e.clamp(-5000, 5000) as i32)
            }
            L::Frexp => {
                let (mantissa, exponent) = frexp(self.float_arg(args, 0)?);
                let to = self.ptr_arg(args, 1)?;
                self.store(to.address, to.object, int_info(32, true), &Value::int(exponent.into()))?;
                mantissa
            }
            L::Modf => {
                let v = self.float_arg(args, 0)?;
                let to = self.ptr_arg(args, 1)?;
                let ty = self.pointee(args, 1);
                self.store(to.address, to.object, ty, &Value::Float(v.trunc()))?;
                if v.is_infinite() { 0f64.copysign(v) } else { (v - v.trunc()).copysign(v) }
            }
            _ => {
                let v = self.float_arg(args, 0)?;
                match one_argument(model, v) {
                    Ok(result) => result,
                    Err(code) => return Ok(Value::int(code)),
                }
            }
        };
        Ok(Value::Float(result))
    }

    /// Whether the result is the same everywhere, and the one that is computed here.
    fn is_exact(&self, model: LibFn, args: &Args) -> Res<bool> {
        use LibFn as L;
        let kind_of = |ty: Ty| match self.info(ty).kind {
            Kind::Float(kind) => Some(kind),
            _ => None,
        };
        let wide = |kind: Option<FloatTy>| matches!(kind, Some(FloatTy::F80 | FloatTy::F128));
        let mut numbers = Vec::new();
        for (i, argument) in args.values.iter().enumerate() {
            let exact = match &argument.value {
                Value::Extended(bits) => extended::is_double(*bits),
                _ => true,
            };
            if !exact {
                return Ok(false);
            }
            if kind_of(argument.ty).is_some() {
                numbers.push(self.float_arg(args, i)?);
            }
        }
        let narrow = kind_of(args.ret) == Some(FloatTy::F32);
        let first = numbers.first().copied().unwrap_or(0.0);
        let second = numbers.get(1).copied().unwrap_or(0.0);
        let whole = |v: f64| v.trunc() == v && v.abs() < 2f64.powi(53);
        Ok(match model {
            L::Sqrt => !wide(kind_of(args.ret)) && first >= 0.0,
            L::Fabs | L::Floor | L::Ceil | L::Round | L::Trunc | L::Rint => !first.is_nan(),
            L::Lround | L::Lrint => {
                let limit = 2f64.powi(self.info(args.ret).size as i32 * 8 - 1);
                first > -limit && first < limit - 1.0
            }
            L::Fmod => first.is_finite() && second != 0.0 && !second.is_nan(),
            // Which of two zeros is the smaller one is left open.
            L::Fmin | L::Fmax => {
                !(first.is_nan() && second.is_nan())
                    && (first != second || first.is_sign_negative() == second.is_sign_negative())
            }
            L::Fma => !narrow && !wide(kind_of(args.ret)) && numbers.iter().all(|v| v.is_finite()),
            L::Fdim => !wide(kind_of(args.ret)) && first.is_finite() && second.is_finite(),
            // Whether a number that is none is negative depends on who computes it.
            L::Copysign => !first.is_nan() && !second.is_nan(),
            L::Signbit => !first.is_nan(),
            L::Ldexp => {
                let (e, _) = self.int_arg(args, 1)?;
                let result = ldexp(first, e.clamp(-5000, 5000) as i32);
                first == 0.0 || result.is_normal() && (!narrow || (result as f32).is_normal())
            }
            L::Frexp => first.is_finite(),
            L::Modf => first.is_finite(),
            L::Isnan | L::Isinf | L::Isfinite | L::HugeVal => true,
            L::Isnormal | L::Fpclassify => {
                first == 0.0
                    || !wide(args.values.first().and_then(|a| kind_of(a.ty)))
                    || !first.is_finite()
                    || first.is_normal()
            }
            // Products of whole numbers that have few digits.
            L::Pow => whole(first) && whole(second) && second >= 0.0 && whole(first.powf(second)),
            L::Sin | L::Tan | L::Asin | L::Atan | L::Sinh | L::Tanh | L::Cos | L::Cosh | L::Exp | L::Exp2 => {
                first == 0.0
            }
            L::Log | L::Log2 | L::Log10 => first == 1.0,
            _ => false,
        })
    }

    /// What a pointer argument points to, by its type; `double` if that is no floating type.
    fn pointee(&self, args: &Args, i: usize) -> TyInfo {
        let ty = args.values.get(i).map_or(Ty(0), |a| a.ty);
        match self.program.types.get(ty) {
            Type::Pointer(to) if matches!(self.info(*to).kind, Kind::Float(_)) => self.info(*to),
            _ => TyInfo { kind: Kind::Float(FloatTy::F64), size: 8, align: 8 },
        }
    }
}

/// Functions of one number; `Err` for those with an integer result.
fn one_argument(model: LibFn, v: f64) -> Result<f64, i128> {
    use LibFn as L;
    Ok(match model {
        L::Sqrt => v.sqrt(),
        L::Cbrt => v.cbrt(),
        L::Fabs => v.abs(),
        L::Floor => v.floor(),
        L::Ceil => v.ceil(),
        L::Round => v.round(),
        L::Rint => v.round_ties_even(),
        L::Trunc => v.trunc(),
        L::Sin => v.sin(),
        L::Cos => v.cos(),
        L::Tan => v.tan(),
        L::Asin => v.asin(),
        L::Acos => v.acos(),
        L::Atan => v.atan(),
        L::Sinh => v.sinh(),
        L::Cosh => v.cosh(),
        L::Tanh => v.tanh(),
        L::Exp => v.exp(),
        L::Exp2 => v.exp2(),
        L::Log => v.ln(),
        L::Log2 => v.log2(),
        L::Log10 => v.log10(),
        L::Lround => return Err(v.round() as i128),
        L::Lrint => return Err(v.round_ties_even() as i128),
        L::Isnan => return Err(v.is_nan().into()),
        L::Isinf => return Err(if v.is_infinite() { v.signum() as i128 } else { 0 }),
        L::Isfinite => return Err(v.is_finite().into()),
        L::Isnormal => return Err(v.is_normal().into()),
        L::Signbit => return Err(v.is_sign_negative().into()),
        _ => {
            return Err(match v.classify() {
                std::num::FpCategory::Nan => 0,
                std::num::FpCategory::Infinite => 1,
                std::num::FpCategory::Zero => 2,
                std::num::FpCategory::Subnormal => 3,
                std::num::FpCategory::Normal => 4,
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mantissa_and_exponent_round_trip() {
        for v in [1.0, -3.75, 1e300, 5e-324, 1e-310, f64::MAX, 0.0] {
            let (m, e) = frexp(v);
            assert!(v == 0.0 || (0.5..1.0).contains(&m.abs()), "{v}");
            assert_eq!(ldexp(m, e), v);
        }
        assert_eq!(ldexp(1.0, 2000), f64::INFINITY);
        assert_eq!(ldexp(1.0, -1074), 5e-324);
        assert_eq!(ldexp(1.0, -1080), 0.0);
    }
}
