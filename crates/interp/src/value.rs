//! Values as the interpreter computes with them.
//!
//! Pointers are integers that remember the object they were made from: `Int { bits, object }` stands for
//! integers, booleans and pointers alike, and a pointer's `bits` are its concrete address. Provenance survives
//! everything that keeps an address recognisable: copies, addition of an integer, masking of low bits. Where it
//! is lost, conversion back to a pointer finds the object by its address.
//!
//! **Invariant:** `bits` is the mathematical value wrapped to its type ([`IntTy::wrap`](heapwise_ir::IntTy::wrap)):
//! sign-extended for signed types, zero-extended for unsigned types and pointers, except unsigned 128-bit
//! integers, which are kept by their bits.

use std::num::NonZeroU32;

/// A name for an object of the concrete memory. Names of long-dead objects are recycled with another
/// generation, so a stale name is recognised but its object's history may be gone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId {
    pub(crate) index: u32,
    pub(crate) generation: NonZeroU32,
}

/// A scalar of which some bits are indeterminate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialValue {
    /// The bits; those that are not known are 0.
    pub bits: u128,
    /// Which bits are known.
    pub known: u128,
    /// Provenance of the known part.
    pub object: Option<ObjectId>,
}

/// Provenance of bytes inside a [`Chunk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChunkPointer {
    /// Offset of the first byte.
    pub offset: u64,
    /// Whether it is a whole pointer rather than a single byte of one.
    pub whole: bool,
    /// The object it points into.
    pub object: ObjectId,
}

/// The contents of a range of bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chunk {
    /// The bytes; unknown bits are arbitrary.
    pub bytes: Vec<u8>,
    /// For each byte which bits are initialised; `None` if all are.
    pub known: Option<Vec<u8>>,
    /// Pointers in it, by increasing offset.
    pub pointers: Vec<ChunkPointer>,
}

/// The value of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A scalar of which nothing is known.
    Undefined,
    /// An integer, boolean or pointer.
    Int {
        /// The number, or the address.
        bits: i128,
        /// The object it was made from, if it is or was a pointer.
        object: Option<ObjectId>,
    },
    /// A floating number; values of `float` are rounded to it.
    Float(f64),
    /// A `long double` by the 80 bits of the x87 format; `__float128` is computed in that precision too.
    Extended(u128),
    /// A scalar of which some bits are indeterminate.
    Partial(Box<PartialValue>),
    /// The bytes of an aggregate.
    Bytes(Box<Chunk>),
}

impl Value {
    /// An integer without provenance.
    pub fn int(bits: i128) -> Value {
        Value::Int { bits, object: None }
    }
    /// A pointer.
    pub fn pointer(address: u64, object: Option<ObjectId>) -> Value {
        Value::Int { bits: i128::from(address), object }
    }
}
