//! Texts and runs of bytes: library functions that go up to a terminating zero or over a number of bytes that is
//! not a constant.
//!
//! A text is known to end if a zero is known at or after its start: a byte of a literal, the zero background of a
//! buffer, a floating zero. Its length is then a number between zero and the way to that zero; the byte at that
//! distance is zero, which is remembered, so that `malloc(strlen(s) + 1)` has room for a copy. Where no end is known the
//! path ends with an alarm.

use crate::context::Context;
use crate::transfer::memory;
use crate::transfer::place::{Purpose, Scope, Target};
use heapwise_heap::{Content, Fill, Floating, Linear, Object, ObjectKind, State, Sym, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{Call, Span};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Reason};

/// A text in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    object: Sym,
    /// Offset of its first byte.
    start: Val,
    /// Number of bytes before the terminating zero.
    pub(crate) length: Val,
}

/// Longest text that is read byte by byte.
const MAX_LITERAL: u64 = 4096;
/// Longest text whose bytes are known in a copy of it.
const MAX_COPIED: u64 = 32;

impl Context<'_> {
    /// A call of a function on texts or runs of bytes; `None` if it is not one of them.
    pub(crate) fn text_call(
        &mut self,
        state: &State,
        scope: Scope<'_>,
        lib: LibFn,
        call: &Call,
        args: &[Val],
        span: Span,
    ) -> Option<Vec<State>> {
        let arg = |i: usize| args.get(i).copied().unwrap_or(Val::UNDEF);
        let state = state.clone();
        let mut out = Vec::new();
        match lib {
            LibFn::Strlen => {
                for (state, text) in self.text(state, scope, arg(0), span) {
                    out.extend(self.give(state, scope, call, text.length, span));
                }
            }
            LibFn::Strcpy => {
                for (state, text) in self.text(state, scope, arg(1), span) {
                    out.extend(self.copy_text(state, scope, call, text, (arg(0), Val::ZERO), span));
                }
            }
            LibFn::Strcat => {
                for (state, end) in self.text(state, scope, arg(0), span) {
                    let texts = state.keeping([end.length], |state| self.text(state, scope, arg(1), span));
                    for ((state, text), [after]) in texts {
                        out.extend(self.copy_text(state, scope, call, text, (arg(0), after), span));
                    }
                }
            }
            LibFn::Strcmp => {
                for (state, _) in self.text(state, scope, arg(0), span) {
                    for (mut state, _) in self.text(state, scope, arg(1), span) {
                        let v = match &call.dest {
                            Some(d) => self.any_value(&mut state, d.ty),
                            None => Val::ZERO,
                        };
                        out.extend(self.give(state, scope, call, v, span));
                    }
                }
            }
            LibFn::Strchr => {
                let before_end = self.places(&[], lib, args).before_end;
                for (state, text) in self.text(state, scope, arg(0), span) {
                    out.extend(self.give(state.clone(), scope, call, Val::ZERO, span));
                    let mut state = state;
                    let way = state.fresh_in(Interval { lo: Some(0), hi: None });
                    if !state.assume_le(way, text.length, before_end) {
                        continue;
                    }
                    let place = sum(&mut state, &[Val::sym(text.object), text.start, way]);
                    let v = place.unwrap_or_else(|| Val::sym(state.fresh()));
                    out.extend(self.give(state, scope, call, v, span));
                }
            }
            LibFn::Strdup => {
                for (state, text) in self.text(state, scope, arg(0), span) {
                    if self.options.malloc_may_fail {
                        out.extend(self.give(state.clone(), scope, call, Val::ZERO, span));
                    }
                    let mut state = state;
                    let size = text.length.plus(1);
                    let mut block = Object::new(ObjectKind::Heap, size, Fill::Unknown, span);
                    match text.length.as_int().and_then(|n| u64::try_from(n).ok()) {
                        Some(n) => block.write(n, 1, Val::ZERO),
                        None => block.add_floating(Floating { off: text.length, width: 1, val: Val::ZERO }),
                    }
                    let s = state.add_object(block);
                    out.extend(self.give(state, scope, call, Val::sym(s), span));
                }
            }
            LibFn::Memset if arg(2).as_int().is_none() => {
                let zero = arg(1).as_int().is_some_and(|b| b & 0xff == 0);
                for (mut state, object, at, len) in
                    self.extent(state, scope, arg(0), arg(2), span, Purpose::Write)
                {
                    let whole = at == Val::ZERO
                        && state
                            .object(object)
                            .is_some_and(|o| state.compare(o.size, len, None) == Some(true));
                    if whole && let Some(o) = state.object_mut(object) {
                        o.fill(0, u64::MAX >> 1, if zero { Fill::Zero } else { Fill::Unknown });
                    } else {
                        memory::overwrite_run(&mut state, object, at, len, Fill::Unknown);
                    }
                    let p = sum(&mut state, &[Val::sym(object), at]).unwrap_or(arg(0));
                    out.extend(self.give(state, scope, call, p, span));
                }
            }
            LibFn::Memcpy | LibFn::Memmove if arg(2).as_int().is_none() => {
                let sources = state.keeping([arg(0)], |state| {
                    self.extent(state, scope, arg(1), arg(2), span, Purpose::Read)
                });
                for ((state, source, from, len), [to]) in sources {
                    let clean = state
                        .object(source)
                        .is_some_and(|o| memory::run_is_initialised(&state, o, from, len));
                    let targets = state.keeping([Val::sym(source)], |state| {
                        self.extent(state, scope, to, len, span, Purpose::Write)
                    });
                    for ((mut state, object, at, len), [source]) in targets {
                        if source.as_sym() == Some(object) && lib == LibFn::Memcpy {
                            let message = "the ranges of the copy may overlap".into();
                            self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, Vec::new());
                        }
                        let fill = if clean { Fill::Unknown } else { Fill::Uninit };
                        memory::overwrite_run(&mut state, object, at, len, fill);
                        let p = sum(&mut state, &[Val::sym(object), at]).unwrap_or(to);
                        out.extend(self.give(state, scope, call, p, span));
                    }
                }
            }
            _ => return None,
        }
        Some(out)
    }

    /// The text that a pointer leads to.
    pub(crate) fn text(&mut self, state: State, scope: Scope<'_>, p: Val, span: Span) -> Vec<(State, Text)> {
        let mut out = Vec::new();
        for (mut state, target) in self.locate(state, scope, p, 1, span, Purpose::Read) {
            let (s, start, lo, hi) = match target {
                Target::Bytes(s, off) => (s, Val::int(i128::from(off)), off, off.saturating_add(1)),
                Target::Range(s, at, lo, hi) => (s, at, lo, hi),
            };
            let Some(object) = state.object(s).cloned() else { continue };
            if let Target::Bytes(_, off) = target
                && let Some(length) = literal_length(&object, off)
            {
                out.push((state, Text { object: s, start, length: Val::int(i128::from(length)) }));
                continue;
            }
            let size = object.const_size().unwrap_or(u64::MAX >> 1);
            if object.kind == ObjectKind::Library {
                // Names that structures of the library hold end in them.
                let room = difference(&mut state, object.size.plus(-1), start);
                let length = state.fresh_in(Interval { lo: Some(0), hi: None });
                if room.is_some_and(|room| state.assume_le(length, room, false)) {
                    out.push((state, Text { object: s, start, length }));
                }
                continue;
            }
            let fixed =
                memory::first_zero(&object, hi.saturating_sub(1), size, 1).map(|z| Val::int(i128::from(z)));
            // A zero background goes on past the end of an object whose size is not known.
            let fixed = fixed.filter(|z| state.knows_le(z.plus(1), object.size, false));
            let floating = object.floating().iter().filter(|f| f.val == Val::ZERO).map(|f| f.off);
            let ends = fixed.into_iter().chain(floating).filter(|z| state.knows_le(start, *z, false));
            // The one of which it is known that it is nearest.
            let last = |z: Val| state.range(z).hi.unwrap_or(i128::MAX);
            let nearer = |a: Val, b: Val| match state.knows_le(b, a, false) {
                true => b,
                false if last(b) < last(a) && !state.knows_le(a, b, false) => b,
                false => a,
            };
            let Some(end) = ends.reduce(nearer) else {
                self.endless(scope, span);
                continue;
            };
            let last = state.range(end).hi.and_then(|h| u64::try_from(h).ok()).unwrap_or(size);
            let known = memory::content_between(&object, lo, last.saturating_add(1)) != Content::Uninit
                || memory::below_prefix(&state, &object, end, 1);
            if !known {
                let message = "the text may not be initialised up to its end".into();
                self.alarm(scope.func, ErrorKind::Uninitialised, span, false, message, Vec::new());
            }
            let way = difference(&mut state, end, start);
            let length = state.fresh_in(Interval { lo: Some(0), hi: None });
            if way.is_some_and(|w| !state.assume_le(length, w, false)) {
                continue;
            }
            if let Some(off) = sum(&mut state, &[start, length])
                && let Some(o) = state.object_mut(s).filter(|o| !o.kind.is_volatile())
            {
                o.add_floating(Floating { off, width: 1, val: Val::ZERO });
            }
            out.push((state, Text { object: s, start, length }));
        }
        out
    }

    pub(crate) fn endless(&mut self, scope: Scope<'_>, span: Span) {
        let message: String = "the text is not known to end inside of its object".into();
        self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message.clone(), Vec::new());
        // The path ends here, whatever counts.
        self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
    }

    /// Copies a text, with its end, to the place `after` bytes past a pointer.
    fn copy_text(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        call: &Call,
        text: Text,
        (to, after): (Val, Val),
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        let Some(place) = sum(&mut state, &[to, after]) else {
            self.endless(scope, span);
            return out;
        };
        let targets = state.keeping([Val::sym(text.object), text.length, to], |state| {
            self.extent(state, scope, place, text.length.plus(1), span, Purpose::Write)
        });
        for ((mut state, object, at, len), [source, length, to]) in targets {
            let source = source.as_sym();
            if source == Some(object) {
                let message = "the ranges of the copy may overlap".into();
                self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, Vec::new());
            }
            let bytes = source.and_then(|s| state.object(s)).and_then(|o| literal(o, text.start, length));
            memory::overwrite_run(&mut state, object, at, len, Fill::Unknown);
            // What elements of structures hold tells their kinds, and texts are no kinds.
            let own = state.object(object).is_some_and(|o| o.kind != ObjectKind::Heap);
            let first = at.as_int().and_then(|n| u64::try_from(n).ok()).filter(|_| own);
            for (off, byte) in first.into_iter().flat_map(|at| (at..).zip(bytes.iter().flatten())) {
                let place = Val::int(i128::from(off));
                memory::change(&mut state, object, place, 1, true, |o| o.write(off, 1, *byte));
            }
            if let Some(off) = sum(&mut state, &[at, length]) {
                match off.as_int().and_then(|n| u64::try_from(n).ok()) {
                    Some(off) => {
                        memory::change(&mut state, object, Val::int(i128::from(off)), 1, true, |o| {
                            o.write(off, 1, Val::ZERO);
                        })
                    }
                    None => {
                        if let Some(o) = state.object_mut(object) {
                            o.add_floating(Floating { off, width: 1, val: Val::ZERO });
                        }
                    }
                }
            }
            out.extend(self.give(state, scope, call, to, span));
        }
        out
    }

    /// The object and offset of `len` bytes at a pointer; alarms if they may not all be inside.
    pub(crate) fn extent(
        &mut self,
        state: State,
        scope: Scope<'_>,
        p: Val,
        len: Val,
        span: Span,
        purpose: Purpose,
    ) -> Vec<(State, Sym, Val, Val)> {
        let mut out = Vec::new();
        let targets = state.keeping([len], |state| self.locate(state, scope, p, 0, span, purpose));
        for ((mut state, target), [len]) in targets {
            let (s, at) = match target {
                Target::Bytes(s, off) => (s, Val::int(i128::from(off))),
                Target::Range(s, at, ..) => (s, at),
            };
            let Some((size, site)) = state.object(s).map(|o| (o.size, o.site)) else { continue };
            let Some(end) = sum(&mut state, &[at, len]) else {
                self.endless(scope, span);
                continue;
            };
            if !state.knows_le(end, size, false) || !state.knows_le(Val::ZERO, len, false) {
                let notes = vec![("the object is allocated here".to_owned(), site)];
                let message = "the bytes may not all be inside of the object".into();
                self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, notes);
                if !state.assume_le(end, size, false) || !state.assume_le(Val::ZERO, len, false) {
                    continue;
                }
            }
            out.push((state, s, at, len));
        }
        out
    }
}

/// The number of bytes before the first zero, if all bytes up to it are known.
fn literal_length(object: &Object, from: u64) -> Option<u64> {
    let size = object.const_size()?;
    for at in from..size.min(from.saturating_add(MAX_LITERAL)) {
        match object.read(at, 1) {
            Content::Val(v) => {
                if v.as_int()? & 0xff == 0 {
                    return Some(at - from);
                }
            }
            _ => return None,
        }
    }
    None
}

/// The bytes of a short text that starts at a constant offset and whose length is a constant.
fn literal(object: &Object, start: Val, length: Val) -> Option<Vec<Val>> {
    let number = |v: Val| v.as_int().and_then(|n| u64::try_from(n).ok());
    let (start, length) = (number(start)?, number(length).filter(|n| *n <= MAX_COPIED)?);
    let byte = |at: u64| match object.read(start.checked_add(at)?, 1) {
        Content::Val(v) => Some(v).filter(|v| v.as_int().is_some()),
        _ => None,
    };
    (0..length).map(byte).collect()
}

/// The sum of some values.
pub(crate) fn sum(state: &mut State, values: &[Val]) -> Option<Val> {
    let mut form = Linear::constant(0);
    for v in values {
        form = form.plus(1, &state.linear(*v)?)?;
    }
    state.value_of(&form)
}

/// `a - b`.
fn difference(state: &mut State, a: Val, b: Val) -> Option<Val> {
    let form = state.linear(a)?.minus(&state.linear(b)?)?;
    state.value_of(&form)
}
