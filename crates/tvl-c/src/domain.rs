//! Three-valued structures as a domain of [`heapwise_fixpoint`].
//!
//! A state is one structure over the predicates of the whole program (survey §4.3, Arnold §3). What a statement does was
//! translated beforehand into a small piece of a pointer program ([`crate::body`]); here such a piece is executed, and the
//! structures at its end are abstracted: canonical abstraction after every statement, as at every location of the engine
//! that runs pointer programs alone. The shared solver does the rest: loops, calls, recursion, properties, limits.
//!
//! A call hands over the local heap ([`heapwise_tvl::local_heap`]); the variables of the function under analysis are those of
//! its innermost call, since the frame keeps what a caller's own call of it held. Loose structures are split into their
//! strict cases where a call begins and ends.
//!
//! Order is embedding. Structures are put together only if they have the same canonical names, and only when asked for
//! ([`Merging::Partial`]); the sets are finite in any case, because bounded structures are.

use crate::body::{Code, Effect, Translated, negated};
use crate::numbers::{self, Number, Numbers};
use heapwise_fixpoint::{Calls, Context, Domain, Site, Transfer as Statements};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    BlockId, Body, Call, Callee, FuncId, FunctionBody, LocalSet, Operand, PlaceBase, Span, Statement,
    StatementKind, Terminator, TerminatorKind,
};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Kind, Property, Reason};
use heapwise_tvl::apart::apart;
use heapwise_tvl::canonical::Abstraction;
use heapwise_tvl::domain::{Embedding, join_aligned};
use heapwise_tvl::embedding::{Outline, embeds};
use heapwise_tvl::kleene::Kleene;
use heapwise_tvl::local_heap::{Frame, Refused, combine, split};
use heapwise_tvl::program::{LocationId, Statement as Primitive};
use heapwise_tvl::refine::cell_of;
use heapwise_tvl::schema::Schema;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::transfer::Transfer;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;

/// Which structures are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merging {
    /// Those that another one describes.
    Maximal,
    /// Those with the same canonical names, too.
    Partial,
}

/// A state: a structure, with what finds equal and larger ones quickly, and the numbers of variables.
#[derive(Clone, Debug)]
pub struct Shape(Rc<Inner>, Rc<Numbers>);

#[derive(Debug)]
struct Inner {
    structure: Structure,
    hash: u64,
    outline: Outline,
    /// See [`Abstraction::signature`].
    signature: Option<u64>,
}

impl Shape {
    fn new(abstraction: &Abstraction, structure: Structure, numbers: Numbers) -> Shape {
        let hash = FxBuildHasher.hash_one(&structure);
        let signature = abstraction.signature(&structure);
        let inner = Inner { outline: Outline::of(&structure), hash, signature, structure };
        Shape(Rc::new(inner), Rc::new(numbers))
    }

    /// The same structure with other numbers.
    fn with(&self, change: impl FnOnce(&mut Numbers)) -> Shape {
        let mut shape = self.clone();
        change(Rc::make_mut(&mut shape.1));
        shape
    }

    /// Whether neither can be embedded in the other, by a quick look.
    fn is_apart(&self, other: &Shape) -> bool {
        matches!((self.0.signature, other.0.signature), (Some(a), Some(b)) if a != b)
    }

    /// The structure.
    pub fn structure(&self) -> &Structure {
        &self.0.structure
    }

    fn numbers(&self) -> &Numbers {
        &self.1
    }

    fn pair(&self) -> Pair {
        (self.structure().clone(), self.numbers().clone())
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Shape) -> bool {
        // Most states differ in their structure, which the hash says at once.
        let alike = Rc::ptr_eq(&self.0, &other.0)
            || self.0.hash == other.0.hash && self.0.structure == other.0.structure;
        alike && (Rc::ptr_eq(&self.1, &other.1) || self.1 == other.1)
    }
}
impl Eq for Shape {}
impl Hash for Shape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
        self.1.hash(state);
    }
}

/// More optional summaries than this are not decided at a call.
const MAX_DECIDED: u32 = 6;

/// The domain.
pub(crate) struct Shapes<'t> {
    pub(crate) translated: &'t Translated,
    pub(crate) schema: &'t Schema,
    abstraction: Abstraction,
    pub(crate) transfer: Transfer<'t>,
    outgoing: Vec<Vec<usize>>,
    errors: FxHashMap<LocationId, (Kind, Span)>,
    stops: FxHashSet<LocationId>,
    embedding: Embedding,
    merging: Merging,
    memory: FxHashMap<(LocationId, Shape), Results>,
}

/// Where control comes to, with which states.
type Results = Rc<Vec<(LocationId, Shape)>>;

/// A structure and numbers, on their way through a piece of the pointer program.
pub(crate) type Pair = (Structure, Numbers);

impl<'t> Shapes<'t> {
    /// The domain for a translated program.
    pub(crate) fn new(
        translated: &'t Translated,
        schema: &'t Schema,
        embedding: Embedding,
        merging: Merging,
    ) -> Self {
        let mut outgoing = vec![Vec::new(); translated.program.locations.len()];
        for (i, e) in translated.program.edges.iter().enumerate() {
            if let Some(edges) = outgoing.get_mut(e.from.0 as usize) {
                edges.push(i);
            }
        }
        let mut stops = FxHashSet::default();
        for code in translated.functions.values() {
            stops.extend(code.starts.iter().chain([&code.exit]).chain(code.terminators.values()));
            stops.extend(code.statements.values().flat_map(|(from, to)| [Some(*from), *to]).flatten());
            stops.extend(code.calls.values().flat_map(|(ways, to)| ways.iter().map(|w| w.1).chain([*to])));
        }
        Shapes {
            translated,
            schema,
            abstraction: Abstraction::of(&schema.vocabulary),
            transfer: Transfer::new(schema),
            outgoing,
            errors: translated.errors.iter().map(|(at, kind, span)| (*at, (*kind, *span))).collect(),
            stops,
            embedding,
            merging,
            memory: FxHashMap::default(),
        }
    }

    fn code(&self, func: FuncId) -> Option<&'t Code> {
        self.translated.functions.get(&func)
    }

    /// Executes the piece of the pointer program from a location to where a statement, block or function starts or ends.
    fn run(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        from: LocationId,
        s: Pair,
    ) -> Vec<(LocationId, Pair)> {
        let mut found = Vec::new();
        let mut open = vec![(from, s, true)];
        while let Some((location, (s, n), first)) = open.pop() {
            if cx.is_exhausted() {
                break;
            }
            // Whether control gets past the end of a piece is for what comes after it to say.
            if !first && self.stops.contains(&location) {
                found.push((location, (s, n)));
                continue;
            }
            self.is_reached(cx, at, location);
            for way in 0..self.outgoing.get(location.0 as usize).map_or(0, Vec::len) {
                let Some(&e) = self.outgoing.get(location.0 as usize).and_then(|v| v.get(way)) else {
                    continue;
                };
                let Some(edge) = self.translated.program.edges.get(e) else { continue };
                let translated = self.translated;
                if let Some(effect) = translated.effects.get(&e) {
                    let span = self.translated.spans.get(e).copied().unwrap_or(at.span);
                    let after = self.effect(cx, &Site { span, ..*at }, effect, (&s, &n));
                    open.extend(after.into_iter().map(|pair| (edge.to, pair, false)));
                    continue;
                }
                if edge.statement == Primitive::Skip {
                    open.push((edge.to, (s.clone(), n.clone()), false));
                    continue;
                }
                let span = self.translated.spans.get(e).copied().unwrap_or(at.span);
                let site = Site { span, ..*at };
                let after = self.primitive(cx, &site, edge.statement, (&s, &n));
                open.extend(after.into_iter().map(|pair| (edge.to, pair, false)));
            }
        }
        found
    }

    /// Says what it means that a location is reached.
    fn is_reached(&self, cx: &mut Context<'_>, at: &Site<'_>, location: LocationId) {
        let Some((kind, span)) = self.errors.get(&location) else { return };
        let at = Site { span: *span, ..*at };
        match kind {
            Kind::Error(kind) => report(cx, &at, *kind, false, message(*kind)),
            Kind::Unknown(reason) => cx.alarm(&at, *reason, false, reason.about()),
        }
    }

    /// What an edge does that is about numbers.
    fn effect(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        effect: &Effect,
        (s, n): (&Structure, &Numbers),
    ) -> Vec<Pair> {
        if let Some(after) = self.block_effect(cx, at, effect, (s, n)) {
            return after;
        }
        if let Effect::Truth(condition) = effect {
            let range = match (self.may_hold(*condition, (s, n)), self.may_hold(negated(*condition), (s, n)))
            {
                (true, false) => Interval::point(1),
                (false, true) => Interval::point(0),
                _ => return vec![(s.clone(), n.clone())],
            };
            let mut n = n.clone();
            n.set(&self.facts(cx, at.body), Number::Loaded, range);
            return vec![(s.clone(), n)];
        }
        let code = self.facts(cx, at.body);
        match effect {
            Effect::Within(local, range) => {
                let mut n = n.clone();
                if n.narrow(&code, *local, *range) { vec![(s.clone(), n)] } else { Vec::new() }
            }
            Effect::Load(x, d, into) => {
                let Some(values) = self.translated.values.get(d) else { return vec![(s.clone(), n.clone())] };
                let Some(cell) = cell_of(self.schema, s, *x) else { return Vec::new() };
                let cases = values.cases(self.schema, s, cell);
                let load = |(s, range): (Structure, Interval)| {
                    let mut n = n.clone();
                    n.set(&code, *into, range);
                    (s, n)
                };
                cases.into_iter().map(load).collect()
            }
            Effect::Store(x, d, value) => {
                let Some(values) = self.translated.values.get(d) else { return vec![(s.clone(), n.clone())] };
                let Some(cell) = cell_of(self.schema, s, *x) else { return Vec::new() };
                let mut s = s.clone();
                values.store(self.schema, &mut s, cell, value.range(&code, n));
                vec![(s, n.clone())]
            }
            Effect::Fresh(x, record) => {
                let Some(cell) = cell_of(self.schema, s, *x) else { return Vec::new() };
                let mut s = s.clone();
                for values in self.translated.values.values().filter(|v| v.is_foreign(*record)) {
                    values.store(self.schema, &mut s, cell, Interval::point(0));
                }
                vec![(s, n.clone())]
            }
            _ => vec![(s.clone(), n.clone())],
        }
    }

    /// What is known of the code that numbers are about.
    pub(crate) fn facts<'a>(&'a self, cx: &Context<'a>, body: &'a Body) -> numbers::Code<'a> {
        numbers::Code { program: cx.program, body, addressed: &self.translated.addressed }
    }

    /// Executes from one location to another; nothing happens if they are the same.
    fn between(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        (from, to): (LocationId, Option<LocationId>),
        s: Pair,
    ) -> Vec<Pair> {
        if to == Some(from) {
            return vec![s];
        }
        self.run(cx, at, from, s).into_iter().filter(|(l, _)| Some(*l) == to).map(|(_, s)| s).collect()
    }

    fn shape(&self, (s, n): Pair) -> Shape {
        Shape::new(&self.abstraction, s, n)
    }

    /// The bounded structure.
    fn bounded(&self, s: &Structure) -> Structure {
        let mut bounded = self.abstraction.blur(s);
        if self.embedding == Embedding::Loose {
            bounded.set_optional(bounded.summaries());
        }
        bounded
    }

    /// The cases in which all summaries exist.
    fn strict(&self, cx: &mut Context<'_>, at: &Site<'_>, s: &Structure) -> Vec<Structure> {
        if s.optional().count_ones() > MAX_DECIDED {
            cx.give_up(at, "a structure has too many summaries that may be empty");
            return Vec::new();
        }
        s.cases(s.optional())
    }

    fn statement_at(&self, at: &Site<'_>) -> Option<(LocationId, Option<LocationId>)> {
        self.code(at.func)?.statements.get(&at.point).copied()
    }

    fn terminator(&mut self, cx: &mut Context<'_>, at: &Site<'_>, s: &Shape) -> Results {
        match self.code(at.func).and_then(|c| c.terminators.get(&at.point.0)) {
            Some(&from) => self.known(cx, at, from, s),
            None => Results::default(),
        }
    }

    /// What a whole statement makes of a state, bounded; it is computed once.
    fn known(&mut self, cx: &mut Context<'_>, at: &Site<'_>, from: LocationId, s: &Shape) -> Results {
        // Where nothing happens, the next statement starts at the same location: that one is remembered under it.
        if self.statement_at(at) == Some((from, Some(from))) {
            self.is_reached(cx, at, from);
            return Rc::new(vec![(from, s.clone())]);
        }
        if let Some(found) = self.memory.get(&(from, s.clone())) {
            return Rc::clone(found);
        }
        let found = self.run(cx, at, from, s.pair());
        let shape = |(l, (s, n)): (LocationId, Pair)| (l, self.shape((self.bounded(&s), n)));
        let results: Results = Rc::new(found.into_iter().map(shape).collect());
        if cx.may_go_on(at) {
            self.memory.insert((from, s.clone()), Rc::clone(&results));
        }
        results
    }
}

/// Raises an alarm. Where an error does not count, the analysis goes on with the executions in which it does not happen; an
/// uninitialised pointer may hold anything, so that there is no way to go on, and a write to a constant is an access too.
pub(crate) fn report(cx: &mut Context<'_>, at: &Site<'_>, kind: ErrorKind, certain: bool, message: &str) {
    let also = match kind {
        ErrorKind::Uninitialised => true,
        ErrorKind::WriteToConstant => cx.settings.properties.has(Property::Deref),
        _ => false,
    };
    if cx.counts(kind) {
        cx.alarm(at, kind, certain, message);
    } else if also {
        cx.alarm(at, Reason::UnknownPointer, false, message);
    }
}

/// The numbers after a statement that is no call.
fn changed(code: &numbers::Code<'_>, kind: &StatementKind, n: &mut Numbers) {
    match kind {
        StatementKind::StorageLive(l) | StatementKind::StorageDead(l) => n.drop_local(*l),
        StatementKind::ScopeAlloc { dest, .. } => n.drop_local(*dest),
        StatementKind::Zero(place) => n.clear(code, place),
        StatementKind::Assign { dest, value } => n.assign(code, dest, value),
        StatementKind::Intrinsic { dest: Some(dest), .. } => n.forget_place(code, dest),
        StatementKind::Call(Call { dest: Some(dest), .. }) => n.forget_place(code, dest),
        _ => {}
    }
    n.end_statement(code);
}

/// Whether control may go from a block to another, and what is known then.
fn goes_to(code: &numbers::Code<'_>, kind: &TerminatorKind, block: BlockId, n: &mut Numbers) -> bool {
    match kind {
        TerminatorKind::Branch { cond, then, otherwise } if then != otherwise => {
            n.assume(code, cond, block == *then)
        }
        TerminatorKind::Switch { value, cases, default } if block != *default => {
            let range = n.value(code, value);
            let mut ways = cases
                .iter()
                .filter(|c| c.target == block)
                .filter_map(|c| Interval::new(c.low, c.high).and_then(|case| case.meet(range)));
            let Some(first) = ways.next() else { return false };
            let all = ways.fold(first, Interval::join);
            match value {
                Operand::Local(l) => n.narrow(code, *l, all),
                Operand::Const(_) => true,
            }
        }
        _ => true,
    }
}

fn message(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Assertion => "the assertion may fail",
        ErrorKind::ReachError => "a call that marks an error may be reached",
        ErrorKind::WriteToConstant => "the pointer may lead to a constant, which must not be written",
        _ => "a point that must not be reached may be reached",
    }
}

fn refusal(refused: Refused) -> &'static str {
    match refused {
        Refused::Cutpoints => "a caller holds too much of the memory that it hands over to a function",
        Refused::Individuals => "a structure has too many cells",
    }
}

impl Shapes<'_> {
    fn is_embedded(&self, a: &Shape, b: &Shape) -> bool {
        Rc::ptr_eq(&a.0, &b.0)
            || !a.is_apart(b) && a.0.outline.fits(&b.0.outline) && embeds(a.structure(), b.structure())
    }

    /// What a function knows of numbers when it is called. In recursion it knows nothing, so that there are few entries.
    fn numbers_of_call(
        &self,
        cx: &Context<'_>,
        at: &Site<'_>,
        (func, body): (FuncId, &Body),
        call: &Call,
        callers: &Numbers,
    ) -> Numbers {
        let recursive = self.translated.recursive.contains(&func);
        let mut numbers = callers.clone();
        numbers.keep_offsets(|x| self.is_handed(x) || self.is_shared(x), recursive);
        if recursive {
            numbers.only_offsets();
            return numbers;
        }
        numbers.keep_shared();
        numbers.take_result();
        let (outside, inside) = (self.facts(cx, at.body), self.facts(cx, body));
        for (param, arg) in body.params.iter().zip(&call.args) {
            if self.translated.relevant.contains(&(func, *param)) {
                numbers.hand_over(&inside, *param, callers.value(&outside, arg));
            }
        }
        numbers
    }
}

impl Domain for Shapes<'_> {
    type State = Shape;
    type Why = &'static str;

    fn leq(&self, a: &Shape, b: &Shape) -> Result<(), &'static str> {
        let apart = a.is_apart(b);
        if a == b || !apart && a.numbers().is_within(b.numbers()) && self.is_embedded(a, b) {
            Ok(())
        } else {
            Err("there is no embedding")
        }
    }
    fn join(&mut self, a: &Shape, b: &Shape) -> Result<Shape, &'static str> {
        if a.is_apart(b) {
            return Err("the canonical names differ");
        }
        let numbers = || Rc::new(a.numbers().join(b.numbers(), &self.translated.thresholds));
        if self.is_embedded(a, b) {
            return Ok(Shape(Rc::clone(&b.0), numbers()));
        }
        if self.is_embedded(b, a) {
            return Ok(Shape(Rc::clone(&a.0), numbers()));
        }
        if self.merging == Merging::Maximal {
            return Err("only structures that others describe are left out");
        }
        let numbers = a.numbers().join(b.numbers(), &self.translated.thresholds);
        let (a, b) = (self.bounded(a.structure()), self.bounded(b.structure()));
        let alike = self.abstraction.names(&a) == self.abstraction.names(&b)
            && self.abstraction.nullary_key(&a) == self.abstraction.nullary_key(&b);
        if alike {
            Ok(self.shape((join_aligned(&a, &b), numbers)))
        } else {
            Err("the canonical names differ")
        }
    }
    fn widen(&mut self, a: &Shape, b: &Shape) -> Result<Shape, &'static str> {
        self.join(a, b)
    }
    fn generalise(&mut self, s: Shape) -> Vec<Shape> {
        vec![self.shape((self.bounded(s.structure()), s.numbers().clone()))]
    }
}

impl Statements for Shapes<'_> {
    fn statement(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        statement: &Statement,
        s: Shape,
    ) -> Vec<Shape> {
        let ends = self.statement_at(at);
        let found = ends.map(|(from, _)| self.known(cx, at, from, &s)).unwrap_or_default();
        let end = ends.and_then(|(_, to)| to);
        let code = self.facts(cx, at.body);
        let after = |s: &Shape| s.with(|n| changed(&code, &statement.kind, n));
        found.iter().filter(|(l, _)| Some(*l) == end).map(|(_, s)| after(s)).collect()
    }
    fn branch(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        terminator: &Terminator,
        s: Shape,
    ) -> Vec<(BlockId, Shape)> {
        let Some(starts) = self.code(at.func).map(|code| &code.starts) else { return Vec::new() };
        let block = |l: LocationId| starts.iter().position(|start| *start == l).map(|b| BlockId(b as u32));
        let found = self.terminator(cx, at, &s);
        let code = self.facts(cx, at.body);
        let mut out = Vec::new();
        for (location, s) in found.iter() {
            let Some(block) = block(*location) else { continue };
            let mut numbers = s.numbers().clone();
            if goes_to(&code, &terminator.kind, block, &mut numbers) {
                numbers.end_statement(&code);
                out.push((block, Shape(Rc::clone(&s.0), Rc::new(numbers))));
            }
        }
        out
    }
    fn jump(&mut self, cx: &mut Context<'_>, at: &Site<'_>, s: Shape) -> Vec<Shape> {
        self.terminator(cx, at, &s).iter().map(|(_, s)| s.clone()).collect()
    }
    fn forget(&mut self, _: &mut Context<'_>, _: &Site<'_>, live: &LocalSet, s: Shape) -> Shape {
        // Of structures the translation says where variables end.
        s.with(|n| n.keep_live(live))
    }
}

impl Calls for Shapes<'_> {
    type Frame = (Frame, Numbers);

    fn start(&mut self, cx: &mut Context<'_>, at: &Site<'_>) -> Vec<Shape> {
        let entry = LocationId(self.translated.program.entry);
        let mut numbers = Numbers::default();
        let code = self.facts(cx, at.body);
        for (global, value) in &self.translated.initial {
            numbers.set(&code, Number::Global(*global), Interval::point(*value));
        }
        let start = (Structure::empty(&self.schema.vocabulary), numbers);
        let found = self.run(cx, at, entry, start);
        found.into_iter().map(|(_, (s, n))| self.shape((self.bounded(&s), n))).collect()
    }
    fn end(&mut self, _: &mut Context<'_>, _: &Site<'_>, _: &Shape) {
        // What must hold at the end is part of the return from `main`.
    }
    fn callees(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        callee: &Callee,
        s: Shape,
    ) -> Vec<(FuncId, Shape)> {
        let Some(code) = self.code(at.func) else { return Vec::new() };
        let Some((from, _)) = self.statement_at(at) else { return Vec::new() };
        if let Callee::Direct(func) = callee {
            let Some(f) = cx.program.functions.get(*func) else { return Vec::new() };
            if LibFn::lookup(&f.name) == Some(LibFn::ReachError) {
                // The translation has the error, and what must hold when the program ends.
                self.known(cx, at, from, &s);
                return Vec::new();
            }
            if !matches!(f.body, FunctionBody::Defined(_)) {
                return vec![(*func, s)];
            }
        }
        let Some((ways, _)) = code.calls.get(&at.point) else { return Vec::new() };
        let states = match ways[..] {
            [(_, way)] if way == from => vec![(from, s.pair())],
            _ => self.run(cx, at, from, s.pair()),
        };
        let mut out = Vec::new();
        for (location, (s, n)) in states {
            let Some((func, _)) = ways.iter().find(|(_, way)| *way == location) else { continue };
            for s in self.strict(cx, at, &s) {
                let cases = apart(self.schema, &self.translated.roles, &s);
                out.extend(cases.into_iter().map(|s| (*func, self.shape((s, n.clone())))));
            }
        }
        out
    }
    fn library(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        function: LibFn,
        call: &Call,
        s: Shape,
    ) -> Vec<Shape> {
        let Some((from, to)) = self.statement_at(at) else { return Vec::new() };
        let found = self.known(cx, at, from, &s);
        let code = self.facts(cx, at.body);
        let mut out = Vec::new();
        for (_, s) in found.iter().filter(|(l, _)| Some(*l) == to) {
            let mut numbers = s.numbers().clone();
            let goes_on = match (function, call.args.first()) {
                (LibFn::VerifierAssume, Some(condition)) => numbers.assume(&code, condition, true),
                _ => true,
            };
            if goes_on {
                call.dest.iter().for_each(|dest| numbers.forget_place(&code, dest));
                numbers.end_statement(&code);
                out.push(Shape(Rc::clone(&s.0), Rc::new(numbers)));
            }
        }
        out
    }
    fn any_result(&mut self, cx: &mut Context<'_>, at: &Site<'_>, _: &Call, _: Shape) -> Vec<Shape> {
        cx.alarm(at, Reason::UnknownCall, false, "three-valued logic knows nothing of this function");
        Vec::new()
    }
    fn enter(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        callee: (FuncId, &Body),
        call: &Call,
        s: Shape,
    ) -> Option<(Shape, (Frame, Numbers))> {
        let mut callers = s.numbers().clone();
        let numbers = self.numbers_of_call(cx, at, callee, call, &callers);
        callers.end_statement(&self.facts(cx, at.body));
        // Temporaries that only the call reads hold nothing while it is made.
        let mut s = s.structure().clone();
        let base = call.dest.as_ref().map(|d| &d.base);
        for ((_, local), v) in self.translated.temporaries.iter().filter(|((f, _), _)| *f == at.func) {
            let stored_to = matches!(base, Some(PlaceBase::Deref(Operand::Local(b))) if b == local);
            if !stored_to && at.live_after.is_some_and(|live| !live.contains(*local)) {
                s.set_unary(self.schema.var(*v), Default::default());
                for f in self.schema.fields() {
                    s.set_unary(self.schema.reach(f, *v), Default::default());
                }
            }
        }
        let code = self.code(callee.0)?;
        let (mut entry, frame) = match split(self.schema, &self.abstraction, &self.translated.roles, &s) {
            Ok(parts) => parts,
            Err(refused) => {
                cx.alarm(at, Reason::Unsupported, false, refusal(refused));
                return None;
            }
        };
        // Boolean variables are those of the callee now, which sets them before it reads them.
        for flag in 0..self.translated.program.flags.len() {
            entry.set_nullary(flag, Kleene::False);
        }
        let inside = Site { body: callee.1, func: callee.0, ..*at };
        let start = (code.entry, code.starts.first().copied());
        let mut found = self.between(cx, &inside, start, (entry, numbers));
        match (found.pop(), found.is_empty()) {
            (Some((entry, n)), true) => Some((self.shape((self.bounded(&entry), n)), (frame, callers))),
            _ => {
                cx.alarm(at, Reason::Unsupported, false, "the arguments of a call make several cases");
                None
            }
        }
    }
    fn exit(&mut self, cx: &mut Context<'_>, at: &Site<'_>, value: Option<&Operand>, s: Shape) -> Vec<Shape> {
        let found = self.terminator(cx, at, &s);
        let code = self.facts(cx, at.body);
        let results = |n: &mut Numbers| {
            let result = value.map_or(Interval::FULL, |value| n.value(&code, value));
            n.keep_shared();
            n.keep_offsets(|x| self.is_shared(x), false);
            n.set(&code, Number::Result, result);
        };
        found.iter().map(|(_, s)| s.with(results)).collect()
    }
    fn leave(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        call: &Call,
        (frame, callers): &(Frame, Numbers),
        exit: &Shape,
    ) -> Vec<Shape> {
        let Some(code) = self.code(at.func) else { return Vec::new() };
        let (Some((_, after)), Some(&(_, end))) = (code.calls.get(&at.point), code.statements.get(&at.point))
        else {
            return Vec::new();
        };
        let numbers = callers.after_call(exit.numbers(), |x| self.is_shared(x));
        let mut found = Vec::new();
        for exit in self.strict(cx, at, exit.structure()) {
            match combine(self.schema, &self.translated.roles, frame, &exit) {
                Ok(s) => found.extend(self.between(cx, at, (*after, end), (s, numbers.clone()))),
                Err(refused) => cx.alarm(at, Reason::Unsupported, false, refusal(refused)),
            }
        }
        let code = self.facts(cx, at.body);
        let mut out = Vec::new();
        for (s, mut n) in found {
            let result = n.take_result();
            if let Some(dest) = &call.dest {
                n.forget_place(&code, dest);
                n.take(&code, dest, result);
            }
            n.end_statement(&code);
            out.push(self.shape((self.bounded(&s), n)));
        }
        out
    }
}
