//! Initialisers and designators.

use super::{Parse, Parser};
use crate::ast::{Designator, InitEntry, InitList, Initializer};
use crate::lexer::Tok;

impl Parser<'_> {
    /// What stands after `=`, or as an entry of a list.
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        if self.at(Tok::LBrace) {
            Ok(Initializer::List(self.init_list()?))
        } else {
            Ok(Initializer::Expr(self.assign()?))
        }
    }

    /// `{ … }`
    pub(super) fn init_list(&mut self) -> Parse<InitList> {
        self.enter()?;
        let lo = self.expect(Tok::LBrace, "'{'")?.lo;
        let mut entries = Vec::new();
        while !self.at(Tok::RBrace) {
            let entry = self.init_entry()?;
            entries.push(entry);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "',' or '}'")?;
        self.leave();
        Ok(InitList { entries, span: self.span_from(lo) })
    }

    fn init_entry(&mut self) -> Parse<InitEntry> {
        let mut designators = Vec::new();
        if self.at(Tok::Ident) && self.peek(1).kind == Tok::Colon {
            let field = self.bump();
            self.bump();
            designators.push(Designator::Field(field.symbol, field.span()));
        } else if self.at(Tok::Dot) || self.at(Tok::LBracket) {
            self.designators(&mut designators)?;
        }
        Ok(InitEntry { designators, value: self.initializer()? })
    }

    fn designators(&mut self, out: &mut Vec<Designator>) -> Parse<()> {
        loop {
            if self.eat(Tok::Dot) {
                let field = self.expect(Tok::Ident, "the name of a member")?;
                out.push(Designator::Field(field.symbol, field.span()));
            } else if self.eat(Tok::LBracket) {
                let low = self.conditional()?;
                let designator = if self.eat(Tok::Ellipsis) {
                    Designator::Range(low, self.conditional()?)
                } else {
                    Designator::Index(low)
                };
                self.expect(Tok::RBracket, "']'")?;
                out.push(designator);
            } else {
                break;
            }
        }
        // GNU: the `=` after `[index]` may be missing.
        if !self.eat(Tok::Assign) && !matches!(out.last(), Some(Designator::Index(_) | Designator::Range(..)))
        {
            return Err(self.expected("'='"));
        }
        Ok(())
    }
}
