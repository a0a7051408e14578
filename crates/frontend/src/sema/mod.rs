//! Checking: syntax trees of several units to one typed program.
//!
//! A [`Sema`] accumulates units; each is walked once by a [`Checker`], which keeps the unit's scopes. Types live
//! in two tables: C's own ([`crate::ctype`]), which decide what is allowed and how operands convert, and the
//! IR's, which every node of the result carries. Records share their number between the two.
//!
//! Trees do not outlive their use: each checked function goes to the caller's [`BodySink`] at once, which lowers
//! it, so that of the typed tree never more than one function exists. Only `main` waits for the end of the last
//! unit, because what runs before it may come from any unit.
//!
//! Failure is a value: whatever is wrong inside a function comes back as one [`Fail`], becomes one diagnostic,
//! and costs that function. At file scope it costs the declaration.
//!
//! Cost: linear in the size of the tree, apart from initialisers with overriding designators and the search
//! for members, which is linear in the record.

mod alias;
mod annotations;
mod attributes;
mod builtin_library;
mod builtins;
mod call;
mod constant;
mod convert;
mod declare;
mod define;
mod expr;
mod function;
mod init;
mod init_static;
mod inputs;
mod link;
mod memory_builtins;
mod operators;
mod records;
mod scope;
mod stmt;
mod types;
mod varargs;
mod vla;

#[cfg(test)]
mod tests;

use crate::ast;
use crate::ctype::{CTypes, EnumId, IntKind, QualTy, VlaId};
use crate::hir::HirFunction;
use crate::symbol::{Interner, Symbol};
use function::FunctionState;
use heapwise_ir::{
    DataModel, Diagnostic, FuncId, IndexVec, LocalId, Program, RecordId, Severity, SourceMap, Span, Ty,
};
use link::Linker;
use rustc_hash::FxHashSet;
use scope::Scopes;

/// Why something could not be checked.
#[derive(Clone, Debug)]
pub(crate) struct Fail {
    severity: Severity,
    code: &'static str,
    message: String,
    span: Span,
}

/// The result of checking something.
type R<T> = Result<T, Box<Fail>>;

/// The text is not valid C.
fn invalid<T>(span: Span, code: &'static str, message: impl Into<String>) -> R<T> {
    Err(Box::new(Fail { severity: Severity::Error, code, message: message.into(), span }))
}

/// The text is valid but goes beyond what the tool understands.
fn unsupported<T>(span: Span, code: &'static str, message: impl Into<String>) -> R<T> {
    Err(Box::new(Fail { severity: Severity::Warning, code, message: message.into(), span }))
}

/// A member of a record as C sees it.
#[derive(Clone, Debug)]
struct CMember {
    /// `None` for anonymous structs and unions.
    name: Option<Symbol>,
    ty: QualTy,
    /// Its position among the IR record's fields.
    field: u32,
    /// Width of a bit-field.
    width: Option<u8>,
}

/// What C knows of a record beyond its layout.
#[derive(Clone, Debug, Default)]
struct RecordInfo {
    is_union: bool,
    members: Vec<CMember>,
    complete: bool,
    /// Whether it was declared with `transparent_union`.
    transparent: bool,
    /// Whether any member, however deep, is `const`.
    has_const: bool,
}

/// What C knows of an enumeration.
#[derive(Clone, Debug)]
struct EnumInfo {
    kind: IntKind,
    complete: bool,
}

/// Takes each checked function; the program has all types, globals and functions that its body mentions.
pub type BodySink<'s> = dyn FnMut(&mut Program, FuncId, HirFunction) + 's;

/// The checker for a whole program; see the module's page.
#[derive(Debug)]
pub struct Sema {
    program: Program,
    /// The first definition of `main`, until it is known what runs before it.
    main: Option<(FuncId, HirFunction)>,
    diagnostics: Vec<Diagnostic>,
    types: CTypes,
    /// IR type of each C type, as far as it was asked for.
    ir_types: Vec<Option<Ty>>,
    records: IndexVec<RecordId, RecordInfo>,
    enums: IndexVec<EnumId, EnumInfo>,
    /// The hidden local that holds the length of a variable-length array.
    vlas: IndexVec<VlaId, LocalId>,
    linker: Linker,
    volatile: inputs::VolatileReads,
}

impl Sema {
    /// A checker without units.
    pub fn new(model: DataModel) -> Self {
        Sema {
            program: Program::new(model),
            main: None,
            diagnostics: Vec::new(),
            types: CTypes::new(),
            ir_types: Vec::new(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
            vlas: IndexVec::new(),
            linker: Linker::default(),
            volatile: inputs::VolatileReads::default(),
        }
    }

    /// Checks a unit and links it to those before it. `annotations` are the texts and positions of its
    /// `/*@ … */` comments;
    /// `names` must resolve every symbol of the unit, and `sources` every span.
    pub fn add_unit(
        &mut self,
        unit: &ast::Unit,
        annotations: Vec<(Box<str>, Span)>,
        names: &Interner,
        sources: &SourceMap,
        bodies: &mut BodySink<'_>,
    ) {
        self.add_items(unit.items.iter(), annotations, names, sources, bodies);
    }

    /// As [`Self::add_unit`], for the items of a unit as they come.
    pub fn add_items(
        &mut self,
        items: impl Iterator<Item = impl std::borrow::Borrow<ast::Item>>,
        annotations: Vec<(Box<str>, Span)>,
        names: &Interner,
        sources: &SourceMap,
        bodies: &mut BodySink<'_>,
    ) {
        let mut checker = Checker {
            s: self,
            names,
            sources,
            bodies,
            scopes: Scopes::default(),
            fun: FunctionState::default(),
            current: None,
            weak: FxHashSet::default(),
        };
        checker.unit(items, annotations);
    }

    /// Completes tentative definitions, resolves library functions and returns the program with everything
    /// there is to say about it. Its source map is `sources`.
    pub fn finish(mut self, sources: SourceMap, bodies: &mut BodySink<'_>) -> (Program, Vec<Diagnostic>) {
        self.finish_linking();
        self.program.sources = sources;
        if let Some((id, main)) = self.main.take() {
            bodies(&mut self.program, id, main);
        }
        self.settle_aliases();
        let volatile = self.volatile_without_value();
        inputs::settle(&mut self.program, std::mem::take(&mut self.volatile), volatile);
        (self.program, self.diagnostics)
    }

    fn report(&mut self, fail: Fail) {
        let Fail { severity, code, message, span } = fail;
        self.diagnostics.push(Diagnostic { severity, code, message, span });
    }

    fn note(&mut self, span: Span, code: &'static str, message: impl Into<String>) {
        self.report(Fail { severity: Severity::Note, code, message: message.into(), span });
    }
}

/// The walk over one unit.
struct Checker<'a> {
    s: &'a mut Sema,
    names: &'a Interner,
    sources: &'a SourceMap,
    bodies: &'a mut BodySink<'a>,
    scopes: Scopes,
    /// The function at hand; a dummy at file scope.
    fun: FunctionState,
    /// Its number.
    current: Option<FuncId>,
    /// What the unit declares `weak` and does not define.
    weak: FxHashSet<alias::Item>,
}

impl Checker<'_> {
    fn name(&self, symbol: Symbol) -> &str {
        self.names.name(symbol)
    }
    /// Reports a failure at file scope.
    fn recover<T>(&mut self, result: R<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fail) => {
                self.s.report(*fail);
                None
            }
        }
    }
}
