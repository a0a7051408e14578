//! Functions, blocks and control flow of the translation.

use crate::blocks::{Access, Blocks, Elements};
use crate::interior::Interior;
use crate::numbers::Number;
use crate::place::{BodyFacts, FieldKey, Home, Ptr, Storage};
use crate::survey::{
    addressed_functions, addressed_globals, bounds, constants_may_be_written, initial_values,
    relevant_numbers, thresholds,
};
use crate::values::{Stored, Values};
use crate::{Options, Refusal};
use heapwise_ir::callgraph::CallGraph;
use heapwise_ir::cfg::Cfg;
use heapwise_ir::liveness::{Liveness, LocalSet};
use heapwise_ir::{
    BlockId, Body, Call, Callee, CompareOp, Const, FuncId, Function, FunctionBody, GlobalId, LocalId,
    Operand, Place, PlaceBase, Program, RecordId, Span, StatementKind, TerminatorKind, Ty, visit,
};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Kind, Property, Reason};
use heapwise_tvl::local_heap::Roles;
use heapwise_tvl::program as tvl;
use heapwise_tvl::program::{
    Condition, DataId, FieldId, FlagId, FlagValue, LocationId, MarkId, Property as Asserted, Statement, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A translated program.
#[derive(Clone, Debug, Default)]
pub struct Translated {
    /// The pointer program.
    pub program: tvl::Program,
    /// The source of every edge.
    pub spans: Vec<Span>,
    /// What could not be translated.
    pub refusals: Vec<Refusal>,
    /// Locations that must not be reached, with what it would be: an error, or the end of what is modelled.
    pub errors: Vec<(LocationId, Kind, Span)>,
    /// Where the functions are.
    pub functions: FxHashMap<FuncId, Code>,
    /// What variables are for at calls.
    pub roles: Roles,
    /// What edges do that is about numbers.
    pub(crate) effects: FxHashMap<usize, Effect>,
    /// The fields of which values are told apart.
    pub(crate) values: FxHashMap<DataId, Values>,
    /// The sizes of cells, if blocks are followed.
    pub(crate) sizes: Option<Values>,
    /// The fields of elements.
    pub(crate) elements: Vec<Elements>,
    /// The sizes of the elements that variables point to.
    pub(crate) widths: FxHashMap<VarId, u64>,
    /// What globals begin with that are numbers.
    pub(crate) initial: Vec<(GlobalId, i128)>,
    /// Globals whose address is taken.
    pub(crate) addressed: FxHashSet<GlobalId>,
    /// Where ranges of numbers may end when they are put together, in order.
    pub(crate) thresholds: Vec<i128>,
    /// Parameters whose numbers say where control goes or what is accessed.
    pub(crate) relevant: FxHashSet<(FuncId, LocalId)>,
    /// Functions that may call themselves.
    pub(crate) recursive: FxHashSet<FuncId>,
    /// The variables of temporaries, which hold nothing once they are not read any more.
    pub temporaries: FxHashMap<(FuncId, LocalId), VarId>,
}

/// What an edge does that is about numbers.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// Goes on only if a local is in a range.
    Within(LocalId, Interval),
    /// Reads whether a condition on pointers holds.
    Truth(Condition),
    /// A number of the cell that a variable points to is read: its values are told apart as far as its field does that.
    Load(VarId, DataId, Number),
    /// A number is written to the cell that a variable points to.
    Store(VarId, DataId, Stored),
    /// The cell that a variable points to has this size, a product of numbers.
    Size(VarId, Vec<Operand>),
    /// Goes on only if a block of this size, a product of numbers, may be one that there is memory for, or may not.
    Fits(Vec<Operand>, bool),
    /// A variable points further into its block: by an index times a number of bytes.
    Shift(VarId, Operand, i64),
    /// A variable points to the start of its block.
    ToStart(VarId),
    /// The element of this size that a variable points to is accessed.
    Element(VarId, u64, Access),
    /// As many bytes as an operand says, of elements of a size, are accessed from where a variable points.
    Stretch(VarId, u64, Operand, Access),
    /// Goes on only if pointers into a block, to elements of a size, may compare so; the result is read.
    Order { op: CompareOp, x: VarId, y: VarId, width: u64, holds: bool },
    /// The distance of two pointers into a block is read, in units of some bytes.
    Distance(VarId, VarId, i128),
    /// The cell that a variable points to is new, and has numbers as a structure of this kind, or as something else.
    Fresh(VarId, Option<RecordId>),
}

/// Where the code of a function is.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Where it is called: arguments are in the variables for arguments.
    pub entry: LocationId,
    /// Where its blocks start.
    pub starts: Vec<LocationId>,
    /// Where it returns to its caller.
    pub exit: LocationId,
    /// Where each statement starts and ends, if control comes past it.
    pub statements: FxHashMap<(BlockId, usize), (LocationId, Option<LocationId>)>,
    /// Where a call leaves to each function that it may lead to, and where it comes back.
    pub calls: FxHashMap<(BlockId, usize), (Ways, LocationId)>,
    /// Where terminators start.
    pub terminators: FxHashMap<BlockId, LocationId>,
}

/// A variable that is a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    /// What it is, unless it is code.
    pub(crate) ty: Option<Ty>,
    /// Whether it starts with zeros.
    pub(crate) zeroed: bool,
    /// Whether it must not be written.
    pub(crate) constant: bool,
}

impl Object {
    fn fresh(ty: Ty, constant: bool) -> Object {
        Object { ty: Some(ty), zeroed: false, constant }
    }
}

/// The functions that a call may lead to, and where it leaves to each.
pub type Ways = Vec<(FuncId, LocationId)>;

/// Locations beyond which a program is refused.
const MAX_LOCATIONS: usize = 20_000;
/// Spare variables for cutpoints.
const CUTPOINTS: u32 = 6;

/// What is known in a block about numbers: they are non-zero exactly when a condition on pointers holds.
pub(crate) type Conditions = FxHashMap<LocalId, Condition>;

pub(crate) struct Translator<'p> {
    pub(crate) source: &'p Program,
    pub(crate) options: Options,
    pub(crate) out: Translated,
    pub(crate) vars: FxHashMap<Home, VarId>,
    pub(crate) fields: FxHashMap<FieldKey, FieldId>,
    pub(crate) data: FxHashMap<(FieldKey, u8), DataId>,
    pub(crate) flags: FxHashMap<(FuncId, LocalId), FlagId>,
    pub(crate) addressed: FxHashSet<GlobalId>,
    /// Functions whose address is taken.
    targets: Vec<FuncId>,
    pub(crate) interior: Interior,
    pub(crate) blocks: Blocks,
    /// Where the values of fields are told apart.
    pub(crate) bounds: FxHashMap<FieldKey, Vec<i128>>,
    /// The marks of structures that have parts to which pointers lead.
    pub(crate) kinds: Vec<(RecordId, MarkId)>,
    /// The marks of types to which pointers of no type are converted.
    pub(crate) untyped: Vec<(Ty, MarkId)>,
    pub(crate) kind_flag: Option<FlagId>,
    /// The mark of cells that are constants, and the variable that a check of it goes through, if there are any to which
    /// pointers may lead.
    pub(crate) constants: Option<(MarkId, FlagId)>,
    /// Globals that are used, in the order they were met.
    pub(crate) globals: Vec<GlobalId>,
    /// Functions whose address is used: each is a cell of its own.
    pub(crate) functions: Vec<FuncId>,
    /// Values on their way through the present statement.
    pub(crate) scratch: Vec<VarId>,
    /// Functions that are called and not translated yet.
    pending: Vec<FuncId>,
    /// The statement under translation.
    point: (BlockId, usize),
    code: Code,
}

/// A function under translation.
pub(crate) struct Frame<'p> {
    pub(crate) func: FuncId,
    pub(crate) name: &'p str,
    pub(crate) is_main: bool,
    pub(crate) body: &'p Body,
    pub(crate) facts: BodyFacts,
    storages: Vec<Storage>,
    starts: Vec<LocationId>,
    liveness: Liveness,
}

impl Frame<'_> {
    /// Whether a local is declared `const`.
    fn is_constant(&self, local: LocalId) -> bool {
        self.body.locals.get(local).is_some_and(|l| l.constant)
    }

    pub(crate) fn storage(&self, local: LocalId) -> Storage {
        self.storages.get(local.0 as usize).copied().unwrap_or(Storage::Outside)
    }
}

/// Whether cells are told apart by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByValue {
    /// They are not.
    Never,
    /// By those that are compared with constants.
    Compared,
}

/// Translates a program.
pub fn translate(source: &Program, options: &Options, values: ByValue, blocks: Blocks) -> Translated {
    let interior = Interior::of(source, blocks);
    let mut t = Translator {
        source,
        options: *options,
        out: Translated::default(),
        vars: FxHashMap::default(),
        fields: FxHashMap::default(),
        data: FxHashMap::default(),
        flags: FxHashMap::default(),
        addressed: addressed_globals(source),
        targets: addressed_functions(source),
        bounds: match values {
            ByValue::Never => FxHashMap::default(),
            ByValue::Compared => bounds(source, &interior),
        },
        interior,
        blocks,
        kinds: Vec::new(),
        untyped: Vec::new(),
        kind_flag: None,
        constants: None,
        globals: Vec::new(),
        functions: Vec::new(),
        scratch: Vec::new(),
        pending: Vec::new(),
        point: (Body::ENTRY, 0),
        code: Code::default(),
    };
    let result = t.result_var();
    t.declare_kinds();
    t.declare_sizes();
    if constants_may_be_written(source, &t.addressed) || blocks == Blocks::Followed {
        t.constants = Some((t.out.program.mark("constant"), t.out.program.flag("constant")));
    }
    let entry = t.location();
    let begin = t.location();
    t.out.program.entry = entry.0;
    match source.function_named("main") {
        Some(main) => {
            t.function(main, begin, true);
            while let Some(func) = t.pending.pop() {
                if !t.out.functions.contains_key(&func) {
                    let entry = t.location();
                    t.function(func, entry, false);
                }
            }
        }
        None => t.refuse("there is no function `main`", Span::default()),
    }
    let mut at = entry;
    t.initialise_globals(&mut at);
    t.edge(at, Statement::Skip, begin, Span::default());
    // Programs without calls need no names for cutpoints.
    let calls = t.out.functions.len() > 1;
    for index in (0..CUTPOINTS).filter(|_| calls) {
        let v = t.var(Home::Cutpoint(index), format!("cutpoint{index}"));
        t.out.roles.names.push(v);
    }
    for (home, v) in &t.vars {
        match home {
            Home::Argument(_) => t.out.roles.handed.push(*v),
            Home::Global(_) | Home::GlobalAddress(_) | Home::Function(_) => t.out.roles.shared.push(*v),
            _ => {}
        }
    }
    t.out.addressed.clone_from(&t.addressed);
    t.out.thresholds = thresholds(source, blocks);
    t.out.relevant = relevant_numbers(source, &t.interior, &t.bounds);
    t.out.initial = initial_values(source, &t.addressed);
    let calls = CallGraph::new(source);
    t.out.recursive = source.functions.indices().filter(|f| calls.is_recursive(*f)).collect();
    t.out.roles.handed.sort();
    t.out.roles.shared.push(result);
    t.out.roles.shared.sort();
    t.out
}

impl<'p> Translator<'p> {
    pub(crate) fn refuse(&mut self, reason: impl Into<String>, span: Span) {
        let refusal = Refusal { reason: reason.into(), span };
        if !self.out.refusals.contains(&refusal) {
            self.out.refusals.push(refusal);
        }
    }

    pub(crate) fn location(&mut self) -> LocationId {
        let name = format!("l{}", self.out.program.locations.len());
        self.out.program.location(name)
    }

    pub(crate) fn edge(&mut self, from: LocationId, statement: Statement, to: LocationId, span: Span) {
        self.out.program.edge(from, statement, to);
        self.out.spans.push(span);
    }

    /// Adds a statement and moves on.
    pub(crate) fn step(&mut self, at: &mut LocationId, statement: Statement, span: Span) {
        let next = self.location();
        self.edge(*at, statement, next, span);
        *at = next;
    }

    /// The life of a variable that is a cell begins.
    pub(crate) fn variable_cell(
        &mut self,
        at: &mut LocationId,
        target: VarId,
        Object { ty, zeroed, constant }: Object,
        span: Span,
    ) {
        self.step(at, Statement::Local { target, zeroed }, span);
        self.mark_kind(at, target, ty, span);
        self.mark_constant(at, target, constant, span);
        self.mark_size_of(at, target, ty, span);
    }

    /// An edge with an effect.
    pub(crate) fn effect_edge(&mut self, from: LocationId, effect: Effect, to: LocationId, span: Span) {
        self.out.effects.insert(self.out.program.edges.len(), effect);
        self.edge(from, Statement::Skip, to, span);
    }

    /// Says of a new cell whether it is a constant.
    pub(crate) fn mark_constant(&mut self, at: &mut LocationId, x: VarId, constant: bool, span: Span) {
        if let Some((mark, _)) = self.constants {
            self.step(at, Statement::StoreMark(x, mark, FlagValue::Constant(constant)), span);
        }
    }

    /// Checks before a write through a pointer that it does not lead to a constant.
    pub(crate) fn check_writable(&mut self, at: &mut LocationId, x: VarId, place: &Place, span: Span) {
        // By its name a constant is written where it is initialised only.
        if matches!(place.base, PlaceBase::Deref(_)) {
            self.cell_is_writable(at, x, span);
        }
    }

    /// The cell that a variable points to must not be a constant.
    pub(crate) fn cell_is_writable(&mut self, at: &mut LocationId, x: VarId, span: Span) {
        let Some((mark, flag)) = self.constants else { return };
        self.step(at, Statement::LoadMark(flag, x, mark), span);
        let error = self.location();
        self.edge(*at, Statement::Assume(Condition::Flag(flag, true)), error, span);
        self.must_not_reach(error, ErrorKind::WriteToConstant, span);
        self.step(at, Statement::Assume(Condition::Flag(flag, false)), span);
    }

    /// A write to a global by its name: a constant is initialised before the program starts.
    pub(crate) fn check_global(&mut self, at: LocationId, place: &Place, span: Span) {
        if let PlaceBase::Global(g) = place.base
            && self.source.globals.get(g).is_some_and(|g| g.constant)
        {
            self.must_not_reach(at, ErrorKind::WriteToConstant, span);
        }
    }

    /// The program ends here: nothing may be allocated any more if that counts.
    pub(crate) fn program_ends(&mut self, at: &mut LocationId, span: Span) {
        if self.options.properties.has(Property::Cleanup) {
            self.step(at, Statement::Assert(Asserted::NothingAllocated), span);
        }
    }

    pub(crate) fn must_not_reach(&mut self, at: LocationId, kind: ErrorKind, span: Span) {
        self.out.errors.push((at, Kind::Error(kind), span));
    }

    /// Translates a function.
    fn function(&mut self, func: FuncId, entry: LocationId, is_main: bool) {
        let source = self.source;
        let Some(f) = source.functions.get(func) else { return };
        let FunctionBody::Defined(body) = &f.body else {
            return self.refuse(format!("`{}` is not defined", f.name), f.span);
        };
        if self.out.program.locations.len() > MAX_LOCATIONS {
            return self.refuse("the program is too large", f.span);
        }
        let cfg = Cfg::new(body);
        let facts = BodyFacts::of(source, body);
        let liveness = Liveness::new(body, &cfg);
        let storages = self.storages(func, body, &facts, &read_unset(body, &liveness));
        let frame = Frame {
            func,
            name: &f.name,
            is_main,
            body,
            facts,
            storages,
            starts: body.blocks.iter().map(|_| self.location()).collect(),
            liveness,
        };
        let exit = self.location();
        self.code = Code { entry, exit, starts: frame.starts.clone(), ..Code::default() };
        let mut at = entry;
        self.parameters(&frame, &mut at, f.span);
        if let Some(&start) = frame.starts.first() {
            self.edge(at, Statement::Skip, start, f.span);
        }
        for block in body.blocks.indices() {
            self.block(&frame, block);
        }
        for (id, _) in body.locals.iter_enumerated().filter(|(_, l)| l.name.is_none()) {
            if let Some(v) = self.local_var(&frame, id) {
                self.out.temporaries.insert((func, id), v);
            }
        }
        self.out.functions.insert(func, std::mem::take(&mut self.code));
    }

    /// The parameters of a function get what the variables for arguments hold.
    fn parameters(&mut self, frame: &Frame<'p>, at: &mut LocationId, span: Span) {
        let live = frame.liveness.at_start(frame.body, Body::ENTRY);
        for (id, local) in frame.body.locals.iter_enumerated() {
            let unset = matches!(frame.storage(id), Storage::Var | Storage::Data | Storage::Flag(_));
            if unset && live.contains(id) && !frame.body.params.contains(&id) {
                self.refuse("a variable may be used before it has a value", local.span);
            }
        }
        for (i, &param) in frame.body.params.iter().enumerate() {
            let Some(local) = frame.body.locals.get(param) else { continue };
            let (pointer, place) = (self.tracked(local.ty), Place::local(param, local.ty));
            if frame.is_main {
                if live.contains(param) && (pointer || self.opaque(place.ty)) {
                    self.refuse("`main` takes pointers", span);
                }
                continue;
            }
            if !self.source.types.is_scalar(local.ty) {
                // The caller made the object.
                if let Some(target) = self.address_var(frame, param) {
                    let argument = self.argument_var(i);
                    self.step(at, Statement::Move(target, argument), span);
                    self.mark_constant(at, target, frame.is_constant(param), span);
                }
                continue;
            }
            if let (Storage::Cell, Some(target)) = (frame.storage(param), self.address_var(frame, param)) {
                let object = Object::fresh(local.ty, frame.is_constant(param));
                self.variable_cell(at, target, object, span);
            }
            if pointer {
                let argument = self.argument_var(i);
                match self.place_var(frame, &place) {
                    Some(x) => self.step(at, Statement::Move(x, argument), span),
                    None => {
                        self.store_pointer(frame, at, &place, Ptr::Var(argument), span);
                        self.step(at, Statement::SetNull(argument), span);
                    }
                }
            } else {
                self.write_data(frame, at, &place, span);
            }
            self.drop_scratch(at, span);
        }
    }

    /// Translates a call of one of some functions, which have one type: a defined function, or those that a pointer may lead
    /// to. Hands over the arguments.
    pub(crate) fn defined_call(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        call: &'p Call,
        callees: &[FuncId],
        span: Span,
    ) {
        let mut handed = 0;
        for &func in callees {
            let Some(f) = self.source.functions.get(func) else { continue };
            let body = match &f.body {
                FunctionBody::Defined(body) => body,
                FunctionBody::NotAnalysed { reason, span } => {
                    self.refuse(format!("function `{}` is not analysed: {reason}", f.name), *span);
                    continue;
                }
                FunctionBody::Declared => {
                    self.refuse(format!("`{}` is not defined", f.name), span);
                    continue;
                }
            };
            if self.source.function_named("main") == Some(func) {
                self.refuse("`main` is called", span);
            }
            for (i, &param) in body.params.iter().enumerate() {
                let (Some(local), Some(arg)) = (body.locals.get(param), call.args.get(i)) else {
                    self.refuse("a call with too few arguments", span);
                    continue;
                };
                if self.storage_of(local.ty, local.address_taken) == Storage::Outside {
                    self.refuse(format!("parameter {} of `{}` is outside the model", i + 1, f.name), span);
                } else if i >= handed {
                    self.hand_over(frame, at, (i, arg, local.ty), span);
                    handed = i + 1;
                    self.drop_scratch(at, span);
                }
            }
            let nothing = |b: &heapwise_ir::Block| matches!(b.terminator.kind, TerminatorKind::Return(None));
            if call.dest.is_some() && body.blocks.iter().any(nothing) {
                self.refuse("a function returns no value where one is used", span);
            }
            self.pending.push(func);
        }
        if call.dest.as_ref().is_some_and(|dest| self.opaque(dest.ty)) {
            self.refuse("a function returns a pointer that the model does not follow", span);
        }
    }

    /// Hands over an argument.
    fn hand_over(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (index, arg, ty): (usize, &Operand, Ty),
        span: Span,
    ) {
        if self.tracked(ty) {
            if self.cast_fits(frame, at, (arg, ty), span)
                && let Some(value) = self.pointer_operand(frame, at, arg, span)
            {
                let argument = self.argument_var(index);
                self.copy(at, argument, value, span);
            }
        } else if self.source.types.is_scalar(ty) {
            self.data_operand(frame, at, arg, span);
        } else {
            let from = match arg {
                Operand::Local(l) => self.address_var(frame, *l),
                Operand::Const(_) => None,
            };
            let Some(from) = from else { return self.refuse("a structure is passed by value", span) };
            let argument = self.argument_var(index);
            self.variable_cell(at, argument, Object::fresh(ty, false), span);
            self.copy_object(at, (argument, from, ty), span);
        }
    }

    /// Control goes to the functions that are called and comes back.
    pub(crate) fn away(&mut self, at: &mut LocationId, ways: Ways) {
        let after = self.location();
        self.code.calls.insert(self.point, (ways, after));
        *at = after;
    }

    /// A call through a pointer: it is compared with the functions of its type whose address is taken.
    pub(crate) fn indirect_call(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (call, pointer): (&'p Call, &Operand),
        span: Span,
    ) -> Option<&'p Function> {
        let ty = self.source.operand_ty(frame.body, pointer).and_then(|ty| self.source.types.pointee(ty))?;
        let of_type = |f: &FuncId| self.source.functions.get(*f).is_some_and(|f| f.ty == ty);
        let callees: Vec<FuncId> = self.targets.iter().copied().filter(of_type).collect();
        let value = self.pointer_operand(frame, at, pointer, span)?;
        let callee = self.var(Home::Callee, "callee".to_string());
        self.copy(at, callee, value, span);
        self.drop_scratch(at, span);
        self.step(at, Statement::Touch(callee), span);
        self.defined_call(frame, at, call, &callees, span);
        let mut ways = Vec::new();
        for &func in &callees {
            let Some(function) = self.function_var(func, span) else { continue };
            let mut way = *at;
            self.step(&mut way, Statement::Assume(Condition::Equal(callee, function)), span);
            self.step(&mut way, Statement::SetNull(callee), span);
            ways.push((func, way));
            self.step(at, Statement::Assume(Condition::NotEqual(callee, function)), span);
        }
        self.out.errors.push((*at, Kind::Unknown(Reason::UnknownCall), span));
        self.away(at, ways);
        callees.first().and_then(|f| self.source.functions.get(*f))
    }

    /// Makes the variables for values on their way null again.
    pub(crate) fn drop_scratch(&mut self, at: &mut LocationId, span: Span) {
        for v in std::mem::take(&mut self.scratch) {
            self.step(at, Statement::SetNull(v), span);
        }
    }

    fn block(&mut self, frame: &Frame<'p>, block: BlockId) {
        let Some(code) = frame.body.blocks.get(block) else { return };
        let live = frame.liveness.in_block(frame.body, block);
        let Some(&start) = frame.starts.get(block.0 as usize) else { return };
        let mut at = start;
        let mut conditions = Conditions::default();
        // Dead variables that a condition of this block still speaks of: dropped after the branch.
        let mut deferred: Vec<Statement> = Vec::new();
        let mut zeroed = None;
        for (i, s) in code.statements.iter().enumerate() {
            let from = at;
            self.point = (block, i);
            self.code.statements.insert(self.point, (from, None));
            if let StatementKind::StorageLive(l) = s.kind {
                let unset = matches!(frame.storage(l), Storage::Var | Storage::Data | Storage::Flag(_));
                if unset && live.get(i + 1).is_some_and(|set| set.contains(l)) {
                    self.refuse("a variable may be used before it has a value", s.span);
                }
                zeroed = match code.statements.get(i + 1).map(|s| &s.kind) {
                    Some(StatementKind::Zero(place)) if place.as_local() == Some(l) => Some(l),
                    _ => None,
                };
            }
            if let Some(l) = overwritten(&s.kind) {
                let ends = matches!(s.kind, StatementKind::StorageDead(_));
                if self.overwrite(frame, l, ends, &mut conditions, &mut deferred) {
                    self.code.statements.insert((block, i), (from, Some(at)));
                    continue;
                }
            }
            if self.may_not_return(&s.kind) {
                // The program may end in there: what only temporaries hold is lost by then.
                for held in deferred.extract_if(.., |d| matches!(d, Statement::SetNull(_))) {
                    if let Statement::SetNull(v) = held {
                        conditions.retain(|_, c| !mentions(*c, v));
                    }
                    self.step(&mut at, held, s.span);
                }
            }
            self.check_types(s);
            if self.statement(frame, &mut at, &s.kind, s.span, &mut conditions, zeroed) {
                self.scratch.clear();
                return;
            }
            self.drop_scratch(&mut at, s.span);
            // Variables whose value is not needed any more.
            for local in frame.body.locals.indices() {
                let before = live.get(i).is_some_and(|set| set.contains(local)) || assigns(&s.kind, local);
                let after = live.get(i + 1).is_some_and(|set| set.contains(local));
                if before
                    && !after
                    && let Some(v) = self.local_var(frame, local)
                {
                    let unused = unused(frame, local, v);
                    if conditions.values().any(|c| mentions(*c, v)) {
                        deferred.push(unused);
                    } else {
                        self.step(&mut at, unused, s.span);
                    }
                }
            }
            self.code.statements.insert((block, i), (from, Some(at)));
        }
        self.code.terminators.insert(block, at);
        self.terminate(frame, code, at, &conditions, (live.last(), deferred));
    }

    /// What was known by the value of a local, and what was to be done about it, before it gets another. True if its
    /// life ends here and a condition still speaks of the value: then it is dropped after the branch.
    fn overwrite(
        &mut self,
        frame: &Frame<'p>,
        local: LocalId,
        ends: bool,
        conditions: &mut Conditions,
        deferred: &mut Vec<Statement>,
    ) -> bool {
        if let Storage::Flag(flag) = frame.storage(local) {
            conditions.retain(|_, c| !matches!(c, Condition::Flag(f, _) if *f == flag));
        }
        let Some(v) = self.local_var(frame, local) else { return false };
        deferred.retain(|d| !matches!(d, Statement::SetNull(x) | Statement::Forget(x) if *x == v));
        if ends && conditions.values().any(|c| mentions(*c, v)) {
            deferred.push(Statement::SetNull(v));
            return true;
        }
        conditions.retain(|_, c| !mentions(*c, v));
        false
    }

    /// Whether a statement is a call that may end the program.
    fn may_not_return(&self, kind: &StatementKind) -> bool {
        let StatementKind::Call(call) = kind else { return false };
        let Callee::Direct(f) = call.callee else { return true };
        let library = self.source.functions.get(f).and_then(|f| f.library);
        library.is_none_or(|l| l.effects().noreturn)
    }

    fn terminate(
        &mut self,
        frame: &Frame<'p>,
        code: &heapwise_ir::Block,
        mut at: LocationId,
        conditions: &Conditions,
        (ends, mut deferred): (Option<&LocalSet>, Vec<Statement>),
    ) {
        let span = code.terminator.span;
        match &code.terminator.kind {
            TerminatorKind::Goto(to) => self.jump(frame, at, None, *to, (ends, &deferred), span),
            TerminatorKind::Branch { cond, then, otherwise } => {
                let condition = match cond {
                    Operand::Local(l) => {
                        let pointer = frame.body.locals.get(*l).is_some_and(|l| self.tracked(l.ty));
                        if pointer {
                            match self.pointer_operand(frame, &mut at, cond, span) {
                                Some(Ptr::Var(v)) => Some(Condition::NotNull(v)),
                                _ => None,
                            }
                        } else {
                            self.data_operand(frame, &mut at, cond, span);
                            known(frame, cond, conditions)
                        }
                    }
                    Operand::Const(Const::Int { value, .. }) => {
                        let to = if *value != 0 { *then } else { *otherwise };
                        return self.jump(frame, at, None, to, (ends, &deferred), span);
                    }
                    Operand::Const(_) => None,
                };
                deferred.extend(std::mem::take(&mut self.scratch).into_iter().map(Statement::SetNull));
                self.jump(frame, at, condition, *then, (ends, &deferred), span);
                self.jump(frame, at, condition.map(negated), *otherwise, (ends, &deferred), span);
            }
            TerminatorKind::Switch { value, cases, default } => {
                self.data_operand(frame, &mut at, value, span);
                self.drop_scratch(&mut at, span);
                for case in cases {
                    self.jump(frame, at, None, case.target, (ends, &deferred), span);
                }
                self.jump(frame, at, None, *default, (ends, &deferred), span);
            }
            TerminatorKind::GotoAddress { .. } => self.refuse("computed goto", span),
            TerminatorKind::Unreachable => self.must_not_reach(at, ErrorKind::Unreachable, span),
            TerminatorKind::Return(value) => {
                for s in deferred {
                    self.step(&mut at, s, span);
                }
                self.leave(frame, at, value.as_ref(), span);
            }
        }
    }

    /// Returns from a function: its variables end.
    fn leave(&mut self, frame: &Frame<'p>, mut at: LocationId, value: Option<&Operand>, span: Span) {
        if let Some(value) = value {
            let ty = self.source.operand_ty(frame.body, value);
            let object = match value {
                Operand::Local(l) => self.address_var(frame, *l),
                Operand::Const(_) => None,
            };
            if ty.is_some_and(|ty| self.tracked(ty)) {
                self.refuse_bytes(frame, value, span);
                if let Some(value) = self.pointer_operand(frame, &mut at, value, span) {
                    let result = self.result_var();
                    self.copy(&mut at, result, value, span);
                }
            } else if let (Some(ty), Some(object)) =
                (ty.filter(|ty| !self.source.types.is_scalar(*ty)), object)
            {
                let result = self.result_var();
                self.variable_cell(&mut at, result, Object::fresh(ty, false), span);
                self.copy_object(&mut at, (result, object, ty), span);
            } else if !ty.is_some_and(|ty| self.opaque(ty)) {
                self.data_operand(frame, &mut at, value, span);
            }
        }
        self.drop_scratch(&mut at, span);
        for local in frame.body.locals.indices() {
            self.end_local(frame, &mut at, local, span);
        }
        if frame.is_main {
            self.program_ends(&mut at, span);
        }
        self.edge(at, Statement::Skip, self.code.exit, span);
    }

    fn end_local(&mut self, frame: &Frame<'p>, at: &mut LocationId, local: LocalId, span: Span) {
        match frame.storage(local) {
            Storage::Var => {
                if let Some(v) = self.local_var(frame, local) {
                    self.step(at, Statement::SetNull(v), span);
                }
            }
            Storage::Cell => {
                if let Some(v) = self.address_var(frame, local) {
                    self.step(at, Statement::End(v), span);
                    self.step(at, Statement::SetNull(v), span);
                }
            }
            Storage::Flag(flag) => {
                self.step(at, Statement::SetFlag(flag, FlagValue::Constant(false)), span);
            }
            Storage::Data | Storage::Outside => {}
        }
    }

    fn jump(
        &mut self,
        frame: &Frame<'p>,
        from: LocationId,
        condition: Option<Condition>,
        to: BlockId,
        (ends, deferred): (Option<&LocalSet>, &[Statement]),
        span: Span,
    ) {
        let Some(&target) = frame.starts.get(to.0 as usize) else { return };
        let mut at = from;
        if let Some(c) = condition {
            self.step(&mut at, Statement::Assume(c), span);
        }
        for &s in deferred {
            self.step(&mut at, s, span);
        }
        let needed = frame.liveness.at_start(frame.body, to);
        for local in frame.body.locals.indices() {
            if ends.is_some_and(|set| set.contains(local))
                && !needed.contains(local)
                && let Some(v) = self.local_var(frame, local)
            {
                self.step(&mut at, unused(frame, local, v), span);
            }
        }
        self.edge(at, Statement::Skip, target, span);
    }

    /// Refuses a global that is used with another type than it is defined with, which units can do behind each other's back.
    fn check_types(&mut self, statement: &heapwise_ir::Statement) {
        let mut alike = true;
        visit::statement_places(statement, &mut |place, _| alike &= self.is_as_defined(place));
        if !alike {
            self.refuse("a variable that is used with another type than it has", statement.span);
        }
    }

    /// A place gets the value zero.
    pub(crate) fn zero(&mut self, frame: &Frame<'p>, at: &mut LocationId, place: &Place, span: Span) {
        if self.tracked(place.ty) {
            self.store_pointer(frame, at, place, Ptr::Null, span);
        } else if self.source.types.is_scalar(place.ty) {
            self.write_number(frame, at, (place, Stored::Zero), span);
        } else {
            self.clear_object(frame, at, place, span);
        }
    }

    /// Translates a statement; true if control does not come past it.
    fn statement(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        kind: &'p StatementKind,
        span: Span,
        conditions: &mut Conditions,
        zeroed: Option<LocalId>,
    ) -> bool {
        if self.indexed_access(frame, at, kind, span, conditions) {
            return false;
        }
        match kind {
            StatementKind::Nop => {}
            StatementKind::StorageLive(l) => match self.address_var(frame, *l) {
                Some(target) => {
                    let ty = frame.body.locals.get(*l).map(|l| l.ty);
                    let object = Object { ty, zeroed: zeroed == Some(*l), constant: frame.is_constant(*l) };
                    self.variable_cell(at, target, object, span);
                }
                None => self.end_local(frame, at, *l, span),
            },
            StatementKind::StorageDead(l) => self.end_local(frame, at, *l, span),
            StatementKind::Zero(place) => {
                if let Some(l) = place.as_local() {
                    conditions.remove(&l);
                    if zeroed == Some(l) && frame.storage(l) == Storage::Cell {
                        return false;
                    }
                }
                self.zero(frame, at, place, span);
            }
            StatementKind::ScopeAlloc { .. } | StatementKind::ScopeFree(_) => {
                self.refuse("variable-length arrays are outside the three-valued memory model", span);
            }
            StatementKind::Assign { dest, value } => self.assign(frame, at, dest, value, span, conditions),
            StatementKind::Call(call) => return self.call(frame, at, call, span, conditions),
            StatementKind::Intrinsic { op, dest, args } => match op {
                heapwise_ir::Intrinsic::Unreachable => {
                    self.must_not_reach(*at, ErrorKind::Unreachable, span);
                    return true;
                }
                heapwise_ir::Intrinsic::Trap => {
                    self.program_ends(at, span);
                    return true;
                }
                heapwise_ir::Intrinsic::Clz | heapwise_ir::Intrinsic::Ctz
                    if self.options.properties.has(Property::Contract)
                        && !matches!(args[..], [Operand::Const(Const::Int { value: 1.., .. })]) =>
                {
                    self.refuse(
                        "a count of zero bits: numbers are outside the three-valued memory model",
                        span,
                    );
                }
                op if op.only_computes() && dest.as_ref().is_none_or(|d| !self.tracked(d.ty)) => {
                    args.iter().for_each(|a| self.data_operand(frame, at, a, span));
                    if let Some(d) = dest {
                        if let Some(l) = d.as_local() {
                            conditions.remove(&l);
                        }
                        self.write_data(frame, at, d, span);
                    }
                }
                _ => self.refuse("a compiler operation on memory", span),
            },
        }
        false
    }
}

/// The value of a variable is not used any more. A variable of the program still holds it until its scope ends; a
/// temporary, which no scope ends, does not.
fn unused(frame: &Frame<'_>, local: LocalId, v: VarId) -> Statement {
    match frame.body.locals.get(local).and_then(|l| l.name.as_deref()) {
        Some(_) => Statement::Forget(v),
        None => Statement::SetNull(v),
    }
}

/// What a number says about pointers or a Boolean variable.
pub(crate) fn known(frame: &Frame<'_>, operand: &Operand, conditions: &Conditions) -> Option<Condition> {
    let Operand::Local(l) = operand else { return None };
    match frame.storage(*l) {
        Storage::Flag(flag) => Some(Condition::Flag(flag, true)),
        _ => conditions.get(l).copied(),
    }
}

/// Variables that may be read before they have a value: whether they have one is told by the cells that they are.
fn read_unset(body: &Body, liveness: &Liveness) -> FxHashSet<LocalId> {
    let mut found = FxHashSet::default();
    for (id, block) in body.blocks.iter_enumerated() {
        let live = liveness.in_block(body, id);
        for (i, s) in block.statements.iter().enumerate() {
            if let StatementKind::StorageLive(l) = s.kind
                && live.get(i + 1).is_some_and(|set| set.contains(l))
            {
                found.insert(l);
            }
        }
    }
    found
}

/// The local that a statement gives a value or ends.
fn overwritten(kind: &StatementKind) -> Option<LocalId> {
    let dest = match kind {
        StatementKind::StorageLive(l) | StatementKind::StorageDead(l) => return Some(*l),
        StatementKind::Assign { dest, .. } | StatementKind::Zero(dest) => dest,
        StatementKind::Call(c) => c.dest.as_ref()?,
        StatementKind::Intrinsic { dest, .. } => dest.as_ref()?,
        _ => return None,
    };
    match dest.base {
        PlaceBase::Local(l) => Some(l),
        _ => None,
    }
}

fn assigns(kind: &StatementKind, local: LocalId) -> bool {
    !matches!(kind, StatementKind::StorageLive(_) | StatementKind::StorageDead(_))
        && overwritten(kind) == Some(local)
}

pub(crate) fn mentions(c: Condition, v: VarId) -> bool {
    match c {
        Condition::Null(x) | Condition::NotNull(x) => x == v,
        Condition::Equal(x, y) | Condition::NotEqual(x, y) => x == v || y == v,
        Condition::Flag(..) => false,
    }
}

pub(crate) fn negated(c: Condition) -> Condition {
    match c {
        Condition::Null(x) => Condition::NotNull(x),
        Condition::NotNull(x) => Condition::Null(x),
        Condition::Equal(x, y) => Condition::NotEqual(x, y),
        Condition::NotEqual(x, y) => Condition::Equal(x, y),
        Condition::Flag(b, value) => Condition::Flag(b, !value),
    }
}
