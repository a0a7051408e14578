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

/// Parts of one structure, over all formulas, after which focusing stops splitting.
const MAX_PARTS: usize = 4096;
/// Individuals that focusing on one formula may add: a path through summaries would split them without end.
const MAX_SPLITS: usize = 8;

/// Splits a sharpened structure so that the formulas are definite on the parts, as far as possible.
pub fn focus<'f>(
    voc: &Vocabulary,
    coercion: &Coercion,
    s: Structure,
    formulas: impl IntoIterator<Item = &'f Formula>,
) -> Vec<Structure> {
    let mut parts = vec![s];
    for f in formulas {
        let budget = MAX_PARTS / parts.len().max(1);
        parts = parts.into_iter().flat_map(|part| focus_one(voc, coercion, part, f, budget)).collect();
    }
    parts
}

fn focus_one(
    voc: &Vocabulary,
    coercion: &Coercion,
    s: Structure,
    f: &Formula,
    budget: usize,
) -> Vec<Structure> {
    let free = f.free_vars();
    let most = (s.size() + MAX_SPLITS).min(MAX_INDIVIDUALS);
    let (mut done, mut steps) = (Vec::new(), 0);
    let mut open = vec![s];
    while let Some(s) = open.pop() {
        steps += 1;
        let literal = if steps < budget { indefinite_literal(voc, &s, f, &free, most) } else { None };
        let Some((pred, nodes)) = literal else {
            done.push(s);
            continue;
        };
        for mut part in split(voc, &s, pred, &nodes) {
            let bifurcated = part.size() != s.size();
            if coercion.reapply(voc, &mut part, [pred], bifurcated).is_ok() {
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
    most: usize,
) -> Option<(PredId, Vec<usize>)> {
    let blame = Blame { voc, s, eval: Evaluator::new(voc, s), most };
    let mut env: Env = [0; MAX_VARS];
    blame.search(f, free, &mut env)
}

/// Looks for what makes a formula indefinite on a structure.
struct Blame<'s> {
    voc: &'s Vocabulary,
    s: &'s Structure,
    eval: Evaluator<'s>,
    /// Individuals that a part may have.
    most: usize,
}

impl Blame<'_> {
    fn search(&self, f: &Formula, free: &[Var], env: &mut Env) -> Option<(PredId, Vec<usize>)> {
        match free {
            [] => (self.indefinite(f, env)).then(|| self.literal(f, env)).flatten(),
            [v] => {
                let unknown = self.eval.lanes(f, env, *v).unknown();
                crate::kleene::lanes_of(unknown).find_map(|i| {
                    env[usize::from(v.0)] = i as u8;
                    self.literal(f, env)
                })
            }
            [v, rest @ ..] => (0..self.s.size()).find_map(|i| {
                env[usize::from(v.0)] = i as u8;
                self.search(f, rest, env)
            }),
        }
    }

    fn indefinite(&self, f: &Formula, env: &mut Env) -> bool {
        self.eval.value(f, env) == Kleene::Unknown
    }

    /// A literal instance that can be split and on which the indefinite value of `f` depends.
    fn literal(&self, f: &Formula, env: &mut Env) -> Option<(PredId, Vec<usize>)> {
        let size = self.s.size();
        let part =
            |g: &Formula, env: &mut Env| self.indefinite(g, env).then(|| self.literal(g, env)).flatten();
        match f {
            Formula::Const(_) | Formula::Eq(..) => None,
            Formula::Pred(p, args) => {
                let nodes: Vec<usize> =
                    args.iter().map(|v| usize::from(env[usize::from(v.0) % MAX_VARS])).collect();
                let unknown = self.s.value(self.voc, *p, &nodes) == Kleene::Unknown;
                (unknown && self.splittable(&nodes)).then_some((*p, nodes))
            }
            Formula::Not(g) => self.literal(g, env),
            Formula::And(gs) | Formula::Or(gs) => gs.iter().find_map(|g| part(g, env)),
            Formula::Iff(a, b) => [a, b].into_iter().find_map(|g| part(g, env)),
            Formula::If(c, a, b) => [c, a, b].into_iter().find_map(|g| part(g, env)),
            Formula::Exists(v, g) | Formula::Forall(v, g) => (0..size).find_map(|i| {
                env[usize::from(v.0) % MAX_VARS] = i as u8;
                part(g, env)
            }),
            Formula::Closure(c) => (0..size).find_map(|i| {
                (0..size).find_map(|j| {
                    env[usize::from(c.source.0) % MAX_VARS] = i as u8;
                    env[usize::from(c.target.0) % MAX_VARS] = j as u8;
                    part(&c.step, env)
                })
            }),
        }
    }

    fn splittable(&self, nodes: &[usize]) -> bool {
        if nodes.iter().any(|&u| self.s.optional() >> u & 1 == 1) {
            return false;
        }
        let summary = |u: usize| self.s.summaries() >> u & 1 == 1;
        // Splitting a summary needs room for one more individual.
        if self.s.size() >= self.most && nodes.iter().any(|&u| summary(u)) {
            return false;
        }
        match *nodes {
            [] | [_] => true,
            _ => nodes.iter().filter(|&&u| summary(u)).count() <= 1,
        }
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
