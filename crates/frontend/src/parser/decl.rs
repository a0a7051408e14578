//! Declarations and function definitions.

use super::scope::Binding;
use super::specs::is_specifier;
use super::{Parse, Parser};
use crate::ast::{
    Attribute, Block, DeclSpecs, Declaration, Declarator, Derived, FunctionDef, InitDeclarator, Item,
    StaticAssert, Storage,
};
use crate::lexer::Tok;
use heapwise_ir::{Severity, Span};

/// What a declaration turned out to be.
pub(super) enum Declared {
    Plain(Declaration),
    Function(Box<FunctionDef>),
    /// A function inside a function; skipped.
    Nested(Span),
}

impl Parser<'_> {
    /// The next thing at file scope; `None` at the end.
    pub(super) fn next_item(&mut self) -> Option<Item> {
        while !self.at(Tok::Eof) {
            let start = self.checkpoint();
            match self.external() {
                Ok(None) => {}
                Ok(Some(item)) => return Some(item),
                Err(_) => {
                    let unsupported = self.failure.as_ref().is_some_and(|f| f.severity == Severity::Warning);
                    self.report();
                    self.unwind(start);
                    self.skip_declaration(start.pos);
                    if unsupported {
                        self.poison_typedef(start.pos, self.pos);
                    }
                }
            }
        }
        None
    }

    /// One item; `None` for a stray semicolon.
    fn external(&mut self) -> Parse<Option<Item>> {
        while self.at(Tok::Extension) {
            self.bump();
        }
        Ok(match self.kind() {
            Tok::Semi => {
                self.bump();
                None
            }
            Tok::Asm => {
                let lo = self.cur.lo;
                self.asm_statement()?;
                self.expect(Tok::Semi, "';'")?;
                Some(Item::Asm(self.span_from(lo)))
            }
            Tok::StaticAssert if self.peek(1).kind == Tok::LParen => {
                Some(Item::StaticAssert(self.static_assert()?))
            }
            _ => match self.declaration(true)? {
                Declared::Plain(declaration) => Some(Item::Declaration(declaration)),
                Declared::Function(function) => Some(Item::Function(function)),
                Declared::Nested(_) => None,
            },
        })
    }

    /// `static_assert(cond, "message");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let lo = self.bump().lo;
        self.expect(Tok::LParen, "'('")?;
        let cond = self.conditional()?;
        let message = if self.eat(Tok::Comma) { Some(self.plain_string()?) } else { None };
        self.expect(Tok::RParen, "')'")?;
        // The last one in a structure may stand without.
        if !self.at(Tok::RBrace) {
            self.expect(Tok::Semi, "';'")?;
        }
        Ok(StaticAssert { cond, message, span: self.span_from(lo) })
    }

    /// A declaration or a function definition.
    pub(super) fn declaration(&mut self, file_scope: bool) -> Parse<Declared> {
        let lo = self.cur.lo;
        let specs = self.decl_specs()?;
        let mut declarators = Vec::new();
        if self.at(Tok::Semi) {
            // Only attributes (`[[fallthrough]];`) or a lone type.
            self.bump();
            return Ok(Declared::Plain(Declaration { specs, declarators, span: self.span_from(lo) }));
        }
        if specs.span.lo == specs.span.hi && !self.implicit_int_follows() {
            return Err(self.expected("a declaration"));
        }
        loop {
            let mut declarator = self.declarator()?;
            let mut attrs = Vec::new();
            if declarators.is_empty()
                && specs.storage != Storage::Typedef
                && matches!(declarator.derived.first(), Some(Derived::Function(_)))
            {
                self.attributes(&mut attrs)?;
                if self.body_follows(&declarator) {
                    declarator.attrs.append(&mut attrs);
                    return self.function(specs, declarator, lo, file_scope);
                }
            }
            let declared = self.init_declarator(&specs, declarator, attrs)?;
            declarators.push(declared);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semi, "';'")?;
        Ok(Declared::Plain(Declaration { specs, declarators, span: self.span_from(lo) }))
    }

    /// Without specifiers, only `name(…)`, `name[…]`, `name = …`, `name;` and `name, …` declare anything.
    fn implicit_int_follows(&self) -> bool {
        self.at(Tok::Ident)
            && matches!(self.peek(1).kind, Tok::LParen | Tok::LBracket | Tok::Assign | Tok::Semi | Tok::Comma)
    }

    /// After a function declarator: whether a body, or the declarations of K&R parameters, come next.
    fn body_follows(&self, declarator: &Declarator) -> bool {
        let knr = match declarator.derived.first() {
            Some(Derived::Function(list)) => !list.identifiers.is_empty(),
            _ => false,
        };
        self.at(Tok::LBrace) || knr && (is_specifier(self.kind()) || self.at(Tok::Extension))
    }

    fn init_declarator(
        &mut self,
        specs: &DeclSpecs,
        declarator: Declarator,
        attrs: Vec<Attribute>,
    ) -> Parse<InitDeclarator> {
        let mut declared = InitDeclarator { declarator, asm_label: None, attrs, init: None };
        loop {
            if self.at(Tok::Asm) {
                declared.asm_label = Some(self.asm_label()?);
            } else if self.at(Tok::Attribute) || self.at_std_attribute() {
                self.attributes(&mut declared.attrs)?;
            } else {
                break;
            }
        }
        if let Some(name) = declared.declarator.name {
            let typedef = specs.storage == Storage::Typedef;
            self.scopes.bind(name, if typedef { Binding::Typedef } else { Binding::Object });
        }
        if self.eat(Tok::Assign) {
            declared.init = Some(self.initializer()?);
        }
        Ok(declared)
    }

    /// The rest of a function definition.
    fn function(
        &mut self,
        specs: DeclSpecs,
        declarator: Declarator,
        lo: u32,
        file_scope: bool,
    ) -> Parse<Declared> {
        if let Some(name) = declarator.name {
            self.scopes.bind(name, Binding::Object);
        }
        if !file_scope {
            while !self.at(Tok::LBrace) && !self.at(Tok::Eof) {
                self.bump();
            }
            self.skip_braces();
            return Ok(Declared::Nested(self.span_from(lo)));
        }
        let start = self.checkpoint();
        self.scopes.push();
        if let Some(Derived::Function(list)) = declarator.derived.first() {
            let names = list.params.iter().filter_map(|p| p.declarator.name);
            for name in names.chain(list.identifiers.iter().map(|&(name, _)| name)) {
                self.scopes.bind(name, Binding::Object);
            }
        }
        let mut knr_decls = Vec::new();
        let mut body_start = self.pos;
        let result = self.function_rest(&mut knr_decls, &mut body_start);
        let (body, broken) = match result {
            Ok(body) => (body, None),
            Err(_) => {
                let reason = self.report();
                self.seek(body_start);
                self.skip_function_body();
                (Block::default(), Some(reason))
            }
        };
        self.unwind(start);
        let span = self.span_from(lo);
        Ok(Declared::Function(Box::new(FunctionDef { specs, declarator, knr_decls, body, span, broken })))
    }

    /// Moves past the body of a function, from its start or from the declarations of K&R parameters before it.
    fn skip_function_body(&mut self) {
        let mut is_body = true;
        while !self.at(Tok::Eof) {
            if !self.at(Tok::LBrace) {
                // Braces of a record stand behind `struct` or a tag, those of the body behind a semicolon.
                is_body = self.bump().kind == Tok::Semi;
                continue;
            }
            self.skip_braces();
            if is_body {
                return;
            }
        }
    }

    fn function_rest(&mut self, knr_decls: &mut Vec<Declaration>, body_start: &mut usize) -> Parse<Block> {
        while !self.at(Tok::LBrace) {
            *body_start = self.pos;
            if !(is_specifier(self.kind()) || self.at(Tok::Extension)) {
                return Err(self.expected("'{'"));
            }
            let declared = self.declaration(false)?;
            if let Declared::Plain(declaration) = declared {
                knr_decls.push(declaration);
            }
        }
        *body_start = self.pos;
        self.block()
    }

    /// Whether a declaration, rather than a statement, starts at the current token.
    pub(super) fn at_declaration(&self) -> bool {
        match self.kind() {
            // Attributes start declarations and statements alike.
            Tok::Attribute => false,
            Tok::Constexpr | Tok::ThreadLocal | Tok::Alignas if self.at(Tok::Ident) => {
                !matches!(self.peek(1).kind, Tok::Assign | Tok::Semi | Tok::Comma | Tok::Dot | Tok::Arrow)
            }
            Tok::Typeof => self.peek(1).kind == Tok::LParen,
            kind => is_specifier(kind),
        }
    }
}
