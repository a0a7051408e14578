//! Heap blocks that are left, and those to which no pointer is left.
//!
//! Reachability follows provenance: a block is reachable if a pointer to any part of it stands in a global, a variable
//! in scope, storage of the library, or a reachable block, or if it is a value on its way: in a temporary of an
//! unfinished call that will be read again. A variable counts even if it is not read again, for the programmer
//! sees it there; a temporary that has served its purpose does not, for nobody does. An address that the program has computed other
//! numbers from may be hidden in one of them, as in a list linked by exclusive ors, so until `main` has returned its block is not lost.
//! That, and whether bytes that are left of a pointer lead anywhere, is as the options say. Cost: linear in the memory that is alive.

use crate::error::{ErrorKind, Res, object_fault};
use crate::frame::{Activation, Frame, Slot};
use crate::machine::Machine;
use crate::object::{Object, Origin};
use crate::value::{ObjectId, Value};
use heapwise_ir::{
    BlockId, Body, Cfg, FuncId, Liveness, LocalId, LocalSet, Span, StatementKind, TerminatorKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most blocks on the way out of `main` that end lives and do nothing else.
const MOST_BLOCKS: usize = 64;

/// A heap block that is still allocated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leak {
    pub object: ObjectId,
    pub reachable: bool,
}

/// Which locals are live where, as far as anybody asked.
#[derive(Debug, Default)]
pub(crate) struct LiveLocals {
    functions: FxHashMap<FuncId, Liveness>,
    blocks: FxHashMap<(FuncId, BlockId), Rc<[LocalSet]>>,
}

impl LiveLocals {
    /// The locals that are live before each statement of a block and before its terminator.
    fn in_block(&mut self, func: FuncId, body: &Body, block: BlockId) -> Rc<[LocalSet]> {
        let functions = &mut self.functions;
        let sets = self.blocks.entry((func, block)).or_insert_with(|| {
            let liveness = functions.entry(func).or_insert_with(|| Liveness::new(body, &Cfg::new(body)));
            liveness.in_block(body, block).into()
        });
        sets.clone()
    }
}

/// What an unfinished call may still read of its temporaries.
struct Held<'p> {
    body: &'p Body,
    /// Where it is; without it temporaries do not count, whether or not they are read again.
    live: Option<(Rc<[LocalSet]>, usize)>,
}

impl Held<'_> {
    /// Whether what a local holds counts.
    fn counts(&self, local: LocalId) -> bool {
        let temporary = self.body.locals.get(local).is_some_and(|l| l.name.is_none() && !l.address_taken);
        !temporary
            || self.live.as_ref().is_some_and(|(sets, at)| sets.get(*at).is_some_and(|s| s.contains(local)))
    }
}

/// Whether temporaries count that are still read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Temporaries {
    Ignored,
    Counted,
}

impl<'p> Machine<'p, '_> {
    fn held(live: &mut LiveLocals, frame: &Frame<'p>, innermost: bool) -> Held<'p> {
        let sets = live.in_block(frame.func, frame.body, frame.block);
        // A call in progress has its arguments already.
        Held { body: frame.body, live: Some((sets, frame.statement + usize::from(!innermost))) }
    }

    /// All heap blocks that are alive, those without a pointer to them first, oldest first.
    pub fn leaks(&mut self) -> Vec<Leak> {
        let is_block = |o: &Object| o.origin == Origin::Heap;
        if !self.memory.live_objects().any(|(_, o)| is_block(o)) {
            return Vec::new();
        }
        // Most often variables hold everything, and nobody has to know what is still read.
        let mut reached = self.reachable(Temporaries::Ignored);
        if self.memory.live_objects().any(|(id, o)| is_block(o) && !reached.contains(&id)) {
            reached = self.reachable(Temporaries::Counted);
        }
        let blocks = self.memory.live_objects().filter(|(_, o)| is_block(o));
        let mut leaks: Vec<(u64, Leak)> =
            blocks.map(|(id, o)| (o.base, Leak { object: id, reachable: reached.contains(&id) })).collect();
        leaks.sort_by_key(|(base, leak)| (leak.reachable, *base));
        leaks.into_iter().map(|(_, leak)| leak).collect()
    }

    /// Whether all that is left to do in `main` from a statement on is to end the lives of its variables and to return.
    pub fn leaves_main(&self, body: &Body, block: BlockId, at: usize) -> bool {
        if self.options.entry != "main" {
            return false;
        }
        let (mut block, mut at) = (block, at);
        for _ in 0..MOST_BLOCKS {
            let Some(code) = body.blocks.get(block) else { return false };
            let mut rest = code.statements.iter().skip(at);
            let ends = |kind: &StatementKind| {
                matches!(
                    kind,
                    StatementKind::Nop | StatementKind::StorageDead(_) | StatementKind::ScopeFree(_)
                )
            };
            if !rest.all(|s| ends(&s.kind)) {
                return false;
            }
            match code.terminator.kind {
                TerminatorKind::Return(_) => return true,
                TerminatorKind::Goto(next) => (block, at) = (next, 0),
                _ => return false,
            }
        }
        false
    }

    /// The heap blocks to which there is a pointer.
    pub fn reachable_blocks(&mut self) -> FxHashSet<ObjectId> {
        self.leaks().into_iter().filter(|l| l.reachable).map(|l| l.object).collect()
    }

    /// Whether variables of `main` held a block until it returned.
    pub fn was_held(&self, block: ObjectId) -> bool {
        self.held.as_ref().is_some_and(|held| held.contains(&block))
    }

    /// A fault if some heap block cannot be reached any more.
    pub fn check_lost_blocks(&mut self) -> Res<()> {
        let lost: Vec<Leak> = self.leaks().into_iter().filter(|l| !l.reachable).collect();
        let gone = lost.iter().find(|l| !self.was_held(l.object));
        match gone.or(lost.first()) {
            Some(leak) if gone.is_none() => {
                if self.options.held_at_return != Some(true) {
                    return Ok(());
                }
                let exact = self.options.lost_block_interval == Some(1) && self.before != Span::default();
                self.blamed = exact.then_some(self.before);
                let message = "a variable of `main` still holds a heap block here";
                object_fault(ErrorKind::HeldAtReturn, leak.object, message)
            }
            Some(leak) => {
                // Looked for after each statement, the last one is where it was lost.
                let exact = self.options.lost_block_interval == Some(1) && self.before != Span::default();
                self.blamed = exact.then_some(self.before);
                let message = if exact {
                    "the last pointer to a heap block is lost here"
                } else {
                    "no pointer to a heap block is left before"
                };
                object_fault(ErrorKind::LostBlock, leak.object, message)
            }
            _ => Ok(()),
        }
    }

    fn reachable(&mut self, temporaries: Temporaries) -> FxHashSet<ObjectId> {
        let mut reached = FxHashSet::default();
        let mut work: Vec<ObjectId> = self.given_back.into_iter().collect();
        if self.options.hidden_pointers_lead && !self.frames.is_empty() {
            work.extend(self.memory.exposed());
        }
        let mut live = std::mem::take(&mut self.live);
        let innermost = self.frames.len();
        let held: Vec<Option<Held<'_>>> = (1..)
            .zip(&self.frames)
            .map(|(depth, activation)| match activation {
                Activation::Code(frame) if temporaries == Temporaries::Ignored => {
                    Some(Held { body: frame.body, live: None })
                }
                Activation::Code(frame) => Some(Self::held(&mut live, frame, depth == innermost)),
                Activation::Native(_) => None,
            })
            .collect();
        self.live = live;
        for (id, object) in self.memory.live_objects() {
            let counts = match object.origin {
                Origin::Heap => false,
                Origin::Local { local, depth, .. } => {
                    let frame = (depth as usize).checked_sub(1).and_then(|i| held.get(i)?.as_ref());
                    frame.is_none_or(|f| f.counts(local))
                }
                _ => true,
            };
            if counts {
                reached.insert(id);
                self.led_to(object, &mut work);
            }
        }
        for (activation, held) in self.frames.iter().zip(&held) {
            match (activation, held) {
                (Activation::Code(frame), Some(held)) => {
                    let slots = self.slots.iter().skip(frame.base).take(frame.layout.locals.len());
                    for (slot, local) in slots.zip((0..).map(LocalId)) {
                        if let Slot::Value(value) = slot
                            && held.counts(local)
                        {
                            roots(value, &mut work);
                        }
                    }
                }
                (Activation::Native(native), _) => native.roots(&mut work),
                (Activation::Code(_), None) => {}
            }
        }
        if let Some(position) = &self.lib.strtok {
            roots(position, &mut work);
        }
        while let Some(id) = work.pop() {
            if reached.insert(id)
                && let Some(object) = self.memory.object(id)
            {
                self.led_to(object, &mut work);
            }
        }
        reached
    }

    /// The objects that what stands in an object leads to.
    fn led_to(&self, object: &Object, work: &mut Vec<ObjectId>) {
        match self.options.hidden_pointers_lead {
            true => work.extend(object.pointers()),
            false => {
                work.extend(object.aligned_pointers());
                let inside = |(id, address): (ObjectId, u64)| {
                    let found = self.memory.object(id)?;
                    address.checked_sub(found.base).filter(|offset| *offset <= found.size).map(|_| id)
                };
                work.extend(object.assembled_pointers().filter_map(inside));
            }
        }
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
