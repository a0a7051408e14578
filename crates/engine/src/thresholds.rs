//! Numbers at which widening stops: constants that the program compares with, and the limits of the machine's types.

use heapwise_ir::{Const, Operand, Program, Rvalue, StatementKind, TerminatorKind, Ty};
use std::collections::BTreeSet;

/// Where widening stops.
pub(crate) struct Thresholds {
    /// Constants of the program and limits of types.
    pub(crate) fine: Vec<i128>,
    /// Limits of types alone, for when it is in a hurry.
    pub(crate) coarse: Vec<i128>,
    /// Those that are not limits of types: bounds that say something.
    pub(crate) bounds: Vec<i128>,
}

impl Thresholds {
    pub(crate) fn new(program: &Program) -> Thresholds {
        let (fine, coarse) = (thresholds(program), type_limits());
        let says = |t: &&i128| t.unsigned_abs() <= 1 || !coarse.contains(t);
        let bounds = fine.iter().filter(says).copied().collect();
        Thresholds { fine, coarse, bounds }
    }
}

/// The limits of the machine's types: where widening stops when it is in a hurry.
fn type_limits() -> Vec<i128> {
    let mut found: BTreeSet<i128> = [-1, 0, 1].into();
    for bits in [32, 64] {
        found.extend([-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1, (1i128 << bits) - 1]);
    }
    found.into_iter().collect()
}

/// Integer constants of the program, with their neighbours, and the limits of the machine's types: where
/// widening stops.
fn thresholds(program: &Program) -> Vec<i128> {
    let mut found: BTreeSet<i128> = type_limits().into_iter().collect();
    let mut add = |op: &Operand| {
        if let Operand::Const(Const::Int { value, .. }) = op {
            found.extend([value.saturating_sub(1), *value, value.saturating_add(1)]);
        }
    };
    for f in program.functions.indices() {
        let Some(body) = program.body(f) else { continue };
        for block in body.blocks.iter() {
            for s in &block.statements {
                if let StatementKind::Assign { value: Rvalue::Compare { lhs, rhs, .. }, .. } = &s.kind {
                    add(lhs);
                    add(rhs);
                }
            }
            if let TerminatorKind::Switch { cases, .. } = &block.terminator.kind {
                for c in cases {
                    let ty = program.types.len() as u32;
                    add(&Operand::Const(Const::Int { value: c.low, ty: Ty(ty) }));
                }
            }
        }
    }
    found.into_iter().collect()
}
