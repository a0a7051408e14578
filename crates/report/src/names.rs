//! What a person would call the things in a state: structures, elements, members, and ways to values.
//!
//! A structure is named by its type and links, read off the definition of its predicate: "list of `struct node` through
//! `next`", "binary tree of `struct t` through `left` and `right` with parent `up`". An address is named by the expression that
//! leads there from a variable (`list->next`), or where none does by what lies before it ("an element after `cur`").
//!
//! **Invariant:** names are for people. They say nothing that the state does not, but they may leave things out.

use crate::states::field_path;
use heapwise_engine::{Point, Report};
use heapwise_heap::pred::{Callee, Case, Fact, Pred, Tail, Term, TermBase};
use heapwise_heap::{Base, Object, ObjectKind, PredId, PredTable, Root, State, Summary, Sym, Val};
use heapwise_ir::{Body, FuncId, GlobalKind, LocalId, Program, RecordId, RecordKind, Ty, Type};
use std::collections::{BTreeMap, VecDeque};

/// How deep structures inside of structures are named.
const MAX_DEPTH: usize = 3;

/// What names are read off: a program, a function, the predicates in use.
#[derive(Clone, Copy)]
pub struct Naming<'a> {
    /// The program.
    pub program: &'a Program,
    /// The function whose states are named.
    pub body: &'a Body,
    /// The predicates in use.
    pub preds: &'a PredTable,
    /// The parameters whose values at the call are kept, as a set of bits.
    pub kept: u64,
}

impl<'a> Naming<'a> {
    /// The names of a function's states in a report. What the caller holds has the name of a parameter only where all states
    /// at the start of the function say that it is this parameter's value.
    pub fn at(program: &'a Program, report: &'a Report, function: FuncId) -> Option<Naming<'a>> {
        let body = program.body(function)?;
        let start = Point { function, block: Body::ENTRY, index: 0 };
        let states = report.final_states.get(&start).or_else(|| report.states.get(&start));
        let is_kept = |(i, p): (usize, &LocalId)| {
            let kept = |s: &State| {
                let slot = || s.root(Root::Slot(*p)).and_then(|v| s.object(v.as_sym()?)?.cells().next());
                let value = s.root(Root::Local(*p)).or_else(|| slot().map(|(_, c)| c.val));
                value.is_some() && s.root(Root::Cut(i as u32)) == value
            };
            states.is_some_and(|all| !all.is_empty() && all.iter().all(kept)).then_some(i)
        };
        let kept = body.params.iter().enumerate().filter_map(is_kept);
        let kept = kept.filter(|i| *i < 64).fold(0, |set, i| set | 1 << i);
        Some(Naming { program, body, preds: &report.preds, kept })
    }
}

impl Naming<'_> {
    /// The variable behind a root; none for temporaries and texts.
    pub fn variable(&self, root: Root) -> Option<String> {
        let local = |l| self.body.locals.get(l).and_then(|l| l.name.as_deref()).map(str::to_owned);
        match root {
            Root::Local(l) | Root::Slot(l) => local(l),
            Root::Global(g) => {
                let global = self.program.globals.get(g)?;
                (global.kind != GlobalKind::Literal).then(|| global.name.to_string())
            }
            Root::Result => Some("\\result".into()),
            Root::Cut(i) => {
                let kept = i < 64 && self.kept >> i & 1 == 1;
                let param = self.body.params.get(i as usize).copied().filter(|_| kept).and_then(local);
                param.map(|p| format!("\\old({p})"))
            }
            Root::AtExit(_) | Root::Model(_) | Root::Kept(_) => None,
        }
    }

    /// The type of a variable.
    pub fn type_of(&self, root: Root) -> Option<Ty> {
        match root {
            Root::Local(l) | Root::Slot(l) => self.body.locals.get(l).map(|l| l.ty),
            Root::Global(g) => self.program.globals.get(g).map(|g| g.ty),
            _ => None,
        }
    }

    /// A record as it is declared: `struct node`.
    pub fn record(&self, record: RecordId) -> Option<String> {
        let record = self.program.types.records.get(record)?;
        let word = if record.kind == RecordKind::Union { "union" } else { "struct" };
        record.name.as_deref().map(|name| format!("{word} {name}"))
    }

    fn record_type(&self, record: RecordId) -> Option<Ty> {
        let n = self.program.types.len() as u32;
        (0..n).map(Ty).find(|t| *self.program.types.get(*t) == Type::Record(record))
    }

    /// How many pointers to its own kind a record has.
    pub fn own_links(&self, record: RecordId) -> usize {
        let types = &self.program.types;
        let own = |t: Ty| match types.get(t) {
            Type::Pointer(to) => *types.get(*to) == Type::Record(record),
            _ => false,
        };
        let ty = self.record_type(record);
        ty.map_or(0, |ty| types.scalars(ty, 64).iter().filter(|(_, t)| own(*t)).count())
    }

    /// The member of a record at an offset.
    pub fn member(&self, record: Option<RecordId>, off: u64) -> String {
        let ty = record.and_then(|r| self.record_type(r));
        ty.and_then(|ty| field_path(&self.program.types, ty, off)).unwrap_or_else(|| format!("byte {off}"))
    }

    /// The type of an object.
    pub fn object_type(&self, o: &Object) -> Option<Ty> {
        match o.kind {
            ObjectKind::Local(l) => self.body.locals.get(l).map(|l| l.ty),
            ObjectKind::Global(g) => self.program.globals.get(g).map(|g| g.ty),
            _ => self.record_type(o.record?),
        }
    }

    /// The part of an object at an offset; none for an object that is one scalar.
    pub fn part(&self, o: &Object, off: u64) -> Option<String> {
        let ty = self.object_type(o);
        if ty.is_some_and(|t| self.program.types.is_scalar(t)) {
            return None;
        }
        let path = ty.and_then(|ty| field_path(&self.program.types, ty, off));
        if o.kind == ObjectKind::TextArray {
            return Some(format!("[{}]", off / self.program.types.pointer_size.max(1)));
        }
        Some(path.unwrap_or_else(|| format!("[{off}]")))
    }

    /// What kind of thing an object is: `struct node`, "block of 24 bytes".
    pub fn object(&self, o: &Object) -> String {
        let record = o.record.and_then(|r| self.record(r));
        match o.kind {
            ObjectKind::Text { .. } => return "text".into(),
            ObjectKind::TextArray => return "array of texts".into(),
            _ => {}
        }
        match (record, o.const_size()) {
            (Some(name), _) => name,
            (None, Some(n)) => format!("block of {n} bytes"),
            (None, None) => "block".into(),
        }
    }

    fn element(&self, pred: &Pred) -> (Option<RecordId>, String) {
        let blocks = || pred.def.cases.iter().filter_map(|c| c.block.as_ref());
        let record = blocks().find_map(|b| b.record);
        let size = blocks().map(|b| b.size).next().unwrap_or(0);
        let name = record.and_then(|r| self.record(r)).map(|n| format!("`{n}`"));
        let plain = || match blocks().map(|b| b.tail).max() {
            Some(Tail::Text) => "text".into(),
            Some(Tail::Open) => "block".into(),
            _ => format!("block of {size} bytes"),
        };
        (record, name.unwrap_or_else(plain))
    }

    /// What a structure is, without its numbers.
    pub fn structure(&self, id: PredId) -> String {
        self.structure_at(id, 0)
    }

    fn structure_at(&self, id: PredId, depth: usize) -> String {
        let pred = self.preds.get(id);
        let (record, element) = self.element(pred);
        let member = |off: u64| format!("`{}`", self.member(record, off));
        let mut links: Vec<u64> = pred.links.iter().map(|l| l.off).collect();
        links.sort_unstable();
        links.dedup();
        let blocks = || pred.def.cases.iter().filter(|c| c.block.is_some());
        let backs =
            (1..pred.def.params).filter(|k| pred.back.get(usize::from(*k)).is_some_and(Option::is_some));
        let mut back: Vec<u64> = backs
            .flat_map(|k| blocks().flat_map(move |c| cells_of(c, TermBase::Param(k))))
            .filter(|off| !links.contains(off))
            .collect();
        back.sort_unstable();
        back.dedup();
        let through = listed(&links.iter().map(|l| member(*l)).collect::<Vec<_>>());
        let behind = listed(&back.iter().map(|b| member(*b)).collect::<Vec<_>>());
        let mut text = match (links.len(), back.is_empty()) {
            (0, _) => element,
            (1, true) => format!("list of {element} through {through}"),
            (1, false) => format!("doubly-linked list of {element} through {through} and {behind}"),
            (2, true) => format!("binary tree of {element} through {through}"),
            (2, false) => format!("binary tree of {element} through {through} with parent {behind}"),
            (_, true) => format!("tree of {element} through {through}"),
            (_, false) => format!("tree of {element} through {through} with parent {behind}"),
        };
        if depth < MAX_DEPTH {
            let mut inner: Vec<String> = Vec::new();
            for case in blocks() {
                for call in &case.calls {
                    let Callee::Other(other) = call.callee else { continue };
                    let root = call.args.first().map(|t| t.base);
                    let Some(off) = root.and_then(|r| cells_of(case, r).next()) else { continue };
                    let name = format!("{}, a {}", member(off), self.structure_at(other, depth + 1));
                    if other != id && !inner.contains(&name) {
                        inner.push(name);
                    }
                }
            }
            if !inner.is_empty() {
                text.push_str(&format!(", each with {}", listed(&inner)));
            }
        }
        if let Some(order) = self.order(pred, record) {
            text.push_str(&format!(", {order}"));
        }
        text
    }

    /// Whether elements follow each other by the numbers that they hold.
    fn order(&self, pred: &Pred, record: Option<RecordId>) -> Option<String> {
        for case in pred.def.cases.iter().filter(|c| c.block.is_some()) {
            for call in case.calls.iter().filter(|c| c.callee == Callee::This) {
                for (k, arg) in call.args.iter().enumerate().skip(1) {
                    let Some(off) = cells_of(case, arg.base).next() else { continue };
                    let param = TermBase::Param(k as u16);
                    let way = case.facts.iter().find_map(|f| match f {
                        Fact::Le(a, b) if a.base == param && b.base == arg.base => Some("ascending"),
                        Fact::Le(a, b) if b.base == param && a.base == arg.base => Some("descending"),
                        _ => None,
                    });
                    if let Some(way) = way
                        && pred.links.len() == 1
                    {
                        return Some(format!("{way} by `{}`", self.member(record, off)));
                    }
                }
            }
        }
        None
    }

    /// How many elements an instance has, if its predicate counts them.
    pub fn length(&self, state: &State, s: &Summary) -> Option<String> {
        let pred = self.preds.get(s.pred);
        let counted = (1..usize::from(pred.def.params)).find(|k| counts(pred, *k))?;
        let value = *s.args.get(counted - 1)?;
        let end = s.end.as_ref().and_then(|(_, args)| args.get(counted - 1).copied());
        let text = match (value.as_int(), end.map(|v| v.as_int())) {
            (Some(n), None) => n.to_string(),
            (Some(n), Some(Some(m))) => (n - m).to_string(),
            (_, None) => {
                let r = state.range(value);
                match (r.lo, r.hi) {
                    (Some(a), Some(b)) if a == b => a.to_string(),
                    (Some(a), Some(b)) => format!("{a} to {b}"),
                    (Some(a), None) if a > 0 => format!("at least {a}"),
                    (_, Some(b)) => format!("at most {b}"),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(text)
    }

    /// An instance of a structure with what is known of its size; in short if the structure was described before.
    pub fn instance(&self, state: &State, s: &Summary, again: bool) -> String {
        let full = self.structure(s.pred);
        let name = match full.split_once(" of ") {
            Some((kind, _)) if again => format!("{kind} like that"),
            _ => full,
        };
        let how = match self.length(state, s) {
            Some(n) => format!(" of length {n}"),
            None if state.is_nonempty(s, self.preds) => String::new(),
            None => return format!("possibly empty {name}"),
        };
        format!("non-empty {name}{how}").replacen(" of length", ", length", 1)
    }
}

/// The offsets of the cells that hold a term.
fn cells_of(case: &Case, base: TermBase) -> impl Iterator<Item = u64> + '_ {
    case.cells.iter().filter(move |c| c.val.base == base).map(|c| c.off)
}

/// Whether a parameter is one more than what every element passes on for it.
fn counts(pred: &Pred, k: usize) -> bool {
    let blocks: Vec<&Case> = pred.def.cases.iter().filter(|c| c.block.is_some()).collect();
    let one_less = |case: &Case| {
        let calls: Vec<_> = case.calls.iter().filter(|c| c.callee == Callee::This).collect();
        let [call] = calls.as_slice() else { return false };
        let Some(arg) = call.args.get(k) else { return false };
        let param = Term::param(k as u16);
        *arg == param.plus(-1)
            || case.facts.iter().any(|f| match f {
                Fact::Eq(a, b) => {
                    (*a == param && *b == arg.plus(1))
                        || (*b == param && *a == arg.plus(1))
                        || (*a == param.plus(-1) && b == arg)
                        || (*b == param.plus(-1) && a == arg)
                }
                _ => false,
            })
    };
    !blocks.is_empty() && blocks.iter().all(|c| one_less(c))
}

/// "a", "a and b", "a, b and c".
pub fn listed(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// How one comes to the addresses of a state.
pub struct Ways {
    by: BTreeMap<Sym, Way>,
}

/// A way to an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// An expression whose value it is.
    Expression(String),
    /// A place whose address it is.
    Place(String),
    /// Words, where no expression leads there.
    Words(String),
}

impl Ways {
    /// The shortest ways from variables to all addresses of a state; cost: one walk over it.
    pub fn new(state: &State, naming: Naming<'_>) -> Ways {
        let mut by: BTreeMap<Sym, Way> = BTreeMap::new();
        let mut todo: VecDeque<(Sym, Way)> = VecDeque::new();
        for (root, v) in state.roots() {
            let Some(s) = v.as_sym() else { continue };
            let Some(name) = naming.variable(root) else {
                if matches!(root, Root::Cut(_)) && v.off == 0 {
                    todo.push_back((s, Way::Words("something that the caller holds".into())));
                }
                continue;
            };
            match root {
                Root::Slot(_) | Root::Global(_) => todo.push_front((s, Way::Place(name))),
                Root::Cut(_) if v.off == 0 => todo.push_back((s, Way::Expression(name))),
                _ if v.off == 0 => todo.push_front((s, Way::Expression(name))),
                _ => todo.push_back((s, Way::Words(format!("the object that `{name}` points into")))),
            }
        }
        while let Some((s, way)) = todo.pop_front() {
            if by.contains_key(&s) {
                continue;
            }
            if let Some(o) = state.object(s) {
                for (off, cell) in o.cells() {
                    let Some(next) = cell.val.as_sym() else { continue };
                    let to = way.member(&naming.part(o, off).unwrap_or_default());
                    let to = match (cell.val.off, to) {
                        (0, to) => to,
                        (_, to) => Way::Words(format!("the object that {} points into", to.shown())),
                    };
                    todo.push_back((next, to));
                }
            }
            for t in state.summaries().filter(|t| t.root.as_sym() == Some(s)) {
                let words = match &way {
                    Way::Expression(e) | Way::Place(e) => format!("an element after `{e}`"),
                    Way::Words(w) if w.starts_with("an element after") => w.clone(),
                    Way::Words(w) => format!("an element after {w}"),
                };
                let end = t.end.iter().filter_map(|(v, _)| v.as_sym());
                todo.extend(end.map(|e| (e, Way::Words(words.clone()))));
                // At the far end of a list with pointers back stands its last element.
                let back = &naming.preds.get(t.pred).back;
                let last = t.end.iter().flat_map(|(_, a)| a.iter().enumerate());
                let last = last.filter(|(k, _)| back.arg(*k).is_some()).filter_map(|(_, v)| v.as_sym());
                let name = format!("the last element from {} on", way.shown());
                todo.extend(last.map(|v| (v, Way::Words(name.clone()))));
                let others = t.args.iter().chain(t.end.iter().flat_map(|(_, a)| a));
                let held = format!("something that elements of {} point to", way.shown());
                todo.extend(others.filter_map(|v| v.as_sym()).map(|v| (v, Way::Words(held.clone()))));
            }
            by.insert(s, way);
        }
        Ways { by }
    }

    /// The way to an address, if a variable leads there.
    pub fn to(&self, s: Sym) -> Option<&Way> {
        self.by.get(&s)
    }

    /// A value in words.
    pub fn value(&self, state: &State, v: Val, naming: Naming<'_>) -> String {
        match v.base {
            Base::Zero => v.off.to_string(),
            Base::Undef => "not initialised".into(),
            Base::Func(f) => {
                format!("`{}`", naming.program.functions.get(f).map_or("a function", |f| &f.name))
            }
            Base::Sym(s) => {
                let number = || {
                    let r = state.range(v);
                    match (r.lo, r.hi) {
                        (Some(a), Some(b)) if a == b => a.to_string(),
                        (Some(a), Some(b)) => format!("{a} to {b}"),
                        (Some(a), None) => format!("at least {a}"),
                        (None, Some(b)) => format!("at most {b}"),
                        (None, None) => "unknown".into(),
                    }
                };
                match self.to(s) {
                    Some(way) if v.off == 0 => way.shown(),
                    Some(way) => format!("{} + {}", way.shown(), v.off),
                    None => number(),
                }
            }
        }
    }
}

impl Way {
    /// The way to what a part of the object here holds; the name of the part is empty if the object is one scalar.
    pub fn member(&self, part: &str) -> Way {
        match self {
            Way::Place(p) if part.is_empty() || part.starts_with('[') => {
                Way::Expression(format!("{p}{part}"))
            }
            Way::Place(p) => Way::Expression(format!("{p}.{part}")),
            Way::Expression(e) if part.is_empty() => Way::Expression(format!("*{e}")),
            Way::Expression(e) if part.starts_with('[') => Way::Expression(format!("{e}{part}")),
            Way::Expression(e) => Way::Expression(format!("{e}->{part}")),
            Way::Words(w) if part.is_empty() => Way::Words(format!("what {w} points to")),
            Way::Words(w) => Way::Words(format!("`{part}` of {w}")),
        }
    }

    /// In a sentence.
    pub fn shown(&self) -> String {
        match self {
            Way::Expression(e) => format!("`{e}`"),
            Way::Place(p) => format!("`&{p}`"),
            Way::Words(w) => w.clone(),
        }
    }
}
