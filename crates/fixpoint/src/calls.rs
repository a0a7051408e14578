//! Which entry a call is answered by, for an analysis by a domain of states (survey §5.3).
//!
//! Equal entries are looked up in the table; those that are not known are solved ([`crate::recursion`]). Entries of recursive calls that keep changing are generalised and widened into one that covers them.

use crate::context::Site;
use crate::domain::Calls;
use crate::recursion::solve_entry;
use crate::solver::Solver;
use heapwise_ir::library::LibFn;
use heapwise_ir::{Body, Call, FuncId, FunctionBody, Type};
use heapwise_property::{ErrorKind, Reason};

/// Nested calls of one function before its entries are widened.
const RECURSION_UNROLL: usize = 2;
/// Entries of a recursive function that may be open at once.
const OPEN_ENTRIES: usize = 16;
/// Deepest nesting of calls that is followed.
const MAX_CALL_DEPTH: usize = 100;

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
        if let Some(exits) = self.table.find(func, &entry) {
            return exits;
        }
        let active = self.table.active(func);
        if active.len() < RECURSION_UNROLL {
            return solve_entry(self, func, body, entry, at.span);
        }
        // A recursive call: covered by an entry that is known, or widened into one that is under analysis.
        let mut exits = Vec::new();
        for mut key in self.domain.generalise(entry) {
            let domain = &self.domain;
            if let Some(known) = self.table.find_where(func, |e| domain.leq(&key, e).is_ok()) {
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
            exits.extend(solve_entry(self, func, body, key, at.span));
        }
        exits
    }
}
