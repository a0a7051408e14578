//! Monotone parameters: which other values of a parameter an instance has as well.
//!
//! A list whose numbers are all at least 5 is one whose numbers are all at least 3; a tree whose root must be black is one
//! whose root may be red. If the cases of a predicate mention a parameter only as a lower bound, then every *whole*
//! instance `P(x, v)` is `P(x, w)` for all `w ≤ v`; only as an upper bound, for all `w ≥ v`; only in facts about the
//! parameter alone, for all `w` that satisfy those. By induction over the instance this extends to what the cases pass
//! on. Segments have no other values: both of their ends fix the parameter.
//!
//! The facts about a parameter alone also say where it lies in any whole instance: the length of a list is not negative.
//!
//! These are the greatest solution of these conditions, found for a group of definitions at a time; the cost is
//! the number of facts and calls times that of parameters.

use crate::numbers::Pure;
use crate::pred::{Callee, Case, Definition, Fact, PerParam, PredId, PredTable, Term, TermBase};
use crate::value::Val;
use heapwise_numeric::Interval;

/// Which other values of a parameter a whole instance has as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Monotone {
    /// All that are less.
    pub down: bool,
    /// All that are greater.
    pub up: bool,
    /// All in this interval, whatever the value was.
    pub within: Option<Interval>,
}

impl Monotone {
    /// Whether there is any.
    pub(crate) fn is_some(&self) -> bool {
        self.down || self.up || self.within.is_some()
    }

    /// Whether an instance with the value `v` is one with the value `w`.
    pub(crate) fn admits(self, v: Val, w: Val, facts: &Pure) -> bool {
        self.down && facts.knows_le(w, v, false)
            || self.up && facts.knows_le(v, w, false)
            || self.within.is_some_and(|i| !w.is_undef() && facts.range(w).is_subset(i))
    }

    fn meet(self, other: Monotone) -> Monotone {
        let within = self.within.zip(other.within).and_then(|(a, b)| a.meet(b));
        Monotone { down: self.down && other.down, up: self.up && other.up, within }
    }

    /// What the facts of a case leave to a parameter.
    fn of_facts(case: &Case, param: TermBase) -> Monotone {
        let full = Monotone { down: true, up: true, within: Some(Interval::FULL) };
        case.facts.iter().fold(full, |monotone, fact| {
            let own = match *fact {
                _ if fact.terms().all(|t| t.base != param) => return monotone,
                Fact::Le(a, b) if a.base == b.base => Monotone::default(),
                Fact::Le(a, _) if a.base == param => Monotone { down: true, ..Monotone::default() },
                Fact::Le(..) => Monotone { up: true, ..Monotone::default() },
                Fact::In(a, r) => {
                    Monotone { down: r.lo.is_none(), up: r.hi.is_none(), within: (a.off == 0).then_some(r) }
                }
                Fact::Eq(a, b) => {
                    let (own, other) = if a.base == param { (a, b) } else { (b, a) };
                    let number = other.off.checked_sub(own.off).filter(|_| other.base == TermBase::Zero);
                    Monotone { within: number.map(Interval::point), ..Monotone::default() }
                }
                Fact::Ne(..) => Monotone::default(),
            };
            monotone.meet(own)
        })
    }
}

/// Where the parameters lie in any whole instance, by induction: what the facts of the cases say of a parameter alone, if it
/// follows in every case from those and from where the case passes the parameter on.
pub(crate) fn ranges(def: &Definition) -> PerParam<Interval> {
    let of_facts = |case: &Case, param: TermBase| {
        case.facts.iter().try_fold(Interval::FULL, |range, fact| {
            let own = match *fact {
                Fact::In(a, r) if a.base == param => a.off.checked_neg().map(|off| r.shift(off)),
                Fact::Eq(a, b) if a.base == param && b.base == TermBase::Zero => {
                    b.off.checked_sub(a.off).map(Interval::point)
                }
                _ => None,
            };
            range.meet(own.unwrap_or(Interval::FULL))
        })
    };
    let of_calls = |case: &Case, i: u16, all: Interval| {
        let own = case.calls.iter().filter(|c| c.callee == Callee::This && c.end.is_none());
        let passed = own.filter_map(|c| c.args.get(usize::from(i)).filter(|t| t.base == TermBase::Param(i)));
        let there = passed.filter_map(|t| Some(all.shift(t.off.checked_neg()?)));
        there.into_iter().try_fold(Interval::FULL, Interval::meet)
    };
    let range = |i: u16| {
        let facts: Vec<_> = def.cases.iter().map(|c| (c, of_facts(c, TermBase::Param(i)))).collect();
        let told = facts.iter().filter_map(|(_, r)| *r).filter(|r| *r != Interval::FULL);
        let hull = told.reduce(Interval::join)?;
        let follows = |(case, range): &(&Case, Option<Interval>)| {
            let both = range.zip(of_calls(case, i, hull)).and_then(|(a, b)| a.meet(b));
            both.is_none_or(|r| r.is_subset(hull))
        };
        facts.iter().all(follows).then_some(hull)
    };
    (0..def.params).map(|i| Some(i).filter(|i| *i > 0).and_then(range).unwrap_or(Interval::FULL)).collect()
}

/// Values of parameters that all elements share as a bound of numbers whose types bound them already: with these an instance says
/// nothing of those numbers.
pub(crate) fn neutral(def: &Definition) -> PerParam<Option<i128>> {
    let of_case = |case: &Case, i: u16| -> Option<Option<(bool, i128)>> {
        let param = TermBase::Param(i);
        let passed = case.calls.iter().all(|c| {
            c.terms().enumerate().all(|(k, t)| {
                let own = c.callee == Callee::This && c.end.is_none() && k == usize::from(i);
                (t.base == param) == own && (!own || t.off == 0)
            })
        });
        if !passed || case.cells.iter().any(|c| c.val.base == param) {
            return None;
        }
        let range = |t: Term| {
            case.facts.iter().find_map(|f| match f {
                Fact::In(u, r) if *u == t => Some(*r),
                _ => None,
            })
        };
        let mut found: Option<(bool, i128)> = None;
        for fact in case.facts.iter().filter(|f| f.terms().any(|t| t.base == param)) {
            let (low, value) = match *fact {
                Fact::Le(a, b) if a.base == param && b.base != param => {
                    (true, range(b)?.lo?.checked_sub(a.off)?)
                }
                Fact::Le(a, b) if b.base == param && a.base != param => {
                    (false, range(a)?.hi?.checked_sub(b.off)?)
                }
                _ => return None,
            };
            found = match found {
                None => Some((low, value)),
                Some((same, old)) if same == low => {
                    Some((low, if low { old.min(value) } else { old.max(value) }))
                }
                Some(_) => return None,
            };
        }
        Some(found)
    };
    let of = |i: u16| {
        let all: Option<Vec<_>> = def.cases.iter().map(|c| of_case(c, i)).collect();
        let told: Vec<(bool, i128)> = all?.into_iter().flatten().collect();
        let (low, _) = *told.first()?;
        let values = told.iter().filter(|(l, _)| *l == low).map(|(_, v)| *v);
        let value = if low { values.min() } else { values.max() };
        value.filter(|_| told.iter().all(|(l, _)| *l == low))
    };
    (0..def.params).map(|i| Some(i).filter(|i| *i > 0).and_then(of)).collect()
}

impl PredTable {
    /// Finds the monotone parameters of the predicates from `first` on, which may call each other.
    pub(crate) fn find_monotone(&mut self, first: PredId) {
        let ids: Vec<PredId> = self.preds.indices().filter(|id| *id >= first).collect();
        for id in &ids {
            let def = &self.preds[*id].def;
            let of_facts = |i: u16| {
                let param = TermBase::Param(i);
                let exact = |c: &Case| {
                    c.cells.iter().any(|cell| cell.val.base == param)
                        || c.calls.iter().flat_map(|k| k.end.iter().flatten()).any(|t| t.base == param)
                };
                // What no fact mentions has no value that would matter.
                let told = |c: &Case| c.facts.iter().any(|f| f.terms().any(|t| t.base == param));
                if i == 0 || def.cases.iter().any(exact) || !def.cases.iter().any(told) {
                    return Monotone::default();
                }
                let all = def.cases.iter().map(|c| Monotone::of_facts(c, param));
                all.reduce(Monotone::meet).unwrap_or_default()
            };
            let monotone = (0..def.params).map(of_facts).collect();
            self.preds[*id].monotone = monotone;
        }
        loop {
            let mut changed = false;
            for id in ids.iter().copied() {
                let old = &self.get(id).monotone;
                let new: PerParam<Monotone> =
                    (0..).zip(old.iter()).map(|(i, own)| self.of_calls(id, i, *own)).collect();
                changed |= new != *old;
                self.preds[id].monotone = new;
            }
            if !changed {
                return;
            }
        }
    }

    /// What the calls of a predicate leave of the other values of a parameter.
    fn of_calls(&self, id: PredId, param: u16, own: Monotone) -> Monotone {
        let mut monotone = own;
        for call in self.get(id).def.cases.iter().flat_map(|c| &c.calls) {
            let callee = match call.callee {
                Callee::This => id,
                Callee::Other(other) => other,
            };
            for (j, arg) in call.args.iter().enumerate().filter(|(_, a)| a.base == TermBase::Param(param)) {
                let passed = self.preds.get(callee).and_then(|p| p.monotone.get(j)).copied();
                let passed = passed.unwrap_or_default();
                // An interval that moves along with the argument would never come to rest.
                let within = passed.within.filter(|_| arg.off == 0);
                monotone = monotone.meet(Monotone { within, ..passed });
            }
        }
        monotone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pred::{BlockSpec, CallSpec, CellSpec, Origin};
    use crate::value::Sym;

    /// A list with its link at 0 and a number at 8: a case without elements, and one with these facts that passes on these
    /// arguments; parameters are counted from 1, the number is existential 1.
    fn list(preds: &mut PredTable, empty: Vec<Fact>, facts: Vec<Fact>, passed: Vec<Term>) -> PredId {
        let null = Fact::Eq(Term::ROOT, Term::int(0));
        let none = Case { facts: std::iter::once(null).chain(empty).collect(), ..Case::default() };
        let mut args = vec![Term::exist(0)];
        args.extend(passed);
        let some = Case {
            exists: 2,
            block: Some(BlockSpec::of_size(16, None)),
            cells: [0, 8].map(|off| CellSpec { off, width: 8, val: Term::exist((off / 8) as u16) }).to_vec(),
            calls: vec![CallSpec::whole(Callee::This, args.clone())],
            facts,
        };
        let def = Definition { params: args.len() as u16, cases: vec![none, some] };
        preds.declare(vec![("list".into(), def)], Origin::Declared)[0]
    }

    #[test]
    fn bounds_are_monotone_in_their_direction() {
        let mut preds = PredTable::default();
        let (low, high, number) = (Term::param(1), Term::param(2), Term::exist(1));
        let facts = vec![Fact::Le(low, number), Fact::Le(number, high)];
        let pred = list(&mut preds, Vec::new(), facts, vec![low, high]);
        let monotone = &preds.get(pred).monotone;
        assert_eq!(monotone[1], Monotone { down: true, ..Monotone::default() });
        assert_eq!(monotone[2], Monotone { up: true, ..Monotone::default() });
        // Exchanged on the way, both are bounds from both sides.
        let facts = vec![Fact::Le(low, number), Fact::Le(number, high)];
        let pred = list(&mut preds, Vec::new(), facts, vec![high, low]);
        assert_eq!(*preds.get(pred).monotone, [Monotone::default(); 3]);
    }

    #[test]
    fn facts_about_a_parameter_alone_leave_what_satisfies_them() {
        let mut preds = PredTable::default();
        let flag = Term::param(1);
        let facts = vec![Fact::Eq(flag, Term::int(1))];
        let pred = list(&mut preds, Vec::new(), facts, vec![Term::int(0)]);
        let within = Some(Interval::point(1));
        assert_eq!(preds.get(pred).monotone[1], Monotone { within, ..Monotone::default() });
        let (facts, any) = (Pure::default(), Val::sym(Sym(0)));
        assert!(preds.get(pred).monotone[1].admits(any, Val::int(1), &facts));
        assert!(!preds.get(pred).monotone[1].admits(any, Val::int(0), &facts));
        assert!(!preds.get(pred).monotone[1].admits(Val::int(1), any, &facts));
    }

    #[test]
    fn a_length_is_not_monotone_and_is_not_negative() {
        let mut preds = PredTable::default();
        let length = Term::param(1);
        let some = vec![Fact::In(length, Interval { lo: Some(1), hi: None })];
        let none = vec![Fact::Eq(length, Term::int(0))];
        let pred = list(&mut preds, none.clone(), some, vec![length.plus(-1)]);
        assert_eq!(preds.get(pred).monotone[1], Monotone::default());
        assert_eq!(preds.get(pred).ranges[1], Interval { lo: Some(0), hi: None });
        // Passed on as it is, it is that of the empty list; one more each time, nothing is known.
        let pred = list(&mut preds, none.clone(), Vec::new(), vec![length]);
        assert_eq!(preds.get(pred).ranges[1], Interval::point(0));
        let pred = list(&mut preds, none, Vec::new(), vec![length.plus(1)]);
        assert_eq!(preds.get(pred).ranges[1], Interval::FULL);
    }
}
