//! Operations of the compiler: variadic arguments, overflow checks, bit counting, `alloca`.

use crate::call::adapt;
use crate::error::{ErrorKind, Res, fault};
use crate::frame::{Activation, VaState};
use crate::layout::Kind;
use crate::machine::Machine;
use crate::memory::Access;
use crate::object::{RawScalar, mask};
use crate::place::wrap;
use crate::value::Value;
use heapwise_ir::{BinaryOp, IntTy, Intrinsic, Operand, Place, Span, Ty};

/// A `va_list` holds a number that names its state; four bytes fit every platform's `va_list`.
const TOKEN_SIZE: u64 = 4;

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
            Intrinsic::VaStart => {
                let depth = self.frames.len();
                let Some(Activation::Code(frame)) = self.frames.last_mut() else { return Ok(()) };
                frame.va_lists = true;
                let state = VaState { args: frame.varargs.clone(), next: 0, depth };
                self.new_va(first, state)?;
                return Ok(());
            }
            Intrinsic::VaEnd => {
                if let Ok(token) = self.va_token(first) {
                    self.va.remove(&token);
                }
                return Ok(());
            }
            Intrinsic::VaCopy => {
                let token = self.va_token(second)?;
                let Some(mut state) = self.va.get(&token).cloned() else { return self.bad_va() };
                state.depth = self.frames.len();
                if let Some(Activation::Code(frame)) = self.frames.last_mut() {
                    frame.va_lists = true;
                }
                self.new_va(first, state)?;
                return Ok(());
            }
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

    fn bad_va<T>(&self) -> Res<T> {
        fault(ErrorKind::BadArgument, "the va_list was not started, or its function has returned")
    }

    fn new_va(&mut self, list: &Value, state: VaState) -> Res<()> {
        let token = self.next_va;
        self.next_va = self.next_va.wrapping_add(1).max(1);
        self.va.insert(token, state);
        let (address, object) = self.int_of(list, "the va_list")?;
        let spot = self.memory.check(address as u64, object, TOKEN_SIZE, Access::Write)?;
        let scalar = RawScalar { bits: token.into(), known: mask(TOKEN_SIZE), object: None };
        self.memory.at_mut(spot).write_scalar(spot.offset, TOKEN_SIZE, scalar);
        Ok(())
    }

    /// The state that a `va_list`, given by its address or by its bytes, stands for.
    pub fn va_token(&mut self, list: &Value) -> Res<u32> {
        match list {
            Value::Bytes(chunk) => match chunk.bytes.get(..4) {
                Some(&[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d])),
                _ => self.bad_va(),
            },
            _ => {
                let (address, object) = self.int_of(list, "the va_list")?;
                // A va_list that is itself a pointer is passed as the number.
                if self.va.contains_key(&(address as u32)) && object.is_none() && address < 1 << 32 {
                    return Ok(address as u32);
                }
                let spot = self.memory.check(address as u64, object, TOKEN_SIZE, Access::Read)?;
                let raw = self.memory.at(spot).read_scalar(spot.offset, TOKEN_SIZE);
                if raw.known != mask(TOKEN_SIZE) { self.bad_va() } else { Ok(raw.bits as u32) }
            }
        }
    }

    fn va_arg(&mut self, list: &Value, ty: Ty) -> Res<Value> {
        let token = self.va_token(list)?;
        let info = self.info(ty);
        let Some(state) = self.va.get_mut(&token) else { return self.bad_va() };
        let Some(arg) = state.args.get(state.next) else {
            return fault(ErrorKind::BadCall, "there is no further variadic argument");
        };
        state.next += 1;
        let fits = match &arg.value {
            Value::Int { .. } => info.int().is_some(),
            Value::Float(_) | Value::Extended(_) => matches!(info.kind, Kind::Float(_)),
            Value::Bytes(_) => info.kind == Kind::Aggregate,
            Value::Undefined | Value::Partial(_) => true,
        };
        if !fits {
            return fault(ErrorKind::BadCall, "the variadic argument has another type");
        }
        Ok(adapt(arg.value.clone(), info))
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
