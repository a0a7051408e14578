//! What must hold when the program ends.

use crate::context::Context;
use crate::transfer::place::Scope;
use heapwise_heap::{ObjectKind, State};
use heapwise_ir::Span;
use heapwise_property::{ErrorKind, Property};

impl Context<'_> {
    /// What must hold when the program ends.
    pub(crate) fn program_end(&mut self, state: &State, scope: Scope<'_>, span: Span) {
        self.ends_program = true;
        if !self.options.properties.has(Property::Cleanup) {
            return;
        }
        for o in state.objects().map(|(_, o)| o).filter(|o| o.kind == ObjectKind::Heap) {
            let notes = vec![("the block is allocated here".to_owned(), o.site)];
            let message = "a block is still allocated when the program ends".into();
            self.alarm(scope.func, ErrorKind::Leak, span, true, message, notes);
        }
        if state.has_summaries() {
            let message = "blocks may still be allocated when the program ends".into();
            self.alarm(scope.func, ErrorKind::Leak, span, false, message, Vec::new());
        }
    }
}
