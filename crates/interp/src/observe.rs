//! Looking at a run from outside: a hook before every statement, and read-only views of the state.

use crate::frame::{Activation, Slot};
use crate::inputs::{Draw, Placed};
use crate::layout::Home;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::object::Object;
use crate::value::{ObjectId, Value};
use heapwise_ir::{BlockId, FuncId, GlobalId, LocalId, Program};
use std::ops::ControlFlow;

/// Something that watches a run.
pub trait Observer {
    /// Called before each statement and terminator of the innermost function. `Break` ends the run with
    /// [`Outcome::Observer`](crate::Outcome::Observer).
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()>;
    /// Whether the run may take many laps of a loop at once, which do no more than change these locals of the innermost function,
    /// by adding constants.
    fn may_skip(&mut self, _view: &View<'_, '_, '_>, _locals: &[LocalId]) -> bool {
        false
    }
}

/// The state of a run between two statements.
pub struct View<'v, 'p, 'r> {
    pub(crate) machine: &'v Machine<'p, 'r>,
}

/// An active call of a function with code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameView {
    /// The function.
    pub function: FuncId,
    /// The block being executed.
    pub block: BlockId,
    /// The statement that comes next in the innermost frame, and that is a call in progress in the others; the
    /// number of statements of the block stands for its terminator.
    pub statement: usize,
    /// Position of the frame among the activations.
    activation: usize,
}

/// The contents of a local.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LocalView<'v> {
    /// Its life has not begun, or is over.
    Dead,
    /// A scalar without an address.
    Value(&'v Value),
    /// It lives in memory.
    Object(ObjectId),
}

impl<'v, 'p> View<'v, 'p, '_> {
    /// The program that runs.
    pub fn program(&self) -> &'p Program {
        self.machine.program
    }
    /// Its memory.
    pub fn memory(&self) -> &'v Memory {
        &self.machine.memory
    }
    /// Statements executed so far.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }
    /// The inputs drawn so far.
    pub fn draws(&self) -> &'v [Draw] {
        &self.machine.draws
    }
    /// What became of inputs that were drawn by the library and by the start of the program.
    pub fn placed(&self) -> &'v [Placed] {
        &self.machine.placed
    }
    /// Number of nested activations.
    pub fn depth(&self) -> usize {
        self.machine.frames.len()
    }
    /// Active calls, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = FrameView> + use<'v, 'p> {
        let frames: &'v [Activation<'p>] = &self.machine.frames;
        frames.iter().enumerate().rev().filter_map(|(activation, a)| match a {
            Activation::Code(f) => {
                Some(FrameView { function: f.func, block: f.block, statement: f.statement, activation })
            }
            Activation::Native(_) => None,
        })
    }
    /// The contents of a local of an active call.
    pub fn local(&self, frame: FrameView, local: LocalId) -> LocalView<'v> {
        let machine: &'v Machine<'_, '_> = self.machine;
        let Some(Activation::Code(f)) = machine.frames.get(frame.activation) else { return LocalView::Dead };
        if f.layout.locals.get(local.0 as usize).is_none() {
            return LocalView::Dead;
        }
        match machine.slots.get(f.base + local.0 as usize) {
            None | Some(Slot::Dead) => LocalView::Dead,
            Some(Slot::Value(value)) => LocalView::Value(value),
            Some(Slot::Object(id)) => LocalView::Object(*id),
        }
    }
    /// Whether a local lives in memory when it is alive.
    pub fn in_memory(&self, frame: FrameView, local: LocalId) -> bool {
        match self.machine.frames.get(frame.activation) {
            Some(Activation::Code(f)) => {
                matches!(f.layout.locals.get(local.0 as usize).map(|l| l.home), Some(Home::Memory { .. }))
            }
            _ => false,
        }
    }
    /// The object of a global.
    pub fn global(&self, global: GlobalId) -> Option<ObjectId> {
        self.machine.globals.get(global.0 as usize).copied()
    }
    /// The object that stands for a function; pointers to the function have it as their provenance. A function has none as long as
    /// nobody has asked for its address.
    pub fn function(&self, function: FuncId) -> Option<ObjectId> {
        self.machine.functions.get(&function).copied()
    }
    /// An object by name, dead or alive.
    pub fn object(&self, id: ObjectId) -> Option<&'v Object> {
        self.machine.memory.object(id)
    }
    /// The object that an address without provenance belongs to, locals included.
    pub fn find(&self, address: u64) -> Option<ObjectId> {
        self.machine.find_object(address)
    }
}
