//! States in sentences: what the variables of a function lead to.
//!
//! One sentence says what holds at a point: the structures with their names and ends, the objects, what is null, freed or not
//! initialised, and what is known of numbers. Several disjuncts become "either …, or …". The same sentences stand in
//! reports (`check --invariants`), drawings, hovers and witnesses.

use crate::chains::chains;
use crate::names::{Naming, Way, Ways, listed};
use heapwise_engine::{Point, Report};
use heapwise_heap::state::Death;
use heapwise_heap::{Content, Object, ObjectKind, PredId, Root, State, Summary, Sym, Val};
use heapwise_ir::{Cfg, FuncId, Program, Span, Type, Wto};
use std::collections::BTreeSet;

/// Most disjuncts that are told one by one.
const MAX_DISJUNCTS: usize = 4;
/// Most cells of an object that are told.
const MAX_CELLS: usize = 4;
/// Most objects that are told one by one.
const MAX_OBJECTS: usize = 8;

/// The final states at all points, in the order of the program.
pub fn points(report: &Report) -> std::collections::BTreeMap<Point, &Vec<State>> {
    let all = if report.final_states.is_empty() { &report.states } else { &report.final_states };
    all.iter().map(|(p, s)| (*p, s)).collect()
}

/// The text at a point.
pub fn span_of(program: &Program, point: Point) -> Span {
    let block = program.body(point.function).and_then(|b| b.blocks.get(point.block));
    let statement = block.and_then(|b| b.statements.get(point.index)).map(|s| s.span);
    statement.or(block.map(|b| b.terminator.span)).unwrap_or_default()
}

/// What holds at a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The loop's head.
    pub point: Point,
    /// Where it is.
    pub span: Span,
    /// The sentence.
    pub sentence: String,
    /// The cases of which one holds, each in words.
    pub cases: Vec<String>,
}

/// What holds at the loops of a program; the report must hold states.
pub fn invariants(program: &Program, report: &Report) -> Vec<Invariant> {
    let mut heads: Option<(FuncId, Wto)> = None;
    let mut found = Vec::new();
    for (point, states) in points(report) {
        let Some(body) = program.body(point.function) else { continue };
        if heads.as_ref().is_none_or(|(f, _)| *f != point.function) {
            heads = Some((point.function, Wto::new(&Cfg::new(body))));
        }
        let is_head = heads.as_ref().is_some_and(|(_, w)| w.is_head(point.block));
        if point.index != 0 || !is_head {
            continue;
        }
        let Some(naming) = Naming::at(program, report, point.function) else { continue };
        let (sentence, cases) = (sentence(states, naming), cases(states, naming));
        found.push(Invariant { point, span: span_of(program, point), sentence, cases });
    }
    found
}

/// Disjuncts in the order in which they are told and drawn: those with most memory in structures first, then those with most
/// objects. What is general says most, and the empty list least.
pub fn ordered(states: &[State]) -> Vec<&State> {
    let mut all: Vec<&State> = states.iter().collect();
    all.sort_by_key(|s| std::cmp::Reverse((s.summaries().count(), s.heap_blocks())));
    all
}

/// The disjuncts at a point, each in words.
pub fn cases(states: &[State], naming: Naming<'_>) -> Vec<String> {
    let mut each: Vec<String> = Vec::new();
    for s in ordered(states) {
        let text = one(s, naming);
        if !each.contains(&text) {
            each.push(text);
        }
    }
    each
}

/// One sentence for all disjuncts at a point.
pub fn sentence(states: &[State], naming: Naming<'_>) -> String {
    match cases(states, naming).as_slice() {
        [] => "never reached".into(),
        [one] => one.clone(),
        all => {
            let mut shown: Vec<String> = all.iter().take(MAX_DISJUNCTS).cloned().collect();
            match all.len().saturating_sub(MAX_DISJUNCTS) {
                0 => {}
                1 => shown.push("one more case".into()),
                more => shown.push(format!("one of {more} more cases")),
            }
            format!("either {}", shown.join("; or "))
        }
    }
}

/// Why two disjuncts stayed apart, with structures called what a person would call them.
pub fn reason(why: &str, naming: Naming<'_>) -> String {
    let mut text = why.to_owned();
    // Longer names first: one may begin with another.
    let mut preds: Vec<(PredId, &str)> = naming.preds.iter().map(|(id, p)| (id, &*p.name)).collect();
    preds.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
    for (id, name) in preds {
        if !text.contains(&format!("`{name}`")) {
            continue;
        }
        let words = naming.structure(id);
        for some in ["", "possibly empty "] {
            text = text
                .replace(
                    &format!("the end of a {some}segment of `{name}`"),
                    &format!("the last element of a {some}{words}"),
                )
                .replace(&format!("a {some}segment of `{name}`"), &format!("a {some}{words}"))
                .replace(&format!("a {some}structure `{name}`"), &format!("a {some}{words}"));
        }
    }
    text
}

/// The sentence for one disjunct.
pub fn one(state: &State, naming: Naming<'_>) -> String {
    let clauses = clauses(state, naming);
    if clauses.is_empty() { "nothing is known of the variables".into() } else { clauses.join(", ") }
}

/// What a state says of a variable.
pub fn about(state: &State, variable: &str, naming: Naming<'_>) -> String {
    let speaks = |clause: &String| {
        ["`", "->", ".", "["].iter().any(|end| clause.contains(&format!("`{variable}{end}")))
    };
    clauses(state, naming).into_iter().filter(speaks).collect::<Vec<_>>().join(", ")
}

fn clauses(state: &State, naming: Naming<'_>) -> Vec<String> {
    let ways = Ways::new(state, naming);
    let mut told: BTreeSet<Sym> = BTreeSet::new();
    let mut clauses = Vec::new();
    let mut summaries: Vec<&Summary> = state.summaries().collect();
    // Those that variables name come first, whole ones before parts.
    let rank = |s: &&Summary| match s.root.as_sym().and_then(|r| ways.to(r)) {
        Some(Way::Expression(e)) => (0, s.end.is_some(), e.len()),
        Some(Way::Place(_)) => (1, s.end.is_some(), 0),
        Some(Way::Words(_)) => (2, s.end.is_some(), 0),
        None => (3, s.end.is_some(), 0),
    };
    summaries.sort_by_key(rank);
    let mut kinds: Vec<PredId> = Vec::new();
    let mut wholes: Vec<(String, Vec<String>)> = Vec::new();
    for s in summaries {
        told.extend(s.root.as_sym());
        let name = naming.instance(state, s, kinds.contains(&s.pred));
        kinds.push(s.pred);
        match (s.root.as_sym().and_then(|r| ways.to(r)), &s.end) {
            (Some(way @ Way::Expression(_)), None) => {
                // Structures of one kind share a clause.
                let full = naming.instance(state, s, false);
                match wholes.iter_mut().find(|(known, _)| *known == full) {
                    Some((_, all)) => all.push(way.shown()),
                    None => wholes.push((full, vec![way.shown()])),
                }
            }
            _ => clauses.push(structure(state, s, &name, &ways, naming)),
        }
    }
    let whole = |(name, all): (String, Vec<String>)| match all.as_slice() {
        [one] => format!("{one} is a {name}"),
        all => format!("{} are each a {name}", listed(all)),
    };
    clauses.splice(0..0, wholes.into_iter().map(whole));
    for chain in chains(state, naming) {
        if let Some(text) = chain.words(state, &ways, naming) {
            clauses.push(text);
            told.extend(chain.members);
        }
    }
    let mut objects: Vec<(Sym, &Object)> = state.objects().map(|(s, o)| (s, &**o)).collect();
    objects.retain(|(s, o)| {
        !told.contains(s) && {
            let named = matches!(ways.to(*s), Some(Way::Expression(_) | Way::Words(_)) | None);
            o.kind == ObjectKind::Heap && (named || state.object_count() < MAX_OBJECTS)
        }
    });
    let more = objects.len().saturating_sub(MAX_OBJECTS);
    for (s, o) in objects.into_iter().take(MAX_OBJECTS) {
        told.insert(s);
        clauses.push(object(state, s, o, &ways, naming));
    }
    if more > 0 {
        clauses.push(format!("there are {more} more blocks"));
    }
    clauses.extend(variables(state, &told, &ways, naming));
    clauses
}

fn structure(state: &State, s: &Summary, name: &str, ways: &Ways, naming: Naming<'_>) -> String {
    let root = s.root.as_sym().and_then(|r| ways.to(r));
    let Some((end, _)) = &s.end else {
        return match root {
            Some(Way::Words(w)) => format!("{w} heads a {name}"),
            Some(way) => format!("{} is a {name}", way.shown()),
            None => format!("there is a {name}"),
        };
    };
    if let Some(head) = ring(state, s) {
        let head = ways.to(head).map_or("a head".to_owned(), |w| match w {
            Way::Place(p) => format!("`{p}`"),
            w => w.shown(),
        });
        return format!("there is a ring around {head}, a {name}");
    }
    let end = ways.value(state, *end, naming);
    let end = if end == "0" { "null".into() } else { end };
    match root {
        Some(way) => format!("{} leads to {end} by a {name}", way.shown()),
        None => format!("a {name} leads to {end}"),
    }
}

/// The object that a segment both starts from and ends at.
pub fn ring(state: &State, s: &Summary) -> Option<Sym> {
    let (end, _) = s.end.as_ref()?;
    let head = end.as_sym()?;
    let object = state.object(head)?;
    let root = s.root.as_sym()?;
    object.cells().any(|(_, c)| c.val.as_sym() == Some(root)).then_some(head)
}

fn object(state: &State, s: Sym, o: &Object, ways: &Ways, naming: Naming<'_>) -> String {
    let mut cells: Vec<String> = Vec::new();
    for (off, c) in o.cells().take(MAX_CELLS) {
        let value = ways.value(state, c.val, naming);
        let pointer = is_pointer(o, off, naming);
        let value = if value == "0" && pointer { "null".into() } else { value };
        // What is named by this very member says nothing of it.
        let own = naming.part(o, off).zip(ways.to(s)).is_some_and(|(part, way)| match way {
            Way::Expression(e) => value == format!("`{e}->{part}`"),
            Way::Place(_) | Way::Words(_) => value.contains(&format!("`{part}` of")),
        });
        if value == "unknown" || own {
            continue;
        }
        cells.push(match naming.part(o, off) {
            Some(part) => format!("`{part}` {value}"),
            None => value,
        });
    }
    let with = if cells.is_empty() { String::new() } else { format!(" with {}", listed(&cells)) };
    let what = naming.object(o);
    match ways.to(s) {
        Some(Way::Words(w)) => format!("{w} is a `{what}`{with}"),
        Some(way) => format!("{} points to a `{what}`{with}", way.shown()),
        None => format!("there is a `{what}`{with}"),
    }
}

/// Whether the cell of an object at an offset is a pointer.
pub fn is_pointer(o: &Object, off: u64, naming: Naming<'_>) -> bool {
    let Some(ty) = naming.object_type(o) else { return false };
    let types = &naming.program.types;
    types.scalars(ty, 256).iter().any(|(at, t)| *at == off && matches!(types.get(*t), Type::Pointer(_)))
}

/// What variables hold that was not told with structures and objects.
fn variables(state: &State, told: &BTreeSet<Sym>, ways: &Ways, naming: Naming<'_>) -> Vec<String> {
    let (mut null, mut undefined, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (root, v) in state.roots() {
        let Some(name) = naming.variable(root) else { continue };
        let pointer =
            naming.type_of(root).is_some_and(|t| matches!(naming.program.types.get(t), Type::Pointer(_)));
        let mut tell = |v: Val, pointer: bool| {
            if v == Val::ZERO && pointer {
                null.push(format!("`{name}`"));
            } else if v.is_undef() {
                undefined.push(format!("`{name}`"));
            } else if let Some(n) = v.as_int() {
                rest.push(format!("`{name}` is {n}"));
            } else if let Some(s) = v.as_sym() {
                match state.death(s) {
                    Some(Death::Freed(_)) => rest.push(format!("`{name}` is freed")),
                    Some(Death::Scope(_)) => rest.push(format!("`{name}` points to a variable that is gone")),
                    None => match ways.to(s) {
                        // An alias of something that has another name.
                        Some(Way::Expression(e)) if *e != name && v.off == 0 => {
                            rest.push(format!("`{name}` is `{e}`"));
                        }
                        Some(Way::Place(p)) if v.off == 0 && root_is_value(root) => {
                            rest.push(format!("`{name}` is `&{p}`"));
                        }
                        _ if told.contains(&s) || state.has_object(s) => {}
                        _ => {
                            let value = number(state, v);
                            rest.extend(value.map(|n| format!("`{name}` is {n}")));
                        }
                    },
                }
            }
        };
        match root {
            Root::Slot(_) | Root::Global(_) => {
                // A variable in memory: what it holds, if it is one value.
                let object = v.as_sym().and_then(|s| state.object(s));
                let scalar = naming.type_of(root).is_some_and(|t| naming.program.types.is_scalar(t));
                let size = naming.type_of(root).map_or(0, |t| naming.program.types.size(t));
                if let (Some(o), true) = (object, scalar)
                    // What is zero from the start has no cell.
                    && let Content::Val(held) = o.read(0, size)
                {
                    tell(held, pointer);
                } else if let (Some(o), Some(s), false) = (object, v.as_sym(), scalar) {
                    members(&name, s, o, naming, &mut null, &mut rest);
                }
            }
            _ => tell(v, pointer),
        }
    }
    let mut clauses = Vec::new();
    let are = |names: &[String]| if names.len() == 1 { "is" } else { "are" };
    if !null.is_empty() {
        clauses.push(format!("{} {} null", listed(&null), are(&null)));
    }
    if !undefined.is_empty() {
        clauses.push(format!("{} {} not initialised", listed(&undefined), are(&undefined)));
    }
    clauses.extend(rest);
    clauses
}

/// Members of a variable that are null, or lead to the variable itself.
fn members(
    name: &str,
    own: Sym,
    o: &Object,
    naming: Naming<'_>,
    null: &mut Vec<String>,
    rest: &mut Vec<String>,
) {
    for (off, c) in o.cells().take(MAX_CELLS) {
        let Some(part) = naming.part(o, off).filter(|_| is_pointer(o, off, naming)) else { continue };
        let dot = if part.starts_with('[') { "" } else { "." };
        if c.val == Val::ZERO {
            null.push(format!("`{name}{dot}{part}`"));
        } else if c.val == Val::sym(own) {
            rest.push(format!("`{name}{dot}{part}` is `&{name}`"));
        }
    }
}

fn root_is_value(root: Root) -> bool {
    !matches!(root, Root::Slot(_) | Root::Global(_))
}

/// What is known of a number, unless it is what its type allows anyway.
pub fn number(state: &State, v: Val) -> Option<String> {
    let r = state.range(v);
    match (r.lo, r.hi) {
        (Some(a), Some(b)) if a == b => Some(a.to_string()),
        // What a type allows anyway is no news.
        (Some(a), Some(b)) if a > 0 && b >= i128::from(i32::MAX) => Some(format!("at least {a}")),
        (Some(a), Some(b)) if b.saturating_sub(a) < (1 << 31) => Some(format!("{a} to {b}")),
        (Some(a), _) if a > i128::from(i32::MIN) && a > 0 => Some(format!("at least {a}")),
        _ => None,
    }
}
