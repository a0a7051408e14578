//! Real code: the C sources that well-known crates bundle.
//!
//! A scratch package under `target/real-code` depends on the crates, so that cargo fetches them from the
//! registry; nothing is copied into the repository. Each C file is preprocessed and compiled by
//! `heapwise ir --summary`; the table shows how many functions lower, and how fast the front end is. At least
//! 99 % of the functions of each crate must lower (those that system
//! headers define are counted apart); the SQL amalgamation must take less than 2 s in all and be
//! compiled at 15 MB/s or more.

use crate::TaskResult;
use crate::process::{self, heapwise, target_dir};
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Options of `cargo xtask real-code`.
#[derive(Args)]
pub struct Options {
    /// Only crates whose name contains this
    #[arg(default_value = "")]
    filter: String,
    /// List the functions that do not lower, with the reason
    #[arg(long)]
    verbose: bool,
    /// Check the IR against its rules too
    #[arg(long)]
    verify: bool,
    /// Use this heapwise instead of building one
    #[arg(long, value_name = "PATH")]
    heapwise: Option<PathBuf>,
}

/// Share of functions that must lower.
const MIN_SHARE: f64 = 0.99;
/// Limits for the SQL amalgamation.
const MAX_SECONDS: f64 = 2.0;
const MIN_SPEED: f64 = 15.0;

/// A crate with C code in it.
struct Bundle {
    name: &'static str,
    version: &'static str,
    /// Features to ask for, and whether the default ones are left out.
    spec: &'static str,
    /// Directories (relative to the package, with `*` for a version) whose `.c` files are compiled, or files.
    sources: &'static [&'static str],
    includes: &'static [&'static str],
    flags: &'static [&'static str],
    /// Files that are no translation units of their own, or for other systems.
    skip: &'static [&'static str],
}

const BUNDLES: &[Bundle] = &[
    Bundle {
        name: "libsqlite3-sys",
        version: "0.30",
        spec: "",
        sources: &["sqlite3/sqlite3.c"],
        includes: &["sqlite3"],
        flags: &["-DSQLITE_THREADSAFE=1", "-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE"],
        skip: &[],
    },
    Bundle {
        name: "lua-src",
        version: "547",
        spec: "",
        sources: &["lua-5.4*"],
        includes: &["lua-5.4*"],
        flags: &["-DLUA_USE_LINUX"],
        skip: &[],
    },
    Bundle {
        name: "libz-sys",
        version: "1",
        spec: "",
        sources: &["src/zlib"],
        includes: &["src/zlib"],
        flags: &["-DHAVE_UNISTD_H"],
        skip: &[],
    },
    Bundle {
        name: "libmimalloc-sys",
        version: "0.1",
        spec: "",
        sources: &["c_src/mimalloc*/src/static.c", "c_src/mimalloc/v2/src/static.c"],
        includes: &["c_src/mimalloc/include", "c_src/mimalloc/v2/include"],
        flags: &[],
        skip: &[],
    },
    Bundle {
        name: "zstd-sys",
        version: "2",
        spec: "",
        sources: &["zstd/lib/common", "zstd/lib/compress", "zstd/lib/decompress", "zstd/lib/dictBuilder"],
        includes: &["zstd/lib", "zstd/lib/common"],
        flags: &["-DZSTD_DISABLE_ASM=1"],
        skip: &[],
    },
    Bundle {
        name: "bzip2-sys",
        version: "0.1",
        spec: "",
        sources: &["bzip2-*"],
        includes: &["bzip2-*"],
        flags: &["-D_FILE_OFFSET_BITS=64"],
        skip: &[],
    },
    Bundle {
        name: "lz4-sys",
        version: "1",
        spec: "",
        sources: &["liblz4/lib"],
        includes: &["liblz4/lib"],
        flags: &[],
        skip: &[],
    },
    Bundle {
        name: "tree-sitter",
        version: "0.24",
        spec: "",
        sources: &["src/lib.c"],
        includes: &["include", "src"],
        flags: &["-D_POSIX_C_SOURCE=200112L", "-D_DEFAULT_SOURCE"],
        skip: &[],
    },
];

/// Sums over the files of one crate.
#[derive(Default)]
struct Row {
    files: usize,
    functions: u64,
    lowered: u64,
    /// Functions defined in system headers.
    foreign: u64,
    foreign_lowered: u64,
    bytes: u64,
    preprocess: f64,
    compile: f64,
    problems: Vec<String>,
}

/// Compiles all bundles and prints the table.
pub fn run(root: &Path, options: &Options) -> TaskResult {
    let heapwise = heapwise(root, options.heapwise.as_deref())?;
    let scratch = target_dir(root).join("real-code");
    let packages = fetch(&scratch)?;
    println!(
        "{:<17} {:>5} {:>9} {:>8} {:>8} {:>13} {:>7} {:>9} {:>6}",
        "crate", "files", "functions", "lowered", "share", "in headers", "cpp s", "compile s", "MB/s"
    );
    let mut good = true;
    for bundle in BUNDLES.iter().filter(|b| b.name.contains(&options.filter)) {
        let Some(dir) = packages.iter().find(|(name, _)| name == bundle.name).map(|(_, dir)| dir) else {
            return Err(format!("cargo did not fetch {}", bundle.name));
        };
        let row = measure(&heapwise, bundle, dir, options)?;
        let share = row.lowered as f64 / row.functions.max(1) as f64;
        let speed = row.bytes as f64 / 1e6 / row.compile.max(1e-9);
        println!(
            "{:<17} {:>5} {:>9} {:>8} {:>7.2}% {:>13} {:>7.2} {:>9.3} {:>6.1}",
            bundle.name,
            row.files,
            row.functions,
            row.lowered,
            100.0 * share,
            format!("{}/{}", row.foreign_lowered, row.foreign),
            row.preprocess,
            row.compile,
            speed
        );
        let shown = if options.verbose { usize::MAX } else { 3 };
        for problem in row.problems.iter().take(shown) {
            println!("    {problem}");
        }
        if row.problems.len() > shown {
            println!("    … and {} more (--verbose)", row.problems.len() - shown);
        }
        good &= row.functions > 0 && share >= MIN_SHARE;
        if bundle.name == "libsqlite3-sys" {
            let total = row.preprocess + row.compile;
            let fast = total < MAX_SECONDS && speed >= MIN_SPEED;
            let verdict = if fast { "within" } else { "NOT within" };
            println!("    {total:.2} s in all, {verdict} {MAX_SECONDS} s and {MIN_SPEED} MB/s");
            good &= fast;
        }
    }
    Ok(good)
}

/// Has cargo fetch the crates; returns name and directory of each package.
fn fetch(scratch: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let write = |path: PathBuf, text: String| {
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    std::fs::create_dir_all(scratch.join("src")).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let mut manifest = String::from(
        "[package]\nname = \"real-code\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for bundle in BUNDLES {
        manifest
            .push_str(&format!("{} = {{ version = \"{}\"{} }}\n", bundle.name, bundle.version, bundle.spec));
    }
    write(scratch.join("Cargo.toml"), manifest)?;
    write(scratch.join("src/lib.rs"), String::new())?;
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(scratch).args(["metadata", "--format-version", "1"]);
    let output =
        process::run(&mut command, Duration::from_secs(600))?.ok_or("cargo metadata took too long")?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("cargo metadata: {e}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let mut packages = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        if let (Some(name), Some(manifest)) = (package["name"].as_str(), package["manifest_path"].as_str()) {
            let dir = Path::new(manifest).parent().map(PathBuf::from).unwrap_or_default();
            packages.push((name.to_owned(), dir));
        }
    }
    Ok(packages)
}

/// The paths below `dir` that a pattern with at most one `*` per component names.
fn expand(dir: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![dir.to_path_buf()];
    for part in pattern.split('/') {
        let mut next = Vec::new();
        for base in found {
            match part.split_once('*') {
                None => next.push(base.join(part)),
                Some((prefix, suffix)) => {
                    for entry in std::fs::read_dir(&base).into_iter().flatten().flatten() {
                        let name = entry.file_name().to_string_lossy().into_owned();
                        if name.starts_with(prefix) && name.ends_with(suffix) {
                            next.push(entry.path());
                        }
                    }
                }
            }
        }
        found = next;
    }
    found.retain(|p| p.exists());
    found.sort();
    found
}

fn measure(heapwise: &Path, bundle: &Bundle, dir: &Path, options: &Options) -> Result<Row, String> {
    let mut files = Vec::new();
    for source in bundle.sources.iter().flat_map(|s| expand(dir, s)) {
        if source.is_dir() {
            for entry in std::fs::read_dir(&source).map_err(|e| e.to_string())?.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.ends_with(".c") && !bundle.skip.contains(&name.as_str()) {
                    files.push(entry.path());
                }
            }
        } else {
            files.push(source);
        }
    }
    files.sort();
    let mut row = Row { files: files.len(), ..Row::default() };
    // Inline functions of system headers (compiler intrinsics above all) are not the crate's code.
    let is_own = |file: &str| Path::new(file).starts_with(dir);
    for file in &files {
        let mut command = Command::new(heapwise);
        command.args(["ir", "--summary", "--format", "json"]);
        if options.verify {
            command.arg("--verify");
        }
        command.arg(file).args(["--", "-w"]).args(bundle.flags);
        for include in bundle.includes.iter().flat_map(|i| expand(dir, i)) {
            command.arg("-I").arg(include);
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(output) = process::run(&mut command, Duration::from_secs(300))? else {
            row.problems.push(format!("{name}: not finished within 300 s"));
            row.functions += 1;
            continue;
        };
        let Ok(summary) = serde_json::from_slice::<Value>(&output.stdout) else {
            let text = String::from_utf8_lossy(&output.stderr);
            let first: String = text.lines().next().unwrap_or("no output").chars().take(300).collect();
            row.problems.push(format!("{name}: {first}"));
            // A file that is refused counts as a function that does not lower.
            row.functions += 1;
            continue;
        };
        let number = |key: &str| summary[key].as_f64().unwrap_or(0.0);
        for (file, counts) in summary["by_file"].as_object().into_iter().flatten() {
            let count = |key: &str| counts[key].as_u64().unwrap_or(0);
            if is_own(file) {
                row.functions += count("functions");
                row.lowered += count("lowered");
            } else {
                row.foreign += count("functions");
                row.foreign_lowered += count("lowered");
            }
        }
        row.bytes += number("bytes") as u64;
        row.preprocess += number("preprocess_seconds");
        row.compile += number("compile_seconds");
        for refused in summary["not_analysed"].as_array().into_iter().flatten() {
            let text = |key: &str| refused[key].as_str().unwrap_or_default().to_owned();
            if !is_own(&text("file")) {
                continue;
            }
            row.problems.push(format!("{}: `{}`: {}", text("place"), text("function"), text("reason")));
        }
        for violation in summary["violations"].as_array().into_iter().flatten() {
            row.problems.push(format!("ill-formed IR: {}", violation.as_str().unwrap_or_default()));
        }
    }
    Ok(row)
}
