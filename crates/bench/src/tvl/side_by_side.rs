//! C programs by three-valued logic and by the default domain, each without concrete runs: what they say and how long it takes.
//!
//! Reading and translating the program to the intermediate representation is not measured. Of several runs the fastest counts; what is not
//! proved runs once.

use crate::lists::programs;
use crate::measure::{analysed, judged, median, parse};
use crate::options::Options;
use heapwise_cli::clock;
use heapwise_cli::commands::check::Prepared;
use heapwise_cli::exit::Exit;
use heapwise_cli::options::Format;
use heapwise_cli::output;
use heapwise_tvl_c::analyse;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Seconds for each program, if nothing else is said.
const TIMEOUT: u64 = 5;
/// What is faster than this is as fast as anything: the clock and the caches decide.
const NOTHING: f64 = 10.0;
/// How many times slower than the default domain a proof may be.
const SLOWER: f64 = 3.0;

struct Row {
    program: String,
    default: (&'static str, f64),
    three_valued: (&'static str, f64),
    /// Why it is not proved by three-valued logic.
    reason: Option<String>,
}

impl Row {
    /// How many times slower three-valued logic is, if both prove the program.
    fn ratio(&self) -> Option<f64> {
        let both = self.default.0 == "proved" && self.three_valued.0 == "proved";
        both.then(|| self.three_valued.1.max(NOTHING) / self.default.1.max(NOTHING))
    }
}

/// Measures and prints a table.
pub fn run(options: &Options) -> Exit {
    let rows: Result<Vec<Row>, Exit> =
        programs(options).and_then(|all| all.iter().map(|path| row(options, path)).collect());
    match rows {
        Ok(rows) => {
            output::print(&match options.format {
                Format::Text => text(&rows),
                Format::Json => json(&rows),
            });
            Exit::Proved
        }
        Err(exit) => exit,
    }
}

fn row(options: &Options, path: &Path) -> Result<Row, Exit> {
    let seconds = options.timeout.unwrap_or(TIMEOUT);
    let mut line: Vec<OsString> = vec!["heapwise".into(), "check".into(), "--timeout".into()];
    line.extend([seconds.to_string().into(), path.as_os_str().to_owned()]);
    let prepared = Prepared::new(&parse(line)?)?;
    let settings = heapwise_tvl_c::Options {
        properties: prepared.settings.properties,
        timeout: Some(Duration::from_secs(seconds)),
        ..heapwise_tvl_c::Options::default()
    };
    let best = |run: &mut dyn FnMut() -> (&'static str, f64)| {
        let mut best = run();
        for _ in 1..options.runs {
            if best.0 != "proved" {
                break;
            }
            let again = run();
            best.1 = best.1.min(again.1);
        }
        best
    };
    let default = best(&mut || {
        let measured = analysed(&prepared.program, &prepared.settings);
        (judged(&measured.verdict).0, measured.time.as_secs_f64() * 1e3)
    });
    let mut reason = None;
    let three_valued = best(&mut || {
        let (report, time) = clock::timed(|| analyse(&prepared.program, &settings));
        let refused = report.refusals.first().map(|r| r.reason.clone());
        reason = refused.or_else(|| report.alarms.first().map(|a| a.message.clone()));
        (if report.is_proved() { "proved" } else { "unknown" }, time.as_secs_f64() * 1e3)
    });
    Ok(Row { program: path.display().to_string(), default, three_valued, reason })
}

fn text(rows: &[Row]) -> String {
    let mut out =
        format!("{:<52} {:>10} {:>9} {:>10} {:>9} {:>7}\n", "program", "default", "ms", "tvl", "ms", "ratio");
    for row in rows {
        let ratio = row.ratio().map_or_else(String::new, |r| format!("{r:.1}"));
        let reason = row.reason.as_deref().unwrap_or_default();
        let line = format!(
            "{:<52} {:>10} {:>9.1} {:>10} {:>9.1} {ratio:>7}  {reason}",
            row.program, row.default.0, row.default.1, row.three_valued.0, row.three_valued.1
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let proved =
        |verdict: &dyn Fn(&Row) -> &'static str| rows.iter().filter(|r| verdict(r) == "proved").count();
    let ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    let slower = ratios.iter().filter(|r| **r > SLOWER).count();
    let _ = writeln!(
        out,
        "{} programs: {} proved by the default domain, {} by three-valued logic, {} by both; median ratio {:.1}, {slower} more \
         than {SLOWER} times slower",
        rows.len(),
        proved(&|r| r.default.0),
        proved(&|r| r.three_valued.0),
        ratios.len(),
        median(ratios.clone()).unwrap_or(0.0),
    );
    out
}

fn json(rows: &[Row]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "program": row.program,
                "default": { "verdict": row.default.0, "milliseconds": row.default.1 },
                "three_valued": { "verdict": row.three_valued.0, "milliseconds": row.three_valued.1 },
                "ratio": row.ratio(), "reason": row.reason,
            })
        })
        .collect();
    format!("{}\n", serde_json::json!({ "rows": rows }))
}
