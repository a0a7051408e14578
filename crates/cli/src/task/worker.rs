//! One question, one process: `heapwise check --spec …` under limits of time and memory, so that a crash costs that
//! question only.
//!
//! The child is told both limits and keeps them itself as long as it can; a child that does not end some time after
//! its limit is killed. Its report comes as one JSON object on standard output.

use super::definition::{Definition, Question};
use super::score::{Answer, Judgement, judge};
use heapwise_ir::DataModel;
use serde_json::Value;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Who answers a question, and its limits.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The executable of `heapwise`.
    pub heapwise: PathBuf,
    /// Seconds on the clock.
    pub timeout: u64,
    /// Megabytes.
    pub memory: u64,
    /// Where to put witnesses.
    pub witnesses: Option<PathBuf>,
}

/// How long a child may go on after its time is over.
const GRACE: Duration = Duration::from_secs(5);
/// How often a child is looked at, at first and at most.
const POLL: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// The answer to a question, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// What is violated.
    pub subproperty: Option<String>,
    /// Compared with what is expected.
    pub judgement: Judgement,
    /// Why there is no answer: a stable code.
    pub cause: Option<String>,
    /// The same in words, with the place.
    pub reason: Option<String>,
    /// Seconds on the clock.
    pub seconds: f64,
    /// Megabytes at the most.
    pub memory: Option<f64>,
}

/// Puts a question to a process of its own.
pub fn ask(task: &Definition, question: &Question, limits: &Limits) -> Outcome {
    let start = Instant::now();
    let mut outcome = match spawn(task, question, limits) {
        Ok(child) => attend(child, limits),
        Err(error) => unknown("no-process", format!("the process cannot be started: {error}")),
    };
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome.judgement = judge(
        outcome.answer,
        outcome.subproperty.as_deref(),
        question.expected,
        question.subproperty.as_deref(),
    );
    outcome
}

fn spawn(task: &Definition, question: &Question, limits: &Limits) -> std::io::Result<Child> {
    let mut command = Command::new(&limits.heapwise);
    command.args(["check", "--jobs", "1", "--format", "json", "--spec", question.spec.name()]);
    command.arg("--timeout").arg(limits.timeout.to_string());
    command.arg("--max-memory").arg(limits.memory.to_string());
    command.arg(match task.model {
        DataModel::Ilp32 => "--m32",
        DataModel::Lp64 => "--m64",
    });
    if let Some(dir) = &limits.witnesses {
        let stem = task.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{stem}.{}.witness.yml", question.spec.name());
        command.arg("--witness").arg(dir.join(name));
    }
    command.args(&task.input_files).args(["--", "-w"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
}

fn unknown(cause: &str, reason: String) -> Outcome {
    Outcome {
        answer: Answer::Unknown,
        subproperty: None,
        judgement: Judgement::Open,
        cause: Some(cause.to_owned()),
        reason: Some(reason),
        seconds: 0.0,
        memory: None,
    }
}

/// Waits for a child, reads its report, kills it if it does not end.
fn attend(mut child: Child, limits: &Limits) -> Outcome {
    let deadline = Instant::now() + Duration::from_secs(limits.timeout) + GRACE;
    // A report may be longer than a pipe holds, so it is read while the child runs.
    let reader = child.stdout.take().map(|mut out| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = out.read_to_end(&mut text);
            text
        })
    });
    let (mut pause, mut memory) = (POLL.0, None);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => {
                memory = peak_memory(child.id()).or(memory);
                std::thread::sleep(pause);
                pause = (pause * 2).min(POLL.1);
            }
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let text = reader.and_then(|r| r.join().ok()).unwrap_or_default();
    let mut outcome = match status {
        None => unknown("timeout", "killed: the time was over".into()),
        Some(status) => match serde_json::from_slice::<Value>(&text) {
            Ok(report) => read_report(&report),
            Err(_) => match status.code() {
                Some(3) => unknown("bad-input", "the program is not understood".into()),
                Some(code) => unknown("crash", format!("ended with status {code} and no report")),
                None => unknown("crash", "ended by a signal, perhaps for lack of memory".into()),
            },
        },
    };
    outcome.memory = outcome.memory.or(memory);
    outcome
}

fn read_report(report: &Value) -> Outcome {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let answer = match report["verdict"].as_str() {
        Some("proved") => Answer::True,
        Some("error") => Answer::False,
        _ => Answer::Unknown,
    };
    let finding = report["findings"].as_array().and_then(|f| {
        let own = f.iter().find(|f| f["severity"] == "warning" || f["severity"] == "error");
        own.or(f.first())
    });
    let (mut cause, mut reason) = (None, None);
    if answer == Answer::Unknown {
        cause = Some("unknown".to_owned());
        if let Some(finding) = finding {
            cause = text(&finding["code"]);
            let line = finding["place"]["line"].as_u64().map(|n| format!("line {n}: ")).unwrap_or_default();
            reason = Some(format!("{line}{}", finding["message"].as_str().unwrap_or_default()));
        }
    }
    Outcome {
        answer,
        subproperty: text(&report["subproperty"]).filter(|_| answer == Answer::False),
        judgement: Judgement::Open,
        cause,
        reason,
        seconds: 0.0,
        memory: report["peak_memory"].as_f64(),
    }
}

/// The most memory that a process had in use so far, in megabytes, where the system tells (Linux).
pub fn peak_memory(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_become_answers() {
        let read = |text: &str| read_report(&serde_json::from_str(text).expect("JSON"));
        let outcome = read(r#"{"verdict":"error","subproperty":"valid-free","findings":[]}"#);
        assert_eq!((outcome.answer, outcome.subproperty.as_deref()), (Answer::False, Some("valid-free")));
        let outcome = read(
            r#"{"verdict":"unknown","findings":[{"severity":"note","code":"x"},
            {"severity":"warning","code":"leak","message":"m","place":{"line":3}}]}"#,
        );
        assert_eq!((outcome.cause.as_deref(), outcome.reason.as_deref()), (Some("leak"), Some("line 3: m")));
        assert_eq!(read("{}").answer, Answer::Unknown);
    }
}
