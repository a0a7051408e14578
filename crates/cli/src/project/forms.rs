//! The answers of a project in forms for machines.
//!
//! Each check answers in the form that was asked for, so a project's report is theirs put together: in JSON an object with one
//! report for each program, in SARIF one run for each (told apart by `automationDetails`), in JUnit all suites, and all lines of
//! annotations. What a project has to say itself (a file that cannot be read, a check without an answer) is a report beside these.

use super::checks::Answer;
use super::plan::shown;
use super::table::Checked;
use super::units::Unit;
use crate::exit::Exit;
use crate::options::Form;
use crate::output;
use heapwise_ir::{Severity, SourceMap, Span};
use heapwise_report::{Finding, document, json, junit, sarif};
use serde_json::{Value, json};

/// The report of a project in a form that is not for people.
pub fn text(checked: &Checked<'_>, form: Form, interrupted: bool) -> String {
    match form {
        Form::Json => format!("{}\n", object(checked, interrupted)),
        Form::Sarif | Form::Junit | Form::Github | Form::Text => {
            let parts = parts(checked);
            let own = own_report(checked, form, interrupted);
            let all = parts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
            let all: Vec<(&str, &str)> = all.chain(own.as_deref().map(|text| ("project", text))).collect();
            match form {
                Form::Sarif => sarif::together(&all),
                Form::Junit => junit::together(&all),
                _ => all.iter().map(|(_, text)| *text).collect(),
            }
        }
    }
}

/// The names and reports of all that was checked.
fn parts(checked: &Checked<'_>) -> Vec<(String, String)> {
    let programs = checked.plan.executables.iter().zip(checked.answers);
    programs
        .chain(checked.libraries.iter().zip(checked.contracts))
        .filter_map(|(program, answer)| match answer {
            Answer::Checked { report, .. } => {
                Some((program.name.clone(), String::from_utf8_lossy(report).into_owned()))
            }
            Answer::NotBegun | Answer::Failed(_) => None,
        })
        .collect()
}

/// The verdict on a whole project.
pub fn verdict(exit: Exit) -> &'static str {
    match exit {
        Exit::Proved => "proved",
        Exit::Error => "error",
        _ => "unknown",
    }
}

/// What is said of no program, if there is anything.
fn own_report(checked: &Checked<'_>, form: Form, interrupted: bool) -> Option<String> {
    let warning =
        |code: &str, message: String| Finding::new(Severity::Warning, code, message, Span::default());
    let mut findings: Vec<Finding> = Vec::new();
    if interrupted {
        findings.push(warning("interrupted", "interrupted: this report is not complete".into()));
    }
    for (unit, why) in unread(checked) {
        findings.push(warning("not-read", format!("{}: {why}", shown(&unit.file))));
    }
    let programs = checked.plan.executables.iter().zip(checked.answers);
    for (program, answer) in programs.chain(checked.libraries.iter().zip(checked.contracts)) {
        if let Answer::Failed(why) = answer {
            findings.push(warning("no-answer", format!("{}: {why}", program.name)));
        }
    }
    if findings.is_empty() {
        return None;
    }
    let sources = SourceMap::default();
    let entries = document::entries(findings, &sources, None);
    let exit = checked.exit();
    Some(output::in_form(&output::a_document(verdict(exit), exit.code(), &entries, &sources), form))
}

fn unread<'a>(checked: &Checked<'a>) -> impl Iterator<Item = (&'a Unit, &'a str)> {
    checked.units.iter().filter_map(|u| u.failure.as_deref().map(|why| (u, why)))
}

/// The report as one object.
fn object(checked: &Checked<'_>, interrupted: bool) -> Value {
    let one = |(program, answer): (&super::plan::Executable, &Answer)| {
        let units = || program.units.iter().filter_map(|i| checked.units.get(*i));
        let (seconds, report, failure) = match answer {
            Answer::NotBegun => (0.0, Value::Null, Some("not begun")),
            Answer::Failed(why) => (0.0, Value::Null, Some(why.as_str())),
            Answer::Checked { seconds, report, .. } => {
                (*seconds, serde_json::from_slice(report).unwrap_or(Value::Null), None)
            }
        };
        json!({
            "name": program.name,
            "files": units().map(|u| shown(&u.file)).collect::<Vec<_>>(),
            "functions": units().map(|u| u.functions).sum::<usize>(),
            "seconds": seconds,
            "report": report,
            "failure": failure,
        })
    };
    let exit = checked.exit();
    json!({
        "version": json::VERSION,
        "verdict": verdict(exit),
        "exit_code": exit.code(),
        "interrupted": interrupted,
        "programs": checked.plan.executables.iter().zip(checked.answers).map(one).collect::<Vec<_>>(),
        "libraries": checked.libraries.iter().zip(checked.contracts).map(one).collect::<Vec<_>>(),
        "unread": unread(checked)
            .map(|(unit, why)| json!({ "file": shown(&unit.file), "message": why }))
            .collect::<Vec<_>>(),
    })
}
