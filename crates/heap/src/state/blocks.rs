//! Blocks of predicates whose size is not fixed: what a block that a case describes is as an object, and which objects are
//! such blocks.
//!
//! A text is a block that is initialised from its start up to a zero byte. As an object it has a floating zero, and a prefix
//! that ends after it.

use super::State;
use crate::object::{Fill, Floating, Object, ObjectKind};
use crate::pred::{BlockSpec, Tail};
use crate::value::Val;
use heapwise_ir::Span;
use heapwise_numeric::Interval;

/// No object has more bytes: differences of pointers into it are numbers of a signed type.
const MOST_BYTES: i128 = i64::MAX as i128;

impl State {
    /// An object for a block of a case, without the cells of the case.
    pub(crate) fn block(&mut self, spec: &BlockSpec) -> Option<Object> {
        let least = i128::from(spec.size);
        let size = match spec.tail {
            Tail::None => Val::int(least),
            Tail::Open | Tail::Text => self.fresh_in(Interval { lo: Some(least), hi: Some(MOST_BYTES) }),
        };
        let mut object = Object::new(ObjectKind::Heap, size, Fill::Uninit, Span::default());
        object.record = spec.record;
        if spec.tail == Tail::Text {
            let end = self.fresh_in(Interval { lo: Some(0), hi: Some(MOST_BYTES - 1) });
            if !self.pure.assume_le(end, size, true) {
                return None;
            }
            object.add_floating(Floating { off: end, width: 1, val: Val::ZERO });
            object.set_prefix(Some(end.plus(1)));
        }
        Some(object)
    }

    /// Whether an object certainly is such a block, as far as its size and its tail go.
    pub(crate) fn is_block_of(&self, object: &Object, spec: &BlockSpec) -> bool {
        match spec.tail {
            Tail::None => object.const_size() == Some(spec.size),
            Tail::Open => self.pure.knows_le(Val::int(i128::from(spec.size)), object.size, false),
            Tail::Text => {
                self.pure.knows_le(Val::int(i128::from(spec.size)), object.size, false)
                    && self.holds_text(object)
            }
        }
    }

    /// Whether an object certainly is initialised from its start up to a zero byte in it.
    pub fn holds_text(&self, object: &Object) -> bool {
        let fixed = object.cells().filter(|(_, c)| c.width == 1 && c.val == Val::ZERO);
        let fixed = fixed.map(|(off, _)| Val::int(i128::from(off)));
        let floating = object.floating().iter().filter(|f| f.width == 1 && f.val == Val::ZERO);
        let filled = object.initialised_from_start();
        // Cells say that their bytes are there, so that a zero is in its object.
        fixed.chain(floating.map(|f| f.off)).any(|end| {
            let last = self.pure.range(end).hi.and_then(|hi| u64::try_from(hi).ok());
            last.map_or(filled == u64::MAX, |last| last <= filled)
                || object.prefix().is_some_and(|p| self.pure.knows_le(end, p, false))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tail: Tail) -> BlockSpec {
        BlockSpec { size: 1, tail, record: None }
    }

    #[test]
    fn a_block_is_one_of_its_kind() {
        for tail in [Tail::Open, Tail::Text] {
            let mut state = State::default();
            let object = state.block(&text(tail)).unwrap();
            assert!(state.is_block_of(&object, &text(tail)));
            assert!(!state.is_block_of(&object, &BlockSpec::of_size(1, None)));
            assert_eq!(state.holds_text(&object), tail == Tail::Text);
            assert!(!state.is_block_of(&object, &BlockSpec { size: 2, ..text(tail) }));
        }
    }

    #[test]
    fn a_text_is_initialised_up_to_its_end() {
        let state = State::default();
        let mut object = Object::new(ObjectKind::Heap, Val::int(4), Fill::Uninit, Span::default());
        assert!(!state.holds_text(&object));
        object.write(2, 1, Val::ZERO);
        assert!(!state.holds_text(&object), "the bytes before the end count");
        object.write(0, 2, Val::int(0x4141));
        assert!(state.holds_text(&object));
        let mut zeroed = Object::new(ObjectKind::Heap, Val::int(4), Fill::Unknown, Span::default());
        assert!(!state.holds_text(&zeroed), "no zero is known");
        zeroed.write(3, 1, Val::ZERO);
        assert!(state.holds_text(&zeroed));
    }
}
