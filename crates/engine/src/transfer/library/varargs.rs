//! Variadic arguments on abstract states: the block that a call makes ([`heapwise_ir::varargs`]), `va_arg`, and
//! functions of the library that take a `va_list`.
//!
//! The tags of the arguments are cells like all others. Where the tag at the position of a `va_list` is not known, or
//! there is none, it is not known whether the argument exists and has the type that is asked for: an alarm that
//! always counts, after which nothing is claimed.

use crate::context::Context;
use crate::transfer::library::formats;
use crate::transfer::place::{Purpose, Scope};
use heapwise_heap::{Content, Fill, Object, ObjectKind, Root, State, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::varargs::{TAG_SIZE, accepts, layout, padded_size};
use heapwise_ir::{LocalId, Operand, Place, Span, Ty};
use heapwise_property::Reason;
use std::sync::Arc;

/// A further argument of a call, as the caller holds it.
pub(crate) struct Further {
    ty: Ty,
    bytes: Bytes,
}

enum Bytes {
    Scalar(Val),
    /// The object of the caller that holds the aggregate, if it is known.
    Aggregate(Option<Arc<Object>>),
}

/// What is where a `va_list` stands.
enum Next {
    /// An argument that was passed with this type.
    Argument(Ty),
    /// The end of the arguments.
    End,
    Unknown,
}

impl Context<'_> {
    /// The arguments of a call after the first `named` ones.
    pub(crate) fn further_arguments(
        &mut self,
        state: &mut State,
        scope: Scope<'_>,
        args: &[Operand],
        named: usize,
    ) -> Vec<Further> {
        let mut found = Vec::new();
        for a in args.get(named..).unwrap_or_default() {
            let Some(ty) = self.program.operand_ty(scope.body, a) else { continue };
            let bytes = match a {
                Operand::Local(l) if !self.program.types.is_scalar(ty) => {
                    let object = state.root(Root::Slot(*l)).and_then(|v| v.as_sym());
                    Bytes::Aggregate(object.and_then(|s| state.object(s).cloned()))
                }
                _ => Bytes::Scalar(self.operand(state, scope, a)),
            };
            found.push(Further { ty, bytes });
        }
        found
    }

    /// Puts the further arguments of a call into the callee's block for them.
    pub(crate) fn place_varargs(
        &mut self,
        state: &mut State,
        local: LocalId,
        args: Vec<Further>,
        site: Span,
    ) {
        let types = &self.program.types;
        let (starts, size) = layout(types, args.iter().map(|a| a.ty));
        let size = Val::int(i128::from(size));
        let mut block = Object::new(ObjectKind::Local(local), size, Fill::Uninit, site);
        for (arg, start) in args.iter().zip(starts) {
            let (at, width) = (start.saturating_add(TAG_SIZE), types.size(arg.ty));
            block.write(start, TAG_SIZE, Val::int(i128::from(arg.ty.0)));
            match &arg.bytes {
                Bytes::Scalar(v) => block.write(at, width, *v),
                Bytes::Aggregate(Some(object)) => block.copy_from(at, object, 0, width),
                Bytes::Aggregate(None) => {}
            }
        }
        let s = state.add_object(block);
        state.set_root(Root::Slot(local), Val::sym(s));
    }

    /// What the tag at an address says.
    fn next_argument(&self, state: &State, at: Val) -> Next {
        let found = state.pointer(at).and_then(|(s, offset)| {
            let object = state.object(s)?;
            // Only a stack block can be one of arguments.
            if !matches!(object.kind, ObjectKind::Local(_) | ObjectKind::Outer | ObjectKind::OuterConstant) {
                return None;
            }
            let offset = u64::try_from(state.interval(&offset).as_point()?).ok()?;
            let size = object.const_size()?;
            if offset == size {
                return Some(Next::End);
            }
            if offset.checked_add(TAG_SIZE)? > size {
                return None;
            }
            match object.read(offset, TAG_SIZE) {
                Content::Val(v) => Some(Next::Argument(Ty(u32::try_from(v.as_int()?).ok()?))),
                _ => None,
            }
        });
        found.unwrap_or(Next::Unknown)
    }

    fn bad_argument(&mut self, scope: Scope<'_>, span: Span, definite: bool, message: &str) -> Option<Val> {
        self.alarm(scope.func, Reason::Unsupported, span, definite, message.into(), Vec::new());
        None
    }

    /// The address of the bytes of the variadic argument at `at`, if it exists and has the type.
    pub(crate) fn va_arg(
        &mut self,
        state: &State,
        scope: Scope<'_>,
        at: Val,
        ty: Ty,
        span: Span,
    ) -> Option<Val> {
        match self.next_argument(state, at) {
            Next::Argument(passed) if accepts(&self.program.types, passed, ty) => {
                Some(at.plus(i128::from(TAG_SIZE)))
            }
            Next::Argument(_) => {
                self.bad_argument(scope, span, true, "the variadic argument has another type")
            }
            Next::End => self.bad_argument(scope, span, true, "there is no further variadic argument"),
            Next::Unknown => {
                let message = "it is not known whether the variadic argument exists and has this type";
                self.bad_argument(scope, span, false, message)
            }
        }
    }

    /// Makes a `va_list` indeterminate.
    pub(crate) fn va_end(
        &mut self,
        state: State,
        scope: Scope<'_>,
        list: &Operand,
        span: Span,
    ) -> Vec<State> {
        let width = self.program.types.pointer_size;
        let place = Place::deref(list.clone(), self.program.operand_ty(scope.body, list).unwrap_or(Ty(0)));
        let mut out = Vec::new();
        for (mut state, target) in self.place_target(state, scope, &place, width, span, Purpose::Write) {
            self.store_bytes(&mut state, target, width, Val::UNDEF);
            out.extend(self.swept(state, scope, span));
        }
        out
    }

    /// Why a function that takes its arguments from a `va_list` may not be called, if it is one and may not.
    ///
    /// `args` are the values of all arguments: of a `va_list` that is passed by reference its address, of one
    /// that is passed by value the position in it. The arguments that the format asks for must be there, and
    /// text must be literal, for only of that it is known where it ends.
    pub(crate) fn list_mismatch(&self, state: &State, lib: LibFn, args: &[Val]) -> Option<String> {
        let position = formats::list_position(lib)?;
        let (Some(format), Some(list)) = (args.get(position), args.get(position + 1)) else {
            return Some("arguments are missing".into());
        };
        let Some(format) = self.literal_text(state, *format) else {
            return Some("the format is not known".into());
        };
        let by_value = self.program.types.pointer_size == 4;
        let start = if by_value { Some(*list) } else { self.position_in(state, *list) };
        let Some(mut at) = start.filter(|v| !v.is_undef()) else {
            return Some("where the va_list stands is not known".into());
        };
        let mut types = Vec::new();
        loop {
            match self.next_argument(state, at) {
                Next::Argument(ty) => {
                    at = at.plus(i128::from(TAG_SIZE));
                    let value = self.scalar_at(state, at, ty);
                    let literal = value.is_some_and(|v| self.literal_text(state, v).is_some());
                    if self.program.types.pointee(ty).is_some() && !literal || value.is_none() {
                        return Some(format!("variadic argument {} is not modelled", types.len() + 1));
                    }
                    types.push(Some(ty));
                    at = at.plus(i128::from(padded_size(&self.program.types, ty)));
                }
                Next::End => break,
                Next::Unknown => return Some("the arguments of the va_list are not known".into()),
            }
        }
        formats::mismatch(self.program, &format, &types, false)
    }

    /// The initialised scalar at an address of constant offset.
    fn scalar_at(&self, state: &State, at: Val, ty: Ty) -> Option<Val> {
        let (s, offset) = state.pointer(at)?;
        let offset = u64::try_from(state.interval(&offset).as_point()?).ok()?;
        match state.object(s)?.read(offset, self.program.types.size(ty)) {
            Content::Val(v) if self.program.types.is_scalar(ty) => Some(v),
            _ => None,
        }
    }

    /// The position in the `va_list` at an address.
    fn position_in(&self, state: &State, list: Val) -> Option<Val> {
        let (s, offset) = state.pointer(list)?;
        let offset = u64::try_from(state.interval(&offset).as_point()?).ok()?;
        match state.object(s)?.read(offset, self.program.types.pointer_size) {
            Content::Val(v) => Some(v),
            _ => None,
        }
    }
}
