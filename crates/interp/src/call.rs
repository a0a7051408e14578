//! Calls: who is called, entering and leaving functions, the end of the program.

use crate::error::{BudgetKind, ErrorKind, Res, Stop, fault, object_fault, stop};
use crate::extended;
use crate::frame::{Activation, Frame, Slot, Typed};
use crate::layout::{FrameLayout, Home, Kind, TyInfo};
use crate::library::{Called, Native, NativeTask};
use crate::machine::Machine;
use crate::memory::Memory;
use crate::object::{Life, Origin};
use crate::place::wrap;
use crate::value::Value;
use heapwise_ir::{Body, Call, Callee, FuncId, FunctionBody, Operand, Program, Span, Ty};
use std::rc::Rc;

impl<'p> Machine<'p, '_> {
    /// Executes a call statement; `true` if it is done, `false` if a frame was entered.
    pub fn call_statement(&mut self, call: &'p Call) -> Res<bool> {
        let func = match &call.callee {
            Callee::Direct(func) => *func,
            Callee::Indirect(pointer) => {
                let value = self.operand(pointer)?;
                self.function_behind(&value)?
            }
        };
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            let ty = self.operand_type(arg);
            args.push(Typed { value: self.operand(arg)?, ty });
        }
        self.heeded = call.dest.is_some();
        match self.call(func, args)? {
            Called::Done(value) => {
                if let Some(place) = &call.dest {
                    let ty = self.info(place.ty);
                    let value = adapt(value, ty);
                    self.assign(place, value)?;
                }
                Ok(true)
            }
            Called::Entered => Ok(false),
        }
    }

    fn operand_type(&self, operand: &Operand) -> Ty {
        match (operand, self.frames.last()) {
            (Operand::Const(c), _) => c.ty(),
            (Operand::Local(l), Some(Activation::Code(f))) => f.body.locals.get(*l).map_or(Ty(0), |l| l.ty),
            _ => Ty(0),
        }
    }

    /// The function that a function pointer points to.
    pub fn function_behind(&self, value: &Value) -> Res<FuncId> {
        let (address, object) = self.int_of(value, "the function pointer")?;
        let object = object.or_else(|| self.memory.find(address as u64));
        match object.and_then(|id| self.memory.object(id).map(|o| (id, o))) {
            Some((_, o)) if o.base as i128 == address && matches!(o.origin, Origin::Function(_)) => {
                match o.origin {
                    Origin::Function(func) => Ok(func),
                    _ => fault(ErrorKind::BadCall, "call of something that is not a function"),
                }
            }
            Some((id, _)) => object_fault(ErrorKind::BadCall, id, "call of something that is not a function"),
            None if address == 0 => fault(ErrorKind::NullDeref, "call through a null pointer"),
            None => fault(ErrorKind::BadCall, "call of something that is not a function"),
        }
    }

    /// Calls a function: enters its code, or runs its model.
    pub fn call(&mut self, func: FuncId, args: Vec<Typed>) -> Res<Called> {
        let program: &'p Program = self.program;
        let Some(function) = program.functions.get(func) else {
            return fault(ErrorKind::Unsupported, "malformed call");
        };
        if self.error_functions.contains(&func) {
            return self.reach_error(&function.name);
        }
        match (&function.body, function.library) {
            (FunctionBody::Defined(_), _) => {
                self.enter(func, args)?;
                Ok(Called::Entered)
            }
            (FunctionBody::NotAnalysed { reason, .. }, _) => fault(
                ErrorKind::Unsupported,
                format!("call of `{}`, which was not analysed: {reason}", function.name),
            ),
            (FunctionBody::Declared, Some(model)) => self.library_call(model, func, args),
            (FunctionBody::Declared, None) => fault(
                ErrorKind::UndefinedFunction,
                format!("call of `{}`, which has no definition", function.name),
            ),
        }
    }

    /// Pushes a frame for a function with code.
    pub fn enter(&mut self, func: FuncId, mut args: Vec<Typed>) -> Res<()> {
        let program: &'p Program = self.program;
        let Some(body) = program.body(func) else { return fault(ErrorKind::Unsupported, "malformed call") };
        if self.frames.len() >= self.options.limits.depth {
            return stop(Stop::Budget(BudgetKind::Depth));
        }
        let layout = self.layout_of(func, body);
        let (highest, lowest) = Memory::stack_region(program.model);
        let below = self.frames.iter().rev().find_map(|a| match a {
            Activation::Code(f) => Some(f.low),
            Activation::Native(_) => None,
        });
        let top = below.unwrap_or(highest) / layout.align * layout.align;
        let low = top.saturating_sub(layout.size);
        if low < lowest {
            return stop(Stop::Budget(BudgetKind::Depth));
        }
        let further = args.split_off(body.params.len().min(args.len()));
        let base = self.slots.len();
        let slots = (base + layout.locals.len()).saturating_mul(size_of::<Slot>());
        if slots as u64 > self.options.limits.memory {
            return stop(Stop::Budget(BudgetKind::Memory));
        }
        self.slots.resize(base + layout.locals.len(), Slot::Dead);
        self.push_code(func, body, layout, base, top, low);
        self.pass(body, args)?;
        match body.varargs {
            Some(local) => self.place_varargs(local, further),
            None => Ok(()),
        }
    }

    fn push_code(
        &mut self,
        func: FuncId,
        body: &'p Body,
        layout: Rc<FrameLayout>,
        base: usize,
        top: u64,
        low: u64,
    ) {
        self.base = base;
        self.layout = layout.clone();
        self.frames.push(Activation::Code(Frame {
            func,
            body,
            layout,
            block: Body::ENTRY,
            statement: 0,
            base,
            top,
            low,
            fixed_low: low,
            dynamic: Vec::new(),
        }));
    }

    /// Stores arguments in parameters. Missing ones stay indeterminate.
    fn pass(&mut self, body: &Body, args: Vec<Typed>) -> Res<()> {
        let mut args = args.into_iter();
        for &param in &body.params {
            let Some(local) = self.layout.locals.get(param.0 as usize).copied() else {
                return fault(ErrorKind::Unsupported, "malformed parameter");
            };
            let value = match args.next() {
                Some(arg) => {
                    let value = adapt(arg.value, local.ty);
                    if mismatch(&value, local.ty) {
                        return fault(ErrorKind::BadCall, "an argument does not fit its parameter");
                    }
                    Some(value)
                }
                None => None,
            };
            match local.home {
                Home::Slot => {
                    if let Some(slot) = self.slots.get_mut(self.base + param.0 as usize) {
                        *slot = Slot::Value(value.unwrap_or(Value::Undefined));
                    }
                }
                Home::Memory { .. } => {
                    let id = self.begin_local(param)?;
                    if let Some(value) = value {
                        let address = self.memory.object(id).map_or(0, |o| o.base);
                        self.set_writable(id, true);
                        self.store(address, Some(id), local.ty, &value)?;
                        self.set_writable(id, !local.constant);
                    }
                }
            }
        }
        Ok(())
    }

    /// Pops the innermost frame; its locals die.
    pub fn leave(&mut self, span: Span) {
        let Some(Activation::Code(frame)) = self.frames.pop() else { return };
        for slot in self.slots.drain(frame.base..) {
            if let Slot::Object(id) = slot {
                self.memory.kill(id, Life::OutOfScope, span);
            }
        }
        for (_, id) in &frame.dynamic {
            self.memory.kill(*id, Life::OutOfScope, span);
        }
        let outer = self.frames.iter().rev().find_map(|a| match a {
            Activation::Code(f) => Some((f.base, f.layout.clone())),
            Activation::Native(_) => None,
        });
        if let Some((base, layout)) = outer {
            self.base = base;
            self.layout = layout;
        }
    }

    /// The program ends with this status; functions registered with `atexit` run first.
    pub fn finish(&mut self, code: i32) -> Res<()> {
        if self.lib.atexit.is_empty() {
            return stop(Stop::Exit(code));
        }
        self.frames
            .push(Activation::Native(Box::new(Native { returned: None, task: NativeTask::AtExit { code } })));
        Ok(())
    }
}

/// A value as the parameter or destination type sees it: integers are wrapped.
pub(crate) fn adapt(value: Value, ty: TyInfo) -> Value {
    match (value, ty.kind) {
        (Value::Int { bits, object }, Kind::Int(_) | Kind::Pointer) => match ty.int() {
            Some(int) => Value::Int { bits: wrap(int, bits), object },
            None => Value::Int { bits, object },
        },
        (value @ (Value::Float(_) | Value::Extended(_)), Kind::Float(to)) => extended::convert(&value, to),
        (value, _) => value,
    }
}

/// Whether a value cannot stand for the type at all: a call through a function pointer of another type.
fn mismatch(value: &Value, ty: TyInfo) -> bool {
    match value {
        Value::Undefined | Value::Partial(_) => false,
        Value::Int { .. } => !matches!(ty.kind, Kind::Int(_) | Kind::Bool | Kind::Pointer),
        Value::Float(_) | Value::Extended(_) => !matches!(ty.kind, Kind::Float(_)),
        Value::Bytes(chunk) => ty.is_scalar() || chunk.bytes.len() as u64 != ty.size,
    }
}
