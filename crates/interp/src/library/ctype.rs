//! Character classes of the C locale.

use super::Args;
use crate::error::{ErrorKind, Res, fault};
use crate::machine::Machine;
use crate::object::{Origin, RawScalar, mask};
use crate::value::{Chunk, Value};
use heapwise_ir::Span;
use heapwise_ir::library::LibFn;

/// glibc's classification bits of a character, as `__ctype_b_loc` shows them on little-endian machines.
fn class_bits(c: u8) -> u16 {
    let bits = [
        (c.is_ascii_uppercase(), 8),
        (c.is_ascii_lowercase(), 9),
        (c.is_ascii_alphabetic(), 10),
        (c.is_ascii_digit(), 11),
        (c.is_ascii_hexdigit(), 12),
        (is_space(c), 13),
        ((0x20..0x7f).contains(&c), 14),
        (c.is_ascii_graphic(), 15),
        (c == b' ' || c == b'\t', 0),
        (c.is_ascii_control(), 1),
        (c.is_ascii_punctuation(), 2),
        (c.is_ascii_alphanumeric(), 3),
    ];
    bits.iter().filter(|(holds, _)| *holds).map(|(_, bit)| 1 << bit).sum()
}

pub(super) fn is_space(c: u8) -> bool {
    c == b' ' || (9..=13).contains(&c)
}

impl Machine<'_, '_> {
    pub(super) fn character_function(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::CtypeBLoc => return self.ctype_table(0),
            LibFn::CtypeTolowerLoc => return self.ctype_table(1),
            LibFn::CtypeToupperLoc => return self.ctype_table(2),
            _ => {}
        }
        let (value, _) = self.int_arg(args, 0)?;
        if model.takes_character() && !(-1..=255).contains(&value) {
            let message = format!("{value} is neither EOF nor a value of `unsigned char`");
            return fault(ErrorKind::BadArgument, message);
        }
        let Ok(c) = u8::try_from(value) else {
            let result = match model {
                LibFn::Toupper | LibFn::Tolower => value,
                LibFn::Toascii => value & 0x7f,
                _ => 0,
            };
            return Ok(Value::int(result));
        };
        let bit = match model {
            LibFn::Toupper => return Ok(Value::int(c.to_ascii_uppercase().into())),
            LibFn::Tolower => return Ok(Value::int(c.to_ascii_lowercase().into())),
            LibFn::Toascii => return Ok(Value::int((c & 0x7f).into())),
            LibFn::Isascii => return Ok(Value::int(c.is_ascii().into())),
            LibFn::Isupper => 8,
            LibFn::Islower => 9,
            LibFn::Isalpha => 10,
            LibFn::Isdigit => 11,
            LibFn::Isxdigit => 12,
            LibFn::Isspace => 13,
            LibFn::Isprint => 14,
            LibFn::Isgraph => 15,
            LibFn::Isblank => 0,
            LibFn::Iscntrl => 1,
            LibFn::Ispunct => 2,
            _ => 3,
        };
        Ok(Value::int((class_bits(c) & (1 << bit)).into()))
    }

    /// The address of a variable that points to entry 0 of a table for -128 to 255.
    fn ctype_table(&mut self, which: usize) -> Res<Value> {
        if let Some(id) = self.lib.ctype.get(which).copied().flatten() {
            return Ok(self.address_of(id));
        }
        let mut bytes = Vec::new();
        for i in -128..256i32 {
            let c = (i & 0xff) as u8;
            match which {
                0 => bytes.extend(if i == -1 { 0 } else { class_bits(c) }.to_le_bytes()),
                1 => bytes.extend(if i < 0 { i } else { c.to_ascii_lowercase().into() }.to_le_bytes()),
                _ => bytes.extend(if i < 0 { i } else { c.to_ascii_uppercase().into() }.to_le_bytes()),
            }
        }
        let size = bytes.len() as u64;
        let table = self.memory.allocate_fixed(Origin::Library("ctype table"), size, 16, Span::default())?;
        let word = self.memory.word();
        let pointer = self.memory.allocate_fixed(Origin::Library("ctype"), word, word, Span::default())?;
        if let Some(object) = self.memory.object_mut(table) {
            object.write_chunk(0, &Chunk { bytes, known: None, pointers: Vec::new() });
        }
        let base = self.memory.object(table).map_or(0, |o| o.base) + size / 3;
        if let Some(object) = self.memory.object_mut(pointer) {
            let scalar = RawScalar { bits: base.into(), known: mask(word), object: Some(table) };
            object.write_scalar(0, word, scalar);
        }
        if let Some(entry) = self.lib.ctype.get_mut(which) {
            *entry = Some(pointer);
        }
        Ok(self.address_of(pointer))
    }
}
