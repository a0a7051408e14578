//! Inputs of a job: those of the run that it came from, up to a point, with some of them changed.
//!
//! A run with `n` inputs gives up to `n` jobs, one for each condition. They share what the run drew, so that all of them together
//! take as much memory as the run and their changes, not `n²` values.

use heapwise_interp::InputValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Inputs to be tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    /// What a run drew.
    drawn: Arc<[InputValue]>,
    /// How many of them count.
    len: usize,
    /// What takes the place of some of them.
    changes: BTreeMap<usize, InputValue>,
}

impl Shared {
    /// The first `len` inputs of a run, or all if there are fewer, with changes to them.
    pub(crate) fn of(
        drawn: &Arc<[InputValue]>,
        len: usize,
        changes: impl IntoIterator<Item = (usize, InputValue)>,
    ) -> Shared {
        let len = len.min(drawn.len());
        let changes = changes.into_iter().filter(|(at, _)| *at < len).collect();
        Shared { drawn: drawn.clone(), len, changes }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All of them in order.
    pub(crate) fn values(&self) -> Vec<InputValue> {
        let mut values: Vec<InputValue> = self.drawn.iter().take(self.len).copied().collect();
        for (at, v) in &self.changes {
            if let Some(slot) = values.get_mut(*at) {
                *slot = *v;
            }
        }
        values
    }
}

impl From<Vec<InputValue>> for Shared {
    fn from(values: Vec<InputValue>) -> Shared {
        Shared { len: values.len(), drawn: values.into(), changes: BTreeMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_replace_what_was_drawn_and_the_rest_is_left_out() {
        let int = InputValue::Int;
        let drawn: Arc<[InputValue]> = [1, 2, 3, 4].map(int).into();
        let inputs = Shared::of(&drawn, 3, [(1, int(7)), (3, int(8))]);
        assert_eq!((inputs.len(), inputs.values()), (3, vec![int(1), int(7), int(3)]));
        assert_eq!(Shared::of(&drawn, 9, []).values(), drawn.to_vec());
    }
}
