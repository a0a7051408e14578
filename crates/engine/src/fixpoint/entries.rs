//! Entries of functions and their exits: looked up, widened where functions call themselves, solved.
//!
//! Recursion: an entry that is being analysed answers with the exits found so far, and is analysed again until they stop
//! growing; entries of recursive calls that keep changing are widened into one that covers them.

use super::run::Run;
use super::solver::{Solver, without_callers_names};
use crate::disjuncts::merge::Disjunct;
use crate::facts::FunctionInfo;
use crate::precision::JoinPolicy;
use crate::transfer::place::Scope;
use heapwise_fixpoint::iterate::solve;
use heapwise_fixpoint::recheck::check;
use heapwise_fixpoint::recursion::{Tabulated, solve_entry};
use heapwise_fixpoint::table::Table;
use heapwise_heap::lattice::inclusion::included;
use heapwise_heap::{ObjectKind, Root, State, Sym};
use heapwise_ir::{Body, FuncId, FunctionBody, Span};
use heapwise_property::{ErrorKind, Reason};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Tabulated for Run<'_> {
    type State = State;
    type Kept = Disjunct;
    type Info = Arc<FunctionInfo>;
    type Work<'b> = Solver<'b>;

    const MAX_ROUNDS: usize = 20;

    fn table(&mut self) -> &mut Table<State, Disjunct> {
        &mut self.table
    }
    fn info(&mut self, func: FuncId, body: &Body) -> Arc<FunctionInfo> {
        self.cx.facts.info(func, body)
    }
    fn work<'b>(
        &mut self,
        func: FuncId,
        body: &'b Body,
        info: &'b Arc<FunctionInfo>,
        entry: Vec<State>,
    ) -> Solver<'b> {
        Solver::new(func, body, info, entry)
    }
    fn begins(&mut self, func: FuncId) {
        self.cx.stack.push(func);
        self.cx.statistics.entries += 1;
    }
    fn ends(&mut self, _: FuncId) {
        self.cx.stack.pop();
    }
    fn next_round(&mut self, func: FuncId, _: &Body, span: Span) -> bool {
        !self.cx.out_of_budget(func, span)
    }
    fn too_many_rounds(&mut self, func: FuncId, _: &Body, span: Span) {
        self.cx.give_up(func, span, "the results of a recursive function do not stabilise");
    }
    fn add_exits(
        &mut self,
        func: FuncId,
        known: Vec<Disjunct>,
        exits: Vec<State>,
        round: usize,
        _: Span,
    ) -> (Vec<Disjunct>, bool) {
        self.merge_exits(func, known, exits, round, false)
    }
    fn recheck(&mut self, solver: &Solver<'_>, entry: Option<&State>) {
        if !self.cx.options.recheck || self.cx.stop.is_some() || self.cx.rechecking {
            return;
        }
        self.cx.rechecking = true;
        let counters = self.cx.statistics;
        let mut exits = solver.returned();
        // What callers get is what counts.
        if let Some(entry) = entry {
            exits.extend(self.table.exits_so_far(solver.scope.func, entry));
        }
        check(solver, self, &exits);
        // What it did does not count, how long it took does.
        self.cx.statistics = counters.with_times_of(&self.cx.statistics);
        self.cx.rechecking = false;
    }
}

impl Run<'_> {
    /// Runs the entry function of the program.
    pub(crate) fn run_entry(&mut self, entry: FuncId) {
        let program = self.cx.program;
        let Some(function) = program.functions.get(entry) else { return };
        let FunctionBody::Defined(body) = &function.body else {
            let message = format!("function `{}` has no body that can be analysed", function.name);
            self.cx.alarm(entry, Reason::Unsupported, function.span, true, message, Vec::new());
            return;
        };
        let mut state = self.cx.initial_state(entry);
        let info = self.cx.facts.info(entry, body);
        let scope = Scope { func: entry, body, info: &info };
        let given = self.cx.main_arguments(&mut state, entry).unwrap_or_default();
        for (i, p) in body.params.iter().enumerate() {
            let ty = body.locals.get(*p).map(|l| l.ty).unwrap_or(heapwise_ir::Ty(0));
            let v = given.get(i).copied().unwrap_or_else(|| self.cx.any_value(&mut state, ty));
            self.cx.set_local(&mut state, scope, *p, v);
        }
        let mut solver = Solver::new(entry, body, &info, vec![state]);
        solve(&mut solver, self);
        self.recheck(&solver, None);
        let exits = solver.returned();
        self.count_exits(entry, &exits);
        for state in exits {
            if state.root(Root::Result).is_some_and(|v| v.is_undef()) {
                let message = "the exit status is not initialised".into();
                self.cx.alarm(entry, ErrorKind::Uninitialised, body.end, true, message, Vec::new());
            }
            for state in self.at_exit(state, scope, body.end) {
                self.cx.program_end(&state, scope, body.end);
            }
        }
    }

    /// The exits of a function for an entry in normal form.
    pub(super) fn exits_for(
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
        let active = self.table.active(func);
        let mut key = key;
        let policy = self.cx.policy();
        if policy.widens_recursion(active.len()) {
            // A recursive call: covered by an entry under analysis, or widened into one.
            let options = policy.at_recursion(active.len());
            let keep = options.keep_numbers;
            key = self.cx.folded(&key, keep).canonical().0;
            for old in &active {
                if included(&key, old, &self.cx.preds).is_ok() {
                    return self.table.find(func, old).unwrap_or_default();
                }
            }
            if let Some(exits) = self.covering(func, &key) {
                return exits;
            }
            let new = Disjunct::new(key);
            let mut wider = None;
            for old in &active {
                let old = Disjunct::new(self.cx.folded(old, keep));
                wider = self.merger().join(&old, &new, options);
                if wider.is_some() {
                    break;
                }
            }
            key = wider.map_or(new.state, |wider| wider.state.canonical().0);
            if policy.is_deep_recursion(active.len()) {
                self.cx.give_up(scope.func, span, "the entries of a recursive function do not stabilise");
                return Vec::new();
            }
        }
        solve_entry(self, func, body, key, span)
    }

    /// A function that has many entries gets more general ones: without names that only the caller's memory gives
    /// to parts of structures, and with such parts folded.
    fn clumped_entry(&mut self, func: FuncId, body: &Body, key: &State, loose: &[Root]) -> Option<State> {
        let known = self.table.known(func);
        let loops = self.cx.facts.info(func, body).cfg.has_cycle();
        if !self.cx.policy().generalises_entry(known, loops)
            || !key.has_summaries()
            || self.cx.facts.calls.is_recursive(func)
        {
            return None;
        }
        if self.cx.facts.footprint(func).is_some() {
            return None;
        }
        self.cx.clumped = true;
        let mut entry = key.clone();
        if self.cx.precision.is_eager() {
            self.drop_loose_names(&mut entry, loose);
            entry.forget_nonempty();
        } else {
            let slim = without_callers_names(&self.cx, key.clone(), &FxHashSet::default());
            entry.retain_roots(|r, _| !loose.contains(&r) || slim.has_root(r));
        }
        entry.drop_implied(&self.cx.preds);
        let entry = self.cx.folded(&entry, true);
        Some(entry.canonical().0)
    }

    /// The exits of a more general entry that is done with, for an eager attempt.
    fn covering(&self, func: FuncId, key: &State) -> Option<Vec<State>> {
        if !self.cx.precision.is_eager() {
            return None;
        }
        self.table.find_complete(func, |entry| {
            entry.roots().map(|(r, _)| r).eq(key.roots().map(|(r, _)| r))
                && included(key, entry, &self.cx.preds).is_ok()
        })
    }

    /// Drops the names that only the caller's memory gives, but for those without which memory would be lost. A caller
    /// then knows nothing of these values after the call.
    fn drop_loose_names(&self, entry: &mut State, loose: &[Root]) {
        let others = entry.roots().filter(|(r, _)| !loose.contains(r));
        let mut reach: BTreeSet<Sym> = others.filter_map(|(_, v)| v.as_sym()).collect();
        self.cx.follow(entry, &mut reach, &mut vec![false; entry.summaries().len()], false);
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

    /// How many disjuncts the caller of a function with these exits would get.
    pub(crate) fn count_exits(&mut self, func: FuncId, exits: &[State]) {
        let folded = self.cx.precision.is_eager();
        self.cx.statistics.exit_disjuncts =
            self.merge_exits(func, Vec::new(), exits.to_vec(), 0, folded).0.len();
    }

    /// Exits put together as far as they can be.
    pub(crate) fn merged_exits(&mut self, func: FuncId, exits: Vec<State>) -> Vec<State> {
        let merged = self.merge_exits(func, Vec::new(), exits, 0, true).0;
        merged.into_iter().map(|d| d.state).collect()
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
        let policy = self.cx.policy();
        let crowded = policy.is_crowd_of_exits(exits.len()) && !self.cx.facts.calls.is_recursive(func);
        let mut seen: FxHashSet<State> = FxHashSet::default();
        for mut exit in exits {
            exit.drop_implied(&self.cx.preds);
            if crowded && exit.has_summaries() {
                self.cx.clumped = true;
                exit = self.cx.folded(&exit, policy.keeps_numbers_at_exit(round));
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
            let many = JoinPolicy::are_many_exits(known.len());
            if folded
                || round > 0
                || many && new.state.has_summaries() && !self.cx.facts.calls.is_recursive(func)
            {
                let keep = policy.keeps_numbers_at_exit(round);
                new = Disjunct::new(self.cx.folded(&new.state, keep));
            }
            if self.merger().covered(&new, &known) {
                continue;
            }
            grown = true;
            let options = policy.at_exit(round, known.len(), folded);
            let eager = self.cx.precision.is_eager();
            let mut merger = self.merger();
            let mut k = 0;
            while k < known.len() {
                let same = if eager { merger.join_results(&known[k], &new, options) } else { None };
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
}
