//! Streams on abstract states: each open stream is an object of its own that only the library looks into.
//!
//! Opening gives null or a new object; closing ends its life, and what is left is a pointer to dead memory. Alarms are of
//! the kinds that blocks of memory have: a closed stream that is used is a use after free, one that is closed again a
//! double free, and closing what is no stream an invalid free. A stream that nothing points to any more is forgotten: it
//! is no memory that the program allocated.
//!
//! `printf` and others use a standard stream that no argument names. A function that calls them need not have the stream
//! in its part of the state, so closing a standard stream is followed only in programs that call none of them.

use crate::context::Context;
use crate::transfer::library::models::LibraryCall;
use crate::transfer::place::Scope;
use heapwise_heap::{Death, Fill, Object, ObjectKind, State, Sym, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::visit::statement_operands;
use heapwise_ir::{
    Call, Callee, Const, FuncId, Function, GlobalInit, InitValue, Operand, Span, StatementKind, Ty, Type,
};
use heapwise_property::{ErrorKind, Kind, Reason};

/// Size of glibc's `FILE`; nothing depends on it.
const SIZE: i128 = 216;

/// A stream that is open.
pub(crate) fn stream(standard: Option<u8>, site: Span) -> Object {
    Object::new(ObjectKind::Stream(standard), Val::int(SIZE), Fill::Unknown, site)
}

/// The descriptor of the standard stream that a function uses without being told.
fn implied(lib: LibFn) -> Option<u8> {
    use LibFn as L;
    Some(match lib {
        L::Getchar | L::Scanf => 0,
        L::Printf | L::PrintfChk | L::Vprintf | L::VprintfChk | L::Puts | L::Putchar => 1,
        L::Perror => 2,
        _ => return None,
    })
}

impl Context<'_> {
    /// The open stream that an argument is; the alarm if it may be none.
    pub(crate) fn stream_of(
        &mut self,
        state: &State,
        scope: Scope<'_>,
        lib: LibFn,
        v: Val,
        span: Span,
    ) -> Option<Sym> {
        let closing = lib == LibFn::Fclose;
        let mut notes = Vec::new();
        let object = v.as_sym().and_then(|s| Some((s, state.object(s)?)));
        let death = v.as_sym().and_then(|s| state.death(s));
        let (kind, sure, message) = match (object, death) {
            (Some((s, o)), _) if matches!(o.kind, ObjectKind::Stream(_)) && v.off == 0 => return Some(s),
            _ if v == Val::ZERO => (Kind::from(ErrorKind::NullDeref), true, "the stream is null"),
            (Some((_, o)), _) => {
                notes.push(("the object is allocated here".to_owned(), o.site));
                let kind =
                    if closing { ErrorKind::InvalidFree.into() } else { Reason::UnknownPointer.into() };
                (kind, true, "the argument is no stream")
            }
            (None, Some(Death::Freed(at))) => {
                notes.push(("closed or freed here".to_owned(), at));
                let kind = if closing { ErrorKind::DoubleFree } else { ErrorKind::UseAfterFree };
                (kind.into(), true, "the stream was closed already")
            }
            (None, Some(Death::Scope(at))) => {
                notes.push(("it went out of scope here".to_owned(), at));
                (ErrorKind::UseAfterScope.into(), true, "the argument leads to a variable that is gone")
            }
            (None, None) if state.compare(v, Val::ZERO, Some(&self.preds)) == Some(false) => {
                (Reason::UnknownPointer.into(), false, "the argument is not known to be a stream")
            }
            (None, None) => (
                Reason::UnknownPointer.into(),
                false,
                "the argument is not known to be a stream; it may be null",
            ),
        };
        self.alarm(scope.func, kind, span, sure, message.into(), notes);
        if !self.counts(kind) {
            self.alarm(scope.func, Reason::UnknownPointer, span, sure, message.into(), Vec::new());
        }
        None
    }

    /// `fopen` and its relatives.
    pub(crate) fn open_stream(
        &mut self,
        state: State,
        scope: Scope<'_>,
        function: &Function,
        call: &Call,
        args: &[Val],
        span: Span,
    ) -> Vec<State> {
        let checked = self.checked_arguments(
            state,
            scope,
            LibraryCall { lib: LibFn::Fopen, function, call, args },
            span,
        );
        let Some(mut state) = checked else { return Vec::new() };
        let mut out = self.give(state.clone(), scope, call, Val::ZERO, span);
        let opened = state.add_object(stream(None, span));
        out.extend(self.give(state, scope, call, Val::sym(opened), span));
        out
    }

    /// `fclose` and its relatives, and `freopen`, which closes the stream if it does not give it back.
    pub(crate) fn close_stream(
        &mut self,
        state: State,
        scope: Scope<'_>,
        (lib, function, call): (LibFn, &Function, &Call),
        args: &[Val],
        stream: Sym,
        span: Span,
    ) -> Vec<State> {
        let checked = self.checked_arguments(state, scope, LibraryCall { lib, function, call, args }, span);
        let Some(mut state) = checked else { return Vec::new() };
        let standard = match state.object(stream).map(|o| o.kind) {
            Some(ObjectKind::Stream(standard)) => standard,
            _ => None,
        };
        if standard.is_some() && self.options.function.is_some() {
            let message = "a contract does not say that a standard stream is closed";
            self.alarm(scope.func, Reason::Unsupported, span, false, message.into(), Vec::new());
            return Vec::new();
        }
        if standard.is_some() && self.options.declarations.has_library {
            let message = "whether functions that are known by a contract use a standard stream after it was closed is not followed";
            self.alarm(scope.func, Reason::Unsupported, span, false, message.into(), Vec::new());
            return Vec::new();
        }
        if let Some(user) = standard.and_then(|d| self.user_of(d)) {
            let message = format!("whether `{user}` is called after its stream was closed is not followed");
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return Vec::new();
        }
        if &*function.name == "closedir" && !self.end_entries(&mut state, scope, span) {
            let message =
                "whether entries of the directory are used after it was closed is not followed".into();
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return Vec::new();
        }
        let mut out = Vec::new();
        let mut result = Val::ZERO;
        if lib == LibFn::Freopen {
            out = self.give(state.clone(), scope, call, Val::sym(stream), span);
        } else if let Some(dest) = &call.dest {
            result = self.any_value(&mut state, dest.ty);
        }
        state.remove_object(stream);
        state.set_death(stream, Death::Freed(span));
        out.extend(self.give(state, scope, call, result, span));
        out
    }

    /// Ends the life of all entries that `readdir` gave, since which directory they belong to is not followed. `false` if some
    /// may be out of sight: only those that this function asked for are at hand.
    fn end_entries(&self, state: &mut State, scope: Scope<'_>, span: Span) -> bool {
        let reads =
            |f: FuncId| self.program.functions.get(f).is_some_and(|f| f.library == Some(LibFn::Readdir));
        let in_table = |v: &InitValue| matches!(v, InitValue::FunctionAddr(f) if reads(*f));
        if self.program.globals.iter().any(|g| match &g.init {
            GlobalInit::Data(pieces) => pieces.iter().any(|p| in_table(&p.value)),
            _ => false,
        }) {
            return false;
        }
        let mut records = Vec::new();
        for f in self.program.functions.indices() {
            let Some(body) = self.program.body(f) else { continue };
            let mut asked = false;
            for statement in body.blocks.iter().flat_map(|b| &b.statements) {
                if let StatementKind::Call(Call { callee: Callee::Direct(target), dest, .. }) =
                    &statement.kind
                    && reads(*target)
                {
                    asked = true;
                    records.extend(dest.as_ref().and_then(|d| self.program.types.pointee(d.ty)));
                }
                statement_operands(statement, &mut |op| {
                    asked |= matches!(op, Operand::Const(Const::Function { func, .. }) if reads(*func));
                });
            }
            let gives = matches!(
                self.program.functions.get(f).map(|f| self.program.types.get(f.ty)),
                Some(Type::Function { ret, .. }) if self.program.types.pointee(*ret).is_some()
            );
            if asked && (f != scope.func || gives) {
                return false;
            }
        }
        let of_entry = |o: &Object| {
            let record = |ty: &Ty| match self.program.types.get(*ty) {
                Type::Record(r) => Some(*r),
                _ => None,
            };
            o.kind == ObjectKind::Library
                && records.iter().any(|ty| record(ty).is_none() || record(ty) == o.record)
        };
        let entries: Vec<Sym> = state.objects().filter(|(_, o)| of_entry(o)).map(|(s, _)| s).collect();
        for s in entries {
            state.remove_object(s);
            state.set_death(s, Death::Freed(span));
        }
        true
    }

    /// A function that the program may call and that uses a standard stream without being told.
    fn user_of(&self, descriptor: u8) -> Option<String> {
        let mut found = None;
        let mut look = |f: FuncId| {
            let function = self.program.functions.get(f);
            let lib = function.and_then(|f| f.library);
            if lib.and_then(implied) == Some(descriptor) {
                found = function.map(|f| f.name.to_string());
            }
        };
        for global in self.program.globals.iter() {
            let GlobalInit::Data(pieces) = &global.init else { continue };
            for piece in pieces {
                if let InitValue::FunctionAddr(f) = piece.value {
                    look(f);
                }
            }
        }
        for f in self.program.functions.indices() {
            let Some(body) = self.program.body(f) else { continue };
            for statement in body.blocks.iter().flat_map(|b| &b.statements) {
                if let StatementKind::Call(Call { callee: Callee::Direct(f), .. }) = statement.kind {
                    look(f);
                }
                statement_operands(statement, &mut |op| {
                    if let Operand::Const(Const::Function { func, .. }) = op {
                        look(*func);
                    }
                });
            }
        }
        found
    }
}
