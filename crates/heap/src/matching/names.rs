//! What the names of a case stand for while it is matched: the root, and parameters and existentials as far as they are known.

use crate::pred::{Case, Term, TermBase};
use crate::value::Val;

/// Values of the root, the other parameters, and the existentials.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) root: Val,
    pub(super) args: Vec<Option<Val>>,
    exists: Vec<Option<Val>>,
}

impl Names {
    /// Those of a case of which the root and some arguments are known.
    pub(super) fn new(case: &Case, root: Val, args: &[Option<Val>]) -> Names {
        Names { root, args: args.to_vec(), exists: vec![None; usize::from(case.exists)] }
    }

    /// The value of a term, if it is known.
    pub(super) fn term(&self, t: &Term) -> Option<Val> {
        let base = match t.base {
            TermBase::Zero => Some(Val::ZERO),
            TermBase::Func(f) => Some(Val::func(f)),
            TermBase::Param(0) => Some(self.root),
            TermBase::Param(i) => self.args.get(usize::from(i) - 1).copied().flatten(),
            TermBase::Exist(i) => self.exists.get(usize::from(i)).copied().flatten(),
        };
        base.map(|v| v.plus(t.off))
    }

    /// Where the value of what a term counts from is found or put, if that may be unknown.
    pub(super) fn slot(&mut self, t: &Term) -> Option<&mut Option<Val>> {
        match t.base {
            TermBase::Zero | TermBase::Func(_) | TermBase::Param(0) => None,
            TermBase::Param(i) => self.args.get_mut(usize::from(i) - 1),
            TermBase::Exist(i) => self.exists.get_mut(usize::from(i)),
        }
    }
}
