//! Contracts of open code: the functions of `tests/open` get the contracts that are written beside them, and runs from random
//! memories of the precondition end in memories of the postcondition.
//!
//! A function is marked on the line of its definition: `//~ CONTRACT`, with the precondition or the precondition, `=>` and the
//! postcondition if they matter; `//~ NONE reason` if it has none, with a part of the reason.

#![allow(clippy::print_stderr)]

mod common;

use common::RunMemory;
use heapwise_engine::Options;
use heapwise_engine::abduction::example::Subject;
use heapwise_engine::abduction::{Inferred, Limits, infer};
use heapwise_engine::shapes::claim::{ShapeCheck, shape_checks};
use heapwise_engine::shapes::declare::{Declarations, ShapeFile, declare};
use heapwise_heap::gamma::{Claim, ConcreteMemory as _, LocalValue, Membership, member};
use heapwise_interp::{Observer, Outcome, RandomInputs, View};
use heapwise_ir::Program;
use std::ops::ControlFlow;
use std::path::Path;

fn inferred(path: &Path) -> (String, Program, Vec<Inferred>) {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let program = common::from_preprocessed(&name, &text).unwrap_or_else(|| panic!("{name} compiles"));
    let options = Options { jobs: 2, ..Options::default() };
    let found = infer(&program, &options, Limits::default(), &|_| true);
    (text, program, found)
}

#[test]
fn functions_get_the_contracts_that_are_expected() {
    let (mut with, mut without, mut wrong) = (0, 0, Vec::new());
    for path in common::programs("tests/open") {
        let (text, program, found) = inferred(&path);
        for f in &found {
            let line = common::line(&program, f.span).expect("a function has a place");
            let mark =
                text.lines().nth(line as usize - 1).and_then(|l| l.split_once("//~ ")).map(|m| m.1.trim());
            let place = format!("{}:{line} {}", path.display(), f.name);
            let first = f.contracts.first();
            match mark.map(|m| m.split_once(' ').unwrap_or((m, ""))) {
                Some(("CONTRACT", expected)) => {
                    let Some(c) = first else {
                        wrong.push(format!("{place} has no contract: {:?}", f.why_not));
                        continue;
                    };
                    with += 1;
                    let (pre, post) =
                        expected.split_once(" => ").map_or((expected, None), |(a, b)| (a, Some(b)));
                    let requires = if c.requires.is_empty() { "emp".into() } else { c.requires.join("; ") };
                    let ensures = c.ensures.join(" | ");
                    if !pre.is_empty() && pre != requires || post.is_some_and(|p| p != ensures) {
                        wrong.push(format!("{place} has {requires} => {ensures}"));
                    }
                }
                Some(("NONE", reason)) => match &f.why_not {
                    Some(why) if first.is_none() && why.contains(reason) => without += 1,
                    why => wrong.push(format!("{place}: {} contracts, {why:?}", f.contracts.len())),
                },
                _ => wrong.push(format!("{place} is not marked")),
            }
        }
    }
    eprintln!("{with} functions with a contract, {without} without");
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
    let seeds = common::amount("HEAPWISE_SEEDS", 8, 60);
    let (mut runs, mut returned, mut undecided) = (0, 0, 0);
    let (mut skipped, mut contracts, mut silent) = (0, 0, Vec::new());
    for path in common::programs("tests/open") {
        let (text, program, found) = inferred(&path);
        for f in &found {
            for c in &f.contracts {
                contracts += 1;
                let file = |text: String| ShapeFile { name: "found.shape".into(), text, at_calls: false };
                let predicates = c.predicates.join("\n");
                let declarations = declare(&program, &[file(predicates.clone())]).expect("it was verified");
                let subject = Subject {
                    program: &program,
                    declarations: &declarations,
                    function: f.function,
                    params: &f.params,
                };
                let before = runs;
                for seed in 0..seeds {
                    let Some(example) = subject.example(c, true, seed + 1) else {
                        skipped += 1;
                        continue;
                    };
                    let whole = format!("{text}\n{}", example.main);
                    let Some(closed) = common::from_preprocessed("example.c", &whole) else {
                        panic!(
                            "{}: {} has an example that is no C:\n{}",
                            path.display(),
                            f.name,
                            example.main
                        );
                    };
                    let declarations =
                        declare(&closed, &[file(predicates.clone())]).expect("it was verified");
                    let checks = shape_checks(&closed);
                    let mut watch = Watch {
                        program: &closed,
                        declarations: &declarations,
                        checks,
                        found: Vec::new(),
                        undecided: 0,
                    };
                    let settings = common::run_settings(&Options::default(), 20_000);
                    let mut inputs = RandomInputs::new(seed);
                    let result = heapwise_interp::run(&closed, &settings, &mut inputs, Some(&mut watch));
                    // A memory that is none of the precondition's says nothing.
                    match watch.found.first() {
                        Some(Ok(())) => {}
                        _ => {
                            skipped += 1;
                            continue;
                        }
                    }
                    runs += 1;
                    returned += u64::from(watch.found.len() > 1);
                    undecided += watch.undecided;
                    if let Some(Err(why)) = watch.found.get(1) {
                        panic!(
                            "{}: {} leaves a memory that its contract does not describe: {why}\n{c:?}\n{}",
                            path.display(),
                            f.name,
                            example.main
                        );
                    }
                    assert!(
                        !matches!(result.outcome, Outcome::Error(_)),
                        "{}: {} runs into {:?} from\n{}\n{c:?}",
                        path.display(),
                        f.name,
                        result.outcome,
                        example.main
                    );
                }
                if runs == before {
                    silent.push(format!("{}: {}", path.display(), f.name));
                }
            }
        }
    }
    eprintln!(
        "{contracts} contracts, {runs} runs, of which {returned} returned, {undecided} claims undecided, {skipped} memories left out; \
         never run: {silent:?}"
    );
    assert!(silent.len() * 10 <= contracts, "never run: {silent:?}");
}
