//! Writing witnesses of verdicts, and reading those of violations to replay them.

use crate::input::InputError;
use heapwise_engine::Report;
use heapwise_engine::invariant::loop_invariants;
use heapwise_hunt::Confirmed;
use heapwise_interp::InputValue;
use heapwise_ir::{DataModel, Program};
use heapwise_property::Spec;
use heapwise_report::witness::{self, Input, Invariant, Metadata};
use saphyr::{LoadableYamlNode, Yaml};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Before the value of uninitialised bytes, among the settings of a witness.
const FILL: &str = "--uninitialised ";
/// Among the settings of a witness: whether allocations fail is an input.
const MAY_FAIL: &str = "--malloc-may-fail";
/// Between the settings of a witness.
const SEPARATOR: &str = ", ";
/// The property that nothing undefined happens, for checks of no single property.
const DEFINED: &str = "CHECK( init(main()), LTL(G def-behavior) )";
/// Before the value of an input.
const RESULT: &str = "\\result == ";

/// The witness of a violation.
pub fn violation(program: &Program, files: &[PathBuf], spec: Option<Spec>, confirmed: &Confirmed) -> String {
    let inputs: Vec<Input> = confirmed
        .run
        .draws
        .iter()
        .map(|d| Input { span: d.span, source: d.source.to_string(), value: constant(d.value) })
        .collect();
    let mut metadata = metadata(program, files, spec);
    let mut configuration = Vec::new();
    if confirmed.settings.uninitialised_fill != 0 {
        configuration.push(format!("{FILL}{}", confirmed.settings.uninitialised_fill));
    }
    if confirmed.settings.allocations_may_fail {
        configuration.push(MAY_FAIL.to_owned());
    }
    metadata.configuration = Some(configuration.join(SEPARATOR)).filter(|c| !c.is_empty());
    witness::violation(&metadata, program, &inputs, confirmed.error.span)
}

/// The witness of a proof.
pub fn correctness(program: &Program, files: &[PathBuf], spec: Option<Spec>, report: &Report) -> String {
    let name = |f| program.functions.get(f).map(|f| f.name.to_string()).unwrap_or_default();
    let invariants: Vec<Invariant> = loop_invariants(program, report)
        .into_iter()
        .map(|i| Invariant { span: i.span, function: name(i.function), value: i.facts.join(" && ") })
        .collect();
    witness::correctness(&metadata(program, files, spec), program, &invariants)
}

/// A value as a C constant that can be read back.
fn constant(value: InputValue) -> String {
    match value {
        InputValue::Int(n) => n.to_string(),
        InputValue::Float(x) => format!("{x:?}"),
    }
}

fn metadata(program: &Program, files: &[PathBuf], spec: Option<Spec>) -> Metadata {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let input_files: Vec<(String, String)> =
        files.iter().map(|f| (f.display().to_string(), hash_of(f).unwrap_or_default())).collect();
    let mut unique = Sha256::new();
    unique.update(format!("{now:?} {} {input_files:?}", std::process::id()));
    Metadata {
        uuid: uuid(&hex(&unique.finalize())),
        creation_time: timestamp(now.as_secs()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        configuration: None,
        input_files,
        specification: spec.map_or(DEFINED, Spec::formula).to_owned(),
        data_model: match program.model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        },
    }
}

fn hash_of(file: &Path) -> Option<String> {
    std::fs::read(file).ok().map(|bytes| hex(&Sha256::digest(bytes)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A UUID of version 4 from random-looking hexadecimal digits.
fn uuid(digits: &str) -> String {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!("{}-{}-4{}-a{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

/// Seconds since 1970 as date and time (RFC 3339). Years are counted from March, so that leap days end them.
fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// What it takes to replay a violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// The inputs, in order.
    pub inputs: Vec<InputValue>,
    /// The property that is violated.
    pub spec: Option<Spec>,
    /// What uninitialised bytes hold.
    pub fill: u8,
    /// Whether allocations may fail.
    pub allocations_may_fail: bool,
    /// The hashes of the program's files.
    pub hashes: Vec<String>,
}

/// Reads a violation witness.
pub fn read(path: &Path) -> Result<Replay, InputError> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| InputError::at(path, "unreadable", format!("cannot be read: {e}")))?;
    parse(&text).map_err(|message| InputError::at(path, "bad-witness", message))
}

/// Checks that a witness is about these files.
pub fn check_files(path: &Path, replay: &Replay, files: &[PathBuf]) -> Result<(), InputError> {
    for file in files {
        if hash_of(file).is_some_and(|h| !replay.hashes.contains(&h)) {
            let message = format!("is not about {}: the hash differs", file.display());
            return Err(InputError::at(path, "bad-witness", message));
        }
    }
    Ok(())
}

fn parse(text: &str) -> Result<Replay, String> {
    let documents = Yaml::load_from_str(text).map_err(|e| format!("not YAML: {}", e.info()))?;
    let entries = documents.first().and_then(|d| d.as_vec()).ok_or("not a list of entries")?;
    let entry = entries
        .iter()
        .find(|e| e.as_mapping_get("entry_type").and_then(|t| t.as_str()) == Some("violation_sequence"))
        .ok_or("there is no entry of type `violation_sequence`")?;
    let metadata = entry.as_mapping_get("metadata");
    let task = metadata.and_then(|m| m.as_mapping_get("task"));
    let specification =
        task.and_then(|t| t.as_mapping_get("specification")).and_then(|s| s.as_str()).unwrap_or_default();
    let hashes = task.and_then(|t| t.as_mapping_get("input_file_hashes")).and_then(|h| h.as_mapping());
    let configuration = metadata
        .and_then(|m| m.as_mapping_get("producer"))
        .and_then(|p| p.as_mapping_get("configuration"))
        .and_then(|c| c.as_str())
        .unwrap_or_default();
    let settings = || configuration.split(SEPARATOR);
    let mut inputs = Vec::new();
    let content = entry.as_mapping_get("content").and_then(|c| c.as_vec()).ok_or("there is no content")?;
    for segment in content {
        for step in segment.as_mapping_get("segment").and_then(|s| s.as_vec()).into_iter().flatten() {
            let Some(waypoint) = step.as_mapping_get("waypoint") else { continue };
            let is = |key: &str, what: &str| {
                waypoint.as_mapping_get(key).and_then(|v| v.as_str()).is_some_and(|v| v == what)
            };
            if !is("type", "function_return") || !is("action", "follow") {
                continue;
            }
            let value = waypoint
                .as_mapping_get("constraint")
                .and_then(|c| c.as_mapping_get("value"))
                .and_then(|v| v.as_str())
                .unwrap_or_default();
            let number = value.strip_prefix(RESULT).ok_or_else(|| format!("`{value}` gives no value"))?;
            let parsed = number.parse().map(InputValue::Int).ok();
            let parsed = parsed.or_else(|| number.parse().map(InputValue::Float).ok());
            inputs.push(parsed.ok_or_else(|| format!("`{number}` is no number"))?);
        }
    }
    Ok(Replay {
        inputs,
        spec: Spec::parse(specification),
        fill: settings().find_map(|s| s.strip_prefix(FILL)?.parse().ok()).unwrap_or(0),
        allocations_may_fail: settings().any(|s| s == MAY_FAIL),
        hashes: hashes
            .map(|h| h.iter().filter_map(|(_, v)| v.as_str().map(str::to_owned)).collect())
            .unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(timestamp(1_709_251_200), "2024-03-01T00:00:00Z");
    }

    #[test]
    fn uuids_have_their_form() {
        let name = uuid(&hex(&Sha256::digest("x")));
        assert_eq!(name.len(), 36);
        assert_eq!(name.as_bytes()[14], b'4');
    }

    #[test]
    fn what_is_no_violation_is_refused() {
        assert!(parse("x: 1").is_err());
        assert!(parse("- entry_type: invariant_set\n  content: []").is_err());
    }
}
