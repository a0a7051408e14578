//! From trees of predicates to definitions.
//!
//! All predicates of a program are resolved together, so that they may call each other in any order. A case becomes a
//! [`Case`] in the form that discovery produces too: cells by offset, existentials numbered as the cells name
//! them, calls in the order of the cells that lead to them, equalities of existentials substituted away.
//!
//! What is refused, so that every definition is well-founded and what it describes can be found by walking: a case
//! that calls predicates but has no block, a block that is not at the root, a call that no cell leads to.

use super::ast::{
    Atom, Block, Distance, Formula, Layout, Name, Op, Place, Predicate, Unit, Value, ValueKind,
};
use super::layout::{Layouts, Scalar};
use super::{ShapeError, ShapeResult};
use crate::pred::{
    BlockSpec, CallSpec, Callee, Case, CellSpec, Definition, Fact, Origin, PredId, PredTable, Term, TermBase,
};
use heapwise_ir::RecordId;
use heapwise_numeric::Interval;
use std::collections::BTreeMap;
use std::ops::Range;

/// The predicates that a user declared.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    by_name: BTreeMap<String, (PredId, u16)>,
    /// The record of the first block, by predicate.
    records: BTreeMap<String, RecordId>,
}

/// Largest number of parameters or existentials.
const MAX_NAMES: usize = 100;
/// Largest block that a definition may describe.
const MAX_SIZE: u64 = 1 << 20;

/// Resolves the predicates of all units and adds them to the table. Errors come with the index of their unit.
pub fn declare(
    units: &[&Unit],
    layouts: &dyn Layouts,
    preds: &mut PredTable,
) -> Result<Declared, Vec<(usize, ShapeError)>> {
    let mut declared = Declared::default();
    let mut errors = Vec::new();
    let mut all: Vec<(usize, &Predicate)> = Vec::new();
    for (u, unit) in units.iter().enumerate() {
        for p in &unit.predicates {
            let id = PredId((preds.len() + all.len()) as u32);
            if p.params.len() > MAX_NAMES {
                errors.push((u, ShapeError::new(p.name.at.clone(), "the predicate has too many parameters")));
                continue;
            }
            if declared.by_name.insert(p.name.text.clone(), (id, p.params.len() as u16)).is_some() {
                let message = format!("the predicate `{}` is declared twice", p.name.text);
                errors.push((u, ShapeError::new(p.name.at.clone(), message)));
            }
            all.push((u, p));
            let blocks = p.cases.iter().flat_map(|c| &c.atoms).filter_map(|a| match a {
                Atom::Block(Block { layout: Layout::Record(name), .. }) => layouts.record(&name.text),
                _ => None,
            });
            if let Some(record) = blocks.into_iter().next() {
                declared.records.insert(p.name.text.clone(), record);
            }
        }
    }
    let mut group = Vec::new();
    for (u, p) in &all {
        match definition(p, &declared, layouts) {
            Ok(def) => group.push((p.name.text.clone(), def)),
            Err(e) => errors.push((*u, e)),
        }
    }
    if errors.is_empty() {
        for i in endless(&group, preds.len()) {
            let (u, p) = all[i];
            let message =
                format!("no finite memory satisfies `{}`: every case calls such a predicate", p.name.text);
            errors.push((u, ShapeError::new(p.name.at.clone(), message)));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    preds.declare(group, Origin::Declared);
    Ok(declared)
}

/// The definitions of a group, whose numbers start at `first`, every case of which calls one of these.
fn endless(group: &[(String, Definition)], first: usize) -> Vec<usize> {
    let mut endless: Vec<usize> = (0..group.len()).collect();
    loop {
        let ends = |i: &usize| {
            let called = |callee: Callee| match callee {
                Callee::This => Some(*i),
                Callee::Other(p) => (p.0 as usize).checked_sub(first),
            };
            let open = |callee: Callee| called(callee).is_some_and(|c| endless.contains(&c));
            group[*i].1.cases.iter().any(|case| !case.calls.iter().any(|c| c.end.is_none() && open(c.callee)))
        };
        let rest: Vec<usize> = endless.iter().copied().filter(|i| !ends(i)).collect();
        if rest.len() == endless.len() {
            return rest;
        }
        endless = rest;
    }
}

impl Declared {
    /// The predicate of a call with so many arguments.
    pub fn predicate(&self, name: &Name, args: usize) -> ShapeResult<PredId> {
        let Some((id, params)) = self.by_name.get(&name.text) else {
            let message = format!("there is no predicate `{}`", name.text);
            return Err(ShapeError::new(name.at.clone(), message));
        };
        if usize::from(*params) != args {
            let message = format!("`{}` takes {params} arguments, but {args} are given", name.text);
            return Err(ShapeError::new(name.at.clone(), message));
        }
        Ok(*id)
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The record to which a field of `name` belongs: that of its block in the formula, of a predicate called on
    /// it, or of any block of the formula.
    fn record_of(&self, name: &str, formula: &Formula, layouts: &dyn Layouts) -> Option<RecordId> {
        let is = |v: &Value| v.plus.is_empty() && matches!(&v.kind, ValueKind::Name(n) if n == name);
        let block = |b: &Block| match &b.layout {
            Layout::Record(n) => layouts.record(&n.text),
            Layout::Bytes(..) | Layout::Array { .. } => None,
        };
        let own = formula.atoms.iter().find_map(|a| match a {
            Atom::Block(b) if is(&b.root) => block(b),
            Atom::Call(c) if c.args.first().is_some_and(is) => self.records.get(&c.name.text).copied(),
            _ => None,
        });
        own.or_else(|| {
            formula.atoms.iter().find_map(|a| match a {
                Atom::Block(b) => block(b),
                _ => None,
            })
        })
    }

    /// How many bytes a value lies from what it counts from; for `&x->f` also the name.
    pub(super) fn distance<'v>(
        &self,
        value: &'v Value,
        formula: &Formula,
        layouts: &dyn Layouts,
    ) -> ShapeResult<(ValueKindRef<'v>, i128)> {
        let mut off = 0i128;
        let base = match &value.kind {
            ValueKind::Name(n) => ValueKindRef::Name(n),
            ValueKind::Number(n) => {
                off = *n;
                ValueKindRef::Zero
            }
            ValueKind::Any => ValueKindRef::Any,
            ValueKind::Result => ValueKindRef::Result,
            ValueKind::Old(n) => ValueKindRef::Old(n),
            ValueKind::FieldOf(n, path) => {
                let Some(record) = self.record_of(n, formula, layouts) else {
                    let message = format!("the type of `{n}` is not known here; write `{n} + offsetof(…)`");
                    return Err(ShapeError::new(value.at.clone(), message));
                };
                off = i128::from(layouts.offset(record, path).map_err(|e| wrong_path(path, &e))?);
                ValueKindRef::Name(n)
            }
        };
        for d in &value.plus {
            off += match d {
                Distance::Bytes(n) => *n,
                Distance::OffsetOf(name, path, negative) => {
                    let record = record(name, layouts)?;
                    let by = layouts.offset(record, path).map_err(|e| wrong_path(path, &e))?;
                    if *negative { -i128::from(by) } else { i128::from(by) }
                }
            };
        }
        Ok((base, off))
    }
}

/// What a value counts from, without its offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueKindRef<'v> {
    Name(&'v str),
    Zero,
    Any,
    Result,
    Old(&'v str),
}

fn wrong_path(path: &super::ast::Path, why: &str) -> ShapeError {
    ShapeError::new(path.at.clone(), format!("the path {why}"))
}

fn record(name: &Name, layouts: &dyn Layouts) -> ShapeResult<RecordId> {
    layouts.record(&name.text).ok_or_else(|| {
        let message = format!("the program has no complete struct or union `{}`", name.text);
        ShapeError::new(name.at.clone(), message)
    })
}

/// Where a cell lies, and what it holds if the text says so.
pub(super) type PlacedCell<'b> = (Scalar, Option<&'b Value>);

/// The size and record of a block and its cells, by offset; cells for `..` have no value.
pub(super) fn layout_of<'b>(
    block: &'b Block,
    layouts: &dyn Layouts,
) -> ShapeResult<(BlockSpec, Vec<PlacedCell<'b>>)> {
    let spec = match &block.layout {
        Layout::Record(name) => {
            let id = record(name, layouts)?;
            BlockSpec::of_size(layouts.size(id), Some(id))
        }
        Layout::Bytes(size, tail, _) => BlockSpec { size: *size, tail: *tail, record: None },
        Layout::Array { count, .. } => {
            let message = "in a predicate the size of a block is a number";
            return Err(ShapeError::new(count.at.clone(), message));
        }
    };
    if spec.size == 0 || spec.size > MAX_SIZE {
        return Err(ShapeError::new(block.at.clone(), "a block has between 1 byte and a megabyte"));
    }
    let mut cells: Vec<PlacedCell<'_>> = Vec::new();
    let overlaps = |cells: &[PlacedCell<'_>], s: &Scalar| {
        cells.iter().any(|(c, _)| c.off < s.off + s.width && s.off < c.off + c.width)
    };
    for cell in &block.cells {
        let scalar = match (&cell.place, spec.record) {
            (Place::Field(path), Some(r)) => layouts.scalar(r, path).map_err(|e| wrong_path(path, &e))?,
            (Place::Field(path), None) => {
                let message = "a block of bytes has no fields; write `@offset:width`";
                return Err(ShapeError::new(path.at.clone(), message));
            }
            (Place::Bytes(off, width), _) => Scalar { off: *off, width: *width, range: None },
        };
        let inside = scalar.off.checked_add(scalar.width).is_some_and(|end| end <= spec.size);
        if !inside || !(1..=16).contains(&scalar.width) {
            return Err(ShapeError::new(cell.at.clone(), "the cell has 1 to 16 bytes inside the block"));
        }
        if overlaps(&cells, &scalar) {
            return Err(ShapeError::new(cell.at.clone(), "the cell overlaps one before"));
        }
        cells.push((scalar, Some(&cell.value)));
    }
    if block.rest {
        let Some(record) = spec.record else {
            return Err(ShapeError::new(block.at.clone(), "`..` needs a struct, not a number of bytes"));
        };
        for scalar in layouts.scalars(record) {
            if !overlaps(&cells, &scalar) {
                cells.push((scalar, None));
            }
        }
    }
    cells.sort_by_key(|(s, _)| s.off);
    Ok((spec, cells))
}

fn definition(p: &Predicate, declared: &Declared, layouts: &dyn Layouts) -> ShapeResult<Definition> {
    let mut params: Vec<&str> = Vec::new();
    for name in &p.params {
        if params.contains(&name.text.as_str()) {
            let message = format!("the parameter `{}` is declared twice", name.text);
            return Err(ShapeError::new(name.at.clone(), message));
        }
        if name.text == "self" && !params.is_empty() {
            let message = "`self` is another name for the first parameter";
            return Err(ShapeError::new(name.at.clone(), message));
        }
        params.push(&name.text);
    }
    let mut cases = Vec::new();
    for formula in &p.cases {
        if let Some(name) = formula.exists.iter().find(|e| e.text == "self" || params.contains(&&*e.text)) {
            let message = format!("`{}` is a parameter, and cannot be some other value", name.text);
            return Err(ShapeError::new(name.at.clone(), message));
        }
        let mut builder =
            Builder { params: &params, formula, declared, layouts, exists: Vec::new(), uses: Vec::new() };
        cases.push(builder.case(&p.name)?);
    }
    // Cases without memory first, as discovery has them.
    cases.sort_by_key(|c| c.block.is_some());
    Ok(Definition { params: params.len() as u16, cases })
}

struct Builder<'a> {
    params: &'a [&'a str],
    formula: &'a Formula,
    declared: &'a Declared,
    layouts: &'a dyn Layouts,
    /// Existentials: their names, or none for `_` and `..`.
    exists: Vec<Option<String>>,
    /// Where each existential was met first.
    uses: Vec<Range<usize>>,
}

impl Builder<'_> {
    fn case(&mut self, name: &Name) -> ShapeResult<Case> {
        let formula = self.formula;
        let mut case = Case::default();
        let blocks: Vec<&Block> = formula
            .atoms
            .iter()
            .filter_map(|a| if let Atom::Block(b) = a { Some(b) } else { None })
            .collect();
        if let Some(second) = blocks.get(1) {
            let message = "a case has one block; describe the others by predicates of their own";
            return Err(ShapeError::new(second.at.clone(), message));
        }
        let mut ranges: Vec<(TermBase, (i128, i128))> = Vec::new();
        if let Some(block) = blocks.first() {
            if self.term(&block.root)? != Term::ROOT {
                let first = self.params.first().unwrap_or(&"");
                let message = format!("the block of a case is at the first parameter, `{first}`");
                return Err(ShapeError::new(block.root.at.clone(), message));
            }
            let (spec, cells) = layout_of(block, self.layouts)?;
            case.block = Some(spec);
            for (scalar, value) in cells {
                let val = match value {
                    Some(v) => self.term(v)?,
                    None => self.fresh(None, block.at.clone())?,
                };
                if let Some(range) = scalar.range.filter(|_| val.off == 0) {
                    ranges.push((val.base, range));
                }
                case.cells.push(CellSpec { off: scalar.off, width: scalar.width, val });
            }
        }
        let mut facts = Vec::new();
        for atom in &formula.atoms {
            match atom {
                Atom::Emp | Atom::Block(_) => {}
                Atom::Call(call) => {
                    if call.end.is_some() {
                        let message =
                            "predicates cannot call segments; write a predicate with an end parameter";
                        return Err(ShapeError::new(call.name.at.clone(), message));
                    }
                    if case.block.is_none() {
                        let message = "a case that calls predicates needs a block at the root";
                        return Err(ShapeError::new(call.name.at.clone(), message));
                    }
                    let id = self.declared.predicate(&call.name, call.args.len())?;
                    let args = call.args.iter().map(|v| self.term(v)).collect::<ShapeResult<Vec<_>>>()?;
                    let callee = if call.name.text == name.text { Callee::This } else { Callee::Other(id) };
                    case.calls.push(CallSpec::whole(callee, args));
                }
                Atom::Fact(a, op, b) => facts.push((self.fact(a, *op, b)?, a.at.start..b.at.end)),
            }
        }
        let facts = substitute_equalities(&mut case, facts);
        // Numbers of integer fields lie in the range of their type; said only where the numbers matter.
        for (base, (lo, hi)) in ranges {
            let compared = |f: &Fact| !matches!(f, Fact::Eq(..)) && f.terms().any(|t| t.base == base);
            if matches!(base, TermBase::Exist(_)) && facts.iter().any(|(f, _)| compared(f)) {
                let range = Interval { lo: Some(lo), hi: Some(hi) };
                case.facts.push(Fact::In(Term { base, off: 0 }, range));
            }
        }
        self.check(&case, &facts)?;
        case.facts.extend(facts.into_iter().map(|(f, _)| f));
        renumber(&mut case);
        Ok(case)
    }

    fn fresh(&mut self, name: Option<&str>, at: Range<usize>) -> ShapeResult<Term> {
        if self.exists.len() >= MAX_NAMES {
            return Err(ShapeError::new(at, "the case has too many names"));
        }
        let t = Term::exist(self.exists.len() as u16);
        self.exists.push(name.map(str::to_owned));
        self.uses.push(at);
        Ok(t)
    }

    fn term(&mut self, value: &Value) -> ShapeResult<Term> {
        let (base, off) = self.declared.distance(value, self.formula, self.layouts)?;
        // As addresses these are the last ones, which are written as negative numbers.
        if base == ValueKindRef::Zero && off > i128::from(u64::MAX) - 4096 {
            return Err(ShapeError::new(value.at.clone(), "the number is too large for a predicate"));
        }
        let term = match base {
            ValueKindRef::Zero => Term::int(0),
            ValueKindRef::Any => self.fresh(None, value.at.clone())?,
            ValueKindRef::Result | ValueKindRef::Old(_) => {
                let message = "`\\result` and `\\old` have a meaning in contracts only";
                return Err(ShapeError::new(value.at.clone(), message));
            }
            ValueKindRef::Name(n) => {
                if let Some(i) = self.params.iter().position(|p| *p == n) {
                    Term::param(i as u16)
                } else if n == "self" {
                    Term::ROOT
                } else if let Some(i) = self.exists.iter().position(|e| e.as_deref() == Some(n)) {
                    Term::exist(i as u16)
                } else if self.formula.exists.is_empty() || self.formula.exists.iter().any(|e| e.text == n) {
                    self.fresh(Some(n), value.at.clone())?
                } else {
                    let message = format!("`{n}` is neither a parameter nor listed after `exists`");
                    return Err(ShapeError::new(value.at.clone(), message));
                }
            }
        };
        Ok(term.plus(off))
    }

    fn fact(&mut self, a: &Value, op: Op, b: &Value) -> ShapeResult<Fact> {
        let (x, y) = (self.term(a)?, self.term(b)?);
        Ok(comparison(x, op, y))
    }

    /// Every name must be determined, and every call reachable.
    fn check(&self, case: &Case, facts: &[(Fact, Range<usize>)]) -> ShapeResult<()> {
        let stored = |base: TermBase| case.cells.iter().any(|c| c.val.base == base);
        for call in &case.calls {
            let Some(root) = call.args.first() else { continue };
            if !stored(root.base) {
                let at = match root.base {
                    TermBase::Exist(i) => self.uses.get(usize::from(i)).cloned(),
                    _ => None,
                };
                let message = "no cell of the block leads to the root of this call";
                return Err(ShapeError::new(at.unwrap_or(self.formula.at.clone()), message));
            }
        }
        for (fact, at) in facts {
            for t in fact.terms() {
                let passed = case.calls.iter().any(|c| c.args.iter().any(|a| a.base == t.base));
                if matches!(t.base, TermBase::Exist(_)) && !stored(t.base) && !passed {
                    let message = "the fact speaks about a name that no cell or call determines";
                    return Err(ShapeError::new(at.clone(), message));
                }
            }
        }
        Ok(())
    }
}

/// A comparison as a fact.
fn comparison(x: Term, op: Op, y: Term) -> Fact {
    let (x, op, y) = match op {
        Op::Gt => (y, Op::Lt, x),
        Op::Ge => (y, Op::Le, x),
        op => (x, op, y),
    };
    let at_most = |x: Term, y: Term| match (x.base, y.base) {
        (_, TermBase::Zero) => Fact::In(x, Interval { lo: None, hi: Some(y.off) }),
        (TermBase::Zero, _) => Fact::In(y, Interval { lo: Some(x.off), hi: None }),
        _ => Fact::Le(x, y),
    };
    match op {
        Op::Eq => Fact::Eq(x, y),
        Op::Ne => Fact::Ne(x, y),
        Op::Lt => at_most(x.plus(1), y),
        Op::Le | Op::Gt | Op::Ge => at_most(x, y),
    }
}

/// Replaces existentials that a fact makes equal to something else.
fn substitute_equalities(case: &mut Case, mut facts: Vec<(Fact, Range<usize>)>) -> Vec<(Fact, Range<usize>)> {
    loop {
        let found = facts.iter().enumerate().find_map(|(i, (f, _))| match *f {
            Fact::Eq(a, b) if a.base != b.base => match (a.base, b.base) {
                (TermBase::Exist(_), _) => Some((i, a.base, b.plus(-a.off))),
                (_, TermBase::Exist(_)) => Some((i, b.base, a.plus(-b.off))),
                _ => None,
            },
            _ => None,
        });
        let Some((i, base, by)) = found else { return facts };
        facts.remove(i);
        let term = |t: &mut Term| {
            if t.base == base {
                *t = by.plus(t.off);
            }
        };
        case.cells.iter_mut().for_each(|c| term(&mut c.val));
        case.calls.iter_mut().flat_map(|c| c.terms_mut()).for_each(term);
        for (f, _) in &mut facts {
            for_each_term(f, term);
        }
    }
}

fn for_each_term(fact: &mut Fact, term: impl Fn(&mut Term)) {
    match fact {
        Fact::Eq(a, b) | Fact::Ne(a, b) | Fact::Le(a, b) => {
            term(a);
            term(b);
        }
        Fact::In(a, _) => term(a),
    }
}

/// Numbers existentials in the order of the cells and sorts calls by the cells that lead to them.
fn renumber(case: &mut Case) {
    let cells = &case.cells;
    case.calls.sort_by_key(|call| {
        let root = call.args.first().map(|t| t.base);
        cells.iter().position(|c| Some(c.val.base) == root)
    });
    let mut order: Vec<TermBase> = Vec::new();
    let mut meet = |t: &Term| {
        if matches!(t.base, TermBase::Exist(_)) && !order.contains(&t.base) {
            order.push(t.base);
        }
    };
    case.cells.iter().for_each(|c| meet(&c.val));
    case.calls.iter().flat_map(|c| c.terms()).for_each(&mut meet);
    case.facts.iter().flat_map(|f| f.terms()).for_each(|t| meet(&t));
    let rename = |t: &mut Term| {
        if let Some(i) = order.iter().position(|b| *b == t.base) {
            t.base = TermBase::Exist(i as u16);
        }
    };
    case.cells.iter_mut().for_each(|c| rename(&mut c.val));
    case.calls.iter_mut().flat_map(|c| c.terms_mut()).for_each(rename);
    case.facts.iter_mut().for_each(|f| for_each_term(f, rename));
    case.exists = order.len() as u16;
}
