//! The hunter: runs, what they say, and which others they lead to.
//!
//! The conditions of a run are negated one by one; [`Queue`] says which of the inputs that solve for it are tried next. Random
//! runs are mixed in. Runs that are cut off are repeated with more steps: iterative deepening.

use crate::effort::{Effort, Mode};
use crate::inputs::Shared;
use crate::queue::{Edges, Hope, Job, Queue, mix, way_of};
use crate::shadow::Tracer;
use crate::solve::{Goal, Question};
use crate::{Confirmed, Limits, finite, minimise};
use heapwise_interp::{
    BudgetKind, Draw, InputKind, InputValue, Inputs, LeakPolicy, ListInputs, Outcome, Policy, RandomInputs,
    RunError, RunResult, Surroundings,
};
use heapwise_ir::{Const, Operand, Program, Span, visit};
use heapwise_property::{ASSUMED, Properties, Property};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::sync::Arc;

/// Steps of the first runs; later ones may take more.
const FIRST_STEPS: u64 = 4_000;
/// How many times longer a run of a proof may be than one of the hunt.
const LONG_RUN: u64 = 50;

/// Rounds of a loop that are tried beside those that the numbers of the program suggest.
const ROUNDS: [i128; 3] = [16, 256, 4_096];
/// The most rounds.
const MOST_ROUNDS: i128 = 1 << 17;
/// The effort for shorter inputs with the same error.
const MINIMISE: u64 = 400_000;
/// Tells what is far from what is often.
const FAR: u64 = 0x9e37_79b9_7f4a_7c15;

/// What uninitialised bytes may hold: null and zero; a number and an address that is not null; −1.
const FILLS: [u8; 3] = [0, 1, 0xff];

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
        held_at_return: Some(properties.has(Property::Held)),
        surroundings: Surroundings::Drawn,
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
    /// How often loops are tried to go round beyond what leads to another path, least first.
    distances: Vec<i128>,
    queue: Queue,
    /// Hashes of paths up to a negated condition, with the way it goes.
    tried: FxHashSet<u64>,
    runs: u64,
    seed: u64,
    /// Whether a run was cut off by the limit of steps and is not repeated.
    cut: bool,
    /// The effort when the last long run ended.
    long_ended: u64,
    /// Whether any run drew an input.
    has_inputs: bool,
    /// Undefined behaviour that does not count, but that a proof takes for absent.
    pub other_error: Option<RunError>,
    /// What all of it has cost so far.
    effort: Effort,
    /// Whether nothing more can be found.
    finished: bool,
}

impl<'p> Hunter<'p> {
    /// A hunt for violations of some properties, in runs that start from a function.
    pub fn new(program: &'p Program, entry: &str, properties: Properties) -> Self {
        let mut settings = run_options(properties);
        settings.entry = entry.to_owned();
        let mut queue = Queue::default();
        let constants = constants(program);
        // A little more than a number of the program: what happens then may need room.
        let numbers = constants.iter().filter(|c| **c > 3).map(|c| c + c / 8 + 2);
        let mut distances: Vec<i128> =
            numbers.chain(ROUNDS).filter(|distance| *distance <= MOST_ROUNDS).collect();
        distances.sort_unstable();
        distances.dedup();
        queue.push(
            Job { inputs: Shared::default(), from: 0, fill: FILLS[0], steps: FIRST_STEPS },
            Hope::Fresh,
        );
        for inputs in long_texts(program, entry) {
            queue.push(
                Job { inputs: inputs.into(), from: 0, fill: FILLS[0], steps: FIRST_STEPS },
                Hope::Other,
            );
        }
        Hunter {
            program,
            properties,
            settings,
            constants,
            distances,
            queue,
            tried: FxHashSet::default(),
            runs: 0,
            seed: 0,
            cut: false,
            long_ended: 0,
            has_inputs: false,
            other_error: None,
            effort: Effort::default(),
            finished: false,
        }
    }

    /// Lets every allocation fail or not, as inputs say.
    pub fn with_failing_allocations(mut self, may_fail: bool) -> Self {
        self.settings.allocations_may_fail = may_fail;
        self
    }

    /// Goes on until an error is found, a limit is reached or nothing is left to try.
    pub fn hunt(&mut self, limits: &Limits) -> Option<Confirmed> {
        let last = self.runs.saturating_add(limits.runs);
        let most = self.effort.units().saturating_add(limits.effort);
        self.settings.limits.deadline = limits.end;
        self.settings.stop.clone_from(&limits.stop);
        while !self.finished && self.runs < last && self.effort.units() < most && !self.settings.is_over() {
            // No run is much longer than what is left.
            let left = Effort::steps_for(most.saturating_sub(self.effort.units())).max(FIRST_STEPS);
            let found = match self.next_job() {
                Some((job, is_long)) => {
                    self.settings.limits.steps = job.steps.min(limits.steps).min(left);
                    let found = self.explore(&job, limits.steps);
                    if is_long {
                        self.long_ended = self.effort.units();
                    }
                    found
                }
                None => {
                    // Every path was taken as far as the solver and the limits reach; only luck is left, if the
                    // program has inputs at all.
                    self.settings.limits.steps = limits.steps.min(left);
                    let random = self.random();
                    self.finished |= random.is_none() && !self.has_inputs && !self.cut;
                    random
                }
            };
            if let Some(draws) = found
                && let Some(confirmed) = self.confirm(&draws)
            {
                return Some(confirmed);
            }
        }
        None
    }

    /// Whether the program has finitely many runs, which prove it; looked for until a limit is reached.
    pub fn runs_prove(&self, limits: &Limits) -> bool {
        if self.other_error.is_some() {
            return false;
        }
        let mut settings = self.settings.clone();
        settings.limits.steps = limits.steps.saturating_mul(LONG_RUN);
        settings.limits.deadline = limits.end;
        settings.stop.clone_from(&limits.stop);
        finite::proves(self.program, &settings, limits)
    }

    fn next_job(&mut self) -> Option<(Job, bool)> {
        if self.runs % 8 == 7 && !self.queue.has_fresh() {
            self.seed += 1;
            let mut random = Mixed { random: RandomInputs::new(self.seed), constants: &self.constants };
            // Random inputs are a start like any other: conditions on them are negated too.
            let kind = InputKind::Int(heapwise_ir::IntTy { bits: 32, signed: true });
            let inputs: Vec<InputValue> =
                (0..16).filter_map(|_| random.draw(kind, Span::default())).collect();
            self.runs += 1;
            return Some((Job { inputs: inputs.into(), from: 0, fill: FILLS[0], steps: FIRST_STEPS }, false));
        }
        let spent = Effort::steps_for(self.effort.units() - self.long_ended);
        self.queue.pop(Effort::steps_for(self.effort.units()), spent)
    }

    /// A run on random inputs, without a trace.
    fn random(&mut self) -> Option<Vec<Draw>> {
        self.seed += 1;
        self.runs += 1;
        let mut inputs = Mixed { random: RandomInputs::new(self.seed), constants: &self.constants };
        self.settings.uninitialised_fill = FILLS[(self.seed % 3) as usize];
        let run = heapwise_interp::run(self.program, &self.settings, &mut inputs, None);
        self.effort.add(&run.stats, Mode::Alone);
        self.cut |= matches!(run.outcome, Outcome::Budget(BudgetKind::Steps));
        self.violation(&run).is_some().then_some(run.draws)
    }

    /// A traced run; its conditions become jobs. Returns the inputs if it ends in an error that counts.
    fn explore(&mut self, job: &Job, most: u64) -> Option<Vec<Draw>> {
        self.runs += 1;
        self.settings.uninitialised_fill = job.fill;
        let mut tracer = Tracer::new(self.program, self.properties.has(Property::Overflow));
        let values = job.inputs.values();
        let mut inputs = Prefix { values: &values, next: 0 };
        let run = heapwise_interp::run(self.program, &self.settings, &mut inputs, Some(&mut tracer));
        self.effort.add(&run.stats, Mode::Watched);
        if self.violation(&run).is_some() {
            return Some(run.draws);
        }
        if let Outcome::Budget(BudgetKind::Steps) = run.outcome {
            // What it has shown so far is not gone into again.
            self.cut |= job.steps >= most;
            self.queue.repeat(Job { from: tracer.path.len(), ..job.clone() }, most);
        }
        self.has_inputs |= !run.draws.is_empty();
        if let Outcome::Error(error) = &run.outcome
            && run.guess.is_none()
            && Properties::from(ASSUMED).are_violated_by(error.kind)
        {
            self.other_error.get_or_insert_with(|| (**error).clone());
        }
        if run.stats.undefined_reads > 0 && job.fill == FILLS[0] {
            for fill in FILLS.into_iter().skip(1) {
                self.queue.push(Job { fill, ..job.clone() }, Hope::Other);
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
        let drawn: Arc<[InputValue]> = run.draws.iter().map(|d| d.value).collect();
        let kinds: Vec<InputKind> = run.draws.iter().map(|d| d.kind).collect();
        let question =
            Question { terms: &tracer.terms, inputs: &values, kinds: &kinds, constants: &self.constants };
        let mut edges = Edges::default();
        let mut prefix = u64::from(job.fill);
        for (at, condition) in tracer.path.iter().enumerate() {
            let here = mix(prefix, condition.site);
            prefix = mix(here, way_of(&condition.now));
            if at < job.from || self.settings.is_over() {
                edges.take(&mut self.queue, condition);
                continue;
            }
            for other in &condition.others {
                let job_for = |goal: Goal, effort: &mut Effort| {
                    let before = tracer.path.get(..at)?;
                    let changes = question.solve(before, goal, &mut effort.looked_at)?;
                    // Inputs after the condition start anew from zero.
                    let used = changes.keys().max().map_or(0, |m| *m as usize + 1);
                    let changes = changes.into_iter().map(|(i, v)| (i as usize, InputValue::Int(v)));
                    let inputs = Shared::of(&drawn, condition.draws.max(used), changes);
                    Some(Job { inputs, from: at + 1, fill: job.fill, steps: FIRST_STEPS })
                };
                if !self.tried.insert(mix(here, way_of(other))) {
                    continue;
                }
                let goal = Goal { term: condition.term, ranges: other.clone() };
                let Some(near) = job_for(goal, &mut self.effort) else { continue };
                // A loop that goes on as long as inputs say so, or counts up to one, may have to go on for long.
                let place = mix(mix(condition.site, condition.calls), way_of(other));
                let period = edges.period(condition, other);
                for &distance in &self.distances {
                    if let Some(goal) = question.far(condition.term, other, distance) {
                        if self.queue.is_first(mix(place, distance as u64 ^ FAR))
                            && let Some(job) = job_for(goal, &mut self.effort)
                        {
                            self.queue.push_long(job.for_rounds(distance));
                        }
                    } else if let Some(period) = period
                        && self.queue.is_first(mix(place, distance as u64 ^ FAR))
                    {
                        let mut values = near.inputs.values();
                        let round = values.split_off(values.len().saturating_sub(period));
                        let times = usize::try_from(distance).unwrap_or(0);
                        values.extend(round.iter().copied().cycle().take(times.saturating_mul(period)));
                        let job = Job { inputs: values.into(), ..near.clone() };
                        self.queue.push_long(job.for_rounds(distance));
                    }
                }
                let hope = edges.hope(&mut self.queue, condition, other);
                self.queue.push(near, hope);
            }
            edges.take(&mut self.queue, condition);
        }
    }

    fn violation<'r>(&self, run: &'r RunResult) -> Option<&'r RunError> {
        match &run.outcome {
            Outcome::Error(error) if run.guess.is_none() && self.properties.are_violated_by(error.kind) => {
                Some(error)
            }
            _ => None,
        }
    }

    /// Runs again on exactly these inputs, shortened as far as the error stays, and says what went wrong first.
    fn confirm(&mut self, draws: &[Draw]) -> Option<Confirmed> {
        let values: Vec<InputValue> = draws.iter().map(|d| d.value).collect();
        let spent = Cell::new(Effort::default());
        let is_over = || self.settings.is_over() || spent.get().units() > MINIMISE;
        let shortest = minimise::shorten(values, &is_over, &mut |inputs| {
            let mut prefix = Prefix { values: inputs, next: 0 };
            let run = heapwise_interp::run(self.program, &self.settings, &mut prefix, None);
            let mut effort = spent.get();
            effort.add(&run.stats, Mode::Alone);
            spent.set(effort);
            let kind = self.violation(&run)?.kind;
            Some((kind, run.draws.iter().map(|d| d.value).collect()))
        });
        // The last word: all lost blocks are noticed at once, and the inputs are all there are. It is not cut off by
        // the deadline, since it is as long as the run before.
        let mut settings = self.settings.clone();
        (settings.limits.deadline, settings.stop) = (None, None);
        let replay = |settings: &heapwise_interp::Options| {
            let mut inputs = ListInputs::values(shortest.iter().copied());
            heapwise_interp::run(self.program, settings, &mut inputs, None)
        };
        let plain = replay(&settings);
        if self.properties.has(Property::Leak) && plain.stats.steps <= PRECISE_STEPS {
            settings.lost_block_interval = Some(1);
            let run = replay(&settings);
            if let Some(error) = self.violation(&run).cloned() {
                return Some(Confirmed { error, run, settings });
            }
        }
        settings.lost_block_interval = self.settings.lost_block_interval;
        let error = self.violation(&plain)?.clone();
        Some(Confirmed { error, run: plain, settings })
    }
}

/// Lengths of texts that are tried without a reason: past the buffers that programs have for them.
const LONG_TEXTS: [usize; 3] = [40, 300, 5_000];

/// Inputs that begin with a long text: as an argument if the program takes any, and as what it reads.
fn long_texts(program: &Program, entry: &str) -> Vec<Vec<InputValue>> {
    let function = program.function_named(entry).and_then(|f| program.body(f));
    let takes = entry == "main" && function.is_some_and(|body| !body.params.is_empty());
    let reads = program.functions.iter().any(|f| f.library.is_some_and(|l| l.effects().io));
    let text = |before: &[i128], byte: u8, n: usize| {
        let numbers = before.iter().copied().chain(std::iter::repeat_n(i128::from(byte), n));
        numbers.map(InputValue::Int).collect::<Vec<InputValue>>()
    };
    let mut found = Vec::new();
    for n in LONG_TEXTS {
        if takes {
            // One argument after the name of the program, which is empty.
            found.push(text(&[1, 0], b'a', n));
        }
        if reads {
            let before: &[i128] = if takes { &[0, 0] } else { &[] };
            found.push(text(before, b'a' + 1, n));
        }
    }
    found
}

/// Longest runs that are repeated with a look at the heap after each statement.
pub const PRECISE_STEPS: u64 = 20_000;

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
