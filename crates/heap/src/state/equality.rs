//! Equal and different values: what a state learns when two values turn out to be so.
//!
//! Equalities are substituted away, so that equal values are identical. Separation tells apart what no fact does ([`State::compare`]).

use super::{PointsTo, State};
use crate::numbers::Linear;
use crate::numbers::define::{MAX_TERMS, Solved};
use crate::pred::PredTable;
use crate::value::{Sym, Val};
use std::sync::Arc;

/// What an equality between two values comes down to.
enum Equation {
    Holds,
    Contradiction,
    Substitute(Sym, Val),
}

impl State {
    pub(crate) fn substitute(&mut self, sym: Sym, by: Val) -> bool {
        for v in self.roots.values_mut() {
            *v = v.substitute(sym, by);
        }
        for o in self.objects.values_mut() {
            let uses = o.values().any(|v| v.as_sym() == Some(sym));
            if uses {
                let o = Arc::make_mut(o);
                o.values_mut().for_each(|v| *v = v.substitute(sym, by));
                o.settle();
            }
        }
        for s in &mut self.summaries {
            s.values_mut().for_each(|v| *v = v.substitute(sym, by));
        }
        if let Some(death) = self.dead.remove(&sym)
            && let Some(other) = by.as_sym()
            && !self.objects.contains_key(&other)
        {
            self.dead.insert(other, death);
        }
        self.substitute_places(sym, by) && self.pure.substitute(sym, by)
    }

    /// Learns `a = b`, with all consequences for summaries.
    #[must_use]
    pub fn assume_eq(&mut self, a: Val, b: Val, preds: &PredTable) -> bool {
        self.unify_all(vec![(a, b)]) && self.settle(preds)
    }

    /// Learns that the values of each pair are equal, with all consequences for summaries.
    #[must_use]
    pub fn assume_all_eq(&mut self, pairs: Vec<(Val, Val)>, preds: &PredTable) -> bool {
        self.unify_all(pairs) && self.settle(preds)
    }

    /// Learns that the values of each pair are equal.
    pub(crate) fn unify_all(&mut self, mut pairs: Vec<(Val, Val)>) -> bool {
        while let Some((a, b)) = pairs.pop() {
            let Some((sym, by)) = (match self.equation(a, b) {
                Equation::Holds => continue,
                Equation::Contradiction => return false,
                Equation::Substitute(sym, by) => Some((sym, by)),
            }) else {
                continue;
            };
            let definition = self.pure.take_definition(sym);
            if !self.substitute(sym, by) {
                return false;
            }
            for (p, q) in &mut pairs {
                *p = p.substitute(sym, by);
                *q = q.substitute(sym, by);
            }
            // What defined the symbol equals its new value.
            if let Some(form) = definition
                && let Some(equation) = self.pure.linear(by).and_then(|v| form.minus(&v))
            {
                let objects = &self.objects;
                match self.pure.solve(&equation, |s| objects.contains_key(&s)) {
                    Solved::Contradiction => return false,
                    Solved::Done => {}
                    Solved::Equal(s, v) => pairs.push((Val::sym(s), v)),
                }
            }
            if pairs.is_empty()
                && let Some((s, v)) = self.pure.redundant()
            {
                pairs.push((Val::sym(s), v));
            }
        }
        true
    }

    /// The value of a linear form: a plain value, a symbol that is defined so already, or a new one.
    pub fn value_of(&mut self, form: &Linear) -> Option<Val> {
        let form = self.pure.expanded(form)?;
        if let Some(v) = form.as_val().or_else(|| self.pure.defined_as(&form)) {
            return Some(v);
        }
        if form.terms().len() > MAX_TERMS {
            return None;
        }
        let s = self.fresh();
        let satisfiable = self.pure.define(s, &form);
        debug_assert!(satisfiable, "a fresh symbol has no facts to contradict");
        Some(Val::sym(s))
    }

    /// The symbol of the memory that a value points into, and how far into it: the value itself if it is the address
    /// of an object or the root of a summary plus a constant, or by its definition.
    pub fn pointer(&self, v: Val) -> Option<(Sym, Linear)> {
        let s = v.as_sym()?;
        let Some(def) = self.pure.definition(s).filter(|_| !self.owns_memory(s)) else {
            return Some((s, Linear::constant(v.off)));
        };
        let mut owners =
            def.terms().iter().filter(|(t, _)| self.owns_memory(*t) || self.dead.contains_key(t));
        let ((base, 1), None) = (owners.next()?, owners.next()) else { return None };
        let offset = def.substitute(*base, &Linear::default())?.shifted(v.off)?;
        Some((*base, offset))
    }

    /// Whether an object starts at a symbol, or a summary names it as the address of its first or last element.
    pub fn owns_memory(&self, s: Sym) -> bool {
        let names = |v: &Val| v.as_sym() == Some(s);
        self.objects.contains_key(&s)
            || self
                .summaries
                .iter()
                .any(|t| names(&t.root) || t.end.as_ref().is_some_and(|(_, args)| args.iter().any(names)))
    }

    /// Whether a value is a pointer to memory that is gone.
    fn is_dangling(&self, v: Val) -> bool {
        !self.dead.is_empty() && self.pointer(v).is_some_and(|(s, _)| self.dead.contains_key(&s))
    }

    fn equation(&self, a: Val, b: Val) -> Equation {
        if a == b || a.is_undef() || b.is_undef() {
            return Equation::Holds;
        }
        if self.compare(a, b, None) == Some(false) {
            return Equation::Contradiction;
        }
        match (a.as_sym(), b.as_sym()) {
            // A pointer to dead memory may hold the address of a live block, but it does not lead there: the two stay
            // apart, also if the other one turns out to be such a block later.
            (Some(_), Some(_)) if self.is_dangling(a) != self.is_dangling(b) => Equation::Holds,
            (Some(x), Some(y)) => {
                let (ox, oy) = (self.objects.contains_key(&x), self.objects.contains_key(&y));
                let (dx, dy) = (self.pure.is_defined(a), self.pure.is_defined(b));
                let base = |v: Val| self.pointer(v).map(|(s, _)| s).filter(|s| self.objects.contains_key(s));
                if (dx || dy) && matches!((base(a), base(b)), (Some(s), Some(t)) if s != t) {
                    // As below, for a pointer that moves.
                    Equation::Holds
                } else if dx && !ox {
                    Equation::Substitute(x, b.plus(-a.off))
                } else if dy && !oy {
                    Equation::Substitute(y, a.plus(-b.off))
                } else if ox && oy {
                    // A pointer past the end of one object may equal the start of another; that cannot be
                    // said by substitution, so the fact is dropped.
                    Equation::Holds
                } else if oy || (!ox && y < x) {
                    // The object's symbol stays, else the older one.
                    Equation::Substitute(x, b.plus(-a.off))
                } else {
                    Equation::Substitute(y, a.plus(-b.off))
                }
            }
            (Some(x), None) if !self.objects.contains_key(&x) => Equation::Substitute(x, b.plus(-a.off)),
            (None, Some(y)) if !self.objects.contains_key(&y) => Equation::Substitute(y, a.plus(-b.off)),
            (None, None) => Equation::Contradiction,
            // An address far outside its object against a number.
            _ => Equation::Holds,
        }
    }

    /// Learns `a ≠ b`.
    #[must_use]
    pub fn assume_ne(&mut self, a: Val, b: Val, preds: &PredTable) -> bool {
        // That a cursor is not null is said by where it may lead.
        for (v, other) in [(a, b), (b, a)] {
            if other == Val::ZERO
                && let Some(at) = self.points_to(v).filter(|at| at.null).cloned()
                && let Some(s) = v.as_sym()
            {
                self.points_to.insert(s, PointsTo { null: false, ..at });
                return true;
            }
        }
        match self.compare(a, b, Some(preds)) {
            Some(equal) => !equal,
            None => self.pure.assume_ne(a, b) && self.settle(preds),
        }
    }
}
