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

use crate::body::{Code, Translated};
use heapwise_fixpoint::{Calls, Context, Domain, Site, Transfer as Statements};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    BlockId, Body, Call, Callee, FuncId, FunctionBody, LocalSet, Operand, PlaceBase, Span, Statement,
    Terminator,
};
use heapwise_property::{ErrorKind, Kind, Property, Reason};
use heapwise_tvl::canonical::Abstraction;
use heapwise_tvl::domain::{Embedding, join_aligned};
use heapwise_tvl::embedding::{Outline, embeds};
use heapwise_tvl::kleene::Kleene;
use heapwise_tvl::local_heap::{Frame, Refused, combine, split};
use heapwise_tvl::program::{LocationId, Statement as Primitive};
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

/// A state: a structure, with what finds equal and larger ones quickly.
#[derive(Clone, Debug)]
pub struct Shape(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    structure: Structure,
    hash: u64,
    outline: Outline,
    /// See [`Abstraction::signature`].
    signature: Option<u64>,
}

impl Shape {
    fn new(abstraction: &Abstraction, structure: Structure) -> Shape {
        let hash = FxBuildHasher.hash_one(&structure);
        let signature = abstraction.signature(&structure);
        Shape(Rc::new(Inner { outline: Outline::of(&structure), hash, signature, structure }))
    }

    /// Whether neither can be embedded in the other, by a quick look.
    fn is_apart(&self, other: &Shape) -> bool {
        matches!((self.0.signature, other.0.signature), (Some(a), Some(b)) if a != b)
    }

    /// The structure.
    pub fn structure(&self) -> &Structure {
        &self.0.structure
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Shape) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0.hash == other.0.hash && self.0.structure == other.0.structure
    }
}
impl Eq for Shape {}
impl Hash for Shape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// More optional summaries than this are not decided at a call.
const MAX_DECIDED: u32 = 6;

/// The domain.
pub(crate) struct Shapes<'t> {
    translated: &'t Translated,
    schema: &'t Schema,
    abstraction: Abstraction,
    transfer: Transfer<'t>,
    outgoing: Vec<Vec<usize>>,
    errors: FxHashMap<LocationId, (Kind, Span)>,
    stops: FxHashSet<LocationId>,
    embedding: Embedding,
    merging: Merging,
    memory: FxHashMap<(LocationId, Shape), Results>,
}

/// Where control comes to, with which states.
type Results = Rc<Vec<(LocationId, Shape)>>;

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
        s: Structure,
    ) -> Vec<(LocationId, Structure)> {
        let mut found = Vec::new();
        let mut open = vec![(from, s, true)];
        while let Some((location, s, first)) = open.pop() {
            if cx.is_exhausted() {
                break;
            }
            if let Some((kind, span)) = self.errors.get(&location) {
                let at = Site { span: *span, ..*at };
                match kind {
                    Kind::Error(kind) => report(cx, &at, *kind, false, message(*kind)),
                    Kind::Unknown(reason) => cx.alarm(&at, *reason, false, reason.about()),
                }
            }
            if !first && self.stops.contains(&location) {
                found.push((location, s));
                continue;
            }
            for &e in self.outgoing.get(location.0 as usize).map_or(&[][..], |v| v) {
                let Some(edge) = self.translated.program.edges.get(e) else { continue };
                if edge.statement == Primitive::Skip {
                    open.push((edge.to, s.clone(), false));
                    continue;
                }
                let span = self.translated.spans.get(e).copied().unwrap_or(at.span);
                let outcome = self.transfer.apply(edge.statement, &s);
                if outcome.incomplete {
                    cx.give_up(at, "a structure has too many cells");
                }
                for (kind, certain) in outcome.findings {
                    let (kind, what) = crate::describe(kind);
                    let message = if certain { what.to_string() } else { format!("possible {what}") };
                    report(cx, &Site { span, ..*at }, kind, certain, &message);
                }
                open.extend(outcome.structures.into_iter().map(|s| (edge.to, s, false)));
            }
        }
        found
    }

    /// Executes from one location to another; nothing happens if they are the same.
    fn between(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        (from, to): (LocationId, Option<LocationId>),
        s: Structure,
    ) -> Vec<Structure> {
        if to == Some(from) {
            return vec![s];
        }
        self.run(cx, at, from, s).into_iter().filter(|(l, _)| Some(*l) == to).map(|(_, s)| s).collect()
    }

    fn shape(&self, s: Structure) -> Shape {
        Shape::new(&self.abstraction, s)
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
            return Rc::new(vec![(from, s.clone())]);
        }
        if let Some(found) = self.memory.get(&(from, s.clone())) {
            return Rc::clone(found);
        }
        let found = self.run(cx, at, from, s.structure().clone());
        let results: Results =
            Rc::new(found.iter().map(|(l, s)| (*l, self.shape(self.bounded(s)))).collect());
        if cx.may_go_on(at) {
            self.memory.insert((from, s.clone()), Rc::clone(&results));
        }
        results
    }
}

/// Raises an alarm. Where an error does not count, the analysis goes on with the executions in which it does not happen; an
/// uninitialised pointer may hold anything, so that there is no way to go on, and a write to a constant is an access too.
fn report(cx: &mut Context<'_>, at: &Site<'_>, kind: ErrorKind, certain: bool, message: &str) {
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

impl Domain for Shapes<'_> {
    type State = Shape;
    type Why = &'static str;

    fn leq(&self, a: &Shape, b: &Shape) -> Result<(), &'static str> {
        let below =
            || !a.is_apart(b) && a.0.outline.fits(&b.0.outline) && embeds(a.structure(), b.structure());
        if a == b || below() { Ok(()) } else { Err("there is no embedding") }
    }
    fn join(&mut self, a: &Shape, b: &Shape) -> Result<Shape, &'static str> {
        if a.is_apart(b) {
            return Err("the canonical names differ");
        }
        if self.leq(a, b).is_ok() {
            return Ok(b.clone());
        }
        if self.leq(b, a).is_ok() {
            return Ok(a.clone());
        }
        if self.merging == Merging::Maximal {
            return Err("only structures that others describe are left out");
        }
        let (a, b) = (self.bounded(a.structure()), self.bounded(b.structure()));
        let alike = self.abstraction.names(&a) == self.abstraction.names(&b)
            && self.abstraction.nullary_key(&a) == self.abstraction.nullary_key(&b);
        if alike { Ok(self.shape(join_aligned(&a, &b))) } else { Err("the canonical names differ") }
    }
    fn widen(&mut self, a: &Shape, b: &Shape) -> Result<Shape, &'static str> {
        self.join(a, b)
    }
    fn generalise(&mut self, s: Shape) -> Vec<Shape> {
        vec![self.shape(self.bounded(s.structure()))]
    }
}

impl Statements for Shapes<'_> {
    fn statement(&mut self, cx: &mut Context<'_>, at: &Site<'_>, _: &Statement, s: Shape) -> Vec<Shape> {
        let ends = self.statement_at(at);
        let found = ends.map(|(from, _)| self.known(cx, at, from, &s)).unwrap_or_default();
        let end = ends.and_then(|(_, to)| to);
        found.iter().filter(|(l, _)| Some(*l) == end).map(|(_, s)| s.clone()).collect()
    }
    fn branch(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        _: &Terminator,
        s: Shape,
    ) -> Vec<(BlockId, Shape)> {
        let Some(code) = self.code(at.func) else { return Vec::new() };
        let block = |l: LocationId| code.starts.iter().position(|start| *start == l);
        let found = self.terminator(cx, at, &s);
        found.iter().filter_map(|(l, s)| Some((BlockId(block(*l)? as u32), s.clone()))).collect()
    }
    fn jump(&mut self, cx: &mut Context<'_>, at: &Site<'_>, s: Shape) -> Vec<Shape> {
        self.terminator(cx, at, &s).iter().map(|(_, s)| s.clone()).collect()
    }
    fn forget(&mut self, _: &mut Context<'_>, _: &Site<'_>, _: &LocalSet, s: Shape) -> Shape {
        // The translation says where variables end.
        s
    }
}

impl Calls for Shapes<'_> {
    type Frame = Frame;

    fn start(&mut self, cx: &mut Context<'_>, at: &Site<'_>) -> Vec<Shape> {
        let entry = LocationId(self.translated.program.entry);
        let found = self.run(cx, at, entry, Structure::empty(&self.schema.vocabulary));
        found.into_iter().map(|(_, s)| self.shape(self.bounded(&s))).collect()
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
            [(_, way)] if way == from => vec![(from, s.structure().clone())],
            _ => self.run(cx, at, from, s.structure().clone()),
        };
        let mut out = Vec::new();
        for (location, s) in states {
            let Some((func, _)) = ways.iter().find(|(_, way)| *way == location) else { continue };
            out.extend(self.strict(cx, at, &s).into_iter().map(|s| (*func, self.shape(s))));
        }
        out
    }
    fn library(&mut self, cx: &mut Context<'_>, at: &Site<'_>, _: LibFn, _: &Call, s: Shape) -> Vec<Shape> {
        let Some((from, to)) = self.statement_at(at) else { return Vec::new() };
        let found = self.known(cx, at, from, &s);
        found.iter().filter(|(l, _)| Some(*l) == to).map(|(_, s)| s.clone()).collect()
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
    ) -> Option<(Shape, Frame)> {
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
        let mut found = self.between(cx, at, (code.entry, code.starts.first().copied()), entry);
        match (found.pop(), found.is_empty()) {
            (Some(entry), true) => Some((self.shape(self.bounded(&entry)), frame)),
            _ => {
                cx.alarm(at, Reason::Unsupported, false, "the arguments of a call make several cases");
                None
            }
        }
    }
    fn exit(&mut self, cx: &mut Context<'_>, at: &Site<'_>, _: Option<&Operand>, s: Shape) -> Vec<Shape> {
        self.terminator(cx, at, &s).iter().map(|(_, s)| s.clone()).collect()
    }
    fn leave(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        _: &Call,
        frame: &Frame,
        exit: &Shape,
    ) -> Vec<Shape> {
        let Some(code) = self.code(at.func) else { return Vec::new() };
        let (Some((_, after)), Some(&(_, end))) = (code.calls.get(&at.point), code.statements.get(&at.point))
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for exit in self.strict(cx, at, exit.structure()) {
            match combine(self.schema, &self.translated.roles, frame, &exit) {
                Ok(s) => found.extend(self.between(cx, at, (*after, end), s)),
                Err(refused) => cx.alarm(at, Reason::Unsupported, false, refusal(refused)),
            }
        }
        found.iter().map(|s| self.shape(self.bounded(s))).collect()
    }
}
