//! C23 and GNU C, preprocessed, to the intermediate representation.
//!
//! Four stages, each a total function that returns its result and a list of diagnostics:
//!
//! 1. `lexer`: text to tokens; line markers go to the source map, `/*@ … */` comments are kept aside.
//! 2. `parser`: tokens to the syntax tree of [`ast`]; resolves the typedef/identifier ambiguity.
//! 3. `sema`: syntax tree to the typed tree of [`hir`]: names resolved, every implicit conversion explicit,
//!    constants folded, layouts computed, initialisers flattened.
//! 4. `lower`: typed tree to control-flow graphs.
//!
//! An unsupported construct costs the function it stands in, never the run. Nothing here panics, reads a file
//! or prints. Recursion depth is bounded by [`MAX_NESTING`], checked by the parser; the later stages recurse
//! over trees that the parser built, hence within the same bound.

pub mod ast;
pub mod ctype;
pub mod hir;
mod lexer;
mod lexer_directives;
mod lexer_keywords;
pub mod lower;
pub mod parser;
pub mod sema;
pub mod symbol;

/// Deepest nesting of expressions, declarators, blocks and initialisers that is accepted.
pub const MAX_NESTING: u32 = 500;

/// Bytes of stack with which every stage gets through the tallest trees that the parser lets pass.
pub const STACK_SIZE: usize = 128 << 20;

use heapwise_ir::{DataModel, Diagnostic, Program, Severity, SourceMap, Span};
use std::sync::Arc;

/// One preprocessed translation unit.
#[derive(Clone, Debug)]
pub struct SourceUnit {
    /// The name that the user knows it by.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
}

/// Compiles and links translation units. Always returns a program; what could not be understood is in the
/// diagnostics, and functions that hold such constructs are `NotAnalysed`.
///
/// The stages recurse over trees that may be taller than the caller's stack allows, so they run on a thread of
/// their own.
pub fn compile(units: &[SourceUnit], model: DataModel) -> (Program, Vec<Diagnostic>) {
    let result = std::thread::scope(|scope| {
        let stages = std::thread::Builder::new().stack_size(STACK_SIZE);
        stages.spawn_scoped(scope, || compile_here(units, model)).ok()?.join().ok()
    });
    result.unwrap_or_else(|| {
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: "no-thread",
            message: format!("cannot start a thread with {} MB of stack", STACK_SIZE >> 20),
            span: Span::default(),
        };
        (Program::new(model), vec![diagnostic])
    })
}

/// Like [`compile`], on the stack of this thread, which must have [`STACK_SIZE`] bytes left.
pub fn compile_here(units: &[SourceUnit], model: DataModel) -> (Program, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let mut interner = symbol::Interner::default();
    let mut checker = sema::Sema::new(model);
    let mut diagnostics = Vec::new();
    let mut lowerer = lower::Lowerer::default();
    for unit in units {
        let Ok(base) = sources.add(&unit.name, unit.text.clone()) else {
            diagnostics.push(Diagnostic {
                severity: Severity::Error,
                code: "too-much-text",
                message: format!("'{}' is left out: the program has more than 4 GiB of text", unit.name),
                span: Span::default(),
            });
            continue;
        };
        let mut scanned = parser::ScannedUnit::new(&unit.text, base, &mut sources, &mut interner);
        let annotations = scanned.take_annotations();
        // One item after the other, so that the tree of the whole unit never exists.
        let mut items = scanned.items(&interner);
        checker.add_items(items.by_ref(), annotations, &interner, &sources, &mut |program, id, function| {
            lowerer.lower_into(program, id, function);
        });
        diagnostics.extend(items.into_diagnostics());
    }
    let (mut program, checked) = checker.finish(sources, &mut |program, id, function| {
        lowerer.lower_into(program, id, function);
    });
    lowerer.settle_orders(&mut program);
    diagnostics.extend(checked);
    diagnostics.extend(lowerer.diagnostics);
    (program, diagnostics)
}
