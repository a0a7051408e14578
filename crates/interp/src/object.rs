//! One object of the concrete memory: its bytes, which bits of them are initialised, and the pointers in them.
//!
//! Three layers keep common cases cheap. `bytes` holds the contents (addresses for pointers). `known` is a mask
//! per byte and is absent when everything is initialised. Provenance is kept per aligned word for whole pointers
//! (`words`, empty until the first pointer is stored) and per byte in a map for everything else: unaligned
//! pointers and pointers copied byte by byte. Reads and writes of a scalar cost O(1) unless such loose bytes
//! are involved.
//!
//! **Invariant:** offsets given to the methods lie within the object; [`Memory`](crate::Memory) checks them.

use crate::value::{Chunk, ChunkPointer, ObjectId};
use heapwise_ir::{BlockId, FuncId, GlobalId, LocalId, Span};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A parameter, variable or temporary.
    Local {
        /// Of this function.
        function: FuncId,
        /// Which local.
        local: LocalId,
        /// Number of calls below the one it belongs to.
        depth: u32,
    },
    /// A global variable, static local or string literal.
    Global(GlobalId),
    /// A global that no unit defines: nothing is known of its contents, nor of its size if the declaration does not say.
    Undefined(GlobalId),
    /// A block from `malloc` and its kin.
    Heap,
    /// A block from `alloca`.
    Alloca,
    /// The storage of a variable-length array.
    ScopeAlloc(LocalId),
    /// A function; only its address matters.
    Function(FuncId),
    /// A label whose address is taken.
    Label(FuncId, BlockId),
    /// Storage of the library or the environment: `errno`, `argv`.
    Library(&'static str),
    /// A stream, `stdout` for instance; only the library looks into it.
    Stream(&'static str),
}

/// Whether an object may be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Life {
    /// It may.
    Alive,
    /// Its scope was left, or its function returned.
    OutOfScope,
    /// It was freed.
    Freed,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub origin: Origin,
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it may be accessed.
    pub life: Life,
    /// Where it was allocated or declared.
    pub allocated: Span,
    /// Where its life ended.
    pub freed: Option<Span>,
    /// Whether it may be written.
    pub writable: bool,
    pub(crate) generation: NonZeroU32,
    /// Size of a pointer.
    word: u64,
    bytes: SmallVec<[u8; 16]>,
    known: Option<SmallVec<[u8; 16]>>,
    words: Vec<Option<ObjectId>>,
    loose: Option<BTreeMap<u64, ObjectId>>,
}

/// A scalar as it stands in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawScalar {
    /// Its bits, zero-extended.
    pub bits: u128,
    /// Which of them are initialised.
    pub known: u128,
    /// Provenance, if all its bytes agree on one.
    pub object: Option<ObjectId>,
}

/// A mask of the low `size` bytes.
pub(crate) fn mask(size: u64) -> u128 {
    if size >= 16 { u128::MAX } else { (1 << (size * 8)) - 1 }
}

impl Object {
    pub(crate) fn new(
        origin: Origin,
        base: u64,
        size: u64,
        zeroed: bool,
        word: u64,
        allocated: Span,
    ) -> Object {
        // A function's size only keeps its address apart from others.
        let stored =
            if matches!(origin, Origin::Function(_) | Origin::Label(..)) { 0 } else { size as usize };
        Object {
            origin,
            base,
            size,
            life: Life::Alive,
            allocated,
            freed: None,
            writable: true,
            generation: NonZeroU32::MIN,
            word,
            bytes: SmallVec::from_elem(0, stored),
            known: if zeroed || stored == 0 { None } else { Some(SmallVec::from_elem(0, stored)) },
            words: Vec::new(),
            loose: None,
        }
    }

    /// Ends the object's life and drops its contents.
    pub(crate) fn die(&mut self, life: Life, at: Span) {
        self.life = life;
        self.freed = Some(at);
        self.bytes = SmallVec::new();
        self.known = None;
        self.words = Vec::new();
        self.loose = None;
    }

    /// Whether it is alive.
    pub fn is_alive(&self) -> bool {
        self.life == Life::Alive
    }

    fn has_pointers(&self) -> bool {
        !self.words.is_empty() || self.loose.is_some()
    }

    fn byte_pointer(&self, offset: u64) -> Option<ObjectId> {
        if let Some(found) = self.words.get((offset / self.word) as usize).copied().flatten() {
            return Some(found);
        }
        self.loose.as_ref().and_then(|l| l.get(&offset).copied())
    }

    /// The provenance that all `size` bytes from `offset` on share.
    pub fn pointer_at(&self, offset: u64, size: u64) -> Option<ObjectId> {
        if !self.has_pointers() || size > self.word || size == 0 {
            return None;
        }
        if size == self.word
            && offset.is_multiple_of(self.word)
            && let Some(found) = self.words.get((offset / self.word) as usize).copied().flatten()
        {
            return Some(found);
        }
        let first = self.byte_pointer(offset)?;
        (1..size).all(|i| self.byte_pointer(offset + i) == Some(first)).then_some(first)
    }

    /// Forgets the provenance of the `size` bytes from `offset` on.
    fn clear_pointers(&mut self, offset: u64, size: u64) {
        if !self.has_pointers() || size == 0 {
            return;
        }
        let end = offset + size;
        if !self.words.is_empty() {
            for w in offset / self.word..=(end - 1) / self.word {
                let Some(slot) = self.words.get_mut(w as usize) else { break };
                let Some(object) = slot.take() else { continue };
                let start = w * self.word;
                for b in (start..start + self.word).filter(|b| *b < offset || *b >= end) {
                    self.loose.get_or_insert_default().insert(b, object);
                }
            }
        }
        if let Some(loose) = &mut self.loose {
            let gone: SmallVec<[u64; 8]> = loose.range(offset..end).map(|(k, _)| *k).collect();
            for k in gone {
                loose.remove(&k);
            }
            if loose.is_empty() {
                self.loose = None;
            }
        }
    }

    fn set_pointer(&mut self, offset: u64, size: u64, object: ObjectId) {
        if size == self.word && offset.is_multiple_of(self.word) {
            if self.words.is_empty() {
                self.words = vec![None; self.size.div_ceil(self.word) as usize];
            }
            if let Some(slot) = self.words.get_mut((offset / self.word) as usize) {
                *slot = Some(object);
            }
        } else if size <= self.word {
            let loose = self.loose.get_or_insert_default();
            for b in offset..offset + size {
                loose.insert(b, object);
            }
        }
    }

    /// Reads `size` bytes, at most 16, as a little-endian number.
    pub fn read_scalar(&self, offset: u64, size: u64) -> RawScalar {
        let (at, n) = (offset as usize, size as usize);
        let bits = little_endian(self.bytes.get(at..at + n).unwrap_or_default());
        let known = match &self.known {
            None => mask(size),
            Some(known) => little_endian(known.get(at..at + n).unwrap_or_default()),
        };
        RawScalar { bits, known, object: self.pointer_at(offset, size) }
    }

    /// Writes `size` bytes, at most 16.
    pub(crate) fn write_scalar(&mut self, offset: u64, size: u64, scalar: RawScalar) {
        let (at, n) = (offset as usize, size as usize);
        if let Some(to) = self.bytes.get_mut(at..at + n) {
            to.copy_from_slice(&scalar.bits.to_le_bytes()[..n]);
        }
        self.set_known(offset, size, scalar.known);
        self.clear_pointers(offset, size);
        if let Some(object) = scalar.object {
            self.set_pointer(offset, size, object);
        }
    }

    fn set_known(&mut self, offset: u64, size: u64, bits: u128) {
        let whole = bits == mask(size);
        if whole && size == self.size {
            self.known = None;
            return;
        }
        if self.known.is_none() {
            if whole {
                return;
            }
            self.known = Some(SmallVec::from_elem(0xff, self.bytes.len()));
        }
        let (at, n) = (offset as usize, size as usize);
        if let Some(to) = self.known.as_mut().and_then(|k| k.get_mut(at..at + n)) {
            to.copy_from_slice(&bits.to_le_bytes()[..n]);
        }
    }

    /// Replaces `width` bits, `shift` bits after the start of `offset`, in as many bytes as they touch.
    /// Provenance of these bytes is lost.
    pub(crate) fn write_bits(&mut self, offset: u64, shift: u32, width: u32, bits: u128, known: u128) {
        let size = u64::from((shift + width).div_ceil(8)).min(16);
        let old = self.read_scalar(offset, size);
        let field = if width >= 128 { u128::MAX } else { ((1u128 << width) - 1) << shift };
        let new = RawScalar {
            bits: (old.bits & !field) | ((bits << shift) & field),
            known: (old.known & !field) | ((known << shift) & field),
            object: None,
        };
        self.write_scalar(offset, size, new);
    }

    /// Copies `size` bytes out.
    pub fn read_chunk(&self, offset: u64, size: u64) -> Chunk {
        let (at, n) = (offset as usize, size as usize);
        let bytes = self.bytes.get(at..at + n).unwrap_or_default().to_vec();
        let known = self
            .known
            .as_ref()
            .and_then(|k| k.get(at..at + n))
            .and_then(|k| if k.iter().all(|&b| b == 0xff) { None } else { Some(k.to_vec()) });
        let mut pointers = Vec::new();
        if self.has_pointers() && size > 0 {
            self.collect_pointers(offset, size, &mut pointers);
        }
        Chunk { bytes, known, pointers }
    }

    fn collect_pointers(&self, offset: u64, size: u64, pointers: &mut Vec<ChunkPointer>) {
        let end = offset + size;
        for w in offset / self.word..=(end - 1) / self.word {
            let Some(Some(object)) = self.words.get(w as usize).copied() else { continue };
            let start = w * self.word;
            if start >= offset && start + self.word <= end {
                pointers.push(ChunkPointer { offset: start - offset, whole: true, object });
            } else {
                for b in start.max(offset)..(start + self.word).min(end) {
                    pointers.push(ChunkPointer { offset: b - offset, whole: false, object });
                }
            }
        }
        if let Some(loose) = &self.loose {
            pointers.extend(loose.range(offset..end).map(|(b, object)| ChunkPointer {
                offset: b - offset,
                whole: false,
                object: *object,
            }));
            pointers.sort_by_key(|p| p.offset);
        }
    }

    /// Copies a chunk in.
    pub(crate) fn write_chunk(&mut self, offset: u64, chunk: &Chunk) {
        let (at, n) = (offset as usize, chunk.bytes.len());
        if n == 0 {
            return;
        }
        if let Some(to) = self.bytes.get_mut(at..at + n) {
            to.copy_from_slice(&chunk.bytes);
        }
        match (&chunk.known, &mut self.known) {
            (None, None) => {}
            (None, Some(_)) if n as u64 == self.size => self.known = None,
            (None, Some(known)) => {
                if let Some(to) = known.get_mut(at..at + n) {
                    to.fill(0xff);
                }
            }
            (Some(from), known) => {
                let total = self.bytes.len();
                let known = known.get_or_insert_with(|| SmallVec::from_elem(0xff, total));
                if let Some(to) = known.get_mut(at..at + n) {
                    to.copy_from_slice(from);
                }
            }
        }
        self.clear_pointers(offset, n as u64);
        for p in &chunk.pointers {
            self.set_pointer(offset + p.offset, if p.whole { self.word } else { 1 }, p.object);
        }
    }

    /// Writes `size` times the same byte.
    pub(crate) fn fill(&mut self, offset: u64, size: u64, byte: u8) {
        let (at, n) = (offset as usize, size as usize);
        if let Some(to) = self.bytes.get_mut(at..at + n) {
            to.fill(byte);
        }
        if size == self.size {
            self.known = None;
        } else if let Some(to) = self.known.as_mut().and_then(|k| k.get_mut(at..at + n)) {
            to.fill(0xff);
        }
        self.clear_pointers(offset, size);
    }

    /// The bytes; unknown bits are arbitrary.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
    /// Which bits of the byte at `offset` are initialised.
    pub fn known_bits(&self, offset: u64) -> u8 {
        match &self.known {
            None => 0xff,
            Some(known) => known.get(offset as usize).copied().unwrap_or(0),
        }
    }
    /// The objects that pointers of which a byte is among the `size` bytes from `offset` on lead to, with repetitions.
    pub(crate) fn pointers_in(&self, offset: u64, size: u64) -> impl Iterator<Item = ObjectId> {
        let bytes = if self.has_pointers() { offset..offset + size } else { 0..0 };
        bytes.filter_map(|at| self.byte_pointer(at))
    }
    /// The objects that pointers at aligned places in this one point into, with repetitions.
    pub fn aligned_pointers(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.words.iter().flatten().copied()
    }
    /// Words of bytes that came one by one or are not aligned, all from pointers into one object: the object, and the address.
    pub fn assembled_pointers(&self) -> impl Iterator<Item = (ObjectId, u64)> + '_ {
        let starts = self.loose.iter().flat_map(|l| l.keys().copied());
        starts.filter_map(|at| {
            let raw = self.read_scalar(at, self.word);
            Some((raw.object?, u64::try_from(raw.bits).ok()?))
        })
    }
    /// The objects that pointers in this one point into, and those that remains of pointers come from, with repetitions.
    pub fn pointers(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let loose = self.loose.iter().flat_map(|l| l.values().copied());
        self.words.iter().flatten().copied().chain(loose)
    }
}

fn little_endian(bytes: &[u8]) -> u128 {
    match bytes.len() {
        1 => u128::from(bytes[0]),
        4 => u128::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        8 => {
            let mut buffer = [0; 8];
            buffer.copy_from_slice(bytes);
            u128::from(u64::from_le_bytes(buffer))
        }
        n => {
            let mut buffer = [0; 16];
            let n = n.min(16);
            buffer[..n].copy_from_slice(&bytes[..n]);
            u128::from_le_bytes(buffer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: u32) -> ObjectId {
        ObjectId { index, generation: NonZeroU32::MIN }
    }
    fn block(size: u64) -> Object {
        Object::new(Origin::Heap, 0x1000, size, false, 8, Span::default())
    }
    fn pointer(target: u32) -> RawScalar {
        RawScalar { bits: 0x2000, known: mask(8), object: Some(id(target)) }
    }

    #[test]
    fn pointers_survive_copies_by_byte_and_by_chunk() {
        let mut from = block(16);
        from.write_scalar(8, 8, pointer(7));
        let mut to = block(24);
        for i in 0..8 {
            to.write_scalar(3 + i, 1, from.read_scalar(8 + i, 1));
        }
        assert_eq!(to.read_scalar(3, 8), pointer(7), "byte by byte, to an odd offset");
        to.write_chunk(8, &from.read_chunk(0, 16));
        assert_eq!(to.read_scalar(16, 8), pointer(7));
        assert_eq!(to.read_scalar(3, 8).object, None, "partly overwritten");
        assert_eq!(to.pointer_at(3, 5), Some(id(7)), "the rest of the pointer's bytes is still known");
    }

    #[test]
    fn overwriting_one_byte_of_a_pointer_loses_it() {
        let mut o = block(16);
        o.write_scalar(0, 8, pointer(7));
        o.write_scalar(2, 1, RawScalar { bits: 1, known: 0xff, object: None });
        assert_eq!(o.pointer_at(0, 8), None);
        assert_eq!(o.pointer_at(3, 1), Some(id(7)));
        o.fill(0, 16, 0);
        assert_eq!(o.pointers().count(), 0);
        assert_eq!(o.read_scalar(0, 8), RawScalar { bits: 0, known: mask(8), object: None });
    }

    #[test]
    fn bit_fields_are_initialised_bit_by_bit() {
        let mut o = block(4);
        o.write_bits(0, 3, 7, 0x55, 0x7f);
        let raw = o.read_scalar(0, 2);
        assert_eq!((raw.known, raw.bits & raw.known), (0x7f << 3, 0x55 << 3));
        assert_eq!(o.known_bits(0), 0xf8);
        assert_eq!(o.known_bits(2), 0);
    }
}
