//! A state of which parts are consumed.

use super::{Matched, Mismatch};
use crate::object::{Content, ObjectKind};
use crate::pred::{PredId, PredTable};
use crate::state::{State, Summary};
use crate::value::{Sym, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Bound on the matching steps of one query: for each piece of memory there is, so that a structure is not refused because its elements own many
/// blocks; and at least so many.
const FUEL: (u32, usize) = (2_000, 16);

/// Search steps for a query on a state.
fn fuel(state: &State) -> u32 {
    let (least, each) = FUEL;
    least.max(u32::try_from(state.pieces().saturating_mul(each)).unwrap_or(u32::MAX))
}

/// A part of a state that is consumed as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Piece {
    Object(Sym),
    Summary(usize),
}

/// Which pairs of a join keep their memory from being folded while another pair is looked at.
#[derive(Clone, Default)]
pub(crate) struct Pins {
    /// The pair that is looked at.
    pub(crate) except: usize,
    /// Only pairs before this one do.
    pub(crate) before: usize,
    /// These do not.
    pub(crate) open: Vec<usize>,
}

/// A state of which parts are consumed.
#[derive(Clone)]
pub struct View<'a> {
    /// The state.
    pub state: &'a State,
    pub(crate) preds: &'a PredTable,
    objects: FxHashSet<Sym>,
    summaries: Vec<bool>,
    /// What was consumed, in this order, so that it can be given back.
    pub(super) trail: Vec<Piece>,
    /// Objects and roots of summaries that must not be consumed by folding, because they are named elsewhere.
    pub pinned: BTreeSet<Sym>,
    /// What a join names: the number of the pair that owns the memory of a symbol.
    pub(crate) claims: FxHashMap<Sym, usize>,
    /// Which of these must not be consumed either.
    pub(crate) pins: Pins,
    /// Whether an instance of a predicate that fixes numbers may not count as one that does not.
    pub keep_numbers: bool,
    pub(super) fuel: u32,
}

impl<'a> View<'a> {
    /// The whole state, nothing consumed.
    pub fn new(state: &'a State, preds: &'a PredTable) -> Self {
        View {
            state,
            preds,
            objects: FxHashSet::default(),
            summaries: vec![false; state.summaries.len()],
            trail: Vec::new(),
            pinned: BTreeSet::new(),
            claims: FxHashMap::default(),
            pins: Pins::default(),
            keep_numbers: false,
            fuel: fuel(state),
        }
    }

    /// Whether `s` must not be consumed by folding.
    pub(super) fn is_pinned(&self, s: Sym) -> bool {
        let kept = |i: &usize| *i != self.pins.except && *i < self.pins.before && !self.pins.open.contains(i);
        self.pinned.contains(&s) || self.claims.get(&s).is_some_and(kept)
    }

    /// Whether the object at `s` is consumed.
    pub fn is_used(&self, s: Sym) -> bool {
        self.objects.contains(&s)
    }

    /// Consumes the object at `s`.
    pub fn use_object(&mut self, s: Sym) {
        if self.objects.insert(s) {
            self.trail.push(Piece::Object(s));
        }
    }

    /// Whether the summary with that index is consumed.
    pub fn is_summary_used(&self, index: usize) -> bool {
        self.summaries.get(index).copied().unwrap_or(true)
    }

    /// Consumes the summary with that index.
    pub fn use_summary(&mut self, index: usize) {
        if let Some(u) = self.summaries.get_mut(index)
            && !*u
        {
            *u = true;
            self.trail.push(Piece::Summary(index));
        }
    }

    /// What is consumed, in this order.
    pub(crate) fn consumed(&self) -> &[Piece] {
        &self.trail
    }

    /// Gives back what was consumed after the first `kept` pieces.
    pub(super) fn give_back(&mut self, kept: usize) {
        for piece in self.trail.drain(kept.min(self.trail.len())..) {
            match piece {
                Piece::Object(s) => {
                    self.objects.remove(&s);
                }
                Piece::Summary(i) => self.summaries[i] = false,
            }
        }
    }

    /// The first summary with this root that is not consumed yet.
    pub fn summary_with_root(&self, root: Val) -> Option<(usize, &'a Summary)> {
        let state = self.state;
        state.summaries.iter().enumerate().find(|(i, s)| !self.is_summary_used(*i) && s.root == root)
    }

    /// Whether an object or summary starts at that address.
    pub(super) fn has_memory(&self, at: Val) -> bool {
        at.as_sym().is_some_and(|s| at.off == 0 && self.state.objects.contains_key(&s))
            || self.summary_with_root(at).is_some()
    }

    /// Heap objects and summaries that are left; summaries that may be empty count too.
    pub fn leftover(&self) -> (Vec<Sym>, Vec<usize>) {
        let objects = self
            .state
            .objects
            .iter()
            .filter(|(s, o)| o.kind == ObjectKind::Heap && !self.objects.contains(s))
            .map(|(s, _)| *s)
            .collect();
        let summaries = (0..self.summaries.len()).filter(|i| !self.summaries[*i]).collect();
        (objects, summaries)
    }

    /// The address of some memory that is left.
    pub fn first_leftover(&self) -> Option<Val> {
        let (objects, summaries) = self.leftover();
        let summary = || self.state.summary(*summaries.first()?).map(|s| s.root);
        objects.first().map(|s| Val::sym(*s)).or_else(summary)
    }

    /// A fresh allowance of search steps.
    pub fn refuel(&mut self) {
        self.fuel = fuel(self.state);
    }

    pub(super) fn equal(&self, a: Val, b: Val) -> bool {
        self.state.knows_eq(a, b)
    }

    /// Whether a whole instance with `v` as its `k`-th argument is one with `w`.
    pub(crate) fn admits(&self, pred: PredId, k: usize, v: Val, w: Val) -> bool {
        let pred = self.preds.get(pred);
        let neutral = pred.neutral.arg(k).map(Val::int);
        neutral == Some(w) || pred.monotone.arg(k).admits(v, w, &self.state.pure)
    }

    pub(super) fn bind(&self, slot: &mut Option<Val>, val: Val) -> Matched {
        match slot {
            None => {
                *slot = Some(val);
                Ok(())
            }
            Some(v) if self.equal(*v, val) => Ok(()),
            Some(_) => Err(Mismatch::Value(val)),
        }
    }

    /// Whether the links of known predicates lead from one address to another.
    pub fn leads_to(&self, from: Val, to: Val) -> bool {
        let mut seen = vec![from];
        let mut next = 0;
        while let Some(at) = seen.get(next).copied() {
            next += 1;
            let size = at.as_sym().and_then(|s| self.state.objects.get(&s)).and_then(|o| o.const_size());
            let summary = self.summary_with_root(at).map(|(_, s)| s.pred);
            let fitting = self.preds.iter().filter(|(id, p)| {
                Some(*id) == summary
                    || p.def.cases.iter().any(|c| c.block.as_ref().is_some_and(|b| Some(b.size) == size))
            });
            for v in fitting.flat_map(|(id, _)| self.step(id, at)) {
                if v == to {
                    return true;
                }
                if !seen.contains(&v) && seen.len() < 100 {
                    seen.push(v);
                }
            }
        }
        false
    }

    /// Whether a cell of the object at `from` holds the address `to`.
    pub fn is_next(&self, from: Val, to: Val) -> bool {
        let object = from.as_sym().and_then(|s| self.state.objects.get(&s));
        object.is_some_and(|o| o.cells().any(|(_, c)| c.val.base == to.base))
    }

    /// The element at `root` alone, as one step of the predicate: returns where each recursive call goes on.
    pub fn step(&self, pred: PredId, root: Val) -> Vec<Val> {
        if let Some((_, s)) = self.summary_with_root(root)
            && self.preds.counts_as(s.pred, pred, self.keep_numbers)
        {
            return s.end.iter().map(|(r, _)| *r).collect();
        }
        let Some(object) = root.as_sym().filter(|_| root.off == 0).and_then(|s| self.state.objects.get(&s))
        else {
            return Vec::new();
        };
        let pred = self.preds.get(pred);
        let mut next = Vec::new();
        for link in &pred.links {
            let width =
                pred.def.cases[link.case].cells.iter().find(|c| c.off == link.off).map_or(0, |c| c.width);
            if let Content::Val(v) = object.read(link.off, width)
                && !next.contains(&v.plus(-link.inner))
            {
                next.push(v.plus(-link.inner));
            }
        }
        next
    }
}
