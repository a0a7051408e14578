//! A program with everything that the analysis knows of it: what drawings, the explorer and editors show.

use super::check::{declared, drawn, engine_options, explain, finding, no_entry};
use super::{Compiled, compile};
use crate::exit::Exit;
use crate::options::Check;
use crate::output;
use crate::progress::Stage;
use heapwise_engine::{Hunt, Options, Report, Verdict, analyse, check};
use heapwise_ir::Program;
use heapwise_report::Finding;
use heapwise_report::path::Replay;

/// A program and what is known of it.
pub struct Known {
    /// The program.
    pub program: Program,
    /// The verdict.
    pub verdict: Verdict,
    /// The analysis, with states.
    pub report: Report,
    /// What there is to say.
    pub findings: Vec<Finding>,
    /// How it was analysed.
    pub settings: Options,
}

impl Known {
    /// The verdict in a word, and the exit code for it.
    pub fn verdict(&self) -> (&'static str, Exit) {
        match &self.verdict {
            Verdict::Proved => ("proved", Exit::Proved),
            Verdict::Error(_) => ("error", Exit::Error),
            Verdict::Unknown(_) => ("unknown", Exit::Unknown),
        }
    }

    /// The run that shows an error, to be executed again.
    pub fn replay(&self) -> Option<Replay<'_>> {
        let Verdict::Error(confirmed) = &self.verdict else { return None };
        let Options { properties, entry, .. } = &self.settings;
        Some(Replay { program: &self.program, confirmed, properties: *properties, entry })
    }
}

/// Reads, compiles and checks a program so that states are left; what is wrong with the input is reported.
pub fn known(options: &Check) -> Result<Known, Exit> {
    let Compiled { program, mut findings, .. } = compile(&options.files, &options.source, &options.output)?;
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
    let mut known = Known { program, verdict, report, findings: Vec::new(), settings };
    match &known.verdict {
        Verdict::Proved => {}
        Verdict::Error(confirmed) => {
            let mut found = explain(confirmed, &drawn(confirmed));
            found.path = known.replay().map(|r| r.notes()).unwrap_or_default();
            findings.push(found);
        }
        Verdict::Unknown(alarms) => findings.extend(alarms.iter().map(finding)),
    }
    known.findings = findings;
    Ok(known)
}
