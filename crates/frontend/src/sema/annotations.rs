//! `/*@ … */` comments: which function they belong to.

use super::Checker;
use heapwise_ir::{Annotation, FuncId, Span};

impl Checker<'_> {
    /// Attaches each annotation to the function whose definition is the next thing after it, and adds it to
    /// the program. `items` are the spans at file scope in order, with the function if one is defined there.
    pub(super) fn attach_annotations(
        &mut self,
        annotations: Vec<(Box<str>, Span)>,
        items: &[(Span, Option<FuncId>)],
    ) {
        for (text, span) in annotations {
            let next = items.partition_point(|(item, _)| item.lo < span.hi);
            let inside =
                next.checked_sub(1).and_then(|i| items.get(i)).is_some_and(|(item, _)| item.hi > span.lo);
            let function = if inside { None } else { items.get(next).and_then(|(_, f)| *f) };
            self.s.program.annotations.push(Annotation { text, span, function });
        }
    }
}
