//! Focus: split a structure until a formula is definite on every part.
//!
//! The formula is evaluated for all values of its free variables; while one is 1/2, a literal responsible
//! for it is chosen and the structure is split on that literal's value, and on the individual itself when
//! it is a summary: all of it satisfies the literal, none does, or it falls into two parts (survey §4.3.7,
//! "Bringing Structures into Focus"). Each part is sharpened at once, which prunes most of them.
//!
//! A literal between two summaries has no finite split; it is left alone, as is everything beyond the
//! budget, which costs precision only: the parts together always describe what the input described.

use crate::coerce::Coercion;
use crate::eval::{Env, Evaluator};
use crate::formula::{Formula, MAX_VARS, Var};
use crate::kleene::Kleene;
use crate::structure::{MAX_INDIVIDUALS, Structure};
use crate::vocabulary::{PredId, Vocabulary};

/// Parts after which a focus stops splitting.
const MAX_PARTS: usize = 4096;

/// Splits a sharpened structure so that `f` is definite on the parts, as far as possible.
pub fn focus(voc: &Vocabulary, coercion: &Coercion, s: Structure, f: &Formula) -> Vec<Structure> {
    let free = f.free_vars();
    let mut done = Vec::new();
    let mut open = vec![s];
    while let Some(s) = open.pop() {
        let literal =
            if done.len() + open.len() < MAX_PARTS { indefinite_literal(voc, &s, f, &free) } else { None };
        let Some((pred, nodes)) = literal else {
            done.push(s);
            continue;
        };
        for mut part in split(voc, &s, pred, &nodes) {
            let bifurcated = part.size() != s.size();
            if coercion.reapply(voc, &mut part, [pred], bifurcated) {
                open.push(part);
            }
        }
    }
    done
}

fn indefinite_literal(
    voc: &Vocabulary,
    s: &Structure,
    f: &Formula,
    free: &[Var],
) -> Option<(PredId, Vec<usize>)> {
    let eval = Evaluator::new(voc, s);
    let mut env: Env = [0; MAX_VARS];
    search(voc, s, &eval, f, free, &mut env)
}

fn search(
    voc: &Vocabulary,
    s: &Structure,
    eval: &Evaluator<'_>,
    f: &Formula,
    free: &[Var],
    env: &mut Env,
) -> Option<(PredId, Vec<usize>)> {
    match free {
        [] => (eval.value(f, env) == Kleene::Unknown).then(|| blame(voc, s, eval, f, env)).flatten(),
        [v] => {
            let unknown = eval.lanes(f, env, *v).unknown();
            crate::kleene::lanes_of(unknown).find_map(|i| {
                env[usize::from(v.0)] = i as u8;
                blame(voc, s, eval, f, env)
            })
        }
        [v, rest @ ..] => (0..s.size()).find_map(|i| {
            env[usize::from(v.0)] = i as u8;
            search(voc, s, eval, f, rest, env)
        }),
    }
}

/// A literal instance that can be split and on which the indefinite value of `f` depends.
fn blame(
    voc: &Vocabulary,
    s: &Structure,
    eval: &Evaluator<'_>,
    f: &Formula,
    env: &mut Env,
) -> Option<(PredId, Vec<usize>)> {
    let indefinite = |g: &Formula, env: &mut Env| eval.value(g, env) == Kleene::Unknown;
    match f {
        Formula::Const(_) | Formula::Eq(..) => None,
        Formula::Pred(p, args) => {
            let nodes: Vec<usize> =
                args.iter().map(|v| usize::from(env[usize::from(v.0) % MAX_VARS])).collect();
            (s.value(voc, *p, &nodes) == Kleene::Unknown && splittable(s, &nodes)).then_some((*p, nodes))
        }
        Formula::Not(g) => blame(voc, s, eval, g, env),
        Formula::And(gs) | Formula::Or(gs) => {
            gs.iter().find_map(|g| indefinite(g, env).then(|| blame(voc, s, eval, g, env)).flatten())
        }
        Formula::Iff(a, b) => {
            [a, b].into_iter().find_map(|g| indefinite(g, env).then(|| blame(voc, s, eval, g, env)).flatten())
        }
        Formula::If(c, a, b) => [c, a, b]
            .into_iter()
            .find_map(|g| indefinite(g, env).then(|| blame(voc, s, eval, g, env)).flatten()),
        Formula::Exists(v, g) | Formula::Forall(v, g) => (0..s.size()).find_map(|i| {
            env[usize::from(v.0) % MAX_VARS] = i as u8;
            indefinite(g, env).then(|| blame(voc, s, eval, g, env)).flatten()
        }),
        Formula::Closure(c) => (0..s.size()).find_map(|i| {
            (0..s.size()).find_map(|j| {
                env[usize::from(c.source.0) % MAX_VARS] = i as u8;
                env[usize::from(c.target.0) % MAX_VARS] = j as u8;
                indefinite(&c.step, env).then(|| blame(voc, s, eval, &c.step, env)).flatten()
            })
        }),
    }
}

fn splittable(s: &Structure, nodes: &[usize]) -> bool {
    if nodes.iter().any(|&u| s.optional() >> u & 1 == 1) {
        return false;
    }
    let summary = |u: usize| s.summaries() >> u & 1 == 1;
    // Splitting a summary needs room for one more individual.
    if s.size() >= MAX_INDIVIDUALS && nodes.iter().any(|&u| summary(u)) {
        return false;
    }
    match *nodes {
        [u, v] => !(summary(u) && summary(v)) && (u != v || !summary(u)),
        _ => true,
    }
}

fn split(voc: &Vocabulary, s: &Structure, pred: PredId, nodes: &[usize]) -> Vec<Structure> {
    let mut parts = Vec::with_capacity(3);
    for value in [Kleene::False, Kleene::True] {
        let mut part = s.clone();
        part.set_value(voc, pred, nodes, value);
        parts.push(part);
    }
    if let Some(&summary) = nodes.iter().find(|&&u| s.summaries() >> u & 1 == 1) {
        let mut part = s.clone();
        if let Some(copy) = part.duplicate(voc, summary) {
            let of_copy: Vec<usize> = nodes.iter().map(|&u| if u == summary { copy } else { u }).collect();
            part.set_value(voc, pred, nodes, Kleene::False);
            part.set_value(voc, pred, &of_copy, Kleene::True);
            parts.push(part);
        }
    }
    parts
}
