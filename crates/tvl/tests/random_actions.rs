//! Random actions with every kind of clause, against a plain evaluator of the test's own.
//!
//! On two-valued structures the engine must yield exactly the evaluator's results and messages. On abstractions of them,
//! strict and loose, every result of the evaluator must be described by one of the engine's, and every message reported:
//! the embedding theorem for whole actions. `HEAPWISE_ACTIONS` sets how many actions are made, `HEAPWISE_SEED` which.
#![allow(clippy::print_stdout)]

mod random;

use heapwise_tvl::canonical::merge;
use heapwise_tvl::embedding::embeds;
use heapwise_tvl::kleene::Kleene;
use heapwise_tvl::lang::build::Spec;
use heapwise_tvl::lang::read_program;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::vocabulary::Vocabulary;
use random::{Dice, RandomAction, World, tuples};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn structure(voc: &Vocabulary, w: &World) -> Structure {
    let mut s = Structure::with_size(voc, w.size).unwrap();
    for id in voc.ids() {
        let p = voc.get(id);
        let name: &'static str = Box::leak(p.name.clone().into_boxed_str());
        for args in tuples(p.arity, w.size) {
            s.set_value(voc, id, &args, Kleene::from(w.get(name, &args)));
        }
    }
    s
}

/// Individuals merged at random, or as canonical abstraction does; loose now and then.
fn abstracted(spec: &Spec, s: &Structure, dice: &mut Dice) -> Structure {
    let mut result = if s.size() == 0 || dice.one_in(2) {
        spec.abstraction.blur(s)
    } else {
        let classes = 1 + dice.below(s.size());
        let class: Vec<usize> =
            (0..s.size()).map(|i| if i < classes { i } else { dice.below(classes) }).collect();
        merge(s, &class, classes)
    };
    if dice.one_in(3) {
        result.set_optional(result.summaries());
    }
    result
}

#[derive(Default, Debug)]
struct Tally {
    actions: usize,
    results: usize,
    messages: usize,
    bound: usize,
    given_up: usize,
}

fn check(seed: u64, tally: &mut Tally) {
    let mut dice = Dice(seed);
    let action = RandomAction::random(&mut dice);
    let text = action.program();
    let mut none = |_: &str, _: &str| Err("no includes here".to_string());
    let spec = read_program("random.tvp", &text, &mut none).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let voc = &spec.vocabulary;
    let context = spec.context();
    let built = &spec.graph.edges[0].action;
    tally.actions += 1;
    for _ in 0..4 {
        let size = dice.below(4);
        let w = World::random(&mut dice, size);
        let (results, messages) = action.run(&w);
        let expected: Vec<Structure> = results.iter().map(|r| structure(voc, r)).collect();
        tally.results += results.len();
        tally.messages += messages.len();
        tally.bound += usize::from(results.len() > 1);
        let s = structure(voc, &w);
        let on_concrete = context.apply(built, &s);
        assert!(on_concrete.incomplete.is_none(), "seed {seed}: nothing is indefinite\n{text}");
        let mut found: Vec<&str> = on_concrete.messages.iter().map(|m| m.text.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, messages, "seed {seed}: messages\n{text}on {w:?}");
        assert!(on_concrete.messages.iter().all(|m| m.certain), "seed {seed}: certain messages");
        for r in &expected {
            let same = |q: &Structure| embeds(r, q) && q.is_concrete();
            assert!(
                on_concrete.structures.iter().any(same),
                "seed {seed}: missing\n{text}{w:?}\n{r:?}\n{:?}",
                on_concrete.structures
            );
        }
        for q in &on_concrete.structures {
            assert!(expected.iter().any(|r| embeds(q, r)), "seed {seed}: superfluous\n{text}{w:?}\n{q:?}");
        }
        for _ in 0..2 {
            let a = abstracted(&spec, &s, &mut dice);
            // All cases of which optional summaries exist, and as the solver does it, only those that matter.
            let relevant = context.apply_deciding(built, &a, context.relevant(built, &a), |_| true);
            for effect in [context.apply(built, &a), relevant] {
                if effect.incomplete.is_some() {
                    tally.given_up += 1;
                    continue;
                }
                for m in &messages {
                    let reported = effect.messages.iter().any(|e| e.text == *m);
                    assert!(reported, "seed {seed}: `{m}` is not reported\n{text}on {w:?}\nabstracted {a:?}");
                }
                for r in &expected {
                    assert!(
                        effect.structures.iter().any(|q| embeds(r, q)),
                        "seed {seed}: not covered\n{text}{w:?}\nabstracted {a:?}\nleads to {r:?}\nfound {:?}",
                        effect.structures
                    );
                }
            }
        }
    }
}

#[test]
fn random_actions_agree_with_a_plain_evaluator() {
    let (actions, first) = (number("HEAPWISE_ACTIONS", 1_500), number("HEAPWISE_SEED", 0) << 32);
    let mut tally = Tally::default();
    for seed in first..first + actions {
        check(seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.results > tally.actions && tally.messages * 2 > tally.actions);
    assert!(tally.bound * 20 > tally.actions, "bindings are not tested");
}
