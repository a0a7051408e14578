//! From drafts to the final blocks.
//!
//! Edges skip empty blocks, blocks that nothing leads to are dropped, a block joins its only predecessor if that
//! leads nowhere else, and what remains is numbered in reverse postorder. Linear in the number of statements
//! and edges.
//!
//! The address of a label counts as a use of its block, so that the constant stays meaningful even in a function
//! without a computed `goto`.

use super::build::{Draft, Piece};
use heapwise_ir::cfg::for_each_target;
use heapwise_ir::index::Idx;
use heapwise_ir::visit::{
    statement_operands, statement_operands_mut, terminator_operand, terminator_operand_mut,
};
use heapwise_ir::{
    Block, BlockId, Body, Const, IndexVec, Operand, Span, Statement, StatementKind, Terminator,
    TerminatorKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

type Drafts = IndexVec<BlockId, Draft>;

/// Completes a function's blocks, moving their statements out of the list; `label_constants` says whether
/// addresses of labels occur. Also says where each of the statements `marks` has come to be, if it is reachable.
pub(super) fn finish(
    mut drafts: Drafts,
    statements: &mut [Statement],
    label_constants: bool,
    marks: &[u32],
) -> (IndexVec<BlockId, Block>, FxHashMap<u32, (BlockId, u32)>) {
    for draft in drafts.iter_mut() {
        let missing = Terminator { kind: TerminatorKind::Unreachable, span: Span::default() };
        draft.terminator.get_or_insert(missing);
    }
    let forward = forwarding(&drafts);
    let forwarded = |b| forward.get(b).copied().unwrap_or(b);
    for terminator in drafts.iter_mut().filter_map(|draft| draft.terminator.as_mut()) {
        redirect(terminator, label_constants, &forwarded);
    }
    if label_constants {
        rename_labels(statements, &forwarded);
    }
    let order = reverse_postorder(&drafts, statements, label_constants);
    merge_chains(&mut drafts, statements, &order, label_constants);

    let mut places = FxHashMap::default();
    let mut marks = marks.to_vec();
    marks.sort_unstable();
    let marks = &marks[..];
    let mut number = IndexVec::from_elem(Body::ENTRY, drafts.len());
    let mut result = IndexVec::with_capacity(order.len());
    for id in order {
        if let Some(Draft { pieces, terminator: Some(terminator) }) = drafts.get_mut(id).map(std::mem::take) {
            places_of(marks, &pieces, result.next_index(), &mut places);
            number[id] = result.push(Block { statements: take(statements, &pieces), terminator });
        }
    }
    for block in result.iter_mut() {
        let renumbered = |b| number.get(b).copied().unwrap_or(b);
        redirect(&mut block.terminator, label_constants, &renumbered);
        if label_constants {
            rename_labels(&mut block.statements, &renumbered);
        }
    }
    result.shrink_to_fit();
    (result, places)
}

/// Notes where those of the sorted `marks` are that belong to the pieces of a block.
fn places_of(marks: &[u32], pieces: &[Piece], block: BlockId, places: &mut FxHashMap<u32, (BlockId, u32)>) {
    let mut before = 0;
    for &(from, to) in pieces {
        let first = marks.partition_point(|mark| *mark < from);
        for mark in marks.iter().skip(first).take_while(|mark| **mark < to) {
            places.insert(*mark, (block, before + mark - from));
        }
        before += to - from;
    }
}

/// Moves pieces out of the list.
fn take(statements: &mut [Statement], pieces: &[Piece]) -> Vec<Statement> {
    let length = pieces.iter().map(|(from, to)| (to - from) as usize).sum();
    let mut out = Vec::with_capacity(length);
    for &(from, to) in pieces {
        let piece = statements.get_mut(from as usize..to as usize).unwrap_or_default();
        out.extend(piece.iter_mut().map(|statement| Statement {
            kind: std::mem::replace(&mut statement.kind, StatementKind::Nop),
            span: statement.span,
        }));
    }
    out
}

fn terminator(drafts: &Drafts, id: BlockId) -> Option<&Terminator> {
    drafts.get(id).and_then(|draft| draft.terminator.as_ref())
}

/// For each block the first one on its way that does something.
fn forwarding(drafts: &Drafts) -> IndexVec<BlockId, BlockId> {
    let next = |id: BlockId| match drafts.get(id)? {
        Draft { pieces, terminator: Some(Terminator { kind: TerminatorKind::Goto(target), .. }) }
            if pieces.is_empty() && id != Body::ENTRY =>
        {
            Some(*target)
        }
        _ => None,
    };
    let mut forward: IndexVec<BlockId, Option<BlockId>> = IndexVec::from_elem(None, drafts.len());
    // The number of the walk that met a block last: meeting it again in one walk is an empty endless loop.
    let mut met = IndexVec::from_elem(0u32, drafts.len());
    let mut walk = 0;
    let mut path = Vec::new();
    for start in drafts.indices() {
        walk += 1;
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
        for id in path.drain(..) {
            if let Some(forward) = forward.get_mut(id) {
                *forward = Some(end);
            }
        }
    }
    forward.iter_enumerated().map(|(id, target)| target.unwrap_or(id)).collect()
}

/// The blocks reachable from the entry, each before what follows it except along back edges; then those that are
/// in use only because their address is.
fn reverse_postorder(drafts: &Drafts, statements: &[Statement], label_constants: bool) -> Vec<BlockId> {
    let mut seen = vec![false; drafts.len()];
    let mut order = Vec::with_capacity(drafts.len());
    search(drafts, Body::ENTRY, &mut seen, &mut order);
    let mut scanned = 0;
    while label_constants && let Some(draft) = order.get(scanned).and_then(|&id| drafts.get(id)) {
        scanned += 1;
        labels(draft, statements, &mut |label| search(drafts, label, &mut seen, &mut order));
    }
    order
}

/// Appends what can be reached from `root` and was not seen yet, in reverse postorder.
fn search(drafts: &Drafts, root: BlockId, seen: &mut [bool], order: &mut Vec<BlockId>) {
    type Targets = SmallVec<[BlockId; 2]>;
    let start = order.len();
    let mut stack = Vec::new();
    let mut enter = |stack: &mut Vec<(BlockId, Targets)>, id: BlockId| {
        if let (Some(seen), Some(terminator)) = (seen.get_mut(id.index()), terminator(drafts, id))
            && !std::mem::replace(seen, true)
        {
            let mut targets = Targets::new();
            for_each_target(&terminator.kind, |target| targets.push(target));
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
fn merge_chains(drafts: &mut Drafts, statements: &[Statement], order: &[BlockId], label_constants: bool) {
    let mut uses = IndexVec::from_elem(0u32, drafts.len());
    for draft in order.iter().filter_map(|&id| drafts.get(id)) {
        let mut count = |target: BlockId, n| {
            if let Some(uses) = uses.get_mut(target) {
                *uses += n;
            }
        };
        if let Some(terminator) = &draft.terminator {
            for_each_target(&terminator.kind, |target| count(target, 1));
            if let TerminatorKind::GotoAddress { targets, .. } = &terminator.kind {
                targets.iter().for_each(|&target| count(target, 2));
            }
        }
        if label_constants {
            labels(draft, statements, &mut |label| count(label, 2));
        }
    }
    for &id in order {
        let Some(mut draft) = drafts.get_mut(id).map(std::mem::take) else { continue };
        while let Some(Terminator { kind: TerminatorKind::Goto(target), .. }) = draft.terminator
            && target != Body::ENTRY
            && uses.get(target) == Some(&1)
            && let Some(mut next) =
                drafts.get_mut(target).filter(|next| next.terminator.is_some()).map(std::mem::take)
        {
            draft.pieces.append(&mut next.pieces);
            draft.terminator = next.terminator;
        }
        if let Some(slot) = drafts.get_mut(id) {
            *slot = draft;
        }
    }
}

/// Renames the targets of a terminator, and the label in it if there can be one.
fn redirect(terminator: &mut Terminator, label_constants: bool, rename: &dyn Fn(BlockId) -> BlockId) {
    match &mut terminator.kind {
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
    if label_constants && let Some(operand) = terminator_operand_mut(terminator) {
        rename_label(operand, rename);
    }
}

fn rename_label(operand: &mut Operand, rename: &dyn Fn(BlockId) -> BlockId) {
    if let Operand::Const(Const::Label { block, .. }) = operand {
        *block = rename(*block);
    }
}

fn rename_labels(statements: &mut [Statement], rename: &dyn Fn(BlockId) -> BlockId) {
    for statement in statements {
        statement_operands_mut(statement, &mut |operand| rename_label(operand, rename));
    }
}

/// Calls `f` for each label whose address occurs in a block.
fn labels(draft: &Draft, statements: &[Statement], f: &mut dyn FnMut(BlockId)) {
    let mut visit = |operand: &Operand| {
        if let Operand::Const(Const::Label { block, .. }) = operand {
            f(*block);
        }
    };
    for &(from, to) in &draft.pieces {
        for statement in statements.get(from as usize..to as usize).unwrap_or_default() {
            statement_operands(statement, &mut |operand| visit(operand));
        }
    }
    if let Some(operand) = draft.terminator.as_ref().and_then(terminator_operand) {
        visit(operand);
    }
}
