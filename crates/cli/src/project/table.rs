//! The table at the end of a project's check.

use super::checks::Answer;
use super::plan::{Executable, Plan, shown};
use super::units::Unit;
use crate::exit::Exit;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What came out of a project.
pub struct Checked<'a> {
    pub units: &'a [Unit],
    pub plan: &'a Plan,
    /// The answers for the plan's executables.
    pub answers: &'a [Answer],
    /// The files of no program, and the answers for them.
    pub libraries: &'a [Executable],
    pub contracts: &'a [Answer],
}

impl Checked<'_> {
    /// The exit code: the worst of all answers.
    pub fn exit(&self) -> Exit {
        let all = || self.answers.iter().chain(self.contracts);
        let is = |word: &str| all().any(|a| matches!(a, Answer::Checked { verdict, .. } if verdict == word));
        let proved =
            |a: &Answer| matches!(a, Answer::Checked { verdict, .. } if verdict.starts_with("proved"));
        let complete = self.unanswered().is_empty() && self.units.iter().all(|u| u.failure.is_none());
        if is("error") {
            Exit::Error
        } else if all().all(proved) && complete {
            Exit::Proved
        } else {
            Exit::Unknown
        }
    }

    /// What is printed.
    pub fn text(&self, interrupted: bool) -> String {
        text(self, interrupted)
    }

    /// Files that are in no program and got no contracts either.
    fn unanswered(&self) -> Vec<&Unit> {
        let is_library = |i: &&usize| self.libraries.iter().any(|l| l.units.contains(i));
        let rest = self.plan.rest.iter().filter(|i| !is_library(i));
        // What has no functions needs no answer.
        let open = |u: &&Unit| u.failure.is_none() && (u.has_main() || u.functions > 0);
        rest.filter_map(|i| self.units.get(*i)).filter(open).collect()
    }
}

/// Adds the contracts of files that are in no program.
fn libraries(checked: &Checked<'_>, out: &mut String) {
    if checked.libraries.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nfiles of no program, for any caller:");
    for (library, answer) in checked.libraries.iter().zip(checked.contracts) {
        let functions: usize =
            library.units.iter().filter_map(|i| checked.units.get(*i)).map(|u| u.functions).sum();
        let said = match answer {
            Answer::NotBegun => "not begun".to_owned(),
            Answer::Failed(why) => format!("not answered: {why}"),
            Answer::Checked { verdict, .. } if verdict == "proved" => {
                "every function has a contract".to_owned()
            }
            Answer::Checked { verdict, first, .. } => match first {
                Some((code, message, place)) => format!("{verdict}\n    {place}: {message} [{code}]"),
                None => verdict.clone(),
            },
        };
        let _ = writeln!(out, "  {} ({functions} functions): {said}", library.name);
    }
}

fn text(checked: &Checked<'_>, interrupted: bool) -> String {
    let Checked { units, plan, answers, .. } = *checked;
    let mut out = String::new();
    if interrupted {
        out.push_str("interrupted: this report is not complete\n\n");
    }
    let width = plan.executables.iter().map(|e| e.name.chars().count()).max().unwrap_or(0).max(10);
    let _ = writeln!(
        out,
        "{:width$}  {:>5}  {:>9}  {:>7}  answer",
        "executable", "files", "functions", "seconds"
    );
    let mut sums: BTreeMap<String, usize> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (executable, answer) in plan.executables.iter().zip(answers) {
        let functions: usize =
            executable.units.iter().filter_map(|i| units.get(*i)).map(|u| u.functions).sum();
        let (seconds, word, more) = match answer {
            Answer::NotBegun => (0.0, "not begun", None),
            Answer::Failed(why) => (0.0, "not answered", Some(why.clone())),
            Answer::Checked { verdict, first, seconds, .. } => {
                let first = first
                    .as_ref()
                    .map(|(code, message, place)| format!("{}: {message} [{code}]", shown(Path::new(place))));
                (*seconds, verdict.as_str(), first)
            }
        };
        *sums.entry(word.to_owned()).or_default() += 1;
        if let Answer::Checked { verdict, first: Some((code, ..)), .. } = answer
            && verdict == "unknown"
        {
            *reasons.entry(code).or_default() += 1;
        }
        let files = executable.units.len();
        let _ =
            writeln!(out, "{:width$}  {files:>5}  {functions:>9}  {seconds:>7.1}  {word}", executable.name);
        if let Some(more) = more {
            let _ = writeln!(out, "{:width$}  {more}", "");
        }
    }
    let failed: Vec<&Unit> = units.iter().filter(|u| u.failure.is_some()).collect();
    if !failed.is_empty() {
        let _ = writeln!(out, "\nfiles that cannot be read:");
        for unit in &failed {
            let _ = writeln!(out, "  {}: {}", shown(&unit.file), unit.failure.as_deref().unwrap_or_default());
        }
    }
    libraries(checked, &mut out);
    let rest = checked.unanswered();
    if !rest.is_empty() {
        let _ = writeln!(out, "\nnot answered: the programs that were asked for do not use these files");
        for unit in &rest {
            let _ = writeln!(out, "  {} ({} functions)", shown(&unit.file), unit.functions);
        }
    }
    let listed = |sums: Vec<(String, usize)>| {
        let words: Vec<String> = sums.into_iter().map(|(word, n)| format!("{n} {word}")).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(", ") }
    };
    let _ = writeln!(out, "\nexecutables: {}", listed(sums.into_iter().collect()));
    if !reasons.is_empty() {
        let reasons = reasons.into_iter().map(|(code, n)| (code.to_owned(), n)).collect();
        let _ = writeln!(out, "first causes of unknown: {}", listed(reasons));
    }
    let functions: usize = units.iter().map(|u| u.functions).sum();
    let _ = writeln!(
        out,
        "files: {}, of which {} cannot be read and {} belong to no executable; functions: {functions}",
        units.len(),
        failed.len(),
        plan.rest.iter().filter_map(|i| units.get(*i)).filter(|u| u.failure.is_none()).count()
    );
    out
}
