//! Join and widening of two disjuncts (survey §4.4.4; Li et al. 2017, §4.1–4.3).
//!
//! The result is built over *pairs* of values, seeded from the roots that both sides have. Each memory of either side
//! belongs to the first pair that claims it. Then, pair by pair: objects meet cell by cell; equal
//! predicates meet argument by argument; a summary on one side absorbs what the matching engine can fold into it on
//! the other; an object against null becomes a whole predicate; an object against a value whose memory another pair
//! has claimed becomes a segment up to that pair, empty on the other side. What pairs badly is a reason to
//! refuse: disjunctions exist for that. Pure facts are joined last, along the pairing.
//!
//! Soundness: every piece of memory of either side is consumed exactly once, by a piece of the result that describes
//! it (by identity, or because the matching engine folded it), and memory left over refuses the join. Values are only
//! ever related by pairs, so an equality or bound of the result holds on both sides. Linear relations between the
//! symbols of the result are found in `relations.rs`.

mod ghosts;
mod objects;
mod places;
mod relations;
mod segments;

use crate::fold::pinned;
use crate::granularity::Numbers;
use crate::matching::{Pins, View};
use crate::numbers::linear::Linear;
use crate::object::{Content, Object, ObjectKind};
use crate::pred::PredTable;
use crate::state::{Root, State, Walk};
use crate::value::{Base, Sym, Val};
use heapwise_numeric::Interval;
use objects::sizes_join;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How to join.
#[derive(Clone, Copy, Debug)]
pub struct JoinOptions<'a> {
    /// Whether moving interval ends are widened, to these thresholds (sorted).
    pub widen: Option<&'a [i128]>,
    /// Whether two different constants in the same variable are a reason to refuse.
    pub keep_constants: bool,
    /// Whether it is a reason to refuse that one side alone knows whether the number in a variable is zero.
    pub keep_flags: bool,
    /// Whether null on one side and not null on the other in the same variable is a reason to refuse.
    pub keep_null: bool,
    /// Whether it is a reason to refuse that memory would be lost to which a name leads on both sides.
    pub keep_ways: bool,
    /// Whether structures whose elements hold different numbers are a reason to refuse.
    pub keep_numbers: bool,
    /// Which numbers in elements count at all.
    pub numbers: Numbers,
    /// Whether it is a reason to refuse that an object which a name leads to would become part of a structure.
    pub keep_objects: bool,
    /// Whether segments between named addresses may be introduced (Li et al. 2017, §4.3).
    pub guided: bool,
    /// Whether pairs may take memory over from others, and be the last element of a segment, to find a description for more
    /// states at once.
    pub bold: bool,
}

/// Why two disjuncts were not joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A variable holds different constants, or is null on one side only.
    Constants(Val, Val),
    /// The memory at a pair of values has no common description.
    Shapes(Val, Val),
    /// Objects of different kinds or sizes at a pair of values.
    Objects(Sym, Sym),
    /// A pointer has made few steps through a small object.
    Steps,
    /// Memory of one side has no counterpart; its address.
    Leftover(Side, Val),
    /// An object that a name leads to would become part of a structure.
    Swallowed,
    /// A cell of a variable would no longer lead to memory.
    LostWay,
    /// What both sides have in common contradicts itself.
    Contradiction,
}

/// Most steps through an object of known size that are followed one by one.
const SHORT_WAY: i128 = 20;

pub(crate) struct Pair {
    pub(crate) left: Val,
    pub(crate) right: Val,
    pub(crate) out: Val,
}

/// Like [`Pair`], for linear forms.
pub(crate) struct FormPair {
    pub(crate) left: Linear,
    pub(crate) right: Linear,
    pub(crate) out: Val,
}

/// An argument of a structure that holds for any value of it on one side: it is chosen as far away as the bounds of its value on
/// this side ask.
struct Chosen {
    side: Side,
    value: Val,
    out: Val,
    /// Whether these bounds are from below.
    low: bool,
}

pub(crate) struct Joiner<'a> {
    pub(crate) left: View<'a>,
    pub(crate) right: View<'a>,
    pub(crate) preds: &'a PredTable,
    pub(crate) options: JoinOptions<'a>,
    guidance: Guidance,
    /// The pairs before this one are named by variables.
    named: usize,
    pub(crate) out: State,
    pairs: FxHashMap<(Val, Val), usize>,
    pub(crate) list: Vec<Pair>,
    /// Pairs of pointers into the same object at different or symbolic offsets, and that object's address.
    pub(crate) moving: Vec<(usize, Val)>,
    /// Whether the states should rather stay apart.
    refused: bool,
    /// Symbols of the result that stand for linear forms which are no plain values.
    pub(crate) forms: Vec<FormPair>,
    /// Pairs of objects, and the object of the result, whose symbolic places are not paired yet.
    pub(crate) symbolic: Vec<(Sym, Sym, Sym)>,
    todo: VecDeque<usize>,
    /// Segments of the result and ghosts of theirs for which both sides know what they start with, but the result does not.
    blurred: Vec<(usize, usize)>,
    /// Pairs that have waited for others once.
    waited: Vec<usize>,
    /// Pairs of addresses that only the segments of the result can give a meaning.
    open: Vec<usize>,
    /// What elements of an object that became a whole structure lead to by its parameters, where the other side has no
    /// element, and nothing that it could be paired with.
    forgotten: Vec<(Side, Sym)>,
    /// Arguments that are free on one side.
    chosen: Vec<Chosen>,
    /// Numbers that variables hold on both sides, once they are asked for.
    held: OnceCell<Vec<i128>>,
    /// What became of the places that symbols of either side may lead to.
    places: places::Images,
}

/// Joins two disjuncts into one that describes both, or says why not.
///
/// First objects are paired with objects wherever possible, which keeps most. If that fails, objects from which
/// the same named address can be reached on both sides give way to segments that lead there; at last also
/// over objects that only cells of other objects name.
pub fn join(
    left: &State,
    right: &State,
    preds: &PredTable,
    options: JoinOptions<'_>,
) -> Result<State, Refusal> {
    let least = named_objects(left).min(named_objects(right));
    let swallows = |out: &State| named_objects(out) < least;
    let mut result = attempt(left, right, preds, options, Guidance::None);
    for guidance in [Guidance::Named, Guidance::Through] {
        if !options.guided
            || preds.is_empty()
            || !matches!(result, Err(Refusal::Shapes(..) | Refusal::Leftover(..) | Refusal::Contradiction))
        {
            break;
        }
        result = attempt(left, right, preds, options, guidance);
        // If a segment took an object that a variable names, keeping it is worth another try.
        if options.keep_ways
            && result.as_ref().is_ok_and(swallows)
            && let Ok(kept) = attempt(left, right, preds, options, Guidance::Last)
        {
            return Ok(kept);
        }
    }
    if options.keep_objects && result.as_ref().is_ok_and(swallows) {
        return Err(Refusal::Swallowed);
    }
    if preds.keeps_some_bounds(options.numbers)
        && result.as_ref().is_ok_and(|out| loses_way(left, right, out, preds, options.numbers))
    {
        return Err(Refusal::LostWay);
    }
    result
}

/// Whether a cell of an object that a variable names leads to memory on both sides, but not in the result; or on one side to
/// an object whose number is bounded by that of a variable.
fn loses_way(left: &State, right: &State, out: &State, preds: &PredTable, numbers: Numbers) -> bool {
    let [kept_left, kept_right, kept_out] = [left, right, out].map(|s| pinned(s, preds, numbers));
    // Variables, those that are records themselves, and the elements of those that are arrays of pointers.
    let mut places: Vec<(Root, Option<(u64, u64)>)> = Vec::new();
    for (r, v) in &out.roots {
        let object = v.as_sym().and_then(|s| out.objects.get(&s));
        match (r, object) {
            (Root::Local(_), _) => places.push((*r, None)),
            (Root::Slot(_), Some(o)) if o.record.is_some() => places.push((*r, None)),
            (Root::Slot(_), Some(o)) => places.extend(o.cells().map(|(off, c)| (*r, Some((off, c.width))))),
            _ => {}
        }
    }
    let object = |state: &State, (root, element): &(Root, Option<(u64, u64)>)| {
        let object = state.objects.get(&state.roots.get(root)?.as_sym()?)?;
        match element.map(|(off, width)| object.read(off, width)) {
            None => Some(object.clone()),
            Some(Content::Val(v)) => state.objects.get(&v.as_sym()?).cloned(),
            Some(_) => None,
        }
    };
    let leads =
        |state: &State, kept: &BTreeSet<Sym>, place: &_, off: u64, width: u64| match object(state, place)
            .map(|o| o.read(off, width))
        {
            Some(Content::Val(to)) if to.as_sym().is_some_and(|s| kept.contains(&s)) => 2,
            Some(Content::Val(to)) => {
                let object = to.as_sym().is_some_and(|s| state.objects.contains_key(&s));
                u8::from(object || state.summaries.iter().any(|s| s.root == to))
            }
            _ => 0,
        };
    let objects = places.iter().filter_map(|p| Some((p, object(out, p)?)));
    let asked = |o: &Object| o.kind != ObjectKind::Heap || preds.keeps_bounds_of(o, numbers);
    objects.into_iter().filter(|(_, o)| asked(o)).any(|(place, o)| {
        o.cells().any(|(off, c)| {
            let leads = |state: &State, kept: &BTreeSet<Sym>| leads(state, kept, place, off, c.width);
            let (l, r) = (leads(left, &kept_left), leads(right, &kept_right));
            let least = if l.max(r) == 2 { 2 } else { l.min(r) };
            leads(out, &kept_out) < least
        })
    })
}

/// Numbers that a variable holds on both sides, or a member of a variable or of an object that a variable leads to.
fn numbers_held(left: &State, right: &State) -> Vec<i128> {
    let mut found = Vec::new();
    for (root, l) in &left.roots {
        let Some(r) = right.roots.get(root) else { continue };
        if matches!(root, Root::Local(_)) && l == r {
            found.extend(l.as_int());
        }
        let object = |state: &State, v: &Val| {
            v.as_sym().filter(|_| v.off == 0).and_then(|s| state.objects.get(&s).cloned())
        };
        let (Some(a), Some(b)) = (object(left, l), object(right, r)) else { continue };
        if a.record.is_some() {
            let same = a.cells().filter(|(off, c)| b.cell(*off, c.width) == Some(c.val));
            found.extend(same.filter_map(|(_, c)| c.val.as_int()));
        }
    }
    found
}

/// How many names lead to objects.
fn named_objects(state: &State) -> usize {
    let locals = state.roots.iter().filter(|(r, _)| matches!(r, Root::Local(_) | Root::Cut(_)));
    locals.filter(|(_, v)| v.as_sym().is_some_and(|s| state.objects.contains_key(&s))).count()
}

/// How far segments to named addresses are preferred to objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guidance {
    /// Not at all.
    None,
    /// Not at all; but an address may be paired with another one if it turns out to be the last element of a segment.
    Last,
    /// Where no other pair has a claim on the memory in between.
    Named,
    /// Also where pairs have a claim on it that come from cells of objects: a node between two named ones to which
    /// a child points back becomes part of the segment, and is still known as its last element.
    Through,
}

fn attempt(
    left: &State,
    right: &State,
    preds: &PredTable,
    options: JoinOptions<'_>,
    guidance: Guidance,
) -> Result<State, Refusal> {
    let mut j = Joiner {
        left: View::new(left, preds),
        right: View::new(right, preds),
        preds,
        options,
        guidance,
        named: 0,
        out: State::default(),
        pairs: FxHashMap::default(),
        list: Vec::new(),
        moving: Vec::new(),
        forms: Vec::new(),
        symbolic: Vec::new(),
        refused: false,
        todo: VecDeque::new(),
        blurred: Vec::new(),
        waited: Vec::new(),
        open: Vec::new(),
        forgotten: Vec::new(),
        chosen: Vec::new(),
        held: OnceCell::new(),
        places: places::Images::of(left, right),
    };
    // Addresses of variables first: their memory is never anyone else's.
    let mut roots: Vec<Root> = left.roots.keys().filter(|r| right.roots.contains_key(r)).copied().collect();
    roots.sort_by_key(|r| !matches!(r, Root::Slot(_) | Root::Global(_)));
    for root in roots {
        let (l, r) = (left.roots[&root], right.roots[&root]);
        if !matches!(root, Root::Slot(_) | Root::Global(_)) && j.keeps_apart(l, r) {
            return Err(Refusal::Constants(l, r));
        }
        if options.numbers == Numbers::Lengths
            && let Some((l, r)) = j.empty_on_one_side(l, r).filter(|_| options.keep_null)
        {
            return Err(Refusal::Constants(l, r));
        }
        let v = j.value(l, r);
        j.out.roots.insert(root, v);
    }
    j.run()?;
    if let Some((l, r)) = j.lost_way().filter(|_| options.keep_ways) {
        return Err(Refusal::Shapes(l, r));
    }
    j.join_places();
    let equal = j.join_definitions();
    if !j.join_pure() {
        return Err(Refusal::Contradiction);
    }
    if !j.join_refinements() {
        return Err(Refusal::Contradiction);
    }
    let mut out = j.out;
    if !equal.is_empty() && !out.unify_all(equal) {
        return Err(Refusal::Contradiction);
    }
    if !out.settle(preds) {
        return Err(Refusal::Contradiction);
    }
    out.drop_ghost_facts(preds);
    out.forget_unmentioned_places();
    Ok(out)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Memory {
    Object(Sym),
    Summary(usize),
    None,
}

fn memory_at(view: &View<'_>, v: Val) -> Memory {
    if let Some(s) = v.as_sym()
        && v.off == 0
        && view.state.objects.contains_key(&s)
        && !view.is_used(s)
    {
        return Memory::Object(s);
    }
    view.summary_with_root(v).map_or(Memory::None, |(i, _)| Memory::Summary(i))
}

/// Which side of the join.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first state.
    Left,
    /// The second one.
    Right,
}

impl Side {
    pub(crate) fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

impl<'a> Joiner<'a> {
    /// Which pair owns the memory of a symbol.
    fn claims(&self, side: Side) -> &FxHashMap<Sym, usize> {
        match side {
            Side::Left => &self.left.claims,
            Side::Right => &self.right.claims,
        }
    }

    fn view(&mut self, side: Side) -> &mut View<'a> {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    /// Whether two values of one variable are different enough to keep their disjuncts apart for now.
    pub(crate) fn keeps_apart(&self, l: Val, r: Val) -> bool {
        if l.base == Base::Zero && r.base == Base::Zero {
            return self.options.keep_constants && l != r;
        }
        if self.options.keep_null && self.null_on_one_side(l, r) {
            return true;
        }
        if !self.options.keep_flags {
            return false;
        }
        let (left, right) = (self.left.state, self.right.state);
        // A flag of which one side knows whether it is set.
        let is_number =
            |s: &State, v: Val| v.as_sym().is_none_or(|x| !s.owns_memory(x) && s.points_to(v).is_none());
        let flag = |s: &State, v: Val| (v == Val::ZERO, s.pure.knows_ne(v, Val::ZERO));
        is_number(left, l) && is_number(right, r) && flag(left, l) != flag(right, r)
    }

    /// A cell of the objects at these addresses that is null on one side and on the other is not: where lengths count, a structure that
    /// is empty has other lengths than one that is not, and other ends.
    fn empty_on_one_side(&self, l: Val, r: Val) -> Option<(Val, Val)> {
        let object = |state: &State, v: Val| {
            v.as_sym().filter(|_| v.off == 0).and_then(|s| state.objects.get(&s).cloned())
        };
        let (a, b) = (object(self.left.state, l)?, object(self.right.state, r)?);
        let cells = a.cells().chain(b.cells()).map(|(off, c)| (off, c.width));
        let mut values = cells.filter_map(|(off, width)| match (a.read(off, width), b.read(off, width)) {
            (Content::Val(x), Content::Val(y)) => Some((x, y)),
            _ => None,
        });
        let leads = |state: &State, v: Val| v.as_sym().is_some_and(|s| state.owns_memory(s));
        values.find(|(x, y)| {
            (leads(self.left.state, *x) || leads(self.right.state, *y)) && self.null_on_one_side(*x, *y)
        })
    }

    pub(crate) fn null_on_one_side(&self, l: Val, r: Val) -> bool {
        let here_only = |a: Val, s: &State, b: Val| {
            a == Val::ZERO && b.as_sym().is_some() && s.compare(b, Val::ZERO, Some(self.preds)) == Some(false)
        };
        here_only(l, self.right.state, r) || here_only(r, self.left.state, l)
    }

    /// The value of the result that stands for `l` on the left and `r` on the right.
    pub(crate) fn value(&mut self, l: Val, r: Val) -> Val {
        if l.is_undef() || r.is_undef() {
            return Val::UNDEF;
        }
        if l == r && !matches!(l.base, Base::Sym(_)) {
            return l;
        }
        if let Some(out) = self.moving_pointer(l, r) {
            return out;
        }
        let whole = (l, r);
        let (l, r, shift) = self.normalised(l, r);
        if let Some(i) = self.pairs.get(&(l, r)) {
            return self.list[*i].out.plus(shift);
        }
        let out = self.number(self.left.state.pure.range(l), self.right.state.pure.range(r));
        // Thresholds are about the values themselves as much as about what they are counted from.
        if shift != 0 && self.options.widen.is_some() {
            let ranges = (self.left.state.pure.range(whole.0), self.right.state.pure.range(whole.1));
            let range = self.joined_range(ranges.0, ranges.1).shift(shift.saturating_neg());
            let satisfiable = self.out.pure.assume_in(out, range);
            debug_assert!(satisfiable, "both contain the values of both sides");
        }
        let index = self.list.len();
        self.list.push(Pair { left: l, right: r, out });
        self.pairs.insert((l, r), index);
        for (claims, v) in [&mut self.left.claims, &mut self.right.claims].into_iter().zip([l, r]) {
            if let Some(s) = v.as_sym() {
                claims.entry(s).or_insert(index);
            }
        }
        self.todo.push_back(index);
        out.plus(shift)
    }

    /// A new symbol of the result for a number in these intervals on the two sides.
    pub(crate) fn number(&mut self, left: Interval, right: Interval) -> Val {
        let out = Val::sym(self.out.fresh());
        let range = self.joined_range(left, right);
        if range != Interval::FULL {
            let satisfiable = self.out.pure.assume_in(out, range);
            debug_assert!(satisfiable, "a fresh symbol has no facts to contradict");
        }
        out
    }

    /// The interval for numbers of both sides. An end that is widened also stops at the numbers that variables hold on
    /// both sides: a count is often compared with one. There are finitely many of those in the older state, and a
    /// variable that holds another number in the newer one holds none afterwards.
    fn joined_range(&self, left: Interval, right: Interval) -> Interval {
        let joined = left.join(right);
        let Some(thresholds) = self.options.widen else { return joined };
        let mut wide = left.widen(joined, thresholds);
        if wide == joined {
            return joined;
        }
        for &n in self.held.get_or_init(|| numbers_held(self.left.state, self.right.state)) {
            if joined.hi.is_some_and(|h| h <= n) && wide.hi.is_none_or(|h| n < h) {
                wide.hi = Some(n);
            }
            if joined.lo.is_some_and(|l| n <= l) && wide.lo.is_none_or(|l| l < n) {
                wide.lo = Some(n);
            }
        }
        wide
    }

    /// A pair is kept with the offset of the side that owns memory, so that inner pointers to an element and the
    /// element itself are one pair.
    fn normalised(&self, l: Val, r: Val) -> (Val, Val, i128) {
        let shift = match (l.as_sym(), r.as_sym()) {
            (Some(s), _) if self.left.state.owns_memory(s) => l.off,
            (_, Some(s)) if self.right.state.owns_memory(s) => r.off,
            (Some(_), _) => l.off,
            (None, Some(_)) => r.off,
            (None, None) => 0,
        };
        (l.plus(-shift), r.plus(-shift), shift)
    }

    /// Two pointers at different or symbolic offsets into what is one object of the result: a pair that claims no
    /// memory, after the pair of the object itself.
    fn moving_pointer(&mut self, l: Val, r: Val) -> Option<Val> {
        if let Some(i) = self.pairs.get(&(l, r))
            && self.moving.iter().any(|(k, _)| k == i)
        {
            return Some(self.list[*i].out);
        }
        let (x, dx) = self.left.state.pointer(l)?;
        let (y, dy) = self.right.state.pointer(r)?;
        if dx == dy && dx.terms().is_empty() {
            return None;
        }
        let (a, b) = (self.left.state.objects.get(&x)?, self.right.state.objects.get(&y)?);
        let base = (Val::sym(x), Val::sym(y));
        if !self.pairs.contains_key(&base) {
            // Elements of linked structures do not move; arrays do.
            let array = |o: &Object| o.record.is_none();
            let claimed = self.left.claims.contains_key(&x) || self.right.claims.contains_key(&y);
            if a.kind != b.kind || !array(a) || !array(b) || !sizes_join(a, b) || claimed {
                return None;
            }
        }
        // A short way through an object of known size is followed step by step.
        if let (Some(p), Some(q), Some(size)) = (
            dx.as_val().and_then(Val::as_int),
            dy.as_val().and_then(Val::as_int),
            a.const_size().filter(|_| a.size == b.size),
        ) && i128::from(size) / p.saturating_sub(q).saturating_abs().max(1) <= SHORT_WAY
        {
            self.refused = true;
        }
        let object = self.value(base.0, base.1);
        let out = Val::sym(self.out.fresh());
        let index = self.list.len();
        self.list.push(Pair { left: l, right: r, out });
        self.pairs.insert((l, r), index);
        self.moving.push((index, object));
        Some(out)
    }

    /// Where one address is paired with several on the other side, its memory goes to the pair that is last on the
    /// path there; the others become segments that lead to it (the guidance of Li et al. 2017, §4.3, on roots). This is about
    /// the pairs from `first` on, none of which has been looked at.
    fn settle_claims(&mut self, first: usize) {
        for side in [Side::Left, Side::Right] {
            let mut groups: BTreeMap<Sym, Vec<usize>> = BTreeMap::new();
            for (i, p) in self.list.iter().enumerate().skip(first) {
                let mine = if side == Side::Left { p.left } else { p.right };
                if let Some(s) = mine.as_sym() {
                    groups.entry(s).or_default().push(i);
                }
            }
            // What an earlier pair has stays with it.
            groups.retain(|s, _| self.claims(side).get(s).is_some_and(|i| *i >= first));
            for (s, mut pairs) in groups.into_iter().filter(|(_, g)| g.len() > 1) {
                let theirs =
                    |i: usize| if side == Side::Left { self.list[i].right } else { self.list[i].left };
                let view = if side == Side::Left { &self.right } else { &self.left };
                // What a segment may hand on is no reason to own memory.
                let own = |i: &usize| memory_at(view, theirs(*i)) != Memory::None;
                if self.ghosts() && pairs.iter().any(own) {
                    pairs.retain(own);
                }
                let reached = |to: usize| {
                    pairs
                        .iter()
                        .filter(|from| **from != to && view.leads_to(theirs(**from), theirs(to)))
                        .count()
                };
                let mut best = pairs[0];
                let mut most = reached(best);
                for i in &pairs[1..] {
                    let n = reached(*i);
                    if n > most {
                        (best, most) = (*i, n);
                    }
                }
                self.view(side).claims.insert(s, best);
            }
        }
    }

    fn run(&mut self) -> Result<(), Refusal> {
        // The contents of variables name memory as much as variables without an address do.
        let is_variable = |p: &Pair, this: &Self| {
            let object = p.left.as_sym().and_then(|s| this.left.state.objects.get(&s));
            object.is_some_and(|o| o.kind != ObjectKind::Heap)
        };
        while let Some(at) = self.todo.iter().position(|i| is_variable(&self.list[*i], self)) {
            let Some(index) = self.todo.remove(at) else { break };
            self.with_images(|j| j.memory_of(index))?;
        }
        self.settle_claims(0);
        self.named = self.list.len();
        loop {
            let Some(index) = self.next_pair() else {
                if !self.symbolic.is_empty() {
                    self.symbolic_places();
                } else if !self.with_images(Joiner::segments_by_end) {
                    break;
                }
                continue;
            };
            self.left.refuel();
            self.right.refuel();
            let through = matches!(self.guidance, Guidance::Through | Guidance::Last);
            let ghosts = self.ghosts();
            let known = self.list.len();
            let pins = Pins {
                except: index,
                before: if through { self.named } else { known },
                open: if ghosts { self.open.clone() } else { Vec::new() },
            };
            self.left.pins.clone_from(&pins);
            self.right.pins = pins;
            match self.with_images(|j| j.memory_of(index)) {
                // The links of an element of a skip list may lead to the same place, or one behind the other.
                Ok(()) if self.preds.has_levels() && self.list.len() > known + 1 => self.settle_claims(known),
                Ok(()) => {}
                Err(Refusal::Shapes(..)) if self.options.bold && self.hand_over(index) => {}
                // Its memory may turn out to be part of what another pair leads to.
                Err(Refusal::Shapes(..))
                    if (ghosts || self.may_wait(index)) && !self.waited.contains(&index) =>
                {
                    self.waited.push(index);
                    self.todo.push_back(index);
                }
                Err(refusal) => return Err(refusal),
            }
        }
        if self.refused {
            return Err(Refusal::Steps);
        }
        for index in &self.open {
            let Pair { left, right, out } = self.list[*index];
            if self.out.summary_at(out, self.preds).is_none() {
                return Err(Refusal::Shapes(left, right));
            }
        }
        self.out.forget_ghosts(self.preds);
        for (index, k) in &self.blurred {
            let s = &self.out.summaries[*index];
            if s.end.as_ref().and_then(|(_, args)| args.get(*k)).is_some_and(|v| !v.is_undef()) {
                return Err(Refusal::Shapes(s.root, s.root));
            }
        }
        match (self.left.first_leftover(), self.right.first_leftover()) {
            (Some(v), _) => Err(Refusal::Leftover(Side::Left, v)),
            (None, Some(v)) => Err(Refusal::Leftover(Side::Right, v)),
            (None, None) => Ok(()),
        }
    }

    /// Objects come before summaries: what their cells hold says more than parameters of structures.
    fn next_pair(&mut self) -> Option<usize> {
        if !self.options.bold {
            return self.todo.pop_front();
        }
        let is_object = |view: &View<'_>, v: Val| matches!(memory_at(view, v), Memory::Object(_));
        let objects = |i: &usize| {
            let Pair { left, right, .. } = self.list[*i];
            is_object(&self.left, left) && is_object(&self.right, right)
        };
        let at = self.todo.iter().position(objects).unwrap_or(0);
        self.todo.remove(at)
    }

    /// A pair whose memory is on one side only, because another pair has that of the other side, and for which there is no
    /// way: gives its claim to a pair with the same address that there is a way for. So it is where a cursor is at the
    /// first element on one side and further on on the other; the cell that leads back from the cursor is looked at before the one
    /// that leads to the first element. Whether there is such a pair; it has a way, so it does not give the claim back.
    fn hand_over(&mut self, index: usize) -> bool {
        for side in [Side::Left, Side::Right] {
            let value = |p: &Pair, of: Side| if of == Side::Left { p.left } else { p.right };
            let owner = |v: Val, of: Side| v.as_sym().and_then(|s| self.claims(of).get(&s)).copied();
            let mine = value(&self.list[index], side);
            let Some(sym) = mine.as_sym().filter(|_| owner(mine, side) == Some(index)) else { continue };
            let view = if side == Side::Left { &self.left } else { &self.right };
            let leads = |to: Val| match memory_at(view, mine) {
                Memory::Object(_) => view.leads_to(mine, to),
                Memory::Summary(i) => view.state.summaries[i].end.as_ref().is_some_and(|(end, _)| *end == to),
                Memory::None => false,
            };
            let fits = |k: usize| {
                let other = owner(value(&self.list[k], side.other()), side.other()).filter(|o| *o != k);
                other.is_some_and(|o| leads(value(&self.list[o], side)))
            };
            let same = |k: usize| k != index && k >= self.named && value(&self.list[k], side) == mine;
            if fits(index) {
                continue;
            }
            if let Some(next) = (0..self.list.len()).find(|k| same(*k) && fits(*k)) {
                self.view(side).claims.insert(sym, next);
                self.open.retain(|k| *k != next);
                self.todo.retain(|k| *k != next);
                self.todo.extend([next, index]);
                return true;
            }
        }
        false
    }

    /// Whether a pair is an object on one side and on the other an address whose memory another pair has.
    fn may_wait(&self, index: usize) -> bool {
        let Pair { left, right, .. } = self.list[index];
        let elsewhere = |side: Side, v: Val| {
            let owner = v.as_sym().and_then(|s| self.claims(side).get(&s));
            owner.is_some_and(|i| *i != index)
        };
        elsewhere(Side::Left, left) != elsewhere(Side::Right, right)
    }

    /// Memory that a name leads to on both sides, and no longer in the result: cells that lead to it on different
    /// ways have met cells that do not.
    fn lost_way(&self) -> Option<(Val, Val)> {
        // A variable that leads to memory on both sides must do so in the result; a pointer that moves within an
        // object does.
        let moves = |i: usize| self.moving.iter().any(|(k, _)| *k == i);
        for (_, p) in self.list.iter().enumerate().take(self.named).filter(|(i, _)| !moves(*i)) {
            let (Some(out), Some(l), Some(r)) = (p.out.as_sym(), p.left.as_sym(), p.right.as_sym()) else {
                continue;
            };
            if self.left.state.owns_memory(l)
                && self.right.state.owns_memory(r)
                && !self.out.owns_memory(out)
                && self.out.summary_at(Val::sym(out), self.preds).is_none()
            {
                return Some((p.left, p.right));
            }
        }
        // Nor must an element forget its neighbour which is met later: the first one of a list with a head that knows both
        // ends is a list of its own otherwise.
        let met = |(side, s): &&(Side, Sym)| self.claims(*side).contains_key(s);
        if let Some((side, s)) = self.forgotten.iter().find(met).filter(|_| !self.options.bold) {
            let there = self.partner(*side, Val::sym(*s)).unwrap_or(Val::UNDEF);
            return Some((Val::sym(*s), there));
        }
        // A link that is null on one side must not lead nowhere because what it leads to has met something else.
        let linked = |state: &State, v: Val| v.as_sym().is_some_and(|s| state.owns_memory(s));
        let null = |v: Val| v == Val::ZERO;
        for p in self.list.iter().skip(self.named) {
            let lost = p.out.as_sym().is_some_and(|s| !self.out.owns_memory(s));
            let one = null(p.left) && linked(self.right.state, p.right)
                || null(p.right) && linked(self.left.state, p.left);
            if lost && one && self.out.summary_at(p.out, self.preds).is_none() {
                return Some((p.left, p.right));
            }
        }
        for v in self.out.roots.values() {
            let Some(start) = v.as_sym() else { continue };
            let Some(from) = self.list.iter().find(|p| p.out.as_sym() == Some(start)) else { continue };
            let (Some(l), Some(r)) = (from.left.as_sym(), from.right.as_sym()) else { continue };
            let reached_from = |state: &State, s: Sym| state.reach([s], Walk::Symbols).distance;
            let mut reached = reached_from(&self.out, start);
            for _ in 0..self.moving.len() {
                let through = self
                    .moving
                    .iter()
                    .filter(|(i, _)| self.list[*i].out.as_sym().is_some_and(|s| reached.contains_key(&s)));
                let mut objects = through.filter_map(|(_, object)| object.as_sym());
                let Some(next) = objects.find(|o| !reached.contains_key(o)) else { break };
                reached.extend(reached_from(&self.out, next));
            }
            let mut left = None;
            let mut right = None;
            for p in &self.list {
                let (Some(out), Some(x), Some(y)) = (p.out.as_sym(), p.left.as_sym(), p.right.as_sym())
                else {
                    continue;
                };
                if reached.contains_key(&out) || !self.out.objects.contains_key(&out) {
                    continue;
                }
                if left.get_or_insert_with(|| reached_from(self.left.state, l)).contains_key(&x)
                    && right.get_or_insert_with(|| reached_from(self.right.state, r)).contains_key(&y)
                {
                    return Some((p.left, p.right));
                }
            }
        }
        None
    }

    /// Decides the memory of a pair.
    fn memory_of(&mut self, index: usize) -> Result<(), Refusal> {
        let Pair { left: l, right: r, out } = self.list[index];
        let owner = |claims: &FxHashMap<Sym, usize>, v: Val| v.as_sym().and_then(|s| claims.get(&s).copied());
        let other_left = owner(&self.left.claims, l).filter(|i| *i != index);
        let other_right = owner(&self.right.claims, r).filter(|i| *i != index);
        let lm = if other_left.is_some() { Memory::None } else { memory_at(&self.left, l) };
        let rm = if other_right.is_some() { Memory::None } else { memory_at(&self.right, r) };
        if let (Some(x), Some(y)) = (l.as_sym(), r.as_sym())
            && let (Some(dx), Some(_)) = (self.left.state.dead.get(&x), self.right.state.dead.get(&y))
            && let Some(o) = out.as_sym()
        {
            self.out.dead.insert(o, *dx);
        }
        match (lm, rm) {
            // Two addresses whose memory other pairs have: what they have in common must turn out to be the last
            // element of a segment, or the first one by another name, else it cannot be said.
            (Memory::None, Memory::None) if other_left.is_some() && other_right.is_some() => {
                let has = |state: &State, v: Val| v.as_sym().is_some_and(|s| state.owns_memory(s));
                let twin = |state: &State, v: Val| state.summary_with_twin(v, self.preds).is_some();
                let twin = twin(self.left.state, l) || twin(self.right.state, r);
                if has(self.left.state, l) && has(self.right.state, r) {
                    let bold = self.options.bold && index >= self.named;
                    if self.guidance != Guidance::Last && !bold && !twin {
                        return Err(Refusal::Shapes(l, r));
                    }
                    self.open.push(index);
                }
                Ok(())
            }
            (Memory::None, Memory::None) => Ok(()),
            (Memory::Object(x), Memory::Object(y)) => {
                if matches!(self.guidance, Guidance::Named | Guidance::Through)
                    && self.segment_to_named(index)
                {
                    return Ok(());
                }
                self.objects(x, y, out)
            }
            (Memory::Summary(i), Memory::Summary(k)) => {
                let (s, t) = (&self.left.state.summaries[i], &self.right.state.summaries[k]);
                let common = self.preds.common(s.pred, t.pred).filter(|c| {
                    !self.options.keep_numbers || *c == t.pred || self.preds.counts_as(s.pred, *c, true)
                });
                if let Some(taken) = self.longer_segment(index, [i, k]) {
                    taken
                } else if let Some(pred) = common.filter(|_| s.end.is_some() == t.end.is_some()) {
                    self.left.use_summary(i);
                    self.right.use_summary(k);
                    self.summaries(pred, s, t, out)
                } else if t.end.is_none() {
                    self.absorb_whole(Side::Right, k, l, out)
                        .or_else(|refusal| self.absorb_up_to(Side::Right, k, l, false, out).ok_or(refusal))
                        .or_else(|refusal| match s.end {
                            None if self.preds.has_levels() => self.absorb_whole(Side::Left, i, r, out),
                            _ => Err(refusal),
                        })
                } else if s.end.is_none() {
                    self.absorb_whole(Side::Left, i, r, out)
                        .or_else(|refusal| self.absorb_up_to(Side::Left, i, r, false, out).ok_or(refusal))
                } else {
                    Err(Refusal::Shapes(l, r))
                }
            }
            (Memory::Summary(i), _) => self
                .absorb(Side::Left, i, index, other_right)
                .or_else(|refusal| self.beyond_segment(Side::Left, i, index, other_right).ok_or(refusal)),
            (_, Memory::Summary(k)) => self
                .absorb(Side::Right, k, index, other_left)
                .or_else(|refusal| self.beyond_segment(Side::Right, k, index, other_left).ok_or(refusal)),
            (Memory::Object(_), Memory::None) => self
                .introduce(Side::Left, index, other_right)
                .or_else(|refusal| self.expect_last(Side::Left, index).ok_or(refusal)),
            (Memory::None, Memory::Object(_)) => self
                .introduce(Side::Right, index, other_left)
                .or_else(|refusal| self.expect_last(Side::Right, index).ok_or(refusal)),
        }
    }

    /// The bounds of an argument that was chosen, from one direction alone: some value satisfies all of them.
    fn bounds_of(&self, chosen: &Chosen) -> Vec<(Val, Val)> {
        let Chosen { side, value, out, low } = *chosen;
        let pure = &if side == Side::Left { self.left.state } else { self.right.state }.pure;
        let range = pure.range(value);
        let limit = if low { range.lo } else { range.hi }.map(Val::int);
        let mut found: Vec<Val> = limit.into_iter().collect();
        for p in &self.list {
            let mine = if side == Side::Left { p.left } else { p.right };
            let known =
                if low { pure.knows_le(mine, value, false) } else { pure.knows_le(value, mine, false) };
            if known && mine.as_sym().is_some() {
                found.push(p.out);
            }
        }
        found.into_iter().map(|v| if low { (v, out) } else { (out, v) }).collect()
    }

    /// Keeps the disequalities and bounds that hold on both sides; whether they can hold.
    fn join_pure(&mut self) -> bool {
        let mut by_left: FxHashMap<Base, Vec<usize>> = FxHashMap::default();
        let mut by_right: FxHashMap<Base, Vec<usize>> = FxHashMap::default();
        for (i, p) in self.list.iter().enumerate() {
            by_left.entry(p.left.base).or_default().push(i);
            by_right.entry(p.right.base).or_default().push(i);
        }
        let (left, right) = (self.left.state, self.right.state);
        let preds = self.preds;
        let mut learn: Vec<(Val, Val, bool)> = Vec::new();
        let facts = [(left, &by_left, Side::Left), (right, &by_right, Side::Right)];
        for (state, index, side) in facts {
            let relate = |v: Val| -> Vec<(Val, Val)> {
                let mut found = Vec::new();
                if v.base == Base::Zero {
                    found.push((v, v));
                }
                for i in index.get(&v.base).into_iter().flatten() {
                    let p = &self.list[*i];
                    let (mine, theirs) =
                        if side == Side::Left { (p.left, p.right) } else { (p.right, p.left) };
                    let shift = v.off - mine.off;
                    // All numbers have one base: only the number itself is related.
                    if v.base == Base::Zero && shift != 0 {
                        continue;
                    }
                    found.push((theirs.plus(shift), p.out.plus(shift)));
                }
                found
            };
            let other = if side == Side::Left { right } else { left };
            // That a pointer into an object is not a small number follows from where it points.
            let moving = |v: Val| self.moving.iter().any(|(i, _)| self.list[*i].out.base == v.base);
            for (a, b) in state.pure.disequalities() {
                for (ta, oa) in relate(a) {
                    for (tb, ob) in relate(b) {
                        if ob.base == Base::Zero && moving(oa) {
                            continue;
                        }
                        if other.compare(ta, tb, Some(preds)) == Some(false) {
                            learn.push((oa, ob, true));
                        }
                    }
                }
            }
            // A bound of the new side alone may be one of an endless row of ever weaker ones.
            let endless = |b: Val| self.options.widen.is_some() && side == Side::Right && b.off.abs() > 1;
            for (a, b) in state.pure.orderings().filter(|(_, b)| !endless(*b)) {
                for (ta, oa) in relate(a) {
                    for (tb, ob) in relate(b) {
                        if oa != ob && other.pure.knows_le(ta, tb, false) {
                            learn.push((oa, ob, false));
                        }
                    }
                }
            }
        }
        for p in &self.list {
            let has_object = p.out.as_sym().is_some_and(|s| self.out.objects.contains_key(&s))
                || self.moving.iter().any(|(i, _)| self.list[*i].out == p.out);
            if !has_object
                && left.compare(p.left, Val::ZERO, Some(preds)) == Some(false)
                && right.compare(p.right, Val::ZERO, Some(preds)) == Some(false)
            {
                learn.push((p.out, Val::ZERO, true));
            }
        }
        // Structures that are not empty on either side.
        for s in &self.out.summaries {
            let of = |v: Val| {
                let pair = self.list.iter().find(|p| p.out.base == v.base);
                pair.map(|p| {
                    let shift = v.off - p.out.off;
                    (p.left.plus(shift), p.right.plus(shift))
                })
                .or_else(|| v.as_int().map(|_| (v, v)))
            };
            for end in s.ends(preds) {
                if let (Some((a, b)), Some((c, d))) = (of(s.root), of(end))
                    && left.compare(a, c, Some(preds)) == Some(false)
                    && right.compare(b, d, Some(preds)) == Some(false)
                {
                    learn.push((s.root, end, true));
                }
            }
        }
        learn.extend(self.chosen.iter().flat_map(|c| self.bounds_of(c)).map(|(a, b)| (a, b, false)));
        learn.extend(self.moved_bounds().into_iter().map(|(a, b)| (a, b, false)));
        // Facts of both sides cannot contradict each other, unless each of the two contradicts itself unseen.
        // Orders first: they make many disequalities redundant.
        let pure = &mut self.out.pure;
        let (unequal, ordered): (Vec<_>, Vec<_>) = learn.into_iter().partition(|(.., distinct)| *distinct);
        ordered.into_iter().all(|(a, b, _)| pure.assume_le(a, b, false))
            && unequal.into_iter().all(|(a, b, _)| pure.knows_ne(a, b) || pure.assume_ne(a, b))
    }
}
