//! Predicates that relate the numbers of their elements: connectors as parameters (Siegel and Simon, *Shape analysis with
//! connectors*, §3 and §4).
//!
//! Where blocks are put together into a summary, how the number in one is related to that in the next is lost, unless the
//! predicate says it. A connector between an element and the next is a parameter here: each element is bounded by it, and passes
//! on a bound for what follows. What is passed on along a link says how far the relation goes.
//!
//! | passed on | is | for a list `p(x, k)`, a number `v` |
//! |---|---|---|
//! | the number of the element, plus a constant | a connector to all that follow: order passes from bound to bound | `k ≤ v`, then `p(n, v)` |
//! | the bound itself | one to a number outside: a bound of all elements | `k ≤ v`, then `p(n, k)` |
//! | the number, which is the parameter | a one-step connector: what the next number *is* | `v = k`, then `p(n, k + 1)` |
//!
//! In a tree what is passed on to the left and to the right differs: lower bounds go on to the left as they are and to the right as the number of
//! the element, upper bounds the other way round, which is a search tree. Relations of numbers within an element are facts.
//!
//! Which relations there may be is guessed from states in which the elements are still objects ([`Relations`]), and from nothing
//! where bounds come from outside. Like all definitions these describe only what the matching engine has shown to satisfy them, and folding,
//! unfolding, joins and inclusion treat the parameters as they do those of declared predicates: folding instances into
//! one relates their parameters, unfolding one relates the elements (*fold*, *expand* and the application of definite
//! connectors of the paper).
//!
//! Cost: some definitions for each structure of the attempt that asks for them; nothing otherwise.

use super::definition::{Callee, Case, Definition, Fact, PredId, Term, TermBase};
use super::properties::{Link, Origin};
use super::table::PredTable;
use heapwise_ir::{RecordId, Type, TypeTable};
use heapwise_numeric::Interval;
use std::collections::BTreeMap;

/// Most numbers of an element that are looked at.
pub(crate) const MAX_FIELDS: usize = 3;
/// Most scalars of a record that are looked at.
const MAX_SCALARS: usize = 32;

/// Two numbers that may be related: offsets in an element and in the one that a link leads to, or in the same element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Way {
    /// What the elements are.
    pub record: RecordId,
    /// The offset of the link; none within an element.
    pub link: Option<u64>,
    /// The offset of the number where the link is.
    pub from: u64,
    /// The offset of the number where it leads to.
    pub to: u64,
}

/// How often the second number was seen to be what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// At least the first.
    pub rises: usize,
    /// Greater.
    pub above: usize,
    /// At most the first.
    pub falls: usize,
    /// Less.
    pub below: usize,
    /// By how much it differed, if that was always the same.
    pub by: By,
}

/// By how much a number changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum By {
    /// None was seen.
    #[default]
    Nothing,
    /// Always by this.
    Always(i128),
    /// Not always by the same.
    Various,
}

impl By {
    fn and(self, other: By) -> By {
        match (self, other) {
            (By::Nothing, by) | (by, By::Nothing) => by,
            (a, b) if a == b => a,
            _ => By::Various,
        }
    }
}

/// Where a number goes along a link: never below, or never above, what this adds to the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Rising(i128),
    Falling(i128),
}

impl Seen {
    /// Takes in what was seen elsewhere.
    pub fn add(&mut self, other: Seen) {
        self.rises += other.rises;
        self.above += other.above;
        self.falls += other.falls;
        self.below += other.below;
        self.by = self.by.and(other.by);
    }

    /// Where the number goes, going by most of what was seen, or by the lesser part of it if there is one; equal numbers speak for
    /// neither.
    fn direction(&self, minor: bool) -> Option<Direction> {
        let rising = || Some(Direction::Rising(i128::from(self.above == self.rises)));
        let falling = || Some(Direction::Falling(-i128::from(self.below == self.falls)));
        match (self.above, self.below) {
            (0, 0) if self.rises > self.falls => rising(),
            (0, 0) if self.falls > self.rises => falling(),
            (up, down) if up > down => {
                if !minor || down == 0 {
                    rising()
                } else {
                    falling()
                }
            }
            (up, down) if down > up => {
                if !minor || up == 0 {
                    falling()
                } else {
                    rising()
                }
            }
            (0, _) => None,
            _ => {
                if minor {
                    falling()
                } else {
                    rising()
                }
            }
        }
    }
}

/// How numbers of neighbouring elements were seen to be related.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relations {
    seen: BTreeMap<Way, Seen>,
}

impl Relations {
    /// Takes in what was seen at one place.
    pub fn note(&mut self, way: Way, seen: Seen) {
        self.seen.entry(way).or_default().add(seen);
    }

    /// Takes in what was seen elsewhere.
    pub fn add(&mut self, other: &Relations) {
        other.seen.iter().for_each(|(way, seen)| self.note(*way, *seen));
    }

    fn direction(&self, way: Way, minor: bool) -> Option<Direction> {
        self.seen.get(&way)?.direction(minor)
    }
}

/// How definitions are called whose elements share their bounds.
const BOUNDED: &str = "bounded";

/// A number in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    /// Its offset.
    pub(crate) off: u64,
    /// Its width.
    pub(crate) width: u64,
    /// What it can be by its type.
    pub(crate) range: Interval,
}

/// The numbers in a record, the first ones.
pub(crate) fn numbers_of(types: &TypeTable, record: RecordId) -> Vec<Number> {
    let fields = types.records.get(record).into_iter().flat_map(|r| &r.fields).filter(|f| f.bits.is_none());
    let scalars = fields.flat_map(|f| {
        let inner = types.scalars(f.ty, MAX_SCALARS).into_iter();
        inner.map(|(off, ty)| (f.offset + off, ty))
    });
    let numbers = scalars.filter_map(|(off, ty)| match types.get(ty) {
        Type::Int(int) => {
            let int = *int;
            let range = Interval { lo: Some(int.min()), hi: Some(int.max()) };
            Some(Number { off, width: types.size(ty), range })
        }
        _ => None,
    });
    numbers.take(MAX_FIELDS).collect()
}

/// What an element passes on along a link for a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passed {
    /// The bound itself.
    Bound,
    /// The number at this offset, plus this.
    Number(u64, i128),
}

/// What relates the elements of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Relation {
    /// Bounds of the numbers at some offsets, from below or not, with what is passed on along each link.
    Bounds(Vec<(u64, bool, Vec<Passed>)>),
    /// The number at an offset is the parameter; the next one differs by so much along each link.
    Held(u64, Vec<i128>),
    /// The first number of an element is at most the second one, or equal to it.
    Facts(Vec<(u64, u64, bool)>),
}

impl Relation {
    /// How definitions with it are called.
    fn word(&self) -> &'static str {
        match self {
            Relation::Bounds(all)
                if all.iter().flat_map(|(.., passed)| passed).all(|p| *p == Passed::Bound) =>
            {
                BOUNDED
            }
            Relation::Bounds(_) => "ordered",
            Relation::Held(_, by) if by.iter().all(|n| *n == 0) => "equal",
            Relation::Held(..) => "numbered",
            Relation::Facts(_) => "agreeing",
        }
    }

    /// The same in the other direction, without constants.
    fn turned(&self) -> Relation {
        match self {
            Relation::Bounds(all) => {
                let turned = |(to, low, passed): &(u64, bool, Vec<Passed>)| {
                    let loose = |p: &Passed| match *p {
                        Passed::Number(from, _) => Passed::Number(from, 0),
                        Passed::Bound => Passed::Bound,
                    };
                    (*to, !low, passed.iter().map(loose).collect())
                };
                Relation::Bounds(all.iter().map(turned).collect())
            }
            Relation::Held(..) | Relation::Facts(_) => self.clone(),
        }
    }

    /// The definition with it; `None` if its cases do not leave these numbers open.
    fn within(&self, def: &Definition, links: &[u64], numbers: &[Number]) -> Option<Definition> {
        let mut def = def.clone();
        let first = def.params;
        def.params = first.checked_add(match self {
            Relation::Bounds(all) => u16::try_from(all.len()).ok()?,
            Relation::Held(..) => 1,
            Relation::Facts(_) => 0,
        })?;
        let mut related = false;
        for case in &mut def.cases {
            if case.block.is_some() {
                self.relate(case, links, numbers, first)?;
                related = true;
            } else if case.calls.iter().any(|c| c.callee == Callee::This) {
                return None;
            }
        }
        related.then_some(def)
    }

    fn relate(&self, case: &mut Case, links: &[u64], numbers: &[Number], first: u16) -> Option<()> {
        // Which link a call belongs to: the one that holds its root.
        let own = case.calls.iter().enumerate().filter(|(_, c)| c.callee == Callee::This);
        let mut calls: Vec<(usize, usize)> = Vec::new();
        for (at, call) in own {
            let root = call.args.first().filter(|_| call.end.is_none())?.base;
            let cell = case.cells.iter().find(|c| c.val.base == root)?;
            calls.push((at, links.iter().position(|l| *l == cell.off)?));
        }
        match self {
            Relation::Bounds(all) => {
                for (param, (to, low, passed)) in (first..).zip(all) {
                    let bound = Term::param(param);
                    let number = open_number(case, *to)?;
                    tell_range(case, *to, number, numbers)?;
                    case.facts.push(if *low { Fact::Le(bound, number) } else { Fact::Le(number, bound) });
                    for (at, link) in &calls {
                        let term = match *passed.get(*link)? {
                            Passed::Bound => bound,
                            Passed::Number(from, by) => open_number(case, from)?.plus(by),
                        };
                        case.calls.get_mut(*at)?.args.push(term);
                    }
                }
            }
            Relation::Held(off, by) => {
                let TermBase::Exist(gone) = open_number(case, *off)?.base else { return None };
                let held = Term::param(first);
                case.cells.iter_mut().filter(|c| c.off == *off).for_each(|c| c.val = held);
                case.drop_exist(gone)?;
                tell_range(case, *off, held, numbers)?;
                for (at, link) in calls {
                    case.calls.get_mut(at)?.args.push(held.plus(*by.get(link)?));
                }
            }
            Relation::Facts(all) => {
                for (a, b, equal) in all {
                    let y = open_number(case, *b)?;
                    let x = case.cells.iter().find(|c| c.off == *a)?.val;
                    tell_range(case, *a, x, numbers)?;
                    if !equal {
                        tell_range(case, *b, y, numbers)?;
                        case.facts.push(Fact::Le(x, y));
                        continue;
                    }
                    let TermBase::Exist(gone) = y.base else { return None };
                    case.cells.iter_mut().filter(|c| c.off == *b).for_each(|c| c.val = x);
                    case.drop_exist(gone)?;
                }
            }
        }
        Some(())
    }
}

/// That the number in a cell is one of its type, which a cell that is read must be.
fn tell_range(case: &mut Case, off: u64, number: Term, numbers: &[Number]) -> Option<()> {
    let told = Fact::In(number, numbers.iter().find(|n| n.off == off)?.range);
    if !case.facts.contains(&told) {
        case.facts.insert(0, told);
    }
    Some(())
}

/// The number in the cell at an offset, if it is any number of its own.
fn open_number(case: &Case, off: u64) -> Option<Term> {
    let term = case.cells.iter().find(|c| c.off == off)?.val;
    let alone = case.cells.iter().filter(|c| c.val.base == term.base).count() == 1;
    let called = case.calls.iter().filter(|c| c.callee != Callee::This);
    let told = called.into_iter().flat_map(|c| c.terms()).any(|t| t.base == term.base);
    (matches!(term.base, TermBase::Exist(_)) && term.off == 0 && alone && !told).then_some(term)
}

/// A structure, and its definitions with relations, each with the word for it.
type Choices = (PredId, Vec<Vec<(&'static str, Definition)>>);

/// What may relate elements, the likely first: what was seen, then what comes from outside and need not be seen.
fn relations(record: RecordId, links: &[u64], fields: &[u64], seen: &Relations) -> Vec<Vec<Relation>> {
    let mut found: Vec<Vec<Relation>> = Vec::new();
    let mut add = |relations: Vec<Relation>| {
        if !relations.is_empty() && !found.contains(&relations) {
            found.push(relations);
        }
    };
    let way = |link: Option<u64>, from: u64, to: u64| Way { record, link, from, to };
    // Of two numbers in an element, the one that is closer to what follows.
    let closer = |a: u64, b: u64, low: bool| {
        let (from, to) = (a.min(b), a.max(b));
        let direction = seen.direction(way(None, from, to), false);
        let second_is_more = matches!(direction, Some(Direction::Rising(_)));
        let known = direction.is_some();
        match known && second_is_more == low {
            true => to,
            false if known => from,
            false => a,
        }
    };
    // The bounds of a number along links, as far as they were seen.
    let bound = |to: u64, low: bool, (strict, minor): (bool, bool)| {
        let passed = |link: &u64| {
            let froms = fields.iter().filter_map(|from| {
                match (seen.direction(way(Some(*link), *from, to), minor)?, low) {
                    (Direction::Rising(by), true) | (Direction::Falling(by), false) => Some((*from, by)),
                    _ => None,
                }
            });
            let own_first = |a: (u64, i128), b: (u64, i128)| {
                let from = if a.0 == to || b.0 == to && closer(b.0, a.0, low) != a.0 {
                    closer(a.0, b.0, low)
                } else {
                    closer(b.0, a.0, low)
                };
                if from == a.0 { a } else { b }
            };
            let chosen = froms.reduce(own_first);
            chosen.map_or(Passed::Bound, |(from, by)| Passed::Number(from, if strict { by } else { 0 }))
        };
        let passed: Vec<Passed> = links.iter().map(passed).collect();
        passed.iter().any(|p| *p != Passed::Bound).then_some((to, low, passed))
    };
    let ordered = |how: (bool, bool)| {
        let sides = || fields.iter().flat_map(|to| [(*to, true), (*to, false)]);
        let all: Vec<_> = sides().filter_map(|(to, low)| bound(to, low, how)).collect();
        (!all.is_empty()).then_some(Relation::Bounds(all))
    };
    let (strict, loose) = (ordered((true, false)), ordered((false, false)));
    let other_way = ordered((false, true)).filter(|other| loose.as_ref() != Some(other));
    // What rises falls from its other end on, which need not have been seen.
    let other_way = other_way.or_else(|| loose.as_ref().filter(|_| links.len() == 1).map(Relation::turned));
    add(strict.into_iter().collect());
    for off in fields {
        let by = |link: &u64| match seen.seen.get(&way(Some(*link), *off, *off))?.by {
            By::Always(n) => Some(n),
            _ => None,
        };
        let by = links.iter().map(by).collect::<Option<Vec<i128>>>();
        add(by.filter(|b| b.iter().any(|n| *n != 0)).map(|b| Relation::Held(*off, b)).into_iter().collect());
    }
    add(loose.iter().cloned().collect());
    // Some lists may rise and others fall.
    add(loose.into_iter().chain(other_way).collect());
    let pairs = fields.iter().enumerate().flat_map(|(k, a)| fields.iter().skip(k + 1).map(move |b| (*a, *b)));
    let told = pairs.filter_map(|(a, b)| {
        let within = seen.seen.get(&way(None, a, b))?;
        match (within.by, within.direction(false)) {
            (By::Always(0), _) => Some((a, b, true)),
            (_, Some(Direction::Rising(_))) => Some((a, b, false)),
            (_, Some(Direction::Falling(_))) => Some((b, a, false)),
            _ => None,
        }
    });
    let told: Vec<(u64, u64, bool)> = told.collect();
    if !told.is_empty() {
        add(vec![Relation::Facts(told)]);
    }
    for off in fields {
        let shared = |low: bool| (*off, low, vec![Passed::Bound; links.len()]);
        add(vec![Relation::Held(*off, vec![0; links.len()])]);
        add(vec![Relation::Bounds(vec![shared(true), shared(false)])]);
    }
    found
}

impl PredTable {
    /// Tables with these structures, each of them beside one that relates its elements; one table for each way to relate
    /// them, the likely ones first. Structures that call others also call related ones.
    pub fn related(&self, seen: &Relations, types: &TypeTable) -> Vec<PredTable> {
        let mut choices: Vec<Choices> = Vec::new();
        for (id, pred) in self.iter() {
            let mut records = pred.def.cases.iter().filter_map(|c| c.block.as_ref()).map(|b| b.record);
            let Some(Some(record)) = records.next() else { continue };
            if pred.links.is_empty() || records.any(|r| r != Some(record)) {
                continue;
            }
            let mut links: Vec<u64> = pred.links.iter().map(|l: &Link| l.off).collect();
            links.sort_unstable();
            links.dedup();
            let open = |off: &u64| {
                let mut blocks = pred.def.cases.iter().filter(|c| c.block.is_some());
                blocks.all(|c| open_number(c, *off).is_some())
            };
            let mut numbers = numbers_of(types, record);
            numbers.retain(|n| open(&n.off));
            let fields: Vec<u64> = numbers.iter().map(|n| n.off).collect();
            let related = relations(record, &links, &fields, seen).into_iter();
            let told = |r: Relation| Some((r.word(), r.within(&pred.def, &links, &numbers)?));
            let all = related.filter_map(|all| all.into_iter().map(told).collect::<Option<Vec<_>>>());
            let all: Vec<_> = all.collect();
            if !all.is_empty() {
                choices.push((id, all));
            }
        }
        let most = choices.iter().map(|(_, all)| all.len()).max().unwrap_or(0);
        (0..most).map(|k| self.with_related(&choices, k)).collect()
    }

    /// The table with the `k`-th relation of each structure. Related structures come first, as they say more.
    fn with_related(&self, choices: &[Choices], k: usize) -> PredTable {
        let chosen = choices.iter().flat_map(|(id, all)| {
            let related = all.get(k % all.len()).into_iter().flatten();
            related.map(|(word, def)| (*id, *word, def))
        });
        let chosen: Vec<(PredId, &str, &Definition)> = chosen.collect();
        // Any numbers are within some bounds: where all elements share them, nothing else is needed.
        let called = |id: PredId| {
            let mut calls = self.iter().flat_map(|(_, p)| p.def.cases.iter().flat_map(|c| &c.calls));
            calls.any(|c| c.callee == Callee::Other(id))
        };
        let is_needed =
            |id: PredId| called(id) || chosen.iter().all(|(c, word, _)| *c != id || *word != BOUNDED);
        // Outer structures, with any bounds of inner ones.
        let is_related = |id: PredId| chosen.iter().position(|(c, ..)| *c == id);
        let calls_related = |def: &Definition| {
            let mut calls = def.cases.iter().flat_map(|c| &c.calls);
            calls.any(|c| matches!(c.callee, Callee::Other(p) if is_related(p).is_some()))
        };
        let outer = self.iter().filter(|(id, p)| is_related(*id).is_none() && calls_related(&p.def));
        let outer: Vec<(PredId, &str, &Definition)> = outer.map(|(id, p)| (id, "related", &p.def)).collect();
        let first: Vec<_> = chosen.iter().chain(&outer).copied().collect();
        let kept: Vec<PredId> = self.iter().map(|(id, _)| id).filter(|id| is_needed(*id)).collect();
        let moved = |id: PredId| {
            let at = kept.iter().position(|k| *k == id).unwrap_or(0);
            PredId((first.len() + at) as u32)
        };
        let mut group: Vec<(String, Definition)> = Vec::new();
        for (id, word, def) in &first {
            let mut def = (*def).clone();
            for case in &mut def.cases {
                for call in &mut case.calls {
                    let Callee::Other(callee) = call.callee else { continue };
                    let Some((at, (_, _, inner))) = is_related(callee)
                        .and_then(|at| Some((at, chosen.get(at)?)))
                        .filter(|_| call.end.is_none())
                    else {
                        call.callee = Callee::Other(moved(callee));
                        continue;
                    };
                    call.callee = Callee::Other(PredId(at as u32));
                    let more = inner.params - self.get(callee).def.params;
                    call.args.extend((0..more).map(|i| Term::exist(case.exists + i)));
                    case.exists += more;
                }
            }
            group.push((format!("{word}_{}", self.get(*id).name), def));
        }
        let mut table = PredTable::default();
        let rest = kept.iter().map(|id| self.get(*id)).map(|p| {
            let mut def = p.def.clone();
            for call in def.cases.iter_mut().flat_map(|c| &mut c.calls) {
                if let Callee::Other(callee) = &mut call.callee {
                    *callee = moved(*callee);
                }
            }
            (p.name.clone(), def)
        });
        table.declare_groups(vec![(group, Origin::Related), (rest.collect(), Origin::Discovered)]);
        for (new, old) in table.preds.iter_mut().skip(first.len()).zip(&kept) {
            new.branches = self.get(*old).branches;
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::super::definition::{BlockSpec, CallSpec, CellSpec};
    use super::*;
    use crate::numbers::Pure;
    use crate::value::Val;

    const NUMBERS: [Number; 1] = [Number { off: 8, width: 4, range: Interval { lo: Some(-8), hi: Some(7) } }];
    const LIST: &[u64] = &[0];

    /// Elements with links at these offsets and a number at 8.
    fn structure(links: &[u64]) -> Definition {
        let exists = links.len() as u16 + 1;
        let link = |(i, off): (usize, &u64)| CellSpec { off: *off, width: 8, val: Term::exist(i as u16) };
        let mut cells: Vec<CellSpec> = links.iter().enumerate().map(link).collect();
        cells.push(CellSpec { off: 8, width: 4, val: Term::exist(exists - 1) });
        let calls = (0..exists - 1).map(|i| CallSpec::whole(Callee::This, vec![Term::exist(i)])).collect();
        let element =
            Case { exists, block: Some(BlockSpec::of_size(32, None)), cells, calls, ..Case::default() };
        let empty = Case { facts: vec![Fact::Eq(Term::ROOT, Term::int(0))], ..Case::default() };
        Definition { params: 1, cases: vec![empty, element] }
    }

    fn seen(link: u64, rises: bool) -> (Way, Seen) {
        let way = Way { record: RecordId(0), link: Some(link), from: 8, to: 8 };
        let n = usize::from(rises);
        (way, Seen { rises: n, above: n, falls: 1 - n, below: 1 - n, by: By::Various })
    }

    #[test]
    fn a_list_whose_numbers_rise_passes_each_on_as_a_bound() {
        let mut all = Relations::default();
        let (way, rises) = seen(0, true);
        all.note(way, rises);
        let found = relations(RecordId(0), LIST, &[8], &all);
        let def = found[0][0].within(&structure(LIST), LIST, &NUMBERS).expect("the number is open");
        let element = &def.cases[1];
        assert_eq!(element.calls[0].args[1], Term::exist(1).plus(1));
        assert!(element.facts.contains(&Fact::Le(Term::param(1), Term::exist(1))));
        assert!(element.facts.contains(&Fact::In(Term::exist(1), NUMBERS[0].range)));
        // Numbers that are seen to be equal later make it weaker: the second guess leaves the constant out.
        assert!(
            found
                .iter()
                .flatten()
                .any(|r| { *r == Relation::Bounds(vec![(8, true, vec![Passed::Number(8, 0)])]) })
        );
    }

    #[test]
    fn a_tree_that_falls_to_the_left_and_rises_to_the_right_is_a_search_tree() {
        let mut all = Relations::default();
        for (link, rises) in [(0, false), (16, true)] {
            let (way, one) = seen(link, rises);
            all.note(way, one);
        }
        let links = [0, 16];
        let found = relations(RecordId(0), &links, &[8], &all);
        let def = found[0][0].within(&structure(&links), &links, &NUMBERS).expect("the number is open");
        let [low, high, number] = [Term::param(1), Term::param(2), Term::exist(2)];
        let args = def.cases[1].calls.iter().map(|c| c.args[1..].to_vec());
        assert!(args.eq([vec![low, number.plus(-1)], vec![number.plus(1), high]]));
    }

    #[test]
    fn bounds_that_all_elements_share_have_a_widest_value() {
        let shared = |low: bool| (8, low, vec![Passed::Bound]);
        let between = Relation::Bounds(vec![shared(true), shared(false)]);
        let def = between.within(&structure(LIST), LIST, &NUMBERS).expect("the number is open");
        let mut preds = PredTable::default();
        let pred = preds.declare(vec![("between".into(), def)], Origin::Related)[0];
        assert_eq!(*preds.get(pred).neutral, [None, Some(-8), Some(7)]);
        let monotone = &preds.get(pred).monotone;
        let (one, two, facts) = (Val::int(1), Val::int(2), Pure::default());
        assert!(monotone[1].admits(two, one, &facts) && !monotone[1].admits(one, two, &facts));
        // The number itself as the parameter is no bound.
        let equal = Relation::Held(8, vec![0]).within(&structure(LIST), LIST, &NUMBERS).expect("open");
        let pred = preds.declare(vec![("equal".into(), equal)], Origin::Related)[0];
        assert_eq!(*preds.get(pred).neutral, [None, None]);
    }

    #[test]
    fn what_holds_its_number_already_is_not_related() {
        let mut def = structure(LIST);
        def.cases[1].cells[1].val = Term::int(3);
        for relation in relations(RecordId(0), LIST, &[8], &Relations::default()).iter().flatten() {
            assert_eq!(relation.within(&def, LIST, &NUMBERS), None);
        }
    }
}
