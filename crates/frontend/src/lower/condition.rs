//! Conditions as control flow.
//!
//! `branch` ends the current block with a way to one of two blocks. Operators whose only purpose in a condition
//! is to choose a way become edges; everything else is evaluated to a scalar and tested.

use super::Lowering;
use crate::hir::{Expr, ExprKind};
use heapwise_ir::{BlockId, CastKind, CompareOp, Const, Operand, TerminatorKind};

impl Lowering<'_> {
    /// Goes to `then` if `cond` is non-zero, else to `otherwise`. The caller must enter a block afterwards.
    pub(super) fn branch(&mut self, cond: &Expr, then: BlockId, otherwise: BlockId) {
        let mut cond = cond;
        let (mut then, mut otherwise) = (then, otherwise);
        loop {
            match &cond.kind {
                ExprKind::Not(inner) => {
                    std::mem::swap(&mut then, &mut otherwise);
                    cond = inner;
                }
                ExprKind::Cast(CastKind::ToBool, inner) => cond = inner,
                // Any integer type holds 0 and 1.
                ExprKind::Cast(CastKind::IntToInt, inner) if is_truth_value(inner) => cond = inner,
                ExprKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), inner, zero)
                    if is_truth_value(inner) && literal_truth(zero) == Some(false) =>
                {
                    if *op == CompareOp::Eq {
                        std::mem::swap(&mut then, &mut otherwise);
                    }
                    cond = inner;
                }
                ExprKind::LogAnd(first, second) => {
                    let middle = self.new_block();
                    self.branch(first, middle, otherwise);
                    self.current = middle;
                    cond = second;
                }
                ExprKind::LogOr(first, second) => {
                    let middle = self.new_block();
                    self.branch(first, then, middle);
                    self.current = middle;
                    cond = second;
                }
                ExprKind::Conditional(test, yes, no) => {
                    let (if_yes, if_no) = (self.new_block(), self.new_block());
                    self.branch(test, if_yes, if_no);
                    self.current = if_yes;
                    self.branch(yes, then, otherwise);
                    self.current = if_no;
                    cond = no;
                }
                ExprKind::Comma(first, second) => {
                    self.effect(first);
                    cond = second;
                }
                ExprKind::Let { temp, value, body } => {
                    self.bind(*temp, value);
                    cond = body;
                }
                _ => break,
            }
        }
        let kind = match literal_truth(cond) {
            Some(true) => TerminatorKind::Goto(then),
            Some(false) => TerminatorKind::Goto(otherwise),
            None => TerminatorKind::Branch { cond: self.operand(cond), then, otherwise },
        };
        self.terminate(kind, cond.span);
    }
}

/// Whether the value is 0 or 1 by the way it is computed.
fn is_truth_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare(..) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::Not(_) => true,
        ExprKind::Cast(CastKind::ToBool, _) => true,
        ExprKind::Cast(CastKind::IntToInt, inner) => is_truth_value(inner),
        _ => false,
    }
}

/// Whether a literal is non-zero; `None` for everything that is not a literal.
pub(super) fn literal_truth(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Const(Const::Int { value, .. }) => Some(*value != 0),
        ExprKind::Const(Const::Float { value, .. }) => Some(*value != 0.0),
        ExprKind::Const(Const::Null(_)) => Some(false),
        _ => None,
    }
}

/// The value of an integer literal.
pub(super) fn literal_int(operand: &Operand) -> Option<i128> {
    match operand {
        Operand::Const(Const::Int { value, .. }) => Some(*value),
        _ => None,
    }
}
