//! Laws of the heap domain, against the meaning of states.
//!
//! Small concrete memories are made in two ways: by unfolding predicates that a user could declare (lists, trees, rings,
//! tagged and mutually recursive nodes, ...) to the end and choosing addresses and numbers, and as random graphs of blocks
//! (cyclic, shared, unreachable parts). For the states that describe them exactly, and what abstraction, join and
//! widening make of these, membership in γ must agree with what the operations promise.

#![allow(clippy::print_stderr)]

use heapwise_heap::fold::{abstracted, focused};
use heapwise_heap::gamma::{Block, Bytes, Claim, Class, ConcreteMemory, LocalValue, Membership, member};
use heapwise_heap::granularity::Numbers;
use heapwise_heap::lattice::inclusion::included;
use heapwise_heap::lattice::join::{JoinOptions, join};
use heapwise_heap::shape::{Declared, Env, Instance, parse_file, parse_formula, resolve};
use heapwise_heap::testing::granularities;
use heapwise_heap::unfold::Site;
use heapwise_heap::{Fill, Object, ObjectKind, PredTable, Root, State, Sym, Val};
use heapwise_ir::{FuncId, GlobalId, LocalId, Span, TypeTable};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Structures to draw from: a formula over the variables `x` and `y`.
const SHAPES: &[&str] = &[
    "list(x) && y == x",
    "list(x; y) * list(y)",
    "list(x) * list(y)",
    "dll(x, 0) && y == 0",
    "dll(x, 0; y, p) * dll(y, p)",
    "tree(x) && y == 0",
    "tree(x; y) * tree(y)",
    "ptree(x, 0) && y == x",
    "ring(x) && y == x",
    "rows(x) * list(y)",
    "members(x, y) * y -> [8] { @0:8: 5 }",
    "mixed(x) && y == 0",
    "inner(x) && y == 0",
    "skip(x) && y == 0",
    "sorted(x, 3) && y == 0",
    "hang(x) && y == x",
    "ptree(root, 0; x, up) * ptree(x, up) && x != 0 && y == up",
    "ptree(root, 0; x, up) * ptree(x, up) && x != 0 && y == 0",
    "sorted(x, 3) * sorted(y, 20)",
    "sorted(x, 3; y, m) * sorted(y, m)",
    "search(x, 10, 50) && y == 0",
    "search(x, 10, 50; y, m, n) * search(y, m, n)",
    "between(x, 2, 40; y, 2, 40) * between(y, 5, 30)",
    "between(x, 5, 30; y, 5, 30) * between(y, 2, 40)",
    "numbered(x, 3) * agreeing(y)",
    "sized(x, k) && k <= 3 && y == k",
    "sized(x, 3; y, m) * sized(y, m)",
    "coloured(x, 0, 0; y, up, c) * coloured(y, up, c)",
    "coloured(x, 0, 1) * coloured(y, 0, 0)",
    "black(x, 1, 2; y, c, m) * black(y, c, m)",
    "high(x, 3; y, m) * high(y, m)",
];

/// The same with parameters that no case speaks of, over `x`, `y` and `z`.
const GHOST_SHAPES: &[&str] = &[
    "after(x, 0) && y == x && z == 0",
    "after(x, 0; y, z) * after(y, z)",
    "after(x, 0; y, p) * after(y, p; z, q) * after(z, q)",
    "after(x, 0; z, y) * z -> [16] { @0:8: n, @8:8: _ } * after(n, z)",
    "after(x, z; y, z) * after(y, 0) && z == 0",
    "after(x, 0; p, q) * after(p, q; y, z) * after(y, z)",
    "last(x, 7; y, z) * last(y, z)",
    "last(x, z) * last(y, 3) && z == 0",
    "twice(x, 0, 1; y, z, q) * twice(y, z, q)",
];

const GHOST_PREDICATES: &str = "
predicate after(x, before) = x == 0 | x -> [16] { @0:8: n, @8:8: _ } * after(n, x);
predicate last(x, number) = x == 0 | x -> [16] { @0:8: n, @8:8: d } * last(n, d);
predicate twice(x, before, previous) = x == 0 | x -> [24] { @0:8: n, @8:8: previous, @16:8: _ } * twice(n, x, x);
";

// A cell does not say whether it is signed: where numbers are compared, the predicates give their range, and so that
// differences are not negative either.
const PREDICATES: &str = "
predicate list(x) = x == 0 | x -> [16] { @0:8: n, @8:8: _ } * list(n);
predicate dll(x, p) = x == 0 | x -> [16] { @0:8: n, @8:8: p } * dll(n, x);
predicate tree(t) = t == 0 | t -> [24] { @0:8: l, @8:8: r, @16:8: _ } * tree(l) * tree(r);
predicate ptree(t, p) = t == 0 | t -> [32] { @0:8: l, @8:8: r, @16:8: p } * ptree(l, t) * ptree(r, t);
predicate part(x, before, h, last) = x == h && before == last
  | x -> [16] { @0:8: n, @8:8: before } * part(n, x, h, last);
predicate ring(h) = h -> [16] { @0:8: f, @8:8: l } * part(f, h, h, l);
predicate rows(x) = x == 0 | x -> [24] { @0:8: b, @8:8: f } * list(f) * rows(b);
predicate members(x, o) = x == 0 | x -> [24] { @0:8: n, @8:8: o } * members(n, o);
predicate mixed(x) = x == 0
  | x -> [16] { @0:8: 1, @8:8: n } * mixed(n)
  | x -> [24] { @0:8: 2, @8:8: n, @16:8: b } && b != 0 * mixed(n) * cell(b);
predicate cell(b) = b == 0 | b -> [8] { @0:4: _ };
predicate inner(t) = t -> [8] { @0:8: c } * children(c);
predicate children(c) = c == 0 | c -> [16] { @0:8: t, @8:8: n } * inner(t) * children(n);
predicate skip(x) = x == 0 | x -> [24] { @0:8: n, @8:8: t } * low(n, t);
predicate low(x, t) = x == 0 && t == 0
  | x -> [24] { @0:8: n, @8:8: 0 } && x != t * low(n, t)
  | x -> [24] { @0:8: n, @8:8: u } && x == t * low(n, u);
predicate sorted(x, low) = x == 0
  | x -> [16] { @0:8: n, @8:8: d } && low <= d && 0 <= d && d <= 100 * sorted(n, d);
predicate search(t, low, high) = t == 0 | t -> [24] { @0:8: l, @8:8: r, @16:8: d } && low <= d && d <= high && 5 <= d && d <= 100
  * search(l, low, d - 1) * search(r, d + 1, high);
predicate between(x, low, high) = x == 0
  | x -> [16] { @0:8: n, @8:8: d } && low <= d && d <= high && 0 <= d && d <= 100 * between(n, low, high);
predicate numbered(x, k) = x == 0 | x -> [16] { @0:8: n, @8:8: k } && 0 <= k && k <= 100 * numbered(n, k + 1);
predicate agreeing(x) = x == 0 | x -> [24] { @0:8: n, @8:8: d, @16:8: d } && 0 <= d && d <= 100 * agreeing(n);
predicate sized(x, n) = x == 0 && n == 0 | x -> [24] { @0:8: r, @16:8: _ } && n >= 1 * sized(r, n - 1);
predicate coloured(t, up, red) = t == 0
  | t -> [40] { @0:8: l, @8:8: r, @16:8: up, @32:4: 0 } * coloured(l, t, 1) * coloured(r, t, 1)
  | t -> [40] { @0:8: l, @8:8: r, @16:8: up, @32:4: 1 } && red == 1 * coloured(l, t, 0) * coloured(r, t, 0);
predicate black(t, red, height) = t == 0 && height == 0
  | t -> [32] { @0:8: l, @8:8: r, @16:4: 0 } && height >= 1 * black(l, 1, height - 1) * black(r, 1, height - 1)
  | t -> [32] { @0:8: l, @8:8: r, @16:4: 1 } && red == 1 * black(l, 0, height) * black(r, 0, height);
predicate high(t, height) = t == 0 && height == 0
  | t -> [24] { @0:8: l, @8:8: r, @16:4: 0 } && height >= 1 * high(l, height - 1) * high(r, height - 1)
  | t -> [24] { @0:8: l, @8:8: r, @16:4: 1 } && height >= 2 * high(l, height - 2) * high(r, height - 1);
predicate hang(x) = x == 0 - 8 | x -> [24] { @8:8: n + 8, @16:8: _ } * hang(n);
";

/// A reproducible source of choices.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

const X: LocalId = LocalId(0);
const Y: LocalId = LocalId(1);
const Z: LocalId = LocalId(2);

/// Predicates, formulas over the variables, and these.
struct Subject {
    predicates: &'static str,
    shapes: &'static [&'static str],
    variables: &'static [(&'static str, LocalId)],
}

const SUBJECTS: [Subject; 2] = [
    Subject { predicates: PREDICATES, shapes: SHAPES, variables: &[("x", X), ("y", Y)] },
    Subject {
        predicates: GHOST_PREDICATES,
        shapes: GHOST_SHAPES,
        variables: &[("x", X), ("y", Y), ("z", Z)],
    },
];

/// Every formula, as often as `HEAPWISE_SEEDS` says, each time with a number of its own.
fn subjects() -> impl Iterator<Item = (u64, &'static Subject, &'static str)> {
    let seeds = std::env::var("HEAPWISE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let formulas = || SUBJECTS.iter().flat_map(|s| s.shapes.iter().map(move |text| (s, *text)));
    (0..seeds).flat_map(move |_| formulas()).enumerate().map(|(k, (s, text))| (k as u64, s, text))
}

/// A memory with a few pointer variables.
#[derive(Clone, Debug)]
struct Memory {
    blocks: Vec<Block>,
    bytes: Vec<Vec<Option<u8>>>,
    locals: BTreeMap<LocalId, u64>,
}

impl ConcreteMemory for Memory {
    fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    fn read(&self, block: usize, off: u64, width: u64) -> Bytes {
        let bytes = self.bytes[block].get(off as usize..(off + width) as usize).unwrap_or(&[None]);
        let mut number = 0u128;
        for (i, b) in bytes.iter().enumerate() {
            let Some(b) = b else { return Bytes::Uninitialised };
            number |= u128::from(*b) << (8 * i);
        }
        Bytes::Known(number)
    }
    fn local(&self, local: LocalId) -> LocalValue {
        self.locals.get(&local).map_or(LocalValue::Dead, |v| LocalValue::Bits(u128::from(*v), 64))
    }
    fn global(&self, _: GlobalId) -> Option<u64> {
        None
    }
    fn function(&self, _: FuncId) -> Option<u64> {
        None
    }
    fn pointer_bits(&self) -> u32 {
        64
    }
}

fn is_member(state: &State, preds: &PredTable, memory: &Memory) -> bool {
    match member(state, preds, memory, Claim::Everything, 200_000) {
        Membership::Inside => true,
        Membership::Outside(_) => false,
        Membership::Undecided => panic!("γ is undecided on a small memory"),
    }
}

/// A memory that a state without summaries describes; `None` if the first numbers that come to mind do not do.
fn concrete(state: &State, preds: &PredTable) -> Option<Memory> {
    assert!(!state.has_summaries());
    let mut value: BTreeMap<Sym, i128> = BTreeMap::new();
    for (i, s) in state.objects().map(|(s, _)| s).enumerate() {
        value.insert(s, 0x10000 + 0x1000 * i as i128);
    }
    let mut other = Vec::new();
    state.for_each_val(|v| other.extend(v.as_sym()));
    for s in other {
        let range = state.range(Val::sym(s));
        let n = range.lo.or(range.hi).unwrap_or(7 + i128::from(s.0));
        value.entry(s).or_insert(n);
    }
    // Lower bounds that come from others.
    for _ in 0..10 {
        for (a, b) in state.numbers().orderings() {
            if let (Some(x), Some(y)) = (a.as_sym(), b.as_sym())
                && value.get(&x)? + a.off > value.get(&y)? + b.off
            {
                let n = value.get(&x)? + a.off - b.off;
                value.insert(y, n);
            }
        }
    }
    let number = |v: Val| match v.as_sym() {
        Some(s) => value.get(&s).map(|n| n + v.off),
        None => v.as_int(),
    };
    let mut memory = Memory { blocks: Vec::new(), bytes: Vec::new(), locals: BTreeMap::new() };
    for (s, o) in state.objects() {
        let size = o.const_size()?;
        let mut bytes = vec![None; size as usize];
        for (off, c) in o.cells() {
            let n = number(c.val)?;
            for i in 0..c.width {
                bytes[(off + i) as usize] = Some((n >> (8 * i)) as u8);
            }
        }
        memory.blocks.push(Block { class: Class::Heap, base: number(Val::sym(s))? as u64, size });
        memory.bytes.push(bytes);
    }
    for (root, v) in state.roots() {
        if let Root::Local(l) = root {
            memory.locals.insert(l, number(v)? as u64);
        }
    }
    is_member(state, preds, &memory).then_some(memory)
}

/// A random state without summaries below `state`: unfolds until none is left.
fn exact(state: &State, preds: &PredTable, dice: &mut Dice) -> Option<State> {
    let mut state = state.clone();
    for step in 0..40 {
        if !state.has_summaries() {
            state.forget_unused();
            return Some(state);
        }
        let i = dice.below(state.summaries().len());
        let mut cases = state.unfold(Site::Front(i), preds);
        if cases.is_empty() {
            return None;
        }
        // Towards the end rather the cases with less memory.
        cases.sort_by_key(|c| c.object_count() + c.summaries().len());
        let n = if step > 6 || state.object_count() > 5 { 1 } else { cases.len() };
        state = cases.swap_remove(dice.below(n));
    }
    None
}

/// A random graph of blocks: any pointer may lead to any block, or be null.
fn graph(dice: &mut Dice, variables: &[(&str, LocalId)]) -> State {
    let mut state = State::default();
    let n = dice.below(5);
    let size = [16, 24][dice.below(2)];
    let syms: Vec<Sym> = (0..n).map(|_| state.fresh()).collect();
    let target = |dice: &mut Dice| match dice.below(n + 1) {
        k if k < n => Val::sym(syms[k]),
        _ => Val::ZERO,
    };
    for s in &syms {
        let mut o = Object::new(ObjectKind::Heap, Val::int(size), Fill::Uninit, Span::default());
        o.write(0, 8, target(dice));
        let second = match dice.below(3) {
            0 => Val::int(dice.below(3) as i128),
            _ => target(dice),
        };
        o.write(8, 8, second);
        state.insert_object(*s, Arc::new(o));
    }
    for (_, local) in variables {
        state.set_root(Root::Local(*local), target(dice));
    }
    state
}

struct Sample {
    state: State,
    memory: Memory,
}

struct World {
    variables: &'static [(&'static str, LocalId)],
    preds: PredTable,
    names: Declared,
    types: TypeTable,
    dice: Dice,
}

impl World {
    fn new(seed: u64, subject: &Subject) -> World {
        let types = TypeTable::new(8);
        let unit = parse_file(subject.predicates).expect("the predicates are well formed");
        let mut preds = PredTable::default();
        let names = resolve::declare(&[&unit], &types, &mut preds).expect("the predicates are well formed");
        World { variables: subject.variables, preds, names, types, dice: Dice(seed) }
    }

    /// The state of a formula over the variables.
    fn shape(&self, text: &str) -> State {
        let mut state = State::default();
        let mut env = Env::default();
        for (name, local) in self.variables {
            let v = Val::sym(state.fresh());
            state.set_root(Root::Local(*local), v);
            env.names.insert((*name).into(), v);
        }
        let formula = parse_formula(text).expect("a formula");
        let context = Instance { declared: &self.names, preds: &self.preds, layouts: &self.types };
        context.add(&formula[0], &env, state).expect("well formed").expect("possible")
    }

    /// Memories of one structure and of random graphs.
    fn samples(&mut self, shape: &State, count: usize) -> Vec<Sample> {
        let mut found = Vec::new();
        for i in 0..count * 3 {
            let state = if i % 3 == 2 {
                Some(graph(&mut self.dice, self.variables))
            } else {
                exact(shape, &self.preds, &mut self.dice)
            };
            let Some(mut state) = state else { continue };
            // Blocks that nothing leads to are lost at once; states do not keep them.
            if !state.collect(&self.preds).is_empty() {
                continue;
            }
            if let Some(memory) = concrete(&state, &self.preds) {
                found.push(Sample { state, memory });
            }
        }
        found
    }
}

#[test]
fn unfolding_describes_the_same_memories() {
    let (mut members, mut outside, mut folded) = (0, 0, 0);
    for (k, subject, text) in subjects() {
        let mut world = World::new(77 + k, subject);
        let shape = world.shape(text);
        let samples = world.samples(&shape, 20);
        let mut own = 0;
        for s in &samples {
            let inside = is_member(&shape, &world.preds, &s.memory);
            own += usize::from(inside);
            outside += usize::from(!inside);
            members += usize::from(inside);
            folded += usize::from(inside && included(&s.state, &shape, &world.preds).is_ok());
            for i in 0..shape.summaries().len() {
                let back = (0..shape.summary(i).expect("a summary").args.len())
                    .filter(|a| {
                        world.preds.get(shape.summary(i).expect("a summary").pred).back.arg(*a).is_some()
                    })
                    .map(|a| Site::Back(i, a));
                for site in std::iter::once(Site::Front(i))
                    .chain(back.filter(|_| shape.summary(i).expect("a summary").end.is_some()))
                {
                    let cases = shape.unfold(site, &world.preds);
                    let some = cases.iter().any(|c| is_member(c, &world.preds, &s.memory));
                    assert_eq!(inside, some, "{text} at {site:?}: {:?}", s.memory);
                }
            }
        }
        assert!(own >= 5, "{text}: {own} memories of its own");
    }
    eprintln!("{members} members, {outside} others; {folded} folded back");
    assert!(outside > 100 && folded * 10 >= members * 9, "{outside} outside, {folded} of {members} folded");
}

#[test]
fn abstraction_inclusion_join_and_widening_keep_members() {
    let (mut inclusions, mut joins, mut refusals, mut checks) = (0, 0, 0, 0u64);
    for (k, subject, text) in subjects() {
        let mut world = World::new(1234 + k, subject);
        let shape = world.shape(text);
        let samples = world.samples(&shape, 6);
        let mut states = vec![shape];
        for s in &samples {
            assert!(is_member(&s.state, &world.preds, &s.memory));
            for (keep, how) in [true, false].into_iter().cycle().zip(granularities()) {
                let folded = abstracted(&s.state, &mut world.preds, &world.types, &how, keep).state;
                assert!(
                    is_member(&folded, &world.preds, &s.memory),
                    "{text}: {:?}\n became {:?}",
                    s.state,
                    folded
                );
                states.push(folded);
            }
            states.push(s.state.clone());
        }
        states.dedup();
        let thresholds = [-1, 0, 1, 10];
        let mut all = states.clone();
        // Joins of random pairs, and joins of these.
        for round in 0..60 {
            let (a, b) = (world.dice.below(all.len()), world.dice.below(all.len()));
            let options = JoinOptions {
                widen: (round % 2 == 1).then_some(&thresholds[..]),
                keep_constants: round % 5 == 4,
                keep_flags: round % 4 == 1,
                keep_null: round % 7 == 6,
                keep_ways: round % 7 > 4,
                keep_numbers: round % 3 == 2,
                numbers: Numbers::Elements,
                keep_objects: false,
                guided: round % 11 != 10,
                bold: round % 2 == 0,
            };
            let Ok(joined) = join(&all[a], &all[b], &world.preds, options) else {
                refusals += 1;
                continue;
            };
            joins += 1;
            for s in &samples {
                checks += 1;
                let inside = is_member(&all[a], &world.preds, &s.memory)
                    || is_member(&all[b], &world.preds, &s.memory);
                assert!(
                    !inside || is_member(&joined, &world.preds, &s.memory),
                    "{text}: the join of\n{:?}\n{:?}\n{:?}\nlacks {:?}",
                    all[a],
                    all[b],
                    joined,
                    s.memory
                );
            }
            if all.len() < 60 {
                all.push(
                    abstracted(&joined, &mut world.preds, &world.types, &granularities()[round % 6], false)
                        .state,
                );
                all.push(joined);
            }
        }
        for a in &all {
            let canonical = a.canonical().0;
            assert_eq!(canonical, canonical.canonical().0, "{text}: the normal form is its own");
            let parts = focused(a, &world.preds, true);
            for s in &samples {
                let inside = is_member(a, &world.preds, &s.memory);
                checks += 2;
                assert_eq!(inside, is_member(&canonical, &world.preds, &s.memory));
                assert_eq!(
                    inside,
                    parts.iter().any(|p| is_member(p, &world.preds, &s.memory)),
                    "{text}: {a:?}"
                );
            }
        }
        for _ in 0..300 {
            let (a, b) = (world.dice.below(all.len()), world.dice.below(all.len()));
            if a == b || included(&all[a], &all[b], &world.preds).is_err() {
                continue;
            }
            inclusions += 1;
            for s in &samples {
                checks += 1;
                assert!(
                    !is_member(&all[a], &world.preds, &s.memory)
                        || is_member(&all[b], &world.preds, &s.memory),
                    "{text}:\n{:?}\nis said to be included in\n{:?}\nbut {:?}",
                    all[a],
                    all[b],
                    s.memory
                );
            }
        }
    }
    eprintln!("{joins} joins ({refusals} refused), {inclusions} inclusions, {checks} memberships");
    assert!(joins > 100 && inclusions > 200, "{joins} joins, {inclusions} inclusions");
}
