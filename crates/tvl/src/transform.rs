//! Actions and their effect on one structure: focus, coerce, precondition, messages, update, coerce.
//!
//! All right-hand sides of updates read the structure before the action (survey §4.3.4). Core predicates
//! that are not mentioned keep their values; instrumentation predicates that are not mentioned are brought
//! up to date by [`crate::difference`]. An update of the form `(p(v) & f) | g` is recognised, so that the
//! change it makes is exact even where `p` is indefinite.
//!
//! Individuals that an action creates start with every core predicate 0 and with the values that the
//! definitions give to such an individual. Individuals that it drops lose their core predicates in the
//! same step, so definitions see the others without them.

use crate::coerce::Coercion;
use crate::difference::{Change, Differ};
use crate::eval::{Env, Evaluator};
use crate::focus::focus;
use crate::formula::{Formula, MAX_VARS, Var};
use crate::kleene::{Kleene, Lanes, lanes_of};
use crate::structure::Structure;
use crate::vocabulary::{Meaning, PredId, Vocabulary};

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

/// A message and the condition under which it is reported.
#[derive(Clone, Debug)]
pub struct MessageRule {
    /// Reported when this may hold; free variables are read as "some individual".
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
    /// Structures on which this is 0 do not pass.
    pub precondition: Option<Formula>,
    /// Checked before the update.
    pub messages_before: Vec<MessageRule>,
    /// Individuals to create before the update.
    pub creation: Option<Creation>,
    /// Predicate updates.
    pub updates: Vec<Update>,
    /// Individuals to keep; the variable is the formula's free one.
    pub retain: Option<(Var, Formula)>,
    /// Checked after the update.
    pub messages_after: Vec<MessageRule>,
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
            && matches!(self.creation, None | Some(Creation::One))
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

/// What an action makes of one structure.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Resulting structures, sharpened but not blurred.
    pub structures: Vec<Structure>,
    /// Messages triggered.
    pub messages: Vec<Triggered>,
    /// Set when a structure would have had too many individuals: the result is then incomplete.
    pub overflow: bool,
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

/// More optional summaries than this are not all decided before an action.
const MAX_DECIDED: u32 = 7;

impl Context<'_> {
    /// Applies an action to a structure.
    pub fn apply(&self, action: &Action, s: &Structure) -> Effect {
        let mut effect = Effect::default();
        if action.pointwise && self.settled(action, s) {
            if action.precondition.as_ref().is_none_or(|f| Evaluator::new(self.voc, s).closed(f).may()) {
                self.report(&action.messages_before, s, &mut effect);
                self.update(action, s.clone(), &[0; MAX_VARS], &mut effect);
            }
            return effect;
        }
        let mut decided = s.optional();
        while decided.count_ones() > MAX_DECIDED {
            decided &= decided - 1;
        }
        for case in s.cases(decided) {
            self.apply_case(action, case, &mut effect);
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
            && action.messages_before.iter().all(|m| eval.satisfiable(&m.condition) != Kleene::Unknown)
    }

    fn apply_case(&self, action: &Action, mut s: Structure, effect: &mut Effect) {
        // What comes from a set was sharpened before it was blurred; only a decided case is new.
        if !self.coercion.apply(self.voc, &mut s) {
            return;
        }
        let mut parts = vec![s];
        for f in &action.focus {
            parts = parts.into_iter().flat_map(|p| focus(self.voc, self.coercion, p, f)).collect();
        }
        if let Some(Creation::PerIndividual(_, f) | Creation::Clone(_, f)) = &action.creation {
            parts = parts.into_iter().flat_map(|p| focus(self.voc, self.coercion, p, f)).collect();
        }
        for part in parts {
            let bindings = match &action.precondition {
                None => vec![[0; MAX_VARS]],
                Some(f) => self.bindings(f, &part),
            };
            for env in bindings {
                self.report(&action.messages_before, &part, effect);
                for part in self.decide_retained(action, part.clone()) {
                    self.update(action, part, &env, effect);
                }
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

    fn report(&self, rules: &[MessageRule], s: &Structure, effect: &mut Effect) {
        let eval = Evaluator::new(self.voc, s);
        for rule in rules {
            let value = eval.satisfiable(&rule.condition);
            if value.may() {
                effect.messages.push(Triggered { text: rule.text.clone(), certain: value.must() });
            }
        }
    }

    /// Splits on whether individuals are kept, so that dropping them is definite.
    fn decide_retained(&self, action: &Action, s: Structure) -> Vec<Structure> {
        match &action.retain {
            Some((_, f)) => focus(self.voc, self.coercion, s, f),
            None => vec![s],
        }
    }

    fn update(&self, action: &Action, s: Structure, env: &Env, effect: &mut Effect) {
        let mut s = s;
        if let Some(creation) = &action.creation
            && !self.create(creation, &mut s)
        {
            effect.overflow = true;
            return;
        }
        let mut env = *env;
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
        let dropped = match &action.retain {
            None => 0,
            Some((v, f)) => {
                let kept = Evaluator::new(self.voc, &s).lanes(f, &mut env, *v);
                // Kept if possibly kept: what could not be decided stays.
                s.universe() & !kept.may
            }
        };
        if dropped != 0 {
            self.clear(dropped, &s, &mut next, &mut changes);
        }
        let explicit = |p: PredId| action.updates.iter().any(|u| u.pred == p);
        for id in self.voc.ids() {
            let p = self.voc.get(id);
            let Meaning::Instrumentation { definition, .. } = &p.meaning else { continue };
            if explicit(id) {
                continue;
            }
            let outcome = {
                let differ = Differ::new(self.voc, &s, &next, &changes);
                if !differ.affects(definition) {
                    continue;
                }
                if p.arity == 0 && s.size() == 0 {
                    let value = Evaluator::new(self.voc, &next).closed(definition);
                    let one = Lanes::splat(value, 1);
                    let unknown = Lanes { must: 0, may: 1 };
                    Some((vec![one], Change { plus: vec![unknown], minus: vec![unknown] }))
                } else {
                    differ.predicate(id)
                }
            };
            if let Some((values, change)) = outcome {
                store(self.voc, &mut next, id, &values);
                if change.plus.iter().chain(&change.minus).any(|l| l.may != 0) {
                    changes[id.0 as usize] = Some(change);
                }
            }
        }
        for mark in [self.is_new, self.instance].into_iter().flatten() {
            let rows = if self.voc.get(mark).arity == 2 { next.size() } else { 1 };
            store(self.voc, &mut next, mark, &vec![Lanes::FALSE; rows]);
        }
        if dropped != 0 {
            next = next.restrict(!dropped);
        }
        let sound = if action.creation.is_some() || dropped != 0 {
            self.coercion.apply(self.voc, &mut next)
        } else {
            let changed: Vec<PredId> = self.voc.ids().filter(|&p| self.differs(p, &s, &next)).collect();
            self.coercion.reapply(self.voc, &mut next, changed, false)
        };
        if sound {
            self.report(&action.messages_after, &next, effect);
            effect.structures.push(next);
        }
    }

    /// Whether a predicate has other values in one structure than in another over the same individuals.
    fn differs(&self, pred: PredId, a: &Structure, b: &Structure) -> bool {
        let p = self.voc.get(pred);
        match p.arity {
            0 => a.nullary(p.slot) != b.nullary(p.slot),
            1 => a.unary(p.slot) != b.unary(p.slot),
            _ => (0..a.size()).any(|u| a.row(p.slot, u) != b.row(p.slot, u)),
        }
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
        let slot = self.voc.get(u.pred).slot;
        match u.params[..] {
            [] => push(Lanes::splat(s.nullary(slot), universe), env, Var(255)),
            [v] => push(s.unary(slot), env, v),
            [a, b] => {
                for i in 0..s.size() {
                    env[usize::from(a.0) % MAX_VARS] = i as u8;
                    push(s.row(slot, i), env, b);
                }
            }
            _ => {}
        }
        (values, change)
    }

    /// Makes all core predicates 0 on dropped individuals.
    fn clear(&self, dropped: u64, s: &Structure, next: &mut Structure, changes: &mut [Option<Change>]) {
        for id in self.voc.ids() {
            let p = self.voc.get(id);
            if p.arity == 0 || !matches!(p.meaning, Meaning::Core) {
                continue;
            }
            let rows = if p.arity == 1 { 1 } else { s.size() };
            let mut change = changes[id.0 as usize].take().unwrap_or_else(|| Change {
                plus: vec![Lanes::FALSE; rows],
                minus: vec![Lanes::FALSE; rows],
            });
            for i in 0..rows {
                let (old, new) = if p.arity == 1 {
                    (s.unary(p.slot), next.unary(p.slot))
                } else {
                    (s.row(p.slot, i), next.row(p.slot, i))
                };
                let gone = if p.arity == 2 && dropped >> i & 1 == 1 { u64::MAX } else { dropped };
                let keep = |l: Lanes| Lanes { must: l.must & !gone, may: l.may & !gone };
                let lost = Lanes { must: old.must & gone, may: old.may & gone };
                change.plus[i] = keep(change.plus[i]);
                change.minus[i] = keep(change.minus[i]).or(lost);
                if p.arity == 1 {
                    next.set_unary(p.slot, keep(new));
                } else {
                    next.set_row(p.slot, i, keep(new));
                }
            }
            if change.plus.iter().chain(&change.minus).any(|l| l.may != 0) {
                changes[id.0 as usize] = Some(change);
            }
        }
    }

    fn create(&self, creation: &Creation, s: &mut Structure) -> bool {
        let sources: Vec<Option<usize>> = match creation {
            Creation::One => vec![None],
            Creation::PerIndividual(v, f) | Creation::Clone(v, f) => {
                let lanes = Evaluator::new(self.voc, s).lanes(f, &mut [0; MAX_VARS], *v);
                // Undecided after focusing: whether to create is then beyond what a structure can say.
                if lanes.unknown() != 0 {
                    return false;
                }
                lanes_of(lanes.may).map(Some).collect()
            }
        };
        let mut created: Vec<(Option<usize>, usize)> = Vec::new();
        for source in sources {
            let Some(node) = s.add_individual(self.voc) else { return false };
            if let Some(original) = source {
                s.set_summary(node, s.summaries() >> original & 1 == 1);
                if let Some(instance) = self.instance {
                    s.set_value(self.voc, instance, &[original, node], Kleene::True);
                }
            }
            if let Some(is_new) = self.is_new {
                s.set_value(self.voc, is_new, &[node], Kleene::True);
            }
            created.push((source, node));
        }
        let fresh = created.iter().fold(0u64, |acc, (_, node)| acc | 1 << node);
        if matches!(creation, Creation::Clone(..)) {
            self.copy_core(&created, s);
        }
        self.define(fresh, s);
        true
    }

    fn copy_core(&self, created: &[(Option<usize>, usize)], s: &mut Structure) {
        for id in self.voc.ids() {
            let p = self.voc.get(id);
            if !matches!(p.meaning, Meaning::Core) || Some(id) == self.is_new || Some(id) == self.instance {
                continue;
            }
            for &(source, node) in created {
                let Some(source) = source else { continue };
                if p.arity == 1 {
                    let value = s.value(self.voc, id, &[source]);
                    s.set_value(self.voc, id, &[node], value);
                }
                for &(other, image) in created {
                    let Some(other) = other else { continue };
                    if p.arity == 2 {
                        let value = s.value(self.voc, id, &[source, other]);
                        s.set_value(self.voc, id, &[node, image], value);
                    }
                }
            }
        }
    }

    /// Values of instrumentation predicates where created individuals are involved. Other values stay
    /// if every quantifier of the definition is guarded, and are computed anew otherwise.
    fn define(&self, fresh: u64, s: &mut Structure) {
        {
            for id in self.voc.ids() {
                let p = self.voc.get(id);
                let Meaning::Instrumentation { params, definition } = &p.meaning else { continue };
                let stays = guarded(self.voc, definition);
                let mut env: Env = [0; MAX_VARS];
                let eval = Evaluator::new(self.voc, s);
                let mut rows: Vec<Lanes> = Vec::new();
                let mix = |old: Lanes, new: Lanes, at: u64| {
                    let at = if stays { at } else { u64::MAX };
                    Lanes { must: (old.must & !at) | (new.must & at), may: (old.may & !at) | (new.may & at) }
                };
                match params[..] {
                    [] => {
                        let new = Lanes::splat(eval.closed(definition), 1);
                        rows.push(mix(Lanes::splat(s.nullary(p.slot), 1), new, 0));
                    }
                    [v] => rows.push(mix(s.unary(p.slot), eval.lanes(definition, &mut env, v), fresh)),
                    [u, v] => {
                        for i in 0..s.size() {
                            env[usize::from(u.0) % MAX_VARS] = i as u8;
                            let at = if fresh >> i & 1 == 1 { u64::MAX } else { fresh };
                            rows.push(mix(s.row(p.slot, i), eval.lanes(definition, &mut env, v), at));
                        }
                    }
                    _ => {}
                }
                store(self.voc, s, id, &rows);
            }
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

fn store(voc: &Vocabulary, s: &mut Structure, pred: PredId, rows: &[Lanes]) {
    let p = voc.get(pred);
    match p.arity {
        0 => s.set_nullary(p.slot, rows.first().map_or(Kleene::False, |l| l.get(0))),
        1 => s.set_unary(p.slot, rows.first().copied().unwrap_or_default()),
        _ => rows.iter().enumerate().for_each(|(i, &l)| s.set_row(p.slot, i, l)),
    }
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
