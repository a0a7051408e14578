//! The states of an analysis, as JSON for programs and as DOT drawings for people.
//!
//! `docs/states.md` describes the JSON. Symbols are `s0`, `s1`, … of each state's normal form; values are written
//! `s3`, `s3+8`, `5`, `&f` or `undefined`. Drawings show one disjunct per cluster: variables as plain names, objects as
//! records of their fields, summaries with a double border.

use heapwise_engine::Point;
use heapwise_engine::Report;
use heapwise_heap::{Base, ObjectKind, PredTable, Root, State, Summary, Sym, Val};
use heapwise_ir::{BlockId, Body, Cfg, FuncId, Program, Span, TerminatorKind, Ty, Type, TypeTable, Wto};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// All recorded states.
pub fn json(program: &Program, report: &Report) -> Value {
    let predicates: Vec<Value> = report
        .preds
        .iter()
        .map(|(_, p)| {
            json!({
                "name": p.name,
                "parameters": p.def.params,
                "cases": p.def.cases.len(),
                "origin": format!("{:?}", p.origin).to_lowercase(),
            })
        })
        .collect();
    let mut heads = Heads::default();
    let mut functions: BTreeMap<FuncId, Vec<Value>> = BTreeMap::new();
    for (point, states) in points(report) {
        let Some(body) = program.body(point.function) else { continue };
        let at = program.sources.location(span(body, point).lo);
        let names = Names { program, body, preds: &report.preds };
        functions.entry(point.function).or_default().push(json!({
            "block": point.block.0,
            "statement": point.index,
            "kind": kind(body, point, &mut heads),
            "file": at.as_ref().map(|l| l.file.to_string()),
            "line": at.as_ref().map(|l| l.line),
            "column": at.as_ref().map(|l| l.column),
            "states": states.iter().map(|s| names.state(s)).collect::<Vec<_>>(),
        }));
    }
    let functions: Vec<Value> = functions
        .into_iter()
        .map(|(f, points)| {
            let name = program.functions.get(f).map(|f| f.name.to_string());
            json!({ "name": name, "points": points })
        })
        .collect();
    json!({ "version": 1, "predicates": predicates, "functions": functions })
}

/// One DOT file for each loop head and each return: its name and text.
pub fn drawings(program: &Program, report: &Report) -> Vec<(String, String)> {
    let mut heads = Heads::default();
    let mut found = Vec::new();
    for (point, states) in points(report) {
        let Some(body) = program.body(point.function) else { continue };
        let kind = kind(body, point, &mut heads);
        if kind == "statement" {
            continue;
        }
        let line = program.sources.location(span(body, point).lo).map_or(0, |l| l.line);
        let function = program.functions.get(point.function).map_or("function", |f| &f.name);
        let plain: String =
            function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let names = Names { program, body, preds: &report.preds };
        let mut text = format!("digraph {} {{\n  rankdir=LR; node [fontsize=10];\n", quoted(&plain));
        for (i, state) in states.iter().enumerate() {
            names.cluster(&mut text, i, state);
        }
        text.push_str("}\n");
        found.push((format!("{plain}-{line}-{kind}-{}.dot", point.block.0), text));
    }
    found
}

/// The states at one point as a DOT file.
pub fn drawing(program: &Program, report: &Report, point: Point) -> Option<String> {
    let body = program.body(point.function)?;
    let names = Names { program, body, preds: &report.preds };
    let mut text = String::from("digraph states {\n  rankdir=LR; node [fontsize=10];\n");
    for (i, state) in points(report).get(&point)?.iter().enumerate() {
        names.cluster(&mut text, i, state);
    }
    text.push_str("}\n");
    Some(text)
}

/// The final states if there are any, in the order of the program.
fn points(report: &Report) -> BTreeMap<Point, &Vec<State>> {
    let all = if report.final_states.is_empty() { &report.states } else { &report.final_states };
    all.iter().map(|(p, s)| (*p, s)).collect()
}

fn span(body: &Body, point: Point) -> Span {
    let block = body.blocks.get(point.block);
    let statement = block.and_then(|b| b.statements.get(point.index)).map(|s| s.span);
    statement.or(block.map(|b| b.terminator.span)).unwrap_or_default()
}

fn kind(body: &Body, point: Point, heads: &mut Heads) -> &'static str {
    let Some(block) = body.blocks.get(point.block) else { return "statement" };
    let last = point.index == block.statements.len();
    if last && matches!(block.terminator.kind, TerminatorKind::Return(_)) {
        return "return";
    }
    if point.index == 0 && heads.is_head(body, point) { "loop" } else { "statement" }
}

/// The loop heads of the function that was asked about last: points come function by function.
#[derive(Default)]
struct Heads {
    function: Option<FuncId>,
    blocks: BTreeSet<BlockId>,
}

impl Heads {
    fn is_head(&mut self, body: &Body, point: Point) -> bool {
        if self.function != Some(point.function) {
            let wto = Wto::new(&Cfg::new(body));
            self.blocks = wto.entries().iter().filter(|e| e.end.is_some()).map(|e| e.block).collect();
            self.function = Some(point.function);
        }
        self.blocks.contains(&point.block)
    }
}

/// The path of field names to the scalar at an offset.
pub fn field_path(types: &TypeTable, ty: Ty, off: u64) -> Option<String> {
    let mut text = String::new();
    let (mut ty, mut off) = (ty, off);
    for _ in 0..16 {
        match types.get(ty) {
            Type::Record(r) => {
                let record = types.records.get(*r)?;
                let inside = |f: &&heapwise_ir::Field| {
                    f.bits.is_none() && f.offset <= off && off < f.offset + types.size(f.ty).max(1)
                };
                let field = record.fields.iter().find(inside)?;
                if let Some(name) = &field.name {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(name);
                }
                off -= field.offset;
                ty = field.ty;
            }
            Type::Array { elem, .. } => {
                let size = types.size(*elem).max(1);
                let _ = write!(text, "[{}]", off / size);
                off %= size;
                ty = *elem;
            }
            _ => return (off == 0 && !text.is_empty()).then_some(text),
        }
    }
    None
}

struct Names<'a> {
    program: &'a Program,
    body: &'a Body,
    preds: &'a PredTable,
}

impl Names<'_> {
    fn root(&self, root: Root) -> String {
        let local = |l| self.body.locals.get(l).and_then(|l| l.name.as_deref()).map(str::to_owned);
        match root {
            Root::Local(l) => local(l).unwrap_or_else(|| format!("{l:?}")),
            Root::Slot(l) => format!("&{}", local(l).unwrap_or_else(|| format!("{l:?}"))),
            Root::Global(g) => {
                format!("&{}", self.program.globals.get(g).map_or("global", |g| &g.name))
            }
            Root::Result => "\\result".into(),
            Root::Cut(i) => format!("caller {i}"),
            Root::AtExit(i) => format!("at exit {i}"),
            Root::Model(i) => format!("model {i}"),
            Root::Kept(i) => format!("kept {i}"),
        }
    }

    fn value(&self, v: Val) -> String {
        match v.base {
            Base::Func(f) => {
                format!("&{}", self.program.functions.get(f).map_or("function", |f| &f.name))
            }
            Base::Undef => "undefined".into(),
            _ => format!("{v:?}"),
        }
    }

    fn object_type(&self, o: &heapwise_heap::Object) -> Option<Ty> {
        match o.kind {
            ObjectKind::Local(l) => self.body.locals.get(l).map(|l| l.ty),
            ObjectKind::Global(g) => self.program.globals.get(g).map(|g| g.ty),
            _ => {
                let record = o.record?;
                let n = self.program.types.len() as u32;
                (0..n).map(Ty).find(|t| *self.program.types.get(*t) == Type::Record(record))
            }
        }
    }

    fn field(&self, o: &heapwise_heap::Object, off: u64) -> Option<String> {
        self.object_type(o).and_then(|ty| field_path(&self.program.types, ty, off))
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let mut facts = Vec::new();
        for (s, r) in state.numbers().intervals() {
            let v = self.value(Val::sym(s));
            facts.extend(r.lo.map(|l| format!("{v} >= {l}")));
            facts.extend(r.hi.map(|h| format!("{v} <= {h}")));
        }
        let pair = |(a, b): (Val, Val), op: &str| format!("{} {op} {}", self.value(a), self.value(b));
        facts.extend(state.numbers().disequalities().map(|p| pair(p, "!=")));
        facts.extend(state.numbers().orderings().map(|p| pair(p, "<=")));
        facts.extend(state.cursors().map(|(s, at)| {
            let place = |p: &Sym| match state.summaries().find(|t| t.region == Some(*p)) {
                Some(t) => t.describe(self.preds),
                None => self.value(Val::sym(*p)),
            };
            let null = at.null.then(|| self.value(Val::ZERO));
            let places: Vec<String> = null.into_iter().chain(at.places.iter().map(place)).collect();
            format!("{} in {{{}}}", self.value(Val::sym(s)), places.join(", "))
        }));
        facts.extend(state.dangling().map(|(s, _)| format!("{} dangles", self.value(Val::sym(s)))));
        facts
    }

    fn state(&self, state: &State) -> Value {
        let roots: Vec<Value> =
            state.roots().map(|(r, v)| json!({ "name": self.root(r), "value": self.value(v) })).collect();
        let objects: Vec<Value> = state
            .objects()
            .map(|(s, o)| {
                let cells: Vec<Value> = o
                    .cells()
                    .map(|(off, c)| {
                        json!({
                            "offset": off,
                            "width": c.width,
                            "field": self.field(o, off),
                            "value": self.value(c.val),
                        })
                    })
                    .collect();
                let record = o.record.and_then(|r| self.program.types.records.get(r));
                json!({
                    "address": self.value(Val::sym(s)),
                    "kind": kind_name(o.kind),
                    "size": self.value(o.size),
                    "record": record.and_then(|r| r.name.as_deref()),
                    "cells": cells,
                })
            })
            .collect();
        let list = |values: &[Val]| values.iter().map(|v| self.value(*v)).collect::<Vec<_>>();
        let summaries: Vec<Value> = state
            .summaries()
            .map(|s| {
                json!({
                    "predicate": self.preds.get(s.pred).name,
                    "root": self.value(s.root),
                    "args": list(&s.args),
                    "end": s.end.as_ref().map(|(r, a)| json!({ "root": self.value(*r), "args": list(a) })),
                })
            })
            .collect();
        json!({ "roots": roots, "objects": objects, "summaries": summaries, "facts": self.facts(state) })
    }

    fn cluster(&self, out: &mut String, index: usize, state: &State) {
        let title = format!("state {index}");
        let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label={};", quoted(&title));
        let node = |s: Sym| format!("d{index}_s{}", s.0);
        let summary = |i: usize| format!("d{index}_p{i}");
        let mut plain: BTreeSet<Sym> = BTreeSet::new();
        // An edge to a value: to its object, to the summary at it, or to a bare symbol.
        let mut target = |v: Val| -> Option<String> {
            let s = v.as_sym()?;
            if state.has_object(s) {
                return Some(node(s));
            }
            if let Some(i) = state.summaries().position(|t| t.root.as_sym() == Some(s)) {
                return Some(summary(i));
            }
            plain.insert(s);
            Some(node(s))
        };
        let inner = |v: Val| if v.off == 0 { String::new() } else { format!("{:+}", v.off) };
        let mut edges: Vec<String> = Vec::new();
        for (s, o) in state.objects() {
            let mut fields = Vec::new();
            for (off, c) in o.cells() {
                let name = self.field(o, off).unwrap_or_else(|| format!("+{off}"));
                match target(c.val) {
                    Some(to) => {
                        fields.push(format!("<f{off}> {}", record_text(&name)));
                        edges.push(format!("{}:f{off} -> {to} [label={}]", node(s), quoted(&inner(c.val))));
                    }
                    None => {
                        let text = format!("{name} = {}", self.value(c.val));
                        fields.push(format!("<f{off}> {}", record_text(&text)));
                    }
                }
            }
            if fields.is_empty() {
                fields.push(record_text(kind_name(o.kind)));
            }
            let style = if o.kind == ObjectKind::Heap { "solid" } else { "dashed" };
            let label = format!("\"{}\"", fields.join(" | "));
            let _ = writeln!(out, "    {} [shape=record, style={style}, label={label}];", node(s));
        }
        for (i, s) in state.summaries().enumerate() {
            let label = quoted(&self.summary_label(s));
            let _ = writeln!(out, "    {} [shape=box, peripheries=2, label={label}];", summary(i));
            if let Some((end, _)) = &s.end
                && let Some(to) = target(*end)
            {
                edges.push(format!("{} -> {to} [label={}]", summary(i), quoted(&inner(*end))));
            }
        }
        for (k, (root, v)) in state.roots().enumerate() {
            let name = self.root(root);
            let label = match v.as_sym() {
                Some(_) => name,
                None => format!("{name} = {}", self.value(v)),
            };
            let _ = writeln!(out, "    d{index}_r{k} [shape=plaintext, label={}];", quoted(&label));
            if let Some(to) = target(v) {
                edges.push(format!("d{index}_r{k} -> {to} [label={}]", quoted(&inner(v))));
            }
        }
        for s in &plain {
            let label = quoted(&self.value(Val::sym(*s)));
            let _ = writeln!(out, "    {} [shape=ellipse, style=dotted, label={label}];", node(*s));
        }
        for e in edges {
            let _ = writeln!(out, "    {e};");
        }
        let facts = self.facts(state);
        if !facts.is_empty() {
            let label = quoted(&facts.join("\n"));
            let _ = writeln!(out, "    d{index}_facts [shape=note, label={label}];");
        }
        out.push_str("  }\n");
    }

    fn summary_label(&self, s: &Summary) -> String {
        let name = &self.preds.get(s.pred).name;
        let args: Vec<String> = s.args.iter().map(|v| self.value(*v)).collect();
        let whole = if s.end.is_some() { " segment" } else { "" };
        if args.is_empty() { format!("{name}{whole}") } else { format!("{name}{whole}\n{}", args.join(", ")) }
    }
}

fn kind_name(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Heap => "heap",
        ObjectKind::Local(_) => "local",
        ObjectKind::Scope(_) => "scope",
        ObjectKind::Outer | ObjectKind::OuterConstant => "outer",
        ObjectKind::Global(_) => "global",
        ObjectKind::Stream(_) => "stream",
        ObjectKind::Text { .. } => "text",
        ObjectKind::TextArray => "texts",
        ObjectKind::Library => "library",
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Text inside a record label, where some characters have a meaning.
fn record_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "{}|<>\"\\".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_ir::{Field, Record, RecordKind};

    #[test]
    fn fields_are_named_by_their_path() {
        let mut types = TypeTable::new(8);
        let int = types.int(32, true);
        let pair = types.intern(Type::Array { elem: int, len: Some(2) });
        let field =
            |name: Option<&str>, ty, offset| Field { name: name.map(Into::into), ty, offset, bits: None };
        let record = |fields| Record {
            kind: RecordKind::Struct,
            name: None,
            fields,
            size: 12,
            align: 4,
            complete: true,
        };
        let inner = types.records.push(record(vec![field(Some("a"), int, 0), field(Some("b"), pair, 4)]));
        let inner = types.intern(Type::Record(inner));
        let outer = types.records.push(record(vec![field(Some("in"), inner, 0), field(None, inner, 12)]));
        let outer = types.intern(Type::Record(outer));
        let at = |off| field_path(&types, outer, off);
        assert_eq!((at(0).as_deref(), at(8).as_deref()), (Some("in.a"), Some("in.b[1]")));
        assert_eq!((at(12).as_deref(), at(1)), (Some("a"), None));
    }
}
