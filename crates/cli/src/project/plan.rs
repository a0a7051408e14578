//! Which files make which program.
//!
//! Link steps say it: their objects are those that the commands of the database write, and of an archive the files are taken
//! that define what is needed, as a linker does. Without link steps, a program is a file with `main` and, again and again, a file that
//! defines a name that is needed and not defined yet; among several, one without `main` that
//! defines nothing twice and lies closest.

use super::units::Unit;
use crate::input::compile_commands::LinkStep;
use crate::options::Source;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A program: its name and the numbers of its units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executable {
    /// The name of what the link step writes, or the file with `main`.
    pub name: String,
    /// Its units.
    pub units: Vec<usize>,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// What is checked.
    pub executables: Vec<Executable>,
    /// Units that belong to no program.
    pub rest: Vec<usize>,
}

impl Plan {
    /// The files of no program that have functions, each for itself.
    pub fn libraries(&self, units: &[Unit]) -> Vec<Executable> {
        let is_library = |u: &Unit| u.failure.is_none() && !u.has_main() && u.functions > 0;
        let rest = self.rest.iter().filter_map(|i| units.get(*i).map(|u| (*i, u)));
        rest.filter(|(_, u)| is_library(u))
            .map(|(i, u)| Executable { name: shown(&u.file), units: vec![i] })
            .collect()
    }
}

/// A path in a form that can be compared.
pub fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

/// The programs of a project. An error says what is wrong with `--link`.
pub fn programs(units: &[Unit], links: &[LinkStep], source: &Source) -> Result<Plan, String> {
    let mut executables = Vec::new();
    for text in &source.link {
        executables.push(asked_for(units, text)?);
    }
    if executables.is_empty() {
        executables.extend(links.iter().filter_map(|step| linked(units, step)));
    }
    let covered: BTreeSet<usize> = executables.iter().flat_map(|e| e.units.iter().copied()).collect();
    // Programs without a link step.
    if source.link.is_empty() {
        for (i, unit) in units.iter().enumerate() {
            if unit.has_main() && !covered.contains(&i) {
                executables.push(Executable { name: shown(&unit.file), units: closure(units, vec![i]) });
            }
        }
    }
    executables.dedup_by(|a, b| a.units == b.units);
    if let Some(main) = &source.main {
        let wanted = absolute(main);
        let is_wanted =
            |i: &usize| units.get(*i).is_some_and(|u| u.has_main() && absolute(&u.file) == wanted);
        executables.retain(|e| e.units.iter().any(is_wanted));
    }
    let used: BTreeSet<usize> = executables.iter().flat_map(|e| e.units.iter().copied()).collect();
    let rest = match source.main {
        Some(_) => Vec::new(),
        None => (0..units.len()).filter(|i| !used.contains(i)).collect(),
    };
    Ok(Plan { executables, rest })
}

/// A path as it is shown: from the current directory on, if it is below.
pub fn shown(path: &Path) -> String {
    let below = std::env::current_dir().ok().and_then(|d| path.strip_prefix(d).ok().map(Path::to_path_buf));
    below.unwrap_or_else(|| path.to_path_buf()).display().to_string()
}

/// What `--link NAME=FILE,FILE` asks for.
fn asked_for(units: &[Unit], text: &str) -> Result<Executable, String> {
    let Some((name, files)) = text.split_once('=') else {
        return Err(format!("`{text}` is not of the form NAME=FILE,FILE"));
    };
    let mut list = Vec::new();
    for file in files.split(',').filter(|f| !f.is_empty()) {
        let wanted = absolute(Path::new(file));
        match units.iter().position(|u| absolute(&u.file) == wanted) {
            Some(i) => list.push(i),
            None => return Err(format!("the compilation database has no file `{file}`")),
        }
    }
    Ok(Executable { name: name.to_owned(), units: list })
}

/// The program of a link step; nothing if it has no `main`, as for shared libraries.
fn linked(units: &[Unit], step: &LinkStep) -> Option<Executable> {
    let is = |unit: &Unit, path: &Path| unit.object.as_deref() == Some(path) || unit.file == path;
    let given = |path: &PathBuf| units.iter().position(|u| u.failure.is_none() && is(u, path));
    let direct: Vec<usize> = step.inputs.iter().filter_map(given).collect();
    let has_archive = step.inputs.iter().any(|p| p.extension().is_some_and(|e| e == "a"));
    let list = if has_archive { closure(units, direct) } else { direct };
    let has_main = list.iter().any(|i| units.get(*i).is_some_and(Unit::has_main));
    has_main.then(|| Executable { name: shown(&step.output), units: list })
}

/// Adds files that define what is needed until nothing more is found.
fn closure(units: &[Unit], start: Vec<usize>) -> Vec<usize> {
    let mut list = start;
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    let mut strong: BTreeSet<&str> = BTreeSet::new();
    let mut done = 0;
    let home = list.first().and_then(|i| units.get(*i)).and_then(|u| u.file.parent().map(Path::to_path_buf));
    for unit in list.iter().filter_map(|i| units.get(*i)) {
        defined.extend(unit.defines.iter().map(String::as_str));
        strong.extend(unit.strong.iter().map(String::as_str));
    }
    while let Some(unit) = list.get(done).and_then(|i| units.get(*i)) {
        done += 1;
        for name in &unit.needs {
            if defined.contains(name.as_str()) {
                continue;
            }
            let clashes = |u: &Unit| u.strong.iter().any(|d| strong.contains(d.as_str()));
            let fits =
                |u: &Unit| !u.has_main() && u.failure.is_none() && u.defines.contains(name) && !clashes(u);
            let distance = |u: &Unit| usize::from(u.file.parent() != home.as_deref());
            let found =
                units.iter().enumerate().filter(|(_, u)| fits(u)).min_by_key(|(i, u)| (distance(u), *i));
            if let Some((i, unit)) = found {
                list.push(i);
                defined.extend(unit.defines.iter().map(String::as_str));
                strong.extend(unit.strong.iter().map(String::as_str));
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(file: &str, defines: &[&str], needs: &[&str]) -> Unit {
        let set = |names: &[&str]| names.iter().map(|n| n.to_string()).collect();
        let strong = set(&defines.iter().copied().filter(|n| !n.starts_with("weak_")).collect::<Vec<_>>());
        Unit { file: file.into(), defines: set(defines), strong, needs: set(needs), ..Unit::default() }
    }

    #[test]
    fn files_that_a_program_needs() {
        let units = [
            unit("/p/a.c", &["main", "f"], &["g"]),
            unit("/p/b.c", &["main", "g"], &["f"]),
            unit("/p/sub/c.c", &["g"], &["h"]),
            // Beside a.c this would define `f` twice.
            unit("/p/d.c", &["h", "f"], &[]),
            unit("/p/e.c", &["unused"], &[]),
            unit("/q/f.c", &["h"], &[]),
        ];
        let source = Source::default();
        let plan = programs(&units, &[], &source).expect("a plan");
        let lists: Vec<&[usize]> = plan.executables.iter().map(|e| &e.units[..]).collect();
        assert_eq!(lists, [&[0, 2, 5][..], &[1, 3]]);
        assert_eq!(plan.rest, [4]);
    }

    #[test]
    fn files_may_share_what_gives_way() {
        let units = [
            unit("/p/a.c", &["main", "weak_common"], &["f"]),
            unit("/p/b.c", &["f", "weak_common"], &["g"]),
            unit("/p/c.c", &["g", "weak_common"], &[]),
        ];
        let plan = programs(&units, &[], &Source::default()).expect("a plan");
        assert_eq!(plan.executables.first().map(|e| &e.units[..]), Some(&[0, 1, 2][..]));
    }

    #[test]
    fn link_steps_come_first() {
        let mut units =
            vec![unit("/p/a.c", &["main"], &["g"]), unit("/p/b.c", &["g"], &[]), unit("/p/c.c", &["g"], &[])];
        for (unit, object) in units.iter_mut().zip(["/p/a.o", "/p/b.o", "/p/c.o"]) {
            unit.object = Some(object.into());
        }
        let step = |inputs: &[&str]| LinkStep {
            output: "/p/prog".into(),
            inputs: inputs.iter().map(PathBuf::from).collect(),
        };
        let source = Source::default();
        let plan = programs(&units, &[step(&["/p/a.o", "/p/c.o"])], &source).expect("a plan");
        assert_eq!(plan.executables, [Executable { name: "/p/prog".into(), units: vec![0, 2] }]);
        assert_eq!(plan.rest, [1]);
        // A library is no program; what it is made of is listed.
        let plan = programs(&units[1..], &[step(&["/p/b.o", "/p/c.o"])], &source).expect("a plan");
        assert_eq!((plan.executables.len(), plan.rest.len()), (0, 2));
    }
}
