//! Actions with their arguments filled in.
//!
//! The free variables of the precondition have the same numbers in every formula of the action, which is how they stay
//! bound through all of it. Other free variables mean something in few places: the individuals that a creation or
//! `%retain` is about, and "some individual" in a message. Everywhere else they are a mistake.

use super::LangError;
use super::ast::{ActionDef, ActionItem, FocusItem, Form, TextPart, UpdateItem};
use super::build::{Builder, Built};
use super::names::{Bindings, Scope, Variables};
use super::source::Token;
use crate::formula::{Formula, Var};
use crate::individuals::Creation;
use crate::transform::{Action, MessageRule, Update};
use crate::vocabulary::PredId;

/// The parts of an action that may stand in it only once.
fn once<T>(place: &mut Option<T>, value: T, what: &str, at: &Token) -> Built<()> {
    if place.replace(value).is_some() {
        return Err(at.error(format!("an action has at most one {what}")));
    }
    Ok(())
}

impl Builder {
    pub(super) fn text(&self, parts: &[TextPart], scope: &Scope) -> String {
        parts
            .iter()
            .map(|p| match p {
                TextPart::Literal(s) => s.clone(),
                TextPart::Name(n) => scope.name(n),
            })
            .collect()
    }

    /// The action that an edge uses.
    pub(super) fn action(&self, def: &ActionDef, scope: &Scope, at: &Token) -> Built<Action> {
        self.instantiate(def, scope).map_err(|e| LangError {
            message: format!("{} (in `{}` used at {}:{})", e.message, def.name, at.file, at.line),
            ..e
        })
    }

    fn instantiate(&self, def: &ActionDef, scope: &Scope) -> Built<Action> {
        let mut action = Action { title: def.name.clone(), focus: self.focus.clone(), ..Action::default() };
        let mut bindings = Bindings::default();
        for item in &def.items {
            if let ActionItem::Precondition(f) = item {
                let mut vars = Variables::new(&[], &def.at)?;
                let f = self.formula(f, scope, &mut vars, &def.at)?;
                bindings = vars.bindings(&f);
                once(&mut action.precondition, f, "precondition", &def.at)?;
            }
        }
        for (f, text, scope, at) in &self.messages {
            action.messages_before.push(self.message(f, text, scope, &bindings, at)?);
        }
        let (mut new, mut clone, mut updates) = (None, None, None);
        for item in &def.items {
            match item {
                // Parameters are filled in by the caller. What is framed and how results are cut is found out.
                ActionItem::Precondition(_) | ActionItem::Param(..) | ActionItem::Decomposition(_) => {}
                ActionItem::Compose(f, at) => {
                    let f = self.formula(f, scope, &mut Variables::new(&[], at)?, at)?;
                    let named = |id: &PredId| f.mentions(&|other| other == *id);
                    action.composed.extend(self.voc.ids().filter(named));
                }
                ActionItem::Title(parts) => action.title = self.text(parts, scope),
                ActionItem::Focus(items) => self.focus(items, scope, &def.at, &mut action.focus)?,
                ActionItem::Message(f, parts) => {
                    let rule = self.message(f, parts, scope, &bindings, &def.at)?;
                    if updates.is_some() || action.retain.is_some() {
                        action.messages_after.push(rule);
                    } else {
                        action.messages_before.push(rule);
                    }
                }
                ActionItem::New(f) => {
                    let over = f.as_ref().map(|f| self.over_one(f, scope, &bindings, &def.at)).transpose()?;
                    let creation = match over {
                        Some((Some(v), f)) => Creation::PerIndividual(v, f),
                        _ => Creation::One,
                    };
                    once(&mut new, creation, "`%new`", &def.at)?;
                }
                ActionItem::Clone(f) => {
                    let (v, f) = self.of_one(f, "`%clone`", scope, &bindings, &def.at)?;
                    once(&mut clone, Creation::Clone(v, f), "`%clone`", &def.at)?;
                }
                ActionItem::Updates(items) => {
                    let mut found = Vec::new();
                    self.updates(items, scope, &bindings, &mut found)?;
                    once(&mut updates, found, "block of updates", &def.at)?;
                }
                ActionItem::Retain(f) => {
                    let kept = self.of_one(f, "`%retain`", scope, &bindings, &def.at)?;
                    once(&mut action.retain, kept, "`%retain`", &def.at)?;
                }
            }
        }
        action.creations = new.into_iter().chain(clone).collect();
        action.updates = updates.unwrap_or_default();
        action.pointwise = action.is_pointwise(&self.voc);
        Ok(action)
    }

    /// A message; variables that the precondition does not bind are read as "some individual".
    pub(super) fn message(
        &self,
        f: &Form,
        text: &[TextPart],
        scope: &Scope,
        bindings: &Bindings,
        at: &Token,
    ) -> Built<MessageRule> {
        let f = self.formula(f, scope, &mut Variables::inside(bindings, &[], at)?, at)?;
        let unbound = crate::kleene::lanes_of(f.free() & !bindings.set()).map(|v| Var(v as u8));
        Ok(MessageRule { condition: Formula::exists(unbound, f), text: self.text(text, scope) })
    }

    /// A formula with at most one variable that the precondition does not bind, and that variable.
    fn over_one(
        &self,
        f: &Form,
        scope: &Scope,
        bindings: &Bindings,
        at: &Token,
    ) -> Built<(Option<Var>, Formula)> {
        let f = self.formula(f, scope, &mut Variables::inside(bindings, &[], at)?, at)?;
        let unbound = f.free() & !bindings.set();
        match unbound.count_ones() {
            0 => Ok((None, f)),
            1 => Ok((Some(Var(unbound.trailing_zeros() as u8)), f)),
            _ => Err(at.error("this formula may have only one variable that the precondition does not bind")),
        }
    }

    pub(super) fn of_one(
        &self,
        f: &Form,
        what: &str,
        scope: &Scope,
        bindings: &Bindings,
        at: &Token,
    ) -> Built<(Var, Formula)> {
        match self.over_one(f, scope, bindings, at)? {
            (Some(v), f) => Ok((v, f)),
            // It holds of all individuals or of none: any variable that it does not use will do.
            (None, f) if f.fresh_above() < crate::formula::MAX_VARS as u8 => Ok((Var(f.fresh_above()), f)),
            (None, _) => Err(at.error(format!("the formula of {what} uses too many variables"))),
        }
    }

    pub(super) fn focus(
        &self,
        items: &[FocusItem],
        scope: &Scope,
        at: &Token,
        out: &mut Vec<Formula>,
    ) -> Built<()> {
        for item in items {
            match item {
                FocusItem::Formula(f) => {
                    let mut vars = Variables::new(&[], at)?;
                    out.push(self.formula(f, scope, &mut vars, at)?);
                }
                FocusItem::Foreach(var, set, inner) => {
                    for z in self.set(set, scope)? {
                        self.focus(inner, &scope.with(var, &z), at, out)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn updates(
        &self,
        items: &[UpdateItem],
        scope: &Scope,
        bindings: &Bindings,
        out: &mut Vec<Update>,
    ) -> Built<()> {
        for item in items {
            match item {
                UpdateItem::Assign(name, params, f) => {
                    let full = scope.name(name);
                    let Some(pred) = self.voc.lookup(&full) else {
                        return Err(name.at.error(format!("there is no predicate `{full}`")));
                    };
                    let arity = self.voc.get(pred).arity;
                    if arity != params.len() {
                        let got = params.len();
                        return Err(name.at.error(format!("`{full}` takes {arity} arguments, {got} given")));
                    }
                    let Some(f) = f else { continue };
                    let mut vars = Variables::inside(bindings, params, &name.at)?;
                    let params = params.iter().map(|p| vars.get(p, &name.at)).collect::<Built<Vec<Var>>>()?;
                    let value = self.formula(f, scope, &mut vars, &name.at)?;
                    let known = params.iter().fold(bindings.set(), |acc, v| acc | 1 << v.0);
                    if let Some(extra) = value.free_vars().iter().find(|v| known >> v.0 & 1 == 0) {
                        let extra = vars.name(*extra);
                        return Err(name.at.error(format!("variable `{extra}` of the update is not bound")));
                    }
                    out.retain(|u: &Update| u.pred != pred);
                    out.push(Update::new(pred, params, value));
                }
                UpdateItem::Foreach(var, set, inner) => {
                    for z in self.set(set, scope)? {
                        self.updates(inner, &scope.with(var, &z), bindings, out)?;
                    }
                }
            }
        }
        Ok(())
    }
}
