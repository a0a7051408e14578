//! The environment of a state: the names that programs and their callers have for values.

use super::State;
use crate::value::Val;
use heapwise_ir::{GlobalId, LocalId};
use std::collections::BTreeMap;

/// A name of the environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Root {
    /// The value of a local that is no memory object.
    Local(LocalId),
    /// The address of a local that is a memory object.
    Slot(LocalId),
    /// The address of a global.
    Global(GlobalId),
    /// The value that the function returns.
    Result,
    /// A value that the callers hold on to.
    Cut(u32),
    /// What was registered with `atexit`: a function, or 0 for nothing. The last one that is no 0 runs first.
    AtExit(u8),
    /// An argument of a library function, or what its model has found out, while the model runs.
    Model(u8),
    /// A value that is kept while the state changes under it ([`State::keeping`]).
    Kept(u32),
}

/// An environment: names and their values.
pub type Roots = BTreeMap<Root, Val>;

impl State {
    /// What a name stands for.
    pub fn root(&self, root: Root) -> Option<Val> {
        self.roots.get(&root).copied()
    }

    /// Whether a name stands for anything.
    pub fn has_root(&self, root: Root) -> bool {
        self.roots.contains_key(&root)
    }

    /// All names, in their order, with their values.
    pub fn roots(&self) -> impl DoubleEndedIterator<Item = (Root, Val)> + ExactSizeIterator + Clone + '_ {
        self.roots.iter().map(|(r, v)| (*r, *v))
    }

    /// Gives a name a value; returns the one it had.
    pub fn set_root(&mut self, root: Root, v: Val) -> Option<Val> {
        self.roots.insert(root, v)
    }

    /// Forgets a name; returns its value.
    pub fn drop_root(&mut self, root: Root) -> Option<Val> {
        self.roots.remove(&root)
    }

    /// Forgets the names for which `keep` says no.
    pub fn retain_roots(&mut self, mut keep: impl FnMut(Root, Val) -> bool) {
        self.roots.retain(|r, v| keep(*r, *v));
    }

    /// Takes another environment; returns the one before.
    pub fn set_roots(&mut self, roots: Roots) -> Roots {
        std::mem::replace(&mut self.roots, roots)
    }
}
