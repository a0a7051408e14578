//! `heapwise lsp`: programs for the language server.
//!
//! A file belongs to the program of its compilation database, if there is one at or above it (`compile_commands.json`, also in a
//! directory `build`), otherwise it is a program by itself. A program without `main` is checked function by function, as far as
//! functions have contracts. Texts of the preprocessor are kept for files that did not change, and the result of a proof as long
//! as the program is the same but for comments and white space.

use super::check::{drawn, engine_options, explain, finding};
use crate::exit::Exit;
use crate::input::{self, Remembered};
use crate::options::Check;
use crate::{config, output};
use heapwise_engine::shapes::declare::declare;
use heapwise_engine::{Hunt, Options, Report, Verdict, analyse, check};
use heapwise_ir::{Program, Severity};
use heapwise_lsp::{Known, Workshop, serve};
use heapwise_report::path::Replay;
use heapwise_report::{Finding, document};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long an editor waits at most, unless `heapwise.toml` says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves an editor on standard input and output.
pub fn run() -> Exit {
    let (connection, threads) = lsp_server::Connection::stdio();
    let served = serve(connection, Project::default());
    if let Err(error) = served {
        output::error(&format!("the editor's messages are not those of a language server: {error}"));
        return Exit::BadInput;
    }
    let _ = threads.join();
    Exit::Proved
}

/// What is kept from one analysis to the next.
#[derive(Default)]
struct Project {
    remembered: Remembered,
    /// The last program that was proved, without white space, and what is known of it.
    proved: Option<(String, Arc<Report>)>,
}

/// A compilation database for a file.
fn database(file: &Path) -> Option<PathBuf> {
    let above = file.ancestors().skip(1);
    let mut places =
        above.flat_map(|d| [d.join("compile_commands.json"), d.join("build/compile_commands.json")]);
    places.find(|p| p.is_file())
}

impl Workshop for Project {
    fn analyse(
        &mut self,
        file: &str,
        texts: &BTreeMap<String, String>,
        cancel: Arc<AtomicBool>,
    ) -> Result<Known, String> {
        let path = PathBuf::from(file);
        let mut options = Check::of(vec![path.clone()]).map_err(|e| e.to_string())?;
        options = config::configured(&options, &BTreeSet::new()).map_err(|e| e.to_string())?;
        options.analysis.timeout.get_or_insert(PATIENCE);
        options.source.compile_commands = options.source.compile_commands.take().or_else(|| database(&path));
        options.source.texts = texts.iter().map(|(f, t)| (PathBuf::from(f), t.clone())).collect();
        options.source.remembered = Some(self.remembered.clone());
        let whole = options.source.compile_commands.is_some();
        let loaded = match input::load(if whole { &[] } else { &options.files }, &options.source) {
            // A database that does not know the file says nothing of it.
            Ok(loaded) if !whole || loaded.originals.iter().any(|(name, _)| same(name, &path)) => loaded,
            Ok(_) => {
                options.source.compile_commands = None;
                input::load(&options.files, &options.source).map_err(|e| e.to_string())?
            }
            Err(error) => return Err(error.to_string()),
        };
        let (mut program, diagnostics) = heapwise_frontend::compile(&loaded.units, loaded.model);
        input::add_originals(&mut program.sources, loaded.originals);
        let mut findings: Vec<Finding> = diagnostics.iter().map(Finding::from).collect();
        let plain = |report| Known {
            program: Program::new(loaded.model),
            report,
            findings: Vec::new(),
            cancelled: false,
        };
        if findings.iter().any(|f| f.severity == Severity::Error) {
            return Ok(Known { program, findings, ..plain(Arc::default()) });
        }
        let bare: Vec<&str> = loaded
            .units
            .iter()
            .flat_map(|u| u.text.lines().filter(|l| !l.starts_with('#')))
            .flat_map(str::split_whitespace)
            .collect();
        let bare = bare.join(" ");
        if let Some((_, report)) = self.proved.as_ref().filter(|(text, _)| *text == bare) {
            return Ok(Known { program, findings, ..plain(Arc::clone(report)) });
        }
        let declarations = match declare(&program, &[]) {
            Ok(declarations) => declarations,
            Err(errors) => return Err(errors.into_iter().map(|e| e.message).collect::<Vec<_>>().join("; ")),
        };
        let settings = Options {
            declarations,
            record_states: true,
            recheck: true,
            cancel: Some(Arc::clone(&cancel)),
            ..engine_options(&options.analysis)
        };
        let (report, found) = judged(&program, &settings);
        let cancelled = cancel.load(Ordering::Relaxed);
        if found.is_empty() && !cancelled {
            self.proved = Some((bare, Arc::clone(&report)));
        }
        findings.extend(found);
        let entries = document::entries(findings, &program.sources, None);
        let findings = entries.into_iter().filter(|e| e.is_shown()).map(|e| e.finding).collect();
        Ok(Known { program, report, findings, cancelled })
    }
}

fn same(name: &str, path: &Path) -> bool {
    std::path::absolute(name).is_ok_and(|n| n == path)
}

/// What there is to say of a program: from its entry, or of the functions with contracts.
fn judged(program: &Program, settings: &Options) -> (Arc<Report>, Vec<Finding>) {
    let defined = |name: &str| program.function_named(name).is_some_and(|f| program.body(f).is_some());
    if defined(&settings.entry) {
        let hunt = Hunt { first: 0, ..Hunt::default() };
        let (verdict, mut report) = check(program, settings, &hunt);
        if report.states.is_empty() {
            report = analyse(program, settings);
        }
        let findings = match &verdict {
            Verdict::Proved => Vec::new(),
            Verdict::Error(confirmed) => {
                let mut found = explain(confirmed, &drawn(confirmed));
                let Options { properties, entry, .. } = settings;
                found.path = Replay { program, confirmed, properties: *properties, entry }.notes();
                vec![found]
            }
            Verdict::Unknown(alarms) => alarms.iter().map(finding).collect(),
        };
        return (Arc::new(report), findings);
    }
    let mut all = Report::default();
    let mut findings = Vec::new();
    for function in settings.declarations.contracts.keys() {
        let Some(f) = program.functions.get(*function) else { continue };
        let settings = Options { function: Some(f.name.to_string()), ..settings.clone() };
        let report = analyse(program, &settings);
        findings.extend(report.alarms.iter().map(finding));
        if report.states.len() > all.states.len() {
            all = report;
        }
    }
    (Arc::new(all), findings)
}
