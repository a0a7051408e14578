//! Watching a run and looking every memory up among the states of the analysis.

use super::{RunMemory, run_settings};
use heapwise_engine::Options;
use heapwise_engine::shapes::claim::{ShapeCheck, shape_checks};
use heapwise_engine::{Point, Report};
use heapwise_heap::gamma::{Claim, ConcreteMemory as _, LocalValue, Membership, member};
use heapwise_interp::{Observer, RandomInputs, View};
use heapwise_ir::{Callee, FuncId, Program, Span, StatementKind};
use heapwise_property::{Alarm, ErrorKind, Kind, Property, Reason};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Duration;

/// Visits of one point in one run that are all checked; later ones are sampled.
const ALL_VISITS: u64 = 12;
/// Search steps per disjunct.
const BUDGET: usize = 50_000;

/// Compares the memory with the states before each statement.
struct Judge<'a> {
    program: &'a Program,
    report: &'a Report,
    options: &'a Options,
    main: Option<FuncId>,
    /// The checks of shapes that were proved, by their call.
    proved: &'a HashMap<Point, ShapeCheck>,
    leaks: bool,
    /// Statements after which the analysis claims nothing on the path.
    blind: &'a HashSet<Span>,
    excused: bool,
    visits: HashMap<Point, u64>,
    /// The disjunct that last contained a memory at a point.
    likely: HashMap<Point, usize>,
    checked: u64,
    /// How often a proved shape was looked for in memory.
    shapes: u64,
    undecided: u64,
    violation: Option<String>,
}

impl Judge<'_> {
    /// Looks for a shape that was proved; what is wrong if it is not there.
    fn shape(&mut self, check: &ShapeCheck, memory: &RunMemory<'_, '_, '_>) -> Option<String> {
        let in_scope = |l| memory.local(l) != LocalValue::Dead;
        let states = check.states(self.program, &self.options.declarations, &self.report.preds, in_scope);
        let states = states.expect("a shape that was proved is well-formed");
        self.shapes += 1;
        let mut reasons = String::new();
        for state in &states {
            match member(state, &self.report.preds, memory, Claim::Part, BUDGET) {
                Membership::Inside => return None,
                Membership::Outside(why) => {
                    let _ = writeln!(reasons, "    {why}");
                }
                Membership::Undecided => {
                    self.undecided += 1;
                    return None;
                }
            }
        }
        Some(format!("the shape was proved, but the memory does not have it:\n{reasons}"))
    }
}

impl Observer for Judge<'_> {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        let Some(frame) = view.frames().next() else { return ControlFlow::Continue(()) };
        if self.excused {
            return ControlFlow::Break(());
        }
        let point = Point { function: frame.function, block: frame.block, index: frame.statement };
        let span = span_at(self.program, point);
        self.excused = self.blind.contains(&span);
        let visits = self.visits.entry(point).or_default();
        *visits += 1;
        if *visits > ALL_VISITS && !visits.is_power_of_two() {
            return ControlFlow::Continue(());
        }
        let memory = RunMemory::new(view, frame);
        if let Some(check) = self.proved.get(&point)
            && let Some(why) = self.shape(check, &memory)
        {
            let place = self.program.sources.describe(span);
            self.violation = Some(format!("{place}: {why}\n{}", memory.describe()));
            return ControlFlow::Break(());
        }
        let states = self.report.states.get(&point).map(Vec::as_slice).unwrap_or_default();
        let claim =
            if Some(point.function) == self.main && !self.leaks { Claim::Everything } else { Claim::Part };
        let first = self.likely.get(&point).copied().unwrap_or(0);
        let mut order: Vec<usize> = (0..states.len()).collect();
        if first < order.len() {
            order.swap(0, first);
        }
        self.checked += 1;
        let mut reasons = Vec::new();
        let mut undecided = false;
        for k in order {
            match member(&states[k], &self.report.preds, &memory, claim, BUDGET) {
                Membership::Inside => {
                    self.likely.insert(point, k);
                    return ControlFlow::Continue(());
                }
                Membership::Outside(why) => reasons.push((k, why)),
                Membership::Undecided => undecided = true,
            }
        }
        if undecided {
            self.undecided += 1;
            return ControlFlow::Continue(());
        }
        let name = &self.program.functions[point.function].name;
        let mut text = format!(
            "in {name}, {:?} statement {} ({}: `{}`)\n",
            point.block,
            point.index,
            self.program.sources.describe(span),
            self.program.sources.snippet(span)
        );
        let _ = writeln!(text, "  memory after {} steps:\n{}", view.steps(), memory.describe());
        for (k, why) in &reasons {
            let _ = writeln!(text, "  state {k}: {why}\n    {:?}", states[*k]);
        }
        for (id, pred) in self.report.preds.iter() {
            let _ = writeln!(text, "  {id:?} {} = {:?}", pred.name, pred.def);
        }
        self.violation = Some(text);
        ControlFlow::Break(())
    }
}

fn span_at(program: &Program, point: Point) -> Span {
    let block = &program.body(point.function).expect("it runs").blocks[point.block];
    block.statements.get(point.index).map_or(block.terminator.span, |s| s.span)
}

/// Whether a call reads as much as there is, or as little: that there may not be room for it is an alarm, although a run in which
/// less is read goes on.
fn reads_input(program: &Program, span: Span) -> bool {
    let bodies = program.functions.indices().filter_map(|f| program.body(f));
    let mut statements = bodies.flat_map(|b| b.blocks.iter()).flat_map(|b| &b.statements);
    statements.any(|s| match &s.kind {
        StatementKind::Call(call) if s.span == span => match call.callee {
            Callee::Direct(f) => {
                program.functions.get(f).and_then(|f| f.library).is_some_and(|lib| lib.effects().nondet)
            }
            _ => false,
        },
        _ => false,
    })
}

/// Whether the analysis may drop what follows an alarm of this kind although a run can go on: that a variable may
/// be uninitialised, or a pointer may dangle, is said by forgetting what it is otherwise.
pub fn ends_the_path(kind: Kind) -> bool {
    use {ErrorKind as E, Reason as R};
    let errors = [E::Uninitialised, E::UseAfterFree, E::UseAfterScope];
    let reasons = [R::UnknownPointer, R::UnknownCall, R::Unsupported];
    errors.iter().any(|e| kind == *e) || reasons.iter().any(|r| kind == *r)
}

/// The figures of one program.
#[derive(Default)]
pub struct Tally {
    pub checked: u64,
    pub shapes: u64,
    pub undecided: u64,
    /// Points of the program at which a memory was checked.
    pub points: usize,
    pub violations: Vec<String>,
    pub exhausted: bool,
    pub proved: bool,
}

pub fn options() -> Options {
    Options { record_states: true, timeout: Some(limit(1.5)), ..Options::default() }
}

/// The time for one analysis: `HEAPWISE_SECONDS`, or the given seconds.
pub fn limit(seconds: f64) -> Duration {
    let asked = std::env::var("HEAPWISE_SECONDS").ok().and_then(|s| s.parse().ok());
    Duration::from_secs_f64(asked.unwrap_or(seconds))
}

pub fn judged(program: &Program, report: &Report, options: &Options, seeds: u64) -> Tally {
    let exhausted = report.alarms.iter().any(|a| a.kind == Reason::Budget);
    let mut tally = Tally { proved: report.alarms.is_empty(), exhausted, ..Tally::default() };
    if exhausted {
        return tally;
    }
    let is_blind = |a: &&Alarm| {
        ends_the_path(a.kind) || a.kind == ErrorKind::OutOfBounds && reads_input(program, a.span)
    };
    let blind = report.alarms.iter().filter(is_blind).map(|a| a.span).collect();
    let unproved: HashSet<Span> =
        report.alarms.iter().filter(|a| a.kind == Reason::Shape).map(|a| a.span).collect();
    let proved = shape_checks(program).into_iter().filter(|c| !unproved.contains(&c.span));
    let proved = proved.map(|c| (c.point, c)).collect();
    let mut points = HashSet::new();
    for seed in 0..seeds {
        let mut judge = Judge {
            program,
            report,
            options,
            proved: &proved,
            shapes: 0,
            main: program.function_named("main"),
            leaks: !options.properties.has(Property::Leak)
                || report
                    .alarms
                    .iter()
                    .any(|a| a.kind == ErrorKind::Leak || a.kind == ErrorKind::HeldAtReturn),
            blind: &blind,
            excused: false,
            visits: HashMap::new(),
            likely: HashMap::new(),
            checked: 0,
            undecided: 0,
            violation: None,
        };
        let settings = run_settings(options, 20_000);
        let mut inputs = RandomInputs::new(seed);
        heapwise_interp::run(program, &settings, &mut inputs, Some(&mut judge));
        points.extend(judge.visits.into_keys());
        tally.checked += judge.checked;
        tally.shapes += judge.shapes;
        tally.undecided += judge.undecided;
        tally.violations.extend(judge.violation.map(|v| format!("seed {seed} {v}")));
    }
    tally.points = points.len();
    tally
}
