//! What a program finds when it starts and what it is given by the library without asking for memory: the arguments of
//! `main`, `environ`, texts, `errno`; and the functions that run at its end.
//!
//! `argv` is an array of symbolic length ([`ObjectKind::TextArray`]): all elements but the last lead to texts, the last is
//! null. Reading an element gives a text of its own, which the array remembers, so that the next read of the same
//! element finds it. A text has a symbolic size and a zero as its last byte; where its first zero is, is learnt as with other
//! texts. Two texts may be the same memory, so nothing tells their addresses apart, and as long as
//! facts about their bytes are kept nothing may write to them: a write ends the path with an alarm. An element that is
//! overwritten by anything but a text makes the array an ordinary one.
//!
//! Storage of the library ([`ObjectKind::Library`]) may change at any time: what is read from it is any value.
//!
//! Functions registered with `atexit` are roots of the state ([`Root::AtExit`]) that are there from the start, so that a join
//! of paths with different registrations cannot lose one.

use crate::context::Context;
use crate::transfer::place::{Scope, Target};
use heapwise_heap::{Base, Fill, Floating, Object, ObjectKind, Root, State, Sym, Val};
use heapwise_ir::{FuncId, Span, Ty, Type};
use heapwise_numeric::Interval;
use heapwise_property::Reason;

/// Most functions that are registered with `atexit`.
const MOST_AT_EXIT: u8 = 8;

/// Which share of all memory a text of the environment has at most: copies of it have room.
const TEXT_SHARE: i128 = 4096;

/// Most arguments, and most texts of the environment: systems give them a few megabytes together.
const MOST_TEXTS: i128 = 1 << 27;
/// How many texts an array of them can have.
const TEXT_COUNTS: Interval = Interval { lo: Some(0), hi: Some(MOST_TEXTS) };

impl Context<'_> {
    /// The parameters of `main`, if the entry is a `main` that takes any: their values in order.
    pub(crate) fn main_arguments(&self, state: &mut State, entry: FuncId) -> Option<Vec<Val>> {
        let function = self.program.functions.get(entry).filter(|f| &*f.name == "main")?;
        let Type::Function { params, .. } = self.program.types.get(function.ty) else { return None };
        let mut values = Vec::new();
        for (i, ty) in params.iter().enumerate() {
            values.push(match i {
                0 => {
                    let int = self.program.types.as_int(*ty)?;
                    state.fresh_in(Interval { lo: Some(1), hi: Some(int.max().min(MOST_TEXTS)) })
                }
                1 | 2 if self.is_text_array(*ty) => {
                    let count = values.first().copied().filter(|_| i == 1);
                    let count = count.unwrap_or_else(|| state.fresh_in(TEXT_COUNTS));
                    match self.environ(state).filter(|_| i == 2) {
                        Some(environ) => environ,
                        None => self.text_array(state, count)?,
                    }
                }
                _ => return None,
            });
        }
        Some(values)
    }

    fn is_text_array(&self, ty: Ty) -> bool {
        let to = self.program.types.pointee(ty).and_then(|t| self.program.types.pointee(t));
        to.is_some_and(|t| self.is_byte(t))
    }

    fn is_byte(&self, ty: Ty) -> bool {
        matches!(self.program.types.get(ty), Type::Int(int) if int.bits == 8)
    }

    /// Whether values of a type are pointers to characters.
    pub(crate) fn is_text_pointer(&self, ty: Ty) -> bool {
        self.program.types.pointee(ty).is_some_and(|t| self.is_byte(t))
    }

    /// What the global `environ` points to, if the program has it.
    fn environ(&self, state: &State) -> Option<Val> {
        let object = |(r, v): (Root, Val)| match r {
            Root::Global(g) if self.is_environ(g) => state.object(v.as_sym()?),
            _ => None,
        };
        let object = state.roots().find_map(object)?;
        object.cell(0, self.program.types.pointer_size)
    }

    /// Whether a global is the array of the variables of the environment.
    pub(crate) fn is_environ(&self, g: heapwise_ir::GlobalId) -> bool {
        self.program.globals.get(g).is_some_and(|g| {
            matches!(&*g.name, "environ" | "__environ" | "_environ")
                && g.init == heapwise_ir::GlobalInit::Unknown
                && self.is_text_array(g.ty)
        })
    }

    /// A new array of so many texts and a null pointer.
    fn text_array(&self, state: &mut State, count: Val) -> Option<Val> {
        let word = i128::from(self.program.types.pointer_size);
        let size = state.linear(count)?.times(word)?.shifted(word)?;
        let size = state.value_of(&size)?;
        let array = Object::new(ObjectKind::TextArray, size, Fill::Unknown, Span::default());
        Some(Val::sym(state.add_object(array)))
    }

    /// A new array of any number of texts and a null pointer.
    pub(crate) fn any_text_array(&self, state: &mut State) -> Option<Val> {
        let count = state.fresh_in(TEXT_COUNTS);
        self.text_array(state, count)
    }

    /// A text of the environment.
    pub(crate) fn environment_text(&self, state: &mut State, lasts: bool, site: Span) -> Sym {
        let most = self.object_sizes().hi.map(|n| n / TEXT_SHARE);
        let length = state.fresh_in(Interval { lo: Some(0), hi: most });
        let mut text = Object::new(ObjectKind::Text { lasts }, length.plus(1), Fill::Unknown, site);
        text.add_floating(Floating { off: length, width: 1, val: Val::ZERO });
        state.add_object(text)
    }

    /// Storage of the library for a value of a type.
    pub(crate) fn library_storage(&self, state: &mut State, ty: Ty, site: Span) -> Val {
        let size = Val::int(i128::from(self.program.types.size(ty)));
        let mut object = Object::new(ObjectKind::Library, size, Fill::Unknown, site);
        if let Type::Record(r) = self.program.types.get(ty) {
            object.record = Some(*r);
        }
        Val::sym(state.add_object(object))
    }

    /// Reads a pointer from an array of texts: null at its end, a text before it. `None` if it is something else that is
    /// read.
    pub(crate) fn load_text_pointer(
        &mut self,
        state: &State,
        target: Target,
        ty: Ty,
    ) -> Option<Vec<(State, Val)>> {
        let word = self.program.types.pointer_size;
        let array = state.object(target.object()).filter(|o| o.kind == ObjectKind::TextArray)?;
        let at = target.offset();
        let aligned = state.linear(at).is_some_and(|form| form.divided(i128::from(word)).is_some());
        if self.size(ty) != word || !aligned {
            return None;
        }
        // What was read before is found again.
        let known = match target {
            Target::Bytes(_, off) => array.cell(off, word).is_some(),
            Target::Range(..) => false,
        };
        let mut floating = array.floating().iter().filter(|f| f.width == word);
        if known || floating.any(|f| state.compare(f.off, at, None) == Some(true)) {
            return None;
        }
        let last = array.size.plus(-i128::from(word));
        let mut out = Vec::new();
        let mut end = state.clone();
        if end.assume_eq(at, last, &self.preds) {
            out.push((end, Val::ZERO));
        }
        let mut before = state.clone();
        if before.assume_ne(at, last, &self.preds) && before.assume_le(at.plus(i128::from(word)), last, false)
        {
            let text = self.environment_text(&mut before, true, Span::default());
            let array = before.object_mut(target.object())?;
            match target {
                Target::Bytes(_, off) => array.refine(off, word, Val::sym(text)),
                Target::Range(_, off, ..) => {
                    array.add_floating(Floating { off, width: word, val: Val::sym(text) });
                }
            }
            out.push((before, Val::sym(text)));
        }
        Some(out)
    }

    /// Takes note of a value that is stored in an array of texts: the array stays one if the value leads into a text.
    pub(crate) fn note_stored_text(&self, state: &mut State, s: Sym, v: Val) {
        let text = state.pointer(v).and_then(|(t, offset)| {
            let object = state.object(t).filter(|o| o.kind == ObjectKind::Text { lasts: true })?;
            let room = state.linear(object.size)?.minus(&offset)?.shifted(-1)?;
            Some(state.is_not_negative(&offset) && state.is_not_negative(&room))
        });
        if text != Some(true) {
            self.make_ordinary(state, s);
        }
    }

    /// An array of texts becomes an ordinary one, of which only what was read and not overwritten is known.
    pub(crate) fn make_ordinary(&self, state: &mut State, s: Sym) {
        let word = self.program.types.pointer_size;
        if let Some(array) = state.object_mut(s).filter(|o| o.kind == ObjectKind::TextArray) {
            array.kind = ObjectKind::Outer;
            let last = array.size.plus(-i128::from(word));
            array.add_floating(Floating { off: last, width: word, val: Val::ZERO });
        }
    }

    /// Whether the program registers functions with `atexit`; it may well declare it and not call it.
    pub(crate) fn registers(&self) -> bool {
        self.facts.registers_at_exit
    }

    /// Puts the list of functions that run at the end into a state, empty.
    pub(crate) fn start_at_exit(&self, state: &mut State) {
        for i in (0..MOST_AT_EXIT).filter(|_| self.registers()) {
            state.set_root(Root::AtExit(i), Val::ZERO);
        }
    }

    /// Registers a function with `atexit`; whether that was possible.
    pub(crate) fn register(&mut self, state: &mut State, scope: Scope<'_>, f: Val, span: Span) -> bool {
        if self.options.function.is_some() {
            let message = "contracts cannot say what is registered to run at the end".into();
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return false;
        }
        let free = (0..MOST_AT_EXIT).find(|i| state.root(Root::AtExit(*i)) == Some(Val::ZERO));
        // Whatever is after the first free place is free as well, or it is not known what is registered.
        let known = |i: u8| state.root(Root::AtExit(i)).is_some_and(|v| v == Val::ZERO);
        match free.filter(|i| (*i..MOST_AT_EXIT).all(known)) {
            Some(i) if matches!(f.base, Base::Func(_)) => {
                state.set_root(Root::AtExit(i), f);
                true
            }
            _ => {
                let message = "what is registered to run at the end is not followed".into();
                self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
                false
            }
        }
    }

    /// Takes the function that was registered last out of a state.
    pub(crate) fn take_at_exit(
        &mut self,
        state: &mut State,
        scope: Scope<'_>,
        span: Span,
    ) -> Result<Option<FuncId>, ()> {
        for i in (0..MOST_AT_EXIT).rev().filter(|_| self.registers()) {
            match state.root(Root::AtExit(i)).map(|v| v.base) {
                Some(Base::Zero) => {}
                Some(Base::Func(f)) => {
                    state.set_root(Root::AtExit(i), Val::ZERO);
                    return Ok(Some(f));
                }
                _ => {
                    let message = "it is not known which functions run at the end".into();
                    self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
                    return Err(());
                }
            }
        }
        Ok(None)
    }
}
