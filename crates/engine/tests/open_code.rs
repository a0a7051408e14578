//! Contracts of open code: the functions of `tests/open` get the contracts that are written beside them, and runs from random
//! memories of the precondition end in memories of the postcondition.
//!
//! A function is marked on the line of its definition, or on the lines before: `//~ CONTRACT`, with the precondition or the
//! precondition, `=>` and the postcondition if they matter; `//~ NONE reason` if it has none, with a part of the reason. What is
//! expected has to be entailed by what is found, and to entail it.

#![allow(clippy::print_stderr)]

mod common;

use common::RunMemory;
use heapwise_engine::Options;
use heapwise_engine::abduction::compare::difference;
use heapwise_engine::abduction::example::Subject;
use heapwise_engine::abduction::{Found, Inferred, Limits, infer};
use heapwise_engine::shapes::claim::{ShapeCheck, shape_checks};
use heapwise_engine::shapes::declare::{Declarations, ShapeFile, declare};
use heapwise_heap::gamma::{Claim, ConcreteMemory as _, LocalValue, Membership, member};
use heapwise_interp::{Observer, Outcome, RandomInputs, View};
use heapwise_ir::{DataModel, Program};
use std::ops::ControlFlow;
use std::path::Path;

fn inferred(path: &Path, model: DataModel) -> (String, Program, Vec<Inferred>) {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let program =
        common::from_preprocessed_for(&name, &text, model).unwrap_or_else(|| panic!("{name} compiles"));
    let options = Options { jobs: 2, ..Options::default() };
    let found = infer(&program, &options, Limits::default(), &|_| true);
    (text, program, found)
}

/// What is expected of the function that is defined in a line, which may stand in several lines before it.
fn mark(text: &str, line: u32) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = |n: usize| lines.get(n)?.split_once("//~ ").map(|(code, m)| (code.trim().is_empty(), m.trim()));
    let mut n = line as usize - 1;
    if let Some((_, own)) = at(n) {
        return Some(own.to_owned());
    }
    let mut parts = Vec::new();
    while let Some((true, part)) = n.checked_sub(1).and_then(at) {
        parts.push(part);
        n -= 1;
    }
    parts.reverse();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// How what is found differs from what is expected.
fn unexpected(program: &Program, f: &Inferred, found: &Found, expected: &str) -> Option<String> {
    let (pre, post) = expected.split_once("=>").map_or((expected, None), |(a, b)| (a, Some(b)));
    // Clauses end with `;`, which also stands inside of calls.
    let clauses = |text: &str| {
        let mut depth = 0_u32;
        let mut ends = |c: char| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            c == ';' && depth == 0
        };
        text.split(&mut ends).map(|c| c.trim().to_owned()).collect::<Vec<String>>()
    };
    let mut wanted = found.clone();
    if !pre.trim().is_empty() {
        wanted.requires = clauses(pre.trim());
    }
    if let Some(post) = post {
        wanted.ensures = vec![post.trim().to_owned()];
    }
    difference(program, f.function, &f.params, (found, &wanted))
}

#[test]
fn functions_get_the_contracts_that_are_expected() {
    let (mut with, mut without, mut whole, mut wrong) = (0, 0, 0, Vec::new());
    for path in common::programs("tests/open") {
        let (text, program, found) = inferred(&path, DataModel::Lp64);
        for f in &found {
            let line = common::line(&program, f.span).expect("a function has a place");
            let mark = mark(&text, line);
            let place = format!("{}:{line} {}", path.display(), f.name);
            let mark = mark.as_deref().map(|m| m.split_once(' ').unwrap_or((m, "")));
            match (mark, f.contracts.first()) {
                (Some(("CONTRACT", expected)), Some(c)) => {
                    with += 1;
                    whole += usize::from(expected.contains("=>"));
                    // Where there are several, what is expected may be any of them.
                    let reasons: Vec<String> =
                        f.contracts.iter().map_while(|c| unexpected(&program, f, c, expected)).collect();
                    if reasons.len() == f.contracts.len() {
                        wrong.push(format!(
                            "{place}: {} but\n  {}  {}",
                            reasons.join("; "),
                            c.predicates.join("\n  "),
                            c.clauses().replace('\n', "\n  ")
                        ));
                    }
                }
                (Some(("CONTRACT", _)), None) => {
                    wrong.push(format!("{place} has no contract: {:?}", f.why_not));
                }
                (Some(("NONE", reason)), first) => match &f.why_not {
                    Some(why) if first.is_none() && why.contains(reason) => without += 1,
                    why => wrong.push(format!("{place}: {} contracts, {why:?}", f.contracts.len())),
                },
                _ => wrong.push(format!("{place} is not marked")),
            }
        }
    }
    eprintln!("{with} functions with a contract, {whole} with both conditions, {without} without");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(with >= 50 || std::env::var_os("HEAPWISE_ONLY").is_some(), "{with}");
}

/// Looks at the memory where a shape is claimed.
struct Watch<'a> {
    program: &'a Program,
    declarations: &'a Declarations,
    checks: Vec<ShapeCheck>,
    /// What came out at each claim, in order.
    found: Vec<Result<(), String>>,
    /// Claims that the judge could not decide.
    undecided: u64,
}

impl Observer for Watch<'_> {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        let Some(frame) = view.frames().next() else { return ControlFlow::Continue(()) };
        let here = |c: &&ShapeCheck| {
            c.point.function == frame.function
                && c.point.block == frame.block
                && c.point.index == frame.statement
        };
        let Some(check) = self.checks.iter().find(here) else { return ControlFlow::Continue(()) };
        let memory = RunMemory::new(view, frame);
        let in_scope = |l| memory.local(l) != LocalValue::Dead;
        let preds = &self.declarations.preds;
        let states = match check.states(self.program, self.declarations, preds, in_scope) {
            Ok(states) => states,
            Err(e) => {
                self.found.push(Err(e.message));
                return ControlFlow::Break(());
            }
        };
        let mut reasons = vec![String::new()];
        for state in &states {
            match member(state, preds, &memory, Claim::Everything, 200_000) {
                answer @ (Membership::Inside | Membership::Undecided) => {
                    self.undecided += u64::from(answer == Membership::Undecided);
                    self.found.push(Ok(()));
                    return ControlFlow::Continue(());
                }
                Membership::Outside(why) => reasons.push(why),
            }
        }
        self.found.push(Err(format!("{}\n{}", reasons.join("\n  "), memory.describe())));
        ControlFlow::Break(())
    }
}

#[test]
fn runs_from_memories_of_a_precondition_end_in_memories_of_the_postcondition() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut counts = Counts::default();
        for path in common::programs("tests/open") {
            let (text, program, found) = inferred(&path, model);
            for f in &found {
                for c in &f.contracts {
                    executed(&path, &text, &program, (f, c), model, &mut counts);
                }
            }
        }
        eprintln!("{model:?}: {counts:?}");
        let Counts { contracts, silent, endless, .. } = &counts;
        assert!(silent.len() * 10 <= *contracts, "never run: {silent:?}");
        assert!(endless.is_empty(), "no run returned: {endless:?}");
    }
}

#[derive(Default, Debug)]
struct Counts {
    contracts: usize,
    runs: usize,
    /// Runs that returned, and had the memory after them judged.
    returned: usize,
    /// Runs that ended the program, where the contract says that this may happen.
    exited: usize,
    /// Runs that were still going on after the last step they were given.
    cut_off: usize,
    undecided: u64,
    /// Memories that are none of the precondition, and those that the dice did not find.
    left_out: usize,
    /// Contracts that were not executed at all.
    silent: Vec<String>,
    /// Contracts that say that the function returns, though no run did.
    endless: Vec<String>,
}

/// Executes a function from memories of its precondition.
fn executed(
    path: &Path,
    text: &str,
    program: &Program,
    (f, c): (&Inferred, &Found),
    model: DataModel,
    counts: &mut Counts,
) {
    let name = format!("{}: {}", path.display(), f.name);
    counts.contracts += 1;
    let file = |text: String| ShapeFile { name: "found.shape".into(), text, at_calls: false };
    let predicates = c.predicates.join("\n");
    let declarations = declare(program, &[file(predicates.clone())]).expect("it was verified");
    let subject = Subject { program, declarations: &declarations, function: f.function, params: &f.params };
    let never_returns = c.ensures.iter().all(|e| e == "0 == 1");
    let (runs, ended) = (counts.runs, counts.returned + counts.exited);
    for seed in 0..common::amount("HEAPWISE_SEEDS", 8, 60) {
        let Some(example) = subject.example(c, true, seed + 1) else {
            counts.left_out += 1;
            continue;
        };
        let whole = format!("{text}\n{}", example.main);
        let Some(closed) = common::from_preprocessed_for("example.c", &whole, model) else {
            panic!("{name} has an example that is no C:\n{}", example.main);
        };
        let declarations = declare(&closed, &[file(predicates.clone())]).expect("it was verified");
        let checks = shape_checks(&closed);
        let mut watch =
            Watch { program: &closed, declarations: &declarations, checks, found: Vec::new(), undecided: 0 };
        let settings = common::run_settings(&Options::default(), 20_000);
        let mut inputs = RandomInputs::new(seed);
        let result = heapwise_interp::run(&closed, &settings, &mut inputs, Some(&mut watch));
        // A memory that is none of the precondition's says nothing.
        let Some(Ok(())) = watch.found.first() else {
            counts.left_out += 1;
            continue;
        };
        counts.runs += 1;
        counts.undecided += watch.undecided;
        let main = &example.main;
        assert!(
            !matches!(result.outcome, Outcome::Error(_)),
            "{name} runs into {:?} from\n{main}\n{c:?}",
            result.outcome
        );
        match (watch.found.get(1), &result.outcome) {
            (Some(Err(why)), _) => {
                panic!("{name} leaves a memory that its contract does not describe: {why}\n{c:?}\n{main}")
            }
            (Some(Ok(())), _) => {
                assert!(!never_returns, "{name} returns, from\n{main}\n{c:?}");
                counts.returned += 1;
            }
            (None, Outcome::Budget(_)) => counts.cut_off += 1,
            (None, outcome) => {
                assert!(c.may_exit, "{name} ends the program by {outcome:?}, from\n{main}\n{c:?}");
                counts.exited += 1;
            }
        }
    }
    if counts.runs == runs {
        counts.silent.push(name);
    } else if counts.returned + counts.exited == ended && !never_returns {
        counts.endless.push(name);
    }
}
