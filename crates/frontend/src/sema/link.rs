//! Linking: names that several units share.
//!
//! An external name is one function or one object, whichever units declare it. It is keyed by its assembler name
//! where the program gives one. As for a linker, types do not count: each unit goes by its own declarations, and declarations
//! in different units that C does not call compatible are worth a note. Within a unit they are an error.
//!
//! Which definition counts is decided as gcc and ld do, whatever the order of the units: a strong one before a weak one before
//! one that is `inline` only; of several weak or inline ones the first. Two strong ones are an error. Objects without an
//! initialiser are common symbols: one object, as large as the largest of them, unless a definition has an initialiser. An alias
//! ([`super::alias`]) counts as a definition.

use super::alias::Aliases;
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

/// How far an object is defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Definition {
    /// `extern`, no initialiser.
    None,
    /// With the attribute `weak`.
    Weak,
    /// No `extern`, no initialiser.
    Tentative,
    /// With initialiser.
    Full,
}

/// Which of several definitions of a function counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Strength {
    /// `inline`: there may be another elsewhere. Whether it is one for other units too depends on the dialect, and
    /// makes a difference only if there is none.
    Inline,
    /// With the attribute `weak`.
    Weak,
    /// All others.
    Strong,
}

/// The definition of a function that counts so far.
#[derive(Clone, Copy, Debug)]
struct Defined {
    strength: Strength,
    unit: usize,
}

/// What is known of an object with linkage.
#[derive(Clone, Copy, Debug)]
struct Object {
    definition: Definition,
    /// The unit of the definition.
    unit: usize,
    ty: QualTy,
}

/// The state of linking.
#[derive(Debug, Default)]
pub(super) struct Linker {
    externals: FxHashMap<Box<str>, External>,
    defined_functions: FxHashMap<FuncId, Defined>,
    objects: FxHashMap<GlobalId, Object>,
    /// Functions that a unit declares in a way that does not fit the others, with what they are if that is defined.
    variants: Vec<(FuncId, FuncId)>,
    pub(super) aliases: Aliases,
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
    /// The number of the unit at hand.
    fn unit(&self) -> usize {
        self.unit_starts.len()
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

impl Sema {
    /// Volatile objects with linkage that have no initialiser.
    pub(super) fn volatile_without_value(&self) -> Vec<GlobalId> {
        let objects = self.linker.objects.iter();
        let wanted = objects.filter(|(_, o)| o.definition != Definition::Full && self.holds_volatile(o.ty));
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
        invalid(span, "conflicting-types", self.difference(name, old, new))
    }

    fn difference(&self, name: &str, old: CTy, new: CTy) -> String {
        let (old, new) = (self.describe(old), self.describe(new));
        if old == new {
            return format!("'{name}' is declared as {new} with other members than before");
        }
        format!("'{name}' is declared as {new} but was declared as {old}")
    }

    /// Notes that units do not agree about a name.
    fn note_difference(&mut self, name: &str, old: CTy, new: CTy, span: Span) {
        let message = format!("{} in another unit", self.difference(name, old, new));
        self.note(span, "conflicting-types", message);
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

    /// Declares an external function that the unit did not know; returns it with the type that the unit gives it.
    pub(super) fn external_function(&mut self, d: FunctionDeclaration<'_>) -> R<(FuncId, CTy)> {
        let key = d.asm_name.unwrap_or(d.name);
        let known = match self.linker.externals.get(key).copied() {
            Some(External { entity: Entity::Function(id), ty }) => Some((id, ty)),
            Some(External { entity: Entity::Object(_), ty }) => {
                self.note_difference(d.name, ty, d.ty, d.span);
                let id = self.new_function(d);
                self.refuse_calls(id, format!("'{}' is an object in another unit", d.name));
                return Ok((id, d.ty));
            }
            None => None,
        };
        let Some((id, old)) = known else {
            let id = self.new_function(d);
            if let Some(lib) = d.asm_name.and_then(LibFn::lookup) {
                self.linker.by_asm_name.insert(id, lib);
            }
            self.linker.externals.insert(key.into(), External { entity: Entity::Function(id), ty: d.ty });
            return Ok((id, d.ty));
        };
        if self.compatible(old, d.ty) || self.linker.implicit.contains(&id) {
            let ty = self.redeclare_function(id, old, d)?;
            if let Some(known) = self.linker.externals.get_mut(key) {
                known.ty = ty;
            }
            return Ok((id, d.ty));
        }
        // Headers give one assembler name several types under different program names, which is not worth a note.
        if self.program.functions.get(id).is_some_and(|f| &*f.name == d.name) {
            self.note_difference(d.name, old, d.ty, d.span);
        }
        let ir = self.program.functions.get(id).map(|f| f.ty);
        let mine = self.ir(d.ty);
        if ir == Some(mine) {
            return Ok((id, d.ty));
        }
        let variant = self.new_function(d);
        if let Some(lib) = d.asm_name.and_then(LibFn::lookup) {
            self.linker.by_asm_name.insert(variant, lib);
        }
        self.linker.variants.push((variant, id));
        Ok((variant, d.ty))
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

    /// Marks a function as defined with this type. False if another definition counts.
    pub(super) fn define_function(
        &mut self,
        id: FuncId,
        ty: CTy,
        name: &str,
        strength: Strength,
        span: Span,
    ) -> R<bool> {
        let unit = self.linker.unit();
        if let Some(known) = self.linker.defined_functions.get(&id) {
            let twice = strength == known.strength && (strength == Strength::Strong || unit == known.unit);
            if twice {
                return invalid(span, "redefinition", format!("redefinition of '{name}'"));
            }
            if strength <= known.strength {
                return Ok(false);
            }
            self.linker.inline.remove(&id);
            self.linker.aliases.forget_function(id);
        }
        self.linker.defined_functions.insert(id, Defined { strength, unit });
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
        let unit = self.linker.unit();
        self.linker.objects.insert(id, Object { definition: d.definition, unit, ty: d.ty });
        id
    }

    pub(super) fn is_const_object(&self, ty: QualTy) -> bool {
        match self.types.get(ty.ty) {
            CType::Array(elem, _) => ty.quals.is_const || self.is_const_object(*elem),
            _ => ty.quals.is_const,
        }
    }

    /// Declares an object with linkage that was seen before in this unit or, if external, in any. Also returns the type that
    /// the unit gives it, and whether its initialiser counts.
    pub(super) fn linked_object(
        &mut self,
        d: ObjectDeclaration<'_>,
        known_here: Option<(GlobalId, QualTy)>,
    ) -> R<(GlobalId, QualTy, bool)> {
        let external = d.kind == GlobalKind::External;
        let key = d.asm_name.unwrap_or(d.name);
        let mut ty = d.ty;
        let known = match known_here {
            Some((id, here)) => {
                if !self.compatible(here.ty, d.ty.ty) {
                    return self.conflict(d.name, here.ty, d.ty.ty, d.span);
                }
                ty.ty = self.composite(here.ty, d.ty.ty);
                Some(id)
            }
            None if external => match self.linker.externals.get(key).copied() {
                Some(External { entity: Entity::Object(id), ty: old }) => {
                    if !self.compatible(old, d.ty.ty) {
                        self.note_difference(d.name, old, d.ty.ty, d.span);
                    } else if self.is_record_or_array_of(old) && self.size_of(old).is_some() {
                        // One record for the same object in all units.
                        ty.ty = self.composite(old, d.ty.ty);
                    }
                    Some(id)
                }
                Some(External { entity: Entity::Function(_), ty: old }) => {
                    self.note_difference(d.name, old, d.ty.ty, d.span);
                    return Ok((self.new_object(d), d.ty, true));
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
            return Ok((id, d.ty, true));
        };
        let counts = self.define_object(id, ty, d)?;
        // Later units go by the first complete type.
        let complete = self.size_of(ty.ty).is_some();
        let incomplete_before = match self.linker.externals.get(key) {
            Some(External { ty, .. }) => {
                let ty = *ty;
                self.size_of(ty).is_none()
            }
            None => false,
        };
        if external
            && complete
            && incomplete_before
            && let Some(known) = self.linker.externals.get_mut(key)
        {
            known.ty = ty.ty;
        }
        Ok((id, ty, counts))
    }

    fn is_record_or_array_of(&self, ty: CTy) -> bool {
        match self.types.get(ty) {
            CType::Array(elem, _) => self.is_record_or_array_of(elem.ty),
            CType::Record(_) => true,
            _ => false,
        }
    }

    /// Another declaration of an object; whether its initialiser counts.
    fn define_object(&mut self, id: GlobalId, ty: QualTy, d: ObjectDeclaration<'_>) -> R<bool> {
        use Definition as D;
        let unit = self.linker.unit();
        let known = self.linker.objects.get(&id).copied();
        let known = known.unwrap_or(Object { definition: D::None, unit, ty });
        if known.definition == D::Full && d.definition == D::Full {
            return invalid(d.span, "redefinition", format!("redefinition of '{}'", d.name));
        }
        let same_unit = known.unit == unit;
        let counts = d.definition > known.definition || d.definition == known.definition && same_unit;
        let (size, align) = (self.size_of(ty.ty), self.align_of(ty.ty).max(d.align.unwrap_or(1)));
        let ir = self.ir(ty.ty);
        let Some(g) = self.program.globals.get_mut(id) else { return Ok(counts) };
        g.align = g.align.max(align);
        let takes_over = d.definition > known.definition;
        // Without a definition the largest declaration says most, and common symbols are as large as the largest.
        let larger = d.definition == known.definition && size.unwrap_or(0) > g.size;
        if takes_over && (known.definition < D::Tentative || d.definition == D::Full && !same_unit) {
            g.size = size.unwrap_or(0);
        } else if takes_over || larger {
            g.size = g.size.max(size.unwrap_or(0));
        }
        if takes_over || larger || same_unit && d.definition == known.definition {
            g.ty = ir;
        }
        if takes_over {
            g.init = GlobalInit::Data(Vec::new());
            g.span = d.span;
            g.constant = false;
            self.linker.aliases.forget_object(id);
        }
        if takes_over || same_unit {
            let constant = self.is_const_object(d.ty);
            if let Some(g) = self.program.globals.get_mut(id) {
                g.constant |= constant;
            }
        }
        if takes_over || larger || same_unit {
            let definition = known.definition.max(d.definition);
            let unit = if takes_over { unit } else { known.unit };
            self.linker.objects.insert(id, Object { definition, unit, ty });
        }
        Ok(counts)
    }

    /// Gives an object its completed type.
    pub(super) fn update_object(&mut self, id: GlobalId, ty: CTy, align: Option<u64>) {
        let (ir, size) = (self.ir(ty), self.size_of(ty).unwrap_or(0));
        let natural = self.align_of(ty);
        if let Some(known) = self.linker.objects.get_mut(&id) {
            known.ty.ty = ty;
        }
        if let Some(g) = self.program.globals.get_mut(id) {
            g.ty = ir;
            g.size = g.size.max(size);
            g.align = g.align.max(natural).max(align.unwrap_or(1));
        }
    }

    /// What functions stand for that units declare in other ways than the unit that defines them.
    pub(super) fn variants_of_defined(&self) -> FxHashMap<FuncId, FuncId> {
        let defined = |id: &FuncId| self.linker.defined_functions.contains_key(id);
        let mut result = FxHashMap::default();
        for (variant, id) in &self.linker.variants {
            let members = || {
                let variants = self.linker.variants.iter().filter(|(_, other)| other == id);
                [*id].into_iter().chain(variants.map(|(variant, _)| *variant))
            };
            let Some(real) = members().find(defined) else { continue };
            for member in [*variant, *id] {
                if member != real && self.can_be_called_as(real, member) {
                    result.insert(member, real);
                }
            }
        }
        result
    }

    /// Calls of a function that is defined with another type than the caller goes by are not followed: what they do is not that of a
    /// function of which nothing is known.
    pub(super) fn refuse_calls_of_variants(&mut self, resolved: &FxHashMap<FuncId, FuncId>) {
        let defined = |id: &FuncId| self.linker.defined_functions.contains_key(id);
        let variants = &self.linker.variants;
        let is_defined = |of: &FuncId| defined(of) || variants.iter().any(|(v, id)| id == of && defined(v));
        let known = self.linker.variants.iter().filter(|(_, id)| is_defined(id));
        let variants: Vec<FuncId> = known.flat_map(|(a, b)| [*a, *b]).collect();
        for id in variants.into_iter().filter(|id| !resolved.contains_key(id)) {
            let Some(f) = self.program.functions.get(id) else { continue };
            // A library function that units declare in several ways is what its name says.
            if self.linker.defined_functions.contains_key(&id) || f.library.is_some() {
                continue;
            }
            let message = format!("'{}' is declared here with another type than it is defined with", f.name);
            self.refuse_calls(id, message);
        }
    }

    /// A function whose calls are not followed, for a reason.
    pub(super) fn refuse_calls(&mut self, id: FuncId, reason: String) {
        if let Some(f) = self.program.functions.get_mut(id) {
            f.body = FunctionBody::NotAnalysed { reason: reason.into(), span: f.span };
        }
    }

    /// Whether calls with the type of `declared` pass what `real` takes, and get what it returns. Other calls are calls of
    /// something unknown.
    fn can_be_called_as(&self, real: FuncId, declared: FuncId) -> bool {
        let types = &self.program.types;
        let parts = |id: FuncId| match self.program.functions.get(id).map(|f| types.get(f.ty)) {
            Some(Type::Function { ret, params, .. }) => Some((*ret, params.clone())),
            _ => None,
        };
        let (Some((ret, params)), Some((other_ret, other_params))) = (parts(real), parts(declared)) else {
            return false;
        };
        let alike = |a: heapwise_ir::Ty, b: heapwise_ir::Ty| {
            a == b || matches!((types.get(a), types.get(b)), (Type::Pointer(_), Type::Pointer(_)))
        };
        alike(ret, other_ret)
            && params.len() == other_params.len()
            && params.iter().zip(other_params.iter()).all(|(a, b)| alike(*a, *b))
    }

    /// Whether a function has a definition in any unit.
    pub(super) fn is_defined_function(&self, id: FuncId) -> bool {
        self.linker.defined_functions.contains_key(&id)
    }
    /// Whether an object has a definition in any unit.
    pub(super) fn is_defined_object(&self, id: GlobalId) -> bool {
        self.linker.objects.get(&id).is_none_or(|o| o.definition != Definition::None)
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

    /// Notes which definitions would give way to others.
    fn note_yielding(&mut self) {
        let yielding = &mut self.program.yielding;
        for (id, defined) in &self.linker.defined_functions {
            match defined.strength {
                Strength::Inline => yielding.inline.insert(*id),
                Strength::Weak => yielding.functions.insert(*id),
                Strength::Strong => false,
            };
        }
        let weak = |d: Definition| matches!(d, Definition::Weak | Definition::Tentative);
        let objects = self.linker.objects.iter().filter(|(_, o)| weak(o.definition));
        yielding.globals.extend(objects.map(|(id, _)| *id));
    }

    /// Completes tentative definitions of arrays without length, and finds library models.
    pub(super) fn finish_linking(&mut self) {
        self.call_constructors();
        self.settle_inline_functions();
        let incomplete: Vec<(GlobalId, CTy)> = self
            .linker
            .objects
            .iter()
            .filter(|(_, object)| object.definition != Definition::None)
            .map(|(id, object)| (*id, object.ty.ty))
            .filter(|(_, ty)| matches!(self.types.get(*ty), CType::Array(_, ArraySize::Incomplete)))
            .collect();
        for (id, ty) in incomplete {
            if let CType::Array(elem, _) = *self.types.get(ty) {
                let one = self.types.intern(CType::Array(elem, ArraySize::Const(1)));
                self.update_object(id, one, None);
            }
        }
        self.note_yielding();
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
