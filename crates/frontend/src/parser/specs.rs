//! Declaration specifiers: storage classes, qualifiers, type words, attributes, in any order.
//!
//! The rule that resolves `typedef int t; … unsigned t;`: once a type was seen, an identifier starts the
//! declarator, whatever it names. The same rule keeps soft keywords usable as names.

use super::{Parse, Parser};
use crate::ast::{AlignAs, BasicType, DeclSpecs, Quals, Storage, TypeName, TypeSpec};
use crate::lexer::{Tok, Token};
use heapwise_ir::Span;

/// Counts of the basic type words seen so far.
#[derive(Clone, Copy, Default)]
struct Words {
    void: u8,
    boolean: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    float: u8,
    double: u8,
    signed: u8,
    unsigned: u8,
    complex: u8,
    other: Option<BasicType>,
    others: u8,
}

impl Words {
    fn any(&self) -> bool {
        self.complex > 0 || self.count() > 0
    }

    fn count(&self) -> u32 {
        [self.void, self.boolean, self.char, self.short, self.int, self.long, self.float, self.double]
            .iter()
            .chain(&[self.signed, self.unsigned, self.others])
            .map(|&n| u32::from(n))
            .sum()
    }

    /// The type these words denote together, or `None` if they do not.
    fn resolve(&self) -> Option<BasicType> {
        use BasicType::*;
        let w = *self;
        if w.signed > 1 || w.unsigned > 1 || w.signed + w.unsigned > 1 || w.int > 1 || w.complex > 1 {
            return None;
        }
        let sign = w.signed + w.unsigned;
        let count = self.count();
        let pick = |signed, unsigned| if w.unsigned > 0 { unsigned } else { signed };
        let plain = if let Some(other) = w.other {
            match other {
                Int128 if count == 1 + u32::from(sign) => pick(Int128, UInt128),
                _ if count == 1 => other,
                _ => return None,
            }
        } else if w.void == 1 && count == 1 {
            Void
        } else if w.boolean == 1 && count == 1 {
            Bool
        } else if w.char == 1 && count == 1 + u32::from(sign) {
            if sign == 0 { Char } else { pick(SChar, UChar) }
        } else if w.short == 1 && count == 1 + u32::from(sign + w.int) {
            pick(Short, UShort)
        } else if w.float == 1 && count == 1 {
            Float
        } else if w.double == 1 && count == 1 {
            Double
        } else if w.double == 1 && w.long == 1 && count == 2 {
            LongDouble
        } else if w.long == 1 && count == 1 + u32::from(sign + w.int) {
            pick(Long, ULong)
        } else if w.long == 2 && count == 2 + u32::from(sign + w.int) {
            pick(LongLong, ULongLong)
        } else if count > 0 && count == u32::from(sign + w.int) {
            pick(Int, UInt)
        } else if count == 0 && w.complex == 1 {
            Double
        } else {
            return None;
        };
        if w.complex == 0 {
            return Some(plain);
        }
        match plain {
            Float => Some(ComplexFloat),
            Double => Some(ComplexDouble),
            // Complex values are opaque later on; the two have the same size and alignment on LP64.
            LongDouble | Float128 => Some(ComplexLongDouble),
            _ => None,
        }
    }
}

/// Whether a token of this kind can only start or continue declaration specifiers.
pub(super) fn is_specifier(kind: Tok) -> bool {
    is_type_start(kind)
        || matches!(
            kind,
            Tok::Typedef
                | Tok::Extern
                | Tok::Static
                | Tok::Auto
                | Tok::Register
                | Tok::ThreadLocal
                | Tok::Inline
                | Tok::Noreturn
                | Tok::Constexpr
                | Tok::Alignas
        )
}

/// Whether a token of this kind can start a type name.
pub(super) fn is_type_start(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Void
            | Tok::Bool
            | Tok::CharKw
            | Tok::Short
            | Tok::Int
            | Tok::Long
            | Tok::Float
            | Tok::Double
            | Tok::Signed
            | Tok::Unsigned
            | Tok::Complex
            | Tok::Int128
            | Tok::Int128Name
            | Tok::UInt128Name
            | Tok::Float32
            | Tok::Float64
            | Tok::Float32x
            | Tok::Float64x
            | Tok::Float128
            | Tok::VaList
            | Tok::UnsupportedType
            | Tok::Struct
            | Tok::Union
            | Tok::Enum
            | Tok::Typeof
            | Tok::AutoType
            | Tok::Atomic
            | Tok::Const
            | Tok::Volatile
            | Tok::Restrict
            | Tok::IgnoredQualifier
            | Tok::TypedefName
            | Tok::Attribute
    )
}

/// Specifiers of an abstract or defective declaration: nothing but a place.
pub(super) fn no_specs(at: u32) -> DeclSpecs {
    DeclSpecs {
        storage: Storage::None,
        thread_local: false,
        constexpr: false,
        inline: false,
        noreturn: false,
        alignas: Vec::new(),
        quals: Quals::default(),
        ty: TypeSpec::Implicit,
        attrs: Vec::new(),
        span: Span::new(at, at),
    }
}

impl Parser<'_> {
    /// Parses declaration specifiers, possibly none at all.
    pub(super) fn decl_specs(&mut self) -> Parse<DeclSpecs> {
        let lo = self.cur.lo;
        let mut specs = no_specs(lo);
        let mut words = Words::default();
        let mut has_type = false;
        let mut is_auto = false;
        loop {
            let token = self.cur;
            let mut kind = self.kind();
            // A soft keyword that may be the declared name.
            if token.kind == Tok::Ident && kind != Tok::Ident && !self.soft_specifier(kind, has_type) {
                kind = Tok::Ident;
            }
            match kind {
                Tok::Typedef => specs.storage = Storage::Typedef,
                Tok::Extern => specs.storage = Storage::Extern,
                Tok::Static => specs.storage = Storage::Static,
                Tok::Register => specs.storage = Storage::Register,
                Tok::Auto => is_auto = true,
                Tok::ThreadLocal => specs.thread_local = true,
                Tok::Inline => specs.inline = true,
                Tok::Noreturn => specs.noreturn = true,
                Tok::Constexpr => specs.constexpr = true,
                Tok::Const => specs.quals.is_const = true,
                Tok::Volatile => specs.quals.is_volatile = true,
                Tok::Restrict => specs.quals.is_restrict = true,
                Tok::IgnoredQualifier | Tok::Extension => {}
                Tok::Attribute => {
                    self.attributes(&mut specs.attrs)?;
                    continue;
                }
                Tok::LBracket if self.at_std_attribute() => {
                    self.attributes(&mut specs.attrs)?;
                    continue;
                }
                Tok::Atomic if self.peek(1).kind == Tok::LParen && !has_type => {
                    self.bump();
                    self.bump();
                    let inner = self.type_name()?;
                    self.expect(Tok::RParen, "')'")?;
                    specs.ty = TypeSpec::Atomic(Box::new(inner));
                    has_type = true;
                    continue;
                }
                Tok::Atomic => specs.quals.is_atomic = true,
                Tok::Alignas => {
                    let alignas = self.alignas()?;
                    specs.alignas.push(alignas);
                    continue;
                }
                Tok::Struct | Tok::Union | Tok::Enum | Tok::Typeof | Tok::AutoType | Tok::TypedefName => {
                    if has_type || words.any() {
                        return Err(self.two_types());
                    }
                    specs.ty = self.compound_type_spec(kind)?;
                    has_type = true;
                    continue;
                }
                Tok::UnsupportedType => {
                    let name = self.slice(token);
                    let message = format!("type '{name}' is not supported");
                    return Err(self.unsupported("unsupported-type", message, token.span()));
                }
                _ => {
                    if !count_word(kind, &mut words) {
                        break;
                    }
                    has_type = true;
                    if !matches!(specs.ty, TypeSpec::Implicit) {
                        return Err(self.two_types());
                    }
                }
            }
            self.bump();
        }
        if words.any() {
            match words.resolve() {
                Some(basic) => specs.ty = TypeSpec::Basic(basic),
                None => {
                    let message = "these type words do not go together".into();
                    return Err(self.fail("invalid-type", message, self.span_from(lo)));
                }
            }
        } else if is_auto && !has_type {
            specs.ty = TypeSpec::Auto;
        } else if is_auto && specs.storage == Storage::None {
            specs.storage = Storage::Auto;
        } else if !has_type && self.at(Tok::Ident) && self.names_no_type() {
            return Err(self.unknown_type(self.cur));
        }
        specs.span = self.span_from(lo);
        Ok(specs)
    }

    /// Whether the soft keyword or typedef name here is a specifier, rather than the name being declared.
    fn soft_specifier(&self, kind: Tok, has_type: bool) -> bool {
        let next = self.peek(1).kind;
        match kind {
            Tok::TypedefName | Tok::Bool | Tok::UnsupportedType => !has_type,
            Tok::Typeof => !has_type && next == Tok::LParen,
            Tok::Alignas => next == Tok::LParen,
            Tok::Constexpr | Tok::ThreadLocal => {
                next == Tok::Ident || next == Tok::Star || next == Tok::Extension || is_specifier(next)
            }
            _ => false,
        }
    }

    /// At an identifier without a type before it: whether what follows says that it should have been a type.
    fn names_no_type(&self) -> bool {
        let next = self.peek(1).kind;
        next == Tok::Ident || next == Tok::Star || (is_specifier(next) && next != Tok::Attribute)
    }

    pub(super) fn unknown_type(&mut self, token: Token) -> super::Failed {
        let message = format!("unknown type name '{}'", self.slice(token));
        self.fail("unknown-type", message, token.span())
    }

    fn two_types(&mut self) -> super::Failed {
        self.fail("invalid-type", "two or more types in one declaration".into(), self.cur.span())
    }

    /// `struct`, `union`, `enum`, `typeof(…)`, `__auto_type`, a typedef name.
    #[inline(never)]
    fn compound_type_spec(&mut self, kind: Tok) -> Parse<TypeSpec> {
        match kind {
            Tok::Struct | Tok::Union => Ok(TypeSpec::Record(Box::new(self.record_spec()?))),
            Tok::Enum => Ok(TypeSpec::Enum(Box::new(self.enum_spec()?))),
            Tok::AutoType => {
                self.bump();
                Ok(TypeSpec::Auto)
            }
            Tok::TypedefName => Ok(TypeSpec::Typedef(self.bump().symbol)),
            _ => {
                let keyword = self.bump();
                let unqualified = self.slice(keyword).contains("unqual");
                self.expect(Tok::LParen, "'('")?;
                let spec = if self.at_type_name() {
                    TypeSpec::TypeofType(Box::new(self.type_name()?))
                } else {
                    self.enter()?;
                    let expr = self.expr()?;
                    self.leave();
                    TypeSpec::TypeofExpr(Box::new(expr))
                };
                self.expect(Tok::RParen, "')'")?;
                Ok(if unqualified { TypeSpec::Unqualified(Box::new(spec)) } else { spec })
            }
        }
    }

    fn alignas(&mut self) -> Parse<AlignAs> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        let alignas = if self.at_type_name() {
            AlignAs::Type(Box::new(self.type_name()?))
        } else {
            self.enter()?;
            let expr = self.conditional()?;
            self.leave();
            AlignAs::Expr(Box::new(expr))
        };
        self.expect(Tok::RParen, "')'")?;
        Ok(alignas)
    }

    /// Whether a type name (as after the parenthesis of a cast) starts at the current token.
    #[inline]
    pub(super) fn at_type_name(&self) -> bool {
        is_type_start(self.kind())
    }

    /// Parses a type name: specifiers and an abstract declarator.
    #[inline(never)]
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        self.enter_twice()?;
        let lo = self.cur.lo;
        if self.kind() == Tok::Ident {
            return Err(self.unknown_type(self.cur));
        }
        let specs = self.decl_specs()?;
        let declarator = self.abstract_declarator()?;
        self.leave_twice();
        if matches!(specs.ty, TypeSpec::Implicit)
            && specs.quals == Quals::default()
            && declarator.derived.is_empty()
        {
            return Err(self.expected("a type name"));
        }
        Ok(TypeName { specs, declarator, span: self.span_from(lo) })
    }
}

/// Counts a basic type word; false if the token is none.
fn count_word(kind: Tok, words: &mut Words) -> bool {
    let mut other = None;
    let counter = match kind {
        Tok::Void => &mut words.void,
        Tok::Bool => &mut words.boolean,
        Tok::CharKw => &mut words.char,
        Tok::Short => &mut words.short,
        Tok::Int => &mut words.int,
        Tok::Long => &mut words.long,
        Tok::Float => &mut words.float,
        Tok::Double => &mut words.double,
        Tok::Signed => &mut words.signed,
        Tok::Unsigned => &mut words.unsigned,
        Tok::Complex => &mut words.complex,
        _ => {
            other = Some(match kind {
                Tok::Int128 | Tok::Int128Name => BasicType::Int128,
                Tok::UInt128Name => BasicType::UInt128,
                Tok::Float32 => BasicType::Float,
                Tok::Float64 | Tok::Float32x => BasicType::Double,
                Tok::Float64x => BasicType::LongDouble,
                Tok::Float128 => BasicType::Float128,
                Tok::VaList => BasicType::VaList,
                _ => return false,
            });
            &mut words.others
        }
    };
    *counter = counter.saturating_add(1);
    if other.is_some() {
        words.other = other;
    }
    // Saturation keeps nonsense such as three hundred `long`s nonsense.
    *counter = (*counter).min(4);
    true
}
