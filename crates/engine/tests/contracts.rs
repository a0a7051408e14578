//! Functions against their contracts: those marked safe are proved, those with a planted mistake never, and for the
//! reason that is given.
//!
//! A function is marked on the line of its definition: `//~ SAFE`, `//~ ERROR kind`, or `//~ TODO reason` if it is safe but
//! not proved yet, which fails when it starts to be proved.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::shapes::declare::declare;
use heapwise_engine::{Options, analyse};

#[test]
fn functions_satisfy_their_contracts() {
    let (mut proved, mut rejected, mut open, mut wrong) = (0, 0, 0, Vec::new());
    for path in common::programs("tests/contracts") {
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let program = common::from_preprocessed(&name, &text).unwrap_or_else(|| panic!("{name} compiles"));
        let declarations = declare(&program, &[]).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let mut functions: Vec<_> = declarations.contracts.keys().copied().collect();
        functions.sort();
        for f in functions {
            let function = &program.functions[f];
            let line = common::line(&program, function.span).expect("a function has a place");
            let mark = text.lines().nth(line as usize - 1).and_then(|l| l.split_once("//~ ")).map(|m| m.1);
            let options = Options {
                function: Some(function.name.to_string()),
                declarations: declarations.clone(),
                max_steps: Some(20_000),
                ..Options::default()
            };
            let report = analyse(&program, &options);
            let kinds: Vec<&str> = report.alarms.iter().map(|a| a.kind.name()).collect();
            let first = report.alarms.first().map_or(String::new(), |a| format!("{a:?}"));
            let place = format!("{name}:{line} {}", function.name);
            match mark.and_then(|m| m.split_once(' ')).or(mark.map(|m| (m, ""))) {
                Some(("SAFE", _)) if kinds.is_empty() => proved += 1,
                Some(("SAFE", _)) => wrong.push(format!("{place} is not proved: {first}")),
                Some(("ERROR", kind)) if kinds.contains(&kind) => rejected += 1,
                Some(("ERROR", kind)) => wrong.push(format!("{place}: {kinds:?} instead of {kind}")),
                Some(("TODO", _)) if kinds.is_empty() => wrong.push(format!("{place} is proved now")),
                Some(("TODO", _)) => open += 1,
                _ => wrong.push(format!("{place} is not marked")),
            }
        }
    }
    eprintln!("{proved} functions proved, {rejected} rejected, {open} marked as not proved yet");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(proved >= 20 && rejected >= 20, "{proved} and {rejected}");
}
