//! A program with everything that the analysis knows of it: what drawings, the explorer and editors show.

use super::check::{declared, drawn, engine_options, explain, finding, no_entry};
use super::open_errors::Library;
use super::{Compiled, compile, contracts, open_code};
use crate::exit::Exit;
use crate::options::Check;
use crate::output;
use crate::progress::Stage;
use heapwise_engine::{Hunt, Options, Point, Report, Verdict, analyse, check};
use heapwise_heap::State;
use heapwise_ir::{FuncId, Program, Severity};
use heapwise_report::path::Replay;
use heapwise_report::{Finding, words};
use std::collections::BTreeMap;

/// A program and what is known of it.
pub struct Known {
    /// The program.
    pub program: Program,
    /// The verdict; of a program without `main` each function has its own.
    pub verdict: Option<Verdict>,
    /// The analyses, with states: one, or one for each function of a program without `main`.
    pub reports: Vec<Report>,
    /// Contracts that were found.
    pub found: BTreeMap<FuncId, String>,
    /// What there is to say.
    pub findings: Vec<Finding>,
    /// How it was analysed.
    pub settings: Options,
}

impl Known {
    /// The verdict in a word, and the exit code for it.
    pub fn verdict(&self) -> (&'static str, Exit) {
        match &self.verdict {
            Some(Verdict::Proved) => ("proved", Exit::Proved),
            Some(Verdict::Error(_)) => ("error", Exit::Error),
            Some(Verdict::Unknown(_)) => ("unknown", Exit::Unknown),
            None if self.findings.iter().any(|f| f.severity == Severity::Error) => ("error", Exit::Error),
            None if self.findings.iter().any(|f| f.severity == Severity::Warning) => {
                ("unknown", Exit::Unknown)
            }
            None => ("proved", Exit::Proved),
        }
    }

    /// All points with states, and the analysis that they are from.
    pub fn points(&self) -> impl Iterator<Item = (&Report, Point, &Vec<State>)> {
        self.reports.iter().flat_map(|r| words::points(r).into_iter().map(move |(p, s)| (r, p, s)))
    }

    /// The run that shows an error, to be executed again.
    pub fn replay(&self) -> Option<Replay<'_>> {
        let Some(Verdict::Error(confirmed)) = &self.verdict else { return None };
        Some(Replay { program: &self.program, confirmed })
    }
}

/// Reads, compiles and checks a program so that states are left; what is wrong with the input is reported.
pub fn known(options: &Check) -> Result<Known, Exit> {
    let Compiled { program, mut findings, units, model, .. } =
        compile(&options.files, &options.source, &options.output)?;
    let is_open = program.function_named("main").is_none() && contracts::has_functions(&program);
    if options.analysis.function.is_none() && options.analysis.entry == "main" && is_open {
        let declarations = declared(&program, &options.analysis, &options.output)?;
        let settings = engine_options(&options.analysis);
        let library = Library { units: &units, model, program: &program, settings: &settings };
        let stage = Stage::new("analyse", &options.output);
        let all = open_code::study(&library, &declarations, options.analysis.timeout);
        drop(stage);
        findings.extend(all.findings);
        let (reports, found) = (all.reports, all.found);
        return Ok(Known { program, verdict: None, reports, found, findings, settings });
    }
    if options.analysis.function.is_none()
        && let Some(finding) = no_entry(&program, &options.analysis.entry)
    {
        findings.push(finding);
        output::report_bad_input(&findings, &program.sources, &options.output);
        return Err(Exit::BadInput);
    }
    let declarations = declared(&program, &options.analysis, &options.output)?;
    let settings =
        Options { declarations, record_states: true, recheck: true, ..engine_options(&options.analysis) };
    let hunt = Hunt { runs: options.analysis.runs, first: 0, ..Hunt::default() };
    let stage = Stage::new("analyse", &options.output);
    let (verdict, mut report) = check(&program, &settings, &hunt);
    // States are wanted also where a run has shown an error before any were made.
    if report.states.is_empty() {
        report = analyse(&program, &settings);
    }
    drop(stage);
    let verdict = Some(verdict);
    let found = BTreeMap::new();
    let mut known = Known { program, verdict, reports: vec![report], found, findings: Vec::new(), settings };
    match &known.verdict {
        Some(Verdict::Proved) | None => {}
        Some(Verdict::Error(confirmed)) => {
            let mut found = explain(confirmed, &drawn(confirmed));
            found.path = known.replay().map(|r| r.notes()).unwrap_or_default();
            findings.push(found);
        }
        Some(Verdict::Unknown(alarms)) => findings.extend(alarms.iter().map(finding)),
    }
    known.findings = findings;
    Ok(known)
}
