//! Operands and places: reading and writing locals, globals and what pointers point to.

use crate::error::{BudgetKind, ErrorKind, Res, Stop, fault, stop};
use crate::extended;
use crate::frame::{Activation, Slot};
use crate::layout::{Home, Kind, LocalInfo, TyInfo};
use crate::machine::Machine;
use crate::memory::{Access, Spot};
use crate::object::{Origin, RawScalar, mask};
use crate::options::Policy;
use crate::value::{Chunk, ObjectId, PartialValue, Value};
use heapwise_ir::{BitRange, Const, FloatTy, IntTy, LocalId, Operand, Place, PlaceBase, Projection};

/// Where a place is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// A slot, by its absolute index.
    Slot(usize),
    /// Memory.
    Memory { address: u64, object: Option<ObjectId>, bits: Option<BitRange> },
}

/// Wraps like [`IntTy::wrap`], with short paths for the usual widths.
pub(crate) fn wrap(ty: IntTy, value: i128) -> i128 {
    match (ty.bits, ty.signed) {
        (32, true) => i128::from(value as i32),
        (32, false) => i128::from(value as u32),
        (64, true) => i128::from(value as i64),
        (64, false) => i128::from(value as u64),
        (8, true) => i128::from(value as i8),
        (8, false) => i128::from(value as u8),
        (16, true) => i128::from(value as i16),
        (16, false) => i128::from(value as u16),
        _ => ty.wrap(value),
    }
}

/// A value as bits in memory; aggregates have none.
pub(crate) fn encode(value: &Value, ty: TyInfo) -> RawScalar {
    let all = mask(ty.size);
    match value {
        Value::Int { bits, object } => RawScalar { bits: (*bits as u128) & all, known: all, object: *object },
        Value::Float(_) | Value::Extended(_) => {
            let to = if let Kind::Float(to) = ty.kind { to } else { FloatTy::F64 };
            let bits = match extended::convert(value, to) {
                Value::Float(v) if to == FloatTy::F32 => u128::from((v as f32).to_bits()),
                Value::Float(v) => u128::from(v.to_bits()),
                Value::Extended(bits) => bits,
                _ => 0,
            };
            RawScalar { bits, known: all, object: None }
        }
        Value::Undefined | Value::Bytes(_) => RawScalar { bits: 0, known: 0, object: None },
        Value::Partial(p) => RawScalar { bits: p.bits & all, known: p.known & all, object: p.object },
    }
}

/// The scalar of type `ty` that bits in memory stand for.
pub(crate) fn decode(raw: RawScalar, ty: TyInfo) -> Value {
    let needed = match ty.kind {
        Kind::Float(_) => mask(ty.size.min(10)),
        _ => mask(ty.size),
    };
    if raw.known & needed != needed {
        if raw.known == 0 {
            return Value::Undefined;
        }
        let partial = PartialValue { bits: raw.bits & raw.known, known: raw.known, object: raw.object };
        return Value::Partial(Box::new(partial));
    }
    match ty.kind {
        Kind::Int(int) => Value::Int { bits: wrap(int, raw.bits as i128), object: raw.object },
        Kind::Float(FloatTy::F32) => Value::Float(f64::from(f32::from_bits(raw.bits as u32))),
        Kind::Float(FloatTy::F64) => Value::Float(f64::from_bits(raw.bits as u64)),
        Kind::Float(_) => Value::Extended(raw.bits & mask(10)),
        _ => Value::Int { bits: raw.bits as i128, object: raw.object },
    }
}

impl Machine<'_, '_> {
    /// The value of an operand.
    pub fn operand(&mut self, operand: &Operand) -> Res<Value> {
        match operand {
            Operand::Local(local) => {
                match self.slots.get(self.base + local.0 as usize) {
                    Some(Slot::Value(Value::Undefined)) if self.options.uninitialised == Policy::Ignore => {
                        let ty = self.local_type(*local)?;
                        Ok(decode(self.settled(RawScalar { bits: 0, known: 0, object: None }, ty.size), ty))
                    }
                    Some(Slot::Value(value)) => Ok(value.clone()),
                    Some(Slot::Object(id)) => {
                        let id = *id;
                        let ty = self.local_type(*local)?;
                        let address = self.memory.object(id).map_or(0, |o| o.base);
                        self.load(address, Some(id), ty)
                    }
                    // A scalar whose life has not begun, e.g. after a jump into its scope.
                    _ => {
                        let ty = self.local_type(*local)?;
                        if ty.kind == Kind::Aggregate {
                            let id = self.local_object(*local)?;
                            return self.load(self.memory.object(id).map_or(0, |o| o.base), Some(id), ty);
                        }
                        Ok(Value::Undefined)
                    }
                }
            }
            Operand::Const(constant) => self.constant(constant),
        }
    }

    pub fn local_type(&self, local: LocalId) -> Res<TyInfo> {
        match self.layout.locals.get(local.0 as usize) {
            Some(local) => Ok(local.ty),
            None => fault(ErrorKind::Unsupported, "malformed operand"),
        }
    }

    fn constant(&mut self, constant: &Const) -> Res<Value> {
        Ok(match constant {
            Const::Int { value, .. } => Value::int(*value),
            Const::Float { value, ty } => match self.info(*ty).kind {
                Kind::Float(to) => extended::convert(&Value::Float(*value), to),
                _ => Value::Float(*value),
            },
            Const::Null(_) => Value::int(0),
            Const::Global { global, offset, .. } => {
                let Some(&id) = self.globals.get(global.0 as usize) else {
                    return fault(ErrorKind::Unsupported, "malformed constant");
                };
                let base = self.memory.object(id).map_or(0, |o| o.base);
                Value::pointer(base.wrapping_add(*offset as u64) & self.word_mask, Some(id))
            }
            Const::Function { func, .. } => {
                let id = self.function_object(*func)?;
                self.address_of(id)
            }
            Const::Label { block, .. } => match self.frames.last() {
                Some(Activation::Code(frame)) => {
                    let func = frame.func;
                    self.label_address(func, *block)?
                }
                _ => Value::Undefined,
            },
            Const::Undefined(ty) => {
                let info = self.info(*ty);
                if info.kind == Kind::Aggregate {
                    if info.size > self.options.limits.memory {
                        return stop(Stop::Budget(BudgetKind::Memory));
                    }
                    let n = usize::try_from(info.size).unwrap_or(0);
                    Value::Bytes(Box::new(Chunk {
                        bytes: vec![0; n],
                        known: Some(vec![0; n]),
                        pointers: Vec::new(),
                    }))
                } else {
                    Value::Undefined
                }
            }
        })
    }

    /// The number behind a value that has to be an integer, boolean or pointer.
    pub fn int_of(&self, value: &Value, what: &str) -> Res<(i128, Option<ObjectId>)> {
        match value {
            Value::Int { bits, object } => Ok((*bits, *object)),
            Value::Undefined | Value::Partial(_) if self.options.uninitialised == Policy::Ignore => {
                Ok((0, None))
            }
            Value::Undefined | Value::Partial(_) => self.undefined(what),
            Value::Float(_) | Value::Extended(_) | Value::Bytes(_) => {
                fault(ErrorKind::BadCall, format!("{what} is not an integer"))
            }
        }
    }

    /// The number behind a value that has to be floating.
    pub fn float_of(&self, value: &Value, what: &str) -> Res<f64> {
        match value {
            Value::Float(v) => Ok(*v),
            Value::Extended(bits) => Ok(extended::to_f64(*bits)),
            Value::Undefined | Value::Partial(_) if self.options.uninitialised == Policy::Ignore => Ok(0.0),
            Value::Undefined | Value::Partial(_) => self.undefined(what),
            Value::Int { .. } | Value::Bytes(_) => {
                fault(ErrorKind::BadCall, format!("{what} is not a floating number"))
            }
        }
    }

    pub fn int_operand(&mut self, operand: &Operand, what: &str) -> Res<(i128, Option<ObjectId>)> {
        match operand {
            Operand::Const(Const::Int { value, .. }) => Ok((*value, None)),
            _ => {
                if let Operand::Local(local) = operand
                    && let Some(Slot::Value(Value::Int { bits, object })) =
                        self.slots.get(self.base + local.0 as usize)
                {
                    return Ok((*bits, *object));
                }
                let value = self.operand(operand)?;
                self.int_of(&value, what)
            }
        }
    }

    /// Where a place is. With `access` a dereference of null is noticed here, before offsets hide it.
    pub fn target(&mut self, place: &Place, access: bool) -> Res<Target> {
        let (mut address, object) = match &place.base {
            PlaceBase::Local(local) => {
                let home = self.layout.locals.get(local.0 as usize).map(|l| l.home);
                if let Some(Home::Slot) = home {
                    return Ok(Target::Slot(self.base + local.0 as usize));
                }
                let id = self.local_object(*local)?;
                (self.memory.object(id).map_or(0, |o| o.base), Some(id))
            }
            PlaceBase::Global(global) => {
                let Some(&id) = self.globals.get(global.0 as usize) else {
                    return fault(ErrorKind::Unsupported, "malformed place");
                };
                (self.memory.object(id).map_or(0, |o| o.base), Some(id))
            }
            PlaceBase::Deref(pointer) => {
                let (bits, object) = self.int_operand(pointer, "the pointer")?;
                if access && bits == 0 && object.is_none() {
                    return fault(ErrorKind::NullDeref, "dereference of null");
                }
                (bits as u64, object)
            }
        };
        let mut bits = None;
        let program = self.program;
        let mut lengths = (access && place.path.len() > 1).then(|| program.member_lengths(&place.path));
        for step in &place.path {
            let length = lengths.as_mut().and_then(|l| l.next()).flatten();
            match step {
                Projection::Field { offset, bits: field, .. } => {
                    address = address.wrapping_add(*offset);
                    bits = *field;
                }
                Projection::Index { index, stride } => {
                    let (index, _) = self.int_operand(index, "the index")?;
                    if let Some(length) = length
                        && !(0..i128::from(length)).contains(&index)
                    {
                        let what = format!("index {index} of a member that is an array of {length}");
                        return fault(ErrorKind::OutOfBounds, what);
                    }
                    address = address.wrapping_add((index as u64).wrapping_mul(*stride));
                }
            }
        }
        Ok(Target::Memory { address: address & self.word_mask, object, bits })
    }

    /// Provenance for an address that has none: the object there, if any, locals included.
    pub fn find_object(&self, address: u64) -> Option<ObjectId> {
        self.memory.find(address).or_else(|| self.find_local(address))
    }

    fn find_local(&self, address: u64) -> Option<ObjectId> {
        for activation in self.frames.iter().rev() {
            let Activation::Code(frame) = activation else { continue };
            if address < frame.low || address > frame.top {
                continue;
            }
            let slots = self.slots.get(frame.base..frame.base + frame.layout.locals.len())?;
            let locals = slots.iter().filter_map(|s| match s {
                Slot::Object(id) => Some(*id),
                _ => None,
            });
            let mut objects = locals.chain(frame.dynamic.iter().map(|(_, id)| *id));
            return objects.find(|id| {
                self.memory.object(*id).is_some_and(|o| address >= o.base && address - o.base <= o.size)
            });
        }
        None
    }

    /// Provenance to use for an access: found by address if the pointer has none.
    fn known_object(&self, address: u64, object: Option<ObjectId>) -> Option<ObjectId> {
        object.or_else(|| if address < 4096 { None } else { self.find_object(address) })
    }

    /// Reads a value of type `ty`.
    pub fn load(&self, address: u64, object: Option<ObjectId>, ty: TyInfo) -> Res<Value> {
        let object = self.known_object(address, object);
        if !ty.is_scalar() {
            return Ok(Value::Bytes(Box::new(self.memory.read_chunk(address, object, ty.size)?)));
        }
        let spot = self.memory.check(address, object, ty.size, Access::Read)?;
        let object = self.memory.at(spot);
        let raw = object.read_scalar(spot.offset, ty.size);
        if raw.object.is_none() {
            self.read_as_number(spot, ty.size);
        }
        Ok(decode(self.settled(raw, ty.size), ty))
    }

    /// Bytes are read as a number that is taken for no address: what pointers among them lead to is hidden in it.
    fn read_as_number(&self, spot: Spot, size: u64) {
        self.memory.at(spot).pointers_in(spot.offset, size).for_each(|id| self.memory.expose(id));
    }

    /// Bits of which the indeterminate ones have the value that the options give them, if they do.
    fn settled(&self, raw: RawScalar, size: u64) -> RawScalar {
        let all = mask(size);
        if self.options.uninitialised == Policy::Stop || raw.known & all == all {
            return raw;
        }
        self.undefined_reads.set(self.undefined_reads.get() + 1);
        let fill = u128::from_le_bytes([self.options.uninitialised_fill; 16]);
        RawScalar { bits: (raw.bits & raw.known) | (fill & !raw.known & all), known: all, object: raw.object }
    }

    /// Writes a value of type `ty`.
    pub fn store(&mut self, address: u64, object: Option<ObjectId>, ty: TyInfo, value: &Value) -> Res<()> {
        let object = self.known_object(address, object);
        if let Value::Bytes(chunk) = value {
            if chunk.bytes.len() as u64 > ty.size {
                let cut = cut_chunk(chunk, ty.size);
                return self.memory.write_chunk(address, object, &cut);
            }
            return self.memory.write_chunk(address, object, chunk);
        }
        if !ty.is_scalar() {
            if ty.size == 0 {
                return Ok(());
            }
            self.memory.check(address, object, ty.size, Access::Write)?;
            let n = usize::try_from(ty.size).unwrap_or(0);
            let undefined = Chunk { bytes: vec![0; n], known: Some(vec![0; n]), pointers: Vec::new() };
            return self.memory.write_chunk(address, object, &undefined);
        }
        let spot = self.memory.check(address, object, ty.size, Access::Write)?;
        self.memory.at_mut(spot).write_scalar(spot.offset, ty.size, encode(value, ty));
        Ok(())
    }

    /// What is stored in a place.
    pub fn load_place(&mut self, place: &Place) -> Res<Value> {
        let ty = self.info(place.ty);
        match self.target(place, true)? {
            Target::Slot(i) => match self.slots.get(i) {
                Some(Slot::Value(value)) => Ok(value.clone()),
                _ => Ok(Value::Undefined),
            },
            Target::Memory { address, object, bits: None } => self.load(address, object, ty),
            Target::Memory { address, object, bits: Some(bits) } => self.load_bits(address, object, bits, ty),
        }
    }

    fn load_bits(
        &mut self,
        address: u64,
        object: Option<ObjectId>,
        range: BitRange,
        ty: TyInfo,
    ) -> Res<Value> {
        let (shift, width) = (u32::from(range.shift), u32::from(range.width).clamp(1, 120));
        let size = u64::from((shift + width).div_ceil(8));
        let object = self.known_object(address, object);
        let spot = self.memory.check(address, object, size, Access::Read)?;
        self.read_as_number(spot, size);
        let raw = self.settled(self.memory.at(spot).read_scalar(spot.offset, size), size);
        let field = (1u128 << width) - 1;
        let (bits, known) = ((raw.bits >> shift) & field, (raw.known >> shift) & field);
        let signed = matches!(ty.kind, Kind::Int(IntTy { signed: true, .. }));
        if known == field {
            let int = IntTy { bits: width as u16, signed };
            return Ok(Value::int(int.wrap(bits as i128)));
        }
        if known == 0 {
            return Ok(Value::Undefined);
        }
        // The bits above the field follow from those in it, or are as indeterminate as its sign.
        let above = mask(ty.size) & !field;
        let known_above = if signed && known >> (width - 1) & 1 == 0 { 0 } else { above };
        let sign = if signed && bits >> (width - 1) & 1 == 1 { above } else { 0 };
        let value = PartialValue {
            bits: (bits | sign) & (known | known_above),
            known: known | known_above,
            object: None,
        };
        Ok(Value::Partial(Box::new(value)))
    }

    /// Stores a value in a place.
    pub fn assign(&mut self, place: &Place, value: Value) -> Res<()> {
        match self.initialised(place)? {
            Some(id) => {
                self.set_writable(id, true);
                let done = self.write_place(place, value);
                self.set_writable(id, false);
                done
            }
            None => self.write_place(place, value),
        }
    }

    /// The object of a variable declared `const` in which a place is: what is written by its name initialises it.
    fn initialised(&mut self, place: &Place) -> Res<Option<ObjectId>> {
        let PlaceBase::Local(local) = place.base else { return Ok(None) };
        match self.layout.locals.get(local.0 as usize) {
            Some(LocalInfo { home: Home::Memory { .. }, constant: true, .. }) => {
                self.local_object(local).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub fn set_writable(&mut self, id: ObjectId, writable: bool) {
        if let Some(object) = self.memory.object_mut(id) {
            object.writable = writable;
        }
    }

    fn write_place(&mut self, place: &Place, value: Value) -> Res<()> {
        match self.target(place, true)? {
            Target::Slot(i) => {
                if let Some(slot) = self.slots.get_mut(i) {
                    *slot = Slot::Value(value);
                }
                Ok(())
            }
            Target::Memory { address, object, bits: None } => {
                let ty = self.info(place.ty);
                self.store(address, object, ty, &value)
            }
            Target::Memory { address, object, bits: Some(range) } => {
                let ty = self.info(place.ty);
                let (shift, width) = (u32::from(range.shift), u32::from(range.width).clamp(1, 120));
                let size = u64::from((shift + width).div_ceil(8));
                let object = self.known_object(address, object);
                let spot = self.memory.check(address, object, size, Access::Write)?;
                let raw = encode(&value, ty);
                raw.object.into_iter().for_each(|id| self.memory.expose(id));
                self.memory.at_mut(spot).write_bits(spot.offset, shift, width, raw.bits, raw.known);
                Ok(())
            }
        }
    }

    /// Fills a place with zero bytes.
    pub fn zero(&mut self, place: &Place) -> Res<()> {
        match self.initialised(place)? {
            Some(id) => {
                self.set_writable(id, true);
                let done = self.zero_place(place);
                self.set_writable(id, false);
                done
            }
            None => self.zero_place(place),
        }
    }

    fn zero_place(&mut self, place: &Place) -> Res<()> {
        let ty = self.info(place.ty);
        match self.target(place, true)? {
            Target::Slot(i) => {
                if let Some(slot) = self.slots.get_mut(i) {
                    let zero = match ty.kind {
                        Kind::Float(to) => extended::convert(&Value::Float(0.0), to),
                        _ => Value::int(0),
                    };
                    *slot = Slot::Value(zero);
                }
                Ok(())
            }
            Target::Memory { bits: Some(_), .. } => self.assign(place, Value::int(0)),
            Target::Memory { address, object, bits: None } => {
                if ty.size == 0 {
                    return Ok(());
                }
                let object = self.known_object(address, object);
                let spot = self.memory.check(address, object, ty.size, Access::Write)?;
                self.memory.at_mut(spot).fill(spot.offset, ty.size, 0);
                Ok(())
            }
        }
    }

    /// Begins the life of a local.
    pub fn begin_local(&mut self, local: LocalId) -> Res<ObjectId> {
        let depth = self.frames.len() as u32;
        let Some(Activation::Code(frame)) = self.frames.last() else {
            return fault(ErrorKind::Unsupported, "malformed local");
        };
        let span = frame.body.locals.get(local).map(|l| l.span).unwrap_or_default();
        let Some(info) = frame.layout.locals.get(local.0 as usize) else {
            return fault(ErrorKind::Unsupported, "malformed local");
        };
        let below = match info.home {
            Home::Memory { below } => below,
            Home::Slot => 0,
        };
        let origin = Origin::Local { function: frame.func, local, depth };
        let (base, size) = (frame.top.wrapping_sub(below), info.ty.size);
        let constant = info.constant;
        let id = self.memory.allocate_at(origin, base, size, span)?;
        if constant {
            self.set_writable(id, false);
        }
        if let Some(slot) = self.slots.get_mut(self.base + local.0 as usize) {
            *slot = Slot::Object(id);
        }
        Ok(id)
    }
}

/// The first `size` bytes of a chunk.
fn cut_chunk(chunk: &Chunk, size: u64) -> Chunk {
    let n = usize::try_from(size).unwrap_or(usize::MAX);
    Chunk {
        bytes: chunk.bytes.iter().take(n).copied().collect(),
        known: chunk.known.as_ref().map(|k| k.iter().take(n).copied().collect()),
        pointers: chunk.pointers.iter().filter(|p| p.offset < size).copied().collect(),
    }
}
