//! Answers as lines, CSV and JSON, and their sums per property.

use super::definition::{Definition, Question};
use super::score::{ByProperty, Judgement, Tally, points};
use super::worker::Outcome;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A question with its answer.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The task.
    pub task: &'a Definition,
    /// What was asked.
    pub question: &'a Question,
    /// What was answered.
    pub outcome: Outcome,
}

impl Row<'_> {
    /// The name of the task, without the ending.
    pub fn name(&self) -> String {
        self.task.path.with_extension("").display().to_string()
    }
    /// The directory that holds the task: its family.
    pub fn family(&self) -> String {
        let parent = self.task.path.parent().and_then(|p| p.file_name());
        parent.map_or_else(|| ".".into(), |p| p.to_string_lossy().into_owned())
    }
    fn expected(&self) -> String {
        match (self.question.expected, &self.question.subproperty) {
            (Some(true), _) => "true".into(),
            (Some(false), Some(part)) => format!("false({part})"),
            (Some(false), None) => "false".into(),
            (None, _) => "?".into(),
        }
    }
    fn answer(&self) -> String {
        match &self.outcome.subproperty {
            Some(part) => format!("{}({part})", self.outcome.answer.name()),
            None => self.outcome.answer.name().into(),
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let mark = match self.outcome.judgement {
            Judgement::Correct => "ok   ",
            Judgement::Wrong => "WRONG",
            Judgement::Open => "-    ",
        };
        let memory = self.outcome.memory.map_or_else(String::new, |m| format!("{m:.0}MB"));
        let mut line = format!(
            "{mark} {:<16} {:<22} expected {:<22} {:>6.2}s {memory:>6}  {}",
            self.question.spec.name(),
            self.answer(),
            self.expected(),
            self.outcome.seconds,
            self.name(),
        );
        if let Some(cause) = &self.outcome.cause {
            let _ = write!(line, "  [{cause}] {}", self.outcome.reason.as_deref().unwrap_or_default());
        }
        line.trim_end().to_owned()
    }

    /// One record.
    pub fn json(&self) -> Value {
        json!({
            "task": self.task.path.display().to_string(),
            "family": self.family(),
            "property": self.question.spec.name(),
            "verdict": self.outcome.answer.name(),
            "subproperty": self.outcome.subproperty,
            "expected": self.question.expected,
            "expected_subproperty": self.question.subproperty,
            "correct": match self.outcome.judgement {
                Judgement::Correct => Value::Bool(true),
                Judgement::Wrong => Value::Bool(false),
                Judgement::Open => Value::Null,
            },
            "points": points(self.outcome.answer, self.outcome.judgement),
            "seconds": self.outcome.seconds,
            "megabytes": self.outcome.memory,
            "cause": self.outcome.cause,
            "reason": self.outcome.reason,
        })
    }
}

/// The sums per property.
pub fn tally(rows: &[Row<'_>]) -> ByProperty {
    let mut sums = ByProperty::new();
    for row in rows {
        sums.entry(row.question.spec).or_default().add(
            row.outcome.answer,
            row.outcome.judgement,
            row.question.expected,
        );
    }
    sums
}

/// The sum of sums.
pub fn total(sums: &ByProperty) -> Tally {
    sums.values().fold(Tally::default(), |mut t, s| {
        t.questions += s.questions;
        t.correct_true += s.correct_true;
        t.correct_false += s.correct_false;
        t.wrong += s.wrong;
        t.score += s.score;
        t.most += s.most;
        t
    })
}

/// The summary for people.
pub fn summary(rows: &[Row<'_>], seconds: f64) -> String {
    let sums = tally(rows);
    let mut out = format!(
        "\n{:<18} {:>5} {:>6} {:>6} {:>7} {:>6}   score\n",
        "property", "tasks", "true", "false", "unknown", "wrong"
    );
    let mut write = |name: &str, t: &Tally| {
        let unknown = t.questions - t.solved() - t.wrong;
        let _ = writeln!(
            out,
            "{name:<18} {:>5} {:>6} {:>6} {unknown:>7} {:>6}   {} of {}",
            t.questions, t.correct_true, t.correct_false, t.wrong, t.score, t.most
        );
    };
    for (spec, tally) in &sums {
        write(spec.name(), tally);
    }
    write("all", &total(&sums));
    let mut times: Vec<f64> = rows.iter().map(|r| r.outcome.seconds).collect();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let _ = writeln!(out, "\n{seconds:.0} s in all, median {median:.2} s");
    out
}

/// All records as comma-separated values, with a line of names.
pub fn csv(rows: &[Row<'_>]) -> String {
    let mut out = "task,property,verdict,subproperty,expected,expected_subproperty,judgement,points,seconds,\
                   megabytes,cause,reason\n"
        .to_owned();
    for row in rows {
        let judgement = match row.outcome.judgement {
            Judgement::Correct => "correct",
            Judgement::Wrong => "wrong",
            Judgement::Open => "open",
        };
        let fields = [
            row.task.path.display().to_string(),
            row.question.spec.name().into(),
            row.outcome.answer.name().into(),
            row.outcome.subproperty.clone().unwrap_or_default(),
            row.question.expected.map(|e| e.to_string()).unwrap_or_default(),
            row.question.subproperty.clone().unwrap_or_default(),
            judgement.into(),
            points(row.outcome.answer, row.outcome.judgement).to_string(),
            format!("{:.3}", row.outcome.seconds),
            row.outcome.memory.map(|m| format!("{m:.1}")).unwrap_or_default(),
            row.outcome.cause.clone().unwrap_or_default(),
            row.outcome.reason.clone().unwrap_or_default(),
        ];
        let fields: Vec<String> = fields.iter().map(|f| quoted(f)).collect();
        let _ = writeln!(out, "{}", fields.join(","));
    }
    out
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_csv_needs_it() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
