//! Library functions on abstract states; `docs/library.md` says what each model assumes.

use crate::context::Context;
use crate::transfer::library::formats;
use crate::transfer::memory;
use crate::transfer::place::{Purpose, Scope, Target};
use heapwise_heap::{Death, Fill, Object, ObjectKind, State, Val};
use heapwise_ir::library::{LibFn, ResultSource};
use heapwise_ir::{BinaryOp, Call, Function, GlobalInit, GlobalKind, InitValue, IntTy, Span};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Kind, Property, Reason};

/// What becomes of the argument of `free`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freed {
    Block,
    /// A block that led to nothing, beside which nothing has changed.
    Leaf,
    Nothing,
}

/// A call of a library function with the values of its arguments.
#[derive(Clone, Copy)]
pub(crate) struct LibraryCall<'a> {
    pub(crate) lib: LibFn,
    pub(crate) function: &'a Function,
    pub(crate) call: &'a Call,
    pub(crate) args: &'a [Val],
}

impl Context<'_> {
    /// A call of a modelled library function.
    pub(crate) fn library_call(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        lib: LibFn,
        function: &Function,
        call: &Call,
        span: Span,
    ) -> Vec<State> {
        let mut args: Vec<Val> = Vec::with_capacity(call.args.len());
        for a in &call.args {
            let v = self.operand(&mut state, scope, a);
            let ty = self.program.operand_ty(scope.body, a);
            args.push(match ty.filter(|t| self.program.types.is_scalar(*t)) {
                Some(ty) => self.defined(&mut state, scope, v, ty, span),
                None => v,
            });
        }
        let arg = |i: usize| args.get(i).copied().unwrap_or(Val::UNDEF);
        let stream = match lib.stream() {
            Some(i) if lib != LibFn::Fflush || arg(i) != Val::ZERO => {
                let Some(stream) = self.stream_of(&state, scope, lib, arg(i), span) else {
                    return Vec::new();
                };
                Some(stream)
            }
            _ => None,
        };
        if lib.takes_character() && !self.is_character(&mut state, scope, arg(0), span) {
            return Vec::new();
        }
        if let LibFn::Known(id) = lib {
            let library = LibraryCall { lib, function, call, args: &args };
            return self.known_call(state, scope, id.get(), library, span);
        }
        // What is asked for most has nothing to do with texts, and those look at copies of the state.
        if !matches!(lib, LibFn::Malloc | LibFn::Free | LibFn::Nondet) {
            if let Some(out) = self.text_call(&state, scope, lib, call, &args, span) {
                return out;
            }
            let library = LibraryCall { lib, function, call, args: &args };
            if let Some(out) = self.reading_call(&state, scope, library, span) {
                return out;
            }
            if let Some(out) = self.bounded_call(&state, scope, lib, call, &args, span) {
                return out;
            }
        }
        match lib {
            LibFn::Malloc => self.allocate(state, scope, call, arg(0), Fill::Uninit, span),
            LibFn::Calloc => {
                let size = IntTy { bits: (self.program.types.pointer_size * 8) as u16, signed: false };
                let exact = state.range(arg(0)).times(state.range(arg(1)));
                if !exact.is_subset(crate::transfer::value::type_range(size)) {
                    // A product that does not fit is refused, whatever `malloc` does.
                    let mut out = self.give(state.clone(), scope, call, Val::ZERO, span);
                    let (a, b) = (state.range(arg(0)), state.range(arg(1)));
                    if a.times(b).meet(crate::transfer::value::type_range(size)).is_some() {
                        let bytes = state.fresh_in(crate::transfer::value::type_range(size));
                        out.extend(self.allocate(state, scope, call, bytes, Fill::Zero, span));
                    }
                    return out;
                }
                let (bytes, _) =
                    crate::transfer::value::binary(&mut state, BinaryOp::Mul, arg(0), arg(1), size);
                self.allocate(state, scope, call, bytes, Fill::Zero, span)
            }
            LibFn::Free => {
                let mut out = Vec::new();
                for (state, freed) in self.release(state, scope, arg(0), span) {
                    match freed {
                        Freed::Leaf => {
                            self.unswept = true;
                            out.push(state);
                        }
                        Freed::Block | Freed::Nothing => out.extend(self.swept(state, scope, span)),
                    }
                }
                out
            }
            LibFn::Realloc => self.reallocate(state, scope, call, arg(0), arg(1), span),
            LibFn::Alloca => match self.stack_block(&mut state, scope, None, arg(0), span) {
                Some(block) => self.give(state, scope, call, block, span),
                None => Vec::new(),
            },
            LibFn::Exit => {
                self.program_end(&state, scope, span);
                Vec::new()
            }
            // This is no end at which blocks have to be free.
            LibFn::Abort => Vec::new(),
            LibFn::AssertFail => {
                self.demand_otherwise(&state, &[]);
                let message = "the assertion may fail".into();
                self.alarm(scope.func, ErrorKind::Assertion, span, false, message, Vec::new());
                Vec::new()
            }
            LibFn::ReachError => {
                self.program_end(&state, scope, span);
                let message = format!("`{}` may be reached", function.name);
                self.alarm(scope.func, ErrorKind::ReachError, span, false, message, Vec::new());
                Vec::new()
            }
            LibFn::AssumeShape => self.shape_statement(state, scope, arg(0), true, span),
            LibFn::CheckShape => self.shape_statement(state, scope, arg(0), false, span),
            LibFn::AssertAcyclic | LibFn::AssertUnshared => {
                let message = format!("`{}` is proved by the three-valued domain only", function.name);
                self.alarm(scope.func, ErrorKind::Assertion, span, false, message, Vec::new());
                vec![state]
            }
            LibFn::Atexit => match self.register(&mut state, scope, arg(0), span) {
                true => self.give(state, scope, call, Val::ZERO, span),
                false => Vec::new(),
            },
            LibFn::ErrnoLocation => {
                let int = call.dest.as_ref().and_then(|d| self.program.types.pointee(d.ty));
                let Some(int) = int else { return vec![state] };
                let errno = self.library_storage(&mut state, int, span);
                self.give(state, scope, call, errno, span)
            }
            LibFn::VerifierAssume => {
                let (yes, _) = self.truth(state, scope, arg(0), span);
                yes
            }
            LibFn::Nondet => match &call.dest {
                Some(dest) => {
                    let v = self.any_value(&mut state, dest.ty);
                    self.store_new(state, scope, dest, v, span)
                }
                None => vec![state],
            },
            LibFn::Fopen => self.open_stream(state, scope, function, call, &args, span),
            LibFn::Fclose | LibFn::Freopen => match stream {
                Some(stream) => self.close_stream(state, scope, (lib, function, call), &args, stream, span),
                None => Vec::new(),
            },
            LibFn::Setvbuf if args.get(1).is_some_and(|buffer| *buffer != Val::ZERO) => {
                let message = "what becomes of the buffer of a stream is not modelled".into();
                self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
                Vec::new()
            }
            LibFn::Memset => self.memset(state, scope, call, &args, span),
            LibFn::Memcpy => self.memcpy(state, scope, call, &args, true, span),
            LibFn::Memmove => self.memcpy(state, scope, call, &args, false, span),
            _ => self.by_effects(state, scope, LibraryCall { lib, function, call, args: &args }, span),
        }
    }

    /// Whether an argument may be EOF or a value of `unsigned char`, as the functions on characters demand; afterwards
    /// the state says that it is, and an alarm if it may be another.
    fn is_character(&mut self, state: &mut State, scope: Scope<'_>, v: Val, span: Span) -> bool {
        let characters = Interval { lo: Some(-1), hi: Some(255) };
        let range = state.range(v);
        if v.is_undef() || range.is_subset(characters) {
            return true;
        }
        let message = "the argument may be neither EOF nor a value of `unsigned char`";
        let sure = range.meet(characters).is_none();
        self.alarm(scope.func, ErrorKind::OutOfBounds, span, sure, message.into(), Vec::new());
        if !self.counts(ErrorKind::OutOfBounds) {
            self.alarm(scope.func, Reason::Unsupported, span, false, message.into(), Vec::new());
        }
        state.assume_in(v, characters)
    }

    /// Stores the result of a call.
    pub(crate) fn give(
        &mut self,
        state: State,
        scope: Scope<'_>,
        call: &Call,
        v: Val,
        span: Span,
    ) -> Vec<State> {
        match &call.dest {
            Some(dest) => self.store_result(state, scope, dest, v, span),
            None => self.swept(state, scope, span),
        }
    }

    fn allocate(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        call: &Call,
        size: Val,
        fill: Fill,
        span: Span,
    ) -> Vec<State> {
        let size = if size.is_undef() { Val::sym(state.fresh()) } else { size };
        let mut out = self.refused(&state, scope, call, size, span);
        if !state.assume_in(size, self.object_sizes()) {
            return out;
        }
        let s = state.add_object(Object::new(ObjectKind::Heap, size, fill, span));
        let block = Val::sym(s);
        out.extend(match &call.dest {
            Some(dest) => self.store_new(state, scope, dest, block, span),
            None => self.swept(state, scope, span),
        });
        out
    }

    /// The states in which no block is given: for sizes that no object has, and for any if that is asked for.
    fn refused(&mut self, state: &State, scope: Scope<'_>, call: &Call, size: Val, span: Span) -> Vec<State> {
        let possible = self.object_sizes();
        if !self.options.malloc_may_fail && state.range(size).is_subset(possible) {
            return Vec::new();
        }
        let mut state = state.clone();
        let largest = possible.hi.map_or(Val::ZERO, Val::int);
        if !self.options.malloc_may_fail && !state.assume_le(largest, size, true) {
            return Vec::new();
        }
        self.give(state, scope, call, Val::ZERO, span)
    }

    /// Frees what a pointer leads to.
    fn release(&mut self, state: State, scope: Scope<'_>, p: Val, span: Span) -> Vec<(State, Freed)> {
        let mut done = Vec::new();
        let mut todo = vec![(state, p, 0)];
        while let Some((mut state, p, depth)) = todo.pop() {
            if p == Val::ZERO {
                done.push((state, Freed::Nothing));
                continue;
            }
            let Some(s) = p.as_sym() else {
                let (kind, message) = if p.is_undef() {
                    (ErrorKind::Uninitialised, "the pointer is not initialised")
                } else {
                    (ErrorKind::InvalidFree, "the pointer does not lead to a heap block")
                };
                self.alarm(scope.func, kind, span, true, message.into(), Vec::new());
                if !self.counts(kind) {
                    self.alarm(scope.func, Reason::UnknownPointer, span, true, message.into(), Vec::new());
                }
                continue;
            };
            if let Some(o) = state.object(s) {
                let notes = vec![("the object is allocated here".to_owned(), o.site)];
                if o.kind != ObjectKind::Heap {
                    let message = "the pointer leads to a variable".into();
                    self.alarm(scope.func, ErrorKind::InvalidFree, span, true, message, notes);
                } else if p.off != 0 {
                    let message = "the pointer does not lead to the start of its block".into();
                    self.alarm(scope.func, ErrorKind::InvalidFree, span, true, message, notes);
                } else {
                    let leads = o.values().any(|v| crate::transfer::value::leads_on(&state, v));
                    state.remove_object(s);
                    state.set_death(s, Death::Freed(span));
                    let freed = if leads || depth > 0 { Freed::Block } else { Freed::Leaf };
                    done.push((state, freed));
                }
                continue;
            }
            if let Some(site) = state.summary_at(p, &self.preds)
                && depth < 4
            {
                for (case, [p]) in state.keeping([p], |state| state.unfold(site, &self.preds)) {
                    todo.push((case, p, depth + 1));
                }
                continue;
            }
            if depth < 4 && state.can_locate(Val::sym(s), &self.preds) {
                for (case, [p]) in state.keeping([p], |state| state.located(Val::sym(s), &self.preds)) {
                    todo.push((case, p, depth + 1));
                }
                continue;
            }
            match state.death(s) {
                Some(Death::Freed(at)) => {
                    let notes = vec![("freed here".to_owned(), at)];
                    let message = "the block was freed already".into();
                    self.alarm(scope.func, ErrorKind::DoubleFree, span, true, message, notes);
                }
                Some(Death::Scope(_)) => {
                    let message = "the pointer leads to a variable that is gone".into();
                    self.alarm(scope.func, ErrorKind::InvalidFree, span, true, message, Vec::new());
                }
                None => {
                    self.accessed = None;
                    self.demand_memory(&state, s);
                    let message = "nothing is known of the pointer".into();
                    self.alarm(scope.func, Reason::UnknownPointer, span, false, message, Vec::new());
                }
            }
        }
        done
    }

    fn reallocate(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        call: &Call,
        p: Val,
        size: Val,
        span: Span,
    ) -> Vec<State> {
        let size = if size.is_undef() { Val::sym(state.fresh()) } else { size };
        let mut out = self.refused(&state, scope, call, size, span);
        if !state.assume_in(size, self.object_sizes()) {
            return out;
        }
        let old = p.as_sym().and_then(|s| state.object(s).cloned());
        let summarised = old.is_none() && state.summary_at(p, &self.preds).is_some();
        if summarised {
            let message = "reallocation of a block inside a summary".into();
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return out;
        }
        for (mut state, freed) in self.release(state, scope, p, span) {
            if freed != Freed::Nothing {
                // For size zero the block is freed and nothing takes its place.
                let mut nothing = state.clone();
                if nothing.assume_eq(size, Val::ZERO, &self.preds) {
                    out.extend(self.give(nothing, scope, call, Val::ZERO, span));
                }
                if !state.assume_ne(size, Val::ZERO, &self.preds) {
                    continue;
                }
            }
            let mut block = Object::new(ObjectKind::Heap, size, Fill::Uninit, span);
            if let (Freed::Block | Freed::Leaf, Some(old)) = (freed, &old) {
                match (old.const_size(), block.const_size()) {
                    (Some(a), Some(b)) => block.copy_from(0, old, 0, a.min(b)),
                    (Some(a), None) => {
                        block.copy_from(0, old, 0, a);
                        // What lies past the new end is gone.
                        for (off, c) in old.cells() {
                            let end = Val::int(i128::from(off.saturating_add(c.width)));
                            if !state.knows_le(end, size, false) {
                                block.smear(off, off.saturating_add(c.width));
                            }
                        }
                    }
                    (None, Some(b)) if state.knows_le(block.size, old.size, false) => {
                        block.copy_from(0, old, 0, b);
                    }
                    // How much there is to copy is not known: only what was written cell by cell is there.
                    (None, Some(b)) => {
                        for (off, c) in old.cells().filter(|(off, c)| off + c.width <= b) {
                            block.write(off, c.width, c.val);
                        }
                    }
                    (None, None) => {}
                }
            }
            let s = state.add_object(block);
            out.extend(self.give(state, scope, call, Val::sym(s), span));
        }
        out
    }

    fn memset(
        &mut self,
        state: State,
        scope: Scope<'_>,
        call: &Call,
        args: &[Val],
        span: Span,
    ) -> Vec<State> {
        let [p, byte, len] = *args else { return vec![state] };
        let mut out = Vec::new();
        let Some(n) = len.as_int().and_then(|n| u64::try_from(n).ok()) else {
            return self.unknown_extent(state, scope, span);
        };
        if n == 0 {
            return self.give(state, scope, call, p, span);
        }
        for (mut state, target) in self.locate(state, scope, p, n, span, Purpose::Write) {
            let p = memory::start(&mut state, target);
            match target {
                Target::Bytes(s, off) => {
                    let zero = byte.as_int().is_some_and(|b| b & 0xff == 0);
                    let at = Val::int(i128::from(off));
                    memory::change(&mut state, s, at, n, true, |o| {
                        o.fill(off, off + n, if zero { Fill::Zero } else { Fill::Unknown });
                        if let Some(b) = byte.as_int().filter(|_| !zero && n <= 64) {
                            for at in off..off + n {
                                o.write(at, 1, Val::int(b & 0xff));
                            }
                        }
                    });
                }
                Target::Range(..) => memory::overwrite_target(&mut state, target, n, Fill::Unknown),
            }
            out.extend(self.give(state, scope, call, p, span));
        }
        out
    }

    fn memcpy(
        &mut self,
        state: State,
        scope: Scope<'_>,
        call: &Call,
        args: &[Val],
        apart: bool,
        span: Span,
    ) -> Vec<State> {
        let [to, from, len] = *args else { return vec![state] };
        let Some(n) = len.as_int().and_then(|n| u64::try_from(n).ok()) else {
            return self.unknown_extent(state, scope, span);
        };
        if n == 0 {
            return self.give(state, scope, call, to, span);
        }
        let mut out = Vec::new();
        let sources = state.keeping([to], |state| self.locate(state, scope, from, n, span, Purpose::Read));
        for ((state, source), [to]) in sources {
            let clean = memory::target_is_initialised(&state, source, n);
            let targets = state.keeping([Val::sym(source.object())], |state| {
                self.locate(state, scope, to, n, span, Purpose::Write)
            });
            for ((mut state, target), [from]) in targets {
                let from = from.as_sym();
                let bytes = from.and_then(|s| state.object(s).cloned());
                let p = memory::start(&mut state, target);
                match (target, source, bytes) {
                    (Target::Bytes(d, off), Target::Bytes(_, at), Some(bytes)) => {
                        if apart && from == Some(d) && off != at && off.abs_diff(at) < n {
                            let message = "the ranges of the copy overlap".into();
                            self.alarm(scope.func, ErrorKind::OutOfBounds, span, true, message, Vec::new());
                            continue;
                        }
                        if let Some(o) = state.object_mut(d) {
                            o.copy_from(off, &bytes, at, n);
                        }
                    }
                    _ => {
                        if apart && from.is_none_or(|s| s == target.object()) {
                            let message = "the ranges of the copy may overlap".into();
                            self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, Vec::new());
                        }
                        let fill = if clean { Fill::Unknown } else { Fill::Uninit };
                        memory::overwrite_target(&mut state, target, n, fill);
                    }
                }
                out.extend(self.give(state, scope, call, p, span));
            }
        }
        out
    }

    fn unknown_extent(&mut self, state: State, scope: Scope<'_>, span: Span) -> Vec<State> {
        let _ = state;
        let message = "the number of bytes is not known".into();
        self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, Vec::new());
        if !self.counts(ErrorKind::OutOfBounds) {
            let message = "the number of bytes is not known".into();
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
        }
        Vec::new()
    }

    /// A function of which only its effects are modelled.
    fn by_effects(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Vec<State> {
        let LibraryCall { lib, call, args, .. } = library;
        let effects = lib.effects();
        if effects.noreturn {
            self.program_end(&state, scope, span);
            return Vec::new();
        }
        let Some(checked) = self.checked_arguments(state, scope, library, span) else {
            return Vec::new();
        };
        state = checked;
        let v = match effects.result {
            ResultSource::Argument(i) => args.get(usize::from(i)).copied().unwrap_or(Val::UNDEF),
            _ => match &call.dest {
                Some(d) => self.any_value(&mut state, d.ty),
                None => Val::ZERO,
            },
        };
        self.give(state, scope, call, v, span)
    }

    /// What a function of which only its effects are modelled does to its arguments: nothing if it must be given up.
    pub(crate) fn checked_arguments(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        LibraryCall { lib, function, call, args }: LibraryCall<'_>,
        span: Span,
    ) -> Option<State> {
        let effects = lib.effects();
        // Undefined for some arguments whose values the model does not look at.
        let touches = matches!(lib, LibFn::Div)
            || matches!(lib, LibFn::Abs) && self.options.properties.has(Property::Overflow)
            || effects.unsupported
            || !effects.frees.is_empty() && !matches!(lib, LibFn::Fclose | LibFn::Freopen)
            || !effects.retains.is_empty()
            || !effects.calls.is_empty()
            || matches!(effects.result, ResultSource::NewBlock);
        if touches {
            let message = format!("the effect of `{}` on memory is not modelled", function.name);
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return None;
        }
        let mismatch = self.format_mismatch(&state, scope, lib, call, args);
        if let Some(reason) = mismatch.or_else(|| self.list_mismatch(&state, lib, args)) {
            let message = format!("`{}`: {reason}", function.name);
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return None;
        }
        let list = formats::list_position(lib).map(|format| format + 1);
        if let Some(list) =
            list.filter(|i| self.is_pointer_arg(scope, call, *i)).and_then(|i| call.args.get(i))
        {
            // Where it stands afterwards is indeterminate. It is one object, or it would not have fitted.
            state = self.va_end(state, scope, list, span).pop()?;
        }
        for (i, v) in args.iter().enumerate().filter(|(i, _)| Some(*i) != list) {
            let reads = effects.reads.contains(i) && self.is_pointer_arg(scope, call, i);
            let writes = effects.writes.contains(i) && self.is_pointer_arg(scope, call, i);
            // `freopen` of no name changes how the same file is used.
            let unnamed = lib == LibFn::Freopen && i == 0 && *v == Val::ZERO;
            if !reads && !writes || unnamed {
                continue;
            }
            // Strings are read up to a zero that is not tracked: only constant and literal text is known to end.
            let Some(o) = v.as_sym().and_then(|s| state.object(s)) else {
                let message = format!("argument {} of `{}` may not be valid", i + 1, function.name);
                let kind = if *v == Val::ZERO {
                    Kind::from(ErrorKind::NullDeref)
                } else {
                    Reason::UnknownPointer.into()
                };
                self.alarm(scope.func, kind, span, *v == Val::ZERO, message, Vec::new());
                continue;
            };
            let literal = matches!(o.kind, ObjectKind::Global(g)
                if self.program.globals.get(g).is_some_and(|g| g.kind == GlobalKind::Literal));
            let inside = v.off >= 0 && o.const_size().is_some_and(|n| v.off < i128::from(n));
            let inside = inside && reads_within(&state, lib, args, i, o.size.plus(-v.off));
            if writes || !literal || !inside {
                let message = format!("`{}` may go past the end of argument {}", function.name, i + 1);
                self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, Vec::new());
                if writes
                    && let Some(s) = v.as_sym()
                    && let Some(o) = state.object_mut(s)
                {
                    let end = o.const_size().unwrap_or(u64::MAX >> 1);
                    o.smear(0, end);
                }
            }
        }
        Some(state)
    }

    /// Why the arguments of a formatted input or output do not fit its format, as far as that is known.
    pub(crate) fn format_mismatch(
        &self,
        state: &State,
        scope: Scope<'_>,
        lib: LibFn,
        call: &Call,
        args: &[Val],
    ) -> Option<String> {
        let position = formats::format_position(lib)?;
        let format = args.get(position).and_then(|v| self.literal_text(state, *v));
        let Some(format) = format else { return Some("the format is not known".into()) };
        let rest = call.args.get(position + 1..).unwrap_or_default();
        let types: Vec<_> = rest.iter().map(|a| self.program.operand_ty(scope.body, a)).collect();
        formats::mismatch(
            self.program,
            &format,
            &types,
            matches!(lib, LibFn::Scanf | LibFn::Fscanf | LibFn::Sscanf),
        )
    }

    /// The bytes of a string literal from where a value points on, if it points into one.
    pub(crate) fn literal_text(&self, state: &State, v: Val) -> Option<Vec<u8>> {
        let ObjectKind::Global(g) = state.object(v.as_sym()?)?.kind else { return None };
        let global = self.program.globals.get(g).filter(|g| g.kind == GlobalKind::Literal && g.constant)?;
        let GlobalInit::Data(pieces) = &global.init else { return None };
        let mut bytes = vec![0; usize::try_from(global.size).ok()?];
        for piece in pieces {
            let InitValue::Bytes(data) = &piece.value else { return None };
            let at = usize::try_from(piece.offset).ok()?;
            bytes.get_mut(at..at.checked_add(data.len())?)?.copy_from_slice(data);
        }
        Some(bytes.get(usize::try_from(v.off).ok()?..)?.to_vec())
    }

    /// Whether two addresses are in different string literals that compilers may keep in one place: their bytes are the
    /// same as far as both go.
    pub(crate) fn may_share(&self, state: &State, a: Val, b: Val) -> bool {
        let literal = |v: Val| {
            let (s, offset) = state.pointer(v)?;
            let ObjectKind::Global(g) = state.object(s)?.kind else { return None };
            let global = self.program.globals.get(g)?;
            let place = offset.as_val().and_then(Val::as_int).map(|off| Val::sym(s).plus(off));
            (global.kind == GlobalKind::Literal).then_some((g, place))
        };
        let (Some((g, p)), Some((h, q))) = (literal(a), literal(b)) else { return false };
        let texts = || Some((self.literal_text(state, p?)?, self.literal_text(state, q?)?));
        g != h && texts().is_none_or(|(x, y)| x.iter().zip(&y).all(|(x, y)| x == y))
    }

    fn is_pointer_arg(&self, scope: Scope<'_>, call: &Call, i: usize) -> bool {
        call.args
            .get(i)
            .and_then(|a| self.program.operand_ty(scope.body, a))
            .is_some_and(|t| self.program.types.pointee(t).is_some())
    }
}

/// Whether a function that is given the number of bytes to read stays within so many; the others stop at the end of a
/// text.
fn reads_within(state: &State, lib: LibFn, args: &[Val], position: usize, room: Val) -> bool {
    let count = |i: usize| args.get(i).copied().unwrap_or(Val::UNDEF);
    let bytes = match (lib, position) {
        (LibFn::Memcmp, _) | (LibFn::Memchr | LibFn::Memrchr, 0) | (LibFn::Write, 1) => count(2),
        (LibFn::Memmem, _) => count(position + 1),
        (LibFn::Fwrite, 0) => {
            let product = count(1).as_int().zip(count(2).as_int()).and_then(|(n, m)| n.checked_mul(m));
            return product.is_some_and(|n| state.knows_le(Val::int(n), room, false));
        }
        _ => return true,
    };
    state.knows_le(bytes, room, false)
}
