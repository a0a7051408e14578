//! Integrity constraints in the form that [`crate::coerce`] uses: a body formula that implies a literal
//! (survey §4.3.7, "The Form of Integrity Constraints").
//!
//! Every source of constraints is read as one universally closed formula: a rule `body ==> head`, a
//! declared property, or the two directions of an instrumentation predicate's definition. The formula is
//! brought into clauses, and every literal of a clause becomes the head of one constraint whose body is
//! the negation of the rest. So contrapositives come for free, and nothing is concluded that the formula
//! does not say. (The survey's table also lowers a head when its body is 0; that is only valid for
//! definitions, where the second direction yields it here.)

use crate::formula::{Closure, Formula, MAX_VARS, Var};
use crate::vocabulary::{Meaning, PredId, Property, Vocabulary};
use rustc_hash::FxHashSet;

/// The conclusion of a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A predicate, or its negation if the flag is false.
    Pred(PredId, Vec<Var>, bool),
    /// Equality, or inequality if the flag is false.
    Eq(Var, Var, bool),
    /// Contradiction: the body must not hold.
    Never,
}

/// `body` implies `head` for all values of the free variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// What is assumed; its free variables are among the head's.
    pub body: Formula,
    /// What follows.
    pub head: Head,
}

impl Constraint {
    /// The constraint as a rule in the notation of the TVLA language.
    pub fn show(&self, voc: &Vocabulary) -> String {
        let not = |positive: bool| if positive { "" } else { "!" };
        let head = match &self.head {
            Head::Pred(p, args, positive) => {
                format!("{}{}", not(*positive), Formula::Pred(*p, args.clone()).show(voc))
            }
            Head::Eq(a, b, positive) => format!("v{} {} v{}", a.0, if *positive { "==" } else { "!=" }, b.0),
            Head::Never => "0".to_string(),
        };
        format!("{} ==> {head}", self.body.show(voc))
    }
}

/// Clauses whose cross product is larger than this are left undistributed.
const MAX_CLAUSES: usize = 16;

/// Negation normal form of `f`, or of its negation.
pub fn nnf(f: &Formula, positive: bool) -> Formula {
    let both = |a: &Formula, pa: bool, b: &Formula, pb: bool| Formula::And(vec![nnf(a, pa), nnf(b, pb)]);
    match f {
        Formula::Const(k) => Formula::Const(if positive { *k } else { !*k }),
        Formula::Pred(..) | Formula::Eq(..) | Formula::Closure(_) => {
            if positive {
                f.clone()
            } else {
                f.clone().negate()
            }
        }
        Formula::Not(g) => nnf(g, !positive),
        Formula::And(gs) | Formula::Or(gs) => {
            let parts = gs.iter().map(|g| nnf(g, positive)).collect();
            if matches!(f, Formula::And(_)) == positive { Formula::And(parts) } else { Formula::Or(parts) }
        }
        Formula::Iff(a, b) => Formula::Or(vec![both(a, true, b, positive), both(a, false, b, !positive)]),
        Formula::If(c, a, b) => Formula::Or(vec![both(c, true, a, positive), both(c, false, b, positive)]),
        Formula::Exists(v, g) | Formula::Forall(v, g) => {
            let inner = Box::new(nnf(g, positive));
            if matches!(f, Formula::Exists(..)) == positive {
                Formula::Exists(*v, inner)
            } else {
                Formula::Forall(*v, inner)
            }
        }
    }
}

/// Clauses of a formula in negation normal form whose free variables are universally closed.
fn clauses(f: Formula) -> Vec<Vec<Formula>> {
    match f {
        Formula::And(fs) => fs.into_iter().flat_map(clauses).collect(),
        Formula::Forall(_, g) => clauses(*g),
        Formula::Or(fs) => {
            let mut product: Vec<Vec<Formula>> = vec![Vec::new()];
            for g in fs {
                let parts = clauses(g.clone());
                if product.len() * parts.len() > MAX_CLAUSES {
                    product.iter_mut().for_each(|clause| clause.push(g.clone()));
                    continue;
                }
                product = product
                    .iter()
                    .flat_map(|clause| {
                        parts.iter().map(move |part| clause.iter().chain(part).cloned().collect())
                    })
                    .collect();
            }
            product
        }
        g => vec![vec![g]],
    }
}

/// Conjunction under existential quantifiers, each pushed down to the conjuncts that need it.
fn exists_over(vars: &[Var], mut conjuncts: Vec<Formula>) -> Formula {
    for v in vars.iter().rev() {
        let (inner, outer): (Vec<Formula>, Vec<Formula>) =
            conjuncts.into_iter().partition(|f| f.free() >> v.0 & 1 == 1);
        conjuncts = outer;
        if !inner.is_empty() {
            conjuncts.push(Formula::Exists(*v, Box::new(and_cheap_first(inner))));
        }
    }
    and_cheap_first(conjuncts)
}

fn and_cheap_first(mut conjuncts: Vec<Formula>) -> Formula {
    conjuncts.sort_by_key(|f| {
        let mut cost = 0u32;
        f.visit(&mut |g| {
            cost += match g {
                Formula::Exists(..) | Formula::Forall(..) => 20,
                Formula::Closure(_) => 40,
                Formula::Pred(_, args) => args.len() as u32,
                _ => 1,
            }
        });
        cost
    });
    if conjuncts.len() == 1 { conjuncts.remove(0) } else { Formula::And(conjuncts) }
}

/// The constraints that a universally closed formula yields.
pub fn from_formula(f: &Formula) -> Vec<Constraint> {
    let mut result = Vec::new();
    for clause in clauses(nnf(f, true)) {
        if clause.iter().any(|d| *d == Formula::truth() || clause.contains(&d.clone().negate())) {
            continue;
        }
        let mut headed = false;
        for (i, literal) in clause.iter().enumerate() {
            let head = match literal {
                Formula::Pred(p, args) => Head::Pred(*p, args.clone(), true),
                Formula::Eq(a, b) => Head::Eq(*a, *b, true),
                Formula::Not(inner) => match &**inner {
                    Formula::Pred(p, args) => Head::Pred(*p, args.clone(), false),
                    Formula::Eq(a, b) => Head::Eq(*a, *b, false),
                    _ => continue,
                },
                _ => continue,
            };
            headed = true;
            result.push(constraint(&clause, Some(i), head, literal.free()));
        }
        if !headed {
            result.push(constraint(&clause, None, Head::Never, 0));
        }
    }
    result
}

fn constraint(clause: &[Formula], skip: Option<usize>, head: Head, head_vars: u64) -> Constraint {
    let rest: Vec<Formula> = clause
        .iter()
        .enumerate()
        .filter(|(i, d)| Some(*i) != skip && **d != Formula::falsity())
        .map(|(_, d)| nnf(d, false))
        .collect();
    let free = rest.iter().fold(0u64, |acc, f| acc | f.free()) & !head_vars;
    let vars: Vec<Var> = crate::kleene::lanes_of(free).map(|v| Var(v as u8)).collect();
    Constraint { body: exists_over(&vars, rest), head }
}

/// The formula that a property stands for; `None` for properties without one.
fn property_formula(pred: PredId, arity: usize, property: Property) -> Option<Formula> {
    let [a, b, c] = [Var(0), Var(1), Var(2)];
    let p = |u: Var, v: Var| Formula::Pred(pred, vec![u, v]);
    let implies = |body: Vec<Formula>, head: Formula| Formula::Or(vec![Formula::And(body).negate(), head]);
    Some(match (property, arity) {
        (Property::Unique, 1) => {
            implies(vec![Formula::Pred(pred, vec![a]), Formula::Pred(pred, vec![b])], Formula::Eq(a, b))
        }
        (Property::Function, 2) => implies(vec![p(a, b), p(a, c)], Formula::Eq(b, c)),
        (Property::InvFunction, 2) => implies(vec![p(b, a), p(c, a)], Formula::Eq(b, c)),
        (Property::Symmetric, 2) => implies(vec![p(a, b)], p(b, a)),
        (Property::Antisymmetric, 2) => implies(vec![p(a, b), p(b, a)], Formula::Eq(a, b)),
        (Property::Reflexive, 2) => implies(vec![Formula::Eq(a, b)], p(a, b)),
        (Property::Antireflexive, 2) => implies(vec![p(a, b)], Formula::Eq(a, b).negate()),
        (Property::Transitive, 2) => implies(vec![p(a, b), p(b, c)], p(a, c)),
        (Property::Acyclic, 2) => {
            let path =
                Closure { from: a, to: b, source: c, target: Var(3), step: p(c, Var(3)), reflexive: true };
            implies(vec![Formula::Closure(Box::new(path))], p(b, a).negate())
        }
        _ => return None,
    })
}

/// Number of constraints a system may have; more are dropped, which loses precision only.
const MAX_CONSTRAINTS: usize = 20_000;

/// All constraints of a vocabulary (properties and definitions) and of further rules, without duplicates.
pub fn generate(voc: &Vocabulary, rules: &[Formula]) -> Vec<Constraint> {
    let mut found = Vec::new();
    for rule in rules {
        found.extend(from_formula(rule));
    }
    for id in voc.ids() {
        let p = voc.get(id);
        for &property in &p.properties {
            if let Some(f) = property_formula(id, p.arity, property) {
                found.extend(from_formula(&f));
            }
        }
        if let Meaning::Instrumentation { params, definition } = &p.meaning {
            let atom = Formula::Pred(id, params.clone());
            found.extend(from_formula(&definition.clone().negate().or(atom.clone())));
            found.extend(from_formula(&atom.negate().or(definition.clone())));
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|c| {
        c.body != Formula::falsity() && c.body.fresh_above() as usize <= MAX_VARS && seen.insert(c.clone())
    });
    found.truncate(MAX_CONSTRAINTS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_yields_equality_and_absent_edges() {
        let mut voc = Vocabulary::new();
        let n = voc.declare("n", 2, Meaning::Core).unwrap();
        voc.get_mut(n).properties.push(Property::Function);
        let heads: Vec<Head> = generate(&voc, &[]).into_iter().map(|c| c.head).collect();
        assert!(heads.contains(&Head::Eq(Var(1), Var(2), true)));
        assert!(heads.contains(&Head::Pred(n, vec![Var(0), Var(2)], false)));
    }
}
