//! Library functions that the compiler knows: the types behind `__builtin_memcpy`, and of calls without a
//! declaration.
//!
//! A signature is a string: the result, then the parameters, one letter each; `.` means variadic. Letters:
//! `v` void, `i` int, `u` unsigned, `l` long, `L` long long, `z` size_t, `p` void pointer, `P` const void
//! pointer, `s` char pointer, `S` const char pointer, `d` double, `f` float, `D` long double, `a` va_list,
//! `I` pointer to int, `e` pointer to double, `t` pointer to float, `E` pointer to long double,
//! `w` pointer to char pointer.

use super::convert::Typed;
use super::link::FunctionDeclaration;
use super::{Checker, R};
use crate::ast;
use crate::ctype::{CTy, CType, FloatKind, FunctionType, IntKind, QualTy};
use crate::symbol::Symbol;
use heapwise_ir::library::LibFn;
use heapwise_ir::{FuncId, Span};

const SIGNATURES: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("alloca", "pz"),
    ("aligned_alloc", "pzz"),
    ("bcmp", "iPPz"),
    ("bcopy", "vPpz"),
    ("bzero", "vpz"),
    ("calloc", "pzz"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("_Exit", "vi"),
    ("ffs", "ii"),
    ("fprintf", "ipS."),
    ("fputc", "iip"),
    ("fputs", "iSp"),
    ("fscanf", "ipS."),
    ("fwrite", "zPzzp"),
    ("free", "vp"),
    ("imaxabs", "ll"),
    ("index", "sSi"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("malloc", "pz"),
    ("memchr", "pPiz"),
    ("memcmp", "iPPz"),
    ("memcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("posix_memalign", "ipzz"),
    ("printf", "iS."),
    ("putc", "iip"),
    ("putchar", "ii"),
    ("puts", "iS"),
    ("rindex", "sSi"),
    ("realloc", "ppz"),
    ("scanf", "iS."),
    ("snprintf", "iszS."),
    ("sprintf", "isS."),
    ("sscanf", "iSS."),
    ("stpcpy", "ssS"),
    ("stpncpy", "ssSz"),
    ("strcasecmp", "iSS"),
    ("strcat", "ssS"),
    ("strchr", "sSi"),
    ("strcmp", "iSS"),
    ("strcpy", "ssS"),
    ("strcspn", "zSS"),
    ("strdup", "sS"),
    ("strlen", "zS"),
    ("strncasecmp", "iSSz"),
    ("strncat", "ssSz"),
    ("strncmp", "iSSz"),
    ("strncpy", "ssSz"),
    ("strndup", "sSz"),
    ("strnlen", "zSz"),
    ("strpbrk", "sSS"),
    ("strrchr", "sSi"),
    ("strspn", "zSS"),
    ("strstr", "sSS"),
    ("vfprintf", "ipSa"),
    ("vprintf", "iSa"),
    ("vsnprintf", "iszSa"),
    ("vsprintf", "isSa"),
    ("__signbit", "id"),
    ("__signbitf", "if"),
    ("__signbitl", "iD"),
];

/// Functions of one number, with variants for `float` and `long double`.
const MATH_1: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nearbyint",
    "rint",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "significand",
];
/// Functions of two numbers.
const MATH_2: &[&str] =
    &["atan2", "copysign", "drem", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "pow", "remainder"];
/// Character classes and conversions.
const CTYPE: &[&str] = &[
    "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit", "toascii", "tolower", "toupper",
];

/// The signature of a math function or character class.
fn regular(name: &str) -> Option<String> {
    if CTYPE.contains(&name) {
        return Some("ii".into());
    }
    let with = |name: &str, letter: char| {
        if MATH_1.contains(&name) {
            Some(format!("{letter}{letter}"))
        } else if MATH_2.contains(&name) {
            Some(format!("{letter}{letter}{letter}"))
        } else {
            match name {
                "fma" => Some(format!("{letter}{letter}{letter}{letter}")),
                "ldexp" | "scalbn" => Some(format!("{letter}{letter}i")),
                "frexp" => Some(format!("{letter}{letter}I")),
                "ilogb" => Some(format!("i{letter}")),
                "lrint" | "lround" => Some(format!("l{letter}")),
                "llrint" | "llround" => Some(format!("L{letter}")),
                "modf" => {
                    let out = match letter {
                        'f' => 't',
                        'D' => 'E',
                        _ => 'e',
                    };
                    Some(format!("{letter}{letter}{out}"))
                }
                _ => None,
            }
        }
    };
    if let Some(found) = with(name, 'd') {
        return Some(found);
    }
    if let Some(found) = name.strip_suffix('f').and_then(|n| with(n, 'f')) {
        return Some(found);
    }
    name.strip_suffix('l').and_then(|n| with(n, 'D'))
}

impl Checker<'_> {
    fn letter(&mut self, letter: char) -> CTy {
        match letter {
            'i' => CTy::INT,
            'u' => CTy::UINT,
            'l' => CTy::LONG,
            'L' => CTy::int(IntKind::LongLong),
            'z' => self.s.size_t(),
            'p' => CTy::VOID_PTR,
            'P' => CTy::CONST_VOID_PTR,
            's' => CTy::CHAR_PTR,
            'S' => CTy::CONST_CHAR_PTR,
            'd' => CTy::DOUBLE,
            'f' => CTy::float(FloatKind::Float),
            'D' => CTy::float(FloatKind::LongDouble),
            'a' => self.adjust_parameter(CTy::VA_LIST.into(), ast::Quals::default()).ty,
            'I' => self.s.pointer_to(CTy::INT),
            'e' => self.s.pointer_to(CTy::DOUBLE),
            't' => self.s.pointer_to(CTy::float(FloatKind::Float)),
            'E' => self.s.pointer_to(CTy::float(FloatKind::LongDouble)),
            'w' => self.s.pointer_to(CTy::CHAR_PTR),
            _ => CTy::VOID,
        }
    }

    /// The type of a library function that the compiler knows.
    pub(super) fn library_type(&mut self, name: &str) -> Option<CTy> {
        let signature = match SIGNATURES.iter().find(|(n, _)| *n == name) {
            Some((_, s)) => (*s).to_owned(),
            None => regular(name)?,
        };
        let mut letters = signature.chars();
        let ret = QualTy::from(letters.next().map_or(CTy::VOID, |l| self.letter(l)));
        let mut params = Vec::new();
        let mut variadic = false;
        for letter in letters {
            if letter == '.' {
                variadic = true;
            } else {
                params.push(QualTy::from(self.letter(letter)));
            }
        }
        let f = FunctionType { ret, params: params.into(), variadic, prototyped: true };
        Some(self.s.types.intern(CType::Function(f)))
    }

    /// The library function of that name, declared now if need be.
    pub(super) fn library_function(&mut self, name: &str, span: Span) -> Option<R<(FuncId, CTy)>> {
        if let Some(known) = self.known_external(name) {
            return Some(Ok(known));
        }
        let ty = self.library_type(name)?;
        let noreturn = LibFn::lookup(name).is_some_and(LibFn::is_noreturn);
        let d = FunctionDeclaration { name, asm_name: None, ty, internal: false, noreturn, span };
        let result = self.s.external_function(d);
        if let Ok((id, _)) = &result {
            self.s.mark_implicit(*id);
        }
        Some(result)
    }

    /// `__builtin_X` as a value, where X is a library function.
    pub(super) fn library_builtin_value(&mut self, name: Symbol, span: Span) -> Option<Typed> {
        let names = self.names;
        let plain = names.name(name).strip_prefix("__builtin_")?;
        let (id, ty) = self.library_function(plain, span)?.ok()?;
        self.function_value(id, ty, span).ok()
    }

    /// A call of a library function by name, with checked arguments.
    pub(super) fn call_library(&mut self, name: &str, args: Vec<Typed>, span: Span) -> Option<R<Typed>> {
        let found = self.library_function(name, span)?;
        Some(found.and_then(|(id, ty)| self.call_function(id, ty, args, span)))
    }
}
