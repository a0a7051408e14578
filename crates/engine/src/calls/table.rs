//! The table of calls: entries in normal form with the exits found for them, and how far they can be relied on.

use crate::disjuncts::merge::Disjunct;
use heapwise_heap::State;
use heapwise_ir::FuncId;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::rc::Rc;

/// One analysed entry of a function.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) entry: State,
    /// Its hash, which tells most entries apart.
    hash: u64,
    /// With their silhouettes: they are compared in every round.
    pub(crate) exits: Vec<Disjunct>,
    /// How often it was analysed.
    pub(crate) rounds: usize,
    /// While it is under analysis: its position on the stack.
    pub(crate) open: Option<usize>,
    /// The outermost open entry whose incomplete exits it used, and when that was.
    pub(crate) rests_on: Option<(usize, u64)>,
}

impl Entry {
    pub(crate) fn exit_states(&self) -> Vec<State> {
        self.exits.iter().map(|d| d.state.clone()).collect()
    }
}

/// What is known of functions so far.
///
/// An entry that used the incomplete exits of one further out is not iterated by itself: it is analysed once in every
/// round of that one, and keeps its exits from round to round. When a whole round of the outermost one adds nothing
/// anywhere, all of them are complete.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) entries: FxHashMap<FuncId, Vec<Entry>>,
    /// Entries under analysis, outermost first: function and normal form.
    pub(crate) stack: Vec<(FuncId, Rc<State>)>,
    /// The outermost open entry whose incomplete exits were used since the innermost one was opened.
    pub(crate) low: Option<usize>,
    /// Rounds begun so far; what rests on incomplete exits is good for one round.
    pub(crate) clock: u64,
    /// Whether exits were added to any entry in the present round.
    pub(crate) grown: bool,
}

impl Table {
    /// The exits that are known for an entry.
    pub(crate) fn exits_so_far(&self, func: FuncId, entry: &State) -> Vec<State> {
        let mut entries = self.entries.get(&func).into_iter().flatten();
        entries.find(|e| e.entry == *entry).map(Entry::exit_states).unwrap_or_default()
    }

    pub(crate) fn find(&mut self, func: FuncId, key: &State) -> Option<Vec<State>> {
        let hash = FxBuildHasher.hash_one(key);
        let e = self.entries.get(&func)?.iter().find(|e| e.hash == hash && e.entry == *key)?;
        let rests_on = match (e.open, e.rests_on) {
            (Some(at), _) => Some(at),
            (None, Some((_, when))) if when != self.clock => return None,
            (None, rests_on) => rests_on.map(|(at, _)| at),
        };
        let exits = e.exit_states();
        self.low = outermost(self.low, rests_on);
        Some(exits)
    }

    pub(crate) fn entry_mut(&mut self, func: FuncId, key: &State) -> Option<&mut Entry> {
        let hash = FxBuildHasher.hash_one(key);
        self.entries.get_mut(&func)?.iter_mut().find(|e| e.hash == hash && e.entry == *key)
    }

    /// Puts an entry on the stack; returns its place there.
    pub(crate) fn open(&mut self, func: FuncId, key: &State) -> usize {
        let depth = self.stack.len();
        self.stack.push((func, Rc::new(key.clone())));
        if self.entry_mut(func, key).is_none() {
            let entry = Entry {
                entry: key.clone(),
                hash: FxBuildHasher.hash_one(key),
                exits: Vec::new(),
                rounds: 0,
                open: None,
                rests_on: None,
            };
            self.entries.entry(func).or_default().push(entry);
        }
        if let Some(e) = self.entry_mut(func, key) {
            e.open = Some(depth);
        }
        depth
    }

    /// Takes an entry off the stack; returns its exits. If it is complete, so is all that rests on it.
    pub(crate) fn close(&mut self, func: FuncId, key: &State, depth: usize) -> Vec<State> {
        self.stack.pop();
        let rests_on = self.low.filter(|l| *l < depth).map(|l| (l, self.clock));
        let mut exits = Vec::new();
        if let Some(e) = self.entry_mut(func, key) {
            e.open = None;
            e.rests_on = rests_on;
            exits = e.exit_states();
        }
        let inner = |e: &Entry| e.open.is_none() && e.rests_on.is_some_and(|(at, _)| at >= depth);
        if let Some((outer, _)) = rests_on {
            // What rests on this entry rests on all that it rests on.
            for e in self.entries.values_mut().flatten().filter(|e| inner(e)) {
                e.rests_on = e.rests_on.map(|(_, when)| (outer, when));
            }
        } else {
            let clock = self.clock;
            for list in self.entries.values_mut() {
                // What the last round did not come across is out of date.
                list.retain(|e| !inner(e) || e.rests_on.is_some_and(|(_, when)| when == clock));
                list.iter_mut().filter(|e| inner(e)).for_each(|e| e.rests_on = None);
            }
        }
        exits
    }
}

pub(crate) fn outermost(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_heap::{Root, Val};

    /// An entry that differs from others by the number of one variable.
    fn key(n: i128) -> State {
        let mut state = State::default();
        state.set_root(Root::Result, Val::int(n));
        state
    }

    #[test]
    fn what_rests_on_an_incomplete_entry_is_not_complete_before_it() {
        let mut table = Table::default();
        let f = FuncId(0);
        let [outermost, middle, inner, other] = [0, 1, 2, 3].map(key);
        table.open(f, &outermost);
        table.open(f, &middle);
        table.open(f, &inner);
        // The inner one uses the middle one, and that the outermost one.
        table.low = Some(1);
        table.close(f, &inner, 2);
        table.low = Some(0);
        table.close(f, &middle, 1);
        // Another entry takes the middle one's place on the stack, and uses the inner one.
        table.low = None;
        table.open(f, &other);
        assert!(table.find(f, &inner).is_some());
        assert_eq!(table.low, Some(0), "it still rests on the outermost entry");
        table.close(f, &other, 1);
        for k in [&middle, &inner, &other] {
            assert!(table.entry_mut(f, k).is_some_and(|e| e.rests_on.is_some()), "not complete yet");
        }
        table.low = None;
        table.close(f, &outermost, 0);
        for k in [&middle, &inner, &other, &outermost] {
            assert!(table.entry_mut(f, k).is_some_and(|e| e.rests_on.is_none()), "complete");
        }
    }
}
