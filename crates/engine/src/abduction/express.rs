//! States in the language of predicates: what a function leaves behind, as the formulas of a postcondition.
//!
//! A formula may say less than its state, never something else; whether it holds is shown afterwards by verification, so that
//! nothing rests on what is done here. Memory that has no words is an error: a postcondition without it would be wrong.

use super::fields;
use heapwise_heap::pred::{BlockSpec, Callee, Case, Fact, Tail, Term, TermBase};
use heapwise_heap::shape::Layouts;
use heapwise_heap::{
    Base, Content, Fill, Linear, Object, ObjectKind, PredId, PredTable, Root, State, Sym, Val,
};
use heapwise_ir::{Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes that a block of any size is said to have at least.
const MAX_LEAST: u64 = 1 << 16;

/// Names of roots.
pub(super) struct Words<'a> {
    pub(super) program: &'a Program,
    pub(super) preds: &'a PredTable,
    /// What values at the call are called: those of parameters and globals, by the number of their cutpoint.
    pub(super) held: BTreeMap<u32, String>,
    /// The first cutpoint of which nothing is said but what others say with its name.
    pub(super) silent: u32,
    /// Globals that may be named.
    pub(super) globals: BTreeMap<heapwise_ir::GlobalId, String>,
    /// Names that existentials must not have.
    pub(super) taken: BTreeSet<String>,
    /// What discovered predicates are called, and those of them that are defined elsewhere.
    pub(super) found: BTreeMap<PredId, Named>,
    /// Numbers that are lengths of arrays, by their cutpoints, with the sizes of elements; larger elements first.
    pub(super) lengths: Vec<(u32, u64)>,
    /// Whether facts about numbers are said.
    pub(super) numbers: bool,
}

/// A predicate that the run discovered.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// What it is called.
    pub(super) name: String,
    /// Its declaration, if it is one of the usual structures.
    pub(super) usual: Option<String>,
}

/// A formula and the predicates that it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Expressed {
    pub(super) text: String,
    pub(super) preds: BTreeSet<PredId>,
}

struct Naming<'a> {
    words: &'a Words<'a>,
    state: &'a State,
    names: BTreeMap<Sym, String>,
    uses: BTreeMap<Sym, usize>,
    next: usize,
}

impl Words<'_> {
    /// The state of an exit as a formula.
    pub(super) fn formula(&self, state: &State) -> Result<Expressed, String> {
        let mut uses = BTreeMap::new();
        state.for_each_val(|v| {
            if let Some(s) = v.as_sym() {
                *uses.entry(s).or_insert(0) += 1;
            }
        });
        let mut naming = Naming { words: self, state, names: BTreeMap::new(), uses, next: 0 };
        let mut atoms = Vec::new();
        let mut preds = BTreeSet::new();
        if state.root(Root::Result).is_some_and(Val::is_undef) {
            return Err("its result may not be initialised".into());
        }
        naming.roots(&mut atoms)?;
        for (s, o) in state.objects() {
            match o.kind {
                ObjectKind::Heap => atoms.push(naming.block(s)?),
                ObjectKind::Stream(_) => return Err("it leaves an open stream".into()),
                _ => {}
            }
        }
        for s in state.summaries() {
            preds.insert(s.pred);
            let values = |naming: &mut Naming<'_>, root: Val, args: &[Val]| {
                let all: Vec<String> =
                    std::iter::once(root).chain(args.iter().copied()).map(|v| naming.value(v)).collect();
                all.join(", ")
            };
            let front = values(&mut naming, s.root, &s.args);
            let name = self.word(s.pred);
            atoms.push(match &s.end {
                None => format!("{name}({front})"),
                // Up to null it is whole where null is nothing.
                Some((end, _)) if *end == Val::ZERO && ends_with_null(self.preds, s.pred) => {
                    format!("{name}({front})")
                }
                Some((end, args)) => format!("{name}({front}; {})", values(&mut naming, *end, args)),
            });
        }
        naming.facts(&mut atoms);
        // A variable that is not mentioned would be one that did not change.
        for name in self.globals.values() {
            let is_mentioned = |a: &String| {
                let parts = a.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\\');
                let words: Vec<&str> = parts.filter(|w| !w.is_empty()).collect();
                let now = |(i, w): (usize, &&str)| {
                    *w == name.as_str() && i.checked_sub(1).and_then(|i| words.get(i)) != Some(&"\\old")
                };
                words.iter().enumerate().any(now)
            };
            if !atoms.iter().any(is_mentioned) {
                atoms.push(format!("{name} == {name}"));
            }
        }
        Ok(Expressed { text: conjunction(&atoms), preds })
    }

    /// The definitions of discovered predicates, and of those that they call; why there is none.
    pub(super) fn definitions(
        &self,
        wanted: &BTreeSet<PredId>,
        declared: usize,
    ) -> Result<Vec<String>, String> {
        let mut todo: Vec<PredId> = wanted.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut texts = Vec::new();
        while let Some(id) = todo.pop() {
            if (id.0 as usize) < declared || !seen.insert(id) {
                continue;
            }
            if let Some(usual) = self.found.get(&id).and_then(|n| n.usual.as_ref()) {
                texts.push(usual.clone());
                continue;
            }
            let def = &self.preds.get(id).def;
            let params: Vec<String> = (0..def.params).map(|i| format!("p{i}")).collect();
            let mut cases = Vec::new();
            for case in &def.cases {
                for call in &case.calls {
                    if call.end.is_some() {
                        return Err("it leaves a structure whose elements hold segments".into());
                    }
                    if let Callee::Other(p) = call.callee {
                        todo.push(p);
                    }
                }
                cases.push(self.case(id, case)?);
            }
            let name = self.word(id);
            texts.push(format!("predicate {name}({}) = {};", params.join(", "), cases.join(" | ")));
        }
        texts.sort();
        Ok(texts)
    }

    fn word(&self, id: PredId) -> String {
        match self.found.get(&id) {
            Some(named) => named.name.clone(),
            None => self.preds.get(id).name.clone(),
        }
    }

    fn case(&self, id: PredId, case: &Case) -> Result<String, String> {
        let types = &self.program.types;
        let term = |t: &Term| -> Result<String, String> {
            let base = match t.base {
                TermBase::Zero => return Ok(t.off.to_string()),
                TermBase::Func(_) => return Err("it leaves a structure that holds functions".into()),
                TermBase::Param(i) => format!("p{i}"),
                TermBase::Exist(_) if case.is_free(t) => return Ok("_".into()),
                TermBase::Exist(i) => format!("e{i}"),
            };
            Ok(plus(base, t.off))
        };
        let mut atoms = Vec::new();
        if let Some(block) = &case.block {
            let layout = fields::block(types, block);
            let cells: Result<Vec<String>, String> = case
                .cells
                .iter()
                .map(|c| {
                    Ok(format!("{}: {}", fields::cell(types, block.record, c.off, c.width), term(&c.val)?))
                })
                .collect();
            atoms.push(format!("p0 -> {layout} {{ {} }}", cells?.join(", ")));
        }
        for call in &case.calls {
            let callee = match call.callee {
                Callee::This => id,
                Callee::Other(p) => p,
            };
            let args: Result<Vec<String>, String> = call.args.iter().map(term).collect();
            atoms.push(format!("{}({})", self.word(callee), args?.join(", ")));
        }
        for fact in &case.facts {
            match fact {
                Fact::Eq(a, b) => atoms.push(format!("{} == {}", term(a)?, term(b)?)),
                Fact::Ne(a, b) => atoms.push(format!("{} != {}", term(a)?, term(b)?)),
                Fact::Le(a, b) => atoms.push(format!("{} <= {}", term(a)?, term(b)?)),
                Fact::In(a, range) => {
                    let a = term(a)?;
                    atoms.extend(range.lo.map(|n| format!("{a} >= {n}")));
                    atoms.extend(range.hi.map(|n| format!("{a} <= {n}")));
                }
            }
        }
        Ok(conjunction(&atoms))
    }
}

/// Whether null is an instance of a predicate, without memory and whatever the other arguments are.
fn ends_with_null(preds: &PredTable, id: PredId) -> bool {
    let root_is_null = |f: &Fact| *f == Fact::Eq(Term::ROOT, Term::int(0));
    preds.get(id).def.cases.iter().any(|c| c.block.is_none() && c.facts.iter().all(root_is_null))
}

/// Conjuncts as a formula: memory is separated by `*`, facts stand after `&&`.
pub(super) fn conjunction(atoms: &[String]) -> String {
    let is_fact =
        |a: &&String| !a.contains("->") && [" == ", " != ", " <= ", " >= "].iter().any(|op| a.contains(op));
    let mut text = String::new();
    let ordered = atoms.iter().filter(|a| !is_fact(a)).chain(atoms.iter().filter(is_fact));
    for atom in ordered {
        match (text.is_empty(), is_fact(&atom)) {
            (true, _) => {}
            (false, true) => text.push_str(" && "),
            (false, false) => text.push_str(" * "),
        }
        text.push_str(atom);
    }
    if text.is_empty() { "emp".into() } else { text }
}

fn plus(base: String, off: i128) -> String {
    match off {
        0 => base,
        n if n < 0 => format!("{base} - {}", n.unsigned_abs()),
        n => format!("{base} + {n}"),
    }
}

impl Naming<'_> {
    /// Names for what roots hold, and what is known of several names for one thing.
    fn roots(&mut self, atoms: &mut Vec<String>) -> Result<(), String> {
        let mut named: Vec<(String, Val)> = Vec::new();
        let mut silent: Vec<(String, Val)> = Vec::new();
        for (i, name) in &self.words.held {
            let to = if *i < self.words.silent { &mut named } else { &mut silent };
            to.extend(self.state.root(Root::Cut(*i)).map(|v| (name.clone(), v)));
        }
        // What has no name of its own in the program is called what it was called before.
        let program_names: BTreeSet<Sym> = named.iter().filter_map(|(_, v)| v.as_sym()).collect();
        for (name, v) in silent {
            if let Some(s) = v.as_sym().filter(|s| !program_names.contains(s)) {
                self.names.entry(s).or_insert_with(|| plus(name, -v.off));
            }
        }
        for (g, name) in &self.words.globals {
            let at = self.state.root(Root::Global(*g)).and_then(|v| v.as_sym());
            let width = self.words.program.globals.get(*g).map_or(0, |g| self.words.program.types.size(g.ty));
            match at.and_then(|s| self.state.object(s)).map(|o| o.read(0, width)) {
                Some(Content::Val(v)) => named.push((name.clone(), v)),
                // Any value: it may have been changed.
                Some(Content::Unknown) => atoms.push(format!("{name} == {name}")),
                Some(Content::Uninit) => return Err(format!("it leaves `{name}` without a value")),
                None => {}
            }
        }
        named.extend(self.state.root(Root::Result).map(|v| ("\\result".to_owned(), v)));
        for (name, v) in named {
            match v.base {
                Base::Undef | Base::Func(_) => {}
                Base::Zero => atoms.push(format!("{name} == {}", v.off)),
                Base::Sym(s) => match self.names.get(&s) {
                    // What a name stands for at an offset has its name without it.
                    None if v.off != 0 && (self.state.has_object(s) || self.owns(s)) => {
                        self.next += 1;
                        let mut new = format!("x{}", self.next);
                        while self.words.taken.contains(&new) {
                            self.next += 1;
                            new = format!("x{}", self.next);
                        }
                        atoms.push(format!("{name} == {}", plus(new.clone(), v.off)));
                        self.names.insert(s, new);
                    }
                    None => {
                        let text = plus(name, -v.off);
                        self.names.insert(s, text);
                    }
                    Some(known) => {
                        let known = plus(known.clone(), v.off);
                        atoms.push(format!("{name} == {known}"));
                    }
                },
            }
        }
        Ok(())
    }

    fn owns(&self, s: Sym) -> bool {
        self.state.summaries().any(|t| t.root.as_sym() == Some(s))
    }

    fn value(&mut self, v: Val) -> String {
        match v.base {
            Base::Zero => v.off.to_string(),
            Base::Undef | Base::Func(_) => "_".into(),
            Base::Sym(s) => {
                if let Some(name) = self.names.get(&s) {
                    return plus(name.clone(), v.off);
                }
                if self.uses.get(&s).copied().unwrap_or(0) < 2 && !self.state.has_object(s) {
                    return "_".into();
                }
                let name = loop {
                    self.next += 1;
                    let name = format!("x{}", self.next);
                    if !self.words.taken.contains(&name) {
                        break name;
                    }
                };
                self.names.insert(s, name.clone());
                plus(name, v.off)
            }
        }
    }

    fn block(&mut self, s: Sym) -> Result<String, String> {
        let types = &self.words.program.types;
        let Some(o) = self.state.object(s) else { return Err("it leaves a block that is gone".into()) };
        if let Some(array) = self.array(s, o) {
            return Ok(array);
        }
        let spec = self.spec(o)?;
        let record = spec.record;
        let mut places: Vec<(u64, u64)> = match record {
            Some(r) => fields::scalars(types, r),
            None => o.cells().map(|(off, c)| (off, c.width)).filter(|(_, w)| *w <= 16).collect(),
        };
        // Of members of a union that was told which holds a value of its own.
        places.sort_by_key(|(off, width)| (*off, o.cell(*off, *width).is_none()));
        let o = o.clone();
        // If all is initialised, what has no name need not be told.
        let is_initialised = |(lo, hi): (u64, u64)| is_initialised(&o, lo, hi);
        let rest = record.is_some_and(|r| Layouts::scalar_bytes(types, r).into_iter().all(is_initialised));
        let mut cells = Vec::new();
        let count = places.len();
        let mut told: u64 = 0;
        for (off, width) in places {
            // Members of a union lie on top of each other: the first one is told.
            if off < told {
                continue;
            }
            let value = match o.read(off, width) {
                Content::Val(v) if v.is_undef() => continue,
                Content::Val(v) => self.value(v),
                Content::Unknown if spec.tail == Tail::Text => continue,
                Content::Unknown => "_".into(),
                Content::Uninit => continue,
            };
            told = off + width;
            if rest && value == "_" {
                continue;
            }
            cells.push(format!("{}: {value}", fields::cell(types, record, off, width)));
        }
        let root = self.value(Val::sym(s));
        if root == "_" {
            return Err("it leaves a block that nothing leads to".into());
        }
        if rest && cells.len() < count {
            cells.push("..".into());
        }
        let layout = fields::block(types, &spec);
        let cells = cells.join(", ");
        Ok(if cells.is_empty() {
            format!("{root} -> {layout} {{ }}")
        } else {
            format!("{root} -> {layout} {{ {cells} }}")
        })
    }

    /// A block of any size as an array, if it has as many elements as an argument says.
    fn array(&mut self, s: Sym, o: &Object) -> Option<String> {
        let size =
            self.state.linear(o.size).filter(|_| o.const_size().is_none() && !self.state.holds_text(o))?;
        for (length, element) in &self.words.lengths {
            let name = self.words.held.get(length)?;
            let bytes = self.state.root(Root::Cut(*length)).and_then(|v| self.state.linear(v));
            let Some(bytes) = bytes.and_then(|form| form.times(i128::from(*element))) else { continue };
            let has =
                |form: &Linear| form.minus(&bytes).is_some_and(|room| self.state.is_not_negative(&room));
            if !has(&size) {
                continue;
            }
            let told = o.prefix().and_then(|p| self.state.linear(p)).is_some_and(|p| has(&p));
            let rest = if told || o.initialised_from_start() == u64::MAX { ".. " } else { "" };
            let size = if *element == 1 { format!("{name} ..") } else { format!("{element} * {name} ..") };
            let root = self.value(Val::sym(s));
            return Some(format!("{root} -> [{size}] {{ {rest}}}"));
        }
        None
    }

    /// What a block is, as far as the language has words for it.
    fn spec(&self, o: &Object) -> Result<BlockSpec, String> {
        let types = &self.words.program.types;
        if let Some(size) = o.const_size() {
            return Ok(BlockSpec::of_size(size, o.record.filter(|r| Layouts::size(types, *r) == size)));
        }
        if self.state.holds_text(o) {
            return Ok(BlockSpec { size: 1, tail: Tail::Text, record: None });
        }
        let least = self.state.numbers().range(o.size).lo.and_then(|lo| u64::try_from(lo).ok());
        match least.filter(|n| (1..=MAX_LEAST).contains(n)) {
            Some(size) => Ok(BlockSpec { size, tail: Tail::Open, record: None }),
            None => Err("it leaves a block whose size is not known beforehand".into()),
        }
    }

    /// What is known of values that have names by now.
    fn facts(&self, atoms: &mut Vec<String>) {
        let name = |v: Val| match v.base {
            Base::Zero => Some(v.off.to_string()),
            Base::Sym(s) => self.names.get(&s).map(|n| plus(n.clone(), v.off)),
            _ => None,
        };
        for (a, b) in self.state.numbers().disequalities() {
            let memory = |v: Val| v.as_sym().is_some_and(|s| self.state.has_object(s));
            // That blocks are apart is said by their being there.
            if memory(a) && (memory(b) || b == Val::ZERO) || memory(b) && a == Val::ZERO {
                continue;
            }
            let (x, y) = (name(a), name(b));
            if let (Some(x), Some(y)) = (x, y)
                && (a == Val::ZERO || b == Val::ZERO)
            {
                let (x, y) = if a == Val::ZERO { (y, x) } else { (x, y) };
                atoms.push(format!("{x} != {y}"));
            }
        }
        if !self.words.numbers {
            return;
        }
        let result = self.state.root(Root::Result).filter(|v| v.off == 0).and_then(|v| v.as_sym());
        let held = self.words.held.keys().filter_map(|i| self.state.root(Root::Cut(*i))?.as_sym());
        let told: BTreeSet<Sym> = held.chain(result).collect();
        for (s, range) in self.state.numbers().intervals().filter(|(s, _)| told.contains(s)) {
            let Some(n) = self.names.get(&s) else { continue };
            // The ends of types, and next to them, are of no interest.
            let near =
                |n: i128, widths: [u32; 4]| widths.iter().any(|bits| (n.abs() - (1i128 << bits)).abs() <= 2);
            let (signed, unsigned) = ([7, 15, 31, 63], [8, 16, 32, 64]);
            let natural = range.lo == Some(0) && range.hi.is_some_and(|hi| near(hi, unsigned));
            let limit = |n: i128| near(n, signed) || near(n, unsigned) || natural;
            atoms.extend(range.lo.filter(|lo| !limit(*lo)).map(|lo| format!("{n} >= {lo}")));
            atoms.extend(range.hi.filter(|hi| !limit(*hi)).map(|hi| format!("{n} <= {hi}")));
        }
    }
}

/// Whether bytes of a block are certainly initialised.
fn is_initialised(o: &Object, lo: u64, hi: u64) -> bool {
    let mut at = lo;
    while at < hi {
        at = match o.cells_from(at).next().filter(|(off, _)| *off == at) {
            Some((_, cell)) if !cell.val.is_undef() => at + cell.width,
            Some(_) => return false,
            // Up to the next cell the background counts.
            None => {
                let next = o.cells_from(at).next().map_or(hi, |(off, _)| off.min(hi));
                if o.fills(at, next).any(|(.., fill)| fill == Fill::Uninit) {
                    return false;
                }
                next
            }
        };
    }
    true
}

/// Whether a type is one of pointers or whole numbers, whose values formulas can name.
pub(super) fn is_nameable(program: &Program, ty: heapwise_ir::Ty) -> bool {
    matches!(program.types.get(ty), Type::Pointer(_) | Type::Int(_) | Type::Bool)
}
