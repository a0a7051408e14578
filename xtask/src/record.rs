//! Compilation databases of builds, recorded by compilers of our own.
//!
//! A folder with small scripts called `gcc`, `cc` and so on comes first in the search path of the build. Each writes down where it
//! was called and with which words, and runs the real compiler. Nothing needs to be installed for it.

use crate::process;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What builds call a C compiler.
const COMPILERS: [&str; 5] = ["cc", "gcc", "c99", "x86_64-linux-gnu-gcc", "clang"];

/// Runs `make` in a folder, with what it compiles written to `database` there. Parts of a build may fail.
pub fn make(source: &Path, database: &Path) -> Result<(), String> {
    let fail = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let folder = source.join(".recorded");
    std::fs::create_dir_all(&folder).map_err(|e| fail(&folder, e))?;
    let log = folder.join("log");
    std::fs::write(&log, "").map_err(|e| fail(&log, e))?;
    let path = std::env::var("PATH").unwrap_or_default();
    for name in COMPILERS {
        let Some(real) = std::env::split_paths(&path).map(|p| p.join(name)).find(|p| p.is_file()) else {
            continue;
        };
        write_script(&folder.join(name), &log, &real).map_err(|e| fail(&folder, e))?;
    }
    let mut make = Command::new("make");
    make.arg("-k").current_dir(source).env("PATH", format!("{}:{path}", folder.display()));
    process::run(&mut make, Duration::from_secs(300))?;
    let text = std::fs::read(&log).map_err(|e| fail(&log, e))?;
    let entries = Value::Array(entries(&String::from_utf8_lossy(&text)));
    std::fs::write(database, format!("{entries:#}")).map_err(|e| fail(database, e))
}

/// A script that appends the directory, the number of words and the words to the log, each with a zero after it.
fn write_script(script: &Path, log: &Path, real: &Path) -> std::io::Result<()> {
    let quoted = |p: &Path| format!("'{}'", p.display().to_string().replace('\'', "'\\''"));
    let (log, real) = (quoted(log), quoted(real));
    let text = format!("#!/bin/sh\nprintf '%s\\0' \"$PWD\" \"$#\" \"$@\" >>{log}\nexec {real} \"$@\"\n");
    std::fs::write(script, text)?;
    let mut rights = std::fs::metadata(script)?.permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o755);
    std::fs::set_permissions(script, rights)
}

/// The entries of a database: one for each C file of a command, and one for each command that only links.
fn entries(log: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut words = log.split_terminator('\0');
    while let (Some(directory), Some(count)) = (words.next(), words.next()) {
        let arguments: Vec<&str> = words.by_ref().take(count.parse().unwrap_or(0)).collect();
        let ends = |w: &&str, ends: &[&str]| !w.starts_with('-') && ends.iter().any(|e| w.ends_with(e));
        let mut files: Vec<&str> = arguments.iter().copied().filter(|w| ends(w, &[".c"])).collect();
        if files.is_empty() {
            files.extend(arguments.iter().copied().find(|w| ends(w, &[".o", ".lo", ".a"])));
        }
        let all: Vec<&str> = std::iter::once("cc").chain(arguments.iter().copied()).collect();
        found.extend(files.iter().map(|file| {
            let directory = PathBuf::from(directory);
            json!({ "directory": directory, "file": file, "arguments": all })
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_entry_for_each_file_and_for_each_link() {
        let log = "/p\x003\0-c\0a b.c\0-DX=\x00/p\x003\0-o\0prog\0a.o\x00/p\x001\0--version\0/q\x004\0x.c\0y.c\0-o\0z\0";
        let entries = entries(log);
        let of = |i: usize, key: &str| entries.get(i).map(|e| e[key].clone()).unwrap_or_default();
        assert_eq!(entries.len(), 4, "{entries:?}");
        assert_eq!((of(0, "file"), of(1, "file")), (json!("a b.c"), json!("a.o")));
        assert_eq!((of(2, "file"), of(3, "file")), (json!("x.c"), json!("y.c")));
        assert_eq!(of(0, "arguments"), json!(["cc", "-c", "a b.c", "-DX="]));
        assert_eq!(of(3, "directory"), json!("/q"));
    }
}
