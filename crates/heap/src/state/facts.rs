//! Numeric facts of a state, and states put side by side.

use super::State;
use crate::numbers::{Linear, Pure};
use crate::value::Val;
use heapwise_numeric::{Interval, Numeric};

impl State {
    /// What is known of numbers.
    pub fn numbers(&self) -> &Pure {
        &self.pure
    }

    /// From now on numbers are also described by an element of that domain.
    pub fn refine_numbers(&mut self, by: Numeric) {
        self.pure.refine(by);
    }

    /// Where a value lies.
    pub fn range(&self, v: Val) -> Interval {
        self.pure.range(v)
    }

    /// Where a linear form lies.
    pub fn interval(&self, form: &Linear) -> Interval {
        self.pure.interval(form)
    }

    /// A value as a linear form of symbols that are not defined by others.
    pub fn linear(&self, v: Val) -> Option<Linear> {
        self.pure.linear(v)
    }

    /// Whether `a ≤ b`, with `strict` `a < b`, is known.
    pub fn knows_le(&self, a: Val, b: Val, strict: bool) -> bool {
        self.pure.knows_le(a, b, strict)
    }

    /// Whether a linear form is known not to be negative.
    pub fn is_not_negative(&self, form: &Linear) -> bool {
        self.pure.is_not_negative(form)
    }

    /// Learns that a value lies in a range.
    pub fn assume_in(&mut self, v: Val, range: Interval) -> bool {
        self.pure.assume_in(v, range)
    }

    /// Learns `a ≤ b`, with `strict` `a < b`.
    pub fn assume_le(&mut self, a: Val, b: Val, strict: bool) -> bool {
        self.pure.assume_le(a, b, strict)
    }

    /// Notes `a ≠ b` as a fact about numbers; unlike with [`State::assume_ne`] nothing follows for summaries.
    pub fn note_ne(&mut self, a: Val, b: Val) -> bool {
        self.pure.assume_ne(a, b)
    }

    /// The separating conjunction: adds the memory of another state, which knows symbols by the same names.
    pub fn add_memory_of(&mut self, other: &State) {
        self.objects.extend(other.objects.iter().map(|(s, o)| (*s, o.clone())));
        self.summaries.extend(other.summaries.iter().cloned());
    }

    /// Adds the memory of another state, and all that it knows.
    pub fn conjoin(&mut self, other: &State) -> bool {
        self.add_memory_of(other);
        self.dead.extend(&other.dead);
        self.points_to.extend(other.points_to.iter().map(|(s, at)| (*s, at.clone())));
        self.pure.conjoin(&other.pure)
    }
}
