//! What the user declares about shapes: predicates, contracts, and the texts of shape statements.
//!
//! Predicates come from `.shape` files and `/*@ predicate … */` comments, contracts from comments before function
//! definitions, formulas from the string literals given to `__heapwise_assume_shape` and `__heapwise_check_shape`. All
//! of them are resolved before the analysis starts, so that every mistake is reported with its place.

use super::assumption::Assumption;
use super::interface;
use crate::report::Point;
use heapwise_heap::shape::ast::{Contract, Formula, FunctionContract, Interface, Unit, Value, ValueKind};
use heapwise_heap::shape::{
    Declared, Env, Instance, ShapeError, parse_annotation, parse_file, parse_formula, resolve,
};
use heapwise_heap::{PredTable, State, Val};
use heapwise_ir::library::LibFn;
use heapwise_ir::{
    Body, Callee, Const, FuncId, GlobalId, GlobalInit, GlobalKind, InitValue, LocalId, Operand, PlaceBase,
    Program, Projection, Rvalue, Span, StatementKind, Type,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What is declared about a program.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// The predicates by name.
    pub names: Declared,
    /// The same, as the table that an analysis starts from.
    pub preds: PredTable,
    /// Contracts by function.
    pub contracts: FxHashMap<FuncId, Contract>,
    /// Contracts that calls rely on: those of functions without a body, and those that the user says are to be used.
    pub at_calls: FxHashMap<FuncId, CallContract>,
    /// Contracts and predicates of a library's file that mean nothing in this program, since they speak of types or variables
    /// that only the library knows. They are not used, nor is what needs them.
    pub left_out: Vec<DeclarationError>,
    /// Whether there is a library's file.
    pub has_library: bool,
}

/// A contract that calls rely on.
#[derive(Clone, Debug)]
pub struct CallContract {
    /// What the parameters are called in it.
    pub params: Vec<String>,
    /// Its clauses.
    pub contract: Contract,
    /// Whether it was verified; calls that rely on it are assumptions otherwise.
    pub verified: bool,
    /// What its file says that it takes for granted.
    pub assuming: Vec<Assumption>,
    /// All variables of other units that the library knows, if its file tells them.
    pub variables: Option<BTreeSet<String>>,
}

/// A mistake in a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclarationError {
    /// Where it is.
    pub place: ErrorPlace,
    /// One sentence without a final full stop.
    pub message: String,
}

/// Where a mistake is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorPlace {
    /// In a `.shape` file: its name, line and column.
    File(String, usize, usize),
    /// In the program.
    Program(Span),
}

/// A `.shape` file.
#[derive(Clone, Debug)]
pub struct ShapeFile {
    /// Its name, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether calls rely on its contracts also where functions have a body.
    pub at_calls: bool,
}

/// Reads everything that is declared.
pub fn declare(program: &Program, files: &[ShapeFile]) -> Result<Declarations, Vec<DeclarationError>> {
    let mut errors = Vec::new();
    let mut units: Vec<(Source<'_>, Unit, Option<FuncId>)> = Vec::new();
    for file in files {
        match parse_file(&file.text) {
            Ok(unit) => units.push((Source::File(file), unit, None)),
            Err(e) => errors.push(Source::File(file).error(e)),
        }
    }
    for a in &program.annotations {
        let source = Source::Comment(a.span);
        match parse_annotation(&a.text) {
            None => {}
            Some(Ok(unit)) => units.push((source, unit, a.function)),
            Some(Err(e)) => errors.push(source.error(e)),
        }
    }
    // What cannot be read would be missed wherever it is used.
    if !errors.is_empty() {
        return Err(errors);
    }
    let has_library = files.iter().any(|file| file.at_calls);
    let mut declarations = Declarations { has_library, ..Declarations::default() };
    for (source, unit, _) in &mut units {
        if matches!(source, Source::File(file) if file.at_calls) {
            let foreign = interface::adapt(program, unit).into_iter();
            declarations.left_out.extend(foreign.map(|e| source.error(e)));
        }
    }
    declarations.names = loop {
        let trees: Vec<&Unit> = units.iter().map(|(_, u, _)| u).collect();
        let found = match resolve::declare(&trees, &program.types, &mut declarations.preds) {
            Ok(names) => break names,
            Err(found) => found,
        };
        // Places of predicates change when one is taken away, so that is done one at a time.
        let foreign = found.iter().find_map(|(i, e)| Some((*i, foreign_predicate(&units, *i, e)?, e)));
        match foreign {
            Some((i, k, e)) => {
                if let Some((source, unit, _)) = units.get_mut(i) {
                    declarations.left_out.push(source.error(e.clone()));
                    unit.predicates.remove(k);
                }
            }
            None => {
                errors.extend(found.into_iter().filter_map(|(i, e)| Some(units.get(i)?.0.error(e))));
                return Err(errors);
            }
        }
    };
    for (source, unit, function) in &units {
        let Contract { requires, ensures, .. } = &unit.contract;
        let Some(first) = requires.iter().chain(ensures).flatten().next() else { continue };
        let Some(body) = function.and_then(|f| program.body(f)).zip(*function) else {
            let message = "a contract stands directly before the definition of a function";
            errors.push(source.error(ShapeError::new(first.at.clone(), message)));
            continue;
        };
        let (body, function) = body;
        if declarations.contracts.contains_key(&function) {
            let message = "the function has a contract already";
            errors.push(source.error(ShapeError::new(first.at.clone(), message)));
            continue;
        }
        let names = param_names(body);
        let found = declarations.check_contract(program, function, &names, &unit.contract);
        errors.extend(found.into_iter().map(|e| source.error(e)));
        declarations.contracts.insert(function, unit.contract.clone());
    }
    for (source, unit, _) in &units {
        let at_calls = matches!(source, Source::File(file) if file.at_calls);
        let mut assuming = Vec::new();
        for name in &unit.assuming {
            match Assumption::named(&name.text) {
                Some(known) => assuming.push(known),
                None => {
                    let message = format!("nobody knows what it means to assume `{}`", name.text);
                    errors.push(source.error(ShapeError::new(name.at.clone(), message)));
                }
            }
        }
        for named in &unit.functions {
            if let Err(found) = declarations.add_named(program, named, &unit.interface, &assuming, at_calls) {
                let found = found.into_iter().map(|e| source.error(e));
                match at_calls {
                    true => declarations.left_out.extend(found),
                    false => errors.extend(found),
                }
            }
        }
    }
    let speaks_of_shapes =
        |f: &heapwise_ir::Function| matches!(f.library, Some(LibFn::AssumeShape | LibFn::CheckShape));
    // Most programs do not, and then their statements need not be looked through.
    let functions = program.functions.iter().any(speaks_of_shapes).then(|| program.functions.indices());
    let statements = functions.into_iter().flatten().flat_map(|f| shape_statements_of(program, f));
    for ShapeStatement { point, span, text, .. } in statements {
        let Some(body) = program.body(point.function) else { continue };
        let names = body.locals.iter().filter_map(|l| l.name.as_deref()).chain(global_names(program));
        let names: Vec<&str> = names.collect();
        let checked = parse_formula(&text)
            .and_then(|formula| declarations.check_formula(program, &formula, &names, false, &[]));
        if let Err(e) = checked {
            let (line, column) = e.line_column(&text);
            let place = if line == 1 { format!("column {column}") } else { format!("{line}:{column}") };
            let message = format!("in the shape, {place}: {}", e.message);
            errors.push(DeclarationError { place: ErrorPlace::Program(span), message });
        }
    }
    if errors.is_empty() { Ok(declarations) } else { Err(errors) }
}

/// The predicate of a library's file in which there is a mistake: its position in the unit. `None` if the mistake is one of
/// this program's own declarations, or if leaving the predicate out would let its name mean another one.
fn foreign_predicate(
    units: &[(Source<'_>, Unit, Option<FuncId>)],
    unit: usize,
    error: &ShapeError,
) -> Option<usize> {
    let (source, of, _) = units.get(unit)?;
    if !matches!(source, Source::File(file) if file.at_calls) {
        return None;
    }
    let before = |p: &&heapwise_heap::shape::ast::Predicate| p.name.at.start <= error.at.start;
    let (k, name) = of.predicates.iter().filter(before).enumerate().last().map(|(k, p)| (k, &p.name.text))?;
    let all = units.iter().flat_map(|(_, u, _)| &u.predicates);
    (all.filter(|p| p.name.text == *name).count() == 1).then_some(k)
}

enum Source<'a> {
    File(&'a ShapeFile),
    Comment(Span),
}

impl Source<'_> {
    fn error(&self, e: ShapeError) -> DeclarationError {
        let place = match self {
            Source::File(file) => {
                let (line, column) = e.line_column(&file.text);
                ErrorPlace::File(file.name.clone(), line, column)
            }
            // The text starts after `/*@`.
            Source::Comment(span) => {
                let at = |n: usize| span.lo.saturating_add(3).saturating_add(n as u32);
                ErrorPlace::Program(Span::new(at(e.at.start), at(e.at.end)))
            }
        };
        DeclarationError { place, message: e.message }
    }
}

impl Declarations {
    /// The context for formulas.
    pub fn instance<'a>(&'a self, preds: &'a PredTable, program: &'a Program) -> Instance<'a> {
        Instance { declared: &self.names, preds, layouts: &program.types }
    }

    /// Takes in a contract of a function that is named; what is said of functions that the program does not have is left out.
    fn add_named(
        &mut self,
        program: &Program,
        named: &FunctionContract,
        interface: &Interface,
        assuming: &[Assumption],
        at_calls: bool,
    ) -> Result<(), Vec<ShapeError>> {
        let Some(f) = program.function_named(&named.name.text) else { return Ok(()) };
        let wrong = |message: String| Err(vec![ShapeError::new(named.name.at.clone(), message)]);
        let function = program.functions.get(f);
        let count = function.map_or(0, |f| match program.types.get(f.ty) {
            Type::Function { params, .. } => params.len(),
            _ => 0,
        });
        if count != named.params.len() {
            let given = named.params.len();
            return wrong(format!("`{}` takes {count} arguments, but {given} are named", named.name.text));
        }
        let mut contract = named.contract.clone();
        let mut params: Vec<String> = named.params.iter().map(|p| p.text.clone()).collect();
        let body = program.body(f);
        if let Some(body) = body {
            // In the function itself its own names count.
            let own: BTreeMap<&str, &str> =
                named.params.iter().map(|p| p.text.as_str()).zip(param_names(body)).collect();
            contract.values_mut(|v| match &mut v.kind {
                ValueKind::Name(n) | ValueKind::Old(n) | ValueKind::FieldOf(n, _) => {
                    if let Some(name) = own.get(n.as_str()).filter(|n| !n.is_empty()) {
                        *n = (*name).to_owned();
                    }
                }
                ValueKind::Number(_) | ValueKind::Any | ValueKind::Result => {}
            });
            for (p, own) in params.iter_mut().zip(param_names(body)).filter(|(_, own)| !own.is_empty()) {
                *p = own.to_owned();
            }
        }
        let names: Vec<&str> = params.iter().map(String::as_str).collect();
        let errors = self.check_contract(program, f, &names, &contract);
        if !errors.is_empty() {
            return Err(errors);
        }
        if body.is_none() || at_calls {
            let variables = interface.variables.as_ref();
            let variables = variables.map(|all| all.iter().map(|(n, _)| n.text.clone()).collect());
            let assuming = assuming.to_vec();
            self.at_calls.insert(f, CallContract { params, contract, verified: false, assuming, variables });
        } else if self.contracts.insert(f, contract).is_some() {
            return wrong("the function has a contract already".into());
        }
        Ok(())
    }

    fn check_contract(
        &self,
        program: &Program,
        function: FuncId,
        params: &[&str],
        contract: &Contract,
    ) -> Vec<ShapeError> {
        let names: Vec<&str> = params.iter().copied().chain(global_names(program)).collect();
        let returns = program.functions.get(function).is_some_and(|f| match program.types.get(f.ty) {
            Type::Function { ret, .. } => *program.types.get(*ret) != Type::Void,
            _ => false,
        });
        let logic = contract.logic_names(|n| names.contains(&n), false);
        let with_logic: Vec<&str> = names.iter().copied().chain(logic.iter().map(String::as_str)).collect();
        let mut errors = Vec::new();
        for clause in &contract.requires {
            errors.extend(self.check_formula(program, clause, &with_logic, false, &names).err());
        }
        for clause in &contract.ensures {
            errors.extend(self.check_formula(program, clause, &names, returns, &with_logic).err());
        }
        errors
    }

    /// Builds the formula once on arbitrary values, to find what is wrong with it.
    fn check_formula(
        &self,
        program: &Program,
        formulas: &[Formula],
        names: &[&str],
        result: bool,
        old: &[&str],
    ) -> Result<(), ShapeError> {
        for formula in formulas {
            let mut state = State::default();
            let mut fresh = |names: &[&str]| -> BTreeMap<String, Val> {
                names.iter().map(|n| ((*n).to_owned(), Val::sym(state.fresh()))).collect()
            };
            let mut env = Env { names: fresh(names), old: fresh(old), result: None };
            env.result = result.then(|| Val::sym(state.fresh()));
            self.instance(&self.preds, program).add(formula, &env, state)?;
            // A new name that stands only once is rather a mistake than an existential.
            for (name, at) in Instance::free_names(std::slice::from_ref(formula)) {
                if !names.contains(&name.as_str()) && mentions(formula, &name) == 1 {
                    let message =
                        format!("there is no variable `{name}`; write `_` for a value of no interest");
                    return Err(ShapeError::new(at, message));
                }
            }
        }
        Ok(())
    }
}

/// The names of a function's parameters; those without one are empty.
fn param_names(body: &Body) -> Vec<&str> {
    let name = |p: &LocalId| body.locals.get(*p).and_then(|l| l.name.as_deref()).unwrap_or_default();
    body.params.iter().map(name).collect()
}

fn mentions(formula: &Formula, name: &str) -> usize {
    use heapwise_heap::shape::ast::Atom;
    let count = |v: &Value| match &v.kind {
        ValueKind::Name(n) | ValueKind::FieldOf(n, _) => usize::from(n == name),
        _ => 0,
    };
    let all = formula.atoms.iter().map(|atom| match atom {
        Atom::Emp => 0,
        Atom::Block(b) => b.values().map(count).sum::<usize>(),
        Atom::Call(c) => c.args.iter().chain(c.end.iter().flatten()).map(count).sum(),
        Atom::Fact(a, _, b) => count(a) + count(b),
    });
    all.sum()
}

/// Globals that formulas may name: scalars of file scope.
pub(crate) fn global_named(program: &Program, name: &str) -> Option<GlobalId> {
    let mut all = program.globals.iter_enumerated();
    all.find(|(_, g)| {
        &*g.name == name
            && matches!(g.kind, GlobalKind::External | GlobalKind::Static)
            && program.types.is_scalar(g.ty)
    })
    .map(|(id, _)| id)
}

fn global_names(program: &Program) -> impl Iterator<Item = &str> {
    let named = |g: &&heapwise_ir::Global| {
        matches!(g.kind, GlobalKind::External | GlobalKind::Static) && program.types.is_scalar(g.ty)
    };
    program.globals.iter().filter(named).map(|g| &*g.name)
}

/// The text of a string literal.
pub(crate) fn literal(program: &Program, global: GlobalId) -> Option<String> {
    let g = program.globals.get(global).filter(|g| g.kind == GlobalKind::Literal)?;
    let GlobalInit::Data(pieces) = &g.init else { return None };
    let mut bytes = Vec::new();
    for piece in pieces {
        match &piece.value {
            InitValue::Bytes(b) if piece.offset == bytes.len() as u64 => bytes.extend(b),
            _ => return None,
        }
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    String::from_utf8(bytes).ok()
}

/// The locals that shape statements of a function name.
pub(crate) fn named_in_shapes(program: &Program, func: FuncId, body: &Body) -> Vec<LocalId> {
    let mut names = Vec::new();
    for statement in shape_statements_of(program, func) {
        let formulas = parse_formula(&statement.text).unwrap_or_default();
        names.extend(Instance::free_names(&formulas).into_iter().map(|(n, _)| n));
    }
    let is_named = |l: &LocalId| {
        body.locals.get(*l).and_then(|l| l.name.as_deref()).is_some_and(|n| names.iter().any(|m| m == n))
    };
    body.locals.indices().filter(is_named).collect()
}

/// A call of a function that assumes or checks a shape.
pub(crate) struct ShapeStatement {
    pub kind: LibFn,
    pub point: Point,
    pub span: Span,
    pub text: String,
}

/// The shape statements of a function whose text can be read.
pub(crate) fn shape_statements_of(program: &Program, f: FuncId) -> Vec<ShapeStatement> {
    let shape = |f: FuncId| {
        let kind = program.functions.get(f)?.library?;
        matches!(kind, LibFn::AssumeShape | LibFn::CheckShape).then_some(kind)
    };
    let mut found = Vec::new();
    let Some(body) = program.body(f) else { return found };
    for (id, block) in body.blocks.iter_enumerated() {
        for (index, s) in block.statements.iter().enumerate() {
            let StatementKind::Call(call) = &s.kind else { continue };
            let (Callee::Direct(target), Some(arg)) = (&call.callee, call.args.first()) else { continue };
            let Some(kind) = shape(*target) else { continue };
            let text = literal_operand(body, &block.statements, arg).and_then(|g| literal(program, g));
            let point = Point { function: f, block: id, index };
            found.extend(text.map(|text| ShapeStatement { kind, point, span: s.span, text }));
        }
    }
    found
}

/// Whether a step stays at the start of what it steps into.
fn is_start(step: &Projection) -> bool {
    match step {
        Projection::Field { offset, .. } => *offset == 0,
        Projection::Index { index, .. } => matches!(index, Operand::Const(Const::Int { value: 0, .. })),
    }
}

/// The string literal that an operand is, directly or through a temporary of the same block.
fn literal_operand(body: &Body, before: &[heapwise_ir::Statement], op: &Operand) -> Option<GlobalId> {
    match op {
        Operand::Const(Const::Global { global, offset: 0, .. }) => Some(*global),
        Operand::Local(l) if body.locals.get(*l).is_some_and(|l| l.name.is_none()) => {
            before.iter().rev().find_map(|s| match &s.kind {
                StatementKind::Assign { dest, value } if dest.as_local() == Some(*l) => match value {
                    Rvalue::Use(Operand::Const(Const::Global { global, offset: 0, .. }))
                    | Rvalue::Cast { arg: Operand::Const(Const::Global { global, offset: 0, .. }), .. } => {
                        Some(*global)
                    }
                    Rvalue::AddrOf(place) if place.path.iter().all(is_start) => match place.base {
                        PlaceBase::Global(g) => Some(g),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            })
        }
        _ => None,
    }
}
