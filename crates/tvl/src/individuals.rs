//! Individuals that an action creates, copies and drops.
//!
//! Created individuals start with every core predicate 0, copies with the core values of their originals, both with
//! the values that the definitions give to such individuals. Individuals that are dropped lose their core predicates
//! first, so that differencing sees the others without them; a definition that speaks of individuals without a core
//! predicate that guards them is evaluated afresh, because it can tell "without predicates" from "not there".
//!
//! `%new f` and `%clone f` relate every new individual to the one that it was made for: `instance(new, old)`. On
//! summaries this holds pairwise, so the value is 1/2 there.
//!
//! **Invariant:** an action that cannot say which individuals it creates or drops is [`Incomplete`], never guessed.

use crate::difference::Change;
use crate::eval::{Env, Evaluator};
use crate::formula::{Formula, MAX_VARS, Var};
use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::structure::Structure;
use crate::transform::{Context, store};
use crate::vocabulary::{Meaning, PredId, Vocabulary};
use crate::wide::{bind, digits};

/// Individuals an action creates.
#[derive(Clone, Debug)]
pub enum Creation {
    /// One new individual.
    One,
    /// One for every individual that satisfies the formula, related by `instance`.
    PerIndividual(Var, Formula),
    /// A copy, with its core predicates, of every individual that satisfies the formula.
    Clone(Var, Formula),
}

/// Why the results of an action do not cover everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Incomplete {
    /// A structure would have had more individuals than fit.
    Individuals,
    /// Which individuals are created or dropped stayed indefinite after focusing.
    Undecided,
    /// The cases that focusing and the variables of the precondition make are too many.
    Cases,
}

impl Context<'_> {
    /// The individuals that `%retain` drops.
    pub(crate) fn dropped(
        &self,
        retain: Option<&(Var, Formula)>,
        s: &Structure,
        env: &mut Env,
    ) -> Result<u64, Incomplete> {
        let Some((v, f)) = retain else { return Ok(0) };
        let kept = Evaluator::new(self.voc, s).lanes(f, env, *v);
        let dropped = s.universe() & !kept.may;
        // An optional individual also stands for connections through it, which its end would cut.
        if kept.unknown() != 0 || dropped & s.optional() != 0 {
            return Err(Incomplete::Undecided);
        }
        Ok(dropped)
    }

    /// Makes all core predicates 0 on dropped individuals.
    pub(crate) fn clear(
        &self,
        dropped: u64,
        s: &Structure,
        next: &mut Structure,
        changes: &mut [Option<Change>],
    ) {
        for id in self.voc.ids() {
            let p = self.voc.get(id);
            if p.arity == 0 || !matches!(p.meaning, Meaning::Core) {
                continue;
            }
            let rows = s.rows(p);
            let mut change = changes[id.0 as usize].take().unwrap_or_else(|| Change {
                plus: vec![Lanes::FALSE; rows],
                minus: vec![Lanes::FALSE; rows],
            });
            for i in 0..rows {
                let (old, new) = (s.predicate_row(p, i), next.predicate_row(p, i));
                let gone = if s.row_touches(p, i, dropped) { u64::MAX } else { dropped };
                let keep = |l: Lanes| Lanes { must: l.must & !gone, may: l.may & !gone };
                let lost = Lanes { must: old.must & gone, may: old.may & gone };
                change.plus[i] = keep(change.plus[i]);
                change.minus[i] = keep(change.minus[i]).or(lost);
                next.set_predicate_row(p, i, keep(new));
            }
            if change.plus.iter().chain(&change.minus).any(|l| l.may != 0) {
                changes[id.0 as usize] = Some(change);
            }
        }
    }

    /// Evaluates afresh, on a structure that has lost individuals, the definitions that may notice it.
    pub(crate) fn redefine(&self, explicit: &impl Fn(PredId) -> bool, s: &mut Structure) {
        let mut again = vec![false; self.voc.len()];
        for id in self.voc.ids() {
            let Meaning::Instrumentation { definition, .. } = &self.voc.get(id).meaning else { continue };
            let noticed = !guarded(self.voc, definition) || definition.mentions(&|p| again[p.0 as usize]);
            if noticed && !explicit(id) {
                again[id.0 as usize] = true;
                let rows = self.defined(id, s);
                store(self.voc, s, id, &rows);
            }
        }
    }

    /// Adds the individuals that an action creates.
    pub(crate) fn create(
        &self,
        creation: &Creation,
        s: &mut Structure,
        env: &mut Env,
    ) -> Result<(), Incomplete> {
        let sources: Vec<Option<usize>> = match creation {
            Creation::One => vec![None],
            Creation::PerIndividual(v, f) | Creation::Clone(v, f) => {
                let lanes = Evaluator::new(self.voc, s).lanes(f, env, *v);
                if lanes.unknown() != 0 {
                    return Err(Incomplete::Undecided);
                }
                lanes_of(lanes.may).map(Some).collect()
            }
        };
        let mut created: Vec<(Option<usize>, usize)> = Vec::new();
        for source in sources {
            let node = s.add_individual(self.voc).ok_or(Incomplete::Individuals)?;
            if let Some(original) = source {
                let summary = s.summaries() >> original & 1 == 1;
                s.set_summary(node, summary);
                s.set_optional(s.optional() | (s.optional() >> original & 1) << node);
                if let Some(instance) = self.instance {
                    let value = if summary { Kleene::Unknown } else { Kleene::True };
                    s.set_value(self.voc, instance, &[node, original], value);
                }
            }
            if let Some(is_new) = self.is_new {
                s.set_value(self.voc, is_new, &[node], Kleene::True);
            }
            created.push((source, node));
        }
        self.define(created.iter().fold(0u64, |acc, (_, node)| acc | 1 << node), s);
        if matches!(creation, Creation::Clone(..)) {
            let mut copied = s.clone();
            let mut changes = self.copy_core(&created, &mut copied);
            self.derive(s, &mut copied, &mut changes, &|_| false);
            *s = copied;
        }
        Ok(())
    }

    /// Gives copies the core values of their originals; returns what that changes.
    fn copy_core(&self, created: &[(Option<usize>, usize)], s: &mut Structure) -> Vec<Option<Change>> {
        let mut changes = vec![None; self.voc.len()];
        for id in self.voc.ids() {
            let p = self.voc.get(id);
            let mark = Some(id) == self.is_new || Some(id) == self.instance;
            if p.arity == 0 || mark || !matches!(p.meaning, Meaning::Core) {
                continue;
            }
            // Copies do not have the connections through optional individuals that are not copied.
            let rows = match p.arity {
                2 => s.adjusted_rows(p.slot),
                _ => (0..s.rows(p)).map(|row| s.predicate_row(p, row)).collect(),
            };
            let original = |node: usize| created.iter().find(|c| c.1 == node).and_then(|c| c.0);
            let mut plus = vec![Lanes::FALSE; rows.len()];
            for (row, added) in plus.iter_mut().enumerate() {
                let from = digits(row, s.size(), p.arity)
                    .into_iter()
                    .try_fold(0, |acc, node| original(node).map(|source| acc * s.size() + source));
                let Some(from) = from else { continue };
                for &(source, node) in created {
                    let Some(source) = source else { continue };
                    added.set(node, rows[from].get(source));
                }
            }
            for (row, added) in plus.iter().enumerate() {
                s.set_predicate_row(p, row, s.predicate_row(p, row).or(*added));
            }
            if plus.iter().any(|l| l.may != 0) {
                let minus = vec![Lanes::FALSE; plus.len()];
                changes[id.0 as usize] = Some(Change { plus, minus });
            }
        }
        changes
    }

    /// Values of instrumentation predicates where created individuals are involved. Other values stay
    /// if every quantifier of the definition is guarded, and are computed anew otherwise.
    fn define(&self, fresh: u64, s: &mut Structure) {
        for id in self.voc.ids() {
            let p = self.voc.get(id);
            let Meaning::Instrumentation { definition, .. } = &p.meaning else { continue };
            let stays = guarded(self.voc, definition);
            let mut rows = self.defined(id, s);
            if stays {
                for (i, row) in rows.iter_mut().enumerate() {
                    let old = s.predicate_row(p, i);
                    let at = match p.arity {
                        0 => 0,
                        _ if s.row_touches(p, i, fresh) => u64::MAX,
                        _ => fresh,
                    };
                    row.must = (old.must & !at) | (row.must & at);
                    row.may = (old.may & !at) | (row.may & at);
                }
            }
            store(self.voc, s, id, &rows);
        }
    }

    /// The values that its definition gives to an instrumentation predicate, by rows.
    fn defined(&self, id: PredId, s: &Structure) -> Vec<Lanes> {
        let Meaning::Instrumentation { params, definition } = &self.voc.get(id).meaning else {
            return Vec::new();
        };
        let mut env: Env = [0; MAX_VARS];
        let eval = Evaluator::new(self.voc, s);
        match params[..] {
            [] => vec![Lanes::splat(eval.closed(definition), 1)],
            [v] => vec![eval.lanes(definition, &mut env, v)],
            [.., v] => (0..s.rows(self.voc.get(id)))
                .map(|row| {
                    bind(params, row, s.size(), &mut env);
                    eval.lanes(definition, &mut env, v)
                })
                .collect(),
        }
    }
}

/// Whether no isolated individual can change the formula for others: every quantified variable occurs in
/// a core atom that has to hold for the body to matter.
fn guarded(voc: &Vocabulary, f: &Formula) -> bool {
    fn guards(voc: &Vocabulary, f: &Formula, v: Var, positive: bool) -> bool {
        match (f, positive) {
            (Formula::Pred(p, args), true) => {
                args.contains(&v) && matches!(voc.get(*p).meaning, Meaning::Core)
            }
            (Formula::Not(g), _) => guards(voc, g, v, !positive),
            (Formula::And(gs), true) | (Formula::Or(gs), false) => {
                gs.iter().any(|g| guards(voc, g, v, positive))
            }
            (Formula::And(gs), false) | (Formula::Or(gs), true) => {
                gs.iter().all(|g| guards(voc, g, v, positive))
            }
            (Formula::Exists(_, g), true) | (Formula::Forall(_, g), false) => guards(voc, g, v, positive),
            _ => false,
        }
    }
    match f {
        Formula::Const(_) | Formula::Pred(..) | Formula::Eq(..) => true,
        Formula::Not(g) => guarded(voc, g),
        Formula::And(gs) | Formula::Or(gs) => gs.iter().all(|g| guarded(voc, g)),
        Formula::Iff(a, b) => guarded(voc, a) && guarded(voc, b),
        Formula::If(c, a, b) => guarded(voc, c) && guarded(voc, a) && guarded(voc, b),
        Formula::Exists(v, g) => guards(voc, g, *v, true) && guarded(voc, g),
        Formula::Forall(v, g) => guards(voc, g, *v, false) && guarded(voc, g),
        Formula::Closure(c) => match &c.step {
            Formula::Pred(..) => true,
            step => guards(voc, step, c.source, true) && guarded(voc, step),
        },
    }
}
