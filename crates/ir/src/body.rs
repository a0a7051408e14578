//! Functions as control-flow graphs over typed places.
//!
//! Semantics in short. A local is an object: `Operand::Local` reads the whole of it with its type, for scalars
//! and aggregates alike (an aggregate value is just its bytes). A [`Place`] is a base object plus a path of
//! fields and indices; only the base may be a dereference, so a chain `p->a->b` is several statements.
//! Reading an uninitialised scalar yields an indeterminate value; using it in a branch, an address or an
//! arithmetic operation is an error, copying it is not.
//!
//! Evaluation order is that of the statements. Where C leaves it open and it makes a difference, the front end has written
//! all orders, behind a choice by a function named [`ORDER_OF_EVALUATION`].

use crate::index::IndexVec;
use crate::library::LibFn;
use crate::program::GlobalId;
use crate::source::Span;
use crate::types::{RecordId, Ty, TypeTable};

/// The name of the function whose results choose among orders of evaluation; 0 is from left to right.
pub const ORDER_OF_EVALUATION: &str = "order of evaluation";

crate::define_index!(
    /// A function of a program.
    FuncId,
    "fn"
);
crate::define_index!(
    /// A basic block of a function.
    BlockId,
    "b"
);
crate::define_index!(
    /// A parameter, variable or temporary of a function.
    LocalId,
    "_"
);

/// A function, defined or only declared.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in the program text.
    pub name: Box<str>,
    /// Its type, a [`Type::Function`](crate::Type::Function).
    pub ty: Ty,
    /// Whether it is `static`, hence visible in its unit only.
    pub internal: bool,
    /// Whether it was declared never to return.
    pub noreturn: bool,
    /// The library function it stands for, if it has no body of its own.
    pub library: Option<LibFn>,
    /// What is known of its code.
    pub body: FunctionBody,
    /// The declarator's position.
    pub span: Span,
}

/// What is known of a function's code.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// No definition was seen.
    Declared,
    /// A definition was seen but holds a construct that is not supported; the reason says which.
    NotAnalysed {
        /// One sentence, as in the diagnostic.
        reason: Box<str>,
        /// The construct.
        span: Span,
    },
    /// The code.
    Defined(Box<Body>),
}

/// The code of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The parameters, in order; they are live from the start.
    pub params: Vec<LocalId>,
    /// In a variadic function, the block of the further arguments ([`crate::varargs`]); live from the start, and as
    /// large as the call makes it.
    pub varargs: Option<LocalId>,
    /// Parameters, variables and temporaries.
    pub locals: IndexVec<LocalId, Local>,
    /// The blocks; the first is the entry.
    pub blocks: IndexVec<BlockId, Block>,
    /// The closing brace.
    pub end: Span,
}

impl Body {
    /// The entry block.
    pub const ENTRY: BlockId = BlockId(0);
}

/// A parameter, variable or temporary.
#[derive(Clone, Debug)]
pub struct Local {
    /// The user's name; `None` for temporaries.
    pub name: Option<Box<str>>,
    /// Its type.
    pub ty: Ty,
    /// Alignment if the declaration asks for more than the type.
    pub align: Option<u64>,
    /// Whether its address is taken anywhere in the function.
    pub address_taken: bool,
    /// Whether it is declared `const`: only its initialiser writes it, by its name.
    pub constant: bool,
    /// For a variable the declarator, for a temporary the expression whose value it holds.
    pub span: Span,
}

impl Local {
    /// Whether it is an object in memory rather than a value.
    pub fn is_memory(&self, types: &TypeTable) -> bool {
        self.address_taken || !types.is_scalar(self.ty)
    }
}

/// A sequence of statements with one way in, and its way out.
#[derive(Clone, Debug)]
pub struct Block {
    /// What is done, in order.
    pub statements: Vec<Statement>,
    /// Where it goes on.
    pub terminator: Terminator,
}

/// A statement with the expression or declaration it comes from.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What is done.
    pub kind: StatementKind,
    /// The source text.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Nothing.
    Nop,
    /// Evaluates the right side and stores it.
    Assign {
        /// Where to.
        dest: Place,
        /// What.
        value: Rvalue,
    },
    /// Fills a place with zero bytes (the implicit part of an initialiser).
    Zero(Place),
    /// The life of a local begins; its bytes are uninitialised.
    StorageLive(LocalId),
    /// The life of a local ends; pointers into it dangle.
    StorageDead(LocalId),
    /// Allocates the storage of a variable-length array and stores its address in `dest`, a pointer-typed local.
    ScopeAlloc {
        /// The local that holds the address.
        dest: LocalId,
        /// Number of bytes.
        size: Operand,
    },
    /// Ends the life of what the newest `ScopeAlloc` with this `dest` allocated, if anything.
    ScopeFree(LocalId),
    /// A call.
    Call(Call),
    /// An operation of the compiler rather than of the library.
    Intrinsic {
        /// Which.
        op: Intrinsic,
        /// Where the result goes.
        dest: Option<Place>,
        /// Its arguments.
        args: Vec<Operand>,
    },
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Where the result goes.
    pub dest: Option<Place>,
    /// Who is called.
    pub callee: Callee,
    /// Arguments after default promotions and conversions; aggregates by value.
    pub args: Vec<Operand>,
}

/// Who is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A named function.
    Direct(FuncId),
    /// A function pointer.
    Indirect(Operand),
}

/// Compiler operations that are not C operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// `va_end`: the argument points to the `va_list`, which is indeterminate afterwards.
    VaEnd,
    /// The first half of `va_arg`: the argument points to the tag of a variadic argument ([`crate::varargs`]), which
    /// must have been passed as this type; the result points to its bytes.
    VaArg(Ty),
    /// Computes with unbounded precision, stores the wrapped result through the third argument (a pointer to
    /// the type given); the result says whether it did not fit.
    Overflow(BinaryOp, Ty),
    /// Count leading zeros of the argument (undefined for 0).
    Clz,
    /// Count trailing zeros of the argument (undefined for 0).
    Ctz,
    /// Index of the first set bit plus one, or 0.
    Ffs,
    /// Number of set bits.
    Popcount,
    /// Parity of the set bits.
    Parity,
    /// Reverses the bytes.
    Bswap,
    /// Control never comes here.
    Unreachable,
    /// Ends the program as by a trap.
    Trap,
    /// `alloca`: the argument is the size; the block lives until the function returns.
    Alloca,
    /// The address of the caller's frame: an opaque non-null value.
    FrameAddress,
    /// What the compiler knows of the size of an object; it has no arguments, as nothing is evaluated.
    ObjectSize,
    /// Whether the compiler finds out that a value is constant: 0 or 1, as it likes. Nothing is evaluated.
    ConstantP,
}

impl Intrinsic {
    /// Whether it computes its result from the values of its arguments and does nothing else: it neither reads nor
    /// changes memory, and control goes on after it.
    pub fn only_computes(self) -> bool {
        match self {
            Intrinsic::Clz
            | Intrinsic::Ctz
            | Intrinsic::Ffs
            | Intrinsic::Popcount
            | Intrinsic::Parity
            | Intrinsic::Bswap
            | Intrinsic::FrameAddress
            | Intrinsic::ObjectSize
            | Intrinsic::ConstantP => true,
            Intrinsic::VaEnd
            | Intrinsic::VaArg(_)
            | Intrinsic::Overflow(..)
            | Intrinsic::Unreachable
            | Intrinsic::Trap
            | Intrinsic::Alloca => false,
        }
    }
}

/// A way out of a block.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// Which.
    pub kind: TerminatorKind,
    /// The source text: the condition, the `return`, the `goto`.
    pub span: Span,
}

/// Where a block goes on.
#[derive(Clone, Debug)]
pub enum TerminatorKind {
    /// To a block.
    Goto(BlockId),
    /// To one of two blocks: `then` if the operand is non-zero (non-null).
    Branch {
        /// A scalar.
        cond: Operand,
        /// Taken if non-zero.
        then: BlockId,
        /// Taken if zero.
        otherwise: BlockId,
    },
    /// By value; ranges of different cases do not overlap.
    Switch {
        /// An integer.
        value: Operand,
        /// The cases.
        cases: Vec<SwitchCase>,
        /// If no case matches.
        default: BlockId,
    },
    /// GNU computed goto: to the block whose label's address the operand holds.
    GotoAddress {
        /// A label address.
        address: Operand,
        /// All blocks whose address is taken in the function.
        targets: Vec<BlockId>,
    },
    /// Back to the caller.
    Return(Option<Operand>),
    /// Control never comes here.
    Unreachable,
}

/// One case of a switch.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// Smallest value.
    pub low: i128,
    /// Largest value; equal to `low` except for GNU case ranges.
    pub high: i128,
    /// Where to.
    pub target: BlockId,
}

/// Part of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The object, or the address, that the path starts from.
    pub base: PlaceBase,
    /// Fields and indices, outermost first.
    pub path: Vec<Projection>,
    /// Type of what is there.
    pub ty: Ty,
}

/// Where a place starts.
#[derive(Clone, PartialEq, Debug)]
pub enum PlaceBase {
    /// A local.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// What a pointer points to.
    Deref(Operand),
}

/// A step from an object to a part of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Projection {
    /// To a member.
    Field {
        /// Of this record.
        record: RecordId,
        /// Which member.
        field: u32,
        /// Its byte offset.
        offset: u64,
        /// For a bit-field, which bits from that byte on; then it is the last step.
        bits: Option<BitRange>,
    },
    /// To an element.
    Index {
        /// An integer of any width, taken with its sign.
        index: Operand,
        /// Size of an element in bytes.
        stride: u64,
    },
}

/// Bits of a bit-field, from its first byte on, least significant first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitRange {
    /// First bit, 0 to 7.
    pub shift: u8,
    /// Number of bits.
    pub width: u8,
}

/// A value that costs no memory access beyond reading a local.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// The value of a local.
    Local(LocalId),
    /// A constant.
    Const(Const),
}

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    /// An integer or boolean, already wrapped to its type; unsigned 128-bit values by their bits.
    Int {
        /// The value.
        value: i128,
        /// Its type.
        ty: Ty,
    },
    /// A floating number; `long double` constants are rounded to double.
    Float {
        /// The value.
        value: f64,
        /// Its type.
        ty: Ty,
    },
    /// The null pointer.
    Null(Ty),
    /// An address in a global.
    Global {
        /// Which global.
        global: GlobalId,
        /// Byte offset into it.
        offset: i64,
        /// The pointer type.
        ty: Ty,
    },
    /// The address of a function.
    Function {
        /// Which function.
        func: FuncId,
        /// The pointer type.
        ty: Ty,
    },
    /// The address of a label of this function (GNU `&&label`).
    Label {
        /// Its block.
        block: BlockId,
        /// The pointer type.
        ty: Ty,
    },
    /// Any value, indeterminate as from an uninitialised object.
    Undefined(Ty),
}

impl Const {
    /// The constant's type.
    pub fn ty(&self) -> Ty {
        match self {
            Const::Int { ty, .. }
            | Const::Float { ty, .. }
            | Const::Null(ty)
            | Const::Global { ty, .. }
            | Const::Function { ty, .. }
            | Const::Label { ty, .. }
            | Const::Undefined(ty) => *ty,
        }
    }
}

/// What can stand on the right of an assignment. The result's type is that of the destination.
#[derive(Clone, PartialEq, Debug)]
pub enum Rvalue {
    /// The operand itself.
    Use(Operand),
    /// What is stored in a place.
    Load(Place),
    /// The address of a place (never of a bit-field).
    AddrOf(Place),
    /// An operator with one operand, of the result's type.
    Unary {
        /// Which.
        op: UnaryOp,
        /// On what.
        arg: Operand,
    },
    /// An operator on two numbers of the result's type (shift counts may have any integer type). For signed
    /// integers a result outside the type is undefined behaviour, for unsigned ones it wraps.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
    },
    /// A comparison of two operands of one type; the result is an `int`, 0 or 1.
    Compare {
        /// Which.
        op: CompareOp,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
    },
    /// A conversion to the destination's type.
    Cast {
        /// Which.
        kind: CastKind,
        /// From what.
        arg: Operand,
    },
    /// `ptr + index * stride` in bytes; `index` is an integer taken with its sign.
    PtrAdd {
        /// The pointer.
        ptr: Operand,
        /// How many elements.
        index: Operand,
        /// Bytes per element; negative for subtraction.
        stride: i64,
    },
    /// `(lhs - rhs) / stride` in elements.
    PtrDiff {
        /// Left pointer.
        lhs: Operand,
        /// Right pointer.
        rhs: Operand,
        /// Bytes per element.
        stride: u64,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-x`.
    Neg,
    /// `~x`.
    BitNot,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, towards zero
    Div,
    /// `%`, sign of the dividend
    Rem,
    /// `<<`
    Shl,
    /// `>>`, arithmetic for signed types
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Integer to integer: truncates, or extends by the sign of the source type.
    IntToInt,
    /// Scalar to `_Bool`: whether it is non-zero.
    ToBool,
    /// Integer to floating.
    IntToFloat,
    /// Floating to integer, towards zero.
    FloatToInt,
    /// Floating to floating.
    FloatToFloat,
    /// Pointer to integer of any width (truncating).
    PtrToInt,
    /// Integer of any width to pointer (zero- or sign-extended by its type).
    IntToPtr,
    /// Pointer to pointer; the address stays.
    PtrToPtr,
    /// Between types of the same size, bit for bit (opaque types).
    Reinterpret,
}

impl Place {
    /// The whole of a local of type `ty`.
    pub fn local(local: LocalId, ty: Ty) -> Place {
        Place { base: PlaceBase::Local(local), path: Vec::new(), ty }
    }
    /// The whole of a global of type `ty`.
    pub fn global(global: GlobalId, ty: Ty) -> Place {
        Place { base: PlaceBase::Global(global), path: Vec::new(), ty }
    }
    /// What `pointer` points to, as a `ty`.
    pub fn deref(pointer: Operand, ty: Ty) -> Place {
        Place { base: PlaceBase::Deref(pointer), path: Vec::new(), ty }
    }
    /// The local, if the place is the whole of one.
    pub fn as_local(&self) -> Option<LocalId> {
        match self.base {
            PlaceBase::Local(l) if self.path.is_empty() => Some(l),
            _ => None,
        }
    }
    /// The bits, if the place is a bit-field.
    pub fn bits(&self) -> Option<BitRange> {
        match self.path.last() {
            Some(Projection::Field { bits, .. }) => *bits,
            _ => None,
        }
    }
}
