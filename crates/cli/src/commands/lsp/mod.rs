//! `heapwise lsp`: programs for the language server.
//!
//! [`place`] says which program a file belongs to. A program with `main` is checked as `heapwise check` does it; one without
//! function by function: against its contract, or a contract is looked for. What was found out about a program or function is kept
//! as long as nothing changes on which it depends ([`kept`]), and texts of the preprocessor are kept for files that did not change.
//!
//! Findings come first; states, contracts and what else a study brings afterwards.

mod kept;
mod place;

use super::check::{drawn, engine_options, explain, finding};
use super::contracts::{Judged as Sought, is_wanted};
use super::open_code::{judged, no_contract, said, verified};
use super::open_errors::Library;
use crate::exit::Exit;
use crate::input::{self, Loaded, Remembered};
use crate::options::{AnalysisOptions, Check};
use crate::{config, output};
use heapwise_engine::shapes::declare::{Declarations, ErrorPlace, ShapeFile, declare};
use heapwise_engine::{Hunt, Options, Verdict, analyse, check};
use heapwise_frontend::SourceUnit;
use heapwise_ir::{Annotation, DataModel, FuncId, Program, Severity};
use heapwise_lsp::{Contract, Flag, Judged, Study, Workshop, serve};
use heapwise_report::path::Replay;
use heapwise_report::{Finding, document};
use kept::{Fingerprint, Kept, Texts};
use place::Places;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long an editor waits at most, unless `heapwise.toml` says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a contract is looked for at most.
const SEARCH: Duration = Duration::from_secs(2);

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
    places: Places,
    /// Entries from which nothing goes wrong.
    proved: Kept<()>,
    /// Functions that keep their contracts.
    verified: Kept<()>,
    /// Contracts that were found, or why none was.
    found: Kept<Result<Clauses, String>>,
    /// The last program that was studied.
    studied: Option<(Fingerprint, Study)>,
}

/// A contract that was found: its clauses, and the predicates that they need.
#[derive(Clone, Debug)]
struct Clauses {
    clauses: String,
    predicates: Vec<String>,
}

/// What a study begins with.
struct Rest {
    settings: Options,
    texts: Texts,
    units: Vec<SourceUnit>,
    model: DataModel,
    /// Whether the program is there as a whole.
    is_whole: bool,
}

impl Workshop for Project {
    /// Nothing where the text is not C.
    type Rest = Option<Box<Rest>>;

    fn judge(
        &mut self,
        file: &str,
        texts: &BTreeMap<String, String>,
        abandoned: &Flag,
    ) -> Result<Judged<Self::Rest>, String> {
        let path = PathBuf::from(file);
        let mut options = Check::of(vec![path.clone()]).map_err(|e| e.to_string())?;
        options = config::configured(&options, &BTreeSet::new()).map_err(|e| e.to_string())?;
        options.analysis.timeout.get_or_insert(PATIENCE);
        options.source.texts = texts.iter().map(|(f, t)| (PathBuf::from(f), t.clone())).collect();
        options.source.remembered = Some(self.remembered.clone());
        let loaded = self.load(&path, &mut options, abandoned)?;
        let (mut program, diagnostics) = heapwise_frontend::compile(&loaded.units, loaded.model);
        input::add_originals(&mut program.sources, loaded.originals);
        program.member_bounds = !options.source.loose_members && options.analysis.spec.is_none();
        let mut findings: Vec<Finding> = diagnostics.iter().map(Finding::from).collect();
        if findings.iter().any(|f| f.severity == Severity::Error) {
            return Ok(Judged { program, findings, rest: None });
        }
        let declarations = match declared(&program, &options.analysis)? {
            Ok(declarations) => declarations,
            Err(wrong) => {
                findings.extend(wrong);
                return Ok(Judged { program, findings, rest: None });
            }
        };
        let settings = Options {
            declarations,
            cancel: Some(Arc::clone(abandoned)),
            abandoned: Some(Arc::clone(abandoned)),
            ..engine_options(&options.analysis)
        };
        let shapes = read_shapes(&options.analysis)?;
        let chosen = format!("{:?} {:?} {shapes:?}", options.analysis, loaded.model);
        let texts = Texts::new(&program, &loaded.units, &chosen);
        let defined = |name: &str| program.function_named(name).is_some_and(|f| program.body(f).is_some());
        let is_whole = defined(&settings.entry);
        let rest = Box::new(Rest { settings, texts, units: loaded.units, model: loaded.model, is_whole });
        if is_whole {
            let hunt = Hunt { runs: options.analysis.runs, ..Hunt::default() };
            let entries = std::iter::once(&options.analysis.entry).chain(&options.analysis.more_entries);
            for entry in entries {
                findings.extend(self.check_from(&program, entry, &rest, &hunt));
            }
        } else {
            findings.extend(self.check_functions(&program, &rest, abandoned));
        }
        let entries = document::entries(findings, &program.sources, None);
        let findings = entries.into_iter().filter(|e| e.is_shown()).map(|e| e.finding).collect();
        Ok(Judged { program, findings, rest: Some(rest) })
    }

    fn study(&mut self, program: &Program, rest: Self::Rest, abandoned: &Flag) -> Study {
        let Some(rest) = rest else { return Study::default() };
        let print = rest.texts.all();
        if let Some((_, study)) = self.studied.as_ref().filter(|(p, _)| *p == print) {
            return study.clone();
        }
        let mut study = Study::default();
        if rest.is_whole {
            let settings = Options { record_states: true, recheck: true, ..rest.settings.clone() };
            study.reports.push(Arc::new(analyse(program, &settings)));
        }
        let mut known: BTreeSet<String> = program.annotations.iter().map(|a| one_line(&a.text)).collect();
        for function in program.functions.indices().filter(|f| is_own(program, *f)) {
            if abandoned.load(Ordering::Relaxed) {
                return study;
            }
            self.study_function(program, &rest, function, &mut known, &mut study);
        }
        self.studied = Some((print, study.clone()));
        study
    }
}

impl Project {
    /// The texts of the program that a file belongs to.
    fn load(&mut self, path: &Path, options: &mut Check, abandoned: &Flag) -> Result<Loaded, String> {
        let source = &mut options.source;
        let database = source.compile_commands.take().or_else(|| place::database(path));
        if let Some(database) = database {
            let database = if database.is_dir() { database.join("compile_commands.json") } else { database };
            if let Some(files) = self.places.program(path, &database, source, abandoned)? {
                source.compile_commands = Some(database);
                return input::load(&files, source).map_err(|e| e.to_string());
            }
        }
        input::load(&options.files, source).map_err(|e| e.to_string())
    }

    /// What there is to say of a program that starts with a function.
    fn check_from(&mut self, program: &Program, entry: &str, rest: &Rest, hunt: &Hunt) -> Vec<Finding> {
        let print = program.function_named(entry).and_then(|f| rest.texts.of(program, f));
        if self.proved.get(print).is_some() {
            return Vec::new();
        }
        let settings = Options { entry: entry.to_owned(), ..rest.settings.clone() };
        let (verdict, _) = check(program, &settings, hunt);
        match &verdict {
            Verdict::Proved => {
                self.proved.put(print, ());
                Vec::new()
            }
            Verdict::Error(confirmed) => {
                let mut found = explain(confirmed, &drawn(confirmed));
                found.path = Replay { program, confirmed }.notes();
                vec![found]
            }
            Verdict::Unknown(alarms) => alarms.iter().map(finding).collect(),
        }
    }

    /// What there is to say of functions, each by itself.
    fn check_functions(&mut self, program: &Program, rest: &Rest, abandoned: &Flag) -> Vec<Finding> {
        let mut findings = Vec::new();
        for function in program.functions.indices().filter(|f| is_own(program, *f)) {
            if abandoned.load(Ordering::Relaxed) {
                break;
            }
            let declarations = &rest.settings.declarations;
            if declarations.contracts.contains_key(&function) {
                let print = rest.texts.of(program, function);
                if self.verified.get(print).is_some() {
                    continue;
                }
                let found = verified(program, declarations, function, &rest.settings).1;
                if found.is_empty() && !abandoned.load(Ordering::Relaxed) {
                    self.verified.put(print, ());
                }
                findings.extend(found);
            } else {
                findings.extend(self.contract(program, rest, function).1);
            }
        }
        findings
    }

    /// The contract of a function that has none, as it was found before or is found now, and what there is to say of it.
    fn contract(
        &mut self,
        program: &Program,
        rest: &Rest,
        function: FuncId,
    ) -> (Option<Clauses>, Vec<Finding>) {
        let print = rest.texts.of(program, function);
        let span = program.functions.get(function).map(|f| f.span).unwrap_or_default();
        let name = program.functions.get(function).map_or("", |f| &f.name);
        match self.found.get(print) {
            Some(Ok(clauses)) => return (Some(clauses), Vec::new()),
            Some(Err(why)) => return (None, vec![no_contract(name, &why, span)]),
            None => {}
        }
        let library = Library { units: &rest.units, model: rest.model, program, settings: &rest.settings };
        let end = Instant::now().checked_add(SEARCH);
        let Some(sought) = judged(&library, function, end) else { return (None, Vec::new()) };
        let clauses = clauses_of(&sought);
        // An error is shown with places, so it is looked for again.
        let answer = match (&clauses, &sought.inferred.why_not) {
            (Some(clauses), _) => Some(Ok(clauses.clone())),
            (None, Some(why)) if sought.findings.is_empty() => Some(Err(why.clone())),
            _ => None,
        };
        if let Some(answer) = answer.filter(|_| !is_set(&rest.settings.abandoned)) {
            self.found.put(print, answer);
        }
        (clauses, said(sought))
    }

    /// The contract of a function, and where no program is around it its states.
    fn study_function(
        &mut self,
        program: &Program,
        rest: &Rest,
        function: FuncId,
        known: &mut BTreeSet<String>,
        study: &mut Study,
    ) {
        let Some(f) = program.functions.get(function) else { return };
        let settings = Options { record_states: true, recheck: true, ..rest.settings.clone() };
        let declarations = &rest.settings.declarations;
        if declarations.contracts.contains_key(&function) {
            let text = |a: &Annotation| (a.function == Some(function)).then(|| one_line(&a.text));
            let text = program.annotations.iter().find_map(text).unwrap_or_default();
            study.contracts.insert(function, Contract { text, declared: true });
            if !rest.is_whole {
                let (report, _) = verified(program, declarations, function, &settings);
                study.reports.push(Arc::new(report));
            }
            return;
        }
        if *f.name == *rest.settings.entry {
            return;
        }
        let (Some(found), _) = self.contract(program, rest, function) else { return };
        if !rest.is_whole {
            let names: Vec<String> = parameter_names(program, function);
            let predicates = found.predicates.join("\n");
            let text = format!("{predicates}\ncontract {}({})\n{}", f.name, names.join(", "), found.clauses);
            let file = ShapeFile { name: String::new(), text, at_calls: false };
            let declarations = declare(program, &[file]);
            if let Ok(declarations) = declarations {
                let (report, _) = verified(program, &declarations, function, &settings);
                study.reports.push(Arc::new(report));
            }
        }
        // What the file declares already is not declared again.
        let is_new = |p: &&String| !known.iter().any(|text| text.contains(&one_line(p)));
        let new: Vec<String> = found.predicates.iter().filter(is_new).cloned().collect();
        let text = new.iter().map(|p| format!("{p}\n")).collect::<String>() + &found.clauses;
        study.contracts.insert(function, Contract { text, declared: false });
    }
}

/// Whether a function is defined in the user's own files.
fn is_own(program: &Program, function: FuncId) -> bool {
    program.body(function).is_some() && is_wanted(program, &[], function)
}

/// Whether nobody waits for the answer any more: it may be that of an analysis that was ended early.
fn is_set(flag: &Option<Flag>) -> bool {
    flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

fn parameter_names(program: &Program, function: FuncId) -> Vec<String> {
    let Some(body) = program.body(function) else { return Vec::new() };
    let name = |p: &heapwise_ir::LocalId| {
        body.locals.get(*p).and_then(|l| l.name.as_deref()).unwrap_or("_").to_owned()
    };
    body.params.iter().map(name).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn clauses_of(sought: &Sought) -> Option<Clauses> {
    let first = sought.inferred.contracts.first()?;
    Some(Clauses { clauses: first.clauses(), predicates: first.predicates.clone() })
}

/// The files with shapes and contracts that the settings name.
fn read_shapes(analysis: &AnalysisOptions) -> Result<Vec<ShapeFile>, String> {
    let shapes = analysis.shapes.iter().map(|path| (path, false));
    let all = shapes.chain(analysis.contracts.iter().map(|path| (path, true)));
    all.map(|(path, at_calls)| {
        let text = input::read_text(path).map_err(|e| e.to_string())?;
        Ok(ShapeFile { name: path.display().to_string(), text, at_calls })
    })
    .collect()
}

/// What is declared in comments and shape files, or what is wrong with it. An error in a shape file is one of the settings.
fn declared(
    program: &Program,
    analysis: &AnalysisOptions,
) -> Result<Result<Declarations, Vec<Finding>>, String> {
    let errors = match declare(program, &read_shapes(analysis)?) {
        Ok(declarations) => return Ok(Ok(declarations)),
        Err(errors) => errors,
    };
    let mut findings = Vec::new();
    for e in errors {
        match e.place {
            ErrorPlace::File(name, line, column) => {
                return Err(format!("{name}:{line}:{column}: error[shape-syntax]: {}", e.message));
            }
            ErrorPlace::Program(span) => {
                findings.push(Finding::new(Severity::Error, "shape-syntax", e.message, span));
            }
        }
    }
    Ok(Err(findings))
}
