//! A whole program: types, globals, functions and the text they come from.

use crate::body::{Body, FuncId, Function, FunctionBody, Operand, Projection};
use crate::index::IndexVec;
use crate::source::SourceMap;
use crate::source::Span;
use crate::types::{Record, RecordKind, Ty, Type, TypeTable};
use std::collections::BTreeSet;

crate::define_index!(
    /// A global variable, static local, or string literal.
    GlobalId,
    "g"
);

/// Sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
}

impl DataModel {
    /// Size of a pointer, and of `long`, in bytes.
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

/// A program, possibly linked from several translation units.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its data model.
    pub model: DataModel,
    /// Its types and records.
    pub types: TypeTable,
    /// Its globals, static locals and string literals.
    pub globals: IndexVec<GlobalId, Global>,
    /// Its functions.
    pub functions: IndexVec<FuncId, Function>,
    /// Its text.
    pub sources: SourceMap,
    /// Comments of the form `/*@ … */` with their position (the text between `@` and the end).
    pub annotations: Vec<Annotation>,
    /// Definitions that give way to others of the same name in other units.
    pub yielding: Yielding,
    /// Whether an index past the end of an array that is a member is an error, though it stays in the object.
    pub member_bounds: bool,
}

/// Definitions that give way to others of the same name when units are linked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Yielding {
    /// Functions that are defined `inline` only: other units do not see them.
    pub inline: BTreeSet<FuncId>,
    /// Functions with the attribute `weak`.
    pub functions: BTreeSet<FuncId>,
    /// Objects that are weak or have no initialiser.
    pub globals: BTreeSet<GlobalId>,
}

/// A `/*@ … */` comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The text after `@`.
    pub text: Box<str>,
    /// The whole comment.
    pub span: Span,
    /// The function whose definition directly follows, if any.
    pub function: Option<FuncId>,
}

/// A global variable, static local, or string literal.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; for a static local `function.name`, for a string literal a generated one.
    pub name: Box<str>,
    /// Its type.
    pub ty: Ty,
    /// Its size; more than the type's if a flexible array member is initialised.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// Its initial contents.
    pub init: GlobalInit,
    /// What it is.
    pub kind: GlobalKind,
    /// Whether it is declared `const`.
    pub constant: bool,
    /// Where it is declared.
    pub span: Span,
}

/// What a global object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKind {
    /// Visible to other units.
    External,
    /// File-scope `static`.
    Static,
    /// `static` inside a function.
    StaticLocal,
    /// A string literal (or a compound literal at file scope); writing to a string literal is an error.
    Literal,
}

/// The initial contents of a global.
#[derive(Clone, PartialEq, Debug)]
pub enum GlobalInit {
    /// No definition was seen: the contents are unknown.
    Unknown,
    /// These pieces over zeros.
    Data(Vec<InitPiece>),
}

/// A piece of initial contents; pieces are sorted and do not overlap.
#[derive(Clone, PartialEq, Debug)]
pub struct InitPiece {
    /// Byte offset.
    pub offset: u64,
    /// Contents.
    pub value: InitValue,
}

/// Contents of a piece.
#[derive(Clone, PartialEq, Debug)]
pub enum InitValue {
    /// Bytes as they are, little endian.
    Bytes(Vec<u8>),
    /// The address of a global plus an offset, of pointer size.
    GlobalAddr {
        /// Which global.
        global: GlobalId,
        /// Byte offset into it.
        offset: i64,
    },
    /// The address of a function, of pointer size.
    FunctionAddr(FuncId),
}

impl Program {
    /// An empty program.
    pub fn new(model: DataModel) -> Self {
        Program {
            model,
            types: TypeTable::new(model.pointer_size()),
            globals: IndexVec::new(),
            functions: IndexVec::new(),
            sources: SourceMap::default(),
            annotations: Vec::new(),
            yielding: Yielding::default(),
            member_bounds: true,
        }
    }
    /// How many elements each index of a path may choose from, if it goes into an array that is a member of a structure: what
    /// follows there are other members. The last member may have been given more room than its type says.
    pub fn member_lengths<'a>(&'a self, path: &'a [Projection]) -> impl Iterator<Item = Option<u64>> + 'a {
        let mut inside: Option<Ty> = None;
        path.iter().map(move |step| match step {
            Projection::Field { record, field, .. } => {
                let record = self.types.records.get(*record).filter(|r| r.kind == RecordKind::Struct);
                let followed = |r: &&Record| (*field as usize) + 1 < r.fields.len();
                let fields = record.filter(|r| self.member_bounds && followed(r)).map(|r| &r.fields);
                inside = fields.and_then(|f| f.get(*field as usize)).map(|f| f.ty);
                None
            }
            Projection::Index { .. } => match self.types.get(inside?) {
                Type::Array { elem, len } => {
                    inside = Some(*elem);
                    len.filter(|n| *n > 0)
                }
                _ => None,
            },
        })
    }
    /// The code of a function, if it is known.
    pub fn body(&self, func: FuncId) -> Option<&Body> {
        match &self.functions.get(func)?.body {
            FunctionBody::Defined(body) => Some(body),
            _ => None,
        }
    }
    /// The externally visible function of that name, else a static one.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        let mut found = None;
        for (id, f) in self.functions.iter_enumerated() {
            if &*f.name == name {
                if !f.internal {
                    return Some(id);
                }
                found.get_or_insert(id);
            }
        }
        found
    }
    /// The type of an operand in a function body.
    pub fn operand_ty(&self, body: &Body, operand: &Operand) -> Option<Ty> {
        match operand {
            Operand::Local(l) => body.locals.get(*l).map(|l| l.ty),
            Operand::Const(c) => Some(c.ty()),
        }
    }
}
