//! Static initialisers: stores folded to bytes and addresses.
//!
//! The contents are built densely up to the last byte that is initialised, with the addresses aside; a final
//! pass cuts them into pieces, leaving out longer runs of zeros.

use super::constant::Known;
use super::init::{StoreValue, Stores};
use super::{Checker, R, invalid, unsupported};
use crate::hir::{Expr, ExprKind};
use heapwise_ir::{FloatTy, Global, GlobalId, GlobalInit, GlobalKind, InitPiece, InitValue, Span, Ty, Type};
use std::collections::BTreeMap;

/// Initialised objects beyond this size are refused.
const MAX_IMAGE: u64 = 1 << 28;
/// Runs of this many zeros separate pieces.
const GAP: usize = 16;

/// The contents of a static object.
#[derive(Debug, Default)]
struct Image {
    bytes: Vec<u8>,
    addresses: BTreeMap<u64, InitValue>,
    pointer_size: u64,
}

/// Pieces and the number of bytes they span from the start of the object.
#[derive(Debug, Default)]
pub(super) struct StaticPieces {
    pub(super) pieces: Vec<InitPiece>,
    pub(super) extent: u64,
}

/// The pieces of an object that starts with `bytes`.
pub(super) fn pieces_of(bytes: Vec<u8>) -> Vec<InitPiece> {
    let mut image = Image { pointer_size: 8, ..Image::default() };
    image.write(0, &bytes);
    image.into_pieces()
}

impl Image {
    fn reserve(&mut self, end: u64) {
        let end = end as usize;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
    }
    /// Bytes replace what was there; an address is dropped as a whole.
    fn write(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + bytes.len() as u64;
        self.clear_addresses(offset, end);
        self.reserve(end);
        if let Some(target) = self.bytes.get_mut(offset as usize..end as usize) {
            target.copy_from_slice(bytes);
        }
    }
    fn clear_addresses(&mut self, start: u64, end: u64) {
        if self.addresses.is_empty() {
            return;
        }
        let from = start.saturating_sub(self.pointer_size.saturating_sub(1));
        let dead: Vec<u64> = self.addresses.range(from..end).map(|(k, _)| *k).collect();
        for key in dead {
            self.addresses.remove(&key);
        }
    }
    fn write_address(&mut self, offset: u64, value: InitValue) {
        let end = offset + self.pointer_size;
        let zeros = [0u8; 8];
        self.write(offset, zeros.get(..self.pointer_size as usize).unwrap_or(&zeros));
        self.reserve(end);
        self.addresses.insert(offset, value);
    }
    fn write_bits(&mut self, offset: u64, bits: heapwise_ir::BitRange, value: i128) {
        for i in 0..u32::from(bits.width) {
            let at = u32::from(bits.shift) + i;
            let byte = offset + u64::from(at / 8);
            self.reserve(byte + 1);
            if let Some(b) = self.bytes.get_mut(byte as usize) {
                let mask = 1u8 << (at % 8);
                if (value >> i.min(127)) & 1 == 1 { *b |= mask } else { *b &= !mask }
            }
        }
    }

    fn into_pieces(self) -> Vec<InitPiece> {
        let mut pieces = Vec::new();
        let mut from = 0usize;
        for (offset, value) in self.addresses {
            let at = (offset as usize).min(self.bytes.len());
            cut(&self.bytes, from, at, &mut pieces);
            pieces.push(InitPiece { offset, value });
            from = (offset + self.pointer_size) as usize;
        }
        cut(&self.bytes, from, self.bytes.len(), &mut pieces);
        pieces
    }
}

/// Pieces for the bytes in a range, without longer runs of zeros.
fn cut(bytes: &[u8], from: usize, to: usize, out: &mut Vec<InitPiece>) {
    let Some(range) = bytes.get(from..to) else { return };
    let mut start: Option<usize> = None;
    let mut last = 0;
    let mut emit = |start: usize, last: usize| {
        if let Some(data) = range.get(start..=last) {
            out.push(InitPiece { offset: (from + start) as u64, value: InitValue::Bytes(data.to_vec()) });
        }
    };
    for (i, b) in range.iter().enumerate() {
        if *b == 0 {
            continue;
        }
        match start {
            Some(s) if i - last > GAP => {
                emit(s, last);
                start = Some(i);
            }
            None => start = Some(i),
            _ => {}
        }
        last = i;
    }
    if let Some(s) = start {
        emit(s, last);
    }
}

impl Checker<'_> {
    /// An unnamed static object.
    pub(super) fn hidden_global(&mut self, ty: Ty, pieces: Vec<InitPiece>, span: Span) -> GlobalId {
        let name = format!(".lit.{}", self.s.program.globals.len()).into();
        let table = &self.s.program.types;
        let (size, align) = (table.size(ty), table.align(ty));
        self.s.program.globals.push(Global {
            name,
            ty,
            size,
            align,
            init: GlobalInit::Data(pieces),
            kind: GlobalKind::Literal,
            constant: true,
            span,
        })
    }

    /// Folds the stores of a static initialiser.
    pub(super) fn static_pieces(&mut self, stores: Stores) -> R<StaticPieces> {
        let mut image = Image { pointer_size: self.s.program.model.pointer_size(), ..Image::default() };
        for store in stores.list {
            let slot = store.slot;
            let ty = self.s.ir(slot.ty);
            let size = self.s.program.types.size(ty);
            let length = match &store.value {
                StoreValue::Bytes(b) => size.max(b.len() as u64),
                StoreValue::Expr(_) => size,
            };
            if slot.offset.saturating_add(length) > MAX_IMAGE {
                return unsupported(store.span, "initialiser-too-large", "initialised object is too large");
            }
            match store.value {
                StoreValue::Bytes(bytes) => {
                    // The rest of the array is zero, also over what an earlier initialiser stored.
                    if !bytes.is_empty() {
                        image.write(slot.offset, &bytes);
                    }
                }
                StoreValue::Expr(e) if slot.bits.is_some() => {
                    let (Some(bits), Some(Known::Int(v))) = (slot.bits, self.s.evaluate(&e)) else {
                        return not_constant(&e);
                    };
                    image.write_bits(slot.offset, bits, v);
                }
                StoreValue::Expr(e) => self.static_store(&mut image, slot.offset, ty, &e)?,
            }
        }
        let extent = image.bytes.len() as u64;
        Ok(StaticPieces { pieces: image.into_pieces(), extent })
    }

    fn static_store(&mut self, image: &mut Image, offset: u64, ty: Ty, e: &Expr) -> R<()> {
        if !self.s.program.types.is_scalar(ty) {
            return self.static_copy(image, offset, e);
        }
        let size = self.s.program.types.size(ty);
        let pointer_size = image.pointer_size;
        match self.s.evaluate(e) {
            Some(Known::Int(v) | Known::Absolute(v)) => {
                let bytes = v.to_le_bytes();
                image.write(offset, bytes.get(..size as usize).unwrap_or(&bytes));
            }
            Some(Known::Float(v)) => {
                let bytes = float_bytes(self.s.program.types.get(ty), v, size);
                image.write(offset, &bytes);
            }
            Some(Known::Global(global, at)) if size == pointer_size => {
                image.write_address(offset, InitValue::GlobalAddr { global, offset: at });
            }
            Some(Known::Function(f)) if size == pointer_size => {
                image.write_address(offset, InitValue::FunctionAddr(f));
            }
            _ => return not_constant(e),
        }
        Ok(())
    }

    /// An aggregate initialised by a constant object: a compound literal in GNU C.
    fn static_copy(&mut self, image: &mut Image, offset: u64, e: &Expr) -> R<()> {
        let ExprKind::Load(place) = &e.kind else { return not_constant(e) };
        let Some(Known::Global(g, at)) = self.s.evaluate_address(place) else { return not_constant(e) };
        let Some(global) = self.s.program.globals.get(g) else { return not_constant(e) };
        let GlobalInit::Data(pieces) = &global.init else { return not_constant(e) };
        let start = at.max(0) as u64;
        let size = self.s.program.types.size(e.ty).min(MAX_IMAGE);
        image.write(offset, &vec![0; size as usize]);
        for piece in pieces {
            if piece.offset < start || piece.offset >= start + size {
                continue;
            }
            let target = offset + (piece.offset - start);
            match &piece.value {
                InitValue::Bytes(data) => {
                    let room = (start + size - piece.offset) as usize;
                    image.write(target, data.get(..room.min(data.len())).unwrap_or(data));
                }
                address => image.write_address(target, address.clone()),
            }
        }
        Ok(())
    }
}

fn not_constant<T>(e: &Expr) -> R<T> {
    invalid(e.span, "not-constant", "initialiser of a static object is not constant")
}

/// The bytes of a floating number in memory.
pub(super) fn float_bytes(ty: &Type, value: f64, size: u64) -> Vec<u8> {
    match ty {
        Type::Float(FloatTy::F32) => (value as f32).to_le_bytes().to_vec(),
        Type::Float(FloatTy::F80) => {
            let mut bytes = extended_bytes(value).to_vec();
            bytes.resize(size as usize, 0);
            bytes
        }
        Type::Float(FloatTy::F128) => quad_bytes(value).to_vec(),
        _ => value.to_le_bytes().to_vec(),
    }
}

/// Sign, unbiased exponent and 52-bit fraction of a normalised double; `None` for zero, infinity, NaN.
fn decompose(value: f64) -> Option<(bool, i32, u64)> {
    let bits = value.to_bits();
    let sign = bits >> 63 != 0;
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match exponent {
        0x7ff => None,
        0 if fraction == 0 => None,
        0 => {
            let shift = fraction.leading_zeros() - 11;
            Some((sign, -1022 - shift as i32, (fraction << shift) & ((1 << 52) - 1)))
        }
        _ => Some((sign, exponent - 1023, fraction)),
    }
}

fn extended_bytes(value: f64) -> [u8; 10] {
    let negative = value.is_sign_negative();
    let (exponent, mantissa) = match decompose(value) {
        Some((_, e, fraction)) => ((e + 16383) as u16, (1 << 63) | (fraction << 11)),
        None if value.is_nan() => (0x7fff, 0xc000_0000_0000_0000),
        None if value.is_infinite() => (0x7fff, 1 << 63),
        None => (0, 0),
    };
    let head = exponent | (u16::from(negative) << 15);
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
    bytes[8..].copy_from_slice(&head.to_le_bytes());
    bytes
}

fn quad_bytes(value: f64) -> [u8; 16] {
    let negative = u128::from(value.is_sign_negative()) << 127;
    let rest = match decompose(value) {
        Some((_, e, fraction)) => ((e + 16383) as u128) << 112 | u128::from(fraction) << 60,
        None if value.is_nan() => 0x7fff << 112 | 1 << 111,
        None if value.is_infinite() => 0x7fff << 112,
        None => 0,
    };
    (negative | rest).to_le_bytes()
}
