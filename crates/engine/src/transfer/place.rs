//! From places to memory: addresses, unfolding where the program looks, bounds, loads and stores (survey §4.4.3).
//!
//! An access first finds the object at its address; if a summary owns that memory it is unfolded, which splits the
//! state. States in which the access certainly fails are dropped after the alarm; where it may fail the alarm is
//! recorded and the analysis goes on with the cases in which it does not.

use crate::context::Context;
use crate::facts::FunctionInfo;
use crate::transfer::memory;
use crate::transfer::value;
use heapwise_heap::{Base, Content, Death, Fill, Floating, Linear, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::{Body, Const, FuncId, LocalId, Operand, Place, PlaceBase, Projection, Span, Ty, Type};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Reason};

/// The function in which a statement is executed.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// Which function.
    pub func: FuncId,
    /// Its code.
    pub body: &'a Body,
    /// What is known of it.
    pub info: &'a FunctionInfo,
}

impl Scope<'_> {
    /// Whether an object is a variable of the function, or of a caller, that is declared `const`.
    pub(crate) fn is_constant(&self, kind: ObjectKind) -> bool {
        match kind {
            ObjectKind::Local(l) => self.body.locals.get(l).is_some_and(|l| l.constant),
            ObjectKind::OuterConstant => true,
            _ => false,
        }
    }
}

/// Memory that an access goes to.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// These bytes of an object.
    Bytes(Sym, u64),
    /// The bytes of an object at a symbolic offset, which lie somewhere between the two numbers.
    Range(Sym, Val, u64, u64),
}

impl Target {
    /// The object.
    pub fn object(&self) -> Sym {
        match self {
            Target::Bytes(s, _) | Target::Range(s, ..) => *s,
        }
    }

    /// The offset of the first byte.
    pub fn offset(&self) -> Val {
        match self {
            Target::Bytes(_, off) => Val::int(i128::from(*off)),
            Target::Range(_, at, ..) => *at,
        }
    }
}

/// An element of an array: the one with this number after an address.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a> {
    pub(crate) address: Val,
    pub(crate) index: &'a Operand,
    /// From one element to the next, in bytes.
    pub(crate) stride: i128,
    /// Whether a pointer is looked for there, null or not.
    pub(crate) pointer: bool,
}

/// What an access is for, in messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Writing one scalar, which [`Context::store_bytes`] does.
    Store,
    /// Writing a variable by its name, which is how constants are initialised.
    Initialise,
}

/// Most values of an index that are told apart if pointers may be met.
const MAX_SPLIT: i128 = 16;
/// Most values of an index that are told apart for the sake of numbers.
const FEW: i128 = 8;

impl Context<'_> {
    /// The value of an operand that is a scalar.
    pub(crate) fn operand(&mut self, state: &mut State, scope: Scope<'_>, op: &Operand) -> Val {
        match op {
            Operand::Local(l) => {
                if !scope.info.is_slot(*l) {
                    let v = state.root(Root::Local(*l)).unwrap_or(Val::UNDEF);
                    // What the number of a pointer turned out to be is read in the type of the variable.
                    return match (v.as_int(), scope.body.locals.get(*l)) {
                        (Some(_), Some(l)) => self.typed(state, v, l.ty),
                        _ => v,
                    };
                }
                let ty = scope.body.locals.get(*l).map(|l| l.ty);
                match (state.root(Root::Slot(*l)).and_then(|v| v.as_sym()), ty) {
                    (Some(s), Some(ty)) => self.load_bytes(state, Target::Bytes(s, 0), ty),
                    _ => Val::UNDEF,
                }
            }
            Operand::Const(c) => match c {
                Const::Int { value, ty } => self.typed(state, Val::int(*value), *ty),
                Const::Null(_) => Val::ZERO,
                Const::Global { global, offset, .. } => self.global(state, *global).plus(i128::from(*offset)),
                Const::Function { func, .. } => Val::func(*func),
                Const::Float { ty, .. } | Const::Label { ty, .. } => self.any_value(state, *ty),
                Const::Undefined(_) => Val::UNDEF,
            },
        }
    }

    /// Some value of a type.
    pub(crate) fn any_value(&self, state: &mut State, ty: Ty) -> Val {
        match self.program.types.as_int(ty) {
            Some(_) if *self.program.types.get(ty) == Type::Bool => {
                state.fresh_in(Interval { lo: Some(0), hi: Some(1) })
            }
            Some(int) => state.fresh_in(value::type_range(int)),
            None => Val::sym(state.fresh()),
        }
    }

    /// The addresses that a place may denote, splitting on indices with few values. With `access` indices must be within the
    /// members that they go into.
    pub(crate) fn address(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        place: &Place,
        access: bool,
        span: Span,
    ) -> Vec<(State, Val)> {
        let base = match &place.base {
            PlaceBase::Local(l) => state.root(Root::Slot(*l)).unwrap_or(Val::UNDEF),
            PlaceBase::Global(g) => self.global(&mut state, *g),
            PlaceBase::Deref(op) => {
                let base = self.operand(&mut state, scope, op);
                if self.options.abduce {
                    let ty = self.program.operand_ty(scope.body, op);
                    let to = ty.and_then(|ty| self.program.types.pointee(ty));
                    self.accessed = to.map(|to| (to, base));
                }
                base
            }
        };
        if base.is_undef() {
            let message = match &place.base {
                PlaceBase::Deref(_) => "the pointer is not initialised",
                _ => "the object is not in scope",
            };
            self.alarm(scope.func, ErrorKind::Uninitialised, span, true, message.into(), Vec::new());
            if !self.counts(ErrorKind::Uninitialised) {
                self.alarm(scope.func, Reason::UnknownPointer, span, true, message.into(), Vec::new());
            }
            return Vec::new();
        }
        let mut found = vec![(state, base)];
        let program = self.program;
        let pointer = program.types.pointee(place.ty).is_some();
        for (step, length) in place.path.iter().zip(program.member_lengths(&place.path)) {
            match step {
                Projection::Field { offset, .. } => {
                    found.iter_mut().for_each(|(_, at)| *at = at.plus(i128::from(*offset)));
                }
                Projection::Index { index, stride } => {
                    let mut next = Vec::new();
                    for (mut state, address) in found {
                        if let Some(length) = length.filter(|_| access)
                            && !self.is_within(&mut state, scope, index, length, span)
                        {
                            continue;
                        }
                        let element = Element { address, index, stride: i128::from(*stride), pointer };
                        self.indexed(state, scope, element, span, &mut next);
                    }
                    found = next;
                }
            }
        }
        found
    }

    /// Whether an index can be below a number; an alarm if it may not be.
    fn is_within(
        &mut self,
        state: &mut State,
        scope: Scope<'_>,
        index: &Operand,
        length: u64,
        span: Span,
    ) -> bool {
        let v = self.operand(state, scope, index);
        let length = Val::int(i128::from(length));
        // What is not initialised is told with the index itself.
        if v.is_undef() || state.knows_le(Val::ZERO, v, false) && state.knows_le(v, length, true) {
            return true;
        }
        let can_be = state.assume_le(Val::ZERO, v, false) && state.assume_le(v, length, true);
        let message = if can_be { "the index may be" } else { "the index is" };
        let message = format!("{message} outside of the member, an array of {}", length.off);
        self.alarm(scope.func, ErrorKind::OutOfBounds, span, !can_be, message, Vec::new());
        can_be
    }

    /// The addresses `address + index * stride`.
    pub(crate) fn indexed(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        Element { address, index, stride, pointer }: Element<'_>,
        span: Span,
        out: &mut Vec<(State, Val)>,
    ) {
        let mut v = self.operand(&mut state, scope, index);
        if v.is_undef() && !self.counts(ErrorKind::Uninitialised) {
            let ty = self.program.operand_ty(scope.body, index).unwrap_or(Ty(0));
            v = self.any_value(&mut state, ty);
        }
        if v.is_undef() {
            self.alarm(
                scope.func,
                ErrorKind::Uninitialised,
                span,
                true,
                "the index is not initialised".into(),
                Vec::new(),
            );
            return;
        }
        if let Some(n) = v.as_int() {
            out.push((state, address.plus(n.saturating_mul(stride))));
            return;
        }
        let range = state.range(v);
        if let (Some(lo), Some(hi)) = (range.lo, range.hi)
            && self.tells_apart(&state, address, (lo, hi), stride, pointer)
        {
            for n in lo..=hi {
                let case = state.clone().keeping([address], |mut case| {
                    case.assume_eq(v, Val::int(n), &self.preds).then_some(case)
                });
                let place = |(case, [at]): (State, [Val; 1])| (case, at.plus(n.saturating_mul(stride)));
                out.extend(case.into_iter().map(place));
            }
            return;
        }
        let form = state.linear(address).zip(state.linear(v)).and_then(|(a, i)| a.plus(stride, &i));
        let at = form.and_then(|f| state.value_of(&f)).unwrap_or_else(|| Val::sym(state.fresh()));
        out.push((state, at));
    }

    /// Whether the values of an index are told apart: few numbers, or more if pointers are among the elements.
    fn tells_apart(
        &self,
        state: &State,
        address: Val,
        (lo, hi): (i128, i128),
        stride: i128,
        pointer: bool,
    ) -> bool {
        let count = hi.saturating_sub(lo).saturating_add(1);
        if count > MAX_SPLIT {
            return false;
        }
        let Some((object, offset)) =
            state.pointer(address).and_then(|(s, off)| Some((state.object(s)?, off)))
        else {
            return count <= FEW;
        };
        let pointers = object.cells().any(|(off, c)| {
            let at = i128::from(off).saturating_sub(offset.constant);
            (lo.saturating_mul(stride)..hi.saturating_add(1).saturating_mul(stride)).contains(&at)
                && value::is_address(state, c.val)
        });
        // Heads of structures are null at first: whether they are told apart does not depend on that.
        let heads = pointer && object.const_size().is_some();
        pointers || heads || stride > 1 && count <= FEW && object.const_size().is_some()
    }

    /// The memory at an address, unfolding as needed; alarms where there may be none.
    pub(crate) fn locate(
        &mut self,
        state: State,
        scope: Scope<'_>,
        address: Val,
        width: u64,
        span: Span,
        purpose: Purpose,
    ) -> Vec<(State, Target)> {
        let mut done = Vec::new();
        let mut todo = vec![(state, address, 0)];
        while let Some((mut state, at, depth)) = todo.pop() {
            let Some(own) = at.as_sym() else {
                if at.base == Base::Zero {
                    self.demand_not_null(&state);
                }
                self.invalid_base(scope, at, span, purpose);
                continue;
            };
            let (s, offset) = state.pointer(at).unwrap_or((own, Linear::constant(at.off)));
            if let Some(object) = state.object(s) {
                let (kind, writes) = (object.kind, matches!(purpose, Purpose::Write | Purpose::Store));
                if writes && self.is_constant(scope, kind) {
                    let notes = vec![("it is defined here".to_owned(), object.site)];
                    let message = "the pointer leads to a constant, which must not be written".into();
                    self.alarm(scope.func, ErrorKind::OutOfBounds, span, true, message, notes);
                    continue;
                }
                if matches!(object.kind, ObjectKind::Stream(_)) {
                    let message = "the pointer leads to a stream, which only the library looks into".into();
                    self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
                    continue;
                }
                // Facts about texts of the environment hold as long as nobody writes to them; what the library keeps it may
                // change, but not by anything that the program takes for a text later.
                let small = purpose == Purpose::Store && width <= 4;
                if writes && kind.may_coincide() && !(kind == ObjectKind::Library && small) {
                    let message = match kind {
                        ObjectKind::Library => {
                            "storage of the library is written in a way that is not followed"
                        }
                        _ => "a text of the environment is written, which is not followed",
                    };
                    self.alarm(scope.func, Reason::Unsupported, span, false, message.into(), Vec::new());
                    continue;
                }
                if kind == ObjectKind::TextArray && purpose == Purpose::Write {
                    self.make_ordinary(&mut state, s);
                }
                if let Some(t) = self.in_bounds(&mut state, scope, s, &offset, width, span) {
                    done.push((state, t));
                }
                continue;
            }
            if let Some(site) = state.summary_at(Val::sym(s), &self.preds)
                && depth < 4
            {
                for (case, [at]) in state.keeping([at], |state| state.unfold(site, &self.preds)) {
                    todo.push((case, at, depth + 1));
                }
                continue;
            }
            if depth < 4 && state.can_locate(Val::sym(s), &self.preds) {
                for (case, [at]) in state.keeping([at], |state| state.located(Val::sym(s), &self.preds)) {
                    todo.push((case, at, depth + 1));
                }
                continue;
            }
            match state.death(s) {
                Some(Death::Freed(freed)) => {
                    let notes = vec![("freed here".to_owned(), freed)];
                    self.alarm(
                        scope.func,
                        ErrorKind::UseAfterFree,
                        span,
                        true,
                        "the block was freed".into(),
                        notes,
                    );
                }
                Some(Death::Scope(end)) => {
                    let notes = vec![("it went out of scope here".to_owned(), end)];
                    let message = "the variable is out of scope".into();
                    self.alarm(scope.func, ErrorKind::UseAfterScope, span, true, message, notes);
                }
                None => {
                    // It may be null, dangling, or anything: one alarm says what is not known.
                    self.demand_memory(&state, s);
                    let message = if state.compare(at, Val::ZERO, Some(&self.preds)) == Some(false) {
                        "nothing is known of the memory that the pointer leads to"
                    } else {
                        "nothing is known of the pointer; it may be null"
                    };
                    self.alarm(scope.func, Reason::UnknownPointer, span, false, message.into(), Vec::new());
                }
            }
        }
        done
    }

    /// Whether an object is a string literal or a variable declared `const`.
    fn is_constant(&self, scope: Scope<'_>, kind: ObjectKind) -> bool {
        let ObjectKind::Global(g) = kind else { return scope.is_constant(kind) };
        self.program.globals.get(g).is_some_and(|g| g.constant || g.kind == heapwise_ir::GlobalKind::Literal)
    }

    fn invalid_base(&mut self, scope: Scope<'_>, at: Val, span: Span, purpose: Purpose) {
        let (kind, message) = match at.base {
            Base::Zero => (ErrorKind::NullDeref, "the pointer is null"),
            Base::Func(_) if purpose != Purpose::Read => {
                (ErrorKind::OutOfBounds, "the pointer leads to code")
            }
            Base::Func(_) => (ErrorKind::OutOfBounds, "the pointer leads to a function"),
            _ => (ErrorKind::Uninitialised, "the pointer is not initialised"),
        };
        self.alarm(scope.func, kind, span, true, message.into(), Vec::new());
        // An access through null or a function is never valid: where accesses do not count, no execution that
        // matters goes on. A pointer that holds any value may be valid.
        if !self.counts(kind) && kind == ErrorKind::Uninitialised {
            self.alarm(scope.func, Reason::UnknownPointer, span, true, message.into(), Vec::new());
        }
    }

    /// Whether the bytes at an offset are inside of an object; the alarm if they may not be, after which they are
    /// taken to be.
    fn in_bounds(
        &mut self,
        state: &mut State,
        scope: Scope<'_>,
        s: Sym,
        offset: &Linear,
        width: u64,
        span: Span,
    ) -> Option<Target> {
        let object = state.object(s)?;
        let (size, site) = (object.size, object.site);
        let w = i128::from(width);
        let notes = vec![("the object is allocated here".to_owned(), site)];
        let room = state.linear(size).and_then(|size| size.minus(&offset.clone().shifted(w)?));
        let reach = state.interval(offset);
        // All of it outside?
        let past = room.as_ref().is_some_and(|r| state.numbers().upper(r).is_some_and(|u| u < 0));
        if past || reach.hi.is_some_and(|hi| hi < 0) {
            let message = format!("the access at offset {} is outside of the object", describe(reach));
            self.alarm(scope.func, ErrorKind::OutOfBounds, span, true, message, notes);
            return None;
        }
        let inside = state.is_not_negative(offset) && room.as_ref().is_some_and(|r| state.is_not_negative(r));
        if !inside {
            let message = format!("the access at offset {} may be outside of the object", describe(reach));
            self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, notes);
        }
        let at = state.value_of(offset).unwrap_or_else(|| Val::sym(state.fresh()));
        if !inside && (!state.assume_le(Val::ZERO, at, false) || !state.assume_le(at.plus(w), size, false)) {
            return None;
        }
        let reach = state.range(at);
        if let Some(n) = reach.as_point() {
            return Some(Target::Bytes(s, u64::try_from(n).ok()?));
        }
        let most = size.as_int().unwrap_or(i128::from(u64::MAX >> 1));
        let hi = reach.hi.map_or(most, |h| h.saturating_add(w)).clamp(0, most);
        let lo = reach.lo.unwrap_or(0).max(0);
        Some(Target::Range(s, at, u64::try_from(lo).ok()?, u64::try_from(hi).ok()?))
    }

    /// Loads a scalar; unknown contents become a symbol that the cell then holds.
    pub(crate) fn load_bytes(&mut self, state: &mut State, target: Target, ty: Ty) -> Val {
        let width = self.size(ty);
        let (s, at) = match target {
            Target::Bytes(s, off) => (s, Val::int(i128::from(off))),
            Target::Range(s, at, ..) => (s, at),
        };
        let Some(object) = state.object(s).cloned() else { return Val::UNDEF };
        let content = match target {
            Target::Bytes(_, off) => object.read(off, width),
            Target::Range(_, _, lo, hi) => memory::content_between(&object, lo, hi),
        };
        if let Content::Val(raw) = content {
            let v = self.typed(state, raw, ty);
            // The same bytes read as this type: from now on the cell holds the value that was read, so that the next
            // read finds it again. A symbol that may be an address stays.
            if let Target::Bytes(_, off) = target
                && v != raw
                && v.as_sym().is_some()
                && raw.as_sym().is_some()
                && !value::is_address(state, raw)
                && object.cell(off, width).is_some()
                && let Some(o) = state.object_mut(s)
            {
                o.refine(off, width, v);
            }
            return v;
        }
        let floating = object.floating().iter().filter(|f| f.width == width);
        if let Some(f) = floating.into_iter().find(|f| state.compare(f.off, at, None) == Some(true)) {
            return self.typed(state, f.val, ty);
        }
        if content == Content::Uninit && !memory::below_prefix(state, &object, at, width) {
            self.read_uninit |= self.options.abduce && object.kind == ObjectKind::Heap;
            return Val::UNDEF;
        }
        if object.kind == ObjectKind::Library && self.is_text_pointer(ty) {
            return Val::sym(self.environment_text(state, false, object.site));
        }
        let v = self.any_value(state, ty);
        if let Some(o) = state.object_mut(s).filter(|o| !o.kind.is_volatile()) {
            match target {
                Target::Bytes(_, off) => o.refine(off, width, v),
                // Floating cells are facts about numbers: what an unknown pointer leads to is not known anyway.
                Target::Range(..) if self.program.types.as_int(ty).is_some() => {
                    o.add_floating(Floating { off: at, width, val: v });
                }
                Target::Range(..) => {}
            }
        }
        v
    }

    /// Loads a scalar, telling apart whether the offset is that of a known zero: the end of a string.
    pub(crate) fn load(&mut self, mut state: State, target: Target, ty: Ty) -> Vec<(State, Val)> {
        let mut out = Vec::new();
        let (s, at) = match target {
            Target::Bytes(s, off) => (s, Val::int(i128::from(off))),
            Target::Range(s, at, ..) => (s, at),
        };
        let mut text = false;
        for zero in memory::known_numbers(&state, s, target, self.size(ty)) {
            text |= zero.val == Val::ZERO && zero.width == 1;
            let mut case = state.clone();
            if case.assume_eq(at, zero.off, &self.preds) {
                let v = self.typed(&mut case, zero.val, ty);
                out.push((case, v));
            }
            if !state.assume_ne(at, zero.off, &self.preds) {
                return out;
            }
        }
        if let Some(found) = self.load_text_pointer(&state, target, ty) {
            out.extend(found);
            return out;
        }
        let v = self.load_bytes(&mut state, target, ty);
        // In a text it matters whether this is an end: what is known of the place differs.
        if text && v.as_sym().is_some() {
            let mut end = state.clone();
            if end.assume_eq(v, Val::ZERO, &self.preds) {
                out.push((end, Val::ZERO));
            }
            if !state.assume_ne(v, Val::ZERO, &self.preds) {
                return out;
            }
        }
        out.push((state, v));
        out
    }

    /// A stored value read as a type.
    pub(crate) fn typed(&self, state: &mut State, v: Val, ty: Ty) -> Val {
        match self.program.types.get(ty) {
            Type::Int(int) if value::may_be_made_up(state, v, &self.preds) => {
                state.fresh_in(value::type_range(*int))
            }
            Type::Int(int) => value::as_type(state, v, *int, self.pointer_bits()),
            Type::Pointer(_) => value::as_pointer(state, v, None, self.pointer_bits()),
            _ => v,
        }
    }

    /// Stores a scalar.
    pub(crate) fn store_bytes(&mut self, state: &mut State, target: Target, width: u64, v: Val) {
        match state.object(target.object()).map(|o| o.kind) {
            Some(ObjectKind::Library) => return,
            Some(ObjectKind::TextArray) => self.note_stored_text(state, target.object(), v),
            _ => {}
        }
        match target {
            Target::Bytes(s, off) => {
                let at = Val::int(i128::from(off));
                memory::change(state, s, at, width, !v.is_undef(), |o| o.write(off, width, v));
            }
            Target::Range(s, at, lo, hi) => memory::overwrite(state, s, at, width, lo, hi, v),
        }
    }

    /// Sets a local that is a value, or the whole of a scalar one that is an object.
    pub(crate) fn set_local(&mut self, state: &mut State, scope: Scope<'_>, local: LocalId, v: Val) {
        if !scope.info.is_slot(local) {
            if v.is_undef() {
                state.drop_root(Root::Local(local));
            } else {
                state.set_root(Root::Local(local), v);
            }
            return;
        }
        let Some(s) = self.slot(state, scope, local) else { return };
        let width = scope.body.locals.get(local).map_or(0, |l| self.size(l.ty));
        self.store_bytes(state, Target::Bytes(s, 0), width, v);
    }

    /// The object of a local, made if its life begins without a declaration (parameters, temporaries).
    pub(crate) fn slot(&mut self, state: &mut State, scope: Scope<'_>, local: LocalId) -> Option<Sym> {
        if let Some(s) = state.root(Root::Slot(local)).and_then(|v| v.as_sym()) {
            return Some(s);
        }
        let l = scope.body.locals.get(local)?;
        let size = Val::int(i128::from(self.size(l.ty)));
        let mut object = heapwise_heap::Object::new(ObjectKind::Local(local), size, Fill::Uninit, l.span);
        if let Type::Record(r) = self.program.types.get(l.ty) {
            object.record = Some(*r);
        }
        let s = state.add_object(object);
        state.set_root(Root::Slot(local), Val::sym(s));
        Some(s)
    }
}

fn describe(range: Interval) -> String {
    match (range.lo, range.hi) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) => format!("{a} to {b}"),
        (Some(a), None) => format!("{a} or more"),
        (None, Some(b)) => format!("{b} or less"),
        (None, None) => "that is not known".into(),
    }
}
