//! The explorer: one page with the program, what was found, and everything that the analysis knows, to be looked at in a browser.
//!
//! The page is self-contained: text, drawings and data are in it, it makes no requests, and its content policy forbids them.
//! Drawings that are the same are in it once. Very large analyses keep their sentences but not all of their drawings
//! ([`MAX_DRAWINGS`]), so that the page stays quick to open.

use crate::draw::{self, svg};
use crate::finding::{Finding, Note};
use crate::names::Naming;
use crate::path::Step;
use crate::place::Place;
use crate::render::severity_name;
use crate::words;
use heapwise_engine::{Point, Report};
use heapwise_heap::State;
use heapwise_ir::{FuncId, Program, Severity, Span, TerminatorKind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");

/// Most drawings of states.
pub const MAX_DRAWINGS: usize = 3_000;
/// Most descriptions of a line.
const MAX_STATES: usize = 12;

/// What the page shows.
pub struct Exhibit<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its files: names and texts.
    pub files: Vec<(String, String)>,
    /// The verdict.
    pub verdict: &'a str,
    /// The analyses, with states: one of the program, or one of each function.
    pub reports: Vec<&'a Report>,
    /// What was found.
    pub findings: &'a [Finding],
    /// The way to the error, with pictures.
    pub path: &'a [Step],
    /// Declared contracts by function, as written.
    pub contracts: BTreeMap<FuncId, String>,
    /// Contracts that were found.
    pub found: &'a BTreeMap<FuncId, String>,
    /// Names and values of figures.
    pub figures: Vec<(String, String)>,
}

/// The page as HTML.
pub fn page(exhibit: &Exhibit<'_>) -> String {
    let data = Collector::new(exhibit).collect();
    // Nothing in the data may end its element.
    let data = data.to_string().replace("</", "<\\/").replace("<!--", "\\u003c!--");
    let title = exhibit.files.first().map_or("program", |(n, _)| n);
    PAGE.replacen("@TITLE@", &svg::escaped(title), 1)
        .replacen("@DRAWING@", svg::STYLE, 1)
        .replacen("@SCRIPT@", SCRIPT, 1)
        .replacen("@DATA@", &data, 1)
}

struct Collector<'a> {
    exhibit: &'a Exhibit<'a>,
    files: HashMap<String, usize>,
    states: Vec<Value>,
    known: HashMap<String, usize>,
    pictures: Vec<String>,
}

impl<'a> Collector<'a> {
    fn new(exhibit: &'a Exhibit<'a>) -> Collector<'a> {
        let files = exhibit.files.iter().enumerate().map(|(i, (name, _))| (name.clone(), i)).collect();
        Collector { exhibit, files, states: Vec::new(), known: HashMap::new(), pictures: Vec::new() }
    }

    fn place(&self, span: Span) -> Option<(usize, u32)> {
        let at = Place::of(&self.exhibit.program.sources, span)?;
        Some((*self.files.get(&at.file)?, at.line))
    }

    fn place_json(&self, span: Option<Span>) -> Value {
        span.and_then(|s| self.place(s))
            .map_or(Value::Null, |(file, line)| json!({ "file": file, "line": line }))
    }

    fn naming(&self, report: &'a Report, function: FuncId) -> Option<Naming<'a>> {
        Naming::at(self.exhibit.program, report, function)
    }

    /// All points with states, and the analysis that they are from.
    fn points(&self) -> Vec<(&'a Report, Point, &'a Vec<State>)> {
        let of = |r: &'a Report| words::points(r).into_iter().map(move |(p, s)| (r, p, s));
        self.exhibit.reports.iter().flat_map(|r| of(r)).collect()
    }

    /// The number of a state's drawing and sentence.
    fn state(&mut self, state: &State, naming: Naming<'_>) -> usize {
        let draws = self.states.len() < MAX_DRAWINGS;
        let (words, svg) = if draws {
            let picture = draw::state::picture(state, naming);
            let svg = svg::bare(&picture, &draw::layout::place(&picture));
            (picture.caption, svg)
        } else {
            (words::one(state, naming), String::new())
        };
        let key = format!("{words}\0{svg}");
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.states.push(json!({ "words": words, "svg": svg }));
        self.known.insert(key, self.states.len() - 1);
        self.states.len() - 1
    }

    fn states(&mut self, all: &[State], naming: Naming<'_>) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for s in words::ordered(all).into_iter().take(MAX_STATES) {
            let k = self.state(s, naming);
            if !found.contains(&k) {
                found.push(k);
            }
        }
        found
    }

    fn collect(mut self) -> Value {
        let exhibit = self.exhibit;
        let lines = self.lines();
        let loops = self.loops();
        let apart = self.apart();
        let path = self.path();
        let findings: Vec<Value> = exhibit.findings.iter().map(|f| self.finding(f)).collect();
        let contracts = self.contracts();
        let predicates = self.predicates();
        json!({
            "files": exhibit.files.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect::<Vec<_>>(),
            "verdict": exhibit.verdict,
            "lines": lines, "states": self.states, "findings": findings, "path": path, "pictures": self.pictures,
            "loops": loops, "apart": apart, "contracts": contracts, "predicates": predicates,
            "figures": exhibit.figures,
        })
    }

    /// For each line, the states at the first point on it.
    fn lines(&mut self) -> Value {
        let mut lines: BTreeMap<(usize, u32), Value> = BTreeMap::new();
        for (report, point, states) in self.points() {
            let span = words::span_of(self.exhibit.program, point);
            let (Some(at), Some(naming)) = (self.place(span), self.naming(report, point.function)) else {
                continue;
            };
            if states.is_empty() || lines.contains_key(&at) {
                continue;
            }
            let found = self.states(states, naming);
            let more = states.len().saturating_sub(MAX_STATES);
            lines.insert(at, json!({ "mark": "proved", "states": found, "more": more }));
        }
        for f in self.exhibit.findings {
            let mark = match f.severity {
                Severity::Error => "error",
                Severity::Warning => "unknown",
                Severity::Note => continue,
            };
            if let Some(at) = self.place(f.span) {
                let line =
                    lines.entry(at).or_insert_with(|| json!({ "mark": mark, "states": [], "more": 0 }));
                if line["mark"] != "error" {
                    line["mark"] = mark.into();
                }
            }
        }
        lines
            .into_iter()
            .map(|((file, line), v)| (format!("{file}:{line}"), v))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    fn name(&self, function: FuncId) -> String {
        self.exhibit.program.functions.get(function).map_or("function".into(), |f| f.name.to_string())
    }

    fn loops(&mut self) -> Vec<Value> {
        let program = self.exhibit.program;
        let of = |r: &'a Report| words::invariants(program, r).into_iter().map(move |i| (r, i));
        let all: Vec<_> = self.exhibit.reports.iter().flat_map(|r| of(r)).collect();
        let mut found = Vec::new();
        for (report, i) in all {
            let (Some((file, line)), Some(naming)) =
                (self.place(i.span), self.naming(report, i.point.function))
            else {
                continue;
            };
            let mut rounds: Vec<Vec<usize>> = Vec::new();
            for round in report.loops.iterations.get(&i.point).into_iter().flatten() {
                rounds.push(self.states(round, naming));
            }
            found.push(json!({
                "function": self.name(i.point.function), "file": file, "line": line,
                "words": i.sentence, "iterations": rounds,
            }));
        }
        found
    }

    fn apart(&mut self) -> Vec<Value> {
        let mut found = Vec::new();
        let all: Vec<_> =
            self.exhibit.reports.iter().flat_map(|r| r.loops.apart.iter().map(move |a| (*r, a))).collect();
        for (report, (span, apart)) in all {
            let (Some((file, line)), Some(naming)) = (self.place(*span), self.naming(report, apart.function))
            else {
                continue;
            };
            let states: Vec<usize> = apart.states.iter().map(|s| self.state(s, naming)).collect();
            found.push(json!({
                "function": self.name(apart.function), "file": file, "line": line,
                "why": words::reason(&apart.why, naming), "states": states,
            }));
        }
        found
    }

    fn path(&mut self) -> Vec<Value> {
        let mut found = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for step in self.exhibit.path {
            let Some((file, line)) = self.place(step.span) else { continue };
            let svg = step.picture.as_ref().map_or(String::new(), |p| svg::bare(p, &draw::layout::place(p)));
            let next = self.pictures.len();
            let picture = *known.entry(svg.clone()).or_insert(next);
            if picture == next {
                self.pictures.push(svg);
            }
            found.push(json!({
                "file": file, "line": line, "function": self.name(step.function),
                "events": step.events.iter().map(|e| &e.message).collect::<Vec<_>>(), "picture": picture,
            }));
        }
        found
    }

    fn finding(&self, f: &Finding) -> Value {
        let notes = |n: &Note| json!({ "message": n.message, "place": self.place_json(n.span) });
        json!({
            "severity": severity_name(f.severity), "code": f.code, "message": f.message,
            "place": self.place_json(f.has_place().then_some(f.span)),
            "notes": f.notes.iter().map(notes).collect::<Vec<_>>(),
            "certainty": f.certainty, "hint": f.hint,
        })
    }

    /// What holds where functions are called and where they return.
    fn contracts(&self) -> Vec<Value> {
        let points = self.points();
        let mut found = Vec::new();
        for (id, function) in self.exhibit.program.functions.iter_enumerated() {
            let entry = Point { function: id, block: heapwise_ir::Body::ENTRY, index: 0 };
            let Some((report, _, states)) = points.iter().find(|(_, p, _)| *p == entry) else { continue };
            let Some(naming) = self.naming(report, id) else { continue };
            let returns = |p: &Point| {
                let block = naming.body.blocks.get(p.block);
                p.function == id
                    && block.is_some_and(|b| {
                        p.index == b.statements.len()
                            && matches!(b.terminator.kind, TerminatorKind::Return(_))
                    })
            };
            let exits: Vec<State> = points
                .iter()
                .filter(|(r, p, _)| std::ptr::eq(*r, *report) && returns(p))
                .flat_map(|(_, _, s)| s.iter().cloned())
                .collect();
            let place = self.place(function.span);
            found.push(json!({
                "function": &*function.name, "file": place.map(|p| p.0), "line": place.map(|p| p.1),
                "declared": self.exhibit.contracts.get(&id), "found": self.exhibit.found.get(&id),
                "entry": words::sentence(states, naming), "exit": words::sentence(&exits, naming),
            }));
        }
        found
    }

    fn predicates(&self) -> Vec<Value> {
        let empty = heapwise_ir::Body::default();
        let mut found: Vec<Value> = Vec::new();
        for report in &self.exhibit.reports {
            let naming =
                Naming { program: self.exhibit.program, body: &empty, preds: &report.preds, kept: 0 };
            for (id, p) in report.preds.iter() {
                let origin = format!("{:?}", p.origin).to_lowercase();
                let one = json!({ "name": p.name, "words": naming.structure(id), "origin": origin });
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }
}
