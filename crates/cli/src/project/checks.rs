//! One process for each check.
//!
//! A check may need much memory or time; in a process of its own it can be ended without harm to the others. The process gets the
//! command line of the user with the files of one program, and answers in JSON. Each has a limit of time and of memory, also if
//! the user gives none; one that does not keep them is ended.

use super::plan::Executable;
use super::units::Unit;
use crate::options::Check;
use crate::output;
use serde_json::Value;
use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Seconds for one program, if the user does not say.
const TIMEOUT: u64 = 60;

/// Megabytes for one program, if the user does not say.
const MEMORY: u64 = 1500;

/// How much longer a process may take than its limit before it is ended.
const GRACE: Duration = Duration::from_secs(60);

/// What came of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Not begun, as the user interrupted.
    NotBegun,
    /// Ended from outside, or without an answer.
    Failed(String),
    /// Checked.
    Checked {
        /// The verdict in words.
        verdict: String,
        /// The first error, or else the first cause of not knowing: code, sentence, place.
        first: Option<(String, String, String)>,
        /// Codes of all that is not known.
        reasons: Vec<String>,
        /// Seconds.
        seconds: f64,
    },
}

/// Whether the user has interrupted.
pub fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

/// A flag that is set when the user interrupts.
pub fn watch_interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    // Without a handler an interrupt ends everything at once, as always.
    let _ = ctrlc::set_handler(move || seen.store(true, Ordering::Relaxed));
    flag
}

/// Checks all programs, several at a time.
pub fn all(
    options: &Check,
    units: &[Unit],
    executables: &[Executable],
    interrupted: &AtomicBool,
) -> Vec<Answer> {
    let count = executables.len();
    let answers: Vec<Mutex<Answer>> = (0..count).map(|_| Mutex::new(Answer::NotBegun)).collect();
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = options.analysis.jobs.unwrap_or(cores).clamp(1, count.max(1));
    let shown = !options.output.quiet && (options.output.verbose || std::io::stderr().is_terminal());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(executable), Some(answer)) = (executables.get(i), answers.get(i)) else {
                        break;
                    };
                    if is_set(interrupted) {
                        break;
                    }
                    let start = Instant::now();
                    let result = one(options, units, executable, interrupted);
                    if shown {
                        let seconds = start.elapsed().as_secs_f64();
                        let word = match &result {
                            Answer::Checked { verdict, .. } => verdict,
                            Answer::Failed(_) | Answer::NotBegun => "not answered",
                        };
                        output::eprint(&format!(
                            "[{} of {count}] {}: {word}, {seconds:.1} s\n",
                            i + 1,
                            executable.name
                        ));
                    }
                    if let Ok(mut slot) = answer.lock() {
                        *slot = result;
                    }
                }
            });
        }
    });
    answers.into_iter().map(|a| a.into_inner().unwrap_or(Answer::NotBegun)).collect()
}

fn one(options: &Check, units: &[Unit], executable: &Executable, interrupted: &AtomicBool) -> Answer {
    let Ok(program) = std::env::current_exe() else {
        return Answer::Failed("heapwise cannot be started".into());
    };
    let mut command = Command::new(program);
    command.args(arguments(options, units, executable));
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Answer::Failed(format!("heapwise cannot be started: {error}")),
    };
    let start = Instant::now();
    let limit = options.analysis.timeout.unwrap_or(Duration::from_secs(TIMEOUT)) + GRACE;
    let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if is_set(interrupted) => {
                end(&mut child);
                return Answer::Failed("interrupted".into());
            }
            Ok(None) if start.elapsed() > limit => {
                end(&mut child);
                return Answer::Failed("it did not end within its limits".into());
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Answer::Failed(error.to_string()),
        }
    };
    let read = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
    let (stdout, stderr) = (read(stdout), read(stderr));
    if is_set(interrupted) {
        return Answer::Failed("interrupted".into());
    }
    let parsed = serde_json::from_slice::<Value>(&stdout);
    let parsed = parsed.or_else(|_| serde_json::from_slice::<Value>(last_line(&stderr)));
    match parsed {
        Ok(report) => answer(&report, start.elapsed().as_secs_f64()),
        Err(_) => match status.code() {
            Some(code) => Answer::Failed(format!("no answer, exit code {code}")),
            None => Answer::Failed("ended by a signal; out of memory?".into()),
        },
    }
}

fn last_line(text: &[u8]) -> &[u8] {
    text.split(|b| *b == b'\n').rfind(|line| !line.is_empty()).unwrap_or_default()
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// The user's command line for the files of one program.
fn arguments(options: &Check, units: &[Unit], executable: &Executable) -> Vec<OsString> {
    const WITH_VALUE: [&str; 10] = [
        "--main",
        "--link",
        "--format",
        "--output",
        "-o",
        "--jobs",
        "-j",
        "--write-baseline",
        "--states",
        "--witness",
    ];
    let given: Vec<OsString> = std::env::args_os().skip(1).collect();
    let end = given.iter().position(|w| w == "--").unwrap_or(given.len());
    let (own, flags) = given.split_at(end);
    let mut words = Vec::new();
    let mut rest = own.iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        let name = text.split('=').next().unwrap_or_default();
        if WITH_VALUE.contains(&name) {
            if !text.contains('=') {
                rest.next();
            }
        } else if !matches!(&*text, "-v" | "--verbose") {
            words.push(word.clone());
        }
    }
    words.extend(["--format", "json", "--jobs", "1"].map(OsString::from));
    if options.analysis.timeout.is_none() {
        words.extend(["--timeout".into(), TIMEOUT.to_string().into()]);
    }
    if options.analysis.max_memory.is_none() {
        words.extend(["--max-memory".into(), MEMORY.to_string().into()]);
    }
    words.extend(executable.units.iter().filter_map(|i| units.get(*i)).map(|u| u.file.clone().into()));
    words.extend(flags.iter().cloned());
    words
}

fn answer(report: &Value, seconds: f64) -> Answer {
    let text = |v: &Value, key: &str| v.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let empty = Vec::new();
    let findings = report.get("findings").and_then(Value::as_array).unwrap_or(&empty);
    let counts = |f: &&Value| text(f, "severity") != "note";
    let first = findings
        .iter()
        .filter(|f| text(f, "severity") == "error")
        .chain(findings.iter().filter(counts))
        .next()
        .map(|f| {
            let place = f.get("place").unwrap_or(&Value::Null);
            let line = place.get("line").and_then(Value::as_u64).map_or(String::new(), |l| format!(":{l}"));
            (text(f, "code"), text(f, "message"), format!("{}{line}", text(place, "file")))
        });
    let mut reasons: Vec<String> = findings.iter().filter(counts).map(|f| text(f, "code")).collect();
    reasons.sort_unstable();
    reasons.dedup();
    Answer::Checked { verdict: text(report, "verdict"), first, reasons, seconds }
}
