//! Calls: those of defined functions are left to the solver, allocation and `free` become statements, other library functions
//! pass if they touch no memory of the program.

use crate::body::{Conditions, Effect, Frame, Translator, known};
use crate::place::{FieldKey, Ptr, allocated_size};
use heapwise_ir::library::{ArgSet, Effects, LibFn};
use heapwise_ir::{
    Call, Callee, Const, Function, FunctionBody, GlobalId, GlobalInit, InitValue, LocalId, Operand, Place,
    Span, Type,
};
use heapwise_property::{ErrorKind, Property};
use heapwise_tvl::program::{LocationId, Property as Asserted, Statement};

/// Scalars in a structure of which shapes are asserted.
const MAX_LINKS: usize = 1_000;

impl<'p> Translator<'p> {
    /// Translates a call; true if control does not come back.
    pub(crate) fn call(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        call: &'p Call,
        span: Span,
        conditions: &mut Conditions,
    ) -> bool {
        let assumed = call.args.first().and_then(|a| known(frame, a, conditions));
        // A call may change any global that a condition is about; dropping all is safe.
        conditions.clear();
        let func = match &call.callee {
            Callee::Direct(func) => *func,
            Callee::Indirect(pointer) => {
                match self.indirect_call(frame, at, (call, pointer), span) {
                    Some(f) => self.take_result(frame, at, call, f, span),
                    None => self.refuse("a call through a function pointer", span),
                }
                return false;
            }
        };
        let Some(f) = self.source.functions.get(func) else { return true };
        // The call itself is the error, whether the program defines the function or not.
        if LibFn::lookup(&f.name) == Some(LibFn::ReachError) {
            self.program_ends(at, span);
            self.must_not_reach(*at, ErrorKind::ReachError, span);
            return true;
        }
        if !matches!(f.body, FunctionBody::Declared) {
            self.defined_call(frame, at, call, &[func], span);
            let way = vec![(func, *at)];
            self.away(at, way);
            self.take_result(frame, at, call, f, span);
            return false;
        }
        let Some(library) = f.library else {
            self.refuse(format!("`{}` is not defined and not known", f.name), span);
            return true;
        };
        match library {
            LibFn::Malloc | LibFn::Calloc => {
                self.allocate(frame, at, call, library, span);
                return false;
            }
            LibFn::Free => {
                if let Some(arg) = call.args.first()
                    && let Some(Ptr::Var(x)) = self.pointer_operand(frame, at, arg, span)
                {
                    self.step(at, Statement::Free(x), span);
                }
                return false;
            }
            LibFn::AssertFail => {
                self.program_ends(at, span);
                self.must_not_reach(*at, ErrorKind::Assertion, span);
                return true;
            }
            LibFn::AssertAcyclic | LibFn::AssertUnshared => {
                self.shape_assertion(frame, at, call, f, library, span);
                return false;
            }
            LibFn::VerifierAssume => {
                if let Some(c) = assumed {
                    self.step(at, Statement::Assume(c), span);
                }
                return false;
            }
            _ => {}
        }
        if self.whole_copy(frame, at, (call, library), span)
            || self.block_copy(frame, at, (call, library), span)
        {
            return false;
        }
        if library.stream().is_some() || library.takes_character() {
            // Neither which streams are open nor numbers are followed.
            self.refuse(format!("the argument of `{}` may be out of its domain", f.name), span);
            return true;
        }
        self.library_call(frame, at, call, f, library, span);
        if library.effects().noreturn {
            self.program_ends(at, span);
        }
        library.effects().noreturn
    }

    /// An assertion about the walks from a pointer along each link of its structure to itself.
    fn shape_assertion(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        call: &'p Call,
        f: &Function,
        library: LibFn,
        span: Span,
    ) {
        let record = match self.source.types.get(f.ty) {
            Type::Function { params, .. } if params.len() == 1 => self.source.types.pointee(params[0]),
            _ => None,
        };
        let (Some(record), [arg]) = (record, &call.args[..]) else {
            return self.refuse(format!("`{}` needs one parameter, a pointer to a structure", f.name), span);
        };
        let Type::Record(id) = *self.source.types.get(record) else {
            return self.refuse(format!("`{}` needs one parameter, a pointer to a structure", f.name), span);
        };
        let Some(Ptr::Var(x)) = self.pointer_operand(frame, at, arg, span) else { return };
        let mut links = self.source.types.scalars(record, MAX_LINKS);
        if links.len() > MAX_LINKS {
            return self.refuse(format!("`{}` is about a structure that is too large", f.name), span);
        }
        links.retain(|(_, ty)| self.source.types.pointee(*ty) == Some(record));
        for (offset, ty) in links {
            let field = self.field(FieldKey::Member(id, offset), ty);
            let property = match library {
                LibFn::AssertAcyclic => Asserted::Acyclic(x, field),
                _ => Asserted::Unshared(x, field),
            };
            self.step(at, Statement::Assert(property), span);
        }
    }

    /// Stores what a function returned.
    fn take_result(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        call: &Call,
        callee: &Function,
        span: Span,
    ) {
        let types = &self.source.types;
        let returned = match *types.get(callee.ty) {
            Type::Function { ret, .. } => Some(ret),
            _ => None,
        };
        let Some(dest) = &call.dest else {
            let result = self.result_var();
            if returned.is_some_and(|ty| matches!(types.get(ty), Type::Record(_))) {
                self.step(at, Statement::End(result), span);
            }
            return self.step(at, Statement::SetNull(result), span);
        };
        if self.tracked(dest.ty) && returned.and_then(|ty| types.pointee(ty)) != types.pointee(dest.ty) {
            self.refuse(format!("`{}` returns a pointer of another type than is used", callee.name), span);
        } else if self.tracked(dest.ty) {
            let result = self.result_var();
            self.store_pointer(frame, at, dest, Ptr::Var(result), span);
            self.step(at, Statement::SetNull(result), span);
        } else if self.source.types.is_scalar(dest.ty) {
            self.write_data(frame, at, dest, span);
        } else {
            let result = self.result_var();
            if returned == Some(dest.ty) {
                self.take_object(frame, at, (dest, result), span);
            } else {
                self.refuse(format!("`{}` returns a structure of another type", callee.name), span);
            }
            self.step(at, Statement::End(result), span);
            self.step(at, Statement::SetNull(result), span);
        }
    }

    fn library_call(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        call: &'p Call,
        f: &Function,
        library: LibFn,
        span: Span,
    ) {
        let effects = library.effects();
        let outside = effects.unsupported
            || library.allocates()
            || effects.frees != ArgSet::NONE
            || effects.retains != ArgSet::NONE
            || effects.calls != ArgSet::NONE
            || effects.writes != ArgSet::NONE
            || self.options.properties.has(Property::Overflow) && library == LibFn::Abs
            || matches!(library, LibFn::AssumeShape | LibFn::CheckShape | LibFn::PthreadNothing | LibFn::Div);
        if outside {
            return self.refuse(format!("`{}` is outside the three-valued memory model", f.name), span);
        }
        for (i, arg) in call.args.iter().enumerate() {
            let Some(ty) = self.source.operand_ty(frame.body, arg) else { continue };
            match self.source.types.get(ty) {
                Type::Pointer(_) => {
                    let literal = self.literal(frame, arg);
                    if self.tracked(ty) || literal.is_none() {
                        self.refuse(format!("argument {} of `{}` is a pointer", i + 1, f.name), span);
                    } else if effects.reads.contains(i)
                        && !self.format_is_plain(frame, call, library, effects)
                    {
                        self.refuse(format!("`{}` reads strings", f.name), span);
                    }
                }
                _ => self.data_operand(frame, at, arg, span),
            }
        }
        if let Some(dest) = &call.dest {
            if self.source.types.is_scalar(dest.ty)
                && !matches!(self.source.types.get(dest.ty), Type::Pointer(_))
            {
                self.write_data(frame, at, dest, span);
            } else {
                self.refuse(format!("`{}` returns a pointer or structure", f.name), span);
            }
        }
    }

    /// The string literal that an argument is.
    fn literal(&self, frame: &Frame<'p>, arg: &Operand) -> Option<GlobalId> {
        match arg {
            Operand::Local(l) => frame.facts.literal(*l),
            Operand::Const(Const::Global { global, offset: 0, .. }) => {
                let literal = |g: &heapwise_ir::Global| g.kind == heapwise_ir::GlobalKind::Literal;
                self.source.globals.get(*global).is_some_and(literal).then_some(*global)
            }
            Operand::Const(_) => None,
        }
    }

    /// Whether a call prints numbers by a literal format that has one conversion for each of them.
    fn format_is_plain(&self, frame: &Frame<'p>, call: &Call, library: LibFn, effects: Effects) -> bool {
        if library != LibFn::Printf {
            // One literal that ends: every reader of a string is content with it.
            return matches!(library, LibFn::Puts) && effects.io;
        }
        let Some(format) = call.args.first().and_then(|a| self.literal(frame, a)) else { return false };
        let Some(GlobalInit::Data(pieces)) = self.source.globals.get(format).map(|g| &g.init) else {
            return false;
        };
        let [piece] = &pieces[..] else { return false };
        let InitValue::Bytes(bytes) = &piece.value else { return false };
        let mut conversions = Vec::new();
        let mut text = bytes.iter();
        while let Some(&b) = text.next() {
            if b != b'%' {
                continue;
            }
            match text.next() {
                Some(b'%') => {}
                Some(b'd' | b'i' | b'u' | b'x' | b'c') => conversions.push(32),
                _ => return false,
            }
        }
        let numbers = &call.args[1..];
        numbers.len() == conversions.len()
            && numbers.iter().all(|a| {
                let ty = self.source.operand_ty(frame.body, a);
                ty.and_then(|t| self.source.types.as_int(t)).is_some_and(|i| i.bits == 32)
            })
    }

    fn allocate(&mut self, frame: &Frame<'p>, at: &mut LocationId, call: &Call, library: LibFn, span: Span) {
        let size = allocated_size(Some(library), &call.args);
        let local = call.dest.as_ref().and_then(Place::as_local);
        if let (None, Some(local)) = (size, local)
            && let Some(ty) = frame.facts.type_of_allocated(local)
            && self.points_to_elements(ty).is_some()
        {
            return self.allocate_block(frame, at, (call, library, local), span);
        }
        let (Some(size), Some(local)) = (size, local) else {
            return self.refuse("an allocation whose size or use is not plain", span);
        };
        let Some(x) = self.local_var(frame, local) else {
            return self.refuse("an allocation for something that is no structure", span);
        };
        let pointee = frame.body.locals.get(local).and_then(|l| self.source.types.pointee(l.ty));
        if pointee.is_some_and(|to| self.source.types.size(to) > size) {
            return self.refuse("an allocation smaller than the structure it is for", span);
        }
        let next = self.location();
        // No object is larger than pointers have distances.
        let too_large = size > (u64::MAX >> 1) >> (64 - 8 * self.source.types.pointer_size.clamp(1, 8));
        if self.options.malloc_may_fail || too_large {
            self.edge(*at, Statement::SetNull(x), next, span);
        }
        if !too_large {
            self.step(at, Statement::New { target: x, zeroed: library == LibFn::Calloc }, span);
            self.mark_constant(at, x, false, span);
            let typed = frame.facts.type_of_block(local).or_else(|| frame.facts.type_of_allocated(local));
            let ty = typed.or(frame.body.locals.get(local).map(|l| l.ty));
            let ty = ty.and_then(|ty| self.source.types.pointee(ty));
            self.mark_kind(at, x, ty, span);
            self.mark_size(at, x, vec![bytes(size)], span);
            self.edge(*at, Statement::Skip, next, span);
        }
        *at = next;
    }

    /// Allocates a block of numbers, of a size that is not constant.
    fn allocate_block(
        &mut self,
        frame: &Frame<'p>,
        at: &mut LocationId,
        (call, library, local): (&Call, LibFn, LocalId),
        span: Span,
    ) {
        let Some(x) = self.local_var(frame, local) else {
            return self.refuse("an allocation for something that is no structure", span);
        };
        for arg in &call.args {
            self.data_operand(frame, at, arg, span);
        }
        let next = self.location();
        if self.options.malloc_may_fail {
            self.edge(*at, Statement::SetNull(x), next, span);
        }
        let none = self.location();
        self.effect_edge(*at, Effect::Fits(call.args.clone(), false), none, span);
        self.edge(none, Statement::SetNull(x), next, span);
        let fits = self.location();
        self.effect_edge(*at, Effect::Fits(call.args.clone(), true), fits, span);
        *at = fits;
        self.step(at, Statement::New { target: x, zeroed: library == LibFn::Calloc }, span);
        self.mark_constant(at, x, false, span);
        let ty = frame.facts.type_of_allocated(local).and_then(|ty| self.source.types.pointee(ty));
        self.mark_kind(at, x, ty, span);
        self.mark_size(at, x, call.args.clone(), span);
        self.edge(*at, Statement::Skip, next, span);
        *at = next;
    }
}

/// A number of bytes.
fn bytes(value: u64) -> Operand {
    Operand::Const(Const::Int { value: i128::from(value), ty: heapwise_ir::Ty(0) })
}
