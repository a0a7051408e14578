//! What follows from a definition: links, back and shared parameters, what can be reached.
//!
//! **Invariant:** everything here is a function of the definition, or of the table it is in; it is computed once, when the
//! predicate is added.

use super::definition::{BlockSpec, CallSpec, Callee, Case, Definition, Fact, PredId, Term, TermBase};
use super::monotone::Monotone;
use super::path::Path;
use super::per_param::{PerParam, param_of};
use crate::object::Object;
use heapwise_ir::RecordId;
use heapwise_numeric::Interval;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Where a definition comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Written by the user.
    Declared,
    /// Read off a recursive type.
    Derived,
    /// Found in the states.
    Discovered,
    /// Such a structure with numbers of its elements related.
    Related,
}

impl Origin {
    /// Whether the cases speak of numbers for their own sake: what they say of them is what is to be kept.
    pub(crate) fn is_about_numbers(self) -> bool {
        matches!(self, Origin::Declared | Origin::Related)
    }
}

/// A definition with what is derived from it.
#[derive(Clone, Debug)]
pub struct Pred {
    /// Where it comes from.
    pub origin: Origin,
    /// Its name.
    pub name: String,
    /// Its structure.
    pub def: Definition,
    /// For each parameter, `Some(c)` if every recursive call passes `root + c` for it: then at the far end of a
    /// non-empty segment the argument minus `c` is the address of the last element.
    pub back: PerParam<Option<i128>>,
    /// For each parameter, `Some(c)` if it is `root + c` wherever there is an element: the address by which another chain of
    /// links leads to the same element.
    pub twin: PerParam<Option<i128>>,
    /// For each parameter, whether every recursive call passes it on unchanged.
    pub shared: PerParam<bool>,
    /// Recursive links: offsets of the cells whose value is the root of a recursive call, and what must be
    /// subtracted from the cell's value to get the root.
    pub links: Vec<Link>,
    /// Predicates with the same parameters that every instance of this one satisfies too, because they say
    /// nothing of some numbers that this one fixes. The ones that say most come first, the last is the skeleton.
    pub weaker: Vec<PredId>,
    /// For each parameter, which other values of it a whole instance has as well.
    pub(crate) monotone: PerParam<Monotone>,
    /// For each parameter that all elements share as a bound, one that any numbers of their types keep.
    pub(crate) neutral: PerParam<Option<i128>>,
    /// For each parameter, where it lies in any whole instance.
    pub(crate) ranges: PerParam<Interval>,
    /// For each parameter, whether every element passes it on reduced by a constant: it counts something along the structure, and
    /// linear relations with it are worth to be looked for.
    pub(crate) descends: PerParam<bool>,
    /// For each parameter, whether it is the *length* of a list: one less for each element, and nothing else is said of it. Then a
    /// segment is one with both ends moved by the same amount, so that only their distance matters (module [`crate::pred::length`]).
    pub(crate) length: PerParam<bool>,
    /// For each parameter, whether elements only pass it on: then a segment is one for any value of it.
    pub phantom: PerParam<bool>,
    /// For each parameter, whether no case speaks of it: then a structure with an element is one for any value of it.
    pub ghost: PerParam<bool>,
    /// For each parameter, whether every element holds it in a cell: then it can be reached from any element.
    pub holds: PerParam<bool>,
    /// For each parameter, whether what an element passes on for it can be reached from that element.
    pub passes: PerParam<bool>,
    /// For each parameter, whether it can be reached from the root of an instance that has an element.
    pub reaches: PerParam<bool>,
    /// The parameter that is a number in the first element, if cases say which number may follow it.
    pub(crate) step: Option<usize>,
    /// For a structure whose elements are of several kinds, the predicates for more of these kinds.
    pub(crate) larger: Vec<PredId>,
    /// For a predicate with several links, whether elements were seen that use more than one of them.
    pub(crate) branches: bool,
    /// For elements of a skip list, offsets and widths of the links that only higher elements have.
    pub(crate) above: Vec<(u64, u64)>,
    /// For elements of a skip list, the predicates for higher elements that every whole instance satisfies as well.
    pub(crate) higher: Vec<PredId>,
    /// For a variant some of whose links are always null, the predicate that it is a variant of.
    pub(crate) bare_of: Option<PredId>,
    /// For a variant, the predicate it is a variant of, and what it says of the numbers at some offsets.
    pub(crate) variant_of: Option<(PredId, Ranges)>,
    /// The paths that a segment can take, once they are asked for ([`PredTable::segment_paths`]).
    pub(crate) segment: OnceLock<Path>,
}

impl Pred {
    /// Whether no case speaks of argument `k`, counted without the root.
    pub(crate) fn is_ghost(&self, k: usize) -> bool {
        self.ghost.arg(k)
    }

    /// Whether what is passed for argument `k` stands for missing elements, as null does elsewhere: no element holds it
    /// but where there is no next one.
    pub fn ends_at(&self, k: usize) -> bool {
        let Ok(param) = u16::try_from(param_of(k)) else { return false };
        let end = Fact::Eq(Term::ROOT, Term::param(param));
        let stored = |c: &Case| c.cells.iter().any(|cell| cell.val.base == TermBase::Param(param));
        self.def.cases.iter().any(|c| c.block.is_none() && c.facts.contains(&end))
            && !self.def.cases.iter().any(stored)
    }

    /// Whether an object has the size of an element, and is not known to be used as another record.
    pub fn fits(&self, object: &Object) -> bool {
        let same_record = |r: Option<RecordId>| r.is_none() || object.record.is_none() || r == object.record;
        let fits = |b: &BlockSpec| b.may_have_size(object.const_size()) && same_record(b.record);
        self.def.cases.iter().any(|c| c.block.as_ref().is_some_and(fits))
    }

    /// How much a declared predicate says of the numbers in its elements.
    pub(crate) fn strictness(&self) -> usize {
        let blocks = self.def.cases.iter().filter(|c| c.block.is_some() && self.origin.is_about_numbers());
        let fixed = |c: &Case| c.cells.iter().filter(|cell| cell.val.base == TermBase::Zero).count();
        blocks.map(|c| c.facts.len() + fixed(c)).sum()
    }

    /// Whether argument `k` is a number of which the cases of a declared predicate say something.
    pub(crate) fn counts(&self, k: usize) -> bool {
        let bounded = self.ranges.get(param_of(k)).is_some_and(|r| *r != Interval::FULL);
        self.origin.is_about_numbers() && (bounded || self.monotone.arg(k).is_some())
    }

    /// Whether some parameter counts something along the structure.
    pub(crate) fn counts_along(&self) -> bool {
        self.descends.iter().any(|d| *d)
    }

    /// Whether no case has calls.
    pub fn is_plain(&self) -> bool {
        self.def.cases.iter().all(|c| c.calls.is_empty())
    }

    /// Whether a case says something of the cell at this offset.
    pub(super) fn describes(&self, off: u64) -> bool {
        self.def.cases.iter().any(|c| c.cells.iter().any(|c| c.off == off))
    }
}

impl Pred {
    /// Whether an object holds numbers of which no case for such blocks says even that they are there.
    pub(crate) fn leaves_out(&self, object: &Object) -> bool {
        let alike = |c: &&Case| c.block.as_ref().is_some_and(|b| Some(b.size) == object.const_size());
        let mentions = |c: &Case, off: u64| c.cells.iter().any(|s| s.off <= off && off < s.off + s.width);
        let numbers = object.cells().filter(|(_, c)| c.val.as_int().is_some());
        let mut cases = self.def.cases.iter().filter(alike);
        numbers.into_iter().any(|(off, _)| cases.clone().all(|c| !mentions(c, off))) && cases.next().is_some()
    }
}

/// What a variant says of the numbers at some offsets of its elements.
pub(crate) type Ranges = BTreeMap<u64, Interval>;

/// A cell that leads to the next element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// Case and call.
    pub case: usize,
    /// Index of the call within the case.
    pub call: usize,
    /// Offset of the cell.
    pub off: u64,
    /// The cell holds the next root plus this.
    pub inner: i128,
}

pub(super) fn derive(name: String, def: Definition, origin: Origin) -> Pred {
    let n = usize::from(def.params);
    let mut back: Vec<Option<Option<i128>>> = vec![None; n];
    let mut shared = vec![true; n];
    let mut links = Vec::new();
    for (case_index, case) in def.cases.iter().enumerate() {
        for (call_index, call) in case.calls.iter().enumerate().filter(|(_, c)| c.callee == Callee::This) {
            for (i, arg) in call.args.iter().enumerate().take(n) {
                let here = (arg.base == TermBase::Param(0)).then_some(arg.off);
                if let Some(slot) = back.get_mut(i) {
                    *slot = match *slot {
                        None => Some(here),
                        Some(old) if old == here => Some(here),
                        Some(_) => Some(None),
                    };
                }
                if let Some(s) = shared.get_mut(i) {
                    *s &= i > 0 && *arg == Term::param(i as u16);
                }
            }
            if let Some(root) = call.args.first() {
                for cell in case.cells.iter().filter(|c| c.val.base == root.base) {
                    let inner = cell.val.off - root.off;
                    links.push(Link { case: case_index, call: call_index, off: cell.off, inner });
                }
            }
        }
    }
    let stored = |case: &Case, base: TermBase| case.cells.iter().any(|c| c.val.base == base);
    let blocks = || def.cases.iter().filter(|c| c.block.is_some());
    let holds: PerParam<bool> =
        (0..def.params).map(|i| i == 0 || blocks().all(|c| stored(c, TermBase::Param(i)))).collect();
    let passes = (0..n)
        .map(|i| {
            blocks().all(|case| {
                let own = case.calls.iter().filter(|c| c.callee == Callee::This);
                own.into_iter().filter_map(|c| c.args.get(i)).all(|arg| match arg.base {
                    TermBase::Zero | TermBase::Func(_) | TermBase::Param(0) => true,
                    TermBase::Param(p) => holds.get(usize::from(p)) == Some(&true),
                    TermBase::Exist(_) => stored(case, arg.base),
                })
            })
        })
        .collect();
    let phantom = (0..n)
        .map(|i| {
            let param = TermBase::Param(i as u16);
            i > 0
                && blocks().all(|case| {
                    let passed = |c: &CallSpec| {
                        let other = c.args.iter().enumerate().any(|(j, t)| {
                            t.base == param && (j != i || c.callee != Callee::This || t.off != 0)
                        }) || c.end.iter().flatten().any(|t| t.base == param);
                        !other && (c.callee != Callee::This || c.args.get(i).map(|t| t.base) == Some(param))
                    };
                    !stored(case, param)
                        && case.calls.iter().all(passed)
                        && !case.facts.iter().any(|f| f.terms().any(|t| t.base == param))
                })
        })
        .collect();
    let descends: PerParam<bool> =
        (0..def.params).map(|i| !links.is_empty() && super::length::descends(&def, i)).collect();
    let length = (0..def.params).map(|i| super::length::is_length(&def, i)).collect();
    let ghost =
        (0..def.params).map(|i| i > 0 && !def.cases.iter().any(|c| c.mentions(TermBase::Param(i)))).collect();
    let back = back.into_iter().map(Option::flatten).collect();
    let twin = (0..def.params)
        .map(|i| {
            let mut distances = blocks().map(|case| case.distance_from_root(i));
            let first = distances.next().flatten().filter(|_| i > 0);
            first.filter(|_| distances.all(|d| d == first))
        })
        .collect();
    Pred {
        monotone: PerParam::default(),
        neutral: crate::pred::monotone::neutral(&def),
        ranges: crate::pred::monotone::ranges(&def),
        descends,
        length,
        phantom,
        ghost,
        origin,
        name,
        def,
        back,
        twin,
        shared: shared.into_iter().collect(),
        links,
        weaker: Vec::new(),
        step: None,
        larger: Vec::new(),
        branches: false,
        above: Vec::new(),
        higher: Vec::new(),
        bare_of: None,
        variant_of: None,
        segment: OnceLock::new(),
        holds,
        passes,
        reaches: PerParam::default(),
    }
}
