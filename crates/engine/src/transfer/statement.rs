//! Abstract post-conditions of statements (survey §3.3, §4.4.3).
//!
//! Each statement maps one disjunct to any number of disjuncts. Comparisons split: the result is known in each half,
//! so branches need no memory of where a condition came from. After a statement that may drop a pointer, memory that
//! nothing reaches is a leak there.

use crate::context::Context;
use crate::transfer::place::{Element, Purpose, Scope, Target};
use crate::transfer::value;
use heapwise_heap::{Content, Death, Fill, Lost, Object, ObjectKind, Root, State, Val};
use heapwise_ir::{
    BinaryOp, CastKind, CompareOp, Intrinsic, LocalId, Operand, Place, PlaceBase, Rvalue, Span, Statement,
    StatementKind, Ty, Type, UnaryOp,
};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Reason};

impl Context<'_> {
    /// The post-condition of one statement on one disjunct.
    pub(crate) fn statement(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        statement: &Statement,
    ) -> Vec<State> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Nop => vec![state],
            StatementKind::StorageLive(l) => {
                let had = self.end_life(&mut state, *l, span);
                if scope.info.is_slot(*l) {
                    self.slot(&mut state, scope, *l);
                }
                if had { self.swept(state, scope, span) } else { vec![state] }
            }
            StatementKind::StorageDead(l) => {
                let had = self.end_life(&mut state, *l, span);
                if had && self.facts.leaves_main(scope.func, *l, span) {
                    return self.left(state, scope, span);
                }
                if had { self.swept(state, scope, span) } else { vec![state] }
            }
            StatementKind::ScopeFree(l) => {
                self.free_scope_blocks(&mut state, Some(*l), span);
                self.swept(state, scope, span)
            }
            StatementKind::ScopeAlloc { dest, size } => {
                let size = self.operand(&mut state, scope, size);
                let Some(v) = self.stack_block(&mut state, scope, Some(*dest), size, span) else {
                    return Vec::new();
                };
                self.set_local(&mut state, scope, *dest, v);
                vec![state]
            }
            StatementKind::Zero(place) => {
                let width = self.size(place.ty);
                let mut out = Vec::new();
                for (mut state, target) in self.place_target(state, scope, place, width, span, Purpose::Write)
                {
                    match target {
                        Target::Bytes(s, off) => {
                            let at = Val::int(i128::from(off));
                            crate::transfer::memory::change(&mut state, s, at, width, true, |o| {
                                o.fill(off, off + width, Fill::Zero);
                            });
                        }
                        Target::Range(..) => self.store_bytes(&mut state, target, width, Val::ZERO),
                    }
                    out.extend(self.swept(state, scope, span));
                }
                out
            }
            StatementKind::Assign { dest, value } => self.assign(state, scope, dest, value, span),
            // Calls are executed above, where functions are known; nothing is known of them here.
            StatementKind::Call(_) => {
                let message = "nothing is known of this call".into();
                self.alarm(scope.func, Reason::UnknownCall, span, false, message, Vec::new());
                Vec::new()
            }
            StatementKind::Intrinsic { op, dest, args } => {
                self.intrinsic(state, scope, *op, dest.as_ref(), args, span)
            }
        }
    }

    /// Reports and removes what nothing reaches any more.
    pub(crate) fn swept(&mut self, state: State, scope: Scope<'_>, span: Span) -> Vec<State> {
        self.without_lost(state, scope, span, (ErrorKind::Leak, "the last pointer to a block is gone"))
    }

    /// The same where `main` returns: its variables held what is lost now.
    pub(crate) fn left(&mut self, state: State, scope: Scope<'_>, span: Span) -> Vec<State> {
        let held = (ErrorKind::HeldAtReturn, "a variable of `main` still holds a block when it returns");
        self.without_lost(state, scope, span, held)
    }

    fn without_lost(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        span: Span,
        (kind, message): (ErrorKind, &str),
    ) -> Vec<State> {
        let lost = state.collect(&self.preds);
        for l in lost {
            let (definite, notes) = match l {
                Lost::Object(_, site) => (true, vec![("the block is allocated here".to_owned(), site)]),
                Lost::Summary(pred) => {
                    let name = self.preds.get(pred).name.clone();
                    (false, vec![(format!("the blocks form `{name}`"), Span::default())])
                }
            };
            self.alarm(scope.func, kind, span, definite, message.into(), notes);
        }
        vec![state]
    }

    /// The same after a name has lost its value. If that leads to no memory, or another name has it as well, nothing is
    /// lost; facts about it are forgotten at the end of the block, so that the cost of a statement is not that of the state.
    pub(crate) fn released(
        &mut self,
        state: State,
        old: Option<Val>,
        scope: Scope<'_>,
        span: Span,
    ) -> Vec<State> {
        let held = |v: Val| state.roots().any(|(_, w)| w.as_sym() == v.as_sym());
        if old.is_none_or(|v| !value::leads_on(&state, v) || held(v)) {
            self.unswept = true;
            return vec![state];
        }
        self.swept(state, scope, span)
    }

    /// Ends the life of a local; whether memory depended on it.
    fn end_life(&mut self, state: &mut State, local: LocalId, span: Span) -> bool {
        let value = state.drop_root(Root::Local(local)).filter(|v| v.as_sym().is_some());
        let slot = state.drop_root(Root::Slot(local)).and_then(|v| v.as_sym());
        if let Some(s) = slot {
            state.remove_object(s);
            state.set_death(s, Death::Scope(span));
        }
        self.unswept |= value.is_some();
        value.is_some_and(|v| value::leads_on(state, v)) || slot.is_some()
    }

    /// A new block on the stack: a variable-length array, or for no local an `alloca`. The alarm if its size may be one
    /// that no object has, as that of an array of negative length.
    pub(crate) fn stack_block(
        &mut self,
        state: &mut State,
        scope: Scope<'_>,
        local: Option<LocalId>,
        size: Val,
        span: Span,
    ) -> Option<Val> {
        let possible = self.object_sizes();
        if !state.range(size).is_subset(possible) {
            let message = "the size of the block may be negative or too large".into();
            self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, Vec::new());
            if !state.assume_in(size, possible) {
                return None;
            }
        }
        let object = Object::new(ObjectKind::Scope(local), size, Fill::Uninit, span);
        Some(Val::sym(state.add_object(object)))
    }

    /// The sizes that an object can have.
    pub(crate) fn object_sizes(&self) -> Interval {
        Interval { lo: Some(0), hi: Some((1i128 << (self.pointer_bits() - 1)) - 1) }
    }

    /// Ends the life of variable-length arrays: of one local, or of all blocks of the function.
    pub(crate) fn free_scope_blocks(&mut self, state: &mut State, of: Option<LocalId>, span: Span) {
        let gone: Vec<_> = state
            .objects()
            .filter(|(_, o)| match o.kind {
                ObjectKind::Scope(l) => of.is_none() || l == of,
                _ => false,
            })
            .map(|(s, _)| s)
            .collect();
        for s in gone {
            state.remove_object(s);
            state.set_death(s, Death::Scope(span));
        }
    }

    /// The memory of a place.
    pub(crate) fn place_target(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        place: &Place,
        width: u64,
        span: Span,
        purpose: Purpose,
    ) -> Vec<(State, Target)> {
        let mut purpose = purpose;
        if let PlaceBase::Local(l) = place.base {
            self.slot(&mut state, scope, l);
            if matches!(purpose, Purpose::Write | Purpose::Store) {
                purpose = Purpose::Initialise;
            }
        }
        let mut found = Vec::new();
        for (state, address) in self.address(state, scope, place, true, span) {
            found.extend(self.locate(state, scope, address, width, span, purpose));
        }
        found
    }

    fn assign(
        &mut self,
        state: State,
        scope: Scope<'_>,
        dest: &Place,
        value: &Rvalue,
        span: Span,
    ) -> Vec<State> {
        if !self.program.types.is_scalar(dest.ty) {
            return self.copy_aggregate(state, scope, dest, value, span);
        }
        let mut out = Vec::new();
        for (mut state, v) in self.rvalue(state, scope, value, dest.ty, span) {
            if let Some(l) = dest.as_local()
                && !scope.info.is_slot(l)
            {
                let old = state.root(Root::Local(l));
                self.set_local(&mut state, scope, l, v);
                if old.is_some_and(|o| o != v && value::is_address(&state, o)) {
                    out.extend(self.swept(state, scope, span));
                } else {
                    out.push(state);
                }
                continue;
            }
            let width = if dest.bits().is_some() { 1 } else { self.size(dest.ty) };
            let targets = state
                .keeping([v], |state| self.place_target(state, scope, dest, width, span, Purpose::Store));
            for ((mut state, target), [v]) in targets {
                if let Some(bits) = dest.bits() {
                    self.store_bits(&mut state, target, bits, v);
                } else {
                    self.note_record(&mut state, dest, target);
                    let plain = holds_no_symbol(&state, target, width);
                    self.store_bytes(&mut state, target, width, v);
                    if plain && holds(&state, target, width, v) {
                        out.push(state);
                        continue;
                    }
                }
                out.extend(self.swept(state, scope, span));
            }
        }
        out
    }

    /// Remembers as which record a block is used: a store to a field says it.
    fn note_record(&mut self, state: &mut State, dest: &Place, target: Target) {
        let (PlaceBase::Deref(_), Some(heapwise_ir::Projection::Field { record, .. })) =
            (&dest.base, dest.path.first())
        else {
            return;
        };
        let Target::Bytes(s, at) = target else { return };
        let inner: u64 = dest
            .path
            .iter()
            .map(|p| match p {
                heapwise_ir::Projection::Field { offset, .. } => *offset,
                heapwise_ir::Projection::Index { .. } => 0,
            })
            .sum();
        let size = self.program.types.records.get(*record).map(|r| r.size);
        if let Some(o) = state.object(s)
            && o.record.is_none()
            && at == inner
            && o.const_size() == size
            && let Some(o) = state.object_mut(s)
        {
            o.record = Some(*record);
        }
    }

    fn store_bits(&mut self, state: &mut State, target: Target, bits: heapwise_ir::BitRange, v: Val) {
        let bytes = (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8);
        match state.object(target.object()).map(|o| o.kind) {
            Some(kind) if kind.is_volatile() => return,
            Some(ObjectKind::TextArray) => self.make_ordinary(state, target.object()),
            _ => {}
        }
        let Target::Bytes(s, off) = target else {
            if let Target::Range(s, _, lo, hi) = target
                && let Some(o) = state.object_mut(s)
            {
                let end = hi.saturating_add(bytes);
                o.smear(lo, end);
                if v.is_undef() {
                    o.fill(lo, end, Fill::Uninit);
                }
            }
            return;
        };
        let Some(o) = state.object_mut(s) else { return };
        let mask = ((1i128 << bits.width.min(126)) - 1) << bits.shift;
        let whole = bits.shift == 0 && u64::from(bits.width) == 8 * bytes;
        let old = match o.read(off, bytes) {
            Content::Val(w) => w.as_int(),
            Content::Unknown => None,
            // Initialisation is tracked by bytes: as long as neighbouring bits were never written, the byte
            // counts as uninitialised.
            Content::Uninit if !whole => {
                o.fill(off, off + bytes, Fill::Uninit);
                return;
            }
            Content::Uninit => Some(0),
        };
        if v.is_undef() {
            o.fill(off, off + bytes, Fill::Uninit);
            return;
        }
        match (old, v.as_int()) {
            (Some(old), Some(new)) => {
                o.write(off, bytes, Val::int((old & !mask) | ((new << bits.shift) & mask)));
            }
            _ => o.fill(off, off + bytes, Fill::Unknown),
        }
    }

    fn load_bits(&mut self, state: &mut State, target: Target, bits: heapwise_ir::BitRange, ty: Ty) -> Val {
        let bytes = (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8);
        let signed = self.program.types.as_int(ty).is_some_and(|i| i.signed);
        let width = u32::from(bits.width.min(126));
        let content = match target {
            Target::Bytes(s, off) => state.object(s).map_or(Content::Uninit, |o| o.read(off, bytes)),
            Target::Range(s, _, lo, hi) => {
                let end = hi.saturating_add(bytes);
                state
                    .object(s)
                    .map_or(Content::Uninit, |o| crate::transfer::memory::content_between(o, lo, end))
            }
        };
        match content {
            Content::Val(v) if v.as_int().is_some() => {
                let raw = (v.as_int().unwrap_or(0) >> bits.shift) & ((1i128 << width) - 1);
                let negative = signed && width > 0 && raw >> (width - 1) & 1 == 1;
                Val::int(if negative { raw - (1i128 << width) } else { raw })
            }
            Content::Uninit => Val::UNDEF,
            _ => {
                let range = if signed {
                    Interval::new(-(1i128 << (width.max(1) - 1)), (1i128 << (width.max(1) - 1)) - 1)
                } else {
                    Interval::new(0, (1i128 << width) - 1)
                };
                state.fresh_in(range.unwrap_or(Interval::FULL))
            }
        }
    }

    fn copy_aggregate(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        dest: &Place,
        value: &Rvalue,
        span: Span,
    ) -> Vec<State> {
        let width = self.size(dest.ty);
        let source = match value {
            Rvalue::Load(place) => Some(place.clone()),
            Rvalue::Use(Operand::Local(l)) => Some(Place::local(*l, dest.ty)),
            Rvalue::Cast { arg: Operand::Local(l), .. } => Some(Place::local(*l, dest.ty)),
            _ => None,
        };
        let mut out = Vec::new();
        let sources = match &source {
            Some(place) => self.place_target(state, scope, place, width, span, Purpose::Read),
            None => {
                // No value at all, or one of which nothing is known, e.g. a complex number.
                let nothing = matches!(value, Rvalue::Use(Operand::Const(heapwise_ir::Const::Undefined(_))));
                let fill = if nothing { Fill::Uninit } else { Fill::Unknown };
                self.slot_of(&mut state, scope, dest);
                for (mut state, target) in self.place_target(state, scope, dest, width, span, Purpose::Write)
                {
                    crate::transfer::memory::overwrite_target(&mut state, target, width, fill);
                    out.extend(self.swept(state, scope, span));
                }
                return out;
            }
        };
        for (state, from) in sources {
            // Unfolding the destination may rename the source.
            let (source, at) = match from {
                Target::Bytes(s, off) => (Val::sym(s), Some(off)),
                Target::Range(..) => (Val::UNDEF, None),
            };
            let targets = state.keeping([source], |state| {
                self.place_target(state, scope, dest, width, span, Purpose::Write)
            });
            for ((mut state, to), [source]) in targets {
                if let Target::Bytes(s, off) = to {
                    let copied = source.as_sym().and_then(|s| state.object(s).cloned());
                    if let Some(o) = state.object_mut(s) {
                        match (copied, at) {
                            (Some(src), Some(at)) => o.copy_from(off, &src, at, width),
                            _ => o.fill(off, off + width, Fill::Uninit),
                        }
                    }
                } else {
                    self.store_bytes(&mut state, to, width, Val::UNDEF);
                }
                out.extend(self.swept(state, scope, span));
            }
        }
        out
    }

    fn slot_of(&mut self, state: &mut State, scope: Scope<'_>, place: &Place) {
        if let PlaceBase::Local(l) = place.base {
            self.slot(state, scope, l);
        }
    }

    /// An operand that must be a definite value; the alarm if it is not.
    pub(crate) fn defined(&mut self, state: &mut State, scope: Scope<'_>, v: Val, ty: Ty, span: Span) -> Val {
        if !v.is_undef() {
            return v;
        }
        let message = "the value is not initialised".into();
        self.alarm(scope.func, ErrorKind::Uninitialised, span, true, message, Vec::new());
        self.any_value(state, ty)
    }

    fn operand_ty(&self, scope: Scope<'_>, op: &Operand) -> Ty {
        self.program.operand_ty(scope.body, op).unwrap_or(Ty(0))
    }

    /// The values that a right side may have.
    pub(crate) fn rvalue(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        value: &Rvalue,
        ty: Ty,
        span: Span,
    ) -> Vec<(State, Val)> {
        match value {
            Rvalue::Use(op) => {
                let v = self.operand(&mut state, scope, op);
                vec![(state, v)]
            }
            Rvalue::Load(place) => {
                let width = if place.bits().is_some() { 1 } else { self.size(place.ty) };
                let mut out = Vec::new();
                for (mut state, target) in self.place_target(state, scope, place, width, span, Purpose::Read)
                {
                    match place.bits() {
                        Some(bits) => {
                            let v = self.load_bits(&mut state, target, bits, place.ty);
                            out.push((state, v));
                        }
                        None => out.extend(self.load(state, target, place.ty)),
                    }
                }
                out
            }
            Rvalue::AddrOf(place) => {
                self.slot_of(&mut state, scope, place);
                let found = self.address(state, scope, place, false, span);
                found.into_iter().map(|(s, a)| self.pointer(s, a)).collect()
            }
            Rvalue::Unary { op, arg } => {
                let v = self.operand(&mut state, scope, arg);
                let v = self.defined(&mut state, scope, v, ty, span);
                let Some(int) = self.program.types.as_int(ty) else {
                    let v = self.any_value(&mut state, ty);
                    return vec![(state, v)];
                };
                let (from, by) = match op {
                    // Its largest value is no number here.
                    UnaryOp::BitNot if int.bits >= 128 && !int.signed => {
                        let v = self.any_value(&mut state, ty);
                        return vec![(state, v)];
                    }
                    UnaryOp::Neg => (Val::ZERO, v),
                    UnaryOp::BitNot => (Val::int(if int.signed { -1 } else { int.max() }), v),
                };
                let (r, overflow) = value::binary(&mut state, BinaryOp::Sub, from, by, int);
                self.overflow(scope, overflow, span);
                vec![(state, r)]
            }
            Rvalue::Binary { op, lhs, rhs } => self.arithmetic(state, scope, *op, (lhs, rhs), ty, span),
            Rvalue::Compare { op, lhs, rhs } => self.comparison(state, scope, *op, lhs, rhs, span),
            Rvalue::Cast { kind, arg } => self.cast(state, scope, *kind, arg, ty, span),
            Rvalue::PtrAdd { ptr, index, stride } => {
                let p = self.operand(&mut state, scope, ptr);
                let p = self.defined(&mut state, scope, p, ty, span);
                let mut found = Vec::new();
                let to = self.program.types.pointee(ty);
                let pointer = to.is_some_and(|to| self.program.types.pointee(to).is_some());
                let element = Element { address: p, index, stride: i128::from(*stride), pointer };
                self.indexed(state, scope, element, span, &mut found);
                found.into_iter().map(|(s, a)| self.pointer(s, a)).collect()
            }
            Rvalue::PtrDiff { lhs, rhs, stride } => {
                let (a, b) = (self.operand(&mut state, scope, lhs), self.operand(&mut state, scope, rhs));
                let a = self.defined(&mut state, scope, a, self.operand_ty(scope, lhs), span);
                let b = self.defined(&mut state, scope, b, self.operand_ty(scope, rhs), span);
                let v = if a.base == b.base && *stride > 0 {
                    Val::int((a.off - b.off) / i128::from(*stride))
                } else {
                    let known = self.distance(&mut state, a, b, i128::from(*stride), ty);
                    known.unwrap_or_else(|| self.any_value(&mut state, ty))
                };
                vec![(state, v)]
            }
        }
    }

    /// The pointer value of an address. Far outside of an object addresses wrap around, so nothing is known of those.
    fn pointer(&mut self, mut state: State, at: Val) -> (State, Val) {
        let at = value::as_pointer(&mut state, at, None, self.pointer_bits());
        let quarter = 1i128 << (self.pointer_bits() - 2);
        let near = Interval { lo: Some(-quarter), hi: Some(quarter) };
        if !state.numbers().is_defined(at) && (at.as_sym().is_none() || near.contains(at.off)) {
            return (state, at);
        }
        match state.pointer(at) {
            Some((s, offset))
                if state.interval(&offset).is_subset(near)
                    || crate::transfer::memory::is_within(&state, s, &offset) =>
            {
                (state, at)
            }
            _ => {
                let v = Val::sym(state.fresh());
                (state, v)
            }
        }
    }

    /// The number of elements between two pointers into one object.
    fn distance(&mut self, state: &mut State, a: Val, b: Val, stride: i128, ty: Ty) -> Option<Val> {
        let ((x, p), (y, q)) = (state.pointer(a)?, state.pointer(b)?);
        if x != y {
            return None;
        }
        let form = p.minus(&q)?.divided(stride)?;
        let int = self.program.types.as_int(ty)?;
        if !state.interval(&form).is_subset(value::type_range(int)) {
            return None;
        }
        state.value_of(&form)
    }

    fn overflow(&mut self, scope: Scope<'_>, overflow: bool, span: Span) {
        if overflow {
            let message = "the result may not fit its type".into();
            self.alarm(scope.func, ErrorKind::Overflow, span, false, message, Vec::new());
        }
    }

    fn arithmetic(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        op: BinaryOp,
        (lhs, rhs): (&Operand, &Operand),
        ty: Ty,
        span: Span,
    ) -> Vec<(State, Val)> {
        let (a, b) = (self.operand(&mut state, scope, lhs), self.operand(&mut state, scope, rhs));
        let a = self.defined(&mut state, scope, a, ty, span);
        let b = self.defined(&mut state, scope, b, self.operand_ty(scope, rhs), span);
        let Some(int) = self.program.types.as_int(ty) else {
            let v = self.any_value(&mut state, ty);
            return vec![(state, v)];
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            match state.compare(b, Val::ZERO, Some(&self.preds)) {
                Some(false) => {}
                known => {
                    self.demand_otherwise(&state, &[(b, 0)]);
                    let message = "the divisor may be zero".into();
                    self.alarm(
                        scope.func,
                        ErrorKind::DivisionByZero,
                        span,
                        known == Some(true),
                        message,
                        Vec::new(),
                    );
                    if !state.assume_ne(b, Val::ZERO, &self.preds) {
                        return Vec::new();
                    }
                }
            }
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem)
            && int.signed
            && state.compare(b, Val::int(-1), None) != Some(false)
            && state.compare(a, Val::int(int.min()), None) != Some(false)
            && state.range(b).contains(-1)
            && state.range(a).contains(int.min())
        {
            self.demand_otherwise(&state, &[(b, -1), (a, int.min())]);
            let message = "the quotient of the least number by -1 may be asked for, which traps".into();
            self.alarm(scope.func, ErrorKind::DivisionByZero, span, false, message, Vec::new());
            // The quotient does not fit, and the rest is undefined with it.
            self.overflow(scope, op == BinaryOp::Rem, span);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let count = state.range(b);
            if !count.is_subset(Interval { lo: Some(0), hi: Some(i128::from(int.bits) - 1) }) {
                let message = "the shift count may be out of range".into();
                self.alarm(scope.func, ErrorKind::Shift, span, false, message, Vec::new());
            }
        }
        let mut out = Vec::new();
        if let Some(around) = value::goes_round(&state, op, a, b, int) {
            // A counter that runs down past zero: the one case in which it does so is told apart from the others.
            let mut last = state.clone();
            if last.assume_eq(a, around.from, &self.preds) {
                out.push((last, around.to));
            }
            if !state.assume_le(b, a, false) {
                return out;
            }
        }
        let (v, overflow) = value::binary(&mut state, op, a, b, int);
        self.overflow(scope, overflow, span);
        out.push((state, v));
        out
    }

    fn comparison(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        op: CompareOp,
        lhs: &Operand,
        rhs: &Operand,
        span: Span,
    ) -> Vec<(State, Val)> {
        let ty = self.operand_ty(scope, lhs);
        let (a, b) = (self.operand(&mut state, scope, lhs), self.operand(&mut state, scope, rhs));
        let a = self.defined(&mut state, scope, a, ty, span);
        let b = self.defined(&mut state, scope, b, ty, span);
        if matches!(self.program.types.get(ty), Type::Float(_)) {
            let v = state.fresh_in(Interval { lo: Some(0), hi: Some(1) });
            return vec![(state, v)];
        }
        let negated = match op {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Ge => CompareOp::Lt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Le => CompareOp::Gt,
        };
        let pointers = matches!(self.program.types.get(ty), Type::Pointer(_));
        if self.may_share(&state, a, b) {
            let v = state.fresh_in(Interval { lo: Some(0), hi: Some(1) });
            return vec![(state, v)];
        }
        let mut out = Vec::new();
        for (op, result) in [(op, 1), (negated, 0)] {
            let mut case = state.clone();
            if self.assume(&mut case, op, a, b, pointers) {
                out.push((case, Val::int(result)));
            }
        }
        out
    }

    /// Learns the outcome of a comparison; whether the state can still have a model.
    pub(crate) fn assume(
        &mut self,
        state: &mut State,
        op: CompareOp,
        a: Val,
        b: Val,
        pointers: bool,
    ) -> bool {
        let possible = match op {
            CompareOp::Eq => {
                state.compare(a, b, Some(&self.preds)) != Some(false) && state.assume_eq(a, b, &self.preds)
            }
            CompareOp::Ne => state.assume_ne(a, b, &self.preds),
            // The order of addresses in different objects is not known.
            _ if pointers && a.base != b.base && !crate::transfer::memory::in_one_object(state, a, b) => true,
            // Numbers below zero are at the end of the addresses.
            _ if pointers && a.as_int().zip(b.as_int()).is_some_and(|(a, b)| a < 0 || b < 0) => true,
            CompareOp::Lt => state.assume_le(a, b, true),
            CompareOp::Le => self.assume_at_most(state, a, b),
            CompareOp::Gt => state.assume_le(b, a, true),
            CompareOp::Ge => self.assume_at_most(state, b, a),
        };
        possible && (pointers || crate::transfer::memory::tell_places_apart(state, &self.preds))
    }

    /// Learns `a ≤ b`; if the opposite is known the two are equal.
    fn assume_at_most(&mut self, state: &mut State, a: Val, b: Val) -> bool {
        if a.base != b.base && state.knows_le(b, a, false) {
            return state.assume_eq(a, b, &self.preds);
        }
        state.assume_le(a, b, false)
    }

    /// The two ways a branch on an operand can go. The bits of a floating number do not say whether it is zero: there are
    /// two zeros.
    pub(crate) fn branch(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        cond: &Operand,
        span: Span,
    ) -> (Vec<State>, Vec<State>) {
        let v = self.operand(&mut state, scope, cond);
        let float = matches!(self.program.types.get(self.operand_ty(scope, cond)), Type::Float(_));
        match float && !v.is_undef() {
            true => (vec![state.clone()], vec![state]),
            false => self.truth(state, scope, v, span),
        }
    }

    /// The two ways a truth test can go.
    pub(crate) fn truth(
        &mut self,
        state: State,
        scope: Scope<'_>,
        v: Val,
        span: Span,
    ) -> (Vec<State>, Vec<State>) {
        if v.is_undef() {
            let message = "the condition is not initialised".into();
            self.alarm(scope.func, ErrorKind::Uninitialised, span, true, message, Vec::new());
            return (vec![state.clone()], vec![state]);
        }
        match state.compare(v, Val::ZERO, Some(&self.preds)) {
            Some(true) => (Vec::new(), vec![state]),
            Some(false) => (vec![state], Vec::new()),
            None => {
                let (mut yes, mut no) = (state.clone(), state);
                let yes_ok = yes.assume_ne(v, Val::ZERO, &self.preds)
                    && crate::transfer::memory::tell_places_apart(&mut yes, &self.preds);
                let no_ok = no.assume_eq(v, Val::ZERO, &self.preds)
                    && crate::transfer::memory::tell_places_apart(&mut no, &self.preds);
                (yes_ok.then_some(yes).into_iter().collect(), no_ok.then_some(no).into_iter().collect())
            }
        }
    }

    fn cast(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        kind: CastKind,
        arg: &Operand,
        ty: Ty,
        span: Span,
    ) -> Vec<(State, Val)> {
        let v = self.operand(&mut state, scope, arg);
        if v.is_undef() && kind != CastKind::ToBool {
            return vec![(state, v)];
        }
        let v = match kind {
            CastKind::IntToInt => match self.program.types.as_int(ty) {
                Some(int) => value::as_type(&mut state, v, int, self.pointer_bits()),
                None => v,
            },
            CastKind::ToBool => {
                let from = self.operand_ty(scope, arg);
                if matches!(self.program.types.get(from), Type::Float(_)) {
                    let v = self.any_value(&mut state, ty);
                    return vec![(state, v)];
                }
                let (yes, no) = self.truth(state, scope, v, span);
                return yes
                    .into_iter()
                    .map(|s| (s, Val::int(1)))
                    .chain(no.into_iter().map(|s| (s, Val::ZERO)))
                    .collect();
            }
            CastKind::PtrToInt => match self.program.types.as_int(ty) {
                Some(int) => value::number_of_pointer(&mut state, v, int, self.pointer_bits(), &self.preds),
                None => v,
            },
            CastKind::IntToPtr | CastKind::PtrToPtr => {
                self.note_cast(&mut state, v, ty);
                let from = self.program.types.as_int(self.operand_ty(scope, arg));
                value::as_pointer(&mut state, v, from, self.pointer_bits())
            }
            CastKind::FloatToInt => {
                // The value of a floating number is not tracked, so it may not fit.
                self.overflow(scope, true, span);
                self.any_value(&mut state, ty)
            }
            CastKind::IntToFloat | CastKind::FloatToFloat | CastKind::Reinterpret => {
                self.any_value(&mut state, ty)
            }
        };
        vec![(state, v)]
    }

    /// A block cast to a pointer to a record of its size is that record.
    fn note_cast(&mut self, state: &mut State, v: Val, ty: Ty) {
        if let Some(to) = self.program.types.pointee(ty)
            && let Type::Record(r) = self.program.types.get(to)
            && let Some(s) = v.as_sym().filter(|_| v.off == 0)
            && let Some(o) = state.object(s)
            && o.record.is_none()
            && o.const_size() == Some(self.size(to))
            && let Some(o) = state.object_mut(s)
        {
            o.record = Some(*r);
        }
    }

    fn intrinsic(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        op: Intrinsic,
        dest: Option<&Place>,
        args: &[Operand],
        span: Span,
    ) -> Vec<State> {
        let result_ty = dest.map(|d| d.ty).unwrap_or(Ty(0));
        if op == Intrinsic::Alloca || op.only_computes() {
            for a in args {
                let v = self.operand(&mut state, scope, a);
                self.defined(&mut state, scope, v, self.operand_ty(scope, a), span);
            }
        }
        let v = match op {
            Intrinsic::Unreachable | Intrinsic::Trap => {
                let message = "control may come to a point that is declared never to be reached".into();
                self.alarm(scope.func, ErrorKind::Unreachable, span, false, message, Vec::new());
                return Vec::new();
            }
            Intrinsic::Clz | Intrinsic::Ctz
                if args.first().is_some_and(|a| {
                    let v = self.operand(&mut state, scope, a);
                    state.compare(v, Val::ZERO, Some(&self.preds)) != Some(false)
                }) =>
            {
                let message = "the count is undefined for zero, which the argument may be".into();
                self.alarm(scope.func, ErrorKind::Unreachable, span, false, message, Vec::new());
                state.fresh_in(Interval { lo: Some(0), hi: Some(128) })
            }
            Intrinsic::Alloca => {
                let size = args.first().map_or(Val::ZERO, |a| self.operand(&mut state, scope, a));
                match self.stack_block(&mut state, scope, None, size, span) {
                    Some(block) => block,
                    None => return Vec::new(),
                }
            }
            Intrinsic::Overflow(op, ty) => {
                return self.checked_arithmetic(state, scope, (op, ty), dest, args, span);
            }
            Intrinsic::Popcount | Intrinsic::Clz | Intrinsic::Ctz | Intrinsic::Ffs => {
                state.fresh_in(Interval { lo: Some(0), hi: Some(128) })
            }
            Intrinsic::Parity | Intrinsic::ConstantP => state.fresh_in(Interval { lo: Some(0), hi: Some(1) }),
            Intrinsic::VaArg(ty) => {
                let at = args.first().map_or(Val::UNDEF, |a| self.operand(&mut state, scope, a));
                match self.va_arg(&state, scope, at, ty, span) {
                    Some(argument) => argument,
                    None => return Vec::new(),
                }
            }
            Intrinsic::VaEnd => {
                return match args.first() {
                    Some(list) => self.va_end(state, scope, list, span),
                    None => vec![state],
                };
            }
            Intrinsic::Bswap | Intrinsic::FrameAddress | Intrinsic::ObjectSize => {
                self.any_value(&mut state, result_ty)
            }
        };
        match dest {
            Some(dest) => self.store_result(state, scope, dest, v, span),
            None => vec![state],
        }
    }

    fn checked_arithmetic(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        (op, ty): (BinaryOp, Ty),
        dest: Option<&Place>,
        args: &[Operand],
        span: Span,
    ) -> Vec<State> {
        let [a, b, pointer] = args else { return vec![state] };
        let (x, y) = (self.operand(&mut state, scope, a), self.operand(&mut state, scope, b));
        let x = self.defined(&mut state, scope, x, ty, span);
        let y = self.defined(&mut state, scope, y, ty, span);
        let Some(int) = self.program.types.as_int(ty) else { return vec![state] };
        let (ra, rb) = (state.range(x), state.range(y));
        let exact = match op {
            BinaryOp::Add => ra.plus(rb),
            BinaryOp::Sub => ra.minus(rb),
            _ => ra.times(rb),
        };
        let fits = exact.is_subset(value::tractable(int));
        let never = exact.meet(value::type_range(int)).is_none();
        let v =
            if fits { value::binary(&mut state, op, x, y, int).0 } else { self.any_value(&mut state, ty) };
        let flag = match (fits, never) {
            (true, _) => Val::ZERO,
            (_, true) => Val::int(1),
            _ => state.fresh_in(Interval { lo: Some(0), hi: Some(1) }),
        };
        let place = Place::deref(pointer.clone(), ty);
        let mut out = Vec::new();
        let stored = state.keeping([flag], |state| self.store_result(state, scope, &place, v, span));
        for (state, [flag]) in stored {
            match dest {
                Some(d) => out.extend(self.store_result(state, scope, d, flag, span)),
                None => out.push(state),
            }
        }
        out
    }

    /// Stores a new value, with which nothing else in the state has changed.
    pub(crate) fn store_new(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        dest: &Place,
        v: Val,
        span: Span,
    ) -> Vec<State> {
        match dest.as_local().filter(|l| !scope.info.is_slot(*l)) {
            Some(l) => {
                let old = state.root(Root::Local(l));
                self.set_local(&mut state, scope, l, v);
                self.released(state, old, scope, span)
            }
            None => self.store_result(state, scope, dest, v, span),
        }
    }

    /// Stores the scalar result of a call or intrinsic.
    pub(crate) fn store_result(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        dest: &Place,
        v: Val,
        span: Span,
    ) -> Vec<State> {
        if let Some(l) = dest.as_local()
            && !scope.info.is_slot(l)
        {
            self.set_local(&mut state, scope, l, v);
            return self.swept(state, scope, span);
        }
        let width = self.size(dest.ty);
        let mut out = Vec::new();
        let targets =
            state.keeping([v], |state| self.place_target(state, scope, dest, width, span, Purpose::Store));
        for ((mut state, target), [v]) in targets {
            self.store_bytes(&mut state, target, width, v);
            out.extend(self.swept(state, scope, span));
        }
        out
    }
}

/// Whether nothing is known of the bytes that are written, or only numbers: then no pointer is lost by writing them.
fn holds_no_symbol(state: &State, target: Target, width: u64) -> bool {
    let Target::Bytes(s, off) = target else { return false };
    state.object(s).is_some_and(|o| o.holds_no_symbol(off, off.saturating_add(width)))
}

/// Whether the bytes that were written hold all of the value.
fn holds(state: &State, target: Target, width: u64, v: Val) -> bool {
    let Target::Bytes(s, off) = target else { return false };
    v.as_sym().is_none() || state.object(s).is_some_and(|o| o.cell(off, width) == Some(v))
}
