//! Import cycles among the modules of a crate.
//!
//! A module is a file or folder right under `src`. It depends on another one if its code names a path `crate::other::…`, or
//! lists `other` in `use crate::{…}`. What only tests name does not count. Code is read as text: comments and literals are left
//! out, macros are not expanded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Which modules the code of each module names.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The import cycles of a crate whose files are among these: one sentence each.
pub fn problems(root: &Path, krate: &str, files: &[PathBuf]) -> Result<Vec<String>, String> {
    let src = Path::new("crates").join(krate).join("src");
    let mut graph = Graph::new();
    for path in files.iter().filter(|p| p.starts_with(&src) && p.extension().is_some_and(|e| e == "rs")) {
        let Some(module) = module_of(path, &src) else { continue };
        let text =
            std::fs::read_to_string(root.join(path)).map_err(|e| format!("{}: {e}", path.display()))?;
        graph.entry(module).or_default().extend(named(&text));
    }
    let told = |cycle: Vec<String>| format!("{}: import cycle {}", src.display(), cycle.join(" → "));
    Ok(cycle(&graph).map(told).into_iter().collect())
}

/// The module that a file is of; none for the crate's root and for files of tests.
fn module_of(path: &Path, src: &Path) -> Option<String> {
    let inner = path.strip_prefix(src).ok()?;
    if path.file_stem().is_some_and(|s| s == "tests") {
        return None;
    }
    let first = inner.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib" && name != "main").then(|| name.to_owned())
}

/// The modules of the crate that code names outside of tests.
fn named(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|l| l.split("//").next().unwrap_or_default());
    let code: String = lines.collect::<Vec<_>>().join(" ");
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let before = code.get(..at).and_then(|b| b.chars().next_back());
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = code.get(at + "crate::".len()..).unwrap_or_default();
        match rest.strip_prefix('{') {
            Some(list) => found.extend(listed(list)),
            None => found.extend(identifier(rest)),
        }
    }
    // Types and functions that the root hands on are no modules.
    found.retain(|name| name.chars().next().is_some_and(char::is_lowercase));
    found
}

/// The name that a text starts with.
fn identifier(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// The first names of the paths in a list, up to the brace that closes it.
fn listed(text: &str) -> Vec<String> {
    let (mut depth, mut start, mut found) = (0, true, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => start = true,
            _ if c.is_whitespace() => {}
            _ if start => {
                found.extend(text.get(at..).and_then(identifier));
                start = false;
            }
            _ => {}
        }
    }
    found
}

/// A cycle of a graph, if there is one; the first module is told again at the end.
fn cycle(graph: &Graph) -> Option<Vec<String>> {
    fn visit(at: &str, graph: &Graph, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        if let Some(i) = way.iter().position(|m| m == at) {
            way.drain(..i);
            way.push(at.to_owned());
            return true;
        }
        if !done.contains(at) {
            way.push(at.to_owned());
            let next = graph.get(at).into_iter().flatten().filter(|m| *m != at && graph.contains_key(*m));
            if next.into_iter().any(|m| visit(m, graph, way, done)) {
                return true;
            }
            way.pop();
            done.insert(at.to_owned());
        }
        false
    }
    let (mut way, mut done) = (Vec::new(), BTreeSet::new());
    graph.keys().any(|m| visit(m, graph, &mut way, &mut done)).then_some(way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_lists_name_modules_and_tests_do_not() {
        let text = "use crate::a::X;\nuse crate::{b::{Y, z}, c};\n// crate::no\nfn f() { crate::d::g() }\n\
                    use other_crate::e;\nuse crate::Name;\n#[cfg(test)]\nmod t { use crate::f; }";
        let all: Vec<String> = named(text).into_iter().collect();
        assert_eq!(all, ["a", "b", "c", "d"]);
    }

    #[test]
    fn cycles_are_found_and_only_these() {
        let graph = |edges: &[(&str, &str)]| {
            let mut all = Graph::new();
            for (a, b) in edges {
                all.entry((*a).into()).or_default().insert((*b).into());
                all.entry((*b).into()).or_default();
            }
            all
        };
        assert_eq!(cycle(&graph(&[("a", "b"), ("a", "c"), ("b", "c"), ("c", "c")])), None);
        let found = cycle(&graph(&[("a", "b"), ("b", "c"), ("c", "b")])).expect("b and c");
        assert_eq!(found, ["b", "c", "b"]);
    }

    #[test]
    fn files_belong_to_what_stands_right_under_src() {
        let src = Path::new("crates/x/src");
        let of = |name: &str| module_of(&src.join(name), src);
        assert_eq!(of("a/b/c.rs").as_deref(), Some("a"));
        assert_eq!(of("a.rs").as_deref(), Some("a"));
        assert_eq!((of("lib.rs"), of("a/tests.rs")), (None, None));
    }
}
