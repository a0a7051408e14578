//! Index newtypes and the vectors they index.
//!
//! Graph-like data lives in arenas; an edge is an index. Each index type is distinct, so that a block number
//! cannot be used as a local's. Access is O(1) and checked.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A newtype over `u32` that names an element of an [`IndexVec`].
pub trait Idx: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + 'static {
    /// The index for position `index`.
    fn new(index: usize) -> Self;
    /// The position that the index names.
    fn index(self) -> usize;
}

/// Defines an index newtype with a short prefix for printing, e.g. `b3` for the fourth block.
#[macro_export]
macro_rules! define_index {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $crate::index::Idx for $name {
            fn new(index: usize) -> Self {
                $name(index as u32)
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

/// A vector indexed by one index type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IndexVec<I, T> {
    raw: Vec<T>,
    marker: PhantomData<fn(I)>,
}

impl<I: Idx, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        IndexVec { raw: Vec::new(), marker: PhantomData }
    }
    /// A vector of `n` copies of `value`.
    pub fn from_elem(value: T, n: usize) -> Self
    where
        T: Clone,
    {
        IndexVec { raw: vec![value; n], marker: PhantomData }
    }
    /// Appends `value` and returns its index.
    pub fn push(&mut self, value: T) -> I {
        self.raw.push(value);
        I::new(self.raw.len() - 1)
    }
    /// The index that the next [`push`](Self::push) returns.
    pub fn next_index(&self) -> I {
        I::new(self.raw.len())
    }
    /// An empty vector with room for `n` elements.
    pub fn with_capacity(n: usize) -> Self {
        IndexVec { raw: Vec::with_capacity(n), marker: PhantomData }
    }
    /// Gives back room that is not used.
    pub fn shrink_to_fit(&mut self) {
        self.raw.shrink_to_fit();
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.raw.len()
    }
    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }
    /// The element at `i`, if there is one.
    pub fn get(&self, i: I) -> Option<&T> {
        self.raw.get(i.index())
    }
    /// The element at `i`, mutably, if there is one.
    pub fn get_mut(&mut self, i: I) -> Option<&mut T> {
        self.raw.get_mut(i.index())
    }
    /// All elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.raw.iter()
    }
    /// All elements in order, mutably.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.raw.iter_mut()
    }
    /// All elements with their indices.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.raw.iter().enumerate().map(|(i, t)| (I::new(i), t))
    }
    /// All indices.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.raw.len()).map(I::new)
    }
}

impl<I: Idx, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}
impl<I: Idx, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, i: I) -> &T {
        &self.raw[i.index()]
    }
}
impl<I: Idx, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, i: I) -> &mut T {
        &mut self.raw[i.index()]
    }
}
impl<I: Idx, T: std::fmt::Debug> std::fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter_enumerated()).finish()
    }
}
impl<I: Idx, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        IndexVec { raw: iter.into_iter().collect(), marker: PhantomData }
    }
}
