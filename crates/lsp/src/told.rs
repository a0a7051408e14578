//! What the editor was told of which file, so that it can be taken back.
//!
//! An analysis is about the program of one file and may find something in others. A newer analysis of the same program takes
//! its place, also if it was made for another file of the program; one of another program does not.

use lsp_types::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// The findings of an analysis.
pub(crate) struct Findings {
    /// The file that it was made for.
    pub(crate) about: String,
    /// The files of the program.
    pub(crate) files: BTreeSet<String>,
    /// What was found in which file.
    pub(crate) diagnostics: BTreeMap<String, Vec<Diagnostic>>,
}

/// Files with findings, and the file whose analysis found them.
#[derive(Default)]
pub(crate) struct Told(BTreeMap<String, String>);

impl Told {
    /// What the editor is to be told when an analysis is done: findings, and where there are none any more.
    pub(crate) fn update(&mut self, findings: Findings) -> BTreeMap<String, Vec<Diagnostic>> {
        let Findings { about, files, mut diagnostics } = findings;
        let is_superseded = |by: &String| *by == about || files.contains(by);
        for (file, _) in self.0.iter().filter(|(_, by)| is_superseded(by)) {
            diagnostics.entry(file.clone()).or_default();
        }
        diagnostics.entry(about.clone()).or_default();
        self.0.retain(|_, by| !is_superseded(by));
        for (file, _) in diagnostics.iter().filter(|(_, found)| !found.is_empty()) {
            self.0.insert(file.clone(), about.clone());
        }
        diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(about: &str, files: &[&str], found: &[&str]) -> Findings {
        Findings {
            about: about.into(),
            files: files.iter().map(|f| f.to_string()).collect(),
            diagnostics: found.iter().map(|f| (f.to_string(), vec![Diagnostic::default()])).collect(),
        }
    }

    /// Files and whether there is something in them.
    fn told(all: BTreeMap<String, Vec<Diagnostic>>) -> Vec<(String, bool)> {
        all.into_iter().map(|(f, d)| (f, !d.is_empty())).collect()
    }

    #[test]
    fn an_analysis_takes_back_what_others_of_its_program_said_and_no_more() {
        let mut all = Told::default();
        let pair = |f: &str, some: bool| (f.to_owned(), some);
        let first = all.update(findings("a.c", &["a.c", "b.c"], &["b.c"]));
        assert_eq!(told(first), [pair("a.c", false), pair("b.c", true)]);
        // Another program.
        let other = all.update(findings("z.c", &["z.c"], &["z.c"]));
        assert_eq!(told(other), [pair("z.c", true)]);
        // The same program, for its other file.
        let again = all.update(findings("b.c", &["a.c", "b.c"], &["a.c"]));
        assert_eq!(told(again), [pair("a.c", true), pair("b.c", false)]);
        let last = all.update(findings("a.c", &["a.c", "b.c"], &[]));
        assert_eq!(told(last), [pair("a.c", false)]);
    }
}
