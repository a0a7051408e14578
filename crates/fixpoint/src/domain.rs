//! What an abstract domain is: three small traits and their laws.
//!
//! γ(s) is the set of memories that a state describes. The solver works with finite sets of states, whose meaning is the
//! union; so an operation may return several states (cases) or none (no execution goes on).
//!
//! | law | says |
//! |---|---|
//! | order | `leq(a, b)` is `Ok` only if γ(a) ⊆ γ(b); it is reflexive |
//! | join | γ(a) ∪ γ(b) ⊆ γ(`join(a, b)`), and both are `leq` the result |
//! | widen | as join; and every sequence in which each state is the widening of the one before it is finite |
//! | generalise | γ(s) ⊆ the union of γ over `generalise(s)`; again applied it gives nothing that is not `leq` the first result |
//! | transfer | if m ∈ γ(s) and the statement takes m to m′, then m′ is in the meaning of the result; if it goes wrong there is an alarm |
//! | branch | if m ∈ γ(s) then m is in the meaning of a state for the block that m goes on to, or there is an alarm |
//! | forget | γ(s) ⊆ γ(`forget(s)`) as far as the live locals and memory go |
//! | calls | if m ∈ γ(s), then what the callee sees of m is in the entry; and if the callee takes that to an exit in γ(e), the whole memory is in the meaning of `leave(frame, e)` |
//!
//! Where a domain does not know it raises an alarm and may return no states: then nothing is claimed on that path.
//! The laws of order, join, widen and generalise are tested by [`crate::laws`], the others by concrete runs.

use crate::context::{Context, Site};
use heapwise_ir::library::LibFn;
use heapwise_ir::{BlockId, Body, Call, Callee, FuncId, LocalSet, Operand, Statement, Terminator};
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// States, their order, and how they are put together.
pub trait Domain {
    /// One disjunct.
    type State: Clone + Eq + Hash + Debug;
    /// Why two states are not in order, or have no common description.
    type Why: Display;

    /// Whether all memories of `a` are memories of `b`, as far as can be seen.
    fn leq(&self, a: &Self::State, b: &Self::State) -> Result<(), Self::Why>;
    /// A state that describes the memories of both and keeps what matters apart, or why there is none.
    fn join(&mut self, a: &Self::State, b: &Self::State) -> Result<Self::State, Self::Why>;
    /// A state that describes the memories of both, general enough for sequences to end; or why there is none.
    fn widen(&mut self, old: &Self::State, new: &Self::State) -> Result<Self::State, Self::Why>;
    /// More general states, of which there are few: what loops and recursion see.
    fn generalise(&mut self, state: Self::State) -> Vec<Self::State>;
}

/// What statements do.
pub trait Transfer: Domain {
    /// A statement that is no call.
    fn statement(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        statement: &Statement,
        state: Self::State,
    ) -> Vec<Self::State>;
    /// Where a block goes on, other than back to the caller, and with which states.
    fn branch(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        terminator: &Terminator,
        state: Self::State,
    ) -> Vec<(BlockId, Self::State)>;
    /// What happens on the way out of a block with one successor: nothing, for most domains.
    fn jump(&mut self, _cx: &mut Context<'_>, _at: &Site<'_>, state: Self::State) -> Vec<Self::State> {
        vec![state]
    }
    /// The state without what only locals say that are not read any more.
    fn forget(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        live: &LocalSet,
        state: Self::State,
    ) -> Self::State;
}

/// What calls do.
pub trait Calls: Transfer {
    /// What a caller keeps while a function is analysed.
    type Frame;

    /// The states in which the entry function begins.
    fn start(&mut self, cx: &mut Context<'_>, at: &Site<'_>) -> Vec<Self::State>;
    /// Looks at the state in which the program ends.
    fn end(&mut self, cx: &mut Context<'_>, at: &Site<'_>, state: &Self::State);
    /// Which functions a call may lead to, each with the states in which it does.
    fn callees(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        callee: &Callee,
        state: Self::State,
    ) -> Vec<(FuncId, Self::State)>;
    /// A call of a library function.
    fn library(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        function: LibFn,
        call: &Call,
        state: Self::State,
    ) -> Vec<Self::State>;
    /// A call that does nothing but return any value.
    fn any_result(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        call: &Call,
        state: Self::State,
    ) -> Vec<Self::State>;
    /// What a function with code sees when it is called, and what is left; `None` (after an alarm) if the call is not
    /// modelled. Equal calls should give equal entries: names that do not matter are chosen in one way.
    fn enter(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        callee: (FuncId, &Body),
        call: &Call,
        state: Self::State,
    ) -> Option<(Self::State, Self::Frame)>;
    /// The states in which a function returns, as its callers see them: its result named, its own variables gone.
    fn exit(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        value: Option<&Operand>,
        state: Self::State,
    ) -> Vec<Self::State>;
    /// The states after a call.
    fn leave(
        &mut self,
        cx: &mut Context<'_>,
        at: &Site<'_>,
        call: &Call,
        frame: &Self::Frame,
        exit: &Self::State,
    ) -> Vec<Self::State>;
}
