//! Bad inputs that need a file system or a preprocessor that misbehaves.

use super::*;
use std::cell::Cell;
use std::time::Duration;

fn source(flags: &[&str]) -> Source {
    Source { cpp_flags: flags.iter().map(Into::into).collect(), ..Source::default() }
}

/// A file system with one file, whose modification time moves on from the second look on.
struct Restless {
    looks: Cell<u64>,
    text: &'static [u8],
    calm: bool,
}

impl Files for Restless {
    fn stamp(&self, _: &Path) -> io::Result<Stamp> {
        let look = self.looks.replace(self.looks.get() + 1);
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(if self.calm { 0 } else { look });
        Ok(Stamp { kind: FileKind::Regular, size: self.text.len() as u64, modified: Some(modified) })
    }
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Ok(self.text.to_vec())
    }
}

fn load_restless(calm: bool, text: &'static [u8]) -> Result<Loaded, InputError> {
    let disk = Restless { looks: Cell::new(0), text, calm };
    load_from(&disk, &["a.i".into()], &source(&[]))
}

#[test]
fn a_file_that_changes_while_it_is_read() {
    assert_eq!(load_restless(true, b"int x;").unwrap().units.len(), 1);
    let error = load_restless(false, b"int x;").unwrap_err();
    assert_eq!(error.to_string(), "a.i: error[file-changed]: the file changed while it was read; try again");
}

#[test]
fn a_file_without_permission() {
    struct Locked;
    impl Files for Locked {
        fn stamp(&self, _: &Path) -> io::Result<Stamp> {
            Ok(Stamp { kind: FileKind::Regular, size: 6, modified: None })
        }
        fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    let error = load_from(&Locked, &["a.c".into()], &source(&[])).unwrap_err();
    assert_eq!(error.to_string(), "a.c: error[unreadable]: no permission to read the file");
}

#[test]
fn binary_garbage_is_located() {
    let error = load_restless(true, b"int x;\nin\0t y;").unwrap_err();
    assert_eq!(error.to_string(), "a.i:2:3: error[binary-file]: not a text file: it holds a NUL byte");
    assert_eq!(load_restless(true, b" \n\t\n").unwrap_err().code, "empty-file");
}

#[test]
fn other_encodings_keep_their_bytes() {
    let loaded = load_restless(true, b"char s[] = \"caf\xe91\";").unwrap();
    assert_eq!(&*loaded.units[0].text, "char s[] = \"caf\\3511\";");
}

fn job(path: &str) -> Job {
    Job::new(path.into(), Vec::new(), None)
}

#[test]
fn a_preprocessor_that_is_not_there() {
    let error = preprocess::run_with("no-such-compiler -x", &job("a.c"), DataModel::Lp64).err().unwrap();
    assert_eq!(error.code, "no-preprocessor");
    assert!(error.message.contains("`no-such-compiler` is not installed; install a C compiler"), "{error}");
}

#[test]
fn a_preprocessor_that_fails() {
    let error = preprocess::run_with("false", &job("a.c"), DataModel::Lp64).err().unwrap();
    assert_eq!(error.code, "preprocessor-failed");
    assert!(error.message.contains("status 1:\n(it printed nothing)"), "{error}");
}

#[test]
fn a_database_gives_files_flags_and_model() {
    struct Database(&'static str);
    impl Files for Database {
        fn stamp(&self, path: &Path) -> io::Result<Stamp> {
            let kind = if path.ends_with("build") { FileKind::Directory } else { FileKind::Regular };
            Ok(Stamp { kind, size: 9, modified: None })
        }
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            Ok(if path.ends_with("compile_commands.json") { self.0.into() } else { b"int x;\n".to_vec() })
        }
    }
    let mut asked = source(&[]);
    asked.compile_commands = Some("build".into());
    let good = Database(
        r#"[{"directory": "/p", "file": "a.i", "command": "gcc -m32 -c a.i"},
            {"directory": "/p", "file": "b.i", "arguments": ["gcc", "-c", "b.i"]},
            {"directory": "/p", "file": "x.cpp", "command": "g++ x.cpp"}]"#,
    );
    let all = load_from(&good, &[], &asked).unwrap();
    assert_eq!(all.units.iter().map(|u| u.name.as_str()).collect::<Vec<_>>(), ["/p/a.i", "/p/b.i"]);
    assert_eq!(all.model, DataModel::Ilp32);
    assert_eq!(load_from(&good, &["/p/b.i".into()], &asked).unwrap().units.len(), 1);
    assert_eq!(load_from(&good, &["/p/c.i".into()], &asked).unwrap_err().code, "not-in-database");
    let bad = load_from(&Database("[{"), &[], &asked).unwrap_err();
    assert!(bad.to_string().starts_with("build/compile_commands.json:1:2: error[bad-database]"), "{bad}");
}
