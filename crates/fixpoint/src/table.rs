//! What is known of functions so far: entries with the exits found for them (survey §5.3).
//!
//! An entry that used the incomplete exits of one further out is not iterated by itself: it is analysed once in every
//! round of that one, and keeps its exits from round to round. When a whole round of the outermost one adds nothing
//! anywhere, all of them are complete.
//!
//! Entries are found by their hash. `S` is an entry, `K` what is kept of an exit ([`Kept`]).

use crate::flow::Kept;
use heapwise_ir::FuncId;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;

#[derive(Clone, Debug)]
struct Entry<S, K> {
    entry: Rc<S>,
    /// Its hash, which tells most entries apart.
    hash: u64,
    /// They are compared in every round.
    exits: Vec<K>,
    /// How often it was analysed.
    rounds: usize,
    /// While it is under analysis: its position on the stack.
    open: Option<usize>,
    /// The outermost open entry whose incomplete exits it used, and in which round.
    rests_on: Option<(usize, u64)>,
}

impl<S: Clone, K: Kept<S>> Entry<S, K> {
    fn exit_states(&self) -> Vec<S> {
        self.exits.iter().map(|k| k.state().clone()).collect()
    }
}

/// Entries and exits.
#[derive(Clone, Debug)]
pub struct Table<S, K = S> {
    entries: FxHashMap<FuncId, Vec<Entry<S, K>>>,
    /// Entries under analysis, outermost first.
    stack: Vec<(FuncId, Rc<S>)>,
    /// The outermost open entry whose incomplete exits were used since the innermost one was opened.
    pub(crate) low: Option<usize>,
    /// Rounds begun so far; what rests on incomplete exits is good for one round.
    pub(crate) clock: u64,
    /// Whether exits were added to any entry in the present round.
    pub(crate) grown: bool,
}

impl<S, K> Default for Table<S, K> {
    fn default() -> Self {
        Table { entries: FxHashMap::default(), stack: Vec::new(), low: None, clock: 0, grown: false }
    }
}

impl<S: Clone + Eq + Hash, K: Kept<S>> Table<S, K> {
    /// Number of nested calls.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// The entries of a function that are under analysis, innermost first.
    pub fn active(&self, func: FuncId) -> Vec<Rc<S>> {
        self.stack.iter().rev().filter(|(f, _)| *f == func).map(|(_, s)| s.clone()).collect()
    }

    /// How many entries of a function are known.
    pub fn known(&self, func: FuncId) -> usize {
        self.entries.get(&func).map_or(0, Vec::len)
    }

    /// The exits that are known for an entry, if they may be used in this round.
    pub fn find(&mut self, func: FuncId, key: &S) -> Option<Vec<S>> {
        let hash = FxBuildHasher.hash_one(key);
        self.find_entry(func, |e| e.hash == hash && *e.entry == *key)
    }

    /// The same for the first entry that `fits`.
    pub fn find_where(&mut self, func: FuncId, fits: impl Fn(&S) -> bool) -> Option<Vec<S>> {
        self.find_entry(func, |e| fits(&e.entry))
    }

    fn find_entry(&mut self, func: FuncId, fits: impl Fn(&Entry<S, K>) -> bool) -> Option<Vec<S>> {
        let clock = self.clock;
        let usable = |e: &&Entry<S, K>| e.open.is_some() || e.rests_on.is_none_or(|(_, when)| when == clock);
        let e = self.entries.get(&func)?.iter().filter(|e| fits(e)).find(usable)?;
        let rests_on = e.open.or(e.rests_on.map(|(at, _)| at));
        self.low = outermost(self.low, rests_on);
        Some(e.exit_states())
    }

    /// The exits of the first entry that fits among those that are complete.
    pub fn find_complete(&self, func: FuncId, fits: impl Fn(&S) -> bool) -> Option<Vec<S>> {
        let complete = |e: &&Entry<S, K>| e.open.is_none() && e.rests_on.is_none();
        let e = self.entries.get(&func)?.iter().filter(complete).find(|e| fits(&e.entry))?;
        Some(e.exit_states())
    }

    /// The exits of an entry, complete or not.
    pub fn exits_so_far(&self, func: FuncId, key: &S) -> Vec<S> {
        let mut entries = self.entries.get(&func).into_iter().flatten();
        entries.find(|e| *e.entry == *key).map(Entry::exit_states).unwrap_or_default()
    }

    fn entry_mut(&mut self, func: FuncId, key: &S) -> Option<&mut Entry<S, K>> {
        let hash = FxBuildHasher.hash_one(key);
        self.entries.get_mut(&func)?.iter_mut().find(|e| e.hash == hash && *e.entry == *key)
    }

    /// Puts an entry on the stack; returns its place there.
    pub(crate) fn open(&mut self, func: FuncId, key: &S) -> usize {
        let depth = self.stack.len();
        let shared = Rc::new(key.clone());
        self.stack.push((func, shared.clone()));
        if self.entry_mut(func, key).is_none() {
            let hash = FxBuildHasher.hash_one(key);
            let (exits, rounds) = (Vec::new(), 0);
            let entry = Entry { entry: shared, hash, exits, rounds, open: None, rests_on: None };
            self.entries.entry(func).or_default().push(entry);
        }
        if let Some(e) = self.entry_mut(func, key) {
            e.open = Some(depth);
        }
        depth
    }

    /// Takes the exits of an entry at the end of a round, to be added to and put back; with how many rounds there were before.
    pub(crate) fn take_exits(&mut self, func: FuncId, key: &S) -> (Vec<K>, usize) {
        let Some(e) = self.entry_mut(func, key) else { return (Vec::new(), 0) };
        e.rounds += 1;
        (std::mem::take(&mut e.exits), e.rounds - 1)
    }

    pub(crate) fn set_exits(&mut self, func: FuncId, key: &S, exits: Vec<K>) {
        if let Some(e) = self.entry_mut(func, key) {
            e.exits = exits;
        }
    }

    /// Takes an entry off the stack; returns its exits. If it is complete, so is all that rests on it.
    pub(crate) fn close(&mut self, func: FuncId, key: &S, depth: usize) -> Vec<S> {
        self.stack.pop();
        let clock = self.clock;
        let rests_on = self.low.filter(|l| *l < depth).map(|l| (l, clock));
        let mut exits = Vec::new();
        if let Some(e) = self.entry_mut(func, key) {
            e.open = None;
            e.rests_on = rests_on;
            exits = e.exit_states();
        }
        let inner = |e: &Entry<S, K>| e.open.is_none() && e.rests_on.is_some_and(|(at, _)| at >= depth);
        for list in self.entries.values_mut() {
            match rests_on {
                // What rests on this entry rests on all that it rests on.
                Some((outer, _)) => {
                    let all = list.iter_mut().filter(|e| inner(e));
                    all.for_each(|e| e.rests_on = e.rests_on.map(|(_, when)| (outer, when)));
                }
                // What the last round did not come across is out of date.
                None => {
                    list.retain(|e| !inner(e) || e.rests_on.is_some_and(|(_, when)| when == clock));
                    list.iter_mut().filter(|e| inner(e)).for_each(|e| e.rests_on = None);
                }
            }
        }
        exits
    }
}

/// The smaller of two places on the stack.
pub(crate) fn outermost(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rests_on_an_incomplete_entry_is_not_complete_before_it() {
        let mut table: Table<i32> = Table::default();
        let f = FuncId(0);
        for key in 0..3 {
            table.open(f, &key);
        }
        // The inner one uses the middle one, and that the outermost one.
        table.low = Some(1);
        table.close(f, &2, 2);
        table.low = Some(0);
        table.close(f, &1, 1);
        // Another entry takes the middle one's place on the stack, and uses the inner one.
        table.low = None;
        table.open(f, &3);
        assert!(table.find(f, &2).is_some());
        assert_eq!(table.low, Some(0), "it still rests on the outermost entry");
        table.close(f, &3, 1);
        table.clock += 1;
        for key in 1..=3 {
            assert!(table.find(f, &key).is_none(), "not complete, and of another round");
            assert!(table.find_complete(f, |k| *k == key).is_none(), "not complete");
        }
        table.clock -= 1;
        table.low = None;
        table.close(f, &0, 0);
        table.clock += 1;
        for key in 0..=3 {
            assert!(table.find(f, &key).is_some(), "complete");
            assert!(table.find_complete(f, |k| *k == key).is_some(), "complete");
        }
    }
}
