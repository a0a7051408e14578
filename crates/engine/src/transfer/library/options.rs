//! `getopt` and `getopt_long`.
//!
//! The options are looked for in an array of texts, which may change places in it: what was known of single elements is
//! forgotten. Afterwards `optarg` is a text of the environment for a letter that is followed by a colon in the text of the
//! options, and null for others; `optind` is any number. Where the text is not known, or long options have results that are
//! letters as well, `optarg` may be null for any result.

use crate::context::Context;
use crate::transfer::library::models::LibraryCall;
use crate::transfer::place::{Scope, Target};
use heapwise_heap::{Content, Fill, Object, ObjectKind, Root, State, Val};
use heapwise_ir::Span;
use heapwise_ir::library::LibFn;
use heapwise_numeric::Interval;
use heapwise_property::Reason;

impl Context<'_> {
    pub(super) fn getopt(
        &mut self,
        mut state: State,
        scope: Scope<'_>,
        library: LibraryCall<'_>,
        span: Span,
    ) -> Vec<State> {
        let arg = |i: usize| library.args.get(i).copied().unwrap_or(Val::UNDEF);
        let array = arg(1).as_sym().filter(|_| arg(1).off == 0);
        let texts = |s| state.object(s).is_some_and(|o| o.kind == ObjectKind::TextArray);
        let Some(array) = array.filter(|s| texts(*s) && self.counts_texts(&state, *s, arg(0))) else {
            let message =
                format!("`{}` of something else than the program's arguments", library.function.name);
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return Vec::new();
        };
        let long = library.lib == LibFn::GetoptLong;
        let options = self.literal_text(&state, arg(2));
        let Some(options) =
            options.filter(|_| !long || arg(4) == Val::ZERO && self.long_options(&state, arg(3)).is_some())
        else {
            let message = format!("the options of `{}` are not known", library.function.name);
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return Vec::new();
        };
        // The array holds the same texts in some order.
        if let Some(o) = state.object(array).cloned() {
            let same = Object::new(o.kind, o.size, Fill::Unknown, o.site);
            if let Some(o) = state.object_mut(array) {
                *o = same;
            }
        }
        let options: Vec<u8> = options.into_iter().take_while(|b| *b != 0).collect();
        let sure: Vec<i128> = options
            .windows(2)
            .filter_map(|w| match w {
                [letter, b':'] if *letter != b':' => Some(i128::from(*letter)),
                _ => None,
            })
            .filter(|letter| !optional(&options, *letter))
            .filter(|letter| !long || self.always_with_argument(&state, arg(3), *letter))
            .collect();
        if !self.option_globals_are_there(&state) {
            let message = format!("variables of `{}` are not at hand", library.function.name);
            self.alarm(scope.func, Reason::Unsupported, span, false, message, Vec::new());
            return Vec::new();
        }
        let count = arg(0);
        let mut out = Vec::new();
        for letter in sure.iter().map(|l| Some(*l)).chain([None]) {
            let mut with = state.clone();
            let text = self.environment_text(&mut with, true, span);
            self.set_option_globals(&mut with, Val::sym(text), count);
            match letter {
                Some(letter) => out.extend(self.give(with, scope, library.call, Val::int(letter), span)),
                None => {
                    let any = Interval { lo: Some(-1), hi: Some(255) };
                    let mut others = vec![state.clone()];
                    // Long options, and letters with arguments that may be missing, may have one.
                    if let Some(other) = others.first_mut() {
                        self.set_option_globals(other, Val::ZERO, count);
                    }
                    if long || options.windows(2).any(|w| w == b"::") {
                        others.push(with);
                    }
                    for mut other in others {
                        let Some(dest) = &library.call.dest else {
                            out.push(other);
                            continue;
                        };
                        let v = self.any_value(&mut other, dest.ty);
                        let fits = long || other.assume_in(v, any);
                        let apart = sure.iter().all(|l| other.assume_ne(v, Val::int(*l), &self.preds));
                        if fits && apart {
                            out.extend(self.give(other, scope, library.call, v, span));
                        }
                    }
                }
            }
        }
        out
    }

    /// Whether an array has room for so many texts and the null pointer.
    fn counts_texts(&self, state: &State, array: heapwise_heap::Sym, count: Val) -> bool {
        let word = i128::from(self.program.types.pointer_size);
        let size = state.object(array).and_then(|o| state.linear(o.size));
        let wanted = state.linear(count).and_then(|n| n.times(word)).and_then(|n| n.shifted(word));
        let room = size.zip(wanted).and_then(|(size, wanted)| size.minus(&wanted));
        room.is_some_and(|r| state.is_not_negative(&r))
    }

    /// Whether all long options of a table that give a letter take an argument.
    fn always_with_argument(&self, state: &State, table: Val, letter: i128) -> bool {
        let word = self.program.types.pointer_size;
        let object = table.as_sym().filter(|_| table.off == 0).and_then(|s| state.object(s));
        let (Some(o), Some(count)) = (object, self.long_options(state, table)) else { return false };
        let entry = 4 * word;
        (0..count).all(|i| {
            let number = |at: u64| match o.read(i * entry + at, 4) {
                Content::Val(v) => v.as_int(),
                _ => None,
            };
            match (number(word), number(3 * word)) {
                (Some(takes), Some(value)) => value != letter || takes == 1,
                _ => false,
            }
        })
    }

    /// How many options a table has before its end, which has no name; `None` if it is not known to have one, or if an option
    /// sets a variable or has a name that is not known.
    fn long_options(&self, state: &State, table: Val) -> Option<u64> {
        let word = self.program.types.pointer_size;
        let o = table.as_sym().filter(|_| table.off == 0).and_then(|s| state.object(s))?;
        let entry = 4 * word;
        let count = o.const_size()? / entry;
        for i in 0..count {
            match o.read(i * entry, word) {
                Content::Val(Val::ZERO) => return Some(i),
                Content::Val(name) => self.literal_text(state, name).filter(|t| t.contains(&0))?,
                _ => return None,
            };
            if o.read(i * entry + 2 * word, word) != Content::Val(Val::ZERO) {
                return None;
            }
        }
        None
    }

    /// Whether the variables of the library that the program names can be written here.
    fn option_globals_are_there(&self, state: &State) -> bool {
        let names = ["optarg", "optind", "optopt"];
        let mut globals = self.program.globals.iter_enumerated().filter(|(_, g)| names.contains(&&*g.name));
        globals.all(|(g, _)| match state.root(Root::Global(g)) {
            Some(v) => v.as_sym().is_some_and(|s| state.has_object(s)),
            // Nothing that runs names it.
            None => true,
        })
    }

    /// Sets what the library keeps in variables of its own, if the program has them.
    fn set_option_globals(&self, state: &mut State, argument: Val, count: Val) {
        let named = |(r, v): (Root, Val)| match r {
            Root::Global(g) => {
                let global = self.program.globals.get(g)?;
                Some((global.name.clone(), global.size, global.ty, v.as_sym()?))
            }
            _ => None,
        };
        let globals: Vec<_> = state.roots().filter_map(named).collect();
        for (name, size, ty, s) in globals {
            let v = match &*name {
                "optarg" if size == self.program.types.pointer_size => argument,
                "optind" => {
                    let v = self.any_value(state, ty);
                    let within = state.assume_in(v, Interval { lo: Some(1), hi: None });
                    if !within || !state.assume_le(v, count, false) {
                        continue;
                    }
                    v
                }
                "optopt" => self.any_value(state, ty),
                _ => continue,
            };
            let target = Target::Bytes(s, 0);
            crate::transfer::memory::change(state, target.object(), target.offset(), size, true, |o| {
                o.write(0, size, v);
            });
        }
    }
}

/// Whether a letter is followed by two colons: its argument may be missing.
fn optional(options: &[u8], letter: i128) -> bool {
    options.windows(3).any(|w| matches!(w, [l, b':', b':'] if i128::from(*l) == letter))
}
