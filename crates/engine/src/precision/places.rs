//! Facts to keep that are attached to places of the program, and grow from alarms.
//!
//! The other answers of a [`super::Precision`] hold everywhere; an [`Entry`] holds at one loop. They grow as predicates do in
//! abstraction refinement: from an alarm one walks back, against the edges and through the functions that were called on the
//! way, to the first loop at which disjuncts were put together and of which nothing is told apart yet; it gets an entry, and the
//! attempt starts again ([`crate::check::attempt`]). If the same alarm is raised all the same, all loops on the way back get one. Where
//! the walk finds none, nothing was lost and the attempt has failed.
//!
//! Termination: there are finitely many loops, and each start adds one; of one alarm there are two starts at most. Soundness: entries choose between joins, which are upper
//! bounds whatever they keep.

use heapwise_ir::{BlockId, FuncId};

/// What entries tell apart in a precision that grows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grows {
    /// Many first iterations of a loop: what it finds out in them is lost once it is described for all of them.
    Iterations,
    /// Objects that variables lead to stay objects: the one where a loop stands is not like the others of its structure.
    Objects,
}

/// A loop: the function, and the block that is its head.
pub(crate) type Loop = (FuncId, BlockId);

/// Something that is told apart at a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// What.
    pub kind: Grows,
    /// In which function.
    pub function: FuncId,
    /// The head of the loop.
    pub head: BlockId,
}

impl Entry {
    /// What it says, about the loop.
    pub fn text(&self) -> &'static str {
        match self.kind {
            Grows::Iterations => {
                "many first iterations of this loop were kept apart, because of an alarm after it"
            }
            Grows::Objects => {
                "objects that variables lead to were kept apart at this loop, because of an alarm after it"
            }
        }
    }
}
