//! The objects of a state, and symbols whose memory is gone.
//!
//! Objects are shared between states until one of them changes.

use super::{Death, State};
use crate::object::{Object, ObjectKind};
use crate::value::Sym;
use std::sync::Arc;

impl State {
    /// How many objects and summaries there are: a measure of what it costs to look at all of them.
    pub fn pieces(&self) -> usize {
        self.objects.len() + self.summaries.len()
    }

    /// Adds an object and returns its address.
    pub fn add_object(&mut self, object: Object) -> Sym {
        let s = self.fresh();
        self.objects.insert(s, Arc::new(object));
        s
    }

    /// The object at `s`.
    pub fn object(&self, s: Sym) -> Option<&Arc<Object>> {
        self.objects.get(&s)
    }

    /// The object at `s`, to be changed.
    pub fn object_mut(&mut self, s: Sym) -> Option<&mut Object> {
        self.objects.get_mut(&s).map(Arc::make_mut)
    }

    /// Whether there is an object at `s`.
    pub fn has_object(&self, s: Sym) -> bool {
        self.objects.contains_key(&s)
    }

    /// All objects with their addresses, in the order of these.
    pub fn objects(&self) -> impl DoubleEndedIterator<Item = (Sym, &Arc<Object>)> + Clone + '_ {
        self.objects.iter().map(|(s, o)| (*s, o))
    }

    /// How many objects there are.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// How many objects there are on the heap, those of summaries not counted.
    pub fn heap_blocks(&self) -> usize {
        self.objects.values().filter(|o| o.kind == ObjectKind::Heap).count()
    }

    /// Puts an object at `s`, in place of the one there.
    pub fn insert_object(&mut self, s: Sym, object: impl Into<Arc<Object>>) {
        self.objects.insert(s, object.into());
    }

    /// Takes the object at `s` out.
    pub fn remove_object(&mut self, s: Sym) -> Option<Arc<Object>> {
        self.objects.remove(&s)
    }

    /// Takes out the objects for which `keep` says no.
    pub fn retain_objects(&mut self, mut keep: impl FnMut(Sym, &Object) -> bool) {
        self.objects.retain(|s, o| keep(*s, o));
    }

    /// Why a symbol dangles, if it is known to.
    pub fn death(&self, s: Sym) -> Option<Death> {
        self.dead.get(&s).copied()
    }

    /// Symbols that are known to dangle.
    pub fn dangling(&self) -> impl Iterator<Item = (Sym, Death)> + '_ {
        self.dead.iter().map(|(s, d)| (*s, *d))
    }

    /// Notes that a symbol dangles.
    pub fn set_death(&mut self, s: Sym, death: Death) {
        self.dead.insert(s, death);
    }
}
