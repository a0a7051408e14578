//! `heapwise tvla`: runs a TVP program on TVS structures with the general three-valued engine.

use crate::exit::Exit;
use crate::options::{EmbeddingChoice, Format, JoinChoice, Tvla};
use crate::output;
use heapwise_tvl::domain::{Embedding, Join};
use heapwise_tvl::individuals::Incomplete;
use heapwise_tvl::lang::build::Spec;
use heapwise_tvl::lang::tvs::Unmentioned;
use heapwise_tvl::lang::{read_program, read_structures, tvs};
use heapwise_tvl::solver::{Options, Outcome, Solution, counts};
use heapwise_tvl::{bench, dot};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

impl From<EmbeddingChoice> for Embedding {
    fn from(choice: EmbeddingChoice) -> Embedding {
        match choice {
            EmbeddingChoice::Strict => Embedding::Strict,
            EmbeddingChoice::Loose => Embedding::Loose,
        }
    }
}

/// Runs the program and prints messages, structures and counts.
pub fn run(options: &Tvla) -> Exit {
    let (spec, solution, time) = match solve(options) {
        Ok(solved) => solved,
        Err(message) => {
            output::eprint(&format!("{message}\n"));
            return Exit::BadInput;
        }
    };
    if let Some(path) = &options.dot {
        let titled = spec.print.iter().flat_map(|&l| {
            let name = &spec.graph.locations[l];
            solution.sets[l].iter().map(move |s| (name.clone(), s))
        });
        if let Err(error) = std::fs::write(path, dot::graph(&spec.vocabulary, titled)) {
            output::error(&format!("cannot write {}: {error}", path.display()));
            return Exit::BadInput;
        }
    }
    output::print(&match options.format {
        Format::Text => text(&spec, &solution, time, options.structures),
        Format::Json => json(&spec, &solution, time),
    });
    if incomplete(&solution).is_none() && solution.messages.is_empty() { Exit::Proved } else { Exit::Unknown }
}

fn solve(options: &Tvla) -> Result<(Spec, Solution, Duration), String> {
    let read = |path: &Path| {
        // Names in comments are in whatever encoding their authors had.
        let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let directory = options.program.parent().map(Path::to_path_buf).unwrap_or_default();
    // Beside the including file, beside the program, in the given directories, then built in.
    let mut include = |name: &str, from: &str| {
        let beside = Path::new(from).parent().map(Path::to_path_buf).unwrap_or_default();
        let places = [beside, directory.clone()].into_iter().chain(options.include.iter().cloned());
        for path in places.map(|d: PathBuf| d.join(name)) {
            if let Some(path) = file_as_spelled(&path) {
                return Ok((path.display().to_string(), read(&path)?));
            }
        }
        bench::library(name)
            .map(|text| (name.to_string(), text.to_string()))
            .ok_or_else(|| "no such file".to_string())
    };
    let program = completed(&options.program, "tvp");
    let file = program.display().to_string();
    if program.extension().is_some_and(|e| e == "tvm") {
        return Err(format!("{file}:1:1: programs with threads (`.tvm`) are not run"));
    }
    let spec = read_program(&file, &read(&program)?, &mut include).map_err(|e| e.to_string())?;
    let input = completed(&options.input, "tvs");
    let file = input.display().to_string();
    let unmentioned = if options.evaluate { Unmentioned::Evaluate } else { Unmentioned::Zero };
    let initial = read_structures(&spec, &file, &read(&input)?, unmentioned, &mut include)
        .map_err(|e| e.to_string())?;
    let settings = Options {
        embedding: options.embedding.into(),
        join: match options.join {
            JoinChoice::Rel => Join::Relational,
            JoinChoice::Part => Join::Partial,
            JoinChoice::Max => Join::Maximal,
        },
        max_time: options.timeout.map(Duration::from_secs),
        drop_refuted: options.drop_refuted,
        ..Options::default()
    };
    let start = Instant::now();
    let solution = spec.run(&initial, &settings);
    Ok((spec, solution, start.elapsed()))
}

/// A file of this path, or of one that differs from it in capitals of the last part only.
fn file_as_spelled(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    let name = path.file_name()?;
    let directory = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut entries = std::fs::read_dir(directory).ok()?.flatten().map(|e| e.path());
    entries.find(|p| p.is_file() && p.file_name().is_some_and(|n| n.eq_ignore_ascii_case(name)))
}

/// A path as it is, or with the extension that may be left out.
fn completed(path: &Path, extension: &str) -> PathBuf {
    let longer = PathBuf::from(format!("{}.{extension}", path.display()));
    if !path.exists() && longer.exists() { longer } else { path.to_path_buf() }
}

fn incomplete(solution: &Solution) -> Option<&'static str> {
    match solution.outcome {
        Outcome::Fixpoint if solution.inconsistent.is_empty() => None,
        Outcome::Fixpoint => Some("an initial structure violates a rule"),
        Outcome::Structures => Some("too many structures"),
        Outcome::Time => Some("out of time"),
        Outcome::Incomplete(Incomplete::Individuals) => Some("a structure has too many individuals"),
        Outcome::Incomplete(Incomplete::Undecided) => {
            Some("which individuals an action creates or drops is indefinite; focus on the formula")
        }
        Outcome::Incomplete(Incomplete::Cases) => Some("an action makes too many cases of one structure"),
        Outcome::Refuted => Some("a structure violates a rule after an update"),
    }
}

fn text(spec: &Spec, solution: &Solution, time: Duration, structures: bool) -> String {
    let mut out = String::new();
    for m in &solution.messages {
        let certain = if m.certain { "" } else { "possibly: " };
        let _ = writeln!(out, "{}: {certain}{} [{}]", spec.graph.locations[m.location], m.text, m.action);
    }
    if let Some(at) = &spec.decomposition {
        let how = match solution.parts {
            0 => "the program is run on whole structures".to_string(),
            parts => format!("structures are cut into {parts} parts"),
        };
        let _ = writeln!(out, "{}:{}: note: {how}", at.file, at.line);
    }
    for (i, rule) in &solution.inconsistent {
        let _ = writeln!(out, "initial structure {} violates the rule {rule} and is left out", i + 1);
    }
    if let Some(r) = &solution.refuted {
        let (name, rule) = (&spec.graph.locations[r.location], &r.refutation.rule);
        let how = if solution.outcome == Outcome::Refuted { "stopped" } else { "dropped" };
        let structure = tvs::print(&spec.vocabulary, &r.refutation.structure);
        let _ = write!(
            out,
            "{name}: {how}: after the update of [{}] a structure violates the rule\n  {rule}\n{structure}",
            r.action
        );
    }
    for &l in &spec.print {
        let (name, set) = (&spec.graph.locations[l], &solution.sets[l]);
        if structures {
            for s in set.iter() {
                let _ = writeln!(out, "// {name}\n{}", tvs::print(&spec.vocabulary, s));
            }
        } else {
            let _ = writeln!(out, "{name}: {} structure{}", set.len(), if set.len() == 1 { "" } else { "s" });
        }
    }
    let c = counts(&solution.sets);
    let _ = writeln!(
        out,
        "{} locations, {} structures, {:.1} on average, {} at most; {} actions applied in {:.3} ms",
        c.locations,
        c.total,
        c.average,
        c.max,
        solution.steps,
        time.as_secs_f64() * 1e3
    );
    match incomplete(solution) {
        Some(reason) => {
            let _ = writeln!(out, "incomplete: {reason}");
        }
        None => {
            let _ =
                writeln!(out, "{}", if solution.messages.is_empty() { "no messages" } else { "messages" });
        }
    }
    out
}

fn json(spec: &Spec, solution: &Solution, time: Duration) -> String {
    let c = counts(&solution.sets);
    let messages: Vec<_> = solution
        .messages
        .iter()
        .map(|m| {
            serde_json::json!({
                "location": spec.graph.locations[m.location], "action": m.action, "text": m.text,
                "certain": m.certain, "structure": tvs::print(&spec.vocabulary, &m.structure),
            })
        })
        .collect();
    let locations: Vec<_> = spec
        .print
        .iter()
        .map(|&l| {
            let structures: Vec<String> =
                solution.sets[l].iter().map(|s| tvs::print(&spec.vocabulary, s)).collect();
            serde_json::json!({ "name": spec.graph.locations[l], "structures": structures })
        })
        .collect();
    let refuted = solution.refuted.as_ref().map(|r| {
        serde_json::json!({
            "location": spec.graph.locations[r.location], "action": r.action, "rule": r.refutation.rule,
            "structure": tvs::print(&spec.vocabulary, &r.refutation.structure),
        })
    });
    let inconsistent: Vec<_> = solution
        .inconsistent
        .iter()
        .map(|(i, rule)| serde_json::json!({ "initial": i + 1, "rule": rule }))
        .collect();
    let object = serde_json::json!({
        "refuted": refuted, "inconsistent": inconsistent, "messages": messages, "locations": locations, "incomplete": incomplete(solution),
        "counts": { "locations": c.locations, "total": c.total, "average": c.average, "max": c.max },
        "steps": solution.steps, "milliseconds": time.as_secs_f64() * 1e3,
    });
    format!("{object}\n")
}
