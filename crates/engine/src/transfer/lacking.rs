//! Noting what an access lacks ([`crate::demand`]).

use crate::context::Context;
use crate::demand::{Demand, Origin};
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
            self.demand = Some(Demand::Memory { origins, wanted: self.accessed });
        }
    }

    /// Notes that a pointer is null.
    pub(crate) fn demand_not_null(&mut self, state: &State) {
        if self.options.abduce && self.demand.is_none() {
            self.demand = Some(Demand::NotNull(self.holders(state, |v| v == Val::ZERO)));
        }
    }
}
