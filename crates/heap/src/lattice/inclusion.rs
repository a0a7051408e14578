//! Inclusion of one disjunct in another (Li et al. 2017, §3.4; survey §4.4.4).
//!
//! Every symbol of the general state is mapped to a value of the special one, starting from the roots. Objects must
//! meet objects; a summary of the general state consumes memory of the special one through the matching engine.
//! Inclusion holds if all memory of both is accounted for and the facts of the general state follow. Sound and
//! incomplete: a positive answer is always right.

use crate::matching::{End, Mismatch, Piece, View};
use crate::numbers::linear::Linear;
use crate::object::{Cell, Content, Fill};
use crate::pred::PredTable;
use crate::state::{PointsTo, Root, State, Summary};
use crate::value::{Base, Sym, Val};
use heapwise_numeric::{Dim, Interval};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Why inclusion was not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotIncluded {
    /// The special state says less about a variable.
    Root(Root),
    /// A value is not the one required.
    Value(Val, Val),
    /// The object required at that symbol of the general state is not there, or its contents differ.
    Object(Sym),
    /// The summary with that index of the general state found no memory that satisfies it.
    /// If it was looked for, the reason is why it does not match.
    Summary(usize, Option<Mismatch>),
    /// Memory of the special state that the general one does not have; its address.
    Leftover(Val),
    /// Nothing leads to that object of the general state.
    Unreached(Sym),
    /// A numeric fact of the general state does not follow.
    Fact(Claim),
}

/// A numeric fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The value lies in the interval.
    In(Val, Interval),
    /// The two differ.
    Ne(Val, Val),
    /// The first is at most the second.
    Le(Val, Val),
    /// The value is a certain sum.
    Defined(Val),
    /// The symbol leads to one of some places.
    PointsTo(Sym),
    /// What a chosen numeric domain says.
    Refined,
}

/// Segments that are followed to where a cursor stands if they are empty.
const MOST_STEPS: u32 = 8;

/// Bound on the choices of where a segment of the general state ends.
const CHOICES: u32 = 24;

#[derive(Clone)]
struct Inclusion<'a> {
    special: View<'a>,
    general: &'a State,
    preds: &'a PredTable,
    map: BTreeMap<Sym, Val>,
    todo: VecDeque<Sym>,
    choices: u32,
    /// What summaries of the general state have consumed, by the regions of these: a part of the trail of the special state.
    taken: Vec<(Sym, std::ops::Range<usize>)>,
    /// Whether the special state may have memory that the general one does not describe.
    frame: bool,
}

/// Shows that every memory of `special` is one of `general`, or says what is in the way.
pub fn included(special: &State, general: &State, preds: &PredTable) -> Result<(), NotIncluded> {
    compare(special, general, preds, false)
}

/// Whether [`included`] holds; cheaper where the answer is no because the states are of different size.
pub fn is_included(special: &State, general: &State, preds: &PredTable) -> bool {
    may_be_included(special, general, [special.heap_blocks(), general.heap_blocks()])
        && included(special, general, preds).is_ok()
}

/// What [`included`] needs and can be seen at once: sizes, and variables that are constant. `blocks` are the numbers of blocks of the
/// heap in the two, which whoever compares a state with many counts once.
pub fn may_be_included(special: &State, general: &State, blocks: [usize; 2]) -> bool {
    if general.summaries.is_empty() && blocks[0] != blocks[1] {
        return false;
    }
    // Every object of the general state is one of the special state, and without summaries nothing takes in the others.
    if general.objects.len() > special.objects.len()
        || general.summaries.is_empty() && !special.summaries.is_empty()
    {
        return false;
    }
    // The roots are most often the same ones, in the same order.
    let mut others = special.roots.iter();
    for (root, g) in &general.roots {
        let s = match others.next() {
            Some((other, s)) if other == root => Some(s),
            _ => special.roots.get(root),
        };
        let s = s.copied().unwrap_or(Val::UNDEF);
        let agrees = match (g.base, s.base) {
            (Base::Undef, _) => true,
            (Base::Sym(_), _) => !s.is_undef(),
            // A symbol may be defined as a number.
            (_, Base::Sym(_)) => special.pure.is_defined(s),
            _ => *g == s,
        };
        if !agrees {
            return false;
        }
    }
    true
}

/// The same as [`included`], but memory that the general state does not describe is left aside.
pub fn included_part(special: &State, general: &State, preds: &PredTable) -> Result<(), NotIncluded> {
    compare(special, general, preds, true)
}

/// Part of a state that another one describes.
#[derive(Clone, Debug)]
pub struct Matched {
    /// The special state without the memory that was described.
    pub frame: State,
    map: BTreeMap<Sym, Val>,
}

impl Matched {
    /// What a value of the general state is in the special one, if anything determines it.
    pub fn value(&self, general: Val) -> Option<Val> {
        match general.base {
            Base::Sym(s) => self.map.get(&s).map(|m| m.plus(general.off)),
            _ => Some(general),
        }
    }
}

/// The same as [`included_part`], and what is left.
pub fn matched_part(special: &State, general: &State, preds: &PredTable) -> Result<Matched, NotIncluded> {
    let inclusion = shown(special, general, preds, true)?;
    let mut frame = special.clone();
    let used = special.objects.keys().copied().filter(|s| inclusion.special.is_used(*s));
    for s in used.collect::<Vec<_>>() {
        frame.objects.remove(&s);
        // What was an address is none of nothing, whatever became of its memory.
        frame.note_ne(Val::sym(s), Val::ZERO);
    }
    let mut index = 0;
    frame.summaries.retain(|_| {
        index += 1;
        !inclusion.special.is_summary_used(index - 1)
    });
    Ok(Matched { frame, map: inclusion.map })
}

fn compare(special: &State, general: &State, preds: &PredTable, frame: bool) -> Result<(), NotIncluded> {
    shown(special, general, preds, frame).map(|_| ())
}

fn shown<'a>(
    special: &'a State,
    general: &'a State,
    preds: &'a PredTable,
    frame: bool,
) -> Result<Inclusion<'a>, NotIncluded> {
    let mut inclusion = Inclusion {
        special: View::new(special, preds),
        general,
        preds,
        map: BTreeMap::new(),
        todo: VecDeque::new(),
        choices: CHOICES,
        taken: Vec::new(),
        frame,
    };
    for (root, g) in &general.roots {
        let s = special.roots.get(root).copied().unwrap_or(Val::UNDEF);
        inclusion.value(*g, s).map_err(|_| NotIncluded::Root(*root))?;
    }
    let pending = (0..general.summaries.len()).collect();
    inclusion.memory(pending)?;
    Ok(inclusion)
}

/// What the symbols of the general state stand for, as linear forms over the special one.
type Forms = BTreeMap<Sym, Linear>;

impl Inclusion<'_> {
    fn equal(&self, a: Val, b: Val) -> bool {
        self.special.state.knows_eq(a, b)
    }

    fn value(&mut self, general: Val, special: Val) -> Result<(), NotIncluded> {
        if general.is_undef() {
            return Ok(());
        }
        let wrong = Err(NotIncluded::Value(general, special));
        if special.is_undef() {
            return wrong;
        }
        match general.base {
            Base::Sym(s) => {
                let by = special.plus(-general.off);
                match self.map.get(&s) {
                    Some(old) if self.equal(*old, by) => Ok(()),
                    Some(_) => wrong,
                    None => {
                        self.map.insert(s, by);
                        self.todo.push_back(s);
                        Ok(())
                    }
                }
            }
            _ if self.equal(general, special) => Ok(()),
            _ => wrong,
        }
    }

    fn mapped(&self, v: Val) -> Option<Val> {
        match v.base {
            Base::Sym(s) => self.map.get(&s).map(|m| m.plus(v.off)),
            _ => Some(v),
        }
    }

    fn memory(&mut self, mut pending: BTreeSet<usize>) -> Result<(), NotIncluded> {
        loop {
            while let Some(s) = self.todo.pop_front() {
                self.object(s)?;
            }
            // A summary whose root, and if possible whose end, is mapped. Whole ones and those with a known end
            // first: an unknown end is a choice.
            let ready = |all: &BTreeSet<usize>, this: &Self, with_end: bool| {
                all.iter().copied().find(|i| {
                    let s = &this.general.summaries[*i];
                    this.mapped(s.root).is_some()
                        && (!with_end || s.end.as_ref().is_none_or(|(e, _)| this.mapped(*e).is_some()))
                })
            };
            if let Some(i) = ready(&pending, self, true) {
                pending.remove(&i);
                self.summary(i)?;
            } else if let Some(i) = ready(&pending, self, false) {
                pending.remove(&i);
                return self.choose_end(i, &pending);
            } else {
                break;
            }
        }
        // A segment of which only the end is known may start anywhere; other summaries that nothing reaches must be
        // possibly empty without the special state's help.
        let ends_here = |i: &&usize| {
            let end = &self.general.summaries[**i].end;
            end.as_ref().is_some_and(|(e, _)| e.as_sym().is_some() && self.mapped(*e).is_some())
        };
        if let Some(i) = pending.iter().find(ends_here).copied() {
            pending.remove(&i);
            return self.choose_start(i, &pending);
        }
        if let Some(i) = pending.first() {
            return Err(NotIncluded::Summary(*i, None));
        }
        // An object that no root leads to was compared with nothing.
        if let Some(s) = self.general.objects.keys().find(|s| !self.map.contains_key(s)) {
            return Err(NotIncluded::Unreached(*s));
        }
        if !self.frame
            && let Some(v) = self.special.first_leftover()
        {
            return Err(NotIncluded::Leftover(v));
        }
        self.places()?;
        self.facts()
    }

    /// Continues with each possible end of the segment with that index, the farthest first, until one works.
    fn choose_end(&mut self, index: usize, pending: &BTreeSet<usize>) -> Result<(), NotIncluded> {
        let s = &self.general.summaries[index];
        let mut reason = NotIncluded::Summary(index, None);
        let (Some(root), Some((end, _))) = (self.mapped(s.root), &s.end) else { return Err(reason) };
        let mut all = vec![root];
        let mut at = root;
        while let [next] = self.special.step(s.pred, at).as_slice() {
            if all.contains(next) || all.len() > 64 {
                break;
            }
            at = *next;
            all.push(at);
        }
        if end.as_sym().is_some_and(|e| self.general.objects.contains_key(&e)) {
            let objects = &self.special.state.objects;
            all.retain(|v| v.as_sym().is_some_and(|e| v.off == end.off && objects.contains_key(&e)));
        }
        for target in all.into_iter().rev() {
            let Some(choices) = self.choices.checked_sub(1) else { break };
            self.choices = choices;
            let mut trial = self.clone();
            let attempt = trial.segment(index, target).and_then(|()| trial.memory(pending.clone()));
            self.choices = trial.choices;
            match attempt {
                Ok(()) => {
                    *self = trial;
                    return Ok(());
                }
                Err(why) => reason = why,
            }
        }
        Err(reason)
    }

    /// Continues with each possible start of the segment with that index, whose end is known, until one works: segments and
    /// objects that are left, and at last the end itself.
    fn choose_start(&mut self, index: usize, pending: &BTreeSet<usize>) -> Result<(), NotIncluded> {
        let s = &self.general.summaries[index];
        let mut reason = NotIncluded::Summary(index, None);
        let Some(target) = s.end.as_ref().and_then(|(e, _)| self.mapped(*e)) else { return Err(reason) };
        let (objects, summaries) = self.special.leftover();
        let state = self.special.state;
        let fits = |o: &Sym| state.objects.get(o).is_some_and(|o| self.preds.get(s.pred).fits(o));
        let segments = summaries.iter().filter_map(|i| state.summaries.get(*i)).filter(|t| t.end.is_some());
        let mut starts: Vec<Val> = segments.map(|t| t.root).collect();
        starts.extend(objects.iter().filter(|o| fits(o)).map(|o| Val::sym(*o)));
        starts.push(target);
        for start in starts {
            let Some(choices) = self.choices.checked_sub(1) else { break };
            self.choices = choices;
            let mut trial = self.clone();
            let attempt = trial
                .value(s.root, start)
                .and_then(|()| trial.segment(index, target))
                .and_then(|()| trial.memory(pending.clone()));
            self.choices = trial.choices;
            match attempt {
                Ok(()) => {
                    *self = trial;
                    return Ok(());
                }
                Err(why) => reason = why,
            }
        }
        Err(reason)
    }

    /// A pointer that moves leads to the object that it moves in. Which one that is on the other side is a guess; that the
    /// distance is right is seen with the other definitions.
    fn object_behind(&mut self, s: Sym) -> Result<(), NotIncluded> {
        let behind = self.general.pointer(Val::sym(s)).map(|(base, _)| base).filter(|base| *base != s);
        let Some(base) = behind.filter(|b| self.general.objects.contains_key(b) && !self.map.contains_key(b))
        else {
            return Ok(());
        };
        let there = self.map.get(&s).and_then(|v| self.special.state.pointer(*v)).map(|(base, _)| base);
        match there.filter(|t| self.special.state.objects.contains_key(t)) {
            Some(there) => self.value(Val::sym(base), Val::sym(there)),
            None => Ok(()),
        }
    }

    fn object(&mut self, s: Sym) -> Result<(), NotIncluded> {
        let Some(general) = self.general.objects.get(&s) else { return self.object_behind(s) };
        let wrong = Err(NotIncluded::Object(s));
        let Some(at) = self.map.get(&s).filter(|v| v.off == 0).and_then(|v| v.as_sym()) else { return wrong };
        let state = self.special.state;
        let Some(special) = state.objects.get(&at).filter(|_| !self.special.is_used(at)) else {
            return wrong;
        };
        if special.kind != general.kind {
            return wrong;
        }
        self.special.use_object(at);
        self.value(general.size, special.size)?;
        for (off, cell) in general.cells() {
            match special.read(off, cell.width) {
                Content::Val(v) => self.value(cell.val, v)?,
                // An unknown value fits a symbol about which nothing else is said.
                Content::Unknown => match cell.val.as_sym() {
                    Some(x) if !self.map.contains_key(&x) && self.mentions(x) == 1 => {}
                    _ => return wrong,
                },
                Content::Uninit => return wrong,
            }
        }
        let limit = general.const_size().unwrap_or(u64::MAX);
        for (lo, hi, fill) in general.fills(0, limit) {
            let covered = |a: u64, b: u64| -> bool {
                // Bytes under cells of the general state were compared above.
                let mut at = a;
                for (off, cell) in general.cells() {
                    if off <= at && at < off + cell.width {
                        at = off + cell.width;
                    }
                }
                at >= b
            };
            match fill {
                Fill::Uninit => {}
                Fill::Unknown | Fill::Zero => {
                    for (a, b, f) in special.fills(lo, hi) {
                        if f > fill && !covered(a, b) && !self.initialised(special, general, a, b, fill) {
                            return wrong;
                        }
                    }
                    if fill == Fill::Zero {
                        for (off, cell) in special.cells().filter(|(o, c)| *o < hi && o + c.width > lo) {
                            let zero = cell.val == Val::ZERO;
                            if !zero && !covered(off.max(lo), (off + cell.width).min(hi)) {
                                return wrong;
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether every byte of `[lo, hi)` that the general state has no cell for is at least as known as `fill`.
    fn initialised(
        &self,
        special: &crate::object::Object,
        general: &crate::object::Object,
        lo: u64,
        hi: u64,
        fill: Fill,
    ) -> bool {
        if hi - lo > 4096 {
            return false;
        }
        (lo..hi).all(|at| {
            let in_general = general.cells().any(|(o, c)| o <= at && at < o + c.width);
            let content = special.read(at, 1);
            in_general
                || match fill {
                    Fill::Zero => content == Content::Val(Val::ZERO),
                    _ => content != Content::Uninit,
                }
        })
    }

    /// Where symbols of the general state may lead, their values do.
    fn places(&self) -> Result<(), NotIncluded> {
        for (s, general) in &self.general.points_to {
            if !self.map.get(s).is_some_and(|v| self.leads_within(*v, general, MOST_STEPS)) {
                return Err(NotIncluded::Fact(Claim::PointsTo(*s)));
            }
        }
        Ok(())
    }

    /// Whether a value of the special state leads to one of some places of the general one.
    fn leads_within(&self, v: Val, general: &PointsTo, steps: u32) -> bool {
        let special = self.special.state;
        let inside = |piece: Piece| {
            self.taken.iter().any(|(region, range)| {
                let pieces = self.special.consumed().get(range.clone());
                general.places.contains(region) && pieces.is_some_and(|all| all.contains(&piece))
            })
        };
        let is_place = |place: Sym| {
            let named = |g: &Sym| self.map.get(g) == Some(&Val::sym(place));
            let summary = special.summaries.iter().position(|t| t.region == Some(place));
            general.places.iter().any(named) || inside(summary.map_or(Piece::Object(place), Piece::Summary))
        };
        if v == Val::ZERO {
            return general.null;
        }
        let Some(at) = v.as_sym().filter(|_| v.off == 0 && steps > 0) else { return false };
        if special.objects.contains_key(&at) {
            return is_place(at);
        }
        if let Some(known) = special.points_to(v) {
            return (general.null || !known.null) && known.places.iter().all(|p| is_place(*p));
        }
        // The first element of a structure, or what follows if it has none.
        let Some(index) = special.summaries.iter().position(|t| t.root == v) else { return false };
        let Some(summary) = special.summaries.get(index) else { return false };
        inside(Piece::Summary(index))
            && (special.is_nonempty(summary, self.preds)
                || match summary.ends(self.preds).as_slice() {
                    [end] => {
                        special.compare(v, *end, Some(self.preds)) == Some(false)
                            || self.leads_within(*end, general, steps - 1)
                    }
                    _ => false,
                })
    }

    fn mentions(&self, s: Sym) -> usize {
        let mut count = 0;
        self.general.for_each_val(|v| count += usize::from(v.as_sym() == Some(s)));
        let facts = self.general.pure.intervals().any(|(t, _)| t == s)
            || self.general.pure.disequalities().any(|(a, b)| a.as_sym() == Some(s) || b.as_sym() == Some(s))
            || self.general.pure.orderings().any(|(a, b)| a.as_sym() == Some(s) || b.as_sym() == Some(s))
            || self.general.pure.definitions().any(|(t, d)| t == s || d.mentions(s));
        count + usize::from(facts)
    }

    fn summary(&mut self, index: usize) -> Result<(), NotIncluded> {
        let s = &self.general.summaries[index];
        let wrong = Err(NotIncluded::Summary(index, None));
        let Some(root) = self.mapped(s.root) else { return wrong };
        let mut args = self.mapped_args(s, &s.args);
        self.special.refuel();
        let before = self.special.consumed().len();
        let Some((end, _)) = &s.end else {
            if let Err(why) = self.special.fold(s.pred, root, &mut args, None) {
                return Err(NotIncluded::Summary(index, Some(why)));
            }
            self.taken.extend(s.region.map(|r| (r, before..self.special.consumed().len())));
            return self.learn(&s.args, &args);
        };
        match self.mapped(*end) {
            Some(target) => self.segment(index, target),
            None => wrong,
        }
    }

    /// What is known of arguments of a summary; some value may be any of a parameter that no case speaks of.
    fn mapped_args(&self, s: &Summary, args: &[Val]) -> Vec<Option<Val>> {
        let pred = self.preds.get(s.pred);
        let open = |k: usize, v: Val| v.is_undef() && pred.is_ghost(k);
        args.iter().enumerate().map(|(k, v)| self.mapped(*v).filter(|_| !open(k, *v))).collect()
    }

    /// A segment of the general state consumes what leads from its root to `target`.
    fn segment(&mut self, index: usize, target: Val) -> Result<(), NotIncluded> {
        let s = &self.general.summaries[index];
        let wrong = Err(NotIncluded::Summary(index, None));
        let (Some(root), Some((end, end_args))) = (self.mapped(s.root), &s.end) else { return wrong };
        let mut args = self.mapped_args(s, &s.args);
        let hole_args = self.mapped_args(s, end_args);
        let mut hole = End { root: target, args: hole_args };
        let before = self.special.consumed().len();
        self.special.refuel();
        if let Err(why) = self.special.fold(s.pred, root, &mut args, Some(&mut hole)) {
            return Err(NotIncluded::Summary(index, Some(why)));
        }
        self.taken.extend(s.region.map(|r| (r, before..self.special.consumed().len())));
        self.value(*end, target)?;
        self.learn(&s.args, &args)?;
        self.learn(end_args, &hole.args)
    }

    /// Maps arguments of the general state to what the fold found.
    fn learn(&mut self, general: &[Val], found: &[Option<Val>]) -> Result<(), NotIncluded> {
        for (g, f) in general.iter().zip(found) {
            if let Some(f) = f {
                self.value(*g, *f)?;
            }
        }
        Ok(())
    }

    /// Finds out what symbols that only definitions mention stand for, and checks the other definitions.
    fn definitions(&self, forms: &mut Forms) -> Result<(), NotIncluded> {
        let mut pending: Vec<(Sym, &Linear)> = self.general.pure.definitions().collect();
        loop {
            let before = pending.len();
            let mut open = Vec::new();
            for (s, def) in pending {
                let mut unknown = def.terms().iter().filter(|(t, _)| !forms.contains_key(t));
                let (first, more) = (unknown.next().copied(), unknown.next().is_some());
                if more || first.is_some() && !forms.contains_key(&s) {
                    open.push((s, def));
                    continue;
                }
                let known = || {
                    let mut sum = Linear::constant(def.constant);
                    for (t, k) in def.terms() {
                        if let Some(form) = forms.get(t) {
                            sum = sum.plus(*k, form)?;
                        }
                    }
                    Some(sum)
                };
                let Some(sum) = known() else { return Err(NotIncluded::Fact(Claim::Defined(Val::sym(s)))) };
                match (first, forms.get(&s)) {
                    (None, None) => {
                        forms.insert(s, sum);
                    }
                    (None, Some(form)) if *form == sum => {}
                    (Some((t, k)), Some(form)) => {
                        let Some(form) = form.minus(&sum).and_then(|f| f.divided(k)) else {
                            return Err(NotIncluded::Fact(Claim::Defined(Val::sym(s))));
                        };
                        forms.insert(t, form);
                    }
                    _ => return Err(NotIncluded::Fact(Claim::Defined(Val::sym(s)))),
                }
            }
            pending = open;
            if pending.len() == before {
                break;
            }
        }
        // A definition that speaks of nothing known can be satisfied by choice, but not all of them together.
        match pending.first() {
            None => Ok(()),
            Some((s, _)) => Err(NotIncluded::Fact(Claim::Defined(Val::sym(*s)))),
        }
    }

    /// A value of the general state as a form.
    fn form(forms: &Forms, v: Val) -> Option<Linear> {
        match v.base {
            Base::Sym(s) => forms.get(&s)?.clone().shifted(v.off),
            _ => Linear::of(v),
        }
    }

    /// Checks floating cells and initialised prefixes; offsets that nothing else determines are chosen.
    fn floating(&self, forms: &mut Forms) -> Result<(), NotIncluded> {
        let special = self.special.state;
        for (s, general) in &self.general.objects {
            let Some(object) = self.map.get(s).and_then(|v| v.as_sym()).and_then(|s| special.objects.get(&s))
            else {
                continue;
            };
            let wrong = Err(NotIncluded::Object(*s));
            for cell in general.floating() {
                let same_value =
                    |v: Val, forms: &mut Forms| match (Self::form(forms, cell.val), cell.val.as_sym()) {
                        (Some(form), _) => special.pure.linear(v) == Some(form),
                        (None, Some(x)) => {
                            match special.pure.linear(v).and_then(|f| f.shifted(-cell.val.off)) {
                                Some(form) => {
                                    forms.insert(x, form);
                                    true
                                }
                                None => false,
                            }
                        }
                        (None, None) => cell.val == v,
                    };
                let found = match Self::form(forms, cell.off) {
                    Some(off) => {
                        let there = object.floating().iter().find(|f| {
                            f.width == cell.width && special.pure.linear(f.off).as_ref() == Some(&off)
                        });
                        match (there, off.as_val().and_then(Val::as_int).and_then(|n| u64::try_from(n).ok()))
                        {
                            (Some(f), _) => same_value(f.val, forms),
                            (None, Some(at)) => match object.read(at, cell.width) {
                                Content::Val(v) => same_value(v, forms),
                                _ => false,
                            },
                            (None, None) => false,
                        }
                    }
                    None => {
                        // Symbols of the two states have nothing to do with each other.
                        let number = cell.val.as_int().is_some();
                        let there = object
                            .floating()
                            .iter()
                            .find(|f| number && f.width == cell.width && f.val == cell.val);
                        // A cell with a fixed offset will do as well; the first one, since of several zeros the first ends a text.
                        let fixed = || {
                            let alike = |c: &Cell| number && c.width == cell.width && c.val == cell.val;
                            let (off, _) = object.cells().find(|(_, c)| alike(c))?;
                            Some(Linear::constant(i128::from(off)))
                        };
                        let at = there.and_then(|f| special.pure.linear(f.off)).or_else(fixed);
                        match (at, cell.off.as_sym()) {
                            (Some(form), Some(x)) => match form.shifted(-cell.off.off) {
                                Some(form) => forms.insert(x, form).is_none(),
                                None => false,
                            },
                            _ => false,
                        }
                    }
                };
                if !found {
                    return wrong;
                }
            }
            if let Some(prefix) = general.prefix() {
                let start = Val::int(i128::from(object.initialised_from_start()));
                let there = object.prefix().unwrap_or(start);
                let Some(there) = special.pure.linear(there) else { return wrong };
                match (Self::form(forms, prefix), prefix.as_sym()) {
                    (Some(form), _) => {
                        let enough = |p: &Linear| {
                            p.minus(&form).is_some_and(|room| special.pure.is_not_negative(&room))
                        };
                        if !enough(&there) && !Linear::of(start).is_some_and(|s| enough(&s)) {
                            return wrong;
                        }
                    }
                    (None, Some(x)) => {
                        let Some(form) = there.shifted(-prefix.off) else { return wrong };
                        forms.insert(x, form);
                    }
                    (None, None) => return wrong,
                }
            }
        }
        Ok(())
    }

    fn facts(&self) -> Result<(), NotIncluded> {
        let special = self.special.state;
        let g = &self.general.pure;
        let mut forms = Forms::new();
        let symbolic = g.definitions().next().is_some()
            || self.general.objects.values().any(|o| !o.floating().is_empty() || o.prefix().is_some());
        if symbolic {
            for (s, v) in &self.map {
                forms.extend(special.pure.linear(*v).map(|f| (*s, f)));
            }
            // Offsets may be determined by definitions, and symbols in definitions by offsets.
            let first = self.definitions(&mut forms);
            self.floating(&mut forms)?;
            if first.is_err() {
                self.definitions(&mut forms)?;
            }
        }
        let form = |v: Val| Self::form(&forms, v);
        let range = |s: Sym| match self.map.get(&s) {
            Some(v) => Some(special.pure.range(*v)),
            None => forms.get(&s).map(|f| special.pure.interval(f)),
        };
        // What intervals do not show may follow from what is known of other sums.
        let within = |s: Sym, limit: Interval| {
            let Some(form) = form(Val::sym(s)) else { return false };
            let above = limit.lo.is_none_or(|lo| {
                let room = lo.checked_neg().and_then(|lo| form.clone().shifted(lo));
                room.is_some_and(|f| special.pure.is_not_negative(&f))
            });
            let below = |hi: i128| Linear::constant(hi).minus(&form);
            above && limit.hi.is_none_or(|hi| below(hi).is_some_and(|f| special.pure.is_not_negative(&f)))
        };
        for (s, limit) in g.intervals() {
            if range(s).is_some_and(|r| !r.is_subset(limit)) && !within(s, limit) {
                return Err(NotIncluded::Fact(Claim::In(Val::sym(s), limit)));
            }
        }
        for (a, b) in g.disequalities() {
            let differ = match (self.mapped(a), self.mapped(b)) {
                (Some(x), Some(y)) => special.compare(x, y, Some(self.preds)) == Some(false),
                _ => match (form(a), form(b)) {
                    (Some(x), Some(y)) => x.minus(&y).is_some_and(|f| special.pure.is_nonzero(&f)),
                    _ => continue,
                },
            };
            if !differ {
                return Err(NotIncluded::Fact(Claim::Ne(a, b)));
            }
        }
        for (a, b) in g.orderings() {
            let ordered = match (self.mapped(a), self.mapped(b)) {
                (Some(x), Some(y)) => special.pure.knows_le(x, y, false),
                _ => match (form(a), form(b)) {
                    (Some(x), Some(y)) => y.minus(&x).is_some_and(|f| special.pure.is_not_negative(&f)),
                    _ => continue,
                },
            };
            if !ordered {
                return Err(NotIncluded::Fact(Claim::Le(a, b)));
            }
        }
        self.refinement(&forms)
    }

    /// What a chosen domain says of the symbols of the general state holds of what they stand for.
    fn refinement(&self, forms: &Forms) -> Result<(), NotIncluded> {
        let Some(element) = self.general.pure.refinement() else { return Ok(()) };
        let stands_for = |d: Dim| {
            let s = Sym(d.0);
            let form = self.map.get(&s).and_then(|v| Linear::of(*v)).or_else(|| forms.get(&s).cloned());
            form.map(|form| (s, form))
        };
        let others: Option<Vec<(Sym, Linear)>> = element.dims().into_iter().map(stands_for).collect();
        // A symbol that stands for nothing in particular would have to be chosen.
        let shadow = others.map(|o| self.special.state.pure.shadow(element.domain(), &o, true));
        match shadow.is_some_and(|s| s.leq(element)) {
            true => Ok(()),
            false => Err(NotIncluded::Fact(Claim::Refined)),
        }
    }
}
