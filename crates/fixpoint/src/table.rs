//! What is known of functions so far: entries with the exits found for them (survey §5.3).
//!
//! An entry that used the incomplete exits of one further out is not iterated by itself: it is analysed once in every
//! round of that one, and keeps its exits from round to round. When a whole round of the outermost one adds nothing
//! anywhere, all of them are complete.

use heapwise_ir::FuncId;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
struct Entry<S> {
    entry: S,
    exits: Vec<S>,
    /// How often it was analysed.
    rounds: usize,
    /// While it is under analysis: its position on the stack.
    open: Option<usize>,
    /// The outermost open entry whose incomplete exits it used, and in which round.
    rests_on: Option<(usize, u64)>,
}

/// Entries and exits.
#[derive(Clone, Debug)]
pub struct Table<S> {
    entries: FxHashMap<FuncId, Vec<Entry<S>>>,
    /// Entries under analysis, outermost first.
    stack: Vec<(FuncId, S)>,
    /// The outermost open entry whose incomplete exits were used since the innermost one was opened.
    pub(crate) low: Option<usize>,
    /// Rounds begun so far; what rests on incomplete exits is good for one round.
    pub(crate) clock: u64,
    /// Whether exits were added to any entry in the present round.
    pub(crate) grown: bool,
}

impl<S> Default for Table<S> {
    fn default() -> Self {
        Table { entries: FxHashMap::default(), stack: Vec::new(), low: None, clock: 0, grown: false }
    }
}

impl<S: Clone + PartialEq> Table<S> {
    /// Number of nested calls.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// The entries of a function that are under analysis, innermost first.
    pub fn active(&self, func: FuncId) -> Vec<S> {
        self.stack.iter().rev().filter(|(f, _)| *f == func).map(|(_, s)| s.clone()).collect()
    }

    /// The exits that are known for an entry that `fits`, if they may be used in this round.
    pub fn find(&mut self, func: FuncId, fits: impl Fn(&S) -> bool) -> Option<Vec<S>> {
        let clock = self.clock;
        let usable = |e: &&Entry<S>| e.open.is_some() || e.rests_on.is_none_or(|(_, when)| when == clock);
        let e = self.entries.get(&func)?.iter().filter(usable).find(|e| fits(&e.entry))?;
        let rests_on = e.open.or(e.rests_on.map(|(at, _)| at));
        self.low = outermost(self.low, rests_on);
        Some(e.exits.clone())
    }

    /// The exits of an entry, complete or not.
    pub fn exits_so_far(&self, func: FuncId, key: &S) -> Vec<S> {
        let mut entries = self.entries.get(&func).into_iter().flatten();
        entries.find(|e| e.entry == *key).map(|e| e.exits.clone()).unwrap_or_default()
    }

    fn entry_mut(&mut self, func: FuncId, key: &S) -> Option<&mut Entry<S>> {
        self.entries.get_mut(&func)?.iter_mut().find(|e| e.entry == *key)
    }

    /// Puts an entry on the stack; returns its place there.
    pub fn open(&mut self, func: FuncId, key: &S) -> usize {
        let depth = self.stack.len();
        self.stack.push((func, key.clone()));
        if self.entry_mut(func, key).is_none() {
            let entry =
                Entry { entry: key.clone(), exits: Vec::new(), rounds: 0, open: None, rests_on: None };
            self.entries.entry(func).or_default().push(entry);
        }
        if let Some(e) = self.entry_mut(func, key) {
            e.open = Some(depth);
        }
        depth
    }

    /// Replaces the exits of an entry after a round; returns how many rounds there were before.
    pub fn set_exits(&mut self, func: FuncId, key: &S, exits: Vec<S>) -> usize {
        let Some(e) = self.entry_mut(func, key) else { return 0 };
        e.exits = exits;
        e.rounds += 1;
        e.rounds - 1
    }

    /// How often an entry was analysed.
    pub fn rounds(&mut self, func: FuncId, key: &S) -> usize {
        self.entry_mut(func, key).map_or(0, |e| e.rounds)
    }

    /// Takes an entry off the stack; returns its exits. If it is complete, so is all that rests on it.
    pub fn close(&mut self, func: FuncId, key: &S, depth: usize) -> Vec<S> {
        self.stack.pop();
        let clock = self.clock;
        let rests_on = self.low.filter(|l| *l < depth).map(|l| (l, clock));
        let mut exits = Vec::new();
        if let Some(e) = self.entry_mut(func, key) {
            e.open = None;
            e.rests_on = rests_on;
            exits.clone_from(&e.exits);
        }
        let inner = |e: &Entry<S>| e.open.is_none() && e.rests_on.is_some_and(|(at, _)| at >= depth);
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
        let mut table = Table::default();
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
        assert!(table.find(f, |k| *k == 2).is_some());
        assert_eq!(table.low, Some(0), "it still rests on the outermost entry");
        table.close(f, &3, 1);
        table.clock += 1;
        for key in 1..=3 {
            assert!(table.find(f, |k| *k == key).is_none(), "not complete, and of another round");
        }
        table.clock -= 1;
        table.low = None;
        table.close(f, &0, 0);
        table.clock += 1;
        for key in 0..=3 {
            assert!(table.find(f, |k| *k == key).is_some(), "complete");
        }
    }
}
