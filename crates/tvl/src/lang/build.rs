//! From syntax to an analysis: sets and loops are expanded, predicates declared, constraints generated,
//! and every edge gets its own copy of its action with the arguments filled in (see [`super::actions`]).

use super::LangError;
use super::ast::{ActionDef, ActionItem, Decl, Form, Name, ProgramDef, Prop, SetExpr, TextPart};
use super::names::{Bindings, Scope, Variables};
use super::source::Token;
use crate::canonical::Abstraction;
use crate::coerce::Coercion;
use crate::constraint;
use crate::decompose;
use crate::eval::Evaluator;
use crate::formula::{Closure, Formula, MAX_VARS, Var};
use crate::solver::{Edge, Graph, Options, Solution, solve};
use crate::structure::Structure;
use crate::transform::Context;
use crate::vocabulary::{DeclareError, Meaning, PredId, Property, Vocabulary};
use crate::wide::MAX_ARITY;
use rustc_hash::FxHashMap;

/// A TVP program ready to run.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The predicates.
    pub vocabulary: Vocabulary,
    /// The constraints.
    pub coercion: Coercion,
    /// What canonical names are made of.
    pub abstraction: Abstraction,
    /// Locations and actions.
    pub graph: Graph,
    /// Locations to print.
    pub print: Vec<usize>,
    /// Where the program first says how to cut structures into parts.
    pub decomposition: Option<Token>,
    is_new: Option<PredId>,
    instance: Option<PredId>,
}

impl Spec {
    /// Runs the program on initial structures.
    pub fn run(&self, initial: &[Structure], options: &Options) -> Solution {
        let initial: Vec<Structure> = initial.iter().map(|s| self.with_parts(s)).collect();
        let context = self.context();
        let in_parts = decompose::solve(&context, &self.abstraction, &self.graph, &initial, options);
        in_parts.unwrap_or_else(|| solve(&context, &self.abstraction, &self.graph, &initial, options))
    }

    /// A structure with the values of the predicates that name parts.
    pub fn with_parts(&self, s: &Structure) -> Structure {
        let mut s = s.clone();
        for &part in &self.graph.parts {
            let p = self.vocabulary.get(part);
            if let Meaning::Instrumentation { params, definition } = &p.meaning
                && let [v] = params[..]
            {
                let lanes = Evaluator::new(&self.vocabulary, &s).lanes(definition, &mut [0; MAX_VARS], v);
                s.set_unary(p.slot, lanes);
            }
        }
        s
    }

    /// What applying a single action needs.
    pub fn context(&self) -> Context<'_> {
        Context {
            voc: &self.vocabulary,
            coercion: &self.coercion,
            is_new: self.is_new,
            instance: self.instance,
        }
    }
}

/// Elements a set, and structures of loops, may have at most.
const MAX_ELEMENTS: usize = 10_000;
/// Predicates a program may declare at most.
const MAX_PREDICATES: usize = 5_000;

/// A program while its declarations are read.
pub(super) struct Builder {
    pub(super) voc: Vocabulary,
    sets: FxHashMap<String, Vec<String>>,
    rules: Vec<Formula>,
    /// Formulas that every action focuses on first.
    pub(super) focus: Vec<Formula>,
    /// Predicates that name parts.
    parts: Vec<PredId>,
    /// Messages that every action checks first, with what loop variables stood for at their place.
    pub(super) messages: Vec<(Form, Vec<TextPart>, Scope, Token)>,
}

pub(super) type Built<T> = Result<T, LangError>;

/// Builds a program.
///
/// `used` tells whether a name occurs anywhere in the text.
pub(super) fn spec(tree: &ProgramDef, used: &dyn Fn(&str) -> bool) -> Built<Spec> {
    let mut b = Builder {
        voc: Vocabulary::new(),
        sets: FxHashMap::default(),
        rules: Vec::new(),
        focus: Vec::new(),
        parts: Vec::new(),
        messages: Vec::new(),
    };
    let mut declared = |name: &str, arity, abstraction| {
        let id = b.voc.declare(name, arity, Meaning::Core).ok();
        if let Some(id) = id {
            b.voc.get_mut(id).abstraction = abstraction;
        }
        id
    };
    let is_new = declared("isNew", 1, false);
    let instance = declared("instance", 2, false);
    // Predicates of programs with threads and of decomposition are there if they are used; nothing sets them.
    for (name, abstraction) in [("ready", true), ("isthread", true), ("runnable", false), ("outside", true)] {
        if used(name) && !declares(&tree.decls, name) {
            declared(name, 1, abstraction);
        }
    }
    // Loops run over whole sets, wherever in the text their members are listed.
    let is_set = |d: &&Decl| matches!(d, Decl::Set(..));
    for decl in tree.decls.iter().filter(is_set).chain(tree.decls.iter().filter(|d| !is_set(d))) {
        b.declare(decl, &Scope::default())?;
    }
    let mut actions: FxHashMap<&str, &ActionDef> = FxHashMap::default();
    for action in &tree.actions {
        // The last definition counts, so that a program can replace what it includes.
        actions.insert(&action.name, action);
    }
    let mut graph = Graph { parts: b.parts.clone(), ..Graph::default() };
    let mut index: FxHashMap<String, usize> = FxHashMap::default();
    let mut location = |graph: &mut Graph, name: &str| {
        *index.entry(name.to_string()).or_insert_with(|| {
            graph.locations.push(name.to_string());
            graph.locations.len() - 1
        })
    };
    for e in &tree.edges {
        let Some(def) = actions.get(e.action.as_str()) else {
            return Err(e.at.error(format!("there is no action `{}`", e.action)));
        };
        if def.params.len() != e.args.len() {
            let (want, got) = (def.params.len(), e.args.len());
            return Err(e.at.error(format!("action `{}` takes {want} arguments, {got} given", e.action)));
        }
        let scope = Scope(def.params.iter().cloned().zip(e.args.iter().cloned()).collect());
        let from = location(&mut graph, &e.from);
        let to = location(&mut graph, &e.to);
        for scope in b.members(def, scope)? {
            let action = b.action(def, &scope, &e.at)?;
            graph.edges.push(Edge { from, to, action });
        }
    }
    let mut print: Vec<usize> =
        tree.print.iter().filter_map(|name| graph.locations.iter().position(|l| l == name)).collect();
    if print.is_empty() {
        print = (0..graph.locations.len()).collect();
    }
    let coercion = Coercion::new(&b.voc, constraint::generate(&b.voc, &b.rules));
    let abstraction = Abstraction::of(&b.voc);
    let decomposition = decomposition(tree);
    Ok(Spec { vocabulary: b.voc, coercion, abstraction, graph, print, decomposition, is_new, instance })
}

/// Whether a predicate of this name is declared.
fn declares(decls: &[Decl], name: &str) -> bool {
    decls.iter().any(|d| match d {
        Decl::Core(n, ..) | Decl::Instrumentation(n, ..) => n.base == name && n.indices.is_empty(),
        Decl::Foreach(_, _, inner) => declares(inner, name),
        _ => false,
    })
}

/// Where a program first speaks of decomposition.
fn decomposition(tree: &ProgramDef) -> Option<Token> {
    let declared = tree.decls.iter().find_map(|d| match d {
        Decl::Decomposition(at) | Decl::Part(_, at) => Some(at.clone()),
        _ => None,
    });
    let item = |i: &ActionItem| match i {
        ActionItem::Decomposition(at) | ActionItem::Compose(_, at) => Some(at.clone()),
        _ => None,
    };
    declared.or_else(|| tree.actions.iter().flat_map(|a| &a.items).find_map(item))
}

impl Builder {
    /// What the parameters of an action may stand for: each member of their sets.
    fn members(&self, def: &ActionDef, scope: Scope) -> Built<Vec<Scope>> {
        let mut scopes = vec![scope];
        for item in &def.items {
            let ActionItem::Param(name, set) = item else { continue };
            let mut wider = Vec::new();
            for scope in &scopes {
                wider.extend(self.set(set, scope)?.iter().map(|z| scope.with(name, z)));
            }
            if wider.len() > MAX_ELEMENTS {
                return Err(def.at.error("the parameters of this action have too many members"));
            }
            scopes = wider;
        }
        Ok(scopes)
    }

    pub(super) fn set(&self, e: &SetExpr, scope: &Scope) -> Built<Vec<String>> {
        Ok(match e {
            SetExpr::Named(name) => {
                let full = scope.name(name);
                match self.sets.get(&full) {
                    Some(elements) => elements.clone(),
                    None => return Err(name.at.error(format!("there is no set `{full}`"))),
                }
            }
            SetExpr::Listed(names) => {
                let mut elements: Vec<String> = Vec::new();
                for n in names {
                    let n = scope.name(n);
                    if !elements.contains(&n) {
                        elements.push(n);
                    }
                }
                elements
            }
            SetExpr::Union(a, b) => {
                let mut elements = self.set(a, scope)?;
                for e in self.set(b, scope)? {
                    if !elements.contains(&e) {
                        elements.push(e);
                    }
                }
                elements
            }
            SetExpr::Difference(a, b) => {
                let without = self.set(b, scope)?;
                self.set(a, scope)?.into_iter().filter(|e| !without.contains(e)).collect()
            }
            SetExpr::Intersection(a, b) => {
                let other = self.set(b, scope)?;
                self.set(a, scope)?.into_iter().filter(|e| other.contains(e)).collect()
            }
            SetExpr::Comprehension(parts, var, set) => {
                let mut elements: Vec<String> = Vec::new();
                for z in self.set(set, scope)? {
                    let inner = scope.with(var, &z);
                    for e in parts.iter().map(|part| inner.name(part)) {
                        if !elements.contains(&e) {
                            elements.push(e);
                        }
                    }
                }
                elements
            }
        })
    }

    fn declare(&mut self, decl: &Decl, scope: &Scope) -> Built<()> {
        match decl {
            Decl::Set(name, e) => {
                let elements = self.set(e, scope)?;
                if elements.len() > MAX_ELEMENTS {
                    return Err(name.at.error("this set is too large"));
                }
                // A set that is declared again grows.
                let set = self.sets.entry(scope.name(name)).or_default();
                for e in elements {
                    if !set.contains(&e) {
                        set.push(e);
                    }
                }
            }
            Decl::Foreach(var, set, decls) => {
                for z in self.set(set, scope)? {
                    let inner = scope.with(var, &z);
                    for d in decls {
                        self.declare(d, &inner)?;
                    }
                }
            }
            Decl::Core(name, params, props) => {
                if params.is_empty() || !matches!(name.base.as_str(), "isNew" | "instance" | "sm" | "ac") {
                    let id = self.predicate(name, params, Meaning::Core, scope)?;
                    self.properties(id, params, props)?;
                }
            }
            Decl::Instrumentation(name, params, f, props) => {
                let mut vars = Variables::new(params, &name.at)?;
                let definition = self.formula(f, scope, &mut vars, &name.at)?;
                if let Some(extra) = definition.free_vars().iter().find(|v| usize::from(v.0) >= params.len())
                {
                    let extra = vars.name(*extra);
                    return Err(name.at.error(format!("variable `{extra}` of the definition is not bound")));
                }
                let params_vars = (0..params.len()).map(|i| Var(i as u8)).collect();
                let meaning = Meaning::Instrumentation { params: params_vars, definition };
                let id = self.predicate(name, params, meaning, scope)?;
                self.properties(id, params, props)?;
            }
            Decl::Rule(body, head, at) => {
                let mut vars = Variables::new(&[], at)?;
                let body = self.formula(body, scope, &mut vars, at)?;
                let head = self.formula(head, scope, &mut vars, at)?;
                self.rules.push(body.negate().or(head));
            }
            Decl::Focus(items, at) => {
                let mut found = Vec::new();
                self.focus(items, scope, at, &mut found)?;
                self.focus.extend(found);
            }
            Decl::Message(f, text, at) => {
                self.message(f, text, scope, &Bindings::default(), at)?;
                self.messages.push((f.clone(), text.clone(), scope.clone(), at.clone()));
            }
            Decl::Part(f, at) => {
                let (v, definition) = self.of_one(f, "`%dname`", scope, &Bindings::default(), at)?;
                if self.voc.len() >= MAX_PREDICATES {
                    return Err(at.error("too many predicates"));
                }
                // Nothing in a program can be called that.
                let name = format!("part {}", self.parts.len() + 1);
                let meaning = Meaning::Instrumentation { params: vec![v], definition };
                let id =
                    self.voc.declare(name, 1, meaning).map_err(|_| at.error("a part is declared twice"))?;
                self.voc.get_mut(id).abstraction = false;
                self.parts.push(id);
            }
            Decl::Decomposition(_) => {}
        }
        Ok(())
    }

    fn predicate(
        &mut self,
        name: &Name,
        params: &[String],
        meaning: Meaning,
        scope: &Scope,
    ) -> Built<PredId> {
        let full = scope.name(name);
        if self.voc.len() >= MAX_PREDICATES {
            return Err(name.at.error("too many predicates"));
        }
        self.voc.declare(full.as_str(), params.len(), meaning).map_err(|e| {
            name.at.error(match e {
                DeclareError::Duplicate => format!("predicate `{full}` is declared twice"),
                DeclareError::Arity => format!("predicate `{full}` has more than {MAX_ARITY} arguments"),
            })
        })
    }

    fn properties(&mut self, id: PredId, params: &[String], props: &[Prop]) -> Built<()> {
        for prop in props {
            let p = self.voc.get_mut(id);
            match prop {
                Prop::Word(word, at) => {
                    let property = match word.as_str() {
                        "unique" => Property::Unique,
                        "function" => Property::Function,
                        "invfunction" => Property::InvFunction,
                        "symmetric" => Property::Symmetric,
                        "antisymmetric" => Property::Antisymmetric,
                        "reflexive" => Property::Reflexive,
                        "antireflexive" => Property::Antireflexive,
                        "transitive" => Property::Transitive,
                        "acyclic" => Property::Acyclic,
                        "abs" => {
                            p.abstraction = true;
                            continue;
                        }
                        "nonabs" => {
                            p.abstraction = false;
                            continue;
                        }
                        "pointer" | "box" => {
                            p.pointer = true;
                            continue;
                        }
                        _ => return Err(at.error(format!("unknown property `{word}`"))),
                    };
                    let wants = if property == Property::Unique { 1 } else { 2 };
                    if p.arity != wants {
                        return Err(at.error(format!("`{word}` needs a predicate of {wants} argument(s)")));
                    }
                    p.properties.push(property);
                }
                Prop::About(word, names, at) => {
                    let rule = match (word.as_str(), &names[..], p.arity) {
                        ("uniquePerCC", [field], 1) => self.unique_per_component(id, field, at)?,
                        _ => return Err(at.error(format!("unknown property `{word}`"))),
                    };
                    self.rules.push(rule);
                }
                Prop::Dependency(from, to, at) => {
                    let position = |v: &String| params.iter().position(|p| p == v);
                    let known: Option<Vec<usize>> = from.iter().chain(to).map(position).collect();
                    match known.as_deref() {
                        Some([0, 1]) => p.properties.push(Property::Function),
                        Some([1, 0]) => p.properties.push(Property::InvFunction),
                        Some([0]) if from.is_empty() => p.properties.push(Property::Unique),
                        Some(_) => return Err(at.error("this dependency says nothing about two arguments")),
                        None => return Err(at.error("a dependency relates the predicate's own variables")),
                    }
                }
            }
        }
        Ok(())
    }

    /// The predicate holds at most once along the paths of a field.
    fn unique_per_component(&self, id: PredId, field: &str, at: &Token) -> Built<Formula> {
        let [a, b, c, d] = [Var(0), Var(1), Var(2), Var(3)];
        let step = match self.voc.lookup(field) {
            Some(field) if self.voc.get(field).arity == 2 => Formula::Pred(field, vec![c, d]),
            _ => return Err(at.error(format!("there is no binary predicate `{field}`"))),
        };
        let path = Closure { from: a, to: b, source: c, target: d, step, reflexive: true };
        let holds = |v| Formula::Pred(id, vec![v]);
        let body = Formula::And(vec![holds(a), Formula::Closure(Box::new(path)), holds(b)]);
        Ok(body.negate().or(Formula::Eq(a, b)))
    }

    pub(super) fn formula(
        &self,
        f: &Form,
        scope: &Scope,
        vars: &mut Variables,
        at: &Token,
    ) -> Built<Formula> {
        let sub = |g: &Form, vars: &mut Variables| self.formula(g, scope, vars, at);
        Ok(match f {
            Form::Const(k) => Formula::Const(*k),
            Form::Pred(name, closure, args) => {
                let full = scope.name(name);
                let args = args.iter().map(|a| vars.get(a, &name.at)).collect::<Built<Vec<Var>>>()?;
                if full == "sm" && args.len() == 1 {
                    // A summary is an individual that is possibly not equal to itself.
                    return Ok(Formula::Eq(args[0], args[0]).negate());
                }
                if matches!(full.as_str(), "ac" | "inac")
                    && args.len() == 1
                    && self.voc.lookup(&full).is_none()
                {
                    // Every individual of a structure is there.
                    return Ok(Formula::truth());
                }
                let Some(id) = self.voc.lookup(&full) else {
                    return Err(name.at.error(format!("there is no predicate `{full}`")));
                };
                let arity = self.voc.get(id).arity;
                if arity != args.len() {
                    let got = args.len();
                    return Err(name.at.error(format!("`{full}` takes {arity} arguments, {got} given")));
                }
                match closure {
                    None => Formula::Pred(id, args),
                    Some(_) if arity != 2 => {
                        return Err(name.at.error(format!("`{full}` has no closure: it is not binary")));
                    }
                    Some(c) => {
                        let (source, target) = (vars.fresh(&name.at)?, vars.fresh(&name.at)?);
                        Formula::Closure(Box::new(Closure {
                            from: args[0],
                            to: args[1],
                            source,
                            target,
                            step: Formula::Pred(id, vec![source, target]),
                            reflexive: *c == '*',
                        }))
                    }
                }
            }
            Form::Eq(a, b) => Formula::Eq(vars.get(a, at)?, vars.get(b, at)?),
            Form::Not(g) => sub(g, vars)?.negate(),
            Form::And(a, b) => sub(a, vars)?.and(sub(b, vars)?),
            Form::Or(a, b) => sub(a, vars)?.or(sub(b, vars)?),
            Form::Implies(a, b) => sub(a, vars)?.negate().or(sub(b, vars)?),
            Form::Iff(a, b) => Formula::Iff(Box::new(sub(a, vars)?), Box::new(sub(b, vars)?)),
            Form::If(c, a, b) => {
                Formula::If(Box::new(sub(c, vars)?), Box::new(sub(a, vars)?), Box::new(sub(b, vars)?))
            }
            Form::Exists(names, g) | Form::Forall(names, g) => {
                let mark = vars.bound.len();
                let bound = names.iter().map(|n| vars.bind(n, at)).collect::<Built<Vec<Var>>>()?;
                let body = sub(g, vars)?;
                vars.bound.truncate(mark);
                let exists = matches!(f, Form::Exists(..));
                bound.into_iter().rev().fold(body, |body, v| match exists {
                    true => Formula::Exists(v, Box::new(body)),
                    false => Formula::Forall(v, Box::new(body)),
                })
            }
            Form::Closure([from, to], [source, target], g) => {
                let (from, to) = (vars.get(from, at)?, vars.get(to, at)?);
                let mark = vars.bound.len();
                let (source, target) = (vars.bind(source, at)?, vars.bind(target, at)?);
                let step = sub(g, vars)?;
                vars.bound.truncate(mark);
                Formula::Closure(Box::new(Closure { from, to, source, target, step, reflexive: false }))
            }
            Form::Each(conjunction, g, var, set) => {
                let mut parts = Vec::new();
                for z in self.set(set, scope)? {
                    parts.push(self.formula(g, &scope.with(var, &z), vars, at)?);
                }
                if *conjunction { Formula::And(parts) } else { Formula::Or(parts) }
            }
        })
    }
}
