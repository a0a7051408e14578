//! Errors of open code that do not depend on who calls.
//!
//! Where the search for a contract ends with an error, small programs are made that call the function from memories of the start
//! that came furthest ([`heapwise_engine::abduction::example`]), and are checked as any program is. An error counts if a run
//! has shown it at the place where the search met it, and if it is the function's own: a block that the function itself has freed
//! or allocated, or a null pointer although it was given none. What a caller could be blamed for is not reported, nor what depends on variables that
//! other calls may have changed before.

use super::check::{drawn, explain};
use heapwise_engine::abduction::example::{Example, Subject};
use heapwise_engine::abduction::{Found, Inferred};
use heapwise_engine::shapes::declare::{ShapeFile, declare};
use heapwise_engine::{Hunt, Options, Verdict, check};
use heapwise_frontend::SourceUnit;
use heapwise_hunt::Confirmed;
use heapwise_ir::visit::{Access, statement_operands, statement_places};
use heapwise_ir::{
    CallGraph, Const, DataModel, FuncId, Function, FunctionBody, GlobalId, GlobalKind, IndexVec, Operand,
    PlaceBase, Program, Severity, Span, Type,
};
use heapwise_property::{Alarm, ErrorKind, Kind};
use heapwise_report::Finding;
use heapwise_report::path::Replay;
use std::time::Duration;

/// What every example begins with.
const STATICS: &str = heapwise_engine::abduction::example::STATICS;
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

/// A function that may have an error of its own, and programs that call it.
struct Suspect<'f> {
    function: &'f Inferred,
    examples: Vec<Example>,
}

/// A library with examples behind it. One of them at a time is its `main`, and has what it calls beside it, so that looking at it does
/// not cost what the whole library costs.
struct Extended {
    program: Program,
    calls: CallGraph,
    /// The bodies of functions, while they are not in the program.
    bodies: IndexVec<FuncId, FunctionBody>,
}

impl Library<'_> {
    /// The errors of each function that happen whoever calls it.
    pub fn errors(&self, all: &[Inferred]) -> Vec<Vec<Finding>> {
        let suspects: Vec<Option<Suspect<'_>>> = all.iter().map(|f| self.suspect(f)).collect();
        let mut extended = self.extended(suspects.iter().flatten());
        let mut serial = 0;
        let mut findings = Vec::new();
        for suspect in &suspects {
            let mut found = Vec::new();
            for example in suspect.iter().flat_map(|s| &s.examples) {
                let Some(Suspect { function, .. }) = suspect else { break };
                let name = numbered(serial);
                serial += 1;
                if found.is_empty() {
                    found.extend(match &mut extended {
                        Some(extended) => {
                            extended.with_main(&name, |closed| self.error_in(closed, function, example))
                        }
                        None => self
                            .closed(function, &example.main)
                            .and_then(|closed| self.error_in(&closed, function, example)),
                    });
                }
            }
            findings.push(found);
        }
        findings
    }

    /// Examples of calls of a function, if the search for its contract has met what may be an error of its own.
    fn suspect<'f>(&self, f: &'f Inferred) -> Option<Suspect<'f>> {
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
            return None;
        }
        let start = Found {
            requires: f.from.clone(),
            ensures: Vec::new(),
            may_exit: false,
            predicates: f.from_predicates.clone(),
        };
        let file = ShapeFile { name: String::new(), text: start.predicates.join("\n"), at_calls: false };
        let declarations = declare(self.program, &[file]).ok()?;
        let subject = Subject {
            program: self.program,
            declarations: &declarations,
            function: f.function,
            params: &f.params,
        };
        let examples = (1..=EXAMPLES).filter_map(|seed| subject.example(&start, false, seed)).collect();
        Some(Suspect { function: f, examples })
    }

    /// The error that a run of an example shows, if it is the function's own.
    fn error_in(&self, closed: &Program, f: &Inferred, example: &Example) -> Option<Finding> {
        let settings = Options { timeout: Some(TIME), ..self.settings.clone() };
        let (verdict, _) = check(closed, &settings, &Hunt::default());
        let Verdict::Error(confirmed) = verdict else { return None };
        if !self.is_functions_own(closed, f, &confirmed, example.has_null) {
            return None;
        }
        let mut finding = explain(&confirmed, &drawn(&confirmed));
        let replay = Replay { program: closed, confirmed: &confirmed };
        finding.path = replay.notes();
        self.without_example(closed, &mut finding);
        Some(finding)
    }

    /// The library with all examples behind it, each under a name of its own, so that its text is read once. Of several units it is not
    /// known here which defines a function.
    fn extended<'f>(&self, suspects: impl Iterator<Item = &'f Suspect<'f>>) -> Option<Extended> {
        let [unit] = self.units else { return None };
        if self.program.function_named("main").is_some() {
            return None;
        }
        let mut text = format!("{}\n# 1 \"{EXAMPLE}\"\n", unit.text);
        let functions: Vec<&Suspect<'_>> = suspects.collect();
        for (serial, example) in functions.iter().flat_map(|s| &s.examples).enumerate() {
            let main = example.main.replace("int main(void)", &format!("int {}(void)", numbered(serial)));
            // What examples have beside them is the same for all.
            let own = main.find(STATICS).filter(|_| serial > 0);
            let main = own.map_or(main.clone(), |at| {
                format!(
                    "{}{}",
                    main.get(..at).unwrap_or_default(),
                    main.get(at + STATICS.len()..).unwrap_or_default()
                )
            });
            text.push_str(&main);
        }
        let units = [SourceUnit { name: unit.name.clone(), text: text.into() }];
        let (program, diagnostics) = heapwise_frontend::compile_here(&units, self.model);
        let well = diagnostics.iter().all(|d| d.severity < Severity::Error);
        let same = |s: &&Suspect<'_>| {
            let span = s.function.span;
            program.sources.describe(span) == self.program.sources.describe(span)
        };
        (well && functions.iter().all(same)).then(|| Extended::new(program))
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

/// What the `main` of an example is called until it is its turn.
fn numbered(serial: usize) -> String {
    format!("heapwise_main_{serial}")
}

impl Extended {
    fn new(mut program: Program) -> Extended {
        let calls = CallGraph::new(&program);
        let take = |f: &mut Function| std::mem::replace(&mut f.body, FunctionBody::Declared);
        let bodies = program.functions.iter_mut().map(take).collect();
        Extended { program, calls, bodies }
    }

    /// Looks at the program that begins with one of the examples.
    fn with_main<T>(&mut self, name: &str, look: impl FnOnce(&Program) -> Option<T>) -> Option<T> {
        let id = self.program.function_named(name)?;
        let reached: Vec<FuncId> = self.calls.reachable_from(id).iter().collect();
        self.swap_bodies(&reached);
        self.rename(id, "main");
        let found = look(&self.program);
        self.rename(id, name);
        self.swap_bodies(&reached);
        found
    }

    fn rename(&mut self, function: FuncId, name: &str) {
        if let Some(f) = self.program.functions.get_mut(function) {
            f.name = name.into();
        }
    }

    fn swap_bodies(&mut self, functions: &[FuncId]) {
        for f in functions {
            if let (Some(function), Some(body)) =
                (self.program.functions.get_mut(*f), self.bodies.get_mut(*f))
            {
                std::mem::swap(&mut function.body, body);
            }
        }
    }
}

fn is_in_example(closed: &Program, span: Span) -> bool {
    closed.sources.location(span.lo).is_some_and(|l| l.file.to_string() == EXAMPLE)
}
