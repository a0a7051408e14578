//! Calls of functions that are known by a contract: what the precondition describes gives way to what the postcondition
//! describes, and the rest of the memory is the frame (survey §5.3; the frame rule).
//!
//! The memory at the call is matched with the precondition, of which a part is enough. Where a structure has to be looked into for
//! that, its cases are told apart. What was matched is taken out; names of the precondition that the postcondition mentions are
//! bound by the match. Globals that the contract names hold what the postcondition says afterwards.
//!
//! A variable whose address is passed can stand for a block: it must be there again afterwards, as a block at the same address.
//! So a function that frees what it is given cannot be given a variable.
//!
//! A contract says nothing of overflow, and nothing of the memory in which the function ends the program. Where such things are
//! asked, and where the contract's file takes for granted what the analysis does not, a call is an alarm.
//!
//! Contracts that nobody verified are assumptions, which the verdict says.

use crate::context::Context;
use crate::shapes::declare::{CallContract, global_named};
use crate::transfer::place::Scope;
use heapwise_heap::lattice::inclusion::{Matched, matched_part};
use heapwise_heap::shape::ast::{Formula, ValueKind};
use heapwise_heap::shape::{Env, ShapeError};
use heapwise_heap::{Content, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::{Function, FunctionBody, GlobalId, GlobalKind, Place, Span, Type};
use heapwise_property::{Property, Reason};
use std::collections::{BTreeMap, BTreeSet};

/// Structures that are looked into, one after the other, to find what a precondition describes.
const MAX_UNFOLD: u32 = 3;
/// Most names that a contract may have.
const MAX_NAMES: usize = 100;

/// A call that relies on a contract.
pub(crate) struct ByContract<'a> {
    pub(crate) function: &'a Function,
    pub(crate) contract: &'a CallContract,
    pub(crate) args: Vec<Val>,
    pub(crate) dest: Option<&'a Place>,
}

/// A variable that may stand for a block.
struct Variable {
    address: Sym,
    kind: ObjectKind,
    size: Val,
}

/// What the names of a contract are at a call.
struct Names {
    /// Parameters and globals, with their values at the call; roots of models by this order.
    given: Vec<(String, Val)>,
    globals: Vec<(String, GlobalId)>,
    logic: Vec<String>,
}

impl Context<'_> {
    /// The states after a call, by the contract of the function.
    pub(crate) fn call_by_contract(
        &mut self,
        state: State,
        scope: Scope<'_>,
        call: &ByContract<'_>,
        span: Span,
    ) -> Vec<State> {
        if !call.contract.verified {
            self.assumptions.insert(span);
        }
        self.ends_program |= call.contract.contract.may_exit;
        match self.by_contract(state, scope, call, span) {
            Ok(states) => states,
            Err(error) => {
                self.ill_formed(scope.func, span, &error);
                Vec::new()
            }
        }
    }

    fn by_contract(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        call: &ByContract<'_>,
        span: Span,
    ) -> Result<Vec<State>, ShapeError> {
        if let Some(why) = self.unfit(call) {
            self.alarm(scope.func, Reason::Precondition, span, false, why, Vec::new());
            return Ok(Vec::new());
        }
        let names = self.names_at_call(&mut state, call);
        let unknown = names.given.iter().any(|(n, v)| v.is_undef() && call.contract.contract.mentions(n));
        if 2 * names.given.len() + names.logic.len() > MAX_NAMES || unknown {
            let message =
                format!("the contract of `{}` speaks of a value that is not there", call.function.name);
            self.alarm(scope.func, Reason::Precondition, span, false, message, Vec::new());
            return Ok(Vec::new());
        }
        let wanted = self.required(call.contract, &names)?;
        // Variables stand for blocks as long as they are looked at.
        let variables: Vec<Variable> = state
            .objects()
            .filter(|(_, o)| match o.kind {
                ObjectKind::Local(_) | ObjectKind::Outer => !scope.is_constant(o.kind),
                ObjectKind::Global(g) => self.is_out_of_sight(call, g),
                _ => false,
            })
            .map(|(s, o)| Variable { address: s, kind: o.kind, size: o.size })
            .collect();
        let mut out = Vec::new();
        let mut todo = vec![(state, names, MAX_UNFOLD)];
        while let Some((state, names, depth)) = todo.pop() {
            let mut special = state.clone();
            for (k, (_, v)) in names.given.iter().enumerate().filter(|(_, (_, v))| !v.is_undef()) {
                special.set_root(Root::Model(k as u8), *v);
            }
            for v in &variables {
                if let Some(o) = special.object_mut(v.address) {
                    o.kind = ObjectKind::Heap;
                }
            }
            let found = wanted.iter().find_map(|(general, logic)| {
                let matched = matched_part(&special, general, &self.preds).ok()?;
                Some((matched, logic))
            });
            if let Some((matched, logic)) = found {
                let told: BTreeMap<String, Val> = names
                    .logic
                    .iter()
                    .zip(logic)
                    .filter_map(|(n, v)| Some((n.clone(), matched.value(*v)?)))
                    .collect();
                out.extend(self.after_contract(scope, call, &names, (matched, told), &variables, span)?);
                continue;
            }
            // A structure that an argument leads to may have to be looked into.
            let site = names.given.iter().find_map(|(_, v)| state.summary_at(*v, &self.preds));
            match site.filter(|_| depth > 0) {
                Some(site) => {
                    let mut held = state.clone();
                    for (k, (_, v)) in names.given.iter().enumerate() {
                        held.set_root(Root::Model(k as u8), *v);
                    }
                    for mut case in held.unfold(site, &self.preds) {
                        let value = |(k, (n, v)): (usize, &(String, Val))| {
                            (n.clone(), case.root(Root::Model(k as u8)).unwrap_or(*v))
                        };
                        let given = names.given.iter().enumerate().map(value).collect();
                        case.retain_roots(|r, _| !matches!(r, Root::Model(_)));
                        let (globals, logic) = (names.globals.clone(), names.logic.clone());
                        todo.push((case, Names { given, globals, logic }, depth - 1));
                    }
                }
                None => {
                    let message = format!(
                        "the memory may not be what the contract of `{}` requires",
                        call.function.name
                    );
                    let notes = vec![(self.describe_state(scope, &state), Span::default())];
                    self.alarm(scope.func, Reason::Precondition, span, false, message, notes);
                }
            }
        }
        Ok(out)
    }

    /// Why a contract cannot be relied on in this analysis at all, if that is so: it does not speak of what is asked, or it
    /// takes for granted what is not.
    fn unfit(&self, call: &ByContract<'_>) -> Option<String> {
        let name = &call.function.name;
        let given = self.options.assumptions(self.program);
        if let Some(missed) = call.contract.assuming.iter().find(|a| !given.contains(a)) {
            return Some(format!("the contract of `{name}` holds only if {}", missed.condition()));
        }
        let properties = self.options.properties;
        if properties.has(Property::Overflow) {
            return Some(format!("the contract of `{name}` does not say whether a number overflows in it"));
        }
        if call.contract.contract.may_exit && (self.registers() || properties.has(Property::Cleanup)) {
            let why = "may end the program, and its contract does not say what the memory is then";
            return Some(format!("`{name}` {why}"));
        }
        // A variable that another file keeps to itself may have the same name.
        let own = matches!(call.function.body, FunctionBody::Defined(_));
        let contract = &call.contract.contract;
        let mut doubtful = None;
        for f in contract.requires.iter().chain(&contract.ensures).flatten() {
            f.values(|v| {
                if let ValueKind::Name(n) | ValueKind::Old(n) | ValueKind::FieldOf(n, _) = &v.kind
                    && !call.contract.params.contains(n)
                    && !f.exists.iter().any(|e| e.text == *n)
                {
                    let mut all = self.program.globals.iter().filter(|g| *g.name == **n);
                    let clear = match (all.next(), all.next()) {
                        (Some(g), None) => own || g.kind == GlobalKind::External,
                        (first, _) => first.is_none(),
                    };
                    if !clear {
                        doubtful = Some(n.clone());
                    }
                }
            });
        }
        let n = doubtful?;
        Some(format!("it is not clear which variable `{n}` the contract of `{name}` speaks of"))
    }

    /// Whether a function that is known by a contract can reach a variable by no way but its arguments, so that it may stand for a block
    /// that is separate from what the contract does not mention.
    fn is_out_of_sight(&self, call: &ByContract<'_>, g: GlobalId) -> bool {
        let Some(global) = self.program.globals.get(g).filter(|g| !g.constant) else { return false };
        // Code that is here may name whatever is here.
        if matches!(call.function.body, FunctionBody::Defined(_)) {
            return false;
        }
        match global.kind {
            GlobalKind::Static | GlobalKind::StaticLocal => true,
            GlobalKind::External => {
                call.contract.variables.as_ref().is_some_and(|all| !all.contains(&*global.name))
            }
            GlobalKind::Literal => false,
        }
    }

    fn names_at_call(&mut self, state: &mut State, call: &ByContract<'_>) -> Names {
        let mut given: Vec<(String, Val)> =
            call.contract.params.iter().cloned().zip(call.args.iter().copied()).collect();
        let contract = &call.contract.contract;
        let mut named = BTreeSet::new();
        for f in contract.requires.iter().chain(&contract.ensures).flatten() {
            f.values(|v| {
                if let ValueKind::Name(n) | ValueKind::Old(n) | ValueKind::FieldOf(n, _) = &v.kind
                    && !f.exists.iter().any(|e| e.text == *n)
                {
                    named.insert(n.clone());
                }
            });
        }
        let globals: Vec<(String, GlobalId)> = named
            .into_iter()
            .filter(|n| !call.contract.params.contains(n))
            .filter_map(|n| global_named(self.program, &n).map(|g| (n, g)))
            .collect();
        for (n, g) in &globals {
            let v = self.value_of_global(state, *g);
            given.push((n.clone(), v));
        }
        let is_known = |n: &str| given.iter().any(|(m, _)| m == n);
        let logic = contract.logic_names(is_known, false);
        Names { given, globals, logic }
    }

    fn value_of_global(&mut self, state: &mut State, g: GlobalId) -> Val {
        let at = self.global(state, g);
        let Some(global) = self.program.globals.get(g) else { return Val::UNDEF };
        let width = self.size(global.ty);
        let content = at.as_sym().and_then(|s| state.object(s)).map(|o| o.read(0, width));
        match content {
            Some(Content::Val(v)) => v,
            _ => {
                let v = self.any_value(state, global.ty);
                if let Some(o) = at.as_sym().and_then(|s| state.object_mut(s)) {
                    o.write(0, width, v);
                }
                v
            }
        }
    }

    /// The states that a precondition describes, over the roots of models, and in each of them what the values are that the
    /// postcondition mentions.
    fn required(&self, contract: &CallContract, names: &Names) -> Result<Vec<(State, Vec<Val>)>, ShapeError> {
        let mut start = State::default();
        for k in 0..names.given.len() + names.logic.len() {
            let v = Val::sym(start.fresh());
            start.set_root(Root::Model(k as u8), v);
        }
        let all: Vec<&String> = names.given.iter().map(|(n, _)| n).chain(&names.logic).collect();
        let mut states = vec![start];
        for clause in &contract.contract.requires {
            let mut next = Vec::new();
            for state in &states {
                let value = |k: usize| state.root(Root::Model(k as u8)).unwrap_or(Val::UNDEF);
                let names = all.iter().enumerate().map(|(k, n)| ((*n).clone(), value(k))).collect();
                let env = Env { names, ..Env::default() };
                for formula in clause {
                    let instance = self.options.declarations.instance(&self.preds, self.program);
                    next.extend(instance.add(formula, &env, state.clone())?);
                }
            }
            states = next;
        }
        let first = names.given.len();
        // Roots that say nothing are not compared.
        let silent = |k: usize| names.given.get(k).is_none_or(|(n, _)| !contract.contract.mentions(n));
        let with_logic = |mut state: State| {
            let value = |k: usize| state.root(Root::Model((first + k) as u8)).unwrap_or(Val::UNDEF);
            let logic: Vec<Val> = (0..names.logic.len()).map(value).collect();
            state.retain_roots(|r, _| !matches!(r, Root::Model(k) if silent(usize::from(k))));
            (state, logic)
        };
        Ok(states.into_iter().map(with_logic).collect())
    }

    /// The frame with what the postcondition describes.
    fn after_contract(
        &mut self,
        scope: Scope<'_>,
        call: &ByContract<'_>,
        names: &Names,
        (matched, told): (Matched, BTreeMap<String, Val>),
        variables: &[Variable],
        span: Span,
    ) -> Result<Vec<State>, ShapeError> {
        let Matched { frame: mut state, .. } = matched;
        state.retain_roots(|r, _| !matches!(r, Root::Model(_)));
        let mut old: BTreeMap<String, Val> = names.given.iter().cloned().collect();
        old.extend(told);
        for n in &names.logic {
            // A case of the precondition that does not mention it leaves it open.
            if !old.contains_key(n) {
                let v = Val::sym(state.fresh());
                old.insert(n.clone(), v);
            }
        }
        let mut now: BTreeMap<String, Val> = names.given.iter().cloned().collect();
        for (n, g) in &names.globals {
            let at = self.global(&mut state, *g).as_sym();
            let Some(global) = self.program.globals.get(*g) else { continue };
            let v = self.any_value(&mut state, global.ty);
            let width = self.size(global.ty);
            if let Some(o) = at.and_then(|s| state.object_mut(s)) {
                o.write(0, width, v);
            }
            now.insert(n.clone(), v);
        }
        let returned = match self.program.types.get(call.function.ty) {
            Type::Function { ret, .. } if *self.program.types.get(*ret) != Type::Void => Some(*ret),
            _ => None,
        };
        if let Some(ty) = returned {
            let v = self.any_value(&mut state, ty);
            state.set_root(Root::Result, v);
        }
        let states = self.conjoined(state, &call.contract.contract.ensures, &now, &old)?;
        let mut out = Vec::new();
        for mut state in states {
            let mut gone = false;
            let mut sizes = Vec::new();
            for v in variables {
                match state.object_mut(v.address) {
                    Some(o) => {
                        o.kind = v.kind;
                        sizes.push((o.size, v.size));
                    }
                    None => gone = true,
                }
            }
            // Whatever happened to a variable, it is as large as before.
            if !gone && !state.assume_all_eq(sizes, &self.preds) {
                continue;
            }
            if gone {
                let message = format!(
                    "`{}` is given a variable, but its contract does not say that it is there afterwards",
                    call.function.name
                );
                self.alarm(scope.func, Reason::Precondition, span, false, message, Vec::new());
                continue;
            }
            out.extend(self.take_result(state, scope, call.dest, span));
        }
        Ok(out)
    }

    /// The states that satisfy the clauses as well. What names mean changes with what is learned: they are held as roots.
    fn conjoined(
        &self,
        mut state: State,
        clauses: &[Vec<Formula>],
        now: &BTreeMap<String, Val>,
        old: &BTreeMap<String, Val>,
    ) -> Result<Vec<State>, ShapeError> {
        for (k, v) in now.values().chain(old.values()).enumerate() {
            state.set_root(Root::Model(k as u8), *v);
        }
        let mut states = vec![state];
        for clause in clauses {
            let mut next = Vec::new();
            for state in &states {
                let values = |all: &BTreeMap<String, Val>, first: usize| {
                    let value = |k: usize| state.root(Root::Model((first + k) as u8)).unwrap_or(Val::UNDEF);
                    all.keys().enumerate().map(|(k, n)| (n.clone(), value(k))).collect()
                };
                let (names, old) = (values(now, 0), values(old, now.len()));
                let env = Env { names, old, result: state.root(Root::Result) };
                for formula in clause {
                    let instance = self.options.declarations.instance(&self.preds, self.program);
                    next.extend(instance.add(formula, &env, state.clone())?);
                }
            }
            states = next;
        }
        for state in &mut states {
            state.retain_roots(|r, _| !matches!(r, Root::Model(_)));
        }
        Ok(states)
    }
}
