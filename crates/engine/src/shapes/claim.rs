//! What `__heapwise_check_shape` claims, as states.
//!
//! A claim is a disjunction of small states: the variables that the formula names, and the memory that it describes. The
//! analysis shows that each of its own states is included in one of them ([`crate::contracts`]); a concrete memory
//! satisfies the claim if it is a member of one of them ([`heapwise_heap::gamma`]), which knows nothing of inclusion. So
//! concrete runs can judge what was proved.

use crate::report::Point;
use crate::shapes::declare::{self, Declarations, global_named};
use heapwise_heap::shape::ast::Formula;
use heapwise_heap::shape::{Env, Instance, ShapeError, parse_formula};
use heapwise_heap::{Fill, Object, ObjectKind, PredTable, Root, State, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{Body, FuncId, GlobalId, LocalId, Program, Span, Ty};

/// A variable that a formula names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Variable {
    Local(LocalId),
    Global(GlobalId),
}

/// A statement that claims a shape.
#[derive(Clone, Debug)]
pub struct ShapeCheck {
    /// The call.
    pub point: Point,
    /// Where it stands in the source.
    pub span: Span,
    formulas: Vec<Formula>,
}

/// The checks of shapes in a program whose text can be read.
pub fn shape_checks(program: &Program) -> Vec<ShapeCheck> {
    let all = program.functions.indices().flat_map(|f| declare::shape_statements_of(program, f));
    all.filter(|s| s.kind == LibFn::CheckShape)
        .filter_map(|s| {
            Some(ShapeCheck { point: s.point, span: s.span, formulas: parse_formula(&s.text).ok()? })
        })
        .collect()
}

impl ShapeCheck {
    /// The states that the claim allows, over predicates that begin with the declared ones. Of several variables of one
    /// name that the program declares in the function, the last one is meant that is in scope.
    pub fn states(
        &self,
        program: &Program,
        declarations: &Declarations,
        preds: &PredTable,
        in_scope: impl Fn(LocalId) -> bool,
    ) -> Result<Vec<State>, ShapeError> {
        let names = Names { program, declarations, preds };
        names.claimed(self.point.function, &self.formulas, in_scope)
    }
}

/// What the names in formulas mean.
pub(crate) struct Names<'a> {
    pub program: &'a Program,
    pub declarations: &'a Declarations,
    pub preds: &'a PredTable,
}

impl Names<'_> {
    /// The states that formulas at a point of a function allow.
    pub(crate) fn claimed(
        &self,
        func: FuncId,
        formulas: &[Formula],
        in_scope: impl Fn(LocalId) -> bool,
    ) -> Result<Vec<State>, ShapeError> {
        let mut start = State::default();
        let mut env = Env::default();
        let variables = match self.program.body(func) {
            Some(body) => variables(self.program, body, formulas, in_scope),
            None => Vec::new(),
        };
        for (name, variable, ty) in variables {
            let v = Val::sym(start.fresh());
            let width = self.program.types.size(ty);
            let (root, kind, size) = match variable {
                Variable::Local(l) if !self.in_memory(func, l) => {
                    start.set_root(Root::Local(l), v);
                    env.names.insert(name, v);
                    continue;
                }
                Variable::Local(l) => (Root::Slot(l), ObjectKind::Local(l), width),
                Variable::Global(g) => {
                    let size = self.program.globals.get(g).map_or(width, |g| g.size);
                    (Root::Global(g), ObjectKind::Global(g), size)
                }
            };
            let size = Val::int(i128::from(size));
            let mut object = Object::new(kind, size, Fill::Uninit, Span::default());
            object.write(0, width, v);
            let s = start.add_object(object);
            start.set_root(root, Val::sym(s));
            env.names.insert(name, v);
        }
        let mut wanted = Vec::new();
        for formula in formulas {
            let instance = self.declarations.instance(self.preds, self.program);
            wanted.extend(instance.add(formula, &env, start.clone())?);
        }
        Ok(wanted)
    }

    fn in_memory(&self, func: FuncId, local: LocalId) -> bool {
        let local = self.program.body(func).and_then(|b| b.locals.get(local));
        local.is_none_or(|l| l.is_memory(&self.program.types))
    }
}

/// The variables that formulas name.
pub(crate) fn variables(
    program: &Program,
    body: &Body,
    formulas: &[Formula],
    in_scope: impl Fn(LocalId) -> bool,
) -> Vec<(String, Variable, Ty)> {
    let mut found = Vec::new();
    for (name, _) in Instance::free_names(formulas) {
        let is_named = |l: &LocalId| body.locals.get(*l).is_some_and(|l| l.name.as_deref() == Some(&name));
        let locals: Vec<LocalId> = body.locals.indices().filter(is_named).collect();
        // Of several variables of that name the one declared last is the innermost.
        let local = locals.iter().rev().find(|l| in_scope(**l)).or(locals.last());
        if let Some(l) = local {
            let ty = body.locals.get(*l).map_or(Ty(0), |l| l.ty);
            found.push((name, Variable::Local(*l), ty));
        } else if let Some(g) = global_named(program, &name) {
            let ty = program.globals.get(g).map_or(Ty(0), |g| g.ty);
            found.push((name, Variable::Global(g), ty));
        }
    }
    found
}

/// The user's name for a local.
pub(crate) fn local_name(body: &Body, local: LocalId) -> Option<&str> {
    body.locals.get(local)?.name.as_deref()
}
