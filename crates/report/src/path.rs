//! How a run comes to its error: branches taken, iterations, calls; with pictures of its memory, if they are wanted.
//!
//! The run is executed once more on the inputs that were found, and watched. Only what happens in the user's own text is told.
//! Long paths keep their last [`MAX_STEPS`] steps: the error is at the end.

use crate::draw::{Picture, run};
use crate::finding::Note;
use heapwise_hunt::Confirmed;
use heapwise_interp::{InputValue, ListInputs, Observer, View};
use heapwise_ir::{BlockId, Cfg, FuncId, LocalId, Program, Span, StatementKind, TerminatorKind, Wto};
use heapwise_property::ErrorKind;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

/// Before the number of an iteration.
const ITERATION: &str = "iteration ";

/// Most steps that are kept.
pub const MAX_STEPS: usize = 400;

/// One line that a run comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What is about to be executed.
    pub span: Span,
    /// In which function.
    pub function: FuncId,
    /// Number of active calls.
    pub depth: usize,
    /// What happened on the way there: a branch, an iteration, a call; each where it happened.
    pub events: Vec<Event>,
    /// The memory, if it was asked for.
    pub picture: Option<Picture>,
}

/// Something that happened in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// A run that is executed again.
pub struct Replay<'a> {
    /// The program.
    pub program: &'a Program,
    /// The run.
    pub confirmed: &'a Confirmed,
}

impl Replay<'_> {
    /// The steps of the run, with pictures if these are wanted.
    pub fn steps(&self, pictures: bool) -> Vec<Step> {
        let mut settings = self.confirmed.settings.clone();
        // Where the error is another one, no block is looked for.
        if !matches!(self.confirmed.error.kind, ErrorKind::LostBlock | ErrorKind::HeldAtReturn) {
            settings.lost_block_interval = None;
        }
        // No longer than the run itself.
        settings.limits.steps = self.confirmed.run.stats.steps.saturating_mul(2).saturating_add(1_000);
        let inputs: Vec<InputValue> = self.confirmed.run.draws.iter().map(|d| d.value).collect();
        let mut watcher = Watcher {
            pictures,
            steps: VecDeque::new(),
            events: Vec::new(),
            last: None,
            before: Span::default(),
            branch: None,
            loops: BTreeMap::new(),
            heads: BTreeMap::new(),
        };
        let mut inputs = ListInputs::values(inputs);
        heapwise_interp::run(self.program, &settings, &mut inputs, Some(&mut watcher));
        watcher.steps.into_iter().collect()
    }

    /// The path as notes: what happened, in order, with iterations that are alike told once.
    pub fn notes(&self) -> Vec<Note> {
        let events: Vec<Event> = self.steps(false).into_iter().flat_map(|s| s.events).collect();
        // What is left of inner loops may repeat with the outer ones.
        folded(folded(events))
            .into_iter()
            .map(|e| Note { message: e.message, span: (e.span != Span::default()).then_some(e.span) })
            .collect()
    }
}

/// Most events of an iteration that is told once for several.
const LONGEST_ITERATION: usize = 24;

/// Events of which those that come several times in a row, one iteration like the other, are told for the first and the last of them.
fn folded(events: Vec<Event>) -> Vec<Event> {
    // Iterations are alike whatever their numbers.
    let alike = |a: &Event, b: &Event| {
        let is_iteration = |e: &Event| e.message.starts_with(ITERATION);
        a.span == b.span && (a.message == b.message || is_iteration(a) && is_iteration(b))
    };
    let repeats = |at: usize, length: usize| {
        let Some(first) = events.get(at..at + length) else { return 0 };
        let blocks = events.get(at..).unwrap_or_default().chunks(length);
        blocks.take_while(|b| b.len() == length && b.iter().zip(first).all(|(x, y)| alike(x, y))).count()
    };
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(event) = events.get(at) {
        let found = (1..=LONGEST_ITERATION).map(|l| (l, repeats(at, l))).find(|(_, times)| *times > 3);
        let Some((length, times)) = found else {
            out.push(event.clone());
            at += 1;
            continue;
        };
        let block = |k: usize| events.get(at + k * length..at + (k + 1) * length).unwrap_or_default();
        out.extend_from_slice(block(0));
        out.push(Event { message: format!("the same, {} more times", times - 2), span: event.span });
        out.extend_from_slice(block(times - 1));
        at += times * length;
    }
    out
}

/// A branch: the depth of calls, its condition, and where it goes if that holds and if not.
struct Branch {
    depth: usize,
    condition: String,
    span: Span,
    then: BlockId,
    otherwise: BlockId,
}

/// Where a run is: the depth of calls, the function, the block.
type Position = (usize, FuncId, BlockId);

struct Watcher {
    pictures: bool,
    steps: VecDeque<Step>,
    /// What happened since the last step.
    events: Vec<Event>,
    last: Option<(Position, Option<(String, u32)>)>,
    /// What was executed last.
    before: Span,
    /// A branch that is about to be taken.
    branch: Option<Branch>,
    /// How often each loop head was come to since its function was called.
    loops: BTreeMap<(usize, FuncId, BlockId), u32>,
    /// The loop heads of functions.
    heads: BTreeMap<FuncId, Wto>,
}

impl Watcher {
    fn note(&mut self, message: String, span: Span) {
        self.events.push(Event { message, span });
    }

    fn moved(&mut self, program: &Program, now: Position, span: Span) {
        let (depth, function, block) = now;
        let before_span = self.before;
        let name = |f: FuncId| program.functions.get(f).map_or("function", |f| &f.name);
        let before = self.last.as_ref().map(|(p, _)| *p);
        match before {
            Some((d, ..)) if depth > d => {
                self.note(format!("call of `{}`", name(function)), before_span);
                self.loops.retain(|(at, ..), _| *at < depth);
            }
            Some((d, f, _)) if depth < d => self.note(format!("`{}` returns", name(f)), before_span),
            _ => {}
        }
        if before == Some(now) {
            return;
        }
        if let Some(Branch { condition, span, then, otherwise, .. }) =
            self.branch.take().filter(|b| b.depth == depth)
        {
            let what = match block {
                b if b == then => "holds",
                b if b == otherwise => "does not hold",
                _ => "is decided",
            };
            self.note(format!("`{condition}` {what}"), span);
        }
        let Some(body) = program.body(function) else { return };
        let wto = self.heads.entry(function).or_insert_with(|| Wto::new(&Cfg::new(body)));
        if wto.is_head(block) {
            let count = self.loops.entry(now).or_insert(0);
            *count += 1;
            let count = *count;
            if count > 1 {
                let head = body.blocks.get(block).map_or(span, |b| b.terminator.span);
                self.note(format!("{ITERATION}{count} of the loop"), head);
            }
        }
    }
}

impl Observer for Watcher {
    fn may_skip(&mut self, _: &View<'_, '_, '_>, _: &[LocalId]) -> bool {
        true
    }

    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        let program = view.program();
        let Some(frame) = view.frames().next() else { return ControlFlow::Continue(()) };
        let Some(block) = program.body(frame.function).and_then(|b| b.blocks.get(frame.block)) else {
            return ControlFlow::Continue(());
        };
        let now = (view.depth(), frame.function, frame.block);
        let statement = block.statements.get(frame.statement);
        let span = statement.map_or(block.terminator.span, |s| s.span);
        self.moved(program, now, span);
        let silent = statement.is_some_and(|s| {
            matches!(
                s.kind,
                StatementKind::Nop | StatementKind::StorageLive(_) | StatementKind::StorageDead(_)
            )
        });
        let line = if span == Span::default() { None } else { run::line_of(program, span) };
        let new = self.last.as_ref().is_none_or(|(_, l)| *l != line) && line.is_some() && !silent;
        if new || (!self.events.is_empty() && !silent && line.is_some()) {
            let picture = self.pictures.then(|| run::picture(view));
            let events = std::mem::take(&mut self.events);
            if self.steps.len() >= MAX_STEPS {
                self.steps.pop_front();
            }
            self.steps.push_back(Step {
                span,
                function: frame.function,
                depth: view.depth(),
                events,
                picture,
            });
        }
        let line = if silent { self.last.take().and_then(|(_, l)| l) } else { line };
        self.last = Some((now, line));
        if statement.is_none()
            && let TerminatorKind::Branch { then, otherwise, .. } = block.terminator.kind
        {
            let text =
                program.sources.quote(block.terminator.span).split_whitespace().collect::<Vec<_>>().join(" ");
            let (condition, span) = (text, block.terminator.span);
            let branch = Branch { depth: view.depth(), condition, span, then, otherwise };
            self.branch = (!branch.condition.is_empty()).then_some(branch);
        }
        if !silent && span != Span::default() {
            self.before = span;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(words: &[&str]) -> Vec<Event> {
        let place = |w: &str| Span::new(w.len() as u32, w.len() as u32 + 1);
        let of =
            |w: &&str| Event { message: (*w).to_owned(), span: place(w.trim_end_matches(char::is_numeric)) };
        words.iter().map(of).collect()
    }

    fn told(words: &[&str]) -> Vec<String> {
        folded(events(words)).into_iter().map(|e| e.message).collect()
    }

    #[test]
    fn iterations_that_are_alike_are_told_once() {
        let mut words = vec!["start"];
        let numbered: Vec<String> = (2..8).map(|k| format!("{ITERATION}{k}")).collect();
        for n in &numbered {
            words.extend(["holds", "call", n.as_str()]);
        }
        words.push("ends");
        assert_eq!(
            told(&words),
            [
                "start",
                "holds",
                "call",
                "iteration 2",
                "the same, 4 more times",
                "holds",
                "call",
                "iteration 7",
                "ends"
            ]
        );
        assert_eq!(folded(folded(events(&words))), folded(events(&words)));
    }

    #[test]
    fn what_differs_is_told() {
        let words = ["a", "bb", "a", "bb", "a", "ccc", "a", "bb"];
        assert_eq!(told(&words), words);
        assert!(told(&[]).is_empty());
    }
}
