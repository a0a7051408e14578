//! From formulas to states: the memory that a contract or an assumption describes.
//!
//! Names are looked up in an [`Env`]; what it does not know is existential. Blocks and predicates become objects and
//! summaries of their own, facts are assumed. The result describes exactly the memories of the formula: where an
//! equality could not be expressed, that is an error and not a weaker state, since a postcondition that is
//! too weak would be a wrong proof.

use super::ast::{Atom, Block, Formula, Layout, Op, Value};
use super::resolve::{Declared, ValueKindRef, layout_of};
use super::{Layouts, ShapeError, ShapeResult};
use crate::object::{Fill, Object};
use crate::pred::{BlockSpec, PredTable, Tail};
use crate::state::{State, Summary};
use crate::value::{Base, Sym, Val};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What names mean.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// Variables now.
    pub names: BTreeMap<String, Val>,
    /// Variables when the function was entered.
    pub old: BTreeMap<String, Val>,
    /// The result of the function.
    pub result: Option<Val>,
}

/// The context in which formulas become states.
#[derive(Clone, Copy)]
pub struct Instance<'a> {
    /// The predicates by name.
    pub declared: &'a Declared,
    /// All predicates.
    pub preds: &'a PredTable,
    /// The types.
    pub layouts: &'a dyn Layouts,
}

/// Most equalities and blocks of one formula.
const MAX_ATOMS: usize = 200;

impl Instance<'_> {
    /// Names that a formula mentions and that are not listed after `exists`, with their places.
    pub fn free_names(formulas: &[Formula]) -> Vec<(String, std::ops::Range<usize>)> {
        use super::ast::ValueKind;
        let mut found: Vec<(String, std::ops::Range<usize>)> = Vec::new();
        for f in formulas {
            let mut value = |v: &Value| {
                if let ValueKind::Name(n) | ValueKind::FieldOf(n, _) = &v.kind
                    && !f.exists.iter().any(|e| e.text == *n)
                    && !found.iter().any(|(m, _)| m == n)
                {
                    found.push((n.clone(), v.at.clone()));
                }
            };
            for atom in &f.atoms {
                match atom {
                    Atom::Emp => {}
                    Atom::Block(b) => b.values().for_each(&mut value),
                    Atom::Call(c) => c.args.iter().chain(c.end.iter().flatten()).for_each(&mut value),
                    Atom::Fact(a, _, b) => {
                        value(a);
                        value(b);
                    }
                }
            }
        }
        found
    }

    /// Adds what the formula describes to a state; `None` if no memory satisfies both.
    pub fn add(&self, formula: &Formula, env: &Env, state: State) -> ShapeResult<Option<State>> {
        if formula.atoms.len() > MAX_ATOMS {
            return Err(ShapeError::new(formula.at.clone(), "the formula has too many conjuncts"));
        }
        let mut building = Building { context: self, formula, env, state, exists: BTreeMap::new() };
        building.run()
    }
}

struct Building<'a> {
    context: &'a Instance<'a>,
    formula: &'a Formula,
    env: &'a Env,
    state: State,
    exists: BTreeMap<String, Val>,
}

impl Building<'_> {
    fn run(&mut self) -> ShapeResult<Option<State>> {
        let preds = self.context.preds;
        let mut equal: Vec<(Val, Val, &Value)> = Vec::new();
        let mut facts: Vec<(Val, Op, Val)> = Vec::new();
        for atom in &self.formula.atoms {
            match atom {
                Atom::Emp => {}
                Atom::Block(block) => {
                    let root = self.value(&block.root)?;
                    if let Layout::Array { element, count } = &block.layout {
                        let Some(object) = self.array(block, *element, count)? else { return Ok(None) };
                        let address = self.place(root, &block.root, &mut equal);
                        self.state.objects.insert(address, Arc::new(object));
                        continue;
                    }
                    let (spec, cells) = layout_of(block, self.context.layouts)?;
                    let Some(mut object) = self.state.block(&spec) else { return Ok(None) };
                    if let Some(record) = spec.record.filter(|_| block.rest) {
                        for (lo, hi) in self.context.layouts.scalar_bytes(record) {
                            object.fill(lo, hi, Fill::Unknown);
                        }
                    }
                    for (scalar, value) in cells {
                        let val = match value {
                            Some(v) => self.value(v)?,
                            None => Val::sym(self.state.fresh()),
                        };
                        // Numbers lie in the range of their type; said only where they matter.
                        if let (Some((lo, hi)), Some(v)) = (scalar.range, value)
                            && self.is_compared(v)
                        {
                            facts.push((Val::int(lo), Op::Le, val));
                            facts.push((val, Op::Le, Val::int(hi)));
                        }
                        object.write(scalar.off, scalar.width, val);
                    }
                    let address = self.place(root, &block.root, &mut equal);
                    self.state.objects.insert(address, Arc::new(object));
                }
                Atom::Call(call) => {
                    let pred = self.context.declared.predicate(&call.name, call.args.len())?;
                    let (root, args) = self.values(&call.args)?;
                    let end = match &call.end {
                        None => None,
                        Some(end) => {
                            self.context.declared.predicate(&call.name, end.len())?;
                            Some(self.values(end)?)
                        }
                    };
                    let (args, end) = (args.into(), end.map(|(r, a): (Val, Vec<Val>)| (r, a.into())));
                    self.state.summaries.push(Summary { pred, root, args, end, region: None });
                }
                Atom::Fact(a, op, b) => {
                    let (x, y) = (self.value(a)?, self.value(b)?);
                    match op {
                        Op::Eq => equal.push((x, y, a)),
                        _ => facts.push((x, *op, y)),
                    }
                }
            }
        }
        // Facts first: equalities then substitute in them too.
        for (x, op, y) in facts {
            let possible = match op {
                Op::Eq => true,
                Op::Ne => x != y && self.state.pure.assume_ne(x, y),
                Op::Lt => self.state.pure.assume_le(x, y, true),
                Op::Le => self.state.pure.assume_le(x, y, false),
                Op::Gt => self.state.pure.assume_le(y, x, true),
                Op::Ge => self.state.pure.assume_le(y, x, false),
            };
            if !possible {
                return Ok(None);
            }
        }
        let mut sides: Vec<Val> = equal.iter().flat_map(|(x, y, _)| [*x, *y]).collect();
        let kept = self.state.keep(&sides);
        let pairs = equal.iter().map(|(x, y, _)| (*x, *y)).collect();
        if !self.state.assume_all_eq(pairs, preds) {
            return Ok(None);
        }
        self.state.take_kept(kept, &mut sides);
        for (two, (.., value)) in sides.chunks_exact(2).zip(&equal) {
            if two.first() != two.last() {
                let message =
                    "this equality is between two different blocks or numbers and cannot be expressed";
                return Err(ShapeError::new(value.at.clone(), message));
            }
        }
        Ok(Some(std::mem::take(&mut self.state)))
    }

    /// The address of a new block at a value: the value itself where it is one, else what has to equal it.
    fn place<'v>(&mut self, root: Val, at: &'v Value, equal: &mut Vec<(Val, Val, &'v Value)>) -> Sym {
        let own = root.as_sym().filter(|s| root.off == 0 && !self.state.objects.contains_key(s));
        let address = own.unwrap_or_else(|| {
            let s = self.state.fresh();
            equal.push((root, Val::sym(s), at));
            s
        });
        self.state.dead.remove(&address);
        address
    }

    /// An array of at least so many elements, initialised as far as they go if the block says so.
    fn array(&mut self, block: &Block, element: u64, count: &Value) -> ShapeResult<Option<Object>> {
        if !block.cells.is_empty() {
            return Err(ShapeError::new(block.at.clone(), "an array has no cells of its own"));
        }
        let number = self.value(count)?;
        let wrong = || ShapeError::new(count.at.clone(), "the size of the array cannot be expressed");
        let bytes = self.state.linear(number).and_then(|form| form.times(i128::from(element)));
        let bytes = bytes.and_then(|form| self.state.value_of(&form)).ok_or_else(wrong)?;
        let spec = BlockSpec { size: 0, tail: Tail::Open, record: None };
        let Some(mut object) = self.state.block(&spec) else { return Ok(None) };
        if !self.state.pure.assume_le(bytes, object.size, false) {
            return Ok(None);
        }
        if block.rest {
            object.set_prefix(Some(bytes));
        }
        Ok(Some(object))
    }

    /// Whether a predicate or a fact speaks of the same name.
    fn is_compared(&self, value: &Value) -> bool {
        let super::ast::ValueKind::Name(name) = &value.kind else { return false };
        let same = |v: &Value| matches!(&v.kind, super::ast::ValueKind::Name(n) if n == name);
        self.formula.atoms.iter().any(|atom| match atom {
            Atom::Emp | Atom::Block(_) => false,
            Atom::Call(c) => c.args.iter().chain(c.end.iter().flatten()).any(same),
            Atom::Fact(a, _, b) => same(a) || same(b),
        })
    }

    fn values(&mut self, values: &[Value]) -> ShapeResult<(Val, Vec<Val>)> {
        let mut all = values.iter().map(|v| self.value(v)).collect::<ShapeResult<Vec<_>>>()?;
        if all.is_empty() {
            return Err(ShapeError::new(self.formula.at.clone(), "a predicate has a root"));
        }
        let root = all.remove(0);
        Ok((root, all))
    }

    fn value(&mut self, value: &Value) -> ShapeResult<Val> {
        let (base, off) = self.context.declared.distance(value, self.formula, self.context.layouts)?;
        let unknown = |message: String| Err(ShapeError::new(value.at.clone(), message));
        let val = match base {
            ValueKindRef::Zero => Val::ZERO,
            ValueKindRef::Any => Val::sym(self.state.fresh()),
            ValueKindRef::Result => match self.env.result {
                Some(v) => v,
                None => return unknown("there is no `\\result` here".into()),
            },
            ValueKindRef::Old(n) => match self.env.old.get(n) {
                Some(v) => *v,
                None => return unknown(format!("there is no variable `{n}` with an old value here")),
            },
            ValueKindRef::Name(n) => {
                let listed = self.formula.exists.iter().any(|e| e.text == n);
                match self.env.names.get(n).filter(|_| !listed).or_else(|| self.exists.get(n)) {
                    Some(v) => *v,
                    None if listed || self.formula.exists.is_empty() => {
                        let v = Val::sym(self.state.fresh());
                        self.exists.insert(n.to_owned(), v);
                        v
                    }
                    None => return unknown(format!("`{n}` is neither a variable nor listed after `exists`")),
                }
            }
        };
        if val.base == Base::Undef {
            return unknown("the variable has no value here".into());
        }
        Ok(val.plus(off))
    }
}
