//! Which locals and operands a statement or terminator touches, and how.
//!
//! One walk over each kind of node, so that analyses agree on what counts as a read. Reads are reported before
//! writes, in evaluation order. Costs one callback per occurrence; nothing is allocated.

use crate::body::{
    Callee, LocalId, Operand, Place, PlaceBase, Projection, Rvalue, Statement, StatementKind, Terminator,
    TerminatorKind,
};

/// How a local occurs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Its value, or part of it, is read.
    Read,
    /// All of it is overwritten.
    Write,
    /// Part of it is overwritten.
    PartialWrite,
    /// Its address, or that of a part, is taken.
    Address,
    /// Its life begins.
    Begin,
    /// Its life ends.
    End,
}

/// The walks over operands, once for looking and once for changing.
macro_rules! operand_walks {
    ($place:ident, $rvalue:ident, $statement:ident, $terminator:ident, $as_ref:ident $(, $mutable:tt)?) => {
        /// Calls `f` for each operand that a place evaluates: the pointer it starts from and its indices.
        pub fn $place<'a>(place: &'a $($mutable)? Place, f: &mut dyn FnMut(&'a $($mutable)? Operand)) {
            if let PlaceBase::Deref(pointer) = &$($mutable)? place.base {
                f(pointer);
            }
            for step in &$($mutable)? place.path {
                if let Projection::Index { index, .. } = step {
                    f(index);
                }
            }
        }

        /// Calls `f` for each operand of an rvalue, those inside places included.
        pub fn $rvalue<'a>(value: &'a $($mutable)? Rvalue, f: &mut dyn FnMut(&'a $($mutable)? Operand)) {
            match value {
                Rvalue::Use(arg) | Rvalue::Unary { arg, .. } | Rvalue::Cast { arg, .. } => f(arg),
                Rvalue::Load(place) | Rvalue::AddrOf(place) => $place(place, f),
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

        /// Calls `f` for each operand of a statement, those inside places included.
        pub fn $statement<'a>(
            statement: &'a $($mutable)? Statement,
            f: &mut dyn FnMut(&'a $($mutable)? Operand),
        ) {
            match &$($mutable)? statement.kind {
                StatementKind::Nop
                | StatementKind::StorageLive(_)
                | StatementKind::StorageDead(_)
                | StatementKind::ScopeFree(_) => {}
                StatementKind::Assign { dest, value } => {
                    $rvalue(value, f);
                    $place(dest, f);
                }
                StatementKind::Zero(dest) => $place(dest, f),
                StatementKind::ScopeAlloc { size, .. } => f(size),
                StatementKind::Call(call) => {
                    if let Callee::Indirect(pointer) = &$($mutable)? call.callee {
                        f(pointer);
                    }
                    for arg in &$($mutable)? call.args {
                        f(arg);
                    }
                    if let Some(dest) = &$($mutable)? call.dest {
                        $place(dest, f);
                    }
                }
                StatementKind::Intrinsic { dest, args, .. } => {
                    for arg in args {
                        f(arg);
                    }
                    if let Some(dest) = dest {
                        $place(dest, f);
                    }
                }
            }
        }

        /// The operand that a terminator evaluates, if any.
        pub fn $terminator(terminator: &$($mutable)? Terminator) -> Option<&$($mutable)? Operand> {
            match &$($mutable)? terminator.kind {
                TerminatorKind::Goto(_) | TerminatorKind::Unreachable => None,
                TerminatorKind::Branch { cond, .. } => Some(cond),
                TerminatorKind::Switch { value, .. } => Some(value),
                TerminatorKind::GotoAddress { address, .. } => Some(address),
                TerminatorKind::Return(value) => value.$as_ref(),
            }
        }
    };
}

operand_walks!(place_operands, rvalue_operands, statement_operands, terminator_operand, as_ref);
operand_walks!(
    place_operands_mut,
    rvalue_operands_mut,
    statement_operands_mut,
    terminator_operand_mut,
    as_mut,
    mut
);

/// The places a statement reads, writes or takes the address of, each with how its base is accessed (`Write`
/// if the place is all of its base, else `PartialWrite`).
pub fn statement_places<'a>(statement: &'a Statement, f: &mut dyn FnMut(&'a Place, Access)) {
    let write = |place: &Place| if place.path.is_empty() { Access::Write } else { Access::PartialWrite };
    match &statement.kind {
        StatementKind::Assign { dest, value } => {
            match value {
                Rvalue::Load(place) => f(place, Access::Read),
                Rvalue::AddrOf(place) => f(place, Access::Address),
                _ => {}
            }
            f(dest, write(dest));
        }
        StatementKind::Zero(dest) => f(dest, write(dest)),
        StatementKind::Call(call) => {
            if let Some(dest) = &call.dest {
                f(dest, write(dest));
            }
        }
        StatementKind::Intrinsic { dest: Some(dest), .. } => f(dest, write(dest)),
        _ => {}
    }
}

/// Calls `f` for each occurrence of a local in a statement, reads first.
pub fn statement_locals(statement: &Statement, f: &mut dyn FnMut(LocalId, Access)) {
    statement_operands(statement, &mut |operand| {
        if let Operand::Local(l) = operand {
            f(*l, Access::Read);
        }
    });
    statement_places(statement, &mut |place, access| {
        if let PlaceBase::Local(l) = place.base {
            f(l, access);
        }
    });
    match statement.kind {
        StatementKind::StorageLive(l) => f(l, Access::Begin),
        StatementKind::StorageDead(l) => f(l, Access::End),
        StatementKind::ScopeAlloc { dest, .. } => f(dest, Access::Write),
        // The local names the block to free.
        StatementKind::ScopeFree(l) => f(l, Access::Read),
        _ => {}
    }
}

/// Calls `f` for each local that a terminator reads.
pub fn terminator_locals(terminator: &Terminator, f: &mut dyn FnMut(LocalId)) {
    if let Some(Operand::Local(l)) = terminator_operand(terminator) {
        f(*l);
    }
}
