//! Findings as a JUnit report: each is a failed test of the file it is in, a file without findings is a passed one.
//!
//! Errors and warnings are failures, silenced ones skipped tests; notes go to the output of the suite.

use crate::document::{Document, Entry, Silenced};
use crate::place::Place;
use crate::render::{Style, finding};
use heapwise_ir::Severity;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;

/// The report as XML.
pub fn text(document: &Document<'_>) -> String {
    let mut report = Report::new("heapwise");
    let mut by_file: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in document.entries {
        let file = Place::of(document.sources, entry.finding.span).map_or("program".to_owned(), |p| p.file);
        by_file.entry(file).or_default().push(entry);
    }
    if by_file.is_empty() {
        by_file.insert("program".into(), Vec::new());
    }
    for (file, entries) in by_file {
        let mut suite = TestSuite::new(file.clone());
        suite.add_property(("verdict", document.verdict));
        let (tests, notes): (Vec<&Entry>, Vec<&Entry>) =
            entries.into_iter().partition(|e| e.finding.severity >= Severity::Warning);
        if !notes.is_empty() {
            let all: String =
                notes.iter().map(|e| finding(&e.finding, document.sources, Style::Plain)).collect();
            suite.set_system_out(all);
        }
        if tests.is_empty() {
            let mut case = TestCase::new(document.verdict, TestCaseStatus::success());
            case.set_classname(file.clone());
            suite.add_test_case(case);
        }
        for entry in tests {
            suite.add_test_case(test(document, &file, entry));
        }
        report.add_test_suite(suite);
    }
    report.to_string().unwrap_or_default()
}

/// Several reports as one, each with its name: their suites side by side.
pub fn together(reports: &[(&str, &str)]) -> String {
    let mut all = Report::new("heapwise");
    for (name, text) in reports {
        let Ok(report) = Report::deserialize_from_str(text) else { continue };
        all.add_test_suites(report.test_suites.into_iter().map(|mut suite| {
            suite.add_property(("program", *name));
            suite
        }));
    }
    all.to_string().unwrap_or_default()
}

fn test(document: &Document<'_>, file: &str, entry: &Entry) -> TestCase {
    let f = &entry.finding;
    let status = match &entry.silenced {
        Some(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(match why {
                Silenced::Comment(reason) => reason.clone(),
                Silenced::Baseline => "known before".into(),
            });
            status
        }
        None => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(f.code.clone()).set_message(f.message.clone()).set_description(finding(
                f,
                document.sources,
                Style::Plain,
            ));
            status
        }
    };
    let line = Place::of(document.sources, f.span).map_or(String::new(), |p| format!(" at line {}", p.line));
    let mut case = TestCase::new(format!("{}{line}", f.code), status);
    case.set_classname(file.to_owned());
    case
}
