//! `struct`, `union` and `enum` specifiers.

use super::scope::Binding;
use super::specs::is_type_start;
use super::{Parse, Parser};
use crate::ast::{
    Declarator, EnumConstant, EnumSpec, Member, MemberDeclarator, RecordSpec, TypeName, TypeSpec,
};
use crate::lexer::Tok;

impl Parser<'_> {
    /// The current token is `struct` or `union`.
    pub(super) fn record_spec(&mut self) -> Parse<RecordSpec> {
        self.enter_twice()?;
        let lo = self.cur.lo;
        let is_union = self.bump().kind == Tok::Union;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = if self.at(Tok::Ident) { Some(self.bump().symbol) } else { None };
        let mut members = None;
        let mut pragma_pack = None;
        if self.at(Tok::LBrace) {
            members = Some(self.members()?);
            pragma_pack = self.pack_here();
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.expected("a tag or '{'"));
        }
        self.leave_twice();
        Ok(RecordSpec { is_union, tag, members, attrs, pragma_pack, span: self.span_from(lo) })
    }

    /// `#pragma pack` in force at the token before this one.
    fn pack_here(&self) -> Option<u32> {
        let here = self.pos.saturating_sub(1) as u32;
        let i = self.packs.partition_point(|&(at, _)| at <= here);
        i.checked_sub(1).and_then(|i| self.packs.get(i)).and_then(|&(_, pack)| pack)
    }

    fn members(&mut self) -> Parse<Vec<Member>> {
        self.bump();
        let mut members = Vec::new();
        loop {
            match self.kind() {
                Tok::RBrace => break,
                Tok::Semi => {
                    self.bump();
                }
                Tok::StaticAssert if self.peek(1).kind == Tok::LParen => {
                    let assertion = self.static_assert()?;
                    members.push(Member::StaticAssert(assertion));
                }
                Tok::Ident => return Err(self.unknown_type(self.cur)),
                _ => members.push(self.member()?),
            }
        }
        self.bump();
        Ok(members)
    }

    fn member(&mut self) -> Parse<Member> {
        let lo = self.cur.lo;
        let specs = self.decl_specs()?;
        if specs.span.lo == specs.span.hi {
            return Err(self.expected("a member or '}'"));
        }
        let mut declarators = Vec::new();
        if !self.at(Tok::Semi) && !self.at(Tok::RBrace) {
            loop {
                declarators.push(self.member_declarator()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        // The last semicolon may be missing.
        if !self.at(Tok::RBrace) {
            self.expect(Tok::Semi, "';'")?;
        }
        Ok(Member::Field { specs, declarators, span: self.span_from(lo) })
    }

    fn member_declarator(&mut self) -> Parse<MemberDeclarator> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let declarator: Option<Declarator> =
            if self.at(Tok::Colon) { None } else { Some(self.declarator()?) };
        let mut width = None;
        if self.eat(Tok::Colon) {
            width = Some(self.conditional()?);
        }
        self.attributes(&mut attrs)?;
        Ok(MemberDeclarator { declarator, width, attrs })
    }

    /// The current token is `enum`.
    pub(super) fn enum_spec(&mut self) -> Parse<EnumSpec> {
        self.enter()?;
        let lo = self.bump().lo;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = if self.at(Tok::Ident) { Some(self.bump().symbol) } else { None };
        let mut underlying = None;
        // `enum e : 3` is a bit-field, `enum e : short` has an underlying type.
        if self.at(Tok::Colon) && is_type_start(self.kind_at(1)) {
            self.bump();
            underlying = Some(Box::new(self.underlying_type()?));
        }
        let mut constants = None;
        if self.at(Tok::LBrace) {
            constants = Some(self.enumerators()?);
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.expected("a tag or '{'"));
        }
        self.leave();
        Ok(EnumSpec { tag, underlying, constants, attrs, span: self.span_from(lo) })
    }

    fn underlying_type(&mut self) -> Parse<TypeName> {
        let lo = self.cur.lo;
        let specs = self.decl_specs()?;
        if matches!(specs.ty, TypeSpec::Implicit) {
            return Err(self.expected("a type"));
        }
        let declarator = Declarator { span: self.cur.span(), ..Declarator::default() };
        Ok(TypeName { specs, declarator, span: self.span_from(lo) })
    }

    fn enumerators(&mut self) -> Parse<Vec<EnumConstant>> {
        self.bump();
        let mut constants = Vec::new();
        while !self.at(Tok::RBrace) {
            let name = self.expect(Tok::Ident, "an enumeration constant")?;
            let mut ignored = Vec::new();
            self.attributes(&mut ignored)?;
            let value = if self.eat(Tok::Assign) { Some(self.conditional()?) } else { None };
            self.scopes.bind(name.symbol, Binding::Object);
            constants.push(EnumConstant { name: name.symbol, value, span: name.span() });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "',' or '}'")?;
        Ok(constants)
    }
}
