//! Lengths: parameters that say how many elements a list has (survey §5.1).
//!
//! A length is a parameter like others: 0 where the list is empty, one less for the rest of the list than for the list. Nothing else
//! is said of it, which gives segments a freedom: if `list(x, n) ⇒ (y, m)` holds, so does the same with `n + d` and `m + d`. The
//! *normal form* of a segment has 0 at its far end, so that the near end is its length. Joins relate lengths with counters as they
//! relate any numbers (`lattice::join::relations`), because they are arguments like any.
//!
//! **Assumption:** no list has [`MOST_ELEMENTS`] elements or more. A counter of 32 bits that says how long a list is would have to
//! be taken to wrap otherwise. `docs/soundness.md` tells users.
//!
//! Cost: one symbol for each list or segment, and linear relations at joins where there are any.

use super::definition::{Callee, Case, Definition, Fact, Term, TermBase};

/// More elements than any list has: far enough from the largest number of 32 bits for counters that run ahead.
pub(crate) const MOST_ELEMENTS: i128 = 1 << 30;

/// Whether every element passes a parameter on reduced by a constant.
pub(super) fn descends(def: &Definition, param: u16) -> bool {
    let mut own = def.cases.iter().flat_map(|c| &c.calls).filter(|c| c.callee == Callee::This);
    param > 0
        && own.all(|c| {
            c.args.get(usize::from(param)).is_some_and(|t| t.base == TermBase::Param(param) && t.off < 0)
        })
}

/// Whether a parameter is the length of a list, and nothing else is said of it.
pub(super) fn is_length(def: &Definition, param: u16) -> bool {
    let term = Term::param(param);
    let speaks = |c: &Case| {
        let cells = c.cells.iter().map(|cell| cell.val);
        let calls = c.calls.iter().flat_map(|call| {
            let own = call.callee == Callee::This && call.end.is_none();
            call.terms().enumerate().filter(move |(i, _)| !own || *i != usize::from(param)).map(|(_, t)| *t)
        });
        cells.chain(calls).chain(c.facts.iter().flat_map(Fact::terms)).any(|t| t.base == term.base)
    };
    let element = |c: &Case| {
        let mut own = c.calls.iter().filter(|call| call.callee == Callee::This);
        let next = own.next().filter(|call| call.end.is_none());
        next.is_some_and(|call| call.args.get(usize::from(param)) == Some(&term.plus(-1)))
            && own.next().is_none()
            && !speaks(c)
    };
    let nothing = |c: &Case| {
        let is_zero = |f: &&Fact| **f == Fact::Eq(term, Term::int(0));
        let others = c.facts.iter().filter(|f| !is_zero(f)).flat_map(Fact::terms);
        c.facts.iter().any(|f| is_zero(&f)) && others.into_iter().all(|t| t.base != term.base)
    };
    let mut elements = def.cases.iter().filter(|c| c.block.is_some());
    param > 0
        && def.cases.iter().any(|c| c.block.is_some())
        && elements.all(element)
        && def.cases.iter().filter(|c| c.block.is_none()).all(|c| c.calls.is_empty() && nothing(c))
}

impl Definition {
    /// The same list with its length as last parameter; as it is if it is no list.
    pub(crate) fn with_length(self) -> Definition {
        let is_list = |c: &Case| match c.block {
            Some(_) => {
                let mut own = c.calls.iter().filter(|call| call.callee == Callee::This);
                own.next().is_some_and(|call| call.end.is_none()) && own.next().is_none()
            }
            None => c.calls.is_empty(),
        };
        let Some(params) = self.params.checked_add(1).filter(|_| self.cases.iter().all(is_list)) else {
            return self;
        };
        let length = Term::param(self.params);
        let mut def = Definition { params, ..self };
        for case in &mut def.cases {
            if case.block.is_none() {
                case.facts.push(Fact::Eq(length, Term::int(0)));
            }
            for call in case.calls.iter_mut().filter(|call| call.callee == Callee::This) {
                call.args.push(length.plus(-1));
            }
        }
        def
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pred::{BlockSpec, CallSpec, CellSpec};
    use heapwise_numeric::Interval;

    fn list() -> Definition {
        let block = Case {
            exists: 1,
            block: Some(BlockSpec::of_size(8, None)),
            cells: vec![CellSpec { off: 0, width: 8, val: Term::exist(0) }],
            calls: vec![CallSpec::whole(Callee::This, vec![Term::exist(0)])],
            facts: Vec::new(),
        };
        let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
        Definition { params: 1, cases: vec![empty, block] }
    }

    #[test]
    fn a_list_gets_a_length_and_a_tree_does_not() {
        let def = list().with_length();
        assert_eq!(def.params, 2);
        assert!(is_length(&def, 1) && descends(&def, 1));
        let mut tree = list();
        let call = tree.cases[1].calls[0].clone();
        tree.cases[1].calls.push(call);
        assert_eq!(tree.clone().with_length(), tree);
        // Something else is said of it.
        let mut told = def.clone();
        told.cases[1].facts.push(Fact::In(Term::param(1), Interval { lo: Some(1), hi: None }));
        assert!(!is_length(&told, 1) && descends(&told, 1));
        let mut held = def;
        held.cases[1].cells.push(CellSpec { off: 8, width: 8, val: Term::param(1) });
        assert!(!is_length(&held, 1));
    }
}
