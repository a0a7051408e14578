//! The fixpoint of one function on one entry state (survey §3.3; Bourdoncle 1993 for the iteration order).
//!
//! Blocks are executed in weak topological order; each component is iterated until the disjuncts at its head are
//! stable. At a head, a new disjunct that is included in an old one is dropped; after a little unrolling it is
//! abstracted and joined, with widening, into an old one that takes it, and kept beside them otherwise.
//!
//! Termination: every join replaces a disjunct by a more general one; intervals are widened to finitely many
//! thresholds; a shape can only grow more general finitely often for finitely many predicates; and the number
//! of disjuncts and of iterations is limited by the options. Reaching a limit is an alarm of kind `budget`, after which
//! nothing is claimed.

use super::compaction;
use super::product::Parts;
use super::run::Run;
use crate::context::Context;
use crate::disjuncts::merge::Disjunct;
use crate::facts::FunctionInfo;
use crate::precision::{CallersNames, JoinPolicy};
use crate::report::{MAX_ITERATIONS, Point};
use crate::transfer::place::Scope;
use crate::transfer::value::leads_on;
use heapwise_fixpoint::flow::{Flow, Graph};
use heapwise_heap::discover::foresee_levels;
use heapwise_heap::fold::{enters_ring, focused};
use heapwise_heap::{ObjectKind, Root, State, Sym, Val};
use heapwise_ir::visit::statement_locals;
use heapwise_ir::{
    Block, BlockId, Body, FuncId, LocalId, LocalSet, Operand, PlaceBase, Projection, Rvalue, Span, StaleCell,
    Statement, StatementKind, Terminator, TerminatorKind,
};
use heapwise_property::ErrorKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Pieces of a state that a statement passes by at the cost of one unit of work: most touch one or two.
const PIECES_PASSED: u64 = 16;

/// The work on one function.
pub(crate) struct Solver<'a> {
    pub(crate) scope: Scope<'a>,
    /// The states at its edges, loop heads and returns. Those at heads are kept with their silhouettes: they are compared in every
    /// iteration.
    pub(super) flow: Flow<'a, State, Disjunct>,
    /// The most blocks and summaries that folding left in a state.
    pub(super) unfoldable: usize,
    /// What stands beside the states on edges outside of loops.
    pub(super) parts: FxHashMap<(BlockId, BlockId), Rc<Parts>>,
    /// What stands beside the states that are being worked on.
    pub(super) beside: Parts,
    /// Whether disjuncts were many and became few once pointers had alternatives of their own.
    pub(super) crowded: Cell<bool>,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(func: FuncId, body: &'a Body, info: &'a FunctionInfo, entry: Vec<State>) -> Self {
        let flow = Flow::new(Graph { func, body, cfg: &info.cfg, wto: &info.wto }, entry);
        Solver {
            scope: Scope { func, body, info },
            flow,
            unfoldable: 0,
            parts: FxHashMap::default(),
            beside: Vec::new(),
            crowded: Cell::new(false),
        }
    }

    /// The states in which the function returns.
    pub(crate) fn returned(&self) -> Vec<State> {
        self.flow.returned().cloned().collect()
    }

    pub(super) fn head_span(&self, block: BlockId) -> Span {
        self.flow.graph.span(block)
    }

    /// Brings new disjuncts into those of a loop head; whether anything changed.
    pub(super) fn take_in(
        &mut self,
        run: &mut Run<'_>,
        head: BlockId,
        incoming: Vec<State>,
        iteration: usize,
    ) -> bool {
        let place = (self.scope.func, head);
        let policy = run.cx.policy_at(place);
        let unroll = policy.unroll();
        let mut invariant = self.flow.take_head(head);
        if !run.cx.precision.is_eager()
            && iteration == unroll
            && invariant.iter().any(|d| enters_ring(&d.state, &run.cx.preds))
        {
            // They will be joined with states that name the element where a variable stands in a ring.
            let preds = &run.cx.preds;
            invariant = invariant
                .into_iter()
                .flat_map(|d| match enters_ring(&d.state, preds) {
                    true => focused(&d.state, preds, true).into_iter().map(Disjunct::new).collect(),
                    false => vec![d],
                })
                .collect();
        }
        let mut changed = false;
        let mut focus = Vec::new();
        let moving = self.moving(head);
        for state in incoming {
            let state = Disjunct::new(self.slimmed(run, head, state, &moving));
            let coarse = iteration >= unroll && !run.merger().covered(&state, &invariant);
            if coarse {
                let discovery = run.cx.granularity.discovery;
                foresee_levels(&state.state, &mut run.cx.preds, &run.cx.program.types, discovery);
            }
            focus.extend(focused(&state.state, &run.cx.preds, coarse).into_iter().map(Disjunct::new));
        }
        for state in focus {
            if run.cx.out_of_budget(self.scope.func, self.head_span(head)) {
                break;
            }
            if run.merger().covered(&state, &invariant) {
                continue;
            }
            if policy.unrolls(iteration, state.state.has_summaries(), invariant.len()) {
                changed = true;
                invariant.push(state);
                continue;
            }
            let mut options = policy.at_head(iteration, invariant.len());
            let state = run.cx.folded(&state.state, options.keep_numbers);
            let mut new = Disjunct::new(state);
            if run.merger().covered(&new, &invariant) {
                continue;
            }
            changed = true;
            run.cx.loses(place);
            let mut k = 0;
            while k < invariant.len() {
                let old = run.cx.folded(&invariant[k].state, options.keep_numbers);
                // Most are folded already, and their silhouettes are known.
                let folded = (old != invariant[k].state).then(|| Disjunct::new(old));
                let old = folded.as_ref().unwrap_or(&invariant[k]);
                let mut merger = run.merger();
                let (joined, refusal) = (merger.join(old, &new, options), merger.refusal.take());
                if let Some(why) = refusal {
                    run.cx.explain_refusal(self.scope, self.head_span(head), [&old.state, &new.state], &why);
                }
                match joined {
                    Some(joined) => {
                        new = joined;
                        invariant.remove(k);
                        // What is new has been taken in; the others were known, and become fewer.
                        options.widen = None;
                    }
                    None => k += 1,
                }
            }
            run.merger().drop_covered(&mut invariant, &new);
            invariant.push(new);
        }
        if invariant.len() > run.cx.budget.disjuncts {
            run.cx.give_up(self.scope.func, self.head_span(head), "too many disjuncts at a loop head");
            invariant.clear();
        }
        if changed && run.cx.options.record_states && !run.cx.rechecking {
            let point = Point { function: self.scope.func, block: head, index: 0 };
            let log = run.cx.loops.iterations.entry(point).or_default();
            if log.len() >= MAX_ITERATIONS {
                log.remove(0);
            }
            let wholes = invariant.iter().flat_map(|d| self.wholes(&d.state));
            log.push(wholes.map(|s| s.canonical().0).collect());
        }
        self.flow.set_head(head, invariant);
        changed
    }

    /// A state without what does not matter at a loop head.
    pub(super) fn slimmed(
        &self,
        run: &Run<'_>,
        head: BlockId,
        state: State,
        moving: &FxHashSet<LocalId>,
    ) -> State {
        let state = self.forget_dead(run, head, state);
        let state =
            if run.cx.precision.is_eager() { self.forget_unfollowed(run, head, state) } else { state };
        if run.cx.precision.callers_names == CallersNames::Forgotten {
            without_callers_names(&run.cx, state, moving)
        } else {
            state
        }
    }

    /// The variables that a loop assigns to.
    pub(super) fn moving(&self, head: BlockId) -> FxHashSet<LocalId> {
        let entries = self.scope.info.wto.entries();
        let Some(at) = entries.iter().position(|e| e.block == head) else { return FxHashSet::default() };
        let end = entries.get(at).and_then(|e| e.end).unwrap_or(at + 1);
        let blocks = entries.iter().take(end).skip(at).filter_map(|e| self.scope.body.blocks.get(e.block));
        let statements = blocks.flat_map(|b| &b.statements);
        let places = statements.filter_map(|s| match &s.kind {
            StatementKind::Assign { dest, .. } => Some(dest),
            StatementKind::Call(call) => call.dest.as_ref(),
            _ => None,
        });
        places
            .filter_map(|p| match p.base {
                PlaceBase::Local(l) if p.path.is_empty() => Some(l),
                _ => None,
            })
            .collect()
    }

    /// Drops variables that are not read any more, unless that would hide a leak until later.
    pub(super) fn forget_dead(&self, run: &Run<'_>, block: BlockId, state: State) -> State {
        let Some(live) = self.scope.info.live.get(&block).and_then(|l| l.first()) else { return state };
        compaction::without_dead(run, live, state)
    }

    /// Forgets where variables lead through which nothing is accessed any more, and where stale cells lead: comparing
    /// them is no reason to keep the places apart that they have in a structure.
    fn forget_unfollowed(&self, run: &Run<'_>, block: BlockId, state: State) -> State {
        let Some((followed, stale)) = self.scope.info.idle(self.scope.body, block) else { return state };
        let leads = |v: &Val| v.as_sym().is_some_and(|s| state.has_object(s));
        let idle = |r: &Root, v: &Val| matches!(r, Root::Local(l) if !followed.contains(*l)) && leads(v);
        let idle: Vec<Root> = state.roots().filter(|(r, v)| idle(r, v)).map(|(r, _)| r).collect();
        let stale: Vec<(Sym, u64, u64)> = stale.iter().filter_map(|c| stale_in(&state, c)).collect();
        if idle.is_empty() && stale.is_empty() {
            return state;
        }
        let mut slim = state.clone();
        for root in idle {
            let any = Val::sym(slim.fresh());
            slim.set_root(root, any);
        }
        for (holder, offset, width) in stale {
            let any = Val::sym(slim.fresh());
            if let Some(object) = slim.object_mut(holder) {
                object.write(offset, width, any);
            }
        }
        if slim.collect(&run.cx.preds).is_empty() { slim } else { state }
    }

    /// Whether the function returns at the end of a block: what was looked at on the way matters less there.
    fn is_way_out(&self, block: BlockId) -> bool {
        let code = self.scope.body.blocks.get(block);
        code.is_some_and(|b| matches!(b.terminator.kind, TerminatorKind::Return(_)))
    }

    /// Whether all ways to a block come from conditions, such as those that `&&` is made of: what they found out is
    /// about to matter.
    fn is_condition(&self, block: BlockId) -> bool {
        self.scope.info.cfg.predecessors(block).iter().all(|p| {
            let code = self.scope.body.blocks.get(*p);
            code.is_some_and(|b| matches!(b.terminator.kind, TerminatorKind::Branch { .. }))
        })
    }

    /// Removes duplicates and included disjuncts; where paths meet, clumps the rest if the strategy does.
    pub(super) fn reduced(&self, run: &mut Run<'_>, block: BlockId, states: Vec<State>) -> Vec<State> {
        if states.len() < 2 {
            return states;
        }
        let mut kept: Vec<Disjunct> = Vec::new();
        let joins = self.scope.info.cfg.predecessors(block).len() > 1;
        // Disjuncts that came by one edge were compared before.
        if !joins && states.len() <= run.cx.budget.disjuncts {
            return states;
        }
        let crowded = self.crowded.get();
        let crowd = JoinPolicy::is_crowd(states.len(), crowded || self.is_way_out(block));
        let many = run.cx.precision.is_thrifty() && joins && crowd;
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut most = JoinPolicy::CROWD_KEPT;
        for state in states {
            let mut state = if joins { self.forget_dead(run, block, state) } else { state };
            // Where a structure is known and there are many disjuncts, what was looked at becomes part of it again.
            if many && state.has_summaries() {
                run.cx.clumped = true;
                state.drop_implied(&run.cx.preds);
                state = run.cx.folded(&state, true);
                if !seen.insert(state.canonical().0) {
                    continue;
                }
            }
            run.merger().add(&mut kept, Disjunct::new(state));
            if many && kept.len() > most {
                kept = compaction::joined_numbers(run, kept);
                most = most.max(2 * kept.len());
            }
        }
        if joins && !(run.cx.precision.is_eager() && self.is_condition(block)) {
            let options = run.cx.policy().at_meeting();
            kept = run.merger().clumped(kept, options);
        }
        if many && kept.len() > JoinPolicy::crowd_kept(crowded) {
            let before = kept.len();
            kept = compaction::joined_optional(run, kept);
            // A function that makes one crowd makes others.
            self.crowded.set(crowded || 2 * kept.len() <= before);
        }
        if kept.len() > run.cx.budget.disjuncts {
            run.cx.give_up(self.scope.func, self.head_span(block), "too many disjuncts");
            kept.clear();
        }
        kept.into_iter().map(|d| d.state).collect()
    }

    /// Executes a block.
    pub(super) fn execute(&mut self, run: &mut Run<'_>, block: BlockId, states: Vec<State>) {
        let Some(code) = self.scope.body.blocks.get(block) else { return };
        let info = self.scope.info;
        let live = info.live.get(&block);
        let mut states = states;
        // Blocks of callees are executed in between.
        let unswept = std::mem::take(&mut run.cx.unswept);
        let stop = run.cx.facts.relevance.as_ref().and_then(|r| r.stop(self.scope.func, block));
        let count = stop.unwrap_or(usize::MAX);
        for (index, statement) in code.statements.iter().enumerate().take(count) {
            if run.cx.out_of_budget(self.scope.func, statement.span) {
                states.clear();
            }
            let is_call = matches!(statement.kind, StatementKind::Call(..));
            if is_call {
                states = self.trimmed(run, live.and_then(|l| l.get(index)), states);
            }
            self.record(run, block, index, &states);
            run.cx.statistics.max_disjuncts = run.cx.statistics.max_disjuncts.max(states.len());
            let before = states.len();
            let mut next = Vec::with_capacity(before);
            for state in states {
                run.cx.statistics.steps += 1;
                run.cx.statistics.work.statements += 8 + state.pieces() as u64 / PIECES_PASSED;
                next.extend(match &statement.kind {
                    StatementKind::Call(call) => {
                        let live_after = live.and_then(|l| l.get(index + 1));
                        run.call(state, self.scope, call, live_after, statement.span)
                    }
                    _ => run.cx.statement(state, self.scope, statement),
                });
            }
            // A sequence of calls must not multiply what each of them leaves.
            let grown = is_call && !JoinPolicy::are_few(next.len()) && next.len() > before;
            if grown {
                next = self.trimmed_crowd(run, live.and_then(|l| l.get(index + 1)), next);
            }
            states = if grown { run.distinct(next) } else { next };
            if is_call && run.cx.precision.is_eager() && states.len() > before && self.is_way_out(block) {
                states = self.clumped_results(run, live.and_then(|l| l.get(index + 1)), states);
            }
            if grown && JoinPolicy::is_crowd(states.len(), false) && run.cx.precision.is_thrifty() {
                states = compaction::joined(run, states);
            }
            if let Some(live) = live.and_then(|l| l.get(index + 1)) {
                let mut swept = Vec::with_capacity(states.len());
                for state in states {
                    let after = Some(statement).filter(|_| index > 0);
                    swept.extend(self.drop_temporaries(run, state, live, after, statement.span));
                }
                states = swept;
            }
            if states.len() > 2 * run.cx.budget.disjuncts {
                run.cx.give_up(self.scope.func, statement.span, "too many disjuncts");
                states.clear();
            }
        }
        if std::mem::replace(&mut run.cx.unswept, unswept) {
            states.iter_mut().for_each(State::forget_unused);
        }
        states = self.trimmed(run, live.and_then(|l| l.last()), states);
        self.record(run, block, code.statements.len(), &states);
        if !ends_in_test(code) {
            run.cx.statistics.max_disjuncts = run.cx.statistics.max_disjuncts.max(states.len());
        }
        self.flow.begin_block(block);
        if stop.is_some() {
            return;
        }
        for mut state in states {
            run.cx.shed_literals(&mut state);
            self.terminate(run, block, &code.terminator, state);
        }
    }

    /// Clumps what a call on the way out left, now that it is known which names still matter. What it returned may still
    /// be handed on, and keeps disjuncts apart.
    fn clumped_results(&self, run: &mut Run<'_>, live: Option<&LocalSet>, states: Vec<State>) -> Vec<State> {
        let Some(live) = live else { return states };
        let mut folded = Vec::new();
        for state in states {
            let state = compaction::without_dead(run, live, state);
            let state = run.cx.folded(&state, false);
            folded.push(Disjunct::new(state));
        }
        let options = run.cx.policy().on_way_out();
        run.merger().clumped(folded, options).into_iter().map(|d| d.state).collect()
    }

    /// The temporaries among the roots of a state that are not read any more: at the start of a block any of them, afterwards
    /// those that the last statement mentions.
    fn dead_temporaries(&self, state: &State, live: &LocalSet, after: Option<&Statement>) -> Vec<Root> {
        let locals = &self.scope.body.locals;
        let is_dead = |l: LocalId| {
            !live.contains(l) && locals.get(l).is_some_and(|d| d.name.is_none() && !d.address_taken)
        };
        let Some(statement) = after else {
            let dead = |r: &Root| matches!(r, Root::Local(l) | Root::Slot(l) if is_dead(*l));
            return state.roots().map(|(r, _)| r).filter(dead).collect();
        };
        let mut found = Vec::new();
        statement_locals(statement, &mut |l, _| {
            if is_dead(l) {
                found.extend([Root::Local(l), Root::Slot(l)]);
            }
        });
        found.retain(|r| state.has_root(*r));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Ends the life of temporaries that are not read any more: they are no holders of pointers.
    fn drop_temporaries(
        &self,
        run: &mut Run<'_>,
        mut state: State,
        live: &LocalSet,
        after: Option<&Statement>,
        span: Span,
    ) -> Vec<State> {
        let scope = self.scope;
        let mut holder = false;
        for root in self.dead_temporaries(&state, live, after) {
            let v = state.drop_root(root);
            let s = v.and_then(|v| v.as_sym());
            if let (Root::Slot(_), Some(s)) = (root, s) {
                holder = true;
                state.remove_object(s);
            }
            holder |= v.is_some_and(|v| {
                leads_on(&state, v)
                    && !after.is_some_and(|statement| is_stored(&state, statement, v))
                    && state.roots().all(|(_, w)| w.as_sym() != v.as_sym())
            });
            run.cx.unswept |= s.is_some();
        }
        // What another name holds as well is not lost.
        if !holder {
            return vec![state];
        }
        run.cx.swept(state, scope, span)
    }

    pub(super) fn record(&self, run: &mut Run<'_>, block: BlockId, index: usize, states: &[State]) {
        if !run.cx.options.record_states {
            return;
        }
        let point = Point { function: self.scope.func, block, index };
        let states_of = if run.cx.rechecking { &mut run.final_states } else { &mut run.states };
        let known = states_of.entry(point).or_default();
        for s in states.iter().flat_map(|s| self.wholes(s)) {
            let canonical = s.canonical().0;
            if !known.contains(&canonical) {
                known.push(canonical);
            }
        }
    }

    fn terminate(&mut self, run: &mut Run<'_>, block: BlockId, terminator: &Terminator, mut state: State) {
        let scope = self.scope;
        let span = terminator.span;
        let mut go = |target: BlockId, states: Vec<State>| {
            self.flow.send((block, target), states);
        };
        match &terminator.kind {
            TerminatorKind::Goto(target) => go(*target, vec![state]),
            TerminatorKind::Branch { cond, then, otherwise } => {
                let (yes, no) = run.cx.branch(state, scope, cond, span);
                go(*then, yes);
                go(*otherwise, no);
            }
            TerminatorKind::Switch { value, cases, default } => {
                let mut v = run.cx.operand(&mut state, scope, value);
                if v.is_undef() {
                    let message = "the value of the switch is not initialised".into();
                    run.cx.alarm(scope.func, ErrorKind::Uninitialised, span, true, message, Vec::new());
                    let ty = run.cx.program.operand_ty(scope.body, value).unwrap_or(heapwise_ir::Ty(0));
                    v = run.cx.any_value(&mut state, ty);
                }
                let range = state.range(v);
                let int = run.cx.program.operand_ty(scope.body, value);
                let int = int.and_then(|ty| run.cx.program.types.as_int(ty));
                let mut rest = Some(state.clone());
                for case in cases {
                    // Such labels of 128 bits stand for larger numbers than can be written here.
                    if int.is_some_and(|int| !int.signed) && (case.low < 0 || case.high < 0) {
                        go(case.target, vec![state.clone()]);
                        continue;
                    }
                    let all = heapwise_numeric::Interval { lo: Some(case.low), hi: Some(case.high) };
                    if range.meet(all).is_none() {
                        continue;
                    }
                    let mut hit = state.clone();
                    let possible = if case.low == case.high {
                        hit.assume_eq(v, Val::int(case.low), &run.cx.preds)
                    } else {
                        hit.assume_in(v, all)
                    };
                    if possible {
                        go(case.target, vec![hit]);
                    }
                    rest = rest.filter(|_| !range.is_subset(all));
                    if case.low == case.high {
                        rest = rest
                            .and_then(|mut r| r.assume_ne(v, Val::int(case.low), &run.cx.preds).then_some(r));
                    }
                }
                go(*default, rest.into_iter().collect());
            }
            TerminatorKind::GotoAddress { targets, .. } => {
                for t in targets {
                    go(*t, vec![state.clone()]);
                }
            }
            TerminatorKind::Return(value) => {
                let states = run.leave(state, scope, value.as_ref(), span);
                self.flow.give_back(block, states);
            }
            TerminatorKind::Unreachable => {
                let message = "control may come to a point that is declared never to be reached".into();
                run.cx.alarm(scope.func, ErrorKind::Unreachable, span, false, message, Vec::new());
            }
        }
    }
}

impl Run<'_> {
    /// Removes disjuncts that others include.
    fn distinct(&mut self, states: Vec<State>) -> Vec<State> {
        let mut kept = Vec::new();
        let mut merger = self.merger();
        states.into_iter().for_each(|s| merger.add(&mut kept, Disjunct::new(s)));
        kept.into_iter().map(|d| d.state).collect()
    }

    /// The state that a caller sees: the result named, the function's own variables gone.
    fn leave(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        value: Option<&Operand>,
        span: Span,
    ) -> Vec<State> {
        if let Some(op) = value {
            let aggregate = match op {
                Operand::Local(l) => scope
                    .body
                    .locals
                    .get(*l)
                    .is_some_and(|l| !self.cx.program.types.is_scalar(l.ty))
                    .then_some(*l),
                Operand::Const(_) => None,
            };
            match aggregate {
                // The bytes of an aggregate are handed over in the object that holds them.
                Some(l) => {
                    if let Some(v) = state.drop_root(Root::Slot(l)) {
                        state.set_root(Root::Result, v);
                    }
                }
                None => {
                    let v = self.cx.operand(&mut state, scope, op);
                    state.set_root(Root::Result, v);
                }
            }
        }
        let locals: Vec<Root> =
            state.roots().map(|(r, _)| r).filter(|r| matches!(r, Root::Local(_) | Root::Slot(_))).collect();
        for root in locals {
            let v = state.drop_root(root);
            if let (Root::Slot(_), Some(s)) = (root, v.and_then(|v| v.as_sym())) {
                state.remove_object(s);
                state.set_death(s, heapwise_heap::Death::Scope(span));
            }
        }
        self.cx.free_scope_blocks(&mut state, None, span);
        match self.cx.facts.is_main(scope.func) {
            true => self.cx.left(state, scope, span),
            false => self.cx.swept(state, scope, span),
        }
    }
}

/// Whether the last statement is the comparison that the branch after it asks for: the two are one step, and what the
/// comparison tells apart goes different ways at once.
fn ends_in_test(code: &Block) -> bool {
    let TerminatorKind::Branch { cond: Operand::Local(asked), .. } = code.terminator.kind else {
        return false;
    };
    let last = code.statements.last().map(|s| &s.kind);
    matches!(last, Some(StatementKind::Assign { dest, value: Rvalue::Compare { .. } })
        if dest.path.is_empty() && matches!(dest.base, PlaceBase::Local(l) if l == asked))
}

/// Whether a statement has stored a value to a member of an object that a variable leads to: there it is held.
fn is_stored(state: &State, statement: &Statement, v: Val) -> bool {
    let StatementKind::Assign { dest, .. } = &statement.kind else { return false };
    let PlaceBase::Deref(Operand::Local(base)) = dest.base else { return false };
    let offset = dest.path.iter().try_fold(0i128, |sum, step| match step {
        Projection::Field { offset, bits: None, .. } => sum.checked_add(i128::from(*offset)),
        _ => None,
    });
    let holds = |(root, offset): (Val, i128)| {
        let off = u64::try_from(root.off.checked_add(offset)?).ok()?;
        let object = state.object(root.as_sym()?)?;
        let cell = object.cells_from(off).next().filter(|(at, _)| *at == off)?;
        Some(cell.1.val == v)
    };
    state.root(Root::Local(base)).zip(offset).and_then(holds) == Some(true)
}

/// Where a stale cell is, if it is a pointer to somewhere.
fn stale_in(state: &State, cell: &StaleCell) -> Option<(Sym, u64, u64)> {
    let at = state.root(Root::Local(cell.local))?;
    let holder = at.as_sym()?;
    let offset = u64::try_from(at.off.checked_add(i128::from(cell.offset))?).ok()?;
    let (_, held) = state.object(holder)?.cells().find(|(o, _)| *o == offset)?;
    held.val.as_sym().map(|_| (holder, offset, held.width))
}

/// Gives up what only callers, and variables that the loop moves, name inside of structures that other names lead to.
/// A caller then knows nothing of such a pointer after the call; its memory is still held by the structure.
pub(crate) fn without_callers_names(
    cx: &Context<'_>,
    mut state: State,
    moving: &FxHashSet<LocalId>,
) -> State {
    let is_cut = |r: &Root| matches!(r, Root::Cut(_));
    let outer = |v: Val| v.as_sym().and_then(|s| state.object(s)).is_some_and(|o| o.kind != ObjectKind::Heap);
    let names = |steady: bool| -> BTreeSet<Sym> {
        let moves = |r: &Root| matches!(r, Root::Local(l) if moving.contains(l));
        let kept = state.roots().filter(|(r, v)| (!is_cut(r) || outer(*v)) && !(steady && moves(r)));
        kept.filter_map(|(_, v)| v.as_sym()).collect()
    };
    let (all, steady) = (names(false), names(true));
    // What leads to itself bounds a structure and never becomes a part of it.
    let bounds = |c: Sym| {
        let object = state.object(c);
        object.is_some_and(|o| o.cells().any(|(_, cell)| cell.val == Val::sym(c)))
    };
    let inner = |c: Sym| {
        if bounds(c) {
            return false;
        }
        let mut reach = all.clone();
        // A cursor within the block itself is no structure around it.
        reach.retain(|s| *s != c && state.pointer(Val::sym(*s)).is_none_or(|(o, _)| o != c));
        cx.follow(&state, &mut reach, &mut vec![false; state.summaries().len()], true);
        reach.contains(&c) && !steady.contains(&c)
    };
    let dropped: Vec<Root> = state
        .roots()
        .filter(|(r, v)| is_cut(r) && !outer(*v) && v.as_sym().is_some_and(inner))
        .map(|(r, _)| r)
        .collect();
    state.retain_roots(|r, _| !dropped.contains(&r));
    state
}
