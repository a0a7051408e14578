//! The general engine against concrete structures: every action of the specifications is applied to abstractions of
//! random two-valued structures, and what the action makes of the concrete structure must be described by a result.
//!
//! The concrete effect is computed independently of focus, coerce and finite differencing: core predicates by their
//! update formulas, instrumentation predicates by their definitions, both on two-valued structures.

use heapwise_tvl::canonical::merge;
use heapwise_tvl::decompose::{compose, described, part};
use heapwise_tvl::embedding::embeds;
use heapwise_tvl::eval::{Env, Evaluator};
use heapwise_tvl::formula::{MAX_VARS, Var};
use heapwise_tvl::individuals::Creation;
use heapwise_tvl::kleene::{Kleene, Lanes};
use heapwise_tvl::lang::build::Spec;
use heapwise_tvl::lang::read_program;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::transform::{Action, Context};
use heapwise_tvl::vocabulary::{Meaning, Property, Vocabulary};
use std::path::Path;

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

fn load(name: &str) -> Spec {
    load_with(name, "")
}

/// A specification with more declarations.
fn load_with(name: &str, declarations: &str) -> Spec {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let path = specs.join(format!("{name}.tvp"));
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replacen("%%", &format!("{declarations}\n%%"), 1);
    let mut include = |name: &str, _: &str| {
        let path = specs.join(name);
        Ok((path.display().to_string(), std::fs::read_to_string(&path).map_err(|e| e.to_string())?))
    };
    read_program(&path.display().to_string(), &text, &mut include).unwrap()
}

/// Evaluates all definitions, in the order of declaration.
fn define(voc: &Vocabulary, s: &mut Structure) {
    for id in voc.ids() {
        let p = voc.get(id);
        let Meaning::Instrumentation { params, definition } = &p.meaning else { continue };
        let mut env: Env = [0; MAX_VARS];
        match params[..] {
            [] => {
                let value = Evaluator::new(voc, s).value(definition, &mut env);
                s.set_nullary(p.slot, value);
            }
            [v] => {
                let lanes = Evaluator::new(voc, s).lanes(definition, &mut env, v);
                s.set_unary(p.slot, lanes);
            }
            [u, v] => {
                for i in 0..s.size() {
                    env[usize::from(u.0)] = i as u8;
                    let row = Evaluator::new(voc, s).lanes(definition, &mut env, v);
                    s.set_row(p.slot, i, row);
                }
            }
            _ => unreachable!("predicates have at most two arguments"),
        }
    }
}

/// A random two-valued structure; unique predicates and functions hold at most once.
fn random_structure(spec: &Spec, dice: &mut Dice) -> Structure {
    let voc = &spec.vocabulary;
    let size = dice.below(5);
    let mut s = Structure::with_size(voc, size).unwrap();
    let context = spec.context();
    for id in voc.ids() {
        let p = voc.get(id);
        if !matches!(p.meaning, Meaning::Core) || Some(id) == context.is_new || Some(id) == context.instance {
            continue;
        }
        let has = |q: Property| p.properties.contains(&q);
        match p.arity {
            0 => s.set_nullary(p.slot, Kleene::from(dice.below(2) == 1)),
            1 if has(Property::Unique) => {
                let at = dice.below(size + 1);
                s.set_unary(p.slot, Lanes::definite(if at < size { 1 << at } else { 0 }));
            }
            1 => s.set_unary(p.slot, Lanes::definite(dice.below(1 << size) as u64)),
            _ => {
                for u in 0..size {
                    let row = if has(Property::Function) {
                        let to = dice.below(size + 2);
                        if to < size { 1 << to } else { 0 }
                    } else if has(Property::Transitive) {
                        // A total order by number is a simple case of most orders.
                        s.universe() & !((1 << u) - 1)
                    } else {
                        dice.below(1 << size) as u64
                    };
                    s.set_row(p.slot, u, Lanes::definite(row));
                }
            }
        }
    }
    define(voc, &mut s);
    s
}

/// Whether a two-valued structure satisfies all constraints.
fn consistent(spec: &Spec, s: &Structure) -> bool {
    spec.coercion.apply(&spec.vocabulary, &mut s.clone())
}

/// The concrete results of an action, and the messages that hold.
fn run(context: &Context<'_>, action: &Action, s: &Structure) -> (Vec<Structure>, Vec<String>) {
    let voc = context.voc;
    let mut messages = Vec::new();
    let mut results = Vec::new();
    for mut env in bindings(voc, action, s) {
        let report =
            |s: &Structure, rules: &[heapwise_tvl::transform::MessageRule], out: &mut Vec<String>| {
                let eval = Evaluator::new(voc, s);
                out.extend(rules.iter().filter(|m| eval.closed(&m.condition).must()).map(|m| m.text.clone()));
            };
        report(s, &action.messages_before, &mut messages);
        let mut old = s.clone();
        match &action.creations[..] {
            [] => {}
            [Creation::One] => {
                let node = old.add_individual(voc).unwrap();
                old.set_value(voc, context.is_new.unwrap(), &[node], Kleene::True);
            }
            _ => return (Vec::new(), messages),
        }
        define(voc, &mut old);
        let mut new = old.clone();
        let eval = Evaluator::new(voc, &old);
        for u in &action.updates {
            if !matches!(voc.get(u.pred).meaning, Meaning::Core) {
                continue;
            }
            let slot = voc.get(u.pred).slot;
            let value = u.value();
            match u.params[..] {
                [] => new.set_nullary(slot, eval.value(&value, &mut env)),
                [v] => new.set_unary(slot, eval.lanes(&value, &mut env, v)),
                [a, b] => {
                    for i in 0..old.size() {
                        env[usize::from(a.0)] = i as u8;
                        new.set_row(slot, i, eval.lanes(&value, &mut env, b));
                    }
                }
                _ => unreachable!("predicates have at most two arguments"),
            }
        }
        if let Some((v, f)) = &action.retain {
            let kept = eval.lanes(f, &mut env, *v);
            new = new.restrict(kept.must);
        }
        if let Some(is_new) = context.is_new {
            new.set_unary(voc.get(is_new).slot, Lanes::FALSE);
        }
        define(voc, &mut new);
        report(&new, &action.messages_after, &mut messages);
        results.push(new);
    }
    (results, messages)
}

fn bindings(voc: &Vocabulary, action: &Action, s: &Structure) -> Vec<Env> {
    let Some(f) = &action.precondition else { return vec![[0; MAX_VARS]] };
    let eval = Evaluator::new(voc, s);
    let mut envs = vec![[0u8; MAX_VARS]];
    for Var(v) in f.free_vars() {
        envs = envs
            .into_iter()
            .flat_map(|env| {
                (0..s.size()).map(move |i| {
                    let mut env = env;
                    env[usize::from(v)] = i as u8;
                    env
                })
            })
            .collect();
    }
    envs.into_iter().filter(|env| eval.value(f, &mut env.clone()).must()).collect()
}

/// An abstraction of `s`: individuals merged at random, or as canonical abstraction does; loose if asked for.
fn abstracted(spec: &Spec, s: &Structure, dice: &mut Dice) -> Structure {
    let mut result = if dice.below(2) == 0 || s.size() == 0 {
        spec.abstraction.blur(s)
    } else {
        let classes = 1 + dice.below(s.size());
        let mut class: Vec<usize> =
            (0..s.size()).map(|i| if i < classes { i } else { dice.below(classes) }).collect();
        class.rotate_left(dice.below(s.size()));
        merge(s, &class, classes)
    };
    if dice.below(3) == 0 {
        let summaries = result.summaries();
        result.set_optional(summaries);
    }
    result
}

fn campaign(name: &str, rounds: usize) -> (usize, usize) {
    let spec = load(name);
    let context = spec.context();
    let (mut applied, mut covered) = (0, 0);
    let mut dice = Dice(rounds as u64 ^ name.len() as u64);
    for _ in 0..rounds {
        let s = random_structure(&spec, &mut dice);
        if !consistent(&spec, &s) {
            continue;
        }
        let a = abstracted(&spec, &s, &mut dice);
        assert!(embeds(&s, &a), "{name}: the abstraction lost its structure");
        let action = &spec.graph.edges[dice.below(spec.graph.edges.len())].action;
        let (results, messages) = run(&context, action, &s);
        // As loose structures are treated, only the summaries that matter to the action are decided.
        let few = context.apply_deciding(action, &a, context.relevant(action, &a), |_| true);
        for effect in [context.apply(action, &a), few] {
            if effect.incomplete.is_some() {
                continue;
            }
            applied += 1;
            for text in &messages {
                assert!(
                    effect.messages.iter().any(|m| m.text == *text),
                    "{name}: `{}` does not report `{text}` on {s:?}",
                    action.title
                );
            }
            // What breaks a constraint does not arise, by the specification's own word.
            for result in results.iter().filter(|r| consistent(&spec, r)) {
                covered += 1;
                assert!(
                    effect.structures.iter().any(|r| embeds(result, r)),
                    "{name}: `{}` takes {s:?}\n(abstracted {a:?})\nto {result:?},\nwhich no result covers: {:?}",
                    action.title,
                    effect.structures
                );
            }
        }
    }
    (applied, covered)
}

#[test]
fn actions_cover_their_concrete_effects() {
    for name in [
        "sll-loop",
        "sll-reverse",
        "sll-delete",
        "dll-loop",
        "dll-pairs",
        "sll-insert",
        "sll-append",
        "sll-merge",
        "sll-swap",
        "sll-rotate",
        "sll-search",
        "sll-deleteall",
        "cyclic-walk",
        "cyclic-insert",
        "cyclic-delete",
        "insertion-sort",
        "bubble-sort",
        "dll-splice",
        "tree-walk",
        "tree-insert",
        "tree-dsw",
        "mark-sweep",
    ] {
        let (applied, covered) = campaign(name, 1500);
        assert!(applied > 10 && covered > 5, "{name}: {applied} applications, {covered} results");
    }
}

/// Cuts abstractions of random structures into parts, puts some of these together, applies an action and cuts the results:
/// what the action makes of the concrete structure must be described by some result for each part.
fn campaign_in_parts(name: &str, declarations: &str, rounds: usize) -> (usize, usize) {
    let spec = load_with(name, declarations);
    let context = spec.context();
    let parts = &spec.graph.parts;
    assert!(parts.len() > 1, "{name}");
    let (mut composed, mut covered) = (0, 0);
    let mut dice = Dice(rounds as u64 + name.len() as u64);
    for _ in 0..rounds {
        let s = random_structure(&spec, &mut dice);
        if !consistent(&spec, &s) {
            continue;
        }
        let mut a = abstracted(&spec, &s, &mut dice);
        if a.optional() != 0 {
            // Parts are cut from strict structures.
            a = spec.abstraction.blur(&s);
        }
        let cut_at = |s: &Structure, p| {
            let cut = part(&context, s, p).expect("there is room");
            described(&context, &spec.abstraction.blur(&cut), p)
        };
        let cuts: Vec<Vec<Structure>> = parts.iter().map(|p| cut_at(&a, *p)).collect();
        for cut in &cuts {
            assert!(cut.iter().any(|c| embeds(&s, c)), "{name}: {s:?}\nis not described by its part {cut:?}");
        }
        // At least one part is composed.
        let chosen: Vec<usize> = (0..parts.len()).filter(|_| dice.below(3) > 0).collect();
        let chosen = if chosen.is_empty() { vec![dice.below(parts.len())] } else { chosen };
        let mut all = cuts[chosen[0]].clone();
        for i in &chosen[1..] {
            let Some(more) = compose(&context, &all, &cuts[*i]) else { break };
            all = more;
        }
        assert!(
            all.iter().any(|c| embeds(&s, c)),
            "{name}: {s:?}\nis lost by composing {chosen:?} of {cuts:?}"
        );
        composed += 1;
        let action = &spec.graph.edges[dice.below(spec.graph.edges.len())].action;
        let (results, messages) = run(&context, action, &s);
        let effects: Vec<_> = all.iter().map(|c| context.apply(action, c)).collect();
        if effects.iter().any(|e| e.incomplete.is_some()) {
            continue;
        }
        for text in &messages {
            assert!(effects.iter().any(|e| e.messages.iter().any(|m| m.text == *text)), "{name}: {text}");
        }
        for result in results.iter().filter(|r| consistent(&spec, r)) {
            covered += 1;
            for p in parts {
                let cuts: Vec<Vec<Structure>> =
                    effects.iter().flat_map(|e| &e.structures).map(|r| cut_at(r, *p)).collect();
                assert!(
                    cuts.iter().flatten().any(|r| embeds(result, r)),
                    "{name}: `{}` on {chosen:?} loses {result:?}\nin part {p:?}: {cuts:?}\nof {effects:?}",
                    action.title
                );
            }
        }
    }
    (composed, covered)
}

#[test]
fn structures_in_parts_cover_their_concrete_effects() {
    let lists = "foreach (z in Var) { %dname r[n,z](v) z } %dname !(|/{ r[n,z](v) : z in Var })";
    let trees = "foreach (z in Var) { %dname r[z](v) z } %dname !(|/{ r[z](v) : z in Var })";
    for (name, declarations, rounds) in [
        ("two-stacks", "", 800),
        ("two-trees", "", 800),
        ("sll-loop", lists, 400),
        ("sll-merge", lists, 200),
        ("dll-splice", lists, 200),
        ("cyclic-insert", lists, 200),
        ("tree-insert", trees, 800),
    ] {
        let (cut, covered) = campaign_in_parts(name, declarations, rounds);
        assert!(cut > 10 && covered > 5, "{name}: {cut} cut, {covered} results");
    }
}
