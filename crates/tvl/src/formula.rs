//! First-order formulas with transitive closure (survey §4.3.1), as the evaluator needs them.
//!
//! Variables are numbers. **Invariant:** within one formula no two binders use the same number and no
//! bound number is also free, so an environment is a flat array ([`Formula::fresh_above`] helps builders).
//! Numbers stay below [`MAX_VARS`] so that sets of free variables are one word.

use crate::kleene::Kleene;
use crate::vocabulary::{PredId, Vocabulary};

/// A logical variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u8);

/// Number of distinct variables a formula may use.
pub const MAX_VARS: usize = 64;

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// A truth value.
    Const(Kleene),
    /// A predicate applied to variables.
    Pred(PredId, Vec<Var>),
    /// Equality.
    Eq(Var, Var),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction; empty is 1.
    And(Vec<Formula>),
    /// Disjunction; empty is 0.
    Or(Vec<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
    /// `(c ? f : g)`.
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    /// Existential quantification.
    Exists(Var, Box<Formula>),
    /// Universal quantification.
    Forall(Var, Box<Formula>),
    /// Closure: a path of one or more steps (`plus`) or zero or more leads from `from` to `to`, where
    /// `step` holds between neighbours under the bound names `source` and `target`.
    Closure(Box<Closure>),
}

/// The parts of [`Formula::Closure`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Closure {
    /// Start of the path.
    pub from: Var,
    /// End of the path.
    pub to: Var,
    /// Bound name of a step's source.
    pub source: Var,
    /// Bound name of a step's target.
    pub target: Var,
    /// The step relation.
    pub step: Formula,
    /// Whether the empty path counts.
    pub reflexive: bool,
}

impl Formula {
    /// The formula 1.
    pub fn truth() -> Formula {
        Formula::Const(Kleene::True)
    }

    /// The formula 0.
    pub fn falsity() -> Formula {
        Formula::Const(Kleene::False)
    }

    /// Negation, without piling up double negations.
    pub fn negate(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            Formula::Const(k) => Formula::Const(!k),
            f => Formula::Not(Box::new(f)),
        }
    }

    /// `self & other`.
    pub fn and(self, other: Formula) -> Formula {
        match (self, other) {
            (Formula::And(mut a), Formula::And(b)) => {
                a.extend(b);
                Formula::And(a)
            }
            (Formula::And(mut a), b) => {
                a.push(b);
                Formula::And(a)
            }
            (a, Formula::And(mut b)) => {
                b.insert(0, a);
                Formula::And(b)
            }
            (a, b) => Formula::And(vec![a, b]),
        }
    }

    /// `self | other`.
    pub fn or(self, other: Formula) -> Formula {
        match (self, other) {
            (Formula::Or(mut a), Formula::Or(b)) => {
                a.extend(b);
                Formula::Or(a)
            }
            (Formula::Or(mut a), b) => {
                a.push(b);
                Formula::Or(a)
            }
            (a, b) => Formula::Or(vec![a, b]),
        }
    }

    /// Existential quantification over several variables.
    pub fn exists(vars: impl IntoIterator<Item = Var>, body: Formula) -> Formula {
        let vars: Vec<Var> = vars.into_iter().collect();
        vars.into_iter().rev().fold(body, |f, v| Formula::Exists(v, Box::new(f)))
    }

    /// The free variables as a set.
    pub fn free(&self) -> u64 {
        let bit = |v: &Var| 1u64 << (v.0 & 63);
        match self {
            Formula::Const(_) => 0,
            Formula::Pred(_, args) => args.iter().map(bit).fold(0, |a, b| a | b),
            Formula::Eq(a, b) => bit(a) | bit(b),
            Formula::Not(f) => f.free(),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().map(Formula::free).fold(0, |a, b| a | b),
            Formula::Iff(f, g) => f.free() | g.free(),
            Formula::If(c, f, g) => c.free() | f.free() | g.free(),
            Formula::Exists(v, f) | Formula::Forall(v, f) => f.free() & !bit(v),
            Formula::Closure(c) => {
                (c.step.free() & !(bit(&c.source) | bit(&c.target))) | bit(&c.from) | bit(&c.to)
            }
        }
    }

    /// The free variables in increasing order.
    pub fn free_vars(&self) -> Vec<Var> {
        crate::kleene::lanes_of(self.free()).map(|v| Var(v as u8)).collect()
    }

    /// The smallest number above every variable of the formula.
    pub fn fresh_above(&self) -> u8 {
        let mut top = 0u8;
        self.visit(&mut |f| {
            let mut see = |v: &Var| top = top.max(v.0.saturating_add(1));
            match f {
                Formula::Pred(_, args) => args.iter().for_each(&mut see),
                Formula::Eq(a, b) => [a, b].into_iter().for_each(&mut see),
                Formula::Exists(v, _) | Formula::Forall(v, _) => see(v),
                Formula::Closure(c) => [c.from, c.to, c.source, c.target].iter().for_each(&mut see),
                _ => {}
            }
        });
        top
    }

    /// Calls `f` on every subformula, outermost first.
    pub fn visit(&self, f: &mut impl FnMut(&Formula)) {
        f(self);
        match self {
            Formula::Const(_) | Formula::Pred(..) | Formula::Eq(..) => {}
            Formula::Not(g) | Formula::Exists(_, g) | Formula::Forall(_, g) => g.visit(f),
            Formula::And(gs) | Formula::Or(gs) => gs.iter().for_each(|g| g.visit(f)),
            Formula::Iff(a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Formula::If(a, b, c) => {
                a.visit(f);
                b.visit(f);
                c.visit(f);
            }
            Formula::Closure(c) => c.step.visit(f),
        }
    }

    /// Whether the formula mentions one of the predicates for which `test` holds.
    pub fn mentions(&self, test: &impl Fn(PredId) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |f| {
            if let Formula::Pred(p, _) = f {
                found |= test(*p);
            }
        });
        found
    }

    /// The formula in the notation of the TVLA language.
    pub fn show(&self, voc: &Vocabulary) -> String {
        let list = |fs: &[Formula], op: &str, unit: &str| match fs {
            [] => unit.to_string(),
            _ => format!("({})", fs.iter().map(|f| f.show(voc)).collect::<Vec<_>>().join(op)),
        };
        match self {
            Formula::Const(k) => k.to_string(),
            Formula::Pred(p, args) => {
                let args: Vec<String> = args.iter().map(|v| format!("v{}", v.0)).collect();
                format!("{}({})", voc.get(*p).name, args.join(", "))
            }
            Formula::Eq(a, b) => format!("v{} == v{}", a.0, b.0),
            Formula::Not(f) => format!("!({})", f.show(voc)),
            Formula::And(fs) => list(fs, " & ", "1"),
            Formula::Or(fs) => list(fs, " | ", "0"),
            Formula::Iff(a, b) => format!("({} <-> {})", a.show(voc), b.show(voc)),
            Formula::If(c, a, b) => format!("({} ? {} : {})", c.show(voc), a.show(voc), b.show(voc)),
            Formula::Exists(v, f) => format!("E(v{}) {}", v.0, f.show(voc)),
            Formula::Forall(v, f) => format!("A(v{}) {}", v.0, f.show(voc)),
            Formula::Closure(c) => format!(
                "TC(v{}, v{})(v{}, v{}){} {}",
                c.from.0,
                c.to.0,
                c.source.0,
                c.target.0,
                if c.reflexive { "*" } else { "" },
                c.step.show(voc)
            ),
        }
    }
}
