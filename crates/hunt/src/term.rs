//! Integer terms over the inputs of a run, as the program computed them, and the conditions that a path puts on them.
//!
//! Terms live in an arena, operands before operators, so that evaluation is one pass over the nodes that matter.
//! Evaluation follows the machine: results are wrapped to their type.

use heapwise_ir::{BinaryOp, CompareOp, IntTy};

use std::rc::Rc;

heapwise_ir::define_index!(
    /// A term.
    TermId,
    "t"
);

/// What a term is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// The value of an input, by its number among the draws.
    Input(u32),
    /// A number.
    Const(i128),
    /// An operator whose result is wrapped to a type.
    Binary(BinaryOp, TermId, TermId, IntTy),
    /// 1 if the comparison holds, else 0.
    Compare(CompareOp, TermId, TermId),
    /// A conversion.
    Wrap(TermId, IntTy),
}

/// Ranges of numbers, both ends included.
pub type Ranges = Vec<(i128, i128)>;

/// All numbers but 0.
pub fn nonzero() -> Ranges {
    vec![(i128::MIN, -1), (1, i128::MAX)]
}

/// Whether a number lies in one of the ranges.
pub fn within(ranges: &[(i128, i128)], v: i128) -> bool {
    ranges.iter().any(|&(lo, hi)| lo <= v && v <= hi)
}

/// A condition that the path of a run puts on its inputs.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The term it is about.
    pub term: TermId,
    /// Where its value lies on this path.
    pub now: Ranges,
    /// Where it could lie instead; each gives another path.
    pub others: Vec<Ranges>,
    /// Where in the program, for telling paths apart.
    pub site: u64,
    /// Through which calls, as far as they are told apart.
    pub calls: u64,
    /// Number of inputs drawn before.
    pub draws: usize,
}

/// Most terms of a run.
const MAX_TERMS: usize = 50_000;
/// Most inputs below a term; a sum over more of them is not followed.
const MAX_INPUTS: usize = 24;

/// The terms of a run.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    /// The inputs below each term, sorted.
    inputs: Vec<Rc<[u32]>>,
}

impl Terms {
    /// Adds a term; `None` if there are too many, or it depends on too many inputs.
    pub fn add(&mut self, node: Node) -> Option<TermId> {
        if self.nodes.len() >= MAX_TERMS {
            return None;
        }
        let inputs: Rc<[u32]> = match node {
            Node::Input(i) => Rc::new([i]),
            Node::Const(_) => Rc::new([]),
            Node::Wrap(a, _) => self.inputs_of(a),
            Node::Binary(_, a, b, _) | Node::Compare(_, a, b) => {
                let (a, b) = (self.inputs_of(a), self.inputs_of(b));
                if a.is_empty() || a == b {
                    b
                } else if b.is_empty() {
                    a
                } else {
                    let mut both: Vec<u32> = a.iter().chain(b.iter()).copied().collect();
                    both.sort_unstable();
                    both.dedup();
                    both.into()
                }
            }
        };
        if inputs.len() > MAX_INPUTS {
            return None;
        }
        self.inputs.push(inputs);
        self.nodes.push(node);
        Some(TermId(self.nodes.len() as u32 - 1))
    }

    /// What a term is made of.
    pub fn node(&self, term: TermId) -> Node {
        self.nodes.get(term.0 as usize).copied().unwrap_or(Node::Const(0))
    }

    /// The terms below some terms, themselves included, operands first.
    pub fn cone(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = std::collections::BTreeSet::new();
        let mut todo: Vec<TermId> = roots.into_iter().collect();
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.node(t) {
                Node::Binary(_, a, b, _) | Node::Compare(_, a, b) => todo.extend([a, b]),
                Node::Wrap(a, _) => todo.push(a),
                Node::Input(_) | Node::Const(_) => {}
            }
        }
        seen.into_iter().collect()
    }

    /// The inputs below a term, sorted.
    pub fn inputs_of(&self, term: TermId) -> Rc<[u32]> {
        self.inputs.get(term.0 as usize).cloned().unwrap_or_default()
    }

    /// The values of the terms of a cone under some inputs; `None` where one is not defined (division by zero).
    pub fn values(&self, cone: &[TermId], inputs: &dyn Fn(u32) -> i128) -> Values {
        let mut values = Values::default();
        for &t in cone {
            let v = match self.node(t) {
                Node::Input(i) => Some(inputs(i)),
                Node::Const(n) => Some(n),
                Node::Binary(op, a, b, ty) => match (values.get(a), values.get(b)) {
                    (Some(a), Some(b)) => binary(op, a, b, ty),
                    _ => None,
                },
                Node::Compare(op, a, b) => match (values.get(a), values.get(b)) {
                    (Some(a), Some(b)) => Some(compare(op, a, b).into()),
                    _ => None,
                },
                Node::Wrap(a, ty) => values.get(a).map(|a| ty.wrap(a)),
            };
            values.list.push((t, v));
        }
        values
    }
}

/// Values of some terms.
#[derive(Clone, Debug, Default)]
pub struct Values {
    list: Vec<(TermId, Option<i128>)>,
}

impl Values {
    /// The value of a term, if it is among them and defined.
    pub fn get(&self, term: TermId) -> Option<i128> {
        let at = self.list.binary_search_by_key(&term, |(t, _)| *t).ok()?;
        self.list.get(at).and_then(|(_, v)| *v)
    }
}

/// The result of an operator, wrapped to the type.
pub fn binary(op: BinaryOp, a: i128, b: i128, ty: IntTy) -> Option<i128> {
    let exact = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a.checked_shl(u32::try_from(b).ok().filter(|b| *b < 64)?)?,
        BinaryOp::Shr => a.checked_shr(u32::try_from(b).ok().filter(|b| *b < 64)?)?,
    };
    Some(ty.wrap(exact))
}

/// Whether a comparison holds.
pub fn compare(op: CompareOp, a: i128, b: i128) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}
