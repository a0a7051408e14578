//! C programs for the three-valued engine: translation of the IR into pointer programs, and verdicts.
//!
//! The memory model of [`heapwise_tvl::program`] has cells with pointer fields and nothing below: no
//! addresses of variables or fields, no arrays, no pointer arithmetic, no unions, no recursion. Calls of
//! defined functions are inlined. Integers are not modelled: a branch on one goes both ways. Whatever does
//! not fit becomes a [`Refusal`]; a program with refusals is never called proved.

use heapwise_ir::cfg::Cfg;
use heapwise_ir::liveness::Liveness;
use heapwise_ir::{
    BinaryOp, BlockId, Body, Call, Callee, CastKind, CompareOp, Const, FuncId, FunctionBody, GlobalId,
    GlobalInit, InitValue, LocalId, Operand, Place, PlaceBase, Program, Projection, RecordId, RecordKind,
    Rvalue, Span, StatementKind, TerminatorKind, Ty, Type,
};
use heapwise_tvl::domain::Embedding;
use heapwise_tvl::program as tvl;
use heapwise_tvl::program::{Condition, DataId, FieldId, LocationId, Statement, VarId};
use heapwise_tvl::solver::{Counts, Stop, counts};
use heapwise_tvl::specialised;
use heapwise_tvl::transfer::FindingKind;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Something the memory model cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// One sentence.
    pub reason: String,
    /// Where.
    pub span: Span,
}

/// Something that may go wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TvlAlarm {
    /// A stable short name, such as `null-dereference`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct TvlReport {
    /// What does not fit the model.
    pub refusals: Vec<Refusal>,
    /// What may go wrong.
    pub alarms: Vec<TvlAlarm>,
    /// Structures, if the analysis ran.
    pub counts: Option<Counts>,
}

impl TvlReport {
    /// Whether the program is proved: translated completely and without alarms.
    pub fn is_proved(&self) -> bool {
        self.refusals.is_empty() && self.alarms.is_empty() && self.counts.is_some()
    }
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct TvlOptions {
    /// Strict or loose.
    pub embedding: Embedding,
    /// Whether allocations may fail.
    pub malloc_may_fail: bool,
    /// Wall-clock limit.
    pub timeout: Option<Duration>,
}

impl Default for TvlOptions {
    fn default() -> Self {
        TvlOptions {
            embedding: Embedding::Strict,
            malloc_may_fail: false,
            timeout: Some(Duration::from_secs(5)),
        }
    }
}

/// Translates and analyses a program from `main` on. Loose embedding forgets that a summary was seen to exist,
/// so what it cannot prove is tried again with strict embedding: both give the same verdicts.
pub fn analyse(program: &Program, options: &TvlOptions) -> TvlReport {
    let translated = translate(program, options);
    let report = analyse_translated(&translated, options);
    if options.embedding == Embedding::Loose && !report.alarms.is_empty() {
        return analyse_translated(&translated, &TvlOptions { embedding: Embedding::Strict, ..*options });
    }
    report
}

fn analyse_translated(translated: &Translated, options: &TvlOptions) -> TvlReport {
    let mut report = TvlReport { refusals: translated.refusals.clone(), alarms: Vec::new(), counts: None };
    if !report.refusals.is_empty() {
        return report;
    }
    let settings = specialised::Options {
        embedding: options.embedding,
        max_time: options.timeout,
        ..specialised::Options::default()
    };
    let analysis = match specialised::analyse(&translated.program, &settings) {
        Ok(analysis) => analysis,
        Err(undeclared) => {
            let reason = format!("the translation is incomplete: {undeclared} is not declared");
            report.refusals.push(Refusal { reason, span: Span::default() });
            return report;
        }
    };
    for finding in &analysis.findings {
        let span = translated.spans.get(finding.edge).copied().unwrap_or_default();
        let (code, what) = describe(finding.kind);
        let message = if finding.certain { what.to_string() } else { format!("possible {what}") };
        let alarm = TvlAlarm { code, message, span };
        if !report.alarms.contains(&alarm) {
            report.alarms.push(alarm);
        }
    }
    for (location, span) in &translated.errors {
        if analysis.sets.get(location.0 as usize).is_some_and(|set| !set.is_empty()) {
            let message = "an assertion or error call may be reached".to_string();
            report.alarms.push(TvlAlarm { code: "assertion", message, span: *span });
        }
    }
    let incomplete = match analysis.stop {
        Stop::Fixpoint => None,
        Stop::Structures => Some("too many structures"),
        Stop::Time => Some("out of time"),
        Stop::Individuals => Some("a structure has too many cells"),
    };
    if let Some(reason) = incomplete {
        report
            .refusals
            .push(Refusal { reason: format!("the analysis stopped: {reason}"), span: Span::default() });
    }
    report.counts = Some(counts(&analysis.sets));
    report
}

fn describe(kind: FindingKind) -> (&'static str, &'static str) {
    match kind {
        FindingKind::NullDereference => ("null-dereference", "null dereference"),
        FindingKind::UseAfterFree => ("use-after-free", "use after free"),
        FindingKind::DoubleFree => ("double-free", "double free"),
        FindingKind::InvalidFree => ("invalid-free", "free of something that is no heap block"),
        FindingKind::UninitialisedRead => ("uninitialised", "read of a field that was never written"),
        FindingKind::Leak => ("leak", "leak: no pointer is left to a cell"),
        FindingKind::Cyclic => ("cyclic", "cycle in a structure that should have none"),
        FindingKind::Shared => ("shared", "sharing in a structure that should have none"),
        FindingKind::NotBack => ("not-back", "missing back reference"),
    }
}

/// A translated program.
#[derive(Clone, Debug, Default)]
pub struct Translated {
    /// The pointer program.
    pub program: tvl::Program,
    /// The source of every edge.
    pub spans: Vec<Span>,
    /// What could not be translated.
    pub refusals: Vec<Refusal>,
    /// Locations that must not be reached.
    pub errors: Vec<(LocationId, Span)>,
}

/// Where a pointer variable of the pointer program lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Home {
    Local(usize, LocalId, u64),
    Global(GlobalId, u64),
}

/// Inlined frames, and locations, beyond which a program is refused.
const MAX_FRAMES: usize = 200;
const MAX_LOCATIONS: usize = 20_000;

struct Translator<'p> {
    source: &'p Program,
    options: TvlOptions,
    out: Translated,
    vars: FxHashMap<Home, VarId>,
    fields: FxHashMap<(RecordId, u64), FieldId>,
    data: FxHashMap<(RecordId, u64, u8), DataId>,
    frames: usize,
    stack: Vec<FuncId>,
}

/// One inlined function.
struct Frame<'p> {
    id: usize,
    body: &'p Body,
    starts: Vec<LocationId>,
    liveness: Liveness,
    returns_to: Option<(LocationId, Option<VarId>)>,
    /// Sizes of blocks that untyped temporaries hold.
    sizes: FxHashMap<LocalId, u64>,
}

/// Translates a program.
pub fn translate(source: &Program, options: &TvlOptions) -> Translated {
    let mut t = Translator {
        source,
        options: *options,
        out: Translated::default(),
        vars: FxHashMap::default(),
        fields: FxHashMap::default(),
        data: FxHashMap::default(),
        frames: 0,
        stack: Vec::new(),
    };
    let entry = t.location();
    t.out.program.entry = entry.0;
    match source.function_named("main") {
        Some(main) => t.function(main, entry, None, Span::default()),
        None => t.refuse("there is no function `main`", Span::default()),
    }
    t.out
}

impl<'p> Translator<'p> {
    fn refuse(&mut self, reason: impl Into<String>, span: Span) {
        let refusal = Refusal { reason: reason.into(), span };
        if !self.out.refusals.contains(&refusal) {
            self.out.refusals.push(refusal);
        }
    }

    fn location(&mut self) -> LocationId {
        let name = format!("l{}", self.out.program.locations.len());
        self.out.program.location(name)
    }

    fn edge(&mut self, from: LocationId, statement: Statement, to: LocationId, span: Span) {
        self.out.program.edge(from, statement, to);
        self.out.spans.push(span);
    }

    /// Adds a statement and moves on.
    fn step(&mut self, at: &mut LocationId, statement: Statement, span: Span) {
        let next = self.location();
        self.edge(*at, statement, next, span);
        *at = next;
    }

    /// Whether values of the type are pointers that the model follows.
    fn tracked(&self, ty: Ty) -> bool {
        match self.source.types.pointee(ty) {
            Some(to) => matches!(self.source.types.get(to), Type::Record(_) | Type::Void),
            None => false,
        }
    }

    fn holds_pointers(&self, ty: Ty, depth: usize) -> bool {
        match self.source.types.get(ty) {
            Type::Pointer(_) | Type::Opaque { .. } => true,
            Type::Array { elem, .. } => self.holds_pointers(*elem, depth),
            Type::Record(r) if depth < 16 => self
                .source
                .types
                .records
                .get(*r)
                .is_none_or(|r| r.fields.iter().any(|f| self.holds_pointers(f.ty, depth + 1))),
            Type::Record(_) => true,
            _ => false,
        }
    }

    fn var(&mut self, home: Home, name: String) -> VarId {
        if let Some(&v) = self.vars.get(&home) {
            return v;
        }
        let v = self.out.program.variable(name);
        self.vars.insert(home, v);
        v
    }

    fn local_var(&mut self, frame: &Frame<'p>, local: LocalId) -> Option<VarId> {
        let l = frame.body.locals.get(local)?;
        if !self.tracked(l.ty) || l.address_taken {
            return None;
        }
        let name = l.name.as_deref().map_or_else(|| format!("_{}", local.0), str::to_string);
        let name = if frame.id == 0 { name } else { format!("{name}@{}", frame.id) };
        Some(self.var(Home::Local(frame.id, local, 0), name))
    }

    /// Byte offset of a path of fields, and the record it starts from.
    fn offset(&mut self, place: &Place, span: Span) -> Option<(Option<RecordId>, u64)> {
        let mut total = 0u64;
        let mut first = None;
        for step in &place.path {
            match step {
                Projection::Field { record, offset, .. } => {
                    let union =
                        self.source.types.records.get(*record).is_none_or(|r| r.kind == RecordKind::Union);
                    if union {
                        self.refuse("unions are outside the three-valued memory model", span);
                        return None;
                    }
                    first.get_or_insert(*record);
                    total = total.saturating_add(*offset);
                }
                Projection::Index { .. } => {
                    self.refuse("arrays are outside the three-valued memory model", span);
                    return None;
                }
            }
        }
        Some((first, total))
    }

    /// The variable that a pointer-typed place without dereference is.
    fn place_var(&mut self, frame: &Frame<'p>, place: &Place, span: Span) -> Option<VarId> {
        match place.base {
            PlaceBase::Local(local) => {
                let l = frame.body.locals.get(local)?;
                if l.address_taken {
                    self.refuse("the address of a variable is taken", l.span);
                    return None;
                }
                let (_, offset) = self.offset(place, span)?;
                if place.path.is_empty() {
                    return self.local_var(frame, local);
                }
                let name = format!("{}+{offset}@{}", l.name.as_deref().unwrap_or("_"), frame.id);
                Some(self.var(Home::Local(frame.id, local, offset), name))
            }
            PlaceBase::Global(global) => {
                let g = self.source.globals.get(global)?;
                let null = match &g.init {
                    GlobalInit::Unknown => false,
                    GlobalInit::Data(pieces) => pieces.iter().all(|p| match &p.value {
                        InitValue::Bytes(bytes) => bytes.iter().all(|&b| b == 0),
                        _ => false,
                    }),
                };
                if !null {
                    self.refuse(format!("global `{}` does not start as null", g.name), g.span);
                }
                let (_, offset) = self.offset(place, span)?;
                let name = format!("{}+{offset}", g.name);
                Some(self.var(Home::Global(global, offset), name))
            }
            PlaceBase::Deref(_) => None,
        }
    }

    fn field(&mut self, place: &Place, span: Span) -> Option<FieldId> {
        let (record, offset) = self.offset(place, span)?;
        let Some(record) = record else {
            self.refuse("a pointer is accessed that is no field of a structure", span);
            return None;
        };
        if let Some(&f) = self.fields.get(&(record, offset)) {
            return Some(f);
        }
        let name = self
            .source
            .types
            .records
            .get(record)
            .and_then(|r| r.fields.iter().find(|f| f.offset == offset))
            .and_then(|f| f.name.as_deref())
            .map_or_else(|| format!("at{offset}"), str::to_string);
        let f = self.out.program.field(name);
        self.fields.insert((record, offset), f);
        Some(f)
    }

    /// The pointer that a dereferenced operand is.
    fn pointer(&mut self, frame: &Frame<'p>, operand: &Operand, span: Span) -> Option<VarId> {
        let var = match operand {
            Operand::Local(l) => self.local_var(frame, *l),
            Operand::Const(_) => None,
        };
        if var.is_none() {
            self.refuse("an access through a pointer that the model does not follow", span);
        }
        var
    }

    fn function(
        &mut self,
        func: FuncId,
        entry: LocationId,
        call: Option<(&Frame<'p>, &Call, LocationId)>,
        span: Span,
    ) {
        let Some(f) = self.source.functions.get(func) else { return };
        let body = match &f.body {
            FunctionBody::Defined(body) => body,
            FunctionBody::NotAnalysed { reason, span } => {
                return self.refuse(format!("function `{}` is not analysed: {reason}", f.name), *span);
            }
            FunctionBody::Declared => return self.refuse(format!("`{}` is not defined", f.name), span),
        };
        if self.stack.contains(&func) {
            return self.refuse(format!("`{}` is recursive", f.name), span);
        }
        self.frames += 1;
        if self.frames > MAX_FRAMES || self.out.program.locations.len() > MAX_LOCATIONS {
            return self.refuse("the program is too large to inline all calls", span);
        }
        self.stack.push(func);
        let cfg = Cfg::new(body);
        let mut frame = Frame {
            id: self.frames - 1,
            body,
            starts: body.blocks.iter().map(|_| self.location()).collect(),
            liveness: Liveness::new(body, &cfg),
            returns_to: None,
            sizes: FxHashMap::default(),
        };
        let mut at = entry;
        for (i, &param) in body.params.iter().enumerate() {
            let ty = body.locals.get(param).map(|l| l.ty);
            let pointers = ty.is_some_and(|ty| self.holds_pointers(ty, 0));
            match (self.local_var(&frame, param), call.as_ref()) {
                (Some(v), Some((caller, c, _))) => match c.args.get(i) {
                    Some(arg) => self.assign_operand(caller, &mut at, v, arg, span),
                    None => self.refuse("a call with too few arguments", span),
                },
                (Some(_), None) => self.refuse("`main` takes pointers", span),
                (None, Some(_)) if pointers => {
                    self.refuse(format!("parameter {} of `{}` is outside the model", i + 1, f.name), span);
                }
                _ => {}
            }
        }
        if let Some((caller, c, next)) = call {
            let dest = c
                .dest
                .as_ref()
                .and_then(|d| self.tracked(d.ty).then(|| self.place_var(caller, d, span)).flatten());
            frame.returns_to = Some((next, dest));
        }
        if let Some(&start) = frame.starts.first() {
            self.edge(at, Statement::Skip, start, span);
        }
        for block in body.blocks.indices() {
            self.block(&mut frame, block);
        }
        self.stack.pop();
    }

    fn assign_operand(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        dest: VarId,
        value: &Operand,
        span: Span,
    ) {
        match value {
            Operand::Local(l) => match self.local_var(frame, *l) {
                Some(v) => self.step(at, Statement::Copy(dest, v), span),
                None => self.refuse("a pointer that the model does not follow is assigned", span),
            },
            Operand::Const(Const::Null(_)) => self.step(at, Statement::SetNull(dest), span),
            Operand::Const(Const::Int { value: 0, .. }) => self.step(at, Statement::SetNull(dest), span),
            Operand::Const(_) => self.refuse("an address that is no heap cell is assigned", span),
        }
    }

    fn block(&mut self, frame: &mut Frame<'p>, block: BlockId) {
        let Some(code) = frame.body.blocks.get(block) else { return };
        let live = frame.liveness.in_block(frame.body, block);
        let Some(&start) = frame.starts.get(block.0 as usize) else { return };
        let mut at = start;
        let mut conditions: FxHashMap<LocalId, Condition> = FxHashMap::default();
        // Dead variables that a condition of this block still speaks of: dropped after the branch.
        let mut deferred: Vec<VarId> = Vec::new();
        for (i, s) in code.statements.iter().enumerate() {
            if self.statement(frame, &mut at, &s.kind, s.span, &mut conditions) {
                return;
            }
            if let StatementKind::StorageLive(l) = s.kind
                && live.get(i + 1).is_some_and(|set| set.contains(l))
            {
                self.refuse("a variable may be used before it has a value", s.span);
            }
            // Variables whose value is not needed any more.
            for local in frame.body.locals.indices() {
                let before = live.get(i).is_some_and(|set| set.contains(local)) || assigns(&s.kind, local);
                let after = live.get(i + 1).is_some_and(|set| set.contains(local));
                if before
                    && !after
                    && let Some(v) = self.local_var(frame, local)
                {
                    if conditions.values().any(|c| mentions(*c, v)) {
                        deferred.push(v);
                    } else {
                        self.step(&mut at, Statement::Forget(v), s.span);
                    }
                }
            }
        }
        let span = code.terminator.span;
        let ends = live.last();
        match &code.terminator.kind {
            TerminatorKind::Goto(to) => self.jump(frame, at, None, *to, (ends, &deferred), span),
            TerminatorKind::Branch { cond, then, otherwise } => {
                let condition = match cond {
                    Operand::Local(l) => match self.local_var(frame, *l) {
                        Some(v) => Some(Condition::NotNull(v)),
                        None => conditions.get(l).copied(),
                    },
                    Operand::Const(Const::Int { value, .. }) => {
                        let to = if *value != 0 { *then } else { *otherwise };
                        return self.jump(frame, at, None, to, (ends, &deferred), span);
                    }
                    Operand::Const(_) => None,
                };
                self.jump(frame, at, condition, *then, (ends, &deferred), span);
                self.jump(frame, at, condition.map(negated), *otherwise, (ends, &deferred), span);
            }
            TerminatorKind::Switch { cases, default, .. } => {
                for case in cases {
                    self.jump(frame, at, None, case.target, (ends, &deferred), span);
                }
                self.jump(frame, at, None, *default, (ends, &deferred), span);
            }
            TerminatorKind::GotoAddress { .. } => self.refuse("computed goto", span),
            TerminatorKind::Unreachable => {}
            TerminatorKind::Return(value) => {
                let (next, dest) = match frame.returns_to {
                    Some((next, dest)) => (next, dest),
                    None => (self.location(), None),
                };
                match (dest, value) {
                    (Some(d), Some(v)) => self.assign_operand(frame, &mut at, d, v, span),
                    (Some(_), None) => self.refuse("a function returns no value where one is used", span),
                    _ => {}
                }
                for local in frame.body.locals.indices() {
                    if let Some(v) = self.local_var(frame, local).filter(|v| Some(*v) != dest) {
                        self.step(&mut at, Statement::SetNull(v), span);
                    }
                }
                self.edge(at, Statement::Skip, next, span);
            }
        }
    }

    fn jump(
        &mut self,
        frame: &Frame<'p>,
        from: LocationId,
        condition: Option<Condition>,
        to: BlockId,
        (ends, deferred): (Option<&heapwise_ir::liveness::LocalSet>, &[VarId]),
        span: Span,
    ) {
        let Some(&target) = frame.starts.get(to.0 as usize) else { return };
        let mut at = from;
        if let Some(c) = condition {
            self.step(&mut at, Statement::Assume(c), span);
        }
        for &v in deferred {
            self.step(&mut at, Statement::Forget(v), span);
        }
        let needed = frame.liveness.at_start(frame.body, to);
        for local in frame.body.locals.indices() {
            if ends.is_some_and(|set| set.contains(local))
                && !needed.contains(local)
                && let Some(v) = self.local_var(frame, local)
            {
                self.step(&mut at, Statement::Forget(v), span);
            }
        }
        self.edge(at, Statement::Skip, target, span);
    }

    /// Translates a statement; true if control does not come past it.
    fn statement(
        &mut self,
        frame: &mut Frame<'p>,
        at: &mut LocationId,
        kind: &'p StatementKind,
        span: Span,
        conditions: &mut FxHashMap<LocalId, Condition>,
    ) -> bool {
        match kind {
            StatementKind::Nop => {}
            StatementKind::StorageLive(l) => {
                if let Some(v) = self.local_var(frame, *l) {
                    self.step(at, Statement::SetNull(v), span);
                }
            }
            StatementKind::StorageDead(l) => {
                if let Some(v) = self.local_var(frame, *l) {
                    self.step(at, Statement::SetNull(v), span);
                }
            }
            StatementKind::Zero(place) => match &place.base {
                PlaceBase::Local(_) if !self.holds_pointers(place.ty, 0) => {}
                PlaceBase::Local(_) if self.tracked(place.ty) => {
                    if let Some(v) = self.place_var(frame, place, span) {
                        self.step(at, Statement::SetNull(v), span);
                    }
                }
                _ => self.refuse("initialisation of a whole object", span),
            },
            StatementKind::ScopeAlloc { .. } | StatementKind::ScopeFree(_) => {
                self.refuse("variable-length arrays are outside the three-valued memory model", span);
            }
            StatementKind::Assign { dest, value } => self.assign(frame, at, dest, value, span, conditions),
            StatementKind::Call(call) => return self.call(frame, at, call, span, conditions),
            StatementKind::Intrinsic { op, dest, .. } => match op {
                heapwise_ir::Intrinsic::Unreachable | heapwise_ir::Intrinsic::Trap => return true,
                heapwise_ir::Intrinsic::Clz
                | heapwise_ir::Intrinsic::Ctz
                | heapwise_ir::Intrinsic::Ffs
                | heapwise_ir::Intrinsic::Popcount
                | heapwise_ir::Intrinsic::Parity
                | heapwise_ir::Intrinsic::Bswap => {
                    if let Some(d) = dest.as_ref().and_then(Place::as_local) {
                        conditions.remove(&d);
                    }
                }
                _ => self.refuse("a compiler operation on memory", span),
            },
        }
        false
    }

    fn assign(
        &mut self,
        frame: &mut Frame<'p>,
        at: &mut LocationId,
        dest: &Place,
        value: &Rvalue,
        span: Span,
        conditions: &mut FxHashMap<LocalId, Condition>,
    ) {
        if let Some(l) = dest.as_local() {
            conditions.remove(&l);
        }
        if self.tracked(dest.ty) {
            if let PlaceBase::Deref(p) = &dest.base {
                let Some(x) = self.pointer(frame, p, span) else { return };
                let Some(f) = self.field(dest, span) else { return };
                match value {
                    Rvalue::Use(Operand::Local(l)) => match self.local_var(frame, *l) {
                        Some(y) => self.step(at, Statement::Store(x, f, y), span),
                        None => self.refuse("a pointer that the model does not follow is stored", span),
                    },
                    Rvalue::Use(Operand::Const(Const::Null(_) | Const::Int { value: 0, .. })) => {
                        self.step(at, Statement::StoreNull(x, f), span);
                    }
                    Rvalue::Load(place) => {
                        // From memory to memory: through a variable of its own.
                        let temporary =
                            self.var(Home::Local(frame.id, LocalId(u32::MAX), 0), "copied".to_string());
                        if !self.read(frame, at, temporary, place, span) {
                            return;
                        }
                        self.step(at, Statement::Store(x, f, temporary), span);
                        self.step(at, Statement::SetNull(temporary), span);
                    }
                    _ => self.refuse("an address that is no heap cell is stored", span),
                }
                return;
            }
            let Some(x) = self.place_var(frame, dest, span) else {
                return self.refuse("a pointer outside the model is assigned", span);
            };
            conditions.retain(|_, c| !mentions(*c, x));
            match value {
                Rvalue::Use(operand) => self.assign_operand(frame, at, x, operand, span),
                Rvalue::Cast { kind: CastKind::PtrToPtr, arg } => {
                    if self.cast_fits(frame, arg, dest, span) {
                        self.assign_operand(frame, at, x, arg, span);
                    }
                }
                Rvalue::Cast { arg: Operand::Const(Const::Int { value: 0, .. }), .. } => {
                    self.step(at, Statement::SetNull(x), span);
                }
                Rvalue::Load(place) => {
                    self.read(frame, at, x, place, span);
                }
                _ => self.refuse("pointer arithmetic, or the address of a variable or field", span),
            }
            return;
        }
        if self.holds_pointers(dest.ty, 0) {
            return self.refuse(
                "a pointer to something other than a structure, or a whole structure, is assigned",
                span,
            );
        }
        // Data: values are not followed, but the accesses count.
        match value {
            Rvalue::Load(place) => {
                if let Some((y, d)) = self.data_access(frame, place, span) {
                    self.step(at, Statement::ReadData(y, d), span);
                }
            }
            Rvalue::AddrOf(_) => self.refuse("an address is turned into data", span),
            Rvalue::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } if !matches!(rhs, Operand::Const(Const::Int { value, .. }) if *value != 0) =>
            {
                self.refuse("a division: numbers are outside the three-valued memory model", span);
            }
            _ => {}
        }
        if let Some((x, d)) = self.data_access(frame, dest, span) {
            self.step(at, Statement::WriteData(x, d), span);
        }
        if let Some(l) = dest.as_local()
            && let Some(c) = self.condition(frame, value, conditions)
        {
            conditions.insert(l, c);
        }
    }

    /// The cell and data field that a place without pointers is, if it is part of a cell.
    fn data_access(&mut self, frame: &Frame<'p>, place: &Place, span: Span) -> Option<(VarId, DataId)> {
        let (record, offset) = self.offset(place, span)?;
        let PlaceBase::Deref(p) = &place.base else { return None };
        let x = self.pointer(frame, p, span)?;
        let (Some(record), true) = (record, self.source.types.is_scalar(place.ty)) else {
            self.refuse("data that is no scalar field of a structure", span);
            return None;
        };
        let key = (record, offset, place.bits().map_or(0, |b| b.shift));
        let d = match self.data.get(&key) {
            Some(&d) => d,
            None => {
                let d = self.out.program.data_field(format!("at{offset}"));
                self.data.insert(key, d);
                d
            }
        };
        Some((x, d))
    }

    /// Reads a pointer from a place into a variable; false if the place is refused.
    fn read(&mut self, frame: &Frame<'p>, at: &mut LocationId, x: VarId, place: &Place, span: Span) -> bool {
        if let PlaceBase::Deref(p) = &place.base {
            let Some(y) = self.pointer(frame, p, span) else { return false };
            let Some(f) = self.field(place, span) else { return false };
            self.step(at, Statement::Load(x, y, f), span);
            return true;
        }
        match self.place_var(frame, place, span) {
            Some(y) => self.step(at, Statement::Copy(x, y), span),
            None => self.refuse("a pointer outside the model is read", span),
        }
        true
    }

    /// What a data value says about pointers, if it is non-zero exactly when a condition holds.
    fn condition(
        &mut self,
        frame: &Frame<'p>,
        value: &Rvalue,
        conditions: &FxHashMap<LocalId, Condition>,
    ) -> Option<Condition> {
        let known = |o: &Operand| match o {
            Operand::Local(l) => conditions.get(l).copied(),
            Operand::Const(_) => None,
        };
        match value {
            Rvalue::Use(o) => known(o),
            Rvalue::Cast { kind: CastKind::IntToInt, arg } => known(arg),
            Rvalue::Cast { kind: CastKind::ToBool, arg } => match arg {
                Operand::Local(l) => match self.local_var(frame, *l) {
                    Some(v) => Some(Condition::NotNull(v)),
                    None => known(arg),
                },
                Operand::Const(_) => None,
            },
            Rvalue::Compare { op: op @ (CompareOp::Eq | CompareOp::Ne), lhs, rhs } => {
                let equal = *op == CompareOp::Eq;
                let pick = |yes: Condition| if equal { yes } else { negated(yes) };
                let mut var = |o: &Operand| match o {
                    Operand::Local(l) => self.local_var(frame, *l),
                    Operand::Const(_) => None,
                };
                let zero =
                    |o: &Operand| matches!(o, Operand::Const(Const::Null(_) | Const::Int { value: 0, .. }));
                match (var(lhs), var(rhs)) {
                    (Some(x), Some(y)) => Some(pick(Condition::Equal(x, y))),
                    (Some(x), None) if zero(rhs) => Some(pick(Condition::Null(x))),
                    (None, Some(y)) if zero(lhs) => Some(pick(Condition::Null(y))),
                    (None, None) if zero(rhs) => known(lhs).map(|c| if equal { negated(c) } else { c }),
                    (None, None) if zero(lhs) => known(rhs).map(|c| if equal { negated(c) } else { c }),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a pointer conversion keeps to cells of one type.
    fn cast_fits(&mut self, frame: &Frame<'p>, arg: &Operand, dest: &Place, span: Span) -> bool {
        let types = &self.source.types;
        let to = types.pointee(dest.ty);
        let from = self.source.operand_ty(frame.body, arg).and_then(|t| types.pointee(t));
        let (Some(to), Some(from)) = (to, from) else { return true };
        if to == from || *types.get(to) == Type::Void || matches!(arg, Operand::Const(Const::Null(_))) {
            return true;
        }
        if let (Type::Void, Operand::Local(l)) = (types.get(from), arg)
            && let Some(&size) = frame.sizes.get(l)
        {
            if size >= types.size(to) {
                return true;
            }
            self.refuse(
                format!("a block of {size} bytes is used as a structure of {}", types.size(to)),
                span,
            );
            return false;
        }
        self.refuse("a pointer is converted between types of structures", span);
        false
    }

    fn call(
        &mut self,
        frame: &mut Frame<'p>,
        at: &mut LocationId,
        call: &'p Call,
        span: Span,
        conditions: &mut FxHashMap<LocalId, Condition>,
    ) -> bool {
        if let Some(l) = call.dest.as_ref().and_then(Place::as_local) {
            conditions.remove(&l);
        }
        let Callee::Direct(func) = call.callee else {
            self.refuse("a call through a function pointer", span);
            return true;
        };
        let Some(f) = self.source.functions.get(func) else { return true };
        // A call may change any variable that a condition is about only if it is global; dropping all is safe.
        conditions.clear();
        if !matches!(f.body, FunctionBody::Declared) {
            let next = self.location();
            self.function(func, *at, Some((frame, call, next)), span);
            *at = next;
            return false;
        }
        let Some(library) = f.library else {
            self.refuse(format!("`{}` is not defined and not known", f.name), span);
            return true;
        };
        let effects = library.effects();
        match &*f.name {
            "malloc" | "calloc" => {
                self.allocate(frame, at, call, &f.name, span);
                return false;
            }
            "free" => {
                match call.args.first() {
                    Some(Operand::Local(l)) => match self.local_var(frame, *l) {
                        Some(x) => self.step(at, Statement::Free(x), span),
                        None => self.refuse("a pointer outside the model is freed", span),
                    },
                    Some(Operand::Const(Const::Null(_))) => {}
                    _ => self.refuse("something that is no heap cell is freed", span),
                }
                return false;
            }
            "__assert_fail" | "__assert" | "__VERIFIER_error" | "reach_error" => {
                self.out.errors.push((*at, span));
                return true;
            }
            _ => {}
        }
        if effects.unsupported || library.allocates() || effects.frees != Default::default() {
            self.refuse(format!("`{}` is outside the three-valued memory model", f.name), span);
            return true;
        }
        for (i, arg) in call.args.iter().enumerate() {
            let Operand::Local(l) = arg else { continue };
            if self.local_var(frame, *l).is_some() {
                self.refuse(format!("argument {} of `{}` is a pointer to a cell", i + 1, f.name), span);
            }
        }
        if call.dest.as_ref().is_some_and(|d| self.holds_pointers(d.ty, 0)) {
            self.refuse(format!("`{}` returns a pointer", f.name), span);
        }
        // A condition that is assumed in the program is about data, or shows as a branch.
        effects.noreturn
    }

    fn allocate(&mut self, frame: &mut Frame<'p>, at: &mut LocationId, call: &Call, name: &str, span: Span) {
        let number = |o: Option<&Operand>| match o {
            Some(Operand::Const(Const::Int { value, .. })) => u64::try_from(*value).ok(),
            _ => None,
        };
        let size = match name {
            "malloc" => number(call.args.first()),
            _ => number(call.args.first()).zip(number(call.args.get(1))).map(|(n, s)| n.saturating_mul(s)),
        };
        let local = call.dest.as_ref().and_then(Place::as_local);
        let (Some(size), Some(local)) = (size, local) else {
            return self.refuse("an allocation whose size or use is not plain", span);
        };
        let Some(x) = self.local_var(frame, local) else {
            return self.refuse("an allocation for something that is no structure", span);
        };
        if let Some(pointee) = frame.body.locals.get(local).and_then(|l| self.source.types.pointee(l.ty))
            && self.source.types.size(pointee) > size
        {
            return self.refuse("an allocation smaller than the structure it is for", span);
        }
        frame.sizes.insert(local, size);
        let next = self.location();
        if self.options.malloc_may_fail {
            self.edge(*at, Statement::SetNull(x), next, span);
        }
        self.edge(*at, Statement::New { target: x, zeroed: name == "calloc" }, next, span);
        *at = next;
    }
}

fn assigns(kind: &StatementKind, local: LocalId) -> bool {
    match kind {
        StatementKind::Assign { dest, .. } => dest.as_local() == Some(local),
        StatementKind::Call(c) => c.dest.as_ref().and_then(Place::as_local) == Some(local),
        _ => false,
    }
}

fn mentions(c: Condition, v: VarId) -> bool {
    match c {
        Condition::Null(x) | Condition::NotNull(x) => x == v,
        Condition::Equal(x, y) | Condition::NotEqual(x, y) => x == v || y == v,
        Condition::Flag(..) => false,
    }
}

fn negated(c: Condition) -> Condition {
    match c {
        Condition::Null(x) => Condition::NotNull(x),
        Condition::NotNull(x) => Condition::Null(x),
        Condition::Equal(x, y) => Condition::NotEqual(x, y),
        Condition::NotEqual(x, y) => Condition::Equal(x, y),
        Condition::Flag(b, value) => Condition::Flag(b, !value),
    }
}
