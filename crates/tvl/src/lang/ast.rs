//! Syntax trees: names are still names, sets and `foreach` are not expanded.

use super::source::Token;

/// A predicate name with its indices; both may be replaced by arguments and loop variables.
#[derive(Clone, Debug)]
pub struct Name {
    /// The part before the brackets.
    pub base: String,
    /// What stands in brackets: names, which may have indices themselves.
    pub indices: Vec<Name>,
    /// Where it stands.
    pub at: Token,
}

/// A set expression.
#[derive(Clone, Debug)]
pub enum SetExpr {
    /// A declared set.
    Named(Name),
    /// Listed elements.
    Listed(Vec<Name>),
    /// Union.
    Union(Box<SetExpr>, Box<SetExpr>),
    /// Difference.
    Difference(Box<SetExpr>, Box<SetExpr>),
    /// Intersection.
    Intersection(Box<SetExpr>, Box<SetExpr>),
    /// `{element, … : variable in set}`.
    Comprehension(Vec<Name>, String, Box<SetExpr>),
}

/// A formula.
#[derive(Clone, Debug)]
pub enum Form {
    /// 0, 1 or 1/2.
    Const(crate::kleene::Kleene),
    /// A predicate; the character is `*` or `+` for a closure.
    Pred(Name, Option<char>, Vec<String>),
    /// Equality.
    Eq(String, String),
    /// Negation.
    Not(Box<Form>),
    /// Conjunction.
    And(Box<Form>, Box<Form>),
    /// Disjunction.
    Or(Box<Form>, Box<Form>),
    /// Implication.
    Implies(Box<Form>, Box<Form>),
    /// Equivalence.
    Iff(Box<Form>, Box<Form>),
    /// Conditional.
    If(Box<Form>, Box<Form>, Box<Form>),
    /// Existential quantification.
    Exists(Vec<String>, Box<Form>),
    /// Universal quantification.
    Forall(Vec<String>, Box<Form>),
    /// `TC(a,b)(x,y) f`.
    Closure([String; 2], [String; 2], Box<Form>),
    /// `|/{f : z in S}` or `&/{f : z in S}`; true for conjunction.
    Each(bool, Box<Form>, String, SetExpr),
}

/// A property of a declaration.
#[derive(Clone, Debug)]
pub enum Prop {
    /// A word such as `unique`.
    Word(String, Token),
    /// A word with names, such as `uniquePerCC(n)`.
    About(String, Vec<String>, Token),
    /// `[v_1] --> v_2` and the like: determined argument positions follow from the others.
    Dependency(Vec<String>, Vec<String>, Token),
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl {
    /// `%s`.
    Set(Name, SetExpr),
    /// `foreach`.
    Foreach(String, SetExpr, Vec<Decl>),
    /// `%p`.
    Core(Name, Vec<String>, Vec<Prop>),
    /// `%i`.
    Instrumentation(Name, Vec<String>, Form, Vec<Prop>),
    /// `%r`.
    Rule(Form, Form, Token),
    /// `%f` among the declarations: for every action.
    Focus(Vec<FocusItem>, Token),
    /// `%message` among the declarations: for every action.
    Message(Form, Vec<TextPart>, Token),
    /// `%dname`: a part that structures are cut into.
    Part(Form, Token),
    /// `%closecycle`: where cycles are closed when structures are cut into parts.
    Decomposition(Token),
}

/// Part of a title or message.
#[derive(Clone, Debug)]
pub enum TextPart {
    /// Fixed text.
    Literal(String),
    /// A name that arguments may replace.
    Name(Name),
}

/// Something that may stand inside `foreach` in a focus list.
#[derive(Clone, Debug)]
pub enum FocusItem {
    /// A formula.
    Formula(Form),
    /// Several formulas.
    Foreach(String, SetExpr, Vec<FocusItem>),
}

/// Something that may stand inside `foreach` in an update block.
#[derive(Clone, Debug)]
pub enum UpdateItem {
    /// `p(v) = f`; no formula asks for the derived update.
    Assign(Name, Vec<String>, Option<Form>),
    /// Several updates.
    Foreach(String, SetExpr, Vec<UpdateItem>),
}

/// An item of an action.
#[derive(Clone, Debug)]
pub enum ActionItem {
    /// `%t`.
    Title(Vec<TextPart>),
    /// `%f`.
    Focus(Vec<FocusItem>),
    /// `%p`.
    Precondition(Form),
    /// `%message`.
    Message(Form, Vec<TextPart>),
    /// `%new`.
    New(Option<Form>),
    /// `%clone`.
    Clone(Form),
    /// `{ … }`.
    Updates(Vec<UpdateItem>),
    /// `%retain`.
    Retain(Form),
    /// `%param name in set`: the action is about some member of the set.
    Param(String, SetExpr),
    /// `%compose`: which parts of structures the action is about.
    Compose(Form, Token),
    /// `%decompose`, `%frame`, `%frame_pre`, or `%compose` of everything.
    Decomposition(Token),
}

/// `%action`.
#[derive(Clone, Debug)]
pub struct ActionDef {
    /// Its name.
    pub name: String,
    /// Formal arguments.
    pub params: Vec<String>,
    /// Its body.
    pub items: Vec<ActionItem>,
    /// Where it stands.
    pub at: Token,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct EdgeDef {
    /// Source location.
    pub from: String,
    /// Action name.
    pub action: String,
    /// Arguments.
    pub args: Vec<String>,
    /// Target location.
    pub to: String,
    /// Where the action's name stands.
    pub at: Token,
}

/// A TVP program.
#[derive(Clone, Debug, Default)]
pub struct ProgramDef {
    /// Declarations.
    pub decls: Vec<Decl>,
    /// Actions.
    pub actions: Vec<ActionDef>,
    /// Edges.
    pub edges: Vec<EdgeDef>,
    /// Locations to print; all if empty.
    pub print: Vec<String>,
}
