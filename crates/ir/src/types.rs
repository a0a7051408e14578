//! Types as the analyses see them: sizes, offsets and kinds; no qualifiers, no typedefs, no enums.
//!
//! Types are interned: equal types have equal [`Ty`]. Records are nominal and refer to themselves through
//! [`RecordId`], so type graphs may be cyclic only through pointers to records.

use crate::index::IndexVec;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

crate::define_index!(
    /// A type in a [`TypeTable`].
    Ty,
    "ty"
);
crate::define_index!(
    /// A struct or union.
    RecordId,
    "record"
);

/// An integer type, two's complement, little endian. `_Bool` is [`Type::Bool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IntTy {
    /// Width: 8, 16, 32, 64 or 128.
    pub bits: u16,
    /// Whether it is signed.
    pub signed: bool,
}

impl IntTy {
    /// Brings a mathematical integer into the type's range by wrapping. Values of unsigned 128-bit integers
    /// are kept as the `i128` with the same bits.
    pub fn wrap(self, value: i128) -> i128 {
        let unused = 128 - u32::from(self.bits.clamp(1, 128));
        let shifted = value.wrapping_shl(unused);
        if self.signed || unused == 0 { shifted >> unused } else { ((shifted as u128) >> unused) as i128 }
    }
    /// Smallest value (0 for unsigned types).
    pub fn min(self) -> i128 {
        if self.signed { i128::MIN >> (128 - u32::from(self.bits.clamp(1, 128))) } else { 0 }
    }
    /// Largest value; for unsigned 128-bit integers the largest `i128`.
    pub fn max(self) -> i128 {
        if self.signed {
            i128::MAX >> (128 - u32::from(self.bits.clamp(1, 128)))
        } else if self.bits >= 128 {
            i128::MAX
        } else {
            (1i128 << self.bits) - 1
        }
    }
}

/// A floating type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatTy {
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// `long double` of the x86 ABIs: 12 bytes (ILP32) or 16 bytes (LP64) in memory.
    F80,
    /// `__float128`.
    F128,
}

/// The structure of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`; size 1 where GNU C allows arithmetic on it.
    Void,
    /// `_Bool`: one byte, 0 or 1.
    Bool,
    /// An integer; enums are their underlying integer.
    Int(IntTy),
    /// A floating number.
    Float(FloatTy),
    /// A pointer.
    Pointer(Ty),
    /// An array; without a length it is incomplete or flexible and has size 0.
    Array {
        /// Element type.
        elem: Ty,
        /// Number of elements.
        len: Option<u64>,
    },
    /// A function.
    Function {
        /// Result.
        ret: Ty,
        /// Parameters, already adjusted.
        params: Box<[Ty]>,
        /// Whether further arguments may follow (also for functions without a prototype).
        variadic: bool,
    },
    /// A struct or union.
    Record(RecordId),
    /// Bytes that are only copied: complex numbers, vectors, `va_list`.
    Opaque {
        /// Size in bytes.
        size: u64,
        /// Alignment in bytes.
        align: u64,
    },
}

/// Struct or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    /// Members one after the other.
    Struct,
    /// Members on top of each other.
    Union,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name; `None` for anonymous members.
    pub name: Option<Box<str>>,
    /// Its declared type.
    pub ty: Ty,
    /// Byte offset; for a bit-field, of the first byte that holds one of its bits.
    pub offset: u64,
    /// For a bit-field, which bits counted from `offset`.
    pub bits: Option<crate::body::BitRange>,
}

/// A struct or union with its layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Struct or union.
    pub kind: RecordKind,
    /// Tag, or a typedef name for an untagged record, if there is one.
    pub name: Option<Box<str>>,
    /// Members in order, without unnamed bit-fields.
    pub fields: Vec<Field>,
    /// Size in bytes, padding included.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether the record was ever defined.
    pub complete: bool,
}

/// Interned types and all records of a program.
#[derive(Clone, Debug)]
pub struct TypeTable {
    types: IndexSet<Type, FxBuildHasher>,
    /// All records.
    pub records: IndexVec<RecordId, Record>,
    /// Size of pointers in bytes: 4 or 8.
    pub pointer_size: u64,
}

impl TypeTable {
    /// An empty table for a data model with pointers of `pointer_size` bytes.
    pub fn new(pointer_size: u64) -> Self {
        TypeTable { types: IndexSet::default(), records: IndexVec::new(), pointer_size }
    }
    /// Interns `ty`.
    pub fn intern(&mut self, ty: Type) -> Ty {
        Ty(self.types.insert_full(ty).0 as u32)
    }
    /// The structure of `ty`; an index from another table reads as `void`.
    pub fn get(&self, ty: Ty) -> &Type {
        self.types.get_index(ty.0 as usize).unwrap_or(&Type::Void)
    }
    /// Shorthand: the integer type of that width.
    pub fn int(&mut self, bits: u16, signed: bool) -> Ty {
        self.intern(Type::Int(IntTy { bits, signed }))
    }
    /// Shorthand: the type of pointers to `to`.
    pub fn pointer(&mut self, to: Ty) -> Ty {
        self.intern(Type::Pointer(to))
    }
    /// Number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }
    /// Whether no type was interned yet.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
    /// Size in bytes; 0 for functions and incomplete types, 1 for `void`.
    pub fn size(&self, ty: Ty) -> u64 {
        match self.get(ty) {
            Type::Void | Type::Bool => 1,
            Type::Int(i) => u64::from(i.bits / 8),
            Type::Float(FloatTy::F32) => 4,
            Type::Float(FloatTy::F64) => 8,
            Type::Float(FloatTy::F80) => {
                if self.pointer_size == 4 {
                    12
                } else {
                    16
                }
            }
            Type::Float(FloatTy::F128) => 16,
            Type::Pointer(_) => self.pointer_size,
            Type::Array { elem, len } => self.size(*elem).saturating_mul(len.unwrap_or(0)),
            Type::Function { .. } => 0,
            Type::Record(r) => self.records.get(*r).map_or(0, |r| r.size),
            Type::Opaque { size, .. } => *size,
        }
    }
    /// Alignment in bytes as the platform ABI lays objects of this type out.
    pub fn align(&self, ty: Ty) -> u64 {
        let m32 = self.pointer_size == 4;
        match self.get(ty) {
            Type::Void | Type::Bool | Type::Function { .. } => 1,
            Type::Int(i) => match i.bits / 8 {
                8 if m32 => 4,
                n => u64::from(n.max(1)),
            },
            Type::Float(FloatTy::F32) => 4,
            Type::Float(FloatTy::F64) => {
                if m32 {
                    4
                } else {
                    8
                }
            }
            Type::Float(FloatTy::F80) => {
                if m32 {
                    4
                } else {
                    16
                }
            }
            Type::Float(FloatTy::F128) => 16,
            Type::Pointer(_) => self.pointer_size,
            Type::Array { elem, .. } => self.align(*elem),
            Type::Record(r) => self.records.get(*r).map_or(1, |r| r.align),
            Type::Opaque { align, .. } => *align,
        }
    }
    /// Whether values of the type fit a register: integers, booleans, floats and pointers.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Bool | Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }
    /// The integer type behind `ty`, counting `_Bool` as an unsigned byte.
    pub fn as_int(&self, ty: Ty) -> Option<IntTy> {
        match self.get(ty) {
            Type::Int(i) => Some(*i),
            Type::Bool => Some(IntTy { bits: 8, signed: false }),
            _ => None,
        }
    }
    /// Offset and type of every scalar inside a type, in order; bit-fields are left out. At most about `limit`
    /// entries: a longer list is cut and must not be taken for complete.
    pub fn scalars(&self, ty: Ty, limit: usize) -> Vec<(u64, Ty)> {
        let mut found = Vec::new();
        self.collect_scalars(ty, 0, limit, &mut found);
        found
    }
    fn collect_scalars(&self, ty: Ty, at: u64, limit: usize, found: &mut Vec<(u64, Ty)>) {
        if found.len() > limit {
            return;
        }
        match self.get(ty) {
            Type::Array { elem, len } => {
                let stride = self.size(*elem);
                for i in 0..len.unwrap_or(0).min(limit as u64 + 1) {
                    self.collect_scalars(*elem, at + i * stride, limit, found);
                }
            }
            Type::Record(r) => {
                let fields = self.records.get(*r).into_iter().flat_map(|r| &r.fields);
                for f in fields.filter(|f| f.bits.is_none()) {
                    self.collect_scalars(f.ty, at + f.offset, limit, found);
                }
            }
            _ if self.is_scalar(ty) => found.push((at, ty)),
            _ => {}
        }
    }
    /// What a pointer type points to.
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match self.get(ty) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }
}
