//! What a cell or a variable may hold: a set of alternatives.
//!
//! The meaning is the union: a number of the interval (null is 0), an address in one of the nodes, a function, an address
//! of something that is gone, or anything at all. Where a pointer is used its alternatives are told apart, one state for
//! each. Operations cost time linear in the number of alternatives.

use heapwise_ir::FuncId;
use heapwise_numeric::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// The name of a node; names take no part in the meaning of a graph.
pub type NodeId = u32;

/// A set of values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Value {
    /// Numbers.
    pub num: Option<Interval>,
    /// Addresses: node and byte offset.
    pub ptrs: BTreeMap<NodeId, Interval>,
    /// Functions.
    pub funcs: BTreeSet<FuncId>,
    /// It may not be initialised.
    pub undef: bool,
    /// It may be the address of a block that was freed.
    pub freed: bool,
    /// It may be the address of a variable that is gone.
    pub ended: bool,
    /// It may be anything that is initialised; no address can be followed that comes from here.
    pub opaque: bool,
}

impl Value {
    /// One number.
    pub fn int(value: i128) -> Value {
        Value::range(Interval::point(value))
    }
    /// Numbers.
    pub fn range(range: Interval) -> Value {
        Value { num: Some(range), ..Value::default() }
    }
    /// The address of a node.
    pub fn ptr(node: NodeId, off: Interval) -> Value {
        Value { ptrs: BTreeMap::from([(node, off)]), ..Value::default() }
    }
    /// Not initialised.
    pub fn undef() -> Value {
        Value { undef: true, ..Value::default() }
    }
    /// Initialised, and nothing else is known.
    pub fn opaque() -> Value {
        Value { opaque: true, ..Value::default() }
    }
    /// Initialised or not.
    pub fn any() -> Value {
        Value { undef: true, opaque: true, ..Value::default() }
    }
    /// A function.
    pub fn func(f: FuncId) -> Value {
        Value { funcs: BTreeSet::from([f]), ..Value::default() }
    }
    /// The address of something that is gone.
    pub fn gone(freed: bool) -> Value {
        Value { freed, ended: !freed, ..Value::default() }
    }

    /// The alternatives, each as a set of its own.
    pub fn alternatives(&self) -> Vec<Value> {
        let mut all: Vec<Value> = self.num.into_iter().map(Value::range).collect();
        all.extend(self.ptrs.iter().map(|(n, off)| Value::ptr(*n, *off)));
        all.extend(self.funcs.iter().map(|f| Value::func(*f)));
        let flags = [
            (self.undef, Value::undef()),
            (self.freed, Value::gone(true)),
            (self.ended, Value::gone(false)),
            (self.opaque, Value::opaque()),
        ];
        all.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, v)| v));
        all
    }
    /// The node and offset, if it certainly is an address in just one node.
    pub fn as_ptr(&self) -> Option<(NodeId, Interval)> {
        let (n, off) = self.ptrs.first_key_value()?;
        (*self == Value::ptr(*n, *off)).then_some((*n, *off))
    }
    /// The number, if it is just one.
    pub fn as_int(&self) -> Option<i128> {
        let n = self.num?.as_point()?;
        (*self == Value::int(n)).then_some(n)
    }
    /// Whether a pointer of any kind is among the alternatives.
    pub fn has_pointer(&self) -> bool {
        !self.ptrs.is_empty() || !self.funcs.is_empty() || self.freed || self.ended
    }

    /// The union, with numbers put together by `numbers`.
    pub fn union(&self, other: &Value, numbers: impl Fn(Interval, Interval) -> Interval) -> Value {
        let num = match (self.num, other.num) {
            (Some(a), Some(b)) => Some(numbers(a, b)),
            (a, b) => a.or(b),
        };
        let mut ptrs = self.ptrs.clone();
        for (n, off) in &other.ptrs {
            ptrs.entry(*n).and_modify(|o| *o = numbers(*o, *off)).or_insert(*off);
        }
        Value {
            num,
            ptrs,
            funcs: self.funcs.union(&other.funcs).copied().collect(),
            undef: self.undef || other.undef,
            freed: self.freed || other.freed,
            ended: self.ended || other.ended,
            opaque: self.opaque || other.opaque,
        }
    }
    /// The union.
    pub fn join(&self, other: &Value) -> Value {
        self.union(other, Interval::join)
    }
    /// The address moved by a number of bytes; everything but null and addresses becomes opaque.
    pub fn shifted(&self, by: Interval) -> Value {
        if by == Interval::point(0) {
            return self.clone();
        }
        Value {
            num: self.num.map(|n| n.plus(by)),
            ptrs: self.ptrs.iter().map(|(n, off)| (*n, off.plus(by))).collect(),
            funcs: BTreeSet::new(),
            opaque: self.opaque || !self.funcs.is_empty(),
            ..self.clone()
        }
    }
    /// The same with other names of nodes; nodes with one new name are put together.
    pub fn renamed(&self, name: impl Fn(NodeId) -> NodeId) -> Value {
        let mut ptrs: BTreeMap<NodeId, Interval> = BTreeMap::new();
        for (n, off) in &self.ptrs {
            ptrs.entry(name(*n)).and_modify(|o| *o = o.join(*off)).or_insert(*off);
        }
        Value { ptrs, ..self.clone() }
    }
    /// The same after a node is gone.
    pub fn without(&self, node: NodeId, freed: bool) -> Value {
        let mut value = self.clone();
        if value.ptrs.remove(&node).is_some() {
            value.freed |= freed;
            value.ended |= !freed;
        }
        value
    }
    /// What is left of it if only a part of its bytes is looked at.
    pub fn part(&self) -> Value {
        let zero = self.as_int() == Some(0);
        let only_undef = *self == Value::undef();
        if zero || only_undef { self.clone() } else { Value { undef: self.undef, ..Value::opaque() } }
    }
    /// Whether every alternative but addresses in nodes is one of `other`.
    pub fn leq_apart_from_nodes(&self, other: &Value) -> bool {
        let covered = |has: bool, too: bool| !has || too || other.opaque;
        self.num.is_none_or(|n| other.opaque || other.num.is_some_and(|m| n.is_subset(m)))
            && covered(!self.funcs.is_subset(&other.funcs), false)
            && (!self.undef || other.undef)
            && covered(self.freed, other.freed)
            && covered(self.ended, other.ended)
            && (!self.opaque || other.opaque)
    }
}
