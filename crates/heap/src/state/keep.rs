//! Values that are kept while a state changes under them.
//!
//! What unfolds a summary or learns an equality may give symbols other names, and split a state into cases. A value that must be
//! known afterwards is a root meanwhile, so that it is renamed along, case by case ([`State::keeping`]). Such roots are numbered
//! from the first free one on: calls of `keeping` within each other do not know of each other.

use super::{Root, State};
use crate::value::Val;

/// What holds a state: the state, or one with what was found in it.
pub trait HasState {
    /// The state.
    fn state_mut(&mut self) -> &mut State;
}

impl HasState for State {
    fn state_mut(&mut self) -> &mut State {
        self
    }
}

impl<A> HasState for (State, A) {
    fn state_mut(&mut self) -> &mut State {
        &mut self.0
    }
}

impl<A, B, C> HasState for (State, A, B, C) {
    fn state_mut(&mut self) -> &mut State {
        &mut self.0
    }
}

impl State {
    /// Changes a state in a way that may rename symbols, and tells for each case what the values are there.
    pub fn keeping<const N: usize, T: HasState, I: IntoIterator<Item = T>>(
        mut self,
        values: [Val; N],
        change: impl FnOnce(State) -> I,
    ) -> Vec<(T, [Val; N])> {
        let first = self.keep(&values);
        let cases = change(self).into_iter().map(|mut case| {
            let mut found = values;
            case.state_mut().take_kept(first, &mut found);
            (case, found)
        });
        cases.collect()
    }

    /// Makes roots of values; returns the number of the first one.
    pub(crate) fn keep(&mut self, values: &[Val]) -> u32 {
        let last = self.roots.range(Root::Kept(0)..).next_back();
        let first = match last {
            Some((Root::Kept(n), _)) => n + 1,
            _ => 0,
        };
        self.roots.extend((first..).map(Root::Kept).zip(values.iter().copied()));
        first
    }

    /// Gives the roots up that [`State::keep`] made, and puts what they are now in place of what they were.
    pub(crate) fn take_kept(&mut self, first: u32, values: &mut [Val]) {
        for (n, v) in (first..).zip(values) {
            *v = self.roots.remove(&Root::Kept(n)).unwrap_or(*v);
        }
    }
}
