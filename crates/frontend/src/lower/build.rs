//! Making blocks, statements and temporaries.
//!
//! After a jump, lowering goes on in the *dead block*, which takes statements and terminators and forgets them, so
//! that dead code needs no special case anywhere. Blocks that only dead code leads to are removed by
//! [`finish`](super::finish).

use super::Lowering;
use heapwise_ir::{
    BlockId, Const, Local, LocalId, Operand, Place, Rvalue, Span, Statement, StatementKind, Terminator,
    TerminatorKind, Ty, Type,
};
use smallvec::SmallVec;

/// The block that nothing leads to and that nothing is kept of.
pub(super) const DEAD: BlockId = BlockId(1);

/// A block under construction. Statements of all blocks are kept in one list, in the order in which they were
/// made; a block has pieces of it, nearly always one.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) pieces: SmallVec<[Piece; 1]>,
    pub(super) terminator: Option<Terminator>,
}

/// A range of the list of statements: from the first index to before the second.
pub(super) type Piece = (u32, u32);

impl Lowering<'_> {
    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Draft::default())
    }

    pub(super) fn emit(&mut self, kind: StatementKind, span: Span) {
        self.emit_in(self.current, kind, span);
    }

    pub(super) fn emit_in(&mut self, block: BlockId, kind: StatementKind, span: Span) {
        if let Some(block) = self.blocks.get_mut(block).filter(|_| block != DEAD) {
            let at = self.statements.len() as u32;
            self.statements.push(Statement { kind, span });
            match block.pieces.last_mut() {
                Some((_, end)) if *end == at => *end += 1,
                _ => block.pieces.push((at, at + 1)),
            }
        }
    }

    pub(super) fn emit_assign(&mut self, dest: Place, value: Rvalue, span: Span) {
        self.emit(StatementKind::Assign { dest, value }, span);
    }

    pub(super) fn terminate_block(&mut self, block: BlockId, kind: TerminatorKind, span: Span) {
        if let Some(block) = self.blocks.get_mut(block).filter(|_| block != DEAD) {
            block.terminator.get_or_insert(Terminator { kind, span });
        }
    }

    /// Ends the current block; what follows is dead until a block is entered.
    pub(super) fn terminate(&mut self, kind: TerminatorKind, span: Span) {
        self.terminate_block(self.current, kind, span);
        self.current = DEAD;
    }

    /// Goes to `block` and continues there.
    pub(super) fn enter(&mut self, block: BlockId, span: Span) {
        self.terminate_block(self.current, TerminatorKind::Goto(block), span);
        self.current = block;
    }

    /// A new temporary for the value of the expression at `span`.
    pub(super) fn temporary(&mut self, ty: Ty, span: Span) -> LocalId {
        self.locals.push(Local { name: None, ty, align: None, address_taken: false, constant: false, span })
    }

    /// Puts a value into a new temporary.
    pub(super) fn store_temporary(&mut self, value: Rvalue, ty: Ty, span: Span) -> Operand {
        let temporary = self.temporary(ty, span);
        self.emit_assign(Place::local(temporary, ty), value, span);
        Operand::Local(temporary)
    }

    pub(super) fn local_ty(&self, local: LocalId) -> Ty {
        self.locals.get(local).map_or(self.ret, |l| l.ty)
    }

    /// The zero that a scalar of type `ty` is compared with in a truth test.
    pub(super) fn zero(&self, ty: Ty) -> Operand {
        Operand::Const(match self.program.types.get(ty) {
            Type::Pointer(_) => Const::Null(ty),
            Type::Float(_) => Const::Float { value: 0.0, ty },
            _ => Const::Int { value: 0, ty },
        })
    }
}
