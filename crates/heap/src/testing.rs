//! Small memories and random states, and the laws that operations on states keep: for tests and for fuzzing.
//!
//! A [`SmallMemory`] has up to three nodes of two words and two variables. There are few of them, so that [`memories`] lists them
//! all, and what an operation does to a state is judged by γ on each. A state is made of a string of bytes ([`Choices`]): random
//! ones in the tests, those of the fuzzer in its target. [`World::judge`] says which law a pair of states breaks.

use crate::discover::propose_optional;
use crate::fold::{abstracted, focused};
use crate::gamma::{Block, Bytes, Claim, Class, ConcreteMemory, LocalValue, Membership, member};
use crate::granularity::{Discovery, Granularity, Numbers, Segments, Trees};
use crate::lattice::inclusion::included;
use crate::lattice::join::{JoinOptions, join};
use crate::object::{Fill, Object, ObjectKind};
use crate::pred::PredTable;
use crate::shape::ast::Name;
use crate::shape::{Declared, Env, Instance, ShapeError, parse_file, parse_formula, resolve};
use crate::state::{Args, Root, State, Summary};
use crate::unfold::Site;
use crate::value::Val;
use heapwise_ir::{FuncId, GlobalId, LocalId, Span, TypeTable};
use heapwise_numeric::{Interval, Numeric};

/// The two variables.
pub const VARIABLES: [(&str, LocalId); 2] = [("x", LocalId(0)), ("y", LocalId(1))];

/// Predicates over nodes of two words.
const PREDICATES: &str = "
predicate list(x) = x == 0 | x -> [16] { @0:8: n, @8:8: _ } * list(n);
predicate dll(x, p) = x == 0 | x -> [16] { @0:8: n, @8:8: p } * dll(n, x);
predicate ones(x) = x == 0 | x -> [16] { @0:8: n, @8:8: 1 } * ones(n);
predicate tree(x) = x == 0 | x -> [16] { @0:8: l, @8:8: r } * tree(l) * tree(r);
predicate part(x, before, h, last) = x == h && before == last | x -> [16] { @0:8: n, @8:8: before } * part(n, x, h, last);
";

/// Nodes of two words, and two variables.
#[derive(Clone, Debug)]
pub struct SmallMemory {
    blocks: Vec<Block>,
    words: Vec<[u64; 2]>,
    variables: [u64; 2],
}

impl ConcreteMemory for SmallMemory {
    fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    fn read(&self, block: usize, off: u64, width: u64) -> Bytes {
        let Some([first, second]) = self.words.get(block) else { return Bytes::Uninitialised };
        let all = u128::from(*first) | u128::from(*second) << 64;
        let bits = |n: u64| u32::try_from(n.saturating_mul(8)).unwrap_or(u32::MAX);
        if off.saturating_add(width) > NODE {
            return Bytes::Uninitialised;
        }
        let shifted = all.checked_shr(bits(off)).unwrap_or(0);
        let mask = 1u128.checked_shl(bits(width)).map_or(u128::MAX, |m| m - 1);
        Bytes::Known(shifted & mask)
    }

    fn local(&self, local: LocalId) -> LocalValue {
        let at = VARIABLES.iter().position(|(_, l)| *l == local);
        let value = at.and_then(|i| self.variables.get(i));
        value.map_or(LocalValue::Dead, |v| LocalValue::Bits(u128::from(*v), 64))
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

/// Bytes of a node.
const NODE: u64 = 16;

fn address(node: usize) -> u64 {
    0x10_000 + 0x100 * node as u64
}

impl SmallMemory {
    /// Whether every node can be reached from a variable.
    fn is_without_leak(&self) -> bool {
        let node = |v: u64| (0..self.words.len()).find(|i| address(*i) == v);
        let mut todo: Vec<usize> = self.variables.iter().filter_map(|v| node(*v)).collect();
        let mut seen = vec![false; self.words.len()];
        while let Some(i) = todo.pop() {
            if let (Some(s @ false), Some(words)) = (seen.get_mut(i), self.words.get(i)) {
                *s = true;
                todo.extend(words.iter().filter_map(|v| node(*v)));
            }
        }
        seen.into_iter().all(|s| s)
    }
}

/// All memories up to the order of nodes: of up to two nodes any of which may hold null, one or an address in both words, and of three nodes with any
/// links and zero in the second word.
pub fn memories() -> Vec<SmallMemory> {
    let mut found = Vec::new();
    for n in 0..=3 {
        let pointers: Vec<u64> = std::iter::once(0).chain((0..n).map(address)).collect();
        let mut second = if n < 3 { pointers.clone() } else { vec![0] };
        second.extend((n < 3).then_some(1));
        let node: Vec<[u64; 2]> =
            pointers.iter().flat_map(|a| second.iter().map(move |b| [*a, *b])).collect();
        let mut all: Vec<Vec<[u64; 2]>> = vec![Vec::new()];
        for _ in 0..n {
            let longer = |words: &Vec<[u64; 2]>| {
                let with = |w: &[u64; 2]| words.iter().copied().chain([*w]).collect();
                node.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let blocks: Vec<Block> =
            (0..n).map(|i| Block { class: Class::Heap, base: address(i), size: NODE }).collect();
        for words in all {
            // Nodes have no order: the first one that a variable leads to is the first.
            let variables = pointers.iter().take(2).flat_map(|x| {
                let known = if *x == 0 { 2 } else { 3 };
                pointers.iter().take(known).map(move |y| [*x, *y])
            });
            for variables in variables {
                found.push(SmallMemory { blocks: blocks.clone(), words: words.clone(), variables });
            }
        }
    }
    found
}

/// A string of bytes as a source of choices; zeros when it is used up.
#[derive(Clone, Debug)]
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// Choices by these bytes.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices(bytes)
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % n.max(1)
    }

    fn of(&mut self, all: &[Val]) -> Val {
        all.get(self.below(all.len())).copied().unwrap_or(Val::UNDEF)
    }
}

/// Predicates by name, and all small memories.
#[derive(Clone, Debug)]
pub struct World {
    /// The predicates.
    pub preds: PredTable,
    /// The types: none.
    pub types: TypeTable,
    names: Declared,
    memories: Vec<SmallMemory>,
}

impl World {
    /// The predicates of this module.
    pub fn new() -> Result<World, String> {
        let (types, mut preds) = (TypeTable::new(8), PredTable::default());
        let unit = parse_file(PREDICATES).map_err(|e| format!("{e:?}"))?;
        let names = resolve::declare(&[&unit], &types, &mut preds).map_err(|e| format!("{e:?}"))?;
        Ok(World { preds, types, names, memories: memories() })
    }

    /// The state of a formula over the variables; none if it contradicts itself.
    pub fn state(&self, formula: &str) -> Result<Option<State>, ShapeError> {
        let (mut state, mut env) = (State::default(), Env::default());
        for (name, local) in VARIABLES {
            let v = Val::sym(state.fresh());
            state.set_root(Root::Local(local), v);
            env.names.insert(name.into(), v);
        }
        let formulas = parse_formula(formula)?;
        let context = Instance { declared: &self.names, preds: &self.preds, layouts: &self.types };
        match formulas.first() {
            Some(first) => context.add(first, &env, state),
            None => Ok(None),
        }
    }

    /// A random state: objects and structures at a few symbols, and some facts. What no variable leads to is left out: γ takes
    /// any number for a symbol that nothing determines.
    pub fn random(&self, choices: &mut Choices<'_>, numeric: Option<Numeric>) -> Option<State> {
        let mut state = State::default();
        numeric.iter().for_each(|domain| state.refine_numbers(*domain));
        let pool: Vec<Val> = (0..4).map(|_| Val::sym(state.fresh())).collect();
        let mut values = pool.clone();
        values.push(Val::ZERO);
        for (_, local) in VARIABLES {
            state.set_root(Root::Local(local), choices.of(&values));
        }
        for at in pool.iter().take(3) {
            let symbol = at.as_sym()?;
            let mut data = values.clone();
            data.push(Val::int(1));
            let name = ["", "", "object", "list", "dll", "ones", "tree"].get(choices.below(7)).copied()?;
            match name {
                "" => {}
                "object" => {
                    let fill = if choices.below(2) == 0 { Fill::Unknown } else { Fill::Zero };
                    let size = Val::int(i128::from(NODE));
                    let mut node = Object::new(ObjectKind::Heap, size, fill, Span::default());
                    node.write(0, 8, choices.of(&values));
                    if choices.below(2) == 0 {
                        node.write(8, 8, choices.of(&data));
                    }
                    state.insert_object(symbol, node);
                }
                _ => {
                    let params = 1 + usize::from(name == "dll");
                    let pred = self.names.predicate(&name_of(name), params).ok()?;
                    let mut args = || -> Args { (1..params).map(|_| choices.of(&values)).collect() };
                    let (args, far) = (args(), args());
                    let end = (choices.below(2) == 0).then(|| (choices.of(&values), far));
                    state.add_summary(Summary { pred, root: *at, args, end, region: None });
                }
            }
        }
        let possible = match choices.below(6) {
            0 => state.assume_ne(choices.of(&values), choices.of(&values), &self.preds),
            1 => state.assume_eq(choices.of(&values), choices.of(&values), &self.preds),
            2 => state.assume_in(choices.of(&pool), Interval { lo: Some(0), hi: Some(1) }),
            3 => {
                // Small numbers: what has no bounds may be an address, of which γ knows the low bits.
                let (a, b, small) =
                    (choices.of(&pool), choices.of(&pool), Interval { lo: Some(0), hi: Some(3) });
                [a, b].iter().all(|v| state.assume_in(*v, small))
                    && state.assume_le(a, b, choices.below(2) == 0)
            }
            _ => true,
        };
        if !possible || !state.settle(&self.preds) {
            return None;
        }
        state.collect(&self.preds);
        self.let_go(&mut state, choices);
        Some(state)
    }

    /// Lets variables go that lead to memory which is held otherwise, and perhaps folds what they led to.
    fn let_go(&self, state: &mut State, choices: &mut Choices<'_>) {
        for (_, local) in VARIABLES {
            let mut loose = state.clone();
            if choices.below(2) == 0
                && loose.let_go(Root::Local(local), &self.preds)
                && loose.clone().collect(&self.preds).is_empty()
            {
                *state = loose;
            }
        }
        if state.roots().any(|(_, v)| state.points_to(v).is_some()) && choices.below(4) > 0 {
            let how = Granularity {
                discovery: Discovery::Closed,
                numbers: Numbers::Shapes,
                ..Granularity::default()
            };
            let mut preds = self.preds.clone();
            let folded = abstracted(state, &mut preds, &self.types, &how, false).state;
            if preds.len() == self.preds.len() {
                *state = folded;
            }
        }
    }

    /// Which of the memories a state describes; none if γ did not come to an end.
    pub fn members(&self, state: &State, preds: &PredTable) -> Option<Vec<bool>> {
        let inside = |m: &SmallMemory| match member(state, preds, m, Claim::Everything, 20_000) {
            Membership::Inside => Some(true),
            Membership::Outside(_) => Some(false),
            Membership::Undecided => None,
        };
        self.memories.iter().map(inside).collect()
    }

    /// The first memory of one state that none of the others describes.
    fn lacking(&self, inside: &[bool], others: &[State], preds: &PredTable) -> Option<String> {
        let all: Option<Vec<Vec<bool>>> = others.iter().map(|s| self.members(s, preds)).collect();
        let all = all?;
        let is_in = |i: usize| all.iter().any(|m| m.get(i) == Some(&true));
        let lost = inside.iter().enumerate().find(|(i, inside)| **inside && !is_in(*i));
        lost.and_then(|(i, _)| self.memories.get(i)).map(|m| format!("{m:?}"))
    }

    /// What a pair of states says against the laws of joins and inclusion.
    pub fn judge(&self, a: &State, b: &State, options: JoinOptions<'_>) -> Result<(), String> {
        let preds = &self.preds;
        let (Some(in_a), Some(in_b)) = (self.members(a, preds), self.members(b, preds)) else {
            return Ok(());
        };
        if included(a, b, preds).is_ok()
            && let Some(m) = self.lacking(&in_a, std::slice::from_ref(b), preds)
        {
            return Err(format!("included, but for {m}:\n{a:?}\n{b:?}"));
        }
        if let Ok(joined) = join(a, b, preds, options) {
            let both: Vec<bool> = in_a.iter().zip(&in_b).map(|(a, b)| *a || *b).collect();
            if let Some(m) = self.lacking(&both, std::slice::from_ref(&joined), preds) {
                return Err(format!("a join lacks {m}:\n{a:?}\n{b:?}\n{joined:?}"));
            }
        }
        let mut preds = preds.clone();
        [a, b].into_iter().for_each(|s| propose_optional(s, &mut preds, &self.types));
        if let Ok(joined) = join(a, b, &preds, JoinOptions { keep_null: false, ..options }) {
            let both: Vec<bool> = in_a.iter().zip(&in_b).map(|(a, b)| *a || *b).collect();
            if let Some(m) = self.lacking(&both, std::slice::from_ref(&joined), &preds) {
                return Err(format!("a join with optional blocks lacks {m}:\n{a:?}\n{b:?}\n{joined:?}"));
            }
        }
        Ok(())
    }

    /// What a state says against the laws of unfolding, focus, normal form, folding and reachability.
    pub fn judge_alone(&self, a: &State) -> Result<(), String> {
        let preds = &self.preds;
        let Some(inside) = self.members(a, preds) else { return Ok(()) };
        let same = |what: &str, others: &[State]| -> Result<(), String> {
            if let Some(m) = self.lacking(&inside, others, preds) {
                return Err(format!("{what} lacks {m}:\n{a:?}\n{others:?}"));
            }
            for other in others {
                let Some(more) = self.members(other, preds) else { continue };
                if let Some(m) = self.lacking(&more, std::slice::from_ref(a), preds) {
                    return Err(format!("{what} adds {m}:\n{a:?}\n{other:?}"));
                }
            }
            Ok(())
        };
        for (i, s) in a.summaries().enumerate() {
            same("unfolding", &a.unfold(Site::Front(i), preds))?;
            for k in (0..s.args.len()).filter(|k| s.end.is_some() && preds.get(s.pred).back.arg(*k).is_some())
            {
                same("unfolding from the back", &a.unfold(Site::Back(i, k), preds))?;
            }
        }
        for (_, local) in VARIABLES {
            let v = a.root(Root::Local(local)).unwrap_or(Val::UNDEF);
            same("cutting a list at a cursor", &a.clone().located(v, preds))?;
            let mut loose = a.clone();
            if loose.let_go(Root::Local(local), preds)
                && let Some(m) = self.lacking(&inside, &[loose.clone()], preds)
            {
                return Err(format!("letting go lacks {m}:\n{a:?}\n{loose:?}"));
            }
        }
        same("focus", &focused(a, preds, true))?;
        same("the normal form", &[a.canonical().0])?;
        for touched in [None, Some(Root::Local(VARIABLES[0].1)), Some(Root::Local(VARIABLES[1].1))] {
            let mut whole = a.clone();
            let aside = whole.set_aside(|root| Some(root) == touched);
            whole = whole.canonical().0;
            whole.put_back(&aside);
            same("setting parts aside", &[whole])?;
        }
        for (how, keep_numbers) in granularities().into_iter().zip([false, true].into_iter().cycle()) {
            let mut preds = preds.clone();
            let folded = abstracted(a, &mut preds, &self.types, &how, keep_numbers).state;
            if let Some(m) = self.lacking(&inside, std::slice::from_ref(&folded), &preds) {
                return Err(format!("folding ({how:?}) lacks {m}:\n{a:?}\n{folded:?}"));
            }
        }
        let mut swept = a.clone();
        if swept.collect(preds).is_empty() {
            same("sweeping", &[swept])?;
            let leaks =
                inside.iter().zip(&self.memories).find(|(inside, m)| **inside && !m.is_without_leak());
            if let Some((_, m)) = leaks {
                return Err(format!("nothing leads to a node of {m:?}, which is not noticed:\n{a:?}"));
            }
        }
        Ok(())
    }

    /// Judges two states that bytes choose, with join options that they choose as well; whether there were two.
    pub fn judge_choices(&self, bytes: &[u8]) -> Result<bool, String> {
        let mut choices = Choices::new(bytes);
        let mut flag = || choices.below(2) == 1;
        let thresholds = [-1, 0, 1, 10];
        let options = JoinOptions {
            widen: flag().then_some(&thresholds[..]),
            keep_constants: flag(),
            keep_flags: false,
            keep_null: flag(),
            keep_ways: flag(),
            keep_numbers: flag(),
            numbers: Numbers::Elements,
            keep_objects: false,
            guided: true,
            bold: flag(),
        };
        let domains = [None].into_iter().chain(Numeric::ALL.map(Some));
        let domains: Vec<Option<Numeric>> = domains.collect();
        let numeric = domains.get(choices.below(2 * domains.len())).copied().flatten();
        let Some(a) = self.random(&mut choices, numeric) else { return Ok(false) };
        let Some(b) = self.random(&mut choices, numeric) else { return Ok(false) };
        self.judge(&a, &b, options)?;
        self.judge_alone(&a)?;
        Ok(true)
    }
}

/// Different ways of folding: each choice that there is, at least once.
pub fn granularities() -> [Granularity<'static>; 7] {
    let usual = Granularity { thresholds: &[-1, 0, 1, 10, 99, 100], ..Granularity::default() };
    let chains = Granularity { discovery: Discovery::Chains, segments: Segments::ToCursors, ..usual };
    [
        usual,
        usual,
        Granularity { discovery: Discovery::Closed, numbers: Numbers::Shapes, ..usual },
        Granularity { numbers: Numbers::Orders, segments: Segments::ToCursors, ..usual },
        Granularity { trees: Trees::CommonLeaf, ..chains },
        Granularity { trees: Trees::BesideLists, numbers: Numbers::Bounds, ..chains },
        Granularity { numbers: Numbers::Lengths, ..chains },
    ]
}

fn name_of(text: &str) -> Name {
    Name { text: text.into(), at: 0..0 }
}
