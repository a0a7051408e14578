//! Watching runs: the memory at each statement as the membership test wants it.

use heapwise_fixpoint::{Point, Report};
use heapwise_interp::{
    LeakPolicy, LocalView, ObjectId, Observer, Options, Origin, RandomInputs, Value, View,
};
use heapwise_ir::{FuncId, LocalId, Program, Span};
use heapwise_klimited::Graph;
use heapwise_klimited::gamma::{Block, Claim, Class, Held, Membership, Memory, member};
use heapwise_property::{Alarm, ErrorKind, Reason};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// Visits of one point in one run that are all checked; later ones are sampled.
const ALL_VISITS: u64 = 8;
const BUDGET: usize = 20_000;

/// A copy of the memory of a run, seen from its innermost call.
#[derive(Clone)]
pub struct Snapshot {
    blocks: Vec<Block>,
    bytes: Vec<(Vec<u8>, Vec<bool>)>,
    /// For each block the places that hold an address in it.
    references: Vec<Vec<(usize, u64)>>,
    locals: BTreeMap<LocalId, Held>,
    functions: BTreeMap<FuncId, u64>,
}

impl Snapshot {
    pub fn new(view: &View<'_, '_, '_>) -> Option<(Point, Snapshot)> {
        let frame = view.frames().next()?;
        let program = view.program();
        let body = program.body(frame.function)?;
        let (mut own, mut locals) = (BTreeMap::new(), BTreeMap::new());
        for (l, local) in body.locals.iter_enumerated() {
            let width = program.types.size(local.ty);
            let held = match view.local(frame, l) {
                LocalView::Object(id) => {
                    own.insert(id, l);
                    Held::Other
                }
                LocalView::Dead => Held::Dead,
                LocalView::Value(Value::Undefined | Value::Partial(_)) => Held::Undefined,
                LocalView::Value(Value::Int { bits, .. }) => {
                    let mask = if width >= 16 { u128::MAX } else { (1 << (8 * width)) - 1 };
                    Held::Bits(*bits as u128 & mask, width)
                }
                LocalView::Value(_) => Held::Other,
            };
            locals.insert(l, held);
        }
        let objects: Vec<(ObjectId, &heapwise_interp::Object)> = view.memory().live_objects().collect();
        let place: HashMap<ObjectId, usize> =
            objects.iter().enumerate().map(|(i, (id, _))| (*id, i)).collect();
        let mut references = vec![Vec::new(); objects.len()];
        let (mut blocks, mut bytes) = (Vec::new(), Vec::new());
        let word = program.types.pointer_size;
        for (i, (id, o)) in objects.iter().enumerate() {
            let class = match o.origin {
                Origin::Heap => Class::Heap,
                Origin::Local { .. } => own.get(id).map_or(Class::Outer, |l| Class::Own(*l)),
                Origin::Global(g) | Origin::Undefined(g) => Class::Global(g),
                _ => Class::Other,
            };
            blocks.push(Block { class, base: o.base, size: o.size });
            let known = (0..o.bytes().len() as u64).map(|at| o.known_bits(at) == 0xff).collect();
            bytes.push((o.bytes().to_vec(), known));
            if class == Class::Other {
                continue;
            }
            for at in (0..o.size.saturating_sub(word - 1)).step_by(word as usize) {
                if let Some(to) = o.pointer_at(at, word).and_then(|to| place.get(&to)) {
                    references[*to].push((i, at));
                }
            }
        }
        let functions = program.functions.indices();
        let functions = functions
            .filter_map(|f| view.function(f).and_then(|id| view.object(id)).map(|o| (f, o.base)))
            .collect();
        let point = Point { function: frame.function, block: frame.block, index: frame.statement };
        Some((point, Snapshot { blocks, bytes, references, locals, functions }))
    }

    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (l, held) in &self.locals {
            let _ = write!(text, "{l:?}={held:x?} ");
        }
        for (i, b) in self.blocks.iter().enumerate().filter(|(_, b)| b.class != Class::Other) {
            let bytes = self.bytes.get(i).map(|b| &b.0[..b.0.len().min(48)]);
            let _ = write!(text, "\n    {b:x?} {bytes:x?}");
        }
        text
    }
}

impl Memory for Snapshot {
    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    fn read(&self, block: usize, off: u64, width: u64) -> Held {
        let Some((bytes, known)) = self.bytes.get(block) else { return Held::Undefined };
        let range = off as usize..(off + width) as usize;
        match (bytes.get(range.clone()), known.get(range)) {
            (Some(bytes), Some(known)) if known.iter().all(|k| *k) => {
                if width > 16 {
                    return if bytes.iter().all(|b| *b == 0) { Held::Bits(0, 16) } else { Held::Other };
                }
                Held::Bits(bytes.iter().rev().fold(0, |all, b| all << 8 | u128::from(*b)), width)
            }
            _ => Held::Undefined,
        }
    }
    fn local(&self, local: LocalId) -> Held {
        self.locals.get(&local).copied().unwrap_or(Held::Dead)
    }
    fn function(&self, function: FuncId) -> Option<u64> {
        self.functions.get(&function).copied()
    }
    fn references(&self, block: usize) -> Vec<(usize, u64)> {
        self.references.get(block).cloned().unwrap_or_default()
    }
}

/// The figures of one program.
#[derive(Default)]
pub struct Tally {
    pub checked: u64,
    pub undecided: u64,
    pub violation: Option<String>,
}

struct Judge<'a> {
    program: &'a Program,
    report: &'a Report<Graph>,
    main: Option<FuncId>,
    /// Whether blocks may have been lost so far, and the statements that may lose some.
    leaks: bool,
    losing: HashSet<Span>,
    /// Statements after which the analysis claims nothing on the path.
    blind: HashSet<Span>,
    excused: bool,
    visits: HashMap<Point, u64>,
    tally: Tally,
}

impl Observer for Judge<'_> {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        if self.excused {
            return ControlFlow::Break(());
        }
        let Some(frame) = view.frames().next() else { return ControlFlow::Continue(()) };
        let block = self.program.body(frame.function).and_then(|b| b.blocks.get(frame.block));
        let span = block.map(|b| b.statements.get(frame.statement).map_or(b.terminator.span, |s| s.span));
        self.excused = span.is_some_and(|s| self.blind.contains(&s));
        let littered = span.is_some_and(|s| self.losing.contains(&s));
        let point = Point { function: frame.function, block: frame.block, index: frame.statement };
        let before = self.leaks;
        self.leaks |= littered;
        let visits = self.visits.entry(point).or_default();
        *visits += 1;
        if *visits > ALL_VISITS && !visits.is_power_of_two() {
            return ControlFlow::Continue(());
        }
        let Some((point, memory)) = Snapshot::new(view) else { return ControlFlow::Continue(()) };
        let states = self.report.states.get(&point).map(Vec::as_slice).unwrap_or_default();
        let claim = match Some(point.function) == self.main {
            _ if before => Claim::Littered,
            true => Claim::Everything,
            false => Claim::Part,
        };
        self.tally.checked += 1;
        let mut reasons = String::new();
        for g in states {
            match member(g, &memory, claim, BUDGET) {
                Membership::Inside => return ControlFlow::Continue(()),
                Membership::Outside(why) => {
                    let _ = writeln!(reasons, "  {why}\n    {g:?}");
                }
                Membership::Undecided => {
                    self.tally.undecided += 1;
                    return ControlFlow::Continue(());
                }
            }
        }
        let place = span.map(|s| self.program.sources.describe(s)).unwrap_or_default();
        let text = span.map(|s| self.program.sources.snippet(s)).unwrap_or_default();
        let memory = memory.describe();
        self.tally.violation = Some(format!("{point:?} {place} `{text}`\n  {memory}\n{reasons}"));
        ControlFlow::Break(())
    }
}

fn settings() -> Options {
    let mut settings =
        Options { leaks: LeakPolicy::Reachable, lost_block_interval: Some(1), ..Options::default() };
    settings.limits.steps = 4_000;
    settings.limits.memory = 64 << 20;
    settings
}

/// Runs a program and looks every memory up among the graphs.
pub fn judged(program: &Program, report: &Report<Graph>, seeds: u64) -> Tally {
    let goes_on = |a: &Alarm| {
        let harmless = [ErrorKind::Leak, ErrorKind::Overflow, ErrorKind::Shift, ErrorKind::DivisionByZero];
        a.kind == Reason::Recheck || harmless.iter().any(|k| a.kind == *k)
    };
    let blind: HashSet<Span> = report.alarms.iter().filter(|a| !goes_on(a)).map(|a| a.span).collect();
    let losing = report.alarms.iter().filter(|a| a.kind == ErrorKind::Leak).map(|a| a.span);
    let losing: HashSet<Span> = losing.collect();
    let mut all = Tally::default();
    for seed in 0..seeds {
        let main = program.function_named("main");
        let (visits, tally) = Default::default();
        let mut judge = Judge {
            program,
            report,
            main,
            leaks: false,
            losing: losing.clone(),
            blind: blind.clone(),
            excused: false,
            visits,
            tally,
        };
        heapwise_interp::run(program, &settings(), &mut RandomInputs::new(seed), Some(&mut judge));
        all.checked += judge.tally.checked;
        all.undecided += judge.tally.undecided;
        all.violation = all.violation.or(judge.tally.violation.map(|v| format!("seed {seed} {v}")));
    }
    all
}

struct Collect {
    main: Option<FuncId>,
    found: Vec<Snapshot>,
    seen: u64,
    most: usize,
}

impl Observer for Collect {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        self.seen += 1;
        if self.seen.is_multiple_of(7)
            && let Some((point, memory)) = Snapshot::new(view)
            && Some(point.function) == self.main
        {
            self.found.push(memory);
        }
        if self.found.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Some memories of runs of a program, as its entry function sees them.
pub fn memories(program: &Program, most: usize) -> Vec<Snapshot> {
    let mut collect = Collect { main: program.function_named("main"), found: Vec::new(), seen: 0, most };
    for seed in 0..3 {
        heapwise_interp::run(program, &settings(), &mut RandomInputs::new(seed), Some(&mut collect));
    }
    collect.found
}
