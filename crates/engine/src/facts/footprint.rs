//! Which memory a function can access, as paths from its parameters and from globals.
//!
//! A path says: start from a parameter's value, load the cell at this offset, from what it points to the cell at that
//! offset, and so on. The paths that a function dereferences are its footprint: what lies elsewhere can stay in the
//! frame of a call ([`crate::calls::cut`]), so that entries are small and states that differ elsewhere share one. A function
//! that walks along a structure has paths of any length and no footprint in this sense; one that calls itself has a footprint
//! if its own calls need no more than it assumes of them, as where new memory is handed on.
//!
//! One forward pass over the blocks, repeated while loops add paths; what a function stores is remembered by offset.
//! This is a guess and need not be sound (two pointers with different offsets may mean one cell): memory that is
//! missing in an entry cannot be accessed without an alarm, and after an alarm the next attempt has whole entries.
//!
//! Cost: statements × paths; at most [`MAX_PATHS`] paths of at most [`MAX_STEPS`] steps are followed.

use heapwise_ir::library::{LibFn, ResultSource};
use heapwise_ir::{
    BinaryOp, Body, CallGraph, Callee, Cfg, Const, FuncId, FunctionBody, GlobalId, Intrinsic, LocalId,
    Operand, Place, PlaceBase, Program, Projection, Rvalue, Statement, StatementKind, TerminatorKind,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Longest path.
const MAX_STEPS: usize = 4;
/// Most paths of a function or value.
const MAX_PATHS: usize = 24;
/// Most passes over a function.
const MAX_PASSES: usize = 4;
/// Deepest nesting of calls that is looked into.
const MAX_DEPTH: usize = 40;

/// Where a path starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Source {
    /// The value of the parameter with this number.
    Param(usize),
    /// The address of a global.
    Global(GlobalId),
    /// Memory of the function's own: its variables, and what it allocates.
    Own,
}

/// A path: offsets of the cells that are loaded, one after the other.
pub(crate) type Path = (Source, Vec<i64>);

/// What a function can do with the memory it is given.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Footprint {
    /// The blocks that it accesses.
    pub(crate) accessed: BTreeSet<Path>,
    stored: Memory,
    returned: Values,
}

/// A pointer that a path leads to, with a known offset from there or an unknown one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pointer {
    path: Path,
    off: Option<i64>,
}

/// The pointers that something may hold.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Values {
    pointers: BTreeSet<Pointer>,
    /// Or one of which nothing is known.
    unknown: bool,
}

impl Values {
    fn of(source: Source, off: Option<i64>) -> Values {
        let pointers = BTreeSet::from([Pointer { path: (source, Vec::new()), off }]);
        Values { pointers, unknown: false }
    }
    fn unknown() -> Values {
        Values { pointers: BTreeSet::new(), unknown: true }
    }
    fn is_empty(&self) -> bool {
        self.pointers.is_empty() && !self.unknown
    }
    fn merge(&mut self, other: &Values) {
        self.pointers.extend(other.pointers.iter().cloned());
        self.unknown |= other.unknown;
    }
    fn moved(mut self, by: Option<i64>) -> Values {
        let moved = |p: Pointer| Pointer { off: p.off.zip(by).and_then(|(o, by)| o.checked_add(by)), ..p };
        self.pointers = self.pointers.into_iter().map(moved).collect();
        self
    }
}

/// What a function has stored, by offset; `None` where that is not known.
type Memory = BTreeMap<Option<i64>, Values>;

/// What is known before a statement.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Facts {
    locals: BTreeMap<LocalId, Values>,
    stored: Memory,
}

impl Facts {
    fn merge(&mut self, other: &Facts) {
        for (l, v) in &other.locals {
            self.locals.entry(*l).or_default().merge(v);
        }
        for (o, v) in &other.stored {
            self.stored.entry(*o).or_default().merge(v);
        }
    }
}

/// Footprints of functions, computed when they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    known: FxHashMap<FuncId, Option<Arc<Footprint>>>,
    /// Whether a recursive function is being looked at.
    recursive: bool,
}

impl Footprints {
    /// The footprint of a function, if it has one.
    pub(crate) fn of(
        &mut self,
        program: &Program,
        calls: &CallGraph,
        func: FuncId,
    ) -> Option<Arc<Footprint>> {
        self.at_depth(program, calls, func, 0)
    }

    fn at_depth(
        &mut self,
        program: &Program,
        calls: &CallGraph,
        func: FuncId,
        depth: usize,
    ) -> Option<Arc<Footprint>> {
        if let Some(known) = self.known.get(&func) {
            return known.clone();
        }
        let body = match program.functions.get(func).map(|f| &f.body) {
            Some(FunctionBody::Defined(body)) if depth < MAX_DEPTH => body,
            _ => return None,
        };
        if !calls.is_recursive(func) {
            let walk = Walk { program, calls, depth, found: Footprint::default(), footprints: self };
            let found = walk.function(body).map(Arc::new);
            self.known.insert(func, found.clone());
            return found;
        }
        // Functions that call each other have none; one that calls itself has what it needs if its calls need no more.
        if self.recursive {
            return None;
        }
        self.recursive = true;
        let mut assumed = Some(Arc::new(Footprint::default()));
        for round in 0.. {
            self.known.insert(func, assumed.clone());
            let walk = Walk { program, calls, depth, found: Footprint::default(), footprints: self };
            let found = walk.function(body).map(Arc::new).filter(|_| round < MAX_PASSES);
            let stable = found == assumed;
            assumed = found;
            if stable || assumed.is_none() {
                break;
            }
        }
        self.recursive = false;
        self.known.insert(func, assumed.clone());
        assumed
    }
}

struct Walk<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    depth: usize,
    found: Footprint,
    footprints: &'a mut Footprints,
}

impl Walk<'_> {
    /// `None` where the accesses have no bound.
    fn function(mut self, body: &Body) -> Option<Footprint> {
        let cfg = Cfg::new(body);
        // A function that walks along a structure has no bound on its paths: loops are not worth a try.
        if cfg.has_cycle() {
            return None;
        }
        // What the further arguments lead to is not followed.
        if body.varargs.is_some() {
            return None;
        }
        let mut entry = Facts::default();
        for (i, p) in body.params.iter().enumerate() {
            let scalar = self.program.types.is_scalar(body.locals.get(*p)?.ty);
            let value = if scalar { Values::of(Source::Param(i), Some(0)) } else { Values::unknown() };
            entry.locals.insert(*p, value);
        }
        let mut before: FxHashMap<_, Facts> = FxHashMap::default();
        before.insert(Body::ENTRY, entry);
        for pass in 0.. {
            let mut changed = false;
            for block in cfg.reverse_postorder() {
                let Some(mut facts) = before.get(block).cloned() else { continue };
                let code = body.blocks.get(*block)?;
                for statement in &code.statements {
                    self.statement(&mut facts, body, statement)?;
                }
                if let TerminatorKind::Return(value) = &code.terminator.kind {
                    let returned = value.as_ref().map(|v| operand(&facts, v)).unwrap_or_default();
                    self.found.returned.merge(&returned);
                    for (o, v) in &facts.stored {
                        self.found.stored.entry(*o).or_default().merge(v);
                    }
                }
                for next in cfg.successors(*block) {
                    match before.get_mut(next) {
                        Some(known) => {
                            let mut merged = known.clone();
                            merged.merge(&facts);
                            changed |= merged != *known;
                            *known = merged;
                        }
                        None => {
                            changed = true;
                            before.insert(*next, facts.clone());
                        }
                    }
                }
            }
            if !changed {
                return Some(self.found);
            }
            if pass >= MAX_PASSES {
                return None;
            }
        }
        None
    }

    fn statement(&mut self, facts: &mut Facts, body: &Body, statement: &Statement) -> Option<()> {
        match &statement.kind {
            StatementKind::Nop | StatementKind::StorageLive(_) | StatementKind::StorageDead(_) => {}
            StatementKind::Assign { dest, value } => {
                let value = self.rvalue(facts, body, value)?;
                self.store(facts, dest, value)?;
            }
            StatementKind::Zero(place) => self.store(facts, place, Values::default())?,
            StatementKind::ScopeAlloc { dest, .. } => {
                facts.locals.insert(*dest, Values::of(Source::Own, Some(0)));
            }
            StatementKind::ScopeFree(_) => {}
            StatementKind::Call(call) => {
                let Callee::Direct(f) = &call.callee else { return None };
                let args: Vec<Values> = call.args.iter().map(|a| operand(facts, a)).collect();
                let function = self.program.functions.get(*f)?;
                let result = match (&function.body, function.library) {
                    (FunctionBody::Defined(_), _) => self.call(facts, *f, &args)?,
                    (_, Some(lib)) => self.library(lib, &args)?,
                    _ => return None,
                };
                if let Some(dest) = &call.dest {
                    self.store(facts, dest, result)?;
                }
            }
            StatementKind::Intrinsic { op, dest, .. } => {
                let result = match op {
                    Intrinsic::Alloca => Values::of(Source::Own, Some(0)),
                    // A pointer to the frame leads to nothing that an access could use.
                    op if op.only_computes() => Values::default(),
                    Intrinsic::Trap | Intrinsic::Unreachable => Values::default(),
                    _ => return None,
                };
                if let Some(dest) = dest {
                    self.store(facts, dest, result)?;
                }
            }
        }
        Some(())
    }

    fn library(&mut self, lib: LibFn, args: &[Values]) -> Option<Values> {
        let effects = lib.effects();
        let shape = matches!(lib, LibFn::AssumeShape | LibFn::CheckShape);
        let moves = matches!(lib, LibFn::Realloc | LibFn::Reallocarray);
        let writes = (0..args.len()).any(|i| effects.writes.contains(i));
        let calls = (0..args.len()).any(|i| effects.calls.contains(i));
        if shape || moves || writes || calls || effects.unsupported || effects.io {
            return None;
        }
        for (i, arg) in args.iter().enumerate() {
            if effects.reads.contains(i) || effects.frees.contains(i) {
                self.access(arg)?;
            }
        }
        match effects.result {
            ResultSource::NewBlock => Some(Values::of(Source::Own, Some(0))),
            ResultSource::Plain => Some(Values::default()),
            _ => Some(Values::unknown()),
        }
    }

    /// A call of a function with a footprint: its paths go on from the arguments.
    fn call(&mut self, facts: &mut Facts, func: FuncId, args: &[Values]) -> Option<Values> {
        let callee = self.footprints.at_depth(self.program, self.calls, func, self.depth + 1)?;
        for path in &callee.accessed {
            let value = self.along(facts, path, args);
            self.access(&value)?;
        }
        let translate = |facts: &Facts, values: &Values| {
            let mut out = Values { unknown: values.unknown, ..Values::default() };
            for p in &values.pointers {
                out.merge(&self.along(facts, &p.path, args).moved(p.off));
            }
            out
        };
        let before = facts.clone();
        for (off, values) in &callee.stored {
            let values = translate(&before, values);
            facts.stored.entry(*off).or_default().merge(&values);
        }
        Some(translate(facts, &callee.returned))
    }

    /// What a path of a callee leads to.
    fn along(&self, facts: &Facts, path: &Path, args: &[Values]) -> Values {
        let mut value = match path.0 {
            Source::Param(i) => args.get(i).cloned().unwrap_or_default(),
            source => Values::of(source, Some(0)),
        };
        for step in &path.1 {
            value = load(facts, &value, Some(*step));
        }
        value
    }

    /// Notes that blocks are accessed.
    fn access(&mut self, pointers: &Values) -> Option<()> {
        if pointers.unknown || pointers.pointers.len() > MAX_PATHS {
            return None;
        }
        for p in pointers.pointers.iter().filter(|p| p.path.0 != Source::Own) {
            if p.path.1.len() > MAX_STEPS {
                return None;
            }
            self.found.accessed.insert(p.path.clone());
        }
        (self.found.accessed.len() <= MAX_PATHS).then_some(())
    }

    fn rvalue(&mut self, facts: &Facts, body: &Body, value: &Rvalue) -> Option<Values> {
        Some(match value {
            Rvalue::Use(op) | Rvalue::Cast { arg: op, .. } => operand(facts, op),
            Rvalue::Load(place) => {
                let scalar = self.program.types.is_scalar(place.ty);
                let value = match &place.base {
                    PlaceBase::Local(l) => {
                        let mut value = facts.locals.get(l).cloned().unwrap_or_default();
                        if body.locals.get(*l).is_none_or(|l| l.address_taken) {
                            facts.stored.values().for_each(|v| value.merge(v));
                        }
                        value
                    }
                    _ => {
                        let base = address(facts, place);
                        self.access(&base)?;
                        load(facts, &base, Some(0))
                    }
                };
                if scalar { value } else { Values::unknown() }
            }
            Rvalue::AddrOf(place) => address(facts, place),
            Rvalue::Unary { .. } | Rvalue::Compare { .. } | Rvalue::PtrDiff { .. } => Values::default(),
            Rvalue::Binary { op, lhs, rhs } => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                    let (lhs, rhs) = (operand(facts, lhs), operand(facts, rhs));
                    let number = lhs.is_empty() && rhs.is_empty();
                    if number { Values::default() } else { Values::unknown() }
                }
                _ => Values::default(),
            },
            Rvalue::PtrAdd { ptr, index, stride } => {
                let by = match index {
                    Operand::Const(Const::Int { value, .. }) => {
                        i64::try_from(*value).ok().and_then(|i| i.checked_mul(*stride))
                    }
                    _ => None,
                };
                operand(facts, ptr).moved(by)
            }
        })
    }

    fn store(&mut self, facts: &mut Facts, dest: &Place, value: Values) -> Option<()> {
        if let PlaceBase::Local(l) = dest.base {
            if dest.path.is_empty() {
                facts.locals.insert(l, value);
            } else {
                facts.locals.entry(l).or_default().merge(&value);
            }
            return Some(());
        }
        let base = address(facts, dest);
        self.access(&base)?;
        if !value.is_empty() {
            for p in &base.pointers {
                let off = if self.program.types.is_scalar(dest.ty) { p.off } else { None };
                facts.stored.entry(off).or_default().merge(&value);
            }
        }
        Some(())
    }
}

fn operand(facts: &Facts, op: &Operand) -> Values {
    match op {
        Operand::Local(l) => facts.locals.get(l).cloned().unwrap_or_default(),
        Operand::Const(Const::Global { global, offset, .. }) => {
            Values::of(Source::Global(*global), Some(*offset))
        }
        Operand::Const(_) => Values::default(),
    }
}

/// The address of a place.
fn address(facts: &Facts, place: &Place) -> Values {
    let base = match &place.base {
        PlaceBase::Local(_) => Values::of(Source::Own, Some(0)),
        PlaceBase::Global(g) => Values::of(Source::Global(*g), Some(0)),
        PlaceBase::Deref(op) => operand(facts, op),
    };
    let mut off = Some(0i64);
    for step in &place.path {
        let by = match step {
            Projection::Field { offset, .. } => i64::try_from(*offset).ok(),
            Projection::Index { index: Operand::Const(Const::Int { value, .. }), stride } => {
                i64::try_from(*value)
                    .ok()
                    .zip(i64::try_from(*stride).ok())
                    .and_then(|(i, s)| i.checked_mul(s))
            }
            Projection::Index { .. } => None,
        };
        off = off.zip(by).and_then(|(a, b)| a.checked_add(b));
    }
    base.moved(off)
}

/// What the cells hold that pointers lead to.
fn load(facts: &Facts, base: &Values, step: Option<i64>) -> Values {
    let mut out = Values { unknown: base.unknown, ..Values::default() };
    for p in &base.pointers {
        let at = p.off.zip(step).and_then(|(o, s)| o.checked_add(s));
        if p.path.0 != Source::Own {
            match at {
                Some(at) if p.path.1.len() <= MAX_STEPS => {
                    let mut path = p.path.clone();
                    path.1.push(at);
                    out.pointers.insert(Pointer { path, off: Some(0) });
                }
                _ => out.unknown = true,
            }
        }
        for (off, values) in &facts.stored {
            if p.path.0 == Source::Own || off.is_none() || at.is_none() || *off == at {
                out.merge(values);
            }
        }
    }
    out
}
