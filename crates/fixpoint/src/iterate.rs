//! The iteration of one function on one entry (survey §3.3; Bourdoncle 1993 for the order).
//!
//! Blocks are executed in weak topological order; a component is iterated until the states at its head are stable. How states are
//! kept, compared and put together is the analysis' own ([`Iterate`]); what it may do beyond that are capabilities, each a
//! trait of its own with a law, and each taken or left: iterations that are executed one by one before states are
//! described together ([`Peel`]), a first iteration that is kept apart afterwards ([`Apart`]), a part of the states that a loop
//! cannot touch ([`Frame`]), and parts that stand beside the states of all blocks outside of loops ([`Beside`]).
//!
//! Soundness: a loop and its first iterations followed by the loop are the same program. A loop inside another one is solved
//! anew in each iteration of the outer one; so is what it sets aside, but for what left the outer loop with it.
//!
//! Termination is the analysis' promise ([`Iterate::update_head`]); iterations are limited all the same.

use crate::flow::{Flow, Kept, Members};
use heapwise_ir::BlockId;

/// The work on one function, as the iteration sees it. `H` is what the functions of a program have in common.
pub trait Iterate<'b, H>: Sized {
    /// One disjunct.
    type State: Clone;
    /// One at a loop head, with what is remembered of it.
    type Kept: Kept<Self::State>;

    /// What is known so far.
    fn flow(&self) -> &Flow<'b, Self::State, Self::Kept>;
    /// The same, to be changed.
    fn flow_mut(&mut self) -> &mut Flow<'b, Self::State, Self::Kept>;
    /// The states with which a block is executed. Law: each memory of the given states is one of theirs.
    fn at_start(&mut self, host: &mut H, block: BlockId, states: Vec<Self::State>) -> Vec<Self::State>;
    /// Executes a block, and sends the states that come out along its edges. Law: that of transfer and branch
    /// ([`crate::domain`]), for each of the states.
    fn block(&mut self, host: &mut H, block: BlockId, states: Vec<Self::State>);
    /// Brings what comes to the head of a loop into what is known there; whether that has changed. Laws: each memory of
    /// either is one of the states afterwards; if nothing changed, each memory of what came was known; and whatever comes, it changes
    /// finitely often.
    fn update_head(
        &mut self,
        host: &mut H,
        head: BlockId,
        incoming: Vec<Self::State>,
        iteration: usize,
    ) -> bool;
    /// Counts an iteration of a loop; whether it may still be made.
    fn next_iteration(&mut self, host: &mut H, head: BlockId) -> bool;
    /// Whether a loop goes on after an iteration that changed its head; a limit that is reached is an alarm.
    fn goes_on(&mut self, host: &mut H, head: BlockId, iteration: usize) -> bool;
    /// What is at a head once it is stable is noted.
    fn stable(&mut self, host: &mut H, head: BlockId);
}

/// Iterations of a loop that are executed one by one, as long as nothing is gained by describing them together.
pub trait Peel<'b, H>: Iterate<'b, H> {
    /// How many there may be: none, unless an analysis wants them.
    fn most_peeled(&self, _host: &H) -> usize {
        0
    }
    /// Whether another iteration is executed by itself, after one that was entered by some states and gave others back
    /// to the head; in this one or before, none has left the loop.
    fn peels_another(
        &mut self,
        _host: &mut H,
        _first: &[Self::State],
        _entered: usize,
        _back: &[Self::State],
    ) -> Peeling {
        Peeling::Together
    }
}

/// What comes after an iteration that was executed by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Peeling {
    /// Another one.
    Another,
    /// The loop, with this iteration as its first.
    Together,
    /// The loop, which the states that came back enter.
    Afresh,
}

/// A first iteration that is kept apart: the loop is solved again without it, if there are many states at its head.
pub trait Apart<'b, H>: Iterate<'b, H> {
    /// Whether that is tried for a loop with so many states at its head. What is not better with it is taken back.
    fn begins_apart(&self, _host: &H, _states: usize) -> bool {
        false
    }
}

/// A part of the states that a loop cannot touch (the frame rule; heap decomposition, survey §5.3).
pub trait Frame<'b, H>: Iterate<'b, H> {
    /// What all the states that enter a loop have in common and nothing in the loop can touch or look at, and the rest of
    /// each. Law: each state has the memories of [`Frame::put_back`] of the two, and an execution of the loop from a memory of the
    /// rest, beside anything disjoint, is one of the loop from the whole.
    fn split(
        &self,
        _host: &H,
        _head: BlockId,
        _members: &Members,
        _worth: Worth,
    ) -> Option<(Self::State, Vec<Self::State>)> {
        None
    }
    /// A state with what was set aside.
    fn put_back(_state: &mut Self::State, _frame: &Self::State) {}
    /// Before a loop is entered, what comes into it may be made more general. Law: as [`Iterate::at_start`].
    fn before_loop(&mut self, _host: &mut H, _head: BlockId, _members: &Members) {}
}

/// Parts that stand beside the states: outside of loops what is known may be a product, of which blocks are executed on those parts that they
/// touch.
pub trait Beside<'b, H>: Iterate<'b, H> {
    /// What a block, or the loop with that head, which is in no other loop, is executed on; nothing if what comes along the edges into it is all
    /// there is. Law: each memory that comes to it from outside is one of these states beside memory of the parts that are left out, and an
    /// execution of the blocks from a memory of the states, beside anything disjoint, is one of them from the whole.
    fn begin_outer(
        &mut self,
        _host: &mut H,
        _first: BlockId,
        _members: &Members,
    ) -> Option<Vec<Self::State>> {
        None
    }
    /// What was left out stands beside what has left the blocks.
    fn end_outer(&mut self, _members: &Members) {}
}

/// When it is worth it to set something aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// If it makes the states much smaller.
    Much,
    /// Always: it was done before, and the same is to be done again.
    Always,
}

/// All that the iteration asks.
pub trait Analysed<'b, H>: Peel<'b, H> + Apart<'b, H> + Frame<'b, H> + Beside<'b, H> {}
impl<'b, H, W: Peel<'b, H> + Apart<'b, H> + Frame<'b, H> + Beside<'b, H>> Analysed<'b, H> for W {}

/// The range of a component in the order, and its head.
#[derive(Clone, Copy)]
pub(crate) struct Component {
    pub(crate) head: BlockId,
    pub(crate) at: usize,
    pub(crate) end: usize,
}

/// Iterates to the fixpoint.
pub fn solve<'b, H, W: Analysed<'b, H>>(work: &mut W, host: &mut H) {
    let n = work.flow().graph.wto.entries().len();
    range(work, host, 0, n, Place::Outside);
}

/// Where blocks are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In no loop.
    Outside,
    /// In a loop.
    Inside,
}

pub(crate) fn range<'b, H, W: Analysed<'b, H>>(
    work: &mut W,
    host: &mut H,
    from: usize,
    to: usize,
    place: Place,
) {
    let mut at = from;
    while at < to {
        let Some(entry) = work.flow().graph.wto.entries().get(at).copied() else { return };
        at = match entry.end {
            None => {
                execute(work, host, entry.block, place);
                at + 1
            }
            Some(end) => {
                component(work, host, Component { head: entry.block, at, end }, place);
                end
            }
        };
    }
}

/// Executes a block with what comes to it.
pub(crate) fn execute<'b, H, W: Analysed<'b, H>>(work: &mut W, host: &mut H, block: BlockId, place: Place) {
    if place == Place::Outside {
        let members = Members::from_iter([block]);
        if let Some(states) = work.begin_outer(host, block, &members) {
            work.block(host, block, states);
            work.end_outer(&members);
            return;
        }
    }
    let states = work.flow().incoming(block);
    let states = work.at_start(host, block, states);
    work.block(host, block, states);
}

fn component<'b, H, W: Analysed<'b, H>>(work: &mut W, host: &mut H, of: Component, place: Place) {
    let members = work.flow().graph.members(of.at, of.end);
    work.flow_mut().begin_component(of.head, &members);
    work.before_loop(host, of.head, &members);
    let outer = enter_outer(work, host, of.head, &members, place);
    let framed = !outer && set_frame_aside(work, host, of.head, &members, Worth::Much);
    if !peel(work, host, of, &members) {
        iterate(work, host, of);
        begin_apart(work, host, of, &members);
        work.stable(host, of.head);
    }
    if framed {
        put_frame_back(work, &members);
    }
    if outer {
        work.end_outer(&members);
    }
}

/// Leaves out what stands beside the states of a loop. Whether that was done.
pub(crate) fn enter_outer<'b, H, W: Analysed<'b, H>>(
    work: &mut W,
    host: &mut H,
    head: BlockId,
    members: &Members,
    place: Place,
) -> bool {
    if place == Place::Inside {
        return false;
    }
    let Some(states) = work.begin_outer(host, head, members) else { return false };
    work.flow_mut().enter_with(head, states, members);
    true
}

/// Executes iterations until nothing new comes to the head.
fn iterate<'b, H, W: Analysed<'b, H>>(work: &mut W, host: &mut H, of: Component) {
    // The first iteration is done if it was peeled off.
    for iteration in usize::from(work.flow().heads.contains_key(&of.head)).. {
        if !work.next_iteration(host, of.head) {
            return;
        }
        let incoming = work.flow().incoming(of.head);
        let changed = work.update_head(host, of.head, incoming, iteration);
        if !changed && iteration > 0 || !work.goes_on(host, of.head, iteration) {
            return;
        }
        let states = work.flow().at_head(of.head);
        work.block(host, of.head, states);
        range(work, host, of.at + 1, of.end, Place::Inside);
    }
}

/// Executes iterations one by one as long as no state leaves the loop: then nothing is gained by describing them
/// together. Returns whether the loop came to its end that way.
pub(crate) fn peel<'b, H, W: Analysed<'b, H>>(
    work: &mut W,
    host: &mut H,
    of: Component,
    members: &Members,
) -> bool {
    let most = work.most_peeled(host);
    if most == 0 {
        return false;
    }
    let mut states = work.flow().incoming(of.head);
    let first = states.clone();
    for _ in 0..most {
        if states.is_empty() || !work.next_iteration(host, of.head) {
            return true;
        }
        let entered = work.at_start(host, of.head, states);
        work.block(host, of.head, entered.clone());
        range(work, host, of.at + 1, of.end, Place::Inside);
        let leaves = work.flow().leaves(members);
        states = work.flow().coming_back(of.head, members);
        if leaves && states.is_empty() {
            return true;
        }
        let next = match leaves {
            true => Peeling::Together,
            false => work.peels_another(host, &first, entered.len(), &states),
        };
        match next {
            Peeling::Another => {}
            Peeling::Together => {
                let kept = entered.iter().cloned().map(W::Kept::of).collect();
                work.flow_mut().set_head(of.head, kept);
                work.flow_mut().enter_with(of.head, entered, members);
                return false;
            }
            Peeling::Afresh => break,
        }
    }
    work.flow_mut().enter_with(of.head, states, members);
    work.flow_mut().forget_edges(members);
    false
}

/// Solves a loop again with its first iteration apart, if there are many states at its head, and takes that back if they do
/// not become fewer.
fn begin_apart<'b, H, W: Analysed<'b, H>>(work: &mut W, host: &mut H, of: Component, members: &Members) {
    let known = work.flow().heads.get(&of.head).map_or(0, Vec::len);
    if !work.begins_apart(host, known) {
        return;
    }
    let before = work.flow().clone();
    let flow = work.flow_mut();
    flow.heads.remove(&of.head);
    flow.forget_edges(members);
    flow.exits.retain(|b, _| !members.contains(b));
    flow.left.retain(|h, _| !members.contains(h));
    let ended = first_iteration(work, host, of, members);
    if !ended {
        iterate(work, host, of);
    }
    let fewer = work.flow().heads.get(&of.head).is_some_and(|h| h.len() < known);
    if ended || !fewer {
        *work.flow_mut() = before;
    }
}

/// Executes the first iteration and sets aside what leaves the loop. Whether nothing comes back to its head.
pub(crate) fn first_iteration<'b, H, W: Analysed<'b, H>>(
    work: &mut W,
    host: &mut H,
    of: Component,
    members: &Members,
) -> bool {
    if work.flow().incoming(of.head).is_empty() || !work.next_iteration(host, of.head) {
        return true;
    }
    execute(work, host, of.head, Place::Inside);
    range(work, host, of.at + 1, of.end, Place::Inside);
    let back = work.flow().coming_back(of.head, members);
    if back.is_empty() {
        return true;
    }
    work.flow_mut().set_left_aside(of.head, members);
    work.flow_mut().enter_with(of.head, back, members);
    false
}

/// Sets aside what a loop cannot touch, if that is worth it: afterwards it is entered by the rest. Whether it was done.
pub(crate) fn set_frame_aside<'b, H, W: Analysed<'b, H>>(
    work: &mut W,
    host: &mut H,
    head: BlockId,
    members: &Members,
    worth: Worth,
) -> bool {
    work.flow_mut().framed.remove(&head);
    let Some((frame, rest)) = work.split(host, head, members, worth) else { return false };
    let flow = work.flow_mut();
    flow.enter_with(head, rest, members);
    flow.frames.push(frame);
    flow.framed.insert(head);
    true
}

/// Puts what was set aside last into the states that leave the loop.
pub(crate) fn put_frame_back<'b, H, W: Analysed<'b, H>>(work: &mut W, members: &Members) {
    let Some(frame) = work.flow_mut().frames.pop() else { return };
    work.flow_mut().leaving_mut(members).for_each(|state| W::put_back(state, &frame));
}
