//! What an inductive predicate says: cases with a block, cells, calls and facts (survey §4.4.2; Li, Berenger, Chang, Rival 2017, §3.1).
//!
//! A predicate `P(root, args)` is a list of cases. A case without a block describes the empty heap under its
//! facts; a case with a block describes one object at the root, with its cells, and calls of predicates on its
//! existentials. The segment `P(root, args) ⇒ (end, args')` is derived: either empty, with both ends equal, or a
//! block case in which one recursive call is replaced by the hole. Nothing about segments is ever written down.

use heapwise_ir::{FuncId, RecordId, define_index};
use heapwise_numeric::Interval;

define_index!(
    /// An interned predicate.
    PredId,
    "pred"
);

/// What a term of a definition counts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TermBase {
    /// Zero.
    Zero,
    /// The address of a function.
    Func(FuncId),
    /// A parameter; 0 is the root.
    Param(u16),
    /// An existential of the case.
    Exist(u16),
}

/// A value in a definition: base plus offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term {
    /// What it counts from.
    pub base: TermBase,
    /// How far.
    pub off: i128,
}

impl Term {
    /// The root.
    pub const ROOT: Term = Term { base: TermBase::Param(0), off: 0 };
    /// A parameter.
    pub fn param(i: u16) -> Term {
        Term { base: TermBase::Param(i), off: 0 }
    }
    /// An existential.
    pub fn exist(i: u16) -> Term {
        Term { base: TermBase::Exist(i), off: 0 }
    }
    /// A number.
    pub fn int(value: i128) -> Term {
        Term { base: TermBase::Zero, off: value }
    }
    /// The term `by` further.
    pub fn plus(self, by: i128) -> Term {
        Term { base: self.base, off: self.off.saturating_add(by) }
    }
}

/// A pure fact of a case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The two are equal.
    Eq(Term, Term),
    /// The two differ.
    Ne(Term, Term),
    /// The term lies in the interval.
    In(Term, Interval),
    /// The first is at most the second.
    Le(Term, Term),
}

impl Fact {
    /// The terms it speaks about.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        let (a, b) = match *self {
            Fact::Eq(a, b) | Fact::Ne(a, b) | Fact::Le(a, b) => (a, Some(b)),
            Fact::In(a, _) => (a, None),
        };
        std::iter::once(a).chain(b)
    }
}

/// A cell of a case's block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CellSpec {
    /// Byte offset from the root.
    pub off: u64,
    /// Width in bytes.
    pub width: u64,
    /// What it holds.
    pub val: Term,
}

/// What follows the bytes of a block that a case speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Tail {
    /// Nothing: all blocks of the case have the same size.
    None,
    /// Any number of bytes, initialised or not.
    Open,
    /// Any number of bytes; from its start on the block is initialised up to a zero byte: it holds a text.
    Text,
}

/// The block of a case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockSpec {
    /// Its size in bytes, without its tail.
    pub size: u64,
    /// What may follow.
    pub tail: Tail,
    /// The record it is used as.
    pub record: Option<RecordId>,
}

impl BlockSpec {
    /// A block of that size.
    pub fn of_size(size: u64, record: Option<RecordId>) -> BlockSpec {
        BlockSpec { size, tail: Tail::None, record }
    }

    /// Whether a block may have that size, which is not a number if nothing is given.
    pub(crate) fn may_have_size(&self, size: Option<u64>) -> bool {
        match self.tail {
            Tail::None => size == Some(self.size),
            Tail::Open | Tail::Text => size.is_none_or(|n| n >= self.size),
        }
    }
}

/// Which predicate a call names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// The one being defined.
    This,
    /// Another one.
    Other(PredId),
}

/// A call in a case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallSpec {
    /// Of which predicate.
    pub callee: Callee,
    /// Root and arguments.
    pub args: Vec<Term>,
    /// For a call of a segment of another predicate, root and arguments where it ends: how a list that goes round
    /// through a head inside of an element is written.
    pub end: Option<Vec<Term>>,
}

impl CallSpec {
    /// A call of a whole structure.
    pub fn whole(callee: Callee, args: Vec<Term>) -> CallSpec {
        CallSpec { callee, args, end: None }
    }
    /// All terms.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.args.iter().chain(self.end.iter().flatten())
    }
    /// All terms, to be changed.
    pub fn terms_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        self.args.iter_mut().chain(self.end.iter_mut().flatten())
    }
}

/// One case of a definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Case {
    /// Number of existentials.
    pub exists: u16,
    /// The object at the root; without it the case describes no memory of its own.
    pub block: Option<BlockSpec>,
    /// Its cells, by offset.
    pub cells: Vec<CellSpec>,
    /// Calls, separated from the block and from each other.
    pub calls: Vec<CallSpec>,
    /// Pure facts.
    pub facts: Vec<Fact>,
}

/// The structure of a definition, without names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Definition {
    /// Number of parameters, root included.
    pub params: u16,
    /// The cases.
    pub cases: Vec<Case>,
}

impl Case {
    /// Whether a cell, call or fact speaks of it.
    pub(super) fn mentions(&self, base: TermBase) -> bool {
        let called = self.calls.iter().flat_map(CallSpec::terms);
        let told = self.facts.iter().flat_map(Fact::terms);
        let mut terms = self.cells.iter().map(|c| c.val).chain(called.copied()).chain(told);
        terms.any(|t| t.base == base)
    }

    /// Whether a term is an existential that occurs in no call, no fact and only one cell: any value will do.
    pub fn is_free(&self, t: &Term) -> bool {
        matches!(t.base, TermBase::Exist(_))
            && self.cells.iter().filter(|c| c.val.base == t.base).count() == 1
            && !self.calls.iter().any(|c| c.terms().any(|a| a.base == t.base))
            && !self.facts.iter().any(|f| f.terms().any(|u| u.base == t.base))
    }

    /// How far from the root a parameter is, if a fact says so.
    pub(super) fn distance_from_root(&self, param: u16) -> Option<i128> {
        let at = |a: &Term, b: &Term| {
            let pair = (a.base, b.base) == (TermBase::Param(param), TermBase::Param(0));
            if pair { b.off.checked_sub(a.off) } else { None }
        };
        self.facts.iter().find_map(|f| match f {
            Fact::Eq(a, b) => at(a, b).or_else(|| at(b, a)),
            _ => None,
        })
    }

    /// Replaces every term.
    pub(crate) fn map_terms(&mut self, f: impl Fn(Term) -> Term) {
        self.cells.iter_mut().for_each(|c| c.val = f(c.val));
        self.calls.iter_mut().flat_map(|c| c.terms_mut()).for_each(|t| *t = f(*t));
        for fact in &mut self.facts {
            match fact {
                Fact::Eq(a, b) | Fact::Ne(a, b) | Fact::Le(a, b) => (*a, *b) = (f(*a), f(*b)),
                Fact::In(a, _) => *a = f(*a),
            }
        }
    }
}
