//! One disjunct: roots, objects, summaries and pure facts, separated by `*`.
//!
//! Invariants:
//! - Every object has its own symbol as address, and the memory of objects and summaries is disjoint (separating
//!   conjunction), so two live objects have different addresses. Only texts and storage of the environment
//!   ([`ObjectKind::may_coincide`](crate::ObjectKind::may_coincide)) may coincide with each other.
//! - Equalities are substituted away: equal values are identical.
//! - A symbol without object or summary stands for some number or for an address about which nothing is claimed:
//!   it may be null, dangling, or equal to any other. In particular a dangling pointer may equal a fresh
//!   block; only *live* objects are known to be apart.
//!
//! Operations that add knowledge return whether the state can still have a model.
//!
//! Outside of this crate a state is known by its operations alone: names ([`roots`](State::roots)), memory
//! ([`objects`](State::objects), [`summaries`](State::summaries)) and facts are asked for and changed one at a time, so that how
//! they are kept is nobody else's concern.

mod apart;
mod blocks;
pub mod canon;
pub mod display;
mod equality;
mod facts;
mod keep;
mod lengths;
mod objects;
mod parts;
mod points_to;
mod reach;
mod roots;
mod settle;
mod summaries;
mod walk;
mod whole_as_segment;
mod words;

pub use keep::HasState;
pub use parts::Groups;
pub use points_to::PointsTo;
pub use reach::Lost;
pub use roots::{Root, Roots};
pub use summaries::{Args, Summary};
pub use walk::{Reached, Walk};
pub use words::{Names, Numbered};

use crate::numbers::Pure;
use crate::object::Object;
use crate::value::{Sym, Val};
use heapwise_ir::Span;
use heapwise_numeric::Interval;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a symbol dangles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Death {
    /// Its block was freed.
    Freed(Span),
    /// Its variable went out of scope.
    Scope(Span),
}

/// One disjunct.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    next: u32,
    /// The environment.
    pub(crate) roots: BTreeMap<Root, Val>,
    /// Objects by address.
    pub(crate) objects: BTreeMap<Sym, Arc<Object>>,
    /// Summaries.
    pub(crate) summaries: Vec<Summary>,
    /// Numeric facts.
    pub(crate) pure: Pure,
    /// Symbols known to dangle.
    pub(crate) dead: BTreeMap<Sym, Death>,
    /// Where symbols may lead that are no addresses of memory here.
    pub(crate) points_to: BTreeMap<Sym, PointsTo>,
}

/// Addresses below this are never those of objects, nor are the last ones before the end of the address space;
/// `null` with a small offset is therefore never an object.
pub const NULL_PAGE: i128 = 4096;

impl State {
    /// A new symbol.
    pub fn fresh(&mut self) -> Sym {
        let s = Sym(self.next);
        self.next += 1;
        s
    }

    /// A new symbol in a range.
    pub fn fresh_in(&mut self, range: Interval) -> Val {
        let v = Val::sym(self.fresh());
        let satisfiable = self.pure.assume_in(v, range);
        debug_assert!(satisfiable, "a fresh symbol has no facts to contradict");
        v
    }

    /// One more than the largest symbol in use.
    pub fn symbol_count(&self) -> u32 {
        self.next
    }

    /// Makes sure that new symbols start at `n` or later.
    pub fn reserve_symbols(&mut self, n: u32) {
        self.next = self.next.max(n);
    }

    /// Calls `f` on every value outside the pure part.
    pub fn for_each_val(&self, mut f: impl FnMut(Val)) {
        self.roots.values().copied().for_each(&mut f);
        for o in self.objects.values() {
            o.values().for_each(&mut f);
        }
        for s in &self.summaries {
            s.values().for_each(&mut f);
        }
    }
}
