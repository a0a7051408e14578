//! The typed tree between checking and lowering.
//!
//! Names are resolved to locals, globals, functions and labels; types are those of the IR; every implicit
//! conversion (promotion, usual arithmetic conversion, decay, assignment conversion, truth test) is an explicit
//! node; constants are folded; `sizeof`, `_Generic`, `typeof` and friends are gone. Control flow is still
//! structured. `lower` turns each [`HirFunction`] into a [`heapwise_ir::Body`] without needing C's type rules.
//!
//! Order of evaluation: as C says. Lowering goes from left to right, and adds the other orders where they can make a
//! difference; for [`ExprKind::Assign`] both sides, then the store; for [`ExprKind::Update`] the left side with its
//! contents and the right side, then operation and store.

use heapwise_ir::{
    BinaryOp, CastKind, CompareOp, Const, FuncId, GlobalId, IndexVec, Intrinsic, Local, LocalId, RecordId,
    Span, Ty, UnaryOp, define_index,
};

define_index!(
    /// A label of a function.
    LabelId,
    "label"
);

/// A checked function definition.
#[derive(Clone, Debug)]
pub struct HirFunction {
    /// Parameters in order.
    pub params: Vec<LocalId>,
    /// The block of the arguments that follow them.
    pub varargs: Option<LocalId>,
    /// Parameters, variables, compound literals and `Let`/`Update` temporaries; lowering appends more temporaries
    /// and sets `address_taken`.
    pub locals: IndexVec<LocalId, Local>,
    /// Its labels.
    pub labels: IndexVec<LabelId, Label>,
    /// Its result type.
    pub ret: Ty,
    /// Its body.
    pub body: Block,
    /// The closing brace.
    pub end: Span,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Box<str>,
    /// Whether `&&label` occurs.
    pub address_taken: bool,
}

/// A scope.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Compound literals of this scope: live from its start to its end (no `Declare` occurs for them).
    pub literals: Vec<LocalId>,
    /// Its statements; variables declared by `Declare` directly in it live to its end.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
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
    /// Evaluated for effect.
    Expr(Expr),
    /// A scope.
    Block(Block),
    /// The life of a variable begins.
    Declare {
        /// The variable. For a variable-length array, a hidden pointer to its storage.
        local: LocalId,
        /// For a variable-length array, the number of bytes.
        vla_size: Option<Box<Expr>>,
        /// Its initialiser.
        init: Option<Init>,
    },
    /// `if`; the condition is a scalar.
    If {
        /// Condition.
        cond: Expr,
        /// If non-zero.
        then: Box<Stmt>,
        /// If zero.
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
    /// `for`: a scope of its own.
    For {
        /// First clause: declarations or an expression.
        init: Block,
        /// Second clause.
        cond: Option<Box<Expr>>,
        /// Third clause.
        step: Option<Box<Expr>>,
        /// Body.
        body: Box<Stmt>,
    },
    /// `switch`; the value is already promoted.
    Switch {
        /// The value.
        value: Expr,
        /// Body, with `Case` and `Default` marks anywhere inside.
        body: Box<Stmt>,
    },
    /// A case mark of the innermost switch: control may come here.
    Case {
        /// Smallest value.
        low: i128,
        /// Largest value.
        high: i128,
    },
    /// The default mark of the innermost switch.
    Default,
    /// A label: control may come here.
    Label(LabelId),
    /// `goto`
    Goto(LabelId),
    /// `goto *expr`
    GotoAddress(Expr),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`, converted to the result type.
    Return(Option<Expr>),
}

/// A flattened initialiser.
#[derive(Clone, Debug)]
pub struct Init {
    /// Whether the whole object is zeroed first.
    pub zero: Option<Place>,
    /// Stores in order.
    pub stores: Vec<(Place, Expr)>,
}

/// A part of an object.
#[derive(Clone, Debug)]
pub struct Place {
    /// Which.
    pub kind: PlaceKind,
    /// Type of what is there.
    pub ty: Ty,
    /// Its text.
    pub span: Span,
}

impl Place {
    /// Whether it is a variable declared `const`, or in one. What is written there through a pointer is told from what the
    /// initialiser writes by the pointer.
    pub fn in_constant(&self, locals: &IndexVec<LocalId, Local>) -> bool {
        match &self.kind {
            PlaceKind::Local(local) | PlaceKind::Literal { local, .. } => {
                locals.get(*local).is_some_and(|l| l.constant)
            }
            PlaceKind::Field { base, .. } | PlaceKind::Index { base, .. } => base.in_constant(locals),
            PlaceKind::Deref(_) | PlaceKind::Global(_) | PlaceKind::Temporary(_) => false,
        }
    }
}

/// Places.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A local.
    Local(LocalId),
    /// A global, static local or string literal.
    Global(GlobalId),
    /// What a pointer value points to.
    Deref(Box<Expr>),
    /// A member of a place; `field` indexes the IR record's fields, which knows the offset and the bits.
    Field {
        /// The record's place.
        base: Box<Place>,
        /// Its type.
        record: RecordId,
        /// The member.
        field: u32,
    },
    /// An element of an array place.
    Index {
        /// The array's place.
        base: Box<Place>,
        /// An integer of any type.
        index: Box<Expr>,
        /// Bytes per element.
        stride: u64,
    },
    /// A compound literal: evaluates the initialiser, then is the local.
    Literal {
        /// The hidden local.
        local: LocalId,
        /// Its initialiser.
        init: Box<Init>,
    },
    /// An aggregate value put into a temporary so that parts of it can be read: `f().x`, `(c ? a : b).x`.
    Temporary(Box<Expr>),
}

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type; `void` for expressions without a value.
    pub ty: Ty,
    /// Its text.
    pub span: Span,
}

/// Values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant (its label constants are in `LabelAddr`).
    Const(Const),
    /// `&&label`
    LabelAddr(LabelId),
    /// What is stored in a place (also bit-fields and aggregates).
    Load(Place),
    /// The address of a place.
    AddrOf(Place),
    /// `-`, `~` on an operand of the result type.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic on operands of the result type (shift count: any integer type).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A comparison of operands of one type; the result is `int`.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// An explicit conversion.
    Cast(CastKind, Box<Expr>),
    /// Conversion to `void`.
    Discard(Box<Expr>),
    /// `ptr + index * stride`.
    PtrAdd {
        /// The pointer.
        ptr: Box<Expr>,
        /// An integer of any type.
        index: Box<Expr>,
        /// Bytes per element; negative for subtraction.
        stride: i64,
    },
    /// Like `PtrAdd` for elements of variable size: `bytes` (a `ptrdiff_t`) is added as it is.
    PtrAddBytes {
        /// The pointer.
        ptr: Box<Expr>,
        /// How many bytes.
        bytes: Box<Expr>,
    },
    /// `(lhs - rhs) / stride`.
    PtrDiff {
        /// Left pointer.
        lhs: Box<Expr>,
        /// Right pointer.
        rhs: Box<Expr>,
        /// Bytes per element.
        stride: u64,
    },
    /// `&&` on scalars; the result is `int`.
    LogAnd(Box<Expr>, Box<Expr>),
    /// `||` on scalars; the result is `int`.
    LogOr(Box<Expr>, Box<Expr>),
    /// `!` on a scalar; the result is `int`.
    Not(Box<Expr>),
    /// `?:`; both branches have the result type (or are `void`).
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Evaluates the first for effect, then the second.
    Comma(Box<Expr>, Box<Expr>),
    /// Evaluates `value` into the temporary, then `body`.
    Let {
        /// The temporary.
        temp: LocalId,
        /// Its value.
        value: Box<Expr>,
        /// Where it is used.
        body: Box<Expr>,
    },
    /// Stores a value of the place's type; the result is what is then stored there.
    Assign {
        /// Where to.
        place: Box<Place>,
        /// What.
        value: Box<Expr>,
    },
    /// Compound assignment, `++`, `--`: the place is evaluated once.
    Update {
        /// What is updated.
        place: Box<Place>,
        /// The right side and the temporary that holds it.
        rhs: Option<(LocalId, Box<Expr>)>,
        /// The temporary that holds the old contents.
        old: LocalId,
        /// The new contents in terms of both, of the place's type.
        new: Box<Expr>,
        /// Whether the result is the old value rather than the new.
        postfix: bool,
    },
    /// A call; arguments are converted and promoted.
    Call {
        /// Who is called.
        callee: CalleeExpr,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// A compiler operation.
    Intrinsic {
        /// Which.
        op: Intrinsic,
        /// Arguments.
        args: Vec<Expr>,
    },
    /// `({ … })`: the statements, then the value (evaluated inside the scope).
    StmtExpr {
        /// The scope.
        block: Block,
        /// The value of the last expression statement.
        value: Option<Box<Expr>>,
    },
}

/// Who is called.
#[derive(Clone, Debug)]
pub enum CalleeExpr {
    /// A named function.
    Direct(FuncId),
    /// A pointer to a function.
    Indirect(Box<Expr>),
}
