//! Attributes, GNU `__attribute__((…))` and C23 `[[…]]`.
//!
//! Names lose a prefix such as `gnu::` and the underscores around them. Arguments are kept as far as they are
//! expressions; an argument list that is none is skipped, since unknown attributes may hold any tokens.

use super::{NESTING_TOO_DEEP, Parse, Parser};
use crate::ast::{Attribute, Expr, ExprKind};
use crate::lexer::Tok;

fn plain(name: &str) -> &str {
    name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).filter(|n| !n.is_empty()).unwrap_or(name)
}

impl<'a> Parser<'a> {
    /// Whether a C23 attribute starts here.
    pub(super) fn at_std_attribute(&self) -> bool {
        self.at(Tok::LBracket) && self.peek(1).kind == Tok::LBracket
    }

    /// Parses any number of attributes of both kinds into `out`.
    #[inline]
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        while self.at(Tok::Attribute) || self.at_std_attribute() {
            self.attribute_specifier(out)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn attribute_specifier(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        let gnu = self.at(Tok::Attribute);
        let (open, close) = if gnu { (Tok::LParen, Tok::RParen) } else { (Tok::LBracket, Tok::RBracket) };
        if gnu {
            self.bump();
        }
        let opening = if gnu { "'(('" } else { "'[['" };
        self.expect(open, opening)?;
        self.expect(open, opening)?;
        loop {
            if self.at(close) {
                break;
            }
            if self.eat(Tok::Comma) {
                continue;
            }
            self.attribute(out)?;
        }
        let closing = if gnu { "')'" } else { "']'" };
        self.expect(close, closing)?;
        self.expect(close, closing)?;
        Ok(())
    }

    /// One attribute; its name may be spelt like a keyword.
    fn attribute(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        let lo = self.cur.lo;
        let mut name = self.attribute_word()?;
        if self.at(Tok::Colon) && self.peek(1).kind == Tok::Colon {
            self.bump();
            self.bump();
            name = self.attribute_word()?;
        }
        let name = plain(name);
        let mut args = Vec::new();
        if self.at(Tok::LParen) {
            let checkpoint = self.checkpoint();
            self.bump();
            self.enter()?;
            if let Err(failed) = self.attribute_arguments(&mut args) {
                if self.failure.as_ref().is_some_and(|f| f.code == NESTING_TOO_DEEP) {
                    return Err(failed);
                }
                self.failure = None;
                self.unwind(checkpoint);
                self.seek(checkpoint.pos);
                self.skip_balanced();
            } else {
                self.leave();
            }
            if name == "mode" {
                self.plain_names(&mut args);
            }
        }
        out.push(Attribute { name: name.into(), args, span: self.span_from(lo) });
        Ok(())
    }

    fn attribute_word(&mut self) -> Parse<&'a str> {
        let token = self.cur;
        let text = self.slice(token);
        if text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.bump();
            Ok(text)
        } else {
            Err(self.expected("the name of an attribute"))
        }
    }

    fn attribute_arguments(&mut self, args: &mut Vec<Expr>) -> Parse<()> {
        if !self.at(Tok::RParen) {
            loop {
                args.push(self.assign()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::RParen, "')'")?;
        Ok(())
    }

    /// Machine modes may be written with underscores around them, too.
    fn plain_names(&mut self, args: &mut [Expr]) {
        for arg in args {
            if let ExprKind::Ident(symbol) = &mut arg.kind
                && let Some(plain) = self.interner.lookup(plain(self.interner.name(*symbol)))
            {
                *symbol = plain;
            }
        }
    }
}
