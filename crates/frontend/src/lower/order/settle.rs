//! Gives functions the orders of evaluation that make a difference.
//!
//! A group whose operands do not conflict loses its marks and nothing else happens. Of the others, inner ones come first: their
//! copies are part of what is copied for the outer ones. Blocks are split at the marks, the operands' blocks are copied once
//! for each further order, and the copies are chained in that order behind a choice in front of the group.
//!
//! Cost: the copies, at most [`MAX_COPIES`] statements in a function; a function that would need more is not analysed.

use super::PlacedGroup;
use super::accesses::{Accesses, Facts};
use crate::lower::build::Draft;
use crate::lower::finish::finish;
use heapwise_ir::cfg::for_each_target;
use heapwise_ir::library::LibFn;
use heapwise_ir::visit::{statement_operands, terminator_operand};
use heapwise_ir::{
    Block, BlockId, Body, Call, Callee, Const, Diagnostic, FuncId, Function, FunctionBody, IndexVec, Local,
    LocalId, Operand, Place, Program, Severity, Span, Statement, StatementKind, SwitchCase, Terminator,
    TerminatorKind, Ty, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// Most statements that are copied in one function.
const MAX_COPIES: usize = 20_000;

/// Most operands whose orders are all considered.
const ALL_ORDERS: usize = 3;

/// See the module's page.
pub(in crate::lower) fn settle(
    program: &mut Program,
    groups: FxHashMap<FuncId, Vec<PlacedGroup>>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut groups: Vec<(FuncId, Vec<PlacedGroup>)> =
        groups.into_iter().filter(|(_, groups)| !groups.is_empty()).collect();
    if groups.is_empty() {
        return;
    }
    groups.sort_unstable_by_key(|(id, _)| *id);
    let facts = Facts::new(program);
    let mut chooser = None;
    for (id, groups) in groups {
        let Some(FunctionBody::Defined(body)) = program.functions.get_mut(id).map(|f| &mut f.body) else {
            continue;
        };
        let mut body = std::mem::take(&mut **body);
        let orders = Orders::of(&body, &groups, &facts);
        if !orders.list.is_empty() && chooser.is_none() {
            chooser = Some(choice_function(program));
        }
        let result = match chooser {
            Some(chooser) if !orders.list.is_empty() => write_orders(&mut body, &orders, chooser),
            _ => Ok(()),
        };
        for block in body.blocks.iter_mut() {
            block.statements.retain(|s| !matches!(s.kind, StatementKind::Nop));
        }
        let Some(function) = program.functions.get_mut(id) else { continue };
        function.body = match result {
            Ok(()) => FunctionBody::Defined(Box::new(body)),
            Err(span) => {
                let message = "too many orders of evaluation make a difference";
                diagnostics.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "evaluation-order",
                    message: message.into(),
                    span,
                });
                FunctionBody::NotAnalysed { reason: message.into(), span }
            }
        };
    }
}

/// A function that returns any number of type `unsigned char`, with that type.
fn choice_function(program: &mut Program) -> (FuncId, Ty) {
    let ret = program.types.intern(Type::Int(heapwise_ir::IntTy { bits: 8, signed: false }));
    let ty = program.types.intern(Type::Function { ret, params: Box::new([]), variadic: false });
    let id = program.functions.push(Function {
        name: heapwise_ir::ORDER_OF_EVALUATION.into(),
        ty,
        internal: true,
        noreturn: false,
        library: Some(LibFn::Nondet),
        body: FunctionBody::Declared,
        span: Span::default(),
    });
    (id, ret)
}

/// The further orders that a group needs.
struct Needed<'g> {
    group: &'g PlacedGroup,
    orders: Vec<Vec<usize>>,
}

struct Orders<'g> {
    list: Vec<Needed<'g>>,
}

impl<'g> Orders<'g> {
    fn of(body: &Body, groups: &'g [PlacedGroup], facts: &Facts) -> Orders<'g> {
        let needed = |group: &'g PlacedGroup| {
            let parts = group.marks.windows(2).map(|pair| part(body, pair[0], pair[1], facts));
            let parts: Vec<Accesses> = parts.collect();
            let conflicts = |i: usize| {
                let mine = parts.get(i)?;
                let others = parts.iter().enumerate().filter(|(j, _)| *j != i);
                others.into_iter().any(|(_, other)| mine.conflict(other, facts, &body.locals)).then_some(i)
            };
            let dependent: Vec<usize> = (0..parts.len()).filter_map(conflicts).collect();
            let orders = further_orders(parts.len(), &dependent);
            (!orders.is_empty()).then_some(Needed { group, orders })
        };
        Orders { list: groups.iter().filter_map(needed).collect() }
    }
}

/// The orders of `count` operands other than from left to right, where only those of the `dependent` ones matter.
fn further_orders(count: usize, dependent: &[usize]) -> Vec<Vec<usize>> {
    if dependent.len() < 2 {
        return Vec::new();
    }
    let first: Vec<usize> = (0..count).filter(|i| !dependent.contains(i)).collect();
    let mut orders: Vec<Vec<usize>> = Vec::new();
    let mut add = |order: Vec<usize>| {
        if order != dependent {
            let whole: Vec<usize> = first.iter().copied().chain(order).collect();
            if !orders.contains(&whole) {
                orders.push(whole);
            }
        }
    };
    add(dependent.iter().rev().copied().collect());
    if dependent.len() <= ALL_ORDERS {
        permutations(dependent, &mut Vec::new(), &mut add);
    } else {
        for chosen in dependent {
            let rest = dependent.iter().copied().filter(|i| i != chosen);
            add([*chosen].into_iter().chain(rest).collect());
        }
    }
    orders
}

fn permutations(items: &[usize], so_far: &mut Vec<usize>, add: &mut dyn FnMut(Vec<usize>)) {
    if so_far.len() == items.len() {
        add(so_far.clone());
        return;
    }
    for item in items {
        if !so_far.contains(item) {
            so_far.push(*item);
            permutations(items, so_far, add);
            so_far.pop();
        }
    }
}

/// What happens between two marks.
fn part(body: &Body, from: (BlockId, u32), to: (BlockId, u32), facts: &Facts) -> Accesses {
    let mut accesses = Accesses::default();
    let none = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut work = vec![from];
    while let Some((id, at)) = work.pop() {
        let Some(block) = body.blocks.get(id) else { continue };
        let ends_here = id == to.0 && to.1 >= at;
        let end = if ends_here { to.1 as usize } else { block.statements.len() };
        for statement in block.statements.get(at as usize..end).unwrap_or_default() {
            accesses.statement(statement, facts, &none);
        }
        if !ends_here {
            accesses.operand(terminator_operand(&block.terminator));
            for_each_target(&block.terminator.kind, |target| {
                if seen.insert(target) {
                    work.push((target, 0));
                }
            });
        }
    }
    accesses
}

/// Splits the blocks at the marks of all groups and adds the copies; an error is where there were too many.
fn write_orders(body: &mut Body, orders: &Orders<'_>, (chooser, ty): (FuncId, Ty)) -> Result<(), Span> {
    let mut marks: Vec<(BlockId, u32)> =
        orders.list.iter().flat_map(|n| n.group.marks.iter().copied()).collect();
    marks.sort_unstable();
    let mut starts: FxHashMap<(BlockId, u32), BlockId> = FxHashMap::default();
    for &(id, at) in marks.iter().rev() {
        let Some(block) = body.blocks.get_mut(id) else { continue };
        let mut statements = block.statements.split_off(at as usize);
        let span = statements.first().map_or(block.terminator.span, |s| s.span);
        if !statements.is_empty() {
            statements.remove(0);
        }
        let next = Terminator { kind: TerminatorKind::Unreachable, span };
        let terminator = std::mem::replace(&mut block.terminator, next);
        let new = body.blocks.push(Block { statements, terminator });
        if let Some(block) = body.blocks.get_mut(id) {
            block.terminator.kind = TerminatorKind::Goto(new);
        }
        starts.insert((id, at), new);
    }
    let mut copied = 0;
    for Needed { group, orders } in &orders.list {
        let Some(starts) = group.marks.iter().map(|m| starts.get(m).copied()).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        // The first block of the group becomes the choice; what it did moves to a new block.
        let (Some(&choice), Some(&end)) = (starts.first(), starts.last()) else { continue };
        let Some(block) = body.blocks.get(choice).cloned() else { continue };
        let first = body.blocks.push(block);
        let mut starts = starts.clone();
        if let Some(start) = starts.first_mut() {
            *start = first;
        }
        let operands: Vec<Vec<BlockId>> =
            starts.windows(2).map(|pair| blocks_between(&body.blocks, pair[0], pair[1], choice)).collect();
        let mut targets = Vec::new();
        for order in orders {
            let mut next = end;
            for &operand in order.iter().rev() {
                let (Some(list), Some(&exit)) = (operands.get(operand), starts.get(operand + 1)) else {
                    continue;
                };
                next = copy(&mut body.blocks, list, exit, next, &mut copied);
            }
            targets.push(next);
            if copied > MAX_COPIES {
                return Err(group.span);
            }
        }
        let temporary = body.locals.push(Local {
            name: None,
            ty,
            align: None,
            address_taken: false,
            constant: false,
            span: group.span,
        });
        if let Some(block) = body.blocks.get_mut(choice) {
            *block = choose(temporary, chooser, ty, first, &targets, group.span);
        }
    }
    tidy(body);
    Ok(())
}

/// The block that chooses an order.
fn choose(
    temporary: LocalId,
    chooser: FuncId,
    ty: Ty,
    first: BlockId,
    others: &[BlockId],
    span: Span,
) -> Block {
    let dest = Some(Place::local(temporary, ty));
    let kind = StatementKind::Call(Call { dest, callee: Callee::Direct(chooser), args: Vec::new() });
    let value = Operand::Local(temporary);
    let terminator = match others {
        [other] => TerminatorKind::Branch { cond: value, then: *other, otherwise: first },
        _ => {
            let number = |(i, target): (usize, &BlockId)| SwitchCase {
                low: i as i128 + 1,
                high: i as i128 + 1,
                target: *target,
            };
            let cases = others.iter().enumerate().map(number).collect();
            TerminatorKind::Switch { value, cases, default: first }
        }
    };
    Block { statements: vec![Statement { kind, span }], terminator: Terminator { kind: terminator, span } }
}

/// The blocks of an operand: from its first to before what follows it. `choice` is where the group begins: what jumps
/// there has left the operand.
fn blocks_between(
    blocks: &IndexVec<BlockId, Block>,
    from: BlockId,
    to: BlockId,
    choice: BlockId,
) -> Vec<BlockId> {
    let mut seen = FxHashSet::from_iter([to, choice, from]);
    let mut list = vec![from];
    let mut done = 0;
    while let Some(&id) = list.get(done) {
        done += 1;
        if let Some(block) = blocks.get(id) {
            for_each_target(&block.terminator.kind, |target| {
                if seen.insert(target) {
                    list.push(target);
                }
            });
        }
    }
    list
}

/// Copies blocks; what goes to `exit` goes to `next` in the copy. Returns the copy of the first.
fn copy(
    blocks: &mut IndexVec<BlockId, Block>,
    list: &[BlockId],
    exit: BlockId,
    next: BlockId,
    copied: &mut usize,
) -> BlockId {
    let mut new: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    for &id in list {
        if let Some(block) = blocks.get(id).cloned() {
            *copied += block.statements.len() + 1;
            new.insert(id, blocks.push(block));
        }
    }
    let rename = |id: BlockId| if id == exit { next } else { new.get(&id).copied().unwrap_or(id) };
    for &id in new.values() {
        let Some(block) = blocks.get_mut(id) else { continue };
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
            // Targets of computed jumps are named by constants, which the copy shares.
            TerminatorKind::GotoAddress { .. } | TerminatorKind::Return(_) | TerminatorKind::Unreachable => {}
        }
    }
    list.first().and_then(|id| new.get(id)).copied().unwrap_or(next)
}

/// Merges chains of blocks and numbers them again.
fn tidy(body: &mut Body) {
    let mut statements = Vec::new();
    let mut drafts: IndexVec<BlockId, Draft> = IndexVec::new();
    let mut labels = false;
    let mut note = |operand: &Operand| labels |= matches!(operand, Operand::Const(Const::Label { .. }));
    for block in body.blocks.iter_mut() {
        let from = statements.len() as u32;
        for statement in std::mem::take(&mut block.statements) {
            if !matches!(statement.kind, StatementKind::Nop) {
                statement_operands(&statement, &mut note);
                statements.push(statement);
            }
        }
        terminator_operand(&block.terminator).into_iter().for_each(&mut note);
        let to = statements.len() as u32;
        let pieces = if from == to { smallvec![] } else { smallvec![(from, to)] };
        drafts.push(Draft { pieces, terminator: Some(block.terminator.clone()) });
    }
    body.blocks = finish(drafts, &mut statements, labels, &[]).0;
}

#[cfg(test)]
mod tests {
    use super::further_orders;

    #[test]
    fn orders_of_dependent_operands() {
        assert!(further_orders(3, &[1]).is_empty());
        assert_eq!(further_orders(2, &[0, 1]), [[1, 0]]);
        // An operand that nothing depends on comes first.
        assert_eq!(further_orders(3, &[0, 2]), [[1, 2, 0]]);
        assert_eq!(further_orders(3, &[0, 1, 2]).len(), 5);
        let many = further_orders(5, &[0, 1, 2, 3, 4]);
        assert_eq!(many.len(), 5);
        for i in 0..5 {
            for j in 0..5 {
                let before = |o: &Vec<usize>| o.iter().position(|x| *x == i) < o.iter().position(|x| *x == j);
                assert!(i <= j || many.iter().any(before), "{i} before {j}");
            }
        }
    }
}
