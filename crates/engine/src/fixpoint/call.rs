//! Calls (survey §5.3): the callee sees what its arguments and the globals reach; the rest is the frame.
//!
//! At a call the state is cut in two ([`crate::calls::cut`]). The entry is brought into normal form and looked up in the
//! table; the exits found for an equal entry are used again ([`super::entries`]).

use super::run::Run;
use crate::calls::cut::{Reach, rejoin};
use crate::transfer::place::Scope;
use heapwise_heap::state::Roots;
use heapwise_heap::{Base, Object, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Body, Call, Callee, FuncId, Function, FunctionBody, LocalId, LocalSet, Operand, PlaceBase, Span,
};
use heapwise_property::{ErrorKind, Kind, Reason};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Deepest nesting of calls that is followed.
const MAX_CALL_DEPTH: usize = 120;

/// A function with a body that is called.
#[derive(Clone, Copy)]
struct Target<'a> {
    func: FuncId,
    body: &'a Body,
}

impl Run<'_> {
    /// A call statement.
    pub(crate) fn call(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        call: &Call,
        live_after: Option<&LocalSet>,
        span: Span,
    ) -> Vec<State> {
        let target = match &call.callee {
            Callee::Direct(f) => *f,
            Callee::Indirect(op) => {
                let v = self.cx.operand(&mut state, scope, op);
                match v.base {
                    Base::Func(f) => f,
                    Base::Zero => {
                        let message = "the function pointer is null".into();
                        self.cx.alarm(scope.func, ErrorKind::NullDeref, span, true, message, Vec::new());
                        return Vec::new();
                    }
                    Base::Undef => {
                        let message = "the function pointer is not initialised".into();
                        let counts = self.cx.counts(ErrorKind::Uninitialised);
                        let kind = if counts {
                            Kind::from(ErrorKind::Uninitialised)
                        } else {
                            Reason::UnknownCall.into()
                        };
                        self.cx.alarm(scope.func, kind, span, true, message, Vec::new());
                        return Vec::new();
                    }
                    Base::Sym(_) => {
                        let message = "it is not known which function the pointer leads to".into();
                        self.cx.alarm(scope.func, Reason::UnknownCall, span, false, message, Vec::new());
                        return Vec::new();
                    }
                }
            }
        };
        let program = self.cx.program;
        let Some(function) = program.functions.get(target) else { return Vec::new() };
        // The call itself is the error, whether the program defines the function or not.
        if let Some(lib @ LibFn::ReachError) = LibFn::lookup(&function.name) {
            return self.cx.library_call(state, scope, lib, function, call, span);
        }
        match &function.body {
            FunctionBody::Defined(body) => {
                self.call_defined(state, scope, Target { func: target, body }, call, live_after, span)
            }
            FunctionBody::NotAnalysed { reason, .. } => {
                let message = format!("function `{}` is not analysed: {reason}", function.name);
                self.cx.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
                Vec::new()
            }
            FunctionBody::Declared => match function.library {
                Some(lib) => self.cx.library_call(state, scope, lib, function, call, span),
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
        if self.cx.options.unknown_calls != crate::options::UnknownCalls::Optimistic {
            let message = format!("nothing is known of function `{}`", function.name);
            self.cx.alarm(scope.func, Reason::UnknownCall, span, false, message, Vec::new());
            return Vec::new();
        }
        if function.noreturn {
            return Vec::new();
        }
        match &call.dest {
            Some(dest) => {
                let v = self.cx.any_value(&mut state, dest.ty);
                self.cx.store_result(state, scope, dest, v, span)
            }
            None => vec![state],
        }
    }

    fn call_defined(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        Target { func: target, body }: Target<'_>,
        call: &Call,
        live_after: Option<&LocalSet>,
        span: Span,
    ) -> Vec<State> {
        let variadic = self.cx.program.functions.get(target).is_some_and(|f| {
            matches!(self.cx.program.types.get(f.ty), heapwise_ir::Type::Function { variadic: true, .. })
        });
        if body.params.len() > call.args.len() || !variadic && body.params.len() != call.args.len() {
            let message = "the function is called with another number of arguments than it takes".into();
            self.cx.alarm(scope.func, Reason::UnknownCall, span, false, message, Vec::new());
            return Vec::new();
        }
        if self.table.stack.len() > MAX_CALL_DEPTH {
            self.cx.give_up(scope.func, span, "calls are nested too deeply");
            return Vec::new();
        }
        let info = self.cx.facts.info(target, body);
        let inner = Scope { func: target, body, info: &info };
        // Arguments become the callee's parameters; the caller's own names are held by the frame.
        let mut args: Vec<(LocalId, Argument)> = Vec::new();
        for (p, a) in body.params.iter().zip(&call.args) {
            let scalar = body.locals.get(*p).is_some_and(|l| self.cx.program.types.is_scalar(l.ty));
            if scalar {
                let v = self.cx.operand(&mut state, scope, a);
                args.push((*p, Argument::Value(v)));
            } else if let Operand::Local(l) = a
                && let Some(s) = state.root(Root::Slot(*l)).and_then(|v| v.as_sym())
                && let Some(o) = state.object(s)
            {
                args.push((*p, Argument::Bytes(o.clone())));
            }
        }
        let further = match body.varargs {
            Some(_) => self.cx.further_arguments(&mut state, scope, &call.args, body.params.len()),
            None => Vec::new(),
        };
        self.cx.shed_literals(&mut state);
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
                        self.cx.set_local(&mut state, inner, p, v);
                    } else if !v.is_undef() {
                        state.set_root(Root::Local(p), v);
                    }
                }
                Argument::Bytes(bytes) => {
                    if let Some(s) = self.cx.slot(&mut state, inner, p) {
                        let width = body.locals.get(p).map_or(0, |l| self.cx.size(l.ty));
                        if let Some(o) = state.object_mut(s) {
                            o.copy_from(0, &bytes, 0, width);
                        }
                    }
                }
            }
        }
        if let Some(local) = body.varargs {
            self.cx.place_varargs(&mut state, local, further, span);
        }
        let written = call.dest.as_ref().and_then(|d| match d.base {
            PlaceBase::Local(l) if d.path.is_empty() => Some(l),
            _ => None,
        });
        // The place of the result, if it is no plain local, is found with locals that may not be read later.
        let live_after = live_after.filter(|_| call.dest.is_none() || written.is_some());
        let caller_roots = self.cx.still_needed(&state, caller_roots, live_after, written);
        let narrow = self.cx.precision.is_narrow() && !self.wide.contains(&target);
        let footprint = if narrow { self.cx.facts.footprint(target) } else { None };
        let reach = match &footprint {
            Some(footprint) => Reach::Footprint(footprint, body),
            None => Reach::All,
        };
        let mut stand_by: BTreeSet<Root> = BTreeSet::new();
        for (i, param) in body.params.iter().enumerate() {
            if self.cx.facts.leaves_alone(target, i) {
                stand_by.insert(Root::Local(*param));
            }
        }
        // Where a function calls itself, what it does not need makes its entries grow.
        if self.cx.facts.calls.is_recursive(target)
            && let Some(named) = self.cx.facts.named_globals(target)
        {
            let others = |r: &Root| matches!(r, Root::Global(g) if !named.contains(g));
            stand_by.extend(state.roots().map(|(r, _)| r).filter(others));
        }
        let lean = (!self.wide.contains(&target)).then_some(&stand_by);
        let mut cut = self.cx.cut(state.clone(), caller_roots.clone(), own.clone(), target, reach, lean);
        if (cut.lean || cut.narrow)
            && !self.cx.facts.always_returns(target)
            && !cut.frame_holds_itself(&self.cx.preds)
        {
            cut = self.cx.cut(state, caller_roots, own, target, Reach::All, None);
        }
        if cut.lean {
            self.cx.leaned.insert(target);
        }
        self.cx.clumped |= cut.narrow;
        let key = cut.callee.canonical().0;
        let exits = self.exits_for(target, body, key, &cut.loose_names(), span, scope);
        let mut out = Vec::new();
        for exit in exits {
            if let Some(state) = rejoin(&cut, &exit, &self.cx.preds) {
                out.extend(self.cx.take_result(state, scope, call.dest.as_ref(), span));
            }
        }
        out
    }
}

enum Argument {
    Value(Val),
    Bytes(Arc<Object>),
}
