//! Library functions on texts and bytes that are told how much they may read or write, that look for something in a text,
//! or that print and read texts.
//!
//! A function that writes a text of unknown length leaves one whose end is somewhere in the room that it was given: the
//! distance is a new number with that bound, and the byte there is zero. Bytes behind the end stay what they were, so the
//! room counts as initialised only where it was before, or up to the end of the text. What is read must be a text, or
//! be initialised as far as the function may look.
//!
//! Arguments are held as roots while structures are unfolded, since that may give their symbols other names.

use crate::context::Context;
use crate::transfer::library::formats;
use crate::transfer::library::strings::sum;
use crate::transfer::memory;
use crate::transfer::place::{Purpose, Scope};
use heapwise_heap::{Fill, Floating, Object, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{Call, Span};
use heapwise_numeric::Interval;
use heapwise_property::ErrorKind;

/// Most arguments that are held; the values that are found out follow those of arguments.
pub(super) const MOST_HELD: usize = 24;

/// Numbers that are not negative.
pub(super) const COUNT: Interval = Interval { lo: Some(0), hi: None };

pub(super) fn hold(state: &mut State, i: usize, v: Val) {
    if let (Ok(i), false) = (u8::try_from(i), v.is_undef()) {
        state.set_root(Root::Model(i), v);
    }
}

pub(super) fn held(state: &State, i: usize) -> Val {
    u8::try_from(i).ok().and_then(|i| state.root(Root::Model(i))).unwrap_or(Val::UNDEF)
}

pub(super) fn let_go(state: &mut State) {
    state.retain_roots(|r, _| !matches!(r, Root::Model(_)));
}

/// Where something that is looked for may be found.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// Nowhere, too.
    or_null: bool,
    /// Before the end of the text only.
    pub(super) before_end: bool,
}

impl Context<'_> {
    /// A call of one of these functions; `None` if it is not one of them, or is used in a way that is not modelled.
    pub(crate) fn bounded_call(
        &mut self,
        state: &State,
        scope: Scope<'_>,
        lib: LibFn,
        call: &Call,
        args: &[Val],
        span: Span,
    ) -> Option<Vec<State>> {
        use LibFn as L;
        if args.len() > MOST_HELD {
            return None;
        }
        let mut state = state.clone();
        args.iter().enumerate().for_each(|(i, v)| hold(&mut state, i, *v));
        let after = args.len();
        let states = match lib {
            L::Atoi | L::Atol | L::Atoll | L::Atof | L::Puts | L::Fputs => {
                self.held_text(vec![state], scope, 0, after, span)
            }
            L::Strtol | L::Strtoul | L::Strtoll | L::Strtoull | L::Strtod
                if args.get(1) == Some(&Val::ZERO) =>
            {
                self.held_text(vec![state], scope, 0, after, span)
            }
            L::Strcoll | L::Strcasecmp => {
                let states = self.held_text(vec![state], scope, 0, after, span);
                self.held_text(states, scope, 1, after, span)
            }
            L::Strncmp | L::Strncasecmp => {
                let states = self.held_run(vec![state], scope, 0, 2, span);
                self.held_run(states, scope, 1, 2, span)
            }
            L::Memcmp => {
                let states = self.held_bytes(vec![state], scope, 0, 2, span);
                self.held_bytes(states, scope, 1, 2, span)
            }
            L::Strspn | L::Strcspn => {
                let states = self.held_text(vec![state], scope, 1, after, span);
                let states = self.held_text(states, scope, 0, after, span);
                return Some(self.give_counts(states, scope, call, after, span));
            }
            L::Strnlen => {
                let states = self.held_run(vec![state], scope, 0, 1, span);
                return Some(self.give_counts(states, scope, call, 1, span));
            }
            L::Strrchr | L::Strstr | L::Strpbrk | L::Strcasestr | L::Strchrnul => {
                let mut states = vec![state];
                if matches!(lib, L::Strstr | L::Strpbrk | L::Strcasestr) {
                    states = self.held_text(states, scope, 1, after, span);
                }
                let places = self.places(&states, lib, args);
                let states = self.held_text(states, scope, 0, after, span);
                return Some(self.give_places(states, scope, call, after, places, span));
            }
            L::Memchr => {
                let states = self.held_bytes(vec![state], scope, 0, 2, span);
                let places = Places { or_null: true, before_end: true };
                return Some(self.give_places(states, scope, call, 2, places, span));
            }
            L::Strncpy => return Some(self.copy_some(state, scope, call, span)),
            L::Strncat => return Some(self.append_some(state, scope, call, span)),
            L::Strndup => return Some(self.duplicate_some(state, scope, call, span)),
            L::Fgets => return self.read_line(state, scope, call, span),
            L::Fread | L::Read => return self.read_bytes(state, scope, lib, call, span),
            L::Printf | L::Fprintf | L::PrintfChk | L::FprintfChk | L::Dprintf | L::Sprintf | L::Snprintf => {
                return self.print(state, scope, lib, call, args, span);
            }
            L::Warn | L::Syslog => return self.print(state, scope, lib, call, args, span),
            L::Err | L::Error => {
                let printed = self.print(state, scope, lib, call, args, span)?;
                let goes_on = lib == L::Error && args.first() == Some(&Val::ZERO);
                let ends = lib == L::Err || args.first().and_then(|v| v.as_int()).is_some_and(|n| n != 0);
                if !goes_on {
                    if self.registers() {
                        self.endless(scope, span);
                    }
                    printed.iter().for_each(|s| self.program_end(s, scope, span));
                }
                return Some(if ends { Vec::new() } else { printed });
            }
            _ => return None,
        };
        Some(self.give_any(states, scope, call, span))
    }

    /// Ends calls that give any value.
    pub(super) fn give_any(
        &mut self,
        states: Vec<State>,
        scope: Scope<'_>,
        call: &Call,
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        for mut state in states {
            let_go(&mut state);
            let v = match &call.dest {
                Some(d) => self.any_value(&mut state, d.ty),
                None => Val::ZERO,
            };
            out.extend(self.give(state, scope, call, v, span));
        }
        out
    }

    /// Ends calls that give a number which is at most the one that is held there.
    fn give_counts(
        &mut self,
        states: Vec<State>,
        scope: Scope<'_>,
        call: &Call,
        most: usize,
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        for mut state in states {
            let v = state.fresh_in(COUNT);
            if state.assume_le(v, held(&state, most), false) {
                let_go(&mut state);
                out.extend(self.give(state, scope, call, v, span));
            }
        }
        out
    }

    /// What a function that looks for something in a text may give. The end of the text is no place for a character that is
    /// not zero, nor for a text that has one.
    pub(super) fn places(&self, states: &[State], lib: LibFn, args: &[Val]) -> Places {
        let wanted = args.get(1).copied().unwrap_or(Val::UNDEF);
        let begins =
            |s: &State| self.literal_text(s, wanted).is_some_and(|t| t.first().is_some_and(|b| *b != 0));
        let before_end = match lib {
            LibFn::Strchr | LibFn::Strrchr => wanted.as_int().is_some_and(|c| c & 0xff != 0),
            LibFn::Strstr | LibFn::Strcasestr => states.iter().all(begins),
            LibFn::Strpbrk => true,
            _ => false,
        };
        Places { or_null: lib != LibFn::Strchrnul, before_end }
    }

    /// Ends calls that give a place in the first argument, at most so far behind its start as the number that is held there
    /// says, or null.
    fn give_places(
        &mut self,
        states: Vec<State>,
        scope: Scope<'_>,
        call: &Call,
        most: usize,
        places: Places,
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        for mut state in states {
            if places.or_null {
                let mut without = state.clone();
                let_go(&mut without);
                out.extend(self.give(without, scope, call, Val::ZERO, span));
            }
            let way = state.fresh_in(COUNT);
            if !state.assume_le(way, held(&state, most), places.before_end) {
                continue;
            }
            let start = held(&state, 0);
            let place = sum(&mut state, &[start, way]);
            let_go(&mut state);
            let v = place.unwrap_or_else(|| Val::sym(state.fresh()));
            out.extend(self.give(state, scope, call, v, span));
        }
        out
    }

    /// The states in which an argument is a text, with its length held in `slot`.
    pub(super) fn held_text(
        &mut self,
        states: Vec<State>,
        scope: Scope<'_>,
        i: usize,
        slot: usize,
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        for state in states {
            let p = held(&state, i);
            for (mut state, text) in self.text(state, scope, p, span) {
                hold(&mut state, slot, text.length);
                out.push(state);
            }
        }
        out
    }

    /// The states in which an argument is a text, or so many initialised bytes as another argument says.
    fn held_run(
        &mut self,
        states: Vec<State>,
        scope: Scope<'_>,
        i: usize,
        count: usize,
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        for mut state in states {
            let (p, n) = (held(&state, i), held(&state, count));
            if has_initialised(&mut state, p, n) {
                out.push(state);
            } else {
                out.extend(self.held_text(vec![state], scope, i, MOST_HELD, span));
            }
        }
        out
    }

    /// The states in which an argument leads to so many bytes as another says, all of them initialised.
    pub(super) fn held_bytes(
        &mut self,
        states: Vec<State>,
        scope: Scope<'_>,
        i: usize,
        count: usize,
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        for state in states {
            let (p, n) = (held(&state, i), held(&state, count));
            if n == Val::ZERO {
                out.push(state);
                continue;
            }
            for (state, s, at, len) in self.extent(state, scope, p, n, span, Purpose::Read) {
                let known = state.object(s).is_some_and(|o| memory::run_is_initialised(&state, o, at, len));
                if !known {
                    let message = "the bytes may not all be initialised".into();
                    self.alarm(scope.func, ErrorKind::Uninitialised, span, false, message, Vec::new());
                }
                out.push(state);
            }
        }
        out
    }

    /// How much of a source with at most `count` bytes is copied: a number no greater than that, nor than the length of the
    /// text if it is one.
    fn copied(
        &mut self,
        states: Vec<State>,
        scope: Scope<'_>,
        source: usize,
        count: usize,
        slot: usize,
        span: Span,
    ) -> Vec<State> {
        let mut out = Vec::new();
        for mut state in states {
            let (p, n) = (held(&state, source), held(&state, count));
            let whole = has_initialised(&mut state, p, n);
            let texts =
                if whole { vec![state] } else { self.held_text(vec![state], scope, source, slot, span) };
            for mut state in texts {
                let length = state.fresh_in(COUNT);
                let n = held(&state, count);
                let most = held(&state, slot);
                if state.assume_le(length, n, false) && (whole || state.assume_le(length, most, false)) {
                    hold(&mut state, slot, length);
                    out.push(state);
                }
            }
        }
        out
    }

    /// Says that what is read may be what is written, if it may be.
    fn tell_apart(&mut self, state: &State, scope: Scope<'_>, source: Val, object: Sym, span: Span) {
        if state.pointer(source).is_none_or(|(s, _)| s == object) {
            let message = "the ranges of the copy may overlap".into();
            self.alarm(scope.func, ErrorKind::OutOfBounds, span, false, message, Vec::new());
        }
    }

    /// `strncpy`: all of the room is written; it holds a text if the source ends before the room does.
    fn copy_some(&mut self, state: State, scope: Scope<'_>, call: &Call, span: Span) -> Vec<State> {
        let mut out = Vec::new();
        for state in self.held_run(vec![state], scope, 1, 2, span) {
            let (to, n) = (held(&state, 0), held(&state, 2));
            for (mut state, object, at, len) in self.extent(state, scope, to, n, span, Purpose::Write) {
                let source = held(&state, 1);
                self.tell_apart(&state, scope, source, object, span);
                let length = held(&state, MOST_HELD);
                memory::overwrite_run(&mut state, object, at, len, Fill::Unknown);
                let ends = !length.is_undef() && state.knows_le(length.plus(1), len, false);
                if ends && let Some(off) = sum(&mut state, &[at, length]) {
                    end_text(&mut state, object, off);
                }
                let to = held(&state, 0);
                let_go(&mut state);
                out.extend(self.give(state, scope, call, to, span));
            }
        }
        out
    }

    /// `strncat`.
    fn append_some(&mut self, state: State, scope: Scope<'_>, call: &Call, span: Span) -> Vec<State> {
        const BEFORE: usize = 3;
        const COPIED: usize = 4;
        let states = self.held_text(vec![state], scope, 0, BEFORE, span);
        let mut out = Vec::new();
        for mut state in self.copied(states, scope, 1, 2, COPIED, span) {
            let (to, before, length) = (held(&state, 0), held(&state, BEFORE), held(&state, COPIED));
            let Some(place) = sum(&mut state, &[to, before]) else {
                self.endless(scope, span);
                continue;
            };
            for (mut state, object, at, len) in
                self.extent(state, scope, place, length.plus(1), span, Purpose::Write)
            {
                let source = held(&state, 1);
                self.tell_apart(&state, scope, source, object, span);
                memory::overwrite_run(&mut state, object, at, len, Fill::Unknown);
                if let Some(off) = sum(&mut state, &[at, len.plus(-1)]) {
                    end_text(&mut state, object, off);
                }
                let to = held(&state, 0);
                let_go(&mut state);
                out.extend(self.give(state, scope, call, to, span));
            }
        }
        out
    }

    /// `strndup`.
    fn duplicate_some(&mut self, state: State, scope: Scope<'_>, call: &Call, span: Span) -> Vec<State> {
        const COPIED: usize = 2;
        let mut out = Vec::new();
        for mut state in self.copied(vec![state], scope, 0, 1, COPIED, span) {
            let length = held(&state, COPIED);
            let_go(&mut state);
            if self.options.malloc_may_fail {
                out.extend(self.give(state.clone(), scope, call, Val::ZERO, span));
            }
            let block = Object::new(ObjectKind::Heap, length.plus(1), Fill::Unknown, span);
            let s = state.add_object(block);
            end_text(&mut state, s, length);
            out.extend(self.give(state, scope, call, Val::sym(s), span));
        }
        out
    }

    /// `fgets`: null and anything in the room, or a text that fits.
    fn read_line(&mut self, state: State, scope: Scope<'_>, call: &Call, span: Span) -> Option<Vec<State>> {
        let (to, n) = (held(&state, 0), held(&state, 1));
        if !state.knows_le(Val::int(1), n, false) {
            return None;
        }
        let mut out = Vec::new();
        for (state, object, at, len) in self.extent(state, scope, to, n, span, Purpose::Write) {
            let mut nothing = state.clone();
            overwrite_partly(&mut nothing, object, at, len);
            let_go(&mut nothing);
            out.extend(self.give(nothing, scope, call, Val::ZERO, span));
            let mut state = state;
            if write_text(&mut state, object, at, len) {
                let to = held(&state, 0);
                let_go(&mut state);
                out.extend(self.give(state, scope, call, to, span));
            }
        }
        Some(out)
    }

    /// `fread` of elements of one byte or of known number, and `read`.
    fn read_bytes(
        &mut self,
        state: State,
        scope: Scope<'_>,
        lib: LibFn,
        call: &Call,
        span: Span,
    ) -> Option<Vec<State>> {
        let number = |i: usize| held(&state, i).as_int().filter(|n| *n >= 0);
        let (to, len) = match lib {
            LibFn::Read => (1, held(&state, 2)),
            _ if number(1) == Some(1) => (0, held(&state, 2)),
            _ => (0, Val::int(number(1)?.checked_mul(number(2)?)?)),
        };
        let p = held(&state, to);
        let mut out = Vec::new();
        for (mut state, object, at, len) in self.extent(state, scope, p, len, span, Purpose::Write) {
            overwrite_partly(&mut state, object, at, len);
            let least = if lib == LibFn::Read { -1 } else { 0 };
            let read = state.fresh_in(Interval { lo: Some(least), hi: None });
            if state.assume_le(read, held(&state, 2), false) {
                // So many elements are initialised, and there is no need to say so if all of them are.
                if (lib == LibFn::Read || held(&state, 1) == Val::int(1))
                    && at == Val::ZERO
                    && let Some(o) = state.object_mut(object)
                {
                    o.set_prefix(Some(read));
                }
                let_go(&mut state);
                out.extend(self.give(state, scope, call, read, span));
            }
        }
        Some(out)
    }

    /// Formatted output, where the format is known and fits.
    fn print(
        &mut self,
        state: State,
        scope: Scope<'_>,
        lib: LibFn,
        call: &Call,
        args: &[Val],
        span: Span,
    ) -> Option<Vec<State>> {
        if self.format_mismatch(&state, scope, lib, call, args).is_some() {
            return None;
        }
        let position = formats::format_position(lib)?;
        let format = args.get(position).and_then(|v| self.literal_text(&state, *v))?;
        let texts = formats::texts(self.program, &format);
        let first = args.len();
        if first + texts.len() >= MOST_HELD {
            return None;
        }
        // Where a text is printed to, and how many bytes that may take.
        let room = match lib {
            LibFn::Snprintf if args.get(1) == Some(&Val::ZERO) => None,
            LibFn::Snprintf if state.knows_le(Val::int(1), held(&state, 1), false) => Some(Val::ZERO),
            LibFn::Snprintf => return None,
            LibFn::Sprintf => Some(Val::int(i128::from(formats::most_bytes(self.program, &format)?))),
            _ => None,
        };
        let mut states = vec![state];
        for (k, i) in texts.iter().enumerate() {
            states = self.held_text(states, scope, position + 1 + i, first + k, span);
        }
        let Some(room) = room else { return Some(self.give_any(states, scope, call, span)) };
        let mut written = Vec::new();
        for mut state in states {
            let n = match lib {
                LibFn::Snprintf => Some(held(&state, 1)),
                _ => {
                    let lengths = (0..texts.len()).map(|k| held(&state, first + k));
                    let all: Vec<Val> = lengths.chain([room.plus(1)]).collect();
                    sum(&mut state, &all)
                }
            };
            let Some(n) = n else {
                self.endless(scope, span);
                continue;
            };
            let to = held(&state, 0);
            for (mut state, object, at, len) in self.extent(state, scope, to, n, span, Purpose::Write) {
                for i in &texts {
                    let source = held(&state, position + 1 + i);
                    self.tell_apart(&state, scope, source, object, span);
                }
                if write_text(&mut state, object, at, len) {
                    written.push(state);
                }
            }
        }
        Some(self.give_any(written, scope, call, span))
    }
}

/// Whether a pointer leads to so many initialised bytes of a block that is known.
pub(super) fn has_initialised(state: &mut State, p: Val, n: Val) -> bool {
    let Some((s, offset)) = state.pointer(p) else { return false };
    let (Some(at), Some(object)) = (state.value_of(&offset), state.object(s).cloned()) else {
        return false;
    };
    let Some(end) = sum(state, &[at, n]) else { return false };
    state.knows_le(Val::ZERO, n, false)
        && state.knows_le(Val::ZERO, at, false)
        && state.knows_le(end, object.size, false)
        && memory::run_is_initialised(state, &object, at, n)
}

/// Notes that a byte is zero.
pub(super) fn end_text(state: &mut State, s: Sym, off: Val) {
    match off.as_int().and_then(|n| u64::try_from(n).ok()) {
        Some(at) => memory::change(state, s, off, 1, true, |o| o.write(at, 1, Val::ZERO)),
        None => {
            if let Some(o) = state.object_mut(s) {
                o.add_floating(Floating { off, width: 1, val: Val::ZERO });
            }
        }
    }
}

/// Some of these bytes have been written; whether they were before does not count where they were not initialised.
pub(super) fn overwrite_partly(state: &mut State, s: Sym, at: Val, len: Val) {
    let clean = state.object(s).is_some_and(|o| memory::run_is_initialised(state, o, at, len));
    memory::overwrite_run(state, s, at, len, if clean { Fill::Unknown } else { Fill::Uninit });
}

/// Writes a text that takes at most so many bytes with its end; whether the state can have a model.
pub(super) fn write_text(state: &mut State, s: Sym, at: Val, len: Val) -> bool {
    overwrite_partly(state, s, at, len);
    let length = state.fresh_in(COUNT);
    if !state.assume_le(length, len, true) {
        return false;
    }
    let Some(end) = sum(state, &[at, length]) else { return true };
    end_text(state, s, end);
    if at == Val::ZERO
        && let Some(o) = state.object_mut(s)
        && o.prefix().is_none()
    {
        o.set_prefix(Some(end.plus(1)));
    }
    true
}
