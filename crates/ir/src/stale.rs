//! Memory cells that a function overwrites before it looks at them again.
//!
//! A [`StaleCell`] is what a local points to, at an offset. It is stale before a point if on every way from there it is
//! stored to before anything is read through that local, before the local's value goes elsewhere, and before a call or the end
//! of the function. The typical one is the head of a list while a loop turns the list round: the old value is still
//! there, means nothing any more, and is replaced after the loop.
//!
//! Other pointers may lead to the same cell, which is not looked at: whoever uses this may forget what a stale cell
//! holds, which is sound of any cell, and loses nothing where no other pointer is used. Classic backward data flow, the
//! greatest solution, sets of cells per block. Cost: O(blocks × stores through locals) per round, and as many rounds
//! as loops nest, plus two.

use crate::body::{BlockId, Body, LocalId, Operand, Place, PlaceBase, Projection, Rvalue, Statement};
use crate::body::{StatementKind, TerminatorKind};
use crate::cfg::Cfg;
use crate::index::IndexVec;
use crate::visit::{place_operands, rvalue_operands, statement_locals, terminator_locals};
use std::collections::BTreeSet;

/// A cell of the memory that a local points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StaleCell {
    /// The local.
    pub local: LocalId,
    /// Bytes from the address in it.
    pub offset: u64,
}

/// The stale cells at the start of each block.
pub fn stale_cells(body: &Body, cfg: &Cfg) -> IndexVec<BlockId, BTreeSet<StaleCell>> {
    let statements = || body.blocks.iter().flat_map(|b| &b.statements);
    let all: BTreeSet<StaleCell> = statements().filter_map(overwritten).collect();
    let mut at_start = IndexVec::from_elem(all.clone(), body.blocks.len());
    let mut changed = !all.is_empty();
    while changed {
        changed = false;
        for &b in cfg.reverse_postorder().iter().rev() {
            let code = &body.blocks[b];
            let mut stale = match code.terminator.kind {
                TerminatorKind::Return(_) => BTreeSet::new(),
                _ => all.clone(),
            };
            for &s in cfg.successors(b) {
                stale.retain(|c| at_start[s].contains(c));
            }
            terminator_locals(&code.terminator, &mut |l| stale.retain(|c| c.local != l));
            for statement in code.statements.iter().rev() {
                before_statement(statement, &mut stale);
            }
            changed |= stale != at_start[b];
            at_start[b] = stale;
        }
    }
    at_start
}

/// Stale after `statement` becomes stale before it.
fn before_statement(statement: &Statement, stale: &mut BTreeSet<StaleCell>) {
    let mut forget = |l: LocalId| stale.retain(|c| c.local != l);
    match &statement.kind {
        StatementKind::Assign { dest, value } => {
            if let PlaceBase::Local(l) = dest.base {
                forget(l);
            }
            stale.extend(cell_of(dest));
            match value {
                Rvalue::Compare { .. } => {}
                Rvalue::Load(place) => match cell_of(place) {
                    Some(cell) => {
                        stale.remove(&cell);
                    }
                    None => place_operands(place, &mut |op| leave_behind(op, stale)),
                },
                _ => rvalue_operands(value, &mut |op| leave_behind(op, stale)),
            }
        }
        StatementKind::Call(_) | StatementKind::Intrinsic { .. } => stale.clear(),
        _ => statement_locals(statement, &mut |l, _| forget(l)),
    }
}

/// Forgets all cells of a local whose value goes where it is not followed.
fn leave_behind(operand: &Operand, stale: &mut BTreeSet<StaleCell>) {
    if let Operand::Local(l) = operand {
        stale.retain(|c| c.local != *l);
    }
}

fn overwritten(statement: &Statement) -> Option<StaleCell> {
    match &statement.kind {
        StatementKind::Assign { dest, .. } => cell_of(dest),
        _ => None,
    }
}

/// The cell that a place is, if it is reached from a local through members alone.
fn cell_of(place: &Place) -> Option<StaleCell> {
    let PlaceBase::Deref(Operand::Local(local)) = place.base else { return None };
    let mut cell = StaleCell { local, offset: 0 };
    for step in &place.path {
        let Projection::Field { offset, bits: None, .. } = step else { return None };
        cell.offset = cell.offset.checked_add(*offset)?;
    }
    Some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::BodyBuilder;
    use crate::types::{Ty, TypeTable};

    fn at(p: LocalId, ty: Ty) -> Place {
        Place { base: PlaceBase::Deref(Operand::Local(p)), path: Vec::new(), ty }
    }

    fn store(p: LocalId, from: LocalId, ty: Ty) -> StatementKind {
        StatementKind::Assign { dest: at(p, ty), value: Rvalue::Use(Operand::Local(from)) }
    }

    fn load(to: LocalId, p: LocalId, ty: Ty) -> StatementKind {
        StatementKind::Assign { dest: Place::local(to, ty), value: Rvalue::Load(at(p, ty)) }
    }

    /// A loop that does something with `p`, after which `*p` is stored to; the cells of `p` that are stale at its head.
    fn stale_at_head(in_loop: impl Fn(LocalId, LocalId, Ty, Ty) -> Vec<StatementKind>) -> usize {
        let mut types = TypeTable::new(8);
        let int = types.int(32, true);
        let pointer = types.pointer(int);
        let mut b = BodyBuilder::new();
        let (p, x) = (b.param("p", pointer), b.param("x", int));
        let cond = Operand::Local(x);
        b.block(vec![load(x, p, int)], TerminatorKind::Goto(BlockId(1)));
        b.block(vec![], TerminatorKind::Branch { cond, then: BlockId(2), otherwise: BlockId(3) });
        b.block(in_loop(p, x, int, pointer), TerminatorKind::Goto(BlockId(1)));
        b.block(vec![store(p, x, int)], TerminatorKind::Return(None));
        let body = b.finish();
        let stale = stale_cells(&body, &Cfg::new(&body));
        assert!(stale[BlockId(0)].is_empty(), "it is read first");
        stale[BlockId(1)].iter().filter(|c| c.local == p).count()
    }

    #[test]
    fn what_is_stored_to_after_a_loop_is_stale_in_it() {
        assert_eq!(stale_at_head(|_, _, _, _| vec![]), 1);
        assert_eq!(stale_at_head(|p, x, int, _| vec![store(p, x, int)]), 1);
    }

    #[test]
    fn what_is_read_or_handed_on_or_moved_is_not() {
        assert_eq!(stale_at_head(|p, x, int, _| vec![load(x, p, int)]), 0);
        let copied = |p, x, _, pointer| {
            let value = Rvalue::Use(Operand::Local(p));
            vec![StatementKind::Assign { dest: Place::local(x, pointer), value }]
        };
        assert_eq!(stale_at_head(copied), 0);
        let moved = |p, x, _, pointer| {
            let value = Rvalue::Use(Operand::Local(x));
            vec![StatementKind::Assign { dest: Place::local(p, pointer), value }]
        };
        assert_eq!(stale_at_head(moved), 0);
    }
}
