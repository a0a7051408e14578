//! `/*@ … */` comments: which function they belong to.

use super::Checker;
use heapwise_ir::{Annotation, FuncId, Span};

impl Checker<'_> {
    /// Attaches each annotation to the function whose definition is the next thing after it, and adds it to
    /// the program. `items` are the spans at file scope in order, with the function if one is defined there.
    pub(super) fn attach_annotations(
        &mut self,
        annotations: Vec<Annotation>,
        items: &[(Span, Option<FuncId>)],
    ) {
        for mut annotation in annotations {
            let next = items.partition_point(|(span, _)| span.lo < annotation.span.hi);
            let inside = next
                .checked_sub(1)
                .and_then(|i| items.get(i))
                .is_some_and(|(span, _)| span.hi > annotation.span.lo);
            annotation.function = if inside { None } else { items.get(next).and_then(|(_, f)| *f) };
            self.s.program.annotations.push(annotation);
        }
    }
}
