//! From drafts to the final blocks.
//!
//! Edges skip empty blocks, blocks that nothing leads to are dropped, a block joins its only predecessor if that
//! leads nowhere else, and what remains is numbered in reverse postorder. Linear in the number of statements
//! and edges.
//!
//! The address of a label counts as a use of its block, so that the constant stays meaningful even in a function
//! without a computed `goto`.

use super::build::Draft;
use heapwise_ir::cfg::for_each_target;
use heapwise_ir::index::Idx;
use heapwise_ir::{
    Block, BlockId, Body, Callee, Const, IndexVec, Operand, Place, PlaceBase, Projection, Rvalue, Span,
    Statement, StatementKind, Terminator, TerminatorKind,
};
use rustc_hash::FxHashSet;

/// Completes a function's blocks; `label_constants` says whether addresses of labels occur.
pub(super) fn finish(drafts: IndexVec<BlockId, Draft>, label_constants: bool) -> IndexVec<BlockId, Block> {
    let mut blocks: IndexVec<BlockId, Option<Block>> = IndexVec::new();
    for_each_draft(drafts, &mut blocks);
    let forward = forwarding(&blocks);
    for block in blocks.iter_mut().flatten() {
        redirect(block, label_constants, &|b| forward.get(b).copied().unwrap_or(b));
    }
    let order = reverse_postorder(&blocks, label_constants);
    merge_chains(&mut blocks, &order, label_constants);

    let mut number = IndexVec::from_elem(Body::ENTRY, blocks.len());
    let mut result = IndexVec::new();
    for id in order {
        if let Some(block) = blocks.get_mut(id).and_then(Option::take) {
            number[id] = result.push(block);
        }
    }
    for block in result.iter_mut() {
        redirect(block, label_constants, &|b| number.get(b).copied().unwrap_or(b));
    }
    result
}

fn for_each_draft(mut drafts: IndexVec<BlockId, Draft>, blocks: &mut IndexVec<BlockId, Option<Block>>) {
    for draft in drafts.iter_mut() {
        let Draft { statements, terminator } = std::mem::take(draft);
        let missing = Terminator { kind: TerminatorKind::Unreachable, span: Span::default() };
        blocks.push(Some(Block { statements, terminator: terminator.unwrap_or(missing) }));
    }
}

fn get(blocks: &IndexVec<BlockId, Option<Block>>, id: BlockId) -> Option<&Block> {
    blocks.get(id).and_then(Option::as_ref)
}

/// For each block the first one on its way that does something.
fn forwarding(blocks: &IndexVec<BlockId, Option<Block>>) -> IndexVec<BlockId, BlockId> {
    let next = |id: BlockId| match get(blocks, id) {
        Some(Block { statements, terminator: Terminator { kind: TerminatorKind::Goto(target), .. } })
            if statements.is_empty() && id != Body::ENTRY =>
        {
            Some(*target)
        }
        _ => None,
    };
    let mut forward: IndexVec<BlockId, Option<BlockId>> = IndexVec::from_elem(None, blocks.len());
    // The number of the walk that met a block last: meeting it again in one walk is an empty endless loop.
    let mut met = IndexVec::from_elem(0u32, blocks.len());
    let mut walk = 0;
    for start in blocks.indices() {
        walk += 1;
        let mut path = Vec::new();
        let mut at = start;
        let end = loop {
            if let Some(known) = forward.get(at).copied().flatten() {
                break known;
            }
            if met.get(at) == Some(&walk) {
                break at;
            }
            if let Some(met) = met.get_mut(at) {
                *met = walk;
            }
            path.push(at);
            match next(at) {
                Some(target) => at = target,
                None => break at,
            }
        };
        for id in path {
            if let Some(forward) = forward.get_mut(id) {
                *forward = Some(end);
            }
        }
    }
    forward.iter_enumerated().map(|(id, target)| target.unwrap_or(id)).collect()
}

/// The blocks reachable from the entry, each before what follows it except along back edges; then those that are
/// in use only because their address is.
fn reverse_postorder(blocks: &IndexVec<BlockId, Option<Block>>, label_constants: bool) -> Vec<BlockId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    search(blocks, Body::ENTRY, &mut seen, &mut order);
    let mut scanned = 0;
    while label_constants && let Some(block) = order.get(scanned).and_then(|&id| get(blocks, id)) {
        scanned += 1;
        labels(block, &mut |label| search(blocks, label, &mut seen, &mut order));
    }
    order
}

/// Appends what can be reached from `root` and was not seen yet, in reverse postorder.
fn search(
    blocks: &IndexVec<BlockId, Option<Block>>,
    root: BlockId,
    seen: &mut [bool],
    order: &mut Vec<BlockId>,
) {
    let start = order.len();
    let mut stack = Vec::new();
    let mut enter = |stack: &mut Vec<(BlockId, Vec<BlockId>)>, id: BlockId| {
        if let (Some(seen), Some(block)) = (seen.get_mut(id.index()), get(blocks, id))
            && !std::mem::replace(seen, true)
        {
            let mut targets = Vec::new();
            for_each_target(&block.terminator.kind, |target| targets.push(target));
            // Of repeated targets the first counts, as in `Cfg`.
            if targets.len() > 2 {
                let mut listed = FxHashSet::default();
                targets.retain(|target| listed.insert(*target));
            }
            stack.push((id, targets));
        }
    };
    enter(&mut stack, root);
    while let Some((id, open)) = stack.last_mut() {
        // Later successors first, so that the order follows the text.
        match open.pop() {
            Some(target) => enter(&mut stack, target),
            None => {
                order.push(*id);
                stack.pop();
            }
        }
    }
    if let Some(found) = order.get_mut(start..) {
        found.reverse();
    }
}

/// Appends to each block that ends in a `Goto` its target, if nothing else leads there.
fn merge_chains(blocks: &mut IndexVec<BlockId, Option<Block>>, order: &[BlockId], label_constants: bool) {
    let mut uses = IndexVec::from_elem(0u32, blocks.len());
    for &id in order {
        let Some(block) = get(blocks, id) else { continue };
        let mut count = |target: BlockId, n| {
            if let Some(uses) = uses.get_mut(target) {
                *uses += n;
            }
        };
        for_each_target(&block.terminator.kind, |target| count(target, 1));
        if label_constants {
            labels(block, &mut |label| count(label, 2));
        }
        if let TerminatorKind::GotoAddress { targets, .. } = &block.terminator.kind {
            targets.iter().for_each(|&target| count(target, 2));
        }
    }
    for &id in order {
        let Some(mut block) = blocks.get_mut(id).and_then(Option::take) else { continue };
        while let TerminatorKind::Goto(target) = block.terminator.kind
            && target != Body::ENTRY
            && uses.get(target) == Some(&1)
            && let Some(mut next) = blocks.get_mut(target).and_then(Option::take)
        {
            block.statements.append(&mut next.statements);
            block.terminator = next.terminator;
        }
        if let Some(slot) = blocks.get_mut(id) {
            *slot = Some(block);
        }
    }
}

/// Renames the targets of a block, and the labels in it if there can be any.
fn redirect(block: &mut Block, label_constants: bool, rename: &dyn Fn(BlockId) -> BlockId) {
    match &mut block.terminator.kind {
        TerminatorKind::Goto(target) => *target = rename(*target),
        TerminatorKind::Branch { then, otherwise, .. } => {
            *then = rename(*then);
            *otherwise = rename(*otherwise);
        }
        TerminatorKind::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|case| case.target = rename(case.target));
            *default = rename(*default);
        }
        TerminatorKind::GotoAddress { targets, .. } => {
            targets.iter_mut().for_each(|target| *target = rename(*target));
            let mut kept = FxHashSet::default();
            targets.retain(|target| kept.insert(*target));
        }
        TerminatorKind::Return(_) | TerminatorKind::Unreachable => {}
    }
    if label_constants {
        for_each_operand(block, &mut |operand| {
            if let Operand::Const(Const::Label { block, .. }) = operand {
                *block = rename(*block);
            }
        });
    }
}

fn labels(block: &Block, f: &mut dyn FnMut(BlockId)) {
    let mut visit = |operand: &Operand| {
        if let Operand::Const(Const::Label { block, .. }) = operand {
            f(*block);
        }
    };
    for statement in &block.statements {
        heapwise_ir::visit::statement_operands(statement, &mut |operand| visit(operand));
    }
    if let Some(operand) = heapwise_ir::visit::terminator_operand(&block.terminator) {
        visit(operand);
    }
}

fn for_each_operand(block: &mut Block, f: &mut dyn FnMut(&mut Operand)) {
    block.statements.iter_mut().for_each(|s| statement_operands(s, f));
    match &mut block.terminator.kind {
        TerminatorKind::Branch { cond: operand, .. }
        | TerminatorKind::Switch { value: operand, .. }
        | TerminatorKind::GotoAddress { address: operand, .. }
        | TerminatorKind::Return(Some(operand)) => f(operand),
        TerminatorKind::Goto(_) | TerminatorKind::Return(None) | TerminatorKind::Unreachable => {}
    }
}

fn statement_operands(statement: &mut Statement, f: &mut dyn FnMut(&mut Operand)) {
    match &mut statement.kind {
        StatementKind::Nop
        | StatementKind::StorageLive(_)
        | StatementKind::StorageDead(_)
        | StatementKind::ScopeFree(_) => {}
        StatementKind::Assign { dest, value } => {
            rvalue_operands(value, f);
            place_operands(dest, f);
        }
        StatementKind::Zero(dest) => place_operands(dest, f),
        StatementKind::ScopeAlloc { size, .. } => f(size),
        StatementKind::Call(call) => {
            if let Callee::Indirect(pointer) = &mut call.callee {
                f(pointer);
            }
            call.args.iter_mut().for_each(&mut *f);
            call.dest.iter_mut().for_each(|d| place_operands(d, f));
        }
        StatementKind::Intrinsic { dest, args, .. } => {
            args.iter_mut().for_each(&mut *f);
            dest.iter_mut().for_each(|d| place_operands(d, f));
        }
    }
}

fn place_operands(place: &mut Place, f: &mut dyn FnMut(&mut Operand)) {
    if let PlaceBase::Deref(pointer) = &mut place.base {
        f(pointer);
    }
    for step in &mut place.path {
        if let Projection::Index { index, .. } = step {
            f(index);
        }
    }
}

fn rvalue_operands(value: &mut Rvalue, f: &mut dyn FnMut(&mut Operand)) {
    match value {
        Rvalue::Use(arg) | Rvalue::Unary { arg, .. } | Rvalue::Cast { arg, .. } => f(arg),
        Rvalue::Load(place) | Rvalue::AddrOf(place) => place_operands(place, f),
        Rvalue::Binary { lhs, rhs, .. }
        | Rvalue::Compare { lhs, rhs, .. }
        | Rvalue::PtrDiff { lhs, rhs, .. } => {
            f(lhs);
            f(rhs);
        }
        Rvalue::PtrAdd { ptr, index, .. } => {
            f(ptr);
            f(index);
        }
    }
}
