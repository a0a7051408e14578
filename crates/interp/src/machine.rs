//! The machine: its state, its start, its main loop, and how a run ends.

use crate::error::{BudgetKind, ErrorKind, ObjectHistory, Res, RunError, StackEntry, Stop, fault, stop};
use crate::frame::{Activation, Slot};
use crate::inputs::{Draw, InputKind, InputValue, Inputs, Placed, PlacedAt};
use crate::layout::{FrameLayout, Kind, TyInfo, info, type_infos};
use crate::library::LibraryState;
use crate::memory::Memory;
use crate::object::{Origin, RawScalar, mask};
use crate::observe::{Observer, View};
use crate::options::{LeakPolicy, Options, Surroundings};
use crate::value::{ObjectId, Value};
use crate::{Outcome, RunResult, Stats};
use heapwise_ir::visit::{statement_operands, statement_places, terminator_operand};
use heapwise_ir::{
    BlockId, Const, FuncId, GlobalId, GlobalInit, GlobalKind, InitValue, LocalId, Operand, PlaceBase,
    Program, Span, StatementKind, Ty, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Longest call stack that an error lists.
const LISTED_STACK: usize = 64;

/// Bytes that are allocated or copied in the time of a step.
const BYTES_PER_STEP: u64 = 64;
/// Longest text that is drawn.
const LONGEST_TEXT: usize = 1 << 16;
/// Bits of the number of arguments, without the name of the program, that is drawn.
const ARGUMENT_BITS: u16 = 6;

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: u64 = 1024;

pub(crate) struct Machine<'p, 'r> {
    pub program: &'p Program,
    pub options: &'r Options,
    inputs: &'r mut dyn Inputs,
    pub memory: Memory,
    pub infos: Vec<TyInfo>,
    layouts: Vec<Option<Rc<FrameLayout>>>,
    pub live: crate::leak::LiveLocals,
    pub frames: Vec<Activation<'p>>,
    pub slots: Vec<Slot>,
    /// First slot of the innermost frame with code.
    pub base: usize,
    /// Layout of the innermost frame with code.
    pub layout: Rc<FrameLayout>,
    pub globals: Vec<ObjectId>,
    /// Objects of functions whose address was asked for.
    pub functions: FxHashMap<FuncId, ObjectId>,
    labels: FxHashMap<(FuncId, BlockId), ObjectId>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub draws: Vec<Draw>,
    /// What became of values that were drawn by the library.
    pub placed: Vec<Placed>,
    pub steps: u64,
    /// What the objects with fixed addresses take.
    start_bytes: u64,
    /// Reads of indeterminate bits that were given a value.
    pub undefined_reads: Cell<u64>,
    pub lib: LibraryState,
    /// What the run did first that is not sure to be possible.
    guess: OnceCell<String>,
    /// Whether the result of the call that is executed goes anywhere.
    pub heeded: bool,
    /// Functions whose call is an error.
    pub error_functions: Vec<FuncId>,
    /// What was executed last, as far as it stands in the program's text.
    pub before: Span,
    /// What the function that the run started from has returned a pointer to; none of `main`, whose caller takes a number.
    pub given_back: Option<ObjectId>,
    /// Where a fault happened, if that is not where the run is now.
    pub blamed: Option<Span>,
    /// Loops that only count.
    pub laps: crate::laps::Laps,
    /// The blocks that were reachable when `main` was about to return, with nothing to be called after it.
    pub held: Option<FxHashSet<ObjectId>>,
    /// Type of `int`, for library models.
    pub word_mask: u64,
}

impl<'p, 'r> Machine<'p, 'r> {
    pub fn new(program: &'p Program, options: &'r Options, inputs: &'r mut dyn Inputs) -> Self {
        let error_functions = program
            .functions
            .iter_enumerated()
            .filter(|(_, f)| options.error_functions.iter().any(|e| **e == *f.name))
            .map(|(id, _)| id)
            .collect();
        Machine {
            program,
            options,
            inputs,
            memory: Memory::new(program.model, options.limits.memory),
            infos: type_infos(&program.types),
            layouts: vec![None; program.functions.len()],
            live: crate::leak::LiveLocals::default(),
            frames: Vec::new(),
            slots: Vec::new(),
            base: 0,
            layout: Rc::new(FrameLayout { locals: Vec::new(), size: 0, align: 1 }),
            globals: Vec::new(),
            functions: FxHashMap::default(),
            labels: FxHashMap::default(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            draws: Vec::new(),
            placed: Vec::new(),
            steps: 0,
            start_bytes: 0,
            undefined_reads: Cell::new(0),
            lib: LibraryState::default(),
            before: Span::default(),
            given_back: None,
            blamed: None,
            laps: crate::laps::Laps::default(),
            held: None,
            guess: OnceCell::new(),
            heeded: true,
            error_functions,
            word_mask: if program.model.pointer_size() == 4 { 0xffff_ffff } else { u64::MAX },
        }
    }

    /// Runs the program to its end.
    pub fn run(mut self, observer: Option<&mut dyn Observer>) -> RunResult {
        let outcome = match self.program.function_named(&self.options.entry) {
            Some(entry) if self.program.body(entry).is_some() => {
                let started = self.start(entry);
                self.start_bytes = self.memory.bytes();
                let ended = started.and_then(|()| self.main_loop(observer));
                self.outcome(ended)
            }
            _ => Outcome::NoMain,
        };
        let leaks = match outcome {
            Outcome::Exit(_) => self.leaks(),
            Outcome::Abort | Outcome::Budget(BudgetKind::Steps | BudgetKind::Time | BudgetKind::Inputs)
                if self.options.lost_when_stopped =>
            {
                self.leaks().into_iter().filter(|l| !l.reachable).collect()
            }
            _ => Vec::new(),
        };
        let outcome = self.judge_leaks(outcome, &leaks);
        RunResult {
            outcome,
            leaks: leaks.iter().map(|l| self.history(l.object)).collect(),
            stats: Stats {
                steps: self.steps,
                heap_allocations: self.memory.heap_allocations(),
                peak_memory: self.memory.peak_bytes(),
                bytes: self.memory.bytes(),
                undefined_reads: self.undefined_reads.get(),
            },
            stdout: self.stdout,
            stderr: self.stderr,
            draws: self.draws,
            guess: match self.guess.into_inner() {
                None if self.memory.made_up_read().get() => Some("a text or structure of the library".into()),
                guess => guess,
            },
        }
    }

    /// Notes that the run goes on with something that may not be possible, or not be exactly so.
    pub fn guess(&self, what: &str) {
        self.guess.get_or_init(|| what.to_owned());
    }

    fn judge_leaks(&self, outcome: Outcome, leaks: &[crate::leak::Leak]) -> Outcome {
        let (kind, leak) = match self.options.leaks {
            LeakPolicy::Ignore => return outcome,
            LeakPolicy::Reachable => {
                let lost = || leaks.iter().filter(|l| !l.reachable);
                match lost().find(|l| !self.was_held(l.object)) {
                    Some(leak) => (ErrorKind::LostBlock, Some(leak)),
                    None => (
                        ErrorKind::HeldAtReturn,
                        lost().next().filter(|_| self.options.held_at_return == Some(true)),
                    ),
                }
            }
            LeakPolicy::None if matches!(outcome, Outcome::Exit(_)) => (ErrorKind::Leak, leaks.first()),
            LeakPolicy::None => return outcome,
        };
        let Some(leak) = leak else { return outcome };
        let history = self.history(leak.object);
        let what = if kind == ErrorKind::HeldAtReturn {
            "is still held by a variable of `main` when it returns"
        } else if leak.reachable {
            "is never freed"
        } else {
            "is never freed, and no pointer to it is left"
        };
        let allocated = self.program.sources.quote(history.allocated);
        Outcome::Error(Box::new(RunError {
            kind,
            span: history.allocated,
            message: format!("{} allocated by `{}` {what}", history.description, shorten(&allocated)),
            object: Some(history),
            stack: Vec::new(),
        }))
    }

    fn outcome(&mut self, ended: Res<()>) -> Outcome {
        let Err(end) = ended else { return Outcome::Exit(0) };
        match *end {
            Stop::Exit(code) => Outcome::Exit(code & 0xff),
            Stop::Abort => Outcome::Abort,
            Stop::Budget(kind) => Outcome::Budget(kind),
            Stop::AssumeFailed => Outcome::AssumeFailed,
            Stop::Observer => Outcome::Observer,
            Stop::Fault { kind, object, detail } => {
                let span = self.blamed.take().unwrap_or_else(|| self.current_span());
                // What lost a block is the whole statement, of which the text may be a part.
                let lost = kind == ErrorKind::LostBlock && span != self.current_span();
                let text = shorten(&self.program.sources.quote(span));
                let message = if text.is_empty() || lost { detail } else { format!("{detail}: `{text}`") };
                Outcome::Error(Box::new(RunError {
                    kind,
                    span,
                    message,
                    object: object.filter(|o| self.memory.object(*o).is_some()).map(|o| self.history(o)),
                    stack: self.stack(),
                }))
            }
        }
    }

    /// The statement being executed by the innermost function with code.
    pub fn current_span(&self) -> Span {
        self.stack_iter().next().map(|(_, span)| span).unwrap_or_default()
    }

    fn stack_iter(&self) -> impl Iterator<Item = (FuncId, Span)> {
        self.frames.iter().rev().filter_map(|activation| {
            let Activation::Code(frame) = activation else { return None };
            let block = frame.body.blocks.get(frame.block)?;
            let span = block.statements.get(frame.statement).map_or(block.terminator.span, |s| s.span);
            Some((frame.func, span))
        })
    }

    fn stack(&self) -> Vec<StackEntry> {
        self.stack_iter()
            .take(LISTED_STACK)
            .map(|(function, span)| StackEntry { function, name: self.function_name(function), span })
            .collect()
    }

    pub fn function_name(&self, func: FuncId) -> Box<str> {
        self.program.functions.get(func).map(|f| f.name.clone()).unwrap_or_default()
    }

    /// What an error says of an object.
    pub fn history(&self, id: ObjectId) -> ObjectHistory {
        let Some(object) = self.memory.object(id) else {
            return ObjectHistory {
                description: "object".into(),
                size: 0,
                allocated: Span::default(),
                freed: None,
            };
        };
        let description = match object.origin {
            Origin::Local { function, local, .. } => {
                let body = self.program.body(function);
                let name = body.and_then(|b| b.locals.get(local)).and_then(|l| l.name.as_deref());
                let function = self.function_name(function);
                if body.is_some_and(|b| b.varargs == Some(local)) {
                    format!("variadic arguments of `{function}`")
                } else {
                    format!("local `{}` of `{function}`", name.unwrap_or("temporary"))
                }
            }
            Origin::Global(global) | Origin::Undefined(global) => match self.program.globals.get(global) {
                Some(g) if g.kind == GlobalKind::Literal => "literal".into(),
                Some(g) => format!("global `{}`", g.name),
                None => "global".into(),
            },
            Origin::Heap => format!("heap block of {} bytes", object.size),
            Origin::Alloca => format!("alloca block of {} bytes", object.size),
            Origin::ScopeAlloc(_) => format!("variable-length array of {} bytes", object.size),
            Origin::Function(f) => format!("function `{}`", self.function_name(f)),
            Origin::Label(..) => "label".into(),
            Origin::Library(name) => format!("library object `{name}`"),
            Origin::Stream(name) => format!("stream `{name}`"),
        };
        ObjectHistory { description, size: object.size, allocated: object.allocated, freed: object.freed }
    }

    pub fn info(&self, ty: Ty) -> TyInfo {
        info(&self.infos, ty)
    }

    pub fn layout_of(&mut self, func: FuncId, body: &heapwise_ir::Body) -> Rc<FrameLayout> {
        let i = func.0 as usize;
        if let Some(Some(layout)) = self.layouts.get(i) {
            return layout.clone();
        }
        let layout = Rc::new(FrameLayout::new(&self.infos, body));
        if let Some(entry) = self.layouts.get_mut(i) {
            *entry = Some(layout.clone());
        }
        layout
    }

    /// The address of an object, with its provenance.
    pub fn address_of(&self, id: ObjectId) -> Value {
        Value::pointer(self.memory.object(id).map_or(0, |o| o.base), Some(id))
    }

    pub fn label_address(&mut self, func: FuncId, block: BlockId) -> Res<Value> {
        let id = match self.labels.get(&(func, block)) {
            Some(&id) => id,
            None => {
                let id = self.memory.allocate_fixed(Origin::Label(func, block), 1, 1, Span::default())?;
                self.labels.insert((func, block), id);
                id
            }
        };
        Ok(self.address_of(id))
    }

    /// Draws an input and records it.
    pub fn draw(&mut self, source: &str, kind: InputKind) -> Res<InputValue> {
        let span = self.current_span();
        let drawn = if source == heapwise_ir::ORDER_OF_EVALUATION {
            Some(self.inputs.order(kind, span).unwrap_or(InputValue::Int(0)))
        } else {
            self.inputs.draw(kind, span)
        };
        let value = match drawn {
            Some(value) => value,
            None => return stop(Stop::Budget(BudgetKind::Inputs)),
        };
        let value = kind.convert(value);
        // The record of draws counts as memory, so that endless loops over inputs stay within bounds.
        let recorded = (self.draws.len() as u64).saturating_mul(size_of::<Draw>() as u64 * 2);
        if recorded > self.options.limits.memory {
            return stop(Stop::Budget(BudgetKind::Memory));
        }
        self.draws.push(Draw { span, source: source.into(), kind, value });
        Ok(value)
    }

    /// Draws a number of so many bits that is not negative, and says what becomes of it.
    pub fn draw_number(&mut self, source: &str, bits: u16, minus: i128, at: PlacedAt) -> Res<i128> {
        let draw = self.draws.len();
        let kind = InputKind::Int(heapwise_ir::IntTy { bits, signed: false });
        let InputValue::Int(value) = self.draw(source, kind)? else { return Ok(0) };
        self.placed.push(Placed { draw, minus, at });
        Ok(value - minus)
    }

    /// Draws which of two ways the library goes.
    pub fn draw_choice(&mut self, source: &str) -> Res<bool> {
        let draw = self.draws.len();
        let value = self.draw(source, InputKind::Bool)?;
        self.placed.push(Placed { draw, minus: 0, at: PlacedAt::Choice });
        Ok(value != InputValue::Int(0))
    }

    /// A text of the environment whose bytes are inputs, up to the first zero.
    pub fn drawn_text(&mut self, source: &'static str) -> Res<ObjectId> {
        let mut bytes = Vec::new();
        let first = self.draws.len();
        loop {
            let draw = self.draws.len();
            let kind = InputKind::Int(heapwise_ir::IntTy { bits: 8, signed: false });
            let InputValue::Int(byte) = self.draw(source, kind)? else { break };
            if byte == 0 || bytes.len() >= LONGEST_TEXT {
                self.placed.push(Placed { draw, minus: 0, at: PlacedAt::Choice });
                break;
            }
            bytes.push(byte as u8);
        }
        let id = self.library_string(source, &bytes)?;
        for i in 0..=bytes.len() {
            let at = PlacedAt::Memory(id, i as u64);
            self.placed.push(Placed { draw: first + i, minus: 0, at });
        }
        Ok(id)
    }

    fn start(&mut self, entry: FuncId) -> Res<()> {
        for (id, g) in self.program.globals.iter_enumerated() {
            let object = self.memory.allocate_fixed(Origin::Global(id), g.size, g.align, g.span)?;
            self.globals.push(object);
        }
        for (id, g) in self.program.globals.iter_enumerated() {
            match &g.init {
                GlobalInit::Data(pieces) => {
                    for piece in pieces {
                        self.write_piece(id, piece.offset, &piece.value)?;
                    }
                }
                GlobalInit::Unknown => self.unknown_global(id)?,
            }
            if let Some(object) = self.globals.get(id.0 as usize).and_then(|o| self.memory.object_mut(*o)) {
                object.writable = !g.constant;
            }
        }
        let args = self.main_arguments(entry)?;
        self.enter(entry, args)
    }

    /// The object that stands for a function.
    pub fn function_object(&mut self, function: FuncId) -> Res<ObjectId> {
        if let Some(id) = self.functions.get(&function) {
            return Ok(*id);
        }
        let span = self.program.functions.get(function).map_or_else(Span::default, |f| f.span);
        let id = self.memory.allocate_fixed(Origin::Function(function), 1, 16, span)?;
        self.functions.insert(function, id);
        Ok(id)
    }

    fn write_piece(&mut self, global: GlobalId, offset: u64, value: &InitValue) -> Res<()> {
        let Some(&id) = self.globals.get(global.0 as usize) else { return Ok(()) };
        let word = self.memory.word();
        let target = match value {
            InitValue::Bytes(bytes) => {
                let chunk = crate::value::Chunk { bytes: bytes.clone(), known: None, pointers: Vec::new() };
                let base = self.memory.object(id).map_or(0, |o| o.base);
                return self.memory.write_chunk(base.wrapping_add(offset), Some(id), &chunk);
            }
            InitValue::GlobalAddr { global, offset } => {
                self.globals.get(global.0 as usize).map(|o| (*o, *offset as u64))
            }
            InitValue::FunctionAddr(f) => Some((self.function_object(*f)?, 0)),
        };
        let Some((target, addend)) = target else {
            return fault(ErrorKind::Unsupported, "malformed initialiser");
        };
        let address = self.memory.object(target).map_or(0, |o| o.base).wrapping_add(addend) & self.word_mask;
        if let Some(object) = self.memory.object_mut(id)
            && offset.saturating_add(word) <= object.size
        {
            let scalar = RawScalar { bits: address.into(), known: mask(word), object: Some(target) };
            object.write_scalar(offset, word, scalar);
        }
        Ok(())
    }

    /// An object defined elsewhere: standard streams are opaque, and nothing is known of the rest.
    fn unknown_global(&mut self, global: GlobalId) -> Res<()> {
        let Some(g) = self.program.globals.get(global) else { return Ok(()) };
        let Some(&id) = self.globals.get(global.0 as usize) else { return Ok(()) };
        let ty = self.info(g.ty);
        let address = self.memory.object(id).map_or(0, |o| o.base);
        let stream = match &*g.name {
            "stdin" => Some(0),
            "stdout" => Some(1),
            "stderr" => Some(2),
            _ => None,
        };
        if let (Some(stream), Kind::Pointer) = (stream, ty.kind) {
            let value = self.stream(stream)?;
            return self.store(address, Some(id), ty, &value);
        }
        if matches!(&*g.name, "environ" | "__environ" | "_environ") && ty.kind == Kind::Pointer {
            if self.is_mentioned(global) {
                let environment = self.environment()?;
                let value = self.address_of(environment);
                return self.store(address, Some(id), ty, &value);
            }
            return Ok(());
        }
        // Whether a weak name is defined: both ways are real.
        if let Kind::Int(int) = ty.kind
            && g.kind != GlobalKind::External
            && self.is_mentioned(global)
        {
            let value = self.draw(&g.name, InputKind::Int(int))?;
            if let InputValue::Int(v) = value {
                return self.store(address, Some(id), ty, &Value::int(v));
            }
        }
        if let Some(object) = self.memory.object_mut(id) {
            object.origin = Origin::Undefined(global);
        }
        Ok(())
    }

    /// Whether any function or initialiser refers to a global.
    fn is_mentioned(&self, global: GlobalId) -> bool {
        let in_initialiser = self.program.globals.iter().any(|g| match &g.init {
            GlobalInit::Data(pieces) => pieces
                .iter()
                .any(|p| matches!(p.value, InitValue::GlobalAddr { global: other, .. } if other == global)),
            GlobalInit::Unknown => false,
        });
        in_initialiser
            || self.program.functions.indices().filter_map(|f| self.program.body(f)).any(|body| {
                let mut found = false;
                for statement in body.blocks.iter().flat_map(|b| &b.statements) {
                    statement_operands(statement, &mut |operand| found |= operand_mentions(operand, global));
                    statement_places(statement, &mut |place, _| {
                        found |= place.base == PlaceBase::Global(global);
                    });
                }
                let mut terminators = body.blocks.iter().filter_map(|b| terminator_operand(&b.terminator));
                found || terminators.any(|operand| operand_mentions(operand, global))
            })
    }

    fn main_arguments(&mut self, entry: FuncId) -> Res<Vec<crate::frame::Typed>> {
        let params: Vec<Ty> = match self.program.functions.get(entry).map(|f| self.program.types.get(f.ty)) {
            Some(Type::Function { params, .. }) => params.to_vec(),
            _ => Vec::new(),
        };
        let mut args = Vec::new();
        if params.is_empty() {
            return Ok(args);
        }
        let name = self.function_name(entry);
        if &*name != "main" {
            return self.any_arguments(&name, params);
        }
        let word = self.memory.word();
        let drawn = self.options.surroundings == Surroundings::Drawn;
        let count = match drawn {
            true => self.draw_number("argc", ARGUMENT_BITS, -1, PlacedAt::Parameter(0))? as u64,
            false => self.options.args.len() as u64,
        };
        let argv =
            self.memory.allocate_fixed(Origin::Library("argv"), (count + 1) * word, word, Span::default())?;
        for i in 0..count as usize {
            let string = match self.options.args.get(i) {
                Some(arg) if !drawn => self.library_string("argument", arg)?,
                _ => self.drawn_text("argument")?,
            };
            let base = self.memory.object(string).map_or(0, |o| o.base);
            if let Some(object) = self.memory.object_mut(argv) {
                let scalar = RawScalar { bits: base.into(), known: mask(word), object: Some(string) };
                object.write_scalar(i as u64 * word, word, scalar);
            }
        }
        let envp = self.environment()?;
        let values = [Value::int(count.into()), self.address_of(argv), self.address_of(envp)];
        for (value, ty) in values.into_iter().zip(params) {
            args.push(crate::frame::Typed { value, ty });
        }
        Ok(args)
    }

    /// The array of the variables of the environment.
    fn environment(&mut self) -> Res<ObjectId> {
        if let Some(id) = self.lib.environment {
            return Ok(id);
        }
        let word = self.memory.word();
        let mut texts = Vec::new();
        if self.options.surroundings == Surroundings::Drawn && self.draw_choice("environ")? {
            texts.push(self.drawn_text("environ")?);
        }
        let size = (texts.len() as u64 + 1) * word;
        let id = self.memory.allocate_fixed(Origin::Library("envp"), size, word, Span::default())?;
        for (i, text) in texts.into_iter().enumerate() {
            let base = self.memory.object(text).map_or(0, |o| o.base);
            if let Some(object) = self.memory.object_mut(id) {
                let scalar = RawScalar { bits: base.into(), known: mask(word), object: Some(text) };
                object.write_scalar(i as u64 * word, word, scalar);
            }
        }
        self.lib.environment = Some(id);
        Ok(id)
    }

    /// The parameters of a function that the environment does not call in a run of the program: they are inputs.
    fn any_arguments(&mut self, name: &str, params: Vec<Ty>) -> Res<Vec<crate::frame::Typed>> {
        let mut args = Vec::new();
        for ty in params {
            let kind = match self.info(ty).kind {
                Kind::Bool => InputKind::Bool,
                Kind::Int(int) => InputKind::Int(int),
                Kind::Float(_) => InputKind::Float,
                Kind::Pointer => InputKind::Pointer,
                Kind::Void | Kind::Aggregate | Kind::Function => {
                    return fault(
                        ErrorKind::Unsupported,
                        format!("`{name}` has a parameter that is no scalar"),
                    );
                }
            };
            let value = match self.draw(name, kind)? {
                InputValue::Int(v) => Value::int(v),
                InputValue::Float(v) => Value::Float(v),
            };
            args.push(crate::frame::Typed { value, ty });
        }
        Ok(args)
    }

    fn main_loop(&mut self, mut observer: Option<&mut dyn Observer>) -> Res<()> {
        loop {
            let (body, block, start) = match self.frames.last() {
                Some(Activation::Code(frame)) => (frame.body, frame.block, frame.statement),
                Some(Activation::Native(_)) => {
                    self.step_native()?;
                    continue;
                }
                None => return Ok(()),
            };
            let at_block = block;
            if start == 0 && self.laps.is_due(self.steps) {
                let mut may_skip = |machine: &Self, locals: &[LocalId]| match &mut observer {
                    Some(observer) => observer.may_skip(&View { machine }, locals),
                    None => true,
                };
                self.look_at_laps(block, &mut may_skip);
            }
            let Some(block) = body.blocks.get(block) else {
                return fault(ErrorKind::Unsupported, "malformed control flow");
            };
            let mut at = start;
            loop {
                // Also where a run stops here: which temporaries count depends on it.
                if let Some(Activation::Code(frame)) = self.frames.last_mut() {
                    frame.statement = at;
                }
                // What is allocated and copied takes time as well.
                let moved = self.memory.bytes().saturating_sub(self.start_bytes) / BYTES_PER_STEP;
                if self.steps.saturating_add(moved) >= self.options.limits.steps {
                    return stop(Stop::Budget(BudgetKind::Steps));
                }
                self.steps += 1;
                if self.steps.is_multiple_of(STEPS_PER_LOOK) && self.options.is_over() {
                    return stop(Stop::Budget(BudgetKind::Time));
                }
                if let Some(observer) = &mut observer
                    && observer.at_statement(&View { machine: self }).is_break()
                {
                    return stop(Stop::Observer);
                }
                if let Some(interval) = self.options.lost_block_interval
                    && self.steps.is_multiple_of(interval.max(1))
                {
                    self.check_lost_blocks()?;
                }
                if self.held.is_none()
                    && self.options.held_at_return.is_some()
                    && self.lib.atexit.is_empty()
                    && self.frames.len() == 1
                    && self.leaves_main(body, at_block, at)
                {
                    self.held = Some(self.reachable_blocks());
                }
                let span = block.statements.get(at).map_or(block.terminator.span, |s| s.span);
                if span != Span::default() {
                    self.before = span;
                }
                let Some(statement) = block.statements.get(at) else {
                    self.terminator(&block.terminator)?;
                    break;
                };
                at += 1;
                if !self.statement(statement)? {
                    break;
                }
            }
        }
    }

    /// Hands the value of a finished call to its caller.
    pub fn deliver(&mut self, value: Value) -> Res<()> {
        let dest = match self.frames.last_mut() {
            None => {
                if let (Value::Int { object, .. }, true) = (&value, self.options.entry != "main") {
                    self.given_back = *object;
                }
                let code = match value {
                    Value::Int { bits, .. } => bits as i32,
                    _ if self.options.uninitialised == crate::Policy::Ignore => 0,
                    _ => {
                        self.blamed = Some(self.before);
                        return self.undefined("the exit status");
                    }
                };
                return self.finish(code);
            }
            Some(Activation::Native(native)) => {
                native.returned = Some(value);
                return Ok(());
            }
            Some(Activation::Code(frame)) => {
                let (body, statement): (&'p heapwise_ir::Body, usize) = (frame.body, frame.statement);
                body.blocks.get(frame.block).and_then(|b| b.statements.get(statement))
            }
        };
        self.before = dest.map_or(self.before, |s| s.span);
        if let Some(StatementKind::Call(call)) = dest.map(|s| &s.kind)
            && let Some(place) = &call.dest
        {
            self.assign(place, value)?;
        }
        if let Some(Activation::Code(frame)) = self.frames.last_mut() {
            frame.statement += 1;
        }
        Ok(())
    }

    /// A fault, or 0 if such are ignored.
    pub fn undefined<T>(&self, what: &str) -> Res<T> {
        fault(ErrorKind::Uninitialised, format!("{what} is uninitialised"))
    }

    /// The object of a local that lives in memory; its life begins now if it has not yet.
    pub fn local_object(&mut self, local: LocalId) -> Res<ObjectId> {
        match self.slots.get(self.base + local.0 as usize) {
            Some(Slot::Object(id)) => Ok(*id),
            _ => self.begin_local(local),
        }
    }
}

fn operand_mentions(operand: &Operand, global: GlobalId) -> bool {
    matches!(operand, Operand::Const(Const::Global { global: other, .. }) if *other == global)
}

/// The first line of a piece of program text, cut to a readable length.
pub(crate) fn shorten(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 100 { line } else { line.chars().take(97).chain("...".chars()).collect() }
}
