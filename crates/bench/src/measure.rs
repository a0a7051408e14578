//! What all topics share: an analysis with the time that it took, and the answer as words.

use crate::options::Options;
use heapwise_cli::commands::check::Prepared;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::{Check, Cli, Command};
use heapwise_cli::{clock, output};
use heapwise_engine::Statistics;
use heapwise_engine::{Hunt, Report, Verdict, check};
use heapwise_ir::Program;
use std::ffi::OsString;
use std::time::Duration;

/// An analysis and how long it took.
pub struct Measured {
    /// What it says.
    pub verdict: Verdict,
    /// How it came to that.
    pub report: Report,
    /// On the processor if the system tells, else on the clock.
    pub time: Duration,
}

/// The options of a command line of `heapwise check`.
pub fn parse(line: Vec<OsString>) -> Result<Check, Exit> {
    match Cli::parse_line(line) {
        Ok(Cli { command: Command::Check(check), .. }) => Ok(*check),
        _ => {
            output::error("the command line of a benchmark is not understood, a defect of heapwise");
            Err(Exit::Internal)
        }
    }
}

/// The whole check: analysis and concrete runs.
pub fn checked(prepared: &Prepared) -> Measured {
    timed(&prepared.program, &prepared.settings, &Hunt::default())
}

/// The analysis alone, without concrete runs.
pub fn analysed(program: &Program, settings: &heapwise_engine::Options) -> Measured {
    timed(program, settings, &Hunt { runs: 0, ..Hunt::default() })
}

fn timed(program: &Program, settings: &heapwise_engine::Options, hunt: &Hunt) -> Measured {
    let ((verdict, report), time) = clock::timed(|| check(program, settings, hunt));
    Measured { verdict, report, time }
}

/// The fastest of several runs of a command line of `heapwise check`, and its statistics with the imprecise joins of the
/// first one, in which they are counted; what is not proved runs once.
pub fn fastest(options: &Options, line: Vec<OsString>) -> Result<(Measured, Statistics), Exit> {
    let check = Check { stats: true, ..parse(line)? };
    let mut prepared = Prepared::new(&check)?;
    let mut best = analysed(&prepared.program, &prepared.settings);
    let lossy_joins = best.report.statistics.lossy_joins;
    prepared.settings.count_losses = false;
    for _ in 0..options.runs {
        if judged(&best.verdict).0 != "proved" {
            break;
        }
        let measured = analysed(&prepared.program, &prepared.settings);
        if measured.time < best.time {
            best = measured;
        }
    }
    let statistics = Statistics { lossy_joins, ..best.report.statistics };
    Ok((best, statistics))
}

/// Name of a verdict, and of the first alarm behind it.
pub fn judged(verdict: &Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Proved => ("proved", None),
        Verdict::Error(_) => ("error", None),
        Verdict::Unknown(alarms) => ("unknown", alarms.first().map(|a| a.kind.name())),
    }
}

/// The middle of some times.
pub fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}
