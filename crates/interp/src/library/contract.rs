//! Functions that are known by a contract ([`heapwise_ir::library::contract`]): arguments are checked, then the function ends in
//! one of the ways that the contract allows, as inputs say. Structures that it writes are zero.
//!
//! A way of which the contract is not sure ([`Sure`]) makes the run a guess: whether real runs can go on like that is not known.
//! So do structures and texts that are made up; those of the library only when they are read.

use super::{Args, Ptr};
use crate::error::{ErrorKind, Res, Stop, fault, stop};
use crate::inputs::{InputKind, InputValue, Placed, PlacedAt};
use crate::layout::Kind;
use crate::machine::Machine;
use crate::memory::Access;
use crate::object::{Origin, RawScalar, mask};
use crate::options::Surroundings;
use crate::value::{ObjectId, Value};
use heapwise_ir::library::Contract;
use heapwise_ir::library::contract::{Argument, Bytes, DATES, Given, Sure};
use heapwise_ir::{IntTy, Span, Ty, Type};

/// Most members of a structure of the library that are looked at.
const MOST_MEMBERS: usize = 256;
/// Most bytes of what a function fills that are inputs; the others are zero.
const MOST_DRAWN: u64 = 64;
/// The directory that a program works in, where a descriptor of one is asked for.
const AT_FDCWD: i128 = -100;

impl Machine<'_, '_> {
    pub(super) fn known_function(&mut self, contract: &'static Contract, args: &Args) -> Res<Value> {
        for i in 0..args.values.len() {
            self.check_argument(contract.argument(i), args, i)?;
        }
        let heeded = self.heeded;
        let name = self.function_name(args.func);
        if matches!(&*name, "setenv" | "unsetenv") {
            self.lib.environment_changed = true;
        }
        let dated = contract.argument(0) == Argument::Date && self.has_date(args)?;
        let fails = match contract.given {
            _ if dated => false,
            Given::Variable => return self.variable(args, &name),
            Given::Status
            | Given::Code
            | Given::CodeOrText(_)
            | Given::Flag
            | Given::Parsed
            | Given::Child
            | Given::Descriptor
            | Given::AtMost(_)
            | Given::AtMostOrSize(_)
            | Given::AtMostUnless(..)
            | Given::UpTo(_)
            | Given::SameOrNull(_)
            | Given::TextOrNull
            | Given::StorageOrNull
            | Given::IntoOrNull(_)
            | Given::NewTextOrNull => self.fails(&name)?,
            _ => false,
        };
        let sure = dated || self.is_sure(contract, &name, args, fails)?;
        let result = self.given(contract.given, args, fails)?;
        let mut writes = false;
        for i in 0..args.values.len() {
            writes |= self.write_argument(contract, args, i, fails, &result)?;
        }
        // A function that gives a text or a structure of its own makes that up alone.
        let own = matches!(contract.given, Given::Text | Given::Storage | Given::Same(_));
        let own = own || !fails && matches!(contract.given, Given::TextOrNull | Given::StorageOrNull) && sure;
        if writes || heeded && !sure && !own && self.info(args.ret).kind != Kind::Void {
            self.guess(&format!("what `{name}` does"));
        }
        Ok(result)
    }

    /// Whether the number of seconds behind the first argument has a date.
    fn has_date(&self, args: &Args) -> Res<bool> {
        let p = self.ptr_arg(args, 0)?;
        let bits = self.bytes_wanted(Bytes::Pointee, args, 0)? * 8;
        let time = self.load(p.address, p.object, super::int_info(bits.min(64) as u16, true))?;
        Ok((-DATES..=DATES).contains(&self.int_of(&time, "the time")?.0))
    }

    /// Whether a function can fail, or succeed, whatever the program did before.
    fn is_sure(&mut self, contract: &Contract, name: &str, args: &Args, fails: bool) -> Res<bool> {
        if matches!(contract.given, Given::Zero | Given::Never | Given::Computed(..) | Given::ComputedAny) {
            return Ok(true);
        }
        if contract.sure != Sure::Both || fails {
            return Ok(contract.sure != Sure::Nothing && fails);
        }
        for i in 0..args.values.len() {
            let possible = match contract.argument(i) {
                Argument::Text => !self.string_arg(args, i)?.is_empty(),
                Argument::Plain => {
                    let (v, _) = self.int_arg(args, i)?;
                    v >= 0 || v == AT_FDCWD && contract.argument(i + 1) == Argument::Text
                }
                Argument::Usual(values) => values.contains(&self.int_arg(args, i)?.0),
                _ => true,
            };
            if !possible {
                return Ok(false);
            }
        }
        if name == "close" {
            let (descriptor, _) = self.int_arg(args, 0)?;
            self.lib.descriptors.remove(&descriptor);
            return Ok(self.lib.closed.insert(descriptor));
        }
        let closed = match args.values.first() {
            Some(_) if contract.argument(0) == Argument::Plain => Some(self.int_arg(args, 0)?.0),
            _ => None,
        };
        Ok(closed.is_none_or(|d| !self.lib.closed.contains(&d)))
    }

    /// A variable of the environment: the same whenever it is asked for.
    fn variable(&mut self, args: &Args, name: &str) -> Res<Value> {
        let variable = self.string_arg(args, 0)?;
        if self.lib.environment_changed || variable.is_empty() || variable.contains(&b'=') {
            self.guess(&format!("what `{name}` gives"));
        }
        if let Some(value) = self.lib.variables.get(&variable) {
            return Ok(value.clone());
        }
        let value = if self.fails(name)? {
            Value::int(0)
        } else {
            let text = self.drawn_text("environ")?;
            self.address_of(text)
        };
        self.lib.variables.insert(variable, value.clone());
        Ok(value)
    }

    /// Whether a function fails: an input, unless what is around the program is given.
    fn fails(&mut self, name: &str) -> Res<bool> {
        match self.options.surroundings {
            Surroundings::Drawn => self.draw_choice(name),
            Surroundings::Given => Ok(true),
        }
    }

    fn pointed_to(&self, args: &Args, i: usize) -> Option<Ty> {
        self.program.types.pointee(args.values.get(i)?.ty)
    }

    fn bytes_wanted(&self, bytes: Bytes, args: &Args, i: usize) -> Res<u64> {
        let object =
            || match self.pointed_to(args, i).filter(|t| !matches!(self.program.types.get(*t), Type::Void)) {
                Some(to) => Ok(self.program.types.size(to)),
                None => fault(ErrorKind::Unsupported, "a pointer without a type for the library"),
            };
        Ok(match bytes {
            Bytes::Pointee => object()?,
            Bytes::Fixed(n) => n,
            Bytes::Argument(k) => self.size_arg(args, k.into())?,
            Bytes::Elements(k) => self.size_arg(args, k.into())?.saturating_mul(object()?),
            Bytes::Several(n) => object()?.saturating_mul(n),
            Bytes::Product(a, b) => {
                self.size_arg(args, a.into())?.saturating_mul(self.size_arg(args, b.into())?)
            }
            Bytes::Behind(k) => {
                let p = self.ptr_arg(args, k.into())?;
                let number = self.load(p.address, p.object, super::int_info(32, false))?;
                self.int_of(&number, "a length")?.0 as u64
            }
            Bytes::Family(k) => {
                if self.int_arg(args, k.into())?.0 == 2 {
                    4
                } else {
                    16
                }
            }
        })
    }

    fn check_argument(&self, argument: Argument, args: &Args, i: usize) -> Res<()> {
        let checked = |bytes: Bytes, access: Access| -> Res<()> {
            let n = self.bytes_wanted(bytes, args, i)?;
            let p = self.ptr_arg(args, i)?;
            if n > 0 || !p.is_null() {
                self.memory.check(p.address, p.object, n, access)?;
            }
            Ok(())
        };
        let null = |i: usize| self.ptr_arg(args, i).is_ok_and(Ptr::is_null);
        let kind = args.values.get(i).map(|v| self.info(v.ty).kind);
        let pointer = kind == Some(Kind::Pointer);
        let unsupported = |what: &str| fault(ErrorKind::Unsupported, what);
        if kind == Some(Kind::Aggregate) && !matches!(argument, Argument::Plain | Argument::Handle) {
            return unsupported("a union that is a pointer for the library");
        }
        match argument {
            Argument::Plain | Argument::Usual(_) | Argument::Number if pointer && !null(i) => {
                unsupported("a pointer of which the library's contract says nothing")
            }
            Argument::Number => {
                let (_, object) = self.int_arg(args, i)?;
                if object.is_some() { unsupported("an address as a number for the library") } else { Ok(()) }
            }
            Argument::Without(bits) if self.int_arg(args, i)?.0 & bits != 0 => {
                unsupported("a flag of which the library's contract says nothing")
            }
            Argument::Plain | Argument::Usual(_) | Argument::Without(_) | Argument::Handle => Ok(()),
            Argument::Texts => unsupported("another program"),
            Argument::TextsToNull => match (i + 1 == args.values.len(), null(i)) {
                (true, false) => unsupported("a list of texts without an end"),
                (_, true) => Ok(()),
                (false, false) => self.string_arg(args, i).map(drop),
            },
            Argument::TextOrNull if null(i) => Ok(()),
            Argument::Text | Argument::TextOrNull | Argument::UpdateText => {
                self.string_arg(args, i).map(drop)
            }
            Argument::Date => {
                let n = self.bytes_wanted(Bytes::Pointee, args, i)?;
                self.bytes_at(self.ptr_arg(args, i)?, n).map(drop)
            }
            Argument::Data(bytes) => {
                let n = self.bytes_wanted(bytes, args, i)?;
                if n == 0 { Ok(()) } else { self.bytes_at(self.ptr_arg(args, i)?, n).map(drop) }
            }
            Argument::InOrNull(..)
            | Argument::InUpToOrNull(_)
            | Argument::WriteOrNull(_)
            | Argument::FillUpToOrNull(_)
            | Argument::FillTextOrNull(_)
            | Argument::ChangeOrNull(..)
            | Argument::UpdateOrNull(_)
                if null(i) =>
            {
                Ok(())
            }
            Argument::InUpToOrNull(bytes) => self.unless(checked(bytes, Access::Read)),
            Argument::FillUpToOrNull(bytes) => self.unless(checked(bytes, Access::Write)),
            Argument::In(bytes, _) | Argument::InOrNull(bytes, _) => {
                checked(bytes, Access::Read)?;
                self.note_uninitialised(bytes, args, i)
            }
            Argument::Change(bytes, _) | Argument::ChangeOrNull(bytes, _) | Argument::End(bytes) => {
                checked(bytes, Access::Write)?;
                self.note_uninitialised(bytes, args, i)
            }
            Argument::Write(bytes)
            | Argument::WriteOrNull(bytes)
            | Argument::Fill(bytes)
            | Argument::FillText(bytes)
            | Argument::FillTextOrNull(bytes)
            | Argument::Update(bytes)
            | Argument::UpdateOrNull(bytes) => checked(bytes, Access::Write),
        }
    }

    /// What is wrong only if the function comes so far, which is not known.
    fn unless(&self, checked: Res<()>) -> Res<()> {
        match checked {
            Err(wrong) if matches!(*wrong, Stop::Fault { .. }) => {
                fault(ErrorKind::Unsupported, "how many bytes the library uses")
            }
            other => other,
        }
    }

    /// Bytes that the function reads and that are not initialised may be holes, or members that do not matter.
    fn note_uninitialised(&self, bytes: Bytes, args: &Args, i: usize) -> Res<()> {
        let n = self.bytes_wanted(bytes, args, i)?;
        let p = self.ptr_arg(args, i)?;
        if n > 0 && !p.is_null() && self.memory.read_chunk(p.address, p.object, n)?.known.is_some() {
            self.guess("bytes for the library that are not initialised");
        }
        Ok(())
    }

    /// Writes what a function puts where an argument leads; whether that is made up.
    fn write_argument(
        &mut self,
        contract: &Contract,
        args: &Args,
        i: usize,
        fails: bool,
        result: &Value,
    ) -> Res<bool> {
        let argument = contract.argument(i);
        let bytes = match argument {
            Argument::Write(b)
            | Argument::WriteOrNull(b)
            | Argument::FillText(b)
            | Argument::FillTextOrNull(b)
            | Argument::Fill(b)
            | Argument::End(b)
            | Argument::FillUpToOrNull(b)
            | Argument::Change(b, _)
            | Argument::ChangeOrNull(b, _)
            | Argument::Update(b)
            | Argument::UpdateOrNull(b) => b,
            Argument::UpdateText => return Ok(!fails),
            _ => return Ok(false),
        };
        let p = self.ptr_arg(args, i)?;
        if p.is_null() || fails {
            return Ok(false);
        }
        let n = match argument {
            // However many bytes were meant, none of them are changed.
            Argument::FillUpToOrNull(_) => return Ok(true),
            _ => self.bytes_wanted(bytes, args, i)?,
        };
        if n == 0 {
            return Ok(false);
        }
        match argument {
            Argument::FillText(_) | Argument::FillTextOrNull(_) => {
                self.write_bytes(p, vec![0])?;
                Ok(true)
            }
            Argument::Write(_) | Argument::WriteOrNull(_) => {
                self.write_bytes(p, vec![0; usize::try_from(n).unwrap_or(0)])?;
                Ok(true)
            }
            Argument::Fill(_) => {
                let counted = matches!(
                    contract.given,
                    Given::AtMost(_) | Given::AtMostOrSize(_) | Given::AtMostUnless(..)
                );
                let Value::Int { bits: count, .. } = result else { return Ok(true) };
                if !counted {
                    return Ok(true);
                }
                let unit = match bytes {
                    Bytes::Elements(_) => self.pointed_to(args, i).map_or(1, |t| self.program.types.size(t)),
                    _ => 1,
                };
                let count = u64::try_from(*count).unwrap_or(0).saturating_mul(unit).min(n);
                self.fill_from_outside(p, count)?;
                Ok(contract.sure != Sure::Both)
            }
            _ => Ok(true),
        }
    }

    /// Bytes from outside: inputs.
    fn fill_from_outside(&mut self, to: Ptr, count: u64) -> Res<()> {
        let drawn = match self.options.surroundings {
            Surroundings::Drawn => count.min(MOST_DRAWN),
            Surroundings::Given => 0,
        };
        let first = self.draws.len();
        let mut bytes = Vec::new();
        for _ in 0..drawn {
            match self.draw("library", InputKind::Int(IntTy { bits: 8, signed: false }))? {
                InputValue::Int(v) => bytes.push(v as u8),
                InputValue::Float(_) => bytes.push(0),
            }
        }
        bytes.resize(usize::try_from(count).unwrap_or(0), 0);
        self.write_bytes(to, bytes)?;
        let base = to.object.and_then(|o| self.memory.object(o)).map(|o| o.base);
        if let (Some(object), Some(base)) = (to.object, base) {
            let from = to.address.wrapping_sub(base);
            for i in 0..drawn {
                let at = PlacedAt::Memory(object, from + i);
                self.placed.push(Placed { draw: first + i as usize, minus: 0, at });
            }
        }
        Ok(())
    }

    /// How many of at most so many there are: all of them, or an input.
    fn count_up_to(&mut self, name: &str, most: i128) -> Res<Value> {
        if self.draw_choice(name)? {
            return Ok(Value::int(most));
        }
        let drawn = self.draw_number(name, 16, 0, PlacedAt::Result)?;
        if drawn > most { stop(Stop::AssumeFailed) } else { Ok(Value::int(drawn)) }
    }

    fn given(&mut self, given: Given, args: &Args, fails: bool) -> Res<Value> {
        let name = self.function_name(args.func);
        let int = self.info(args.ret).int();
        Ok(match given {
            Given::Status => Value::int(if fails { -1 } else { 0 }),
            Given::Code => Value::int(if fails { 1 } else { 0 }),
            Given::CodeOrText(_) if self.info(args.ret).kind == Kind::Pointer => {
                let text = self.library_string("library", b"")?;
                self.memory.make_up(text);
                self.address_of(text)
            }
            Given::CodeOrText(_) => Value::int(if fails { 1 } else { 0 }),
            Given::Flag | Given::Parsed => Value::int(if fails { 0 } else { 1 }),
            Given::Descriptor
            | Given::Child
            | Given::AtMost(_)
            | Given::AtMostOrSize(_)
            | Given::AtMostUnless(..)
                if fails =>
            {
                Value::int(-1)
            }
            Given::Child => Value::int(self.draw_number(&name, 15, -1, PlacedAt::Result)?),
            Given::UpTo(_) if fails => Value::int(0),
            Given::SameOrNull(_)
            | Given::TextOrNull
            | Given::StorageOrNull
            | Given::Variable
            | Given::IntoOrNull(_)
            | Given::NewTextOrNull
                if fails =>
            {
                Value::int(0)
            }
            Given::Descriptor if name.ends_with("fork") => {
                Value::int(self.draw_number(&name, 15, 0, PlacedAt::Result)?)
            }
            // Descriptors after the standard streams, each another one.
            Given::Descriptor => {
                let least = -3 - self.lib.descriptors.len() as i128;
                let descriptor = self.draw_number(&name, 8, least, PlacedAt::Result)?;
                if !self.lib.descriptors.insert(descriptor) {
                    self.guess("a descriptor that is open");
                }
                self.lib.closed.remove(&descriptor);
                Value::int(descriptor)
            }
            Given::AtMostOrSize(k) if self.int_arg(args, k.into())?.0 == 0 => {
                Value::int(self.draw_number(&name, 8, 0, PlacedAt::Result)?)
            }
            Given::AtMostUnless(_, k, bits) if self.int_arg(args, k.into())?.0 & bits != 0 => {
                Value::int(self.draw_number(&name, 16, 0, PlacedAt::Result)?)
            }
            Given::AtMost(k) | Given::AtMostOrSize(k) | Given::AtMostUnless(k, ..) => {
                let (most, _) = self.int_arg(args, k.into())?;
                if most < 0 {
                    return stop(Stop::AssumeFailed);
                }
                self.count_up_to(&name, most)?
            }
            Given::Needed(_) => Value::int(self.draw_number(&name, 8, 0, PlacedAt::Result)?),
            // What was written is an empty text.
            Given::UpTo(_) => {
                return fault(ErrorKind::Unsupported, "the length of a text that the library makes");
            }
            Given::Number(low, high) => {
                let count = high - low + 1;
                let bits = (128 - (count - 1).leading_zeros()).max(1) as u16;
                let drawn = self.draw_number(&name, bits, -low, PlacedAt::Result)?;
                match (low..=high).contains(&drawn) {
                    true => Value::int(drawn),
                    false => return stop(Stop::AssumeFailed),
                }
            }
            Given::Count => {
                let bits = int.map_or(31, |t| if t.signed { t.bits - 1 } else { t.bits }).min(64);
                Value::int(self.draw_number(&name, bits, 0, PlacedAt::Result)?)
            }
            Given::Any => match (int, self.info(args.ret).kind) {
                (Some(t), _) if t.bits <= 64 => {
                    let drawn = self.draw_number(&name, t.bits, 0, PlacedAt::Result)?;
                    Value::int(t.wrap(drawn))
                }
                (_, Kind::Void) => Value::Undefined,
                _ => return fault(ErrorKind::Unsupported, format!("the result of `{name}`")),
            },
            Given::Same(k) | Given::SameOrNull(k) => self.arg(args, k.into())?.clone(),
            Given::OneOf(a, b) => {
                let which = if self.draw_choice(&name)? { b } else { a };
                self.arg(args, which.into())?.clone()
            }
            Given::NewTextOrNull => self.new_string(Vec::new())?,
            Given::Into(k) | Given::IntoOrNull(k) => self.arg(args, k.into())?.clone(),
            Given::Text | Given::TextOrNull => {
                let text = match self.options.surroundings {
                    Surroundings::Drawn => self.drawn_text("library")?,
                    Surroundings::Given => self.library_string("library", b"")?,
                };
                self.memory.make_up(text);
                self.address_of(text)
            }
            Given::Variable => return self.variable(args, &name),
            Given::StorageOrNull | Given::Storage => {
                let storage = self.storage(args.ret)?;
                self.memory.make_up(storage);
                self.address_of(storage)
            }
            Given::Zero => Value::int(0),
            Given::Computed(..) | Given::ComputedAny => match self.swapped(&name, args)? {
                Some(value) => value,
                None => return fault(ErrorKind::Unsupported, format!("the result of `{name}`")),
            },
            Given::Never => return stop(Stop::Abort),
        })
    }

    /// The order of bytes of the network.
    fn swapped(&self, name: &str, args: &Args) -> Res<Option<Value>> {
        Ok(match name {
            "htons" | "ntohs" => Some(Value::int((self.int_arg(args, 0)?.0 as u16).swap_bytes().into())),
            "htonl" | "ntohl" => Some(Value::int((self.int_arg(args, 0)?.0 as u32).swap_bytes().into())),
            _ => None,
        })
    }

    /// Storage of the library of the type that a result points to: zero, and members that point to characters lead to texts.
    fn storage(&mut self, result: Ty) -> Res<ObjectId> {
        let types = &self.program.types;
        let Some(to) = types.pointee(result) else {
            return fault(ErrorKind::Unsupported, "storage of the library without a type");
        };
        let members = types.scalars(to, MOST_MEMBERS);
        let is_text =
            |ty: Ty| types.pointee(ty).is_some_and(|t| types.as_int(t).is_some_and(|i| i.bits == 8));
        let pointer = |ty: Ty| types.pointee(ty).is_some();
        if members.len() > MOST_MEMBERS || members.iter().any(|(_, ty)| pointer(*ty) && !is_text(*ty)) {
            return fault(ErrorKind::Unsupported, "storage of the library that holds pointers");
        }
        let texts: Vec<u64> = members.iter().filter(|(_, ty)| is_text(*ty)).map(|(at, _)| *at).collect();
        let size = types.size(to);
        let id = self.memory.allocate_fixed(Origin::Library("storage"), size, 16, Span::default())?;
        let word = self.memory.word();
        for at in texts {
            let text = self.library_string("library", b"")?;
            let base = self.memory.object(text).map_or(0, |o| o.base);
            if let Some(object) = self.memory.object_mut(id) {
                let scalar = RawScalar { bits: base.into(), known: mask(word), object: Some(text) };
                object.write_scalar(at, word, scalar);
            }
        }
        Ok(id)
    }
}
