//! Parts of a state that nothing connects: no pointer, no structure, no relation between numbers (heap decomposition, survey
//! §5.3, and the frame rule of separation logic).
//!
//! Two symbols are connected if an object, a summary, a points-to set, a disequality, a bound or a definition mentions both. A state is the
//! separating conjunction of its parts, and code that can name no symbol of a part leaves it as it is: the part is set aside
//! ([`State::set_aside`]) and put back afterwards ([`State::put_back`]), and what happens in between costs what the rest
//! costs.
//!
//! **Invariant:** no symbol is in both halves, so that their models are the pairs of models of each; after the code has run
//! symbols are numbered anew, which puts no two of them together.
//!
//! Where there are several disjuncts, [`Groups`] are the finest sets of roots that none of them connects; each disjunct is the
//! separating conjunction of its pieces for these ([`State::split`]), and disjuncts that are all combinations of what their pieces may be need
//! not be written out.
//!
//! Objects that are not the program's own, or end with the function, stay: library functions and the ends of scopes find
//! them without a name. So does what no root leads to. Cost: O(n α(n)) in the size of the state; putting back copies what was
//! set aside.

use super::{Root, State};
use crate::numbers::Pure;
use crate::object::ObjectKind;
use crate::value::{Sym, Val};
use std::collections::{BTreeMap, BTreeSet};
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
            if found_without_name(o.kind) {
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
        (aside.points_to, self.points_to) =
            take(&mut self.points_to).into_iter().partition(|(s, _)| goes(*s));
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
        self.points_to.extend(rest.points_to);
        self.pure.extend(rest.pure);
    }

    fn connections(&self) -> Connections {
        let mut parts = Connections((0..self.symbol_count()).collect());
        for (s, o) in &self.objects {
            parts.all(o.values(), Some(*s));
        }
        for t in &self.summaries {
            parts.all(t.values().chain(t.region.map(Val::sym)), None);
        }
        for (s, at) in &self.points_to {
            parts.all(at.places.iter().map(|p| Val::sym(*p)), Some(*s));
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

/// Sets of roots that no disjunct connects.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The number of the group of each root; 0 is that of what stays together with all that no root leads to.
    of: BTreeMap<Root, usize>,
    count: usize,
}

impl Groups {
    /// The finest groups for some disjuncts; roots that are `bound` are in the first one. A root may be there in some disjuncts only, as a variable
    /// that is not initialised in others. None if a chosen domain says something of numbers, which has no pieces.
    pub fn of(disjuncts: &[State], bound: impl Fn(Root) -> bool) -> Option<Groups> {
        let all: BTreeSet<Root> = disjuncts.iter().flat_map(|s| s.roots.keys().copied()).collect();
        let roots: Vec<Root> = all.into_iter().collect();
        // The last element stands for what stays.
        let rest = Sym(u32::try_from(roots.len()).ok()?);
        let mut together = Connections((0..=rest.0).collect());
        let at = |k: usize| Sym(k as u32);
        roots.iter().enumerate().filter(|(_, r)| bound(**r)).for_each(|(k, _)| together.connect(at(k), rest));
        for state in disjuncts {
            if state.pure.is_refined() {
                return None;
            }
            let mut parts = state.connections();
            let mut owner: Vec<Option<Sym>> = vec![None; state.symbol_count() as usize];
            let stays =
                state.objects.iter().filter(|(_, o)| found_without_name(o.kind)).map(|(s, _)| (*s, rest));
            let value = |r: &Root| state.roots.get(r).and_then(|v| v.as_sym());
            let named = roots.iter().enumerate().filter_map(|(k, r)| Some((value(r)?, at(k))));
            for (s, member) in stays.chain(named) {
                let part = parts.of(s) as usize;
                match owner.get_mut(part) {
                    Some(Some(other)) => together.connect(*other, member),
                    Some(owner) => *owner = Some(member),
                    None => {}
                }
            }
        }
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::from([(together.of(rest), 0)]);
        let mut of = BTreeMap::new();
        for (k, root) in roots.iter().enumerate() {
            let next = numbers.len();
            of.insert(*root, *numbers.entry(together.of(at(k))).or_insert(next));
        }
        Some(Groups { of, count: numbers.len() })
    }

    /// How many there are, the first included, which may be empty.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All roots with the numbers of their groups.
    pub fn roots(&self) -> impl Iterator<Item = (Root, usize)> + '_ {
        self.of.iter().map(|(r, g)| (*r, *g))
    }
}

/// Whether such objects are found by code that has no name for them.
fn found_without_name(kind: ObjectKind) -> bool {
    kind.is_foreign() || matches!(kind, ObjectKind::Scope(_))
}

impl State {
    /// The pieces of a disjunct, by the number of their group, each in normal form. `groups` are groups of it, perhaps among others.
    pub fn split(&self, groups: &Groups) -> Vec<State> {
        let mut parts = self.connections();
        let mut group_of: Vec<usize> = vec![0; self.symbol_count() as usize];
        for (s, group) in self.roots.iter().filter_map(|(r, v)| Some((v.as_sym()?, *groups.of.get(r)?))) {
            if let Some(slot) = group_of.get_mut(parts.of(s) as usize) {
                *slot = group;
            }
        }
        let mut group = |s: Sym| group_of.get(parts.of(s) as usize).copied().unwrap_or(0);
        let mut pieces = vec![State::default(); groups.count];
        pieces.iter_mut().for_each(|p| p.reserve_symbols(self.symbol_count()));
        let mut put = |group: usize, what: &mut dyn FnMut(&mut State)| {
            if let Some(piece) = pieces.get_mut(group) {
                what(piece);
            }
        };
        for (r, v) in &self.roots {
            put(groups.of.get(r).copied().unwrap_or(0), &mut |p| {
                p.roots.insert(*r, *v);
            });
        }
        for (s, o) in &self.objects {
            put(group(*s), &mut |p| {
                p.objects.insert(*s, o.clone());
            });
        }
        for t in &self.summaries {
            let of = t.values().find_map(Val::as_sym).map_or(0, &mut group);
            put(of, &mut |p| p.summaries.push(t.clone()));
        }
        for (s, at) in &self.points_to {
            put(group(*s), &mut |p| {
                p.points_to.insert(*s, at.clone());
            });
        }
        for (s, d) in &self.dead {
            put(group(*s), &mut |p| {
                p.dead.insert(*s, *d);
            });
        }
        let Pure { ranges, distinct, bounds, defs, .. } = &self.pure;
        for (s, r) in ranges {
            put(group(*s), &mut |p| {
                p.pure.ranges.insert(*s, *r);
            });
        }
        for d in distinct {
            put(group(d.0), &mut |p| {
                p.pure.distinct.insert(*d);
            });
        }
        for (k, c) in bounds {
            put(group(k.0), &mut |p| {
                p.pure.bounds.insert(*k, *c);
            });
        }
        for (s, d) in defs {
            put(group(*s), &mut |p| {
                p.pure.defs.insert(*s, d.clone());
            });
        }
        pieces.iter().map(|p| p.canonical().0).collect()
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
    fn pieces_are_what_disjuncts_are_made_of() {
        // In one disjunct two variables lead to a block each, in the other to the same one; a third is null or leads to a block.
        let mut one = State::default();
        let (a, b, c) = (block(&mut one), block(&mut one), block(&mut one));
        for (n, v) in [a, b, c, Val::int(5)].into_iter().enumerate() {
            one.set_root(local(n as u32), v);
        }
        let mut two = one.clone();
        two.set_root(local(1), a);
        b.as_sym().map(|s| two.remove_object(s));
        two.set_root(local(2), Val::ZERO);
        c.as_sym().map(|s| two.remove_object(s));
        let apart = Groups::of(&[one.clone()], |_| false).unwrap();
        assert_eq!(apart.count(), 5, "and the group of what stays");
        let groups = Groups::of(&[one.clone(), two.clone()], |r| r == local(3)).unwrap();
        assert_eq!(groups.count(), 3);
        let of: Vec<usize> = groups.roots().map(|(_, g)| g).collect();
        assert_eq!(of, [1, 1, 2, 0]);
        for state in [one, two.clone()] {
            let pieces = state.split(&groups);
            assert_eq!(pieces.iter().map(|p| p.roots().count()).sum::<usize>(), 4);
            let mut whole = State::default();
            pieces.iter().for_each(|p| whole.put_back(p));
            assert_eq!(whole.canonical().0, state.canonical().0);
        }
        two.drop_root(local(0));
        two.drop_root(local(3));
        let groups = Groups::of(&[State::default(), two.clone()], |_| false).unwrap();
        assert_eq!(groups.count(), 3, "roots that only one of them has");
        assert_eq!(two.split(&groups).len(), 3);
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
