//! Symbolic values.
//!
//! A value is a base plus a constant: `s + 8` is eight bytes past the address that the symbol `s` stands for, `0 + 5`
//! is the number 5, `0 + 0` is also the null pointer. A symbol stands for one mathematical integer per
//! concrete memory; a cell of `w` bytes holds the two's complement encoding of its value. Two values with the
//! same base differ by a known amount, whatever the symbol stands for, so that most comparisons of cursors
//! into one object and of counters need no numeric domain at all.

use heapwise_ir::{FuncId, define_index};

define_index!(
    /// A symbol: one unknown integer or address of an abstract state.
    Sym,
    "s"
);

/// What a value counts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Base {
    /// Zero: the value is a constant, or null.
    Zero,
    /// A symbol.
    Sym(Sym),
    /// The address of a function.
    Func(FuncId),
    /// No value: the content of uninitialised memory.
    Undef,
}

/// A symbolic value: base plus offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Val {
    /// What it counts from.
    pub base: Base,
    /// How far.
    pub off: i128,
}

impl Val {
    /// Null, and the number 0.
    pub const ZERO: Val = Val { base: Base::Zero, off: 0 };
    /// The content of uninitialised memory.
    pub const UNDEF: Val = Val { base: Base::Undef, off: 0 };

    /// A number.
    pub fn int(value: i128) -> Val {
        Val { base: Base::Zero, off: value }
    }
    /// A symbol.
    pub fn sym(sym: Sym) -> Val {
        Val { base: Base::Sym(sym), off: 0 }
    }
    /// The address of a function.
    pub fn func(func: FuncId) -> Val {
        Val { base: Base::Func(func), off: 0 }
    }
    /// The value `by` further.
    pub fn plus(self, by: i128) -> Val {
        match self.base {
            Base::Undef => self,
            _ => Val { base: self.base, off: self.off.saturating_add(by) },
        }
    }
    /// The number, if it is one.
    pub fn as_int(self) -> Option<i128> {
        (self.base == Base::Zero).then_some(self.off)
    }
    /// The symbol it counts from.
    pub fn as_sym(self) -> Option<Sym> {
        match self.base {
            Base::Sym(s) => Some(s),
            _ => None,
        }
    }
    /// Whether it is no value at all.
    pub fn is_undef(self) -> bool {
        self.base == Base::Undef
    }
    /// The value after `sym := by`.
    pub fn substitute(self, sym: Sym, by: Val) -> Val {
        if self.base == Base::Sym(sym) { by.plus(self.off) } else { self }
    }
}

impl std::fmt::Debug for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.base, self.off) {
            (Base::Zero, n) => write!(f, "{n}"),
            (Base::Undef, _) => write!(f, "undef"),
            (Base::Func(id), _) => write!(f, "&{id:?}"),
            (Base::Sym(s), 0) => write!(f, "{s:?}"),
            (Base::Sym(s), n) => write!(f, "{s:?}{n:+}"),
        }
    }
}
