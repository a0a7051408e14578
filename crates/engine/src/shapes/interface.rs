//! What a library looks like from outside, beside its contracts: so that a contract means in another program what it meant where it was
//! found, or is left out.
//!
//! A file of contracts names types, variables and functions of its library. In the program that relies on it the same names may be
//! other things: a record with other members, a function with other types, a variable of its own where the contract has a value
//! that it calls so, a static function. The file tells what its names are ([`told`]), and what does not fit is left out ([`adapt`]).
//!
//! **Invariant (names):** after [`adapt`] every name in a contract that is neither a parameter nor a variable which the library shares
//! has a mark that no variable of C can have.

use heapwise_heap::shape::ShapeError;
use heapwise_heap::shape::ast::{
    Atom, Contract, Formula, FunctionContract, Interface, Layout, ToldRecord, Unit, Value, ValueKind,
};
use heapwise_ir::{FuncId, GlobalKind, Program, RecordId, Ty, Type, TypeTable};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Most scalars of a record that are told.
const MAX_SCALARS: usize = 4096;

/// The word for a type: as much of it as values depend on.
fn word(types: &TypeTable, ty: Ty) -> String {
    match types.get(ty) {
        Type::Void => "void".into(),
        Type::Bool => "bool".into(),
        Type::Int(int) => format!("{}{}", if int.signed { 'i' } else { 'u' }, int.bits),
        Type::Float(_) => format!("f{}", 8 * types.size(ty)),
        Type::Pointer(_) => "ptr".into(),
        Type::Array { .. } | Type::Opaque { .. } => format!("bytes{}", types.size(ty)),
        Type::Function { .. } => "code".into(),
        Type::Record(r) => match types.records.get(*r).and_then(|r| r.name.as_deref()) {
            Some(name) => format!("record_{name}"),
            None => format!("record{}", types.size(ty)),
        },
    }
}

fn scalars(types: &TypeTable, record: RecordId) -> Vec<(u64, String)> {
    let fields = types.records.get(record).into_iter().flat_map(|r| &r.fields);
    let of = |f: &heapwise_ir::Field| {
        let inner = types.scalars(f.ty, MAX_SCALARS).into_iter();
        inner.map(|(off, ty)| (f.offset + off, word(types, ty))).collect::<Vec<_>>()
    };
    let mut all: Vec<(u64, String)> = fields.flat_map(of).collect();
    all.sort();
    all.dedup();
    all.truncate(MAX_SCALARS);
    all
}

/// The words for the types of a function's parameters, and of its result.
fn function_words(program: &Program, function: FuncId) -> Vec<String> {
    let Some(f) = program.functions.get(function) else { return Vec::new() };
    let Type::Function { ret, params, .. } = program.types.get(f.ty) else { return Vec::new() };
    params.iter().chain([ret]).map(|ty| word(&program.types, *ty)).collect()
}

/// How a contract begins: the function with the names of its parameters, and the words for its types.
pub fn head(program: &Program, function: FuncId, params: &[String]) -> String {
    let Some(f) = program.functions.get(function) else { return String::new() };
    let mut words = function_words(program, function);
    let result = words.pop().unwrap_or_default();
    let typed: Vec<String> = params.iter().zip(words).map(|(p, word)| format!("{p}: {word}")).collect();
    let internal = if f.internal { "static " } else { "" };
    format!("contract {internal}{}({}): {result}", f.name, typed.join(", "))
}

/// The clauses about what the contracts in a text name: records, variables that others see, and variables of the library's own.
pub fn told(program: &Program, text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = text.split(|c| !is_part(c)).collect();
    let mut out = String::new();
    let mut seen = BTreeSet::new();
    for (id, r) in program.types.records.iter_enumerated() {
        let Some(name) = r.name.as_deref().filter(|n| r.complete && words.contains(n)) else { continue };
        if seen.insert(name) {
            let all = scalars(&program.types, id).into_iter().map(|(off, word)| format!("{off}: {word}"));
            let all: Vec<String> = all.collect();
            let _ = writeln!(out, "record {name} {} {{ {} }};", r.size, all.join(", "));
        }
    }
    let of = |kind: GlobalKind| program.globals.iter().filter(move |g| g.kind == kind);
    let shared = of(GlobalKind::External).map(|g| format!("{}: {}", g.name, word(&program.types, g.ty)));
    let _ = writeln!(
        out,
        "variables {};",
        shared.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
    );
    let own: BTreeSet<&str> =
        of(GlobalKind::Static).map(|g| &*g.name).filter(|n| words.contains(n)).collect();
    if !own.is_empty() {
        let _ = writeln!(out, "own {};", own.into_iter().collect::<Vec<_>>().join(", "));
    }
    out
}

/// Makes the contracts of a library's file ones about this program; what means something else here is taken out, with the reason.
pub(super) fn adapt(program: &Program, unit: &mut Unit) -> Vec<ShapeError> {
    let mut left_out = Vec::new();
    let Unit { interface, predicates, functions, .. } = unit;
    let foreign = foreign_records(program, interface);
    let names_foreign = |formulas: &[Formula]| {
        formulas.iter().flat_map(|f| &f.atoms).find_map(|atom| match atom {
            Atom::Block(b) => match &b.layout {
                Layout::Record(name) => Some(name.text.clone()).filter(|n| foreign.contains(n)),
                Layout::Bytes(..) | Layout::Array { .. } => None,
            },
            Atom::Emp | Atom::Call(_) | Atom::Fact(..) => None,
        })
    };
    let other_record = |name: &str| format!("`{name}` is another record here than in the library");
    predicates.retain(|p| {
        let found = names_foreign(&p.cases);
        left_out.extend(found.iter().map(|r| ShapeError::new(p.name.at.clone(), other_record(r))));
        found.is_none()
    });
    functions.retain_mut(|f| {
        let clauses = || f.contract.requires.iter().chain(&f.contract.ensures);
        let record = clauses().find_map(|c| names_foreign(c)).map(|r| other_record(&r));
        let why = record.or_else(|| misfit(program, interface, f));
        if let Some(why) = &why {
            left_out.push(ShapeError::new(f.name.at.clone(), why.clone()));
        } else if let Some(shared) = &interface.variables {
            let params: BTreeSet<&str> = f.params.iter().map(|p| p.text.as_str()).collect();
            let shared = shared.iter().map(|(n, _)| n).chain(&interface.own).map(|n| n.text.as_str());
            let known: BTreeSet<&str> = params.into_iter().chain(shared).collect();
            mark_others(&mut f.contract, &known);
        }
        why.is_none()
    });
    left_out
}

/// The records that the program has otherwise than the library.
fn foreign_records(program: &Program, interface: &Interface) -> BTreeSet<String> {
    let differs = |told: &&ToldRecord| {
        let mut own = program.types.records.iter_enumerated();
        let own = own.find(|(_, r)| r.complete && r.name.as_deref() == Some(&told.name.text));
        own.is_some_and(|(id, r)| r.size != told.size || scalars(&program.types, id) != told.scalars)
    };
    interface.records.iter().filter(differs).map(|told| told.name.text.clone()).collect()
}

/// Why a contract does not speak of a function of the program, if it does not.
fn misfit(program: &Program, interface: &Interface, f: &FunctionContract) -> Option<String> {
    let name = &f.name.text;
    let id = program.function_named(name)?;
    let function = program.functions.get(id)?;
    if f.internal || function.internal {
        return Some(format!("`{name}` is static, so that calls from other files are of another function"));
    }
    let words = function_words(program, id);
    let differs = |(told, own): &(&Option<String>, &String)| told.as_ref().is_some_and(|told| told != *own);
    if let Some((Some(told), own)) = f.types.iter().zip(&words).find(differs) {
        return Some(format!(
            "`{name}` has another type here than in the library: {own} where {told} is told"
        ));
    }
    let speaks_of = |of: &str| f.contract.mentions(of) && !f.params.iter().any(|p| p.text == of);
    if let Some(own) = interface.own.iter().find(|n| speaks_of(&n.text)) {
        return Some(format!("it speaks of `{}`, a variable that only its library sees", own.text));
    }
    let shared = interface.variables.iter().flatten().filter(|(n, _)| speaks_of(&n.text));
    for (variable, told) in shared {
        let mut all =
            program.globals.iter().filter(|g| *g.name == *variable.text && g.kind == GlobalKind::External);
        let own = all.next().map(|g| word(&program.types, g.ty));
        if own.as_ref().is_none_or(|own| own != told) {
            return Some(format!("the program has no variable `{}` like that of the library", variable.text));
        }
    }
    None
}

/// Marks the names that are no variables, so that they are not taken for some of the program.
fn mark_others(contract: &mut Contract, known: &BTreeSet<&str>) {
    let mark = |n: &mut String| {
        if !known.contains(n.as_str()) {
            n.push('\'');
        }
    };
    contract.values_mut(|v: &mut Value| match &mut v.kind {
        ValueKind::Name(n) | ValueKind::Old(n) | ValueKind::FieldOf(n, _) => mark(n),
        ValueKind::Number(_) | ValueKind::Any | ValueKind::Result => {}
    });
    for f in contract.requires.iter_mut().chain(&mut contract.ensures).flatten() {
        f.exists.iter_mut().for_each(|e| mark(&mut e.text));
    }
}
