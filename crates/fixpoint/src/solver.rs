//! The fixpoint of one function on one entry state (survey §3.3; Bourdoncle 1993 for the order).
//!
//! Blocks are executed in weak topological order; a component is iterated until the states at its head are stable. At a
//! head a new state that is included in an old one is dropped; after a little unrolling it is generalised and put into
//! an old one that takes it, at first by `join`, later by `widen`, and kept beside them otherwise.
//!
//! Termination: widening makes every state at a head change finitely often, and the number of states and iterations is
//! limited; a limit that is reached is an alarm. Cost: states × statements × iterations; states at one point are compared
//! pairwise.

use crate::context::{Context, Info, Settings, Site};
use crate::domain::Calls;
use crate::report::{Point, Refused, Report, Statistics};
use crate::table::Table;
use heapwise_ir::{BlockId, Body, FuncId, FunctionBody, Program, Span, StatementKind, TerminatorKind};
use heapwise_property::{ErrorKind, Reason};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;

/// Iterations after those that are unrolled in which states are joined before they are widened.
const JOINED: usize = 4;

/// So many times more states than there may be at a point are not told apart any more.
const CROWD: usize = 8;

/// An analysis.
pub(crate) struct Solver<'p, D: Calls> {
    pub(crate) domain: D,
    pub(crate) cx: Context<'p>,
    pub(crate) table: Table<D::State>,
    pub(crate) statistics: Statistics,
    pub(crate) rechecking: bool,
    infos: FxHashMap<FuncId, Rc<Info>>,
    states: FxHashMap<Point, Vec<D::State>>,
    refused: IndexMap<Span, String, FxBuildHasher>,
}

/// The work on one function.
pub(crate) struct Work<'b, S> {
    pub(crate) func: FuncId,
    pub(crate) body: &'b Body,
    pub(crate) info: Rc<Info>,
    pub(crate) entry: Vec<S>,
    /// States on each edge, from its source's last execution.
    pub(crate) edges: FxHashMap<(BlockId, BlockId), Vec<S>>,
    pub(crate) heads: FxHashMap<BlockId, Vec<S>>,
    /// What the function returns, from the last execution of each block.
    exits: FxHashMap<BlockId, Vec<S>>,
}

impl<'b, S: Clone> Work<'b, S> {
    pub(crate) fn new(func: FuncId, body: &'b Body, info: Rc<Info>, entry: Vec<S>) -> Self {
        let (edges, heads, exits) = Default::default();
        Work { func, body, info, entry, edges, heads, exits }
    }
    pub(crate) fn site(&self, span: Span) -> Site<'b> {
        Site { func: self.func, body: self.body, span, point: (Body::ENTRY, 0), live_after: None }
    }
    /// The place of a loop.
    pub(crate) fn head_site(&self, head: BlockId) -> Site<'b> {
        let block = self.body.blocks.get(head);
        let point = (head, block.map_or(0, |b| b.statements.len()));
        Site { point, ..self.site(block.map_or(Span::default(), |b| b.terminator.span)) }
    }
    /// What comes to a block along its edges.
    pub(crate) fn incoming(&self, block: BlockId) -> Vec<S> {
        let mut states = if block == Body::ENTRY { self.entry.clone() } else { Vec::new() };
        for p in self.info.cfg.predecessors(block) {
            states.extend(self.edges.get(&(*p, block)).into_iter().flatten().cloned());
        }
        states
    }
    /// The states in which it returns, by block.
    pub(crate) fn returned(&self) -> Vec<S> {
        let mut blocks: Vec<&BlockId> = self.exits.keys().collect();
        blocks.sort();
        blocks.into_iter().flat_map(|b| self.exits.get(b).cloned().unwrap_or_default()).collect()
    }
    /// Forgets what the blocks of a component did before.
    pub(crate) fn begin_component(&mut self, at: usize, end: usize) {
        let entries = self.info.wto.entries();
        let members: FxHashSet<BlockId> = entries.iter().take(end).skip(at).map(|e| e.block).collect();
        self.heads.retain(|b, _| !members.contains(b));
        self.edges.retain(|(f, _), _| !members.contains(f));
    }
}

/// Analyses a program with a domain, from its entry function.
pub fn analyse<D: Calls>(program: &Program, settings: &Settings, domain: D) -> Report<D::State> {
    let mut solver = Solver {
        domain,
        cx: Context::new(program, settings),
        table: Table::default(),
        statistics: Statistics::default(),
        rechecking: false,
        infos: FxHashMap::default(),
        states: FxHashMap::default(),
        refused: IndexMap::default(),
    };
    solver.program(program);
    solver.statistics.steps = solver.cx.steps();
    Report {
        states: solver.states,
        refused: solver.refused.into_iter().map(|(span, why)| Refused { span, why }).collect(),
        statistics: solver.statistics,
        alarms: solver.cx.into_alarms(),
    }
}

impl<D: Calls> Solver<'_, D> {
    fn program(&mut self, program: &Program) {
        let name = &self.cx.settings.entry;
        let entry = program.function_named(name);
        let function = entry.and_then(|e| program.functions.get(e));
        let (Some(entry), Some(FunctionBody::Defined(body))) = (entry, function.map(|f| &f.body)) else {
            let none = Body::default();
            let at = Site {
                func: FuncId(0),
                body: &none,
                span: function.map_or(Span::default(), |f| f.span),
                point: (Body::ENTRY, 0),
                live_after: None,
            };
            let message = format!("there is no function `{name}` that can be analysed");
            self.cx.alarm(&at, Reason::Unsupported, true, message);
            return;
        };
        let info = self.info(entry, body);
        let at = Site { func: entry, body, span: body.end, point: (Body::ENTRY, 0), live_after: None };
        let states = self.domain.start(&mut self.cx, &at);
        let mut work = Work::new(entry, body, info, states);
        self.run(&mut work);
        self.recheck(&work, None);
        for state in work.returned() {
            self.domain.end(&mut self.cx, &at, &state);
        }
    }

    pub(crate) fn info(&mut self, func: FuncId, body: &Body) -> Rc<Info> {
        self.infos.entry(func).or_insert_with(|| Rc::new(Info::new(body))).clone()
    }

    /// Iterates to the fixpoint.
    pub(crate) fn run(&mut self, work: &mut Work<'_, D::State>) {
        let n = work.info.wto.entries().len();
        self.range(work, 0, n);
    }

    fn range(&mut self, work: &mut Work<'_, D::State>, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let Some(entry) = work.info.wto.entries().get(at).copied() else { return };
            at = match entry.end {
                None => {
                    let states = self.at_start(work.incoming(entry.block));
                    self.block(work, entry.block, states);
                    at + 1
                }
                Some(end) => {
                    work.begin_component(at, end);
                    self.component(work, entry.block, at, end);
                    end
                }
            };
        }
    }

    fn component(&mut self, work: &mut Work<'_, D::State>, head: BlockId, at: usize, end: usize) {
        let site = work.head_site(head);
        for iteration in 0.. {
            self.statistics.iterations += 1;
            let incoming = work.incoming(head);
            let changed = self.update_head(work, head, incoming, iteration);
            if self.cx.is_exhausted() || !changed && iteration > 0 {
                break;
            }
            if iteration > self.cx.settings.max_iterations {
                self.cx.give_up(&site, "the loop does not stabilise within the iteration limit");
                break;
            }
            let states = work.heads.get(&head).cloned().unwrap_or_default();
            self.block(work, head, states);
            self.range(work, at + 1, end);
        }
        let stable = work.heads.get(&head).map_or(0, Vec::len);
        self.statistics.head_disjuncts = self.statistics.head_disjuncts.max(stable);
    }

    /// Brings new states into those of a loop head; whether anything changed.
    fn update_head(
        &mut self,
        work: &mut Work<'_, D::State>,
        head: BlockId,
        incoming: Vec<D::State>,
        iteration: usize,
    ) -> bool {
        let mut invariant = work.heads.remove(&head).unwrap_or_default();
        let mut changed = false;
        for state in incoming {
            if self.covered(&state, &invariant) {
                continue;
            }
            if iteration < self.cx.settings.unroll {
                changed = true;
                invariant.push(state);
                continue;
            }
            for part in self.domain.generalise(state) {
                changed |= self.put_in(
                    &mut invariant,
                    part,
                    iteration >= self.cx.settings.unroll + JOINED,
                    work.head_site(head).span,
                );
            }
        }
        if invariant.len() > self.cx.settings.max_disjuncts {
            let site = work.head_site(head);
            let why = self.refused.get(&site.span).map(|w| format!(" ({w})")).unwrap_or_default();
            self.cx.give_up(&site, format!("too many states at a loop head{why}"));
        }
        work.heads.insert(head, invariant);
        changed
    }

    /// Puts a state among others, into those that take it; whether they changed.
    pub(crate) fn put_in(
        &mut self,
        known: &mut Vec<D::State>,
        state: D::State,
        widen: bool,
        span: Span,
    ) -> bool {
        if self.covered(&state, known) {
            return false;
        }
        let mut new = state;
        let mut k = 0;
        while let Some(old) = known.get(k) {
            let joined = match widen {
                true => self.domain.widen(old, &new),
                false => self.domain.join(old, &new),
            };
            match joined {
                Ok(joined) => {
                    self.statistics.joins += 1;
                    known.remove(k);
                    new = joined;
                }
                Err(why) => {
                    self.statistics.refused_joins += 1;
                    self.refused.insert(span, why.to_string());
                    k += 1;
                }
            }
        }
        known.retain(|old| self.domain.leq(old, &new).is_err());
        known.push(new);
        true
    }

    /// Whether one of the others includes a state.
    pub(crate) fn covered(&self, state: &D::State, by: &[D::State]) -> bool {
        by.iter().any(|b| b == state || self.domain.leq(state, b).is_ok())
    }

    /// The states without those that others include.
    fn distinct(&self, states: Vec<D::State>) -> Vec<D::State> {
        let mut kept: Vec<D::State> = Vec::new();
        for state in states {
            if !self.covered(&state, &kept) {
                kept.retain(|old| self.domain.leq(old, &state).is_err());
                kept.push(state);
            }
        }
        kept
    }

    /// The states at the start of a block: distinct, and if they are many, put together where that is possible.
    pub(crate) fn at_start(&mut self, states: Vec<D::State>) -> Vec<D::State> {
        let kept = self.distinct(states);
        if kept.len() <= self.cx.settings.apart {
            return kept;
        }
        let mut fewer = Vec::new();
        for state in kept {
            self.put_in(&mut fewer, state, false, Span::default());
        }
        fewer
    }

    /// Executes a block.
    pub(crate) fn block(&mut self, work: &mut Work<'_, D::State>, block: BlockId, states: Vec<D::State>) {
        let body = work.body;
        let info = work.info.clone();
        work.exits.remove(&block);
        for s in info.cfg.successors(block) {
            work.edges.remove(&(block, *s));
        }
        let (Some(code), Some(live)) = (body.blocks.get(block), info.live.get(block.0 as usize)) else {
            return;
        };
        let mut states = states;
        for (i, statement) in code.statements.iter().enumerate() {
            let at = Site { point: (block, i), live_after: live.get(i + 1), ..work.site(statement.span) };
            self.record(work.func, block, i, &states);
            let mut next = Vec::new();
            for state in states {
                if !self.cx.step(&at) {
                    return;
                }
                let out = match &statement.kind {
                    StatementKind::Call(call) => self.call(&at, call, state),
                    _ => self.domain.statement(&mut self.cx, &at, statement, state),
                };
                for state in out {
                    next.push(match live.get(i + 1) {
                        Some(live) => self.domain.forget(&mut self.cx, &at, live, state),
                        None => state,
                    });
                }
            }
            // Telling them apart is quadratic.
            let crowded = next.len() > self.cx.settings.max_disjuncts.saturating_mul(CROWD);
            states = if crowded { next } else { self.distinct(next) };
            if states.len() > self.cx.settings.max_disjuncts {
                self.cx.give_up(&at, "too many states at a point");
                return;
            }
        }
        self.record(work.func, block, code.statements.len(), &states);
        self.terminate(work, block, states);
    }

    fn terminate(&mut self, work: &mut Work<'_, D::State>, block: BlockId, states: Vec<D::State>) {
        let Some(code) = work.body.blocks.get(block) else { return };
        let at = work.head_site(block);
        for state in states {
            if !self.cx.step(&at) {
                return;
            }
            match &code.terminator.kind {
                TerminatorKind::Return(value) => {
                    let states = self.domain.exit(&mut self.cx, &at, value.as_ref(), state);
                    work.exits.entry(block).or_default().extend(states);
                }
                TerminatorKind::Unreachable => {
                    let message = "control may come to a point that is declared never to be reached";
                    self.cx.alarm(&at, ErrorKind::Unreachable, false, message);
                }
                TerminatorKind::Goto(target) => {
                    for state in self.domain.jump(&mut self.cx, &at, state) {
                        self.go(work, block, *target, state);
                    }
                }
                _ => {
                    for (target, state) in self.domain.branch(&mut self.cx, &at, &code.terminator, state) {
                        self.go(work, block, target, state);
                    }
                }
            }
        }
    }

    fn go(&mut self, work: &mut Work<'_, D::State>, from: BlockId, to: BlockId, state: D::State) {
        let at = work.head_site(from);
        let live = work.info.live.get(to.0 as usize).and_then(|l| l.first());
        let state = match live {
            Some(live) => self.domain.forget(&mut self.cx, &at, live, state),
            None => state,
        };
        work.edges.entry((from, to)).or_default().push(state);
    }

    fn record(&mut self, function: FuncId, block: BlockId, index: usize, states: &[D::State]) {
        self.statistics.max_disjuncts = self.statistics.max_disjuncts.max(states.len());
        if !self.cx.settings.record_states {
            return;
        }
        let known = self.states.entry(Point { function, block, index }).or_default();
        for s in states {
            if !known.contains(s) {
                known.push(s.clone());
            }
        }
    }
}
