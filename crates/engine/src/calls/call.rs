//! Calls (survey §5.3): the callee sees what its arguments and the globals reach; the rest is the frame.
//!
//! At a call the state is cut in two ([`crate::calls::cut`]). The entry is brought into normal form and looked up in the table; the exits found
//! for an equal entry are used again. Recursion: an entry that is being analysed answers with the exits found so far, and
//! is analysed again until they stop growing; entries of recursive calls that keep changing are widened into
//! one that covers them.

use crate::analysis::Analysis;
use crate::calls::cut::{Reach, rejoin};
use crate::disjuncts::merge::{Disjunct, Merger};
use crate::fixpoint::solver::{Solver, without_callers_names};
use crate::report::alarm::Kind;
use crate::transfer::place::{Purpose, Scope, Target};
use heapwise_heap::fold::abstracted;
use heapwise_heap::lattice::inclusion::included;
use heapwise_heap::lattice::join::JoinOptions;
use heapwise_heap::state::Roots;
use heapwise_heap::{Base, Fill, Object, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Body, Call, Callee, FuncId, Function, FunctionBody, LocalId, Operand, Place, PlaceBase, Span,
};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

/// Nested calls of one function before its entries are widened.
const RECURSION_UNROLL: usize = 2;
/// Exits that are left as they are.
const FEW_EXITS: usize = 3;
/// Entries of a function that are left as they are.
const FEW_ENTRIES: usize = 4;
/// More exits than this are folded before they are compared.
const CROWD_OF_EXITS: usize = 6;
/// Entries of a recursive function that may be open at once: each is wider than one before it, or has no description in
/// common with them.
const OPEN_ENTRIES: usize = 12;
/// Those in an eager attempt, in which they become wide soon: one for each order that cursors may have, several times.
const EAGER_ENTRIES: usize = 40;
/// Deepest nesting of calls that is followed.
const MAX_CALL_DEPTH: usize = 120;
/// Most rounds of a recursive function's fixpoint.
const MAX_ROUNDS: usize = 20;

/// One analysed entry of a function.
#[derive(Clone, Debug)]
struct Entry {
    entry: State,
    /// Its hash, which tells most entries apart.
    hash: u64,
    /// With their silhouettes: they are compared in every round.
    exits: Vec<Disjunct>,
    /// How often it was analysed.
    rounds: usize,
    /// While it is under analysis: its position on the stack.
    open: Option<usize>,
    /// The outermost open entry whose incomplete exits it used, and when that was.
    rests_on: Option<(usize, u64)>,
}

impl Entry {
    fn exit_states(&self) -> Vec<State> {
        self.exits.iter().map(|d| d.state.clone()).collect()
    }
}

/// What is known of functions so far.
///
/// An entry that used the incomplete exits of one further out is not iterated by itself: it is analysed once in every
/// round of that one, and keeps its exits from round to round. When a whole round of the outermost one adds nothing
/// anywhere, all of them are complete.
#[derive(Debug, Default)]
pub(crate) struct Table {
    entries: FxHashMap<FuncId, Vec<Entry>>,
    /// Entries under analysis, outermost first: function and normal form.
    stack: Vec<(FuncId, Rc<State>)>,
    /// The outermost open entry whose incomplete exits were used since the innermost one was opened.
    low: Option<usize>,
    /// Rounds begun so far; what rests on incomplete exits is good for one round.
    clock: u64,
    /// Whether exits were added to any entry in the present round.
    grown: bool,
}

impl Table {
    /// The exits that are known for an entry.
    pub(crate) fn exits_so_far(&self, func: FuncId, entry: &State) -> Vec<State> {
        let mut entries = self.entries.get(&func).into_iter().flatten();
        entries.find(|e| e.entry == *entry).map(Entry::exit_states).unwrap_or_default()
    }

    /// The functions under analysis.
    pub(crate) fn functions(&self) -> impl Iterator<Item = FuncId> {
        self.stack.iter().map(|(f, _)| *f)
    }

    fn find(&mut self, func: FuncId, key: &State) -> Option<Vec<State>> {
        let hash = FxBuildHasher.hash_one(key);
        let e = self.entries.get(&func)?.iter().find(|e| e.hash == hash && e.entry == *key)?;
        let rests_on = match (e.open, e.rests_on) {
            (Some(at), _) => Some(at),
            (None, Some((_, when))) if when != self.clock => return None,
            (None, rests_on) => rests_on.map(|(at, _)| at),
        };
        let exits = e.exit_states();
        self.low = outermost(self.low, rests_on);
        Some(exits)
    }

    fn entry_mut(&mut self, func: FuncId, key: &State) -> Option<&mut Entry> {
        let hash = FxBuildHasher.hash_one(key);
        self.entries.get_mut(&func)?.iter_mut().find(|e| e.hash == hash && e.entry == *key)
    }

    /// Puts an entry on the stack; returns its place there.
    fn open(&mut self, func: FuncId, key: &State) -> usize {
        let depth = self.stack.len();
        self.stack.push((func, Rc::new(key.clone())));
        if self.entry_mut(func, key).is_none() {
            let entry = Entry {
                entry: key.clone(),
                hash: FxBuildHasher.hash_one(key),
                exits: Vec::new(),
                rounds: 0,
                open: None,
                rests_on: None,
            };
            self.entries.entry(func).or_default().push(entry);
        }
        if let Some(e) = self.entry_mut(func, key) {
            e.open = Some(depth);
        }
        depth
    }

    /// Takes an entry off the stack; returns its exits. If it is complete, so is all that rests on it.
    fn close(&mut self, func: FuncId, key: &State, depth: usize) -> Vec<State> {
        self.stack.pop();
        let rests_on = self.low.filter(|l| *l < depth).map(|l| (l, self.clock));
        let mut exits = Vec::new();
        if let Some(e) = self.entry_mut(func, key) {
            e.open = None;
            e.rests_on = rests_on;
            exits = e.exit_states();
        }
        let inner = |e: &Entry| e.open.is_none() && e.rests_on.is_some_and(|(at, _)| at >= depth);
        if let Some((outer, _)) = rests_on {
            // What rests on this entry rests on all that it rests on.
            for e in self.entries.values_mut().flatten().filter(|e| inner(e)) {
                e.rests_on = e.rests_on.map(|(_, when)| (outer, when));
            }
        } else {
            let clock = self.clock;
            for list in self.entries.values_mut() {
                // What the last round did not come across is out of date.
                list.retain(|e| !inner(e) || e.rests_on.is_some_and(|(_, when)| when == clock));
                list.iter_mut().filter(|e| inner(e)).for_each(|e| e.rests_on = None);
            }
        }
        exits
    }
}

fn outermost(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Analysis<'_> {
    /// Runs the entry function of the program.
    pub(crate) fn run_entry(&mut self, entry: FuncId) {
        let program = self.program;
        let Some(function) = program.functions.get(entry) else { return };
        let FunctionBody::Defined(body) = &function.body else {
            let message = format!("function `{}` has no body that can be analysed", function.name);
            self.alarm(entry, Kind::Unsupported, function.span, true, message, Vec::new());
            return;
        };
        let mut state = self.initial_state(entry);
        let info = self.info(entry, body);
        let scope = Scope { func: entry, body, info: &info };
        for p in &body.params {
            let ty = body.locals.get(*p).map(|l| l.ty).unwrap_or(heapwise_ir::Ty(0));
            let v = self.any_value(&mut state, ty);
            self.set_local(&mut state, scope, *p, v);
        }
        let mut solver = Solver::new(entry, body, &info, vec![state]);
        solver.run(self);
        solver.recheck(self);
        let exits: Vec<State> = solver.returned().cloned().collect();
        self.count_exits(entry, &exits);
        for state in exits {
            if state.root(Root::Result).is_some_and(|v| v.is_undef()) {
                let message = "the exit status is not initialised".into();
                self.alarm(entry, Kind::Uninitialised, body.end, true, message, Vec::new());
            }
            self.program_end(&state, scope, body.end);
        }
    }

    /// What must hold when the program ends.
    pub(crate) fn program_end(&mut self, state: &State, scope: Scope<'_>, span: Span) {
        if !self.options.properties.cleanup {
            return;
        }
        for o in state.objects().map(|(_, o)| o).filter(|o| o.kind == ObjectKind::Heap) {
            let notes = vec![("the block is allocated here".to_owned(), o.site)];
            let message = "a block is still allocated when the program ends".into();
            self.alarm(scope.func, Kind::Leak, span, true, message, notes);
        }
        if state.has_summaries() {
            let message = "blocks may still be allocated when the program ends".into();
            self.alarm(scope.func, Kind::Leak, span, false, message, Vec::new());
        }
    }

    /// A call statement.
    pub(crate) fn call(&mut self, mut state: State, scope: Scope<'_>, call: &Call, span: Span) -> Vec<State> {
        let target = match &call.callee {
            Callee::Direct(f) => *f,
            Callee::Indirect(op) => {
                let v = self.operand(&mut state, scope, op);
                match v.base {
                    Base::Func(f) => f,
                    Base::Zero => {
                        let message = "the function pointer is null".into();
                        self.alarm(scope.func, Kind::NullDeref, span, true, message, Vec::new());
                        return Vec::new();
                    }
                    Base::Undef => {
                        let message = "the function pointer is not initialised".into();
                        let counts = self.counts(Kind::Uninitialised);
                        let kind = if counts { Kind::Uninitialised } else { Kind::UnknownCall };
                        self.alarm(scope.func, kind, span, true, message, Vec::new());
                        return Vec::new();
                    }
                    Base::Sym(_) => {
                        let message = "it is not known which function the pointer leads to".into();
                        self.alarm(scope.func, Kind::UnknownCall, span, false, message, Vec::new());
                        return Vec::new();
                    }
                }
            }
        };
        let program = self.program;
        let Some(function) = program.functions.get(target) else { return Vec::new() };
        // The call itself is the error, whether the program defines the function or not.
        if let Some(lib @ LibFn::ReachError) = LibFn::lookup(&function.name) {
            return self.library_call(state, scope, lib, function, call, span);
        }
        match &function.body {
            FunctionBody::Defined(body) => self.call_defined(state, scope, target, body, call, span),
            FunctionBody::NotAnalysed { reason, .. } => {
                let message = format!("function `{}` is not analysed: {reason}", function.name);
                self.alarm(scope.func, Kind::Unsupported, span, false, message, Vec::new());
                Vec::new()
            }
            FunctionBody::Declared => match function.library {
                Some(lib) => self.library_call(state, scope, lib, function, call, span),
                None => self.unknown_call(state, scope, function, call, span),
            },
        }
    }

    fn unknown_call(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        function: &Function,
        call: &Call,
        span: Span,
    ) -> Vec<State> {
        // It may call back into the program, or do what no C function does: nothing is known after it.
        if self.options.unknown_calls != crate::options::UnknownCalls::Optimistic {
            let message = format!("nothing is known of function `{}`", function.name);
            self.alarm(scope.func, Kind::UnknownCall, span, false, message, Vec::new());
            return Vec::new();
        }
        if function.noreturn {
            return Vec::new();
        }
        match &call.dest {
            Some(dest) => {
                let v = self.any_value(&mut state, dest.ty);
                self.store_result(state, scope, dest, v, span)
            }
            None => vec![state],
        }
    }

    fn call_defined(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        target: FuncId,
        body: &Body,
        call: &Call,
        span: Span,
    ) -> Vec<State> {
        let live_after = self.live_after.take();
        let variadic = self.program.functions.get(target).is_some_and(|f| {
            matches!(self.program.types.get(f.ty), heapwise_ir::Type::Function { variadic: true, .. })
        });
        if body.params.len() > call.args.len() || !variadic && body.params.len() != call.args.len() {
            let message = "the function is called with another number of arguments than it takes".into();
            self.alarm(scope.func, Kind::UnknownCall, span, false, message, Vec::new());
            return Vec::new();
        }
        if self.table.stack.len() > MAX_CALL_DEPTH {
            self.give_up(scope.func, span, "calls are nested too deeply");
            return Vec::new();
        }
        let info = self.info(target, body);
        let inner = Scope { func: target, body, info: &info };
        // Arguments become the callee's parameters; the caller's own names are held by the frame.
        let mut args: Vec<(LocalId, Argument)> = Vec::new();
        for (p, a) in body.params.iter().zip(&call.args) {
            let scalar = body.locals.get(*p).is_some_and(|l| self.program.types.is_scalar(l.ty));
            if scalar {
                let v = self.operand(&mut state, scope, a);
                args.push((*p, Argument::Value(v)));
            } else if let Operand::Local(l) = a
                && let Some(s) = state.root(Root::Slot(*l)).and_then(|v| v.as_sym())
                && let Some(o) = state.object(s)
            {
                args.push((*p, Argument::Bytes(o.clone())));
            }
        }
        let further = match body.varargs {
            Some(_) => self.further_arguments(&mut state, scope, &call.args, body.params.len()),
            None => Vec::new(),
        };
        self.shed_literals(&mut state);
        let caller_roots = state.set_roots(Roots::new());
        // Stack objects of the caller are somebody else's from inside.
        let on_stack = |o: &Object| matches!(o.kind, ObjectKind::Local(_) | ObjectKind::Scope(_));
        let own: Vec<(Sym, ObjectKind)> =
            state.objects().filter(|(_, o)| on_stack(o)).map(|(s, o)| (s, o.kind)).collect();
        for (s, kind) in &own {
            let constant = scope.is_constant(*kind);
            if let Some(o) = state.object_mut(*s) {
                o.kind = if constant { ObjectKind::OuterConstant } else { ObjectKind::Outer };
            }
        }
        let globals: Roots = caller_roots
            .iter()
            .filter(|(r, _)| matches!(r, Root::Global(_)))
            .map(|(r, v)| (*r, *v))
            .collect();
        state.set_roots(globals.clone());
        for (p, a) in args {
            match a {
                Argument::Value(v) => {
                    if inner.info.is_slot(p) {
                        self.set_local(&mut state, inner, p, v);
                    } else if !v.is_undef() {
                        state.set_root(Root::Local(p), v);
                    }
                }
                Argument::Bytes(bytes) => {
                    if let Some(s) = self.slot(&mut state, inner, p) {
                        let width = body.locals.get(p).map_or(0, |l| self.size(l.ty));
                        if let Some(o) = state.object_mut(s) {
                            o.copy_from(0, &bytes, 0, width);
                        }
                    }
                }
            }
        }
        if let Some(local) = body.varargs {
            self.place_varargs(&mut state, local, further, span);
        }
        let written = call.dest.as_ref().and_then(|d| match d.base {
            PlaceBase::Local(l) if d.path.is_empty() => Some(l),
            _ => None,
        });
        // The place of the result, if it is no plain local, is found with locals that may not be read later.
        let live_after = live_after.filter(|_| call.dest.is_none() || written.is_some());
        let caller_roots = self.still_needed(&state, caller_roots, live_after, written);
        let narrow = self.narrow && !self.wide.contains(&target);
        let footprint = if narrow { self.footprints.of(self.program, &self.calls, target) } else { None };
        let reach = match &footprint {
            Some(footprint) => Reach::Footprint(footprint, body),
            None => Reach::All,
        };
        let mut stand_by: BTreeSet<Root> = BTreeSet::new();
        for (i, param) in body.params.iter().enumerate() {
            if self.unaccessed.is_one(self.program, target, i) {
                stand_by.insert(Root::Local(*param));
            }
        }
        // Where a function calls itself, what it does not need makes its entries grow.
        if self.calls.is_recursive(target)
            && let Some(named) = self.unaccessed.named_globals(self.program, target)
        {
            let others = |r: &Root| matches!(r, Root::Global(g) if !named.contains(g));
            stand_by.extend(state.roots().map(|(r, _)| r).filter(others));
        }
        let lean = (!self.wide.contains(&target)).then_some(&stand_by);
        let mut cut = self.cut(state.clone(), caller_roots.clone(), own.clone(), target, reach, lean);
        if (cut.lean || cut.narrow)
            && !self.must_return.always(self.program, &self.calls, target)
            && !cut.frame_holds_itself(&self.preds)
        {
            cut = self.cut(state, caller_roots, own, target, Reach::All, None);
        }
        if cut.lean {
            self.leaned.insert(target);
        }
        self.clumped |= cut.narrow;
        let key = cut.callee.canonical().0;
        let exits = self.exits_for(target, body, key, &cut.loose_names(), span, scope);
        let mut out = Vec::new();
        for exit in exits {
            if let Some(state) = rejoin(&cut, &exit, &self.preds) {
                out.extend(self.take_result(state, scope, call.dest.as_ref(), span));
            }
        }
        out
    }

    /// The exits of a function for an entry in normal form.
    fn exits_for(
        &mut self,
        func: FuncId,
        body: &Body,
        key: State,
        loose: &[Root],
        span: Span,
        scope: Scope<'_>,
    ) -> Vec<State> {
        if let Some(exits) = self.table.find(func, &key) {
            return exits;
        }
        let key = match self.clumped_entry(func, body, &key, loose) {
            Some(key) => match self.table.find(func, &key).or_else(|| self.covering(func, &key)) {
                Some(exits) => return exits,
                None => key,
            },
            None => key,
        };
        let active: Vec<Rc<State>> =
            self.table.stack.iter().filter(|(f, _)| *f == func).map(|(_, e)| e.clone()).collect();
        let mut key = key;
        let unroll = if self.eager { 1 } else { RECURSION_UNROLL };
        if active.len() >= unroll {
            // A recursive call: covered by an entry under analysis, or widened into one.
            let types = &self.program.types;
            let keep = active.len() < 4 && !self.eager;
            key = abstracted(&key, &mut self.preds, types, keep).canonical().0;
            for old in active.iter().rev() {
                if included(&key, old, &self.preds).is_ok() {
                    return self.table.find(func, old).unwrap_or_default();
                }
            }
            if let Some(exits) = self.covering(func, &key) {
                return exits;
            }
            let options = JoinOptions {
                widen: Some(&self.type_limits),
                keep_constants: keep,
                keep_flags: !self.eager,
                keep_null: !self.eager,
                keep_ways: true,
                keep_numbers: keep,
                keep_objects: false,
                guided: true,
                bold: self.eager,
            };
            let new = Disjunct::new(key);
            let mut wider = None;
            for old in active.iter().rev() {
                let old = Disjunct::new(abstracted(old, &mut self.preds, types, keep));
                let mut merger = Merger {
                    strategy: self.strategy,
                    preds: &self.preds,
                    statistics: &mut self.statistics,
                    silhouettes: &mut self.silhouettes,
                    count_losses: self.options.count_losses,
                    patience: crate::disjuncts::merge::Patience::new(self.deadline),
                };
                wider = merger.join(&old, &new, options);
                if wider.is_some() {
                    break;
                }
            }
            key = wider.map_or(new.state, |wider| wider.state.canonical().0);
            if active.len() > if self.eager { EAGER_ENTRIES } else { OPEN_ENTRIES } {
                self.give_up(scope.func, span, "the entries of a recursive function do not stabilise");
                return Vec::new();
            }
        }
        self.analyse_entry(func, body, key, span)
    }

    /// A function that has many entries gets more general ones: without names that only the caller's memory gives
    /// to parts of structures, and with such parts folded.
    fn clumped_entry(&mut self, func: FuncId, body: &Body, key: &State, loose: &[Root]) -> Option<State> {
        let known = self.table.entries.get(&func).map_or(0, Vec::len);
        // What a function without loops looked at is often what its caller needs afterwards.
        let loops = self.info(func, body).cfg.has_cycle();
        if !self.narrow
            || self.eager && !loops
            || known < FEW_ENTRIES && !self.eager
            || !key.has_summaries()
            || self.calls.is_recursive(func)
        {
            return None;
        }
        if self.footprints.of(self.program, &self.calls, func).is_some() {
            return None;
        }
        self.clumped = true;
        let mut entry = key.clone();
        if self.eager {
            self.drop_loose_names(&mut entry, loose);
            entry.forget_nonempty();
        } else {
            let slim = without_callers_names(self, key.clone(), &FxHashSet::default());
            entry.retain_roots(|r, _| !loose.contains(&r) || slim.has_root(r));
        }
        entry.drop_implied(&self.preds);
        let entry = abstracted(&entry, &mut self.preds, &self.program.types, true);
        Some(entry.canonical().0)
    }

    /// The exits of a more general entry that is done with, for an eager attempt.
    fn covering(&self, func: FuncId, key: &State) -> Option<Vec<State>> {
        let known = self.table.entries.get(&func).filter(|_| self.eager)?;
        let done = known.iter().filter(|e| e.open.is_none() && e.rests_on.is_none());
        let mut alike = done.filter(|e| e.entry.roots().map(|(r, _)| r).eq(key.roots().map(|(r, _)| r)));
        let covers = alike.find(|e| included(key, &e.entry, &self.preds).is_ok())?;
        Some(covers.exit_states())
    }

    /// Drops the names that only the caller's memory gives, but for those without which memory would be lost. A caller
    /// then knows nothing of these values after the call.
    fn drop_loose_names(&self, entry: &mut State, loose: &[Root]) {
        let others = entry.roots().filter(|(r, _)| !loose.contains(r));
        let mut reach: BTreeSet<Sym> = others.filter_map(|(_, v)| v.as_sym()).collect();
        self.follow(entry, &mut reach, &mut vec![false; entry.summaries().len()], false);
        let needed = |s: Sym| {
            let outer = entry.object(s).is_some_and(|o| o.kind != ObjectKind::Heap);
            let begins = |t: &heapwise_heap::Summary| t.values().any(|v| v.as_sym() == Some(s));
            let has_memory = entry.has_object(s) || entry.summaries().any(begins);
            outer || has_memory && !reach.contains(&s)
        };
        let dropped: Vec<Root> = entry
            .roots()
            .filter(|(r, v)| loose.contains(r) && !v.as_sym().is_some_and(needed))
            .map(|(r, _)| r)
            .collect();
        entry.retain_roots(|r, _| !dropped.contains(&r));
    }

    fn analyse_entry(&mut self, func: FuncId, body: &Body, key: State, span: Span) -> Vec<State> {
        if let Some(exits) = self.table.find(func, &key) {
            return exits;
        }
        let depth = self.table.open(func, &key);
        self.statistics.entries += 1;
        let info = self.info(func, body);
        let outer = self.table.low.take();
        while !self.out_of_budget(func, span) {
            let grown_outside = std::mem::take(&mut self.table.grown);
            let mut solver = Solver::new(func, body, &info, vec![key.clone()]);
            solver.run(self);
            let exits: Vec<State> = solver.returned().cloned().collect();
            let (grown, round) = self.add_exits(func, &key, exits);
            let low = self.table.low;
            let grown = self.table.grown || grown;
            self.table.grown = grown || grown_outside;
            // An entry further out goes on with it, or nothing is left to be repeated.
            if !grown || low != Some(depth) {
                if !grown || low.is_none() {
                    solver.recheck(self);
                    self.table.low = low;
                }
                break;
            }
            if round > MAX_ROUNDS {
                self.give_up(func, span, "the results of a recursive function do not stabilise");
                break;
            }
            self.table.clock += 1;
            self.table.low = None;
        }
        let exits = self.table.close(func, &key, depth);
        self.table.low = outermost(outer, self.table.low.filter(|l| *l < depth));
        exits
    }

    /// Adds exits to an entry; whether any of them is new, and how often the entry was analysed before.
    fn add_exits(&mut self, func: FuncId, key: &State, exits: Vec<State>) -> (bool, usize) {
        let Some(e) = self.table.entry_mut(func, key) else { return (false, 0) };
        let round = e.rounds;
        e.rounds += 1;
        let known = std::mem::take(&mut e.exits);
        let (known, grown) = self.merge_exits(func, known, exits, round, false);
        if let Some(e) = self.table.entry_mut(func, key) {
            e.exits = known;
        }
        (grown, round)
    }

    /// How many disjuncts the caller of a function with these exits would get.
    pub(crate) fn count_exits(&mut self, func: FuncId, exits: &[State]) {
        let folded = self.eager;
        self.statistics.exit_disjuncts =
            self.merge_exits(func, Vec::new(), exits.to_vec(), 0, folded).0.len();
    }

    /// Brings exits into those that are known; whether any of them is new.
    fn merge_exits(
        &mut self,
        func: FuncId,
        mut known: Vec<Disjunct>,
        exits: Vec<State>,
        round: usize,
        folded: bool,
    ) -> (Vec<Disjunct>, bool) {
        let mut grown = false;
        let types = &self.program.types;
        let crowded = self.narrow && exits.len() > CROWD_OF_EXITS && !self.calls.is_recursive(func);
        let mut seen: FxHashSet<State> = FxHashSet::default();
        for mut exit in exits {
            exit.drop_implied(&self.preds);
            if crowded && exit.has_summaries() {
                self.clumped = true;
                exit = abstracted(&exit, &mut self.preds, types, round < 4);
            }
            let exit = exit.canonical().0;
            if crowded && !seen.insert(exit.clone()) {
                continue;
            }
            let mut new = Disjunct::new(exit);
            if self.merger().covered(&new, &known) {
                continue;
            }
            // Where a structure is known, what was changed in it becomes part of it again.
            let many = known.len() > FEW_EXITS;
            if folded || round > 0 || many && new.state.has_summaries() && !self.calls.is_recursive(func) {
                new = Disjunct::new(abstracted(&new.state, &mut self.preds, types, round < 4));
            }
            if self.merger().covered(&new, &known) {
                continue;
            }
            grown = true;
            let options = JoinOptions {
                widen: (round > 1).then_some(&self.type_limits),
                keep_constants: round < 3,
                keep_flags: round < 12 && !folded || round < 3,
                keep_null: round < 12 && !folded,
                keep_ways: round < 12,
                keep_numbers: round < 4 && !folded,
                keep_objects: round == 0 && !many && !folded,
                guided: true,
                bold: self.eager,
            };
            let mut merger = Merger {
                strategy: self.strategy,
                preds: &self.preds,
                statistics: &mut self.statistics,
                silhouettes: &mut self.silhouettes,
                count_losses: self.options.count_losses,
                patience: crate::disjuncts::merge::Patience::new(self.deadline),
            };
            let mut k = 0;
            while k < known.len() {
                let same = if self.eager { merger.join_results(&known[k], &new, options) } else { None };
                match same.or_else(|| merger.join(&known[k], &new, options)) {
                    Some(joined) => {
                        new = Disjunct::new(joined.state.canonical().0);
                        known.remove(k);
                    }
                    None => k += 1,
                }
            }
            merger.drop_covered(&mut known, &new);
            known.push(new);
        }
        (known, grown)
    }

    /// Stores what a call returned.
    fn take_result(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        dest: Option<&Place>,
        span: Span,
    ) -> Vec<State> {
        let result = state.root(Root::Result);
        let aggregate = dest.is_some_and(|d| !self.program.types.is_scalar(d.ty));
        let (Some(dest), Some(v)) = (dest, result) else {
            if let Some(s) = state.drop_root(Root::Result).and_then(|v| v.as_sym())
                && state.object(s).is_some_and(|o| matches!(o.kind, ObjectKind::Local(_)))
            {
                state.remove_object(s);
            }
            return self.swept(state, scope, span);
        };
        if !aggregate {
            // The result is held until it is stored.
            let mut out = Vec::new();
            for mut state in self.store_result(state, scope, dest, v, span) {
                state.drop_root(Root::Result);
                out.extend(self.swept(state, scope, span));
            }
            return out;
        }
        let width = self.size(dest.ty);
        let mut out = Vec::new();
        for (mut state, target) in self.place_target(state, scope, dest, width, span, Purpose::Write) {
            let source = state.drop_root(Root::Result).and_then(|v| v.as_sym());
            let bytes = source.and_then(|s| state.remove_object(s));
            match (bytes, target) {
                (Some(bytes), Target::Bytes(s, off)) => {
                    if let Some(o) = state.object_mut(s) {
                        o.copy_from(off, &bytes, 0, width);
                    }
                }
                (bytes, _) => {
                    let clean = bytes.is_some_and(|o| o.initialised_from_start() >= width);
                    let fill = if clean { Fill::Unknown } else { Fill::Uninit };
                    crate::transfer::memory::overwrite_target(&mut state, target, width, fill);
                }
            }
            out.extend(self.swept(state, scope, span));
        }
        out
    }
}

enum Argument {
    Value(Val),
    Bytes(Arc<Object>),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry that differs from others by the number of one variable.
    fn key(n: i128) -> State {
        let mut state = State::default();
        state.set_root(Root::Scratch(0), Val::int(n));
        state
    }

    #[test]
    fn what_rests_on_an_incomplete_entry_is_not_complete_before_it() {
        let mut table = Table::default();
        let f = FuncId(0);
        let [outermost, middle, inner, other] = [0, 1, 2, 3].map(key);
        table.open(f, &outermost);
        table.open(f, &middle);
        table.open(f, &inner);
        // The inner one uses the middle one, and that the outermost one.
        table.low = Some(1);
        table.close(f, &inner, 2);
        table.low = Some(0);
        table.close(f, &middle, 1);
        // Another entry takes the middle one's place on the stack, and uses the inner one.
        table.low = None;
        table.open(f, &other);
        assert!(table.find(f, &inner).is_some());
        assert_eq!(table.low, Some(0), "it still rests on the outermost entry");
        table.close(f, &other, 1);
        for k in [&middle, &inner, &other] {
            assert!(table.entry_mut(f, k).is_some_and(|e| e.rests_on.is_some()), "not complete yet");
        }
        table.low = None;
        table.close(f, &outermost, 0);
        for k in [&middle, &inner, &other, &outermost] {
            assert!(table.entry_mut(f, k).is_some_and(|e| e.rests_on.is_none()), "complete");
        }
    }
}
