//! The syntax tree: what was written, before names and types mean anything.
//!
//! The parser resolves one thing only, whether an identifier is a typedef name in its scope. Declarators are
//! kept inside out as C writes them. Boxes own children; depth is bounded by [`crate::MAX_NESTING`].

use crate::symbol::Symbol;
use heapwise_ir::Span;

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Everything at file scope, in order.
    pub items: Vec<Item>,
}

/// Something at file scope.
#[derive(Clone, Debug)]
pub enum Item {
    /// A function definition.
    Function(Box<FunctionDef>),
    /// A declaration (also a lone `struct s { … };`).
    Declaration(Declaration),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// `asm("…")` at file scope.
    Asm(Span),
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// Its specifiers.
    pub specs: DeclSpecs,
    /// Its declarator; the innermost derived part is a function.
    pub declarator: Declarator,
    /// K&R parameter declarations between declarator and body.
    pub knr_decls: Vec<Declaration>,
    /// Its body.
    pub body: Block,
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// If the body could not be parsed or holds something unsupported at the syntax level: why and where.
    /// The body is then empty.
    pub broken: Option<(String, Span)>,
}

/// A declaration: specifiers and any number of declarators.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its specifiers.
    pub specs: DeclSpecs,
    /// Its declarators with initialisers.
    pub declarators: Vec<InitDeclarator>,
    /// Its text.
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// Name and derivation.
    pub declarator: Declarator,
    /// `asm("label")`.
    pub asm_label: Option<Box<str>>,
    /// Attributes after the declarator.
    pub attrs: Vec<Attribute>,
    /// The initialiser.
    pub init: Option<Initializer>,
}

/// `_Static_assert(cond, "message")`.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// The condition.
    pub cond: Expr,
    /// The message.
    pub message: Option<Box<str>>,
    /// Its text.
    pub span: Span,
}

/// Storage class specifiers (at most one besides `thread_local`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    /// None given.
    #[default]
    None,
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic`
    pub is_atomic: bool,
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
pub struct DeclSpecs {
    /// Storage class.
    pub storage: Storage,
    /// `_Thread_local`, `__thread`.
    pub thread_local: bool,
    /// `constexpr` (C23).
    pub constexpr: bool,
    /// `inline`
    pub inline: bool,
    /// `_Noreturn`
    pub noreturn: bool,
    /// `_Alignas` specifiers.
    pub alignas: Vec<AlignAs>,
    /// Qualifiers.
    pub quals: Quals,
    /// The type.
    pub ty: TypeSpec,
    /// Attributes, GNU and `[[…]]`.
    pub attrs: Vec<Attribute>,
    /// Their text.
    pub span: Span,
}

/// `_Alignas(type)` or `_Alignas(expr)`.
#[derive(Clone, Debug)]
pub enum AlignAs {
    /// As this type.
    Type(Box<TypeName>),
    /// This many bytes.
    Expr(Box<Expr>),
}

/// A type specifier.
#[derive(Clone, Debug)]
pub enum TypeSpec {
    /// A combination of basic keywords, in canonical form.
    Basic(BasicType),
    /// `struct` or `union`.
    Record(Box<RecordSpec>),
    /// `enum`.
    Enum(Box<EnumSpec>),
    /// A typedef name.
    Typedef(Symbol),
    /// `typeof(expr)`.
    TypeofExpr(Box<Expr>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `typeof_unqual(…)`: one of the two above, without its qualifiers.
    Unqualified(Box<TypeSpec>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`, C23 `auto` as a type.
    Auto,
    /// No type given: `int` by the old rule.
    Implicit,
}

/// Basic types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BasicType {
    /// `void`
    Void,
    /// `_Bool`, `bool`
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
    /// `unsigned`
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
    /// `float`, `_Float32`
    Float,
    /// `double`, `_Float64`, `_Float32x`
    Double,
    /// `long double`, `_Float64x`
    LongDouble,
    /// `__float128`, `_Float128`
    Float128,
    /// `_Complex float`
    ComplexFloat,
    /// `_Complex double`
    ComplexDouble,
    /// `_Complex long double`
    ComplexLongDouble,
    /// `__builtin_va_list`
    VaList,
}

/// `struct tag { … }`, `struct tag`, `struct { … }`; likewise `union`.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// Whether it is a union.
    pub is_union: bool,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its members, if this is a definition.
    pub members: Option<Vec<Member>>,
    /// Attributes before the tag and after the closing brace.
    pub attrs: Vec<Attribute>,
    /// `#pragma pack(n)` in force at the definition.
    pub pragma_pack: Option<u32>,
    /// Its text.
    pub span: Span,
}

/// A member declaration or a static assertion inside a record.
#[derive(Clone, Debug)]
pub enum Member {
    /// Members that share specifiers; no declarator: an anonymous struct or union.
    Field {
        /// The specifiers.
        specs: DeclSpecs,
        /// The declarators.
        declarators: Vec<MemberDeclarator>,
        /// Its text.
        span: Span,
    },
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
}

/// A member's declarator.
#[derive(Clone, Debug)]
pub struct MemberDeclarator {
    /// `None` for an unnamed bit-field.
    pub declarator: Option<Declarator>,
    /// Width of a bit-field.
    pub width: Option<Expr>,
    /// Attributes after it.
    pub attrs: Vec<Attribute>,
}

/// `enum tag : type { … }`.
#[derive(Clone, Debug)]
pub struct EnumSpec {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// C23 underlying type.
    pub underlying: Option<Box<TypeName>>,
    /// Its constants, if this is a definition.
    pub constants: Option<Vec<EnumConstant>>,
    /// Attributes.
    pub attrs: Vec<Attribute>,
    /// Its text.
    pub span: Span,
}

/// An enumeration constant.
#[derive(Clone, Debug)]
pub struct EnumConstant {
    /// Its name.
    pub name: Symbol,
    /// Its value, if given.
    pub value: Option<Expr>,
    /// Its name's position.
    pub span: Span,
}

/// A name with the derivation of its type, read from the name outwards:
/// `*a[3]` is `name a, derived [Array(3), Pointer]`.
#[derive(Clone, Debug, Default)]
pub struct Declarator {
    /// The name; `None` in abstract declarators.
    pub name: Option<Symbol>,
    /// Position of the name, or of the whole if abstract.
    pub span: Span,
    /// Derivations, nearest to the name first.
    pub derived: Vec<Derived>,
    /// Attributes inside the declarator.
    pub attrs: Vec<Attribute>,
}

/// One derivation step.
#[derive(Clone, Debug)]
pub enum Derived {
    /// `*` with qualifiers.
    Pointer(Quals),
    /// `[…]`
    Array {
        /// Its length.
        len: ArrayLen,
        /// Qualifiers inside the brackets (parameters only).
        quals: Quals,
    },
    /// `(…)`
    Function(ParamList),
}

/// What stands between brackets.
#[derive(Clone, Debug)]
pub enum ArrayLen {
    /// Nothing.
    None,
    /// `*`
    Star,
    /// An expression, constant or not.
    Expr(Box<Expr>),
}

/// What stands between the parentheses of a function declarator.
#[derive(Clone, Debug, Default)]
pub struct ParamList {
    /// Prototyped parameters.
    pub params: Vec<Param>,
    /// `, ...`
    pub variadic: bool,
    /// K&R identifier list; then `params` is empty.
    pub identifiers: Vec<(Symbol, Span)>,
    /// `()` with nothing inside (before C23: no prototype).
    pub empty: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its specifiers.
    pub specs: DeclSpecs,
    /// Its declarator, possibly abstract.
    pub declarator: Declarator,
    /// Its text.
    pub span: Span,
}

/// A type name as in casts and `sizeof`.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Its specifiers.
    pub specs: DeclSpecs,
    /// An abstract declarator.
    pub declarator: Declarator,
    /// Its text.
    pub span: Span,
}

/// An attribute, `__x__` written as `x`; for `[[gnu::x]]` also `x`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Box<str>,
    /// Its arguments that are expressions (`aligned(8)`, `cleanup(f)`, `vector_size(16)`, `mode(DI)` as an identifier).
    pub args: Vec<Expr>,
    /// Its text.
    pub span: Span,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= expr`
    Expr(Expr),
    /// `= { … }`
    List(InitList),
}

/// A braced initialiser list.
#[derive(Clone, Debug)]
pub struct InitList {
    /// Its entries.
    pub entries: Vec<InitEntry>,
    /// Its text.
    pub span: Span,
}

/// An entry of an initialiser list.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// Its designators, outermost first.
    pub designators: Vec<Designator>,
    /// Its value.
    pub value: Initializer,
}

/// `.field`, `[i]`, `[lo ... hi]`, old GNU `field:`.
#[derive(Clone, Debug)]
pub enum Designator {
    /// A member.
    Field(Symbol, Span),
    /// An element.
    Index(Expr),
    /// GNU: a range of elements.
    Range(Expr, Expr),
}

/// A compound statement.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// What it holds.
    pub items: Vec<BlockItem>,
    /// From brace to brace.
    pub span: Span,
}

/// Part of a compound statement.
#[derive(Clone, Debug)]
pub enum BlockItem {
    /// A declaration.
    Declaration(Box<Declaration>),
    /// GNU nested function: not supported, recorded by its position.
    NestedFunction(Span),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// A statement.
    Stmt(Stmt),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;` (also with `[[fallthrough]]`)
    Empty,
    /// An expression.
    Expr(Expr),
    /// A block.
    Block(Block),
    /// `if`
    If {
        /// Condition.
        cond: Expr,
        /// If true.
        then: Box<Stmt>,
        /// If false.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`
    While {
        /// Condition.
        cond: Expr,
        /// Body.
        body: Box<Stmt>,
    },
    /// `do … while`
    DoWhile {
        /// Body.
        body: Box<Stmt>,
        /// Condition.
        cond: Expr,
    },
    /// `for`
    For {
        /// First clause.
        init: Option<Box<BlockItem>>,
        /// Second clause.
        cond: Option<Box<Expr>>,
        /// Third clause.
        step: Option<Box<Expr>>,
        /// Body.
        body: Box<Stmt>,
    },
    /// `switch`
    Switch {
        /// The value.
        value: Expr,
        /// Body.
        body: Box<Stmt>,
    },
    /// `case low ... high:`; the statement after it is `body` (`Empty` before a declaration or a brace).
    Case {
        /// Value, or smallest value.
        low: Expr,
        /// Largest value of a GNU range.
        high: Option<Box<Expr>>,
        /// What follows.
        body: Box<Stmt>,
    },
    /// `default:`
    Default(Box<Stmt>),
    /// `label:`
    Label {
        /// Its name.
        name: Symbol,
        /// What follows.
        body: Box<Stmt>,
    },
    /// `goto label`
    Goto(Symbol),
    /// `goto *expr`
    GotoExpr(Expr),
    /// `continue`
    Continue,
    /// `break`
    Break,
    /// `return`
    Return(Option<Expr>),
    /// `__label__ a, b;`
    LocalLabels(Vec<Symbol>),
    /// Inline assembly.
    Asm(AsmStmt),
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct AsmStmt {
    /// The template.
    pub template: Box<str>,
    /// Whether it has output operands.
    pub has_outputs: bool,
    /// The expressions of its input operands.
    pub inputs: Vec<Expr>,
    /// Whether it is `asm goto`.
    pub is_goto: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
}

/// Expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Symbol),
    /// An integer literal.
    Int {
        /// Its value.
        value: u128,
        /// Whether it was written in decimal.
        decimal: bool,
        /// `u` suffix.
        unsigned: bool,
        /// Number of `l`s: 0, 1, 2.
        longs: u8,
    },
    /// A floating literal.
    Float {
        /// Its value.
        value: f64,
        /// `Float`, `Double`, `LongDouble`, `Float128`, or a complex one for an imaginary literal.
        ty: BasicType,
        /// Whether nothing of it was lost that its type would keep.
        exact: bool,
    },
    /// A character literal: the value as the compiler computes it, and the element type.
    Char {
        /// Its value.
        value: i64,
        /// Prefix.
        encoding: Encoding,
    },
    /// String literals, concatenated, escapes resolved, without the final zero; one element per code unit.
    Str {
        /// Code units.
        units: Vec<u32>,
        /// Prefix.
        encoding: Encoding,
    },
    /// C23 `nullptr`
    Nullptr,
    /// `true`, `false` as keywords (C23).
    Bool(bool),
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`
    FuncName,
    /// `a[b]`
    Index(Box<Expr>, Box<Expr>),
    /// `f(args)`
    Call(Box<Expr>, Vec<Expr>),
    /// `a.b`, `a->b`
    Member {
        /// The left side.
        base: Box<Expr>,
        /// The member.
        field: Symbol,
        /// Whether by `->`.
        arrow: bool,
    },
    /// `a++`, `a--`, `++a`, `--a`
    IncDec {
        /// On what.
        arg: Box<Expr>,
        /// `++` rather than `--`.
        increment: bool,
        /// Before rather than after.
        prefix: bool,
    },
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator, also `&&` and `||`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a op= b`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `a ? b : c`; GNU `a ?: c`.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `(type)a`
    Cast(Box<TypeName>, Box<Expr>),
    /// `(type){…}`
    CompoundLiteral(Box<TypeName>, InitList),
    /// `sizeof expr`
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`
    SizeofType(Box<TypeName>),
    /// `_Alignof(type)`, or with `true` GNU `__alignof__(type)`, which asks for the preferred alignment.
    AlignofType(Box<TypeName>, bool),
    /// GNU `_Alignof expr`
    AlignofExpr(Box<Expr>),
    /// `_Generic(control, …)`; `None` is `default`.
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    /// `({ … })`
    StmtExpr(Block),
    /// `&&label`
    LabelAddr(Symbol),
    /// `__builtin_va_arg(list, type)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(type, path)`; the path starts with a field.
    Offsetof(Box<TypeName>, Vec<OffsetofStep>),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU `__extension__`, parentheses are dropped; `__real__`, `__imag__`.
    RealImag {
        /// `__imag__` rather than `__real__`.
        imag: bool,
        /// Of what.
        arg: Box<Expr>,
    },
}

/// A step of an `offsetof` path.
#[derive(Clone, Debug)]
pub enum OffsetofStep {
    /// To a member.
    Field(Symbol, Span),
    /// To an element.
    Index(Expr),
}

/// Prefix of a character or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// None.
    Plain,
    /// `u8`
    Utf8,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
    /// `L`
    Wide,
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `&`
    AddrOf,
    /// `*`
    Deref,
    /// `+`
    Plus,
    /// `-`
    Neg,
    /// `~`
    BitNot,
    /// `!`
    Not,
}

/// Infix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
    /// `&&`
    LogAnd,
    /// `||`
    LogOr,
}
