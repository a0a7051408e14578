//! Concrete runs against the states of the analysis: at every statement of every run, some disjunct that was computed
//! for that point must contain the memory. A memory outside of all of them is a wrong step of the analysis.
//!
//! `HEAPWISE_SEEDS` sets the number of runs per program, `HEAPWISE_ONLY` chooses programs by a part of their path.

#![allow(clippy::print_stderr)]

mod common;

use common::RunMemory;
use heapwise_engine::analysis::{Point, Report};
use heapwise_engine::gamma::{Claim, Membership, member};
use heapwise_engine::{Kind, Options, analyse};
use heapwise_heap::{State, Val};
use heapwise_interp::{Observer, RandomInputs, View};
use heapwise_ir::{FuncId, Program, Span};
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
    main: Option<FuncId>,
    leaks: bool,
    /// Statements after which the analysis claims nothing on the path.
    blind: &'a HashSet<Span>,
    excused: bool,
    visits: HashMap<Point, u64>,
    /// The disjunct that last contained a memory at a point.
    likely: HashMap<Point, usize>,
    checked: u64,
    undecided: u64,
    violation: Option<String>,
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

/// Whether the analysis may drop what follows an alarm of this kind although a run can go on.
fn ends_the_path(kind: Kind) -> bool {
    matches!(kind, Kind::UnknownPointer | Kind::UnknownCall | Kind::Unsupported | Kind::Uninitialised)
}

/// The figures of one program.
#[derive(Default)]
struct Tally {
    checked: u64,
    undecided: u64,
    violations: Vec<String>,
    exhausted: bool,
    proved: bool,
}

fn options() -> Options {
    Options { record_states: true, timeout: Some(Duration::from_millis(1500)), ..Options::default() }
}

fn judged(program: &Program, report: &Report, seeds: u64) -> Tally {
    let exhausted = report.alarms.iter().any(|a| a.kind == Kind::Budget);
    let mut tally = Tally { proved: report.alarms.is_empty(), exhausted, ..Tally::default() };
    if exhausted {
        return tally;
    }
    let blind = report.alarms.iter().filter(|a| ends_the_path(a.kind)).map(|a| a.span).collect();
    for seed in 0..seeds {
        let mut judge = Judge {
            program,
            report,
            main: program.function_named("main"),
            leaks: report.alarms.iter().any(|a| a.kind == Kind::Leak),
            blind: &blind,
            excused: false,
            visits: HashMap::new(),
            likely: HashMap::new(),
            checked: 0,
            undecided: 0,
            violation: None,
        };
        let settings = common::run_settings(&options(), 20_000);
        let mut inputs = RandomInputs::new(seed);
        heapwise_interp::run(program, &settings, &mut inputs, Some(&mut judge));
        tally.checked += judge.checked;
        tally.undecided += judge.undecided;
        tally.violations.extend(judge.violation.map(|v| format!("seed {seed} {v}")));
    }
    tally
}

#[test]
fn concrete_memories_lie_inside_the_states() {
    let seeds = std::env::var("HEAPWISE_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3);
    let (mut total, mut proved, mut exhausted) = (Tally::default(), 0, 0);
    for name in ["examples", "tests/check/safe", "tests/check/error"] {
        for path in common::programs(name) {
            let program = common::load(&path);
            let report = analyse(&program, &options());
            let tally = judged(&program, &report, seeds);
            proved += u32::from(tally.proved);
            exhausted += u32::from(tally.exhausted);
            total.checked += tally.checked;
            total.undecided += tally.undecided;
            let known = if tally.proved { "proved" } else { "with alarms" };
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            total
                .violations
                .extend(tally.violations.into_iter().take(1).map(|v| format!("{file} ({known}), {v}")));
        }
    }
    eprintln!(
        "{} memories checked, {} undecided, {} programs outside; {proved} programs proved, {exhausted} without a result in time",
        total.checked,
        total.undecided,
        total.violations.len()
    );
    let shown: Vec<&str> = total.violations.iter().take(8).map(String::as_str).collect();
    assert!(total.violations.is_empty(), "memories outside of the states:\n{}", shown.join("\n"));
    assert!(total.checked > 1000 || std::env::var("HEAPWISE_ONLY").is_ok(), "hardly anything was checked");
}

/// The judge itself: states that say too much must be refused.
#[test]
fn wrong_states_are_noticed() {
    let path = common::directory("tests/check/safe/sll_build_destroy.c");
    let program = common::load(&path);
    let sound = analyse(&program, &options());
    assert!(sound.alarms.is_empty(), "the program is proved");
    let sabotaged = |change: fn(&mut State)| {
        let mut report = analyse(&program, &options());
        report.states.values_mut().flatten().for_each(change);
        judged(&program, &report, 6).violations.len()
    };
    assert_eq!(sabotaged(|_| {}), 0);
    assert!(sabotaged(|s| s.summaries.clear()) > 0, "blocks that nothing describes");
    assert!(sabotaged(|s| s.objects.clear()) > 0, "objects forgotten");
    assert!(sabotaged(|s| s.roots.values_mut().for_each(|v| *v = Val::ZERO)) > 0, "every variable null");
    let empty = |s: &mut State| {
        for t in &mut s.summaries {
            t.end = Some((t.root, t.args.clone()));
        }
    };
    assert!(sabotaged(empty) > 0, "lists that are rings");
}
