//! Library functions that call functions of the program: `qsort` and `bsearch`.
//!
//! What is compared are any two elements of an array, or a key and any element. The array is taken to hold anything from the
//! first comparison on, since it is in no order that is known. One call of the comparison stands for all of them: afterwards
//! the memory must be one that was possible before, or the path ends with an alarm.

use super::run::Run;
use crate::transfer::library::strings::sum;
use crate::transfer::memory;
use crate::transfer::place::{Purpose, Scope};
use crate::transfer::value::is_address;
use heapwise_heap::lattice::inclusion::included;
use heapwise_heap::{Base, Fill, State, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{Call, Function, Span};
use heapwise_numeric::Interval;
use heapwise_property::Reason;

impl Run<'_> {
    /// A call of `qsort` or `bsearch`.
    pub(super) fn call_back(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        (lib, function): (LibFn, &Function),
        call: &Call,
        span: Span,
    ) -> Vec<State> {
        let first = usize::from(lib == LibFn::Bsearch);
        let mut args = Vec::new();
        for a in &call.args {
            args.push(self.cx.operand(&mut state, scope, a));
        }
        let arg = |i: usize| args.get(i).copied().unwrap_or(Val::UNDEF);
        let (array, count, size) = (arg(first), arg(first + 1), arg(first + 2));
        let (Base::Func(compare), Some(size)) = (arg(first + 3).base, size.as_int().filter(|n| *n > 0))
        else {
            return self.given_up(scope, function, span);
        };
        let Some(bytes) = state.linear(count).and_then(|n| n.times(size)).and_then(|n| state.value_of(&n))
        else {
            return self.given_up(scope, function, span);
        };
        let purpose = if first == 0 { Purpose::Write } else { Purpose::Read };
        let mut out = Vec::new();
        let key = arg(0);
        let kept = [key, count];
        let found = state.keeping(kept, |state| self.cx.extent(state, scope, array, bytes, span, purpose));
        for ((mut state, object, at, len), [key, count]) in found {
            let known = state.object(object).cloned();
            let pointers = known.as_ref().is_some_and(|o| o.cells().any(|(_, c)| is_address(&state, c.val)));
            if first == 0 {
                if pointers {
                    // Which element holds which pointer is not followed.
                    out.extend(self.given_up(scope, function, span));
                    continue;
                }
                let clean = known.is_some_and(|o| memory::run_is_initialised(&state, &o, at, len));
                let fill = if clean { Fill::Unknown } else { Fill::Uninit };
                memory::overwrite_run(&mut state, object, at, len, fill);
            }
            // With no element, or with one that is sorted, nothing is compared.
            let mut some = state.clone();
            if !some.assume_le(Val::int(1), count, false) {
                out.extend(self.finished(state, scope, call, None, span));
                continue;
            }
            let element = |state: &mut State| {
                let i = state.fresh_in(Interval { lo: Some(0), hi: None });
                if !state.assume_le(i, count, true) {
                    return None;
                }
                let offset = state.linear(i).and_then(|i| i.times(size)).and_then(|i| state.value_of(&i))?;
                sum(state, &[Val::sym(object), at, offset])
            };
            let (Some(a), Some(b)) = (element(&mut some), element(&mut some)) else {
                out.extend(self.given_up(scope, function, span));
                continue;
            };
            let (a, place) = if first == 0 { (a, None) } else { (key, Some(b)) };
            let ends = self.call_with(some.clone(), scope, compare, &[a, b], span);
            let mut before = state.clone();
            before.forget_unused();
            if ends.iter().any(|end| included(end, &before, &self.cx.preds).is_err()) {
                out.extend(self.given_up(scope, function, span));
                continue;
            }
            if place.is_some() {
                out.extend(self.finished(some, scope, call, place, span));
            }
            out.extend(self.finished(state, scope, call, Some(Val::ZERO), span));
        }
        out
    }

    fn finished(
        &mut self,
        state: State,
        scope: Scope<'_>,
        call: &Call,
        result: Option<Val>,
        span: Span,
    ) -> Vec<State> {
        self.cx.give(state, scope, call, result.unwrap_or(Val::ZERO), span)
    }

    fn given_up(&mut self, scope: Scope<'_>, function: &Function, span: Span) -> Vec<State> {
        let message = format!("what `{}` does here is not modelled", function.name);
        self.cx.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
        Vec::new()
    }
}
