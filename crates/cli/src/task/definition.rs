//! Task definition files, formats 1.0 and 2.x: the input files of a task, its data model, and per property the verdict
//! that is expected.
//!
//! A property is told by the text of its property file, not by its name; properties that are not supported
//! (termination, coverage) are left out.

use crate::input::InputError;
use heapwise_ir::DataModel;
use heapwise_property::Spec;
use saphyr::{LoadableYamlNode, Yaml};
use std::path::{Path, PathBuf};

/// A verification task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The definition file.
    pub path: PathBuf,
    /// The program.
    pub input_files: Vec<PathBuf>,
    /// What is asked.
    pub questions: Vec<Question>,
    /// The sizes of types.
    pub model: DataModel,
}

/// A property that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Which.
    pub spec: Spec,
    /// The answer, if it is known.
    pub expected: Option<bool>,
    /// What is violated, if the answer is `false` and the file says so.
    pub subproperty: Option<String>,
}

/// Reads a task definition file.
pub fn read(path: &Path) -> Result<Definition, InputError> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| InputError::at(path, "unreadable", format!("cannot be read: {e}")))?;
    let read_spec = |file: &Path| match std::fs::read_to_string(file) {
        Ok(text) => Spec::parse(&text),
        Err(_) => file.file_stem().and_then(|s| s.to_str()).and_then(Spec::named),
    };
    parse(path, &text, &read_spec)
}

/// Parses a task definition; `read_spec` says what a property file asks for.
fn parse(
    path: &Path,
    text: &str,
    read_spec: &dyn Fn(&Path) -> Option<Spec>,
) -> Result<Definition, InputError> {
    let bad = |message: String| InputError::at(path, "bad-task", message);
    let documents = Yaml::load_from_str(text).map_err(|e| {
        let at = e.marker();
        let place = format!("{}:{}:{}", path.display(), at.line(), at.col() + 1);
        InputError::new(place, "bad-task", format!("not YAML: {}", e.info()))
    })?;
    let Some(root) = documents.first() else { return Err(bad("the file is empty".into())) };
    let version = root.as_mapping_get("format_version").and_then(scalar);
    match version.as_deref() {
        Some(v) if v == "1.0" || v == "1" || v.starts_with("2.") || v == "2" => {}
        Some(v) => return Err(bad(format!("format version {v} is not known"))),
        None => return Err(bad("there is no `format_version`: this is no task definition".into())),
    }
    let here = path.parent().unwrap_or(Path::new("."));
    let input_files = match root.as_mapping_get("input_files") {
        Some(list) if list.as_vec().is_some() => {
            list.as_vec().into_iter().flatten().filter_map(scalar).map(|f| here.join(f)).collect()
        }
        Some(one) => scalar(one).map(|f| here.join(f)).into_iter().collect(),
        None => Vec::new(),
    };
    if input_files.is_empty() {
        return Err(bad("there are no `input_files`".into()));
    }
    let options = root.as_mapping_get("options");
    let model = match options.and_then(|o| o.as_mapping_get("data_model")).and_then(scalar).as_deref() {
        Some("LP64") => DataModel::Lp64,
        // Tasks of format 1.0 do not say; their collections are for 32 bits.
        Some("ILP32") | None => DataModel::Ilp32,
        Some(other) => return Err(bad(format!("data model {other} is not known"))),
    };
    let mut questions = Vec::new();
    for property in root.as_mapping_get("properties").and_then(|p| p.as_vec()).into_iter().flatten() {
        let Some(file) = property.as_mapping_get("property_file").and_then(scalar) else { continue };
        let Some(spec) = read_spec(&here.join(file)) else { continue };
        questions.push(Question {
            spec,
            expected: property.as_mapping_get("expected_verdict").and_then(|v| v.as_bool()),
            subproperty: property.as_mapping_get("subproperty").and_then(scalar),
        });
    }
    Ok(Definition { path: path.to_path_buf(), input_files, questions, model })
}

/// A scalar as it is written, whether YAML takes it for text or for a number.
fn scalar(node: &Yaml<'_>) -> Option<String> {
    if let Some(text) = node.as_str() {
        return Some(text.to_owned());
    }
    if let Some(n) = node.as_integer() {
        return Some(n.to_string());
    }
    node.as_floating_point().map(|x| format!("{x:?}"))
}

/// The task definition files among `paths` and below the directories among them, sorted within each directory.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut below = Vec::new();
            walk(path, &mut below)?;
            below.sort();
            found.extend(below);
        } else if path.is_file() {
            found.push(path.clone());
        } else {
            return Err(InputError::at(path, "no-such-file", "no such file"));
        }
    }
    Ok(found)
}

/// Most directories below each other that are looked into.
const MAX_DEPTH: usize = 32;

fn walk(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), InputError> {
    let mut todo = vec![(dir.to_path_buf(), 0)];
    while let Some((dir, depth)) = todo.pop() {
        let entries = std::fs::read_dir(&dir)
            .map_err(|e| InputError::at(&dir, "unreadable", format!("cannot be read: {e}")))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < MAX_DEPTH {
                todo.push((path, depth + 1));
            } else if path.extension().is_some_and(|e| e == "yml") {
                found.push(path);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Definition, InputError> {
        parse(Path::new("dir/t.yml"), text, &|file| {
            file.file_stem().and_then(|s| s.to_str()).and_then(Spec::named)
        })
    }

    #[test]
    fn both_formats_are_read() {
        let old = "format_version: '1.0'\n# a comment\ninput_files: 'a.i'\n\nproperties:\n  \
                   - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n    \
                   subproperty: valid-free\n  - property_file: ../properties/termination.prp\n    \
                   expected_verdict: true\n";
        let task = read(old).expect("a task");
        assert_eq!(task.input_files, [PathBuf::from("dir/a.i")]);
        assert_eq!(task.model, DataModel::Ilp32);
        let question = Question {
            spec: Spec::ValidMemsafety,
            expected: Some(false),
            subproperty: Some("valid-free".into()),
        };
        assert_eq!(task.questions, [question]);
        let new = "format_version: '2.0'\ninput_files:\n  - a.c\n  - b.c\nproperties:\n  \
                   - property_file: p/unreach-call.prp\n    expected_verdict: true\noptions:\n  \
                   language: C\n  data_model: LP64\n";
        let task = read(new).expect("a task");
        assert_eq!((task.input_files.len(), task.model), (2, DataModel::Lp64));
        assert_eq!(task.questions[0].expected, Some(true));
    }

    #[test]
    fn other_files_are_refused_with_a_place() {
        for text in ["", "a: [", "x: 1", "format_version: '3.0'\ninput_files: a.c", "format_version: '2.0'"] {
            let error = read(text).expect_err(text);
            assert_eq!(error.code, "bad-task");
            assert!(error.place.starts_with("dir/t.yml"), "{error}");
        }
    }
}
