//! The whole front end over text that it did not choose: the system's headers and task files of a public
//! collection. Nothing may be reported beyond notes and missing declarations, and every function must be
//! understood.

#![allow(clippy::print_stderr)]

use heapwise_frontend::{SourceUnit, compile};
use heapwise_ir::{DataModel, FunctionBody, Severity};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Everything worse than a note, except calls without a declaration, which gcc accepts too.
fn complaints(name: &str, text: &str, model: DataModel) -> (String, usize) {
    let unit = SourceUnit { name: name.into(), text: text.into() };
    let (program, diagnostics) = compile(&[unit], model);
    let mut report = String::new();
    for d in diagnostics {
        if d.severity > Severity::Note && d.code != "implicit-declaration" {
            let _ = writeln!(report, "{}: {} [{}]", program.sources.describe(d.span), d.message, d.code);
        }
    }
    let defined = |body: &FunctionBody| matches!(body, FunctionBody::Defined(_));
    let functions = program.functions.iter().filter(|f| defined(&f.body)).count();
    (report, functions)
}

fn preprocess(text: &str, flags: &[&str]) -> Option<String> {
    let mut child = Command::new("gcc")
        .args(["-E", "-xc"])
        .args(flags)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    std::io::Write::write_all(&mut child.stdin.take()?, text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

const HEADERS: &str = "assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdarg \
    stdatomic stdbool stddef stdint stdio stdlib string tgmath threads time uchar wchar wctype arpa/inet \
    byteswap dirent dlfcn elf endian err fcntl fnmatch fts ftw getopt glob grp iconv ifaddrs link malloc net/if \
    netdb netinet/in netinet/ip netinet/tcp obstack poll printf pthread pwd regex resolv sched search semaphore \
    spawn strings sys/epoll sys/ioctl sys/mman sys/param sys/ptrace sys/resource sys/select sys/socket sys/stat \
    sys/time sys/types sys/uio sys/un sys/user sys/wait syslog termios ucontext unistd utime wordexp";

#[test]
fn headers_of_the_c_library() {
    for (flags, model) in [
        (&["-D_GNU_SOURCE"][..], DataModel::Lp64),
        (&["-D_GNU_SOURCE", "-O2", "-D_FORTIFY_SOURCE=2"], DataModel::Lp64),
        (&["-std=c17"], DataModel::Lp64),
        (&["-std=gnu2x", "-D_GNU_SOURCE"], DataModel::Lp64),
        (&["-m32", "-D_GNU_SOURCE"], DataModel::Ilp32),
    ] {
        let mut includes = String::new();
        for header in HEADERS.split_whitespace() {
            let _ = writeln!(includes, "#if __has_include(<{header}.h>)\n#include <{header}.h>\n#endif");
        }
        let Some(text) = preprocess(&includes, flags) else {
            eprintln!("skipped {flags:?}: no preprocessor or no headers");
            continue;
        };
        // Fortified inline functions pass on all their arguments by a builtin that only inlining can expand.
        let (report, _) = complaints("headers.c", &text, model);
        let report: String = report.lines().filter(|l| !l.contains("va_arg_pack")).collect();
        assert!(report.is_empty(), "{flags:?}: {report}");
    }
}

fn files_below(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "i") {
            found.push(path);
        }
    }
}

#[test]
fn task_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/svbench");
    let mut files = Vec::new();
    files_below(&root, &mut files);
    if files.is_empty() {
        eprintln!("skipped: no task files at {}", root.display());
        return;
    }
    files.sort();
    let mut report = String::new();
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let (complaint, functions) = complaints(&file.display().to_string(), &text, DataModel::Ilp32);
        report.push_str(&complaint);
        if functions == 0 {
            let _ = writeln!(report, "{}: no function", file.display());
        }
    }
    assert!(report.is_empty(), "{report}");
}
