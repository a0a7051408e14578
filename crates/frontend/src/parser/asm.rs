//! Inline assembly: statements with all operand forms, file-scope assembly, and labels of declarations.
//!
//! Constraints, clobbers and outputs are parsed, so that errors in them are found, and then dropped: assembly that
//! does anything is not analysed. Inputs are kept, because they are evaluated even if the assembly is empty.

use super::{Parse, Parser};
use crate::ast::{AsmStmt, Expr, ExprKind};
use crate::lexer::Tok;

impl Parser<'_> {
    /// `asm ("label")` after a declarator; the current token is `asm`.
    pub(super) fn asm_label(&mut self) -> Parse<Box<str>> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        let label = self.plain_string()?;
        self.expect(Tok::RParen, "')'")?;
        Ok(label)
    }

    /// One or more string literals as text.
    pub(super) fn plain_string(&mut self) -> Parse<Box<str>> {
        if !self.at(Tok::Str) {
            return Err(self.expected("a string literal"));
        }
        let literal = self.string_literal()?;
        let ExprKind::Str { units, .. } = literal.kind else { return Ok("".into()) };
        let bytes: Vec<u8> = units.iter().map(|&u| u8::try_from(u).unwrap_or(b'?')).collect();
        Ok(String::from_utf8_lossy(&bytes).into())
    }

    /// `asm qualifiers ( template : outputs : inputs : clobbers : labels )`, without the semicolon.
    pub(super) fn asm_statement(&mut self) -> Parse<AsmStmt> {
        self.bump();
        let mut is_goto = false;
        loop {
            match self.cur.kind {
                Tok::Goto => is_goto = true,
                Tok::Volatile | Tok::Inline | Tok::Const => {}
                _ => break,
            }
            self.bump();
        }
        self.expect(Tok::LParen, "'('")?;
        let template = self.plain_string()?;
        let mut has_outputs = false;
        let mut inputs = Vec::new();
        for section in 0..4 {
            if !self.eat(Tok::Colon) {
                break;
            }
            while !self.at(Tok::Colon) && !self.at(Tok::RParen) {
                match section {
                    0 => drop(self.asm_operand()?),
                    1 => inputs.push(self.asm_operand()?),
                    2 => {
                        self.plain_string()?;
                    }
                    _ => {
                        self.expect(Tok::Ident, "a label")?;
                    }
                }
                has_outputs |= section == 0;
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::RParen, "')'")?;
        Ok(AsmStmt { template, has_outputs, inputs, is_goto })
    }

    /// `[name] "constraint" (expression)`
    fn asm_operand(&mut self) -> Parse<Expr> {
        if self.eat(Tok::LBracket) {
            self.expect(Tok::Ident, "the name of an operand")?;
            self.expect(Tok::RBracket, "']'")?;
        }
        self.plain_string()?;
        self.expect(Tok::LParen, "'('")?;
        let operand = self.expr()?;
        self.expect(Tok::RParen, "')'")?;
        Ok(operand)
    }
}
