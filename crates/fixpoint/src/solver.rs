//! An analysis by a domain of states: what the shared iteration ([`crate::iterate`]) and table ([`crate::recursion`]) ask for, for
//! every domain that says no more than [`crate::domain`].
//!
//! [`crate::blocks`] executes blocks and updates loop heads, [`crate::calls`] looks up which entry a call is answered by.

use crate::context::{Context, Info, Settings, Site};
use crate::domain::Calls;
use crate::flow::{Flow, Graph};
use crate::iterate::solve;
use crate::recheck::check;
use crate::recursion::Tabulated;
use crate::report::{Point, Refused, Report, Statistics};
use crate::table::Table;
use heapwise_ir::{BlockId, Body, FuncId, FunctionBody, LocalSet, Program, Span};
use heapwise_property::Reason;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;

/// Rounds before exits are widened.
const JOINED_ROUNDS: usize = 3;
/// Exits that are left as they are.
const FEW_EXITS: usize = 4;

/// An analysis.
pub(crate) struct Solver<'p, D: Calls> {
    pub(crate) domain: D,
    pub(crate) cx: Context<'p>,
    pub(crate) table: Table<D::State>,
    pub(crate) statistics: Statistics,
    rechecking: bool,
    infos: FxHashMap<FuncId, Rc<Info>>,
    states: FxHashMap<Point, Vec<D::State>>,
    pub(crate) refused: IndexMap<Span, String, FxBuildHasher>,
}

/// The work on one function.
pub(crate) struct Work<'b, S> {
    pub(crate) flow: Flow<'b, S>,
    pub(crate) live: &'b [Vec<LocalSet>],
}

impl<'b, S: Clone> Work<'b, S> {
    fn new(func: FuncId, body: &'b Body, info: &'b Info, entry: Vec<S>) -> Self {
        let graph = Graph { func, body, cfg: &info.cfg, wto: &info.wto };
        Work { flow: Flow::new(graph, entry), live: &info.live }
    }
    pub(crate) fn site(&self, span: Span) -> Site<'b> {
        let Graph { func, body, .. } = self.flow.graph;
        Site { func, body, span, point: (Body::ENTRY, 0), live_after: None }
    }
    /// The place of a loop.
    pub(crate) fn head_site(&self, head: BlockId) -> Site<'b> {
        let graph = self.flow.graph;
        let point = (head, graph.body.blocks.get(head).map_or(0, |b| b.statements.len()));
        Site { point, ..self.site(graph.span(head)) }
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
        let mut work = Work::new(entry, body, &info, states);
        solve(&mut work, self);
        self.recheck(&work, None);
        for state in work.flow.returned() {
            self.domain.end(&mut self.cx, &at, state);
        }
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
    pub(crate) fn distinct(&self, states: Vec<D::State>) -> Vec<D::State> {
        let mut kept: Vec<D::State> = Vec::new();
        for state in states {
            if !self.covered(&state, &kept) {
                kept.retain(|old| self.domain.leq(old, &state).is_err());
                kept.push(state);
            }
        }
        kept
    }

    pub(crate) fn record(&mut self, function: FuncId, block: BlockId, index: usize, states: &[D::State]) {
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

impl<D: Calls> Tabulated for Solver<'_, D> {
    type State = D::State;
    type Kept = D::State;
    type Info = Rc<Info>;
    type Work<'b> = Work<'b, D::State>;

    const MAX_ROUNDS: usize = 30;

    fn table(&mut self) -> &mut Table<D::State> {
        &mut self.table
    }
    fn info(&mut self, func: FuncId, body: &Body) -> Rc<Info> {
        self.infos.entry(func).or_insert_with(|| Rc::new(Info::new(body))).clone()
    }
    fn work<'b>(
        &mut self,
        func: FuncId,
        body: &'b Body,
        info: &'b Rc<Info>,
        entry: Vec<D::State>,
    ) -> Work<'b, D::State> {
        Work::new(func, body, info, entry)
    }
    fn begins(&mut self, _: FuncId) {
        self.statistics.entries += 1;
    }
    fn ends(&mut self, _: FuncId) {}
    fn next_round(&mut self, _: FuncId, _: &Body, _: Span) -> bool {
        !self.cx.is_exhausted()
    }
    fn too_many_rounds(&mut self, func: FuncId, body: &Body, span: Span) {
        let at = Site { func, body, span, point: (Body::ENTRY, 0), live_after: None };
        self.cx.give_up(&at, "the results of a recursive function do not stabilise");
    }
    fn add_exits(
        &mut self,
        _: FuncId,
        mut known: Vec<D::State>,
        exits: Vec<D::State>,
        round: usize,
        span: Span,
    ) -> (Vec<D::State>, bool) {
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
        (known, grown)
    }
    fn recheck(&mut self, work: &Work<'_, D::State>, entry: Option<&D::State>) {
        if !self.cx.settings.recheck || self.cx.is_exhausted() || self.rechecking {
            return;
        }
        self.rechecking = true;
        let counters = self.statistics;
        let exits = match entry {
            Some(entry) => self.table.exits_so_far(work.flow.graph.func, entry),
            None => work.flow.returned().cloned().collect(),
        };
        check(work, self, &exits);
        self.statistics = counters;
        self.rechecking = false;
    }
}
