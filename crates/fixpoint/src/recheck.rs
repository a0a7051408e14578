//! Is the result of a solve really a post-fixpoint?
//!
//! After the iteration of a function its loop heads are frozen and every block is executed once more, in order, from the
//! frozen heads and what flows from them. What then arrives at a head must be included in its states, and what is
//! returned in the exits. The check shares the analysis' operations and the execution of blocks with the solver, but neither
//! iteration, joins and widening nor the edges kept from earlier rounds. A failure is a defect of the analyser or of a domain that
//! breaks its laws; it is reported as an alarm, so that nothing is claimed.
//!
//! Cost: one more pass per solve. Calls are answered by the table; functions that have to be solved again for it are
//! not checked a second time.

use crate::flow::Members;
use crate::iterate::{
    Analysed, Component, Place, Worth, enter_outer, execute, first_iteration, peel, put_frame_back,
    set_frame_aside,
};
use heapwise_ir::BlockId;

/// What is not stable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unstable {
    /// What a function returns.
    Exits,
    /// What is at the head of a loop.
    Loop(BlockId),
}

impl Unstable {
    /// What is said of it.
    pub fn message(self) -> &'static str {
        match self {
            Unstable::Exits => "internal check: the states in which this function returns are not stable",
            Unstable::Loop(_) => "internal check: the states of this loop are not stable",
        }
    }
}

/// What the check asks besides.
pub trait Checked<'b, H>: Analysed<'b, H> {
    /// The same work, of which nothing is done yet.
    fn again(&self) -> Self;
    /// States that come to a loop, as its head keeps them. Law: as [`crate::iterate::Iterate::at_start`].
    fn at_head(&self, _host: &mut H, _head: BlockId, states: Vec<Self::State>) -> Vec<Self::State> {
        states
    }
    /// Whether a state is included in others, directly or after the steps that the solver takes too.
    fn covered(&self, host: &mut H, state: &Self::State, by: &[Self::State]) -> bool;
    /// Raises the alarm.
    fn unstable(&self, host: &mut H, what: Unstable);
}

/// Checks the result of a solve whose callers get the states of `exits`.
pub fn check<'b, H, W: Checked<'b, H>>(done: &W, host: &mut H, exits: &[W::State]) {
    let mut pass = done.again();
    let n = done.flow().graph.wto.entries().len();
    check_range(done, &mut pass, host, (0, n), Place::Outside);
    let returned: Vec<W::State> = pass.flow().returned().cloned().collect();
    for state in returned {
        if !done.covered(host, &state, exits) {
            done.unstable(host, Unstable::Exits);
        }
    }
}

/// Executes blocks once, loops from their frozen heads.
fn check_range<'b, H, W: Checked<'b, H>>(
    done: &W,
    pass: &mut W,
    host: &mut H,
    (from, to): (usize, usize),
    place: Place,
) {
    let mut at = from;
    while at < to {
        let Some(entry) = done.flow().graph.wto.entries().get(at).copied() else { return };
        at = match entry.end {
            None => {
                execute(pass, host, entry.block, place);
                at + 1
            }
            Some(end) => {
                check_component(done, pass, host, Component { head: entry.block, at, end }, place);
                end
            }
        };
    }
}

fn check_component<'b, H, W: Checked<'b, H>>(
    done: &W,
    pass: &mut W,
    host: &mut H,
    of: Component,
    place: Place,
) {
    let members = done.flow().graph.members(of.at, of.end);
    pass.flow_mut().begin_component(of.head, &members);
    pass.before_loop(host, of.head, &members);
    let outer = enter_outer(pass, host, of.head, &members, place);
    let framed = done.flow().framed.contains(&of.head);
    if framed && !set_frame_aside(pass, host, of.head, &members, Worth::Always) {
        done.unstable(host, Unstable::Loop(of.head));
        return;
    }
    check_iterations(done, pass, host, of, &members);
    if framed {
        put_frame_back(pass, &members);
    }
    if outer {
        pass.end_outer(&members);
    }
}

fn check_iterations<'b, H, W: Checked<'b, H>>(
    done: &W,
    pass: &mut W,
    host: &mut H,
    of: Component,
    members: &Members,
) {
    let ended = match done.flow().left.contains_key(&of.head) {
        true => first_iteration(pass, host, of, members),
        false => peel(pass, host, of, members),
    };
    if ended {
        return;
    }
    let frozen = done.flow().at_head(of.head);
    pass.block(host, of.head, frozen.clone());
    check_range(done, pass, host, (of.at + 1, of.end), Place::Inside);
    let back = pass.flow().incoming(of.head);
    for state in pass.at_head(host, of.head, back) {
        if !done.covered(host, &state, &frozen) {
            done.unstable(host, Unstable::Loop(of.head));
        }
    }
}
