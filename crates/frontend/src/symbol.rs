//! Interned names: equal names have equal [`Symbol`]s, so scopes are maps over small integers.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The table of names.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    names: IndexSet<Box<str>, FxBuildHasher>,
}

impl Interner {
    /// The symbol of `name`.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(i) = self.names.get_index_of(name) {
            return Symbol(i as u32);
        }
        Symbol(self.names.insert_full(name.into()).0 as u32)
    }
    /// The symbol of `name`, if it has one.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.names.get_index_of(name).map(|i| Symbol(i as u32))
    }
    /// The name of `symbol`, or the empty string for a foreign one.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get_index(symbol.0 as usize).map_or("", |n| n)
    }
}
