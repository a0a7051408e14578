//! Entries are solved, and recursion is a fixpoint over the table of them (survey §5.3).
//!
//! An entry that is being analysed answers with the exits found so far, and is analysed again until they stop growing. Which
//! entry a call is answered by, and how exits are put together, is the analysis' own ([`Tabulated`]).
//!
//! Termination: exits change finitely often by the law of [`Tabulated::add_exits`], and rounds are limited.

use crate::flow::Kept;
use crate::iterate::solve;
use crate::recheck::Checked;
use crate::table::{Table, outermost};
use heapwise_ir::{Body, FuncId, Span};
use std::hash::Hash;

/// What the functions of a program have in common, as the solving of entries sees it.
pub trait Tabulated: Sized {
    /// An entry or exit.
    type State: Clone + Eq + Hash;
    /// An exit, with what is remembered of it.
    type Kept: Kept<Self::State>;
    /// What is known of a function beforehand.
    type Info;
    /// The work on one function.
    type Work<'b>: Checked<'b, Self, State = Self::State, Kept = Self::Kept>;

    /// Most rounds of a recursive function's fixpoint.
    const MAX_ROUNDS: usize;

    /// Entries and exits.
    fn table(&mut self) -> &mut Table<Self::State, Self::Kept>;
    /// What is known of a function beforehand.
    fn info(&mut self, func: FuncId, body: &Body) -> Self::Info;
    /// The work on a function, of which nothing is done yet.
    fn work<'b>(
        &mut self,
        func: FuncId,
        body: &'b Body,
        info: &'b Self::Info,
        entry: Vec<Self::State>,
    ) -> Self::Work<'b>;
    /// An entry is begun.
    fn begins(&mut self, func: FuncId);
    /// The entry that was begun last is done with.
    fn ends(&mut self, func: FuncId);
    /// Whether another round may be made.
    fn next_round(&mut self, func: FuncId, body: &Body, span: Span) -> bool;
    /// Ends the analysis with an alarm.
    fn too_many_rounds(&mut self, func: FuncId, body: &Body, span: Span);
    /// Brings exits into those that are known; whether any of them is new. Laws: each memory of either is one of the result; if
    /// nothing is new, each memory of the exits was known; and from round to round they change finitely often.
    fn add_exits(
        &mut self,
        func: FuncId,
        known: Vec<Self::Kept>,
        exits: Vec<Self::State>,
        round: usize,
        span: Span,
    ) -> (Vec<Self::Kept>, bool);
    /// Checks the result of a solve whose callers get the exits of an entry in the table, if that is asked for.
    fn recheck(&mut self, work: &Self::Work<'_>, entry: Option<&Self::State>);
}

/// The exits of a function for an entry, which is solved if it is not known.
pub fn solve_entry<H: Tabulated>(
    host: &mut H,
    func: FuncId,
    body: &Body,
    entry: H::State,
    span: Span,
) -> Vec<H::State> {
    if let Some(exits) = host.table().find(func, &entry) {
        return exits;
    }
    let depth = host.table().open(func, &entry);
    host.begins(func);
    let info = host.info(func, body);
    let outer = host.table().low.take();
    while host.next_round(func, body, span) {
        let grown_outside = std::mem::take(&mut host.table().grown);
        let mut work = host.work(func, body, &info, vec![entry.clone()]);
        solve(&mut work, host);
        let exits: Vec<H::State> = crate::iterate::Iterate::flow(&work).returned().cloned().collect();
        let (known, round) = host.table().take_exits(func, &entry);
        let (known, new) = host.add_exits(func, known, exits, round, span);
        let table = host.table();
        table.set_exits(func, &entry, known);
        let low = table.low;
        let grown = table.grown || new;
        table.grown = grown || grown_outside;
        // An entry further out goes on with it, or nothing is left to be repeated.
        if !grown || low != Some(depth) {
            if !grown || low.is_none() {
                host.recheck(&work, Some(&entry));
                host.table().low = low;
            }
            break;
        }
        if round > H::MAX_ROUNDS {
            host.too_many_rounds(func, body, span);
            break;
        }
        let table = host.table();
        table.clock += 1;
        table.low = None;
    }
    host.ends(func);
    let table = host.table();
    let exits = table.close(func, &entry, depth);
    table.low = outermost(outer, table.low.filter(|l| *l < depth));
    exits
}
