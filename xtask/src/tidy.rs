//! Tidiness, as a test: what a reviewer should not have to look for.
//!
//! - every Rust file starts with a `//!` page and has at most [`MAX_LINES`] lines;
//! - no file holds words that mean unfinished work or a developer's own directories;
//! - library crates do not touch files, processes or the environment;
//! - every code that a diagnostic may carry is described in `docs/diagnostics.md`;
//! - crates depend on each other only as `ARCHITECTURE.md` allows;
//! - the modules of some crates do not import each other in a circle.

use crate::{TaskResult, cycles};
use heapwise_property::{ErrorKind, Reason};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Longest Rust file.
const MAX_LINES: usize = 1000;

/// Which crates of the workspace each crate may use, dev-dependencies aside.
const MAY_USE: &[(&str, &[&str])] = &[
    ("heapwise-ir", &[]),
    ("heapwise-frontend", &["heapwise-ir"]),
    ("heapwise-property", &["heapwise-ir"]),
    ("heapwise-interp", &["heapwise-ir", "heapwise-property"]),
    ("heapwise-hunt", &["heapwise-ir", "heapwise-property", "heapwise-interp"]),
    ("heapwise-numeric", &[]),
    ("heapwise-heap", &["heapwise-ir", "heapwise-numeric"]),
    ("heapwise-fixpoint", &["heapwise-ir", "heapwise-property"]),
    ("heapwise-tvl", &["heapwise-property"]),
    (
        "heapwise-tvl-c",
        &["heapwise-ir", "heapwise-numeric", "heapwise-property", "heapwise-fixpoint", "heapwise-tvl"],
    ),
    ("heapwise-klimited", &["heapwise-ir", "heapwise-property", "heapwise-numeric", "heapwise-fixpoint"]),
    (
        "heapwise-engine",
        &[
            "heapwise-ir",
            "heapwise-property",
            "heapwise-hunt",
            "heapwise-numeric",
            "heapwise-heap",
            "heapwise-fixpoint",
        ],
    ),
    (
        "heapwise-report",
        &[
            "heapwise-ir",
            "heapwise-property",
            "heapwise-interp",
            "heapwise-hunt",
            "heapwise-heap",
            "heapwise-engine",
        ],
    ),
    ("heapwise-lsp", &["heapwise-ir", "heapwise-heap", "heapwise-engine", "heapwise-report"]),
];

/// The crates that may touch the world: the command line and those for developers.
const TOP: &[&str] = &["heapwise-cli", "heapwise-bench", "xtask"];

/// The crates whose modules do not import each other in a circle.
const ACYCLIC: &[&str] = &["engine", "heap"];

/// Prints all problems.
pub fn run(root: &Path) -> TaskResult {
    let problems = problems(root)?;
    for problem in &problems {
        println!("{problem}");
    }
    println!("tidy: {} problems", problems.len());
    Ok(problems.is_empty())
}

/// All problems of the tree at `root`.
fn problems(root: &Path) -> Result<Vec<String>, String> {
    let files = tracked_files(root)?;
    let mut problems = Vec::new();
    for path in &files {
        let is_code = has_extension(path, &["rs"]);
        if !is_code && !has_extension(path, &["c", "h", "md", "toml", "yml"]) {
            continue;
        }
        let text =
            std::fs::read_to_string(root.join(path)).map_err(|e| format!("{}: {e}", path.display()))?;
        problems.extend(forbidden_words(path, &text));
        if is_code {
            problems.extend(shape(path, &text));
            problems.extend(side_effects(path, &text));
        }
    }
    let page = std::fs::read_to_string(root.join("docs/diagnostics.md")).unwrap_or_default();
    problems.extend(undocumented_codes(&codes(root, &files)?, &page));
    problems.extend(dependencies(root)?);
    for krate in ACYCLIC {
        problems.extend(cycles::problems(root, krate, &files)?);
    }
    Ok(problems)
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension().is_some_and(|e| wanted.iter().any(|w| e == *w))
}

/// The files under version control, so that scratch files do not count; all files if there is no repository.
fn tracked_files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let git = Command::new("git").current_dir(root).args(["ls-files", "-co", "--exclude-standard"]).output();
    if let Ok(output) = git
        && output.status.success()
    {
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        let exists = |path: &PathBuf| root.join(path).is_file();
        return Ok(names.lines().map(PathBuf::from).filter(exists).collect());
    }
    let mut files = Vec::new();
    let mut work = vec![PathBuf::new()];
    while let Some(dir) = work.pop() {
        let entries = std::fs::read_dir(root.join(&dir)).map_err(|e| format!("{}: {e}", dir.display()))?;
        for entry in entries.flatten() {
            let path = dir.join(entry.file_name());
            match entry.file_type() {
                Ok(t) if t.is_dir() && entry.file_name() != "target" => work.push(path),
                Ok(t) if t.is_file() => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Header and size of a Rust file.
fn shape(path: &Path, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let name = path.display();
    if !text.starts_with("//!") && !text.starts_with("#![no_main]") {
        problems.push(format!("{name}:1: does not start with a `//!` page"));
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        problems.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
    if path.file_stem().is_some_and(|s| s == "utils" || s == "util" || s == "helpers") {
        problems.push(format!("{name}: a module name that says nothing"));
    }
    problems
}

/// Words that mean unfinished work, or somebody's own machine.
fn forbidden_words(path: &Path, text: &str) -> Vec<String> {
    // Put together here, so that this file may hold them.
    let words = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[", "ignore"),
        concat!("dbg", "!("),
        concat!("FIX", "ME"),
        // A long list of parameters is a structure without a name.
        concat!("too_many_", "arguments"),
        concat!("/wo", "rk/"),
        concat!("/ho", "me/"),
    ];
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in words {
            if line.contains(word) {
                problems.push(format!("{}:{}: holds `{word}`", path.display(), number + 1));
            }
        }
    }
    problems
}

/// Library crates compute; they do not read, write, start or look around.
fn side_effects(path: &Path, text: &str) -> Vec<String> {
    let parts: Vec<String> = path.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    let [first, name, src, ..] = parts.as_slice() else { return Vec::new() };
    let library = first == "crates" && src == "src" && !["cli", "bench"].contains(&name.as_str());
    if !library || path.ends_with("tests.rs") || parts.iter().any(|p| p == "tests") {
        return Vec::new();
    }
    let mut problems = Vec::new();
    // Unit tests stand at the end of a file.
    for (number, line) in text.lines().enumerate().take_while(|(_, l)| l.trim() != "#[cfg(test)]") {
        for what in ["std::fs", "std::process", "std::env", "std::net"] {
            if line.contains(what) && !line.trim_start().starts_with("//") {
                problems.push(format!("{}:{}: a library crate uses `{what}`", path.display(), number + 1));
            }
        }
    }
    problems
}

/// The codes that diagnostics of the front end, errors of the interpreter and input errors may carry.
fn codes(root: &Path, files: &[PathBuf]) -> Result<BTreeSet<String>, String> {
    let mut codes: BTreeSet<String> = ErrorKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    codes.extend(Reason::ALL.iter().map(|reason| reason.name().to_owned()));
    for path in files {
        let name = path.to_string_lossy();
        let emits = ["crates/frontend/src", "crates/cli/src"].iter().any(|dir| name.starts_with(dir));
        let is_test = name.ends_with("tests.rs") || name.contains("/tests/");
        if emits && name.ends_with(".rs") && !is_test {
            let text = std::fs::read_to_string(root.join(path)).map_err(|e| format!("{name}: {e}"))?;
            let code_end = text.find("#[cfg(test)]").unwrap_or(text.len());
            codes.extend(code_literals(&text[..code_end]));
        }
    }
    Ok(codes)
}

/// String literals that look like a code: small words joined by hyphens.
fn code_literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text
        .lines()
        .filter(|l| !l.trim_start().starts_with("//") && !l.contains("arg(") && !l.contains("serde("))
    {
        let named = line.split_once("code: \"").and_then(|(_, rest)| rest.split('"').next());
        let plain = line.replace("'\"'", "''").replace("\\\"", "");
        for literal in plain.split('"').skip(1).step_by(2) {
            let words: Vec<&str> = literal.split('-').collect();
            let is_word =
                |w: &&str| !w.is_empty() && w.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
            if (words.len() > 1 || named == Some(literal)) && words.iter().all(is_word) {
                found.push(literal.to_owned());
            }
        }
    }
    found
}

fn undocumented_codes(codes: &BTreeSet<String>, page: &str) -> Vec<String> {
    let described = |code: &&String| page.contains(&format!("`{code}`"));
    codes
        .iter()
        .filter(|c| !described(c))
        .map(|code| format!("docs/diagnostics.md: does not describe `{code}`"))
        .collect()
}

/// Which crates use which, compared with [`MAY_USE`].
fn dependencies(root: &Path) -> Result<Vec<String>, String> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()
        .map_err(|e| format!("cargo metadata: {e}"))?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    let mut problems = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        if TOP.contains(&name) {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(n, _)| *n == name) else {
            problems.push(format!("crate `{name}` has no place in the architecture (xtask/src/tidy.rs)"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            let internal = dependency["path"].is_string() && dependency["kind"].as_str() != Some("dev");
            if internal && !allowed.contains(&used) {
                problems.push(format!("crate `{name}` must not use `{used}`"));
            }
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let problems = problems(&crate::root()).expect("the tree can be read");
        assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    }

    #[test]
    fn each_rule_can_fail() {
        let file = Path::new("crates/heap/src/utils.rs");
        assert_eq!(shape(file, &"x\n".repeat(1001)).len(), 3);
        assert_eq!(forbidden_words(file, concat!("a\n  todo", "!()\n")).len(), 1);
        assert_eq!(side_effects(file, "use std::fs;\n// std::process\n#[cfg(test)]\nuse std::env;").len(), 1);
        assert!(side_effects(Path::new("crates/cli/src/main.rs"), "use std::fs;").is_empty());
        let codes = code_literals("x(\"unknown-type\", \"a b-c\", \"-x\", \"single\", \"a-1-b\")");
        assert_eq!(codes, ["unknown-type", "a-1-b"]);
        assert_eq!(code_literals("    code: \"syntax\","), ["syntax"]);
        let codes = codes.into_iter().collect();
        assert_eq!(undocumented_codes(&codes, "`a-1-b`: …").len(), 1);
    }
}
