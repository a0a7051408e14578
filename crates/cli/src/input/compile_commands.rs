//! Compilation databases: which flags a project compiles its files with.
//!
//! An entry names a file, the directory to work in, and the compiler's command line, either as a list or as one
//! string in shell syntax. Of the command line those flags are kept that can matter to the preprocessor: all but
//! the compiler itself, the input, and the flags that say what to write where.

use super::{Files, InputError, io_error};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One file with its flags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The C file, absolute or relative to the current directory.
    pub file: PathBuf,
    /// Where to run the preprocessor.
    pub directory: PathBuf,
    /// Flags for the preprocessor.
    pub flags: Vec<OsString>,
    /// The object or program that the command writes, absolute if it is known.
    pub output: Option<PathBuf>,
}

/// A command that makes a program of several files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkStep {
    /// The program.
    pub output: PathBuf,
    /// Objects, archives and C files, as paths.
    pub inputs: Vec<PathBuf>,
}

/// All that a database says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Database {
    /// The C files.
    pub entries: Vec<Entry>,
    /// The link steps, if it has any.
    pub links: Vec<LinkStep>,
}

#[derive(Deserialize)]
struct RawEntry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Reads the files of a database; `path` may be the file or the directory that holds it.
pub fn read(disk: &dyn Files, path: &Path) -> Result<Vec<Entry>, InputError> {
    Ok(read_all(disk, path)?.entries)
}

/// Reads a database with its link steps.
pub fn read_all(disk: &dyn Files, path: &Path) -> Result<Database, InputError> {
    let is_directory = disk.stamp(path).is_ok_and(|s| s.kind == super::FileKind::Directory);
    let path = if is_directory { path.join("compile_commands.json") } else { path.to_path_buf() };
    let text = disk.read(&path).map_err(|e| io_error(&path, &e))?;
    let raw: Vec<RawEntry> = serde_json::from_slice(&text).map_err(|e| {
        let place = format!("{}:{}:{}", path.display(), e.line(), e.column());
        InputError::new(place, "bad-database", format!("not a compilation database: {e}"))
    })?;
    let base = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut entries = Vec::new();
    let mut links = Vec::new();
    for entry in raw {
        let directory = base.join(&entry.directory);
        let file = directory.join(&entry.file);
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => words,
            (None, Some(line)) => split_shell(&line),
            (None, None) => {
                let what = format!("the entry for {} has no command", entry.file.display());
                return Err(InputError::at(&path, "bad-database", what));
            }
        };
        let flags = preprocessor_flags(&words, &entry.file);
        let compiles = words.iter().any(|w| matches!(w.as_str(), "-c" | "-S" | "-E" | "-fsyntax-only"));
        let written = output_of(&words).map(|name| directory.join(name));
        if !compiles && words.iter().any(|w| is_linked(w)) {
            let inputs = words.iter().skip(1).filter(|w| is_linked(w)).map(|w| directory.join(w)).collect();
            let output = written.clone().unwrap_or_else(|| directory.join("a.out"));
            let step = LinkStep { output, inputs };
            if !links.contains(&step) {
                links.push(step);
            }
        }
        let default = || entry.file.file_stem().map(|s| directory.join(s).with_extension("o"));
        let output = if compiles { written.or_else(default) } else { written };
        // A project's other languages are none of our business.
        if file.extension().is_some_and(|e| e == "c" || e == "i") {
            entries.push(Entry { file, directory, flags, output });
        }
    }
    if entries.is_empty() {
        return Err(InputError::at(&path, "bad-database", "the compilation database names no C file"));
    }
    Ok(Database { entries, links })
}

/// What a command line writes.
fn output_of(words: &[String]) -> Option<&str> {
    let at = words.iter().position(|w| w == "-o");
    match at {
        Some(at) => words.get(at + 1).map(String::as_str),
        None => words.iter().find_map(|w| w.strip_prefix("-o").filter(|name| !name.is_empty())),
    }
}

/// Whether a word of a command line is a file that a linker takes.
fn is_linked(word: &str) -> bool {
    !word.starts_with('-') && [".o", ".a", ".c", ".lo"].iter().any(|end| word.ends_with(end))
}

fn preprocessor_flags(words: &[String], file: &Path) -> Vec<OsString> {
    let mut flags = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" => {
                rest.next();
            }
            "-c" | "-S" | "-E" | "-M" | "-MM" | "-MD" | "-MMD" | "-MP" | "-MG" | "--" => {}
            w if Path::new(w) == file || (!w.starts_with('-') && w.ends_with(".c")) => {}
            w if w.starts_with("-o") || w.starts_with("-MF") => {}
            // Checks at run time that replace library functions by others; the analysis checks all of them.
            w if w.contains("_FORTIFY_SOURCE") => {}
            // Objects of a link step.
            w if is_linked(w) => {}
            w => flags.push(w.into()),
        }
    }
    flags.push("-U_FORTIFY_SOURCE".into());
    flags
}

/// Splits a command line as a POSIX shell does, without expansions.
fn split_shell(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('"'), '\\') => {
                let next = chars.next().unwrap_or('\\');
                let word = word.get_or_insert_default();
                if !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words() {
        assert_eq!(
            split_shell(r#"cc -DA='x y' "-DB=\"q\"" a\ b.c  '' -DC="\n""#),
            ["cc", "-DA=x y", "-DB=\"q\"", "a b.c", "", "-DC=\\n"]
        );
    }

    #[test]
    fn flags_that_do_not_concern_the_preprocessor_are_dropped() {
        let words: Vec<String> =
            "cc -Iinc -MMD -MF x.d -DX=1 -D_FORTIFY_SOURCE=2 -std=gnu11 -o x.o -ofoo -c src/x.c -isystem sys"
                .split(' ')
                .map(Into::into)
                .collect();
        let flags = preprocessor_flags(&words, Path::new("src/x.c"));
        assert_eq!(flags, ["-Iinc", "-DX=1", "-std=gnu11", "-isystem", "sys", "-U_FORTIFY_SOURCE"]);
    }
}
