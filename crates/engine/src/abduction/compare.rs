//! Do two contracts say the same? Entailment in both directions, of the preconditions and of the postconditions.
//!
//! Both are read over the same table of predicates and become states over the same roots: arguments, variables before and after
//! the call, the result, and values of the precondition that a postcondition mentions. Such values are called after the cells that
//! hold them, so that it does not matter which names the contracts have chosen. Entailment is inclusion of states, which is not
//! complete: contracts that are told apart here may still mean the same, but not the other way round.

use super::Found;
use crate::shapes::declare::{Declarations, ShapeFile, declare, global_named};
use crate::shapes::prove::{Part, proves};
use heapwise_heap::shape::Env;
use heapwise_heap::shape::ast::{Atom, Contract, Formula, Place, Step, Value, ValueKind};
use heapwise_heap::{Root, State, Val};
use heapwise_ir::{FuncId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Why two contracts of a function do not say the same, in a sentence; `None` if they do.
pub fn difference(
    program: &Program,
    function: FuncId,
    params: &[String],
    (a, b): (&Found, &Found),
) -> Option<String> {
    if a == b {
        return None;
    }
    if a.may_exit != b.may_exit {
        return Some("only one of them may end the program".into());
    }
    let mut predicates = a.predicates.clone();
    predicates.extend(b.predicates.iter().filter(|p| !a.predicates.contains(p)).cloned());
    let read = |found: &Found| {
        let name = program.functions.get(function).map_or_else(String::new, |f| f.name.to_string());
        let clauses = found.clauses();
        let text = format!("{}\ncontract {name}({})\n{clauses}", predicates.join("\n"), params.join(", "));
        let file = ShapeFile { name: String::new(), text, at_calls: false };
        let mut declarations = declare(program, &[file])
            .map_err(|errors| errors.into_iter().next().map_or_else(String::new, |e| e.message))?;
        let contract = declarations.contracts.remove(&function).ok_or("there is no contract")?;
        Ok((declarations, contract))
    };
    let sides = read(a).and_then(|x| Ok((x, read(b)?)));
    let ((declarations, mut a), (_, mut b)): ((Declarations, Contract), _) = match sides {
        Ok(both) => both,
        Err(why) => return Some(why),
    };
    let is_given = |n: &str| params.iter().any(|p| p == n) || global_named(program, n).is_some();
    let mut names: BTreeSet<String> = params.iter().cloned().collect();
    for contract in [&mut a, &mut b] {
        let inner = inner_names(contract, &is_given);
        rename(contract, &inner);
        names.extend(contract.logic_names(is_given, false));
        for f in contract.requires.iter().chain(&contract.ensures).flatten() {
            f.values(|v| {
                if let ValueKind::Name(n) | ValueKind::Old(n) | ValueKind::FieldOf(n, _) = &v.kind
                    && is_given(n)
                {
                    names.insert(n.clone());
                }
            });
        }
    }
    let reading = Reading { program, declarations: &declarations, params, names: &names };
    let clauses = [("pre", &a.requires, &b.requires), ("post", &a.ensures, &b.ensures)];
    for (what, a, b) in clauses {
        // Inclusion does not always see that a formula with structures in the middle of others entails itself.
        if a == b {
            continue;
        }
        let (a, b) = match (reading.states(a, what == "post"), reading.states(b, what == "post")) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(why), _) | (_, Err(why)) => return Some(why),
        };
        let entails = |from: &[State], to: &[State]| {
            from.iter().all(|s| proves(s, to, Part::Whole, &declarations.preds).is_ok())
        };
        if !entails(&a, &b) {
            return Some(format!("the first {what}condition does not entail the second"));
        }
        if !entails(&b, &a) {
            return Some(format!("the second {what}condition does not entail the first"));
        }
    }
    None
}

/// Names for values inside of memory, after the cells of the precondition that hold them.
fn inner_names(contract: &Contract, is_given: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
    let plain = |v: &Value| match &v.kind {
        ValueKind::Name(n) if v.plus.is_empty() => Some(n.clone()),
        _ => None,
    };
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    loop {
        let before = found.len();
        for atom in contract.requires.iter().flatten().flat_map(|f| &f.atoms) {
            let Atom::Block(block) = atom else { continue };
            let Some(root) = plain(&block.root) else { continue };
            let Some(path) = found.get(&root).cloned().or_else(|| is_given(&root).then_some(root)) else {
                continue;
            };
            for cell in &block.cells {
                let Some(n) = plain(&cell.value).filter(|n| !is_given(n)) else { continue };
                found.entry(n).or_insert_with(|| format!("{path}.{}", place_word(&cell.place)));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn place_word(place: &Place) -> String {
    match place {
        Place::Bytes(off, width) => format!("@{off}:{width}"),
        Place::Field(path) => {
            let steps = path.steps.iter().map(|s| match s {
                Step::Field(f) => format!(".{f}"),
                Step::Index(i) => format!("[{i}]"),
            });
            steps.collect()
        }
    }
}

/// In a postcondition only old values are those of the precondition.
fn rename(contract: &mut Contract, names: &BTreeMap<String, String>) {
    let new = |n: &mut String| {
        if let Some(name) = names.get(n) {
            n.clone_from(name);
        }
    };
    let mut before = Contract { requires: std::mem::take(&mut contract.requires), ..Contract::default() };
    before.values_mut(|v| {
        if let ValueKind::Name(n) | ValueKind::FieldOf(n, _) = &mut v.kind {
            new(n);
        }
    });
    contract.requires = before.requires;
    contract.values_mut(|v| {
        if let ValueKind::Old(n) = &mut v.kind {
            new(n);
        }
    });
}

struct Reading<'a> {
    program: &'a Program,
    declarations: &'a Declarations,
    params: &'a [String],
    names: &'a BTreeSet<String>,
}

impl Reading<'_> {
    /// The states that clauses describe, which hold together.
    fn states(&self, clauses: &[Vec<Formula>], after: bool) -> Result<Vec<State>, String> {
        let mut start = State::default();
        let mut roots: Vec<(String, Root)> = Vec::new();
        for (i, name) in self.names.iter().enumerate() {
            roots.push((name.clone(), Root::Cut(i as u32)));
        }
        // Variables after the call are others than before.
        let changes = |n: &String| !self.params.contains(n) && global_named(self.program, n).is_some();
        let mut now: Vec<(String, Root)> = roots.clone();
        for (i, (name, root)) in now.iter_mut().enumerate().filter(|_| after) {
            if changes(name) {
                *root = Root::Cut((self.names.len() + i) as u32);
            }
        }
        for (_, root) in roots.iter().chain(&now) {
            let v = Val::sym(start.fresh());
            start.set_root(*root, v);
        }
        if after {
            let v = Val::sym(start.fresh());
            start.set_root(Root::Result, v);
        }
        let mut states = vec![start];
        for clause in clauses {
            let mut next = Vec::new();
            for state in &states {
                let values = |of: &[(String, Root)]| -> BTreeMap<String, Val> {
                    of.iter().filter_map(|(n, r)| Some((n.clone(), state.root(*r)?))).collect()
                };
                let is_inner = |n: &String| !self.params.contains(n) && !changes(n);
                let mut names = values(&now);
                names.retain(|n, _| !after || !is_inner(n));
                let old = if after { values(&roots) } else { BTreeMap::new() };
                let env = Env { names, old, result: state.root(Root::Result) };
                for formula in clause {
                    let instance = self.declarations.instance(&self.declarations.preds, self.program);
                    next.extend(instance.add(formula, &env, state.clone()).map_err(|e| e.message)?);
                }
            }
            states = next;
        }
        Ok(states)
    }
}
