//! Functions that read values out of texts and streams and put them where pointers lead: `scanf` and its relatives, `strtol` and
//! its relatives, `getline`, `readdir`; and others that store a number through a pointer.

use super::bounded::{COUNT, end_text, held, hold, let_go, write_text};
use super::formats::{self, Scanned};
use crate::context::Context;
use crate::transfer::library::models::LibraryCall;
use crate::transfer::library::strings::sum;
use crate::transfer::memory;
use crate::transfer::place::{Purpose, Scope};
use heapwise_heap::{Content, Fill, Object, ObjectKind, State, Val};
use heapwise_ir::Span;
use heapwise_ir::library::LibFn;
use heapwise_ir::library::contract::DATES;
use heapwise_numeric::Interval;
use heapwise_property::Reason;

/// Most conversions of a format that are followed one by one.
const MOST_SCANNED: usize = 8;

impl Context<'_> {
    /// A call of one of these functions; `None` if it is not one of them, or is used in a way that is not modelled.
    pub(crate) fn reading_call(
        &mut self,
        state: &State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Option<Vec<State>> {
        use LibFn as L;
        let mut state = state.clone();
        match library.lib {
            L::Scanf | L::Fscanf | L::Sscanf => self.scan(state, scope, library, span),
            L::Strtol | L::Strtoul | L::Strtoll | L::Strtoull | L::Strtod
                if library.args.get(1) != Some(&Val::ZERO) =>
            {
                Some(self.convert(state, scope, library, span))
            }
            L::Getline => Some(self.getline(state, scope, library, span)),
            L::Getopt | L::GetoptLong => Some(self.getopt(state, scope, library, span)),
            L::Strerror => {
                let text = self.environment_text(&mut state, false, span);
                Some(self.give(state, scope, library.call, Val::sym(text), span))
            }
            L::Readdir => {
                let dest = library.call.dest.as_ref();
                let Some(to) = dest.and_then(|d| self.program.types.pointee(d.ty)) else {
                    return Some(vec![state]);
                };
                let mut out = self.give(state.clone(), scope, library.call, Val::ZERO, span);
                let entry = self.library_storage(&mut state, to, span);
                out.extend(self.give(state, scope, library.call, entry, span));
                Some(out)
            }
            L::Time => Some(self.time(state, scope, library, span)),
            L::Frexp | L::Modf | L::RandR => {
                let i = usize::from(library.lib != L::RandR);
                let operand = library.call.args.get(i)?;
                let to = self.program.operand_ty(scope.body, operand)?;
                let width = self.size(self.program.types.pointee(to)?);
                let p = *library.args.get(i)?;
                let mut out = Vec::new();
                for (mut state, target) in self.locate(state, scope, p, width, span, Purpose::Store) {
                    let any = Val::sym(state.fresh());
                    if matches!(state.object(target.object()).map(|o| o.kind), Some(ObjectKind::Library)) {
                        continue;
                    }
                    memory::overwrite_target(&mut state, target, width, Fill::Unknown);
                    let dest = library.call.dest.as_ref();
                    let v = dest.map_or(any, |d| self.any_value(&mut state, d.ty));
                    let low = Interval { lo: Some(0), hi: Some(i32::MAX.into()) };
                    if library.lib != L::RandR || state.assume_in(v, low) {
                        out.extend(self.give(state, scope, library.call, v, span));
                    }
                }
                Some(out)
            }
            L::Rand | L::Clock | L::Getpid => {
                let dest = library.call.dest.as_ref()?;
                let v = self.any_value(&mut state, dest.ty);
                let most = if library.lib == L::Rand { Some(i32::MAX.into()) } else { None };
                let fits = state.assume_in(v, Interval { lo: Some(0), hi: most });
                Some(if fits { self.give(state, scope, library.call, v, span) } else { Vec::new() })
            }
            _ => None,
        }
    }

    fn unsupported_call(&mut self, scope: Scope<'_>, library: LibraryCall<'_>, span: Span) {
        let message = format!("what `{}` does here is not modelled", library.function.name);
        self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
    }

    /// `time`: the result, which is stored as well if there is a place for it.
    fn time(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Vec<State> {
        let p = library.args.first().copied().unwrap_or(Val::ZERO);
        let operand_ty = library.call.args.first().and_then(|a| self.program.operand_ty(scope.body, a));
        let ty = operand_ty.and_then(|t| self.program.types.pointee(t));
        let ty = library.call.dest.as_ref().map(|d| d.ty).or(ty);
        let Some(ty) = ty else { return vec![state] };
        let v = self.any_value(&mut state, ty);
        if !state.assume_in(v, Interval { lo: Some(0), hi: Some(DATES - 1) }) {
            return Vec::new();
        }
        if p == Val::ZERO {
            return self.give(state, scope, library.call, v, span);
        }
        let mut out = Vec::new();
        if state.compare(p, Val::ZERO, Some(&self.preds)).is_none() {
            let mut null = state.clone();
            if null.assume_eq(p, Val::ZERO, &self.preds) {
                out.extend(self.give(null, scope, library.call, v, span));
            }
            if !state.assume_ne(p, Val::ZERO, &self.preds) {
                return out;
            }
        }
        let width = self.size(ty);
        let found = state.keeping([v], |state| self.locate(state, scope, p, width, span, Purpose::Store));
        for ((mut state, target), [v]) in found {
            self.store_bytes(&mut state, target, width, v);
            out.extend(self.give(state, scope, library.call, v, span));
        }
        out
    }

    /// Formatted input: the first so many conversions find what they look for, and the others do not.
    fn scan(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Option<Vec<State>> {
        let LibraryCall { lib, call, args, .. } = library;
        if self.format_mismatch(&state, scope, lib, call, args).is_some() {
            return None;
        }
        let position = formats::format_position(lib)?;
        let format = args.get(position).and_then(|v| self.literal_text(&state, *v))?;
        let format: Vec<u8> = format.into_iter().take_while(|b| *b != 0).collect();
        let wanted = formats::scanned(self.program, &format).filter(|w| w.len() <= MOST_SCANNED)?;
        args.iter().enumerate().for_each(|(i, v)| hold(&mut state, i, *v));
        let slot = args.len();
        let states = match lib {
            LibFn::Sscanf => self.held_text(vec![state], scope, 0, slot, span),
            _ => vec![state],
        };
        let mut out = Vec::new();
        // What is written must be there, also if nothing is found in the end.
        let mut found: Vec<State> = states;
        for state in &found {
            out.extend(self.give_scanned(state.clone(), scope, library, -1, span));
            if !wanted.is_empty() {
                out.extend(self.give_scanned(state.clone(), scope, library, 0, span));
            }
        }
        for (k, what) in wanted.iter().enumerate() {
            let target = position + 1 + k;
            found =
                found.into_iter().flat_map(|s| self.store_scanned(s, scope, target, *what, span)).collect();
            for state in &found {
                out.extend(self.give_scanned(state.clone(), scope, library, k as i128 + 1, span));
            }
        }
        Some(out)
    }

    fn give_scanned(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        count: i128,
        span: Span,
    ) -> Vec<State> {
        let_go(&mut state);
        self.give(state, scope, library.call, Val::int(count), span)
    }

    fn store_scanned(
        &mut self,
        state: State,
        scope: Scope<'_>,
        target: usize,
        what: Scanned,
        span: Span,
    ) -> Vec<State> {
        let p = held(&state, target);
        let len = match what {
            Scanned::Number(n) | Scanned::Characters(n) => n,
            Scanned::Text(Some(n)) => n.saturating_add(1),
            Scanned::Text(None) => {
                // However much room there is, there may be more to read.
                self.endless(scope, span);
                return Vec::new();
            }
        };
        let mut out = Vec::new();
        let len = Val::int(i128::from(len));
        for (mut state, s, at, len) in self.extent(state, scope, p, len, span, Purpose::Write) {
            let possible = match what {
                Scanned::Text(_) => write_text(&mut state, s, at, len),
                _ => {
                    memory::overwrite_run(&mut state, s, at, len, Fill::Unknown);
                    true
                }
            };
            if possible {
                out.extend(self.swept(state, scope, span));
            }
        }
        out
    }

    /// `strtol` and its relatives with a place for where the number ends.
    fn convert(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Vec<State> {
        let args = library.args;
        args.iter().enumerate().for_each(|(i, v)| hold(&mut state, i, *v));
        let slot = args.len();
        let word = self.program.types.pointer_size;
        let mut out = Vec::new();
        for mut state in self.held_text(vec![state], scope, 0, slot, span) {
            let way = state.fresh_in(COUNT);
            if !state.assume_le(way, held(&state, slot), false) {
                continue;
            }
            let start = held(&state, 0);
            let end = sum(&mut state, &[start, way]).unwrap_or_else(|| Val::sym(state.fresh()));
            hold(&mut state, slot, end);
            let to = held(&state, 1);
            let mut states = Vec::new();
            if state.compare(to, Val::ZERO, Some(&self.preds)).is_none() {
                let mut null = state.clone();
                if null.assume_eq(to, Val::ZERO, &self.preds) {
                    states.push(null);
                }
                if !state.assume_ne(to, Val::ZERO, &self.preds) {
                    out.extend(self.give_any(states, scope, library.call, span));
                    continue;
                }
            }
            for (mut state, target) in self.locate(state, scope, to, word, span, Purpose::Store) {
                // glibc does not store the end if there is no such base.
                if library.lib != LibFn::Strtod && !is_base(state.range(held(&state, 2))) {
                    states.push(state.clone());
                }
                let end = held(&state, slot);
                self.store_bytes(&mut state, target, word, end);
                states.push(state);
            }
            for mut state in states {
                let_go(&mut state);
                for state in self.swept(state, scope, span) {
                    out.extend(self.give_any(vec![state], scope, library.call, span));
                }
            }
        }
        out
    }

    /// `getline`: the block that the first argument leads to is replaced by one with a line in it, or with anything if there
    /// is none; or nothing changes, which libraries are free to do where no line is left.
    fn getline(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Vec<State> {
        let word = self.program.types.pointer_size;
        let (Some(line), Some(size)) = (library.args.first().copied(), library.args.get(1).copied()) else {
            return vec![state];
        };
        hold(&mut state, 0, line);
        hold(&mut state, 1, size);
        let pointer = library.call.args.first().and_then(|a| self.program.operand_ty(scope.body, a));
        let Some(pointer) = pointer.and_then(|t| self.program.types.pointee(t)) else {
            self.unsupported_call(scope, library, span);
            return Vec::new();
        };
        let mut out = Vec::new();
        for (state, target) in self.locate(state, scope, line, word, span, Purpose::Read) {
            for (state, old) in self.load(state, target, pointer) {
                if old != Val::ZERO && !self.has_room(&state, old) {
                    self.unsupported_call(scope, library, span);
                    continue;
                }
                let mut unchanged = state.clone();
                let_go(&mut unchanged);
                out.extend(self.give(unchanged, scope, library.call, Val::int(-1), span));
                for state in self.without_block(state, scope, library, old, span) {
                    out.extend(self.new_line(state, scope, library, span));
                }
            }
        }
        out
    }

    /// Whether the block of `getline` has as many bytes as its second argument leads to says.
    fn has_room(&self, state: &State, block: Val) -> bool {
        let word = self.program.types.pointer_size;
        let at = state.pointer(held(state, 1)).and_then(|(s, off)| {
            let off = off.as_val().and_then(Val::as_int).and_then(|n| u64::try_from(n).ok())?;
            Some((state.object(s)?, off))
        });
        let Some(Content::Val(said)) = at.map(|(o, off)| o.read(off, word)) else { return false };
        let size = block.as_sym().and_then(|s| state.object(s)).and_then(|o| state.linear(o.size));
        let room = size.zip(state.linear(said)).and_then(|(size, said)| size.minus(&said));
        said == Val::ZERO || room.is_some_and(|r| state.is_not_negative(&r))
    }

    /// Frees a heap block, if it is one.
    fn without_block(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        old: Val,
        span: Span,
    ) -> Vec<State> {
        if old == Val::ZERO {
            return vec![state];
        }
        let heap = |s| state.object(s).is_some_and(|o| o.kind == ObjectKind::Heap);
        match old.as_sym().filter(|s| old.off == 0 && heap(*s)) {
            Some(s) => {
                state.remove_object(s);
                state.set_death(s, heapwise_heap::Death::Freed(span));
                vec![state]
            }
            None => {
                self.unsupported_call(scope, library, span);
                Vec::new()
            }
        }
    }

    fn new_line(
        &mut self,
        state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Vec<State> {
        let word = self.program.types.pointer_size;
        let mut out = Vec::new();
        for found in [true, false] {
            let mut state = state.clone();
            let length = state.fresh_in(Interval { lo: Some(1), hi: self.object_sizes().hi.map(|n| n - 1) });
            let room = state.fresh_in(self.object_sizes());
            if !state.assume_le(length.plus(1), room, false) {
                continue;
            }
            let mut block = Object::new(ObjectKind::Heap, room, Fill::Uninit, span);
            if found {
                block.set_prefix(Some(length.plus(1)));
            }
            let s = state.add_object(block);
            if found {
                end_text(&mut state, s, length);
            }
            hold(&mut state, 2, length);
            let (line, v) = (held(&state, 0), Val::sym(s));
            hold(&mut state, 3, v);
            hold(&mut state, 4, room);
            for (mut state, target) in self.locate(state, scope, line, word, span, Purpose::Store) {
                let v = held(&state, 3);
                self.store_bytes(&mut state, target, word, v);
                let size = held(&state, 1);
                for (mut state, target) in self.locate(state, scope, size, word, span, Purpose::Store) {
                    let (room, length) = (held(&state, 4), held(&state, 2));
                    self.store_bytes(&mut state, target, word, room);
                    let_go(&mut state);
                    let result = if found { length } else { Val::int(-1) };
                    for state in self.swept(state, scope, span) {
                        out.extend(self.give(state, scope, library.call, result, span));
                    }
                }
            }
        }
        out
    }
}

/// Whether all numbers of a range are bases that `strtol` knows.
fn is_base(range: Interval) -> bool {
    match (range.lo, range.hi) {
        (Some(0), Some(0)) => true,
        (Some(lo), Some(hi)) => lo >= 2 && hi <= 36,
        _ => false,
    }
}
