//! Linear relations that survive a join (Karr 1976).
//!
//! After the shapes of two states are paired, every symbol of the result stands for one linear form on the left and
//! one on the right, that is for a vector over the symbols of both sides. A linear relation between symbols of the
//! result holds on both sides exactly if it holds between these vectors. So the relations are found by elimination:
//! each vector is reduced by those before it; if nothing is left, the symbol is defined by what it was reduced
//! with. The first vectors are those of objects and of values that did not change, then come pointers that move
//! within an object; what is left of a pointer's vector after its object's address is its offset, which
//! becomes a symbol of its own, divided by the step in which it moves. Counters come last, so that they are expressed by
//! the offsets that move along with them.
//!
//! Which order two unknown numbers have is not seen by elimination. For numbers that moved, the best bounds
//! against sizes, ends of strings and each other are computed on both sides and the weaker is kept.
//!
//! Termination of widening: the dimension of the space of vectors can only grow; a bound that the new state does not
//! satisfy moves to one of three thresholds and is then dropped. Cost: quadratic in the number of symbols that occur in relations, and only spent if there is
//! memory of symbolic size or a pointer that moves.

use crate::lattice::join::{Chosen, FormPair, Joiner};
use crate::numbers::linear::{Linear, gcd};
use crate::state::State;
use crate::value::{Sym, Val};
use heapwise_numeric::{Element, Interval};

/// Most pairs that are looked at, so that large states stay cheap.
const MAX_PAIRS: usize = 160;
/// Most numbers between which bounds are sought.
const MAX_BOUNDED: usize = 24;

/// Most symbols that are kept only for the bounds they carry.
const MAX_CARRIED: usize = 6;
/// Where a growing bound stops before it is dropped.
const BOUND_THRESHOLDS: [i128; 3] = [-1, 0, 1];
/// Largest constant of a bound that is kept.
const MAX_BOUND: i128 = 4096;

/// A vector over the symbols of both sides, and the form over symbols of the result with which it sums to zero.
#[derive(Clone, Debug)]
struct Row {
    left: Linear,
    right: Linear,
    combination: Linear,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coordinate {
    Left(Sym),
    Right(Sym),
    LeftOne,
    RightOne,
}

impl Row {
    fn at(&self, c: Coordinate) -> i128 {
        match c {
            Coordinate::Left(s) => self.left.coefficient(s),
            Coordinate::Right(s) => self.right.coefficient(s),
            Coordinate::LeftOne => self.left.constant,
            Coordinate::RightOne => self.right.constant,
        }
    }

    fn plus(&self, k: i128, other: &Row) -> Option<Row> {
        Some(Row {
            left: self.left.plus(k, &other.left)?,
            right: self.right.plus(k, &other.right)?,
            combination: self.combination.plus(k, &other.combination)?,
        })
    }

    fn times(&self, k: i128) -> Option<Row> {
        Some(Row {
            left: self.left.times(k)?,
            right: self.right.times(k)?,
            combination: self.combination.times(k)?,
        })
    }

    fn is_zero(&self) -> bool {
        self.left == Linear::default() && self.right == Linear::default()
    }

    /// By how much a number on the left differs from one on the right; nothing if there are symbols.
    fn distance(&self) -> Option<i128> {
        let plain = self.left.terms().is_empty() && self.right.terms().is_empty();
        self.right.constant.checked_sub(self.left.constant).filter(|_| plain)
    }

    /// The row less the number that it has on the left.
    fn without_left_number(&self) -> Option<Row> {
        let by = self.left.constant.checked_neg()?;
        let one = Linear::constant(1);
        Some(Row { left: self.left.plus(by, &one)?, right: self.right.plus(by, &one)?, ..self.clone() })
    }

    /// The common divisor of all coordinates.
    fn step(&self) -> i128 {
        [self.left.divisor(), self.right.divisor(), self.left.constant, self.right.constant]
            .into_iter()
            .fold(0, gcd)
    }

    /// A coordinate to eliminate others by, if possible with coefficient ±1.
    fn pivot(&self) -> Option<Coordinate> {
        let terms = self.left.terms().iter().map(|(s, k)| (Coordinate::Left(*s), *k));
        let terms = terms.chain(self.right.terms().iter().map(|(s, k)| (Coordinate::Right(*s), *k)));
        let ones = [(Coordinate::LeftOne, self.left.constant), (Coordinate::RightOne, self.right.constant)];
        let all: Vec<_> = terms.chain(ones).filter(|(_, k)| *k != 0).collect();
        all.iter().find(|(_, k)| k.abs() == 1).or(all.first()).map(|(c, _)| *c)
    }
}

#[derive(Default)]
struct Basis {
    rows: Vec<(Row, Coordinate)>,
}

impl Basis {
    /// The row with all pivots eliminated, and by how much it was multiplied on the way.
    fn reduce(&self, row: &Row) -> Option<(Row, i128)> {
        let (mut row, mut scale) = (row.clone(), 1i128);
        for (by, pivot) in &self.rows {
            let k = row.at(*pivot);
            if k == 0 {
                continue;
            }
            let p = by.at(*pivot);
            let g = gcd(k, p);
            let (k, p) = if p < 0 { (-(k / g), -(p / g)) } else { (k / g, p / g) };
            row = row.times(p)?.plus(k.checked_neg()?, by)?;
            scale = scale.checked_mul(p)?;
        }
        Some((row, scale))
    }

    fn add(&mut self, row: Row) {
        if let Some(pivot) = row.pivot() {
            self.rows.push((row, pivot));
        }
    }
}

impl Joiner<'_> {
    /// What elements of a chosen domain say on both sides of what the symbols of the result stand for there; whether that is
    /// possible.
    pub(super) fn join_refinements(&mut self) -> bool {
        let (left, right) = (&self.left.state.pure, &self.right.state.pure);
        let Some(domain) = left.refinement().or(right.refinement()).map(Element::domain) else { return true };
        let [here, there] = [left, right].map(|p| p.refinement().map_or_else(Vec::new, Element::dims));
        let mut sides: [Vec<(Sym, Linear)>; 2] = [Vec::new(), Vec::new()];
        for (index, p) in self.list.iter().enumerate() {
            let given = |c: &Chosen| c.out.base == p.out.base;
            let Some(s) = p.out.as_sym().filter(|_| !self.open.contains(&index)) else { continue };
            let form = |v: Val| Linear::of(v)?.shifted(p.out.off.checked_neg()?);
            let (Some(l), Some(r)) = (form(p.left), form(p.right)) else { continue };
            let is_number = left.is_numeric(&l, &here) && right.is_numeric(&r, &there);
            if is_number && !self.chosen.iter().any(given) && sides[0].len() < domain.most_variables() {
                sides[0].push((s, l));
                sides[1].push((s, r));
            }
        }
        let widen = self.options.widen;
        let a = left.shadow(domain, &sides[0], widen.is_none());
        let b = right.shadow(domain, &sides[1], true);
        let both = a.join(&b);
        self.out.pure.set_refinement(widen.map_or_else(|| both.clone(), |t| a.widen(&both, t)))
    }

    fn row(&self, index: usize) -> Option<Row> {
        let pair = self.list.get(index)?;
        Some(Row {
            left: self.left.state.pure.linear(pair.left)?,
            right: self.right.state.pure.linear(pair.right)?,
            combination: Linear::of(pair.out)?.times(-1)?,
        })
    }

    /// Whether linear relations matter for these states.
    fn has_relations(&self) -> bool {
        let symbolic = |j: &Self, right: bool| {
            let state = if right { j.right.state } else { j.left.state };
            state.pure.definitions().next().is_some()
                || state.objects.values().any(|o| o.const_size().is_none() || o.prefix().is_some())
        };
        !self.moving.is_empty()
            || self.out.summaries.iter().any(|s| self.preds.get(s.pred).counts_along())
            || self.out.objects.values().any(|o| o.prefix().is_some())
            || symbolic(self, false)
            || symbolic(self, true)
    }

    /// Defines symbols of the result by others where both sides agree; returns equalities between plain values.
    pub(crate) fn join_definitions(&mut self) -> Vec<(Val, Val)> {
        let mut equal = Vec::new();
        if !self.has_relations() || self.list.len() > MAX_PAIRS {
            return equal;
        }
        let mut basis = Basis::default();
        basis.add(Row {
            left: Linear::constant(1),
            right: Linear::constant(1),
            combination: Linear::constant(-1),
        });
        let is_moving = |j: &Self, i: usize| j.moving.iter().any(|(k, _)| *k == i);
        let unmoved = |row: &Row| {
            matches!((row.left.terms(), row.right.terms()), ([(_, 1)], [(_, 1)]))
                && row.left.constant == row.right.constant
        };
        let fixed: Vec<usize> = (0..self.list.len()).filter(|i| !is_moving(self, *i)).collect();
        let mut later = Vec::new();
        for i in fixed {
            match self.row(i) {
                Some(row) if unmoved(&row) => self.relate(&mut basis, row, &mut equal),
                Some(_) => later.push(i),
                None => {}
            }
        }
        // Multiples of what did not change, such as sizes: they say how large elements are.
        let mut open = Vec::new();
        for i in later {
            match self.row(i) {
                Some(row) if basis.reduce(&row).is_some_and(|(rest, _)| rest.is_zero()) => {
                    self.relate(&mut basis, row, &mut equal);
                }
                Some(row) if self.is_size(i) && self.count_elements(&mut basis, &row, &mut equal) => {
                    self.relate(&mut basis, row, &mut equal);
                }
                // Lists may begin with some elements before they grow by several at a time.
                Some(row)
                    if self.is_length(i)
                        && row
                            .without_left_number()
                            .is_some_and(|grown| self.count_elements(&mut basis, &grown, &mut equal)) =>
                {
                    self.relate(&mut basis, row, &mut equal);
                }
                Some(_) => open.push(i),
                None => {}
            }
        }
        // Pointers whose way is a number first: others may move along with them from where they were.
        let mut moving: Vec<(usize, usize, Val)> = self
            .moving
            .iter()
            .filter_map(|(i, object)| {
                let row = self.row(*i)?;
                Some((row.left.terms().len() + row.right.terms().len(), *i, *object))
            })
            .collect();
        moving.sort();
        for (_, i, object) in moving {
            self.relate_pointer(&mut basis, i, object, &mut equal);
        }
        // Numbers on both sides: those that moved least say in which steps the others have moved.
        let mut rows: Vec<(usize, Row)> = open.into_iter().filter_map(|i| Some((i, self.row(i)?))).collect();
        rows.sort_by_key(|(_, row)| row.distance().map_or(i128::MAX, i128::abs));
        let steps = rows.iter().any(|(i, row)| row.distance().is_some_and(|d| d != 0) && self.is_length(*i));
        if steps && rows.first().and_then(|(_, row)| row.distance()).is_some_and(|d| d.abs() > 1) {
            self.count_rounds(&mut basis, &mut equal);
        }
        for (_, row) in rows {
            self.relate(&mut basis, row, &mut equal);
        }
        self.keep_carriers();
        equal
    }

    /// Sums on the left side that bounds speak about and that no symbol of the result stands for: those of symbols that
    /// no value mentions, and those of symbols that are other sums on the right side. The same sum of what its terms
    /// became stands for the same sum on the right.
    fn keep_carriers(&mut self) {
        let pure = &self.left.state.pure;
        let bounded = |s: Sym| pure.bounds.keys().any(|(a, b)| *a == s || *b == s);
        let claimed = |s: Sym| self.left.claims.get(&s).and_then(|i| self.list.get(*i));
        // The defined symbols whose sums are lost.
        let lost = |s: Sym| claimed(s).is_none_or(|p| !self.out.pure.is_defined(p.out));
        let defined = pure.definitions().filter(|(s, d)| d.is_compound() && bounded(*s) && lost(*s));
        let mut sums: Vec<(Linear, Linear)> = defined.map(|(_, d)| (d.clone(), d.clone())).collect();
        // Symbols that only the definition of something else mentions: what that leaves for them.
        for (s, def) in pure.definitions().filter(|(s, d)| d.terms().len() > 1 && claimed(*s).is_some()) {
            for (t, k) in def.terms().iter().filter(|(_, k)| k.abs() == 1) {
                if claimed(*t).is_some() || !bounded(*t) {
                    continue;
                }
                let whole = Linear::of(Val::sym(s));
                let rest = whole.and_then(|w| w.minus(&def.substitute(*t, &Linear::default())?)?.times(*k));
                sums.extend(Linear::of(Val::sym(*t)).zip(rest));
            }
        }
        let mut found = Vec::new();
        for (left, sum) in sums {
            let translated = || {
                let (mut right, mut out) = (Linear::constant(sum.constant), Linear::constant(sum.constant));
                for (t, k) in sum.terms() {
                    let pair = claimed(*t)?;
                    if pair.left != Val::sym(*t) || self.left.state.objects.contains_key(t) {
                        return None;
                    }
                    right = right.plus(*k, &self.right.state.pure.linear(pair.right)?)?;
                    out = out.plus(*k, &Linear::of(pair.out)?)?;
                }
                Some((right, out))
            };
            found.extend(translated().map(|(right, out)| (left, right, out)));
        }
        for (left, right, form) in found.into_iter().take(MAX_CARRIED) {
            let Some(form) = self.out.pure.expanded(&form) else { continue };
            if !form.is_compound() || self.out.pure.defined_as(&form).is_some() {
                continue;
            }
            let ranges = (self.left.state.pure.interval(&left), self.right.state.pure.interval(&right));
            let out = self.number(ranges.0, ranges.1);
            if let Some(s) = out.as_sym() {
                self.out.pure.define_after_join(s, &form);
                self.forms.push(FormPair { left, right, out });
            }
        }
    }

    /// Whether a pair is the size of an object of the result.
    fn is_size(&self, index: usize) -> bool {
        let out = self.list.get(index).map(|p| p.out);
        self.out.objects.values().any(|o| Some(o.size) == out)
    }

    /// Whether a pair is the length of a list of the result.
    fn is_length(&self, index: usize) -> bool {
        let out = self.list.get(index).map(|p| p.out);
        self.out.summaries.iter().any(|s| {
            let lengths = self.preds.get(s.pred).length.args();
            s.args.iter().zip(lengths).any(|(v, is_length)| *is_length && Some(*v) == out)
        })
    }

    /// Names the number of rounds in which lists have grown by several elements each: 0 on the left and 1 on the right.
    fn count_rounds(&mut self, basis: &mut Basis, equal: &mut Vec<(Val, Val)>) {
        let (left, right) = (Linear::default(), Linear::constant(1));
        let rounds = self.named_form(&left, &right);
        if let Some(combination) = Linear::of(rounds).and_then(|o| o.times(-1)) {
            self.relate(basis, Row { left, right, combination }, equal);
        }
    }

    /// Names the number of elements of an array whose size is a multiple of something on both sides, if only the
    /// size mentions it: else it would be forgotten that elements do not reach over the end. So with lists that grow by several
    /// elements at a time.
    fn count_elements(&mut self, basis: &mut Basis, size: &Row, equal: &mut Vec<(Val, Val)>) -> bool {
        let step = size.step();
        if step < 2 || size.left.terms().is_empty() || size.right.terms().is_empty() {
            return false;
        }
        let (Some(left), Some(right)) = (size.left.divided(step), size.right.divided(step)) else {
            return false;
        };
        let count = self.named_form(&left, &right);
        let Some(combination) = Linear::of(count).and_then(|o| o.times(-1)) else { return false };
        self.relate(basis, Row { left, right, combination }, equal);
        true
    }

    /// A value of the result that stands for these forms on the two sides.
    fn named_form(&mut self, left: &Linear, right: &Linear) -> Val {
        if let (Some(l), Some(r)) = (left.as_val(), right.as_val()) {
            return self.value(l, r);
        }
        let ranges = (self.left.state.pure.interval(left), self.right.state.pure.interval(right));
        let out = self.number(ranges.0, ranges.1);
        self.forms.push(FormPair { left: left.clone(), right: right.clone(), out });
        out
    }

    /// Defines the symbol of a row by those before it, or adds it to the basis.
    fn relate(&mut self, basis: &mut Basis, row: Row, equal: &mut Vec<(Val, Val)>) {
        let Some(out) = row.combination.terms().first().map(|(s, _)| *s) else { return };
        let Some((reduced, scale)) = basis.reduce(&row) else { return };
        if !reduced.is_zero() {
            basis.add(reduced);
            return;
        }
        // What is left says: 0 = -scale · out + others.
        let own = reduced.combination.coefficient(out);
        let Some(others) = reduced.combination.substitute(out, &Linear::default()) else { return };
        if own != -scale || scale == 0 {
            return;
        }
        if let Some(form) = others.divided(scale) {
            self.record(out, &form, equal);
        }
    }

    fn record(&mut self, out: Sym, form: &Linear, equal: &mut Vec<(Val, Val)>) {
        match form.as_val() {
            Some(v) => equal.push((Val::sym(out), v)),
            None => self.out.pure.define_after_join(out, form),
        }
    }

    /// Defines a moving pointer as its object's address plus an offset.
    fn relate_pointer(&mut self, basis: &mut Basis, index: usize, object: Val, equal: &mut Vec<(Val, Val)>) {
        let Some(row) = self.row(index) else { return };
        let Some(out) = row.combination.terms().first().map(|(s, _)| *s) else { return };
        let Some((rest, 1)) = basis.reduce(&row) else { return };
        let mut rest = rest;
        if !rest.is_zero() {
            // Elements are no larger than what divides a symbolic size: two steps at once are not one large step.
            let size = object.as_sym().and_then(|o| self.out.objects.get(&o)).map(|o| o.size);
            let size = size.and_then(|s| self.out.pure.linear(s)).map_or(0, |s| s.divisor());
            let step = gcd(rest.step(), size);
            // The plain offset, if it is as simple as what elimination leaves and divisible as well.
            let plain = self.plain_offset(&row, object).filter(|p| {
                let terms = |r: &Row| r.left.terms().len() + r.right.terms().len();
                terms(p) <= terms(&rest) && p.left.divided(step).is_some() && p.right.divided(step).is_some()
            });
            let plain = plain.as_ref().unwrap_or(&rest);
            let (Some(left), Some(right)) = (plain.left.divided(step), plain.right.divided(step)) else {
                return;
            };
            // An address that is left over belongs to another object.
            let address = |f: &Linear, state: &State| {
                f.terms().iter().any(|(s, _)| state.objects.contains_key(s) || state.dead.contains_key(s))
            };
            if address(&left, self.left.state) || address(&right, self.right.state) {
                return;
            }
            let offset = self.named_form(&left, &right);
            let Some(combination) = Linear::of(offset).and_then(|o| o.times(-1)) else { return };
            let generator = Row { left, right, combination };
            if let Some((row, _)) = basis.reduce(&generator)
                && !row.is_zero()
            {
                basis.add(row);
            }
            let Some((reduced, 1)) = basis.reduce(&row) else { return };
            rest = reduced;
        }
        if rest.is_zero()
            && rest.combination.coefficient(out) == -1
            && let Some(form) = rest.combination.substitute(out, &Linear::default())
            && object.as_sym().is_some_and(|o| form.coefficient(o) == 1)
        {
            self.record(out, &form, equal);
            self.carry(&row, object, &form);
        }
    }

    /// An offset with several terms becomes a symbol too, so that bounds can speak about it.
    fn carry(&mut self, row: &Row, object: Val, form: &Linear) {
        let Some(offset) = object.as_sym().and_then(|o| form.substitute(o, &Linear::default())) else {
            return;
        };
        if offset.terms().len() < 2 || self.out.pure.defined_as(&offset).is_some() {
            return;
        }
        let Some(plain) = self.plain_offset(row, object) else { return };
        let (left, right) = (&self.left.state.pure, &self.right.state.pure);
        let out = self.number(left.interval(&plain.left), right.interval(&plain.right));
        if let Some(s) = out.as_sym() {
            self.out.pure.define_after_join(s, &offset);
            self.forms.push(FormPair { left: plain.left, right: plain.right, out });
        }
    }

    /// The row of a pointer minus that of its object's address.
    fn plain_offset(&self, row: &Row, object: Val) -> Option<Row> {
        let index = self.list.iter().position(|p| p.out == object)?;
        row.plus(-1, &self.row(index)?)
    }

    /// Bounds between numbers that moved, and against sizes, offsets and each other, that hold on both sides.
    pub(crate) fn moved_bounds(&self) -> Vec<(Val, Val)> {
        if !self.has_relations() {
            return Vec::new();
        }
        let mut named: Vec<Sym> = Vec::new();
        for o in self.out.objects.values() {
            let floating = o.floating().iter().map(|f| f.off);
            let symbols = std::iter::once(o.size).chain(floating).chain(o.prefix()).filter_map(Val::as_sym);
            for s in symbols {
                named.push(s);
                named.extend(
                    self.out.pure.definition(s).iter().flat_map(|d| d.terms().iter().map(|(t, _)| *t)),
                );
            }
        }
        let mut moved: Vec<Number> = Vec::new();
        let mut limits: Vec<Number> = Vec::new();
        for (i, p) in self.list.iter().enumerate() {
            let Some(s) = p.out.as_sym() else { continue };
            if self.out.objects.contains_key(&s) || self.moving.iter().any(|(k, _)| *k == i) {
                continue;
            }
            let (Some(left), Some(right)) =
                (self.left.state.pure.linear(p.left), self.right.state.pure.linear(p.right))
            else {
                continue;
            };
            // A multiple of another number has the other's bounds.
            if self.out.pure.definition(s).is_some_and(|d| d.terms().len() < 2) {
                continue;
            }
            let same = p.left.as_sym().is_some() && p.right.as_sym().is_some() && p.left.off == p.right.off;
            let number = Number { left, right, out: p.out };
            if !same {
                moved.push(number);
            } else if named.contains(&s) {
                limits.push(number);
            }
        }
        moved.extend(self.forms.iter().map(|f| Number {
            left: f.left.clone(),
            right: f.right.clone(),
            out: f.out,
        }));
        moved.truncate(MAX_BOUNDED);
        limits.truncate(MAX_BOUNDED);
        let mut found = Vec::new();
        for (i, x) in moved.iter().enumerate() {
            for y in moved.iter().skip(i + 1).chain(&limits) {
                found.extend(self.bound(x, y));
                found.extend(self.bound(y, x));
            }
        }
        found
    }

    /// The least `c` for which `a ≤ b + c` holds on both sides, as a pair of values; nothing if intervals say as
    /// much, or if widening and the right side needs more than the left.
    fn bound(&self, a: &Number, b: &Number) -> Option<(Val, Val)> {
        let left = self.left.state.pure.best_upper(&a.left.minus(&b.left)?)?;
        let right = self.right.state.pure.best_upper(&a.right.minus(&b.right)?)?;
        let c = match self.options.widen {
            Some(_) if right > left => BOUND_THRESHOLDS.into_iter().find(|c| *c >= right)?,
            _ => left.max(right),
        };
        // Larger ones come from intervals rather than from the program.
        if c.abs() > MAX_BOUND {
            return None;
        }
        let (x, y): (Interval, Interval) = (self.out.pure.range(a.out), self.out.pure.range(b.out));
        if let (Some(hi), Some(lo)) = (x.hi, y.lo)
            && hi.saturating_sub(lo) <= c
        {
            return None;
        }
        Some((a.out, b.out.plus(c)))
    }
}

/// A symbol of the result and what it stands for on the two sides.
struct Number {
    left: Linear,
    right: Linear,
    out: Val,
}
