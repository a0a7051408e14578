//! What each file of a project defines and needs.
//!
//! Every file is preprocessed and compiled alone, several at a time. Of the result only names are kept: those with external linkage
//! that it defines, those that its code mentions and does not define, and how many functions it has.

use crate::input::{self, compile_commands::Entry};
use crate::options::Source;
use heapwise_ir::visit::{statement_operands, statement_places, terminator_operand};
use heapwise_ir::{
    Callee, Const, FunctionBody, GlobalInit, GlobalKind, InitValue, Operand, PlaceBase, Program, Severity,
    Span, StatementKind,
};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A file of the project.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The C file.
    pub file: PathBuf,
    /// The object that its command writes.
    pub object: Option<PathBuf>,
    /// External names that it defines.
    pub defines: BTreeSet<String>,
    /// Those of them that no other file of the same program may define.
    pub strong: BTreeSet<String>,
    /// External names that it mentions and does not define.
    pub needs: BTreeSet<String>,
    /// How many functions it defines.
    pub functions: usize,
    /// Why it could not be read, if so.
    pub failure: Option<String>,
}

impl Unit {
    /// Whether a program starts in it.
    pub fn has_main(&self) -> bool {
        self.defines.contains("main")
    }
}

/// Looks at all files, in the order of the database; a file that is compiled twice counts once.
pub fn survey(
    entries: &[Entry],
    source: &Source,
    jobs: Option<usize>,
    interrupted: &AtomicBool,
) -> Vec<Unit> {
    let mut once: Vec<&Entry> = Vec::new();
    for entry in entries {
        if !once.iter().any(|known| known.file == entry.file) {
            once.push(entry);
        }
    }
    let results: Vec<Mutex<Unit>> = once.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(once.len()) {
            scope.spawn(|| {
                while let Some(entry) = once.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if interrupted.load(Ordering::Relaxed) {
                        break;
                    }
                    let unit = look_at(entry, source);
                    let slot =
                        once.iter().position(|e| std::ptr::eq(*e, *entry)).and_then(|i| results.get(i));
                    if let Some(Ok(mut slot)) = slot.map(Mutex::lock) {
                        *slot = unit;
                    }
                }
            });
        }
    });
    let mut units: Vec<Unit> = results.into_iter().filter_map(|unit| unit.into_inner().ok()).collect();
    for (unit, entry) in units.iter_mut().zip(&once) {
        if unit.file.as_os_str().is_empty() {
            unit.file.clone_from(&entry.file);
            unit.failure = Some("not looked at".into());
        }
    }
    units
}

fn look_at(entry: &Entry, source: &Source) -> Unit {
    let mut unit = Unit { file: entry.file.clone(), object: entry.output.clone(), ..Unit::default() };
    let loaded = match input::load_entry(entry, source) {
        Ok(loaded) => loaded,
        Err(error) => {
            unit.failure = Some(first_reason(&error.message));
            return unit;
        }
    };
    let (program, diagnostics) = heapwise_frontend::compile(&loaded.units, loaded.model);
    if let Some(error) = diagnostics.iter().find(|d| d.severity == Severity::Error) {
        let place = program.sources.describe(error.span);
        unit.failure = Some(format!("{place}: {} [{}]", error.message, error.code));
        return unit;
    }
    names(&program, &mut unit);
    unit
}

/// The first line of a message, and of what a preprocessor said the line with its first error.
fn first_reason(message: &str) -> String {
    let mut lines = message.lines();
    let first = lines.next().unwrap_or("it cannot be read");
    if !first.ends_with(':') {
        return first.to_owned();
    }
    let said: Vec<&str> = lines.map(str::trim).filter(|l| !l.is_empty()).collect();
    let error = said.iter().find(|l| l.contains("error")).or(said.first());
    format!("{first} {}", error.unwrap_or(&"it said nothing"))
}

/// Whether a text stands in a header of the system.
fn of_the_system(program: &Program, span: Span) -> bool {
    program.sources.location(span.lo).is_some_and(|l| l.file.starts_with("/usr/"))
}

fn names(program: &Program, unit: &mut Unit) {
    let mut mentioned = BTreeSet::new();
    let external = |g| program.globals.get(g).filter(|g| g.kind == GlobalKind::External);
    let operand = |op: &Operand, mentioned: &mut BTreeSet<String>| match op {
        Operand::Const(Const::Function { func, .. }) => {
            mentioned.extend(program.functions.get(*func).map(|f| f.name.to_string()));
        }
        Operand::Const(Const::Global { global, .. }) => {
            mentioned.extend(external(*global).map(|g| g.name.to_string()));
        }
        _ => {}
    };
    for (id, function) in program.functions.iter_enumerated() {
        // Functions that are inline only come from headers, and other files do not see them.
        if !matches!(function.body, FunctionBody::Declared) && !program.yielding.inline.contains(&id) {
            unit.functions += usize::from(!of_the_system(program, function.span));
            if !function.internal {
                unit.defines.insert(function.name.to_string());
                if !program.yielding.functions.contains(&id) {
                    unit.strong.insert(function.name.to_string());
                }
            }
        }
        let FunctionBody::Defined(body) = &function.body else { continue };
        for block in body.blocks.iter() {
            for statement in &block.statements {
                statement_operands(statement, &mut |op| operand(op, &mut mentioned));
                statement_places(statement, &mut |place, _| {
                    if let PlaceBase::Global(g) = place.base {
                        mentioned.extend(external(g).map(|g| g.name.to_string()));
                    }
                });
                if let StatementKind::Call(call) = &statement.kind
                    && let Callee::Direct(f) = call.callee
                {
                    mentioned.extend(program.functions.get(f).map(|f| f.name.to_string()));
                }
            }
            terminator_operand(&block.terminator).into_iter().for_each(|op| operand(op, &mut mentioned));
        }
    }
    for (id, global) in program.globals.iter_enumerated() {
        let GlobalInit::Data(pieces) = &global.init else { continue };
        if global.kind == GlobalKind::External {
            unit.defines.insert(global.name.to_string());
            if !program.yielding.globals.contains(&id) {
                unit.strong.insert(global.name.to_string());
            }
        }
        for piece in pieces {
            match &piece.value {
                InitValue::FunctionAddr(f) => {
                    mentioned.extend(program.functions.get(*f).map(|f| f.name.to_string()));
                }
                InitValue::GlobalAddr { global, .. } => {
                    mentioned.extend(external(*global).map(|g| g.name.to_string()));
                }
                InitValue::Bytes(_) => {}
            }
        }
    }
    unit.needs = mentioned.difference(&unit.defines).cloned().collect();
}
