//! Structures whose elements are of several kinds.
//!
//! A number in an element, its tag, often says what else is in it: a union, an optional sub-heap, a pointer to itself. Such
//! a structure has one block case per kind. The kinds of a structure are collected as they are seen; for any two sets of
//! kinds that are in use their union is a predicate as well, and an instance of the smaller set is one of the larger: so
//! the least common generalisation of two structures is always at hand. There are at most [`MAX_KINDS`] kinds of a
//! structure, so the chain of generalisations is finite.
//!
//! A kind may also say which kind comes next: then a structure has a parameter for the number in its first element, and a
//! case for each number and each number that may follow it (an automaton whose states are the numbers). A list that is
//! sorted, or in which two sorts of elements take turns, or that has one marked element, is described so.

use crate::pred::{Callee, Case, Definition, Fact, PredId, PredTable, Term, TermBase};
use crate::value::Val;

/// Most kinds of one structure.
pub(crate) const MAX_KINDS: usize = 5;
/// Most pairs of numbers of which the second may follow the first.
pub(crate) const MAX_STEPS: usize = 12;
/// Most sets of kinds of one structure.
const MAX_SETS: usize = 24;

/// The kinds of one structure, and the predicates for sets of them.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    params: u16,
    empty: Case,
    /// Offsets and widths of the numbers that tell kinds apart.
    pub(crate) tags: Vec<(u64, u64)>,
    cases: Vec<Case>,
    /// Whether kinds say which kind comes next.
    steps: bool,
    /// Which kinds, as bits, and the predicate for them.
    sets: Vec<(u32, PredId)>,
}

impl PredTable {
    /// The predicates for the kinds in these definitions, which have one block case each: one for each if `singles` are
    /// of use, and at last one for all of them. `None` if there are too many kinds already.
    pub(crate) fn with_kinds(
        &mut self,
        kinds: &[Definition],
        tags: &[(u64, u64)],
        singles: bool,
        stem: &str,
    ) -> Option<Vec<PredId>> {
        let first = kinds.first()?;
        let empty = first.cases.iter().find(|c| c.block.is_none())?.clone();
        let block = |d: &Definition| d.cases.iter().find(|c| c.block.is_some()).cloned();
        let cases: Vec<Case> = kinds.iter().map(block).collect::<Option<_>>()?;
        let shape = cases.first()?.block.clone();
        let same = |k: &Kinds| {
            k.params == first.params
                && k.empty == empty
                && k.tags == tags
                && k.steps != singles
                && (k.cases.first().is_some_and(|c| c.block == shape)
                    || k.cases.iter().any(|c| cases.contains(c)))
        };
        let at = match self.kinds.iter().position(same) {
            Some(at) => at,
            None => {
                let tags = tags.to_vec();
                let (cases, sets) = (Vec::new(), Vec::new());
                self.kinds.push(Kinds { params: first.params, empty, tags, cases, steps: !singles, sets });
                self.kinds.len() - 1
            }
        };
        let mut masks = Vec::new();
        for case in cases {
            let group = self.kinds.get_mut(at)?;
            let i = match group.cases.iter().position(|c| *c == case) {
                Some(i) => i,
                None if group.cases.len() >= if singles { MAX_KINDS } else { MAX_STEPS } => return None,
                None => {
                    group.cases.push(case);
                    group.cases.len() - 1
                }
            };
            masks.push(1u32 << i);
        }
        let all = masks.iter().fold(0, |a, m| a | m);
        masks.retain(|_| singles);
        masks.push(all);
        let found = masks.iter().map(|m| self.kind_set(at, *m, stem)).collect::<Option<Vec<_>>>()?;
        // Unions with the sets that are there already.
        loop {
            let sets: Vec<u32> = self.kinds.get(at)?.sets.iter().map(|(m, _)| *m).collect();
            let pairs = sets.iter().flat_map(|a| sets.iter().map(move |b| a | b));
            let new = pairs.into_iter().find(|u| !sets.contains(u)).filter(|_| sets.len() < MAX_SETS);
            let Some(new) = new else { break };
            self.kind_set(at, new, stem)?;
        }
        self.relate_kinds(at);
        Some(found)
    }

    fn kind_set(&mut self, at: usize, mask: u32, stem: &str) -> Option<PredId> {
        let group = self.kinds.get(at)?;
        if let Some((_, id)) = group.sets.iter().find(|(m, _)| *m == mask) {
            return Some(*id);
        }
        let chosen =
            group.cases.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0).map(|(_, c)| c.clone());
        let cases = std::iter::once(group.empty.clone()).chain(chosen).collect();
        let def = Definition { params: group.params, cases };
        let id = self.intern(def, |n| format!("{stem}_{n}"));
        self.kinds.get_mut(at)?.sets.push((mask, id));
        Some(id)
    }

    /// Says of each set of kinds which sets are larger, the smallest of these first.
    fn relate_kinds(&mut self, at: usize) {
        let Some(mut sets) = self.kinds.get(at).map(|k| k.sets.clone()) else { return };
        sets.sort_by_key(|(m, _)| m.count_ones());
        for (mask, id) in &sets {
            let larger = sets.iter().filter(|(m, _)| m != mask && m & mask == *mask).map(|(_, p)| *p);
            let larger = larger.collect();
            if let Some(p) = self.preds.get_mut(*id) {
                p.larger = larger;
            }
        }
    }

    /// Says of the structures with steps among those that have kinds which parameter the number is.
    pub(crate) fn mark_steps(&mut self, param: usize) {
        for (_, id) in self.kinds.iter().filter(|k| k.steps).flat_map(|k| &k.sets) {
            if let Some(p) = self.preds.get_mut(*id).filter(|p| usize::from(p.def.params) == param + 1) {
                p.step = Some(param);
            }
        }
    }

    /// The numbers that tell the kinds of a structure apart, if it has kinds.
    pub(crate) fn tags_of(&self, id: PredId) -> Option<Vec<(u64, u64)>> {
        let group = self.kinds.iter().find(|k| k.sets.iter().any(|(_, p)| *p == id))?;
        Some(group.tags.clone())
    }

    /// Whether an instance of `special` may stand for one of `general` without anything being given up that tells
    /// disjuncts apart; with `keep_numbers` the numbers in elements are such.
    pub fn counts_as(&self, special: PredId, general: PredId, keep_numbers: bool) -> bool {
        special == general
            || self.get(special).larger.contains(&general)
            || !keep_numbers && self.implies(special, general)
    }
}

impl Definition {
    /// The number that comes after the last one where a structure ends at `root`; the number is parameter `k`.
    pub(crate) fn number_at_end(&self, k: usize, root: Val) -> Option<Val> {
        let param = Term::param(u16::try_from(k).ok()?);
        let number = |case: &Case, of: Term| {
            case.facts.iter().find_map(|f| match f {
                Fact::Eq(a, b) if *a == of && b.base == TermBase::Zero => Some(Val::int(b.off)),
                _ => None,
            })
        };
        let mut empty = self.cases.iter().filter(|c| c.block.is_none());
        let ends_here = empty.find(|c| number(c, Term::ROOT) == Some(root))?;
        number(ends_here, param)
    }

    /// The definition of a list, with one more parameter, in which elements have the number `n` at that offset and are
    /// followed by one with `m`; `last` is what follows the last one.
    pub(crate) fn with_step(&self, off: u64, n: i128, m: i128, last: i128) -> Option<Definition> {
        let mut def = self.clone();
        let param = Term::param(self.params);
        def.params = self.params.checked_add(1)?;
        for case in &mut def.cases {
            if case.block.is_none() {
                case.facts.push(Fact::Eq(param, Term::int(last)));
                continue;
            }
            let at = case.cells.iter().position(|c| c.off == off)?;
            let TermBase::Exist(gone) = case.cells[at].val.base else { return None };
            if !case.is_free(&case.cells[at].val) {
                return None;
            }
            case.cells[at].val = param;
            case.drop_exist(gone)?;
            case.facts.push(Fact::Eq(param, Term::int(n)));
            let mut own = case.calls.iter_mut().filter(|c| c.callee == Callee::This);
            let (call, None) = (own.next()?, own.next()) else { return None };
            call.args.push(Term::int(m));
        }
        Some(def)
    }
}
