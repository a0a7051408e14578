//! Keywords in all their spellings.
//!
//! Keywords are recognised after interning, by symbol: the scanner's automaton stays small, and a spelling
//! costs one table lookup. *Soft* keywords are the plain words of C23 (`bool`, `nullptr`, …) that older programs
//! use as names: the scanner leaves them identifiers, and the parser takes one for a keyword only while no
//! declaration of that name is in scope.

use crate::lexer::Tok;
use crate::symbol::{Interner, Symbol};

/// Spellings that are always keywords.
const HARD: &[(&str, Tok)] = &[
    ("void", Tok::Void),
    ("_Bool", Tok::Bool),
    ("char", Tok::CharKw),
    ("short", Tok::Short),
    ("int", Tok::Int),
    ("long", Tok::Long),
    ("float", Tok::Float),
    ("double", Tok::Double),
    ("signed", Tok::Signed),
    ("__signed", Tok::Signed),
    ("__signed__", Tok::Signed),
    ("unsigned", Tok::Unsigned),
    ("_Complex", Tok::Complex),
    ("__complex", Tok::Complex),
    ("__complex__", Tok::Complex),
    ("__int128", Tok::Int128),
    ("__int128_t", Tok::Int128Name),
    ("__uint128_t", Tok::UInt128Name),
    ("_Float32", Tok::Float32),
    ("_Float64", Tok::Float64),
    ("_Float32x", Tok::Float32x),
    ("_Float64x", Tok::Float64x),
    ("_Float128", Tok::Float128),
    ("__float128", Tok::Float128),
    ("__float80", Tok::Float64x),
    ("__builtin_va_list", Tok::VaList),
    ("_Imaginary", Tok::UnsupportedType),
    ("_Decimal32", Tok::UnsupportedType),
    ("_Decimal64", Tok::UnsupportedType),
    ("_Decimal128", Tok::UnsupportedType),
    ("_Float16", Tok::UnsupportedType),
    ("__fp16", Tok::UnsupportedType),
    ("__bf16", Tok::UnsupportedType),
    ("_Float128x", Tok::UnsupportedType),
    ("_BitInt", Tok::UnsupportedType),
    ("_Accum", Tok::UnsupportedType),
    ("_Fract", Tok::UnsupportedType),
    ("_Sat", Tok::UnsupportedType),
    ("struct", Tok::Struct),
    ("union", Tok::Union),
    ("enum", Tok::Enum),
    ("__typeof", Tok::Typeof),
    ("__typeof__", Tok::Typeof),
    ("__typeof_unqual", Tok::Typeof),
    ("__typeof_unqual__", Tok::Typeof),
    ("__auto_type", Tok::AutoType),
    ("_Atomic", Tok::Atomic),
    ("const", Tok::Const),
    ("__const", Tok::Const),
    ("__const__", Tok::Const),
    ("volatile", Tok::Volatile),
    ("__volatile", Tok::Volatile),
    ("__volatile__", Tok::Volatile),
    ("restrict", Tok::Restrict),
    ("__restrict", Tok::Restrict),
    ("__restrict__", Tok::Restrict),
    ("__seg_gs", Tok::IgnoredQualifier),
    ("__seg_fs", Tok::IgnoredQualifier),
    ("_Nonnull", Tok::IgnoredQualifier),
    ("_Nullable", Tok::IgnoredQualifier),
    ("typedef", Tok::Typedef),
    ("extern", Tok::Extern),
    ("static", Tok::Static),
    ("auto", Tok::Auto),
    ("register", Tok::Register),
    ("__thread", Tok::ThreadLocal),
    ("_Thread_local", Tok::ThreadLocal),
    ("inline", Tok::Inline),
    ("__inline", Tok::Inline),
    ("__inline__", Tok::Inline),
    ("_Noreturn", Tok::Noreturn),
    ("_Alignas", Tok::Alignas),
    ("__attribute", Tok::Attribute),
    ("__attribute__", Tok::Attribute),
    ("__extension__", Tok::Extension),
    ("asm", Tok::Asm),
    ("__asm", Tok::Asm),
    ("__asm__", Tok::Asm),
    ("_Static_assert", Tok::StaticAssert),
    ("if", Tok::If),
    ("else", Tok::Else),
    ("while", Tok::While),
    ("do", Tok::Do),
    ("for", Tok::For),
    ("switch", Tok::Switch),
    ("case", Tok::Case),
    ("default", Tok::Default),
    ("break", Tok::Break),
    ("continue", Tok::Continue),
    ("return", Tok::Return),
    ("goto", Tok::Goto),
    ("__label__", Tok::LocalLabel),
    ("sizeof", Tok::Sizeof),
    ("_Alignof", Tok::Alignof),
    ("__alignof", Tok::Alignof),
    ("__alignof__", Tok::Alignof),
    ("_Generic", Tok::Generic),
    ("__real", Tok::Real),
    ("__real__", Tok::Real),
    ("__imag", Tok::Imag),
    ("__imag__", Tok::Imag),
    ("__builtin_va_arg", Tok::BuiltinVaArg),
    ("__builtin_offsetof", Tok::BuiltinOffsetof),
    ("__builtin_types_compatible_p", Tok::BuiltinTypesCompatible),
    ("__builtin_choose_expr", Tok::BuiltinChooseExpr),
    ("__func__", Tok::FuncName),
    ("__FUNCTION__", Tok::FuncName),
    ("__PRETTY_FUNCTION__", Tok::FuncName),
    ("_Pragma", Tok::Pragma),
];

/// Spellings that are keywords while nothing of that name is declared.
const SOFT: &[(&str, Tok)] = &[
    ("bool", Tok::Bool),
    ("true", Tok::True),
    ("false", Tok::False),
    ("nullptr", Tok::Nullptr),
    ("constexpr", Tok::Constexpr),
    ("typeof", Tok::Typeof),
    ("typeof_unqual", Tok::Typeof),
    ("alignas", Tok::Alignas),
    ("alignof", Tok::Alignof),
    ("static_assert", Tok::StaticAssert),
    ("thread_local", Tok::ThreadLocal),
];

/// Machine modes of `__attribute__((mode(…)))`: interned, so that the parser can name them without underscores.
const MODES: &[&str] = &[
    "byte",
    "word",
    "pointer",
    "unwind_word",
    "libgcc_cmp_return",
    "libgcc_shift_count",
    "QI",
    "HI",
    "SI",
    "DI",
    "TI",
    "OI",
    "HF",
    "SF",
    "DF",
    "XF",
    "TF",
    "HC",
    "SC",
    "DC",
    "XC",
    "TC",
    "SD",
    "DD",
    "TD",
];

/// The keywords by symbol of one interner.
pub(crate) struct Keywords {
    hard: Vec<Option<Tok>>,
    soft: Vec<(Symbol, Tok)>,
}

impl Keywords {
    pub fn new(interner: &mut Interner) -> Self {
        let mut hard = Vec::new();
        for &(name, kind) in HARD {
            let index = interner.intern(name).0 as usize;
            if hard.len() <= index {
                hard.resize(index + 1, None);
            }
            if let Some(slot) = hard.get_mut(index) {
                *slot = Some(kind);
            }
        }
        for mode in MODES {
            interner.intern(mode);
        }
        let soft = SOFT.iter().map(|&(name, kind)| (interner.intern(name), kind)).collect();
        Keywords { hard, soft }
    }

    /// The hard keyword that `symbol` is, if it is one.
    pub fn of(&self, symbol: Symbol) -> Option<Tok> {
        self.hard.get(symbol.0 as usize).copied().flatten()
    }

    pub fn soft(&self) -> &[(Symbol, Tok)] {
        &self.soft
    }
}
