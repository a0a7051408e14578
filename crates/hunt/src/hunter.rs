//! The hunter: which inputs are tried next, and what their runs say.
//!
//! Paths are taken from three ends in turn: those that lead to an edge of the program that no run has taken come
//! first, then those with the fewest inputs (which enumerates short input sequences), then the newest (which goes
//! deep). Random runs are mixed in. Limits on steps grow as the hunt goes on: iterative deepening.

use crate::shadow::Tracer;
use crate::solve::Question;
use crate::{Confirmed, Limits, finite, minimise};
use heapwise_interp::{
    BudgetKind, Draw, InputKind, InputValue, Inputs, LeakPolicy, ListInputs, Outcome, Policy, RandomInputs,
    RunError, RunResult,
};
use heapwise_ir::{Const, Operand, Program, Span, visit};
use heapwise_property::{ASSUMED, Properties, Property};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// Steps of the first runs; later ones may take more.
const FIRST_STEPS: u64 = 4_000;
/// How many times longer a run of a proof may be than one of the hunt.
const LONG_RUN: u64 = 50;
/// Most jobs that wait.
const MAX_JOBS: usize = 50_000;

/// Inputs to be tried.
#[derive(Clone, Debug)]
struct Job {
    inputs: Vec<InputValue>,
    /// Conditions before this one were negated by others.
    from: usize,
    /// What uninitialised bytes hold.
    fill: u8,
}

/// What uninitialised bytes may hold: null and zero; a number and an address that is not null; −1.
const FILLS: [u8; 3] = [0, 1, 0xff];

/// Jobs by what is hoped of them.
#[derive(Default)]
struct Queue {
    /// Leading to new edges.
    fresh: VecDeque<Job>,
    /// By the number of inputs, then in order.
    short: BTreeMap<(usize, u64), Job>,
    counter: u64,
}

impl Queue {
    fn push(&mut self, job: Job, fresh: bool) {
        if fresh {
            self.fresh.push_back(job);
        } else if self.short.len() < MAX_JOBS {
            self.counter += 1;
            self.short.insert((job.inputs.len(), self.counter), job);
        }
    }
    fn pop(&mut self, turn: u64) -> Option<Job> {
        if let Some(job) = self.fresh.pop_front() {
            return Some(job);
        }
        if turn % 4 == 3 {
            self.short.pop_last().map(|(_, j)| j)
        } else {
            self.short.pop_first().map(|(_, j)| j)
        }
    }
}

/// How the interpreter has to run for these properties: what stops a run and what does not.
pub fn run_options(properties: Properties) -> heapwise_interp::Options {
    let leak = properties.has(Property::Leak);
    let mut settings = heapwise_interp::Options {
        leaks: match properties.has(Property::Cleanup) {
            true => LeakPolicy::None,
            false if leak => LeakPolicy::Reachable,
            false => LeakPolicy::Ignore,
        },
        lost_when_stopped: leak,
        ..heapwise_interp::Options::default()
    };
    settings.limits.memory = 64 << 20;
    settings.limits.depth = 10_000;
    let stop = |property| if properties.has(property) { Policy::Stop } else { Policy::Ignore };
    settings.overflow = stop(Property::Overflow);
    settings.shift = stop(Property::Overflow);
    settings.uninitialised = stop(Property::Uninitialised);
    settings.assertion = stop(Property::Assertion);
    settings.reach_error = stop(Property::ReachError);
    settings
}

/// A hunt, which can be continued.
pub struct Hunter<'p> {
    program: &'p Program,
    properties: Properties,
    settings: heapwise_interp::Options,
    constants: Vec<i128>,
    queue: Queue,
    /// Hashes of paths up to a negated condition, with the way it goes.
    tried: FxHashSet<u64>,
    /// Branches to be taken, by the hash of site and way.
    ways: FxHashSet<u64>,
    runs: u64,
    seed: u64,
    /// Longest runs now.
    steps: u64,
    /// Whether a run was cut off by the limit of steps.
    cut: bool,
    /// Runs cut off, to be repeated with more steps.
    long: Vec<Job>,
    /// Whether any run drew an input.
    has_inputs: bool,
    /// Undefined behaviour that does not count, but that a proof takes for absent.
    pub other_error: Option<RunError>,
    /// Whether nothing more can be found.
    finished: bool,
}

impl<'p> Hunter<'p> {
    /// A hunt for violations of some properties, in runs that start from a function.
    pub fn new(program: &'p Program, entry: &str, properties: Properties) -> Self {
        let mut settings = run_options(properties);
        settings.entry = entry.to_owned();
        let mut queue = Queue::default();
        queue.push(Job { inputs: Vec::new(), from: 0, fill: FILLS[0] }, true);
        Hunter {
            program,
            properties,
            settings,
            constants: constants(program),
            queue,
            tried: FxHashSet::default(),
            ways: FxHashSet::default(),
            runs: 0,
            seed: 0,
            steps: FIRST_STEPS,
            cut: false,
            long: Vec::new(),
            has_inputs: false,
            other_error: None,
            finished: false,
        }
    }

    /// Goes on until an error is found, the time is over or nothing is left to try.
    pub fn hunt(&mut self, limits: &Limits) -> Option<Confirmed> {
        let deadline = Instant::now().checked_add(limits.time);
        let last = self.runs.saturating_add(limits.runs);
        self.settings.limits.deadline = deadline;
        while !self.finished && self.runs < last && deadline.is_none_or(|d| Instant::now() < d) {
            self.settings.limits.steps = self.steps.min(limits.steps);
            let found = match self.next_job() {
                Some(job) => self.explore(&job),
                None if self.cut && self.steps < limits.steps => {
                    self.steps = self.steps.saturating_mul(8);
                    self.cut = false;
                    for job in std::mem::take(&mut self.long) {
                        self.queue.push(job, false);
                    }
                    None
                }
                None => {
                    // Every path was taken as far as the solver and the limits reach; only luck is left, if the
                    // program has inputs at all.
                    let random = self.random();
                    self.finished |= random.is_none() && !self.has_inputs && !self.cut;
                    random
                }
            };
            if let Some(draws) = found
                && let Some(confirmed) = self.confirm(&draws, deadline)
            {
                return Some(confirmed);
            }
        }
        None
    }

    /// Whether the program has finitely many runs, which prove it; looked for until the time is over.
    pub fn runs_prove(&self, limits: &Limits) -> bool {
        if self.other_error.is_some() {
            return false;
        }
        let mut settings = self.settings.clone();
        settings.limits.steps = limits.steps.saturating_mul(LONG_RUN);
        settings.limits.deadline = Instant::now().checked_add(limits.time);
        finite::proves(self.program, &settings, limits.runs)
    }

    fn next_job(&mut self) -> Option<Job> {
        if self.runs % 8 == 7 && self.queue.fresh.is_empty() {
            self.seed += 1;
            let mut random = Mixed { random: RandomInputs::new(self.seed), constants: &self.constants };
            // Random inputs are a start like any other: conditions on them are negated too.
            let kind = InputKind::Int(heapwise_ir::IntTy { bits: 32, signed: true });
            let inputs = (0..16).filter_map(|_| random.draw(kind, Span::default())).collect();
            self.runs += 1;
            return Some(Job { inputs, from: 0, fill: FILLS[0] });
        }
        self.queue.pop(self.runs)
    }

    /// A run on random inputs, without a trace.
    fn random(&mut self) -> Option<Vec<Draw>> {
        self.seed += 1;
        self.runs += 1;
        let mut inputs = Mixed { random: RandomInputs::new(self.seed), constants: &self.constants };
        self.settings.uninitialised_fill = FILLS[(self.seed % 3) as usize];
        let run = heapwise_interp::run(self.program, &self.settings, &mut inputs, None);
        self.cut |= matches!(run.outcome, Outcome::Budget(BudgetKind::Steps));
        self.violation(&run).is_some().then_some(run.draws)
    }

    /// A traced run; its conditions become jobs. Returns the inputs if it ends in an error that counts.
    fn explore(&mut self, job: &Job) -> Option<Vec<Draw>> {
        self.runs += 1;
        self.settings.uninitialised_fill = job.fill;
        let mut tracer = Tracer::new(self.program, self.properties.has(Property::Overflow));
        let mut inputs = Prefix { values: &job.inputs, next: 0 };
        let run = heapwise_interp::run(self.program, &self.settings, &mut inputs, Some(&mut tracer));
        if self.violation(&run).is_some() {
            return Some(run.draws);
        }
        if let Outcome::Budget(BudgetKind::Steps) = run.outcome {
            self.cut = true;
            if self.long.len() < 200 {
                let inputs = run.draws.iter().map(|d| d.value).collect();
                self.long.push(Job { inputs, from: 0, fill: job.fill });
            }
        }
        self.has_inputs |= !run.draws.is_empty();
        if let Outcome::Error(error) = &run.outcome
            && Properties::from(ASSUMED).are_violated_by(error.kind)
        {
            self.other_error.get_or_insert_with(|| (**error).clone());
        }
        if run.stats.undefined_reads > 0 && job.fill == FILLS[0] {
            for fill in FILLS.into_iter().skip(1) {
                self.queue.push(Job { fill, ..job.clone() }, false);
            }
        }
        self.branch(&run, &tracer, job);
        None
    }

    /// Makes jobs of the conditions of a path.
    fn branch(&mut self, run: &RunResult, tracer: &Tracer<'_>, job: &Job) {
        let values: Vec<i128> = run
            .draws
            .iter()
            .map(|d| match d.value {
                InputValue::Int(v) => v,
                InputValue::Float(_) => 0,
            })
            .collect();
        let kinds: Vec<InputKind> = run.draws.iter().map(|d| d.kind).collect();
        let question =
            Question { terms: &tracer.terms, inputs: &values, kinds: &kinds, constants: &self.constants };
        let deadline = self.settings.limits.deadline;
        let mut prefix = u64::from(job.fill);
        for (at, condition) in tracer.path.iter().enumerate() {
            let here = mix(prefix, condition.site);
            let taken = condition.now.first().map_or(0, |r| r.0 as u64);
            self.ways.insert(mix(condition.site, taken));
            prefix = mix(here, taken);
            if at < job.from || deadline.is_some_and(|d| Instant::now() > d) {
                continue;
            }
            for other in &condition.others {
                let way = other.first().map_or(0, |r| r.0 as u64);
                if !self.tried.insert(mix(here, way ^ 0x9e37)) {
                    continue;
                }
                let Some(changes) = question.solve(&tracer.path, at, other) else { continue };
                // Inputs after the condition start anew from zero.
                let used = changes.keys().max().map_or(0, |m| *m as usize + 1);
                let mut inputs: Vec<InputValue> =
                    run.draws.iter().take(condition.draws.max(used)).map(|d| d.value).collect();
                for (i, v) in changes {
                    if let Some(slot) = inputs.get_mut(i as usize) {
                        *slot = InputValue::Int(v);
                    }
                }
                let fresh = self.ways.insert(mix(condition.site, way));
                self.queue.push(Job { inputs, from: at + 1, fill: job.fill }, fresh);
            }
        }
    }

    fn violation<'r>(&self, run: &'r RunResult) -> Option<&'r RunError> {
        match &run.outcome {
            Outcome::Error(error) if self.properties.are_violated_by(error.kind) => Some(error),
            _ => None,
        }
    }

    /// Runs again on exactly these inputs, shortened as far as the error stays, and says what went wrong first.
    fn confirm(&mut self, draws: &[Draw], deadline: Option<Instant>) -> Option<Confirmed> {
        let values: Vec<InputValue> = draws.iter().map(|d| d.value).collect();
        let shortest = minimise::shorten(values, deadline, &mut |inputs| {
            let mut prefix = Prefix { values: inputs, next: 0 };
            let run = heapwise_interp::run(self.program, &self.settings, &mut prefix, None);
            let kind = self.violation(&run)?.kind;
            Some((kind, run.draws.iter().map(|d| d.value).collect()))
        });
        // The last word: all lost blocks are noticed at once, and the inputs are all there are. It is not cut off by
        // the deadline, since it is as long as the run before.
        let mut settings = self.settings.clone();
        settings.limits.deadline = None;
        let replay = |settings: &heapwise_interp::Options| {
            let mut inputs = ListInputs::values(shortest.iter().copied());
            heapwise_interp::run(self.program, settings, &mut inputs, None)
        };
        let plain = replay(&settings);
        if self.properties.has(Property::Leak) && plain.stats.steps <= PRECISE_STEPS {
            settings.lost_block_interval = Some(1);
            let run = replay(&settings);
            if let Some(error) = self.violation(&run).cloned() {
                return Some(Confirmed { error, run, fill: settings.uninitialised_fill });
            }
        }
        let error = self.violation(&plain)?.clone();
        Some(Confirmed { error, run: plain, fill: settings.uninitialised_fill })
    }
}

/// Longest runs that are repeated with a look at the heap after each statement.
const PRECISE_STEPS: u64 = 20_000;

fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// Given values, then zeros.
struct Prefix<'a> {
    values: &'a [InputValue],
    next: usize,
}

impl Inputs for Prefix<'_> {
    fn draw(&mut self, _kind: InputKind, _span: Span) -> Option<InputValue> {
        let value = self.values.get(self.next).copied().unwrap_or(InputValue::Int(0));
        self.next += 1;
        Some(value)
    }
}

/// Random values, among them numbers of the program and their neighbours.
struct Mixed<'a> {
    random: RandomInputs,
    constants: &'a [i128],
}

impl Inputs for Mixed<'_> {
    fn draw(&mut self, kind: InputKind, span: Span) -> Option<InputValue> {
        let wide = InputKind::Int(heapwise_ir::IntTy { bits: 64, signed: false });
        let Some(InputValue::Int(raw)) = self.random.draw(wide, span) else { return None };
        let value = self.random.draw(kind, span)?;
        if let InputKind::Int(_) = kind
            && raw % 5 == 0
            && let Some(c) = self.constants.get((raw / 5) as usize % self.constants.len().max(1))
        {
            return Some(InputValue::Int(c + raw / 7 % 3 - 1));
        }
        Some(value)
    }
}

/// The numbers that the program's functions mention, smallest first.
fn constants(program: &Program) -> Vec<i128> {
    let mut found = std::collections::BTreeSet::new();
    for func in program.functions.indices() {
        let Some(body) = program.body(func) else { continue };
        for block in body.blocks.iter() {
            let mut note = |op: &Operand| {
                if let Operand::Const(Const::Int { value, .. }) = op
                    && value.unsigned_abs() > 1
                    && value.unsigned_abs() < 1 << 62
                {
                    found.insert((value.unsigned_abs(), *value));
                }
            };
            block.statements.iter().for_each(|s| visit::statement_operands(s, &mut note));
            if let Some(op) = visit::terminator_operand(&block.terminator) {
                note(op);
            }
        }
    }
    found.into_iter().map(|(_, v)| v).take(64).collect()
}
