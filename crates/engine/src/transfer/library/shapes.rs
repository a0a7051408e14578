//! Shape statements inside functions.
//!
//! `__heapwise_check_shape` asks whether the memory that the named variables lead to has a shape;
//! `__heapwise_assume_shape` replaces what they reach by what it describes, and the verdict says
//! that something was assumed.

use crate::context::Context;
use crate::shapes::claim::{Names, Variable, variables};
use crate::shapes::declare::literal;
use crate::shapes::prove::{Part, proves};
use crate::transfer::place::Scope;
use heapwise_heap::shape::ast::Formula;
use heapwise_heap::shape::{Env, ShapeError, parse_formula};
use heapwise_heap::{Content, ObjectKind, PredTable, Root, State, Summary, Sym, Val};
use heapwise_ir::{FuncId, LocalId, Span, Ty};
use heapwise_property::Reason;
use std::collections::{BTreeMap, BTreeSet};

impl Context<'_> {
    /// Says that a shape has no meaning here.
    pub(crate) fn ill_formed(&mut self, func: FuncId, span: Span, error: &ShapeError) {
        let message = format!("the shape cannot be used: {}", error.message);
        self.alarm(func, Reason::Unsupported, span, true, message, Vec::new());
    }

    /// A shape statement on one disjunct.
    pub(crate) fn shape_statement(
        &mut self,
        state: State,
        scope: Scope<'_>,
        text: Val,
        assume: bool,
        span: Span,
    ) -> Vec<State> {
        let global = text.as_sym().filter(|_| text.off == 0).and_then(|s| match state.object(s)?.kind {
            ObjectKind::Global(g) => Some(g),
            _ => None,
        });
        let Some(text) = global.and_then(|g| literal(self.program, g)) else {
            let message = "the shape is no string literal".into();
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return if assume { Vec::new() } else { vec![state] };
        };
        let result = parse_formula(&text).and_then(|formulas| {
            if assume {
                self.assume_shape(&state, scope, &formulas, span)
            } else {
                self.check_shape(&state, scope, &formulas, span).map(|()| vec![state.clone()])
            }
        });
        match result {
            Ok(states) => states,
            Err(e) => {
                self.ill_formed(scope.func, span, &e);
                if assume { Vec::new() } else { vec![state] }
            }
        }
    }

    /// The variables that formulas name; those that have a place in the state come first.
    fn variables(
        &self,
        scope: Scope<'_>,
        state: &State,
        formulas: &[Formula],
    ) -> Vec<(String, Variable, Ty)> {
        variables(self.program, scope.body, formulas, |l| has_place(state, l))
    }

    fn check_shape(
        &mut self,
        state: &State,
        scope: Scope<'_>,
        formulas: &[Formula],
        span: Span,
    ) -> Result<(), ShapeError> {
        let names =
            Names { program: self.program, declarations: &self.options.declarations, preds: &self.preds };
        let wanted = names.claimed(scope.func, formulas, |l| has_place(state, l))?;
        if proves(state, &wanted, Part::Described, &self.preds).is_err() {
            let message = "the memory may not have the shape that is claimed here".into();
            let notes = vec![(self.describe_state(scope, state), Span::default())];
            self.alarm(scope.func, Reason::Shape, span, false, message, notes);
        }
        Ok(())
    }

    fn assume_shape(
        &mut self,
        state: &State,
        scope: Scope<'_>,
        formulas: &[Formula],
        span: Span,
    ) -> Result<Vec<State>, ShapeError> {
        self.assumptions.insert(span);
        let mut state = state.clone();
        let variables = self.variables(scope, &state, formulas);
        // What the variables reach gives way.
        let mut values = BTreeMap::new();
        for (name, variable, ty) in &variables {
            values.insert(name.clone(), self.value_of(&mut state, scope, *variable, *ty));
        }
        let gone = self.reached(&state, values.values().filter_map(|v| v.as_sym()).collect());
        state.retain_objects(|s, o| o.kind != ObjectKind::Heap || !gone.contains(&s));
        let preds = &self.preds;
        state.retain_summaries(|s| !owned_by(s, &gone, preds));
        let mut env = Env::default();
        for (name, variable, ty) in variables {
            let old = values.get(&name).copied().unwrap_or(Val::UNDEF);
            // A value that is no address of its own any more is any value.
            let plain = old.as_sym().is_some_and(|s| old.off == 0 && !state.has_object(s));
            let number = self.program.types.as_int(ty).is_some() && !old.is_undef();
            let v = if plain || number { old } else { self.any_value(&mut state, ty) };
            match variable {
                Variable::Local(l) => self.set_local(&mut state, scope, l, v),
                Variable::Global(g) => {
                    let width = self.size(ty);
                    let at = state.root(Root::Global(g)).and_then(|v| v.as_sym());
                    if let Some(o) = at.and_then(|s| state.object_mut(s)) {
                        o.write(0, width, v);
                    }
                }
            }
            env.names.insert(name, v);
        }
        let mut out = Vec::new();
        for formula in formulas {
            let instance = self.options.declarations.instance(&self.preds, self.program);
            out.extend(instance.add(formula, &env, state.clone())?);
        }
        Ok(out)
    }

    fn value_of(&mut self, state: &mut State, scope: Scope<'_>, variable: Variable, ty: Ty) -> Val {
        match variable {
            Variable::Local(l) => self.operand(state, scope, &heapwise_ir::Operand::Local(l)),
            Variable::Global(g) => {
                let at = state.root(Root::Global(g)).and_then(|v| v.as_sym());
                let width = self.size(ty);
                match at.and_then(|s| state.object(s)).map(|o| o.read(0, width)) {
                    Some(Content::Val(v)) => v,
                    _ => Val::UNDEF,
                }
            }
        }
    }

    /// Symbols of the heap that some symbols lead to.
    fn reached(&self, state: &State, mut todo: Vec<Sym>) -> BTreeSet<Sym> {
        let mut seen = BTreeSet::new();
        while let Some(s) = todo.pop() {
            if !seen.insert(s) {
                continue;
            }
            if let Some(o) = state.object(s) {
                if o.kind == ObjectKind::Heap {
                    todo.extend(o.cells().filter_map(|(_, c)| c.val.as_sym()));
                }
                continue;
            }
            for t in state.summaries().filter(|t| owned_by(t, &BTreeSet::from([s]), &self.preds)) {
                todo.extend(t.values().filter_map(Val::as_sym));
            }
        }
        seen
    }
}

/// Whether a summary is found at one of the symbols: at its root, or at its last element.
fn owned_by(s: &Summary, at: &BTreeSet<Sym>, preds: &PredTable) -> bool {
    let is = |v: &Val| v.as_sym().is_some_and(|s| at.contains(&s));
    let back = &preds.get(s.pred).back;
    is(&s.root)
        || s.end
            .as_ref()
            .is_some_and(|(_, args)| args.iter().enumerate().any(|(k, a)| back.arg(k).is_some() && is(a)))
}

/// Whether a local is known to a state.
fn has_place(state: &State, local: LocalId) -> bool {
    state.has_root(Root::Local(local)) || state.has_root(Root::Slot(local))
}
