//! The embedding theorem on random structures and formulas, strict and loose (survey Thm. 4.2, Arnold
//! §5.4): if a concrete structure is embedded in an abstract one, every formula's concrete value is below
//! its abstract value.

use heapwise_tvl::canonical::{Abstraction, merge};
use heapwise_tvl::domain::{Embedding, Join, StructureSet};
use heapwise_tvl::embedding::{embed, embeds};
use heapwise_tvl::eval::{Env, Evaluator};
use heapwise_tvl::formula::{Closure, Formula, MAX_VARS, Var};
use heapwise_tvl::kleene::Kleene;
use heapwise_tvl::meet::meet;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::vocabulary::{Meaning, PredId, Vocabulary};
use proptest::prelude::*;

fn vocabulary() -> Vocabulary {
    let mut voc = Vocabulary::new();
    voc.declare("flag", 0, Meaning::Core).unwrap();
    voc.declare("x", 1, Meaning::Core).unwrap();
    voc.declare("y", 1, Meaning::Core).unwrap();
    voc.declare("n", 2, Meaning::Core).unwrap();
    voc.declare("m", 2, Meaning::Core).unwrap();
    voc
}

const FLAG: PredId = PredId(0);
const UNARY: [PredId; 2] = [PredId(1), PredId(2)];
const BINARY: [PredId; 2] = [PredId(3), PredId(4)];

fn concrete(max: usize) -> impl Strategy<Value = Structure> {
    (0..=max).prop_flat_map(|size| {
        let bits = 1 + 2 * size + 2 * size * size;
        proptest::collection::vec(any::<bool>(), bits).prop_map(move |bits| {
            let voc = vocabulary();
            let mut s = Structure::with_size(&voc, size).unwrap();
            let mut bit = bits.into_iter().map(Kleene::from);
            let mut next = || bit.next().unwrap();
            s.set_value(&voc, FLAG, &[], next());
            for p in UNARY {
                (0..size).for_each(|u| s.set_value(&voc, p, &[u], next()));
            }
            for p in BINARY {
                for u in 0..size {
                    (0..size).for_each(|v| s.set_value(&voc, p, &[u, v], next()));
                }
            }
            s
        })
    })
}

fn any_kleene() -> impl Strategy<Value = Kleene> {
    prop_oneof![Just(Kleene::False), Just(Kleene::True), Just(Kleene::Unknown)]
}

fn three_valued(max: usize) -> impl Strategy<Value = Structure> {
    (0..=max).prop_flat_map(|size| {
        let count = 1 + 2 * size + 2 * size * size;
        (proptest::collection::vec(any_kleene(), count), any::<u64>(), any::<u64>()).prop_map(
            move |(values, summary, optional)| {
                let voc = vocabulary();
                let mut s = Structure::with_size(&voc, size).unwrap();
                let mut value = values.into_iter();
                let mut next = || value.next().unwrap();
                s.set_value(&voc, FLAG, &[], next());
                for p in UNARY {
                    (0..size).for_each(|u| s.set_value(&voc, p, &[u], next()));
                }
                for p in BINARY {
                    for u in 0..size {
                        (0..size).for_each(|v| s.set_value(&voc, p, &[u, v], next()));
                    }
                }
                (0..size).for_each(|u| s.set_summary(u, summary >> u & 1 == 1));
                s.set_optional(optional);
                s
            },
        )
    })
}

/// Formulas over free variables 0 and 1; quantifiers and closures bind fresh numbers by depth.
fn formula(depth: u8, scope: u8) -> BoxedStrategy<Formula> {
    let var = (0..scope).prop_map(Var);
    let atom = prop_oneof![
        any_kleene().prop_map(Formula::Const),
        Just(Formula::Pred(FLAG, vec![])),
        (0usize..2, var.clone()).prop_map(|(p, v)| Formula::Pred(UNARY[p], vec![v])),
        (0usize..2, var.clone(), var.clone()).prop_map(|(p, u, v)| Formula::Pred(BINARY[p], vec![u, v])),
        (var.clone(), var.clone()).prop_map(|(u, v)| Formula::Eq(u, v)),
    ];
    if depth == 0 {
        return atom.boxed();
    }
    let sub = || formula(depth - 1, scope);
    // Each quantified body may use one more variable; numbers repeat only in disjoint scopes.
    let inner = formula(depth - 1, scope + 1);
    let step = formula(depth - 1, scope + 2);
    prop_oneof![
        2 => atom,
        1 => sub().prop_map(Formula::negate),
        1 => (sub(), sub()).prop_map(|(a, b)| Formula::And(vec![a, b])),
        1 => (sub(), sub()).prop_map(|(a, b)| Formula::Or(vec![a, b])),
        1 => (sub(), sub()).prop_map(|(a, b)| Formula::Iff(Box::new(a), Box::new(b))),
        1 => (sub(), sub(), sub()).prop_map(|(c, a, b)| Formula::If(Box::new(c), Box::new(a), Box::new(b))),
        2 => inner.clone().prop_map(move |f| Formula::Exists(Var(scope), Box::new(f))),
        2 => inner.prop_map(move |f| Formula::Forall(Var(scope), Box::new(f))),
        2 => (step, var.clone(), var, any::<bool>()).prop_map(move |(step, from, to, reflexive)| {
            Formula::Closure(Box::new(Closure {
                from, to, source: Var(scope), target: Var(scope + 1), step, reflexive,
            }))
        }),
    ]
    .boxed()
}

/// Does the concrete value lie below the abstract one for all assignments related by `map`?
fn preserves(f: &Formula, small: &Structure, big: &Structure, map: &[usize]) -> Result<(), String> {
    let voc = vocabulary();
    let (low, high) = (Evaluator::new(&voc, small), Evaluator::new(&voc, big));
    for u in 0..small.size() {
        for v in 0..small.size() {
            let mut env: Env = [0; MAX_VARS];
            (env[0], env[1]) = (u as u8, v as u8);
            let a = low.value(f, &mut env);
            (env[0], env[1]) = (map[u] as u8, map[v] as u8);
            let b = high.value(f, &mut env);
            if !a.below(b) {
                return Err(format!("{a} at ({u},{v}) but {b} abstractly for {}", f.show(&voc)));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn blurring_preserves_formulas(s in concrete(5), f in formula(3, 2)) {
        let voc = vocabulary();
        let abs = Abstraction::of(&voc);
        let b = abs.blur(&s);
        prop_assert!(abs.is_bounded(&b));
        let map = embed(&s, &b).expect("a structure is embedded in its canonical abstraction");
        preserves(&f, &s, &b, &map).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_merge_preserves_formulas(s in concrete(4), class in proptest::collection::vec(0usize..2, 4), f in formula(3, 2)) {
        let used: Vec<usize> = class[..s.size()].to_vec();
        let size = if used.contains(&1) && used.contains(&0) { 2 } else { s.size().min(1) };
        let map: Vec<usize> = used.iter().map(|&c| if size == 2 { c } else { 0 }).collect();
        let b = merge(&s, &map, size);
        preserves(&f, &s, &b, &map).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn loose_embedding_preserves_formulas(s in concrete(3), t in three_valued(4), f in formula(3, 2)) {
        if let Some(map) = embed(&s, &t) {
            preserves(&f, &s, &t, &map).map_err(TestCaseError::fail)?;
        }
    }

    /// A list abstracted with optional summaries, then compared with lists that lack some part.
    #[test]
    fn loose_lists_preserve_formulas(len in 1usize..6, cut in 0usize..5, f in formula(3, 2)) {
        let voc = vocabulary();
        let list = |len: usize, y: usize| {
            let mut s = Structure::with_size(&voc, len).unwrap();
            s.set_value(&voc, UNARY[0], &[0], Kleene::True);
            if y < len { s.set_value(&voc, UNARY[1], &[y], Kleene::True); }
            for i in 1..len { s.set_value(&voc, BINARY[0], &[i - 1, i], Kleene::True); }
            s
        };
        let mut general = Abstraction::of(&voc).blur(&list(6, 3));
        general.set_optional(u64::MAX);
        let s = list(len, cut);
        if let Some(map) = embed(&s, &general) {
            preserves(&f, &s, &general, &map).map_err(TestCaseError::fail)?;
        }
    }

    /// Embedding is transitive, which needs care with optional individuals.
    #[test]
    fn embedding_is_transitive(s in concrete(3), t in three_valued(3), u in three_valued(3)) {
        if embeds(&s, &t) && embeds(&t, &u) {
            prop_assert!(embeds(&s, &u));
        }
    }

    /// A loose structure describes exactly what its cases describe.
    #[test]
    fn cases_cover_a_loose_structure(s in concrete(3), t in three_valued(4)) {
        let cases = t.cases(t.optional());
        prop_assert_eq!(embeds(&s, &t), cases.iter().any(|c| embeds(&s, c)));
    }

    /// The meet describes exactly the concrete structures that both operands describe.
    #[test]
    fn meet_is_intersection(s in concrete(3), t in three_valued(3), u in three_valued(2)) {
        let Some(m) = meet(&t, &u) else { return Ok(()) };
        prop_assert_eq!(embeds(&s, &t) && embeds(&s, &u), m.iter().any(|c| embeds(&s, c)));
    }

    /// Blurring a loose structure loses no concrete structure.
    #[test]
    fn blurring_loose_structures_is_sound(s in concrete(3), t in three_valued(4)) {
        if embeds(&s, &t) {
            let blurred = Abstraction::of(&vocabulary()).blur(&t);
            prop_assert!(embeds(&s, &blurred));
        }
    }

    /// Whatever the way of joining, a set covers all that was put into it.
    #[test]
    fn sets_cover_their_elements(ss in proptest::collection::vec(concrete(3), 1..6)) {
        let abs = Abstraction::of(&vocabulary());
        for join in [Join::Relational, Join::Maximal, Join::Partial] {
            for embedding in [Embedding::Strict, Embedding::Loose] {
                let mut set = StructureSet::new(join);
                ss.iter().for_each(|s| { set.insert(&abs, embedding, s); });
                prop_assert!(ss.iter().all(|s| set.covers(s)), "{:?} {:?}", join, embedding);
            }
        }
    }
}
