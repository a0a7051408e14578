//! The search for a contract of one function, and for those of all functions of a program.

use super::express::{self, Expressed, Named, Words};
use super::family::{self, Family};
use super::refine::Refining;
use super::start::{Given, Shape, Slot, Start, Way, Written};
use super::{Found, Inferred};
use crate::check::analyse_known;
use crate::check::attempt::{Learned, Outcome, attempt};
use crate::check::schedule::{EXPLORING, STACK, exploring_budget};
use crate::demand::Demand;
use crate::facts::{Facts, Whole};
use crate::options::Options;
use crate::precision::{Precision, Strategy};
use crate::shapes::declare::{Declarations, ShapeFile, declare};
use heapwise_heap::fold::abstracted;
use heapwise_heap::lattice::inclusion::is_included;
use heapwise_heap::shape::is_reserved;
use heapwise_heap::{PredId, PredTable, Root, State};
use heapwise_ir::visit::{Access, statement_operands, statement_places};
use heapwise_ir::{
    Body, CallGraph, Callee, Const, FuncId, FunctionBody, GlobalId, GlobalInit, GlobalKind, InitValue,
    Operand, PlaceBase, Program, Statement, StatementKind, Wto,
};
use heapwise_property::{Alarm, ErrorKind, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Most starts from which a function is run.
pub const MAX_RUNS: usize = 48;
/// Most cases of a postcondition.
const MAX_CASES: usize = 12;

/// Most pieces of a start that are left out for a try.
const MAX_OMISSIONS: usize = 6;

/// What a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Work of one run, in the units of [`crate::report::Work`].
    pub run: u64,
    /// Work of a verification.
    pub verification: u64,
    /// When everything has to end.
    pub end: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { run: 200_000, verification: 2_000_000, end: None }
    }
}

/// The contracts of all functions with a body that are wanted, callees first.
pub fn infer(
    program: &Program,
    options: &Options,
    limits: Limits,
    wanted: &(dyn Fn(FuncId) -> bool + Sync),
) -> Vec<Inferred> {
    infer_unknown(program, options, limits, wanted, &|_| None)
}

/// The same, where of some functions it is known already what would be found.
pub fn infer_unknown(
    program: &Program,
    options: &Options,
    limits: Limits,
    wanted: &(dyn Fn(FuncId) -> bool + Sync),
    known: &(dyn Fn(FuncId) -> Option<Inferred> + Sync),
) -> Vec<Inferred> {
    let whole = Arc::new(Whole::new(program));
    let order: Vec<FuncId> =
        whole.calls.components().iter().flatten().copied().filter(|f| wanted(*f)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(f) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(known(*f).or_else(|| inferred(&whole, options, limits, *f)));
        }
        found
    };
    let mut found = std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok();
        let threads: Vec<_> = (1..options.jobs.max(1)).filter_map(spawn).collect();
        let mut found = work();
        for thread in threads {
            found.extend(thread.join().unwrap_or_default());
        }
        found
    });
    let place = |f: &Inferred| order.iter().position(|o| *o == f.function);
    found.sort_by_key(place);
    prefer_common_structures(&mut found);
    found
}

/// Where a function has contracts over different structures, those come first that most other functions need.
fn prefer_common_structures(all: &mut [Inferred]) {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for f in all.iter().filter(|f| f.contracts.len() == 1) {
        for p in f.contracts.iter().flat_map(|c| &c.predicates) {
            *uses.entry(p.clone()).or_default() += 1;
        }
    }
    for f in all.iter_mut().filter(|f| f.contracts.len() > 1) {
        let known = |c: &Found| c.predicates.iter().filter_map(|p| uses.get(p)).sum::<usize>();
        f.contracts.sort_by_key(|c| std::cmp::Reverse(known(c)));
    }
}

/// The contract of a function, if it is one that the program has: `None` for functions that are only declared.
pub fn infer_function(
    program: &Program,
    options: &Options,
    limits: Limits,
    function: FuncId,
) -> Option<Inferred> {
    inferred(&Arc::new(Whole::new(program)), options, limits, function)
}

fn inferred(whole: &Arc<Whole<'_>>, options: &Options, limits: Limits, function: FuncId) -> Option<Inferred> {
    let program = whole.program;
    let f = program.functions.get(function)?;
    let mut inferred = Inferred {
        function,
        name: f.name.to_string(),
        params: Vec::new(),
        span: f.span,
        contracts: Vec::new(),
        why_not: None,
        alarms: Vec::new(),
        from: Vec::new(),
        from_predicates: Vec::new(),
        runs: 0,
        joins: 0,
    };
    match &f.body {
        FunctionBody::Declared => return None,
        FunctionBody::NotAnalysed { reason, .. } => {
            inferred.why_not = Some(format!("it is not analysed: {reason}"));
        }
        FunctionBody::Defined(body) => {
            let search = Search::new(whole.clone(), options, limits, function, body);
            search.run(&mut inferred);
            inferred.joins = search.joins.into_inner();
        }
    }
    Some(inferred)
}

/// What a run from a start came to.
struct Tried {
    outcome: Outcome,
    precision: Precision,
    /// Names of values that are held after parameters and globals.
    logic: Vec<String>,
}

struct Search<'a> {
    whole: Arc<Whole<'a>>,
    program: &'a Program,
    options: &'a Options,
    limits: Limits,
    function: FuncId,
    name: String,
    params: Vec<String>,
    /// Globals that the function or its callees name and that contracts can name, by their names.
    globals: BTreeMap<String, GlobalId>,
    /// What it names and contracts cannot.
    nameless: Option<String>,
    goes_round: bool,
    branches: bool,
    slots: Vec<Slot>,
    /// Joins in all runs so far.
    joins: AtomicUsize,
}

impl<'a> Search<'a> {
    fn new(
        whole: Arc<Whole<'a>>,
        options: &'a Options,
        limits: Limits,
        function: FuncId,
        body: &'a Body,
    ) -> Search<'a> {
        let program = whole.program;
        let calls = &whole.calls;
        let (globals, nameless) = named_globals(program, calls, function);
        let params: Vec<String> = body
            .params
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let name = body.locals.get(*p).and_then(|l| l.name.as_deref());
                // In the text of a contract it has another name if its own means something else there.
                let name = name.filter(|n| !is_reserved(n));
                name.map_or_else(|| format!("argument{i}"), str::to_owned)
            })
            .collect();
        let is_held = |ty| program.types.pointee(ty).is_some() || program.types.as_int(ty).is_some();
        let mut slots = Vec::new();
        for (i, (p, name)) in body.params.iter().zip(&params).enumerate() {
            let local = body.locals.get(*p);
            if let Some(local) = local.filter(|l| l.name.is_some() && is_held(l.ty)) {
                slots.push(Slot { name: name.clone(), of: Given::Param(i), ty: local.ty, shape: Shape::ANY });
            }
        }
        for (name, g) in &globals {
            if let Some(ty) = program.globals.get(*g).map(|g| g.ty).filter(|ty| is_held(*ty)) {
                slots.push(Slot { name: name.clone(), of: Given::Global(*g), ty, shape: Shape::ANY });
            }
        }
        let loops = |f: FuncId| {
            program.body(f).is_some_and(|b| {
                let wto = Wto::new(&heapwise_ir::Cfg::new(b));
                b.blocks.indices().any(|block| wto.is_head(block))
            })
        };
        let goes_round = calls.reachable_from(function).iter().any(|f| loops(f) || calls.is_recursive(f));
        let branches =
            calls.reachable_from(function).iter().any(|f| branches_at(program, calls, f, loops(f)));
        let name = program.functions.get(function).map_or_else(String::new, |f| f.name.to_string());
        Search {
            whole,
            program,
            options,
            limits,
            function,
            name,
            params,
            globals,
            nameless,
            goes_round,
            branches,
            slots,
            joins: AtomicUsize::new(0),
        }
    }

    fn run(&self, inferred: &mut Inferred) {
        inferred.params.clone_from(&self.params);
        if let Some(g) = &self.nameless {
            inferred.why_not = Some(format!("it uses the variable `{g}`, which contracts cannot name"));
            return;
        }
        if let Some(name) = replaceable(self.program, &self.whole.calls, self.function) {
            inferred.why_not =
                Some(format!("it depends on `{name}`, which is weak: another file may replace it"));
            return;
        }
        let first = Start {
            slots: self.slots.clone(),
            families: BTreeMap::new(),
            initialised: false,
            prefixes: self.prefixes(),
        };
        let mut todo = vec![first];
        let mut seen: BTreeSet<Start> = BTreeSet::new();
        while let Some(start) = todo.pop() {
            if inferred.runs >= MAX_RUNS || self.limits.end.is_some_and(|end| Instant::now() >= end) {
                inferred.why_not.get_or_insert_with(|| "too many starts were tried".into());
                return;
            }
            if !seen.insert(start.clone()) {
                continue;
            }
            let Some(written) = start.written(&self.program.types, None) else { continue };
            let requires = written.clauses.clone();
            let predicates = start.predicates(&self.program.types);
            inferred.runs += 1;
            let tried = match self.explore(&requires, &predicates) {
                Ok(tried) => tried,
                Err(why) => {
                    inferred.why_not.get_or_insert(why);
                    continue;
                }
            };
            if tried.outcome.read_uninit && !start.initialised {
                todo.push(Start { initialised: true, ..start });
                continue;
            }
            let alarms: Vec<Alarm> = tried.outcome.alarms.values().cloned().collect();
            let Some(alarm) = alarms.first() else {
                let (start, tried) = self.least(start, tried, &mut inferred.runs);
                match self.conclude(&start, tried) {
                    Ok(found) => {
                        inferred.contracts.push(found);
                        inferred.contracts.extend(self.rivals(&start, &mut inferred.runs));
                        inferred.why_not = None;
                        return;
                    }
                    Err(why) => {
                        inferred.why_not = Some(why);
                        continue;
                    }
                }
            };
            let refining = Refining {
                types: &self.program.types,
                goes_round: self.goes_round,
                branches: self.branches,
                held: self.held(&start, &written, &tried.logic),
            };
            let mut next = match &tried.outcome.demand {
                Some(demand) => refining.after(&start, demand),
                None => Vec::new(),
            };
            if alarm.kind == Kind::Error(ErrorKind::Uninitialised) && !start.initialised {
                next.insert(0, Start { initialised: true, ..start.clone() });
            }
            if alarm.kind == Kind::Error(ErrorKind::DivisionByZero) {
                next.extend(refining.nonzero_arguments(&start));
            }
            let too_few =
                |a: &Alarm| matches!(a.kind, Kind::Error(ErrorKind::OutOfBounds | ErrorKind::BadArgument));
            if alarms.iter().any(too_few) {
                next.extend(refining.texts(&start));
                next.extend(refining.arrays(&start));
            }
            if next.is_empty() || inferred.alarms.is_empty() {
                let certain = |a: &[Alarm]| a.first().is_some_and(|a| matches!(a.kind, Kind::Error(_)));
                if inferred.alarms.is_empty() || certain(&alarms) || !certain(&inferred.alarms) {
                    inferred.why_not = Some(alarm.message.clone());
                    inferred.alarms = alarms;
                    inferred.from = requires;
                    inferred.from_predicates = predicates;
                }
            }
            next.reverse();
            todo.append(&mut next);
        }
        inferred
            .why_not
            .get_or_insert_with(|| "no start was found from which it runs without an alarm".into());
    }

    /// The same start without what the function does not need after all.
    fn least(&self, mut start: Start, mut tried: Tried, runs: &mut usize) -> (Start, Tried) {
        let types = &self.program.types;
        let ways = start.assumed();
        // A start of one piece was asked for as it is.
        if ways.len() < 2 {
            return (start, tried);
        }
        for way in ways.into_iter().rev().take(MAX_OMISSIONS) {
            let less = start.with(&way, Shape::ANY).without_unused_families(types);
            let Some(written) = less.written(types, None) else { continue };
            *runs += 1;
            if let Ok(other) = self.explore(&written.clauses, &less.predicates(types))
                && other.outcome.is_proof()
            {
                (start, tried) = (less, other);
            }
        }
        (start, tried)
    }

    /// Contracts over other structures with the same links.
    fn rivals(&self, start: &Start, runs: &mut usize) -> Vec<Found> {
        let types = &self.program.types;
        let mut found = Vec::new();
        for (ty, family) in &start.families {
            let Some(kind) = family.kind.rival() else { continue };
            let mut other = start.clone();
            other.families.insert(*ty, Family { kind, ..family.clone() });
            let Some(written) = other.written(types, None) else { continue };
            *runs += 1;
            let tried = self.explore(&written.clauses, &other.predicates(types));
            if let Some(tried) = tried.ok().filter(|t| t.outcome.is_proof()) {
                found.extend(self.conclude(&other, tried));
            }
        }
        found
    }

    /// What names of pointers and numbers may begin with: no variable is called so.
    fn prefixes(&self) -> (&'static str, &'static str) {
        let is_free = |prefix: &str| {
            let mut own =
                self.params.iter().map(String::as_str).chain(self.globals.keys().map(String::as_str));
            let is_like = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
            !own.any(|n| n.strip_prefix(prefix).is_some_and(is_like))
        };
        let pairs = [("x", "n"), ("y", "m"), ("z", "k"), ("some_", "number_")];
        let free = pairs.into_iter().find(|(p, n)| is_free(p) && is_free(n));
        free.unwrap_or(("heapwise_value_", "heapwise_number_"))
    }

    /// Where in a start the values are that its run holds.
    fn held(&self, start: &Start, written: &Written, logic: &[String]) -> Vec<Option<Way>> {
        let slot =
            |is: &dyn Fn(Given) -> bool| start.slots.iter().position(|s| is(s.of)).map(|i| (i, Vec::new()));
        let params = (0..self.params.len()).map(|i| slot(&|of| of == Given::Param(i)));
        let globals = self.globals.values().map(|g| slot(&|of| of == Given::Global(*g)));
        let named = |name: &String| written.names.iter().find(|(n, _)| n == name).map(|(_, way)| way.clone());
        params.chain(globals).chain(logic.iter().map(named)).collect()
    }

    /// Whether the program itself declares a predicate by this very text, so that it is not to be declared again.
    fn is_declared(&self, predicate: &str) -> bool {
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let predicate = one_line(predicate);
        self.program.annotations.iter().any(|a| one_line(&a.text).contains(&predicate))
    }

    /// A file that declares predicates and a contract.
    fn declared(
        &self,
        predicates: &[String],
        requires: &[String],
        ensures: &[String],
        may_exit: bool,
    ) -> Result<Declarations, String> {
        let mut text =
            predicates.iter().filter(|p| !self.is_declared(p)).cloned().collect::<Vec<_>>().join("\n");
        text.push_str(&format!("\ncontract {}({})\n", self.name, self.params.join(", ")));
        if requires.is_empty() {
            text.push_str("requires emp;\n");
        }
        requires.iter().for_each(|r| text.push_str(&format!("requires {r};\n")));
        if !ensures.is_empty() {
            text.push_str(&format!("ensures {};\n", ensures.join(" | ")));
        }
        if may_exit {
            text.push_str("may exit;\n");
        }
        let file = ShapeFile { name: String::new(), text, at_calls: false };
        declare(self.program, &[file]).map_err(|errors| {
            let first = errors.into_iter().next().map_or_else(String::new, |e| e.message);
            format!("its contract cannot be written: {first}")
        })
    }

    fn settings(&self, declarations: Declarations, abduce: bool) -> Options {
        Options {
            function: Some(self.name.clone()),
            declarations,
            abduce,
            max_work: self.limits.verification,
            jobs: 1,
            ..self.options.clone()
        }
    }

    /// Runs the function from a start, with the precision that comes furthest.
    fn explore(&self, requires: &[String], predicates: &[String]) -> Result<Tried, String> {
        // Globals are named, so that what they held is known at the end.
        let named = self.globals.keys().map(|g| format!("{g} == {g}"));
        let requires: Vec<String> = requires.iter().cloned().chain(named).collect();
        let declarations = self.declared(predicates, &requires, &[], false)?;
        let body = self.program.body(self.function);
        let own = |n: &str| {
            let mut params = body.into_iter().flat_map(|b| b.params.iter().filter_map(|p| b.locals.get(*p)));
            params.any(|l| l.name.as_deref() == Some(n))
        };
        let is_known = |n: &str| self.globals.contains_key(n) || own(n) || self.params.iter().any(|p| p == n);
        let contract = declarations.contracts.get(&self.function);
        let logic = contract.map(|c| c.logic_names(is_known, true)).unwrap_or_default();
        let options = self.settings(declarations, true);
        let facts = Facts::of(self.whole.clone(), &options);
        let mut learned = Learned::default();
        let mut best: Option<Tried> = None;
        for precision in EXPLORING {
            if precision.is_eager() && predicates.is_empty() {
                continue;
            }
            let precision = match self.options.strategy {
                Strategy::Any => precision,
                strategy => precision.with(strategy),
            };
            let mut budget = exploring_budget(self.limits.run, self.limits.end);
            budget.cancel.clone_from(&self.options.abandoned);
            let outcome = attempt(&facts, precision, budget, true, &learned);
            self.joins.fetch_add(outcome.statistics.joins, Ordering::Relaxed);
            learned.add(&outcome, &self.program.types);
            let certain = outcome.is_proof() || matches!(outcome.demand, Some(Demand::Memory { .. }));
            let tried = Tried { outcome, precision, logic: logic.clone() };
            if certain {
                return Ok(tried);
            }
            let better = |old: &Tried| tried.outcome.demand.is_some() && old.outcome.demand.is_none();
            if best.as_ref().is_none_or(better) {
                best = Some(tried);
            }
        }
        best.ok_or_else(|| "it was not run".into())
    }

    /// From a run without an alarm to a contract that is verified.
    fn conclude(&self, start: &Start, tried: Tried) -> Result<Found, String> {
        let predicates = &start.predicates(&self.program.types);
        let Tried { outcome, precision, logic } = tried;
        let requires = |mentioned: &[String]| {
            let written = start.written(&self.program.types, Some(mentioned));
            written.map(|w| w.clauses).unwrap_or_default()
        };
        let declared = self.declared(predicates, &requires(&[]), &[], false)?;
        let may_exit = outcome.ends_program;
        let mut preds = outcome.preds;
        let exits = self.without_open_numbers(start, &logic, outcome.exits);
        if exits.is_empty() && !requires(&[]).is_empty() {
            return Err("it does not return from the only starts that were found".into());
        }
        if exits.is_empty() {
            return self.verified(&requires(&[]), predicates, &["0 == 1".to_owned()], Vec::new(), may_exit);
        }
        let found = self.named_predicates(&preds, declared.preds.len(), predicates);
        let mut why = "what it leaves has no description".to_owned();
        let mut variants = vec![exits.clone()];
        // Blocks are best told by the names that they had; what has become part of a structure has none.
        if exits.iter().any(State::has_summaries) {
            let simple = self.simplified(&exits, &mut preds, precision, !predicates.is_empty());
            if variants.first() != Some(&simple) {
                variants.insert(0, simple);
            }
        }
        for exits in variants {
            let exits = without_covered(exits, &preds);
            for numbers in [true, false] {
                let mut words = self.words(&preds, &exits, &logic, &found, numbers);
                words.lengths = self.lengths(start);
                let mut formulas: Vec<Expressed> = Vec::new();
                let all: Result<Vec<Expressed>, String> = exits.iter().map(|e| words.formula(e)).collect();
                match all {
                    Ok(all) => formulas.extend(all),
                    Err(e) => {
                        why = e;
                        break;
                    }
                }
                formulas.dedup();
                if formulas.len() > MAX_CASES {
                    why = format!("its postcondition would have {} cases", formulas.len());
                    break;
                }
                let needed: BTreeSet<_> = formulas.iter().flat_map(|f| f.preds.iter().copied()).collect();
                let further = match words.definitions(&needed, declared.preds.len()) {
                    Ok(further) => further,
                    Err(e) => {
                        why = e;
                        break;
                    }
                };
                let ensures: Vec<String> = formulas.into_iter().map(|f| f.text).collect();
                let mentioned: Vec<String> = logic
                    .iter()
                    .filter(|n| ensures.iter().any(|e| e.contains(&format!("\\old({n})"))))
                    .cloned()
                    .collect();
                match self.verified(&requires(&mentioned), predicates, &ensures, further, may_exit) {
                    Ok(found) => return Ok(found),
                    Err(e) => why = e,
                }
            }
        }
        Err(why)
    }

    /// Exits that do not name numbers in memory of which nothing is required: a contract with such a name would ask of
    /// callers that they know the number by its type.
    fn without_open_numbers(&self, start: &Start, logic: &[String], mut exits: Vec<State>) -> Vec<State> {
        let types = &self.program.types;
        let names = start.written(types, None).map(|w| w.names).unwrap_or_default();
        let first = self.params.len() + self.globals.len();
        for (k, name) in logic.iter().enumerate() {
            let Some((_, way)) = names.iter().find(|(n, _)| n == name) else { continue };
            let is_number = start.type_at(types, way).is_some_and(|ty| types.pointee(ty).is_none());
            if is_number && start.shape(way) == Some(&Shape::ANY) {
                for exit in &mut exits {
                    exit.drop_root(Root::Cut((first + k) as u32));
                }
            }
        }
        exits.iter_mut().for_each(State::forget_unused);
        exits
    }

    fn verified(
        &self,
        requires: &[String],
        predicates: &[String],
        ensures: &[String],
        further: Vec<String>,
        may_exit: bool,
    ) -> Result<Found, String> {
        let mut predicates: Vec<String> = predicates.to_vec();
        predicates.extend(further.into_iter().filter(|p| !predicates.contains(p)).collect::<Vec<_>>());
        let options = self.settings(self.declared(&predicates, requires, ensures, may_exit)?, false);
        let report = analyse_known(&Facts::of(self.whole.clone(), &options));
        match report.alarms.first() {
            None => {
                Ok(Found { requires: requires.to_vec(), ensures: ensures.to_vec(), may_exit, predicates })
            }
            Some(alarm) => Err(alarm.message.clone()),
        }
    }

    /// What exits are called.
    /// The cutpoints of numbers that are lengths of arrays, with the sizes of elements.
    fn lengths(&self, start: &Start) -> Vec<(u32, u64)> {
        let types = &self.program.types;
        let length = |slot: &Slot| {
            let Shape::Array { length, .. } = slot.shape else { return None };
            let at = match start.slots.get(length)?.of {
                Given::Param(i) => i,
                Given::Global(g) => {
                    self.params.len() + self.globals.values().position(|other| *other == g)?
                }
            };
            Some((u32::try_from(at).ok()?, types.size(types.pointee(slot.ty)?)))
        };
        let mut found: Vec<(u32, u64)> = start.slots.iter().filter_map(length).collect();
        found.sort_by_key(|(at, element)| (std::cmp::Reverse(*element), *at));
        found.dedup();
        found
    }

    fn words<'w>(
        &self,
        preds: &'w PredTable,
        exits: &[State],
        logic: &[String],
        found: &BTreeMap<PredId, Named>,
        numbers: bool,
    ) -> Words<'w>
    where
        'a: 'w,
    {
        let mut held = BTreeMap::new();
        let body = self.program.body(self.function);
        let has_name = |i: usize| {
            let local = body.and_then(|b| b.locals.get(*b.params.get(i)?));
            local.is_some_and(|l| l.name.is_some() && express::is_nameable(self.program, l.ty))
        };
        for (i, name) in self.params.iter().enumerate().filter(|(i, _)| has_name(*i)) {
            held.insert(i as u32, name.clone());
        }
        for (j, name) in self.globals.keys().enumerate() {
            held.insert((self.params.len() + j) as u32, format!("\\old({name})"));
        }
        let first = (self.params.len() + self.globals.len()) as u32;
        held.extend(logic.iter().enumerate().map(|(k, name)| (first + k as u32, format!("\\old({name})"))));
        held.retain(|i, _| exits.iter().any(|e| e.has_root(Root::Cut(*i))));
        let own = self.params.iter().cloned();
        let all = self.program.globals.iter().map(|g| g.name.to_string());
        Words {
            program: self.program,
            preds,
            held,
            silent: first,
            lengths: Vec::new(),
            globals: self.globals.iter().map(|(n, g)| (*g, n.clone())).collect(),
            found: found.clone(),
            taken: own.chain(all).chain(logic.iter().cloned()).collect(),
            numbers,
        }
    }

    /// What predicates that a run discovered are called: the usual structures as everywhere, others after the function.
    fn named_predicates(
        &self,
        preds: &PredTable,
        declared: usize,
        texts: &[String],
    ) -> BTreeMap<PredId, Named> {
        let types = &self.program.types;
        let discovered: Vec<PredId> =
            preds.iter().map(|(id, _)| id).filter(|id| id.0 as usize >= declared).collect();
        let mut usual: Vec<(String, String)> = Vec::new();
        let cases = discovered.iter().flat_map(|id| &preds.get(*id).def.cases);
        let records: BTreeSet<_> = cases.filter_map(|c| c.block.as_ref()?.record).collect();
        for record in records {
            let ty = self.record_type(record);
            usual.extend(ty.into_iter().flat_map(|ty| family::usual(types, ty)));
        }
        // One at a time: what cannot be declared here is of no use.
        let mut known: Vec<(String, String, PredTable)> = Vec::new();
        for (name, text) in usual {
            let clash = |t: &&String| t.starts_with(&format!("predicate {name}(")) && **t != text;
            if texts.iter().any(|t| clash(&t)) {
                continue;
            }
            let new = if self.is_declared(&text) { String::new() } else { text.clone() };
            let file = ShapeFile { name: String::new(), text: new, at_calls: false };
            if let Ok(declarations) = declare(self.program, &[file]) {
                known.push((name, text, declarations.preds));
            }
        }
        let mut found = BTreeMap::new();
        for id in discovered {
            let pred = preds.get(id);
            let same = known
                .iter()
                .find(|(name, _, table)| table.iter().any(|(_, p)| p.name == *name && p.def == pred.def));
            let named = match same {
                Some((name, text, _)) => Named { name: name.clone(), usual: Some(text.clone()) },
                None => Named { name: format!("{}_structure{}", self.name, id.0), usual: None },
            };
            found.insert(id, named);
        }
        found
    }

    fn record_type(&self, record: heapwise_ir::RecordId) -> Option<heapwise_ir::Ty> {
        let types = &self.program.types;
        let mut all = (0..types.len()).map(|i| heapwise_ir::Ty(i as u32));
        all.find(|ty| *types.get(*ty) == heapwise_ir::Type::Record(record))
    }

    /// Exits without the names of arguments that lead into memory which others lead to as well: what is left folds further.
    fn simplified(
        &self,
        exits: &[State],
        preds: &mut PredTable,
        precision: Precision,
        known: bool,
    ) -> Vec<State> {
        let mut exits = exits.to_vec();
        let first = (self.params.len() + self.globals.len()) as u32;
        let cuts: BTreeSet<u32> = exits
            .iter()
            .flat_map(|e| e.roots().filter_map(|(r, _)| if let Root::Cut(i) = r { Some(i) } else { None }))
            .collect();
        for i in cuts.into_iter().rev() {
            let root = Root::Cut(i);
            let inner = |e: &State| {
                let Some(s) = e.root(root).and_then(|v| v.as_sym()) else { return false };
                let others = e.roots().filter(|(r, _)| *r != root);
                let owns = e.has_object(s) || e.summaries().any(|t| t.root.as_sym() == Some(s));
                let alias = others.into_iter().any(|(_, v)| v.as_sym() == Some(s));
                if i >= first { owns } else { e.has_object(s) && !alias }
            };
            if !exits.iter().any(inner) {
                continue;
            }
            let mut without = exits.clone();
            for e in &mut without {
                e.drop_root(root);
            }
            if without.iter().all(|e| e.clone().collect(preds).is_empty()) {
                without.iter_mut().for_each(State::forget_unused);
                exits = without;
            }
        }
        let granularity = precision.granularity(&self.whole.thresholds, known);
        for e in &mut exits {
            *e = abstracted(e, preds, &self.program.types, &granularity, false).state.canonical().0;
        }
        exits
    }
}

/// A weak function or constant that a function depends on, where other files may be linked: without a `main` the program is not whole.
fn replaceable(program: &Program, calls: &CallGraph, function: FuncId) -> Option<String> {
    if program.function_named("main").is_some_and(|f| program.body(f).is_some()) {
        return None;
    }
    let weak = &program.yielding;
    for f in calls.reachable_from(function).iter() {
        if weak.functions.contains(&f) {
            return program.functions.get(f).map(|f| f.name.to_string());
        }
        let mut constant = None;
        let mut named = |g: GlobalId| {
            if let Some(global) =
                program.globals.get(g).filter(|global| global.constant && weak.globals.contains(&g))
            {
                constant = Some(global.name.to_string());
            }
        };
        for statement in program.body(f).into_iter().flat_map(|b| b.blocks.iter()).flat_map(|b| &b.statements)
        {
            statement_operands(statement, &mut |operand| {
                if let Operand::Const(Const::Global { global, .. }) = operand {
                    named(*global);
                }
            });
            statement_places(statement, &mut |place, _| {
                if let PlaceBase::Global(g) = place.base {
                    named(g);
                }
            });
        }
        if constant.is_some() {
            return constant;
        }
    }
    None
}

/// Whether a function calls functions that may call it in several places, or in one beside a loop.
fn branches_at(program: &Program, calls: &CallGraph, function: FuncId, loops: bool) -> bool {
    let blocks = program.body(function).into_iter().flat_map(|b| b.blocks.iter());
    let is_back = |s: &&Statement| {
        let StatementKind::Call(call) = &s.kind else { return false };
        let Callee::Direct(callee) = &call.callee else { return false };
        calls.is_recursive(*callee) && calls.component_of(*callee) == calls.component_of(function)
    };
    match blocks.flat_map(|b| &b.statements).filter(is_back).count() {
        0 => false,
        1 => loops,
        _ => true,
    }
}

/// The states that no other one covers.
fn without_covered(states: Vec<State>, preds: &PredTable) -> Vec<State> {
    let mut kept: Vec<State> = Vec::new();
    for state in states {
        if kept.iter().any(|k| is_included(&state, k, preds)) {
            continue;
        }
        kept.retain(|k| !is_included(k, &state, preds));
        kept.push(state);
    }
    kept
}

/// The globals that a function or its callees name: those that contracts can name, and one that they cannot.
fn named_globals(
    program: &Program,
    calls: &CallGraph,
    function: FuncId,
) -> (BTreeMap<String, GlobalId>, Option<String>) {
    let mut named: BTreeMap<GlobalId, bool> = BTreeMap::new();
    for f in calls.reachable_from(function).iter() {
        let statements =
            program.body(f).into_iter().flat_map(|b| b.blocks.iter()).flat_map(|b| &b.statements);
        for statement in statements {
            statement_operands(statement, &mut |operand| {
                if let Operand::Const(Const::Global { global, .. }) = operand {
                    named.insert(*global, true);
                }
            });
            statement_places(statement, &mut |place, access| {
                if let PlaceBase::Global(g) = place.base {
                    *named.entry(g).or_default() |= access != Access::Read;
                }
            });
        }
    }
    // What a constant leads to may be changed through it.
    let mut todo: Vec<GlobalId> = named.keys().copied().collect();
    while let Some(g) = todo.pop() {
        let Some(global) = program.globals.get(g).filter(|g| g.constant) else { continue };
        let GlobalInit::Data(pieces) = &global.init else { continue };
        for piece in pieces {
            if let InitValue::GlobalAddr { global: target, .. } = piece.value
                && named.insert(target, true) != Some(true)
            {
                todo.push(target);
            }
        }
    }
    let mut found = BTreeMap::new();
    let mut nameless = None;
    for (g, changes) in named {
        let Some(global) = program.globals.get(g) else { continue };
        if global.constant || global.kind == GlobalKind::Literal {
            continue;
        }
        if matches!(&*global.name, "stdin" | "stdout" | "stderr") {
            continue;
        }
        let by_name = crate::shapes::declare::global_named(program, &global.name);
        if by_name == Some(g) && express::is_nameable(program, global.ty) {
            found.insert(global.name.to_string(), g);
        } else if changes {
            // What is only read may hold anything, and holds it afterwards.
            nameless.get_or_insert_with(|| global.name.to_string());
        }
    }
    (found, nameless)
}
