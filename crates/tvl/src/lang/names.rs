//! Names and variables: what loop variables and arguments stand for, and numbers for logical variables.

use super::LangError;
use super::ast::Name;
use super::source::Token;
use crate::formula::{Formula, MAX_VARS, Var};

/// A name with indices as one string.
pub fn joined(name: &Name) -> String {
    Scope::default().name(name)
}

/// What loop variables and arguments stand for, innermost last.
#[derive(Clone, Default)]
pub(super) struct Scope(pub(super) Vec<(String, String)>);

impl Scope {
    /// The scope inside a loop.
    pub(super) fn with(&self, name: &str, value: &str) -> Scope {
        let mut inner = self.clone();
        inner.0.push((name.to_string(), value.to_string()));
        inner
    }

    fn resolve<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.iter().rev().find(|(n, _)| n == name).map_or(name, |(_, v)| v)
    }

    /// A name with everything filled in.
    pub(super) fn name(&self, name: &Name) -> String {
        let base = self.resolve(&name.base);
        if name.indices.is_empty() {
            return base.to_string();
        }
        let indices: Vec<String> = name.indices.iter().map(|i| self.name(i)).collect();
        format!("{base}[{}]", indices.join(","))
    }
}

/// Variables that an action's precondition binds, under the numbers that they have in all formulas of the action.
#[derive(Clone, Default)]
pub(super) struct Bindings(Vec<(String, Var)>);

impl Bindings {
    /// The set of bound variables.
    pub(super) fn set(&self) -> u64 {
        self.0.iter().fold(0, |acc, (_, v)| acc | 1 << (v.0 & 63))
    }
}

/// Numbers for the variables of one formula: what is bound outside keeps its number, then parameters, then in order of
/// appearance.
pub(super) struct Variables {
    pub(super) bound: Vec<(String, Var)>,
    free: Vec<(String, Var)>,
    next: usize,
}

impl Variables {
    /// Variables of a formula with these parameters and nothing bound outside.
    pub(super) fn new(params: &[String], at: &Token) -> Result<Variables, LangError> {
        Variables::inside(&Bindings::default(), params, at)
    }

    /// Variables of a formula with these parameters inside an action.
    pub(super) fn inside(outer: &Bindings, params: &[String], at: &Token) -> Result<Variables, LangError> {
        let next = outer.0.iter().map(|(_, v)| usize::from(v.0) + 1).max().unwrap_or(0);
        // An argument hides a variable of the precondition that has its name.
        let free = outer.0.iter().filter(|(n, _)| !params.contains(n)).cloned().collect();
        let mut vars = Variables { bound: Vec::new(), free, next };
        for p in params {
            if vars.free.iter().any(|(n, _)| n == p) {
                return Err(at.error(format!("variable `{p}` is listed twice")));
            }
            let v = vars.fresh(at)?;
            vars.free.push((p.clone(), v));
        }
        Ok(vars)
    }

    /// A number that no variable has.
    pub(super) fn fresh(&mut self, at: &Token) -> Result<Var, LangError> {
        if self.next >= MAX_VARS {
            return Err(at.error(format!("a formula may use at most {MAX_VARS} variables")));
        }
        self.next += 1;
        Ok(Var(self.next as u8 - 1))
    }

    /// A variable that a quantifier binds; the caller truncates `bound` at the end of its scope.
    pub(super) fn bind(&mut self, name: &str, at: &Token) -> Result<Var, LangError> {
        let v = self.fresh(at)?;
        self.bound.push((name.to_string(), v));
        Ok(v)
    }

    /// The variable of this name, which is free if nothing binds it.
    pub(super) fn get(&mut self, name: &str, at: &Token) -> Result<Var, LangError> {
        if let Some((_, v)) = self.bound.iter().rev().chain(&self.free).find(|(n, _)| n == name) {
            return Ok(*v);
        }
        let v = self.fresh(at)?;
        self.free.push((name.to_string(), v));
        Ok(v)
    }

    /// How a free variable is called in the text.
    pub(super) fn name(&self, v: Var) -> String {
        self.free.iter().find(|(_, w)| *w == v).map_or_else(|| format!("v{}", v.0), |(n, _)| n.clone())
    }

    /// What the formula that these variables belong to binds as a precondition.
    pub(super) fn bindings(&self, precondition: &Formula) -> Bindings {
        let free = precondition.free();
        Bindings(self.free.iter().filter(|(_, v)| free >> (v.0 & 63) & 1 == 1).cloned().collect())
    }
}
