//! Chains of objects that are all known: "a list of 5 `struct node` through `next`" instead of five clauses.
//!
//! Where a program builds a list of a few elements, the analysis knows each of them; a person sees a list. A chain is a row of
//! objects of one record, each led to by the same member of the one before. No variable holds the address of one but the first,
//! and there are no other members by which they lead to each other but a link back: what is left is no list.

use crate::names::{Naming, Ways, listed};
use heapwise_heap::{Content, Object, ObjectKind, Root, State, Sym, Val};
use std::collections::{BTreeMap, BTreeSet};

/// Fewest objects that are told together.
const LEAST: usize = 2;
/// Most numbers that are told one by one.
const MAX_NUMBERS: usize = 8;

/// Objects that follow each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Their addresses, in order.
    pub members: Vec<Sym>,
    /// The member that leads to the next one.
    link: u64,
    /// The member that leads to the one before.
    back: Option<u64>,
}

/// Addresses that variables hold.
fn held(state: &State, naming: Naming<'_>) -> BTreeSet<Sym> {
    let mut all = BTreeSet::new();
    for (root, v) in state.roots().filter(|(r, _)| naming.variable(*r).is_some()) {
        match root {
            Root::Slot(_) | Root::Global(_) => {
                let scalar = naming.type_of(root).is_some_and(|t| naming.program.types.is_scalar(t));
                let object = v.as_sym().filter(|_| scalar).and_then(|s| state.object(s));
                all.extend(object.into_iter().flat_map(|o| o.cells()).filter_map(|(_, c)| c.val.as_sym()));
            }
            _ => all.extend(v.as_sym()),
        }
    }
    all
}

/// The chains of a state, the longest first.
pub fn chains(state: &State, naming: Naming<'_>) -> Vec<Chain> {
    let elements: BTreeMap<Sym, &Object> = state
        .objects()
        .filter(|(_, o)| o.kind == ObjectKind::Heap && o.record.is_some())
        .map(|(s, o)| (s, &**o))
        .collect();
    let held = held(state, naming);
    // Members that lead to elements of the same record.
    let edges = |s: Sym| -> Vec<(u64, Sym)> {
        let Some(o) = elements.get(&s) else { return Vec::new() };
        let leads = |v: Val| v.as_sym().filter(|t| v.off == 0 && *t != s);
        let alike = |t: &Sym| elements.get(t).is_some_and(|other| other.record == o.record);
        o.cells().filter_map(|(off, c)| Some((off, leads(c.val).filter(alike)?))).collect()
    };
    let links: BTreeSet<u64> = elements.keys().flat_map(|s| edges(*s)).map(|(off, _)| off).collect();
    let mut found: Vec<Chain> = Vec::new();
    for link in links {
        let next = |s: Sym| {
            let to = edges(s).into_iter().find(|(off, _)| *off == link).map(|(_, t)| t);
            to.filter(|t| !held.contains(t))
        };
        let led: BTreeSet<Sym> = elements.keys().filter_map(|s| next(*s)).collect();
        for start in elements.keys().filter(|s| !led.contains(s)) {
            let mut members = vec![*start];
            while let Some(t) = members.last().and_then(|s| next(*s)).filter(|t| !members.contains(t)) {
                members.push(t);
            }
            let record = elements.get(start).and_then(|o| o.record);
            let links = record.map_or(0, |r| naming.own_links(r));
            // An element with more links than a list needs is one of a tree, whether or not they are in use.
            found.extend(plain(members, link, &edges).filter(|c| links <= 1 + usize::from(c.back.is_some())));
        }
    }
    // Of a doubly-linked list both directions are found; the one that starts at a variable is told, or what people call next.
    found.sort_by_key(|c| {
        let first = c.members.first();
        let named = first.and_then(|s| naming.part(elements.get(s)?, c.link));
        let next = named.is_some_and(|part| part.contains("next"));
        (std::cmp::Reverse(c.members.len()), !first.is_some_and(|s| held.contains(s)), !next, c.link)
    });
    let mut told: BTreeSet<Sym> = BTreeSet::new();
    found.retain(|c| {
        let new = c.members.iter().all(|s| !told.contains(s));
        told.extend(c.members.iter().filter(|_| new));
        new
    });
    found
}

/// The chain that members are, if they lead to each other in no other way than one link, and one back.
fn plain(members: Vec<Sym>, link: u64, edges: &dyn Fn(Sym) -> Vec<(u64, Sym)>) -> Option<Chain> {
    if members.len() < LEAST {
        return None;
    }
    let mut back: BTreeSet<u64> = BTreeSet::new();
    for (i, s) in members.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| members.get(i));
        for (off, t) in edges(*s).into_iter().filter(|(off, _)| *off != link) {
            match before {
                Some(b) if *b == t => back.extend([off]),
                None => {}
                Some(_) => return None,
            }
        }
    }
    (back.len() < 2).then(|| Chain { members, link, back: back.first().copied() })
}

impl Chain {
    /// What it is, in words.
    pub fn words(&self, state: &State, ways: &Ways, naming: Naming<'_>) -> Option<String> {
        let objects: Vec<&Object> =
            self.members.iter().map(|s| state.object(*s).map(|o| &**o)).collect::<Option<_>>()?;
        let (first, last) = (objects.first()?, objects.last()?);
        let part = |off: u64| naming.part(first, off).map(|p| format!("`{p}`"));
        let kind = if self.back.is_some() { "doubly-linked list" } else { "list" };
        let mut through = part(self.link)?;
        if let Some(back) = self.back.and_then(part) {
            through.push_str(&format!(" and {back}"));
        }
        let n = objects.len();
        let mut text = format!("{kind} of {n} `{}` through {through}", naming.object(first));
        let end = last.cell(self.link, naming.program.types.pointer_size);
        if let Some(end) = end.filter(|v| *v != Val::ZERO) {
            text.push_str(&match ways.value(state, end, naming) {
                value if value == "unknown" => " up to something else".to_owned(),
                value => format!(" up to {value}"),
            });
        }
        for (off, c) in first.cells() {
            let numbers = objects.iter().map(|o| match o.read(off, c.width) {
                Content::Val(v) => v.as_int(),
                _ => None,
            });
            let (Some(numbers), Some(part)) = (numbers.collect::<Option<Vec<i128>>>(), part(off)) else {
                continue;
            };
            let same = numbers.iter().all(|m| Some(m) == numbers.first());
            if same && let Some(n) = numbers.first() {
                text.push_str(&format!(", {part} {n} in all"));
            } else if numbers.len() <= MAX_NUMBERS {
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                text.push_str(&format!(", {part} {}", listed(&numbers)));
            }
        }
        let root = self.members.first().and_then(|s| ways.to(*s));
        Some(root.map_or(format!("there is a {text}"), |way| format!("{} is a {text}", way.shown())))
    }
}
