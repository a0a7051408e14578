//! Variadic arguments in memory, as [`heapwise_ir::varargs`] describes them.

use crate::error::{ErrorKind, Res, Stop, fault, stop};
use crate::frame::{Activation, Slot, Typed};
use crate::layout::{Kind, TyInfo};
use crate::machine::Machine;
use crate::memory::{Access, Memory};
use crate::object::{Origin, RawScalar, mask};
use crate::value::{Chunk, ObjectId, Value};
use heapwise_ir::varargs::{TAG_SIZE, accepts, layout, padded_size};
use heapwise_ir::{LocalId, Ty};

/// Where the next argument of a `va_list` is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub address: u64,
    pub object: Option<ObjectId>,
}

impl Machine<'_, '_> {
    /// Puts the further arguments of a call into a block of the innermost frame.
    pub fn place_varargs(&mut self, local: LocalId, args: Vec<Typed>) -> Res<()> {
        let depth = self.frames.len() as u32;
        let (starts, size) = layout(&self.program.types, args.iter().map(|a| a.ty));
        let lowest = Memory::stack_region(self.program.model).1;
        let Some(Activation::Code(frame)) = self.frames.last_mut() else {
            return fault(ErrorKind::Unsupported, "malformed local");
        };
        let base = frame.low.saturating_sub(size.saturating_add(16)) & !15;
        if base < lowest {
            return stop(Stop::Budget(crate::BudgetKind::Memory));
        }
        let span = frame.body.locals.get(local).map(|l| l.span).unwrap_or_default();
        let origin = Origin::Local { function: frame.func, local, depth };
        let id = self.memory.allocate_at(origin, base, size, span)?;
        frame.low = base;
        frame.fixed_low = base;
        if let Some(slot) = self.slots.get_mut(self.base + local.0 as usize) {
            *slot = Slot::Object(id);
        }
        for (arg, start) in args.into_iter().zip(starts) {
            let at = base + start;
            let spot = self.memory.check(at, Some(id), TAG_SIZE, Access::Write)?;
            let tag = RawScalar { bits: arg.ty.0.into(), known: mask(TAG_SIZE), object: None };
            self.memory.at_mut(spot).write_scalar(spot.offset, TAG_SIZE, tag);
            self.store(at + TAG_SIZE, Some(id), self.info(arg.ty), &arg.value)?;
        }
        Ok(())
    }

    /// The type with which the argument at a position was passed.
    fn passed_type(&self, at: Position) -> Res<Ty> {
        if let Some(object) = at.object.and_then(|id| self.memory.object(id))
            && object.is_alive()
            && at.address.wrapping_sub(object.base) == object.size
        {
            return fault(ErrorKind::BadArgument, "there is no further variadic argument");
        }
        let spot = self.memory.check(at.address, at.object, TAG_SIZE, Access::Read)?;
        let raw = self.memory.at(spot).read_scalar(spot.offset, TAG_SIZE);
        match u32::try_from(raw.bits) {
            Ok(ty) if raw.known == mask(TAG_SIZE) => Ok(Ty(ty)),
            _ => fault(ErrorKind::BadArgument, "the va_list does not lead to a variadic argument"),
        }
    }

    /// The address of the bytes of a variadic argument, whose tag is at `list`.
    pub fn va_arg(&self, list: &Value, ty: Ty) -> Res<Value> {
        let (address, object) = self.int_of(list, "the va_list")?;
        let at = Position { address: address as u64, object };
        let passed = self.passed_type(at)?;
        if !accepts(&self.program.types, passed, ty) {
            return fault(ErrorKind::BadArgument, "the variadic argument has another type");
        }
        Ok(Value::pointer(at.address.wrapping_add(TAG_SIZE), at.object))
    }

    /// Where a `va_list`, given by its address, stands.
    fn position_at(&self, address: u64, object: Option<ObjectId>) -> Res<Position> {
        let value = self.load(address, object, self.position_info())?;
        let (address, object) = self.int_of(&value, "the va_list")?;
        Ok(Position { address: address as u64, object })
    }

    fn position_info(&self) -> TyInfo {
        TyInfo { kind: Kind::Pointer, size: self.memory.word(), align: self.memory.word() }
    }

    /// Makes a `va_list` indeterminate.
    pub fn va_end(&mut self, list: &Value) -> Res<()> {
        let (address, object) = self.int_of(list, "the va_list")?;
        self.store(address as u64, object, self.position_info(), &Value::Undefined)
    }

    /// The arguments that a `va_list`, given by its address or by its bytes, has left; where each of them stands, and
    /// where the last one ends.
    pub fn va_rest(&self, list: &Value) -> Res<(Vec<Position>, Vec<Typed>)> {
        let mut at = match list {
            Value::Bytes(chunk) => self.position_in(chunk)?,
            _ => {
                let (address, object) = self.int_of(list, "the va_list")?;
                self.position_at(address as u64, object)?
            }
        };
        let (mut places, mut rest) = (Vec::new(), Vec::new());
        loop {
            places.push(at);
            let object = at.object.and_then(|id| self.memory.object(id));
            if object.is_some_and(|o| o.is_alive() && at.address.wrapping_sub(o.base) == o.size) {
                return Ok((places, rest));
            }
            let ty = self.passed_type(at)?;
            let bytes = at.address.wrapping_add(TAG_SIZE);
            let value = self.load(bytes, at.object, self.info(ty))?;
            rest.push(Typed { value, ty });
            at.address = bytes.wrapping_add(padded_size(&self.program.types, ty));
        }
    }

    /// Lets a `va_list` that is given by its address go on from a position.
    pub fn va_advance(&mut self, list: &Value, to: Position) -> Res<()> {
        if matches!(list, Value::Bytes(_)) {
            return Ok(());
        }
        let (address, object) = self.int_of(list, "the va_list")?;
        let value = Value::pointer(to.address, to.object);
        self.store(address as u64, object, self.position_info(), &value)
    }

    fn position_in(&self, chunk: &Chunk) -> Res<Position> {
        let n = usize::try_from(self.memory.word()).unwrap_or(8).min(8);
        let known = chunk.known.as_ref().is_none_or(|k| k.iter().take(n).all(|b| *b == 0xff));
        match chunk.bytes.get(..n) {
            Some(bytes) if known => {
                let mut raw = [0; 8];
                raw[..n].copy_from_slice(bytes);
                let object = chunk.pointers.iter().find(|p| p.offset == 0).map(|p| p.object);
                Ok(Position { address: u64::from_le_bytes(raw), object })
            }
            _ => fault(ErrorKind::BadArgument, "the va_list was not started"),
        }
    }
}
