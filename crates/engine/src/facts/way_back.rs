//! Loops that may have been executed before a point, in the order in which one meets them on the way back.
//!
//! Against the edges of each function that is being executed, the innermost first, and through the functions that were called on
//! the way. Cost: linear in the blocks of these functions.

use super::Facts;
use heapwise_ir::{BlockId, Callee, FuncId, StatementKind};
use std::collections::{BTreeSet, VecDeque};

/// The places where something was lost, in the order in which one meets them on the way back from what is being executed:
/// functions and their blocks, outermost first.
pub(crate) fn losses_on_the_way(
    facts: &Facts<'_>,
    at: &[(FuncId, BlockId)],
    lost: &BTreeSet<(FuncId, BlockId)>,
) -> Vec<(FuncId, BlockId)> {
    let mut found = Vec::new();
    if !lost.is_empty() {
        at.iter().rev().for_each(|(func, block)| way_back(facts, *func, *block, lost, &mut found));
    }
    found
}

fn way_back(
    facts: &Facts<'_>,
    func: FuncId,
    from: BlockId,
    lost: &BTreeSet<(FuncId, BlockId)>,
    found: &mut Vec<(FuncId, BlockId)>,
) {
    let Some(body) = facts.program.body(func) else { return };
    let info = facts.info(func, body);
    let mut add = |place: (FuncId, BlockId)| {
        if lost.contains(&place) && !found.contains(&place) {
            found.push(place);
        }
    };
    let mut seen = BTreeSet::from([from]);
    let mut open = VecDeque::from([from]);
    while let Some(block) = open.pop_front() {
        add((func, block));
        let statements = body.blocks.get(block).map_or(&[][..], |b| &b.statements);
        for statement in statements.iter().rev() {
            if let StatementKind::Call(call) = &statement.kind
                && let Callee::Direct(callee) = call.callee
            {
                let called = facts.calls.reachable_from(callee);
                lost.iter().filter(|(f, _)| called.contains(*f)).for_each(|place| add(*place));
            }
        }
        open.extend(info.cfg.predecessors(block).iter().copied().filter(|p| seen.insert(*p)));
    }
}
