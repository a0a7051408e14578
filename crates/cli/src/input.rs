//! From file names to translation units: reading, preprocessing, and saying what is wrong with a file.
//!
//! A `.i` file is read; any other file goes through the preprocessor. Either way the file must be a regular,
//! non-empty text file that is the same before and after it was read. Bytes that are not UTF-8 (text in another
//! encoding) are turned into octal escapes, which mean the same byte inside a string literal, the only place
//! where such bytes can stand in preprocessed C.
//!
//! The files of the program are looked at through [`Files`], so that tests can play a file that changes; the preprocessor
//! opens what it reads by itself.

pub mod compile_commands;
mod preprocess;

use crate::options::Source;
use heapwise_frontend::SourceUnit;
use heapwise_ir::{DataModel, SourceMap};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// Larger files are refused: positions in the program are 32-bit offsets.
const MAX_BYTES: u64 = 1 << 31;

/// What is wrong with an input, with the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError {
    /// The file, with `:line:column` if that is known, or what else is at fault.
    pub place: String,
    /// A stable short name; see `docs/diagnostics.md`.
    pub code: &'static str,
    /// One sentence without a final full stop, or the message of another program.
    pub message: String,
}

impl InputError {
    /// An error at a place given as text.
    pub fn new(place: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        InputError { place: place.into(), code, message: message.into() }
    }
    /// An error about a file.
    pub fn at(path: &Path, code: &'static str, message: impl Into<String>) -> Self {
        Self::new(path.display().to_string(), code, message)
    }
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: error[{}]: {}", self.place, self.code, self.message)
    }
}

/// The units of a program and the model they are for.
#[derive(Debug)]
pub struct Loaded {
    /// Preprocessed text, in the order of the command line.
    pub units: Vec<SourceUnit>,
    /// What was asked for, else what the compilation database says, else LP64.
    pub model: DataModel,
    /// What the preprocessor had to say although it succeeded.
    pub warnings: String,
    /// Files as they were before preprocessing, by the names that the preprocessor gives them.
    pub originals: Vec<(String, String)>,
}

/// Larger files that were included are not looked at again for the sake of columns.
const MAX_HEADER_BYTES: u64 = 1 << 22;

/// Makes the original text of the program's own files known to the source map: the files themselves and what
/// they include from below their directory or by relative names. A file that cannot be read is left out.
pub fn add_originals(sources: &mut SourceMap, originals: Vec<(String, String)>) {
    let own = |header: &Path| {
        header.is_relative()
            || originals.iter().any(|(file, _)| {
                Path::new(file).parent().is_some_and(|d| d.is_absolute() && header.starts_with(d))
            })
    };
    let known = |name: &str| originals.iter().any(|(file, _)| file == name);
    let mut headers = Vec::new();
    for name in sources.files().iter().filter(|name| !originals.is_empty() && !known(name)) {
        let path = Path::new(&**name);
        if own(path)
            && Disk.stamp(path).is_ok_and(|s| s.kind == FileKind::Regular && s.size <= MAX_HEADER_BYTES)
            && let Ok(bytes) = Disk.read(path)
        {
            headers.push((name.to_string(), into_utf8(bytes)));
        }
    }
    for (name, text) in originals.into_iter().chain(headers) {
        sources.add_original(&name, text.into());
    }
}

/// What identifies a file's contents without reading them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// What kind of file it is.
    pub kind: FileKind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written, if the system knows.
    pub modified: Option<SystemTime>,
}

/// Kinds of files that get different messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// A pipe, socket or device.
    Other,
}

/// The file system, as far as inputs need it.
pub trait Files {
    /// The stamp of a file.
    fn stamp(&self, path: &Path) -> io::Result<Stamp>;
    /// The contents of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
}

/// The real file system.
pub struct Disk;

impl Files for Disk {
    fn stamp(&self, path: &Path) -> io::Result<Stamp> {
        let meta = std::fs::metadata(path)?;
        let kind = match () {
            () if meta.is_file() => FileKind::Regular,
            () if meta.is_dir() => FileKind::Directory,
            () => FileKind::Other,
        };
        Ok(Stamp { kind, size: meta.len(), modified: meta.modified().ok() })
    }
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// One file to load, with the flags that are its own.
struct Job {
    path: PathBuf,
    flags: Vec<OsString>,
    directory: Option<PathBuf>,
    /// The text, if it came from standard input.
    text: Option<Vec<u8>>,
}

impl Job {
    fn new(path: PathBuf, flags: Vec<OsString>, directory: Option<PathBuf>) -> Job {
        Job { path, flags, directory, text: None }
    }
}

/// The name of standard input among the files, and what reports call it.
const STDIN: (&str, &str) = ("-", "<stdin>");

/// Reads a text that is not C, such as a `.shape` file.
pub fn read_text(path: &Path) -> Result<String, InputError> {
    let bytes = Disk.read(path).map_err(|e| io_error(path, &e))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(InputError::at(path, "file-too-large", format!("more than {MAX_BYTES} bytes")));
    }
    check_text(path, &bytes)?;
    Ok(into_utf8(bytes))
}

/// Reads and preprocesses one file of a compilation database.
pub fn load_entry(entry: &compile_commands::Entry, source: &Source) -> Result<Loaded, InputError> {
    let is_32 = entry.flags.iter().any(|f| f == "-m32");
    let model = source.model().unwrap_or(if is_32 { DataModel::Ilp32 } else { DataModel::Lp64 });
    let mut loaded = Loaded { units: Vec::new(), model, warnings: String::new(), originals: Vec::new() };
    let mut job = Job::new(entry.file.clone(), entry.flags.clone(), Some(entry.directory.clone()));
    job.flags.extend(source.flags());
    let unit = load_kept(&Disk, &mut job, source, &mut loaded)?;
    loaded.units.push(unit);
    Ok(loaded)
}

/// What the preprocessor made of files, by name, contents' stamp and flags: for processes that read them again and again.
#[derive(Clone, Debug, Default)]
pub struct Remembered(Arc<Mutex<HashMap<String, Preprocessed>>>);

/// A unit, and the files it was made from.
type Preprocessed = (SourceUnit, Vec<(String, String)>);

/// Most files that are remembered.
const MAX_REMEMBERED: usize = 2_000;

impl Remembered {
    fn get(&self, key: &str) -> Option<Preprocessed> {
        self.0.lock().ok()?.get(key).cloned()
    }
    fn put(&self, key: String, unit: &SourceUnit, originals: &[(String, String)]) {
        if let Ok(mut all) = self.0.lock() {
            if all.len() >= MAX_REMEMBERED {
                all.clear();
            }
            all.insert(key, (unit.clone(), originals.to_vec()));
        }
    }
}

/// One file, as it was remembered if it did not change.
fn load_kept(
    disk: &dyn Files,
    job: &mut Job,
    source: &Source,
    loaded: &mut Loaded,
) -> Result<SourceUnit, InputError> {
    let full = std::path::absolute(&job.path).unwrap_or_else(|_| job.path.clone());
    if let Some(text) = source.texts.get(&full) {
        return load_text(job, &full, text, loaded);
    }
    let Some(remembered) = &source.remembered else { return load_one(disk, job, loaded.model, loaded) };
    let key = format!("{:?} {:?} {:?} {:?}", job.path, disk.stamp(&job.path).ok(), job.flags, loaded.model);
    if let Some((unit, originals)) = remembered.get(&key) {
        loaded.originals.extend(originals);
        return Ok(unit);
    }
    let before = loaded.originals.len();
    let unit = load_one(disk, job, loaded.model, loaded)?;
    remembered.put(key, &unit, loaded.originals.get(before..).unwrap_or_default());
    Ok(unit)
}

/// A text that stands for a file: what it includes is looked for beside the file.
fn load_text(job: &mut Job, full: &Path, text: &str, loaded: &mut Loaded) -> Result<SourceUnit, InputError> {
    check_text(full, text.as_bytes())?;
    if text.contains("/*@") {
        job.flags.push("-C".into());
    }
    let name = full.display().to_string();
    let parent = full.parent().unwrap_or(Path::new("/")).as_os_str().to_owned();
    job.flags.extend(["-iquote".into(), parent]);
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    job.text = Some(format!("#line 1 \"{quoted}\"\n{text}").into_bytes());
    let output = preprocess::run(job, loaded.model)?;
    loaded.warnings.push_str(&output.messages);
    loaded.originals.push((name.clone(), text.to_owned()));
    Ok(SourceUnit { name, text: into_utf8(output.text).into() })
}

/// Reads and preprocesses the files of a command line.
pub fn load(files: &[PathBuf], source: &Source) -> Result<Loaded, InputError> {
    load_from(&Disk, files, source)
}

fn load_from(disk: &dyn Files, files: &[PathBuf], source: &Source) -> Result<Loaded, InputError> {
    let mut database_model = None;
    let jobs = match &source.compile_commands {
        None => files.iter().map(|path| Job::new(path.clone(), Vec::new(), None)).collect(),
        Some(database) => {
            let database = compile_commands::read(disk, database)?;
            if database.iter().any(|entry| entry.flags.iter().any(|f| f == "-m32")) {
                database_model = Some(DataModel::Ilp32);
            }
            jobs_from_database(database, files, &source.exclude)?
        }
    };
    let model = source.model().or(database_model).unwrap_or_default();
    let mut loaded = Loaded { units: Vec::new(), model, warnings: String::new(), originals: Vec::new() };
    for mut job in jobs {
        job.flags.extend(source.flags());
        let unit = load_kept(disk, &mut job, source, &mut loaded)?;
        loaded.units.push(unit);
    }
    Ok(loaded)
}

/// The files that were named, or all files of the database, each once.
fn jobs_from_database(
    entries: Vec<compile_commands::Entry>,
    files: &[PathBuf],
    exclude: &[PathBuf],
) -> Result<Vec<Job>, InputError> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut jobs: Vec<Job> = Vec::new();
    if files.is_empty() {
        let excluded = |file: &Path| exclude.iter().any(|e| absolute(file).starts_with(absolute(e)));
        for entry in entries.into_iter().filter(|e| !excluded(&e.file)) {
            if !jobs.iter().any(|job| job.path == entry.file) {
                jobs.push(Job::new(entry.file, entry.flags, Some(entry.directory)));
            }
        }
        if jobs.is_empty() {
            let message = "the settings exclude every file of the compilation database";
            return Err(InputError::new("heapwise.toml", "bad-config", message));
        }
        return Ok(jobs);
    }
    for file in files {
        let wanted = absolute(file);
        let Some(entry) = entries.iter().find(|e| absolute(&e.file) == wanted) else {
            return Err(InputError::at(file, "not-in-database", "the compilation database has no such file"));
        };
        jobs.push(Job::new(file.clone(), entry.flags.clone(), Some(entry.directory.clone())));
    }
    Ok(jobs)
}

fn load_one(
    disk: &dyn Files,
    job: &mut Job,
    model: DataModel,
    loaded: &mut Loaded,
) -> Result<SourceUnit, InputError> {
    if job.path == Path::new(STDIN.0) {
        return load_stdin(job, model, loaded);
    }
    let path = &job.path;
    let name = path.display().to_string();
    let before = usable_stamp(disk, path)?;
    let original = disk.read(path).map_err(|e| io_error(path, &e))?;
    check_text(path, &original)?;
    // Declarations stand in comments, which the preprocessor drops unless it is told.
    if original.windows(3).any(|w| w == b"/*@") {
        job.flags.push("-C".into());
    }
    let text = if is_preprocessed(path) {
        original
    } else {
        let output = preprocess::run(job, model)?;
        loaded.warnings.push_str(&output.messages);
        loaded.originals.push((output.name, into_utf8(original)));
        output.text
    };
    let after = disk.stamp(path).map_err(|e| io_error(path, &e))?;
    if before != after {
        return Err(InputError::at(path, "file-changed", "the file changed while it was read; try again"));
    }
    if text.len() as u64 > MAX_BYTES {
        return Err(InputError::at(path, "file-too-large", format!("more than {MAX_BYTES} bytes of text")));
    }
    Ok(SourceUnit { name, text: into_utf8(text).into() })
}

/// C text from standard input, through the preprocessor.
fn load_stdin(job: &mut Job, model: DataModel, loaded: &mut Loaded) -> Result<SourceUnit, InputError> {
    let name = Path::new(STDIN.1);
    let mut text = Vec::new();
    io::Read::read_to_end(&mut io::stdin().lock(), &mut text).map_err(|e| io_error(name, &e))?;
    if text.is_empty() {
        return Err(InputError::at(name, "empty-file", "standard input is empty"));
    }
    check_text(name, &text)?;
    if text.windows(3).any(|w| w == b"/*@") {
        job.flags.push("-C".into());
    }
    job.text = Some(text.clone());
    let output = preprocess::run(job, model)?;
    loaded.warnings.push_str(&output.messages);
    loaded.originals.push((STDIN.1.to_owned(), into_utf8(text)));
    Ok(SourceUnit { name: STDIN.1.to_owned(), text: into_utf8(output.text).into() })
}

/// Whether a file is taken as it is.
pub fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "i")
}

fn usable_stamp(disk: &dyn Files, path: &Path) -> Result<Stamp, InputError> {
    let stamp = disk.stamp(path).map_err(|e| io_error(path, &e))?;
    match stamp.kind {
        FileKind::Directory => Err(InputError::at(path, "is-directory", "is a directory, not a C file")),
        FileKind::Other => Err(InputError::at(path, "not-a-file", "is a pipe or device, not a regular file")),
        FileKind::Regular if stamp.size == 0 => Err(InputError::at(path, "empty-file", "the file is empty")),
        FileKind::Regular if stamp.size > MAX_BYTES => {
            Err(InputError::at(path, "file-too-large", format!("more than {MAX_BYTES} bytes")))
        }
        FileKind::Regular => Ok(stamp),
    }
}

fn io_error(path: &Path, error: &io::Error) -> InputError {
    match error.kind() {
        io::ErrorKind::NotFound => InputError::at(path, "no-such-file", "no such file"),
        io::ErrorKind::PermissionDenied => {
            InputError::at(path, "unreadable", "no permission to read the file")
        }
        io::ErrorKind::IsADirectory => InputError::at(path, "is-directory", "is a directory, not a C file"),
        _ => InputError::at(path, "unreadable", format!("cannot be read: {error}")),
    }
}

/// Refuses what cannot be C text: anything with a NUL byte, and files of white space only.
fn check_text(path: &Path, bytes: &[u8]) -> Result<(), InputError> {
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        let line = 1 + bytes[..at].iter().filter(|&&b| b == b'\n').count();
        let column = 1 + bytes[..at].iter().rev().take_while(|&&b| b != b'\n').count();
        let place = format!("{}:{line}:{column}", path.display());
        return Err(InputError::new(place, "binary-file", "not a text file: it holds a NUL byte"));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(InputError::at(path, "empty-file", "the file is empty but for white space"));
    }
    Ok(())
}

/// The text with every byte that is no UTF-8 as an octal escape of three digits.
fn into_utf8(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    text
}

#[cfg(test)]
mod tests;
