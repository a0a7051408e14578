//! Pairs of memory at least one side of which is a summary, or becomes one.
//!
//! Two summaries of a common predicate stay one; a summary absorbs what the other side has in its place, if that matches; an
//! object without a counterpart becomes a whole structure or a segment up to the pair that has the counterpart's memory. All
//! of them ask the matching engine: whatever it refuses is refused here.

use super::{Chosen, Joiner, Pair, Refusal, Side};
use crate::matching::{End, View};
use crate::object::{Content, ObjectKind};
use crate::pred::{PredId, TermBase};
use crate::state::{Args, Root, State, Summary};
use crate::value::{Sym, Val};

/// Most numbers of variables that are tried as bounds.
const MAX_HELD: usize = 8;
/// Most choices of them for all bounds of a predicate.
const MAX_CHOICES: usize = 81;

/// Arguments for an instance of one side, and what the other side is asked for in their place.
#[derive(Clone, PartialEq, Eq)]
struct Expected {
    found: Vec<Option<Val>>,
    mine: Vec<Val>,
}

/// A segment of one side, with its arguments at both ends, that is empty on the other side.
#[derive(Clone, Copy)]
pub(super) struct EmptyThere<'a> {
    pub(super) pred: PredId,
    pub(super) near: &'a [Option<Val>],
    pub(super) far: &'a [Val],
    /// Where it would be on the other side.
    pub(super) at: Val,
}

impl Joiner<'_> {
    pub(super) fn summaries(
        &mut self,
        pred: PredId,
        s: &Summary,
        t: &Summary,
        out: Val,
    ) -> Result<(), Refusal> {
        if self.steps_differ(pred, &s.args, &t.args.iter().copied().map(Some).collect::<Vec<_>>()) {
            return Err(Refusal::Shapes(s.root, t.root));
        }
        let (mine, theirs) = (self.settled(Side::Left, s), self.settled(Side::Right, t));
        let args = self.pair_starts(Side::Left, pred, [s.root, t.root], &mine, &theirs);
        let end = match (&s.end, &t.end) {
            (Some((e, ea)), Some((f, fa))) => {
                let root = self.value(*e, *f);
                let theirs: Vec<Option<Val>> = fa.iter().copied().map(Some).collect();
                Some((root, self.pair_ends(Side::Left, pred, ea, &theirs)))
            }
            _ => None,
        };
        self.out.summaries.push(Summary { pred, root: out, args, end, region: None });
        Ok(())
    }

    /// A value of `side` paired with one of the other side, in the right order.
    pub(super) fn value_of(&mut self, side: Side, v: Val, other: Val) -> Val {
        match side {
            Side::Left => self.value(v, other),
            Side::Right => self.value(other, v),
        }
    }

    /// The value on the other side that `v` is already paired with.
    pub(crate) fn partner(&self, side: Side, v: Val) -> Option<Val> {
        let Some(s) = v.as_sym() else { return Some(v) };
        match side {
            Side::Left => self.left.claims.get(&s).map(|i| {
                let p = &self.list[*i];
                p.right.plus(v.off - p.left.off)
            }),
            Side::Right => self.right.claims.get(&s).map(|i| {
                let p = &self.list[*i];
                p.left.plus(v.off - p.right.off)
            }),
        }
    }

    /// The arguments of a summary, without those that may be any; some value is not any value.
    fn settled(&self, side: Side, s: &Summary) -> Vec<Option<Val>> {
        let state = if side == Side::Left { self.left.state } else { self.right.state };
        let any = |k: usize| state.any_argument(s, k, self.preds);
        s.args.iter().enumerate().map(|(k, v)| (!any(k)).then_some(*v)).collect()
    }

    /// Pairs arguments of `side` with what was found on the other side for structures at these addresses. Ghosts that are left
    /// open may be any value: the one that the other side asks for, if there is a counterpart to it. If there is none, the result
    /// says less than both sides.
    fn pair_starts(
        &mut self,
        side: Side,
        pred: PredId,
        at: [Val; 2],
        mine: &[Option<Val>],
        found: &[Option<Val>],
    ) -> Args {
        let mut args = Args::new();
        for (k, (v, f)) in mine.iter().zip(found).enumerate() {
            if self.preds.get(pred).is_ghost(k) {
                let known = match (*v, *f) {
                    (Some(Val::UNDEF), _) | (_, Some(Val::UNDEF)) | (None, None) => None,
                    (Some(v), Some(f)) => Some(self.ghost(side, v, f)),
                    (Some(v), None) => Some(self.before(side, v, at[1])),
                    (None, Some(f)) => Some(self.before(side.other(), f, at[0])),
                };
                if known.is_some_and(Val::is_undef) {
                    self.blurred.push((self.out.summaries.len(), k));
                }
                args.push(known.unwrap_or(Val::UNDEF));
                continue;
            }
            let theirs = v.and_then(|v| f.or_else(|| self.follower(side, pred, k, v)));
            args.push(match v.zip(theirs).filter(|(_, f)| !f.is_undef()) {
                Some((v, f)) => self.value_of(side, v, f),
                None => self.unrelated(),
            });
        }
        args
    }

    /// The value on the other side that goes with an argument which is free there: what the argument is paired with. A number that
    /// is passed on changed goes along with one that a variable holds.
    fn follower(&self, side: Side, pred: PredId, k: usize, v: Val) -> Option<Val> {
        let p = self.preds.get(pred);
        let moves = !p.shared.arg(k) && !p.monotone.arg(k).is_some();
        let along = v.as_int().filter(|_| moves).and_then(|n| {
            let named = self.list.iter().take(self.named);
            named
                .filter_map(|p| {
                    let (mine, theirs) =
                        if side == Side::Left { (p.left, p.right) } else { (p.right, p.left) };
                    Some(theirs.plus(n.checked_sub(mine.as_int()?)?))
                })
                .find(|theirs| theirs.as_int().is_some())
        });
        along.or_else(|| self.partner(side, v))
    }

    /// Pairs what segments hand on at their ends.
    fn pair_ends(&mut self, side: Side, pred: PredId, mine: &[Val], found: &[Option<Val>]) -> Args {
        let mut args = Args::new();
        for (k, (v, f)) in mine.iter().zip(found).enumerate() {
            if self.preds.get(pred).is_ghost(k) {
                args.push(f.map_or(Val::UNDEF, |f| self.ghost(side, *v, f)));
                continue;
            }
            args.push(match f.or_else(|| self.partner(side, *v)).filter(|f| !f.is_undef()) {
                Some(f) => self.value_of(side, *v, f),
                None => self.unrelated(),
            });
        }
        args
    }

    /// What a fold found for the arguments of a structure with an element: those that are left open may be any if no case
    /// speaks of them, and are unknown otherwise.
    fn found_args(&self, pred: PredId, args: &[Option<Val>]) -> Vec<Option<Val>> {
        let pred = self.preds.get(pred);
        let open = |k: usize| if pred.is_ghost(k) { None } else { Some(Val::UNDEF) };
        args.iter().enumerate().map(|(k, v)| v.or_else(|| open(k))).collect()
    }

    /// Leaves the arguments open that say nothing of a whole structure.
    fn open_ghosts(&self, pred: PredId, args: &mut [Option<Val>]) {
        let pred = self.preds.get(pred);
        args.iter_mut().enumerate().filter(|(k, _)| pred.is_ghost(*k)).for_each(|(_, v)| *v = None);
    }

    /// The same for a whole structure: where the other side holds for any value of a parameter, it does for one that keeps
    /// within all bounds of the value on this side which leave it free in the other direction.
    fn pair_whole(
        &mut self,
        side: Side,
        pred: PredId,
        at: [Val; 2],
        mine: &[Option<Val>],
        found: &[Option<Val>],
    ) -> Args {
        let args = self.pair_starts(side, pred, at, mine, found);
        let p = self.preds.get(pred);
        for (k, out) in args.iter().enumerate().filter(|(k, _)| !p.is_ghost(*k)) {
            let monotone = p.monotone.arg(k);
            let Some(value) = mine.get(k).copied().flatten().filter(|v| v.as_sym().is_some()) else {
                continue;
            };
            let open = found.get(k) == Some(&None) && self.partner(side, value).is_none();
            if open && (monotone.down || monotone.up) {
                self.chosen.push(Chosen { side, value, out: *out, low: monotone.down });
            }
        }
        args
    }

    /// What the other side has for monotone arguments, where that is known: an instance with those says no less than one
    /// with arguments that have to be found. Then numbers that variables hold, where an instance on this side has them as well. At last
    /// nothing.
    fn expected(&self, side: Side, pred: PredId, args: &[Val]) -> Vec<Expected> {
        let p = self.preds.get(pred);
        let loose = |k: usize| p.monotone.arg(k).is_some();
        let known = |(k, v): (usize, &Val)| self.partner(side, *v).filter(|_| loose(k));
        let partners: Vec<Option<Val>> = args.iter().enumerate().map(known).collect();
        let mut all = vec![Expected { found: partners, mine: args.to_vec() }];
        let view = if side == Side::Left { &self.left } else { &self.right };
        for chosen in self.held(side, pred) {
            let admitted = |(k, (mine, _)): &(usize, (Val, Val))| {
                args.get(*k).is_some_and(|v| view.admits(pred, *k, *v, *mine))
            };
            if !chosen.iter().all(admitted) {
                continue;
            }
            let mut own = Expected { found: vec![None; args.len()], mine: args.to_vec() };
            for (k, (mine, theirs)) in chosen {
                own.mine[k] = mine;
                own.found[k] = Some(theirs);
            }
            all.push(own);
        }
        // Where elements bound each other closely, that says more than the widest bounds.
        let at = all.len() - usize::from(all.len() > 1);
        all.insert(at, Expected { found: vec![None; args.len()], mine: args.to_vec() });
        all.dedup();
        all
    }

    /// Choices of numbers that variables hold for the bounds of a predicate that its elements share: with which argument, the
    /// number on this side and that on the other one.
    fn held(&self, side: Side, pred: PredId) -> Vec<Vec<(usize, (Val, Val))>> {
        let p = self.preds.get(pred);
        let bounds = (0..usize::from(p.def.params).saturating_sub(1)).filter(|k| {
            let l = p.monotone.arg(*k);
            p.shared.arg(*k) && (l.down || l.up)
        });
        let bounds: Vec<usize> = bounds.collect();
        if bounds.is_empty() {
            return Vec::new();
        }
        let number =
            |state: &State, v: Val| !v.is_undef() && v.as_sym().is_none_or(|s| !state.owns_memory(s));
        let named = self.list.iter().take(self.named).filter(|p| {
            number(self.left.state, p.left)
                && number(self.right.state, p.right)
                && (p.left.as_sym().is_some() || p.right.as_sym().is_some())
        });
        let mut numbers: Vec<(Val, Val)> = named
            .map(|p| if side == Side::Left { (p.left, p.right) } else { (p.right, p.left) })
            .take(MAX_HELD)
            .collect();
        // Constants are no pairs.
        for (root, l) in self.left.state.roots.iter().filter(|(r, _)| matches!(r, Root::Local(_))) {
            let same = self.right.state.roots.get(root) == Some(l) && l.as_int().is_some();
            if same && numbers.len() < MAX_HELD && !numbers.contains(&(*l, *l)) {
                numbers.push((*l, *l));
            }
        }
        let mut all: Vec<Vec<(usize, (Val, Val))>> = vec![Vec::new()];
        for k in bounds {
            // The widest bound says nothing, and holds of any numbers.
            let widest = p.neutral.arg(k).map(|n| (Val::int(n), Val::int(n)));
            let longer = |chosen: &Vec<(usize, (Val, Val))>| {
                let with = |n: &(Val, Val)| chosen.iter().copied().chain([(k, *n)]).collect();
                numbers.iter().chain(&widest).map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.truncate(MAX_CHOICES);
        let widest = |c: &(usize, (Val, Val))| p.neutral.arg(c.0).map(Val::int) == Some(c.1.0);
        all.sort_by_key(|chosen| chosen.iter().all(widest));
        all
    }

    /// Arguments that instances of a predicate have on a side and pass on unchanged, where they are monotone; at last none.
    fn usual(&mut self, side: Side, pred: PredId) -> Vec<Vec<Option<Val>>> {
        let p = self.preds.get(pred);
        let open = vec![None; usize::from(p.def.params).saturating_sub(1)];
        let usual = |k: usize| {
            p.shared.arg(k) && {
                let l = p.monotone.arg(k);
                l.down || l.up
            }
        };
        let mut all: Vec<Vec<Option<Val>>> = Vec::new();
        for chosen in self.held(side, pred) {
            let mut args = open.clone();
            chosen.into_iter().for_each(|(k, (mine, _))| args[k] = Some(mine));
            all.push(args);
        }
        let is_wide = |args: &Vec<Option<Val>>| {
            args.iter().enumerate().all(|(k, v)| v.is_some() && *v == p.neutral.arg(k).map(Val::int))
        };
        let widest = all.pop_if(|args| is_wide(args));
        for s in self.view(side).state.summaries.iter().filter(|s| s.pred == pred) {
            let args: Vec<_> = s.args.iter().enumerate().map(|(k, v)| usual(k).then_some(*v)).collect();
            if args != open && !all.contains(&args) && !is_wide(&args) {
                all.push(args);
            }
        }
        // Where elements bound each other closely, that says more than the widest bounds.
        all.push(open);
        all.extend(widest);
        all
    }

    /// A value about which nothing is known.
    pub(super) fn unrelated(&mut self) -> Val {
        Val::sym(self.out.fresh())
    }

    /// The predicate itself, then those that say less, if that is allowed.
    pub(super) fn weakenings(&self, pred: PredId) -> Vec<PredId> {
        let p = self.preds.get(pred);
        let weaker = p.weaker.iter().copied().filter(|_| !self.options.keep_numbers);
        std::iter::once(pred).chain(p.larger.iter().copied()).chain(weaker).collect()
    }

    /// A whole predicate on `side` absorbs what is at `other` on the other side.
    pub(super) fn absorb_whole(
        &mut self,
        side: Side,
        index: usize,
        other: Val,
        out: Val,
    ) -> Result<(), Refusal> {
        let s = self.view(side).state.summaries[index].clone();
        for pred in self.weakenings(s.pred) {
            let mut tries = self.expected(side, pred, &s.args).into_iter().filter_map(|mut e| {
                self.view(side.other()).fold(pred, other, &mut e.found, None).is_ok().then_some(e)
            });
            let Some(Expected { mut found, mine }) = tries.next() else { continue };
            if self.steps_differ(pred, &s.args, &found) {
                return Err(Refusal::Shapes(s.root, other));
            }
            self.view(side).use_summary(index);
            self.open_ghosts(pred, &mut found);
            let s = Summary { args: mine.into_iter().collect(), ..s };
            let mine = self.settled(side, &s);
            let args = self.pair_whole(side, pred, [s.root, other], &mine, &found);
            self.out.summaries.push(Summary { pred, root: out, args, end: None, region: None });
            return Ok(());
        }
        Err(Refusal::Shapes(s.root, other))
    }

    /// A whole list on `side` absorbs what is at `other` on the other side up to an address that is paired with the number at
    /// the end of the list: there it goes on with memory that another pair has. Nothing lies in between if what is at `other`
    /// is `claimed` by another pair.
    pub(super) fn absorb_up_to(
        &mut self,
        side: Side,
        index: usize,
        other: Val,
        claimed: bool,
        out: Val,
    ) -> Option<()> {
        let s = self.view(side).state.summaries[index].up_to_number(self.preds)?;
        let (end, _) = s.end?;
        let ends = self.list.iter().filter_map(|p| {
            let (mine, theirs) = if side == Side::Left { (p.left, p.right) } else { (p.right, p.left) };
            (mine == end && theirs.as_sym().is_some()).then_some(theirs)
        });
        let ends: Vec<Val> = ends.filter(|target| !claimed || *target == other).collect();
        let preds = self.weakenings(s.pred);
        for (target, pred) in ends.into_iter().flat_map(|t| preds.iter().map(move |p| (t, *p))) {
            let mut hole = End { root: target, args: Vec::new() };
            if self.view(side.other()).fold(pred, other, &mut Vec::new(), Some(&mut hole)).is_ok() {
                self.view(side).use_summary(index);
                let root = self.value_of(side, end, target);
                let end = Some((root, Args::new()));
                self.out.summaries.push(Summary { pred, root: out, args: Args::new(), end, region: None });
                return Some(());
            }
        }
        None
    }

    /// A summary on `side` absorbs what is on the other side of the pair, which may be claimed by another pair.
    pub(super) fn absorb(
        &mut self,
        side: Side,
        summary: usize,
        index: usize,
        claimed: Option<usize>,
    ) -> Result<(), Refusal> {
        let Pair { left, right, out } = self.list[index];
        let other = if side == Side::Left { right } else { left };
        let mut s = self.view(side).state.summaries[summary].clone();
        // A whole structure that says where it ends is a segment up to there, and may be empty on the other side.
        if claimed.is_some()
            && let Some(part) = self.view(side).state.as_segment(&s, self.preds)
        {
            s = part;
        }
        let Some((end, end_args)) = &s.end else {
            let whole = if claimed.is_some() {
                Err(Refusal::Shapes(left, right))
            } else {
                self.absorb_whole(side, summary, other, out)
            };
            return whole.or_else(|refusal| {
                self.absorb_up_to(side, summary, other, claimed.is_some(), out).ok_or(refusal)
            });
        };
        // Where the segment may end on the other side: where its end is paired already, else as far as it goes.
        let mut candidates: Vec<Val> = Vec::new();
        if let Some(p) = self.partner(side, *end) {
            candidates.push(p);
        } else {
            candidates.push(other);
            let view = self.view(side.other());
            let mut at = other;
            for _ in 0..64 {
                let next = view.step(s.pred, at);
                let [only] = next.as_slice() else { break };
                at = *only;
                if candidates.contains(&at) {
                    break;
                }
                candidates.push(at);
            }
            candidates.reverse();
        }
        let preds = self.weakenings(s.pred);
        for (target, pred) in candidates.into_iter().flat_map(|t| preds.iter().map(move |p| (t, *p))) {
            let empty = target == other;
            if !empty && claimed.is_some() {
                continue;
            }
            let open = vec![Expected { found: vec![None; s.args.len()], mine: s.args.to_vec() }];
            let tries = if empty { open } else { self.expected(side, pred, &s.args) };
            let mut tries = tries.into_iter().filter_map(|mut e| {
                let mut hole = End { root: target, args: vec![None; end_args.len()] };
                let folded = self.view(side.other()).fold(pred, other, &mut e.found, Some(&mut hole));
                folded.is_ok().then_some((e, hole))
            });
            let Some((Expected { mut found, mine }, mut hole)) = tries.next() else { continue };
            // Another argument that a segment has as well is its argument at both ends.
            let ends = mine.iter().zip(&s.args).zip(end_args);
            let ends: Args = ends.map(|((m, own), end)| if m == own { *end } else { *m }).collect();
            let s = Summary { args: mine.into_iter().collect(), ..s.clone() };
            if self.steps_differ(pred, &s.args, &found) {
                return Err(Refusal::Shapes(left, right));
            }
            self.view(side).use_summary(summary);
            let mine = self.settled(side, &s);
            if empty {
                let segment = EmptyThere { pred, near: &mine, far: &ends, at: other };
                self.open_args(side, &segment, &mut found, &mut hole.args);
            }
            let root = self.value_of(side, *end, target);
            // Arguments would have to be guessed for the part that is empty.
            if empty && s.args.is_empty() {
                self.pass_claim(side, *end, target, index);
            }
            let args = self.pair_starts(side, pred, [s.root, other], &mine, &found);
            let hole_args = self.pair_ends(side, pred, &ends, &hole.args);
            let end = Some((root, hole_args));
            self.out.summaries.push(Summary { pred, root: out, args, end, region: None });
            return Ok(());
        }
        Err(Refusal::Shapes(left, right))
    }

    /// What follows a segment that is empty on the other side of `side` has the memory there, which the pair at `index`
    /// seemed to have.
    pub(super) fn pass_claim(&mut self, side: Side, end: Val, other: Val, index: usize) {
        let (l, r) = if side == Side::Left { (end, other) } else { (other, end) };
        let (l, r, _) = self.normalised(l, r);
        let Some(after) = self.pairs.get(&(l, r)).copied() else { return };
        let claims = &mut self.view(side.other()).claims;
        if let Some(claim) = other.as_sym().and_then(|s| claims.get_mut(&s)).filter(|c| **c == index) {
            *claim = after;
        }
    }

    /// Arguments of an empty segment are free but equal at both ends: choose those that lose least, from values
    /// paired already or from the memory at the end.
    pub(super) fn open_args(
        &mut self,
        side: Side,
        segment: &EmptyThere<'_>,
        found: &mut [Option<Val>],
        found_end: &mut [Option<Val>],
    ) {
        let EmptyThere { pred, near: mine, far: mine_end, at: other } = *segment;
        for (i, slot) in found.iter_mut().enumerate() {
            if slot.is_some() {
                continue;
            }
            if self.preds.get(pred).is_ghost(i) {
                let far = mine_end.get(i).and_then(|v| self.handed_on(side, *v, other));
                (*slot, found_end[i]) = (far, far);
                continue;
            }
            // A segment without elements has length 0, like the far end of any.
            if self.preds.get(pred).length.arg(i) {
                let far = mine_end.get(i).copied().filter(|v| v.as_int().is_some());
                (*slot, found_end[i]) = (far, far);
                continue;
            }
            let told = |v: Option<Val>| v.filter(|v| !v.is_undef()).and_then(|v| self.partner(side, v));
            let told = told(mine.get(i).copied().flatten()).or_else(|| told(mine_end.get(i).copied()));
            let choice = self
                .number_in_memory(side.other(), pred, other, i)
                .or(told)
                .or_else(|| self.parameter_in_memory(side.other(), pred, other, i + 1));
            *slot = choice;
            if let Some(e) = found_end.get_mut(i) {
                *e = choice;
            }
        }
    }

    /// The value that the memory at `root` holds where elements of `pred` hold their `param`-th parameter.
    pub(super) fn parameter_in_memory(
        &mut self,
        side: Side,
        pred: PredId,
        root: Val,
        param: usize,
    ) -> Option<Val> {
        let preds = self.preds;
        let view = self.view(side);
        for case in &preds.get(pred).def.cases {
            for cell in case.cells.iter().filter(|c| c.val.base == TermBase::Param(param as u16)) {
                let at = root.plus(i128::from(cell.off));
                let object = at.as_sym().and_then(|s| view.state.objects.get(&s))?;
                if let Content::Val(v) = object.read(u64::try_from(at.off).ok()?, cell.width) {
                    return Some(v.plus(-cell.val.off));
                }
            }
        }
        None
    }

    /// What the memory at `root` has as a whole for an argument that is a number: the closest bound, if it is one.
    fn number_in_memory(&mut self, side: Side, pred: PredId, root: Val, arg: usize) -> Option<Val> {
        let p = self.preds.get(pred);
        if !p.counts(arg) {
            return None;
        }
        let mut found = vec![None; usize::from(p.def.params).saturating_sub(1)];
        View::new(self.view(side).state, self.preds).fold(pred, root, &mut found, None).ok()?;
        found.get(arg).copied().flatten()
    }

    /// An object on `side` and no memory at its partner: a whole predicate if the partner satisfies an empty case,
    /// or a segment up to the pair that claims the partner.
    pub(super) fn introduce(
        &mut self,
        side: Side,
        index: usize,
        claimed: Option<usize>,
    ) -> Result<(), Refusal> {
        let Pair { left, right, out } = self.list[index];
        let (mine, other) = if side == Side::Left { (left, right) } else { (right, left) };
        let Some(object) = mine.as_sym().and_then(|s| self.view(side).state.objects.get(&s)).cloned() else {
            return Err(Refusal::Shapes(left, right));
        };
        if object.kind != ObjectKind::Heap {
            return Err(Refusal::Shapes(left, right));
        }
        let preds = self.preds;
        for (pred, p) in preds.fitting(&object) {
            let counted = self.options.numbers.make_variants();
            let loses = preds.has_variant_for(pred, &object) || counted && p.leaves_out(&object);
            if self.options.keep_numbers && loses {
                continue;
            }
            let n = usize::from(p.def.params).saturating_sub(1);
            match claimed {
                None => {
                    let mut found = vec![None; n];
                    // The partner must be an empty instance by itself.
                    if self.view(side.other()).fold(pred, other, &mut found, None).is_err() {
                        continue;
                    }
                    let mut folded = self.usual(side, pred).into_iter().filter_map(|mut args| {
                        self.view(side).fold(pred, mine, &mut args, None).is_ok().then_some(args)
                    });
                    let Some(args) = folded.next() else { continue };
                    let mut mine_args = self.found_args(pred, &args);
                    self.open_ghosts(pred, &mut mine_args);
                    self.open_ghosts(pred, &mut found);
                    let free = mine_args.iter().zip(&found).filter(|(_, f)| f.is_none());
                    let symbols: Vec<Sym> = free.filter_map(|(v, _)| (*v)?.as_sym()).collect();
                    let alone = |s: &Sym| self.partner(side, Val::sym(*s)).is_none();
                    let alone: Vec<Sym> = symbols.into_iter().filter(alone).collect();
                    self.forgotten.extend(alone.into_iter().map(|s| (side, s)));
                    let out_args = self.pair_whole(side, pred, [mine, other], &mine_args, &found);
                    self.out.summaries.push(Summary {
                        pred,
                        root: out,
                        args: out_args,
                        end: None,
                        region: None,
                    });
                    return Ok(());
                }
                Some(owner) => {
                    if self.lead_to(side, index, pred, owner) {
                        return Ok(());
                    }
                }
            }
        }
        Err(Refusal::Shapes(left, right))
    }

    /// Makes what is at a pair on `side` a segment up to the pair that has the memory of the other side, empty there. Whether
    /// it is one.
    pub(super) fn lead_to(&mut self, side: Side, index: usize, pred: PredId, owner: usize) -> bool {
        let Pair { left, right, out } = self.list[index];
        let (mine, other) = if side == Side::Left { (left, right) } else { (right, left) };
        let n = usize::from(self.preds.get(pred).def.params).saturating_sub(1);
        let target = if side == Side::Left { self.list[owner].left } else { self.list[owner].right };
        let theirs = if side == Side::Left { self.list[owner].right } else { self.list[owner].left };
        // The other side is the same address in both pairs: bring the offsets together.
        let target = target.plus(other.off - theirs.off);
        let before = self.view(side).clone();
        let mut folded = self.usual(side, pred).into_iter().filter_map(|mut args| {
            let mut hole = End { root: target, args: vec![None; n] };
            let folded = self.view(side).fold(pred, mine, &mut args, Some(&mut hole));
            folded.is_ok().then_some((args, hole))
        });
        let Some((args, hole)) = folded.next() else { return false };
        // An element that leads back to itself bounds a structure and is no part of it; nor is one that something else leads to.
        if args.contains(&Some(mine)) || self.ghosts() && self.hides(side, &before, mine) {
            *self.view(side) = before;
            return false;
        }
        let mut mine_args = self.found_args(pred, &args);
        let mut mine_end: Vec<Val> = hole.args.iter().map(|v| v.unwrap_or(Val::UNDEF)).collect();
        let mut found = vec![None; n];
        let mut found_end = vec![None; n];
        let segment = EmptyThere { pred, near: &mine_args, far: &mine_end, at: other };
        self.open_args(side, &segment, &mut found, &mut found_end);
        // What is free here may be what it is there.
        for (k, v) in mine_args.iter_mut().enumerate().filter(|(_, v)| **v == Some(Val::UNDEF)) {
            *v = found[k].and_then(|f| self.partner(side.other(), f)).or(*v);
        }
        for (k, v) in mine_end.iter_mut().enumerate().filter(|(_, v)| v.is_undef()) {
            *v = found_end[k].and_then(|f| self.partner(side.other(), f)).unwrap_or(*v);
        }
        let root = self.value_of(side, target, other);
        let args = self.pair_starts(side, pred, [mine, other], &mine_args, &found);
        let end_args = self.pair_ends(side, pred, &mine_end, &found_end);
        self.out.summaries.push(Summary { pred, root: out, args, end: Some((root, end_args)), region: None });
        true
    }

    /// Takes up a segment that nothing leads to but whose end is paired, as where a variable is inside of a tree whose nodes
    /// know their parents and nothing names the root: with a segment to the same end on the other side, or with an empty one
    /// there. Whether there was one.
    pub(super) fn segments_by_end(&mut self) -> bool {
        for side in [Side::Left, Side::Right] {
            let (_, left) = self.view(side).leftover();
            for index in left {
                let Some(s) = self.view(side).state.summaries.get(index).cloned() else { continue };
                let Some((end, end_args)) = s.end.clone() else { continue };
                let Some(there) = self.partner(side, end).filter(|_| end.as_sym().is_some()) else {
                    continue;
                };
                let other = self.view(side.other());
                let ends_there = |i: &usize| {
                    let t = other
                        .state
                        .summaries
                        .get(*i)
                        .filter(|t| t.end.as_ref().is_some_and(|e| e.0 == there));
                    t.map(|t| (*i, t.clone()))
                };
                let opposite = other.leftover().1.iter().find_map(ends_there);
                if let Some((i, t)) = opposite {
                    let (a, b) = if side == Side::Left { (&s, &t) } else { (&t, &s) };
                    let common = self.preds.common(a.pred, b.pred).filter(|c| {
                        !self.options.keep_numbers || *c == b.pred || self.preds.counts_as(a.pred, *c, true)
                    });
                    let Some(pred) = common else { continue };
                    let root = self.value(a.root, b.root);
                    if self.summaries(pred, a, b, root).is_err() {
                        continue;
                    }
                    self.view(side.other()).use_summary(i);
                } else {
                    let partners = end_args.iter().map(|v| self.partner(side, *v));
                    let Some(found) = partners.collect::<Option<Vec<Val>>>() else { continue };
                    let found: Vec<Option<Val>> = found.into_iter().map(Some).collect();
                    let out = self.value_of(side, s.root, there);
                    let mine = self.settled(side, &s);
                    let args = self.pair_starts(side, s.pred, [s.root, there], &mine, &found);
                    let root = self.value_of(side, end, there);
                    let end_args = self.pair_ends(side, s.pred, &end_args, &found);
                    let end = Some((root, end_args));
                    self.out.summaries.push(Summary { pred: s.pred, root: out, args, end, region: None });
                }
                self.view(side).use_summary(index);
                return true;
            }
        }
        false
    }

    /// Makes both sides of a pair a segment to a named pair that both lead to (Li et al. 2017, §4.3).
    pub(super) fn segment_to_named(&mut self, index: usize) -> bool {
        let Pair { left, right, .. } = self.list[index];
        let heap = |state: &State, v: Val| {
            let object = v.as_sym().and_then(|s| state.objects.get(&s));
            object.filter(|o| o.kind == ObjectKind::Heap && o.const_size().is_some()).cloned()
        };
        let (Some(x), Some(y)) = (heap(self.left.state, left), heap(self.right.state, right)) else {
            return false;
        };
        if x.const_size() != y.const_size() {
            return false;
        }
        let preds = self.preds;
        for target in (0..self.named).filter(|t| *t != index) {
            let (tl, tr) = (self.list[target].left, self.list[target].right);
            if tl.as_sym().is_none()
                || tr.as_sym().is_none()
                || !self.left.leads_to(left, tl)
                || !self.right.leads_to(right, tr)
                // Neighbours on both sides: which cell leads to the next is worth a disjunct.
                || self.left.is_next(left, tl) && self.right.is_next(right, tr)
            {
                continue;
            }
            for (pred, _) in preds.fitting(&x).into_iter().filter(|(_, p)| p.fits(&y)) {
                if self.options.keep_numbers && [&x, &y].iter().any(|o| preds.has_variant_for(pred, o)) {
                    continue;
                }
                if self.segment_between(index, pred, target) {
                    return true;
                }
            }
        }
        false
    }

    /// Makes both sides of a pair a segment up to another pair, if they are one.
    pub(super) fn segment_between(&mut self, index: usize, pred: PredId, target: usize) -> bool {
        let Pair { left, right, out } = self.list[index];
        let (tl, tr) = (self.list[target].left, self.list[target].right);
        let n = usize::from(self.preds.get(pred).def.params).saturating_sub(1);
        let open = || vec![None; n];
        let (mut la, mut ra) = (open(), open());
        let mut le = End { root: tl, args: open() };
        let mut re = End { root: tr, args: open() };
        let before = self.left.clone();
        if self.left.fold(pred, left, &mut la, Some(&mut le)).is_err() {
            return false;
        }
        let after = self.right.clone();
        if self.right.fold(pred, right, &mut ra, Some(&mut re)).is_err() {
            self.left = before;
            return false;
        }
        // An element that leads back to itself bounds a structure and is no part of it.
        if la.contains(&Some(left)) || ra.contains(&Some(right)) {
            (self.left, self.right) = (before, after);
            return false;
        }
        let root = self.value(tl, tr);
        let (mine, theirs) = (self.found_args(pred, &la), self.found_args(pred, &ra));
        let args = self.pair_starts(Side::Left, pred, [left, right], &mine, &theirs);
        let mine: Vec<Val> = le.args.iter().map(|v| v.unwrap_or(Val::UNDEF)).collect();
        let end = self.pair_ends(Side::Left, pred, &mine, &self.found_args(pred, &re.args));
        self.out.summaries.push(Summary { pred, root: out, args, end: Some((root, end)), region: None });
        true
    }
}
