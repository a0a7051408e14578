//! From what a run lacked to the starts that are tried next (Calcagno, Distefano, O'Hearn, Yang 2009, §3: the missing part).
//!
//! Memory that is missing behind a pointer becomes a block of the pointer's type, which may be null as long as no run
//! follows a null pointer there; blocks of one type that hold each other become a structure once a third is asked for, or a second
//! one where the function goes round. So the missing part stays as small as what was asked for.

use super::family::{Family, Kind};
use super::fields;
use super::start::{Condition, Given, Shape, Slot, Start, Way};
use crate::demand::{Demand, Observed, Origin};
use heapwise_ir::{Ty, TypeTable};
use std::collections::BTreeMap;

/// Blocks of one type in a row that stay blocks, in a function that goes round and in one that does not.
const ROUND: usize = 1;
const STRAIGHT: usize = 2;
/// Guesses at whose pointer it is where nothing says so.
const GUESSES: usize = 3;

pub(super) struct Refining<'a> {
    pub(super) types: &'a TypeTable,
    /// Whether the function has loops, or calls itself.
    pub(super) goes_round: bool,
    /// Whether it calls itself in several places, or in one beside a loop, as functions on trees do.
    pub(super) branches: bool,
    /// Where the values are that a run holds, by the number of their cutpoints.
    pub(super) held: Vec<Option<Way>>,
}

impl Refining<'_> {
    /// The starts to be tried after one that lacked something, the most promising first.
    pub(super) fn after(&self, start: &Start, demand: &Demand) -> Vec<Start> {
        match demand {
            Demand::Memory { origins, wanted, start: at } => self.memory(start, origins, (*wanted, *at)),
            Demand::NotNull(origins) => self.not_null(start, origins),
            Demand::Unless(observed) => self.otherwise(start, observed),
        }
    }

    fn memory(&self, start: &Start, origins: &[Origin], missing: (Option<Ty>, i128)) -> Vec<Start> {
        let wanted = missing.0;
        let mut found = Vec::new();
        for origin in origins {
            for way in self.places(start, *origin) {
                found.extend(self.grown(start, &way, missing));
            }
            if let Origin::Field(Some(record), off) = origin {
                let of = |ty: &&Ty| fields::record_of(self.types, **ty) == Some(*record);
                for ty in start.families.keys().filter(of) {
                    found.extend(self.richer(start, *ty, *off));
                }
            }
        }
        if found.is_empty() {
            let open = start
                .ways(self.types)
                .into_iter()
                .filter(|(way, to)| start.shape(way) == Some(&Shape::ANY) && wanted.is_none_or(|w| w == *to));
            // What was added last is most likely what is walked along.
            let mut open: Vec<Way> = open.map(|(way, _)| way).collect();
            open.sort_by_key(|way| std::cmp::Reverse(way.1.len()));
            open.truncate(GUESSES);
            found.extend(open.iter().flat_map(|way| self.grown(start, way, missing)));
        }
        if found.is_empty() {
            // Something inside of a structure, of which no cell holds it any more.
            let kinds = start.families.keys().flat_map(|ty| {
                fields::pointers(self.types, *ty).into_iter().map(move |(off, to)| (*ty, off, to))
            });
            let fitting = kinds.filter(|(.., to)| wanted.is_none_or(|w| w == *to)).take(GUESSES);
            found.extend(fitting.flat_map(|(ty, off, _)| self.richer(start, ty, off)));
        }
        found
    }

    /// The pointers of a start that an origin names.
    fn places(&self, start: &Start, origin: Origin) -> Vec<Way> {
        let slot = |is: &dyn Fn(Given) -> bool| {
            let at = start.slots.iter().position(|s| is(s.of));
            at.map(|i| (i, Vec::new())).into_iter().collect()
        };
        match origin {
            Origin::Held(i) => self.held.get(i).cloned().flatten().into_iter().collect(),
            Origin::Global(g) => slot(&|of| of == Given::Global(g)),
            Origin::Field(record, off) => {
                let is = |way: &Way| {
                    let holder = start.holder(self.types, way);
                    way.1.last() == Some(&off)
                        && holder.is_some_and(|ty| fields::record_of(self.types, ty) == record)
                };
                start.ways(self.types).into_iter().map(|(way, _)| way).filter(is).collect()
            }
        }
    }

    /// Memory is added behind a pointer of which nothing is known.
    fn grown(&self, start: &Start, way: &Way, (wanted, at): (Option<Ty>, i128)) -> Vec<Start> {
        let Some(shape @ Shape::Open(conditions)) = start.shape(way) else { return Vec::new() };
        if conditions.contains(&Condition::Equals(0)) {
            return Vec::new();
        }
        let nullable = shape.may_be_null();
        let Some((_, to)) = start.ways(self.types).into_iter().find(|(w, _)| w == way) else {
            return Vec::new();
        };
        let fits = |w: Ty| self.types.size(w) <= self.types.size(to);
        if !fields::is_describable(self.types, to) || at != 0 || !wanted.is_none_or(fits) {
            return self.around(start, way, nullable, (wanted, at)).into_iter().collect();
        }
        if start.families.contains_key(&to) {
            return vec![start.with(way, Shape::Structure { nullable })];
        }
        let links = fields::links(self.types, to);
        let depth = start.depth(self.types, way, to);
        let most = if self.goes_round { ROUND } else { STRAIGHT };
        if links.is_empty() || depth < most {
            let mut block = start.with(way, Shape::Block { nullable, around: None, fields: BTreeMap::new() });
            // What is loaded from a block and followed is initialised.
            block.initialised |= !way.1.is_empty();
            return vec![block];
        }
        let mut asked: Vec<u64> = links
            .iter()
            .copied()
            .filter(|link| {
                way.1.last() == Some(link)
                    || start.ways(self.types).iter().any(|(w, _)| {
                        w.1.last() == Some(link)
                            && start.holder(self.types, w) == Some(to)
                            && start.shape(w).is_some_and(|s| *s != Shape::ANY)
                    })
            })
            .collect();
        asked.sort_unstable();
        let kinds = Kind::guesses(&asked, &links);
        kinds.into_iter().map(|kind| self.structured(start, to, Family::of(kind))).collect()
    }

    /// Memory is added around a pointer whose own type does not say what it leads to: the code takes it for a pointer to
    /// another type, or for one into the middle of a block.
    fn around(
        &self,
        start: &Start,
        way: &Way,
        nullable: bool,
        (wanted, at): (Option<Ty>, i128),
    ) -> Option<Start> {
        let of = wanted.filter(|ty| fields::is_describable(self.types, *ty))?;
        let inside = u64::try_from(at.checked_neg()?).ok()?;
        let is_inside = inside < self.types.size(of);
        let block = Shape::Block { nullable, around: Some((of, inside)), fields: BTreeMap::new() };
        let mut next = is_inside.then(|| start.with(way, block))?;
        next.initialised |= !way.1.is_empty();
        Some(next)
    }

    /// Blocks of a type give way to a structure.
    fn structured(&self, start: &Start, to: Ty, family: Family) -> Start {
        let mut start = start.clone();
        // What single blocks own, elements own.
        let mut family = family;
        let mut inner = Vec::new();
        for (way, target) in start.ways(self.types) {
            let holder = start.holder(self.types, &way);
            let shape = start.shape(&way);
            if holder == Some(to) && target != to && shape.is_some_and(|s| *s != Shape::ANY) {
                inner.extend(way.1.last().map(|off| (*off, target)));
            }
        }
        for (off, target) in inner {
            family.owned.insert(off, target);
            start.families.entry(target).or_insert(Family::of(Kind::One));
        }
        start.families.insert(to, family);
        loop {
            let block = start.ways(self.types).into_iter().find_map(|(way, ty)| match start.shape(&way) {
                Some(Shape::Block { nullable, around: None, .. }) if ty == to => Some((way, *nullable)),
                _ => None,
            });
            let Some((way, nullable)) = block else { return start };
            start = start.with(&way, Shape::Structure { nullable });
        }
    }

    /// Elements of a structure are known to lead to more by a pointer.
    fn richer(&self, start: &Start, ty: Ty, off: u64) -> Vec<Start> {
        let Some(family) = start.families.get(&ty) else { return Vec::new() };
        let links = fields::links(self.types, ty);
        if links.contains(&off) {
            let mut kinds = family.kind.stronger(off, &links);
            if self.branches {
                kinds.sort_by_key(|kind| !matches!(kind, Kind::Tree(_) | Kind::TreeUp { .. }));
            }
            return kinds
                .into_iter()
                .map(|kind| {
                    // A block before a ring would not be a part of it.
                    if kind.is_never_null() {
                        return self.structured(start, ty, Family { kind, ..family.clone() });
                    }
                    let mut next = start.clone();
                    next.families.insert(ty, Family { kind, ..family.clone() });
                    next
                })
                .collect();
        }
        let Some(to) = fields::target(self.types, ty, off) else { return Vec::new() };
        if family.owned.contains_key(&off) || !fields::is_describable(self.types, to) {
            return Vec::new();
        }
        let mut next = start.clone();
        next.families.entry(to).or_insert(Family::of(Kind::One));
        next.families.entry(ty).and_modify(|f| {
            f.owned.insert(off, to);
        });
        vec![next]
    }

    /// Single characters that were too few are texts: all of them, or those behind one pointer.
    pub(super) fn texts(&self, start: &Start) -> Vec<Start> {
        let is_character = |ty: Ty| fields::is_character(self.types, ty);
        let mut single: Vec<(Way, Ty, bool)> = Vec::new();
        for (way, ty) in start.ways(self.types) {
            if let Some(Shape::Block { nullable, around: None, .. }) = start.shape(&way)
                && is_character(ty)
            {
                single.push((way, ty, *nullable));
            }
        }
        let text = || Family::of(Kind::Text);
        let with = |chosen: &[(Way, Ty, bool)]| {
            let mut next = start.clone();
            for (way, ty, nullable) in chosen {
                next.families.insert(*ty, text());
                next = next.with(way, Shape::Structure { nullable: *nullable });
            }
            // What elements own is told by the type alone.
            for (_, family) in
                next.families.iter_mut().filter(|(ty, f)| is_character(**ty) && f.kind == Kind::One)
            {
                *family = text();
            }
            next
        };
        let mut found = vec![with(&single)];
        if single.len() > 1 {
            found.extend(single.iter().take(GUESSES).map(|one| with(std::slice::from_ref(one))));
        }
        found.retain(|next| next != start);
        found
    }

    /// Single scalars that were too few are arrays whose length the function is given: all of them, or those behind one pointer.
    pub(super) fn arrays(&self, start: &Start) -> Vec<Start> {
        let mut single: Vec<(Way, bool)> = Vec::new();
        for (way, ty) in start.ways(self.types) {
            let is_array = match start.shape(&way) {
                Some(Shape::Block { around: None, fields, .. }) => {
                    fields.is_empty() && self.types.is_scalar(ty)
                }
                Some(Shape::Structure { .. }) => start.is_text(ty),
                _ => false,
            };
            if is_array && way.1.is_empty() {
                let nullable = start.shape(&way).is_some_and(Shape::may_be_null);
                single.push((way, nullable));
            }
        }
        let is_number = |(i, s): (usize, &Slot)| self.types.as_int(s.ty).map(|_| i);
        let lengths: Vec<usize> = start.slots.iter().enumerate().filter_map(is_number).collect();
        let with = |chosen: &[(Way, bool)], length: usize| {
            let array = |next: Start, (way, nullable): &(Way, bool)| {
                next.with(way, Shape::Array { nullable: *nullable, length })
            };
            chosen.iter().fold(start.clone(), array).without_unused_families(self.types)
        };
        let mut found = Vec::new();
        for length in lengths.into_iter().take(GUESSES) {
            found.push(with(&single, length));
            if single.len() > 1 {
                found.extend(single.iter().take(GUESSES).map(|one| with(std::slice::from_ref(one), length)));
            }
        }
        found.retain(|next| next != start);
        found
    }

    fn not_null(&self, start: &Start, origins: &[Origin]) -> Vec<Start> {
        let nullable = |way: &Way| {
            matches!(
                start.shape(way),
                Some(
                    Shape::Block { nullable: true, .. }
                        | Shape::Structure { nullable: true }
                        | Shape::Array { nullable: true, .. }
                )
            )
        };
        let mut named: Vec<Way> =
            origins.iter().flat_map(|o| self.places(start, *o)).filter(|way| nullable(way)).collect();
        named.dedup();
        let mut found: Vec<Start> = named.iter().map(|way| self.present(start, way)).collect();
        found.extend(origins.iter().filter_map(|o| self.present_in_elements(start, *o)));
        if found.is_empty() {
            // A null pointer that was read from an element: the structure is longer than that.
            let longer = start.ways(self.types).into_iter().filter_map(|(way, to)| match start.shape(&way) {
                Some(Shape::Structure { nullable: false }) if way.1.len() < STRAIGHT => {
                    let link =
                        start.families.get(&to).filter(|f| !f.kind.is_never_null())?.kind.first_link()?;
                    let fields = BTreeMap::from([(link, Shape::Structure { nullable: false })]);
                    let mut next = start.with(&way, Shape::Block { nullable: false, around: None, fields });
                    next.initialised = true;
                    Some(next)
                }
                _ => None,
            });
            found.extend(longer);
            let others = start.ways(self.types).into_iter().filter(|(way, _)| nullable(way));
            let others: Vec<Way> = others.map(|(way, _)| way).collect();
            found.extend(others.iter().map(|way| self.present(start, way)));
        }
        found
    }

    /// What elements of a structure own by a field is there in each of them.
    fn present_in_elements(&self, start: &Start, origin: Origin) -> Option<Start> {
        let Origin::Field(record, off) = origin else { return None };
        let mut next = start.clone();
        let mut families = next.families.iter_mut();
        let (_, family) = families.find(|(ty, f)| {
            record.is_some() && fields::record_of(self.types, **ty) == record && f.owned.contains_key(&off)
        })?;
        family.present.insert(off).then_some(next)
    }

    /// The pointer at a place is not null.
    fn present(&self, start: &Start, way: &Way) -> Start {
        match start.shape(way) {
            Some(Shape::Block { around, fields, .. }) => {
                let (around, fields) = (*around, fields.clone());
                start.with(way, Shape::Block { nullable: false, around, fields })
            }
            Some(Shape::Structure { .. }) => start.with(way, Shape::Structure { nullable: false }),
            Some(Shape::Array { length, .. }) => {
                start.with(way, Shape::Array { nullable: false, length: *length })
            }
            _ => start.clone(),
        }
    }

    /// The same start with a condition under which one of the values is not what it was where an assertion failed.
    fn otherwise(&self, start: &Start, observed: &[(Origin, Observed)]) -> Vec<Start> {
        let mut found = Vec::new();
        for (origin, observed) in observed {
            for way in self.places(start, *origin) {
                let Some(ty) = start.type_at(self.types, &way) else { continue };
                let whole = self.types.as_int(ty).map(|int| (int.min(), int.max()));
                for condition in excluding(*observed, whole) {
                    found.extend(self.with_condition(start, &way, condition));
                }
            }
        }
        // Pointers that are there are what assertions ask for most; what was named last was looked at last.
        found.sort_by_key(|(condition, _)| *condition != Condition::Differs(0));
        found.into_iter().map(|(_, start)| start).collect()
    }

    /// The starts in which one more number that is passed is not zero.
    pub(super) fn nonzero_arguments(&self, start: &Start) -> Vec<Start> {
        let slots = start.slots.iter().enumerate();
        let numbers =
            slots.filter(|(_, s)| matches!(s.of, Given::Param(_)) && self.types.as_int(s.ty).is_some());
        let nonzero = |i| self.with_condition(start, &(i, Vec::new()), Condition::Differs(0));
        numbers.filter_map(|(i, _)| Some(nonzero(i)?.1)).collect()
    }

    fn with_condition(&self, start: &Start, way: &Way, condition: Condition) -> Option<(Condition, Start)> {
        let next = match start.shape(way)? {
            Shape::Open(known) if known.iter().all(|k| !k.contradicts(condition)) => {
                let mut known = known.clone();
                known.insert(condition).then(|| start.with(way, Shape::Open(known)))?
            }
            shape if shape.may_be_null() && condition == Condition::Differs(0) => self.present(start, way),
            shape if shape.may_be_null() && condition == Condition::Equals(0) => {
                start.with(way, Shape::Open([condition].into()))
            }
            _ => return None,
        };
        let mut next = next;
        // What is looked at is initialised.
        next.initialised |= !way.1.is_empty();
        Some((condition, next))
    }
}

/// The conditions that exclude what was observed of a value with that range.
fn excluding(observed: Observed, whole: Option<(i128, i128)>) -> Vec<Condition> {
    match observed {
        Observed::NotZero => vec![Condition::Equals(0)],
        Observed::Within(Some(lo), Some(hi)) if lo == hi => vec![Condition::Differs(lo)],
        Observed::Within(lo, hi) => {
            let (min, max) = whole.unwrap_or((i128::MIN, i128::MAX));
            let above = hi.filter(|hi| *hi < max).map(|hi| Condition::AtLeast(hi + 1));
            let below = lo.filter(|lo| *lo > min).map(|lo| Condition::AtMost(lo - 1));
            above.into_iter().chain(below).collect()
        }
    }
}
