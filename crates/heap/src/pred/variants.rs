//! Variants of predicates that say more of their elements: numbers, functions, and sub-heaps that are not empty.
//!
//! The *skeleton* of a structure says nothing of the numbers in it. A variant fixes some of them, or bounds them; its
//! instances are instances of all variants of the same skeleton that say less, which the field `weaker` lists. Joins
//! and folds that cannot keep a variant fall back to the best of these. For any two variants that speak of the same
//! cells the one with the hull of their numbers comes into being with the second of them, so that the least common
//! generalisation is always at hand. There are at most [`MAX_VARIANTS`] variants of a skeleton: the chain of
//! generalisations is finite, whatever numbers a program stores.

use crate::granularity::{Numbers, Trees};
use crate::object::Object;
use crate::pred::{
    BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, Origin, Pred, PredId, PredTable, Ranges,
    Term, TermBase,
};
use crate::value::Val;
use heapwise_ir::FuncId;
use heapwise_numeric::Interval;

/// Most variants of one structure.
const MAX_VARIANTS: usize = 16;

/// Whether what `special` says of numbers implies what `general` says.
fn covers(general: &Ranges, special: &Ranges) -> bool {
    general.iter().all(|(off, g)| special.get(off).is_some_and(|s| s.is_subset(*g)))
}

/// What two variants say in common.
fn hull(a: &Ranges, b: &Ranges) -> Ranges {
    a.iter().filter_map(|(off, i)| Some((*off, i.join(*b.get(off)?)))).collect()
}

/// How much is said: numbers first, then narrow bounds.
fn looseness(numbers: &Ranges) -> (usize, i128) {
    let width = |i: &Interval| match (i.lo, i.hi) {
        (Some(l), Some(h)) => h.saturating_sub(l),
        _ => i128::MAX,
    };
    let total = numbers.values().map(width).fold(0i128, i128::saturating_add);
    (usize::MAX - numbers.len(), total)
}

impl PredTable {
    /// The structures in the table that say nothing of numbers, with what they call, by themselves: what there is to know of a
    /// program before it is looked at again. `None` if there are none, or if their elements are of several kinds or heights.
    pub fn skeletons(&self) -> Option<PredTable> {
        let plain = |p: &Pred| p.variant_of.is_none() && p.bare_of.is_none();
        let mut chosen: Vec<PredId> = Vec::new();
        let mut todo: Vec<PredId> =
            self.iter().filter(|(_, p)| plain(p) && !p.links.is_empty()).map(|(id, _)| id).collect();
        while let Some(id) = todo.pop() {
            if !chosen.contains(&id) {
                chosen.push(id);
                let calls = self.get(id).def.cases.iter().flat_map(|c| &c.calls);
                todo.extend(calls.filter_map(|c| match c.callee {
                    Callee::Other(other) => Some(other),
                    Callee::This => None,
                }));
            }
        }
        chosen.sort_unstable();
        let several = |id: &PredId| self.get(*id).step.is_some() || !self.get(*id).larger.is_empty();
        if chosen.is_empty() || self.has_levels() || chosen.iter().any(several) {
            return None;
        }
        let renamed = |id: PredId| chosen.iter().position(|c| *c == id).map_or(id, |i| PredId(i as u32));
        let definition = |id: &PredId| {
            let mut def = self.get(*id).def.clone();
            for call in def.cases.iter_mut().flat_map(|c| &mut c.calls) {
                if let Callee::Other(other) = &mut call.callee {
                    *other = renamed(*other);
                }
            }
            (self.get(*id).name.clone(), def)
        };
        let mut table = PredTable::default();
        table.declare(chosen.iter().map(definition).collect(), Origin::Discovered);
        for (new, old) in table.preds.iter_mut().zip(&chosen) {
            new.branches = self.get(*old).branches;
        }
        Some(table)
    }

    /// A variant of `id` whose elements hold such numbers in the cells at these offsets, which must be free existentials
    /// of its only block case. Variants that say nothing of one of them come into being as well. `None` if there are too
    /// many already.
    pub(crate) fn with_numbers(&mut self, id: PredId, ranges: &Ranges, numbers: Numbers) -> Option<PredId> {
        if ranges.is_empty() {
            return Some(id);
        }
        for off in ranges.keys().filter(|_| ranges.len() > 1) {
            let mut fewer = ranges.clone();
            fewer.remove(off);
            self.variant(id, fewer, numbers)?;
        }
        let variant = self.variant(id, ranges.clone(), numbers)?;
        let siblings = self.preds.iter().filter_map(|p| p.variant_of.as_ref());
        let hulls: Vec<Ranges> = siblings
            .filter(|(s, n)| *s == id && n.keys().eq(ranges.keys()) && !covers(n, ranges))
            .map(|(_, n)| hull(n, ranges))
            .collect();
        for hull in hulls {
            self.variant(id, hull, numbers);
        }
        Some(variant)
    }

    /// The variant that says most among those that every instance of any of these satisfies; it comes into being if it is
    /// not there. `None` if these are not variants of one structure, or have no number in common.
    pub(crate) fn generalisation(&mut self, all: &[PredId], numbers: Numbers) -> Option<PredId> {
        let variant = |id: &PredId| self.get(*id).variant_of.clone();
        let (first, rest) = all.split_first()?;
        let (skeleton, mut ranges) = variant(first)?;
        for other in rest {
            let (of, more) = variant(other)?;
            if of != skeleton {
                return None;
            }
            ranges = hull(&ranges, &more);
        }
        if ranges.is_empty() { None } else { self.variant(skeleton, ranges, numbers) }
    }

    fn variant(&mut self, id: PredId, ranges: Ranges, numbers: Numbers) -> Option<PredId> {
        let existing = self
            .preds
            .iter_enumerated()
            .find(|(_, p)| p.variant_of.as_ref().is_some_and(|(s, n)| *s == id && *n == ranges));
        if let Some((v, _)) = existing {
            return Some(v);
        }
        if !numbers.make_variants() {
            return None;
        }
        if self.preds.iter().filter(|p| p.variant_of.as_ref().is_some_and(|(s, _)| *s == id)).count()
            >= MAX_VARIANTS
        {
            return None;
        }
        let def = self.get(id).def.bounding(&ranges)?;
        let what: Vec<String> = ranges
            .iter()
            .map(|(off, i)| match (i.lo, i.hi) {
                (Some(l), Some(h)) if l == h => format!("+{off}={l}"),
                (l, h) => format!(
                    "+{off}∈{}..{}",
                    l.map_or(String::new(), |l| l.to_string()),
                    h.map_or(String::new(), |h| h.to_string())
                ),
            })
            .collect();
        let name = format!("{}[{}]", self.get(id).name, what.join(","));
        let variant = self.intern(def, |_| name);
        self.preds.get_mut(variant)?.variant_of = Some((id, ranges));
        self.relate_variants(id);
        Some(variant)
    }

    /// Finds for each variant of a skeleton those that say less.
    fn relate_variants(&mut self, id: PredId) {
        let mut variants: Vec<(PredId, Ranges)> = self
            .preds
            .iter_enumerated()
            .filter_map(|(v, p)| p.variant_of.as_ref().filter(|(s, _)| *s == id).map(|(_, n)| (v, n.clone())))
            .collect();
        variants.sort_by_key(|(_, n)| looseness(n));
        let rest: Vec<PredId> = std::iter::once(id).chain(self.get(id).weaker.iter().copied()).collect();
        for (v, n) in &variants {
            let less = variants.iter().filter(|(w, m)| w != v && covers(m, n)).map(|(w, _)| *w);
            let weaker = less.chain(rest.iter().copied()).collect();
            if let Some(p) = self.preds.get_mut(*v) {
                p.weaker = weaker;
            }
        }
    }

    /// A variant of `id` in whose elements the sub-heaps at these cells are not empty.
    pub fn with_not_null(&mut self, id: PredId, cells: &[u64]) -> PredId {
        let def = self.get(id).def.clone().with_not_null(cells);
        if def == self.get(id).def {
            return id;
        }
        let name = format!("{}[full]", self.get(id).name);
        let mut weaker = vec![id];
        weaker.extend(self.get(id).weaker.iter().copied());
        let variant = self.intern(def, |_| name);
        if let Some(p) = self.preds.get_mut(variant)
            && p.weaker.is_empty()
        {
            p.weaker = weaker;
        }
        variant
    }

    /// A variant of `id` in whose elements there are no sub-heaps at these cells: they are null.
    pub(crate) fn with_empty(&mut self, id: PredId, cells: &[u64]) -> Option<PredId> {
        let mut def = self.get(id).def.clone();
        for case in def.cases.iter_mut().filter(|c| c.block.is_some()) {
            for off in cells {
                let call = case.sub_heap_at(*off).filter(|call| self.may_be_nothing(case, call)).cloned()?;
                case.empty_at(*off, &call)?;
            }
        }
        let name = format!("{}[empty]", self.get(id).name);
        let weaker: Vec<PredId> = std::iter::once(id).chain(self.get(id).weaker.iter().copied()).collect();
        let variant = self.intern(def, |_| name);
        let pred = self.preds.get_mut(variant).filter(|_| variant != id)?;
        if pred.weaker.is_empty() {
            pred.weaker = weaker;
        }
        Some(variant)
    }

    /// Whether what a call of a case describes is nothing where its root is null, whatever else is passed.
    fn may_be_nothing(&self, case: &Case, call: &CallSpec) -> bool {
        let Callee::Other(callee) = call.callee else { return false };
        let only_here = |t: &Term| {
            let elsewhere =
                Case { calls: case.calls.iter().filter(|c| *c != call).cloned().collect(), ..case.clone() };
            matches!(t.base, TermBase::Exist(_)) && !elsewhere.mentions(t.base)
        };
        let holds = |f: &Fact| match f {
            Fact::Eq(Term::ROOT, t) | Fact::Eq(t, Term::ROOT) => *t == Term::int(0),
            // Such as a length, of which nobody else knows.
            Fact::Eq(Term { base: TermBase::Param(k), .. }, Term { base: TermBase::Zero, .. }) => {
                call.args.get(usize::from(*k)).is_some_and(only_here)
            }
            _ => false,
        };
        let empty = |c: &Case| c.block.is_none() && c.calls.is_empty() && c.facts.iter().all(holds);
        self.get(callee).def.cases.iter().any(empty)
    }

    /// A variant of `id` whose elements hold the addresses of these functions at these offsets.
    pub(crate) fn with_functions(&mut self, id: PredId, functions: &[(u64, FuncId)]) -> PredId {
        let Some(def) = self.get(id).def.with_functions(functions).filter(|d| *d != self.get(id).def) else {
            return id;
        };
        let name = format!("{}[calls]", self.get(id).name);
        let weaker: Vec<PredId> = std::iter::once(id).chain(self.get(id).weaker.iter().copied()).collect();
        let variant = self.intern(def, |_| name);
        if let Some(p) = self.preds.get_mut(variant)
            && p.weaker.is_empty()
        {
            p.weaker = weaker;
        }
        variant
    }

    /// A variant of `id` in whose elements the links at these cells are null: a list whose elements have room for
    /// more. Unless such lists are kept beside trees, it is of use until elements are seen that need the room.
    pub(crate) fn with_null_links(&mut self, id: PredId, cells: &[u64], trees: Trees) -> Option<PredId> {
        let base = self.get(id);
        if cells.is_empty() || base.branches && trees != Trees::BesideLists {
            return None;
        }
        let mut def = base.def.clone();
        for case in def.cases.iter_mut().filter(|c| c.block.is_some()) {
            for off in cells {
                let cell = case.cells.iter_mut().find(|c| c.off == *off)?;
                let TermBase::Exist(gone) = cell.val.base else { return None };
                let link = |c: &CallSpec| {
                    c.callee == Callee::This && c.args.first().map(|t| t.base) == Some(TermBase::Exist(gone))
                };
                let at = case.calls.iter().position(link)?;
                cell.val = Term::int(0);
                case.calls.remove(at);
                case.drop_exist(gone)?;
            }
            case.calls.iter().find(|c| c.callee == Callee::This)?;
        }
        let name = format!("{}[bare]", base.name);
        let weaker: Vec<PredId> = std::iter::once(id).chain(base.weaker.iter().copied()).collect();
        let variant = self.intern(def, |_| name);
        let pred = self.preds.get_mut(variant)?;
        if pred.weaker.is_empty() {
            pred.weaker = weaker;
            pred.bare_of = Some(id);
        }
        Some(variant)
    }

    /// Remembers that elements of `id` use more than one link.
    pub(crate) fn set_branches(&mut self, id: PredId) {
        if let Some(p) = self.preds.get_mut(id) {
            p.branches = true;
        }
    }

    /// What a bare variant gives way to once elements were seen that use more links than it has.
    pub(crate) fn instead(&self, id: PredId, trees: Trees) -> Option<PredId> {
        if trees == Trees::BesideLists {
            return None;
        }
        let all = std::iter::once(id).chain(self.get(id).weaker.iter().copied());
        let bare = all.filter_map(|p| self.get(p).bare_of).find(|p| self.get(*p).branches)?;
        Some(bare)
    }

    /// Whether every instance of `special` is one of `general`.
    pub fn implies(&self, special: PredId, general: PredId) -> bool {
        let special_pred = self.get(special);
        special == general || special_pred.weaker.contains(&general) || special_pred.larger.contains(&general)
    }

    /// The predicate that says most among those that both imply.
    pub fn common(&self, a: PredId, b: PredId) -> Option<PredId> {
        if self.implies(a, b) {
            return Some(b);
        }
        let (weaker, larger) = (&self.get(a).weaker, &self.get(a).larger);
        std::iter::once(a).chain(larger.iter().chain(weaker).copied()).find(|w| self.implies(b, *w))
    }

    /// The predicate without the numbers that `id` fixes.
    pub fn skeleton(&self, id: PredId) -> PredId {
        self.get(id).weaker.last().copied().unwrap_or(id)
    }

    /// Whether a predicate that says more than `id` has elements with the numbers of this object.
    pub fn has_variant_for(&self, id: PredId, object: &Object) -> bool {
        self.preds.iter().filter(|p| p.weaker.contains(&id)).any(|p| {
            let mut cells =
                p.def.cases.iter().flat_map(|c| &c.cells).filter(|c| c.val.base == TermBase::Zero);
            let holds = |c: &CellSpec| object.cell(c.off, c.width) == Some(Val::int(c.val.off));
            cells.clone().next().is_some() && cells.all(holds)
        })
    }

    /// Whether some variant fixes the number at that offset of elements like this object, or the number is one that
    /// says which may follow.
    pub fn fixes(&self, object: &Object, off: u64) -> bool {
        self.preds.iter().filter(|p| p.variant_of.is_some() || p.step.is_some()).any(|p| {
            let step = p.step.and_then(|k| u16::try_from(k).ok()).map(Term::param);
            let told = |c: &CellSpec| c.off == off && (c.val.base == TermBase::Zero || Some(c.val) == step);
            p.def.cases.iter().any(|c| {
                let alike = |b: &BlockSpec| Some(b.size) == object.const_size() && b.record == object.record;
                c.block.as_ref().is_some_and(alike) && c.cells.iter().any(told)
            })
        })
    }
}

impl Case {
    /// The cells at which a sub-heap of its own hangs.
    pub(crate) fn sub_heaps(&self) -> impl Iterator<Item = (u64, u64)> {
        let hangs = |c: &&CellSpec| {
            let alone = self.cells.iter().filter(|d| d.val.base == c.val.base).count() == 1;
            let mut calls = self.calls.iter().filter(|call| call.terms().any(|t| t.base == c.val.base));
            let own = |call: &CallSpec| {
                matches!(call.callee, Callee::Other(_))
                    && call.end.is_none()
                    && call.args.first() == Some(&c.val)
            };
            alone
                && matches!(c.val.base, TermBase::Exist(_))
                && calls.next().is_some_and(own)
                && calls.next().is_none()
        };
        self.cells.iter().filter(hangs).map(|c| (c.off, c.width))
    }

    /// The call that describes the sub-heap at a cell.
    fn sub_heap_at(&self, off: u64) -> Option<&CallSpec> {
        self.sub_heaps().find(|(at, _)| *at == off)?;
        let root = self.cells.iter().find(|c| c.off == off)?.val;
        self.calls.iter().find(|call| call.args.first() == Some(&root))
    }

    /// Takes away the sub-heap at a cell, which becomes null.
    fn empty_at(&mut self, off: u64, call: &CallSpec) -> Option<()> {
        let cell = self.cells.iter_mut().find(|c| c.off == off)?;
        let TermBase::Exist(gone) = cell.val.base else { return None };
        cell.val = Term::int(0);
        self.calls.retain(|other| other != call);
        self.drop_exist(gone)?;
        // What only the sub-heap was about goes with it.
        let mut rest: Vec<u16> = (call.args.iter().skip(1))
            .filter_map(|t| match t.base {
                TermBase::Exist(i) => Some(if i > gone { i - 1 } else { i }),
                _ => None,
            })
            .collect();
        rest.sort_unstable();
        rest.dedup();
        for i in rest.into_iter().rev() {
            // Others may know it as well.
            let _ = self.drop_exist(i);
        }
        Some(())
    }

    /// Takes an existential away that nothing mentions any more; `None` if something does.
    pub(crate) fn drop_exist(&mut self, gone: u16) -> Option<()> {
        let gone_base = TermBase::Exist(gone);
        let mentioned = self.cells.iter().any(|c| c.val.base == gone_base)
            || self.calls.iter().any(|c| c.terms().any(|t| t.base == gone_base))
            || self.facts.iter().any(|f| f.terms().any(|t| t.base == gone_base));
        self.exists = self.exists.checked_sub(1).filter(|_| !mentioned)?;
        self.map_terms(|t| match t.base {
            TermBase::Exist(i) if i > gone => Term { base: TermBase::Exist(i - 1), ..t },
            _ => t,
        });
        Some(())
    }
}

impl Definition {
    /// The definition whose elements have sub-heaps at these cells.
    pub(crate) fn with_not_null(mut self, cells: &[u64]) -> Definition {
        for case in self.cases.iter_mut().filter(|c| c.block.is_some()) {
            for cell in case.cells.iter().filter(|c| cells.contains(&c.off)) {
                case.facts.push(Fact::Ne(cell.val, Term::int(0)));
            }
        }
        self
    }

    /// The definition whose elements hold the addresses of functions in cells that were free.
    pub(crate) fn with_functions(&self, functions: &[(u64, FuncId)]) -> Option<Definition> {
        let mut def = self.clone();
        for case in def.cases.iter_mut().filter(|c| c.block.is_some()) {
            for (off, function) in functions {
                let at = case.cells.iter().position(|c| c.off == *off)?;
                let term = case.cells[at].val;
                let TermBase::Exist(gone) = term.base else { return None };
                if !case.is_free(&term) {
                    return None;
                }
                case.cells[at].val = Term { base: TermBase::Func(*function), off: 0 };
                case.drop_exist(gone)?;
            }
        }
        Some(def)
    }

    /// The definition with numbers for cells that were free.
    pub(crate) fn with_numbers(&self, numbers: &[(u64, i128)]) -> Option<Definition> {
        self.bounding(&numbers.iter().map(|(off, n)| (*off, Interval::point(*n))).collect())
    }

    /// The definition with numbers, or bounds, for cells that were free; for definitions with one block case.
    fn bounding(&self, numbers: &Ranges) -> Option<Definition> {
        let mut def = self.clone();
        let mut blocks = def.cases.iter_mut().filter(|c| c.block.is_some());
        let (case, None) = (blocks.next()?, blocks.next()) else { return None };
        for (off, range) in numbers {
            let at = case.cells.iter().position(|c| c.off == *off)?;
            let term = case.cells[at].val;
            let TermBase::Exist(gone) = term.base else { return None };
            if !case.is_free(&term) {
                return None;
            }
            let Some(n) = range.lo.filter(|l| range.hi == Some(*l)) else {
                case.facts.push(Fact::In(term, *range));
                continue;
            };
            case.cells[at].val = Term::int(n);
            case.drop_exist(gone)?;
        }
        Some(def)
    }
}
