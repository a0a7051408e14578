//! Real projects: Debian source packages, each checked by one command with its own flags.
//!
//! Sources are fetched by `apt-get source`, built by `make` while the calls of the compiler are recorded, and checked by
//! `heapwise check -p` below the folder that is named; nothing is copied into the repository. The output is the table of each project, with the first cause of
//! each unknown, and at the end what must hold: no exit code but 0, 1 and 2.

use crate::TaskResult;
use crate::debian::Debian;
use crate::{process, record};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Options of `cargo xtask projects`.
#[derive(Args)]
pub struct Options {
    /// Only packages whose name contains this
    #[arg(default_value = "")]
    filter: String,
    /// Where sources are fetched to and built
    #[arg(long, default_value = "target/projects", value_name = "DIR")]
    folder: PathBuf,
    /// Seconds for each program
    #[arg(long, default_value_t = 15)]
    timeout: u64,
    /// Use this heapwise instead of building one
    #[arg(long, value_name = "PATH")]
    heapwise: Option<PathBuf>,
}

/// Programs, then libraries without `main` of their own.
const PACKAGES: &[&str] = &[
    // Programs.
    "sl",
    "tree",
    "dos2unix",
    "pv",
    "mawk",
    "ncompress",
    "hello",
    "figlet",
    "bc",
    "units",
    "yank",
    // Libraries, some with programs that test them.
    "zlib",
    "popt",
    "libmd",
    "cjson",
    "bzip2",
    "lz4",
    "libsmi",
    "libogg",
    "libcsv",
    "libmaa",
    "libsamplerate",
    "libtheora",
    "liblockfile",
    "gdbm",
    "libnet",
];

/// Fetches, builds and checks.
pub fn run(root: &Path, options: &Options) -> TaskResult {
    let binary = process::heapwise(root, options.heapwise.as_deref())?;
    let folder = root.join(&options.folder);
    let debian = Debian::new(root)?;
    let (mut good, mut checked) = (true, 0);
    for package in PACKAGES.iter().filter(|p| p.contains(&options.filter)) {
        println!("== {package}");
        let Some(source) = fetched(&debian, &folder, package)? else {
            println!("cannot be fetched\n");
            continue;
        };
        let Some(database) = database(&source)? else {
            println!("cannot be built here\n");
            continue;
        };
        let output = Command::new(&binary)
            .args(["check", "-p"])
            .arg(&database)
            .args(["--timeout", &options.timeout.to_string()])
            .current_dir(&source)
            .output()
            .map_err(|e| e.to_string())?;
        println!("{}", String::from_utf8_lossy(&output.stdout));
        checked += 1;
        if !matches!(output.status.code(), Some(0..=2)) {
            println!("exit {:?}: {}\n", output.status.code(), String::from_utf8_lossy(&output.stderr));
            good = false;
        }
    }
    println!("{checked} projects checked");
    Ok(good)
}

/// The unpacked source of a package.
fn fetched(debian: &Debian, folder: &Path, package: &str) -> Result<Option<PathBuf>, String> {
    let folder = folder.join(package);
    if !folder.exists() {
        debian.fetch(package, &folder)?;
    }
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(entries.flatten().map(|e| e.path()).find(|p| p.is_dir()))
}

/// The compilation database of a source, if any part of its build works.
fn database(source: &Path) -> Result<Option<PathBuf>, String> {
    let database = source.join("compile_commands.json");
    if !database.is_file() {
        if source.join("configure").is_file() {
            let mut configure = Command::new("sh");
            configure.arg("./configure").current_dir(source);
            process::run(&mut configure, Duration::from_secs(300))?;
        }
        record::make(source, &database)?;
    }
    let entries = std::fs::read_to_string(&database).unwrap_or_default();
    Ok(entries.contains("\"file\"").then_some(database))
}
