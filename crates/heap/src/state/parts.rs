//! Parts of a state that nothing connects: no pointer, no structure, no relation between numbers (heap decomposition, survey
//! §5.3, and the frame rule of separation logic).
//!
//! Two symbols are connected if an object, a summary, a disequality, a bound or a definition mentions both. A state is the
//! separating conjunction of its parts, and code that can name no symbol of a part leaves it as it is: the part is set aside
//! ([`State::set_aside`]) and put back afterwards ([`State::put_back`]), and what happens in between costs what the rest
//! costs.
//!
//! **Invariant:** no symbol is in both halves, so that their models are the pairs of models of each; after the code has run
//! symbols are numbered anew, which puts no two of them together.
//!
//! Objects that are not the program's own, or end with the function, stay: library functions and the ends of scopes find
//! them without a name. So does what no root leads to. Cost: O(n α(n)) in the size of the state; putting back copies what was
//! set aside.

use super::{Root, State};
use crate::numbers::Pure;
use crate::object::ObjectKind;
use crate::value::{Sym, Val};
use std::mem::take;

/// Symbols and what they are connected with.
struct Connections(Vec<u32>);

impl Connections {
    fn of(&mut self, s: Sym) -> u32 {
        let mut at = s.0;
        while let Some(up) = self.0.get(at as usize).copied().filter(|up| *up != at) {
            // Halves the way for the next one.
            let further = self.0.get(up as usize).copied().unwrap_or(up);
            if let Some(slot) = self.0.get_mut(at as usize) {
                *slot = further;
            }
            at = up;
        }
        at
    }

    fn connect(&mut self, a: Sym, b: Sym) {
        let (a, b) = (self.of(a), self.of(b));
        if let Some(slot) = self.0.get_mut(a as usize) {
            *slot = b;
        }
    }

    fn all(&mut self, values: impl Iterator<Item = Val>, first: Option<Sym>) {
        let mut first = first;
        for s in values.filter_map(Val::as_sym) {
            match first {
                Some(f) => self.connect(s, f),
                None => first = Some(s),
            }
        }
    }
}

impl State {
    /// Takes out the parts that no root leads to for which `touched` holds, and the roots in them; returns them as a state of
    /// their own. What a chosen domain says of numbers has no parts: then nothing is taken out.
    pub fn set_aside(&mut self, touched: impl Fn(Root) -> bool) -> State {
        let mut aside = State::default();
        aside.reserve_symbols(self.symbol_count());
        if self.pure.is_refined() {
            return aside;
        }
        let mut parts = self.connections();
        // What stays: parts with a root that is touched, with an object that is found without one, or without any root.
        let mut named = vec![false; self.symbol_count() as usize];
        let mut stays = named.clone();
        let mut mark = |flags: &mut Vec<bool>, s: Sym| {
            let part = parts.of(s) as usize;
            if let Some(flag) = flags.get_mut(part) {
                *flag = true;
            }
        };
        for (root, s) in self.roots.iter().filter_map(|(r, v)| Some((*r, v.as_sym()?))) {
            mark(&mut named, s);
            if touched(root) {
                mark(&mut stays, s);
            }
        }
        for (s, o) in &self.objects {
            if o.kind.is_foreign() || matches!(o.kind, ObjectKind::Scope(_)) {
                mark(&mut stays, *s);
            }
        }
        let goes: Vec<bool> = (0..self.symbol_count())
            .map(|s| {
                let part = parts.of(Sym(s)) as usize;
                named.get(part) == Some(&true) && stays.get(part) == Some(&false)
            })
            .collect();
        let goes = |s: Sym| goes.get(s.0 as usize) == Some(&true);
        let root_goes = |root: Root, v: Val| v.as_sym().map_or(!touched(root), goes);
        (aside.roots, self.roots) = take(&mut self.roots).into_iter().partition(|(r, v)| root_goes(*r, *v));
        (aside.objects, self.objects) = take(&mut self.objects).into_iter().partition(|(s, _)| goes(*s));
        aside.summaries =
            self.summaries.extract_if(.., |t| t.values().any(|v| v.as_sym().is_some_and(goes))).collect();
        (aside.dead, self.dead) = take(&mut self.dead).into_iter().partition(|(s, _)| goes(*s));
        aside.pure = self.pure.extract(goes);
        aside
    }

    /// The separating conjunction with parts that were set aside: no symbol of theirs means anything here.
    pub fn put_back(&mut self, aside: &State) {
        let base = aside.symbol_count();
        let rest = self.renamed(&|s| Sym(s.0.saturating_add(base)), base.saturating_add(self.symbol_count()));
        *self = aside.clone();
        self.reserve_symbols(rest.symbol_count());
        self.roots.extend(rest.roots);
        self.objects.extend(rest.objects);
        self.summaries.extend(rest.summaries);
        self.dead.extend(rest.dead);
        self.pure.extend(rest.pure);
    }

    fn connections(&self) -> Connections {
        let mut parts = Connections((0..self.symbol_count()).collect());
        for (s, o) in &self.objects {
            parts.all(o.values(), Some(*s));
        }
        for t in &self.summaries {
            parts.all(t.values(), None);
        }
        let Pure { distinct, bounds, defs, .. } = &self.pure;
        distinct.iter().filter_map(|(a, b, _)| Some((*a, (*b)?))).for_each(|(a, b)| parts.connect(a, b));
        bounds.keys().for_each(|(a, b)| parts.connect(*a, *b));
        for (s, d) in defs {
            d.terms().iter().for_each(|(t, _)| parts.connect(*s, *t));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Fill, Object};
    use heapwise_ir::{LocalId, Span};

    fn block(state: &mut State) -> Val {
        Val::sym(state.add_object(Object::new(ObjectKind::Heap, Val::int(16), Fill::Uninit, Span::default())))
    }

    fn local(n: u32) -> Root {
        Root::Local(LocalId(n))
    }

    #[test]
    fn what_is_connected_stays_together() {
        let mut state = State::default();
        let (a, b, c) = (block(&mut state), block(&mut state), block(&mut state));
        let (x, y) = (Val::sym(state.fresh()), Val::sym(state.fresh()));
        if let Some(o) = a.as_sym().and_then(|s| state.object_mut(s)) {
            o.write(0, 8, b);
        }
        for (n, v) in [a, b, c, x, y, Val::int(7), Val::int(8)].into_iter().enumerate() {
            state.set_root(local(n as u32), v);
        }
        assert!(state.note_ne(x, Val::ZERO) && state.assume_le(x, y, false));
        let whole = state.clone();
        // The first block leads to the second; the two numbers are related; 7 is touched and 8 is not.
        let touched = [local(1), local(3), local(5)];
        let aside = state.set_aside(|r| touched.contains(&r));
        let names = |s: &State| s.roots().map(|(r, _)| r).collect::<Vec<_>>();
        assert_eq!(names(&aside), [local(2), local(6)]);
        assert_eq!(names(&state), [local(0), local(1), local(3), local(4), local(5)]);
        assert_eq!((aside.object_count(), state.object_count()), (1, 2));
        assert!(state.knows_le(x, y, false));
        state.put_back(&aside);
        assert_eq!(state.canonical().0, whole.canonical().0);
    }

    #[test]
    fn what_is_found_without_a_name_stays() {
        let mut state = State::default();
        let vla = Object::new(ObjectKind::Scope(None), Val::int(4), Fill::Uninit, Span::default());
        let vla = Val::sym(state.add_object(vla));
        state.set_root(local(0), vla);
        let lost = block(&mut state);
        let aside = state.set_aside(|_| false);
        assert_eq!(aside.object_count(), 0);
        assert!(lost.as_sym().is_some_and(|s| state.has_object(s)) && state.has_root(local(0)));
    }
}
