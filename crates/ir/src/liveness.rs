//! Which locals a function may still read: classic backward liveness, with storage taken into account.
//!
//! A local is live before a point if its present contents may be read after it. Writing all of a local, or
//! beginning or ending its life, makes it dead before that point; writing part of it does not. A local whose
//! address is taken may be read through pointers, so it counts as live wherever it may be in storage. A local
//! without any `StorageLive` (parameters) is in storage from the entry on.
//!
//! Sets are kept per block and recomputed inside a block on demand. Cost: O(blocks × locals / 64) per round,
//! and as many rounds as loops nest, plus two.

use crate::bitset::BitSet;
use crate::body::{BlockId, Body, LocalId, Operand, PlaceBase, Rvalue, Statement, StatementKind};
use crate::cfg::Cfg;
use crate::index::IndexVec;
use crate::visit::{Access, statement_locals, terminator_locals};

/// A set of locals of one function.
pub type LocalSet = BitSet<LocalId>;

/// Which reads of a local count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reads {
    /// All.
    All,
    /// Those that may lead to an access through it: comparisons do not, nor do copies that nothing follows.
    Followed,
}

/// Live locals of a function at all its points.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Live at the end of each block, address-taken locals apart.
    read_later: IndexVec<BlockId, LocalSet>,
    /// Address-taken locals that may be in storage at the start of each block.
    exposed: IndexVec<BlockId, LocalSet>,
    address_taken: LocalSet,
}

impl Liveness {
    /// Solves the two data-flow problems for `body`, whose graph is `cfg`.
    pub fn new(body: &Body, cfg: &Cfg) -> Liveness {
        let (address_taken, in_storage_at_entry) = classify(body);
        Liveness {
            read_later: read_later(body, cfg, Reads::All),
            exposed: exposed(body, cfg, &address_taken, in_storage_at_entry),
            address_taken,
        }
    }

    /// The locals through which memory may be accessed after the start of each block, or that are handed on to where
    /// that is not known; those whose address is taken apart. What is not among them is at most compared.
    pub fn followed(body: &Body, cfg: &Cfg) -> IndexVec<BlockId, LocalSet> {
        let mut sets = read_later(body, cfg, Reads::Followed);
        for block in body.blocks.indices() {
            if let (Some(code), Some(live)) = (body.blocks.get(block), sets.get_mut(block)) {
                before_block(code, live, Reads::Followed);
            }
        }
        sets
    }

    /// The locals that are live before each statement of `block` and, last, before its terminator: one set
    /// more than there are statements. Empty for a block that does not exist.
    pub fn in_block(&self, body: &Body, block: BlockId) -> Vec<LocalSet> {
        let (Some(code), Some(end), Some(start)) =
            (body.blocks.get(block), self.read_later.get(block), self.exposed.get(block))
        else {
            return Vec::new();
        };
        let mut live = end.clone();
        terminator_locals(&code.terminator, &mut |l| {
            live.insert(l);
        });
        let mut sets = vec![live.clone()];
        for statement in code.statements.iter().rev() {
            before_statement(statement, &mut live, Reads::All);
            sets.push(live.clone());
        }
        sets.reverse();
        let mut storage = start.clone();
        for (i, set) in sets.iter_mut().enumerate() {
            set.union_with(&storage);
            if let Some(statement) = code.statements.get(i) {
                after_statement(statement, &self.address_taken, &mut storage);
            }
        }
        sets
    }

    /// The locals that are live on entry to `block`.
    pub fn at_start(&self, body: &Body, block: BlockId) -> LocalSet {
        let (Some(code), Some(end)) = (body.blocks.get(block), self.read_later.get(block)) else {
            return LocalSet::new(body.locals.len());
        };
        let mut live = end.clone();
        before_block(code, &mut live, Reads::All);
        live.union_with(&self.exposed[block]);
        live
    }
}

/// The address-taken locals, and those of them that are in storage from the entry on.
fn classify(body: &Body) -> (LocalSet, LocalSet) {
    let mut address_taken = LocalSet::new(body.locals.len());
    for (id, local) in body.locals.iter_enumerated() {
        if local.address_taken {
            address_taken.insert(id);
        }
    }
    let mut with_begin = LocalSet::new(body.locals.len());
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        statement_locals(statement, &mut |l, access| match access {
            // The flag on the local is a promise of the producer; do not depend on it.
            Access::Address => {
                address_taken.insert(l);
            }
            Access::Begin => {
                with_begin.insert(l);
            }
            _ => {}
        });
    }
    let mut from_entry = address_taken.clone();
    from_entry.subtract(&with_begin);
    for &p in body.params.iter().chain(&body.varargs) {
        if address_taken.contains(p) {
            from_entry.insert(p);
        }
    }
    (address_taken, from_entry)
}

/// Live after `statement` becomes live before it.
fn before_statement(statement: &Statement, live: &mut LocalSet, reads: Reads) {
    if reads == Reads::Followed
        && let StatementKind::Assign { dest, value } = &statement.kind
        && let PlaceBase::Local(to) = dest.base
        && dest.path.is_empty()
    {
        let idle = match value {
            Rvalue::Compare { .. } => true,
            Rvalue::Use(Operand::Local(_)) => !live.contains(to),
            _ => false,
        };
        if idle {
            live.remove(to);
            return;
        }
    }
    statement_locals(statement, &mut |l, access| {
        if matches!(access, Access::Write | Access::Begin | Access::End) {
            live.remove(l);
        }
    });
    statement_locals(statement, &mut |l, access| {
        if matches!(access, Access::Read | Access::Address) {
            live.insert(l);
        }
    });
}

fn before_block(block: &crate::body::Block, live: &mut LocalSet, reads: Reads) {
    terminator_locals(&block.terminator, &mut |l| {
        live.insert(l);
    });
    for statement in block.statements.iter().rev() {
        before_statement(statement, live, reads);
    }
}

/// In storage before `statement` becomes in storage after it.
fn after_statement(statement: &Statement, address_taken: &LocalSet, storage: &mut LocalSet) {
    statement_locals(statement, &mut |l, access| match access {
        Access::Begin if address_taken.contains(l) => {
            storage.insert(l);
        }
        Access::End => {
            storage.remove(l);
        }
        _ => {}
    });
}

fn read_later(body: &Body, cfg: &Cfg, reads: Reads) -> IndexVec<BlockId, LocalSet> {
    let n = body.locals.len();
    let mut at_end = IndexVec::from_elem(LocalSet::new(n), body.blocks.len());
    let mut at_start = at_end.clone();
    // Unreachable blocks are solved too, after the others, so that their sets are sound if asked for.
    let unreachable = body.blocks.indices().filter(|&b| !cfg.is_reachable(b));
    let order: Vec<BlockId> = cfg.reverse_postorder().iter().rev().copied().chain(unreachable).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &b in &order {
            let mut live = LocalSet::new(n);
            for &s in cfg.successors(b) {
                live.union_with(&at_start[s]);
            }
            if live == at_end[b] && !at_start[b].is_empty() {
                continue;
            }
            at_end[b] = live.clone();
            before_block(&body.blocks[b], &mut live, reads);
            changed |= at_start[b].union_with(&live);
        }
    }
    at_end
}

fn exposed(
    body: &Body,
    cfg: &Cfg,
    address_taken: &LocalSet,
    at_entry: LocalSet,
) -> IndexVec<BlockId, LocalSet> {
    let mut at_start = IndexVec::from_elem(LocalSet::new(body.locals.len()), body.blocks.len());
    if let Some(entry) = at_start.get_mut(Body::ENTRY) {
        *entry = at_entry;
    }
    let mut changed = !address_taken.is_empty();
    while changed {
        changed = false;
        for &b in cfg.reverse_postorder() {
            let mut storage = at_start[b].clone();
            for statement in &body.blocks[b].statements {
                after_statement(statement, address_taken, &mut storage);
            }
            for &s in cfg.successors(b) {
                changed |= at_start[s].union_with(&storage);
            }
        }
    }
    at_start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{CompareOp, Const, Operand, Place, Rvalue, StatementKind, TerminatorKind};
    use crate::testing::BodyBuilder;
    use crate::types::TypeTable;

    fn names(set: &LocalSet) -> Vec<u32> {
        set.iter().map(|l| l.0).collect()
    }

    #[test]
    fn a_loop_keeps_its_counter_alive() {
        let mut types = TypeTable::new(8);
        let int = types.int(32, true);
        let mut b = BodyBuilder::new();
        let (n, i, c) = (b.param("n", int), b.local("i", int), b.temp(int));
        let one = Operand::Const(Const::Int { value: 1, ty: int });
        let less = Rvalue::Compare { op: CompareOp::Lt, lhs: Operand::Local(i), rhs: Operand::Local(n) };
        let next = Rvalue::Binary { op: crate::BinaryOp::Add, lhs: Operand::Local(i), rhs: one.clone() };
        b.block(
            vec![
                StatementKind::StorageLive(i),
                StatementKind::Assign { dest: Place::local(i, int), value: Rvalue::Use(one) },
            ],
            TerminatorKind::Goto(BlockId(1)),
        );
        b.block(
            vec![StatementKind::Assign { dest: Place::local(c, int), value: less }],
            TerminatorKind::Branch { cond: Operand::Local(c), then: BlockId(2), otherwise: BlockId(3) },
        );
        b.block(
            vec![StatementKind::Assign { dest: Place::local(i, int), value: next }],
            TerminatorKind::Goto(BlockId(1)),
        );
        b.block(vec![StatementKind::StorageDead(i)], TerminatorKind::Return(None));
        let body = b.finish();
        let live = Liveness::new(&body, &Cfg::new(&body));
        let entry = live.in_block(&body, BlockId(0));
        assert_eq!(entry.iter().map(names).collect::<Vec<_>>(), [vec![0], vec![0], vec![0, 1]]);
        assert_eq!(names(&live.at_start(&body, BlockId(1))), [0, 1]);
        assert_eq!(names(&live.in_block(&body, BlockId(1))[1]), [0, 1, 2]);
        assert_eq!(names(&live.at_start(&body, BlockId(3))), []);
    }

    #[test]
    fn what_is_only_compared_is_not_followed() {
        let mut types = TypeTable::new(8);
        let int = types.int(32, true);
        let pointer = types.pointer(int);
        let mut b = BodyBuilder::new();
        let (p, q) = (b.param("p", pointer), b.param("q", pointer));
        let (copy, c, v) = (b.local("copy", pointer), b.temp(int), b.temp(int));
        let same = Rvalue::Compare { op: CompareOp::Eq, lhs: Operand::Local(p), rhs: Operand::Local(q) };
        let through =
            Place { base: PlaceBase::Deref(Operand::Local(copy)), path: Default::default(), ty: int };
        let copied = |from| StatementKind::Assign {
            dest: Place::local(copy, pointer),
            value: Rvalue::Use(Operand::Local(from)),
        };
        b.block(
            vec![copied(q), StatementKind::Assign { dest: Place::local(c, int), value: same }],
            TerminatorKind::Branch { cond: Operand::Local(c), then: BlockId(1), otherwise: BlockId(2) },
        );
        b.block(
            vec![
                copied(p),
                StatementKind::Assign { dest: Place::local(v, int), value: Rvalue::Load(through) },
            ],
            TerminatorKind::Return(Some(Operand::Local(v))),
        );
        b.block(vec![], TerminatorKind::Return(None));
        let body = b.finish();
        let cfg = Cfg::new(&body);
        let followed = Liveness::followed(&body, &cfg);
        assert_eq!(names(&followed[BlockId(0)]), [p.0], "q is compared, and copied to where nothing is read");
        assert_eq!(names(&Liveness::new(&body, &cfg).at_start(&body, BlockId(0))), [p.0, q.0]);
    }

    #[test]
    fn an_address_taken_local_lives_while_in_storage() {
        let mut types = TypeTable::new(8);
        let int = types.int(32, true);
        let pointer = types.pointer(int);
        let mut b = BodyBuilder::new();
        let (x, p) = (b.local("x", int), b.local("p", pointer));
        b.block(
            vec![
                StatementKind::StorageLive(x),
                StatementKind::Assign {
                    dest: Place::local(p, pointer),
                    value: Rvalue::AddrOf(Place::local(x, int)),
                },
                StatementKind::StorageDead(x),
                StatementKind::Nop,
            ],
            TerminatorKind::Return(None),
        );
        let body = b.finish();
        let live = Liveness::new(&body, &Cfg::new(&body));
        let sets = live.in_block(&body, BlockId(0));
        assert_eq!(
            sets.iter().map(names).collect::<Vec<_>>(),
            [vec![], vec![0], vec![0], vec![], vec![]],
            "x is live from its StorageLive to its StorageDead although nothing names it"
        );
        assert_eq!(live.in_block(&body, BlockId(9)), []);
    }

    #[test]
    fn a_partial_write_neither_kills_nor_reads() {
        let mut types = TypeTable::new(8);
        let int = types.int(32, true);
        let pair = types.intern(crate::Type::Array { elem: int, len: Some(2) });
        let mut b = BodyBuilder::new();
        let a = b.param("a", pair);
        let zero = Operand::Const(Const::Int { value: 0, ty: int });
        let mut element = Place::local(a, int);
        element.path.push(crate::Projection::Index { index: zero, stride: 4 });
        b.block(vec![StatementKind::Zero(element)], TerminatorKind::Return(Some(Operand::Local(a))));
        let body = b.finish();
        let live = Liveness::new(&body, &Cfg::new(&body));
        assert_eq!(names(&live.at_start(&body, BlockId(0))), [0]);
    }
}
