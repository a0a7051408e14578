//! C's own types, with everything that matters to the rules of the language and nothing to the analyses:
//! ranks, enums, qualifiers, prototypes.
//!
//! Interned like the types of the IR. Records share their [`RecordId`] with the IR's table, where the layout is.

use crate::ast::Quals;
use heapwise_ir::{DataModel, RecordId, define_index};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

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
    pub params: Arc<[QualTy]>,
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

impl CTy {
    /// `void`
    pub const VOID: CTy = CTy(0);
    /// The type of what could not be typed.
    pub const ERROR: CTy = CTy(1);
    /// `nullptr_t`
    pub const NULLPTR: CTy = CTy(2);
    /// `__builtin_va_list`
    pub const VA_LIST: CTy = CTy(3);
    /// `_Bool`
    pub const BOOL: CTy = CTy::int(IntKind::Bool);
    /// `char`
    pub const CHAR: CTy = CTy::int(IntKind::Char);
    /// `int`
    pub const INT: CTy = CTy::int(IntKind::Int);
    /// `unsigned int`
    pub const UINT: CTy = CTy::int(IntKind::UInt);
    /// `long`
    pub const LONG: CTy = CTy::int(IntKind::Long);
    /// `unsigned long`
    pub const ULONG: CTy = CTy::int(IntKind::ULong);
    /// `double`
    pub const DOUBLE: CTy = CTy::float(FloatKind::Double);
    /// `void *`
    pub const VOID_PTR: CTy = CTy(26);
    /// `char *`
    pub const CHAR_PTR: CTy = CTy(27);
    /// `const void *`
    pub const CONST_VOID_PTR: CTy = CTy(28);
    /// `const char *`
    pub const CONST_CHAR_PTR: CTy = CTy(29);

    /// The integer type of that name.
    pub const fn int(kind: IntKind) -> CTy {
        CTy(4 + kind as u32)
    }
    /// The floating type of that name.
    pub const fn float(kind: FloatKind) -> CTy {
        CTy(18 + kind as u32)
    }
    /// The complex type of that name.
    pub const fn complex(kind: FloatKind) -> CTy {
        CTy(22 + kind as u32)
    }
}

impl IntKind {
    /// All of them, in order.
    pub const ALL: [IntKind; 14] = [
        IntKind::Bool,
        IntKind::Char,
        IntKind::SChar,
        IntKind::UChar,
        IntKind::Short,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::LongLong,
        IntKind::ULongLong,
        IntKind::Int128,
        IntKind::UInt128,
    ];
    /// Whether values may be negative (`char` is signed on the platforms at hand).
    pub fn signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }
    /// Width in bits of the representation; 8 for `_Bool`.
    pub fn bits(self, model: DataModel) -> u16 {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong if model == DataModel::Ilp32 => 32,
            Long | ULong | LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
        }
    }
    /// Conversion rank.
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }
    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Bool => Bool,
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
        }
    }
}

impl CTypes {
    /// An interner that holds the types which [`CTy`] has constants for.
    pub fn new() -> Self {
        let mut types = CTypes::default();
        types.intern(CType::Void);
        types.intern(CType::Error);
        types.intern(CType::Nullptr);
        types.intern(CType::VaList);
        for kind in IntKind::ALL {
            types.intern(CType::Int(kind));
        }
        let floats = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128];
        for kind in floats {
            types.intern(CType::Float(kind));
        }
        for kind in floats {
            types.intern(CType::Complex(kind));
        }
        let constant = Quals { is_const: true, ..Quals::default() };
        for quals in [Quals::default(), constant] {
            types.intern(CType::Pointer(QualTy { ty: CTy::VOID, quals }));
            types.intern(CType::Pointer(QualTy { ty: CTy::CHAR, quals }));
        }
        types
    }
    /// Interns `ty`.
    pub fn intern(&mut self, ty: CType) -> CTy {
        CTy(self.types.insert_full(ty).0 as u32)
    }
    /// The structure of `ty`.
    pub fn get(&self, ty: CTy) -> &CType {
        self.types.get_index(ty.0 as usize).unwrap_or(&CType::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_name_the_types_they_say() {
        let types = CTypes::new();
        for kind in IntKind::ALL {
            assert_eq!(types.get(CTy::int(kind)), &CType::Int(kind));
        }
        assert_eq!(types.get(CTy::float(FloatKind::Float128)), &CType::Float(FloatKind::Float128));
        assert_eq!(types.get(CTy::complex(FloatKind::Double)), &CType::Complex(FloatKind::Double));
        assert_eq!(types.get(CTy::VOID_PTR), &CType::Pointer(CTy::VOID.into()));
        let CType::Pointer(to) = types.get(CTy::CONST_CHAR_PTR) else { panic!("not a pointer") };
        assert!(to.ty == CTy::CHAR && to.quals.is_const);
    }
}
