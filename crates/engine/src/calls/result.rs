//! What a call returned comes to its place in the caller's memory.

use crate::context::Context;
use crate::transfer::place::{Purpose, Scope, Target};
use heapwise_heap::{Fill, ObjectKind, Root, State};
use heapwise_ir::{Place, Span};

impl Context<'_> {
    /// Stores what a call returned.
    pub(crate) fn take_result(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        dest: Option<&Place>,
        span: Span,
    ) -> Vec<State> {
        let result = state.root(Root::Result);
        let aggregate = dest.is_some_and(|d| !self.program.types.is_scalar(d.ty));
        let (Some(dest), Some(v)) = (dest, result) else {
            if let Some(s) = state.drop_root(Root::Result).and_then(|v| v.as_sym())
                && state.object(s).is_some_and(|o| matches!(o.kind, ObjectKind::Local(_)))
            {
                state.remove_object(s);
            }
            return self.swept(state, scope, span);
        };
        if !aggregate {
            // The result is held until it is stored.
            let mut out = Vec::new();
            for mut state in self.store_result(state, scope, dest, v, span) {
                state.drop_root(Root::Result);
                out.extend(self.swept(state, scope, span));
            }
            return out;
        }
        let width = self.size(dest.ty);
        let mut out = Vec::new();
        for (mut state, target) in self.place_target(state, scope, dest, width, span, Purpose::Write) {
            let source = state.drop_root(Root::Result).and_then(|v| v.as_sym());
            let bytes = source.and_then(|s| state.remove_object(s));
            match (bytes, target) {
                (Some(bytes), Target::Bytes(s, off)) => {
                    if let Some(o) = state.object_mut(s) {
                        o.copy_from(off, &bytes, 0, width);
                    }
                }
                (bytes, _) => {
                    let clean = bytes.is_some_and(|o| o.initialised_from_start() >= width);
                    let fill = if clean { Fill::Unknown } else { Fill::Uninit };
                    crate::transfer::memory::overwrite_target(&mut state, target, width, fill);
                }
            }
            out.extend(self.swept(state, scope, span));
        }
        out
    }
}
