//! Verifying one function against its contract.
//!
//! The function starts in the states that its precondition describes: parameters hold arbitrary values, globals
//! arbitrary contents, and there is no heap but what the precondition says. Every state in which it returns must be
//! included in a disjunct of the postcondition, with no memory left over. In a postcondition a parameter means its
//! value at the call, a global its value at the return, `\old(g)` its value at the call. Values that the postcondition
//! mentions are held as cutpoints, as those of a caller would be.

use crate::fixpoint::run::Run;
use crate::fixpoint::solver::Solver;
use crate::shapes::claim::local_name;
use crate::shapes::declare::global_named;
use crate::shapes::prove::{Part, proves};
use crate::transfer::place::Scope;
use heapwise_fixpoint::iterate::solve;
use heapwise_fixpoint::recursion::Tabulated;
use heapwise_heap::lattice::inclusion::NotIncluded;
use heapwise_heap::shape::ast::{Atom, Formula, Value, ValueKind};
use heapwise_heap::shape::{Env, Instance, ShapeError};
use heapwise_heap::unfold::Site;
use heapwise_heap::{Fill, Object, ObjectKind, PredTable, Root, State, Summary, Sym, Val};
use heapwise_ir::{Body, FuncId, FunctionBody, GlobalId, GlobalKind, Span, Ty};
use heapwise_property::Reason;
use std::collections::BTreeMap;

/// Verifies a function against its contract.
pub(crate) fn run_contract(run: &mut Run<'_>, func: FuncId) {
    run.run_contract(func);
}

impl Run<'_> {
    fn run_contract(&mut self, func: FuncId) {
        let program = self.cx.program;
        let Some(function) = program.functions.get(func) else { return };
        let FunctionBody::Defined(body) = &function.body else {
            let message = format!("function `{}` has no body that can be analysed", function.name);
            self.cx.alarm(func, Reason::Unsupported, function.span, true, message, Vec::new());
            return;
        };
        let Some(contract) = self.cx.options.declarations.contracts.get(&func).cloned() else {
            let message = format!(
                "function `{}` has no contract; write `/*@ requires …; ensures …; */` before it",
                function.name
            );
            self.cx.alarm(func, Reason::Unsupported, function.span, true, message, Vec::new());
            return;
        };
        let info = self.cx.facts.info(func, body);
        let scope = Scope { func, body, info: &info };
        let clauses = || contract.requires.iter().chain(&contract.ensures).flatten();
        let globals: Vec<(String, GlobalId)> = Instance::free_names(&clauses().cloned().collect::<Vec<_>>())
            .into_iter()
            .filter(|(n, _)| !body.params.iter().any(|p| local_name(body, *p) == Some(n)))
            .chain(old_names(&contract.ensures).into_iter().map(|n| (n, 0..0)))
            .filter_map(|(n, _)| global_named(program, &n).map(|g| (n, g)))
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .collect();
        let is_known = |n: &str| {
            globals.iter().any(|(g, _)| g == n) || body.params.iter().any(|p| local_name(body, *p) == Some(n))
        };
        let logic = contract.logic_names(is_known, self.cx.options.abduce);
        let named = Named { body, globals: &globals, logic: &logic };
        let start = self.arbitrary_state(func, scope, &named);
        let mut entries = vec![start];
        for clause in &contract.requires {
            let mut next = Vec::new();
            for state in &entries {
                let env = entry_env(&named, state);
                for formula in clause {
                    let instance = self.cx.options.declarations.instance(&self.cx.preds, program);
                    match instance.add(formula, &env, state.clone()) {
                        Ok(state) => next.extend(state),
                        Err(e) => return self.cx.ill_formed(func, function.span, &e),
                    }
                }
            }
            entries = next;
        }
        entries.retain(|state| self.has_cases(state));
        if entries.is_empty() {
            let message = "no memory satisfies the precondition".into();
            self.cx.alarm(func, Reason::Precondition, function.span, true, message, Vec::new());
            return;
        }
        // Only what the postcondition speaks about is held for the caller.
        let mentioned = Instance::free_names(&contract.ensures.iter().flatten().cloned().collect::<Vec<_>>());
        let olds = old_names(&contract.ensures);
        let held = |i: u32| {
            let param = body.params.get(i as usize).and_then(|p| local_name(body, *p));
            let global = (i as usize).checked_sub(body.params.len()).and_then(|j| globals.get(j));
            let is_old = |n: &str| olds.iter().any(|o| o == n);
            // The caller still has what it passed, although no postcondition speaks of it.
            contract.ensures.is_empty()
                || param.is_some_and(|p| is_old(p) || mentioned.iter().any(|(n, _)| n == p))
                || global.is_some_and(|(n, _)| is_old(n))
                || (i as usize) >= body.params.len() + globals.len()
        };
        for state in &mut entries {
            state.retain_roots(|r, _| !matches!(r, Root::Cut(i) if !held(i)));
            state.forget_unused();
        }
        let mut posts = match self.post_states(&named, &contract.ensures) {
            Ok(posts) => posts,
            Err(e) => return self.cx.ill_formed(func, function.span, &e),
        };
        for post in &mut posts {
            post.retain_roots(|r, _| !matches!(r, Root::Cut(i) if !held(i)));
        }
        let mut solver = Solver::new(func, body, &info, entries);
        solve(&mut solver, self);
        self.recheck(&solver, None);
        if contract.ensures.is_empty() {
            let exits = solver.returned();
            self.count_exits(func, &exits);
            if self.cx.options.abduce {
                // Blocks alone stay what they are.
                let structured = exits.iter().any(State::has_summaries);
                self.cx.exits = if structured { self.merged_exits(func, exits) } else { exits };
            }
            return;
        }
        if self.cx.ends_program && !contract.may_exit {
            let message = "the function may end the program, which its contract does not say (`may exit;`)";
            self.cx.alarm(func, Reason::Postcondition, body.end, false, message.into(), Vec::new());
        }
        let exits = solver.returned();
        let seen: Vec<State> = exits.iter().map(|e| restricted(e, &posts, &self.cx.preds)).collect();
        self.count_exits(func, &seen);
        for exit in exits {
            if let Err(why) = proves(&exit, &posts, Part::Whole, &self.cx.preds) {
                let message = match why {
                    Some(NotIncluded::Leftover(_) | NotIncluded::Unreached(_)) => {
                        "the function may return with memory that its postcondition does not describe".into()
                    }
                    Some(NotIncluded::Root(Root::Result)) => {
                        "the result may not be what the postcondition says".into()
                    }
                    _ => "the postcondition may not hold when the function returns".to_owned(),
                };
                let notes = vec![(self.cx.describe_state(scope, &exit), Span::default())];
                self.cx.alarm(func, Reason::Postcondition, body.end, false, message, notes);
            }
        }
    }

    /// Whether every structure of a state has a case that is possible.
    fn has_cases(&self, state: &State) -> bool {
        (0..state.summaries().len()).all(|i| !state.unfold(Site::Front(i), &self.cx.preds).is_empty())
    }

    /// Any parameters, any contents of globals; the values that contracts may name are held as cutpoints.
    fn arbitrary_state(&mut self, func: FuncId, scope: Scope<'_>, named: &Named<'_>) -> State {
        let program = self.cx.program;
        let mut state = self.cx.initial_state(func);
        let writable: Vec<(Sym, u64)> = state
            .roots()
            .filter_map(|(r, v)| {
                let Root::Global(g) = r else { return None };
                let g = program.globals.get(g)?;
                let keeps = g.constant || g.kind == GlobalKind::Literal;
                // The variables of the standard streams are taken to hold them.
                let is_stream = |v: Val| {
                    let object = v.as_sym().and_then(|s| state.object(s));
                    object.is_some_and(|o| matches!(o.kind, ObjectKind::Stream(_)))
                };
                let streams =
                    |s: &Sym| state.object(*s).is_some_and(|o| o.cells().any(|(_, c)| is_stream(c.val)));
                v.as_sym().filter(|s| !keeps && !streams(s)).map(|s| (s, g.size))
            })
            .collect();
        for (s, size) in writable {
            if let Some(o) = state.object_mut(s) {
                o.fill(0, size, Fill::Unknown);
            }
        }
        for (i, p) in scope.body.params.iter().enumerate() {
            let ty = scope.body.locals.get(*p).map_or(Ty(0), |l| l.ty);
            let v = self.cx.any_value(&mut state, ty);
            self.cx.set_local(&mut state, scope, *p, v);
            if program.types.is_scalar(ty) {
                state.set_root(Root::Cut(i as u32), v);
            }
        }
        for (j, (_, g)) in named.globals.iter().enumerate() {
            let Some(global) = program.globals.get(*g) else { continue };
            let v = self.cx.any_value(&mut state, global.ty);
            let at = global_object(&mut state, *g, global.size, global.span);
            if let Some(o) = state.object_mut(at) {
                o.write(0, program.types.size(global.ty), v);
            }
            state.set_root(Root::Cut((scope.body.params.len() + j) as u32), v);
        }
        let first = scope.body.params.len() + named.globals.len();
        for k in 0..named.logic.len() {
            let v = Val::sym(state.fresh());
            state.set_root(Root::Cut((first + k) as u32), v);
        }
        state
    }

    /// The states that a postcondition describes, over the roots that an exit has.
    fn post_states(&self, named: &Named<'_>, ensures: &[Vec<Formula>]) -> Result<Vec<State>, ShapeError> {
        let program = self.cx.program;
        let globals = named.globals;
        let mut start = State::default();
        for i in 0..named.body.params.len() + globals.len() + named.logic.len() {
            let v = Val::sym(start.fresh());
            start.set_root(Root::Cut(i as u32), v);
        }
        for (_, g) in globals {
            let Some(global) = program.globals.get(*g) else { continue };
            let v = Val::sym(start.fresh());
            let at = global_object(&mut start, *g, global.size, global.span);
            if let Some(o) = start.object_mut(at) {
                o.write(0, program.types.size(global.ty), v);
            }
        }
        if mentions_result(ensures) {
            let result = Val::sym(start.fresh());
            start.set_root(Root::Result, result);
        }
        let mut posts = vec![start];
        for clause in ensures {
            let mut next = Vec::new();
            for state in &posts {
                let old = entry_env(named, state).names;
                let mut names = old.clone();
                names.retain(|n, _| !named.logic.contains(n));
                for (n, g) in globals {
                    let now = state.root(Root::Global(*g)).and_then(|v| v.as_sym());
                    let width = program.globals.get(*g).map_or(0, |g| program.types.size(g.ty));
                    let cell = now.and_then(|s| state.object(s)?.cell(0, width));
                    names.extend(cell.map(|v| (n.clone(), v)));
                }
                let env = Env { names, old, result: state.root(Root::Result) };
                for formula in clause {
                    let instance = self.cx.options.declarations.instance(&self.cx.preds, program);
                    next.extend(instance.add(formula, &env, state.clone())?);
                }
            }
            posts = next;
        }
        Ok(posts)
    }
}

/// What the caller can know of an exit through the postcondition: the result, and the contents of the blocks that it
/// names, only where it speaks of them; what it says by a predicate without recursion is the same at all exits.
fn restricted(exit: &State, posts: &[State], preds: &PredTable) -> State {
    let mut exit = exit.clone();
    if let [post] = posts {
        without_plain_atoms(&mut exit, post, preds);
    }
    exit.retain_roots(|r, _| r != Root::Result || posts.iter().any(|p| p.has_root(r)));
    let roots: Vec<(Root, Sym)> =
        exit.roots().filter_map(|(r, v)| v.as_sym().filter(|_| v.off == 0).map(|s| (r, s))).collect();
    for (root, at) in roots {
        let Some(cells) =
            exit.object(at).map(|o| o.cells().map(|(off, c)| (off, c.width)).collect::<Vec<_>>())
        else {
            continue;
        };
        for (off, width) in cells {
            let open = |p: &State| {
                let block = p.root(root).and_then(|v| v.as_sym()).and_then(|s| p.object(s));
                let cell = block.and_then(|b| b.cell(off, width)).and_then(Val::as_sym);
                cell.is_some_and(|s| {
                    let mut uses = 0;
                    p.for_each_val(|v| uses += usize::from(v.as_sym() == Some(s)));
                    uses == 1
                })
            };
            if posts.iter().all(open) {
                let any = Val::sym(exit.fresh());
                if let Some(o) = exit.object_mut(at) {
                    o.write(off, width, any);
                }
            }
        }
    }
    exit
}

/// Removes what predicates without recursion describe in a postcondition, and the names that are used for nothing else.
fn without_plain_atoms(exit: &mut State, post: &State, preds: &PredTable) {
    let is_plain = |s: &Summary| s.end.is_none() && preds.get(s.pred).is_plain();
    let plain: Vec<Summary> = post.summaries().filter(|s| is_plain(s)).cloned().collect();
    let at_exit = |v: Val| match v.as_sym() {
        None => Some(v),
        Some(_) => post.roots().find(|(_, named)| *named == v).and_then(|(r, _)| exit.root(r)),
    };
    let mut described = Vec::new();
    for atom in &plain {
        let args: Option<_> = atom.args.iter().map(|a| at_exit(*a)).collect();
        let (Some(root), Some(args)) = (at_exit(atom.root), args) else { return };
        described.push(Summary { pred: atom.pred, root, args, end: None, region: None });
    }
    for atom in described {
        let Some(at) = atom.root.as_sym().filter(|s| exit.has_object(*s)) else { continue };
        let mut folded = exit.clone();
        folded.remove_object(at);
        if !folded.assume_ne(atom.root, Val::int(0), preds) {
            continue;
        }
        let index = folded.add_summary(atom);
        let cases = folded.unfold(Site::Front(index), preds);
        if !cases.is_empty() && cases.iter().all(|c| c.has_object(at)) {
            exit.remove_object(at);
        }
    }
    let mut rest = post.clone();
    rest.retain_summaries(|s| !is_plain(s));
    exit.retain_roots(|r, _| {
        let named = post.root(r).and_then(|v| v.as_sym());
        named.is_none_or(|s| {
            let mut uses = 0;
            rest.for_each_val(|v| uses += usize::from(v.as_sym() == Some(s)));
            uses > 1 || rest.has_object(s) || plain.is_empty()
        })
    });
}

/// The object of a global, made if the code does not use it.
fn global_object(state: &mut State, global: GlobalId, size: u64, span: Span) -> Sym {
    if let Some(s) = state.root(Root::Global(global)).and_then(|v| v.as_sym()) {
        return s;
    }
    let object = Object::new(ObjectKind::Global(global), Val::int(i128::from(size)), Fill::Uninit, span);
    let s = state.add_object(object);
    state.set_root(Root::Global(global), Val::sym(s));
    s
}

/// What a contract may name. The values at the call are held as cutpoints in this order.
struct Named<'a> {
    /// The parameters.
    body: &'a Body,
    /// The globals that it names.
    globals: &'a [(String, GlobalId)],
    /// Values of the precondition that the postcondition speaks of.
    logic: &'a [String],
}

/// Parameters, globals and named values as they were at the call.
fn entry_env(named: &Named<'_>, state: &State) -> Env {
    let Named { body, globals, logic } = *named;
    let cut = |i: usize| state.root(Root::Cut(i as u32));
    let params = body.params.iter().enumerate().filter_map(|(i, p)| {
        let name = local_name(body, *p)?;
        cut(i).map(|v| (name.to_owned(), v))
    });
    let n = body.params.len();
    let outer = globals.iter().enumerate().filter_map(|(j, (name, _))| cut(n + j).map(|v| (name.clone(), v)));
    let first = n + globals.len();
    let told = logic.iter().enumerate().filter_map(|(k, name)| cut(first + k).map(|v| (name.clone(), v)));
    let names: BTreeMap<String, Val> = params.chain(outer).chain(told).collect();
    Env { old: names.clone(), names, result: None }
}

/// Names under `\old`.
fn old_names(clauses: &[Vec<Formula>]) -> Vec<String> {
    let mut found = Vec::new();
    for_each_value(clauses, |v| {
        if let ValueKind::Old(n) = &v.kind {
            found.push(n.clone());
        }
    });
    found
}

/// Whether a clause speaks about the result.
fn mentions_result(clauses: &[Vec<Formula>]) -> bool {
    let mut found = false;
    for_each_value(clauses, |v| found |= v.kind == ValueKind::Result);
    found
}

fn for_each_value(clauses: &[Vec<Formula>], mut value: impl FnMut(&Value)) {
    for atom in clauses.iter().flatten().flat_map(|f| &f.atoms) {
        match atom {
            Atom::Emp => {}
            Atom::Block(b) => b.values().for_each(&mut value),
            Atom::Call(c) => c.args.iter().chain(c.end.iter().flatten()).for_each(&mut value),
            Atom::Fact(a, _, b) => {
                value(a);
                value(b);
            }
        }
    }
}
