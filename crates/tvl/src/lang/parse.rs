//! Recursive-descent parser for TVP. Nesting is bounded, so no input can exhaust the stack.

use super::LangError;
use super::ast::{
    ActionDef, ActionItem, Decl, EdgeDef, FocusItem, Form, Name, ProgramDef, Prop, SetExpr, TextPart,
    UpdateItem,
};
use super::source::{Kind, Token};
use crate::kleene::Kleene;

/// Nesting of formulas, sets and blocks beyond which the input is refused.
const MAX_NESTING: usize = 200;

/// A position in a token list.
pub struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, LangError>;

/// Parses a TVP program.
pub fn program(tokens: &[Token]) -> Parsed<ProgramDef> {
    let Some(mut p) = Parser::new(tokens) else { return Ok(ProgramDef::default()) };
    let mut program = ProgramDef::default();
    while !p.at_kind(&Kind::Separator) {
        program.decls.push(p.declaration()?);
    }
    p.advance();
    while !p.at_kind(&Kind::Separator) {
        program.actions.push(p.action()?);
    }
    p.advance();
    while !p.at_kind(&Kind::Separator) && !p.at_kind(&Kind::End) {
        program.edges.push(p.edge()?);
    }
    while !p.at_kind(&Kind::End) {
        if p.at_kind(&Kind::Separator) {
            p.advance();
            continue;
        }
        program.print.push(p.location()?);
        p.accept(",");
    }
    Ok(program)
}

impl<'t> Parser<'t> {
    /// A parser at the first token; nothing for an empty list.
    pub fn new(tokens: &'t [Token]) -> Option<Parser<'t>> {
        (!tokens.is_empty()).then_some(Parser { tokens, at: 0, depth: 0 })
    }

    /// The current token.
    pub fn token(&self) -> &'t Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn peek(&self, ahead: usize) -> &'t Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// Moves on.
    pub fn advance(&mut self) {
        self.at += 1;
    }

    /// Whether the current token is of this kind.
    pub fn at_kind(&self, kind: &Kind) -> bool {
        self.token().kind == *kind
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token().kind, Kind::Symbol(s) if s == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token().kind, Kind::Ident(s) if s == word)
    }

    /// Consumes a symbol if it is next.
    pub fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    /// An error that names what was expected and what was found.
    pub fn expected<T>(&self, what: &str) -> Parsed<T> {
        Err(self.token().error(format!("expected {what}, found {}", self.token().describe())))
    }

    /// Consumes a symbol.
    pub fn expect(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { self.expected(&format!("`{symbol}`")) }
    }

    /// Consumes `%word`.
    pub fn accept_directive(&mut self, word: &str) -> bool {
        let found = matches!(&self.token().kind, Kind::Directive(s) if s == word);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes a name; numbers count, since sets may contain them.
    pub fn ident(&mut self, what: &str) -> Parsed<String> {
        match &self.token().kind {
            Kind::Ident(s) | Kind::Number(s) => {
                self.advance();
                Ok(s.clone())
            }
            _ => self.expected(what),
        }
    }

    /// A location: a name or a string.
    pub fn location(&mut self) -> Parsed<String> {
        match &self.token().kind {
            Kind::Ident(s) | Kind::Str(s) | Kind::Number(s) => {
                self.advance();
                Ok(s.clone())
            }
            _ => self.expected("a location"),
        }
    }

    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.token().error("nested too deeply"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// A name with optional indices.
    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        let at = self.token().clone();
        let base = self.ident(what)?;
        let mut indices = Vec::new();
        if self.accept("[") {
            while !self.accept("]") {
                indices.push(self.nested(|p| p.name("an index or `]`"))?);
                if !self.is("]") {
                    self.expect(",")?;
                }
            }
        }
        Ok(Name { base, indices, at })
    }

    fn params(&mut self) -> Parsed<Vec<String>> {
        self.expect("(")?;
        let mut names = Vec::new();
        while !self.accept(")") {
            names.push(self.ident("a variable or `)`")?);
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Ok(names)
    }

    fn foreach_head(&mut self) -> Parsed<(String, SetExpr)> {
        self.advance();
        self.expect("(")?;
        let var = self.ident("a loop variable")?;
        if !self.is_word("in") {
            return self.expected("`in`");
        }
        self.advance();
        let set = self.set()?;
        self.expect(")")?;
        Ok((var, set))
    }

    // ---- sets ----

    /// A set expression.
    pub fn set(&mut self) -> Parsed<SetExpr> {
        self.nested(|p| {
            let mut left = p.set_atom()?;
            loop {
                let build: fn(Box<SetExpr>, Box<SetExpr>) -> SetExpr = if p.accept("+") {
                    SetExpr::Union
                } else if p.accept("-") {
                    SetExpr::Difference
                } else if p.accept("&") {
                    SetExpr::Intersection
                } else {
                    return Ok(left);
                };
                left = build(Box::new(left), Box::new(p.set_atom()?));
            }
        })
    }

    fn set_atom(&mut self) -> Parsed<SetExpr> {
        if self.accept("(") {
            let inner = self.set()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if !self.accept("{") {
            return Ok(SetExpr::Named(self.name("a set")?));
        }
        let mut elements = Vec::new();
        while !self.accept("}") {
            let element = self.name("an element or `}`")?;
            elements.push(element);
            if self.accept(":") {
                let var = self.ident("a loop variable")?;
                if !self.is_word("in") {
                    return self.expected("`in`");
                }
                self.advance();
                let set = self.set()?;
                self.expect("}")?;
                return Ok(SetExpr::Comprehension(elements, var, Box::new(set)));
            }
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(SetExpr::Listed(elements))
    }

    // ---- formulas ----

    /// A formula: equivalence binds weakest, then implication, disjunction, conjunction, negation.
    pub fn formula(&mut self) -> Parsed<Form> {
        self.nested(|p| {
            let mut left = p.implication()?;
            while p.accept("<->") {
                left = Form::Iff(Box::new(left), Box::new(p.implication()?));
            }
            Ok(left)
        })
    }

    /// Implications group to the left, as TVLA has it. An arrow before a text belongs to the message.
    fn implication(&mut self) -> Parsed<Form> {
        let mut left = self.disjunction()?;
        while self.is("->") && !self.text_follows() {
            self.advance();
            left = Form::Implies(Box::new(left), Box::new(self.disjunction()?));
        }
        Ok(left)
    }

    /// Whether what comes after the current token can only be a text: a string, or a name that starts no atom.
    fn text_follows(&self) -> bool {
        let symbol = |ahead: usize, s: &str| matches!(self.peek(ahead).kind, Kind::Symbol(t) if t == s);
        match &self.peek(1).kind {
            Kind::Str(_) => true,
            Kind::Ident(_) => {
                let (mut at, mut open) = (2, 0usize);
                while symbol(at, "[") || open > 0 && !matches!(self.peek(at).kind, Kind::End) {
                    open = open + usize::from(symbol(at, "[")) - usize::from(symbol(at, "]"));
                    at += 1;
                }
                let closure = (symbol(at, "*") || symbol(at, "+")) && symbol(at + 1, "(");
                !(closure || symbol(at, "(") || symbol(at, "==") || symbol(at, "!="))
            }
            _ => false,
        }
    }

    fn disjunction(&mut self) -> Parsed<Form> {
        let mut left = self.conjunction()?;
        while self.accept("|") {
            left = Form::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Form> {
        let mut left = self.unary()?;
        while self.accept("&") {
            left = Form::And(Box::new(left), Box::new(self.unary()?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Form> {
        self.nested(|p| {
            if p.accept("!") {
                return Ok(Form::Not(Box::new(p.unary()?)));
            }
            if p.accept("(") {
                let f = p.formula()?;
                if p.accept("?") {
                    let yes = p.formula()?;
                    p.expect(":")?;
                    let no = p.formula()?;
                    p.expect(")")?;
                    return Ok(Form::If(Box::new(f), Box::new(yes), Box::new(no)));
                }
                p.expect(")")?;
                return Ok(f);
            }
            if p.is("|") || p.is("&") {
                let conjunction = p.is("&");
                p.advance();
                p.expect("/")?;
                p.expect("{")?;
                let body = p.formula()?;
                p.expect(":")?;
                let var = p.ident("a loop variable")?;
                if !p.is_word("in") {
                    return p.expected("`in`");
                }
                p.advance();
                let set = p.set()?;
                p.expect("}")?;
                return Ok(Form::Each(conjunction, Box::new(body), var, set));
            }
            if let Kind::Number(n) = &p.token().kind {
                let value = match n.as_str() {
                    "0" => Kleene::False,
                    "1" => Kleene::True,
                    "1/2" => Kleene::Unknown,
                    _ => return p.expected("0, 1 or 1/2"),
                };
                p.advance();
                return Ok(Form::Const(value));
            }
            let opens = matches!(p.peek(1).kind, Kind::Symbol("("));
            if opens && (p.is_word("E") || p.is_word("A")) {
                let exists = p.is_word("E");
                p.advance();
                let vars = p.params()?;
                let body = Box::new(p.formula()?);
                return Ok(if exists { Form::Exists(vars, body) } else { Form::Forall(vars, body) });
            }
            if opens && p.is_word("TC") {
                p.advance();
                let (ends, bound) = (p.pair()?, p.pair()?);
                return Ok(Form::Closure(ends, bound, Box::new(p.formula()?)));
            }
            p.atom()
        })
    }

    fn pair(&mut self) -> Parsed<[String; 2]> {
        let at = self.token();
        <[String; 2]>::try_from(self.params()?).map_err(|_| at.error("expected two variables here"))
    }

    fn atom(&mut self) -> Parsed<Form> {
        let name = self.name("a formula")?;
        if name.indices.is_empty() {
            if self.accept("==") {
                return Ok(Form::Eq(name.base, self.ident("a variable")?));
            }
            if self.accept("!=") {
                let right = self.ident("a variable")?;
                return Ok(Form::Not(Box::new(Form::Eq(name.base, right))));
            }
        }
        let closure = match self.token().kind {
            Kind::Symbol("*") => Some('*'),
            Kind::Symbol("+") => Some('+'),
            _ => None,
        };
        if closure.is_some() {
            self.advance();
        }
        let args = self.params()?;
        Ok(Form::Pred(name, closure, args))
    }

    // ---- declarations ----

    fn declaration(&mut self) -> Parsed<Decl> {
        self.nested(|p| {
            if p.is_word("foreach") {
                let (var, set) = p.foreach_head()?;
                p.expect("{")?;
                let mut decls = Vec::new();
                while !p.accept("}") {
                    decls.push(p.declaration()?);
                }
                return Ok(Decl::Foreach(var, set, decls));
            }
            let token = p.token();
            let Kind::Directive(word) = &token.kind else {
                return p
                    .expected("a declaration (`%s`, `%p`, `%i`, `%r`, `%f`, `%message`, `foreach`) or `%%`");
            };
            p.advance();
            match word.as_str() {
                "s" | "pset" => {
                    let name = p.name("the name of a set")?;
                    p.accept("=");
                    Ok(Decl::Set(name, p.set()?))
                }
                "p" => {
                    let name = p.name("the name of a predicate")?;
                    let params = p.params()?;
                    Ok(Decl::Core(name, params, p.properties()?))
                }
                "i" => {
                    let name = p.name("the name of a predicate")?;
                    let params = p.params()?;
                    p.expect("=")?;
                    let f = p.formula()?;
                    Ok(Decl::Instrumentation(name, params, f, p.properties()?))
                }
                "r" => {
                    let body = p.formula()?;
                    p.expect("==>")?;
                    Ok(Decl::Rule(body, p.formula()?, token.clone()))
                }
                "f" => {
                    p.expect("{")?;
                    Ok(Decl::Focus(p.focus()?, token.clone()))
                }
                "message" => {
                    let (f, text) = p.message()?;
                    Ok(Decl::Message(f, text, token.clone()))
                }
                "dname" => {
                    let f = p.formula()?;
                    if matches!(p.token().kind, Kind::Str(_) | Kind::Ident(_)) && !p.is_word("foreach") {
                        p.text()?;
                    }
                    Ok(Decl::Part(f, token.clone()))
                }
                "closecycle" => {
                    p.name("a predicate")?;
                    p.expect("->")?;
                    p.formula()?;
                    Ok(Decl::Decomposition(token.clone()))
                }
                _ => Err(token.error(format!("unknown declaration `%{word}`"))),
            }
        })
    }

    fn properties(&mut self) -> Parsed<Vec<Prop>> {
        let mut props = Vec::new();
        loop {
            let token = self.token().clone();
            if let Kind::Ident(word) = &token.kind
                && word != "foreach"
            {
                self.advance();
                if self.is("(") {
                    props.push(Prop::About(word.clone(), self.params()?, token.clone()));
                } else {
                    props.push(Prop::Word(word.clone(), token.clone()));
                }
            } else if self.accept("[") {
                let mut from = Vec::new();
                while !self.accept("]") {
                    from.push(self.ident("a variable or `]`")?);
                    self.accept(",");
                }
                self.expect("-->")?;
                let mut to = Vec::new();
                if self.accept("[") {
                    while !self.accept("]") {
                        to.push(self.ident("a variable or `]`")?);
                        self.accept(",");
                    }
                } else {
                    to.push(self.ident("a variable")?);
                }
                props.push(Prop::Dependency(from, to, token));
            } else if self.accept("{") {
                // Which truth values are drawn: read, not used.
                while !self.accept("}") {
                    if self.at_kind(&Kind::End) {
                        return self.expected("`}`");
                    }
                    self.advance();
                }
            } else {
                return Ok(props);
            }
        }
    }

    // ---- actions and edges ----

    fn action(&mut self) -> Parsed<ActionDef> {
        let at = self.token().clone();
        if !self.accept_directive("action") {
            return self.expected("`%action` or `%%`");
        }
        let name = self.ident("the name of an action")?;
        let params = self.params()?;
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.accept("}") {
            items.push(self.action_item()?);
        }
        Ok(ActionDef { name, params, items, at })
    }

    fn action_item(&mut self) -> Parsed<ActionItem> {
        if self.accept("{") {
            return Ok(ActionItem::Updates(self.updates()?));
        }
        let token = self.token();
        let Kind::Directive(word) = &token.kind else {
            return self.expected("`%t`, `%f`, `%p`, `%message`, `%new`, `%clone`, `{`, `%retain` or `}`");
        };
        self.advance();
        match word.as_str() {
            "t" => Ok(ActionItem::Title(self.text()?)),
            "f" => {
                self.expect("{")?;
                Ok(ActionItem::Focus(self.focus()?))
            }
            "p" => Ok(ActionItem::Precondition(self.formula()?)),
            "message" => {
                let (f, text) = self.message()?;
                Ok(ActionItem::Message(f, text))
            }
            "new" => Ok(ActionItem::New(if self.ends_item() { None } else { Some(self.formula()?) })),
            "clone" => Ok(ActionItem::Clone(if self.ends_item() {
                Form::Const(Kleene::True)
            } else {
                self.formula()?
            })),
            "param" => {
                let name = self.ident("the name of a parameter")?;
                if !self.is_word("in") {
                    return self.expected("`in`");
                }
                self.advance();
                Ok(ActionItem::Param(name, self.set()?))
            }
            "compose" if !self.ends_item() => Ok(ActionItem::Compose(self.formula()?, token.clone())),
            "compose" | "decompose" | "frame" | "frame_pre" => {
                if !self.ends_item() {
                    self.formula()?;
                }
                Ok(ActionItem::Decomposition(token.clone()))
            }
            "retain" => Ok(ActionItem::Retain(self.formula()?)),
            _ => Err(token.error(format!("unknown part of an action `%{word}`"))),
        }
    }

    /// Whether an item of an action ends here, although a formula could follow.
    fn ends_item(&self) -> bool {
        self.is("{") || self.is("}") || matches!(self.token().kind, Kind::Directive(_))
    }

    fn message(&mut self) -> Parsed<(Form, Vec<TextPart>)> {
        if self.accept("[") {
            // Which part of the structure the message is about: all of it is looked at.
            self.formula()?;
            self.expect("]")?;
        }
        let f = self.formula()?;
        self.expect("->")?;
        Ok((f, self.text()?))
    }

    /// A text: strings and names joined by `+`.
    pub fn text(&mut self) -> Parsed<Vec<TextPart>> {
        let mut parts = Vec::new();
        loop {
            parts.push(match &self.token().kind {
                Kind::Str(s) => {
                    self.advance();
                    TextPart::Literal(s.clone())
                }
                _ => TextPart::Name(self.name("text in quotes or a name")?),
            });
            if !self.accept("+") {
                return Ok(parts);
            }
        }
    }

    fn focus(&mut self) -> Parsed<Vec<FocusItem>> {
        self.nested(|p| {
            let mut items = Vec::new();
            while !p.accept("}") {
                if p.is_word("foreach") {
                    let (var, set) = p.foreach_head()?;
                    p.expect("{")?;
                    items.push(FocusItem::Foreach(var, set, p.focus()?));
                } else {
                    items.push(FocusItem::Formula(p.formula()?));
                }
                if !p.is("}") {
                    p.accept(",");
                }
            }
            Ok(items)
        })
    }

    fn updates(&mut self) -> Parsed<Vec<UpdateItem>> {
        self.nested(|p| {
            let mut items = Vec::new();
            while !p.accept("}") {
                if p.is_word("foreach") {
                    let (var, set) = p.foreach_head()?;
                    p.expect("{")?;
                    items.push(UpdateItem::Foreach(var, set, p.updates()?));
                    continue;
                }
                let parenthesised = p.accept("(");
                let name = p.name("an update `predicate(variables) = formula` or `}`")?;
                let params = p.params()?;
                if parenthesised {
                    p.expect(")")?;
                }
                p.expect("=")?;
                if p.is_word("auto") {
                    p.advance();
                    items.push(UpdateItem::Assign(name, params, None));
                } else {
                    let f = p.formula()?;
                    let derived = p.is_word("auto");
                    if derived {
                        p.advance();
                    }
                    items.push(UpdateItem::Assign(name, params, (!derived).then_some(f)));
                }
            }
            Ok(items)
        })
    }

    fn edge(&mut self) -> Parsed<EdgeDef> {
        let from = self.location()?;
        let at = self.token().clone();
        let action = self.ident("the name of an action")?;
        let mut args = Vec::new();
        self.expect("(")?;
        while !self.accept(")") {
            let name = self.name("an argument or `)`")?;
            args.push(super::names::joined(&name));
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Ok(EdgeDef { from, action, args, to: self.location()?, at })
    }
}
