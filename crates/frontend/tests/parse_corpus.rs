//! The parser over text that it did not choose: the system's headers, task files of a public collection, and
//! random damage to both.

#![allow(clippy::print_stderr)]

use heapwise_frontend::parser::{ParsedUnit, parse_unit};
use heapwise_frontend::symbol::Interner;
use heapwise_ir::SourceMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

fn parse(name: &str, text: &str) -> (ParsedUnit, SourceMap) {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let base = sources.add(name, Arc::from(text)).expect("small enough");
    let unit = parse_unit(text, base, &mut sources, &mut interner);
    (unit, sources)
}

/// Fails with all diagnostics, each with its place.
fn parse_clean(name: &str, text: &str) -> ParsedUnit {
    let (unit, sources) = parse(name, text);
    let mut report = String::new();
    for d in &unit.diagnostics {
        let _ = writeln!(report, "{}: {} [{}]", sources.describe(d.span), d.message, d.code);
    }
    assert!(report.is_empty(), "{name}:\n{report}");
    unit
}

/// What the C preprocessor makes of `text`; `None` without a preprocessor or without the headers.
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

const HEADERS: &str = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal \
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar \
    wchar wctype aio arpa/inet byteswap cpio dirent dlfcn elf endian err error execinfo fcntl features fmtmsg \
    fnmatch fts ftw getopt glob grp iconv ifaddrs langinfo libgen link malloc mntent monetary mqueue net/if \
    netdb netinet/in netinet/ip netinet/tcp netinet/udp nl_types obstack poll printf pthread pty pwd regex \
    resolv sched search semaphore shadow spawn strings sys/epoll sys/eventfd sys/file sys/inotify sys/ioctl \
    sys/ipc sys/mman sys/mount sys/msg sys/param sys/poll sys/prctl sys/ptrace sys/random sys/resource sys/select \
    sys/sem sys/sendfile sys/shm sys/signalfd sys/socket sys/stat sys/statfs sys/statvfs sys/syscall sys/sysinfo \
    sys/time sys/timerfd sys/times sys/types sys/uio sys/un sys/user sys/utsname sys/wait sys/xattr syslog tar \
    termios ucontext ulimit unistd utime utmpx wait wordexp";

#[test]
fn all_headers_of_the_c_library() {
    let mut parsed = 0;
    for flags in
        [&[][..], &["-D_GNU_SOURCE"], &["-std=c17"], &["-std=gnu2x", "-D_GNU_SOURCE", "-O2"], &["-m32"]]
    {
        // Not every system has every header: leave out those that the preprocessor does not find.
        let mut includes = String::new();
        for header in HEADERS.split_whitespace() {
            let _ = writeln!(includes, "#if __has_include(<{header}.h>)\n#include <{header}.h>\n#endif");
        }
        let Some(text) = preprocess(&includes, flags) else {
            eprintln!("skipped {flags:?}: no preprocessor or no headers");
            continue;
        };
        let unit = parse_clean("headers.c", &text);
        parsed = parsed.max(unit.unit.items.len());
    }
    assert!(parsed == 0 || parsed > 2_000, "only {parsed} declarations");
}

fn task_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/svbench/c");
    let mut files = Vec::new();
    for family in std::fs::read_dir(root).into_iter().flatten().flatten() {
        for file in std::fs::read_dir(family.path()).into_iter().flatten().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|e| e == "i" || e == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn all_verification_tasks() {
    let files = task_files();
    if files.is_empty() {
        eprintln!("skipped: no task files beside the repository");
    }
    for file in files {
        let mut text = String::from_utf8_lossy(&std::fs::read(&file).expect("readable")).into_owned();
        if file.extension().is_some_and(|e| e == "c") {
            match preprocess(&text, &["-m32"]) {
                Some(preprocessed) => text = preprocessed,
                None => continue,
            }
        }
        parse_clean(&file.display().to_string(), &text);
    }
}

/// A small pseudo-random source: the damage is the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Cuts text into words, numbers and single other characters.
fn crumbs(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (crumb, tail) = rest.split_at(length);
        out.push(crumb);
        rest = tail;
    }
    out
}

#[test]
fn damaged_programs_give_diagnostics_and_nothing_worse() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut programs: Vec<String> = Vec::new();
    for folder in std::fs::read_dir(root).into_iter().flatten().flatten() {
        for file in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            programs.extend(std::fs::read_to_string(file.path()).ok());
        }
    }
    programs.push(BUILT_IN.to_owned());
    programs.sort();
    let mut dice = Dice(1);
    let mut broken = 0;
    for program in &programs {
        // Directives would end most runs early.
        let text: String =
            program.lines().filter(|l| !l.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
        let crumbs = crumbs(&text);
        for _ in 0..6 {
            let mut damaged = crumbs.clone();
            for _ in 0..1 + dice.below(4) {
                let at = dice.below(damaged.len());
                match dice.below(4) {
                    0 => {
                        drop(damaged.drain(at..(at + 1 + dice.below(3)).min(crumbs.len()).min(damaged.len())))
                    }
                    1 => damaged.insert(at, crumbs[dice.below(crumbs.len())]),
                    2 => damaged[at] = crumbs[dice.below(crumbs.len())],
                    _ => damaged.truncate(at.max(1)),
                }
            }
            let (unit, sources) = parse("damaged.c", &damaged.concat());
            broken += usize::from(!unit.diagnostics.is_empty());
            for d in &unit.diagnostics {
                assert!(sources.location(d.span.lo).is_some() && d.span.lo <= d.span.hi, "{d:?}");
            }
        }
    }
    assert!(broken > programs.len(), "damage was hardly ever noticed: {broken} of {}", programs.len() * 6);
}

const BUILT_IN: &str = r#"
typedef struct node { struct node *next; int : 3; union { int a; float b; }; char name[]; } node;
static inline int f(node *restrict n, int (*g)(const node *), ...) __attribute__((nonnull(1)));
int knr(a, b) int a; char *b; { return a + *b; }
int f(node *restrict n, int (*g)(const node *), ...) {
    for (int i = 0; i < 10; i++) { switch (i) { case 1 ... 3: continue; default: goto out; } }
out:
    asm volatile("" : "=r"(n) : "r"(g), [x] "m"(*n) : "memory");
    return ({ __typeof__(n->a) y = _Generic(n->a, int: 1, default: 2); y ?: sizeof(int[y]); }) + (node){.a = 1}.a;
}
enum e { A = 'a', B = 0x1p3 > 1, C }; int m[][2] = { [0 ... 3] = { 1, 2 }, { "x" L"y"[0] } };
"#;
