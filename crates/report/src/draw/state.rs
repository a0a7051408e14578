//! An abstract state as a picture.
//!
//! Objects are boxes of their known parts, variables are labels of the boxes that they point to, summaries are stacks with a thick
//! arrow to where they end. A variable in memory that is one value is a label like any other, unless something points to it.
//! Temporaries, string literals and streams are left out.

use super::{Arrow, Content, Figure, Kind, Line, Picture, Row};
use crate::names::{Naming, Way, Ways};
use crate::words;
use heapwise_heap::pred::TermBase;
use heapwise_heap::state::Death;
use heapwise_heap::{Base, Object, ObjectKind, Root, State, Summary, Sym, Val};
use heapwise_ir::{GlobalKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Longest line of a title.
const LINE: usize = 30;

/// A state as a picture.
pub fn picture(state: &State, naming: Naming<'_>) -> Picture {
    let mut draft = Draft {
        state,
        naming,
        ways: Ways::new(state, naming),
        at: BTreeMap::new(),
        last: BTreeMap::new(),
        null: None,
        out: Picture { caption: words::one(state, naming), ..Picture::default() },
    };
    draft.boxes();
    draft.variables();
    draft.contents();
    draft.out
}

struct Draft<'a> {
    state: &'a State,
    naming: Naming<'a>,
    ways: Ways,
    /// The box at each address.
    at: BTreeMap<Sym, usize>,
    /// The structure whose last element is at an address.
    last: BTreeMap<Sym, usize>,
    null: Option<usize>,
    out: Picture,
}

/// Words in lines of a title.
pub fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

impl Draft<'_> {
    fn add(&mut self, kind: Kind, title: Vec<String>) -> usize {
        self.out.boxes.push(Figure { kind, title, labels: Vec::new(), rows: Vec::new() });
        self.out.boxes.len() - 1
    }

    /// The variable that lives in an object, if it is one value that nothing points to.
    fn is_plain_variable(&self, s: Sym, pointed: &BTreeSet<Sym>) -> bool {
        let names = |(r, v): (Root, Val)| {
            matches!(r, Root::Slot(_) | Root::Global(_)) && v.as_sym() == Some(s) && self.scalar(r)
        };
        !pointed.contains(&s) && self.state.roots().any(names)
    }

    fn scalar(&self, root: Root) -> bool {
        self.naming.type_of(root).is_some_and(|t| self.naming.program.types.is_scalar(t))
    }

    fn boxes(&mut self) {
        let mut pointed: BTreeSet<Sym> = BTreeSet::new();
        for (r, v) in self.state.roots() {
            if !matches!(r, Root::Slot(_) | Root::Global(_)) && self.naming.variable(r).is_some() {
                pointed.extend(v.as_sym());
            }
        }
        for (_, o) in self.state.objects() {
            pointed.extend(o.cells().filter_map(|(_, c)| c.val.as_sym()));
        }
        for s in self.state.summaries() {
            pointed.extend(s.values().filter_map(|v| v.as_sym()));
        }
        let shown = |s: Sym, o: &Object| match o.kind {
            ObjectKind::Stream(_) => false,
            ObjectKind::Global(g) => {
                let kind = self.naming.program.globals.get(g).map(|g| g.kind);
                kind != Some(GlobalKind::Literal) && (o.cells().next().is_some() || pointed.contains(&s))
            }
            ObjectKind::Local(l) => {
                self.naming.body.locals.get(l).is_some_and(|l| l.name.is_some()) || pointed.contains(&s)
            }
            _ => true,
        };
        // Structures and objects in the order in which variables come to them: arrows then lead from left to right.
        let mut order: Vec<(usize, Sym, Result<Sym, usize>)> = Vec::new();
        let far = |s: Option<Sym>| match s.and_then(|s| self.ways.to(s)) {
            Some(Way::Expression(e)) => e.matches("->").count() * 2 + 1,
            Some(Way::Place(_)) => 0,
            Some(Way::Words(w)) => 100 + w.len(),
            None => 1000,
        };
        for (s, o) in self.state.objects() {
            if shown(s, o) && !self.is_plain_variable(s, &pointed) {
                order.push((far(Some(s)), s, Ok(s)));
            }
        }
        for (i, t) in self.state.summaries().enumerate() {
            order.push((far(t.root.as_sym()), t.root.as_sym().unwrap_or(Sym(u32::MAX)), Err(i)));
        }
        order.sort_by_key(|(far, s, _)| (*far, s.0));
        for (_, s, what) in order {
            let (kind, title) = match what {
                Ok(s) => match self.state.object(s) {
                    Some(o) => self.object_title(s, o),
                    None => continue,
                },
                Err(i) => match self.state.summary(i) {
                    Some(t) => (
                        Kind::Structure,
                        wrapped(&self.naming.instance(self.state, t, false).replace('`', "")),
                    ),
                    None => continue,
                },
            };
            let index = self.add(kind, title);
            // Where a segment is empty its ends are one address, so an object has precedence.
            if what.is_ok() || !self.at.contains_key(&s) {
                self.at.insert(s, index);
            }
            if let Err(i) = what {
                let t = self.state.summary(i);
                let back = t.map(|t| &self.naming.preds.get(t.pred).back);
                for (k, v) in
                    t.and_then(|t| t.end.as_ref()).iter().flat_map(|(_, args)| args.iter().enumerate())
                {
                    if let Some(v) = v.as_sym().filter(|_| back.is_some_and(|b| b.arg(k).is_some())) {
                        self.last.insert(v, index);
                    }
                }
                self.at.entry(Sym(u32::MAX - 1 - i as u32)).or_insert(index);
            }
        }
    }

    fn object_title(&self, s: Sym, o: &Object) -> (Kind, Vec<String>) {
        let kind = match o.kind {
            ObjectKind::Heap => Kind::Heap,
            ObjectKind::Outer | ObjectKind::OuterConstant => Kind::Outer,
            _ => Kind::Variable,
        };
        let what = self.naming.object(o);
        let title = match (kind, self.ways.to(s)) {
            (Kind::Variable, Some(Way::Place(p))) => p.clone(),
            _ => what,
        };
        (kind, vec![title])
    }

    fn variables(&mut self) {
        let mut values: Vec<Row> = Vec::new();
        let roots: Vec<(Root, Val)> = self.state.roots().collect();
        for (root, v) in roots {
            let Some(name) = self.naming.variable(root) else { continue };
            let pointer = self
                .naming
                .type_of(root)
                .is_none_or(|t| matches!(self.naming.program.types.get(t), Type::Pointer(_)));
            let held = match root {
                Root::Slot(_) | Root::Global(_) => {
                    let own = v.as_sym().filter(|s| !self.at.contains_key(s));
                    let object = own.and_then(|s| self.state.object(s)).filter(|_| self.scalar(root));
                    object.and_then(|o| o.cells().next()).map(|(_, c)| c.val)
                }
                _ => Some(v),
            };
            let Some(v) = held else { continue };
            match self.target(v, pointer) {
                Some(i) => {
                    let plain = v.off == 0 && !v.as_sym().is_some_and(|s| self.is_last(s));
                    let label = if plain { name } else { format!("{name} → {}", self.inside(v)) };
                    if let Some(figure) = self.out.boxes.get_mut(i)
                        && !figure.labels.contains(&label)
                    {
                        figure.labels.push(label);
                    }
                }
                None => {
                    let content = self.content(v, pointer, &Way::Expression(name.clone()));
                    values.push(Row { name, content });
                }
            }
        }
        values.retain(|r| r.content != Content::Unknown);
        if !values.is_empty() {
            let i = self.add(Kind::Values, Vec::new());
            if let Some(figure) = self.out.boxes.get_mut(i) {
                figure.rows = values;
            }
        }
    }

    /// Whether an address is that of the last element of a structure, and has no box of its own.
    fn is_last(&self, s: Sym) -> bool {
        self.last.contains_key(&s) && !self.at.contains_key(&s)
    }

    /// The part of its target that a pointer leads to.
    fn inside(&self, v: Val) -> String {
        if v.as_sym().is_some_and(|s| self.is_last(s)) {
            return "last".into();
        }
        let object = v.as_sym().and_then(|s| self.state.object(s));
        let off = u64::try_from(v.off).ok();
        let part = object.zip(off).and_then(|(o, off)| self.naming.part(o, off));
        part.map_or(format!("{:+}", v.off), |p| format!(".{p}"))
    }

    /// The box that a value leads to; one is made for addresses without memory.
    fn target(&mut self, v: Val, pointer: bool) -> Option<usize> {
        let s = v.as_sym()?;
        if let Some(i) = self.at.get(&s) {
            return Some(*i);
        }
        if let Some(i) = self.last.get(&s) {
            return Some(*i);
        }
        if let Some(death) = self.state.death(s) {
            let (what, span) = match death {
                Death::Freed(span) => ("freed", span),
                Death::Scope(span) => ("out of scope", span),
            };
            let line =
                self.naming.program.sources.location(span.lo).map(|l| format!("{what} at line {}", l.line));
            let i = self.add(Kind::Freed, vec![line.unwrap_or_else(|| what.into())]);
            self.at.insert(s, i);
            return Some(i);
        }
        let range = self.state.range(v);
        if !pointer || (range.lo.is_some() && range.hi.is_some()) {
            return None;
        }
        let i = self.add(Kind::Unknown, vec!["?".into()]);
        self.at.insert(s, i);
        Some(i)
    }

    fn null(&mut self) -> usize {
        if let Some(i) = self.null {
            return i;
        }
        let i = self.add(Kind::Null, vec!["∅".into()]);
        self.null = Some(i);
        i
    }

    /// What a place holds; `own` is the way to the place itself, which says nothing of it.
    fn content(&self, v: Val, pointer: bool, own: &Way) -> Content {
        match v.base {
            Base::Undef => Content::Uninitialised,
            Base::Zero if pointer && v.off == 0 => Content::Null,
            Base::Sym(s) if v.off == 0 && self.ways.to(s).is_none_or(|way| way == own) => {
                words::number(self.state, v).map_or(Content::Unknown, Content::Text)
            }
            _ => match self.ways.value(self.state, v, self.naming) {
                text if text == "unknown" => Content::Unknown,
                text => Content::Text(text.replace('`', "")),
            },
        }
    }

    fn contents(&mut self) {
        let objects: Vec<(Sym, usize)> =
            self.at.iter().filter(|(s, _)| self.state.has_object(**s)).map(|(s, i)| (*s, *i)).collect();
        for (s, i) in objects {
            let Some(o) = self.state.object(s).cloned() else { continue };
            for (off, c) in o.cells() {
                let pointer = words::is_pointer(&o, off, self.naming)
                    || c.val.as_sym().is_some_and(|s| self.at.contains_key(&s));
                let name = self.naming.part(&o, off).unwrap_or_default();
                let to = self.target(c.val, pointer);
                let own = || self.ways.to(s).map_or(Way::Words(String::new()), |way| way.member(&name));
                let content =
                    if to.is_some() { Content::Pointer } else { self.content(c.val, pointer, &own()) };
                let Some(figure) = self.out.boxes.get_mut(i) else { continue };
                figure.rows.push(Row { name, content });
                let row = Some(figure.rows.len() - 1);
                if let Some(to) = to {
                    let last = c.val.as_sym().is_some_and(|s| self.is_last(s));
                    let label = if c.val.off == 0 && !last { String::new() } else { self.inside(c.val) };
                    self.out.arrows.push(Arrow { from: i, row, to, label, line: Line::Plain });
                }
            }
        }
        let summaries: Vec<Summary> = self.state.summaries().cloned().collect();
        for (k, s) in summaries.iter().enumerate() {
            if let Some(i) = self.at.get(&Sym(u32::MAX - 1 - k as u32)).copied() {
                self.structure(i, s);
            }
        }
    }

    fn structure(&mut self, i: usize, s: &Summary) {
        let pred = self.naming.preds.get(s.pred);
        let to = match &s.end {
            Some((end, _)) => self.target(*end, true),
            None => pred
                .def
                .cases
                .iter()
                .filter(|c| c.block.is_none())
                .flat_map(|c| &c.facts)
                .find_map(|f| match f {
                    heapwise_heap::pred::Fact::Eq(a, b) if a.base == TermBase::Param(0) => s.term(b),
                    heapwise_heap::pred::Fact::Eq(a, b) if b.base == TermBase::Param(0) => s.term(a),
                    _ => None,
                })
                .and_then(|end| self.target(end, true)),
        };
        let to = match to {
            Some(to) => to,
            None => self.null(),
        };
        self.out.arrows.push(Arrow { from: i, row: None, to, label: String::new(), line: Line::Thick });
        let record = pred.def.cases.iter().filter_map(|c| c.block.as_ref()).find_map(|b| b.record);
        for (k, arg) in s.args.iter().enumerate() {
            let param = TermBase::Param(k as u16 + 1);
            let cell = pred.def.cases.iter().flat_map(|c| &c.cells).find(|c| c.val.base == param).copied();
            let (Some(cell), Some(target)) = (cell, arg.as_sym()) else { continue };
            let Some(to) = self.at.get(&target).copied() else { continue };
            let label = self.naming.member(record, cell.off);
            self.out.arrows.push(Arrow { from: i, row: None, to, label, line: Line::Dashed });
        }
    }
}
