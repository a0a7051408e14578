//! The concrete memory: all objects, their addresses, and the checks that every access passes.
//!
//! Addresses are synthetic but consistent with alignment and data model. Functions, globals, heap and stack
//! have regions of their own; objects never touch, so that one past the end of an object is not the start of
//! another. Heap addresses are not reused; stack addresses are, as on real machines.
//!
//! Dead objects are kept for their history until many others died after them; then the slot is recycled with
//! another generation, so that stale pointers are still recognised as dangling.

use crate::error::{BudgetKind, ErrorKind, Res, Stop, fault, object_fault, stop};
use crate::object::{Life, Object, Origin};
use crate::value::{Chunk, ObjectId};
use heapwise_ir::{DataModel, Span};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;

/// Dead heap blocks whose history is kept.
const KEPT_HEAP: usize = 1 << 16;
/// Dead locals whose history is kept.
const KEPT_LOCALS: usize = 1 << 12;
/// Addresses below this one are accesses through null plus a member's offset.
const NULL_PAGE: u64 = 4096;

/// What an access wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

/// An object that was checked to be accessible, and an offset in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub index: usize,
    pub offset: u64,
}

/// The concrete memory.
#[derive(Debug)]
pub struct Memory {
    objects: Vec<Object>,
    vacant: Vec<u32>,
    dead_heap: VecDeque<u32>,
    dead_locals: VecDeque<u32>,
    /// Everything but locals, by address; dead heap blocks included.
    by_address: BTreeMap<u64, u32>,
    word: u64,
    next_fixed: u64,
    next_heap: u64,
    heap_end: u64,
    live_bytes: u64,
    budget: u64,
    peak_bytes: u64,
    bytes: u64,
    heap_allocations: u64,
    /// Objects of the library whose contents are not what the library would put there.
    made_up: FxHashSet<ObjectId>,
    /// Whether one of them was read.
    made_up_read: Cell<bool>,
    /// Objects whose address went into a number that is no address of them.
    exposed: RefCell<FxHashSet<ObjectId>>,
}

fn align_up(address: u64, align: u64) -> u64 {
    let align = align.max(1);
    address.div_ceil(align).saturating_mul(align)
}

impl Memory {
    pub(crate) fn new(model: DataModel, budget: u64) -> Memory {
        let (fixed, heap, heap_end) = match model {
            DataModel::Ilp32 => (0x0804_8000, 0x2000_0000, 0xb000_0000),
            DataModel::Lp64 => (0x40_0000, 0x5555_0000_0000, 0x7000_0000_0000),
        };
        Memory {
            objects: Vec::new(),
            vacant: Vec::new(),
            dead_heap: VecDeque::new(),
            dead_locals: VecDeque::new(),
            by_address: BTreeMap::new(),
            word: model.pointer_size(),
            next_fixed: fixed,
            next_heap: heap,
            heap_end,
            live_bytes: 0,
            budget,
            peak_bytes: 0,
            bytes: 0,
            heap_allocations: 0,
            made_up: FxHashSet::default(),
            made_up_read: Cell::new(false),
            exposed: RefCell::new(FxHashSet::default()),
        }
    }

    /// Says that the contents of an object are not what the library would put there.
    pub(crate) fn make_up(&mut self, id: ObjectId) {
        self.made_up.insert(id);
    }

    /// Says that the address of an object went into a number from which a program may compute it again, as from the
    /// exclusive or of two addresses.
    pub(crate) fn expose(&self, id: ObjectId) {
        self.exposed.borrow_mut().insert(id);
    }

    /// The objects whose addresses may be hidden in numbers.
    pub(crate) fn exposed(&self) -> Vec<ObjectId> {
        self.exposed.borrow().iter().copied().collect()
    }

    /// Whether contents that are made up were read.
    pub(crate) fn made_up_read(&self) -> &Cell<bool> {
        &self.made_up_read
    }

    /// Highest stack address and the lowest that may be used.
    pub(crate) fn stack_region(model: DataModel) -> (u64, u64) {
        match model {
            DataModel::Ilp32 => (0xbfff_f000, 0xb000_0000),
            DataModel::Lp64 => (0x7fff_ffff_f000, 0x7ff0_0000_0000),
        }
    }

    fn insert(&mut self, mut object: Object) -> Res<ObjectId> {
        self.live_bytes = self.live_bytes.saturating_add(object.size);
        self.bytes = self.bytes.saturating_add(object.size);
        self.peak_bytes = self.peak_bytes.max(self.live_bytes);
        if let Some(index) = self.vacant.pop()
            && let Some(slot) = self.objects.get_mut(index as usize)
        {
            object.generation =
                NonZeroU32::new(slot.generation.get().wrapping_add(1)).unwrap_or(NonZeroU32::MIN);
            let id = ObjectId { index, generation: object.generation };
            *slot = object;
            return Ok(id);
        }
        let Ok(index) = u32::try_from(self.objects.len()) else {
            return stop(Stop::Budget(BudgetKind::Memory));
        };
        let id = ObjectId { index, generation: object.generation };
        self.objects.push(object);
        Ok(id)
    }

    fn reserve(&self, size: u64) -> Res<()> {
        if self.live_bytes.saturating_add(size) > self.budget {
            return stop(Stop::Budget(BudgetKind::Memory));
        }
        Ok(())
    }

    /// An object with a fixed address: a global, function, label or storage of the library.
    pub(crate) fn allocate_fixed(
        &mut self,
        origin: Origin,
        size: u64,
        align: u64,
        span: Span,
    ) -> Res<ObjectId> {
        self.reserve(size)?;
        let base = align_up(self.next_fixed, align.max(16));
        self.next_fixed = base.saturating_add(size.max(1));
        let id = self.insert(Object::new(origin, base, size, true, self.word, span))?;
        self.by_address.insert(base, id.index);
        Ok(id)
    }

    /// A heap block.
    pub(crate) fn allocate_heap(&mut self, size: u64, align: u64, zeroed: bool, span: Span) -> Res<ObjectId> {
        self.reserve(size)?;
        let base = align_up(self.next_heap, align.max(16));
        let next = base.saturating_add(size).saturating_add(16);
        if next > self.heap_end {
            return stop(Stop::Budget(BudgetKind::Memory));
        }
        self.next_heap = next;
        self.heap_allocations += 1;
        let id = self.insert(Object::new(Origin::Heap, base, size, zeroed, self.word, span))?;
        self.by_address.insert(base, id.index);
        Ok(id)
    }

    /// An object on the stack, at an address that the caller chose.
    pub(crate) fn allocate_at(&mut self, origin: Origin, base: u64, size: u64, span: Span) -> Res<ObjectId> {
        self.reserve(size)?;
        self.insert(Object::new(origin, base, size, false, self.word, span))
    }

    /// Ends the life of an object; nothing happens if it is dead already.
    pub(crate) fn kill(&mut self, id: ObjectId, life: Life, at: Span) {
        let Some(object) = self.objects.get_mut(id.index as usize) else { return };
        if object.generation != id.generation || object.life != Life::Alive {
            return;
        }
        self.live_bytes = self.live_bytes.saturating_sub(object.size);
        object.die(life, at);
        let heap = object.origin == Origin::Heap;
        let (queue, kept) =
            if heap { (&mut self.dead_heap, KEPT_HEAP) } else { (&mut self.dead_locals, KEPT_LOCALS) };
        queue.push_back(id.index);
        if queue.len() > kept
            && let Some(oldest) = queue.pop_front()
        {
            if let Some(o) = self.objects.get(oldest as usize)
                && (heap || matches!(o.origin, Origin::Stream(_)))
            {
                self.by_address.remove(&o.base);
            }
            self.vacant.push(oldest);
        }
    }

    /// The object of that name, dead or alive, unless its slot was recycled.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.index as usize).filter(|o| o.generation == id.generation)
    }

    pub(crate) fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(id.index as usize).filter(|o| o.generation == id.generation)
    }

    /// All objects that are alive.
    pub fn live_objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects
            .iter()
            .enumerate()
            .filter(|(_, o)| o.is_alive())
            .map(|(i, o)| (ObjectId { index: i as u32, generation: o.generation }, o))
    }

    /// The heap block, global, function or library object that contains `address`, or ends there. Locals are not
    /// found here: their frames know their addresses.
    pub fn find(&self, address: u64) -> Option<ObjectId> {
        let (_, &index) = self.by_address.range(..=address).next_back()?;
        let object = self.objects.get(index as usize)?;
        (address - object.base <= object.size).then_some(ObjectId { index, generation: object.generation })
    }

    /// Size of a pointer in bytes.
    pub fn word(&self) -> u64 {
        self.word
    }
    /// Bytes of objects alive at one time, at most so far.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }
    /// Bytes of all objects so far, and of all copies between them.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
    /// Number of heap blocks allocated so far.
    pub fn heap_allocations(&self) -> u64 {
        self.heap_allocations
    }

    /// Checks that `size` bytes from `address` on lie in the object and may be accessed so.
    pub(crate) fn check(&self, address: u64, id: Option<ObjectId>, size: u64, access: Access) -> Res<Spot> {
        if let Some(id) = id
            && let Some(object) = self.objects.get(id.index as usize)
            && object.generation == id.generation
            && object.life == Life::Alive
            && (access == Access::Read || object.writable)
        {
            let offset = address.wrapping_sub(object.base);
            if offset <= object.size && size <= object.size - offset && !is_opaque(object.origin) {
                if !self.made_up.is_empty() && self.made_up.contains(&id) {
                    self.made_up_read.set(true);
                }
                return Ok(Spot { index: id.index as usize, offset });
            }
        }
        self.explain(address, id, size, access)
    }

    /// The slow half of [`Memory::check`]: finds the object by address, or says what is wrong.
    #[cold]
    fn explain(&self, address: u64, id: Option<ObjectId>, size: u64, access: Access) -> Res<Spot> {
        let verb = if access == Access::Read { "read" } else { "write" };
        let Some(id) = id.or_else(|| if address < NULL_PAGE { None } else { self.find(address) }) else {
            if address < NULL_PAGE {
                let what = if address == 0 { "null".into() } else { format!("null plus {address}") };
                return fault(ErrorKind::NullDeref, format!("{verb} of {size} bytes through {what}"));
            }
            return fault(
                ErrorKind::InvalidDeref,
                format!(
                    "{verb} of {size} bytes through {address:#x}, which is not the address of any object"
                ),
            );
        };
        let Some(object) = self.object(id) else {
            let heap = address < self.heap_end;
            let kind = if heap { ErrorKind::UseAfterFree } else { ErrorKind::UseAfterScope };
            return object_fault(kind, id, format!("{verb} of an object whose life was over long ago"));
        };
        match object.life {
            Life::Freed => {
                return object_fault(
                    ErrorKind::UseAfterFree,
                    id,
                    format!("{verb} of {size} bytes of a freed block"),
                );
            }
            Life::OutOfScope => {
                return object_fault(
                    ErrorKind::UseAfterScope,
                    id,
                    format!("{verb} of {size} bytes of a variable whose scope was left"),
                );
            }
            Life::Alive => {}
        }
        let offset = address.wrapping_sub(object.base);
        if matches!(object.origin, Origin::Stream(_)) {
            return object_fault(ErrorKind::Unsupported, id, format!("{verb} of what a stream consists of"));
        }
        if matches!(object.origin, Origin::Undefined(_)) {
            return object_fault(ErrorKind::Unsupported, id, format!("{verb} of what no file defines"));
        }
        if is_opaque(object.origin) {
            return object_fault(ErrorKind::OutOfBounds, id, format!("{verb} of code as data"));
        }
        if offset > object.size || size > object.size - offset {
            return object_fault(
                ErrorKind::OutOfBounds,
                id,
                format!(
                    "{verb} of {size} bytes at offset {} of an object of {} bytes",
                    offset as i64, object.size
                ),
            );
        }
        if access == Access::Write && !object.writable {
            return object_fault(
                ErrorKind::WriteToConstant,
                id,
                "write to a string literal or an object declared `const`",
            );
        }
        Ok(Spot { index: id.index as usize, offset })
    }

    /// The object at a spot that [`Memory::check`] returned.
    pub(crate) fn at(&self, spot: Spot) -> &Object {
        &self.objects[spot.index]
    }
    /// The object at a spot that [`Memory::check`] returned, to be changed.
    pub(crate) fn at_mut(&mut self, spot: Spot) -> &mut Object {
        &mut self.objects[spot.index]
    }

    /// Copies `size` bytes out.
    pub(crate) fn read_chunk(&self, address: u64, id: Option<ObjectId>, size: u64) -> Res<Chunk> {
        if size == 0 {
            return Ok(Chunk::default());
        }
        let spot = self.check(address, id, size, Access::Read)?;
        Ok(self.at(spot).read_chunk(spot.offset, size))
    }

    /// Copies a chunk in.
    pub(crate) fn write_chunk(&mut self, address: u64, id: Option<ObjectId>, chunk: &Chunk) -> Res<()> {
        if chunk.bytes.is_empty() {
            return Ok(());
        }
        let spot = self.check(address, id, chunk.bytes.len() as u64, Access::Write)?;
        self.bytes = self.bytes.saturating_add(chunk.bytes.len() as u64);
        self.at_mut(spot).write_chunk(spot.offset, chunk);
        Ok(())
    }
}

/// Whether an object has no bytes that a program may access.
fn is_opaque(origin: Origin) -> bool {
    matches!(origin, Origin::Function(_) | Origin::Label(..) | Origin::Stream(_) | Origin::Undefined(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind<T: std::fmt::Debug>(result: Res<T>) -> ErrorKind {
        match *result.expect_err("a fault") {
            Stop::Fault { kind, .. } => kind,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_bad_access_has_its_kind() {
        let mut m = Memory::new(DataModel::Lp64, 1 << 20);
        let a = m.allocate_heap(8, 1, true, Span::default()).expect("room");
        let base = m.object(a).map_or(0, |o| o.base);
        assert!(m.check(base, Some(a), 8, Access::Write).is_ok());
        assert!(m.check(base + 4, None, 4, Access::Read).is_ok(), "found by its address");
        assert_eq!(kind(m.check(base + 1, Some(a), 8, Access::Read)), ErrorKind::OutOfBounds);
        assert_eq!(kind(m.check(base - 1, Some(a), 1, Access::Read)), ErrorKind::OutOfBounds);
        assert_eq!(kind(m.check(8, None, 4, Access::Read)), ErrorKind::NullDeref);
        assert_eq!(kind(m.check(base + 0x10_0000, None, 1, Access::Read)), ErrorKind::InvalidDeref);
        m.kill(a, Life::Freed, Span::default());
        assert_eq!(kind(m.check(base, Some(a), 1, Access::Read)), ErrorKind::UseAfterFree);
    }

    #[test]
    fn recycled_slots_do_not_revive_old_pointers() {
        let mut m = Memory::new(DataModel::Ilp32, 1 << 20);
        let first = m.allocate_heap(8, 1, true, Span::default()).expect("room");
        let base = m.object(first).map_or(0, |o| o.base);
        m.kill(first, Life::Freed, Span::default());
        for _ in 0..KEPT_HEAP + 10 {
            let id = m.allocate_heap(8, 1, true, Span::default()).expect("room");
            m.kill(id, Life::Freed, Span::default());
        }
        assert!(m.object(first).is_none());
        assert!(m.check(base, Some(first), 1, Access::Read).is_err());
    }

    #[test]
    fn the_memory_budget_is_a_value() {
        let mut m = Memory::new(DataModel::Lp64, 100);
        assert!(matches!(
            m.allocate_heap(101, 1, true, Span::default()).map_err(|e| *e),
            Err(Stop::Budget(BudgetKind::Memory))
        ));
    }
}
