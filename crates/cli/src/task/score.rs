//! What answers are worth: a correct `true` 2 points, a correct `false` 1, a wrong `false` (a false alarm) −16, a wrong
//! `true` (a missed bug) −32, anything else nothing.

use heapwise_property::Spec;
use std::collections::BTreeMap;

/// An answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// The property holds.
    True,
    /// It is violated.
    False,
    /// Neither was shown.
    Unknown,
}

impl Answer {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Answer::True => "true",
            Answer::False => "false",
            Answer::Unknown => "unknown",
        }
    }
}

/// How an answer compares with what is expected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Judgement {
    /// It is the one expected.
    Correct,
    /// It is not.
    Wrong,
    /// Nothing was answered, or nothing was expected.
    Open,
}

/// Compares an answer, and for a violation its sub-property, with what is expected.
pub fn judge(
    answer: Answer,
    sub: Option<&str>,
    expected: Option<bool>,
    expected_sub: Option<&str>,
) -> Judgement {
    let same_part = match (sub, expected_sub) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    match (answer, expected) {
        (Answer::Unknown, _) | (_, None) => Judgement::Open,
        (Answer::True, Some(true)) => Judgement::Correct,
        (Answer::False, Some(false)) if same_part => Judgement::Correct,
        _ => Judgement::Wrong,
    }
}

/// Points of an answer.
pub fn points(answer: Answer, judgement: Judgement) -> i64 {
    match (judgement, answer) {
        (Judgement::Correct, Answer::True) => 2,
        (Judgement::Correct, Answer::False) => 1,
        (Judgement::Wrong, Answer::True) => -32,
        (Judgement::Wrong, Answer::False) => -16,
        _ => 0,
    }
}

/// Points that could be had where this verdict is expected.
pub fn most_points(expected: Option<bool>) -> i64 {
    match expected {
        Some(true) => 2,
        Some(false) => 1,
        None => 0,
    }
}

/// Sums over some questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Questions.
    pub questions: usize,
    /// Correct answers `true`.
    pub correct_true: usize,
    /// Correct answers `false`.
    pub correct_false: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Points.
    pub score: i64,
    /// Points that could be had.
    pub most: i64,
}

impl Tally {
    /// Counts an answer.
    pub fn add(&mut self, answer: Answer, judgement: Judgement, expected: Option<bool>) {
        self.questions += 1;
        match (judgement, answer) {
            (Judgement::Correct, Answer::True) => self.correct_true += 1,
            (Judgement::Correct, _) => self.correct_false += 1,
            (Judgement::Wrong, _) => self.wrong += 1,
            (Judgement::Open, _) => {}
        }
        self.score += points(answer, judgement);
        self.most += most_points(expected);
    }
    /// Questions that were answered correctly.
    pub fn solved(&self) -> usize {
        self.correct_true + self.correct_false
    }
}

/// Sums per property.
pub type ByProperty = BTreeMap<Spec, Tally>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_cost_more_than_right_ones_give() {
        let value = |answer, expected| points(answer, judge(answer, None, Some(expected), None));
        assert_eq!(value(Answer::True, true), 2);
        assert_eq!(value(Answer::False, false), 1);
        assert_eq!(value(Answer::False, true), -16);
        assert_eq!(value(Answer::True, false), -32);
        assert_eq!(value(Answer::Unknown, true), 0);
        let other = judge(Answer::False, Some("valid-free"), Some(false), Some("valid-deref"));
        assert_eq!(points(Answer::False, other), -16);
        assert_eq!(judge(Answer::False, Some("valid-free"), None, None), Judgement::Open);
    }
}
