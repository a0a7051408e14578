//! One process for each check.
//!
//! A check may need much memory or time; in a process of its own it can be ended without harm to the others. The process gets the
//! command line of the user with the files of one program, and answers in the form that the user wants, in JSON if that is a
//! table. Each has a limit of time and of memory, also if
//! the user gives none; one that does not keep them is ended.

use super::plan::Executable;
use super::units::Unit;
use crate::exit::Exit;
use crate::options::{Check, Form};
use crate::output;
use serde_json::Value;
use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::Path;
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

/// How often a process is asked whether it has ended.
const INTERVAL: Duration = Duration::from_millis(5);

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
        /// The report.
        report: Vec<u8>,
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

/// What is asked of every program.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub options: &'a Check,
    pub database: &'a Path,
    pub units: &'a [Unit],
    pub interrupted: &'a AtomicBool,
}

impl Question<'_> {
    /// Checks all programs, several at a time.
    pub fn ask(&self, executables: &[Executable]) -> Vec<Answer> {
        let count = executables.len();
        let answers: Vec<Mutex<Answer>> = (0..count).map(|_| Mutex::new(Answer::NotBegun)).collect();
        let next = AtomicUsize::new(0);
        let jobs = self.jobs().clamp(1, count.max(1));
        let output = &self.options.output;
        let shown = !output.quiet && (output.verbose || std::io::stderr().is_terminal());
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let (Some(executable), Some(answer)) = (executables.get(i), answers.get(i)) else {
                            break;
                        };
                        if is_set(self.interrupted) {
                            break;
                        }
                        let start = Instant::now();
                        let result = self.one(executable, jobs);
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

    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.options.analysis.jobs.unwrap_or_else(cores)
    }

    /// Whether the report on a program is shown in full.
    fn is_shown_in_full(&self) -> bool {
        self.options.source.main.is_some() && self.options.output.format == Form::Text
    }

    fn one(&self, executable: &Executable, at_once: usize) -> Answer {
        let Ok(program) = std::env::current_exe() else {
            return Answer::Failed("heapwise cannot be started".into());
        };
        let mut command = Command::new(program);
        command.args(self.arguments(executable, at_once)).stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(if self.is_shown_in_full() { Stdio::inherit() } else { Stdio::piped() });
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => return Answer::Failed(format!("heapwise cannot be started: {error}")),
        };
        let start = Instant::now();
        let limit = self.options.analysis.timeout.unwrap_or(Duration::from_secs(TIMEOUT)) + GRACE;
        let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if is_set(self.interrupted) => {
                    end(&mut child);
                    return Answer::Failed("interrupted".into());
                }
                Ok(None) if start.elapsed() > limit => {
                    end(&mut child);
                    return Answer::Failed("it did not end within its limits".into());
                }
                Ok(None) => std::thread::sleep(INTERVAL),
                Err(error) => return Answer::Failed(error.to_string()),
            }
        };
        let read = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
        let (stdout, stderr) = (read(stdout), read(stderr));
        if is_set(self.interrupted) {
            return Answer::Failed("interrupted".into());
        }
        let seconds = start.elapsed().as_secs_f64();
        let exit = [Exit::Proved, Exit::Error, Exit::Unknown]
            .into_iter()
            .find(|e| status.code() == Some(e.code().into()));
        let answer = match self.form() {
            Form::Json => {
                let parsed = serde_json::from_slice::<Value>(&stdout);
                let parsed = parsed.or_else(|_| serde_json::from_slice::<Value>(last_line(&stderr)));
                parsed.ok().map(|report| answer(&report, seconds))
            }
            // What machines read says all; the exit code is the verdict. There are no annotations where nothing was found.
            form => exit.filter(|_| form == Form::Github || !stdout.is_empty()).map(|exit| Answer::Checked {
                verdict: super::forms::verdict(exit).into(),
                first: None,
                reasons: Vec::new(),
                seconds,
                report: stdout,
            }),
        };
        answer.unwrap_or_else(|| match status.code() {
            Some(code) => Answer::Failed(format!("no answer, exit code {code}")),
            None => Answer::Failed("ended by a signal; out of memory?".into()),
        })
    }

    /// The form of each answer: a table is made of objects.
    fn form(&self) -> Form {
        match self.options.output.format {
            Form::Text if !self.is_shown_in_full() => Form::Json,
            form => form,
        }
    }

    /// The user's command line for the files of one program, of which so many are checked at once.
    fn arguments(&self, executable: &Executable, at_once: usize) -> Vec<OsString> {
        const WITH_VALUE: [&str; 9] =
            ["--main", "--link", "--format", "--jobs", "-j", "-p", "--compile-commands", "--output", "-o"];
        const A_FILE_EACH: [&str; 3] = ["--write-baseline", "--states", "--witness"];
        let options = self.options;
        let given: Vec<OsString> = std::env::args_os().skip(1).collect();
        let end = given.iter().position(|w| w == "--").unwrap_or(given.len());
        let (own, flags) = given.split_at(end);
        let mut words = Vec::new();
        let mut rest = own.iter();
        while let Some(word) = rest.next() {
            let text = word.to_string_lossy();
            let name = text.split('=').next().unwrap_or_default();
            if WITH_VALUE.contains(&name) || A_FILE_EACH.contains(&name) && options.source.main.is_none() {
                if !text.contains('=') {
                    rest.next();
                }
            } else if !text.starts_with("-p") && !matches!(&*text, "-v" | "--verbose") {
                words.push(word.clone());
            }
        }
        let form = match self.form() {
            Form::Text => "text",
            Form::Json => "json",
            Form::Sarif => "sarif",
            Form::Junit => "junit",
            Form::Github => "github",
        };
        let jobs = (self.jobs() / at_once).max(1);
        words.extend(["--format".into(), form.into(), "--jobs".into(), jobs.to_string().into()]);
        words.extend(["--compile-commands".into(), self.database.into()]);
        if options.analysis.timeout.is_none() {
            words.extend(["--timeout".into(), TIMEOUT.to_string().into()]);
        }
        if options.analysis.max_memory.is_none() {
            words.extend(["--max-memory".into(), MEMORY.to_string().into()]);
        }
        let units = executable.units.iter().filter_map(|i| self.units.get(*i));
        words.extend(units.map(|u| u.file.clone().into()));
        words.extend(flags.iter().cloned());
        words
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
    let report_text = report.to_string().into_bytes();
    Answer::Checked { verdict: text(report, "verdict"), first, reasons, seconds, report: report_text }
}
