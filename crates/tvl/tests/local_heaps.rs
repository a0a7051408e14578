//! Local heaps against whole ones: a call that works on its local heap and is put together with the frame again must
//! give what the same statements give on the whole heap. Exactly so on concrete heaps, where all instrumentation predicates
//! must also be what their definitions say; and on abstractions of them, the concrete result must be described.

use heapwise_tvl::apart::apart;
use heapwise_tvl::canonical::Abstraction;
use heapwise_tvl::embedding::embeds;
use heapwise_tvl::eval::Evaluator;
use heapwise_tvl::formula::MAX_VARS;
use heapwise_tvl::kleene::Kleene;
use heapwise_tvl::local_heap::{Roles, combine, split};
use heapwise_tvl::program::{FieldId, Program, Statement, VarId};
use heapwise_tvl::schema::{Schema, Tracking};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::transfer::Transfer;
use heapwise_tvl::vocabulary::Meaning;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 8) as usize % n
    }
}

const ARGUMENT: VarId = VarId(0);
const GLOBAL: VarId = VarId(1);
const RESULT: VarId = VarId(2);
/// A variable of the callee.
const OWN: VarId = VarId(3);
/// Two variables of the caller, and what names cutpoints.
const CALLERS: [VarId; 2] = [VarId(4), VarId(5)];
const FIRST_NAME: u32 = 6;
const NAMES: u32 = 5;

fn program() -> (Program, Roles) {
    let mut p = Program::default();
    for name in ["argument", "global", "result", "own", "x", "y"] {
        p.variable(name);
    }
    let names: Vec<VarId> = (0..NAMES).map(|i| p.variable(format!("cut{i}"))).collect();
    assert_eq!(names[0], VarId(FIRST_NAME));
    p.field("f");
    p.field("g");
    // What the schema is to have: cells that are freed or were never written.
    let (a, b) = (p.location("a"), p.location("b"));
    p.edge(a, Statement::Free(OWN), b);
    (p, Roles { handed: vec![ARGUMENT], shared: vec![GLOBAL, RESULT], names })
}

/// Sets all instrumentation predicates to what they are defined to be.
fn defined(schema: &Schema, s: &Structure) -> Structure {
    let mut out = s.clone();
    for id in schema.vocabulary.ids() {
        let p = schema.vocabulary.get(id);
        let Meaning::Instrumentation { params, definition } = &p.meaning else { continue };
        let lanes = Evaluator::new(&schema.vocabulary, &out).lanes(definition, &mut [0; MAX_VARS], params[0]);
        out.set_unary(p.slot, lanes);
    }
    out
}

fn random_heap(dice: &mut Dice, schema: &Schema) -> Structure {
    let size = dice.below(9);
    let mut s = Structure::with_size(&schema.vocabulary, size).unwrap();
    if size == 0 {
        return s;
    }
    for v in [ARGUMENT, GLOBAL, CALLERS[0], CALLERS[1], VarId(FIRST_NAME)] {
        let cell = dice.below(size + 1);
        if cell < size {
            let mut lanes = s.unary(schema.var(v));
            lanes.set(cell, Kleene::True);
            s.set_unary(schema.var(v), lanes);
        }
    }
    // In trees no cell has two edges into it.
    let (trees, mut entered) = (dice.below(2) == 0, 0u32);
    for f in schema.fields() {
        for u in 0..size {
            // Mostly trees and lists: edges lead on.
            let to = if dice.below(4) == 0 { dice.below(size + 2) } else { u + 1 + dice.below(size + 1) };
            if to < size && !(trees && entered >> to & 1 == 1) {
                entered |= 1 << to;
                let mut row = s.row(schema.field(f), u);
                row.set(to, Kleene::True);
                s.set_row(schema.field(f), u, row);
            }
        }
    }
    defined(schema, &s)
}

fn random_statement(dice: &mut Dice) -> Statement {
    let vars = [ARGUMENT, GLOBAL, RESULT, OWN];
    let (x, y, f) = (vars[dice.below(4)], vars[dice.below(4)], FieldId(dice.below(2) as u32));
    match dice.below(8) {
        0 => Statement::Copy(x, y),
        1 => Statement::SetNull(x),
        2 => Statement::New { target: x, zeroed: true },
        3 | 4 => Statement::Load(x, y, f),
        5 | 6 => Statement::Store(x, f, y),
        _ => Statement::StoreNull(x, f),
    }
}

/// All results of a sequence of statements; states in which one goes wrong end.
fn run(transfer: &mut Transfer<'_>, code: &[Statement], s: &Structure) -> Vec<Structure> {
    let mut states = vec![s.clone()];
    for &statement in code {
        states = states.iter().flat_map(|s| transfer.apply(statement, s).structures).collect();
    }
    states
}

#[test]
fn calls_on_local_heaps_are_calls_on_whole_heaps() {
    let (program, roles) = program();
    let (mut calls, mut cut, mut abstract_calls, mut told_apart) = (0, 0, 0, 0);
    for tracking in [Tracking::Fields, Tracking::Both, Tracking::Heap] {
        let schema = Schema::of(&program, tracking);
        let abstraction = Abstraction::of(&schema.vocabulary);
        let mut transfer = Transfer::new(&schema);
        for seed in 0..6_000 {
            let mut dice = Dice(seed);
            let s = random_heap(&mut dice, &schema);
            let mut code: Vec<Statement> = (0..dice.below(6)).map(|_| random_statement(&mut dice)).collect();
            code.extend([Statement::SetNull(ARGUMENT), Statement::SetNull(OWN)]);
            let Ok((entry, frame)) = split(&schema, &abstraction, &roles, &s) else { continue };
            assert_eq!(defined(&schema, &entry), entry, "seed {seed} {tracking:?}: the local heap");
            cut += usize::from(entry.size() < s.size() && entry.size() > 0);
            let whole = run(&mut transfer, &code, &s);
            let local = run(&mut transfer, &code, &entry);
            assert_eq!(whole.len(), local.len(), "seed {seed} {tracking:?}");
            let ([expected], [exit]) = (&whole[..], &local[..]) else { continue };
            calls += 1;
            // The transformers of the predicates over all fields are not exact, so the definitions say what is true.
            let expected = &defined(&schema, expected);
            let found = combine(&schema, &roles, &frame, exit).unwrap();
            assert!(embeds(expected, &found), "seed {seed} {tracking:?}\n{expected:?}\n{found:?}");
            if tracking == Tracking::Fields {
                assert!(found.is_concrete(), "seed {seed}");
                assert_eq!(defined(&schema, &found), found, "seed {seed} {tracking:?}: the whole heap");
            }
            // One of the cases describes the concrete heap.
            let described = abstraction.blur(&s);
            let cases = apart(&schema, &roles, &described);
            let case = cases.iter().find(|case| embeds(&s, case));
            let Some(described) = case else {
                panic!("seed {seed} {tracking:?}: no case\n{s:?}\n{described:?}\n{cases:?}")
            };
            told_apart += usize::from(cases.len() > 1);
            let Ok((entry, frame)) = split(&schema, &abstraction, &roles, described) else { continue };
            abstract_calls += 1;
            let exits = run(&mut transfer, &code, &abstraction.blur(&entry));
            let all: Vec<Structure> = exits
                .iter()
                .map(|exit| combine(&schema, &roles, &frame, &abstraction.blur(exit)).unwrap())
                .collect();
            assert!(
                all.iter().any(|found| embeds(expected, found)),
                "seed {seed} {tracking:?}: not described\n{s:?}\n{code:?}\n{expected:?}\n{all:?}"
            );
        }
    }
    let enough = calls > 3_000 && cut > 2_000 && abstract_calls > 2_000 && told_apart > 20;
    assert!(enough, "{calls} {cut} {abstract_calls} {told_apart}");
}

/// A tree, sometimes with an edge too many, of which the argument is a node and the caller holds others.
fn random_tree(dice: &mut Dice, schema: &Schema) -> Structure {
    let size = 3 + dice.below(9);
    let mut s = Structure::with_size(&schema.vocabulary, size).unwrap();
    let mut lead = |from: usize, f: usize, to: usize| {
        let slot = schema.field(FieldId(f as u32));
        let free = s.row(slot, from).may == 0;
        if free {
            let mut row = s.row(slot, from);
            row.set(to, Kleene::True);
            s.set_row(slot, from, row);
        }
        free
    };
    for node in 1..size {
        while !lead(dice.below(node), dice.below(2), node) {}
    }
    if dice.below(4) == 0 {
        lead(dice.below(size), dice.below(2), dice.below(size));
    }
    for (v, cell) in [(ARGUMENT, 1 + dice.below(size - 1)), (CALLERS[0], 0), (CALLERS[1], dice.below(size))] {
        let mut lanes = s.unary(schema.var(v));
        lanes.set(cell, Kleene::True);
        s.set_unary(schema.var(v), lanes);
    }
    defined(schema, &s)
}

#[test]
fn subtrees_are_told_apart_from_the_rest() {
    let (program, roles) = program();
    let (mut told_apart, mut smaller) = (0, 0);
    for tracking in [Tracking::Both, Tracking::Heap] {
        let schema = Schema::of(&program, tracking);
        let abstraction = Abstraction::of(&schema.vocabulary);
        for seed in 0..4_000 {
            let s = random_tree(&mut Dice(seed), &schema);
            let described = abstraction.blur(&s);
            let cases = apart(&schema, &roles, &described);
            for case in &cases {
                assert!(
                    embeds(case, &described),
                    "seed {seed} {tracking:?}: more than there was\n{described:?}\n{case:?}"
                );
            }
            let Some(case) = cases.iter().find(|case| embeds(&s, case)) else {
                panic!("seed {seed} {tracking:?}: no case\n{s:?}\n{described:?}\n{cases:?}")
            };
            told_apart += usize::from(cases.len() > 1);
            let size =
                |s: &Structure| split(&schema, &abstraction, &roles, s).map_or(usize::MAX, |(e, _)| e.size());
            smaller += usize::from(size(case) < size(&described));
        }
    }
    assert!(told_apart > 500 && smaller > 500, "{told_apart} {smaller}");
}
