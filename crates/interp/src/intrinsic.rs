//! Operations of the compiler: variadic arguments, overflow checks, bit counting, `alloca`.

use crate::call::adapt;
use crate::error::{ErrorKind, Res, fault};
use crate::frame::Activation;
use crate::machine::Machine;
use crate::object::mask;
use crate::options::Surroundings;
use crate::place::wrap;
use crate::value::Value;
use heapwise_ir::{BinaryOp, IntTy, Intrinsic, Operand, Place, Span, Ty};

impl Machine<'_, '_> {
    pub fn intrinsic(
        &mut self,
        op: Intrinsic,
        dest: Option<&Place>,
        args: &[Operand],
        span: Span,
    ) -> Res<()> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.operand(arg)?);
        }
        let none = Value::Undefined;
        let first = values.first().unwrap_or(&none);
        let second = values.get(1).unwrap_or(&none);
        let result = match op {
            Intrinsic::VaEnd => return self.va_end(first),
            Intrinsic::VaArg(ty) => self.va_arg(first, ty)?,
            Intrinsic::Overflow(op, ty) => {
                let third = values.get(2).unwrap_or(&none);
                self.checked(op, ty, args, first, second, third)?
            }
            Intrinsic::Clz
            | Intrinsic::Ctz
            | Intrinsic::Ffs
            | Intrinsic::Popcount
            | Intrinsic::Parity
            | Intrinsic::Bswap => {
                let bits = args.first().map_or(32, |a| self.operand_info(a).size.clamp(1, 16) as u32 * 8);
                let (value, _) = self.int_of(first, "the operand")?;
                Value::int(count_bits(op, value, bits)?)
            }
            Intrinsic::Unreachable => {
                return fault(ErrorKind::Unreachable, "control came to an unreachable point");
            }
            Intrinsic::Trap => return fault(ErrorKind::Trap, "a trap was executed"),
            Intrinsic::Alloca => {
                let (size, _) = self.int_of(first, "the size")?;
                self.stack_block(None, size as u64 & self.word_mask, span)?
            }
            Intrinsic::ObjectSize => {
                let detail = "what a compiler knows of the size of an object depends on how it optimises";
                return fault(ErrorKind::Unsupported, detail);
            }
            // Without optimisation it is 0. That an optimising compiler finds out more is no more than a guess.
            Intrinsic::ConstantP => {
                let known = self.options.surroundings == Surroundings::Drawn
                    && self.draw_choice("__builtin_constant_p")?;
                if known {
                    self.guess("what the compiler knows to be constant");
                }
                Value::int(known.into())
            }
            Intrinsic::FrameAddress => match self.frames.last() {
                Some(Activation::Code(frame)) => Value::pointer(frame.top, None),
                _ => Value::Undefined,
            },
        };
        match dest {
            Some(place) => {
                let result = adapt(result, self.info(place.ty));
                self.assign(place, result)
            }
            None => Ok(()),
        }
    }

    fn checked(
        &mut self,
        op: BinaryOp,
        ty: Ty,
        args: &[Operand],
        lhs: &Value,
        rhs: &Value,
        to: &Value,
    ) -> Res<Value> {
        let info = self.info(ty);
        let Some(int) = info.int() else { return fault(ErrorKind::Unsupported, "malformed overflow check") };
        let (a, _) = self.int_of(lhs, "the left operand")?;
        let (b, _) = self.int_of(rhs, "the right operand")?;
        let wide = |i: usize| {
            let ty = args.get(i).and_then(|a| self.operand_info(a).int());
            ty.is_some_and(|t| t.bits >= 128 && !t.signed)
        };
        let (exact, bits) = exact_binary(op, a, wide(0), b, wide(1));
        let result = wrap(int, bits);
        let fits = exact && represents(int, result, bits);
        let (address, object) = self.int_of(to, "the destination")?;
        if address != 0 || object.is_some() {
            self.store(address as u64, object, info, &Value::int(result))?;
        }
        Ok(Value::int((!fits).into()))
    }
}

/// The result modulo 2^128 as `i128`, and whether the mathematical result is that `i128`.
fn exact_binary(op: BinaryOp, a: i128, a_wide: bool, b: i128, b_wide: bool) -> (bool, i128) {
    let small = (!a_wide || a >= 0) && (!b_wide || b >= 0);
    let (bits, overflow) = match op {
        BinaryOp::Add => a.overflowing_add(b),
        BinaryOp::Sub => a.overflowing_sub(b),
        BinaryOp::Mul => a.overflowing_mul(b),
        _ => (0, true),
    };
    (small && !overflow, bits)
}

fn represents(int: IntTy, result: i128, exact: i128) -> bool {
    result == exact && (int.signed || exact >= 0)
}

fn count_bits(op: Intrinsic, value: i128, bits: u32) -> Res<i128> {
    let low = (value as u128) & mask(u64::from(bits) / 8);
    Ok(match op {
        Intrinsic::Clz | Intrinsic::Ctz if low == 0 => {
            return fault(ErrorKind::BadArgument, "count of zero bits of 0");
        }
        Intrinsic::Clz => i128::from(low.leading_zeros() - (128 - bits)),
        Intrinsic::Ctz => i128::from(low.trailing_zeros()),
        Intrinsic::Ffs => {
            if low == 0 {
                0
            } else {
                i128::from(low.trailing_zeros()) + 1
            }
        }
        Intrinsic::Popcount => i128::from(low.count_ones()),
        Intrinsic::Parity => i128::from(low.count_ones() & 1),
        _ => (low.swap_bytes() >> (128 - bits)) as i128,
    })
}
