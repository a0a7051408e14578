//! The intermediate representation that every other crate stands on.
//!
//! A [`Program`] is a set of globals and functions; a function is a control-flow graph of [`Block`]s over typed
//! [`Place`]s, in the manner of rustc's MIR: projections keep field names *and* byte offsets, all conversions
//! are explicit, the life of every local is delimited by `StorageLive`/`StorageDead`, and one statement
//! performs at most one load and one store.
//!
//! **Invariant:** this crate knows neither C syntax nor files; it only holds, checks, analyses and prints.

pub mod bitset;
pub mod body;
pub mod callgraph;
pub mod cfg;
pub mod index;
pub mod layout;
pub mod library;
pub mod liveness;
pub mod print;
pub mod program;
pub mod signals;
pub mod source;
pub mod stale;
pub mod types;
pub mod varargs;
pub mod verify;
pub mod visit;
pub mod wto;

#[cfg(test)]
mod testing;

pub use bitset::BitSet;
pub use body::{
    BinaryOp, BitRange, Block, BlockId, Body, Call, Callee, CastKind, CompareOp, Const, FuncId, Function,
    FunctionBody, Intrinsic, Local, LocalId, ORDER_OF_EVALUATION, Operand, Place, PlaceBase, Projection,
    Rvalue, Statement, StatementKind, SwitchCase, Terminator, TerminatorKind, UnaryOp,
};
pub use callgraph::CallGraph;
pub use cfg::{Cfg, Dominators};
pub use index::IndexVec;
pub use liveness::{Liveness, LocalSet};
pub use program::{
    Annotation, DataModel, Global, GlobalId, GlobalInit, GlobalKind, InitPiece, InitValue, Program, Yielding,
};
pub use source::{Diagnostic, Location, Severity, SourceMap, Span};
pub use stale::{StaleCell, stale_cells};
pub use types::{Field, FloatTy, IntTy, Record, RecordId, RecordKind, Ty, Type, TypeTable};
pub use wto::{Wto, WtoEntry};
