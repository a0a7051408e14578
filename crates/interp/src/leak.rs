//! Heap blocks that are left, and those to which no pointer is left.
//!
//! Reachability follows provenance: a block is reachable if a pointer to any part of it stands in a global, a
//! living local or temporary, storage of the library, or a reachable block. Pointers that a program hides in
//! integers it computes with are not followed. Cost: linear in the memory that is alive.

use crate::error::{ErrorKind, Res, object_fault};
use crate::frame::{Activation, Slot};
use crate::machine::Machine;
use crate::object::Origin;
use crate::value::{ObjectId, Value};
use rustc_hash::FxHashSet;

/// A heap block that is still allocated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leak {
    pub object: ObjectId,
    pub reachable: bool,
}

impl Machine<'_, '_> {
    /// All heap blocks that are alive, those without a pointer to them first, oldest first.
    pub fn leaks(&self) -> Vec<Leak> {
        let blocks = || self.memory.live_objects().filter(|(_, o)| o.origin == Origin::Heap);
        if blocks().next().is_none() {
            return Vec::new();
        }
        let reached = self.reachable();
        let mut leaks: Vec<(u64, Leak)> =
            blocks().map(|(id, o)| (o.base, Leak { object: id, reachable: reached.contains(&id) })).collect();
        leaks.sort_by_key(|(base, leak)| (leak.reachable, *base));
        leaks.into_iter().map(|(_, leak)| leak).collect()
    }

    /// A fault if some heap block cannot be reached any more.
    pub fn check_lost_blocks(&self) -> Res<()> {
        match self.leaks().first() {
            Some(leak) if !leak.reachable => {
                object_fault(ErrorKind::LostBlock, leak.object, "no pointer to a heap block is left before")
            }
            _ => Ok(()),
        }
    }

    fn reachable(&self) -> FxHashSet<ObjectId> {
        let mut reached = FxHashSet::default();
        let mut work: Vec<ObjectId> = Vec::new();
        for (id, object) in self.memory.live_objects() {
            if object.origin != Origin::Heap {
                reached.insert(id);
                work.extend(object.pointers());
            }
        }
        for slot in &self.slots {
            if let Slot::Value(value) = slot {
                roots(value, &mut work);
            }
        }
        for activation in &self.frames {
            if let Activation::Native(native) = activation {
                native.roots(&mut work);
            }
        }
        if let Some(position) = &self.lib.strtok {
            roots(position, &mut work);
        }
        while let Some(id) = work.pop() {
            if reached.insert(id)
                && let Some(object) = self.memory.object(id)
            {
                work.extend(object.pointers());
            }
        }
        reached
    }
}

/// The objects that a value points into.
pub(crate) fn roots(value: &Value, work: &mut Vec<ObjectId>) {
    match value {
        Value::Int { object, .. } => work.extend(*object),
        Value::Partial(p) => work.extend(p.object),
        Value::Bytes(chunk) => work.extend(chunk.pointers.iter().map(|p| p.object)),
        Value::Undefined | Value::Float(_) | Value::Extended(_) => {}
    }
}
