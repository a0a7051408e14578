//! Declarations of objects, functions and typedefs, at file scope and in blocks.

use super::alias::Item;
use super::attributes::Attributes;
use super::convert::Typed;
use super::declare::{Base, Declared};
use super::init::Stores;
use super::link::{Definition, ObjectDeclaration};
use super::scope::Decl;
use super::{Checker, R, Sema, invalid, unsupported};
use crate::ast::{self, InitDeclarator, Initializer, Storage};
use crate::ctype::{ArraySize, CTy, CType, QualTy};
use crate::hir::{ExprKind, Init, Stmt, StmtKind};
use crate::symbol::Symbol;
use heapwise_ir::{Const, GlobalId, GlobalInit, GlobalKind, Local, LocalId, Span};

/// A declarator after its type is known.
struct Declarator<'a> {
    name: Symbol,
    declared: Declared,
    attributes: Attributes,
    ast: &'a InitDeclarator,
    span: Span,
}

impl Checker<'_> {
    pub(super) fn global_declaration(&mut self, declaration: &ast::Declaration) {
        let base = self.specs(&declaration.specs, declaration.declarators.is_empty());
        let base = match base {
            Ok(base) => base,
            Err(fail) => {
                self.s.report(*fail);
                for d in &declaration.declarators {
                    if let Some(name) = d.declarator.name {
                        self.scopes.declare(name, Decl::Broken, d.declarator.span);
                    }
                }
                return;
            }
        };
        for d in &declaration.declarators {
            let result = self.global_declarator(&declaration.specs, &base, d);
            if self.recover(result).is_none()
                && let Some(name) = d.declarator.name
                && self.scopes.lookup_here(name).is_none()
            {
                self.scopes.declare(name, Decl::Broken, d.declarator.span);
            }
        }
    }

    fn declarator<'d>(&mut self, base: &Base, d: &'d InitDeclarator) -> R<Declarator<'d>> {
        let span = d.declarator.span;
        let Some(name) = d.declarator.name else {
            return invalid(span, "bad-declarator", "a declarator without a name");
        };
        let mut attributes = base.attributes.clone();
        if !d.attrs.is_empty() {
            attributes.merge(self.attributes(&d.attrs)?);
        }
        if !d.declarator.attrs.is_empty() {
            attributes.merge(self.attributes(&d.declarator.attrs)?);
        }
        let mut declared = base.declared;
        // `mode` and `vector_size` after the declarator still mean the type that the specifiers name.
        if !d.attrs.is_empty() || !d.declarator.attrs.is_empty() {
            declared.ty = self.apply_type_attributes(declared.ty, &attributes)?;
        }
        let declared = self.derive(declared, &d.declarator)?;
        Ok(Declarator { name, declared, attributes, ast: d, span })
    }

    fn typedef(&mut self, d: Declarator<'_>, alignas: Option<u64>) -> R<()> {
        let Declared { ty, align } = d.declared;
        let align = d.attributes.aligned.max(alignas).or(align);
        if let Some((Decl::Typedef { ty: old, .. }, _)) = self.scopes.lookup_here(d.name) {
            let old = *old;
            if !self.s.compatible(old.ty, ty.ty) {
                let message = format!("typedef '{}' is redefined as another type", self.name(d.name));
                return invalid(d.span, "conflicting-types", message);
            }
            return Ok(());
        }
        if self.scopes.lookup_here(d.name).is_some() {
            let message = format!("'{}' is declared as something else", self.name(d.name));
            return invalid(d.span, "redefinition", message);
        }
        if let CType::Record(id) = *self.s.types.get(ty.ty) {
            if let Some(info) = self.s.records.get_mut(id) {
                info.transparent |= d.attributes.transparent_union;
            }
            let text: Box<str> = self.name(d.name).into();
            if let Some(record) = self.s.program.types.records.get_mut(id)
                && record.name.is_none()
            {
                record.name = Some(text);
            }
        }
        self.scopes.declare(d.name, Decl::Typedef { ty, align }, d.span);
        Ok(())
    }

    fn global_declarator(&mut self, specs: &ast::DeclSpecs, base: &Base, d: &InitDeclarator) -> R<()> {
        if base.auto {
            return self.auto_global(specs, base, d);
        }
        let declarator = self.declarator(base, d)?;
        let ty = declarator.declared.ty;
        if specs.storage == Storage::Typedef {
            return self.typedef(declarator, base.alignas);
        }
        if self.s.is_function(ty.ty) {
            return self.function_declarator(specs, &declarator);
        }
        self.object_with_linkage(specs, base, &declarator, ty)
    }

    fn function_declarator(&mut self, specs: &ast::DeclSpecs, d: &Declarator<'_>) -> R<()> {
        if d.ast.init.is_some() {
            return invalid(d.span, "bad-initialiser", "initialiser for a function");
        }
        let internal = specs.storage == Storage::Static;
        let noreturn = specs.noreturn || d.attributes.noreturn;
        let asm_name = d.ast.asm_label.as_deref();
        let ty = d.declared.ty.ty;
        let id = self.declare_function(d.name, ty, internal, noreturn, asm_name, d.span)?;
        self.s.starts_and_ends(id, &d.attributes);
        let names = self.names;
        if let Some((target, span)) = &d.attributes.alias {
            let strength = Self::strength(false, d.attributes.weak);
            if self.s.define_function(id, ty, names.name(d.name), strength, d.span)? {
                self.alias_of(Item::Function(id), target, *span);
            }
        } else if d.attributes.weak || d.attributes.weakref {
            self.weak.insert(Item::Function(id));
        }
        if d.attributes.weakref {
            self.s.refuse_calls(
                id,
                "what a name with the attribute 'weakref' stands for is not followed".into(),
            );
        }
        Ok(())
    }

    /// An object at file scope, or `extern` in a block.
    fn object_with_linkage(
        &mut self,
        specs: &ast::DeclSpecs,
        base: &Base,
        d: &Declarator<'_>,
        ty: QualTy,
    ) -> R<()> {
        if ty.ty == CTy::VOID && specs.storage != Storage::Extern {
            return invalid(d.span, "incomplete-type", "a variable of type void");
        }
        if self.s.has_variable_size(ty.ty) {
            return invalid(d.span, "variable-size", "an object with linkage has variable size");
        }
        let names = self.names;
        let text = names.name(d.name);
        let align = d.attributes.aligned.max(base.alignas).or(d.declared.align);
        let alias = d.attributes.alias.as_ref();
        let is_extern = specs.storage == Storage::Extern;
        let definition =
            Sema::definition(d.ast.init.is_some() || alias.is_some(), is_extern, d.attributes.weak);
        let known = match self.scopes.lookup(d.name) {
            Some(Decl::Global { id, ty, .. }) if self.has_linkage(*id) => Some((*id, *ty)),
            Some(Decl::Global { .. } | Decl::Local { .. }) if specs.storage == Storage::Extern => None,
            None | Some(Decl::Broken) => None,
            Some(_) if self.scopes.lookup_here(d.name).is_some() => {
                return invalid(d.span, "redefinition", format!("'{text}' is declared as something else"));
            }
            Some(_) => None,
        };
        let kind = match (specs.storage, known) {
            (Storage::Static, _) => GlobalKind::Static,
            (Storage::Extern, Some((id, _))) => {
                self.s.program.globals.get(id).map_or(GlobalKind::External, |g| g.kind)
            }
            _ => GlobalKind::External,
        };
        let declaration = ObjectDeclaration {
            name: text,
            asm_name: d.ast.asm_label.as_deref(),
            ty,
            align,
            kind,
            definition,
            span: d.span,
        };
        let (id, ty, counts) = self.s.linked_object(declaration, known)?;
        self.scopes.declare(d.name, Decl::Global { id, ty, constant: None }, d.span);
        if let Some((target, span)) = alias.filter(|_| counts) {
            self.alias_of(Item::Object(id), target, *span);
        }
        if definition != Definition::None {
            self.weak.remove(&Item::Object(id));
        } else if d.attributes.weak {
            self.weak.insert(Item::Object(id));
        }
        if let (Some(init), false) = (&d.ast.init, counts) {
            let outer = std::mem::replace(&mut self.fun.static_context, true);
            let result = self.initialiser(ty, init, d.span);
            self.fun.static_context = outer;
            let ty = QualTy { ty: result?.0, quals: ty.quals };
            self.scopes.declare(d.name, Decl::Global { id, ty, constant: None }, d.span);
        } else if let Some(init) = &d.ast.init {
            let defined = self.static_object(id, ty, align, init, specs.constexpr, d.span);
            if let (Err(_), Some(g)) = (&defined, self.s.program.globals.get_mut(id)) {
                // What cannot be followed is not the same as nothing.
                g.init = GlobalInit::Unknown;
            }
            let (ty, constant) = defined?;
            self.scopes.declare(d.name, Decl::Global { id, ty, constant }, d.span);
        } else if definition == Definition::Tentative
            && specs.storage == Storage::Static
            && self.s.size_of(ty.ty).is_none()
            && self.s.element(ty.ty).is_none()
            && self.s.record_of(ty.ty).is_none()
        {
            return invalid(d.span, "incomplete-type", "object of incomplete type");
        }
        Ok(())
    }

    fn has_linkage(&self, id: GlobalId) -> bool {
        let kind = self.s.program.globals.get(id).map(|g| g.kind);
        matches!(kind, Some(GlobalKind::External | GlobalKind::Static))
    }

    /// Checks the initialiser of a static object; returns its completed type, and its value if it is a
    /// `constexpr` scalar.
    fn static_object(
        &mut self,
        id: GlobalId,
        ty: QualTy,
        align: Option<u64>,
        init: &Initializer,
        constexpr: bool,
        span: Span,
    ) -> R<(QualTy, Option<Const>)> {
        let outer = std::mem::replace(&mut self.fun.static_context, true);
        let result = self.initialiser(ty, init, span);
        self.fun.static_context = outer;
        let (completed, stores) = result?;
        self.finish_static_object(id, QualTy { ty: completed, quals: ty.quals }, align, stores, constexpr)
    }

    fn finish_static_object(
        &mut self,
        id: GlobalId,
        ty: QualTy,
        align: Option<u64>,
        stores: Stores,
        constexpr: bool,
    ) -> R<(QualTy, Option<Const>)> {
        let constant = if constexpr { self.scalar_constant(ty.ty, &stores) } else { None };
        let contents = self.static_pieces(stores)?;
        self.s.update_object(id, ty.ty, align);
        if let Some(g) = self.s.program.globals.get_mut(id) {
            g.size = g.size.max(contents.extent);
            g.init = GlobalInit::Data(contents.pieces);
            g.constant |= constexpr;
        }
        Ok((ty, constant))
    }

    /// The value of a scalar `constexpr` object.
    fn scalar_constant(&mut self, ty: CTy, stores: &Stores) -> Option<Const> {
        use super::constant::Known;
        if !self.s.is_scalar(ty) {
            return None;
        }
        let super::init::StoreValue::Expr(e) = &stores.list.first()?.value else { return None };
        let ir = self.s.ir(ty);
        match self.s.evaluate(e)? {
            Known::Int(value) => Some(Const::Int { value, ty: ir }),
            Known::Float(value) => Some(Const::Float { value, ty: ir }),
            Known::Absolute(0) => Some(Const::Null(ir)),
            _ => None,
        }
    }

    /// The type that `__auto_type` or C23 `auto` takes from its initialiser.
    fn auto_type(&mut self, base: &Base, d: &InitDeclarator) -> R<QualTy> {
        let Some(Initializer::Expr(e)) = &d.init else {
            return invalid(d.declarator.span, "bad-type", "'auto' needs an initialiser");
        };
        let ty = self.unevaluated(|c| {
            let t = c.expr(e)?;
            Ok(c.rvalue(t)?.ty)
        })?;
        let ty = QualTy::from(ty.ty);
        Ok(self.s.qualify(ty, base.declared.ty.quals))
    }

    fn auto_global(&mut self, specs: &ast::DeclSpecs, base: &Base, d: &InitDeclarator) -> R<()> {
        let ty = self.auto_type(base, d)?;
        let mut with_type = base.clone();
        with_type.auto = false;
        with_type.declared.ty = ty;
        let declarator = self.declarator(&with_type, d)?;
        self.object_with_linkage(specs, base, &declarator, ty)
    }

    /// A declaration in a block.
    pub(super) fn local_declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<Stmt>) -> R<()> {
        let base = self.specs(&declaration.specs, declaration.declarators.is_empty())?;
        for d in &declaration.declarators {
            self.local_declarator(&declaration.specs, &base, d, out)?;
            self.pending_stmts(0, out);
        }
        self.pending_stmts(0, out);
        Ok(())
    }

    fn local_declarator(
        &mut self,
        specs: &ast::DeclSpecs,
        base: &Base,
        d: &InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> R<()> {
        let mut base = base.clone();
        if base.auto {
            base.declared.ty = self.auto_type(&base, d)?;
        }
        let declarator = self.declarator(&base, d)?;
        self.pending_stmts(0, out);
        let ty = declarator.declared.ty;
        if let Some(span) = declarator.attributes.cleanup {
            return unsupported(span, "unsupported-cleanup", "a variable with the cleanup attribute");
        }
        if specs.storage == Storage::Typedef {
            return self.typedef(declarator, base.alignas);
        }
        if self.s.is_function(ty.ty) {
            return self.function_declarator(specs, &declarator);
        }
        if specs.storage == Storage::Extern {
            return self.object_with_linkage(specs, &base, &declarator, ty);
        }
        if let Some((decl, _)) = self.scopes.lookup_here(declarator.name)
            && !matches!(decl, Decl::Broken)
        {
            let message = format!("'{}' is declared twice in this block", self.name(declarator.name));
            return invalid(declarator.span, "redefinition", message);
        }
        if ty.ty == CTy::VOID {
            return invalid(declarator.span, "incomplete-type", "a variable of type void");
        }
        let align = declarator.attributes.aligned.max(base.alignas).or(declarator.declared.align);
        if specs.storage == Storage::Static || (specs.thread_local && specs.storage != Storage::Extern) {
            return self.static_local(specs, &declarator, align, out);
        }
        self.automatic(specs, &declarator, align, out)
    }

    /// `static` in a function.
    fn static_local(
        &mut self,
        specs: &ast::DeclSpecs,
        d: &Declarator<'_>,
        align: Option<u64>,
        out: &mut Vec<Stmt>,
    ) -> R<()> {
        let ty = d.declared.ty;
        if self.s.has_variable_size(ty.ty) {
            return invalid(d.span, "variable-size", "a static object has variable size");
        }
        let name = format!("{}.{}", self.fun.name, self.name(d.name));
        let declaration = ObjectDeclaration {
            name: &name,
            asm_name: None,
            ty,
            align,
            kind: GlobalKind::StaticLocal,
            definition: Definition::Full,
            span: d.span,
        };
        let (id, _, _) = self.s.linked_object(declaration, None)?;
        self.scopes.declare(d.name, Decl::Global { id, ty, constant: None }, d.span);
        let Some(init) = &d.ast.init else {
            if self.s.size_of(ty.ty).is_none() {
                return invalid(d.span, "incomplete-type", "object of incomplete type");
            }
            return Ok(());
        };
        let outer = std::mem::replace(&mut self.fun.static_context, true);
        let result = self.initialiser(ty, init, d.span);
        self.fun.static_context = outer;
        let (completed, stores) = result?;
        let ty = QualTy { ty: completed, quals: ty.quals };
        if stores.list.iter().any(holds_label) {
            // A table of label addresses cannot live outside the function. Such tables are constant in
            // practice, so one per activation serves as well.
            return self.automatic_object(d, ty, align, Some(stores), None, out);
        }
        let (ty, constant) = self.finish_static_object(id, ty, align, stores, specs.constexpr)?;
        self.scopes.declare(d.name, Decl::Global { id, ty, constant }, d.span);
        Ok(())
    }

    fn automatic(
        &mut self,
        specs: &ast::DeclSpecs,
        d: &Declarator<'_>,
        align: Option<u64>,
        out: &mut Vec<Stmt>,
    ) -> R<()> {
        let ty = d.declared.ty;
        if self.s.has_variable_size(ty.ty) {
            return self.variable_array(d, ty, out);
        }
        let Some(init) = &d.ast.init else {
            if self.s.size_of(ty.ty).is_none() {
                let message = format!("object of incomplete type {}", self.s.describe(ty.ty));
                return invalid(d.span, "incomplete-type", message);
            }
            return self.automatic_object(d, ty, align, None, None, out);
        };
        // The name is in scope in its own initialiser.
        let early = self.new_local(d, ty, align);
        self.scopes.declare(d.name, Decl::Local { id: early, ty, constant: None }, d.span);
        let outer = std::mem::replace(&mut self.fun.static_context, specs.constexpr);
        let result = self.initialiser(ty, init, d.span);
        self.fun.static_context = outer;
        let (completed, stores) = result?;
        let constant = if specs.constexpr { self.scalar_constant(completed, &stores) } else { None };
        let completed_ty = QualTy { ty: completed, quals: ty.quals };
        let ir = self.s.ir(completed);
        if let Some(local) = self.fun.locals.get_mut(early) {
            local.ty = ir;
        }
        self.pending_stmts(0, out);
        let root = self.local_place(early, completed, d.span);
        let init = self.automatic_init(root, completed, stores, d.span)?;
        let kind = StmtKind::Declare { local: early, vla_size: None, init: Some(init) };
        out.push(Stmt { kind, span: d.span });
        if completed != ty.ty || constant.is_some() {
            self.scopes.declare(d.name, Decl::Local { id: early, ty: completed_ty, constant }, d.span);
        }
        Ok(())
    }

    fn new_local(&mut self, d: &Declarator<'_>, ty: QualTy, align: Option<u64>) -> LocalId {
        let natural = self.s.align_of(ty.ty);
        let name = Some(self.name(d.name).into());
        let ir = self.s.ir(ty.ty);
        let align = align.filter(|a| *a > natural);
        let constant = self.s.is_const_object(ty);
        self.fun.locals.push(Local { name, ty: ir, align, address_taken: false, constant, span: d.span })
    }

    fn automatic_object(
        &mut self,
        d: &Declarator<'_>,
        ty: QualTy,
        align: Option<u64>,
        stores: Option<Stores>,
        constant: Option<Const>,
        out: &mut Vec<Stmt>,
    ) -> R<()> {
        let local = self.new_local(d, ty, align);
        let init: Option<Init> = match stores {
            Some(stores) => {
                let root = self.local_place(local, ty.ty, d.span);
                Some(self.automatic_init(root, ty.ty, stores, d.span)?)
            }
            None => None,
        };
        out.push(Stmt { kind: StmtKind::Declare { local, vla_size: None, init }, span: d.span });
        self.scopes.declare(d.name, Decl::Local { id: local, ty, constant }, d.span);
        Ok(())
    }

    /// A variable-length array: the local is a hidden pointer to its storage.
    fn variable_array(&mut self, d: &Declarator<'_>, ty: QualTy, out: &mut Vec<Stmt>) -> R<()> {
        if matches!(self.s.element(ty.ty), Some((_, ArraySize::Incomplete | ArraySize::Star))) {
            return invalid(d.span, "incomplete-type", "array without a size");
        }
        let zeroed = match &d.ast.init {
            None => false,
            Some(Initializer::List(list)) if list.entries.is_empty() => true,
            Some(_) => {
                return invalid(d.span, "bad-initialiser", "initialiser for an object of variable size");
            }
        };
        let pointer = self.vla_pointer_type(ty.ty);
        let name = Some(self.name(d.name).into());
        let ir = self.s.ir(pointer);
        let span = d.span;
        let hidden = Local { name, ty: ir, align: None, address_taken: false, constant: false, span };
        let local = self.fun.locals.push(hidden);
        let size = self.size_expr(ty.ty, d.span)?;
        let kind = StmtKind::Declare { local, vla_size: Some(Box::new(size)), init: None };
        out.push(Stmt { kind, span: d.span });
        self.scopes.declare(d.name, Decl::Local { id: local, ty, constant: None }, d.span);
        if zeroed {
            out.push(self.zero_storage(local, pointer, ty.ty, d.span)?);
        }
        Ok(())
    }

    /// C23 `= {}` for a variable-length array: its bytes are set to zero.
    fn zero_storage(&mut self, local: LocalId, pointer: CTy, array: CTy, span: Span) -> R<Stmt> {
        let storage = Typed::value(self.local_value(local, pointer, span), pointer);
        let zero = Typed::value(self.int_const(0, CTy::INT, span), CTy::INT);
        let size_t = self.s.size_t();
        let size = Typed::value(self.size_expr(array, span)?, size_t);
        match self.call_library("memset", vec![storage, zero, size], span) {
            Some(call) => Ok(Stmt { kind: StmtKind::Expr(call?.into_expr()), span }),
            None => unsupported(span, "unsupported-initialiser", "initialiser of a variable-length array"),
        }
    }
}

/// Whether a store's value is, or is computed from, the address of a label.
fn holds_label(store: &super::init::Store) -> bool {
    fn in_expr(e: &crate::hir::Expr) -> bool {
        match &e.kind {
            ExprKind::LabelAddr(_) => true,
            ExprKind::Cast(_, a) | ExprKind::Unary(_, a) => in_expr(a),
            ExprKind::Binary(_, a, b) => in_expr(a) || in_expr(b),
            ExprKind::PtrDiff { lhs, rhs, .. } => in_expr(lhs) || in_expr(rhs),
            ExprKind::PtrAdd { ptr, .. } => in_expr(ptr),
            _ => false,
        }
    }
    match &store.value {
        super::init::StoreValue::Expr(e) => in_expr(e),
        super::init::StoreValue::Bytes(_) => false,
    }
}
