//! Assignments: pointers become statements of the pointer program, of numbers only the accesses count.

use crate::blocks::Access;
use crate::body::{Conditions, Effect, Frame, Translator, known, mentions, negated};
use crate::numbers::Number;
use crate::place::{Ptr, Storage};
use crate::values::Stored;
use heapwise_ir::{
    BinaryOp, CastKind, CompareOp, Const, GlobalKind, LocalId, Operand, Place, PlaceBase, Rvalue, Span, Ty,
    Type, UnaryOp, visit::rvalue_operands,
};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Property, Reason};
use heapwise_tvl::program::{Condition, DataId, FlagValue, LocationId, Statement, VarId};

impl<'p> Translator<'p> {
    /// `x = value`.
    pub(crate) fn copy(&mut self, at: &mut LocationId, x: VarId, value: Ptr, span: Span) {
        let statement = match value {
            Ptr::Null => Statement::SetNull(x),
            Ptr::Var(y) => Statement::Copy(x, y),
        };
        self.step(at, statement, span);
    }

    /// Writes a pointer to a place.
    pub(crate) fn store_pointer(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        dest: &Place,
        value: Ptr,
        span: Span,
    ) {
        self.check_global(*at, dest, span);
        if let Some(x) = self.place_var(frame, dest) {
            return self.copy(at, x, value, span);
        }
        if let Some((x, f)) = self.pointer_place(frame, at, dest, span) {
            self.check_writable(at, x, dest, span);
            let statement = match value {
                Ptr::Null => Statement::StoreNull(x, f),
                Ptr::Var(y) => Statement::Store(x, f, y),
            };
            self.step(at, statement, span);
        }
    }

    /// A number of any value is written.
    pub(crate) fn write_data(&mut self, frame: &Frame<'p>, at: &mut LocationId, dest: &Place, span: Span) {
        self.write_number(frame, at, (dest, Stored::Any), span);
    }

    /// A number is written.
    pub(crate) fn write_number(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (dest, value): (&Place, Stored),
        span: Span,
    ) {
        self.check_global(*at, dest, span);
        if self.element_access(frame, at, (dest, Access::Write), span) {
            return;
        }
        if let Some((x, d)) = self.data_place(frame, at, dest, span) {
            self.check_writable(at, x, dest, span);
            self.step(at, Statement::WriteData(x, d), span);
            self.store_number(at, (x, d), value, span);
        }
    }

    /// Reads a number of a cell. Where it does not count that it was never written, it may have any value.
    pub(crate) fn read_data(
        &mut self,
        at: &mut LocationId,
        (x, d): (VarId, DataId),
        into: Number,
        span: Span,
    ) {
        let statement = match self.options.properties.has(Property::Uninitialised) {
            true => Statement::ReadData(x, d),
            false => Statement::Touch(x),
        };
        self.step(at, statement, span);
        self.load_number(at, (x, d), into, span);
    }

    /// Counts the read of a number or of a pointer that is not followed.
    pub(crate) fn data_operand(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        operand: &Operand,
        span: Span,
    ) {
        let Operand::Local(local) = operand else {
            if matches!(operand, Operand::Const(Const::Undefined(_) | Const::Label { .. })) {
                self.refuse("a value that is not determined", span);
            }
            return;
        };
        let Some(ty) = frame.body.locals.get(*local).map(|l| l.ty) else { return };
        match frame.storage(*local) {
            // The value of a pointer as a number: a variable can always be read.
            Storage::Var | Storage::Data | Storage::Flag(_) => {}
            Storage::Cell if self.tracked(ty) => {
                self.pointer_operand(frame, at, operand, span);
            }
            Storage::Cell if self.source.types.is_scalar(ty) => {
                let place = Place::local(*local, ty);
                if self.element_access(frame, at, (&place, Access::Read), span) {
                    return;
                }
                if let Some((x, d)) = self.data_place(frame, at, &place, span) {
                    self.read_data(at, (x, d), Number::Local(*local), span);
                }
            }
            _ => self.refuse("a structure, union or array is used as a value", span),
        }
    }

    pub(crate) fn assign(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        dest: &Place,
        value: &Rvalue,
        span: Span,
        conditions: &mut Conditions,
    ) {
        if let PlaceBase::Local(l) = dest.base {
            conditions.remove(&l);
        }
        if let Some(l) = dest.as_local()
            && frame.facts.moved(l).is_some()
        {
            return self.assign_bytes(frame, at, (l, value), span);
        }
        if self.tracked(dest.ty) {
            return self.assign_pointer(frame, at, dest, value, span, conditions);
        }
        if !self.source.types.is_scalar(dest.ty) {
            return self.assign_object(frame, at, dest, value, span);
        }
        if self.opaque(dest.ty) && !self.opaque_value(frame, value) {
            return self.refuse("a pointer that the model does not follow is computed", span);
        }
        self.read_numbers(frame, at, dest, value, span);
        if let Some(Storage::Flag(flag)) = dest.as_local().map(|l| frame.storage(l)) {
            let value = match value {
                Rvalue::Use(Operand::Const(Const::Int { value, .. })) => FlagValue::Constant(*value != 0),
                _ => FlagValue::Unknown,
            };
            conditions.retain(|_, c| !matches!(c, Condition::Flag(f, _) if *f == flag));
            return self.step(at, Statement::SetFlag(flag, value), span);
        }
        let condition = self.condition(frame, value, conditions);
        if let (Some(c), Rvalue::Compare { .. }) = (condition, value) {
            self.with_effect(at, Effect::Truth(c), span);
        }
        self.write_number(frame, at, (dest, Stored::Computed(dest.ty, value.clone())), span);
        if let Some(l) = dest.as_local()
            && frame.storage(l) == Storage::Data
            && let Some(c) = condition
        {
            conditions.insert(l, c);
        }
    }

    /// A pointer to bytes of a structure is one to its cell.
    fn assign_bytes(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (local, value): (LocalId, &Rvalue),
        span: Span,
    ) {
        let (arg, moves) = match value {
            Rvalue::Cast { arg, .. } => (arg, false),
            Rvalue::PtrAdd { ptr, index, .. } => {
                (ptr, !matches!(index, Operand::Const(Const::Int { value: 0, .. })))
            }
            _ => return self.refuse("pointer arithmetic", span),
        };
        let Some(x) = self.local_var(frame, local) else { return };
        if let Some(value) = self.pointer_operand(frame, at, arg, span) {
            self.copy(at, x, value, span);
        }
        if moves {
            // Null is no place to start from.
            self.step(at, Statement::Touch(x), span);
        }
    }

    /// Refuses a pointer to single bytes of a structure where it would be taken for one to the structure.
    pub(crate) fn refuse_bytes(&mut self, frame: &Frame<'p>, operand: &Operand, span: Span) {
        if matches!(operand, Operand::Local(l) if frame.facts.moved(*l).is_some()) {
            self.refuse("a pointer to bytes of a structure is kept", span);
        }
    }

    /// Counts what a number is computed from, and refuses what may go wrong with it.
    fn read_numbers(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        dest: &Place,
        value: &Rvalue,
        span: Span,
    ) {
        if self.options.properties.has(Property::Overflow) && self.may_overflow(dest, value) {
            self.refuse("arithmetic may overflow: numbers are outside the three-valued memory model", span);
        }
        if self.compared_pointers(frame, at, value, span) {
            return;
        }
        match value {
            Rvalue::Load(place) => {
                if self.tracked(place.ty) {
                    return self.refuse("a pointer is read as a number", span);
                }
                if self.element_access(frame, at, (place, Access::Read), span) {
                    return;
                }
                if let Some((y, d)) = self.data_place(frame, at, place, span) {
                    self.read_data(at, (y, d), Number::Loaded, span);
                }
                return;
            }
            Rvalue::AddrOf(place) if self.is_literal(place) => return,
            Rvalue::AddrOf(_) => return self.refuse("an address is turned into data", span),
            Rvalue::PtrAdd { .. } | Rvalue::PtrDiff { .. } => return self.refuse("pointer arithmetic", span),
            Rvalue::Compare { op, lhs, .. } if !matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                let ty = self.source.operand_ty(frame.body, lhs);
                if ty.is_some_and(|ty| matches!(self.source.types.get(ty), Type::Pointer(_))) {
                    return self.refuse("addresses are ordered", span);
                }
            }
            Rvalue::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } => {
                let float = matches!(self.source.types.get(dest.ty), Type::Float(_));
                // By -1 the least number has no quotient.
                let fine =
                    matches!(rhs, Operand::Const(Const::Int { value, .. }) if !matches!(value, 0 | -1));
                if !float && !fine && self.options.properties.has(Property::Division) {
                    self.check_divisor(frame, at, (value, dest.ty), span);
                }
            }
            Rvalue::Cast { kind: CastKind::Reinterpret, .. } => {
                return self.refuse("a value is read with another type", span);
            }
            _ => {}
        }
        rvalue_operands(value, &mut |o| self.data_operand(frame, at, o, span));
    }

    /// Checks that a divisor is not zero, and that the quotient has a value.
    fn check_divisor(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (value, ty): (&Rvalue, Ty),
        span: Span,
    ) {
        let Rvalue::Binary { lhs, rhs: Operand::Local(divisor), .. } = value else {
            return self.refuse("a division by a constant that has no quotient", span);
        };
        self.data_operand(frame, at, &Operand::Local(*divisor), span);
        // The statement is more than its end, which the next one begins with.
        let here = *at;
        self.step(at, Statement::Skip, span);
        let zero = self.location();
        self.only_within(here, (*divisor, Interval::point(0)), zero, span);
        self.must_not_reach(zero, ErrorKind::DivisionByZero, span);
        let Some(int) = self.source.types.as_int(ty).filter(|int| int.signed) else { return };
        let least = 1i128.checked_shl(u32::from(int.bits) - 1).map_or(i128::MIN, |half| -half);
        let mut reversed = self.location();
        self.only_within(here, (*divisor, Interval::point(-1)), reversed, span);
        match lhs {
            Operand::Const(Const::Int { value, .. }) if *value != least => return,
            Operand::Const(_) => {}
            Operand::Local(l) => {
                let from = std::mem::replace(&mut reversed, self.location());
                self.only_within(from, (*l, Interval::point(least)), reversed, span);
            }
        }
        self.out.errors.push((reversed, Reason::Unsupported.into(), span));
    }

    /// Whether the type alone does not say that a result fits, or that a shift is defined.
    fn may_overflow(&self, dest: &Place, value: &Rvalue) -> bool {
        let Some(int) = self.source.types.as_int(dest.ty) else { return false };
        match value {
            Rvalue::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, .. } => false,
            Rvalue::Binary { op: BinaryOp::Shl | BinaryOp::Shr, .. } => true,
            Rvalue::Cast { kind: CastKind::FloatToInt, .. } => true,
            Rvalue::Binary { .. } | Rvalue::Unary { op: UnaryOp::Neg, .. } => int.signed,
            _ => false,
        }
    }

    /// Whether a place is a string literal.
    fn is_literal(&self, place: &Place) -> bool {
        match place.base {
            PlaceBase::Global(g) => self.source.globals.get(g).is_some_and(|g| g.kind == GlobalKind::Literal),
            _ => false,
        }
    }

    /// Whether a value is a pointer that nothing can follow, or null: it is then as good as a number.
    fn opaque_value(&self, frame: &Frame<'p>, value: &Rvalue) -> bool {
        let operand = |o: &Operand| match o {
            Operand::Const(
                Const::Null(_) | Const::Int { .. } | Const::Global { .. } | Const::Function { .. },
            ) => true,
            Operand::Const(_) => false,
            Operand::Local(l) => frame.body.locals.get(*l).is_some_and(|l| self.opaque(l.ty)),
        };
        match value {
            Rvalue::Use(o) | Rvalue::Cast { kind: CastKind::PtrToPtr, arg: o } => operand(o),
            Rvalue::Load(place) => self.opaque(place.ty),
            Rvalue::AddrOf(place) => self.is_literal(place),
            _ => false,
        }
    }

    fn assign_pointer(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        dest: &Place,
        value: &Rvalue,
        span: Span,
        conditions: &mut Conditions,
    ) {
        let variable = self.place_var(frame, dest);
        if let Some(x) = variable {
            conditions.retain(|_, c| !mentions(*c, x));
        }
        if let (Some(x), Rvalue::Load(place)) = (variable, value)
            && self.place_var(frame, place).is_none()
        {
            if !self.tracked(place.ty) {
                return self.refuse("a number is read as a pointer", span);
            }
            self.check_global(*at, dest, span);
            if let Some((y, f)) = self.pointer_place(frame, at, place, span) {
                self.step(at, Statement::Load(x, y, f), span);
            }
            return;
        }
        if let Some(value) = self.pointer_value(frame, at, dest, value, span) {
            self.store_pointer(frame, at, dest, value, span);
        }
    }

    fn pointer_value(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        dest: &Place,
        value: &Rvalue,
        span: Span,
    ) -> Option<Ptr> {
        match value {
            Rvalue::Use(operand) => {
                self.refuse_bytes(frame, operand, span);
                self.pointer_operand(frame, at, operand, span)
            }
            Rvalue::PtrAdd { ptr, index, stride } if self.points_to_elements(dest.ty).is_some() => {
                let moved = self.moved_pointer(frame, at, (ptr, index, *stride), span);
                if moved.is_none() {
                    self.refuse("pointer arithmetic", span);
                }
                moved
            }
            Rvalue::Cast { kind: CastKind::PtrToPtr, arg } => {
                if !self.cast_fits(frame, at, (arg, dest.ty), span) {
                    return None;
                }
                self.pointer_operand(frame, at, arg, span)
            }
            Rvalue::Cast { arg: Operand::Const(Const::Int { value: 0, .. }), .. } => Some(Ptr::Null),
            Rvalue::Load(place) if self.tracked(place.ty) => {
                if let Some(y) = self.place_var(frame, place) {
                    return Some(Ptr::Var(y));
                }
                let (y, f) = self.pointer_place(frame, at, place, span)?;
                let x = self.scratch();
                self.step(at, Statement::Load(x, y, f), span);
                Some(Ptr::Var(x))
            }
            Rvalue::AddrOf(place) if place.path.is_empty() => match &place.base {
                PlaceBase::Deref(p) => self.pointer_operand(frame, at, p, span),
                PlaceBase::Local(l) => {
                    let v = self.address_var(frame, *l);
                    if v.is_none() {
                        self.refuse("the address of a variable outside the model", span);
                    }
                    v.map(Ptr::Var)
                }
                PlaceBase::Global(g) => {
                    let address = Const::Global { global: *g, offset: 0, ty: dest.ty };
                    self.pointer_operand(frame, at, &Operand::Const(address), span)
                }
            },
            Rvalue::AddrOf(place) => {
                if let Some(found) = self.element_address(frame, at, (place, dest.ty), span) {
                    return Some(found);
                }
                self.field_address(frame, at, (place, dest.ty), span)
            }
            _ => {
                self.refuse("pointer arithmetic", span);
                None
            }
        }
    }

    /// What a number says about pointers, if it is non-zero exactly when a condition holds.
    fn condition(&mut self, frame: &Frame<'p>, value: &Rvalue, conditions: &Conditions) -> Option<Condition> {
        match value {
            Rvalue::Use(o) => known(frame, o, conditions),
            Rvalue::Cast { kind: CastKind::IntToInt, arg } => {
                // A narrower type may drop the bits that make the value non-zero; truth values have one.
                known(frame, arg, conditions)
            }
            Rvalue::Cast { kind: CastKind::ToBool, arg } => match self.condition_var(frame, arg) {
                Some(v) => Some(Condition::NotNull(v)),
                None => known(frame, arg, conditions),
            },
            Rvalue::Compare { op: op @ (CompareOp::Eq | CompareOp::Ne), lhs, rhs } => {
                let equal = *op == CompareOp::Eq;
                let pick = |yes: Condition| if equal { yes } else { negated(yes) };
                let zero =
                    |o: &Operand| matches!(o, Operand::Const(Const::Null(_) | Const::Int { value: 0, .. }));
                let number =
                    |o: &Operand| known(frame, o, conditions).map(|c| if equal { negated(c) } else { c });
                match (self.condition_var(frame, lhs), self.condition_var(frame, rhs)) {
                    (Some(x), Some(y)) => Some(pick(Condition::Equal(x, y))),
                    (Some(x), None) if zero(rhs) => Some(pick(Condition::Null(x))),
                    (None, Some(y)) if zero(lhs) => Some(pick(Condition::Null(y))),
                    (None, None) if zero(rhs) => number(lhs),
                    (None, None) if zero(lhs) => number(rhs),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The variable that a compared pointer is.
    fn condition_var(&mut self, frame: &Frame<'p>, operand: &Operand) -> Option<VarId> {
        match operand {
            // A pointer to bytes may have been moved.
            Operand::Local(l) if frame.facts.moved(*l).is_some() => None,
            Operand::Local(l) => self.local_var(frame, *l),
            Operand::Const(Const::Global { global, offset: 0, .. }) => self.global_address(*global),
            Operand::Const(Const::Function { func, .. }) => self.function_var(*func, Span::default()),
            Operand::Const(_) => None,
        }
    }
}
