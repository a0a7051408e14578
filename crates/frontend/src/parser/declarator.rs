//! Declarators, concrete and abstract, and parameter lists.
//!
//! A declarator is read once, from left to right; derivations come out nearest to the name first because the
//! pointers before the name are added after the suffixes behind it.

use super::scope::Binding;
use super::specs::is_specifier;
use super::{Parse, Parser};
use crate::MAX_NESTING;
use crate::ast::{ArrayLen, BasicType, Declarator, Derived, Param, ParamList, Quals, TypeSpec};
use crate::lexer::Tok;
use smallvec::SmallVec;

/// Whether a declarator must, may or must not have a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Must,
    May,
    MustNot,
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Parse<Declarator> {
        let mut out = Declarator { span: self.cur.span(), ..Declarator::default() };
        self.declarator_into(&mut out, Naming::Must)?;
        Ok(out)
    }

    /// A declarator without a name, possibly empty.
    pub(super) fn abstract_declarator(&mut self) -> Parse<Declarator> {
        let lo = self.cur.lo;
        let mut out = Declarator::default();
        if matches!(self.cur.kind, Tok::Star | Tok::LParen | Tok::LBracket) {
            self.declarator_into(&mut out, Naming::MustNot)?;
        }
        out.span = self.span_from(lo);
        Ok(out)
    }

    fn declarator_into(&mut self, out: &mut Declarator, naming: Naming) -> Parse<()> {
        self.enter()?;
        self.attributes(&mut out.attrs)?;
        let mut pointers: SmallVec<[Quals; 4]> = SmallVec::new();
        while self.eat(Tok::Star) {
            let quals = self.pointer_qualifiers(out)?;
            pointers.push(quals);
            if pointers.len() as u32 > MAX_NESTING {
                return Err(self.too_deep(self.cur.span()));
            }
        }
        if naming != Naming::MustNot && self.at(Tok::Ident) {
            let token = self.bump();
            out.name = Some(token.symbol);
            out.span = token.span();
        } else if self.at(Tok::LParen) && (naming == Naming::Must || self.nested_declarator_follows(naming)) {
            self.bump();
            self.declarator_into(out, naming)?;
            self.expect(Tok::RParen, "')'")?;
        } else if naming == Naming::Must {
            return Err(self.expected("an identifier or '('"));
        }
        self.declarator_suffixes(out)?;
        out.derived.extend(pointers.iter().rev().map(|&quals| Derived::Pointer(quals)));
        if out.derived.len() as u32 > MAX_NESTING {
            return Err(self.too_deep(self.cur.span()));
        }
        self.leave();
        Ok(())
    }

    /// At a parenthesis where a name may be missing: whether a declarator in parentheses follows, rather than a
    /// parameter list.
    fn nested_declarator_follows(&self, naming: Naming) -> bool {
        match self.kind_at(1) {
            Tok::Star | Tok::LParen | Tok::Attribute => true,
            Tok::LBracket => self.peek(2).kind != Tok::LBracket,
            Tok::Ident => naming == Naming::May,
            _ => false,
        }
    }

    fn pointer_qualifiers(&mut self, out: &mut Declarator) -> Parse<Quals> {
        let mut quals = Quals::default();
        loop {
            match self.cur.kind {
                Tok::Const => quals.is_const = true,
                Tok::Volatile => quals.is_volatile = true,
                Tok::Restrict => quals.is_restrict = true,
                Tok::Atomic => quals.is_atomic = true,
                Tok::IgnoredQualifier | Tok::Extension => {}
                Tok::Attribute | Tok::LBracket if self.at(Tok::Attribute) || self.at_std_attribute() => {
                    self.attributes(&mut out.attrs)?;
                    continue;
                }
                _ => return Ok(quals),
            }
            self.bump();
        }
    }

    fn declarator_suffixes(&mut self, out: &mut Declarator) -> Parse<()> {
        loop {
            match self.cur.kind {
                Tok::LBracket if self.at_std_attribute() => self.attributes(&mut out.attrs)?,
                Tok::LBracket => {
                    let array = self.array_suffix()?;
                    out.derived.push(array);
                }
                Tok::LParen => {
                    let params = self.param_list()?;
                    out.derived.push(Derived::Function(params));
                }
                _ => return Ok(()),
            }
            if out.derived.len() as u32 > MAX_NESTING {
                return Err(self.too_deep(self.cur.span()));
            }
        }
    }

    fn array_suffix(&mut self) -> Parse<Derived> {
        self.bump();
        let mut quals = Quals::default();
        loop {
            match self.cur.kind {
                Tok::Const => quals.is_const = true,
                Tok::Volatile => quals.is_volatile = true,
                Tok::Restrict => quals.is_restrict = true,
                Tok::Atomic => quals.is_atomic = true,
                Tok::Static | Tok::IgnoredQualifier => {}
                _ => break,
            }
            self.bump();
        }
        let len = if self.at(Tok::RBracket) {
            ArrayLen::None
        } else if self.at(Tok::Star) && self.peek(1).kind == Tok::RBracket {
            self.bump();
            ArrayLen::Star
        } else {
            self.enter()?;
            let len = self.assign()?;
            self.leave();
            ArrayLen::Expr(Box::new(len))
        };
        self.expect(Tok::RBracket, "']'")?;
        Ok(Derived::Array { len, quals })
    }

    /// `( … )` of a function declarator. Names of parameters are in scope until its end.
    fn param_list(&mut self) -> Parse<ParamList> {
        self.bump();
        let mut list = ParamList::default();
        if self.eat(Tok::RParen) {
            list.empty = true;
            return Ok(list);
        }
        self.enter()?;
        self.scopes.push();
        let next = self.peek(1).kind;
        if self.kind() == Tok::Ident && matches!(next, Tok::Comma | Tok::RParen) {
            self.identifier_list(&mut list)?;
        } else {
            self.prototype(&mut list)?;
        }
        self.scopes.pop();
        self.leave();
        self.expect(Tok::RParen, "')'")?;
        Ok(list)
    }

    fn identifier_list(&mut self, list: &mut ParamList) -> Parse<()> {
        loop {
            let token = self.expect(Tok::Ident, "the name of a parameter")?;
            list.identifiers.push((token.symbol, token.span()));
            if !self.eat(Tok::Comma) {
                return Ok(());
            }
        }
    }

    fn prototype(&mut self, list: &mut ParamList) -> Parse<()> {
        loop {
            if self.eat(Tok::Ellipsis) {
                list.variadic = true;
                break;
            }
            let param = self.param()?;
            list.params.push(param);
            // GNU: forward declarations of parameters, `int n; int a[n]`, name later ones again.
            if self.at(Tok::Semi) && is_specifier(self.kind_at(1)) {
                self.bump();
                list.params.clear();
                continue;
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if let [only] = list.params.as_slice()
            && matches!(only.specs.ty, TypeSpec::Basic(BasicType::Void))
            && only.specs.quals == Quals::default()
            && only.declarator.name.is_none()
            && only.declarator.derived.is_empty()
            && !list.variadic
        {
            list.params.clear();
        }
        Ok(())
    }

    fn param(&mut self) -> Parse<Param> {
        let lo = self.cur.lo;
        if self.kind() == Tok::Ident {
            return Err(self.unknown_type(self.cur));
        }
        let specs = self.decl_specs()?;
        if specs.span.lo == specs.span.hi {
            return Err(self.expected("a parameter"));
        }
        let mut declarator = Declarator { span: self.cur.span(), ..Declarator::default() };
        if !matches!(self.cur.kind, Tok::Comma | Tok::RParen) {
            self.declarator_into(&mut declarator, Naming::May)?;
            self.attributes(&mut declarator.attrs)?;
        }
        if let Some(name) = declarator.name {
            self.scopes.bind(name, Binding::Object);
        }
        Ok(Param { specs, declarator, span: self.span_from(lo) })
    }
}
