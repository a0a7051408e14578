//! Errors of open code that do not depend on who calls.
//!
//! Where the search for a contract ends with an error, small programs are made that call the function from memories of the start
//! that came furthest ([`heapwise_engine::abduction::example`]), and are checked as any program is. An error counts if a run
//! has shown it at the place where the search met it, and if it is the function's own: a block that the function itself has freed
//! or allocated, or a null pointer although it was given none. What a caller could be blamed for is not reported, nor what depends on variables that
//! other calls may have changed before.

use super::check::{drawn, explain};
use heapwise_engine::abduction::example::Subject;
use heapwise_engine::abduction::{Found, Inferred};
use heapwise_engine::shapes::declare::{ShapeFile, declare};
use heapwise_engine::{Hunt, Options, Verdict, check};
use heapwise_frontend::SourceUnit;
use heapwise_hunt::Confirmed;
use heapwise_ir::visit::{Access, statement_operands, statement_places};
use heapwise_ir::{
    CallGraph, Const, DataModel, FunctionBody, GlobalId, GlobalKind, Operand, PlaceBase, Program, Severity,
    Span, Type,
};
use heapwise_property::{Alarm, ErrorKind, Kind};
use heapwise_report::Finding;
use heapwise_report::path::Replay;
use std::time::Duration;

/// The name of the file that examples stand in.
const EXAMPLE: &str = "example";
/// Memories that are tried, and the time for each.
const EXAMPLES: u64 = 6;
const TIME: Duration = Duration::from_secs(2);

/// The text of a library.
pub struct Library<'a> {
    pub units: &'a [SourceUnit],
    pub model: DataModel,
    pub program: &'a Program,
    pub settings: &'a Options,
}

impl Library<'_> {
    /// The errors of a function that happen whoever calls it.
    pub fn errors(&self, f: &Inferred) -> Vec<Finding> {
        let is_own = |kind: Kind| {
            use ErrorKind as E;
            let own = [
                E::UseAfterFree,
                E::UseAfterScope,
                E::DoubleFree,
                E::InvalidFree,
                E::Leak,
                E::NullDeref,
                E::OutOfBounds,
                E::Uninitialised,
            ];
            own.iter().any(|e| kind == *e)
        };
        if !f.contracts.is_empty() || !f.alarms.iter().any(|a| is_own(a.kind)) {
            return Vec::new();
        }
        let start = Found {
            requires: f.from.clone(),
            ensures: Vec::new(),
            may_exit: false,
            predicates: f.from_predicates.clone(),
        };
        let file = ShapeFile { name: String::new(), text: start.predicates.join("\n"), at_calls: false };
        let Ok(declarations) = declare(self.program, &[file]) else { return Vec::new() };
        let subject = Subject {
            program: self.program,
            declarations: &declarations,
            function: f.function,
            params: &f.params,
        };
        for seed in 1..=EXAMPLES {
            let Some(example) = subject.example(&start, false, seed) else { continue };
            let Some(closed) = self.closed(f, &example.main) else { continue };
            let settings = Options { timeout: Some(TIME), ..self.settings.clone() };
            let (verdict, _) = check(&closed, &settings, &Hunt::default());
            if let Verdict::Error(confirmed) = verdict
                && self.is_functions_own(&closed, f, &confirmed, example.has_null)
            {
                let inputs = drawn(&confirmed);
                let mut finding = explain(&confirmed, &inputs);
                let replay = Replay {
                    program: &closed,
                    confirmed: &confirmed,
                    properties: settings.properties,
                    entry: "main",
                };
                finding.path = replay.notes();
                self.without_example(&closed, &mut finding);
                return vec![finding];
            }
        }
        Vec::new()
    }

    /// The finding as it concerns the library: the example stands for any caller.
    fn without_example(&self, closed: &Program, finding: &mut Finding) {
        let in_example = |span: Span| is_in_example(closed, span);
        finding.stack.retain(|frame| !in_example(frame.span));
        finding.path.retain(|note| !note.span.is_some_and(in_example));
        for note in &mut finding.notes {
            if note.span.is_some_and(in_example) {
                note.message = note.message.replace("allocated here", "given by the caller");
                note.span = None;
            }
        }
        // The inputs are those of the example too.
        finding.notes.retain(|note| !note.message.starts_with("on inputs"));
        finding.certainty =
            Some("certain: a run that does this was executed, from a memory that a caller may pass".into());
    }

    /// The library with a `main` in the unit that the function is defined in.
    fn closed(&self, f: &Inferred, main: &str) -> Option<Program> {
        (0..self.units.len()).find_map(|k| {
            let mut units = self.units.to_vec();
            let unit = units.get_mut(k)?;
            unit.text = format!("{}\n# 1 \"{EXAMPLE}\"\n{main}", unit.text).into();
            let (program, diagnostics) = heapwise_frontend::compile_here(&units, self.model);
            let defined = |name: &str| {
                let found = program.function_named(name).and_then(|f| program.functions.get(f));
                found.is_some_and(|f| matches!(f.body, FunctionBody::Defined(_)))
            };
            let well = diagnostics.iter().all(|d| d.severity < Severity::Error);
            // Places must mean the same in both programs.
            let same = program.sources.describe(f.span) == self.program.sources.describe(f.span);
            (well && same && defined(&f.name) && defined("main")).then_some(program)
        })
    }

    /// Whether no parameter of a function is a number.
    fn takes_no_numbers(&self, f: &Inferred) -> bool {
        let ty = self.program.functions.get(f.function).map(|f| self.program.types.get(f.ty));
        let Some(Type::Function { params, .. }) = ty else { return false };
        params.iter().all(|p| matches!(self.program.types.get(*p), Type::Pointer(_)))
    }

    /// Whether a function, or one that it calls, reads variables that are not constant: what they hold is what calls before have left.
    fn depends_on_state(&self, f: &Inferred) -> bool {
        let calls = CallGraph::new(self.program);
        let varies = |g: GlobalId| {
            let global = self.program.globals.get(g);
            global.is_some_and(|g| !g.constant && g.kind != GlobalKind::Literal)
        };
        let mut found = false;
        for function in calls.reachable_from(f.function).iter() {
            let blocks = self.program.body(function).into_iter().flat_map(|b| b.blocks.iter());
            for statement in blocks.flat_map(|b| &b.statements) {
                statement_operands(statement, &mut |operand| {
                    found |=
                        matches!(operand, Operand::Const(Const::Global { global, .. }) if varies(*global));
                });
                statement_places(statement, &mut |place, access| {
                    let read = access != Access::Write;
                    found |= matches!(place.base, PlaceBase::Global(g) if read && varies(g));
                });
            }
        }
        found
    }

    fn is_functions_own(
        &self,
        closed: &Program,
        f: &Inferred,
        confirmed: &Confirmed,
        has_null: bool,
    ) -> bool {
        let error = &confirmed.error;
        let in_example = |span: Span| is_in_example(closed, span);
        let own_object = error.object.as_ref().is_some_and(|o| !in_example(o.allocated));
        let met = |is: &dyn Fn(Kind) -> bool| f.alarms.iter().any(|a| is(a.kind));
        match error.kind {
            // Told when the block is lost, or when the program ends.
            ErrorKind::Leak | ErrorKind::LostBlock => {
                let lost = confirmed.run.leaks.first().or(error.object.as_ref());
                met(&|k| k == ErrorKind::Leak) && lost.is_some_and(|o| !in_example(o.allocated))
            }
            kind if in_example(error.span)
                || !f.alarms.iter().any(|a| a.kind == kind && a.span == error.span) =>
            {
                false
            }
            ErrorKind::UseAfterFree | ErrorKind::DoubleFree | ErrorKind::UseAfterScope => {
                error.object.as_ref().and_then(|o| o.freed).is_some_and(|freed| !in_example(freed))
            }
            ErrorKind::NullDeref => !has_null && !self.depends_on_state(f),
            // What it reads can only be its own where it was given nothing.
            ErrorKind::Uninitialised => (own_object || f.from.is_empty()) && !self.depends_on_state(f),
            ErrorKind::InvalidFree => own_object && !self.depends_on_state(f),
            // How large its own blocks are, and where in them it writes, may be what it was told; not where all that
            // it may be told leads outside.
            ErrorKind::OutOfBounds => {
                let certain = |a: &Alarm| a.definite && a.kind == error.kind && a.span == error.span;
                let told_nothing = f.from.is_empty() && self.takes_no_numbers(f);
                own_object && !self.depends_on_state(f) && (told_nothing || f.alarms.iter().any(certain))
            }
            _ => false,
        }
    }
}

fn is_in_example(closed: &Program, span: Span) -> bool {
    closed.sources.location(span.lo).is_some_and(|l| l.file.to_string() == EXAMPLE)
}
