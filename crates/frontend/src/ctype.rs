//! C's own types, with everything that matters to the rules of the language and nothing to the analyses:
//! ranks, enums, qualifiers, prototypes.
//!
//! Interned like the types of the IR. Records share their [`RecordId`] with the IR's table, where the layout is.

use crate::ast::Quals;
use heapwise_ir::{RecordId, define_index};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

define_index!(
    /// An interned C type, unqualified.
    CTy,
    "cty"
);
define_index!(
    /// An enumeration.
    EnumId,
    "enum"
);
define_index!(
    /// The run-time length of a variable-length array: a hidden local of type `size_t` that holds the number
    /// of elements.
    VlaId,
    "vla"
);

/// A type with its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualTy {
    /// The type.
    pub ty: CTy,
    /// Its qualifiers.
    pub quals: Quals,
}

impl From<CTy> for QualTy {
    fn from(ty: CTy) -> Self {
        QualTy { ty, quals: Quals::default() }
    }
}

/// Integer types by name, in order of rank within each signedness.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntKind {
    /// `_Bool`
    Bool,
    /// `char`
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UInt128,
}

/// Floating types by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// `__float128`
    Float128,
}

/// The structure of a C type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    /// `void`
    Void,
    /// An integer.
    Int(IntKind),
    /// A floating number.
    Float(FloatKind),
    /// A complex number: opaque.
    Complex(FloatKind),
    /// An enumeration.
    Enum(EnumId),
    /// A pointer.
    Pointer(QualTy),
    /// An array.
    Array(QualTy, ArraySize),
    /// A function.
    Function(FunctionType),
    /// A struct or union.
    Record(RecordId),
    /// GNU vector: opaque.
    Vector(CTy, u64),
    /// `__builtin_va_list`; on LP64 an array of one, so it decays as a parameter.
    VaList,
    /// `nullptr_t`
    Nullptr,
    /// Stands for a type that could not be determined; every use is silently accepted.
    Error,
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArraySize {
    /// `[]`
    Incomplete,
    /// A constant.
    Const(u64),
    /// Known at run time.
    Vla(VlaId),
    /// `[*]` in a prototype.
    Star,
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// Result.
    pub ret: QualTy,
    /// Parameters, adjusted.
    pub params: Vec<QualTy>,
    /// `...`
    pub variadic: bool,
    /// Whether it was declared with a prototype.
    pub prototyped: bool,
}

/// The interner.
#[derive(Clone, Debug, Default)]
pub struct CTypes {
    types: IndexSet<CType, FxBuildHasher>,
}

impl CTypes {
    /// Interns `ty`.
    pub fn intern(&mut self, ty: CType) -> CTy {
        CTy(self.types.insert_full(ty).0 as u32)
    }
    /// The structure of `ty`.
    pub fn get(&self, ty: CTy) -> &CType {
        self.types.get_index(ty.0 as usize).unwrap_or(&CType::Error)
    }
}
