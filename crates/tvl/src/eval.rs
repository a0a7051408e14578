//! Evaluation of formulas on structures, one word of individuals at a time.
//!
//! [`Evaluator::lanes`] computes a formula for *all* values of one variable (the column) under fixed
//! values of the others, so connectives are word operations and quantifiers are reductions. Values follow
//! Kleene's tables (survey §4.3.6, Embedding Theorem 4.2).
//!
//! On structures with optional individuals the adjusted semantics of Arnold §5.4 applies: a witness that
//! is optional lowers 1 to 1/2 (dually for universal quantifiers), and binary predicates may hold through
//! optional individuals. Without optional individuals both semantics agree.
//! Cost: O(individuals^(nested quantifiers)); closures are cached per evaluator.

use crate::formula::{Closure, Formula, MAX_VARS, Var};
use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::structure::Structure;
use crate::vocabulary::Vocabulary;
use std::cell::RefCell;
use std::rc::Rc;

/// Values of variables.
pub type Env = [u8; MAX_VARS];

type Matrix = Rc<Vec<Lanes>>;

/// Matrices derived from binary predicates, by slot; filled as they are needed.
#[derive(Clone, Debug, Default)]
pub struct MatrixCache {
    adjusted: Vec<Option<Matrix>>,
    plus: Vec<Option<Matrix>>,
    star: Vec<Option<Matrix>>,
}

impl MatrixCache {
    /// Forgets what was derived from a binary predicate that changed.
    pub fn forget(&mut self, slot: usize) {
        for matrices in [&mut self.adjusted, &mut self.plus, &mut self.star] {
            if let Some(entry) = matrices.get_mut(slot) {
                *entry = None;
            }
        }
    }

    /// Forgets everything, as when individuals changed.
    pub fn clear(&mut self) {
        self.adjusted.clear();
        self.plus.clear();
        self.star.clear();
    }
}

/// Evaluates formulas on one structure.
pub struct Evaluator<'s> {
    voc: &'s Vocabulary,
    s: &'s Structure,
    universe: u64,
    own: RefCell<MatrixCache>,
    shared: Option<&'s RefCell<MatrixCache>>,
}

impl<'s> Evaluator<'s> {
    /// An evaluator for `s`.
    pub fn new(voc: &'s Vocabulary, s: &'s Structure) -> Evaluator<'s> {
        Evaluator { voc, s, universe: s.universe(), own: RefCell::new(MatrixCache::default()), shared: None }
    }

    /// An evaluator that uses matrices derived earlier; the caller forgets those that no longer hold.
    pub fn with_cache(
        voc: &'s Vocabulary,
        s: &'s Structure,
        cache: &'s RefCell<MatrixCache>,
    ) -> Evaluator<'s> {
        Evaluator { shared: Some(cache), ..Evaluator::new(voc, s) }
    }

    /// A matrix from the cache, made if it is not there.
    fn cached(
        &self,
        field: fn(&mut MatrixCache) -> &mut Vec<Option<Matrix>>,
        slot: usize,
        make: impl FnOnce() -> Vec<Lanes>,
    ) -> Matrix {
        let cache = self.shared.unwrap_or(&self.own);
        if let Some(Some(found)) = field(&mut cache.borrow_mut()).get(slot) {
            return Rc::clone(found);
        }
        let made = Rc::new(make());
        let mut cache = cache.borrow_mut();
        let matrices = field(&mut cache);
        if matrices.len() <= slot {
            matrices.resize(slot + 1, None);
        }
        matrices[slot] = Some(Rc::clone(&made));
        made
    }

    fn row(&self, slot: usize, source: usize) -> Lanes {
        if self.s.optional == 0 {
            return self.s.row(slot, source);
        }
        let rows = self.cached(|c| &mut c.adjusted, slot, || self.s.adjusted_rows(slot));
        rows.get(source).copied().unwrap_or_default()
    }

    fn splat(&self, value: Kleene) -> Lanes {
        Lanes::splat(value, self.universe)
    }

    /// The value of a formula whose free variables are all bound by `env`.
    pub fn value(&self, f: &Formula, env: &mut Env) -> Kleene {
        if self.s.size == 0 {
            return self.value_empty(f);
        }
        // A column that no formula uses: every lane carries the value.
        self.lanes(f, env, Var(255)).get(0)
    }

    /// The value of a closed formula.
    pub fn closed(&self, f: &Formula) -> Kleene {
        self.value(f, &mut [0; MAX_VARS])
    }

    fn value_empty(&self, f: &Formula) -> Kleene {
        match f {
            Formula::Const(k) => *k,
            Formula::Pred(p, args) if args.is_empty() => self.s.nullary(self.voc.get(*p).slot),
            Formula::Pred(..) | Formula::Eq(..) | Formula::Exists(..) | Formula::Closure(_) => Kleene::False,
            Formula::Forall(..) => Kleene::True,
            Formula::Not(g) => !self.value_empty(g),
            Formula::And(gs) => gs.iter().fold(Kleene::True, |a, g| a.and(self.value_empty(g))),
            Formula::Or(gs) => gs.iter().fold(Kleene::False, |a, g| a.or(self.value_empty(g))),
            Formula::Iff(a, b) => iff(self.value_empty(a), self.value_empty(b)),
            Formula::If(c, a, b) => {
                let (c, a, b) = (self.value_empty(c), self.value_empty(a), self.value_empty(b));
                c.and(a).or((!c).and(b))
            }
        }
    }

    /// The formula's values for every individual as `column`, the other free variables taken from `env`.
    pub fn lanes(&self, f: &Formula, env: &mut Env, column: Var) -> Lanes {
        let at = |env: &Env, v: Var| usize::from(env[usize::from(v.0) % MAX_VARS]);
        match f {
            Formula::Const(k) => self.splat(*k),
            Formula::Pred(p, args) => {
                let slot = self.voc.get(*p).slot;
                match args[..] {
                    [] => self.splat(self.s.nullary(slot)),
                    [v] if v == column => self.s.unary(slot),
                    [v] => self.splat(self.s.unary(slot).get(at(env, v))),
                    [u, v] => self.pick(&|i| self.row(slot, i), u, v, env, column),
                    [ref first @ .., last] => self.wide(slot, first, last, env, column),
                }
            }
            Formula::Eq(u, v) => self.pick(&|i| self.eq_row(i), *u, *v, env, column),
            Formula::Not(g) => self.lanes(g, env, column).not(self.universe),
            Formula::And(gs) => {
                let mut acc = self.splat(Kleene::True);
                for g in gs {
                    acc = acc.and(self.lanes(g, env, column));
                    if acc.may == 0 {
                        break;
                    }
                }
                acc
            }
            Formula::Or(gs) => {
                let mut acc = Lanes::FALSE;
                for g in gs {
                    acc = acc.or(self.lanes(g, env, column));
                    if acc.must == self.universe {
                        break;
                    }
                }
                acc
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.lanes(a, env, column), self.lanes(b, env, column));
                a.and(b).or(a.not(self.universe).and(b.not(self.universe)))
            }
            Formula::If(c, a, b) => {
                let c = self.lanes(c, env, column);
                let (mut yes, mut no) = (Lanes::FALSE, Lanes::FALSE);
                if c.may != 0 {
                    yes = self.lanes(a, env, column);
                }
                if c.must != self.universe {
                    no = self.lanes(b, env, column);
                }
                // Where both branches agree the condition does not matter.
                let agree = Lanes { must: yes.must & no.must, may: yes.may & no.may };
                let mixed = c.and(yes).or(c.not(self.universe).and(no));
                let skip = if c.may == 0 || c.must == self.universe { 0 } else { u64::MAX };
                Lanes { must: mixed.must | (agree.must & skip), may: mixed.may }
            }
            Formula::Exists(w, body) => self.quantify(*w, body, env, column),
            Formula::Forall(w, body) => {
                let mut acc = self.splat(Kleene::True);
                for i in lanes_of(self.relevant(*w, body, (env, column), 0, false)) {
                    env[usize::from(w.0) % MAX_VARS] = i as u8;
                    let mut value = self.lanes(body, env, column);
                    if self.s.optional >> i & 1 == 1 {
                        value.may = self.universe;
                    }
                    acc = acc.and(value);
                    if acc.may == 0 {
                        break;
                    }
                }
                acc
            }
            Formula::Closure(c) if column.0 < 64 && c.step.free() >> column.0 & 1 == 1 => {
                // The step relation itself depends on the column, so each lane has its own closure.
                let mut lanes = Lanes::FALSE;
                for i in 0..self.s.size {
                    env[usize::from(column.0)] = i as u8;
                    lanes.set(i, self.lanes(f, env, Var(255)).get(0));
                }
                lanes
            }
            Formula::Closure(c) => {
                let matrix = self.closure(c, env);
                self.pick(&|i| matrix.get(i).copied().unwrap_or_default(), c.from, c.to, env, column)
            }
        }
    }

    fn quantify(&self, w: Var, body: &Formula, env: &mut Env, column: Var) -> Lanes {
        let mut acc = Lanes::FALSE;
        for i in lanes_of(self.relevant(w, body, (env, column), 0, true)) {
            env[usize::from(w.0) % MAX_VARS] = i as u8;
            let mut value = self.lanes(body, env, column);
            if self.s.optional >> i & 1 == 1 {
                value.must = 0;
            }
            acc = acc.or(value);
            if acc.must == self.universe {
                break;
            }
        }
        acc
    }

    /// Individuals for `w` that can make a difference: for which `f` is not 0 in all lanes if `positive`, not 1 in all
    /// lanes otherwise. Conjuncts about `w` alone, or about `w` and a variable that is fixed, narrow them down.
    /// Not fixed are the column and, in `open`, what a quantifier inside binds.
    fn relevant(&self, w: Var, f: &Formula, (env, column): (&Env, Var), open: u64, positive: bool) -> u64 {
        let part = |g: &Formula, open: u64| self.relevant(w, g, (env, column), open, positive);
        match f {
            Formula::Pred(p, args) => {
                let lanes = match args[..] {
                    [v] if v == w => self.s.unary(self.voc.get(*p).slot),
                    [u, v] if v == w && u != w && u != column && open >> (u.0 & 63) & 1 == 0 => {
                        self.row(self.voc.get(*p).slot, usize::from(env[usize::from(u.0) % MAX_VARS]))
                    }
                    _ => return self.universe,
                };
                if positive { lanes.may } else { self.universe & !lanes.must }
            }
            Formula::Not(g) => self.relevant(w, g, (env, column), open, !positive),
            Formula::And(gs) if positive => gs.iter().fold(self.universe, |acc, g| acc & part(g, open)),
            Formula::Or(gs) if !positive => gs.iter().fold(self.universe, |acc, g| acc & part(g, open)),
            Formula::Exists(v, g) if positive => part(g, open | 1 << (v.0 & 63)),
            Formula::Forall(v, g) if !positive => part(g, open | 1 << (v.0 & 63)),
            _ => self.universe,
        }
    }

    fn eq_row(&self, u: usize) -> Lanes {
        let bit = 1u64 << u;
        Lanes { must: bit & !self.s.summary, may: bit }
    }

    fn pick(&self, row: &dyn Fn(usize) -> Lanes, u: Var, v: Var, env: &Env, column: Var) -> Lanes {
        let at = |v: Var| usize::from(env[usize::from(v.0) % MAX_VARS]);
        match (u == column, v == column) {
            (false, true) => row(at(u)),
            (false, false) => self.splat(row(at(u)).get(at(v))),
            (both, diagonal) => {
                let mut lanes = Lanes::FALSE;
                for i in 0..self.s.size {
                    let target = if both && diagonal { i } else { at(v) };
                    lanes.set(i, row(i).get(target));
                }
                lanes
            }
        }
    }

    /// Values of a predicate of three and more arguments.
    fn wide(&self, slot: usize, first: &[Var], last: Var, env: &Env, column: Var) -> Lanes {
        let at = |v: Var, lane: usize| {
            if v == column { lane } else { usize::from(env[usize::from(v.0) % MAX_VARS]) }
        };
        let row = |lane: usize| {
            let first: Vec<usize> = first.iter().map(|&v| at(v, lane)).collect();
            self.s.wide_row(slot, &first).unwrap_or_default()
        };
        if !first.contains(&column) {
            let row = row(0);
            return if last == column { row } else { self.splat(row.get(at(last, 0))) };
        }
        let mut lanes = Lanes::FALSE;
        for i in 0..self.s.size {
            lanes.set(i, row(i).get(at(last, i)));
        }
        lanes
    }

    fn closure(&self, c: &Closure, env: &mut Env) -> Matrix {
        let simple = match &c.step {
            Formula::Pred(p, args) if args[..] == [c.source, c.target] => Some(self.voc.get(*p).slot),
            _ => None,
        };
        let mut make = || {
            // A closure may start at a variable of the name that its step binds: its value must survive.
            let outer = env[usize::from(c.source.0) % MAX_VARS];
            let mut rows: Vec<Lanes> = (0..self.s.size)
                .map(|i| {
                    env[usize::from(c.source.0) % MAX_VARS] = i as u8;
                    self.lanes(&c.step, env, c.target)
                })
                .collect();
            env[usize::from(c.source.0) % MAX_VARS] = outer;
            close(&mut rows, self.s.optional);
            rows
        };
        let star = |plus: &[Lanes]| plus.iter().enumerate().map(|(i, l)| l.or(self.eq_row(i))).collect();
        match simple {
            None if c.reflexive => Rc::new(star(&make())),
            None => Rc::new(make()),
            Some(slot) => {
                let plus = self.cached(|m| &mut m.plus, slot, make);
                if c.reflexive { self.cached(|m| &mut m.star, slot, || star(&plus)) } else { plus }
            }
        }
    }
}

/// Warshall's closure on both bits; an optional individual on the way lowers 1 to 1/2.
pub(crate) fn close(rows: &mut [Lanes], optional: u64) {
    for via in 0..rows.len() {
        let through = rows[via];
        let certain = optional >> via & 1 == 0;
        for row in rows.iter_mut() {
            if certain && row.must >> via & 1 == 1 {
                row.must |= through.must;
            }
            if row.may >> via & 1 == 1 {
                row.may |= through.may;
            }
        }
    }
}

fn iff(a: Kleene, b: Kleene) -> Kleene {
    a.and(b).or((!a).and(!b))
}
