//! Recursive descent over the tokens; nothing nests deeper than a fixed number of levels.
//!
//! ```text
//! file      = { predicate | function | assuming } .
//! assuming  = "assuming" name { "," name } ";" .
//! predicate = "predicate" name "(" name { "," name } ")" "=" disjunction ";" .
//! function  = "contract" name "(" [ name { "," name } ] ")" contract .
//! contract  = { ( "requires" | "ensures" ) disjunction ";" | "may" "exit" ";" } .
//! disjunction = [ "|" ] formula { ( "|" | "||" ) formula } .
//! formula   = [ "exists" name { "," name } "." ] atom { ( "*" | "&&" ) atom } .
//! atom      = "emp" | call | value "->" layout "{" [ cells ] "}" | value op value .
//! call      = name "(" values [ ";" values ] ")" .
//! layout    = [ "struct" | "union" ] name | "[" ( number [ ".." ] | "text" | [ number "*" ] value ".." ) "]" .
//! cells     = cell { "," cell } [ "," ".." ] | ".." .
//! cell      = ( path | "@" number ":" number ) ":" value .
//! path      = name { "." name | "[" number "]" } .
//! value     = base { ( "+" | "-" ) ( number | "offsetof" "(" layout "," path ")" ) } .
//! base      = name | "_" | "null" | [ "-" ] number | "\result" | "\old" "(" name ")" | "&" name "->" path .
//! op        = "==" | "!=" | "<" | "<=" | ">" | ">=" .
//! ```

use super::ast::{
    Atom, Block, Call, Cell, Contract, Distance, Formula, FunctionContract, Interface, Layout, Name, Op,
    Path, Place, Predicate, Step, ToldRecord, Unit, Value, ValueKind,
};
use super::lexer::{Token, tokens};
use super::{ShapeError, ShapeResult};
use crate::pred::Tail;
use std::ops::Range;

struct Parser {
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
}

/// A `.shape` file: predicates, and contracts of functions that are named.
pub fn parse_file(text: &str) -> ShapeResult<Unit> {
    let mut p = Parser::new(text)?;
    let mut unit = Unit::default();
    while !p.is_end() {
        if p.eat_word("predicate") {
            unit.predicates.push(p.predicate()?);
        } else if p.eat_word("contract") {
            unit.functions.push(p.function_contract()?);
        } else if p.eat_word("assuming") {
            unit.assuming.push(p.name("what is taken for granted")?);
            while p.eat(",") {
                unit.assuming.push(p.name("what is taken for granted")?);
            }
            p.need(";")?;
        } else if !p.interface(&mut unit.interface)? {
            return Err(p.expected("`predicate` or `contract`"));
        }
    }
    Ok(unit)
}

/// The text of a `/*@ … */` comment: predicates, or the clauses of a contract. `None` if the first word is neither, so
/// that comments meant for other tools are left alone.
pub fn parse_annotation(text: &str) -> Option<ShapeResult<Unit>> {
    let first = text.split_whitespace().next()?;
    if !["predicate", "requires", "ensures"].contains(&first) {
        return None;
    }
    Some(Parser::new(text).and_then(|mut p| p.annotation()))
}

/// A formula by itself, a disjunction.
pub fn parse_formula(text: &str) -> ShapeResult<Vec<Formula>> {
    let mut p = Parser::new(text)?;
    let formula = p.disjunction()?;
    if !p.is_end() {
        return Err(p.expected("`*`, `&&`, `|` or the end"));
    }
    Ok(formula)
}

impl Parser {
    fn new(text: &str) -> ShapeResult<Parser> {
        Ok(Parser { tokens: tokens(text)?, at: 0 })
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |t| &t.0)
    }

    fn ahead(&self, n: usize) -> &Token {
        self.tokens.get(self.at + n).map_or(&Token::End, |t| &t.0)
    }

    fn place(&self) -> Range<usize> {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0..0, |t| t.1.clone())
    }

    /// Where the last token ended.
    fn end(&self) -> usize {
        self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(0, |t| t.1.end)
    }

    fn is_end(&self) -> bool {
        *self.peek() == Token::End
    }

    fn expected(&self, what: &str) -> ShapeError {
        ShapeError::new(self.place(), format!("{what} expected, but {} found", self.peek().describe()))
    }

    fn is(&self, punct: &str) -> bool {
        matches!(self.peek(), Token::Punct(p) if *p == punct)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, punct: &str) -> ShapeResult<()> {
        if self.eat(punct) { Ok(()) } else { Err(self.expected(&format!("`{punct}`"))) }
    }

    fn name(&mut self, what: &str) -> ShapeResult<Name> {
        let at = self.place();
        match self.peek() {
            Token::Word(w) if !w.starts_with('\\') && !RESERVED.contains(&w.as_str()) => {
                let text = w.clone();
                self.at += 1;
                Ok(Name { text, at })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn number(&mut self, what: &str) -> ShapeResult<u64> {
        match self.peek() {
            Token::Number(n) if u64::try_from(*n).is_ok() => {
                let n = u64::try_from(*n).unwrap_or(0);
                self.at += 1;
                Ok(n)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn annotation(&mut self) -> ShapeResult<Unit> {
        let mut unit = Unit::default();
        while !self.is_end() {
            if self.eat_word("predicate") {
                unit.predicates.push(self.predicate()?);
            } else if !self.clause(&mut unit.contract)? {
                return Err(self.expected("`predicate`, `requires` or `ensures`"));
            }
        }
        Ok(unit)
    }

    /// The next clause of a contract, if one comes.
    fn clause(&mut self, contract: &mut Contract) -> ShapeResult<bool> {
        let clauses = if self.eat_word("requires") {
            &mut contract.requires
        } else if self.eat_word("ensures") {
            &mut contract.ensures
        } else if self.eat_word("may") {
            if !self.eat_word("exit") {
                return Err(self.expected("`exit`"));
            }
            self.need(";")?;
            contract.may_exit = true;
            return Ok(true);
        } else {
            return Ok(false);
        };
        clauses.push(self.disjunction()?);
        self.need(";")?;
        Ok(true)
    }

    /// A clause about the library that the file is about, if one comes.
    fn interface(&mut self, interface: &mut Interface) -> ShapeResult<bool> {
        if self.eat_word("record") {
            let name = self.name("the name of a record")?;
            let size = self.number("its size in bytes")?;
            self.need("{")?;
            let mut scalars = Vec::new();
            while !self.is("}") {
                let off = self.number("an offset in bytes")?;
                self.need(":")?;
                scalars.push((off, self.name("the word for a type")?.text));
                if !self.eat(",") {
                    break;
                }
            }
            self.need("}")?;
            interface.records.push(ToldRecord { name, size, scalars });
        } else if self.eat_word("variables") {
            let told = interface.variables.get_or_insert_with(Vec::new);
            while !self.is(";") {
                let name = self.name("the name of a variable")?;
                self.need(":")?;
                told.push((name, self.name("the word for a type")?.text));
                if !self.eat(",") {
                    break;
                }
            }
        } else if self.eat_word("own") {
            interface.own.push(self.name("the name of a variable")?);
            while self.eat(",") {
                interface.own.push(self.name("the name of a variable")?);
            }
        } else {
            return Ok(false);
        }
        self.need(";")?;
        Ok(true)
    }

    /// The word for a type after a colon, if one comes.
    fn type_word(&mut self) -> ShapeResult<Option<String>> {
        if self.eat(":") { Ok(Some(self.name("the word for a type")?.text)) } else { Ok(None) }
    }

    fn function_contract(&mut self) -> ShapeResult<FunctionContract> {
        let internal = self.eat_word("static");
        let name = self.name("the name of a function")?;
        self.need("(")?;
        let (mut params, mut types) = (Vec::new(), Vec::new());
        while !self.is(")") {
            params.push(self.name("the name of a parameter")?);
            types.push(self.type_word()?);
            if !self.eat(",") {
                break;
            }
        }
        self.need(")")?;
        types.push(self.type_word()?);
        let mut contract = Contract::default();
        while self.clause(&mut contract)? {}
        if contract.requires.is_empty() && contract.ensures.is_empty() {
            return Err(self.expected("`requires` or `ensures`"));
        }
        Ok(FunctionContract { name, internal, params, types, contract })
    }

    fn predicate(&mut self) -> ShapeResult<Predicate> {
        let name = self.name("the name of the predicate")?;
        self.need("(")?;
        let mut params = vec![self.name("the name of a parameter")?];
        while self.eat(",") {
            params.push(self.name("the name of a parameter")?);
        }
        self.need(")")?;
        self.need("=")?;
        let cases = self.disjunction()?;
        if !self.eat(";") {
            return Err(self.expected("`*`, `&&`, `|` or `;`"));
        }
        Ok(Predicate { name, params, cases })
    }

    fn disjunction(&mut self) -> ShapeResult<Vec<Formula>> {
        self.eat("|");
        let mut cases = vec![self.formula()?];
        while self.eat("|") || self.eat("||") {
            cases.push(self.formula()?);
        }
        Ok(cases)
    }

    fn formula(&mut self) -> ShapeResult<Formula> {
        let start = self.place().start;
        let mut exists = Vec::new();
        if self.eat_word("exists") {
            exists.push(self.name("a name")?);
            while self.eat(",") {
                exists.push(self.name("a name")?);
            }
            self.need(".")?;
        }
        let mut atoms = vec![self.atom()?];
        while self.eat("*") || self.eat("&&") {
            atoms.push(self.atom()?);
        }
        Ok(Formula { exists, atoms, at: start..self.end() })
    }

    fn atom(&mut self) -> ShapeResult<Atom> {
        if self.eat_word("emp") {
            return Ok(Atom::Emp);
        }
        if matches!((self.peek(), self.ahead(1)), (Token::Word(w), Token::Punct("(")) if w != "\\old") {
            let name = self.name("the name of a predicate")?;
            self.need("(")?;
            let args = self.values()?;
            let end = if self.eat(";") { Some(self.values()?) } else { None };
            self.need(")")?;
            return Ok(Atom::Call(Call { name, args, end }));
        }
        let start = self.place().start;
        let value = self.value("a predicate, a block, a comparison or `emp`")?;
        if self.eat("->") {
            return self.block(value, start).map(Atom::Block);
        }
        let op = match self.peek() {
            Token::Punct("==") => Op::Eq,
            Token::Punct("!=") => Op::Ne,
            Token::Punct("<") => Op::Lt,
            Token::Punct("<=") => Op::Le,
            Token::Punct(">") => Op::Gt,
            Token::Punct(">=") => Op::Ge,
            _ => return Err(self.expected("`->` or a comparison")),
        };
        self.at += 1;
        let right = self.value("a value")?;
        Ok(Atom::Fact(value, op, right))
    }

    fn values(&mut self) -> ShapeResult<Vec<Value>> {
        let mut values = vec![self.value("a value")?];
        while self.eat(",") {
            values.push(self.value("a value")?);
        }
        Ok(values)
    }

    fn record_name(&mut self) -> ShapeResult<Name> {
        let _ = self.eat_word("struct") || self.eat_word("union");
        self.name("the name of a struct")
    }

    fn block(&mut self, root: Value, start: usize) -> ShapeResult<Block> {
        let at = self.place();
        let layout = if self.eat("[") {
            let layout = self.bytes(at)?;
            self.need("]")?;
            layout
        } else {
            Layout::Record(self.record_name().map_err(|mut e| {
                e.message =
                    e.message.replacen("the name of a struct", "the name of a struct or `[bytes]`", 1);
                e
            })?)
        };
        self.need("{")?;
        let mut cells = Vec::new();
        let mut rest = false;
        while !self.is("}") {
            if self.eat("..") {
                rest = true;
                break;
            }
            let at = self.place();
            let place = if self.eat("@") {
                let off = self.number("an offset in bytes")?;
                self.need(":")?;
                Place::Bytes(off, self.number("a width in bytes")?)
            } else {
                Place::Field(self.path("a field, `@offset:width` or `..`")?)
            };
            self.need(":")?;
            let value = self.value("a value")?;
            cells.push(Cell { place, value, at: at.start..self.end() });
            if !self.eat(",") {
                break;
            }
        }
        self.need("}")?;
        Ok(Block { root, layout, cells, rest, at: start..self.end() })
    }

    /// What stands in brackets: a number of bytes, `text`, or how many elements of how many bytes.
    fn bytes(&mut self, at: Range<usize>) -> ShapeResult<Layout> {
        if self.eat_word("text") {
            return Ok(Layout::Bytes(1, Tail::Text, at));
        }
        let size = match self.peek() {
            Token::Number(_) => self.number("a number of bytes")?,
            Token::Word(_) => 1,
            _ => return Err(self.expected("a number of bytes, `text` or the length of an array")),
        };
        if self.eat("*") || matches!(self.peek(), Token::Word(_)) {
            let count = self.value("the length of an array")?;
            self.need("..")?;
            return Ok(Layout::Array { element: size, count });
        }
        Ok(Layout::Bytes(size, if self.eat("..") { Tail::Open } else { Tail::None }, at))
    }

    fn path(&mut self, what: &str) -> ShapeResult<Path> {
        let first = self.name(what)?;
        let start = first.at.start;
        let mut steps = vec![Step::Field(first.text)];
        loop {
            if self.eat(".") {
                steps.push(Step::Field(self.name("the name of a field")?.text));
            } else if self.eat("[") {
                steps.push(Step::Index(self.number("an index")?));
                self.need("]")?;
            } else {
                return Ok(Path { steps, at: start..self.end() });
            }
        }
    }

    fn value(&mut self, what: &str) -> ShapeResult<Value> {
        let start = self.place().start;
        let kind = self.base(what)?;
        let mut plus = Vec::new();
        loop {
            let negative = self.is("-");
            if !self.eat("+") && !self.eat("-") {
                return Ok(Value { kind, plus, at: start..self.end() });
            }
            if self.eat_word("offsetof") {
                self.need("(")?;
                let record = self.record_name()?;
                self.need(",")?;
                let path = self.path("the name of a field")?;
                self.need(")")?;
                plus.push(Distance::OffsetOf(record, path, negative));
            } else {
                let n = i128::from(self.number("a number of bytes or `offsetof`")?);
                plus.push(Distance::Bytes(if negative { -n } else { n }));
            }
        }
    }

    fn base(&mut self, what: &str) -> ShapeResult<ValueKind> {
        if let Token::Number(n) = *self.peek() {
            self.at += 1;
            return Ok(ValueKind::Number(n));
        }
        if self.is("-") && matches!(self.ahead(1), Token::Number(_)) {
            self.at += 1;
            return Ok(ValueKind::Number(-i128::from(self.number("a number")?)));
        }
        if self.eat_word("null") || self.eat_word("NULL") {
            return Ok(ValueKind::Number(0));
        }
        if self.eat_word("_") {
            return Ok(ValueKind::Any);
        }
        if self.eat_word("\\result") {
            return Ok(ValueKind::Result);
        }
        if self.eat_word("\\old") {
            self.need("(")?;
            let name = self.name("the name of a variable")?;
            self.need(")")?;
            return Ok(ValueKind::Old(name.text));
        }
        if self.eat("&") {
            let name = self.name("a name")?;
            self.need("->")?;
            return Ok(ValueKind::FieldOf(name.text, self.path("the name of a field")?));
        }
        Ok(ValueKind::Name(self.name(what)?.text))
    }
}

/// Words that are no names.
/// Whether a word is one of the language, so that nothing can be called so.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

const RESERVED: [&str; 11] =
    ["contract", "predicate", "requires", "ensures", "exists", "emp", "null", "NULL", "_", "struct", "union"];
