//! Primary expressions: names, literals, parentheses, and the keywords that look like calls.

use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, OffsetofStep};
use crate::lexer::Tok;
use heapwise_ir::Span;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        let token = self.cur;
        let kind = match self.kind() {
            Tok::Ident => ExprKind::Ident(token.symbol),
            Tok::Number => return self.number(),
            Tok::Str => return self.string_literal(),
            Tok::Char => return self.char_constant(),
            Tok::LParen => return self.parenthesised(),
            Tok::FuncName => ExprKind::FuncName,
            Tok::Nullptr => ExprKind::Nullptr,
            Tok::True => ExprKind::Bool(true),
            Tok::False => ExprKind::Bool(false),
            Tok::Generic
            | Tok::BuiltinVaArg
            | Tok::BuiltinOffsetof
            | Tok::BuiltinTypesCompatible
            | Tok::BuiltinChooseExpr => return self.keyword_call(),
            // Soft keywords that mean nothing here are names.
            Tok::Constexpr
            | Tok::Typeof
            | Tok::Alignas
            | Tok::StaticAssert
            | Tok::ThreadLocal
            | Tok::Bool
                if token.kind == Tok::Ident =>
            {
                ExprKind::Ident(token.symbol)
            }
            _ => return Err(self.expected("an expression")),
        };
        self.bump();
        self.node(kind, token.span(), 0)
    }

    /// `(e)` or `({ … })`; the span includes the parentheses.
    #[inline(never)]
    fn parenthesised(&mut self) -> Parse<Expr> {
        self.enter()?;
        let lo = self.bump().lo;
        let mut expr = if self.at(Tok::LBrace) {
            let peak = std::mem::take(&mut self.peak);
            let block = self.block()?;
            let height = self.peak + 1;
            self.peak = self.peak.max(peak);
            self.node(ExprKind::StmtExpr(block), Span::new(lo, lo), height)?
        } else {
            self.expr()?
        };
        let close = self.expect(Tok::RParen, "')'")?;
        self.leave();
        expr.span = Span::new(lo, close.hi);
        Ok(expr)
    }

    #[inline(never)]
    fn keyword_call(&mut self) -> Parse<Expr> {
        self.enter()?;
        let keyword = self.bump();
        self.expect(Tok::LParen, "'('")?;
        let peak = std::mem::take(&mut self.peak);
        let kind = match keyword.kind {
            Tok::Generic => self.generic()?,
            Tok::BuiltinVaArg => {
                let list = Box::new(self.assign()?);
                self.expect(Tok::Comma, "','")?;
                ExprKind::VaArg(list, Box::new(self.type_name()?))
            }
            Tok::BuiltinOffsetof => self.offsetof()?,
            Tok::BuiltinTypesCompatible => {
                let first = Box::new(self.type_name()?);
                self.expect(Tok::Comma, "','")?;
                ExprKind::TypesCompatible(first, Box::new(self.type_name()?))
            }
            _ => {
                let cond = Box::new(self.assign()?);
                self.expect(Tok::Comma, "','")?;
                let then = Box::new(self.assign()?);
                self.expect(Tok::Comma, "','")?;
                ExprKind::ChooseExpr(cond, then, Box::new(self.assign()?))
            }
        };
        let close = self.expect(Tok::RParen, "')'")?;
        let height = self.peak + 1;
        self.peak = height.max(peak);
        self.leave();
        self.node(kind, Span::new(keyword.lo, close.hi), height)
    }

    fn generic(&mut self) -> Parse<ExprKind> {
        let control = Box::new(self.assign()?);
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) { None } else { Some(self.type_name()?) };
            self.expect(Tok::Colon, "':'")?;
            arms.push((ty, self.assign()?));
        }
        Ok(ExprKind::Generic(control, arms))
    }

    fn offsetof(&mut self) -> Parse<ExprKind> {
        let ty = Box::new(self.type_name()?);
        self.expect(Tok::Comma, "','")?;
        let first = self.expect(Tok::Ident, "the name of a member")?;
        let mut path = vec![OffsetofStep::Field(first.symbol, first.span())];
        loop {
            if self.eat(Tok::Dot) || self.eat(Tok::Arrow) {
                let field = self.expect(Tok::Ident, "the name of a member")?;
                path.push(OffsetofStep::Field(field.symbol, field.span()));
            } else if self.eat(Tok::LBracket) {
                let index = self.expr()?;
                self.expect(Tok::RBracket, "']'")?;
                path.push(OffsetofStep::Index(index));
            } else {
                return Ok(ExprKind::Offsetof(ty, path));
            }
        }
    }
}
