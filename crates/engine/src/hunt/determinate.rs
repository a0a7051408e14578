//! Proof by execution: a program that has only one run is proved by that run.
//!
//! A program that draws no inputs does the same on every machine, as long as nothing it does depends on what the machine
//! chooses: the run is given up as soon as it looks at an address as a number, orders addresses, compares an address
//! that is not inside a living object, uses an indeterminate value, an object or function defined elsewhere, or a
//! library function other than the few below. If it comes to its end without an error, there is none.
//!
//! Cost: one run, within the limits given.

use heapwise_interp::{
    FrameView, ListInputs, LocalView, ObjectId, Observer, Origin, Outcome, Policy, Value, View,
};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Call, Callee, CastKind, CompareOp, Const, FunctionBody, GlobalInit, Intrinsic, Operand, Place, PlaceBase,
    Program, Projection, Rvalue, StatementKind, TerminatorKind, Type, visit,
};
use std::ops::ControlFlow;

/// Library functions whose effect does not depend on the machine.
const DETERMINATE: &[LibFn] = &[
    LibFn::Malloc,
    LibFn::Calloc,
    LibFn::Free,
    LibFn::Alloca,
    LibFn::Exit,
    LibFn::Abort,
    LibFn::AssertFail,
    LibFn::ReachError,
    LibFn::VerifierAssume,
    LibFn::Memset,
    LibFn::Memcpy,
    LibFn::Memmove,
];

/// Whether the program has only one run, and that has no error under these settings.
pub fn proves(program: &Program, settings: &heapwise_interp::Options) -> bool {
    let entry = program.function_named(&settings.entry).and_then(|f| program.body(f));
    if entry.is_none_or(|body| !body.params.is_empty()) {
        return false;
    }
    let mut settings = settings.clone();
    settings.uninitialised = Policy::Stop;
    settings.shift = Policy::Stop;
    let mut watcher = Watcher { program };
    let mut inputs = ListInputs::default();
    let run = heapwise_interp::run(program, &settings, &mut inputs, Some(&mut watcher));
    matches!(run.outcome, Outcome::Exit(_) | Outcome::Abort) && run.draws.is_empty()
}

struct Watcher<'p> {
    program: &'p Program,
}

/// A number with the object that it came from.
type Number = (i128, Option<ObjectId>);

impl Watcher<'_> {
    fn number(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> Option<Number> {
        match op {
            Operand::Const(Const::Int { value, .. }) => Some((*value, None)),
            Operand::Const(Const::Null(_)) => Some((0, None)),
            Operand::Const(Const::Global { global, offset, .. }) => {
                let id = view.global(*global)?;
                Some((i128::from(view.object(id)?.base) + i128::from(*offset), Some(id)))
            }
            Operand::Const(Const::Function { func, .. }) => {
                let id = view.function(*func)?;
                Some((i128::from(view.object(id)?.base), Some(id)))
            }
            Operand::Const(_) => None,
            Operand::Local(l) => match view.local(frame, *l) {
                LocalView::Value(Value::Int { bits, object }) => Some((*bits, *object)),
                LocalView::Object(id) => {
                    let ty = self.program.body(frame.function)?.locals.get(*l)?.ty;
                    let raw = view.object(id)?.read_scalar(0, self.program.types.size(ty).min(16));
                    Some((raw.bits as i128, raw.object))
                }
                _ => None,
            },
        }
    }

    fn is_pointer(&self, frame: FrameView, op: &Operand) -> bool {
        let ty = self.program.body(frame.function).and_then(|b| self.program.operand_ty(b, op));
        ty.is_some_and(|t| matches!(self.program.types.get(t), Type::Pointer(_)))
    }

    /// Whether an operand is anything but an address that is used as a number.
    fn plain(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> bool {
        if let Operand::Const(Const::Global { global, .. }) = op
            && self.is_unknown(*global)
        {
            return false;
        }
        self.is_pointer(frame, op) || self.number(view, frame, op).is_none_or(|(_, object)| object.is_none())
    }

    fn is_unknown(&self, global: heapwise_ir::GlobalId) -> bool {
        self.program.globals.get(global).is_none_or(|g| matches!(g.init, GlobalInit::Unknown))
    }

    /// Whether an address is null or inside an object that lives.
    fn settled(view: &View<'_, '_, '_>, number: Option<Number>) -> bool {
        match number {
            Some((0, None)) => true,
            Some((bits, Some(id))) => view.object(id).is_some_and(|o| {
                let inside = bits >= i128::from(o.base) && bits < i128::from(o.base) + i128::from(o.size);
                o.is_alive() && (inside || matches!(o.origin, Origin::Function(_)))
            }),
            _ => false,
        }
    }

    /// Whether a place holds no address where its type says that it holds a number.
    fn holds_number(&self, view: &View<'_, '_, '_>, frame: FrameView, place: &Place) -> bool {
        if matches!(self.program.types.get(place.ty), Type::Pointer(_)) {
            return true;
        }
        let start = match &place.base {
            PlaceBase::Local(l) => match view.local(frame, *l) {
                LocalView::Object(id) => view.object(id).map(|o| (i128::from(o.base), id)),
                LocalView::Value(Value::Int { object, .. }) => return object.is_none(),
                _ => return true,
            },
            PlaceBase::Global(g) => {
                view.global(*g).and_then(|id| view.object(id).map(|o| (i128::from(o.base), id)))
            }
            PlaceBase::Deref(op) => self.number(view, frame, op).and_then(|(bits, id)| Some((bits, id?))),
        };
        let Some((mut address, id)) = start else { return false };
        for step in &place.path {
            match step {
                Projection::Field { offset, .. } => address += i128::from(*offset),
                Projection::Index { index, stride } => {
                    let Some((i, _)) = self.number(view, frame, index) else { return false };
                    let Some(step) = i.checked_mul(i128::from(*stride)) else { return false };
                    address += step;
                }
            }
        }
        let Some(object) = view.object(id) else { return false };
        let size = self.program.types.size(place.ty);
        let Ok(offset) = u64::try_from(address - i128::from(object.base)) else { return false };
        // A copy of a whole structure keeps addresses as they are.
        if !self.program.types.is_scalar(place.ty) {
            return true;
        }
        // An access out of bounds ends the run anyway.
        offset.saturating_add(size) > object.size
            || size > 16
            || object.read_scalar(offset, size).object.is_none()
    }

    fn rvalue(&self, view: &View<'_, '_, '_>, frame: FrameView, value: &Rvalue) -> bool {
        match value {
            Rvalue::Use(_) | Rvalue::AddrOf(_) | Rvalue::PtrAdd { .. } => true,
            Rvalue::Unary { .. } | Rvalue::Binary { .. } => true,
            Rvalue::Load(place) => self.holds_number(view, frame, place),
            Rvalue::Cast { kind, arg } => match kind {
                CastKind::PtrToInt | CastKind::Reinterpret => false,
                CastKind::IntToPtr => self.number(view, frame, arg) == Some((0, None)),
                _ => true,
            },
            Rvalue::Compare { op, lhs, rhs } => {
                if !self.is_pointer(frame, lhs) && !self.is_pointer(frame, rhs) {
                    return true;
                }
                let (a, b) = (self.number(view, frame, lhs), self.number(view, frame, rhs));
                let same = a.map(|n| n.1) == b.map(|n| n.1) && a.is_some_and(|n| n.1.is_some());
                let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
                let living = |n: Option<Number>| {
                    n.and_then(|n| n.1).and_then(|id| view.object(id)).is_some_and(|o| o.is_alive())
                };
                same && living(a) || equality && Self::settled(view, a) && Self::settled(view, b)
            }
            Rvalue::PtrDiff { lhs, rhs, .. } => {
                let (a, b) = (self.number(view, frame, lhs), self.number(view, frame, rhs));
                a.is_some_and(|n| n.1.is_some()) && a.map(|n| n.1) == b.map(|n| n.1)
            }
        }
    }

    fn call(&self, view: &View<'_, '_, '_>, frame: FrameView, call: &Call) -> bool {
        let target = match &call.callee {
            Callee::Direct(f) => Some(*f),
            Callee::Indirect(op) => {
                self.number(view, frame, op).and_then(|(_, id)| match view.object(id?)?.origin {
                    Origin::Function(f) => Some(f),
                    _ => None,
                })
            }
        };
        let Some(function) = target.and_then(|f| self.program.functions.get(f)) else { return false };
        match (&function.body, function.library) {
            (FunctionBody::Defined(_), _) => true,
            (FunctionBody::Declared, Some(lib)) => DETERMINATE.contains(&lib),
            _ => false,
        }
    }

    fn determinate(&self, view: &View<'_, '_, '_>) -> bool {
        let Some(frame) = view.frames().next() else { return true };
        let block = self.program.body(frame.function).and_then(|b| b.blocks.get(frame.block));
        let Some(block) = block else { return false };
        let Some(statement) = block.statements.get(frame.statement) else {
            return !matches!(block.terminator.kind, TerminatorKind::GotoAddress { .. })
                && visit::terminator_operand(&block.terminator).is_none_or(|op| self.plain(view, frame, op));
        };
        let mut plain = true;
        visit::statement_operands(statement, &mut |op| plain &= self.plain(view, frame, op));
        visit::statement_places(statement, &mut |place, _| {
            if let PlaceBase::Global(g) = place.base {
                plain &= !self.is_unknown(g);
            }
        });
        plain
            && match &statement.kind {
                StatementKind::Assign { value, .. } => self.rvalue(view, frame, value),
                StatementKind::Call(call) => self.call(view, frame, call),
                StatementKind::Intrinsic { op, .. } => matches!(op, Intrinsic::Alloca),
                StatementKind::Nop
                | StatementKind::Zero(_)
                | StatementKind::StorageLive(_)
                | StatementKind::StorageDead(_)
                | StatementKind::ScopeAlloc { .. }
                | StatementKind::ScopeFree(_) => true,
            }
    }
}

impl Observer for Watcher<'_> {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        if self.determinate(view) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
