//! Linking: names that several units share.
//!
//! An external name is one function or one object, whichever units declare it. It is keyed by its assembler name
//! where the program gives one. A later declaration must be compatible with the earlier ones and completes
//! their type; two definitions are an error, tentative definitions are not.

use super::attributes::Attributes;
use super::{Checker, Fail, R, Sema, invalid};
use crate::ctype::{ArraySize, CTy, CType, FunctionType, QualTy};
use crate::hir::{CalleeExpr, Expr, ExprKind, Stmt, StmtKind};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Const, FuncId, Function, FunctionBody, Global, GlobalId, GlobalInit, GlobalKind, RecordId, Span, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an external name stands for.
#[derive(Clone, Copy, Debug)]
enum Entity {
    Function(FuncId),
    Object(GlobalId),
}

#[derive(Clone, Copy, Debug)]
struct External {
    entity: Entity,
    ty: CTy,
}

/// What the attribute `alias` makes another name of.
#[derive(Clone, Copy, Debug)]
pub(super) enum AliasTarget {
    /// A function.
    Function(FuncId),
    /// An object.
    Object(GlobalId),
}

/// How far an object is defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Definition {
    /// `extern`, no initialiser.
    None,
    /// No `extern`, no initialiser.
    Tentative,
    /// With initialiser.
    Full,
}

/// The state of linking.
#[derive(Debug, Default)]
pub(super) struct Linker {
    externals: FxHashMap<Box<str>, External>,
    defined_functions: FxHashMap<FuncId, Span>,
    objects: FxHashMap<GlobalId, (Definition, QualTy)>,
    /// Library model by assembler name, where the program's own name has none.
    by_asm_name: FxHashMap<FuncId, LibFn>,
    /// Functions that only the compiler has declared so far; the program's own declaration overrules it.
    implicit: FxHashSet<FuncId>,
    /// Functions that run before `main`, with their priority.
    constructors: Vec<(i128, FuncId)>,
    /// Functions that run after it.
    destructors: Vec<(i128, FuncId)>,
    /// Who mentions whom; `None` is file scope.
    references: Vec<(Option<FuncId>, FuncId)>,
    /// Functions of which there is only a definition that another may replace.
    replaceable: FxHashSet<FuncId>,
    /// Definitions marked `inline`, with what is wrong with them.
    inline: FxHashMap<FuncId, Option<Box<Fail>>>,
    /// First record of each unit.
    unit_starts: Vec<u32>,
    records: u32,
}

impl Linker {
    pub(super) fn new_record(&mut self) {
        self.records += 1;
    }
    pub(super) fn start_unit(&mut self) {
        self.unit_starts.push(self.records);
    }
    /// The unit that a record was declared in.
    pub(super) fn unit_of_record(&self, record: RecordId) -> usize {
        self.unit_starts.partition_point(|start| *start <= record.0)
    }
}

impl Linker {
    /// Notes that `user` mentions `used`.
    pub(super) fn refer(&mut self, user: Option<FuncId>, used: FuncId) {
        self.references.push((user, used));
    }
    /// Notes an inline definition and why it could not be checked, if so.
    pub(super) fn inline_definition(&mut self, id: FuncId, fail: Option<Box<Fail>>) {
        self.inline.insert(id, fail);
    }
}

/// A function as a declarator declares it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionDeclaration<'a> {
    pub(super) name: &'a str,
    pub(super) asm_name: Option<&'a str>,
    pub(super) ty: CTy,
    pub(super) internal: bool,
    pub(super) noreturn: bool,
    pub(super) span: Span,
}

impl Linker {
    /// Volatile objects with linkage that are defined without an initialiser.
    pub(super) fn volatile_without_value(&self) -> Vec<GlobalId> {
        let objects = self.objects.iter();
        let wanted = objects.filter(|(_, (d, ty))| *d == Definition::Tentative && ty.quals.is_volatile);
        wanted.map(|(id, _)| *id).collect()
    }
}

/// An object as a declarator declares it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectDeclaration<'a> {
    pub(super) name: &'a str,
    pub(super) asm_name: Option<&'a str>,
    pub(super) ty: QualTy,
    pub(super) align: Option<u64>,
    pub(super) kind: GlobalKind,
    pub(super) definition: Definition,
    pub(super) span: Span,
}

impl Sema {
    fn conflict<T>(&self, name: &str, old: CTy, new: CTy, span: Span) -> R<T> {
        let message = format!(
            "'{name}' is declared as {} but was declared as {}",
            self.describe(new),
            self.describe(old)
        );
        invalid(span, "conflicting-types", message)
    }

    /// A new function that is not yet known by any name.
    pub(super) fn new_function(&mut self, d: FunctionDeclaration<'_>) -> FuncId {
        let ty = self.ir(d.ty);
        self.program.functions.push(Function {
            name: d.name.into(),
            ty,
            internal: d.internal,
            noreturn: d.noreturn,
            library: None,
            body: FunctionBody::Declared,
            span: d.span,
        })
    }

    /// Declares an external function; returns it with its composite type.
    pub(super) fn external_function(&mut self, d: FunctionDeclaration<'_>) -> R<(FuncId, CTy)> {
        let mut key = d.asm_name.unwrap_or(d.name);
        let separate;
        // Headers give one assembler name several types under different program names.
        if let Some(External { entity: Entity::Function(id), ty }) = self.linker.externals.get(key)
            && self.program.functions.get(*id).is_some_and(|f| &*f.name != d.name)
            && !self.compatible(*ty, d.ty)
        {
            separate = format!("{}\0", d.name);
            key = &separate;
        }
        if let Some(known) = self.linker.externals.get(key).copied() {
            let Entity::Function(id) = known.entity else {
                return invalid(d.span, "conflicting-types", format!("'{}' is not a function", d.name));
            };
            let ty = self.redeclare_function(id, known.ty, d)?;
            if let Some(known) = self.linker.externals.get_mut(key) {
                known.ty = ty;
            }
            return Ok((id, ty));
        }
        let id = self.new_function(d);
        if let Some(lib) = d.asm_name.and_then(LibFn::lookup) {
            self.linker.by_asm_name.insert(id, lib);
        }
        self.linker.externals.insert(key.into(), External { entity: Entity::Function(id), ty: d.ty });
        Ok((id, d.ty))
    }

    /// Merges another declaration into a known function.
    pub(super) fn redeclare_function(&mut self, id: FuncId, old: CTy, d: FunctionDeclaration<'_>) -> R<CTy> {
        let implicit = self.linker.implicit.remove(&id);
        let ty = if self.compatible(old, d.ty) {
            self.composite(old, d.ty)
        } else if implicit {
            d.ty
        } else {
            return self.conflict(d.name, old, d.ty, d.span);
        };
        let defined = self.linker.defined_functions.contains_key(&id);
        // The definition's own parameters are what its body was checked against.
        let ir = if defined { None } else { Some(self.ir(ty)) };
        if let Some(f) = self.program.functions.get_mut(id) {
            f.noreturn |= d.noreturn;
            if let Some(ir) = ir {
                f.ty = ir;
            }
        }
        Ok(ty)
    }

    /// Notes that a function was declared by the compiler rather than the program.
    pub(super) fn mark_implicit(&mut self, id: FuncId) {
        self.linker.implicit.insert(id);
    }

    /// Marks a function as defined with this type. False if the definition is not to be used: it is one that others
    /// replace (`extern inline` with `gnu_inline`), and there is another.
    pub(super) fn define_function(
        &mut self,
        id: FuncId,
        ty: CTy,
        name: &str,
        replaceable: bool,
        span: Span,
    ) -> R<bool> {
        if self.linker.defined_functions.contains_key(&id) {
            if replaceable {
                return Ok(false);
            }
            if !self.linker.replaceable.remove(&id) {
                return invalid(span, "redefinition", format!("redefinition of '{name}'"));
            }
            self.linker.inline.remove(&id);
        } else if replaceable {
            self.linker.replaceable.insert(id);
        }
        self.linker.defined_functions.insert(id, span);
        // A definition knows its parameters even in the old style.
        let Some(f) = self.function_type(ty).cloned() else { return Ok(true) };
        let ret = self.ir(f.ret.ty);
        let params = f.params.iter().map(|p| self.ir(p.ty)).collect();
        let ir = self.program.types.intern(Type::Function { ret, params, variadic: f.variadic });
        if let Some(f) = self.program.functions.get_mut(id) {
            f.ty = ir;
            f.span = span;
        }
        Ok(true)
    }

    /// Notes a function that runs before or after `main`.
    pub(super) fn starts_and_ends(&mut self, id: FuncId, attributes: &Attributes) {
        let add = |list: &mut Vec<(i128, FuncId)>, priority: Option<i128>| {
            if let Some(priority) = priority
                && !list.iter().any(|(_, f)| *f == id)
            {
                list.push((priority, id));
            }
        };
        add(&mut self.linker.constructors, attributes.constructor);
        add(&mut self.linker.destructors, attributes.destructor);
    }

    /// Calls the constructors at the start of `main`. Before them the destructors are registered by `atexit`: what
    /// is registered first runs last, hence after everything that the program registers itself.
    fn call_constructors(&mut self) {
        let mut constructors = std::mem::take(&mut self.linker.constructors);
        let mut destructors = std::mem::take(&mut self.linker.destructors);
        if self.main.is_none() || constructors.is_empty() && destructors.is_empty() {
            return;
        }
        constructors.sort_by_key(|(priority, _)| *priority);
        destructors.sort_by_key(|(priority, _)| *priority);
        let position = |program: &heapwise_ir::Program, id| {
            program.functions.get(id).map_or(Span::default(), |f: &Function| f.span)
        };
        let call = |callee, args, ty, span| {
            let kind = ExprKind::Call { callee: CalleeExpr::Direct(callee), args };
            Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span }
        };
        let mut calls = Vec::new();
        for (_, id) in destructors {
            let span = position(&self.program, id);
            let plain = |ret: CTy, params: &[QualTy]| {
                CType::Function(FunctionType {
                    ret: ret.into(),
                    params: params.into(),
                    variadic: false,
                    prototyped: true,
                })
            };
            let handler = self.types.intern(plain(CTy::VOID, &[]));
            let pointer = self.types.intern(CType::Pointer(handler.into()));
            let ty = self.types.intern(plain(CTy::INT, &[pointer.into()]));
            let d = FunctionDeclaration {
                name: "atexit",
                asm_name: None,
                ty,
                internal: false,
                noreturn: false,
                span,
            };
            let (int, pointer) = (self.ir(CTy::INT), self.ir(pointer));
            match self.external_function(d) {
                Ok((atexit, _)) => {
                    let kind = ExprKind::Const(Const::Function { func: id, ty: pointer });
                    calls.push(call(atexit, vec![Expr { kind, ty: pointer, span }], int, span));
                }
                Err(fail) => self.report(*fail),
            }
        }
        let void = self.ir(CTy::VOID);
        calls.extend(
            constructors.into_iter().map(|(_, id)| call(id, Vec::new(), void, position(&self.program, id))),
        );
        if let Some((_, body)) = &mut self.main {
            body.body.stmts.splice(0..0, calls);
        }
    }

    /// Makes `name` another name of what an alias stands for; `false` if it means something else already.
    pub(super) fn link_alias(&mut self, name: &str, ty: CTy, target: AliasTarget) -> bool {
        let entity = match target {
            AliasTarget::Function(id) => Entity::Function(id),
            AliasTarget::Object(id) => Entity::Object(id),
        };
        match (self.linker.externals.get(name), entity) {
            (Some(External { entity: Entity::Object(known), .. }), Entity::Object(id)) if *known == id => {
                true
            }
            (Some(_), Entity::Object(_)) => false,
            _ => {
                self.linker.externals.insert(name.into(), External { entity, ty });
                true
            }
        }
    }

    fn new_object(&mut self, d: ObjectDeclaration<'_>) -> GlobalId {
        let ty = self.ir(d.ty.ty);
        let size = self.size_of(d.ty.ty).unwrap_or(0);
        let align = self.align_of(d.ty.ty).max(d.align.unwrap_or(1));
        let init = match d.definition {
            Definition::None => GlobalInit::Unknown,
            _ => GlobalInit::Data(Vec::new()),
        };
        let id = self.program.globals.push(Global {
            name: d.name.into(),
            ty,
            size,
            align,
            init,
            kind: d.kind,
            constant: self.is_const_object(d.ty),
            span: d.span,
        });
        self.linker.objects.insert(id, (d.definition, d.ty));
        id
    }

    pub(super) fn is_const_object(&self, ty: QualTy) -> bool {
        match self.types.get(ty.ty) {
            CType::Array(elem, _) => ty.quals.is_const || self.is_const_object(*elem),
            _ => ty.quals.is_const,
        }
    }

    /// Declares an object with linkage that was seen before in this unit or, if external, in any.
    pub(super) fn linked_object(
        &mut self,
        d: ObjectDeclaration<'_>,
        known_here: Option<(GlobalId, QualTy)>,
    ) -> R<(GlobalId, QualTy)> {
        let external = d.kind == GlobalKind::External;
        let key = d.asm_name.unwrap_or(d.name);
        let known = match known_here {
            Some((id, _)) => Some(id),
            None if external => match self.linker.externals.get(key) {
                Some(External { entity: Entity::Object(id), .. }) => Some(*id),
                Some(_) => {
                    return invalid(d.span, "conflicting-types", format!("'{}' is a function", d.name));
                }
                None => None,
            },
            None => None,
        };
        let Some(id) = known else {
            let id = self.new_object(d);
            if external {
                let entry = External { entity: Entity::Object(id), ty: d.ty.ty };
                self.linker.externals.insert(key.into(), entry);
            }
            return Ok((id, d.ty));
        };
        let (definition, old) = self.linker.objects.get(&id).copied().unwrap_or((Definition::None, d.ty));
        if !self.compatible(old.ty, d.ty.ty) {
            return self.conflict(d.name, old.ty, d.ty.ty, d.span);
        }
        if definition == Definition::Full && d.definition == Definition::Full {
            return invalid(d.span, "redefinition", format!("redefinition of '{}'", d.name));
        }
        let ty = QualTy { ty: self.composite(old.ty, d.ty.ty), quals: d.ty.quals };
        self.linker.objects.insert(id, (definition.max(d.definition), ty));
        self.update_object(id, ty.ty, d.align);
        if definition == Definition::None
            && d.definition != Definition::None
            && let Some(g) = self.program.globals.get_mut(id)
        {
            g.init = GlobalInit::Data(Vec::new());
            g.span = d.span;
        }
        Ok((id, ty))
    }

    /// Gives an object its completed type.
    pub(super) fn update_object(&mut self, id: GlobalId, ty: CTy, align: Option<u64>) {
        let (ir, size) = (self.ir(ty), self.size_of(ty).unwrap_or(0));
        let natural = self.align_of(ty);
        if let Some((_, known)) = self.linker.objects.get_mut(&id) {
            known.ty = ty;
        }
        if let Some(g) = self.program.globals.get_mut(id) {
            g.ty = ir;
            g.size = g.size.max(size);
            g.align = g.align.max(natural).max(align.unwrap_or(1));
        }
    }

    /// Inline functions that nothing uses are not part of the program: headers are full of them. What is wrong
    /// with the others is reported.
    fn settle_inline_functions(&mut self) {
        let mut inline = std::mem::take(&mut self.linker.inline);
        let mut references = std::mem::take(&mut self.linker.references);
        if inline.values().all(Option::is_none) {
            return;
        }
        references.sort_unstable();
        references.dedup();
        let mut used: FxHashSet<FuncId> = FxHashSet::default();
        let mut work: Vec<FuncId> = references
            .iter()
            .filter(|(user, _)| user.is_none_or(|u| !inline.contains_key(&u)))
            .map(|(_, used)| *used)
            .collect();
        while let Some(id) = work.pop() {
            if used.insert(id) {
                let from = references.partition_point(|(user, _)| *user < Some(id));
                let own = references.iter().skip(from).take_while(|(user, _)| *user == Some(id));
                work.extend(own.map(|(_, used)| *used));
            }
        }
        let mut failed: Vec<FuncId> = inline.iter().filter(|(_, f)| f.is_some()).map(|(id, _)| *id).collect();
        failed.sort_unstable();
        for id in failed {
            if used.contains(&id) {
                if let Some(Some(fail)) = inline.remove(&id) {
                    self.report(*fail);
                }
            } else if let Some(f) = self.program.functions.get_mut(id) {
                f.body = FunctionBody::Declared;
            }
        }
    }

    /// Completes tentative definitions of arrays without length, and finds library models.
    pub(super) fn finish_linking(&mut self) {
        self.call_constructors();
        self.settle_inline_functions();
        let incomplete: Vec<(GlobalId, CTy)> = self
            .linker
            .objects
            .iter()
            .filter(|(_, (definition, _))| *definition != Definition::None)
            .map(|(id, (_, ty))| (*id, ty.ty))
            .filter(|(_, ty)| matches!(self.types.get(*ty), CType::Array(_, ArraySize::Incomplete)))
            .collect();
        for (id, ty) in incomplete {
            if let CType::Array(elem, _) = *self.types.get(ty) {
                let one = self.types.intern(CType::Array(elem, ArraySize::Const(1)));
                self.update_object(id, one, None);
            }
        }
        let by_asm_name = std::mem::take(&mut self.linker.by_asm_name);
        let mut has_body: Vec<bool> = vec![false; self.program.functions.len()];
        for id in self.linker.defined_functions.keys() {
            if let Some(b) = has_body.get_mut(id.0 as usize) {
                *b = true;
            }
        }
        // Objects whose record type was completed after they were declared.
        for g in self.program.globals.iter_mut() {
            if matches!(self.program.types.get(g.ty), Type::Record(_) | Type::Array { .. }) {
                g.size = g.size.max(self.program.types.size(g.ty));
                g.align = g.align.max(self.program.types.align(g.ty));
            }
        }
        for (i, f) in self.program.functions.iter_mut().enumerate() {
            if !has_body.get(i).copied().unwrap_or(false) && !f.internal {
                let by_asm = by_asm_name.get(&FuncId(i as u32)).copied();
                f.library = LibFn::lookup(&f.name).or(by_asm);
            }
        }
    }
}

impl Checker<'_> {
    /// The unit's own name for an external function: used for implicit declarations.
    pub(super) fn known_external(&self, name: &str) -> Option<(FuncId, CTy)> {
        match self.s.linker.externals.get(name) {
            Some(External { entity: Entity::Function(id), ty }) => Some((*id, *ty)),
            _ => None,
        }
    }
}
