//! Calls (survey §5.3): entries are looked up in the table; recursion is a fixpoint over it.
//!
//! An entry that is being analysed answers with the exits found so far, and is analysed again until they stop growing.
//! Entries of recursive calls that keep changing are generalised and widened into one that covers them.

use crate::context::Site;
use crate::domain::Calls;
use crate::solver::{Solver, Work};
use crate::table::outermost;
use heapwise_ir::library::LibFn;
use heapwise_ir::{Body, Call, FuncId, FunctionBody, Span, Type};
use heapwise_property::{ErrorKind, Reason};

/// Nested calls of one function before its entries are widened.
const RECURSION_UNROLL: usize = 2;
/// Entries of a recursive function that may be open at once.
const OPEN_ENTRIES: usize = 16;
/// Deepest nesting of calls that is followed.
const MAX_CALL_DEPTH: usize = 100;
/// Most rounds of a recursive function's fixpoint.
const MAX_ROUNDS: usize = 30;
/// Rounds before exits are widened.
const JOINED_ROUNDS: usize = 3;
/// Exits that are left as they are.
const FEW_EXITS: usize = 4;

impl<D: Calls> Solver<'_, D> {
    /// A call statement.
    pub(crate) fn call(&mut self, at: &Site<'_>, call: &Call, state: D::State) -> Vec<D::State> {
        let program = self.cx.program;
        let mut out = Vec::new();
        for (target, state) in self.domain.callees(&mut self.cx, at, &call.callee, state) {
            let Some(function) = program.functions.get(target) else { continue };
            // The call itself is the error, whether the program defines the function or not.
            if LibFn::lookup(&function.name) == Some(LibFn::ReachError) {
                self.cx.alarm(at, ErrorKind::ReachError, false, "the error function may be called");
                // Where that does not count, the program ends here as it does by `exit`.
                self.domain.library(&mut self.cx, at, LibFn::Exit, call, state);
                continue;
            }
            match &function.body {
                FunctionBody::Defined(body) => out.extend(self.defined(at, target, body, call, state)),
                FunctionBody::NotAnalysed { reason, .. } => {
                    let message = format!("function `{}` is not analysed: {reason}", function.name);
                    self.cx.alarm(at, Reason::Unsupported, false, message);
                }
                FunctionBody::Declared => match function.library {
                    Some(lib) => out.extend(self.domain.library(&mut self.cx, at, lib, call, state)),
                    None if !self.cx.settings.trust_unknown_calls => {
                        let message = format!("nothing is known of function `{}`", function.name);
                        self.cx.alarm(at, Reason::UnknownCall, false, message);
                    }
                    None if function.noreturn => {}
                    None => out.extend(self.domain.any_result(&mut self.cx, at, call, state)),
                },
            }
        }
        out
    }

    fn defined(
        &mut self,
        at: &Site<'_>,
        target: FuncId,
        body: &Body,
        call: &Call,
        state: D::State,
    ) -> Vec<D::State> {
        let types = &self.cx.program.types;
        let ty = self.cx.program.functions.get(target).map(|f| types.get(f.ty));
        let variadic = matches!(ty, Some(Type::Function { variadic: true, .. }));
        if body.params.len() > call.args.len() || !variadic && body.params.len() != call.args.len() {
            let message = "the function is called with another number of arguments than it takes";
            self.cx.alarm(at, Reason::UnknownCall, false, message);
            return Vec::new();
        }
        if self.table.depth() > MAX_CALL_DEPTH {
            self.cx.give_up(at, "calls are nested too deeply");
            return Vec::new();
        }
        let entered = self.domain.enter(&mut self.cx, at, (target, body), call, state);
        let Some((entry, frame)) = entered else { return Vec::new() };
        let mut out = Vec::new();
        for exit in self.exits_for(at, target, body, entry) {
            out.extend(self.domain.leave(&mut self.cx, at, call, &frame, &exit));
        }
        out
    }

    /// The exits of a function for an entry.
    fn exits_for(&mut self, at: &Site<'_>, func: FuncId, body: &Body, entry: D::State) -> Vec<D::State> {
        if let Some(exits) = self.table.find(func, |e| *e == entry) {
            return exits;
        }
        let active = self.table.active(func);
        if active.len() < RECURSION_UNROLL {
            return self.analyse_entry(func, body, entry, at.span);
        }
        // A recursive call: covered by an entry that is known, or widened into one that is under analysis.
        let mut exits = Vec::new();
        for mut key in self.domain.generalise(entry) {
            let domain = &self.domain;
            if let Some(known) = self.table.find(func, |e| domain.leq(&key, e).is_ok()) {
                exits.extend(known);
                continue;
            }
            if let Some(wider) = active.iter().find_map(|old| self.domain.widen(old, &key).ok()) {
                key = wider;
            }
            if active.len() > OPEN_ENTRIES {
                self.cx.give_up(at, "the entries of a recursive function do not stabilise");
                return Vec::new();
            }
            exits.extend(self.analyse_entry(func, body, key, at.span));
        }
        exits
    }

    fn analyse_entry(&mut self, func: FuncId, body: &Body, key: D::State, span: Span) -> Vec<D::State> {
        if let Some(exits) = self.table.find(func, |e| *e == key) {
            return exits;
        }
        let depth = self.table.open(func, &key);
        self.statistics.entries += 1;
        let info = self.info(func, body);
        let outer = self.table.low.take();
        while !self.cx.is_exhausted() {
            let grown_outside = std::mem::take(&mut self.table.grown);
            let mut work = Work::new(func, body, info.clone(), vec![key.clone()]);
            self.run(&mut work);
            let (grown, round) = self.add_exits(func, &key, work.returned(), span);
            let low = self.table.low;
            let grown = self.table.grown || grown;
            self.table.grown = grown || grown_outside;
            // An entry further out goes on with it, or nothing is left to be repeated.
            if !grown || low != Some(depth) {
                if !grown || low.is_none() {
                    self.recheck(&work, Some(&key));
                    self.table.low = low;
                }
                break;
            }
            if round > MAX_ROUNDS {
                let at = Site { func, body, span, point: (Body::ENTRY, 0), live_after: None };
                self.cx.give_up(&at, "the results of a recursive function do not stabilise");
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
    fn add_exits(&mut self, func: FuncId, key: &D::State, exits: Vec<D::State>, span: Span) -> (bool, usize) {
        let mut known = self.table.exits_so_far(func, key);
        let round = self.table.rounds(func, key);
        let mut grown = false;
        let crowd = exits.len() > FEW_EXITS;
        for exit in exits {
            if self.covered(&exit, &known) {
                continue;
            }
            if round == 0 && !crowd {
                known.push(exit);
                grown = true;
                continue;
            }
            for part in self.domain.generalise(exit) {
                grown |= self.put_in(&mut known, part, round > JOINED_ROUNDS, span);
            }
        }
        self.table.set_exits(func, key, known);
        (grown, round)
    }
}
