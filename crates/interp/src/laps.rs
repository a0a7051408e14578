//! Loops that only count are not executed lap by lap.
//!
//! Now and then the run remembers what the locals of the innermost function hold at the start of a block. If control comes back
//! there soon, the differences say how much each local grows from lap to lap, if it grows evenly. That is a guess; [`Lap::laps`] checks it
//! by executing the lap once on pairs of a number and its growth: for how many laps do all tests go the same way, does nothing leave its
//! type, and does every local grow by what was guessed? By induction so many laps can be taken at once, and what comes out is
//! exactly what executing them would give. Only laps without memory, calls and floating numbers are understood.
//!
//! Cost: one pass over a lap every [`INTERVAL`] steps.

use crate::frame::{Activation, Slot};
use crate::layout::{FrameLayout, TyInfo};
use crate::machine::Machine;
use crate::value::Value;
use heapwise_ir::{
    BinaryOp, BlockId, Body, CastKind, CompareOp, Const, IntTy, LocalId, Operand, Rvalue, StatementKind,
    TerminatorKind, UnaryOp,
};
use rustc_hash::FxHashMap;

/// Steps between two looks.
const INTERVAL: u64 = 1024;
/// Steps until the next look after laps were taken at once: the loop may be within another one.
const SOON: u64 = 64;
/// Most statements and blocks of a lap.
const LONGEST: usize = 256;
/// Fewer laps than this are executed.
const LEAST: i128 = 16;

/// What was remembered at the start of a block.
#[derive(Debug)]
pub(crate) struct Mark {
    depth: usize,
    base: usize,
    block: BlockId,
    slots: Vec<Slot>,
    steps: u64,
}

/// When to look at laps next, and what to compare with then.
#[derive(Debug, Default)]
pub(crate) struct Laps {
    next: u64,
    mark: Option<Mark>,
}

impl Laps {
    /// Whether there is something to do at the start of a block.
    pub fn is_due(&self, steps: u64) -> bool {
        steps >= self.next
    }
}

/// A number that grows evenly from lap to lap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Even {
    now: i128,
    growth: i128,
}

/// What a local holds in the course of a lap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    Number(Even),
    Nothing,
}

/// A lap that is executed on numbers that grow evenly.
struct Lap<'a> {
    body: &'a Body,
    infos: &'a [TyInfo],
    layout: &'a FrameLayout,
    /// What the locals hold now, and what they held one lap ago.
    now: &'a [Slot],
    before: &'a [Slot],
    held: FxHashMap<LocalId, Held>,
    /// For how many laps all of this is so.
    laps: i128,
}

impl Machine<'_, '_> {
    /// At the start of a block: remembers what the locals hold, or takes as many laps at once as only count. `may_skip` is asked
    /// about the locals that the laps depend on.
    pub(crate) fn look_at_laps(
        &mut self,
        block: BlockId,
        may_skip: &mut dyn FnMut(&Self, &[LocalId]) -> bool,
    ) {
        let mark = self.laps.mark.take();
        let Some(Activation::Code(frame)) = self.frames.last() else { return };
        let (base, body, depth) = (frame.base, frame.body, self.frames.len());
        let layout = frame.layout.clone();
        let Some(slots) = self.slots.get(base..base + layout.locals.len()) else { return };
        let Some(mark) = mark else {
            let slots = slots.to_vec();
            self.laps.mark = Some(Mark { depth, base, block, slots, steps: self.steps });
            return;
        };
        if (mark.depth, mark.base, mark.block) != (depth, base, block) {
            if self.steps - mark.steps > LONGEST as u64 {
                self.laps.next = self.steps + INTERVAL;
            } else {
                self.laps.mark = Some(mark);
            }
            return;
        }
        let mut lap = Lap {
            body,
            infos: &self.infos,
            layout: &layout,
            now: slots,
            before: &mark.slots,
            held: FxHashMap::default(),
            laps: i128::from(u64::MAX),
        };
        let found = lap.laps(block).filter(|laps| *laps >= LEAST);
        let locals: Vec<LocalId> = lap.held.keys().copied().collect();
        let Some(laps) = found.filter(|_| may_skip(self, &locals)) else {
            self.laps.next = self.steps + INTERVAL;
            return;
        };
        let mut changes = Vec::new();
        for local in locals {
            let at = base + local.0 as usize;
            let before = mark.slots.get(local.0 as usize).and_then(number);
            if let (Some(now), Some(before)) = (self.slots.get(at).and_then(number), before) {
                let grown = (now - before).checked_mul(laps).and_then(|more| now.checked_add(more));
                let Some(grown) = grown else { return };
                changes.push((at, grown));
            }
        }
        for (at, bits) in changes {
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = Slot::Value(Value::int(bits));
            }
        }
        self.laps.next = self.steps + SOON;
    }
}

/// The number in a local that is one.
fn number(slot: &Slot) -> Option<i128> {
    match slot {
        Slot::Value(Value::Int { bits, object: None }) => Some(*bits),
        _ => None,
    }
}

impl Lap<'_> {
    /// How many laps from a block to itself go like the one that was executed last.
    fn laps(&mut self, head: BlockId) -> Option<i128> {
        let mut at = head;
        for _ in 0..LONGEST {
            let block = self.body.blocks.get(at)?;
            if block.statements.len() > LONGEST {
                return None;
            }
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Nop => {}
                    StatementKind::StorageLive(l) | StatementKind::StorageDead(l) => {
                        self.is_plain(*l).then_some(())?;
                        self.held.insert(*l, Held::Nothing);
                    }
                    StatementKind::Assign { dest, value } => {
                        let local = dest.as_local().filter(|l| self.is_plain(*l))?;
                        let int = self.int(dest.ty)?;
                        let value = self.rvalue(value, int)?;
                        self.within(value, int)?;
                        self.held.insert(local, Held::Number(value));
                    }
                    _ => return None,
                }
            }
            at = match &block.terminator.kind {
                TerminatorKind::Goto(next) => *next,
                TerminatorKind::Branch { cond, then, otherwise } => {
                    let zero = Even { now: 0, growth: 0 };
                    let cond = self.operand(cond)?;
                    if self.compare(CompareOp::Ne, cond, zero)? { *then } else { *otherwise }
                }
                _ => return None,
            };
            if at == head {
                return self.is_even().then_some(self.laps);
            }
        }
        None
    }

    /// Whether every local has grown as was guessed.
    fn is_even(&self) -> bool {
        self.held.iter().all(|(local, held)| match held {
            Held::Nothing => self.slot(*local).is_some_and(|s| *s == Slot::Dead),
            Held::Number(value) => {
                let guess = self.guess(*local);
                guess.is_some_and(|g| {
                    value.growth == g.growth && g.now.checked_add(g.growth) == Some(value.now)
                })
            }
        })
    }

    fn slot(&self, local: LocalId) -> Option<&Slot> {
        self.now.get(local.0 as usize)
    }

    /// What a local holds at the start of a lap, and how much it seems to grow.
    fn guess(&self, local: LocalId) -> Option<Even> {
        self.layout.locals.get(local.0 as usize)?.ty.int().filter(|int| int.bits <= 64)?;
        let now = number(self.slot(local)?)?;
        let before = number(self.before.get(local.0 as usize)?)?;
        Some(Even { now, growth: now.checked_sub(before)? })
    }

    /// Whether a local is a scalar without an address.
    fn is_plain(&self, local: LocalId) -> bool {
        self.layout.locals.get(local.0 as usize).is_some_and(|l| matches!(l.home, crate::layout::Home::Slot))
    }

    fn int(&self, ty: heapwise_ir::Ty) -> Option<IntTy> {
        self.infos.get(ty.0 as usize)?.int().filter(|int| int.bits <= 64)
    }

    fn operand(&mut self, operand: &Operand) -> Option<Even> {
        match operand {
            Operand::Const(Const::Int { value, ty }) => {
                self.int(*ty)?;
                Some(Even { now: *value, growth: 0 })
            }
            Operand::Local(local) => match self.held.get(local) {
                Some(Held::Number(value)) => Some(*value),
                Some(Held::Nothing) => None,
                None => {
                    let value = self.guess(*local)?;
                    self.held.insert(*local, Held::Number(value));
                    Some(value)
                }
            },
            Operand::Const(_) => None,
        }
    }

    fn rvalue(&mut self, value: &Rvalue, int: IntTy) -> Option<Even> {
        match value {
            Rvalue::Use(operand) => self.operand(operand),
            Rvalue::Unary { op: UnaryOp::Neg, arg } => {
                let arg = self.operand(arg)?;
                Some(Even { now: arg.now.checked_neg()?, growth: arg.growth.checked_neg()? })
            }
            Rvalue::Binary { op, lhs, rhs } => {
                let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
                match op {
                    BinaryOp::Add => {
                        Some(Even { now: a.now.checked_add(b.now)?, growth: a.growth.checked_add(b.growth)? })
                    }
                    BinaryOp::Sub => {
                        Some(Even { now: a.now.checked_sub(b.now)?, growth: a.growth.checked_sub(b.growth)? })
                    }
                    BinaryOp::Mul if a.growth == 0 || b.growth == 0 => Some(Even {
                        now: a.now.checked_mul(b.now)?,
                        growth: a.growth.checked_mul(b.now)?.checked_add(b.growth.checked_mul(a.now)?)?,
                    }),
                    _ => None,
                }
            }
            Rvalue::Compare { op, lhs, rhs } => {
                let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
                let now = self.compare(*op, a, b)?.into();
                Some(Even { now, growth: 0 })
            }
            Rvalue::Cast { kind: CastKind::IntToInt, arg } => {
                let arg = self.operand(arg)?;
                // What does not fit now is wrapped: that is understood only if it does not grow.
                match arg.growth {
                    0 => Some(Even { now: int.wrap(arg.now), growth: 0 }),
                    _ => Some(arg),
                }
            }
            Rvalue::Cast { kind: CastKind::ToBool, arg } => {
                let (arg, zero) = (self.operand(arg)?, Even { now: 0, growth: 0 });
                let now = self.compare(CompareOp::Ne, arg, zero)?.into();
                Some(Even { now, growth: 0 })
            }
            _ => None,
        }
    }

    /// Ends the laps before a number leaves its type.
    fn within(&mut self, value: Even, int: IntTy) -> Option<()> {
        let Even { now, growth } = value;
        if now < int.min() || now > int.max() {
            return None;
        }
        let room = match growth {
            0 => return Some(()),
            1.. => int.max() - now,
            _ => now - int.min(),
        };
        self.laps = self.laps.min(room / growth.checked_abs()? + 1);
        Some(())
    }

    /// How a comparison comes out now; ends the laps before it comes out otherwise.
    fn compare(&mut self, op: CompareOp, a: Even, b: Even) -> Option<bool> {
        let now = a.now.checked_sub(b.now)?;
        let growth = a.growth.checked_sub(b.growth)?;
        let holds = match op {
            CompareOp::Eq => now == 0,
            CompareOp::Ne => now != 0,
            CompareOp::Lt => now < 0,
            CompareOp::Le => now <= 0,
            CompareOp::Gt => now > 0,
            CompareOp::Ge => now >= 0,
        };
        // After so many laps it comes out otherwise for the first time.
        let step = growth.checked_abs()?;
        let towards = now.signum() * growth.signum() < 0;
        let other = match op {
            _ if step == 0 => None,
            CompareOp::Eq | CompareOp::Ne if now == 0 => Some(1),
            CompareOp::Eq | CompareOp::Ne => (towards && now % step == 0).then(|| now.abs() / step),
            CompareOp::Lt | CompareOp::Ge if now < 0 => towards.then(|| (now.abs() - 1) / step + 1),
            CompareOp::Lt | CompareOp::Ge => (growth < 0).then(|| now / step + 1),
            CompareOp::Gt | CompareOp::Le if now > 0 => towards.then(|| (now - 1) / step + 1),
            CompareOp::Gt | CompareOp::Le => (growth > 0).then(|| now.abs() / step + 1),
        };
        if let Some(other) = other {
            self.laps = self.laps.min(other);
        }
        Some(holds)
    }
}
