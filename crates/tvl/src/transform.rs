//! Actions and their effect on one structure: focus, coerce, precondition, messages, update, coerce.
//!
//! All right-hand sides of updates read the structure before the action (survey §4.3.4). Core predicates
//! that are not mentioned keep their values; instrumentation predicates that are not mentioned are brought
//! up to date by [`crate::difference`]. An update of the form `(p(v) & f) | g` is recognised, so that the
//! change it makes is exact even where `p` is indefinite.
//!
//! Free variables of the precondition are bound for the whole action: one result for every assignment under which it
//! may hold, and updates, messages, created and retained individuals are read under that assignment. Hence everything
//! that splits individuals is brought into focus before assignments are enumerated. Individuals that an action creates
//! and drops are the matter of [`crate::individuals`].

use crate::coerce::Coercion;
use crate::difference::{Change, Differ};
use crate::eval::{Env, Evaluator};
use crate::focus::focus;
use crate::formula::{Formula, MAX_VARS, Var};
use crate::individuals::{Creation, Incomplete};
use crate::kleene::{Kleene, Lanes};
use crate::structure::Structure;
use crate::vocabulary::{Meaning, PredId, Vocabulary};
use crate::wide::bind;
use std::time::{Duration, Instant};

/// `pred(params) = value`.
#[derive(Clone, Debug)]
pub struct Update {
    /// The predicate set.
    pub pred: PredId,
    /// Its arguments.
    pub params: Vec<Var>,
    /// What the old value is conjoined with, if it is kept at all.
    keep: Option<Formula>,
    /// What is added.
    add: Formula,
}

impl Update {
    /// `pred(params) = value`.
    pub fn new(pred: PredId, params: Vec<Var>, value: Formula) -> Update {
        let (keep, add) = parts(pred, &params, value);
        Update { pred, params, keep, add }
    }

    /// The new value, as a formula over the old structure.
    pub fn value(&self) -> Formula {
        match &self.keep {
            Some(keep) => {
                Formula::Pred(self.pred, self.params.clone()).and(keep.clone()).or(self.add.clone())
            }
            None => self.add.clone(),
        }
    }
}

/// A message and the condition under which it is reported.
#[derive(Clone, Debug)]
pub struct MessageRule {
    /// Reported when this may hold; its free variables are among the precondition's.
    pub condition: Formula,
    /// What to report.
    pub text: String,
}

/// One action with its arguments filled in.
#[derive(Clone, Debug, Default)]
pub struct Action {
    /// Shown to the user.
    pub title: String,
    /// Formulas to bring into focus, in order.
    pub focus: Vec<Formula>,
    /// Structures on which this is 0 do not pass; its free variables are bound in all that follows.
    pub precondition: Option<Formula>,
    /// Checked before the update.
    pub messages_before: Vec<MessageRule>,
    /// Individuals to create before the update, in order.
    pub creations: Vec<Creation>,
    /// Predicate updates.
    pub updates: Vec<Update>,
    /// Individuals to keep, read before any is created: those for which the formula holds of the variable.
    pub retain: Option<(Var, Formula)>,
    /// Checked after the update.
    pub messages_after: Vec<MessageRule>,
    /// Predicates that say which parts of a structure are composed for it ([`crate::decompose`]); all parts if there are none.
    pub composed: Vec<PredId>,
    /// Whether the action changes values of individuals one by one; see [`Action::is_pointwise`]. Where the focus and
    /// the precondition are definite already, such an action needs no case distinction.
    pub pointwise: bool,
}

impl Action {
    /// Whether no update looks at other individuals: none has a quantifier or closure, every instrumentation predicate
    /// whose definition mentions an updated predicate has an update of its own, and nothing is dropped or copied.
    pub fn is_pointwise(&self, voc: &Vocabulary) -> bool {
        let plain = |f: &Formula| {
            let mut plain = true;
            f.visit(&mut |g| {
                plain &= !matches!(g, Formula::Exists(..) | Formula::Forall(..) | Formula::Closure(_));
            });
            plain
        };
        let updated = |p: PredId| self.updates.iter().any(|u| u.pred == p);
        let derived = voc.ids().any(|id| match &voc.get(id).meaning {
            Meaning::Instrumentation { definition, .. } => !updated(id) && definition.mentions(&updated),
            Meaning::Core => false,
        });
        !derived
            && self.retain.is_none()
            && self.messages_after.is_empty()
            && self.creations.iter().all(|c| matches!(c, Creation::One))
            && self.updates.iter().all(|u| plain(&u.add) && u.keep.as_ref().is_none_or(plain))
    }
}

/// A message that was triggered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Triggered {
    /// Its text.
    pub text: String,
    /// Whether the condition certainly held, not only possibly.
    pub certain: bool,
}

/// A structure that the constraints refute after an update: the specification contradicts itself there.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The rule that it violates, in the notation of the language.
    pub rule: String,
    /// The structure after the update, sharpened until the rule was violated.
    pub structure: Structure,
}

/// What an action makes of one structure.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Resulting structures, sharpened but not blurred.
    pub structures: Vec<Structure>,
    /// Messages triggered.
    pub messages: Vec<Triggered>,
    /// The first result, if any, that was dropped because it violates a constraint.
    pub refuted: Option<Box<Refutation>>,
    /// Set when the structures do not cover everything.
    pub incomplete: Option<Incomplete>,
    /// Time spent on refining: cases, focus and coerce.
    pub refinement: Duration,
}

/// Everything that applying actions needs besides the action.
pub struct Context<'s> {
    /// The predicates.
    pub voc: &'s Vocabulary,
    /// Integrity constraints.
    pub coercion: &'s Coercion,
    /// The predicate that marks created individuals.
    pub is_new: Option<PredId>,
    /// The predicate that relates an individual to the one created from it.
    pub instance: Option<PredId>,
}

/// The formulas that say which individuals are copied and kept.
fn formulas_of_individuals(action: &Action) -> impl Iterator<Item = &Formula> {
    let created = action.creations.iter().filter_map(|c| match c {
        Creation::PerIndividual(_, f) | Creation::Clone(_, f) => Some(f),
        Creation::One => None,
    });
    created.chain(action.retain.iter().map(|(_, f)| f))
}

/// More optional summaries than this are not all decided before an action.
const MAX_DECIDED: u32 = 7;
/// Cases that an action may make of one structure, by focus and by assignments.
const MAX_CASES: usize = 8192;

impl Context<'_> {
    /// Applies an action to a structure.
    pub fn apply(&self, action: &Action, s: &Structure) -> Effect {
        self.apply_whole(action, s).unwrap_or_else(|| self.apply_deciding(action, s, s.optional(), |_| true))
    }

    /// Applies an action to the wanted cases of which of the given optional summaries exist.
    pub fn apply_deciding(
        &self,
        action: &Action,
        s: &Structure,
        decided: u64,
        wanted: impl FnMut(&Structure) -> bool,
    ) -> Effect {
        let started = Instant::now();
        let cases = self.cases(s, decided, wanted);
        let refinement = started.elapsed();
        let mut effect = self.apply_cases(action, &cases);
        effect.refinement += refinement;
        effect
    }

    /// Applies an action to a structure as it stands, if that needs no case distinction.
    pub fn apply_whole(&self, action: &Action, s: &Structure) -> Option<Effect> {
        if !action.pointwise || !self.settled(action, s) {
            return None;
        }
        let mut effect = Effect::default();
        if action.precondition.as_ref().is_none_or(|f| Evaluator::new(self.voc, s).closed(f).may()) {
            let mut env = [0; MAX_VARS];
            self.report(&action.messages_before, s, &mut env, &mut effect);
            self.update(action, s.clone(), env, &mut effect);
        }
        Some(effect)
    }

    /// The wanted cases of which of the given optional summaries exist, each sharpened; those that describe nothing are
    /// left out.
    fn cases(
        &self,
        s: &Structure,
        mut decided: u64,
        mut wanted: impl FnMut(&Structure) -> bool,
    ) -> Vec<Structure> {
        while decided.count_ones() > MAX_DECIDED {
            decided &= decided - 1;
        }
        let mut cases = s.cases(decided);
        cases.retain_mut(|case| wanted(case) && self.coercion.apply(self.voc, case));
        cases
    }

    /// The optional summaries on which it depends what the action does: where something that it is to see is
    /// indefinite. The others may stay as they are.
    pub fn relevant(&self, action: &Action, s: &Structure) -> u64 {
        // What is dropped may have held the only certain way to others.
        if action.retain.is_some() {
            return s.optional();
        }
        let eval = Evaluator::new(self.voc, s);
        let mut relevant = 0;
        for f in action.focus.iter().chain(formulas_of_individuals(action)).chain(&action.precondition) {
            relevant |= match f.free_vars()[..] {
                [] if eval.closed(f) != Kleene::Unknown => 0,
                [v] => eval.lanes(f, &mut [0; MAX_VARS], v).unknown(),
                _ => return s.optional(),
            };
        }
        relevant & s.optional()
    }

    /// Applies an action to sharpened cases.
    fn apply_cases(&self, action: &Action, cases: &[Structure]) -> Effect {
        let (mut effect, mut made) = (Effect::default(), 0);
        for case in cases {
            self.apply_case(action, case.clone(), &mut made, &mut effect);
        }
        effect.messages.sort_by(|a, b| (&a.text, b.certain).cmp(&(&b.text, a.certain)));
        effect.messages.dedup_by(|later, first| later.text == first.text);
        effect
    }

    /// Whether focus, precondition and messages of an action are definite on a structure as it stands.
    fn settled(&self, action: &Action, s: &Structure) -> bool {
        let eval = Evaluator::new(self.voc, s);
        let definite = |f: &Formula| match f.free_vars()[..] {
            [] => eval.closed(f) != Kleene::Unknown,
            [v] => eval.lanes(f, &mut [0; MAX_VARS], v).unknown() == 0,
            _ => false,
        };
        let closed = |f: &Formula| f.free() == 0 && definite(f);
        action.focus.iter().all(definite)
            && action.precondition.as_ref().is_none_or(closed)
            && action.messages_before.iter().all(|m| closed(&m.condition))
    }

    fn apply_case(&self, action: &Action, s: Structure, cases: &mut usize, effect: &mut Effect) {
        let formulas = action.focus.iter().chain(formulas_of_individuals(action));
        let started = Instant::now();
        let parts = focus(self.voc, self.coercion, s, formulas);
        effect.refinement += started.elapsed();
        for part in parts {
            let bindings = match &action.precondition {
                None => vec![[0; MAX_VARS]],
                Some(f) => self.bindings(f, &part),
            };
            *cases += bindings.len();
            if *cases > MAX_CASES {
                effect.incomplete = Some(Incomplete::Cases);
                return;
            }
            for mut env in bindings {
                self.report(&action.messages_before, &part, &mut env, effect);
                self.update(action, part.clone(), env, effect);
            }
        }
    }

    /// Assignments of the precondition's free variables under which it may hold.
    fn bindings(&self, f: &Formula, s: &Structure) -> Vec<Env> {
        let eval = Evaluator::new(self.voc, s);
        let mut result = Vec::new();
        let free = f.free_vars();
        let mut stack = vec![([0u8; MAX_VARS], 0usize)];
        while let Some((mut env, depth)) = stack.pop() {
            match free.get(depth) {
                None => {
                    if eval.value(f, &mut env).may() {
                        result.push(env);
                    }
                }
                Some(v) => {
                    for i in 0..s.size() {
                        env[usize::from(v.0) % MAX_VARS] = i as u8;
                        stack.push((env, depth + 1));
                    }
                }
            }
        }
        result
    }

    fn report(&self, rules: &[MessageRule], s: &Structure, env: &mut Env, effect: &mut Effect) {
        let eval = Evaluator::new(self.voc, s);
        for rule in rules {
            let value = eval.value(&rule.condition, env);
            if value.may() {
                effect.messages.push(Triggered { text: rule.text.clone(), certain: value.must() });
            }
        }
    }

    fn update(&self, action: &Action, mut s: Structure, mut env: Env, effect: &mut Effect) {
        let dropped = self.dropped(action.retain.as_ref(), &s, &mut env);
        let created = action.creations.iter().try_for_each(|c| self.create(c, &mut s, &mut env));
        let dropped = match (dropped, created) {
            (Ok(dropped), Ok(())) => dropped,
            (Err(reason), _) | (_, Err(reason)) => {
                effect.incomplete = effect.incomplete.max(Some(reason));
                return;
            }
        };
        let mut next = s.clone();
        let mut changes: Vec<Option<Change>> = vec![None; self.voc.len()];
        {
            let eval = Evaluator::new(self.voc, &s);
            for u in &action.updates {
                let (values, change) = self.evaluate(u, &s, &eval, &mut env);
                store(self.voc, &mut next, u.pred, &values);
                if change.plus.iter().chain(&change.minus).any(|l| l.may != 0) {
                    changes[u.pred.0 as usize] = Some(change);
                }
            }
        }
        if dropped != 0 {
            self.clear(dropped, &s, &mut next, &mut changes);
        }
        let explicit = |p: PredId| action.updates.iter().any(|u| u.pred == p);
        self.derive(&s, &mut next, &mut changes, &explicit);
        for mark in [self.is_new, self.instance].into_iter().flatten() {
            let rows = if self.voc.get(mark).arity == 2 { next.size() } else { 1 };
            store(self.voc, &mut next, mark, &vec![Lanes::FALSE; rows]);
        }
        if dropped != 0 {
            next = next.restrict(!dropped);
            self.redefine(&explicit, &mut next);
        }
        let started = Instant::now();
        let sound = if !action.creations.is_empty() || dropped != 0 {
            self.coercion.check(self.voc, &mut next)
        } else {
            let changed: Vec<PredId> = self.voc.ids().filter(|&p| self.differs(p, &s, &next)).collect();
            self.coercion.reapply(self.voc, &mut next, changed, false)
        };
        effect.refinement += started.elapsed();
        match sound {
            Ok(()) => {
                self.report_after(action, dropped, &next, env, effect);
                effect.structures.push(next);
            }
            Err(c) if effect.refuted.is_none() => {
                effect.refuted = Some(Box::new(Refutation { rule: c.show(self.voc), structure: next }));
            }
            Err(_) => {}
        }
    }

    /// Brings instrumentation predicates up to date with changes of other predicates.
    pub(crate) fn derive(
        &self,
        s: &Structure,
        next: &mut Structure,
        changes: &mut [Option<Change>],
        explicit: &impl Fn(PredId) -> bool,
    ) {
        for id in self.voc.ids() {
            let p = self.voc.get(id);
            let Meaning::Instrumentation { definition, .. } = &p.meaning else { continue };
            if explicit(id) {
                continue;
            }
            let outcome = {
                let differ = Differ::new(self.voc, s, next, changes);
                if !differ.affects(definition) {
                    continue;
                }
                if p.arity == 0 && s.size() == 0 {
                    let value = Evaluator::new(self.voc, next).closed(definition);
                    let one = Lanes::splat(value, 1);
                    let unknown = Lanes { must: 0, may: 1 };
                    Some((vec![one], Change { plus: vec![unknown], minus: vec![unknown] }))
                } else {
                    differ.predicate(id)
                }
            };
            if let Some((values, change)) = outcome {
                store(self.voc, next, id, &values);
                if change.plus.iter().chain(&change.minus).any(|l| l.may != 0) {
                    changes[id.0 as usize] = Some(change);
                }
            }
        }
    }

    /// Messages after the update. Individuals are numbered anew there; a message that speaks of one that was dropped
    /// does not hold.
    fn report_after(
        &self,
        action: &Action,
        dropped: u64,
        next: &Structure,
        mut env: Env,
        effect: &mut Effect,
    ) {
        let mut gone = 0u64;
        for v in action.precondition.iter().flat_map(Formula::free_vars) {
            let node = &mut env[usize::from(v.0) % MAX_VARS];
            gone |= (dropped >> *node & 1) << v.0;
            *node -= (dropped & ((1u64 << *node) - 1)).count_ones() as u8;
        }
        for rule in action.messages_after.iter().filter(|rule| rule.condition.free() & gone == 0) {
            self.report(std::slice::from_ref(rule), next, &mut env, effect);
        }
    }

    /// Whether a predicate has other values in one structure than in another over the same individuals.
    fn differs(&self, pred: PredId, a: &Structure, b: &Structure) -> bool {
        let p = self.voc.get(pred);
        (0..a.rows(p)).any(|row| a.predicate_row(p, row) != b.predicate_row(p, row))
    }

    /// New values of an updated predicate and how they differ from the old ones.
    fn evaluate(
        &self,
        u: &Update,
        s: &Structure,
        eval: &Evaluator<'_>,
        env: &mut Env,
    ) -> (Vec<Lanes>, Change) {
        let universe = s.universe().max(1);
        let (keep, add) = (&u.keep, &u.add);
        let (mut values, mut change) = (Vec::new(), Change::default());
        let mut push = |old: Lanes, env: &mut Env, column: Var| {
            let lanes = |f: &Formula, env: &mut Env| {
                if s.size() == 0 { Lanes::splat(eval.value(f, env), 1) } else { eval.lanes(f, env, column) }
            };
            let keep = keep.as_ref().map_or(Lanes::FALSE, |f| lanes(f, env));
            let add = lanes(add, env);
            values.push(old.and(keep).or(add));
            change.plus.push(old.not(universe).and(add));
            change.minus.push(old.and(keep.not(universe)).and(add.not(universe)));
        };
        let p = self.voc.get(u.pred);
        let slot = p.slot;
        match u.params[..] {
            [] => push(Lanes::splat(s.nullary(slot), universe), env, Var(255)),
            [v] => push(s.unary(slot), env, v),
            [.., last] => {
                for row in 0..s.rows(p) {
                    bind(&u.params, row, s.size(), env);
                    push(s.predicate_row(p, row), env, last);
                }
            }
        }
        (values, change)
    }
}

pub(crate) fn store(voc: &Vocabulary, s: &mut Structure, pred: PredId, rows: &[Lanes]) {
    let p = voc.get(pred);
    rows.iter().enumerate().for_each(|(row, &l)| s.set_predicate_row(p, row, l));
}

/// Reads an update as `(p(params) & keep) | add`; without a recognised `keep` the old value is lost.
fn parts(pred: PredId, params: &[Var], value: Formula) -> (Option<Formula>, Formula) {
    let itself = |f: &Formula| matches!(f, Formula::Pred(p, args) if *p == pred && *args == params);
    let conjunct = |f: &Formula| -> Option<Formula> {
        match f {
            f if itself(f) => Some(Formula::truth()),
            Formula::And(fs) => {
                let at = fs.iter().position(itself)?;
                Some(Formula::And(
                    fs.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, f)| f.clone()).collect(),
                ))
            }
            _ => None,
        }
    };
    if let Some(keep) = conjunct(&value) {
        return (Some(keep), Formula::falsity());
    }
    if let Formula::Or(fs) = &value {
        let keeps: Vec<Formula> = fs.iter().filter_map(conjunct).collect();
        if !keeps.is_empty() {
            let adds = fs.iter().filter(|f| conjunct(f).is_none()).cloned().collect();
            return (Some(Formula::Or(keeps)), Formula::Or(adds));
        }
    }
    (None, value)
}
