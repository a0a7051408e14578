//! Calls (survey §5.3): the callee sees what its arguments and the globals reach; the rest is the frame.
//!
//! At a call the state is cut in two ([`crate::calls::cut`]). The entry is brought into normal form and looked up in the
//! table; the exits found for an equal entry are used again ([`super::entries`]).

use super::run::Run;
use crate::calls::contract::ByContract;
use crate::calls::cut::{Reach, rejoin};
use crate::transfer::library::varargs::Further;
use crate::transfer::place::Scope;
use heapwise_heap::state::Roots;
use heapwise_heap::{Base, Object, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Body, Call, Callee, FuncId, Function, FunctionBody, LocalId, LocalSet, Operand, Place, PlaceBase, Span,
};
use heapwise_property::{ErrorKind, Kind, Reason};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Deepest nesting of calls that is followed.
const MAX_CALL_DEPTH: usize = 20_000;
/// Each nested call is followed on the stack: so much of it must be left, and so much is added where it is not.
const STACK: (usize, usize) = (1 << 20, 16 << 20);

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
        let options = self.cx.options;
        if let Some(contract) = options.declarations.at_calls.get(&target)
            && contract.params.len() == call.args.len()
        {
            let args = call.args.iter().map(|a| self.cx.operand(&mut state, scope, a)).collect();
            let by = ByContract { function, contract, args, dest: call.dest.as_ref() };
            return self.cx.call_by_contract(state, scope, &by, span);
        }
        if options.function.is_some() && self.cx.facts.handlers().contains(&span) {
            let message = "a contract does not say that a signal handler is installed";
            self.cx.alarm(scope.func, Reason::Unsupported, span, false, message.into(), Vec::new());
            return Vec::new();
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
                Some(LibFn::Exit) => {
                    let ended = self.at_exit(state, scope, span);
                    ended
                        .into_iter()
                        .flat_map(|s| self.cx.library_call(s, scope, LibFn::Exit, function, call, span))
                        .collect()
                }
                Some(lib @ (LibFn::Qsort | LibFn::Bsearch)) => {
                    self.call_back(state, scope, (lib, function), call, span)
                }
                Some(lib) => self.cx.library_call(state, scope, lib, function, call, span),
                None => self.unknown_call(state, scope, function, call, span),
            },
        }
    }

    /// The states after the functions have run that were registered for the end of the program.
    pub(crate) fn at_exit(&mut self, state: State, scope: Scope<'_>, span: Span) -> Vec<State> {
        let mut ended = Vec::new();
        let mut todo = vec![state];
        while let Some(mut state) = todo.pop() {
            match self.cx.take_at_exit(&mut state, scope, span) {
                Err(()) => {}
                Ok(None) => ended.push(state),
                Ok(Some(f)) => {
                    let call = Call { callee: Callee::Direct(f), args: Vec::new(), dest: None };
                    todo.extend(self.call(state, scope, &call, None, span));
                }
            }
        }
        ended
    }

    fn unknown_call(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        function: &Function,
        call: &Call,
        span: Span,
    ) -> Vec<State> {
        // It may call back into the program, or do what no C function does: nothing is known after it, unless there is nothing
        // that it could reach.
        if self.cx.options.unknown_calls != crate::options::UnknownCalls::Optimistic
            && !self.reaches_nothing(scope, call)
        {
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

    /// Whether unknown code that gets these arguments finds no memory that the program may look at afterwards: no pointer is
    /// passed, and there is no variable of static storage that it, or functions of the program that it calls, could know. What
    /// other calls have made known to it has ended the analysis there. Nor may it run a handler of signals, or be of a library
    /// of which contracts are known: what such a function needs they would say.
    fn reaches_nothing(&self, scope: Scope<'_>, call: &Call) -> bool {
        let program = self.cx.program;
        let is_number = |operand: &Operand| {
            let ty = program.operand_ty(scope.body, operand);
            ty.is_some_and(|ty| program.types.as_int(ty).is_some_and(|int| int.bits < 64))
                || ty.is_some_and(|ty| matches!(program.types.get(ty), heapwise_ir::Type::Float(_)))
                || matches!(operand, Operand::Const(heapwise_ir::Const::Int { .. }))
        };
        call.args.iter().all(is_number)
            && !self.cx.facts.has_static_memory()
            && self.cx.facts.handlers().is_empty()
            && !self.cx.options.declarations.has_library
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
        let to = Called { func: target, body, args, further, dest: call.dest.as_ref() };
        stacker::maybe_grow(STACK.0, STACK.1, || self.enter(state, scope, to, live_after, span))
    }

    /// A call of a function with values, whose result does not matter.
    pub(super) fn call_with(
        &mut self,
        state: State,
        scope: Scope<'_>,
        target: FuncId,
        values: &[Val],
        span: Span,
    ) -> Vec<State> {
        let body = match self.cx.program.functions.get(target).map(|f| &f.body) {
            Some(FunctionBody::Defined(body)) if body.params.len() == values.len() => body,
            _ => {
                let message = "nothing is known of a function that the library calls".into();
                self.cx.alarm(scope.func, Reason::UnknownCall, span, false, message, Vec::new());
                return Vec::new();
            }
        };
        let args = body.params.iter().zip(values).map(|(p, v)| (*p, Argument::Value(*v))).collect();
        let to = Called { func: target, body, args, further: Vec::new(), dest: None };
        self.enter(state, scope, to, None, span)
    }

    /// The states after a function was entered and has returned.
    fn enter(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        to: Called<'_>,
        live_after: Option<&LocalSet>,
        span: Span,
    ) -> Vec<State> {
        let Called { func: target, body, args, further, dest } = to;
        if self.table.depth() > MAX_CALL_DEPTH {
            self.cx.give_up(scope.func, span, "calls are nested too deeply");
            return Vec::new();
        }
        let info = self.cx.facts.info(target, body);
        let inner = Scope { func: target, body, info: &info };
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
            .filter(|(r, _)| matches!(r, Root::Global(_) | Root::AtExit(_)))
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
        let written = dest.and_then(|d| match d.base {
            PlaceBase::Local(l) if d.path.is_empty() => Some(l),
            _ => None,
        });
        // The place of the result, if it is no plain local, is found with locals that may not be read later.
        let live_after = live_after.filter(|_| dest.is_none() || written.is_some());
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
                out.extend(self.cx.take_result(state, scope, dest, span));
            }
        }
        out
    }
}

/// A function that is entered.
struct Called<'a> {
    func: FuncId,
    body: &'a Body,
    args: Vec<(LocalId, Argument)>,
    /// Arguments after those that have a name.
    further: Vec<Further>,
    dest: Option<&'a Place>,
}

enum Argument {
    Value(Val),
    Bytes(Arc<Object>),
}
