//! Calls of functions that are known by a contract ([`heapwise_ir::library::contract`]): arguments are checked, then every way
//! in which the function can end is taken.
//!
//! A function that may fail ends in two ways: with all of its outputs written, or with any part of them.

use super::bounded::{COUNT, MOST_HELD, end_text, held, hold, let_go, overwrite_partly, write_text};
use crate::context::Context;
use crate::transfer::library::models::LibraryCall;
use crate::transfer::library::strings::sum;
use crate::transfer::memory;
use crate::transfer::place::{Purpose, Scope};
use heapwise_heap::{Content, Fill, Object, ObjectKind, State, Sym, Val};
use heapwise_ir::library::Contract;
use heapwise_ir::library::contract::{Argument, Bytes, DATES, Given, Members};
use heapwise_ir::{Span, Type};
use heapwise_numeric::Interval;
use heapwise_property::{ErrorKind, Reason};

/// A call with its contract.
#[derive(Clone, Copy)]
struct Known<'a> {
    contract: &'static Contract,
    library: LibraryCall<'a>,
    scope: Scope<'a>,
    span: Span,
}

/// Most members of a structure that are looked at one by one.
const MOST_MEMBERS: u64 = 512;

/// A way in which a call can end.
struct Way {
    state: State,
    /// Whether all is written that the contract speaks of.
    done: bool,
    /// What is given.
    range: Interval,
    most: Option<Val>,
}

/// Bytes of an object that an argument leads to.
type Extent = (State, Sym, Val, Val);

impl Context<'_> {
    /// A call of a function with a contract.
    pub(crate) fn known_call(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        contract: &'static Contract,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Vec<State> {
        let known = Known { contract, library, scope, span };
        if contract.given == Given::Never {
            self.program_end(&state, scope, span);
            return Vec::new();
        }
        let changes_environ = contract.names.iter().any(|n| matches!(*n, "setenv" | "unsetenv"));
        // A list of texts has to have an end.
        let endless = contract.arguments.last() == Some(&Argument::TextsToNull)
            && library.args.len() < contract.arguments.len();
        if endless || library.args.len() > MOST_HELD || changes_environ && self.has_environ() {
            self.not_followed(known);
            return Vec::new();
        }
        library.args.iter().enumerate().for_each(|(i, v)| hold(&mut state, i, *v));
        let mut states = vec![state];
        for i in 0..library.args.len() {
            states = states.into_iter().flat_map(|s| self.checked_argument(s, known, i)).collect();
        }
        states.into_iter().flat_map(|s| self.ways(s, known)).collect()
    }

    fn not_followed(&mut self, known: Known<'_>) {
        let message = format!("what `{}` does here is not modelled", known.library.function.name);
        self.alarm(known.scope.func, Reason::Unsupported, known.span, false, message, Vec::new());
    }

    fn has_environ(&self) -> bool {
        self.program.globals.indices().any(|g| self.is_environ(g))
    }

    /// How many bytes an argument is to lead to.
    fn amount(&self, state: &mut State, known: Known<'_>, i: usize, bytes: Bytes) -> Option<Val> {
        let operand = known.library.call.args.get(i)?;
        let ty = self.program.operand_ty(known.scope.body, operand)?;
        let pointee = || {
            let to = self.program.types.pointee(ty)?;
            let known = !matches!(self.program.types.get(to), Type::Void);
            Some(self.size(to)).filter(|n| known && *n > 0)
        };
        Some(match bytes {
            Bytes::Pointee => Val::int(i128::from(pointee()?)),
            Bytes::Fixed(n) => Val::int(i128::from(n)),
            Bytes::Argument(k) => held(state, k.into()),
            Bytes::Elements(k) => {
                let form = state.linear(held(state, k.into()))?.times(i128::from(pointee()?))?;
                state.value_of(&form)?
            }
            Bytes::Several(n) => Val::int(i128::from(n) * i128::from(pointee()?)),
            Bytes::Product(a, b) => {
                let factors = held(state, a.into()).as_int().zip(held(state, b.into()).as_int());
                Val::int(factors.and_then(|(a, b)| a.checked_mul(b))?)
            }
            Bytes::Behind(k) => {
                let (s, offset) = state.pointer(held(state, k.into()))?;
                let at = offset.as_val().and_then(Val::as_int).and_then(|n| u64::try_from(n).ok())?;
                match state.object(s)?.read(at, 4) {
                    Content::Val(v) => v,
                    _ => return None,
                }
            }
            // The number of the internet's old family.
            Bytes::Family(k) => Val::int(if held(state, k.into()) == Val::int(2) { 4 } else { 16 }),
        })
        .filter(|v| !v.is_undef())
    }

    /// The bytes that an argument leads to.
    fn argument_extent(
        &mut self,
        mut state: State,
        known: Known<'_>,
        i: usize,
        bytes: Bytes,
        purpose: Purpose,
    ) -> Vec<Extent> {
        let Some(len) = self.amount(&mut state, known, i, bytes) else {
            self.not_followed(known);
            return Vec::new();
        };
        let p = held(&state, i);
        self.extent(state, known.scope, p, len, known.span, purpose)
    }

    /// The states in which an argument is null, and those in which it is not.
    fn by_null(&mut self, state: State, i: usize) -> (Vec<State>, Vec<State>) {
        let v = held(&state, i);
        match state.compare(v, Val::ZERO, Some(&self.preds)) {
            Some(true) => (vec![state], Vec::new()),
            Some(false) => (Vec::new(), vec![state]),
            None => {
                let (mut null, mut not) = (state.clone(), state);
                let null_ok = null.assume_eq(v, Val::ZERO, &self.preds);
                let not_ok = not.assume_ne(v, Val::ZERO, &self.preds);
                (null_ok.then_some(null).into_iter().collect(), not_ok.then_some(not).into_iter().collect())
            }
        }
    }

    /// The states in which an argument is what it has to be.
    fn checked_argument(&mut self, mut state: State, known: Known<'_>, i: usize) -> Vec<State> {
        let scope = known.scope;
        let argument = known.contract.argument(i);
        let ty = known.library.call.args.get(i).and_then(|a| self.program.operand_ty(scope.body, a));
        let pointer = ty.is_some_and(|t| self.program.types.pointee(t).is_some());
        let scalar = ty.is_some_and(|t| self.program.types.is_scalar(t));
        let last = i + 1 == known.library.args.len();
        let v = held(&state, i);
        let followed = match argument {
            Argument::Plain | Argument::Usual(_) => !pointer || v == Val::ZERO,
            // A wide number may be an address.
            Argument::Number => {
                let narrow = ty.is_some_and(|t| self.size(t) < self.program.types.pointer_size);
                v == Val::ZERO || !pointer && (narrow || v.as_int().is_some())
            }
            Argument::Without(bits) => v.as_int().is_some_and(|n| n & bits == 0),
            Argument::TextsToNull => pointer && (!last || v == Val::ZERO),
            Argument::Handle => true,
            // The pointer is a member of a union.
            _ => scalar,
        };
        if !followed {
            self.not_followed(known);
            return Vec::new();
        }
        let or_null = match argument {
            Argument::TextOrNull | Argument::TextsToNull => Some(Argument::Text),
            Argument::InOrNull(b, but) => Some(Argument::In(b, but)),
            Argument::ChangeOrNull(b, but) => Some(Argument::Change(b, but)),
            Argument::InUpToOrNull(b) => Some(Argument::Data(b)),
            Argument::WriteOrNull(b) => Some(Argument::Write(b)),
            Argument::FillTextOrNull(b) => Some(Argument::FillText(b)),
            Argument::UpdateOrNull(b) | Argument::FillUpToOrNull(b) => Some(Argument::Update(b)),
            _ => None,
        };
        if let Some(argument) = or_null {
            let (mut done, others) = self.by_null(state, i);
            for state in others {
                done.extend(self.checked_as(state, known, i, argument));
            }
            return done;
        }
        if let Some(Val::ZERO) = known.library.args.get(i).copied()
            && let Some(bytes) = data_of(argument)
            && self.amount(&mut state, known, i, bytes) == Some(Val::ZERO)
        {
            return vec![state];
        }
        self.checked_as(state, known, i, argument)
    }

    fn checked_as(&mut self, state: State, known: Known<'_>, i: usize, argument: Argument) -> Vec<State> {
        let (scope, span) = (known.scope, known.span);
        let states = |found: Vec<Extent>| found.into_iter().map(|(s, ..)| s).collect();
        match argument {
            Argument::Text | Argument::UpdateText => {
                self.held_text(vec![state], scope, i, known.library.args.len(), span)
            }
            Argument::Texts => {
                let base = state.pointer(held(&state, i)).map(|(s, _)| s).and_then(|s| state.object(s));
                if base.is_some_and(|o| o.kind == ObjectKind::TextArray) {
                    return vec![state];
                }
                self.not_followed(known);
                Vec::new()
            }
            Argument::Date => self.checked_as(state, known, i, Argument::Data(Bytes::Pointee)),
            Argument::Data(bytes) => {
                let found = self.argument_extent(state, known, i, bytes, Purpose::Read);
                for (state, s, at, len) in &found {
                    let object = state.object(*s);
                    if !object.is_some_and(|o| memory::run_is_initialised(state, o, *at, *len)) {
                        let message = "the bytes may not all be initialised".into();
                        self.alarm(scope.func, ErrorKind::Uninitialised, span, false, message, Vec::new());
                    }
                }
                states(found)
            }
            Argument::In(bytes, but) | Argument::Change(bytes, but) => {
                let purpose =
                    if matches!(argument, Argument::In(..)) { Purpose::Read } else { Purpose::Write };
                let found = self.argument_extent(state, known, i, bytes, purpose);
                for extent in &found {
                    self.check_members(extent, known, i, bytes, but);
                }
                states(found)
            }
            Argument::End(bytes) => {
                let found = self.argument_extent(state, known, i, bytes, Purpose::Write);
                for extent in &found {
                    self.check_members(extent, known, i, bytes, &[]);
                }
                states(found)
            }
            Argument::Write(bytes)
            | Argument::Fill(bytes)
            | Argument::FillText(bytes)
            | Argument::Update(bytes) => states(self.argument_extent(state, known, i, bytes, Purpose::Write)),
            _ => vec![state],
        }
    }

    /// The parts of a structure, or of several, that have to be initialised: all but the holes and these members.
    fn members(&self, (_, _, at, len): &Extent, known: Known<'_>, i: usize, but: Members) -> Vec<(Val, Val)> {
        let whole = vec![(*at, *len)];
        let types = &self.program.types;
        let operand = known.library.call.args.get(i);
        let ty = operand
            .and_then(|a| self.program.operand_ty(known.scope.body, a))
            .and_then(|t| types.pointee(t))
            .filter(|t| self.size(*t) > 0);
        let (Some(ty), Some(len)) = (ty, len.as_int().and_then(|n| u64::try_from(n).ok())) else {
            return whole;
        };
        let size = self.size(ty);
        let record = match types.get(ty) {
            Type::Record(r) => types.records.get(*r),
            _ => None,
        };
        let Some(record) = record.filter(|_| len.is_multiple_of(size) && len / size <= MOST_MEMBERS) else {
            return whole;
        };
        let mut parts = Vec::new();
        for base in (0..len / size).map(|k| k * size) {
            for field in record.fields.iter().filter(|f| f.bits.is_none()) {
                if field.name.as_ref().is_some_and(|n| but.contains(&&**n)) {
                    continue;
                }
                let scalars = types.scalars(field.ty, MOST_MEMBERS as usize);
                if scalars.len() as u64 + parts.len() as u64 > MOST_MEMBERS {
                    return whole;
                }
                for (offset, scalar) in scalars {
                    let from = i128::from(base + field.offset + offset);
                    parts.push((at.plus(from), Val::int(i128::from(self.size(scalar)))));
                }
            }
        }
        parts
    }

    /// An alarm if a part of a structure that is read may not be initialised.
    fn check_members(&mut self, extent: &Extent, known: Known<'_>, i: usize, bytes: Bytes, but: Members) {
        let (state, s, at, len) = extent;
        let parts = match bytes {
            Bytes::Pointee | Bytes::Several(_) | Bytes::Elements(_) => self.members(extent, known, i, but),
            _ => vec![(*at, *len)],
        };
        let object = state.object(*s);
        let clean =
            |(at, len): &(Val, Val)| object.is_some_and(|o| memory::run_is_initialised(state, o, *at, *len));
        if !parts.iter().all(clean) {
            let message = "the bytes may not all be initialised".into();
            self.alarm(known.scope.func, ErrorKind::Uninitialised, known.span, false, message, Vec::new());
        }
    }

    /// What the function writes if it succeeds, or as far as it comes.
    fn written(&mut self, state: State, known: Known<'_>, success: bool) -> Vec<State> {
        let mut states = vec![state];
        for i in 0..known.library.args.len() {
            let argument = known.contract.argument(i);
            let Some(bytes) = written_by(argument) else {
                if argument == Argument::UpdateText {
                    states = states.into_iter().flat_map(|s| self.changed_text(s, known, i)).collect();
                }
                continue;
            };
            let mut after = Vec::new();
            for state in states {
                if held(&state, i) == Val::ZERO {
                    after.push(state);
                    continue;
                }
                for (mut state, s, at, len) in self.argument_extent(state, known, i, bytes, Purpose::Write) {
                    let possible = match argument {
                        Argument::Write(_)
                        | Argument::WriteOrNull(_)
                        | Argument::Change(..)
                        | Argument::ChangeOrNull(..)
                            if success =>
                        {
                            memory::overwrite_run(&mut state, s, at, len, Fill::Unknown);
                            true
                        }
                        Argument::Change(_, but) | Argument::ChangeOrNull(_, but) => {
                            let extent = (state, s, at, len);
                            let parts = self.members(&extent, known, i, but);
                            state = extent.0;
                            for (at, len) in parts {
                                overwrite_partly(&mut state, s, at, len);
                            }
                            true
                        }
                        Argument::End(_) => {
                            memory::overwrite_run(&mut state, s, at, len, Fill::Uninit);
                            true
                        }
                        Argument::FillText(_) | Argument::FillTextOrNull(_)
                            if success && len != Val::ZERO =>
                        {
                            write_text(&mut state, s, at, len)
                        }
                        _ => {
                            overwrite_partly(&mut state, s, at, len);
                            true
                        }
                    };
                    if possible {
                        after.push(state);
                    }
                }
            }
            states = after;
        }
        states
    }

    /// A text whose characters were replaced by others: it ends where it did.
    fn changed_text(&mut self, state: State, known: Known<'_>, i: usize) -> Vec<State> {
        let slot = known.library.args.len();
        let mut out = Vec::new();
        for state in self.held_text(vec![state], known.scope, i, slot, known.span) {
            let (p, length) = (held(&state, i), held(&state, slot));
            for (mut state, s, at, len) in
                self.extent(state, known.scope, p, length, known.span, Purpose::Write)
            {
                memory::overwrite_run(&mut state, s, at, len, Fill::Unknown);
                if let Some(end) = sum(&mut state, &[at, len]) {
                    end_text(&mut state, s, end);
                }
                out.push(state);
            }
        }
        out
    }

    /// Every way in which a call whose arguments are right can end.
    fn ways(&mut self, state: State, known: Known<'_>) -> Vec<State> {
        let only = |n: i128| Interval { lo: Some(n), hi: Some(n) };
        let (failing, zero, one) = (only(-1), only(0), only(1));
        let positive = Interval { lo: Some(1), hi: None };
        let argument = |k: u8| held(&state, k.into());
        let up_to = |k: u8| (COUNT, Some(argument(k)));
        let may_be_zero = |k: u8| {
            let mut none = state.clone();
            none.assume_eq(argument(k), Val::ZERO, &self.preds).then_some(none)
        };
        let mut ways: Vec<Way> = Vec::new();
        let pointer =
            known.library.call.dest.as_ref().is_some_and(|d| self.program.types.pointee(d.ty).is_some());
        let (success, failures) = match known.contract.given {
            Given::Status => ((zero, None), vec![failing]),
            Given::Code => ((zero, None), vec![Interval { lo: None, hi: Some(-1) }, positive]),
            Given::CodeOrText(_) if !pointer => {
                ((zero, None), vec![Interval { lo: None, hi: Some(-1) }, positive])
            }
            Given::Flag => ((one, None), vec![zero]),
            Given::Parsed => ((one, None), vec![zero, failing]),
            Given::Child => ((positive, None), vec![zero, failing]),
            Given::Descriptor => ((COUNT, None), vec![failing]),
            Given::AtMost(k) => (up_to(k), vec![failing]),
            Given::AtMostOrSize(k) => {
                ways.extend(may_be_zero(k).map(|state| Way { state, done: false, range: COUNT, most: None }));
                (up_to(k), vec![failing])
            }
            Given::AtMostUnless(k, flags, bits) => match argument(flags).as_int() {
                Some(n) if n & bits == 0 => (up_to(k), vec![failing]),
                _ => ((COUNT, None), vec![failing]),
            },
            Given::Needed(k) => {
                ways.extend(may_be_zero(k).map(|state| Way { state, done: false, range: COUNT, most: None }));
                ((COUNT, None), Vec::new())
            }
            Given::UpTo(k) => ((positive, up_to(k).1), vec![zero]),
            Given::Zero => ((zero, None), Vec::new()),
            Given::Number(lo, hi) | Given::Computed(lo, hi) => {
                ((Interval { lo: Some(lo), hi: Some(hi) }, None), Vec::new())
            }
            Given::Count => ((COUNT, None), Vec::new()),
            _ => return self.pointer_ways(state, known),
        };
        let partly = matches!(known.contract.given, Given::Number(..) | Given::Computed(..) | Given::Count);
        let unheeded = known.library.call.dest.is_none() && !failures.is_empty();
        for range in failures {
            ways.push(Way { state: state.clone(), done: false, range, most: None });
            if unheeded {
                break;
            }
        }
        // What a success writes is one of the things that a failure may write.
        if !unheeded {
            ways.push(Way { state, done: !partly, range: success.0, most: success.1 });
        }
        let mut out = Vec::new();
        for Way { state, done, range, most } in ways {
            for state in self.written(state, known, done) {
                // Arguments may have other names now.
                let most = match known.contract.given {
                    Given::AtMost(k)
                    | Given::AtMostOrSize(k)
                    | Given::AtMostUnless(k, ..)
                    | Given::UpTo(k) => most.map(|_| held(&state, k.into())),
                    _ => None,
                };
                out.extend(self.give_number(state, known, range, most));
            }
        }
        out
    }

    fn give_number(
        &mut self,
        mut state: State,
        known: Known<'_>,
        range: Interval,
        most: Option<Val>,
    ) -> Vec<State> {
        let most = most.filter(|m| !m.is_undef());
        let call = known.library.call;
        let Some(dest) = &call.dest else {
            let_go(&mut state);
            return self.give(state, known.scope, call, Val::ZERO, known.span);
        };
        let v = self.any_value(&mut state, dest.ty);
        let fits = state.assume_in(v, range) && most.is_none_or(|m| state.assume_le(v, m, false));
        // A range that the declared type does not have is no range.
        let v = if fits { v } else { self.any_value(&mut state, dest.ty) };
        let_go(&mut state);
        self.give(state, known.scope, call, v, known.span)
    }

    /// The ways of functions that give pointers, or nothing that is known.
    fn pointer_ways(&mut self, state: State, known: Known<'_>) -> Vec<State> {
        let Known { contract, library, scope, span } = known;
        let call = library.call;
        let null = matches!(
            contract.given,
            Given::TextOrNull
                | Given::StorageOrNull
                | Given::Variable
                | Given::SameOrNull(_)
                | Given::IntoOrNull(_)
                | Given::NewTextOrNull
        );
        let mut out = Vec::new();
        if let Given::CodeOrText(k) = contract.given {
            for state in self.written(state.clone(), known, true) {
                let mut state = state;
                let v = held(&state, k.into());
                let_go(&mut state);
                out.extend(self.give(state, scope, call, v, span));
            }
        }
        let dated = contract.argument(0) == Argument::Date && self.has_date(&state);
        if null && !dated {
            for mut state in self.written(state.clone(), known, false) {
                let_go(&mut state);
                out.extend(self.give(state, scope, call, Val::ZERO, span));
            }
        }
        let success = matches!(contract.given, Given::Same(_) | Given::SameOrNull(_));
        for state in self.written(state, known, success) {
            let arguments: Vec<usize> = match contract.given {
                Given::Same(k) | Given::SameOrNull(k) => vec![k.into()],
                Given::OneOf(a, b) => vec![a.into(), b.into()],
                _ => Vec::new(),
            };
            for k in &arguments {
                let mut state = state.clone();
                let v = held(&state, *k);
                let_go(&mut state);
                out.extend(self.give(state, scope, call, v, span));
            }
            if !arguments.is_empty() {
                continue;
            }
            if let Given::Into(k) | Given::IntoOrNull(k) = contract.given {
                out.extend(self.give_place(state, known, k.into()));
                continue;
            }
            let mut state = state;
            let_go(&mut state);
            let v = match (contract.given, &call.dest) {
                (Given::Text | Given::TextOrNull | Given::CodeOrText(_), _) => {
                    Val::sym(self.environment_text(&mut state, false, span))
                }
                (Given::NewTextOrNull, _) => {
                    let length =
                        state.fresh_in(Interval { lo: Some(0), hi: self.object_sizes().hi.map(|n| n - 1) });
                    let s =
                        state.add_object(Object::new(ObjectKind::Heap, length.plus(1), Fill::Unknown, span));
                    end_text(&mut state, s, length);
                    Val::sym(s)
                }
                (Given::Variable, _) => Val::sym(self.environment_text(&mut state, true, span)),
                (Given::StorageOrNull | Given::Storage, Some(dest)) => {
                    match self.program.types.pointee(dest.ty) {
                        Some(to) if self.size(to) > 0 => self.library_storage(&mut state, to, span),
                        _ => self.any_value(&mut state, dest.ty),
                    }
                }
                (_, Some(dest)) => self.any_value(&mut state, dest.ty),
                (_, None) => Val::ZERO,
            };
            out.extend(self.give(state, scope, call, v, span));
        }
        out
    }

    /// Whether the number behind the first argument has a date.
    fn has_date(&self, state: &State) -> bool {
        let time = || {
            let (s, offset) = state.pointer(held(state, 0))?;
            let at = offset.as_val().and_then(Val::as_int).and_then(|n| u64::try_from(n).ok())?;
            match state.object(s)?.read(at, self.program.types.pointer_size) {
                Content::Val(v) => Some(state.range(v)),
                _ => None,
            }
        };
        time().is_some_and(|r| r.lo.is_some_and(|lo| lo >= -DATES) && r.hi.is_some_and(|hi| hi <= DATES))
    }

    /// A place in a text.
    fn give_place(&mut self, state: State, known: Known<'_>, k: usize) -> Vec<State> {
        let slot = known.library.args.len();
        let mut out = Vec::new();
        for mut state in self.held_text(vec![state], known.scope, k, slot, known.span) {
            let way = state.fresh_in(COUNT);
            let (start, most) = (held(&state, k), held(&state, slot));
            if !state.assume_le(way, most, false) {
                continue;
            }
            let place = sum(&mut state, &[start, way]);
            let_go(&mut state);
            let v = place.unwrap_or_else(|| Val::sym(state.fresh()));
            out.extend(self.give(state, known.scope, known.library.call, v, known.span));
        }
        out
    }
}

/// The bytes that an argument leads to, if null is as good as none of them.
fn data_of(argument: Argument) -> Option<Bytes> {
    match argument {
        Argument::Data(b) | Argument::Fill(b) | Argument::In(b, _) => Some(b),
        _ => None,
    }
}

/// The bytes that are written through an argument.
fn written_by(argument: Argument) -> Option<Bytes> {
    match argument {
        Argument::Write(b)
        | Argument::WriteOrNull(b)
        | Argument::Fill(b)
        | Argument::FillText(b)
        | Argument::FillTextOrNull(b)
        | Argument::FillUpToOrNull(b)
        | Argument::Change(b, _)
        | Argument::ChangeOrNull(b, _)
        | Argument::End(b)
        | Argument::Update(b)
        | Argument::UpdateOrNull(b) => Some(b),
        _ => None,
    }
}
