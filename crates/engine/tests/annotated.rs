//! The annotated programs: what is marked safe must be proved, what has a planted bug must never be.
//!
//! A program starts with `//~ SAFE`, or has `//~ ERROR kind` on the line where it goes wrong. A safe program that is not
//! proved yet says so in its second line, `//~ TODO reason`; when it starts to be proved the test asks to take the
//! line away. `HEAPWISE_BLESS=1` brings these lines up to date. The short form of the suite looks at some of each kind.

#![allow(clippy::print_stderr)]

mod common;

use heapwise_engine::check::verdict::find_error;
use heapwise_engine::{Hunt, Options, Report, analyse, check};
use heapwise_ir::Program;
use heapwise_property::{ErrorKind, Property};
use std::path::Path;

/// Programs of each kind in the short form.
const SHORT: usize = 45;
/// Limit of the analysis, in steps so that the answers do not depend on the machine.
const STEPS: u64 = 8_000;
/// The most work for one program: all that is proved needs less.
const WORK: u64 = 6_000_000;

fn analysed(program: &Program, overflow: bool) -> (Report, Options) {
    let mut options = Options { max_steps: Some(STEPS), max_work: WORK, ..Options::default() };
    options.properties.set(Property::Overflow, overflow);
    (analyse(program, &options), options)
}

/// Why a program is not proved, in one line.
fn reason(report: &Report) -> String {
    report.alarms.first().map_or(String::new(), |a| format!("{}: {}", a.kind.name(), a.message))
}

/// The text with another second line, or without one.
fn with_todo(text: &str, todo: Option<&str>) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest = match rest.split_once('\n') {
        Some((second, others)) if second.starts_with("//~ TODO") => others,
        _ => rest,
    };
    match todo {
        Some(why) => format!("{first}\n//~ TODO {why}\n{rest}"),
        None => format!("{first}\n{rest}"),
    }
}

#[test]
fn safe_programs_are_proved() {
    let bless = std::env::var("HEAPWISE_BLESS").is_ok_and(|b| b == "1");
    let programs = common::programs("tests/check/safe");
    let programs = if bless { programs } else { common::spread(programs, SHORT) };
    // Whether each is proved, and what is wrong with that; nothing of those that are not looked at.
    let answers = common::parallel::each(&programs, |path| {
        let text = std::fs::read_to_string(path).expect("the program can be read");
        assert!(text.starts_with("//~ SAFE"), "{} is annotated", path.display());
        let expected = !text.lines().nth(1).is_some_and(|l| l.starts_with("//~ TODO"));
        // What is not proved goes through all attempts, and takes as long as all others together.
        if !expected && !bless && !common::is_long() {
            return None;
        }
        let program = common::load(path);
        let report = match common::is_long() || bless {
            true => analysed(&program, false).0,
            // As users have it: attempts take turns, and none that leads nowhere holds up the others.
            false => check(&program, &Options::default(), &Hunt { runs: 0, ..Hunt::default() }).1,
        };
        let found = report.alarms.is_empty();
        if expected == found {
            return Some((found, None));
        }
        let why = reason(&report);
        let complaint = if bless {
            let blessed = with_todo(&text, (!found).then_some(why.as_str()));
            std::fs::write(path, blessed).expect("the program can be written");
            None
        } else if found {
            Some(format!("{} is proved now: remove its TODO (HEAPWISE_BLESS=1)", path.display()))
        } else {
            Some(format!("{} is not proved: {why}", path.display()))
        };
        Some((found, complaint))
    });
    let (found, wrong): (Vec<bool>, Vec<Option<String>>) = answers.into_iter().flatten().unzip();
    let (proved, wrong) =
        (found.iter().filter(|f| **f).count(), wrong.into_iter().flatten().collect::<Vec<_>>());
    eprintln!("{proved} safe programs proved, {} marked as not proved yet", found.len() - proved);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The planted bug: its kind and line.
fn planted(path: &Path) -> (String, u32) {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let mut found = text
        .lines()
        .enumerate()
        .filter_map(|(i, l)| l.split_once("//~ ERROR ").map(|(_, k)| (k.trim().to_owned(), i as u32 + 1)));
    found.next().unwrap_or_else(|| panic!("{} has no annotation", path.display()))
}

/// What is wrong with the answer to a program with a planted bug.
fn missed(path: &Path) -> Option<String> {
    let (kind, line) = planted(path);
    let program = common::load(path);
    let (report, mut options) = analysed(&program, kind == "overflow");
    let name = path.display();
    if report.alarms.is_empty() {
        return Some(format!("{name} is proved, but it has the error {kind} in line {line}"));
    }
    // A block is often lost in the step before it is used after its owner was freed.
    options.properties.set(Property::Leak, kind == "leak");
    options.properties.set(Property::Held, kind == "leak");
    let hunt = Hunt { effort: 20_000_000, ..Hunt::default() };
    let Some(confirmed) = find_error(&program, &options, &hunt) else {
        return Some(format!("{name}: no run shows the {kind}"));
    };
    let shown = match confirmed.error.kind {
        ErrorKind::LostBlock | ErrorKind::HeldAtReturn | ErrorKind::Leak => "leak",
        other => other.name(),
    };
    let at = common::line(&program, confirmed.error.span);
    let other = shown != kind || kind != "leak" && at != Some(line);
    other.then(|| format!("{name}: {shown} in line {at:?} instead of {kind} in line {line}"))
}

#[test]
fn planted_bugs_are_found() {
    let programs = common::spread(common::programs("tests/check/error"), SHORT);
    let wrong: Vec<String> =
        common::parallel::each(&programs, |path| missed(path)).into_iter().flatten().collect();
    eprintln!("{} of {} planted bugs found by runs", programs.len() - wrong.len(), programs.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
