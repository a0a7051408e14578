//! Reasons in words: why two states were not joined, why one is not included in another, why memory does not match.
//!
//! Each reason has a short form ([`std::fmt::Display`]), and one that says where in the states the difference is, by the way from
//! a variable, and what is there on both sides.

use super::inclusion::{Claim, NotIncluded};
use super::join::{Refusal, Side};
use crate::matching::Mismatch;
use crate::pred::PredTable;
use crate::state::{Names, State};
use crate::value::Val;
use std::fmt::{Display, Formatter, Result as Written};

/// What is needed to speak of states: predicates, and names of variables and members.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// All predicates.
    pub preds: &'a PredTable,
    /// Names of variables and members.
    pub names: &'a dyn Names,
}

impl Words<'_> {
    /// A value by the way to it, or by what it is if no name leads there.
    fn place(&self, state: &State, v: Val) -> String {
        match state.way_to(v, self.names) {
            Some(way) => format!("`{way}`"),
            None => self.what(state, v),
        }
    }

    fn what(&self, state: &State, v: Val) -> String {
        state.what_is(v, self.preds, self.names)
    }

    /// A place that two states have in common, and what each of them has there.
    fn both(&self, [left, right]: [&State; 2], l: Val, r: Val) -> String {
        let ways = [left.way_to(l, self.names), right.way_to(r, self.names)];
        let place = match ways {
            [Some(a), Some(b)] if a == b => format!("`{a}`"),
            [Some(a), Some(b)] => format!("`{a}` and `{b}`"),
            [Some(a), None] | [None, Some(a)] => format!("`{a}`"),
            [None, None] => "a place without a name".into(),
        };
        format!("{place}: {} in one, {} in the other", self.what(left, l), self.what(right, r))
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str(match self {
            Refusal::Constants(..) => "a variable holds different constants",
            Refusal::Shapes(..) => "the memory at a place has no common description",
            Refusal::Objects(..) => "objects of different kinds or sizes are at a place",
            Refusal::Steps => "a pointer has made few steps through a small object",
            Refusal::Leftover(..) => "memory of one state has no counterpart in the other",
            Refusal::Swallowed => "an object that a name leads to would become part of a structure",
            Refusal::LostWay => "a member of a variable would no longer lead to memory",
            Refusal::Contradiction => "the common description has no memory",
        })
    }
}

impl Refusal {
    /// The reason with the places of the two states that it is about.
    pub fn explain(&self, left: &State, right: &State, words: Words<'_>) -> String {
        let both = [left, right];
        match self {
            Refusal::Constants(l, r) | Refusal::Shapes(l, r) => {
                format!("{self}: {}", words.both(both, *l, *r))
            }
            Refusal::Objects(l, r) => format!("{self}: {}", words.both(both, Val::sym(*l), Val::sym(*r))),
            Refusal::Leftover(side, v) => {
                let state = if *side == Side::Left { left } else { right };
                format!("{self}: {}, {}", words.place(state, *v), words.what(state, *v))
            }
            Refusal::Steps | Refusal::Swallowed | Refusal::LostWay | Refusal::Contradiction => {
                self.to_string()
            }
        }
    }
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str(match self {
            Mismatch::NoMemory(_) => "there is no memory where an element should be",
            Mismatch::Value(_) => "a value is not the one that the predicate asks for",
            Mismatch::Layout(_) => "an object has not the size or the members of an element",
            Mismatch::Pinned(_) => "an object must stay as it is because it is named otherwise",
            Mismatch::Fuel => "the search was given up",
        })
    }
}

impl Mismatch {
    /// The reason with the place that it is about.
    pub fn explain(&self, state: &State, words: Words<'_>) -> String {
        let v = match self {
            Mismatch::NoMemory(v) | Mismatch::Value(v) => *v,
            Mismatch::Layout(s) | Mismatch::Pinned(s) => Val::sym(*s),
            Mismatch::Fuel => return self.to_string(),
        };
        format!("{self}: {}, {}", words.place(state, v), words.what(state, v))
    }
}

impl Display for NotIncluded {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str(match self {
            NotIncluded::Root(_) => "less is known of a variable",
            NotIncluded::Value(..) => "a value is not the one required",
            NotIncluded::Object(_) => "an object that is required is not there, or its contents differ",
            NotIncluded::Summary(..) => "there is no memory for a structure that is required",
            NotIncluded::Leftover(_) => "there is memory that is not described",
            NotIncluded::Unreached(_) => "nothing leads to an object that is required",
            NotIncluded::Fact(_) => "a fact about numbers does not follow",
        })
    }
}

impl NotIncluded {
    /// The reason with the places of the two states that it is about.
    pub fn explain(&self, special: &State, general: &State, words: Words<'_>) -> String {
        let told = match self {
            NotIncluded::Root(r) => {
                let what = |s: &State| words.what(s, s.root(*r).unwrap_or(Val::UNDEF));
                format!("`{}` is {}, required is {}", words.names.root(*r), what(special), what(general))
            }
            NotIncluded::Value(g, s) => format!(
                "{} is required to be {}, and is {}",
                words.place(general, *g),
                words.what(general, *g),
                words.what(special, *s)
            ),
            NotIncluded::Object(s) | NotIncluded::Unreached(s) => {
                format!("{}, {}", words.place(general, Val::sym(*s)), words.what(general, Val::sym(*s)))
            }
            NotIncluded::Summary(i, why) => {
                let Some(s) = general.summary(*i) else { return self.to_string() };
                let place = format!("{}, {}", words.place(general, s.root), words.what(general, s.root));
                match why {
                    Some(why) => format!("{place}; {}", why.explain(special, words)),
                    None => place,
                }
            }
            NotIncluded::Leftover(v) => format!("{}, {}", words.place(special, *v), words.what(special, *v)),
            NotIncluded::Fact(claim) => {
                let place = |v: Val| words.place(general, v);
                match claim {
                    Claim::In(v, range) => format!("{} in {range:?}", place(*v)),
                    Claim::Ne(a, b) => format!("{} ≠ {}", place(*a), place(*b)),
                    Claim::Le(a, b) => format!("{} ≤ {}", place(*a), place(*b)),
                    Claim::PointsTo(s) => format!("where {} may lead", place(Val::sym(*s))),
                    Claim::Refined => "a relation between numbers".into(),
                    Claim::Defined(v) => format!("{} is a sum of others", place(*v)),
                }
            }
        };
        format!("{self}: {told}")
    }
}
