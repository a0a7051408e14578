//! Function definitions: the state while a body is checked, parameters, and what becomes of failures.

use super::convert::Typed;
use super::declare::{Base, Parameters};
use super::link::FunctionDeclaration;
use super::scope::{Carried, Decl};
use super::{Checker, R, invalid};
use crate::ast::{self, Derived, FunctionDef, Storage};
use crate::ctype::{CTy, FloatKind, FunctionType, QualTy};
use crate::hir::{self, Expr, HirFunction, Init, Label, LabelId, Stmt, StmtKind};
use crate::symbol::Symbol;
use heapwise_ir::{FuncId, FunctionBody, GlobalId, IndexVec, Local, LocalId, Severity, Span};

/// What is known while a function is checked; a default one stands for file scope.
#[derive(Debug, Default)]
pub(super) struct FunctionState {
    /// Whether a body is being checked.
    pub(super) active: bool,
    /// Whether a parameter list is being checked: variable sizes are not evaluated there.
    pub(super) in_prototype: bool,
    /// Set when a parameter list held a variable size.
    pub(super) saw_variable_size: bool,
    /// Whether a static initialiser is being checked: literals get static storage.
    pub(super) static_context: bool,
    pub(super) name: Box<str>,
    pub(super) ret: Option<CTy>,
    /// The block of the variadic arguments.
    pub(super) varargs: Option<LocalId>,
    pub(super) locals: IndexVec<LocalId, Local>,
    pub(super) labels: IndexVec<LabelId, Label>,
    /// Labels by name: the function's own, then those that blocks declare by `__label__`.
    pub(super) label_scopes: Vec<Vec<(Symbol, LabelId)>>,
    pub(super) label_defined: Vec<bool>,
    pub(super) label_spans: Vec<Span>,
    /// Hidden locals of the blocks that are open.
    pub(super) literals: Vec<Vec<LocalId>>,
    /// Lengths of variable-length arrays that have yet to be evaluated.
    pub(super) pending: Vec<Expr>,
    pub(super) name_object: Option<(GlobalId, CTy)>,
    /// Switches that are open: the promoted type and the cases so far.
    pub(super) switches: Vec<super::stmt::SwitchState>,
    /// How many statements are open that `break` and `continue` may leave.
    pub(super) breakable: u32,
    pub(super) loops: u32,
}

/// A parameter of a definition.
struct DefinedParam {
    name: Option<Symbol>,
    ty: QualTy,
    /// Type of the argument that is passed, if it differs: promoted, for definitions in the old style.
    passed: Option<CTy>,
    span: Span,
}

impl Checker<'_> {
    /// Checks a unit.
    pub(super) fn unit(
        &mut self,
        parsed: impl Iterator<Item = impl std::borrow::Borrow<ast::Item>>,
        annotations: Vec<(Box<str>, Span)>,
    ) {
        self.s.linker.start_unit();
        let mut items = Vec::new();
        for item in parsed {
            match item.borrow() {
                ast::Item::Function(def) => {
                    let id = self.function_definition(def);
                    items.push((def.span, id));
                }
                ast::Item::Declaration(declaration) => {
                    self.global_declaration(declaration);
                    items.push((declaration.span, None));
                }
                ast::Item::StaticAssert(assert) => {
                    let result = self.static_assert(assert);
                    self.recover(result);
                    items.push((assert.span, None));
                }
                ast::Item::Asm(span) => items.push((*span, None)),
            }
            self.fun.pending.clear();
        }
        self.resolve_aliases();
        self.attach_annotations(annotations, &items);
    }

    fn function_definition(&mut self, def: &FunctionDef) -> Option<FuncId> {
        self.fun = FunctionState::default();
        let (id, ty, params, carried, counts) = match self.function_head(def) {
            Ok(head) => head,
            Err(fail) => {
                self.scopes.leave_all();
                if let Some(name) = def.declarator.name
                    && self.scopes.lookup(name).is_none()
                {
                    self.scopes.declare(name, Decl::Broken, def.declarator.span);
                }
                self.s.report(*fail);
                return None;
            }
        };
        if !counts {
            return Some(id);
        }
        if let Some((reason, span)) = &def.broken {
            self.not_analysed(id, reason.clone(), *span);
            return Some(id);
        }
        self.current = Some(id);
        let result = self.function_body(def, ty, params, carried);
        self.current = None;
        let failure = match result {
            Ok(body) => {
                self.take_body(id, body);
                None
            }
            Err(fail) => {
                self.scopes.leave_all();
                self.not_analysed(id, fail.message.clone(), fail.span);
                Some(fail)
            }
        };
        if def.specs.inline {
            self.s.linker.inline_definition(id, failure);
        } else if let Some(fail) = failure {
            self.s.report(*fail);
        }
        self.fun = FunctionState::default();
        Some(id)
    }

    fn take_body(&mut self, id: FuncId, body: HirFunction) {
        let is_main = self.s.program.functions.get(id).is_some_and(|f| !f.internal && &*f.name == "main");
        if is_main && self.s.main.is_none() {
            self.s.main = Some((id, body));
        } else {
            (self.bodies)(&mut self.s.program, id, body);
        }
    }

    fn not_analysed(&mut self, id: FuncId, reason: String, span: Span) {
        if let Some(f) = self.s.program.functions.get_mut(id) {
            f.body = FunctionBody::NotAnalysed { reason: reason.into(), span };
        }
    }

    /// Declares the function; returns its type and parameters, what its parameter list declared besides, and whether the
    /// definition counts.
    fn function_head(&mut self, def: &FunctionDef) -> R<(FuncId, CTy, Vec<DefinedParam>, Carried, bool)> {
        let span = def.declarator.span;
        let base = self.specs(&def.specs, false)?;
        let Some((Derived::Function(list), rest)) = def.declarator.derived.split_first() else {
            return self.function_by_typedef(def, base);
        };
        let ret = self.derive_steps(base.declared, rest, span)?.ty;
        if self.s.is_array(ret.ty) || self.s.is_function(ret.ty) {
            return invalid(span, "bad-declarator", "a function cannot return an array or function");
        }
        self.scopes.enter();
        let (params, parameters) = self.definition_parameters(def, list)?;
        let carried = self.scopes.carried_over();
        self.scopes.leave();
        let ty = self.function_of(ret, parameters);
        let (id, counts) = self.declare_definition(def, &base, ty)?;
        Ok((id, ty, params, carried, counts))
    }

    /// `typedef int f(void); f g { … }` is not allowed in C.
    fn function_by_typedef<T>(&mut self, def: &FunctionDef, _: Base) -> R<T> {
        invalid(def.declarator.span, "bad-declarator", "a function definition needs a parameter list")
    }

    /// The function that is defined, and whether this definition counts.
    fn declare_definition(&mut self, def: &FunctionDef, base: &Base, ty: CTy) -> R<(FuncId, bool)> {
        let span = def.declarator.span;
        let Some(name) = def.declarator.name else {
            return invalid(span, "bad-declarator", "a function definition needs a name");
        };
        let mut attributes = base.attributes.clone();
        if !def.declarator.attrs.is_empty() {
            attributes.merge(self.attributes(&def.declarator.attrs)?);
        }
        let noreturn = def.specs.noreturn || attributes.noreturn;
        let internal = def.specs.storage == Storage::Static;
        let id = self.declare_function(name, ty, internal, noreturn, None, span)?;
        self.s.starts_and_ends(id, &attributes);
        let text: Box<str> = self.name(name).into();
        let strength = Self::strength(def.specs.inline && !internal, attributes.weak);
        let counts = self.s.define_function(id, ty, &text, strength, span)?;
        self.weak.remove(&super::alias::Item::Function(id));
        Ok((id, counts))
    }

    /// Declares a function in the innermost scope.
    pub(super) fn declare_function(
        &mut self,
        name: Symbol,
        ty: CTy,
        internal: bool,
        noreturn: bool,
        asm_name: Option<&str>,
        span: Span,
    ) -> R<FuncId> {
        let names = self.names;
        let text = names.name(name);
        let known = match self.scopes.lookup(name) {
            Some(Decl::Function { id, ty }) => Some((*id, *ty)),
            Some(Decl::Broken) | None => None,
            Some(_) if self.scopes.lookup_here(name).is_some() => {
                return invalid(span, "redefinition", format!("'{text}' is declared as something else"));
            }
            Some(_) => None,
        };
        let d = FunctionDeclaration { name: text, asm_name, ty, internal, noreturn, span };
        let known_internal =
            known.filter(|(id, _)| self.s.program.functions.get(*id).is_some_and(|f| f.internal));
        let (id, ty) = match known_internal {
            // A later declaration without `static` still means the static function.
            Some((id, old)) => (id, self.s.redeclare_function(id, old, d)?),
            None if internal => match known {
                Some((id, old)) if self.scopes.depth() == 0 => (id, self.s.redeclare_function(id, old, d)?),
                _ => (self.s.new_function(d), ty),
            },
            None => match known {
                Some((id, old)) if asm_name.is_none() => (id, self.s.redeclare_function(id, old, d)?),
                _ => self.s.external_function(d)?,
            },
        };
        self.scopes.declare(name, Decl::Function { id, ty }, span);
        Ok(id)
    }

    fn definition_parameters(
        &mut self,
        def: &FunctionDef,
        list: &ast::ParamList,
    ) -> R<(Vec<DefinedParam>, Parameters)> {
        if list.identifiers.is_empty() {
            let parameters = self.parameters(list)?;
            let params = list.params.iter().zip(&parameters.types).map(|(p, ty)| DefinedParam {
                name: p.declarator.name,
                ty: *ty,
                passed: None,
                span: p.declarator.span,
            });
            return Ok((params.collect(), parameters));
        }
        let mut declared: Vec<(Symbol, QualTy)> = Vec::new();
        for declaration in &def.knr_decls {
            for d in &declaration.declarators {
                let ty = self.parameter_type(&declaration.specs, &d.declarator)?;
                if let Some(name) = d.declarator.name {
                    declared.push((name, ty));
                }
            }
        }
        let mut params = Vec::with_capacity(list.identifiers.len());
        let mut types = Vec::with_capacity(list.identifiers.len());
        for (name, span) in &list.identifiers {
            let found = declared.iter().find(|(n, _)| n == name).map(|(_, ty)| *ty);
            let ty = found.unwrap_or(CTy::INT.into());
            let passed =
                if ty.ty == CTy::float(FloatKind::Float) { CTy::DOUBLE } else { self.promoted(ty.ty, None) };
            let passed =
                if self.s.int_kind(ty.ty).is_some() || self.s.is_float(ty.ty) { passed } else { ty.ty };
            let differs = self.s.ir(passed) != self.s.ir(ty.ty);
            params.push(DefinedParam {
                name: Some(*name),
                ty,
                passed: differs.then_some(passed),
                span: *span,
            });
            types.push(QualTy::from(if differs { passed } else { ty.ty }));
        }
        Ok((params, Parameters { types, variadic: false, prototyped: false }))
    }

    fn function_body(
        &mut self,
        def: &FunctionDef,
        ty: CTy,
        params: Vec<DefinedParam>,
        carried: Carried,
    ) -> R<HirFunction> {
        let ret = self.s.function_type(ty).map_or(CTy::VOID, |f: &FunctionType| f.ret.ty);
        let name = def.declarator.name.map_or("", |n| self.name(n));
        let is_main = name == "main" && ret == CTy::INT;
        let variable = self.fun.saw_variable_size;
        self.fun = FunctionState {
            active: true,
            name: name.into(),
            ret: Some(ret),
            label_scopes: vec![Vec::new()],
            literals: vec![Vec::new()],
            ..FunctionState::default()
        };
        if ret != CTy::VOID && self.s.size_of(ret).is_none() {
            return invalid(def.declarator.span, "incomplete-type", "the result type is incomplete");
        }
        self.scopes.enter();
        for (symbol, tag) in carried.tags {
            self.scopes.declare_tag(symbol, tag, def.declarator.span);
        }
        for (symbol, decl) in carried.names {
            self.scopes.declare(symbol, decl, def.declarator.span);
        }
        let mut prologue = Vec::new();
        let mut ids = Vec::with_capacity(params.len());
        for (i, param) in params.iter().enumerate() {
            let mut ty = param.ty;
            if variable
                && let Some(Derived::Function(list)) = def.declarator.derived.first()
                && let Some(p) = list.params.get(i)
            {
                // Once more, now that earlier parameters are objects whose value gives the size.
                ty = self.parameter_type(&p.specs, &p.declarator)?;
                let mark = 0;
                self.pending_stmts(mark, &mut prologue);
            }
            if self.s.size_of(ty.ty).is_none() || ty.ty == CTy::VOID {
                return invalid(param.span, "incomplete-type", "a parameter has incomplete type");
            }
            ids.push(self.parameter_local(param, ty, &mut prologue));
        }
        if self.s.function_type(ty).is_some_and(|f| f.variadic) {
            self.fun.varargs = Some(self.varargs_local(def.declarator.span));
        }
        let mut body = self.block_contents(&def.body)?;
        if is_main {
            let end = Span::new(def.body.span.hi.saturating_sub(1), def.body.span.hi);
            let zero = self.int_const(0, CTy::INT, end);
            body.push(Stmt { kind: StmtKind::Return(Some(zero)), span: end });
        }
        prologue.append(&mut body);
        self.scopes.leave();
        self.check_labels()?;
        let literals = self.fun.literals.pop().unwrap_or_default();
        let fun = std::mem::take(&mut self.fun);
        Ok(HirFunction {
            params: ids,
            varargs: fun.varargs,
            locals: fun.locals,
            labels: fun.labels,
            ret: self.s.ir(ret),
            body: hir::Block { literals, stmts: prologue, span: def.body.span },
            end: Span::new(def.body.span.hi.saturating_sub(1), def.body.span.hi),
        })
    }

    fn parameter_local(&mut self, param: &DefinedParam, ty: QualTy, prologue: &mut Vec<Stmt>) -> LocalId {
        let span = param.span;
        let name: Option<Box<str>> = param.name.map(|n| self.name(n).into());
        let ir = self.s.ir(ty.ty);
        let constant = self.s.is_const_object(ty);
        let local = Local { name, ty: ir, align: None, address_taken: false, constant, span };
        let (id, passed) = match param.passed {
            None => {
                let id = self.fun.locals.push(local);
                (id, id)
            }
            Some(passed_ty) => {
                let passed = self.temporary(passed_ty, span);
                let id = self.fun.locals.push(local);
                let value = self.local_value(passed, passed_ty, span);
                let value = self.cast_expr(value, passed_ty, ty.ty);
                let place = self.local_place(id, ty.ty, span);
                let init = Some(Init { zero: None, stores: vec![(place, value)] });
                let kind = StmtKind::Declare { local: id, vla_size: None, init };
                prologue.push(Stmt { kind, span });
                (id, passed)
            }
        };
        if let Some(name) = param.name {
            self.scopes.declare(name, Decl::Local { id, ty, constant: None }, span);
        }
        passed
    }

    fn check_labels(&mut self) -> R<()> {
        for (i, defined) in self.fun.label_defined.iter().enumerate() {
            if !defined {
                let name = self.fun.labels.get(LabelId(i as u32)).map_or("", |l| &l.name);
                let span = self.fun.label_spans.get(i).copied().unwrap_or_default();
                return invalid(span, "undefined-label", format!("label '{name}' is not defined"));
            }
        }
        Ok(())
    }

    /// A function that is called without a declaration.
    pub(super) fn implicit_function(&mut self, name: Symbol, span: Span) -> R<Typed> {
        let names = self.names;
        let text = names.name(name);
        let ty = match self.library_type(text) {
            Some(ty) => ty,
            None => {
                let ret = CTy::INT.into();
                let f = FunctionType { ret, params: [].into(), variadic: false, prototyped: false };
                self.s.types.intern(crate::ctype::CType::Function(f))
            }
        };
        let known = self.known_external(text);
        let (id, ty) = match known {
            Some(known) => known,
            None => {
                let d = FunctionDeclaration {
                    name: text,
                    asm_name: None,
                    ty,
                    internal: false,
                    noreturn: false,
                    span,
                };
                self.s.external_function(d)?
            }
        };
        let message = format!("'{text}' is called without a declaration");
        self.s.report(super::Fail {
            severity: Severity::Warning,
            code: "implicit-declaration",
            message,
            span,
        });
        self.scopes.declare_at_file_scope(name, Decl::Function { id, ty }, span);
        self.function_value(id, ty, span)
    }

    /// A function by its number.
    pub(super) fn function_value(&mut self, id: FuncId, ty: CTy, span: Span) -> R<Typed> {
        self.s.linker.refer(self.current, id);
        let pointer = self.s.pointer_to(ty);
        let ir = self.s.ir(pointer);
        let kind = hir::ExprKind::Const(heapwise_ir::Const::Function { func: id, ty: ir });
        let kind = super::convert::Kind::Function(Expr { kind, ty: ir, span });
        Ok(Typed { ty: ty.into(), kind, width: None, constant: None })
    }
}
