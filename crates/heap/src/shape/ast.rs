//! The tree of the predicate language, with the place of everything that can be wrong.

use crate::pred::Tail;
use std::collections::BTreeSet;
use std::ops::Range;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub at: Range<usize>,
}

/// A step into a record or array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `.field`.
    Field(String),
    /// `[index]`.
    Index(u64),
}

/// A way into a record: `a.b[1]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The steps.
    pub steps: Vec<Step>,
    /// Where it stands.
    pub at: Range<usize>,
}

/// The type of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A record by its tag or typedef name.
    Record(Name),
    /// So many bytes, and what may follow them.
    Bytes(u64, Tail, Range<usize>),
    /// An array: at least so many elements of so many bytes.
    Array {
        /// The bytes of an element.
        element: u64,
        /// How many there are.
        count: Value,
    },
}

/// How far a value lies from another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Distance {
    /// A number of bytes.
    Bytes(i128),
    /// `offsetof(struct s, path)`, subtracted if the flag is set.
    OffsetOf(Name, Path, bool),
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// What it is.
    pub kind: ValueKind,
    /// What is added to it.
    pub plus: Vec<Distance>,
    /// Where it stands.
    pub at: Range<usize>,
}

/// What a value counts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// A parameter, variable or existential.
    Name(String),
    /// A number; `null` is 0.
    Number(i128),
    /// `_`: any value.
    Any,
    /// `\result`.
    Result,
    /// `\old(name)`: the value when the function was entered.
    Old(String),
    /// `&name->path`.
    FieldOf(String, Path),
}

/// Where in a block a cell is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A field.
    Field(Path),
    /// `@offset:width`.
    Bytes(u64, u64),
}

/// A cell of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Where it is.
    pub place: Place,
    /// What it holds.
    pub value: Value,
    /// The place in the text.
    pub at: Range<usize>,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// A conjunct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// No memory.
    Emp,
    /// One block.
    Block(Block),
    /// A predicate, whole or up to an end.
    Call(Call),
    /// A pure fact.
    Fact(Value, Op, Value),
}

/// `root -> struct s { cells }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its address.
    pub root: Value,
    /// Its type.
    pub layout: Layout,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// Whether `..` stands at the end: all other scalars are initialised.
    pub rest: bool,
    /// Where it stands.
    pub at: Range<usize>,
}

/// `name(args)` or `name(args; end)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The predicate.
    pub name: Name,
    /// Root and arguments.
    pub args: Vec<Value>,
    /// For a segment, root and arguments where it ends.
    pub end: Option<Vec<Value>>,
}

/// A separating conjunction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    /// Explicit existentials; if there are any, no other name may be new.
    pub exists: Vec<Name>,
    /// The conjuncts.
    pub atoms: Vec<Atom>,
    /// Where it stands.
    pub at: Range<usize>,
}

/// `predicate name(params) = case | case;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Name,
    /// Its parameters, the root first.
    pub params: Vec<Name>,
    /// Its cases.
    pub cases: Vec<Formula>,
}

/// What stands before a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contract {
    /// Preconditions, each a disjunction; all of them hold, in separate memory.
    pub requires: Vec<Vec<Formula>>,
    /// Postconditions, likewise.
    pub ensures: Vec<Vec<Formula>>,
    /// Whether the function may end the program instead of returning; nothing is said of the memory then.
    pub may_exit: bool,
}

/// What a file or comment holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unit {
    /// Predicates.
    pub predicates: Vec<Predicate>,
    /// The clauses of a contract.
    pub contract: Contract,
    /// Contracts of functions that are named.
    pub functions: Vec<FunctionContract>,
    /// What the contracts of functions that are named take for granted.
    pub assuming: Vec<Name>,
    /// What the library that the file is about looks like from outside.
    pub interface: Interface,
}

/// A name with the word for its type.
pub type Typed = (Name, String);

/// A record of the library that a file is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldRecord {
    /// Its name.
    pub name: Name,
    /// Its size in bytes.
    pub size: u64,
    /// The words for the types of its scalars, by offset.
    pub scalars: Vec<(u64, String)>,
}

/// What the library that a file is about looks like from outside: names and types by which its contracts were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    /// Its records.
    pub records: Vec<ToldRecord>,
    /// Its variables that other units see; no other names are variables, if they are told.
    pub variables: Option<Vec<Typed>>,
    /// Variables that no other unit sees.
    pub own: Vec<Name>,
}

impl Block {
    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        let count = match &self.layout {
            Layout::Array { count, .. } => Some(count),
            Layout::Record(_) | Layout::Bytes(..) => None,
        };
        std::iter::once(&self.root).chain(count).chain(self.cells.iter().map(|c| &c.value))
    }
}

impl Formula {
    /// All values.
    pub fn values(&self, mut value: impl FnMut(&Value)) {
        for atom in &self.atoms {
            match atom {
                Atom::Emp => {}
                Atom::Block(b) => b.values().for_each(&mut value),
                Atom::Call(c) => c.args.iter().chain(c.end.iter().flatten()).for_each(&mut value),
                Atom::Fact(a, _, b) => {
                    value(a);
                    value(b);
                }
            }
        }
    }
}

/// `contract name(params) requires …; ensures …;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionContract {
    /// The function.
    pub name: Name,
    /// Whether no other unit sees the function.
    pub internal: bool,
    /// What its parameters are called in the clauses.
    pub params: Vec<Name>,
    /// The words for the types of its parameters and of its result, as far as they are told.
    pub types: Vec<Option<String>>,
    /// The clauses.
    pub contract: Contract,
}

impl Contract {
    /// Whether a clause mentions a name.
    pub fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        for f in self.requires.iter().chain(&self.ensures).flatten() {
            f.values(|v| {
                found |= matches!(&v.kind, ValueKind::Name(n) | ValueKind::Old(n) | ValueKind::FieldOf(n, _) if n == name);
            });
        }
        found
    }

    /// Names of the precondition that the postcondition mentions under `\\old` and that stand for nothing else: the same value in
    /// both. With `all`, all names of the precondition that stand for nothing else.
    pub fn logic_names(&self, is_known: impl Fn(&str) -> bool, all: bool) -> Vec<String> {
        let free = |f: &Formula, found: &mut BTreeSet<String>| {
            f.values(|v| {
                if let ValueKind::Name(n) | ValueKind::FieldOf(n, _) = &v.kind
                    && !f.exists.iter().any(|e| e.text == *n)
                    && n != "self"
                {
                    found.insert(n.clone());
                }
            });
        };
        let (mut named, mut old) = (BTreeSet::new(), BTreeSet::new());
        self.requires.iter().flatten().for_each(|f| free(f, &mut named));
        for f in self.ensures.iter().flatten() {
            f.values(|v| {
                if let ValueKind::Old(n) = &v.kind {
                    old.insert(n.clone());
                }
            });
        }
        named.retain(|n| !is_known(n) && (all || old.contains(n)));
        named.into_iter().collect()
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self, mut value: impl FnMut(&mut Value)) {
        let clauses = self.requires.iter_mut().chain(&mut self.ensures).flatten();
        for atom in clauses.flat_map(|f| &mut f.atoms) {
            match atom {
                Atom::Emp => {}
                Atom::Block(b) => {
                    value(&mut b.root);
                    if let Layout::Array { count, .. } = &mut b.layout {
                        value(count);
                    }
                    b.cells.iter_mut().for_each(|c| value(&mut c.value));
                }
                Atom::Call(c) => c.args.iter_mut().chain(c.end.iter_mut().flatten()).for_each(&mut value),
                Atom::Fact(a, _, b) => {
                    value(a);
                    value(b);
                }
            }
        }
    }
}
