//! Which functions of the C library do programs call, and which of them are modelled?
//!
//! The sources of well-known packages are fetched with `apt-get source` into `target/library-calls`, with lists of packages of
//! their own; nothing is copied into the repository. In each C file the names before an opening parenthesis are counted, comments,
//! texts and directives left out. A name counts as a call of the library if the system's libc or libm exports it and the
//! package does not define it, as a function or as a macro. The table says how often each is called and whether
//! `docs/library.md` knows it.

use crate::TaskResult;
use crate::debian::Debian;
use crate::process;
use clap::Args;
use heapwise_ir::library::LibFn;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Options of `cargo xtask library-calls`.
#[derive(Args)]
pub struct Options {
    /// Count in these sources, one folder for each package, instead of fetching any
    #[arg(long, value_name = "DIR")]
    sources: Option<PathBuf>,
    /// How many functions to list
    #[arg(long, default_value_t = 60)]
    rows: usize,
    /// List only what is not modelled
    #[arg(long)]
    missing: bool,
}

/// Share of call sites that must be modelled, in percent.
const MIN_SHARE: f64 = 98.0;

/// Packages in C that come with every system or are known to most people.
const PACKAGES: &[&str] = &[
    "acct",
    "acl",
    "aespipe",
    "antiword",
    "at",
    "attr",
    "bc",
    "bison",
    "bsdgames",
    "bsdmainutils",
    "byacc",
    "bzip2",
    "calcurse",
    "catdoc",
    "ccrypt",
    "cflow",
    "chrpath",
    "cjson",
    "cmatrix",
    "coreutils",
    "cpio",
    "cron",
    "curl",
    "dash",
    "detox",
    "dialog",
    "diffutils",
    "dos2unix",
    "dosfstools",
    "dvtm",
    "dwm",
    "e2fsprogs",
    "ed",
    "enca",
    "expat",
    "fdupes",
    "figlet",
    "file",
    "findutils",
    "flex",
    "fortune-mod",
    "fping",
    "gawk",
    "gdbm",
    "grep",
    "gzip",
    "hexedit",
    "htop",
    "indent",
    "iputils",
    "jansson",
    "jhead",
    "joe",
    "jpegoptim",
    "jq",
    "keyutils",
    "less",
    "libarchive",
    "libcap2",
    "libconfig",
    "libevent",
    "libidn",
    "libpng1.6",
    "libuv1",
    "libyaml",
    "lighttpd",
    "logrotate",
    "lrzip",
    "lrzsz",
    "lsof",
    "lua5.4",
    "lz4",
    "lzop",
    "m4",
    "make",
    "mawk",
    "memcached",
    "mg",
    "minicom",
    "moreutils",
    "mpg123",
    "mtools",
    "mtr",
    "nano",
    "nasm",
    "ncdu",
    "ncompress",
    "ne",
    "net-tools",
    "netcat-openbsd",
    "ngrep",
    "nvi",
    "oniguruma",
    "par",
    "patch",
    "pcre2",
    "picocom",
    "pigz",
    "pkgconf",
    "popt",
    "procps",
    "psmisc",
    "pv",
    "pwgen",
    "rcs",
    "readline",
    "redis",
    "rhash",
    "rlwrap",
    "rsync",
    "s-nail",
    "sc",
    "screen",
    "sed",
    "sharutils",
    "sl",
    "socat",
    "stress",
    "sudo",
    "sysstat",
    "tar",
    "tcsh",
    "time",
    "tinyproxy",
    "tmux",
    "traceroute",
    "tree",
    "ttyrec",
    "units",
    "unzip",
    "util-linux",
    "uudeview",
    "vis",
    "wdiff",
    "wget",
    "whois",
    "xz-utils",
    "zip",
    "zlib",
    "zstd",
];

/// The libraries whose functions count.
const LIBRARIES: [&str; 2] = ["/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6"];
/// Functions that headers make of others.
const INLINE: [&str; 9] = ["stat", "lstat", "fstat", "htons", "ntohs", "htonl", "ntohl", "setjmp", "alloca"];

/// Fetches what is missing, counts and prints the table.
pub fn run(root: &Path, options: &Options) -> TaskResult {
    let sources = match &options.sources {
        Some(sources) => sources.clone(),
        None => fetch(root)?,
    };
    let exported = exported()?;
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    let mut packages = 0;
    for folder in folders(&sources)? {
        let found = count(&folder, &exported)?;
        packages += usize::from(!found.is_empty());
        for (name, n) in found {
            *calls.entry(name).or_default() += n;
        }
    }
    let all: u64 = calls.values().sum();
    if all == 0 {
        return Err(format!("there are no C sources in {}", sources.display()));
    }
    let known = |name: &str| LibFn::lookup(name).is_some_and(is_modelled);
    let modelled: u64 = calls.iter().filter(|(name, _)| known(name)).map(|(_, n)| n).sum();
    let mut rows: Vec<(&String, &u64)> = calls.iter().collect();
    rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let percent = |n: u64| 100.0 * n as f64 / all as f64;
    println!("| function | call sites | share | modelled |\n|---|---|---|---|");
    for (name, n) in rows.into_iter().filter(|(name, _)| !options.missing || !known(name)).take(options.rows)
    {
        let yes = if known(name) { "yes" } else { "no" };
        println!("| `{name}` | {n} | {:.3} % | {yes} |", percent(*n));
    }
    println!(
        "\n{packages} packages, {all} call sites of {} functions; modelled: {:.2} % of the call sites",
        calls.len(),
        percent(modelled)
    );
    Ok(percent(modelled) >= MIN_SHARE)
}

/// Whether the analysis knows what a function does; those that only other domains and runs refuse count as known.
fn is_modelled(f: LibFn) -> bool {
    matches!(
        f,
        LibFn::Known(_)
            | LibFn::Getopt
            | LibFn::GetoptLong
            | LibFn::Warn
            | LibFn::Syslog
            | LibFn::Err
            | LibFn::Error
    ) || !f.effects().unsupported
}

fn folders(sources: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(sources).map_err(|e| format!("{}: {e}", sources.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    found.sort();
    Ok(found)
}

/// The functions that the libraries export.
fn exported() -> Result<BTreeSet<String>, String> {
    let mut found: BTreeSet<String> = INLINE.iter().map(|n| (*n).to_owned()).collect();
    for library in LIBRARIES {
        let mut nm = Command::new("nm");
        nm.args(["-D", "--defined-only", library]);
        let Some(done) = process::run(&mut nm, Duration::from_secs(60))? else { continue };
        for line in String::from_utf8_lossy(&done.stdout).lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let [_, "T" | "W" | "i", name] = words.as_slice() {
                found.insert(name.split('@').next().unwrap_or_default().to_owned());
            }
        }
    }
    Ok(found)
}

/// Fetches the sources of the packages that are not there yet.
fn fetch(root: &Path) -> Result<PathBuf, String> {
    let sources = process::target_dir(root).join("library-calls/sources");
    let debian = Debian::new(root)?;
    for package in PACKAGES {
        if !sources.join(package).exists() {
            println!("fetching {package}");
            debian.fetch(package, &sources.join(package))?;
        }
    }
    Ok(sources)
}

/// The calls of exported functions in the C files below a folder that it does not define itself.
fn count(folder: &Path, exported: &BTreeSet<String>) -> Result<BTreeMap<String, u64>, String> {
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(folder) = todo.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() && !path.is_symlink() {
                todo.push(path);
                continue;
            }
            let is_c = path.extension().is_some_and(|e| e == "c");
            if !is_c && path.extension().is_none_or(|e| e != "h") {
                continue;
            }
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            own.extend(macros(&text));
            let plain = stripped(&text);
            for (name, rest) in before_parentheses(&plain) {
                if !exported.contains(name) {
                    continue;
                }
                if is_defined(rest) {
                    own.insert(name.to_owned());
                }
                if is_c {
                    *calls.entry(name.to_owned()).or_default() += 1;
                }
            }
        }
    }
    calls.retain(|name, _| !own.contains(name));
    Ok(calls)
}

/// The names of macros with parameters that a text defines.
fn macros(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        rest.get(end..)?.starts_with('(').then(|| rest.get(..end).unwrap_or_default().to_owned())
    })
}

/// A text without comments, texts, characters and directives.
fn stripped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut start_of_line) = (0, true);
    let next = |at: usize| bytes.get(at).copied().unwrap_or(0);
    while at < bytes.len() {
        match (next(at), next(at + 1)) {
            (b'/', b'*') => {
                at += 2;
                while at < bytes.len() && (next(at), next(at + 1)) != (b'*', b'/') {
                    at += 1;
                }
                at += 2;
                out.push(' ');
            }
            (b'/', b'/') => {
                while at < bytes.len() && next(at) != b'\n' {
                    at += 1;
                }
            }
            (b'#', _) if start_of_line => {
                while at < bytes.len() && next(at) != b'\n' {
                    at += if next(at) == b'\\' { 2 } else { 1 };
                }
            }
            (quote @ (b'"' | b'\''), _) => {
                at += 1;
                while at < bytes.len() && next(at) != quote && next(at) != b'\n' {
                    at += if next(at) == b'\\' { 2 } else { 1 };
                }
                at += 1;
                out.push(' ');
                start_of_line = false;
            }
            (b, _) => {
                start_of_line = b == b'\n' || start_of_line && b.is_ascii_whitespace();
                out.push(if b.is_ascii() { char::from(b) } else { ' ' });
                at += 1;
            }
        }
    }
    out
}

/// Names before an opening parenthesis, with the text from there on.
fn before_parentheses(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices('(').filter_map(|(at, _)| {
        let before = text.get(..at)?.trim_end();
        let name = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |i| i + 1);
        let name = before.get(name..).filter(|n| !n.is_empty())?;
        Some((name, text.get(at..)?))
    })
}

/// Whether what follows a name is the parameters and the body of a function.
fn is_defined(rest: &str) -> bool {
    let mut depth = 0usize;
    for (i, b) in rest.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return rest.get(i + 1..).is_some_and(|after| after.trim_start().starts_with('{'));
                }
            }
            b';' | b'{' | b'}' => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_definitions_and_texts() {
        let text = "#define puts(x) other(x)\n/* free(p) */ void exit(int n) { abort(); } \
                    int f(void) { return puts(\"close(1)\") + read (0, b, 1) + ')' ; }";
        let plain = stripped(text);
        let names: Vec<&str> = before_parentheses(&plain).map(|(n, _)| n).collect();
        assert_eq!(names, ["exit", "abort", "f", "puts", "read"]);
        let defined: Vec<&str> =
            before_parentheses(&plain).filter(|(_, rest)| is_defined(rest)).map(|(n, _)| n).collect();
        assert_eq!(defined, ["exit", "f"]);
        assert_eq!(macros(text).collect::<Vec<_>>(), ["puts"]);
    }
}
