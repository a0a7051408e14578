//! Finite differencing: new values of instrumentation predicates from how the core predicates changed.
//!
//! Evaluating a definition afresh on an abstract structure forgets what the stored value knew. So a
//! formula is evaluated together with its change: for each value the part that became true and the part
//! that became false are computed by rules for every connective, and the new value of an instrumentation
//! predicate is its old value corrected by these (survey §4.3.7; Reps, Sagiv, Loginov 2003). This is done
//! on values, bit-parallel, not by building formulas.
//!
//! Closures: adding edges closes the old closure with the new edges. Removing edges from a relation that is
//! a function, or an inverse function, and acyclic at the removed edges cuts exactly the connections
//! through them, because paths are unique. Otherwise the closure is computed afresh.
//! All rules are exact on two-valued structures, so by the embedding theorem they are sound on
//! three-valued ones. Closures that are themselves the definition of a binary predicate use its stored
//! values.

use crate::eval::{Env, Evaluator, close};
use crate::formula::{Closure, Formula, MAX_VARS, Var};
use crate::kleene::{Kleene, Lanes};
use crate::structure::Structure;
use crate::vocabulary::{Meaning, PredId, Property, Vocabulary};
use crate::wide::bind;

/// Values before and after, and what became true and false.
#[derive(Clone, Copy, Debug)]
pub struct Delta {
    /// Value before.
    pub old: Lanes,
    /// Value after.
    pub new: Lanes,
    /// Became true.
    pub plus: Lanes,
    /// Became false.
    pub minus: Lanes,
}

/// How one predicate changed: one entry for nullary (lane 0) and unary, one per source for binary, one per row for others.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Became true.
    pub plus: Vec<Lanes>,
    /// Became false.
    pub minus: Vec<Lanes>,
}

/// Evaluates changes between two structures over the same individuals.
pub struct Differ<'s> {
    voc: &'s Vocabulary,
    old: &'s Structure,
    new: &'s Structure,
    changes: &'s [Option<Change>],
    old_eval: Evaluator<'s>,
    new_eval: Evaluator<'s>,
    universe: u64,
}

impl<'s> Differ<'s> {
    /// `changes` has an entry for every predicate whose values differ between `old` and `new`.
    pub fn new(
        voc: &'s Vocabulary,
        old: &'s Structure,
        new: &'s Structure,
        changes: &'s [Option<Change>],
    ) -> Differ<'s> {
        Differ {
            voc,
            old,
            new,
            changes,
            old_eval: Evaluator::new(voc, old),
            new_eval: Evaluator::new(voc, new),
            universe: old.universe(),
        }
    }

    /// Whether the formula can have changed at all.
    pub fn affects(&self, f: &Formula) -> bool {
        f.mentions(&|p| self.changes.get(p.0 as usize).is_some_and(Option::is_some))
    }

    fn same(&self, value: Lanes) -> Delta {
        Delta { old: value, new: value, plus: Lanes::FALSE, minus: Lanes::FALSE }
    }

    /// The change of a formula for all values of `column`.
    pub fn lanes(&self, f: &Formula, env: &mut Env, column: Var) -> Delta {
        // Connectives look at their parts anyway; only where a part is evaluated often is it worth asking first.
        let repeats = matches!(f, Formula::Exists(..) | Formula::Forall(..) | Formula::Closure(_));
        if repeats && !self.affects(f) {
            return self.same(self.old_eval.lanes(f, env, column));
        }
        match f {
            Formula::Const(_) | Formula::Eq(..) => self.same(self.old_eval.lanes(f, env, column)),
            Formula::Pred(p, args) => {
                let old = self.old_eval.lanes(f, env, column);
                let new = self.new_eval.lanes(f, env, column);
                let Some(Some(change)) = self.changes.get(p.0 as usize) else { return self.same(old) };
                let pick = |rows: &[Lanes]| self.pick(rows, args, env, column);
                self.refine(Delta { old, new, plus: pick(&change.plus), minus: pick(&change.minus) })
            }
            Formula::Not(g) => self.not(self.lanes(g, env, column)),
            Formula::And(gs) => {
                let mut acc = self.same(Lanes::splat(Kleene::True, self.universe));
                for g in gs {
                    let d = self.lanes(g, env, column);
                    acc = self.and(acc, d);
                    if acc.old.may | acc.new.may | acc.plus.may | acc.minus.may == 0 {
                        break;
                    }
                }
                acc
            }
            Formula::Or(gs) => {
                let mut acc = self.same(Lanes::FALSE);
                for g in gs {
                    let d = self.lanes(g, env, column);
                    acc = self.or(acc, d);
                }
                acc
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.lanes(a, env, column), self.lanes(b, env, column));
                let yes = self.and(a, b);
                let no = self.and(self.not(a), self.not(b));
                self.or(yes, no)
            }
            Formula::If(c, a, b) => {
                let c = self.lanes(c, env, column);
                let a = self.lanes(a, env, column);
                let b = self.lanes(b, env, column);
                let yes = self.and(c, a);
                let no = self.and(self.not(c), b);
                self.or(yes, no)
            }
            Formula::Exists(w, g) => self.exists(*w, g, env, column, false),
            Formula::Forall(w, g) => {
                let d = self.exists(*w, g, env, column, true);
                self.not(d)
            }
            Formula::Closure(c) => self.closure(f, c, env, column),
        }
    }

    fn not(&self, d: Delta) -> Delta {
        Delta { old: d.old.not(self.universe), new: d.new.not(self.universe), plus: d.minus, minus: d.plus }
    }

    /// The new value is also the old one corrected by the change; both are sound, so take what both allow.
    fn refine(&self, d: Delta) -> Delta {
        let corrected = d.old.and(d.minus.not(self.universe)).or(d.plus);
        if d.new.conflicts(corrected) != 0 {
            return d;
        }
        Delta { new: d.new.meet(corrected), ..d }
    }

    fn and(&self, a: Delta, b: Delta) -> Delta {
        self.refine(Delta {
            old: a.old.and(b.old),
            new: a.new.and(b.new),
            plus: a.plus.and(b.new).or(a.new.and(b.plus)),
            minus: a.minus.and(b.old).or(a.old.and(b.minus)),
        })
    }

    fn or(&self, a: Delta, b: Delta) -> Delta {
        let both = self.and(self.not(a), self.not(b));
        self.not(both)
    }

    fn exists(&self, w: Var, body: &Formula, env: &mut Env, column: Var, negated: bool) -> Delta {
        let mut acc = self.same(Lanes::FALSE);
        for i in 0..self.old.size() {
            env[usize::from(w.0) % MAX_VARS] = i as u8;
            let mut d = self.lanes(body, env, column);
            if negated {
                d = self.not(d);
            }
            if self.old.optional() >> i & 1 == 1 {
                // A witness that may not be there proves nothing (Arnold §5.4).
                for l in [&mut d.old, &mut d.new, &mut d.plus, &mut d.minus] {
                    l.must = 0;
                }
            }
            acc.old = acc.old.or(d.old);
            acc.new = acc.new.or(d.new);
            acc.plus = acc.plus.or(d.plus);
            acc.minus = acc.minus.or(d.minus);
        }
        acc.plus = acc.plus.and(acc.old.not(self.universe));
        acc.minus = acc.minus.and(acc.new.not(self.universe));
        self.refine(acc)
    }

    fn pick(&self, rows: &[Lanes], args: &[Var], env: &Env, column: Var) -> Lanes {
        let at = |v: Var| usize::from(env[usize::from(v.0) % MAX_VARS]);
        let get = |i: usize| rows.get(i).copied().unwrap_or_default();
        match *args {
            [] => Lanes::splat(get(0).get(0), self.universe),
            [v] if v == column => get(0),
            [v] => Lanes::splat(get(0).get(at(v)), self.universe),
            [u, v] if u != column && v == column => get(at(u)),
            [u, v] if u != column => Lanes::splat(get(at(u)).get(at(v)), self.universe),
            [_, v] => {
                let mut lanes = Lanes::FALSE;
                for i in 0..self.old.size() {
                    lanes.set(i, get(i).get(if v == column { i } else { at(v) }));
                }
                lanes
            }
            [ref first @ .., last] => {
                let mut lanes = Lanes::FALSE;
                for i in 0..self.old.size() {
                    let node = |v: Var| if v == column { i } else { at(v) };
                    let row = first.iter().fold(0, |acc, &v| acc * self.old.size() + node(v));
                    lanes.set(i, get(row).get(node(last)));
                }
                lanes
            }
        }
    }

    /// The binary predicate, if any, that is defined as the reflexive closure of `step`.
    fn stored_closure(&self, step: PredId) -> Option<PredId> {
        self.voc.of_arity(2).iter().copied().find(|&t| match &self.voc.get(t).meaning {
            Meaning::Instrumentation { params, definition: Formula::Closure(c) } => {
                c.reflexive
                    && params[..] == [c.from, c.to]
                    && c.step == Formula::Pred(step, vec![c.source, c.target])
            }
            _ => false,
        })
    }

    fn closure(&self, f: &Formula, c: &Closure, env: &mut Env, column: Var) -> Delta {
        let fresh = |old: Lanes, new: Lanes| Delta {
            old,
            new,
            plus: new.and(old.not(self.universe)),
            minus: old.and(new.not(self.universe)),
        };
        let step = match &c.step {
            Formula::Pred(p, args) if args[..] == [c.source, c.target] => *p,
            _ => return fresh(self.old_eval.lanes(f, env, column), self.new_eval.lanes(f, env, column)),
        };
        let size = self.old.size();
        // Reflexive closures: stored ones keep what a recomputation would lose.
        let identity = |i: usize, s: &Structure| Lanes { must: (1u64 << i) & !s.summaries(), may: 1 << i };
        let mut star_formula = c.clone();
        (star_formula.reflexive, star_formula.from) = (true, c.source);
        star_formula.to = c.target;
        let star_formula = Formula::Closure(Box::new(star_formula));
        let rows_of = |eval: &Evaluator<'_>, env: &mut Env| -> Vec<Lanes> {
            (0..size)
                .map(|i| {
                    env[usize::from(c.source.0) % MAX_VARS] = i as u8;
                    eval.lanes(&star_formula, env, c.target)
                })
                .collect()
        };
        let mut old_star = rows_of(&self.old_eval, env);
        if let Some(t) = self.stored_closure(step) {
            let slot = self.voc.get(t).slot;
            for (i, row) in old_star.iter_mut().enumerate() {
                let stored = self.old.row(slot, i);
                if stored.conflicts(*row) == 0 {
                    *row = row.meet(stored);
                }
            }
        }
        let no_change = Change::default();
        let change = self.changes.get(step.0 as usize).and_then(Option::as_ref).unwrap_or(&no_change);
        let get = |rows: &[Lanes], i: usize| rows.get(i).copied().unwrap_or_default();
        let properties = &self.voc.get(step).properties;
        let unique_paths =
            properties.contains(&Property::Function) || properties.contains(&Property::InvFunction);
        let acyclic = properties.contains(&Property::Acyclic);
        // Connections through removed edges.
        let mut cut = vec![Lanes::FALSE; size];
        let mut exact = true;
        for a in 0..size {
            let removed = get(&change.minus, a);
            for b in crate::kleene::lanes_of(removed.may) {
                let on_cycle = old_star[b].may >> a & 1 == 1;
                exact &= unique_paths && (acyclic || !on_cycle) && self.old.optional() == 0;
                let edge = Lanes::splat(removed.get(b), self.universe);
                for u in 0..size {
                    let to_a = Lanes::splat(old_star[u].get(a), self.universe);
                    cut[u] = cut[u].or(to_a.and(edge).and(old_star[b]));
                }
            }
        }
        let recomputed = rows_of(&self.new_eval, env);
        let mut new_star: Vec<Lanes> = if exact {
            (0..size).map(|u| old_star[u].and(cut[u].not(self.universe)).or(identity(u, self.old))).collect()
        } else {
            recomputed.clone()
        };
        let mut added = vec![Lanes::FALSE; size];
        if exact {
            (0..size).for_each(|u| new_star[u] = new_star[u].or(get(&change.plus, u)));
            close(&mut new_star, self.old.optional());
            for a in 0..size {
                let edges = get(&change.plus, a);
                for b in crate::kleene::lanes_of(edges.may) {
                    let edge = Lanes::splat(edges.get(b), self.universe);
                    for u in 0..size {
                        let to_a = Lanes::splat(new_star[u].get(a), self.universe);
                        added[u] = added[u].or(to_a.and(edge).and(new_star[b]));
                    }
                }
            }
            for (row, again) in new_star.iter_mut().zip(&recomputed) {
                if row.conflicts(*again) == 0 {
                    *row = row.meet(*again);
                }
            }
        }
        let (mut plus, mut minus) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for u in 0..size {
            let grown = new_star[u].and(old_star[u].not(self.universe));
            let shrunk = old_star[u].and(new_star[u].not(self.universe));
            plus.push(if exact { grown.and(added[u]) } else { grown });
            minus.push(if exact { shrunk.and(cut[u]) } else { shrunk });
        }
        if !c.reflexive {
            // One step or more: first a step, then the reflexive closure; the change is not tracked further.
            return fresh(self.old_eval.lanes(f, env, column), self.new_eval.lanes(f, env, column));
        }
        let args = [c.from, c.to];
        let pick = |rows: &[Lanes]| self.pick(rows, &args, env, column);
        Delta { old: pick(&old_star), new: pick(&new_star), plus: pick(&plus), minus: pick(&minus) }
    }

    /// The change of an instrumentation predicate by its definition: new values and the change, by rows.
    pub fn predicate(&self, pred: PredId) -> Option<(Vec<Lanes>, Change)> {
        let p = self.voc.get(pred);
        let Meaning::Instrumentation { params, definition } = &p.meaning else { return None };
        let mut env: Env = [0; MAX_VARS];
        let (mut values, mut change) = (Vec::new(), Change::default());
        let mut push = |stored: Lanes, d: Delta| {
            // The stored value may know more than the definition's evaluation, and the other way round.
            let corrected = stored.and(d.minus.not(self.universe)).or(d.plus);
            let new = if corrected.conflicts(d.new) == 0 { corrected.meet(d.new) } else { corrected };
            values.push(new);
            change.plus.push(d.plus.and(stored.not(self.universe)));
            change.minus.push(d.minus.and(stored));
        };
        match params[..] {
            [] => {
                let stored = Lanes::splat(self.old.nullary(p.slot), self.universe);
                push(stored, self.lanes(definition, &mut env, Var(255)));
            }
            [v] => push(self.old.unary(p.slot), self.lanes(definition, &mut env, v)),
            [.., v] => {
                for row in 0..self.old.rows(p) {
                    bind(params, row, self.old.size(), &mut env);
                    push(self.old.predicate_row(p, row), self.lanes(definition, &mut env, v));
                }
            }
        }
        Some((values, change))
    }

    /// The structure after the change.
    pub fn after(&self) -> &Structure {
        self.new
    }
}
