//! A whole report, before it gets a form.
//!
//! Findings with their fingerprints and with what silences them: a comment in the program, or a baseline of what was known
//! before. Silenced findings are not shown to people and do not count for the exit code; formats that know the notion carry
//! them with the reason.
//!
//! **Invariant:** silencing never changes a verdict: an `unknown` whose findings are all silenced is no proof.

use crate::finding::Finding;
use crate::{baseline::Baseline, fingerprint, suppress};
use heapwise_ir::{Severity, SourceMap};

/// A report.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// `proved`, `error`, `unknown`, …
    pub verdict: &'a str,
    /// How the process will end.
    pub exit_code: u8,
    /// The findings, in order.
    pub entries: &'a [Entry],
    /// The program text.
    pub sources: &'a SourceMap,
    /// The version of the tool.
    pub version: &'a str,
    /// What codes mean: one phrase.
    pub about: fn(&str) -> Option<&'static str>,
}

/// A finding, and what is to be done with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The finding.
    pub finding: Finding,
    /// What it is recognised by.
    pub fingerprint: String,
    /// Why it is not to be shown, if so.
    pub silenced: Option<Silenced>,
}

/// What silences a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silenced {
    /// A comment, with the reason that it gives.
    Comment(String),
    /// It was known before.
    Baseline,
}

impl Entry {
    /// Whether it is to be shown.
    pub fn is_shown(&self) -> bool {
        self.silenced.is_none()
    }
    /// Whether it counts as something found: notes do not.
    pub fn counts(&self) -> bool {
        self.is_shown() && self.finding.severity >= Severity::Warning
    }
}

/// Findings as entries of a report: comments in the program and the baseline silence some, and comments that are not as they
/// should be give findings of their own.
pub fn entries(mut findings: Vec<Finding>, sources: &SourceMap, baseline: Option<&Baseline>) -> Vec<Entry> {
    let comments = suppress::comments(sources);
    let reasons = suppress::apply(&comments, &findings, sources);
    let complaints = suppress::complaints(&comments, &reasons);
    let mut silenced: Vec<Option<Silenced>> =
        reasons.into_iter().map(|r| r.map(|(_, reason)| Silenced::Comment(reason))).collect();
    silenced.resize(silenced.len() + complaints.len(), None);
    findings.extend(complaints);
    let prints = fingerprint::fingerprints(&findings, sources);
    findings
        .into_iter()
        .zip(prints)
        .zip(silenced)
        .map(|((finding, fingerprint), silenced)| {
            let known = || baseline.is_some_and(|b| b.knows(&fingerprint)).then_some(Silenced::Baseline);
            let silenced = silenced.or_else(known);
            Entry { finding, fingerprint, silenced }
        })
        .collect()
}
