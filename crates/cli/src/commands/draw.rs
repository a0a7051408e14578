//! `heapwise draw`: the states just before a line, as a drawing, in words, or for Graphviz.

use super::scene::{Known, known};
use crate::exit::Exit;
use crate::input::InputError;
use crate::options::{Draw, DrawForm};
use crate::{config, output};
use heapwise_engine::{Point, Report};
use heapwise_heap::State;
use heapwise_report::draw::sheet;
use heapwise_report::names::Naming;
use heapwise_report::{states, words};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Draws the states at a line.
pub fn run(options: &Draw, given: &BTreeSet<String>) -> Exit {
    let scene = &options.scene;
    match drawing(options, given) {
        Ok(text) => match &options.file {
            None => {
                output::print(&text);
                Exit::Proved
            }
            Some(path) => match std::fs::write(path, &text) {
                Ok(()) => Exit::Proved,
                Err(error) => {
                    output::error(&format!("{} cannot be written: {error}", path.display()));
                    Exit::BadInput
                }
            },
        },
        Err(Some(error)) => {
            super::report_input_error(&error, &scene.output);
            Exit::BadInput
        }
        Err(None) => Exit::BadInput,
    }
}

/// What is wrong, unless it was reported already.
type Wrong = Option<InputError>;

fn drawing(options: &Draw, given: &BTreeSet<String>) -> Result<String, Wrong> {
    let usage = |message: &str| Some(InputError::new("draw", "bad-target", message));
    let (first, rest) = options.targets.split_first().ok_or_else(|| usage("no file was named"))?;
    let (file, line) = target(first).ok_or_else(|| {
        usage(&format!("`{first}` names no line: write a file, a colon and a number, such as `prog.c:12`"))
    })?;
    let files = std::iter::once(PathBuf::from(file)).chain(rest.iter().map(PathBuf::from)).collect();
    let check = options.scene.check(files).map_err(|e| usage(&e.to_string()))?;
    let check = config::configured(&check, given).map_err(Some)?;
    let known = known(&check).map_err(|_| None)?;
    let (report, point, found) =
        at_line(&known, file, line).ok_or_else(|| nothing_there(&known, file, line))?;
    let naming = Naming::at(&known.program, report, point.function).ok_or(None)?;
    Ok(match options.form {
        DrawForm::Svg => sheet(&found, naming),
        DrawForm::Words => found.iter().map(|s| words::one(s, naming) + "\n").collect(),
        DrawForm::Dot => states::drawing(&known.program, report, point).unwrap_or_default(),
    })
}

/// File and line of `prog.c:12`.
fn target(text: &str) -> Option<(&str, u32)> {
    let (file, line) = text.rsplit_once(':')?;
    let line = line.parse().ok().filter(|n| *n > 0)?;
    (!file.is_empty()).then_some((file, line))
}

/// The first point on a line that the analysis came to, and what it knows there.
pub fn at_line<'a>(known: &'a Known, file: &str, line: u32) -> Option<(&'a Report, Point, Vec<State>)> {
    let on_line = |p: &Point| {
        let at = known.program.sources.location(words::span_of(&known.program, *p).lo);
        at.is_some_and(|l| l.line == line && same_file(&l.file, file))
    };
    let mut points = known.points().filter(|(_, p, s)| !s.is_empty() && on_line(p));
    points.next().map(|(report, p, s)| (report, p, s.clone()))
}

fn same_file(a: &str, b: &str) -> bool {
    let full = |p: &str| std::path::absolute(p).unwrap_or_else(|_| p.into());
    a == b || full(a) == full(b)
}

fn nothing_there(known: &Known, file: &str, line: u32) -> Wrong {
    let mut lines: Vec<u32> = known
        .points()
        .filter_map(|(_, p, _)| known.program.sources.location(words::span_of(&known.program, p).lo))
        .filter(|l| same_file(&l.file, file))
        .map(|l| l.line)
        // The analysis knows the line, and came to none of its statements.
        .filter(|l| *l != line)
        .collect();
    lines.sort_unstable_by_key(|l| l.abs_diff(line));
    lines.dedup();
    let near: Vec<String> = lines.iter().take(3).map(u32::to_string).collect();
    let hint = match near.as_slice() {
        [] => "; the analysis came to no line of this file".to_owned(),
        near => format!("; the nearest lines with states are {}", near.join(", ")),
    };
    let place = format!("{}:{line}", Path::new(file).display());
    let message =
        format!("there is no state at this line: no statement starts here, or it is never executed{hint}");
    Some(InputError::new(place, "no-state", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_files_and_lines() {
        assert_eq!(target("a.c:12"), Some(("a.c", 12)));
        assert_eq!(target("c:/x.c:3"), Some(("c:/x.c", 3)));
        assert_eq!(target("a.c").or(target("a.c:0")).or(target(":3")).or(target("a.c:x")), None);
    }
}
