//! Programs for every construct of TVLA's language, in `tests/tvla`. Each says what the construct means, and what is to
//! come out: `//~ structures L = N`, `//~ message L: text` (all messages are listed), `//~ none` for no messages, and
//! `//~ inconsistent N` for the number of initial structures that are left out.

use heapwise_tvl::lang::tvs::Unmentioned;
use heapwise_tvl::lang::{read_program, read_structures};
use heapwise_tvl::solver::{Options, Outcome};
use std::path::{Path, PathBuf};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tvla")
}

fn include(name: &str, from: &str) -> Result<(String, String), String> {
    let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
    Ok((path.display().to_string(), std::fs::read_to_string(&path).map_err(|e| e.to_string())?))
}

/// What the annotations of a program ask for, and what running it gives, in the same words.
fn run(path: &Path) -> (Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut expected: Vec<String> =
        text.lines().filter_map(|l| l.trim().strip_prefix("//~ ")).map(|l| l.trim().to_string()).collect();
    let spec = read_program(&path.display().to_string(), &text, &mut include)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let input = path.with_extension("tvs");
    let structures = std::fs::read_to_string(&input).unwrap();
    let initial =
        read_structures(&spec, &input.display().to_string(), &structures, Unmentioned::Zero, &mut include)
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let solution = spec.run(&initial, &Options::default());
    assert_eq!(solution.outcome, Outcome::Fixpoint, "{}: {:?}", path.display(), solution.refuted);
    let mut found = Vec::new();
    for l in &expected {
        if let Some((location, _)) = l.strip_prefix("structures ").and_then(|l| l.split_once(" = ")) {
            let at = spec.graph.locations.iter().position(|l| l == location);
            let count = at.map_or(0, |at| solution.sets[at].len());
            found.push(format!("structures {location} = {count}"));
        }
    }
    for m in &solution.messages {
        found.push(format!("message {}: {}", spec.graph.locations[m.location], m.text));
    }
    if solution.messages.is_empty() {
        found.push("none".to_string());
    }
    if !solution.inconsistent.is_empty() {
        found.push(format!("inconsistent {}", solution.inconsistent.len()));
    }
    if !solution.inconsistent.is_empty() && solution.messages.is_empty() {
        expected.push("none".to_string());
    }
    expected.sort();
    expected.dedup();
    found.sort();
    found.dedup();
    (expected, found)
}

#[test]
fn every_construct_is_read_and_run() {
    let mut programs: Vec<PathBuf> = std::fs::read_dir(directory())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "tvp"))
        .collect();
    programs.sort();
    assert!(programs.len() >= 10, "{programs:?}");
    let wrong: Vec<String> = programs
        .iter()
        .map(|path| (path, run(path)))
        .filter(|(_, (expected, found))| expected != found)
        .map(|(path, (expected, found))| format!("{}\n  {expected:?}\n  {found:?}\n", path.display()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
