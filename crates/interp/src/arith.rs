//! Operators and conversions.
//!
//! Bitwise operators, shifts by a known count and conversions between integers work on indeterminate bits, so
//! that masking and merging of half-initialised words is possible; everything else needs defined operands.

use crate::error::{ErrorKind, Res, fault};
use crate::extended;
use crate::layout::{Kind, TyInfo};
use crate::machine::Machine;
use crate::object::{Origin, RawScalar, mask};
use crate::options::Policy;
use crate::place::{decode, encode, wrap};
use crate::value::{Chunk, ObjectId, PartialValue, Value};
use heapwise_ir::{BinaryOp, CastKind, CompareOp, DataModel, FloatTy, GlobalKind, IntTy, UnaryOp};

/// The bits of an integer and which of them are known, within the width of `ty`.
fn bits_of(value: &Value, ty: TyInfo) -> Option<(u128, u128)> {
    match value {
        Value::Float(_) | Value::Extended(_) | Value::Bytes(_) => None,
        _ => {
            let raw = encode(value, ty);
            Some((raw.bits, raw.known))
        }
    }
}

fn is_partial(value: &Value) -> bool {
    matches!(value, Value::Undefined | Value::Partial(_))
}

/// Provenance of a result: that of the operand that has one, if the other has none.
fn merge(a: Option<ObjectId>, b: Option<ObjectId>) -> Option<ObjectId> {
    match (a, b) {
        (Some(o), None) | (None, Some(o)) => Some(o),
        _ => None,
    }
}

/// A result of double precision as a value of a floating type.
fn float_value(ty: TyInfo, value: f64) -> Value {
    match ty.kind {
        Kind::Float(to) => extended::convert(&Value::Float(value), to),
        _ => Value::Float(value),
    }
}

fn is_wide_unsigned(ty: IntTy) -> bool {
    ty.bits >= 128 && !ty.signed
}

impl Machine<'_, '_> {
    pub fn binary(&self, op: BinaryOp, lhs: &Value, rhs: &Value, ty: TyInfo, rhs_ty: TyInfo) -> Res<Value> {
        if let Kind::Float(_) = ty.kind {
            return self.float_binary(op, lhs, rhs, ty);
        }
        let Some(int) = ty.int() else {
            return fault(ErrorKind::Unsupported, "arithmetic on an opaque type");
        };
        if (is_partial(lhs) || is_partial(rhs))
            && self.options.uninitialised == Policy::Stop
            && let Some(result) = partial_binary(op, lhs, rhs, ty, int)
        {
            return Ok(result);
        }
        let (a, pa) = self.int_of(lhs, "the left operand")?;
        let (b, pb) = self.int_of(rhs, "the right operand")?;
        let mut object = None;
        let result = match op {
            BinaryOp::Add => {
                object = merge(pa, pb);
                a.checked_add(b)
            }
            BinaryOp::Sub => {
                object = if pb.is_none() { pa } else { None };
                a.checked_sub(b)
            }
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div | BinaryOp::Rem => {
                self.hidden(pa.into_iter().chain(pb), None);
                return self.divide(op, a, b, int);
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                self.hidden(pa.into_iter().chain(pb), None);
                return self.shift(op, a, b, int, rhs_ty);
            }
            BinaryOp::And => {
                object = merge(pa, pb);
                Some(a & b)
            }
            BinaryOp::Or => {
                object = merge(pa, pb);
                Some(a | b)
            }
            BinaryOp::Xor => {
                object = merge(pa, pb);
                Some(a ^ b)
            }
        };
        self.hidden(pa.into_iter().chain(pb), object);
        if let Some(exact) = result
            && (int.bits < 128 || int.signed)
        {
            let wrapped = wrap(int, exact);
            if wrapped != exact && int.signed && !bitwise(op) {
                self.overflow(op, a, b, int)?;
            }
            return Ok(Value::Int { bits: wrapped, object });
        }
        if int.signed {
            self.overflow(op, a, b, int)?;
        }
        let bits = match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            _ => result.unwrap_or(0),
        };
        Ok(Value::Int { bits: wrap(int, bits), object })
    }

    /// Notes that a number was computed from addresses in these objects, and is taken for an address in one of them at most.
    fn hidden(&self, from: impl Iterator<Item = ObjectId>, kept: Option<ObjectId>) {
        from.filter(|id| Some(*id) != kept).for_each(|id| self.memory.expose(id));
    }

    fn overflow(&self, op: BinaryOp, a: i128, b: i128, ty: IntTy) -> Res<()> {
        if self.options.overflow == Policy::Ignore {
            return Ok(());
        }
        let sign = symbol(op);
        fault(
            ErrorKind::Overflow,
            format!("{a} {sign} {b} does not fit a signed integer of {} bits", ty.bits),
        )
    }

    fn divide(&self, op: BinaryOp, a: i128, b: i128, ty: IntTy) -> Res<Value> {
        if b == 0 {
            return fault(ErrorKind::DivisionByZero, format!("{a} {} 0", symbol(op)));
        }
        if is_wide_unsigned(ty) {
            let (a, b) = (a as u128, b as u128);
            return Ok(Value::int(if op == BinaryOp::Div { a / b } else { a % b } as i128));
        }
        let quotient = a.checked_div(b);
        if quotient.is_none_or(|q| wrap(ty, q) != q) {
            self.overflow(op, a, b, ty)?;
            // Unlike other overflow this does not wrap.
            return fault(
                ErrorKind::DivisionByZero,
                format!("{a} {} {b} does not fit and traps", symbol(op)),
            );
        }
        Ok(Value::int(if op == BinaryOp::Div { quotient.unwrap_or(0) } else { a.wrapping_rem(b) }))
    }

    fn shift(&self, op: BinaryOp, a: i128, b: i128, ty: IntTy, _rhs_ty: TyInfo) -> Res<Value> {
        let width = i128::from(ty.bits);
        if !(0..width).contains(&b) && self.options.shift == Policy::Stop {
            return fault(ErrorKind::Shift, format!("shift by {b} of an integer of {width} bits"));
        }
        let count = (b & (width - 1)) as u32;
        if op == BinaryOp::Shl && ty.signed {
            let power = 1i128.checked_shl(count).filter(|power| *power > 0);
            let exact = if a == 0 { Some(0) } else { power.and_then(|power| a.checked_mul(power)) };
            if exact.is_none_or(|exact| wrap(ty, exact) != exact) {
                self.overflow(op, a, b, ty)?;
            }
        }
        let bits = match op {
            BinaryOp::Shl => a.wrapping_shl(count),
            _ if is_wide_unsigned(ty) => ((a as u128) >> count) as i128,
            _ => a >> count,
        };
        Ok(Value::int(wrap(ty, bits)))
    }

    fn float_binary(&self, op: BinaryOp, lhs: &Value, rhs: &Value, ty: TyInfo) -> Res<Value> {
        if let (Value::Extended(a), Value::Extended(b)) = (lhs, rhs) {
            return match extended::binary(op, *a, *b) {
                Some(bits) => Ok(Value::Extended(bits)),
                None => fault(ErrorKind::Unsupported, "bitwise operator on floating numbers"),
            };
        }
        let a = self.float_of(lhs, "the left operand")?;
        let b = self.float_of(rhs, "the right operand")?;
        // Twice the precision plus two bits: rounding the double result gives the correct float result.
        let result = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return fault(ErrorKind::Unsupported, "bitwise operator on floating numbers"),
        };
        let result = float_value(ty, result);
        // Compilers keep numbers in registers of the x87, with more digits, for as long as they like.
        if self.program.model == DataModel::Ilp32
            && let Value::Float(rounded) = result
            && extended::is_kept_wider(op, a, b, rounded)
        {
            self.guess("a floating number that a register may hold with more digits");
        }
        Ok(result)
    }

    pub fn unary(&self, op: UnaryOp, arg: &Value, ty: TyInfo) -> Res<Value> {
        if let Kind::Float(_) = ty.kind {
            if let Value::Extended(bits) = arg {
                return Ok(Value::Extended(extended::negate(*bits)));
            }
            let v = self.float_of(arg, "the operand")?;
            return Ok(Value::Float(-v));
        }
        let Some(int) = ty.int() else {
            return fault(ErrorKind::Unsupported, "arithmetic on an opaque type");
        };
        if let (UnaryOp::BitNot, Value::Partial(p)) = (op, arg) {
            let bits = !p.bits & p.known;
            return Ok(Value::Partial(Box::new(PartialValue { bits, known: p.known, object: None })));
        }
        let (v, object) = self.int_of(arg, "the operand")?;
        self.hidden(object.into_iter(), None);
        match op {
            UnaryOp::Neg => self.binary(BinaryOp::Sub, &Value::int(0), &Value::int(v), ty, ty),
            UnaryOp::BitNot => Ok(Value::int(wrap(int, !v))),
        }
    }

    pub fn compare(&self, op: CompareOp, lhs: &Value, rhs: &Value, ty: TyInfo) -> Res<Value> {
        use std::cmp::Ordering;
        let order = if let (Value::Extended(a), Value::Extended(b)) = (lhs, rhs) {
            extended::compare(*a, *b)
        } else if let Kind::Float(_) = ty.kind {
            let a = self.float_of(lhs, "the left operand")?;
            let b = self.float_of(rhs, "the right operand")?;
            a.partial_cmp(&b)
        } else {
            let (a, object_a) = self.int_of(lhs, "the left operand")?;
            let (b, object_b) = self.int_of(rhs, "the right operand")?;
            if let (Some(x), Some(y)) = (object_a, object_b)
                && x != y
                && self.may_share((x, a), (y, b))
            {
                let detail = "whether two string literals are one object is left to the compiler";
                return fault(ErrorKind::Unsupported, detail);
            }
            let wide = ty.int().is_some_and(is_wide_unsigned);
            Some(if wide { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) })
        };
        let holds = match op {
            CompareOp::Eq => order == Some(Ordering::Equal),
            CompareOp::Ne => order != Some(Ordering::Equal),
            CompareOp::Lt => order == Some(Ordering::Less),
            CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            CompareOp::Gt => order == Some(Ordering::Greater),
            CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        };
        Ok(Value::int(holds.into()))
    }

    /// Whether two addresses are in string literals that compilers may keep in one place: their bytes are the same as
    /// far as both go.
    fn may_share(&self, a: (ObjectId, i128), b: (ObjectId, i128)) -> bool {
        let literal = |(id, address): (ObjectId, i128)| {
            let object = self.memory.object(id)?;
            let Origin::Global(g) = object.origin else { return None };
            self.program.globals.get(g).filter(|g| g.kind == GlobalKind::Literal)?;
            Some((object, usize::try_from(address - i128::from(object.base)).ok()))
        };
        let (Some((x, i)), Some((y, j))) = (literal(a), literal(b)) else { return false };
        let texts = i.and_then(|i| x.bytes().get(i..)).zip(j.and_then(|j| y.bytes().get(j..)));
        texts.is_none_or(|(x, y)| x.iter().zip(y).all(|(x, y)| x == y))
    }

    pub fn cast(&self, kind: CastKind, arg: Value, from: TyInfo, to: TyInfo) -> Res<Value> {
        match kind {
            CastKind::IntToInt => {
                let Some(int) = to.int() else {
                    return fault(ErrorKind::Unsupported, "malformed conversion");
                };
                if is_partial(&arg) && self.options.uninitialised == Policy::Stop {
                    return Ok(convert_partial(&arg, from, to));
                }
                let (bits, object) = self.int_of(&arg, "the operand")?;
                let keeps = to.size >= self.memory.word() && from.size >= self.memory.word();
                let kept = object.filter(|_| keeps);
                self.hidden(object.into_iter(), kept);
                Ok(Value::Int { bits: wrap(int, bits), object: kept })
            }
            CastKind::ToBool => {
                let truth = match &arg {
                    Value::Float(v) => *v != 0.0,
                    Value::Extended(bits) => !extended::is_zero(*bits),
                    _ => self.int_of(&arg, "the operand")?.0 != 0,
                };
                Ok(Value::int(truth.into()))
            }
            CastKind::IntToFloat => {
                let (v, _) = self.int_of(&arg, "the operand")?;
                let wide = from.int().is_some_and(is_wide_unsigned);
                if let Kind::Float(FloatTy::F80 | FloatTy::F128) = to.kind {
                    return Ok(Value::Extended(extended::from_int(v, wide)));
                }
                let result = match to.kind {
                    Kind::Float(FloatTy::F32) if wide => f64::from(v as u128 as f32),
                    Kind::Float(FloatTy::F32) => f64::from(v as f32),
                    _ if wide => v as u128 as f64,
                    _ => v as f64,
                };
                if self.program.model == DataModel::Ilp32 && result as i128 != v {
                    self.guess("a floating number that a register may hold with more digits");
                }
                Ok(Value::Float(result))
            }
            CastKind::FloatToInt => {
                let Some(int) = to.int() else {
                    return fault(ErrorKind::Unsupported, "malformed conversion");
                };
                let v = self.float_of(&arg, "the operand")?.trunc();
                if let Value::Extended(bits) = arg
                    && let Some(exact) = extended::to_int(bits)
                    && wrap(int, exact) == exact
                {
                    return Ok(Value::int(exact));
                }
                if is_wide_unsigned(int) {
                    if !(v > -1.0 && v < 2f64.powi(128)) {
                        self.guess("a floating number that does not fit an integer");
                    }
                    return Ok(Value::int(v as u128 as i128));
                }
                let bits = v as i128;
                // At the ends of the range the integer is exact or far outside.
                if v.is_nan() || wrap(int, bits) != bits || bits as f64 != v {
                    if self.options.overflow == Policy::Stop {
                        let detail = format!("{v} does not fit an integer of {} bits", int.bits);
                        return fault(ErrorKind::Overflow, detail);
                    }
                    self.guess("a floating number that does not fit an integer");
                    return Ok(Value::int(wrap(int, int.min())));
                }
                Ok(Value::int(bits))
            }
            CastKind::FloatToFloat => match (&arg, to.kind) {
                (Value::Float(_) | Value::Extended(_), Kind::Float(to)) => Ok(extended::convert(&arg, to)),
                (Value::Undefined | Value::Partial(_), _) if self.options.uninitialised == Policy::Stop => {
                    self.undefined("the operand")
                }
                _ => Ok(float_value(to, self.float_of(&arg, "the operand")?)),
            },
            CastKind::PtrToInt => {
                let Some(int) = to.int() else {
                    return fault(ErrorKind::Unsupported, "malformed conversion");
                };
                if is_partial(&arg) && self.options.uninitialised == Policy::Stop {
                    return Ok(convert_partial(&arg, from, to));
                }
                let (bits, object) = self.int_of(&arg, "the pointer")?;
                let kept = object.filter(|_| to.size >= self.memory.word());
                self.hidden(object.into_iter(), kept);
                Ok(Value::Int { bits: wrap(int, bits), object: kept })
            }
            CastKind::IntToPtr => {
                if is_partial(&arg) && self.options.uninitialised == Policy::Stop {
                    return Ok(convert_partial(&arg, from, to));
                }
                let (bits, object) = self.int_of(&arg, "the integer")?;
                let address = bits as u64 & self.word_mask;
                Ok(Value::pointer(address, self.recognise(address, object)))
            }
            CastKind::PtrToPtr => Ok(arg),
            CastKind::Reinterpret => Ok(reinterpret(&arg, from, to)),
        }
    }

    /// Provenance of an integer that becomes a pointer: the object it carries if the address lies in it, else the
    /// object that lives at the address (the integer may be a combination of several pointers), else what it
    /// carries.
    fn recognise(&self, address: u64, carried: Option<ObjectId>) -> Option<ObjectId> {
        if address < 4096 {
            return carried;
        }
        let inside = |id: &ObjectId| {
            self.memory.object(*id).is_some_and(|o| address >= o.base && address - o.base <= o.size)
        };
        carried.filter(inside).or_else(|| self.find_object(address)).or(carried)
    }
}

fn bitwise(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

/// The result of an operator that works bit by bit, if this is one.
fn partial_binary(op: BinaryOp, lhs: &Value, rhs: &Value, ty: TyInfo, int: IntTy) -> Option<Value> {
    let (a, ka) = bits_of(lhs, ty)?;
    let all = mask(ty.size);
    let (bits, known) = match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            let (b, kb) = bits_of(rhs, ty)?;
            match op {
                BinaryOp::And => (a & b, (ka & kb) | (ka & !a) | (kb & !b)),
                BinaryOp::Or => (a | b, (ka & kb) | (ka & a) | (kb & b)),
                _ => (a ^ b, ka & kb),
            }
        }
        BinaryOp::Shl | BinaryOp::Shr => {
            let Value::Int { bits: count, .. } = rhs else { return None };
            let count = u32::try_from(*count).ok().filter(|c| *c < u32::from(int.bits))?;
            if op == BinaryOp::Shl {
                (a << count, (ka << count) | ((1 << count) - 1))
            } else {
                let vacated = all & !(all >> count);
                let top = 1u128 << (u32::from(int.bits) - 1);
                let (fill, fill_known) = match int.signed {
                    false => (0, vacated),
                    true if ka & top == 0 => (0, 0),
                    true => (if a & top != 0 { vacated } else { 0 }, vacated),
                };
                ((a >> count) | fill, (ka >> count) | fill_known)
            }
        }
        _ => return None,
    };
    Some(decode(RawScalar { bits: bits & all & known, known: known & all, object: None }, ty))
}

/// Conversion of a half-initialised integer or pointer: truncation, or extension by a bit that may be unknown.
fn convert_partial(value: &Value, from: TyInfo, to: TyInfo) -> Value {
    let Some((bits, known)) = bits_of(value, from) else { return Value::Undefined };
    let signed = from.int().is_some_and(|i| i.signed);
    let above = mask(to.size) & !mask(from.size);
    let top = 1u128 << (from.size * 8).saturating_sub(1).min(127);
    let (fill, fill_known) = match signed {
        false => (0, above),
        true if known & top == 0 => (0, 0),
        true => (if bits & top != 0 { above } else { 0 }, above),
    };
    let all = mask(to.size);
    decode(RawScalar { bits: (bits | fill) & all, known: (known | fill_known) & all, object: None }, to)
}

/// The value of type `to` with the same bytes.
fn reinterpret(value: &Value, from: TyInfo, to: TyInfo) -> Value {
    let chunk = match value {
        Value::Bytes(chunk) if !to.is_scalar() => return Value::Bytes(chunk.clone()),
        Value::Bytes(chunk) => {
            let mut raw = RawScalar { bits: 0, known: 0, object: None };
            for (i, byte) in chunk.bytes.iter().take(16).enumerate() {
                raw.bits |= u128::from(*byte) << (8 * i);
                let known = chunk.known.as_ref().map_or(0xff, |k| k.get(i).copied().unwrap_or(0));
                raw.known |= u128::from(known) << (8 * i);
            }
            raw.object = chunk.pointers.first().filter(|p| p.offset == 0 && p.whole).map(|p| p.object);
            return decode(raw, to);
        }
        _ if from.is_scalar() && to.is_scalar() => return decode(encode(value, from), to),
        _ => {
            let raw = encode(value, from);
            let n = from.size.min(16) as usize;
            let bytes: Vec<u8> = raw.bits.to_le_bytes().into_iter().take(n).collect();
            let known =
                (raw.known != mask(from.size)).then(|| raw.known.to_le_bytes().into_iter().take(n).collect());
            let pointers = raw
                .object
                .map(|object| crate::value::ChunkPointer { offset: 0, whole: true, object })
                .into_iter()
                .collect();
            Chunk { bytes, known, pointers }
        }
    };
    Value::Bytes(Box::new(chunk))
}
