//! What a chosen numeric domain adds to what is known of symbols.
//!
//! Intervals, differences and definitions ([`Pure`]) are always there. With `--numeric` a state has in addition an element of
//! a domain of the crate `numeric` over its symbols, and both together are what is known: their *product*. The element is told
//! every fact that is learned of symbols it speaks of, and every fact that relates symbols; questions are asked of
//! both. Dimension `n` of the element is symbol `n`.
//!
//! Facts are about mathematical integers, as everywhere in a state: what wraps around is decided by the transfer functions, which
//! state only what holds after it.
//!
//! Where a state is brought over to the symbols of another (joins, inclusion), the element is [its shadow](Pure::shadow) there:
//! the new symbols are equal to forms over the old ones, and the old ones are forgotten.
//!
//! **Invariant:** every assignment of integers to symbols that is meant by the state satisfies the element. A state without one,
//! and one with an element that says nothing, mean the same. Cost: without an element, one test of a pointer per fact.

use super::linear::Linear;
use super::pure::Pure;
use crate::value::{Sym, Val};
use heapwise_numeric::{Constraint, Dim, Element, Interval, LinearExpr, Numeric, Relation};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The element, if there is one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refinement(Option<Arc<Element>>);

impl PartialEq for Refinement {
    fn eq(&self, other: &Refinement) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl Eq for Refinement {}

impl Hash for Refinement {
    /// Elements have no normal form to hash; the facts beside them tell states apart well enough.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Dimensions from here on are names of symbols that are on their way out.
const OLD: u32 = 1 << 31;

fn dim(s: Sym) -> Dim {
    Dim(s.0)
}

fn expr(form: &Linear, name: impl Fn(Sym) -> Dim) -> Option<LinearExpr> {
    let mut out = LinearExpr::constant(form.constant);
    for (s, k) in form.terms() {
        out.add_term(name(*s), *k)?;
    }
    Some(out)
}

/// `a - b` over the symbols themselves.
fn difference(a: Val, b: Val) -> Option<Linear> {
    Linear::of(a)?.minus(&Linear::of(b)?)
}

/// `form ≥ 0`.
fn not_negative(form: &Linear) -> Option<Constraint> {
    Some(Constraint { expr: expr(&form.times(-1)?, dim)?, relation: Relation::AtMostZero })
}

fn assume_range(element: &mut Element, d: Dim, range: Interval) {
    let (x, number) = (LinearExpr::var(d), |n: i128| LinearExpr::constant(n));
    let above = range.lo.and_then(|lo| Constraint::le(&number(lo), &x));
    let below = range.hi.and_then(|hi| Constraint::le(&x, &number(hi)));
    above.iter().chain(&below).for_each(|c| element.assume(c));
}

impl Refinement {
    fn dims(&self) -> Vec<Dim> {
        self.0.as_ref().map_or_else(Vec::new, |e| e.dims())
    }

    /// Facts about the symbol become facts about what replaces it.
    pub(super) fn substitute(&mut self, s: Sym, by: Val) {
        let Some(element) = self.0.as_mut().filter(|e| e.dims().contains(&dim(s))) else { return };
        let element = Arc::make_mut(element);
        let difference = Linear::of(by).zip(Linear::of(Val::sym(s))).and_then(|(b, s)| s.minus(&b));
        if let Some(expr) = difference.and_then(|form| expr(&form, dim)) {
            element.assume(&Constraint { expr, relation: Relation::Zero });
        }
        element.forget_all(&[dim(s)]);
    }

    pub(super) fn renamed(&self, rename: &impl Fn(Sym) -> Sym) -> Refinement {
        let mut out = self.clone();
        if let Some(element) = &mut out.0 {
            let map: Vec<(Dim, Dim)> =
                element.dims().into_iter().map(|d| (d, dim(rename(Sym(d.0))))).collect();
            if map.iter().any(|(a, b)| a != b) {
                Arc::make_mut(element).rename(&map);
            }
        }
        out
    }

    pub(super) fn retain(&mut self, keep: impl Fn(Sym) -> bool) {
        let going: Vec<Dim> = self.dims().into_iter().filter(|d| !keep(Sym(d.0))).collect();
        if let Some(element) = self.0.as_mut().filter(|_| !going.is_empty()) {
            Arc::make_mut(element).forget_all(&going);
        }
    }

    /// Adds what the other says; whether both can hold.
    pub(super) fn conjoin(&mut self, other: &Refinement) -> bool {
        match (&self.0, &other.0) {
            (_, None) => {}
            (None, Some(_)) => self.0.clone_from(&other.0),
            (Some(a), Some(b)) => self.0 = Some(Arc::new(a.meet(b))),
        }
        self.is_possible()
    }

    pub(super) fn is_possible(&self) -> bool {
        self.0.as_ref().is_none_or(|e| !e.is_bottom())
    }

    /// Where a form lies.
    pub(super) fn range(&self, form: &Linear) -> Interval {
        let Some(element) = &self.0 else { return Interval::FULL };
        expr(form, dim).map_or(Interval::FULL, |e| element.bounds(&e))
    }

    /// Whether a form is certainly not zero.
    pub(super) fn is_nonzero(&self, form: &Linear) -> bool {
        let asked = |e: &Arc<Element>| {
            expr(form, dim).is_some_and(|expr| e.entails(&Constraint { expr, relation: Relation::NonZero }))
        };
        self.0.as_ref().is_some_and(asked)
    }

    pub(super) fn is_there(&self) -> bool {
        self.0.is_some()
    }
}

impl Pure {
    /// From now on an element of that domain is kept beside the facts.
    pub fn refine(&mut self, by: Numeric) {
        self.refinement = Refinement(Some(Arc::new(by.top())));
        let differences: Vec<(Sym, Sym, i128)> = self.bounds.iter().map(|((a, b), c)| (*a, *b, *c)).collect();
        for (a, b, c) in differences {
            self.tell_difference(a, b, c);
        }
        let equal: Vec<(Sym, Linear)> = self.definitions().map(|(s, d)| (s, d.clone())).collect();
        for (s, form) in equal {
            self.tell_definition(s, &form);
        }
    }

    /// The element beside the facts.
    pub fn refinement(&self) -> Option<&Element> {
        self.refinement.0.as_deref()
    }

    /// Puts an element beside the facts; whether it has a point.
    pub(crate) fn set_refinement(&mut self, element: Element) -> bool {
        self.refinement = Refinement(Some(Arc::new(element)));
        self.refinement.is_possible()
    }

    /// Tells the element that `form ≥ 0`; whether that is possible.
    pub(super) fn tell_not_negative(&mut self, form: &Linear) -> bool {
        !self.refinement.is_there() || not_negative(form).is_none_or(|c| self.tell(form, c))
    }

    /// Tells the element that `form = 0`, or not; whether that is possible.
    pub(super) fn tell_zero(&mut self, form: &Linear, zero: bool) -> bool {
        let relation = if zero { Relation::Zero } else { Relation::NonZero };
        !self.refinement.is_there()
            || expr(form, dim).is_none_or(|expr| self.tell(form, Constraint { expr, relation }))
    }

    pub(super) fn tell_range(&mut self, s: Sym, range: Interval) -> bool {
        if !self.refinement.is_there() {
            return true;
        }
        let Some(x) = Linear::of(Val::sym(s)) else { return true };
        let above = range.lo.and_then(|lo| x.clone().shifted(lo.checked_neg()?));
        let below = range.hi.and_then(|hi| Linear::constant(hi).minus(&x));
        above.iter().chain(&below).all(|form| self.tell_not_negative(form))
    }

    /// Tells the element that `a - b ≤ c`.
    pub(super) fn tell_difference(&mut self, a: Sym, b: Sym, c: i128) -> bool {
        !self.refinement.is_there()
            || difference(Val::sym(b).plus(c), Val::sym(a)).is_none_or(|f| self.tell_not_negative(&f))
    }

    pub(super) fn tell_differ(&mut self, a: Val, b: Val) -> bool {
        difference(a, b).is_none_or(|form| self.tell_zero(&form, false))
    }

    /// Tells the element that a symbol is a form; [`Pure::is_refinement_possible`] says whether it can be.
    pub(super) fn tell_definition(&mut self, s: Sym, form: &Linear) {
        if let Some(form) = Linear::of(Val::sym(s)).and_then(|s| s.minus(form)) {
            self.tell_zero(&form, true);
        }
    }

    pub(super) fn is_refinement_possible(&self) -> bool {
        self.refinement.is_possible()
    }

    pub(super) fn told_range(&self, v: Val) -> Interval {
        Linear::of(v).map_or(Interval::FULL, |form| self.refinement.range(&form))
    }

    pub(super) fn told_differ(&self, a: Val, b: Val) -> bool {
        difference(a, b).is_some_and(|form| self.refinement.is_nonzero(&form))
    }

    /// Whether the element says that `a ≤ b + slack`.
    pub(super) fn told_le(&self, a: Val, b: Val, slack: i128) -> bool {
        let form = difference(b, a).and_then(|f| f.shifted(slack));
        form.is_some_and(|form| self.refinement.range(&form).lo.is_some_and(|lo| lo >= 0))
    }

    /// A symbol of which nothing but its range is known is not worth a dimension, nor are two that differ.
    fn tell(&mut self, form: &Linear, constraint: Constraint) -> bool {
        let ranges = &self.ranges;
        let Some(element) = &mut self.refinement.0 else { return true };
        let known = element.dims();
        let new = |s: &Sym| known.binary_search(&dim(*s)).is_err();
        let relates = form.terms().len() > 1 && constraint.relation != Relation::NonZero;
        if !relates && form.terms().iter().any(|(s, _)| new(s)) {
            return true;
        }
        let element = Arc::make_mut(element);
        element.assume(&constraint);
        for (s, _) in form.terms().iter().filter(|(s, _)| new(s)) {
            // What was known of it before it became a dimension.
            if let Some(r) = ranges.get(s) {
                assume_range(element, dim(*s), *r);
            }
        }
        !element.is_bottom()
    }

    /// What the element and the intervals say of other symbols that are equal to forms over these. With `all`, also what
    /// differences and definitions say; without, the result of a widening stays one.
    pub(crate) fn shadow(&self, domain: Numeric, others: &[(Sym, Linear)], all: bool) -> Element {
        let mut element = self.refinement().cloned().unwrap_or_else(|| domain.top());
        let mut names: BTreeMap<Sym, Dim> = BTreeMap::new();
        let mut rest: Vec<(Sym, &Linear)> = Vec::new();
        for (other, form) in others {
            match form.terms() {
                [(s, 1)] if form.constant == 0 && !names.contains_key(s) => {
                    names.insert(*s, dim(*other));
                }
                _ => rest.push((*other, form)),
            }
        }
        let known = element.dims();
        let name = |s: Sym| names.get(&s).copied().unwrap_or(Dim(s.0 | OLD));
        let map: Vec<(Dim, Dim)> = known.iter().map(|d| (*d, name(Sym(d.0)))).collect();
        element.rename(&map);
        let mentioned: BTreeSet<Sym> =
            others.iter().flat_map(|(_, form)| form.terms().iter().map(|(s, _)| *s)).collect();
        for s in mentioned.iter().filter(|s| all || known.binary_search(&dim(**s)).is_err()) {
            assume_range(&mut element, name(*s), self.range(Val::sym(*s)));
        }
        for (other, form) in rest {
            let Some(value) = expr(form, name) else { continue };
            if element.dims().binary_search(&dim(other)).is_err() {
                element.assign(dim(other), &value);
            } else if let Some(expr) = value.minus(&LinearExpr::var(dim(other))) {
                element.assume(&Constraint { expr, relation: Relation::Zero });
            }
        }
        if all {
            let speaks = |form: &Linear| form.terms().iter().all(|(s, _)| mentioned.contains(s));
            let differences = self.orderings().filter_map(|(a, b)| Linear::of(a)?.minus(&Linear::of(b)?));
            let equal = self.definitions().filter_map(|(s, d)| d.minus(&Linear::of(Val::sym(s))?));
            let facts = (differences.map(|f| (f, Relation::AtMostZero)))
                .chain(equal.map(|f| (f, Relation::Zero)))
                .filter(|(form, _)| speaks(form));
            for (form, relation) in facts {
                if let Some(expr) = expr(&form, name) {
                    element.assume(&Constraint { expr, relation });
                }
            }
        }
        let old: Vec<Dim> = element.dims().into_iter().filter(|d| d.0 >= OLD).collect();
        element.forget_all(&old);
        element
    }

    /// Whether a value is a number of which more than one end of its range is known, or of which the element speaks.
    pub(crate) fn is_numeric(&self, form: &Linear, dims: &[Dim]) -> bool {
        form.terms().iter().all(|(s, _)| {
            let told = || self.ranges.get(s).is_some_and(|r| r.lo.is_some() && r.hi.is_some());
            dims.binary_search(&dim(*s)).is_ok() || told()
        })
    }
}

#[cfg(test)]
mod tests {
    //! Facts about a few symbols, with each domain and without, against all points of a small grid.

    use super::*;

    const SYMBOLS: u32 = 4;
    const SIDE: i128 = 2;
    type Point = [i128; SYMBOLS as usize];

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: i128) -> i128 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            i128::from(self.0 >> 33) % n
        }

        fn sym(&mut self) -> Sym {
            Sym(self.below(i128::from(SYMBOLS)) as u32)
        }

        fn val(&mut self) -> Val {
            let off = self.below(5) - 2;
            if self.below(5) == 0 { Val::int(off) } else { Val::sym(self.sym()).plus(off) }
        }

        fn form(&mut self) -> Linear {
            let mut form = Linear::constant(self.below(7) - 3);
            for _ in 0..3 {
                let term = Linear::of(Val::sym(self.sym())).expect("a symbol");
                form = form.plus(self.below(5) - 2, &term).expect("small");
            }
            form
        }
    }

    fn at(p: &Point, v: Val) -> i128 {
        v.as_sym().map_or(0, |s| p[s.0 as usize]) + v.off
    }

    fn value(p: &Point, form: &Linear) -> i128 {
        form.terms().iter().fold(form.constant, |sum, (s, k)| sum + k * p[s.0 as usize])
    }

    fn grid() -> Vec<Point> {
        let side = || -SIDE..=SIDE;
        let mut all = Vec::new();
        for a in side() {
            for b in side() {
                for c in side() {
                    all.extend(side().map(|d| [a, b, c, d]));
                }
            }
        }
        all
    }

    /// Learns something; whether it is possible, and the points that are left.
    fn learn(pure: &mut Pure, points: &[Point], dice: &mut Dice) -> (bool, Vec<Point>) {
        let (a, b, form) = (dice.val(), dice.val(), dice.form());
        let keep = |f: &dyn Fn(&Point) -> bool| points.iter().filter(|p| f(p)).copied().collect();
        match dice.below(6) {
            0 => {
                let range = Interval { lo: Some(dice.below(3) - 2), hi: (dice.below(2) == 0).then_some(1) };
                (pure.assume_in(a, range), keep(&|p| range.contains(at(p, a))))
            }
            1 => (pure.assume_ne(a, b), keep(&|p| at(p, a) != at(p, b))),
            2 => (pure.assume_le(a, b, true), keep(&|p| at(p, a) < at(p, b))),
            3 => (pure.assume_le(a, b, false), keep(&|p| at(p, a) <= at(p, b))),
            4 => {
                let s = dice.sym();
                if form.mentions(s) || pure.definition(s).is_some() {
                    return (true, points.to_vec());
                }
                (pure.define(s, &form), keep(&|p| p[s.0 as usize] == value(p, &form)))
            }
            _ => {
                let Some(basis) = pure.expanded(&form) else { return (true, points.to_vec()) };
                (pure.assume_not_negative(&basis), keep(&|p| value(p, &form) >= 0))
            }
        }
    }

    /// All that is claimed holds at all points that are left.
    fn check(pure: &Pure, points: &[Point], dice: &mut Dice) {
        let (a, b, form) = (dice.val(), dice.val(), dice.form());
        let basis = pure.expanded(&form).expect("small");
        for p in points {
            assert!(pure.range(a).contains(at(p, a)), "{a:?} at {p:?} in {pure:?}");
            assert!(!pure.knows_ne(a, b) || at(p, a) != at(p, b), "{a:?} ≠ {b:?} at {p:?} in {pure:?}");
            for strict in [false, true] {
                let holds = at(p, a) < at(p, b) + i128::from(!strict);
                assert!(!pure.knows_le(a, b, strict) || holds, "{a:?} ≤ {b:?} at {p:?} in {pure:?}");
            }
            assert!(pure.interval(&basis).contains(value(p, &form)), "{form:?} at {p:?} in {pure:?}");
            assert!(!pure.is_not_negative(&basis) || value(p, &form) >= 0, "{form:?} at {p:?} in {pure:?}");
            assert!(!pure.is_nonzero(&basis) || value(p, &form) != 0, "{form:?} at {p:?} in {pure:?}");
            let inside = |e: &Element| e.contains(&|d: Dim| p.get(d.0 as usize).copied().unwrap_or(0));
            assert!(pure.refinement().is_none_or(inside), "{p:?} in {pure:?}");
        }
    }

    #[test]
    fn what_is_known_holds_at_all_points() {
        let all = grid();
        for domain in [None].into_iter().chain(Numeric::ALL.map(Some)) {
            let (mut told, mut contradictions) = (0, 0);
            for seed in 1..=150u64 {
                let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let mut pure = Pure::default();
                domain.iter().for_each(|d| pure.refine(*d));
                let mut points = all.clone();
                for _ in 0..6 {
                    let (possible, left) = learn(&mut pure, &points, &mut dice);
                    points = left;
                    assert!(possible || points.is_empty(), "{pure:?} has {:?}", points.first());
                    if !possible {
                        contradictions += 1;
                        break;
                    }
                    check(&pure, &points, &mut dice);
                    told += usize::from(pure.refinement().is_some_and(|e| !e.dims().is_empty()));
                }
                // Less is said of fewer symbols, and of others that stand for these.
                let mut fewer = pure.clone();
                fewer.retain(|s| s.0 > 1);
                let moved: Vec<Point> =
                    points.iter().flat_map(|p| (-1..=1).map(|n| [n, -n, p[2], p[3]])).collect();
                if points.iter().any(|_| fewer.refinement().is_some()) {
                    for p in &moved {
                        let inside = |e: &Element| e.contains(&|d: Dim| p[d.0 as usize]);
                        assert!(fewer.refinement().is_none_or(inside), "{p:?} in {fewer:?}");
                    }
                }
                let others: Vec<(Sym, Linear)> = (0..3).map(|k| (Sym(k), dice.form())).collect();
                for exact in [false, true] {
                    let Some(domain) = domain.filter(|_| !points.is_empty()) else { break };
                    let shadow = pure.shadow(domain, &others, exact);
                    for p in &points {
                        let there = |d: Dim| others.get(d.0 as usize).map_or(0, |(_, f)| value(p, f));
                        assert!(shadow.contains(&there), "{p:?} of {pure:?}, {others:?}, not in {shadow:?}");
                    }
                }
            }
            assert!(domain.is_none() || told > 100, "{domain:?} is told something: {told}");
            assert!(contradictions > 0);
        }
    }

    #[test]
    fn relations_of_three_numbers_need_polyhedra() {
        // a + b ≤ c, and c ≤ 5, 2 ≤ a: b ≤ 3.
        let known = |domain: Option<Numeric>| {
            let mut pure = Pure::default();
            domain.iter().for_each(|d| pure.refine(*d));
            let [a, b, c] = [0, 1, 2].map(|k| Linear::of(Val::sym(Sym(k))).expect("a symbol"));
            let room = c.minus(&a).and_then(|f| f.minus(&b)).expect("small");
            assert!(pure.assume_not_negative(&room));
            assert!(pure.assume_in(Val::sym(Sym(2)), Interval { lo: None, hi: Some(5) }));
            assert!(pure.assume_in(Val::sym(Sym(0)), Interval { lo: Some(2), hi: None }));
            pure.range(Val::sym(Sym(1))).hi
        };
        assert_eq!(known(None), None);
        assert_eq!(known(Some(Numeric::Polyhedra)), Some(3));
    }

    #[test]
    fn multiples_are_known_by_congruences() {
        // z = 4·n: z is not 6.
        let known = |domain: Option<Numeric>| {
            let mut pure = Pure::default();
            domain.iter().for_each(|d| pure.refine(*d));
            let (z, n) = (Sym(0), Linear::of(Val::sym(Sym(1))).expect("a symbol"));
            assert!(pure.define(z, &n.times(4).expect("small")));
            // The definition goes with the symbol that it speaks of.
            pure.retain(|s| s == z);
            pure.knows_ne(Val::sym(z), Val::int(6))
        };
        assert!(!known(None) && known(Some(Numeric::Congruences)));
    }
}
