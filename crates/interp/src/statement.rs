//! Statements and terminators.

use crate::error::{ErrorKind, Res, fault};
use crate::frame::{Activation, Slot};
use crate::layout::{Home, Kind, LocalInfo, TyInfo};
use crate::machine::Machine;
use crate::object::{Life, Origin};
use crate::place::{Target, wrap};
use crate::value::{ObjectId, Value};
use heapwise_ir::{
    BinaryOp, BlockId, CastKind, CompareOp, Const, LocalId, Operand, Place, Rvalue, Span, Statement,
    StatementKind, Terminator, TerminatorKind,
};

impl<'p> Machine<'p, '_> {
    /// Executes a statement; `false` if a call was begun, so that the innermost frame is another one now.
    pub fn statement(&mut self, statement: &'p Statement) -> Res<bool> {
        match &statement.kind {
            StatementKind::Nop => {}
            StatementKind::Assign { dest, value } => self.assignment(dest, value)?,
            StatementKind::Zero(place) => self.zero(place)?,
            StatementKind::StorageLive(local) => self.storage_live(*local, statement.span)?,
            StatementKind::StorageDead(local) => self.storage_dead(*local, statement.span),
            StatementKind::ScopeAlloc { dest, size } => {
                let (size, _) = self.int_operand(size, "the size of the array")?;
                if size < 0 {
                    return fault(ErrorKind::BadArgument, format!("an array of {size} bytes"));
                }
                let value = self.stack_block(Some(*dest), size as u64, statement.span)?;
                let ty = self.program_local_ty(*dest);
                self.assign(&Place::local(*dest, ty), value)?;
            }
            StatementKind::ScopeFree(local) => self.scope_free(*local, statement.span),
            StatementKind::Call(call) => return self.call_statement(call),
            StatementKind::Intrinsic { op, dest, args } => {
                self.intrinsic(*op, dest.as_ref(), args, statement.span)?
            }
        }
        Ok(true)
    }

    fn program_local_ty(&self, local: LocalId) -> heapwise_ir::Ty {
        match self.frames.last() {
            Some(Activation::Code(f)) => f.body.locals.get(local).map_or(heapwise_ir::Ty(0), |l| l.ty),
            _ => heapwise_ir::Ty(0),
        }
    }

    /// An operand that is a defined integer without provenance and costs no memory access.
    fn plain_int(&self, operand: &Operand) -> Option<i128> {
        match operand {
            Operand::Const(Const::Int { value, .. }) => Some(*value),
            Operand::Local(local) => match self.slots.get(self.base + local.0 as usize) {
                Some(Slot::Value(Value::Int { bits, object: None })) => Some(*bits),
                _ => None,
            },
            Operand::Const(_) => None,
        }
    }

    /// The usual case of an assignment, without detours: integers of at most 64 bits from and to slots.
    /// `None` if it is another case, errors included.
    fn quick(&self, ty: TyInfo, value: &Rvalue) -> Option<i128> {
        let Kind::Int(int) = ty.kind else { return None };
        if int.bits > 64 {
            return None;
        }
        match value {
            Rvalue::Binary { op, lhs, rhs } => {
                let (a, b) = (self.plain_int(lhs)?, self.plain_int(rhs)?);
                let exact = match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Sub => a.wrapping_sub(b),
                    BinaryOp::Mul => a.checked_mul(b)?,
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Shr if (0..i128::from(int.bits)).contains(&b) => a >> b,
                    _ => return None,
                };
                let wrapped = wrap(int, exact);
                (wrapped == exact || !int.signed).then_some(wrapped)
            }
            Rvalue::Compare { op, lhs, rhs } => {
                let (a, b) = (self.plain_int(lhs)?, self.plain_int(rhs)?);
                if self.operand_info(lhs).size > 8 {
                    return None;
                }
                let holds = match op {
                    CompareOp::Eq => a == b,
                    CompareOp::Ne => a != b,
                    CompareOp::Lt => a < b,
                    CompareOp::Le => a <= b,
                    CompareOp::Gt => a > b,
                    CompareOp::Ge => a >= b,
                };
                Some(holds.into())
            }
            Rvalue::Use(operand) => self.plain_int(operand),
            Rvalue::Cast { kind: CastKind::IntToInt, arg } => Some(wrap(int, self.plain_int(arg)?)),
            _ => None,
        }
    }

    fn assignment(&mut self, dest: &Place, value: &Rvalue) -> Res<()> {
        let ty = self.info(dest.ty);
        if let Some(local) = dest.as_local()
            && let Some(LocalInfo { home: Home::Slot, .. }) = self.layout.locals.get(local.0 as usize)
            && let Some(bits) = self.quick(ty, value)
        {
            if let Some(slot) = self.slots.get_mut(self.base + local.0 as usize) {
                *slot = Slot::Value(Value::int(bits));
            }
            return Ok(());
        }
        let result = match value {
            Rvalue::Use(operand) => self.operand(operand)?,
            Rvalue::Load(place) => self.load_place(place)?,
            Rvalue::AddrOf(place) => match self.target(place, false)? {
                Target::Memory { address, object, .. } => Value::pointer(address, object),
                Target::Slot(_) => return fault(ErrorKind::Unsupported, "address of a register"),
            },
            Rvalue::Unary { op, arg } => {
                let arg = self.operand(arg)?;
                self.unary(*op, &arg, ty)?
            }
            Rvalue::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.operand(lhs)?, self.operand(rhs)?);
                self.binary(*op, &lhs, &rhs, ty, ty)?
            }
            Rvalue::Compare { op, lhs, rhs } => {
                let operands = self.operand_info(lhs);
                let (lhs, rhs) = (self.operand(lhs)?, self.operand(rhs)?);
                self.compare(*op, &lhs, &rhs, operands)?
            }
            Rvalue::Cast { kind, arg } => {
                let from = self.operand_info(arg);
                let arg = self.operand(arg)?;
                self.cast(*kind, arg, from, ty)?
            }
            Rvalue::PtrAdd { ptr, index, stride } => {
                let (address, object) = self.int_operand(ptr, "the pointer")?;
                let (index, _) = self.int_operand(index, "the index")?;
                let distance = (index as u64).wrapping_mul(*stride as u64);
                Value::pointer((address as u64).wrapping_add(distance) & self.word_mask, object)
            }
            Rvalue::PtrDiff { lhs, rhs, stride } => {
                let (a, _) = self.int_operand(lhs, "the left pointer")?;
                let (b, _) = self.int_operand(rhs, "the right pointer")?;
                let difference = a.wrapping_sub(b) / i128::from((*stride).max(1));
                Value::int(ty.int().map_or(difference, |int| wrap(int, difference)))
            }
        };
        self.assign(dest, result)
    }

    pub fn operand_info(&self, operand: &Operand) -> TyInfo {
        match operand {
            Operand::Local(local) => match self.layout.locals.get(local.0 as usize) {
                Some(local) => local.ty,
                None => TyInfo { kind: Kind::Void, size: 1, align: 1 },
            },
            Operand::Const(constant) => self.info(constant.ty()),
        }
    }

    fn storage_live(&mut self, local: LocalId, span: Span) -> Res<()> {
        let i = self.base + local.0 as usize;
        match self.layout.locals.get(local.0 as usize).map(|l| l.home) {
            Some(Home::Slot) => {
                if let Some(slot) = self.slots.get_mut(i) {
                    *slot = Slot::Value(Value::Undefined);
                }
            }
            Some(Home::Memory { .. }) => {
                if let Some(Slot::Object(old)) = self.slots.get(i) {
                    self.memory.kill(*old, Life::OutOfScope, span);
                }
                self.begin_local(local)?;
            }
            None => return fault(ErrorKind::Unsupported, "malformed local"),
        }
        Ok(())
    }

    fn storage_dead(&mut self, local: LocalId, span: Span) {
        if let Some(slot) = self.slots.get_mut(self.base + local.0 as usize) {
            if let Slot::Object(id) = slot {
                self.memory.kill(*id, Life::OutOfScope, span);
            }
            *slot = Slot::Dead;
        }
    }

    /// A block on the stack: a variable-length array, or for no local an `alloca`.
    pub fn stack_block(&mut self, local: Option<LocalId>, size: u64, span: Span) -> Res<Value> {
        if size > self.word_mask >> 1 {
            return fault(ErrorKind::BadArgument, format!("no block on the stack can have {size} bytes"));
        }
        let Some(Activation::Code(frame)) = self.frames.last_mut() else {
            return fault(ErrorKind::Unsupported, "stack block outside a function");
        };
        let lowest = crate::Memory::stack_region(self.program.model).1;
        let base = frame.low.saturating_sub(size.saturating_add(16)) & !15;
        if base < lowest {
            return crate::error::stop(crate::error::Stop::Budget(crate::BudgetKind::Memory));
        }
        let origin = local.map_or(Origin::Alloca, Origin::ScopeAlloc);
        let id = self.memory.allocate_at(origin, base, size, span)?;
        frame.low = base;
        frame.dynamic.push((local, id));
        Ok(Value::pointer(base, Some(id)))
    }

    fn scope_free(&mut self, local: LocalId, span: Span) {
        let Some(Activation::Code(frame)) = self.frames.last_mut() else { return };
        let Some(at) = frame.dynamic.iter().rposition(|(l, _)| *l == Some(local)) else { return };
        let (_, id) = frame.dynamic.remove(at);
        self.memory.kill(id, Life::OutOfScope, span);
        // The stack shrinks to the newest block that is left.
        let newest = frame.dynamic.last().and_then(|(_, id)| self.memory.object(*id)).map(|o| o.base);
        frame.low = newest.unwrap_or(frame.fixed_low);
    }

    pub fn terminator(&mut self, terminator: &'p Terminator) -> Res<()> {
        let target = match &terminator.kind {
            TerminatorKind::Goto(block) => *block,
            TerminatorKind::Branch { cond, then, otherwise } => {
                if self.truth(cond)? {
                    *then
                } else {
                    *otherwise
                }
            }
            TerminatorKind::Switch { value, cases, default } => {
                let (v, _) = self.int_operand(value, "the switch value")?;
                let case = cases.iter().find(|c| c.low <= v && v <= c.high);
                case.map_or(*default, |c| c.target)
            }
            TerminatorKind::GotoAddress { address, .. } => self.goto_address(address)?,
            TerminatorKind::Return(operand) => {
                let value = match operand {
                    Some(operand) => self.operand(operand)?,
                    None => self.missing_result(),
                };
                self.leave(terminator.span);
                return self.deliver(value);
            }
            TerminatorKind::Unreachable => {
                return fault(ErrorKind::Unreachable, "control came to an unreachable point");
            }
        };
        if let Some(Activation::Code(frame)) = self.frames.last_mut() {
            frame.block = target;
            frame.statement = 0;
        }
        Ok(())
    }

    fn truth(&mut self, cond: &Operand) -> Res<bool> {
        if let Operand::Local(local) = cond
            && let Some(Slot::Value(Value::Int { bits, .. })) = self.slots.get(self.base + local.0 as usize)
        {
            return Ok(*bits != 0);
        }
        match self.operand(cond)? {
            Value::Float(v) => Ok(v != 0.0),
            Value::Extended(bits) => Ok(!crate::extended::is_zero(bits)),
            value => Ok(self.int_of(&value, "the condition")?.0 != 0),
        }
    }

    fn goto_address(&mut self, address: &Operand) -> Res<BlockId> {
        // Offsets between labels are allowed, so the address decides.
        let (bits, _) = self.int_operand(address, "the label")?;
        let object = self.memory.find(bits as u64);
        let here = match self.frames.last() {
            Some(Activation::Code(frame)) => Some(frame.func),
            _ => None,
        };
        match object
            .and_then(|o: ObjectId| self.memory.object(o))
            .filter(|o| o.base == bits as u64)
            .map(|o| o.origin)
        {
            Some(Origin::Label(func, block)) if Some(func) == here => Ok(block),
            _ => fault(ErrorKind::BadCall, "computed goto to something that is not a label of this function"),
        }
    }

    /// What a function returns that ends without a value: `main` returns 0, others something indeterminate.
    fn missing_result(&self) -> Value {
        match self.frames.as_slice() {
            [Activation::Code(_)] => Value::int(0),
            _ => Value::Undefined,
        }
    }
}
