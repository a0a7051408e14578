//! One disjunct: roots, objects, summaries and pure facts, separated by `*`.
//!
//! Invariants:
//! - Every object has its own symbol as address, and the memory of objects and summaries is disjoint (separating
//!   conjunction), so two live objects have different addresses.
//! - Equalities are substituted away: equal values are identical.
//! - A symbol without object or summary stands for some number or for an address about which nothing is claimed:
//!   it may be null, dangling, or equal to any other. In particular a dangling pointer may equal a fresh
//!   block; only *live* objects are known to be apart.
//!
//! Operations that add knowledge return whether the state can still have a model.

use crate::define::{MAX_TERMS, Solved};
use crate::linear::Linear;
use crate::marks::Marks;
use crate::object::{Object, ObjectKind};
use crate::pred::{Case, Fact, Pred, PredId, PredTable, Term, TermBase};
use crate::pure::Pure;
pub use crate::summary::{Args, Summary};
use crate::value::{Base, Sym, Val};
use heapwise_ir::{GlobalId, LocalId, Span};
use heapwise_numeric::Interval;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A name of the environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Root {
    /// The value of a local that is no memory object.
    Local(LocalId),
    /// The address of a local that is a memory object.
    Slot(LocalId),
    /// The address of a global.
    Global(GlobalId),
    /// The value that the function returns.
    Result,
    /// A value that the callers hold on to.
    Cut(u32),
    /// A value that a transfer function keeps hold of while the state changes under it.
    Scratch(u8),
}

/// Why a symbol dangles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Death {
    /// Its block was freed.
    Freed(Span),
    /// Its variable went out of scope.
    Scope(Span),
}

/// One disjunct.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    next: u32,
    /// The environment.
    pub roots: BTreeMap<Root, Val>,
    /// Objects by address.
    pub objects: BTreeMap<Sym, Arc<Object>>,
    /// Summaries.
    pub summaries: Vec<Summary>,
    /// Numeric facts.
    pub pure: Pure,
    /// Symbols known to dangle.
    pub dead: BTreeMap<Sym, Death>,
}

/// Addresses below this are never those of objects, nor are the last ones before the end of the address space;
/// `null` with a small offset is therefore never an object.
pub const NULL_PAGE: i128 = 4096;

/// What an equality between two values comes down to.
enum Equation {
    Holds,
    Contradiction,
    Substitute(Sym, Val),
}

/// A piece of memory that owns a block.
#[derive(PartialEq, Eq)]
enum Owner {
    Object(Sym),
    Summary(usize),
}

/// Memory that nothing points to any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lost {
    /// An object, allocated there.
    Object(Sym, Span),
    /// Possibly some objects of a summary.
    Summary(PredId),
}

impl State {
    /// A new symbol.
    pub fn fresh(&mut self) -> Sym {
        let s = Sym(self.next);
        self.next += 1;
        s
    }

    /// A new symbol in a range.
    pub fn fresh_in(&mut self, range: Interval) -> Val {
        let v = Val::sym(self.fresh());
        let satisfiable = self.pure.assume_in(v, range);
        debug_assert!(satisfiable, "a fresh symbol has no facts to contradict");
        v
    }

    /// One more than the largest symbol in use.
    pub fn symbol_count(&self) -> u32 {
        self.next
    }

    /// Makes sure that new symbols start at `n` or later.
    pub fn reserve_symbols(&mut self, n: u32) {
        self.next = self.next.max(n);
    }

    /// Adds an object and returns its address.
    pub fn add_object(&mut self, object: Object) -> Sym {
        let s = self.fresh();
        self.objects.insert(s, Arc::new(object));
        s
    }

    /// How many objects there are on the heap, those of summaries not counted.
    pub fn heap_blocks(&self) -> usize {
        self.objects.values().filter(|o| o.kind == ObjectKind::Heap).count()
    }

    /// The object at `s`, to be changed.
    pub fn object_mut(&mut self, s: Sym) -> Option<&mut Object> {
        self.objects.get_mut(&s).map(Arc::make_mut)
    }

    /// Calls `f` on every value outside the pure part.
    pub fn for_each_val(&self, mut f: impl FnMut(Val)) {
        self.roots.values().copied().for_each(&mut f);
        for o in self.objects.values() {
            o.values().for_each(&mut f);
        }
        for s in &self.summaries {
            s.values().for_each(&mut f);
        }
    }

    pub(crate) fn substitute(&mut self, sym: Sym, by: Val) -> bool {
        for v in self.roots.values_mut() {
            *v = v.substitute(sym, by);
        }
        for o in self.objects.values_mut() {
            let uses = o.values().any(|v| v.as_sym() == Some(sym));
            if uses {
                let o = Arc::make_mut(o);
                o.values_mut().for_each(|v| *v = v.substitute(sym, by));
                o.settle();
            }
        }
        for s in &mut self.summaries {
            s.values_mut().for_each(|v| *v = v.substitute(sym, by));
        }
        if let Some(death) = self.dead.remove(&sym)
            && let Some(other) = by.as_sym()
            && !self.objects.contains_key(&other)
        {
            self.dead.insert(other, death);
        }
        self.pure.substitute(sym, by)
    }

    /// Learns `a = b`, with all consequences for summaries.
    #[must_use]
    pub fn assume_eq(&mut self, a: Val, b: Val, preds: &PredTable) -> bool {
        self.unify_all(vec![(a, b)]) && self.settle(preds)
    }

    /// Learns that the values of each pair are equal, with all consequences for summaries.
    #[must_use]
    pub fn assume_all_eq(&mut self, pairs: Vec<(Val, Val)>, preds: &PredTable) -> bool {
        self.unify_all(pairs) && self.settle(preds)
    }

    /// Learns that the values of each pair are equal.
    pub(crate) fn unify_all(&mut self, mut pairs: Vec<(Val, Val)>) -> bool {
        while let Some((a, b)) = pairs.pop() {
            let Some((sym, by)) = (match self.equation(a, b) {
                Equation::Holds => continue,
                Equation::Contradiction => return false,
                Equation::Substitute(sym, by) => Some((sym, by)),
            }) else {
                continue;
            };
            let definition = self.pure.take_definition(sym);
            if !self.substitute(sym, by) {
                return false;
            }
            for (p, q) in &mut pairs {
                *p = p.substitute(sym, by);
                *q = q.substitute(sym, by);
            }
            // What defined the symbol equals its new value.
            if let Some(form) = definition
                && let Some(equation) = self.pure.linear(by).and_then(|v| form.minus(&v))
            {
                let objects = &self.objects;
                match self.pure.solve(&equation, |s| objects.contains_key(&s)) {
                    Solved::Contradiction => return false,
                    Solved::Done => {}
                    Solved::Equal(s, v) => pairs.push((Val::sym(s), v)),
                }
            }
            if pairs.is_empty()
                && let Some((s, v)) = self.pure.redundant()
            {
                pairs.push((Val::sym(s), v));
            }
        }
        true
    }

    /// The value of a linear form: a plain value, a symbol that is defined so already, or a new one.
    pub fn value_of(&mut self, form: &Linear) -> Option<Val> {
        let form = self.pure.expanded(form)?;
        if let Some(v) = form.as_val().or_else(|| self.pure.defined_as(&form)) {
            return Some(v);
        }
        if form.terms().len() > MAX_TERMS {
            return None;
        }
        let s = self.fresh();
        let satisfiable = self.pure.define(s, &form);
        debug_assert!(satisfiable, "a fresh symbol has no facts to contradict");
        Some(Val::sym(s))
    }

    /// The symbol of the memory that a value points into, and how far into it: the value itself if it is the address
    /// of an object or the root of a summary plus a constant, or by its definition.
    pub fn pointer(&self, v: Val) -> Option<(Sym, Linear)> {
        let s = v.as_sym()?;
        let Some(def) = self.pure.definition(s).filter(|_| !self.owns_memory(s)) else {
            return Some((s, Linear::constant(v.off)));
        };
        let mut owners =
            def.terms().iter().filter(|(t, _)| self.owns_memory(*t) || self.dead.contains_key(t));
        let ((base, 1), None) = (owners.next()?, owners.next()) else { return None };
        let offset = def.substitute(*base, &Linear::default())?.shifted(v.off)?;
        Some((*base, offset))
    }

    /// Whether an object starts at a symbol, or a summary names it as the address of its first or last element.
    pub fn owns_memory(&self, s: Sym) -> bool {
        let names = |v: &Val| v.as_sym() == Some(s);
        self.objects.contains_key(&s)
            || self
                .summaries
                .iter()
                .any(|t| names(&t.root) || t.end.as_ref().is_some_and(|(_, args)| args.iter().any(names)))
    }

    /// Whether a value is a pointer to memory that is gone.
    fn is_dangling(&self, v: Val) -> bool {
        !self.dead.is_empty() && self.pointer(v).is_some_and(|(s, _)| self.dead.contains_key(&s))
    }

    fn equation(&self, a: Val, b: Val) -> Equation {
        if a == b || a.is_undef() || b.is_undef() {
            return Equation::Holds;
        }
        if self.compare(a, b, None) == Some(false) {
            return Equation::Contradiction;
        }
        match (a.as_sym(), b.as_sym()) {
            // A pointer to dead memory may hold the address of a live block, but it does not lead there: the two stay
            // apart, also if the other one turns out to be such a block later.
            (Some(_), Some(_)) if self.is_dangling(a) != self.is_dangling(b) => Equation::Holds,
            (Some(x), Some(y)) => {
                let (ox, oy) = (self.objects.contains_key(&x), self.objects.contains_key(&y));
                let (dx, dy) = (self.pure.is_defined(a), self.pure.is_defined(b));
                let base = |v: Val| self.pointer(v).map(|(s, _)| s).filter(|s| self.objects.contains_key(s));
                if (dx || dy) && matches!((base(a), base(b)), (Some(s), Some(t)) if s != t) {
                    // As below, for a pointer that moves.
                    Equation::Holds
                } else if dx && !ox {
                    Equation::Substitute(x, b.plus(-a.off))
                } else if dy && !oy {
                    Equation::Substitute(y, a.plus(-b.off))
                } else if ox && oy {
                    // A pointer past the end of one object may equal the start of another; that cannot be
                    // said by substitution, so the fact is dropped.
                    Equation::Holds
                } else if oy || (!ox && y < x) {
                    // The object's symbol stays, else the older one.
                    Equation::Substitute(x, b.plus(-a.off))
                } else {
                    Equation::Substitute(y, a.plus(-b.off))
                }
            }
            (Some(x), None) if !self.objects.contains_key(&x) => Equation::Substitute(x, b.plus(-a.off)),
            (None, Some(y)) if !self.objects.contains_key(&y) => Equation::Substitute(y, a.plus(-b.off)),
            (None, None) => Equation::Contradiction,
            // An address far outside its object against a number.
            _ => Equation::Holds,
        }
    }

    /// Learns `a ≠ b`.
    #[must_use]
    pub fn assume_ne(&mut self, a: Val, b: Val, preds: &PredTable) -> bool {
        match self.compare(a, b, Some(preds)) {
            Some(equal) => !equal,
            None => self.pure.assume_ne(a, b) && self.settle(preds),
        }
    }

    /// Whether an offset is that of a byte inside the object.
    fn inside(&self, object: &Object, off: i128) -> bool {
        off >= 0 && self.pure.knows_le(Val::int(off), object.size, true)
    }

    /// Whether two values are equal: certainly, certainly not, or unknown.
    pub fn compare(&self, a: Val, b: Val, preds: Option<&PredTable>) -> Option<bool> {
        if a.is_undef() || b.is_undef() {
            return None;
        }
        if a == b {
            return Some(true);
        }
        if self.pure.knows_ne(a, b) {
            return Some(false);
        }
        // Both may be moved by the same amount: an offset outside of its object says nothing by itself.
        let shifts = [0, -a.off, -b.off];
        let distinct = shifts.iter().enumerate().filter(|(i, s)| !shifts[..*i].contains(s));
        for (_, by) in distinct {
            let (x, y) = (a.plus(*by), b.plus(*by));
            if self.apart(x, y, preds, 3) || self.apart(y, x, preds, 3) {
                return Some(false);
            }
        }
        if self.pure.is_defined(a) || self.pure.is_defined(b) {
            let difference = self.pure.linear(a).zip(self.pure.linear(b)).and_then(|(a, b)| a.minus(&b));
            if difference.is_some_and(|d| d == Linear::default()) {
                return Some(true);
            }
            if self.pointers_apart(a, b) {
                return Some(false);
            }
        }
        let preds = preds?;
        let null = |v: Val| v.base == Base::Zero && v.off.abs() < NULL_PAGE;
        match (self.owner(a, preds), self.owner(b, preds)) {
            (Some(x), Some(y)) if x != y => Some(false),
            (Some(_), None) if null(b) => Some(false),
            (None, Some(_)) if null(a) => Some(false),
            _ => None,
        }
    }

    /// Whether two values are certainly equal: as [`State::compare`], without a search for what tells them apart.
    pub fn knows_eq(&self, a: Val, b: Val) -> bool {
        if a.is_undef() || b.is_undef() {
            return false;
        }
        let defined = || self.pure.is_defined(a) || self.pure.is_defined(b);
        a == b || defined() && self.pure.linear(a).is_some_and(|l| self.pure.linear(b) == Some(l))
    }

    /// Whether a block of the summary at that offset from an object would lie in the object, at least in part. One past
    /// the end of an object may well be the start of another block.
    fn overlaps(&self, object: Sym, off: i128, s: &Summary, preds: &PredTable) -> bool {
        let Some(o) = self.objects.get(&object) else { return false };
        let blocks = preds.get(s.pred).def.cases.iter().filter_map(|c| c.block.as_ref());
        self.inside(o, off)
            || off < 0
                && self.pure.knows_le(Val::int(1), o.size, false)
                && blocks.map(|b| i128::from(b.size)).min().is_some_and(|least| -off < least)
    }

    /// What certainly owns the byte at an address.
    fn owner(&self, v: Val, preds: &PredTable) -> Option<Owner> {
        let x = v.as_sym()?;
        if let Some(o) = self.objects.get(&x) {
            return self.inside(o, v.off).then_some(Owner::Object(x));
        }
        let owns = |s: &Summary| {
            let Pred { back, def, .. } = preds.get(s.pred);
            let blocks = def.cases.iter().filter_map(|c| c.block.as_ref());
            let Some(least) = blocks.map(|b| i128::from(b.size)).min() else { return false };
            let begins = |start: Val| start.base == v.base && (0..least).contains(&(v.off - start.off));
            let last = |(_, args): &(Val, Args)| {
                let named = |(k, arg): (usize, &Val)| {
                    back.get(k + 1).copied().flatten().is_some_and(|c| begins(arg.plus(-c)))
                };
                args.iter().enumerate().any(named)
            };
            (begins(s.root) || s.end.as_ref().is_some_and(last)) && self.is_nonempty(s, preds)
        };
        self.summaries.iter().position(owns).map(Owner::Summary)
    }

    /// Whether two values, at least one of them a moving pointer, are certainly different because one points into
    /// an object and the other is null, a function, or inside of another object.
    fn pointers_apart(&self, a: Val, b: Val) -> bool {
        let within = |v: Val| {
            let (s, offset) = self.pointer(v)?;
            let object = self.objects.get(&s)?;
            let room = self.pure.linear(object.size)?.minus(&offset)?;
            if !self.pure.is_not_negative(&offset) || !self.pure.is_not_negative(&room) {
                return None;
            }
            Some((s, self.pure.is_not_negative(&room.shifted(-1)?)))
        };
        match (within(a), within(b)) {
            // The end of one object may be the start of another.
            (Some((s, inside)), Some((t, also))) => s != t && inside && also,
            (Some((_, inside)), None) => distinct_from_memory(b, inside),
            (None, Some((_, inside))) => distinct_from_memory(a, inside),
            (None, None) => false,
        }
    }

    /// Whether an address is that of the last element of a segment, or if that is empty, something else that is not null.
    fn is_last_and_not_null(&self, v: Val, preds: &PredTable, depth: u32) -> bool {
        self.summaries.iter().any(|s| {
            let whole = self.as_segment(s, preds);
            let Some((_, args)) = whole.as_ref().map_or(&s.end, |w| &w.end) else { return false };
            let back = &preds.get(s.pred).back;
            args.iter().zip(&s.args).enumerate().any(|(k, (arg, first))| {
                let last = back.get(k + 1).copied().flatten().is_some_and(|c| arg.plus(-c) == v);
                let before = first.plus(v.off - arg.off);
                last && before != v && self.compare_bounded(before, Val::ZERO, preds, depth - 1)
            })
        })
    }

    /// Whether two values are known to differ, searching along so many segments.
    fn compare_bounded(&self, a: Val, b: Val, preds: &PredTable, depth: u32) -> bool {
        self.pure.knows_ne(a, b) || self.apart(a, b, Some(preds), depth)
    }

    /// Whether separation tells `a` and `b` apart; `depth` bounds the search along segments.
    fn apart(&self, a: Val, b: Val, preds: Option<&PredTable>, depth: u32) -> bool {
        let Some(x) = a.as_sym() else { return false };
        if let Some(ox) = self.objects.get(&x) {
            let near = a.off.abs() < NULL_PAGE && b.base == Base::Zero;
            if !near && !self.inside(ox, a.off) {
                return false;
            }
            return match b.base {
                Base::Zero => b.off.abs() < NULL_PAGE,
                Base::Func(_) => true,
                Base::Undef => false,
                Base::Sym(y) if y == x => a.off != b.off,
                Base::Sym(y) => self.objects.get(&y).is_some_and(|oy| self.inside(oy, b.off)),
            };
        }
        let Some(preds) = preds else { return false };
        if depth == 0 {
            return false;
        }
        if b == Val::ZERO && self.is_last_and_not_null(a, preds, depth) {
            return true;
        }
        // `x` is the root of a summary: it equals `b` only if `b` is not the address of other live memory,
        // or if the summary is empty and its base case allows it.
        for s in &self.summaries {
            if s.root.as_sym() != Some(x) {
                continue;
            }
            let shift = a.off - s.root.off;
            let b_root = b.plus(-shift);
            let b_is_block = b_root.base == Base::Zero && b_root.off.abs() < NULL_PAGE
                || b_root.as_sym().is_some_and(|y| self.overlaps(y, b_root.off, s, preds))
                || b_root.as_sym().is_some_and(|y| self.owned_elsewhere(y, s, preds, depth - 1));
            if !b_is_block {
                continue;
            }
            match &s.end {
                Some((end, _)) => {
                    if self.pure.knows_ne(*end, b_root)
                        || *end != b_root
                            && (self.apart(*end, b_root, Some(preds), depth - 1)
                                || self.apart(b_root, *end, Some(preds), depth - 1))
                    {
                        return true;
                    }
                    // Root and end differ, so the segment is not empty and its first block is apart from `b`.
                    if self.pure.knows_ne(s.root, *end) {
                        return true;
                    }
                }
                None => {
                    let empties = preds.get(s.pred).def.cases.iter().filter(|c| c.block.is_none());
                    let excluded = |case: &Case| {
                        case.facts.iter().any(|f| match f {
                            Fact::Eq(Term { base: TermBase::Param(0), off }, t)
                            | Fact::Eq(t, Term { base: TermBase::Param(0), off }) => {
                                let Some(v) = s.term(t) else { return false };
                                let v = v.plus(-*off);
                                v != b_root
                                    && (self.pure.knows_ne(v, b_root)
                                        || self.apart(v, b_root, Some(preds), depth - 1)
                                        || self.apart(b_root, v, Some(preds), depth - 1)
                                        || self.pure.knows_ne(s.root, v))
                            }
                            _ => false,
                        })
                    };
                    if empties.into_iter().all(excluded) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether `y`, if it were the root of `except`, would certainly be the address of a block of another summary.
    fn owned_elsewhere(&self, y: Sym, except: &Summary, preds: &PredTable, depth: u32) -> bool {
        // An empty whole structure at `y` says what `y` is; the root of `except` may be known to be something else.
        let excluded = |t: &Summary, case: &Case| {
            case.facts.iter().any(|f| match f {
                Fact::Eq(Term { base: TermBase::Param(0), off }, v)
                | Fact::Eq(v, Term { base: TermBase::Param(0), off }) => {
                    t.term(v).is_some_and(|v| self.pure.knows_ne(except.root, v.plus(-*off)))
                }
                _ => false,
            })
        };
        depth > 0
            && self.summaries.iter().any(|t| {
                t != except
                    && t.root == Val::sym(y)
                    && (self.is_nonempty(t, preds)
                        || t.end.is_none()
                            && preds
                                .get(t.pred)
                                .def
                                .cases
                                .iter()
                                .filter(|c| c.block.is_none())
                                .all(|c| excluded(t, c)))
            })
    }

    /// Forgets disequalities of addresses that separation implies: they tell apart states that describe the same memory.
    pub fn drop_implied(&mut self, preds: &PredTable) {
        self.drop_ghost_facts(preds);
        let owns =
            |s: &Sym| self.objects.contains_key(s) || self.summaries.iter().any(|t| t.root == Val::sym(*s));
        let stated: Vec<(Sym, Option<Sym>, i128)> = self
            .pure
            .distinct
            .iter()
            .filter(|(a, b, c)| match b {
                Some(b) => *c == 0 && owns(a) && owns(b),
                None => *c == 0 && owns(a),
            })
            .copied()
            .collect();
        for fact in &stated {
            self.pure.distinct.remove(fact);
        }
        for fact in stated {
            let (a, b) = (Val::sym(fact.0), fact.1.map_or(Val::ZERO, Val::sym));
            if self.compare(a, b, Some(preds)) != Some(false) {
                self.pure.distinct.insert(fact);
            }
        }
    }

    /// Forgets that segments are not empty, where nothing but a disequality says so.
    pub fn forget_nonempty(&mut self) {
        for (root, end) in self.summaries.iter().filter_map(|s| Some((s.root, s.end.as_ref()?.0))) {
            if let (Some(a), Some(b)) = (root.as_sym(), end.as_sym())
                && root.off == end.off
            {
                self.pure.distinct.remove(&(a.min(b), Some(a.max(b)), 0));
            }
        }
    }

    /// Whether a summary certainly owns at least one block.
    pub fn is_nonempty(&self, s: &Summary, preds: &PredTable) -> bool {
        match &s.end {
            Some((end, args)) => {
                self.pure.knows_ne(s.root, *end)
                    || s.args.iter().zip(args).any(|(a, b)| self.pure.knows_ne(*a, *b))
                    || self.compare_plain(s.root, *end) == Some(false)
            }
            None => preds.get(s.pred).def.cases.iter().filter(|c| c.block.is_none()).all(|case| {
                case.facts.iter().any(|f| match f {
                    Fact::Eq(a, b) => match (s.term(a), s.term(b)) {
                        (Some(a), Some(b)) => {
                            self.pure.knows_ne(a, b) || self.compare_plain(a, b) == Some(false)
                        }
                        _ => false,
                    },
                    _ => false,
                })
            }),
        }
    }

    fn compare_plain(&self, a: Val, b: Val) -> Option<bool> {
        self.compare(a, b, None)
    }

    /// Removes summaries that can only be empty, drawing the consequences, until nothing changes.
    #[must_use]
    pub fn settle(&mut self, preds: &PredTable) -> bool {
        if !self.share_arguments(preds) || !self.draw_ranges(preds) {
            return false;
        }
        self.forget_ghosts(preds);
        let mut i = 0;
        while i < self.summaries.len() {
            let s = self.summaries[i].clone();
            if !self.must_be_empty(i, preds) {
                i += 1;
                continue;
            }
            self.summaries.swap_remove(i);
            match &s.end {
                Some((end, args)) => {
                    let mut pairs: Vec<_> = s.args.iter().copied().zip(args.iter().copied()).collect();
                    pairs.push((s.root, *end));
                    if !self.unify_all(pairs) {
                        return false;
                    }
                }
                None => {
                    let cases = &preds.get(s.pred).def.cases;
                    let feasible: Vec<&Case> =
                        cases.iter().filter(|c| c.block.is_none() && !self.contradicts(&s, c)).collect();
                    let [case] = feasible.as_slice() else {
                        if feasible.is_empty() {
                            return false;
                        }
                        // Several empty cases: nothing common is drawn from them.
                        i = 0;
                        continue;
                    };
                    if !self.draw_facts(&s, case, &[], Vec::new()) {
                        return false;
                    }
                }
            }
            i = 0;
        }
        true
    }

    /// What every element passes on unchanged is the same at both ends of a segment.
    #[must_use]
    fn share_arguments(&mut self, preds: &PredTable) -> bool {
        let mut equal = Vec::new();
        for s in &mut self.summaries {
            let Some((_, end)) = &mut s.end else { continue };
            let shared = preds.get(s.pred).shared.iter().skip(1);
            for ((here, there), _) in s.args.iter_mut().zip(end).zip(shared).filter(|(_, shared)| **shared) {
                match (here.is_undef(), there.is_undef()) {
                    (false, true) => *there = *here,
                    (true, false) => *here = *there,
                    (false, false) if here != there => equal.push((*here, *there)),
                    _ => {}
                }
            }
        }
        equal.is_empty() || self.unify_all(equal)
    }

    /// Draws the facts of a case of `s`, with its existentials given, and the further equalities.
    #[must_use]
    pub(crate) fn draw_facts(
        &mut self,
        s: &Summary,
        case: &Case,
        exists: &[Val],
        mut equal: Vec<(Val, Val)>,
    ) -> bool {
        for fact in &case.facts {
            let ok = match fact {
                Fact::Eq(a, b) => {
                    equal.extend(s.term_with(a, exists).zip(s.term_with(b, exists)));
                    true
                }
                Fact::Ne(a, b) => match (s.term_with(a, exists), s.term_with(b, exists)) {
                    (Some(a), Some(b)) => self.compare(a, b, None) != Some(true) && self.pure.assume_ne(a, b),
                    _ => true,
                },
                Fact::In(a, r) => s.term_with(a, exists).is_none_or(|a| self.pure.assume_in(a, *r)),
                Fact::Le(a, b) => match (s.term_with(a, exists), s.term_with(b, exists)) {
                    (Some(a), Some(b)) => self.pure.assume_le(a, b, false),
                    _ => true,
                },
            };
            if !ok {
                return false;
            }
        }
        self.unify_all(equal)
    }

    /// Whether the facts of a case, as far as they speak of parameters, are certainly false for `s`.
    pub(crate) fn contradicts(&self, s: &Summary, case: &Case) -> bool {
        case.facts.iter().any(|f| match f {
            Fact::Eq(a, b) => match (s.term(a), s.term(b)) {
                (Some(a), Some(b)) => self.compare(a, b, None) == Some(false),
                _ => false,
            },
            Fact::Ne(a, b) => match (s.term(a), s.term(b)) {
                (Some(a), Some(b)) => self.knows_eq(a, b),
                _ => false,
            },
            Fact::In(a, r) => s.term(a).is_some_and(|a| self.pure.range(a).meet(*r).is_none()),
            Fact::Le(a, b) => match (s.term(a), s.term(b)) {
                (Some(a), Some(b)) => self.pure.knows_le(b, a, true),
                _ => false,
            },
        })
    }

    fn must_be_empty(&self, i: usize, preds: &PredTable) -> bool {
        let s = &self.summaries[i];
        let taken = match s.root.base {
            Base::Zero | Base::Func(_) => true,
            Base::Undef => false,
            Base::Sym(x) => self.objects.get(&x).is_some_and(|o| {
                self.inside(o, s.root.off)
                    || s.root.off < 0 && -s.root.off < NULL_PAGE && {
                        // The block would have to overlap the object from below.
                        let size = preds.get(s.pred).def.cases.iter().filter_map(|c| c.block.as_ref());
                        size.map(|b| b.size).min().is_some_and(|m| i128::from(m) > -s.root.off)
                    }
            }),
        };
        if taken {
            return true;
        }
        // Elements that arguments name, at a distance, cannot be blocks that are elsewhere.
        let Pred { back, twin, def, .. } = preds.get(s.pred);
        let least = def.cases.iter().filter_map(|c| c.block.as_ref()).map(|b| i128::from(b.size)).min();
        let elsewhere = |args: &Args, distances: &[Option<i128>]| {
            args.iter().enumerate().any(|(k, arg)| {
                let Some(c) = distances.get(k + 1).copied().flatten() else { return false };
                // The start of the element, and the address itself if that is within the element.
                let within = least.is_some_and(|size| (0..size).contains(&c));
                [Some(arg.plus(-c)), within.then_some(*arg)].into_iter().flatten().any(|v| match v.base {
                    Base::Zero => v.off.abs() < NULL_PAGE,
                    Base::Func(_) => true,
                    Base::Undef => false,
                    Base::Sym(x) => self.objects.get(&x).is_some_and(|o| self.inside(o, v.off)),
                })
            })
        };
        if s.end.as_ref().is_some_and(|(_, args)| elsewhere(args, back)) || elsewhere(&s.args, twin) {
            return true;
        }
        if self.begins_a_block(s.root, &mut vec![i], preds) {
            return true;
        }
        preds.get(s.pred).def.cases.iter().all(|c| c.block.is_none() || self.contradicts(s, c))
    }

    /// Whether a block certainly begins at an address that belongs to none of the summaries in `others`: an object, or the
    /// first element of a summary, or, if that is empty, what follows it.
    fn begins_a_block(&self, v: Val, others: &mut Vec<usize>, preds: &PredTable) -> bool {
        if v.off == 0 && v.as_sym().is_some_and(|x| self.objects.contains_key(&x)) {
            return true;
        }
        self.summaries.iter().enumerate().any(|(j, t)| {
            if t.root != v || others.contains(&j) {
                return false;
            }
            others.push(j);
            self.is_nonempty(t, preds)
                || t.end.as_ref().is_some_and(|(end, _)| self.begins_a_block(*end, others, preds))
        })
    }

    /// Symbols that one may come to from an address by following what objects and summaries hold.
    pub fn reached_from(&self, start: Sym) -> BTreeSet<Sym> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![start];
        while let Some(s) = todo.pop() {
            if !seen.insert(s) {
                continue;
            }
            if let Some(o) = self.objects.get(&s) {
                todo.extend(o.cells().filter_map(|(_, c)| c.val.as_sym()));
                todo.extend(o.floating().iter().filter_map(|f| f.val.as_sym()));
            }
            if let Some(def) = self.pure.definition(s) {
                todo.extend(def.terms().iter().map(|(t, _)| *t));
            }
            let held = |t: &&Summary| {
                let last = t.end.iter().flat_map(|(_, args)| args);
                std::iter::once(&t.root).chain(last).any(|v| v.as_sym() == Some(s))
            };
            for t in self.summaries.iter().filter(held) {
                todo.extend(t.values().filter_map(Val::as_sym));
            }
        }
        seen
    }

    /// Everything reachable: marks symbols whose object, or summary root, something points to.
    fn reachable(&self, preds: &PredTable) -> (Marks, Vec<bool>) {
        let mut seen = Marks::default();
        let mut todo: Vec<Sym> = self.roots.values().filter_map(|v| v.as_sym()).collect();
        let lasts = |o: &Object| !matches!(o.kind, ObjectKind::Heap | ObjectKind::Stream(_));
        todo.extend(self.objects.iter().filter(|(_, o)| lasts(o)).map(|(s, _)| *s));
        let mut summary_seen = vec![false; self.summaries.len()];
        loop {
            while let Some(s) = todo.pop() {
                if !seen.insert(s) {
                    continue;
                }
                if let Some(o) = self.objects.get(&s) {
                    todo.extend(o.cells().filter_map(|(_, c)| c.val.as_sym()));
                    todo.extend(o.floating().iter().filter_map(|f| f.val.as_sym()));
                }
                if self.pure.is_defined(Val::sym(s)) {
                    todo.extend(self.pointer(Val::sym(s)).map(|(base, _)| base));
                }
            }
            for (i, s) in self.summaries.iter().enumerate() {
                let is_seen = |v: Val| v.as_sym().is_some_and(|s| seen.contains(s));
                let from_front = is_seen(s.root);
                let pred = preds.get(s.pred);
                let is = |flags: &[bool], k: usize| flags.get(k + 1) == Some(&true);
                let from_back = s.end.as_ref().is_some_and(|(_, args)| {
                    args.iter().enumerate().any(|(k, a)| {
                        pred.back.get(k + 1).is_some_and(Option::is_some) && is(&pred.holds, k) && is_seen(*a)
                    })
                });
                if !from_front && !from_back {
                    continue;
                }
                summary_seen[i] = true;
                let nonempty = self.is_nonempty(s, preds);
                let mut found: Vec<Val> = Vec::new();
                if let Some((end, args)) = &s.end {
                    // From the front: by the last link, or because both ends are the same.
                    if from_front || nonempty {
                        found.push(*end);
                    }
                    // An element holds the arguments; without one, those of both ends are equal.
                    for (k, (a, e)) in s.args.iter().zip(args).enumerate() {
                        let (held, passed) = (is(&pred.holds, k), is(&pred.passes, k));
                        if held && (nonempty || is_seen(*e)) {
                            found.push(*a);
                        }
                        if passed && (nonempty || is_seen(*a)) {
                            found.push(*e);
                        }
                    }
                } else if nonempty {
                    let args = s.args.iter().enumerate().filter(|(k, _)| is(&pred.reaches, *k));
                    found.extend(args.map(|(_, a)| *a));
                }
                if nonempty {
                    found.push(s.root);
                }
                todo.extend(found.into_iter().filter_map(Val::as_sym).filter(|t| !seen.contains(*t)));
            }
            if todo.is_empty() {
                return (seen, summary_seen);
            }
        }
    }

    /// Removes memory that nothing points to any more, and facts about symbols that no longer occur.
    /// Returns what was lost.
    pub fn collect(&mut self, preds: &PredTable) -> Vec<Lost> {
        let (seen, summary_seen) = self.reachable(preds);
        let mut lost = Vec::new();
        self.objects.retain(|s, o| {
            let keep = seen.contains(*s);
            if !keep && o.kind == ObjectKind::Heap {
                lost.push(Lost::Object(*s, o.site));
            }
            keep
        });
        let mut index = 0;
        self.summaries.retain(|s| {
            let keep = summary_seen[index];
            index += 1;
            if !keep {
                lost.push(Lost::Summary(s.pred));
            }
            keep
        });
        self.forget_unused();
        lost
    }

    /// Drops facts about symbols that no value mentions.
    pub fn forget_unused(&mut self) {
        let mut used = Marks::default();
        self.objects.keys().for_each(|s| {
            used.insert(*s);
        });
        self.for_each_val(|v| {
            if let Some(s) = v.as_sym() {
                used.insert(s);
            }
        });
        let basis = self.pure.definitions().filter(|(s, _)| used.contains(*s));
        let basis: Vec<Sym> = basis.flat_map(|(_, d)| d.terms().iter().map(|(t, _)| *t)).collect();
        let carriers = |used: &Marks| self.pure.carriers(|s| used.contains(s));
        for s in basis {
            used.insert(s);
        }
        for s in carriers(&used) {
            used.insert(s);
        }
        self.pure.retain(|s| used.contains(s));
        self.dead.retain(|s, _| used.contains(*s));
    }
}

/// Whether a value is never an address in an object; with `inside` not at its end either.
fn distinct_from_memory(v: Val, inside: bool) -> bool {
    match v.base {
        Base::Zero => v.off.abs() < NULL_PAGE,
        Base::Func(_) => inside,
        Base::Sym(_) | Base::Undef => false,
    }
}
