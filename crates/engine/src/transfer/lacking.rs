//! Noting what an access lacks ([`crate::demand`]).

use crate::context::Context;
use crate::demand::{Demand, Observed, Origin};
use heapwise_heap::{ObjectKind, Root, State, Sym, Val};

impl Context<'_> {
    /// Who holds a value that satisfies the condition.
    fn holders(&self, state: &State, is: impl Fn(Val) -> bool) -> Vec<Origin> {
        let mut found = Vec::new();
        // Inside of callees cutpoints are those of the call.
        if self.stack.len() <= 1 {
            let params = state.roots().filter_map(|(r, v)| match r {
                Root::Cut(i) if is(v) => Some(Origin::Held(i as usize)),
                _ => None,
            });
            found.extend(params);
        }
        for (_, o) in state.objects() {
            for (off, _) in o.cells().filter(|(_, c)| is(c.val)) {
                found.push(match o.kind {
                    ObjectKind::Global(g) if off == 0 => Origin::Global(g),
                    _ => Origin::Field(o.record, off),
                });
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Notes that memory is missing behind a symbol.
    pub(crate) fn demand_memory(&mut self, state: &State, s: Sym) {
        if self.options.abduce && self.demand.is_none() {
            let origins = self.holders(state, |v| v.as_sym() == Some(s));
            let accessed = self.accessed.filter(|(_, base)| base.as_sym() == Some(s));
            self.demand = Some(Demand::Memory {
                origins,
                wanted: accessed.map(|(ty, _)| ty),
                start: accessed.map_or(0, |(_, base)| base.off),
            });
        }
    }

    /// Notes that a pointer is null.
    pub(crate) fn demand_not_null(&mut self, state: &State) {
        if self.options.abduce && self.demand.is_none() {
            self.demand = Some(Demand::NotNull(self.holders(state, |v| v == Val::ZERO)));
        }
    }

    /// Notes that an assertion or an operation fails where values are these numbers, and what the values of the start are then.
    pub(crate) fn demand_otherwise(&mut self, state: &State, where_equal: &[(Val, i128)]) {
        // Inside of callees cutpoints are those of the call.
        if !self.options.abduce || self.demand.is_some() || self.stack.len() > 1 {
            return;
        }
        let mut state = state.clone();
        for (v, n) in where_equal {
            // An equality that cannot be said leaves the values as they are, which only makes the hint a worse one.
            let mut failing = state.clone();
            if failing.assume_eq(*v, Val::int(*n), &self.preds) {
                state = failing;
            }
        }
        let observed = state.roots().filter_map(|(r, v)| {
            let Root::Cut(i) = r else { return None };
            let range = state.range(v);
            let found = match state.compare(v, Val::ZERO, Some(&self.preds)) {
                Some(false) if range.contains(0) => Observed::NotZero,
                _ if range.lo.is_none() && range.hi.is_none() => return None,
                _ => Observed::Within(range.lo, range.hi),
            };
            Some((Origin::Held(i as usize), found))
        });
        self.demand = Some(Demand::Unless(observed.collect()));
    }
}
