//! `heapwise.toml`: the settings of a project.
//!
//! The file is looked for beside the first input and in the directories above it. What the command line says wins; paths in the
//! file are relative to the file. Unknown names are refused with their place, so that a mistyped setting does not go unnoticed.

use crate::input::{self, InputError};
use crate::options::{Check, Domain, Source};
use clap::ValueEnum;
use heapwise_property::{Property, Spec};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the file.
pub const NAME: &str = "heapwise.toml";

/// The settings of a project.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// How to analyse.
    #[serde(default)]
    pub check: CheckTable,
    /// Where the program comes from.
    #[serde(default)]
    pub input: InputTable,
    /// How to report.
    #[serde(default)]
    pub report: ReportTable,
    /// The directory of the file.
    #[serde(skip)]
    pub directory: PathBuf,
}

/// `[check]`.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CheckTable {
    /// Functions to start from.
    pub entries: Option<Vec<String>>,
    /// Properties to check.
    pub properties: Option<Vec<toml::Spanned<String>>>,
    /// A property of the software-verification competition.
    pub spec: Option<toml::Spanned<String>>,
    /// How memory is described.
    pub domain: Option<toml::Spanned<String>>,
    /// Shape files.
    pub shapes: Option<Vec<PathBuf>>,
    /// Seconds.
    pub timeout: Option<toml::Spanned<f64>>,
    /// Megabytes.
    pub max_memory: Option<u64>,
    /// Disjuncts at a point.
    pub max_disjuncts: Option<usize>,
    /// Concrete runs.
    pub runs: Option<u64>,
    /// Whether allocations may fail.
    pub malloc_may_fail: Option<bool>,
    /// Whether unknown functions change nothing.
    pub trust_unknown_calls: Option<bool>,
}

/// `[input]`.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InputTable {
    /// Flags for the preprocessor.
    pub flags: Option<Vec<String>>,
    /// `LP64` or `ILP32`.
    pub model: Option<toml::Spanned<String>>,
    /// The compilation database, used where no files are named.
    pub compile_commands: Option<PathBuf>,
    /// Files of the compilation database below these paths are left out.
    pub exclude: Option<Vec<PathBuf>>,
}

/// `[report]`.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReportTable {
    /// The file of what is known.
    pub baseline: Option<PathBuf>,
    /// Most findings that are shown.
    pub max_findings: Option<usize>,
}

/// The options of a check with the settings of its project; `given` are those of the command line.
pub fn configured(options: &Check, given: &BTreeSet<String>) -> Result<Check, InputError> {
    let mut options = options.clone();
    let path = match &options.config {
        Some(path) => Some(path.clone()),
        None if options.no_config => None,
        None => find(start(&options.files, &options.source)),
    };
    let Some(path) = path else { return Ok(options) };
    let config = read(&path)?;
    apply(&mut options, &config, &path, given)?;
    Ok(options)
}

/// Where the search begins.
fn start(files: &[PathBuf], source: &Source) -> PathBuf {
    let beside = |p: &PathBuf| p.parent().map(Path::to_path_buf);
    let first = files.first().and_then(beside).or_else(|| source.compile_commands.as_ref().and_then(beside));
    std::path::absolute(first.filter(|p| p != Path::new("")).unwrap_or_else(|| ".".into()))
        .unwrap_or_else(|_| ".".into())
}

/// The nearest file at or above a directory.
pub fn find(directory: PathBuf) -> Option<PathBuf> {
    directory.ancestors().map(|d| d.join(NAME)).find(|p| p.is_file())
}

/// Reads the settings.
pub fn read(path: &Path) -> Result<Config, InputError> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        let code = if e.kind() == std::io::ErrorKind::NotFound { "no-such-file" } else { "unreadable" };
        InputError::at(path, code, format!("cannot be read: {e}"))
    })?;
    let mut config: Config =
        toml::from_str(&text).map_err(|e| wrong(path, &text, e.span().unwrap_or(0..0), e.message()))?;
    config.directory = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let check = &config.check;
    for name in check.properties.iter().flatten() {
        if Property::named(name.as_ref()).is_none() {
            let all: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
            let message = format!("there is no property `{}`; there are {}", name.as_ref(), all.join(", "));
            return Err(wrong(path, &text, name.span(), &message));
        }
    }
    if let Some(name) = check.spec.as_ref().filter(|n| Spec::named(n.as_ref()).is_none()) {
        let all: Vec<&str> = Spec::ALL.iter().map(|s| s.name()).collect();
        let message = format!("there is no property `{}`; there are {}", name.as_ref(), all.join(", "));
        return Err(wrong(path, &text, name.span(), &message));
    }
    if let Some(name) = check.domain.as_ref().filter(|n| Domain::from_str(n.as_ref(), true).is_err()) {
        let message = format!("there is no domain `{}`; there are sep, tvl, klimited", name.as_ref());
        return Err(wrong(path, &text, name.span(), &message));
    }
    if let Some(t) = check.timeout.as_ref().filter(|t| Duration::try_from_secs_f64(*t.as_ref()).is_err()) {
        return Err(wrong(path, &text, t.span(), "not a possible number of seconds"));
    }
    if let Some(name) = config.input.model.as_ref().filter(|n| !["LP64", "ILP32"].contains(&&**n.as_ref())) {
        let message = format!("there is no data model `{}`; there are LP64, ILP32", name.as_ref());
        return Err(wrong(path, &text, name.span(), &message));
    }
    Ok(config)
}

fn wrong(path: &Path, text: &str, span: Range<usize>, message: &str) -> InputError {
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    let place = format!("{}:{line}:{column}", path.display());
    InputError::new(place, "bad-config", message.trim().replace('\n', " "))
}

fn apply(
    options: &mut Check,
    config: &Config,
    path: &Path,
    given: &BTreeSet<String>,
) -> Result<(), InputError> {
    let free = |name: &str| !given.contains(name);
    let inside = |p: &PathBuf| config.directory.join(p);
    let (check, analysis) = (&config.check, &mut options.analysis);
    if let Some([first, rest @ ..]) = check.entries.as_deref()
        && free("entry")
        && free("function")
    {
        analysis.entry = first.clone();
        analysis.more_entries = rest.to_vec();
    }
    if let Some(names) = &check.properties
        && free("property")
        && free("spec")
    {
        analysis.property = names.iter().filter_map(|n| Property::named(n.as_ref())).collect();
    }
    if let Some(name) = &check.spec
        && free("property")
        && free("spec")
    {
        if check.properties.is_some() {
            let message = "`check.spec` and `check.properties` exclude each other";
            return Err(InputError::at(path, "bad-config", message));
        }
        analysis.spec = Spec::named(name.as_ref());
    }
    if let Some(name) = &check.domain
        && free("domain")
    {
        options.domain = Domain::from_str(name.as_ref(), true).unwrap_or_default();
    }
    if let Some(files) = &check.shapes
        && free("shapes")
    {
        analysis.shapes = files.iter().map(inside).collect();
    }
    if let Some(seconds) = check.timeout.as_ref().map(|t| *t.as_ref()).filter(|_| free("timeout")) {
        analysis.timeout = Duration::try_from_secs_f64(seconds).ok();
    }
    if free("max_memory") {
        analysis.max_memory = check.max_memory.or(analysis.max_memory);
    }
    if let Some(n) = check.max_disjuncts.filter(|_| free("max_disjuncts")) {
        analysis.max_disjuncts = n.max(1);
    }
    if let Some(n) = check.runs.filter(|_| free("runs")) {
        analysis.runs = n;
    }
    analysis.malloc_may_fail |= check.malloc_may_fail == Some(true);
    analysis.trust_unknown_calls |= check.trust_unknown_calls == Some(true);
    apply_input(&mut options.source, &mut options.files, config, given);
    if let Some(file) = &config.report.baseline
        && free("baseline")
        && free("write_baseline")
    {
        options.baseline = Some(inside(file));
    }
    if let Some(n) = config.report.max_findings.filter(|_| free("max_findings")) {
        options.max_findings = n;
    }
    Ok(())
}

/// Takes over where the program comes from.
pub fn apply_input(source: &mut Source, files: &mut [PathBuf], config: &Config, given: &BTreeSet<String>) {
    let input = &config.input;
    let inside = |p: &PathBuf| config.directory.join(p);
    // Relative directories are those of the file.
    let flag = |f: &String| match f.strip_prefix("-I").filter(|d| !d.is_empty() && Path::new(d).is_relative())
    {
        Some(d) => format!("-I{}", config.directory.join(d).display()).into(),
        None => f.into(),
    };
    if let Some(flags) = &input.flags {
        let own = std::mem::take(&mut source.cpp_flags);
        source.cpp_flags = flags.iter().map(flag).chain(own).collect();
    }
    if let Some(model) = &input.model
        && !given.contains("m32")
        && !given.contains("m64")
    {
        (source.m32, source.m64) = (model.as_ref() == "ILP32", model.as_ref() == "LP64");
    }
    if let Some(database) = &input.compile_commands
        && source.compile_commands.is_none()
        && files.is_empty()
    {
        source.compile_commands = Some(inside(database));
    }
    source.exclude = input.exclude.iter().flatten().map(inside).collect();
}

/// Reads a baseline.
pub fn read_baseline(path: &Path) -> Result<heapwise_report::baseline::Baseline, InputError> {
    let text = input::read_text(path)?;
    heapwise_report::baseline::Baseline::parse(&text).map_err(|e| {
        InputError::new(format!("{}:{}:{}", path.display(), e.line, e.column), "bad-baseline", e.message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Cli, Command};

    fn configured_with(line: &str, text: &str) -> Result<Check, InputError> {
        let directory = std::env::temp_dir().join(format!("heapwise-config-{}", std::process::id()));
        let _ = std::fs::create_dir_all(&directory);
        let name = format!("{:x}.toml", text.len() * 31 + line.len());
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        let cli = Cli::parse_line(line.split(' ').map(Into::into)).unwrap();
        let Command::Check(mut check) = cli.command else { panic!("not a check") };
        check.config = Some(path);
        configured(&check, &cli.given)
    }

    #[test]
    fn the_command_line_wins() {
        let text = "[check]\nentries = [\"start\", \"other\"]\ntimeout = 2.5\nruns = 7\n\
                    [input]\nflags = [\"-Iinc\", \"-DX\"]\nmodel = \"ILP32\"\n";
        let c = configured_with("heapwise check --timeout 9 a.c -- -DY", text).unwrap();
        assert_eq!((c.analysis.entry.as_str(), c.analysis.more_entries.len()), ("start", 1));
        assert_eq!((c.analysis.timeout, c.analysis.runs), (Some(Duration::from_secs(9)), 7));
        assert!(c.source.m32 && c.source.cpp_flags.len() == 3);
        assert!(c.source.cpp_flags[0].to_string_lossy().ends_with("inc"));
        assert_eq!(configured_with("heapwise check --m64 --entry f a.c", text).unwrap().analysis.entry, "f");
    }

    #[test]
    fn mistakes_have_a_place() {
        let place = |text: &str| configured_with("heapwise check a.c", text).unwrap_err();
        let e = place("[check]\ntime-out = 3\n");
        assert!(e.place.ends_with(":2:1") && e.message.contains("time-out"), "{e}");
        let e = place("[check]\nproperties = [\"deref\", \"speed\"]\n");
        assert!(e.place.ends_with(":2:24") && e.message.contains("no property `speed`"), "{e}");
        assert!(place("[check\n").place.contains(":1:"));
        assert!(place("[input]\nmodel = \"M16\"").message.contains("no data model"));
    }
}
