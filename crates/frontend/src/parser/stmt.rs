//! Statements and blocks.
//!
//! `else if` chains are parsed in a loop. Inside a block, a label that is followed by another label or by a
//! declaration gets an empty body, and what follows it is the next item: this means the same, and a column of a
//! thousand `case`s stays flat.

use super::scope::Binding;
use super::{MAX_HEIGHT, Parse, Parser};
use crate::ast::{Block, BlockItem, Expr, Stmt, StmtKind};
use crate::lexer::Tok;
use heapwise_ir::Span;
use smallvec::SmallVec;

use super::decl::Declared;

impl Parser<'_> {
    /// `{ … }`, a scope of its own.
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.enter()?;
        let lo = self.expect(Tok::LBrace, "'{'")?.lo;
        self.scopes.push();
        let mut items = Vec::new();
        while !self.at(Tok::RBrace) {
            if self.at(Tok::Eof) {
                return Err(self.expected("'}'"));
            }
            let item = self.block_item()?;
            items.push(item);
        }
        self.bump();
        self.scopes.pop();
        self.leave();
        Ok(Block { items, span: self.span_from(lo) })
    }

    fn block_item(&mut self) -> Parse<BlockItem> {
        if self.at_label() {
            return Ok(BlockItem::Stmt(self.stmt(true)?));
        }
        match self.kind() {
            Tok::StaticAssert if self.peek(1).kind == Tok::LParen => {
                Ok(BlockItem::StaticAssert(self.static_assert()?))
            }
            Tok::Attribute => self.attributed_item(),
            Tok::LBracket if self.at_std_attribute() => self.attributed_item(),
            Tok::Ident if self.undeclared_type_here() => Err(self.unknown_type(self.cur)),
            _ if self.declaration_after_extension() => self.block_declaration(),
            _ => Ok(BlockItem::Stmt(self.stmt(true)?)),
        }
    }

    fn block_declaration(&mut self) -> Parse<BlockItem> {
        Ok(match self.declaration(false)? {
            Declared::Plain(declaration) => BlockItem::Declaration(Box::new(declaration)),
            Declared::Nested(span) => BlockItem::NestedFunction(span),
            Declared::Function(function) => BlockItem::NestedFunction(function.span),
        })
    }

    /// Attributes before a declaration or a statement.
    fn attributed_item(&mut self) -> Parse<BlockItem> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if self.declaration_after_extension() && !self.at_label() {
            let mut item = self.block_declaration()?;
            if let BlockItem::Declaration(declaration) = &mut item {
                attrs.append(&mut declaration.specs.attrs);
                declaration.specs.attrs = attrs;
            }
            return Ok(item);
        }
        Ok(BlockItem::Stmt(self.stmt(true)?))
    }

    /// Whether a declaration starts here, perhaps behind `__extension__`.
    fn declaration_after_extension(&self) -> bool {
        if !self.at(Tok::Extension) {
            return self.at_declaration();
        }
        let mut n = 1;
        while self.peek(n).kind == Tok::Extension {
            n += 1;
        }
        super::specs::is_specifier(self.kind_at(n))
    }

    fn at_label(&self) -> bool {
        match self.cur.kind {
            Tok::Ident => self.peek(1).kind == Tok::Colon,
            Tok::Case | Tok::Default => true,
            _ => false,
        }
    }

    /// `foo x`, or `foo *x` where nothing called `foo` is known.
    fn undeclared_type_here(&self) -> bool {
        match self.peek(1).kind {
            Tok::Ident => true,
            Tok::Star => {
                self.scopes.get(self.cur.symbol) == Binding::Unbound
                    && matches!(self.peek(2).kind, Tok::Ident | Tok::Star)
            }
            _ => false,
        }
    }

    /// One statement; `in_block` if it is an item of a block.
    fn stmt(&mut self, in_block: bool) -> Parse<Stmt> {
        self.enter()?;
        let lo = self.cur.lo;
        if self.at_label() {
            let stmt = self.labelled(in_block)?;
            self.leave();
            return Ok(stmt);
        }
        let kind = match self.cur.kind {
            Tok::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Tok::LBrace => StmtKind::Block(self.block()?),
            Tok::If => {
                let stmt = self.if_chain()?;
                self.leave();
                return Ok(stmt);
            }
            Tok::While | Tok::Do | Tok::For | Tok::Switch => self.loop_or_switch()?,
            Tok::Attribute => {
                self.attributes(&mut Vec::new())?;
                self.stmt(in_block)?.kind
            }
            Tok::LBracket if self.at_std_attribute() => {
                self.attributes(&mut Vec::new())?;
                self.stmt(in_block)?.kind
            }
            Tok::Break | Tok::Continue | Tok::Return | Tok::Goto | Tok::Asm | Tok::LocalLabel => {
                self.simple()?
            }
            _ => {
                let expr = self.expr()?;
                self.expect(Tok::Semi, "';'")?;
                StmtKind::Expr(expr)
            }
        };
        self.leave();
        Ok(Stmt { kind, span: self.span_from(lo) })
    }

    #[inline(never)]
    fn simple(&mut self) -> Parse<StmtKind> {
        if self.at(Tok::Asm) {
            let asm = self.asm_statement()?;
            self.expect(Tok::Semi, "';'")?;
            return Ok(StmtKind::Asm(asm));
        }
        let kind = match self.bump().kind {
            Tok::Break => StmtKind::Break,
            Tok::Continue => StmtKind::Continue,
            Tok::Return if self.at(Tok::Semi) => StmtKind::Return(None),
            Tok::Return => StmtKind::Return(Some(self.expr()?)),
            Tok::LocalLabel => {
                let mut labels = Vec::new();
                loop {
                    labels.push(self.expect(Tok::Ident, "a label")?.symbol);
                    if !self.eat(Tok::Comma) {
                        break;
                    }
                }
                StmtKind::LocalLabels(labels)
            }
            _ if self.eat(Tok::Star) => StmtKind::GotoExpr(self.expr()?),
            _ => StmtKind::Goto(self.expect(Tok::Ident, "a label")?.symbol),
        };
        self.expect(Tok::Semi, "';'")?;
        Ok(kind)
    }

    #[inline(never)]
    fn labelled(&mut self, in_block: bool) -> Parse<Stmt> {
        let label = self.bump();
        let kind = match label.kind {
            Tok::Case => {
                let low = self.conditional()?;
                let high = if self.eat(Tok::Ellipsis) { Some(Box::new(self.conditional()?)) } else { None };
                self.expect(Tok::Colon, "':'")?;
                StmtKind::Case { low, high, body: self.labelled_body(in_block)? }
            }
            Tok::Default => {
                self.expect(Tok::Colon, "':'")?;
                StmtKind::Default(self.labelled_body(in_block)?)
            }
            _ => {
                self.expect(Tok::Colon, "':'")?;
                StmtKind::Label { name: label.symbol, body: self.labelled_body(in_block)? }
            }
        };
        Ok(Stmt { kind, span: self.span_from(label.lo) })
    }

    fn labelled_body(&mut self, in_block: bool) -> Parse<Box<Stmt>> {
        if !in_block || !self.at_std_attribute() {
            self.attributes(&mut Vec::new())?;
        }
        let next_item = in_block
            && (self.at_label()
                || self.declaration_after_extension()
                || self.at_std_attribute()
                || self.kind() == Tok::StaticAssert);
        if self.at(Tok::RBrace) || next_item {
            let span = Span::new(self.prev_hi, self.prev_hi);
            return Ok(Box::new(Stmt { kind: StmtKind::Empty, span }));
        }
        Ok(Box::new(self.stmt(false)?))
    }

    fn paren_expr(&mut self) -> Parse<Expr> {
        self.expect(Tok::LParen, "'('")?;
        let expr = self.expr()?;
        self.expect(Tok::RParen, "')'")?;
        Ok(expr)
    }

    #[inline(never)]
    fn loop_or_switch(&mut self) -> Parse<StmtKind> {
        match self.bump().kind {
            Tok::While => {
                let cond = self.paren_expr()?;
                Ok(StmtKind::While { cond, body: Box::new(self.stmt(false)?) })
            }
            Tok::Do => {
                let body = Box::new(self.stmt(false)?);
                self.expect(Tok::While, "'while'")?;
                let cond = self.paren_expr()?;
                self.expect(Tok::Semi, "';'")?;
                Ok(StmtKind::DoWhile { body, cond })
            }
            Tok::Switch => {
                let value = self.paren_expr()?;
                Ok(StmtKind::Switch { value, body: Box::new(self.stmt(false)?) })
            }
            _ => self.for_loop(),
        }
    }

    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.expect(Tok::LParen, "'('")?;
        self.scopes.push();
        let init = if self.eat(Tok::Semi) { None } else { Some(Box::new(self.for_init()?)) };
        let cond = if self.at(Tok::Semi) { None } else { Some(Box::new(self.expr()?)) };
        self.expect(Tok::Semi, "';'")?;
        let step = if self.at(Tok::RParen) { None } else { Some(Box::new(self.expr()?)) };
        self.expect(Tok::RParen, "')'")?;
        let body = Box::new(self.stmt(false)?);
        self.scopes.pop();
        Ok(StmtKind::For { init, cond, step, body })
    }

    fn for_init(&mut self) -> Parse<BlockItem> {
        if self.at_declaration()
            || self.at(Tok::Extension)
            || self.at(Tok::Attribute)
            || self.at_std_attribute()
        {
            return self.block_item();
        }
        if self.kind() == Tok::Ident && self.undeclared_type_here() {
            return Err(self.unknown_type(self.cur));
        }
        let lo = self.cur.lo;
        let expr = self.expr()?;
        self.expect(Tok::Semi, "';'")?;
        Ok(BlockItem::Stmt(Stmt { kind: StmtKind::Expr(expr), span: self.span_from(lo) }))
    }

    /// `if … else if … else …`
    #[inline(never)]
    fn if_chain(&mut self) -> Parse<Stmt> {
        let mut links: SmallVec<[(u32, Expr, Stmt); 1]> = SmallVec::new();
        let chain = self.chain;
        let mut last = None;
        loop {
            let lo = self.bump().lo;
            let cond = self.paren_expr()?;
            let then = self.stmt(false)?;
            links.push((lo, cond, then));
            if !self.eat(Tok::Else) {
                break;
            }
            if !self.at(Tok::If) {
                last = Some(Box::new(self.stmt(false)?));
                break;
            }
            self.chain += 1;
            if self.chain > MAX_HEIGHT {
                return Err(self.too_deep(self.cur.span()));
            }
        }
        self.chain = chain;
        let mut whole = Stmt { kind: StmtKind::Empty, span: Span::new(self.prev_hi, self.prev_hi) };
        let mut otherwise = last;
        while let Some((lo, cond, then)) = links.pop() {
            let span = self.span_from(lo);
            whole =
                Stmt { kind: StmtKind::If { cond, then: Box::new(then), otherwise: otherwise.take() }, span };
            if !links.is_empty() {
                let inner = Stmt { kind: StmtKind::Empty, span };
                otherwise = Some(Box::new(std::mem::replace(&mut whole, inner)));
            }
        }
        Ok(whole)
    }
}
