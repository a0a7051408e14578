//! Tests of the checker on small programs: conversions as dumps of the typed tree, initialisers as bytes, linking,
//! and what is said about wrong or unsupported programs.

mod dump;
mod programs;
mod wrong;

use crate::hir::HirFunction;
use crate::parser::parse_unit;
use crate::sema::Sema;
use crate::symbol::Interner;
use heapwise_ir::{DataModel, Diagnostic, FuncId, GlobalInit, InitValue, Program, Severity, SourceMap};

/// A program whose functions were checked but not lowered.
struct HirProgram {
    program: Program,
    bodies: Vec<(FuncId, HirFunction)>,
}

/// Parses and checks units.
fn check(units: &[&str], model: DataModel) -> (HirProgram, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let mut sema = Sema::new(model);
    let mut diagnostics = Vec::new();
    let mut bodies = Vec::new();
    for text in units {
        let base = sources.add("test.c", (*text).into()).expect("little text");
        let parsed = parse_unit(text, base, &mut sources, &mut interner);
        diagnostics.extend(parsed.diagnostics);
        sema.add_unit(&parsed.unit, parsed.annotations, &interner, &sources, &mut |_, id, body| {
            bodies.push((id, body))
        });
    }
    let (program, found) = sema.finish(sources, &mut |_, id, body| bodies.push((id, body)));
    diagnostics.extend(found);
    (HirProgram { program, bodies }, diagnostics)
}

/// Checks a program that must be right.
fn clean(text: &str, model: DataModel) -> HirProgram {
    let (program, diagnostics) = check(&[text], model);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    program
}

fn body<'p>(program: &'p HirProgram, name: &str) -> &'p HirFunction {
    let id = program.program.function_named(name).expect("the function exists");
    &program.bodies.iter().find(|(f, _)| *f == id).expect("it has a body").1
}

/// Codes of everything worse than a note.
fn codes(units: &[&str]) -> Vec<&'static str> {
    let (_, diagnostics) = check(units, DataModel::Lp64);
    diagnostics.iter().filter(|d| d.severity > Severity::Note).map(|d| d.code).collect()
}

/// The initial contents of a global, zeros included, addresses as `@name+offset`.
fn contents(program: &HirProgram, name: &str) -> String {
    let global = program.program.globals.iter().find(|g| &*g.name == name).expect("the global exists");
    let GlobalInit::Data(pieces) = &global.init else { return "unknown".into() };
    let mut words: Vec<String> = vec!["00".into(); global.size as usize];
    for piece in pieces {
        match &piece.value {
            InitValue::Bytes(bytes) => {
                for (i, b) in bytes.iter().enumerate() {
                    words[piece.offset as usize + i] = format!("{b:02x}");
                }
            }
            address => {
                let text = match address {
                    InitValue::GlobalAddr { global, offset } => {
                        format!("@{}+{offset}", program.program.globals[*global].name)
                    }
                    InitValue::FunctionAddr(f) => format!("@{}", program.program.functions[*f].name),
                    InitValue::Bytes(_) => String::new(),
                };
                let size = program.program.types.pointer_size as usize;
                words[piece.offset as usize..piece.offset as usize + size].fill(String::new());
                words[piece.offset as usize] = text;
            }
        }
    }
    words.retain(|w| !w.is_empty());
    words.join(" ")
}
