//! Symbolic shadows of concrete runs: which locals and bytes of memory hold values computed from inputs, and which
//! conditions on the inputs made the run go where it went.
//!
//! The observer sees every statement before it is executed and mirrors its effect on terms. A shadow remembers the
//! number that it stands for and is used only while that number is really there, so effects that are not mirrored
//! (library calls, copies of bytes) make shadows unusable rather than wrong. Addresses are taken as they are in the
//! run; an index that depends on inputs leaves a condition that could make it go out of bounds.

use crate::number::{Number, number_of};
use crate::queue::mix;
use crate::term::{Condition, Node, Ranges, TermId, Terms, binary, compare, nonzero};
use heapwise_interp::{FrameView, InputValue, LocalView, ObjectId, Observer, PlacedAt, Value, View};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    BinaryOp, Call, Callee, CastKind, IntTy, LocalId, Operand, Place, PlaceBase, Program, Projection, Rvalue,
    StatementKind, Ty, Type, UnaryOp, varargs,
};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// A term and the number that it has in this run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shadow {
    value: i128,
    term: TermId,
}

/// Where a scalar is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Spot {
    /// A local without an address, by the depth of its frame.
    Local(usize, LocalId),
    /// Bytes of an object, by their offset.
    Memory(ObjectId, u64),
}

/// What is to be done once a statement was executed.
#[derive(Clone, Debug)]
enum Pending<'p> {
    /// A library function may have put an input into this place.
    Library { dest: &'p Place },
    /// An input was drawn into this place.
    Input { number: usize, dest: &'p Place },
    /// A function was entered with these arguments.
    Entered { depth: usize, args: Vec<Option<Shadow>> },
    /// A function returned this.
    Returned { depth: usize, value: Option<Shadow> },
}

/// Callers by which places are told apart.
const CALLS: usize = 3;
/// Most conditions that are recorded.
const MAX_CONDITIONS: usize = 2_000;

/// The observer; read its results when the run is over.
pub struct Tracer<'p> {
    program: &'p Program,
    /// Whether conditions that lead to signed overflow are recorded.
    overflow: bool,
    shadows: FxHashMap<Spot, Shadow>,
    pending: Option<Pending<'p>>,
    /// Destinations of calls in progress, with the depth of the caller.
    calls: Vec<(usize, Option<&'p Place>)>,
    /// How many of the drawn values that the library put somewhere were looked at.
    placed: usize,
    /// The terms of the run.
    pub terms: Terms,
    /// The conditions of its path, in order.
    pub path: Vec<Condition>,
}

impl<'p> Tracer<'p> {
    /// An observer for one run.
    pub fn new(program: &'p Program, overflow: bool) -> Self {
        Tracer {
            program,
            overflow,
            shadows: FxHashMap::default(),
            pending: None,
            calls: Vec::new(),
            placed: 0,
            terms: Terms::default(),
            path: Vec::new(),
        }
    }

    fn int(&self, ty: Ty) -> Option<IntTy> {
        match self.program.types.get(ty) {
            Type::Bool => Some(IntTy { bits: 8, signed: false }),
            Type::Int(int) if int.bits <= 64 => Some(*int),
            _ => None,
        }
    }

    /// The number in a local of a frame, if it is one.
    fn local_number(view: &View<'_, '_, '_>, frame: FrameView, local: LocalId) -> Option<i128> {
        match view.local(frame, local) {
            LocalView::Value(Value::Int { bits, .. }) => Some(*bits),
            _ => None,
        }
    }

    fn number(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> Option<Number> {
        number_of(self.program, view, frame, op)
    }

    /// Where a place is now.
    fn spot(&mut self, view: &View<'_, '_, '_>, frame: FrameView, place: &Place) -> Option<Spot> {
        let (object, mut address) = match &place.base {
            PlaceBase::Local(l) if !view.in_memory(frame, *l) => {
                return place.path.is_empty().then_some(Spot::Local(view.depth(), *l));
            }
            PlaceBase::Local(l) => match view.local(frame, *l) {
                LocalView::Object(id) => (id, i128::from(view.object(id)?.base)),
                _ => return None,
            },
            PlaceBase::Global(g) => {
                let id = view.global(*g)?;
                (id, i128::from(view.object(id)?.base))
            }
            PlaceBase::Deref(op) => {
                let (bits, object) = self.number(view, frame, op)?;
                (object?, bits)
            }
        };
        let (base, size) = view.object(object).map(|o| (i128::from(o.base), i128::from(o.size)))?;
        for step in &place.path {
            match step {
                Projection::Field { bits: Some(_), .. } => return None,
                Projection::Field { offset, .. } => address = address.wrapping_add(i128::from(*offset)),
                Projection::Index { index, stride } => {
                    let (i, _) = self.number(view, frame, index)?;
                    if let Some(shadow) = self.operand(view, frame, index) {
                        self.bounds(view, shadow, address - base, i128::from(*stride), size);
                    }
                    address = address.wrapping_add(i.wrapping_mul(i128::from(*stride)));
                }
            }
        }
        u64::try_from(address - base).ok().map(|offset| Spot::Memory(object, offset))
    }

    /// Records that an index could go out of bounds.
    fn bounds(&mut self, view: &View<'_, '_, '_>, index: Shadow, offset: i128, stride: i128, size: i128) {
        if stride <= 0 || self.terms.inputs_of(index.term).is_empty() {
            return;
        }
        let (first, last) = (-offset / stride, (size - 1 - offset).div_euclid(stride));
        let others = vec![vec![(last + 1, last + 1), (last + 1, i128::MAX)], vec![(i128::MIN, first - 1)]];
        self.condition(view, index.term, vec![(i128::MIN, i128::MAX)], others, 1);
    }

    fn valid(&self, spot: Spot, now: i128) -> Option<Shadow> {
        self.shadows.get(&spot).copied().filter(|s| s.value == now)
    }

    /// The shadow of an operand, if it depends on inputs.
    fn operand(&self, view: &View<'_, '_, '_>, frame: FrameView, op: &Operand) -> Option<Shadow> {
        let Operand::Local(l) = op else { return None };
        match view.local(frame, *l) {
            LocalView::Value(Value::Int { bits, .. }) => self.valid(Spot::Local(view.depth(), *l), *bits),
            LocalView::Object(id) => {
                let (now, _) = self.number(view, frame, op)?;
                self.valid(Spot::Memory(id, 0), now)
            }
            _ => None,
        }
    }

    /// The shadow of an operand, or a constant if it does not depend on inputs.
    fn operand_or_const(
        &mut self,
        view: &View<'_, '_, '_>,
        frame: FrameView,
        op: &Operand,
    ) -> Option<Shadow> {
        if let Some(shadow) = self.operand(view, frame, op) {
            return Some(shadow);
        }
        let (value, object) = self.number(view, frame, op)?;
        if object.is_some() {
            return None;
        }
        Some(Shadow { value, term: self.terms.add(Node::Const(value))? })
    }

    fn rvalue(
        &mut self,
        view: &View<'_, '_, '_>,
        frame: FrameView,
        value: &'p Rvalue,
        ty: Ty,
    ) -> Option<Shadow> {
        match value {
            Rvalue::Use(op) => self.operand(view, frame, op),
            Rvalue::Load(place) => {
                let spot = self.spot(view, frame, place)?;
                let now = match spot {
                    Spot::Local(_, l) => Self::local_number(view, frame, l)?,
                    Spot::Memory(object, offset) => {
                        let int = self.int(place.ty)?;
                        let size = self.program.types.size(place.ty);
                        let object = view.object(object)?;
                        if offset.checked_add(size)? > object.size {
                            return None;
                        }
                        int.wrap(object.read_scalar(offset, size).bits as i128)
                    }
                };
                self.valid(spot, now)
            }
            Rvalue::AddrOf(place) => {
                // Only for the conditions that indices leave.
                self.spot(view, frame, place);
                None
            }
            Rvalue::Unary { op, arg } => {
                let arg = self.operand(view, frame, arg)?;
                let int = self.int(ty)?;
                let (op, left) = match op {
                    UnaryOp::Neg => (BinaryOp::Sub, 0),
                    UnaryOp::BitNot => (BinaryOp::Xor, -1),
                };
                let left = Shadow { value: left, term: self.terms.add(Node::Const(left))? };
                self.binary(view, op, left, arg, int)
            }
            Rvalue::Binary { op, lhs, rhs } => {
                if self.operand(view, frame, lhs).is_none() && self.operand(view, frame, rhs).is_none() {
                    return None;
                }
                let int = self.int(ty)?;
                let lhs = self.operand_or_const(view, frame, lhs)?;
                let rhs = self.operand_or_const(view, frame, rhs)?;
                self.binary(view, *op, lhs, rhs, int)
            }
            Rvalue::Compare { op, lhs, rhs } => {
                if self.operand(view, frame, lhs).is_none() && self.operand(view, frame, rhs).is_none() {
                    return None;
                }
                let lhs = self.operand_or_const(view, frame, lhs)?;
                let rhs = self.operand_or_const(view, frame, rhs)?;
                let term = self.terms.add(Node::Compare(*op, lhs.term, rhs.term))?;
                Some(Shadow { value: compare(*op, lhs.value, rhs.value).into(), term })
            }
            Rvalue::Cast { kind, arg } => {
                let arg = self.operand(view, frame, arg)?;
                match kind {
                    CastKind::IntToInt => {
                        let int = self.int(ty)?;
                        let term = self.terms.add(Node::Wrap(arg.term, int))?;
                        Some(Shadow { value: int.wrap(arg.value), term })
                    }
                    CastKind::ToBool => {
                        let zero = self.terms.add(Node::Const(0))?;
                        let term =
                            self.terms.add(Node::Compare(heapwise_ir::CompareOp::Ne, arg.term, zero))?;
                        Some(Shadow { value: (arg.value != 0).into(), term })
                    }
                    _ => None,
                }
            }
            Rvalue::PtrAdd { ptr, index, stride } => {
                let shadow = self.operand(view, frame, index)?;
                let (bits, object) = self.number(view, frame, ptr)?;
                let object = view.object(object?)?;
                let (offset, size) = (bits - i128::from(object.base), i128::from(object.size));
                self.bounds(view, shadow, offset, i128::from(*stride), size);
                None
            }
            Rvalue::PtrDiff { .. } => None,
        }
    }

    fn binary(
        &mut self,
        view: &View<'_, '_, '_>,
        op: BinaryOp,
        lhs: Shadow,
        rhs: Shadow,
        int: IntTy,
    ) -> Option<Shadow> {
        let arithmetic = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        if self.overflow && int.signed && arithmetic {
            let wide = IntTy { bits: 128, signed: true };
            let exact = self.terms.add(Node::Binary(op, lhs.term, rhs.term, wide))?;
            let outside = vec![vec![(int.max() + 1, i128::MAX)], vec![(i128::MIN, int.min() - 1)]];
            self.condition(view, exact, vec![(i128::MIN, i128::MAX)], outside, 2);
        }
        let value = binary(op, lhs.value, rhs.value, int)?;
        let term = self.terms.add(Node::Binary(op, lhs.term, rhs.term, int))?;
        Some(Shadow { value, term })
    }

    fn condition(
        &mut self,
        view: &View<'_, '_, '_>,
        term: TermId,
        now: Ranges,
        others: Vec<Ranges>,
        what: u64,
    ) {
        if self.path.len() >= MAX_CONDITIONS || self.terms.inputs_of(term).is_empty() {
            return;
        }
        let place = |f: FrameView| {
            (u64::from(f.function.0) << 40) ^ (u64::from(f.block.0) << 16) ^ ((f.statement as u64) << 2)
        };
        let mut frames = view.frames().map(place);
        let site = frames.next().unwrap_or(0) ^ what;
        let calls = frames.take(CALLS).fold(0, mix);
        self.path.push(Condition { term, now, others, site, calls, draws: view.draws().len() });
    }

    fn set(&mut self, spot: Option<Spot>, shadow: Option<Shadow>) {
        let Some(spot) = spot else { return };
        match shadow {
            Some(shadow) => {
                self.shadows.insert(spot, shadow);
            }
            None => {
                self.shadows.remove(&spot);
            }
        }
    }

    /// Sets the shadows of the arguments in the block of a variadic function.
    fn further_arguments(&mut self, view: &View<'_, '_, '_>, block: ObjectId, args: &[Option<Shadow>]) {
        let Some(object) = view.object(block) else { return };
        let mut tag = 0u64;
        for shadow in args {
            let at = tag.saturating_add(varargs::TAG_SIZE);
            if at > object.size {
                return;
            }
            let ty = Ty(object.read_scalar(tag, varargs::TAG_SIZE).bits as u32);
            self.set(Some(Spot::Memory(block, at)), *shadow);
            tag = at.saturating_add(varargs::padded_size(&self.program.types, ty));
        }
    }

    /// Takes in what the library, or the start of the program, did with inputs that were drawn since the last look.
    fn take_placed(&mut self, view: &View<'_, '_, '_>, frame: FrameView) {
        let dest = match self.pending {
            Some(Pending::Library { dest }) => Some(dest),
            _ => None,
        };
        let new = view.placed().get(self.placed..).unwrap_or_default();
        self.placed = view.placed().len();
        for placed in new {
            let Some(InputValue::Int(drawn)) = view.draws().get(placed.draw).map(|d| d.value) else {
                continue;
            };
            let Some(input) = self.terms.add(Node::Input(placed.draw as u32)) else { continue };
            let spot = match placed.at {
                PlacedAt::Memory(object, offset) => Some(Spot::Memory(object, offset)),
                PlacedAt::Result => dest.and_then(|d| self.spot(view, frame, d)),
                PlacedAt::Parameter(i) => {
                    let param = self.program.body(frame.function).and_then(|b| b.params.get(i).copied());
                    param.map(|p| match view.local(frame, p) {
                        LocalView::Object(id) => Spot::Memory(id, 0),
                        _ => Spot::Local(view.depth(), p),
                    })
                }
                PlacedAt::Choice => {
                    let (now, other) =
                        if drawn == 0 { (vec![(0, 0)], nonzero()) } else { (nonzero(), vec![(0, 0)]) };
                    self.condition(view, input, now, vec![other], 3);
                    continue;
                }
            };
            let term = match placed.minus {
                0 => Some(input),
                n => self.terms.add(Node::Const(n)).and_then(|n| {
                    let wide = IntTy { bits: 64, signed: true };
                    self.terms.add(Node::Binary(BinaryOp::Sub, input, n, wide))
                }),
            };
            self.set(spot, term.map(|term| Shadow { value: drawn - placed.minus, term }));
        }
    }

    /// Brings the shadows up to date with what the last statement did.
    fn settle(&mut self, view: &View<'_, '_, '_>, frame: FrameView) {
        self.take_placed(view, frame);
        match self.pending.take() {
            None | Some(Pending::Library { .. }) => {}
            Some(Pending::Input { number, dest }) => {
                let drawn = view.draws().get(number).map(|d| d.value);
                let spot = self.spot(view, frame, dest);
                let shadow = match drawn {
                    Some(InputValue::Int(value)) => {
                        self.terms.add(Node::Input(number as u32)).map(|term| Shadow { value, term })
                    }
                    _ => None,
                };
                self.set(spot, shadow);
            }
            Some(Pending::Entered { depth, args }) => {
                if view.depth() != depth + 1 {
                    return;
                }
                let here = view.depth();
                self.shadows.retain(|spot, _| !matches!(spot, Spot::Local(d, _) if *d >= here));
                let Some(body) = self.program.body(frame.function) else { return };
                if let Some(LocalView::Object(block)) = body.varargs.map(|l| view.local(frame, l)) {
                    self.further_arguments(view, block, args.get(body.params.len()..).unwrap_or_default());
                }
                for (param, shadow) in body.params.iter().zip(args) {
                    let spot = match view.local(frame, *param) {
                        LocalView::Object(id) => Spot::Memory(id, 0),
                        _ => Spot::Local(here, *param),
                    };
                    self.set(Some(spot), shadow);
                }
            }
            Some(Pending::Returned { depth, value }) => {
                if view.depth() + 1 != depth {
                    return;
                }
                while let Some((d, dest)) = self.calls.pop() {
                    if d == view.depth() {
                        if let Some(dest) = dest {
                            let spot = self.spot(view, frame, dest);
                            self.set(spot, value);
                        }
                        break;
                    }
                    if d < view.depth() {
                        self.calls.push((d, dest));
                        break;
                    }
                }
            }
        }
    }

    fn call(&mut self, view: &View<'_, '_, '_>, frame: FrameView, call: &'p Call) {
        let target = match &call.callee {
            Callee::Direct(f) => Some(*f),
            Callee::Indirect(op) => {
                self.number(view, frame, op).and_then(|(_, object)| match view.object(object?)?.origin {
                    heapwise_interp::Origin::Function(f) => Some(f),
                    _ => None,
                })
            }
        };
        let Some(function) = target.and_then(|f| self.program.functions.get(f)) else { return };
        let args: Vec<Option<Shadow>> = call.args.iter().map(|a| self.operand(view, frame, a)).collect();
        match function.library {
            Some(LibFn::Nondet | LibFn::NondetBool) => {
                if let Some(dest) = &call.dest {
                    self.pending = Some(Pending::Input { number: view.draws().len(), dest });
                }
            }
            Some(LibFn::VerifierAssume) => {
                if let Some(Some(cond)) = args.first() {
                    let (now, others) = if cond.value == 0 {
                        (vec![(0, 0)], vec![nonzero()])
                    } else {
                        (nonzero(), Vec::new())
                    };
                    self.condition(view, cond.term, now, others, 3);
                }
            }
            Some(_) => self.pending = call.dest.as_ref().map(|dest| Pending::Library { dest }),
            None => {
                self.calls.push((view.depth(), call.dest.as_ref()));
                self.pending = Some(Pending::Entered { depth: view.depth(), args });
            }
        }
    }

    fn terminator(&mut self, view: &View<'_, '_, '_>, frame: FrameView, block: &'p heapwise_ir::Block) {
        use heapwise_ir::TerminatorKind;
        match &block.terminator.kind {
            TerminatorKind::Branch { cond, .. } => {
                if let Some(shadow) = self.operand(view, frame, cond) {
                    let (now, other) =
                        if shadow.value == 0 { (vec![(0, 0)], nonzero()) } else { (nonzero(), vec![(0, 0)]) };
                    self.condition(view, shadow.term, now, vec![other], 0);
                }
            }
            TerminatorKind::Switch { value, cases, .. } => {
                let Some(shadow) = self.operand(view, frame, value) else { return };
                let mut gaps: Ranges = Vec::new();
                let mut sorted: Vec<(i128, i128)> = cases.iter().map(|c| (c.low, c.high)).collect();
                sorted.sort_unstable();
                let mut from = i128::MIN;
                for (low, high) in &sorted {
                    if *low > from {
                        gaps.push((from, low - 1));
                    }
                    from = high.saturating_add(1);
                }
                gaps.push((from, i128::MAX));
                let mut all: Vec<Ranges> = sorted.into_iter().map(|c| vec![c]).collect();
                all.push(gaps);
                let (now, others): (Vec<Ranges>, Vec<Ranges>) =
                    all.into_iter().partition(|r| super::term::within(r, shadow.value));
                if let Some(now) = now.into_iter().next() {
                    self.condition(view, shadow.term, now, others, 0);
                }
            }
            TerminatorKind::Return(value) => {
                let value = value.as_ref().and_then(|op| self.operand(view, frame, op));
                self.pending = Some(Pending::Returned { depth: view.depth(), value });
            }
            _ => {}
        }
    }
}

impl<'p> Tracer<'p> {
    fn look(&mut self, view: &View<'_, '_, '_>) {
        let Some(frame) = view.frames().next() else { return };
        self.settle(view, frame);
        let program: &'p Program = self.program;
        let Some(block) = program.body(frame.function).and_then(|b| b.blocks.get(frame.block)) else {
            return;
        };
        let Some(statement) = block.statements.get(frame.statement) else {
            self.terminator(view, frame, block);
            return;
        };
        match &statement.kind {
            StatementKind::Assign { dest, value } => {
                let shadow = self.rvalue(view, frame, value, dest.ty);
                if shadow.is_some() || !self.shadows.is_empty() {
                    let spot = self.spot(view, frame, dest);
                    self.set(spot, shadow);
                }
            }
            StatementKind::Call(call) => self.call(view, frame, call),
            _ => {}
        }
    }
}

impl Observer for Tracer<'_> {
    fn at_statement(&mut self, view: &View<'_, '_, '_>) -> ControlFlow<()> {
        self.look(view);
        ControlFlow::Continue(())
    }

    fn may_skip(&mut self, view: &View<'_, '_, '_>, locals: &[LocalId]) -> bool {
        let Some(frame) = view.frames().next() else { return false };
        self.pending.is_none()
            && locals.iter().all(|l| self.operand(view, frame, &Operand::Local(*l)).is_none())
    }
}
