//! Does a concrete memory satisfy an abstract state? (γ-membership)
//!
//! The meaning of a [`State`] is the set of memories for which symbols can be assigned numbers such that every object is
//! a live block of its own with the stated contents, every summary can be followed along its definition over further
//! blocks of their own, and all facts hold. [`member`] decides this by search: values are read off the
//! memory starting at the roots, and where a predicate leaves a choice (which case, empty or not) the
//! alternatives are tried in turn. Nothing here uses the operations of the analysis (unfolding, matching,
//! inclusion), so that it can serve as their judge.
//!
//! Conventions:
//! - A value in a cell of `w` bytes is known modulo `2^(8w)` only: the cell does not say whether it is signed.
//! - A symbol that nothing determines may be any number: facts about it count as true. All bounds of a symbol, be they
//!   from the state or from cases of predicates, are for one and the same number.
//! - Memory that the state does not describe is somebody else's, unless [`Claim::Everything`] is asked for: then
//!   every heap block must belong to an object or summary.
//! - A byte counts as initialised if one of its bits is (bit-fields are stored bit by bit).
//!
//! Cost: linear in the part of memory described when definitions are deterministic, exponential in the worst
//! case; a budget bounds it and its end is an answer of its own.

use crate::numbers::Linear;
use crate::object::{Fill, Floating, Object, ObjectKind};
use crate::pred::{Callee, Case, Fact, PredTable, Tail};
use crate::state::{Root, State, Summary};
use crate::value::{Base, Sym, Val};
use heapwise_ir::{FuncId, GlobalId, LocalId};
use heapwise_numeric::{Dim, Element, Interval};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a block of the concrete memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// From `malloc` and its kin.
    Heap,
    /// A local of the innermost call.
    Own(LocalId),
    /// A variable-length array or a block from `alloca`, of whichever call.
    Dynamic,
    /// A local of another call.
    Outer,
    /// A global.
    Global(GlobalId),
    /// A stream.
    Stream,
    /// A text of the environment.
    Text,
    /// An array of pointers to such texts, null last.
    TextArray,
    /// Other storage of the library.
    Library,
    /// Something that no state describes.
    Other,
}

/// A live block of the concrete memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is.
    pub class: Class,
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
}

/// Some bytes of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bytes {
    /// All initialised; the little-endian number.
    Known(u128),
    /// Every byte has initialised bits, but not all bits are.
    Partly,
    /// Some byte is not initialised, or lies outside.
    Uninitialised,
}

/// What a local of the innermost call holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalValue {
    /// It is not alive.
    Dead,
    /// It was never written.
    Undefined,
    /// A number of an integer type.
    Number(i128),
    /// So many low bits of a number: an address.
    Bits(u128, u32),
    /// It is the block at this address.
    At(u64),
    /// Something that states do not speak about, e.g. a floating number.
    Opaque,
}

/// A concrete memory between two statements.
pub trait ConcreteMemory {
    /// All live blocks, by increasing address; none of them overlap.
    fn blocks(&self) -> &[Block];
    /// `width` bytes, at most 16, of the block with that index.
    fn read(&self, block: usize, off: u64, width: u64) -> Bytes;
    /// What a local of the innermost call holds.
    fn local(&self, local: LocalId) -> LocalValue;
    /// The address of a global.
    fn global(&self, global: GlobalId) -> Option<u64>;
    /// The address of a function.
    fn function(&self, function: FuncId) -> Option<u64>;
    /// Number of bits of an address.
    fn pointer_bits(&self) -> u32;
}

/// How much of the memory a state must account for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// What it describes must be there; the rest is a frame.
    Part,
    /// Every heap block must be described.
    Everything,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Membership {
    /// The memory satisfies the state.
    Inside,
    /// It does not; what failed furthest into the search.
    Outside(String),
    /// The budget was used up.
    Undecided,
}

/// Whether `memory` satisfies `state`, with at most `budget` steps of search.
pub fn member<M: ConcreteMemory>(
    state: &State,
    preds: &PredTable,
    memory: &M,
    claim: Claim,
    budget: usize,
) -> Membership {
    let mut search = Search {
        state,
        preds,
        memory,
        claim,
        env: vec![None; state.symbol_count() as usize],
        bounds: vec![Interval::FULL; state.symbol_count() as usize],
        claimed: vec![false; memory.blocks().len()],
        regions: Vec::new(),
        trail: Vec::new(),
        goals: None,
        deferred: None,
        changes: 0,
        pass: 0,
        choices: Vec::new(),
        furthest: (0, String::new()),
    };
    search.run(budget)
}

/// What is known of a symbol: its low bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Known {
    value: i128,
    /// How many; [`EXACT`] for all.
    bits: u32,
}

const EXACT: u32 = 128;

/// The number with only its low bits, as an unsigned number; exact numbers stay.
fn low(value: i128, bits: u32) -> i128 {
    if bits >= EXACT - 1 { value } else { value & ((1i128 << bits) - 1) }
}

#[derive(Clone, Debug)]
enum Goal {
    Equal(Val, Val),
    Differ(Val, Val),
    AtMost(Val, Val),
    In(Val, Interval),
    /// The symbol is the linear form.
    Defined(Sym, Linear),
    /// The numbers are a point of what a chosen domain says.
    Refined(Rc<Element>),
    /// The block with that index holds the floating cell.
    Floating(usize, Floating),
    /// The block with that index is initialised below the value.
    Prefix(usize, Val),
    Object(Sym),
    Summary(Rc<Summary>),
}

type List = Option<Rc<Node>>;
struct Node {
    goal: Goal,
    next: List,
}

/// A way on at a choice point.
#[derive(Clone)]
enum Way {
    Empty(Rc<Summary>),
    /// A case, and which of its calls is the hole.
    Case(Rc<Summary>, usize, Option<usize>),
    /// The object or the root of the summary is at this address.
    ObjectAt(Sym, u64),
    RootAt(Rc<Summary>, u64),
}

enum Undo {
    Symbol(usize, Option<Known>),
    Bounds(usize, Interval),
    Claim(usize),
    Region,
}

struct Choice {
    goals: List,
    deferred: List,
    changes: usize,
    pass: usize,
    trail: usize,
    symbols: usize,
    ways: Vec<Way>,
}

struct Search<'a, M> {
    state: &'a State,
    preds: &'a PredTable,
    memory: &'a M,
    claim: Claim,
    env: Vec<Option<Known>>,
    /// Bounds of symbols that were met on the way, besides those of the state.
    bounds: Vec<Interval>,
    claimed: Vec<bool>,
    /// The blocks of regions.
    regions: Vec<(Sym, u64)>,
    trail: Vec<Undo>,
    goals: List,
    /// Goals that wait for a symbol.
    deferred: List,
    /// Counts changes of the assignment; `pass` is its value when the deferred goals were last looked at.
    changes: usize,
    pass: usize,
    choices: Vec<Choice>,
    furthest: (usize, String),
}

/// A goal that does not hold, with the reason made when somebody wants it.
type Step = Result<(), String>;

impl<M: ConcreteMemory> Search<'_, M> {
    fn run(&mut self, budget: usize) -> Membership {
        let mut outcome = self.start();
        for _ in 0..budget {
            if let Err(why) = outcome {
                if self.furthest.1.is_empty() || self.trail.len() >= self.furthest.0 {
                    self.furthest = (self.trail.len(), why);
                }
                match self.backtrack() {
                    Some(way) => outcome = self.go(way),
                    None => return Membership::Outside(std::mem::take(&mut self.furthest.1)),
                }
                continue;
            }
            outcome = match self.goals.take() {
                Some(node) => {
                    self.goals = node.next.clone();
                    self.step(&node.goal)
                }
                None if self.deferred.is_some() && self.pass != self.changes => {
                    self.pass = self.changes;
                    let mut list = self.deferred.take();
                    while let Some(node) = list {
                        self.push(node.goal.clone());
                        list = node.next.clone();
                    }
                    Ok(())
                }
                None => match self.guess() {
                    Some(ways) => self.choose(ways, "no block is left for it"),
                    None => match (self.unclaimed(), self.elsewhere()) {
                        (None, None) => return Membership::Inside,
                        (Some(b), _) => Err(format!("nothing describes the heap block at {b:#x}")),
                        (_, Some(s)) => Err(format!("{s:?} leads to none of its places")),
                    },
                },
            };
        }
        Membership::Undecided
    }

    fn push(&mut self, goal: Goal) {
        self.goals = Some(Rc::new(Node { goal, next: self.goals.take() }));
    }

    fn defer(&mut self, goal: &Goal) -> Step {
        self.deferred = Some(Rc::new(Node { goal: goal.clone(), next: self.deferred.take() }));
        Ok(())
    }

    /// All claims of the state, those that determine symbols first.
    fn start(&mut self) -> Step {
        let state = self.state;
        let pure = state.numbers();
        let mut goals: Vec<Goal> = state.objects().map(|(s, _)| Goal::Object(s)).collect();
        goals.extend(pure.intervals().map(|(s, r)| Goal::In(Val::sym(s), r)));
        goals.extend(pure.disequalities().map(|(a, b)| Goal::Differ(a, b)));
        goals.extend(pure.orderings().map(|(a, b)| Goal::AtMost(a, b)));
        goals.extend(pure.definitions().map(|(s, form)| Goal::Defined(s, form.clone())));
        goals.extend(pure.refinement().map(|e| Goal::Refined(Rc::new(e.clone()))));
        goals.extend(state.summaries().map(|s| Goal::Summary(Rc::new(s.clone()))));
        goals.into_iter().rev().for_each(|g| self.push(g));
        for (root, v) in state.roots() {
            let known = match root {
                Root::Local(l) => match self.memory.local(l) {
                    LocalValue::Number(n) => Known { value: n, bits: EXACT },
                    LocalValue::Bits(n, bits) => Known { value: n as i128, bits },
                    LocalValue::Opaque => continue,
                    LocalValue::At(_) => return Err(format!("{root:?} is not a value but a block")),
                    LocalValue::Undefined => return Err(format!("{root:?} is not initialised")),
                    LocalValue::Dead => return Err(format!("{root:?} is not alive")),
                },
                Root::Slot(l) => match self.memory.local(l) {
                    LocalValue::At(base) => Known { value: i128::from(base), bits: EXACT },
                    other => return Err(format!("{root:?} is not a block but {other:?}")),
                },
                Root::Global(g) => match self.memory.global(g) {
                    Some(base) => Known { value: i128::from(base), bits: EXACT },
                    None => return Err(format!("{root:?} does not exist")),
                },
                // What callers hold is not known here.
                Root::Cut(_) | Root::Result | Root::AtExit(_) | Root::Model(_) | Root::Kept(_) => continue,
            };
            self.assign(v, known).map_err(|e| format!("{root:?}: {e}"))?;
        }
        Ok(())
    }

    fn value(&self, v: Val) -> Option<Known> {
        let exact = |value| Known { value, bits: EXACT };
        match v.base {
            Base::Zero => Some(exact(v.off)),
            Base::Sym(s) => {
                let known = (*self.env.get(s.0 as usize)?)?;
                let value = low(known.value.wrapping_add(v.off), known.bits);
                Some(Known { value, bits: known.bits })
            }
            Base::Func(f) => self.memory.function(f).map(|a| exact(i128::from(a).wrapping_add(v.off))),
            Base::Undef => None,
        }
    }

    /// Makes `v` have that value.
    fn assign(&mut self, v: Val, known: Known) -> Step {
        let agree = |old: Known| {
            let bits = old.bits.min(known.bits);
            if low(old.value, bits) == low(known.value, bits) {
                Ok(())
            } else {
                Err(format!("{v:?} is {:#x}, not {:#x}", low(old.value, bits), low(known.value, bits)))
            }
        };
        let old = self.value(v);
        if let Some(old) = old {
            agree(old)?;
        }
        if let (Some(s), bits) = (v.as_sym(), old.map_or(0, |o| o.bits))
            && known.bits > bits
            && let Some(slot) = self.env.get_mut(s.0 as usize)
        {
            let value = low(known.value.wrapping_sub(v.off), known.bits);
            self.trail.push(Undo::Symbol(s.0 as usize, *slot));
            *slot = Some(Known { value, bits: known.bits });
            self.changes += 1;
        }
        Ok(())
    }

    /// All bounds of a value: those of the state, and those met on the way.
    fn range(&self, v: Val) -> Interval {
        let own = self.state.range(v);
        let met =
            v.as_sym().and_then(|s| self.bounds.get(s.0 as usize)).map_or(Interval::FULL, |b| b.shift(v.off));
        own.meet(met).unwrap_or(met)
    }

    /// The least or the greatest number that a value may stand for, if its low bits and bounds tell.
    fn extreme(&self, v: Val, most: bool) -> Option<i128> {
        let Some(known) = self.value(v) else {
            return if most { self.range(v).hi } else { self.range(v).lo };
        };
        let Some(modulus) = 1i128.checked_shl(known.bits).filter(|m| *m > 0) else {
            return Some(known.value);
        };
        let range = self.range(v);
        if most {
            range.hi.map(|h| h.saturating_sub(h.saturating_sub(known.value).rem_euclid(modulus)))
        } else {
            range.lo.map(|l| l.saturating_add(known.value.saturating_sub(l).rem_euclid(modulus)))
        }
    }

    /// Demands that `v` lies in `range` as well.
    fn bound(&mut self, v: Val, range: Interval) -> Step {
        let Some(s) = v.as_sym() else { return Ok(()) };
        let Some(all) = self.range(v).meet(range) else {
            return Err(format!("{v:?} is in {:?}, outside of {range:?}", self.range(v)));
        };
        let new = all.shift(v.off.wrapping_neg());
        if let Some(slot) = self.bounds.get_mut(s.0 as usize)
            && *slot != new
        {
            self.trail.push(Undo::Bounds(s.0 as usize, *slot));
            *slot = new;
            self.changes += 1;
        }
        Ok(())
    }

    /// The numbers that a value may stand for, those of its low bits that lie in its interval.
    fn numbers(&self, v: Val) -> Option<Vec<i128>> {
        let known = self.value(v)?;
        if known.bits >= EXACT {
            return Some(vec![known.value]);
        }
        let range = self.range(v);
        let modulus = 1i128 << known.bits.min(126);
        let mut found: Vec<i128> = [known.value, known.value - modulus]
            .into_iter()
            .chain(range.lo.map(|l| l + (known.value - l).rem_euclid(modulus)))
            .chain(range.hi.map(|h| h - (h - known.value).rem_euclid(modulus)))
            .filter(|n| range.contains(*n))
            .collect();
        if range.lo.is_none() || range.hi.is_none() {
            // No type bounds it: an address, which is the unsigned number if that is possible.
            found.truncate(1);
        }
        found.dedup();
        Some(found)
    }

    fn step(&mut self, goal: &Goal) -> Step {
        match goal {
            // Some value or other.
            Goal::Equal(a, b) if a.is_undef() || b.is_undef() => Ok(()),
            Goal::Equal(a, b) => match (self.value(*a), self.value(*b)) {
                (Some(x), None) => self.assign(*b, x),
                (None, Some(y)) => self.assign(*a, y),
                (Some(x), Some(y)) => {
                    self.assign(*b, x)?;
                    self.assign(*a, y)
                }
                // Nothing determines them, but they are one number.
                (None, None) => {
                    self.bound(*b, self.range(*a))?;
                    self.bound(*a, self.range(*b))?;
                    self.defer(goal)
                }
            },
            Goal::Differ(a, b) => self.relation(goal, *a, *b, "≠", |x, y| x != y),
            Goal::AtMost(a, b) => {
                if let Some(least) = self.extreme(*a, false) {
                    self.bound(*b, Interval { lo: Some(least), hi: None })?;
                }
                if let Some(most) = self.extreme(*b, true) {
                    self.bound(*a, Interval { lo: None, hi: Some(most) })?;
                }
                let (Some(_), Some(_)) = (self.value(*a), self.value(*b)) else { return self.defer(goal) };
                self.relation(goal, *a, *b, "≤", |x, y| x <= y)?;
                // Both may be determined better later.
                let open = |v| self.value(v).is_some_and(|k| k.bits < EXACT);
                if open(*a) || open(*b) { self.defer(goal) } else { Ok(()) }
            }
            Goal::In(v, range) => {
                self.bound(*v, *range)?;
                let Some(known) = self.value(*v) else { return self.defer(goal) };
                let range = self.range(*v).meet(*range).unwrap_or(*range);
                let fits = if known.bits >= EXACT {
                    range.contains(known.value)
                } else {
                    let modulus = 1i128 << known.bits.min(126);
                    match (range.lo, range.hi) {
                        (Some(l), Some(h)) => {
                            l.saturating_add((known.value - low(l, known.bits)).rem_euclid(modulus)) <= h
                        }
                        _ => true,
                    }
                };
                if !fits {
                    return Err(format!("{v:?} is {known:?}, outside of {range:?}"));
                }
                // It may be determined better later.
                if known.bits < EXACT { self.defer(goal) } else { Ok(()) }
            }
            Goal::Defined(s, form) => self.defined(goal, *s, form),
            Goal::Refined(element) => self.refined(goal, element),
            Goal::Floating(block, cell) => match self.numbers(cell.off).as_deref() {
                Some([off]) => match u64::try_from(*off) {
                    Ok(off) => self.cell(*block, off, cell.width, cell.val),
                    Err(_) => Err(format!("floating cell at {off}")),
                },
                _ => self.defer(goal),
            },
            Goal::Prefix(block, end) => match self.numbers(*end).as_deref() {
                Some([end]) => self.prefix(*block, *end),
                _ => self.defer(goal),
            },
            Goal::Object(s) => match self.value(Val::sym(*s)) {
                None => self.defer(goal),
                Some(known) => self.object(*s, known),
            },
            Goal::Summary(s) => match self.value(s.root) {
                None => self.defer(goal),
                Some(known) => {
                    let address = low(known.value, self.memory.pointer_bits());
                    let ways = self.ways(s, u64::try_from(address).ok());
                    self.choose(ways, "no case of a summary fits its root")
                }
            },
        }
    }

    /// A definition: checked if all its symbols are known, solved if one is not.
    fn defined(&mut self, goal: &Goal, s: Sym, form: &Linear) -> Step {
        let mut sum = form.constant;
        let mut unknown = None;
        for (x, k) in form.terms() {
            match self.numbers(Val::sym(*x)).as_deref() {
                Some([n]) => sum = sum.wrapping_add(n.wrapping_mul(*k)),
                Some([]) => return Err(format!("no number for {x:?}")),
                None if unknown.is_none() => unknown = Some((*x, *k)),
                _ => return self.defer(goal),
            }
        }
        let Some(known) = self.value(Val::sym(s)) else {
            if unknown.is_some() {
                return self.defer(goal);
            }
            return self.assign(Val::sym(s), Known { value: sum, bits: EXACT });
        };
        let known = self.exact(s, known);
        let rest = low(known.value.wrapping_sub(sum), known.bits);
        let Some((x, k)) = unknown else {
            return if rest == 0 {
                Ok(())
            } else {
                Err(format!("{s:?} is {known:?}, not {sum} by definition"))
            };
        };
        // Of an address only the low bits are known: the offset is the one that its interval allows.
        let modulus = if known.bits < EXACT - 1 { 1i128 << known.bits } else { 0 };
        let range = self.range(Val::sym(x));
        let fits = |n: &i128| n % k == 0 && range.contains(n / k);
        let Some(rest) = [rest, rest.wrapping_sub(modulus)].into_iter().find(fits) else {
            return Err(format!("{s:?} is {known:?}, which no {x:?} gives by definition"));
        };
        self.assign(Val::sym(x), Known { value: rest / k, bits: EXACT })
    }

    /// What a chosen domain says: checked if all its symbols are known. Where only low bits are known, any number with these
    /// that is a point will do.
    fn refined(&mut self, goal: &Goal, element: &Element) -> Step {
        let mut points: Vec<BTreeMap<Dim, i128>> = vec![BTreeMap::new()];
        for d in element.dims() {
            let Some(numbers) = self.numbers(Val::sym(Sym(d.0))) else { return self.defer(goal) };
            let with = |p: &BTreeMap<Dim, i128>, n: i128| {
                let mut p = p.clone();
                p.insert(d, n);
                p
            };
            points = points.iter().flat_map(|p| numbers.iter().map(move |n| with(p, *n))).take(64).collect();
        }
        let inside = |p: &BTreeMap<Dim, i128>| element.contains(&|d| p.get(&d).copied().unwrap_or(0));
        if points.len() == 64 || points.iter().any(inside) {
            return Ok(());
        }
        Err(format!("{points:?} are no points of {element:?}"))
    }

    /// The number itself, if its low bits and its interval determine it.
    fn exact(&self, s: Sym, known: Known) -> Known {
        let range = self.range(Val::sym(s));
        let (Some(lo), Some(hi)) = (range.lo, range.hi) else { return known };
        let Some(modulus) = 1i128.checked_shl(known.bits).filter(|m| known.bits < EXACT - 1 && *m > 0) else {
            return known;
        };
        if hi.saturating_sub(lo) >= modulus {
            return known;
        }
        let value = lo.saturating_add(known.value.saturating_sub(lo).rem_euclid(modulus));
        Known { value, bits: EXACT }
    }

    fn prefix(&self, block: usize, end: i128) -> Step {
        let size = self.memory.blocks().get(block).map_or(0, |b| b.size);
        for at in 0..u64::try_from(end).unwrap_or(0).min(size) {
            if self.memory.read(block, at, 1) == Bytes::Uninitialised {
                return Err(format!("byte at offset {at} is below the prefix {end} and not initialised"));
            }
        }
        Ok(())
    }

    fn relation(&mut self, goal: &Goal, a: Val, b: Val, name: &str, holds: fn(i128, i128) -> bool) -> Step {
        let (Some(x), Some(y)) = (self.numbers(a), self.numbers(b)) else { return self.defer(goal) };
        if x.iter().any(|x| y.iter().any(|y| holds(*x, *y))) {
            Ok(())
        } else {
            Err(format!("not {a:?} {name} {b:?} with {x:x?} and {y:x?}"))
        }
    }

    fn block_at(&self, address: u64) -> Option<(usize, Block)> {
        let blocks = self.memory.blocks();
        let index = blocks.binary_search_by_key(&address, |b| b.base).ok()?;
        blocks.get(index).map(|b| (index, *b))
    }

    /// Takes the block at an address for one object or case.
    fn take(&mut self, address: i128, fits: impl Fn(Class) -> bool) -> Result<(usize, Block), String> {
        let address = low(address, self.memory.pointer_bits());
        let Some((index, block)) = u64::try_from(address).ok().and_then(|a| self.block_at(a)) else {
            return Err(format!("there is no live block at {address:#x}"));
        };
        if !fits(block.class) {
            return Err(format!("the block at {address:#x} is {:?}", block.class));
        }
        match self.claimed.get_mut(index) {
            Some(claimed) if !*claimed => *claimed = true,
            _ => return Err(format!("the block at {address:#x} is described twice")),
        }
        self.trail.push(Undo::Claim(index));
        Ok((index, block))
    }

    fn cell(&mut self, block: usize, off: u64, width: u64, val: Val) -> Step {
        if width > 16 {
            return Ok(());
        }
        match self.memory.read(block, off, width) {
            Bytes::Known(bits) => {
                self.assign(val, Known { value: bits as i128, bits: (width as u32 * 8).min(EXACT) })
            }
            Bytes::Partly => Ok(()),
            Bytes::Uninitialised => Err(format!("{val:?}: the {width} bytes are not initialised")),
        }
        .map_err(|e| format!("cell at offset {off}: {e}"))
    }

    /// An object that is seen from somewhere inside of a block of the environment, which others may see as well.
    fn seen(&mut self, s: Sym, object: &Object, known: Known) -> Step {
        let address = low(known.value, self.memory.pointer_bits());
        let wanted = if object.kind == ObjectKind::Library { Class::Library } else { Class::Text };
        let holds = |b: &Block| {
            let from = address.wrapping_sub(i128::from(b.base));
            b.class == wanted && (0..i128::from(b.size)).contains(&from)
        };
        let found = self.memory.blocks().iter().enumerate().find(|(_, b)| holds(b)).map(|(i, b)| (i, *b));
        let Some((index, block)) = found else {
            return Err(format!("object {s:?} ({:?}): none such is at {address:#x}", object.kind));
        };
        self.assign(Val::sym(s), Known { value: address, bits: EXACT })?;
        let from = (address - i128::from(block.base)) as u64;
        let rest = block.size - from;
        if object.kind == ObjectKind::Library {
            let fits = object.const_size().is_some_and(|n| n <= rest);
            return if fits { Ok(()) } else { Err(format!("object {s:?} goes past its block")) };
        }
        self.assign(object.size, Known { value: i128::from(rest), bits: EXACT })
            .map_err(|e| format!("size of object {s:?}: {e}"))?;
        if self.memory.read(index, block.size - 1, 1) != Bytes::Known(0) {
            return Err(format!("the text {s:?} does not end"));
        }
        for (off, cell) in object.cells() {
            self.cell(index, from + off, cell.width, cell.val).map_err(|e| format!("object {s:?}, {e}"))?;
        }
        for f in object.floating() {
            let f = Floating { off: f.off.plus(i128::from(from)), ..*f };
            self.push(Goal::Floating(index, f));
        }
        Ok(())
    }

    /// Whether a block is initialised up to a zero byte in it.
    fn is_text(&self, index: usize, block: Block) -> Step {
        for at in 0..block.size {
            match self.memory.read(index, at, 1) {
                Bytes::Known(0) => return Ok(()),
                Bytes::Known(_) | Bytes::Partly => {}
                Bytes::Uninitialised => {
                    return Err(format!("the text is not initialised at offset {at}"));
                }
            }
        }
        Err("the text does not end".into())
    }

    /// Whether the elements of an array lead to texts, and the last one nowhere.
    fn leads_to_texts(&self, index: usize, block: Block) -> Step {
        let word = u64::from(self.memory.pointer_bits() / 8);
        let inside = |address: u128| {
            let mut texts = self.memory.blocks().iter().filter(|b| b.class == Class::Text);
            texts.any(|b| u128::from(b.base) <= address && address < u128::from(b.base) + u128::from(b.size))
        };
        for at in (0..block.size).step_by(word.max(1) as usize) {
            let last = at + word >= block.size;
            match self.memory.read(index, at, word) {
                Bytes::Known(0) if last => {}
                Bytes::Known(address) if !last && inside(address) => {}
                found => return Err(format!("the element at {at} of the array of texts is {found:?}")),
            }
        }
        Ok(())
    }

    fn object(&mut self, s: Sym, known: Known) -> Step {
        let Some(object) = self.state.object(s) else { return Ok(()) };
        let kind = object.kind;
        if kind.may_coincide() {
            return self.seen(s, object, known);
        }
        let (index, block) = self
            .take(known.value, |class| match kind {
                ObjectKind::Heap => class == Class::Heap,
                ObjectKind::Local(l) => class == Class::Own(l),
                ObjectKind::Scope(_) => class == Class::Dynamic,
                ObjectKind::Outer | ObjectKind::OuterConstant => {
                    matches!(class, Class::Outer | Class::Dynamic | Class::TextArray)
                }
                ObjectKind::Global(g) => class == Class::Global(g),
                ObjectKind::Stream(_) => class == Class::Stream,
                ObjectKind::TextArray => class == Class::TextArray,
                ObjectKind::Text { .. } | ObjectKind::Library => false,
            })
            .map_err(|e| format!("object {s:?} ({kind:?}): {e}"))?;
        self.assign(Val::sym(s), Known { value: i128::from(block.base), bits: EXACT })?;
        self.assign(object.size, Known { value: i128::from(block.size), bits: EXACT })
            .map_err(|e| format!("size of object {s:?}: {e}"))?;
        if kind == ObjectKind::TextArray {
            self.leads_to_texts(index, block).map_err(|e| format!("object {s:?}: {e}"))?;
        }
        for (off, cell) in object.cells() {
            self.cell(index, off, cell.width, cell.val).map_err(|e| format!("object {s:?}, {e}"))?;
        }
        object.floating().iter().for_each(|f| self.push(Goal::Floating(index, *f)));
        object.prefix().into_iter().for_each(|p| self.push(Goal::Prefix(index, p)));
        self.background(object, index, block).map_err(|e| format!("object {s:?}, {e}"))
    }

    fn background(&self, object: &Object, index: usize, block: Block) -> Step {
        let mut cells = object.cells().peekable();
        for (lo, hi, fill) in object.fills(0, block.size) {
            if fill == Fill::Uninit {
                continue;
            }
            for at in lo..hi {
                while cells.next_if(|(off, c)| off + c.width <= at).is_some() {}
                if cells.peek().is_some_and(|(off, _)| *off <= at) {
                    continue;
                }
                match (fill, self.memory.read(index, at, 1)) {
                    (Fill::Zero, Bytes::Known(0)) | (Fill::Unknown, Bytes::Known(_) | Bytes::Partly) => {}
                    (_, found) => return Err(format!("byte at offset {at} is {found:?}, not {fill:?}")),
                }
            }
        }
        Ok(())
    }

    /// The ways in which a summary may describe the memory at an address.
    fn ways(&self, s: &Rc<Summary>, address: Option<u64>) -> Vec<Way> {
        let fits = |case: &Case| match &case.block {
            None => true,
            Some(spec) => address.and_then(|a| self.block_at(a)).is_some_and(|(index, b)| {
                b.class == Class::Heap
                    && spec.may_have_size(Some(b.size))
                    && self.claimed.get(index) == Some(&false)
            }),
        };
        let cases = &self.preds.get(s.pred).def.cases;
        let mut ways = Vec::new();
        for (c, case) in cases.iter().enumerate().filter(|(_, case)| fits(case)) {
            if s.end.is_none() {
                ways.push(Way::Case(s.clone(), c, None));
            } else if case.block.is_some() {
                let calls = case.calls.iter().enumerate().filter(|(_, call)| call.callee == Callee::This);
                ways.extend(calls.map(|(j, _)| Way::Case(s.clone(), c, Some(j))));
            }
        }
        if s.end.is_some() {
            ways.push(Way::Empty(s.clone()));
        }
        ways
    }

    /// Tries the last of the ways, remembering the others.
    fn choose(&mut self, mut ways: Vec<Way>, why: &str) -> Step {
        let Some(way) = ways.pop() else { return Err(why.to_owned()) };
        if !ways.is_empty() {
            self.choices.push(Choice {
                goals: self.goals.clone(),
                deferred: self.deferred.clone(),
                changes: self.changes,
                pass: self.pass,
                trail: self.trail.len(),
                symbols: self.env.len(),
                ways,
            });
        }
        self.go(way)
    }

    fn backtrack(&mut self) -> Option<Way> {
        let choice = self.choices.last_mut()?;
        let way = choice.ways.pop()?;
        self.goals = choice.goals.clone();
        self.deferred = choice.deferred.clone();
        self.changes = choice.changes;
        self.pass = choice.pass;
        let (trail, symbols) = (choice.trail, choice.symbols);
        if choice.ways.is_empty() {
            self.choices.pop();
        }
        while self.trail.len() > trail {
            match self.trail.pop() {
                Some(Undo::Symbol(s, old)) => {
                    if let Some(slot) = self.env.get_mut(s) {
                        *slot = old;
                    }
                }
                Some(Undo::Bounds(s, old)) => {
                    if let Some(slot) = self.bounds.get_mut(s) {
                        *slot = old;
                    }
                }
                Some(Undo::Region) => {
                    self.regions.pop();
                }
                Some(Undo::Claim(b)) => {
                    if let Some(claimed) = self.claimed.get_mut(b) {
                        *claimed = false;
                    }
                }
                None => break,
            }
        }
        self.env.truncate(symbols);
        self.bounds.truncate(symbols);
        Some(way)
    }

    fn go(&mut self, way: Way) -> Step {
        // A way taken is progress: what was deferred may have become decidable.
        self.changes += 1;
        match way {
            Way::Empty(s) => {
                if let Some((end, args)) = &s.end {
                    self.step(&Goal::Equal(s.root, *end)).map_err(|e| format!("empty segment: {e}"))?;
                    for (a, b) in s.args.iter().zip(args) {
                        self.step(&Goal::Equal(*a, *b)).map_err(|e| format!("empty segment: {e}"))?;
                    }
                }
                Ok(())
            }
            Way::Case(s, case, hole) => self.case(&s, case, hole),
            Way::ObjectAt(s, address) => {
                self.assign(Val::sym(s), Known { value: i128::from(address), bits: EXACT })?;
                self.object(s, Known { value: i128::from(address), bits: EXACT })
            }
            Way::RootAt(s, address) => {
                self.assign(s.root, Known { value: i128::from(address), bits: EXACT })?;
                self.push(Goal::Summary(s));
                Ok(())
            }
        }
    }

    fn case(&mut self, s: &Summary, case: usize, hole: Option<usize>) -> Step {
        let pred = self.preds.get(s.pred);
        let name = &pred.name;
        let Some(case) = pred.def.cases.get(case) else { return Ok(()) };
        let first = self.env.len() as u32;
        self.env.resize(self.env.len() + usize::from(case.exists), None);
        self.bounds.resize(self.env.len(), Interval::FULL);
        let exists: Vec<Val> = (0..u32::from(case.exists)).map(|i| Val::sym(Sym(first + i))).collect();
        if let Some(spec) = &case.block {
            let Some(root) = self.value(s.root) else { return Err("a root is not known".into()) };
            let (index, block) =
                self.take(root.value, |c| c == Class::Heap).map_err(|e| format!("block of {name}: {e}"))?;
            if !spec.may_have_size(Some(block.size)) {
                return Err(format!("block of {name} has size {}, not {}", block.size, spec.size));
            }
            if spec.tail == Tail::Text {
                self.is_text(index, block).map_err(|e| format!("block of {name}: {e}"))?;
            }
            let at = block.base;
            if let Some(region) = s.region {
                self.regions.push((region, at));
                self.trail.push(Undo::Region);
            }
            self.assign(s.root, Known { value: i128::from(at), bits: EXACT })?;
            for cell in &case.cells {
                let Some(val) = s.term_with(&cell.val, &exists) else { continue };
                self.cell(index, cell.off, cell.width, val)
                    .map_err(|e| format!("block of {name} at {at:#x}, {e}"))?;
            }
        }
        for (j, call) in case.calls.iter().enumerate().rev() {
            let Some(values) = call.args.iter().map(|t| s.term_with(t, &exists)).collect::<Option<Vec<_>>>()
            else {
                return Err(format!("a call in {name} is ill-formed"));
            };
            let Some((root, args)) = values.split_first() else { continue };
            let args = args.iter().copied().collect();
            let own_end = match &call.end {
                Some(terms) => {
                    let Some(values) =
                        terms.iter().map(|t| s.term_with(t, &exists)).collect::<Option<Vec<_>>>()
                    else {
                        return Err(format!("a call in {name} is ill-formed"));
                    };
                    values.split_first().map(|(root, args)| (*root, args.iter().copied().collect()))
                }
                None => None,
            };
            let end = s.end.clone().filter(|_| hole == Some(j)).or(own_end);
            let pred = s.callee(call.callee);
            self.push(Goal::Summary(Rc::new(Summary { pred, root: *root, args, end, region: s.region })));
        }
        for fact in &case.facts {
            let goal = match fact {
                Fact::Eq(a, b) => {
                    s.term_with(a, &exists).zip(s.term_with(b, &exists)).map(|(a, b)| Goal::Equal(a, b))
                }
                Fact::Ne(a, b) => {
                    s.term_with(a, &exists).zip(s.term_with(b, &exists)).map(|(a, b)| Goal::Differ(a, b))
                }
                Fact::In(a, r) => s.term_with(a, &exists).map(|a| Goal::In(a, *r)),
                Fact::Le(a, b) => {
                    s.term_with(a, &exists).zip(s.term_with(b, &exists)).map(|(a, b)| Goal::AtMost(a, b))
                }
            };
            if let Some(goal) = goal {
                self.step(&goal).map_err(|e| format!("fact of {name}: {e}"))?;
            }
        }
        Ok(())
    }

    /// Ways to place an object or summary whose address nothing determines, if there is one.
    fn guess(&mut self) -> Option<Vec<Way>> {
        let mut list = self.deferred.clone();
        let mut open = None;
        let mut kept = Vec::new();
        while let Some(node) = list {
            match &node.goal {
                Goal::Object(_) | Goal::Summary(_) if open.is_none() => open = Some(node.goal.clone()),
                other => kept.push(other.clone()),
            }
            list = node.next.clone();
        }
        let open = open?;
        self.deferred = None;
        for goal in kept.into_iter().rev() {
            let deferred = self.defer(&goal);
            debug_assert!(deferred.is_ok(), "deferring a goal is always possible");
        }
        let free = |class: fn(Class) -> bool| {
            let blocks = self.memory.blocks().iter().zip(&self.claimed);
            blocks.filter(move |(b, claimed)| !**claimed && class(b.class)).map(|(b, _)| b.base)
        };
        Some(match open {
            Goal::Object(s) => free(|c| c != Class::Other).map(|base| Way::ObjectAt(s, base)).collect(),
            Goal::Summary(s) => {
                let blocks = free(|c| c == Class::Heap);
                let mut ways: Vec<Way> = blocks.map(|base| Way::RootAt(s.clone(), base)).collect();
                if s.end.is_some() {
                    ways.push(Way::Empty(s));
                } else {
                    let cases = self.preds.get(s.pred).def.cases.iter().enumerate();
                    let empty = cases.filter(|(_, c)| c.block.is_none());
                    ways.extend(empty.map(|(i, _)| Way::Case(s.clone(), i, None)));
                }
                ways
            }
            _ => Vec::new(),
        })
    }
}

mod places;
#[cfg(test)]
mod tests;
